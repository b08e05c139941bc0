from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Dict, List, Optional

import fake
import made_graphs as made
import pytest
from made_workload import workload

from evaluator.interval import TOO_FEW, ConfidenceInterval
from evaluator.report import (
    Accuracy,
    Advice,
    Comparison,
    Failure,
    PeerGroup,
    PercentileRank,
    ProbabilityBetter,
    RarerOutcome,
    RecallNear,
    Report,
    SampleSize,
    Verdict,
)
from evaluator.scope import SAME_DAY_TABLE
from tools.output.table import render, render_sections
from ui.page import page
from ui.text import strings
from ui.views.headline import headline_and_details, links_to_workload

PEERS = PeerGroup(13_000, 20_000, 100)
FEW = SampleSize(295, 80, 40)
#: Adjusted to the user's history.
ADJUSTED = "Anki-SM-2 calibrated"


def against(
    baseline: str, code: str, *, algorithm: str = "FSRS-6", chance: Optional[ProbabilityBetter] = None
) -> Comparison:
    estimate = {"better": -0.02, "worse": 0.02}.get(code, 0.0)
    ends = (None, None) if code in (TOO_FEW, "rare_outcome") else (estimate - 0.01, estimate + 0.01)
    return Comparison(algorithm, baseline, ConfidenceInterval(estimate, *ends, 0.005), code, 0.01, chance=chance)


def likely(better: float = 0.99, code: str = "almost_certainly", better_for: int = 98) -> ProbabilityBetter:
    return ProbabilityBetter(better, code, -0.03, PEERS, better_for, "FSRS-5 recency", "Anki-SM-2")


def near(predicted: float, recalled: float, reviews: int = 1956) -> RecallNear:
    return RecallNear(reviews, predicted, ConfidenceInterval(recalled, recalled - 0.013, recalled + 0.013, 0.0065))


SM2 = against("Anki-SM-2", "better", chance=likely(better_for=99))


def on(form: str = "target", **facts: Any) -> Report:
    """FSRS is on; retrained, exact and better than SM-2 even if adjusted, unless said otherwise."""
    usual: Dict[str, Any] = {
        "algorithm": "FSRS-6",
        "source": "retrained",
        "desired_retention": 0.9,
        "share": 1.0,
        "recall": near(0.898, 0.904),
        "code": "as_predicted",
        "rank": PercentileRank("rmse_bins_benchmark", 0.82, "FSRS-5 recency", PEERS),
        "against_sm2": SM2,
        "against_calibrated": against(ADJUSTED, "better"),
    }
    return rivals(True, SM2, accuracy=Accuracy(form, **{**usual, **facts}))


def rivals(
    fsrs: Optional[bool],
    c: Comparison,
    adjusted: str = "",
    *,
    basis: SampleSize = SampleSize(16_000, 2801, 612),  # noqa: B008 - frozen
    accuracy: Optional[Accuracy] = None,
) -> Report:
    """FSRS against SM-2."""
    whole = fake.report()
    calibrated = against(ADJUSTED, adjusted) if adjusted else None
    facts = Accuracy("rivals", c.algorithm, "retrained", against_sm2=c, against_calibrated=calibrated)
    return replace(
        whole,
        scope=replace(whole.scope, fsrs=fsrs, reviews=basis.reviews),
        verdict=Verdict(c.code, c.algorithm, c.baseline, basis, (c,), disagreement=made.disagreement()),
        accuracy=accuracy or facts,
    )


PEOPLE = "people with a similar number of reviews"
EXACT = "When FSRS says 90%, you remember 90%."
TOO_HIGH = "When FSRS says 90%, you remember only 86%."
EARLIER = "Your cards come back earlier than they need to."
CLOSER = "Newly optimized parameters would be closer: when they say 90%, you remember 89%."
NO_CHANGE = "Optimizing would not close this gap."
OF_1987 = "Anki's SM-2", "SM-2 (1987)"
FITS = f"FSRS fits you better than it fits 82 of 100 {PEOPLE}."
BETTER = "FSRS predicts better than Anki's SM-2, even with SM-2 adjusted to your history."
WOULD = "FSRS would predict your memory better than Anki's SM-2."
WOULD_AS_IT_IS = "FSRS would predict your memory better than Anki's SM-2 (unadjusted)."
FOR_99 = f"For 99 of 100 {PEOPLE}, FSRS predicts better than Anki's SM-2 (unadjusted)."
FOR_98 = f"For 98 of 100 {PEOPLE}, FSRS predicts better than Anki's SM-2."
ONLY = "SM-2 gives only intervals;"
FITTED = "turned into probabilities and fitted to your reviews, they predict"
ADJUSTED_WORSE = f"{ONLY} even {FITTED} worse than FSRS."
TOO_FEW_YET = "Too few reviews to check FSRS for you yet."
TOO_FEW_DAYS_YET = "Your own reviews show nothing yet: 80 cards on 5 days; at least 20 cards and 8 days are needed."
TOO_FEW_HERE = f"of 100 {PEOPLE}; your 295 reviews are too few to check this for you."
NOT_CLEAR = "It is not yet clear whether FSRS or Anki's SM-2 predicts your memory better."

