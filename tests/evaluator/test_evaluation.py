from __future__ import annotations

import datetime as dt
import math
import weakref
from dataclasses import dataclass, replace
from typing import Any, List, NamedTuple

import numpy as np
import pytest
from catalog_helpers import snapshot_with_presets
from made_logs import CLOCK, FILTERED, MANUAL, Answer, card, learner, log_of, similar_cards, six_reviews

from evaluator import algorithms
from evaluator.algorithms.algorithm import Recurrent
from evaluator.algorithms.fsrs6 import FSRS6
from evaluator.data.revlog import Selection, Snapshot
from evaluator.errors import AllFiltered, EmptyRevlog, EvaluatorError, NoLaterDay, NothingToCompare, OneOutcome
from evaluator.evaluation import evaluate, prepare
from evaluator.interval import MIN_DAYS
from evaluator.metrics import METRICS
from evaluator.options import Options
from evaluator.progress import Cancelled, Progress
from evaluator.report import Failure, to_json
from evaluator.scope import ScopeChoice
from evaluator.scoring.report_builder import Evaluation
from evaluator.sections import add_sections
from ui.text.error_sentences import error_sentence

NAMES = ("AVG", "SM-2", "FSRS-5 default", "FSRS-5", "FSRS-6 default", "FSRS-6", "FSRS-6 recency")


class Step(NamedTuple):
    fraction: float
    stage: str
    algorithm: str
    done: int
    total: int


def record_steps(snapshot: Snapshot, options: Options) -> List[Step]:
    """Evaluate, and return every progress message."""
    result = []
    evaluate(snapshot, options, progress=Progress(lambda *step: result.append(Step(*step))))
    return result


class TestProgress:
    def test_fraction_never_falls_and_ends_at_1(self):
        steps = record_steps(learner(), Options(algorithms=NAMES))
        fractions = [step.fraction for step in steps]
        assert fractions[0] == 0
        assert fractions[-1] == 1
        assert fractions == sorted(fractions)
        assert steps[0].stage == "preparing"
        assert list(dict.fromkeys(step.algorithm for step in steps if step.stage == "algorithm")) == list(NAMES)

    @pytest.mark.parametrize("name", ["FSRS-6", "FSRS-6 deck"])
    def test_finished_folds_are_counted_up(self, name):
        all_steps = record_steps(snapshot_with_presets(), Options((name,)))
        steps = [step for step in all_steps if step.stage == "algorithm"]
        done = [step.done for step in steps]
        assert done == sorted(done)
        assert (done[0], done[-1]) == (0, 5)
        assert {step.total for step in steps} == {5}
        assert len(steps) > 4

    def test_each_finished_algorithm_is_reported_at_once_with_its_final_numbers(self):
        partial = []
        evaluate(learner(), Options(algorithms=NAMES), on_update=partial.append)
        assert len(partial) == len(NAMES)
        for n, evaluation in enumerate(partial, start=1):
            assert {row.algorithm for row in evaluation.report.results} == set(NAMES[:n])
            assert evaluation.report.unfinished == NAMES[n:]
            assert tuple(evaluation.predictions.predicted) == NAMES[:n]
            assert set(evaluation.timing) == {"preparing", *NAMES[:n]}
            to_json(evaluation.report)
            for row in evaluation.report.results:
                last = partial[-1].report.result(row.algorithm)
                assert replace(row, against_baseline=None) == replace(last, against_baseline=None)


class StoppingProgress(Progress):
    """Progress that is cancelled at a step."""

    def __init__(self, steps: int) -> None:
        super().__init__(self._count)
        self.remaining_steps = steps

    def _count(self, *_):
        self.remaining_steps -= 1
        if self.remaining_steps == 0:
            raise Cancelled


class TestCancelling:
    def test_every_step_can_be_the_last(self):
        options = Options(algorithms=("AVG", "SM-2", "FSRS-6"))
        snapshot = learner(cards=30, reviews=4)
        all_steps = record_steps(snapshot, options)
        for count in range(1, len(all_steps) + 1):
            finished = []
            with pytest.raises(Cancelled):
                evaluate(snapshot, options, progress=StoppingProgress(count), on_update=finished.append)
            started = list(dict.fromkeys(step.algorithm for step in all_steps[:count] if step.algorithm))
            assert len(finished) in {max(len(started) - 1, 0), len(started)}
            assert not [row for item in finished for row in item.report.results if row.error]

    def test_every_step_of_the_sections_can_be_the_last(self):
        snapshot = snapshot_with_presets()
        evaluation = evaluate(snapshot, Options(algorithms=("SM-2", "FSRS-6 default"), folds=2))
        # The first run caches some results, which would add steps to the counting run.
        add_sections(evaluation, ["graphs"])
        counter = StoppingProgress(0)
        add_sections(evaluation, ["all"], snapshot, progress=counter)
        steps = -counter.remaining_steps
        # Every 31st, for speed.
        for count in (*range(1, steps, 31), steps):
            with pytest.raises(Cancelled):
                add_sections(evaluation, ["all"], snapshot, progress=StoppingProgress(count))


