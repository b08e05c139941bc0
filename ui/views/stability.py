"""Stability of the answer: training beside test, from when on training pays, and the evidence as it came in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, List, Sequence, Tuple

from ..science import interval
from ..text import Counted, _, ngettext, strings
from ..text.phrases import all_of, paragraph, whole
from .cells import about, in_cells, loss, signed
from .lacking import needed
from .tables import ALGORITHM, ENDS, REVIEWS, evenly
from .verdict import by_how_much
from .view import Block, Chart, Column, Points, Table, View

if TYPE_CHECKING:
    from evaluator.report import Report
    from evaluator.sections.stability import EvidenceOverTime, EvidencePoint, Learning, Stability, TrainAndTest

LOSSES_TRAIN = _("Training")
LOSSES_TEST = _("Test")
LOSSES_GAP = _("Gap")
LEARNING_CHART = _("When training pays")
# Translators: Of reviews before a fold; stands for {learned_from}.
LEARNED_FROM = Counted("{count:,} review to learn from", "{count:,} reviews to learn from")
#: What all folds together say, by the comparison's code.
LEARNING_OVERALL = {
    "better": _(
        "Over all folds, the trained parameters of {algorithm} predict better than the default ones (by {by_how_much})."
    ),
    "worse": _(
        "Over all folds, the default parameters of {algorithm} predict better than the trained ones (by {by_how_much})."
    ),
    "equivalent": _(
        "Over all folds, the trained and the default parameters of {algorithm} predict equally well: any difference is "
        "smaller than {margin:g}."
    ),
    "cannot_tell": _(
        "Even over all folds it cannot be told whether the trained parameters of {algorithm} predict better than the "
        "default ones."
    ),
    "too_few": _("There are too few cards or days to say whether training {algorithm} pays: {needed}."),
    "rare_outcome": _(
        "Too few reviews were forgotten (or remembered) to say whether training {algorithm} pays: {needed}."
    ),
}
#: Of the last fold alone, by what its interval says.
LEARNING_LAST = {
    "worse": _(
        "In the last fold alone, with {learned_from}, the default parameters predict better than the trained ones."
    ),
    "equivalent": _(
        "In the last fold alone, with {learned_from}, trained and default parameters predict equally well."
    ),
    "cannot_tell": _(
        "The last fold alone, with {learned_from}, does not tell whether training pays: it is but a part of the "
        "reviews."
    ),
    "too_few": _("The last fold alone has too few cards or days to say whether training pays."),
    "rare_outcome": _(
        "In the last fold alone too few reviews were forgotten (or remembered) to say whether training pays."
    ),
}
EVIDENCE_CHART = _("Evidence over time")
#: Why there is no band.
EVIDENCE_LACKING = {
    "too_few": _("There are too few cards or days to say how much of the difference is chance: {needed}."),
    "rare_outcome": _(
        "Too few reviews were forgotten (or remembered) to say how much of the difference is chance: {needed}."
    ),
}
EVIDENCE_FADED = _("Later reviews have made that less clear.")
EVIDENCE_TURNED = _("But all reviews until the last day say the opposite.")

#: Of the evidence over time; the graph shows more.
MOST_ROWS = 12


def blocks(found: Stability, report: Report, _names: Sequence[str]) -> Iterator[Block]:
    """Blocks: training beside test, when training pays, and the evidence over time, as far as they are known."""
    yield _training_and_test(found)
    if found.learning is not None:
        yield _learning(found.learning, found, report.margin)
    if found.evidence is not None:
        yield _evidence(found.evidence, report.margin)


def _training_and_test(stability: Stability) -> Block:
    own = [row.algorithm for row in stability.losses if row.reason == interval.OWN_PARAMETERS]
    columns = (
        ALGORITHM,
        Column(
            LOSSES_TRAIN,
            _(
                "Log loss on the earlier reviews, from which the parameters were learned. Lower is better. Mean of all "
                "folds."
            ),
        ),
        Column(
            LOSSES_TEST,
            _("Log loss on the later reviews, which had not been seen. Lower is better. Mean of all folds."),
        ),
        Column(
            LOSSES_GAP,
            _(
                "Test minus training. Some gap is usual: later reviews may simply be harder. Compare the next two "
                "columns."
            ),
        ),
        Column(
            _("Gained in training"),
            _("By how much training lowered the log loss on the earlier reviews, against default parameters."),
        ),
        Column(
            _("Gained in the test"),
            _(
                "By how much training lowered the log loss on the later reviews. What is gained in training only was "
                "learned by heart."
            ),
        ),
    )
    return Block(
        key="losses",
        # Translators: Of an algorithm: training on earlier reviews, and the test on later ones.
        heading=_("Training and test"),
        caption=_losses_sentence(stability),
        table=Table(columns, tuple(map(_loss_row, stability.losses))),
        notes=(
            _("{names}: each deck or preset has parameters of its own, so there is no training loss of all.").format(
                names=all_of(own)
            ),
        )
        if own
        else (),
    )


def _loss_row(row: TrainAndTest) -> Tuple[str, ...]:
    gained = None if row.train is None or row.default_train is None else row.default_train - row.train
    return (
        row.algorithm,
        *map(loss, (row.train, row.test)),
        *map(signed, (row.gap, gained, row.default_test - row.test)),
    )


def _losses_sentence(stability: Stability) -> str:
    about_it = stability.learning.algorithm if stability.learning is not None else ""
    for row in stability.losses:
        if row.algorithm == about_it and row.train is not None and row.default_train is not None:
            train, test = row.default_train - row.train, row.default_test - row.test
            return _(
                "Against its default parameters, training {algorithm} gained {train} of log loss on the reviews that "
                "it learned from, and {test} on the later ones of the test. Where the second number is much smaller, "
                "too much was learned by heart (overfitting)."
            ).format(algorithm=row.algorithm, train=signed(train), test=signed(test))
    return (
        ""
        if stability.losses
        else _("None of these algorithms was trained, so nothing can have been learned by heart.")
    )


def _learning(learning: Learning, stability: Stability, margin: float) -> Block:
    """What training was worth, fold by fold."""
    folds = next((row.folds for row in stability.losses if row.algorithm == learning.algorithm), ())
    rows = []
    for number, point in enumerate(learning.curve.points):
        losses = (folds[number].train, folds[number].test, folds[number].gap) if folds else (None,) * 3
        counts = whole(point.training_reviews), whole(point.reviews)
        differences = (losses[2], *in_cells(point.difference))
        rows.append((*counts, *map(loss, losses[:2]), *map(signed, differences)))
    columns = (
        Column(_("Trained on"), _("Reviews before the fold, from which its parameters were learned.")),
        Column(_("Tested on"), _("Reviews of the fold. Each fold has other ones, later than the last.")),
        Column(
            LOSSES_TRAIN,
            _("Log loss of the trained parameters on the reviews that they were learned from. Lower is better."),
        ),
        Column(
            LOSSES_TEST,
            _(
                "Log loss of the trained parameters on the reviews of the fold, from which they had not been learned. "
                "Lower is better."
            ),
        ),
        Column(
            LOSSES_GAP,
            _("Test minus training. The fold's reviews may simply be harder, or easier, than the earlier ones."),
        ),
        Column(
            _("Trained \N{MINUS SIGN} default"),
            _(
                "Log loss of the trained parameters minus that of the default ones, on the fold's reviews. Below 0: "
                "the trained ones predict better."
            ),
        ),
        *ENDS,
    )
    return Block(
        key="learning",
        heading=strings.CHART_TITLE.format(graph=LEARNING_CHART, algorithms=learning.algorithm),
        caption=learning_sentence(learning, margin),
        table=Table(columns, tuple(rows)),
        chart=Chart("points", _points(learning)),
    )


def _points(learning: Learning) -> Points:
    """The points of the graph: one for each fold, below 0 where trained parameters predict better than default ones."""
    points = learning.curve.points
    return Points(
        across=_("Reviews to learn from"),
        up=_("Log loss difference"),
        # Translators: A point in the graph.
        point=_("one fold, with its 95\N{NO-BREAK SPACE}% interval")
        if any(point.difference.ends for point in points)
        # Translators: A point in the graph.
        else _("one fold"),
        zero=_("no difference; below, training helped"),
        points=tuple((point.training_reviews, point.difference) for point in points),
    )


def learning_sentence(learning: Learning, margin: float) -> str:
    """From when on training pays, and how to read the points."""
    bounded = any(point.difference.ends for point in learning.curve.points)
    read = (
        _(
            "Each fold is one point with its 95\N{NO-BREAK SPACE}% interval; below the zero line training helped. The "
            "folds hold other reviews, so not every step between them is due to training."
        )
        if bounded
        else _(
            "Each fold is one point; below the zero line training helped. The folds hold other reviews, so not every "
            "step between them is due to training."
        )
    )
    return paragraph(learning_finding(learning, margin), read)


def learning_finding(learning: Learning, margin: float) -> str:
    """What all folds together say of training, then what single ones do; no more than the intervals allow."""
    curve, overall = learning.curve, learning.overall
    said = LEARNING_OVERALL[overall.code].format(
        algorithm=learning.algorithm,
        by_how_much=by_how_much(overall),
        margin=margin,
        needed=needed(overall.code),
    )
    if overall.code in (interval.TOO_FEW, interval.RARE) or len(curve.points) == 1:
        return said
    if curve.pays_from is not None:
        before = [point for point in curve.points if point.training_reviews < curve.pays_from]
        if not before:
            form = _("Training paid in each single fold, already with {learned_from}.")
        else:
            form = (
                _("Training pays in each single fold from about {learned_from} on.")
                if before[-1].difference.ends
                else _(
                    "Training pays in each single fold from about {learned_from} on, perhaps earlier: the fold before "
                    "has too few reviews to tell ({needed})."
                )
            )
        why = needed(before[-1].difference.reason if before else None)
        return paragraph(said, form.format(learned_from=_learned_from(curve.pays_from), needed=why))
    last = curve.points[-1]
    of_last = LEARNING_LAST[interval.judge(last.difference, margin)].format(
        learned_from=_learned_from(last.training_reviews)
    )
    helped = sum(point.difference.side() == -1 for point in curve.points)
    return paragraph(
        said,
        of_last,
        # Translators: {all} is the number of folds, {count} of those where it was so.
        ngettext(
            "Of the {all} folds, which are parts of your reviews in the order of time, {count} shows by itself "
            "that the trained parameters predict better.",
            "Of the {all} folds, which are parts of your reviews in the order of time, {count} show by themselves "
            "that the trained parameters predict better.",
            helped,
        ).format(count=helped, all=len(curve.points))
        if helped
        else "",
    )


def _learned_from(reviews: int) -> str:
    return LEARNED_FROM(about(reviews))


def _evidence(evidence: EvidenceOverTime, margin: float) -> Block:
    """The evidence over time as a graph and a table of some days."""
    pair = {"algorithm": evidence.algorithm, "baseline": evidence.baseline}
    columns = (
        # Translators: A column of dates.
        Column(_("Until"), _("All scored reviews until the end of that day."), number=False),
        REVIEWS,
        Column(
            _("Difference"),
            _("Log loss of {algorithm} minus that of {baseline}, the mean of all reviews until then.").format(**pair),
        ),
        *ENDS,
    )
    rows = [(point.date, whole(point.reviews), *map(signed, in_cells(point.difference))) for point in _some(evidence)]
    return Block(
        key="evidence",
        heading=strings.CHART_TITLE.format(graph=EVIDENCE_CHART, algorithms=all_of(list(pair.values()))),
        caption=evidence_sentence(evidence, margin),
        table=Table(columns, tuple(rows)),
        chart=Chart("evidence", evidence),
    )


def _some(evidence: EvidenceOverTime) -> List[EvidencePoint]:
    """The points of some days, the one that decided it among them."""
    some = evenly(evidence.points, MOST_ROWS)
    return [point for point in evidence.points if point in some or point == evidence.decided]


def evidence_sentence(evidence: EvidenceOverTime, margin: float) -> str:
    """Since when the evidence has been enough, and how to read the line and the band, where there is one."""
    if evidence.points[-1].difference.ends is None:
        return _evidence_finding(evidence, margin)
    often = round(1 / (1 - evidence.confidence))
    return paragraph(
        _evidence_finding(evidence, margin),
        _(
            "The band is wider than an ordinary interval, and in exchange holds for all days at once (a confidence "
            "sequence): of {often} people who look again and again, at most one is ever misled by luck. Weeks that "
            "favour one of the two are allowed for; what takes two months or longer to change may mislead at first."
        ).format(often=often),
    )


def _evidence_finding(evidence: EvidenceOverTime, margin: float) -> str:
    last, decided = evidence.points[-1].difference, evidence.decided
    pair = (evidence.algorithm, evidence.baseline)
    if last.ends is None:
        code = last.reason or interval.TOO_FEW
        return paragraph(
            EVIDENCE_LACKING[code].format(needed=needed(code, interval.MIN_DAYS_OF_EVIDENCE)),
            _(
                "The line is the mean difference of all reviews until each day; below zero {algorithm} predicted "
                "better."
            ).format(algorithm=pair[0]),
        )
    if decided is None:
        found = [
            _(
                "So far the evidence is not enough to say whether {algorithm} or {baseline} predicts better, by a test "
                "that allows you to look as often as you like."
            ).format(algorithm=pair[0], baseline=pair[1])
        ]
    else:
        side = decided.difference.side()
        winner, loser = pair if side == -1 else pair[::-1]
        found = [
            _(
                "From {date} on the evidence has been enough, however often you look: {winner} predicts better than "
                "{loser}."
            ).format(date=decided.date, winner=winner, loser=loser)
        ]
        found.append(
            ngettext(
                "There was {count:,} scored review then.", "There were {count:,} scored reviews then.", decided.reviews
            ).format(count=decided.reviews)
        )
        if last.side() == 0:
            found.append(EVIDENCE_FADED)
        elif last.side() != side:
            found.append(EVIDENCE_TURNED)
    if interval.judge(last, margin) == interval.EQUIVALENT:
        found.append(
            _(
                "By now the evidence is enough to say that the two differ by less than {margin:g}, which does not "
                "matter."
            ).format(margin=margin)
        )
    return paragraph(*found)


VIEW = View(
    "stability", _("Stability of the answer"), _("Would the answer be the same with more reviews?"), blocks, charts=True
)
