from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from evaluator.findings.rivalry import compare_rows, pair_verdict, strongest_claim
from evaluator.findings.thresholds import MANY
from evaluator.interval import MARGIN, ConfidenceInterval
from evaluator.report import ADJUSTED, OWN, Comparison
from evaluator.statistics.paired import paired_difference, realized_difference

from .made_people import SCORED, A, evaluation_of, even_outcomes, evidence_of


@pytest.mark.parametrize(
    ("would", "past", "n_reviews", "claim"),
    [
        *(((-2, -1), past, 9, "better") for past in ("better", "worse", "cannot_tell")),
        *(((1, 2), past, 9, "worse") for past in ("better", "worse", "cannot_tell")),
        *(((-MARGIN, MARGIN), past, 9, "equivalent") for past in ("better", "worse", "equivalent")),
        *(((-1, 1), past, MANY, f"{past}_past") for past in ("better", "worse")),
        *(((-1, 1), past, MANY, "close") for past in ("cannot_tell", "equivalent")),
        *(((-1, 1), past, MANY - 1, "early") for past in ("cannot_tell", "equivalent")),
        ((None, None), "too_few", MANY - 1, "early"),
        ((None, None), "rare_outcome", MANY, "close"),
    ],
)
def test_claim_on_further_reviews_overrides_the_claim_on_past_ones(would, past, n_reviews, claim):
    compared = Comparison("x", "y", ConfidenceInterval(0.0, -1.0, 1.0), past)
    assert strongest_claim(compared, ConfidenceInterval(0.0, *would), n_reviews) == claim


@pytest.mark.parametrize("past", ["cannot_tell", "equivalent", "rare_outcome"])
def test_open_comparison_without_an_interval_is_early(past):
    compared = Comparison("x", "y", ConfidenceInterval(0.0), past)
    assert strongest_claim(compared, ConfidenceInterval(0.0, -1.0, 1.0), MANY) == "early"


def test_rows_are_compared_on_the_given_reviews():
    evidence = evidence_of(A, predicted={"FSRS-6": np.where(even_outcomes(SCORED, 0.3), 0.95, 0.9)})
    mask = np.random.default_rng(3).random(SCORED) < 0.5
    loss = evidence.scoring.loss
    fitted = evidence.fitted
    for reviews, is_compared in ((None, np.ones(SCORED, dtype=bool)), (mask, mask)):
        difference = (loss(fitted["FSRS-6"].predicted) - loss(fitted[ADJUSTED].predicted))[is_compared]
        clusters = evidence.scoring.clusters.take(is_compared)
        rivalry = compare_rows(evidence, "FSRS-6", ADJUSTED, reviews)
        assert rivalry.comparison.difference == realized_difference(difference, clusters)
        assert (rivalry.would, rivalry.reviews) == (paired_difference(difference, clusters), is_compared.sum())


@pytest.mark.parametrize(
    ("name", "rival", "reviews"),
    [("FSRS-6", "FSRS-6", None), ("SM-2", OWN, None), (OWN, None, None), (OWN, ADJUSTED, np.zeros(SCORED, dtype=bool))],
)
def test_equal_or_missing_rows_and_no_reviews_are_not_compared(name, rival, reviews):
    assert compare_rows(evidence_of(A), name, rival, reviews) is None


DEFAULT = ("AVG", "SM-2", "FSRS-5 default", "FSRS-5", "FSRS-6 default", "FSRS-6", "FSRS-6 recency", "FSRS-7")


@pytest.mark.parametrize(
    ("names", "failed", "baseline", "table", "pair"),
    [
        (DEFAULT, (), None, "whole-day", ("FSRS-6", "SM-2")),
        (DEFAULT, (), None, "same-day", ("FSRS-7", "SM-2")),
        ((*DEFAULT, "Anki-SM-2"), (), None, "whole-day", ("FSRS-6", "Anki-SM-2")),
        ((*DEFAULT, "Anki-SM-2", ADJUSTED), (), None, "whole-day", ("FSRS-6", ADJUSTED)),
        (DEFAULT, ("FSRS-6", "SM-2"), None, "whole-day", ("FSRS-6 recency", "AVG")),
        (("FSRS-6", "SM-2"), ("SM-2",), None, "whole-day", ("FSRS-6", "SM-2")),
        (("AVG", "FSRS-5 default", "FSRS-6 default"), (), None, "whole-day", ("FSRS-6 default", "AVG")),
        (("AVG", "SM-2"), (), None, "whole-day", ("SM-2", "AVG")),
        (("FSRS-5", "FSRS-6"), (), None, "whole-day", ("FSRS-6", "FSRS-5")),
        (("something newer", "something new"), (), None, "whole-day", ("something newer", "something new")),
        (DEFAULT, (), "FSRS-5", "whole-day", ("FSRS-6", "FSRS-5")),
        (DEFAULT, (), "FSRS-6", "whole-day", ("FSRS-6 recency", "FSRS-6")),
        (("SM-2", "AVG"), (), "SM-2", "whole-day", ("AVG", "SM-2")),
        (("SM-2",), (), "SM-2", "whole-day", ("SM-2", None)),
        ((), (), None, "whole-day", (None, None)),
    ],
)
def test_pair_is_chosen_by_name(names, failed, baseline, table, pair):
    """Nothing has finished, so that no result can matter."""
    rows = [SimpleNamespace(algorithm=name, error="failed", in_sample=False) for name in failed]
    scoring = SimpleNamespace(clusters=SimpleNamespace(basis=None))
    options = SimpleNamespace(baseline=baseline, table=table, pasted=())
    evidence = SimpleNamespace(options=options, scoring=scoring, fitted={})
    verdict = pair_verdict(SimpleNamespace(results=rows), evidence, names)  # type: ignore[arg-type]
    assert (verdict.algorithm, verdict.baseline, verdict.rivalry) == (*pair, None)
    assert verdict.code == ("no_pair" if None in pair else "unfinished")


@pytest.mark.parametrize(
    ("rows", "as_is"),
    [
        (("FSRS-6", "SM-2", "Anki-SM-2", ADJUSTED), ("FSRS-6", "Anki-SM-2")),
        (("FSRS-6", "SM-2", ADJUSTED), ("FSRS-6", "SM-2")),
        (("FSRS-6", ADJUSTED), None),
        (("FSRS-6", "SM-2"), None),
        ((OWN, "SM-2", ADJUSTED), (OWN, "SM-2")),
    ],
)
def test_unadjusted_sm2_is_compared_besides_the_adjusted_one(rows, as_is):
    evidence = evidence_of(A, predicted={OWN: None, "FSRS-6": None, ADJUSTED: None, **dict.fromkeys(rows, 0.9)})
    verdict = pair_verdict(evaluation_of(evidence).report, evidence, rows)
    names = verdict.as_is and (verdict.as_is.comparison.algorithm, verdict.as_is.comparison.baseline)
    assert (verdict.code, names) == ("equivalent", as_is)
    assert verdict.rivalry == compare_rows(evidence, rows[0], rows[-1])
