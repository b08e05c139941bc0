"""What is said beside the results, in another language: menus, popups, notes, errors, the window of the libraries."""

from __future__ import annotations

import os
import re
from functools import partial
from pathlib import Path
from typing import Any, Callable, Dict, List

import held
from held import Held
from running import Facts, Running, expect
from sample_collections import write_nested
from session import ADDON_FOLDER, AnkiSession
from speaking import SIZES, given_catalogue, names, spoken_texts
from touring import open_chooser, open_menu, popups

#: As small as the window is with those, in whatever language.
NARROW = (1000, 700)
LIBRARIES_KEY = "srs_evaluator_libraries"
#: Configurations, each wrong in a way of its own, but for the last, in which both options are changed.
CONFIGURATIONS: Dict[str, Dict[str, Any]] = {
    "algorithm": {"algorithms": ["FSRS-66"]},
    "unknown-algorithm": {"algorithms": ["qqq"]},
    "late": {"reviews": {"since": "2099-01-01"}},
    "options": {"reviews": {"same_day": False, "outlier_filter": False}},
}


def speaking_beside(folder: Path) -> Facts:
    """``CATALOGUE`` as in the scenario ``speaking``."""
    write_nested(folder / "given.anki2")
    heard: List[str] = []
    with Running(folder, folder / "given.anki2", catalogue=given_catalogue()) as anki:
        _hear_notes(anki, heard)
        heard += _menus(anki)
        _libraries(anki, heard)
        window = anki.click_menu_item()
        window.resize(*SIZES["narrow"])
        anki.wait_for_results(window)
        _speaks_whole_sentences(window)
        for name, popup in popups(anki, window):
            _hear(anki, popup, heard, f"popup-{name}")
        _taking_away(anki, window, heard)
        _counts(anki, window, heard)
        _configurations(anki, window, heard)
        _scopes(anki, window, heard)
        _unexpected(anki, window, heard)
        window.close()
        width = _large_letters(anki, heard)
        return {"heard": sorted({*heard} - {""}), "names": names(anki), "width_with_large_letters": width}


def speaking_another(folder: Path) -> Facts:
    """``DAMAGED`` is a file in the place of a catalogue: with it, or in a language that has none, all is English."""
    if not (folder / "given.anki2").exists():  # of an earlier session
        write_nested(folder / "given.anki2", 60)
    damaged = os.environ["DAMAGED"].encode() if "DAMAGED" in os.environ else None
    with Running(folder, folder / "given.anki2", catalogue=damaged) as anki:
        window = anki.open_window()
        bar = window.scope_bar
        said = [window.bar.again.text(), window.bar.close_button.text(), window.results.headline.heading.text()]
        facts = {
            "said": said,
            "calendar": bar.calendar.locale().name(),
            "code": anki.module("ui.text").code(),
            "graph": window.panel.chosen,
            "right_to_left": [type(one).__name__ for one in _windows(window) if one.isRightToLeft()],
        }
        menu = open_menu(anki, bar.since)
        _look(anki, menu, [], "calendar")
        menu.hide()
        window.panel.choose("interval")
        anki.wait(lambda: window.model.jobs.over, "the graph")
        window.close()
        return facts


def _windows(window: Any) -> List[Any]:
    """It, what drops down from it, and the two that open beside it."""
    window.choose_button.click()
    chooser = window.chooser
    chooser.close()
    buttons = window.scope_bar.since, window.scope_bar.options, window.bar.export
    return [window, window.table, chooser, *(one.menu() for one in buttons)]


def _hear_notes(anki: AnkiSession, heard: List[str]) -> None:
    for name in ("ui.window.window", "ui.window.widgets"):
        anki.module(name).tooltip = lambda text, **_how: heard.append(text)


def _menus(anki: AnkiSession) -> List[str]:
    import aqt
    from aqt import gui_hooks
    from aqt.qt import QMenu

    gear = QMenu(anki.mw)
    gui_hooks.deck_browser_will_show_options_menu(gear, 1)
    browser = aqt.dialogs.open("Browser", anki.mw)
    cards = [action.text() for action in browser.form.menu_Cards.actions() if "SRS" in action.text()]
    browser.close()
    return [*(action.text() for action in gear.actions()), *cards]


def _libraries(anki: AnkiSession, heard: List[str]) -> None:
    """The offer, what is said meanwhile, one failure, one obstacle."""
    install, failures = (anki.module(f"ui.anki.libraries.{name}") for name in ("install", "failures"))
    dialog = _open_libraries(anki)
    hear = partial(_hear, anki, dialog, heard)
    hear("libraries")
    dialog._failed(failures.InstallFailed(failures.NO_NETWORK))
    hear("libraries-failed")
    dialog.details.click()
    expect("Traceback" in anki.app.clipboard().text(), "the report is in English")
    real, install.obstacle = install.obstacle, lambda: install.NO_PIP
    dialog._show_offer(install.NO_PIP)
    hear("libraries-impossible")
    install.obstacle = real
    dialog._show_running()
    dialog._show_progress(install.UNPACKING, 0.4)
    hear("libraries-running")
    dialog._cancel()
    hear("libraries-cancelled")
    dialog.reject()


def _open_libraries(anki: AnkiSession) -> Any:
    import aqt

    needs = anki.module("ui.anki.libraries.needs")
    real, needs.ready = needs.ready, lambda _base: False
    anki.click_menu_item()
    needs.ready = real
    return aqt.dialogs._dialogs[LIBRARIES_KEY][1]


