from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, List, Optional, Sequence

import fake
import made_graphs as made
import pytest
from expected_texts import expected_lines
from made_workload import workload

from evaluator.interval import TOO_FEW, ConfidenceInterval
from evaluator.report import (
    ADJUSTED,
    OWN,
    Accuracy,
    Advice,
    Comparison,
    Headline,
    PeerGroup,
    PresetInUse,
    ProbabilityBetter,
    RarerOutcome,
    RecallNear,
    Report,
    Rivalry,
    SampleSize,
    SchedulerInUse,
    Verdict,
)
from evaluator.report.accuracy import NOTHING_TESTED
from evaluator.scope import SAME_DAY_TABLE
from tools.output.table import render, render_sections
from ui.page import page
from ui.views.headline import HeadlineText, headline_text, links_to_workload

PEERS = PeerGroup(13_000, 20_000, 100)
FEW = SampleSize(295, 80, 40)


def compare(
    baseline: str, code: str, *, algorithm: str = "FSRS-6 optimized", others: Optional[int] = None
) -> Comparison:
    """Return a comparison with this code. ``others`` is the percentage of people for whom the algorithm is better."""
    estimate = {"better": -0.02, "worse": 0.02}.get(code, 0.0)
    ends = (None, None) if code in (TOO_FEW, "rare_outcome") else (estimate - 0.01, estimate + 0.01)
    chance = others and ProbabilityBetter(0.99, -0.03, PEERS, others, "FSRS-5 recency", "Anki-SM-2")
    difference = ConfidenceInterval(estimate, *ends, 0.005)
    return Comparison(algorithm, baseline, difference, code, chance=chance or None)


def rivalry(claim: str, baseline: str = ADJUSTED, **facts: Any) -> Rivalry:
    code = claim if claim in ("better", "worse", "equivalent") else "cannot_tell"
    past = ConfidenceInterval(-0.02, -0.03, -0.01, 0.005)
    return Rivalry(compare(baseline, code, **facts), past, claim, 16_000)


def near(predicted: float, recalled: float, half: float = 0.01, reviews: int = 4355) -> RecallNear:
    return RecallNear(reviews, predicted, ConfidenceInterval(recalled, recalled - half, recalled + half, half / 2))


def accuracy(state: str = "right", source: Optional[str] = "unseen", gap: float = 0.0, **facts: Any) -> Accuracy:
    """Return the accuracy near 90%. ``gap`` is recall minus prediction, and ``half`` half of its interval's width."""
    recall = near(0.898, 0.898 + gap, facts.pop("half", 0.01), facts.pop("reviews", 4355)) if source else NOTHING_TESTED
    defaults = {"desired_retention": 0.9, "reviews": 16_000, "recall": recall, "algorithm": OWN}
    return Accuracy(state=state, source=source, **{**defaults, **facts})


def preset(name: str, accuracy: Accuracy, change: Optional[float] = 0.002) -> PresetInUse:
    return PresetInUse(len(name), name, 3940, "2024-02-01", accuracy, change=change)


SM2 = rivalry("better", "Anki-SM-2", others=99)
AHEAD = rivalry("better")


def report_on(state: Accuracy, *presets: PresetInUse, adjusted: Optional[Rivalry] = AHEAD, **facts: Any) -> Report:
    """Return a report with FSRS on. It is better than SM-2, also if SM-2 is adjusted, unless other facts are given."""
    report = fake.report()
    headline = Headline(state, adjusted, facts.pop("sm2", SM2), facts.pop("again", None))
    in_use = presets or (preset("Default", state, facts.pop("change", 0.002)),)
    row = replace(report.results[0], algorithm=OWN, in_sample=True)
    return replace(
        report,
        scope=replace(report.scope, fsrs=True),
        verdict=Verdict("better", "FSRS-6", "SM-2", SampleSize(16_000, 2801, 612), (SM2.comparison,)),
        results=(*report.results, row),
        headline=headline,
        scheduler=SchedulerInUse(True, 3, in_use),
        **facts,
    )


