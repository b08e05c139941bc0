from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from evaluator.evaluation import evaluate, prepare
from evaluator.options import Options
from tools.development.measure import speed


def test_both_sides_get_equal_folds(simulation):
    whole, _ = prepare(simulation.snapshot, Options())
    data = speed.equal_folds(simulation.snapshot)
    size, rest = divmod(len(whole.reviews), 6)
    assert data.reviews.review_id.tolist() == whole.reviews.review_id[rest:].tolist()
    folds = [(fold.test_start, fold.test_stop) for fold in data.folds]
    assert folds == [(number * size, (number + 1) * size) for number in range(1, 6)]


def test_our_side_equals_an_evaluation(files, simulation):
    reviews, run = speed.fit_here(files.collection)
    log_loss = run()
    assert run() == log_loss
    report = evaluate(simulation.snapshot, Options(algorithms=("FSRS-6 recency",))).report
    tolerance = 1e-12 if len(prepare(simulation.snapshot, Options())[0].reviews) == reviews else 1e-2
    assert log_loss == pytest.approx(report.results[0].log_loss, abs=tolerance)


def test_item_of_fsrs_rs_is_the_cards_rows_up_to_the_review(simulation):
    data = speed.equal_folds(simulation.snapshot)
    items = speed.fsrs_rs_items(data, SimpleNamespace(FSRSReview=lambda *pair: pair, FSRSItem=tuple))
    rows, reviews = data.rows, data.reviews
    for index in (0, len(items) // 2, len(items) - 1):
        card = np.flatnonzero((rows.card_id == reviews.card_id[index]) & (rows.review_id <= reviews.review_id[index]))
        assert items[index] == tuple(zip(rows.rating[card].tolist(), rows.elapsed_days[card].tolist(), strict=True))


def test_medians_and_ratios_are_printed():
    sides = {speed.OURS: (0.25, [0.25, 0.5, 4.0]), speed.RIVAL: (0.26, [10.0, 50.0, 100.0])}
    runs = {name: tuple(speed.Run(time, 1.5 * time, loss) for time in times) for name, (loss, times) in sides.items()}
    timings = [speed.Timing("10k", name, 10_000, runs[name], 200.0) for name in sides]
    text = speed.format_timings("Abacus", timings)
    rows = [" ".join(line.replace("|", " ").split()) for line in text.splitlines()[-2:]]
    assert rows == [
        "10k 10,000 SRS Evaluator 0.500 0.250 - 4.000 0.750 0.25000 200 0.01",
        "fsrs-rs 50.0 10.0 - 100.0 75.0 0.26000 200",
    ]


def test_each_program_is_timed_on_each_log(monkeypatch, files, capsys):
    monkeypatch.setattr(speed, "_write_log", lambda _learner, path: path.write_bytes(files.collection.read_bytes()))
    monkeypatch.setattr(speed, "_run_in_process", lambda work, *arguments: work(*arguments))
    monkeypatch.setattr(speed, "SIDES", {speed.OURS: speed.fit_here, speed.RIVAL: speed.fit_here})
    assert speed.main(["--sizes", "100k,10k", "--repeat", "2"]) == 0
    text = capsys.readouterr().out
    assert "Medians of runs: 2. ratio: ours / fsrs-rs;" in text
    rows = [line.replace("|", " ").split() for line in text.splitlines()[-4:]]
    assert [row[0] for row in rows] == ["10k", "fsrs-rs", "100k", "fsrs-rs"]
