"""What a person does with the add-on, in the real Anki: ``python scenarios.py NAME FOLDER`` plays one of them.

The folder gets the collection, the exports, and ``facts.json`` with what is to be compared elsewhere. Any failed
expectation ends the process with an error; so do a message box, a word on stderr, a connection to anywhere, and NumPy
or matplotlib imported on the main thread. ``NAME+NAME FOLDER`` plays several with the same collection in one Anki.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import traceback
from functools import partial
from pathlib import Path
from typing import Callable, Dict, Sequence

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "ui")]

from advising import advising  # noqa: E402
from appearance import looks  # noqa: E402
from choosing import choosing, choosing_each  # noqa: E402
from concurrency import concurrency  # noqa: E402
from documenting import documenting  # noqa: E402
from ending import cancel, closing, closing_while_reading, empty, missing_library  # noqa: E402
from evaluating import results  # noqa: E402
from good_citizen import confiding, configuring, forgetting, offline, starting  # noqa: E402
from installing import changing, installing  # noqa: E402
from libraries import libraries, libraries_later  # noqa: E402
from opening import opening  # noqa: E402
from repeating import repeating  # noqa: E402
from running import Facts, Play, together  # noqa: E402
from sample_collections import write_nested, write_short, write_simulated, write_studied  # noqa: E402
from scoping import dividing, scopes  # noqa: E402
from session import prepare_environment  # noqa: E402
from translated_window import speaking, speaking_english  # noqa: E402

write_few = partial(write_studied, days=30)
write_many = partial(write_studied, days=400)
write_small = partial(write_nested, days=60)

#: Played in a running Anki with a collection of that kind.
WITH: Dict[Callable[[Path], None], Sequence[Play]] = {
    write_simulated: (results, forgetting),
    write_short: (
        *(opening, cancel, closing, closing_while_reading, configuring, empty, changing, missing_library),
        looks,
    ),
    write_few: (choosing, choosing_each, repeating),
    write_studied: (advising,),
    write_many: (documenting,),
    write_small: (scopes, dividing, offline, confiding, concurrency),
}
#: Start Anki in a way of their own.
OTHERS = (starting, installing, libraries, libraries_later, speaking, speaking_english)


def run(names: Sequence[str], folder: Path) -> Facts:
    other = {scenario.__name__: scenario for scenario in OTHERS}.get(names[0])
    if other is not None:
        return other(folder) or {}
    plays = {play.__name__: (write, play) for write, each in WITH.items() for play in each}
    (write,) = {plays[name][0] for name in names}
    together(write, [plays[name][1] for name in names], folder)
    return {}


def main() -> None:
    """Run what is named, in the folder that is given."""
    names, folder = sys.argv[1].split("+"), Path(sys.argv[2])
    known = [scenario.__name__ for scenario in (*OTHERS, *(play for each in WITH.values() for play in each))]
    if unknown := [name for name in names if name not in known]:
        sys.exit(f"There is no scenario {unknown[0]!r}. There are: {', '.join(sorted(known))}.")
    sets = [{item.__name__ for item in each} for each in WITH.values()]
    if len(names) > 1 and not any(each.issuperset(names) for each in sets):
        sys.exit(f"{' and '.join(names)} do not go together: they need different collections, or an Anki of their own.")
    pictures = Path(os.environ.get("SCREENSHOTS", "."))
    if not pictures.is_dir():
        sys.exit(f"SCREENSHOTS names a folder that is not there: {pictures}.")
    folder.mkdir(parents=True, exist_ok=True)
    prepare_environment()
    import aqt  # noqa: F401 - before anki, as in Anki itself: 24.11 and 25.02 change requests before it is imported

    code = 0
    try:
        (folder / "facts.json").write_text(json.dumps(run(names, folder)), encoding="utf-8")
    except BaseException:  # noqa: BLE001 - whatever it is, it is the answer
        traceback.print_exc(file=sys.__stderr__)
        code = 1
    sys.stdout.flush()
    os._exit(code)  # Qt's web engine may crash while Python takes itself apart; all that matters has been looked at


if __name__ == "__main__":
    if len(sys.argv) == 2:
        sys.argv.append(tempfile.mkdtemp())
    main()
