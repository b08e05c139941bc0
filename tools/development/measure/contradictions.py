"""Contradictions on the first screen, as text and as JSON. There should be none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isclose

from evaluator.evaluation import show_subject
from evaluator.findings.thresholds import LITTLE_CHANGE
from evaluator.interval import BETTER, WORSE
from evaluator.report import CLOSE, EARLY, OFF, PRESET, UNSEEN, Finding, Report, Rivalry
from evaluator.report.json_form import DECIMALS, to_dict, to_plain
from evaluator.scoring.report_builder import Evaluation
from evaluator.sections import add_sections
from ui.views import calibration_graph, finding_rows, results_table_cells
from ui.views.first_screen import first_screen

#: Sections that may change neither the verdict nor the advice when they are opened.
OPENED = ("parameters", "population")
#: What FSRS said, or would have said, what was remembered and, if there is one, the bracket, in a sentence.
SHARES = re.compile(r"(have )?said ([\d.]+)%[,;] you remembered ([\d.]+)%(?:[.]? \(?[Ll]ikely ([\d.]+)% to ([\d.]+)%)?")
#: Whether the bracket of a finding must leave out what FSRS said, by code. Other codes allow both.
IS_SURE = {
    "too_early": False,
    **dict.fromkeys(("optimistic", "probably_optimistic", "a_bit_optimistic"), True),
    **dict.fromkeys(("cautious", "probably_cautious", "a_bit_cautious"), True),
}

#: A kind of contradiction, whether there is one, and the facts.
Check = tuple[str, bool, object]


def contradictions(evaluation: Evaluation) -> list[str]:
    """Return each contradiction on the screens of all subjects, as its kind and facts.

    Args:
        evaluation: a complete evaluation of the whole with its evidence.
    """
    findings = evaluation.report.findings
    texts = []
    for subject in range(max(1, len(findings))):
        shown = show_subject(evaluation, subject)
        headline = shown.report.headline_algorithm
        with_graphs = add_sections(shown, ["graphs"], names=[headline] if headline else [])
        opened = add_sections(with_graphs, OPENED).report
        if (first_screen(opened), opened.findings) != (first_screen(shown.report), findings):
            texts.append(f"depends on what was opened: {subject}")
        texts += contradictions_on_screen(opened)
    return texts


def contradictions_on_screen(report: Report) -> list[str]:
    """Return each contradiction on the screen of the report's subject, and between the findings."""
    return [f"{kind}: {facts}" for kind, is_found, facts in _check_screen(report) if is_found]


def _check_screen(report: Report) -> Iterator[Check]:
    """Yield checks of the screen of the report's subject, and of all findings."""
    finding = report.finding
    screen = first_screen(report)
    presets_off = []
    shown = f"{screen.verdict} {screen.numbers}"
    for _retrained, said, recalled, low, high in SHARES.findall(" ".join((shown, *screen.details))):
        is_outside = bool(low) and not float(low) <= float(recalled) <= float(high)
        yield "bracket without the share", is_outside, (said, recalled, low, high)
    if report.subject == 0:
        yield from _check_rivalry(report.verdict.rivalry, report)
    if finding is None:
        as_is = report.verdict.as_is
        is_decided = "adjusted" not in screen.verdict and as_is is not None and as_is.is_better
        yield "too early, but decided", "Too early" in screen.verdict and is_decided, shown
        return
    for item, tree in zip(report.findings, to_dict(report)["findings"], strict=True):
        yield "JSON is not the finding", tree != to_plain(item, DECIMALS), item.name
        yield from _check_finding(item)
        if item.kind == PRESET and item.state == OFF:
            presets_off.append(item)
    opening = report.opening_subject
    yield "opens with another subject", bool(presets_off) and report.findings[opening] not in presets_off, opening
    yield from _check_rivalry(finding.against_sm2, report)
    yield from _check_row(finding, SHARES.search(shown), report)
    sizes = {report.scope.reviews, *(row.size for row in report.results)}
    yield "table of other reviews", sizes != {finding.reviews}, sizes
    yield from _check_graph(finding, report)


