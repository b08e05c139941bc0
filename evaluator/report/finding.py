"""Findings: what FSRS said of the reviews of one subject, what was remembered, and what to do about it.

A subject is a set of scored reviews: the whole that was evaluated, a preset, or a deck. Everything on the screen is a
view of its finding. The rules are in :mod:`evaluator.findings`, with all thresholds in one file there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple

from ..interval import BETTER, NO_REVIEWS, WORSE, ConfidenceInterval
from .values import CalibrationBin, Comparison

#: Kinds of subjects.
WHOLE = "whole"
PRESET = "preset"
DECK = "deck"
#: States of a finding, see :attr:`Finding.state`.
OFF = "off"
RIGHT = "right"
OPEN = "open"
#: Sources of the tested parameters, see :attr:`Finding.source`.
DEFAULT = "default"
UNSEEN = "unseen"
#: Claims about the reviews at hand, see :class:`Rivalry`.
BETTER_PAST = "better_past"
WORSE_PAST = "worse_past"
#: Claims if the reviews decide nothing, see :class:`Rivalry`.
CLOSE = "close"
EARLY = "early"


@dataclass(frozen=True)
class Recall:
    """What FSRS said of some reviews, and what was remembered."""

    reviews: int  #: number of these reviews
    #: The desired retention if only predictions near it count, otherwise the mean prediction. None without reviews.
    said: Optional[float]
    #: Share remembered, with the interval of the gap on just these reviews. Near the desired retention, it is ``said``
    #: plus the gap between the share remembered and the mean prediction.
    remembered: ConfidenceInterval
    near: bool = False  #: whether only predictions near the desired retention count

    @property
    def gap(self) -> float:
        """Share remembered minus what FSRS said, or 0 without reviews."""
        return (self.remembered.estimate or 0.0) - (self.said or 0.0)

    @property
    def certain_gap(self) -> float:
        """The end of the gap's interval that is nearer to 0, as a distance, or 0 if the interval holds 0.

        It is taken between numbers with one decimal of a percent, as screens show them. So they show why FSRS is off.
        """
        if self.said is None or self.remembered.low is None or self.remembered.high is None:
            return 0.0
        low, said, high = (round(100 * share, 1) for share in (self.remembered.low, self.said, self.remembered.high))
        return round(max(low - said, said - high, 0.0), 1) / 100

    @property
    def n_certainly_off(self) -> float:
        """The certain gap as a number of reviews."""
        return self.certain_gap * self.reviews


#: Recall of a subject without a test.
NOTHING_TESTED = Recall(0, None, ConfidenceInterval(None, reason=NO_REVIEWS))


@dataclass(frozen=True)
class Rivalry:
    """A comparison with a rival, and the claim that it allows."""

    comparison: Comparison  #: the difference on just these reviews
    would: ConfidenceInterval  #: the difference to expect on further reviews, for which slow drift counts as noise
    #: "better", "worse" or "equivalent" if ``would`` decides. Otherwise "better_past" or "worse_past" if the difference
    #: on these reviews decides. Otherwise "close", or "early" if there are few reviews.
    claim: str
    reviews: int  #: number of reviews compared

    @property
    def is_better(self) -> bool:
        """Whether the claim is that the algorithm is better, or was better on these reviews."""
        return self.claim in (BETTER, BETTER_PAST)

    @property
    def is_worse(self) -> bool:
        """Whether the claim is that the algorithm is worse, or was worse on these reviews."""
        return self.claim in (WORSE, WORSE_PAST)


@dataclass(frozen=True)
class Optimizing:
    """What optimizing the preset now, on all its reviews, would change."""

    #: Mean absolute change of the predictions of the scored reviews. None if it is not known.
    change: Optional[float] = None
    reviews: int = 0  #: number of scored reviews of the whole preset, even if only a part of it is evaluated
    #: Whether the change is by Anki's own optimizer, or by ours only because Anki's would take too long.
    is_by_anki: bool = False
    #: Why Anki's optimizer would get no review of the preset: all reviewed cards are "deleted" or "suspended" (or
    #: buried), or the others are "ignored" (by "Ignore cards reviewed before"). None if it would get some.
    obstacle: Optional[str] = None
    #: Optimized FSRS compared with the preset's own parameters, on reviews that these cannot have been fitted to. None
    #: without such reviews.
    against_own: Optional[Rivalry] = None


@dataclass(frozen=True)
class Advice:
    """One thing to do, or to wait for. The codes are those of :mod:`evaluator.findings.advice`."""

    code: str
    #: Why. For "optimize": "closer" (it would have been closer), "decided" (it predicts better) or "change" (the
    #: predictions change much). For "nothing": "deleted", "suspended" or "ignored" (see :attr:`Optimizing.obstacle`),
    #: "worse" (optimized parameters predicted worse) or "small" (predictions hardly change). For "keep_on": "small" or
    #: "unknown" (how much predictions change). Otherwise None.
    reason: Optional[str] = None
    #: Names of the presets concerned, on a whole with several presets; empty if it concerns all of them.
    presets: Tuple[str, ...] = ()
    preset_id: Optional[int] = None  #: Anki's id of the first preset concerned
    change: Optional[float] = None  #: mean absolute change of the predictions by optimizing these presets
    desired_retention: Optional[float] = None  #: the current desired retention, for "desired_retention"
    suggested_retention: Optional[float] = None  #: the desired retention to set instead
    #: Name of the algorithm to turn on, or of the row that cannot be run because a preset needs a newer FSRS.
    algorithm: Optional[str] = None


@dataclass(frozen=True)
class Finding:
    """What is known about FSRS on the reviews of one subject. Everything on the screen is a view of it.

    The state is decided by the gap between the share remembered and what FSRS said, and by its interval alone: "off" if
    the gap is large and certain, "right" if the interval is narrow and around 0, otherwise "open".
    """

    kind: str  #: "whole", "preset" or "deck"
    name: str  #: name in Anki, with the id if two presets have the same name; empty for the whole
    label: Optional[int]  #: Anki's id of the preset or deck; None for the whole
    #: Anki's id of the only preset of these reviews, None if there are several. A deck that has several presets has a
    #: finding for each.
    preset_id: Optional[int]
    reviews: int  #: number of scored reviews of the subject
    #: "off", "right" or "open"; None for a deck, and for a preset with too few reviews behind ``recall``, which get no
    #: verdict.
    state: Optional[str]
    #: The verdict as a code for words. "optimistic" or "cautious" (off), "right", "right_on_average"
    #: (predictions of single cards would change by optimizing), "slightly_optimistic" or
    #: "slightly_cautious" (right), "probably_optimistic", "a_bit_optimistic", "probably_cautious", "a_bit_cautious" or
    #: "too_early" (open). Also open, without a test: "too_new" (hardly a review since the last change), "deleted" (all
    #: reviewed cards are deleted, and there are several presets), "versions" (presets of several versions of FSRS),
    #: "untested" (the source does not say when a preset was changed, or the row has no result), "much_deleted" (many
    #: cards of unknown presets are deleted, which makes the rest look better). Without a verdict: "deck" or "too_few".
    code: str
    #: "check" (about right, nothing to do), "warning" (less was remembered than FSRS said), "question" (too early, too
    #: new) or "dot" (everything else). Empty without a verdict.
    sign: str
    #: Whose predictions were tested. "default": published parameters, which were fitted to none of these reviews.
    #: "unseen": the presets' own parameters, on reviews since the presets were last changed. None without a test.
    source: Optional[str]
    algorithm: Optional[str]  #: the row that was tested; without a test, the optimized row, if there is one
    desired_retention: Optional[float]  #: None if these reviews have several
    changed: Optional[str]  #: ISO date of the preset's last change; None with several presets or if it is not known
    recall: Recall = NOTHING_TESTED  #: the tested predictions, with the interval that decides
    testable: int = 0  #: number of reviews that can test the parameters, near the desired retention or not
    #: The group of similar predictions that is furthest off, only in state "right" and if it is far off.
    elsewhere: Optional[Recall] = None
    #: Regularly optimized FSRS on all reviews of the subject, only if the code is "too_new" or the state is "open".
    retrained: Optional[Recall] = None
    far_from_desired: bool = False  #: whether ``retrained`` was remembered far from the desired retention
    optimized: Optional[Recall] = None  #: regularly optimized FSRS on the reviews of ``recall``, only if off
    #: Desired retention that would correct half of the gap, to 1%. None unless the state is "off", the gap was found
    #: near the desired retention and is large in the latest third of the reviews too, and Anki accepts the suggestion.
    suggested_retention: Optional[float] = None
    #: The tested row compared with SM-2 adjusted to the user, on the testable reviews. None without a test.
    against_sm2: Optional[Rivalry] = None
    #: What optimizing would change. None until the evaluation has finished, and for a whole of several presets.
    optimizing: Optional[Optimizing] = None
    advice: Optional[Advice] = None  #: None until the evaluation has finished; that of its preset for a deck
    #: Number of scored reviews of deleted cards that no preset has, only if they are a large share.
    deleted: int = 0
    #: Calibration of "unseen" parameters on the testable reviews, in the benchmark's groups. It is empty for other
    #: sources, because their calibration is that of the row.
    calibration: Tuple[CalibrationBin, ...] = ()


@dataclass(frozen=True)
class Hard:
    """Result of the test of whether Hard was pressed for forgotten cards, which is in-sample and experimental."""

    algorithm: str  #: the algorithm whose predictions are used
    code: str  #: "suspected", "not_suspected" or "too_few"
    #: Why the code is "too_few": "not_evaluated" (the algorithm was not run), "no_hard" (Hard was never pressed on a
    #: later day), "few_reviews" (there are too few reviews after Hard), "few_forgotten" (too few of these were
    #: forgotten). Otherwise None.
    reason: Optional[str]
    hard_answers: int  #: number of Hard answers to reviews on a later day
    reviews: int  #: number of these answers after which the card was next seen on a later day
    least_reviews: int  #: minimum number of reviews after Hard for a result
    least_forgotten: int  #: minimum number of forgotten ones among them
    #: Share of forgotten cards answered with Hard that best explains these reviews. It has no interval: on simulated
    #: people the interval was too narrow if most forgotten cards were answered so.
    share: Optional[float] = None
    likelihood_ratio: Optional[float] = None  #: twice the gain in log-likelihood, negative if the mixture is worse
    limit: Optional[float] = None  #: the likelihood ratio must exceed this for "suspected"
    #: Mean predicted recall of the scored reviews answered with Again, with Hard, and with Good or Easy. These are
    #: not in-sample. Empty unless there are all three.
    predicted: Tuple[float, ...] = ()
    #: Whether the scored reviews have many Hard answers for each lapse. If some of them were lapses, much less was
    #: remembered than the numbers say.
    frequent: bool = False