LOW = {"recall": near(0.9, 0.86), "code": "lower"}
HIGH = {"recall": near(0.9, 0.94), "code": "higher"}
HELPS = {"retrained": near(0.899, 0.888), "closer": True}
UNFIT = PercentileRank("rmse_bins_benchmark", 0.4, "FSRS-5 recency", PEERS)
OPEN = against("Anki-SM-2", "cannot_tell", chance=likely(0.96, "very_probably"))
NO_INTERVAL = RecallNear(295, 0.9, ConfidenceInterval(0.9, reason=TOO_FEW))
TOO_FEW_FACTS = Accuracy("too_few", "FSRS-6", "retrained", 0.9, 1.0, against_sm2=OPEN, needed_reviews=391)
ACCURATE = on()


def unranked(adjusted: str = "better", sm2: Comparison = SM2) -> Report:
    """An accurate scheduler; without a rank, so that the sentence on SM-2 is shown."""
    return on(rank=None, against_sm2=sm2, against_calibrated=against(ADJUSTED, adjusted) if adjusted else None)


#: The first screens by what they are about: the report, and what it says above what to do.
SCREENS: Dict[str, Any] = {
    "on, accurate": (ACCURATE, [EXACT, FITS, BETTER]),
    "a deck": (replace(ACCURATE, scope=replace(ACCURATE.scope, kind="deck", name="Law")), [EXACT, FITS, BETTER]),
    "two desired retentions": (
        on(desired_retention=0.85, share=0.72, recall=near(0.851, 0.853)),
        ["When FSRS says 85%, you remember 85%.", FITS, BETTER],
    ),
    "on, too high, optimizing helps": (on(**LOW, **HELPS, source="own", rank=None), [TOO_HIGH, CLOSER, BETTER]),
    "on, default parameters, off by 4 points, optimizing helps": (
        on(**LOW, **HELPS, algorithm="FSRS-6 default", source="default", rank=UNFIT),
        [TOO_HIGH, CLOSER, BETTER],
    ),
    "on, off by 4 points, optimizing does not help": (
        on(**HIGH, retrained=near(0.9, 0.94), closer=False, suggested_retention=0.86),
        [f"When FSRS says 90%, you remember 94%. {EARLIER}", NO_CHANGE],
    ),
    "on, too low, optimizing does not help": (
        on(**LOW, rank=replace(UNFIT, better_than=0.39), retrained=near(0.9, 0.86), closer=False),
        [TOO_HIGH, NO_CHANGE, f"FSRS fits you less well than it fits 61 of 100 {PEOPLE}."],
    ),
    "on, too few near the desired retention": (
        on("average", recall=near(0.889, 0.887), rank=replace(UNFIT, better_than=0.60)),
        [
            "On average, FSRS expected 88.9%; you remembered 88.7%.",
            f"FSRS fits you better than it fits 60 of 100 {PEOPLE}.",
            BETTER,
        ],
    ),
    "on, average too high": (
        on("average", **LOW, retrained=near(0.89, 0.88), closer=True),
        [
            "On average, FSRS expected 90.0%; you remembered only 86.0%.",
            "Newly optimized parameters would be closer: on average they expected 89.0%; you remembered 88.0%.",
            BETTER,
        ],
    ),
    "on, average too low": (
        on("average", **HIGH),
        [f"On average, FSRS expected 90.0%; you remembered 94.0%. {EARLIER}", BETTER],
    ),
    "on, too few reviews": (
        rivals(True, OPEN, basis=FEW, accuracy=TOO_FEW_FACTS),
        [TOO_FEW_YET, "You have 295 reviews of cards seen on an earlier day; about 400 are needed.", FOR_98],
    ),
    "on, too few days": (
        rivals(True, OPEN, basis=replace(FEW, days=5), accuracy=Accuracy("too_few", "FSRS-6", recall=NO_INTERVAL)),
        [TOO_FEW_YET, TOO_FEW_DAYS_YET],
    ),
    "on, too few unseen reviews": (
        rivals(True, OPEN, accuracy=Accuracy("too_few", "Your parameters", "own", recall=NO_INTERVAL)),
        [TOO_FEW_YET],
    ),
    "on, too few days, seen or not": (
        rivals(
            True,
            against("Anki-SM-2", TOO_FEW),
            basis=replace(FEW, days=5),
            accuracy=Accuracy("too_few", "Your parameters", "own", recall=NO_INTERVAL),
        ),
        [TOO_FEW_YET, TOO_FEW_DAYS_YET],
    ),
    "on, SM-2 adjusted as good": (
        unranked("cannot_tell"),
        [EXACT, "Anki's SM-2, adjusted to your history, predicts about as well as FSRS."],
    ),
    "on, SM-2 adjusted better": (
        unranked("worse"),
        [EXACT, "Anki's SM-2, adjusted to your history, predicts better than FSRS."],
    ),
    "on, without an adjusted SM-2": (unranked(""), [EXACT, "FSRS predicts better than Anki's SM-2."]),
    "on, SM-2 open": (unranked("equivalent", OPEN), [EXACT, FOR_98]),
    "on, SM-2 open, adjusted worse": (
        unranked(sm2=OPEN),
        [EXACT, "FSRS predicts better than Anki's SM-2, adjusted to your history."],
    ),
    "on, SM-2 open, adjusted better": (
        unranked("worse", OPEN),
        [EXACT, "Anki's SM-2, adjusted to your history, predicts better than FSRS."],
    ),
    "on, against SM-2 of 1987": (unranked(sm2=against("SM-2", "better")), [EXACT, BETTER.replace(*OF_1987)]),
    "on, SM-2 of 1987 better": (
        unranked(sm2=against("SM-2", "worse")),
        [EXACT, "SM-2 (1987) predicts better than FSRS."],
    ),
    "on, SM-2 better": (unranked(sm2=against("Anki-SM-2", "worse")), [EXACT, "Anki's SM-2 predicts better than FSRS."]),
    "off, clearly better": (rivals(False, SM2, "better"), [WOULD, ADJUSTED_WORSE, FOR_99]),
    "off, better only before calibration": (
        rivals(False, SM2, "equivalent"),
        [WOULD_AS_IT_IS, f"{ONLY} {FITTED} about as well as FSRS.", FOR_99],
    ),
    "off, worse after calibration": (
        rivals(False, SM2, "worse"),
        [WOULD_AS_IT_IS, f"{ONLY} {FITTED} better than FSRS.", FOR_99],
    ),
    "off, SM-2 better": (
        rivals(False, against("Anki-SM-2", "worse", chance=likely()), "worse"),
        ["Anki's SM-2 predicts your memory better than FSRS would.", FOR_98],
    ),
    "off, alike": (
        rivals(False, against("Anki-SM-2", "equivalent", chance=likely()), "equivalent"),
        ["FSRS would predict your memory about as well as Anki's SM-2.", FOR_98],
    ),
    "off, few reviews": (
        rivals(False, OPEN, "cannot_tell", basis=FEW),
        ["FSRS would very probably predict your memory better than Anki's SM-2.", f"It does so for 98 {TOO_FEW_HERE}"],
    ),
    "off, SM-2 probably": (
        rivals(False, against("Anki-SM-2", "cannot_tell", chance=likely(0.15, "probably", 40)), basis=FEW),
        ["Anki's SM-2 probably predicts your memory better than FSRS.", f"It does so for 60 {TOO_FEW_HERE}"],
    ),
    "off, open": (
        rivals(False, against("Anki-SM-2", "cannot_tell", chance=likely(0.6, "cannot_tell", 64))),
        [NOT_CLEAR, FOR_98.replace("98", "64")],
    ),
    "off, hardly ever Again": (
        rivals(False, against("Anki-SM-2", "rare_outcome"), basis=SampleSize(295, 80, 40, RarerOutcome(0, 4, 3, 2))),
        [NOT_CLEAR, "Your own reviews show nothing yet: you pressed Again in only 4 reviews (3 cards, 2 days)."],
    ),
    "a CSV": (
        rivals(None, SM2, "better"),
        ["FSRS predicted these reviews better than Anki's SM-2.", ADJUSTED_WORSE, FOR_99],
    ),
    "two of one family": (
        rivals(None, against("FSRS-5", "better")),
        ["FSRS-6 predicted these reviews better than FSRS-5."],
    ),
    "worse than guessing": (
        rivals(None, against("AVG", "worse")),
        ["Guessing your average every time would have predicted better than FSRS did."],
    ),
    "one algorithm": (
        replace(fake.report(), accuracy=Accuracy("rivals", None), verdict=Verdict("no_pair", "AVG", None, FEW, ())),
        ["With one algorithm there is nothing to compare. Choose a second one, such as Anki-SM-2."],
    ),
    "cancelled": (
        replace(fake.report(), accuracy=None, verdict=Verdict("unfinished", "FSRS-6", "Anki-SM-2", FEW, ())),
        ["No comparison, because there is no result for Anki's SM-2.", "The table shows the other algorithms."],
    ),
}


