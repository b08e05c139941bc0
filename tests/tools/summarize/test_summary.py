from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from math import log, log10

import numpy as np
import pytest
from made_results import joined, line, lines_of_better_and_worse, original_line, simulated_lines
from scipy import stats

from tools.arguments import BadResults
from tools.benchmark.results_format import METRICS
from tools.summarize import text
from tools.summarize.joined_results import join
from tools.summarize.pairs import _log_holm, compare_all
from tools.summarize.result_lines import parse
from tools.summarize.summary import WEIGHTINGS, Mean, summarize, to_dict
from ui.text.sanitize import escape_for_spreadsheet

BY_REVIEWS, UNWEIGHTED = WEIGHTINGS


def _summary_of(*trees: dict[str, object]):
    return summarize(joined(trees))[0]


def test_means_match_hand_calculation():
    """(3 * 0.2 + 1 * 0.6) / 4 by reviews, 0.4 unweighted; two collections are too few for an interval."""
    summary = _summary_of(line("a", "AVG", 0.2, reviews=300), line("b", "AVG", 0.6, reviews=100))
    (row,) = summary.rows
    assert row.means[BY_REVIEWS]["log_loss"] == Mean(pytest.approx(0.3), None, None, 2)
    assert row.means[UNWEIGHTED]["log_loss"] == Mean(pytest.approx(0.4), None, None, 2)
    assert (summary.collections, summary.reviews, summary.pairs) == (2, 400, ())
    assert "too few collections for confidence intervals" in text.markdown(summary)


def test_results_are_joined_on_the_collection():
    failed = {"collection": "a", "algorithm": "Y", "error": "It failed."}
    losses = (("a", "X", 0.1), ("a", "Y", 0.2), ("b", "X", 0.3), ("b", "Y", 0.2), ("c", "X", 0.5), ("c", "Y", 0.5))
    summary = _summary_of(line("b", "X", 0.9), failed, *(line(*facts) for facts in losses))
    assert [row.algorithm for row in summary.rows] == ["X", "Y"]
    assert summary.failures == ()
    x_y, y_x = summary.pairs_by_metric["log_loss"]
    assert (x_y.better, x_y.equal, x_y.superiority, y_x.superiority) == (1, 1, 0.5, 0.5)
    assert x_y.mean_difference == pytest.approx(0.0)


def test_means_are_over_the_same_collections():
    trees = [line(name, algorithm, 0.3 + 0.01 * i) for i, name in enumerate("abcd") for algorithm in ("X", "Y", "Z")]
    trees = [tree for tree in trees if (tree["collection"], tree["algorithm"]) != ("a", "Z")]
    next(tree for tree in trees if (tree["collection"], tree["algorithm"]) == ("b", "Y"))["reviews"] = 99
    failures = (("e", None, "It is damaged."), ("a", "Z", "It failed."))
    trees += [dict(zip(("collection", "algorithm", "error"), facts, strict=True)) for facts in failures]
    summary = _summary_of(*trees)
    assert (summary.collections, summary.incomplete, summary.unequal, summary.unreadable) == (2, 1, 1, 1)
    pairs = summary.pairs_by_metric["log_loss"]
    shared = {(pair.algorithm, pair.other): pair.collections for pair in pairs}
    assert (shared["X", "Y"], shared["X", "Z"], shared["Y", "Z"]) == (3, 3, 2)
    assert (summary.reviews, summary.all_reviews) == (200, 400)
    page = text.markdown(summary)
    assert "Means over 2 of 4 collections (200 of 400 scored reviews), the same for every algorithm." in page
    assert "Left out: 1 collection on which some algorithm has no result (fewest results: Z, 3; --without" in page
    unequal = "1 collection on which the algorithms were scored on different reviews (Y most often on others, 1)."
    assert f"Left out: {unequal}" in page


def test_algorithm_that_always_failed_is_left_out():
    trees = [line(name, "X", 0.3) for name in "abc"]
    trees += [{"collection": name, "algorithm": "Y", "error": "It failed."} for name in "cab"]
    summary = _summary_of(*trees)
    assert [row.algorithm for row in summary.rows] == ["X"]
    assert (summary.collections, summary.incomplete, summary.unreadable) == (3, 0, 0)
    page = text.markdown(summary)
    assert "Without a result on any collection: Y." in page
    assert text.failures_csv(summary).splitlines()[1:] == [f"{name},Y,It failed." for name in "abc"]
    tree = to_dict(summary)
    assert tree["without_results"] == ["Y"]
    assert len(tree["failures"]) == 3


def test_results_without_common_reviews_are_refused():
    with pytest.raises(BadResults, match=r"Fewest results: Y, 1 of 3\. --without leaves algorithms out"):
        _summary_of(line("a", "X", 0.1), line("b", "X", 0.1), line("c", "Y", 0.1))
    with pytest.raises(BadResults, match=r"same reviews\. Z was scored on other reviews than most, on 1 of them\."):
        _summary_of(*(line("a", name, 0.1, reviews=9 + (name == "Z")) for name in "XYZ"))
    with pytest.raises(BadResults, match="No algorithm has a result"):
        _summary_of({"collection": "a", "algorithm": "X", "error": "It failed."})


