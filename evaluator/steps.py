"""Long work is a generator: between two of its steps the caller may show how far it is, or stop asking."""

from __future__ import annotations

from typing import Any, Callable, Generator, TypeVar

S = TypeVar("S")
T = TypeVar("T")


def part_of(work: Generator[float, None, T], start: float, stop: float) -> Generator[float, None, T]:
    """Work that yields 0 to 1, as a part from ``start`` to ``stop`` of some larger one."""
    while True:
        try:
            fraction = next(work)
        except StopIteration as end:
            result: T = end.value
            return result
        yield start + (stop - start) * fraction


def run(work: Generator[S, Any, T], on_step: Callable[[S], object] = lambda _: None) -> T:
    """Drive a generator to its end and return what it returns. What ``on_step`` raises ends the work."""
    while True:
        try:
            step = next(work)
        except StopIteration as end:
            result: T = end.value
            return result
        on_step(step)
