"""Contradictions on the first screen: each kind is found, and the program shows none."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import exp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.algorithms.your_parameters import PUBLISHED_DEFAULTS
from evaluator.data.revlog import Snapshot
from evaluator.evaluation import evaluate, show_subject
from evaluator.findings import _sign
from evaluator.findings.accuracy import classify_recall
from evaluator.findings.advice import advice_for_preset, advice_for_whole
from evaluator.interval import ConfidenceInterval
from evaluator.options import Options
from evaluator.report import ADJUSTED, Advice, Optimizing, Recall, Report
from evaluator.sections import add_sections
from tools.development.measure.contradictions import contradictions, contradictions_on_screen
from tools.simulate import Learner, simulate
from tools.simulate.kinds import OPPOSITE, PLAIN, Kind, delete_leeches, join
from ui.views import finding_rows

PERSON = Learner(seed=5, days=200)


def without_cards(snapshot: Snapshot) -> Snapshot:
    """Return the collection of one preset after all its cards were deleted."""
    no_card = np.zeros(len(snapshot.cards.card_id), dtype=bool)
    columns = {name: column[no_card] for name, column in vars(snapshot.cards).items() if column is not None}
    return replace(snapshot, cards=replace(snapshot.cards, **columns), presets=snapshot.presets[:1])


def with_presets(snapshot: Snapshot, **changes: object) -> Snapshot:
    return replace(snapshot, presets=tuple(replace(preset, **changes) for preset in snapshot.presets))


def saved_now(snapshot: Snapshot) -> Snapshot:
    """Return the collection with odd parameters in its presets, which were changed after the last review."""
    now = int(snapshot.revlog.review_id.max()) // 1000
    odd = tuple(3 * w if index < 4 else w for index, w in enumerate(snapshot.presets[0].parameters))
    return with_presets(snapshot, parameters=odd, changed=now)


def suspended(snapshot: Snapshot) -> Snapshot:
    """Return the collection with all cards suspended, and with odd parameters."""
    cards = replace(snapshot.cards, set_aside=np.ones(len(snapshot.cards.card_id), dtype=bool))
    return saved_now(replace(snapshot, cards=cards))


def opposite() -> Snapshot:
    """Return a collection of two presets with opposite errors."""
    learners = Kind("fsrs", PLAIN, 2500, OPPOSITE).draw(np.random.default_rng(4))
    return with_presets(join([simulate(learner) for learner in learners])[0], parameters=())


#: Functions that make collections with unusual first screens.
COLLECTIONS = {
    "demo": lambda: simulate(Learner()).snapshot,
    "suspended": lambda: suspended(simulate(PERSON).snapshot),
    "deleted": lambda: without_cards(simulate(PERSON).snapshot),
    "old defaults": lambda: with_presets(simulate(PERSON).snapshot, parameters=PUBLISHED_DEFAULTS[6][1]),
    "opposite": opposite,
    "leeches deleted": lambda: delete_leeches(simulate(PERSON).snapshot, 2**40),
    "drop": lambda: saved_now(simulate(replace(PERSON, drift=0.8)).snapshot),
    "low retention": lambda: saved_now(simulate(replace(PERSON, ability=-1.0, desired_retention=0.85)).snapshot),
    "SM-2": lambda: simulate(replace(PERSON, scheduler="sm2")).snapshot,
}


@pytest.mark.parametrize("collection", COLLECTIONS.values(), ids=COLLECTIONS.keys())
def test_screens_do_not_contradict_themselves(collection):
    assert contradictions(evaluate(collection(), Options())) == []


@cache
def opened_report():
    """Return the report of two opposite presets. The screen opens with the second, and has its graph."""
    evaluation = evaluate(opposite(), Options())
    opened = show_subject(evaluation, evaluation.report.opening_subject)
    return add_sections(opened, ["graphs"]).report


def with_finding(report, **changes):
    """Return the report with changes to the shown finding."""
    findings = [replace(finding, **changes) if finding is report.finding else finding for finding in report.findings]
    return replace(report, findings=tuple(findings))


def narrow(recall, around):
    """Return the recall with a narrow interval around this value."""
    return replace(recall, remembered=ConfidenceInterval(recall.remembered.estimate, around - 0.001, around + 0.001))


#: Functions that make the report contradict itself, by the beginning of what is found.
CONTRADICTIONS = {
    "bracket without the share": lambda r: with_finding(r, recall=narrow(r.finding.recall, 0.5)),
    "sure, but its bracket is not": lambda r: with_finding(r, recall=narrow(r.finding.recall, r.finding.recall.said)),
    "sure, but its bracket": lambda r: with_finding(r, state="open", code="too_early"),
    "optimize, but hardly a change": lambda r: with_finding(r, advice=Advice("optimize", "change", change=1e-9)),
    "table of other reviews": lambda r: replace(r, scope=replace(r.scope, reviews=7)),
    "graph of other reviews": lambda r: with_finding(r, reviews=7),
    "elsewhere is no filled dot": lambda r: with_finding(r, elsewhere=replace(r.finding.recall, reviews=7)),
    "starred row is called worse": lambda r: replace(
        with_finding(r, against_sm2=replace(r.finding.against_sm2, claim="better")), best_set=(ADJUSTED,)
    ),
    "speaks of a row that is not in the table": lambda r: replace(
        r, results=tuple(row for row in r.results if row.algorithm != ADJUSTED)
    ),
}


@pytest.mark.parametrize(("kind", "contradict"), CONTRADICTIONS.items(), ids=CONTRADICTIONS.keys())
def test_each_kind_of_contradiction_is_found(kind, contradict):
    assert contradictions_on_screen(opened_report()) == []
    assert any(found.startswith(kind) for found in contradictions_on_screen(contradict(opened_report())))


def test_screen_opens_with_a_preset_that_is_off(monkeypatch):
    monkeypatch.setattr(Report, "opening_subject", 0)
    assert "opens with another subject: 0" in contradictions_on_screen(opened_report())


@pytest.mark.parametrize(
    "changes", [{"said": "1%"}, {"remembered": "1%"}, {"strip": (-0.3, -0.2, -0.1)}, {"strip": None}]
)
def test_row_of_the_list_that_is_not_the_verdict_is_found(monkeypatch, changes):
    report = opened_report()
    rows = [replace(row, **changes) for row in finding_rows.list_rows(report)]
    monkeypatch.setattr(finding_rows, "list_rows", lambda _report: rows)
    (found,) = contradictions_on_screen(report)
    assert found.startswith("row of the list is not the verdict: ")


@st.composite
def recalls(draw):
    """Draw what FSRS said, and what was remembered with an interval."""
    said = draw(st.floats(0.5, 0.98))
    remembered = min(max(said + draw(st.floats(-0.2, 0.2)), 0.01), 0.99)
    error = exp(draw(st.floats(-7, -3)))
    near = draw(st.booleans())
    interval = ConfidenceInterval(remembered, remembered - 2 * error, remembered + 2 * error, error)
    return Recall(draw(st.integers(200, 20_000)), round(said, 2) if near else said, interval, near)


OPTIMIZING = st.builds(
    Optimizing,
    change=st.none() | st.floats(0, 0.1),
    reviews=st.integers(200, 20_000),
    is_by_anki=st.booleans(),
    obstacle=st.sampled_from([None, None, None, "suspended"]),
)


@given(st.lists(st.tuples(recalls(), OPTIMIZING), min_size=3, max_size=3))
def test_random_findings_do_not_contradict_themselves(drawn):
    report = opened_report()
    whole, *presets = [
        finding_of(finding, recall, optimizing)
        for finding, (recall, optimizing) in zip(report.findings, drawn, strict=True)
    ]
    whole = replace(whole, advice=advice_for_whole(presets, len(presets)))
    findings = (replace(whole, sign=_sign(whole)), *presets)
    without_graphs = report.with_section("graphs", ())
    for subject, finding in enumerate(findings):
        scope = replace(report.scope, reviews=finding.reviews)
        rows = tuple(replace(row, size=finding.reviews) for row in report.results)
        shown = replace(without_graphs, findings=findings, subject=subject, scope=scope, results=rows)
        assert contradictions_on_screen(shown) == []


def finding_of(finding, recall, optimizing):
    """Return the finding with this recall and what optimizing changes, and with the state, advice and sign of them."""
    state, code = classify_recall(recall)
    made = replace(
        finding, recall=recall, state=state, code=code, optimizing=optimizing, elsewhere=None, suggested_retention=None
    )
    made = replace(made, advice=advice_for_preset(made, optimizing))
    return replace(made, sign=_sign(made))