@pytest.mark.parametrize("case", SCREENS)
def test_each_screen_has_its_sentences(case: str) -> None:
    report, expected = SCREENS[case]
    headline, details = headline_and_details(report)
    assert headline == expected
    sentences = [sentence for text in headline for sentence in re.split(r"(?<=[.])\s+(?=[A-Z])", text)]
    assert 1 <= len(sentences) <= 3
    assert max(len(sentence.split()) for sentence in sentences) <= 25
    assert "which cards" not in " ".join([*headline, *details])
    assert "\N{NO-BREAK SPACE}%" not in " ".join([*headline, *details])
    assert not any("\n" in line for line in details)
    assert not set(headline) & set(details)


@pytest.mark.parametrize(
    ("code", "expected"), [("optimize", False), ("optimize_if_you_like", False), ("nothing", True), ("hard", True)]
)
def test_the_headline_does_not_contradict_advice_to_optimize(code: str, expected: bool) -> None:
    report, _expected = SCREENS["on, too low, optimizing does not help"]
    headline, details = headline_and_details(replace(report, advice=(Advice(code, change=0.02),)))
    assert (NO_CHANGE in [*headline, *details]) is expected


@pytest.mark.parametrize("case", ["on, accurate", "off, clearly better", "one algorithm"])
def test_it_is_on_the_page_and_in_the_terminal(case: str) -> None:
    report, expected = SCREENS[case]
    terminal, more = (" ".join(text.split()) for text in (render(report), render_sections(report, ["comparisons"])))
    web = page(report).replace("&#x27;", "'")
    assert all(said in terminal and said in web for said in expected)
    for line in headline_and_details(report)[1]:
        assert f"- {line}" in more
        assert f"<li>{line}</li>" in web


