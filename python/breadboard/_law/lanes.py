"""Values that differ from one distribution to another, for a function that is run once for many
distributions.

A function is given a Column in place of log f. What it does with that is done for each
distribution by itself, with the very values and operations that the function would have met
there. Where it goes another way under some of the distributions it is split from them, and
run again for either part.
"""
from __future__ import annotations

import math
import operator
from typing import Any, Callable, Dict, Iterator, List, Optional

MOST_WORK = 20_000_000  # operations on single values for one function


class Split(BaseException):
    """Ends a run, since it goes different ways: parts has the places of the distributions of
    each; with None it cannot be run for several at once.
    """

    def __init__(self, parts: Optional[List[List[int]]] = None) -> None:
        super().__init__("the function cannot be run for several distributions at once")
        self.parts = parts


class Lanes:
    """The distributions for which a function is run at once."""

    def __init__(self, count: int) -> None:
        self.count, self.work, self.over = count, 0, False
        self.split: Optional[Split] = None  # which the function may have caught

    def apart(self, parts: Optional[List[List[int]]] = None) -> Split:
        """What ends the run."""
        if self.over:
            raise ValueError(
                "log f of an earlier call is used: the function keeps a state between its calls")
        self.split = self.split or Split(parts)
        return self.split

    def parted(self, values: List[Any]) -> Split:
        """What ends a run that goes a way for each of some values, one of each distribution."""
        parts: Dict[Any, List[int]] = {}
        for at, value in enumerate(values):
            parts.setdefault(value, []).append(at)
        return self.apart(list(parts.values()))


def each(f: Callable[..., Any], *args: Any) -> Any:
    """f of the arguments, and where there are columns among them the column of what it is of
    their values.
    """
    lanes = next((a.lanes for a in args if type(a) is Column), None)
    if lanes is None:
        return f(*args)
    lanes.work += lanes.count
    if (
        lanes.over or lanes.work > MOST_WORK
        or any(a.lanes is not lanes if type(a) is Column else hasattr(a, "is_single") for a in args)
    ):
        # Also where a random number that is not known yet is among them, of which each would make a
        # choice
        raise lanes.apart()
    try:
        return Column(
            lanes, [
                f(*row)
                for row in zip(
                    *(a.values if type(a) is Column else [a] * lanes.count for a in args))])
    except Exception:
        raise lanes.apart() from None


def lead(value: Any) -> Any:
    """A value, and of a column the first one: what an order is made by that changes no result."""
    return value.values[0] if type(value) is Column else value


def of_lane(value: Any, at: int) -> Any:
    """The value under one of the distributions."""
    return value.values[at] if type(value) is Column else value


class Column:
    """A value for each distribution, on which everything is done for each by itself."""

    __slots__ = ("lanes", "values")
    __array_priority__ = 1000

    def __init__(self, lanes: Lanes, values: List[Any]) -> None:
        self.lanes, self.values = lanes, values

    # For isinstance
    __class__ = property(lambda self: type(self.values[0]))  # type: ignore[assignment]

    def same(self) -> Any:
        """The value where it is the same one under all distributions."""
        if any(value != self.values[0] for value in self.values):
            raise self.lanes.parted(self.values)
        if self.lanes.over:
            raise self.lanes.apart()
        return self.values[0]

    def __bool__(self) -> bool:
        return bool(each(bool, self).same())

    def __index__(self) -> int:
        return int(each(operator.index, self).same())

    def __int__(self) -> int:
        return int(each(int, self).same())

    def __len__(self) -> int:
        return int(each(len, self).same())

    def __contains__(self, value: Any) -> bool:
        return bool(each(operator.contains, self, value))

    def __iter__(self) -> Iterator[Any]:
        return (each(operator.getitem, self, k) for k in range(len(self)))

    def __call__(self, *args: Any, **named: Any) -> Any:
        return each(lambda f, *own: f(*own, **named), self, *args)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return each(operator.attrgetter(name), self)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if any(
            type(value) is not Column and getattr(value, "dtype", None) == object
            for value in inputs):
            raise self.lanes.apart()
        return each(lambda *own: getattr(ufunc, method)(*own, **options), *inputs)

    def __array_function__(self, f: Any, types: Any, args: Any, named: Any) -> Any:
        if not any(type(value) is Column for value in args):
            raise self.lanes.apart()  # it is inside a list
        return each(lambda *own: f(*own, **named), *args)


def _operation(f: Callable[..., Any], turned: bool) -> Callable[..., Any]:
    def method(self: Any, *others: Any) -> Any:
        if others and type(others[0]) is not Column and hasattr(others[0], "is_single"):
            return NotImplemented  # a random number that is not known yet does it
        return each(f, others[0], self) if turned else each(f, self, *others)

    return method


def _apart(self: Any, *_: Any, **__: Any) -> Any:
    raise self.lanes.apart()


for _name in "add sub mul truediv floordiv mod pow and or xor".split():
    _f = getattr(operator, _name, None) or getattr(operator, _name + "_")
    setattr(Column, "__%s__" % _name, _operation(_f, False))
    setattr(Column, "__r%s__" % _name, _operation(_f, True))
for _name in "lt le gt ge eq ne neg pos abs invert getitem".split():
    setattr(Column, "__%s__" % _name, _operation(getattr(operator, _name), False))
for _name, _f in (
    ("round", round), ("floor", math.floor), ("ceil", math.ceil), ("trunc", math.trunc),
    ("divmod", divmod)):
    setattr(Column, "__%s__" % _name, _operation(_f, False))
for _name in (
    "float complex hash repr str format reduce_ex array setitem delitem iadd isub imul itruediv "
    "copy deepcopy").split():
    setattr(Column, "__%s__" % _name, _apart)
