from __future__ import annotations

from dataclasses import replace

import fake
import pytest
from made_findings import advice, finding, recall, report_on
from sentence_matching import contains_sentence, matches_sentence

from evaluator.interval import TOO_FEW
from evaluator.report import Comparison, ConfidenceInterval, Failure, Optimizing
from evaluator.sections.groups import AlgorithmInGroup, Group, Grouping
from ui.text import strings
from ui.views import groups as groups_view
from ui.views.cells import format_difference
from ui.views.group_cells import group_name, off_by
from ui.views.groups import blocks
from ui.views.labels import row_label
from ui.views.view import Block

NBSP = "\N{NO-BREAK SPACE}"


def in_group(algorithm: str, *, code: str | None = "better", skill: float | None = 0.047) -> AlgorithmInGroup:
    """Return an algorithm's results in a group, compared with SM-2 unless the code is None."""
    comparison = None
    if code is not None:
        comparison = Comparison(algorithm, "SM-2", ConfidenceInterval(-0.0658, -0.07, -0.06), code)
    gap = ConfidenceInterval(-0.0034, -0.0118, 0.0049)
    return AlgorithmInGroup(algorithm, 0.36745, skill, gap, comparison)


def group(name: str, reviews: int, *, label: int | None = 7, code: str = "better") -> Group:
    """Return a group in which FSRS-6 is compared with SM-2. A group without a label has the deleted cards."""
    algorithms = (in_group("FSRS-6", code=code), in_group("SM-2", code=None))
    return Group(label, name, reviews, reviews // 10, 0.875, algorithms)


def grouping(*groups: Group, by: str = "deck", baseline: str | None = "SM-2") -> Grouping:
    return Grouping(by, groups, baseline)


def block_of(*groups: Group, by: str = "deck", baseline: str | None = "SM-2") -> Block:
    """Return the block that shows these groups."""
    return groups_view.block(grouping(*groups, by=by, baseline=baseline), fake.report())


class TestCells:
    @pytest.mark.parametrize(
        ("gap", "text"),
        [
            (ConfidenceInterval(0.0234, 0.0095, 0.0372), "2.3 points too low (0.9 to 3.7)"),
            (ConfidenceInterval(-0.0034, -0.0118, 0.0), "on target (±1.2)"),
            (ConfidenceInterval(-0.0034, -0.0118, -0.0001), "0.3 points too high (0.0 to 1.2)"),
            (ConfidenceInterval(0.01, -0.01, 0.03), "on target (±3.0)"),
            (ConfidenceInterval(0.01, -0.01, 0.031), "no clear error: between 3.1 points too low and 1.0 too high"),
            (ConfidenceInterval(-0.069, reason=TOO_FEW), "6.9 points too high"),
        ],
    )
    def test_level_is_described_in_words(self, gap: ConfidenceInterval, text: str) -> None:
        """The words "on target" mean that the difference may be 0 and is at most three points."""
        assert matches_sentence(off_by(gap), text)

    def test_signs_are_typographic(self) -> None:
        texts = [format_difference(value) for value in (0.0012, -0.0012, 0.00001, -0.00001, 0.0)]
        assert texts == ["+0.0012", "−0.0012", "0.0000", "0.0000", "0.0000"]

    def test_long_names_lose_their_middle(self) -> None:
        assert group_name(1, "Languages::Spanish::Chapter 29::Verbs") == "Languages::…er 29::Verbs"
        assert len(group_name(1, "x" * 90)) == 24
        assert group_name(1, "x" * 24) == "x" * 24
        assert matches_sentence(group_name(None, ""), "deleted, or no home deck")


class TestFindings:
    def test_presets_with_their_decks_come_before_the_whole(self) -> None:
        change = Optimizing(0.0212)
        law = finding("optimistic", "preset", advice=advice("optimize", "change"), optimizing=change)
        deck = finding("deck", "deck", name="Torts", advice=law.advice, optimizing=change, changed=None)
        kanji = finding("too_new", "preset", name="Kanji", preset_id=8, advice=advice("keep_on", "unknown"))
        average = recall(0.9012, -0.043, 0.02, near=False)
        lower = advice("desired_retention", suggested_retention=0.92)
        whole = finding("optimistic", preset_id=None, changed=None, recall=average, advice=lower)
        (block,) = blocks((), report_on(whole, law, deck, kanji), ())
        assert block.heading == "Which preset is off?"
        assert block.table.rows == (
            ("! Law", "90%", "86% (84% to 88%)", "9,243", "2.1 points", "2025-02-01", "optimize"),
            ("Deck: Torts", "90%", "88.0% (86.0% to 90.0%)", "9,243", "", "–", ""),
            ("? Kanji", "–", "–", "0", "", "2025-02-01", "nothing yet"),
            ("! All", "90.1%", "85.8% (83.8% to 87.8%)", "9,243", "", "–", "set the desired retention to 92%"),
        )

    def test_list_needs_findings(self) -> None:
        assert not list(blocks((), fake.report(), ()))


class TestGroups:
    def test_rows_list_reviews_and_predictions(self) -> None:
        block = block_of(group("Spanish", 9355))
        assert matches_sentence(block.heading, "Your deck")
        first, last = "Deck Cards Reviews Remembered Algorithm", "Gain over guessing Predictions Against SM-2 (1987)"
        assert " ".join(column.name for column in block.table.columns) == f"{first} {last}"
        numbers = (f"4.7{NBSP}%", "on target (±1.2)")
        assert matches_sentence(
            block.table.rows,
            (
                ("Spanish", "935", "9,355", f"87.5{NBSP}%", row_label("FSRS-6"), *numbers, "better"),
                ("", "", "", "", "SM-2 (1987)", *numbers, ""),
            ),
        )

    def test_column_of_comparisons_needs_a_baseline(self) -> None:
        single = Group(1, "A", 200, 50, 0.9, (in_group("FSRS-6", code=None, skill=None),))
        block = block_of(single, baseline=None)
        assert matches_sentence([column.name for column in block.table.columns][-1], "Predictions")
        assert len(block.table.rows[0]) == len(block.table.columns)
        assert block.table.rows[0][5] == strings.NO_VALUE
        assert not block.caption

    @pytest.mark.parametrize(
        ("codes", "expected"),
        [
            ("better better worse too_few", "{pair} in 2 of your 4 decks and worse in 1."),
            ("better better", "{pair} in 2 of your 2 decks and worse in none."),
            ("equivalent worse", "{pair} in none of your 2 decks and worse in 1."),
            (
                "equivalent too_few",
                "In none of your 2 decks is FSRS-6 (as in the benchmark) clearly better or worse than SM-2 (1987).",
            ),
            ("better", ""),
        ],
    )
    def test_better_and_worse_groups_are_counted(self, codes: str, expected: str) -> None:
        groups = [group(str(number), 300 - number, code=code) for number, code in enumerate(codes.split())]
        block = block_of(*groups, group("", 900, label=None, code="worse"))
        pair = "FSRS-6 (as in the benchmark) predicts better than SM-2 (1987)"
        assert matches_sentence(block.caption, expected.format(pair=pair))
        assert matches_sentence(block.heading, "Your decks" if expected else "Your deck")

    def test_small_groups_among_many_are_left_out(self) -> None:
        """Decks with fewer than 100 reviews are counted in the note, but deleted cards are not."""
        groups = [group(str(size), size) for size in range(500, 0, -20)]
        for deleted, last in ((300, "100"), (400, "deleted, or no home deck")):
            block = block_of(*groups, group("", deleted, label=None))
            assert [row[0] for row in block.table.rows if row[0]][-1] == last
            assert matches_sentence(block.notes, ("Not listed: 4 smaller decks (scored reviews: at most 80).",))

    @pytest.mark.parametrize(("deleted", "rows"), [(50, 1), (51, 2)])
    def test_deleted_cards_are_listed_above_five_percent(self, deleted: int, rows: int) -> None:
        block = block_of(group("A", 1000 - deleted), group("", deleted, label=None))
        assert sum(bool(row[0]) for row in block.table.rows) == rows

    def test_labels_name_ankis_sm2(self) -> None:
        comparison = Comparison("FSRS-6", "Anki-SM-2", ConfidenceInterval(-0.1), "better")
        algorithms = (replace(in_group("FSRS-6"), against_baseline=comparison), in_group("Anki-SM-2", code=None))
        groups = [replace(group(name, 900), algorithms=algorithms) for name in "AB"]
        block = block_of(*groups, baseline="Anki-SM-2")
        assert contains_sentence(block.caption, "better than Anki's SM-2 (as it is)")
        assert block.table.columns[-1].name == "Against Anki's SM-2 (as it is)"
        assert [row[4] for row in block.table.rows[:2]] == ["FSRS-6 (as in the benchmark)", "Anki's SM-2 (as it is)"]

    def test_few_groups_are_all_listed(self) -> None:
        block = block_of(*(group(str(size), size) for size in range(12, 0, -1)))
        assert sum(bool(row[0]) for row in block.table.rows) == 12
        assert not block.notes

    def test_unknown_groups_are_reported(self) -> None:
        unknown = Grouping("preset", error=Failure("decks_unknown", {"what": "preset"}))
        block = groups_view.block(unknown, fake.report())
        assert block.table.rows == ()
        assert block.caption.startswith("Each card's preset is unknown.")
