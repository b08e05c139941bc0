from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import Any, Dict, List

import numpy as np
import pytest
from catalog_helpers import snapshot_with_presets
from made_logs import CLOCK, LEARN, RELEARN, Answer, card, learner, log_of, similar_cards, table_of
from sentence_matching import contains_sentence, matches_sentence

from evaluator.data.revlog import Snapshot
from evaluator.data.selection import select
from evaluator.errors import NothingInScope, NothingSince, PartEmpty, TooFewReviews
from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.scope import ScopeChoice
from evaluator.scoring.report_builder import Evaluation
from ui.text.error_sentences import error_sentence
from ui.text.phrases import scope_words
from ui.views.scope_sentences import choice_sentences

NAMES = ("AVG", "SM-2", "FSRS-6", "FSRS-6 default", "FSRS-7 default")


def evaluate_with(snapshot: Snapshot, names: Any = NAMES, **options: Any) -> Evaluation:
    return evaluate(snapshot, Options(algorithms=tuple(names), **options))


def select_cards(snapshot: Snapshot, *card_ids: int) -> Snapshot:
    return select(snapshot, ScopeChoice("cards", "Mine"), card_ids)


def count_outcomes(evaluation: Evaluation) -> Dict[str, int]:
    """Return the number of rows with each outcome. Outcomes without rows are left out."""
    return {step.step: step.rows for step in evaluation.report.funnel if step.rows}


def results(evaluation: Evaluation) -> List[Any]:
    """Return the rows of the report without the list of inputs, which depends on hidden same-day reviews."""
    return [replace(row, uses="") for row in evaluation.report.results]


class TestCardSelection:
    def test_chosen_cards_give_the_numbers_of_their_own_log(self):
        snapshot = learner(cards=120)
        chosen = np.arange(0, 120, 2)
        mask = np.isin(snapshot.revlog.card_id, chosen)
        part = evaluate_with(select_cards(snapshot, *chosen))
        separate = evaluate_with(Snapshot(snapshot.revlog.take(mask), CLOCK))
        assert results(part) == results(separate)
        assert count_outcomes(part) == {"outside_scope": int((~mask).sum()), **count_outcomes(separate)}
        assert sum(step.rows for step in part.report.funnel) == len(snapshot.revlog)
        assert set(part.predictions.card_id.tolist()) <= set(chosen.tolist())

    def test_chosen_cards_keep_the_parameters_of_their_preset(self):
        snapshot = snapshot_with_presets()
        chosen = snapshot.cards.card_id[snapshot.cards.preset_id == 20]
        names = ["Your parameters", "FSRS-6 default"]
        every, part = (evaluate_with(log, names).predictions for log in (snapshot, select_cards(snapshot, *chosen)))
        mask = np.isin(every.review_id, part.review_id)
        for name in names:
            np.testing.assert_array_equal(part.predicted[name], every.predicted[name][mask])
        assert (part.predicted[names[0]] != part.predicted[names[1]]).all()

    def test_cards_without_a_review_are_an_error(self):
        choice = ScopeChoice("deck", "Languages::French")
        for cards in ([], [901, 902]):
            text = f"there are no reviews yet (cards: {len(cards)})."
            snapshot = learner()
            selected = select_cards(snapshot, *cards).selection
            with pytest.raises(NothingInScope) as caught:
                evaluate_with(replace(snapshot, selection=replace(selected, choice=choice)))
            assert contains_sentence(error_sentence(caught.value), f"Deck Languages::French with subdecks: {text}")

    def test_search_without_cards_is_an_error(self):
        selected = select_cards(learner()).selection
        search = replace(selected, choice=ScopeChoice("search", "tag:hard"))
        with pytest.raises(PartEmpty) as caught:
            evaluate_with(replace(learner(), selection=search))
        expected = "The search 'tag:hard' finds no cards. Correct it, or leave it out."
        assert error_sentence(caught.value) == expected

    @pytest.mark.parametrize(
        ("cards", "options", "kind", "expected"),
        [
            ([0], {"outlier_filter": False, "folds": 9}, TooFewReviews, "5 reviews can be tested, but at least 10 "),
            (range(40), {"since": dt.date(2100, 1, 1)}, NothingSince, "There are no reviews to test from 2100-01-01"),
        ],
    )
    def test_too_few_reviews_in_the_scope_are_an_error(self, cards, options, kind, expected):
        with pytest.raises(kind) as caught:
            evaluate_with(select_cards(learner(), *cards), **options)
        assert contains_sentence(error_sentence(caught.value), f"Mine: {expected}")
        facts = {name: fact for name, fact in caught.value.facts.items() if name != "choice"}
        # A date is mistyped more easily than reviews are missing.
        assert ("others" in facts) == (kind is TooFewReviews)
        unscoped = kind(**facts)
        assert error_sentence(unscoped) == error_sentence(caught.value)[len("Mine: ") :]


