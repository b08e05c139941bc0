"""The stored review log column by column, the existing cards, and the start of a day."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from ..scope import WHOLE_COLLECTION, ScopeChoice

if TYPE_CHECKING:
    from typing import Self

#: Integers. Ids and instants have 64 bits, others :data:`evaluator.data.reviews.COMPACT_INT`.
Ints = npt.NDArray[np.signedinteger[Any]]
Bools = npt.NDArray[np.bool_]

SECONDS_PER_DAY = 86_400

#: Maximum number of rows of a review log, and of cards: 1,000 reviews a day for 27 years. Real ones are smaller.
MAX_ROWS = 10_000_000


class Columns:
    """Base of the tables whose columns, arrays of length n, are the fields of a dataclass."""

    review_id: Ints

    def __len__(self) -> int:
        return len(self.review_id)

    def take(self, rows: Union[Bools, Ints, slice]) -> Self:
        """Return the rows with these indices, in the order given, or of this mask. A slice gives views, no copies."""
        return type(self)(**{name: column[rows] for name, column in self.__dict__.items()})


@dataclass(frozen=True)
class Revlog(Columns):
    """The rows of Anki's ``revlog`` table in any order, one array of int64 per column.

    The CSV form has the same columns under Anki's own names: ``id,cid,ease,ivl,lastIvl,factor,time,type``.
    """

    review_id: Ints  #: ``id``: milliseconds since 1970, UTC; unique
    card_id: Ints  #: ``cid``
    button: Ints  #: ``ease``: 1 Again, 2 Hard, 3 Good, 4 Easy; 0 if nothing was answered
    interval: Ints  #: ``ivl``: given by the scheduler; days, or seconds if negative
    last_interval: Ints  #: ``lastIvl``: the interval before, in the same units
    factor: Ints  #: ``factor``: SM-2 ease in permille, or FSRS difficulty; 0 on resets and preview cramming
    duration_ms: Ints  #: ``time``: how long the answer took
    kind: Ints  #: ``type``: 0 learning, 1 review, 2 relearning, 3 filtered, 4 manual, 5 rescheduled


#: Anki's column names in the order of :class:`Revlog`'s fields.
REVLOG_COLUMNS = ("id", "cid", "ease", "ivl", "lastIvl", "factor", "time", "type")


#: The deck or preset of cards that have none, because the card, or its deck, does not exist.
DELETED_CARD = -1


@dataclass(frozen=True)
class Cards:
    """The cards that still exist: ``card_id`` and ``deck_id``, int64 of length n.

    ``deck_id`` is the card's home deck, also while it is in a filtered deck.
    """

    card_id: Ints
    deck_id: Ints
    preset_id: Optional[Ints] = None  #: None if the source does not say
    #: Whether each card is suspended or buried now, shape (n,). None if the source does not say.
    set_aside: Optional[Bools] = None
    #: The entry of :attr:`Snapshot.parts` that each card is in, from 1; 0: in none. None if no parts were requested.
    part: Optional[Ints] = None


#: Number of parameters of FSRS-7.
FSRS_7_PARAMETERS = 34


@dataclass(frozen=True)
class Sm2Settings:
    """SM-2 options of one of Anki's presets, with Anki's defaults."""

    starting_ease: float = 2.5  #: ease of a card that has left learning
    hard_factor: float = 1.2  #: an interval grows by it after Hard
    easy_bonus: float = 1.3  #: bonus for Easy, besides the ease
    interval_modifier: float = 1.0  #: factor on every interval of a passed card
    lapse_factor: float = 0.0  #: share of the interval that is left after a lapse
    least_lapse_interval: int = 1  #: days, after a lapse
    graduating_interval: int = 1  #: days, of a card that has been learned
    easy_interval: int = 4  #: days, of a new card that is answered Easy
    longest_interval: int = 36_500  #: days


@dataclass(frozen=True)
class Preset:
    """One of Anki's option presets, as far as it decides when a card is reviewed."""

    preset_id: int
    name: str
    #: As stored: 34 of FSRS-7; 17, 19 or 21 of FSRS-6; none if the published ones are run.
    parameters: Tuple[float, ...]
    desired_retention: Optional[float] = None  #: None if the source does not say
    #: Seconds since 1970, UTC: last change of one of its options, so its parameters are at least as old. None if the
    #: source does not say.
    changed: Optional[int] = None
    fsrs_version: int = 6  #: 7, or 6: Anki runs FSRS-6 with the parameters of older versions, too
    #: Length of each list of parameters that is stored but not run, because FSRS-7 cannot use it or an older version is
    #: run next to it.
    unused: Tuple[int, ...] = ()
    #: Version of FSRS that these parameters belong to if it is newer than all that can be run; 0 if only that is known.
    newer_fsrs: Optional[int] = None
    sm2: Optional[Sm2Settings] = None  #: None if the source does not say
    #: Order of the day's reviews, as Anki numbers it (``reviewOrder``): 0 by due date, then at random.
    review_order: int = 0
    most_seconds: int = 60  #: for which the time of an answer is counted (``maxTaken``)
    ignore_before: int = 0  #: "Ignore cards reviewed before" when optimizing: milliseconds since 1970; 0: no such date


