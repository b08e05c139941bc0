"""Output files of a command: their check before the work, their names, and the list of them."""

from __future__ import annotations

import contextlib
import itertools
import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.errors import BadOption
from evaluator.scope import WHOLE_DAY_TABLE
from ui.drafts import Drafts, check_file, check_no_companion
from ui.text.sanitize import sanitize_text

#: Endings of the names of graphs.
GRAPH_ENDINGS = (".png", ".svg")


@dataclass(frozen=True)
class Target:
    """A file to write, or a folder to write files into, which is created if there is none."""

    #: The option that has this path as its value, for error messages.
    option: str
    path: Path
    #: Predicate for the names, in lower case, of the files that may be written into a folder. None for a file.
    may_write: Callable[[str], bool] | None = None

    def files(self) -> list[Path]:
        """Return the files that would be overwritten, if they exist."""
        if self.may_write is None:
            return [self.path]
        paths = self.path.iterdir() if self.path.is_dir() else ()
        return [path for path in paths if self.may_write(path.name.casefold())]


def check_targets(targets: Sequence[Target], sources: Sequence[Path] = ()) -> None:
    """Check that all targets can be written, to different paths, and that no other file would be lost.

    Args:
        targets: the files and folders that are going to be written.
        sources: the files that are read.

    Raises:
        BadOption: if a target cannot be written.
    """
    for target in targets:
        if str(target.path) == "-":
            raise BadOption(option=target.option, value="-", allowed="a path, because this is not for standard output")
        if target.may_write is not None:
            _check_folder(target)
        for file in target.files():
            if any(_are_same_file(file, source) for source in sources):
                raise BadOption(option=target.option, value=str(file), allowed="any file but those that are read")
            check_file(target.option, file)
    for first, second in itertools.combinations(targets, 2):
        if _are_same_file(first.path, second.path):
            kind = "file" if second.may_write is None else "folder"
            raise BadOption(option=second.option, value=str(second.path), allowed=f"another {kind} than {first.option}")


def _check_folder(target: Target) -> None:
    """Check that the target's folder can be created or written into. Raises BadOption."""
    check_no_companion(target.option, target.path)
    real_path = Path(os.path.realpath(target.path))
    existing = next(path for path in (real_path, *real_path.parents) if os.path.lexists(path))
    if not existing.is_dir() or not os.access(existing, os.W_OK | os.X_OK):
        allowed = "a folder that you may write to, or the name of a new one"
        raise BadOption(option=target.option, value=str(target.path), allowed=allowed)


def _are_same_file(first: Path, second: Path) -> bool:
    """Return whether two paths lead to the same file, also if there is no file yet."""
    with contextlib.suppress(OSError):
        return first.samefile(second)
    return os.path.realpath(first) == os.path.realpath(second)


def table_path(path: Path, table: str) -> Path:
    """Return the path of a table's output. For the same-day table, its name is inserted before the extension."""
    return path if table == WHOLE_DAY_TABLE else path.with_name(f"{path.stem}.{table}{path.suffix}")


def listing(files: Sequence[Path]) -> str:
    """Return a list of written files, one per line. A folder of graphs has one line."""
    graphs = Counter(path.parent for path in files if path.suffix in GRAPH_ENDINGS)
    lines = ["Written:", *(str(path) for path in files if path.suffix not in GRAPH_ENDINGS)]
    for folder, count in graphs.items():
        graph_word = "graph" if count == 1 else "graphs"
        lines.append(f"{folder}: {count} {graph_word}")
    return "\n  ".join(map(sanitize_text, lines))


def write_text_file(file: Path, text: str) -> None:
    """Write a text file completely, or not at all if it fails."""
    with Drafts() as drafts:
        drafts.write(file, [text])
        drafts.put_in_place()
