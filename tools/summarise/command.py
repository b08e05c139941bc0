"""``python3 tools summarise RESULTS``: the published tables, from one or several files of results."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from evaluator.errors import EvaluatorError
from evaluator.names import escaped_in_json, harmless
from evaluator.wording import error_sentence
from tools.arguments import INPUT_AT_FAULT, Parser, typed_names, typed_number, typed_path
from tools.outputs import check_folder, write_whole
from tools.progress import ProgressLine
from tools.summarise import bca, text
from tools.summarise.lines import Line
from tools.summarise.reading import Source, Unreadable, read
from tools.summarise.results import Results, join
from tools.summarise.summary import WEIGHTINGS, Summary, summarise, to_dict

#: The least that :mod:`~tools.summarise.bca` can take the ends of its intervals from.
FEWEST_RESAMPLES = 999


def main(arguments: list[str]) -> int:
    """Read, join, summarise, print and write; 2 where the input or an option is at fault."""
    options = _parser().parse_args(arguments)
    try:
        if options.out is not None:
            check_folder("--out", options.out)
        results = join(_chosen(list(read(options.results)), options.algorithms, options.without))
        summary, results = summarise(results, resamples=options.resamples, seed=options.seed)
    except EvaluatorError as error:
        print(error_sentence(error), file=sys.stderr)
        return INPUT_AT_FAULT
    except Unreadable as fault:
        print(harmless(str(fault)), file=sys.stderr)
        return INPUT_AT_FAULT
    print(text.basis(summary), "", text.table(summary, WEIGHTINGS[0]), sep="\n")
    if options.out is not None:
        written = _write(summary, results, options.out, figures=options.figures)
        print("\nWritten:", *(f"  {harmless(str(path))}" for path in written), sep="\n")
    return 0


def _chosen(lines: Sequence[Line], only: list[str] | None, without: list[str]) -> Iterator[Line]:
    """What is about these algorithms, without those.

    Raises:
        Unreadable: there are no results of one of them.
    """
    known = dict.fromkeys(line.algorithm for line in lines if line.algorithm is not None)
    chosen, left_out = ({_known(name, known) for name in names} for names in (only or known, without))
    return (line for line in lines if line.algorithm is None or line.algorithm in chosen - left_out)


def _known(typed: str, known: Collection[str]) -> str:
    """The algorithm of that name, in whatever case it is typed."""
    for name in (typed, *known):
        if name in known and name.casefold() == typed.casefold():
            return name
    raise Unreadable(f"There are no results of {typed!r}, only of {', '.join(known)}.")


def _write(summary: Summary, results: Results, folder: Path, *, figures: bool) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    numbers = json.dumps(to_dict(summary), ensure_ascii=False, indent=1, allow_nan=False)
    texts = {
        "summary.md": text.markdown(summary),
        "summary.json": escaped_in_json(numbers) + "\n",
        "means.csv": text.means_csv(summary),
        "pairs.csv": text.pairs_csv(summary),
        "failures.csv": text.failures_csv(summary),
    }
    for name, content in texts.items():
        write_whole(folder / name, content)
    written = [folder / name for name in texts]
    if figures:
        from tools.summarise.figures import save_figures

        with ProgressLine() as line:
            written += save_figures(summary, results, folder, lambda done: line.show(done, "Drawing the figures"))
    return written


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="python3 tools summarise",
        description="Put the results of many collections into one table, with intervals and pairwise comparisons.",
    )
    add = parser.add_argument
    add(
        "results",
        metavar="RESULTS",
        nargs="+",
        type=Source.typed,
        help="what `benchmark` wrote, or a results folder of the original benchmark; LABEL=RESULTS puts the label "
        "behind the names of its algorithms",
    )
    add("--out", metavar="FOLDER", type=typed_path, help="write Markdown, CSV, JSON and figures there")
    add("--algorithms", metavar="NAMES", type=typed_names, help="only these, separated by commas")
    add("--without", metavar="NAMES", type=typed_names, default=[], help="all but these")
    add("--no-figures", dest="figures", action="store_false", help="write no figures")
    add(
        "--resamples",
        metavar="N",
        type=_resamples,
        default=bca.RESAMPLES,
        help="of the bootstrap (default: %(default)s)",
    )
    add("--seed", metavar="N", type=_seed, default=bca.SEED, help="likewise (default: %(default)s)")
    return parser


def _resamples(typed: str) -> int:
    number = typed_number(typed)
    if number < FEWEST_RESAMPLES:
        raise argparse.ArgumentTypeError(f"at least {FEWEST_RESAMPLES} resamples are needed, not {number}")
    return number


def _seed(typed: str) -> int:
    number = typed_number(typed)
    if number < 0:
        raise argparse.ArgumentTypeError(f"a seed is no negative number like {number}")
    return number
