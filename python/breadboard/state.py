"""What functions keep from call to call, in what they reach: containers, attributes, and variables of the functions and the module around them.

What files, C code and iterators keep is not seen here.
"""
from __future__ import annotations

import collections
import contextlib
import functools
import sys
import types
from typing import Any, Callable, Dict, Iterator, List, Tuple

from .generators import UNCHANGED
from .tables import numpy

MOST = 1000  # objects that are gone through, and parts of one of them; beyond it nothing is known
LIBRARIES = sys.stdlib_module_names | {"numpy", "scipy", "pandas", "torch", "jax", __name__.partition(".")[0]}
CACHE = type(functools.lru_cache(len))
PLAIN = UNCHANGED | {type(None)}


def _is_library(x: Any) -> bool:
    return (x.__module__ or "").partition(".")[0] in LIBRARIES


def _fill(x: Any, parts: List[Any]) -> None:
    x.clear()
    for key, value in zip(parts[::2], parts[1::2]):
        x[key] = value


class State:
    """The contents of all that functions reach and can change, as they were when each function was added, before its first call."""

    def __init__(self) -> None:
        self._seen: Dict[int, Any] = {}
        self._places: List[Tuple[Callable[[], List[Any]], Callable[[List[Any]], Any], List[Any]]] = []  # how the parts of each are read and written, and what they were
        self._caches: List[Any] = []

    def add(self, f: Any) -> None:
        todo = [f]
        while todo and len(self._seen) <= MOST:
            x = todo.pop()
            if id(x) not in self._seen:
                self._seen[id(x)] = x
                todo += [part for part in self._parts(x) if type(part) not in PLAIN]

    def has_changed(self) -> bool:
        """Whether anything is not what it was. If too much can be reached, nothing is known."""
        return len(self._seen) <= MOST and any(
            len(now) != len(was) or any(a is not b and not (type(a) is type(b) in PLAIN and a == b) for a, b in zip(now, was)) for read, _, was in self._places for now in (read(),))

    @contextlib.contextmanager
    def first(self) -> Iterator[None]:
        """For a time, all is what it was before the first call."""
        now = [read() for read, _, _ in self._places]
        try:
            for _, write, was in self._places:
                write(was)
            for cache in self._caches:
                cache.cache_clear()
            yield
        finally:
            for (_, write, _), parts in zip(self._places, now):
                write(parts)

    def _note(self, read: Callable[[], List[Any]], write: Callable[[List[Any]], Any]) -> List[Any]:
        parts = read()
        self._places.append((read, write, parts))
        return parts

    def _parts(self, x: Any) -> List[Any]:
        """What an object is made of. What may change is noted."""
        kind = type(x)
        if kind in (tuple, frozenset):
            return list(x)
        if isinstance(x, dict) and len(x) <= MOST and kind.__setitem__ in (dict.__setitem__, collections.OrderedDict.__setitem__):
            return self._note(lambda: [v for pair in x.items() for v in pair], lambda parts: _fill(x, parts))
        if kind is list and len(x) <= MOST:
            return self._note(lambda: list(x), lambda parts: x.__setitem__(slice(None), parts))
        if kind in (set, collections.deque) and len(x) <= MOST:
            return self._note(lambda: list(x), lambda parts: (x.clear(), x.update(parts) if kind is set else x.extend(parts)))
        if numpy is not None and kind is numpy.ndarray and x.size <= MOST and x.dtype.kind != "O" and x.flags.writeable:
            return self._note(lambda: [x.tobytes()], lambda parts: x.__setitem__(..., numpy.frombuffer(parts[0], x.dtype).reshape(x.shape)))
        if kind is CACHE:
            self._caches.append(x)
            return [x.__wrapped__]
        if kind is functools.partial:
            return [x.func, x.args, x.keywords]
        if kind in (types.MethodType, types.BuiltinMethodType, types.MethodWrapperType, staticmethod, classmethod):
            return [getattr(x, "__self__", None), getattr(x, "__func__", None)]
        if kind is types.FunctionType and not _is_library(x):
            return [x.__defaults__, x.__kwdefaults__, vars(x), *self._variables(x)]
        if isinstance(x, type):
            return [] if _is_library(x) else [*vars(x).values(), *self._attributes(x, [name for name, v in vars(x).items() if not callable(v) and not hasattr(type(v), "__get__") and name[:2] != "__"])]
        if kind is not types.SimpleNamespace and _is_library(kind):
            return []
        slots = [name for base in kind.__mro__ if not _is_library(base) for name, v in vars(base).items() if type(v) is types.MemberDescriptorType]
        return [kind, *([vars(x)] if hasattr(x, "__dict__") else []), *self._attributes(x, slots)]

    def _attributes(self, x: Any, names: List[str]) -> List[Any]:
        """The values of attributes of an object or a class, by the names that these have there."""
        here = [name for name in names if hasattr(x, name)]
        write = type.__setattr__ if isinstance(x, type) else object.__setattr__  # whatever the class forbids, as one that is frozen
        return self._note(lambda: [getattr(x, name, None) for name in here], lambda parts: [write(x, name, part) for name, part in zip(here, parts)]) if here else []

    def _variables(self, f: Any) -> List[Any]:
        """The values of the variables around a function. Only data are noted, since functions and generators of modules have stand-ins for a time."""
        values, codes, names = [], [f.__code__], set()  # type: List[Any], List[Any], Any
        for code in codes:
            names.update(code.co_names)
            codes += [part for part in code.co_consts if type(part) is types.CodeType]
        held = f.__globals__
        for name in names & held.keys():
            values += self._variable(held[name], lambda n=name: [held[n]], lambda parts, n=name: held.__setitem__(n, parts[0]))  # type: ignore[misc]
        for cell in f.__closure__ or ():
            with contextlib.suppress(ValueError):  # an empty one
                values += self._variable(cell.cell_contents, lambda c=cell: [c.cell_contents], lambda parts, c=cell: setattr(c, "cell_contents", parts[0]))  # type: ignore[misc]
        return values

    def _variable(self, value: Any, read: Callable[[], List[Any]], write: Callable[[List[Any]], Any]) -> List[Any]:
        kind = type(value)
        if kind in PLAIN or not callable(value) and (not _is_library(kind) or kind in (dict, list, set, tuple, frozenset, collections.deque) or numpy is not None and kind is numpy.ndarray):
            self._note(read, write)
        return [value]
