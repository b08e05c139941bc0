from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, Dict, Optional, Sequence, Tuple

import pytest
from made_logs import learner

from evaluator.evaluation import evaluate
from evaluator.interval import ConfidenceInterval
from evaluator.options import Options
from evaluator.report import (
    Accuracy,
    Advice,
    Comparison,
    Failure,
    Headline,
    PeerGroup,
    PresetInUse,
    ProbabilityBetter,
    Report,
    Rivalry,
    SchedulerInUse,
)
from evaluator.report.advice import advice_for_preset, with_advice
from evaluator.sections.hard import NOT_SUSPECTED, SECTION, SUSPECTED, Hard

REPORT = evaluate(learner(), Options(algorithms=("AVG", "SM-2"))).report

RIGHT = Accuracy("right", "unseen", "Your parameters", 0.9, 1000)
OPEN = replace(RIGHT, state="open", source=None)
OFF = replace(RIGHT, state="off", closer=False)
CLOSER = replace(OFF, closer=True)


def make_rivalry(claim: str, chance: Optional[float] = None) -> Rivalry:
    """Return a comparison that allows this claim, with this probability of being better."""
    interval = ConfidenceInterval(0.0, -0.1, 0.1)
    likely = None
    if chance is not None:
        likely = ProbabilityBetter(chance, -0.01, PeerGroup(0, 1500, 417), 407, "FSRS-5 recency", "SM-2")
    return Rivalry(Comparison("FSRS-6", "SM-2", interval, claim, likely), interval, claim, 1000)


def preset(name: str = "A", accuracy: Accuracy = RIGHT, change: Optional[float] = 0.001, **changes: Any) -> PresetInUse:
    default = PresetInUse(ord(name), name, 1000, None, accuracy, change=change)
    return replace(default, **changes)


class TestPreset:
    """The advice for a single preset."""

    @pytest.mark.parametrize(
        ("facts", "code"),
        [
            # New parameters must be better on unseen reviews, or better with a probability of 95%.
            ({"optimized_against_own": make_rivalry("better")}, "optimize"),
            ({"optimized_against_own": make_rivalry("better_past")}, "nothing"),
            ({"optimized_against_own": make_rivalry("equivalent")}, "nothing"),
            ({"optimized_against_own": make_rivalry("open", 0.95)}, "optimize"),
            ({"optimized_against_own": make_rivalry("open", 0.949)}, "nothing"),
            # Predictions that are off count only if new parameters are closer.
            ({"accuracy": CLOSER}, "optimize"),
            ({"accuracy": OFF}, "nothing"),
            ({"accuracy": replace(OFF, closer=None)}, "nothing"),
            # A large change is 2 points, or 5 points below 1,000 reviews unless the predictions are off.
            ({"change": 0.02}, "optimize"),
            ({"change": 0.0199}, "optimize_if_you_like"),
            ({"change": 0.02, "reviews": 999}, "optimize_if_you_like"),
            ({"change": 0.0499, "reviews": 999}, "optimize_if_you_like"),
            ({"change": 0.05, "reviews": 999}, "optimize"),
            ({"change": 0.02, "reviews": 999, "accuracy": OFF}, "optimize"),
            ({"change": 0.0199, "reviews": 999, "accuracy": OFF}, "optimize_if_you_like"),
            ({"change": 0.02, "reviews": 999, "accuracy": OPEN}, "optimize_if_you_like"),
            # Worse results on reviews overrule other reasons, and Anki may have no reviews to optimize on.
            *(
                ({"optimized_against_own": make_rivalry(claim, 0.99), "accuracy": accuracy, "change": 0.1}, code)
                for claim, code in (("worse", "nothing"), ("worse_past", "nothing"), ("equivalent", "optimize"))
                for accuracy in (RIGHT, CLOSER)
            ),
            ({"accuracy": CLOSER, "change": None, "nothing_to_optimize": "ignored"}, "keep_on"),
            # Only optimizing takes precedence over another desired retention.
            ({"accuracy": OFF, "suggested_retention": 0.88, "change": 0.0199}, "desired_retention"),
            ({"accuracy": OFF, "suggested_retention": 0.88, "change": 0.02}, "optimize"),
            ({"accuracy": OFF, "suggested_retention": 0.88, "change": None}, "desired_retention"),
            # A small change is optional from half a point.
            ({"change": 0.005}, "optimize_if_you_like"),
            ({"change": 0.00499}, "nothing"),
            ({"change": 0.005, "accuracy": OPEN}, "optimize_if_you_like"),
            ({"change": 0.00499, "accuracy": OPEN}, "keep_on"),
            ({"change": None}, "keep_on"),
        ],
    )
    def test_each_reason_has_its_threshold(self, facts: Dict[str, Any], code: str) -> None:
        assert advice_for_preset(preset(**facts)) == code


