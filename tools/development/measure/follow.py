"""Follow one simulated person: what the first screen says of their review log, and what is true."""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

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
from evaluator.report.accuracy import BETTER_PAST, DEFAULT, OFF, RIGHT, UNSEEN, WORSE_PAST
from evaluator.scoring.accuracy import LEVELS, is_near
from evaluator.scoring.evidence import Evidence
from evaluator.scoring.report_builder import ReportBuilder
from evaluator.scoring.scheduler_in_use import OPTIMIZED, optimize_presets
from evaluator.sections import NOT_MADE
from tools.simulate import simulate
from tools.simulate.drift import forecast_errors
from tools.simulate.kinds import SM2, Kind, join
from tools.simulate.memory import Floats, Parameters, sigmoid
from ui.anki.optimizer import anki_optimize

FSRS: Parametric = OPTIMIZED[6]
ROWS = (OWN, "FSRS-6 optimized", PUBLISHED, ADJUSTED, "Anki-SM-2")

#: Pairs of equal forecasters for each log of SM-2, as many steady as drifting, and how far they err in the logit.
PAIRS, ERRORS = 2, (0.2, 0.6)
#: Those who drift err in steps of these shares of the time.
STEPS = (0.05, 0.25)
#: Minimum number of later reviews near a probability to know what was remembered there.
MIN_NEAR = 30
ANKI = functools.cache(anki_optimize)


class Case(NamedTuple):
    """A claim of the first screen that could be wrong: 1 if it was, otherwise 0. Of a gain, the gain."""

    claim: str
    value: float
    kind: Kind
    number: int  #: of the log
    parameters: str  #: those in the preset


def claims_of_presets(report: Report) -> Iterator[tuple[PresetInUse, Accuracy, tuple[str, ...]]]:
    """Yield what the first screen says of each preset: its accuracy, a single one's in the headline, and its advice."""
    for preset in report.presets:
        accuracy = (
            report.headline.accuracy if report.headline is not None and len(report.presets) == 1 else preset.accuracy
        )
        codes = tuple(item.code for item in report.advice if not item.presets or preset.name in item.presets)
        if accuracy is not None:
            yield preset, accuracy, codes


def follow(kind: Kind, number: int, seed: int) -> list[Case]:
    """Simulate a review log, evaluate it at three quarters, and compare its claims with the truth."""
    try:
        log = _Log(kind, number, seed)
        claims = _of_rivals(log) if kind.use == SM2 else _of_presets(log)
        return [Case(claim, float(value), kind, number, parameters) for parameters, claim, value in claims]
    except EvaluatorError:  # few reviews may have one outcome only
        return []


