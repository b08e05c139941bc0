from __future__ import annotations

from dataclasses import replace
from math import ceil, log
from types import SimpleNamespace
from typing import Any, Optional

import numpy as np
import pytest
from catalog_helpers import W4_5

from evaluator.findings import accuracy, make_findings
from evaluator.findings.accuracy import classify_recall, furthest_off, near_reviews, own_row
from evaluator.findings.thresholds import (
    FAR_FROM_DESIRED,
    MAX_RIGHT,
    MIN_CERTAIN,
    MIN_ELSEWHERE,
    MIN_FOR_VERDICT,
    MIN_OF_DOT,
    MIN_OFF,
    MIN_SLIGHT,
    MOSTLY_NEAR,
    MUCH_DELETED,
    NEAR,
    NEAR_BRACKET,
)
from evaluator.interval import ConfidenceInterval
from evaluator.metrics.calibration_bins import calibration
from evaluator.progress import SILENT
from evaluator.report import ADJUSTED, NOTHING_TESTED, OFF, OPEN, OWN, PUBLISHED, RIGHT, Recall
from evaluator.sections.graphs_section import compute as compute_graphs
from evaluator.statistics.paired import Clusters, realized_difference

from .made_people import (
    ALL,
    OWN_PARAMETERS,
    SCORED,
    TRAINING,
    A,
    B,
    C,
    changed_before_last,
    evaluation_of,
    even_outcomes,
    evidence_of,
    outcomes,
    shuffled_labels,
)

B_OF_FSRS_7 = replace(B, fsrs_version=7)
EVERY_REVIEW = np.ones(SCORED, dtype=bool)
#: A step across a threshold.
E = 1e-6
#: A distance that shows with one decimal of a percent, and one that does not.
SHOWN = 0.0006
HIDDEN = 0.0004
#: A gap, the ends of its interval, and the state and code that they give.
STATES = [
    (MIN_OFF, MIN_CERTAIN + E, 1, OFF, "{}"),
    (MIN_OFF, MIN_CERTAIN + E, MAX_RIGHT - E, OFF, "{}"),
    (MIN_OFF - E, MIN_CERTAIN + E, MAX_RIGHT + E, OPEN, "a_bit_{}"),
    (MIN_OFF, MIN_CERTAIN - SHOWN, MAX_RIGHT + E, OPEN, "probably_{}"),
    (MIN_OFF, SHOWN, MAX_RIGHT + E, OPEN, "probably_{}"),
    (MIN_OFF, HIDDEN, MAX_RIGHT + E, OPEN, "too_early"),
    (MIN_OFF, MIN_CERTAIN - SHOWN, MAX_RIGHT - E, RIGHT, "slightly_{}"),
    (MIN_SLIGHT + E, SHOWN, MAX_RIGHT - E, RIGHT, "slightly_{}"),
    (MIN_SLIGHT - E, SHOWN, MAX_RIGHT - E, RIGHT, "right"),
    (MIN_SLIGHT + E, HIDDEN, MAX_RIGHT - E, RIGHT, "right"),
    (MIN_SLIGHT, -MAX_RIGHT + E, MAX_RIGHT - E, RIGHT, "right"),
    (MIN_SLIGHT, -MAX_RIGHT - E, MAX_RIGHT - E, OPEN, "too_early"),
]


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize(("gap", "near_end", "far_end", "state", "code"), STATES)
def test_gap_and_interval_decide_state_and_code(gap, near_end, far_end, state, code, side):
    word = "cautious" if side > 0 else "optimistic"
    low, high = sorted(0.9 + side * end for end in (near_end, far_end))
    recall = Recall(1000, 0.9, ConfidenceInterval(0.9 + side * (gap + E / 2), low, high))
    assert classify_recall(recall) == (state, code.format(word))
    # Deleting forgotten cards makes the rest look better, so that neither "right" nor "cautious" is certain.
    is_doubtful = state == RIGHT or (code != "too_early" and side > 0)
    expected = (OPEN, "much_deleted") if is_doubtful else (state, code.format(word))
    assert classify_recall(recall, may_be_inflated=True) == expected


def test_gap_without_interval_is_too_early():
    for recall in (NOTHING_TESTED, Recall(9, 0.9, ConfidenceInterval(0.5, reason="too_few"))):
        assert classify_recall(recall) == classify_recall(recall, may_be_inflated=True) == (OPEN, "too_early")


