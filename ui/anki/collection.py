"""Reader of open collections, which returns the snapshot for the evaluation.

``col`` is an ``anki.collection.Collection``. Only its ``db``, ``decks``, ``get_config``, ``find_cards`` and
``build_search_string`` are used. Every SQL statement begins with ``select``, because anything else would clear the
user's undo history.
"""

from __future__ import annotations

import re
import time
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Generator, Iterator, List, Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt

from ..science import (
    SILENT,
    WHOLE_COLLECTION,
    BadOption,
    BadSearch,
    CollectionClosed,
    Progress,
    ScopeChoice,
    SearchTooDeep,
    TooManyRows,
)
from .anki_versions import with_todays_buttons
from .presets import read_presets

if TYPE_CHECKING or __package__ == "ui.anki":
    from evaluator.data.revlog import DELETED_CARD, MAX_ROWS, SECONDS_PER_DAY, Cards, Clock, Deck, Revlog, Snapshot
    from evaluator.data.selection import select, with_parts
else:
    from ...evaluator.data.revlog import DELETED_CARD, MAX_ROWS, SECONDS_PER_DAY, Cards, Clock, Deck, Revlog, Snapshot
    from ...evaluator.data.selection import select, with_parts

Table = npt.NDArray[np.int64]  #: shape (columns, rows)

#: Number of rows that are read at once. This occupies the collection for about 15 ms, and Python's lock for a third of
#: that.
ROWS_PER_CHUNK = 20_000

#: Hour at which a day begins if the collection does not store it.
_DEFAULT_ROLLOVER_HOUR = 4

#: Maximum depth of nested brackets in a search. Anki's parser takes a kilobyte of the stack for each level. If a thread
#: has used up its stack, which may have only 512 kilobytes, the process ends.
MAX_DEPTH = 200
#: An escaped character or a quoted text in a search, whose brackets do not form groups.
_LITERAL = re.compile(r'\\.|"(?:\\.|[^"\\])*"', re.DOTALL)
#: Maximum creation date of a collection in seconds: the year 5138.
_MAX_CREATED = 100_000_000_000

_REVLOG_COLUMNS = ("id", "cid", "ease", "ivl", "lastIvl", "factor", "time", "type")
_CARD_COLUMNS = ("id", "case when odid then odid else did end", "queue")


def read(
    col: Any, scope: ScopeChoice = WHOLE_COLLECTION, progress: Progress = SILENT, parts: Sequence[str] = ()
) -> Snapshot:
    """Read the collection without interruption, with the arguments, result and errors of :func:`read_steps`."""
    steps = read_steps(col, scope, parts)
    while True:
        try:
            rows_read, total = next(steps)
        except StopIteration as end:
            snapshot: Snapshot = end.value
            return snapshot
        progress(rows_read / max(total, 1), "reading", done=rows_read, total=total)


def read_steps(col: Any, scope: ScopeChoice, parts: Sequence[str]) -> Generator[Tuple[int, int], None, Snapshot]:
    """Read the collection chunk by chunk.

    Between two chunks the collection is free, so the caller may show the progress or stop. Rows that are added
    meanwhile are left out.

    Args:
        col: an open collection.
        scope: the cards to select.
        parts: searches for cards that are evaluated apart from the remaining ones.

    Yields:
        The number of rows read so far, and the number of all rows.

    Returns:
        The snapshot.

    Raises:
        CollectionClosed: if the collection is closed, or was closed between two chunks.
        TooManyRows: if it has more reviews or cards than anyone can have made.
        BadOption: if its UTC offset or its creation is impossible.
        UnknownName: if it has no such deck or preset.
        BadSearch: if it does not understand a search.
        SearchTooDeep: if the brackets of a search are nested too deep.
        PartEmpty: if a part has no cards.
        PartsOverlap: if two parts share cards.
    """
    try:
        if col is None or col.db is None:
            raise CollectionClosed
        return (yield from _read_steps(col, scope, parts))
    except Exception as error:
        # Closing empties ``db`` a moment after the backend has let go of the file.
        if col is not None and (col.db is None or "CollectionNotOpen" in str(error)):
            raise CollectionClosed from None
        raise


