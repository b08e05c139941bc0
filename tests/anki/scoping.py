"""Evaluate decks, searches, presets and periods, and divide cards by searches."""

from __future__ import annotations

from typing import Any, Tuple

from evaluating import export, make_an_undoable_change, open_section, page_with
from running import expect, expect_equal
from session import ADDON_FOLDER, QUICK, AnkiSession
from window_tour import open_menu


def scopes(anki, folder):
    """Choose cards by a deck's gear, the browser and the window, and days by the calendar."""
    col = anki.mw.col
    state_before = make_an_undoable_change(anki)
    window = _click_gear(anki, "Languages")
    anki.wait_for_results(window)
    expect_equal(_scope(window), ("deck", "Languages"))
    cards_at_home = "select id from cards where case odid when 0 then did else odid end = ?"
    cards = set(col.db.list(cards_at_home, col.decks.id_for_name("Languages::Spanish::Verbs")))
    scored_cards = set(window.model.results.evaluation.predictions.card_id.tolist())
    expect(scored_cards and scored_cards <= cards, "cards of its subdecks, also those in a filtered deck")
    expect_equal(window.scope_bar.scope.currentText(), "Languages")
    export(anki, window, folder / "deck", "json")
    anki.configure(algorithms=QUICK, reviews={"same_day": False})

    browser = _browse(anki, "deck:Geography* -is:new")
    expect(_click_in_browser(anki, browser) is window, "the same window")
    anki.wait_for_results(window)
    scored_cards = set(window.model.results.evaluation.predictions.card_id.tolist())
    expect(scored_cards <= set(col.find_cards("deck:Geography* -is:new")), "cards that the browser lists")
    expect_equal(_scope(window), ("search", "deck:Geography* -is:new"))
    expect(anki.click_menu_item() is window and not window.model.running, "the Tools menu only raises the window")

    _choose_scopes(anki, window)
    _choose_days(anki, window)
    _click_gear(anki, "Languages::French")
    anki.wait_for_results(window)
    headings = anki.module("ui.window.messages").INPUT_HEADINGS
    expect_equal(window.message.heading.text(), headings["nothing_in_scope"])
    expect("Languages::French" in window.message.text.text(), window.message.text.text())
    _click_gear(anki, "Cram")
    anki.wait_for_results(window)
    expect_equal(window.scope_bar.scope.currentText(), "Cram")
    text = window.message.text.text()
    expect("deck:Cram" in text, f"the search for the present cards of a filtered deck: {text}")
    window.reopen(anki.module("ui.science").ScopeChoice("search", "("))
    anki.wait_for_results(window)
    expect_equal(window.message.heading.text(), headings["bad_search"])

    window.close()
    window = anki.click_menu_item()
    # The deck was chosen for that window only.
    expect_equal(window.scope_bar.scope.currentText(), anki.module("ui.text.phrases").SCOPES["collection"])
    window.close()
    browser.close()
    expect_equal((col.undo_status().undo, col.mod), state_before)


def _scope(window: Any) -> Tuple[str, str]:
    """Return kind and name of the scope of the results."""
    scope = window.table.report.scope
    return scope.kind, scope.name


def dividing(anki, _folder):
    """Divide the cards by searches on the page of presets and decks. Wrong searches leave the earlier results."""
    window = anki.open_window()
    open_section(anki, window, "splitting")
    _, block = page_with(window, "splitting")
    undivided = window.model.results.report.section("splitting")
    expect({split.by for split in undivided} <= {"preset", "deck"}, "no searches yet")
    window.results.tabs.currentWidget().ensureWidgetVisible(block.searches)
    anki.screenshot(window, "page-parts-before-light")
    first, second = 'deck:"Languages::Spanish::Verbs"', "deck:Geography* Front:*1"
    _type_searches(anki, block, f"{first}; {second}")
    divided = window.model.results.report.section("splitting")
    expect(divided[:-1] == undivided and divided[-1].by == "part", "the parts are added to presets and decks")
    expect_equal({part.name for part in divided[-1].groups}, {first, second, ""})
    window.results.tabs.currentWidget().ensureWidgetVisible(block.searches)
    anki.screenshot(window, "page-parts-light")
    for searches, text in (("(", "("), (f"{first}; deck:*", "-("), ("tag:nothing", "tag:nothing")):
        _type_searches(anki, block, searches)
        expect(text in window.notice.label.text(), window.notice.label.text())
        expect(window.model.results.report.section("splitting") == divided, "the earlier results stay")
    anki.screenshot(window, "page-parts-refused-light")
    _type_searches(anki, block, " ; ")
    expect(window.model.results.report.section("splitting") == undivided, "without searches, the parts are gone")


