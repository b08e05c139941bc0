from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import List, Sequence, Tuple

import numpy as np
import pytest
from catalog_helpers import PlainFSRS, Steps, defaults, fittable, ids
from hypothesis import given
from hypothesis import strategies as st
from made_logs import CLOCK, card, log_of

from evaluator import algorithms
from evaluator.algorithms import ALGORITHM_GROUPS, CATALOG, resolve
from evaluator.algorithms.algorithm import Recurrent
from evaluator.algorithms.fsrs5 import with_defaults
from evaluator.data.revlog import Cards, Preset, Selection, Snapshot
from evaluator.errors import BadOption, UnknownName
from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.scope import SAME_DAY_TABLE, ScopeChoice

NOT_OPTIMIZED = Preset(1, "Without parameters", ())
OPTIMIZED = Preset(2, "Optimized", (1.0,) * 21)
PUBLISHED = tuple(defaults(CATALOG["FSRS-6"]))  # type: ignore[arg-type]
FSRS = [CATALOG["FSRS-5"], CATALOG["FSRS-6"]]


def states(algorithm: Recurrent, w: Sequence[float], first: int, steps: Steps) -> List[Tuple[float, ...]]:
    """Return the state after each review of one card."""
    state = algorithm.first(w, np.array([first]))
    result = [state]
    for elapsed, rating in steps:
        state = algorithm.step(w, state, np.array([elapsed]), np.array([rating]))
        result.append(state)
    return [tuple(float(np.broadcast_to(part, 1)[0]) for part in state) for state in result]


def recall(algorithm: Recurrent, w: Sequence[float], state: Sequence[float], elapsed: float) -> float:
    """Return the probability of recall after some days."""
    return float(np.squeeze(algorithm.recall(w, tuple(np.array([s]) for s in state), np.array([elapsed]))))


class TestAverage:
    @pytest.mark.parametrize(
        ("first", "later", "note"), [((3, 3), (1, 3), "certain"), ((1, 1), (3, 3), "certain"), ((1, 3), (3, 1), None)]
    )
    def test_certain_prediction_is_noted(self, first, later, note):
        answers = [a for n in range(10) for a in card(n + 1, 3, *((1, rating) for rating in (*first, *later)))]
        report = evaluate(
            Snapshot(log_of(answers), CLOCK), Options(("AVG", "SM-2"), folds=2, outlier_filter=False)
        ).report
        assert (report.result("AVG").note, report.result("SM-2").note) == (note, None)


class TestSM2:
    """The state is interval, ease and number of passes.

    The ease E becomes max(1.3, E + 0.1 - (5 - q)(0.08 + (5 - q) 0.02)) with q = button + 1.
    """

    sm2 = CATALOG["SM-2"]

    def states(self, first: int, *ratings: int) -> List[Tuple[float, ...]]:
        """Return the states after each answer. The elapsed days do not matter."""
        return states(self.sm2, [], first, [(17, rating) for rating in ratings])

    def test_ease_has_a_floor_and_no_ceiling(self):
        """Ten Agains lower the ease to 1.3, and ten Easys raise it to 3.5."""
        assert self.states(*[1] * 10)[-1][1] == pytest.approx(1.3)
        assert self.states(*[4] * 10)[-1][1] == pytest.approx(2.5 + 10 * 0.1)

    def test_intervals_are_rounded_half_up(self):
        """6 * 2.75 = 16.5 would be rounded to the even 16, but 0.01 is added first."""
        state = (np.array([6.0]), np.array([2.75]), np.array([2.0]))
        assert self.sm2.step([], state, np.array([9]), np.array([3]))[0].tolist() == [17]

    def test_intervals_are_at_most_a_hundred_years(self):
        assert self.states(*[4] * 20)[-1][0] == 36_500


