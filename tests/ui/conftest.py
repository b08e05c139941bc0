from __future__ import annotations

import os

import fake
import pytest

from evaluator.sections import add_sections

# Qt reads this when it is first imported. Tests have no screen.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


@pytest.fixture(scope="session")
def real_report():
    """The report of a simulated log, with all quick sections."""
    return add_sections(fake.small_evaluation(), ["quick"]).report
