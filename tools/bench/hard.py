"""``python3 tools bench hard``: are simulated people who press Hard where they forgot found, and honest ones not?

It finds the limit that :mod:`evaluator.sections.hard` works with, too. The people have a simulation of their own,
in which cards do not wait for each other: 20,000 rows take 0.02 s of it, and 0.6 s of :mod:`tools.simulate`.
"""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TextIO

import numpy as np

from evaluator.algorithms.fsrs6 import FSRS_6
from evaluator.evaluation import prepare
from evaluator.fitting.dataset import Dataset
from evaluator.fitting.training import train
from evaluator.interval import TOO_FEW
from evaluator.options import Options
from evaluator.revlog import SECONDS_PER_DAY, Clock, Snapshot
from evaluator.sections import hard
from evaluator.sections.hard import Hard, examine
from tools.arguments import Parser, typed_number
from tools.progress import ProgressLine
from tools.simulate import memory
from tools.simulate.memory import AGAIN, EASY, GOOD, HARD, Floats, Ints, Parameters
from tools.simulate.trace import Trace
from tools.terminal import Grid, laid_out, words

#: Honest people from whom the limit is found, and the share of them that the limit lets through.
PEOPLE = 2_000
PASS = 0.01

#: Shares of what is forgotten that others answer with Hard; the first are honest, but not those of the limit.
MISUSES = (0.0, 0.25, 0.5, 0.9)
#: Of each of these kinds there is one for so many honest people of the limit.
FOR_EACH = 4
#: The first seeds of these kinds lie so far apart.
SEEDS = 1_000_000

#: Numbers of reviews after Hard at which the table is divided.
SIZES = (300, 1_000, 3_000)

START = 1_600_041_600  #: seconds since 1970, the beginning of a day
MS_PER_DAY = 1000 * SECONDS_PER_DAY


@dataclass(frozen=True)
class Person:
    """A simulated person whose memory is that of FSRS-6, with cards that differ from each other."""

    seed: int
    misuse: float  #: the share of what is forgotten that is answered with Hard
    memory: Parameters
    spread: float  #: of the cards' memorability, as standard deviation of its logarithm
    hard: float  #: the share of what is remembered that is answered with Hard where recall was 90 %
    hesitation: float  #: that share grows by so much, as a multiple, from recall of 100 % down to 0
    cards: int
    days: int
    retention: float  #: that the scheduler aims at
    believed: Parameters | None  #: what an FSRS scheduler believes of the memory; None: SM-2 schedules
    steps: bool  #: whether a card that was not known is seen again on the same day

    @classmethod
    def drawn(cls, seed: int, misuse: float) -> Person:
        """Draw a person. w15 from 0 to 1, spreads to 0.8, 2 to 40 % Hard; who misuses it presses it from 1 % on."""
        random = np.random.default_rng(seed)
        own = _memory(random)
        least = 0.01 if misuse else 0.02
        believed = (None, None, own, memory.PUBLISHED)[random.integers(4)]
        return cls(
            seed=seed,
            misuse=misuse,
            memory=own,
            spread=random.uniform(0, 0.8),
            hard=_log_uniform(random, least, 0.4),
            hesitation=random.uniform(0, 15),
            cards=round(_log_uniform(random, 150, 4_000)),
            days=int(random.integers(120, 900)),
            retention=random.uniform(0.8, 0.95),
            believed=believed,
            steps=bool(random.integers(2)),
        )


def _memory(random: np.random.Generator) -> Parameters:
    """Draw parameters: the published ones, scattered half as widely as people differ, with any w15 and usual decay."""
    x = (
        0.5 * random.normal(size=len(FSRS_6.parameters)) / np.sqrt(2)
    )  # the prior's width is sqrt(2) standard deviations
    w = [
        p.default * np.exp(0.7 * p.width * z) if p.log else p.default + p.width * z
        for p, z in zip(FSRS_6.parameters, x, strict=True)
    ]
    w[:4] = np.maximum.accumulate(w[:4])
    w[15], w[20] = random.uniform(0, 1), random.uniform(0.12, 0.45)
    return tuple(float(np.clip(value, p.lower, p.upper)) for p, value in zip(FSRS_6.parameters, w, strict=True))


