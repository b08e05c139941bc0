"""All that the window says and draws, written down by ``tests/recordings.py``: what is not to change can be compared.

Whoever changes the window changes this, too, so that it goes on writing the same files.
"""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import Any, Dict, List

from evaluating import export
from running import Facts, Running
from session import AnkiSession
from speaking import texts_of
from touring import graphs, open_chooser, pages, popups

#: Wide enough that nothing is cut short.
SIZE = (1800, 1100)


def recording(folder: Path) -> Facts:
    """Of the collection that ``COLLECTION`` names, in Anki's language; into ``recorded`` in that folder."""
    with Running(folder, Path(os.environ["COLLECTION"])) as anki:
        Recorder(anki, folder / "recorded").record_all()
    return {}


class Recorder:
    def __init__(self, anki: AnkiSession, folder: Path) -> None:
        self._anki, self._folder = anki, folder
        self._drawn: List[Any] = []
        self._window: Any = None
        folder.mkdir()

    def record_all(self) -> None:
        """After one evaluation with the usual settings: every page, list and graph; then words in place of results."""
        anki = self._anki
        window = self._window = anki.click_menu_item()
        window.resize(*SIZE)
        anki.wait_for_results(window)
        self._note_drawings()
        self._record_scopes()
        window.bar.funnel_toggle.click()
        self.record("funnel", window)
        window.bar.funnel_toggle.click()
        self.record("chooser", open_chooser(anki, window))
        window.chooser.close()
        for name, popup in popups(anki, window):
            self.record(name, popup)
        for names in (["FSRS-6", "SM-2"], ["FSRS-5"]):
            self._record_graphs(names)
        self._record_pages()
        for kind in ("text", "markdown"):
            window.bar.copied.emit(kind)
            self._write(f"copied-{kind}.txt", anki.app.clipboard().text())
        export(anki, window, self._folder / "page", "html")
        window.close()

    def _record_graphs(self, names: List[str]) -> None:
        self._window.table.choose(names)
        panel = self._window.panel
        for key in graphs(self._anki, self._window):
            self.record(f"graph-{key}-of-{len(names)}", panel)
            panel.as_numbers.click()
            self.record(f"numbers-{key}-of-{len(names)}", panel.numbers)
            panel.as_numbers.click()

    def _record_pages(self) -> None:
        # How long it took is said where something slow is offered.
        timing = self._window.model.findings.evaluation.timing
        timing.update(dict.fromkeys(timing, 10.0))
        for number, page in enumerate(pages(self._anki, self._window, ask=False), start=1):
            offered = [block.words.text() for block in page.blocks if block.button.isVisible()]
            if offered:
                self._write(f"page-{number}-offered.txt", "\n".join(offered))
        for number, page in enumerate(pages(self._anki, self._window), start=1):
            self.record(f"page-{number}", page)

    def _record_scopes(self) -> None:
        choice = self._anki.module("ui.science").ScopeChoice
        for name, scope in (
            ("no-deck", ("deck", "Languages::French")),
            ("no-search", ("search", "(")),
            ("comparison", ("collection", "")),
        ):
            self._window.reopen(choice(*scope))
            self._anki.wait_for_results(self._window)
            self.record(name, self._window)

    # --- writing ------------------------------------------------------------------------------------------------------

    def record(self, name: str, widget: Any) -> None:
        """Write down the texts of what is visible in the widget, from the top, and the graphs in it."""
        from aqt.qt import QPoint, QWidget

        self._anki.settle()
        seen = []
        for one in [widget, *widget.findChildren(QWidget)]:
            texts = [text.replace("\n", " / ") for text in texts_of(one) if text]
            if texts and (one is widget or one.isVisibleTo(widget)):
                place = one.mapTo(widget, QPoint(0, 0))
                seen.append((place.y(), place.x(), texts))
        self._write(f"{name}.txt", "\n".join(text for *_, texts in sorted(seen) for text in texts))
        self._record_drawings(name, widget)

    def _record_drawings(self, name: str, widget: Any) -> None:
        kind = self._anki.module("ui.window.graph_panel").GraphView
        views = [view for view in widget.findChildren(kind) if view.isVisibleTo(widget) and view.draws]
        self._drawn.clear()
        for view in views:
            view.redraw()
        self._anki.settle()
        if views:
            # Which of several is drawn first is chance.
            self._write(f"{name}.json", json.dumps(sorted(self._drawn, key=json.dumps), ensure_ascii=False, indent=1))

    def _note_drawings(self) -> None:
        """From now on keep what is in each figure that is drawn, on the thread that draws it."""
        canvas = sys.modules["matplotlib.backends.backend_agg"].FigureCanvasAgg
        real = canvas.draw

        def draw(self: Any) -> None:
            real(self)
            drawn.append(contents(self.figure))

        drawn = self._drawn
        canvas.draw = draw

    def _write(self, name: str, text: str) -> None:
        text = re.sub(r"\n?$", "\n", text)
        (self._folder / name).write_text(text, encoding="utf-8")


def contents(figure: Any) -> List[Dict[str, Any]]:
    """Of each of a figure's axes, the data and the texts."""
    from matplotlib.text import Text

    return [
        {
            "texts": [text.get_text() for text in axes.findobj(Text) if text.get_visible() and text.get_text()],
            "limits": _plain([axes.get_xlim(), axes.get_ylim()]),
            "lines": [
                {
                    "style": str((line.get_color(), line.get_linestyle(), line.get_marker())),
                    "xy": _plain(line.get_xydata()),
                }
                for line in axes.lines
            ],
            "patches": [{"style": str(patch.get_facecolor()), "xy": _corners(patch)} for patch in axes.patches],
            "collections": [_collection(one) for one in axes.collections],
            "images": [_plain(image.get_array()) for image in axes.images],
        }
        for axes in figure.axes
    ] + [{"texts": [text.get_text() for text in figure.texts if text.get_text()]}]


def _corners(patch: Any) -> Any:
    return _plain(patch.get_patch_transform().transform(patch.get_path().vertices))


def _collection(one: Any) -> Dict[str, Any]:
    values = one.get_array()
    return {
        "kind": type(one).__name__,
        "colours": _plain(one.get_facecolor()),
        "offsets": _plain(one.get_offsets()),
        "paths": [_plain(path.vertices) for path in one.get_paths()],
        "values": None if values is None else _plain(values),
    }


def _plain(numbers: Any) -> Any:
    if hasattr(numbers, "tolist"):
        numbers = numbers.tolist()
    if isinstance(numbers, (list, tuple)):
        return [_plain(one) for one in numbers]
    return None if numbers is None else float(f"{numbers:.10g}")
