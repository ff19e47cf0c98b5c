"""Uniform numbers of which only an interval is known, and the choices of one run of a function that compares them.

A function that is given such numbers makes a choice where it compares one with a number, and the probability of either answer is
the length of a part of the interval. Of uniform numbers that are compared with each other their order is kept, and the probability
of a further answer is a ratio of two numbers of orderings.
"""
from __future__ import annotations

import math
import numbers
import os
import random
import sys
import threading
import time
from fractions import Fraction
from functools import lru_cache
from heapq import heappush
from statistics import NormalDist
from typing import Any, Callable, Dict, List, Optional, Sequence, Set, Tuple

from .tables import numpy

MOST_VALUES = 100_000  # of one draw, each of which is a branch
MOST_ORDERED = 16  # uniform numbers whose order is kept together
HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARIES = tuple(filter(None, (HERE + os.sep, random.__file__, numpy and os.path.dirname(numpy.__file__) + os.sep)))


class Refused(ValueError):
    """The exact law of a function cannot be had as it stands. The message says what stands in the way, and in which file and line."""


class Stop(BaseException):
    """Ends a run of a function whose law is looked for. It is no Exception, so that the function does not catch it."""


def place_of_user() -> str:
    """The file and the line of the call that led here, outside of this package, of NumPy and of the module random."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(LIBRARIES + ("<frozen", "<__array_function__")):
        frame = frame.f_back
    return "%s:%d" % (frame.f_code.co_filename, frame.f_lineno)


# A choice of a run: the choice before it, which answer was given, and the probability of all answers until then.
Node = Optional[Tuple[Any, int, Any]]


class Tree:
    """What all runs of a function share: how far its tree is walked, and what is left of it."""

    def __init__(self, cut: float, exact: bool, seconds: Optional[float]) -> None:
        self.cut, self.exact = cut, exact
        self.heap: List[Tuple[float, int, Node]] = []
        self.lost: List[Any] = []  # the probabilities of what is not walked
        self.pushed = 0
        self.refused: Optional[str] = None
        self.until = math.inf if seconds is None else time.monotonic() + seconds
        self.thread = threading.get_ident()
        self.one: Any = Fraction(1) if exact else 1.0
        self.run = Run(self, None)
        self.equal: Dict[int, List[Any]] = {}
        self.kept: Dict[Any, Any] = {}

    def number(self, value: Any) -> Any:
        """A number of the function, as it is reckoned with here."""
        if self.exact and math.isfinite(value):
            return Fraction(value) if isinstance(value, (int, float, Fraction)) else Fraction(value.item())
        return float(value)

    def refuse(self, why: str, where: str = "") -> Stop:
        """What is to be raised where the function does what cannot be followed."""
        if self.refused is None:
            self.refused = "%s: %s" % (where or place_of_user(), why)
        return Stop()


class Run:
    """One run of the function: the choices that it is to make first, the intervals of its uniform numbers, and what it has drawn.

    A plain run is given numbers in place of intervals, those of `draws`, and makes no choice.
    """

    __slots__ = ("tree", "prefix", "at", "p", "node", "want", "low", "high", "group", "draws", "plain", "over")

    def __init__(self, tree: Tree, node: Node, plain: Optional[List[Any]] = None) -> None:
        self.tree, self.node, self.plain = tree, node, plain
        self.prefix: List[int] = []
        self.at, self.p, self.want, self.over = 0, tree.one, tree.one if node is None else node[2], False
        self.low: List[Any] = []
        self.high: List[Any] = []
        self.group: List[Optional[Order]] = []
        self.draws: List[Any] = []  # a number for a discrete draw, None for a uniform number
        while node is not None:
            self.prefix.append(node[1])
            node = node[0]
        self.prefix.reverse()

    def decide(self, chances: Sequence[Any]) -> int:
        """Which of several answers is given now. What has the other ones is walked later, the likeliest first."""
        tree, at, p = self.tree, self.at, self.p
        if self.over:
            raise self.tree.refuse("a random number of an earlier call is used: the function keeps a state between its calls")
        self.at = at + 1
        if at < len(self.prefix):
            k = self.prefix[at]
            if k >= len(chances):
                raise self.differs()
            self.p = p * chances[k]
            if at + 1 == len(self.prefix) and self.p != self.want:
                raise self.differs()
            return k
        if threading.get_ident() != tree.thread:
            raise tree.refuse("another thread draws; the order in which threads run is no choice that can be followed")
        best = 0 if len(chances) == 2 and chances[0] >= chances[1] else max(range(len(chances)), key=chances.__getitem__)
        mass = p * chances[best]
        if not mass >= tree.cut or mass == 0 or time.monotonic() > tree.until:
            tree.lost.append(p)
            raise Stop
        node, heap = self.node, tree.heap
        for k, chance in enumerate(chances):
            if k != best and chance > 0:
                other = p * chance
                if other >= tree.cut and other > 0:
                    tree.pushed += 1
                    heappush(heap, (-float(other), tree.pushed, (node, k, other)))
                else:
                    tree.lost.append(other)
        self.p, self.node = mass, (node, best, mass)
        return best

    def differs(self) -> Stop:
        return self.tree.refuse(
            "run again with the same random choices, the function does something else: it keeps a state between its calls, or depends on "
            "what is not in its arguments, as the time, the order of a set or a generator of its own")

    # What generators draw.

    def uniform(self) -> Any:
        """A uniform number from 0 to 1, of which nothing is known yet; in a plain run a float."""
        if self.plain is not None:
            value = self._next()
            if not isinstance(value, float):
                raise self.differs()
            return value
        if len(self.low) % 1000 == 999 and (time.monotonic() > self.tree.until or len(self.low) > 1_000_000):
            self.tree.lost.append(self.p)
            raise Stop
        self.low.append(0)
        self.high.append(1)
        self.group.append(None)
        self.draws.append(None)
        return Lazy(self, len(self.low) - 1, ())

    def below(self, n: int) -> int:
        """A whole number below n, each with the same probability."""
        if n > MOST_VALUES:
            raise self.tree.refuse("a number is drawn from %d equally likely ones, which is a seed or nearly a continuous number; at most %d are told apart" % (n, MOST_VALUES))
        if n not in self.tree.equal:
            self.tree.equal[n] = [self.tree.one / n] * n
        return self.pick(self.tree.equal[n])

    def pick(self, chances: Sequence[Any]) -> int:
        """The place of one of some probabilities, which sum to one."""
        if self.plain is not None:
            k = self._next()
            if not isinstance(k, int) or k >= len(chances):
                raise self.differs()
            return k
        k = self.decide(chances) if len(chances) > 1 else 0
        self.draws.append(k)
        return k

    def endless(self, chances: Callable[[], Any]) -> int:
        """The place of one of infinitely many probabilities, which chances() yields: those of a tail that are below the cut are not walked."""
        if self.plain is not None:
            return int(self._next())
        known, rest = [], self.tree.one
        least = max(self.tree.cut, 1e-18) / float(self.p) / 4 if self.p else 1.0
        for q in chances():
            known.append(q)
            rest -= q
            if rest <= least or len(known) >= MOST_VALUES or (rest < 1e-9 and q < least):
                break
        k = self.decide(known + [max(rest, 0 * rest)])
        if k == len(known):
            self.tree.lost.append(self.p)
            raise Stop
        self.draws.append(k)
        return k

    def _next(self) -> Any:
        assert self.plain is not None
        if self.at >= len(self.plain):
            raise self.differs()
        self.at += 1
        return self.plain[self.at - 1]

    # What is known of uniform numbers.

    def split(self, i: int, t: Any) -> bool:
        """Whether the uniform number i is below t, which divides its interval."""
        low, high = self.low[i], self.high[i]
        if t <= low or t >= high:
            return bool(t >= high)
        group = self.group[i]
        if group is not None:
            self._split_group(group, t)
            return bool(self.high[i] <= t)
        q = (t - low) / (high - low)
        if self.decide((q, 1 - q)) == 0:
            self.high[i] = t
            return True
        self.low[i] = t
        return False

    def cell(self, i: int, places: Sequence[Any]) -> int:
        """How many of some places, which increase, are below the uniform number i."""
        low, high = self.low[i], self.high[i]
        if self.group[i] is not None:
            a, b = 0, len(places)
            while a < b:
                middle = (a + b) // 2
                a, b = (a, middle) if self.split(i, places[middle]) else (middle + 1, b)
            return a
        edges = [low, *(min(max(t, low), high) for t in places), high]
        k = self.decide([(b - a) / (high - low) for a, b in zip(edges, edges[1:])])
        self.low[i], self.high[i] = edges[k], edges[k + 1]
        return k

    def is_less(self, i: int, j: int) -> bool:
        """Whether the uniform number i is below the uniform number j."""
        for a, b in ((i, j), (j, i)):
            for t in (self.low[a], self.high[a]):
                if self.low[b] < t < self.high[b]:
                    self.split(b, t)
        if self.low[i] >= self.high[j] or self.high[i] <= self.low[j]:
            return bool(self.high[i] <= self.low[j])
        group, other = self.group[i] or Order([i], [0]), self.group[j] or Order([j], [0])
        if group is not other:
            group = group.beside(other)
        for a, b in ((i, j), (j, i)):
            if group.knows(a, b):
                return a == i
        if len(group.members) > MOST_ORDERED:
            raise self.tree.refuse("the order of more than %d uniform numbers is asked for" % MOST_ORDERED)
        less = group.with_less(i, j)
        q = self.tree.one * extensions(tuple(less.under)) / extensions(tuple(group.under))
        answer = self.decide((q, 1 - q)) == 0
        group = less if answer else group.with_less(j, i)
        for k in group.members:
            self.group[k] = group
        return answer

    def _split_group(self, group: Order, t: Any) -> None:
        """Says of each of some ordered numbers on which side of t it is."""
        low, high = self.low[group.members[0]], self.high[group.members[0]]
        q, n, all_of_them = (t - low) / (high - low), len(group.members), extensions(tuple(group.under))
        sides = sorted(group.lower_sets())
        chances = []
        for lower in sides:
            m = bin(lower).count("1")
            ways = math.comb(n, m) * extensions(tuple(group.part(lower).under)) * extensions(tuple(group.part(~lower).under))
            chances.append(q**m * (1 - q) ** (n - m) * ways / all_of_them)
        lower = sides[self.decide(chances)]
        for mask, end, value in ((lower, self.high, t), (~lower, self.low, t)):
            part = group.part(mask)
            for k in part.members:
                end[k] = value
                self.group[k] = part if len(part.members) > 1 else None

    def witness(self) -> Optional[List[Any]]:
        """Draws that lead where this run went: floats inside of the intervals. None where an interval has no float inside."""
        values: List[float] = []
        for i in range(len(self.low)):
            group, share = self.group[i], 0.4 + 0.2 * (i * 0.6180339887498949 % 1)
            if group is not None:
                share = (group.a_linear_order().index(i) + 1) / (len(group.members) + 1)
            low, high = float(self.low[i]), float(self.high[i])
            values.append(low + (high - low) * share)
            if not low < values[-1] < high:
                return None
        floats = iter(values)
        return [next(floats) if k is None else k for k in self.draws]


class Order:
    """What is known of the order of uniform numbers that have one interval: for each the set of those below it, as bits."""

    __slots__ = ("members", "under")

    def __init__(self, members: List[int], under: List[int]) -> None:
        self.members, self.under = members, under

    def beside(self, other: Order) -> Order:
        n = len(self.members)
        return Order(self.members + other.members, self.under + [u << n for u in other.under])

    def knows(self, i: int, j: int) -> bool:
        """Whether i is known to be below j."""
        return bool(self.under[self.members.index(j)] >> self.members.index(i) & 1)

    def with_less(self, i: int, j: int) -> Order:
        a, b = self.members.index(i), self.members.index(j)
        new = self.under[a] | 1 << a
        return Order(self.members, [u | new if k == b or u >> b & 1 else u for k, u in enumerate(self.under)])

    def part(self, mask: int) -> Order:
        kept = [k for k in range(len(self.members)) if mask >> k & 1]
        return Order([self.members[k] for k in kept], [sum((self.under[k] >> old & 1) << new for new, old in enumerate(kept)) for k in kept])

    def lower_sets(self) -> Set[int]:
        """All sets that have with a number all that are known to be below it."""
        found, new = {0}, [0]
        while new:
            done = new.pop()
            for k, u in enumerate(self.under):
                if not done >> k & 1 and u & ~done == 0 and done | 1 << k not in found:
                    found.add(done | 1 << k)
                    new.append(done | 1 << k)
        return found

    def a_linear_order(self) -> List[int]:
        return [i for _, i in sorted((bin(u).count("1"), i) for u, i in zip(self.under, self.members))]


@lru_cache(maxsize=65536)
def extensions(under: Tuple[int, ...]) -> int:
    """The number of linear orders that agree with a partial one."""
    ways = {0: 1}
    for _ in under:
        after: Dict[int, int] = {}
        for done, n in ways.items():
            for k, u in enumerate(under):
                if not done >> k & 1 and u & ~done == 0:
                    after[done | 1 << k] = after.get(done | 1 << k, 0) + n
        ways = after
    return sum(ways.values())


# The steps of which a number is made of a uniform one: what the step does to a value, which may be the end of an interval, and the
# inverse, which takes a value that is never reached to an infinity on its side.


def _guarded(f: Callable[..., Any], below: float, above: float) -> Callable[..., Any]:
    """A function of an extended number, which has a value also where the one of the library raises an exception."""

    def guarded(x: Any, arg: Any) -> Any:
        try:
            return f(x, arg)
        except OverflowError:
            return above
        except (ValueError, ZeroDivisionError):
            return below

    return guarded


_NORMAL = NormalDist()


def _normal(x: float, _: Any) -> float:
    return -math.inf if x <= 0 else math.inf if x >= 1 else _NORMAL.inv_cdf(x)


def _power(x: Any, a: Any) -> Any:
    if x <= 0:
        return x if a > 0 and x == 0 else math.inf if a < 0 else -math.inf
    return (0.0 if a < 0 else math.inf) if x == math.inf else 1 / x if a == -1 else x**a


def _laplace(x: float, _: Any) -> float:
    return -math.inf if x <= 0 else math.inf if x >= 1 else math.log(2 * x) if x < 0.5 else -math.log(2 * (1 - x))


def _cauchy(x: float, _: Any) -> float:
    return -math.inf if x <= 0 else math.inf if x >= 1 else math.tan(math.pi * (x - 0.5))


_log, _exp, _log1p, _expm1 = math.log, math.exp, math.log1p, math.expm1  # which other modules may see replaced
_LOG, _EXP = _guarded(lambda x, _: _log(x), -math.inf, math.inf), _guarded(lambda x, _: _exp(x), 0.0, math.inf)
_LOG1P, _EXPM1 = _guarded(lambda x, _: _log1p(x), -math.inf, math.inf), _guarded(lambda x, _: _expm1(x), -1.0, math.inf)
STEPS: Dict[str, Tuple[Callable[..., Any], Callable[..., Any]]] = {
    "times": (lambda x, a: x * a, lambda t, a: t / a),
    "plus": (lambda x, a: x + a, lambda t, a: t - a),
    "log": (_LOG, _EXP),
    "exp": (_EXP, _LOG),
    "log1p": (_LOG1P, _EXPM1),
    "expm1": (_EXPM1, _LOG1P),
    "power": (_power, lambda t, a: _power(t, -1 if a == -1 else 1 / a) if t > 0 or a < 0 else 0.0 if t == 0 else -math.inf),
    "normal": (_normal, lambda t, _: 0.5 * math.erfc(-t / math.sqrt(2))),
    "laplace": (_laplace, lambda t, _: _EXP(t, None) / 2 if t < 0 else 1 - _exp(-t) / 2),
    "cauchy": (_cauchy, lambda t, _: 0.5 + math.atan(t) / math.pi if t > -1 else math.atan(-1 / t) / math.pi),
}
RATIONAL = ("times", "plus")


def is_real(value: Any) -> bool:
    return type(value) in (int, float) or isinstance(value, (numbers.Real, *((numpy.number, numpy.bool_) if numpy else ()))) and type(value) is not Lazy


def apply(step: str, x: Any, arg: Any = None) -> Any:
    """A step of a lazy number, or of a plain one."""
    return x.step(step, arg) if type(x) is Lazy else STEPS[step][0](x, arg)


class Lazy:
    """A number that is a monotone function of a uniform one, of which an interval is known: what generators return while a law is found."""

    __slots__ = ("run", "i", "steps")

    def __init__(self, run: Run, i: int, steps: Tuple[Tuple[str, Any], ...]) -> None:
        self.run, self.i, self.steps = run, i, steps

    def step(self, name: str, arg: Any = None) -> Any:
        tree = self.run.tree
        if arg is not None:
            arg = tree.number(arg)
            if not math.isfinite(arg):
                raise tree.refuse("a random number that is not known yet meets %s" % arg)
        if tree.exact and name not in RATIONAL and not (name == "power" and arg == -1):
            raise tree.refuse("a probability would be no fraction, since of a uniform number %s is taken; leave exact=True out" % name)
        return Lazy(self.run, self.i, self.steps + ((name, arg),))

    def rises(self) -> bool:
        return sum(name in ("times", "power") and arg < 0 for name, arg in self.steps) % 2 == 0

    def bounds(self) -> Tuple[Any, Any]:
        """The least and the largest value that it can have."""
        low, high = self.run.low[self.i], self.run.high[self.i]
        for name, arg in self.steps:
            forward = STEPS[name][0]
            low, high = forward(low, arg), forward(high, arg)
            if arg is not None and arg < 0 and name != "plus":
                low, high = high, low
        return low, high

    def place(self, value: Any) -> Any:
        """The uniform number at which this one has a value."""
        value = self.run.tree.number(value)
        for name, arg in reversed(self.steps):
            value = STEPS[name][1](value, arg)
        return value

    # Comparisons

    def _less(self, other: Any, less: bool) -> Any:
        if type(other) is Lazy:
            return self._before(other, less)
        if not is_real(other):
            return NotImplemented
        if other != other:
            return False
        rises = self.rises()
        return self.run.split(self.i, self.place(other)) == (rises == less)

    def _before(self, other: Lazy, less: bool) -> bool:
        if self.i == other.i and self.steps == other.steps and self.run is other.run:
            return False
        if self.run is not other.run or self.run.over:
            raise self.run.tree.refuse("a random number of an earlier call is used: the function keeps a state between its calls")
        if self.i != other.i and self.steps == other.steps:
            return self.run.is_less(self.i, other.i) == (self.rises() == less)
        (a, b), (c, d) = self.bounds(), other.bounds()
        if b <= c or d <= a:
            return bool(b <= c) == less
        raise self.run.tree.refuse("two random numbers are compared that are made of uniform ones in different ways; compare each with a number")

    def __lt__(self, other: Any) -> Any:
        return self._less(other, True)

    def __gt__(self, other: Any) -> Any:
        return self._less(other, False)

    def __le__(self, other: Any) -> Any:
        return True if self is other else self._less(other, True)

    def __ge__(self, other: Any) -> Any:
        return True if self is other else self._less(other, False)

    def __eq__(self, other: Any) -> Any:
        return NotImplemented if numpy is not None and isinstance(other, numpy.ndarray) else self is other

    def __ne__(self, other: Any) -> Any:
        return NotImplemented if numpy is not None and isinstance(other, numpy.ndarray) else self is not other

    def __bool__(self) -> bool:
        return True

    def __hash__(self) -> int:
        raise self.run.tree.refuse("a random number that is not known yet is looked up in a dict or a set")

    # Steps

    def __neg__(self) -> Any:
        return self.step("times", -1)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return -self if self < 0 else self

    def __add__(self, other: Any) -> Any:
        if type(other) is Lazy:
            if self.i == other.i and self.steps == other.steps:
                return self * 2
            raise self._two("added")
        if not is_real(other):
            return NotImplemented
        return self if other == 0 else other if not math.isfinite(other) else self.step("plus", other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        if type(other) is Lazy:
            if self.i == other.i and self.steps == other.steps:
                return 0.0
            raise self._two("subtracted")
        return self + -other if is_real(other) else NotImplemented

    def __rsub__(self, other: Any) -> Any:
        return -self + other if is_real(other) else NotImplemented

    def __mul__(self, other: Any) -> Any:
        if type(other) is Lazy:
            if self.i == other.i and self.steps == other.steps:
                return self**2
            raise self._two("multiplied")
        if not is_real(other):
            return NotImplemented
        return 0.0 if other == 0 else self if other == 1 else self.step("times", other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if type(other) is Lazy:
            if self.i == other.i and self.steps == other.steps:
                return 1.0
            raise self._two("divided")
        if not is_real(other):
            return NotImplemented
        if other == 0:
            raise ZeroDivisionError("float division by zero")
        return self * (1 / self.run.tree.number(other))

    def __rtruediv__(self, other: Any) -> Any:
        return self**-1 * other if is_real(other) else NotImplemented

    def __pow__(self, a: Any) -> Any:
        if not is_real(a):
            if type(a) is Lazy:
                raise self._two("raised to each other's power")
            return NotImplemented
        if a == 0 or a == 1:
            return self if a == 1 else 1.0
        if self.bounds()[0] < 0 and self < 0:
            if a != int(a):
                raise self.run.tree.refuse("a root is taken of a random number that may be negative")
            return (-self) ** a * (-1 if a % 2 else 1)
        return self.step("power", a)

    def __rpow__(self, base: Any) -> Any:
        if not is_real(base):
            return NotImplemented
        return 1.0 if base == 1 else (self * _log(base)).exp()

    def log(self) -> Any:
        if self.bounds()[0] < 0 and self < 0:
            raise self.run.tree.refuse("the logarithm is taken of a random number that may be negative")
        return self.step("log")

    def log1p(self) -> Any:
        if self.bounds()[0] < -1 and self < -1:
            raise self.run.tree.refuse("the logarithm is taken of a random number that may be negative")
        return self.step("log1p")

    def log2(self) -> Any:
        return self.log() / _log(2)

    def log10(self) -> Any:
        return self.log() / _log(10)

    def exp(self) -> Any:
        return self.step("exp")

    def expm1(self) -> Any:
        return self.step("expm1")

    def sqrt(self) -> Any:
        return self**0.5

    # Whole numbers

    def __floor__(self) -> int:
        low, high = self.bounds()
        if math.isfinite(low) and math.isfinite(high):
            first, last = math.floor(low), math.ceil(high) - 1
            if last - first >= MOST_VALUES:
                raise self.run.tree.refuse("a uniform number becomes one of %d whole numbers; at most %d are told apart" % (last - first + 1, MOST_VALUES))
            rises, ends = self.rises(), range(first + 1, last + 1)
            k = self.run.cell(self.i, [self.place(n) for n in (ends if rises else reversed(ends))])
            return first + k if rises else last - k
        side, reach = (-1, 1) if self < 0 else (1, 1)
        while self < -reach if side < 0 else not self < reach:
            reach *= 2
        below, above = (-reach, reach // -2 if reach > 1 else 0) if side < 0 else (reach // 2 if reach > 1 else 0, reach)
        while above - below > 1:
            middle = (below + above) // 2
            below, above = (below, middle) if self < middle else (middle, above)
        return below

    def __ceil__(self) -> int:
        return self.__floor__() + 1

    def __trunc__(self) -> int:
        floor = self.__floor__()
        return floor if floor >= 0 else floor + 1

    __int__ = __trunc__

    def floor(self) -> float:
        return float(self.__floor__())

    def ceil(self) -> float:
        return float(self.__ceil__())

    def trunc(self) -> float:
        return float(self.__trunc__())

    def __round__(self, digits: Optional[int] = None) -> Any:
        return (self + Fraction(1, 2)).__floor__() if digits is None else (self * 10**digits + Fraction(1, 2)).__floor__() / 10**digits

    def rint(self) -> float:
        return float(round(self))

    def __floordiv__(self, other: Any) -> Any:
        return float((self / other).__floor__()) if is_real(other) else NotImplemented

    def __mod__(self, other: Any) -> Any:
        return self - other * (self / other).__floor__() if is_real(other) else NotImplemented

    def __divmod__(self, other: Any) -> Any:
        whole = (self / other).__floor__()
        return float(whole), self - other * whole

    def __float__(self) -> float:
        raise self.run.tree.refuse("float() is taken of a random number of which only an interval is known; compare it, or take int() or log() of it, as it is")

    def __complex__(self) -> complex:
        return complex(self.__float__())

    def __format__(self, spec: str) -> str:
        return repr(self)

    def __repr__(self) -> str:
        return "<random number from %.6g to %.6g>" % self.bounds()

    def __copy__(self) -> Lazy:
        return self

    def __deepcopy__(self, memo: Any) -> Lazy:
        return self

    def __reduce__(self) -> Any:
        raise self.run.tree.refuse("a random number that is not known yet is sent to another process or to a file")

    def _two(self, done: str) -> Stop:
        return self.run.tree.refuse("two random numbers are %s, whose law together is no interval; compare each with a number" % done)

    # NumPy

    def item(self) -> Lazy:
        return self

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if ufunc in (numpy.isnan, numpy.isinf, numpy.isfinite):
            return ufunc is numpy.isfinite
        objects = []
        for value in inputs:
            if type(value) is Lazy:
                cell = numpy.empty((), dtype=object)
                cell[()] = value
                value = cell
            elif method == "__call__" and isinstance(value, numpy.ndarray) and value.dtype.kind in "biuf" and "out" not in options:
                value = value.astype(object)
            objects.append(value)
        return getattr(ufunc, method)(*objects, **options)


numbers.Real.register(Lazy)
