from __future__ import annotations

import datetime as dt
import functools
from dataclasses import replace
from typing import Any, Dict, List, Optional, Sequence, Tuple
from unittest.mock import Mock

import numpy as np
import pytest
from catalog_helpers import defaults

from evaluator.algorithms import CATALOG
from evaluator.algorithms.fsrs6 import FSRS_6
from evaluator.data.dataset import Dataset
from evaluator.data.reviews import CardRows
from evaluator.data.revlog import Cards, Ints, Preset, Snapshot
from evaluator.data.selection import select
from evaluator.derivatives import Floats
from evaluator.errors import OptimizerFailed
from evaluator.evaluation import evaluate, prepare
from evaluator.options import Options
from evaluator.progress import Cancelled, Progress
from evaluator.report import Advice, RetrainedComparison, SchedulerInUse
from evaluator.report.advice import MUCH_CHANGE
from evaluator.scope import ScopeChoice
from evaluator.scoring import scheduler_in_use
from evaluator.scoring.report_builder import Evaluation
from evaluator.scoring.scheduler_in_use import OPTIMIZED, optimized
from evaluator.statistics.paired import comparison
from tools.simulate import Learner, simulate

NAMES = ("SM-2", "FSRS-6 default", "FSRS-6", "Your parameters")
PUBLISHED = tuple(defaults(CATALOG["FSRS-6 default"]))
FORGETFUL = (*(w / 10 for w in PUBLISHED[:4]), *PUBLISHED[4:])


@functools.cache
def person() -> Snapshot:
    """Three quarters of a year of reviews."""
    return simulate(Learner(days=270)).snapshot


@functools.cache
def trained() -> Tuple[float, ...]:
    """FSRS-6 trained on the user's earlier reviews."""
    report = evaluate(person(), Options(algorithms=("FSRS-6",), folds=2)).report
    return report.result("FSRS-6").parameters_per_fold[-1]


def at(share: float) -> int:
    """When that share of the reviews had been made, in seconds since 1970."""
    return int(np.quantile(person().revlog.review_id, share)) // 1000


def snapshot(fsrs: Optional[bool], *parameters: Sequence[float], changed: Optional[int] = None) -> Snapshot:
    """The user's cards in turn in presets A, B, ... of these parameters."""
    ids = person().cards.card_id  # type: ignore[union-attr]
    cards = Cards(ids, ids % 3, ids % max(len(parameters), 1))
    presets = tuple(Preset(k, "ABC"[k], tuple(w), None, changed) for k, w in enumerate(parameters))
    return replace(person(), cards=cards, presets=presets, fsrs=fsrs)


def evaluated(whole: Snapshot, names: Sequence[str] = NAMES, **options: Any) -> Evaluation:
    return evaluate(whole, Options(algorithms=tuple(names), folds=2, **options))


def scheduler_and_advice(
    whole: Snapshot, names: Sequence[str] = NAMES, **options: Any
) -> Tuple[Optional[SchedulerInUse], Tuple[Advice, ...]]:
    report = evaluated(whole, names, **options).report
    return report.scheduler, report.advice


def codes(retrained: Sequence[RetrainedComparison]) -> Dict[Optional[str], str]:
    return {item.preset: item.comparison.code for item in retrained if item.comparison is not None}


class TestFsrsIsOff:
    def test_better_fsrs_is_turned_on(self) -> None:
        scheduler, advice = scheduler_and_advice(snapshot(False, (), ()))
        assert scheduler is not None
        assert scheduler.against_sm2 is not None
        assert (scheduler.against_sm2.algorithm, scheduler.against_sm2.code) == ("FSRS-6", "better")
        assert scheduler.retrained == ()
        assert [(item.code, item.algorithm) for item in advice] == [("turn_on_and_optimize", "FSRS-6")]

    def test_without_sm2_there_is_no_comparison(self) -> None:
        assert scheduler_and_advice(snapshot(False, ()), ("AVG", "FSRS-6")) == (SchedulerInUse(False), ())

    def test_one_deck_gets_no_advice_on_all_presets(self) -> None:
        assert scheduler_and_advice(select(snapshot(False, ()), ScopeChoice("preset", "A"))) == (
            SchedulerInUse(False),
            (),
        )


