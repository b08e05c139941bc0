"""Made-up workloads of every kind."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Optional, Tuple

from evaluator.interval import TOO_FEW, ConfidenceInterval
from evaluator.workload.result import FSRS, KNOWLEDGE, SM_2, WORK, BackTest, Foreseen, Load, Workload

RETENTIONS = (0.70, 0.75, 0.80, 0.85, 0.90, 0.95, 0.97)
PASSED = BackTest(
    code="passed",
    scheduler=SM_2,
    days=365,
    tested=73,
    later_reviews=8_400,
    cards=412,
    further_reviews=1_255,
    reviews=Foreseen(ConfidenceInterval(1_310.4, 1_200.2, 1_420.1), 1_255),
    remembered=Foreseen(ConfidenceInterval(0.881, 0.862, 0.899), 0.874),
    minutes=Foreseen(ConfidenceInterval(201.3, 180.2, 223.9), 210.5),
    ratio=1.044,
)


def around(value: float, share: float = 0.05) -> ConfidenceInterval:
    """Return an interval that reaches this share of the value to either side."""
    return ConfidenceInterval(value, value * (1 - share), value * (1 + share), value * share / 2)


def load(retention: float, *, keeps_up: bool = True) -> Load:
    """Return the work with FSRS at this desired retention. It rises ever faster with the retention."""
    minutes = 3.2 * (1 - retention) ** -0.55 if keeps_up else 12.1
    known = 4_200 * retention**0.6 if keeps_up else 3_700 - 4_000 * (retention - 0.82) ** 2
    return Load(
        FSRS,
        retention,
        reviews=around(3.1 * minutes),
        minutes=around(minutes, 0.04),
        known=around(known, 0.012),
        remembered=ConfidenceInterval(retention - 0.01, retention - 0.03, retention + 0.01),
    )


def all_loads(*, keeps_up: bool = True) -> Tuple[Load, ...]:
    """Return the loads of SM-2, then of FSRS at each desired retention."""
    known, reviews = (3_920.0, 37.5) if keeps_up else (3_490.0, 44.2)
    sm2 = Load(
        SM_2,
        None,
        reviews=around(reviews),
        minutes=around(12.1, 0.04),
        known=around(known, 0.012),
        remembered=around(0.88, 0.02),
    )
    return (sm2, *(load(retention, keeps_up=keeps_up) for retention in RETENTIONS))


FEWER = ConfidenceInterval(0.77, 0.70, 0.85)
NEITHER = ConfidenceInterval(0.96, 0.88, 1.05)
MORE = ConfidenceInterval(1.23, 1.10, 1.38)
UNCLEAR = ConfidenceInterval(0.85, 0.71, 1.02)
#: Ratio with which the point of equal knowledge is next to the point of 90%.
NEAR = ConfidenceInterval(0.9, 0.85, 0.95)
NO_RATIO = ConfidenceInterval(None, reason=TOO_FEW)


def workload(ratio: Optional[ConfidenceInterval] = FEWER, **changes: Any) -> Workload:
    """Return the workload of someone who keeps up, with this ratio of reviews."""
    usual = Workload(
        WORK,
        on_time=0.94,
        desired_retention=0.9,
        desired_share=1.0,
        back_test=PASSED,
        loads=all_loads(),
        ratio=ratio,
        equal_retention=0.891,
    )
    return replace(usual, **changes)


def cheaper() -> Workload:
    """Return a workload in which FSRS needs little more than half of the reviews for as many cards known."""
    sm2, *curve = all_loads()
    reviews = {0.70: 36, 0.75: 42, 0.80: 49, 0.85: 66, 0.90: 103, 0.95: 170, 0.97: 215}
    known = {0.70: 3_300, 0.75: 3_420, 0.80: 3_530, 0.85: 3_650, 0.90: 3_820, 0.95: 3_960, 0.97: 4_010}
    loads = [replace(sm2, reviews=around(85), known=around(3_508, 0.01))]
    for load in curve:
        retention = load.desired_retention or 0
        loads.append(replace(load, reviews=around(reviews[retention]), known=around(known[retention], 0.01)))
    return workload(ConfidenceInterval(0.55, 0.50, 0.62), loads=tuple(loads), equal_retention=0.79)


def at_92_5() -> Workload:
    """Return a workload whose desired retention is not a whole percentage."""
    sm2, *curve = all_loads()
    curve = [replace(load, desired_retention=0.925) if load.desired_retention == 0.9 else load for load in curve]
    return workload(desired_retention=0.925, loads=(sm2, *curve))


def without_times() -> Workload:
    """Return the workload from a log without answer times."""
    loads = tuple(replace(load, minutes=None) for load in all_loads())
    return workload(back_test=replace(PASSED, minutes=None), loads=loads)


MORE_KNOWN = ConfidenceInterval(1.0535, 1.031, 1.076)


def knowledge(known: ConfidenceInterval = MORE_KNOWN) -> Workload:
    """Return the workload of someone with a backlog, for whom knowledge is compared instead of work."""
    return workload(known, question=KNOWLEDGE, on_time=0.62, loads=all_loads(keeps_up=False), equal_retention=None)


def failed(code: str, **changes: Any) -> Workload:
    """Return a workload whose back-test failed."""
    return workload(None, back_test=replace(PASSED, code=code, **changes), loads=())


def untested(code: str, **changes: Any) -> Workload:
    """Return a workload that could not be tested."""
    return failed(code, **{**dict.fromkeys(("reviews", "remembered", "minutes", "ratio")), **changes})


#: Workloads without an answer, one for each reason.
FAILED = (
    untested("too_few_days", days=12, tested=2, cards=0),
    untested("too_few_reviews", days=41, tested=8, later_reviews=211),
    untested("too_few_to_predict", tested=18, further_reviews=13),
    untested("switched", scheduler=None),
    untested("unknown_scheduler", scheduler=None),
    untested("fsrs_7"),
    untested("no_intervals", scheduler=None),
    untested("none_alive", cards=0),
    failed("reviews", reviews=Foreseen(ConfidenceInterval(1_801.2, 1_700, 1_900), 1_255), ratio=1.435),
    failed("remembered", remembered=Foreseen(ConfidenceInterval(0.94, 0.93, 0.95), 0.874)),
)
#: Every kind of result.
ALL = (
    *map(workload, (FEWER, NEITHER, MORE, UNCLEAR, NO_RATIO)),
    cheaper(),
    workload(desired_retention=0.7),
    without_times(),
    *(knowledge(ConfidenceInterval(*ends)) for ends in ((1.06, 1.03, 1.09), (1.0, 0.98, 1.02), (0.95, 0.92, 0.98))),
    *FAILED,
)
