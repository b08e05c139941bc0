"""Writing results to files, on another thread."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, List, Optional

from ..scope import WHOLE_DAY_TABLE
from ..text import _

if TYPE_CHECKING:
    from evaluator.scoring.report_builder import Evaluation

    from ..science import Progress
    from ..views.view import Block

#: File types offered, by ending.
HTML, JSON, CSV, PNG, SVG = "html", "json", "csv", "png", "svg"
#: Formats with the whole report, for which all its sections are computed first.
WHOLE = (HTML, JSON)


def sections() -> List[str]:
    """Return the sections of an exported report: the same as on the command line."""
    from .. import engine

    return engine.sections_named(["quick"])


def write(ending: str, path: Path, evaluation: Evaluation, shown: Optional[Block], progress: Progress) -> Path:
    """Write the report, its predictions or the graph shown, in the format of the path's ending.

    Raises:
        BadOption: the file is a collection or a package, or its place cannot be written to.
        OSError: the file cannot be written; an older one stays as it is.
        ValueError: no graph is shown.
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
            from ..science import report as reports

            drafts.write(path, [reports.to_json(evaluation.report, evaluation.timing)])
        elif ending == CSV:
            from ..engine import to_csv

            drafts.write(path, to_csv(evaluation.predictions))
        elif shown is not None:
            from ..charts import save_chart

            drafts.add(save_chart(shown, drafts.draft_folder(path.resolve().parent) / path.name), path)
        else:
            raise ValueError("no graph is shown")
        drafts.put_in_place()
    return path


def suggested_name(ending: str, shown: Optional[Block], table: str) -> str:
    """Return the file name that the dialog suggests. It names the table unless that is the usual one."""
    stem = "srs-evaluator-predictions" if ending == CSV else "srs-evaluator-report"
    if ending in {PNG, SVG} and shown is not None:
        from ..charts import file_stem

        stem = file_stem(shown)
    return f"{stem}.{ending}" if table == WHOLE_DAY_TABLE else f"{stem}.{table}.{ending}"
