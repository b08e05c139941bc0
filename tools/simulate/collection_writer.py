"""Writer of a simulation as a collection that Anki opens, through Anki's own API."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from tools.simulate.trace import CardStates, Simulation

if TYPE_CHECKING:
    from anki.collection import Collection
    from anki.dbproxy import DBProxy
    from anki.decks import DeckId


def write_collection(simulation: Simulation, path: Path) -> Path:
    """Write the simulation as a new collection at ``path``, and return the path."""
    if path.exists():
        raise FileExistsError(path)
    from anki.collection import Collection

    col = Collection(str(path))
    try:
        deck_ids = _add_decks(col, simulation)
        _add_cards(col, simulation.cards, deck_ids)
        _add_rows(col, simulation)
        _db(col).execute("update col set crt = ?", simulation.started)
        # Anki stores the offset in minutes west.
        col.set_config("localOffset", -(simulation.clock.utc_offset_minutes or 0))
        col.set_config("creationOffset", -(simulation.clock.utc_offset_minutes or 0))
        col.set_config("rollover", simulation.clock.rollover_hour)
        # A missing setting means that FSRS was never turned on.
        if simulation.parameters:
            col.set_config("fsrs", True)
    finally:
        col.close()
    return path


def _add_decks(col: Collection, simulation: Simulation) -> dict[int, DeckId]:
    """Add the decks, each with its own preset. Return Anki's id by the simulation's id of each deck."""
    from anki.decks import DeckId

    ids = {}
    for deck_id, name in simulation.decks.items():
        preset = col.decks.add_config(name)
        preset["fsrsParams6"] = list(simulation.parameters)
        preset["desiredRetention"] = simulation.desired_retention
        col.decks.update_config(preset)
        ids[deck_id] = DeckId(col.decks.add_normal_deck_with_name(name).id)
        col.decks.set_config_id_for_deck_dict(col.decks.get(ids[deck_id]) or {}, preset["id"])
    return ids


def _add_cards(col: Collection, cards: CardStates, deck_ids: dict[int, DeckId]) -> None:
    """Add a note for each card, and give the card the id and state that it has in the simulation."""
    from anki.collection import AddNoteRequest

    notetype = col.models.current()
    requests = []
    for number, deck_id in enumerate(cards.deck_id.tolist(), start=1):
        note = col.new_note(notetype)
        note["Front"] = f"Question {number}"
        note["Back"] = f"Answer {number}"
        requests.append(AddNoteRequest(note, deck_ids[deck_id]))
    col.add_notes(requests)
    created_ids = [card_id for (card_id,) in _db(col).all("select id from cards order by nid")]
    # Cards in (re)learning wait for the next day (queue 3). Otherwise the queue has the number of the type.
    queue = [{1: 3, 3: 3}.get(kind, kind) for kind in cards.kind.tolist()]
    data = [json.dumps({"lrt": second}) if second else "{}" for second in cards.last_review.tolist()]
    numbers = (cards.due, cards.interval, cards.factor, cards.repetitions, cards.lapses)
    number_lists = (column.tolist() for column in numbers)
    columns = (cards.card_id.tolist(), cards.kind.tolist(), queue, *number_lists, data, created_ids)
    _write(
        col,
        "update cards set id = ?, type = ?, queue = ?, due = ?, ivl = ?, factor = ?, reps = ?, lapses = ?, data = ? "
        "where id = ?",
        list(zip(*columns, strict=True)),
    )


def _add_rows(col: Collection, simulation: Simulation) -> None:
    """Add the rows of the review log."""
    log = simulation.revlog
    columns = [column.tolist() for column in vars(log).values()]
    _write(
        col,
        "insert into revlog (id, cid, ease, ivl, lastIvl, factor, time, type, usn) values (?, ?, ?, ?, ?, ?, ?, ?, -1)",
        list(zip(*columns, strict=True)),
    )


def _write(col: Collection, sql: str, rows: list[tuple[int | str, ...]]) -> None:
    """Run the statement for each row in one transaction. A transaction per row would take a hundred times as long."""
    db = _db(col)
    db.transact(lambda: db.executemany(sql, rows))


def _db(col: Collection) -> DBProxy:
    if col.db is None:
        raise ValueError("The collection is closed.")
    return col.db
