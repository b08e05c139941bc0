"""The verdict: about which pair, and what it says."""

from __future__ import annotations

import re
from typing import Optional, Sequence

import pytest

from evaluator.interval import TOO_FEW, Interval, judge
from evaluator.report import Basis, Chance, Collections, Comparison, RarerOutcome, Verdict
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


BASIS = Basis(reviews=1234, cards=300, days=7)


def verdict(names: Sequence[str], finished: Optional[Sequence[str]] = None, **found: tuple[float, Ends]) -> Verdict:
    """The verdict on 1,234 reviews; all that were asked for have finished unless said otherwise."""
    return verdict_on(list(names), names if finished is None else finished, BASIS, compare(**found))  # type: ignore[arg-type]


DEFAULT = ("AVG", "SM-2", "FSRS-5 default", "FSRS-5", "FSRS-6 default", "FSRS-6", "FSRS-6 recency")


FOUND = [
    (-0.0412, (-0.0463, -0.0361), "better", ("0.0412", "0.0361 to 0.0463")),
    (0.02, (0.01, 0.03), "worse", ("0.0200", "0.0100 to 0.0300")),
    (-0.01, (-0.03, 0.01), "cannot_tell", ("0.0100", "\u22120.0100 to 0.0300")),  # counted in its own direction
    (0.01, (-0.01, 0.03), "cannot_tell", ("0.0100", "\u22120.0100 to 0.0300")),
    (0.0, (-0.1, 0.0), "cannot_tell", ()),  # only an interval that leaves out 0 decides
    (0.0, (0.0, 0.1), "cannot_tell", ()),
    (0.0003, (-0.0004, 0.0010), "equivalent", ("0.0003",)),
    (0.0005, (0.0001, 0.0009), "equivalent", ("0.0001 to 0.0009",)),
    (0.0, (-0.002, 0.002), "equivalent", ("0.0020",)),
    (0.0, (0.0, 0.0), "equivalent", ()),
    (-0.3, None, "too_few", ("0.3000",)),
    (0.0, None, "too_few", ()),  # without an interval nothing is called equal
]


@pytest.mark.parametrize(("difference", "interval", "code", "numbers"), FOUND)
def test_codes_and_numbers(difference: float, interval: Ends, code: str, numbers: Sequence[str]) -> None:
    v = verdict(["SM-2", "FSRS-6"], FSRS_6_vs_SM_2=(difference, interval))
    assert (v.code, v.algorithm, v.baseline, v.basis.reviews) == (code, "FSRS-6", "SM-2", 1234)
    answer, *lacking, in_numbers = verdict_sentences(v)
    assert "FSRS-6" in answer
    assert "SM-2" in answer
    assert not re.search(r"\d\.\d", answer)  # no number that has to be explained first
    assert all(number in in_numbers for number in ("1,234", *numbers))
    assert ("0.028" in in_numbers) == (code == "cannot_tell")  # the smallest difference that could have been shown
    assert ("0.002" in in_numbers) == (code == "equivalent")
    assert [re.findall(r"\d+", said) for said in lacking] == [["300", "7", "20", "8"]] * (code == "too_few")


NEVER = Interval(-0.3, reason="rare_outcome")


@pytest.mark.parametrize(
    ("rarer", "word"), [(RarerOutcome(0, 4, 3, 2), "pressed Again"), (RarerOutcome(1, 4, 3, 2), "remembered")]
)
def test_a_rare_outcome_is_said_with_numbers(rarer: RarerOutcome, word: str) -> None:
    """How many reviews, cards and days it has, and how many are needed."""
    basis = Basis(1234, 300, 60, rarer)
    c = Comparison("FSRS-6", "SM-2", NEVER, judge(NEVER), None)
    v = Verdict(c.code, "FSRS-6", "SM-2", basis, (c,))
    assert v.code == "rare_outcome"
    answer, lacking, _in_numbers = verdict_sentences(v)
    assert "cannot be told" in answer
    assert word in lacking
    assert re.findall(r"\d+", lacking) == ["4", "3", "2"]


