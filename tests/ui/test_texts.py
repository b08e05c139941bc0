"""All that a person reads is marked for translation, and whole, so that it can be translated."""

from __future__ import annotations

import ast
import functools
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluator.algorithms import CATALOGUE
from evaluator.algorithms.external import External
from evaluator.metrics import METRICS, PAIR_METRICS
from tools.languages import template
from ui.anki.language import ANKI_WORDS
from ui.text import ANKI, strings

from .texts import MARKERS, Found, glue_in, texts_in

ROOT = Path(__file__).resolve().parents[2]

#: The error report is read by developers, so it is in English.
FOR_DEVELOPERS = {"ui/anki/error_report.py"}
#: What looks like a text, or like gluing texts together, and is neither; by what it says.
EXCEPTIONS: dict[str, dict[str, str]] = {
    "ui/charts/__init__.py": {
        r"Date|Software": "keys of a file's metadata",
        r"\.png|-vs-|block\.key": "names of files",
        r"chart\.kind": "the name of a module",
    },
    "ui/charts/axes.py": {r"'\.'": "the digits of a number"},
    "ui/charts/fonts.py": {r"find font weight": "a complaint of matplotlib"},
    "ui/charts/panels.py": {r"butt|miter": "the ends of lines in matplotlib's words"},
    "ui/charts/scripts.py": {r".": "names of fonts, and characters that they must have"},
    "ui/charts/style.py": {r"DejaVu Sans": "a font"},
    "ui/anki/collection.py": {
        r"select |case when|rowid|row from|columns| not indexed": "SQL",
        r"SearchError|CollectionNotOpen": "names of Anki's errors",
        r"too |exceeds": "words of SQLite's errors",
    },
    "ui/anki/presets.py": {r"select ": "SQL"},
    "ui/window/chooser.py": {r"QTreeView::": "a style sheet"},
    "ui/window/export.py": {r"srs-evaluator-|stem": "names of files", r"\*\.": "Qt's way to say which files"},
    "ui/window/popups.py": {r"Q\w+::": "a style sheet"},
    "ui/window/libraries.py": {
        r"SRS Evaluator, libraries": "the name of a thread",
        r"^ on $|fraction|platform_here|pins": "the error report, for developers",
    },
    "ui/window/messages.py": {r"name\.partition": "names of modules"},
    "ui/window/model.py": {r"\{stage\} \{algorithm\}": "the error report, for developers"},
    "ui/window/results.py": {r"QTabBar::": "a style sheet"},
    "ui/window/results_table.py": {r"u2007": "room beside a number"},
    "ui/window/text_table.py": {r"QHeaderView::": "a style sheet"},
    "ui/window/widgets.py": {r"QAbstractItemView|color: ": "a style sheet", r"<.*span": "marks of HTML"},
    "ui/window/window.py": {r"Ctrl\+W": "a key", r"_graph'$": "a key of Anki's profile"},
    "ui/anki/libraries/failures.py": {
        r"Could not fetch": "what pip says",
        r"pip said|type\(error\)": "details for developers",
        r"from $|distribution found|Hash|Proxy|Incomplete|Connection|Timeout": "what pip says",
    },
    "ui/anki/libraries/install.py": {
        r"--only-binary|^INFO": "pip's words",
        r"'\.part'|\.old|named?}|\.lock": "names of folders and files",
    },
    "ui/anki/libraries/lock.py": {
        r"--|sys\.version": "a command, and parts of it",
        r"'_32'|\.txt": "names of platforms and files",
        r"^f'3\.|partition": "versions of Python",
    },
    "ui/anki/libraries/needs.py": {r"NumPy": "a name", r"\^Version": "the beginning of a line that pip has written"},
    "ui/anki/libraries/pip_here.py": {
        r"pip\.$": "names of modules",
        r"pip/": "what the index is told",
        r"record\.": "details for developers",
    },
    "ui/text/lines.py": {
        r"（〔|）〕|ぁぃ|^'?(Mn|Me|Cf)'?$": "signs that may not begin or end a line, kinds of characters",
        r"' '|gap": "breaks a text into lines",
        r"…": "a name without its middle",
    },
    "ui/page/__init__.py": {
        r"DOCTYPE|Content-Security|width=|light dark": "HTML",
        r"palette|name}: ": "a style sheet",
    },
    "ui/page/figures.py": {
        r"Creator|Date|Format|Type": "keys of a file's metadata",
        r"var\(|-night| id=|FALLBACK_FAMILY": "HTML",
    },
    "ui/page/made.py": {
        r"',\.join|','\.join|=FILE": "a command",
    },
    "ui/page/markup.py": {r"html\.escape": "HTML"},
    "ui/anki/settings.py": {r"name}\.": "the path of a setting"},
    "ui/views/table_text.py": {r"\| ": "Markdown"},
    "ui/anki/language.py": {r"^[A-Z][A-Za-z ]+$": "Anki's words, marked where they are used"},
    "ui/text/__init__.py": {r"^Anki$": "a context", r"\.mo": "names of files"},
    "ui/text/errors.py": {r"detail\.split": "another program's words in one line"},
    "ui/views/__init__.py": {r"\{name\}": "the name of a module"},
    "ui/text/strings.py": {r"^Anki-SM-2$": "the name of an algorithm"},
    "ui/views/verdict.py": {r"^Anki-SM-2$": "the name of an algorithm"},
    "ui/views/slices.py": {r"^(Again|Hard|Good|Easy)$": "answers by Anki's names, codes here"},
    "ui/views/parameters.py": {r"FSRS-": "the name of an algorithm"},
    "ui/views/scope.py": {r"hours:02d": "an hour"},
}


