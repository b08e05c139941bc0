"""Comparison of the claims of the first screen with the truth, for one simulated review log."""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from evaluator.report.accuracy import BETTER_PAST, DEFAULT, OFF, RIGHT, UNSEEN, WORSE_PAST
from evaluator.scoring.accuracy import LEVELS, is_near
from evaluator.scoring.scheduler_in_use import OPTIMIZED, optimize_presets

from evaluator.algorithms import CATALOG
from evaluator.algorithms.algorithm import Parametric
from evaluator.algorithms.your_parameters import as_fsrs6
from evaluator.data.dataset import Dataset
from evaluator.data.reviews import CardRows
from evaluator.data.revlog import Ints, Preset, Snapshot
from evaluator.errors import EvaluatorError
from evaluator.evaluation import evaluate, prepare
from evaluator.fitting.anki_optimizer import Optimize
from evaluator.fitting.fit import Fitted
from evaluator.fitting.predictor import Predictor
from evaluator.interval import BETTER, WORSE
from evaluator.metrics.scores import logit
from evaluator.options import Options
from evaluator.report import ADJUSTED, OWN, PUBLISHED, Accuracy, PresetInUse, Report
from evaluator.scoring.evidence import Evidence
from evaluator.scoring.report_builder import ReportBuilder
from evaluator.sections import EMPTY_SECTIONS
from tools.simulate import simulate
from tools.simulate.drift import forecast_errors
from tools.simulate.kinds import SM2, Kind, join
from tools.simulate.memory import Floats, Parameters, sigmoid
from ui.anki.optimizer import anki_optimize

FSRS: Parametric = OPTIMIZED[6]
#: Algorithms of the evaluation.
ROWS = (OWN, "FSRS-6 optimized", PUBLISHED, ADJUSTED, "Anki-SM-2")

#: Number of pairs of equally good forecasters for each log of SM-2, both steady and drifting ones.
PAIRS = 2
#: Minimum and maximum standard deviation of their errors in the logit.
ERRORS = (0.2, 0.6)
#: Minimum and maximum share of the time in which the error of a drifting forecaster is constant.
STEPS = (0.05, 0.25)
#: Minimum number of later reviews near a probability.
MIN_NEAR = 30
cached_anki_optimize = functools.cache(anki_optimize)


class Case(NamedTuple):
    """A claim of the first screen that could be wrong."""

    claim: str
    #: 1 if the claim was wrong, otherwise 0. For a claim of a gain, the gain.
    value: float
    kind: Kind
    #: Number of the log.
    number: int
    #: Name of the parameters in the preset.
    parameters: str


def claims_of_presets(report: Report) -> Iterator[tuple[PresetInUse, Accuracy, tuple[str, ...]]]:
    """Yield each preset with the accuracy and the codes of the advice that the first screen shows for it.

    If there is only one preset, the accuracy is that of the headline.
    """
    for preset in report.presets:
        accuracy = (
            report.headline.accuracy if report.headline is not None and len(report.presets) == 1 else preset.accuracy
        )
        codes = tuple(item.code for item in report.advice if not item.presets or preset.name in item.presets)
        if accuracy is not None:
            yield preset, accuracy, codes


def follow(kind: Kind, number: int, seed: int) -> list[Case]:
    """Simulate a review log, evaluate its first three quarters, and compare the claims with the truth."""
    try:
        log = _Log(kind, number, seed)
        claims = _comparison_claims(log) if kind.use == SM2 else _preset_claims(log)
        return [Case(claim, float(value), kind, number, parameters) for parameters, claim, value in claims]
    # A few reviews may all have the same outcome.
    except EvaluatorError:
        return []