def likely(better: float, code: str, better_for: int = 98) -> Chance:
    """The chance, by hundred others."""
    return Chance(better, code, -0.1, Collections(0, 1500, 100), better_for, "FSRS-5 recency", "SM-2")


@pytest.mark.parametrize(
    ("chance", "estimate", "words"),
    [
        (likely(0.995, "almost_certainly"), -0.1, ["FSRS-6 almost certainly knows", "98 of 100", "the same way"]),
        (likely(0.96, "very_probably"), 0.1, ["FSRS-6 very probably knows", "98 of 100", "the other way"]),
        (likely(0.15, "probably"), 0.1, ["Anki's SM-2 probably knows", "2 of 100", "the same way"]),
        (likely(0.6, "cannot_tell", 64), 0.1, ["It cannot be told", "64 of 100", "the other way"]),
    ],
)
def test_where_the_own_reviews_do_not_decide_the_chance_does(
    chance: Chance, estimate: float, words: Sequence[str]
) -> None:
    """What both together say, of how many others it is so, and where the own reviews point."""
    c = Comparison("FSRS-6", "Anki-SM-2", Interval(estimate, -1, 1, 0.5), "cannot_tell", 2.0, chance=chance)
    said = verdict_sentences(Verdict(c.code, "FSRS-6", "Anki-SM-2", BASIS, (c,)))
    assert all(word in sentence for word, sentence in zip(words, said, strict=False))
    assert len(said) == len(words) + 2
    assert "100 whole collections with fewer than 1,500 scored reviews" in said[-1]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("better", ["FSRS-6 knew better than Anki's SM-2", "The same was true for 98 of 100"]),
        ("worse", ["Anki's SM-2 knew better than FSRS-6", "The same was true for only 2 of 100"]),
        ("equivalent", ["equally well", "FSRS-6 is better for 98 of 100"]),
    ],
)
def test_where_the_own_reviews_decide_the_others_follow(code: str, words: Sequence[str]) -> None:
    chance = likely(0.5, "cannot_tell")
    c = Comparison("FSRS-6", "Anki-SM-2", Interval(0.1, -1, 1, 0.5), code, 2.0, chance=chance)
    said = verdict_sentences(Verdict(code, "FSRS-6", "Anki-SM-2", BASIS, (c,)))
    assert all(word in sentence for word, sentence in zip(words, said, strict=False))
    assert len(said) == len(words) + 2


@pytest.mark.parametrize(
    ("earlier", "later", "code", "words"),
    [
        (-0.04, 0.01, "better", ["FSRS-6", "SM-2"]),
        (0.01, -0.04, "better", ["SM-2", "FSRS-6"]),
        (0.01, -0.04, "cannot_tell", None),
        (-0.04, -0.01, "better", None),
        (0.0, 0.01, "worse", None),
        (-0.001, 0.001, "equivalent", None),
        (None, None, "too_few", None),
    ],
)
def test_halves_that_disagree_are_said(
    earlier: Optional[float], later: Optional[float], code: str, words: Optional[Sequence[str]]
) -> None:
    """Who predicted better in each; not where nothing is said of the whole either."""
    c = Comparison("FSRS-6", "SM-2", Interval(0.0, -0.01, 0.01), code, 0.02, earlier, later)
    said = verdict_sentences(Verdict(code, "FSRS-6", "SM-2", BASIS, (c,)))[1 + (code == "too_few") : -1]
    assert [re.findall(r"FSRS-6|SM-2", one) for one in said] == [words] * (words is not None)


@pytest.mark.parametrize("names", [(), ("SM-2",), ("FSRS-6",), ("AVG",)])
def test_no_pair(names: Sequence[str]) -> None:
    v = verdict(names)
    assert v.code == "no_pair"
    assert v.comparisons == ()
    second = "FSRS-6" if names in ((), ("SM-2",)) else "Anki-SM-2"
    (said,) = verdict_sentences(v)
    assert second in said


