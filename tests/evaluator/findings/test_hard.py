from __future__ import annotations

from math import exp, log
from typing import List, Sequence, Tuple

import numpy as np
import pytest
from made_logs import CLOCK, Answer, card, log_of, similar_cards

from evaluator.algorithms import CATALOG
from evaluator.data.dataset import Dataset
from evaluator.data.revlog import Snapshot
from evaluator.derivatives import Floats
from evaluator.evaluation import evaluate, prepare
from evaluator.findings import hard as hard_module
from evaluator.findings.hard import AGAIN, HARD, Explanation, Mixture, hard_and_next, probability_of_hard
from evaluator.findings.thresholds import HARD_LIMIT, HARD_LIMIT_PER_REVIEW, HARD_PER_LAPSE
from evaluator.options import Options
from evaluator.progress import SILENT
from evaluator.report import Hard

W = [p.default for p in CATALOG["FSRS-6"].parameters]
FACTOR: float = 0.9 ** (-1 / W[20]) - 1


def recall(days: float, stability: float) -> float:
    return (1 + FACTOR * days / stability) ** -W[20]


def stability_after_hard(stability: float, difficulty: float, r: float, w15: float) -> float:
    """Return the stability after Hard by the published formula."""
    return stability * (1 + exp(W[8]) * (11 - difficulty) * stability ** -W[9] * (exp(W[10] * (1 - r)) - 1) * w15)


def stability_after_again(stability: float, difficulty: float, r: float) -> float:
    """Return the stability after Again by the published formula."""
    after = W[11] * difficulty ** -W[12] * ((stability + 1) ** W[13] - 1) * exp(W[14] * (1 - r))
    return min(after, stability / exp(W[17] * W[18]))


def dataset(*answers: Answer) -> Dataset:
    return prepare(Snapshot(log_of(answers), CLOCK), Options(folds=2))[0]


#: Learned with Good, remembered with Hard after 3 days, forgotten 5 days later.
FORGOTTEN = card(1, 3, (3, 2), (5, 1))


def mixture_of(data: Dataset) -> Mixture:
    return Mixture.of(data, np.array(W), *hard_and_next(data))


def best_explanations(mixture: Mixture) -> Tuple[Explanation, Explanation]:
    """Return the best explanation with and without lapses that were answered with Hard."""
    return (
        mixture.best_explanation((0.0, hard_module.MAX_SHARE), (hard_module.MIN_W15, 1.0), SILENT),
        mixture.best_explanation((0.0, 0.0), (0.0, 1.0), SILENT),
    )


class TestWhichReviews:
    @pytest.mark.parametrize(
        ("steps", "result"),
        [
            ([(3, 2), (5, 1)], [(3, 5)]),
            # The next review may be Hard too.
            ([(3, 2), (5, 2), (7, 3)], [(3, 5), (5, 7)]),
            ([(3, 3), (5, 1)], []),
            # There is no next review, or it is on the same day.
            ([(3, 2)], []),
            ([(3, 2), (0, 3), (5, 3)], []),
            # Hard is not the first answer of its day.
            ([(3, 3), (0, 2), (5, 3)], []),
        ],
    )
    def test_next_review_of_the_card_is_on_another_day(self, steps, result):
        data = dataset(
            *card(1, 3, *steps), *similar_cards(3, 3), *similar_cards(3, 5, number=20_000), *card(5, 3, (3, 1))
        )
        hard, after = hard_and_next(data)
        days = data.reviews.elapsed_days
        assert list(zip(days[hard].tolist(), days[after].tolist(), strict=True)) == result
        assert (data.reviews.card_id[hard] == 1).all()

    def test_first_answer_with_hard_is_not_counted(self):
        data = dataset(*card(1, 2, (3, 3), (5, 1)), *similar_cards(2, 3))
        assert len(hard_and_next(data)[0]) == 0


