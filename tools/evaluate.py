"""``python3 tools evaluate PATH``: print and write how well each algorithm would have predicted these reviews."""

from __future__ import annotations

import argparse
import logging
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

from evaluator.algorithms.external import ExternalPredictions
from evaluator.algorithms.pasted import parse_sets
from evaluator.errors import BadOption, EvaluatorError
from evaluator.evaluation import evaluate, show_subject
from evaluator.options import Options
from evaluator.progress import Progress
from evaluator.report import Report
from evaluator.scope import WHOLE_COLLECTION, ScopeChoice
from evaluator.scoring.report_builder import Evaluation
from evaluator.sections import SECTIONS, add_sections, select_sections
from tools import parsers, sources
from tools.arguments import FAILED, chosen_options, chosen_scope, chosen_tables
from tools.output.output_files import check_targets, listing
from tools.output.outputs import STDOUT, Outputs
from tools.output.progress_line import ProgressLine
from tools.output.streams import say, show
from tools.output.table import render, render_sections
from tools.sources.predictions import PredictionsFile
from ui.anki.optimizer import benchmark_trainer, optimize_button
from ui.exports import EXPORTS, JSON, PNG
from ui.text.error_sentences import error_sentence
from ui.text.phrases import paragraph
from ui.text.sanitize import sanitize_text
from ui.views import load
from ui.views.choices import clipped_sentences
from ui.views.labels import TAKEN, row_label
from ui.views.scope_sentences import TABLES

#: Value of --graphs for more than the main graphs.
ALL_GRAPHS = "all"
#: Shares of the work, for the progress line, that are reading and computing the requested sections.
READING_SHARE = 0.1
SECTIONS_SHARE = 0.3


def main(arguments: list[str]) -> int:
    """Evaluate a file, print the results, and write the outputs. Return 2 if a table cannot be evaluated."""
    options = parsers.evaluate().parse_args(arguments)
    if options.traceback:
        logging.basicConfig()
        logging.getLogger("evaluator").setLevel(logging.DEBUG)
    outputs = Outputs(
        {ending: path for ending, item in EXPORTS.items() if (path := vars(options).get(item.option[2:]))},
        every_algorithm=options.graphs == ALL_GRAPHS,
    )
    tables = chosen_tables(options)
    all_outputs = [outputs]
    if len(tables) > 1:
        all_outputs.append(outputs.for_same_day_table())
        # The second table's options are refused before the long work on the first.
        _options(options, tables[1]).algorithms_to_run()
    inputs = [options.path, *([options.cards] if options.cards else []), *(file.path for file in options.external)]
    check_targets([target for item in all_outputs for target in item.targets()], inputs)
    if outputs.every_algorithm and not {"html", PNG} & {*outputs.paths}:
        raise BadOption(option="--graphs", value=ALL_GRAPHS, allowed="only together with --html or --charts")
    for text in options.parameters:
        for sentence in clipped_sentences(parse_sets(text)):
            say(sanitize_text(sentence))
    code = 0
    for table, table_outputs in zip(tables, all_outputs, strict=True):
        if len(tables) > 1:
            say(f"{TABLES[table]}\n", sys.stdout)
        try:
            _evaluate_table(options, table, table_outputs)
        # The other table may still be evaluated.
        except EvaluatorError as error:
            hint = "To predict same-day reviews, give --table same-day." if error.facts.get("same_day") else ""
            if error.facts.get("excerpt"):
                hint = "If the deck has been reviewed, export it again, with its scheduling information."
            say(paragraph(error_sentence(error), hint if len(tables) == 1 else ""))
            code = FAILED
        if table != tables[-1]:
            show("\n")
    return code


def _options(args: argparse.Namespace, table: str) -> Options:
    """Return the evaluator's options for one table. The external predictions are not read yet."""
    external = tuple(ExternalPredictions(file.name) for file in args.external)
    pasted = tuple(chain.from_iterable(parse_sets(text) for text in args.parameters))
    options = chosen_options(args)
    return replace(options, baseline=args.baseline, table=table, external=external, pasted=pasted, taken_names=TAKEN)


