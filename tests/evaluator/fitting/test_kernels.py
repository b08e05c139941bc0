from __future__ import annotations

from dataclasses import replace
from typing import Any, List

import numpy as np
import pytest
from catalog_helpers import Floats, bounds, defaults, ids, trie_of
from hypothesis import given
from hypothesis import strategies as st
from reference_sets import SETS, data

from evaluator.algorithms import CATALOG
from evaluator.algorithms.fsrs5 import FSRS5
from evaluator.algorithms.fsrs7 import FSRS7
from evaluator.data.histories import WITH_SAME_DAY, Trie
from evaluator.fitting import fsrs7_kernel, fsrs_kernel, replay
from evaluator.fitting.kernels import HAND_DERIVED, make_general_replay, make_replay
from evaluator.fitting.recurrence import Recurrence
from evaluator.workload.fitted import SlippingFSRS6

#: An algorithm of every class that has a hand-derived kernel.
REGISTERED: List[Any] = [kind(kind.__name__, "") for kind in HAND_DERIVED]

#: Strategy for cards whose intervals and ratings reach every branch and every clamp.
_CARD = st.tuples(
    st.integers(1, 4),
    st.lists(
        st.tuples(st.sampled_from([0, 0, 1, 1, 2, 5, 30, 400, 36_500]), st.integers(1, 4)), min_size=1, max_size=12
    ).filter(lambda steps: any(days for days, _ in steps)),
)


@pytest.fixture(autouse=True)
def in_double_precision(monkeypatch):
    """Compute in double precision, because single precision differs by more than is tolerated."""
    monkeypatch.setattr(replay, "SINGLE_PRECISION_FROM", np.inf)


def compare_with_general_kernel(algorithm: Any, trie: Trie, w: Floats) -> None:
    """Check that the registered kernel's predictions, gradient and Jacobian equal those of the general one."""
    kernel, general = make_replay(algorithm, trie), make_general_replay(algorithm, trie)
    assert type(kernel) is not type(general)
    result, expected = kernel.linearize(w), general.linearize(w)
    np.testing.assert_allclose(kernel.predict(w), general.predict(w), rtol=1e-10)
    np.testing.assert_allclose(result.predicted, expected.predicted, rtol=1e-10)
    jacobian = expected.jacobian()
    np.testing.assert_allclose(result.jacobian(), jacobian, rtol=1e-9, atol=1e-12 * (1 + np.abs(jacobian).max()))
    by_predicted = np.random.default_rng(1).normal(size=trie.n_queries)
    gradient = expected.gradient(by_predicted)
    atol = 1e-12 + 1e-10 * np.abs(gradient).max()
    np.testing.assert_allclose(result.gradient(by_predicted), gradient, rtol=1e-9, atol=atol)


@pytest.mark.parametrize("algorithm", REGISTERED, ids=ids)
@given(cards=st.lists(_CARD, min_size=1, max_size=8), seed=st.integers(0, 2**32 - 1))
def test_every_registered_kernel_agrees_with_the_general_one(algorithm, cards, seed):
    lower, upper = bounds(algorithm)
    w = lower + (upper - lower) * np.random.default_rng(seed).uniform(0.02, 0.98, len(lower))
    compare_with_general_kernel(algorithm, trie_of(cards, algorithm.inputs), w)


@pytest.mark.parametrize("chunk", [9, None])
@pytest.mark.parametrize("name", ["FSRS-6", "FSRS-7"])
def test_kernels_agree_on_a_whole_collection(name, chunk, monkeypatch):
    algorithm = CATALOG[name]
    if chunk is not None:
        monkeypatch.setattr(fsrs7_kernel if name == "FSRS-7" else fsrs_kernel, "CHUNK", chunk)
    compare_with_general_kernel(algorithm, data("sim-c").histories(algorithm.inputs), np.array(defaults(algorithm)))


