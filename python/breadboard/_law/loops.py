"""Loops that draw again until they accept, as sums of geometric series.

Where nothing that a loop sets outlives an iteration, each iteration begins in the same state:
a run that comes back to the beginning ends there, and all that happens in the loop happens as
often as it is begun. This is read from the bytecode. A loop that keeps something, or might,
is followed run by run.
"""
from __future__ import annotations

import builtins
import dis
import math
import operator
import random
import sys
import types
from collections import defaultdict
from fractions import Fraction
from functools import lru_cache
from typing import (
    Any, Callable, Dict, FrozenSet, Iterable, List, Mapping, NamedTuple, Optional, Set, Tuple,
    cast,
)

from .lanes import Column, each, lead
from .counters import Counter
from .._numpy import numpy

PLAIN = frozenset(
    (
        "NOP RESUME CACHE PRECALL PUSH_NULL POP_TOP COPY SWAP EXTENDED_ARG LOAD_CONST "
        "LOAD_SMALL_INT LOAD_DEREF LOAD_GLOBAL LOAD_ATTR LOAD_METHOD CALL CALL_KW CALL_FUNCTION "
        "CALL_FUNCTION_KW CALL_METHOD KW_NAMES COMPARE_OP IS_OP CONTAINS_OP TO_BOOL BUILD_TUPLE "
        "BUILD_LIST BUILD_SLICE BUILD_MAP BUILD_SET BUILD_STRING BUILD_CONST_KEY_MAP "
        "FORMAT_VALUE FORMAT_SIMPLE LIST_EXTEND LIST_APPEND LIST_TO_TUPLE UNPACK_SEQUENCE "
        "GET_ITER FOR_ITER END_FOR POP_ITER NOT_TAKEN MAKE_FUNCTION SET_FUNCTION_ATTRIBUTE "
        "LOAD_CLOSURE MAKE_CELL COPY_FREE_VARS RETURN_VALUE RETURN_CONST RETURN_GENERATOR "
        "YIELD_VALUE LOAD_ASSERTION_ERROR RAISE_VARARGS STORE_SUBSCR JUMP_FORWARD JUMP_ABSOLUTE "
        "JUMP_BACKWARD JUMP_IF_FALSE_OR_POP JUMP_IF_TRUE_OR_POP").split())
STARTS = ("LOAD_FAST", "STORE_FAST", "BINARY_", "UNARY_", "POP_JUMP_", "ROT_", "DUP_", "INPLACE_")
ENDS = (
    "RETURN_VALUE", "RETURN_CONST", "RAISE_VARARGS", "RERAISE", "JUMP_FORWARD", "JUMP_ABSOLUTE",
    "JUMP_BACKWARD")
# As the values of what is outside are compared
CHANGES = (
    "append add extend insert remove discard pop popitem update setdefault clear sort reverse "
    "fill put itemset shuffle permuted".split()
)
DRAWS = (
    "random uniform integers choice normal standard_normal exponential standard_exponential "
    "gamma standard_gamma beta logistic laplace gumbel cauchy standard_cauchy binomial geometric "
    "poisson permutation randint rand randn random_sample randrange sample choices gauss "
    "normalvariate expovariate betavariate gammavariate getrandbits triangular multinomial "
    "standard_t weibull bytes randbytes token_bytes token_hex urandom randbits randbelow "
    "_randbelow SystemRandom default_rng").split()
READS = (
    "array asarray arange zeros ones full empty where sum mean prod cumsum cumprod searchsorted "
    "argmax argmin argsort max min all any dot clip diff linalg norm outer size shape ndim T "
    "dtype astype item tolist copy get keys values items index count real float64 float32 int8 "
    "int16 int32 int64 uint8 uint16 uint32 uint64 bool_ pi e inf nan newaxis bincount nonzero "
    "flatnonzero from_bytes to_bytes hex").split()
PURE: List[Any] = [
    abs, all, any, bool, bytes, chr, complex, divmod, enumerate, float, int, len, list, max, min,
    ord, pow, range, reversed, round, set, sorted, str, sum, tuple, zip]
MOST_PARTS = 10_000  # of what is outside
STILL = (int, float, complex, bool, str, bytes, type(None), range, Fraction)


class Loop(NamedTuple):
    """A loop of a function that begins anew in each iteration: where its instructions are, and
    the names from outside that they use.
    """

    inside: FrozenSet[int]
    names: FrozenSet[str]
    globals: FrozenSet[str]
    counts: FrozenSet[str]  # local names that may be counters, which outlive an iteration


