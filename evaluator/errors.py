"""Errors in the user's input, as stable codes with facts that explain them.

:mod:`ui.text.error_sentences` turns the code and the facts into the message in the window and the terminal.
"""

from __future__ import annotations

import re
from typing import Any, ClassVar


class EvaluatorError(Exception):
    """Base of all errors in the input.

    Attributes:
        code: name of the class in snake case, such as ``"too_few_reviews"``. It is stable, because it is in the JSON.
        facts: numbers and names for the message, such as ``{"reviews": 4, "needed": 6}``.
    """

    code: ClassVar[str] = "error"

    def __init_subclass__(cls) -> None:
        cls.code = re.sub(r"\B(?=[A-Z])", "_", cls.__name__).lower()

    def __init__(self, **facts: Any) -> None:
        super().__init__()
        self.facts = facts

    def __str__(self) -> str:
        return f"{self.code}: {self.facts}"


class FileMissing(EvaluatorError):
    """There is no file at that path. Facts: path."""


class NotACollection(EvaluatorError):
    """The file is neither a collection, a package nor a review log. Facts: path."""


class DamagedFile(EvaluatorError):
    """The file looks like a collection, a package or an archive but cannot be read completely. Facts: path, detail."""


class EmptyFile(EvaluatorError):
    """The file has no bytes. Facts: path."""


class SqlInCollection(EvaluatorError):
    """A collection contains SQL that would run while it is read. Facts: path, detail (words)."""


class PackageTooLarge(EvaluatorError):
    """A package is too small for what it unpacks to. Facts: path, kilobytes (its size), most (MB that it may hold)."""


class MadeByOlderAnki(EvaluatorError):
    """Only an old version of Anki can read the collection. Facts: path."""


class MadeByNewerAnki(EvaluatorError):
    """Only a newer version of Anki can read the collection or package. Facts: path."""


class TemporaryFolderFull(EvaluatorError):
    """The copy of a collection or package could not be written. Facts: folder for temporary files."""


class UnreadableCsv(EvaluatorError):
    """A CSV is not text, is damaged by compression, or is too large to be a review log. Facts: path, detail (words)."""


class UnreadableText(EvaluatorError):
    """A text file of another program has an unknown format. Facts: path, detail (words)."""


class TooManyRows(EvaluatorError):
    """A table has more rows than anyone can have made. Facts: table (Anki's name of it), rows, most (the limit)."""


class TooMuchMemory(EvaluatorError):
    """The rows of a small file need too much memory. Facts: path, rows, gigabytes (of memory)."""


class CollectionInUse(EvaluatorError):
    """Another program, most likely Anki, has locked the file. Facts: path."""


class CollectionClosed(EvaluatorError):
    """Anki's collection was closed before it was read completely. No facts."""


class MissingColumns(EvaluatorError):
    """A CSV lacks columns. Facts: path, missing (names), found (names)."""


class BadCell(EvaluatorError):
    """A CSV cell is not an integer of 64 bits. Facts: path, line (from 1, the header), column, value."""


class BadColumn(EvaluatorError):
    """All CSV cells of a column are invalid. Facts: path, column, rows (how many), value (of the first)."""


class BadOption(EvaluatorError):
    """An option has a value that is not allowed.

    Facts: option, value, allowed (a code, or words), and if names are allowed also known (names of groups).
    """


class UnknownName(EvaluatorError):
    """There is no such algorithm, deck, preset or section.

    Facts: what (which of them), name, suggestions (names), known (all names).
    """


class BadSearch(EvaluatorError):
    """Anki cannot run a search.

    Facts: search, detail (Anki's words). If Anki understood the search and its database failed, also understood (True).
    """


class SearchTooDeep(EvaluatorError):
    """The brackets of a search are nested too deep for Anki. Facts: search, depth, most (the limit)."""


class SearchImpossible(EvaluatorError):
    """A review log in a CSV has no cards to search. No facts."""


