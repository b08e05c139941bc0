"""The English texts of the evaluator: filled in by :mod:`evaluator.wording`."""

from __future__ import annotations

from .language import translate

translate(globals(), "evaluator")
