"""Reads and writes arrays as .npy files, also where NumPy is not there."""
from __future__ import annotations

import array
import ast
import decimal
import io
import math
import numbers
import os
import re
import sys
import zipfile
from typing import Any, Dict, Iterator, KeysView, NamedTuple, Tuple, ValuesView

from ._numpy import numpy


# Paths that mean nothing else in a selector
SAFE = re.compile(r"[\w./\\: -]+" if os.name == "nt" else r"[\w./-]+")


class Floats(NamedTuple):
    """Numbers in the order of C: their shape, and their bytes as float64 with the low byte first.
    """

    shape: Tuple[int, ...]
    data: bytes

    def npy(self) -> bytes:
        """The file .npy of the numbers."""
        header = (
            "{'descr': '<f8', 'fortran_order': False, 'shape': %r, }"
            % (tuple(map(int, self.shape)),)
        )
        header += " " * (-(len(header) + 11) % 64) + "\n"
        return (
            b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode("ascii")
            + self.data
        )

    def flat(self) -> "array.array[float]":
        """The numbers in one line."""
        return array.array("d", self.data)

    def split(self) -> "list[Floats]":
        """The parts of an array along its first axis."""
        size = 8 * math.prod(self.shape[1:])
        return [
            Floats(self.shape[1:], self.data[i * size : (i + 1) * size])
            for i in range(self.shape[0])]


def is_number(value: Any) -> bool:
    return isinstance(value, (numbers.Real, decimal.Decimal)) and not isinstance(value, bool)


def listed(value: Any) -> Any:
    """A value, of which what can be gone through once, or has no order to index, is a list, a
    sparse matrix that is a dict has rows, and the only array of a Dataset stands for it.
    """
    if is_sparse(value) and isinstance(value, dict):
        return value.tocsr()  # type: ignore[attr-defined]
    if len(getattr(value, "data_vars", ())) == 1:  # of xarray
        (value,) = value.data_vars.values()
    return list(value) if isinstance(value, (Iterator, KeysView, ValuesView, set, range)) else value


def is_sparse(value: Any) -> bool:
    """Whether a value is a sparse matrix of SciPy."""
    return hasattr(value, "toarray") and hasattr(value, "nnz")


def is_nested(value: Any) -> bool:
    """Whether a value is a list of numbers, or of such lists."""
    return (
        isinstance(value, (list, tuple)) and len(value) > 0
        and all(is_number(v) or is_nested(v) for v in value)
    )


def is_array(value: Any) -> bool:
    """Whether a value is an array of numbers, of NumPy, pandas and others, and no single number
    or list.
    """
    if numpy is None:
        return False
    if hasattr(value, "to_numpy"):
        value = value.to_numpy()
    elif hasattr(value, "__array__") and not isinstance(value, type):
        value = numpy.asarray(value)
    return isinstance(value, numpy.ndarray) and value.dtype.kind in "fiu" and value.ndim > 0


def floats(values: Any) -> Floats:
    """The numbers of an array or of nested lists.

    >>> floats([[1, 2, 3], [4, 5, 6.5]]).shape
    (2, 3)
    """
    if isinstance(values, Floats):
        return values
    if is_nested(values):
        shape = _shape(values)
        for _ in shape[1:]:
            values = [v for row in values for v in row]
        flat = array.array("d", map(float, values))
        if sys.byteorder == "big":
            flat.byteswap()
        return Floats(shape, flat.tobytes())
    if numpy is None:
        raise TypeError(
            "arrays need NumPy, which is not there; give nested lists of numbers, or a file by "
            "its selector, as in toy='file:target.csv'")
    check_mask(values)
    try:
        given = numpy.asarray(values.to_numpy() if hasattr(values, "to_numpy") else values)
        of = None if given.dtype.kind == "b" else numpy.asarray(given, dtype="<f8")
    except (TypeError, ValueError):
        of = None
    if of is None:
        raise TypeError(
            "what is of type %s holds no numbers alone; give numbers, as an array or nested lists"
            % type(values).__name__)
    return Floats(of.shape, of.tobytes())


def is_shape(value: Any) -> bool:
    """Whether a value is a tuple of whole numbers, as the sides of a grid are, and log f is not."""
    return (
        isinstance(value, tuple) and len(value) > 0
        and all(isinstance(v, numbers.Integral) and not isinstance(v, bool) for v in value)
    )


def check_mask(values: Any) -> None:
    """Fails for an array some of whose values are masked, which numpy.asarray shows as if they
    were not.
    """
    if (
        numpy is not None and isinstance(values, numpy.ma.MaskedArray)
        and bool(numpy.any(values.mask))
    ):
        raise TypeError(
            "an array has masked values; give values.filled(v), with the v that they stand for, "
            "such as -inf for a zero of f")


def _shape(values: Any) -> Tuple[int, ...]:
    """The shape of nested lists."""
    if is_number(values):
        return ()
    shapes = {_shape(v) for v in values}
    if len(shapes) > 1:
        raise ValueError(
            "the rows of a list of numbers have different lengths; give all of them as many "
            "numbers")
    return (len(values), *shapes.pop())


def read_npz(data: bytes) -> Dict[str, Any]:
    """The arrays of a .npz file by name."""
    with zipfile.ZipFile(io.BytesIO(data)) as members:
        return {name[: -len(".npy")]: read_npy(members.read(name)) for name in members.namelist()}


def read_npy(data: bytes) -> Any:
    """An array of NumPy, and without it nested lists."""
    if numpy is not None:
        return numpy.load(io.BytesIO(data), allow_pickle=False)
    size, at = (2, 10) if data[6] == 1 else (4, 12)
    end = at + int.from_bytes(data[8 : 8 + size], "little")
    header = ast.literal_eval(data[at:end].decode("latin-1"))
    kind, shape = header["descr"], header["shape"]
    if header["fortran_order"]:
        raise ValueError("the array is in Fortran's order; NumPy is needed to read it")
    flat: Any
    if kind[1] == "U":
        width = 4 * int(kind[2:])
        flat = [
            data[i : i + width].decode("utf-32-" + ("le" if kind[0] == "<" else "be")).rstrip("\0")
            for i in range(end, len(data), width)]
    elif kind in ("|b1", "?"):
        flat = [bool(v) for v in data[end:]]
    else:
        values: Any = array.array(
            {"<f8": "d", "<i8": "q", "<i4": "i", "<f4": "f", "|u1": "B"}[kind], data[end:])
        if sys.byteorder == "big":
            values.byteswap()
        flat = values.tolist()
    for side in reversed(shape[1:]):
        count = len(flat) // side if side else 0
        flat = [flat[i * side : (i + 1) * side] for i in range(count)]
    return flat if shape else flat[0]