def details_of(case: str) -> List[str]:
    return headline_and_details(SCREENS[case][0])[1]


def test_details_name_the_source_of_the_predictions() -> None:
    untested = (
        "Not tested here: the parameters in your presets. They were fitted to most of these reviews, so they would "
        "look too good."
    )
    retrained = "Tested here: FSRS-6, retrained as your history grew."
    stored = replace(ACCURATE.results[0], algorithm="Your parameters", in_sample=True)
    failed = replace(stored, error=Failure("no_parameters", {"presets": 1}))
    for row, why in ((stored, [untested]), (failed, []), (replace(stored, in_sample=False), [])):
        details = headline_and_details(replace(ACCURATE, results=(*ACCURATE.results, row)))[1]
        assert [line for line in details if "ested here" in line] == [retrained, *why]
    assert untested not in details_of("on, accurate")
    own = details_of("on, too high, optimizing helps")
    assert own[0] == "Tested here: the parameters in your presets, on reviews since you last changed them."
    assert "Tested here: FSRS-6 (default), whose parameters your presets still use." in details_of(
        "on, default parameters, off by 4 points, optimizing helps"
    )
    published = on(algorithm="Your parameters", source="default")
    assert (
        headline_and_details(published)[1][0]
        == "Tested here: the parameters in your presets, which are still the default ones."
    )
    assert untested not in own + details_of("off, clearly better")
    first, *others = ACCURATE.results
    mixed = replace(ACCURATE, results=(replace(first, note="versions"), *others))
    assert "Your presets run different versions of FSRS." in headline_and_details(mixed)[1]