def report(
    scheduler: Optional[SchedulerInUse],
    accuracy: Optional[Accuracy] = RIGHT,
    reviews: int = 1000,
    adjusted: Optional[Rivalry] = None,
    sm2: Optional[Rivalry] = None,
) -> Report:
    headline = Headline(accuracy if scheduler is not None and scheduler.fsrs else None, adjusted, sm2)
    return replace(REPORT, scope=replace(REPORT.scope, reviews=reviews), headline=headline, scheduler=scheduler)


def advise(*presets: PresetInUse, accuracy: Accuracy = RIGHT) -> Tuple[Advice, ...]:
    return with_advice(report(SchedulerInUse(True, 3, presets), accuracy)).advice


class TestFsrsIsOn:
    def test_presets_to_optimize_are_named_unless_all(self) -> None:
        a, b = preset("A", change=0.03), preset("B", change=0.05, reviews=3000)
        unimportant, unknown = preset("C", change=0.01), preset("D", CLOSER, None)
        assert advise(a, b) == (Advice("optimize", None, (), 65, 0.045),)
        assert advise(unimportant, a, b) == (Advice("optimize", None, ("A", "B"), 65, 0.045),)
        assert advise(a, unknown, unimportant) == (Advice("optimize", None, ("A", "D"), 65, 0.03),)
        assert advise(unknown, unimportant) == (Advice("optimize", None, ("D",), 68, None),)

    @pytest.mark.parametrize(
        ("by", "code", "shared"), [("preset", "either", "A"), ("preset", "split", None), ("deck", "either", None)]
    )
    def test_single_set_of_parameters_is_mentioned_if_it_suffices(self, by: str, code: str, shared: Any) -> None:
        section = (SimpleNamespace(by=by, total=None), SimpleNamespace(by=by, total=SimpleNamespace(code=code)))
        for presets, expected in (((preset("A"), preset("B", change=0.03)), shared), ((preset(change=0.03),), None)):
            before = report(SchedulerInUse(True, 3, presets)).with_section("splitting", section)
            assert [item.shared_preset for item in with_advice(before).advice] == [expected]

    def test_first_preset_that_may_change_its_desired_retention_is_named(self) -> None:
        off = replace(OFF, desired_retention=0.85)
        a, b = preset("A"), preset("B", off, suggested_retention=0.83)
        expected = Advice("desired_retention", None, ("B",), 66, 0.001, 0.85, 0.83)
        assert advise(a, b, preset("C", OFF, suggested_retention=0.8)) == (expected,)
        assert advise(b) == (replace(expected, presets=()),)
        assert [item.code for item in advise(b, preset("C", change=0.02))] == ["optimize"]

    @pytest.mark.parametrize(
        ("changes", "accuracy", "expected"),
        [
            ((0.001, 0.004), RIGHT, ("nothing", (), 0.0025)),
            ((0.001, 0.004), OFF, ("nothing", (), 0.0025)),
            ((0.001, 0.004), OPEN, ("keep_on", (), 0.0025)),
            ((None, 0.004), RIGHT, ("nothing", (), 0.004)),
            ((None, None), RIGHT, ("keep_on", (), None)),
            ((0.001, 0.005), OPEN, ("optimize_if_you_like", ("B",), 0.005)),
            ((0.019, 0.005), RIGHT, ("optimize_if_you_like", (), 0.012)),
        ],
    )
    def test_mean_change_decides_without_other_reasons(
        self, changes: Sequence[Optional[float]], accuracy: Accuracy, expected: Tuple[str, Tuple[str, ...], Any]
    ) -> None:
        (advice,) = advise(*(preset("AB"[k], change=value) for k, value in enumerate(changes)), accuracy=accuracy)
        assert (advice.code, advice.presets) == expected[:2]
        assert advice.change == (None if expected[2] is None else pytest.approx(expected[2]))

    def test_each_preset_gets_its_own_advice(self) -> None:
        presets = (preset("A", change=0.03), preset("B"), preset("C", OPEN))
        scheduler = with_advice(report(SchedulerInUse(True, 3, presets))).scheduler
        assert scheduler is not None
        assert [item.advice for item in scheduler.presets] == ["optimize", "nothing", "keep_on"]

    def test_newer_parameters_need_an_update_first(self) -> None:
        before = report(SchedulerInUse(True, 3, (preset(change=0.03),)))
        row = replace(before.results[0], algorithm="Your parameters", error=Failure("newer_parameters", {}))
        assert with_advice(replace(before, results=(row,))).advice == (Advice("update", "Your parameters"),)

    def test_unfinished_reports_have_no_advice(self) -> None:
        before = replace(report(SchedulerInUse(True, 3, (preset(change=0.03),))), unfinished=("FSRS-7",))
        after = with_advice(before)
        assert (after.advice, after.scheduler) == ((), before.scheduler)

    def test_advice_needs_accuracy_and_presets(self) -> None:
        assert advise() == ()
        assert with_advice(report(SchedulerInUse(True, 3, (preset(),)), None)).advice == ()
        assert with_advice(report(None)).advice == ()


