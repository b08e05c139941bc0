"""Verdicts that are kept until later reviews judge them."""

from __future__ import annotations

import functools
import json
import math
from dataclasses import replace
from typing import Any, Tuple

import numpy as np
import pytest
from catalogue_helpers import equipped, lively

from evaluator.algorithms import CATALOGUE
from evaluator.errors import NewerForecasts
from evaluator.evaluation import evaluate
from evaluator.fitting.predictor import predict_tested
from evaluator.folds import Fold
from evaluator.forecasts import MOST, Forecast, from_plain, thinned, to_plain
from evaluator.interval import Interval
from evaluator.metrics.scores import log_loss_per_review
from evaluator.options import Options
from evaluator.report import to_dict
from evaluator.revlog import Snapshot
from evaluator.scope import ScopeChoice
from evaluator.sections import add_sections
from evaluator.sections.forecasts import DAYS, REVIEWS, Forecasts
from evaluator.selection import select
from evaluator.statistics.paired import Spread
from evaluator.statistics.prediction_interval import prediction_interval
from evaluator.statistics.student_t import student_t_quantile
from evaluator.tally import Evaluation

from .reference_sets import data, snapshot

QUICK = Options(("SM-2", "FSRS-6 default"))
LOG = "sim-b"


def until(share: float) -> Snapshot:
    """The log until so much of its time is over."""
    ids = snapshot(LOG).revlog.review_id
    return snapshot(LOG).until(int(ids.min() + share * (ids.max() - ids.min())))


@functools.cache
def evaluated(share: float, options: Options = QUICK) -> Evaluation:
    return evaluate(until(share), options)


def found(evaluation: Evaluation, made: Tuple[Forecast, ...] = ()) -> Forecasts:
    forecasts: Forecasts = add_sections(evaluation, ["forecasts"], forecasts=made).report.section("forecasts")
    return forecasts


def scored_after(review: int, evaluation: Evaluation) -> Tuple[int, int]:
    """How many reviews of the evaluation's table come after that one, and on how many days."""
    assert evaluation.evidence is not None
    reviews = evaluation.evidence.data.reviews
    those = reviews.review_id > review
    return int(those.sum()), len(np.unique(reviews.day[those]))


def test_each_is_judged_once_and_the_next_begins_where_it_ended() -> None:
    """So that no review counts twice, and none is left out; what is judged stays as it is."""
    made: Tuple[Forecast, ...] = ()
    shares = (0.4, 0.6, 0.8, 1.0)
    for number, share in enumerate(shares, start=1):
        answer = found(evaluated(share), made)
        assert (answer.code, answer.days, answer.reviews) == ("open", 0, 0)
        assert [one.outcome is None for one in answer.made] == [False] * (number - 1) + [True]
        assert answer.made[: number - 2] == made[: number - 2]
        assert answer.made[-1].last_review == until(share).revlog.review_id.max()
        again = found(evaluated(share), answer.made)
        assert (again.code, again.made) == ("open", answer.made)
        made = answer.made
    for one, share in zip(made[:-1], shares[1:], strict=True):
        assert one.outcome is not None
        assert (one.outcome.reviews, one.outcome.days) == scored_after(one.last_review, evaluated(share))


def test_it_waits_for_enough_days_and_reviews() -> None:
    """The first evaluation with both judges it; one day earlier none does."""
    waiting = found(evaluated(0.4)).made
    reviews = data(LOG).reviews
    since = reviews.review_id > waiting[0].last_review
    enough = np.unique(reviews.day[since])[DAYS - 1]
    seen = []
    for day in (enough - 1, enough):
        last = int(reviews.review_id[reviews.day <= day][-1])
        evaluation = evaluate(snapshot(LOG).until(last), QUICK)
        answer = found(evaluation, waiting)
        seen.append((answer.made[0].outcome is not None, answer.days))
        assert scored_after(waiting[0].last_review, evaluation)[0] >= REVIEWS
    assert seen == [(False, DAYS - 1), (True, 0)]


