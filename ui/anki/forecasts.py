"""Files of forecasts: the add-on's own, in its folder ``user_files``, which an update keeps, and those of the terminal.

They are JSON, as :mod:`evaluator.forecasts` has it: dates, algorithms with their parameters, and numbers.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Optional, Sequence, Tuple

from ..science import DamagedForecasts, NewerForecasts
from ..text import _

if TYPE_CHECKING or __package__ == "ui.anki":
    from evaluator.forecasts import Forecast, from_plain, to_plain
else:
    from ...evaluator.forecasts import Forecast, from_plain, to_plain

if TYPE_CHECKING:
    from aqt.main import AnkiQt

#: More bytes no file of ours has: 24 forecasts with some thousand parameters each.
_LARGEST = 10_000_000

#: How the name of a damaged file ends that was set aside.
_ASIDE = ".damaged"


def read_forecasts(path: Path) -> Tuple[Forecast, ...]:
    """The forecasts in that file; none where there is no file, or an empty one.

    Raises:
        DamagedForecasts: these are none.
        NewerForecasts: they were written by a newer version.
        OSError: the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST + 1)
    except FileNotFoundError:
        return ()
    if not content:
        return ()
    try:
        return from_plain(json.loads(content.decode("utf-8")) if len(content) <= _LARGEST else None)
    except NewerForecasts:
        raise NewerForecasts(path=str(path)) from None
    except (ValueError, RecursionError):
        raise DamagedForecasts(path=str(path)) from None


def forecasts_text(forecasts: Sequence[Forecast]) -> str:
    """The text of a file that holds these forecasts."""
    return json.dumps(to_plain(forecasts), indent=1, allow_nan=False) + "\n"


class KeptForecasts:
    """The forecasts of one collection that the add-on keeps. What cannot be read or written is said, and no error."""

    def __init__(self, path: Path, *, on: bool) -> None:
        """``on``: whether forecasts are kept; where they are not, nothing is read or written."""
        self.on = on
        self.said = "" if on else _("This is switched off under Options: no verdict is kept, and none is judged.")
        self._path = path
        self._judged: Optional[int] = None  # how many of them were when they were read
        self.judged = False  #: another one was since they were read

    @property
    def there(self) -> bool:
        """Whether anything is kept that can be erased."""
        return any(path.exists() for path in self._files())

    def read(self) -> Optional[Tuple[Forecast, ...]]:
        """The forecasts; None where none can be kept. A damaged file is renamed, and there are none."""
        if not self.on:
            return None
        try:
            forecasts = read_forecasts(self._path)
            self._judged = _judged(forecasts)
            return forecasts
        except DamagedForecasts:
            return self._set_aside()
        except NewerForecasts:
            self.said = _(
                "The verdicts that are kept were written by a newer version of this add-on. They are left alone, and "
                "no new one is kept until it is updated."
            )
        except OSError as error:
            self.said = _("The verdicts that are kept cannot be read: {reason}.").format(reason=error.strerror or error)
        return None

    def keep(self, forecasts: Sequence[Forecast]) -> None:
        """Write them, all or none, unless the file holds just these."""
        self.judged = self._judged is not None and _judged(forecasts) > self._judged
        text = forecasts_text(forecasts)
        draft = self._path.with_suffix(".new")
        try:
            if forecasts and not (self._path.exists() and self._path.read_text(encoding="utf-8") == text):
                self._path.parent.mkdir(exist_ok=True)
                with draft.open("w", encoding="utf-8", newline="\n") as file:
                    file.write(text)
                    file.flush()
                    os.fsync(file.fileno())
                draft.replace(self._path)
        except OSError as error:
            with suppress(OSError):
                draft.unlink()
            self.said = _("This verdict could not be kept, so it cannot be judged later: {reason}.").format(
                reason=error.strerror or error
            )

    def erase(self) -> None:
        """Erase all that is kept of this collection, what was set aside too."""
        try:
            for path in self._files():
                path.unlink(missing_ok=True)
        except OSError as error:
            self.said = _("The verdicts could not be erased: {reason}.").format(reason=error.strerror or error)
        else:
            self.said = _("The verdicts are erased. The next evaluation begins anew, unless it is off in Options.")

    def _files(self) -> Tuple[Path, ...]:
        return self._path, self._path.with_suffix(_ASIDE), self._path.with_suffix(".new")

    def _set_aside(self) -> Optional[Tuple[Forecast, ...]]:
        aside = self._path.with_suffix(_ASIDE)
        try:
            self._path.replace(aside)
        except OSError as error:
            self.said = _("The file of earlier verdicts is damaged, and cannot be renamed: {reason}.").format(
                reason=error.strerror or error
            )
            return None
        self.said = _(
            "The file of earlier verdicts was damaged. It is called {name} now, and a new one begins."
        ).format(name=aside.name)
        return ()


def _judged(forecasts: Sequence[Forecast]) -> int:
    return sum(one.outcome is not None for one in forecasts)


def kept_forecasts(mw: AnkiQt, module: str, *, on: bool) -> KeptForecasts:
    """Those of the profile that is open. The file's name is a digest of the profile's, so that it names nobody.

    Args:
        mw: Anki's window.
        module: any of the add-on's.
        on: whether forecasts are kept.
    """
    of = hashlib.sha256(str(mw.pm.name).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    manager = mw.addonManager
    folder = Path(manager.addonsFolder(manager.addonFromModule(module))) / "user_files"
    return KeptForecasts(folder / f"forecasts-{of}.json", on=on)
