"""Verdicts that were kept: one that later reviews have judged, and one that waits."""

from __future__ import annotations

from evaluator.forecasts import Forecast, Outcome
from evaluator.report import Interval

OUTCOME = Outcome(
    date="2027-03-01",
    reviews=1320,
    cards=400,
    days=80,
    difference=Interval(-0.016, -0.028, -0.004, 0.006),
    expected=Interval(-0.019, -0.033, -0.005, 0.007),
    code="kept",
    fsrs=False,
)
JUDGED = Forecast(
    software="SRS Evaluator 0",
    date="2026-11-22",
    last_review=1_000,
    some_reviews=(10, 20),
    algorithm="FSRS-6",
    baseline="SM-2",
    parameters=(0.1, 0.2),
    baseline_parameters=(2.5,),
    code="better",
    reviews=5000,
    difference=Interval(-0.019, -0.025, -0.012, 0.003),
    degrees=40.0,
    daily_variance=1e-4,
    fsrs=False,
    outcome=OUTCOME,
)
WAITING = Forecast(**{**JUDGED.__dict__, "date": "2027-03-01", "last_review": 2_000, "outcome": None})
