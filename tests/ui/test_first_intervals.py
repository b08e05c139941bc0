"""The table of first intervals: whose parameters each row has, and times that a person can read."""

from __future__ import annotations

from typing import List, Sequence, Tuple

import fake

from evaluator.sections.parameters import AlgorithmParameters, Parameters, PresetParameters
from ui.views import load

DEFAULT, OWN = (0.212, 1.2931, 2.3065, 8.2956), (0.5, 1.0, 12.0, 1234.5)


def rows(
    algorithms: Sequence[AlgorithmParameters], presets: Sequence[PresetParameters] = (), key: str = "first-intervals"
) -> List[Tuple[str, ...]]:
    section = Parameters(tuple(algorithms), tuple(presets), 0.9)
    blocks = load("parameters").of(fake.report().with_section("parameters", section))
    return [row for block in blocks if block.key == key and block.table for row in block.table.rows]


def of(algorithm: str, default: Tuple[float, ...], learned: Tuple[float, ...]) -> AlgorithmParameters:
    return AlgorithmParameters(algorithm, 1000, None, (), (default, learned))


def test_defaults_that_algorithms_share_stand_there_once() -> None:
    found = rows([of("FSRS-6", DEFAULT, OWN), of("FSRS-rs", DEFAULT, DEFAULT)])
    assert [row[:2] for row in found] == [
        ("FSRS-6", "Default"),
        ("FSRS-6", "Learned from your reviews"),
        ("FSRS-rs", "Learned from your reviews"),  # even if it had too little to learn from
    ]


def test_presets_with_parameters_of_their_own_have_a_row() -> None:
    """Whether or not anything was trained."""
    presets = [
        PresetParameters("Law {x}", 6, 21, "own", (), OWN),
        PresetParameters("Old", 6, 19, "converted", (), DEFAULT),
        PresetParameters("Verbs", 7, 0, "none", (), DEFAULT),
        PresetParameters("Nouns", 6, 18, "odd", (), None),
        PresetParameters("Future", None, 35, "newer", (), None),
    ]
    own = ("FSRS-6", "In your preset Law {x}", "0.50", "1.0", "12", "1,234")
    converted = ("FSRS-6", "In your preset Old", "0.21", "1.3", "2.3", "8.3")
    assert rows([], presets) == [own, converted]
    assert own in rows([of("FSRS-6", DEFAULT, OWN)], presets)


def test_the_parameters_are_those_of_the_verdicts_algorithm() -> None:
    """Even if another algorithm was trained before it."""
    report = fake.report()
    assert report.verdict.algorithm == "FSRS-6"
    section = Parameters((of("FSRS-5", DEFAULT, OWN), of("FSRS-6", DEFAULT, OWN)), (), 0.9)
    assert load("parameters").of(report.with_section("parameters", section))[0].heading == "The parameters of FSRS-6"


def test_presets_of_a_newer_fsrs() -> None:
    """Its version if that is known, and what to do."""
    presets = [PresetParameters("A", 8, 0, "newer", (), None), PresetParameters("B", None, 35, "newer", (), None)]
    remark = "of a newer FSRS; update SRS Evaluator"
    assert rows([], presets, "parameters-in-presets") == [("A", "FSRS-8", "0", remark), ("B", "–", "35", remark)]


def test_less_than_an_hour_is_in_words() -> None:
    learned = (3.3 / 86_400, 5 / 1440, 59 / 1440, 61 / 1440)
    assert rows([of("FSRS-7", DEFAULT, learned)])[1][2:] == ("under 1 min", "1–10 min", "10–60 min", "0.04")
