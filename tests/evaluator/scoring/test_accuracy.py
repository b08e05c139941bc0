from __future__ import annotations

import functools
from dataclasses import replace
from statistics import NormalDist
from types import SimpleNamespace
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.algorithms import CATALOG
from evaluator.data.revlog import Cards, Deck, Snapshot
from evaluator.evaluation import evaluate, prepare
from evaluator.fitting.fit import Fitted
from evaluator.interval import TOO_FEW, ConfidenceInterval
from evaluator.metrics.calibration import calibration
from evaluator.metrics.scores import Floats, logit
from evaluator.options import Options
from evaluator.report import Accuracy, Comparison, Failure, RecallNear, Rivalry
from evaluator.report.accuracy import DEFAULT, OFF, OPEN, RETRAINED, RIGHT, SEEN, UNSEEN
from evaluator.scope import SAME_DAY_TABLE
from evaluator.scoring import accuracy as scoring
from evaluator.scoring.accuracy import desired_retentions, most_used_retention, recall_near
from evaluator.scoring.evidence import Evidence
from evaluator.scoring.report_builder import ReportBuilder
from evaluator.scoring.review_groups import presets_in_use
from evaluator.statistics.paired import Clusters, comparison, realized_difference, skewness_corrected_t
from tools.simulate import Learner, simulate

from .test_scheduler_in_use import FORGETFUL, PUBLISHED, at, person, snapshot

ROWS = ("Anki-SM-2", "FSRS-6 default", "FSRS-6", "Your parameters", "Anki-SM-2 calibrated")
LATE, EARLY = at(0.99), at(0.3)


