from __future__ import annotations

from dataclasses import replace
from typing import Optional, Tuple

import numpy as np
import pytest
from reference_sets import snapshot

from evaluator.data.revlog import Cards, Deck, Preset, Snapshot
from evaluator.evaluation import evaluate
from evaluator.metrics.scores import log_loss_per_review
from evaluator.options import Options
from evaluator.report import Failure, Report, to_json
from evaluator.scoring.report_builder import Evaluation
from evaluator.sections import add_sections
from evaluator.sections.groups import Group, Grouping, _has_enough_outcomes
from evaluator.statistics.paired import Clusters, realized_difference

#: Decks 10 and 11 share preset 1; deck 12 has preset 2.
PRESETS = (Preset(1, "Default", ()), Preset(2, "Spanish", ()))
DECKS = (Deck(10, "Law"), Deck(11, "Law::Contracts"), Deck(12, "Spanish"))


def with_groups(presets: Optional[Tuple[Preset, ...]] = PRESETS) -> Snapshot:
    """Return a simulated log with its cards in three decks and one in eight deleted."""
    log = snapshot("sim-a")
    card_id = np.unique(log.revlog.card_id)
    exists = np.arange(len(card_id)) % 8 > 0
    deck_id = 10 + np.array([0, 0, 2, 2, 1, 2, 2, 2])[np.arange(len(card_id)) % 8]
    cards = Cards(card_id[exists], deck_id[exists], np.where(deck_id == 12, 2, 1)[exists])
    return replace(log, cards=cards, presets=presets, decks=DECKS)


def with_section(log: Snapshot, *algorithms: str) -> Evaluation:
    return add_sections(evaluate(log, Options(algorithms)), ["groups"])


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return with_section(with_groups(), "AVG", "SM-2", "FSRS-6 default")


def grouping(report: Report, by: str) -> Grouping:
    return next(result for result in report.section("groups") if result.by == by)


def group(report: Report, by: str, name: str) -> Group:
    return next(part for part in grouping(report, by).groups if part.name == name)


def test_largest_groups_are_first_and_deleted_cards_last(evaluation: Evaluation) -> None:
    presets, decks = (grouping(evaluation.report, by).groups for by in ("preset", "deck"))
    assert [(part.label, part.name) for part in presets] == [(2, "Spanish"), (1, "Default"), (None, "")]
    assert [part.name for part in decks] == ["Spanish", "Law", "Law::Contracts", ""]
    for parts in (presets, decks):
        sizes = [part.reviews for part in parts if part.label is not None]
        assert sizes == sorted(sizes, reverse=True)
        assert sum(part.reviews for part in parts) == evaluation.report.scope.reviews
        assert sum(part.cards for part in parts) == evaluation.report.scope.cards


def test_numbers_come_from_the_reviews_of_the_group(evaluation: Evaluation) -> None:
    log, p = with_groups(), evaluation.predictions
    assert log.cards is not None
    assert log.cards.preset_id is not None
    in_group = np.isin(p.card_id, log.cards.card_id[log.cards.preset_id == 2])
    assert evaluation.evidence is not None
    tested = evaluation.evidence.tested
    result = group(evaluation.report, "preset", "Spanish")
    assert (result.reviews, result.cards) == (in_group.sum(), len(np.unique(p.card_id[in_group])))
    assert result.recalled == pytest.approx(p.recalled[in_group].mean())
    assert [row.algorithm for row in result.algorithms] == ["FSRS-6 default", "SM-2"]
    fsrs, sm2 = result.algorithms
    loss, baseline = (
        log_loss_per_review(p.predicted[name], p.recalled)[in_group] for name in ("FSRS-6 default", "SM-2")
    )
    assert (fsrs.log_loss, sm2.log_loss) == pytest.approx((loss.mean(), baseline.mean()))
    d = realized_difference(loss - baseline, Clusters.of(p.card_id[in_group], tested.day[in_group]))
    c = fsrs.against_baseline
    assert c is not None
    assert c.difference == d
    assert (c.algorithm, c.baseline, c.code) == ("FSRS-6 default", "SM-2", "better")
    assert sm2.against_baseline is None


def test_calibration_is_the_difference_on_these_reviews_for_all_groups_at_once(evaluation: Evaluation) -> None:
    p, evidence = evaluation.predictions, evaluation.evidence
    assert evidence is not None
    # The labels start at -1 for deleted cards.
    label = 1 + evidence.data.label("deck")[-len(p.card_id) :]
    parts = grouping(evaluation.report, "deck").groups
    assert len(parts) == 4
    for part in parts:
        gap = part.algorithms[1].recalled_minus_predicted
        reviews = label == (0 if part.label is None else 1 + part.label)
        error = (p.recalled - p.predicted["SM-2"])[reviews]
        assert gap == realized_difference(error, evidence.scoring.clusters.take(reviews), n_intervals=4)


