from __future__ import annotations

from dataclasses import replace
from typing import Any, List

import numpy as np
import pytest
from catalog_helpers import PRESETS, Floats, central_differences, dataset_of, defaults, snapshot_with_presets
from made_logs import Answer, card, lively

from evaluator.algorithms import CATALOG
from evaluator.data.folds import Fold
from evaluator.data.revlog import Sm2Settings
from evaluator.evaluation import evaluate
from evaluator.fitting.objective import OutcomeCounts, PenalizedLogLoss, Prior, Scale
from evaluator.fitting.scheduler_calibration import CalibrationReplay, CalibrationSet
from evaluator.fitting.training import train
from evaluator.options import Options
from evaluator.progress import SILENT, Cancelled, Progress
from evaluator.scope import SAME_DAY_TABLE
from evaluator.scoring.report_builder import Evaluation

CALIBRATED: Any = CATALOG["Anki-SM-2 calibrated"]
#: Elapsed time divided by the interval, from a second after a hundred-year interval to the reverse extreme.
SHARES = np.array([3e-10, 1e-6, 1e-3, 0.2, 1.0, 1.7, 40.0, 3.65e6])
BOTH = ("Anki-SM-2", "Anki-SM-2 calibrated")


@pytest.mark.parametrize("w", [(1.0, 0.5), (0.3, 1.4), (6.0, 0.1)])
def test_jacobian_matches_finite_differences(w):
    replay = CalibrationReplay(CALIBRATED, SHARES)
    slopes = central_differences(replay.predict, np.array(w))
    np.testing.assert_allclose(replay.linearize(np.array(w)).jacobian(), slopes, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("w", [(1.0, 0.5), (0.3, 1.4), (6.0, 0.1)])
def test_gradient_of_the_loss_matches_finite_differences(w):
    # The loss of other shares is clipped, or too steep for differences.
    replay = CalibrationReplay(CALIBRATED, SHARES[2:-1])
    outcomes = OutcomeCounts(np.arange(5.0), np.arange(5.0)[::-1])
    scale = Scale(CALIBRATED.parameters)
    center = scale.to_search(np.array(defaults(CALIBRATED)))
    prior = Prior(center, np.array([p.width for p in CALIBRATED.parameters]), CALIBRATED.penalty)
    objective = PenalizedLogLoss(scale, replay, outcomes, prior)
    x = scale.to_search(np.array(w))
    np.testing.assert_allclose(
        objective.evaluate(x).gradient, central_differences(lambda x: objective.evaluate(x).loss, x), rtol=1e-5
    )


@pytest.mark.parametrize("c", [0.05, 20])
@pytest.mark.parametrize("b", [0, 2])
def test_every_share_has_a_probability_and_derivatives_at_every_bound(c, b):
    at = CalibrationReplay(CALIBRATED, SHARES).linearize(np.array([c, b]))
    assert ((at.predicted >= 0) & (at.predicted <= 1)).all()
    assert np.isfinite(at.jacobian()).all()


def draw_answers(c: float, b: float) -> List[Answer]:
    """Draw second reviews of cards with an interval of one day, whose recall follows the curve with ``c`` and ``b``."""
    random = np.random.default_rng(3)
    answers = []
    for number in range(6000):
        days = int(random.integers(1, 9))
        recalled = random.random() < 0.9 ** (c * days**b)
        answers += card(number, 3, (days, 3 if recalled else 1), start=number // 20)
    return answers


def test_fit_recovers_the_curve_of_simulated_answers():
    w = evaluate_both(draw_answers(3, 0.6), folds=5).report.result("Anki-SM-2 calibrated").parameters_per_fold
    assert w[-1] == pytest.approx([3, 0.6], abs=0.15)
    assert len({tuple(of_fold) for of_fold in w}) == 5


def evaluate_both(answers: List[Answer], **options: Any) -> Evaluation:
    return evaluate(snapshot_with_presets(answers), Options(algorithms=BOTH, **options))


def shares_tested(evaluation: Evaluation) -> Floats:
    """Return elapsed time divided by the interval, from the probabilities of Anki-SM-2."""
    return np.log(evaluation.predictions.predicted["Anki-SM-2"]) / np.log(0.9)


def check_predictions(evaluation: Evaluation) -> None:
    """Check that each fold's predictions follow the curve with the fold's parameters, at the shares of Anki-SM-2."""
    parameters = evaluation.report.result("Anki-SM-2 calibrated").parameters_per_fold
    predicted = np.split(evaluation.predictions.predicted["Anki-SM-2 calibrated"], len(parameters))
    for (c, b), by_fold, share in zip(
        parameters, predicted, np.split(shares_tested(evaluation), len(parameters)), strict=True
    ):
        np.testing.assert_allclose(by_fold, 0.9 ** (c * share**b), rtol=1e-9)


@pytest.mark.parametrize("table", ["whole-day", SAME_DAY_TABLE])
def test_each_fold_is_predicted_with_its_own_parameters(table):
    evaluation = evaluate_both(lively(), table=table)
    check_predictions(evaluation)
    loss = {row.algorithm: row.log_loss for row in evaluation.report.results}
    assert loss["Anki-SM-2 calibrated"] < loss["Anki-SM-2"]


def test_calibration_uses_the_options_of_each_preset():
    preset = replace(PRESETS[0], sm2=Sm2Settings(graduating_interval=3, starting_ease=2.8, interval_modifier=1.2))
    options = Options(algorithms=BOTH, folds=2)
    original, changed = (
        evaluate(replace(snapshot_with_presets(), presets=(item, PRESETS[1])), options) for item in (PRESETS[0], preset)
    )
    check_predictions(changed)
    assert (shares_tested(original) != shares_tested(changed)).any()
    first, second = (item.report.result("Anki-SM-2 calibrated") for item in (original, changed))
    assert first.parameters_per_fold != second.parameters_per_fold
    assert (first.note, second.note) == (None, "sm2_options")


def test_reviews_with_long_histories_are_not_trained_on():
    """The outcome of a card's 70th review changes nothing, that of its 5th does."""
    parameters = []
    for forgotten in (None, 5, 70):
        steps = [[(1, 1 if (n + k) % 9 == 0 else 3) for k in range(72)] for n in range(30)]
        if forgotten is not None:
            steps[0][forgotten] = 1, 1
        data = dataset_of(snapshot_with_presets([a for n in range(30) for a in card(n, 3, *steps[n])]))
        share = np.full(len(data.reviews), 1.5)
        last = Fold(len(data.reviews) - 1, len(data.reviews))
        training_set = CalibrationSet(CALIBRATED, data.with_folds(last), share)
        parameters.append(train(training_set, CALIBRATED.defaults[None], SILENT)[0].tolist())
    assert parameters[0] != parameters[1]
    assert parameters[0] == parameters[2]


def test_training_can_be_cancelled_between_folds():
    data = dataset_of(snapshot_with_presets())
    reported = []

    def report(_fraction, _stage, _algorithm, done, _total):
        reported.append(done)
        if done == 1:
            raise Cancelled

    center = np.tile(CALIBRATED.defaults, (len(data.folds), 1))
    with pytest.raises(Cancelled):
        train(CalibrationSet(CALIBRATED, data, np.ones(len(data.reviews))), center, Progress(report))
    assert reported[-1] == 1
