from __future__ import annotations

from typing import List, Tuple

import numpy as np
from people_predicted_right import people

from evaluator.interval import ConfidenceInterval
from evaluator.metrics.scores import log_loss_per_review
from evaluator.report import Comparison
from evaluator.statistics.paired import (
    Clusters,
    Floats,
    Ints,
    VarianceComponents,
    comparison,
    comparisons_by_group,
    paired_difference,
    smallest_detectable,
    variance_components,
)

GROUP = 200
LABEL: Ints = np.repeat([4, 9, -1], GROUP)
#: 50 cards of its own and 50 days in each group.
CLUSTERS = Clusters.of(np.arange(3 * GROUP) // 4, np.arange(3 * GROUP) % 50)


def differences(noise: float, *means: float) -> Floats:
    """Return differences of groups 4, 9 and -1, varying by ``noise`` around their means."""
    of_each: Floats = np.repeat(means, GROUP) + noise * np.random.default_rng(8).normal(0, 1, 3 * GROUP)
    return of_each


def by_group(noise: float, *means: float) -> Tuple[Comparison, ...]:
    return compared(differences(noise, *means), LABEL, CLUSTERS)


def compared(difference: Floats, group: Ints, clusters: Clusters) -> Tuple[Comparison, ...]:
    return comparisons_by_group("A", "B", difference, group, clusters)


def spreads(difference: Floats, clusters: Clusters = CLUSTERS) -> List[VarianceComponents]:
    """Return the variance components of groups -1, 4 and 9 that have enough reviews."""
    result = (variance_components(difference[label == LABEL], clusters.take(label == LABEL)) for label in (-1, 4, 9))
    return [item for item in result if item is not None]


def test_codes_follow_the_intervals_of_the_groups() -> None:
    result = by_group(0.03, -0.05, 0.05, 0.0)
    assert [(c.algorithm, c.baseline, c.code) for c in result] == [
        ("A", "B", "cannot_tell"),
        ("A", "B", "better"),
        ("A", "B", "worse"),
    ]
    assert comparison("A", "B", differences(0.03, -0.05, 0.05, 0.0), CLUSTERS).code == "cannot_tell"


def test_differences_within_the_margin_are_equivalent() -> None:
    result = by_group(0.0001, -0.001, 0.001, 0.0)
    assert [c.code for c in result] == ["equivalent"] * 3
    assert by_group(0.0004, -0.004, 0.004, 0.0)[1].code == "better"


def test_numbers_are_those_of_the_paired_difference() -> None:
    part = LABEL == 9
    difference = differences(0.03, -0.01, 0.004, 0.0)
    group_row, total = by_group(0.03, -0.01, 0.004, 0.0)[2], spreads(difference)[2]
    assert group_row.difference == paired_difference(difference[part], CLUSTERS.take(part)) == total.interval()
    assert group_row.smallest_detectable == smallest_detectable(total.standard_error, total.degrees)


def test_each_clear_group_makes_it_easier_for_the_others() -> None:
    noise = differences(0.05, 0.0, 0.0, 0.0)
    group_row = spreads(noise)[2]
    of_two, of_three = ((group_row.interval(several).high or 0) - group_row.mean for several in (2, 3))
    assert of_two < of_three
    days = np.arange(3 * GROUP) % 50
    one_day = Clusters.of(np.arange(3 * GROUP) // 4, np.where(LABEL == 4, 0, days))
    for reach, messages in (((of_two + of_three) / 2, "better"), (of_two - 1e-6, "cannot_tell")):
        gain = np.where(LABEL == 9, noise - group_row.mean - reach, noise)
        assert [c.code for c in compared(gain, LABEL, CLUSTERS)] == ["cannot_tell"] * 3
        assert [c.code for c in compared(gain, LABEL, one_day)] == ["cannot_tell", "too_few", messages]
        assert [c.code for c in compared(gain + (LABEL == 4), LABEL, CLUSTERS)] == ["cannot_tell", "worse", messages]


def test_many_groups_ask_for_more() -> None:
    """An interval that excludes 0 alone is not enough where thirty groups were looked at."""
    groups, size = 30, 200
    difference = np.random.default_rng(1).normal(0, 0.05, groups * size)
    difference[:size] += -0.0085 - difference[:size].mean()
    n = np.arange(groups * size)
    for sign in (1, -1):
        result = compared(sign * difference, n // size, Clusters.of(n // 4, n % 50))
        assert result[0].difference.compare_with() == -sign
        assert result[0].code == "cannot_tell"


def test_equal_losses_are_equivalent_and_a_constant_gain_is_better() -> None:
    result = by_group(0.0, 0.0, 0.0, 0.0)
    assert {(c.difference, c.code) for c in result} == {(ConfidenceInterval(0.0, 0.0, 0.0, 0.0), "equivalent")}
    (constant,) = compared(-np.ones(600), np.zeros(600, dtype=np.int64), CLUSTERS)
    assert constant.code == "better"


def test_empty_log_gives_no_groups() -> None:
    none = np.zeros(0, dtype=np.int64)
    assert compared(np.zeros(0), none, Clusters.of(none, none)) == ()


def test_groups_of_a_perfect_model_rarely_seem_to_differ() -> None:
    random = np.random.default_rng(2023)
    wrong = 0
    for p in people(random, 300):
        off = np.clip(p.predicted + random.choice([-0.03, 0.03], len(p.predicted)), 0.01, 0.99)
        difference = log_loss_per_review(off, p.recalled) - log_loss_per_review(p.predicted, p.recalled)
        difference = np.where(random.random(len(difference)) < 0.5, difference, -difference)  # neither is better
        result = compared(1e6 * difference, p.clusters.card // 40, p.clusters)  # so that the margin is next to nothing
        wrong += any(c.code in ("better", "worse") for c in result)
    assert wrong / 300 <= 0.08
