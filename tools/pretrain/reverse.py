"""Reverse accumulation through array formulas: matrix products, sums and indexing beside element-wise functions.

A network's body is plain NumPy. Called with :class:`Tensor` in place of its weights, the same lines leave a record, and
:func:`gradients` walks it backwards. (:mod:`evaluator.derivatives` is the element-wise sister that the fitting uses.)

Reference: Griewank & Walther (2008), Evaluating Derivatives, 2nd ed., chapter 3.
"""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[Any]
Backward = Callable[[Numbers], None]

#: Of a ufunc's result with respect to its operands, times the result's own derivative ``g``.
_RULES: dict[np.ufunc, tuple[Callable[..., Numbers], ...]] = {
    np.add: (lambda g, out, a, b: g, lambda g, out, a, b: g),
    np.subtract: (lambda g, out, a, b: g, lambda g, out, a, b: -g),
    np.multiply: (lambda g, out, a, b: g * b, lambda g, out, a, b: g * a),
    np.true_divide: (lambda g, out, a, b: g / b, lambda g, out, a, b: -g * out / b),
    np.negative: (lambda g, out, a: -g,),
    np.exp: (lambda g, out, a: g * out,),
    np.log: (lambda g, out, a: g / a,),
    np.log1p: (lambda g, out, a: g / (1 + a),),
    np.sqrt: (lambda g, out, a: g * 0.5 / out,),
    np.tanh: (lambda g, out, a: g * (1 - out * out),),
    np.maximum: (lambda g, out, a, b: g * (a >= b), lambda g, out, a, b: g * (a < b)),
    np.minimum: (lambda g, out, a, b: g * (a <= b), lambda g, out, a, b: g * (a > b)),
    np.power: (lambda g, out, a, b: g * b * a ** (b - 1), lambda g, out, a, b: g * out * np.log(a)),
    np.matmul: (lambda g, out, a, b: g @ np.swapaxes(b, -1, -2), lambda g, out, a, b: np.swapaxes(a, -1, -2) @ g),
}


class Tensor(np.lib.mixins.NDArrayOperatorsMixin):
    """An array that remembers how it was computed."""

    def __init__(self, value: Numbers, record: list[tuple[Tensor, Backward]]) -> None:
        self.value = value
        self.record = record  #: of the whole computation, in order
        self.gradient: Numbers | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array."""
        return self.value.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the elements."""
        return self.value.dtype

    def result(self, value: Numbers, backward: Backward) -> Tensor:
        """Make a tensor computed from this one; ``backward`` passes its gradient on."""
        made = Tensor(value, self.record)
        self.record.append((made, backward))
        return made

    def add(self, gradient: Numbers, where: Any = ...) -> None:
        """Add to the gradient, of the elements ``where`` says."""
        if self.gradient is None and where is ...:
            # A copy: others are given the same.
            self.gradient = np.array(np.broadcast_to(gradient, self.shape), dtype=self.value.dtype)
            return
        if self.gradient is None:
            self.gradient = np.zeros_like(self.value)
        np.add.at(self.gradient, where, gradient)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *operands: Any, **options: Any) -> Any:
        rules = _RULES.get(ufunc)
        if rules is None or method != "__call__" or options:
            return NotImplemented
        values = [value_of(operand) for operand in operands]
        out = ufunc(*values)

        def backward(g: Numbers) -> None:
            for operand, rule in zip(operands, rules, strict=True):
                if isinstance(operand, Tensor):
                    operand.add(_reduced(rule(g, out, *values), operand.shape))

        return self.result(out, backward)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if function is np.sum:
            return self._sum(*args[1:], **kwargs)
        if function is np.concatenate:
            return self._concatenate(*args, **kwargs)
        if function is np.clip:
            return np.minimum(np.maximum(args[0], args[1]), args[2])
        if function is np.swapaxes:
            _, *axes = args
            return self.result(np.swapaxes(self.value, *axes), lambda g: self.add(np.swapaxes(g, *axes)))
        return NotImplemented

    def __getitem__(self, index: Any) -> Tensor:
        if isinstance(index, np.ndarray) and index.ndim == 1:  # rows, most equal ones in one group, as in a trie
            new = np.flatnonzero(np.diff(index, prepend=-1))
            return self.result(self.value[index], lambda g: self.add(np.add.reduceat(g, new, axis=0), index[new]))
        return self.result(self.value[index], lambda g: self.add(g, index))

    def reshape(self, *shape: int) -> Tensor:
        """Reshape the array, as NumPy does."""
        return self.result(self.value.reshape(*shape), lambda g: self.add(g.reshape(self.shape)))

    def _sum(self, axis: int, *, keepdims: bool = False) -> Tensor:
        out = np.sum(self.value, axis=axis, keepdims=keepdims)
        return self.result(out, lambda g: self.add(g if keepdims else np.expand_dims(g, axis)))

    def _concatenate(self, parts: list[Any], axis: int = 0) -> Tensor:
        out = np.concatenate([value_of(part) for part in parts], axis=axis)
        ends = np.cumsum([value_of(part).shape[axis] for part in parts])[:-1]

        def backward(g: Numbers) -> None:
            for part, own in zip(parts, np.split(g, ends, axis=axis), strict=True):
                if isinstance(part, Tensor):
                    part.add(own)

        return self.result(out, backward)


def value_of(operand: Any) -> Any:
    """The plain array of a tensor; anything else unchanged."""
    return operand.value if isinstance(operand, Tensor) else operand


def tensors(weights: dict[str, Numbers]) -> dict[str, Tensor]:
    """Make tensors of the inputs of a new computation."""
    record: list[tuple[Tensor, Backward]] = []
    return {name: Tensor(value, record) for name, value in weights.items()}


def gradients(output: Tensor, by_output: Numbers, inputs: dict[str, Tensor]) -> dict[str, Numbers]:
    """dL/d(each input), from dL/d(output)."""
    output.add(by_output)
    for made, backward in reversed(output.record):
        if made.gradient is not None:
            backward(made.gradient)
            made.gradient = None
    return {n: np.zeros_like(t.value) if t.gradient is None else t.gradient for n, t in inputs.items()}


def _reduced(gradient: Numbers, shape: tuple[int, ...]) -> Numbers:
    """Undo broadcasting in a gradient: sum over the axes along which an operand was repeated."""
    if gradient.shape == shape:
        return gradient
    extra = gradient.ndim - len(shape)
    gradient = gradient.sum(axis=tuple(range(extra))) if extra > 0 else gradient
    repeated = tuple(axis for axis, size in enumerate(shape) if size == 1 and gradient.shape[axis] > 1)
    gradient = gradient.sum(axis=repeated, keepdims=True) if repeated else gradient
    return np.broadcast_to(gradient, shape)
