"""The largest of many numbers, each of which is a monotone function of a uniform float of its own, as the largest of logits with noise.

The noise is the same function for all. Its values are counted, and those of each number that can matter are put in order, by the floats that the numbers are.
T, the product of the probabilities that each number is below a value, rises at each of them, by the probability that it is the largest.
"""
from __future__ import annotations

import math
import sys
import time
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

import numpy

FEWEST = 5  # numbers; for fewer of them all values of all are looked at
EVENTS = 2**22  # values of all numbers that are put in order at once
CELLS = 2**22  # floats of which each has a place; where there are more, only those that occur
COARSE = math.exp(-10.0)  # where T is less, the order is not looked at, but for steps of log T
STEP = 0.005  # that are this, and larger as T falls
LEAST = 1e-20  # what is less of T is only bounded
CHUNK = 2**17
ROUNDING = 1e-10
EVERY = 5.0  # seconds from one line of progress to the next


class Draw:
    """Uniform whole numbers below n, which are made sources of their own only if they are asked for one by one."""

    def __init__(self, n: int, name: Any, value: Callable[[Any], Any], shape: Tuple[int, ...]) -> None:
        self.n, self.name, self.value, self.shape = n, name, value, shape
        self.sources: Optional[List[Any]] = None
        self.spent: Optional[Callable[[], Any]] = None

    def example(self) -> Any:
        if self.sources is not None:
            return numpy.array([source.example() for source in self.sources])
        return numpy.full(self.shape, (self.n - 1) // 2) if self.spent is None else self.spent()


class Operation(NamedTuple):
    """An elementwise operation of which one input is random; the others are numbers, or an array of them."""

    name: Any
    f: Callable[..., Any]
    inputs: List[Any]
    kind: Any
    cast: Callable[..., Any]
    constants: List[Any]

    def key(self) -> Any:
        return self.name, tuple(None if c is None else (c.dtype.char, c.shape, c.tobytes()) for c in self.constants)

    def is_common(self) -> bool:
        return all(c is None or c.size == 1 for c in self.constants)

    def at(self, values: Any, j: Any) -> Any:
        return self.cast(*(values if c is None else c if c.size == 1 else c[j] for c in self.constants))

    def is_monotone(self) -> bool:
        if self.name[0] == "where":
            return self.constants[0] is not None
        return self.name[0] in MONOTONE and self.kind.kind == "f" and (self.name[0] != "astype" or self.name[1] in "fd")


MONOTONE = {"astype", *(getattr(numpy, name) for name in "add subtract multiply divide negative positive maximum minimum fmax fmin".split())}  # also as they are rounded


class Many:
    """What operations make of each of some uniform numbers."""

    def __init__(self, draw: Draw, operations: Tuple[Operation, ...]) -> None:
        self.draw, self.operations = draw, operations

    def then(self, name: Any, f: Callable[..., Any], inputs: List[Any], kind: Any, cast: Callable[..., Any], kinds: List[Any], own: type) -> Many:
        constants = [None if type(value) is own else numpy.atleast_1d(numpy.asarray(value).astype(to)) for value, to in zip(inputs, kinds)]
        return Many(self.draw, (*self.operations, Operation(name, f, inputs, kind, cast, constants)))

    def race(self, home: Any) -> Optional[int]:
        """The place of the largest number, by a choice; None if it is not known how."""
        run = home.tree.run
        run.alive()
        if self.draw.sources is not None or self.draw.spent is not None:
            return None
        key = ("many", self.draw.n, self.draw.name, self.draw.shape, *(operation.key() for operation in self.operations))
        found: Optional[Count] = home.once(key, lambda: counted(home, self))
        if found is None:
            return None
        i: int = run.decide(found.chances)
        if i == len(found.low):
            home.tree.raced.append(run.p)
            run.lose()
        run.loose *= found.high[i] / found.low[i]
        home.tree.loosest = max(home.tree.loosest, run.loose, found.loosest)
        count = found
        self.draw.spent = lambda: count.example(i)
        return i


class Count(NamedTuple):
    low: List[float]
    high: List[float]
    chances: List[float]  # with the rest, if there is one
    loosest: float
    tops: Any
    others: List[Tuple[int, int]]
    top: int

    def example(self, i: int) -> Any:
        """Uniform numbers with which one is the first of the largest: it has its best value, and all others one that is surely less."""
        k = numpy.full(len(self.low), next((k for most, k in self.others if most < self.tops[i]), self.others[-1][1]))
        k[i] = self.top
        return k


def keys(values: Any) -> Any:
    """Whole numbers in the order of floats, in which NaN is above all."""
    whole = numpy.dtype("i%d" % values.dtype.itemsize)
    k = (values + values.dtype.type(0)).view(whole)
    k ^= (k >> (8 * values.dtype.itemsize - 1)) & numpy.iinfo(whole).max
    if not values[-1] == values[-1] or not values[0] == values[0] or numpy.isnan(values).any():
        k[numpy.isnan(values)] = numpy.iinfo(whole).max
    return k.astype(numpy.int64)


def counted(home: Any, many: Many) -> Optional[Count]:
    shared = 0
    while shared < len(many.operations) and many.operations[shared].is_common():
        shared += 1
    tail, n, size, run = many.operations[shared:], many.draw.n, many.draw.shape[0], home.tree.run
    if not all(operation.is_monotone() for operation in tail):
        return None
    noise = []
    for start in range(0, n, CHUNK):
        v = many.draw.value(numpy.arange(start, min(n, start + CHUNK), dtype=numpy.int64))
        for operation in many.operations[:shared]:
            v = operation.at(v, None)
        noise.append(v)
        run.in_time()
    drawn = numpy.concatenate(noise)
    del noise
    if drawn.dtype.char not in "fd" or numpy.isnan(drawn).any():
        return None
    z = drawn if (drawn[1:] >= drawn[:-1]).all() else drawn[::-1] if (drawn[1:] <= drawn[:-1]).all() else numpy.sort(drawn)
    starts = numpy.append(0, numpy.flatnonzero(z[1:] != z[:-1]) + 1)
    z, cum = z[starts], numpy.append(starts, n)
    del starts

    def score(values: Any, j: Any) -> Any:
        for operation in tail:
            values = operation.at(values, j)
        return values

    def at(places: Any) -> Any:
        """The keys of all numbers at places of the noise."""
        return keys(numpy.broadcast_to(score(z[numpy.broadcast_to(places, size)], slice(None)), size).copy())

    def below(key: int, high: Any) -> Any:
        """How many values of the noise make each number less than that of a key, if it is known how many do at most."""
        low, high = numpy.zeros(size, numpy.int64), high.copy()
        while (low < high).any():
            middle = (low + high) // 2
            less = at(numpy.minimum(middle, len(z) - 1)) < key
            low, high = numpy.where(less & (low < high), middle + 1, low), numpy.where(less, high, middle)
        return low

    dtype = score(z[:1], slice(0, 1)).dtype
    if len(z) < 2 or dtype.char not in "fd":
        return None
    if (at(len(z) - 1) < at(0)).any():
        z, cum = z[::-1].copy(), n - cum[::-1]
    least, tops = at(0), at(len(z) - 1)
    if (tops < least).any():
        return None
    others = [(int(at(place).max()), int(numpy.flatnonzero(drawn == z[place])[0])) for place in [len(z) >> i for i in range(1, 26, 3)] + [0]]
    top = int(numpy.flatnonzero(drawn == z[-1])[0])
    del drawn
    rises = numpy.diff(cum) / numpy.maximum(cum[:-1], 1)
    steps = numpy.log1p(rises)
    bottom, edge, infinite = int(least.max()), int(tops.max()) + 1, int(keys(numpy.full(1, numpy.inf, dtype))[0])
    ends = bottom, infinite, infinite + 1, numpy.iinfo("i%d" % dtype.itemsize).max
    low, more, coarse = numpy.zeros(size), numpy.zeros(size), COARSE if n * size > EVENTS else LEAST
    after, T, width, says = numpy.full(size, len(z)), 1.0, CELLS << (29 if dtype.char == "d" else 0), time.monotonic() + EVERY

    def in_order(start: int, before: Any, under: float) -> None:
        """Adds what wins from a key to the edge. T rises value by value, and of equal numbers the first wins: those after it come before."""
        js, most = numpy.flatnonzero(after > before)[::-1], edge - start
        if not len(js):
            return
        parts, cells = [slice(before[j], after[j]) for j in js], []  # type: List[Any], List[Any]
        for j, part in zip(js, parts):
            cells.append(keys(score(z[part], slice(j, j + 1))) - start)
            run.in_time()
        if most > min(CELLS, 64 * sum(map(len, cells))):  # each value has its rank instead
            values = numpy.concatenate(cells)
            order = numpy.argsort(values, kind="stable")
            values[order] = numpy.cumsum(numpy.append(False, numpy.diff(values[order]) > 0))
            most, cells = int(values[order[-1]]) + 1, numpy.split(values, numpy.cumsum([len(cell) for cell in cells])[:-1])
        t = numpy.zeros(most + 1)
        for i, (part, cell) in enumerate(zip(parts, cells)):
            step, is_new = steps[part], cell[1:] != cell[:-1]
            if not is_new.all():
                starts = numpy.append(0, numpy.flatnonzero(is_new) + 1)
                cells[i], step, parts[i] = cell[starts], numpy.add.reduceat(step, starts), numpy.append(starts + part.start, part.stop)
            t[1:][cells[i]] += step
            run.in_time()
        t = under * numpy.exp(numpy.cumsum(t, out=t))
        for j, part, cell in zip(js, parts, cells):
            won = t[cell]
            won *= rises[part] if type(part) is slice else numpy.diff(cum[part]) / cum[part[:-1]]
            low[j] += won.sum()
            t[cell] += won
            run.in_time()

    while edge > bottom and T > LEAST:
        start = max(edge - width, *(end for end in ends if end < edge))
        before = below(start, after)
        A, B = cum[after] / n, cum[before] / n
        with numpy.errstate(divide="ignore"):
            under = math.exp(numpy.log(B).sum())
        load = math.log(T / under) if under else math.inf
        if T > coarse:
            load = max(load, (after - before).sum() / EVENTS)
            if dtype.char == "f" and load > 0.02:
                load = max(load, (edge - start) / CELLS)
        else:
            load /= STEP * math.sqrt(coarse / T)
        if load > 1 and edge - start > 1:
            width = max(1, int((edge - start) * max(0.1, 0.8 / load)))
            continue
        if edge - start == 1:  # one value: of those that have it the first wins
            low += numpy.append(1.0, numpy.cumprod(B)[:-1]) * (A - B) * numpy.append(numpy.cumprod(A[::-1])[-2::-1], 1.0)
        elif T > coarse:
            in_order(start, before, under)
        else:
            won = (A - B) * under / B
            low += won
            more += (A - B) * T / A - won
        width = max(1, int(width * min(4, 0.8 / max(load, 0.2))))
        edge, after, T = start, before, under
        if time.monotonic() > says:
            says = time.monotonic() + EVERY
            print("breadboard.law: %.3g of the probabilities of which of %d random numbers is the largest is counted" % (1 - T, size), file=sys.stderr, flush=True)
    if edge > bottom:
        more += numpy.where(after > 0, T, 0.0)
    high = (low + more) * (1 + ROUNDING)
    rest = 1 - math.fsum(low.tolist())
    chances = low.tolist() + ([rest] if rest > 1e-14 * size else [])
    loosest = float((high[low > 0] / low[low > 0]).max(initial=1.0))
    return Count(low.tolist(), high.tolist(), chances, loosest, tops, others, top)