@dataclass(frozen=True)
class Constant(FSRS6):
    """Algorithm that predicts the same for all reviews."""

    recalled: float = 0.5

    def recall(self, w, state, elapsed):
        return 0.0 * state[0] + self.recalled


class Mistaken(Recurrent):
    """Algorithm with a programming error."""

    def first(self, w, rating):
        raise TypeError("no such thing")


@pytest.mark.parametrize(
    ("broken", "code", "reason"),
    [
        *(
            (Constant("broken", "", recalled=p), "arithmetic", f"broken predicted {p}, which is not a probability")
            for p in (math.nan, 1.00001, -0.25)
        ),
        (
            Mistaken("broken", ""),
            "mistake",
            f"TypeError: no such thing (test_evaluation.py:{Mistaken.first.__code__.co_firstlineno + 1})",
        ),
    ],
)
def test_failing_algorithm_leaves_other_rows_unchanged(broken, code, reason, monkeypatch):
    names = ("AVG", "SM-2", "FSRS-6 default")
    without_broken = evaluate(learner(), Options(algorithms=names))
    monkeypatch.setitem(algorithms.CATALOG, "broken", broken)
    with_broken = evaluate(learner(), Options(algorithms=("broken", *names)))
    *other_rows, row = with_broken.report.results
    assert tuple(other_rows) == without_broken.report.results
    assert (row.algorithm, row.error) == ("broken", Failure(code, {"detail": reason}))
    assert row.size == with_broken.report.scope.reviews
    assert (row.log_loss, row.calibration, row.calibration_line) == (None, (), None)
    assert row.metrics == dict.fromkeys(METRICS)
    assert with_broken.report.verdict == without_broken.report.verdict
    assert with_broken.report.unfinished == ()
    assert set(with_broken.predictions.predicted) == set(names)
    to_json(with_broken.report)


def test_all_algorithms_may_fail(monkeypatch):
    monkeypatch.setitem(algorithms.CATALOG, "broken", Constant("broken", "", recalled=math.nan))
    report = evaluate(learner(), Options(algorithms=("broken",))).report
    assert (report.best, report.baseline, report.verdict.code) == (None, None, "no_pair")
    to_json(report)


def failure(snapshot: Snapshot, **options: Any) -> EvaluatorError:
    """Return the error of an evaluation, after checking that it has a sentence and, if needed, published results."""
    with pytest.raises(EvaluatorError) as caught:
        evaluate(snapshot, Options(algorithms=("AVG",), **options))
    published = caught.value.facts.pop("others", None)
    assert (published is not None) == isinstance(caught.value, (EmptyRevlog, NothingToCompare))
    if isinstance(caught.value, OneOutcome):
        assert published.others.at_least <= caught.value.facts["reviews"] < published.others.below
    assert error_sentence(caught.value)
    return caught.value


