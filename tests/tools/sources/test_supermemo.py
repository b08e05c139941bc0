from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import foreign_logs
import numpy as np
import pytest
from sentence_matching import contains_sentence

from evaluator.data.reviews import prepare_reviews
from evaluator.errors import AllFiltered, MissingColumns, UnreadableCsv, UnreadableText
from evaluator.evaluation import evaluate
from evaluator.options import Options
from tools import evaluate as command
from tools import sources
from tools.benchmark import command as benchmark
from tools.benchmark.collections import find_collections
from ui.text.error_sentences import error_sentence

FAST = ("AVG", "SM-2", "FSRS-6 default")
HEADER = "Date,Element No,Used interval,R (SM16),R (SM17),Grade,Success"


@pytest.fixture(scope="module")
def comparison(simulation, tmp_path_factory):
    path = tmp_path_factory.mktemp("supermemo") / "SM16-v-SM17.csv"
    foreign_logs.write_comparison(path, simulation)
    return path


@pytest.fixture(scope="module")
def history(simulation, tmp_path_factory):
    path = tmp_path_factory.mktemp("supermemo") / "Repetition History.txt"
    foreign_logs.write_history(path, simulation)
    return path


def rows_of(snapshot) -> list[tuple[int, int, int]]:
    """Return (card, days since the last row, button) of each row in chronological order."""
    log = snapshot.revlog
    return list(zip(log.card_id.tolist(), snapshot.elapsed_days.tolist(), log.button.tolist(), strict=True))


def report_of(path: Path, *algorithms: str):
    return evaluate(sources.read(path), Options(algorithms=algorithms or FAST)).report


# ---- SM16-v-SM17.csv


def test_each_repetition_is_a_review_with_the_interval_and_the_grade_of_the_file(comparison, simulation):
    snapshot = sources.read(comparison)
    expected = [(card, days, button) for _, card, days, button in foreign_logs.later_days(simulation)]
    assert sorted(rows_of(snapshot)) == sorted(expected)
    assert snapshot.revlog.review_id.tolist() == sorted(set(snapshot.revlog.review_id.tolist()))
    assert snapshot.unread == ()


@pytest.mark.parametrize(
    ("encoding", "date"),
    [
        ("gbk", "%m月 %d %Y %H:%M:%S"),
        ("utf-8-sig", "%m %d %Y %H:%M:%S"),
        ("utf-8", "%d/%m/%Y %H:%M"),
        ("utf-8", "%m/%d/%Y"),
        ("utf-8", "%m-%d-%y"),
    ],
)
def test_format_of_dates_changes_no_review(encoding, date, comparison, simulation, tmp_path):
    path = tmp_path / "other.csv"
    foreign_logs.write_comparison(path, simulation, encoding=encoding, date=date)
    snapshots = (sources.read(path), sources.read(comparison))
    rows, expected = (sorted(rows_of(snapshot)) for snapshot in snapshots)
    assert rows == expected
    days, expected_days = (snapshot.clock.day_of(snapshot.revlog.review_id) for snapshot in snapshots)
    np.testing.assert_array_equal(days, expected_days)


def write_rows(tmp_path: Path, *rows: str, header: str = HEADER):
    path = tmp_path / "some.csv"
    path.write_text("\n".join((header, *rows)) + "\n")
    return path


def test_every_row_that_is_not_kept_is_counted_with_its_reason(tmp_path):
    path = write_rows(
        tmp_path,
        "Jan 1 2023,7,3,0.9,0.9,4,1",
        "Jan 9 2023,7,8,1,0,5,1",
        "sometime,7,8,0.9,0.9,4,1",
        "Jan 9 2023,,8,0.9,0.9,4,1",
        "Jan 9 2023,7,8,0.9,0.9,4,2",
        "Jan 9 2023,7,8,0.9,0.9,4,",
        "Jan 9 2023,7,8,0.9,0.9,6,1",
        "Jan 9 2023,7,8,0.9,1.2,4,1",
        "Jan 9 2023,7,8,,0.9,4,1",
        "Jan 9 2023,7,0,0.9,0.9,4,1",
        "",
        "Jan 9 2023",
    )
    snapshot = sources.read(path)
    assert rows_of(snapshot) == [(7, 3, 3), (7, 8, 4)]
    assert Counter(dict(snapshot.unread)) == {
        "no_date": 1, "no_card": 2, "no_outcome": 2, "no_grade": 1, "no_prediction": 2, "no_interval": 1,
    }  # fmt: skip
    assert [row.name for row in snapshot.recorded] == ["SM-16", "SM-17"]
    assert [row.predicted.tolist() for row in snapshot.recorded] == [[0.9, 1.0], [0.9, 0.0]]


def test_decimal_commas_are_refused_with_their_line(tmp_path):
    path = write_rows(tmp_path, "Jan 1 2023,7,3,0.9,0.9,4,1", "Jan 9 2023,7,8,0,9,0,9,4,1")
    with pytest.raises(UnreadableCsv, match="header has 7 cells, but line 3 has 9"):
        sources.read(path)


