"""The derivatives of FSRS-5, FSRS-6 and FSRS-7 that were derived by hand, against their plain statements."""

from __future__ import annotations

from typing import Any, List, Tuple

import numpy as np
import numpy.typing as npt
import pytest
from catalogue_helpers import Steps, bounds, defaults, ids, trie_of
from hypothesis import given
from hypothesis import strategies as st
from reference_sets import SETS, data

from evaluator.algorithms import CATALOGUE
from evaluator.algorithms.algorithm import Parameter
from evaluator.algorithms.fsrs6 import FSRS6
from evaluator.algorithms.fsrs7 import FSRS7
from evaluator.fitting import fsrs, fsrs7, replay
from evaluator.fitting.fsrs import FSRSReplay
from evaluator.fitting.fsrs7 import Events, FSRS7Replay
from evaluator.fitting.recurrence import Recurrence
from evaluator.fitting.replay import Replay
from evaluator.histories import Trie
from evaluator.workload.slips import SLIPPING_FSRS_6

Floats = npt.NDArray[np.float64]
KERNELS: List[Any] = [
    *(CATALOGUE[name] for name in ("FSRS-5", "FSRS-6", "FSRS-6 binary", "FSRS-7")),
    SLIPPING_FSRS_6,
]

#: Intervals and ratings that reach every branch and every clamp.
_CARD = st.tuples(
    st.integers(1, 4),
    st.lists(
        st.tuples(st.sampled_from([0, 0, 1, 1, 2, 5, 30, 400, 36_500]), st.integers(1, 4)), min_size=1, max_size=12
    ).filter(lambda steps: any(days for days, _ in steps)),
)


@pytest.fixture(autouse=True)
def in_double_precision(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "SINGLE_PRECISION_FROM", np.inf)


def by_hand(algorithm: Any, trie: Trie) -> Replay:
    """The way that was derived by hand."""
    if algorithm is SLIPPING_FSRS_6:
        return SLIPPING_FSRS_6.on_trie(trie)
    return FSRS7Replay(Events.of(trie)) if isinstance(algorithm, FSRS7) else FSRSReplay(algorithm, trie)


def compare(algorithm: Any, trie: Trie, w: Floats, seed: int = 1) -> None:
    """Values, gradient and Jacobian of both ways."""
    plain, kernel = Recurrence(algorithm, trie), by_hand(algorithm, trie)
    derived, by_tape = kernel.linearise(w), plain.linearise(w)
    np.testing.assert_allclose(kernel.predict(w), plain.predict(w), rtol=1e-12)
    np.testing.assert_allclose(derived.predicted, by_tape.predicted, rtol=1e-12)
    by_predicted = np.random.default_rng(seed).normal(size=trie.places)
    jacobian = by_tape.jacobian()
    size = np.abs(jacobian).max(initial=1e-300)
    np.testing.assert_allclose(derived.jacobian(), jacobian, rtol=1e-9, atol=1e-12 * size)
    expected = by_tape.gradient(by_predicted)
    np.testing.assert_allclose(derived.gradient(by_predicted), expected, rtol=1e-9, atol=1e-10 * np.abs(expected).max())


@pytest.mark.parametrize("algorithm", KERNELS, ids=ids)
@pytest.mark.parametrize("name", SETS)
def test_on_whole_collections(algorithm: Any, name: str) -> None:
    lower, upper = bounds(algorithm)
    w = np.clip(np.array(defaults(algorithm)) * np.random.default_rng(2).uniform(0.9, 1.1, len(lower)), lower, upper)
    compare(algorithm, data(name).histories(algorithm.inputs), w)


@pytest.mark.parametrize("algorithm", KERNELS, ids=ids)
@given(cards=st.lists(_CARD, min_size=1, max_size=8), where=st.lists(st.floats(0.02, 0.98), min_size=34, max_size=34))
def test_on_random_histories(algorithm: Any, cards: List[Tuple[int, Steps]], where: List[float]) -> None:
    """Anywhere within the bounds: stabilities and difficulties at their limits, lapses at their ceiling.

    Of FSRS-7 also initial stabilities that a larger one counts for.
    """
    lower, upper = bounds(algorithm)
    w = lower + (upper - lower) * np.array(where[: len(lower)])
    compare(algorithm, trie_of(cards, algorithm.inputs), w)


