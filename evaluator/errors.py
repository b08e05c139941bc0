"""Errors in the user's input, as stable codes with the numbers that explain them.

An error has a ``code`` and ``facts``; :mod:`ui.text.errors` makes the message for window and terminal from them.
"""

from __future__ import annotations

import re
from typing import Any, ClassVar


class EvaluatorError(Exception):
    """Base of every error that is the input's fault and not ours.

    Attributes:
        code: the name of the class in small letters, e.g. ``"too_few_reviews"``. It is stable: JSON has it.
        facts: what the sentence needs to be specific, e.g. ``{"reviews": 4, "needed": 6}``.
    """

    code: ClassVar[str] = "error"

    def __init_subclass__(cls) -> None:
        cls.code = re.sub(r"\B(?=[A-Z])", "_", cls.__name__).lower()

    def __init__(self, **facts: Any) -> None:
        self.facts = facts
        super().__init__(f"{self.code}: {facts}")

    def __reduce__(self) -> tuple[object, ...]:  # so that another process can receive it
        return _with_facts, (type(self), self.facts)


def _with_facts(kind: type[EvaluatorError], facts: dict[str, Any]) -> EvaluatorError:
    return kind(**facts)


class FileMissing(EvaluatorError):
    """There is no file at that path (or it is a folder). Facts: path."""


class NotACollection(EvaluatorError):
    """The file is neither a collection, a package nor a review log. Facts: path."""


class DamagedFile(EvaluatorError):
    """The file looks like a collection, a package or an archive but cannot be read to its end. Facts: path, detail."""


class MadeByNewerAnki(EvaluatorError):
    """A collection or package has a format that only a newer version of Anki can read. Facts: path."""


class TemporaryFolderFull(EvaluatorError):
    """The copy of a collection or package could not be written. Facts: folder (for temporary files)."""


class UnreadableCsv(EvaluatorError):
    """A CSV is not a text, is compressed badly, or is too large to be one of ours. Facts: path, detail (words)."""


class UnreadableText(EvaluatorError):
    """A text file of another program cannot be understood. Facts: path, detail (words)."""


class TooManyRows(EvaluatorError):
    """A table has more rows than anyone can have made. Facts: table (Anki's name of it), rows, most."""


class CollectionInUse(EvaluatorError):
    """Another program, most likely Anki, holds the file. Facts: path."""


class CollectionClosed(EvaluatorError):
    """Anki's collection was closed while (or before) it was read. No facts."""


class MissingColumns(EvaluatorError):
    """A CSV lacks columns. Facts: path, missing, found (lists of names)."""


class BadCell(EvaluatorError):
    """A CSV cell is not the integer of 64 bits it should be. Facts: path, line (1 = header), column, value."""


class BadColumn(EvaluatorError):
    """No CSV cell of a column is what it should be. Facts: path, column, rows (how many), value (of the first)."""


class BadOption(EvaluatorError):
    """An option has a value outside what it allows. Facts: option, value, allowed (a code, or words), known
    (those that stand for several, if names are allowed).
    """


class UnknownName(EvaluatorError):
    """There is no such algorithm, deck, preset or section. Facts: what (which of them), name, suggestions (list),
    known (list).
    """


class BadSearch(EvaluatorError):
    """Anki cannot run a search. Facts: search, detail (Anki's words), understood (True: only its database fails)."""


class SearchImpossible(EvaluatorError):
    """A review log in a CSV cannot be searched. No facts."""


class PartEmpty(EvaluatorError):
    """A search for a part of the cards finds none. Facts: search."""


class PartFollowsAnswers(EvaluatorError):
    """A search for a part of the cards depends on how they were answered. Facts: search."""


class PartsOverlap(EvaluatorError):
    """Two searches for parts of the cards overlap. Facts: one, other, cards (how many)."""


class DecksUnknown(EvaluatorError):
    """An algorithm needs each card's deck or preset, and the source does not say. Facts: what ("deck" or "preset")."""


class SecondsUnknown(EvaluatorError):
    """Something needs the seconds between reviews, and the source has whole days only. No facts."""


class NoParameters(EvaluatorError):
    """The source has no presets, so no FSRS parameters of the user. No facts."""


class OddParameters(EvaluatorError):
    """A preset's FSRS parameters are of no known version, or not finite once converted. Facts: count, preset (name)."""


class NewerParameters(OddParameters):
    """Anki stores parameters of a newer version of FSRS for a preset. Facts: version (0: unknown), preset."""


class WholeDayOnly(EvaluatorError):
    """An algorithm or a section is not available in the same-day table. No facts."""


class OptimizerMissing(EvaluatorError):
    """Anki's own optimizer cannot be called, because Anki is not installed here. No facts."""


class OptimizerFailed(EvaluatorError):
    """Anki's own optimizer gave an error instead of parameters. Facts: detail."""


class OptimizerResultUnusable(EvaluatorError):
    """Anki's own optimizer returned parameters that cannot be used, such as those of a newer FSRS. Facts: count."""


class ReviewsUncovered(EvaluatorError):
    """Predictions from a file lack some scored reviews. Facts: reviews, uncovered (counts), first (a review id)."""


class BadPredictions(EvaluatorError):
    """A file of predictions cannot be used. Facts: path, detail (words)."""


class EmptyRevlog(EvaluatorError):
    """The review log has no rows at all.

    Facts: others, as of :class:`NothingToCompare`, and excerpt (of decks: True).
    """


class NothingToCompare(EvaluatorError):
    """Base of the errors that another part of the collection might not raise.

    Further facts: choice, the :class:`evaluator.scope.ScopeChoice`, if only a part was evaluated; others, the
    :class:`evaluator.report.ProbabilityBetter` of FSRS-6 against Anki's SM-2 from published results.
    """


class NothingInScope(NothingToCompare):
    """The log has no row of the cards that were chosen. Facts: cards (how many they are)."""


class AllFiltered(NothingToCompare):
    """The log has rows, but none can be scored. Facts: rows, funnel (list of (step, count) that left rows out)."""


class NoLaterDay(NothingToCompare):
    """No card was seen again on a later day, so nothing can be predicted. Facts: reviews (same-day ones too), cards and
    days (of these), needed (days), same_day (how many of the reviews the same-day table has), funnel (as of
    :class:`AllFiltered`, without these reviews).
    """


class NothingSince(NothingToCompare):
    """All reviews that could be scored are before the start date. Facts: since, last (ISO dates)."""


class TooFewReviews(NothingToCompare):
    """Too few reviews to be split into folds. Facts: reviews, needed, folds."""


class OneOutcome(NothingToCompare):
    """Every scored review has the same outcome, so nothing can be compared. Facts: reviews, outcome (0 or 1)."""
