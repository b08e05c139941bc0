"""The verdict: about which pair, and what it says."""

from __future__ import annotations

from typing import Optional, Sequence

import pytest

from evaluator.interval import TOO_FEW, Interval, judge
from evaluator.report import Basis, Comparison, Verdict
from evaluator.statistics.paired import smallest_detectable
from evaluator.verdict import choose_baseline, verdict_on
from ui.views.verdict import verdict_sentences

Ends = Optional[tuple[float, float]]


def compare(**found: tuple[float, Ends]) -> object:
    """A comparison of any two: by the first algorithm's name (dashes as underscores), else nothing to tell.

    The interval may be any; the smallest detectable difference is that of a standard error of 0.01 on 60 days: 0.0285.
    """

    def of(algorithm: str, baseline: str) -> Comparison:
        key = f"{algorithm}_vs_{baseline}".replace("-", "_").replace(" ", "_")
        estimate, ends = found.get(key, (0.0, (-0.01, 0.01)))
        difference = Interval(estimate, *ends, 0.01) if ends else Interval(estimate, reason=TOO_FEW)
        detectable = smallest_detectable(0.01, 59) if ends else None
        return Comparison(algorithm, baseline, difference, judge(difference), detectable)

    return of


BASIS = Basis(reviews=1234, cards=300, days=39)


def verdict(names: Sequence[str], finished: Optional[Sequence[str]] = None, **found: tuple[float, Ends]) -> Verdict:
    """The verdict on 1,234 reviews; all that were asked for have finished unless said otherwise."""
    return verdict_on(list(names), names if finished is None else finished, BASIS, compare(**found))  # type: ignore[arg-type]


DEFAULT = ("AVG", "SM-2", "FSRS-5 default", "FSRS-5", "FSRS-6 default", "FSRS-6", "FSRS-6 recency")


def test_better() -> None:
    """An interval below 0."""
    v = verdict(["SM-2", "FSRS-6"], FSRS_6_vs_SM_2=(-0.0412, (-0.0463, -0.0361)))
    assert (v.code, v.algorithm, v.baseline, v.basis.reviews) == ("better", "FSRS-6", "SM-2", 1234)
    assert verdict_sentences(v) == (
        "FSRS-6 predicts your memory better than SM-2.",
        (
            "On 1,234 reviews that neither had seen before, the log loss of FSRS-6 is 0.0412 lower "
            "(95\N{NO-BREAK SPACE}% interval: 0.0361 to 0.0463)."
        ),
    )


def test_worse() -> None:
    """An interval above 0."""
    v = verdict(["SM-2", "FSRS-6"], FSRS_6_vs_SM_2=(0.02, (0.01, 0.03)))
    assert v.code == "worse"
    answer, evidence = verdict_sentences(v)
    assert answer == "FSRS-6 predicts your memory worse than SM-2."
    assert evidence.endswith("FSRS-6 is 0.0200 higher (95\N{NO-BREAK SPACE}% interval: 0.0100 to 0.0300).")


@pytest.mark.parametrize(
    ("difference", "interval", "said"),
    [
        (-0.01, (-0.03, 0.01), "0.0100 lower, but chance alone could make such a difference"),
        (0.01, (-0.01, 0.03), "0.0100 higher, but chance alone could make such a difference"),
    ],
)
def test_cannot_tell(difference: float, interval: tuple[float, float], said: str) -> None:
    """An interval around 0, in the direction of the sentence: from -0.01 to 0.03 either way."""
    v = verdict(["SM-2", "FSRS-6"], FSRS_6_vs_SM_2=(difference, interval))
    assert v.code == "cannot_tell"
    assert verdict_sentences(v)[0] == (
        "It cannot be told whether FSRS-6 or SM-2 predicts your memory better: with these reviews only differences "
        "above 0.028 could have been shown."
    )
    assert f"{said} (95\N{NO-BREAK SPACE}% interval: \u22120.0100 to 0.0300)." in verdict_sentences(v)[1]


def test_an_interval_that_touches_0_cannot_tell() -> None:
    """Only one that leaves out 0 decides."""
    for interval in ((-0.1, 0.0), (0.0, 0.1)):
        assert verdict(["SM-2", "FSRS-6"], FSRS_6_vs_SM_2=(0.0, interval)).code == "cannot_tell"


@pytest.mark.parametrize("interval", [(-0.0004, 0.0010), (0.0001, 0.0009), (-0.002, 0.002), (0.0, 0.0)])
def test_equivalent(interval: tuple[float, float]) -> None:
    """An interval within the margin, whether or not it leaves out 0."""
    v = verdict(["FSRS-5", "FSRS-6"], FSRS_6_vs_FSRS_5=(sum(interval) / 2, interval))
    assert v.code == "equivalent"
    assert (
        verdict_sentences(v)[0]
        == "FSRS-6 and FSRS-5 predict your memory equally well: any difference is smaller than 0.002."
    )
    assert "95\N{NO-BREAK SPACE}% interval" in verdict_sentences(v)[1]
    assert "chance" not in verdict_sentences(v)[1]