class Entry:
    """A loop that is begun at a node of the tree, with the probability of the node."""

    __slots__ = ("node", "p", "counts")

    def __init__(self, node: Any, p: Any) -> None:
        self.node, self.p, self.counts = node, p, False


Path = Tuple[Entry, ...]
LEAST = 1e-280  # the least probability with which a loop is begun or left


@lru_cache(maxsize=1024)
def attributes() -> FrozenSet[str]:
    ufuncs = (
        [] if numpy is None
        else [name for name in dir(numpy) if isinstance(getattr(numpy, name, None), numpy.ufunc)]
    )
    return frozenset(CHANGES + DRAWS + READS + dir(math) + ufuncs)


def names_of(instruction: Any) -> Tuple[str, ...]:
    return instruction.argval if isinstance(instruction.argval, tuple) else (instruction.argval,)


def uses(instruction: Any) -> List[Tuple[bool, str]]:
    """The local variables that an instruction sets, or reads, in order."""
    if "_FAST" not in instruction.opname:
        return []
    kinds = [word for word in instruction.opname.split("_") if word in ("LOAD", "STORE")]
    return list(zip([kind == "STORE" for kind in kinds], names_of(instruction)))


def judged(instructions: List[Any]) -> Optional[Tuple[FrozenSet[str], FrozenSet[str]]]:
    """Which names from outside of a function some of its instructions use, those of its closure
    and global ones; None if they may do what outlives them unseen.
    """
    names, outer = set(), set()
    for one in instructions:
        op = one.opname
        if (
            op not in PLAIN and not op.startswith(STARTS)
            or op in ("LOAD_ATTR", "LOAD_METHOD") and one.argval not in attributes()
        ):
            return None
        if op == "LOAD_GLOBAL":
            outer.add(one.argval)
        elif op == "LOAD_DEREF":
            names.add(one.argval)
        elif one.opcode in dis.hasconst and isinstance(one.argval, types.CodeType):
            inner = judged(list(dis.get_instructions(one.argval)))
            if inner is None:
                return None
            names, outer = names | (inner[0] - set(one.argval.co_cellvars)), outer | inner[1]
    return frozenset(names), frozenset(outer)


@lru_cache(maxsize=1024)
def loops_of(code: types.CodeType, counting: bool = False) -> Dict[int, Loop]:
    """The loops of a function none of whose variables outlives an iteration, but, if wanted,
    such as may be counters, by where they begin.
    """
    instructions = list(dis.get_instructions(code))
    at = {one.offset: k for k, one in enumerate(instructions)}
    jumps: Dict[int, int] = {
        one.offset: one.argval for one in instructions
        if one.opcode in dis.hasjrel or one.opcode in dis.hasjabs}
    heads = {to for offset, to in jumps.items() if to <= offset}
    if (
        not VERSIONS[0] <= sys.version_info[:2] <= VERSIONS[1] or not heads
        or getattr(code, "co_exceptiontable", None)
        or any(one.opname.startswith("SETUP_") for one in instructions)
    ):
        return {}
    after = {
        one.offset: [instructions[k + 1].offset]
            if k + 1 < len(instructions) and one.opname not in ENDS else []
        for k, one in enumerate(instructions)}
    for offset, to in jumps.items():
        after[offset].append(to)
    before: Dict[int, List[int]] = {offset: [] for offset in after}
    for offset, ways in after.items():
        for to in ways:
            before[to].append(offset)

    def reached(
        ways: Dict[int, List[int]], starts: List[int], ends: Callable[[int], bool],
    ) -> List[int]:
        found, seen = list(starts), set(starts)
        for offset in found:
            for to in () if ends(offset) else ways[offset]:
                if to not in seen:
                    seen.add(to)
                    found.append(to)
        return found

    def outlives(head: int, name: str) -> bool:
        first: Dict[int, Optional[bool]] = {
            offset: next(
                (stored for stored, used in uses(instructions[at[offset]]) if used == name), None)
            for offset in after}
        return any(
            first[offset] is False
            for offset in reached(after, [head], lambda offset: first[offset] is True))

    made = {}
    for head in heads:
        backs = [offset for offset, to in jumps.items() if to == head <= offset]
        inside = frozenset(reached(before, backs + [head], lambda offset: offset == head))
        body = [one for one in instructions if one.offset in inside]
        found, used = judged(body), [use for one in body for use in uses(one)]
        own = {name for stored, name in used if stored}
        ends = (
            instructions[at[head]].opname == "FOR_ITER"
            or any(one.opname == "YIELD_VALUE" for one in body)
        )
        counts = frozenset(name for name in own if outlives(head, name))
        if (
            found is not None and not ends and (counting or not counts)
            and all(used.count((True, name)) == used.count((False, name)) for name in counts)
        ):
            made[head] = Loop(
                inside, frozenset(name for _, name in used if name not in own) | found[0], found[1],
                counts)
    return made


