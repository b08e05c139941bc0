from __future__ import annotations

from pathlib import Path
from typing import Any

from evaluating import export, make_an_undoable_change, open_section, page_with
from running import expect
from session import ADDON_FOLDER, QUICK, AnkiSession
from window_tour import open_menu


def scopes(anki: AnkiSession, folder: Path) -> None:
    col = anki.mw.col
    undo_before, modified_before = make_an_undoable_change(anki)
    window = _click_gear(anki, "Languages")
    anki.wait_for_results(window)
    spanish = window.table.report
    expect((spanish.scope.kind, spanish.scope.name) == ("deck", "Languages"), str(spanish.scope))
    home = "select id from cards where case odid when 0 then did else odid end = ?"
    cards = set(col.db.list(home, col.decks.id_for_name("Languages::Spanish::Verbs")))
    scored = set(window.model.findings.evaluation.predictions.card_id.tolist())
    expect(scored and scored <= cards, "the cards of its subdecks, those in a filtered deck too")
    expect(window.scope_bar.scope.currentText() == "Languages", window.scope_bar.scope.currentText())
    export(anki, window, folder / "deck", "json")
    anki.mw.addonManager.writeConfig(ADDON_FOLDER, {"algorithms": QUICK, "reviews": {"same_day": False}})

    browser = _browse(anki, "deck:Geography* -is:new")
    expect(_click_in_browser(anki, browser) is window, "the same window")
    anki.wait_for_results(window)
    geography = window.table.report
    result = set(col.find_cards("deck:Geography* -is:new"))
    expect(
        set(window.model.findings.evaluation.predictions.card_id.tolist()) <= result, "the cards that the browser lists"
    )
    expect((geography.scope.kind, geography.scope.name) == ("search", "deck:Geography* -is:new"), "echoed")
    expect(anki.click_menu_item() is window, "the Tools menu raises it ...")
    expect(not window.model.running, "... as it is")

    _choose_scopes(anki, window)
    _choose_days(anki, window)
    _click_gear(anki, "Languages::French")
    anki.wait_for_results(window)
    headings = anki.module("ui.window.messages").INPUT_HEADINGS
    expect(window.message.heading.text() == headings["nothing_in_scope"], window.message.heading.text())
    expect("Languages::French" in window.message.text.text(), window.message.text.text())
    _click_gear(anki, "Cram")
    anki.wait_for_results(window)
    shown = window.message.text.text() + window.scope_bar.scope.currentText()
    expect("deck:" in shown, "a filtered deck: what is in it now")
    window.reopen(anki.module("ui.science").ScopeChoice("search", "("))
    anki.wait_for_results(window)
    expect(window.message.heading.text() == headings["bad_search"], window.message.heading.text())

    window.close()
    window = anki.click_menu_item()
    everything = anki.module("ui.text.phrases").SCOPES["collection"]
    expect(window.scope_bar.scope.currentText() == everything, "the deck was for that window only")
    window.close()
    browser.close()
    expect((col.undo_status().undo, col.mod) == (undo_before, modified_before), "undo is as it was")


def dividing(anki: AnkiSession, _folder: Path) -> None:
    """Divide the cards by searches on the page of presets and decks. A failed search leaves the earlier results."""
    window = anki.open_window()
    open_section(anki, window, "splitting")
    _, block = page_with(window, "splitting")
    result = window.model.findings.report.section("splitting")
    expect({item.by for item in result} <= {"preset", "deck"}, "no searches yet")
    window.results.tabs.currentWidget().ensureWidgetVisible(block.searches)
    anki.screenshot(window, "page-parts-before-light")
    first, second = 'deck:"Languages::Spanish::Verbs"', "deck:Geography* Front:*1"
    _type_searches(anki, block, f"{first}; {second}")
    divided = window.model.findings.report.section("splitting")
    expect(divided[:-1] == result and divided[-1].by == "part", "beside presets and decks")
    expect({part.name for part in divided[-1].groups} == {first, second, ""}, f"{divided[-1].groups}")
    window.results.tabs.currentWidget().ensureWidgetVisible(block.searches)
    anki.screenshot(window, "page-parts-light")
    for typed, text in (("(", "("), (f"{first}; deck:*", "-("), ("tag:nothing", "tag:nothing")):
        _type_searches(anki, block, typed)
        expect(text in window.notice.label.text(), window.notice.label.text())
        expect(window.model.findings.report.section("splitting") == divided, "stays")
    anki.screenshot(window, "page-parts-refused-light")
    _type_searches(anki, block, " ; ")
    expect(window.model.findings.report.section("splitting") == result, "presets and decks alone")


