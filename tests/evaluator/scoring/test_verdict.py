from __future__ import annotations

from typing import Optional, Sequence

import pytest

from evaluator.interval import TOO_FEW, ConfidenceInterval, classify
from evaluator.report import Comparison, SampleSize, Verdict
from evaluator.scoring.verdict import choose_baseline, pair_verdict

Limits = Optional[tuple[float, float]]


def compare(**result: tuple[float, Limits]) -> object:
    """Return a function that compares two algorithms.

    Args:
        **result: difference and interval by pair, such as ``FSRS_6_vs_SM_2``. All other pairs are too close to call.
    """

    def compare_pair(algorithm: str, baseline: str) -> Comparison:
        key = f"{algorithm}_vs_{baseline}".replace("-", "_").replace(" ", "_")
        estimate, limits = result.get(key, (0.0, (-0.01, 0.01)))
        difference = (
            ConfidenceInterval(estimate, *limits, 0.01) if limits else ConfidenceInterval(estimate, reason=TOO_FEW)
        )
        return Comparison(algorithm, baseline, difference, classify(difference))

    return compare_pair


BASIS = SampleSize(reviews=1234, cards=300, days=7)


def verdict(names: Sequence[str], finished: Optional[Sequence[str]] = None, **result: tuple[float, Limits]) -> Verdict:
    """Return the verdict on 1,234 reviews. All requested algorithms have finished unless stated otherwise."""
    return pair_verdict(list(names), names if finished is None else finished, BASIS, compare(**result))  # type: ignore[arg-type]


DEFAULT = ("AVG", "SM-2", "FSRS-5 default", "FSRS-5", "FSRS-6 default", "FSRS-6", "FSRS-6 recency")


COMPARISONS = [
    (-0.0412, (-0.0463, -0.0361), "better"),
    (0.02, (0.01, 0.03), "worse"),
    (-0.01, (-0.03, 0.01), "cannot_tell"),
    (0.0, (-0.002, 0.002), "equivalent"),
    (-0.3, None, "too_few"),
]


@pytest.mark.parametrize(("difference", "interval", "code"), COMPARISONS)
def test_verdict_follows_the_comparison(difference: float, interval: Limits, code: str) -> None:
    v = verdict(["SM-2", "FSRS-6"], FSRS_6_vs_SM_2=(difference, interval))
    assert (v.code, v.algorithm, v.baseline, v.basis.reviews) == (code, "FSRS-6", "SM-2", 1234)


@pytest.mark.parametrize("names", [(), ("SM-2",), ("FSRS-6",), ("AVG",)])
def test_single_algorithm_has_no_comparison(names: Sequence[str]) -> None:
    v = verdict(names)
    assert v.code == "no_pair"
    assert v.comparisons == ()


@pytest.mark.parametrize("finished", [("AVG",), ("AVG", "SM-2"), ("AVG", "FSRS-6")])
def test_verdict_waits_for_the_chosen_pair(finished: Sequence[str]) -> None:
    v = verdict(DEFAULT, finished)
    assert (v.code, v.algorithm, v.baseline, v.comparisons) == ("unfinished", "FSRS-6", "SM-2", ())


@pytest.mark.parametrize(
    ("names", "pair"),
    [
        (DEFAULT, ("FSRS-6", "SM-2")),
        ((*DEFAULT, "Anki-SM-2"), ("FSRS-6", "Anki-SM-2")),
        ((*DEFAULT, "Anki-SM-2", "Anki-SM-2 calibrated"), ("FSRS-6", "Anki-SM-2 calibrated")),
        (("AVG", "SM-2", "FSRS-6 default", "FSRS-6 recency"), ("FSRS-6 recency", "SM-2")),
        (("AVG", "FSRS-5 default", "FSRS-5"), ("FSRS-5", "AVG")),
        (("AVG", "FSRS-5 default", "FSRS-6 default"), ("FSRS-6 default", "AVG")),
        (("AVG", "SM-2"), ("SM-2", "AVG")),
        (("FSRS-5", "FSRS-6"), ("FSRS-6", "FSRS-5")),
        (("SM-2", "something new"), ("something new", "SM-2")),
        (("something new", "something newer"), ("something new", "something newer")),
    ],
)
def test_pair_is_chosen_by_name(names: Sequence[str], pair: tuple[str, str]) -> None:
    v = verdict(names)
    assert (v.algorithm, v.baseline) == pair
    assert (v.comparisons[0].algorithm, v.comparisons[0].baseline) == pair


def test_in_sample_rows_of_the_pair_are_named() -> None:
    names = ["SM-2", "Your parameters"]
    v = pair_verdict(names, names, BASIS, compare(), in_sample={"Your parameters"})  # type: ignore[arg-type]
    assert v.in_sample == ("Your parameters",)
    assert verdict(names).in_sample == ()
    v = pair_verdict(names, names, BASIS, compare(), in_sample={"SM-2", "FSRS-6"})  # type: ignore[arg-type]
    assert v.in_sample == ("SM-2",)


def test_baseline_is_the_first_preferred_algorithm() -> None:
    assert choose_baseline(["FSRS-6", "AVG", "SM-2"]) == "SM-2"
    assert choose_baseline(["FSRS-6", "AVG"]) == "AVG"
    assert choose_baseline(["FSRS-6", "FSRS-5"]) == "FSRS-6"
    assert choose_baseline([]) is None


def test_another_baseline_can_be_chosen() -> None:
    assert choose_baseline(["FSRS-6", "AVG", "SM-2"], "AVG") == "AVG"
    assert choose_baseline(["FSRS-6", "SM-2"], "AVG") == "SM-2"
    for chosen, pair in (("FSRS-5", ("FSRS-6", "FSRS-5")), ("FSRS-6", ("FSRS-6 recency", "FSRS-6"))):
        v = pair_verdict(DEFAULT, DEFAULT, BASIS, compare(), chosen)  # type: ignore[arg-type]
        assert (v.algorithm, v.baseline) == pair
    for name in ("SM-2", "FSRS-5"):
        v = pair_verdict([name], [name], BASIS, compare(), name)  # type: ignore[arg-type]
        assert (v.code, v.algorithm, v.baseline) == ("no_pair", name, None)
    v = pair_verdict(["SM-2", "AVG"], ["SM-2", "AVG"], BASIS, compare(), "SM-2")  # type: ignore[arg-type]
    assert (v.algorithm, v.baseline) == ("AVG", "SM-2")