def report_of_rivals(
    fsrs: Optional[bool], adjusted: Optional[Rivalry], sm2: Optional[Rivalry] = SM2, reviews: int = 7140
) -> Report:
    """Return a report whose headline compares FSRS with adjusted SM-2, if there is one, and with SM-2."""
    rival = adjusted or sm2
    assert rival is not None
    report = report_of_pair(rival.comparison)
    return replace(
        report,
        scope=replace(report.scope, fsrs=fsrs, reviews=reviews),
        verdict=replace(report.verdict, disagreement=made.disagreement()),
        headline=Headline(None, adjusted, sm2),
    )


def report_of_pair(comparison: Comparison, basis: SampleSize = FEW, in_sample: Sequence[str] = ()) -> Report:
    """Return a report whose headline compares two algorithms."""
    verdict = Verdict(
        comparison.code, comparison.algorithm, comparison.baseline, basis, (comparison,), tuple(in_sample)
    )
    return replace(fake.report(), verdict=verdict, headline=Headline(None))


RIGHT = "When FSRS said 90%, you remembered 90%."
BETTER = "FSRS predicted better than Anki's SM-2, even with SM-2 adjusted to your history."
AGAIN = "Had you optimized regularly, FSRS's 90% would have meant 90%."

LEFT_OPEN = rivalry("open", "Anki-SM-2", others=98)
OFF = accuracy("off", gap=-0.04, optimized=near(0.899, 0.889), closer=True)
EARLY = accuracy("off", gap=0.04, optimized=near(0.9, 0.945), closer=False)
RETRAINED = accuracy("right", "retrained", algorithm="FSRS-6 optimized")
UNKNOWN = accuracy("open", None, algorithm="FSRS-6 optimized")
SEEN = accuracy("off", "seen", -0.09)
DEFAULT, ANATOMY = preset("Default", accuracy()), preset("Anatomy", OFF, 0.021)
GAPS = {"Law": -0.03, "Anatomy": -0.05, "Art": 0.03}
THREE_OFF = [preset(name, accuracy("off", gap=gap)) for name, gap in GAPS.items()]
KANJI = preset("Kanji", accuracy("off", gap=0.04, desired_retention=0.85))
FEW_OPEN = {"adjusted": replace(rivalry("open"), reviews=140), "sm2": LEFT_OPEN}
HARDLY_AGAIN = SampleSize(295, 80, 40, RarerOutcome(0, 4, 3, 2))