def _log_uniform(random: np.random.Generator, low: float, high: float) -> float:
    return float(np.exp(random.uniform(np.log(low), np.log(high))))


def study(person: Person) -> Snapshot:
    """Simulate the person's log. Cards do not wait for each other, so a round is the next review of all cards."""
    random, study = np.random.default_rng([person.seed, 1]), _Study(person)
    day = random.integers(0, round(0.8 * person.days), person.cards)
    card, answer = (
        np.arange(person.cards),
        random.choice([AGAIN, HARD, GOOD, EASY], person.cards, p=[0.3, 0.1, 0.5, 0.1]),
    )
    study.begin(card, day, answer, np.exp(random.normal(0, person.spread, person.cards)))
    while len(card):
        late = (random.random(len(card)) < 0.1) * random.exponential(3, len(card))
        wait = study.interval(card) * np.exp(random.normal(0, 0.08, len(card))) + late
        elapsed = np.clip(np.rint(wait), 1, 5_000)
        card, elapsed = (values[study.day[card] + elapsed < person.days] for values in (card, elapsed))
        recall = memory.recall(person.memory, study.stability[card], elapsed)
        grown = (1 + person.hesitation * (1 - recall)) / (1 + person.hesitation * 0.1)
        u = random.random(len(card))
        passed = np.where(u < np.clip(person.hard * grown, 0, 0.9), HARD, np.where(u > 0.95, EASY, GOOD))
        truth = np.where(random.random(len(card)) < recall, passed, AGAIN)
        pressed = np.where((truth == AGAIN) & (random.random(len(card)) < person.misuse), HARD, truth)
        study.answer(card, elapsed, truth, pressed)
    return Snapshot(study.trace.revlog(), Clock(START + person.days * SECONDS_PER_DAY, 0, 0))


class _Study:
    """The true memory of each card, what the scheduler believes of it, and the log."""

    def __init__(self, person: Person) -> None:
        self.person, self.trace, self.round = person, Trace(), 0
        self.fsrs = person.believed or memory.PUBLISHED

    def begin(self, card: Ints, day: Ints, answer: Ints, memorability: Floats) -> None:
        """Give the first answer to each card."""
        self.day, self.memorability = day, memorability
        self.stability, self.difficulty = memory.first(self.person.memory, answer)
        self.stability = self.stability * memorability
        self.believed = memory.first(self.fsrs, answer)
        self.ease, self.sm2_interval = np.full(len(card), 2.5), np.where(answer == EASY, 4.0, 1.0)
        self._log(card, answer, kind=0)
        if self.person.steps:
            self._same_day(card[answer <= HARD], kind=0)

    def interval(self, card: Ints) -> Floats:
        """Scheduled days until the next review of these cards."""
        if self.person.believed is None:
            return self.sm2_interval[card]
        return memory.interval(self.fsrs, self.believed[0][card], self.person.retention)

    def answer(self, card: Ints, elapsed: Floats, truth: Ints, pressed: Ints) -> None:
        """Review these cards: memory changes by the true answer, the schedule by the pressed one."""
        self.day[card] += elapsed.astype(np.int64)
        before = self.stability[card]
        after, self.difficulty[card] = memory.after(self.person.memory, before, self.difficulty[card], elapsed, truth)
        better = (truth > AGAIN) & (after > before)
        self.stability[card] = np.where(better, after * self.memorability[card] ** 0.3, after)
        self._believe(card, elapsed, pressed)
        ease = self.ease[card]
        longer = [np.ones(len(card)), elapsed * 1.2, elapsed * ease, elapsed * ease * 1.3]
        self.sm2_interval[card] = np.choose(pressed - 1, longer)
        self.ease[card] = np.clip(ease + np.choose(pressed - 1, [-0.2, -0.15, 0.0, 0.15]), 1.3, None)
        self._log(card, pressed, kind=1)
        if self.person.steps:
            self._same_day(card[pressed == AGAIN], kind=2)

    def _same_day(self, card: Ints, kind: int) -> None:
        good, now = np.full(len(card), GOOD), np.zeros(len(card))
        truth = memory.after(self.person.memory, self.stability[card], self.difficulty[card], now, good)
        self.stability[card], self.difficulty[card] = truth
        self._believe(card, now, good)
        self._log(card, good, kind)

    def _believe(self, card: Ints, elapsed: Floats, answer: Ints) -> None:
        s, d = self.believed
        s[card], d[card] = memory.after(self.fsrs, s[card], d[card], elapsed, answer)

    def _log(self, card: Ints, answer: Ints, kind: int) -> None:
        """Log these answers, with ids that are in order and all different."""
        when = 1000 * START + self.day[card] * MS_PER_DAY + self.round * self.person.cards + card
        self.trace.add(when, card + 1, answer, 1, 1, 2500, 5_000, kind)
        self.round += 1