def test_details_have_the_numbers() -> None:
    accurate = details_of("on, accurate")
    remembered = "Of 1,956 reviews predicted near 90% (on average 89.8%), you remembered 90.4% (89.1% to 91.7%)."
    assert remembered in accurate
    assert not any("desired retention of" in line for line in accurate)
    share = "This covers only reviews with a desired retention of 85%: about 72% of yours."
    assert share in details_of("two desired retentions")
    assert {FITS, BETTER} <= set(details_of("on, off by 4 points, optimizing does not help"))
    average = details_of("on, too few near the desired retention")
    assert "Of 1,956 reviews (predicted on average: 88.9%), you remembered 88.7% (87.4% to 90.0%)." in average
    lines = [line for line in accurate if line.startswith("Log loss")]
    assert ["adjusted to you" in line for line in lines] == [False, True]


@pytest.mark.parametrize(
    ("difference", "numbers"),
    [
        (ConfidenceInterval(-0.0412, -0.0463, -0.0361, 0.01), "\u22120.0412 (\u22120.0463 to \u22120.0361)"),
        (ConfidenceInterval(0.02, -0.01, 0.05, 0.01), "+0.0200 (\u22120.0100 to +0.0500)"),
        (ConfidenceInterval(-0.3, reason=TOO_FEW), "\u22120.3000"),
    ],
)
def test_log_loss_is_in_the_details(difference: ConfidenceInterval, numbers: str) -> None:
    whole = rivals(None, replace(against("SM-2", "better"), difference=difference))
    text = "Log loss of FSRS-6 minus that of SM-2 (1987), on 16,000 reviews unseen by both: "
    assert f"{text}{numbers}; negative is better." in headline_and_details(whole)[1]


def test_details_show_both_directions_of_a_disagreement() -> None:
    result = [line for line in details_of("on, accurate") if "points" in line]
    assert ["more confident" in line for line in result] == [True, False]
    assert result[0].startswith("On 3,214 reviews, FSRS-6 was at least 10 points more confident than")


def test_the_same_day_table_is_named() -> None:
    c = against("SM-2", "better", algorithm="FSRS-7")
    whole = rivals(True, c)
    other = replace(whole, scope=replace(whole.scope, table=SAME_DAY_TABLE))
    assert (
        headline_and_details(other)[0][0]
        == "With same-day reviews: FSRS predicted these reviews better than SM-2 (1987)."
    )
    assert not links_to_workload(other)


@pytest.mark.parametrize(
    ("fsrs", "table", "expected"),
    [
        (True, "whole-day", "Checking FSRS…"),
        (False, "whole-day", "Comparing FSRS and SM-2…"),
        (None, "whole-day", "Comparing FSRS and SM-2…"),
        (True, SAME_DAY_TABLE, "Comparing FSRS and SM-2…"),
    ],
)
def test_while_it_runs_the_form_is_known(fsrs: Optional[bool], table: str, expected: str) -> None:
    whole = replace(fake.report(), accuracy=None)
    running = replace(whole, scope=replace(whole.scope, fsrs=fsrs, table=table))
    assert headline_and_details(running, running=True) == ([expected], [])
    done = replace(running, accuracy=ACCURATE.accuracy)
    assert headline_and_details(done, running=True)[0][-1] == BETTER


@pytest.mark.parametrize("case", ["on, accurate", "on, too few reviews", "off, clearly better", "a CSV"])
def test_the_headline_links_to_the_workload(case: str) -> None:
    report, _expected = SCREENS[case]
    assert links_to_workload(report)
    assert "For reviews per day: --sections workload." in render(report)
    assert "How many reviews a day?" not in page(report)
    assert re.search('<a href="#workload">How many reviews a day', page(report.with_section("workload", workload())))
    assert not links_to_workload(SCREENS["one algorithm"][0])


def test_in_sample_parameters_are_named_in_the_headline() -> None:
    c = against("SM-2", "better", algorithm="Your parameters")
    whole = rivals(None, c)
    seen = replace(whole, verdict=replace(whole.verdict, in_sample=("Your parameters",)), accuracy=None)
    headline, details = headline_and_details(seen)
    assert headline[1] == strings.MAY_BE_IN_SAMPLE.format(algorithm="Your parameters")
    assert not any("points" in line or "unseen by both" in line for line in details)