def test_a_small_interval_of_too_few_days_is_not_equivalent() -> None:
    """Without an interval nothing is called equal, however small the difference."""
    v = verdict(["FSRS-5", "FSRS-6"], FSRS_6_vs_FSRS_5=(0.0, None))
    assert v.code == "too_few"
    assert not any("equally" in sentence for sentence in verdict_sentences(v))


def test_no_interval() -> None:
    v = verdict(["SM-2", "FSRS-6"], FSRS_6_vs_SM_2=(-0.3, None))
    assert v.code == "too_few"
    assert verdict_sentences(v) == (
        "There are too few days or cards to say whether FSRS-6 or SM-2 predicts your memory better.",
        (
            "On 1,234 reviews that neither had seen before, the log loss of FSRS-6 is 0.3000 lower. "
            "How much of that is chance is not known: there are 300 cards on 39 days, and at least 40 of both are "
            "needed."
        ),
    )


@pytest.mark.parametrize("names", [(), ("SM-2",), ("FSRS-6",), ("AVG",)])
def test_no_pair(names: Sequence[str]) -> None:
    """With one algorithm or none there is nothing to compare."""
    v = verdict(names)
    assert v.code == "no_pair"
    assert v.comparisons == ()
    second = "FSRS-6" if names in ((), ("SM-2",)) else "SM-2"
    assert verdict_sentences(v) == (
        f"With one algorithm there is nothing to compare. Choose a second one, such as {second}.",
    )


@pytest.mark.parametrize("finished", [("AVG",), ("AVG", "SM-2"), ("AVG", "FSRS-6")])
def test_no_verdict_on_a_pair_that_nobody_chose(finished: Sequence[str]) -> None:
    """When the work was stopped, or one of the pair failed, what happens to have finished is not judged instead."""
    v = verdict(DEFAULT, finished)
    assert (v.code, v.algorithm, v.baseline, v.comparisons) == ("unfinished", "FSRS-6", "SM-2", ())
    assert verdict_sentences(v)[0] == "There is no verdict, because FSRS-6 or SM-2 has no result."


