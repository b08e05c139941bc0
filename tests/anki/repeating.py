"""Reviews on the same day are predicted too: chosen under Options, or if there is no second day."""

from __future__ import annotations

from pathlib import Path
from typing import Any, List, Tuple

import window_tour
from appearance import take_every_size
from evaluating import export
from running import expect
from session import ADDON_FOLDER, AnkiSession

#: Minutes after its first answer at which a card of the only day is repeated.
_REPETITIONS = (1, 3, 10, 25, 60, 110)
_CARDS = 40


def repeating(anki: AnkiSession, folder: Path) -> None:
    anki.mw.addonManager.writeConfig(ADDON_FOLDER, {"reviews": {"outlier_filter": False}})
    window = anki.open_window()
    before = window.table.report
    tables = anki.module("ui.scope")
    choose(anki, window, tables.SAME_DAY_TABLE)
    report, strings = window.table.report, anki.module("ui.text.strings")
    expect(report.scope.table == tables.SAME_DAY_TABLE, str(report.scope))
    expect(report.scope.reviews > before.scope.reviews, "more reviews are scored")
    expect(window.results.headline.heading.text().startswith(strings.WITH_SAME_DAY), "the answer names its table")
    (sentence,) = anki.module("ui.views.scope").choice_sentences(report.scope)
    expect(sentence in window.results.legend.text(), window.results.legend.text())
    expect(window.scope_bar.options.currentData() == tables.SAME_DAY_TABLE, window.scope_bar.options.currentText())
    take_every_size(anki, window, "same-day")
    _choose_algorithms(anki, window)
    _look_around(anki, window)
    export(anki, window, folder / "same-day", "json")

    window.close()
    window = anki.open_window()
    expect(window.table.report.scope.table == tables.SAME_DAY_TABLE, "it is remembered")
    choose(anki, window, tables.WHOLE_DAY_TABLE)
    again = window.table.report
    expect((again.scope, again.results) == (before.scope, before.results), "and so is what counts in the other")
    _on_one_day(anki, window)


def choose(anki: AnkiSession, window: Any, table: str) -> None:
    box = window.scope_bar.options
    box.setCurrentIndex(box.findData(table))
    box.activated.emit(box.currentIndex())
    anki.wait_for_results(window)


def _choose_algorithms(anki: AnkiSession, window: Any) -> None:
    """Choose algorithms of the same-day table, and its groups."""
    chooser = window_tour.open_chooser(anki, window)
    run = {result.algorithm for result in window.table.report.results}
    expect(chooser.groups["default"].isChecked() and chooser.list.chosen == run, str(chooser.list.chosen))
    chooser.groups["all"].click()
    left_out = {entry.name for entry in window.model.catalog.entries if not entry.is_run}
    expect(left_out and not left_out & chooser.list.chosen, str(left_out))
    chooser.list.verticalScrollBar().setValue(chooser.list.verticalScrollBar().maximum())
    anki.screenshot(chooser, "same-day-chooser-light")
    chooser.cancel.click()


def _look_around(anki: AnkiSession, window: Any) -> None:
    """Every graph, and every page, has something to say."""
    window.resize(1366, 768)
    window.table.choose([window.table.report.verdict.algorithm, "SM-2"])
    for key in window_tour.graphs(anki, window):
        expect(window.panel.sentence.text(), f"{key} has a sentence")
        anki.screenshot(window, f"same-day-graph-{key}-light")
    for page in window_tour.pages(anki, window):
        anki.screenshot(window, f"same-day-page-{page.page.views[0]}-light")


def _on_one_day(anki: AnkiSession, window: Any) -> None:
    """There is no later day, so a button offers what can be predicted."""
    db, tables = anki.mw.col.db, anki.module("ui.scope")
    db.execute("delete from revlog")
    db.executemany("insert into revlog values (?,?,-1,?,?,?,?,?,?)", _one_day())
    anki.evaluate(window)
    message = window.message
    heading = anki.module("ui.window.messages").INPUT_HEADINGS["no_later_day"]
    expect(window.stack.currentWidget() is message and message.heading.text() == heading, message.heading.text())
    expect(message.same_day_button.isVisible(), message.text.text())
    take_every_size(anki, window, "one-day-of-repetitions")
    message.same_day_button.click()
    anki.wait_for_results(window)
    scope = window.table.report.scope
    expect((scope.table, scope.days) == (tables.SAME_DAY_TABLE, 1), str(scope))
    expect(window.results.headline.text.text(), "what is lacking for a verdict is said")
    take_every_size(anki, window, "one-day-evaluated")
    anki.mw.addonManager.writeConfig(ADDON_FOLDER, {})
    anki.evaluate(window)
    expect(window.stack.currentWidget() is message and message.same_day_button.isVisible(), "it is offered again")


def _one_day() -> List[Tuple[int, ...]]:
    """Rows of a review log: cards that are learned and repeated within two and a half hours."""
    rows = []
    for card in range(1, _CARDS + 1):
        for number, minutes in enumerate((0, *_REPETITIONS)):
            answer = 1 if (7 * card + 3 * number) % 5 == 0 else 3
            moment = 1_600_000_000_000 + 60_000 * minutes + 37_000 * card
            rows.append((moment, 1000 + card, answer, -60, -60, 0, 4000, 0))
    return rows
