"""Comparison of the claims of the first screen with the truth, for one simulated review log."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from evaluator.algorithms import CATALOG
from evaluator.algorithms.algorithm import Parametric
from evaluator.algorithms.your_parameters import as_run
from evaluator.data.dataset import Dataset
from evaluator.data.reviews import CardRows
from evaluator.data.revlog import SECONDS_PER_DAY, Bools, Ints, Snapshot
from evaluator.errors import EvaluatorError
from evaluator.evaluation import evaluate, prepare
from evaluator.findings.accuracy import TestedReviews, classify_recall, is_near
from evaluator.findings.optimizing import OPTIMIZED, optimize_presets
from evaluator.findings.rivalry import pair_verdict
from evaluator.findings.subjects import reviews_of
from evaluator.findings.thresholds import MIN_DOT_OFF, MIN_OF_DOT
from evaluator.fitting.anki_optimizer import PresetOptimizer
from evaluator.fitting.fit import Fitted
from evaluator.fitting.predictor import Predictor
from evaluator.interval import BETTER, WORSE
from evaluator.metrics.scores import logit
from evaluator.options import Options
from evaluator.report import (
    ADJUSTED,
    AVERAGE,
    BETTER_PAST,
    DECK,
    OFF,
    OWN,
    PUBLISHED,
    RIGHT,
    WORSE_PAST,
    Finding,
    Rivalry,
)
from evaluator.scoring.evidence import Evidence
from evaluator.scoring.report_builder import Evaluation, ReportBuilder
from evaluator.sections import EMPTY_SECTIONS
from evaluator.statistics.slices import calibration_slices
from tools.development.measure.contradictions import contradictions
from tools.simulate import Learner, simulate
from tools.simulate.drift import forecast_errors
from tools.simulate.kinds import CLOSED, LEECHES, OPPOSITE, PLAIN, SM2, Kind, delete_leeches, join
from tools.simulate.memory import Floats, Parameters, sigmoid
from ui.anki.optimizer import optimize_button

FSRS: Parametric = OPTIMIZED[6]
#: Rows of the comparison of equally good forecasters.
RIVALS = ("FSRS-6 optimized", PUBLISHED, ADJUSTED, "Anki-SM-2")
#: Algorithms of the evaluation.
ROWS = (OWN, *RIVALS, AVERAGE)

#: Number of pairs of equally good forecasters for each log of SM-2, both steady and drifting ones.
PAIRS = 2
#: Minimum and maximum standard deviation of their errors in the logit.
ERROR_SD_RANGE = (0.2, 0.6)
#: Minimum and maximum share of the time in which the error of a drifting forecaster is constant.
STEP_SHARE_RANGE = (0.05, 0.25)
#: Minimum number of later reviews near a probability.
MIN_NEAR = 30
#: Number of weeks in which a user with true predictions looks at the screen.
WEEKS = 52
WEEK_MS = 7 * SECONDS_PER_DAY * 1000
#: Function that returns Anki's optimizer. Each process creates only one, because each occupies memory for good.
cached_optimize_button = functools.cache(optimize_button)


class Case(NamedTuple):
    """A claim of the first screen that could be wrong."""

    claim: str
    #: 1 if the claim was wrong, otherwise 0. For a claim of a gain, the gain; for contradictions, their number.
    value: float
    kind: Kind
    #: Number of the log.
    number: int
    #: Name of the parameters in the preset.
    parameters: str
    #: The contradictions, as text.
    facts: tuple[str, ...] = ()


def follow(kind: Kind, number: int, seed: int) -> list[Case]:
    """Simulate a review log, evaluate its first three quarters, and compare the claims with the truth."""
    try:
        log = _Log(kind, number, seed)
        claims = _comparison_claims(log) if kind.use == SM2 else _finding_claims(log)
        return [Case(claim, float(value), kind, number, name, tuple(facts)) for name, claim, value, *facts in claims]
    # A few reviews may all have the same outcome.
    except EvaluatorError:
        return []


class _Log:
    """A simulated log with true probabilities of recall. Its first part is evaluated."""

    def __init__(self, kind: Kind, number: int, seed: int) -> None:
        # These random numbers do not depend on the number of processes, and differ between kinds.
        self.random = np.random.default_rng([seed, number, *repr(kind).encode()])
        self.kind = kind
        self.snapshot: Snapshot
        learners = kind.draw(self.random)
        #: Parameters of another learner for each preset.
        self.other_parameters = [learner.memory for learner in kind.draw(self.random)]
        self.retention = learners[0].desired_retention
        self.optimize = _cache_results(cached_optimize_button())
        self._simulate(learners)
        if kind.condition == CLOSED:
            own_parameters = self.optimized_after(0.5)
            pairs = zip(learners, own_parameters, strict=True)
            self._simulate([replace(learner, scheduler_memory=parameters) for learner, parameters in pairs])
        if kind.condition == LEECHES:
            self.snapshot = delete_leeches(self.snapshot, self.second_at(1.0))
            self.data, _ = prepare(self.snapshot, Options())

    def _simulate(self, learners: Sequence[Learner]) -> None:
        """Simulate the learners, join their logs, and prepare the reviews."""
        self.snapshot, self._row_recall = join([simulate(learner) for learner in learners])
        self.data, _ = prepare(self.snapshot, Options())
        #: Number of reviews that are evaluated. A sixth of them is not scored.
        self.n_evaluated = min(round(1.2 * self.kind.size), round(0.75 * len(self.data.reviews)))

    def recall(self, review_id: Ints) -> Floats:
        """Return the true probability of these reviews (n,)."""
        return self._row_recall[np.searchsorted(self.snapshot.revlog.review_id, review_id)]

    def second_at(self, share: float) -> int:
        """Return the first second after this share of the reviews that are evaluated."""
        return int(self.data.reviews.review_id[round(share * self.n_evaluated) - 1]) // 1000 + 1

    def later_reviews(self, evidence: Evidence, preset_id: int) -> Ints:
        """Return the indices of a preset's reviews among those after the evaluated ones, a third as many as these."""
        review_id = self.data.reviews.review_id
        stop = round(4 / 3 * self.n_evaluated)
        is_later = (review_id > evidence.tested.review_id[-1]) & (self.data.label_with_deleted() == preset_id)
        return np.flatnonzero(is_later[:stop])

    def with_parameters(self, *stored: Parameters, changed: Sequence[int | None] = (None, None)) -> Snapshot:
        """Return the whole log with parameters stored in the presets.

        Args:
            stored: the parameters of each preset.
            changed: the second at which each preset was changed, if it was.
        """
        presets = tuple(
            replace(preset, parameters=parameters, changed=second)
            for preset, parameters, second in zip(self.snapshot.presets or (), stored, changed, strict=False)
        )
        return replace(self.snapshot, presets=presets)

    def snapshots(self) -> dict[str, Snapshot]:
        """Return the log with each kind of own parameters, by their name."""
        presets = self.snapshot.presets or ()
        middle, late, now = map(self.second_at, (0.5, 0.75, 1.0))
        if self.kind.condition == CLOSED:
            own = [preset.parameters for preset in presets]
            return {"scheduling": self.with_parameters(*own, changed=[middle] * len(own))}
        if self.kind.use == OPPOSITE:
            return {"default": self.with_parameters((), ())}
        half = self.optimized_after(0.5)
        recent = self.optimized_after(0.75)
        other = self.other_parameters
        if len(presets) > 1:
            return {"fresh and stale": self.with_parameters(recent[0], other[0], changed=[late, middle])}
        return {
            "default": self.with_parameters(()),
            "half": self.with_parameters(*half, changed=[middle]),
            "recent": self.with_parameters(*recent, changed=[late]),
            "half, saved": self.with_parameters(*half, changed=[now]),
            "other's, saved": self.with_parameters(*other, changed=[now]),
        }

    def optimized_after(self, share: float) -> list[Parameters]:
        """Return the parameters that Anki's Optimize finds for each preset after this share of the reviews."""
        data, _ = prepare(self.snapshot.until(self.second_at(share) * 1000), Options())
        by_preset = self.optimized_parameters(data)
        return [tuple(by_preset[preset.preset_id].tolist()) for preset in self.snapshot.presets or ()]

    def optimized_parameters(self, data: Dataset) -> dict[int, Floats]:
        """Return the FSRS-6 parameters that Anki's Optimize finds with this data, by preset."""
        presets = [replace(preset, fsrs_version=6) for preset in data.presets]
        optimized_presets = optimize_presets(data, presets, optimize=self.optimize)
        return {preset_id: optimized.parameters for preset_id, optimized in optimized_presets}

    def evaluate(self, snapshot: Snapshot, rows: Sequence[str]) -> tuple[Evaluation, Evidence]:
        """Return the evaluation of the first part of the log, and its evidence."""
        evaluation = evaluate(snapshot.until(self.second_at(1.0) * 1000), Options(tuple(rows)), optimize=self.optimize)
        if evaluation.evidence is None:
            raise ValueError("The evaluation has kept no evidence.")
        return evaluation, evaluation.evidence


