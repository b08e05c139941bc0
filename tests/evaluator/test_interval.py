from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from typing import Iterator, Optional

import pytest
from catalog_helpers import snapshot_with_presets

from evaluator import interval
from evaluator.evaluation import evaluate
from evaluator.interval import NO_REVIEWS, TOO_FEW, ConfidenceInterval, classify
from evaluator.options import Options
from evaluator.sections import add_sections
from evaluator.workload import estimate


def interval_between(low: Optional[float], high: Optional[float]) -> ConfidenceInterval:
    """Return a difference with this interval, or with none if the limits are None."""
    return ConfidenceInterval(0.0, low, high, reason=TOO_FEW if low is None else None)


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (-0.0461, -0.0359, "better"),
        (0.0359, 0.0461, "worse"),
        (-0.001, 0.0015, "equivalent"),
        (-0.0015, -0.0005, "equivalent"),
        # The limits belong to the interval.
        (-0.002, 0.002, "equivalent"),
        (-0.003, -0.0001, "better"),
        (0.0001, 0.003, "worse"),
        (-0.003, 0.0001, "cannot_tell"),
        (-0.001, 0.003, "cannot_tell"),
        (-0.1, 0.1, "cannot_tell"),
        (0.0, 0.003, "cannot_tell"),
        (0.0, 0.0, "equivalent"),
        (None, None, "too_few"),
    ],
)
def test_interval_decides_the_code(low, high, expected):
    assert classify(interval_between(low, high)) == expected


@pytest.mark.parametrize(
    ("low", "high", "number", "side"),
    [
        (-2.0, -1.0, 0.0, -1),
        (1.0, 2.0, 0.0, 1),
        (-1.0, 0.0, 0.0, 0),
        (0.0, 1.0, 0.0, 0),
        (0.5, 0.9, 1.0, -1),
        (1.1, 1.9, 1.0, 1),
        (None, None, 0.0, None),
    ],
)
def test_compare_with_returns_the_side_of_a_number(low, high, number, side):
    assert interval_between(low, high).compare_with(number) == side


def test_shift_moves_the_estimate_and_the_limits():
    assert ConfidenceInterval(1.0, 0.5, 2.0, 0.4).shift_by(10) == ConfidenceInterval(11.0, 10.5, 12.0, 0.4)
    assert ConfidenceInterval(1.0, reason=TOO_FEW).shift_by(10) == ConfidenceInterval(11.0, reason=TOO_FEW)
    assert ConfidenceInterval(None, reason=NO_REVIEWS).shift_by(10) == ConfidenceInterval(None, reason=NO_REVIEWS)


def test_unknown_values_have_no_number():
    assert ConfidenceInterval(0.0, reason=TOO_FEW).value == 0
    with pytest.raises(ValueError, match="not known: no_reviews"):
        _ = ConfidenceInterval(None, reason=NO_REVIEWS).value


#: Every reason for a missing interval.
REASONS = {
    interval.TOO_FEW,
    interval.RARE,
    interval.NO_REVIEWS,
    interval.ONE_OUTCOME,
    interval.CONSTANT,
    interval.SEPARATED,
    interval.OUT_OF_REACH,
}


def test_documentation_names_exactly_the_reasons():
    assert set(re.findall(r'"(\w+)"', str(ConfidenceInterval.__doc__))) == REASONS


def iterate_parts(value: object) -> Iterator[object]:
    """Yield every dataclass in a report, and the report itself."""
    parts = ()
    if is_dataclass(value):
        yield value
        parts = (getattr(value, field.name) for field in fields(value))
    elif isinstance(value, tuple):
        parts = value
    elif isinstance(value, dict):
        parts = value.values()
    for part in parts:
        yield from iterate_parts(part)


def test_every_interval_in_a_report_is_a_confidence_interval(monkeypatch):
    monkeypatch.setattr(estimate, "MAX_CARDS", 40)
    snapshot = replace(snapshot_with_presets(), fsrs=True)
    evaluation = evaluate(snapshot, Options(("AVG", "SM-2", "Your parameters", "FSRS-6")))
    parts = list(iterate_parts(add_sections(evaluation, ["all"], snapshot).report))
    intervals = [part for part in parts if isinstance(part, ConfidenceInterval)]
    assert len(intervals) > 20
    assert {item.reason for item in intervals} <= {None, *REASONS}
    for item in intervals:
        assert (item.low is None) == (item.high is None) == (item.reason is not None)
        assert item.low_high is None or item.low_high[0] <= item.value <= item.low_high[1]
    other_kinds = {type(part) for part in parts} - {ConfidenceInterval}
    loose_limits = [
        f"{kind.__name__}.{field.name}"
        for kind in other_kinds
        for field in fields(kind)  # type: ignore[arg-type]
        if f"_{field.name}".endswith(("_low", "_high", "_standard_error"))
    ]
    # The band of a slice is what chance explains, not the interval of a number.
    assert loose_limits == ["RecallSlice.low", "RecallSlice.high"]
