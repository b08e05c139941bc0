from __future__ import annotations

import functools
from math import exp
from typing import Any, Callable, List, Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt
from made_logs import CLOCK, Answer, card, lively, log_of, similar_cards, table
from reference_sets import DATA, read_table, snapshot

from evaluator.algorithms import CATALOG
from evaluator.algorithms.algorithm import Algorithm, Calibrated, Parametric, Source
from evaluator.data.dataset import Dataset
from evaluator.data.histories import Histories, Inputs
from evaluator.data.reviews import CardRows, Reviews
from evaluator.data.revlog import Cards, Preset, Snapshot
from evaluator.evaluation import evaluate, prepare
from evaluator.fitting.fit import Fitted, fit_and_predict
from evaluator.fitting.kernels import make_replay
from evaluator.fitting.replay import Replay
from evaluator.options import Options
from evaluator.scoring.report_builder import Evaluation
from ui.anki.optimizer import benchmark_trainer

Floats = npt.NDArray[np.float64]
#: (days since the previous review, rating) of each review except the first.
Steps = Sequence[Tuple[int, int]]

FITTABLE: List[Parametric] = [a for a in CATALOG.values() if isinstance(a, Parametric)]
TRAINED = [algorithm for algorithm in FITTABLE if algorithm.training is not None]
#: One algorithm for each set of formulas, parameters and inputs. Other rows differ only in how they are trained.
FORMULAS = list({(type(a), a.parameters, a.inputs): a for a in FITTABLE if a.source is Source.OURS}.values())
#: Trained algorithms whose predictions and derivatives are computed on a trie.
ON_TRIE = [algorithm for algorithm in TRAINED if not isinstance(algorithm, Calibrated)]
TRAINED_FORMULAS = list({(type(a), a.parameters, a.inputs): a for a in ON_TRIE}.values())


def ids(algorithm: Algorithm) -> str:
    return algorithm.name


def fittable(name: str) -> Parametric:
    return CATALOG[name]


def defaults(algorithm: Algorithm) -> List[float]:
    return [p.default for p in algorithm.parameters]


def bounds(algorithm: Algorithm) -> Tuple[Floats, Floats]:
    """Return the lower and the upper bounds of the parameters."""
    return np.array([p.lower for p in algorithm.parameters]), np.array([p.upper for p in algorithm.parameters])


def parameters_near_defaults(algorithm: Algorithm, count: int, seed: int) -> Floats:
    """Draw sets of parameters around the defaults and inside the bounds, where the formulas have derivatives."""
    random = np.random.default_rng(seed)
    lower, upper = bounds(algorithm)
    w = np.array(defaults(algorithm)) * random.uniform(0.9, 1.1, (count, len(lower)))
    return np.clip(w, lower + 1e-3 * (1 + random.random(w.shape)), upper - 1e-3 * (1 + random.random(w.shape)))


def predict_answers(name: str, answers: Sequence[Answer], w: Optional[Sequence[float]] = None) -> List[float]:
    """Return the predictions of card 1's reviews on later days, from a log through table and trie.

    The log has further cards, so that the outlier filter keeps the card's second interval.
    """
    algorithm = fittable(name)
    first = answers[0]
    second = next(a for a in answers if a.day > first.day)
    t = table(*similar_cards(first.button, second.day - first.day, number=100), *answers)
    histories = Histories.of(t.rows, t.reviews, algorithm.inputs)
    parameters = defaults(algorithm) if w is None else w
    if isinstance(algorithm, Calibrated):
        share = make_replay(algorithm.scheduler, histories).predict(np.array(defaults(algorithm.scheduler)))
        from_reviews = algorithm.recall(parameters, share)
    else:
        from_reviews = make_replay(algorithm, histories).predict(np.array(parameters))
    return from_reviews[histories.query_of_review[t.reviews.card_id == 1]].tolist()