class TestFsrsIsOn:
    def test_parameters_worse_than_retrained_ones_are_optimized(self) -> None:
        scheduler, advice = scheduler_and_advice(snapshot(True, FORGETFUL, FORGETFUL, changed=at(0.4)))
        assert scheduler is not None
        assert scheduler.against_sm2 is None
        assert codes(scheduler.retrained) == dict.fromkeys((None, "A", "B"), "better")
        assert advice == (Advice("optimize", "FSRS-6", reviews=scheduler.retrained[0].basis.reviews),)

    def test_only_the_preset_that_gains_is_optimized(self) -> None:
        scheduler, advice = scheduler_and_advice(snapshot(True, trained(), FORGETFUL, changed=at(0.4)))
        assert scheduler is not None
        assert codes(scheduler.retrained)["B"] == "better"
        assert codes(scheduler.retrained)["A"] != "better"
        (alone,) = (item for item in scheduler.retrained if item.preset == "B")
        assert advice == (Advice("optimize", "FSRS-6", ("B",), alone.basis.reviews),)

    def test_preset_by_itself_gets_its_own_advice(self) -> None:
        whole = snapshot(True, trained(), FORGETFUL, changed=at(0.4))
        _, (advice,) = scheduler_and_advice(select(whole, ScopeChoice("preset", "B")))
        assert (advice.code, advice.presets) == ("optimize", ("B",))

    def test_trained_parameters_need_nothing(self) -> None:
        scheduler, advice = scheduler_and_advice(snapshot(True, trained(), changed=at(0.4)))
        assert scheduler is not None
        assert advice == (Advice("nothing", "FSRS-6", reviews=scheduler.retrained[0].basis.reviews),)

    def test_presets_never_optimized_are_advised_to_optimize(self) -> None:
        scheduler, advice = scheduler_and_advice(snapshot(True, (), changed=at(1.0)))
        assert scheduler is not None
        total, only = scheduler.retrained
        assert total.comparison is not None
        assert (total.comparison.algorithm, total.comparison.baseline) == ("FSRS-6", "FSRS-6 default")
        assert only == replace(total, preset="A")
        assert [(item.code, item.presets) for item in advice] == [("optimize", ("A",))]

    def test_stored_published_parameters_count_as_never_optimized(self) -> None:
        stored = tuple(round(p.default, 4) for p in FSRS_6.parameters)
        scheduler, advice = scheduler_and_advice(snapshot(True, stored, changed=at(1.0)))
        never, _ = scheduler_and_advice(snapshot(True, (), changed=at(1.0)))
        assert scheduler is not None
        assert never is not None
        assert scheduler.retrained[0].basis == never.retrained[0].basis
        assert [(item.code, item.presets) for item in advice] == [("optimize", ("A",))]

    def test_parameters_too_new_to_judge_are_advised_by_their_change(self) -> None:
        for changed in (at(1.0), at(1.0) - 3 * 86_400):
            scheduler, advice = scheduler_and_advice(snapshot(True, FORGETFUL, changed=changed))
            assert scheduler is not None
            assert scheduler.change is not None
            assert codes(scheduler.retrained) in ({}, dict.fromkeys((None, "A"), "too_few"))
            change = scheduler.change
            assert change.mean > MUCH_CHANGE
            assert advice == (Advice("optimize", reviews=change.reviews, change=change.mean),)

    def test_only_reviews_since_the_change_count(self) -> None:
        whole = snapshot(True, FORGETFUL, trained())
        changed = {0: at(0.4), 1: at(0.7)}
        presets = tuple(replace(preset, changed=changed[preset.preset_id]) for preset in whole.presets or ())
        evaluation = evaluated(replace(whole, presets=presets))
        scheduler, evidence, p = evaluation.report.scheduler, evaluation.evidence, evaluation.predictions
        assert scheduler is not None
        assert evidence is not None
        total, *presets = scheduler.retrained
        each = sorted(presets, key=lambda item: item.preset or "")
        exist = np.isin(p.card_id, whole.cards.card_id)  # type: ignore[union-attr]
        since = {k: exist & (p.card_id % 2 == k) & (p.review_id > 1000 * changed[k]) for k in changed}
        difference = np.log(
            np.where(p.recalled == 1, p.predicted["Your parameters"], 1 - p.predicted["Your parameters"])
            / np.where(p.recalled == 1, p.predicted["FSRS-6"], 1 - p.predicted["FSRS-6"])
        )
        for part, where in ((total, since[0] | since[1]), (each[0], since[0]), (each[1], since[1])):
            clusters = evidence.scoring.clusters.take(where)
            expected = comparison("FSRS-6", "Your parameters", difference[where], clusters)
            assert part.comparison is not None
            assert part.comparison.difference.low_high == pytest.approx(expected.difference.low_high)
            assert part.basis == clusters.basis
        assert [item.preset for item in each] == ["A", "B"]
        assert each[1].changed == dt.datetime.fromtimestamp(at(0.7) - 4 * 3600, dt.UTC).date().isoformat()

    def test_deleted_cards_take_no_part(self) -> None:
        whole = snapshot(True, (), ())
        assert whole.cards is not None
        kept = whole.cards.card_id % 4 != 0
        columns = (whole.cards.card_id, whole.cards.deck_id, whole.cards.preset_id)
        cards = Cards(*(column[kept] for column in columns if column is not None))
        evaluation = evaluated(replace(whole, cards=cards))
        assert evaluation.report.scheduler is not None
        total = evaluation.report.scheduler.retrained[0]
        assert total.basis.reviews == int(np.isin(evaluation.predictions.card_id, cards.card_id).sum())

    def test_the_parameters_in_use_have_no_row(self) -> None:
        assert scheduler_and_advice(snapshot(True, trained(), changed=at(0.4)), ("SM-2", "FSRS-6")) == (
            SchedulerInUse(True),
            (),
        )

    @pytest.mark.parametrize("names", [("SM-2", "Your parameters"), ("SM-2", "FSRS-6 default", "Your parameters")])
    def test_without_a_retrained_row_only_the_change_is_known(self, names: Sequence[str]) -> None:
        scheduler, _ = scheduler_and_advice(snapshot(True, trained(), changed=at(0.4)), names)
        assert scheduler is not None
        assert (scheduler.retrained, scheduler.change is None) == ((), False)

    def test_parameters_of_unknown_age_are_not_compared(self) -> None:
        scheduler, _ = scheduler_and_advice(snapshot(True, FORGETFUL, ()))
        assert scheduler is not None
        assert (scheduler.retrained, scheduler.change is None) == ((), False)

    @pytest.mark.parametrize("own", [(), FORGETFUL])
    def test_preset_of_a_newer_fsrs_asks_for_an_update(self, own: Tuple[float, ...]) -> None:
        whole = snapshot(True, own, FORGETFUL, changed=at(0.4))
        presets = tuple(replace(item, newer_fsrs=8) if item.name == "A" else item for item in whole.presets or ())
        assert scheduler_and_advice(replace(whole, presets=presets)) == (
            SchedulerInUse(True),
            (Advice("update", "Your parameters"),),
        )
        assert scheduler_and_advice(replace(whole, presets=presets, fsrs=False), ("FSRS-6", "Your parameters")) == (
            SchedulerInUse(False),
            (),
        )

    def test_presets_that_run_fsrs_7_are_compared_by_fsrs_7(self) -> None:
        item = snapshot(True, (), changed=at(1.0))
        seven = replace(item, presets=tuple(replace(preset, fsrs_version=7) for preset in item.presets or ()))
        scheduler, (advice,) = scheduler_and_advice(seven, (*NAMES, "FSRS-7"))
        assert scheduler is not None
        total = scheduler.retrained[0].comparison
        assert total is not None
        assert (total.algorithm, total.baseline, advice.algorithm) == ("FSRS-7", "Your parameters", "FSRS-7")
        without, _ = scheduler_and_advice(seven)
        assert without == replace(scheduler, retrained=())

    def test_presets_with_different_versions_get_no_advice(self) -> None:
        two = snapshot(True, (), (), changed=at(0.4))
        presets = tuple(replace(preset, fsrs_version=7 - preset.preset_id) for preset in two.presets or ())
        assert scheduler_and_advice(replace(two, presets=presets), (*NAMES, "FSRS-7 default")) == (
            SchedulerInUse(True),
            (),
        )

    @pytest.mark.parametrize("options", [{"since": dt.date(2020, 1, 1)}, {"same_day": False}])
    def test_options_that_hide_reviews_prevent_advice(self, options: Dict[str, Any]) -> None:
        assert scheduler_and_advice(snapshot(True, FORGETFUL, changed=at(0.4)), **options) == (SchedulerInUse(True), ())
        assert scheduler_and_advice(snapshot(False, ()), **options) == (SchedulerInUse(False), ())

    def test_a_deck_is_not_a_preset(self) -> None:
        whole = select(snapshot(True, FORGETFUL, changed=at(0.4)), ScopeChoice("deck", "1"))
        assert scheduler_and_advice(replace(whole, decks=None)) == (SchedulerInUse(True), ())


