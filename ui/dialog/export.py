"""Writing results to files. The report and the graph are quick; predictions are written in the background."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Callable, Optional, Sequence

from aqt.qt import QFileDialog

from .. import strings
from ..science import report as reports

if TYPE_CHECKING:
    from aqt.qt import QWidget

    from evaluator.report import AlgorithmResult
    from evaluator.tally import Evaluation

#: What is offered, by ending.
JSON, CSV, PNG, SVG = "json", "csv", "png", "svg"


def write(ending: str, path: Path, evaluation: Evaluation, drawn: Sequence[AlgorithmResult]) -> None:
    """Write what the ending stands for; the report with its quick sections, as the terminal writes it.

    Raises OSError where the file cannot be written.
    """
    if ending == JSON:
        from ..engine import add_sections, run

        whole = run(add_sections(evaluation, ["quick"]))
        with path.open("w", encoding="utf-8", newline="\n") as file:
            file.write(reports.to_json(whole.report, whole.timing))
    elif ending == CSV:
        from ..engine import to_csv

        with path.open("w", encoding="utf-8", newline="") as file:
            file.writelines(to_csv(evaluation.predictions))
    else:
        from ..charts import CHARTS, save_chart

        save_chart(CHARTS["calibration"], evaluation.report, [result.algorithm for result in drawn], path)


def suggested_name(ending: str, drawn: Sequence[AlgorithmResult]) -> str:
    """A file name to begin with."""
    if ending in {PNG, SVG}:
        from ..charts import CHARTS, file_stem

        return f"{file_stem(CHARTS['calibration'], [result.algorithm for result in drawn])}.{ending}"
    return {JSON: "srs-evaluator-report.json", CSV: "srs-evaluator-predictions.csv"}[ending]


def ask_where(parent: QWidget, ending: str, name: str, then: Callable[[Path], None]) -> None:
    """Ask for a file without blocking; ``then`` gets the answer, if there is one."""
    dialog = QFileDialog(parent, strings.EXPORT_DIALOG)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setFileMode(QFileDialog.FileMode.AnyFile)
    dialog.setNameFilter(f"{ending.upper()} (*.{ending})")
    dialog.setDefaultSuffix(ending)
    dialog.selectFile(name)

    def accepted(chosen: Optional[str]) -> None:
        if chosen:
            then(Path(chosen))

    dialog.fileSelected.connect(accepted)
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
