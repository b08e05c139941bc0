from __future__ import annotations

import logging
from dataclasses import replace
from typing import List, Tuple

import pytest
from chart_texts import assert_legible, texts
from made_language import SAMPLES
from matplotlib import font_manager, rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ui.charts import fonts
from ui.charts.fonts import SCRIPTS, can_draw, font_families, legible, own_family
from ui.charts.panels import finish, label_categories, name_ticks, start_figure
from ui.charts.style import FALLBACK_FAMILY, LIGHT, Style


@pytest.fixture
def only(monkeypatch):
    """Return a function that pretends that only these fonts and the one for Latin letters are installed."""
    manager = font_manager.fontManager
    for path in (font_manager.findfont("DejaVu Sans"), *font_manager.findSystemFonts()):
        manager.addfont(path)
    installed = [*manager.ttflist]

    def forget():
        fonts._learn_new_fonts.cache_clear()
        fonts._family_with.cache_clear()
        type(manager)._findfont_cached.cache_clear()

    def keep(*families, **changes):
        entries = [replace(entry, **changes) for entry in installed if entry.name in families]
        assert {*families} <= {entry.name for entry in installed}, "python3 tools test installs these fonts"
        latin = [entry for entry in installed if entry.name == FALLBACK_FAMILY]
        monkeypatch.setattr(manager, "ttflist", [*latin, *entries])
        monkeypatch.setattr(fonts, "findSystemFonts", list)
        forget()
        return entries

    yield keep
    monkeypatch.undo()
    forget()


def families_in(language: str) -> Tuple[str, ...]:
    """Return the font families if this is the language of the user interface."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fonts, "language_code", lambda: language)
        return font_families()


def non_latin_families(language: str) -> List[str]:
    """Return the font families of a language without the one for Latin letters, which comes first."""
    latin, *families = families_in(language)
    assert latin == FALLBACK_FAMILY
    return families


def warning_in(language: str) -> str:
    """Return the warning of a missing font if this is the language of the user interface."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fonts, "language_code", lambda: language)
        return fonts.missing_font_warning()


def draw_words(style: Style, words: str) -> Figure:
    """Draw a figure with these words in every place."""
    figure = Figure(figsize=(6, 5), dpi=96)
    canvas = FigureCanvasAgg(figure)
    legend = [Line2D([], [], label=words[:6]), Line2D([], [], label=words)]
    names = [words[:2], words[2:4], words[4:6]]
    with rc_context(style.settings()):
        layout, panels = start_figure(figure, style, title=words, legend=legend, notes=[words, words], names=names)
        panels[0].plot([0, 1, 2], [0.1, -0.2, 0.1])
        label_categories(panels[-1], list(enumerate(names))[:: layout.names_step], layout, style)
        for panel in panels:
            name_ticks(panel.yaxis, [(0.0, legible(words[:2], style.font_families))])
        finish(figure, panels, layout, style, across=words[:20], up=words[:8])
    canvas.draw()
    return figure


@pytest.mark.parametrize("language", ["ja", "zh-CN"])
def test_this_computer_has_a_font_for_the_language(language):
    families = SCRIPTS[language[:2]].families
    assert can_draw(SAMPLES[language], families_in(language))
    assert warning_in(language) == ""
    assert families.index(non_latin_families(language)[0]) < families.index("Arial Unicode MS")


@pytest.mark.parametrize("language", list(SAMPLES))
def test_texts_are_complete_and_have_fonts(language, caplog):
    style = replace(LIGHT, font_families=families_in(language))
    with caplog.at_level(logging.WARNING, "matplotlib"):
        figure = draw_words(style, SAMPLES[language])
    # Matplotlib would warn of fonts without a bold version.
    assert not caplog.records
    assert_legible(figure)
    text = "".join(text.get_text() for text in texts(figure)).replace("\n", "")
    assert SAMPLES[language] in text
    assert "?" not in text


