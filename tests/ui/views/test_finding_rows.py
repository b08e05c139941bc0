from __future__ import annotations

import pytest
from made_findings import advice, finding, recall, report_on

from ui.views.finding_rows import list_rows, reach


def test_presets_with_their_decks_come_before_the_whole():
    law = finding("optimistic", "preset", advice=advice("optimize", "change"))
    deck = finding("deck", "deck", name="Torts", advice=law.advice, changed=None)
    kanji = finding("too_new", "preset", name="Kanji", preset_id=8, advice=advice("keep_on", "unknown"))
    music = finding("too_few", "preset", name="Music", preset_id=9, advice=advice("nothing"))
    average = recall(0.9012, -0.043, 0.02, near=False)
    lower = advice("desired_retention", suggested_retention=0.92)
    whole = finding("optimistic", preset_id=None, changed=None, recall=average, advice=lower)
    rows = list_rows(report_on(whole, law, deck, kanji, music))
    assert [row.strip and tuple(round(end, 3) for end in row.strip) for row in rows] == [
        (-0.06, -0.04, -0.02),
        (-0.04, -0.02, 0.0),
        None,
        None,
        (-0.063, -0.043, -0.023),
    ]
    assert reach(rows) == pytest.approx(0.063)
    assert [(row.index, row.level, row.sign, row.preset_id) for row in rows] == [
        (1, 0, "warning", 7),
        (2, 1, "", 7),
        (3, 0, "question", 8),
        (4, 0, "", 9),
        (0, 0, "warning", None),
    ]
    assert [(row.name, row.said, row.remembered, row.no_strip, row.tested, row.advice) for row in rows] == [
        ("Law", "90%", "86%", "", "9,243", "optimize"),
        ("Deck Torts", "90%", "88.0%", "", "9,243", ""),
        ("Kanji", "–", "–", "too new", "0", "nothing yet"),
        ("Music", "90%", "–", "too few", "9,243", "nothing"),
        ("All", "90.1%", "85.8%", "", "9,243", ""),
    ]
    assert [row.tip for row in rows] == [
        "Law: FSRS was too optimistic. Likely 84% to 88%; 9,243 reviews.",
        "Deck Torts: FSRS said 90%; you remembered 88.0%. Likely 86.0% to 90.0%; 9,243 reviews.",
        "Kanji: Your current parameters are too new to be tested.",
        "Music: Too few reviews to judge this preset.",
        "Overall: FSRS was too optimistic. Likely 83.8% to 87.8%; 9,243 reviews.",
    ]


def test_with_one_preset_its_decks_are_not_below_another_row():
    lower = advice("desired_retention", suggested_retention=0.92)
    whole = finding("right", advice=lower)
    deck = finding("deck", "deck", name="Torts", advice=lower)
    rows = list_rows(report_on(whole, deck))
    assert [(row.level, row.name, row.advice) for row in rows] == [
        (0, "Deck Torts", ""),
        (0, "All", "try 92% desired retention"),
    ]
    assert reach(rows[1:]) == 0.05
    assert not list_rows(report_on(whole))
