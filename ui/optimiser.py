"""Anki's own FSRS optimiser, called through its backend. No window, and no collection: nothing is locked meanwhile.

The backend's ``fsrs_benchmark`` trains on just the items it is given; ``compute_fsrs_params_from_items`` would first
drop outliers, which the evaluation has done already. Both are private to Anki; all that depends on them is in here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, List, Optional, Sequence

import numpy as np

if TYPE_CHECKING or __package__ == "ui":
    from evaluator.errors import OptimiserFailed
    from evaluator.fitting.data import Items
else:
    from ..evaluator.errors import OptimiserFailed
    from ..evaluator.fitting.data import Items

#: With fewer, the optimiser has nothing to go by (with none it panics), and the defaults are taken.
MIN_ITEMS = 8


def anki_optimiser() -> Optional[Callable[[Items], Sequence[float]]]:
    """The optimiser of the Anki that is installed; None where there is none."""
    try:
        from anki._backend import RustBackend
        from anki.scheduler_pb2 import FsrsBenchmarkResponse
    except ImportError:
        return None
    backend = RustBackend(langs=["en"], server=False)
    compute = getattr(backend, "fsrs_benchmark_raw", None)
    if compute is None:
        return None

    def optimise(items: Items) -> Sequence[float]:
        if len(items.start) < MIN_ITEMS:
            return ()
        return list(FsrsBenchmarkResponse.FromString(_call(compute, encode(items))).params)

    return optimise


def _call(compute: Callable[[bytes], bytes], message: bytes) -> bytes:
    try:
        return compute(message)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001 - a panic of the backend is no Exception, and Anki would quit on it
        raise OptimiserFailed(detail=str(error)) from None


def encode(items: Items) -> bytes:
    """The items as an ``FsrsBenchmarkRequest`` of protobuf, written by hand: objects would take ages.

    A review is ``0A len 08 rating [10 varint(days)]``, an item ``0A len`` and its reviews. An item's reviews follow
    each other in the columns, so they are one slice of all reviews' bytes.
    """
    reviews = [_review(rating, days) for rating, days in zip(items.rating.tolist(), items.elapsed_days.tolist())]
    everything = b"".join(reviews)
    ends = np.concatenate(([0], np.cumsum([len(review) for review in reviews])))
    parts: List[bytes] = []
    for start, stop in zip(ends[items.start].tolist(), ends[items.stop].tolist()):
        parts += (b"\x0a", _varint(stop - start), everything[start:stop])
    return b"".join(parts)


def _review(rating: int, days: int) -> bytes:
    body = bytes((0x08, rating)) + (b"\x10" + _varint(days) if days else b"")
    return bytes((0x0A, len(body))) + body


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)