def _cache_results(optimize: PresetOptimizer | None) -> PresetOptimizer | None:
    """Return the optimizer with a cache, so that it runs once for both the advice and the truth."""
    if optimize is None:
        return None
    results: dict[tuple[object, ...], Sequence[float]] = {}

    def cached_optimize(rows: CardRows, current: Sequence[float]) -> Sequence[float]:
        key = (len(rows), int(rows.card_id.sum()), tuple(current))
        if key not in results:
            results[key] = optimize(rows, current)
        return results[key]

    return cached_optimize


# --- findings ---------------------------------------------------------------------------------------------------------


def _finding_claims(log: _Log) -> Iterator[tuple[Any, ...]]:
    """Yield the name of the stored parameters, the claim, its value and its facts, for each claim about FSRS."""
    predictor = Predictor(FSRS, log.data.histories(FSRS.inputs))
    for name, snapshot in log.snapshots().items():
        evaluation, evidence = log.evaluate(snapshot, ROWS)
        facts = contradictions(evaluation)
        yield name, "contradictions", len(facts), *facts
        stored = {preset.preset_id: preset for preset in snapshot.presets or ()}
        optimized = log.optimized_parameters(evidence.data)
        true = log.recall(evidence.tested.review_id)
        for finding in evaluation.report.findings:
            if finding.kind == DECK:
                continue
            tested, is_testable = tested_reviews(evidence, finding)
            for claim, value in accuracy_claims(finding, evidence, true, tested, is_testable):
                yield name, claim, value
            if finding.preset_id is None or finding.advice is None:
                continue
            preset = stored[finding.preset_id]
            later = log.later_reviews(evidence, finding.preset_id)
            later_true = log.recall(log.data.reviews.review_id[later])
            with_stored = predictor.predict(np.array(as_run(preset.parameters)), later)
            with_optimized = predictor.predict(optimized[finding.preset_id], later)
            advice = finding.advice
            near = is_near(with_stored, log.retention) if finding.recall.near else np.ones(len(later), dtype=bool)
            if finding.state == RIGHT and near.sum() >= MIN_NEAR:
                yield name, "right, next quarter", abs((later_true - with_stored)[near].mean()) >= 0.03
            for claim, value in _advice_claims(
                advice.code, later_true, with_stored, with_optimized, log.retention, advice.suggested_retention
            ):
                yield name, f"{claim}: {name}" if claim == "optimize, gain" else claim, value
    slices = calibration_slices(true, evidence.scoring.recalled, min_reviews=MIN_OF_DOT, min_off=MIN_DOT_OFF)[1]
    yield "true", "perfect forecaster", any(slice_.is_outside for slice_ in slices)
    if log.kind.condition == PLAIN:
        yield "true", "ever off", _is_ever_off(evidence, true)