@pytest.mark.parametrize("finished", [("AVG",), ("AVG", "SM-2"), ("AVG", "FSRS-6")])
def test_no_verdict_on_a_pair_that_nobody_chose(finished: Sequence[str]) -> None:
    """When the work was stopped, or one of the pair failed, what happens to have finished is not judged instead."""
    v = verdict(DEFAULT, finished)
    assert (v.code, v.algorithm, v.baseline, v.comparisons) == ("unfinished", "FSRS-6", "SM-2", ())
    assert "FSRS-6" in verdict_sentences(v)[0]


@pytest.mark.parametrize(
    ("names", "pair"),
    [
        (DEFAULT, ("FSRS-6", "SM-2")),
        ((*DEFAULT, "Anki-SM-2"), ("FSRS-6", "Anki-SM-2")),
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
    """The newest FSRS that was run, against Anki's SM-2, else SM-2, else the average, else another."""
    v = verdict(names)
    assert (v.algorithm, v.baseline) == pair
    assert (v.comparisons[0].algorithm, v.comparisons[0].baseline) == pair


def asides(**found: tuple[float, Ends]) -> Sequence[str]:
    """What is said between the answer and its numbers."""
    return verdict_sentences(verdict(DEFAULT, FSRS_6_vs_SM_2=(-0.02, (-0.03, -0.01)), **found))[1:-1]


def test_did_training_pay() -> None:
    """Better, worse, and no difference that matters; nothing where it cannot be told."""
    said = set()
    for of in ((-0.02, (-0.03, -0.01)), (0.02, (0.01, 0.03)), (-0.0005, (-0.001, -0.0001))):
        (aside,) = asides(FSRS_6_vs_FSRS_6_default=of)
        assert "FSRS-6" in aside
        said.add(aside)
    assert len(said) == 3
    assert asides(FSRS_6_vs_FSRS_6_default=(0.5, None)) == asides(FSRS_6_vs_FSRS_6_default=(0, (-1, 1))) == ()


def test_worse_than_the_average_is_said_at_once() -> None:
    """Of the baseline and of the headline, where the interval shows it."""
    bad = (0.1246, (0.1, 0.15))
    baseline, headline = asides(SM_2_vs_AVG=bad, FSRS_6_vs_AVG=bad)
    assert ("SM-2" in baseline, "FSRS-6" in headline) == (True, True)
    assert asides(SM_2_vs_AVG=(0.1246, None), FSRS_6_vs_AVG=(-0.1, (-0.2, -0.05))) == ()


def test_average_as_baseline_is_compared_once() -> None:
    v = verdict(["AVG", "FSRS-6"], FSRS_6_vs_AVG=(0.1, (0.05, 0.15)))
    assert len(v.comparisons) == 1
    answer, _in_numbers = verdict_sentences(v)
    assert answer.startswith("Guessing your average every time")


def test_every_sentence_has_a_pair_behind_it() -> None:
    """The comparisons that the sentences rest on are kept with them, no pair twice."""
    v = verdict(DEFAULT)
    assert [(c.algorithm, c.baseline) for c in v.comparisons] == [
        ("FSRS-6", "SM-2"),
        ("FSRS-6", "FSRS-6 default"),
        ("SM-2", "AVG"),
        ("FSRS-6", "AVG"),
    ]


def test_what_has_seen_the_reviews_is_not_said_to_be_new_to_them() -> None:
    """The pair may hold an algorithm whose parameters were fitted on these reviews."""
    names = ["SM-2", "Your parameters"]
    v = verdict_on(names, names, BASIS, compare(), in_sample={"Your parameters"})  # type: ignore[arg-type]
    assert v.in_sample == ("Your parameters",)
    answer, evidence, flattered = verdict_sentences(v)
    assert "Your parameters" in flattered
    assert verdict(names).in_sample == ()
    assert verdict_sentences(verdict(names)) != (answer, evidence)
    v = verdict_on(names, names, BASIS, compare(), in_sample={"SM-2", "FSRS-6"})  # type: ignore[arg-type]
    assert v.in_sample == ("SM-2",)


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
    assert "0.0100" in verdict_sentences(v)[-1]
