from __future__ import annotations

import pytest

from evaluator.progress import Progress


def test_part_reports_its_share_of_the_whole_work():
    messages = []
    part = Progress(lambda *step: messages.append(step)).part(0.2, 0.4, stage="whole", total=5)
    part(0.0)
    part(0.5, "own", "FSRS-6", 3, 4)
    assert messages == [(pytest.approx(0.2), "whole", "", 0, 5), (pytest.approx(0.3), "whole", "FSRS-6", 3, 5)]


def test_progress_never_falls():
    fractions = []
    progress = Progress(lambda fraction, *_: fractions.append(fraction))
    for part, fraction in ((progress.part(0, 1 / 2), 1.0), (progress.part(1 / 4, 1), 0.0), (progress, 0.1)):
        part(fraction)
    assert fractions == [0.5, 0.5, 0.5]