class TestSameDayReviews:
    def test_hidden_same_day_reviews_count_as_if_not_in_the_log(self):
        snapshot = learner()
        is_same_day = np.array([outcome == "same_day" for outcome in table_of(snapshot.revlog).outcomes()])
        assert is_same_day.sum() > 20
        names = [*NAMES, "FSRS-7", "DASH", "GRU-P"]
        hidden = evaluate_with(snapshot, names, same_day=False)
        removed = evaluate_with(Snapshot(snapshot.revlog.take(~is_same_day), CLOCK), names)
        assert results(hidden) == results(removed)

    def test_only_algorithms_with_same_day_inputs_change(self):
        snapshot = learner()
        result = evaluate_with(snapshot)
        hidden = evaluate_with(snapshot, same_day=False)
        np.testing.assert_array_equal(result.predictions.review_id, hidden.predictions.review_id)
        for name in NAMES:
            is_equal = (result.predictions.predicted[name] == hidden.predictions.predicted[name]).all()
            assert is_equal == (name in {"AVG", "SM-2"}), name
        assert "same_day" in result.report.result("FSRS-6").uses
        assert "same_day" not in hidden.report.result("FSRS-6").uses

    def test_hidden_same_day_reviews_are_counted_as_left_out(self):
        snapshot = learner()
        hidden = evaluate_with(snapshot, ["AVG"], same_day=False)
        expected = count_outcomes(evaluate_with(snapshot, ["AVG"]))
        expected["same_day_left_out"] = expected.pop("same_day")
        assert count_outcomes(hidden) == expected

    def test_row_limit_counts_hidden_same_day_rows(self):
        """A card with more than 128 rows keeps the same reviews, whether its same-day rows are hidden or not."""
        answers = card(1, 3, *[(0, 3) if step % 2 else (1, 1 if step % 5 == 0 else 3) for step in range(200)])
        log = log_of([*similar_cards(), *answers])
        result, hidden = (table_of(log, same_day=same_day).reviews for same_day in (True, False))
        np.testing.assert_array_equal(result.review_id, hidden.review_id)
        np.testing.assert_array_equal(result.lapses, hidden.lapses)

    def test_elapsed_seconds_ignore_hidden_rows(self):
        answers = [Answer(1, 0, 3, LEARN), Answer(1, 1, 1, minute=10), Answer(1, 1, 3, RELEARN, minute=40)]
        log = log_of([*similar_cards(), *answers, Answer(1, 2, minute=10)])
        rows = table_of(log, same_day=False).rows
        mask = rows.card_id == 1
        assert rows.position[mask].tolist() == [0, 1, 2]
        assert rows.elapsed_days[mask].tolist() == [0, 1, 1]
        assert rows.elapsed_seconds[mask].tolist() == [0, 86_400 + 600, 86_400]


def test_outliers_are_kept_without_the_filter():
    answers = [*similar_cards(cards=60), *card(1, 3, (77, 1), (5, 3), (9, 3))]
    answers += [answer for n in range(40) for answer in card(100 + n, 3, (1, 1 if n % 3 == 0 else 3), start=n)]
    snapshot = Snapshot(log_of(answers), CLOCK)
    evaluations = evaluate_with(snapshot), evaluate_with(snapshot, outlier_filter=False)
    with_filter, without_filter = (count_outcomes(evaluation) for evaluation in evaluations)
    filtered_rows = with_filter["outlier"] + with_filter["after_outlier"]
    assert filtered_rows == 3
    assert not {"outlier", "after_outlier"} & set(without_filter)
    with_count, without_count = (rows["training_only"] + rows["scored"] for rows in (with_filter, without_filter))
    assert without_count == with_count + filtered_rows
    assert [evaluation.report.scope.outlier_filter for evaluation in evaluations] == [True, False]


def test_scope_is_described_in_words():
    assert matches_sentence(scope_words("deck_id", "17"), "Deck number 17")
    assert matches_sentence(scope_words("preset", "Hard"), "Preset Hard")
    scope = evaluate_with(learner(), ["AVG"]).report.scope
    (since,) = choice_sentences(replace(scope, since="2024-05-01"))
    assert matches_sentence(since, "Reviews before 2024-05-01 were history only.")
