"""What functions keep from call to call, in what they reach: containers, attributes, and
variables of the functions and the module around them.

What files and C code keep is not seen here.
"""
from __future__ import annotations

import collections
import contextlib
import contextvars
import datetime
import functools
import gc
import random
import sys
import threading
import time
import types
import weakref
from typing import Any, Callable, Dict, Iterator, List, Tuple

from .generators import GENERATORS, SYSTEM, UNCHANGED, is_library
from .._numpy import numpy

MOST = 1000  # objects that are gone through, and parts of one of them; beyond it nothing is known
# Packages whose objects bring values from other threads
THREADS = frozenset("queue _queue concurrent multiprocessing asyncio".split())
# Modules whose objects hold those of functions
HOLDERS = frozenset(
    "builtins itertools functools collections queue _queue _contextvars _thread".split())
# What leads to all there is
CLOSED = types.ModuleType, types.FunctionType, types.CodeType, types.FrameType, types.TracebackType
CLOCKS: List[Any] = [time, datetime, datetime.datetime, datetime.date]
CACHE = type(functools.lru_cache(len))
PLAIN = UNCHANGED | {type(None)}


def _fill(x: Any, parts: List[Any]) -> None:
    x.clear()
    for key, value in zip(parts[::2], parts[1::2]):
        x[key] = value


# How the parts of an object are read and written, and what they were
Place = Tuple[Callable[[], List[Any]], Callable[[List[Any]], Any], List[Any]]


def _cell(cell: Any) -> Tuple[Callable[[], List[Any]], Callable[[List[Any]], Any]]:
    """How the variable of a closure is read and written."""
    return lambda: [cell.cell_contents], lambda parts: setattr(cell, "cell_contents", parts[0])


def _entry(of: Any, key: Any) -> Tuple[Callable[[], List[Any]], Callable[[List[Any]], Any]]:
    """How an entry of a dict is read and written."""
    return lambda: [of[key]], lambda parts: of.__setitem__(key, parts[0])


