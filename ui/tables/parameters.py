"""The trained parameters: which sit on a bound, and how sure those of the verdict's algorithm are."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Sequence, Tuple

from .. import strings
from ..phrases import all_of, listed, paragraph
from ..science import interval
from .cells import number
from .table import Column, Table

if TYPE_CHECKING:
    from evaluator.report import Report
    from evaluator.sections.parameters import AlgorithmParameters, FittedParameter

#: Beginnings of the names of those whose parameters have a meaning in words.
_IN_WORDS = ("FSRS-5", "FSRS-6", "FSRS-rs")

#: Of what is known of a parameter, the reviews' share; with less, its error is that of the prior.
_HARDLY = 0.05


def parameters_tables(report: Report) -> Tuple[Table, ...]:
    """All algorithms in short, and one of them in full: the verdict's, or else the first."""
    found = report.section("parameters")
    if not found:
        return ()
    shown = next((one for one in found if one.algorithm == report.verdict.algorithm), found[0])
    return (_summary(found, shown), _table(shown))


def _summary(algorithms: Sequence[AlgorithmParameters], shown: AlgorithmParameters) -> Table:
    return Table(
        title=strings.PARAMETERS_TITLE,
        columns=(
            Column(strings.COLUMN_ALGORITHM, number=False),
            Column(strings.PARAMETERS_COUNT, strings.PARAMETERS_COUNT_TIP),
            Column(strings.PARAMETERS_DIFFER, strings.PARAMETERS_DIFFER_TIP),
            Column(strings.PARAMETERS_AT_BOUND, strings.PARAMETERS_AT_BOUND_TIP, number=False),
        ),
        rows=tuple(_short(algorithm) for algorithm in algorithms),
        sentence=_sentence(shown),
    )


def _short(algorithm: AlgorithmParameters) -> Tuple[str, ...]:
    known = [p.differs for p in algorithm.parameters if p.differs is not None]
    differ = str(sum(known)) if known else strings.NO_VALUE
    bound = listed(_names(_at_bound(algorithm))) or strings.NO_VALUE
    return algorithm.algorithm, str(len(algorithm.parameters)), differ, bound


def _sentence(algorithm: AlgorithmParameters) -> str:
    """Where the default is the bound itself, it may be that nothing pulls at the parameter."""
    bound = _at_bound(algorithm)
    by_default = [p for p in bound if p.default == p.last.estimate]
    pulled = [p for p in bound if p not in by_default]
    said = [
        form(len(some), algorithm=algorithm.algorithm, names=all_of(_names(some)))
        for form, some in ((strings.PARAMETERS_SENTENCE, pulled), (strings.PARAMETERS_SENTENCE_DEFAULT, by_default))
        if some
    ] or [strings.PARAMETERS_SENTENCE_NONE.format(algorithm=algorithm.algorithm)]
    return paragraph(*said, strings.PARAMETERS_FOLD(algorithm.training_reviews))


def _at_bound(algorithm: AlgorithmParameters) -> List[FittedParameter]:
    return [p for p in algorithm.parameters if p.last.reason in (interval.AT_LOWER, interval.AT_UPPER)]


def _names(some: Sequence[FittedParameter]) -> List[str]:
    return [_name(p) for p in some]


def _name(p: FittedParameter) -> str:
    """As in the papers."""
    return f"w{p.index}"


def _table(algorithm: AlgorithmParameters) -> Table:
    in_words = algorithm.algorithm.startswith(_IN_WORDS)
    meaning = (Column(strings.PARAMETERS_MEANING, number=False),) if in_words else ()
    notes = [strings.PARAMETERS_DESCRIPTIVE] if any(p.differs is not None for p in algorithm.parameters) else []
    if algorithm.sampled_cards is not None:
        notes.append(strings.PARAMETERS_SAMPLED(algorithm.sampled_cards, seed=algorithm.seed))
    if any(p.last.reason == interval.ELSEWHERE for p in algorithm.parameters):
        notes.append(strings.PARAMETERS_ELSEWHERE)
    return Table(
        title=strings.PARAMETERS_OF.format(algorithm=algorithm.algorithm),
        columns=(
            Column(strings.PARAMETERS_NAME, number=False),
            *meaning,
            Column(strings.PARAMETERS_DEFAULT, strings.PARAMETERS_DEFAULT_TIP),
            Column(strings.PARAMETERS_VALUE, strings.PARAMETERS_VALUE_TIP),
            Column(strings.PARAMETERS_ERROR, strings.PARAMETERS_ERROR_TIP),
            Column(strings.PARAMETERS_LOWEST, strings.PARAMETERS_LOWEST_TIP, terse=True),
            Column(strings.PARAMETERS_HIGHEST, strings.PARAMETERS_LOWEST_TIP, terse=True),
            Column(strings.PARAMETERS_REMARK, number=False),
        ),
        rows=tuple(_row(p, in_words=in_words) for p in algorithm.parameters),
        notes=tuple(notes),
    )


def _row(p: FittedParameter, *, in_words: bool) -> Tuple[str, ...]:
    return (
        _name(p),
        *((strings.FSRS_PARAMETERS[p.index],) if in_words else ()),
        *map(number, (p.default, p.last.estimate, p.last.standard_error, p.lowest, p.highest)),
        _remark(p),
    )


def _remark(p: FittedParameter) -> str:
    if p.last.reason in (interval.AT_LOWER, interval.AT_UPPER):
        like_default = p.default == p.last.estimate
        forms = strings.PARAMETERS_AT_BOUNDS_LIKE_DEFAULT if like_default else strings.PARAMETERS_AT_BOUNDS
        return forms[p.last.reason].format(bound=number(p.lower if p.last.reason == interval.AT_LOWER else p.upper))
    if p.last.reason is not None:
        return strings.PARAMETERS_HELD[p.last.reason]
    if p.differs:
        return strings.PARAMETERS_DIFFERS
    share = p.share_from_reviews
    return strings.PARAMETERS_UNTOLD if share is not None and share < _HARDLY else ""