def _type_searches(anki: AnkiSession, block: Any, text: str) -> None:
    block.searches.setText(text)
    anki.press_key(block.searches, "Key_Return")
    expect(block.content.isVisible(), "the answer, or what was known")


def _click_gear(anki: AnkiSession, deck: str) -> Any:
    """Choose the item in the menu behind a deck's gear, and return the window."""
    from aqt import gui_hooks
    from aqt.qt import QMenu

    menu = QMenu(anki.mw)
    gui_hooks.deck_browser_will_show_options_menu(menu, anki.mw.col.decks.id_for_name(deck))
    actions = [action for action in menu.actions() if "SRS Evaluator" in action.text()]
    expect(len(actions) == 1, "one item in the gear menu")
    actions[0].trigger()
    return anki.window()


def _browse(anki: AnkiSession, search: str) -> Any:
    """The browser with this search, and something else typed that was not searched for."""
    import aqt

    browser = aqt.dialogs.open("Browser", anki.mw)
    browser.search_for(search)
    browser._line_edit().setText("typed only")
    anki.settle()
    return browser


def _click_in_browser(anki: AnkiSession, browser: Any) -> Any:
    actions = [action for action in browser.form.menu_Cards.actions() if "SRS Evaluator" in action.text()]
    expect(len(actions) == 1, "one item in the browser")
    actions[0].trigger()
    return anki.window()


def _choose_scopes(anki: AnkiSession, window: Any) -> None:
    """Choose scopes by a few letters and Enter, and remove a failed entry."""
    from PyQt6.QtTest import QTest

    box, names = window.scope_bar.scope, []
    for letters in ("verb", "tag", "whole", "vocab"):
        box.setFocus()
        box.lineEdit().selectAll()
        QTest.keyClicks(box.lineEdit(), letters)
        result = box.completer().popup()
        expect(result.isVisible() == (letters != "tag"), f"{letters}: some are found, or none")
        if letters == "tag":
            before = box.itemText(box.currentIndex())
            anki.press_key(box.lineEdit(), "Key_Return")
            expect(not window.model.running and box.currentText() == before, "Enter chooses nothing")
            continue
        anki.press_key(result, "Key_Down")
        anki.press_key(result, "Key_Return")
        anki.wait_for_results(window)
        names.append((window.table.report.scope.kind, window.table.report.scope.name))
    expect(names[0] == ("deck", "Languages::Spanish::Verbs"), str(names))
    expect(names[1:] == [("collection", ""), ("preset", "Vocabulary")], str(names))


def _choose_days(anki: AnkiSession, window: Any) -> None:
    """Choose the first day, which is saved in the configuration. Everything else in it stays, even unknown options."""
    import datetime as dt

    from aqt.qt import QDate

    bar, scope = window.scope_bar, window.table.report.scope
    expect(not scope.same_day and scope.outlier_filter, str(scope))
    (sentence,) = anki.module("ui.views.scope").choice_sentences(scope)
    expect(sentence in window.results.legend.text(), window.results.legend.text())

    day = dt.date.fromisoformat(scope.first_day) + dt.timedelta(days=20)
    for expected, choose in (
        (day.isoformat(), lambda: bar.calendar.activated.emit(QDate(day.year, day.month, day.day))),
        (None, bar.beginning.trigger),
    ):
        menu = open_menu(anki, bar.since)
        expect(bar.calendar.isAncestorOf(anki.app.focusWidget()), "keys go through the days")
        choose()
        menu.hide()
        anki.wait_for_results(window)
        config = anki.mw.addonManager.getConfig(ADDON_FOLDER)
        expect(window.table.report.scope.since == config["reviews"]["since"] == expected, str(config))
        since = anki.module("ui.views.choices").since_button(day if expected else None)
        expect(bar.since.text() == since, bar.since.text())
    expect(config["reviews"]["same_day"] is False and config["folds"] == 5, str(config))
