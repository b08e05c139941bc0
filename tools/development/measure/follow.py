"""Follow one simulated person: what the first screen says of their review log, and what is true."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from evaluator.algorithms import CATALOG
from evaluator.algorithms.algorithm import Parametric
from evaluator.algorithms.your_parameters import as_fsrs6
from evaluator.data.dataset import Dataset
from evaluator.data.reviews import Bools, CardRows
from evaluator.data.revlog import Ints, Preset, Snapshot
from evaluator.errors import EvaluatorError
from evaluator.evaluation import evaluate, prepare
from evaluator.fitting.anki_optimizer import Optimize
from evaluator.fitting.fit import Fitted
from evaluator.fitting.predictor import Predictor
from evaluator.interval import BETTER, WORSE
from evaluator.metrics.scores import logit
from evaluator.options import Options
from evaluator.report import Accuracy, Report, Rivalry
from evaluator.report.accuracy import BETTER_PAST, DEFAULT, OFF, RIGHT, UNSEEN, WORSE_PAST
from evaluator.scoring.accuracy import ADJUSTED, LEVELS, NEAR, OWN, PUBLISHED
from evaluator.scoring.evidence import Evidence
from evaluator.scoring.report_builder import ReportBuilder
from evaluator.scoring.scheduler_in_use import OPTIMIZED, optimized
from evaluator.sections import NOT_MADE
from tools.simulate import Learner, simulate
from tools.simulate.drift import drifting
from tools.simulate.joined import join
from tools.simulate.memory import Floats, Parameters
from tools.simulate.people import learner
from tools.simulate.reviews import sigmoid
from ui.anki.optimizer import anki_optimize

FSRS: Parametric = OPTIMIZED[6]
ROWS = (OWN, "FSRS-6 optimized", PUBLISHED, ADJUSTED, "Anki-SM-2")

PLAIN, DRIFT, BREAK, HARD = "plain", "drift", "break", "hard"
#: How the log is used: FSRS is on, in one preset; in two of different memories; it is off, and SM-2 schedules.
ONE, TWO, NONE = "one preset", "two presets", "FSRS off"
#: Standard deviation of the logit of recall over weeks, of those who drift.
DRIFT_SD = 0.4
#: Pairs of equal forecasters for each log of SM-2, as many steady as drifting, and how far they err in the logit.
PAIRS, ERRORS = 2, (0.2, 0.6)
#: Minimum number of later reviews near a probability to know what was remembered there.
MIN_NEAR = 30
ANKI = functools.cache(anki_optimize)


@dataclass(frozen=True)
class Kind:
    """A kind of review logs."""

    memory: str
    condition: str  #: PLAIN, DRIFT, BREAK or HARD
    size: int  #: about this many scored reviews; the log goes on for a third more
    use: str  #: ONE, TWO or NONE


class Case(NamedTuple):
    """A claim of the first screen that could be wrong: 1 if it was, otherwise 0. Of a gain, the gain."""

    claim: str
    value: float
    kind: Kind
    number: int  #: of the log
    parameters: str  #: those in the preset


class Said(NamedTuple):
    """What the first screen says of a preset."""

    accuracy: Accuracy
    advice: tuple[str, ...]  #: codes
    retention: float | None  #: suggested desired retention


def said(report: Report) -> dict[int, Said]:
    """Return what the first screen says of each preset, of a single one in the headline."""
    if report.headline is None or report.scheduler is None:
        return {}
    presets, result = report.scheduler.presets, {}
    for preset in presets:
        accuracy = report.headline.accuracy if len(presets) == 1 else preset.accuracy
        codes = tuple(item.code for item in report.advice if not item.presets or preset.name in item.presets)
        if accuracy is not None:
            result[preset.preset_id] = Said(accuracy, codes, preset.suggested_retention)
    return result


def rivalry(report: Report) -> Rivalry | None:
    """Return what the first screen says of FSRS and adjusted SM-2."""
    return None if report.headline is None else report.headline.against_adjusted


def follow(kind: Kind, number: int, seed: int) -> list[Case]:
    """Simulate a review log, evaluate it at three quarters, and compare what is said with what is true."""
    try:
        log = _Log(kind, number, seed)
        found = _of_rivals(log) if kind.use == NONE else _of_presets(log)
        return [Case(claim, float(value), kind, number, own) for own, claim, value in found]
    except EvaluatorError:  # few reviews may have one outcome only
        return []


class _Log:
    """A simulated log with true probabilities, and where in it one looks at the first screen."""

    def __init__(self, kind: Kind, number: int, seed: int) -> None:
        # The same for each number of processes, and no two kinds share a person.
        self.random = np.random.default_rng([seed, number, *repr(kind).encode()])
        people = self._people(kind)
        self.other = [self._learner(kind).memory for _ in people]  #: somebody else's parameters, for each preset
        self.whole, self._row_recall = join([simulate(person) for person in people])
        self.desired = people[0].desired_retention
        self.data, _ = prepare(self.whole, Options())
        reviews = len(self.data.reviews)
        self.end = min(round(1.2 * kind.size), round(0.75 * reviews))  # a sixth is not scored
        self.optimize = _remember(ANKI())

    def _people(self, kind: Kind) -> list[Learner]:
        person = self._learner(kind)
        if kind.use != TWO:
            return [person]
        other = self._learner(kind)
        return [person, replace(person, seed=other.seed, memory=other.memory, spread=other.spread)]

    def _learner(self, kind: Kind) -> Learner:
        rows = (3 * kind.size + 700) // (1 + (kind.use == TWO))
        begins = round(rows * self.random.uniform(0.15, 0.6))
        drift = DRIFT_SD if kind.condition == DRIFT else 0.0
        number, seed = self.random.integers(1, 2**31, 2).tolist()
        person = learner(number, seed=seed, rows=rows, spread=0.0, drift=drift, utc=True, memory_kind=kind.memory)
        return replace(
            person,
            days=person.days + 200,
            scheduler="sm2" if kind.use == NONE else "fsrs",
            habits=replace(person.habits, deleted=0.0),
            break_after=begins if kind.condition == BREAK else None,
            hard_after=begins if kind.condition == HARD else None,
        )

    def recall(self, review_id: Ints) -> Floats:
        """Return the true probability of these reviews (n,)."""
        return self._row_recall[np.searchsorted(self.whole.revlog.review_id, review_id)]

    def second(self, share: float) -> int:
        """Return the first second after this share of the reviews that are evaluated."""
        return int(self.data.reviews.review_id[round(share * self.end) - 1]) // 1000 + 1

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
        found = self.parameters(data)
        return [tuple(found[preset.preset_id].tolist()) for preset in self.whole.presets or ()]

    def parameters(self, data: Dataset) -> dict[int, Floats]:
        """Return the parameters that Anki's Optimize would find now, by preset."""
        versions = {preset.preset_id: 6 for preset in data.presets}
        return dict(optimized(data, versions, optimize=self.optimize))

    def evaluate(self, snapshot: Snapshot, rows: Sequence[str]) -> tuple[Report, Evidence]:
        """Return the report at three quarters of the log, and what it is made from."""
        evaluation = evaluate(snapshot.until(self.second(1.0) * 1000), Options(tuple(rows)), optimize=self.optimize)
        if evaluation.evidence is None:
            raise ValueError("The evaluation has kept no evidence.")
        return evaluation.report, evaluation.evidence