#: Reports by their cases in first_screens.txt.
REPORTS = {
    "right": report_on(accuracy()),
    "off, optimizing helps": report_on(OFF),
    "right, a preset is off": report_on(accuracy(), DEFAULT, ANATOMY),
    "right, three presets are off": report_on(accuracy(), DEFAULT, *THREE_OFF),
    "off, and so is one of two presets": report_on(OFF, DEFAULT, preset("Anatomy", accuracy("off", gap=-0.08))),
    "all presets are off": report_on(OFF, preset("Default", OFF), ANATOMY),
    "open, a preset with another desired retention is off": report_on(
        accuracy("open", half=0.05), preset("Default", accuracy("open")), KANJI
    ),
    "retrained, own parameters are too new": report_on(replace(RETRAINED, changed_after_reviews=True)),
    "retrained, own parameters differ": report_on(RETRAINED, change=0.0412),
    "seen, worse than SM-2": report_on(SEEN, adjusted=rivalry("worse"), again=rivalry("better")),
    "seen, not worse than SM-2": report_on(SEEN, again=rivalry("better")),
    "early, optimizing does not help": report_on(EARLY),
    "open": report_on(accuracy("open", gap=0.005, half=0.055, reviews=140), **FEW_OPEN),
    "right when retrained, a preset with seen parameters is off": report_on(
        RETRAINED, preset("Default", RETRAINED), preset("Anatomy", replace(SEEN, near=False))
    ),
    "open without a number": report_on(UNKNOWN, adjusted=rivalry("better_past")),
    "on average": report_on(accuracy("off", gap=-0.038, near=False)),
    "right, but not elsewhere": report_on(accuracy(elsewhere=near(0.7, 0.42))),
    "on, too close": report_on(accuracy(), adjusted=rivalry("open")),
    "on, equivalent": report_on(accuracy(), adjusted=rivalry("equivalent")),
    "off, better": report_of_rivals(False, rivalry("better")),
    "off, a fading lead": report_of_rivals(False, rivalry("better_past")),
    "off, too close": report_of_rivals(False, rivalry("open")),
    "off, too early": report_of_rivals(False, rivalry("open"), LEFT_OPEN, 295),
    "off, SM-2 better": report_of_rivals(False, rivalry("worse")),
    "off, equivalent": report_of_rivals(False, rivalry("equivalent")),
    "off, without adjusting": report_of_rivals(False, None, rivalry("worse", "Anki-SM-2")),
    "a CSV": report_of_rivals(None, rivalry("better")),
    "two of one family": report_of_pair(compare("FSRS-5", "better", algorithm="FSRS-7")),
    "two of one family, open": report_of_pair(compare("FSRS-5", "cannot_tell", algorithm="FSRS-7")),
    "hardly ever Again": report_of_pair(compare("AVG", "rare_outcome"), HARDLY_AGAIN),
    "worse than guessing": report_of_pair(compare("AVG", "worse")),
    "in sample": report_of_pair(compare("FSRS-5", "better", algorithm=OWN), in_sample=[OWN]),
    "one algorithm": replace(fake.report(), headline=Headline(None), verdict=Verdict("no_pair", "AVG", None, FEW, ())),
    "cancelled": replace(fake.report(), headline=None, verdict=Verdict("unfinished", "FSRS-6", "Anki-SM-2", FEW, ())),
}
#: Lines of each first screen: the heading, the remark beside it in brackets, and the sentences below.
SCREENS = expected_lines("first_screens.txt")


@pytest.mark.parametrize("case", REPORTS)
def test_each_screen_has_its_sentences(case: str) -> None:
    text = headline_text(REPORTS[case])
    assert [line for line in (text.heading, text.aside, *text.below) if line] == SCREENS[case]
    assert re.fullmatch(r"(\(.*\))?", text.aside)
    sentences = [text.heading, *text.below]
    assert all(sentences)
    assert len(sentences) <= 3
    assert max(len(part.split()) for sentence in sentences for part in re.split(r"(?<=[.;:])\s", sentence)) <= 25
    assert not any("\n" in line or "\N{NO-BREAK SPACE}%" in line for line in text.details)
    assert not set(sentences) & set(text.details)
    words = " ".join([*sentences, *text.details])
    assert "fits you" not in words
    assert "too few to check" not in words
    assert ("about as well" in words) == ("equivalent" in case)


def test_each_first_screen_has_its_report() -> None:
    assert list(SCREENS) == list(REPORTS)


@pytest.mark.parametrize(
    ("code", "expected"), [("optimize", False), ("optimize_if_you_like", False), ("nothing", True), ("hard", True)]
)
def test_headline_does_not_contradict_advice_to_optimize(code: str, expected: bool) -> None:
    text = headline_text(report_on(EARLY, advice=(Advice(code, change=0.02),)))
    assert ("Newly optimized parameters would have been off by about as much." in text.below) is expected


@pytest.mark.parametrize("optimized", [near(0.9, 0.955), None])
def test_optimized_parameters_that_are_further_off_are_not_mentioned(optimized: Optional[RecallNear]) -> None:
    assert headline_text(report_on(replace(EARLY, optimized=optimized))).below == (BETTER,)


