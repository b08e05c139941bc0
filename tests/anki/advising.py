from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, List, Sequence

from anki.buildinfo import version
from appearance import take_every_size
from running import expect
from session import ADDON_FOLDER, AnkiSession

#: Those of FSRS-6, but that memory is thought to begin with a fifth of its stability, and to gain less by each review.
FORGETFUL = [
    *(0.0424, 0.2586, 0.4613, 1.6591),
    *(6.4133, 0.8334, 3.0194, 0.001, 0.8, 0.1666, 0.796, 1.4835, 0.0614, 0.2629, 1.6483, 0.6014, 1.8729),
    *(0.5425, 0.0912, 0.0658, 0.1542),
]


def advising(anki: AnkiSession, _folder: Path) -> None:
    """Turn FSRS on with old and with new parameters, and let the section on Hard suspect something.

    At last the presets run FSRS-7.
    """
    names = ["SM-2", "FSRS-6 default", "FSRS-6", "Your parameters"]
    anki.mw.addonManager.writeConfig(ADDON_FOLDER, {"algorithms": names})
    anki.mw.col.set_config("fsrs", False)
    window = anki.open_window()
    _expect(anki, window, ["turn_on_and_optimize"], "Optimize All Presets")
    _close(_expect_deck_options(anki, window, "Default"))
    take_every_size(anki, window, "advice-turn-on")

    _save_options(anki, FORGETFUL)
    anki.mw.col.db.execute("update deck_config set mtime_secs = 1500000000")
    anki.evaluate(window)
    _expect(anki, window, ["optimize"], "Optimize FSRS")
    take_every_size(anki, window, "advice-optimize")
    findings, advice = window.model.findings, window.table.report.advice
    decks = [deck for deck in anki.mw.col.decks.all_names_and_ids() if deck.name != "Default"]
    expect(len(decks) == 2, "each with a preset of its own")
    for deck in decks:
        preset = anki.mw.col.decks.config_dict_for_deck_id(deck.id)["id"]
        findings.report = replace(findings.report, advice=(replace(advice[0], preset_id=preset),))
        findings.changed.emit()
        dialog = _expect_deck_options(anki, window, deck.name)
        _expect_named_buttons(anki, dialog)
        _close(dialog)

    _save_options(
        anki, window.table.report.result("FSRS-6").parameters_per_fold[-1]
    )  # which these reviews cannot judge
    anki.evaluate(window)
    change = max(preset.change for preset in window.table.report.scheduler.presets)
    code = "nothing" if change < 0.005 else "optimize" if change >= 0.02 else "optimize_if_you_like"
    mean = window.table.report.advice[0].change
    _expect(anki, window, [code], f"{100 * mean:.1f} percentage points on average")
    take_every_size(anki, window, "advice-change")

    findings = window.model.findings
    suspected = anki.module("evaluator.sections.hard").Hard("FSRS-6", "suspected", None, 200, 180)
    with_advice = anki.module("evaluator.report").with_advice
    findings.report = with_advice(findings.report.with_section("hard", suspected))
    findings.changed.emit()
    expect("Again" in window.results.headline.advice.text(), "a section that was worked out later adds to it")
    take_every_size(anki, window, "advice-two")

    _run_fsrs7(anki)
    anki.evaluate(window)
    report, notes = window.table.report, anki.module("ui.text.strings").NOTES
    row = report.result("Your parameters")
    expect((row.error, row.note, row.in_sample) == (None, "fsrs7", True), str(row))
    expect(notes["fsrs7"] not in window.results.legend.text(), window.results.legend.text())
    window.results.comparison.more.setChecked(True)
    expect(notes["fsrs7"] in window.results.legend.text(), window.results.legend.text())
    expect(report.scheduler.change is not None, f"{report.scheduler}: FSRS-7 was optimized")


def _save_options(anki: AnkiSession, parameters: Sequence[float]) -> None:
    """Switch FSRS on and give every preset these parameters, by the button Save of the deck options."""
    from anki.deck_config_pb2 import UpdateDeckConfigsRequest

    decks = anki.mw.col.decks
    options = decks.get_deck_configs_for_update(1)
    request = UpdateDeckConfigsRequest(target_deck_id=1, fsrs=True, limits=options.current_deck.limits)
    for item in sorted(options.all_config, key=lambda item: item.config.id == 1):  # the last is the deck's own
        if hasattr(item.config.config, "fsrs_params_6"):
            item.config.config.fsrs_params_6[:] = parameters
        else:  # before Anki 25.07
            item.config.config.fsrs_params_5[:] = parameters[:19]
        request.configs.append(item.config)
    decks.update_deck_configs(request)


def _run_fsrs7(anki: AnkiSession) -> None:
    """Give every preset parameters of FSRS-7, near the published ones, as an Anki that has it stores them."""
    decks = anki.mw.col.decks
    published = [p.default for p in anki.module("evaluator.algorithms.fsrs7").PARAMETERS]
    for preset in decks.all_config():
        preset["jschoreels.fsrs"] = {"fsrs_params_7": [1.01 * value for value in published]}
        decks.update_config(preset)


def _expect_deck_options(anki: AnkiSession, window: Any, deck: str) -> Any:
    """Open Anki's Deck Options by the keyboard, and return the dialog, which must be of that deck."""
    from aqt.deckoptions import DeckOptionsDialog
    from aqt.qt import Qt

    button = window.results.headline.deck_options
    expect(button.isVisible() and button.focusPolicy() & Qt.FocusPolicy.TabFocus, "the button can be reached")
    anki.press_key(button, "Key_Space")
    (dialog,) = (item for item in anki.app.topLevelWidgets() if isinstance(item, DeckOptionsDialog) and item.web)
    anki.wait(lambda: dialog._ready, "Anki's Deck Options")
    expect(dialog.isVisible() and deck in dialog.windowTitle(), dialog.windowTitle())
    return dialog


def _expect_named_buttons(anki: AnkiSession, dialog: Any) -> None:
    """Expect the buttons under the names that we give for this Anki."""
    from anki.buildinfo import version

    texts: List[List[str]] = []
    dialog.web.evalWithCallback(
        "[...document.querySelectorAll('button')].map(button => button.textContent.trim())", texts.append
    )
    anki.wait(lambda: texts, "the page to answer")
    buttons = [f"“{text}”" for text in texts[0]]
    words = anki.module("ui.views.advice").anki_words(version)
    expect(words["optimize"] in buttons, f"{words}: {buttons}")
    expect((words["optimize_all"] in buttons) == (version != "24.11"), f"{words}: {buttons}")
    expect(("Save" in words["optimize_all"]) == (version == "24.11"), "the menu is named if there is no button")


def _close(dialog: Any) -> None:
    """Close Anki's Deck Options without asking, in the way of this version."""
    (getattr(dialog, "require_close", None) or dialog._close)()


def _expect(anki: AnkiSession, window: Any, codes: Sequence[str], words: str) -> None:
    report, shown = window.table.report, window.results.headline.advice
    expect([item.code for item in report.advice] == codes, f"{report.advice} of {report.scheduler}")
    expect(shown.isVisible() and shown.text() == anki.module("ui.views.advice").what_to_do(report, version), "shown")
    expect(words in shown.text(), shown.text())
    expect(window.results.headline.deck_options.isVisible() == (codes != ["nothing"]), "a button if it has a use")