def _remember(optimize: Optimize | None) -> Optimize | None:
    """Return the optimizer with a memory: the same rows and parameters come up for the advice and for its truth."""
    known: dict[tuple[object, ...], Parameters] = {}

    def remembered(rows: CardRows, current: Parameters) -> Parameters:
        key = (len(rows), int(rows.card_id.sum()), tuple(current))
        if key not in known:
            known[key] = tuple(optimize(rows, current))  # type: ignore[misc]
        return known[key]

    return None if optimize is None else remembered  # type: ignore[return-value]


# Presets with FSRS


def _of_presets(log: _Log) -> Iterator[tuple[str, str, float]]:
    half, other = log.optimized(0.5), log.other
    if len(half) > 1:
        snapshots = {"fresh and stale": log.with_parameters(log.optimized(0.75)[0], other[0], changed=(0.75, 0.5))}
    else:
        snapshots = {
            "default": log.with_parameters(()),
            "half": log.with_parameters(half[0], changed=(0.5,)),
            "half, saved": log.with_parameters(half[0], changed=(1.0,)),
            "other's, saved": log.with_parameters(other[0], changed=(1.0,)),
        }
    for name, snapshot in snapshots.items():
        report, evidence = log.evaluate(snapshot, ROWS)
        spoken, new = said(report), log.parameters(evidence.data)
        for preset in snapshot.presets or ():
            if preset.preset_id in spoken:
                one = spoken[preset.preset_id]
                for claim, value in (
                    *_accuracy(one.accuracy, evidence, preset, log),
                    *_advice(one, _later(log, evidence, preset, new[preset.preset_id])),
                ):
                    yield name, claim, value


def _accuracy(accuracy: Accuracy, evidence: Evidence, preset: Preset, log: _Log) -> Iterator[tuple[str, float]]:
    """Yield the claims on a preset's accuracy that its truth allows to be wrong, and whether they are."""
    own_row = OWN if preset.parameters else PUBLISHED
    true, own = log.recall(evidence.tested.review_id), evidence.fitted[own_row].predicted
    predicted = evidence.fitted[accuracy.algorithm or own_row].predicted
    reviews = evidence.data.label("preset")[-len(true) :] == preset.preset_id
    unseen = reviews & (evidence.tested.review_id > 1000 * (preset.changed or 0))
    if accuracy.source is None:  # the truth of those who are told nothing
        predicted, reviews = own, unseen if unseen.any() else reviews
    elif accuracy.source in (DEFAULT, UNSEEN):
        reviews = unseen
    near = reviews & _near(predicted, log.desired) if accuracy.near else reviews
    if not near.any():
        return
    gap = float((true - own)[near].mean())
    is_off = accuracy.state == OFF
    if abs(gap) >= 0.04:
        yield "right", accuracy.state == RIGHT
    if abs(gap) < 0.01:
        yield "off", is_off
    if abs(gap) > 0.01:
        yield "off, wrong sign", is_off and accuracy.recall is not None and accuracy.recall.gap * gap < 0
    if accuracy.state == RIGHT:
        tenths = np.array_split(np.flatnonzero(reviews)[np.argsort(predicted[reviews], kind="stable")], LEVELS)
        if max(abs((true - predicted)[tenth].mean()) for tenth in tenths) < 0.02:
            yield "elsewhere", accuracy.elsewhere is not None


