"""Made-up years ahead: of who keeps up and who does not, sure and unsure, and where the past was not foreseen."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Optional, Tuple

from evaluator.interval import TOO_FEW, Interval
from evaluator.workload.result import (
    FITTED,
    KNOWLEDGE,
    PUBLISHED,
    SM_2,
    WORK,
    BackTest,
    Foreseen,
    Load,
    MemoryYear,
    Person,
    Versus,
    Workload,
)

RETENTIONS = (0.70, 0.75, 0.80, 0.85, 0.90, 0.95, 0.97)

PERSON = Person(
    days=90,
    studied_days=85,
    on_time=0.94,
    new_per_day=9.8,
    first_answers=(0.31, 0.08, 0.52, 0.09),
    passed_answers=(0.12, 0.8, 0.08),
    same_day_after_first=1.6,
    same_day_after_lapse=1.1,
    seconds_first=(11.2, 9.4, 6.1, 3.8),
    seconds_same_day=(8.3, 7.7, 4.2, 3.1),
    seconds_later=(12.5, 10.1, 5.4, 3.5),
    cards=5_200,
    simulated=2_000,
    left_out=(("gone", 120), ("set_aside", 340), ("not_seen", 45), ("left", 0)),
)
PASSED = BackTest(
    code="passed",
    scheduler=SM_2,
    days=73,
    cards=412,
    reviews=Foreseen(Interval(1_310.4, 1_200.2, 1_420.1), 1_255),
    remembered=Foreseen(Interval(0.881, 0.862, 0.899), 0.874),
    minutes=Foreseen(Interval(201.3, 180.2, 223.9), 210.5),
    ratio=1.044,
)


def around(value: float, share: float = 0.05) -> Interval:
    """An interval that reaches so large a share of the value to either side."""
    return Interval(value, value * (1 - share), value * (1 + share), value * share / 2)


def load(scheduler: str, retention: float, *, worse: float = 0.0, keeps_up: bool = True) -> Load:
    """Of FSRS: the higher the retention, the more work, and the less each further card costs to know."""
    minutes = (3.2 * (1 - retention) ** -0.55 * (1 + worse)) if keeps_up else 12.1
    known = 4_200 * retention**0.6 if keeps_up else 3_700 - 4_000 * (retention - 0.82) ** 2
    known *= 1 - worse / 10
    tried = min(max(1.25 - 3 * abs(retention - 0.88), 0.0), 1.0)
    reviews = 3.1 * minutes
    return Load(
        *(scheduler, retention, around(reviews), around(minutes, 0.04), around(known, 0.012)),
        Interval(retention - 0.01, retention - 0.03, retention + 0.01),
        tried,
    )


def loads(*, keeps_up: bool = True) -> Tuple[Load, ...]:
    """SM-2, which is a little above the curve's minutes, then each FSRS."""
    known = 3_920.0 if keeps_up else 3_490.0
    sm2 = Load(SM_2, None, around(37.5), around(12.1, 0.04), around(known, 0.012), around(0.88, 0.02), 0.96)
    of_fsrs = (
        load(name, retention, worse=worse, keeps_up=keeps_up)
        for name, worse in ((FITTED, 0.0), (PUBLISHED, 0.12))
        for retention in RETENTIONS
    )
    return (sm2, *of_fsrs)


FEWER = Versus(
    scheduler=FITTED,
    reviews=Interval(0.77, 0.70, 0.85),
    minutes=Interval(0.75, 0.68, 0.84),
    known=Interval(1.0535, 1.031, 1.076),
    desired_retention=0.86,
    desired_retention_at_equal_work=0.91,
    known_at_the_end=1.004,
    minutes_a_day=9.1,
)
MORE = replace(
    FEWER,
    reviews=Interval(1.23, 1.10, 1.38),
    minutes=Interval(1.2, 1.08, 1.33),
    known=Interval(0.97, 0.95, 0.99),
    minutes_a_day=14.5,
)
NEITHER = replace(
    FEWER,
    reviews=Interval(0.96, 0.88, 1.05),
    minutes=Interval(0.97, 0.89, 1.06),
    known=Interval(1.01, 0.987, 1.031),
    minutes_a_day=11.7,
)
NO_ESTIMATE = replace(
    FEWER,
    reviews=Interval(None, reason=TOO_FEW),
    minutes=Interval(None, reason=TOO_FEW),
    desired_retention=None,
    known_at_the_end=None,
    minutes_a_day=None,
)
NO_INTERVAL = replace(
    FEWER,
    reviews=Interval(0.77, reason=TOO_FEW),
    minutes=Interval(0.75, reason=TOO_FEW),
    known=Interval(1.05, reason=TOO_FEW),
)
#: Of the published parameters.
OTHER = replace(
    NEITHER, scheduler=PUBLISHED, desired_retention=0.88, desired_retention_at_equal_work=0.89, known_at_the_end=0.995
)