class PartEmpty(EvaluatorError):
    """A search for the cards to evaluate, or for a part of them, finds none. Facts: search."""


class PartFollowsAnswers(EvaluatorError):
    """A search for a part of the cards depends on how they were answered. Facts: search."""


class PartsOverlap(EvaluatorError):
    """Two searches for parts of the cards find the same cards. Facts: one, other, cards (how many)."""


class DecksUnknown(EvaluatorError):
    """An algorithm needs each card's deck or preset, and the source does not say. Facts: what ("deck" or "preset")."""


class SecondsUnknown(EvaluatorError):
    """Something needs the seconds between reviews, and the source has whole days only. No facts."""


class NoParameters(EvaluatorError):
    """The source has no presets, so no FSRS parameters of the user. No facts."""


class OddParameters(EvaluatorError):
    """A preset's FSRS parameters belong to no known version, or are not finite. Facts: count, preset (name)."""


class NewerParameters(OddParameters):
    """A preset's FSRS parameters belong to a newer version. Facts: version (0 if it is unknown), preset (name)."""


class NotAParameter(EvaluatorError):
    """A pasted FSRS parameter is not finite, before or after conversion. Facts: name (of the row), value."""


class DecimalComma(EvaluatorError):
    """The pasted FSRS parameters have decimal commas. No facts."""


class SetsOnOneLine(EvaluatorError):
    """Several sets of FSRS parameters were pasted into one line. No facts."""


class ParameterCount(EvaluatorError):
    """No version of FSRS has as many parameters as were pasted. Facts: name (of the row), count."""


class NameTaken(EvaluatorError):
    """The name of an added row is empty or is that of another row. Facts: name."""


class WholeDayOnly(EvaluatorError):
    """An algorithm or a section is not available in the same-day table. No facts."""


class OptimizerMissing(EvaluatorError):
    """Anki's own optimizer cannot be called, because Anki is not installed here. No facts."""


class OptimizerFailed(EvaluatorError):
    """Anki's own optimizer failed. Facts: detail."""


class OptimizerResultUnusable(EvaluatorError):
    """Anki's own optimizer returned parameters of an unknown version of FSRS. Facts: count."""


class ReviewsUncovered(EvaluatorError):
    """Predictions from a file lack some scored reviews.

    Facts: reviews (how many are scored), uncovered (how many are lacking), first (id of the first one lacking).
    """


class BadPredictions(EvaluatorError):
    """A file of predictions cannot be used. Facts: path, detail (words)."""


class EmptyRevlog(EvaluatorError):
    """The review log has no rows.

    Facts: others, as in :class:`NothingToCompare`. For an excerpt of decks also excerpt (True).
    """


class NothingToCompare(EvaluatorError):
    """Base of the errors for data that are too few or too uniform. Another part of the collection may have enough.

    Further facts: choice, the :class:`evaluator.scope.ScopeChoice` if only a part was evaluated, and others, the
    :class:`evaluator.report.ProbabilityBetter` of FSRS-6 against Anki's SM-2 from published results.
    """


class NothingInScope(NothingToCompare):
    """The log has no row of the chosen cards. Facts: cards (how many)."""


class AllFiltered(NothingToCompare):
    """The log has rows, but none can be scored.

    Facts: rows (how many), funnel (list of (step, count) of the rows left out).
    """


class NoLaterDay(NothingToCompare):
    """No card was seen again on a later day, so there is nothing to predict.

    Facts: reviews (including those on the same day), cards and days (of these), needed (days), same_day (number of
    reviews in the same-day table), funnel (as in :class:`AllFiltered`, without these reviews).
    """


class NothingSince(NothingToCompare):
    """All reviews that could be scored are before the start date. Facts: since, last (ISO dates), but not others."""


class TooFewReviews(NothingToCompare):
    """There are too few reviews to be split into folds. Facts: reviews, needed, folds."""


class OneOutcome(NothingToCompare):
    """All scored reviews have the same outcome, so there is nothing to compare. Facts: reviews, outcome (0 or 1)."""