@dataclass(frozen=True)
class Deck:
    """One of Anki's decks, other than filtered decks."""

    deck_id: int
    name: str  #: full name, as ``A::B``
    desired_retention: Optional[float] = None  #: used instead of the preset's, since Anki 25.09; None: the preset's


@dataclass(frozen=True)
class Selection:
    """The cards whose reviews are evaluated, and the choice that selected them."""

    choice: ScopeChoice
    card_id: Ints


@dataclass(frozen=True)
class Clock:
    """Boundaries between days, with one fixed UTC offset for the whole history, as in Anki."""

    next_day_at: int  #: seconds since 1970, UTC: any instant at which a new day begins
    utc_offset_minutes: Optional[int] = None  #: local time minus UTC; None if it is not known
    rollover_hour: int = 4  #: local hour at which a day begins
    assumed: bool = False  #: unknown, so 04:00 UTC was assumed

    def day_of(self, review_id: Ints) -> Ints:
        """Return whole days relative to ``next_day_at``, 0 for the day that ends there, -1, -2, ... for earlier ones.

        They are ``-floor((next_day_at*1000 - id) / 86,400,000)``. A review on the very boundary counts to the earlier
        day, as in the benchmark's data set, while Anki counts it to the later one.
        """
        days: Ints = -((self.next_day_at * 1000 - review_id) // (SECONDS_PER_DAY * 1000))
        return days

    @property
    def offset_minutes(self) -> int:
        """Local time minus UTC. If it is not known, it is the offset within 12 h at which days begin at 4 o'clock."""
        if self.utc_offset_minutes is not None:
            return self.utc_offset_minutes
        offset = self.rollover_hour * 60 - self.next_day_at % SECONDS_PER_DAY // 60
        return (offset + 720) % 1440 - 720

    def first_boundary_after(self, instant_ms: int) -> int:
        """Return the first day boundary at or after that instant, in seconds since 1970."""
        return self.next_day_at + int(self.day_of(np.array(instant_ms))) * SECONDS_PER_DAY

    def day_start_ms(self, date: dt.date) -> int:
        """Return when that local day begins, in milliseconds since 1970."""
        midnight = (date - dt.date(1970, 1, 1)).days * SECONDS_PER_DAY
        expected = midnight + self.rollover_hour * 3600 - self.offset_minutes * 60
        return self.first_boundary_after((expected - SECONDS_PER_DAY // 2) * 1000) * 1000

    def day_of_date(self, date: dt.date) -> int:
        """Return the day that :meth:`day_of` gives for reviews of that local date."""
        return (self.day_start_ms(date) // 1000 - self.next_day_at) // SECONDS_PER_DAY + 1

    def date_of(self, day: int) -> dt.date:
        """Return the local date of a day of :meth:`day_of`. Raises OverflowError outside the years 1 to 9999."""
        end = self.next_day_at + day * SECONDS_PER_DAY + self.offset_minutes * 60
        middle = end - self.rollover_hour * 3600 - SECONDS_PER_DAY // 2
        return dt.date(1970, 1, 1) + dt.timedelta(days=middle // SECONDS_PER_DAY)


@dataclass(frozen=True)
class Snapshot:
    """Everything an evaluation needs from one collection.

    A source makes it. It holds the whole review log, so an evaluation lets go of it once the tables are made.
    """

    revlog: Revlog
    clock: Clock
    cards: Optional[Cards] = None  #: None if the source has no cards
    presets: Optional[Tuple[Preset, ...]] = None  #: None if the source has no presets
    decks: Optional[Tuple[Deck, ...]] = None  #: None if the source does not know their names
    selection: Optional[Selection] = None  #: None: the whole collection, deleted cards too
    fsrs: Optional[bool] = None  #: whether FSRS is switched on, for all presets; None if the source does not say
    #: Version of Anki's scheduler: 1, 2 or 3. FSRS needs the third. None if the source does not say.
    scheduler: Optional[int] = None
    renumbered_buttons: int = 0  #: number of rows whose button was renumbered from Anki's first scheduler
    #: Whole days since the card's last row, for each row of the log, if the source states them. None: they follow from
    #: the clock. If they are stated, exact times are unknown.
    elapsed_days: Optional[Ints] = None
    #: Predictions that the source itself holds, each an :class:`evaluator.algorithms.external.RecordedPredictions`;
    #: the last one is the usual baseline.
    recorded: Tuple[Any, ...] = ()
    unread: Tuple[Tuple[str, int], ...] = ()  #: rows of the source that are not in the log: (step of the funnel, rows)
    notes: Tuple[Tuple[str, int], ...] = ()  #: further remarks: (code, number of rows or cards)
    #: When the collection last changed, or when a source without such a date was read; milliseconds since 1970. Rows
    #: dated more than a day later are left out. None: dates are made up, so no row is.
    as_of_ms: Optional[int] = None
    parts: Tuple[str, ...] = ()  #: searches that split the cards; no card matches two of them

    @property
    def choice(self) -> ScopeChoice:
        """The part of the collection that was chosen."""
        return WHOLE_COLLECTION if self.selection is None else self.selection.choice

    def until(self, instant_ms: int) -> Snapshot:
        """Return the snapshot without the rows of the review log that are newer than ``instant_ms``."""
        rows = self.revlog.review_id <= instant_ms
        days = None if self.elapsed_days is None else self.elapsed_days[rows]
        return replace(self, revlog=self.revlog.take(rows), elapsed_days=days)
