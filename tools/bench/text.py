"""The results as text for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from rich.console import Group, RenderableType

from tools.bench.results import Duel, Evaluations, Growth, Results, Side
from tools.terminal import Grid, laid_out, paragraph, spaced, words

MEBIBYTE = 2**20
HEADER = ("log", "reviews", "side", "seconds", "from - to", "CPU s", "us/review", "log loss", "MiB")


def render(results: Results, stream: TextIO | None = None) -> str:
    """The whole text as it is printed to the stream, ending in a newline."""
    parts = [_machine(results)]
    if results.duels:
        parts += [_what(results.duels), _duels(results.duels), _ratios(results.duels)]
        parts += [*_growth(results.growth), *_differences(results.duels)]
    if results.evaluations:
        parts += [*_evaluations(results.evaluations), *_failures(results.evaluations)]
    return laid_out(spaced(parts), stream)


def _machine(results: Results) -> RenderableType:
    known = results.machine
    return paragraph(
        f"{known['software']}, Python {known['python']}, NumPy {known['numpy']}, "
        f"fsrs-rs-python {known['fsrs_rs_python']}, Anki {known['anki']}; {known['cpus']} x {known['cpu']}; "
        f"{known['date']}"
    )


def _what(duels: Sequence[Duel]) -> RenderableType:
    runs = len(duels[0].ours.runs)
    times = f"Medians of {runs} runs, in turn" if runs > 1 else "One run"
    return paragraph(
        "FSRS-6 with recency weights on the same reviews: five folds trained and scored, from the prepared table "
        f"(fsrs-rs: from its own objects) to the log loss. {times}. MiB: the most memory that "
        "a process of its own needs until all is read and prepared (fsrs-rs: until its objects are made), and in all."
    )


def _duels(duels: Sequence[Duel]) -> Grid:
    rows: list[Sequence[str]] = []
    for duel in duels:
        rows.append((duel.log, f"{duel.ours.ready.reviews:,}", *_side(duel.ours)))
        rows.append(("", "", *_side(duel.rival)))
    return table(HEADER, rows, left=(0, 2))


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


def _ratios(duels: Sequence[Duel]) -> Grid:
    rows = []
    for duel in duels:
        ours, rival = duel.ours, duel.rival
        longer = f"{ours.name} takes {duel.ratio:.2f} times as long as {rival.name}; "
        rows.append((duel.log, f"{longer}log loss {ours.score.log_loss - rival.score.log_loss:+.5f}"))
    return Grid((), rows)


def _growth(growth: Sequence[Growth]) -> list[RenderableType]:
    lines = [
        f"{g.side}: {g.reviews:.1f} times the reviews ({g.start} to {g.stop}) take {g.seconds:.1f} times as long: "
        f"exponent {g.exponent:.2f}"
        for g in growth
    ]
    return [Group(*map(words, lines))] if lines else []


def _differences(duels: Sequence[Duel]) -> tuple[RenderableType, Grid]:
    """Where the two sides do not compute the same, and how large that is."""
    said = paragraph(
        "Both score the same reviews. Into its training fsrs-rs takes fewer, as it applies its outlier filter to each "
        "training set again (counted here: the last one); within its time it also copies its input and computes RMSE "
        "(bins), for which ours would need the seconds named last."
    )
    rows = []
    for duel in duels:
        ours, theirs = duel.ours.facts, duel.rival.facts
        counts = (theirs["last_training_set"], theirs["left_out_of_last_training_set"])
        times = (theirs["copying_seconds"], ours["rmse_bins_seconds"])
        rows.append((duel.log, *(f"{count:,.0f}" for count in counts), *map(_seconds, times)))
    return said, table(("log", "training set", "left out", "copying", "RMSE of ours"), rows)


def _evaluations(made: Sequence[Evaluations]) -> tuple[RenderableType, Grid]:
    """A table with a column for each log; the slowest algorithm on the last log comes first."""
    steps = list(made[-1].seconds)
    rows = [(step, *(_seconds(one.seconds[step]) for one in made)) for step in steps]
    rows.append(("the whole", *(_seconds(one.whole) for one in made)))
    rows.append(("rows of the log", *(f"{one.rows:,}" for one in made)))
    rows.append(("peak MiB", *(_memory(one.peak_bytes) for one in made)))
    runs = len(made[-1].runs)
    title = f"Evaluation of {', '.join(made[-1].algorithms)}" + (f", medians of {runs} runs" if runs > 1 else "") + ":"
    return paragraph(title), table(("seconds", *(one.log for one in made)), rows)


def _failures(made: Sequence[Evaluations]) -> list[RenderableType]:
    failed = [(one.log, name, why) for one in made for name, why in one.failed.items()]
    sentences = [f"{log}: {name} could not be evaluated: {why}" for log, name, why in failed]
    return [Group(*map(paragraph, sentences))] if sentences else []


def table(header: Sequence[str], rows: Sequence[Sequence[str]], *, left: Sequence[int] = (0,)) -> Grid:
    """A table of numbers; the columns numbered ``left`` hold text."""
    return Grid(header, rows, [place for place in range(len(header)) if place not in left])


def _seconds(value: float) -> str:
    """Format seconds with three significant digits."""
    return f"{value:.3f}" if value < 10 else f"{value:.1f}"


def _memory(peak: int | None) -> str:
    return "-" if peak is None else f"{peak / MEBIBYTE:,.0f}"
