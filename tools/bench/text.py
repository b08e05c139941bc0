"""The results as text for the terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from tools.bench.results import Duel, Evaluations, Growth, Results, Side

WIDTH = 100
MEBIBYTE = 2**20
HEADER = ("log", "reviews", "side", "seconds", "from - to", "CPU s", "us/review", "log loss", "MiB")


def render(results: Results) -> str:
    """The whole text, ending in a newline."""
    parts = [_machine(results)]
    if results.duels:
        parts += [_what(results.duels), _duels(results.duels), _ratios(results.duels), _growth(results.growth)]
        parts.append(_differences(results.duels))
    if results.evaluations:
        parts += [_evaluations(results.evaluations), _failures(results.evaluations)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _machine(results: Results) -> str:
    known = results.machine
    return wrapped(
        f"{known['software']}, Python {known['python']}, NumPy {known['numpy']}, "
        f"fsrs-rs-python {known['fsrs_rs_python']}, Anki {known['anki']}; {known['cpus']} x {known['cpu']}; "
        f"{known['date']}"
    )


def _what(duels: Sequence[Duel]) -> str:
    runs = len(duels[0].ours.runs)
    times = f"Medians of {runs} runs, in turn" if runs > 1 else "One run"
    return wrapped(
        "FSRS-6 with recency weights on the same reviews: five folds trained and scored, from the prepared table "
        f"(fsrs-rs: from its own objects) to the log loss. {times}. MiB: the most memory that "
        "a process of its own needs until all is read and prepared (fsrs-rs: until its objects are made), and in all."
    )


def _duels(duels: Sequence[Duel]) -> str:
    rows: list[Sequence[str]] = [HEADER]
    for duel in duels:
        rows.append((duel.log, f"{duel.ours.ready.reviews:,}", *_side(duel.ours)))
        rows.append(("", "", *_side(duel.rival)))
    return table(rows, left=(0, 2))


def _side(side: Side) -> tuple[str, ...]:
    times = [run.seconds for run in side.runs]
    return (
        side.name,
        _seconds(side.seconds),
        f"{_seconds(min(times))} - {_seconds(max(times))}",
        _seconds(side.cpu_seconds),
        f"{1e6 * side.seconds_per_review:.2f}",
        f"{side.score.log_loss:.5f}",
        f"{_memory(side.ready.peak_bytes)}-{_memory(side.peak_bytes)}",
    )


def _ratios(duels: Sequence[Duel]) -> str:
    width = max(len(duel.log) for duel in duels)
    return "\n".join(f"{duel.log:{width}}  {_ratio(duel)}" for duel in duels)


def _ratio(duel: Duel) -> str:
    return (
        f"{duel.ours.name} takes {duel.ratio:.2f} times as long as {duel.rival.name}; "
        f"log loss {duel.ours.score.log_loss - duel.rival.score.log_loss:+.5f}"
    )


def _growth(growth: Sequence[Growth]) -> str:
    return "\n".join(
        f"{g.side}: {g.reviews:.1f} times the reviews ({g.start} to {g.stop}) take {g.seconds:.1f} times as long: "
        f"exponent {g.exponent:.2f}"
        for g in growth
    )


def _differences(duels: Sequence[Duel]) -> str:
    """Where the two sides do not compute the same, and how large that is."""
    said = wrapped(
        "Both score the same reviews. Into its training fsrs-rs takes fewer, as it applies its outlier filter to each "
        "training set again (counted here: the last one); within its time it also copies its input and computes RMSE "
        "(bins), for which ours would need the seconds named last."
    )
    rows: list[Sequence[str]] = [("log", "training set", "left out", "copying", "RMSE of ours")]
    for duel in duels:
        ours, theirs = duel.ours.facts, duel.rival.facts
        counts = (theirs["last_training_set"], theirs["left_out_of_last_training_set"])
        times = (theirs["copying_seconds"], ours["rmse_bins_seconds"])
        rows.append((duel.log, *(f"{count:,.0f}" for count in counts), *map(_seconds, times)))
    return said + "\n\n" + table(rows, left=(0,))


def _evaluations(made: Sequence[Evaluations]) -> str:
    """A table with a column for each log; the slowest algorithm on the last log comes first."""
    steps = list(made[-1].seconds)
    rows: list[Sequence[str]] = [("seconds", *(one.log for one in made))]
    rows += [(step, *(_seconds(one.seconds[step]) for one in made)) for step in steps]
    rows.append(("the whole", *(_seconds(one.whole) for one in made)))
    rows.append(("rows of the log", *(f"{one.rows:,}" for one in made)))
    rows.append(("peak MiB", *(_memory(one.peak_bytes) for one in made)))
    runs = len(made[-1].runs)
    title = f"Evaluation of {', '.join(made[-1].algorithms)}" + (f", medians of {runs} runs" if runs > 1 else "") + ":"
    return wrapped(title) + "\n\n" + table(rows, left=(0,))


def _failures(made: Sequence[Evaluations]) -> str:
    return "\n".join(
        wrapped(f"{one.log}: {name} could not be evaluated: {why}") for one in made for name, why in one.failed.items()
    )


def table(rows: Sequence[Sequence[str]], *, left: Sequence[int]) -> str:
    """Align columns under the first row; the columns numbered ``left`` are aligned to the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            f"{cell:{'<' if place in left else '>'}{width}}"
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return "\n".join([lines[0], "-" * (sum(widths) + 2 * (len(widths) - 1)), *lines[1:]])


def _seconds(value: float) -> str:
    """Format seconds with three significant digits."""
    return f"{value:.3f}" if value < 10 else f"{value:.1f}"


def _memory(peak: int | None) -> str:
    return "-" if peak is None else f"{peak / MEBIBYTE:,.0f}"


def wrapped(text: str) -> str:
    """Break text into lines of limited length."""
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)
