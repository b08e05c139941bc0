"""Stability of the answer: training beside test, from when on training pays, and the evidence as it came in."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Tuple

from .. import strings
from ..phrases import all_of, paragraph, whole
from ..science import interval
from ..views.verdict import by_how_much
from .cells import about, in_cells, loss, signed
from .table import Column, Table

if TYPE_CHECKING:
    from evaluator.report import Report
    from evaluator.sections.stability import EvidenceOverTime, EvidencePoint, Learning, Stability, TrainAndTest

#: Of the evidence over time; the graph shows more.
MOST_ROWS = 12


def stability_tables(report: Report) -> Tuple[Table, ...]:
    """Losses, the learning curve and the evidence, as far as there are any."""
    stability = report.section("stability")
    if stability is None:
        return ()
    tables = [_losses(stability)]
    if stability.learning is not None:
        tables.append(learning_table(report))
    if stability.evidence is not None:
        tables.append(evidence_table(report))
    return tuple(tables)


def _losses(stability: Stability) -> Table:
    own = [row.algorithm for row in stability.losses if row.reason == interval.OWN_PARAMETERS]
    return Table(
        title=strings.LOSSES_TITLE,
        columns=(
            Column(strings.COLUMN_ALGORITHM, number=False),
            Column(strings.LOSSES_TRAIN, strings.LOSSES_TRAIN_TIP),
            Column(strings.LOSSES_TEST, strings.LOSSES_TEST_TIP),
            Column(strings.LOSSES_GAP, strings.LOSSES_GAP_TIP),
            Column(strings.LOSSES_GAIN_TRAIN, strings.LOSSES_GAIN_TRAIN_TIP),
            Column(strings.LOSSES_GAIN_TEST, strings.LOSSES_GAIN_TEST_TIP),
        ),
        rows=tuple(_loss_row(row) for row in stability.losses),
        sentence=_losses_sentence(stability),
        notes=(strings.LOSSES_OWN.format(names=all_of(own)),) if own else (),
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
            return strings.LOSSES_SENTENCE.format(algorithm=row.algorithm, train=signed(train), test=signed(test))
    return "" if stability.losses else strings.LOSSES_NONE


def learning_table(report: Report) -> Table:
    """Fold by fold what training was worth; without rows where nothing was trained."""
    stability = report.section("stability")
    learning = None if stability is None else stability.learning
    if stability is None or learning is None:
        return Table(title=strings.LEARNING_CHART, columns=(), rows=(), sentence=strings.LOSSES_NONE)
    of = next(row for row in stability.losses if row.algorithm == learning.algorithm)
    rows = []
    for number, point in enumerate(learning.curve.points):
        losses = (of.folds[number].train, of.folds[number].test, of.folds[number].gap) if of.folds else (None,) * 3
        counts = whole(point.training_reviews), whole(point.reviews)
        differences = (losses[2], *in_cells(point.difference))
        rows.append((*counts, *map(loss, losses[:2]), *map(signed, differences)))
    return Table(
        title=strings.CHART_TITLE.format(graph=strings.LEARNING_CHART, algorithms=learning.algorithm),
        columns=(
            Column(strings.LEARNING_TRAINING, strings.LEARNING_TRAINING_TIP),
            Column(strings.LEARNING_TESTED, strings.LEARNING_TESTED_TIP),
            Column(strings.LOSSES_TRAIN, strings.LEARNING_TRAIN_TIP),
            Column(strings.LOSSES_TEST, strings.LEARNING_TEST_TIP),
            Column(strings.LOSSES_GAP, strings.LEARNING_GAP_TIP),
            Column(strings.LEARNING_DIFFERENCE, strings.LEARNING_DIFFERENCE_TIP),
            Column(strings.FROM_COLUMN, strings.FROM_TIP),
            Column(strings.TO_COLUMN, strings.TO_TIP),
        ),
        rows=tuple(rows),
        sentence=learning_sentence(learning, report.margin),
    )


def learning_sentence(learning: Learning, margin: float) -> str:
    """From when on training pays, and how to read the points."""
    bounded = any(point.difference.ends for point in learning.curve.points)
    read = strings.LEARNING_READ_INTERVALS if bounded else strings.LEARNING_READ
    return paragraph(learning_finding(learning, margin), read)


def learning_finding(learning: Learning, margin: float) -> str:
    """What all folds together say of training, then what single ones do; no more than the intervals allow."""
    curve, overall = learning.curve, learning.overall
    needed = strings.NEEDED_OF_BOTH(interval.MIN_GROUPS)
    said = strings.LEARNING_OVERALL[overall.code].format(
        algorithm=learning.algorithm,
        by_how_much=by_how_much(overall),
        margin=margin,
        needed=needed,
    )
    if overall.code == interval.TOO_FEW or len(curve.points) == 1:
        return said
    if curve.pays_from is not None:
        before = [point for point in curve.points if point.training_reviews < curve.pays_from]
        if not before:
            form = strings.LEARNING_PAYS_FIRST
        else:
            form = strings.LEARNING_PAYS_FROM if before[-1].difference.ends else strings.LEARNING_PAYS_AT_LATEST
        return paragraph(said, form.format(learned_from=_learned_from(curve.pays_from), needed=needed))
    last = curve.points[-1]
    of_last = strings.LEARNING_LAST[interval.judge(last.difference, margin)].format(
        learned_from=_learned_from(last.training_reviews)
    )
    helped = sum(point.difference.side() == -1 for point in curve.points)
    return paragraph(said, of_last, strings.LEARNING_HELPED(helped, all=len(curve.points)) if helped else "")


def _learned_from(reviews: int) -> str:
    return strings.LEARNED_FROM(about(reviews))


def evidence_table(report: Report) -> Table:
    """Some of the days, the deciding one and the last among them; without rows where nothing was compared."""
    stability = report.section("stability")
    evidence = None if stability is None else stability.evidence
    if evidence is None:
        return Table(title=strings.EVIDENCE_CHART, columns=(), rows=(), sentence=strings.SENSITIVITY_NONE)
    pair = {"algorithm": evidence.algorithm, "baseline": evidence.baseline}
    return Table(
        title=strings.CHART_TITLE.format(graph=strings.EVIDENCE_CHART, algorithms=all_of(list(pair.values()))),
        columns=(
            Column(strings.EVIDENCE_DATE, strings.EVIDENCE_DATE_TIP, number=False),
            Column(strings.CHART_COUNTS, strings.COUNTS_TIP),
            Column(strings.EVIDENCE_MEAN, strings.EVIDENCE_MEAN_TIP.format(**pair)),
            Column(strings.FROM_COLUMN, strings.FROM_TIP),
            Column(strings.TO_COLUMN, strings.TO_TIP),
        ),
        rows=tuple(
            (point.date, whole(point.reviews), *map(signed, in_cells(point.difference))) for point in _some(evidence)
        ),
        sentence=evidence_sentence(evidence, report.margin),
    )


def _some(evidence: EvidenceOverTime) -> List[EvidencePoint]:
    points = evidence.points
    last = len(points) - 1
    chosen = {round(last * k / (MOST_ROWS - 1)) for k in range(MOST_ROWS)}
    return [point for k, point in enumerate(points) if k in chosen or point == evidence.decided]


def evidence_sentence(evidence: EvidenceOverTime, margin: float) -> str:
    """Since when the evidence has been enough, and how to read the line and the band, where there is one."""
    if evidence.points[-1].difference.ends is None:
        return _evidence_finding(evidence, margin)
    often = round(1 / (1 - evidence.confidence))
    return paragraph(_evidence_finding(evidence, margin), strings.EVIDENCE_READ.format(often=often))


def _evidence_finding(evidence: EvidenceOverTime, margin: float) -> str:
    last, decided = evidence.points[-1].difference, evidence.decided
    pair = (evidence.algorithm, evidence.baseline)
    if last.ends is None:
        return strings.EVIDENCE_TOO_FEW.format(algorithm=pair[0], needed=strings.NEEDED_OF_BOTH(interval.MIN_GROUPS))
    if decided is None:
        found = [strings.EVIDENCE_UNDECIDED.format(algorithm=pair[0], baseline=pair[1])]
    else:
        side = decided.difference.side()
        winner, loser = pair if side == -1 else pair[::-1]
        found = [strings.EVIDENCE_DECIDED.format(date=decided.date, winner=winner, loser=loser)]
        found.append(strings.EVIDENCE_THEN(decided.reviews))
        if last.side() == 0:
            found.append(strings.EVIDENCE_FADED)
        elif last.side() != side:
            found.append(strings.EVIDENCE_TURNED)
    if interval.judge(last, margin) == interval.EQUIVALENT:
        found.append(strings.EVIDENCE_ALIKE.format(margin=margin))
    return paragraph(*found)
