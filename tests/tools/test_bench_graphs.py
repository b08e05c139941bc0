"""`python3 tools bench graphs`: what it says. How long anything takes is not tested."""

from __future__ import annotations

from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.sections import add_sections
from tools import commands
from tools.bench import graphs
from tools.simulate import Learner, simulate
from ui.views.graphs import occasions


def test_every_kind_of_graph_is_measured_and_named():
    evaluation = evaluate(simulate(Learner(days=80)).snapshot, Options(algorithms=graphs.ALGORITHMS, folds=2))
    report = add_sections(evaluation, ["graphs"]).report
    steps = []
    found = graphs.measured(report, 1, steps.append)
    assert len(steps) == len(found) == len(list(occasions(report)))
    assert {title.removesuffix(", of two") for title in found} <= {block.heading for block in occasions(report)}
    assert all(svg > 0 < png for svg, png in found.values())


def test_the_medians_stand_at_the_end():
    """By hand: of 1, 2, 30 and of 10, 20, 90."""
    text = graphs.render({"One": (1.0, 20.0), "Two": (30.0, 10.0), "Three": (2.0, 90.0)}, 4)
    assert text.splitlines()[-1].split() == ["Median", "of", "all", "kinds", "2.0", "20.0"]
    assert "medians of 4 drawings" in text


def test_it_is_a_command_of_two_words(monkeypatch):
    given = []
    monkeypatch.setattr(graphs, "main", lambda arguments: given.append(arguments) or 0)
    assert commands.run(["bench", "graphs", "--repeat", "2"]) == 0
    assert given == [["--repeat", "2"]]
