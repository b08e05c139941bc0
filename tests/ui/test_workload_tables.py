"""The year ahead: what the sentences, the tables and the graph say, and that they claim no more than the intervals."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Dict, List, Tuple

import fake
import made_workload as made
import pytest
from chart_texts import assert_legible, texts
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from test_wording import no_leftovers
from told import reads, says

from evaluator.interval import Interval
from evaluator.report import Failure
from evaluator.sections.workload import SECTION
from evaluator.workload import back_test, result
from evaluator.workload.result import Workload
from tools.table import render_sections
from ui.charts import SIZE_INCHES, draw
from ui.charts.style import LIGHT, NIGHT, Style
from ui.page import page
from ui.text import strings
from ui.views import load, page_of
from ui.views import workload as view
from ui.views.view import Block
from ui.views.workload_answer import KNOWLEDGE, LEAST_DAYS, WHY_NOT

MINUS = "\N{MINUS SIGN}"
#: By their codes.
FAILED = {found.back_test.code: found for found in made.FAILED}


def blocks(found: Workload) -> Dict[str, Block]:
    return {block.key: block for block in load("workload").of(fake.report().with_section("workload", found))}


def rows(block: Block) -> List[Tuple[str, ...]]:
    """Of its table, with plain spaces."""
    return [tuple(cell.replace("\N{NO-BREAK SPACE}", " ") for cell in row) for row in block.table.rows]


def answer(found: Workload) -> str:
    return blocks(found)["reviews-per-day"].caption


def drawn(found: Workload, size: Tuple[float, float] = SIZE_INCHES, style: Style = LIGHT) -> Figure:
    figure, block = Figure(figsize=size, dpi=96), blocks(found)["workload"]
    FigureCanvasAgg(figure)
    assert block.chart is not None
    draw(figure, block.chart, style, title=block.title if size == SIZE_INCHES else "")
    figure.draw_without_rendering()
    return figure


def test_codes_and_names_are_those_of_the_section() -> None:
    assert (view.SM_2, view.FITTED, view.PUBLISHED) == (result.SM_2, result.FITTED, result.PUBLISHED)
    assert LEAST_DAYS == back_test.LEAST_DAYS
    assert f"{back_test.BOUNDS[0]:g} to {back_test.BOUNDS[1]:g}" in blocks(made.workload())["back-test"].notes[0]
    assert KNOWLEDGE == result.KNOWLEDGE
    assert {one.back_test.code for one in made.FAILED} == set(WHY_NOT)
    assert all(re.search(rf'"{code}"', result.BackTest.__doc__ or "") for code in WHY_NOT)


class TestAnswer:
    def test_fewer_reviews(self) -> None:
        """1 - 0.77 is 23 %; of the 3,920 cards that SM-2 keeps known, 5.35 % are 210, and 3.1 % to 7.6 % 120 to 300."""
        assert reads(
            answer(made.workload()),
            "For the same number of cards remembered, FSRS-6 would ask you for 23 % fewer reviews than SM-2 (95 % "
            "interval: 15 % to 30 %), some 9 minutes a day instead of 12. With the same time, FSRS-6 would keep 210 "
            "more cards known than SM-2 (95 % interval: 120 to 300).",
        )

    def test_more_reviews(self) -> None:
        said = answer(made.workload(made.MORE))
        assert says(said, "FSRS-6 would ask you for 23 % more reviews than SM-2 (95 % interval: 10 % to 38 %)")
        assert says(said, "some 14 minutes a day instead of 12.")
        assert says(said, "FSRS-6 would keep 120 fewer cards known than SM-2 (95 % interval: 39 to 200).")
        assert not re.search(r"fewer reviews|more cards", said)

    def test_neither_can_be_promised(self) -> None:
        """No estimate is said where the interval holds 1."""
        assert reads(
            answer(made.workload(made.NEITHER)),
            "For the same number of cards remembered, no fewer reviews can be promised with FSRS-6 than with SM-2: "
            "anything from 12 % fewer to 5 % more is possible (95 % interval). With the same time, no more cards "
            "known can be promised with FSRS-6 than with SM-2: anything from 51 fewer to 120 more is possible (95 % "
            "interval).",
        )

    @pytest.mark.parametrize(
        ("minutes", "words"),
        [
            ((0.97, 0.9, 1.05), "No fewer minutes can be promised: anything from 10 % fewer to 5 % more is possible"),
            ((1.1, 1.02, 1.2), "These would take 10 % more minutes (95 % interval: 2 % to 20 %)."),
        ],
    )
    def test_minutes_that_do_not_follow_the_reviews(self, minutes: Tuple[float, ...], words: str) -> None:
        said = answer(made.workload(replace(made.FEWER, minutes=Interval(*minutes))))
        assert says(said, "23 % fewer reviews than SM-2 (95 % interval: 15 % to 30 %).")
        assert says(said, words)
        assert "minutes a day" not in said

    def test_minutes_where_the_reviews_say_nothing(self) -> None:
        said = answer(made.workload(replace(made.NEITHER, minutes=Interval(0.9, 0.82, 0.98))))
        assert says(said, "These would take 10 % fewer minutes (95 % interval: 2 % to 18 %).")

    def test_few_minutes_are_told_apart(self) -> None:
        """SM-2 takes 12.1."""
        said = answer(made.workload(replace(made.FEWER, minutes_a_day=11.8)))
        assert says(said, "some 11.8 minutes a day instead of 12.1.")

    def test_an_end_near_nothing_is_not_nothing(self) -> None:
        said = answer(made.workload(replace(made.FEWER, reviews=Interval(0.95, 0.903, 0.997))))
        assert says(said, "5.0 % fewer reviews than SM-2 (95 % interval: 0.3 % to 9.7 %)")

    def test_where_no_desired_retention_is_as_good(self) -> None:
        said = answer(made.workload(made.NO_ESTIMATE))
        assert says(said, "Not every model of your memory finds a desired retention with which FSRS-6 keeps as many")
        assert says(said, "FSRS-6 would keep 210 more cards known than SM-2 (95 % interval: 120 to 300).")
        none = Interval(None, reason="too_few")
        assert says(
            answer(made.workload(replace(made.FEWER, known=none))),
            "Not every model of your memory finds a desired retention with which FSRS-6 takes as long as SM-2",
        )

    def test_less_than_one_percent_is_no_difference(self) -> None:
        """SM-2 keeps 3,920: 0.5 % of them are 20, 0.6 % are 24."""
        said = answer(made.workload(replace(made.FEWER, known=Interval(1.001, 0.995, 1.006))))
        words = f"about as many cards known as SM-2: the difference is less than 1 % ({MINUS}20 to +24 cards, 95 %"
        assert says(said, words)

    def test_without_an_interval_no_number_is_said(self) -> None:
        said = answer(made.workload(made.NO_INTERVAL))
        assert says(said, "How many reviews FSRS-6 would ask for cannot be told: no interval can be given.")
        assert says(said, "How many cards FSRS-6 would keep known in the same time cannot be told: no interval")
        assert not re.search(r"%|\d\d", said.replace("FSRS-6", "").replace("SM-2", ""))

    def test_only_fsrs(self) -> None:
        assert says(answer(made.workload(only_fsrs=True)), "That is so if your memory works as FSRS assumes")
        assert "FSRS assumes" not in answer(made.workload())

    @pytest.mark.parametrize(
        ("known", "words"),
        [
            ((1.06, 1.03, 1.09), "FSRS-6 would keep 210 more cards known than SM-2 (95 % interval: 100 to 310)."),
            ((1.0, 0.98, 1.02), "no more cards known can be promised with FSRS-6 than with SM-2: from 70 fewer to 70"),
            ((0.95, 0.92, 0.98), "FSRS-6 would keep 180 fewer cards known than SM-2 (95 % interval: 70 to 280)."),
        ],
    )
    def test_who_does_not_keep_up(self, known: Tuple[float, ...], words: str) -> None:
        """SM-2 keeps 3,490; nothing is said of reviews and minutes, nor shown."""
        found = made.knowledge(Interval(*known))
        said = answer(found)
        assert says(
            said,
            "You review fewer cards than are due (62 % of your reviews of the last 90 days came on time), so neither "
            "scheduler would save you time.",
        )
        assert says(said, words)
        assert "fewer reviews" not in said
        assert len(blocks(found)["reviews-per-day"].table.rows) == 2

    def test_what_was_never_tried_is_said(self) -> None:
        """What counts is the desired retention that is nearest to the one of the answer."""
        untried = "Only 71 % of the reviews simulated with FSRS-6 at 70 % are like any in your log"
        assert not says(answer(made.workload()), untried)
        assert says(answer(made.workload(replace(made.FEWER, desired_retention=0.72))), untried)
        assert says(blocks(made.workload())["workload"].notes[-1], untried)

    def test_of_many_that_were_never_tried_the_number_is_said(self) -> None:
        """Below 80 %."""
        years = tuple(replace(load, tried=0.79) for load in made.loads())
        found = made.workload(memories=(replace(made.memories()[0], loads=years),))
        said = blocks(found)["workload"].notes[-1]
        assert says(said, "In 8 rows of this table less than 80 % of the reviews are like any in your log")
        both = "79 % of the reviews simulated with SM-2 and 79 % of the reviews simulated with FSRS-6 at 85 %"
        assert says(answer(found), f"Only {both} are like any in your log; the rest is a guess.")

    @pytest.mark.parametrize(
        ("ratio", "words"), [(1.021, "but on its last day 2 % more."), (0.95, "but on its last day 5 % fewer.")]
    )
    def test_another_number_on_the_last_day(self, ratio: float, words: str) -> None:
        shown = blocks(made.workload(replace(made.FEWER, known_at_the_end=ratio)))["reviews-per-day"]
        assert says(shown.notes[0], f"as many cards are remembered under FSRS-6 as under SM-2, {words}")
        assert len(shown.notes) == 2
        assert len(blocks(made.workload())["reviews-per-day"].notes) == 1

    def test_what_it_is(self) -> None:
        (note,) = blocks(made.workload())["reviews-per-day"].notes
        assert says(note, "It is a simulation of your next 365 days. It says nothing of what you learn.")

    def test_the_numbers_beside_sm2(self) -> None:
        shown = blocks(made.workload())["reviews-per-day"]
        assert [column.name for column in shown.table.columns][1:] == ["FSRS-6", "FSRS-6 default"]
        assert [row[1:] for row in rows(shown)] == [
            (f"{MINUS}23 % ({MINUS}30 % to {MINUS}15 %)", f"{MINUS}4 % ({MINUS}12 % to +5 %)"),
            (f"{MINUS}25 % ({MINUS}32 % to {MINUS}16 %)", f"{MINUS}3 % ({MINUS}11 % to +6 %)"),
            ("86 %", "88 %"),
            ("+5 % (+3 % to +8 %)", f"+1 % ({MINUS}1 % to +3 %)"),
            ("91 %", "89 %"),
        ]
        unsure = blocks(made.workload(made.NO_INTERVAL))["reviews-per-day"]
        assert [row[1] for row in rows(unsure)] == [strings.NO_VALUE] * 5


class TestBackTest:
    def test_what_would_have_been_foreseen(self) -> None:
        shown = blocks(made.workload())["back-test"]
        assert reads(
            shown.caption,
            "For your last 73 days of study this would have foreseen 1,310 reviews of 412 cards that you saw then (95 "
            "% interval: 1,200 to 1,420); there were 1,255. It would have foreseen 88 % of them to be remembered (95 % "
            "interval: 86 % to 90 %); 87 % were.",
        )
        assert [row[1:] for row in rows(shown)] == [
            ("1,310", "1,200 to 1,420", "1,255"),
            ("88.1 %", "86.2 % to 89.9 %", "87.4 %"),
            ("201", "180 to 224", "210"),
        ]
        assert says(shown.notes[1], "This tests SM-2. How well the other one is foreseen cannot be tested so.")

    @pytest.mark.parametrize(
        ("found", "words"),
        [
            (
                FAILED["too_few_days"],
                "is tested on the last fifth. These are 12 days so far, and at least 30 are needed.",
            ),
            (FAILED["too_few_reviews"], "in your last 31 days of study there were too few reviews (9 cards in all)."),
            (FAILED["switched"], "in your last 73 days of study you switched between SM-2 and FSRS"),
            (
                FAILED["unknown_scheduler"],
                "nothing says whether SM-2 or FSRS set the intervals in your review log.",
            ),
            (FAILED["fsrs_7"], "presets of yours run FSRS-7, which is not simulated."),
            (FAILED["no_intervals"], "your review log does not say which intervals your cards were given."),
            (FAILED["none_alive"], "you study no card any more, so there is nothing to simulate."),
            (
                FAILED["too_wide"],
                (
                    "there are too few reviews to test it on. For your last 73 days of study it would have foreseen "
                    "anything from 70 to 160 reviews (95 % interval), and there were 104."
                ),
            ),
            (
                FAILED["reviews"],
                (
                    "it does not foresee your own past. For your last 73 days of study it would have foreseen 1,801 "
                    "reviews (95 % interval: 1,700 to 1,900), and there were 1,255."
                ),
            ),
            (
                FAILED["remembered"],
                (
                    "it does not foresee your own past. Of the reviews of your last 73 days of study it would have "
                    "foreseen 92 % to be remembered (95 % interval: 90 % to 94 %), and 87 % were."
                ),
            ),
        ],
        ids=lambda of: of.back_test.code if isinstance(of, Workload) else "",
    )
    def test_where_the_past_does_not_do(self, found: Workload, words: str) -> None:
        """Why, the numbers of the test if there are some, how the person studies; and no figure of the year."""
        shown = blocks(found)
        said = shown["reviews-per-day"].caption
        assert says(said, f"Cannot be told: {words}")
        tested = found.back_test.reviews is not None
        assert set(shown) == {"reviews-per-day", "habits", *(["back-test"] if tested else [])}
        assert not shown["reviews-per-day"].table.rows
        assert not any(block.chart for block in shown.values())
        assert "FSRS-6" not in str([block.caption for block in shown.values()])

    def test_what_cannot_be_is_not_foreseen(self) -> None:
        """An interval is that of a normal distribution, whatever it is of."""
        beyond = made.failed("remembered", remembered=made.foreseen(0.95, 1.03, 0.93, 0.99))
        assert says(answer(beyond), "99 % to be remembered (95 % interval: 95 % to 100 %), and 93 % were.")
        below = made.failed("too_wide", reviews=made.foreseen(-12, 160, 104, 74))
        assert says(answer(below), "anything from 0 to 160 reviews")


class TestTables:
    def test_sm2_and_fsrs_at_each_desired_retention(self) -> None:
        shown = blocks(made.workload())
        table = rows(shown["workload"])
        assert [row[0] for row in table] == ["SM-2", *(f"FSRS-6 at {100 * r:.0f} %" for r in made.RETENTIONS)]
        assert table[0][1:] == (
            *("37.5 (35.6 to 39.4)", "12.1 (11.6 to 12.6)", "3,920 (3,873 to 3,967)", "88 % (86 % to 90 %)"),
            "96 %",
        )
        assert [row[0] for row in rows(shown["published"])] == [
            f"FSRS-6 default at {100 * r:.0f} %" for r in made.RETENTIONS
        ]
        assert says(shown["published"].caption, "no fewer reviews can be promised with FSRS-6 default than with SM-2")

    def test_with_which_desired_retention_it_is_as_sm2(self) -> None:
        words = "FSRS-6 keeps as many cards known as SM-2 at about 86 %, and takes as long as SM-2 at about 91 %."
        assert says(blocks(made.workload())["workload"].caption, words)
        assert "as many" not in blocks(made.workload(made.NO_ESTIMATE))["workload"].caption

    def test_models_of_memory(self) -> None:
        """The best is not compared with itself; what is left out says nothing of the year."""
        ratio = f"{MINUS}23 % ({MINUS}30 % to {MINUS}15 %)"
        shown = blocks(made.workload())["memories"]
        assert rows(shown) == [
            ("FSRS-6", "0.3312", "–", "yes", ratio, f"{MINUS}4.0 %"),
            ("DASH", "0.3344", f"+0.0032 ({MINUS}0.0011 to +0.0075)", "yes", ratio, f"{MINUS}1.2 %"),
            ("ACT-R", "0.3602", "+0.0290 (+0.0211 to +0.0369)", "no: clearly worse", "–", "–"),
        ]
        assert says(shown.caption, "from the lowest end of their intervals to the highest")
        alone = replace(made.workload(), memories=made.memories()[:1])
        assert "highest" not in blocks(alone)["memories"].caption

    def test_how_the_person_studies(self) -> None:
        shown = blocks(made.workload())["habits"]
        assert says(shown.caption, "In the last 90 days you studied on 85 days, and began 9.8 new cards per day.")
        assert says(shown.caption, "94 % of your reviews came on time: late by a day or a tenth, whichever is more.")
        assert [row[1:] for row in rows(shown)[:3]] == [
            ("31 %", "8 %", "52 %", "9 %"),
            ("–", "12 %", "80 %", "8 %"),
            ("11.2", "9.4", "6.1", "3.8"),
        ]
        assert says(shown.notes[0], "You study 5,200 cards.")
        assert says(shown.notes[1], "The year is simulated with these habits, and with 2,000 cards that were drawn.")
        assert says(shown.notes[2], "120 deleted, 340 suspended or buried, 45 not seen for 180 days.")
        assert "decks" not in shown.notes[2]
        none = replace(made.PERSON, left_out=())
        assert len(blocks(made.workload(person=none))["habits"].notes) == 2
        assert len(blocks(FAILED["too_few_days"])["habits"].notes) == 2


@pytest.mark.parametrize("found", made.ALL)
def test_blocks_are_whole(found: Workload) -> None:
    """Of every kind: each cell has its column, which says what a number means; sentences are whole."""
    shown = blocks(found)
    for block in shown.values():
        columns = block.table.columns
        assert {len(row) for row in block.table.rows} <= {len(columns)}
        assert all(column.tip for column in columns if column.number)
        for sentence in filter(None, (block.caption, *block.notes, *(column.tip for column in columns))):
            no_leftovers(sentence.replace(" (+)", "").replace(f" ({MINUS})", ""))
        assert not any("nan" in cell or "None" in cell for row in block.table.rows for cell in row)
    assert [*shown][:: len(shown) - 1] == ["reviews-per-day", "habits"]


def test_it_stands_in_the_terminal_and_on_the_page() -> None:
    report = fake.report().with_section("workload", made.workload())
    terminal, html = render_sections(report, ["workload"]), page(report)
    for text in (" ".join(terminal.split()), re.sub("<[^>]*>", " ", html)):
        assert says(text, "FSRS-6 would ask you for 23 % fewer reviews than SM-2")
        assert "4,073 (4,024 to 4,122)" in text
    assert ">Minutes per day</text>" in html
    assert max(map(len, terminal.splitlines())) <= 120


def test_with_same_day_reviews_it_is_left_out() -> None:
    report = fake.report().with_section("workload", Failure("whole_day_only", {}))
    (block,) = load("workload").of(report)
    assert block.caption == strings.WHOLE_DAY_ONLY
    assert SECTION.whole_day_only


def test_it_comes_before_the_desired_retention_and_says_what_takes_so_long() -> None:
    assert page_of("workload").views == ("workload", "desired_retention")
    assert load("workload").effort
    assert SECTION.slow


class TestChart:
    @pytest.mark.parametrize("size", [SIZE_INCHES, (2.5, 1.875), (4.2, 2.5), (13.5, 10.4)])
    @pytest.mark.parametrize(
        "found", [made.workload(), made.knowledge(), replace(made.workload(), memories=made.memories()[1:])]
    )
    def test_no_text_is_cut_off_or_overlaps(self, found: Workload, size: Tuple[float, float]) -> None:
        assert_legible(drawn(found, size))

    @pytest.mark.parametrize("found", [made.workload(), made.knowledge()])
    def test_large_letters_and_night(self, found: Workload) -> None:
        assert_legible(drawn(found, (6.8, 6.2), replace(LIGHT, font_size=17)))
        figure = drawn(found, style=NIGHT)
        assert to_hex(figure.get_facecolor()) == NIGHT.canvas
        assert {to_hex(text.get_color()) for text in texts(figure)} <= {NIGHT.text, NIGHT.subtle}

    def test_points_stand_where_the_numbers_are(self) -> None:
        """By minutes; each with bars in both directions."""
        axes, years = drawn(made.workload()).axes[0], made.loads()
        by_marker = {line.get_marker(): line for line in axes.lines}
        fitted = [load for load in years if load.scheduler == result.FITTED]
        assert list(by_marker["o"].get_xdata()) == [load.minutes.known for load in fitted]
        assert list(by_marker["o"].get_ydata()) == [load.known.known for load in fitted]
        assert list(by_marker["s"].get_xdata()) == [12.1]
        left, right = axes.get_xlim()
        low, high = axes.get_ylim()
        for year in (*fitted, years[0]):
            assert year.minutes.ends is not None
            assert year.known.ends is not None
            assert left < year.minutes.ends[0] < year.minutes.ends[1] < right
            assert low < year.known.ends[0] < year.known.ends[1] < high

    @pytest.mark.parametrize(("size", "least"), [(SIZE_INCHES, 4), ((13.5, 10.4), 4), ((2.5, 1.875), 2)])
    def test_points_are_named_where_there_is_room(self, size: Tuple[float, float], least: int) -> None:
        written = drawn(made.workload(), size).axes[0].texts
        names = [text.get_text().replace("\N{NO-BREAK SPACE}", " ") for text in written]
        assert len(names) >= least
        assert set(names) <= {f"{percent} %" for percent in (70, 80, 90, 95)}

    def test_of_who_does_not_keep_up_it_is_by_desired_retention(self) -> None:
        """Where SM-2, which has none, is a level line with a band."""
        axes = drawn(made.knowledge()).axes[0]
        by_marker = {line.get_marker(): line for line in axes.lines}
        assert list(by_marker["o"].get_xdata()) == list(made.RETENTIONS)
        assert "s" not in by_marker
        assert [3_490.0, 3_490.0] in [list(line.get_ydata()) for line in axes.lines]
        assert "90\N{NO-BREAK SPACE}%" in [name for _, name in axes.names_across]

    def test_numbers_without_intervals_have_no_bars(self) -> None:
        bare = [
            replace(load, minutes=Interval(load.minutes.estimate), known=Interval(load.known.estimate))
            for load in made.loads()
        ]
        years = tuple(replace(memory, loads=tuple(bare)) for memory in made.memories()[:1])
        assert_legible(drawn(replace(made.workload(), memories=years)))
