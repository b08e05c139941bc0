from __future__ import annotations

from made_findings import advice, finding, recall, report_on

from evaluator.report import Optimizing
from ui.views.cells import short_name
from ui.views.presets import VIEW


def test_presets_with_their_decks_come_before_the_whole() -> None:
    change = Optimizing(0.0212)
    law = finding("optimistic", "preset", advice=advice("optimize", "change"), optimizing=change)
    deck = finding("deck", "deck", name="Torts", advice=law.advice, optimizing=change, changed=None)
    kanji = finding("too_new", "preset", name="Kanji", preset_id=8, advice=advice("keep_on", "unknown"))
    average = recall(0.9012, -0.043, 0.02, near=False)
    lower = advice("desired_retention", suggested_retention=0.92)
    whole = finding("optimistic", preset_id=None, changed=None, recall=average, advice=lower)
    (block,) = VIEW.of(report_on(whole, law, deck, kanji))
    assert block.heading == "Which preset is off?"
    assert block.table.rows == (
        ("! Law", "90%", "86% (84% to 88%)", "9,243", "2.1 points", "2025-02-01", "optimize"),
        ("Deck: Torts", "90%", "88.0% (86.0% to 90.0%)", "9,243", "", "–", ""),
        ("? Kanji", "–", "–", "0", "", "2025-02-01", "nothing yet"),
        ("! All", "90.1%", "85.8% (83.8% to 87.8%)", "9,243", "", "–", "set the desired retention to 92%"),
    )
    assert not VIEW.of(report_on(whole))


def test_long_names_lose_their_middle() -> None:
    assert short_name("Languages::Spanish::Chapter 29::Verbs") == "Languages::…er 29::Verbs"
    assert short_name("x" * 24) == "x" * 24
