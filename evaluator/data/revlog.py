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

#: Maximum number of rows of a review log, and of cards. It stands for 1,000 reviews a day for 27 years.
MAX_ROWS = 10_000_000

#: Anki's numbers of the answers.
AGAIN = 1
HARD = 2
GOOD = 3
EASY = 4

#: Highest kind of a row of the review log that is known. Future versions of Anki may add others.
MAX_KIND = 5


class Columns:
    """Base of the tables whose columns, arrays of length n, are the fields of a dataclass."""

    review_id: Ints

    def __len__(self) -> int:
        return len(self.review_id)

    def take(self, rows: Union[Bools, Ints, slice]) -> Self:
        """Return the rows that an index array, a mask or a slice selects. A slice gives views instead of copies."""
        return type(self)(**{name: column[rows] for name, column in self.__dict__.items()})


@dataclass(frozen=True)
class Revlog(Columns):
    """The rows of Anki's ``revlog`` table in any order, one array of int64 per column.

    The CSV form has the same columns under Anki's own names: ``id,cid,ease,ivl,lastIvl,factor,time,type``.
    """

    review_id: Ints  #: ``id``: time of the answer in milliseconds since 1970, UTC; unique
    card_id: Ints  #: ``cid``
    button: Ints  #: ``ease``: 1 Again, 2 Hard, 3 Good, 4 Easy, or 0 if nothing was answered
    interval: Ints  #: ``ivl``: the new interval in days, or if negative in seconds
    last_interval: Ints  #: ``lastIvl``: the interval before, in the same units
    factor: Ints  #: ``factor``: SM-2 ease in permille, or FSRS difficulty; 0 on resets and preview cramming
    duration_ms: Ints  #: ``time``: duration of the answer
    kind: Ints  #: ``type``: 0 learning, 1 review, 2 relearning, 3 filtered, 4 manual, 5 rescheduled


#: Anki's column names in the order of :class:`Revlog`'s fields.
REVLOG_COLUMNS = ("id", "cid", "ease", "ivl", "lastIvl", "factor", "time", "type")


#: The deck or preset of cards that have none, because the card, or its deck, does not exist.
DELETED_CARD = -1


@dataclass(frozen=True)
class Cards:
    """The cards that still exist, as columns of length n."""

    card_id: Ints
    deck_id: Ints  #: the card's home deck, also while it is in a filtered deck
    preset_id: Optional[Ints] = None  #: None if the source does not say
    set_aside: Optional[Bools] = None  #: whether each card is suspended or buried now; None if the source does not say
    #: Number from 1 of the search in :attr:`Snapshot.parts` that found each card, or 0 if none did. None if no parts
    #: were requested.
    part: Optional[Ints] = None


#: Number of parameters of FSRS-7.
FSRS_7_PARAMETERS = 34


@dataclass(frozen=True)
class Sm2Settings:
    """SM-2 options of one of Anki's presets, with Anki's defaults."""

    starting_ease: float = 2.5  #: ease of a card that has left learning
    hard_factor: float = 1.2  #: factor on the interval after Hard
    easy_bonus: float = 1.3  #: factor on the interval after Easy, besides the ease
    interval_modifier: float = 1.0  #: factor on every interval of a passed card
    lapse_factor: float = 0.0  #: factor on the interval after a lapse
    min_lapse_interval: int = 1  #: minimum interval after a lapse, in days
    graduating_interval: int = 1  #: first interval of a card that has been learned, in days
    easy_interval: int = 4  #: first interval of a new card that is answered Easy, in days
    max_interval: int = 36_500  #: maximum interval, in days


@dataclass(frozen=True)
class Preset:
    """One of Anki's option presets, with the options that schedule reviews."""

    preset_id: int
    name: str
    #: FSRS parameters as stored: 34 for FSRS-7, or 17, 19 or 21 for FSRS-6. Empty if Anki runs the default parameters.
    parameters: Tuple[float, ...]
    desired_retention: Optional[float] = None  #: None if the source does not say
    #: Time of the last change of an option, in seconds since 1970, UTC. The parameters are at least as old. None if the
    #: source does not say.
    changed: Optional[int] = None
    #: 6 or 7, a newer one, which cannot be run here, or 0 if it is newer but unknown. Anki also runs FSRS-6 with the
    #: parameters of older versions.
    fsrs_version: int = 6
    #: Length of each list of parameters that is stored but not run, because FSRS-7 cannot use it or because it belongs
    #: to another version than the one that is run.
    unused: Tuple[int, ...] = ()
    sm2: Optional[Sm2Settings] = None  #: None if the source does not say
    #: Order of the day's reviews as Anki numbers it (``reviewOrder``). 0 is by due date, then at random.
    review_order: int = 0
    max_seconds: int = 60  #: maximum duration of an answer that is counted, in seconds (``maxTaken``)
    #: "Ignore cards reviewed before" when optimizing, in milliseconds since 1970. 0 if there is no such date.
    ignore_before: int = 0


@dataclass(frozen=True)
class Deck:
    """One of Anki's decks, other than filtered decks."""

    deck_id: int
    name: str  #: full name, as ``A::B``
    #: Desired retention that replaces the preset's, since Anki 25.09. None if the preset's is used.
    desired_retention: Optional[float] = None


@dataclass(frozen=True)
class Selection:
    """The cards whose reviews are evaluated, with the choice that selected them."""

    choice: ScopeChoice
    card_id: Ints