def _type_searches(anki: AnkiSession, block: Any, text: str) -> None:
    block.searches.setText(text)
    anki.press_key(block.searches, "Key_Return")
    expect(block.content.isVisible(), "the new or the earlier results")


def _click_gear(anki: AnkiSession, deck: str) -> Any:
    """Click the item in the menu of a deck's gear, and return the window."""
    from aqt import gui_hooks
    from aqt.qt import QMenu

    menu = QMenu(anki.mw)
    gui_hooks.deck_browser_will_show_options_menu(menu, anki.mw.col.decks.id_for_name(deck))
    actions = [action for action in menu.actions() if "SRS Evaluator" in action.text()]
    expect(len(actions) == 1, "one item in the gear menu")
    actions[0].trigger()
    return anki.window()


def _browse(anki: AnkiSession, search: str) -> Any:
    """Open the browser with this search, and type another one without searching for it."""
    import aqt

    browser = aqt.dialogs.open("Browser", anki.mw)
    browser.search_for(search)
    browser._line_edit().setText("typed only")
    anki.settle()
    return browser


def _click_in_browser(anki, browser):
    """Click the item in the browser's menu, and return the window."""
    actions = [action for action in browser.form.menu_Cards.actions() if "SRS Evaluator" in action.text()]
    expect(len(actions) == 1, "one item in the browser")
    actions[0].trigger()
    return anki.window()


def _choose_scopes(anki, window):
    """Choose scopes by typing some letters and Enter. Enter changes nothing if no scope has the letters."""
    from PyQt6.QtTest import QTest

    box = window.scope_bar.scope
    scopes = []
    for letters in ("verb", "tag", "whole", "vocab"):
        box.setFocus()
        box.lineEdit().selectAll()
        QTest.keyClicks(box.lineEdit(), letters)
        popup = box.completer().popup()
        expect_equal(popup.isVisible(), letters != "tag")
        if letters == "tag":
            before = box.itemText(box.currentIndex())
            anki.press_key(box.lineEdit(), "Key_Return")
            expect(not window.model.running and box.currentText() == before, "Enter chooses nothing")
            continue
        anki.press_key(popup, "Key_Down")
        anki.press_key(popup, "Key_Return")
        anki.wait_for_results(window)
        scopes.append(_scope(window))
    expect_equal(scopes, [("deck", "Languages::Spanish::Verbs"), ("collection", ""), ("preset", "Vocabulary")])


def _choose_days(anki, window):
    """Choose the first day, and take it back. The configuration stores it, and its other settings stay."""
    import datetime as dt

    from aqt.qt import QDate

    bar = window.scope_bar
    scope = window.table.report.scope
    expect(not scope.same_day and scope.outlier_filter, str(scope))
    (sentence,) = anki.module("ui.views.scope_sentences").choice_sentences(scope)
    expect(sentence in window.results.comparison.legend.text(), window.results.comparison.legend.text())

    day = dt.date.fromisoformat(scope.first_day) + dt.timedelta(days=20)
    for expected, choose in (
        (day.isoformat(), lambda: bar.calendar.activated.emit(QDate(day.year, day.month, day.day))),
        (None, bar.beginning.trigger),
    ):
        menu = open_menu(anki, bar.since)
        expect(bar.calendar.isAncestorOf(anki.app.focusWidget()), "the calendar has the keyboard focus")
        choose()
        menu.hide()
        anki.wait_for_results(window)
        config = anki.mw.addonManager.getConfig(ADDON_FOLDER)
        expect_equal((window.table.report.scope.since, config["reviews"]["since"]), (expected, expected))
        expect_equal(bar.since.text(), anki.module("ui.views.choices").since_button(day if expected else None))
    expect_equal((config["reviews"]["same_day"], config["folds"]), (False, 5))