@pytest.mark.parametrize("desired", [0.7, 0.9, 0.97])
def test_near_reviews_are_tested_if_they_suffice_for_a_bracket_or_are_most(desired):
    def near_count(near, far):
        """Return how many reviews are tested of ``near`` ones and ``far`` + 1 others, or None if all are."""
        logits = log(desired / (1 - desired)) + NEAR * np.repeat([0.999, 1.001, -0.999, -1.001], [1, far, near - 1, 1])
        order = np.random.default_rng(near).permutation(len(logits))
        tested = near_reviews((1 / (1 + np.exp(-logits)))[order], np.full(len(logits), desired))
        if tested is None:
            return None
        np.testing.assert_array_equal(tested, (np.abs(logits - log(desired / (1 - desired))) <= NEAR)[order])
        return int(tested.sum())

    enough = ceil((1.96 / NEAR_BRACKET) ** 2 * desired * (1 - desired))
    assert [near_count(number, 5000) for number in (enough - 1, enough)] == [None, enough]
    # Fewer near reviews suffice if they are most of all.
    far = round(60 / MOSTLY_NEAR) - 60
    assert [near_count(number, far - 1) for number in (59, 60)] == [None, 60]
    # One preset among them desires another retention.
    assert near_reviews(np.full(100, desired), np.repeat([desired, 0.8], [99, 1])) is None


class TestSource:
    """One preset, whose row and whose optimized row both predict 90%."""

    @pytest.mark.parametrize(
        ("preset", "rows", "verdict", "tested"),
        [
            (A, {}, (RIGHT, "right", "default", OWN), SCORED),
            (replace(A, parameters=W4_5, changed=0), {}, (RIGHT, "right", "default", OWN), SCORED),
            (A, {OWN: None, PUBLISHED: 0.9}, (RIGHT, "right", "default", PUBLISHED), SCORED),
            (A, {OWN: 0.93}, (OFF, "optimistic", "default", OWN), SCORED),
            (changed_before_last(1000), {}, (RIGHT, "right", "unseen", OWN), 1000),
            (changed_before_last(301), {OWN: 0.95}, (OFF, "optimistic", "unseen", OWN), 301),
            # Eight days are needed for an interval. Each day has 25 reviews.
            (changed_before_last(176), {}, (OPEN, "too_early", "unseen", OWN), 176),
            (changed_before_last(175), {}, (OPEN, "too_new", None, "FSRS-6"), 0),
            (changed_before_last(0), {}, (OPEN, "too_new", None, "FSRS-6"), 0),
            (changed_before_last(0), {"FSRS-6": None}, (OPEN, "too_new", None, None), 0),
            (replace(A, parameters=OWN_PARAMETERS), {}, (OPEN, "untested", None, "FSRS-6"), 0),
            (changed_before_last(1000), {OWN: None}, (OPEN, "untested", None, "FSRS-6"), 0),
            # The row of today's parameters does not stand for those of an older version.
            (replace(A, parameters=W4_5), {OWN: None, PUBLISHED: 0.9}, (OPEN, "untested", None, "FSRS-6"), 0),
        ],
    )
    def test_published_parameters_are_tested_on_all_reviews_and_others_on_those_since(
        self, preset, rows, verdict, tested
    ):
        evidence = evidence_of(preset, predicted=rows)
        (finding,) = make_findings(evidence, ())
        assert (finding.state, finding.code, finding.source, finding.algorithm) == verdict
        state, _code, source, row = verdict
        assert finding.reviews == SCORED
        assert tested in (0, finding.testable)
        said = rows.get(row or "", 0.9)
        assert finding.recall == (recall_of(evidence, row, tested, said) if tested else NOTHING_TESTED)
        has_retrained = state == OPEN and "FSRS-6" in evidence.fitted
        assert finding.retrained == (recall_of(evidence, "FSRS-6", SCORED) if has_retrained else None)
        assert finding.optimized == (recall_of(evidence, "FSRS-6", tested, said) if state == OFF else None)
        rivalry = finding.against_sm2
        names = rivalry and (rivalry.comparison.algorithm, rivalry.comparison.baseline, rivalry.reviews)
        assert names == ((row, ADJUSTED, tested) if tested else None)
        groups = calibration(np.full(tested, said), evidence.scoring.recalled[-tested:]) if source == "unseen" else ()
        assert finding.calibration == groups

    @pytest.mark.parametrize(("share", "is_far"), [(0.9 - FAR_FROM_DESIRED - 0.002, True), (0.852, False)])
    def test_retrained_recall_may_be_far_from_the_desired_retention(self, share, is_far):
        (finding,) = make_findings(evidence_of(changed_before_last(0), recalled=even_outcomes(ALL, share)), ())
        assert finding.far_from_desired is is_far

    def test_several_versions_leave_the_whole_open(self):
        preset_id = shuffled_labels({1: 700, 2: 550})
        whole, *presets = make_findings(evidence_of(A, B_OF_FSRS_7, preset_id=preset_id), ())
        assert (whole.state, whole.code, whole.recall) == (OPEN, "versions", NOTHING_TESTED)
        assert [(item.source, item.algorithm) for item in presets] == [("default", OWN)] * 2

    def test_several_presets_without_cards_leave_the_whole_open(self):
        (whole,) = make_findings(evidence_of(A, B, preset_id=shuffled_labels({1: 700, 2: 550}), deleted=range(ALL)), ())
        assert (whole.state, whole.code, whole.source, whole.algorithm) == (OPEN, "deleted", None, "FSRS-6")
        assert whole.deleted == 0

    @pytest.mark.parametrize(
        ("presets", "row"),
        [((A,), PUBLISHED), ((B_OF_FSRS_7,) * 2, "FSRS-7 default"), ((A, B_OF_FSRS_7), None), ((), None)],
    )
    def test_published_row_is_that_of_the_only_version(self, presets, row):
        assert own_row(presets, {PUBLISHED, "FSRS-7 default"}) == row

    @pytest.mark.parametrize(
        ("fsrs", "options"), [(False, {}), (None, {}), (True, {"same_day": False}), (True, {"table": "same-day"})]
    )
    def test_no_findings_without_fsrs(self, fsrs, options):
        evidence = evidence_of(A, fsrs=fsrs)
        assert make_findings(replace(evidence, options=replace(evidence.options, **options)), ()) == ()


