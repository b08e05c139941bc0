"""`python3 tools bench hard`: the people that it simulates, what it finds of them, and what it prints."""

from __future__ import annotations

import json

import numpy as np
import pytest

from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.report import to_json
from evaluator.sections import add_sections
from evaluator.sections import hard as section
from evaluator.sections.hard import Hard
from tools import commands
from tools.bench import hard
from tools.bench.hard import Person, examined, study

#: The seeds of two who answer half of what they forgot with Hard, often enough that it shows.
MISUSERS = (3_000_001, 3_000_004)


def with_result(reviews: int, code: str, ratio: float = 0.0) -> Hard:
    return Hard("FSRS-6", code, None, reviews, reviews, 0.4, ratio, 1.0)


def test_people_press_hard_as_they_are_said_to():
    """An honest one never where a card was forgotten; the other in about half of these cases."""
    honest, misuser = (Person.drawn(7, misuse) for misuse in (0.0, 0.5))
    assert (honest.misuse, misuser.misuse) == (0.0, 0.5)
    log = study(honest).revlog
    assert len(np.unique(log.review_id)) == len(log)
    assert set(np.unique(log.button)) == {1, 2, 3, 4}
    buttons = [np.bincount(study(person).revlog.button, minlength=5) for person in (honest, misuser)]
    assert buttons[1][1] < buttons[0][1]
    assert study(honest).revlog.review_id.tolist() == log.review_id.tolist()


def test_an_honest_person_is_not_suspected_and_a_strong_misuser_is():
    """As whole evaluations, and as it is told in the JSON."""
    codes = {}
    for misuse, seeds in ((0.0, (0, 1, 2)), (0.5, MISUSERS)):
        for seed in seeds:
            evaluation = evaluate(study(Person.drawn(seed, misuse)), Options(algorithms=("FSRS-6",)))
            report = add_sections(evaluation, ["hard"]).report
            codes[misuse, seed] = report.section("hard").code
            assert json.loads(to_json(report))["hard"]["code"] == report.section("hard").code
    assert {code for (misuse, _), code in codes.items() if not misuse} == {"not_suspected"}
    assert {code for (misuse, _), code in codes.items() if misuse} == {"suspected"}


def test_the_command_says_what_an_evaluation_says():
    """Its parameters come from the last fold alone, so they differ a little."""
    person = Person.drawn(MISUSERS[0], 0.5)
    evaluation = evaluate(study(person), Options(algorithms=("FSRS-6",)))
    whole, quick = add_sections(evaluation, ["hard"]).report.section("hard"), examined(person)
    assert quick.share == pytest.approx(whole.share, abs=0.05)
    assert quick.reviews == whole.reviews


def test_the_limit_leaves_out_one_in_a_hundred():
    """By hand: 0, 1, ... 100 beyond what is allowed for each review."""
    people = [with_result(500, "not_suspected", n + 500 * section.LIMIT_PER_REVIEW) for n in range(101)]
    assert hard.limit(people) == pytest.approx(99)


def test_each_kind_has_a_line():
    """Two of four are suspected, one of three below 300 reviews, one of one above 3,000."""
    found = [with_result(n, code) for n, code in ((60, "suspected"), (70, "x"), (80, "x"), (4_000, "suspected"))]
    *_, line, _, _ = hard.render(100, 3.21, 25, {0.5: found}).splitlines()
    assert line.split() == [
        *("50%", "50.0%", "(4)", "33.3%", "(3)", "-", "-", "100.0%", "(1)"),
        *("0.40", "(0.40", "to", "0.40)"),
    ]


def test_the_command(capsys):
    assert commands.run(["bench", "hard", "--people", "4"]) == 0
    said = capsys.readouterr().out
    assert f"(in use: {section.LIMIT:g})" in said
    assert [line.split()[0] for line in said.splitlines() if line.lstrip()[:1].isdigit()] == ["0%", "25%", "50%", "90%"]