class State:
    """The contents of all that functions reach and can change, as they were when each function
    was added, before its first call.
    """

    def __init__(self) -> None:
        self._seen: Dict[int, Any] = {}
        self._places: List[Place] = []
        self._caches: List[Any] = []
        self.generators: List[Any] = []  # those that functions reach
        # Whether functions reach a clock, and what brings values from other threads
        self.has_clock, self.has_threads = False, False

    def add(self, f: Any) -> State:
        todo = collections.deque([f])
        while todo and len(self._seen) <= MOST:
            x = todo.popleft()  # the nearest first
            if id(x) not in self._seen:
                self._seen[id(x)] = x
                self.has_clock = self.has_clock or any(x is clock for clock in CLOCKS + SYSTEM)
                self.has_threads = (
                    self.has_threads or isinstance(x, threading.Thread)
                    or type(x).__module__.partition(".")[0] in THREADS
                )
                self.generators += (
                    [x] if isinstance(x, GENERATORS) else [random._inst] if x is random else []
                )
                todo += [part for part in self._parts(x) if type(part) not in PLAIN]
        self.generators += [x for x in todo if isinstance(x, GENERATORS)]
        return self

    def has_changed(self) -> bool:
        """Whether anything is not what it was. If too much can be reached, nothing is known."""
        return (
            len(self._seen) <= MOST
            and any(
                len(now) != len(was)
                    or any(
                        a is not b and not (type(a) is type(b) in PLAIN and a == b)
                        for a, b in zip(now, was)) for read, _, was in self._places
                for now in (read(),))
        )

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
        if (
            isinstance(x, dict) and len(x) <= MOST
            and kind.__setitem__ in (dict.__setitem__, collections.OrderedDict.__setitem__)
        ):
            return self._note(
                lambda: [v for pair in x.items() for v in pair], lambda parts: _fill(x, parts))
        if kind is list and len(x) <= MOST:
            return self._note(lambda: list(x), lambda parts: x.__setitem__(slice(None), parts))
        if kind in (set, collections.deque) and len(x) <= MOST:
            return self._note(
                lambda: list(x),
                lambda parts: (x.clear(), x.update(parts) if kind is set else x.extend(parts)))
        if (
            numpy is not None and kind is numpy.ndarray and x.size <= MOST and x.dtype.kind != "O"
            and x.flags.writeable
        ):
            return self._note(
                lambda: [x.tobytes()], lambda parts: x.__setitem__(
                    ..., numpy.frombuffer(parts[0], x.dtype).reshape(x.shape)))
        if kind is CACHE:
            self._caches.append(x)
            return [x.__wrapped__]
        if kind is functools.partial:
            return [x.func, x.args, x.keywords]
        if kind in (
            types.MethodType, types.BuiltinMethodType, types.MethodWrapperType, staticmethod,
            classmethod):
            return [getattr(x, "__self__", None), getattr(x, "__func__", None)]
        if kind is types.FunctionType and not is_library(x):
            return [x.__defaults__, x.__kwdefaults__, vars(x), *self._variables(x)]
        if isinstance(x, type):
            return (
                [] if is_library(x)
                else [
                    *x.__bases__, *vars(x).values(), *self._attributes(
                        x, [
                            name for name, v in vars(x).items()
                            if not callable(v) and not hasattr(type(v), "__get__")
                                and name[:2] != "__"])]
            )
        if kind is not types.SimpleNamespace and is_library(kind):
            return self._held(x, kind)
        slots = [
            name for base in kind.__mro__ if not is_library(base) for name, v in vars(base).items()
            if type(v) is types.MemberDescriptorType]
        return [
            kind, *([vars(x)] if hasattr(x, "__dict__") else []), *(
                gc.get_referents(x) if isinstance(x, (dict, list, tuple, set, collections.deque))
                else ()), *self._attributes(x, slots)]

    def _held(self, x: Any, kind: Any) -> List[Any]:
        """What an object of a library holds: all that is in a container or an iterator, if it is
        not too much; of others only generators among their attributes.
        """
        if kind is types.GeneratorType and x.gi_frame is not None:
            return list(x.gi_frame.f_locals.values())
        if kind is contextvars.ContextVar:
            return [x.get(None)]
        if isinstance(x, weakref.ref):
            return [x()]
        if numpy is not None and kind is numpy.ndarray:
            return list(x.ravel()) if x.dtype.kind == "O" and x.size <= MOST else []
        is_holder = kind.__module__ in HOLDERS and kind not in CLOSED
        parts = (
            gc.get_referents(x) if is_holder else list(getattr(x, "__dict__", {}).values())
            if kind not in CLOSED else []
        )
        return (
            parts if is_holder and len(parts) <= MOST
            else [part for part in parts if isinstance(part, GENERATORS)]
        )

    def _attributes(self, x: Any, names: List[str]) -> List[Any]:
        """The values of attributes of an object or a class, by the names that these have there."""
        here = [name for name in names if hasattr(x, name)]
        # Whatever the class forbids, as one that is frozen
        write = type.__setattr__ if isinstance(x, type) else object.__setattr__
        return (
            self._note(
                lambda: [getattr(x, name, None) for name in here],
                lambda parts: [write(x, name, part) for name, part in zip(here, parts)]) if here
            else []
        )

    def _variables(self, f: Any) -> List[Any]:
        """The values of the variables around a function. Only data are noted, since functions
        and generators of modules have stand-ins for a time.
        """
        values: List[Any] = []
        codes: List[Any] = [f.__code__]
        names: Any = set()
        for code in codes:
            names.update(code.co_names)
            codes += [part for part in code.co_consts if type(part) is types.CodeType]
        for cell in f.__closure__ or ():
            with contextlib.suppress(ValueError):  # an empty one
                values += self._variable(cell.cell_contents, *_cell(cell))
        # That it imports itself
        values += [
            sys.modules[name] for name in names & sys.modules.keys()
            if name in ("time", "datetime") or not is_library(name)]
        held = [f.__globals__]
        for scope in held:
            for name in names & scope.keys():
                values += self._variable(scope[name], *_entry(scope, name))
            held += [
                vars(x) for x in values
                if type(x) is types.ModuleType and not is_library(x)
                    and all(vars(x) is not one for one in held)]
        return values

    def _variable(
        self, value: Any, read: Callable[[], List[Any]], write: Callable[[List[Any]], Any],
    ) -> List[Any]:
        kind = type(value)
        if (
            kind in PLAIN
            or not callable(value)
                and (
                    not is_library(kind)
                    or kind in (dict, list, set, tuple, frozenset, collections.deque)
                    or numpy is not None and kind is numpy.ndarray)
        ):
            self._note(read, write)
        return [value]
