"""A small file must not take all memory or fill the disk. These are small versions of files that did."""

from __future__ import annotations

import gzip
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from evaluator.data.revlog import REVLOG_COLUMNS
from evaluator.errors import DamagedFile, TooManyRows, TooMuchMemory, UnreadableCsv
from tools import sources
from tools.arguments import BadResults, ResultSource
from tools.sources import limits, protobuf_export
from tools.summarize.reading import read
from ui.text.error_sentences import error_sentence

MB = 1 << 20
HEADER = ",".join(REVLOG_COLUMNS).encode() + b"\n"
ROW = b"1700000000000,11,3,-600,-60,2500,4000,0"

#: The first row of a protobuf message, which has only the id 1, and a further row without any field.
FIRST_ROW = b"\x0a\x02\x08\x01"
EMPTY_ROW = b"\x0a\0"


@contextmanager
def peak_memory() -> Iterator[list[int]]:
    """Append the peak memory of the block in bytes to the yielded list."""
    peaks = []
    tracemalloc.start()
    yield peaks
    peaks.append(tracemalloc.get_traced_memory()[1])
    tracemalloc.stop()


# The last character has the byte of a line feed twice, but is none.
@pytest.mark.parametrize("data", [b"1", b"\0", b",", b'"', "\u0a0a".encode("utf-16-le")])
def test_line_without_an_end_is_refused_before_it_is_read(data, tmp_path):
    start = HEADER if len(data) == 1 else HEADER.decode().encode("utf-16")
    path = tmp_path / "log.csv"
    path.write_bytes(gzip.compress(start + data * 50 * MB, 1))
    with peak_memory() as peaks, pytest.raises(UnreadableCsv) as caught:
        sources.read(path)
    assert caught.value.facts["detail"] == "line 2 has more than 4,000,000 bytes"
    assert peaks[0] < 50 * MB


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_as_many_rows_as_allowed_are_read_and_no_more(end, encoding, tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "MAX_ROWS", 30)
    monkeypatch.setattr(limits, "_CHUNK", 10)  # so that chunks also end between a carriage return and its line feed
    path = tmp_path / "log.csv"
    lines = [HEADER.decode().strip(), *[ROW.decode()] * 30, ""]
    path.write_text(end.join(lines), encoding=encoding, newline="")
    assert len(sources.read(path).revlog) == 30
    for further_line in (ROW.decode(), ""):
        path.write_text(end.join([*lines[:-1], further_line, ""]), encoding=encoding, newline="")
        with pytest.raises(UnreadableCsv, match="more than 30 rows"):
            sources.read(path)


def test_unpacked_size_is_limited(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "MAX_UNPACKED", MB)
    path = tmp_path / "log.csv.gz"
    path.write_bytes(gzip.compress(HEADER + (ROW + b" " * 1000 + b"\n") * 1100))
    with pytest.raises(UnreadableCsv, match="more than 1,048,576 bytes"):
        sources.read(path)


def test_line_of_results_without_an_end_is_refused(tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_bytes(b'{"collection": "a", "error": "' + b"x" * 5 * MB)
    with pytest.raises(BadResults, match="line 1 has more than 4,000,000 bytes"):
        next(read([ResultSource(path)]))


def test_message_is_limited_in_rows_and_fields(tmp_path, monkeypatch):
    path = tmp_path / "1.revlog"
    path.write_bytes(FIRST_ROW + EMPTY_ROW * 30)
    with pytest.raises(DamagedFile, match="next_day_at"):
        sources.read(path)
    monkeypatch.setattr(limits, "MAX_ROWS", 30)
    with pytest.raises(TooManyRows) as caught:
        sources.read(path)
    assert caught.value.facts == {"table": "1.revlog", "rows": 31, "most": 30}
    monkeypatch.undo()
    path.write_bytes(FIRST_ROW + b"\x7a\x80\x80\x80\x03" + bytes(6 * MB))  # a field of 6 MB
    with pytest.raises(DamagedFile, match="no message of Anki's"):
        sources.read(path)


def test_large_message_is_refused_before_it_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "MAX_ROWS", 100)
    path = tmp_path / "1.revlog"
    path.write_bytes(FIRST_ROW + bytes(101 * protobuf_export.MAX_ROW_SIZE))
    with pytest.raises(TooManyRows) as caught:
        sources.read(path)
    assert caught.value.facts["rows"] == 101


