from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

from tools import commands
from tools.arguments import Parser
from tools.output.output_files import listing
from tools.output.progress_line import ProgressLine
from tools.output.streams import say
from tools.output.terminal import format_columns, grid, heading, paragraph

EVIL = "[bold]a[/] [/x] :smile: \\[b]"
HEADER, ROWS = ("Algorithm", "Log loss", "Meaning"), [("FSRS-6 recency", "0.3123", "word " * 9 + "word")]
TABLE = grid(HEADER, ROWS, {1})


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def wide(monkeypatch):
    """Return a function that sets the width of the terminal."""
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return lambda columns: monkeypatch.setenv("COLUMNS", str(columns))


def unstyled(text: str) -> list[str]:
    return re.sub(r"\x1b\[\d*m", "", text).splitlines()


def test_file_gets_plain_text_whatever_the_terminal_width(wide, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    parts = [heading("Head"), paragraph("word " * 40), TABLE]
    plain = format_columns(parts, io.StringIO())
    wide(40)
    assert format_columns(parts, io.StringIO()) == format_columns(parts, None) == plain
    assert "\x1b" not in plain
    assert plain.splitlines()[:2] == ["Head", ("word " * 20).strip()]


@pytest.mark.parametrize("columns", [40, 60, 80, 120])
def test_output_fits_the_terminal_without_loss(columns, wide):
    wide(columns)
    lines = unstyled(format_columns([paragraph("word " * 40), TABLE], Terminal()))
    assert max(map(len, lines)) <= columns
    assert " ".join(lines).split().count("word") == 50
    for phrase in ("FSRS-6 recency", "Log loss", "0.3123", "Meaning"):
        assert any(phrase in line for line in lines), phrase


@pytest.mark.parametrize("columns", [30, 50, 80])
def test_intervals_are_never_broken_and_names_only_at_last(columns, wide):
    wide(columns)
    row = ("Japanese words", "5.8 (20.7 to 31.6)", "12.5 points too low (5.8 to 31.6)", "some words", "some words")
    lines = unstyled(format_columns([grid(("Deck", "Remembered", "b", "c", "d"), [row], {1, 2})], Terminal()))
    assert max(map(len, lines)) <= columns
    for phrase in ("(20.7 to 31.6)", "(5.8 to 31.6)") + (("Japanese words ",) if columns > 50 else ()):
        assert (any(phrase in line for line in lines)) == (columns > 30), phrase


def test_styles_are_only_for_terminals_that_allow_color(wide, monkeypatch):
    wide(80)
    assert format_columns([heading("Head")], Terminal()) == "\x1b[1mHead\x1b[0m\n"
    for name, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
        with monkeypatch.context() as changed:
            changed.setenv(name, value)
            assert format_columns([heading("Head"), TABLE], Terminal()) == format_columns(
                [heading("Head"), TABLE], None
            )


def test_sentences_and_the_help_are_broken_between_words(wide):
    wide(40)
    path = "/a/path/" + "that-is-longer-than-a-line/" * 3
    with contextlib.redirect_stderr(Terminal()) as result:
        say(f"There is no file at {path}. Check the path and try again.\n  to be copied " + "word " * 20 + "as it is")
    *sentence, copied = result.getvalue().splitlines()
    assert sentence == ["There is no file at", path + ".", "Check the path and try again."]
    assert copied == "  to be copied " + "word " * 20 + "as it is"
    wide(50)
    lines = commands.usage(Terminal()).splitlines()
    assert max(map(len, lines)) <= 50
    assert " ".join(" ".join(lines).split()) == " ".join(commands.usage(io.StringIO()).split())


def test_progress_line_shows_share_words_and_time_left(wide, monkeypatch):
    wide(80)
    now = [100.0]
    monkeypatch.setattr("tools.output.progress_line.time.monotonic", lambda: now[0])
    line = ProgressLine(shown := Terminal())
    now[0] += 50
    line.show(0.2, "collections: 1 of 5")
    last = " ".join(unstyled(shown.getvalue())[-1].replace("\N{NO-BREAK SPACE}", " ").split())
    assert last.endswith("20% collections: 1 of 5 about 3 min left")


@pytest.mark.parametrize("stream", [None, Terminal()])
def test_names_are_not_markup(stream, wide):
    wide(80)
    parts = [heading(EVIL), paragraph(EVIL), grid((EVIL, "b"), [(EVIL, EVIL)])]
    assert format_columns(parts, stream).count(EVIL) == 5
    ProgressLine(line := Terminal()).show(0.5, "\x1b[2J" + EVIL)
    assert "\ufffd[2J" + EVIL in line.getvalue()
    with contextlib.redirect_stderr(io.StringIO()) as result, contextlib.suppress(SystemExit):
        commands._report_error(OSError(2, "Not found", "\x1b[2J"))
        Parser(prog="p").parse_args(["\x1b[2J"])
    assert (result.getvalue() + listing([Path("\x1b[2J")])).count("\ufffd[2J") == 3


def test_line_does_not_end_at_a_no_break_space():
    assert format_columns([paragraph("x" * 98 + " 90% y")], None) == "x" * 98 + "\n90% y\n"
