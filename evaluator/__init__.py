"""The science of SRS Evaluator, which turns a review log into a report. It needs only NumPy.

Data flow: revlog rows -> :class:`Revlog` -> Reviews -> Histories -> folds -> fitted algorithm -> predictions ->
:class:`Report`.
"""

from __future__ import annotations

__version__ = "0.1.0"