def tested_reviews(evidence: Evidence, finding: Finding) -> tuple[Ints, Bools]:
    """Return the indices of the reviews behind a finding, and which of all scored reviews (n,) can test it."""
    presets = evidence.in_use
    scored = reviews_of(evidence, finding)[-len(evidence.tested) :]
    subject = [item for item in presets.presets if finding.preset_id in (None, item.preset_id)]
    is_testable = scored & presets.testable_reviews(subject)
    if finding.source is None or finding.algorithm is None:
        return np.empty(0, dtype=np.int64), is_testable
    return TestedReviews.of(evidence, finding.algorithm, is_testable, presets.desired_retentions).indices, is_testable


def accuracy_claims(
    finding: Finding, evidence: Evidence, true: Floats, tested: Ints, is_testable: Bools
) -> Iterator[tuple[str, float]]:
    """Yield each claim of a finding that can be wrong, and whether it is wrong.

    Args:
        finding: the finding of the whole or of a preset.
        evidence: the evidence.
        true: the true probability of each scored review (n,).
        tested: the indices of the reviews behind the finding.
        is_testable: which scored reviews (n,) its graph shows.
    """
    recall = finding.recall
    if not len(tested) or finding.algorithm is None:
        return
    predicted = evidence.fitted[finding.algorithm].predicted
    gap = float((true - predicted)[tested].mean())
    if recall.said is not None and recall.remembered.low_high is not None:
        low, high = recall.remembered.low_high
        yield "bracket", not low <= recall.said + gap <= high
    if finding.state == RIGHT:
        yield "right", abs(gap) >= 0.03
    if finding.state == OFF:
        yield "off", abs(gap) < 0.01
        yield "off, wrong sign", abs(gap) > 0.01 and recall.gap * gap < 0
    if finding.state is not None and abs(gap) < 0.01:
        yield "off, of the accurate", finding.state == OFF
    shown = np.flatnonzero(is_testable)
    group, slices = calibration_slices(
        predicted[shown], evidence.scoring.recalled[shown], min_reviews=MIN_OF_DOT, min_off=MIN_DOT_OFF
    )
    for number, slice_ in enumerate(slices):
        if slice_.is_off:
            error = float((true - predicted)[shown[group == number]].mean())
            yield "dot", error * np.sign(slice_.difference) < 0.005


