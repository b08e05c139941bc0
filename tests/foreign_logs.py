"""Write a simulated learner's log in the formats of other programs and data sets."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import numpy as np

from tools.simulate import Simulation

MS_PER_DAY = 86_400_000

COMPARISON_HEADER = "Date , Element No,Used interval , R (SM16),R (SM17), R (SM17)(exp),Grade , Success"

Row = tuple[int, int, int, int]


def later_days(simulation: Simulation) -> list[Row]:
    """Return the first answer of each card on each day in chronological order.

    Each row has the instant, the number of the card, the days since its last row, and the button.
    """
    log = simulation.revlog
    numbers = {card: number for number, card in enumerate(np.unique(log.card_id).tolist(), start=1)}
    last_days = {}
    rows = []
    for instant, card, button in sorted(
        zip(*(c.tolist() for c in (log.review_id, log.card_id, log.button)), strict=True)
    ):
        day = instant // MS_PER_DAY
        if button and day != last_days.get(card):
            rows.append((instant, numbers[card], day - last_days.get(card, day - 1), button))
            last_days[card] = day
    return rows


def _date_of(instant: int) -> dt.datetime:
    return dt.datetime.fromtimestamp(instant / 1000, dt.UTC)


def write_comparison(
    path: Path, simulation: Simulation, *, encoding: str = "utf-8", date: str = "%b %d %Y %H:%M:%S"
) -> None:
    """Write SuperMemo's ``SM16-v-SM17.csv``. SM-16 predicts 0.8, and SM-17 more for remembered reviews."""
    lines = [COMPARISON_HEADER]
    for instant, card, days, button in later_days(simulation):
        success = int(button > 1)
        when = _date_of(instant).strftime(date)
        lines.append(
            f" {when},{card} ,{days},0.8,{0.7 + 0.2 * success + card % 7 / 100:.4f},0.9,{button + 1},{success}"
        )
    path.write_text("\n".join(lines) + "\n", encoding=encoding)


def write_history(path: Path, simulation: Simulation) -> None:
    """Write SuperMemo's ``Repetition History.txt``, in which each element is shown once before its first answer."""
    lines = ["Repetition history of 7 elements", ""]
    repetitions_by_card = {}
    for instant, card, _, button in later_days(simulation):
        repetitions_by_card.setdefault(card, [(instant - MS_PER_DAY, 9)]).append((instant, button + 1))
    for card, repetitions in repetitions_by_card.items():
        lines.append(f"Item #{card}: a question")
        for number, (instant, grade) in enumerate(repetitions, start=1):
            when = _date_of(instant)
            hour = when.hour + when.minute / 60
            lines.append(
                f"ElNo={card} Rep={number} Laps={0 if number == 1 else 1} Date={when:%d.%m.%Y} Hour={hour:.3f} Int=3 "
                f"Grade={grade} Priority=0 expFI={99 if number == 1 else 5 + card % 20}"
            )
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_20k(path: Path, simulation: Simulation, elapsed: str = "elapsed_days") -> None:
    """Write a processed file of FSRS-Anki-20k, sorted by card."""
    seen_cards = set()
    rows = []
    for index, (_, card, days, button) in enumerate(later_days(simulation), start=1):
        rows.append((card, index, days if card in seen_cards else -1, button))
        seen_cards.add(card)
    lines = [f"card_id,review_th,{elapsed},rating"] + [",".join(map(str, row)) for row in sorted(rows)]
    path.write_text("\n".join(lines) + "\n")


def write_fsrs_optimizer(
    path: Path,
    simulation: Simulation,
    card_form: str = "{}",
    header: str = "card_id,review_time,review_rating,review_state,review_duration",
) -> None:
    """Write fsrs-optimizer's CSV, in which the states have FSRS's numbers."""
    lines = [header]
    seen_cards = set()
    for instant, card, button, duration, kind in _answers(simulation):
        lines.append(f"{card_form.format(card)},{instant},{button},{kind + 1 if card in seen_cards else 0},{duration}")
        seen_cards.add(card)
    path.write_text("\n".join(lines) + "\n")


def write_py_fsrs(path: Path, simulation: Simulation, *, text: bool = False) -> None:
    """Write py-fsrs's review logs without durations, with times as text or in milliseconds."""
    lines = ["card_id,rating,review_datetime,review_duration"]
    for instant, card, button, *_ in _answers(simulation):
        lines.append(f"{card},{button},{_date_of(instant).isoformat() if text else instant},")
    path.write_text("\n".join(lines) + "\n")


def write_ts_fsrs(path: Path, simulation: Simulation) -> None:
    """Write ts-fsrs's review logs, with times in JavaScript's format."""
    lines = ["cardId,rating,state,due,stability,difficulty,elapsed_days,scheduled_days,review,duration"]
    for instant, card, button, *_ in _answers(simulation):
        when = _date_of(instant).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        lines.append(f"{card},{button},2,{when},1.5,5.0,0,0,{when},3.5")
    path.write_text("\n".join(lines) + "\n")


def _answers(simulation: Simulation) -> list[tuple[int, ...]]:
    """Return instant, card, button, duration and kind of each answer in chronological order."""
    log = simulation.revlog
    columns = (log.review_id, log.card_id, log.button, log.duration_ms, log.kind)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    # Rows without a button are not answers.
    return sorted(row for row in rows if row[2])


def research_export(simulation: Simulation, presets: dict[int, int]) -> Any:
    """Return the log as a ``stats.Dataset``, which Anki exports for research, sorted by card."""
    from anki.stats_pb2 import Dataset

    exported = Dataset(next_day_at=simulation.clock.next_day_at)
    log = simulation.revlog
    names = ("id", "cid", "button_chosen", "interval", "last_interval", "ease_factor", "taken_millis", "review_kind")
    rows = zip(*(column.tolist() for column in vars(log).values()), strict=True)
    for row in sorted(rows, key=lambda row: row[1::-1]):
        exported.revlogs.add(**dict(zip(names, row, strict=True)))
    for card, deck in zip(simulation.cards.card_id.tolist(), simulation.cards.deck_id.tolist(), strict=True):
        exported.cards.add(id=card, note_id=card, deck_id=deck)
    for deck, preset in presets.items():
        exported.decks.add(id=deck, preset_id=preset)
    return exported


def write_all(folder: Path, simulation: Simulation) -> None:
    """Write a file in each format into a new folder."""
    folder.mkdir()
    write_comparison(folder / "SM16-v-SM17.csv", simulation)
    write_history(folder / "Repetition History.txt", simulation)
    write_20k(folder / "35.csv", simulation)
    write_fsrs_optimizer(folder / "review_logs.csv", simulation)
    (folder / "7.revlog").write_bytes(research_export(simulation, {}).SerializeToString())
