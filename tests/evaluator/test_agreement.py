"""Whether the winner depends on which reviews are asked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from people_predicted_right import person

from evaluator.metrics.scores import log_loss_per_review
from evaluator.statistics.agreement import PairedLoss, agreement, halves, held_against, variant
from evaluator.statistics.paired import Clusters, Floats, paired_difference

N = 400
CLUSTERS = Clusters.of(np.arange(N) % 50, np.arange(N) // 4)
NAMES = ("A", "B", "C")


def losses(earlier: tuple[float, ...], later: tuple[float, ...]) -> Floats:
    """Mean losses of A, B and C in the two halves of time, with some noise."""
    means = np.concatenate([np.tile(np.array([half]).T, N // 2) for half in (earlier, later)], axis=1)
    noise = np.random.default_rng(1).normal(0, 0.01, means.shape)
    return means + noise


def test_the_same_winner() -> None:
    """Ordered by mean loss, with the paired interval of the first two."""
    of = losses((0.3, 0.2, 0.4), (0.35, 0.2, 0.3))
    found = agreement(NAMES, of, CLUSTERS, halves(CLUSTERS.day))
    assert (found.reference.name, found.reference.winner, found.changes) == ("all", "B", False)
    assert found.codes == ("same", "same")
    earlier, later = found.variants
    assert [name for name, _ in earlier.losses] == ["B", "A", "C"]
    assert [name for name, _ in later.losses] == ["B", "C", "A"]
    assert (earlier.reviews, earlier.cards, earlier.days) == (200, 50, 50)
    d = paired_difference(of[1, :200] - of[0, :200], Clusters.of(CLUSTERS.card[:200], CLUSTERS.day[:200]))
    close = earlier.runner_up
    assert (close.algorithm, close.against) == ("B", "A")
    assert (close.difference, close.low, close.high) == pytest.approx((d.mean, d.low, d.high))
    assert earlier.upset is None


def test_another_winner() -> None:
    """Clearly in the later half, where C beats the reference's winner B; the runner-up there is A."""
    found = agreement(NAMES, losses((0.5, 0.1, 0.6), (0.25, 0.3, 0.2)), CLUSTERS, halves(CLUSTERS.day))
    assert found.reference.winner == "B"
    assert (found.codes, found.changes) == (("same", "other_clearly"), True)
    later = found.variants[1]
    assert (later.winner, later.runner_up.against) == ("C", "A")
    assert later.upset is not None
    assert (later.upset.against, later.upset.difference) == ("B", pytest.approx(0.2 - 0.3, abs=0.005))