def _read_steps(col: Any, scope: ScopeChoice, parts: Sequence[str]) -> Generator[Tuple[int, int], None, Snapshot]:
    """Read the collection as :func:`read_steps`, except that closing it meanwhile may raise any error."""
    deck = col.decks.by_name(scope.name.strip()) if scope.kind == "deck" else None
    if deck and deck["dyn"]:
        from anki.collection import SearchNode

        # A filtered deck is not the home of any card: search for its present cards.
        scope = ScopeChoice("search", col.build_search_string(SearchNode(deck=deck["name"])))
    # Search before reading, because a mistyped search should fail at once.
    selected = _find_cards(col, scope.name) if scope.kind == "search" else None
    in_parts = [(search, _find_cards(col, search)) for search in parts]
    newest, total = _last_row_and_count(col, "revlog")
    rows_read = 0
    yield rows_read, total
    chunks: List[Table] = []
    for chunk in _chunks(col, "revlog", _REVLOG_COLUMNS, newest):
        chunks.append(chunk)
        rows_read = min(rows_read + chunk.shape[1], total)
        yield rows_read, total
    revlog = Revlog(*_columns(chunks, len(_REVLOG_COLUMNS)))
    scheduler = _read_scheduler(col)
    revlog, renumbered = with_todays_buttons(revlog, first_scheduler=scheduler == 1)
    # Free these rows before the cards are read.
    del chunks
    card_chunks: List[Table] = []
    for chunk in _chunks(col, "cards", _CARD_COLUMNS, _last_row_and_count(col, "cards")[0]):
        card_chunks.append(chunk)
        yield rows_read, total
    cards = _cards(col, *_columns(card_chunks, len(_CARD_COLUMNS)))
    presets = read_presets(col)
    fsrs = _is_fsrs_on(col)
    yield rows_read, total
    snapshot = Snapshot(
        revlog,
        _read_clock(col),
        cards,
        presets,
        _read_decks(col),
        fsrs=fsrs,
        scheduler=scheduler,
        scripted=fsrs is None,
        renumbered_buttons=renumbered,
        # A collection that was never changed has 0.
        as_of_ms=col.db.scalar("select cast(mod as integer) from col") or time.time_ns() // 1_000_000,
        notes=(("preset_overlay", 1),) if col.get_config("fsrsPresetOverlay") else (),
    )
    return select(with_parts(snapshot, in_parts) if parts else snapshot, scope, selected)


def _last_row_and_count(col: Any, table: str) -> Tuple[int, int]:
    """Return the highest row number of a table, and its number of rows. Raises TooManyRows if these are too many."""
    # A single select of both values would read all rows.
    sql = f"select (select max(rowid) from {table}), (select count() from {table} not indexed)"  # noqa: S608 - our own names
    newest, n_rows = col.db.all(sql)[0]
    if n_rows > MAX_ROWS:
        raise TooManyRows(table=table, rows=n_rows, most=MAX_ROWS)
    return newest or 0, n_rows


def _chunks(col: Any, table: str, columns: Sequence[str], newest: int) -> Iterator[Table]:
    """Yield the rows up to the row number ``newest``, in order, in chunks of shape (columns, rows).

    In Anki's own tables SQLite's row number is the id. In a damaged table ids may be missing or duplicate, but row
    numbers may not.

    SQLite writes each chunk as one text of numbers, which NumPy parses. Rows of Python objects would take three times
    as long, most of it under Python's lock. ``%d`` converts any stored value to an integer, as ``cast`` does, and NULL
    to 0. Only the table is read, because its indices may be damaged.
    """
    row_format = " ".join(["%d"] * len(columns))
    row = f"printf('{row_format}', {', '.join(columns)})"
    sql = (
        "select max(number), group_concat(row, ' ') from ("  # noqa: S608 - our own names
        f"select rowid as number, {row} as row from {table} where rowid between ? and ? "
        f"order by rowid limit {ROWS_PER_CHUNK})"
    )
    first = int(np.iinfo(np.int64).min)
    while first <= newest:
        last, text = col.db.all(sql, first, newest)[0]
        # Rows may have been deleted meanwhile.
        if text is None:
            return
        yield np.fromstring(text, dtype=np.int64, sep=" ").reshape(-1, len(columns)).T.copy()
        first = int(last) + 1


def _columns(chunks: Sequence[Table], count: int) -> List[npt.NDArray[np.int64]]:
    """Join the chunks, and return their ``count`` columns."""
    no_rows = np.empty(0, dtype=np.int64)
    return [np.concatenate([no_rows, *(chunk[column] for chunk in chunks)]) for column in range(count)]


def _cards(
    col: Any, card_id: npt.NDArray[np.int64], deck_id: npt.NDArray[np.int64], queue: npt.NDArray[np.int64]
) -> Cards:
    """Return the cards with their presets. A card in a queue below 0 is suspended or buried."""
    decks, deck_index = np.unique(deck_id, return_inverse=True)
    preset_id = np.array([_preset_of(col, int(deck)) for deck in decks], dtype=np.int64)[deck_index]
    return Cards(card_id, np.where(preset_id == DELETED_CARD, DELETED_CARD, deck_id), preset_id, queue < 0)


def _preset_of(col: Any, deck_id: int) -> int:
    """Return the id of a deck's preset.

    For a missing or filtered deck, which is not the home of any card, it is DELETED_CARD.
    """
    deck = col.decks.get(deck_id, default=False)
    return DELETED_CARD if deck is None or deck["dyn"] else int(col.decks.config_dict_for_deck_id(deck_id)["id"])


