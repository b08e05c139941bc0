"""The files an evaluation writes: checked before the long work, then written whole or not at all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from evaluator.errors import BadOption
from evaluator.progress import Progress
from evaluator.report import Report, sanitized, to_json
from evaluator.scope import SAME_DAY_TABLE
from evaluator.scoring.predictions import to_csv
from evaluator.scoring.report_builder import Evaluation
from tools.output.files import DRAWN, of_table
from tools.output.progress import ProgressLine
from tools.output.streams import show
from ui.charts import save_charts
from ui.files import Drafts, Target, check_targets
from ui.page import page
from ui.views import NAMES, load
from ui.views.graphs import GRAPHS, report_graphs

STDOUT = Path("-")


@dataclass(frozen=True)
class Outputs:
    """Paths of the outputs, each None if it is not written."""

    json: Path | None = None  #: a file, or ``-`` for standard output
    predictions: Path | None = None
    charts: Path | None = None  #: a folder
    html: Path | None = None  #: a web page
    graphs_of_each: bool = False  #: graphs for each algorithm, on the page and among the charts, besides the pair's
    note: str = ""  #: what readers of the page must know of these reviews

    def check(self, *sources: Path) -> None:
        """Check that all outputs can be written, to different paths, without overwriting anything of value.

        Args:
            sources: the files that are read.

        Raises:
            BadOption: one cannot.
        """
        check_targets(self.targets(), sources)

    def of_second_table(self) -> Outputs:
        """Return the path for the same-day table if both tables are evaluated: next to the first.

        Raises:
            BadOption: standard output is to hold both.
        """
        if self.json == STDOUT:
            raise BadOption(option="--json", value=str(STDOUT), allowed="a file, as there are two tables")
        json, predictions, html, charts = (
            path and of_table(path, SAME_DAY_TABLE) for path in (self.json, self.predictions, self.html, self.charts)
        )
        return replace(self, json=json, predictions=predictions, html=html, charts=charts)

    def targets(self) -> list[Target]:
        """Return all files to be written, without what is printed."""
        requested = (("--json", self.json), ("--predictions", self.predictions), ("--html", self.html))
        files = [Target(option, file) for option, file in requested if file is not None]
        graphs = [] if self.charts is None else [Target("--charts", self.charts, lambda name: name.endswith(DRAWN))]
        return [target for target in files if target != Target("--json", STDOUT)] + graphs

    def sections(self) -> list[str]:
        """Return the sections of the report that the outputs show, by name or group."""
        names = ["quick"] if self.html is not None else []
        if self.charts is not None:
            names += [view.section for view in GRAPHS.values() if view.section]
            names += [name for name in NAMES if load(name).charts]
        return names

    def write(self, evaluation: Evaluation) -> list[Path]:
        """Write all outputs, or none if one fails. Return the files."""
        with Drafts() as drafts:
            if self.json is not None and self.json != STDOUT:
                drafts.write(self.json, [to_json(evaluation.report, evaluation.timing)])
            if self.predictions is not None:
                drafts.write(self.predictions, to_csv(evaluation.predictions))
            if self.html is not None:
                drafts.write(self.html, [self._page(evaluation.report)])
            if self.charts is not None:
                _draft_charts(drafts, self.charts, evaluation.report, of_each=self.graphs_of_each)
            if self.json == STDOUT:
                show(to_json(evaluation.report, evaluation.timing))
            return drafts.put_in_place()

    def _page(self, report: Report) -> str:
        with ProgressLine() as line:
            progress = Progress(lambda fraction, *_: line.show(fraction, "Drawing the graphs of the page"))
            return page(report, of_each=self.graphs_of_each, note=self.note, progress=progress)


def _draft_charts(drafts: Drafts, folder: Path, report: Report, *, of_each: bool) -> None:
    with ProgressLine() as line:
        path = drafts.draft_folder(folder)
        graphs = report_graphs(sanitized(report), of_each=of_each)
        drawn = save_charts(graphs, path, lambda done: line.show(done, "Drawing the graphs"))
        for draft in drawn:
            drafts.add(draft, folder / draft.name)
