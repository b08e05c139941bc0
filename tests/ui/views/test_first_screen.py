from __future__ import annotations

import itertools
import re
from dataclasses import replace
from typing import List, Optional

import fake
import pytest
from expected_texts import expected_lines
from made_findings import CODES, ROW, advice, finding, recall, report_of_presets, report_of_rivals, report_on, rivalry
from made_workload import workload
from sentence_matching import assert_complete

from evaluator.findings import advice as codes
from evaluator.report import DEFAULT, OFF, Hard, RarerOutcome, Report, SampleSize
from evaluator.scope import SAME_DAY_TABLE
from tools.output.table import render, render_sections
from ui.page import page
from ui.views.first_screen import FirstScreen, first_screen, links_to_workload, why_no_table

#: Advice by code and reason.
ADVICE = {
    (item.code, item.reason): item
    for item in (
        *(advice("optimize", reason) for reason in ("closer", "decided", "change")),
        *(advice("nothing", reason) for reason in ("deleted", "suspended", "ignored", "worse", "small")),
        *(advice("keep_on", reason) for reason in ("small", "unknown")),
        *map(advice, ("hard", "update", "desired_retention", "optimize_if_you_like")),
        *map(advice, ("scheduler", "turn_on", "turn_on_and_optimize", "choose", "stay")),
    )
}
FOR_PRESETS = [key for key in ADVICE if key[0] in codes.URGENCY]
SMALL = ADVICE["nothing", "small"]
CHANGE = ADVICE["optimize", "change"]
MORE_ROOM = recall(0.75, -0.12, 0.05, 394, near=False)
AS_IS = rivalry("better", "Anki-SM-2", algorithm=ROW)
FEW = recall(gap=0.03, half=0.09, reviews=48)
EARLY = recall(gap=0.01, half=0.06, reviews=210)
AVERAGE = {"recall": recall(0.881, -0.019, 0.0175, 1125, near=False), "retrained": None}
NEW = finding("too_new", advice=ADVICE["keep_on", "small"])
RETRAINED = {"retrained": recall(0.707, 0.002, 0.013, near=False)}
CLOSER = {"optimized": recall(gap=-0.01), "advice": ADVICE["optimize", "closer"]}


def off(claim: str, fsrs: Optional[bool] = False, code: Optional[str] = None) -> Report:
    """Return a report on FSRS and adjusted SM-2, with advice if FSRS is off."""
    item = None if code is None else ADVICE[code, None]
    return report_of_rivals(rivalry(claim, algorithm=ROW), fsrs, AS_IS, advice=item)


def pair(claim: str, algorithm: str, baseline: str) -> Report:
    """Return a report that compares these two, without knowing whether FSRS is on."""
    return report_of_rivals(rivalry(claim, baseline, algorithm=algorithm), None)


def with_row(name: str, report: Report) -> Report:
    """Return the report with another algorithm's row."""
    return replace(report, results=(*report.results, fake.result(name)))