class TestFsrsIsOff:
    @pytest.mark.parametrize(
        ("claim", "chance", "reviews", "code"),
        [
            ("better", None, 1000, "turn_on_and_optimize"),
            ("better", None, 400, "turn_on_and_optimize"),
            ("better", None, 399, "turn_on"),
            ("better_past", None, 1000, "turn_on_and_optimize"),
            ("worse", 0.99, 1000, "stay"),
            ("worse_past", 0.99, 999, "stay"),
            ("equivalent", 0.99, 1000, "stay"),
            ("open", 0.99, 1000, "choose"),
            ("open", 0.95, 999, "turn_on_and_optimize"),
            ("open", 0.95, 399, "turn_on"),
            ("open", 0.949, 999, None),
            ("open", None, 999, None),
        ],
    )
    @pytest.mark.parametrize("version", [None, 1, 2, 3])
    def test_adjusted_sm_2_decides(
        self, claim: str, chance: Optional[float], reviews: int, code: Optional[str], version: Optional[int]
    ) -> None:
        """The comparison with unadjusted SM-2 only adds the probability. Schedulers 1 and 2 have no FSRS."""
        item = report(
            SchedulerInUse(False, version), None, reviews, make_rivalry(claim), make_rivalry("better", chance)
        )
        if version in (1, 2) and code not in (None, "stay"):
            code = "scheduler"
        assert with_advice(item).advice == (() if code is None else (Advice(code, "FSRS-6"),))

    @pytest.mark.parametrize(
        ("claim", "code"),
        [
            ("worse", "turn_on"),
            ("worse_past", "turn_on"),
            ("equivalent", "turn_on_and_optimize"),
            ("open", "turn_on_and_optimize"),
        ],
    )
    def test_optimizing_is_left_out_if_it_is_worse_than_the_default_parameters(self, claim: str, code: str) -> None:
        scheduler = SchedulerInUse(False, 3, (), make_rivalry(claim))
        assert [item.code for item in with_advice(report(scheduler, None, 1000, make_rivalry("better"))).advice] == [
            code
        ]

    def test_unadjusted_sm_2_replaces_the_missing_adjusted_one(self) -> None:
        scheduler = SchedulerInUse(False, 3)
        assert with_advice(report(scheduler, None, 1000, None, make_rivalry("worse"))).advice == (
            Advice("stay", "FSRS-6"),
        )
        assert with_advice(report(scheduler)).advice == ()


@pytest.mark.parametrize("code", [SUSPECTED, NOT_SUSPECTED, "too_few"])
@pytest.mark.parametrize(
    ("scheduler", "other"),
    [
        (None, ()),
        (SchedulerInUse(False, 3), ("turn_on_and_optimize",)),
        (SchedulerInUse(True, 3, (preset(change=0.03),)), ("optimize",)),
        (SchedulerInUse(True, 3, (preset(),)), ("nothing",)),
    ],
)
def test_hard_comes_first_and_replaces_nothing(
    code: str, scheduler: Optional[SchedulerInUse], other: Tuple[str, ...]
) -> None:
    before = with_advice(report(scheduler, adjusted=make_rivalry("better")))
    assert tuple(item.code for item in before.advice) == other
    after = with_advice(before.with_section(SECTION.key, Hard("FSRS-6", code, None, 200, 180)))
    hard = code == SUSPECTED
    expected = (*("hard",) * hard, *(item for item in other if not (hard and item == "nothing")))
    assert tuple(item.code for item in after.advice) == expected
