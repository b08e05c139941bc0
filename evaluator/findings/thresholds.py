"""All thresholds of the findings, with their reasons.

``docs/numbers.md`` and ``docs/methods.md`` name them, and a test compares the two. No other file decides by a number of
its own. What an interval needs is in :mod:`evaluator.interval`.
"""

from __future__ import annotations

# --- subjects ---------------------------------------------------------------------------------------------------------

#: Minimum number of scored reviews of a preset with a finding. With fewer, not even its list row says anything.
MIN_OF_PRESET = 50
#: Minimum number of scored reviews of a top-level deck with a finding.
MIN_OF_DECK = 100
#: Share of deleted cards' reviews from which they change what a preset may be called. Deleting the cards that are
#: forgotten raises the share remembered of the rest: with 40% deleted, a gap of +1.1 points was seen as +5.6.
MUCH_DELETED = 0.05


# --- accuracy ---------------------------------------------------------------------------------------------------------

#: Maximum distance of a prediction from the desired retention, in logits, to count as near: 87.5 to 92.0% for 90%. In
#: logits the window gets narrower near 1, as intervals do. A wider one would hold more reviews that do not test the
#: desired retention.
NEAR = 0.25
#: Share of the predictions near the desired retention from which only these are tested.
MOSTLY_NEAR = 0.5
#: Half the width of the narrowest bracket for which fewer near predictions suffice: 384 of them at 90%.
NEAR_BRACKET = 0.03
#: Minimum number of reviews behind the finding of one of several presets, for a verdict.
MIN_FOR_VERDICT = 200
#: Minimum gap to call predictions off: smaller ones change hardly any interval.
MIN_OFF = 0.02
#: Minimum distance of the interval from 0 to call predictions, or a group of them, off. Without it, up to 7 instead of
#: 5 of about 120 people whose true gap was below 1 point were called off.
MIN_CERTAIN = 0.005
#: Maximum distance of the interval's ends from 0 to call predictions right.
MAX_RIGHT = 0.03
#: Minimum gap that is named although predictions are right, if the interval excludes 0.
MIN_SLIGHT = 0.01
#: Minimum gap of a group of similar predictions that is named although predictions are right.
MIN_ELSEWHERE = 0.05
#: Minimum distance between the share remembered and the desired retention that is named although nothing is tested.
FAR_FROM_DESIRED = 0.05

# --- graphs -----------------------------------------------------------------------------------------------------------

#: Minimum number of reviews of a group with a dot.
MIN_OF_DOT = 100
#: Minimum distance of a dot outside the band from the prediction, to call it off.
MIN_DOT_OFF = 0.02

# --- optimizing and other advice --------------------------------------------------------------------------------------

#: Mean change of the predictions below which optimizing is not worth it.
LITTLE_CHANGE = 0.005
#: Mean change of the predictions from which optimizing probably helps.
MUCH_CHANGE = 0.02
#: The same for a preset with fewer than :data:`MANY` scored reviews.
MUCH_CHANGE_OF_FEW = 0.05
#: Minimum number of scored reviews to call a question close instead of early, and to suggest another desired retention.
#: With fewer, wide intervals are usual.
MANY = 1000
#: Minimum probability of being better, from the user's and others' reviews together, to advise a change.
SURE = 0.95
#: Minimum reduction of the gap to call newly optimized parameters closer.
MIN_CLOSER = 0.01
#: Another desired retention is suggested only if this share of the reviews, the latest ones, is off too.
LATEST_SHARE = 1 / 3

#: Minimum number of scored reviews to advise turning FSRS on and optimizing it at once.
MIN_TO_OPTIMIZE = 400
#: The first version of Anki's scheduler on which FSRS can be turned on.
MIN_SCHEDULER = 3
#: Maximum number of a preset's rows to call Anki's optimizer, which cannot be cancelled. This many take a second.
MAX_FOR_ANKI = 100_000

# --- Hard pressed for forgotten cards ---------------------------------------------------------------------------------

#: Minimum number of reviews after Hard for a result.
MIN_AFTER_HARD = 50
#: Minimum number of forgotten ones among these reviews for a result.
MIN_FORGOTTEN_AFTER_HARD = 5

#: Number of Hard answers for each lapse from which they are called frequent.
HARD_PER_LAPSE = 4

#: Minimum share of forgotten cards answered with Hard that is suspected. Smaller shares do little harm.
MIN_HARD_SHARE = 0.2

#: Limit of the likelihood ratio: ``HARD_LIMIT``, plus ``HARD_LIMIT_PER_REVIEW`` for each review after Hard. Cards
#: differ in ways that FSRS-6 does not know, and Hard is pressed on the difficult ones, so the ratio of honest people
#: grows with their reviews too. ``HARD_LIMIT`` is the 99% point of the ratio minus this growth among 2,000 simulated
#: honest people. As a share of at least ``MIN_HARD_SHARE`` is also required, 0.3% of other honest people are suspected,
#: and 2% of people with more than 3,000 reviews after Hard; without the growth it would be 3%. 5% are suspected among
#: honest people whose memory gains almost nothing by Hard (w15 below 0.15) and whose cards differ most (a spread of at
#: least 0.6).
HARD_LIMIT = 4.9
HARD_LIMIT_PER_REVIEW = 0.001
