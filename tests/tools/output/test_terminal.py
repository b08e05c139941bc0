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

#: A name that rich would read as markup.
MARKUP = "[bold]a[/] [/x] :smile: \\[b]"
TABLE = grid(("Algorithm", "Log loss", "Meaning"), [("FSRS-6 recency", "0.3123", "word " * 9 + "word")], {1})


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def set_width(monkeypatch):
    """Return a function that sets the width of the terminal."""
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return lambda columns: monkeypatch.setenv("COLUMNS", str(columns))


def unstyled(text: str) -> list[str]:
    return re.sub(r"\x1b\[\d*m", "", text).splitlines()


def test_file_gets_plain_text_whatever_the_terminal_width(set_width, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    parts = [heading("Head"), paragraph("word " * 40), TABLE]
    plain = format_columns(parts, io.StringIO())
    set_width(40)
    assert format_columns(parts, io.StringIO()) == format_columns(parts, None) == plain
    assert "\x1b" not in plain
    assert plain.splitlines()[:2] == ["Head", ("word " * 20).strip()]


@pytest.mark.parametrize("columns", [40, 60, 80, 120])
def test_output_fits_the_terminal_without_loss(columns, set_width):
    set_width(columns)
    lines = unstyled(format_columns([paragraph("word " * 40), TABLE], Terminal()))
    assert max(map(len, lines)) <= columns
    assert " ".join(lines).split().count("word") == 50
    for phrase in ("FSRS-6 recency", "Log loss", "0.3123", "Meaning"):
        assert any(phrase in line for line in lines), phrase


@pytest.mark.parametrize("columns", [30, 50, 80])
def test_intervals_and_names_are_broken_only_on_narrow_terminals(columns, set_width):
    set_width(columns)
    row = ("Japanese words", "5.8 (20.7 to 31.6)", "12.5 points too low (5.8 to 31.6)", "some words", "some words")
    lines = unstyled(format_columns([grid(("Deck", "Remembered", "b", "c", "d"), [row], {1, 2})], Terminal()))
    assert max(map(len, lines)) <= columns
    for phrase, width in (("(20.7 to 31.6)", 50), ("(5.8 to 31.6)", 50), ("Japanese words ", 80)):
        assert any(phrase in line for line in lines) == (columns >= width), phrase


def test_styles_are_only_for_terminals_that_allow_color(set_width, monkeypatch):
    set_width(80)
    assert format_columns([heading("Head")], Terminal()) == "\x1b[1mHead\x1b[0m\n"
    for name, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
        with monkeypatch.context() as changed:
            changed.setenv(name, value)
            parts = [heading("Head"), TABLE]
            assert format_columns(parts, Terminal()) == format_columns(parts, None)


def test_messages_and_the_help_are_broken_between_words(set_width):
    set_width(40)
    path = "/a/path/" + "that-is-longer-than-a-line/" * 3
    with contextlib.redirect_stderr(Terminal()) as result:
        say(f"There is no file at {path}. Check the path and try again.\n  to be copied " + "word " * 20 + "as it is")
    *sentence, copied = result.getvalue().splitlines()
    assert sentence == ["There is no file at", path + ".", "Check the path and try again."]
    assert copied == "  to be copied " + "word " * 20 + "as it is"
    set_width(50)
    lines = commands.usage(Terminal()).splitlines()
    assert max(map(len, lines)) <= 50
    assert " ".join(" ".join(lines).split()) == " ".join(commands.usage(io.StringIO()).split())


def test_progress_line_shows_share_words_and_time_left(set_width, monkeypatch):
    set_width(80)
    now = 100.0
    monkeypatch.setattr("tools.output.progress_line.time.monotonic", lambda: now)
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    line = ProgressLine()
    now += 50  # for a fifth, so 200 seconds are left
    line.show(0.2, "collections: 1 of 5")
    last = " ".join(unstyled(terminal.getvalue())[-1].replace("\N{NO-BREAK SPACE}", " ").split())
    assert last.endswith("20% collections: 1 of 5 about 3 min left")


@pytest.mark.parametrize("stream", [None, Terminal()])
def test_names_are_neither_markup_nor_terminal_commands(stream, set_width):
    set_width(80)
    parts = [heading(MARKUP), paragraph(MARKUP), grid((MARKUP, "b"), [(MARKUP, MARKUP)])]
    assert format_columns(parts, stream).count(MARKUP) == 5
    with contextlib.redirect_stderr(Terminal()) as terminal:
        ProgressLine().show(0.5, "\x1b[2J" + MARKUP)
    assert "\ufffd[2J" + MARKUP in terminal.getvalue()
    with contextlib.redirect_stderr(io.StringIO()) as result, contextlib.suppress(SystemExit):
        commands._report_error(OSError(2, "Not found", "\x1b[2J"))
        Parser(prog="p").parse_args(["\x1b[2J"])
    assert (result.getvalue() + listing([Path("\x1b[2J")])).count("\ufffd[2J") == 3


def test_line_does_not_end_at_a_no_break_space():
    assert format_columns([paragraph("x" * 98 + " 90% y")], None) == "x" * 98 + "\n90% y\n"
