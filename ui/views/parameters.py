"""The trained parameters: which sit on a bound, and how sure those of the verdict's algorithm are; and the presets'."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, List, Optional, Sequence, Tuple

from ..science import interval
from ..text import Counted, _, ngettext, pgettext, strings
from ..text.phrases import all_of, listed, paragraph, with_semicolons
from .cells import number
from .tables import ALGORITHM
from .view import Block, Column, Table, View

if TYPE_CHECKING:
    from evaluator.report import Report
    from evaluator.sections.parameters import AlgorithmParameters, FittedParameter, Parameters, PresetParameters

# Translators: {names} are those of {count} parameters, such as "w3 and w5".
PARAMETERS_SENTENCE = Counted(
    "Of {algorithm}, {names} sits on a bound: the reviews pull further than is allowed.",
    "Of {algorithm}, {names} sit on a bound: the reviews pull further than is allowed.",
)
PARAMETERS_SENTENCE_DEFAULT = Counted(
    "Of {algorithm}, {names} sits on a bound by default: the reviews have not moved it.",
    "Of {algorithm}, {names} sit on a bound by default: the reviews have not moved them.",
)
PARAMETERS_LOWEST_TIP = _(
    "The lowest and the highest value of all folds. Folds with fewer reviews to learn from stay closer to the default."
)
PARAMETERS_AT_BOUNDS = {
    "lower": _("at its lower bound ({bound})"),
    "upper": _("at its upper bound ({bound})"),
}
PARAMETERS_AT_BOUNDS_LIKE_DEFAULT = {
    "lower": _("at its lower bound ({bound}), like the default"),
    "upper": _("at its upper bound ({bound}), like the default"),
}
PARAMETERS_HELD = {
    "fixed": _("not trained"),
    "undetermined": _("not determined by the reviews"),
    "elsewhere": "",
}
#: By :attr:`evaluator.sections.parameters.PresetParameters.code`.
PRESET_PARAMETERS = {
    "own": "",
    "converted": _("from an older version, converted as Anki does it"),
    "published": _("the published ones"),
    "none": _("the published ones, as it has none of its own that can be used"),
    "odd": _("cannot be used"),
}
PARAMETERS_RUNS_TIP = _("The version of FSRS that predicts its cards, in the row of your parameters as in Anki.")
PARAMETERS_ELSEWHERE = _("Anki's own optimiser does not say how sure its parameters are.")
FSRS_PARAMETERS = (
    # Translators: "The same" are the days until 90 % recall.
    _("days until 90\N{NO-BREAK SPACE}% recall after a first Again"),
    _("days until 90\N{NO-BREAK SPACE}% recall after a first Hard"),
    _("days until 90\N{NO-BREAK SPACE}% recall after a first Good"),
    _("days until 90\N{NO-BREAK SPACE}% recall after a first Easy"),
    _("difficulty after a first Again"),
    _("how much easier each better first answer makes a card"),
    _("how much each answer moves difficulty"),
    _("how strongly difficulty is pulled back to that of easy cards"),
    _("how much memory grows with a success"),
    _("how much less memory grows when it is already stable"),
    _("how much more memory grows when nearly forgotten"),
    _("what is left of memory after a lapse"),
    _("how much less memory a lapse leaves of difficult cards"),
    _("how much more memory a lapse leaves when it was stable"),
    _("how much more memory a lapse leaves when nearly forgotten"),
    _("growth of memory after Hard, as a share of that after Good"),
    _("growth of memory after Easy, as a multiple of that after Good"),
    _("how much a same-day review changes memory"),
    _("how much better a same-day answer counts than its button"),
    _("how much less a same-day review adds to stable memory"),
    _("how steeply memory fades with time"),
)

#: What parameters mean, by :attr:`evaluator.sections.parameters.AlgorithmParameters.meanings`.
_MEANINGS = {"FSRS": FSRS_PARAMETERS}

#: Of what is known of a parameter, the reviews' share; with less, its error is that of the prior.
_HARDLY = 0.05


def blocks(found: Parameters, report: Report, _names: Sequence[str]) -> Iterator[Block]:
    """All algorithms in short, the parameters of one (of the verdict's, or else of the first), and the presets."""
    if found.algorithms:
        yield from _trained(found.algorithms, report.verdict.algorithm)
    if found.presets:
        yield Block("parameters-in-presets", strings.PRESET_PARAMETERS, table=_presets(found.presets))


def _trained(found: Sequence[AlgorithmParameters], named: Optional[str]) -> Iterator[Block]:
    shown = next((one for one in found if one.algorithm == named), found[0])
    columns = (
        ALGORITHM,
        Column(_("Parameters"), _("How many numbers say what it predicts.")),
        Column(
            _("Differ from the default"),
            _("How many of them have their default outside their 95\N{NO-BREAK SPACE}% interval."),
        ),
        Column(
            _("On a bound"),
            _(
                "They would have gone further had they been allowed to, or begin there and have not moved. One or two "
                "are nothing to worry about."
            ),
            number=False,
        ),
    )
    summary = Table(columns, tuple(map(_short, found)))
    yield Block("parameters", _("The trained parameters"), _sentence(shown), summary)
    yield Block(
        key="parameters-of",
        heading=_("The parameters of {algorithm}").format(algorithm=shown.algorithm),
        table=_table(shown),
        notes=tuple(_notes(shown)),
    )


def _short(algorithm: AlgorithmParameters) -> Tuple[str, ...]:
    known = [p.differs for p in algorithm.parameters if p.differs is not None]
    differ = str(sum(known)) if known else strings.NO_VALUE
    bound = listed(map(_label, _at_bound(algorithm))) or strings.NO_VALUE
    return algorithm.algorithm, str(len(algorithm.parameters)), differ, bound


def _sentence(algorithm: AlgorithmParameters) -> str:
    """Which parameters sit on a bound; apart from those whose default is that bound, as perhaps nothing pulls there."""
    bound = _at_bound(algorithm)
    by_default = [p for p in bound if p.default == p.last.estimate]
    pulled = [p for p in bound if p not in by_default]
    said = [
        form(len(some), algorithm=algorithm.algorithm, names=all_of([_label(p) for p in some]))
        for form, some in ((PARAMETERS_SENTENCE, pulled), (PARAMETERS_SENTENCE_DEFAULT, by_default))
        if some
    ] or [_("No parameter of {algorithm} sits on a bound.").format(algorithm=algorithm.algorithm)]
    return paragraph(
        *said,
        ngettext(
            "The values are those of the last fold, learned from {count:,} review.",
            "The values are those of the last fold, learned from {count:,} reviews.",
            algorithm.training_reviews,
        ).format(count=algorithm.training_reviews),
    )


def _at_bound(algorithm: AlgorithmParameters) -> List[FittedParameter]:
    return [p for p in algorithm.parameters if p.last.reason in (interval.AT_LOWER, interval.AT_UPPER)]


def _label(p: FittedParameter) -> str:
    """What papers call it, such as "w4"."""
    return f"w{p.index}"


def _table(algorithm: AlgorithmParameters) -> Table:
    meanings = _MEANINGS.get(algorithm.meanings or "", ())
    meaning = (Column(_("What it says"), number=False),) if meanings else ()
    return Table(
        columns=(
            Column(_("Parameter"), number=False),
            *meaning,
            Column(
                pgettext("value of a parameter", "Default"),
                _("As published, from the reviews of many people. Training begins there."),
            ),
            # Translators: A column: your parameters.
            Column(_("Yours"), _("As learned from your reviews in the last fold.")),
            Column(
                _("Std. error"),
                _(
                    "Give or take: how precisely your reviews, with what is known of other people's, determine it "
                    "(from the Fisher information). Rather too small, since it takes reviews as independent."
                ),
                terse=True,
            ),
            # Translators: A column: the lowest value of the parameter.
            Column(_("Lowest"), PARAMETERS_LOWEST_TIP, terse=True),
            # Translators: A column: the highest value of the parameter.
            Column(_("Highest"), PARAMETERS_LOWEST_TIP, terse=True),
            Column(_("Remark"), number=False),
        ),
        rows=tuple(_row(p, meanings) for p in algorithm.parameters),
    )


def _notes(algorithm: AlgorithmParameters) -> Iterator[str]:
    if any(p.differs is not None for p in algorithm.parameters):
        yield _(
            "\u201cDiffers from the default\u201d: the default lies outside the 95\N{NO-BREAK SPACE}% interval. That "
            "reaches further up than down where a value cannot be 0 or less, so a default two standard errors above "
            "yours may lie inside. With so many parameters one of twenty differs by chance alone, so this describes "
            "and proves nothing."
        )
    if algorithm.sampled_cards is not None:
        yield ngettext(
            "The errors come from {count:,} card drawn with the seed {seed}, scaled up to all.",
            "The errors come from {count:,} cards drawn with the seed {seed}, scaled up to all.",
            algorithm.sampled_cards,
        ).format(count=algorithm.sampled_cards, seed=algorithm.seed)
    if any(p.last.reason == interval.ELSEWHERE for p in algorithm.parameters):
        yield PARAMETERS_ELSEWHERE


def _row(p: FittedParameter, meanings: Sequence[str]) -> Tuple[str, ...]:
    return (
        _label(p),
        *((meanings[p.index],) if meanings else ()),
        *map(number, (p.default, p.last.estimate, p.last.standard_error, p.lowest, p.highest)),
        _remark(p),
    )


def _remark(p: FittedParameter) -> str:
    if p.last.reason in (interval.AT_LOWER, interval.AT_UPPER):
        like_default = p.default == p.last.estimate
        forms = PARAMETERS_AT_BOUNDS_LIKE_DEFAULT if like_default else PARAMETERS_AT_BOUNDS
        return forms[p.last.reason].format(bound=number(p.lower if p.last.reason == interval.AT_LOWER else p.upper))
    if p.last.reason is not None:
        return PARAMETERS_HELD[p.last.reason]
    if p.differs:
        return _("differs from the default")
    share = p.share_from_reviews
    return _("your reviews say hardly anything of it") if share is not None and share < _HARDLY else ""


def _presets(presets: Sequence[PresetParameters]) -> Table:
    return Table(
        columns=(
            Column(pgettext("Anki", "Preset"), number=False),
            # Translators: A column: the version of FSRS that a preset runs.
            Column(_("Runs"), PARAMETERS_RUNS_TIP, number=False),
            Column(_("Parameters"), _("How many are stored for that version.")),
            Column(_("Remark"), number=False),
        ),
        rows=tuple((one.preset, f"FSRS-{one.version}", str(one.count), _on_preset(one)) for one in presets),
    )


def _on_preset(preset: PresetParameters) -> str:
    unused = _("not used: {counts} stored numbers").format(counts=all_of(list(map(str, preset.unused))))
    return with_semicolons(filter(None, [PRESET_PARAMETERS[preset.code], unused if preset.unused else ""]))


VIEW = View(
    "parameters",
    _("The parameters, and how sure they are"),
    _("What was learned from your reviews, and how sure is it?"),
    blocks,
)
