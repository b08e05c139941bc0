"""Attacks on the commands: 240 fixed ones are borne, and what is wrong on purpose is found."""

from __future__ import annotations

import os
import random
import shutil
import time
from pathlib import Path

import pytest

from evaluator.errors import BadOption
from tools import commands, outputs, sources
from tools import evaluate as evaluate_command
from tools.fuzz import case, command, kills, material, worker
from tools.fuzz.case import Ended, Place
from tools.fuzz.material import Material

SEED = 0
EACH = 40


@pytest.fixture(scope="session")
def good(tmp_path_factory) -> Material:
    return material.make(tmp_path_factory.mktemp("fuzz") / "material")


@pytest.fixture
def place(tmp_path) -> Place:
    return Place.made(tmp_path / "case")


@pytest.mark.parametrize("number", range(EACH))
@pytest.mark.parametrize("kind", command.ATTACKS)
def test_a_fixed_attack_is_borne(kind, number, good, place):
    assert command.judge_by_name(f"{kind}-{SEED}-{number}", good, place) == []


def test_a_case_follows_from_its_name(good, tmp_path):
    """Also what is not in the bytes of a database, which may hold the moment."""
    for kind in ("csv", "results", "package"):
        made = []
        for folder in ("one", "other"):
            place = Place.made(tmp_path / kind / folder)
            arguments = command.ATTACKS[kind](random.Random(f"{kind}-1-7"), good, place)
            made.append((case.state(place.input), [text.replace(str(place.folder), "") for text in arguments]))
        assert made[0] == made[1]


def plain(_random: random.Random, good: Material, place: Place) -> list[str]:
    for path in good.collections[0]:
        shutil.copyfile(path, place.input / path.name)
    return ["evaluate", str(place.input / "collection.anki2"), "--algorithms", "AVG,SM-2", "--json", "r.json"]


def judged(good: Material, place: Place, attack: case.Attack = plain, *, apart: bool = False) -> list[str]:
    return case.judge(attack, random.Random(1), good, place, apart=apart)


def raising(error: BaseException):
    def fails(*_: object, **__: object) -> None:
        raise error

    return fails


@pytest.mark.parametrize("apart", [False, True])
def test_nothing_is_said_of_what_is_well(apart, good, place):
    assert judged(good, place, apart=apart) == []
    assert (place.out / "r.json").exists()


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (KeyError("ease"), "it says 'Traceback'"),
        (OSError(22, "Invalid argument"), "it says 'The system: '"),
        (MemoryError(), "it says 'too little memory'"),
        (SystemExit(3), "exit code 3"),
        (BadOption(option="--json", value="\n", allowed="x" * 3000), "its sentence has 3,0"),
    ],
)
def test_a_reader_that_fails_is_found(error, fault, good, place, monkeypatch):
    monkeypatch.setattr(sources, "read", raising(error))
    assert any(found.startswith(fault) for found in judged(good, place))


def test_a_reader_that_says_nothing_or_too_much_is_found(good, place, monkeypatch):
    for text in ("", "One.\nTwo.\n"):
        monkeypatch.setattr(evaluate_command, "main", lambda _arguments, text=text: print(text, end="") or 2)
        shutil.rmtree(place.folder)
        assert judged(good, Place.made(place.folder)) == ["it does not refuse with one line"]


def after_writing(monkeypatch, act) -> None:
    """Something else happens when the outputs are written."""
    write = outputs.Outputs.write

    def writes(self: outputs.Outputs, *arguments: object) -> object:
        act()
        return write(self, *arguments)

    monkeypatch.setattr(outputs.Outputs, "write", writes)


def test_an_output_that_touches_the_input_is_found(good, place, monkeypatch):
    collection = place.input / "collection.anki2"

    def touches() -> None:
        with collection.open("ab") as file:
            file.write(b"\0")

    after_writing(monkeypatch, touches)
    assert judged(good, place) == ["'collection.anki2' of the input is not as it was"]


def test_an_input_that_is_gone_is_found(good, place, monkeypatch):
    after_writing(monkeypatch, (place.input / "collection.anki2").unlink)
    assert judged(good, place) == ["'collection.anki2' of the input is not as it was"]


@pytest.mark.parametrize(
    ("left", "fault"),
    [
        ("input/collection.anki2-wal", "'collection.anki2-wal' is written beside the collection"),
        ("temporary/copy.anki2", "it leaves copy.anki2 behind"),
        ("out/.srs-evaluator-1", "it leaves .srs-evaluator-1 behind"),
    ],
)
def test_a_file_left_behind_is_found(left, fault, good, place, monkeypatch):
    after_writing(monkeypatch, (place.folder / left).touch)
    assert judged(good, place) == [fault]


