"""Output files of an evaluation, which are written all or not at all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Iterator, Mapping, Sequence

from evaluator.errors import BadOption
from evaluator.progress import Progress
from evaluator.scope import SAME_DAY_TABLE
from evaluator.scoring.report_builder import Evaluation
from tools.output.output_files import GRAPH_ENDINGS, Target, table_path
from tools.output.progress_line import ProgressLine
from tools.output.streams import show
from ui.charts import file_stem, save_chart
from ui.drafts import Drafts
from ui.exports import EXPORTS, JSON, PNG, json_lines
from ui.text.sanitize import sanitize_report
from ui.views import GRAPHS_SUMMARY
from ui.views.graphs_view import report_graphs
from ui.views.view import Block

STDOUT = Path("-")


@dataclass(frozen=True)
class Outputs:
    """Outputs of an evaluation, with their paths."""

    #: Path of each output by its ending in :data:`ui.exports.EXPORTS`. That of graphs is a folder. That of the JSON may
    #: be ``-``, for standard output.
    paths: Mapping[str, Path]
    #: Whether the page and the folder also get the graphs of each algorithm.
    every_algorithm: bool = False
    #: Note on these reviews for readers of the page.
    note: str = ""

    def targets(self) -> list[Target]:
        """Return all outputs except standard output, to check them before the long work."""
        return [
            Target(EXPORTS[ending].option, path, (lambda name: name.endswith(GRAPH_ENDINGS)) if ending == PNG else None)
            for ending, path in self.paths.items()
            if (ending, path) != (JSON, STDOUT)
        ]

    def for_same_day_table(self) -> Outputs:
        """Return the outputs for the same-day table, next to these, which are for the other table.

        Raises:
            BadOption: if both reports would go to standard output.
        """
        if self.paths.get(JSON) == STDOUT:
            raise BadOption(option="--json", value=str(STDOUT), allowed="a file, as there are two tables")
        return replace(self, paths={ending: table_path(path, SAME_DAY_TABLE) for ending, path in self.paths.items()})

    def sections(self) -> list[str]:
        """Return the names, or names of groups, of the report's sections that the outputs other than JSON show."""
        names = [name for ending in self.paths if ending != JSON for name in EXPORTS[ending].sections]
        return [*names, GRAPHS_SUMMARY] if PNG in self.paths else names

    def write(self, evaluation: Evaluation) -> list[Path]:
        """Write all outputs, or none if one fails. Return the files. The JSON is about the whole."""
        with Drafts() as drafts:
            with ProgressLine() as line:
                for ending, path in self.paths.items():
                    progress = Progress(lambda fraction, *_: line.show(fraction, "Drawing the graphs"))
                    lines = EXPORTS[ending].lines
                    if lines is None:
                        graphs = report_graphs(sanitize_report(evaluation.report), every_algorithm=self.every_algorithm)
                        for draft in save_charts(list(graphs), drafts.draft_folder(path), progress):
                            drafts.add(draft, path / draft.name)
                    elif path != STDOUT:
                        content = lines(
                            evaluation, every_algorithm=self.every_algorithm, note=self.note, progress=progress
                        )
                        drafts.write(path, content)
            if self.paths.get(JSON) == STDOUT:
                show("".join(json_lines(evaluation)))
            return drafts.put_in_place()


def save_charts(blocks: Sequence[Block], folder: Path, progress: Progress) -> Iterator[Path]:
    """Write the graphs of these blocks as PNG files into an empty folder, and yield the path of each.

    Args:
        blocks: the blocks, which all have a chart.
        folder: the folder.
        progress: called before each file.
    """
    # Number equal file names, because algorithms such as "My model" and "my_model" have the same.
    endings = ("", *(f"-{count}" for count in range(2, len(blocks) + 2)))
    for number, block in enumerate(blocks):
        progress(number / len(blocks))
        paths = (folder / f"{file_stem(block)}{ending}.png" for ending in endings)
        yield save_chart(block, next(path for path in paths if not path.exists()))