def _evaluate_table(args: argparse.Namespace, table: str, outputs: Outputs) -> None:
    """Evaluate one table, print the results, and write the outputs."""
    stream = sys.stderr if outputs.paths.get(JSON) == STDOUT else sys.stdout
    shown_sections = select_sections([*(args.sections or []), *(["splitting"] if args.split_by else [])])
    json_sections = EXPORTS[JSON].sections if args.sections is None and JSON in outputs.paths else ()
    evaluation = evaluate_file(
        args.path,
        _options(args, table),
        scope=chosen_scope(args),
        cards=args.cards,
        next_day_at=args.next_day_at,
        parts=args.split_by,
        external=args.external,
        sections=[*shown_sections, *json_sections, *outputs.sections()],
        on_report=lambda report: show(render(report, stream, sections=shown_sections), stream),
    )
    show(render_sections(evaluation.report, shown_sections, stream, page="html" in outputs.paths), stream)
    files = outputs.write(evaluation)
    if files:
        show(f"\n{listing(files)}\n", stream)


def evaluate_file(
    path: Path,
    options: Options,
    *,
    scope: ScopeChoice = WHOLE_COLLECTION,
    cards: Path | None = None,
    next_day_at: int | None = None,
    parts: Sequence[str] = (),
    external: Sequence[PredictionsFile] = (),
    sections: Sequence[str],
    on_report: Callable[[Report], object],
) -> Evaluation:
    """Read and evaluate a file, with a progress line. Bad options are refused before the long work.

    The returned evaluation shows the finding with which the screen opens.

    Args:
        path: the file.
        options: the evaluator's options, without external predictions.
        scope: the cards to evaluate.
        cards: see :func:`tools.sources.read`.
        next_day_at: see :func:`tools.sources.read`.
        parts: see :func:`tools.sources.read`.
        external: files with external predictions.
        sections: names, or names of groups, of sections to compute.
        on_report: called with the report before the sections are computed.

    Raises:
        EvaluatorError: if the input or an option is at fault.
    """
    names = (*sources.algorithms_in(path), *(file.name for file in external))
    replace(options, external=tuple(map(ExternalPredictions, names))).algorithms_to_run()
    for file in external:
        file.check()
    sections = select_sections(sections)
    with ProgressLine() as line:
        line.show(0.0, "Reading")
        progress = Progress(lambda fraction, *text: line.show(fraction, _progress_text(*text)))
        start_time = time.perf_counter()
        reading_progress = progress.part(0.0, READING_SHARE)
        snapshot = sources.read(
            path, scope=scope, cards=cards, next_day_at=next_day_at, parts=parts, progress=reading_progress
        )
        options = replace(options, external=tuple(file.read(snapshot.revlog) for file in external))
        reading_seconds = time.perf_counter() - start_time
        kept_snapshot = snapshot if parts or any(SECTIONS[name].needs_snapshot for name in sections) else None
        # Keep no other reference, so that the evaluation can free the review log once it is prepared.
        handed_over = [snapshot]
        del snapshot
        end = 1 - SECTIONS_SHARE if sections else 1.0
        evaluating = progress.part(READING_SHARE, end)
        evaluation = evaluate(
            handed_over.pop(), options, optimizer=benchmark_trainer(), optimize=optimize_button(), progress=evaluating
        )
        evaluation = show_subject(evaluation, evaluation.report.opening_subject)
        line.clear()
        on_report(evaluation.report)
        start_time = time.perf_counter()
        evaluation = add_sections(evaluation, sections, kept_snapshot, progress=progress.part(end, 1.0))
    timing = {"reading": reading_seconds, **evaluation.timing, "sections": time.perf_counter() - start_time}
    return replace(evaluation, timing=timing)


def _progress_text(stage: str, algorithm: str, done: int, total: int) -> str:
    """Return the words of the progress line for a step, see :class:`evaluator.progress.Progress`."""
    if stage in SECTIONS:
        return load(stage).title
    if stage == "reading":
        return f"Reading: {done:,} of {total:,} rows"
    return row_label(algorithm) if stage == "algorithm" else stage.capitalize()