def test_few_reviews_on_many_days_do_not_judge_it() -> None:
    waiting = found(evaluated(0.4)).made
    log = snapshot(LOG)
    later = np.flatnonzero(log.revlog.review_id > waiting[0].last_review)
    few = np.concatenate([np.flatnonzero(log.revlog.review_id <= waiting[0].last_review), later[::12]])
    answer = found(evaluate(replace(log, revlog=log.revlog.take(np.sort(few))), QUICK), waiting)
    assert answer.made == waiting
    assert answer.days >= DAYS
    assert answer.reviews < REVIEWS


def test_later_reviews_without_a_lapse_do_not_judge_it() -> None:
    """There is no interval where all is remembered."""
    waiting = found(evaluated(0.4)).made
    log = snapshot(LOG).revlog
    button = np.where((log.review_id > waiting[0].last_review) & (log.button == 1), 3, log.button)
    answer = found(evaluate(replace(snapshot(LOG), revlog=replace(log, button=button)), QUICK), waiting)
    assert (answer.code, answer.made) == ("too_few", waiting)
    assert (answer.days >= DAYS, answer.reviews >= REVIEWS) == (True, True)


def test_what_is_judged_is_the_difference_on_the_later_reviews() -> None:
    """Of algorithms that nothing is trained for: the predictions of any evaluation will do."""
    (judged, _) = found(evaluated(1.0), found(evaluated(0.6)).made).made
    assert judged.outcome is not None
    predictions = evaluated(1.0).predictions
    later = predictions.review_id > judged.last_review
    losses = [
        log_loss_per_review(predictions.predicted[name][later], predictions.recalled[later])
        for name in ("FSRS-6 default", "SM-2")
    ]
    assert judged.outcome.difference.known == pytest.approx(float((losses[0] - losses[1]).mean()), abs=1e-12)
    assert judged.outcome.reviews == later.sum()
    assert judged.difference == evaluated(0.6).report.verdict.comparisons[0].difference
    assert judged.outcome.code == "kept"


def test_parameters_are_frozen() -> None:
    """Those that are kept decide, and no later training: with the published ones in their place, those do."""
    options = Options(("SM-2", "FSRS-6"))
    (waiting,) = found(evaluated(0.6, options)).made
    published = tuple(p.default for p in CATALOGUE["FSRS-6"].parameters)
    assert waiting.parameters != published
    for parameters in (waiting.parameters, published):
        (judged, _) = found(evaluated(1.0, options), (replace(waiting, parameters=parameters),)).made
        table = data(LOG)
        start = int(np.searchsorted(table.reviews.review_id, waiting.last_review, side="right"))
        later = table.divided(Fold(start, len(table.reviews)))
        loss = [
            log_loss_per_review(
                predict_tested(CATALOGUE[name], later, np.array([w])),  # type: ignore[arg-type]
                table.reviews.recalled[start:],
            )
            for name, w in (("FSRS-6", parameters), ("SM-2", waiting.baseline_parameters))
        ]
        assert judged.parameters == parameters
        assert judged.outcome is not None
        assert judged.outcome.difference.known == pytest.approx(float((loss[0] - loss[1]).mean()), abs=1e-12)


def test_parameters_are_fitted_on_all_reviews() -> None:
    """And not on those before the last fold: all reviews are predicted better by them."""
    evaluation = evaluated(1.0, Options(("SM-2", "FSRS-6")))
    (waiting,) = found(evaluation).made
    assert evaluation.evidence is not None
    of_last_fold = evaluation.report.result("FSRS-6").parameters_per_fold[-1]
    table = data(LOG).divided(Fold(0, len(data(LOG).reviews)))
    losses = [
        float(
            log_loss_per_review(
                predict_tested(CATALOGUE["FSRS-6"], table, np.array([w])),  # type: ignore[arg-type]
                table.reviews.recalled,
            ).mean()
        )
        for w in (waiting.parameters, of_last_fold)
    ]
    assert losses[0] < losses[1]