def predict_card(name: str, first: int, *steps: Tuple[int, int], w: Optional[Sequence[float]] = None) -> List[float]:
    """Return the predictions of a card that is first rated ``first`` and then reviewed as in ``steps``."""
    return predict_answers(name, card(1, first, *steps), w)


def on_cards(algorithm: Parametric, cards: Sequence[Tuple[int, Steps]], inputs: Optional[Inputs] = None) -> Replay:
    """Return the algorithm's kernel for a trie of these cards."""
    return make_replay(algorithm, trie_of(cards, inputs or algorithm.inputs))


def trie_of(cards: Sequence[Tuple[int, Steps]], inputs: Inputs) -> Histories:
    """Return the trie of these cards (first rating, steps), without the outlier filter."""
    rating = np.array([r for first, steps in cards for r in (first, *(rating for _, rating in steps))], dtype=np.int64)
    elapsed = np.array([t for _, steps in cards for t in (0, *(days for days, _ in steps))], dtype=np.int64)
    lengths = np.array([1 + len(steps) for _, steps in cards])
    start = np.repeat(np.cumsum(lengths) - lengths, lengths)
    index = np.arange(len(rating))
    card_id = np.repeat(np.arange(len(cards)), lengths)
    day = np.cumsum(elapsed)
    rows = CardRows(
        log_row=index,
        review_id=day * 86_400_000,
        card_id=card_id,
        rating=rating,
        elapsed_days=elapsed,
        position=index - start,
        day=day,
    )
    row = index[elapsed > 0]
    recalled = (rating[row] > 1).astype(np.int64)
    ones = np.ones(len(row), dtype=np.int64)
    reviews = Reviews(
        row=row,
        review_id=row,
        recalled=recalled,
        card_id=card_id[row],
        day=day[row],
        elapsed_days=elapsed[row],
        review_number=ones,
        lapses=ones,
        elapsed_seconds=86_400 * elapsed[row],
        scheduled=ones,
    )
    return Histories.of(rows, reviews, inputs)


#: Presets of :func:`snapshot_with_presets`. The first has slightly changed defaults of FSRS-6, and the second has the
#: defaults of FSRS-5.
PRESETS = (
    Preset(10, "First", (*(1.01 * value for value in defaults(CATALOG["FSRS-6 default"])[:20]), 0.2)),
    Preset(20, "Second", tuple(defaults(CATALOG["FSRS-5 default"]))),
)


def snapshot_with_presets(answers: Optional[Sequence[Answer]] = None) -> Snapshot:
    """Return a lively log with two decks, each with a preset of its own."""
    log = log_of(lively() if answers is None else answers)
    card_id = np.unique(log.card_id)
    return Snapshot(log, CLOCK, Cards(card_id, 1 + card_id % 2, 10 + 10 * (card_id % 2)), PRESETS)


@functools.cache
def optimizer() -> Any:
    """Return Anki's optimizer."""
    result = benchmark_trainer()
    assert result is not None
    return result


def dataset_of(collection: Snapshot, folds: int = 2) -> Dataset:
    """Return the prepared reviews of the snapshot."""
    return prepare(collection, Options(folds=folds))[0]


def fit(algorithm: Algorithm, collection: Snapshot, folds: int = 2) -> Fitted:
    """Fit the algorithm to the snapshot, with Anki's optimizer."""
    return fit_and_predict(algorithm, dataset_of(collection, folds), optimizer())


@functools.cache
def fitted_to_lively(name: str) -> Fitted:
    """Fit the algorithm to the lively log, once for all tests."""
    return fit(CATALOG[name], snapshot_with_presets())


@functools.cache
def reference_evaluation(name: str, algorithms: Tuple[str, ...]) -> Evaluation:
    """Evaluate these algorithms on a reference log, with its decks and Anki's optimizer."""
    columns = read_table(DATA / name / "cards.csv.gz")
    cards = Cards(*(np.array(columns[column], dtype=np.int64) for column in ("id", "did")))
    log = snapshot(name)
    options = Options(algorithms=algorithms)
    return evaluate(Snapshot(log.revlog, log.clock, cards), options, optimizer=optimizer())