@pytest.mark.parametrize(
    ("names", "pair"),
    [
        (DEFAULT, ("FSRS-6", "SM-2")),
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
    """The newest FSRS that was run, against SM-2, else the average, else another."""
    v = verdict(names)
    assert (v.algorithm, v.baseline) == pair
    assert (v.comparisons[0].algorithm, v.comparisons[0].baseline) == pair


@pytest.mark.parametrize("better", [-0.1, 0.1])
def test_pair_does_not_depend_on_who_wins(better: float) -> None:
    """Picking the winner and then praising it would be luck."""
    interval = (better - 0.01, better + 0.01)
    v = verdict(DEFAULT, FSRS_6_vs_SM_2=(better, interval), FSRS_6_vs_AVG=(better, interval))
    assert (v.algorithm, v.baseline) == ("FSRS-6", "SM-2")


@pytest.mark.parametrize(
    ("difference", "interval", "said"),
    [
        (
            -0.02,
            (-0.03, -0.01),
            (
                "Parameters trained on your reviews predict better than the published ones "
                "(by 0.0200; 95\N{NO-BREAK SPACE}% interval: 0.0100 to 0.0300)."
            ),
        ),
        (
            0.02,
            (0.01, 0.03),
            (
                "The published parameters predict better than those trained on your reviews "
                "(by 0.0200; 95\N{NO-BREAK SPACE}% interval: 0.0100 to 0.0300)."
            ),
        ),
        (
            0.0,
            (-0.01, 0.01),
            (
                "Whether parameters trained on your reviews are better than the published ones cannot be told yet: "
                "only differences above 0.028 could have been shown."
            ),
        ),
        (
            -0.0005,
            (-0.001, -0.0001),
            (
                "The published parameters predict as well as those trained on your reviews: "
                "any difference is smaller than 0.002."
            ),
        ),
    ],
)
def test_did_training_pay(difference: float, interval: tuple[float, float], said: str) -> None:
    v = verdict(DEFAULT, FSRS_6_vs_FSRS_6_default=(difference, interval))
    assert said in verdict_sentences(v)


def test_did_training_pay_is_not_asked_without_an_interval() -> None:
    v = verdict(DEFAULT, FSRS_6_vs_FSRS_6_default=(0.5, None))
    assert not any("parameters" in sentence for sentence in verdict_sentences(v))


def test_worse_than_the_average_is_said_at_once() -> None:
    """Of the baseline and of the headline, where the interval shows it."""
    bad = (0.1246, (0.1, 0.15))
    v = verdict(DEFAULT, SM_2_vs_AVG=bad, FSRS_6_vs_AVG=bad)
    for name in ("SM-2", "FSRS-6"):
        by = "by 0.1246; 95\N{NO-BREAK SPACE}% interval: 0.1000 to 0.1500"
        assert f"{name} is worse than always guessing your average ({by})." in verdict_sentences(v)
    v = verdict(DEFAULT, SM_2_vs_AVG=(0.1246, None), FSRS_6_vs_AVG=(-0.1, (-0.2, -0.05)))
    assert not any("average" in sentence for sentence in verdict_sentences(v))


def test_average_as_baseline_is_compared_once() -> None:
    v = verdict(["AVG", "FSRS-6"], FSRS_6_vs_AVG=(0.1, (0.05, 0.15)))
    assert len(v.comparisons) == 1
    assert len(verdict_sentences(v)) == 2


def test_every_sentence_has_a_pair_behind_it() -> None:
    """The comparisons that the sentences rest on are kept with them, no pair twice."""
    v = verdict(DEFAULT)
    assert [(c.algorithm, c.baseline) for c in v.comparisons] == [
        ("FSRS-6", "SM-2"),
        ("FSRS-6", "FSRS-6 default"),
        ("SM-2", "AVG"),
        ("FSRS-6", "AVG"),
    ]


def test_the_answer_is_that_of_the_first_pair() -> None:
    assert verdict(DEFAULT, FSRS_6_vs_SM_2=(-0.05, (-0.06, -0.04)), FSRS_6_vs_AVG=(0.1, (0.05, 0.15))).code == "better"


def test_what_has_seen_the_reviews_is_not_said_to_be_new_to_them() -> None:
    """The pair may hold an algorithm whose parameters were fitted on these reviews."""
    names = ["SM-2", "Your parameters"]
    v = verdict_on(names, names, BASIS, compare(), in_sample={"Your parameters"})  # type: ignore[arg-type]
    assert v.in_sample == ("Your parameters",)
    assert "had seen before" not in " ".join(verdict_sentences(v))
    assert "Your parameters may have been fitted on these very reviews, which flatters it." in verdict_sentences(v)
    assert verdict(names).in_sample == ()
    v = verdict_on(names, names, BASIS, compare(), in_sample={"SM-2", "FSRS-6"})  # type: ignore[arg-type]
    assert v.in_sample == ("SM-2",)
    assert "that neither had seen before" in verdict_sentences(verdict(names))[1]


def test_baselines() -> None:
    """SM-2, else the average, else the first; none where there is none."""
    assert choose_baseline(["FSRS-6", "AVG", "SM-2"]) == "SM-2"
    assert choose_baseline(["FSRS-6", "AVG"]) == "AVG"
    assert choose_baseline(["FSRS-6", "FSRS-5"]) == "FSRS-6"
    assert choose_baseline([]) is None


def test_another_baseline_can_be_chosen() -> None:
    """The verdict is about it; the headline is never compared with itself."""
    assert choose_baseline(["FSRS-6", "AVG", "SM-2"], "AVG") == "AVG"
    assert choose_baseline(["FSRS-6", "SM-2"], "AVG") == "SM-2"
    for chosen, pair in (("FSRS-5", ("FSRS-6", "FSRS-5")), ("FSRS-6", ("FSRS-6 recency", "FSRS-6"))):
        v = verdict_on(DEFAULT, DEFAULT, BASIS, compare(), chosen)  # type: ignore[arg-type]
        assert (v.algorithm, v.baseline) == pair
    for alone in ("SM-2", "FSRS-5"):
        v = verdict_on([alone], [alone], BASIS, compare(), alone)  # type: ignore[arg-type]
        assert (v.code, v.algorithm, v.baseline) == ("no_pair", alone, None)
    v = verdict_on(["SM-2", "AVG"], ["SM-2", "AVG"], BASIS, compare(), "SM-2")  # type: ignore[arg-type]
    assert (v.algorithm, v.baseline) == ("AVG", "SM-2")


def test_what_training_was_worth() -> None:
    """Against what the algorithm says that it was untrained, whatever the rows are called."""
    trained, published = "FSRS-7 recency", "FSRS-7 default"
    v = verdict(["AVG", trained, published], FSRS_7_recency_vs_FSRS_7_default=(-0.01, (-0.015, -0.005)))
    assert [(c.algorithm, c.baseline) for c in v.comparisons] == [(trained, "AVG"), (trained, published)]
    assert verdict_sentences(v)[-1].startswith(
        "Parameters trained on your reviews predict better than the published ones"
    )