def change_of(whole: Snapshot, optimize: Optional[Any]) -> float:
    """Return the mean change of predictions, with this instead of Anki's Optimize."""
    options = Options(algorithms=("Your parameters",), folds=2)
    scheduler = evaluate(whole, options, optimize=optimize).report.scheduler
    assert scheduler is not None
    assert scheduler.change is not None
    return scheduler.change.mean


class TestPredictionChange:
    @staticmethod
    @functools.cache
    def small() -> Snapshot:
        """Two months of reviews in two presets of unlike parameters, across decks."""
        whole = simulate(Learner(days=60)).snapshot
        assert whole.cards is not None
        cards = replace(whole.cards, preset_id=whole.cards.card_id % 2)
        presets = (Preset(0, "A", FORGETFUL), Preset(1, "B", PUBLISHED))
        return replace(whole, cards=cards, presets=presets, fsrs=True)

    def test_each_preset_is_fitted_to_its_own_reviews_to_all_of_them_with_recency(self) -> None:
        data = prepare(self.small(), Options(folds=2))[0]
        label = data.label("preset")
        parameters = dict(optimized(data, OPTIMIZED[6]))
        for preset in (item.preset_id for item in self.small().presets or ()):
            w, review = parameters[preset], np.flatnonzero(label == preset)
            weight = 0.25 + 0.75 * np.linspace(0, 1, len(review)) ** 3
            least = _slow_loss(w, data, review, weight)
            for index, p in enumerate(FSRS_6.parameters):
                for step in (-0.1, 0.1):
                    moved = w.copy()
                    moved[index] = w[index] * np.exp(step * p.width) if p.log else w[index] + step * p.width
                    if p.lower <= moved[index] <= p.upper:
                        assert _slow_loss(moved, data, review, weight) > least, (preset, index, step)

    def test_the_mean_is_over_the_scored_reviews_of_cards_that_exist(self) -> None:
        evaluation = evaluated(self.small(), ("Your parameters",))
        assert evaluation.report.scheduler is not None
        assert evaluation.evidence is not None
        data, first = evaluation.evidence.data, evaluation.evidence.data.folds[0].test_start
        current = evaluation.predictions.predicted["Your parameters"]
        label = data.label("preset")
        changes = [
            abs(_slow_recall(w, data, int(review)) - current[review - first])
            for preset, w in optimized(data, OPTIMIZED[6])
            for review in first + np.flatnonzero(label[first:] == preset)
        ]
        change = evaluation.report.scheduler.change
        assert change is not None
        assert len(changes) < len(current)
        assert (change.mean, change.reviews) == (pytest.approx(np.mean(changes)), len(changes))

    def test_ankis_own_optimizer_is_used(self) -> None:
        whole = self.small()
        assert whole.cards is not None
        assert whole.cards.preset_id is not None
        aside = whole.cards.card_id % 5 == 0
        whole = replace(whole, cards=replace(whole.cards, set_aside=aside))
        given: List[Tuple[CardRows, Sequence[float]]] = []

        def keep(rows: CardRows, current: Sequence[float]) -> Sequence[float]:
            given.append((rows, current))
            return current

        assert change_of(whole, keep) == 0
        assert [current for _, current in given] == [FORGETFUL, PUBLISHED]
        all_rows = prepare(whole, Options(folds=2))[0].rows
        for preset, (rows, _) in enumerate(given):
            requested = np.isin(all_rows.card_id, whole.cards.card_id[(whole.cards.preset_id == preset) & ~aside])
            assert rows.log_row.tolist() == all_rows.log_row[requested].tolist()

    def test_ankis_own_optimizer_is_not_used(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(_rows: CardRows, _current: Sequence[float]) -> Sequence[float]:
            raise OptimizerFailed(detail="panic")

        ours = change_of(self.small(), None)
        assert ours > 0
        assert change_of(self.small(), fail) == ours
        assert change_of(self.small(), lambda _rows, _current: [1.0] * 35) == ours
        data = prepare(self.small(), Options(folds=2))[0]
        sizes = sorted(len(part.rows) for preset, _, part in data.partitions("preset") if preset >= 0)
        for most, calls in ((sizes[-1], 2), (sizes[-1] - 1, 1), (sizes[0] - 1, 0)):
            monkeypatch.setattr(scheduler_in_use, "MAX_FOR_ANKI", most)
            optimize = Mock(return_value=PUBLISHED)
            change_of(self.small(), optimize)
            assert optimize.call_count == calls

    def test_it_can_be_cancelled(self) -> None:
        reports: List[Evaluation] = []

        def cancel(_fraction: float, _stage: str, _algorithm: str, done: int, total: int) -> None:
            if done and done == total:
                raise Cancelled

        options = Options(algorithms=("Your parameters",), folds=2)
        with pytest.raises(Cancelled):
            evaluate(self.small(), options, progress=Progress(cancel), finished=reports.append)
        assert reports == []


def _slow_recall(w: Floats, data: Dataset, review: int) -> float:
    """Predict one review by the formulas of FSRS-6, one step after the other."""
    rows, row = data.rows, int(data.reviews.row[review])
    state = None
    for k in range(row - int(rows.position[row]), row):
        rating = rows.rating[k : k + 1]
        state = (
            FSRS_6.first(w, rating) if state is None else FSRS_6.step(w, state, rows.elapsed_days[k : k + 1], rating)
        )
    assert state is not None
    return float(FSRS_6.recall(w, state, rows.elapsed_days[row])[0])


def _slow_loss(w: Floats, data: Dataset, review: Ints, weight: Floats) -> float:
    recall = np.array([_slow_recall(w, data, item) for item in review])
    loss = -np.log(np.where(data.reviews.recalled[review] == 1, recall, 1 - recall))
    start, width = (np.array([getattr(p, of) for p in FSRS_6.parameters]) for of in ("default", "width"))
    log = np.array([p.log for p in FSRS_6.parameters])
    off = np.where(log, np.log(np.where(log, w / start, 1)), w - start) / width
    return float((weight * loss).sum() + np.square(off).sum())


def test_a_source_without_settings_gets_no_advice() -> None:
    assert scheduler_and_advice(snapshot(None, FORGETFUL, changed=at(0.4))) == (None, ())
    assert scheduler_and_advice(replace(person(), fsrs=True, cards=None), NAMES[:3]) == (SchedulerInUse(True), ())


def test_advice_waits_for_all_rows() -> None:
    seen = []
    evaluate(
        snapshot(False, ()),
        Options(algorithms=("SM-2", "FSRS-6 default"), folds=2),
        finished=lambda evaluation: seen.append(evaluation.report),
    )
    assert [(report.scheduler is None, len(report.advice)) for report in seen] == [(True, 0), (False, 1)]
