"""Own parameters for each group against shared ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from people_predicted_right import people

from evaluator.metrics.scores import log_loss_per_review
from evaluator.statistics.paired import Clusters, Floats, Ints, paired_difference
from evaluator.statistics.splitting import MARGIN, Splitting, compare_splitting

GROUP = 200
LABEL: Ints = np.repeat([4, 9, -1], GROUP)
#: 50 cards of its own and 50 days in each group.
CLUSTERS = Clusters.of(np.arange(3 * GROUP) // 4, np.arange(3 * GROUP) % 50)


def split(noise: float, *means: float, margin: float = MARGIN) -> Splitting:
    """Of groups 4, 9 and -1, whose differences vary by ``noise`` around their means."""
    random = np.random.default_rng(8)
    shared: Floats = random.normal(0.3, 0.1, 3 * GROUP)
    own = shared + np.repeat(means, GROUP) + noise * random.normal(0, 1, 3 * GROUP)
    return compare_splitting(own, shared, LABEL, CLUSTERS, margin=margin)


def test_outcomes() -> None:
    """Better by far, worse by far, and not to be told; in the order of labels."""
    found = split(0.03, -0.05, 0.05, 0.0)
    assert [part.group for part in found.groups] == [-1, 4, 9]
    assert [part.outcome for part in found.groups] == ["cannot_tell", "better", "worse"]
    assert [part.recommendation for part in found.groups] == ["cannot_tell", "split", "keep_together"]
    assert [(part.reviews, part.cards, part.days) for part in found.groups] == [(200, 50, 50)] * 3
    assert (found.total.group, found.total.outcome, found.recommendation) == (None, "cannot_tell", "cannot_tell")


def test_equivalent_wins() -> None:
    """A significant difference within the margin is of no account."""
    found = split(0.0001, -0.001, 0.001, 0.0)
    assert [part.outcome for part in found.groups] == ["equivalent"] * 3
    assert found.groups[1].adjusted_p_value == pytest.approx(0, abs=1e-6)
    assert found.recommendation == "keep_together"
    assert split(0.0001, -0.001, 0.001, 0.0, margin=0.0005).groups[1].outcome == "better"


def test_numbers_are_those_of_the_paired_difference() -> None:
    """Of the group's reviews; the smallest p-value is taken three times, the largest as it is."""
    found = split(0.03, -0.01, 0.004, 0.0)
    part = LABEL == 9
    random = np.random.default_rng(8)
    random.normal(0.3, 0.1, 3 * GROUP)
    difference = 0.004 + 0.03 * random.normal(0, 1, 3 * GROUP)[part]
    d = paired_difference(difference, Clusters.of(CLUSTERS.card[part], CLUSTERS.day[part]))
    own = found.groups[2]
    assert (own.difference, own.low, own.high) == pytest.approx((d.mean, d.low, d.high))
    plain = sorted(part.p_value or 0 for part in found.groups)
    adjusted = sorted(part.adjusted_p_value or 0 for part in found.groups)
    second = max(3 * plain[0], min(2 * plain[1], 1))
    assert adjusted == pytest.approx([min(3 * plain[0], 1), second, max(second, plain[2])])
    assert found.total.adjusted_p_value == found.total.p_value


def test_many_groups_ask_for_more() -> None:
    """An interval that excludes 0 alone is not enough where thirty groups were looked at."""
    groups, size = 30, 200
    difference = np.random.default_rng(1).normal(0, 0.05, groups * size)
    difference[:size] += -0.0085 - difference[:size].mean()
    n = np.arange(groups * size)
    found = compare_splitting(difference, 0 * difference, n // size, Clusters.of(n // 4, n % 50))
    assert (found.groups[0].high or 0) < 0
    assert (found.groups[0].outcome, found.groups[0].recommendation) == ("cannot_tell", "cannot_tell")


def test_few_days_give_no_interval() -> None:
    """And are not counted among the tests."""
    n = np.arange(3 * GROUP)
    clusters = Clusters.of(n // 4, np.where(LABEL == 4, 0, n % 50))
    random = np.random.default_rng(2)
    found = compare_splitting(random.normal(0, 1, 3 * GROUP), np.zeros(3 * GROUP), LABEL, clusters)
    without = found.groups[1]
    assert (without.outcome, without.recommendation, without.p_value) == ("no_interval", "cannot_tell", None)
    plain = min(found.groups[0].p_value or 0, found.groups[2].p_value or 0)
    assert min(found.groups[0].adjusted_p_value or 0, found.groups[2].adjusted_p_value or 0) == min(1, 2 * plain)


def test_equal_losses() -> None:
    """Exactly 0, equivalent, and no evidence against it; one constant gain is evidence."""
    found = split(0.0, 0.0, 0.0, 0.0, margin=0.0)
    assert {(part.difference, part.p_value, part.outcome) for part in found.groups} == {(0.0, 1.0, "equivalent")}
    constant = compare_splitting(np.zeros(600), np.ones(600), np.zeros(600, dtype=np.int64), CLUSTERS)
    assert (constant.groups[0].p_value, constant.recommendation) == (pytest.approx(0, abs=1e-15), "split")


def test_what_is_refused() -> None:
    """Nothing, other lengths, and a margin below 0."""
    none = np.zeros(0, dtype=np.int64)
    with pytest.raises(ValueError, match="no reviews"):
        compare_splitting(np.zeros(0), np.zeros(0), none, Clusters.of(none, none))
    with pytest.raises(ValueError, match="different lengths"):
        compare_splitting(np.zeros(600), np.zeros(599), LABEL, CLUSTERS)
    with pytest.raises(ValueError, match="margin -1"):
        compare_splitting(np.zeros(600), np.zeros(600), LABEL, CLUSTERS, margin=-1)


@given(st.integers(0, 2**32 - 1))
def test_swapping_flips_everything(seed: int) -> None:
    """Own for shared; and the groups average to the total."""
    random = np.random.default_rng(seed)
    own, shared = random.normal(np.repeat(random.normal(0, 0.05, 3), GROUP), 0.1), random.normal(0, 0.1, 3 * GROUP)
    ab, ba = (compare_splitting(*pair, LABEL, CLUSTERS) for pair in ((own, shared), (shared, own)))
    flipped = {"better": "worse", "worse": "better"}
    for a, b in zip((*ab.groups, ab.total), (*ba.groups, ba.total), strict=True):
        assert b.difference == pytest.approx(-a.difference)
        assert b.outcome == flipped.get(a.outcome, a.outcome)
    assert sum(part.difference * part.reviews for part in ab.groups) == pytest.approx(ab.total.difference * 600)


def test_groups_of_a_perfect_model_are_rarely_split() -> None:
    """Where the truth and a noisy copy of it are dealt out by lot, some group is told apart in at most 8 % of cases."""
    random = np.random.default_rng(2023)
    wrong = 0
    for p in people(random, 300):
        off = np.clip(p.predicted + random.choice([-0.03, 0.03], len(p.predicted)), 0.01, 0.99)
        own, shared = (log_loss_per_review(q, p.recalled) for q in (off, p.predicted))
        swap = random.random(len(own)) < 0.5  # neither is better
        own, shared = np.where(swap, shared, own), np.where(swap, own, shared)
        found = compare_splitting(own, shared, p.clusters.card // 40, p.clusters, margin=0.0)
        wrong += any(part.outcome in ("better", "worse") for part in found.groups)
    assert wrong / 300 <= 0.08