def test_an_output_of_what_failed_is_found(good, place, monkeypatch):
    def fails(*_: object, **__: object) -> None:
        Path("r.json").touch()
        raise BadOption(option="--folds", value=1, allowed="2")

    monkeypatch.setattr(sources, "read", fails)
    assert judged(good, place) == ["something is written, though it failed"]


@pytest.mark.parametrize("text", ["/", "/home", "../..", "../../x.json", "A=/x.csv", "/TMP/x"])
def test_an_attack_on_what_is_not_of_the_case_is_not_made(text, good, place):
    with pytest.raises(ValueError, match="would write elsewhere"):
        judged(good, place, lambda *_: ["evaluate", "x", "--charts", text])
    assert not (place.folder / "command.txt").exists()


def test_home_is_a_folder_of_the_case(good, place):
    def attack(*arguments: object) -> list[str]:
        return [*plain(*arguments), "--predictions", "~/p.csv"]

    for apart in (False, True):
        assert judged(good, place, attack, apart=apart) == []
        (place.home / "p.csv").unlink()


def test_a_control_character_is_found(good, place, monkeypatch):
    after_writing(monkeypatch, lambda: os.write(1, b"a deck named \x1b[2J\n"))  # as a library prints it, past Python
    assert judged(good, place) == ["it prints the control character '\\x1b'"]


@pytest.mark.parametrize("mark", ["\x07", "\r", "\u202e", "\x9b"])
def test_each_kind_of_control_character_is_found(mark):
    assert case.faults_of(Ended(0, f"a{mark}b\n", "")) == [f"it prints the control character {mark!r}"]


def test_what_hangs_is_found(place, monkeypatch):
    """As a process of its own, and as one of many in another process."""
    monkeypatch.setattr(case, "ROOT", place.folder)
    (place.folder / "tools").write_text("while True: pass\n")
    assert case.faults_of(case.run_apart([], place, seconds=1)) == ["it does not end"]
    helper = worker.Worker()
    with pytest.raises(worker.Lost, match="does not end within 1 seconds"):
        helper.call(time.sleep, 1000, seconds=1)
    assert helper.call(abs, -1, seconds=600) == 1  # another one has begun
    helper.close()


def test_what_takes_all_memory_or_dies_is_found(place, monkeypatch):
    helper = worker.Worker()
    with pytest.raises(worker.Lost, match="MemoryError"):
        helper.call(bytes, 2 * case.MEMORY, seconds=600)
    with pytest.raises(worker.Lost, match="ends with -6"):
        helper.call(os.abort, seconds=600)
    helper.close()
    monkeypatch.setattr(case, "ROOT", place.folder)
    (place.folder / "tools").write_text(f"bytes({2 * case.MEMORY})\n")
    assert "it says 'Traceback'" in case.faults_of(case.run_apart([], place))


def test_the_command_says_how_to_repeat_what_failed_and_keeps_it(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(command, "_names", lambda *_: iter(["csv-1-1", "csv-1-2"]))
    monkeypatch.setattr(command, "judged", _faulty)
    assert command.main(["--folder", str(tmp_path)]) == 1
    said = capsys.readouterr().out
    assert "csv-1-2: wrong; and more\n  python3 tools fuzz --case csv-1-2\n" in said
    assert "2 cases (2 csv): 1 failed.\n" in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["csv-1-2", "material"]


def _faulty(name: str, _good: Material, folder: Path, _worker: worker.Worker) -> list[str]:
    Place.made(folder)
    return ["wrong", "and more"] if name == "csv-1-2" else []


@pytest.mark.parametrize("wrong", [["--only", "cvs"], ["--case", "csv-1"], ["--case", "cvs-1-1"], ["--seed", "x"]])
def test_a_wrong_option_of_the_command_is_refused_with_one_line(wrong, capsys):
    try:
        code = command.main(wrong)
    except SystemExit as end:
        code = end.code
    assert code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_ended_benchmarks_go_on_and_results_that_differ_are_found(good, tmp_path, monkeypatch):
    place = Place.made(tmp_path / "one")
    assert kills.judge(random.Random("kill-1-1"), good, place) == []
    expected = good.folder / "benchmark" / "expected.jsonl"
    content = expected.read_bytes()
    monkeypatch.setattr(kills, "_end", lambda *_: [])
    try:
        expected.write_bytes(content.replace(b"log_loss", b"LogLoss", 1))
        faults = kills.judge(random.Random("kill-1-1"), good, Place.made(tmp_path / "other"))
    finally:
        expected.write_bytes(content)
    assert faults == ["the results are not those of a run that was not ended"]


def test_commands_know_it():
    assert any(known.name == "fuzz" for known in commands.COMMANDS)
