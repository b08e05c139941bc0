"""Play scenarios in the real Anki: ``python scenarios.py NAME FOLDER``, where ``NAME+NAME`` plays several in one Anki.

The folder gets the collection and the exports. The process ends with an error if an expectation fails, if a message box
stays open, if anything is written to stderr, if a connection is attempted, or if NumPy or matplotlib is imported on the
main thread.
"""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
from functools import partial
from pathlib import Path
from typing import Any, Callable, Dict, Optional, Sequence

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "ui")]

from advising import advising  # noqa: E402
from appearance import looks, speaking, speaking_english  # noqa: E402
from choosing import choosing, choosing_each  # noqa: E402
from documenting import documenting  # noqa: E402
from ending import cancel, closing, empty, missing_library  # noqa: E402
from evaluating import results  # noqa: E402
from good_citizen import confiding, configuring, forgetting, offline, starting  # noqa: E402
from installing import changing, installing  # noqa: E402
from libraries import libraries, libraries_later  # noqa: E402
from opening import opening  # noqa: E402
from repeating import repeating  # noqa: E402
from running import play_in_turn  # noqa: E402
from sample_collections import write_nested, write_several, write_short, write_simulated, write_studied  # noqa: E402
from scoping import dividing, scopes  # noqa: E402
from selecting import selecting, too_few  # noqa: E402
from session import prepare_environment  # noqa: E402

#: Scenarios by the function that writes their collection. Those of one function can be played in one Anki. Scenarios
#: without such a function start Anki themselves.
SCENARIOS: Dict[Optional[Callable[[Path], None]], Sequence[Callable[..., Any]]] = {
    write_simulated: (results, forgetting),
    write_short: (opening, cancel, closing, configuring, empty, changing, missing_library, looks),
    partial(write_studied, days=30): (choosing, choosing_each, repeating),
    write_studied: (advising,),
    write_several: (selecting,),
    partial(write_studied, days=14): (too_few,),
    partial(write_studied, days=400): (documenting,),
    write_nested: (scopes, dividing, offline, confiding, speaking, speaking_english),
    None: (starting, installing, libraries, libraries_later),
}


def play(names: Sequence[str], folder: Path) -> None:
    """Play these scenarios. Several must have the same collection."""
    for write, scenarios in SCENARIOS.items():
        by_name = {scenario.__name__: scenario for scenario in scenarios}
        if by_name.keys() >= set(names):
            plays = [by_name[name] for name in names]
            return play_in_turn(write, plays, folder) if write else plays[0](folder)
    raise LookupError(f"There is no collection for {' and '.join(names)} (see SCENARIOS).")


def main():
    names = sys.argv[1].split("+")
    folder = Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    prepare_environment()
    # Anki also imports aqt first. Versions 24.11 and 25.02 change `requests` before they import anki.
    import aqt  # noqa: F401

    code = 0
    try:
        play(names, folder)
    except BaseException:  # noqa: BLE001 - Any error, even a panic of Anki's backend, is the result.
        traceback.print_exc(file=sys.__stderr__)
        code = 1
    sys.stdout.flush()
    # Skip the interpreter's cleanup, in which Qt's web engine may crash.
    os._exit(code)


if __name__ == "__main__":
    main()
