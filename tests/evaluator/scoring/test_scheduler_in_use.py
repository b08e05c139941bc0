from __future__ import annotations

import datetime as dt
import functools
from dataclasses import replace
from typing import Any, List, Optional, Sequence, Tuple
from unittest.mock import Mock

import numpy as np
import pytest
from catalog_helpers import W4_5, PlainFSRS, defaults

from evaluator.algorithms import CATALOG
from evaluator.algorithms.fsrs6 import FSRS_6
from evaluator.data.dataset import Dataset
from evaluator.data.revlog import Cards, Deck, Ints, Preset, Snapshot
from evaluator.data.selection import select
from evaluator.derivatives import Floats
from evaluator.errors import OptimizerFailed
from evaluator.evaluation import evaluate, prepare
from evaluator.options import Options
from evaluator.progress import Cancelled, Progress
from evaluator.report import SchedulerInUse
from evaluator.scope import ScopeChoice
from evaluator.scoring import scheduler_in_use
from evaluator.scoring.report_builder import Evaluation
from evaluator.scoring.scheduler_in_use import optimize_presets
from evaluator.statistics.paired import comparison, realized_difference
from tools.simulate import Learner, simulate
from ui.views.advice import what_to_do
from ui.views.headline import headline_text

NAMES = ("SM-2", "FSRS-6 default", "FSRS-6", "Your parameters")
PUBLISHED = tuple(defaults(CATALOG["FSRS-6 default"]))
FORGETFUL = (*(w / 10 for w in PUBLISHED[:4]), *PUBLISHED[4:])


@functools.cache
def person() -> Snapshot:
    """Simulate a user with three quarters of a year of reviews."""
    return simulate(Learner(days=270)).snapshot


@functools.cache
def trained() -> Tuple[float, ...]:
    """Return the parameters of FSRS-6 trained on the user's earlier reviews."""
    report = evaluate(person(), Options(algorithms=("FSRS-6",), folds=2)).report
    return report.result("FSRS-6").parameters_per_fold[-1]


def at(share: float) -> int:
    """Return the time at which this share of the reviews had been made, in seconds since 1970."""
    return int(np.quantile(person().revlog.review_id, share)) // 1000


def snapshot(fsrs: Optional[bool], *parameters: Sequence[float], changed: Optional[int] = None) -> Snapshot:
    """Return the user's collection, with the cards in turn in presets A, B, ... of these parameters."""
    ids = person().cards.card_id  # type: ignore[union-attr]
    cards = Cards(ids, ids % 3, ids % max(len(parameters), 1))
    presets = tuple(Preset(k, "ABC"[k], tuple(w), None, changed) for k, w in enumerate(parameters))
    return replace(person(), cards=cards, presets=presets, fsrs=fsrs)


def evaluate_in_two_folds(collection: Snapshot, names: Sequence[str] = NAMES, **options: Any) -> Any:
    return evaluate(collection, Options(algorithms=tuple(names), folds=2, **options))


def describe_scheduler(collection: Snapshot, names: Sequence[str] = NAMES, **options: Any) -> Any:
    return evaluate_in_two_folds(collection, names, **options).report.scheduler


def codes(collection: Snapshot, names: Sequence[str] = NAMES, **options: Any) -> List[Tuple[str, Tuple[str, ...]]]:
    """Return the code of each piece of advice, with the presets that it names."""
    return [(item.code, item.presets) for item in evaluate_in_two_folds(collection, names, **options).report.advice]


def change_presets(collection: Snapshot, **fields: Sequence[Any]) -> Snapshot:
    """Return the collection with these fields of its presets, given as one value for each preset."""
    presets = list(collection.presets or ())
    for name, values in fields.items():
        presets = [replace(preset, **{name: value}) for preset, value in zip(presets, values, strict=True)]
    return replace(collection, presets=tuple(presets))


class TestFsrsIsOff:
    def test_optimized_row_is_compared_with_the_default_parameters(self) -> None:
        scheduler = describe_scheduler(snapshot(False, (), ()))
        assert (scheduler.fsrs, scheduler.presets, scheduler.change) == (False, (), None)
        rivalry = scheduler.optimized_against_default
        assert (rivalry.comparison.algorithm, rivalry.comparison.baseline) == ("FSRS-6", "FSRS-6 default")
        assert describe_scheduler(snapshot(False, ()), ("SM-2", "FSRS-6")).optimized_against_default is None
        assert describe_scheduler(snapshot(False, ()), ("SM-2", "FSRS-6 default")).optimized_against_default is None

    def test_better_fsrs_is_advised_also_for_a_part(self) -> None:
        collection = snapshot(False, (), ())
        for part in (collection, select(collection, ScopeChoice("preset", "A"))):
            assert codes(part) == [("turn_on_and_optimize", ())]
        assert codes(collection, ("AVG", "FSRS-6")) == []
        assert codes(replace(collection, scheduler=2)) == [("scheduler", ())]


