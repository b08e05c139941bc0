from __future__ import annotations

from dataclasses import replace
from typing import Any, Sequence

from anki.buildinfo import version
from running import expect, expect_equal
from session import AnkiSession
from window_tour import screenshot_sizes

#: FSRS-6 parameters for a fifth of the usual initial stability, and for smaller gains by each review.
FORGETFUL = [0.0424, 0.2586, 0.4613, 1.6591, 6.4133, 0.8334, 3.0194, 0.001, 0.8, 0.1666, 0.796, 1.4835, 0.0614]
FORGETFUL += [0.2629, 1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542]


def advising(anki, _folder):
    """Read the advice with FSRS off, on with bad parameters, and on with good ones, then with FSRS-7."""
    from aqt.qt import Qt

    names = ["SM-2", "FSRS-6 default", "FSRS-6", "Your parameters"]
    anki.configure(algorithms=names)
    anki.mw.col.set_config("fsrs", False)
    window = anki.open_window()
    headline = window.results.headline
    _expect_advice(anki, window, "turn_on_and_optimize", "turn on FSRS, then optimize", headline.see_workload)
    screenshot_sizes(anki, window, "advice-turn-on")
    headline.see_workload.click()
    expect_equal(window.results.tabs.tabText(window.results.tabs.currentIndex()), "Workload")
    window.results.tabs.setCurrentIndex(0)

    _save_options(anki, FORGETFUL)
    anki.mw.col.db.execute("update deck_config set mtime_secs = 1500000000")
    anki.evaluate(window)
    _expect_advice(anki, window, "optimize", "Optimize ", headline.deck_options)
    screenshot_sizes(anki, window, "advice-optimize")
    results = window.model.results
    decks = [deck for deck in anki.mw.col.decks.all_names_and_ids() if deck.name != "Default"]
    expect_equal(len(decks), 2)
    for deck in decks:
        preset = anki.mw.col.decks.config_dict_for_deck_id(deck.id)["id"]
        shown = results.report.finding
        shown = replace(shown, advice=replace(shown.advice, preset_id=preset))
        window.results.headline.show_report(replace(results.report, findings=(shown,), subject=0))
        button = headline.deck_options
        expect(button.isVisible() and button.focusPolicy() & Qt.FocusPolicy.TabFocus, "the button can be reached")
        anki.press_key(button, "Key_Space")
        dialog = open_deck_options(anki, deck.name)
        _expect_named_buttons(anki, dialog)
        close_deck_options(dialog)

    _save_options(anki, window.table.report.result("FSRS-6").parameters_per_fold[-1])
    anki.evaluate(window)
    change = max(item.optimizing.change for item in window.table.report.findings if item.optimizing)
    little_change = anki.module("evaluator.findings.thresholds").LITTLE_CHANGE
    codes = {"nothing", "keep_on"} if change < little_change else {"optimize", "optimize_if_you_like"}
    expect(window.table.report.finding.advice.code in codes, f"{change}: {window.table.report.finding.advice}")
    screenshot_sizes(anki, window, "advice-change")

    _store_fsrs7_parameters(anki)
    anki.evaluate(window)
    report = window.table.report
    note = anki.module("ui.text.strings").NOTES["fsrs7"]
    row = report.result("Your parameters")
    expect_equal((row.error, row.note, row.in_sample), (None, "fsrs7", True))
    for show_more in (False, True):
        window.results.comparison.more.setChecked(show_more)
        expect_equal(note in window.results.comparison.legend.text(), show_more)
    changes = [item.optimizing.change for item in report.findings if item.optimizing]
    expect(changes and None not in changes, f"{report.findings}: FSRS-7 was optimized")


def _save_options(anki: AnkiSession, parameters: Sequence[float]) -> None:
    """Turn FSRS on and give every preset these parameters, as the button Save of the deck options does."""
    from anki.deck_config_pb2 import UpdateDeckConfigsRequest

    decks = anki.mw.col.decks
    options = decks.get_deck_configs_for_update(1)
    request = UpdateDeckConfigsRequest(target_deck_id=1, fsrs=True, limits=options.current_deck.limits)
    # The last one becomes the preset of the deck.
    for item in sorted(options.all_config, key=lambda item: item.config.id == 1):
        if hasattr(item.config.config, "fsrs_params_6"):
            item.config.config.fsrs_params_6[:] = parameters
        else:  # Anki before 25.07 has no FSRS-6.
            item.config.config.fsrs_params_5[:] = parameters[:19]
        request.configs.append(item.config)
    decks.update_deck_configs(request)


def _store_fsrs7_parameters(anki):
    """Give every preset FSRS-7 parameters near the published ones, stored as an Anki with FSRS-7 does."""
    decks = anki.mw.col.decks
    published = [p.default for p in anki.module("evaluator.algorithms.fsrs7").PARAMETERS]
    for preset in decks.all_config():
        preset["jschoreels.fsrs"] = {"fsrs_params_7": [1.01 * value for value in published]}
        decks.update_config(preset)


def open_deck_options(anki: AnkiSession, deck: str) -> Any:
    """Expect that Anki's Deck Options are open and of this deck, and return the dialog."""
    from aqt.deckoptions import DeckOptionsDialog

    widgets = anki.app.topLevelWidgets()
    (dialog,) = (widget for widget in widgets if isinstance(widget, DeckOptionsDialog) and widget.web)
    anki.wait(lambda: dialog._ready, "Anki's Deck Options")
    expect(dialog.isVisible() and deck in dialog.windowTitle(), dialog.windowTitle())
    return dialog


def _expect_named_buttons(anki, dialog):
    """Expect that the buttons of the advice exist in this Anki under the names that the advice uses."""
    texts = []
    dialog.web.evalWithCallback(
        "[...document.querySelectorAll('button')].map(button => button.textContent.trim())", texts.append
    )
    anki.wait(lambda: texts, "the page to answer")
    buttons = [f"“{text}”" for text in texts[0]]
    words = anki.module("ui.views.advice_sentence").anki_words(version)
    expect(words["optimize"] in buttons, f"{words}: {buttons}")
    expect((words["optimize_all"] in buttons) == (version != "24.11"), f"{words}: {buttons}")
    expect(("Save" in words["optimize_all"]) == (version == "24.11"), "the menu is named if there is no button")


def close_deck_options(dialog):
    """Close Anki's Deck Options without a question. The method depends on the version of Anki."""
    (getattr(dialog, "require_close", None) or dialog._close)()


def _expect_advice(anki: AnkiSession, window: Any, code: str, words: str, button: Any) -> None:
    """Expect advice with this code, shown in a text that contains these words, beside this button only."""
    report = window.table.report
    label = window.results.headline.advice
    module = anki.module("ui.views.advice_sentence")
    expect_equal(module.advice_of(report).code, code)
    expect(label.isVisible(), "the advice is shown")
    expect_equal(label.text(), module.advice_sentence(report, version))
    expect(words in label.text(), label.text())
    headline = window.results.headline
    buttons = headline.deck_options, headline.see_workload
    expect_equal([item for item in buttons if item.isVisible()], [button])
