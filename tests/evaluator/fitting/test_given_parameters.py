from __future__ import annotations

import functools
import re
from dataclasses import replace
from math import log
from typing import Any, ClassVar, Dict, List, Optional, Sequence, Tuple

import anki._backend
import numpy as np
import pytest
from anki.scheduler_pb2 import FsrsBenchmarkRequest, FsrsBenchmarkResponse, FsrsItem, FsrsReview
from catalog_helpers import W4_5, W5, Floats, bounds, dataset_of, defaults, fit, optimizer, snapshot_with_presets
from catalog_helpers import W6 as PUBLISHED
from hypothesis import given
from hypothesis import strategies as st
from made_logs import CLOCK, card, lively, log_of

from evaluator.algorithms import CATALOG
from evaluator.algorithms.your_parameters import as_run, out_of_bounds
from evaluator.data.revlog import Cards, Ints, Preset, Snapshot
from evaluator.errors import DecksUnknown, NoParameters, OddParameters, OptimizerFailed, OptimizerMissing
from evaluator.evaluation import evaluate
from evaluator.fitting.anki_optimizer import Items
from evaluator.fitting.fit import fit_and_predict
from evaluator.fitting.kernels import make_replay
from evaluator.options import Options
from evaluator.report import AlgorithmResult, Failure, Report
from evaluator.scoring.report_builder import Evaluation
from ui.anki.optimizer import MIN_ITEMS, benchmark_trainer, encode
from ui.text import strings
from ui.text.error_sentences import error_sentence
from ui.views.results_table_cells import notes, rows

#: Parameters that differ from the published ones.
W6 = [1.01 * value for value in PUBLISHED]
DEFAULT_7 = tuple(defaults(CATALOG["FSRS-7 default"]))
W7 = as_run([1.01 * value for value in DEFAULT_7], 7)
# fmt: off
#: Published defaults of older versions of FSRS.
OLDER_DEFAULTS: Dict[str, Tuple[float, ...]] = {
    "FSRS v4": (
        0.4, 0.6, 2.4, 5.8, 4.93, 0.94, 0.86, 0.01, 1.49, 0.14, 0.94, 2.18, 0.05, 0.34, 1.26, 0.29, 2.61,
    ),
    "FSRS-4.5, first": (
        0.5614, 1.2546, 3.5878, 7.9731, 5.1043, 1.1303, 0.823, 0.0465, 1.629, 0.135, 1.0045, 2.132, 0.0839, 0.3204,
        1.3547, 0.219, 2.7849,
    ),
    "FSRS-4.5": tuple(W4_5),
    "FSRS-5, first": (
        0.4197, 1.1869, 3.0412, 15.2441, 7.1434, 0.6477, 1.0007, 0.0674, 1.6597, 0.1712, 1.1178, 2.0225, 0.0904, 0.3025,
        2.1214, 0.2498, 2.9466, 0.4891, 0.6468,
    ),
    "FSRS-5": tuple(W5),
    "FSRS-6 before June 2025": (
        0.2172, 1.1771, 3.2602, 16.1507, 7.0114, 0.57, 2.0966, 0.0069, 1.5261, 0.112, 1.0178, 1.849, 0.1133, 0.3127,
        2.2934, 0.2191, 3.0004, 0.7536, 0.3332, 0.1437, 0.2,
    ),
}
# fmt: on