def _hear(anki: AnkiSession, widget: Any, heard: List[str], name: str) -> None:
    """A picture of a small window, and its words; none of its buttons is cut off."""
    from aqt.qt import QPushButton

    _look(anki, widget, heard, name)
    for button in widget.findChildren(QPushButton):
        if button.isVisible():
            expect(button.width() >= button.sizeHint().width(), f"{name}: {button.text()} is whole")


def _look(anki: AnkiSession, widget: Any, heard: List[str], name: str) -> None:
    """A picture, and what there is to be read; paragraphs are marked in some of it."""
    anki.screenshot(widget, f"{name}-{anki.language}")
    heard += [re.sub("</?p>", "", text) for text in spoken_texts(widget)]


def _speaks_whole_sentences(window: Any) -> None:
    """Not broken where lines are, nor held together by signs that only Qt understands."""
    text = window.results.legend.text()
    expect(text and not {"\n", "\N{WORD JOINER}"} & set(text), text)


def _taking_away(anki: AnkiSession, window: Any, heard: List[str]) -> None:
    """The dialog for a file, what is said of it, the copied table."""
    from aqt.qt import QFileDialog

    for kind in ("markdown", "text"):
        window.bar.copied.emit(kind)
        heard.append(anki.app.clipboard().text())
    window._export("html")
    anki.settle()
    (dialog,) = window.findChildren(QFileDialog)
    heard.append(dialog.windowTitle())
    dialog.reject()
    file = Path(anki.base) / "x.json"
    window.export_to("json", file)
    anki.wait(lambda: file.exists() and window.model.jobs.over, "the file")
    anki.settle()
    file.unlink()
    window.export_to("png", file / "x.png")
    anki.wait(window.notice.isVisible, "a word on the failed export")
    heard.append(window.notice.label.text())
    window._on_change()
    _look(anki, window, heard, "changed")
    window.notice.clear()


def _counts(anki: AnkiSession, window: Any, heard: List[str]) -> None:
    """None, one, two algorithms; stopped at once, and in the midst."""
    open_chooser(anki, window)
    for count in range(3):
        window.chooser.list.choose(["FSRS-6", "SM-2"][:count])
        _look(anki, window.chooser, heard, f"chooser-{count}")
    window.chooser.close()
    engine = anki.module("ui.engine")
    real = engine.evaluate
    for count in range(3):
        slow = engine.evaluate = Held(real, after=count)
        window.model.evaluate()
        held.cancel(anki, window, slow)
        _look(anki, window, heard, f"cancelled-{count}")
    engine.evaluate = real


def _configurations(anki: AnkiSession, window: Any, heard: List[str]) -> None:
    for name, config in CONFIGURATIONS.items():
        anki.mw.addonManager.writeConfig(ADDON_FOLDER, config)
        anki.evaluate(window)
        _look(anki, window, heard, f"config-{name}")
    anki.mw.addonManager.writeConfig(ADDON_FOLDER, {})


def _scopes(anki: AnkiSession, window: Any, heard: List[str]) -> None:
    """What has no reviews, what is not there, what is not understood (Anki says why), and what has some."""
    choice = anki.module("ui.science").ScopeChoice
    for kind, name in (
        ("search", "tag:none"),
        ("deck", "Languages::French"),
        ("deck", "Nowhere"),
        ("preset", "Vocabularyy"),
        ("preset", "Vocabulary"),
        ("search", "deck:Geography*"),
    ):
        window.reopen(choice(kind, name))
        anki.wait_for_results(window)
        _look(anki, window, texts := [], f"scope-{kind}-{name.partition(':')[0]}")
        heard += [text.replace(name, "") for text in texts]
    window.reopen(choice("collection", ""))
    anki.wait_for_results(window)


def _unexpected(anki: AnkiSession, window: Any, heard: List[str]) -> None:
    """Raised at once, after some results, in a section; and a library that is gone."""
    engine = anki.module("ui.engine")
    real = engine.evaluate

    def raising(error: BaseException) -> Callable[..., Any]:
        def evaluate(*values: Any, **how: Any) -> Any:
            raise error

        return evaluate

    for name, error in {
        "boom": RuntimeError("boom"),
        "missing": ModuleNotFoundError("", name="PIL"),
        "broken": ImportError("", name="numpy"),
        "closed": anki.module("evaluator.errors").CollectionClosed(),
    }.items():
        engine.evaluate = raising(error)
        anki.evaluate(window)
        _look(anki, window, heard, f"failed-{name}")
    engine.evaluate = real
    anki.evaluate(window)
    window._on_section_failed(window.results.pages[0].page.title, RuntimeError("boom"))
    _look(anki, window, heard, "failed-section")


def _large_letters(anki: AnkiSession, heard: List[str]) -> int:
    """Returns the least width of the window; the buttons of the libraries' are whole there, too."""
    anki.enlarge_letters()
    _hear(anki, dialog := _open_libraries(anki), heard, "libraries-large")
    dialog.reject()
    window = anki.open_window()
    window.resize(*NARROW)
    anki.screenshot(window, f"large-{anki.language}")
    heard += spoken_texts(window)
    width = int(window.minimumSizeHint().width())
    window.close()
    return width
