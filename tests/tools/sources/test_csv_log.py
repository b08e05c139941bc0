from __future__ import annotations

import gzip
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.data.revlog import REVLOG_COLUMNS
from evaluator.errors import BadCell, BadColumn, MissingColumns, UnreadableCsv
from tools.sources.csv_log import read_columns

HEADER = ",".join(REVLOG_COLUMNS)
ROW = "1700000000000,11,3,-600,-60,2500,4000,0"


def read(tmp_path, text: str | bytes, columns=REVLOG_COLUMNS):
    """Return the columns of this file as lists."""
    path = tmp_path / "log.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return [column.tolist() for column in read_columns(path, columns)]


def test_columns_have_the_requested_order_and_others_are_ignored(tmp_path):
    text = "note,did,id\nanything; at all,2,1\n,4,3\n"
    assert read(tmp_path, text, ("id", "did")) == [[1, 3], [2, 4]]


@pytest.mark.parametrize(
    "text",
    [
        f"{HEADER}\n{ROW}\n",
        f"{HEADER}\n{ROW}",
        f"\ufeff{HEADER}\n{ROW}\n",
        f"{HEADER}\r\n{ROW}\r\n",
        f"{HEADER}\n\n{ROW}\n\n  \n",
        f"{HEADER}\n{ROW}\n".replace(",", ";"),
        f"{HEADER}\n{ROW}\n".replace(",", "\t"),
        f"{HEADER}\n{ROW}\n".replace(",", " , "),
        f"{HEADER.upper()}\n{ROW}\n",
        f"{HEADER}\n{ROW}.0\n".replace(",", " , "),
        '"' + HEADER.replace(",", '","') + '"\n"' + ROW.replace(",", '","') + '"\n',
        f"{HEADER},comment\n{ROW},\"two\nlines\"\n",
        f"comment,{HEADER}\n\"So, 1, 2, 3, 4, 5, 6, 7, 8\n9 at last\",{ROW}\n",
    ],
)  # fmt: skip
def test_equivalent_forms_of_a_row_read_the_same(text, tmp_path):
    assert read(tmp_path, text) == [[int(cell)] for cell in ROW.split(",")]


@pytest.mark.parametrize("text", [HEADER, f"{HEADER}\n", f"{HEADER}\n\n"])
def test_header_alone_is_an_empty_log(text, tmp_path):
    assert read(tmp_path, text) == [[]] * 8


@pytest.mark.parametrize("value", ["", "x", "1.5", "1e3", "nan", "99999999999999999999", "-", "\N{OPEN BOOK}"])
@pytest.mark.parametrize("line", [2, 4])
def test_bad_cell_is_named_with_its_line_and_column(value, line, tmp_path):
    rows = [ROW] * 4
    cells = ROW.split(",")
    cells[5] = value
    rows[line - 2] = ",".join(cells)
    with pytest.raises(BadCell) as caught:
        read(tmp_path, "\n".join([HEADER, *rows]))
    facts = caught.value.facts
    assert (facts["line"], facts["column"], facts["value"]) == (line, "factor", value)


@pytest.mark.parametrize("value", ["1,73616E+12", "yesterday", "2024-05-01", "2024-05-01 10:00"])
def test_fault_on_every_line_is_blamed_on_the_column(value, tmp_path):
    with pytest.raises(BadColumn) as caught:
        read(tmp_path, f"{HEADER}\n{ROW}\n{ROW}\n".replace(",", ";").replace("1700000000000", value))
    facts = caught.value.facts
    assert (facts["column"], facts["rows"], facts["value"]) == ("id", 2, value)
    with pytest.raises(BadCell) as caught:
        read(tmp_path, f"{HEADER}\n{ROW}\n{ROW}\n".replace(",", ";").replace("1700000000000", value, 1))
    assert caught.value.facts["line"] == 2


@pytest.mark.parametrize("value", ["2023-11-14 22:13:20.000", "2023-11-14T22:13:20Z", "1700000000000.0"])
def test_id_may_be_a_date_with_a_time_or_end_in_0(value, tmp_path):
    assert read(tmp_path, f"{HEADER}\n{ROW}\n".replace("1700000000000", value))[0] == [1_700_000_000_000]


def test_short_row_is_a_bad_cell(tmp_path):
    with pytest.raises(BadCell) as caught:
        read(tmp_path, f"{HEADER}\n{ROW}\n1,2,3\n")
    assert (caught.value.facts["line"], caught.value.facts["column"]) == (3, "ivl")