RARE = pair("rare_outcome", "FSRS-6", "AVG")
ALONE = report_of_rivals(None, code="no_pair", algorithm="FSRS-6")
REPORTS = {
    "right": report_on(finding(advice=SMALL, source=DEFAULT)),
    "right, optimized before": report_on(finding(advice=SMALL)),
    "a preset is off": report_of_presets(finding("optimistic", "preset", **CLOSER)),
    "too cautious": report_on(finding("cautious", advice=ADVICE["desired_retention", None])),
    # The shown numbers differ by 9.6 points, the exact ones by 9.66.
    "too cautious on average": report_of_presets(
        finding("cautious", "preset", recall=recall(0.7736, 0.0966, near=False), **CLOSER)
    ),
    "right, less so by card": report_on(finding("right_on_average", advice=CHANGE)),
    "right, but not elsewhere": report_on(finding(advice=CHANGE, elsewhere=MORE_ROOM, sign="warning")),
    "probably a bit": report_of_presets(finding("a_bit_optimistic", "preset", advice=CHANGE, **AVERAGE)),
    "too early": report_on(finding("too_early", advice=ADVICE["keep_on", "small"], recall=EARLY)),
    "too new": report_on(NEW),
    "too new, far from desired": report_on(
        replace(NEW, advice=CHANGE, far_from_desired=True, desired_retention=0.85, **RETRAINED)
    ),
    "off, nothing helps": report_on(finding("optimistic", advice=ADVICE["nothing", "worse"])),
    "slightly cautious, an end like what FSRS said": report_on(
        finding("slightly_cautious", advice=SMALL, recall=recall(gap=0.012, half=0.01))
    ),
    "many deleted": report_of_presets(
        finding("much_deleted", "preset", deleted=1234, advice=ADVICE["optimize_if_you_like", None])
    ),
    "all deleted": report_on(finding("deleted", preset_id=None, advice=ADVICE["keep_on", "unknown"])),
    "all suspended": report_on(replace(NEW, advice=ADVICE["nothing", "suspended"])),
    "worse than SM-2": report_on(finding("optimistic", against_sm2=rivalry("worse"), advice=CHANGE)),
    "whole, four presets": report_of_presets(
        finding("right_on_average", advice=replace(CHANGE, presets=tuple("ABCD")))
    ),
    "whole, two presets are off": report_of_presets(finding(advice=replace(CLOSER["advice"], presets=("A", "B")))),
    "whole, a desired retention": report_of_presets(
        finding(advice=advice("desired_retention", presets=("A",), suggested_retention=0.92))
    ),
    "a deck": report_of_presets(finding("deck", "deck", advice=CHANGE)),
    "a small preset": report_of_presets(finding("too_few", "preset", advice=ADVICE["keep_on", "unknown"], recall=FEW)),
    "hard": report_on(finding(advice=ADVICE["hard", None])),
    "FSRS is off, better": off("better", code="turn_on_and_optimize"),
    "FSRS is off, a fading lead": off("better_past", code="turn_on"),
    "FSRS is off, equivalent": off("equivalent", code="stay"),
    "FSRS is off, too close": off("close", code="choose"),
    "FSRS is off, too early": off("early"),
    "FSRS is off, SM-2 better": off("worse", code="stay"),
    "FSRS is off, SM-2 was better": off("worse_past", code="stay"),
    "a CSV": off("better", None),
    "a CSV, without adjusting": report_of_rivals(rivalry("worse", "Anki-SM-2", algorithm=ROW), None),
    "two of one family": pair("better", "FSRS-7", "FSRS v3"),
    "hardly ever Again": replace(
        RARE, verdict=replace(RARE.verdict, basis=SampleSize(295, 80, 40, RarerOutcome(0, 4, 3, 2)))
    ),
    "few days": pair("too_few", "FSRS-6", "AVG"),
    "in sample": with_row("Your parameters", report_of_rivals(rivalry("better", "FSRS-5"), None)),
    "one algorithm": replace(ALONE, results=ALONE.results[:1]),
    "one algorithm with two sets of parameters": ALONE,
    "cancelled": report_of_rivals(None, code="unfinished", algorithm="FSRS-6", baseline="Anki-SM-2"),
}
#: Whether less was remembered than FSRS said, and whether the interval is below or above what it said.
LESS = (True, True, False)
MORE = (False, False, True)
#: These three facts, by the finding's code.
GAPS_CERTAIN = {
    **{code: LESS if "optimistic" in code else MORE for code in CODES if "istic" in code or "cautious" in code},
    "too_early": (False, False, False),
}
EXPECTED = expected_lines("first_screens.txt")


def lines(report: Report) -> List[str]:
    """Return the heading, the numbers and the advice that the first screen shows."""
    texts = first_screen(report)
    return [line for line in (texts.heading, texts.numbers, texts.advice) if line]


@pytest.mark.parametrize("case", REPORTS)
def test_each_situation_has_its_lines(case):
    assert lines(REPORTS[case]) == EXPECTED[case]


def test_every_expected_text_has_a_case():
    assert list(EXPECTED) == list(REPORTS)
    shown = {key[0] for key in ADVICE}
    assert shown <= {value for value in vars(codes).values() if isinstance(value, str)}
    assert set(codes.URGENCY) <= shown


def numbers(text: str) -> List[List[float]]:
    """Return what FSRS said, what was remembered, and the ends, for each such sentence."""
    pattern = r"said ([\d.]+)%[;,] you remembered ([\d.]+)% \(likely ([\d.]+)% to ([\d.]+)%"
    return [[float(number) for number in match] for match in re.findall(pattern, text)]


@pytest.mark.parametrize("code", CODES)
def test_no_combination_contradicts_itself(code):
    """All codes, on all kinds of subjects, with all advice, are short, and agree with their numbers."""
    is_off = CODES[code][0] == OFF
    claims = ("better_past", "worse_past")
    kinds = ("deck",) if code == "deck" else ("whole", "preset")
    for kind, key, claim, near in itertools.product(kinds, FOR_PRESETS, claims, (True, False)):
        item = finding(code, kind, far_from_desired=True, deleted=1234, against_sm2=rivalry(claim), advice=ADVICE[key])
        item = replace(item, recall=replace(item.recall, near=near), optimized=recall(gap=-0.01) if is_off else None)
        advised = replace(item.advice, presets=("Law",)) if kind == "whole" else item.advice
        several = report_of_presets(replace(item, advice=advised))
        is_for_off = key in (("optimize", "closer"), ("desired_retention", None))
        reports = [report_on(item), several]
        # Of the subjects that are not off, only the whole can have the advice for one that is: a preset's.
        if is_for_off and not is_off:
            reports = [several] if kind == "whole" else []
        for report in reports:
            texts = first_screen(report)
            words = re.sub(r"\W Law: |Overall: |“Law”|^\W ", "", " ".join(lines(report))).split()
            assert len(words) <= 60, " ".join(words)
            for line in (texts.verdict, texts.advice, *texts.details):
                assert_complete(line.replace(" (", " "))
            shown = numbers(texts.numbers)
            assert all(low <= remembered <= high for _said, remembered, low, high in shown)
            if code in GAPS_CERTAIN:
                said, remembered, low, high = shown[0]
                assert (remembered < said, high < said, low > said) == GAPS_CERTAIN[code]
            assert is_off <= ("Nothing to do" not in texts.advice)


