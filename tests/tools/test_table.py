"""The terminal's table, from reports made by hand."""

from __future__ import annotations

import textwrap

from evaluator.report import AlgorithmResult, FunnelStep, Report, Scope, Verdict
from tools.table import render

SCOPE = Scope(
    reviews=1234, cards=1, days=90, first_day="2024-01-01", last_day="2024-03-30", recalled=0.875, folds=5,
    since=None, day_cutoff=1_711_936_800, utc_offset_minutes=-210, rollover_hour=3, day_cutoff_assumed=False,
)  # fmt: skip


def result(name: str, log_loss: float | None, **fields: object) -> AlgorithmResult:
    known = {"rmse_bins": 0.0325, "rmse_bins_benchmark": 0.1, "auc": None, **fields}
    if log_loss is None:
        known = fields
    return AlgorithmResult(name, "family", "description", False, 0, "ratings", 1234, log_loss, **known)


def report(**changes: object) -> Report:
    values = {
        "software": "SRS Evaluator",
        "scope": SCOPE,
        "funnel": (
            FunnelStep("cram", "left out", 12),
            FunnelStep("outlier", "left out", 0),
            FunnelStep("scored", "scored", 1234),
        ),
        "baseline": "SM-2",
        "best": "FSRS-6",
        "results": (
            result("FSRS-6", 0.31234, auc=0.7),
            result("SM-2", 0.5),
            result("FSRS-5", None, error="its fit did not settle."),
        ),
        "verdict": Verdict("better", "FSRS-6", "SM-2", 1234, (), ("One sentence.", "Another.")),
        **changes,
    }
    return Report(**values)


def test_the_whole_text():
    assert render(report()) == textwrap.dedent("""\
        One sentence. Another.

        Algorithm          Log loss  RMSE (bins)  RMSE (bins, benchmark)    AUC
        -----------------------------------------------------------------------
        * FSRS-6             0.3123       3.25 %                 10.00 %  0.700
          SM-2 (baseline)    0.5000       3.25 %                 10.00 %      -
          FSRS-5                  -            -                       -      -

        * lowest log loss. Lower is better: Log loss, RMSE (bins) and RMSE (bins, benchmark). Higher is
        better: AUC.
        FSRS-5 could not be evaluated: its fit did not settle.

        Whole collection. Scored: 1,234 reviews of 1 card on 90 days from 2024-01-01 to 2024-03-30, 87.5_%
        remembered. In each of 5 folds, algorithms were trained on earlier reviews only. A day begins at
        03:00, UTC-03:30.

        Of the 1,246 rows of the review log:
             12  cramming reviews
          1,234  scored reviews
        """).replace("_", "\N{NO-BREAK SPACE}")


def test_all_that_cannot_be_told_from_the_best_are_marked():
    """And the line below says so; of the best it says how much of its RMSE (bins) is chance."""
    best = result("FSRS-6", 0.31, rmse_bins_floor=0.02, rmse_bins_excess=0.0256)
    rows = (best, result("FSRS-5", 0.311), result("SM-2", 0.5))
    text = render(report(results=rows, best_set=("FSRS-6", "FSRS-5"))).replace("\N{NO-BREAK SPACE}", " ")
    assert [line[:8] for line in text.splitlines()[4:7]] == ["* FSRS-6", "* FSRS-5", "  SM-2 ("]
    assert "\n* cannot be told from the best on these reviews. Lower is better" in text
    assert "\nFSRS-6: Of the RMSE (bins) of 3.25 %, chance alone would make 2.00 %; what is beyond" in text


def test_what_was_not_run_is_said():
    assert "Not run: FSRS-6 recency." in render(report(unfinished=("FSRS-6 recency",)))


def test_an_assumed_day_is_said():
    scope = Scope(**{**vars(SCOPE), "utc_offset_minutes": None, "rollover_hour": 4, "day_cutoff_assumed": True})
    assert "Nothing says when a day begins; 04:00 UTC was assumed." in " ".join(render(report(scope=scope)).split())


def test_a_day_that_was_given_in_utc_is_said_in_utc():
    scope = Scope(**{**vars(SCOPE), "utc_offset_minutes": None, "day_cutoff": 86_400 * 100 + 3600 * 19 + 60 * 30})
    assert "A day begins at 19:30 UTC." in " ".join(render(report(scope=scope)).split())


def test_a_start_date_is_said():
    scope = Scope(**{**vars(SCOPE), "since": "2024-01-01"})
    assert "Reviews before 2024-01-01 were history only." in " ".join(render(report(scope=scope)).split())


def test_what_may_have_seen_the_reviews_is_marked():
    """In the row, and in words below the table."""
    own = result("Your parameters", 0.31, in_sample=True)
    text = render(report(results=(own, result("SM-2", 0.42))))
    assert "Your parameters (in-sample)" in text
    assert "In-sample: Your parameters may have been fitted on these very reviews." in text
