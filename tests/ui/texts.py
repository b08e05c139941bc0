"""Finds what a person could read in source code and is not marked for translation, and what glues texts together."""

from __future__ import annotations

import ast
import re
from typing import Iterator, List, NamedTuple


class Found(NamedTuple):
    line: int
    rule: str
    code: str


#: What marks texts, and how many of its arguments are some.
MARKERS = {"_": 1, "ngettext": 2, "pgettext": 2, "Counted": 2}
#: Two words; or one with a capital letter; or letters and the end of a sentence; or letters of no program.
_TEXT = re.compile(r"[^\W\d_][,;:]? [^\W\d_]|^[^\w<]*[A-Z][a-z]+|[^\W\d_]{2}[.!?…:]$|[^\x00-\x7f\W]|[^\W\d_]{2} $")
#: What stands between two values in a text.
_GLUE = re.compile(r"[ ,;:()%…]|[.!?]$|[^\W\d_]{2}")
#: Lines, columns of a spreadsheet, and nothing: these hold in every language.
_LAYOUT = re.compile(r"[\n\t]*")
#: Functions whose arguments are seen, whatever they look like.
_SHOWING = {
    *("setText", "setToolTip", "setWindowTitle", "setAccessibleName", "setAccessibleDescription", "setPlaceholderText"),
    *(
        "addItem",
        "addAction",
        "addTab",
        "setTabToolTip",
        "Label",
        "tip",
        "QPushButton",
        "QAction",
        "QRadioButton",
        "QCheckBox",
    ),
    *("Column", "Table", "Line2D", "Patch", "set_xlabel", "set_ylabel", "set_title", "say", "tooltip", "show_message"),
}
#: Arguments of theirs that are codes.
_CODES = {"color", "marker", "linestyle", "facecolor", "fontweight"}
_CHANGING = {"capitalize", "title", "swapcase"}
_ENDING = {"endswith", "rstrip", "removesuffix", "rsplit", "rpartition", "split", "partition"}


def texts_in(source: str) -> Iterator[Found]:
    """Literals that look like something to be read."""
    tree = ast.parse(source)
    silent = _silent(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in silent:
            if _TEXT.search(node.value):
                yield Found(node.lineno, "text", node.value)
        elif isinstance(node, ast.Call) and _name(node.func) in _SHOWING:
            shown = [*node.args, *(word.value for word in node.keywords if word.arg not in _CODES)]
            for one in shown:
                if (
                    isinstance(one, ast.Constant)
                    and isinstance(one.value, str)
                    and re.search(r"[^\W\d_]{2}", one.value)
                ):
                    yield Found(one.lineno, "shown", one.value)


def glue_in(source: str) -> Iterator[Found]:
    """What puts texts together, or takes them apart, as only English does."""
    tree = ast.parse(source)
    silent = _silent(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr) and id(node) not in silent:
            pieces = [one.value for one in node.values if isinstance(one, ast.Constant)]
            if any(_GLUE.search(str(piece)) for piece in pieces):
                yield Found(node.lineno, "f-string", ast.unparse(node))
        elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Mod)):
            sides = [side.value for side in (node.left, node.right) if isinstance(side, ast.Constant)]
            if any(isinstance(side, str) and not _LAYOUT.fullmatch(side) for side in sides):
                yield Found(node.lineno, "sum", ast.unparse(node))
        elif isinstance(node, ast.AugAssign) and isinstance(node.value, ast.Constant):
            if isinstance(node.value.value, str):
                yield Found(node.lineno, "sum", ast.unparse(node))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and id(node) not in silent:
            yield from _called(node, node.func)


def _called(node: ast.Call, method: ast.Attribute) -> Iterator[Found]:
    on = method.value.value if isinstance(method.value, ast.Constant) else None
    first = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else None
    if isinstance(on, str) and method.attr == "join" and not _LAYOUT.fullmatch(on):
        yield Found(node.lineno, "join", ast.unparse(node))
    elif isinstance(on, str) and method.attr == "format":
        yield Found(node.lineno, "format", ast.unparse(node))
    elif method.attr in _CHANGING and not node.args:
        yield Found(node.lineno, "change", ast.unparse(node))
    elif method.attr in _ENDING and isinstance(first, str) and re.search(r"[.,;:!?] ?$|^ $", first):
        yield Found(node.lineno, "ending", ast.unparse(node))


def _silent(tree: ast.AST) -> set[int]:
    """The ids of what is marked, and of what nobody reads but developers: docstrings, such exceptions, logs, types."""
    silent: List[ast.AST] = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            silent += [one for one in node.body if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)]
        elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and _name(node.exc.func).endswith("Error"):
            silent.append(node.exc)
        elif _is_log(node) or (isinstance(node, ast.Assign) and _name(node.targets[0]) == "__all__"):
            silent.append(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKERS:
            silent += node.args[: MARKERS[node.func.id]]
        elif isinstance(node, ast.FormattedValue) and node.format_spec is not None:
            silent.append(node.format_spec)
        elif isinstance(node, ast.Subscript) and _name(node.value) in {"Tuple", "List", "Mapping", "Union", "Sequence"}:
            silent.append(node)
    return {id(inner) for node in silent for inner in ast.walk(node)}


def _is_log(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    by_logger = isinstance(node.func, ast.Attribute) and _name(node.func.value) == "logger"
    return by_logger or (isinstance(node.func, ast.Name) and node.func.id == "log_error")


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        return _name(node.func)
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
