"""Write results to files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, List, Optional

from ..scope import WHOLE_DAY_TABLE
from ..text import _

if TYPE_CHECKING:
    from evaluator.scoring.report_builder import Evaluation

    from ..science import Progress
    from ..views.view import Block

#: The endings of the files that can be written.
HTML, JSON, CSV, PNG, SVG = "html", "json", "csv", "png", "svg"
#: Formats with all sections of the report, which are computed first.
WHOLE = (HTML, JSON)


def sections() -> List[str]:
    """List the sections of an exported report, which are those of the command line."""
    from .. import engine

    return engine.select_sections(["quick"])


def write(ending: str, path: Path, evaluation: Evaluation, graph: Optional[Block], progress: Progress) -> Path:
    """Write the report, its predictions or the graph in the format of the ending.

    Raises:
        BadOption: the path is that of a collection or a package, or its folder cannot be written to.
        OSError: the file cannot be written. An older one stays as it is.
        ValueError: there is no graph to write.
    """
    from ..files import Drafts, Target, check_targets

    progress(0.0)
    # Translators: The file to write, in "{option} cannot be {value}".
    check_targets([Target(_("The file"), path)])
    with Drafts() as drafts:
        if ending == HTML:
            from ..page import page

            drafts.write(path, [page(evaluation.report, progress=progress)])
        elif ending == JSON:
            from ..engine import show_whole
            from ..science import report as reports

            drafts.write(path, [reports.to_json(show_whole(evaluation).report, evaluation.timing)])
        elif ending == CSV:
            from ..views.predictions import to_csv

            drafts.write(path, to_csv(evaluation.predictions))
        elif graph is not None:
            from ..charts import save_chart

            drafts.add(save_chart(graph, drafts.draft_folder(path.resolve().parent) / path.name), path)
        else:
            raise ValueError("no graph is shown")
        drafts.put_in_place()
    return path


def suggested_name(ending: str, graph: Optional[Block], table: str) -> str:
    """Suggest a file name, which names the table if it is not the default one."""
    stem = "srs-evaluator-predictions" if ending == CSV else "srs-evaluator-report"
    if ending in {PNG, SVG} and graph is not None:
        from ..charts import file_stem

        stem = file_stem(graph)
    return f"{stem}.{ending}" if table == WHOLE_DAY_TABLE else f"{stem}.{table}.{ending}"
