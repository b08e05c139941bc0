"""The science of SRS Evaluator: from a review log to a report. Needs NumPy and nothing else.

The way of the data: revlog rows -> :class:`Revlog` -> Reviews -> Histories -> folds -> fitted algorithm -> predictions
-> :class:`Report`.
"""

from __future__ import annotations

__version__ = "0.1.0"
