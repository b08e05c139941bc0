from __future__ import annotations

from typing import Tuple

import numpy as np
from people_predicted_right import people

from evaluator.data.revlog import Ints
from evaluator.derivatives import Floats
from evaluator.interval import ConfidenceInterval
from evaluator.metrics.scores import log_loss_per_review
from evaluator.report import Comparison
from evaluator.statistics.paired import Clusters, compare, compare_by_group, realized_difference

GROUP_SIZE = 200
LABEL: Ints = np.repeat([4, 9, -1], GROUP_SIZE)
#: Each group has 50 cards of its own, on 50 days.
CLUSTERS = Clusters.of(np.arange(3 * GROUP_SIZE) // 4, np.arange(3 * GROUP_SIZE) % 50)


def differences(noise: float, *means: float) -> Floats:
    """Return differences of groups 4, 9 and -1, varying by ``noise`` around their means."""
    return np.repeat(means, GROUP_SIZE) + noise * np.random.default_rng(8).normal(0, 1, 3 * GROUP_SIZE)


def compare_groups(noise: float, *means: float) -> Tuple[Comparison, ...]:
    return compare_labels(differences(noise, *means), LABEL, CLUSTERS)


def compare_labels(difference: Floats, group: Ints, clusters: Clusters) -> Tuple[Comparison, ...]:
    groups = [np.flatnonzero(group == label) for label in np.unique(group)]
    return compare_by_group("A", "B", difference, groups, clusters)


def test_codes_follow_the_intervals_of_the_groups():
    result = compare_groups(0.03, -0.05, 0.05, 0.0)
    assert {(c.algorithm, c.baseline) for c in result} == {("A", "B")}
    assert [c.code for c in result] == ["cannot_tell", "better", "worse"]
    assert compare("A", "B", differences(0.03, -0.05, 0.05, 0.0), CLUSTERS).code == "cannot_tell"


def test_differences_within_the_margin_are_equivalent():
    result = compare_groups(0.0001, -0.001, 0.001, 0.0)
    assert [c.code for c in result] == ["equivalent"] * 3
    assert compare_groups(0.0004, -0.004, 0.004, 0.0)[1].code == "better"


def test_each_group_has_the_interval_of_its_own_reviews():
    part = LABEL == 9
    difference = differences(0.03, -0.01, 0.004, 0.0)
    expected = realized_difference(difference[part], CLUSTERS.take(part))
    assert compare_groups(0.03, -0.01, 0.004, 0.0)[2].difference == expected


def test_clear_groups_narrow_the_limits_of_the_others():
    """Two groups remain if the first is clearly worse, or has too few days."""
    noise = differences(0.05, 0.0, 0.0, 0.0)
    part = LABEL == 9
    mean = noise[part].mean()
    intervals = (realized_difference(noise[part], CLUSTERS.take(part), n_intervals=several) for several in (2, 3))
    half_of_two, half_of_three = ((interval.high or 0) - mean for interval in intervals)
    assert half_of_two < half_of_three
    days = np.arange(3 * GROUP_SIZE) % 50
    one_day = Clusters.of(np.arange(3 * GROUP_SIZE) // 4, np.where(LABEL == 4, 0, days))
    for shift, code in (((half_of_two + half_of_three) / 2, "better"), (half_of_two - 1e-6, "cannot_tell")):
        gain = np.where(part, noise - mean - shift, noise)
        assert [c.code for c in compare_labels(gain, LABEL, CLUSTERS)] == ["cannot_tell"] * 3
        assert [c.code for c in compare_labels(gain, LABEL, one_day)] == ["cannot_tell", "too_few", code]
        assert [c.code for c in compare_labels(gain + (LABEL == 4), LABEL, CLUSTERS)] == ["cannot_tell", "worse", code]


def test_many_groups_need_clearer_differences():
    """Among thirty groups, an interval that excludes 0 is not enough."""
    difference = np.random.default_rng(1).normal(0, 0.05, 30 * GROUP_SIZE)
    difference[:GROUP_SIZE] += -0.0085 - difference[:GROUP_SIZE].mean()
    n = np.arange(30 * GROUP_SIZE)
    for sign in (1, -1):
        result = compare_labels(sign * difference, n // GROUP_SIZE, Clusters.of(n // 4, n % 50))
        assert result[0].difference.compare_with() == -sign
        assert result[0].code == "cannot_tell"


def test_equal_losses_are_equivalent_and_a_constant_gain_is_better():
    result = compare_groups(0.0, 0.0, 0.0, 0.0)
    assert {(c.difference, c.code) for c in result} == {(ConfidenceInterval(0.0, 0.0, 0.0, 0.0), "equivalent")}
    (constant,) = compare_labels(-np.ones(600), np.zeros(600, dtype=np.int64), CLUSTERS)
    assert constant.code == "better"


def test_empty_log_gives_no_groups():
    empty = np.zeros(0, dtype=np.int64)
    assert compare_labels(np.zeros(0), empty, Clusters.of(empty, empty)) == ()


def test_groups_of_a_perfect_model_rarely_seem_to_differ():
    random = np.random.default_rng(2023)
    wrong = 0
    for p in people(random, 300):
        shifted = np.clip(p.predicted + random.choice([-0.03, 0.03], len(p.predicted)), 0.01, 0.99)
        difference = log_loss_per_review(shifted, p.recalled) - log_loss_per_review(p.predicted, p.recalled)
        # Random signs make neither better, and the factor makes the margin negligible.
        difference = np.where(random.random(len(difference)) < 0.5, difference, -difference)
        result = compare_labels(1e6 * difference, p.clusters.card // 40, p.clusters)
        wrong += any(c.code in ("better", "worse") for c in result)
    assert wrong / 300 <= 0.08