class TestState:
    """The state of predictions that are all 90%."""

    @staticmethod
    def compute(
        remembered: int, reviews: int, *, cards: int = 0, days: int = 40, several: int = 1
    ) -> Tuple[RecallNear, str]:
        """Return the recall and state of reviews whose lapses are spread evenly over them.

        Each review is of another card, unless a number of cards is given.
        """
        recalled = np.diff(np.arange(reviews + 1) * remembered // reviews)
        number = np.arange(reviews)
        clusters = Clusters.of(number % (cards or reviews), number * days // reviews, recalled)
        return recall_near(np.full(reviews, 0.9), recalled, clusters, 0.9, several)

    @pytest.mark.parametrize(("remembered", "state"), [(17_599, OFF), (17_601, RIGHT), (18_399, RIGHT), (18_401, OFF)])
    def test_off_is_2_points_or_more(self, remembered: int, state: str) -> None:
        assert self.compute(remembered, 20_000)[1] == state

    @pytest.mark.parametrize("several", [1, 3])
    def test_off_excludes_0_at_97_5_percent_of_all_presets_together(self, several: int) -> None:
        """Compare each number of remembered reviews, of 400, with a hand calculation."""
        z, states = NormalDist().inv_cdf(1 - 0.0125 / several), []
        for remembered in range(310, 400):
            share = remembered / 400
            error = (share * (1 - share) / 400) ** 0.5
            k = (1 - 2 * share) / (400 * error)
            # Chance alone gives a standard error of sqrt(0.9 * 0.1 / 400) = 0.015.
            k, error = k * (error / max(error, 0.015)) ** 3, max(error, 0.015)
            side = np.sign(share - 0.9)
            is_off = abs(share - 0.9) > max(z, skewness_corrected_t(z, side * k)) * error
            near, state = self.compute(remembered, 400, several=several)
            assert (state == OFF) == is_off, remembered
            # The interval shown is at 95%.
            if is_off:
                low, high = (max(1.959964, skewness_corrected_t(1.959964, sign * k)) * error for sign in (1, -1))
                assert near.recalled.low_high == pytest.approx((share - low, share + high))
            states.append(state)
        assert {OFF, OPEN} <= set(states)

    def test_right_is_within_3_points(self) -> None:
        states = []
        for reviews in range(200, 1200, 10):
            near, state = self.compute(reviews * 9 // 10, reviews)
            low, high = near.recalled.low_high or (0.0, 1.0)
            assert state == (RIGHT if low >= 0.87 and high <= 0.93 else OPEN), reviews
            states.append(state)
        assert set(states) == {RIGHT, OPEN}

    @pytest.mark.parametrize(
        ("remembered", "reviews", "cards", "days", "state"),
        [
            (5, 20, 20, 8, OFF),
            (5, 20, 19, 8, OPEN),
            (5, 20, 20, 7, OPEN),
            (60, 60, 60, 8, OFF),
            # If recall is 90%, 12% of people remember 20 of 20.
            (20, 20, 20, 8, OPEN),
        ],
    )
    def test_20_cards_and_8_days_suffice_and_lapses_are_not_needed(
        self, remembered: int, reviews: int, cards: int, days: int, state: str
    ) -> None:
        near, result = self.compute(remembered, reviews, cards=cards, days=days)
        assert result == state
        assert near.recalled.reason == (TOO_FEW if cards < 20 or days < 8 else None)
        assert (near.reviews, near.recalled.estimate) == (reviews, pytest.approx(remembered / reviews))

    def test_right_accounts_for_chance(self) -> None:
        """Two of three people with 99% recall remember all of 40 reviews, as do one of eight with 95% recall."""
        number = np.arange(40)
        clusters = Clusters.of(number, number // 4)
        assert recall_near(np.full(40, 0.99), np.ones(40, int), clusters, 0.99)[1] == OPEN

    @pytest.mark.parametrize(("later", "state"), [(0.72, OFF), (0.8, OPEN)])
    def test_predictions_that_drift_are_off_or_open(self, later: float, state: str) -> None:
        """All of the first half is remembered, and a constant share of the second half."""
        recalled = np.concatenate([np.ones(4000, int), np.diff(np.arange(4001) * round(4000 * later) // 4000)])
        number = np.arange(8000)
        near, result = recall_near(np.full(8000, 0.9), recalled, Clusters.of(number, number // 200), 0.9)
        assert result == state
        assert near.recalled.compare_with(0.9) == (-1 if state == OFF else 0)
        assert near.gap == pytest.approx(later / 2 - 0.4)

    @given(st.integers(0, 2**32 - 1), st.floats(0.7, 0.97))
    def test_nearby_predictions_are_within_a_quarter_of_a_logit(self, seed: int, desired: float) -> None:
        random = np.random.default_rng(seed)
        predicted, recalled = random.uniform(0.5, 1, 500), random.integers(0, 2, 500)
        near, _state = recall_near(predicted, recalled, Clusters.of(np.arange(500), np.arange(500)), desired)
        low, high = (1 / (1 + (1 - desired) / desired * np.exp(side * 0.25)) for side in (1, -1))
        inside = (predicted >= low) & (predicted <= high)
        assert near.reviews == inside.sum() > 0
        assert (near.predicted, near.recalled.estimate) == pytest.approx(
            (predicted[inside].mean(), recalled[inside].mean())
        )

    def test_recall_without_nearby_predictions_is_open(self) -> None:
        near, state = recall_near(np.array([0.5, 0.6]), np.array([1, 0]), Clusters.of(np.arange(2), np.arange(2)), 0.9)
        assert (state, near) == (OPEN, RecallNear(0, None, ConfidenceInterval(None, reason="no_reviews")))
        assert near.gap == 0


@functools.cache
def trained() -> Any:
    """Return the predictions of FSRS-6 for the user's scored reviews, retrained before each fold."""
    return evaluate(person(), Options(("FSRS-6", "AVG"))).predictions.predicted["FSRS-6"]


def shifted(logits: Any) -> Any:
    """Return the predictions of FSRS-6 moved by these logits."""
    return 1 / (1 + np.exp(-logit(trained()) - logits))


@functools.cache
def review_and_card() -> Tuple[Any, Any]:
    """Return the time in seconds and the card of each scored review."""
    reviews = prepare(person(), Options())[0].reviews
    return reviews.review_id[-len(trained()) :] // 1000, reviews.card_id[-len(trained()) :]


def shifted_from(instant: int, logits_before: float, logits_after: float) -> Any:
    """Return the predictions of FSRS-6 moved by other logits after an instant than before it."""
    return shifted(np.where(review_and_card()[0] > instant, logits_after, logits_before))


def evaluations(
    collection: Snapshot, names: Sequence[str] = ROWS, failed: Sequence[str] = (), **predicted: Any
) -> List[Any]:
    """Return the evaluation after each row.

    Args:
        collection: the user's collection.
        names: the rows in the order of their evaluation.
        failed: rows that fail.
        **predicted: other predictions than those of FSRS-6, by names with underscores.
    """
    data, funnel = prepare(collection, Options())
    evidence = Evidence.of(collection, Options(tuple(names)), data)
    evidence = replace(evidence, optimize=lambda _rows, current: current or PUBLISHED)
    builder = ReportBuilder(evidence, funnel, names, {})
    result = []
    for name in names:
        key = name.replace("-", "_").replace(" ", "_")
        if name in failed:
            builder.fail(CATALOG[name], Failure("arithmetic", {"detail": ""}))
        else:
            default = shifted(1.0) if "SM" in name else trained()
            row = Fitted.without_parameters(predicted.get(key, default[-len(evidence.tested) :]), 5)
            builder.add(CATALOG[name], replace(row, in_sample=name == "Your parameters"))
        result.append(builder.evaluation())
    return result


def headline(*args: Any, **options: Any) -> Any:
    return evaluations(*args, **options)[-1].report.headline


def accuracy(*args: Any, **options: Any) -> Any:
    return headline(*args, **options).accuracy


def fsrs_on(
    *parameters: Sequence[float],
    changed: Optional[int] = None,
    desired: Sequence[float] = (),
    versions: Sequence[int] = (),
) -> Snapshot:
    """Return the user's collection with FSRS on, and presets of these parameters, retentions and versions."""
    collection = snapshot(True, *parameters, changed=changed)
    presets = list(collection.presets or ())
    for k, value in enumerate(desired):
        presets[k] = replace(presets[k], desired_retention=value)
    for k, version in enumerate(versions):
        presets[k] = replace(presets[k], fsrs_version=version, parameters=() if version == 7 else presets[k].parameters)
    return replace(collection, presets=tuple(presets))


def without_cards(collection: Snapshot, keep: Sequence[int]) -> Snapshot:
    """Return the collection with every tenth card of the presets with these ids, and without all other cards."""
    cards = collection.cards
    assert cards is not None
    assert cards.preset_id is not None
    kept = np.isin(cards.preset_id, keep) & (np.arange(len(cards.card_id)) // 3 % 10 == 0)
    return replace(collection, cards=Cards(cards.card_id[kept], cards.deck_id[kept], cards.preset_id[kept]))


class TestSource:
    @pytest.mark.parametrize(
        ("parameters", "changed", "gaps", "retrained", "state", "source"),
        [
            ((), LATE, (0.0, 0.0), 0.0, RIGHT, DEFAULT),
            (PUBLISHED, None, (0.5, 0.5), 0.0, OFF, DEFAULT),
            (FORGETFUL, EARLY, (0.0, 0.0), 0.0, RIGHT, UNSEEN),
            (FORGETFUL, EARLY, (0.5, 0.0), 0.0, RIGHT, UNSEEN),
            (FORGETFUL, EARLY, (0.0, 0.5), 0.0, OFF, UNSEEN),
            (FORGETFUL, LATE, (0.5, 0.5), 0.0, OFF, SEEN),
            (FORGETFUL, LATE, (0.0, 0.0), 0.0, RIGHT, RETRAINED),
            (FORGETFUL, LATE, (0.0, 0.0), 0.5, OPEN, None),
            (FORGETFUL, LATE, (0.0, 0.0), None, OPEN, None),
            (FORGETFUL, None, (0.5, 0.5), 0.0, OFF, SEEN),
            (FORGETFUL, None, (0.0, 0.0), 0.0, RIGHT, RETRAINED),
        ],
    )
    def test_first_source_that_is_not_open_decides(
        self, parameters: Any, changed: Any, gaps: Tuple[float, float], retrained: Any, state: str, source: Any
    ) -> None:
        user_predictions = shifted_from(EARLY, *gaps)
        failed, retrained = (("FSRS-6",), trained()) if retrained is None else ((), shifted(retrained))
        result = accuracy(
            fsrs_on(parameters, changed=changed), failed=failed, Your_parameters=user_predictions, FSRS_6=retrained
        )
        assert (result.state, result.source, result.near) == (state, source, True)
        tested_row = "FSRS-6" if source == RETRAINED or (source is None and not failed) else "Your parameters"
        assert result.algorithm == tested_row
        assert (result.optimized is None) is (state != OFF)
        assert (result.recall.reviews == 0) == (source is None)
        if source is not None:
            predicted = user_predictions if tested_row == "Your parameters" else trained()
            unseen = source != UNSEEN or review_and_card()[0] > EARLY
            inside = unseen & (np.abs(logit(predicted) - np.log(9)) <= 0.25)
            assert result.recall.reviews == inside.sum() > 0
        # Deleted cards count with the only preset.
        assert result.reviews == len(trained()) > in_presets().sum()

    def test_unknown_date_of_one_preset_skips_unseen_reviews_of_all(self) -> None:
        collection = fsrs_on(FORGETFUL, FORGETFUL, changed=EARLY)
        first, second = collection.presets or ()
        assert accuracy(collection).source == UNSEEN
        assert accuracy(replace(collection, presets=(first, replace(second, changed=None)))).source == RETRAINED

    def test_open_state_shows_the_unseen_reviews(self) -> None:
        user_predictions = shifted_from(at(0.93), 0.0, 0.15)
        result = accuracy(fsrs_on(FORGETFUL, changed=at(0.93)), FSRS_6=shifted(0.5), Your_parameters=user_predictions)
        assert (result.state, result.source, result.algorithm, result.near) == (OPEN, UNSEEN, "Your parameters", True)
        assert result.recall.recalled.low_high is not None
        assert result.changed_after_reviews is False

    @pytest.mark.parametrize(("share", "expected"), [(0.985, False), (1.0, True)])
    def test_change_after_the_last_scored_review_is_noted(self, share: float, expected: bool) -> None:
        for state in (RIGHT, OPEN):
            result = accuracy(fsrs_on(FORGETFUL, changed=at(share) + 1), FSRS_6=shifted(0.5 * (state == OPEN)))
            assert (result.state, result.changed_after_reviews) == (state, expected)

    @pytest.mark.parametrize(
        ("versions", "parameters", "failed", "row", "source"),
        [
            ((6, 6), FORGETFUL, (), "Your parameters", SEEN),
            ((6, 6), FORGETFUL, ("Your parameters",), "FSRS-6", RETRAINED),
            ((6, 7), FORGETFUL, (), "FSRS-6", RETRAINED),
            ((6, 6), (), ("Your parameters",), "FSRS-6 default", DEFAULT),
            ((7, 7), (), (), "Your parameters", DEFAULT),
            ((7, 7), (), ("Your parameters",), "FSRS-7", RETRAINED),
            ((6, 6), (1.0,) * 35, ("Your parameters",), "FSRS-6", RETRAINED),
        ],
    )
    def test_versions_and_failures_choose_the_row(
        self, versions: Sequence[int], parameters: Sequence[float], failed: Sequence[str], row: str, source: str
    ) -> None:
        collection = fsrs_on(parameters, parameters, versions=versions, changed=LATE)
        result = accuracy(collection, (*ROWS, "FSRS-7"), failed, Your_parameters=shifted(0.5))
        assert (result.algorithm, result.source) == (row, source)

    def test_headline_waits_for_its_rows(self) -> None:
        names = ("AVG", "FSRS-6", "Your parameters", "Anki-SM-2", "Anki-SM-2 calibrated", "SM-2")
        has_headline = [
            item.report.headline is not None for item in evaluations(fsrs_on(FORGETFUL, changed=LATE), names)
        ]
        assert has_headline == [False, False, False, False, True, True]

    @pytest.mark.parametrize("fsrs", [False, None])
    def test_accuracy_is_unknown_without_fsrs(self, fsrs: Optional[bool]) -> None:
        result = headline(snapshot(fsrs, FORGETFUL))
        assert result.accuracy is None
        pairs = [(r.comparison.algorithm, r.comparison.baseline) for r in (result.against_adjusted, result.against_sm2)]
        assert pairs == [("FSRS-6", "Anki-SM-2 calibrated"), ("FSRS-6", "Anki-SM-2")]

    def test_same_day_table_has_no_accuracy(self) -> None:
        collection = replace(simulate(Learner(days=40)).snapshot, fsrs=True)
        report = evaluate(collection, Options(("FSRS-6 default", "SM-2"), table=SAME_DAY_TABLE)).report
        assert report.headline.accuracy is None
        assert report.headline.against_sm2.comparison.chance is None


@functools.cache
def in_presets() -> Any:
    """Return which scored reviews are of cards that have a preset."""
    return np.isin(review_and_card()[1], person().cards.card_id)  # type: ignore[union-attr]


class TestTestedReviews:
    def test_reviews_near_the_desired_retention_are_tested_before_all(self) -> None:
        """Near 99% there are too few predictions. Near 90% they are right, although all others are off."""
        for gap, state in ((0.0, RIGHT), (0.5, OFF)):
            result = accuracy(fsrs_on((), desired=[0.99]), Your_parameters=shifted(gap))
            assert (result.state, result.near, result.desired_retention) == (state, False, 0.99)
            assert result.recall.reviews == len(trained())
        near = np.abs(logit(trained()) - np.log(9)) <= 0.25
        result = accuracy(fsrs_on(()), Your_parameters=np.where(near, trained(), 0.99))
        assert (result.state, result.near) == (RIGHT, True)

    @pytest.mark.parametrize(("optimized", "closer"), [(0.0, True), (0.5, False), (0.45, False), (0.3, True)])
    def test_optimized_parameters_are_closer_by_a_point(self, optimized: float, closer: bool) -> None:
        result = accuracy(fsrs_on(FORGETFUL, changed=EARLY), Your_parameters=shifted(0.5), FSRS_6=shifted(optimized))
        assert (result.state, result.source, result.closer) == (OFF, UNSEEN, closer)
        assert (abs(result.recall.gap) - abs(result.optimized.gap) >= 0.01) is closer
        assert (result.optimized == result.recall) is (optimized == 0.5)

    @pytest.mark.parametrize(
        ("gap", "reviews", "given"), [(0.0509, 50_000, True), (0.0491, 50_000, False), (0.06, 1000, False)]
    )
    def test_worst_level_is_off_by_5_points_and_more_than_chance(self, gap: float, reviews: int, given: bool) -> None:
        """Recall at the third of ten equal levels is less than its 65% by ``gap``, and at the fifth by half of it."""
        size = reviews // 10
        shares = 0.55 + 0.05 * np.arange(10)
        predicted = np.tile(shares, size)
        shortfall = np.zeros(10)
        shortfall[[2, 4]] = gap, gap / 2
        remembered = np.round((shares - shortfall) * size).astype(int)
        recalled = np.array([np.diff(np.arange(size + 1) * k // size) for k in remembered]).T.ravel()
        number = np.arange(reviews)
        scoring_context = SimpleNamespace(recalled=recalled, clusters=Clusters.of(number, number * 60 // reviews))
        evidence: Any = SimpleNamespace(scoring=scoring_context, fitted={"x": SimpleNamespace(predicted=predicted)})
        level = scoring._worst_level(evidence, scoring._Source(DEFAULT, "x", np.ones(reviews, dtype=bool)))
        assert (level is not None) is given
        if level is not None:
            assert (level.reviews, level.predicted) == (size, pytest.approx(0.65))
            assert level.recalled.estimate == pytest.approx(0.65 - gap, abs=2e-4)

    def test_worst_level_is_given_only_if_right(self) -> None:
        lowest = trained() < np.quantile(trained(), 0.1)
        user_predictions = np.where(lowest, shifted(-1.0), trained())
        result = accuracy(fsrs_on(()), Your_parameters=user_predictions)
        assert result.state == RIGHT
        assert result.elsewhere.gap > 0.05
        assert (accuracy(fsrs_on(())).state, accuracy(fsrs_on(())).elsewhere) == (RIGHT, None)
        assert accuracy(fsrs_on(()), Your_parameters=np.where(lowest, user_predictions, shifted(0.5))).elsewhere is None


class TestDesiredRetention:
    @staticmethod
    def compute(collection: Snapshot) -> Tuple[float, Any]:
        """Return the most used desired retention, and that of each review."""
        desired = desired_retentions(evaluate(collection, Options(("AVG",), folds=2)).evidence)
        return most_used_retention(desired), desired

    def test_retention_with_the_most_reviews_is_tested(self) -> None:
        result = accuracy(fsrs_on((), (), (), desired=[0.9, 0.85, 0.85]))
        assert result.desired_retention == 0.85
        assert result.reviews == (in_presets() & (review_and_card()[1] % 3 != 0)).sum()
        assert result.recall.predicted == pytest.approx(0.85, abs=0.02)

    def test_retention_of_a_deck_replaces_that_of_its_preset(self) -> None:
        decks = (Deck(0, "None"), Deck(1, "Own", 0.95), Deck(2, "Own too", 0.95))
        most_used, desired = self.compute(replace(fsrs_on((), desired=[0.8]), decks=decks))
        assert most_used == 0.95
        assert 0 < (desired == 0.8).sum() < (desired == 0.95).sum()

    @pytest.mark.parametrize("stored", [None, 0.0, 1.0, 90])
    def test_missing_or_invalid_retention_is_ankis_default(self, stored: Any) -> None:
        assert self.compute(fsrs_on((), desired=[stored]))[0] == 0.9

    @pytest.mark.parametrize(
        ("presets", "kept", "known", "deleted"),
        [
            (1, [0], {0.8}, 0.8),
            (1, [], set(), 0.8),
            # All cards of the second preset, or of both, are deleted.
            (2, [0, 1], {0.8, 0.85}, None),
            (2, [0], {0.8}, 0.8),
            (2, [], set(), 0.9),
        ],
    )
    def test_deleted_cards_have_the_retention_of_the_only_preset(
        self, presets: int, kept: List[int], known: Any, deleted: Optional[float]
    ) -> None:
        collection = fsrs_on(*[()] * presets, desired=[0.8, 0.85][:presets])
        cards = without_cards(collection, keep=kept).cards
        _most_used, desired = self.compute(replace(collection, cards=cards))
        exists = np.isin(review_and_card()[1][-len(desired) :], cards.card_id)  # type: ignore[union-attr]
        assert set(desired[exists].tolist()) == known
        np.testing.assert_array_equal(desired[~exists], np.nan if deleted is None else deleted)
        assert self.compute(replace(collection, cards=None))[1].tolist() == [0.9] * len(desired)


class TestSuggestion:
    @staticmethod
    def compute(predicted: Any, desired: float, **changes: Any) -> Optional[float]:
        """Return the suggestion if the accuracy of these predictions is off, with ``changes`` to that accuracy."""
        evidence = evaluations(fsrs_on((), desired=[desired]), Your_parameters=predicted)[-1].evidence
        recalled = float(evidence.scoring.recalled[in_presets()].mean())
        near = RecallNear(9, desired, ConfidenceInterval(recalled, 0.0, 0.1))
        stated = Accuracy(OFF, DEFAULT, "Your parameters", desired, 9, True, near)
        return scoring.suggested_retention(evidence, presets_in_use(evidence)[0], replace(stated, **changes))

    @pytest.mark.parametrize("desired", [0.72, 0.8, 0.92, 0.98])
    def test_suggestion_halves_the_gap_within_70_and_99_percent(self, desired: float) -> None:
        recalled = float(trained()[in_presets()].mean())
        result = self.compute(np.full(len(trained()), desired), desired)
        expected = desired - (recalled - desired) / 2
        assert result == (pytest.approx(expected, abs=0.006) if 0.695 < expected < 0.995 else None)
        assert result is None or result == round(result, 2)

    @pytest.mark.parametrize(
        "changes", [{}, {"source": UNSEEN}, {"source": SEEN}, {"near": False}, {"state": RIGHT}, {"state": OPEN}]
    )
    def test_suggestion_needs_a_gap_near_of_unfitted_parameters(self, changes: Dict[str, Any]) -> None:
        given = changes in ({}, {"source": UNSEEN})
        assert (self.compute(np.full(len(trained()), 0.92), 0.92, **changes) is not None) is given

    @pytest.mark.parametrize(("latest", "given"), [(0.021, True), (0.019, False), (-0.03, False)])
    def test_suggestion_needs_the_latest_third_to_be_off(self, latest: float, given: bool) -> None:
        third = slice(-(len(trained()) // 3), None)
        recalled = evaluate(person(), Options(("AVG",))).predictions.recalled
        desired = float(recalled[third].mean()) + latest
        predicted = np.full(len(trained()), desired)
        changes = {"recall": RecallNear(9, desired, ConfidenceInterval(desired - 0.1, 0.0, 0.1))}
        assert (self.compute(predicted, desired, **changes) is not None) is given


class TestPresets:
    """Three presets of equal size, all with a desired retention of 90%."""

    @staticmethod
    def states(*gaps: float, names: str = "ABC") -> List[str]:
        """Return the states of the named presets, whose predictions are moved by these logits."""
        number = review_and_card()[1] % 3
        # Without the correction, the first preset would be off by a point.
        user_predictions = shifted(np.array(gaps)[number] - 0.1 * (number == 0))
        evidence = evaluations(fsrs_on((), (), ()), Your_parameters=user_predictions)[-1].evidence
        in_use = [item for item in presets_in_use(evidence) if item[0].name in names]
        accuracies = zip(in_use, scoring.preset_accuracies(evidence, in_use), strict=True)
        states = {group.name: item.state for (group, _preset), item in accuracies}
        return [states[name] for name in names]

    def test_off_depends_on_the_number_of_presets(self) -> None:
        """Holm's rule allows: a preset may be off alone, but not among three of which the others are right.

        If the others are off, it counts as the only one.
        """
        evidence, number = prepared(), review_and_card()[1]
        in_second = in_presets() & (number % 3 == 1)
        outcomes = evidence.scoring.recalled[in_second], evidence.scoring.clusters.take(in_second)

        def is_off(gap: float, several: int) -> bool:
            return OFF in [recall_near(shifted(gap)[in_second], *outcomes, near, several)[1] for near in (0.9, None)]

        doubtful = next(gap for gap in np.arange(0.1, 0.5, 0.002) if is_off(gap, 1) and not is_off(gap, 3))
        assert self.states(0.0, doubtful, 0.0, names="B") == [OFF]
        assert self.states(0.0, doubtful, 0.0) == [RIGHT, OPEN, RIGHT]
        assert self.states(0.9, doubtful, 0.9) == [OFF, OFF, OFF]

    def test_each_preset_has_its_own_desired_retention_and_source(self) -> None:
        report = evaluations(fsrs_on((), FORGETFUL, desired=[0.9, 0.8], changed=LATE))[-1].report
        accuracies = {item.name: item.accuracy for item in report.scheduler.presets}
        facts = [(accuracies[name].desired_retention, accuracies[name].source) for name in "AB"]
        assert facts == [(0.9, DEFAULT), (0.8, RETRAINED)]


@functools.cache
def prepared() -> Evidence:
    return Evidence.of(person(), Options(), prepare(person(), Options())[0])


class TestRivalry:
    @pytest.mark.parametrize(
        ("code", "past", "claim"),
        [
            *((code, past, code) for code in ("better", "worse", "equivalent") for past in ((-2, -1), (1, 2))),
            ("cannot_tell", (-2, -1), "better_past"),
            ("cannot_tell", (1, 2), "worse_past"),
            ("cannot_tell", (-1, 1), "open"),
            ("too_few", None, "open"),
            ("rare_outcome", None, "open"),
        ],
    )
    def test_claim_about_further_reviews_precedes_the_past(self, code: str, past: Any, claim: str) -> None:
        compared = Comparison("x", "y", ConfidenceInterval(0.0, -1.0, 1.0), code, None)
        interval = ConfidenceInterval(0.0, *past) if past else ConfidenceInterval(0.0, reason=code)
        assert scoring.strongest_claim(compared, interval) == claim

    @staticmethod
    def check_rivalry(rivalry: Optional[Rivalry], names: Tuple[str, str], first: Any, second: Any, where: Any) -> None:
        loss, clusters = prepared().scoring.loss, prepared().scoring.clusters.take(where)
        difference: Floats = (loss(first) - loss(second))[where]
        expected = comparison(*names, difference, clusters)
        assert replace(rivalry.comparison, chance=None) == expected
        assert (rivalry.past, rivalry.reviews) == (realized_difference(difference, clusters), where.sum())

    @pytest.mark.parametrize(
        ("changed", "gap", "source", "row"),
        [
            (EARLY, 0.0, UNSEEN, "Your parameters"),
            (0, 0.0, UNSEEN, "Your parameters"),
            (LATE, 0.5, SEEN, "Your parameters"),
            (LATE, 0.0, RETRAINED, "FSRS-6"),
        ],
    )
    def test_tested_row_is_compared_on_the_reviews_of_its_source(
        self, changed: int, gap: float, source: str, row: str
    ) -> None:
        collection, user_predictions = fsrs_on(FORGETFUL, changed=changed), shifted(gap)
        result = headline(collection, Your_parameters=user_predictions)
        assert (result.accuracy.source, result.accuracy.algorithm) == (source, row)
        where = np.ones(len(trained()), dtype=bool)
        if source == UNSEEN:
            where = review_and_card()[0] > changed
        tested = user_predictions if row == "Your parameters" else trained()
        expected = calibration(tested[where], prepared().scoring.recalled[where]) if source == UNSEEN else ()
        assert result.accuracy.calibration == expected
        self.check_rivalry(result.against_adjusted, (row, "Anki-SM-2 calibrated"), tested, shifted(1.0), where)
        self.check_rivalry(result.against_sm2, (row, "Anki-SM-2"), tested, shifted(1.0), where)
        if source == SEEN:
            names = ("FSRS-6", "Anki-SM-2 calibrated")
            self.check_rivalry(result.optimized_against, names, trained(), shifted(1.0), where)
        else:
            assert result.optimized_against is None

    def test_all_reviews_may_be_unseen(self) -> None:
        """No card is deleted, and the preset was changed before the first review."""
        collection = fsrs_on(FORGETFUL, changed=0)
        ids = np.unique(collection.revlog.card_id)
        zero = np.zeros(len(ids), dtype=np.int64)
        result = headline(replace(collection, cards=Cards(ids, zero, zero)))
        where = np.ones(len(trained()), dtype=bool)
        self.check_rivalry(result.against_sm2, ("Your parameters", "Anki-SM-2"), trained(), shifted(1.0), where)

    def test_rank_is_that_of_the_optimized_row_from_1000_reviews_on(self) -> None:
        rank = headline(fsrs_on(FORGETFUL, changed=EARLY)).skill_rank
        assert (rank.metric, rank.algorithm) == ("skill_average", "FSRS-5 recency")
        few = replace(simulate(Learner(days=60)).snapshot, fsrs=True, presets=())
        report = evaluate(few, Options(("FSRS-6", "Anki-SM-2"), folds=2)).report
        assert report.scope.reviews < 1000
        assert report.result("FSRS-6").population
        assert report.headline.skill_rank is None
