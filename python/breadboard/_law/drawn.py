"""Arrays of random numbers of which only intervals are known. NumPy sees arrays of objects; they
do what those of floats do.
"""
from __future__ import annotations

import math
from typing import Any, Callable, List, Optional

from .lazy import Lazy, of_objects
from .._numpy import numpy
from .wholes import Whole, settled


def _argument(largest: bool) -> Callable[..., Any]:
    name = "argmax" if largest else "argmin"

    def method(self: Any, axis: Any = None, out: Any = None, **named: Any) -> Any:
        if self.dtype != object or self.size == 0 or out is not None or named:
            return getattr(self.view(numpy.ndarray), name)(axis, out, **named)
        rows: Any = self.reshape(1, -1) if axis is None else numpy.moveaxis(self, axis, -1)
        found = numpy.array(
            [_place(row.tolist(), largest) for row in rows.reshape(-1, rows.shape[-1])])
        return (
            numpy.int64(found[0]) if axis is None or self.ndim == 1
            else found.reshape(rows.shape[:-1])
        )

    return method


def _place(row: List[Any], largest: bool) -> int:
    """The place of the least number, or of the largest one. A race of many has as many answers,
    and not one for each way through its comparisons.
    """
    worst, best = (-math.inf, math.inf) if largest else (math.inf, -math.inf)
    special = [k for k, x in enumerate(row) if type(x) is not Lazy and x != worst]
    lazies = [k for k, x in enumerate(row) if type(x) is Lazy]
    for k in [k for k in special if row[k] != row[k]] or [k for k in special if row[k] == best]:
        return k
    if not special and len(lazies) > 1:
        at: Optional[int] = row[lazies[0]].run.extreme([row[k] for k in lazies], largest)
        if at is not None:
            return lazies[at]
    array: Any = numpy.empty(len(row), dtype=object)
    array[:] = row
    return int(array.argmax() if largest else array.argmin())


def _value(largest: bool) -> Callable[..., Any]:
    name = "max" if largest else "min"

    def method(self: Any, axis: Any = None, out: Any = None, **named: Any) -> Any:
        if self.dtype != object or self.size == 0 or out is not None or named:
            return getattr(self.view(numpy.ndarray), name)(axis, out, **named)
        at = getattr(self, "arg" + name)(axis)
        return (
            self.flat[at] if axis is None
            else numpy.take_along_axis(self, numpy.expand_dims(at, axis), axis).squeeze(axis)[()]
        )

    return method


def _argpartition(
    self: Any, kth: Any, axis: Any = -1, kind: str = "introselect", order: Any = None,
) -> Any:
    """NumPy says of the order of the parts nothing, and makes one of floats that is not that of
    objects; so the ranks are parted.
    """
    if self.dtype != object:
        return self.view(numpy.ndarray).argpartition(kth, axis, kind, order)
    ranks: Any = numpy.apply_along_axis(
        _ranks, 0 if axis is None else axis,
        self.view(numpy.ndarray).ravel() if axis is None else self.view(numpy.ndarray))
    return ranks.argpartition(kth, -1 if axis is None else axis, kind)


def _ranks(row: Any) -> Any:
    ranks, last = numpy.empty(len(row)), -1.0
    for before, at in zip([None, *(order := row.argsort(kind="stable"))], order):
        last += before is None or type(row[at]) is Lazy or not row[at] == row[before]
        ranks[at] = last
    return ranks


def _partition(
    self: Any, kth: Any, axis: int = -1, kind: str = "introselect", order: Any = None,
) -> None:
    self[...] = numpy.take_along_axis(self, self.argpartition(kth, axis, kind), axis)


def written(
    refuse: Callable[[str], BaseException], ufunc: Any, samples: List[Any], array: Any, shape: Any,
) -> Any:
    """The dtype of an array into which random numbers are written, as by logits += noise: the
    name then has what is returned. For all others the array is spoilt.
    """
    if type(array) is not numpy.ndarray or array.dtype.kind != "f" or array.shape != shape:
        raise refuse(
            "random numbers are written into an array of another kind or shape; leave out= out")
    ufunc(*samples, out=numpy.zeros(1, array.dtype))  # raises what NumPy raises
    array[...] = math.nan
    return array.dtype


def _by_ufunc(
    self: Any, ufunc: Any, method: str, *inputs: Any, out: Any = None, **options: Any,
) -> Any:
    if ufunc in (numpy.isnan, numpy.isinf, numpy.isfinite):
        return (
            numpy.reshape([bool(ufunc(x)) for x in self.ravel().tolist()], self.shape)
            if self.dtype == object else ufunc(self.view(numpy.ndarray))
        )
    plain = [x.view(numpy.ndarray) if type(x) is Drawn else x for x in inputs]
    lazy = (
        next(
            (
                x for one in plain if isinstance(one, numpy.ndarray) and one.dtype == object
                for x in one.ravel().tolist() if type(x) is Lazy), None) if out is not None
        else None
    )
    if lazy is not None and type(out[0]) is not Drawn:
        made, samples = getattr(of_objects(ufunc, method), method)(*plain, **options).view(Drawn), [
            numpy.zeros(1, numpy.asarray(x).dtype if numpy.asarray(x).dtype != object else float)
            for x in plain]
        return made.astype(written(lazy.run.refuse, ufunc, samples, out[0], made.shape))
    if out is not None:
        options["out"] = tuple(x.view(numpy.ndarray) if type(x) is Drawn else x for x in out)
    result = getattr(of_objects(ufunc, method), method)(*plain, **options)
    if out is None and type(result) is numpy.ndarray and result.dtype == object:
        return (
            result.view(Drawn)
            if any(
                type(x) in (Lazy, Whole) or not isinstance(x, (int, numpy.integer))
                for x in result.ravel().tolist()) else numpy.array(result.tolist())
        )
    return out[0] if out is not None else result


def _by_function(self: Any, function: Any, types: Any, args: Any, named: Any) -> Any:
    """Searches for each number by itself: NumPy begins where the one before was, and compares
    the two, which makes branches that say nothing of the result.
    """
    if (
        function is numpy.searchsorted and len(args) > 1 and type(args[0]) is not Drawn
        and type(args[1]) is Drawn and args[1].dtype == object
    ):
        return numpy.array(
            [function(args[0], x, *args[2:], **named) for x in args[1].ravel().tolist()],
            numpy.intp).reshape(args[1].shape)
    if any(type(x) is Whole for x in self.ravel().tolist()):
        args = [
            settled(x.view(numpy.ndarray)) if type(x) is Drawn and x.dtype == object else x
            for x in args]
        return function(*args, **named)
    return numpy.ndarray.__array_function__(self, function, types, args, named)


def _astype(self: Any, dtype: Any, *args: Any, **named: Any) -> Any:
    lazy = next((x for x in self.ravel().tolist() if type(x) is Lazy), None)
    if lazy is None or numpy.dtype(dtype).kind != "f":
        return self.view(numpy.ndarray).astype(dtype, *args, **named)
    if numpy.dtype(dtype) != numpy.float64:
        raise lazy.run.refuse(
            "astype() rounds random numbers to %s; leave it out, or follow floats with bits="
            % numpy.dtype(dtype))
    return self.copy()


Drawn: Any = (
    numpy
    and type(
        "ndarray", (numpy.ndarray,), {
            "argmin": _argument(False), "argmax": _argument(True), "min": _value(False),
            "max": _value(True), "astype": _astype, "argpartition": _argpartition,
            "partition": _partition, "__array_ufunc__": _by_ufunc,
            "__array_function__": _by_function})
)