def _is_ever_off(evidence: Evidence, true: Floats) -> bool:
    """Return whether the screen calls true predictions off in some week of the last year."""
    fitted = {OWN: Fitted.without_parameters(true, evidence.options.folds)}
    evidence = replace(evidence, fitted=fitted)
    retentions = evidence.in_use.desired_retentions
    review_id = evidence.tested.review_id
    for week in range(WEEKS):
        end = review_id[-1] - WEEK_MS * week
        is_testable = (review_id > review_id[-1] - WEEK_MS * WEEKS) & (review_id <= end)
        recall = TestedReviews.of(evidence, OWN, is_testable, retentions).recall(evidence, OWN)
        if recall is not None and classify_recall(recall)[0] == OFF:
            return True
    return False


def _advice_claims(
    code: str, true: Floats, stored: Floats, optimized: Floats, desired: float, suggested: float | None
) -> Iterator[tuple[str, float]]:
    """Yield each claim of the given advice, and whether it was wrong on later reviews.

    Args:
        code: the code of the advice.
        true: the true probabilities of recall, shape (n,).
        stored: the predictions with the stored parameters, shape (n,).
        optimized: the predictions with optimized parameters, shape (n,).
        desired: the desired retention.
        suggested: the suggested desired retention, if any.
    """
    if not len(true):
        return
    gain = expected_loss(true, stored) - expected_loss(true, optimized)
    if code == "optimize":
        yield "optimize", gain < -0.005
        yield "optimize, gain", gain
    if code == "nothing":
        yield "nothing", gain > 0.005
    if code == "desired_retention" and suggested is not None:
        near_levels = [(level, is_near(stored, level)) for level in (desired, suggested)]
        if min(near.sum() for _, near in near_levels) >= MIN_NEAR:
            distances = [abs(level + (true - stored)[near].mean() - desired) for level, near in near_levels]
            yield "desired_retention", float(distances[1] > distances[0])


# --- FSRS and SM-2 ----------------------------------------------------------------------------------------------------


def _comparison_claims(log: _Log) -> Iterator[tuple[Any, ...]]:
    """Yield the name of the forecasters, the claim, its value and its facts, for each claim about SM-2."""
    evaluation, evidence = log.evaluate(log.snapshot, ROWS[1:])
    facts = contradictions(evaluation)
    yield "", "contradictions", len(facts), *facts
    true = log.recall(evidence.tested.review_id)
    card = evidence.scoring.clusters.card
    day = evidence.tested.day - evidence.tested.day[0]
    yield from _past_claim(evaluation.report.verdict.rivalry, evidence, true, "")
    for name in ["steady", "drifting"] * PAIRS:
        sd = log.random.uniform(*ERROR_SD_RANGE)
        share = log.random.uniform(*STEP_SHARE_RANGE)
        step = None if name == "steady" else max(1, round(int(day[-1] + 1) * share))
        errors = [forecast_errors(log.random, card, day, sd, step) for _ in range(3)]
        first, second, third = (sigmoid(logit(true) + error) for error in errors)
        builder = ReportBuilder(replace(evidence, fitted={}), (), RIVALS, EMPTY_SECTIONS)
        for row, predicted in zip(RIVALS, (first, first, second, third), strict=True):
            builder.add(CATALOG[row], Fitted.without_parameters(predicted, evidence.options.folds))
        of_rivals = builder.evaluation()
        if of_rivals.evidence is not None:
            rivalry = pair_verdict(of_rivals.report, of_rivals.evidence, RIVALS).rivalry
            if rivalry is not None:
                yield name, f"would, {name}", rivalry.claim in (BETTER, WORSE)
            yield from _past_claim(rivalry, of_rivals.evidence, true, name)


def _past_claim(
    rivalry: Rivalry | None, evidence: Evidence, true: Floats, name: str
) -> Iterator[tuple[str, str, float]]:
    """Yield whether a claim about past reviews has the wrong sign, with the name of the forecasters."""
    if rivalry is not None:
        rows = rivalry.comparison.algorithm, rivalry.comparison.baseline
        loss, baseline_loss = (expected_loss(true, evidence.fitted[row].predicted) for row in rows)
        is_wrong = {BETTER_PAST: loss > baseline_loss, WORSE_PAST: loss < baseline_loss}
        yield name, "past", is_wrong.get(rivalry.claim, False)


def expected_loss(recall: Floats, predicted: Floats) -> float:
    """Return the expected mean log loss of predictions, given the true probabilities of recall."""
    return float(-(recall * np.log(predicted) + (1 - recall) * np.log1p(-predicted)).mean())