def memories(versus: Versus = FEWER, other: Versus = OTHER, *, keeps_up: bool = True) -> Tuple[MemoryYear, ...]:
    """Three: the best, another that is kept, and one that is clearly worse."""
    both, years = (versus, other), loads(keeps_up=keeps_up)
    return (
        MemoryYear("FSRS-6", 0.3312, None, True, -0.041, years, both),
        MemoryYear("DASH", 0.3344, Interval(0.0032, -0.0011, 0.0075), True, -0.012, years, both),
        MemoryYear("ACT-R", 0.3602, Interval(0.0290, 0.0211, 0.0369), False, None, (), ()),
    )


def workload(fitted: Versus = FEWER, published: Versus = OTHER, **changes: Any) -> Workload:
    """Of somebody who keeps up, with these ratios."""
    made = Workload(
        question=WORK,
        person=PERSON,
        back_test=PASSED,
        memories=memories(fitted, published),
        versus=(fitted, published),
        only_fsrs=False,
        horizon=365,
        draws=30,
        seed=7,
    )
    return replace(made, **changes)


def knowledge(known: Interval = FEWER.known) -> Workload:
    """Of somebody who reviews fewer cards than are due: nothing is said of work."""
    none = Interval(None, reason=TOO_FEW)
    versus, other = (
        replace(one, reviews=none, minutes=none, known=known, desired_retention=None, known_at_the_end=None)
        for one in (FEWER, OTHER)
    )
    return workload(
        question=KNOWLEDGE,
        person=replace(PERSON, on_time=0.62),
        memories=memories(versus, other, keeps_up=False),
        versus=(versus, other),
    )


def failed(code: str, **changes: Any) -> Workload:
    """The past was not foreseen, or could not be tested on."""
    return workload(back_test=replace(PASSED, code=code, **changes), memories=(), versus=())


def untested(code: str, **changes: Any) -> Workload:
    """There is nothing to test on."""
    return failed(code, **{**dict.fromkeys(("reviews", "remembered", "minutes", "ratio")), **changes})


def foreseen(low: float, high: float, observed: float, value: Optional[float] = None) -> Foreseen:
    return Foreseen(Interval(math.sqrt(low * high) if value is None else value, low, high), observed)


#: One of each reason for which the past does not do.
FAILED = (
    untested("too_few_days", days=12, cards=0),
    untested("too_few_reviews", days=31, cards=9),
    untested("switched", scheduler=None),
    untested("unknown_scheduler", scheduler=None),
    untested("fsrs_7"),
    untested("no_intervals", scheduler=None),
    untested("none_alive", cards=0),
    failed("too_wide", cards=40, reviews=foreseen(70, 160, 104, 106), ratio=1.02),
    failed("reviews", reviews=foreseen(1_700, 1_900, 1_255, 1_801.2), ratio=1.435),
    failed("remembered", remembered=foreseen(0.901, 0.935, 0.874, 0.92)),
)
#: Every kind of result.
ALL = (
    *map(workload, (FEWER, MORE, NEITHER, NO_ESTIMATE, NO_INTERVAL)),
    workload(only_fsrs=True),
    *(knowledge(Interval(*ends)) for ends in ((1.06, 1.03, 1.09), (1.0, 0.98, 1.02), (0.95, 0.92, 0.98))),
    *FAILED,
)