@pytest.mark.parametrize(
    ("text", "line", "detail"),
    [
        (f'{HEADER},note\n{ROW},x\n\n{ROW},"oops\n{ROW},x\n', 4, "unexpected end"),
        (f'{HEADER},note\n{ROW},"two\nlines"\n{ROW},"oops\n{ROW},x\n{ROW},"oops\n', 4, "expected after"),
        (f'{HEADER},note\n{ROW},"oops\n{ROW},x"\n{ROW},x\n', 2, "contains the lines after it"),
        # Both quotes are in a column that is not read.
        (
            "\n".join(text.replace(",", f",{note},", 1) for text, note in ((HEADER, "note"), (ROW, '"x'), (ROW, 'x"'))),
            2,
            "contains the lines after it",
        ),
        (f"{HEADER}\n{ROW}\n{ROW.replace('4000', '4,5')}\n", 3, "the header has 8 cells, but line 3 has 9"),
        (f"{HEADER}\n{ROW},\n", 2, "the header has 8 cells, but line 2 has 9"),
    ],
)
def test_swallowed_lines_and_surplus_cells_are_refused_with_their_line(text, line, detail, tmp_path):
    with pytest.raises(UnreadableCsv, match=detail) as caught:
        read(tmp_path, text)
    assert f"line {line}" in caught.value.facts["detail"]


def test_missing_columns_are_named_with_existing_ones(tmp_path):
    with pytest.raises(MissingColumns) as caught:
        read(tmp_path, "id,cid,ease,Ivl,time\n1,2,3,4,5\n")
    assert caught.value.facts["missing"] == ["lastIvl", "factor", "type"]
    assert caught.value.facts["found"] == ["id", "cid", "ease", "Ivl", "time"]


# Without a time, because all processes of pytest-xdist must collect the same parameters.
PACKED = gzip.compress(f"{HEADER}\n{ROW}\n".encode(), mtime=0)


@pytest.mark.parametrize(
    ("content", "detail"),
    [
        (PACKED[:-12], "the compressed file ends too early"),
        (PACKED[:-6] + bytes([PACKED[-6] ^ 1]) + PACKED[-5:], "its compressed data is broken"),  # the checksum
        (f"{HEADER}\n".encode() + b"\xff\xfe\x00\x80", "it is not UTF-8 text"),
        (f'"{"x" * 200_000}",id\n1,2\n', "limit"),
        (f'{HEADER}\n{ROW},"{"x" * 200_000}"\nx{ROW}\n', "limit"),
    ],
)
def test_damage_of_a_whole_file_is_named(content, detail, tmp_path):
    with pytest.raises(UnreadableCsv, match=detail):
        read(tmp_path, content)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_read(encoding, tmp_path):
    mark = "" if encoding == "utf-16" else "\ufeff"
    assert read(tmp_path, f"{mark}{HEADER}\r\n{ROW}\r\n".encode(encoding)) == [[int(cell)] for cell in ROW.split(",")]


@pytest.mark.parametrize(
    ("before", "line"),
    [(f"{ROW}\n\n\n\n{ROW}\n\n", 8), (f'\n{ROW},"two\nlines"\n{ROW}\n', 6), (f'{ROW},"a ""quoted""\n\nword"\n\n', 6)],
)
def test_lines_are_counted_as_an_editor_does(before, line, tmp_path):
    with pytest.raises(BadCell) as caught:
        read(tmp_path, f"{HEADER},note\n{before}{ROW.replace('4000', 'x')}\n")
    assert caught.value.facts["line"] == line


@given(st.lists(st.tuples(*[st.integers(-(2**63), 2**63 - 1)] * 2)))
def test_every_integer_round_trips(tmp_path_factory, rows):
    text = "\n".join(["id,did", *(f"{a},{b}" for a, b in rows)])
    columns = read(tmp_path_factory.mktemp("csv"), text, ("id", "did"))
    assert list(zip(*columns, strict=True)) == rows


def test_reading_makes_no_python_call_per_row(tmp_path):
    ids = np.arange(20_000) + 1_600_000_000_000
    path = tmp_path / "log.csv"
    path.write_text("\n".join([HEADER, *(f"{id_},{id_ % 5000},3,10,5,2500,6000,1" for id_ in ids.tolist())]))
    calls = 0

    def count(*_):
        nonlocal calls
        calls += 1

    sys.setprofile(count)
    columns = read_columns(path, REVLOG_COLUMNS)
    sys.setprofile(None)
    assert calls < len(ids) / 10
    np.testing.assert_array_equal(columns[0], ids)