def test_a_baseline_without_parameters_is_repeated() -> None:
    """AVG goes on guessing the average of the reviews until then."""
    options = Options(("AVG", "FSRS-6 default"))
    (judged, waiting) = found(evaluated(1.0, options), found(evaluated(0.6, options)).made).made
    assert (judged.baseline, judged.baseline_parameters, waiting.outcome) == ("AVG", (), None)
    assert judged.outcome is not None
    table = data(LOG).reviews
    before = table.review_id <= judged.last_review
    average = np.full(int((~before).sum()), table.recalled[before].mean())
    predictions = evaluated(1.0, options).predictions
    later = predictions.review_id > judged.last_review
    one = log_loss_per_review(predictions.predicted["FSRS-6 default"][later], predictions.recalled[later])
    other = log_loss_per_review(average, table.recalled[~before])
    assert judged.outcome.difference.known == pytest.approx(float((one - other).mean()), abs=1e-12)


# --- where there is none ----------------------------------------------------------------------------------------------


def test_without_being_asked_there_is_none() -> None:
    assert add_sections(evaluated(1.0), ["forecasts"]).report.section("forecasts") is None


@pytest.mark.parametrize("options", [{"same_day": False}, {"outlier_filter": False}])
def test_other_options_neither_judge_nor_forecast(options: Any) -> None:
    waiting = found(evaluated(0.4)).made
    for made in ((), waiting):
        answer = found(evaluate(until(1.0), replace(QUICK, **options)), made)
        assert (answer.code, answer.made) == ("other_reviews", made)