def _check_finding(finding: Finding) -> Iterator[Check]:
    """Yield checks of a finding's numbers, code and advice."""
    advice = finding.advice
    elsewhere = finding.elsewhere
    facts = (finding.name, finding.code, finding.recall)
    for recall in filter(None, (finding.recall, elsewhere, finding.retrained, finding.optimized)):
        low, high = recall.remembered.low_high or (0.0, 1.0)
        yield "bracket without the share", not low <= (recall.remembered.estimate or low) <= high, recall
    is_sure = finding.recall.certain_gap > 0
    yield "sure, but its bracket is not", IS_SURE.get(finding.code, is_sure) != is_sure, facts
    yield "sure, but its bracket is not", elsewhere is not None and not elsewhere.certain_gap, elsewhere
    if advice is not None:
        is_small = (advice.change or 0.0) < LITTLE_CHANGE
        yield "optimize, but hardly a change", advice.code == "optimize" and is_small, facts


def _check_rivalry(rivalry: Rivalry | None, report: Report) -> Iterator[Check]:
    """Yield checks of a comparison that the verdict speaks of, the star and the table."""
    if rivalry is None:
        return
    pair = (rivalry.comparison.algorithm, rivalry.comparison.baseline)
    is_open = rivalry.claim in (CLOSE, EARLY)
    yield "too early, but decided", is_open and rivalry.comparison.code in (BETTER, WORSE), pair
    worse = pair[rivalry.is_better] if rivalry.is_better or rivalry.is_worse else None
    rows = {row.algorithm: row for row in results_table_cells.rows(report) if row.result.log_loss is not None}
    yield "speaks of a row that is not in the table", not set(pair) <= set(rows), pair
    yield "starred row is called worse", worse in rows and rows[worse].mark == results_table_cells.STAR, worse


def _check_row(finding: Finding, shown: re.Match[str] | None, report: Report) -> Iterator[Check]:
    """Yield checks of the numbers that the verdict shows, its code, and its row of the list."""
    # There is no list of a single subject.
    for row in finding_rows.list_rows(report)[report.subject - 1 :][:1]:
        has_numbers = shown is not None and not shown[1] and finding.code != "too_few"
        numbers = [text for text in shown.group(2, 3, 4, 5) if text] if shown and has_numbers else []
        digits = len(row.remembered.partition(".")[2][1:])
        listed = [f"{100 * ((finding.recall.said or 0) + end):.{digits}f}" for end in (row.strip or ())[::2]]
        if "%" in row.remembered:
            listed = [row.said[:-1], row.remembered[:-1], *listed]
        yield "row of the list is not the verdict", listed != numbers, (row, shown and shown[0])
    if shown is not None and not shown[1] and shown[4]:
        low, high = shown[4], shown[5]
        is_sure = not float(low) <= float(shown[2]) <= float(high)
        yield "sure, but its bracket is not", IS_SURE.get(finding.code, is_sure) != is_sure, shown[0]


def _check_graph(finding: Finding, report: Report) -> Iterator[Check]:
    """Yield checks of the calibration graph of the tested row, and of its caption."""
    name = report.headline_algorithm or ""
    elsewhere = finding.elsewhere
    recall = finding.recall
    graphs = {graph.algorithm: graph.slice_graph("calibration").slices for graph in report.section("graphs")}
    for block in calibration_graph.VIEW.of(report, [name]):
        if block.chart is None or name not in graphs:
            continue
        is_tested = finding.algorithm == name and finding.source == UNSEEN
        reviews = sum(item.reviews for item in graphs[name])
        yield "graph of other reviews", reviews != (finding.testable if is_tested else finding.reviews), reviews
        off = [item for item in graphs[name] if item.is_off]
        is_dot = elsewhere is None or any(isclose(item.predicted or 0.0, elsewhere.said or 0.0) for item in off)
        yield "elsewhere is no filled dot", not is_dot, elsewhere
        filled = [dot for _label, dots in block.chart.data.dots for dot in dots if dot.is_off]
        is_said = "more than chance" in block.caption
        yield "caption is not the graph", filled != off or is_said != bool(off), block.caption
        verdict = recall.said, recall.remembered.estimate
        diamond = block.chart.data.diamond or verdict
        yield "diamond is not the verdict", diamond[:2] != verdict, diamond
