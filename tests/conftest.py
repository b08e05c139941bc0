"""What all tests share: the checkout and what lies here can be imported, and the summary is complete."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import hypothesis
import pytest

HERE = Path(__file__).resolve().parent

for folder in (HERE, HERE.parent):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

#: The same examples each time, and nothing fails because a machine is busy.
hypothesis.settings.register_profile(
    "project",
    deadline=None,
    derandomize=True,
    max_examples=60,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("project")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which of the other checks of `python3 tools test` failed, as pytest's summary is what is read."""
    failed = os.environ.get("FAILED_CHECKS")
    if failed:
        terminalreporter.section("other checks")
        terminalreporter.write_line(f"FAILED: {failed} (see above)", red=True)