#: Cards with same-day reviews, each rating, lapses that reach their ceiling or not, and states at their limits.
TRAJECTORIES = [
    (1, [(100, 1)]),
    (4, [(10, 1), (0, 1), (5, 3)]),
    *((4, [(0, rating), (3, rating)]) for rating in (1, 2, 3, 4)),
    (3, [(0, 3), (3, 3), (10, 1), (0, 3), (1, 3), (4, 2)]),
    (1, [(0, 1), (0, 2), (1, 2), (2, 1), (300, 4)]),
    (4, [(20, 4), (90, 4), (400, 4), (3000, 1)]),
    (2, [(1, 2), (2, 2), (2, 1), (1, 1), (1, 1)]),
    (4, [(36_500, 4)] * 12),
    (1, [(0, 1)] * 127),
    (2, [(36_500, 1), (0, 4)] * 60),
]


@pytest.mark.parametrize(("first", "steps"), TRAJECTORIES)
@pytest.mark.parametrize("algorithm", FSRS, ids=ids)
def test_trajectories_match_plain_formulas(algorithm, first, steps):
    plain = PlainFSRS(defaults(algorithm))
    result = states(algorithm, defaults(algorithm), first, steps)
    assert result == [pytest.approx(state, rel=1e-12) for state in plain.states(first, steps)]
    for t in (1, 10, 500):
        s = result[-1][0]
        assert recall(algorithm, defaults(algorithm), result[-1], t) == pytest.approx(plain.recall(s, t), rel=1e-12)


@pytest.mark.parametrize("algorithm", FSRS, ids=ids)
@given(stability=st.floats(0.01, 36_500), decay=st.floats(0.1, 0.8))
def test_stability_is_when_recall_is_90_percent(algorithm, stability, decay):
    """For every decay, recall starts at 1, falls, and is 0.9 after the stability."""
    w = [*defaults(algorithm)[:20], decay]
    values = [recall(algorithm, w, (stability, 5.0), t * stability) for t in (0, 0.5, 1, 2)]
    assert values[0] == 1
    assert values[2] == pytest.approx(0.9, rel=1e-12)
    assert values == sorted(values, reverse=True)


