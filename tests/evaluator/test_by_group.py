"""Paired differences in groups of reviews, and in all."""

from __future__ import annotations

from typing import Tuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from people_predicted_right import people

from evaluator.metrics.scores import log_loss_per_review
from evaluator.report import MARGIN
from evaluator.statistics.by_group import GroupDifference, difference_of_all, differences_by_group
from evaluator.statistics.equivalence import smallest_detectable
from evaluator.statistics.paired import Clusters, Floats, Ints, paired_difference

GROUP = 200
LABEL: Ints = np.repeat([4, 9, -1], GROUP)
#: 50 cards of its own and 50 days in each group.
CLUSTERS = Clusters.of(np.arange(3 * GROUP) // 4, np.arange(3 * GROUP) % 50)


def differences(noise: float, *means: float) -> Floats:
    """Of groups 4, 9 and -1, varying by ``noise`` around their means."""
    of_each: Floats = np.repeat(means, GROUP) + noise * np.random.default_rng(8).normal(0, 1, 3 * GROUP)
    return of_each


def by_group(noise: float, *means: float, margin: float = MARGIN) -> Tuple[GroupDifference, ...]:
    return differences_by_group(differences(noise, *means), LABEL, CLUSTERS, margin=margin)


def test_outcomes() -> None:
    """Better by far, worse by far, and not to be told; in the order of labels."""
    found = by_group(0.03, -0.05, 0.05, 0.0)
    assert [part.group for part in found] == [-1, 4, 9]
    assert [part.outcome for part in found] == ["cannot_tell", "better", "worse"]
    assert [(part.reviews, part.cards, part.days) for part in found] == [(200, 50, 50)] * 3
    total = difference_of_all(differences(0.03, -0.05, 0.05, 0.0), CLUSTERS)
    assert (total.group, total.outcome, total.reviews) == (None, "cannot_tell", 600)


def test_equivalent_wins() -> None:
    """A significant difference within the margin is of no account."""
    found = by_group(0.0001, -0.001, 0.001, 0.0)
    assert [part.outcome for part in found] == ["equivalent"] * 3
    assert found[1].adjusted_p_value == pytest.approx(0, abs=1e-6)
    assert by_group(0.0001, -0.001, 0.001, 0.0, margin=0.0005)[1].outcome == "better"


def test_numbers_are_those_of_the_paired_difference() -> None:
    """Of the group's reviews; the smallest p-value is taken three times, the largest as it is."""
    found = by_group(0.03, -0.01, 0.004, 0.0)
    part = LABEL == 9
    d = paired_difference(
        differences(0.03, -0.01, 0.004, 0.0)[part], Clusters.of(CLUSTERS.card[part], CLUSTERS.day[part])
    )
    own = found[2]
    assert (own.difference, own.low, own.high) == pytest.approx((d.mean, d.low, d.high))
    assert own.smallest_detectable == pytest.approx(smallest_detectable(d.standard_error or 0, 49))
    plain = sorted(part.p_value or 0 for part in found)
    adjusted = sorted(part.adjusted_p_value or 0 for part in found)
    second = max(3 * plain[0], min(2 * plain[1], 1))
    assert adjusted == pytest.approx([min(3 * plain[0], 1), second, max(second, plain[2])])


def test_of_all_together_nothing_is_adjusted() -> None:
    total = difference_of_all(differences(0.03, -0.01, 0.004, 0.0), CLUSTERS)
    assert total.adjusted_p_value == total.p_value


def test_many_groups_ask_for_more() -> None:
    """An interval that excludes 0 alone is not enough where thirty groups were looked at."""
    groups, size = 30, 200
    difference = np.random.default_rng(1).normal(0, 0.05, groups * size)
    difference[:size] += -0.0085 - difference[:size].mean()
    n = np.arange(groups * size)
    found = differences_by_group(difference, n // size, Clusters.of(n // 4, n % 50))
    assert (found[0].high or 0) < 0
    assert found[0].outcome == "cannot_tell"


def test_few_days_give_no_interval() -> None:
    """And are not counted among the tests."""
    n = np.arange(3 * GROUP)
    clusters = Clusters.of(n // 4, np.where(LABEL == 4, 0, n % 50))
    found = differences_by_group(np.random.default_rng(2).normal(0, 1, 3 * GROUP), LABEL, clusters)
    without = found[1]
    assert (without.outcome, without.p_value, without.smallest_detectable) == ("no_interval", None, None)
    plain = min(found[0].p_value or 0, found[2].p_value or 0)
    assert min(found[0].adjusted_p_value or 0, found[2].adjusted_p_value or 0) == min(1, 2 * plain)


def test_equal_losses() -> None:
    """Exactly 0, equivalent, and no evidence against it; one constant gain is evidence."""
    found = by_group(0.0, 0.0, 0.0, 0.0, margin=0.0)
    assert {(part.difference, part.p_value, part.outcome) for part in found} == {(0.0, 1.0, "equivalent")}
    (constant,) = differences_by_group(-np.ones(600), np.zeros(600, dtype=np.int64), CLUSTERS)
    assert (constant.p_value, constant.outcome) == (pytest.approx(0, abs=1e-15), "better")


def test_without_reviews_there_are_no_groups() -> None:
    none = np.zeros(0, dtype=np.int64)
    assert differences_by_group(np.zeros(0), none, Clusters.of(none, none)) == ()
    with pytest.raises(ValueError, match="no reviews"):
        difference_of_all(np.zeros(0), Clusters.of(none, none))


def test_what_is_refused() -> None:
    """Other lengths, and a margin below 0."""
    with pytest.raises(ValueError, match="different lengths"):
        differences_by_group(np.zeros(599), LABEL, CLUSTERS)
    with pytest.raises(ValueError, match="different lengths"):
        difference_of_all(np.zeros(599), CLUSTERS)
    with pytest.raises(ValueError, match="margin -1"):
        differences_by_group(np.zeros(600), LABEL, CLUSTERS, margin=-1)


@given(st.integers(0, 2**32 - 1))
def test_swapping_flips_everything(seed: int) -> None:
    """One for the other; and the groups average to the total."""
    random = np.random.default_rng(seed)
    difference = random.normal(np.repeat(random.normal(0, 0.05, 3), GROUP), 0.1)
    ab, ba = (
        (*differences_by_group(d, LABEL, CLUSTERS), difference_of_all(d, CLUSTERS)) for d in (difference, -difference)
    )
    flipped = {"better": "worse", "worse": "better"}
    for a, b in zip(ab, ba, strict=True):
        assert b.difference == pytest.approx(-a.difference)
        assert b.outcome == flipped.get(a.outcome, a.outcome)
    assert sum(part.difference * part.reviews for part in ab[:-1]) == pytest.approx(ab[-1].difference * 600)


def test_groups_of_a_perfect_model_are_rarely_told_apart() -> None:
    """Where the truth and a noisy copy of it are dealt out by lot, some group is told apart in at most 8 % of cases."""
    random = np.random.default_rng(2023)
    wrong = 0
    for p in people(random, 300):
        off = np.clip(p.predicted + random.choice([-0.03, 0.03], len(p.predicted)), 0.01, 0.99)
        difference = log_loss_per_review(off, p.recalled) - log_loss_per_review(p.predicted, p.recalled)
        difference = np.where(random.random(len(difference)) < 0.5, difference, -difference)  # neither is better
        found = differences_by_group(difference, p.clusters.card // 40, p.clusters, margin=0.0)
        wrong += any(part.outcome in ("better", "worse") for part in found)
    assert wrong / 300 <= 0.08