def recall_of(evidence: Any, row: Optional[str], last: int, said: float = 0.9) -> Recall:
    """Return what the row said of the last reviews, near the desired retention if the tested row said so."""
    indices = np.arange(SCORED - last, SCORED)
    predicted = evidence.fitted[row].predicted[indices]
    mean = 0.9 if said == 0.9 else float(predicted.mean())
    return Recall(last, mean, gap_of(evidence, predicted, indices).shift_by(mean), near=said == 0.9)


def gap_of(evidence: Any, predicted: Any, indices: Any, n_intervals: int = 1) -> ConfidenceInterval:
    """Return the gap with its interval. Chance alone is its least variance, and no lapse is needed."""
    reviews = evidence.tested.take(indices)
    chance = float((predicted * (1 - predicted)).sum()) / len(indices) ** 2
    clusters = Clusters.of(reviews.card_id, reviews.day)
    return realized_difference(reviews.recalled - predicted, clusters, n_intervals=n_intervals, min_variance=chance)


def test_interval_of_presets_holds_for_all_with_enough_reviews():
    """Preset C is too small for a verdict, and does not count. Decks and the whole count alone."""
    label = shuffled_labels({1: SCORED - 2 * MIN_FOR_VERDICT + 1, 2: MIN_FOR_VERDICT, 3: MIN_FOR_VERDICT - 1})
    shares = {1: 0.9, 2: 0.9 - 0.045, 3: 0.97}
    evidence = evidence_of(A, B, C, preset_id=label, recalled=outcomes(label, shares))
    findings = make_findings(evidence, ())
    assert [item.name for item in findings] == ["", "A", "B", "C"]
    for finding, n_intervals in zip(findings, (1, 2, 2, 2), strict=True):
        members = np.arange(SCORED) if finding.label is None else np.flatnonzero(label[TRAINING:] == finding.label)
        expected = gap_of(evidence, np.full(len(members), 0.9), members, n_intervals).shift_by(0.9)
        assert finding.recall == Recall(len(members), 0.9, expected, near=True)
    assert [(item.state, item.code) for item in findings[1:]] == [
        (RIGHT, "right"),
        (OPEN, "too_early"),
        (None, "too_few"),
    ]


@pytest.mark.parametrize("is_much", [True, False])
def test_many_deleted_cards_leave_presets_open(is_much):
    n_deleted = ceil(MUCH_DELETED * SCORED)
    if not is_much:
        n_deleted -= 1
    deleted = np.random.default_rng(1).choice(np.arange(TRAINING, ALL), n_deleted, replace=False)
    label = shuffled_labels({1: 950, 2: 300})
    findings = make_findings(
        evidence_of(A, B, preset_id=label, recalled=outcomes(label, {1: 0.907, 2: 0.84}), deleted=deleted), ()
    )
    assert [item.deleted for item in findings] == [n_deleted * is_much] * 3
    assert [item.code for item in findings] == ["right", "much_deleted" if is_much else "right", "optimistic"]
    # If there is one preset, they count as its cards.
    (finding,) = make_findings(evidence_of(A, deleted=deleted), ())
    assert (finding.code, finding.deleted, finding.reviews) == ("right", 0, SCORED)


def test_calibration_graph_is_on_the_tested_reviews_and_on_all_to_be_compared():
    evidence = evidence_of(changed_before_last(1000))
    report = evaluation_of(evidence).report
    graphs = compute_graphs(evidence, SILENT, replace(report, findings=make_findings(evidence, ())), OWN)
    others = compute_graphs(evidence, SILENT, replace(report, findings=()), OWN)
    assert sum(item.reviews for item in graphs.slice_graph("calibration").slices) == 1000
    assert (graphs.on_all, others.on_all) == (others.slice_graph("calibration"), None)