@dataclass(frozen=True)
class Clock:
    """Boundaries between days, with one fixed UTC offset for the whole history, as in Anki."""

    next_day_at: int  #: any instant at which a new day begins, in seconds since 1970, UTC
    utc_offset_minutes: Optional[int] = None  #: local time minus UTC; None if it is not known
    rollover_hour: int = 4  #: local hour at which a day begins
    assumed: bool = False  #: True if the start of a day is unknown, so 04:00 UTC is assumed

    def day_of(self, review_id: Ints) -> Ints:
        """Return the day of each review: 0 for the day that ends at ``next_day_at``, -1 for the day before, and so on.

        A review exactly at a boundary belongs to the earlier day, as in the benchmark's data set, while in Anki it
        belongs to the later one.
        """
        days: Ints = -((self.next_day_at * 1000 - review_id) // (SECONDS_PER_DAY * 1000))
        return days

    @property
    def offset_minutes(self) -> int:
        """Local time minus UTC.

        If it is not known, it is the offset within 12 hours with which days begin at the rollover hour.
        """
        if self.utc_offset_minutes is not None:
            return self.utc_offset_minutes
        offset = self.rollover_hour * 60 - self.next_day_at % SECONDS_PER_DAY // 60
        return (offset + 720) % 1440 - 720

    def first_boundary_after(self, instant_ms: int) -> int:
        """Return the first day boundary at or after that instant, in seconds since 1970."""
        return self.next_day_at + int(self.day_of(np.array(instant_ms))) * SECONDS_PER_DAY

    def day_start_ms(self, date: dt.date) -> int:
        """Return the instant at which that local day begins, in milliseconds since 1970."""
        midnight = (date - dt.date(1970, 1, 1)).days * SECONDS_PER_DAY
        expected = midnight + self.rollover_hour * 3600 - self.offset_minutes * 60
        return self.first_boundary_after((expected - SECONDS_PER_DAY // 2) * 1000) * 1000

    def day_of_date(self, date: dt.date) -> int:
        """Return the day that :meth:`day_of` gives for reviews of that local date."""
        return (self.day_start_ms(date) // 1000 - self.next_day_at) // SECONDS_PER_DAY + 1

    def date_of(self, day: int) -> dt.date:
        """Return the local date of a day of :meth:`day_of`.

        Raises:
            OverflowError: if the date is outside the years 1 to 9999.
        """
        end = self.next_day_at + day * SECONDS_PER_DAY + self.offset_minutes * 60
        middle = end - self.rollover_hour * 3600 - SECONDS_PER_DAY // 2
        return dt.date(1970, 1, 1) + dt.timedelta(days=middle // SECONDS_PER_DAY)

    def date_at(self, instant_ms: int) -> dt.date:
        """Return the local date of the day that an instant belongs to, as :meth:`day_of` counts days."""
        return self.date_of(int(self.day_of(np.array(instant_ms))))


@dataclass(frozen=True)
class Snapshot:
    """Everything that an evaluation needs from one collection.

    It holds the whole review log, so an evaluation releases it as soon as the tables are built.
    """

    revlog: Revlog
    clock: Clock
    cards: Optional[Cards] = None  #: None if the source has no cards
    presets: Optional[Tuple[Preset, ...]] = None  #: None if the source has no presets
    decks: Optional[Tuple[Deck, ...]] = None  #: None if the source does not know their names
    selection: Optional[Selection] = None  #: None for the whole collection with its deleted cards
    fsrs: Optional[bool] = None  #: whether FSRS is on, for all presets; None if the source does not say
    #: Version of Anki's scheduler from 1 to 3. FSRS needs 3. None if the source does not say.
    scheduler: Optional[int] = None
    #: Whether a script of the user may schedule, so that neither the settings nor the log show the scheduler in use.
    scripted: bool = False
    renumbered_buttons: int = 0  #: number of rows whose button was renumbered from Anki's first scheduler
    #: Whole days since the card's last row, for each row of the log, from a source without exact times. None if they
    #: follow from the clock.
    elapsed_days: Optional[Ints] = None
    #: Predictions that the source itself holds, each an :class:`evaluator.algorithms.external.RecordedPredictions`. The
    #: last one is the default baseline.
    recorded: Tuple[Any, ...] = ()
    #: Reasons why rows of the source are not in the log, each with the number of these rows.
    unread: Tuple[Tuple[str, int], ...] = ()
    notes: Tuple[Tuple[str, int], ...] = ()  #: codes of further remarks, each with the number of rows or cards
    #: Time of the last change of the collection, or of reading a source without such a date, in milliseconds since
    #: 1970. Rows dated more than a day later are left out. None if dates are invented, so that no row is left out.
    as_of_ms: Optional[int] = None
    parts: Tuple[str, ...] = ()  #: searches that split the cards, so that none finds the cards of another

    @property
    def choice(self) -> ScopeChoice:
        """The part of the collection that is evaluated."""
        return WHOLE_COLLECTION if self.selection is None else self.selection.choice

    def until(self, instant_ms: int) -> Snapshot:
        """Return the snapshot without the rows of the review log after that instant, in milliseconds since 1970."""
        row_mask = self.revlog.review_id <= instant_ms
        elapsed_days = None if self.elapsed_days is None else self.elapsed_days[row_mask]
        return replace(self, revlog=self.revlog.take(row_mask), elapsed_days=elapsed_days)
