from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any, Optional

import numpy as np
import pytest

from evaluator.data.revlog import Deck, Preset
from evaluator.findings import advise, make_findings
from evaluator.findings.advice import URGENCY, advice_for_preset, advice_for_whole, turn_on_advice
from evaluator.findings.thresholds import (
    LATEST_SHARE,
    LITTLE_CHANGE,
    MANY,
    MIN_CLOSER,
    MIN_OFF,
    MIN_SCHEDULER,
    MIN_TO_OPTIMIZE,
    MUCH_CHANGE,
    MUCH_CHANGE_OF_FEW,
    SURE,
)
from evaluator.interval import ConfidenceInterval
from evaluator.progress import SILENT
from evaluator.report import (
    MAX_RETENTION,
    MIN_RETENTION,
    OFF,
    OPEN,
    OWN,
    RIGHT,
    Advice,
    AlgorithmResult,
    Comparison,
    Failure,
    Finding,
    Hard,
    Optimizing,
    PeerGroup,
    ProbabilityBetter,
    Recall,
    Rivalry,
    SampleSize,
    Verdict,
)

from .made_people import (
    AFTER_A_DAY,
    ALL,
    SCORED,
    TRAINING,
    A,
    B,
    C,
    even_outcomes,
    evidence_of,
    outcomes,
    shuffled_labels,
)

#: A step across a threshold.
E = 1e-9
SUSPECTED = Hard("FSRS-6", "suspected", None, 200, 180, 50, 5)


def rivalry(claim: str, chance: Optional[float] = None, reviews: int = 1000) -> Rivalry:
    """Return a comparison with this claim and this probability of being better."""
    peers = None
    if chance is not None:
        peers = ProbabilityBetter(chance, PeerGroup(0, 1500, 417), 407, "FSRS-5 recency", "SM-2")
    interval = ConfidenceInterval(0.0, -0.1, 0.1)
    return Rivalry(Comparison("FSRS-6", "SM-2", interval, "cannot_tell", peers), interval, claim, reviews)


def finding(state: str = RIGHT, gap: float = 0.0, optimized_gap: Optional[float] = None, name: str = "A") -> Finding:
    """Return the finding of a preset with parameters of its own.

    Args:
        state: its state.
        gap: how far the share remembered is above the predicted 90%.
        optimized_gap: the same with optimized parameters, or None without these.
        name: one letter, whose code is the preset's id.
    """

    def recall(gap):
        return Recall(1000, 0.9, ConfidenceInterval(0.9 + gap))

    return Finding(
        kind="preset",
        name=name,
        label=1,
        preset_id=ord(name),
        reviews=1000,
        state=state,
        code="",
        sign="",
        source="unseen",
        algorithm=OWN,
        desired_retention=0.9,
        changed=None,
        recall=recall(gap),
        optimized=None if optimized_gap is None else recall(optimized_gap),
    )


BIG_CHANGE = {"change": MUCH_CHANGE, "reviews": MANY, "is_by_anki": True}
#: State, gap and gap after optimizing.
CLOSER = (OFF, -0.04, -0.04 + MIN_CLOSER + E)
NOT_CLOSER = (OFF, -0.04, -0.04 + MIN_CLOSER - E)


