from __future__ import annotations

import json
import re
from dataclasses import replace

import made_graphs
import numpy as np
import pytest
from made_findings import finding

from evaluator import errors, report
from evaluator.progress import SILENT
from evaluator.scoring import report_builder
from evaluator.scoring.report_builder import Predictions
from tools.output import table
from tools.output.outputs import save_charts
from ui.page import page
from ui.science import ScopeChoice
from ui.text.error_sentences import error_sentence
from ui.text.sanitize import escape_for_markdown, escape_for_spreadsheet, sanitize_report, sanitize_text
from ui.views import choices, finding_rows, graphs_view, results_table_cells, view
from ui.views.predictions_csv import to_csv
from ui.window import result_store

#: A name with a formula, markup, broken math, terminal commands, line breaks, direction marks, and characters that XML
#: forbids.
EVIL = '=<script>"|`$\\frac{$\x1b]0;x\x07\x9b31m\n\t\u2028\u202e\u2066\u200f\u200b\x00\x08\ufffe\udfffZ'
#: The same name as it is shown.
SHOWN_EVIL = '=<script>"|`$\\frac{$\ufffd]0;x\ufffd\ufffd31m \ufffd\ufffd\ufffd\ufffdZ'
ORDINARY = "Ñ «b» & <b> $5, می\u200cروم, שָׁלוֹם, 日本：漢　カ, क्\u200dष, e\u0301, 👩\u200d💻 👍🏽, x² \u00a0"
HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066\ud800-\udfff\ufffe]")


@pytest.mark.parametrize(
    ("name", "shown"),
    [(EVIL, SHOWN_EVIL), ("\u200b", "\ufffd"), ("\u200da \u200c\u200d b", "a  b"), (ORDINARY, ORDINARY)],
)
def test_harmful_characters_are_replaced(name, shown):
    assert sanitize_text(name) == shown
    assert {escape_for_spreadsheet(f"\t\u200b{sign}1")[0] for sign in "=+-@＝＋－＠"} == {"'"}
    assert escape_for_markdown("a_b|`x` *y* _z_ <i> [h](u) \\") == r"a_b\|\`x\` \*y\* \_z\_ \<i> [h\](u) \\"


def test_name_is_harmless_wherever_it_is_shown(qapp, tmp_path):
    evil = made_graphs.report(replace(made_graphs.graphs("SM-2"), algorithm=EVIL))
    results = (replace(evil.results[0], algorithm=EVIL, note="external"),)
    evil = replace(
        evil,
        results=results,
        best=EVIL,
        verdict=replace(evil.verdict, rivalry=None),
        scope=replace(evil.scope, kind="deck", name=EVIL),
    )
    evil = replace(evil, findings=(finding(), finding("too_few", "preset", name=EVIL)))
    store = result_store.ResultStore(None, None, qapp)
    store.take(report_builder.Evaluation(evil, None, {}), complete=True)
    assert store.report == sanitize_report(evil) != evil
    rows = results_table_cells.rows(evil)
    listed = view.Table(finding_rows.COLUMNS[:1], tuple((row.name,) for row in finding_rows.list_rows(evil)))
    list_text = results_table_cells.tab_separated(listed.columns, listed.rows)
    plain = [results_table_cells.as_text(rows, results_table_cells.USUAL), list_text]
    csv = [*to_csv(Predictions(*[np.array([1])] * 5, {EVIL: np.array([0.5])}))]
    assert [text.count("'=") for text in (*plain, *csv)] == [2, 1, 1, 0]
    markdown = results_table_cells.as_markdown(rows, results_table_cells.USUAL).splitlines()[2:]
    assert not any("'=" in line for line in markdown)
    assert [len(re.findall(r"(?<!\\)\|", line)) for line in markdown] == [len(results_table_cells.USUAL) + 2, 0, 0]
    graphs = [*graphs_view.report_graphs(sanitize_report(evil), every_algorithm=False)]
    assert next(save_charts(graphs, tmp_path, SILENT)).name == "calibration-script-frac-0-x-31m-z.png"
    html = page(evil)
    assert "<script" not in html
    json_text = report.to_json(evil)
    assert json.loads(json_text)["scope"]["name"] == EVIL
    terminal = table.render(evil, None) + table.render_sections(evil, ["parameters"], None, page=False)
    sentence = error_sentence(errors.UnknownName(what="deck", name=EVIL, suggestions=[], known=[EVIL]))
    labels = [choices.scope_button(ScopeChoice(kind, EVIL)) for kind in ("deck", "preset")]
    for text in (*plain, *csv, *markdown, html, json_text, terminal, sentence, *labels):
        assert not HARMFUL.search(text)