def test_comma_in_a_title_at_the_end_is_read(tmp_path):
    titles = ("one", "one, two", "one, two, three", '"one, two", three', "")
    rows = [f"Jan {9 + day} 2023,7,{day + 1},0.9,0.8,4,1,{title}" for day, title in enumerate(titles)]
    snapshot = sources.read(write_rows(tmp_path, *rows, header=f"{HEADER},Title"))
    assert rows_of(snapshot) == [(7, day + 1, 3) for day in range(5)]
    assert snapshot.unread == ()
    # A needed column comes after this title.
    header = HEADER.replace("Success", "Title,Success")
    with pytest.raises(UnreadableCsv, match="header has 8 cells, but line 2 has 9"):
        sources.read(write_rows(tmp_path, "Jan 9 2023,7,3,0.9,0.9,4,a, b,1", header=header))


def test_success_decides_if_the_grade_contradicts_it(tmp_path):
    path = write_rows(
        tmp_path, "Jan 1 2023,7,3,0.9,0.9,5,0", "Jan 9 2023,7,8,0.9,0.9,1,1", "Jan 20 2023,7,11,0.9,0.9,3,1"
    )
    snapshot = sources.read(path)
    assert snapshot.revlog.button.tolist() == [1, 2, 2]
    assert dict(snapshot.notes) == {"first_interval": 1, "success_decides": 2}


def test_intervals_come_from_the_file_and_not_from_dates(tmp_path):
    days = ("Jan 1 2023,7,30", "Jan 5 2023,7,40", "Jan 7 2023,8,1", "Jan 9 2023,8,50")
    snapshot = sources.read(write_rows(tmp_path, *(f"{row},0.9,0.9,4,1" for row in days)))
    rows, reviews, _outcome = prepare_reviews(snapshot, outlier_filter=False)
    assert reviews.card_id.tolist() == [7, 8]
    assert reviews.elapsed_days.tolist() == [40, 50]
    assert rows.elapsed_days[rows.position == 0].tolist() == [0, 0]
    first, second = (snapshot.clock.date_of(int(day)).isoformat() for day in reviews.day)
    assert (first, second) == ("2023-01-05", "2023-01-09")


def test_supermemo_is_a_row_and_the_baseline(comparison, tmp_path):
    path = tmp_path / "more.csv"
    path.write_text(comparison.read_text() + "never,1,3,0.9,0.9,0.9,4,1\n" * 3)
    report = report_of(path, *FAST, "FSRS-6")
    assert sum(step.rows for step in report.funnel) == len(path.read_text().splitlines()) - 1
    assert ("no_date", "left_out", 3) in [(step.step, step.use, step.rows) for step in report.funnel]
    assert {"SM-16", "SM-17", *FAST} <= {row.algorithm for row in report.results if row.log_loss is not None}
    assert len({row.size for row in report.results}) == 1
    assert (report.verdict.algorithm, report.baseline) == ("FSRS-6", "SM-17")
    assert not report.scope.outlier_filter
    notes = {note.code: note.count for note in report.scope.notes}
    assert ("first_review", notes["first_interval"]) in [(step.step, step.rows) for step in report.funnel]


def test_predictions_of_supermemo_are_scored_unchanged(comparison):
    predictions = evaluate(sources.read(comparison), Options(algorithms=("AVG",))).predictions
    np.testing.assert_array_equal(predictions.predicted["SM-16"], 0.8)
    expected = 0.7 + 0.2 * predictions.recalled + predictions.card_id % 7 / 100
    np.testing.assert_allclose(predictions.predicted["SM-17"], expected, atol=1e-9)


def test_rows_that_need_exact_times_report_their_absence(comparison):
    row = report_of(comparison, "AVG", "LSTM").result("LSTM")
    assert row.error.code == "seconds_unknown"
    assert contains_sentence(error_sentence(row.error), "the source has whole days only")


def test_same_day_table_needs_seconds(comparison, history, capsys):
    for path in (comparison, history):
        assert command.main([str(path), "--table", "same-day", "--algorithms", "AVG"]) == 2
        assert contains_sentence(capsys.readouterr().err, "This needs exact times, but the source has whole days only.")


# ---- Repetition History.txt


def test_each_repetition_but_the_introductions_is_an_answer(history, simulation):
    snapshot = sources.read(history)
    expected = [(card, button) for _, card, _, button in foreign_logs.later_days(simulation)]
    assert sorted((card, button) for card, _, button in rows_of(snapshot)) == sorted(expected)
    cards = len({card for card, _ in expected})
    assert dict(snapshot.unread) == {"introduction": cards}
    days = np.diff(snapshot.clock.day_of(snapshot.revlog.review_id[snapshot.revlog.card_id == 1]))
    assert snapshot.elapsed_days[snapshot.revlog.card_id == 1][1:].tolist() == days.tolist()


def test_sm_15_is_a_row_and_the_baseline(history):
    evaluation = evaluate(sources.read(history), Options(algorithms=FAST))
    assert evaluation.report.baseline == "SM-15"
    assert evaluation.report.result("SM-15").log_loss is not None
    predictions = evaluation.predictions
    np.testing.assert_allclose(predictions.predicted["SM-15"], 0.95 - predictions.card_id % 20 / 100)