def modules() -> Iterator[str]:
    for path in [*sorted((ROOT / "ui").rglob("*.py")), ROOT / "__init__.py"]:
        name = path.relative_to(ROOT).as_posix()
        if name not in FOR_DEVELOPERS:
            yield name


def offenders(name: str) -> list[Found]:
    source = (ROOT / name).read_text(encoding="utf-8")
    return [*texts_in(source), *glue_in(source)]


def test_no_module_holds_texts_or_glues_them() -> None:
    for name in modules():
        allowed = EXCEPTIONS.get(name, {})
        found = offenders(name)
        assert [one for one in found if not any(re.search(pattern, one.code) for pattern in allowed)] == [], name
        assert [pattern for pattern in allowed if not any(re.search(pattern, one.code) for one in found)] == [], name


#: What the science holds beside its codes, in English: what algorithms and metrics are, and answers by Anki's names.
SAID_BY_THE_SCIENCE = {text for a in CATALOGUE.values() for text in (a.name, a.family, a.description)}
SAID_BY_THE_SCIENCE |= {metric.meaning for metric in (*METRICS.values(), *PAIR_METRICS.values())}  # of the JSON
SAID_BY_THE_SCIENCE |= {"SRS Evaluator ", "Again", "Hard", "Good", "Easy", External.family, External.description}


def test_the_science_holds_codes_not_texts() -> None:
    """But descriptions of algorithms, and of metrics for the documentation, each in its own file."""
    assert [
        (path.stem, one)
        for path in (ROOT / "evaluator").rglob("*.py")
        for one in texts_in(path.read_text(encoding="utf-8"))
        if one.code not in SAID_BY_THE_SCIENCE
    ] == []


def test_exceptions_are_of_modules_that_exist() -> None:
    """So that none stays behind."""
    assert set(EXCEPTIONS) <= set(modules())


