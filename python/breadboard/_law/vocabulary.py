"""The largest of many numbers, each of which is a monotone function of a uniform float of its
own, as the largest of logits with noise.

The noise is the same function for all. Its values are counted, and those of each number that
can matter are put in order, by the floats that the numbers are. T, the product of the
probabilities that each number is below a value, rises at each of them, by the probability
that it is the largest.
"""
from __future__ import annotations

import math
import sys
import time
from typing import Any, Callable, List, NamedTuple, Optional, Sequence, Tuple

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
    """Uniform whole numbers below n, which are made sources of their own only if they are asked
    for one by one.
    """

    def __init__(
        self, n: int, name: Any, value: Callable[[Any], Any], shape: Tuple[int, ...],
    ) -> None:
        self.n, self.name, self.value, self.shape = n, name, value, shape
        self.sources: Optional[List[Any]] = None
        # Places of those that were compared, and which of them won
        self.spent: List[Tuple[Any, Count, int]] = []

    def example(self) -> Any:
        if self.sources is not None:
            return numpy.reshape([source.example() for source in self.sources], self.shape)
        k = numpy.full(self.shape, (self.n - 1) // 2)
        for places, count, i in self.spent:
            k.flat[places] = count.example(i)
        return k

    def made(self, source: Callable[[int], Any]) -> List[Any]:
        """The sources, which are made once."""
        if self.sources is None:
            self.sources = [source(self.n) for _ in range(math.prod(self.shape))]
            for places, count, i in self.spent:
                for place, k in zip(places.tolist(), count.example(i).tolist()):
                    self.sources[place].spent = k
        return self.sources


class Operation(NamedTuple):
    """An elementwise operation of which one input is random, where there is None; the others are
    arrays, with one number if it is the same for all.
    """

    name: Any
    f: Callable[..., Any]
    kind: Any
    cast: Callable[..., Any]
    constants: List[Any]

    def key(self) -> Any:
        return self.name, tuple(
            None if c is None else (c.dtype.char, c.shape, c.tobytes()) for c in self.constants)

    def is_common(self) -> bool:
        return all(c is None or c.size == 1 for c in self.constants)

    def at(self, values: Any, j: Any) -> Any:
        return self.cast(
            *(values if c is None else c if c.size == 1 else c[j] for c in self.constants))

    def is_monotone(self) -> bool:
        if self.name[0] == "where":
            return self.constants[0] is not None
        return (
            self.name[0] in MONOTONE and self.kind.kind == "f"
            and (self.name[0] != "astype" or self.name[1] in "fd")
        )


# Also as they are rounded
MONOTONE = (
    {
        "astype", *(
            getattr(numpy, name)
            for name in "add subtract multiply divide negative positive maximum minimum fmax "
            "fmin".split())})


class Many:
    """What operations make of each of some uniform numbers, which are at some places of a draw."""

    def __init__(self, draw: Draw, operations: Tuple[Operation, ...], places: Any) -> None:
        self.draw, self.operations, self.places = draw, operations, places

    def then(
        self, name: Any, f: Callable[..., Any], kind: Any, cast: Callable[..., Any],
        constants: List[Any],
    ) -> Many:
        shape = numpy.broadcast_shapes(
            self.places.shape, *(c.shape for c in constants if c is not None))
        constants = [c.reshape(1) if c is not None and c.size == 1 else c for c in constants]
        return Many(
            self.draw, (*self.operations, Operation(name, f, kind, cast, constants)),
            numpy.broadcast_to(self.places, shape))

    def rearranged(self, f: Callable[[Any], Any]) -> Many:
        """Some of the numbers, or all in another shape."""
        whole = (
            lambda c: c if c is None or c.size == 1 else f(numpy.broadcast_to(c, self.places.shape))
        )
        return Many(
            self.draw,
            tuple(one._replace(constants=[*map(whole, one.constants)]) for one in self.operations),
            f(self.places))

    def argmax(self, home: Any, axis: Optional[int]) -> Any:
        """The places of the largest numbers along an axis, or of the largest of all, by choices;
        None if it is not known how.
        """
        home.tree.run.alive()
        shape, flat = self.places.shape, numpy.concatenate(
            [self.places.ravel(), *(places for places, _, _ in self.draw.spent)])
        if (
            self.draw.sources is not None
            or not (flat[1:] > flat[:-1]).all() and len(numpy.unique(flat)) < len(flat)
        ):
            return None
        table = self.rearranged(
            lambda a: a.reshape(1, -1) if axis is None
            else numpy.moveaxis(a, axis, -1).reshape(-1, shape[axis]))
        each = [table.rearranged(lambda a: a[r]) for r in range(len(table.places))]
        counts = [count for count in (row.count(home) for row in each) if count is not None]
        if len(counts) < len(each):
            return None
        won = [row.decide(home.tree, count) for row, count in zip(each, counts)]
        return (
            numpy.int64(won[0]) if axis is None or len(shape) == 1
            else numpy.reshape(won, numpy.delete(shape, axis))
        )

    def count(self, home: Any) -> Optional[Count]:
        """The probabilities with which each number of a row is the first of the largest."""
        key = (
            "many", self.draw.n, self.draw.name, self.places.size,
            *(operation.key() for operation in self.operations))
        found: Optional[Count] = home.once(key, lambda: counted(self, home.tree))
        return found

    def decide(self, tree: Any, count: Count) -> int:
        run, p = tree.run, tree.run.p
        # For the first time: what is cut may be as likely as it can be, and so may what comes later
        if run.at >= len(run.prefix):
            few = (p * count.low < tree.cut) | (count.low == 0)
            tree.beyond.append((p * count.low[few].sum(), p * run.loose * count.high[few].sum()))
            tree.loosest = max(
                tree.loosest, run.loose * (count.high[~few] / count.low[~few]).max(initial=1.0))
        i: int = run.decide(count.chances)
        if i == len(count.low):
            tree.raced.append(run.p)
            run.lose(count.is_late)
        run.loose *= count.high[i] / count.low[i]
        self.draw.spent.append((self.places, count, i))
        return i


class Count(NamedTuple):
    low: Any
    high: Any
    chances: List[float]  # with the rest, if there is one
    is_late: bool
    tops: Any
    others: List[Tuple[int, int]]
    top: int

    def example(self, i: int) -> Any:
        """Uniform numbers with which one is the first of the largest: it has its best value, and
        all others one that is surely less.
        """
        k = numpy.full(
            len(self.low),
            next((k for most, k in self.others if most < self.tops[i]), self.others[-1][1]))
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


def counted(many: Many, tree: Any) -> Optional[Count]:
    """None if the numbers are too few, or are not known to rise or to fall with the noise."""
    shared = 0
    while shared < len(many.operations) and many.operations[shared].is_common():
        shared += 1
    noise, tail, size = many.operations[:shared], many.operations[shared:], many.places.size
    if size < FEWEST or not all(operation.is_monotone() for operation in tail):
        return None
    drawn = numpy.concatenate(list(_values(many.draw, noise, tree.run)))
    if drawn.dtype.char not in "fd" or numpy.isnan(drawn).any() or (drawn == drawn[0]).all():
        return None
    scores = Scores(drawn, tail, size)
    if scores.dtype.char not in "fd" or (scores.tops < scores.least).any():
        return None
    places = [len(scores.z) >> i for i in range(1, 26, 3)] + [0]
    others = [
        (int(scores.at(place).max()), int(numpy.flatnonzero(drawn == scores.z[place])[0]))
        for place in places]
    top = int(numpy.flatnonzero(drawn == scores.z[-1])[0])
    del drawn
    race = Race(scores)
    is_late = not race.run(time.monotonic() + (tree.until - time.monotonic()) / 2)
    high = (race.low + race.more) * (1 + ROUNDING)
    rest = 1 - math.fsum(race.low.tolist())
    return Count(
        race.low, high, race.low.tolist() + ([rest] if rest > 1e-14 * size else []), is_late,
        scores.tops, others, top)


def _values(draw: Draw, operations: Sequence[Operation], run: Any) -> Any:
    """What operations make of all uniform numbers, in parts."""
    for start in range(0, draw.n, CHUNK):
        v = draw.value(numpy.arange(start, min(draw.n, start + CHUNK), dtype=numpy.int64))
        for operation in operations:
            v = operation.at(v, None)
        run.in_time()
        yield v


class Scores:
    """All numbers as they rise along the values of the noise, which are in order, with how many
    uniform numbers have less.
    """

    def __init__(self, drawn: Any, tail: Sequence[Operation], size: int) -> None:
        self.tail, self.size, self.n = tail, size, len(drawn)
        z = (
            drawn if (drawn[1:] >= drawn[:-1]).all() else drawn[::-1]
            if (drawn[1:] <= drawn[:-1]).all() else numpy.sort(drawn)
        )
        starts = numpy.append(0, numpy.flatnonzero(z[1:] != z[:-1]) + 1)
        self.z, self.cum = z[starts], numpy.append(starts, self.n)
        self.dtype = self.of(slice(0, 1), slice(0, 1)).dtype
        if self.dtype.char in "fd" and (self.at(len(self.z) - 1) < self.at(0)).any():
            self.z, self.cum = self.z[::-1].copy(), self.n - self.cum[::-1]
        self.least, self.tops = self.at(0), self.at(len(self.z) - 1)

    def of(self, places: Any, j: Any) -> Any:
        values = self.z[places]
        for operation in self.tail:
            values = operation.at(values, j)
        return values

    def at(self, places: Any) -> Any:
        """The keys of all numbers at places of the noise."""
        return keys(
            numpy.broadcast_to(
                self.of(numpy.broadcast_to(places, self.size), slice(None)), self.size).copy())

    def below(self, key: int, high: Any) -> Any:
        """How many values of the noise make each number less than that of a key, if it is known
        how many do at most.
        """
        low, high = numpy.zeros(self.size, numpy.int64), high.copy()
        while (low < high).any():
            middle = (low + high) // 2
            less = self.at(numpy.minimum(middle, len(self.z) - 1)) < key
            low, high = numpy.where(
                less & (low < high), middle + 1, low), numpy.where(less, high, middle)
        return low


class Race:
    """How likely each number is the first of the largest, counted from the top down in windows
    of keys: at least low, and at most low + more.
    """

    def __init__(self, scores: Scores) -> None:
        self.scores, self.low, self.more = scores, numpy.zeros(scores.size), numpy.zeros(
            scores.size)
        self.coarse = COARSE if scores.n * scores.size > EVENTS else LEAST
        self.rises = numpy.diff(scores.cum) / numpy.maximum(scores.cum[:-1], 1)
        self.steps = numpy.log1p(self.rises)
        self.is_double = scores.dtype.char == "d"
        self.bottom, self.edge, self.width = (
            int(scores.least.max()), int(scores.tops.max()) + 1,
            CELLS << (29 if self.is_double else 0)
        )
        infinite = int(keys(numpy.full(1, numpy.inf, scores.dtype))[0])
        self.ends = (
            self.bottom, infinite, infinite + 1, numpy.iinfo("i%d" % scores.dtype.itemsize).max
        )
        # How many values of the noise make a number less than the edge, and T there
        self.after, self.T = numpy.full(scores.size, len(scores.z)), 1.0

    def run(self, until: float) -> bool:
        """Whether all is counted that matters, and not only as much as there is time for."""
        says = time.monotonic() + EVERY
        while self.edge > self.bottom and self.T > LEAST and time.monotonic() < until:
            self.step()
            if time.monotonic() > says:
                says = time.monotonic() + EVERY
                print(
                    "breadboard.law: %.3g of the probabilities of which of %d random numbers is "
                    "the largest is counted" % (1 - self.T, self.scores.size), file=sys.stderr,
                    flush=True)
        if self.edge > self.bottom:
            self.more += numpy.where(self.after > 0, self.T, 0.0)
        return self.edge <= self.bottom or self.T <= LEAST

    def step(self) -> None:
        """Counts the next window, or makes it smaller."""
        start = max(self.edge - self.width, *(end for end in self.ends if end < self.edge))
        before, after, T, most = (
            self.scores.below(start, self.after), self.after, self.T, self.edge - start
        )
        A, B = self.scores.cum[after] / self.scores.n, self.scores.cum[before] / self.scores.n
        with numpy.errstate(divide="ignore"):
            under = math.exp(numpy.log(B).sum())
        load = self._load(most, (after - before).sum(), under)
        if load > 1 and most > 1:
            self.width = max(1, int(most * max(0.1, 0.8 / load)))
            return
        if most == 1:  # one value: of those that have it the first wins
            self.low += (
                numpy.append(1.0, numpy.cumprod(B)[:-1]) * (A - B)
                * numpy.append(numpy.cumprod(A[::-1])[-2::-1], 1.0)
            )
        elif T > self.coarse:
            self._in_order(start, before, under)
        else:
            won = (A - B) * under / B
            self.low += won
            self.more += (A - B) * T / A - won
        self.width = max(1, int(self.width * min(4, 0.8 / max(load, 0.2))))
        self.edge, self.after, self.T = start, before, under

    def _load(self, most: int, events: int, under: float) -> float:
        """By how much a window is too large."""
        load = math.log(self.T / under) if under else math.inf
        if self.T <= self.coarse:
            return load / (STEP * math.sqrt(self.coarse / self.T))
        load = max(load, events / EVENTS)
        return load if self.is_double or load <= 0.02 else max(load, most / CELLS)

    def _in_order(self, start: int, before: Any, under: float) -> None:
        """Adds what wins from a key to the edge. T rises value by value, and of equal numbers
        the first wins: those after it come before.
        """
        js = numpy.flatnonzero(self.after > before)[::-1]
        if not len(js):
            return
        parts = [slice(before[j], self.after[j]) for j in js]
        cells, most = _ranked(
            [keys(self.scores.of(part, slice(j, j + 1))) - start for j, part in zip(js, parts)],
            self.edge - start)
        t, rises = numpy.zeros(most + 1), []
        for i, (part, cell) in enumerate(zip(parts, cells)):
            step, rise, is_new = self.steps[part], self.rises[part], cell[1:] != cell[:-1]
            if not is_new.all():
                starts = numpy.append(0, numpy.flatnonzero(is_new) + 1)
                cells[i], step, cum = (
                    cell[starts], numpy.add.reduceat(step, starts),
                    self.scores.cum[numpy.append(starts + part.start, part.stop)]
                )
                rise = numpy.diff(cum) / cum[:-1]
            t[1:][cells[i]] += step
            rises.append(rise)
        t = under * numpy.exp(numpy.cumsum(t, out=t))
        for j, rise, cell in zip(js, rises, cells):
            won = t[cell] * rise
            self.low[j] += won.sum()
            t[cell] += won


def _ranked(cells: List[Any], most: int) -> Tuple[List[Any], int]:
    """Numbers of cells below most, or their ranks where there are far fewer."""
    if most <= min(CELLS, 64 * sum(map(len, cells))):
        return cells, most
    values = numpy.concatenate(cells)
    order = numpy.argsort(values, kind="stable")
    values[order] = numpy.cumsum(numpy.append(False, numpy.diff(values[order]) > 0))
    return (
        numpy.split(values, numpy.cumsum([len(cell) for cell in cells])[:-1]),
        int(values[order[-1]]) + 1
    )
