from __future__ import annotations

from types import SimpleNamespace

import pytest

from evaluator.evaluation import evaluate, prepare
from evaluator.options import Options
from tools.development.measure import speed


def test_folds_are_equally_large(simulation):
    whole, _ = prepare(simulation.snapshot, Options())
    data = speed.equal_folds(simulation.snapshot)
    size, rest = divmod(len(whole.reviews), 6)
    assert data.reviews.review_id.tolist() == whole.reviews.review_id[rest:].tolist()
    folds = [(fold.test_start, fold.test_stop) for fold in data.folds]
    assert folds == [(number * size, (number + 1) * size) for number in range(1, 6)]


def test_our_side_has_the_log_loss_of_an_evaluation(files, simulation):
    _, run = speed.fit_here(files.collection)
    log_loss = run()
    assert run() == log_loss
    report = evaluate(simulation.snapshot, Options(algorithms=("FSRS-6 recency",))).report
    # The evaluation is also trained on the oldest four reviews.
    assert log_loss == pytest.approx(report.results[0].log_loss, abs=1e-4)


def test_item_of_fsrs_rs_is_the_cards_rows_up_to_the_review(simulation):
    data = speed.equal_folds(simulation.snapshot)
    items = speed.fsrs_rs_items(data, SimpleNamespace(FSRSReview=lambda *pair: pair, FSRSItem=tuple))
    rows = data.rows
    reviews = data.reviews
    for index in (0, len(items) // 2, len(items) - 1):
        is_part = (rows.card_id == reviews.card_id[index]) & (rows.review_id <= reviews.review_id[index])
        pairs = zip(rows.rating[is_part].tolist(), rows.elapsed_days[is_part].tolist(), strict=True)
        assert items[index] == tuple(pairs)


def test_each_program_is_timed_on_each_log(monkeypatch, files, capsys):
    monkeypatch.setattr(speed, "_write_log", lambda _learner, path: path.write_bytes(files.collection.read_bytes()))
    monkeypatch.setattr(speed, "_run_in_process", lambda work, *arguments: work(*arguments))
    times = iter([0.0, 0.25, 1.0, 1.5, 2.0, 6.0] * 6)  # runs of 0.25, 0.5 and 4 seconds
    monkeypatch.setattr(speed.time, "perf_counter", lambda: next(times))
    monkeypatch.setattr(
        speed, "SIDES", {"ours": lambda _: (1000, lambda: 0.25), "theirs": lambda _: (999, lambda: 0.5)}
    )
    assert speed.main([]) == 0
    rows = [line.strip("| ").replace(" ", "").split("|") for line in capsys.readouterr().out.splitlines()]
    assert rows[0] == ["log", "side", "reviews", "seconds", "logloss", "MiB"]
    results = (["ours", "1,000", "0.500", "0.25000"], ["theirs", "999", "0.500", "0.50000"])
    assert [row[:5] for row in rows[2:]] == [[log, *result] for log in ("10k", "100k", "1m") for result in results]
    assert all(float(row[5].replace(",", "")) > 20 for row in rows[2:]), "Python alone needs more"
