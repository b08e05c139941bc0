from __future__ import annotations

from dataclasses import replace
from typing import Optional, Sequence, Tuple

import pytest
from made_logs import learner

from evaluator.evaluation import evaluate
from evaluator.interval import MARGIN, ConfidenceInterval
from evaluator.options import Options
from evaluator.report import (
    Accuracy,
    Advice,
    Comparison,
    PeerGroup,
    PredictionChange,
    ProbabilityBetter,
    RarerOutcome,
    Report,
    RetrainedComparison,
    SampleSize,
    SchedulerInUse,
    Verdict,
)
from evaluator.report.advice import LITTLE_CHANGE, MIN_TO_OPTIMIZE, MUCH_CHANGE, with_advice
from evaluator.sections.hard import NOT_SUSPECTED, SECTION, SUSPECTED, Hard

BASIS = SampleSize(1000, 200, 100, RarerOutcome(0, 150, 90, 60))
REPORT = replace(
    evaluate(learner(), Options(algorithms=("AVG", "SM-2"))).report, verdict=Verdict("no_pair", None, None, BASIS, ())
)


def compared(
    code: str, detectable: Optional[float] = None, low: Optional[float] = None, pair: Sequence[str] = ("FSRS-6", "SM-2")
) -> Comparison:
    high = None if low is None else low + 0.01
    return Comparison(*pair, ConfidenceInterval(-0.001, low, high), code, detectable)  # type: ignore[misc]


def likely(better: float, code: str) -> Comparison:
    """1.96 standard errors are 0.02, and decide nothing; with this chance."""
    chance = ProbabilityBetter(better, code, -0.01, PeerGroup(0, 1500, 417), 407, "FSRS-5 recency", "SM-2")
    return Comparison(
        "FSRS-6", "SM-2", ConfidenceInterval(0.0, -0.03, 0.03, 0.02 / 1.96), "cannot_tell", 0.03, chance=chance
    )


def report(
    scheduler: Optional[SchedulerInUse] = None,
    verdict: Optional[Comparison] = None,
    basis: SampleSize = BASIS,
    in_sample: Tuple[str, ...] = (),
    accuracy: Optional[Accuracy] = None,
) -> Report:
    text = () if verdict is None else (verdict,)
    code = "no_pair" if verdict is None else verdict.code
    verdict_of_all = Verdict(code, "FSRS-6", "SM-2", basis, text, in_sample)
    return replace(REPORT, scheduler=scheduler, verdict=verdict_of_all, accuracy=accuracy)


def advise(of: Report) -> Tuple[Advice, ...]:
    return with_advice(of).advice


def codes(of: Report) -> Sequence[str]:
    return [advice.code for advice in advise(of)]


def fsrs_on(
    total: Optional[Comparison], *presets: str, basis: SampleSize = BASIS, change: float = 0.03
) -> SchedulerInUse:
    """Return a scheduler with presets A, B, ... whose comparisons have these codes, and this change by optimizing."""
    each = [
        RetrainedComparison("ABCD"[k], None, SampleSize(100 + k, 30, 20), compared(code))
        for k, code in enumerate(presets)
    ]
    retrained = (RetrainedComparison(None, None, basis, total), *each)
    return SchedulerInUse(True, None, retrained, PredictionChange(change, 2000))


#: What the user's FSRS said was right; it was not, and retrained parameters are closer, or another retention would do.
RIGHT = Accuracy("target", "FSRS-6", "retrained", 0.9, 1.0, code="as_predicted")
CLOSER = replace(RIGHT, code="lower", closer=True)
NOT_CLOSER = replace(RIGHT, code="higher", closer=False, suggested_retention=0.86)
FEW = Accuracy("too_few", "FSRS-6", desired_retention=0.9, more_days=20)

UNDECIDED = compared("cannot_tell", 0.005, -0.01)
NO_GAIN = compared("equivalent", 0.001, 0.0)
GAIN = compared("better", 0.001, -0.02)


@pytest.mark.parametrize("code", ["better", "worse", "equivalent", "cannot_tell", "too_few", "rare_outcome"])
def test_fsrs_is_turned_on_if_it_is_better(code: str) -> None:
    result = codes(report(SchedulerInUse(False, compared(code)), compared("better")))
    assert result == (["turn_on_and_optimize"] if code == "better" else [])
    assert codes(report(SchedulerInUse(False), compared("better"))) == []
    assert codes(report(SchedulerInUse(True), compared("better"))) == []
    assert codes(report(None, compared("better"))) == []


@pytest.mark.parametrize(
    ("better", "code", "expected"),
    [
        (0.995, "almost_certainly", ["turn_on_and_optimize"]),
        (0.95, "very_probably", ["turn_on_and_optimize"]),
        (0.9, "probably", []),
        (0.005, "almost_certainly", []),
    ],
)
def test_probability_decides_on_turning_on(better: float, code: str, expected: Sequence[str]) -> None:
    assert codes(report(SchedulerInUse(False, likely(better, code)), likely(better, code))) == expected


@pytest.mark.parametrize(
    ("reviews", "code"), [(MIN_TO_OPTIMIZE, "turn_on_and_optimize"), (MIN_TO_OPTIMIZE - 1, "turn_on")]
)
def test_optimizing_takes_some_reviews(reviews: int, code: str) -> None:
    (advice,) = advise(report(SchedulerInUse(False, GAIN), GAIN, replace(BASIS, reviews=reviews)))
    assert advice == Advice(code, "FSRS-6", reviews=reviews)