class TestFsrsIsOn:
    def test_only_reviews_since_the_change_are_compared(self) -> None:
        changed = {0: at(0.4), 1: at(0.7)}
        evaluation = evaluate_in_two_folds(
            change_presets(snapshot(True, FORGETFUL, trained()), changed=list(changed.values()))
        )
        scheduler, evidence, p = evaluation.report.scheduler, evaluation.evidence, evaluation.predictions
        exist = np.isin(p.card_id, person().cards.card_id)  # type: ignore[union-attr]
        own_loss, new_loss = (evidence.scoring.loss(p.predicted[name]) for name in ("Your parameters", "FSRS-6"))
        for preset in scheduler.presets:
            in_preset = exist & (p.card_id % 2 == preset.preset_id)
            where = in_preset & (p.review_id > 1000 * changed[preset.preset_id])
            clusters = evidence.scoring.clusters.take(where)
            rivalry = preset.optimized_against_own
            expected = comparison("FSRS-6", "Your parameters", (new_loss - own_loss)[where], clusters)
            assert rivalry.comparison.difference.low_high == pytest.approx(expected.difference.low_high)
            assert rivalry.past == realized_difference((new_loss - own_loss)[where], clusters)
            assert (rivalry.reviews, preset.reviews) == (where.sum(), in_preset.sum())
        assert sorted(preset.name for preset in scheduler.presets) == ["A", "B"]
        sizes = [preset.reviews for preset in scheduler.presets]
        assert sizes == sorted(sizes, reverse=True)
        day = {k: dt.datetime.fromtimestamp(when - 4 * 3600, dt.UTC).date().isoformat() for k, when in changed.items()}
        assert {preset.preset_id: preset.changed for preset in scheduler.presets} == day

    @pytest.mark.parametrize(
        ("parameters", "changed", "names", "reviews"),
        [
            (FORGETFUL, at(0.4), NAMES, "some"),
            (FORGETFUL, at(1.0), NAMES, None),
            (FORGETFUL, None, NAMES, None),
            (FORGETFUL, at(0.4), ("SM-2", "FSRS-6"), None),
            (FORGETFUL, at(0.4), ("SM-2", "Your parameters"), None),
            ((), at(1.0), NAMES, "all"),
            (tuple(round(p.default, 4) for p in FSRS_6.parameters), at(1.0), NAMES, "all"),
            (W4_5, at(1.0), NAMES, "all"),
            # The row of today's defaults does not stand for those of an older version.
            ((), at(1.0), ("SM-2", "FSRS-6", "FSRS-6 default"), "all"),
            (W4_5, at(1.0), ("SM-2", "FSRS-6", "FSRS-6 default"), None),
        ],
    )
    def test_comparison_needs_unseen_reviews_and_both_rows(
        self, parameters: Any, changed: Any, names: Any, reviews: Optional[str]
    ) -> None:
        (preset,) = describe_scheduler(snapshot(True, parameters, changed=changed), names).presets
        rivalry = preset.optimized_against_own
        compared = None if rivalry is None else "all" if rivalry.reviews == preset.reviews else "some"
        assert (compared, preset.accuracy.source == "default") == (reviews, reviews == "all")
        assert (preset.change is not None) is ("Your parameters" in names or reviews == "all")
        assert (preset.changed is None) is (changed is None)

    def test_presets_with_at_least_50_reviews_are_listed(self) -> None:
        collection = snapshot(True, (), ())
        p = evaluate_in_two_folds(collection, ("AVG",)).predictions
        card, count = np.unique(p.card_id[np.isin(p.card_id, collection.cards.card_id)], return_counts=True)
        for reviews, names in ((49, ["A"]), (50, ["A", "B"])):
            in_b = card[count == 1][:reviews]
            assert len(in_b) == reviews
            preset_id = np.isin(collection.cards.card_id, in_b).astype(np.int64)
            item = replace(collection, cards=replace(collection.cards, preset_id=preset_id))
            assert [preset.name for preset in describe_scheduler(item).presets] == names
        few_cards = select(collection, ScopeChoice("cards", "Few"), card[:10].tolist())
        presets = describe_scheduler(few_cards, ("Your parameters", "SM-2"), outlier_filter=False).presets
        assert {preset.name for preset in presets} == {"A", "B"}
        assert max(preset.reviews for preset in presets) < 50

    @pytest.mark.parametrize("parameters", [(), FORGETFUL])
    def test_preset_of_a_newer_fsrs_asks_for_an_update(self, parameters: Tuple[float, ...]) -> None:
        collection = change_presets(snapshot(True, parameters, FORGETFUL, changed=at(0.4)), newer_fsrs=(8, None))
        (advice,) = evaluate_in_two_folds(collection).report.advice
        assert (advice.code, advice.algorithm) == ("update", "Your parameters")
        assert "update" not in dict(codes(replace(collection, fsrs=False), ("FSRS-6", "Your parameters")))

    def test_presets_that_run_fsrs_7_are_compared_by_fsrs_7(self) -> None:
        seven = change_presets(snapshot(True, (), changed=at(1.0)), fsrs_version=(7,))
        for names, row in (((*NAMES, "FSRS-7"), "FSRS-7"), (NAMES, "FSRS-6")):
            (preset,) = describe_scheduler(seven, names).presets
            assert preset.optimized_against_own.comparison.algorithm == row

    def test_presets_with_different_versions_are_described(self) -> None:
        two = change_presets(snapshot(True, (), (), changed=at(0.4)), fsrs_version=(7, 6))
        in_use = describe_scheduler(two, (*NAMES, "FSRS-7 default")).presets
        assert {item.preset_id: item.accuracy.source for item in in_use} == {0: "default", 1: "default"}
        assert all(item.change is not None for item in in_use)

    def test_hidden_same_day_reviews_leave_the_presets_open(self) -> None:
        assert describe_scheduler(snapshot(True, FORGETFUL), same_day=False) == SchedulerInUse(True)
        assert codes(snapshot(True, FORGETFUL), same_day=False) == []