@pytest.mark.parametrize(
    ("row", "changed", "reason"),
    [
        ({"in_sample": False}, "2024-01-01", "Your reviews do not show how accurate your current parameters are"),
        ({"note": "versions"}, "2024-01-01", "Your current parameters could not be tested"),
        ({}, None, "Your current parameters could not be tested"),
        ({"algorithm": "FSRS-5"}, "2024-01-01", "Your current parameters could not be tested"),
    ],
)
def test_headline_says_why_own_parameters_have_no_number(row: Any, changed: Optional[str], reason: str) -> None:
    report = report_on(RETRAINED, replace(preset("Default", RETRAINED), changed=changed))
    *remaining, own_row = report.results
    text = headline_text(replace(report, results=(*remaining, replace(own_row, **row))))
    assert text.below[0] == (
        f"{reason}; optimizing now would change their predictions by 0.2 percentage points on average."
    )


@pytest.mark.parametrize("case", ["right", "off, better", "one algorithm"])
def test_headline_is_on_the_page_and_in_the_terminal(case: str) -> None:
    report = REPORTS[case]
    terminal, sections = (" ".join(text.split()) for text in (render(report), render_sections(report, ["comparisons"])))
    html = page(report).replace("&#x27;", "'")
    assert all(line in terminal and line in html for line in SCREENS[case])
    for line in headline_text(report).details:
        assert f"- {line}" in sections
        assert f"<li>{line}</li>" in html


def details_of(report: Report) -> List[str]:
    return list(headline_text(report).details)


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("default", "Tested here: the default parameters, which your presets still use."),
        ("unseen", "Tested here: the parameters in your presets, on reviews since you last changed them."),
        ("seen", "Tested here: the parameters in your presets, on all scored reviews."),
        ("retrained", "Tested here: Your parameters, retrained as your history grew."),
    ],
)
def test_details_name_the_source_of_the_predictions(source: str, line: str) -> None:
    assert details_of(report_on(accuracy(source=source)))[0] == line


def test_details_have_the_numbers() -> None:
    remembered = "Of 4,355 reviews predicted near 90% (on average 89.8%), you remembered 89.8% (88.8% to 90.8%)."
    share = "This covers only reviews with a desired retention of 90%: about 75% of yours."
    assert remembered in details_of(report_on(accuracy()))
    assert share not in details_of(report_on(accuracy()))
    assert share in details_of(report_on(replace(accuracy(), reviews=12_000)))
    average = "Of 4,355 reviews (predicted on average: 89.8%), you remembered 86.0% (85.0% to 87.0%)."
    assert average in details_of(report_on(accuracy("off", gap=-0.038, near=False)))
    lines = [line for line in details_of(report_on(accuracy())) if line.startswith("Log loss")]
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
    comparison = replace(compare("SM-2", "better", algorithm="FSRS-5"), difference=difference)
    text = "Log loss of FSRS-5 minus that of SM-2 (1987), on 295 reviews unseen by both: "
    assert f"{text}{numbers}; negative is better." in details_of(report_of_pair(comparison))


def test_claim_about_the_past_has_its_interval_in_the_details() -> None:
    lines = details_of(report_of_rivals(False, rivalry("better_past")))
    assert "For these reviews, not future ones: \u22120.0200 (\u22120.0300 to \u22120.0100)." in lines


def test_details_name_the_preset_in_the_heading() -> None:
    lines = details_of(REPORTS["right when retrained, a preset with seen parameters is off"])
    assert [line for line in lines if line.startswith("Preset Anatomy")] == [
        "Preset Anatomy: Tested here: the parameters in your presets, on all scored reviews.",
        "Preset Anatomy: Of 4,355 reviews (predicted on average: 89.8%), you remembered 80.8% (79.8% to 81.8%).",
    ]


