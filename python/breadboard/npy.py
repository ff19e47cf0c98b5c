"""Reads arrays from the bytes of .npy files, also where NumPy is not there."""
from __future__ import annotations

import array
import ast
import io
import sys
import zipfile
from typing import Any, Dict

from .tables import numpy


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
        flat = [data[i : i + width].decode("utf-32-" + ("le" if kind[0] == "<" else "be")).rstrip("\0") for i in range(end, len(data), width)]
    elif kind in ("|b1", "?"):
        flat = [bool(v) for v in data[end:]]
    else:
        values: Any = array.array({"<f8": "d", "<i8": "q", "<i4": "i", "<f4": "f", "|u1": "B"}[kind], data[end:])
        if sys.byteorder == "big":
            values.byteswap()
        flat = values.tolist()
    for side in reversed(shape[1:]):
        count = len(flat) // side if side else 0
        flat = [flat[i * side : (i + 1) * side] for i in range(count)]
    return flat if shape else flat[0]
