"""Which advice a report supports: each condition at its edges, never more than two."""

from __future__ import annotations

from dataclasses import replace
from typing import Optional, Sequence, Tuple

import pytest
from made_logs import learner

from evaluator.evaluation import evaluate
from evaluator.interval import MARGIN, MIN_CARDS, MIN_DAYS, MIN_RARER, Interval
from evaluator.options import Options
from evaluator.report import (
    Advice,
    Basis,
    Chance,
    Collections,
    Comparison,
    RarerOutcome,
    Report,
    Scheduler,
    TrainedAnew,
    Verdict,
)
from evaluator.report.advice import MOST_TIMES, advise
from evaluator.sections.hard import NOT_SUSPECTED, SECTION, SUSPECTED, Hard

BASIS = Basis(1000, 200, 100, RarerOutcome(0, 150, 90, 60))
#: Five folds, so of six new reviews five are scored.
SHARE = 6 / 5
REPORT = replace(
    evaluate(learner(), Options(algorithms=("AVG", "SM-2"))).report, verdict=Verdict("no_pair", None, None, BASIS, ())
)


def compared(
    code: str, detectable: Optional[float] = None, low: Optional[float] = None, pair: Sequence[str] = ("FSRS-6", "SM-2")
) -> Comparison:
    high = None if low is None else low + 0.01
    return Comparison(*pair, Interval(-0.001, low, high), code, detectable)  # type: ignore[misc]


def likely(better: float, code: str, expected: float = -0.01) -> Comparison:
    """1.96 standard errors are 0.02, and decide nothing; with this chance."""
    chance = Chance(better, code, expected, Collections(0, 1500, 417), 407, "FSRS-5 recency", "SM-2")
    return Comparison("FSRS-6", "SM-2", Interval(0.0, -0.03, 0.03, 0.02 / 1.96), "cannot_tell", 0.03, chance=chance)


def report(
    scheduler: Optional[Scheduler] = None,
    verdict: Optional[Comparison] = None,
    basis: Basis = BASIS,
    in_sample: Tuple[str, ...] = (),
) -> Report:
    said = () if verdict is None else (verdict,)
    code = "no_pair" if verdict is None else verdict.code
    return replace(REPORT, scheduler=scheduler, verdict=Verdict(code, "FSRS-6", "SM-2", basis, said, in_sample))


def codes(of: Report) -> Sequence[str]:
    return [advice.code for advice in advise(of)]


def fsrs_on(total: Optional[Comparison], *presets: str, basis: Basis = BASIS) -> Scheduler:
    """With presets A, B, ... whose comparisons have these codes."""
    each = [TrainedAnew("ABCD"[k], None, Basis(100 + k, 30, 20), compared(code)) for k, code in enumerate(presets)]
    return Scheduler(True, None, (TrainedAnew(None, None, basis, total), *each))


@pytest.mark.parametrize("code", ["better", "worse", "equivalent", "cannot_tell", "too_few", "rare_outcome"])
def test_switch_on(code: str) -> None:
    """Where FSRS is off and is better: not on a CSV, not where it is on, whatever the verdict says."""
    found = codes(report(Scheduler(False, compared(code)), compared("better")))
    assert found == (["switch_on"] if code == "better" else [])
    assert codes(report(Scheduler(False), compared("better"))) == []
    assert codes(report(Scheduler(True), compared("better"))) == []
    assert codes(report(None, compared("better"))) == []


@pytest.mark.parametrize(
    ("better", "code", "said"),
    [
        (0.995, "almost_certainly", ["switch_on"]),
        (0.95, "very_probably", ["switch_on"]),
        (0.9, "probably", ["too_early"]),
        (0.005, "almost_certainly", []),
    ],
)
def test_switch_on_by_the_chance(better: float, code: str, said: Sequence[str]) -> None:
    """Where the own reviews do not decide, and it is very probable; where it is for SM-2, nothing is too early."""
    assert codes(report(Scheduler(False, likely(better, code)), likely(better, code))) == said


@pytest.mark.parametrize(
    ("better", "code", "said"),
    [
        (0.95, "very_probably", "probably_optimise"),
        (0.8, "probably", "probably_optimise"),
        (0.7, "cannot_tell", "too_early_to_optimise"),
        (0.1, "probably", "too_early_to_optimise"),
    ],
)
def test_optimise_by_the_chance(better: float, code: str, said: str) -> None:
    """It costs nothing, so that it is probable will do."""
    assert codes(report(fsrs_on(likely(better, code)), compared("better"))) == [said]


@pytest.mark.parametrize(
    ("total", "presets", "optimised"),
    [
        ("better", ("better",), ("A",)),
        ("better", ("better", "better"), ()),
        ("better", ("cannot_tell", "cannot_tell"), ()),
        ("better", ("equivalent", "better", "too_few"), ("B",)),
        ("equivalent", ("worse", "better", "better"), ("B", "C")),
        ("cannot_tell", ("better", "cannot_tell"), ("A",)),
    ],
)
def test_optimise(total: str, presets: Sequence[str], optimised: Tuple[str, ...]) -> None:
    """All presets, or those that gain; the reviews are theirs."""
    (advice,) = advise(report(fsrs_on(compared(total, 0.001, -MARGIN / 2), *presets), compared("better")))
    reviews = sum(100 + "ABCD".index(name) for name in optimised) if optimised else BASIS.reviews
    assert advice == Advice("optimise", "FSRS-6", optimised, reviews)


