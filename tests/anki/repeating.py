"""Also predict same-day reviews. They are chosen under Options, or offered if there is no second day."""

from __future__ import annotations

from typing import Any, List, Tuple

from evaluating import export
from running import expect, expect_equal
from session import AnkiSession
from window_tour import screenshot_sizes

#: Minutes from a card's first answer to each of its repetitions, if there is a single day.
_REPETITIONS = (1, 3, 10, 25, 60, 110)
_CARDS = 40


def repeating(anki, folder):
    """Choose the same-day table, look at everything, return to the other table, and study on a single day."""
    anki.configure(reviews={"outlier_filter": False})
    window = anki.open_window()
    before = window.table.report
    tables = anki.module("ui.scope_access")
    choose(anki, window, tables.SAME_DAY_TABLE)
    report = window.table.report
    strings = anki.module("ui.text.strings")
    expect_equal(report.scope.table, tables.SAME_DAY_TABLE)
    expect(report.scope.reviews > before.scope.reviews, "more reviews are scored")
    expect(strings.WITH_SAME_DAY in window.results.headline.heading.text(), "the headline names its table")
    (sentence,) = anki.module("ui.views.scope_sentences").choice_sentences(report.scope)
    expect(sentence in window.results.comparison.legend.text(), window.results.comparison.legend.text())
    expect_equal(window.scope_bar.table_box.currentData(), tables.SAME_DAY_TABLE)
    screenshot_sizes(anki, window, "same-day")
    export(anki, window, folder / "same-day", "json")

    window.close()
    window = anki.open_window()
    expect_equal(window.table.report.scope.table, tables.SAME_DAY_TABLE)
    choose(anki, window, tables.WHOLE_DAY_TABLE)
    after = window.table.report
    expect((after.scope, after.results) == (before.scope, before.results), "the other settings are remembered")
    _study_on_one_day(anki, window)


def choose(anki: AnkiSession, window: Any, table: str) -> None:
    """Choose the table under Options, and wait for its results."""
    box = window.scope_bar.table_box
    box.setCurrentIndex(box.findData(table))
    box.activated.emit(box.currentIndex())
    anki.wait_for_results(window)


def _study_on_one_day(anki, window):
    """Leave reviews on a single day, and click the button that offers to predict same-day reviews."""
    db = anki.mw.col.db
    tables = anki.module("ui.scope_access")
    db.execute("delete from revlog")
    db.executemany("insert into revlog values (?,?,-1,?,?,?,?,?,?)", _one_day())
    anki.evaluate(window)
    message = window.message
    expect(window.stack.currentWidget() is message, "a message instead of results")
    expect_equal(message.heading.text(), anki.module("ui.window.messages").INPUT_HEADINGS["no_later_day"])
    expect(message.same_day_button.isVisible(), message.text.text())
    screenshot_sizes(anki, window, "one-day-of-repetitions")
    message.same_day_button.click()
    anki.wait_for_results(window)
    scope = window.table.report.scope
    expect_equal((scope.table, scope.days), (tables.SAME_DAY_TABLE, 1))
    expect(window.results.headline.text.text(), "the headline says what a verdict needs")
    screenshot_sizes(anki, window, "one-day-evaluated")
    anki.configure()
    anki.evaluate(window)
    expect(window.stack.currentWidget() is message and message.same_day_button.isVisible(), "it is offered again")


def _one_day() -> List[Tuple[int, ...]]:
    """Return rows of a review log in which cards are learned and repeated within two and a half hours."""
    rows = []
    for card in range(1, _CARDS + 1):
        for number, minutes in enumerate((0, *_REPETITIONS)):
            answer = 1 if (7 * card + 3 * number) % 5 == 0 else 3
            moment = 1_600_000_000_000 + 60_000 * minutes + 37_000 * card
            rows.append((moment, 1000 + card, answer, -60, -60, 0, 4000, 0))
    return rows