def central_differences(value: Callable[[Floats], Any], at: Floats, by: Optional[Sequence[int]] = None) -> List[Floats]:
    """Return the central differences of ``value`` by each parameter, or by those with the indices ``by``."""
    slopes = []
    for p in range(len(at)) if by is None else by:
        h = np.zeros_like(at)
        h[p] = 1e-6 * np.maximum(np.abs(at[p]), 1e-2)
        slopes.append((value(at + h) - value(at - h)) / (2 * h[p]))
    return slopes


#: Published parameters of FSRS-4.5, FSRS-5 and FSRS-6.
W4_5 = [0.4872, 1.4003, 3.7145, 13.8206, 5.1618, 1.2298, 0.8975, 0.031, 1.6474, 0.1367, 1.0461, 2.1072, 0.0793]
W4_5 += [0.3246, 1.587, 0.2272, 2.8755]
W5 = [0.40255, 1.18385, 3.173, 15.69105, 7.1949, 0.5345, 1.4604, 0.0046, 1.54575, 0.1192, 1.01925, 1.9395, 0.11]
W5 += [0.29605, 2.2698, 0.2315, 2.9898, 0.51655, 0.6621]
W6 = [0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614]
W6 += [0.2629, 1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542]


class PlainFSRS:
    """FSRS-5 and FSRS-6 for one card, in plain arithmetic by the published formulas."""

    def __init__(self, w: Sequence[float]) -> None:
        self.w = list(w)
        self.is_fsrs_6 = len(w) == 21
        self.decay = -w[20] if self.is_fsrs_6 else -0.5
        self.factor = 0.9 ** (1 / self.decay) - 1
        self.min_stability = 0.001 if self.is_fsrs_6 else 0.01

    def recall(self, s: float, t: float) -> float:
        return (1 + self.factor * t / s) ** self.decay

    def first_difficulty(self, g: int) -> float:
        """Return the difficulty after a first rating, before it is clamped."""
        return self.w[4] - exp(self.w[5] * (g - 1)) + 1

    def clamp(self, s: float, d: float) -> Tuple[float, float]:
        """Return the stability within its limits and the difficulty within 1 to 10."""
        return min(max(s, self.min_stability), 36_500), min(max(d, 1), 10)

    def first(self, g: int) -> Tuple[float, float]:
        return self.clamp(self.w[g - 1], self.first_difficulty(g))

    def step(self, s: float, d: float, t: float, g: int) -> Tuple[float, float]:
        w = self.w
        r = self.recall(s, t)
        if t < 1:
            gain = exp(w[17] * (g - 3 + w[18])) * (s ** -w[19] if self.is_fsrs_6 else 1)
            new = s * (max(gain, 1) if self.is_fsrs_6 and g >= 2 else gain)
        elif g == 1:
            new = w[11] * d ** -w[12] * ((s + 1) ** w[13] - 1) * exp((1 - r) * w[14])
            new = min(new, s / exp(w[17] * w[18]))
        else:
            new = exp(w[8]) * (11 - d) * s ** -w[9] * (exp((1 - r) * w[10]) - 1)
            new = s * (1 + new * {2: w[15], 3: 1, 4: w[16]}[g])
        moved = d - w[6] * (g - 3) * (10 - d) / 9
        return self.clamp(new, w[7] * self.first_difficulty(4) + (1 - w[7]) * moved)

    def states(self, first: int, steps: Steps) -> List[Tuple[float, float]]:
        result = [self.first(first)]
        for t, g in steps:
            result.append(self.step(*result[-1], t, g))
        return result

    def recalls(self, first: int, steps: Steps) -> List[float]:
        """Return the recall at each review on a later day."""
        return [self.recall(s, t) for (s, _), (t, _) in zip(self.states(first, steps), steps, strict=False) if t]
