"""The files that an evaluation can be written to, from the window and from the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Iterable, List, NamedTuple, Optional, Tuple

from .scope_access import WHOLE_DAY_TABLE
from .text import _

if TYPE_CHECKING:
    from evaluator.scoring.report_builder import Evaluation

    from .science import Progress
    from .views.view import Block

#: Ending of the report as JSON.
JSON = "json"
#: Ending of graphs as images of pixels.
PNG = "png"


class Export(NamedTuple):
    """A kind of file that an evaluation can be written to."""

    label: str  #: menu item of the window
    option: str  #: option of the command line, empty if it has none
    help: str  #: help text of the option
    #: Function that returns the content of the file, given the evaluation and, by name, the arguments of
    #: :func:`ui.page.page`. None for a graph.
    lines: Optional[Callable[..., Iterable[str]]] = None
    sections: Tuple[str, ...] = ()  #: sections of the report, and groups of sections, that it shows
    stem: str = "report"  #: end of the suggested name of the file, unless it is a graph


def _page(evaluation: Evaluation, **options: Any) -> Iterable[str]:
    from .page import page

    return [page(evaluation.report, **options)]


def json_lines(evaluation: Evaluation, **_options: Any) -> Iterable[str]:
    """Return the text of the JSON, which is about the whole."""
    from .engine import show_whole
    from .science import report

    return [report.to_json(show_whole(evaluation).report, evaluation.timing)]


def _predictions(evaluation: Evaluation, **_options: Any) -> Iterable[str]:
    from .views.predictions_csv import to_csv

    return to_csv(evaluation.predictions)


#: All kinds of files by their ending, in the order of the menu and of the help.
EXPORTS = {
    "html": Export(
        _("Report as a web page…"), "--html", "write the report as one web page, with graphs", _page, ("quick",)
    ),
    JSON: Export(_("Report as JSON…"), "--json", "write the report; - for standard output", json_lines, ("quick",)),
    "csv": Export(
        _("Predictions as CSV…"), "--predictions", "write a CSV with every prediction", _predictions, stem="predictions"
    ),
    PNG: Export(_("This graph as PNG…"), "--charts", "write the graphs as PNG"),
    "svg": Export(_("This graph as SVG…"), "", ""),
}


def sections(ending: str) -> List[str]:
    """List the sections to compute before a file with this ending is written."""
    from .engine import select_sections

    return select_sections(EXPORTS[ending].sections)


def write(ending: str, path: Path, evaluation: Evaluation, graph: Optional[Block], progress: Progress) -> Path:
    """Write the evaluation or the graph to a file, and return the file's path.

    Args:
        ending: key of :data:`EXPORTS`.
        path: the file.
        evaluation: what to write, unless the file shows a graph.
        graph: the block with the graph, if one is shown.
        progress: called at the beginning, and while a web page is written.

    Raises:
        BadOption: if the path is that of a collection or a package, or its folder cannot be written to.
        OSError: if the file cannot be written. An older one stays as it is.
        ValueError: if there is no graph to write.
    """
    from .drafts import Drafts, check_file

    progress(0.0)
    # Translators: The file to write, in "{option} cannot be {value}".
    check_file(_("The file"), path)
    lines = EXPORTS[ending].lines
    with Drafts() as drafts:
        if lines is not None:
            drafts.write(path, lines(evaluation, progress=progress))
        elif graph is not None:
            from .charts import save_chart

            drafts.add(save_chart(graph, drafts.draft_folder(path.resolve().parent) / path.name), path)
        else:
            raise ValueError("no graph is shown")
        drafts.put_in_place()
    return path


def suggested_name(ending: str, graph: Optional[Block], table: str) -> str:
    """Suggest a file name, which names the table if it is not the default one."""
    export = EXPORTS[ending]
    stem = f"srs-evaluator-{export.stem}"
    if export.lines is None and graph is not None:
        from .charts import file_stem

        stem = file_stem(graph)
    return f"{stem}.{ending}" if table == WHOLE_DAY_TABLE else f"{stem}.{table}.{ending}"