class _Log:
    """A simulated log with true probabilities of recall. Its first part is evaluated."""

    def __init__(self, kind: Kind, number: int, seed: int) -> None:
        # These random numbers do not depend on the number of processes, and differ between kinds.
        self.random = np.random.default_rng([seed, number, *repr(kind).encode()])
        learners = kind.draw(self.random)
        #: Parameters of another learner for each preset.
        self.other_parameters = [learner.memory for learner in kind.draw(self.random)]
        self.snapshot, self._row_recall = join([simulate(learner) for learner in learners])
        self.retention = learners[0].desired_retention
        self.data, _ = prepare(self.snapshot, Options())
        # A sixth of the reviews is not scored.
        self.end = min(round(1.2 * kind.size), round(0.75 * len(self.data.reviews)))
        self.optimize = _cache_results(cached_anki_optimize())

    def recall(self, review_id: Ints) -> Floats:
        """Return the true probability of these reviews (n,)."""
        return self._row_recall[np.searchsorted(self.snapshot.revlog.review_id, review_id)]

    def second_at(self, share: float) -> int:
        """Return the first second after this share of the reviews that are evaluated."""
        return int(self.data.reviews.review_id[round(share * self.end) - 1]) // 1000 + 1

    def later_reviews(self, evidence: Evidence, preset_id: int) -> Ints:
        """Return the indices of a preset's reviews among those after the evaluated ones, a third as many as these."""
        review_id, stop = self.data.reviews.review_id, round(4 / 3 * self.end)
        is_later = (review_id > evidence.tested.review_id[-1]) & (self.data.label("preset") == preset_id)
        return np.flatnonzero(is_later[:stop])

    def with_parameters(self, *stored: Parameters, changed: tuple[float, ...] = ()) -> Snapshot:
        """Return the whole log with parameters stored in the presets.

        Args:
            stored: the parameters of each preset.
            changed: the share of the reviews after which each preset was changed. None was changed if it is empty.
        """
        seconds = map(self.second_at, changed) if changed else [None] * len(stored)
        presets = tuple(
            replace(preset, parameters=parameters, changed=second)
            for preset, parameters, second in zip(self.snapshot.presets or (), stored, seconds, strict=True)
        )
        return replace(self.snapshot, presets=presets)

    def optimized_after(self, share: float) -> list[Parameters]:
        """Return the parameters that Anki's Optimize finds for each preset after this share of the reviews."""
        data, _ = prepare(self.snapshot.until(self.second_at(share) * 1000), Options())
        by_preset = self.optimized_parameters(data)
        return [tuple(by_preset[preset.preset_id].tolist()) for preset in self.snapshot.presets or ()]

    def optimized_parameters(self, data: Dataset) -> dict[int, Floats]:
        """Return the parameters that Anki's Optimize finds with this data, by preset."""
        versions = {preset.preset_id: 6 for preset in data.presets}
        return dict(optimize_presets(data, versions, optimize=self.optimize))

    def evaluate(self, snapshot: Snapshot, rows: Sequence[str]) -> tuple[Report, Evidence]:
        """Return the report on the first part of the log, and its evidence."""
        evaluation = evaluate(snapshot.until(self.second_at(1.0) * 1000), Options(tuple(rows)), optimize=self.optimize)
        if evaluation.evidence is None:
            raise ValueError("The evaluation has kept no evidence.")
        return evaluation.report, evaluation.evidence


def _cache_results(optimize: Optimize | None) -> Optimize | None:
    """Return the optimizer with a cache, so that it runs once for both the advice and the truth."""
    results: dict[tuple[object, ...], Sequence[float]] = {}

    def cached_optimize(rows: CardRows, current: Sequence[float]) -> Sequence[float]:
        key = (len(rows), int(rows.card_id.sum()), tuple(current))
        if key not in results and optimize is not None:
            results[key] = optimize(rows, current)
        return results[key]

    return None if optimize is None else cached_optimize


# Presets with FSRS


def _preset_claims(log: _Log) -> Iterator[tuple[str, str, float]]:
    """Yield the name of the stored parameters, the claim and its value, for each claim about a preset."""
    half, recent, other = log.optimized_after(0.5), log.optimized_after(0.75), log.other_parameters
    if len(half) > 1:
        snapshots = {"fresh and stale": log.with_parameters(recent[0], other[0], changed=(0.75, 0.5))}
    else:
        snapshots = {
            "default": log.with_parameters(()),
            "half": log.with_parameters(half[0], changed=(0.5,)),
            "recent": log.with_parameters(recent[0], changed=(0.75,)),
            "half, saved": log.with_parameters(half[0], changed=(1.0,)),
            "other's, saved": log.with_parameters(other[0], changed=(1.0,)),
        }
    predictor = Predictor(FSRS, log.data.histories(FSRS.inputs))
    for name, snapshot in snapshots.items():
        report, evidence = log.evaluate(snapshot, ROWS)
        stored_presets = {preset.preset_id: preset for preset in snapshot.presets or ()}
        optimized = log.optimized_parameters(evidence.data)
        for preset, accuracy, codes in claims_of_presets(report):
            stored, later = stored_presets[preset.preset_id], log.later_reviews(evidence, preset.preset_id)
            true = log.recall(log.data.reviews.review_id[later])
            with_stored = predictor.predict(np.array(as_fsrs6(stored.parameters)), later)
            with_optimized = predictor.predict(optimized[preset.preset_id], later)
            for claim, value in (
                *_accuracy_claims(accuracy, evidence, stored, log),
                *_advice_claims(codes, true, with_stored, with_optimized, log.retention, preset.suggested_retention),
            ):
                yield name, claim, value