@pytest.mark.parametrize("cells", ["x" * 100_000, "x"])
@pytest.mark.parametrize("columns", [HEADER, b"card_id,review_time,review_rating\n"])
def test_row_without_an_end_is_refused_before_it_is_read(columns, cells, tmp_path):
    path = tmp_path / "log.csv.gz"
    path.write_bytes(gzip.compress(columns + f'"{cells}\n",'.encode() * (50 * MB // (len(cells) + 4)), 1))
    with peak_memory() as peaks, pytest.raises(UnreadableCsv) as caught:
        sources.read(path)
    assert caught.value.facts["detail"] == "the row that begins on line 2 has more than 4,000,000 characters"
    assert peaks[0] < 50 * MB


#: Templates of a row, by the header.
FORMS = {
    "id,cid,ease,ivl,lastIvl,factor,time,type": "{instant},{card},3,{last},9,2500,{row},1",
    "ID,cid,ease,ivl,lastIvl,factor,time,type": "{instant}.0,{card},3,{last},9,2500,{row},1",
    "card_id,review_time,review_rating": "card{card},{instant},3",
    "card_id,review_th,rating,elapsed_days": "{card},{row},3,{last}",
    "ElNo=": "ElNo={card} Rep={rep} Laps=0 Date=17.03.20{last:02d} Hour=9.5 Grade=4 expFI=10",
    "Date,Element No,Used interval,Grade,Success,R (SM16),R (SM17)": "05/17/2020,{card},{last},4,1,0.9,0.8",
}


def row_of(form: str, row: int) -> str:
    """Return a row of one of 500 cards, which are answered in turn."""
    last = row // 500
    facts = {"instant": 1_600_000_000_000 + row * 9_000_000, "card": row % 500 + 10**12, "last": last}
    return FORMS[form].format(**facts, row=row, rep=last + 1)


@pytest.mark.parametrize("form", FORMS)
def test_memory_for_a_row_is_limited(form, tmp_path):
    peaks = []
    for rows in (10, 10_000, 20_000):  # the first loads modules
        path = tmp_path / "log.csv"
        path.write_text("\n".join([form, *(row_of(form, row) for row in range(rows))]))
        with peak_memory() as peak:
            sources.read(path)
        peaks += peak
    assert peaks[2] - peaks[1] < 150 * 10_000, "more than 150 bytes for each of 10,000 rows"


@pytest.mark.parametrize("form", [*FORMS, "message"])
def test_rows_of_a_small_file_that_need_too_much_memory_are_refused(form, tmp_path, monkeypatch):
    path = tmp_path / "log.gz"
    lines = [form, *(row_of(form, row) for row in range(1, 100))] if form in FORMS else []
    message = FIRST_ROW + EMPTY_ROW * 98 + b"\x10\x80\xa3\x05"  # ends with the start of a day in field 2
    path.write_bytes("\n".join([*lines, ""]).encode() if lines else message)
    n_rows = len(sources.read(path).revlog)
    monkeypatch.setattr(limits, "MAX_MEMORY", 98 * limits.BYTES_PER_ROW)
    monkeypatch.setattr(limits, "_CHUNK", 10)
    with pytest.raises(TooMuchMemory) as caught:
        sources.read(path)
    assert caught.value.facts == {"path": str(path), "rows": 99, "gigabytes": 99 * limits.BYTES_PER_ROW / 1e9}
    monkeypatch.setattr(limits, "SMALL_FILE", path.stat().st_size)
    assert len(sources.read(path).revlog) == n_rows


def test_refusal_states_rows_and_memory(tmp_path):
    path = tmp_path / "log.csv.gz"
    path.write_bytes(gzip.compress(HEADER + b"1,1\n" * 3_000_000))
    with peak_memory() as peaks, pytest.raises(TooMuchMemory) as caught:
        sources.read(path)
    assert error_sentence(caught.value) == (
        f"{path} has 3,000,000 rows, which need 1.2 GB of memory, but a file below 50 MB may take at most 1 GB. Export "
        "it again, or unpack it first if it is compressed."
    )
    assert peaks[0] < 100 * MB