READERS: List[Any] = [locals, vars, dir, eval, exec, globals, breakpoint, compile, __import__]
READ = frozenset(
    "_getframe currentframe _current_frames f_locals f_back gi_frame cr_frame tb_frame settrace "
    "setprofile set_trace getinnerframes getouterframes __builtins__ __getattribute__ "
    "import_module".split()).union(one.__name__ for one in READERS)
READING = frozenset("sys inspect builtins traceback pdb bdb gc ctypes importlib".split())
# Modules whose functions read no frames
KNOWN = frozenset("math random numpy breadboard builtins".split())
VERSIONS = (3, 10), (3, 14)  # of Python, whose bytecode is known


def reads_variables(
    code: types.CodeType, names: Mapping[str, Any], values: Iterable[Any], depth: int = 4,
) -> bool:
    """Whether a function, or what it may call, has a way to read variables that its instructions
    do not name, as by locals().
    """
    inner = [one for one in code.co_consts if isinstance(one, types.CodeType)]
    if (
        READ.intersection(code.co_names)
        or any(reads_variables(one, names, (), depth) for one in inner)
    ):
        return True
    found = [*values, *(names[name] for name in code.co_names if name in names)]
    for value in found:
        of = [value]
        if type(value) is types.ModuleType:
            if value.__name__ in READING:
                return True
            of = (
                [] if value.__name__.split(".")[0] in KNOWN
                else [vars(value)[name] for name in code.co_names if name in vars(value)]
            )
        elif not isinstance(value, (types.FunctionType, types.MethodType)):
            kind = value if isinstance(value, type) else type(value)
            of = (
                [value] if kind.__module__.split(".")[0] in KNOWN
                else [value, *(one for base in kind.__mro__[:-1] for one in vars(base).values())]
            )
        for one in of:
            one = getattr(one, "__func__", getattr(one, "func", one))
            if any(one is reader for reader in READERS) or getattr(one, "__name__", None) in READ:
                return True
            if (
                isinstance(one, types.FunctionType) and one.__code__ is not code
                and (one.__module__ or "").split(".")[0] not in KNOWN
            ):
                cells = [
                    cell.cell_contents for cell in one.__closure__ or () if cell != type(cell)()]
                if not depth or reads_variables(one.__code__, one.__globals__, cells, depth - 1):
                    return True
    return False


def whiles_of(code: types.CodeType) -> List[Any]:
    """The jumps back of a function that are no for loop's."""
    at = {one.offset: one for one in dis.get_instructions(code)}
    return [
        one for one in at.values()
        if (one.opcode in dis.hasjrel or one.opcode in dis.hasjabs) and one.argval <= one.offset
            and at[one.argval].opname != "FOR_ITER"]


def has_loops(f: Any, of: Callable[[types.CodeType], Any] = loops_of, depth: int = 4) -> bool:
    """Whether a function, or one that it names, has loops of a kind."""
    f = getattr(f, "__func__", getattr(f, "func", f))
    code = getattr(f, "__code__", None)
    if code is None or not depth:
        return False
    cells = [cell.cell_contents for cell in f.__closure__ or () if cell != type(cell)()]
    named = [f.__globals__[name] for name in code.co_names if name in f.__globals__] + [
        inner for inner in code.co_consts if isinstance(inner, types.CodeType)]
    return any(
        len(of(one)) > 0 if isinstance(one, types.CodeType)
            else isinstance(one, types.FunctionType) and has_loops(one, of, depth - 1)
        for one in [code, *named, *cells])


class Same:
    """An object that is equal to itself alone, and lives as long as it is compared, so that no
    other one has its id.
    """

    __slots__ = ("one",)

    def __init__(self, one: Any) -> None:
        self.one = one

    def __eq__(self, other: Any) -> bool:
        return type(other) is Same and self.one is other.one


class Unseen(Exception):
    """A value may become another one without being seen."""


