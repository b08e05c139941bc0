"""Take the documentation's pictures, with simulated reviews."""

from __future__ import annotations

from pathlib import Path

from evaluating import export
from running import expect

DOCS = Path(__file__).resolve().parents[2] / "docs"


def documenting(anki, folder):
    """Take the documentation's pictures of the window and the web page."""
    _optimize_presets(anki.mw.col)
    window = anki.click_menu_item()
    window.resize(1100, 720)
    anki.wait_for_results(window)
    _save_picture(anki, window, DOCS / "dialog.png")

    export(anki, window, folder / "report", "html")
    _save_page_picture(anki, folder / "report.html", DOCS / "page.png")


def _optimize_presets(col):
    """Optimize each preset, as the button Optimize in Anki's Deck Options did half a year before the last review."""
    optimized_at = col.db.scalar("select max(id) from revlog") - 182 * 86_400_000
    later = col.db.all("select * from revlog where id > ?", optimized_at)
    col.db.execute("delete from revlog where id > ?", optimized_at)
    for preset in col.decks.all_config():
        search = f'preset:"{preset["name"]}" -is:suspended'
        if col.find_cards(search):
            result = col._backend.compute_fsrs_params(
                search=search,
                current_params=(),
                ignore_revlogs_before_ms=0,
                num_of_relearning_steps=1,
                health_check=False,
            )
            preset["fsrsParams6"] = list(result.params)
            col.decks.update_config(preset)
    col.db.executemany("insert into revlog values (?,?,?,?,?,?,?,?,?)", later)
    col.db.execute("update deck_config set mtime_secs = ?", optimized_at // 1000)


def _save_picture(anki, window, path):
    anki.settle()
    expect(window.grab().save(str(path)), f"{path} is written")


def _save_page_picture(anki, page, picture):
    """Save a picture of the beginning of the web page, and next to it of its graphs of two algorithms."""
    from aqt.qt import QColor, QPainter, QPixmap, QUrl, QWebEngineView

    view = QWebEngineView()
    view.resize(628, 900)
    view.setZoomFactor(0.68)
    view.show()
    loaded = []
    view.loadFinished.connect(loaded.append)
    view.load(QUrl.fromLocalFile(str(page)))
    anki.wait(lambda: bool(loaded), "the page to load")
    view.page().runJavaScript("document.documentElement.style.overflow = 'hidden'")
    halves = []
    for script in ("window.scrollTo(0, 0)", "document.getElementById('graphs').scrollIntoView()"):
        view.page().runJavaScript(script)
        anki.pump(1.0)
        halves.append(view.grab())
    joined = QPixmap(1280, 912)
    joined.fill(QColor("#c9cbd0"))
    painter = QPainter(joined)
    for x, half in zip((6, 646), halves):
        painter.drawPixmap(x, 6, half)
    painter.end()
    joined.save(str(picture))
    view.close()