@pytest.mark.parametrize(
    ("given", "facts", "retention", "code", "reason"),
    [
        ((RIGHT,), BIG_CHANGE, None, "optimize", "change"),
        ((OPEN,), BIG_CHANGE, 0.88, "optimize", "change"),
        ((RIGHT,), {**BIG_CHANGE, "is_by_anki": False}, None, "optimize_if_you_like", None),
        ((RIGHT,), {**BIG_CHANGE, "change": MUCH_CHANGE - E}, None, "optimize_if_you_like", None),
        ((RIGHT,), {**BIG_CHANGE, "reviews": MANY - 1}, None, "optimize_if_you_like", None),
        ((RIGHT,), {**BIG_CHANGE, "reviews": MANY - 1, "change": MUCH_CHANGE_OF_FEW}, None, "optimize", "change"),
        (
            (RIGHT,),
            {**BIG_CHANGE, "reviews": MANY - 1, "change": MUCH_CHANGE_OF_FEW - E},
            None,
            "optimize_if_you_like",
            None,
        ),
        (CLOSER, {"change": LITTLE_CHANGE}, 0.88, "optimize", "closer"),
        (CLOSER, {"change": LITTLE_CHANGE - E}, None, "nothing", "small"),
        ((OPEN, *CLOSER[1:]), {"change": LITTLE_CHANGE}, None, "optimize_if_you_like", None),
        (NOT_CLOSER, {"change": LITTLE_CHANGE}, None, "optimize_if_you_like", None),
        ((OFF, -0.04), {"change": LITTLE_CHANGE}, None, "optimize_if_you_like", None),
        ((OFF, -0.04), {"change": LITTLE_CHANGE}, 0.88, "desired_retention", None),
        ((OFF, -0.04), {"obstacle": "ignored"}, 0.88, "desired_retention", None),
        *(
            ((RIGHT,), {"change": LITTLE_CHANGE, "against_own": rivalry(*claim)}, None, "optimize", "decided")
            for claim in (("better",), ("equivalent", SURE), ("early", SURE), ("better_past", SURE))
        ),
        *(
            ((RIGHT,), {"change": LITTLE_CHANGE, "against_own": rivalry(*claim)}, None, "optimize_if_you_like", None)
            for claim in (("better_past",), ("equivalent",), ("early", SURE - E))
        ),
        *(
            (given, {**BIG_CHANGE, "against_own": rivalry(claim, 0.99)}, None, *advice)
            for claim, advice in (("worse", ("nothing", "worse")), ("worse_past", ("optimize_if_you_like", None)))
            for given in ((RIGHT,), (OPEN,), CLOSER)
        ),
        *((CLOSER, {"obstacle": why}, None, "nothing", why) for why in ("deleted", "suspended", "ignored")),
        ((RIGHT,), {"change": LITTLE_CHANGE - E, "against_own": rivalry("better")}, None, "nothing", "small"),
        ((OPEN,), {"change": LITTLE_CHANGE - E}, None, "keep_on", "small"),
        ((RIGHT,), {}, None, "keep_on", "unknown"),
    ],
)
def test_first_rule_that_applies_advises(given, facts, retention, code, reason):
    advice = advice_for_preset(replace(finding(*given), suggested_retention=retention), Optimizing(**facts))
    retentions = (0.9, 0.88) if code == "desired_retention" else (None, None)
    assert advice == Advice(code, reason, (), ord("A"), facts.get("change"), *retentions)


def test_whole_takes_the_most_urgent_code_and_names_its_presets():
    def whole(**codes):
        """Return the advice for a whole of presets with these codes."""
        presets = []
        for name, code in codes.items():
            change = {"A": 0.03, "B": 0.05, "C": None}[name]
            advice = Advice(code, "closer", preset_id=ord(name), change=change)
            item = replace(finding(name=name), advice=advice, optimizing=Optimizing(change))
            presets.append(replace(item, reviews=1000 if name == "A" else 3000))
        return advice_for_whole(presets, len(presets))

    assert whole(A="optimize", B="optimize") == Advice("optimize", "closer", (), ord("A"), pytest.approx(0.045))  # type: ignore[arg-type]
    assert whole(A="optimize", C="optimize") == Advice("optimize", "closer", (), ord("A"), 0.03)
    assert whole(C="optimize", A="nothing") == Advice("optimize", "closer", ("C",), ord("C"), None)
    assert whole(A="desired_retention", B="desired_retention").presets == ("A",)
    for code, less_urgent in combinations(URGENCY, 2):
        advice = whole(A=less_urgent, B=code)
        assert (advice.code, advice.presets, advice.change) == (code, ("B",), 0.05)


@pytest.mark.parametrize(
    ("adjusted", "chance", "against_default", "code"),
    [
        (("better", None, MIN_TO_OPTIMIZE), None, None, "turn_on_and_optimize"),
        (("better", None, MIN_TO_OPTIMIZE - 1), None, None, "turn_on"),
        (("better_past",), None, None, "turn_on_and_optimize"),
        *((("better",), None, claim, "turn_on") for claim in ("worse", "worse_past")),
        *((("better",), None, claim, "turn_on_and_optimize") for claim in ("equivalent", "close")),
        *(((claim,), 0.99, None, "stay") for claim in ("worse", "worse_past", "equivalent")),
        (("close",), 0.99, None, "choose"),
        (("early",), SURE, None, "turn_on_and_optimize"),
        (("early",), SURE - E, None, None),
        (("early",), None, None, None),
    ],
)
def test_fsrs_is_turned_on_if_it_beats_adjusted_sm2(adjusted, chance, against_default, code):
    """Plain SM-2 only adds the probability. Older schedulers have no FSRS."""
    compared = rivalry(*adjusted)
    verdict = Verdict("", "FSRS-6", "SM-2", SampleSize(9, 9, 9, None), compared, rivalry("worse", chance))
    for version in (None, MIN_SCHEDULER, MIN_SCHEDULER - 1):
        expected = code
        if version == MIN_SCHEDULER - 1 and code not in (None, "stay"):
            expected = "scheduler"
        default = None if against_default is None else rivalry(against_default)
        advice = turn_on_advice(verdict, version, default)
        assert advice == (None if expected is None else Advice(expected, algorithm="FSRS-6"))
    assert turn_on_advice(replace(verdict, rivalry=None), None, None) is None