def linearize_in_both(algorithm: Any, trie: Trie, w: Floats, monkeypatch: pytest.MonkeyPatch) -> List[Any]:
    """Return the linearization in single precision, then in double precision."""
    result = []
    for min_queries in (0, np.inf):
        monkeypatch.setattr(replay, "SINGLE_PRECISION_FROM", min_queries)
        result.append(make_replay(algorithm, trie).linearize(w))
    return result


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("version", ["FSRS-5", "FSRS-6", "FSRS-7"])
def test_single_precision_is_enough(version, name, monkeypatch):
    algorithm = CATALOG[version]
    trie = data(name).histories(algorithm.inputs)
    by_predicted = np.random.default_rng(4).normal(size=trie.n_queries)
    single, double = linearize_in_both(algorithm, trie, np.array(defaults(algorithm)), monkeypatch)
    gradient = double.gradient(by_predicted)
    jacobian = double.jacobian()
    np.testing.assert_allclose(single.predicted, double.predicted, rtol=0, atol=1e-6)
    np.testing.assert_allclose(single.gradient(by_predicted), gradient, rtol=1e-4, atol=1e-5 * np.abs(gradient).max())
    np.testing.assert_allclose(single.jacobian(), jacobian, rtol=1e-3, atol=1e-5 * np.abs(jacobian).max())


@pytest.mark.parametrize("version", ["FSRS-5", "FSRS-6", "FSRS-7"])
def test_single_precision_is_enough_at_lower_bounds(version, monkeypatch):
    """The initial stabilities, w0 to w3, are left out."""
    algorithm = CATALOG[version]
    trie = data("sim-c").histories(algorithm.inputs)
    by_predicted = np.random.default_rng(4).normal(size=trie.n_queries)
    for index in range(4, len(algorithm.parameters)):
        w = np.array(defaults(algorithm))
        w[index] = algorithm.parameters[index].lower
        both = linearize_in_both(algorithm, trie, w, monkeypatch)
        single, double = (linearization.gradient(by_predicted) for linearization in both)
        np.testing.assert_allclose(single, double, rtol=2e-3, atol=1e-4 * np.abs(double).max(), err_msg=str(index))


def test_ordering_parameters_keeps_predictions():
    algorithm = CATALOG["FSRS-7"]
    w = np.array(defaults(algorithm))
    w[:4] = 2.0, 1.0, 3.0, 2.5
    w[25:27] = 0.7, 0.6
    ordered = algorithm.effective_parameters(w)
    assert ordered[:4].tolist() == [2.0, 2.0, 3.0, 3.0]
    assert ordered[25:27].tolist() == [0.7, 0.7]
    kernel = make_replay(algorithm, data("sim-c").histories(algorithm.inputs))
    np.testing.assert_array_equal(kernel.predict(w), kernel.predict(ordered))


@pytest.mark.parametrize("name", ["FSRS-6", "FSRS-7"])
def test_earlier_gradient_stays_valid(name):
    algorithm = CATALOG[name]
    trie = data("sim-c").histories(algorithm.inputs)
    first = np.array(defaults(algorithm))
    second = 1.01 * first
    by_predicted = np.ones(trie.n_queries)
    kernel = make_replay(algorithm, trie)
    expected = kernel.linearize(first).gradient(by_predicted)
    earlier = kernel.linearize(first)
    later = kernel.linearize(second).predicted.copy()
    np.testing.assert_array_equal(earlier.gradient(by_predicted), expected)
    np.testing.assert_array_equal(kernel.predict(second), later)


def test_fsrs_5_to_7_run_on_hand_derived_kernels():
    trie = trie_of([(3, [(1, 3)])], WITH_SAME_DAY)
    general = {name for name, item in CATALOG.items() if isinstance(item, (FSRS5, FSRS7)) and is_general(item, trie)}
    assert general == set()
    assert SlippingFSRS6 in HAND_DERIVED


def is_general(algorithm: Any, trie: Trie) -> bool:
    return isinstance(make_replay(algorithm, trie), Recurrence)


@pytest.mark.parametrize("changed", ["penalty", "inputs", "first", "step", "recall", "_same_day_stability"])
@pytest.mark.parametrize("registered", REGISTERED, ids=ids)
def test_only_other_formulas_or_more_parameters_need_the_general_kernel(registered, changed):
    subclass = type("Subclass", (type(registered),), {changed: lambda *_: None})
    trie = trie_of([(3, [(1, 3)])], registered.inputs)
    is_formula = changed not in {"penalty", "inputs"} and hasattr(registered, changed)
    assert is_general(subclass("", ""), trie) == is_formula
    longer = replace(registered, parameters=(*registered.parameters, registered.parameters[0]))
    assert is_general(longer, trie)