def test_published_results_join_ours():
    theirs = original_line(2, 0.4)
    theirs["metrics"]["AUC"] = None
    lines = [parse(line(f"revlogs/user_id={n}", "X", 0.3), "") for n in (1, 2)]
    summary, _ = summarize(join([*lines, parse(original_line(1, 0.35), "FSRS-6"), parse(theirs, "FSRS-6")]))
    means = summary.rows[1].means[UNWEIGHTED]
    assert means["rmse_bins"] is None
    assert means["auc"] == Mean(pytest.approx(0.7), None, None, 1)
    assert means["log_loss"] == Mean(pytest.approx(0.375), None, None, 2)


@pytest.mark.parametrize(("metric", "better"), [("log_loss", -1), ("rmse_bins_benchmark", -1), ("auc", 1)])
def test_pairs_match_scipy(metric, better):
    trees = simulated_lines(["X", "Y", "Z"], 200)
    random = np.random.default_rng(2)
    for tree in trees:
        rank = "XYZ".index(tree["algorithm"])
        tree["metrics"] |= {
            "rmse_bins_benchmark": random.normal(0.05 + 0.004 * rank, 0.02),
            "auc": random.normal(0.7, 0.05),
        }
        tree["metrics"]["auc"] = None if tree["collection"] == "3.anki2" else tree["metrics"]["auc"] - 0.02 * rank
    results = joined(trees)
    pairs = {(pair.algorithm, pair.other): pair for pair in compare_all(results) if pair.metric == metric}
    values = better * results.metrics[metric]
    values = values[np.isfinite(values).all(axis=1)]
    p_values = {(i, j): stats.wilcoxon(values[:, i], values[:, j]).pvalue for i, j in ((0, 1), (0, 2), (1, 2))}
    names = "XYZ"
    for (i, j), p in p_values.items():
        pair, reverse = pairs[names[i], names[j]], pairs[names[j], names[i]]
        assert pair.collections == 200 - (metric == "auc")
        assert pair.log10_p == reverse.log10_p == pytest.approx(log10(p))
        assert pair.superiority == pytest.approx((values[:, i] > values[:, j]).mean())
        assert pair.superiority + reverse.superiority == pytest.approx(1)
        assert pair.effect == -reverse.effect
        assert pair.mean_difference == pytest.approx(better * (values[:, i] - values[:, j]).mean())
        assert (pair.effect > 0) == (better * pair.mean_difference > 0)
    smallest, middle, largest = sorted(p_values, key=lambda pair: p_values[pair])
    adjusted = [pairs[names[i], names[j]].log10_p_holm for i, j in (smallest, middle, largest)]
    assert adjusted[0] == pytest.approx(log10(p_values[smallest] * 3))
    assert adjusted[1] == pytest.approx(max(adjusted[0], log10(p_values[middle] * 2)))
    assert adjusted[2] == pytest.approx(max(adjusted[1], log10(p_values[largest])))
    assert pairs["X", "Z"].is_significant
    assert _log_holm([log(0.9), log(0.8)]) == [0.0, 0.0]  # a p-value is at most 1


def test_markdown_has_superiority_and_corrected_p_values_by_metric():
    trees = lines_of_better_and_worse()
    summary = _summary_of(*trees)
    page = text.markdown(summary)
    p = f"{2 / 2**30:.2g}"  # Holm's correction of a single pair changes nothing
    for metric, better, share, effect in (
        ("log loss", "lower", "100.0", f"+0.87 ({p})"),
        ("RMSE (bins)", "lower", "100.0", f"+0.87 ({p})"),
        ("AUC", "higher", "50.0", "\N{EN DASH} (1)"),
    ):
        matrices = page.partition(f"## How often the row has the {better} {metric} than the column\n")[2]
        heading = f"## Effect size and p-value of the row against the column by {metric}"
        assert heading in matrices
        superiority, _, effects = matrices.partition(heading)
        assert f"| {share} |" in superiority
        assert f"| {effect} |" in effects.partition("\n## ")[0]
        assert f"signed-rank test by {metric}, collection by collection" in effects
    assert text._p(replace(summary.pairs[0], log10_p_holm=-1234.6)) == "1e-1235"  # below the smallest float
    for tree in trees:
        tree["metrics"]["auc"] = None
    assert "auc" not in _summary_of(*trees).pairs_by_metric


def test_csv_and_json_have_the_same_numbers():
    name = "=Y, |\x1btoo"  # with the signs of a formula, of a Markdown cell and of a terminal command
    summary, _ = summarize(joined(simulated_lines(["X", name], 30)))
    assert "=Y, \\|\ufffdtoo" in text.markdown(summary)
    assert name in [row.algorithm for row in summary.rows]
    tree = json.loads(json.dumps(to_dict(summary), allow_nan=False))
    means = list(csv.DictReader(io.StringIO(text.means_csv(summary))))
    assert len(means) == 2 * 2 * len(METRICS)
    for cells in means:
        row = next(row for row in tree["rows"] if escape_for_spreadsheet(row["algorithm"]) == cells["algorithm"])
        mean = row["means"][cells["weighting"]][cells["metric"]]
        assert float(cells["mean"]) == pytest.approx(mean["value"])
        assert float(cells["low"]) == pytest.approx(mean["low"])
        assert int(cells["collections"]) == mean["collections"] == 30
    pairs = list(csv.DictReader(io.StringIO(text.pairs_csv(summary))))
    for cells, pair in zip(pairs, tree["pairs"], strict=True):
        assert cells["algorithm"] == escape_for_spreadsheet(pair["algorithm"])
        assert float(cells["log10_p"]) == pytest.approx(pair["log10_p"], abs=1e-6)
