"""Paired differences in groups of reviews, and in all."""

from __future__ import annotations

from typing import List, Optional, Tuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from people_predicted_right import people

from evaluator.interval import TOO_FEW, Interval
from evaluator.metrics.scores import log_loss_per_review
from evaluator.report import Comparison
from evaluator.statistics import paired
from evaluator.statistics.paired import (
    Clusters,
    Floats,
    Ints,
    Spread,
    comparison,
    comparisons_by_group,
    paired_difference,
    smallest_detectable,
    spread,
)

GROUP = 200
LABEL: Ints = np.repeat([4, 9, -1], GROUP)
#: 50 cards of its own and 50 days in each group.
CLUSTERS = Clusters.of(np.arange(3 * GROUP) // 4, np.arange(3 * GROUP) % 50)


def differences(noise: float, *means: float) -> Floats:
    """Of groups 4, 9 and -1, varying by ``noise`` around their means."""
    of_each: Floats = np.repeat(means, GROUP) + noise * np.random.default_rng(8).normal(0, 1, 3 * GROUP)
    return of_each


def by_group(noise: float, *means: float) -> Tuple[Comparison, ...]:
    return compared(differences(noise, *means), LABEL, CLUSTERS)


def compared(difference: Floats, group: Ints, clusters: Clusters) -> Tuple[Comparison, ...]:
    return comparisons_by_group("A", "B", difference, group, clusters)


def spreads(difference: Floats, clusters: Clusters = CLUSTERS) -> List[Spread]:
    """Of the groups -1, 4 and 9, as far as they bear an interval."""
    found = (spread(difference[label == LABEL], clusters.take(label == LABEL)) for label in (-1, 4, 9))
    return [one for one in found if one is not None]


def test_outcomes() -> None:
    """Better by far, worse by far, and not to be told; in the order of labels."""
    found = by_group(0.03, -0.05, 0.05, 0.0)
    assert [(c.algorithm, c.baseline, c.code) for c in found] == [
        ("A", "B", "cannot_tell"),
        ("A", "B", "better"),
        ("A", "B", "worse"),
    ]
    assert comparison("A", "B", differences(0.03, -0.05, 0.05, 0.0), CLUSTERS).code == "cannot_tell"


def test_equivalent_wins() -> None:
    found = by_group(0.0001, -0.001, 0.001, 0.0)
    assert [c.code for c in found] == ["equivalent"] * 3
    assert spreads(differences(0.0001, -0.001, 0.001, 0.0))[1].p_value < 1e-4
    assert by_group(0.0004, -0.004, 0.004, 0.0)[1].code == "better"


def test_numbers_are_those_of_the_paired_difference() -> None:
    part = LABEL == 9
    difference = differences(0.03, -0.01, 0.004, 0.0)
    own, whole = by_group(0.03, -0.01, 0.004, 0.0)[2], spreads(difference)[2]
    assert own.difference == paired_difference(difference[part], CLUSTERS.take(part)) == whole.interval
    assert own.smallest_detectable == smallest_detectable(whole.standard_error, whole.degrees)
    assert (own.earlier_half, own.later_half) == whole.halves


def test_p_values_are_adjusted_before_they_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    """The smallest is taken three times, the next twice, the largest as it is; without an interval there is none."""
    judged: List[Tuple[Interval, Optional[float]]] = []

    def judge(d: Interval, *, p_value: Optional[float]) -> str:
        judged.append((d, p_value))
        return TOO_FEW

    monkeypatch.setattr(paired, "judge", judge)
    by_group(0.03, -0.01, 0.004, 0.0)
    plain = sorted(one.p_value for one in spreads(differences(0.03, -0.01, 0.004, 0.0)))
    adjusted = sorted(p or 0 for _, p in judged)
    second = max(3 * plain[0], min(2 * plain[1], 1))
    assert adjusted == pytest.approx([min(3 * plain[0], 1), second, max(second, plain[2])])
    judged.clear()
    n = np.arange(3 * GROUP)
    clusters = Clusters.of(n // 4, np.where(LABEL == 4, 0, n % 50))
    difference = np.random.default_rng(2).normal(0, 1, 3 * GROUP)
    compared(difference, LABEL, clusters)
    (_, low), (_, none), (_, other) = judged
    assert none is None
    assert min(low or 0, other or 0) == min(1, 2 * min(one.p_value for one in spreads(difference, clusters)))


def test_many_groups_ask_for_more() -> None:
    """An interval that excludes 0 alone is not enough where thirty groups were looked at."""
    groups, size = 30, 200
    difference = np.random.default_rng(1).normal(0, 0.05, groups * size)
    difference[:size] += -0.0085 - difference[:size].mean()
    n = np.arange(groups * size)
    found = compared(difference, n // size, Clusters.of(n // 4, n % 50))
    assert found[0].difference.side() == -1
    assert found[0].code == "cannot_tell"


def test_equal_losses() -> None:
    """Exactly 0, equivalent, and no evidence against it; one constant gain is evidence."""
    found = by_group(0.0, 0.0, 0.0, 0.0)
    assert {(c.difference, c.code) for c in found} == {(Interval(0.0, 0.0, 0.0, 0.0), "equivalent")}
    assert [one.p_value for one in spreads(np.zeros(600))] == [1.0] * 3
    (constant,) = compared(-np.ones(600), np.zeros(600, dtype=np.int64), CLUSTERS)
    assert constant.code == "better"
    assert [one.p_value for one in spreads(-np.ones(600))] == [0.0] * 3


def test_without_reviews_there_are_no_groups() -> None:
    none = np.zeros(0, dtype=np.int64)
    assert compared(np.zeros(0), none, Clusters.of(none, none)) == ()


@given(st.integers(0, 2**32 - 1))
def test_swapping_flips_everything(seed: int) -> None:
    random = np.random.default_rng(seed)
    difference = random.normal(np.repeat(random.normal(0, 0.05, 3), GROUP), 0.1)
    ab, ba = ((*compared(d, LABEL, CLUSTERS), comparison("A", "B", d, CLUSTERS)) for d in (difference, -difference))
    flipped = {"better": "worse", "worse": "better"}
    for a, b in zip(ab, ba, strict=True):
        assert b.difference.estimate == pytest.approx(-a.difference.known)
        assert b.code == flipped.get(a.code, a.code)
    assert sum(c.difference.known * GROUP for c in ab[:-1]) == pytest.approx(ab[-1].difference.known * 600)


def test_groups_of_a_perfect_model_are_rarely_told_apart() -> None:
    """Where the truth and a noisy copy of it are dealt out by lot, some group is told apart in at most 8 % of cases."""
    random = np.random.default_rng(2023)
    wrong = 0
    for p in people(random, 300):
        off = np.clip(p.predicted + random.choice([-0.03, 0.03], len(p.predicted)), 0.01, 0.99)
        difference = log_loss_per_review(off, p.recalled) - log_loss_per_review(p.predicted, p.recalled)
        difference = np.where(random.random(len(difference)) < 0.5, difference, -difference)  # neither is better
        found = compared(1e6 * difference, p.clusters.card // 40, p.clusters)  # so that the margin is next to nothing
        wrong += any(c.code in ("better", "worse") for c in found)
    assert wrong / 300 <= 0.08
