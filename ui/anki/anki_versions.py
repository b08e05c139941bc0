"""Differences between versions of Anki, and between collections by the scheduler that they were studied with.

* The first scheduler (until 2021) had three buttons for cards in learning, and the second one was Good.
* The optimizer is private to Anki's backend, and not every version has it.

Anki is imported inside functions only.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Callable, List, Optional, Sequence, Tuple, Union

import numpy as np

if TYPE_CHECKING or __package__ == "ui.anki":
    from evaluator.data.revlog import Revlog
else:
    from ...evaluator.data.revlog import Revlog

#: Function that returns rows of a review log (id, card, button, kind). Its argument is the second at which today ends.
RowsOfRevlog = Callable[[int], List[List[Union[str, int, float, None]]]]

#: Kinds of rows in which the first scheduler numbered the buttons differently: learning and relearning.
_LEARNING_KINDS = (0, 2)


def with_todays_buttons(revlog: Revlog, *, first_scheduler: bool) -> Tuple[Revlog, int]:
    """Return the log with the button numbers of the second scheduler, and the number of changed rows.

    With the first scheduler, Good was 2 and Easy was 3 in learning. Upgrading the scheduler changes them in the same
    way (``v2_upgrade.sql``): ``update revlog set ease = ease + 1 if ease in (2, 3) and type in (0, 2)``.
    """
    if not first_scheduler:
        return revlog, 0
    is_changed = np.isin(revlog.kind, _LEARNING_KINDS) & np.isin(revlog.button, (2, 3))
    return replace(revlog, button=revlog.button + is_changed), int(is_changed.sum())


def backend_optimize() -> Optional[Callable[[RowsOfRevlog, Sequence[float]], Tuple[float, ...]]]:
    """Return a function that runs Anki's Optimize on rows of a review log.

    The only call that every version of Anki has needs a collection, so the rows go into one in memory.

    Returns:
        The function, or None if this Anki has none. Its arguments are the rows and the current parameters, and it
        returns the new ones. It raises what the backend raises, which may be no ``Exception``.
    """
    try:
        from anki._backend import RustBackend
        from anki.scheduler_pb2 import ComputeFsrsParamsRequest, ComputeFsrsParamsResponse
    except ImportError:
        return None
    if not hasattr(RustBackend, "compute_fsrs_params_raw"):
        return None

    backend = RustBackend(langs=["en"], server=False)

    def optimize(rows: RowsOfRevlog, current: Sequence[float]) -> Tuple[float, ...]:
        backend.open_collection(collection_path=":memory:", media_folder_path="", media_db_path="")
        try:
            sql = "insert into revlog values (?, ?, 0, ?, 1, 1, 2500, 0, ?)"
            backend.db_execute_many(sql, rows(backend.sched_timing_today().next_day_at))
            # An empty search finds all cards.
            request = ComputeFsrsParamsRequest(search="", current_params=current)
            response = backend.compute_fsrs_params_raw(request.SerializeToString())
            return tuple(ComputeFsrsParamsResponse.FromString(response).params)
        finally:
            backend.close_collection(downgrade_to_schema11=False)

    return optimize


def backend_trainer() -> Optional[Callable[[bytes], Tuple[float, ...]]]:
    """Return a function that trains FSRS on the items of a serialized ``FsrsBenchmarkRequest``.

    Returns:
        The function, or None if this Anki has none. It needs no collection. It raises what the backend raises, which
        may be no ``Exception``.
    """
    try:
        from anki._backend import RustBackend
        from anki.scheduler_pb2 import FsrsBenchmarkResponse
    except ImportError:
        return None
    compute = getattr(RustBackend(langs=["en"], server=False), "fsrs_benchmark_raw", None)
    if compute is None:
        return None
    return lambda request: tuple(FsrsBenchmarkResponse.FromString(compute(request)).params)