#: By what is found in it: what a person reads; what only English puts together so; and what nobody reads, or what is
#: the same in all languages.
CODE = {
    "texts": r"""
f(x, "Run again")
f(x, "Saved")
f(x, "done.")
f(x, "sehr schön")
f(x, "日本")
f"{x:,} rows of the log"
label.setText("nothing")
Column("again", tip)
Column(name, tip="why")
Line2D([], [], label="predicted")
raise InstallFailed("Not this time.")
class A: TITLE = 'A title'
""",
    "glue": r"""
" ".join(sentences)
", ".join(names)
" and ".join(names)
"、".join(names)
f"{a} {b}"
f"{a}: {b}"
f"{a} ({b})"
f"{a}."
f"{x:.1f} %"
f"{n} rows"
a + ", " + b
said += " "
"%d rows" % n
"{a} of {b}".format(a=a, b=b)
text.capitalize()
text.endswith(".")
text.rstrip(".")
text.rsplit(", ", 1)
""",
    "": r"""
def f(): "What it does."; return 1
raise ValueError("there is no evaluation")
logger().error("it failed: %s", error)
"\n".join(lines)
"\t".join(cells) + "\n"
f"{x:.4f}"
f"{year:04d}-{month:02d}"
f"{heading}\n{text}"
x: Tuple["Chart", int]
f("log_loss", "svg.hashsalt", "--deck", "o")
strings.TITLE.format(a=a)
_("{a} rows of the log.").format(a=a)
label.setText(ngettext("One row.", "{n} rows.", n))
pgettext("heading", "Rows of the log")
Counted("One row.", "{n} rows.")
QPushButton("")
""",
}


@pytest.mark.parametrize(("kind", "code"), [(kind, line) for kind in CODE for line in CODE[kind].strip().split("\n")])
def test_texts_and_glue_are_found_wherever_they_stand(kind: str, code: str) -> None:
    texts, glue = list(texts_in(code)), list(glue_in(code))
    assert (texts if kind == "texts" else glue) if kind else not texts + glue


# --- the texts themselves ---------------------------------------------------------------------------------------------


@functools.cache
def calls() -> dict[str, list[ast.Call]]:
    """All of each module, by its path."""
    trees = {name: ast.parse((ROOT / name).read_text(encoding="utf-8")) for name in modules() if name.startswith("ui/")}
    return {name: [node for node in ast.walk(tree) if isinstance(node, ast.Call)] for name, tree in trees.items()}


def test_what_is_marked_can_be_gathered() -> None:
    """It is written out; only what algorithms say of themselves is marked where it stands and asked for elsewhere."""
    found = {
        f"{name}: {ast.unparse(call)}"
        for name, each in calls().items()
        for call in each
        if isinstance(call.func, ast.Name) and call.func.id in MARKERS
        for text in call.args[: MARKERS[call.func.id]]
        if not (isinstance(text, ast.Constant) and isinstance(text.value, str))
    }
    assert found == {
        "ui/views/table_text.py: _(result.description)",
        "ui/views/table_text.py: pgettext('family', result.family)",
        "ui/text/__init__.py: ngettext(self.one, self.other, count)",
        "ui/window/chooser.py: _(entry.description)",
        "ui/window/chooser.py: pgettext('family', family)",
    }


def test_a_text_that_places_share_is_used() -> None:
    """Or translators would work for nothing."""
    files = [path for area in ("ui", "tools") for path in (ROOT / area).rglob("*.py")]
    found = Counter(word for file in files for word in re.findall(r"\w+", file.read_text(encoding="utf-8")))
    assert [name for name in vars(strings) if name.isupper() and found[name] < 2] == []


def test_texts_are_texts() -> None:
    """No codes, no pieces that begin or end with a space, and of each number both forms with the same facts."""
    for message in filter(lambda one: one.id, template()):
        forms = (message.id,) if isinstance(message.id, str) else message.id
        for form in forms:
            assert not re.fullmatch(r"[a-z]+(_[a-z]+)+", form), form
            assert form == form.strip() or form in GLUE, form
        facts = [set(re.findall(r"{(\w+)", form)) - {"count"} for form in forms]
        assert facts[0] == facts[-1], forms


#: Stands between the items of a list.
GLUE = {", ", "; "}


def test_what_is_borrowed_from_anki_is_known_to_it() -> None:
    """Each word has its method of Anki's, and none of them is in a catalogue."""
    asked = {
        call.args[1].value
        for each in calls().values()
        for call in each
        if isinstance(call.func, ast.Name)
        and call.func.id == "pgettext"
        and isinstance(call.args[0], ast.Constant)
        and call.args[0].value == ANKI
        and isinstance(call.args[1], ast.Constant)
    }
    assert asked == set(ANKI_WORDS)
    assert not any(message.context == ANKI for message in template())