def _accuracy_claims(accuracy: Accuracy, evidence: Evidence, preset: Preset, log: _Log) -> Iterator[tuple[str, float]]:
    """Yield each claim about a preset's accuracy that can be wrong, and whether it is wrong."""
    own_row = OWN if preset.parameters else PUBLISHED
    true, own_predicted = log.recall(evidence.tested.review_id), evidence.fitted[own_row].predicted
    predicted = evidence.fitted[accuracy.algorithm or own_row].predicted
    reviews = evidence.data.label_with_deleted()[-len(true) :] == preset.preset_id
    unseen = reviews & (evidence.tested.review_id > 1000 * (preset.changed or 0))
    # If nothing is claimed, the truth is about the preset's own parameters.
    if accuracy.source is None:
        predicted, reviews = own_predicted, unseen if unseen.any() else reviews
    elif accuracy.source in (DEFAULT, UNSEEN):
        reviews = unseen
    near = reviews & is_near(predicted, log.retention) if accuracy.near else reviews
    if not near.any():
        return
    gap = float((true - own_predicted)[near].mean())
    is_off, recall = accuracy.state == OFF, accuracy.recall
    if accuracy.source in (DEFAULT, UNSEEN) and recall.recalled.low_high is not None:
        low, high = recall.recalled.low_high
        yield "interval", not low <= float(true[near].mean()) <= high
    if abs(gap) >= 0.04:
        yield "right", accuracy.state == RIGHT
    if abs(gap) < 0.01:
        yield "off", is_off
    if abs(gap) > 0.01:
        yield "off, wrong sign", is_off and recall.gap * gap < 0
    if accuracy.state == RIGHT:
        tenths = np.array_split(np.flatnonzero(reviews)[np.argsort(predicted[reviews], kind="stable")], LEVELS)
        if max(abs((true - predicted)[tenth].mean()) for tenth in tenths) < 0.02:
            yield "elsewhere", accuracy.elsewhere is not None


def _advice_claims(
    codes: Collection[str], true: Floats, stored: Floats, optimized: Floats, desired: float, suggested: float | None
) -> Iterator[tuple[str, float]]:
    """Yield each claim of the given advice, and whether it was wrong on later reviews.

    Args:
        codes: the codes of the advice.
        true: the true probabilities of recall, shape (n,).
        stored: the predictions with the stored parameters, shape (n,).
        optimized: the predictions with optimized parameters, shape (n,).
        desired: the desired retention.
        suggested: the suggested desired retention, if any.
    """
    if not len(true):
        return
    gain = expected_loss(true, stored) - expected_loss(true, optimized)
    if "optimize" in codes:
        yield "optimize", gain < -0.005
        yield "optimize, gain", gain
    if "nothing" in codes:
        yield "nothing", gain > 0.005
    if "desired_retention" in codes and suggested is not None:
        near_levels = [(level, is_near(stored, level)) for level in (desired, suggested)]
        if min(near.sum() for _, near in near_levels) >= MIN_NEAR:
            distances = [abs(level + (true - stored)[near].mean() - desired) for level, near in near_levels]
            yield "desired_retention", distances[1] > distances[0]


# FSRS and SM-2


def _comparison_claims(log: _Log) -> Iterator[tuple[str, str, float]]:
    """Yield the name of the forecasters, the claim and its value, for each claim of the comparison with SM-2."""
    report, evidence = log.evaluate(log.snapshot, ROWS[1:])
    true, card = log.recall(evidence.tested.review_id), evidence.scoring.clusters.card
    day = evidence.tested.day - evidence.tested.day[0]
    yield from _past_claim(report, evidence, true, "")
    for name in ["steady", "drifting"] * PAIRS:
        sd, share = log.random.uniform(*ERRORS), log.random.uniform(*STEPS)
        step = None if name == "steady" else max(1, round(int(day[-1] + 1) * share))
        errors = [forecast_errors(log.random, card, day, sd, step) for _ in range(3)]
        first, second, third = (sigmoid(logit(true) + error) for error in errors)
        builder = ReportBuilder(replace(evidence, fitted={}), (), ROWS[1:], EMPTY_SECTIONS)
        for row, predicted in zip(ROWS[1:], (first, first, second, third), strict=True):
            builder.add(CATALOG[row], Fitted.without_parameters(predicted, evidence.options.folds))
        evaluation = builder.evaluation()
        if evaluation.report.headline is not None and evaluation.report.headline.against_adjusted is not None:
            yield name, f"would, {name}", evaluation.report.headline.against_adjusted.claim in (BETTER, WORSE)
        yield from _past_claim(evaluation.report, evaluation.evidence, true, name)


def _past_claim(report: Report, evidence: Evidence | None, true: Floats, name: str) -> Iterator[tuple[str, str, float]]:
    """Yield whether a claim about past reviews has the wrong sign."""
    rivalry = None if report.headline is None else report.headline.against_adjusted
    if rivalry is not None and evidence is not None:
        rows = rivalry.comparison.algorithm, rivalry.comparison.baseline
        loss, baseline_loss = (expected_loss(true, evidence.fitted[row].predicted) for row in rows)
        is_wrong = {BETTER_PAST: loss > baseline_loss, WORSE_PAST: loss < baseline_loss}
        yield name, "past", is_wrong.get(rivalry.claim, False)


def expected_loss(recall: Floats, predicted: Floats) -> float:
    """Return the expected mean log loss of predictions, given the true probabilities of recall."""
    return float(-(recall * np.log(predicted) + (1 - recall) * np.log1p(-predicted)).mean())