def test_a_deck_neither_judges_nor_is_forecast() -> None:
    cards = np.unique(until(1.0).revlog.card_id)
    part = select(until(1.0), ScopeChoice("cards", "some"), cards[: len(cards) // 2].tolist())
    assert found(evaluate(part, QUICK), found(evaluated(0.4)).made).code == "other_reviews"


def test_a_start_date_matters_only_where_later_reviews_are_left_out() -> None:
    waiting = found(evaluated(0.4)).made
    clock, reviews = snapshot(LOG).clock, data(LOG).reviews
    codes = []
    for share in (0.1, 0.6):
        since = clock.date_of(int(reviews.day[int(share * len(reviews))]))
        codes.append(found(evaluate(until(1.0), replace(QUICK, since=since)), waiting).code)
    assert codes == ["open", "other_reviews"]


def test_another_collection_is_noticed() -> None:
    """By the reviews that a forecast knew. Some of them may be gone."""
    waiting = found(evaluated(0.4)).made
    other = evaluate(snapshot("sim-a"), QUICK)
    assert found(other, waiting) == Forecasts("other_collection", waiting)
    some = waiting[0].some_reviews
    lost = replace(waiting[0], some_reviews=(*some[:-3], 1, 2, 3))
    assert found(evaluated(1.0), (lost,)).code == "open"


def test_what_cannot_be_repeated_is_not_forecast() -> None:
    """Parameters of each deck, and of Anki's presets; predictions from elsewhere are in no catalogue."""
    log = equipped(lively(240))
    for name in ("FSRS-6 deck", "Your parameters"):
        answer = found(evaluate(log, Options((name, "SM-2"), baseline="SM-2")))
        assert (answer.code, answer.made) == ("not_repeatable", ())


def test_without_a_verdict_there_is_no_forecast() -> None:
    assert found(evaluated(1.0, Options(("SM-2",)))) == Forecasts("no_verdict", ())


def test_an_algorithm_that_is_gone_ends_its_forecast() -> None:
    """Or one that has other parameters now: it cannot be judged, and makes room for the next."""
    (waiting,) = found(evaluated(0.4)).made
    for changed in (replace(waiting, algorithm="FSRS-99"), replace(waiting, parameters=waiting.parameters[1:])):
        answer = found(evaluated(1.0), (changed,))
        assert [one.date for one in answer.made] == [evaluated(1.0).report.scope.last_day]


def test_a_restored_backup_leaves_what_is_kept() -> None:
    """One that ends before the last forecast, which is judged: the next one would come before it."""
    judged = two()[:1]
    assert judged[0].outcome is not None
    for share in (0.35, 0.4):
        answer = found(evaluated(share), judged)
        assert (answer.code, answer.made) == ("other_reviews", judged)
    answer = found(evaluated(0.6), judged)
    assert (answer.code, len(answer.made)) == ("open", 2)
    assert from_plain(to_plain(answer.made)) == answer.made


@pytest.mark.parametrize("value", [1e12, -5.0])
def test_parameters_out_of_their_bounds_are_not_repeated(value: float) -> None:
    """They are damaged, or of an algorithm that was another then: they make room for the next forecast."""
    (waiting,) = found(evaluated(0.4)).made
    changed = replace(waiting, parameters=(value,) * len(waiting.parameters))
    (made,) = found(evaluated(1.0), (changed,)).made
    assert (made.date, made.outcome) == (evaluated(1.0).report.scope.last_day, None)


def test_it_is_known_which_scheduler_was_on() -> None:
    """Then and at the end, as far as the source says it."""
    for before, after in ((False, True), (None, True)):
        waiting = found(evaluate(replace(until(0.6), fsrs=before), QUICK)).made
        (judged, following) = found(evaluate(replace(until(1.0), fsrs=after), QUICK), waiting).made
        assert judged.outcome is not None
        assert (judged.fsrs, judged.outcome.fsrs, following.fsrs) == (before, after, after)


# --- the prediction interval ------------------------------------------------------------------------------------------

PAST = Interval(-0.02, -0.03, -0.01, 0.005)


def later(*, card: float, time: float, both: float = 0.0, days: int = 60, degrees: float = 20.0) -> Spread:
    return Spread(-0.01, card, time, both, degrees, days, 0.0, (0.0, 0.0))


def test_both_variances_add_with_welchs_degrees() -> None:
    interval = prediction_interval(PAST, 30.0, 0.0, later(card=6e-6, time=4e-6, both=1e-6))
    variance = 0.005**2 + (6e-6 + 4e-6 - 1e-6)
    degrees = variance**2 / (0.005**4 / 30 + (9e-6) ** 2 / 20)
    reach = student_t_quantile(0.975, degrees) * math.sqrt(variance)
    assert interval.known == -0.02
    assert interval.ends == pytest.approx((-0.02 - reach, -0.02 + reach), rel=1e-12)


def test_a_short_time_does_not_see_its_own_drift() -> None:
    """What is due to time is at least the past's variance of a day's share, divided by the days."""
    calm = later(card=1e-6, time=1e-9, days=60)
    daily = 60 * 2.5e-5
    variance = 0.005**2 + 1e-6 + daily / 60
    assert prediction_interval(PAST, 30.0, daily, calm).standard_error == pytest.approx(math.sqrt(variance))
    wild = later(card=1e-6, time=9e-5, days=60)
    assert prediction_interval(PAST, 30.0, daily, wild) == prediction_interval(PAST, 30.0, 0.0, wild)


def test_without_any_variance_nothing_else_is_expected() -> None:
    certain = replace(PAST, standard_error=0.0)
    assert prediction_interval(certain, 30.0, 0.0, later(card=0.0, time=0.0)).ends == (-0.02, -0.02)


# --- what is kept -----------------------------------------------------------------------------------------------------


@functools.cache
def two() -> Tuple[Forecast, ...]:
    """One that is judged, and one that waits."""
    return found(evaluated(0.8), found(evaluated(0.4)).made).made


def test_they_are_read_as_they_were_written() -> None:
    assert from_plain(json.loads(json.dumps(to_plain(two())))) == two()
    assert from_plain(to_plain(())) == ()


def test_they_hold_nothing_of_cards() -> None:
    text = json.dumps(to_plain(two()))
    cards = {str(card) for card in np.unique(snapshot(LOG).revlog.card_id) if card > 1000}
    assert not any(card in text for card in cards)
    assert set(to_plain(two())["forecasts"][0]) == set(Forecast.__dataclass_fields__)


def test_a_newer_version_is_told_from_damage() -> None:
    with pytest.raises(NewerForecasts):
        from_plain({"version": 2, "forecasts": "anything"})


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("parameters", [10**400]),
        ("parameters", [1e308] * 21),
        ("daily_variance", 10**400),
        ("daily_variance", -1e-9),
        ("daily_variance", 1e200),
        ("degrees", 0),
        ("degrees", 0.99),
        ("last_review", 10**400),
        ("some_reviews", []),
        ("difference", {"low": 0.5}),
        ("difference", {"high": -0.5}),
        ("difference", {"standard_error": -0.001}),
        ("difference", {"standard_error": 1e100}),
        ("outcome", {"difference": {"low": 0.5}}),
    ],
)
def test_numbers_that_cannot_be_ours_are_damage(key: str, value: Any) -> None:
    """As they would end in an error, or in a judgement of nothing."""
    tree = json.loads(json.dumps(to_plain(two())))
    _put(tree["forecasts"][0], key, value)
    with pytest.raises(ValueError, match=r"\w"):
        from_plain(tree)