@pytest.mark.parametrize("name", ["FSRS-6", "FSRS-7"])
def test_chunks_make_no_difference(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Derivatives taken 7 nodes at a time, or all at once."""
    algorithm: Any = CATALOGUE[name]
    trie = data("sim-c").histories(algorithm.inputs)
    w = np.array(defaults(algorithm))
    by_predicted = np.random.default_rng(3).normal(size=trie.places)
    whole = by_hand(algorithm, trie).linearise(w).gradient(by_predicted)
    monkeypatch.setattr(fsrs7 if name == "FSRS-7" else fsrs, "CHUNK", 7)
    parts = by_hand(algorithm, trie).linearise(w).gradient(by_predicted)
    np.testing.assert_allclose(parts, whole, rtol=1e-10, atol=1e-10 * np.abs(whole).max())


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("version", ["FSRS-5", "FSRS-6", "FSRS-7"])
def test_single_precision_is_enough(version: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many reviews are worked on in single precision, as the benchmark does."""
    algorithm: Any = CATALOGUE[version]
    trie, w = data(name).histories(algorithm.inputs), np.array(defaults(algorithm))
    by_predicted = np.random.default_rng(4).normal(size=trie.places)
    found = []
    for least in (0, np.inf):
        monkeypatch.setattr(replay, "SINGLE_PRECISION_FROM", least)
        at = algorithm.on_trie(trie).linearise(w)
        found.append((at.predicted, at.gradient(by_predicted), at.jacobian()))
    single, double = found
    np.testing.assert_allclose(single[0], double[0], rtol=0, atol=1e-6)
    np.testing.assert_allclose(single[1], double[1], rtol=1e-4, atol=1e-5 * np.abs(double[1]).max())
    np.testing.assert_allclose(single[2], double[2], rtol=1e-3, atol=1e-5 * np.abs(double[2]).max())


@pytest.mark.parametrize("version", ["FSRS-5", "FSRS-6", "FSRS-7"])
def test_single_precision_is_enough_at_the_bounds(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each parameter but the first stabilities, where the loss has kinks, at its lower bound."""
    algorithm: Any = CATALOGUE[version]
    trie = data("sim-c").histories(algorithm.inputs)
    by_predicted = np.random.default_rng(5).normal(size=trie.places)
    for index in range(4, len(algorithm.parameters)):
        w, found = np.array(defaults(algorithm)), []
        w[index] = algorithm.parameters[index].lower
        for least in (0, np.inf):
            monkeypatch.setattr(replay, "SINGLE_PRECISION_FROM", least)
            found.append(algorithm.on_trie(trie).linearise(w).gradient(by_predicted))
        single, double = found
        np.testing.assert_allclose(single, double, rtol=2e-3, atol=1e-4 * np.abs(double).max(), err_msg=str(index))


def test_parameters_in_order_predict_the_same() -> None:
    """Of FSRS-7 those that are told are in the published order, by which it predicts anyway."""
    algorithm: Any = CATALOGUE["FSRS-7"]
    w = np.array(defaults(algorithm))
    w[:4], w[25:27] = (2.0, 1.0, 3.0, 2.5), (0.7, 0.6)
    ordered = algorithm.effective(w)
    assert ordered[:4].tolist() == [2.0, 2.0, 3.0, 3.0]
    assert ordered[25:27].tolist() == [0.7, 0.7]
    kernel = algorithm.on_trie(data("sim-c").histories(algorithm.inputs))
    np.testing.assert_array_equal(kernel.predict(w), kernel.predict(ordered))


@pytest.mark.parametrize("name", ["FSRS-6", "FSRS-7"])
def test_an_earlier_point_is_not_forgotten(name: str) -> None:
    """The arrays of a sweep are used again by the next; a linearisation asked later still answers for its own point."""
    algorithm: Any = CATALOGUE[name]
    trie = data("sim-c").histories(algorithm.inputs)
    first, second = np.array(defaults(algorithm)), np.array(defaults(algorithm)) * 1.01
    by_predicted = np.ones(trie.places)
    kernel = algorithm.on_trie(trie)
    expected = kernel.linearise(first).gradient(by_predicted)
    earlier = kernel.linearise(first)
    kernel.linearise(second)
    np.testing.assert_array_equal(earlier.gradient(by_predicted), expected)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *((name, FSRSReplay) for name in ("FSRS-5", "FSRS-6 recency", "FSRS-6 deck", "FSRS-5 default (wiki)")),
        *((name, FSRS7Replay) for name in ("FSRS-7 default", "FSRS-7 recency", "FSRS-7 deck")),
    ],
)
def test_who_has_it(name: str, kind: Any) -> None:
    algorithm: Any = CATALOGUE[name]
    assert isinstance(algorithm.on_trie(data("sim-c").histories(algorithm.inputs)), kind)


def test_other_formulas_do_not_have_it() -> None:
    """A version that replaces one of the formulas, or adds a parameter, is replayed as it says itself."""

    class Slower(FSRS6):
        def recall(self, w: Any, state: Any, elapsed: Any) -> Any:
            return 1 / (1 + elapsed / (9 * state[0]))

    class Longer(FSRS6):
        parameters = (*FSRS6.parameters, Parameter(1.0, 0.0, 2.0))

    for other in (Slower("slower", ""), Longer("longer", "")):
        assert isinstance(other.on_trie(data("sim-c").histories(other.inputs)), Recurrence)
