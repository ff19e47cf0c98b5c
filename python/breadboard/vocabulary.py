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
MOST_CELLS = 2**25  # of values next to each other; if each is one float, the probabilities are exact
ENDS = 15.0  # values at which log T is less than minus this are only bounded
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


def floated(key: int, dtype: Any) -> Any:
    """The float of a key that is none of NaN."""
    whole = numpy.dtype("i%d" % dtype.itemsize)
    return numpy.array([key ^ (numpy.iinfo(whole).max if key < 0 else 0)]).astype(whole).view(dtype)[0]


def counted(home: Any, many: Many) -> Optional[Count]:
    shared = 0
    while shared < len(many.operations) and many.operations[shared].is_common():
        shared += 1
    tail, n, size = many.operations[shared:], many.draw.n, many.draw.shape[0]
    if not all(operation.is_monotone() for operation in tail):
        return None
    noise = []
    for start in range(0, n, CHUNK):
        v = many.draw.value(numpy.arange(start, min(n, start + CHUNK), dtype=numpy.int64))
        for operation in many.operations[:shared]:
            v = operation.at(v, None)
        noise.append(v)
        home.tree.run.in_time()
    all_noise = numpy.concatenate(noise)
    if all_noise.dtype.char not in "fd" or numpy.isnan(all_noise).any():
        return None
    order = all_noise if (all_noise[1:] >= all_noise[:-1]).all() else all_noise[::-1] if (all_noise[1:] <= all_noise[:-1]).all() else numpy.sort(all_noise)
    starts = numpy.append(0, numpy.flatnonzero(order[1:] != order[:-1]) + 1)
    z, counts = order[starts], numpy.diff(numpy.append(starts, n)).astype(float)
    del noise, order, starts

    def score(values: Any, j: Any) -> Any:
        for operation in tail:
            values = operation.at(values, j)
        return values

    def at(place: Any) -> Any:
        """The keys of all numbers at a place, or at places, of the noise."""
        values = score(z[numpy.broadcast_to(place, size)], slice(None))
        return keys(numpy.broadcast_to(values, size).copy()) if values.dtype.char in "fd" else None

    zero = int(numpy.searchsorted(z, 0))
    if len(z) < 2 or at(0) is None:
        return None
    if (at(len(z) - 1) < at(0)).any():
        z, counts, zero = z[::-1].copy(), counts[::-1].copy(), len(z) - 1 - zero
    samples = [at(place) for place in sorted({min(max(place, 0), len(z) - 1) for place in (0, 1, zero - 1, zero, zero + 1, len(z) - 3, len(z) - 2, len(z) - 1)})]
    infinite = int(keys(score(z[:1], slice(0, 1)) * 0 + numpy.inf)[0]) if samples[0] is not None else 0
    if any((after < before).any() for before, after in zip(samples, samples[1:])):
        return None
    cum = numpy.append(0.0, numpy.cumsum(counts))

    def places(key: int) -> Any:
        """How many values of the noise make each number less than that of a key."""
        low, high = numpy.zeros(size, numpy.int64), numpy.full(size, len(z))
        while (low < high).any():
            middle = (low + high) // 2
            less = at(numpy.minimum(middle, len(z) - 1)) < key
            low, high = numpy.where(less & (low < high), middle + 1, low), numpy.where(less, high, numpy.minimum(middle, high))
        return low

    def logs(key: int) -> float:
        with numpy.errstate(divide="ignore"):
            return float(numpy.log(cum[places(key)] / n).sum())

    tops, least = samples[-1], int(samples[0].max())
    base, above = least + 1, int(tops.max()) + 1
    while base < above:
        middle = (base + above) // 2
        base, above = (base, middle) if logs(middle) >= -ENDS else (middle + 1, above)
    base = max(base - 1, least + 1)  # where T jumps over the limit
    finite = max(int(sample[sample < infinite].max(initial=base)) for sample in samples)
    exact = bool(((samples[-3 if len(samples) > 2 else 0] < infinite) | (samples[0] == samples[-1])).all())
    shift = max(0, (finite - base).bit_length() - MOST_CELLS.bit_length() + 1)
    linear = shift > 0 and base <= 0 <= finite  # floats next to zero are too many to be told apart
    lowest, highest = (float(floated(key, z.dtype if not tail else score(z[:1], slice(0, 1)).dtype)) for key in (base, finite))
    scale = (MOST_CELLS - 2**16) / max(highest - lowest, 1e-300)
    cap, exact = MOST_CELLS if linear else (finite - base) >> shift, exact and not shift
    begins, T = places(base), numpy.zeros(cap + 4)

    with numpy.errstate(divide="ignore"):
        ratio = counts / cum[:-1]
        step = numpy.log1p(ratio)
    T[0] = numpy.log(cum[begins] / n).sum()
    todo, done, says = 2 * float((len(z) - begins).sum()) + size, 0.0, time.monotonic() + EVERY

    def events(j: int) -> Any:
        """The noise that matters for a number, and the cells of its values, in parts."""
        nonlocal done, says
        for a in range(int(begins[j]), len(z), CHUNK):
            b = min(len(z), a + CHUNK)
            v = score(z[a:b], slice(j, j + 1))
            k = keys(v)
            cell = numpy.fmin((v.astype(float) - lowest) * scale, cap).astype(numpy.int64) if linear else (k - base) >> shift
            if k[-1] > finite:
                cell = numpy.where(k >= infinite, cap + 1 + (k > infinite), numpy.minimum(cell, cap))
            gap = int((cell[1:] - cell[:-1]).min(initial=1))
            if gap < 0:
                raise ValueError
            yield a, b, cell, None if gap else numpy.append(0, numpy.flatnonzero(cell[1:] != cell[:-1]) + 1)
            done += b - a
            home.tree.run.in_time()
            if time.monotonic() > says:
                says = time.monotonic() + EVERY
                print("breadboard.law: %.0f %% of the values that decide which of %d random numbers is the largest are counted" % (100 * done / todo, size), file=sys.stderr, flush=True)

    low, high = numpy.zeros(size), numpy.zeros(size)
    try:
        for j in range(size):
            for a, b, cell, runs in events(j):
                if runs is None:
                    T[1:][cell] += step[a:b]
                else:
                    T[1:][cell[runs]] += numpy.add.reduceat(step[a:b], runs)
        numpy.exp(numpy.cumsum(T, out=T), out=T)
        bound = T[0]
        for j in reversed(range(size)):  # of equal numbers the first wins: those after it are no larger
            for a, b, cell, runs in events(j):
                if not exact:
                    low[j] += T[cell] @ ratio[a:b]
                    high[j] += T[1:][cell] @ (counts[a:b] / cum[a + 1 : b + 1])
                    continue
                rises = ratio[a:b]
                if runs is not None:
                    cell, rises = cell[runs], numpy.add.reduceat(counts[a:b], runs) / cum[a:b][runs]
                t = T[cell]
                low[j] += t @ rises
                T[cell] = t + t * rises
    except ValueError:
        return None
    high = numpy.maximum(low, high) * (1 + ROUNDING)
    edge, after, t, width = base, begins, float(bound), 2**14
    while edge > least:  # below, by bounds
        edge = max(least, edge - width)
        before, width = places(edge), 2 * width
        with numpy.errstate(divide="ignore", invalid="ignore"):
            high += numpy.where(after > before, (cum[after] - cum[before]) / cum[after] * t, 0.0)
            t = math.exp(numpy.log(cum[before] / n).sum())
        after = before
    rest = 1 - math.fsum(low.tolist())
    chances = low.tolist() + ([rest] if rest > 1e-14 * size else [])
    others = [(int(at(place).max()), int(numpy.flatnonzero(all_noise == z[place])[0])) for place in (len(z) >> i for i in range(1, 26, 3))]
    others.append((0, int(numpy.flatnonzero(all_noise == z[0])[0])))
    loosest = float((high[low > 0] / low[low > 0]).max(initial=1.0))
    return Count(low.tolist(), high.tolist(), chances, loosest, tops, others, int(numpy.flatnonzero(all_noise == z[-1])[0]))