class TestConversion:
    """Conversion of stored parameters to those of FSRS-6 or FSRS-7."""

    def test_parameters_of_older_versions_are_converted(self):
        """Older versions get a decay of 0.5 and same-day gains that do not fade.

        The 17 parameters of FSRS-4.5 also get w4 + 2 w5, ln(3 w5 + 1) / 3, w6 + 0.5 and no same-day effects.
        """
        expected = [*W4_5[:4], 5.1618 + 2 * 1.2298, log(3 * 1.2298 + 1) / 3, 0.8975 + 0.5, *W4_5[7:], 0, 0, 0, 0.5]
        assert as_run(W4_5) == pytest.approx(expected, rel=1e-12)
        assert as_run(W5) == (*W5, 0, 0.5)

    def test_parameters_of_fsrs_6_are_kept_and_missing_ones_are_the_defaults(self):
        assert as_run(W6) == pytest.approx(W6)
        assert as_run([]) == tuple(defaults(CATALOG["FSRS-6 default"]))

    def test_fsrs_7_parameters_are_clipped_but_not_converted(self):
        assert as_run([], 7) == DEFAULT_7
        lower, upper = bounds(CATALOG["FSRS-7"])
        assert as_run([-1e9] * 34, 7) == tuple(lower)
        assert as_run([1e9] * 34, 7) == tuple(upper)

    @pytest.mark.parametrize(("version", "stored"), [(7, [1.0] * 35), (7, [float("nan")] * 34), (6, [1.0] * 18)])
    def test_unknown_counts_and_parameters_that_are_no_numbers_are_refused(self, version, stored):
        with pytest.raises(OddParameters) as caught:
            as_run(stored, version)
        assert caught.value.facts == {"count": len(stored)}

    @pytest.mark.parametrize(
        ("stored", "version", "count"),
        [
            ([], 6, 0),
            # 14 parameters must be above 0.
            ([0.0] * 21, 6, 14),
            ([1e9] * 21, 6, 21),
            # The conversion adds w20.
            ([0.0] * 19, 6, 14 - 1),
            (W4_5, 6, 0),
            # w4 becomes 11, but is at most 10.
            ([*W4_5[:4], 9.0, 1.0, *W4_5[6:]], 6, 1),
            # w19 is at most 0.8.
            ([*W6[:19], 0.81, 0.5], 6, 1),
            ([], 7, 0),
            ([-1e9] * 34, 7, 34),
            # Bounds as Anki stores them are within the rounding.
            *((np.float32(bound).tolist(), 6, 0) for bound in bounds(CATALOG["FSRS-6"])),
            *((np.float32(bound).tolist(), 7, 0) for bound in bounds(CATALOG["FSRS-7"])),
        ],
    )
    def test_clipped_parameters_are_counted(self, stored, version, count):
        assert len(out_of_bounds(Preset(1, "", tuple(stored), fsrs_version=version))) == count


def predict_with(snapshot: Snapshot, name: str) -> Floats:
    """Return an algorithm's predictions in two folds."""
    return fit(CATALOG[name], snapshot).predicted


def predict_with_parameters(snapshot: Snapshot, w: Sequence[float], name: str = "FSRS-6 default") -> Floats:
    """Return an algorithm's predictions with the same parameters for all cards."""
    dataset = dataset_of(snapshot)
    algorithm = CATALOG[name]
    histories = dataset.histories(algorithm.inputs)
    result = make_replay(algorithm, histories).predict(np.array(w))
    return result[histories.query_of_review[dataset.folds[0].test_start :]]


