"""Functions of states that are given as callables or as arrays of their values."""
from __future__ import annotations

import itertools
import os
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence

from .._arrays import floats, is_array, is_nested, is_number, listed
from .._labelled import in_order, labelled, nested


class Values(NamedTuple):
    """The values of a function, one for each state in the order of the program."""

    name: str
    numbers: Any


def functions(given: Any, points: Callable[[], Sequence[Any]], order: Sequence[int]) -> Any:
    """Functions of states as selectors, or as their values: of a callable, at all points, and of
    an array, whose places order puts into the order of the program; in a dict by name.

    >>> functions(["x0", len], lambda: ["a", "bc"], [])
    ['x0', Values(name='len', numbers=[1.0, 2.0])]
    """
    if isinstance(given, Mapping) and not all(map(is_number, given.values())):
        return [_values(str(name), one, points, order) for name, one in given.items()]
    if isinstance(given, (list, tuple)) and not is_nested(given) and any(map(_is_one, given)):
        return [_values("", one, points, order) for one in given]
    return _values("", given, points, order) if _is_one(given) else given


def _is_one(value: Any) -> bool:
    """Whether a value is a function that is no selector."""
    value = listed(value)
    return callable(value) or is_array(value) or is_nested(value) or labelled(value).is_named


def _values(name: str, f: Any, points: Callable[[], Sequence[Any]], order: Sequence[int]) -> Any:
    if isinstance(f, (str, os.PathLike)):
        return f
    if callable(f):
        return Values(name or getattr(f, "__name__", "function"), [float(f(x)) for x in points()])
    if labelled(f).is_named:
        return Values(name or "function", in_order(f, list(points())))
    numbers = floats(nested(listed(f)))
    flat = numbers.flat()
    return Values(name or "function", [flat[k] for k in order] if order else numbers)


def points_of(shape: Sequence[int]) -> List[Any]:
    """The coordinates of the states of a grid, row by row; numbers where it has one axis.

    >>> points_of([1, 2, 2]), points_of([2])
    ([(0, 0), (0, 1), (1, 0), (1, 1)], [0, 1])
    """
    sides = [side for side in shape if side > 1] or [1]
    return list(range(*sides) if len(sides) == 1 else itertools.product(*map(range, sides)))


def points_in(rows: Sequence[Dict[str, Any]], values: Any) -> List[Any]:
    """The states in the rows of toys show: their labels, as values by label have them, or their
    coordinates.
    """
    found: List[Any] = []
    labels = {str(x): x for x in (labelled(values).labels or [None])[0] or ()}
    for row in rows:
        at: Optional[str] = row["label"]
        numbers = tuple(map(int, str(row["coordinates"] or row["state"]).split(",")))
        found.append(
            labels.get(at, at) if at is not None else numbers if len(numbers) > 1 else numbers[0])
    return found
