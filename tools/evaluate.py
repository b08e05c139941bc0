"""``python3 tools evaluate PATH``: how well each algorithm would have predicted these reviews."""

from __future__ import annotations

import argparse
import logging
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from evaluator.algorithms.external import ExternalPredictions
from evaluator.errors import BadOption, EvaluatorError
from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.progress import Progress
from evaluator.report import Report, with_advice
from evaluator.scope import WHOLE_COLLECTION, ScopeChoice
from evaluator.scoring.report_builder import Evaluation
from evaluator.sections import SECTIONS, add_sections, sections_named
from tools import parsers, sources
from tools.arguments import FAILED, chosen_options, chosen_scope, chosen_tables
from tools.output.files import listing
from tools.output.outputs import STDOUT, Outputs
from tools.output.progress import ProgressLine
from tools.output.streams import say, show
from tools.output.table import render, render_sections
from tools.sources.predictions import PredictionsFile
from ui.anki.optimizer import anki_optimize, anki_optimizer
from ui.files import check_targets
from ui.text.errors import error_sentence
from ui.text.phrases import paragraph
from ui.views import NAMES, load
from ui.views.advice import advice_line
from ui.views.labels import row_label
from ui.views.scope import TABLES

#: The choice of graphs that includes more than the main ones.
ALL_GRAPHS = "all"
#: Shares of reading, and of the requested sections, in the whole work, for the progress line.
READING, LOOKING_CLOSER = 0.1, 0.3


def main(arguments: list[str]) -> int:
    """Evaluate, print and write. Return 2 if a table cannot be made."""
    options = parsers.evaluate().parse_args(arguments)
    if options.traceback:
        logging.basicConfig()
        logging.getLogger("evaluator").setLevel(logging.DEBUG)
    outputs = Outputs(
        json=options.json,
        predictions=options.predictions,
        charts=options.charts,
        html=options.html,
        graphs_of_each=options.graphs == ALL_GRAPHS,
    )
    tables = chosen_tables(options)
    positions = [outputs] if len(tables) == 1 else [outputs, outputs.of_second_table()]
    _check(options, tables, positions)
    code = 0
    for table, position in zip(tables, positions, strict=True):
        if len(tables) > 1:
            say(f"{TABLES[table]}\n", sys.stdout)
        try:
            _evaluate_table(options, table, position)
        except EvaluatorError as error:  # which may be of this table only
            other = "To predict those on the same day, give --table same-day." if error.facts.get("same_day") else ""
            if error.facts.get("excerpt"):
                other = "If the deck has been reviewed, export it again, with its scheduling information."
            say(paragraph(error_sentence(error), other if len(tables) == 1 else ""))
            code = FAILED
        if table != tables[-1]:
            show("\n")
    return code


def _check(requested: argparse.Namespace, tables: Sequence[str], positions: Sequence[Outputs]) -> None:
    """Refuse conflicting options, of one table or of both, before the long work. Raises BadOption."""
    outputs = positions[0]
    if outputs.graphs_of_each and outputs.html is None and outputs.charts is None:
        raise BadOption(option="--graphs", value=ALL_GRAPHS, allowed="only together with --html or --charts")
    if len(tables) > 1:
        for table in tables:
            _options(requested, table).algorithms_to_run()
        sources = [
            requested.path,
            *([requested.cards] if requested.cards else []),
            *(file.path for file in requested.external),
        ]
        check_targets([target for index in positions for target in index.targets()], sources)


def _options(requested: argparse.Namespace, table: str) -> Options:
    """Return the options of one table, with external predictions not read yet."""
    external = tuple(ExternalPredictions(file.name) for file in requested.external)
    return replace(chosen_options(requested), baseline=requested.baseline, table=table, external=external)


def _evaluate_table(requested: argparse.Namespace, table: str, outputs: Outputs) -> None:
    stream = sys.stderr if outputs.json == STDOUT else sys.stdout
    shown = sections_named([*(requested.sections or []), *(["splitting"] if requested.split_by else [])])
    unasked = ["quick"] if requested.sections is None and outputs.json is not None else []
    evaluation = evaluate_file(
        requested.path,
        _options(requested, table),
        outputs,
        scope=chosen_scope(requested),
        cards=requested.cards,
        next_day_at=requested.next_day_at,
        parts=requested.split_by,
        external=requested.external,
        sections=[*shown, *unasked],
        evaluated=lambda report: show(render(report, stream, sections=shown), stream),
    )
    before = replace(evaluation.report, sections={})
    report, result = evaluation.report, evaluation.report.section("splitting")
    if requested.split_by and isinstance(result, tuple):  # parts named by searches come first
        report = report.with_section("splitting", sorted(result, key=lambda item: item.by != "part"))
    show(render_sections(report, shown, stream, page=outputs.html is not None), stream)
    if with_advice(before).advice != report.advice:  # a section has changed it
        show(f"\n{advice_line(report)}\n", stream)
    written = outputs.write(evaluation)
    if written:
        show(f"\n{listing(written)}\n", stream)


def evaluate_file(
    path: Path,
    options: Options,
    outputs: Outputs,
    *,
    scope: ScopeChoice = WHOLE_COLLECTION,
    cards: Path | None = None,
    next_day_at: int | None = None,
    parts: Sequence[str] = (),
    external: Sequence[PredictionsFile] = (),
    sections: Sequence[str] = (),
    evaluated: Callable[[Report], object] = lambda _: None,
) -> Evaluation:
    """Read and evaluate a file, with a progress line. Bad options are refused before the long work.

    The report gets these ``sections`` (names or groups) and those that the outputs show; ``evaluated`` is given it
    before that, as soon as all algorithms have been compared.

    Raises:
        EvaluatorError: the input or an option is at fault.
    """
    names = (*sources.algorithms_in(path), *(file.name for file in external))
    replace(options, external=tuple(map(ExternalPredictions, names))).algorithms_to_run()
    for file in external:
        file.check()
    sections = sections_named([*sections, *outputs.sections()])
    outputs.check(path, *([cards] if cards else []), *(file.path for file in external))
    with ProgressLine() as line:
        line.show(0.0, "Reading")
        progress = Progress(lambda fraction, *text: line.show(fraction, _words(*text)))
        started = time.perf_counter()
        snapshot = sources.read(
            path, scope=scope, cards=cards, next_day_at=next_day_at, parts=parts, progress=progress.part(0.0, READING)
        )
        options = replace(options, external=tuple(file.read(snapshot.revlog) for file in external))
        reading = time.perf_counter() - started
        kept = snapshot if parts or any(SECTIONS[name].needs_snapshot for name in sections) else None
        handed_over = [snapshot]
        del snapshot  # the review log is mostly needed no longer than for preparing
        end = 1 - LOOKING_CLOSER if sections else 1.0
        evaluating = progress.part(READING, end)
        evaluation = evaluate(
            handed_over.pop(), options, optimizer=anki_optimizer(), optimize=anki_optimize(), progress=evaluating
        )
        line.clear()
        evaluated(evaluation.report)
        started = time.perf_counter()
        evaluation = add_sections(evaluation, sections, kept, progress=progress.part(end, 1.0))
    timing = {"reading": reading, **evaluation.timing, "sections": time.perf_counter() - started}
    return replace(evaluation, timing=timing)


def _words(stage: str, algorithm: str, done: int, total: int) -> str:
    if stage in SECTIONS:
        return load(stage).title if stage in NAMES else stage
    if stage == "reading":
        return f"Reading: {done:,} of {total:,} rows"
    return f"{row_label(algorithm)}: {done} of {total} folds" if stage == "algorithm" else stage.capitalize()