class TestYourParameters:
    #: Each preset's stored parameters, and those that FSRS-6 uses.
    presets: ClassVar[Dict[int, Tuple[List[float], Sequence[float]]]] = {
        10: (W6, W6),
        20: (W5, as_run(W5)),
        30: (W4_5, as_run(W4_5)),
        40: ([], as_run([])),
    }

    @staticmethod
    def preset_ids(card_id: Ints) -> Ints:
        return np.array([10, 10, 20, 30, 40])[card_id % 5]

    def snapshot(self, deleted: Sequence[int] = ()) -> Snapshot:
        """Return a lively log whose cards are in turn in the presets 10 (twice), 20, 30 and 40, except deleted ones."""
        log_ = log_of(lively())
        card_id = np.setdiff1d(np.unique(log_.card_id), deleted)
        presets = tuple(
            Preset(number, f"Preset {number}", tuple(stored)) for number, (stored, _) in self.presets.items()
        )
        return Snapshot(log_, CLOCK, Cards(card_id, np.ones_like(card_id), self.preset_ids(card_id)), presets)

    def test_each_card_uses_the_parameters_of_its_preset(self):
        snapshot = self.snapshot()
        dataset = dataset_of(snapshot)
        preset_id = self.preset_ids(dataset.reviews.card_id[dataset.folds[0].test_start :])
        result = predict_with(snapshot, "Your parameters")
        for number, (_, w) in self.presets.items():
            mask = preset_id == number
            assert mask.any()
            np.testing.assert_allclose(result[mask], predict_with_parameters(snapshot, w)[mask], rtol=1e-12)

    def test_deleted_cards_use_the_most_used_preset(self):
        """Preset 10 has most of the reviews."""
        deleted = [2, 3, 4, 7]
        snapshot = self.snapshot(deleted)
        dataset = dataset_of(snapshot)
        mask = np.isin(dataset.reviews.card_id, deleted)[dataset.folds[0].test_start :]
        assert mask.any()
        result = predict_with(snapshot, "Your parameters")
        np.testing.assert_allclose(result[mask], predict_with_parameters(snapshot, W6)[mask], rtol=1e-12)
        without_deleted = predict_with(self.snapshot(), "Your parameters")
        np.testing.assert_allclose(result[~mask], without_deleted[~mask], rtol=1e-12)

    def test_clipped_parameters_are_noted(self):
        changed = {20: (0.0,) * 21, 40: (*W6[:20], 0.9)}
        snapshot = self.snapshot()
        presets = tuple(replace(p, parameters=changed.get(p.preset_id, p.parameters)) for p in snapshot.presets or ())
        report = self.report(replace(snapshot, presets=presets))
        assert report.results[0].clipped == {"Preset 20": 14, "Preset 40": 1}
        with_equal_names = tuple(replace(preset, name="Default") for preset in presets)
        assert self.row(replace(snapshot, presets=with_equal_names)).clipped == {"Default": 15}
        (text,) = notes(rows(report))
        assert text.endswith("parameters clipped to FSRS's bounds, as in Anki: Preset 20 (14), Preset 40 (1).")
        assert (self.row(snapshot).clipped, notes(rows(self.report(snapshot)))) == ({}, [])

    def with_fsrs_7(self, *numbers: int, parameters: Sequence[float] = W7) -> Snapshot:
        """Return the snapshot with FSRS-7 in the presets of these numbers."""
        presets = self.snapshot().presets or ()
        as_fsrs_7 = {"parameters": tuple(parameters), "fsrs_version": 7}
        return replace(
            self.snapshot(), presets=tuple(replace(p, **as_fsrs_7) if p.preset_id in numbers else p for p in presets)
        )

    def report(self, snapshot: Snapshot) -> Report:
        return evaluate(snapshot, Options(algorithms=("Your parameters",), folds=2)).report

    def row(self, snapshot: Snapshot) -> AlgorithmResult:
        return self.report(snapshot).results[0]

    def test_each_preset_is_predicted_by_the_version_that_it_runs(self):
        snapshot = self.with_fsrs_7(20, 40)
        dataset = dataset_of(snapshot)
        preset_id = self.preset_ids(dataset.reviews.card_id[dataset.folds[0].test_start :])
        is_fsrs_7 = np.isin(preset_id, (20, 40))
        result = predict_with(snapshot, "Your parameters")
        np.testing.assert_allclose(
            result[is_fsrs_7], predict_with_parameters(snapshot, W7, "FSRS-7 default")[is_fsrs_7], rtol=1e-12
        )
        np.testing.assert_array_equal(result[~is_fsrs_7], predict_with(self.snapshot(), "Your parameters")[~is_fsrs_7])

    @pytest.mark.parametrize(
        ("numbers", "stored", "in_sample", "note"),
        [
            ((10, 20, 30, 40), W7, True, "fsrs7"),
            ((10, 20, 30, 40), (), False, "published_fsrs7"),
            ((10, 20, 30, 40), DEFAULT_7, False, "published_fsrs7"),
            ((20, 40), W7, True, "versions"),
            ((20, 40), (), True, "partly_published_fsrs7"),
        ],
    )
    def test_note_and_uses_follow_the_versions(self, numbers, stored, in_sample, note):
        row = self.row(self.with_fsrs_7(*numbers, parameters=stored))
        assert (row.error, row.in_sample, row.note) == (None, in_sample, note)
        assert "intervals_to_the_second" in row.uses
        assert ("intervals" in row.uses) == (len(numbers) < 4)
        assert note in strings.NOTES

    @pytest.mark.parametrize(("presets", "stored"), [(1, []), (2, []), (2, PUBLISHED)])
    def test_presets_without_parameters_of_their_own_predict_with_the_published_ones(self, presets, stored):
        empty = tuple(Preset(10 * (n + 1), "Default", tuple(stored)) for n in range(presets))
        snapshot = replace(snapshot_with_presets(), presets=empty)
        row = self.row(snapshot)
        assert (row.error, row.in_sample, row.note) == (None, False, "published")
        np.testing.assert_array_equal(
            predict_with(snapshot, "Your parameters"), predict_with(snapshot, "FSRS-6 default")
        )

    @pytest.mark.parametrize("version", OLDER_DEFAULTS)
    def test_defaults_of_older_versions_were_fitted_to_nobody(self, version):
        published = OLDER_DEFAULTS[version]
        as_stored = [tuple(np.array(published, dtype=np.float32).tolist()), as_run(published)]
        if len(published) == 17:
            # FSRS-5 converted the parameters of FSRS-4.5 to 19.
            as_stored.append(as_run(published)[:19])
        # More than single precision changes.
        changed = (published[0] + 0.0002, *published[1:])
        for stored, in_sample in (*((stored, False) for stored in as_stored), (changed, True)):
            snapshot = replace(snapshot_with_presets(), presets=(Preset(10, "Default", stored),))
            row = self.row(snapshot)
            assert (row.error, row.in_sample, row.note) == (None, in_sample, None)
            names = [item.name for item in Options().for_snapshot(snapshot).algorithms_to_run()]
            assert {"Your parameters", "FSRS-6 default"} <= set(names)

    def test_source_without_presets_has_no_parameters(self):
        snapshot = replace(snapshot_with_presets(), presets=None)
        report = evaluate(snapshot, Options(algorithms=("AVG", "Your parameters"), folds=2)).report
        assert report.result("Your parameters").error == Failure.of(NoParameters())
        assert report.result("AVG").error is None

    @pytest.mark.parametrize(
        ("stored", "version", "sentences"),
        [
            ([1.0] * 18, 6, ["'Odd' cannot be used (number: 18)", "SRS Evaluator"]),
            ([1.0] * 35, 6, ["'Odd' cannot be used (number: 35)", "SRS Evaluator"]),
            ([-1.0] * 17, 6, ["'Odd' has 17 FSRS parameters", "some are not finite"]),
            ([float("nan")] * 21, 6, ["'Odd' has 21 FSRS parameters", "some are not finite"]),
            ([1.0] * 21, 0, ["a newer version of FSRS (preset: Odd), which are unknown here. Update SRS Evaluator"]),
            ([], 8, ["FSRS-8 (preset: Odd), which are unknown here. Update SRS Evaluator"]),
        ],
    )
    def test_unusable_parameters_fail_only_their_row(self, stored, version, sentences):
        unusable = Preset(10, "Odd", tuple(stored), fsrs_version=version)
        snapshot = replace(snapshot_with_presets(), presets=(unusable, Preset(20, "Default", ())))
        report = evaluate(snapshot, Options(algorithms=("AVG", "Your parameters"), folds=2)).report
        error = report.result("Your parameters").error
        assert error is not None
        text = error_sentence(error)
        assert all(sentence in text for sentence in sentences)
        assert ("some are not finite" in text) is ("SRS Evaluator" not in text)
        if version != 6:
            assert error == Failure("newer_parameters", {"version": version, "preset": "Odd"})
        assert report.result("AVG").error is None