def seen(value: Any, own: Callable[[Any], bool], known: FrozenSet[int] = frozenset()) -> Any:
    """What a value from outside of a loop is, to be compared with what it is later."""
    kind = type(value)
    if kind in STILL:
        return kind, repr(value) if kind in (float, complex) else value
    if (
        numpy is not None and kind is numpy.ndarray and not value.dtype.hasobject
        and value.size <= MOST_PARTS
    ):
        return value.shape, value.dtype, value.tobytes()

    def all_of(parts: Iterable[Any]) -> Tuple[Any, ...]:
        inside = known | {id(value)}
        return tuple(seen(part, own, inside) for part in parts)

    if kind is Column or own(value) or any(value is pure for pure in PURE) or id(value) in known:
        return Same(value)
    if kind in (list, dict, set, tuple, frozenset) and len(value) <= MOST_PARTS:
        return kind, all_of(
            part for pair in value.items() for part in pair) if kind is dict else all_of(value)
    if (
        kind is types.ModuleType
        and value.__name__ in ("math", "random", "numpy", "numpy.random", "secrets", "os")
    ):
        return Same(value)
    if kind is random.SystemRandom or kind is type and value is random.SystemRandom:
        return Same(value), all_of(vars(value).values()) if kind is random.SystemRandom else ()
    if kind is types.FunctionType and value.__module__ == "secrets":
        return Same(value)
    if kind is types.FunctionType and not value.__dict__ and not value.__code__.co_cellvars:
        names = judged(list(dis.get_instructions(value.__code__)))
        cells = [cell.cell_contents for cell in value.__closure__ or () if cell != type(cell)()]
        if names is not None and len(cells) == len(value.__code__.co_freevars):
            return (
                Same(value), all_of(
                    [
                        value.__defaults__, value.__kwdefaults__, *cells,
                        *(
                            value.__globals__.get(name, vars(builtins).get(name))
                            for name in names[1])])
            )
    if kind in (types.MethodType, types.BuiltinFunctionType) and value.__name__ in attributes():
        return value.__name__, all_of([value.__self__])
    if numpy is not None and kind is numpy.ndarray and value.size <= MOST_PARTS:
        return value.shape, value.dtype, all_of(value.flat)
    if (
        numpy is not None
        and (
            kind is numpy.ufunc
            or isinstance(value, numpy.generic) and kind.__module__ == "numpy"
                and kind is not numpy.void)
    ):
        return Same(value)
    raise Unseen


LATER: Any = "later",
LARGE = 1000  # parts and bytes


def _size(x: Any) -> int:
    return sum(map(_size, x)) + 1 if type(x) is tuple else len(x) if type(x) is bytes else 1