def advised(*presets: Preset, hard: Optional[Hard] = None, error: Optional[str] = None, **given: Any) -> Any:
    """Return the findings with advice."""
    evidence = evidence_of(*presets, **given)
    failure = None if error is None else Failure(error, {})
    row = AlgorithmResult(OWN, "", "", trained=False, parameter_count=0, uses=(), size=0, error=failure)
    return advise(make_findings(evidence, ()), evidence, [row], hard, SILENT)


def test_presets_with_the_most_to_do_come_first_each_before_its_decks():
    """A is right, B and C are too optimistic, C by more on fewer reviews. Each has two decks.

    The tens of a deck's id are the number of its preset. The third preset has the id 0.
    """
    deck_id = shuffled_labels({10: 390, 11: 150, 20: 270, 21: 100, 30: 240, 31: 100})
    said = np.select([deck_id // 10 == 1, deck_id // 10 == 2], [AFTER_A_DAY, 0.9], 0.93)[TRAINING:]
    findings = advised(
        A,
        B,
        replace(C, preset_id=0),
        preset_id=deck_id // 10 % 3,
        deck_id=deck_id,
        decks=[Deck(value, f"D{value}") for value in (10, 11, 20, 21, 30, 31)],
        recalled=outcomes(deck_id // 10, {1: 0.95, 2: 0.8, 3: 0.7}),
        predicted={OWN: said, "FSRS-6": 0.8},
    )
    assert [item.name for item in findings] == ["", "C", "D30", "D31", "B", "D20", "D21", "A", "D10", "D11"]
    by_name = {item.name: item for item in findings}
    assert [by_name[name].advice.code for name in ("", *"CBA")] == ["optimize"] * 3 + ["nothing"]
    assert (by_name[""].advice.presets, by_name[""].optimizing) == (("B", "C"), None)
    assert by_name["D30"].advice == by_name["C"].advice
    assert [by_name[name].sign for name in ("C", "A", "D30")] == ["warning", "check", ""]


@pytest.mark.parametrize(
    ("facts", "code"),
    [({"hard": SUSPECTED}, "hard"), ({"error": "newer_parameters"}, "update"), ({"error": "arithmetic"}, "keep_on"),
     ({"hard": replace(SUSPECTED, code="not_suspected")}, "nothing")],
)  # fmt: skip
def test_hard_and_update_come_first_for_all_presets(facts, code):
    label = shuffled_labels({1: 700, 2: 550})
    recalled = outcomes(label, {1: AFTER_A_DAY, 2: AFTER_A_DAY})
    own = None if facts.get("error") else AFTER_A_DAY
    findings = advised(A, B, predicted={OWN: own}, preset_id=label, recalled=recalled, **facts)
    assert [item.advice.code for item in findings] == [code] * 3


@pytest.mark.parametrize(
    ("desired", "early", "latest", "suggested"),
    [
        (0.9, 0.84, 0.84, 0.93),
        (0.9, 0.95, 0.95, 0.88),
        (0.9, 0.83, 0.9 - MIN_OFF - 0.01, 0.93),
        (0.9, 0.83, 0.9 - MIN_OFF + 0.01, None),
        (0.9, 0.8, 0.95, None),
        (MIN_RETENTION + 0.01, 0.9, 0.9, None),
        (MAX_RETENTION - 0.01, 0.9, 0.9, None),
        (0.9, 0.9, 0.9, None),
    ],
)
@pytest.mark.parametrize("many", [SCORED, SCORED + 1])
def test_other_desired_retention_corrects_half_of_a_lasting_gap(desired, early, latest, suggested, many, monkeypatch):
    """Optimizing is ruled out, because the optimized row predicts worse."""
    monkeypatch.setattr("evaluator.findings.MANY", many)
    if many > SCORED:
        suggested = None
    n_latest = int(SCORED * LATEST_SHARE)
    recalled = np.concatenate([even_outcomes(ALL - n_latest, early), even_outcomes(n_latest, latest)])
    (whole,) = advised(
        replace(A, desired_retention=desired), recalled=recalled, predicted={OWN: desired, "FSRS-6": 0.4}
    )
    assert whole.recall.near
    assert whole.advice.suggested_retention == suggested
    assert whole.advice.code == ("nothing" if suggested is None else "desired_retention")
