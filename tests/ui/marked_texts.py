"""A made-up language in which every text stands between marks, so that what is not translated shows.

Run as a program, ``python marked_texts.py FOLDER``, it evaluates a simulated collection in that language and prints
what its web page says, graphs and all.
"""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Iterable, List, Optional, Set, Tuple

if TYPE_CHECKING:
    from evaluator.report import Report

ROOT = Path(__file__).resolve().parents[2]

#: The language that stands in for it: one with two forms for numbers, as English has.
LANGUAGE = "eo"
ALGORITHMS = ("FSRS-6 default", "FSRS-6", "SM-2", "Anki-SM-2", "AVG", "DASH", "ACT-R", "RMSE-BINS-EXPLOIT")
#: The same in every language: algorithms, decks of the simulated person, units, the FSRS parameters w0, w1, ...
NAMES = (*ALGORITHMS, "FSRS-5 recency", "Vocabulary", "Anatomy", "UTC", *(f"w{index}" for index in range(35)))
LEFT, RIGHT = "\N{MATHEMATICAL LEFT WHITE SQUARE BRACKET}", "\N{MATHEMATICAL RIGHT WHITE SQUARE BRACKET}"


def catalogue() -> bytes:
    """All texts between marks, compiled."""
    import made_language

    return made_language.catalogue(LANGUAGE, marked)


def marked(text: str) -> str:
    return f"{LEFT}{text}{RIGHT}"


def unmarked(text: str) -> str:
    """What is left of a text without all that stands between marks, and so was not translated."""
    before = ""
    while before != text:
        before, text = text, re.sub(f"{LEFT}[^{LEFT}{RIGHT}]*{RIGHT}", "", text)
    return text


def untranslated(texts: Iterable[str], names: Iterable[str] = NAMES) -> List[str]:
    """Those that hold words which are not marked, each once; names may stand there."""
    longest_first = sorted((*NAMES, *names), key=len, reverse=True)
    name = re.compile("|".join(map(re.escape, longest_first)))
    left = {rest for rest in map(unmarked, texts) if re.search(r"[^\W\d_]", name.sub("", rest))}
    return sorted(left)


class _Words(HTMLParser):
    """What a page says, in its elements and for those who hear it."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: List[str] = []
        self.words: List[str] = []
        self.goes_on = False
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: List[Tuple[str, Optional[str]]]) -> None:
        self.open.append(tag)
        self.goes_on = self.goes_on and tag == "text"
        self.words += [value for name, value in attributes if value and name in ("title", "aria-label", "alt")]

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        """One text of a graph is a group of lines."""
        if {"style", "code", "pre"} & set(self.open) or not data.strip():
            return
        if self.goes_on:
            self.words[-1] += f" {data}"
        else:
            self.words.append(data)
        self.goes_on = self.open[-1] == "text"


def _report() -> Report:
    import made_workload

    from evaluator.evaluation import evaluate
    from evaluator.options import Options
    from evaluator.sections import SECTIONS, add_sections
    from tools.simulate import Learner, simulate

    snapshot = simulate(Learner(days=150)).snapshot
    presets = tuple(replace(preset, name=marked(preset.name)) for preset in snapshot.presets or ())
    snapshot = replace(snapshot, presets=presets)  # a person's own words are in no catalogue
    evaluation = evaluate(snapshot, Options(algorithms=("AVG", "SM-2", "FSRS-6"), folds=2))
    report = add_sections(evaluation, [name for name in SECTIONS if name != "workload"], snapshot=snapshot).report
    return report.with_section("workload", made_workload.workload())  # of so few days nothing could be told


def _made_from_keys(report: Report) -> Set[str]:
    """What slicings that nobody has put into words are called, and their slices: the same in every language."""
    from ui.views.slices import WORDS, slice_name, words

    graphs = [graph for graph in report.section("graphs")[0].slices if graph.key not in WORDS]
    names = {slice_name(one.name, graph.key) for graph in graphs for one in graph.slices}
    return names | {words(graph.key).title for graph in graphs}


def main(folder: Path) -> None:
    """Print the page's texts, a line for each. What is made from the keys of slicings stands between marks, too."""
    from ui import text
    from ui.anki.language import ANKI_WORDS

    text.FOLDER = folder
    text.choose(LANGUAGE, {word: marked(word) for word in ANKI_WORDS}.get)
    from ui.page import page

    report = _report()
    made = "|".join(map(re.escape, _made_from_keys(report))) or "(?!)"
    for words in _Words(page(report)).words:
        if words.strip():
            print(re.sub(rf"\b({made})\b", marked(r"\1"), " ".join(words.split())))


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT)]
    main(Path(sys.argv[1]))