class TestElsewhere:
    @staticmethod
    def evidence(gap: float, size: int) -> Any:
        """Return evidence, and what it predicts for each scored review, in percent.

        60% is predicted for some reviews, 75% for as many, and otherwise 90%. The share remembered is lower by ``gap``
        at 60%, by less at 75%, and slightly higher at 90%.
        """
        label = shuffled_labels({90: SCORED - 2 * size, 60: size, 75: size})
        recalled = outcomes(label, {90: 0.91, 60: 0.6 - gap, 75: 0.75 - gap / 2})
        return evidence_of(A, recalled=recalled, predicted={OWN: label[TRAINING:] / 100}), label[TRAINING:]

    def test_furthest_filled_dot_of_the_calibration_graph_is_named(self):
        evidence, label = self.evidence(0.25, MIN_OF_DOT)
        (finding,) = make_findings(evidence, ())
        assert (finding.state, finding.recall.reviews) == (RIGHT, (label == 90).sum())
        members = np.flatnonzero(label == 60)
        # The graph has three dots.
        gap = gap_of(evidence, np.full(MIN_OF_DOT, 0.6), members, 3)
        said = float(np.full(MIN_OF_DOT, 0.6).mean())
        assert finding.elsewhere == Recall(MIN_OF_DOT, said, gap.shift_by(said))
        graphs = compute_graphs(evidence, SILENT, evaluation_of(evidence).report, OWN)
        dots = [dot for dot in graphs.slice_graph("calibration").slices if dot.is_off]
        worst = max(dots, key=lambda dot: abs(dot.difference))
        assert worst.reviews == MIN_OF_DOT
        assert worst.recalled == pytest.approx(finding.elsewhere.remembered.value)

    # A gap of 0.11 may be chance in so few reviews.
    @pytest.mark.parametrize(("gap", "size"), [(0.25, MIN_OF_DOT - 1), (0.11, MIN_OF_DOT)])
    def test_dot_of_few_reviews_or_within_chance_is_not_named(self, gap, size):
        evidence, _label = self.evidence(gap, size)
        assert furthest_off(evidence, OWN, EVERY_REVIEW, None) is None

    @pytest.mark.parametrize(("low", "is_named"), [(MIN_CERTAIN - 0.001, False), (MIN_CERTAIN + 0.001, True)])
    def test_dot_is_named_if_it_is_off_for_certain(self, low, is_named, monkeypatch):
        evidence, _label = self.evidence(0.25, MIN_OF_DOT)
        monkeypatch.setattr(accuracy, "_gap", lambda *_: ConfidenceInterval(0.25, low, 0.3))
        assert (furthest_off(evidence, OWN, EVERY_REVIEW, None) is not None) is is_named

    @pytest.mark.parametrize(("gap", "is_named"), [(MIN_ELSEWHERE + 0.001, True), (MIN_ELSEWHERE - 0.001, False)])
    def test_dot_is_named_if_it_is_far_off(self, gap, is_named):
        """All of 1,250 predictions are 98%, so that chance explains less than 2 points."""
        evidence = evidence_of(A, recalled=even_outcomes(ALL, 0.98 - gap), predicted={OWN: 0.98})
        assert (furthest_off(evidence, OWN, EVERY_REVIEW, None) is not None) is is_named
        assert furthest_off(evidence, OWN, EVERY_REVIEW, 0.98) is None


def test_brackets_hold_the_truth_and_perfect_forecasters_are_hardly_ever_off():
    """Recall varies from review to review, and drifts. The truth is its mean, which the forecaster knows."""
    random = np.random.default_rng(5)
    recalls = []
    template = evidence_of(A)
    for number in range(300):
        center = random.choice([1.4, 2.2, 3.5])
        drift = 0.5 * np.sin(np.arange(SCORED) / 100 + number)
        predicted = 1 / (1 + np.exp(-random.normal(center, 0.7, SCORED) - drift))
        recalled = (random.random(SCORED) < predicted).astype(np.int64)
        scoring = SimpleNamespace(recalled=recalled, clusters=template.scoring.clusters)
        evidence = SimpleNamespace(scoring=scoring, fitted={"x": SimpleNamespace(predicted=predicted)})
        tested = accuracy.TestedReviews.of(evidence, "x", EVERY_REVIEW, np.full(SCORED, 0.9))
        recalls.append(tested.recall(evidence, "x"))
    held = [recall.certain_gap == 0 for recall in recalls]
    states = [classify_recall(recall)[0] for recall in recalls]
    assert np.mean(held) >= 0.93
    assert states.count(OFF) <= 0.02 * len(states)
    assert states.count(RIGHT) > 0.7 * len(states)