def prediction_change(collection: Snapshot, optimize: Optional[Any]) -> float:
    """Return the mean change of predictions, with this function instead of Anki's optimizer."""
    options = Options(algorithms=("Your parameters",), folds=2)
    scheduler = evaluate(collection, options, optimize=optimize).report.scheduler
    return scheduler.change


class TestPredictionChange:
    @staticmethod
    @functools.cache
    def small() -> Snapshot:
        """Simulate two months of reviews in two presets with different parameters, across decks."""
        collection = simulate(Learner(days=60)).snapshot
        cards = replace(collection.cards, preset_id=collection.cards.card_id % 2)
        presets = (Preset(0, "A", FORGETFUL), Preset(1, "B", PUBLISHED))
        return replace(collection, cards=cards, presets=presets, fsrs=True)

    def test_each_preset_is_fitted_to_its_reviews_with_recency(self) -> None:
        data = prepare(self.small(), Options(folds=2))[0]
        label = data.label("preset")
        parameters = dict(optimize_presets(data, {0: 6, 1: 6}))
        for preset in (item.preset_id for item in self.small().presets or ()):
            w, review = parameters[preset], np.flatnonzero(label == preset)
            weight = 0.25 + 0.75 * np.linspace(0, 1, len(review)) ** 3
            min_loss = _slow_loss(w, data, review, weight)
            for index, p in enumerate(FSRS_6.parameters):
                for step in (-0.1, 0.1):
                    changed = w.copy()
                    changed[index] = w[index] * np.exp(step * p.width) if p.log else w[index] + step * p.width
                    if p.lower <= changed[index] <= p.upper:
                        assert _slow_loss(changed, data, review, weight) > min_loss, (preset, index, step)

    def test_mean_is_over_the_scored_reviews_of_cards_that_exist(self) -> None:
        evaluation = evaluate_in_two_folds(self.small(), ("Your parameters",))
        data, first = evaluation.evidence.data, evaluation.evidence.data.folds[0].test_start
        current = evaluation.predictions.predicted["Your parameters"]
        label = data.label("preset")
        changes = [
            abs(_slow_recall(w, data, int(review)) - current[review - first])
            for preset, w in optimize_presets(data, {0: 6, 1: 6})
            for review in first + np.flatnonzero(label[first:] == preset)
        ]
        assert len(changes) < len(current)
        assert evaluation.report.scheduler.change == pytest.approx(np.mean(changes))

    def test_ankis_own_optimizer_is_used(self) -> None:
        collection = self.small()
        is_suspended = collection.cards.card_id % 5 == 0
        collection = replace(collection, cards=replace(collection.cards, set_aside=is_suspended))
        keep_parameters = Mock(side_effect=lambda _rows, current: current)
        assert prediction_change(collection, keep_parameters) == 0
        calls = [call.args for call in keep_parameters.call_args_list]
        assert [current for _, current in calls] == [FORGETFUL, PUBLISHED]
        all_rows = prepare(collection, Options(folds=2))[0].rows
        for preset, (rows, _) in enumerate(calls):
            requested = np.isin(
                all_rows.card_id, collection.cards.card_id[(collection.cards.preset_id == preset) & ~is_suspended]
            )
            assert rows.log_row.tolist() == all_rows.log_row[requested].tolist()

    @pytest.mark.parametrize("part", ["deck", "search", "since"])
    def test_part_is_optimized_on_all_reviews_and_measured_on_its_own(
        self, part: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        collection, since = self.small(), None
        assert collection.cards is not None
        deck_id = collection.cards.card_id // 2 % 3
        collection = replace(collection, cards=replace(collection.cards, deck_id=deck_id), decks=(Deck(1, "One"),))
        all_reviews = prepare(collection, Options())[0].reviews
        item = collection
        if part == "since":
            since = collection.clock.date_of(int(np.median(all_reviews.day)))
        else:
            item = select(collection, ScopeChoice(part, "One"), collection.cards.card_id[::3].tolist())
        optimize_spy = Mock(side_effect=optimize_presets)
        monkeypatch.setattr(scheduler_in_use, "optimize_presets", optimize_spy)
        options = Options(("Your parameters", "FSRS-6 default"), folds=2, since=since)
        evaluation = evaluate(item, options, optimize=lambda _rows, _current: PUBLISHED)
        optimize_spy.assert_called_once()
        assert optimize_spy.call_args.args[0].reviews.review_id.tolist() == all_reviews.review_id.tolist()
        assert evaluation.report.scope.reviews < len(all_reviews) / 2
        p = evaluation.predictions
        difference = np.abs(p.predicted["Your parameters"] - p.predicted["FSRS-6 default"])
        exist = np.isin(p.card_id, collection.cards.card_id)
        for preset in evaluation.report.scheduler.presets:
            in_preset = exist & (p.card_id % 2 == preset.preset_id)
            assert (preset.reviews, preset.change) == (in_preset.sum(), pytest.approx(difference[in_preset].mean()))

    def test_ignored_cards_are_not_optimized_on(self) -> None:
        """Half of the cards are ignored in preset A, and all in preset B."""
        rows = prepare(self.small(), Options(folds=2))[0].rows
        first = {int(card): int(when) for card, when in zip(rows.card_id[::-1], rows.review_id[::-1], strict=True)}
        dates = int(np.median(list(first.values()))), int(rows.review_id[-1]) + 1
        collection = change_presets(self.small(), ignore_before=dates)
        keep_parameters = Mock(side_effect=lambda _rows, current: current)
        report = evaluate(collection, Options(("Your parameters",), folds=2), optimize=keep_parameters).report
        optimized = {card for card, when in first.items() if card % 2 == 0 and when >= dates[0]}
        cards = collection.cards.card_id.tolist()  # type: ignore[union-attr]
        assert [set(call.args[0].card_id) for call in keep_parameters.call_args_list] == [optimized & set(cards)]
        by_name = {item.name: item for item in report.scheduler.presets}  # type: ignore[union-attr]
        assert (by_name["A"].change, by_name["A"].nothing_to_optimize) == (0.0, None)
        assert (by_name["B"].change, by_name["B"].nothing_to_optimize) == (None, "ignored")

    @pytest.mark.parametrize(
        ("suspended", "ignored", "deleted", "presets", "advice"),
        [
            ("AB", "", "", 2, "all cards that you reviewed are suspended."),
            ("", "AB", "", 2, "“Ignore cards reviewed before” leaves out every card that is not suspended."),
            ("A", "B", "", 2, "“Ignore cards reviewed before” leaves out every card that is not suspended."),
            ("", "", "AB", 1, "all cards that you reviewed are deleted."),
            # If there are several presets, that of deleted cards is unknown.
            ("A", "", "AB", 2, None),
            ("A", "", "B", 1, "all cards that you reviewed are suspended."),
        ],
    )
    def test_advice_says_why_anki_would_find_nothing_to_optimize(
        self, suspended: str, ignored: str, deleted: str, presets: int, advice: Optional[str]
    ) -> None:
        collection, never = self.small(), int(self.small().revlog.review_id.max()) + 1
        collection = change_presets(collection, ignore_before=[never * (name in ignored) for name in "AB"])
        assert collection.cards is not None
        name = np.array(["A", "B"])[collection.cards.card_id % 2]
        kept, set_aside = (np.isin(name, list(names)) for names in (set("AB") - set(deleted), suspended))
        columns = (collection.cards.card_id, collection.cards.deck_id, collection.cards.preset_id, set_aside)
        cards = Cards(*(column[kept] for column in columns))  # type: ignore[index]
        collection = replace(collection, cards=cards, presets=(collection.presets or ())[:presets])
        optimize = Mock()
        names = "Your parameters", "FSRS-6", "Anki-SM-2"
        report = evaluate(collection, Options(names, folds=2), optimize=optimize).report
        assert (optimize.called, report.scheduler.change) == (False, None)  # type: ignore[union-attr]
        keep_on = "Keep FSRS on, and check again in a few weeks."
        assert what_to_do(report) == keep_on + (f" Anki would find nothing to optimize: {advice}" if advice else "")
        unknown = "All cards that you reviewed are deleted, so their presets are unknown."
        assert (unknown in headline_text(report).below) is (advice is None)
        # Deleted cards count with the only preset in use.
        if presets == 1:
            assert [item.reviews for item in report.presets] == [report.scope.reviews]

    def test_our_optimizer_replaces_ankis_where_it_cannot_be_used(self, monkeypatch: pytest.MonkeyPatch) -> None:
        own_change = prediction_change(self.small(), None)
        assert own_change > 0
        assert prediction_change(self.small(), Mock(side_effect=OptimizerFailed(detail="panic"))) == own_change
        assert prediction_change(self.small(), lambda _rows, _current: [1.0] * 35) == own_change
        data = prepare(self.small(), Options(folds=2))[0]
        sizes = sorted(len(part.rows) for preset, _, part in data.partitions("preset") if preset >= 0)
        for max_rows, calls in ((sizes[-1], 2), (sizes[-1] - 1, 1), (sizes[0] - 1, 0)):
            monkeypatch.setattr(scheduler_in_use, "MAX_FOR_ANKI", max_rows)
            optimize = Mock(return_value=PUBLISHED)
            prediction_change(self.small(), optimize)
            assert optimize.call_count == calls
        monkeypatch.undo()
        prediction_change(change_presets(self.small(), fsrs_version=(7, 7), parameters=((), ())), optimize)
        assert optimize.call_count == 0

    def test_optimizing_can_be_cancelled(self) -> None:
        reports: List[Evaluation] = []

        def cancel(_fraction: float, _stage: str, _algorithm: str, done: int, total: int) -> None:
            if done and done == total:
                raise Cancelled

        options = Options(algorithms=("Your parameters",), folds=2)
        with pytest.raises(Cancelled):
            evaluate(self.small(), options, progress=Progress(cancel), on_update=reports.append)
        assert reports == []


def _slow_recall(w: Floats, data: Dataset, review: int) -> float:
    """Predict one review by the plain formulas of FSRS-6."""
    rows, row = data.rows, int(data.reviews.row[review])
    first, last = row - int(rows.position[row]), row + 1
    days, ratings = (column[first:last].tolist() for column in (rows.elapsed_days, rows.rating))
    return PlainFSRS(w).recalls(ratings[0], list(zip(days, ratings, strict=True))[1:])[-1]


def _slow_loss(w: Floats, data: Dataset, review: Ints, weight: Floats) -> float:
    recall = np.array([_slow_recall(w, data, item) for item in review])
    loss = -np.log(np.where(data.reviews.recalled[review] == 1, recall, 1 - recall))
    start, width = (np.array([getattr(p, name) for p in FSRS_6.parameters]) for name in ("default", "width"))
    log = np.array([p.log for p in FSRS_6.parameters])
    deviation = np.where(log, np.log(np.where(log, w / start, 1)), w - start) / width
    return float((weight * loss).sum() + np.square(deviation).sum())


def test_source_without_settings_gets_no_advice() -> None:
    report = evaluate_in_two_folds(snapshot(None, FORGETFUL, changed=at(0.4))).report
    assert (report.scheduler, report.advice) == (None, ())
    without = evaluate_in_two_folds(replace(person(), fsrs=True, cards=None), NAMES[:3]).report
    assert (without.scheduler, without.advice) == (SchedulerInUse(True), ())


def test_advice_waits_for_all_rows() -> None:
    reports: List[Evaluation] = []
    evaluate(snapshot(False, ()), Options(("SM-2", "FSRS-6 default"), folds=2), on_update=reports.append)
    assert [(item.report.scheduler is None, len(item.report.advice)) for item in reports] == [(True, 0), (False, 1)]
