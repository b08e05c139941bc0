from __future__ import annotations

from dataclasses import replace

import fake
import pytest
from sentence_matching import contains_sentence, matches_sentence

from evaluator.interval import TOO_FEW
from evaluator.report import Comparison, ConfidenceInterval, Failure
from evaluator.sections.groups import AlgorithmInGroup, Group, Grouping
from evaluator.sections.splitting import Split, Splitting
from ui.text import strings
from ui.views import groups
from ui.views.cells import signed
from ui.views.group_cells import group_name, off_by
from ui.views.splitting import block as splitting_block
from ui.views.view import Block

NBSP = "\N{NO-BREAK SPACE}"


def in_group(algorithm: str, *, code: str | None = "better", skill: float | None = 0.047) -> AlgorithmInGroup:
    against = None
    if code is not None:
        against = Comparison(algorithm, "SM-2", ConfidenceInterval(-0.0658, -0.07, -0.06), code, 0.01)
    gap = ConfidenceInterval(-0.0034, -0.0118, 0.0049)
    return AlgorithmInGroup(algorithm, 0.36745, skill, gap, against)


def group(name: str, reviews: int, *, label: int | None = 7, code: str = "better") -> Group:
    return Group(
        label, name, reviews, reviews // 10, 0.875, (in_group("FSRS-6", code=code), in_group("SM-2", code=None))
    )


def grouping(*groups: Group, by: str = "deck", baseline: str | None = "SM-2") -> Grouping:
    return Grouping(by, groups, baseline)


def groups_block(result: Grouping) -> Block:
    return groups.block(result, fake.report())


