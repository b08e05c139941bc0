"""The whole section: from the evidence of an evaluation to what each scheduler would ask of the person, and give.

The memories are fitted twice: to what came before the last fifth of the days of study, for the back-test and to see
which of them predict well, and to all reviews, for the year ahead.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, exp
from typing import List, Optional, Sequence, Tuple

import numpy as np

from ..algorithms import CATALOGUE
from ..algorithms.algorithm import Parametric, Trace
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
from .bootstrap import optimism
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
from .fitted import Fit, fit, no_paces, paces
from .in_use import InUse, in_use
from .memories import memory_of
from .person import ON_TIME, RECENT, Alive, Study, alive, habits, lateness, studied_days
from .result import FITTED, KNOWLEDGE, PUBLISHED, SM_2, WORK, BackTest, Load, MemoryYear, Person, Versus, Workload
from .year import COUNTED_FROM, Totals

#: Models of memory, by their names in the catalogue. The first describes the cards as unlike each other.
MEMORIES = ("FSRS-6", "SBD", "DASH", "ACT-R")
#: Cards that are simulated at most; of a memory that goes through all earlier reviews of a card each time, fewer.
MOST_CARDS, MOST_WITH_TRACES = 600, 200
SEED = 2026


def workload(evidence: Evidence, progress: Progress) -> Workload:
    """The year ahead of the person whose evaluation this is.

    Raises ValueError where the evidence has no snapshot.
    """
    snapshot = evidence.snapshot
    if snapshot is None:
        raise ValueError("the reviews themselves are needed")
    data, presets = evidence.data, snapshot.presets or ()
    study = Study.of(data.rows, snapshot.revlog, max((one.most_seconds for one in presets), default=60))
    today = int(study.rows.day.max())
    period = Period.of(study)
    living = alive(study, snapshot.cards, today)
    used = in_use(study, snapshot.cards, presets, snapshot.fsrs, period.first)
    _, on_time, _ = lateness(study, today - RECENT + 1, today + 1)
    ahead = _ahead(study, living, used, today, keeps_up=on_time >= ON_TIME)
    person = _person(study, living, ahead, on_time, today)

    def found(test: BackTest, years: Sequence[MemoryYear] = ()) -> Workload:
        question = WORK if on_time >= ON_TIME else KNOWLEDGE
        kept = [year for year in years if year.kept]
        only_fsrs = all(CATALOGUE[year.algorithm].family == "FSRS" for year in kept)
        return Workload(question, person, test, tuple(years), _together(kept), only_fsrs, HORIZON, DRAWS, SEED)

    early = period.refusal(study, used, living)
    if early is not None:
        return found(early)
    stop = int(np.searchsorted(data.reviews.day, period.first))
    tried = _memories(evidence, stop, progress.part(0.0, 0.2))
    best = tried[0]
    random = np.random.default_rng(SEED)
    pace = paces(best.past, data, stop) if best.name == MEMORIES[0] else no_paces(len(study.start))
    gone = np.ones(len(study.start), dtype=bool)
    gone[living.card] = False
    test = back_test(best.past, pace, study, period, used, gone, random, progress.part(0.2, 0.25))
    if test.code != "passed":
        return found(test)
    years = []
    for number, one in enumerate(tried):
        part = progress.part(0.25 + 0.75 * number / len(tried), 0.25 + 0.75 * (number + 1) / len(tried))
        years.append(_year(one, data, ahead, part))
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


def _memories(evidence: Evidence, stop: int, progress: Progress) -> List[_Tried]:
    """The memories, the best first."""
    data, known = evidence.data, evidence.context
    found: List[Tuple[float, str, Fit, Floats]] = []
    for number, name in enumerate(MEMORIES):
        algorithm = CATALOGUE[name]
        if not isinstance(algorithm, Parametric) or (algorithm.inputs.fractional and not known.by_the_second):
            continue
        past = fit(algorithm, data, stop, progress.part(number / len(MEMORIES), (number + 1) / len(MEMORIES)))
        predicted = Predictor(algorithm, data.histories(algorithm.inputs)).predict(past.w, stop, len(data.reviews))
        losses = log_loss_per_review(predicted, data.reviews.recalled[stop:])
        found.append((float(losses.mean()), name, past, losses))
    found.sort(key=lambda one: one[0])
    reviews = data.reviews.take(slice(stop, None))
    clusters = Clusters.of(reviews.card_id, reviews.day, reviews.recalled)
    return [
        _Tried(name, past, loss, paired_difference(losses - found[0][3], clusters) if place else None)
        for place, (loss, name, past, losses) in enumerate(found)
    ]


def _ahead(study: Study, living: Alive, used: InUse, today: int, *, keeps_up: bool) -> Ahead:
    first = today - RECENT + 1
    recent = studied_days(study, first, today + 1)
    studied = np.concatenate([recent + RECENT * turn for turn in range(ceil(HORIZON / RECENT))])
    studied = studied[studied < HORIZON]
    begun = int((study.rows.day[study.start] >= first).sum())
    new = round(begun / RECENT * HORIZON)
    share = min(1.0, MOST_CARDS / max(len(living.card) + new, 1))
    random = np.random.default_rng(SEED)
    card = np.sort(random.choice(living.card, round(share * len(living.card)), replace=False))
    own = habits(study, first, today + 1, studied)
    most = None
    if not keeps_up:
        own = replace(own, delays=np.zeros(1, dtype=np.int64), order=int(used.order[used.most_used]))
        days = study.rows.day[study.later & (study.rows.day >= first)] - first
        a_day = np.bincount(days, minlength=RECENT)[recent] * share
        most = np.tile(a_day, ceil(HORIZON / RECENT))[: len(studied)]
        most = np.diff(np.round(np.cumsum(most)), prepend=0).astype(np.int64)
    return Ahead(study, used, card, round(share * new), share, own, most, today, used.longest, SEED)


def _person(study: Study, living: Alive, ahead: Ahead, on_time: float, today: int) -> Person:
    own = ahead.habits
    first = today - RECENT + 1
    return Person(
        days=RECENT,
        studied_days=len(studied_days(study, first, today + 1)),
        on_time=on_time,
        new_per_day=float((study.rows.day[study.start] >= first).sum()) / RECENT,
        first_answers=tuple(own.first.tolist()),
        passed_answers=tuple(own.passed.tolist()),
        same_day_after_first=own.after_first,
        same_day_after_lapse=own.after_lapse,
        seconds_first=tuple(own.seconds[0].tolist()),
        seconds_same_day=tuple(own.seconds[1].tolist()),
        seconds_later=tuple(own.seconds[2].tolist()),
        cards=len(living.card),
        simulated=ahead.cards,
        left_out=living.left_out,
    )


def _year(one: _Tried, data: Dataset, ahead: Ahead, progress: Progress) -> MemoryYear:
    if not one.kept:
        return MemoryYear(one.name, one.log_loss, one.worse_by, False, None, (), ())
    algorithm = one.past.algorithm
    everything = fit(algorithm, data, len(data.reviews), progress.part(0.0, 0.1))
    random = np.random.default_rng(SEED)
    if isinstance(algorithm, Trace):
        ahead = ahead.with_fewer(MOST_WITH_TRACES, random)
    groups = DRAWS + REPEATS
    at_fit = np.repeat(everything.w[:, None], REPEATS, axis=1)
    memory = memory_of(algorithm, np.concatenate([everything.draws(DRAWS, random), at_fit], axis=1))
    uneven = one.name == MEMORIES[0]
    pace = paces(everything, data, len(data.reviews)) if uneven else no_paces(len(ahead.study.start))
    start = ahead.start(memory, groups, pace.drawn(ahead.numbers(), groups, random))
    cells = Cells.of(everything, data)
    desired = np.array(DESIRED)
    fitted_w = everything.w if uneven else fit(FSRS_6, data, len(data.reviews)).w
    found: List[Load] = []
    versus: List[Versus] = []
    totals = {}
    off = optimism(everything, pace, data, ahead, progress.part(0.1, 0.3)) if uneven else None
    for number, (name, w) in enumerate(((SM_2, None), (FITTED, fitted_w), (PUBLISHED, PUBLISHED_W))):
        scheduler = ahead.sm2() if w is None else ahead.fsrs(w[:, None], desired, groups)
        variants = 1 if w is None else len(desired)
        seen = cells.counter(variants, groups, ahead.cards)
        part = progress.part(0.3 + 0.7 * number / 3, 0.3 + 0.7 * (number + 1) / 3)
        totals[name] = ahead.run(memory, start, scheduler, groups, variants, seen, part)
        shown = loads(ahead, name, totals[name], seen.tried)
        found += shown if w is None else shown[SHOWN]
        if w is not None:
            compare = ratios if ahead.most_a_day is None else at_most
            versus.append(_versus(name, ahead, compare(totals[SM_2], totals[name]), totals[SM_2], off or 0.0))
    return MemoryYear(one.name, one.log_loss, one.worse_by, True, off, tuple(found), tuple(versus))


def _versus(name: str, ahead: Ahead, of: Ratios, sm2: Totals, off: float) -> Versus:
    """What the draws say of one of FSRS's schedulers; ``off`` is the optimism that is taken off its logarithms."""
    reviews, seconds = (with_interval(values - off) for values in (of.reviews, of.seconds))
    minutes = None
    if seconds.estimate is not None:
        minutes = exp(seconds.estimate) * float(sm2.seconds.mean()) / ahead.share / (HORIZON - COUNTED_FROM) / 60
    return Versus(
        name,
        _exp(reviews),
        _exp(seconds),
        _exp(with_interval(of.known)),
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