def _near(predicted: Floats, desired: float) -> Bools:
    return np.asarray(np.abs(logit(predicted) - logit(np.array([desired]))) <= NEAR)


class _Later(NamedTuple):
    """A preset's reviews after the evaluation."""

    true: Floats
    own: Floats
    new: Floats  #: predictions with the parameters that optimizing would have given
    desired: float

    @property
    def gain(self) -> float:
        """How much lower the expected log loss would have been by optimizing."""
        return expected_loss(self.true, self.own) - expected_loss(self.true, self.new)

    def remembered(self, desired: float) -> float | None:
        """Return the true share remembered at a prediction; None if few reviews are near it."""
        near = _near(self.own, desired)
        return desired + float((self.true - self.own)[near].mean()) if near.sum() >= MIN_NEAR else None


def _later(log: _Log, evidence: Evidence, preset: Preset, new: Floats) -> _Later:
    reviews = log.data.reviews.review_id
    later = (reviews > evidence.tested.review_id[-1]) & (log.data.label("preset") == preset.preset_id)
    index, predictor = np.flatnonzero(later), Predictor(FSRS, log.data.histories(FSRS.inputs))
    own, optimized_now = (predictor.predict(w, index) for w in (np.array(as_fsrs6(preset.parameters)), new))
    return _Later(log.recall(reviews[index]), own, optimized_now, log.desired)


def _advice(one: Said, later: _Later) -> Iterator[tuple[str, float]]:
    """Yield the claims of the advice that was given, and whether they were wrong later."""
    if not len(later.true):
        return
    if "optimize" in one.advice:
        yield "optimize", later.gain < -0.005
        yield "optimize, gain", later.gain
    if "nothing" in one.advice:
        yield "nothing", later.gain > 0.005
    if "desired_retention" in one.advice and one.retention is not None:
        before, after = later.remembered(later.desired), later.remembered(one.retention)
        if before is not None and after is not None:
            yield "desired_retention", abs(after - later.desired) > abs(before - later.desired)


# FSRS and SM-2


def _of_rivals(log: _Log) -> Iterator[tuple[str, str, float]]:
    report, evidence = log.evaluate(log.whole, ROWS[1:])
    true = log.recall(evidence.tested.review_id)
    yield from _past(report, evidence, true, "")
    for name, is_slow in [("steady", False), ("drifting", True)] * PAIRS:
        sd = log.random.uniform(*ERRORS)
        one, other, third = (sigmoid(logit(true) + _error(log.random, evidence, sd, is_slow=is_slow)) for _ in range(3))
        builder = ReportBuilder(replace(evidence, fitted={}), (), ROWS[1:], NOT_MADE)
        for row, predicted in zip(ROWS[1:], (one, one, other, third), strict=True):
            builder.add(CATALOG[row], Fitted.without_parameters(predicted, evidence.options.folds))
        equal = builder.evaluation()
        claim = rivalry(equal.report)
        if claim is not None and equal.evidence is not None:
            yield name, f"would, {name}", claim.claim in (BETTER, WORSE)
            yield from _past(equal.report, equal.evidence, true, name)


def _error(random: np.random.Generator, evidence: Evidence, sd: float, *, is_slow: bool) -> Floats:
    """Return errors in the logit: for good about each card, or in steps of up to a quarter of the time."""
    if not is_slow:
        return np.asarray(random.normal(0, sd, evidence.scoring.clusters.cards)[evidence.scoring.clusters.card])
    day = evidence.tested.day - evidence.tested.day[0]
    days = int(day[-1]) + 1
    return np.asarray(drifting(random, days, sd, step=max(1, round(days * random.uniform(0.05, 0.25))))[day])


def _past(report: Report, evidence: Evidence, true: Floats, name: str) -> Iterator[tuple[str, str, float]]:
    """Yield whether a claim about the past has the wrong sign."""
    claim = rivalry(report)
    if claim is not None:
        rows = claim.comparison.algorithm, claim.comparison.baseline
        ours, theirs = (expected_loss(true, evidence.fitted[row].predicted) for row in rows)
        yield name, "past", {BETTER_PAST: ours > theirs, WORSE_PAST: ours < theirs}.get(claim.claim, False)


def expected_loss(true: Floats, predicted: Floats) -> float:
    """Return the mean of the log losses to be expected by these true probabilities."""
    return float(-(true * np.log(predicted) + (1 - true) * np.log1p(-predicted)).mean())
