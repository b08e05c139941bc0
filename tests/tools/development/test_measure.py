from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import tempfile
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import numpy as np
import pytest
from sentence_matching import contains_sentence

from evaluator.evaluation import evaluate, prepare
from evaluator.options import Options
from tools.benchmark.executors import processes
from tools.development.measure import command
from tools.development.measure.command import OURS, RIVAL, render
from tools.development.measure.logs import SIZES, Log
from tools.development.measure.sides import FsrsRs, Ours, Whole, items, prepared
from tools.development.measure.timing import Run, Timed, timed
from tools.environment import MachineNotReady

MEBIBYTE = 2**20


@pytest.fixture
def log(files) -> Log:
    return Log("tiny", files.collection)


def fake_fsrs_rs(score=lambda items, card_ids: SimpleNamespace(log_loss=0.25 * len(items) / len(card_ids))):
    """The shape of ``fsrs_rs_python``: reviews are pairs, items are tuples of them."""
    review = Mock(side_effect=lambda rating, delta_t: (rating, delta_t))
    return SimpleNamespace(FSRSReview=review, FSRSItem=tuple, evaluate_with_time_series_splits=score)


def test_both_sides_get_the_same_folds(simulation):
    whole, _ = prepare(simulation.snapshot, Options())
    data = prepared(simulation.snapshot)
    n = len(data.reviews)
    assert n % 6 == 0
    assert 0 <= len(whole.reviews) - n < 6
    assert data.reviews.review_id.tolist() == whole.reviews.review_id[-n:].tolist()
    assert [(f.test_start, f.test_stop) for f in data.folds] == [
        (k * (n // 6), (k + 1) * (n // 6)) for k in range(1, 6)
    ]


def test_our_side_equals_an_evaluation(log, simulation):
    ours = Ours(log)
    first, second = ours.run(), ours.run()
    assert first == second
    report = evaluate(simulation.snapshot, Options(algorithms=("FSRS-6 recency",))).report
    tolerance = 1e-12 if len(prepare(simulation.snapshot, Options())[0].reviews) == ours.reviews else 1e-2
    assert first == pytest.approx(report.results[0].log_loss, abs=tolerance)


def test_an_item_is_the_cards_rows_up_to_the_review(simulation):
    data = prepared(simulation.snapshot)
    fake = fake_fsrs_rs()
    made = items(data, fake)
    assert len(made) == len(data.reviews)
    rows, reviews = data.rows, data.reviews
    assert fake.FSRSReview.call_count == len(set(zip(rows.rating.tolist(), rows.elapsed_days.tolist(), strict=True)))
    for i in (0, len(made) // 2, len(made) - 1):
        of_card = np.flatnonzero((rows.card_id == reviews.card_id[i]) & (rows.review_id <= reviews.review_id[i]))
        assert made[i] == tuple(zip(rows.rating[of_card].tolist(), rows.elapsed_days[of_card].tolist(), strict=True))


def test_the_rival_runs_and_an_error_of_it_is_a_sentence(log, monkeypatch):
    monkeypatch.setitem(sys.modules, "fsrs_rs_python", fake_fsrs_rs())
    assert FsrsRs(log).run() == 0.25
    monkeypatch.setitem(sys.modules, "fsrs_rs_python", fake_fsrs_rs(Mock(side_effect=ValueError("NotEnoughData"))))
    with pytest.raises(MachineNotReady, match="fsrs-rs failed: NotEnoughData"):
        FsrsRs(log).run()
    monkeypatch.setitem(sys.modules, "fsrs_rs_python", None)
    with pytest.raises(MachineNotReady, match="fsrs-rs-python cannot be loaded"):
        FsrsRs(log)


def test_sides_run_in_turn_each_in_a_process(log):
    messages = []
    item, other = timed(log, {"A": Ours, "B": partial(Whole, ["AVG"])}, 2, messages.append)
    assert messages == ["tiny: reading", "tiny: A, 1 of 2", "tiny: B, 1 of 2", "tiny: A, 2 of 2", "tiny: B, 2 of 2"]
    assert (item.log, item.side, other.side) == ("tiny", "A", "B")
    assert item.reviews % 6 == 0
    assert item.runs[0].found == item.runs[1].found > 0
    assert item.seconds > 0
    assert item.runs[0].cpu_seconds > 0
    assert set(other.runs[0].found) == {"preparing", "AVG"}
    if sys.platform != "win32":
        assert 20 * MEBIBYTE < item.runs[0].peak_bytes <= item.runs[1].peak_bytes < 2000 * MEBIBYTE


def test_a_dying_process_gives_a_sentence_and_leaves_no_files(log, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(MachineNotReady, match="has ended"):
        timed(log, {OURS: _dies}, 1, str)
    assert list(tmp_path.iterdir()) == []


def _dies(log: Log) -> None:
    (Path(tempfile.gettempdir()) / "copy-of-a-collection").touch()
    os._exit(3)


def measured(log: str, side: str, reviews: int, log_loss: float, *seconds: float) -> Timed:
    return Timed(log, side, reviews, tuple(Run(s, 1.5 * s, 200 * MEBIBYTE, log_loss) for s in seconds))


MEASURED = [
    measured("10k", OURS, 10_000, 0.25, 0.25, 0.5, 4.0),
    measured("10k", RIVAL, 10_000, 0.26, 10.0, 50.0, 100.0),
]


def test_medians_and_ratios_are_printed():
    text = render("Abacus", MEASURED)
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert max(map(len, text.splitlines())) <= 100
    assert "Abacus" in text
    assert "10k 10,000 SRS Evaluator 0.500 0.250 - 4.000 0.750 0.25000 200 0.01" in lines
    assert "fsrs-rs 50.0 10.0 - 100.0 75.0 0.26000 200" in lines


def test_steps_are_sorted_by_their_time():
    runs = [Run(s, s, 300 * MEBIBYTE, {"preparing": 0.25, "SM-2": 3 * s, "AVG": s}) for s in (0.5, 2.0, 1.0)]
    text = render("Abacus", [Timed("10k", "AVG, SM-2", 0, tuple(runs))])
    assert [line.split()[0] for line in text.splitlines()[-5:]] == ["SM-2", "AVG", "preparing", "in", "MiB"]
    assert ["SM-2", "3.000"] in [line.split() for line in text.splitlines()]


def test_algorithms_of_a_file_are_timed(files, capsys):
    assert command.main([str(files.collection), "--algorithms", "AVG,sm-2", "--repeat", "2"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "Evaluation of AVG, sm-2. Medians of 2 runs" in out
    assert {line.split()[0] for line in out.splitlines()[-5:-2]} == {"AVG", "SM-2", "preparing"}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--sizes", "5k"], "--sizes cannot be '5k'. Allowed: 10k, 100k, 1m."),
        (["--repeat", "0"], "--repeat cannot be 0."),
        (["--algorithms", "FSRS-99"], "There is no algorithm 'FSRS-99'."),
        (["--algorithms", ","], "algorithms cannot be ''."),
        (["no/such.anki2"], "There is no file at no/such.anki2."),
    ],
)
def test_errors_are_one_line_before_the_work(arguments, expected, capsys, monkeypatch):
    monkeypatch.setattr(command, "timed", None)
    assert command.main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert contains_sentence(err, expected)
    assert err.count("\n") == 1


def test_a_log_that_cannot_be_read_is_a_sentence(tmp_path, capsys):
    bad = tmp_path / "bad.csv"
    bad.write_text("id\n")
    assert command.main([str(bad), "--algorithms", "AVG"]) == 2
    assert "lacks columns:" in capsys.readouterr().err


def test_sizes_are_unique_and_sorted(monkeypatch, capsys):
    taken = []
    monkeypatch.setattr(command, "timed", lambda log, *_: taken.append(log.name) or MEASURED)
    for sizes in (["--sizes", "1m,10k,1m"], []):
        command.main(sizes)
    assert taken == ["10k", "1m", *SIZES]


@pytest.mark.skipif(sys.platform == "win32", reason="blocked signals")
def test_a_worker_is_not_interrupted_while_it_starts():
    with processes(1) as pool:
        answer = pool.submit(os.getpid)
        (worker,) = multiprocessing.active_children()
        os.kill(worker.pid, signal.SIGINT)  # long before it can ignore that by itself
        assert answer.result() == worker.pid