def test_fitted_own_parameters_are_not_praised() -> None:
    rival = rivalry("better", algorithm=OWN)
    assert headline_text(report_on(UNKNOWN, adjusted=rival)).below[1:] == ()
    worse = headline_text(report_on(UNKNOWN, adjusted=rivalry("worse", algorithm=OWN))).below[1]
    assert worse == "FSRS with your parameters predicted worse than Anki's SM-2 (adjusted to your history)."


def test_heading_gives_another_level_of_retrained_parameters() -> None:
    heading = headline_text(report_on(replace(RETRAINED, elsewhere=near(0.7, 0.42)))).heading
    assert heading == f"{AGAIN} Had you optimized regularly, FSRS's 70% would have meant 42%."


@pytest.mark.parametrize(("hard", "expected"), [(8000, False), (8001, True)])
def test_headline_warns_about_many_hard_answers(hard: int, expected: bool) -> None:
    report = report_on(accuracy())
    # 2,000 of 16,000 reviews were forgotten.
    scope = replace(report.scope, hard=hard, recalled=0.875)
    text = headline_text(replace(report, scope=scope))
    sentence = "Hard counts as remembered: if you press it for forgotten cards, you remembered less."
    assert (text.below[0] == sentence) is expected


def test_headline_says_how_many_days_are_needed() -> None:
    undecided = Rivalry(
        compare("SM-2", TOO_FEW, algorithm="FSRS-7"), ConfidenceInterval(None, reason=TOO_FEW), "open", 295
    )
    report = report_of_rivals(True, None, undecided, reviews=295)
    text = headline_text(replace(report, verdict=replace(report.verdict, basis=SampleSize(295, 80, 5))))
    assert text.heading == "Too early to tell from your 295 reviews whether FSRS or SM-2 (1987) predicts better."
    assert text.below == (
        "Your own reviews show nothing yet: 80 cards on 5 days; at least 20 cards and 8 days are needed.",
    )


def test_headline_names_the_same_day_table() -> None:
    report = report_of_rivals(True, None, rivalry("better", "SM-2", algorithm="FSRS-7"))
    same_day = replace(report, scope=replace(report.scope, table=SAME_DAY_TABLE))
    assert headline_text(same_day).heading == "With same-day reviews: FSRS predicted better than SM-2 (1987)."
    assert not links_to_workload(same_day)
    single = replace(same_day, headline=Headline(None), verdict=Verdict("no_pair", "AVG", None, FEW, ()))
    assert headline_text(single).heading.startswith("With one algorithm there is nothing to compare.")


@pytest.mark.parametrize(
    ("fsrs", "table", "expected"),
    [
        (True, "whole-day", "Checking FSRS…"),
        (False, "whole-day", "Comparing FSRS and SM-2…"),
        (None, "whole-day", "Comparing FSRS and SM-2…"),
        (True, SAME_DAY_TABLE, "Comparing FSRS and SM-2…"),
    ],
)
def test_running_evaluation_names_what_is_checked(fsrs: Optional[bool], table: str, expected: str) -> None:
    report = replace(fake.report(), headline=None)
    running = replace(report, scope=replace(report.scope, fsrs=fsrs, table=table))
    assert headline_text(running, running=True) == HeadlineText(expected)
    compared = replace(running, headline=report_on(accuracy()).headline)
    assert headline_text(compared, running=True).heading.endswith(RIGHT)


@pytest.mark.parametrize("case", ["right", "open", "off, better", "a CSV"])
def test_headline_links_to_the_workload(case: str) -> None:
    report = REPORTS[case]
    assert links_to_workload(report)
    assert "For reviews per day: --sections workload." in render(report)
    assert "How many reviews a day?" not in page(report)
    assert re.search('<a href="#workload">How many reviews a day', page(report.with_section("workload", workload())))
    assert not links_to_workload(REPORTS["one algorithm"])


def test_interval_ends_at_100_percent() -> None:
    text = headline_text(report_on(accuracy("off", gap=0.05, half=0.1)))
    assert text.aside.startswith("(85% to 100%,")