def test_skill_compares_with_the_groups_own_average(evaluation: Evaluation) -> None:
    evidence = evaluation.evidence
    assert evidence is not None
    label, recalled = evidence.data.label("deck"), evidence.data.reviews.recalled
    k = n = 0
    losses = []
    for number, (deck, outcome) in enumerate(zip(label.tolist(), recalled.tolist(), strict=True)):
        if deck == 12:
            guess = (k + (recalled[:number].sum() + 0.5) / (number + 1)) / (n + 1)
            if number >= len(recalled) - len(evidence.tested):
                losses.append(-np.log(guess if outcome else 1 - guess))
            k, n = k + outcome, n + 1
    result = group(evaluation.report, "deck", "Spanish")
    assert len(result.algorithms) == 2
    for row in result.algorithms:
        assert row.skill == pytest.approx(1 - row.log_loss / np.mean(losses))


def test_group_with_a_rare_outcome_has_no_skill() -> None:
    log = with_groups()
    p = with_section(log, "AVG", "SM-2").predictions
    never_forgotten = np.setdiff1d(p.card_id, p.card_id[p.recalled == 0])
    assert log.cards is not None
    deck_id = np.where(np.isin(log.cards.card_id, never_forgotten), 10, 12)
    report = with_section(replace(log, cards=replace(log.cards, deck_id=deck_id)), "AVG", "SM-2").report
    assert {row.skill for row in group(report, "deck", "Law").algorithms} == {None}
    assert None not in {row.skill for row in group(report, "deck", "Spanish").algorithms}
    assert [_has_enough_outcomes(np.repeat([1, 0], [30, lapses])) for lapses in (9, 10)] == [False, True]


@pytest.mark.parametrize(("algorithm", "shown"), [("AVG", "AVG"), ("FSRS-6", "FSRS-6 default")])
def test_groups_show_the_algorithm_of_the_verdict_or_the_best(
    evaluation: Evaluation, algorithm: str, shown: str
) -> None:
    """FSRS-6 has no result."""
    report = evaluation.report
    rivalry = report.verdict.rivalry if algorithm == "AVG" else None
    verdict = replace(report.verdict, algorithm=algorithm, rivalry=rivalry)
    changed = replace(evaluation, report=replace(report, verdict=verdict))
    parts = add_sections(changed, ["groups"]).report.section("groups")[0].groups
    assert [[row.algorithm for row in part.algorithms] for part in parts] == [[shown, "SM-2"]] * 3


def test_presets_with_equal_names_are_numbered() -> None:
    twins = (Preset(1, "Default", ()), Preset(2, "Default", ()))
    report = with_section(with_groups(twins), "AVG", "SM-2").report
    assert [part.name for part in grouping(report, "preset").groups] == ["Default (2)", "Default (1)", ""]


def test_decks_equal_to_presets_are_not_repeated() -> None:
    log = with_groups()
    assert log.cards is not None
    alike = replace(log.cards, deck_id=np.where(log.cards.preset_id == 2, 12, 10))
    report = with_section(replace(log, cards=alike), "AVG", "SM-2").report
    assert [result.by for result in report.section("groups")] == ["preset"]


def test_sources_without_settings_have_no_groups() -> None:
    report = with_section(snapshot("sim-c"), "AVG", "SM-2").report
    assert [result.groups for result in report.section("groups")] == [(), ()]
    assert report.section("groups")[0].error == Failure("decks_unknown", {"what": "preset"})
    log = with_groups()
    assert log.cards is not None
    numbers = replace(log, cards=replace(log.cards, preset_id=None), presets=None, decks=None)
    report = with_section(numbers, "AVG", "SM-2").report
    assert grouping(report, "preset").error is not None
    assert [part.name for part in grouping(report, "deck").groups] == ["12", "10", "11", ""]


def test_single_algorithm_has_no_comparison() -> None:
    result = grouping(with_section(with_groups(), "SM-2").report, "preset")
    assert result.baseline is None
    assert [[row.against_baseline for row in part.algorithms] for part in result.groups] == [[None]] * 3


def test_json_is_the_same_each_time(evaluation: Evaluation) -> None:
    assert to_json(add_sections(evaluation, ["groups"]).report) == to_json(evaluation.report)
