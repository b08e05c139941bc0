from __future__ import annotations

import numpy as np
import pytest

from tools.simulate.drift import draw_drift, learner_drift


def test_drift_without_persistence_is_independent_noise():
    drift = draw_drift(np.random.default_rng(5), 40, 0.3)
    np.testing.assert_array_equal(drift, np.random.default_rng(5).normal(0, 0.3, 40))


def test_steps_last_as_requested():
    effect = draw_drift(np.random.default_rng(1), 70, 0.5, step=30)
    assert len(effect) == 70
    assert list(np.flatnonzero(np.diff(effect))) == [29, 59]


@pytest.mark.parametrize(("persistence", "step"), [(0.0, 1), (0.9, 1), (0.5, 3)])
def test_drift_keeps_its_size_and_persistence(persistence, step):
    """The standard deviation is 0.4 on every day, and steps correlate with the next as requested."""
    random = np.random.default_rng(8)
    effects = np.array([draw_drift(random, 9, 0.4, persistence=persistence, step=step) for _ in range(10_000)])
    assert effects.std(axis=0) == pytest.approx(np.full(9, 0.4), rel=0.04)
    assert effects.mean(axis=0) == pytest.approx(np.zeros(9), abs=0.016)
    assert np.corrcoef(effects[:, 0], effects[:, step])[0, 1] == pytest.approx(persistence, abs=0.04)


def test_recall_and_load_drift_independently_by_the_requested_amount():
    recall, load = learner_drift(3, 500, 0.0)
    assert (recall == 0).all()
    assert (load == 1).all()
    recall, load = np.concatenate([learner_drift(seed, 500, 0.4) for seed in range(100)], axis=1)
    assert recall.std() == pytest.approx(0.4, rel=0.1)
    assert np.log(load).std() == pytest.approx(0.4, rel=0.1)
    assert np.corrcoef(recall, np.log(load))[0, 1] == pytest.approx(0, abs=0.1)