def _put(tree: Any, key: str, value: Any) -> None:
    if isinstance(value, dict):
        for inner, of in value.items():
            _put(tree[key], inner, of)
    else:
        tree[key] = value


def test_the_utmost_numbers_that_are_read_can_be_judged() -> None:
    """Without an error, whatever comes of it."""
    (waiting,) = found(evaluated(0.4)).made
    for error, degrees, variance in ((1e12, 1.0, 1e12), (1e12, 1e12, 0.0), (5e-324, 1.0, 5e-324), (0.0, 1e12, 0.0)):
        past = replace(waiting.difference, low=-1e12, high=1e12, standard_error=error)
        extreme = replace(waiting, difference=past, degrees=degrees, daily_variance=variance)
        (judged, _) = found(evaluated(1.0), from_plain(to_plain([extreme]))).made
        assert judged.outcome is not None
        low, high = judged.outcome.expected.ends or (math.nan, math.nan)
        assert low <= high


def damaged(tree: Any) -> Any:
    """Ways in which a plain form is none."""
    first, second = tree["forecasts"]
    yield from (None, [], 5, "text", {}, {"version": "1"}, {"version": 1}, {"version": 1, "forecasts": [5]})
    yield {**tree, "version": True}
    yield {**tree, "forecasts": [second, first]}
    yield {**tree, "forecasts": [{**first, "outcome": None}, second]}
    for key in first:
        yield {**tree, "forecasts": [{name: value for name, value in first.items() if name != key}, second]}
    for key, value in {
        "date": "yesterday",
        "last_review": -1,
        "some_reviews": ["1"],
        "parameters": [float("nan")],
        "algorithm": 6,
        "degrees": True,
        "difference": {**first["difference"], "low": None},
        "fsrs": 2,
        "outcome": {**first["outcome"], "code": "perhaps"},
    }.items():
        yield {**tree, "forecasts": [{**first, key: value}, second]}


def test_damage_is_noticed() -> None:
    for tree in damaged(json.loads(json.dumps(to_plain(two())))):
        with pytest.raises(ValueError, match=r"\w"):
            from_plain(tree)


def test_old_ones_are_thinned() -> None:
    """The newest all stay, and the first; of the others those that are closest together go."""
    judged, waiting = two()
    many = [replace(judged, last_review=1000 * at) for at in range(1, 30)]
    many[2] = replace(judged, last_review=2001)  # close to the second
    left = thinned([*many, replace(waiting, last_review=10**9)])
    assert len(left) == MOST
    assert left[0] == many[0]
    assert left[-15:-1] == tuple(many[-14:])
    assert many[2] not in left or many[1] not in left
    assert list(left) == sorted(left, key=lambda one: one.last_review)
    assert thinned(many[:5]) == tuple(many[:5])


def test_they_are_in_the_json() -> None:
    report = add_sections(evaluated(0.8), ["forecasts"], forecasts=found(evaluated(0.4)).made).report
    tree = to_dict(report)["forecasts"]
    assert (tree["code"], tree["needed_days"], tree["needed_reviews"]) == ("open", DAYS, REVIEWS)
    assert tree["made"][0]["outcome"]["code"] == "kept"
    assert to_dict(evaluated(0.8).report)["forecasts"] is None