class TestByHand:
    mixture = mixture_of(dataset(*FORGOTTEN, *similar_cards(3, 3)))
    #: Difficulty after a first Good, whose stability is w2.
    difficulty = W[4] - exp(W[5] * 2) + 1
    r = recall(3, W[2])

    def test_both_states_match_hand_calculation(self):
        again = recall(5, stability_after_again(W[2], self.difficulty, self.r))
        assert self.mixture.recall_after(1, 1.0) == pytest.approx([again])
        for w15 in (0.0, 0.7):
            hard = recall(5, stability_after_hard(W[2], self.difficulty, self.r, w15))
            assert self.mixture.recall_after(2, w15) == pytest.approx([hard])

    def test_probability_of_a_lapse_follows_the_formula(self):
        """All predictions before Hard are equal, so that the chance of Hard is its share, 1 of 22 reviews."""
        odds = (1 - self.r) / (1 / 22)
        assert self.mixture.odds == pytest.approx([odds])
        assert self.mixture.lapse_probability(0.2) == pytest.approx([0.2 / 0.8 * odds])
        assert self.mixture.lapse_probability(0.9).tolist() == [1.0]
        assert self.mixture.lapse_probability(0.0).tolist() == [0.0]

    def test_mixture_and_likelihood_match_hand_calculation(self):
        again = recall(5, stability_after_again(W[2], self.difficulty, self.r))
        hard = recall(5, stability_after_hard(W[2], self.difficulty, self.r, 0.6))
        pi = 0.2 / 0.8 * (1 - self.r) * 22
        mixed = pi * again + (1 - pi) * hard
        assert mixed_recall(self.mixture, 0.2, 0.6) == pytest.approx([mixed])
        result = self.mixture.best_explanation((0.2, 0.2), (0.6, 0.6), SILENT)
        assert result == pytest.approx((log(1 - mixed), 0.2, 0.6))

    def test_forgotten_review_is_evidence_for_lapses(self):
        mixed, honest_fit = best_explanations(self.mixture)
        odds = 22 * (1 - self.r)
        assert mixed.w15 == hard_module.MIN_W15
        assert honest_fit.w15 == 0
        # At this share, the probability of a lapse becomes 1.
        min_share = 1 / (1 + odds)
        assert min_share <= mixed.share < min_share + hard_module.FINE_STEP
        again = recall(5, stability_after_again(W[2], self.difficulty, self.r))
        # With w15 = 0 the stability stays.
        honest = recall(5, W[2])
        assert mixed.log_likelihood - honest_fit.log_likelihood == pytest.approx(log((1 - again) / (1 - honest)))


class TestChanceOfHard:
    def test_chance_is_the_share_at_each_of_two_predictions(self):
        predicted = np.repeat([0.8, 0.95], 5)
        chance = probability_of_hard(predicted, np.array([1, 1, 0, 0, 0, 1, 0, 0, 0, 0]))
        assert chance == pytest.approx(np.repeat([0.4, 0.2], 5))

    @pytest.mark.parametrize("predicted", [[0.9, 0.9, 0.9, 0.9], [0.5, 0.9, 0.9, 0.95]])
    def test_chance_without_a_line_is_the_share_of_all(self, predicted):
        assert probability_of_hard(np.array(predicted), np.array([1, 0, 0, 0])).tolist() == [0.25] * 4


def mixed_recall(mixture: Mixture, share: float, w15: float) -> Floats:
    """Return the predicted recall in the next review (n,) if this share of lapses was answered with Hard."""
    after_hard = mixture.recall_after(HARD, w15)
    return after_hard + mixture.lapse_probability(share) * (mixture.recall_after(AGAIN, 1.0) - after_hard)


def random_mixture() -> Mixture:
    """Draw reviews of a user who answered half of the lapses with Hard."""
    reviews = 400
    random = np.random.default_rng(3)
    stability = random.uniform(2, 40, reviews)
    difficulty = random.uniform(2, 9, reviews)
    elapsed = np.rint(stability) + 1
    odds = random.uniform(0.05, 0.9, reviews)
    unknown = Mixture(np.array(W), stability, difficulty, elapsed, odds, 2 * elapsed, np.zeros(reviews, dtype=bool))
    recalled = random.random(reviews) < mixed_recall(unknown, 0.5, 0.8)
    return Mixture(np.array(W), stability, difficulty, elapsed, odds, 2 * elapsed, recalled)


def test_search_finds_the_highest_likelihood():
    mixture = random_mixture()

    def log_likelihood(share, w15):
        p = mixed_recall(mixture, share, w15)
        return float(np.log(np.where(mixture.recalled, p, 1 - p)).sum())

    mixed, honest = best_explanations(mixture)
    assert mixed.log_likelihood == pytest.approx(log_likelihood(mixed.share, mixed.w15))
    grid = [log_likelihood(m, w) for m in np.arange(0, 0.951, 0.02) for w in np.arange(0.5, 1.01, 0.05)]
    assert mixed.log_likelihood >= max(grid) - 1e-3
    assert honest.log_likelihood >= max(log_likelihood(0.0, w) for w in np.arange(0, 1.001, 0.02)) - 1e-3
    assert mixed.share == pytest.approx(0.5, abs=0.15)


