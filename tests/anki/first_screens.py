"""What a person sees first, in eight cases that differ in what can be said: pictures to be read aloud."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, Dict, List, Sequence, Tuple

from running import expect
from session import ADDON_FOLDER, AnkiSession

Rows = List[Sequence[Any]]
#: The columns of a row of the review log.
ID, EASE = 0, 3
DAY_MS = 86_400_000

USUAL: List[str] = []


def first_screens(anki: AnkiSession, _folder: Path) -> None:
    """Each by its verdict's code, with the algorithms that are compared and the reviews that there are."""
    rows = anki.mw.col.db.all("select * from revlog order by id")
    cases: Dict[str, Tuple[str, List[str], Callable[[Rows], Rows]]] = {
        "better": ("better", USUAL, list),
        "worse": ("worse", ["FSRS-6 default", "AVG"], _forgotten_at_random),
        "equal": ("equivalent", ["FSRS-6", "FSRS-6 recency"], list),
        "forty-days": ("better", USUAL, lambda rows: _first(rows, 40)),
        "nine-days": ("cannot_tell", USUAL, lambda rows: _first(rows, 15.5)),
        "five-days": ("", USUAL, _with_a_pause),
        "one-outcome": ("", USUAL, _all_remembered),
        "same-day": ("", USUAL, lambda rows: _first(rows, 0.25)),
    }
    for name, (code, algorithms, change) in cases.items():
        _write(anki, change(rows))
        config = {"algorithms": algorithms} if algorithms else {}
        anki.mw.addonManager.writeConfig(ADDON_FOLDER, config)
        window = anki.click_menu_item()
        window.resize(1100, 720)
        anki.wait_for_results(window)
        report = window.table.report
        anki.screenshot(window, f"first-{name}")
        found = "" if report is None else report.verdict.code
        expect(found == code, f"{name}: {found}")
        window.close()


def _write(anki: AnkiSession, rows: Rows) -> None:
    marks = ",".join("?" * len(rows[0]))
    db = anki.mw.col.db
    db.execute("delete from revlog")
    db.executemany(f"insert into revlog values ({marks})", rows)


def _first(rows: Rows, days: float) -> Rows:
    return [row for row in rows if row[ID] < rows[0][ID] + days * DAY_MS]


def _with_a_pause(rows: Rows) -> Rows:
    """The first days, but for the last but one."""
    first = rows[0][ID]
    return [row for row in _first(rows, 10.5) if not first + 8.5 * DAY_MS <= row[ID] < first + 9.5 * DAY_MS]


def _all_remembered(rows: Rows) -> Rows:
    return [[*row[:EASE], max(row[EASE], 3), *row[EASE + 1 :]] for row in rows]


def _forgotten_at_random(rows: Rows) -> Rows:
    """Two of five answers are "Again", whatever is asked."""
    return [[*row[:EASE], 1 if number * 7 % 5 < 2 else 3, *row[EASE + 1 :]] for number, row in enumerate(rows)]