def examined(person: Person) -> Hard:
    """Result of the section ``hard`` for a simulated person, as in an evaluation."""
    data, _ = prepare(study(person), Options())
    last = Dataset(data.rows, data.reviews, data.folds[-1:])
    parameters = train(FSRS_6, last, np.array([[p.default for p in FSRS_6.parameters]]))[0]
    return examine(last, parameters[0])


def examine_people(misuse: float, seeds: Iterable[int], on_each: Callable[[], object] = lambda: None) -> list[Hard]:
    """Results for people of one kind, one for each seed; without those who have too few reviews after Hard."""
    found = []
    for seed in seeds:
        on_each()
        found.append(examined(Person.drawn(seed, misuse)))
    return [one for one in found if one.code != TOO_FEW]


def limit(honest: Sequence[Hard]) -> float:
    """The 99 % quantile of the likelihood ratio, less what is allowed for each review."""
    beyond = [(one.likelihood_ratio or 0.0) - hard.LIMIT_PER_REVIEW * one.reviews for one in honest]
    return float(np.quantile(beyond, 1 - PASS))


def main(arguments: list[str]) -> int:
    """Simulate and print."""
    parser = Parser(
        prog="python3 tools bench hard",
        description="Find out whether simulated people who press Hard where they forgot are found, honest ones not.",
    )
    parser.add_argument(
        "--people",
        metavar="N",
        type=typed_number,
        default=PEOPLE,
        help=f"honest people to find the limit from; of each other kind one for {FOR_EACH} (default: %(default)s)",
    )
    people = max(parser.parse_args(arguments).people, FOR_EACH)
    each, done = people // FOR_EACH, itertools.count()
    whole = people + each * len(MISUSES)
    with ProgressLine() as line:

        def step() -> None:
            line.show(next(done) / whole, "Simulating people")

        found = limit(examine_people(0.0, range(people), step))
        kinds = {
            misuse: examine_people(misuse, range(number * SEEDS, number * SEEDS + each), step)
            for number, misuse in enumerate(MISUSES, start=1)
        }
    print(render(people, found, each, kinds, sys.stdout), end="")
    return 0


def render(people: int, found: float, each: int, kinds: dict[float, list[Hard]], stream: TextIO | None = None) -> str:
    """The limit, and a table with a line for each kind of people, as they are printed to the stream."""
    heads = ["all", f"below {SIZES[0]:,}", *(f"below {size:,}" for size in SIZES[1:]), "more"]
    limit = f"{found:.2f}, beside {hard.LIMIT_PER_REVIEW:g} for each review after Hard (in use: {hard.LIMIT:g})."
    rows = []
    for misuse, results in kinds.items():
        parts = [[one for one in results if low <= one.reviews < high] for low, high in pairwise((0, *SIZES, math.inf))]
        low, middle, high = np.quantile([one.share or 0.0 for one in results] or [np.nan], [0.1, 0.5, 0.9])
        rows.append([f"{misuse:.0%}", *map(_share, (results, *parts)), f"{middle:.2f} ({low:.2f} to {high:.2f})"])
    header = ["Lapses answered with Hard", *heads, "estimated share"]
    about = (
        words(f"Limit from {people:,} honest people: {limit}"),
        words(f"Suspected of {each:,} others of each kind, by the number of reviews after Hard (of so many people):"),
    )
    share = words("The estimated share: its median, and what 80 % of these people lie between.")
    return laid_out([*about, "", Grid(header, rows, range(len(header))), "", share], stream)


def _share(results: Sequence[Hard]) -> str:
    if not results:
        return "-"
    return f"{sum(one.code == hard.SUSPECTED for one in results) / len(results):.1%} ({len(results):,})"