def cards_after_hard(reviews: int, forgotten: int) -> List[Answer]:
    """Return cards with one review after Hard each, some of them forgotten, and further cards without Hard."""
    cards = [card(number, 3, (3, 2), (5, 1 if number <= forgotten else 3)) for number in range(1, reviews + 1)]
    return [answer for of_card in cards for answer in of_card] + similar_cards(3, 3, cards=40) + card(9_999, 3, (3, 1))


def hard_result(answers: Sequence[Answer], *algorithms: str) -> Hard:
    options = Options(algorithms=algorithms or ("FSRS-6",), folds=2)
    result = evaluate(Snapshot(log_of(answers), CLOCK), options).report.hard
    assert result is not None
    return result


class TestTooFew:
    @pytest.mark.parametrize(
        ("reviews", "forgotten", "reason"),
        [(0, 0, "no_hard"), (49, 20, "few_reviews"), (50, 4, "few_forgotten"), (50, 5, None)],
    )
    def test_result_needs_minimum_numbers(self, reviews, forgotten, reason):
        result = hard_result(cards_after_hard(reviews, forgotten))
        assert result.reason == reason
        assert (result.hard_answers, result.reviews) == (reviews, reviews)
        assert (result.code == "too_few") == (reason is not None)
        for value in (result.share, result.likelihood_ratio, result.limit):
            assert (value is None) == (reason is not None)

    def test_predictions_before_each_button_are_averaged_and_frequent_hard_is_noticed(self):
        """The user presses Hard for 90% of lapses, and repeats each on the same day, as after Again."""
        random = np.random.default_rng(5)
        cards = []
        for number in range(1, 121):
            steps = []
            for _ in range(5):
                forgot = random.random() < 0.15
                steps += [(4, 1 if random.random() < 0.1 else 2), (0, 3)] if forgot else [(4, 3)]
            cards += card(number, 3, *steps)
        evaluation = evaluate(Snapshot(log_of(cards), CLOCK), Options(("FSRS-6",), folds=2))
        result = evaluation.report.hard
        data = evaluation.evidence.data
        rating = data.rows.rating[data.reviews.row[data.folds[0].test_start :]]
        predicted = evaluation.predictions.predicted["FSRS-6"]
        assert (result.reason, result.reviews) == ("few_reviews", 0)
        assert result.predicted == pytest.approx([predicted[rating == button].mean() for button in (1, 2, 3)])
        assert result.frequent
        assert np.count_nonzero(rating == HARD) > HARD_PER_LAPSE * np.count_nonzero(rating == AGAIN)
        without = hard_result(cards_after_hard(0, 0))
        assert (without.predicted, without.frequent) == ((), False)

    def test_result_is_unknown_without_its_algorithm(self):
        result = hard_result(cards_after_hard(60, 20), "SM-2")
        assert (result.code, result.reason, result.reviews) == ("too_few", "not_evaluated", 60)


def test_limit_grows_with_the_reviews_after_hard_only():
    # The last card has no review after Hard.
    data = dataset(*cards_after_hard(60, 20), *card(20_000, 3, (3, 2)))
    result = hard_module.examine(data, np.array(W), SILENT)
    assert (result.hard_answers, result.reviews) == (61, 60)
    assert result.limit == pytest.approx(HARD_LIMIT + result.reviews * HARD_LIMIT_PER_REVIEW)


@pytest.mark.parametrize(
    ("share", "margin", "code"), [(0.2, 0.1, "suspected"), (0.19, 0.1, "not_suspected"), (0.2, -0.1, "not_suspected")]
)
def test_share_and_likelihood_must_both_suffice(share, margin, code, monkeypatch):
    data = dataset(*cards_after_hard(60, 20))
    gain = (HARD_LIMIT + 60 * HARD_LIMIT_PER_REVIEW + margin) / 2
    monkeypatch.setattr(
        Mixture, "best_explanation", lambda _mixture, shares, *_: Explanation(gain if any(shares) else 0.0, share, 0.5)
    )
    assert hard_module.examine(data, np.array(W), SILENT).code == code
