from __future__ import annotations

import shlex
from dataclasses import replace

import numpy as np
import pytest
from full_disk import full_disk
from slow_benchmark import filter_rows

from evaluator.evaluation import evaluate
from evaluator.options import Options
from tools import sources
from tools.commands import run
from tools.simulate import Habits, Learner, simulate
from tools.simulate.command import main
from tools.simulate.dataset_writer import dataset_rows
from tools.simulate.people import SPREAD, learner
from tools.sources import anki_10k


def people(count: int, *, seed: int, rows: int, spread: float = SPREAD) -> list[Learner]:
    return [learner(number, seed=seed, rows=rows, spread=spread) for number in range(1, count + 1)]


def test_each_person_is_drawn_independently_of_others_and_of_the_drift():
    some = people(5, seed=3, rows=500)
    assert some[3] == learner(4, seed=3, rows=500)
    assert some[3] != learner(4, seed=4, rows=500)
    assert len({person.seed for person in some}) == 5
    drifting = learner(4, seed=3, rows=500, drift=0.5)
    assert drifting != some[3] == replace(drifting, drift=0.0)


def test_people_differ_from_each_other():
    many = people(400, seed=1, rows=2000)
    assert {person.scheduler for person in many} == {"fsrs", "sm2"}
    assert 0.2 < np.mean([person.habits.hard == 0 for person in many]) < 0.5
    planned = np.array([person.max_rows for person in many])
    assert 1700 < np.median(planned) < 2350
    assert np.percentile(planned, 99) > 30 * np.percentile(planned, 1)
    assert {person.max_rows for person in people(5, seed=1, rows=2000, spread=0)} == {2000}
    first_stability = np.array([person.memory[2] for person in many])
    assert first_stability.std() > 0.3 * first_stability.mean()


def test_logs_are_about_as_large_as_planned():
    for person in people(4, seed=2, rows=400, spread=0.3):
        assert 0.5 * person.max_rows < len(simulate(person).revlog) < 1.7 * person.max_rows


def test_smallest_logs_can_be_evaluated():
    for person in people(8, seed=1, rows=20, spread=0):
        report = evaluate(simulate(person).snapshot, Options(("AVG", "FSRS-6"))).report
        assert [row.error for row in report.results] == [None, None]
        assert report.scope.reviews > 50


def test_rows_match_the_independent_implementation():
    simulation = simulate(Learner(seed=8, days=80, habits=Habits(reset=0.01, cram=0.2, early=0.2, deleted=0.2)))
    log = simulation.revlog
    ours = dataset_rows(simulation)
    cards = filter_rows(log, simulation.clock.next_day_at, [""] * len(log))
    expected = []
    for number, card in enumerate(sorted(card for card, entries in cards.items() if entries)):
        for before, entry in zip([None, *cards[card]], cards[card], strict=False):
            log_row = entry["n"]
            review_id = entry["id"]
            day = entry["day"]
            state = 0 if before is None else int(log.kind[log_row]) + 1
            days, seconds = (-1, -1) if before is None else (day - before["day"], (review_id - before["id"]) // 1000)
            duration = int(log.duration_ms[log_row])
            expected.append((review_id, day, number, entry["rating"], state, duration, days, seconds))
    assert len(expected) > 500
    _ids, days, *others = zip(*sorted(expected), strict=True)
    columns = [[day - min(days) for day in days], *map(list, others)]
    names = ("day_offset", "card_id", "rating", "state", "duration", "elapsed_days", "elapsed_seconds")
    assert {"cid", *names} == set(ours)
    for name, column in zip(names, columns, strict=True):
        assert ours[name].tolist() == column, name


def test_learner_who_never_studies_has_no_reviews():
    simulation = simulate(Learner(seed=1, days=1, habits=Habits(new_per_day=0, reset=0, day_off=1.0)))
    assert len(simulation.revlog) == 0
    assert len(dataset_rows(simulation)["cid"]) == 0


def test_every_form_can_be_evaluated(tmp_path):
    arguments = ("--people", "2", "--reviews", "500", "--seed", "10", "--processes", "1")
    for form in ("collections", "csv", "parquet"):
        assert main([str(tmp_path / form), *arguments, "--format", form]) == 0
    log, cards = (tmp_path / "csv" / f"2.{table}.csv" for table in ("revlog", "cards"))
    collection, parquet, csv = (
        evaluate(snapshot, Options(("AVG", "FSRS-6 default"))).report
        for snapshot in (
            sources.read(tmp_path / "collections" / "2.anki2"),
            anki_10k.read_user(tmp_path / "parquet" / "revlogs" / "user_id=2"),
            sources.read(log, cards=cards),
        )
    )
    assert [row.log_loss for row in collection.results] == [row.log_loss for row in parquet.results]
    # The CSV is of a learner in UTC, because it does not say when a day begins.
    assert min(collection.scope.reviews, csv.scope.reviews) > 50


def test_command_prints_the_number_of_rows_and_the_next_command(tmp_path, capsys):
    folder = tmp_path / "the people's"
    assert main([str(folder), "--people", "2", "--reviews", "500", "--format", "csv", "--processes", "1"]) == 0
    printed = capsys.readouterr().out
    rows = sum(len(path.read_text().splitlines()) - 1 for path in folder.glob("*.revlog.csv"))
    assert f"Simulated people: 2; rows of review logs: {rows:,}; seed 1.\n" in printed
    assert shlex.split(printed.rpartition("Next: ")[2]) == ["python3", "tools", "benchmark", str(folder)]


def test_equal_seeds_give_equal_files(tmp_path):
    for processes in ("1", "2"):
        options = ("--people", "3", "--reviews", "200", "--format", "csv", "--processes", processes)
        assert main([str(tmp_path / processes), *options]) == 0
    files = [{path.name: path.read_bytes() for path in folder.iterdir()} for folder in tmp_path.iterdir()]
    assert files[0] == files[1]
    assert len(files[0]) == 6


@pytest.mark.parametrize(
    ("form", "reason"), [("collections", "disk I/O error"), ("csv", "File too large"), ("parquet", "File too large")]
)
def test_full_disk_is_reported_in_a_sentence(form, reason, tmp_path, capsys):
    folder = tmp_path / "new"
    with full_disk():
        assert run(["simulate", str(folder), "--format", form, "--people", "2", "--processes", "1"]) == 2
    assert capsys.readouterr().err == f"The log of person 1 cannot be written to {folder}: {reason}.\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["NEW", "--people", "0"], "--people cannot be 0."),
        (["NEW", "--reviews", "-5"], "--reviews cannot be -5."),
        (["NEW", "--drift", "nan"], "--drift cannot be nan."),
        (["NEW", "--seed", "-1"], "--seed cannot be -1."),
        (["FULL"], "full'. Allowed: a new or an empty folder"),
        (["FULL-OF-PEOPLE"], "full-of-people'. Allowed: a new or an empty folder"),
    ],
)
def test_bad_options_are_refused(arguments, sentence, tmp_path, capsys):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    (tmp_path / "full-of-people" / "1.media").mkdir(parents=True)
    paths = {name: str(tmp_path / name.lower()) for name in ("NEW", "FULL", "FULL-OF-PEOPLE")}
    assert run(["simulate", *(paths.get(word, word) for word in arguments)]) == 2
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "new").exists()
    assert len(list((tmp_path / "full").iterdir())) == 1