class Watch:
    """Follows the frames of a run that have such loops, of which call is the trace."""

    def __init__(self, counting: bool = False) -> None:
        self.counting = counting
        self.entered: Dict[Tuple[int, int], Entry] = {}
        self.paths: Dict[int, Tuple[Any, Path]] = {}
        self.reads: Dict[types.CodeType, bool] = {}
        # Loops that use much from outside, which is gone through only if a run comes back to their
        # beginning
        self.large: Set[Tuple[types.CodeType, int]] = set()
        # At which entries it is gone through, in a run of a node that was ended for that
        self.wanted: Dict[int, Tuple[Any, List[Entry]]] = {}

    def begin(self, run: Any, own: Callable[[Any], bool]) -> None:
        """Prepares for a run. What is its own are the generators and random numbers of a law."""
        self.run, self.own = run, own

    def call(self, frame: Any, event: str, _: Any) -> Any:
        loops = loops_of(frame.f_code, self.counting)
        if not loops:
            return None
        if frame.f_code not in self.reads:
            self.reads[frame.f_code] = reads_variables(
                frame.f_code, frame.f_globals, frame.f_locals.values())
        if self.reads[frame.f_code]:
            return None
        active: Dict[int, Tuple[Entry, Any, Any, Dict[str, Any]]] = {}

        def trace(frame: Any, event: str, _: Any) -> Any:
            at = frame.f_lasti
            for head in [head for head in active if at not in loops[head].inside]:
                del active[head]
            if event == "line" and at in loops:
                entry, count, before, begun = cast(Any, active.pop(at, (None, (0, 0), [], {})))
                place, wanted = (frame.f_code, at), self.wanted.get(
                    id(self.run.node), (None, []))[1]
                if place in self.large and (entry is None or before[0] == LATER):
                    if (
                        entry is not None and self.run.at >= len(self.run.prefix)
                        and before[1:] == [*map(Same, self.run.known_of_numbers(*count))]
                    ):
                        self.wanted.setdefault(
                            id(self.run.here()), (self.run.here(), []))[1].append(entry)
                        self.run.run_again()
                    entry, outside = None, LATER if self._next() not in wanted else self._outside(
                        frame, loops[at])
                else:
                    outside = self._outside(frame, loops[at])
                    if outside is not None and _size(outside) > LARGE:
                        self.large.add(place)
                if outside is None and place in self.large:
                    outside = (object(),)  # it is entered in each run, and never the same
                counts = {name: frame.f_locals.get(name) for name in loops[at].counts}
                if (
                    outside is not None and LEAST < lead(self.run.p)
                    and all(type(value) in (int, Counter) for value in counts.values())
                ):
                    if (
                        entry is not None
                        and before == [outside, *map(Same, self.run.known_of_numbers(*count))]
                    ):
                        self.run.come_back(
                            entry, {
                                name: self._step(value - begun[name])
                                for name, value in counts.items()})
                    count, entry = self.run.count(), self._enter()
                    begun = {
                        name: Counter(self.run.tree, 0, {(entry, name): 1}) + value
                        for name, value in counts.items()}
                    active[at] = (
                        entry, count, [outside, *map(Same, self.run.known_of_numbers(*count))],
                        begun
                    )
                    entry.counts = len(begun) > 0
                    frame.f_locals.update(begun)
            return trace

        return trace

    def _step(self, of: Counter) -> int:
        if of.terms:
            raise self.run.tree.uncount()
        return of.c

    def _outside(self, frame: Any, loop: Loop) -> Optional[Tuple[Any, ...]]:
        """What is outside of a loop, as far as it uses it; None if it may change unseen."""
        values = frame.f_locals
        used = [values[name] for name in sorted(loop.names) if name in values] + [
            frame.f_globals.get(name, frame.f_builtins.get(name)) for name in sorted(loop.globals)]
        try:
            return tuple(seen(value, self.own) for value in used)
        except Unseen:
            return None

    def _next(self) -> Entry:
        """The entry at which a loop is begun now."""
        run = self.run
        node = run.here()
        return self.entered.setdefault(
            (id(node), sum(entry.node is node for entry in run.path)), Entry(node, run.p))

    def _enter(self) -> Entry:
        entry = self._next()
        self.run.path += (entry,)
        return entry

    def path(self, node: Any) -> Path:
        """The loops that are begun on the way to a node, at none of which it is itself."""
        above: List[Any] = []
        while self.entered and node is not None and id(node) not in self.paths:
            above.append(node)
            node = node[0]
        for one in reversed(above):
            (_, path), k = self.paths.get(id(one[0]), (None, ())), 0
            while (entry := self.entered.get((id(one[0]), k))) is not None:
                path, k = path + (entry,), k + 1
            self.paths[id(one)] = one, path  # with the node, so that no other one has its id
            node = one
        return self.paths.get(id(node), (None, ()))[1]

    def weights(
        self, ends: Iterable[Tuple[Any, Path]], backs: List[Any],
        total: Callable[[Iterable[Any]], Any],
    ) -> Tuple[Callable[[Path], Any], List[Tuple[Any, Path]]]:
        """How often what happens on a path does, from all that ends outside of its loops and all
        that comes back to one; and what begins loops that hardly ever end.
        """
        masses: Dict[Any, List[Any]] = defaultdict(list)
        for p, path, *back in [*ends, *backs]:
            if path:
                masses[path, back[0] if back else None].append(p)
        sums: List[Tuple[Path, Any, Any]] = [
            (path, back, total(ps)) for (path, back), ps in masses.items()]
        times: Dict[Entry, Any] = {}
        endless: List[Tuple[Any, Path]] = []
        for depth in range(max((len(path) for path, _, _ in sums), default=0) - 1, -1, -1):
            leave: Dict[Entry, List[Any]] = {
                path[depth]: [] for path, _, _ in sums if len(path) > depth}
            above = {path[depth]: path[:depth] for path, _, _ in sums if len(path) > depth}
            still: List[Tuple[Path, Any, Any]] = []
            for path, back, p in sums:
                if len(path) <= depth or path[depth] is not back:
                    still.append((path, back, p))
                    if len(path) > depth:
                        leave[path[depth]].append(each(operator.truediv, p, path[depth].p))
            for entry, shares in leave.items():
                share = total(shares) if shares else 0
                never = lead(share) < LEAST
                times[entry] = 0 if never else each(lambda left: 1 / left, share)
                if never:
                    endless.append((entry.p, above[entry]))
                    still.append((above[entry], None, entry.p))
            sums = [
                (path, back, p * times[path[depth]] if len(path) > depth else p)
                for path, back, p in still]

        def weight(path: Path) -> Any:
            product: Any = 1
            for entry in path:
                product = product * times[entry]
            return product

        return weight, endless


NO_LOOPS = Watch()  # of a function without such loops, which enters none
