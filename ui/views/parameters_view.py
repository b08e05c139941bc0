"""Tables of the trained parameters of one algorithm, and of the parameters in the presets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Sequence

from ..text import Counted, _, pgettext
from ..text.phrases import all_of, paragraph, with_semicolons
from ..text.strings import NO_VALUE
from .cells import format_parameter
from .labels import row_label
from .view import Block, Column, Table, View, without_sparse_columns

if TYPE_CHECKING:
    from evaluator.report import Report
    from evaluator.sections.parameters_section import AlgorithmParameters, Parameters, PresetParameters

# Translators: {names} are those of {count} parameters, such as "w3 and w5".
ON_BOUND = Counted(
    "{names} is at a bound: your reviews would push it further, or have no effect on it.",
    "{names} are at a bound: your reviews would push them further, or have no effect on them.",
)
#: Remarks by :attr:`evaluator.sections.parameters_section.PresetParameters.code`.
PRESET_PARAMETERS = {
    "own": "",
    "converted": _("from an older version, converted as in Anki"),
    "published": _("the defaults"),
    "none": _("the defaults, because it has no usable ones"),
    "odd": _("cannot be used"),
    "newer": _("of a newer FSRS; update SRS Evaluator"),
}
#: Meanings of the parameters of FSRS, in their order.
FSRS_PARAMETERS = (
    _("days until 90% recall after a first Again"),
    _("days until 90% recall after a first Hard"),
    _("days until 90% recall after a first Good"),
    _("days until 90% recall after a first Easy"),
    _("difficulty after a first Again"),
    _("how much easier a better first answer makes a card"),
    _("how much each answer moves difficulty"),
    _("how strongly difficulty is pulled back to that of easy cards"),
    _("how much memory grows after a success"),
    _("how much less memory grows when it is already stable"),
    _("how much more memory grows if recall is low"),
    _("stability after a lapse"),
    _("how much difficulty lowers stability after a lapse"),
    _("how much earlier stability raises stability after a lapse"),
    _("how much low recall raises stability after a lapse"),
    _("growth of memory after Hard, as a share of that after Good"),
    _("growth of memory after Easy, as a multiple of that after Good"),
    _("how much a same-day review changes memory"),
    _("how much is added to the rating of a same-day answer"),
    _("how much less a same-day review adds to stable memory"),
    _("how steeply memory fades with time"),
)

#: Meanings of parameters, by :attr:`evaluator.sections.parameters_section.AlgorithmParameters.meanings`.
_MEANINGS = {
    "FSRS": FSRS_PARAMETERS,
    "calibration": (
        # Translators: t is the time since the last review, I the interval. Keep c, b, t, I and the formula.
        _("c in recall = 0.9^(c (t/I)^b): when an interval is over, recall is 0.9^c"),
        _("b in the same formula: how strongly recall depends on the share of the interval that has passed"),
    ),
}


def blocks(report: Report) -> Iterator[Block]:
    """Yield the table of trained parameters, and the table of the parameters in the presets.

    The trained parameters are those of the headline's algorithm. If it has none, they are those of FSRS-6, or of the
    first algorithm that has any.
    """
    section: Parameters = report.section("parameters")
    by_name = {item.algorithm: item for item in section.algorithms}
    if by_name:
        fallback = by_name.get("FSRS-6") or section.algorithms[0]
        yield _trained_block(by_name.get(report.headline_algorithm or "") or fallback)
    if section.presets:
        yield Block("parameters-in-presets", _("The parameters in your presets"), table=_preset_table(section.presets))


def _trained_block(trained: AlgorithmParameters) -> Block:
    """Return the table of an algorithm's parameters, with their meanings if these are known."""
    meanings = _MEANINGS.get(trained.meanings or "", ("",) * len(trained.parameters))
    names_at_bound = [f"w{p.index}" for p in trained.parameters if p.on_bound]
    default_tip = _("Where training starts. FSRS's values come from the reviews of many people.")
    columns = (
        Column(_("Parameter"), number=False),
        Column(_("Meaning"), number=False),
        Column(pgettext("value of a parameter", "Default"), default_tip),
        Column(_("Trained"), _("Trained on your reviews.")),
    )
    rows = tuple(
        (f"w{p.index}", meanings[p.index], format_parameter(p.default), format_parameter(p.trained))
        for p in trained.parameters
    )
    return Block(
        key="parameters",
        heading=_("The parameters of {algorithm}").format(algorithm=row_label(trained.algorithm)),
        caption=paragraph(
            Counted("Trained on your {count:,} oldest review.", "Trained on your {count:,} oldest reviews.")(
                trained.training_reviews
            ),
            ON_BOUND(len(names_at_bound), names=all_of(names_at_bound)) if names_at_bound else "",
        ),
        folded=True,
        table=without_sparse_columns(Table(columns, rows)),
    )


def _preset_table(presets: Sequence[PresetParameters]) -> Table:
    """Return the table with the number of parameters in each preset, and what is unusual about them."""
    columns = (
        Column(pgettext("Anki", "Preset"), number=False),
        # Translators: A column: the version of FSRS that a preset runs.
        Column(
            _("Version"),
            _("The version of FSRS that predicts its cards, in Anki and in the row “Your parameters”."),
            number=False,
        ),
        Column(_("Parameters"), _("How many are stored for that version.")),
        Column(_("Remark"), number=False),
    )
    versions = [f"FSRS-{preset.version}" if preset.version else NO_VALUE for preset in presets]
    rows = ((p.preset, version, str(p.count), _remark(p)) for p, version in zip(presets, versions))
    return Table(columns, tuple(rows))


def _remark(preset: PresetParameters) -> str:
    """Return what is unusual about the parameters of a preset."""
    unused = _("stored but unused parameters: {counts}").format(counts=all_of(list(map(str, preset.unused))))
    clipped = _("{count} clipped to FSRS's bounds").format(count=preset.clipped)
    remarks = (PRESET_PARAMETERS[preset.code], clipped if preset.clipped else "", unused if preset.unused else "")
    return with_semicolons(filter(None, remarks))


VIEW = View("parameters", _("The parameters"), _("Which parameters fit your reviews?"), blocks)