class _Log:
    """A simulated log with true probabilities, and where in it one looks at the first screen."""

    def __init__(self, kind: Kind, number: int, seed: int) -> None:
        # The same for each number of processes, and no two kinds share a person.
        self.random = np.random.default_rng([seed, number, *repr(kind).encode()])
        people = kind.draw(self.random)
        self.other = [person.memory for person in kind.draw(self.random)]  #: somebody else's parameters, by preset
        self.whole, self._row_recall = join([simulate(person) for person in people])
        self.desired = people[0].desired_retention
        self.data, _ = prepare(self.whole, Options())
        # A sixth of them is not scored.
        self.end = min(round(1.2 * kind.size), round(0.75 * len(self.data.reviews)))
        self.optimize = _remember(ANKI())

    def recall(self, review_id: Ints) -> Floats:
        """Return the true probability of these reviews (n,)."""
        return self._row_recall[np.searchsorted(self.whole.revlog.review_id, review_id)]

    def second(self, share: float) -> int:
        """Return the first second after this share of the reviews that are evaluated."""
        return int(self.data.reviews.review_id[round(share * self.end) - 1]) // 1000 + 1

    def later(self, evidence: Evidence, preset_id: int) -> Ints:
        """Return the indices of a preset's reviews after the evaluated ones, for a third as many as these."""
        review_id, stop = self.data.reviews.review_id, round(4 / 3 * self.end)
        is_later = (review_id > evidence.tested.review_id[-1]) & (self.data.label("preset") == preset_id)
        return np.flatnonzero(is_later[:stop])

    def with_parameters(self, *stored: Parameters, changed: tuple[float, ...] = ()) -> Snapshot:
        """Return the whole log with parameters in the presets, changed after these shares of the reviews."""
        seconds = map(self.second, changed) if changed else [None] * len(stored)
        presets = zip(self.whole.presets or (), stored, seconds, strict=True)
        return replace(
            self.whole,
            presets=tuple(replace(preset, parameters=own, changed=second) for preset, own, second in presets),
        )

    def optimized(self, share: float) -> list[Parameters]:
        """Return each preset's parameters by Anki's Optimize after this share of the reviews."""
        data, _ = prepare(self.whole.until(self.second(share) * 1000), Options())
        by_preset = self.parameters(data)
        return [tuple(by_preset[preset.preset_id].tolist()) for preset in self.whole.presets or ()]

    def parameters(self, data: Dataset) -> dict[int, Floats]:
        """Return the parameters that Anki's Optimize would find now, by preset."""
        versions = {preset.preset_id: 6 for preset in data.presets}
        return dict(optimize_presets(data, versions, optimize=self.optimize))

    def evaluate(self, snapshot: Snapshot, rows: Sequence[str]) -> tuple[Report, Evidence]:
        """Return the report at three quarters of the log, and what it is made from."""
        evaluation = evaluate(snapshot.until(self.second(1.0) * 1000), Options(tuple(rows)), optimize=self.optimize)
        if evaluation.evidence is None:
            raise ValueError("The evaluation has kept no evidence.")
        return evaluation.report, evaluation.evidence


def _remember(optimize: Optimize | None) -> Optimize | None:
    """Return the optimizer with a memory, so that it runs once for the advice and the truth."""
    answers: dict[tuple[object, ...], Sequence[float]] = {}

    def remembered(rows: CardRows, current: Sequence[float]) -> Sequence[float]:
        key = (len(rows), int(rows.card_id.sum()), tuple(current))
        if key not in answers and optimize is not None:
            answers[key] = optimize(rows, current)
        return answers[key]

    return None if optimize is None else remembered


# Presets with FSRS


def _of_presets(log: _Log) -> Iterator[tuple[str, str, float]]:
    half, other = log.optimized(0.5), log.other
    if len(half) > 1:
        snapshots = {"fresh and stale": log.with_parameters(log.optimized(0.75)[0], other[0], changed=(0.75, 0.5))}
    else:
        snapshots = {
            "default": log.with_parameters(()),
            "half": log.with_parameters(half[0], changed=(0.5,)),
            "recent": log.with_parameters(log.optimized(0.75)[0], changed=(0.75,)),
            "half, saved": log.with_parameters(half[0], changed=(1.0,)),
            "other's, saved": log.with_parameters(other[0], changed=(1.0,)),
        }
    predictor = Predictor(FSRS, log.data.histories(FSRS.inputs))
    for name, snapshot in snapshots.items():
        report, evidence = log.evaluate(snapshot, ROWS)
        stored, parameters = {item.preset_id: item for item in snapshot.presets or ()}, log.parameters(evidence.data)
        for preset, accuracy, codes in claims_of_presets(report):
            own, later = stored[preset.preset_id], log.later(evidence, preset.preset_id)
            true = log.recall(log.data.reviews.review_id[later])
            before = predictor.predict(np.array(as_fsrs6(own.parameters)), later)
            after = predictor.predict(parameters[preset.preset_id], later)
            for claim, value in (
                *_accuracy(accuracy, evidence, own, log),
                *_advice(codes, true, before, after, log.desired, preset.suggested_retention),
            ):
                yield name, claim, value