@pytest.mark.parametrize(
    ("total", "presets", "optimized"),
    [
        ("better", ("better",), ("A",)),
        ("better", ("better", "better"), ()),
        ("better", ("cannot_tell", "cannot_tell"), ()),
        ("better", ("equivalent", "better", "too_few"), ("B",)),
        ("equivalent", ("worse", "better", "better"), ("B", "C")),
        ("cannot_tell", ("better", "cannot_tell"), ("A",)),
    ],
)
def test_optimizing_is_advised_where_it_gains(total: str, presets: Sequence[str], optimized: Tuple[str, ...]) -> None:
    (advice,) = advise(report(fsrs_on(compared(total, 0.001, -MARGIN / 2), *presets), compared("better")))
    reviews = sum(100 + "ABCD".index(name) for name in optimized) if optimized else BASIS.reviews
    assert advice == Advice("optimize", "FSRS-6", optimized, reviews)


@pytest.mark.parametrize("code", ["worse", "equivalent", "cannot_tell"])
@pytest.mark.parametrize(("low", "expected"), [(-MARGIN, True), (-MARGIN * 1.001, False), (0.01, True)])
def test_unseen_reviews_advise_only_if_they_decide(code: str, low: float, expected: bool) -> None:
    (advice,) = advise(report(fsrs_on(compared(code, 0.005, low), code), compared("better")))
    nothing = Advice("nothing", "FSRS-6", reviews=BASIS.reviews)
    assert advice == (nothing if expected else Advice("optimize", reviews=2000, change=0.03))


@pytest.mark.parametrize(
    ("total", "change", "accuracy", "expected"),
    [
        (UNDECIDED, LITTLE_CHANGE * 0.999, RIGHT, Advice("nothing", reviews=2000, change=LITTLE_CHANGE * 0.999)),
        (UNDECIDED, LITTLE_CHANGE, RIGHT, Advice("optimize_if_you_like", reviews=2000, change=LITTLE_CHANGE)),
        (
            UNDECIDED,
            MUCH_CHANGE * 0.999,
            None,
            Advice("optimize_if_you_like", reviews=2000, change=MUCH_CHANGE * 0.999),
        ),
        (UNDECIDED, MUCH_CHANGE, RIGHT, Advice("optimize", reviews=2000, change=MUCH_CHANGE)),
        (None, MUCH_CHANGE, RIGHT, Advice("optimize", reviews=2000, change=MUCH_CHANGE)),
        (None, 0.001, CLOSER, Advice("optimize")),
        (None, 0.03, NOT_CLOSER, Advice("desired_retention")),
        (None, 0.03, replace(NOT_CLOSER, suggested_retention=None), Advice("optimize", reviews=2000, change=0.03)),
        (None, 0.03, FEW, Advice("keep_on", more_days=20)),
        (UNDECIDED, 0.001, FEW, Advice("keep_on", more_days=20)),
        (NO_GAIN, 0.03, RIGHT, Advice("nothing", "FSRS-6", reviews=1000)),
        (NO_GAIN, 0.03, FEW, Advice("nothing", "FSRS-6", reviews=1000)),
        (NO_GAIN, 0.03, CLOSER, Advice("optimize")),
        (NO_GAIN, 0.03, NOT_CLOSER, Advice("desired_retention")),
        (GAIN, 0.001, NOT_CLOSER, Advice("optimize", "FSRS-6", reviews=1000)),
        (GAIN, 0.001, FEW, Advice("optimize", "FSRS-6", reviews=1000)),
    ],
)
def test_there_is_always_an_answer_if_fsrs_is_on(
    total: Optional[Comparison], change: float, accuracy: Optional[Accuracy], expected: Advice
) -> None:
    open_still = likely(0.7, "cannot_tell")
    for verdict in (compared("better"), compared("worse"), open_still):
        assert advise(report(fsrs_on(total, change=change), verdict, accuracy=accuracy)) == (expected,)


def test_parts_and_logs_without_settings_get_no_advice() -> None:
    for accuracy in (CLOSER, NOT_CLOSER, FEW):
        assert advise(report(SchedulerInUse(True), likely(0.7, "cannot_tell"), accuracy=accuracy)) == ()
        assert advise(report(None, likely(0.7, "cannot_tell"), accuracy=accuracy)) == ()


def test_without_peer_data_there_is_no_advice() -> None:
    assert advise(report(SchedulerInUse(False), compared("cannot_tell", 0.04, -0.005))) == ()


@pytest.mark.parametrize("code", [SUSPECTED, NOT_SUSPECTED, "too_few"])
def test_hard_comes_first_and_never_more_than_two(code: str) -> None:
    result = Hard("FSRS-6", code, None, 200, 180)
    hard = ["hard"] if code == SUSPECTED else []
    for scheduler, other in (
        (None, []),
        (SchedulerInUse(False, compared("better")), ["turn_on_and_optimize"]),
        (fsrs_on(compared("better", 0.001, -0.01), "better", "worse"), ["optimize"]),
    ):
        before = with_advice(report(scheduler, compared("better")))
        assert [item.code for item in before.advice] == other
        assert [item.code for item in with_advice(before.with_section(SECTION.key, result)).advice] == [*hard, *other]


@pytest.mark.parametrize("fine", [fsrs_on(NO_GAIN), fsrs_on(None, change=0.001)])
def test_nothing_is_not_advised_next_to_other_advice(fine: SchedulerInUse) -> None:
    before = report(fine, compared("better"))
    assert codes(before) == ["nothing"]
    suspected = with_advice(before.with_section(SECTION.key, Hard("FSRS-6", SUSPECTED, None, 200, 180)))
    assert [item.code for item in suspected.advice] == ["hard"]


def test_without_results_there_is_no_advice() -> None:
    assert advise(report()) == ()
