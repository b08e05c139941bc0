"""Made-up graphs of algorithms, with any number of months, with blank or wrong slices, and with few reviews."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Optional, Sequence, Tuple

import fake

from evaluator.report import PeerGroup, Report
from evaluator.sections.graphs_section import AlgorithmGraphs, SliceGraph
from evaluator.sections.population_section import PeerComparison
from evaluator.statistics import slicings
from evaluator.statistics.slices import RecallSlice
from ui.views.slice_graphs import SLICE_LABELS

NAMES = {
    **{key: tuple(labels.names) or ("1", "2", "3+") for key, labels in SLICE_LABELS.items()},
    "interval": ("1", "2", "3-4", "5-7", "8-14", "15-30", "31-60", "61-120", "121-240", "241+"),
    "lateness": slicings.LATENESS_NAMES,
    "review_number": ("2", "3", "4", "5-6", "7-9", "10-14", "15-24", "25+"),
    "last_rating": slicings.RATING_NAMES,
    "maturity": ("young", "mature"),
    "stability": ("<1", "1-2", "2-4", "4-8", "8-16", "16-32", "32-64", "64-128", "128-256", "256-512", "512+"),
    "difficulty": tuple(f"{d}-{d + 1}" for d in range(1, 10)),
}


def one_slice(name: str, difference: Optional[float], reviews: int) -> RecallSlice:
    """Return a slice in which 0.9 was predicted, with a band of 1 point. Without a difference it is blank."""
    if difference is None:
        return RecallSlice(name, reviews, None, None, None, None, is_off=False)
    return RecallSlice(name, reviews, 0.9, 0.9 + difference, 0.89, 0.91, is_off=abs(difference) >= 0.02)


def slice_graph(key: str, names: Sequence[str], max_error: float) -> SliceGraph:
    """Return slices in which recall differs from the prediction by up to ``max_error``. The last one is blank."""
    slices = []
    for number, name in enumerate(names):
        is_blank = number == len(names) - 1
        difference = None if is_blank else max(min(max_error * math.cos(number), 0.09), -0.85)
        slices.append(one_slice(name, difference, 40 if is_blank else 800 + 300 * number))
    return SliceGraph(key, tuple(slices))


def graphs(name: str, max_error: float = 0.0, *, months: int = 14, few: bool = False) -> AlgorithmGraphs:
    """Return graphs of one algorithm with errors up to ``max_error``. With ``few`` reviews all slices are blank."""
    calibration = fake.result(name).calibration
    assert calibration is not None
    by_prediction = [one_slice(f"{100 * g.left:.1f}-{100 * g.right:.1f}", max_error, g.reviews) for g in calibration]
    month_names = [f"{2016 + k // 12}-{k % 12 + 1:02d}" for k in range(months) if k % 17 != 9]
    names = {key: labels for key, labels in NAMES.items() if key != "calibration"}
    slice_graphs = [SliceGraph("calibration", tuple(by_prediction))]
    slice_graphs += [slice_graph(key, labels, max_error) for key, labels in {**names, "month": month_names}.items()]
    if few:
        slice_graphs = [
            replace(graph, slices=tuple(one_slice(slice_.name, None, 7) for slice_ in graph.slices))
            for graph in slice_graphs
        ]
    return AlgorithmGraphs(name, tuple(slice_graphs), memory_model="FSRS-6")


def report(*graphs: AlgorithmGraphs) -> Report:
    """Return the made-up report with these graphs."""
    return fake.report().with_section("graphs", graphs)


#: An algorithm whose predictions are right, and one whose predictions are wrong.
PAIR: Tuple[str, str] = ("FSRS-6", "SM-2")


def pair_report(*, months: int = 14, few: bool = False) -> Report:
    """Return the made-up report with graphs of the pair, and with peer results."""
    right_name, wrong_name = PAIR
    pair_graphs = graphs(right_name, 0.005, months=months, few=few), graphs(wrong_name, -0.08, months=months, few=few)
    peers = PeerComparison("FSRS-5 recency", fake.REVIEWS, PeerGroup(13_000, 20_000, 1057), 0.451, 0.518)
    return report(*pair_graphs).with_section("population", peers)