def _accuracy(accuracy: Accuracy, evidence: Evidence, preset: Preset, log: _Log) -> Iterator[tuple[str, float]]:
    """Yield the claims on a preset's accuracy that its truth allows to be wrong, and whether they are."""
    own_row = OWN if preset.parameters else PUBLISHED
    true, own = log.recall(evidence.tested.review_id), evidence.fitted[own_row].predicted
    predicted = evidence.fitted[accuracy.algorithm or own_row].predicted
    reviews = evidence.data.label("preset")[-len(true) :] == preset.preset_id
    unseen = reviews & (evidence.tested.review_id > 1000 * (preset.changed or 0))
    if accuracy.source is None:  # the truth if nothing is claimed
        predicted, reviews = own, unseen if unseen.any() else reviews
    elif accuracy.source in (DEFAULT, UNSEEN):
        reviews = unseen
    near = reviews & is_near(predicted, log.desired) if accuracy.near else reviews
    if not near.any():
        return
    gap = float((true - own)[near].mean())
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


def _advice(
    codes: Collection[str], true: Floats, own: Floats, new: Floats, desired: float, suggested: float | None
) -> Iterator[tuple[str, float]]:
    """Yield the claims of the advice that was given, and whether they were wrong on later reviews (n,)."""
    if not len(true):
        return
    gain = expected_loss(true, own) - expected_loss(true, new)
    if "optimize" in codes:
        yield "optimize", gain < -0.005
        yield "optimize, gain", gain
    if "nothing" in codes:
        yield "nothing", gain > 0.005
    if "desired_retention" in codes and suggested is not None:
        near = [(level, is_near(own, level)) for level in (desired, suggested)]
        if min(reviews.sum() for _, reviews in near) >= MIN_NEAR:
            before, after = (abs(level + (true - own)[reviews].mean() - desired) for level, reviews in near)
            yield "desired_retention", after > before


# FSRS and SM-2


def _of_rivals(log: _Log) -> Iterator[tuple[str, str, float]]:
    report, evidence = log.evaluate(log.whole, ROWS[1:])
    true, card = log.recall(evidence.tested.review_id), evidence.scoring.clusters.card
    day = evidence.tested.day - evidence.tested.day[0]
    yield from _past(report, evidence, true, "")
    for name in ["steady", "drifting"] * PAIRS:
        sd, share = log.random.uniform(*ERRORS), log.random.uniform(*STEPS)
        step = None if name == "steady" else max(1, round(int(day[-1] + 1) * share))
        errors = [forecast_errors(log.random, card, day, sd, step) for _ in range(3)]
        first, second, third = (sigmoid(logit(true) + error) for error in errors)
        builder = ReportBuilder(replace(evidence, fitted={}), (), ROWS[1:], NOT_MADE)
        for row, predicted in zip(ROWS[1:], (first, first, second, third), strict=True):
            builder.add(CATALOG[row], Fitted.without_parameters(predicted, evidence.options.folds))
        equal = builder.evaluation()
        if equal.report.headline is not None and equal.report.headline.against_adjusted is not None:
            yield name, f"would, {name}", equal.report.headline.against_adjusted.claim in (BETTER, WORSE)
        yield from _past(equal.report, equal.evidence, true, name)


def _past(report: Report, evidence: Evidence | None, true: Floats, name: str) -> Iterator[tuple[str, str, float]]:
    """Yield whether a claim about the past has the wrong sign."""
    rivalry = None if report.headline is None else report.headline.against_adjusted
    if rivalry is not None and evidence is not None:
        rows = rivalry.comparison.algorithm, rivalry.comparison.baseline
        ours, theirs = (expected_loss(true, evidence.fitted[row].predicted) for row in rows)
        yield name, "past", {BETTER_PAST: ours > theirs, WORSE_PAST: ours < theirs}.get(rivalry.claim, False)


def expected_loss(recall: Floats, predicted: Floats) -> float:
    """Return the mean log loss to be expected of predictions by these true probabilities."""
    return float(-(recall * np.log(predicted) + (1 - recall) * np.log1p(-predicted)).mean())