class TestErrors:
    def test_empty_review_log_is_an_error(self):
        assert isinstance(failure(Snapshot(log_of([]), CLOCK)), EmptyRevlog)

    def test_rows_without_a_scorable_review_are_an_error(self):
        rows = [Answer(1, 0, 3, FILTERED, 0), Answer(1, 1, 3, FILTERED, 0), Answer(2, 0), *card(3, 3, (1, 3))]
        error = failure(Snapshot(log_of(rows), CLOCK))
        assert isinstance(error, AllFiltered)
        assert error.facts["rows"] == 5
        assert error.facts["funnel"] == [("cram", 2), ("never_learned", 1), ("outlier", 1), ("first_review", 1)]

    def test_reviews_of_a_single_day_are_an_error(self):
        answers = [answer for n in range(12) for answer in card(n, 1, (0, 3), (0, 3))] + [Answer(0, 0, 0, MANUAL)]
        error = failure(Snapshot(log_of(answers), CLOCK))
        assert isinstance(error, NoLaterDay)
        expected_facts = {"reviews": 36, "cards": 12, "days": 1, "needed": MIN_DAYS, "funnel": [("not_answered", 1)]}
        assert error.facts == {**expected_facts, "same_day": 24}
        assert failure(Snapshot(log_of(answers), CLOCK), same_day=False).facts == {**expected_facts, "same_day": 0}

    def test_cards_reviewed_on_one_day_each_are_an_error(self):
        answers = [answer for n in range(4) for answer in card(n, 3, (0, 3), start=n // 2)]
        error = failure(Snapshot(log_of(answers), CLOCK))
        assert isinstance(error, NoLaterDay)
        assert error.facts == {"reviews": 8, "cards": 4, "days": 2, "needed": MIN_DAYS, "same_day": 4, "funnel": []}
        selection = Selection(ScopeChoice("deck", "A"), np.array([0, 2, 3]))
        part = failure(Snapshot(log_of(answers), CLOCK, selection=selection))
        assert part.facts == {**error.facts, "reviews": 6, "cards": 3, "same_day": 3, "choice": selection.choice}
        later = failure(Snapshot(log_of([*answers, *similar_cards(cards=20)]), CLOCK))
        assert not isinstance(later, NoLaterDay)

    @pytest.mark.parametrize(("rating", "outcome"), [(1, 0), (2, 1), (3, 1), (4, 1)])
    def test_single_outcome_among_the_scored_reviews_is_an_error(self, rating, outcome):
        """There are 1920 reviews, and 5 * (1920 // 6) = 1600 are scored. The 320 before them have the other outcome."""
        earlier = 1 if outcome else 3
        answers = [answer for n in range(1920) for answer in card(n, 3, (1, earlier if n < 320 else rating), start=n)]
        error = failure(Snapshot(log_of(answers), CLOCK))
        assert isinstance(error, OneOutcome)
        assert error.facts == {"reviews": 1600, "outcome": outcome}


class TestSince:
    def evaluate_since(self, since: dt.date | None) -> Evaluation:
        return evaluate(learner(), Options(algorithms=("AVG", "SM-2", "FSRS-6 default"), since=since))

    def test_only_later_reviews_count(self):
        all_days, late = self.evaluate_since(None).report, self.evaluate_since(dt.date(2020, 10, 20)).report
        assert all_days.scope.first_day < "2020-10-20" <= late.scope.first_day
        assert (all_days.scope.since, late.scope.since) == (None, "2020-10-20")
        counts = [{step.step: step.rows for step in report.funnel} for report in (all_days, late)]
        assert counts[0]["before_since"] == 0 < counts[1]["before_since"]
        assert sum(counts[0].values()) == sum(counts[1].values())
        table = [c["before_since"] + c["training_only"] + c["scored"] for c in counts]
        assert table[0] == table[1]

    def test_start_date_itself_counts(self):
        snapshot = six_reviews()
        days = prepare(snapshot, Options(folds=2))[0].reviews.day
        third = snapshot.clock.date_of(int(days[2]))
        data, row_counts = prepare(snapshot, Options(folds=2, since=third))
        assert data.reviews.day.tolist() == days[2:].tolist()
        assert {step.step: step.rows for step in row_counts}["before_since"] == 6 - 4

    def test_earlier_reviews_are_still_history(self):
        all_days, late = self.evaluate_since(None).predictions, self.evaluate_since(dt.date(2020, 10, 20)).predictions
        expected = dict(zip(all_days.review_id.tolist(), all_days.predicted["FSRS-6 default"].tolist(), strict=True))
        for review, predicted in zip(late.review_id.tolist(), late.predicted["FSRS-6 default"].tolist(), strict=True):
            assert predicted == pytest.approx(expected[review], rel=1e-12)


class TestSixReviews:
    def test_every_algorithm_predicts_the_smallest_log(self):
        evaluation = evaluate(six_reviews(), Options(algorithms=NAMES))
        report = evaluation.report
        assert report.scope.reviews == 5
        assert report.scope.recalled == pytest.approx(3 / 5)
        assert {row.algorithm for row in report.results} == set(NAMES)
        for row in report.results:
            assert row.error is None
            assert math.isfinite(row.log_loss)
        assert report.verdict.code == "too_few"
        to_json(report)

    def test_untrained_algorithms_match_hand_calculation(self):
        """The outcomes are 1, 1, 1, 0, 1, 0, each a day after a first Good. SM-2 always predicts 0.9."""
        evaluation = evaluate(six_reviews(), Options(algorithms=("AVG", "SM-2")))
        assert evaluation.predictions.recalled.tolist() == [1, 1, 0, 1, 0]
        assert evaluation.predictions.predicted["AVG"] == pytest.approx([1, 1, 1, 3 / 4, 4 / 5])
        loss = -(3 * math.log(0.9) + 2 * math.log(0.1)) / 5
        assert evaluation.report.result("SM-2").log_loss == pytest.approx(loss)
        assert evaluation.report.result("SM-2").value("brier") == pytest.approx((3 * 0.1**2 + 2 * 0.9**2) / 5)
        assert evaluation.report.result("SM-2").value("auc") == 0.5
        # AVG predicts 1 for the review that is forgotten first, whose loss is clipped.
        clipped_loss = 52 * math.log(2)
        loss = (clipped_loss - math.log(3 / 4) - math.log(1 / 5)) / 5
        assert evaluation.report.result("AVG").log_loss == pytest.approx(loss)


def test_snapshot_is_not_changed():
    snapshot = learner()
    for column in vars(snapshot.revlog).values():
        column.flags.writeable = False
    evaluate(snapshot, Options())


def test_snapshot_is_released_once_reviews_are_prepared():
    snapshots = [snapshot_with_presets()]
    reference = weakref.ref(snapshots[0])
    is_alive = []
    options = Options(algorithms=("AVG", "SM-2"))
    # No other reference is left than the argument.
    evaluate(snapshots.pop(), options, on_update=lambda _: is_alive.append(reference() is not None))
    assert is_alive == [False, False]