def _read_decks(col: Any) -> Tuple[Deck, ...]:
    """Return all decks except filtered ones, each with its full name and its own desired retention, if it has one."""
    decks = []
    for deck in col.decks.all_names_and_ids(include_filtered=False):
        percent = col.decks.get(deck.id).get("desiredRetention")
        desired_retention = percent / 100 if isinstance(percent, (int, float)) and 0 < percent < 100 else None
        decks.append(Deck(deck.id, deck.name, desired_retention))
    return tuple(decks)


def _find_cards(col: Any, search: str) -> Sequence[int]:
    """Return the ids of the cards that Anki's browser would find.

    Raises:
        BadSearch: if Anki or its database refuses the search, with their words.
        SearchTooDeep: if its brackets are nested too deep.
    """
    brackets = _LITERAL.sub("", search)
    depth = max(accumulate((sign == "(") - (sign == ")") for sign in brackets), default=0)
    if depth > MAX_DEPTH:
        raise SearchTooDeep(search=search, depth=depth, most=MAX_DEPTH)
    # Anki refuses text that is not valid Unicode.
    text = search.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    try:
        card_ids: Sequence[int] = col.find_cards(text)
    except BaseException as error:
        kind = type(error).__name__
        if kind == "SearchError":
            raise BadSearch(search=search, detail=_search_error_text(str(error))) from None
        # A panic in Rust is not an Exception.
        if "CollectionNotOpen" in str(error) or not (isinstance(error, Exception) or kind == "PanicException"):
            raise
        # The search may be too long for the database, or contain an invalid number.
        raise BadSearch(search=search, detail=database_message(error) or str(error), understood=True) from None
    return card_ids


def database_message(error: BaseException) -> Optional[str]:
    """Return SQLite's message in an error of Anki's backend, or None if there is none."""
    message = re.search(r'(?:Some\(|msg: )\W*(.*?)\\*"', str(error))
    return message[1] if message else None


def _search_error_text(text: str) -> str:
    """Return Anki's text after "Invalid search:", in any language, without Markdown and invisible marks."""
    heading, mark, reason = text.partition("\u2068")
    sentence = reason if mark and heading.rstrip().endswith((":", "\uff1a")) else text
    return sentence.translate(dict.fromkeys((0x2068, 0x2069, ord("`"))))


def _read_clock(col: Any) -> Clock:
    """Return the collection's day boundary and UTC offset.

    Anki stores the user's UTC offset in the collection (``localOffset``, in minutes *west*) whenever it finds that the
    machine's offset has changed, except that an offset of 0 is not stored. Unlike the machine's clock, this is the same
    inside Anki and for a copy of the file. A collection that has ``creationOffset``, but no ``localOffset``, has the
    offset 0. A collection without either is older than these settings.
    """
    minutes_west = _integer_setting(col, "localOffset")
    has_offset = minutes_west is not None or col.get_config("creationOffset") is not None
    offset = -_plausible("localOffset", minutes_west or 0, 24 * 60)
    if _read_scheduler(col) == 1:
        # The first scheduler counts days from the collection's creation, whatever the local time.
        created = _plausible("crt", col.db.scalar("select cast(crt as integer) from col"), _MAX_CREATED)
        hour = (created + offset * 60) % SECONDS_PER_DAY // 3600
        return Clock(created, offset if has_offset else None, hour)
    hour = _rollover_hour(_integer_setting(col, "rollover"))
    return Clock(hour * 3600 - offset * 60, offset if has_offset else None, hour, assumed=not has_offset)


def _is_fsrs_on(col: Any) -> Optional[bool]:
    """Return whether Anki schedules with FSRS, or None if a script of the user may do so.

    Since 23.10, Anki stores this switch under ``fsrs`` once it was used. Before, FSRS was a script in the deck options,
    which is stored under ``cardStateCustomizer``.
    """
    if col.get_config("fsrs"):
        return True
    return None if str(col.get_config("cardStateCustomizer") or "").strip() else False


def _read_scheduler(col: Any) -> int:
    """Return the version of the collection's scheduler, from 1 to 3."""
    if (col.get_config("schedVer") or 1) < 2:
        return 1
    return 3 if col.get_config("sched2021") else 2


def _integer_setting(col: Any, key: str) -> Optional[int]:
    """Return a setting, or None if it is missing or no integer, which Anki treats as missing."""
    value = col.get_config(key)
    return value if type(value) is int else None


def _plausible(setting: str, value: int, most: int) -> int:
    """Return the value. Raises BadOption if its absolute value is above ``most``."""
    if abs(value) > most:
        raise BadOption(option=setting, value=value, allowed="clock")
    return value


def _rollover_hour(configured: Optional[int]) -> int:
    """Return the hour at which a day begins, from 0 to 23, as Anki reads it. Negative hours count before midnight."""
    if configured is None:
        return _DEFAULT_ROLLOVER_HOUR
    return min(configured, 23) if configured >= 0 else max(24 + configured, 0)