def split(name: str, reviews: int, code: str, *, own_now: bool | None = None, tried: bool = True) -> Split:
    c = Comparison("own", "shared", ConfidenceInterval(-0.0123, -0.0146, -0.01), "better", 0.003) if tried else None
    return Split(7, name, reviews, reviews // 10, 90, 0.3123, c, code, own_now)


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
        """On target if remembered minus predicted may be 0 and is at most three points."""
        assert matches_sentence(off_by(gap), text)

    def test_signs_are_typographic(self) -> None:
        assert [signed(value) for value in (0.0012, -0.0012, 0.00001, -0.00001, 0.0)] == [
            "+0.0012", "−0.0012", "0.0000", "0.0000", "0.0000",
        ]  # fmt: skip

    def test_long_names_lose_their_middle(self) -> None:
        assert group_name(1, "Languages::Spanish::Chapter 29::Verbs") == "Languages::…er 29::Verbs"
        assert len(group_name(1, "x" * 90)) == 24
        assert group_name(1, "x" * 24) == "x" * 24
        assert matches_sentence(group_name(None, ""), "deleted, or no home deck")


class TestGroups:
    def test_rows_list_reviews_and_predictions(self) -> None:
        shown = groups_block(grouping(group("Spanish", 9355)))
        assert matches_sentence(shown.heading, "Your deck")
        first, last = "Deck Cards Reviews Remembered Algorithm", "Gain over guessing Predictions Against SM-2 (1987)"
        assert " ".join(column.name for column in shown.table.columns) == f"{first} {last}"
        numbers = (f"4.7{NBSP}%", "on target (±1.2)")
        assert matches_sentence(
            shown.table.rows,
            (
                ("Spanish", "935", "9,355", f"87.5{NBSP}%", "FSRS-6", *numbers, "better"),
                ("", "", "", "", "SM-2 (1987)", *numbers, ""),
            ),
        )

    def test_column_of_comparisons_needs_a_baseline(self) -> None:
        single = Group(1, "A", 200, 50, 0.9, (in_group("FSRS-6", code=None, skill=None),))
        shown = groups_block(grouping(single, baseline=None))
        assert matches_sentence([column.name for column in shown.table.columns][-1], "Predictions")
        assert len(shown.table.rows[0]) == len(shown.table.columns)
        assert shown.table.rows[0][5] == strings.NO_VALUE
        assert not shown.caption

    @pytest.mark.parametrize(
        ("codes", "expected"),
        [
            ("better better worse too_few", "{pair} in 2 of your 4 decks and worse in 1."),
            ("better better", "{pair} in 2 of your 2 decks and worse in none."),
            ("equivalent worse", "{pair} in none of your 2 decks and worse in 1."),
            ("equivalent too_few", "In none of your 2 decks is FSRS-6 clearly better or worse than SM-2 (1987)."),
            ("better", ""),
        ],
    )
    def test_better_and_worse_groups_are_counted(self, codes: str, expected: str) -> None:
        groups = [group(str(number), 300 - number, code=code) for number, code in enumerate(codes.split())]
        shown = groups_block(grouping(*groups, group("", 900, label=None, code="worse")))
        pair = "FSRS-6 predicts better than SM-2 (1987)"
        assert matches_sentence(shown.caption, expected.format(pair=pair))
        assert matches_sentence(shown.heading, "Your decks" if expected else "Your deck")

    def test_small_groups_among_many_are_left_out(self) -> None:
        """Decks with fewer than 100 reviews are counted in the note, but deleted cards are not."""
        groups = [group(str(size), size) for size in range(500, 0, -20)]
        for deleted, last in ((300, "100"), (400, "deleted, or no home deck")):
            shown = groups_block(grouping(*groups, group("", deleted, label=None)))
            assert [row[0] for row in shown.table.rows if row[0]][-1] == last
            assert matches_sentence(shown.notes, ("Not listed: 4 smaller decks, the largest with 80 scored reviews.",))

    @pytest.mark.parametrize(("deleted", "rows"), [(50, 1), (51, 2)])
    def test_deleted_cards_are_listed_above_five_percent(self, deleted: int, rows: int) -> None:
        shown = groups_block(grouping(group("A", 1000 - deleted), group("", deleted, label=None)))
        assert sum(bool(row[0]) for row in shown.table.rows) == rows

    def test_labels_name_ankis_sm2(self) -> None:
        first = replace(
            in_group("FSRS-6"),
            against_baseline=Comparison("FSRS-6", "Anki-SM-2", ConfidenceInterval(-0.1), "better", 0.01),
        )
        some = [replace(group(name, 900), algorithms=(first, in_group("Anki-SM-2", code=None))) for name in "AB"]
        shown = groups_block(grouping(*some, baseline="Anki-SM-2"))
        assert contains_sentence(shown.caption, "better than Anki's SM-2")
        assert shown.table.columns[-1].name == "Against Anki's SM-2"
        assert [row[4] for row in shown.table.rows[:2]] == ["FSRS-6", "Anki's SM-2"]

    def test_each_of_a_few_is_listed(self) -> None:
        shown = groups_block(grouping(*(group(str(size), size) for size in range(12, 0, -1))))
        assert sum(bool(row[0]) for row in shown.table.rows) == 12
        assert not shown.notes

    def test_unknown_groups_are_reported(self) -> None:
        shown = groups_block(Grouping("preset", error=Failure("decks_unknown", {"what": "preset"})))
        assert shown.table.rows == ()
        assert shown.caption.startswith("Each card's preset is unknown.")


class TestSplitting:
    def total(self, code: str = "split") -> Split:
        fields = vars(split("", 3000, code))
        return Split(**{**fields, "label": None})

    def test_rows_say_what_to_do(self) -> None:
        groups = (split("Law", 2000, "split", own_now=False), split("Art", 900, "too_few", tried=False))
        shown = splitting_block(Splitting("preset", "FSRS-6", 2, groups, self.total()))
        assert matches_sentence(
            shown.table.rows,
            (
                ("Law", "200", "2,000", "−0.0123", "−0.0146 to −0.0100", "give it its own"),
                ("Art", "90", "900", "–", "–", "too few to tell"),
                ("All presets", "300", "3,000", "−0.0123", "−0.0146 to −0.0100", "separate parameters are better"),
            ),
        )
        assert contains_sentence(
            shown.caption, "Law should have separate parameters; the other presets show no gain so far."
        )

    @pytest.mark.parametrize(
        ("code", "words"),
        [
            ("split", ["keep its own", "give it its own", "give it its own", "separate parameters are better"]),
            ("either", ["either will do"] * 4),
            ("keep_together", ["merge: use the shared ones", *["use the shared ones"] * 2, "one set will do"]),
            ("cannot_tell", ["not yet clear"] * 4),
            ("too_few", ["too few to tell"] * 4),
            ("rare_outcome", ["too few to tell"] * 4),
        ],
    )
    def test_every_code_has_its_words(self, code: str, words: list[str]) -> None:
        groups = tuple(split("A", 900, code, own_now=own_now) for own_now in (True, False, None))
        shown = splitting_block(Splitting("deck", "FSRS-6", 2, groups, self.total(code)))
        assert [row[-1] for row in shown.table.rows] == words

    def test_rest_has_a_name_next_to_searches(self) -> None:
        groups = (split("note:Cloze", 2000, "keep_together"), replace(split("", 900, "split"), label=0))
        shown = splitting_block(Splitting("part", "FSRS-6", 2, groups, self.total()))
        assert [row[0] for row in shown.table.rows] == ["note:Cloze", "(the rest)", "All parts"]
        assert contains_sentence(
            shown.caption, "(the rest) should have separate parameters; the other parts show no gain so far."
        )

    def test_caption_says_that_nothing_can_be_split(self) -> None:
        shown = splitting_block(Splitting("preset", "FSRS-6", 1))
        assert (shown.table.rows, shown.table.columns) == ((), ())
        assert contains_sentence(shown.caption, "there is nothing to split.")

    def test_at_most_thirty_groups_are_listed(self) -> None:
        groups = tuple(split(str(size), size, "too_few", tried=False) for size in range(2000, 1960, -1))
        shown = splitting_block(Splitting("deck", "FSRS-6", len(groups), groups, None))
        assert [row[0] for row in shown.table.rows] == [str(size) for size in range(2000, 1970, -1)]
        assert shown.caption.startswith("No deck has enough reviews yet")
        assert matches_sentence(shown.notes, ("Not listed: 10 smaller decks, the largest with 1,970 scored reviews.",))
