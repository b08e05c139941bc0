"""`python3 tools bench`: that it does and says what it should. How long anything takes is not tested."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from told import says
from waiting import PATIENCE

from evaluator.errors import BadOption, FileMissing
from evaluator.evaluation import evaluate, prepare
from evaluator.histories import WITH_SAME_DAY
from evaluator.options import Options
from tools import commands
from tools.bench import command
from tools.bench.contestant import Score
from tools.bench.logs import SIZES, Log, simulated
from tools.bench.ours import Ours
from tools.bench.results import Duel, Evaluations, Results, Side, as_json
from tools.bench.rivals import FsrsRs, items
from tools.bench.survey import Steps
from tools.bench.table import fresh, prepared
from tools.bench.text import render
from tools.bench.worker import Ready, Run, Worker
from tools.environment import MachineNotReady

ROOT = Path(__file__).resolve().parents[2]
MEBIBYTE = 2**20


@pytest.fixture
def log(files) -> Log:
    return Log("tiny", files.collection)


class FakeFsrsRs:
    """The shape of ``fsrs_rs_python``: reviews are pairs, items are tuples of them."""

    def __init__(self, error: str = "") -> None:
        self.error = error
        self.made = 0

    def FSRSReview(self, rating, delta_t):  # noqa: N802 - its name
        self.made += 1
        return (rating, delta_t)

    def FSRSItem(self, reviews):  # noqa: N802 - its name
        return FakeItem(tuple(reviews))

    def evaluate_with_time_series_splits(self, items, card_ids):
        if self.error or len(card_ids) != len(items):
            raise ValueError(self.error or "InvalidInput")
        return FakeEvaluation()

    def filter_outlier(self, first_items, items):
        return first_items, [item for item in items if item not in first_items]


@dataclass(frozen=True)
class FakeItem:
    reviews: tuple[tuple[int, int], ...]

    def long_term_review_cnt(self) -> int:
        return sum(days > 0 for _, days in self.reviews)


class FakeEvaluation:
    log_loss, rmse_bins = 0.25, 0.02


# The two sides


def test_both_sides_get_the_same_folds(simulation):
    """fsrs-rs: six parts of equal size, the first only trains, the last test set takes what is left over."""
    whole, _ = prepare(simulation.snapshot, Options())
    data = prepared(simulation.snapshot)
    n = len(data.reviews)
    assert n % 6 == 0
    assert 0 <= len(whole.reviews) - n < 6
    assert data.reviews.review_id.tolist() == whole.reviews.review_id[-n:].tolist()
    assert [(f.test_start, f.test_stop) for f in data.folds] == [
        (k * (n // 6), (k + 1) * (n // 6)) for k in range(1, 6)
    ]


def test_a_fresh_table_has_nothing_computed(simulation):
    data = prepared(simulation.snapshot)
    data.histories(WITH_SAME_DAY)
    assert fresh(data).reviews is data.reviews
    assert fresh(data)._histories == {}


def test_ours_is_what_an_evaluation_gives(log, simulation):
    ours = Ours(log)
    assert set(ours.preparing) == {"reading", "preparing"}
    assert ours.facts() == {}
    first, second = ours.run(), ours.run()
    assert first == second
    report = evaluate(simulation.snapshot, Options(algorithms=("FSRS-6 recency",))).report
    assert ours.reviews == len(prepared(simulation.snapshot).reviews)
    tolerance = 1e-12 if len(prepare(simulation.snapshot, Options())[0].reviews) % 6 == 0 else 1e-2
    assert first.log_loss == pytest.approx(report.results[0].log_loss, abs=tolerance)
    assert ours.facts()["rmse_bins"] == pytest.approx(report.results[0].value("rmse_bins_benchmark"), abs=tolerance)


def test_an_item_is_the_cards_rows_up_to_the_review(simulation):
    data = prepared(simulation.snapshot)
    fake = FakeFsrsRs()
    made = items(data, fake)
    assert len(made) == len(data.reviews)
    assert fake.made == len({pair for item in made for pair in item.reviews} | set(zip(*_columns(data), strict=True)))
    rows, reviews = data.rows, data.reviews
    for i in (0, len(made) // 2, len(made) - 1):
        of_card = np.flatnonzero((rows.card_id == reviews.card_id[i]) & (rows.review_id <= reviews.review_id[i]))
        assert made[i].reviews == tuple(zip(*_columns(data, of_card), strict=True))


def _columns(data, rows=slice(None)):
    return data.rows.rating[rows].tolist(), data.rows.elapsed_days[rows].tolist()


def test_the_rival_runs_and_says_what_it_leaves_out(log):
    rival = FsrsRs(log, FakeFsrsRs())
    assert set(rival.preparing) == {"reading", "preparing", "converting"}
    assert rival.run() == Score(0.25, 0.02)
    facts = rival.facts()
    assert facts["last_training_set"] == rival.reviews // 6 * 5
    assert 0 < facts["left_out_of_last_training_set"] < facts["last_training_set"]
    assert facts["copying_seconds"] >= 0


def test_an_error_of_the_rival_is_a_sentence(log):
    with pytest.raises(MachineNotReady, match="fsrs-rs failed: NotEnoughData"):
        FsrsRs(log, FakeFsrsRs("NotEnoughData")).run()


# The processes


def test_a_worker_prepares_runs_and_answers(log):
    with Worker(partial(Ours, log)) as process:
        ready = process.ready()
        done = process.run()
        facts = process.facts()
    assert ready.reviews % 6 == 0
    assert done.found.log_loss > 0
    assert done.seconds > 0
    assert done.cpu_seconds > 0
    assert facts["rmse_bins"] > 0
    if sys.platform != "win32":
        assert 20 * MEBIBYTE < ready.peak_bytes <= done.peak_bytes < 2000 * MEBIBYTE


def test_an_error_in_a_worker_is_the_same_error_here(tmp_path):
    with Worker(partial(Ours, Log("none", tmp_path / "none.anki2"))) as process, pytest.raises(FileMissing) as error:
        process.ready()
    assert error.value.facts == {"path": str(tmp_path / "none.anki2")}


def test_what_a_worker_leaves_is_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with Worker(Littering) as process:
        process.ready()
        assert len(list(tmp_path.rglob("copy-of-a-collection"))) == 1
    assert list(tmp_path.iterdir()) == []


class Littering:
    """Writes a temporary file and is ended before it has removed it."""

    reviews = 0

    def __init__(self) -> None:
        self.preparing: dict[str, float] = {}
        (Path(tempfile.gettempdir()) / "copy-of-a-collection").touch()


def test_a_worker_that_dies_is_a_sentence():
    with Worker(partial(os._exit, 3)) as process, pytest.raises(MachineNotReady, match="has ended"):
        process.ready()


def test_what_is_missing_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "fsrs_rs_python", None)
    with pytest.raises(MachineNotReady, match="fsrs-rs-python cannot be loaded"):
        FsrsRs(Log("any", Path("any")))


@pytest.mark.parametrize("error", [MachineNotReady("why"), PermissionError(13, "why")])
def test_what_a_worker_cannot_do_is_said(error):
    with Worker(partial(_raise, error)) as process, pytest.raises(MachineNotReady, match="why"):
        process.ready()


def _raise(error: Exception) -> None:
    raise error


# What is said


def side(name: str, reviews: int, seconds: tuple[float, ...], log_loss: float, facts: dict[str, float]) -> Side:
    runs = tuple(Run(s, 1.5 * s, 200 * MEBIBYTE, Score(log_loss)) for s in seconds)
    return Side(name, Ready(reviews, {"reading": 1.0}, 100 * MEBIBYTE), runs, facts)


def duel(log: str, reviews: int, ours: tuple[float, ...], theirs: tuple[float, ...], *, simulated: bool = True) -> Duel:
    facts = {"last_training_set": 1234, "left_out_of_last_training_set": 56, "copying_seconds": 0.125}
    return Duel(
        log,
        simulated,
        side("SRS Evaluator", reviews, ours, 0.25, {"rmse_bins": 0.01, "rmse_bins_seconds": 0.5}),
        side("fsrs-rs", reviews, theirs, 0.26, facts),
    )


STEPS = {"reading": 0.5, "preparing": 0.25, "AVG": 0.5, "SM-2": 2.0}
EVALUATIONS = Evaluations(
    "10k",
    ("default",),
    tuple(
        Run(seconds, seconds, 300 * MEBIBYTE, Steps(15_000, dict(STEPS), {"AVG": "no reason"}))
        for seconds in (3.5, 4.0, 9.0)
    ),
)
MACHINE = {
    "software": "SRS Evaluator", "date": "2024-01-01", "python": "3.11", "numpy": "2", "fsrs_rs_python": "0.9.3",
    "anki": "26", "system": "Linux", "cpu": "Abacus", "cpus": 2,
}  # fmt: skip
RESULTS = Results(
    MACHINE,
    (
        duel("10k", 10_000, (0.25, 0.5, 4.0), (0.25, 1.0, 1.0)),
        duel("1m", 1_000_000, (20.0, 5.0, 6.0), (100.0, 10.0, 50.0)),
        duel("mine.csv", 500, (0.1,), (0.1,), simulated=False),
    ),
    (EVALUATIONS,),
)


def test_medians_and_ratios():
    first, second, _ = RESULTS.duels
    assert (first.ours.seconds, first.rival.seconds, first.ratio) == (0.5, 1.0, 0.5)
    assert first.ours.cpu_seconds == 0.75
    assert second.ours.seconds_per_review == 6 / 1_000_000
    assert first.ours.peak_bytes == 200 * MEBIBYTE


def test_growth_is_from_the_smallest_simulated_log_to_the_largest():
    ours, theirs = RESULTS.growth
    assert (ours.start, ours.stop, ours.reviews, ours.seconds) == ("10k", "1m", 100, 12)
    assert (theirs.seconds, theirs.exponent) == (50, pytest.approx(np.log(50) / np.log(100)))
    assert replace(RESULTS, duels=RESULTS.duels[1:]).growth == ()


def test_an_evaluations_steps_add_up():
    assert list(EVALUATIONS.seconds.items()) == [
        ("SM-2", 2.0), ("reporting", 0.75), ("reading", 0.5), ("AVG", 0.5), ("preparing", 0.25),
    ]  # fmt: skip
    assert EVALUATIONS.whole == 4.0


def test_the_text():
    text = render(RESULTS)
    assert max(map(len, text.splitlines())) <= 100
    assert "10k       SRS Evaluator takes 0.50 times as long as fsrs-rs; log loss -0.01000" in text
    assert "SRS Evaluator: 100.0 times the reviews (10k to 1m) take 12.0 times as long: exponent 0.54" in text
    assert "1,234        56    0.125" in text
    assert "100-200" in text
    assert "10k: AVG could not be evaluated: no reason" in text
    assert "Abacus" in text
    assert render(Results(MACHINE)).count("\n") == 1


def test_the_json_holds_every_run():
    told = json.loads(json.dumps(as_json(RESULTS)))
    assert told["cpu"] == "Abacus"
    assert [duel["ratio"] for duel in told["duels"]] == [0.5, 0.12, 1.0]
    assert [run["seconds"] for run in told["duels"][0]["sides"][0]["runs"]] == [0.25, 0.5, 4.0]
    assert told["duels"][0]["sides"][1]["facts"]["last_training_set"] == 1234
    assert told["growth"][0]["reviews"] == 100
    assert told["evaluations"][0]["seconds"]["SM-2"] == 2.0


# The command


def test_algorithms_of_a_file(files, tmp_path, capsys):
    written = tmp_path / "bench.json"
    arguments = [str(files.collection), "--algorithms", "AVG,sm-2", "--repeat", "2", "--json", str(written)]
    assert command.main(arguments) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "Evaluation of AVG, sm-2, medians of 2 runs:" in out
    assert out.endswith(f"Written:\n  {written}\n")
    told = json.loads(written.read_text())
    assert len(told["evaluations"][0]["runs"]) == 2
    assert {"AVG", "SM-2", "reading", "preparing", "reporting"} == set(told["evaluations"][0]["seconds"])


def test_json_alone_on_standard_output(files, capsys):
    assert command.main([str(files.csv), "--algorithms", "AVG", "--repeat", "1", "--json", "-"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["duels"] == []
    assert "Evaluation of AVG:" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--sizes", "5k"], "--sizes cannot be '5k'. Allowed: 10k, 100k, 1m."),
        (["--sizes", ""], "--sizes cannot be ''."),
        (["--repeat", "0"], "--repeat cannot be 0."),
        (["--algorithms", "FSRS-99"], "There is no algorithm 'FSRS-99'."),
        (["--algorithms", ""], "algorithms cannot be ''."),
        (["no/such.anki2"], "There is no file at no/such.anki2."),
        (["--cards", "cards.csv"], "--cards cannot be 'cards.csv'. Allowed: only together with a PATH."),
        (["--json", "no/such/folder/file"], "--json cannot be 'no/such/folder/file'."),
    ],
)
def test_what_is_wrong_is_said_in_one_line_before_the_work(arguments, said, capsys, monkeypatch):
    monkeypatch.setattr(command.measure, "Worker", None)
    assert command.main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert says(err, said)
    assert err.count("\n") == 1


def test_a_log_that_cannot_be_read_is_a_sentence(tmp_path, capsys):
    bad = tmp_path / "bad.csv"
    bad.write_text("id\n")
    assert command.main([str(bad), "--algorithms", "AVG"]) == 2
    assert "lacks the columns" in capsys.readouterr().err


def test_sizes_are_taken_once_and_the_smallest_first(tmp_path):
    assert [log.name for log in simulated(["1m", "10k", "1m"], tmp_path)] == ["10k", "1m"]
    assert list(SIZES) == ["10k", "100k", "1m"]
    with pytest.raises(BadOption):
        simulated(["2m"], tmp_path)


def test_help_installs_nothing(monkeypatch, capsys):
    asked = []
    monkeypatch.setattr("tools.environment.ensure", asked.append)
    with pytest.raises(SystemExit):
        commands.run(["bench", "--help"])
    assert asked == [()]
    assert "--sizes" in capsys.readouterr().out


@pytest.mark.skipif(sys.platform == "win32", reason="process groups")
@pytest.mark.parametrize("number", commands.SIGNALS)
def test_what_stops_it_ends_all_processes(number, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    process = subprocess.Popen(
        [sys.executable, "-c", ALOUD, "bench", "--algorithms", "AVG", "--sizes", "1m"],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    assert [process.stdout.readline() for _ in range(2)] == ["1m: simulating\n", "a process works\n"]
    os.killpg(process.pid, number)  # as a terminal does
    out, err = process.communicate(timeout=PATIENCE)  # returns when all that hold the streams are gone
    assert (process.returncode, out) == (128 + number, "")
    # Where its terminal is closed, Python itself has something to say, and nobody reads it.
    assert err == "Cancelled.\n" or (number == signal.SIGHUP and "Cancelled.\n" in err)
    assert list(tmp_path.iterdir()) == []


#: The command, with its steps told on standard output.
ALOUD = """
import sys
import tools.bench.command
from tools import commands, environment

environment.ensure = lambda extras: None
tools.bench.command.ProgressLine.show = lambda self, fraction, words: print(words, flush=True)
answer = tools.bench.measure.answer
tools.bench.measure.answer = lambda future: (print("a process works", flush=True), answer(future))[1]
if __name__ == "__main__":
    sys.exit(commands.run(sys.argv[1:]))
"""