class TestDecks:
    @staticmethod
    @functools.cache
    def two_decks() -> Snapshot:
        """Return a log with two decks that are recalled 98% and 55% of the time."""
        random = np.random.default_rng(3)
        answers = []
        for number in range(240):
            share = 0.98 if number % 2 == 0 else 0.55
            days = [1, *random.integers(1, 9, 4).tolist()]
            steps = [(elapsed, 3 if random.random() < share else 1) for elapsed in days]
            answers += card(number, 3, *steps, start=number // 4)
        log_ = log_of(answers)
        card_id = np.unique(log_.card_id)
        return Snapshot(log_, CLOCK, Cards(card_id, 1 + card_id % 2, 10 + card_id % 2))

    def test_decks_that_differ_are_predicted_better_by_their_own_parameters(self):
        names = ("FSRS-6", "FSRS-6 deck", "FSRS-6 preset")
        report = evaluate(self.two_decks(), Options(algorithms=names)).report
        common, by_deck, by_preset = (report.result(row_name).log_loss for row_name in names)
        assert by_deck == by_preset < common - 0.01

    def test_each_deck_is_fitted_to_its_own_reviews(self):
        dataset = dataset_of(self.two_decks(), folds=5)
        by_deck = fit_and_predict(CATALOG["FSRS-6 deck"], dataset)
        common = fit_and_predict(CATALOG["FSRS-6"], dataset)
        np.testing.assert_array_equal(by_deck.parameters, common.parameters)
        partitions = list(dataset.partitions("deck"))
        assert {deck for deck, _, _ in partitions} == {1, 2}
        for _, mask, part in partitions:
            tested = mask[dataset.folds[0].test_start :]
            assert tested.sum() == sum(fold.test_stop - fold.test_start for fold in part.folds)
            assert set(part.reviews.card_id) == set(dataset.reviews.card_id[mask])
            recalled = part.reviews.recalled[part.folds[0].test_start :].mean()
            distance = [abs(result.predicted[tested].mean() - recalled) for result in (by_deck, common)]
            assert distance[0] < distance[1]

    @pytest.mark.parametrize(
        ("name", "kind"), [("FSRS-6 deck", "deck"), ("FSRS-6 preset", "preset"), ("Your parameters", "preset")]
    )
    def test_log_without_cards_is_an_error(self, name, kind):
        bare = Snapshot(snapshot_with_presets().revlog, CLOCK)
        evaluation = evaluate(bare, Options(algorithms=("AVG", name), folds=2))
        row = evaluation.report.result(name)
        assert row.error == Failure.of(DecksUnknown(what=kind))
        assert evaluation.report.result("AVG").log_loss is not None

    def test_deleted_cards_share_parameters(self):
        snapshot = snapshot_with_presets()
        kept = snapshot.cards.card_id % 4 > 0
        cards = Cards(*(column[kept] for column in (snapshot.cards.card_id, snapshot.cards.deck_id)))
        dataset = dataset_of(replace(snapshot, cards=cards))
        parts = {deck: set(part.reviews.card_id % 4) for deck, _, part in dataset.partitions("deck")}
        assert parts == {-1: {0}, 1: {2}, 2: {1, 3}}
        assert np.isfinite(fit_and_predict(CATALOG["FSRS-6 deck"], dataset).predicted).all()


class TestOptimized:
    @pytest.mark.parametrize("version", ["FSRS-6", "FSRS-7"])
    @pytest.mark.parametrize("presets", ["one preset", "one preset and deleted cards", "no cards"])
    def test_single_preset_equals_recency(self, version, presets):
        snapshot = snapshot_with_presets()
        kept = snapshot.cards.card_id
        if presets == "one preset and deleted cards":
            kept = kept[kept % 4 == 1]
        cards = None if presets == "no cards" else Cards(kept, np.ones_like(kept), np.full_like(kept, 10))
        dataset = dataset_of(replace(snapshot, cards=cards))
        assert len(np.unique(dataset.reviews.card_id % 4)) == 4
        optimized, recency = (fit_and_predict(CATALOG[f"{version} {way}"], dataset) for way in ("optimized", "recency"))
        for column in ("predicted", "parameters", "converged"):
            np.testing.assert_array_equal(getattr(optimized, column), getattr(recency, column))

    def test_deleted_cards_count_with_the_most_used_preset(self):
        snapshot = snapshot_with_presets()
        cards = snapshot.cards
        in_common_preset = cards.card_id % 4 > 1
        in_rare_preset = cards.card_id % 4 == 1
        preset_id = np.where(in_rare_preset, 10, 20)

        def predicted(kept):
            existing = Cards(cards.card_id[kept], cards.deck_id[kept], preset_id[kept])
            return fit(CATALOG["FSRS-6 optimized"], replace(snapshot, cards=existing)).predicted

        np.testing.assert_array_equal(predicted(in_common_preset | in_rare_preset), predicted(cards.card_id >= 0))


def items_of(*cards: Sequence[Tuple[int, int]]) -> Items:
    """Return one training item per card, with all its (rating, days) reviews."""
    lengths = [len(reviews) for reviews in cards]
    stop = np.cumsum(lengths, dtype=np.int64)
    rating, days = (np.array([review[k] for reviews in cards for review in reviews], dtype=np.int64) for k in (0, 1))
    return Items(stop - np.array(lengths, dtype=np.int64), stop, rating, days)


def encode_by_protobuf(items: Items) -> bytes:
    """Return the request of these items, as Anki's protobuf classes encode it."""
    columns = zip(items.rating.tolist(), items.elapsed_days.tolist(), strict=True)
    reviews = [FsrsReview(rating=rating, delta_t=days) for rating, days in columns]
    slices = map(slice, items.start.tolist(), items.stop.tolist())
    return FsrsBenchmarkRequest(train_set=[FsrsItem(reviews=reviews[part]) for part in slices]).SerializeToString()


_REVIEW = st.tuples(
    st.integers(1, 4), st.one_of(st.sampled_from([0, 1, 127, 128, 16_383, 16_384]), st.integers(0, 40_000))
)


class TestProtobuf:
    @given(st.lists(st.lists(_REVIEW, max_size=40), max_size=6), st.randoms(use_true_random=False))
    def test_encoded_items_equal_those_of_protobuf(self, cards, random):
        all_items = items_of(*cards)
        prefixes = [
            (start, end)
            for start, stop in zip(all_items.start.tolist(), all_items.stop.tolist(), strict=True)
            for end in range(start + 1, stop + 1)
        ]
        random.shuffle(prefixes)
        start, stop = np.array(prefixes, dtype=np.int64).reshape(-1, 2).T
        items = replace(all_items, start=start, stop=stop)
        assert encode(items) == encode_by_protobuf(items)

    def test_items_match_the_reviews_of_the_log(self):
        given_items = []

        def spy(items):
            given_items.append(items)
            return ()

        dataset = dataset_of(snapshot_with_presets())
        fit_and_predict(CATALOG["FSRS-rs"], dataset, spy)
        # Two threads train, in any order.
        given_items.sort(key=lambda items: len(items.start))
        assert [len(items.start) for items in given_items] == [fold.test_start for fold in dataset.folds]
        items = given_items[0]
        assert encode(items) == encode_by_protobuf(items)
        for k in (0, 50, len(items.start) - 1):
            card_id = dataset.reviews.card_id[k]
            rows = np.flatnonzero(
                (dataset.rows.card_id == card_id) & (dataset.rows.review_id <= dataset.reviews.review_id[k])
            )
            np.testing.assert_array_equal(items.rating[items.start[k] : items.stop[k]], dataset.rows.rating[rows])
            np.testing.assert_array_equal(
                items.elapsed_days[items.start[k] : items.stop[k]], dataset.rows.elapsed_days[rows]
            )


class Panic(BaseException):
    """The error that pyo3 raises when Rust panics, which is not an Exception."""


def fake_backend(monkeypatch: pytest.MonkeyPatch, answer: Any) -> List[bytes]:
    """Replace Anki's backend by one that returns or raises this answer, and return the list of its requests."""
    requests = []

    class FakeBackend:
        def __init__(self, **options: Any) -> None:
            pass

        if answer is not None:

            def fsrs_benchmark_raw(self, request: bytes) -> bytes:
                requests.append(request)
                if isinstance(answer, BaseException):
                    raise answer
                return bytes(answer)

    monkeypatch.setattr(anki._backend, "RustBackend", FakeBackend)
    return requests


def evaluate_with(optimizer: Optional[Any]) -> Evaluation:
    """Evaluate FSRS-rs and two other algorithms with this optimizer."""
    options = Options(algorithms=("AVG", "FSRS-rs", "FSRS-6 default"), folds=2)
    return evaluate(snapshot_with_presets(), options, optimizer=optimizer)


class TestAnkisOptimizer:
    def test_parameters_of_ankis_optimizer_are_used(self, monkeypatch):
        requests = fake_backend(monkeypatch, FsrsBenchmarkResponse(params=W5).SerializeToString())
        report = evaluate_with(benchmark_trainer()).report
        assert len(requests) == 2
        row = report.result("FSRS-rs")
        assert row.error is None
        assert len(row.parameters_per_fold) == 2
        for w in row.parameters_per_fold:
            assert w == pytest.approx(as_run(W5), rel=1e-6)
        assert row.note == "old_optimizer"

    def test_too_few_items_are_not_sent_to_anki(self, monkeypatch):
        requests = fake_backend(monkeypatch, b"")
        compute = benchmark_trainer()
        assert list(compute(items_of(*[[(3, 0), (3, 1)]] * (MIN_ITEMS - 1)))) == []
        assert list(compute(items_of())) == []
        # No item ends on a card's second day.
        assert list(compute(items_of(*[[(3, 0), (3, 1), (3, 2)]] * MIN_ITEMS))) == []
        assert requests == []
        for first_interval in (1, 7):
            compute(items_of(*[[(3, 0), (3, first_interval)]] * MIN_ITEMS))
        assert len(requests) == 2

    def test_default_parameters_are_not_reported_as_trained(self):
        first = dataset_of(snapshot_with_presets(), folds=2).folds[0].test_start
        row = evaluate_with(lambda items: W6 if len(items.start) > first else ()).report.result("FSRS-rs")
        assert row.parameters_per_fold == (tuple(PUBLISHED), pytest.approx(W6))
        assert row.note == "too_little"
        assert evaluate_with(lambda _: W6).report.result("FSRS-rs").note is None

    @pytest.mark.parametrize("failure", [Panic("attempt to divide by zero"), RuntimeError("no more memory")])
    def test_failing_optimizer_fails_only_its_row(self, failure, monkeypatch):
        real = optimizer()
        fake_backend(monkeypatch, failure)
        compute = benchmark_trainer()
        with pytest.raises(OptimizerFailed) as caught:
            compute(items_of(*[[(3, 0), (3, 1)]] * MIN_ITEMS))
        assert caught.value.facts == {"detail": str(failure)}
        evaluation = evaluate_with(compute)
        assert evaluation.report.result("FSRS-rs").error == Failure("optimizer_failed", {"detail": str(failure)})
        assert set(evaluation.predictions.predicted) == {"AVG", "FSRS-6 default"}
        expected = evaluate_with(real)
        for name in ("AVG", "FSRS-6 default"):
            assert evaluation.report.result(name).log_loss == expected.report.result(name).log_loss

    @pytest.mark.parametrize("answer", [[1.0] * 34, [1.0] * 35, [float("nan")] * 21])
    def test_parameters_of_a_newer_fsrs_fail_only_its_row(self, answer, monkeypatch):
        fake_backend(monkeypatch, FsrsBenchmarkResponse(params=answer).SerializeToString())
        report = evaluate_with(benchmark_trainer()).report
        error = report.result("FSRS-rs").error
        assert error == Failure("optimizer_result_unusable", {"count": len(answer)})
        sentence = rf"parameters that Anki's optimizer returned \(number: {len(answer)}\)\. Update SRS Evaluator"
        if len(answer) == 21:
            sentence = "returned 21 parameters.* some are not finite numbers.*FSRS-6.$"
        assert re.search(sentence, error_sentence(error))
        assert report.result("AVG").error is None

    def test_optimizer_is_missing_without_anki(self):
        assert evaluate_with(None).report.result("FSRS-rs").error == Failure.of(OptimizerMissing())