def test_numbers_have_a_decimal_if_an_end_looks_like_what_was_said():
    for gap, half, expected in (
        (-0.02, 0.016, "88.0% (likely 86.4% to 89.6%; "),
        (-0.02, 0.014, "88% (likely 87% to 89%; "),
        (0.095, 0.004, "99.5% (likely 99.1% to 99.9%; "),
    ):
        assert expected in first_screen(report_on(finding(recall=recall(gap=gap, half=half)))).numbers


def test_running_evaluation_says_what_it_does_until_the_finding_is_known():
    started = report_of_rivals(None)
    for fsrs, expected in ((True, "Checking FSRS…"), (False, "Comparing FSRS and SM-2…")):
        texts = first_screen(replace(started, scope=replace(started.scope, fsrs=fsrs)), running=True)
        assert texts == FirstScreen("", expected)
    for report in (REPORTS["right"], REPORTS["FSRS is off, better"]):
        assert first_screen(report, running=True) == first_screen(report)


def test_same_day_table_is_named():
    report = REPORTS["FSRS is off, better"]
    same_day = replace(report, scope=replace(report.scope, table=SAME_DAY_TABLE, fsrs=True))
    assert first_screen(same_day).heading == "• With same-day reviews: FSRS predicted better than Anki's SM-2."


def test_workload_is_linked_if_it_is_known():
    report = REPORTS["FSRS is off, better"]
    assert links_to_workload(report)
    assert not links_to_workload(REPORTS["one algorithm"])
    assert not links_to_workload(report.with_section("workload", replace(workload(), loads=())))


def test_details_hold_what_the_lines_leave_out():
    few = Hard("FSRS-6", "too_few", "few_reviews", 200, 180, 300, 10, frequent=True)
    item = finding("a_bit_cautious", advice=CHANGE, deleted=1234, testable=12_000)
    assert first_screen(report_on(item, hard=few)).details == tuple(EXPECTED_DETAILS.split("\n"))


EXPECTED_DETAILS = """\
Hard counts as remembered: if you press it for forgotten cards, you remembered less.
Tested: your own parameters, on reviews since they were last changed.
“Likely” is the 95% interval.
Only predictions near the desired retention of 90% count: 9,243 of 12,000.
FSRS predicted better than Anki's SM-2, even with SM-2 adjusted to your history.
1,234 of your reviews are of cards that you deleted, so their preset is unknown.
To optimize: “Optimize Current Preset” or “Optimize All Presets” in Deck Options.
Log loss of Your parameters minus that of Anki's SM-2 (adjusted to you), on 5,330 reviews unseen by both: \
−0.0200 (−0.0300 to −0.0100); negative is better.
To expect on further reviews: −0.0200 (−0.0300 to −0.0100)."""


@pytest.mark.parametrize("version", ["24.11", "25.02.7", "26.09.3", ""])
def test_buttons_are_named_as_in_the_version_of_anki(version):
    expected = "To optimize: “Optimize Current Preset” or “Optimize All Presets” in Deck Options."
    if version == "24.11":
        expected = "To optimize: “Optimize” or “Optimize All Presets” in the menu next to “Save” in Deck Options."
    assert expected in first_screen(report_on(finding(advice=CHANGE)), version=version).details


def test_terminal_and_page_show_the_lines_and_name_the_subject():
    hostile = finding("optimistic", "preset", name="<b>\x1b[31mLaw", advice=CHANGE)
    report = report_of_presets(hostile)
    text = render(report, None) + render_sections(report, ["quick"], None, page=False)
    html = page(report)
    assert "\x1b" not in text + html
    assert text.startswith("! <b>�[31mLaw: FSRS was too optimistic.\n\nWhen it said 90%, you remembered 86% ")
    header = html[html.index("<header>") : html.index("</header>")]
    assert '<h1><span class="sign warning">!</span> &lt;b&gt;�[31mLaw: FSRS was too optimistic.</h1>' in header
    assert 'class="advice">Optimize this preset (probably more reviews): a card' in header
    for subject in ("\n\nPreset <b>�[31mLaw: 16,000 reviews\n\n", "\n\nPreset <b>�[31mLaw. Tested: 16,000"):
        assert subject in text
    assert "Preset &lt;b&gt;�[31mLaw: 16,000 reviews" in html
    assert "Preset" not in render(fake.report(), None)


def test_few_reviews_are_counted_instead_of_a_table():
    report = REPORTS["right"]
    few = replace(report, scope=replace(report.scope, reviews=61, days=10))
    assert not few.has_table
    assert why_no_table(few) == (
        "So far, 61 of your reviews can be used. Reviews at least one day after the card's previous review were "
        "predicted, in whole days. The oldest ones are left out, because every algorithm first needs some to learn "
        "from. The table and the graphs appear from 100 reviews on. Come back after about 7 more days of reviewing."
    )
    enough = replace(few, scope=replace(few.scope, reviews=100))
    assert enough.has_table
    assert not why_no_table(enough)