@pytest.mark.parametrize("code", ["worse", "equivalent", "cannot_tell"])
@pytest.mark.parametrize(("low", "said"), [(-MARGIN, True), (-MARGIN * 1.001, False), (0.01, True)])
def test_nothing_to_do(code: str, low: float, said: bool) -> None:
    """No more than the margin can be gained."""
    scheduler = fsrs_on(compared(code, 0.005, low), code)
    found = codes(report(scheduler, compared("better")))
    assert found == (["nothing_to_do"] if said else ["too_early_to_optimise"] * (code == "cannot_tell"))


@pytest.mark.parametrize(
    ("expected", "times"), [(-0.0201, None), (0.0199, 1.01), (-0.01, 4), (-0.00633, 9.983), (0.0063, None), (0, None)]
)
def test_too_early(expected: float, times: Optional[float]) -> None:
    """The square of 1.96 standard errors against what is expected, up to ten times; on a CSV, too."""
    found = advise(report(None, likely(0.7, "cannot_tell", expected)))
    if times is None:
        assert found == ()
    else:
        (advice,) = found
        assert (advice.code, advice.reviews) == ("too_early", 1000)
        assert advice.more_reviews == pytest.approx(1000 * (times - 1) * SHARE, abs=2)
        assert advice.more_days == pytest.approx(100 * (times - 1) * SHARE, abs=1)
    assert advise(report(None, likely(0.7, "cannot_tell", expected), in_sample=("FSRS-6",))) == ()
    assert 9.983 < MOST_TIMES < (0.02 / 0.0063) ** 2


def test_where_nothing_is_known_of_others_no_number_is_said() -> None:
    assert advise(report(None, compared("cannot_tell", 0.04, -0.005))) == ()


NEVER = RarerOutcome(0, 0, 0, 0)


@pytest.mark.parametrize(
    ("basis", "code", "times"),
    [
        (Basis(400, 100, MIN_DAYS // 2), "too_few", 2),
        (Basis(400, MIN_CARDS // 4, 100), "too_few", 4),
        (Basis(400, 100, MIN_DAYS // 2, RarerOutcome(0, MIN_RARER // 5, 2, 2)), "too_few", 5),
        (Basis(400, 100, 100, RarerOutcome(0, MIN_RARER // 2, 5, 5)), "rare_outcome", 2),
        (Basis(400, 100, 100, RarerOutcome(1, 20, 2, 5)), "rare_outcome", 2.5),
        (Basis(400, 100, 100, NEVER), "rare_outcome", None),
        (Basis(400, 1, 100), "too_few", None),
    ],
)
def test_too_early_for_an_interval(basis: Basis, code: str, times: Optional[float]) -> None:
    """Of what is lacking most; where nothing was forgotten, or very much is lacking, nobody knows how much."""
    found = advise(report(None, compared(code), basis))
    days = None if times is None else round(basis.days * (times - 1) * SHARE + 0.4999)
    assert [(one.code, one.more_days) for one in found] == ([] if days is None else [("too_early", days)])


def test_too_early_to_optimise() -> None:
    """All new reviews count; one preset's gain would have been said."""
    scheduler = fsrs_on(likely(0.7, "cannot_tell"), "cannot_tell")
    (advice,) = advise(report(scheduler, compared("better")))
    assert advice == Advice("too_early_to_optimise", reviews=1000, more_reviews=3000, more_days=300)
    (advice,) = advise(report(fsrs_on(likely(0.7, "cannot_tell", 0.0)), compared("better")))
    assert advice == Advice("too_early_to_optimise", reviews=1000)
    (advice,) = advise(report(fsrs_on(None, basis=Basis(0, 0, 0)), compared("better")))
    assert advice == Advice("too_early_to_optimise", reviews=0, more_days=MIN_DAYS)


def test_the_verdict_comes_before_optimising_again() -> None:
    """Both are too early to tell: the first question is whether FSRS is better at all."""
    open_still = likely(0.7, "cannot_tell")
    assert codes(report(fsrs_on(open_still), open_still)) == ["too_early"]
    assert codes(report(fsrs_on(compared("better", 0.01, -0.01)), open_still)) == ["optimise"]


@pytest.mark.parametrize("code", [SUSPECTED, NOT_SUSPECTED, "too_few"])
def test_hard_comes_first_and_never_more_than_two(code: str) -> None:
    """Whatever else is said; a section that is made later changes the advice."""
    found = Hard("FSRS-6", code, None, 200, 180)
    hard = ["hard"] if code == SUSPECTED else []
    for scheduler, other in (
        (None, []),
        (Scheduler(False, compared("better")), ["switch_on"]),
        (fsrs_on(compared("better", 0.001, -0.01), "better", "worse"), ["optimise"]),
    ):
        before = report(scheduler, compared("better")).with_advice()
        assert [one.code for one in before.advice] == other
        assert [one.code for one in before.with_section(SECTION.key, found).advice] == [*hard, *other]


def test_nothing_to_do_is_not_said_beside_something_to_do() -> None:
    """Nor where FSRS is worse than what it is compared with."""
    fine = fsrs_on(compared("equivalent", 0.001, 0.0))
    assert codes(report(fine, compared("better"))) == ["nothing_to_do"]
    assert codes(report(fine, compared("worse"))) == []
    suspected = report(fine, compared("better")).with_section(SECTION.key, Hard("FSRS-6", SUSPECTED, None, 200, 180))
    assert [one.code for one in suspected.advice] == ["hard"]


def test_without_a_result() -> None:
    assert advise(report()) == ()