def test_another_winner_by_a_hair() -> None:
    """In the later half B is lower by 0.0001 on the mean, and by 0.2 now higher, now lower: not clearly better."""
    swing = np.tile([0.1, -0.1], N // 4)
    earlier, later = np.full((2, N // 2), [[0.2], [0.4]]), np.array([0.3 + swing, 0.2999 - swing])
    found = agreement(("A", "B"), np.concatenate([earlier, later], axis=1), CLUSTERS, halves(CLUSTERS.day))
    assert (found.reference.winner, found.variants[1].winner) == ("A", "B")
    assert (found.codes, found.changes) == (("same", "other"), True)
    assert found.variants[1].upset == found.variants[1].runner_up


def test_ties_keep_their_order() -> None:
    """The first that was given; its lead is exactly 0."""
    found = variant("tie", NAMES, np.full((3, N), 0.3), CLUSTERS)
    assert [name for name, _ in found.losses] == ["A", "B", "C"]
    assert (found.runner_up.difference, found.runner_up.low, found.runner_up.high) == (0, 0, 0)


def test_few_days_give_no_interval() -> None:
    """And no clear upset."""
    first = {"first days": np.arange(N) < 40}
    found = agreement(("A", "B"), np.where(np.arange(N) < 40, [[0.1], [0.9]], [[0.9], [0.1]]), CLUSTERS, first)
    assert (found.variants[0].winner, found.variants[0].runner_up.low, found.codes) == ("A", None, ("other",))


def test_variants_of_other_evaluations() -> None:
    """An upset is known from the runner-up, where that is the reference's winner."""
    reference = variant("filtered", NAMES, losses((0.3, 0.2, 0.4), (0.3, 0.2, 0.4)), CLUSTERS)
    other = variant("unfiltered", NAMES, losses((0.1, 0.2, 0.4), (0.1, 0.2, 0.4)), CLUSTERS)
    third = variant("since 2020", NAMES, losses((0.2, 0.3, 0.1), (0.2, 0.3, 0.1)), CLUSTERS)
    given_ = variant("clipped", NAMES, losses((0.2, 0.3, 0.1), (0.2, 0.3, 0.1)), CLUSTERS, against="B")
    found = held_against(reference, [reference, other, third, given_])
    assert found.codes == ("same", "other_clearly", "other", "other_clearly")


def test_halves_by_hand() -> None:
    """Days 1, 1, 1, 4, 6: three to two is closer than four to one; a day stays whole, in any order."""
    found = halves(np.array([6, 1, 4, 1, 1]))
    assert found["earlier half"].tolist() == [False, True, False, True, True]
    assert found["later half"].tolist() == [True, False, True, False, False]
    assert halves(np.array([3, 3])) == {}
    assert halves(np.zeros(0, dtype=np.int64)) == {}


def test_an_interval_that_ends_at_0_is_not_clear() -> None:
    """Only one that leaves out 0."""
    first = variant("all", NAMES, losses((0.2, 0.3, 0.4), (0.2, 0.3, 0.4)), CLUSTERS)
    other = variant("other", NAMES, losses((0.3, 0.2, 0.4), (0.3, 0.2, 0.4)), CLUSTERS)
    codes = []
    for high in (-0.0001, 0.0):
        codes += held_against(first, [replace(other, upset=PairedLoss("B", "A", -0.1, -0.2, high))]).codes
    assert codes == ["other_clearly", "other"]


def test_of_two_borders_that_are_as_good_the_earlier_is_taken() -> None:
    """Three days of one review each: 1 and 2, not 2 and 1."""
    assert halves(np.array([5, 6, 7]))["earlier half"].tolist() == [True, False, False]


def test_what_is_refused() -> None:
    """One algorithm, no reviews, wrong shapes, unknown names, empty masks."""
    with pytest.raises(ValueError, match="1 algorithms; at least 2"):
        variant("v", ["A"], np.zeros((1, N)), CLUSTERS)
    with pytest.raises(ValueError, match=r"losses \(3, 5\)"):
        variant("v", NAMES, np.zeros((3, 5)), CLUSTERS)
    none = np.zeros(0, dtype=np.int64)
    with pytest.raises(ValueError, match=r"losses \(3, 0\)"):
        variant("v", NAMES, np.zeros((3, 0)), Clusters.of(none, none))
    with pytest.raises(ValueError, match="Z is none of"):
        variant("v", NAMES, np.zeros((3, N)), CLUSTERS, against="Z")
    with pytest.raises(ValueError, match="nothing: 0 of 400"):
        agreement(NAMES, np.zeros((3, N)), CLUSTERS, {"nothing": np.zeros(N, dtype=bool)})


@given(st.integers(0, 2**32 - 1))
def test_properties(seed: int) -> None:
    """Losses ascend, the lead is never above 0, and the variant of all reviews agrees with the reference."""
    random = np.random.default_rng(seed)
    of = random.normal(0.3, 0.1, (3, N))
    found = agreement(NAMES, of, CLUSTERS, {"all of them": np.ones(N, dtype=bool), **halves(CLUSTERS.day)})
    assert found.codes[0] == "same"
    for each in (found.reference, *found.variants):
        means = [loss for _, loss in each.losses]
        assert means == sorted(means)
        assert each.runner_up.difference <= 0
        assert (each.upset is None) == (each.winner == found.reference.winner)
    flipped = agreement(NAMES[::-1], of[::-1], CLUSTERS, halves(CLUSTERS.day))
    assert [v.winner for v in flipped.variants] == [v.winner for v in found.variants[1:]]


def test_a_perfect_model_wins_everywhere() -> None:
    """Against one that says 10 points too little, and one that always says the average."""
    p = person(np.random.default_rng(9), 6000, days=120)
    said = [p.predicted, p.predicted - 0.1, np.full(6000, p.predicted.mean())]
    of = np.array([log_loss_per_review(q, p.recalled) for q in said])
    found = agreement(NAMES, of, p.clusters, halves(p.clusters.day))
    assert (found.reference.winner, found.codes) == ("A", ("same", "same"))
    assert (found.reference.runner_up.high or 0) < 0
