"""Output files of an evaluation, which are checked before the long work, and written all or not at all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Callable, Iterable, List

from evaluator.errors import BadOption
from evaluator.evaluation import show_whole
from evaluator.progress import Progress
from evaluator.report import Report, to_json
from evaluator.scope import SAME_DAY_TABLE
from evaluator.scoring.report_builder import Evaluation
from tools.output.files import GRAPH_ENDINGS, table_path
from tools.output.progress import ProgressLine
from tools.output.streams import show
from ui.charts import file_stem, save_chart
from ui.files import Drafts, Target, check_targets
from ui.page import page
from ui.text.sanitize import sanitize_report
from ui.views.graphs import GRAPHS, report_graphs
from ui.views.predictions import to_csv
from ui.views.view import Block

STDOUT = Path("-")


@dataclass(frozen=True)
class Outputs:
    """Paths of the outputs. A path is None if that output is not written."""

    #: JSON file of the report, or ``-`` for standard output.
    json: Path | None = None
    #: CSV file of the predictions.
    predictions: Path | None = None
    #: Folder of the graphs.
    charts: Path | None = None
    #: Web page.
    html: Path | None = None
    #: Whether the page and the folder also get the graphs of each algorithm.
    graphs_of_each: bool = False
    #: Note on these reviews for readers of the page.
    note: str = ""

    def check(self, *sources: Path) -> None:
        """Check that all outputs can be written, to different paths, and that no other file would be lost.

        Args:
            sources: the files that are read.

        Raises:
            BadOption: if an output cannot be written.
        """
        check_targets(self.targets(), sources)

    def for_same_day_table(self) -> Outputs:
        """Return the outputs for the same-day table, next to these, which are for the other table.

        Raises:
            BadOption: if both reports would go to standard output.
        """
        if self.json == STDOUT:
            raise BadOption(option="--json", value=str(STDOUT), allowed="a file, as there are two tables")
        json, predictions, html, charts = (
            path and table_path(path, SAME_DAY_TABLE) for path in (self.json, self.predictions, self.html, self.charts)
        )
        return replace(self, json=json, predictions=predictions, html=html, charts=charts)

    def targets(self) -> list[Target]:
        """Return all outputs except standard output, to check them."""
        paths = (("--json", self.json), ("--predictions", self.predictions), ("--html", self.html))
        files = [Target(option, file) for option, file in paths if file is not None]
        graphs = (
            [] if self.charts is None else [Target("--charts", self.charts, lambda name: name.endswith(GRAPH_ENDINGS))]
        )
        return [target for target in files if target != Target("--json", STDOUT)] + graphs

    def sections(self) -> list[str]:
        """Return the names, or names of groups, of the report's sections that the outputs show."""
        names = ["quick"] if self.html is not None else []
        if self.charts is not None:
            names += [view.section for view in GRAPHS.values() if view.section]
        return names

    def write(self, evaluation: Evaluation) -> list[Path]:
        """Write all outputs, or none if one fails. Return the files. The JSON is about the whole."""
        report = show_whole(evaluation).report if self.json is not None else evaluation.report
        with Drafts() as drafts:
            if self.json is not None and self.json != STDOUT:
                drafts.write(self.json, [to_json(report, evaluation.timing)])
            if self.predictions is not None:
                drafts.write(self.predictions, to_csv(evaluation.predictions))
            if self.html is not None:
                drafts.write(self.html, [self._draw_page(evaluation.report)])
            if self.charts is not None:
                _draft_charts(drafts, self.charts, evaluation.report, of_each=self.graphs_of_each)
            if self.json == STDOUT:
                show(to_json(report, evaluation.timing))
            return drafts.put_in_place()

    def _draw_page(self, report: Report) -> str:
        with ProgressLine() as line:
            progress = Progress(lambda fraction, *_: line.show(fraction, "Drawing the graphs of the page"))
            return page(report, of_each=self.graphs_of_each, note=self.note, progress=progress)


def save_charts(
    blocks: Iterable[Block], folder: Path, on_step: Callable[[float], object] = lambda _: None
) -> List[Path]:
    """Write the graphs of these blocks as PNG files.

    Args:
        blocks: the blocks, which all have a chart.
        folder: where to write the files. It is created if necessary.
        on_step: function that is called before each file with the fraction done.

    Returns:
        The paths of the files, in the order of the blocks.
    """
    folder.mkdir(parents=True, exist_ok=True)
    all_blocks = list(blocks)
    files: List[Path] = []
    # Number equal file names, because algorithms such as "My model" and "my_model" have the same.
    endings = ("", *(f"-{count}" for count in range(2, len(all_blocks) + 2)))
    for number, block in enumerate(all_blocks):
        on_step(number / len(all_blocks))
        paths = (folder / f"{file_stem(block)}{ending}.png" for ending in endings)
        files.append(save_chart(block, next(path for path in paths if path not in files)))
    return files


def _draft_charts(drafts: Drafts, folder: Path, report: Report, *, of_each: bool) -> None:
    with ProgressLine() as line:
        path = drafts.draft_folder(folder)
        graphs = report_graphs(sanitize_report(report), of_each=of_each)
        for draft in save_charts(graphs, path, lambda fraction: line.show(fraction, "Drawing the graphs")):
            drafts.add(draft, folder / draft.name)