@pytest.mark.parametrize(
    "name", ["한국어 단어장", "Русский язык", "العربية", "Emoji \N{PARTY POPPER}\N{FLUSHED FACE}", "हिन्दी"]
)
def test_names_in_any_script_are_drawn_without_a_warning(name, caplog):
    with caplog.at_level(logging.WARNING, "matplotlib"):
        for language in ("en", "ja", "zh-CN"):
            draw_words(replace(LIGHT, font_families=families_in(language)), name)
    assert not caplog.records


class TestFewFonts:
    def test_language_decides_on_the_first_font(self, only):
        only("IPAGothic", "WenQuanYi Micro Hei")
        assert non_latin_families("ja") == ["IPAGothic", "WenQuanYi Micro Hei"]
        assert non_latin_families("zh-CN") == ["WenQuanYi Micro Hei", "IPAGothic"]

    def test_japanese_font_lacks_chinese_characters(self, only):
        only("IPAGothic")
        assert "question marks" in warning_in("zh-CN")
        assert warning_in("ja") == ""

    def test_light_fonts_are_a_last_resort(self, only):
        light = only("IPAGothic", name="Noto Sans CJK JP", weight=100)
        assert non_latin_families("ja") == ["Noto Sans CJK JP"]
        only("WenQuanYi Micro Hei")
        font_manager.fontManager.ttflist.extend(light)
        assert non_latin_families("ja")[0] == "WenQuanYi Micro Hei"

    def test_graphs_show_question_marks_without_a_font(self, only):
        only()
        assert families_in("ja") == (FALLBACK_FAMILY,)
        assert "question marks" in warning_in("ja")
        assert warning_in("en") == ""
        figure = draw_words(replace(LIGHT, font_families=families_in("ja")), "予測した想起率 FSRS-6 −12 %")
        assert_legible(figure)
        assert "??????? FSRS-6 −12 %" in {text.get_text() for text in texts(figure)}

    def test_fonts_installed_later_are_noticed(self, only, monkeypatch):
        path = only("IPAGothic")[0].fname
        only()
        assert "question marks" in warning_in("ja")
        fonts._learn_new_fonts.cache_clear()
        monkeypatch.setattr(fonts, "findSystemFonts", lambda: [path])
        assert non_latin_families("ja") == ["IPAGothic"]

    def test_unusable_files_are_skipped(self, only, tmp_path):
        damaged = tmp_path / "damaged.ttf"
        damaged.write_bytes(b"no font")
        entries = [
            replace(only("IPAGothic")[0], name=name, fname=str(path))
            for name, path in (("Meiryo", damaged), ("Yu Gothic", tmp_path / "gone.ttf"))
        ]
        only("IPAGothic")
        font_manager.fontManager.ttflist.extend(entries)
        assert non_latin_families("ja") == ["IPAGothic"]
        assert own_family("Meiryo") == ()


def test_font_of_the_window_is_used_unless_it_is_the_fallback():
    assert own_family("DejaVu Sans Mono") == ("DejaVu Sans Mono",)
    assert own_family(FALLBACK_FAMILY) == own_family("Sans Serif") == own_family("") == ()


@pytest.mark.parametrize(("title", "weight"), [("Calibration: −12 %", "bold"), ("Calibration: 復習", "normal")])
def test_heading_is_bold_only_if_all_its_letters_are(title, weight, only):
    only("IPAGothic", "DejaVu Sans Mono")
    figure = draw_words(replace(LIGHT, font_families=families_in("ja")), title)
    headings = [text for text in figure.texts if text.get_text() == title and text.get_fontsize() > 10]
    assert {text.get_weight() for text in headings} == {weight}


def test_unsupported_characters_become_question_marks():
    families = (FALLBACK_FAMILY,)
    assert legible("a −12% é\n", families) == "a −12% é\n"
    assert legible("復習 \N{VARIATION SELECTOR-17}x", families) == "?? x"
    assert can_draw("a − 12 %", families)
    assert not can_draw("復", families)