class TestCatalog:
    @pytest.mark.parametrize(
        ("presets", "fsrs", "removed", "added"),
        [
            (None, None, {"Your parameters"}, set()),
            (None, True, {"Your parameters"}, set()),
            ([NOT_OPTIMIZED], False, {"Your parameters"}, set()),
            ([NOT_OPTIMIZED], True, {"FSRS-6 default"}, set()),
            ([NOT_OPTIMIZED, replace(OPTIMIZED, parameters=PUBLISHED)], False, {"FSRS-6 default"}, set()),
            ([NOT_OPTIMIZED, OPTIMIZED], False, set(), set()),
            ([NOT_OPTIMIZED, Preset(2, "Odd", (1.0,) * 3)], True, set(), set()),
            ([NOT_OPTIMIZED, Preset(2, "New", PUBLISHED, fsrs_version=8)], True, set(), set()),
            ([NOT_OPTIMIZED, Preset(2, "FSRS-7", (), fsrs_version=7)], False, set(), {"FSRS-7", "FSRS-7 optimized"}),
        ],
    )
    def test_default_algorithms_of_the_whole_day_table_follow_the_presets(self, presets, fsrs, removed, added):
        snapshot = Snapshot(log_of([]), CLOCK, presets=None if presets is None else tuple(presets), fsrs=fsrs)
        expected = {*ALGORITHM_GROUPS["default"]} - removed | added
        for extra_names in ((), ("Your parameters", "HLR")):
            options = Options((" Default", *extra_names)).for_snapshot(snapshot)
            assert {algorithm.name for algorithm in options.algorithms_to_run()} == expected | set(extra_names)
            assert options.for_snapshot(snapshot) == options
        same_day = Options(table=SAME_DAY_TABLE)
        assert same_day.for_snapshot(snapshot).algorithms_to_run() == same_day.algorithms_to_run()

    @pytest.mark.parametrize(
        ("presets_of_cards", "are_default"),
        # In the second case, no card uses the other preset.
        [(None, False), ([1, 1], True), ([1, 2], False)],
    )
    @pytest.mark.parametrize("is_selection", [False, True])
    def test_only_presets_in_use_decide_whether_parameters_are_the_default_ones(
        self, presets_of_cards, are_default, is_selection
    ):
        """A third card uses the optimized preset if it is outside the selection."""
        cards = presets_of_cards and Cards(
            np.array([5, 6, 7]), np.array([1, 1, 1]), np.array([*presets_of_cards, 2 if is_selection else 1])
        )
        snapshot = Snapshot(log_of([]), CLOCK, cards=cards, presets=(NOT_OPTIMIZED, OPTIMIZED), fsrs=True)
        if is_selection:
            snapshot = replace(snapshot, selection=Selection(ScopeChoice("deck", "A"), np.array([5, 6])))
        names = {algorithm.name for algorithm in Options().for_snapshot(snapshot).algorithms_to_run()}
        assert ("FSRS-6 default" not in names) == are_default
        assert "Your parameters" in names

    def test_names_differ_from_each_other_and_from_groups(self):
        names = [algorithm.name.lower() for module in algorithms.MODULES for algorithm in module.ALGORITHMS]
        assert len({*names, *ALGORITHM_GROUPS}) == len(names) + len(ALGORITHM_GROUPS)

    def test_every_algorithm_is_described(self):
        for algorithm in CATALOG.values():
            assert algorithm.family
            assert algorithm.description
            assert not algorithm.description.endswith(".")

    def test_parameters_have_defaults_within_bounds_and_positive_widths(self):
        for algorithm in CATALOG.values():
            for p in algorithm.parameters:
                assert (0 if p.log else -inf) < p.lower <= p.default <= p.upper < inf, algorithm.name
                assert p.width > 0, algorithm.name
            assert not algorithm.trained or all(p.width < inf for p in algorithm.parameters)

    def test_an_algorithm_may_have_parameters_of_its_own(self):
        published = fittable("FSRS-6 default")
        parameters = with_defaults(published.parameters, (*defaults(published)[:20], 0.2))
        other = replace(published, parameters=parameters)
        assert (other.defaults[-1], published.defaults[-1]) == (0.2, 0.1542)
        assert replace(other, table=SAME_DAY_TABLE).defaults[-1] == 0.2
        assert {replace(published), other} == {published, replace(other)}
        assert other != published

    def test_names_match_in_any_case_and_order(self):
        result = [algorithm.name for algorithm in resolve(["fsrs-6", " SM-2 ", "sm-2", "AVG"])]
        assert result == ["AVG", "SM-2", "FSRS-6"]
        assert resolve(["DEFAULT", "avg"]) == resolve(["default"])

    def test_baseline_is_among_the_algorithms(self):
        assert [a.name for a in resolve(["FSRS-6", "AVG"], "sm-2")] == ["AVG", "SM-2", "FSRS-6"]
        assert resolve(["AVG", "SM-2"], "SM-2") == resolve(["AVG", "SM-2"])

    def test_baseline_is_one_known_algorithm(self):
        with pytest.raises(BadOption) as caught:
            resolve(["AVG"], "All")
        assert caught.value.facts["option"] == "baseline"
        with pytest.raises(UnknownName):
            resolve(["AVG"], "SM2")

    def test_unknown_names_raise_with_suggestions(self):
        with pytest.raises(UnknownName) as caught:
            resolve(["AVG", "FSRS6"])
        facts = caught.value.facts
        assert facts["name"] == "FSRS6"
        assert "FSRS-6" in facts["suggestions"]
        assert set(CATALOG) | set(ALGORITHM_GROUPS) == set(facts["known"])
        for name, suggested in (("defualt", "default"), ("!!!", None)):
            with pytest.raises(UnknownName) as caught:
                resolve([name])
            assert (caught.value.facts["suggestions"] or [None])[0] == suggested