def history_line(element: int, day: int, repetition: int, grade: int, lapses: int = 1, index: float = 10) -> str:
    """Return a repetition in January, with the expected forgetting index in percent."""
    return (
        f"ElNo={element} Rep={repetition} Laps={lapses} Date={day:02d}.01.2023 Hour=9.5 Int=1 Grade={grade} "
        f"expFI={index}"
    )


def test_history_is_read_by_the_rules_of_the_public_comparison(tmp_path):
    path = tmp_path / "history.txt"
    repetitions = [  # element, day, repetition, grade, lapses, forgetting index
        (1, 1, 1, 9, 0, 99), (1, 3, 2, 4), (1, 3, 3, 2), (1, 8, 4, 1, 1, 7.5),
        (2, 1, 5, 4), (2, 9, 6, 4),
        (3, 1, 1, 9, 0, 99), (3, 5, 2, 4), (3, 7, 3, 8),
        (4, 1, 1, 9, 0, 99), (4, 5, 2, 4, 1, 100),
        (5, 1, 1, 9, 0, 99), (5, 32, 2, 4),
    ]  # fmt: skip
    lines = [history_line(*repetition) for repetition in repetitions]
    lines += ["ElNo=5 Rep=3 Laps=1 Date=09.01.2023 Grade=4 expFI=", "Title of ElNo=6"]
    path.write_text("\n".join(lines))
    snapshot = sources.read(path)
    assert rows_of(snapshot) == [(1, 0, 3), (1, 5, 1)]
    assert (snapshot.revlog.review_id // 1000 % 86_400 == 9.5 * 3600).all()
    assert snapshot.recorded[0].predicted.tolist() == [0.9, 0.925]
    assert dict(snapshot.unread) == {
        "no_date": 1, "no_prediction": 1, "incomplete_element": 2, "introduction": 4, "reset_element": 2,
        "certain_lapse": 1, "same_day_again": 1,
    }  # fmt: skip
    n_repetitions = len(repetitions) + 1
    assert sum(dict(snapshot.unread).values()) == n_repetitions - len(snapshot.revlog)


# ---- folders


def test_folder_of_supermemo_logs_is_benchmarked(comparison, history, files, tmp_path):
    folder = tmp_path / "people"
    for name, path in (("a/SM16-v-SM17.csv", comparison), ("b/Repetition History.txt", history), ("c.csv", files.csv)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(path.read_bytes())
    (folder / "notes.txt").write_text("nothing")
    result = {collection.name: collection.recorded for collection in find_collections(folder, None).collections}
    assert result == {"a/SM16-v-SM17.csv": ("SM-16", "SM-17"), "b/Repetition History.txt": ("SM-15",), "c.csv": ()}
    out = tmp_path / "results.jsonl"
    call = [str(folder), "--out", str(out), "--processes", "1", "--next-day-at", "14400", "--algorithms"]
    assert benchmark.main([*call, "AVG"]) == 0
    assert benchmark.main([*call, "AVG,SM-2"]) == 0
    lines = map(json.loads, out.read_text().splitlines())
    expected = [(name, row) for name, names in result.items() for row in (*names, "AVG", "SM-2")]
    assert sorted((line["collection"], line["algorithm"]) for line in lines) == sorted(expected)


# ---- what is damaged


def refusal(path: Path, error: type[Exception]) -> str:
    with pytest.raises(error) as caught:
        evaluate(sources.read(path), Options(algorithms=("AVG",)))
    return error_sentence(caught.value)


def test_missing_column_is_named(tmp_path):
    path = write_rows(tmp_path, "Jan 1 2023,7,3,0.9,4,1", header=HEADER.replace("R (SM17),", ""))
    assert "lacks columns: R (SM17)" in refusal(path, MissingColumns)
    (tmp_path / "history.txt").write_text("ElNo=1 Rep=1 Laps=0 Date=01.01.2023 Grade=9\n")
    sentence = refusal(tmp_path / "history.txt", UnreadableText)
    assert contains_sentence(sentence, "cannot be read: none of its lines has expFI.")


def test_unreadable_date_is_reported(tmp_path):
    path = write_rows(tmp_path, *["31 of May,7,3,0.9,0.9,4,1"] * 20)
    expected = "The review log has 20 rows, but nothing can be tested: 20 without a readable date"
    assert contains_sentence(refusal(path, AllFiltered), expected)
    (tmp_path / "history.txt").write_text(history_line(1, 99, 1, 9, 0, 99) + "\n")
    assert contains_sentence(refusal(tmp_path / "history.txt", AllFiltered), "1 without a readable date")


def test_options_for_other_files_are_refused(comparison, tmp_path, capsys):
    assert command.main([str(comparison), "--next-day-at", "1"]) == 2
    assert "other files say it themselves" in capsys.readouterr().err
    assert command.main([str(comparison), "--search", "tag:x"]) == 2
    assert command.main([str(comparison), "--external", f"SM-17={comparison}"]) == 2
    sentence = "A row cannot be named 'SM-17'. Choose a name that no other row or group of rows has."
    assert sentence in capsys.readouterr().err
