from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from catalog_helpers import snapshot_with_presets
from reference_sets import snapshot
from sentence_matching import matches_sentence

from evaluator import metrics
from evaluator.errors import UnknownName
from evaluator.evaluation import evaluate
from evaluator.options import Options
from evaluator.progress import Cancelled, Progress
from evaluator.report import Failure, to_json
from evaluator.sections import SECTION_GROUPS, SECTIONS, add_sections, select_sections
from ui.text.error_sentences import error_sentence


@pytest.fixture(scope="module")
def evaluation():
    return evaluate(snapshot("sim-c"), Options(algorithms=("AVG", "SM-2", "FSRS-6 default")))


class TestNames:
    def test_groups_expand_to_several_names(self):
        assert select_sections(["none"]) == []
        assert select_sections(["all"]) == list(SECTION_GROUPS["all"])
        assert set(SECTION_GROUPS["quick"]) == {name for name, section in SECTIONS.items() if not section.slow}

    def test_sections_come_once_and_in_a_fixed_order(self):
        assert select_sections(["graphs", "quick", "graphs"]) == list(SECTION_GROUPS["quick"])

    def test_unknown_names_get_suggestions(self):
        with pytest.raises(UnknownName) as error:
            select_sections(["grap"])
        assert matches_sentence(error_sentence(error.value), "There is no section 'grap'. Did you mean 'graphs'?")
        for name in ("!", "nonsense"):
            with pytest.raises(UnknownName) as error:
                select_sections([name])
            all_named = ", ".join(map(repr, (*SECTION_GROUPS["all"], *SECTION_GROUPS)))
            assert matches_sentence(
                error_sentence(error.value), f"There is no section {name!r}. Available: {all_named}."
            )


def test_progress_of_all_sections_never_falls(evaluation):
    steps = []
    add_sections(evaluation, ["quick"], progress=Progress(lambda *step: steps.append(step)))
    fractions = [fraction for fraction, *_ in steps]
    assert fractions == sorted(fractions)
    assert fractions[0] >= 0
    assert fractions[-1] <= 1
    assert {section for _, section, *_ in steps} == set(SECTION_GROUPS["quick"])


def test_sections_leave_the_rest_of_the_report_unchanged(evaluation):
    full = add_sections(evaluation, ["quick"])
    assert full.report.results == evaluation.report.results
    assert to_json(full.report) == to_json(add_sections(evaluation, ["quick"]).report)


@pytest.mark.parametrize("key", ["parameters", "graphs"])
def test_failing_section_leaves_the_others_unchanged(evaluation, monkeypatch, key):
    full = add_sections(evaluation, ["quick"]).report
    compute = Mock(side_effect=TypeError("no such thing"))
    with monkeypatch.context() as broken:
        broken.setitem(SECTIONS, key, replace(SECTIONS[key], compute=compute))
        failed = add_sections(evaluation, ["quick"])
        with pytest.raises(TypeError):
            add_sections(evaluation, [key], strict=True)
    result = failed.report.section(key)
    assert (type(result), result.code) == (Failure, "mistake")
    assert result.facts["detail"].startswith("TypeError: no such thing (")
    assert failed.report.with_section(key, full.section(key)) == full
    assert add_sections(failed, [key]).report == full


@pytest.mark.parametrize("key", ["parameters", "graphs"])
@pytest.mark.parametrize("error", [Cancelled, MemoryError])
def test_cancelling_and_lack_of_memory_end_all_sections(evaluation, monkeypatch, key, error):
    monkeypatch.setitem(SECTIONS, key, replace(SECTIONS[key], compute=Mock(side_effect=error)))
    with pytest.raises(error):
        add_sections(evaluation, [key])


def with_nan(value: Any) -> Any:
    """Return a copy of the frozen value with NaN for its first number, or None if it has no number."""
    if isinstance(value, float):
        return float("nan")
    if isinstance(value, tuple):
        changed = ((index, with_nan(item)) for index, item in enumerate(value))
        return next(((*value[:index], item, *value[index + 1 :]) for index, item in changed if item is not None), None)
    parts = (
        ((field.name, with_nan(getattr(value, field.name))) for field in fields(value)) if is_dataclass(value) else ()
    )
    return next((replace(value, **{name: item}) for name, item in parts if item is not None), None)


@pytest.fixture(scope="module")
def preset_evaluation():
    return evaluate(snapshot_with_presets(), Options(algorithms=("AVG", "SM-2", "FSRS-6", "Your parameters")))


@pytest.mark.parametrize("key", SECTIONS)
def test_section_with_nan_is_refused(preset_evaluation, monkeypatch, key):
    real = SECTIONS[key].compute
    monkeypatch.setitem(SECTIONS, key, replace(SECTIONS[key], compute=lambda *given: with_nan(real(*given))))
    result = add_sections(preset_evaluation, [key], snapshot_with_presets()).report.section(key)
    assert (type(result), result.code) == (Failure, "arithmetic")
    assert result.facts["detail"].endswith(" is nan")


def test_duplicate_key_of_metrics_is_refused():
    code = Path(str(metrics.__file__)).read_text(encoding="utf-8")
    twice = code.replace("FILES = (", f"FILES = ({metrics.FILES[0]!r}, ", 1)
    with pytest.raises(ValueError, match="the same key"):
        exec(twice, {"__package__": metrics.__name__, "__name__": metrics.__name__})  # noqa: S102 - our own file
