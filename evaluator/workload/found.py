"""The whole section: from the evidence of an evaluation to what each scheduler would ask of the person, and give.

The memories are fitted twice: to what came before the last fifth of the days of study, for the back-test and to see
which of them predict well, and to all reviews, for the year ahead.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, exp
from typing import Dict, List, Optional, Sequence, Tuple

import numpy as np

from ..algorithms import CATALOGUE
from ..algorithms.algorithm import Algorithm, Parametric, Trace
from ..algorithms.fsrs6 import FSRS_6
from ..derivatives import Floats
from ..evidence import Evidence
from ..fitting.dataset import Dataset
from ..fitting.predictor import Predictor
from ..interval import OUT_OF_REACH, Interval
from ..metrics.scores import log_loss_per_review
from ..progress import Progress
from ..statistics.paired import Clusters, paired_difference
from .back_test import Period, back_test
from .bootstrap import NO_OPTIMISM, Optimism, optimism
from .cells import Cells
from .estimate import (
    DESIRED,
    DRAWS,
    HORIZON,
    PUBLISHED_W,
    REPEATS,
    SHOWN,
    Ahead,
    Ratios,
    at_most,
    loads,
    ratios,
    with_interval,
)
from .fitted import Fit, Paces, fit, no_paces, paces
from .in_use import InUse, in_use
from .memories import memory_of
from .person import ON_TIME, RECENT, Alive, Study, alive, habits, lateness, studied_days
from .result import FITTED, KNOWLEDGE, PUBLISHED, SM_2, WORK, BackTest, Load, MemoryYear, Person, Versus, Workload
from .slips import SLIPPING_FSRS_6
from .year import COUNTED_FROM, Totals

#: Models of memory. FSRS-6 has slips, and cards that are unlike each other beyond what their states say.
MEMORIES: Dict[str, Algorithm] = {
    FSRS_6.name: SLIPPING_FSRS_6,
    **{name: CATALOGUE[name] for name in ("SBD", "DASH")},
}
#: Cards that are simulated at most; of a memory that goes through all earlier reviews of a card each time, fewer.
MOST_CARDS, MOST_WITH_TRACES = 500, 150
#: For which the time of an answer is counted, where no preset says it: Anki's own.
MOST_SECONDS = 60
SEED = 2026


@dataclass(frozen=True)
class Prepared:
    """All that is known before anything is simulated."""

    data: Dataset
    study: Study
    period: Period  #: of the back-test
    living: Alive
    used: InUse
    on_time: float  #: share of the recent reviews
    ahead: Ahead
    today: int  #: the last day of the log

    @classmethod
    def of(cls, evidence: Evidence) -> Prepared:
        """Read the person from the log. Raises ValueError where the evidence has no snapshot."""
        snapshot = evidence.snapshot
        if snapshot is None:
            raise ValueError("the reviews themselves are needed")
        presets = snapshot.presets or ()
        study = Study.of(
            evidence.data.rows, snapshot.revlog, max((one.most_seconds for one in presets), default=MOST_SECONDS)
        )
        today = int(study.rows.day.max())
        period = Period.of(study)
        living = alive(study, snapshot.cards, today)
        used = in_use(study, snapshot.cards, presets, snapshot.fsrs, period.first)
        _, on_time, _ = lateness(study, today - RECENT + 1, today + 1)
        ahead = _ahead(study, living, used, today, keeps_up=on_time >= ON_TIME)
        return cls(evidence.data, study, period, living, used, on_time, ahead, today)

    @property
    def stop(self) -> int:
        """How many reviews of the table come before the days of the back-test."""
        return int(np.searchsorted(self.data.reviews.day, self.period.first))

    @property
    def person(self) -> Person:
        """As it is shown."""
        own, first = self.ahead.habits, self.today - RECENT + 1
        return Person(
            days=RECENT,
            studied_days=len(studied_days(self.study, first, self.today + 1)),
            on_time=self.on_time,
            new_per_day=float((self.study.rows.day[self.study.start] >= first).sum()) / RECENT,
            first_answers=tuple(own.first.tolist()),
            passed_answers=tuple(own.passed.tolist()),
            same_day_after_first=own.after_first,
            same_day_after_lapse=own.after_lapse,
            seconds_first=tuple(own.seconds[0].tolist()),
            seconds_same_day=tuple(own.seconds[1].tolist()),
            seconds_later=tuple(own.seconds[2].tolist()),
            cards=len(self.living.card),
            simulated=self.ahead.cards,
            left_out=self.living.left_out,
        )


def workload(
    evidence: Evidence,
    progress: Progress,
    *,
    names: Sequence[str] = tuple(MEMORIES),
    schedulers: Sequence[str] = (FITTED, PUBLISHED),
    only_if_foreseen: bool = True,
) -> Workload:
    """The year ahead of the person whose evaluation this is.

    Args:
        evidence: with the snapshot.
        progress: is told how far it is.
        names: of the memories.
        schedulers: those of FSRS that are compared with SM-2.
        only_if_foreseen: the year is worked out only where the back-test was passed. Otherwise, for who wants to know
            what is kept back, also where it failed, though not where there is nothing to test on.

    Raises ValueError where the evidence has no snapshot.
    """
    known = Prepared.of(evidence)
    question = WORK if known.on_time >= ON_TIME else KNOWLEDGE

    def found(test: BackTest, years: Sequence[MemoryYear] = ()) -> Workload:
        kept = [year for year in years if year.kept]
        only_fsrs = all(CATALOGUE[year.algorithm].family == "FSRS" for year in kept)
        together = _together(kept)
        return Workload(question, known.person, test, tuple(years), together, only_fsrs, HORIZON, DRAWS, SEED)

    refused = known.period.refusal(known.study, known.used, known.living)
    if refused is not None:
        return found(refused)
    tried = _memories(evidence, known.stop, names, progress.part(0.0, 0.15))
    test = _back_test(tried[0].past, known, progress.part(0.15, 0.2))
    if only_if_foreseen and test.code != "passed":
        return found(test)
    fitted = fit(FSRS_6, known.data, len(known.data.reviews), progress.part(0.2, 0.25))
    years = []
    for number, one in enumerate(tried):
        start, stop = (0.25 + 0.75 * place / len(tried) for place in (number, number + 1))
        years.append(_year(one, known, fitted, schedulers, progress.part(start, stop)))
    return found(test, years)


@dataclass(frozen=True)
class _Tried:
    """A memory fitted to what came before the days of the back-test, and how well it predicts these."""

    name: str
    past: Fit
    log_loss: float
    worse_by: Optional[Interval]

    @property
    def kept(self) -> bool:
        return self.worse_by is None or self.worse_by.side() != 1


def _memories(evidence: Evidence, stop: int, names: Sequence[str], progress: Progress) -> List[_Tried]:
    """The memories, the best first."""
    data, known = evidence.data, evidence.context
    found: List[Tuple[float, str, Fit, Floats]] = []
    for number, name in enumerate(names):
        algorithm = MEMORIES[name]
        if not isinstance(algorithm, Parametric) or (algorithm.inputs.fractional and not known.by_the_second):
            continue
        past = fit(algorithm, data, stop, progress.part(number / len(names), (number + 1) / len(names)))
        predicted = Predictor(algorithm, data.histories(algorithm.inputs)).predict(past.w, slice(stop, None))
        losses = log_loss_per_review(predicted, data.reviews.recalled[stop:])
        found.append((float(losses.mean()), name, past, losses))
    found.sort(key=lambda one: one[0])
    reviews = data.reviews.take(slice(stop, None))
    clusters = Clusters.of(reviews.card_id, reviews.day, reviews.recalled)
    return [
        _Tried(name, past, loss, paired_difference(losses - found[0][3], clusters) if place else None)
        for place, (loss, name, past, losses) in enumerate(found)
    ]


def _paces(of: Fit, known: Prepared, stop: int, progress: Progress) -> Paces:
    """Only FSRS-6 has cards that are unlike each other beyond what its state says."""
    if of.algorithm is not SLIPPING_FSRS_6:
        return no_paces(len(known.study.start))
    return paces(of, known.data, stop, progress)


def _back_test(past: Fit, known: Prepared, progress: Progress) -> BackTest:
    gone = np.ones(len(known.study.start), dtype=bool)
    gone[known.living.card] = False
    random = np.random.default_rng(SEED)
    pace = _paces(past, known, known.stop, progress.part(0.0, 0.5))
    return back_test(past, pace, known.study, known.period, known.used, gone, random, progress.part(0.5, 1.0))


def _ahead(study: Study, living: Alive, used: InUse, today: int, *, keeps_up: bool) -> Ahead:
    first = today - RECENT + 1
    recent = studied_days(study, first, today + 1)
    studied = np.concatenate([recent + RECENT * turn for turn in range(ceil(HORIZON / RECENT))])
    studied = studied[studied < HORIZON]
    begun = int((study.rows.day[study.start] >= first).sum())
    new = round(begun / RECENT * HORIZON)
    share = min(1.0, MOST_CARDS / max(len(living.card) + new, 1))
    random = np.random.default_rng(SEED)
    drawn = min(len(living.card), max(1, round(share * len(living.card))))
    card = np.sort(random.choice(living.card, drawn, replace=False))
    own = habits(study, first, today + 1, studied)
    most = None
    if not keeps_up:
        own = replace(own, delays=np.zeros(1, dtype=np.int64), order=int(used.order[used.most_used]))
        days = study.rows.day[study.later & (study.rows.day >= first)] - first
        a_day = np.bincount(days, minlength=RECENT)[recent] * share
        most = np.tile(a_day, ceil(HORIZON / RECENT))[: len(studied)]
        most = np.diff(np.round(np.cumsum(most)), prepend=0).astype(np.int64)
    return Ahead(study, used, card, round(share * new), share, own, most, today, used.longest, SEED)


def _year(one: _Tried, known: Prepared, fsrs: Fit, schedulers: Sequence[str], progress: Progress) -> MemoryYear:
    """The year by one memory; ``fsrs`` is what the fitted scheduler runs by."""
    if not one.kept:
        return MemoryYear(one.name, one.log_loss, one.worse_by, False, None, (), ())
    data, ahead, algorithm = known.data, known.ahead, one.past.algorithm
    random = np.random.default_rng(SEED)
    if isinstance(algorithm, Trace):
        ahead = ahead.with_fewer(MOST_WITH_TRACES, random)
    own = fit(algorithm, data, len(data.reviews), progress.part(0.0, 0.08))
    groups = DRAWS + REPEATS
    at_fit = np.repeat(own.w[:, None], REPEATS, axis=1)
    memory = memory_of(algorithm, np.concatenate([own.draws(DRAWS, random), at_fit], axis=1))
    pace = _paces(own, known, len(data.reviews), progress.part(0.08, 0.1))
    start = ahead.start(memory, groups, pace.drawn(ahead.numbers(), groups, random))
    cells, desired = Cells.of(own, data), np.array(DESIRED)
    found: List[Load] = []
    totals: Dict[str, Totals] = {}
    parameters = {SM_2: None, FITTED: fsrs.w, PUBLISHED: PUBLISHED_W}
    for number, name in enumerate((SM_2, *schedulers)):
        w = parameters[name]
        scheduler = ahead.sm2() if w is None else ahead.fsrs(w[:, None], desired, groups)
        variants = 1 if w is None else len(desired)
        seen = cells.counter(variants, groups, ahead.cards)
        part = progress.part(0.1 + 0.2 * number, 0.3 + 0.2 * number)
        totals[name] = ahead.run(memory, start, scheduler, groups, variants, seen, part)
        shown = loads(ahead, name, totals[name], seen.tried)
        found += shown if w is None else shown[SHOWN]
    compare = ratios if ahead.most_a_day is None else at_most
    of = {name: compare(totals[SM_2], totals[name]) for name in schedulers}
    off = None
    if algorithm is SLIPPING_FSRS_6 and FITTED in of:
        off = optimism(own, pace, data, ahead, of[FITTED].desired, progress.part(0.7, 1.0))
    versus = tuple(
        _versus(name, ahead, of[name], totals[SM_2], off if name == FITTED and off is not None else NO_OPTIMISM)
        for name in of
    )
    shown_off = None if off is None else float(off.reviews.mean())
    return MemoryYear(one.name, one.log_loss, one.worse_by, True, shown_off, tuple(found), versus)


def _versus(name: str, ahead: Ahead, of: Ratios, sm2: Totals, off: Optimism) -> Versus:
    """What the draws say of one of FSRS's schedulers; ``off`` is taken off its logarithms."""
    reviews, seconds, cards = (
        with_interval(getattr(of, what), getattr(off, what)) for what in ("reviews", "seconds", "known")
    )
    minutes = None
    if seconds.estimate is not None:
        minutes = exp(seconds.estimate) * float(sm2.seconds.mean()) / ahead.share / (HORIZON - COUNTED_FROM) / 60
    return Versus(
        name,
        _exp(reviews),
        _exp(seconds),
        _exp(cards),
        _median(of.desired),
        _median(of.desired_at_equal_work),
        None if (end := _median(of.at_the_end)) is None else exp(end),
        minutes,
    )


def _exp(of: Interval) -> Interval:
    if of.ends is None or of.estimate is None:
        return of
    return Interval(exp(of.estimate), exp(of.ends[0]), exp(of.ends[1]))


def _median(values: Floats) -> Optional[float]:
    known = values[np.isfinite(values)]
    return float(np.median(known)) if 2 * len(known) > len(values) else None


def _together(years: Sequence[MemoryYear]) -> Tuple[Versus, ...]:
    """The first memory's ratios, with intervals that reach over those of all; none where one of them has none."""
    found = []
    for place, first in enumerate(years[0].versus if years else ()):
        all_of = [year.versus[place] for year in years]
        found.append(
            replace(
                first,
                reviews=_widest([one.reviews for one in all_of]),
                minutes=_widest([one.minutes for one in all_of]),
                known=_widest([one.known for one in all_of]),
            )
        )
    return tuple(found)


def _widest(intervals: Sequence[Interval]) -> Interval:
    ends = [one.ends for one in intervals if one.ends is not None]
    if len(ends) < len(intervals):
        return Interval(None, reason=OUT_OF_REACH)
    return Interval(intervals[0].known, min(low for low, _ in ends), max(high for _, high in ends))
