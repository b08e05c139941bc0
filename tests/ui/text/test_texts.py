from __future__ import annotations

import ast
import functools
import re
from pathlib import Path

from tools.development.languages import template
from ui.anki.language import ANKI_WORDS
from ui.text import ANKI

ROOT = Path(__file__).resolve().parents[3]

#: Functions that mark texts for translation, and how many of their arguments are texts.
MARKERS = {"_": 1, "pgettext": 2, "Counted": 2}


@functools.cache
def calls() -> dict[str, list[ast.Call]]:
    """Return all calls in each module of ``ui`` by the module's path."""
    trees = {
        path.relative_to(ROOT).as_posix(): ast.parse(path.read_text("utf-8")) for path in (ROOT / "ui").rglob("*.py")
    }
    return {name: [node for node in ast.walk(tree) if isinstance(node, ast.Call)] for name, tree in trees.items()}


def test_marked_strings_can_be_extracted():
    unextractable = {
        f"{name}: {ast.unparse(call)}"
        for name, module_calls in calls().items()
        for call in module_calls
        if isinstance(call.func, ast.Name) and call.func.id in MARKERS
        for text in call.args[: MARKERS[call.func.id]]
        if not (isinstance(text, ast.Constant) and isinstance(text.value, str))
    }
    assert unextractable == {
        "ui/views/results_table_cells.py: _(result.description)",
        "ui/views/results_table_cells.py: pgettext('family', result.family)",
        "ui/window/chooser.py: _(entry.description)",
        "ui/window/chooser.py: pgettext('family', family)",
    }


def test_texts_are_no_codes_and_their_forms_have_equal_fields():
    messages = [message for message in template() if message.id]
    assert len(messages) > 100
    for message in messages:
        forms = (message.id,) if isinstance(message.id, str) else message.id
        for form in forms:
            assert not re.fullmatch(r"[a-z]+(_[a-z]+)+", form), form
            assert form == form.strip() or form in SEPARATORS, form
        fields = [set(re.findall(r"{(\w+)", form)) - {"count"} for form in forms]
        assert fields[0] == fields[-1], forms


#: Texts between the items of a list.
SEPARATORS = {", ", "; "}


def test_borrowed_words_exist_in_anki():
    borrowed = {
        call.args[1].value
        for module_calls in calls().values()
        for call in module_calls
        if isinstance(call.func, ast.Name)
        and call.func.id == "pgettext"
        and isinstance(call.args[0], ast.Constant)
        and call.args[0].value == ANKI
        and isinstance(call.args[1], ast.Constant)
    }
    assert borrowed == set(ANKI_WORDS)
    assert not any(message.context == ANKI for message in template())
