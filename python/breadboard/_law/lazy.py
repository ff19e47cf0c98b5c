"""Uniform numbers of which only an interval is known, and numbers that are made of them.

A function that is given such numbers makes a choice where it compares one with a number, and
the probability of either answer is the length of a part of the interval. Of uniform numbers
that are compared with each other their order is kept: the probability of an answer is a ratio
of two numbers of orderings.
"""
from __future__ import annotations

import math
import sys
from fractions import Fraction
from functools import lru_cache, partialmethod
from statistics import NormalDist
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

from . import special
from .lanes import Column, each
from .._numpy import numpy

MOST_VALUES = 100_000  # of one draw, each of which is a branch
MOST_ORDERED = 16  # uniform numbers whose order is kept together
NO_FORM = (
    ", which has no closed form here; test the draws of the function with assert_samples, or "
    "with conform draws"
)
# Values of a uniform number of single precision: all multiples of 1/SINGLE below one
SINGLE = 2**24
LESS_THAN_DOUBLE = (numpy.float32, numpy.float16) if numpy is not None else ()
# To which NumPy rounds a float that it meets, from release 2 on
SINGLES = (
    LESS_THAN_DOUBLE if numpy is not None and type(numpy.float32(1) + 1.0) is numpy.float32 else ()
)


class Order:
    """What is known of the order of uniform numbers that have one interval: for each the set of
    those below it, as bits.
    """

    __slots__ = ("members", "under")

    def __init__(self, members: List[int], under: List[int]) -> None:
        self.members, self.under = members, under

    def beside(self, other: Order) -> Order:
        return Order(
            self.members + other.members,
            self.under + [u << len(self.members) for u in other.under])

    def knows(self, i: int, j: int) -> bool:
        """Whether i is known to be below j."""
        return bool(self.under[self.members.index(j)] >> self.members.index(i) & 1)

    def with_less(self, i: int, j: int) -> Order:
        a, b = self.members.index(i), self.members.index(j)
        return Order(
            self.members, [
                u | self.under[a] | 1 << a if k == b or u >> b & 1 else u
                for k, u in enumerate(self.under)])

    def part(self, mask: int) -> Order:
        kept = [k for k in range(len(self.members)) if mask >> k & 1]
        return Order(
            [self.members[k] for k in kept],
            [sum((self.under[k] >> old & 1) << new for new, old in enumerate(kept)) for k in kept])

    def count(self) -> int:
        return linear_orders(tuple(self.under))[(1 << len(self.under)) - 1]

    def linear(self) -> List[int]:
        """One of the linear orders."""
        return [
            i for _, i in sorted((bin(u).count("1"), i) for u, i in zip(self.under, self.members))]


@lru_cache(maxsize=4096)
def linear_orders(under: Tuple[int, ...]) -> Dict[int, int]:
    """For each set that has with a number all those below it, the number of linear orders of it
    that agree with a partial one.
    """
    found, ways = {0: 1}, {0: 1}
    for _ in under:
        after: Dict[int, int] = {}
        for done, n in ways.items():
            for k, u in enumerate(under):
                if not done >> k & 1 and u & ~done == 0:
                    after[done | 1 << k] = after.get(done | 1 << k, 0) + n
        ways = after
        found.update(ways)
    return found


Steps = Tuple[Tuple[str, Any], ...]

# A place of a uniform number t, with t - 1 beside it, so that a place has digits also where it is
# next to 1. Places compare as tuples do.
Place = Tuple[Any, Any]
Span = Tuple[float, float]


def width(a: Place, b: Place) -> Any:
    (x, below_x), (y, below_y) = a, b
    if type(x) is Column or type(y) is Column:
        return each(lambda *ends: width((ends[0], ends[1]), (ends[2], ends[3])), *a, *b)
    return below_y - below_x if x >= 0.5 else y - x


def _shares(low: Place, t: Place, high: Place) -> Tuple[Any, Any]:
    """The parts of an interval below and above a place in it."""
    return width(low, t) / width(low, high), width(t, high) / width(low, high)


class Cells:
    """The intervals of the uniform numbers of one run, and the order of those that share one.
    decide(chances) gives an answer at random.
    """

    def __init__(self, one: Any) -> None:
        self.low: List[Place] = []
        self.high: List[Place] = []
        self.group: List[Any] = []  # an Order, or what else is known of it beside its interval
        self.one, self.ends = one, ((0 * one, -one), (one, 0 * one))
        self.at: int = 0
        self.prefix: List[int] = []

    def decide(self, chances: Sequence[Any]) -> int:
        raise NotImplementedError

    def again(self, chance: Any) -> None:
        raise NotImplementedError

    def refuse(self, why: str) -> BaseException:
        raise NotImplementedError

    def split(self, i: int, t: Place) -> bool:
        """Whether the uniform number i is below t, which divides its interval."""
        low, high, group = self.low[i], self.high[i], self.group[i]
        if t <= low or t >= high:
            return bool(t >= high)
        if group is not None:
            return self.split_tied(i, t)
        if self.at < len(self.prefix):  # no more is asked for than the answer that is known
            above = self.prefix[self.at] > 0
            self.again((width(t, high) if above else width(low, t)) / width(low, high))
        else:
            above = self.decide(_shares(low, t, high)) > 0
        (self.low if above else self.high)[i] = t
        return not above

    def is_below(self, i: int, x: float) -> bool:
        """What split says of a float, without detours where a new number meets an answer that is
        known.
        """
        if (
            self.at < len(self.prefix) and 0 < x < 1 and self.group[i] is None
            and self.low[i] is self.ends[0] and self.high[i] is self.ends[1]
        ):
            above = self.prefix[self.at] > 0
            self.again(1 - x if above else x)
            (self.low if above else self.high)[i] = x, x - 1
            return not above
        return x == x and self.split(i, (x, x - 1))

    def split_tied(self, i: int, t: Place) -> bool:
        """The same for a number of which more is known."""
        self._split_group(self.group[i], t)
        return bool(self.high[i] <= t)

    def cell(self, i: int, place: Callable[[int], Place], n: int) -> int:
        """How many of place(0), ..., place(n - 1), which increase, are below the uniform number i.
        """
        low, high = self.low[i], self.high[i]
        if self.group[i] is not None or n > MOST_VALUES:
            a, b = 0, n
            while a < b:
                middle = (a + b) // 2
                a, b = (a, middle) if self.split(i, place(middle)) else (middle + 1, b)
            return a
        if self.at < len(self.prefix):
            k = self.prefix[self.at]
            edges = [
                min(max(place(j), low), high) if 0 <= j < n else (low, high)[j >= 0]
                for j in (k - 1, k)]
            self.again(width(*edges) / width(low, high))
        else:
            places = [low, *(min(max(place(j), low), high) for j in range(n)), high]
            k = self.decide([width(a, b) / width(low, high) for a, b in zip(places, places[1:])])
            edges = places[k : k + 2]
        self.low[i], self.high[i] = edges
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
        if group.knows(i, j) or group.knows(j, i):
            return group.knows(i, j)
        if len(group.members) > MOST_ORDERED:
            raise self.refuse(
                "the order of more than %d uniform numbers is asked for" % MOST_ORDERED)
        less = group.with_less(i, j)
        q = width(self.low[i], self.high[i]) * 0 + Fraction(less.count(), group.count())
        answer = self.decide((q, 1 - q)) == 0
        group = less if answer else group.with_less(j, i)
        for k in group.members:
            self.group[k] = group
        return answer

    def _split_group(self, group: Order, t: Place) -> None:
        """Says of each of some ordered numbers on which side of t it is."""
        low, high, n = self.low[group.members[0]], self.high[group.members[0]], len(group.members)
        (q, r), orders = _shares(low, t, high), linear_orders(tuple(group.under))
        sides, chances = sorted(orders), []
        for lower in sides:
            m = bin(lower).count("1")
            chances.append(
                q**m * r ** (n - m)
                * Fraction(
                    math.comb(n, m) * orders[lower] * group.part(~lower).count(),
                    orders[(1 << n) - 1]))
        lower = sides[self.decide(chances)]
        for mask, end in ((lower, self.high), (~lower, self.low)):
            part = group.part(mask)
            for k in part.members:
                end[k], self.group[k] = t, part if len(part.members) > 1 else None

    def inside(self) -> Optional[List[float]]:
        """A float for each uniform number that is where this run says; None where an interval
        has none inside, or is so narrow that a function's own rounding decides.
        """
        values: List[float] = []
        for i, group in enumerate(self.group):
            share = (
                0.4 + 0.2 * (i * 0.6180339887498949 % 1) if type(group) is not Order
                else (group.linear().index(i) + 1) / (len(group.members) + 1)
            )
            low, high = float(self.low[i][0]), float(self.high[i][0])
            values.append(low + (high - low) * share)
            if not low < values[-1] < high or high - low < 2e-15 * high:
                return None
        return values


def _guarded(f: Callable[..., Any], below: float, above: float) -> Callable[..., Any]:
    """A function of an extended number, which has a value also where the one of the library
    raises an exception.
    """

    def guarded(*x: Any) -> Any:
        try:
            return f(*x)
        except (OverflowError, ValueError) as error:
            return above if isinstance(error, OverflowError) else below

    return guarded


# Steps keep the digits of 1 - u: where a float would round what is next to a number that is taken
# away later, they give a fraction.


def _plus(x: Any, a: Any) -> Any:
    total = x + a
    if (
        type(x) is not Fraction and (total - x == a and total - a == x or math.isinf(total))
        or type(total) is Fraction
    ):
        return total
    return Fraction(x) + Fraction(a)


def _near_one(x: Any) -> bool:
    return bool(0.5 < x < 2)


def _exp(x: Any) -> Any:
    return 1 + Fraction(math.expm1(x)) if -0.5 < x < 0.5 else _EXP(x)


def _log(x: Any) -> Any:
    return _LOG1P(x - 1) if _near_one(x) else _LOG(x)


def _power(x: Any, a: Any) -> Any:
    if x <= 0:
        return x if a > 0 and x == 0 else math.inf if a < 0 else -math.inf
    if x == math.inf:
        return 0.0 if a < 0 else x
    if a == -1:
        return 1 / (Fraction(x) if _near_one(x) else x if type(a) is Fraction else float(x))
    return _exp(a * _log(x)) if _near_one(x) and abs(a * _log(x)) < 0.5 else _POWER(x, a)


def _symmetric(
    quantile: Callable[[float], float], chance: Callable[[float], float],
) -> Tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]]:
    """The steps of a law that is symmetric about 0, of which what is below 0 is given."""

    def value(x: Any, _: Any) -> Any:
        return -value(1 - x, _) if x > 0.5 else quantile(float(x)) if x > 0 else -math.inf

    return value, lambda t, _: chance(float(t)) if t <= 0 else 1 - Fraction(chance(-float(t)))


# The steps of which a number is made of a uniform one: what a step does to a value, which may be
# the end of an interval, and its inverse, which takes a value
# that is never reached to an infinity on its side. Other modules see functions of math replaced for
# a time, and this one does not.
_EXP, _EXPM1, _POWER = _guarded(math.exp, 0.0, math.inf), _guarded(
    math.expm1, -1.0, math.inf), _guarded(pow, 0.0, math.inf)
_LOG, _LOG1P = _guarded(math.log, -math.inf, math.inf), _guarded(math.log1p, -math.inf, math.inf)
_LOG_STEP = lambda x, _: _log(x), lambda x, _: _exp(x)
_LOG1P_STEP = lambda x, _: _log(_plus(x, 1)) if x < -0.5 else _LOG1P(x), lambda x, _: _plus(
    _exp(x), -1) if x < -0.5 else _EXPM1(x)
STEPS: Dict[str, Tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]]] = {
    # It says whether the number stands in an array; no other step comes after it.
    "single": (lambda x, _: x, lambda t, _: t),
    "times": (
        lambda x, a: x * (Fraction(a) if type(x) is Fraction else a),
        lambda t, a: t / (Fraction(a) if type(t) is Fraction else a),
    ),
    "plus": (_plus, lambda t, a: _plus(t, -a)),
    "log": _LOG_STEP,
    "exp": _LOG_STEP[::-1],
    "log1p": _LOG1P_STEP,
    "expm1": _LOG1P_STEP[::-1],
    "power": (
        _power,
        lambda t, a: _power(t, a if a == -1 else 1 / a) if t > 0 or a < 0
        else 0.0 if t == 0 else -math.inf,
    ),
    "normal": _symmetric(NormalDist().inv_cdf, lambda t: 0.5 * math.erfc(-t / math.sqrt(2))),
    "laplace": _symmetric(lambda x: math.log(2 * x), lambda t: math.exp(t) / 2),
    "tan": (lambda x, _: math.tan(x), lambda t, _: math.atan(t)),
    "atan": (
        lambda x, _: math.atan(x),
        lambda t, _: math.tan(t) if abs(t) < math.pi / 2 else math.copysign(math.inf, t),
    ),
    "tanh": (
        lambda x, _: math.tanh(x),
        lambda t, _: math.atanh(t) if abs(t) < 1 else math.copysign(math.inf, t),
    ),
    "gamma": special.GAMMA,
    "beta": special.BETA,
    "student": special.STUDENT,
    "both": (lambda u, both: both.value(u), lambda x, both: both.place(x)),
    "cauchy": _symmetric(
        lambda x: -1 / math.tan(math.pi * x),
        lambda t: (0.5 + math.atan(t) / math.pi if t > -1 else math.atan(-1 / t) / math.pi),
    ),
}


def apply(step: str, x: Any, arg: Any = None) -> Any:
    """A step of a lazy number, or of a plain one."""
    return x.step(step, arg) if type(x) is Lazy else STEPS[step][0](x, arg)


def _turns(name: str, arg: Any) -> bool:
    return bool(arg.falls if name == "both" else name in ("times", "power") and arg < 0)


def rises(steps: Steps) -> bool:
    return not sum(_turns(name, arg) for name, arg in steps) % 2


def value_at(steps: Steps, place: Place) -> Any:
    """What steps make of a uniform number at a place."""
    value = _plus(place[1], 1) if place[0] > 0.5 else place[0]
    for name, arg in steps:
        value = STEPS[name][0](value, arg)
    return value


class Both(NamedTuple):
    """The sum or the product of two numbers that are made of one uniform number, which is
    monotone between two values of it.
    """

    name: str
    one: Steps
    other: Steps
    low: float
    high: float
    falls: bool

    def value(self, u: Any) -> Any:
        x, y = (value_at(steps, (u, u - 1)) for steps in (self.one, self.other))
        value = (
            x * y if self.name == "times" else x + y if type(x) is type(y) else float(x) + float(y)
        )
        return value if value == value else self.value(math.nextafter(u, 0.5))

    def place(self, x: Any) -> float:
        a, b = self.low, self.high
        if (x <= self.value(a)) != self.falls or (x >= self.value(b)) != self.falls:
            return a if (x <= self.value(a)) != self.falls else b
        while True:
            middle = (
                (a + b) / 2 if b <= 4 * a else math.sqrt(a) * math.sqrt(b) if a else b * 2.0**-8
            )
            if not a < middle < b:
                return b
            a, b = (middle, b) if (self.value(middle) < x) != self.falls else (a, middle)

    def inverse(self, x: Any) -> Tuple[Any, Any]:
        """The uniform numbers of an array of values, and their slopes."""
        places = [self.place(v) for v in x.ravel().tolist()]
        return numpy.reshape(places, x.shape), 1 / numpy.reshape(
            [_slopes((("both", self),), u, u)[1][0] for u in places], x.shape)


def _product(a: Span, b: Span) -> Span:
    ends = [0.0 if x == 0 or y == 0 else x * y for x in a for y in b]
    return min(ends), max(ends)


# Slopes of steps at a value. Of others it is known that they rise.
_SLOPES: Dict[str, Callable[[float, Any], Any]] = {
    "times": lambda x, a: a,
    "plus": lambda x, a: 1.0,
    "log": lambda x, a: _power(x, -1.0),
    "exp": lambda x, a: _EXP(x),
    "log1p": lambda x, a: _power(1 + x, -1.0),
    "expm1": lambda x, a: _EXP(x),
    "power": lambda x, a: a * _power(x, a - 1) if a != 1 else 1.0,
    "tan": lambda x, a: 1 / math.cos(x) ** 2,
    "tanh": lambda x, a: 1 / math.cosh(min(abs(x), 700.0)) ** 2,
    "atan": lambda x, a: 1 / (1 + x * x),
}
_NOT_BETWEEN_ENDS = ("tan", "atan", "tanh")


def _slopes(steps: Steps, low: float, high: float) -> Tuple[Span, Span]:
    """What values steps make between two uniform numbers, and with what slopes."""
    span: Span = (low, high)
    slopes: Span = (1.0, 1.0)
    for name, arg in steps:
        if name == "both":
            (x, p), (y, q) = (_slopes(part, low, high) for part in (arg.one, arg.other))
            if arg.name == "plus":
                span, slopes = (x[0] + y[0], x[1] + y[1]), (p[0] + q[0], p[1] + q[1])
            else:
                one, two = _product(x, q), _product(y, p)
                span, slopes = _product(x, y), (one[0] + two[0], one[1] + two[1])
            continue
        of = _SLOPES.get(name)
        factor = (
            (0.0, math.inf) if of is None or name in _NOT_BETWEEN_ENDS and low < high
            else tuple(float(of(x, arg)) for x in span)
        )
        ends = [float(STEPS[name][0](x, arg)) for x in span]
        span, slopes = (min(ends), max(ends)), _product((min(factor), max(factor)), slopes)
    return span, slopes


@lru_cache(maxsize=4096)
def pieces(
    name: str, one: Steps, other: Steps, low: float, high: float,
) -> Optional[Tuple[Both, ...]]:
    """The intervals in which a sum or a product is monotone; None if they are not found."""
    both, left = Both(name, one, other, low, high, False), [(low, high)]
    found: List[Both] = []
    for _ in range(3000):
        if not left:
            break
        a, b = left.pop()
        try:
            least, most = _slopes((("both", both),), a, b)[1]
        except (ValueError, OverflowError, ZeroDivisionError):
            return None
        if least >= 0 or most <= 0 or b - a < 2.0**-48:
            sign = 1 if least >= 0 and most > 0 else -1 if most <= 0 and least < 0 else 0
            if sign and found and found[-1].falls == (sign < 0):
                found[-1] = found[-1]._replace(high=b)
            elif sign:
                found.append(
                    both._replace(low=found[-1].high if found else low, high=b, falls=sign < 0))
        else:
            left += [((a + b) / 2, b), (a, (a + b) / 2)]
    if left or not found:
        return None
    found[-1] = found[-1]._replace(high=high)
    return tuple(found)


def is_real(value: Any) -> bool:
    kind = type(value)
    return bool(
        kind is float or kind is int or kind is Column
        or kind is not Lazy
            and (
                isinstance(value, (float, int, Fraction))
                or numpy is not None and isinstance(value, (numpy.number, numpy.bool_))))


@lru_cache(maxsize=4096)
def _place(steps: Tuple[Tuple[str, Any], ...], value: Any, exact: bool) -> Place:
    """The uniform number at which what steps make of it has a value."""
    for name, arg in reversed(steps):
        value = STEPS[name][1](value, arg)
    if exact or type(value) is not Fraction:
        return value, value - 1
    return (
        (float(value), float(value - 1)) if 0 < value < 1 else (0.0, -1.0) if value <= 0
        else (1.0, 0.0)
    )


@lru_cache(maxsize=4096)
def tied(steps: Tuple[Tuple[str, Any], ...]) -> float:
    """The probability that floats do not tell the number that steps make of a uniform one from
    that of another one a millionth away: one that underflows, is infinite, or is rounded to a
    larger number that was added. 0 for columns.
    """
    if any(type(arg) is Column for _, arg in steps):
        return 0.0

    def value(x: float) -> float:
        try:
            for name, arg in steps:
                x = float(STEPS[name][0](x, arg))
        except OverflowError:
            return math.inf
        return x

    lost = 0.0
    for j in range(1, 25):
        for t in (2.0**-j * 0.625, 2.0**-j * 0.875):
            for x, near in ((t, t * NEAR), (1 - t, 1 - t * NEAR)):
                a, b = value(x), value(near)
                lost += 0 if a != b and abs(a) < math.inf else 2.0 ** -(j + 2)
    return lost


NEAR = 1 - 1e-6
MOST_TIED = 1e-6  # the largest probability that numbers are compared which floats do not tell apart


def _values_below(t: Any, closed: bool) -> int:
    """How many values of a uniform number of single precision are below t, or t where closed."""
    return int(math.floor(t * SINGLE) + 1 if closed else math.ceil(t * SINGLE))


class Lazy:
    """A number that is a monotone function of a uniform one, of which an interval is known: what
    generators return while a law is found.
    """

    __slots__ = ("run", "i", "steps")
    # For isinstance; C code is not misled.
    __class__ = property(lambda self: float)  # type: ignore[assignment]

    def __init__(self, run: Any, i: int, steps: Tuple[Tuple[str, Any], ...]) -> None:
        self.run, self.i, self.steps = run, i, steps

    def is_single(self) -> bool:
        return bool(self.steps) and self.steps[0][0] == "single"

    def _no_single(self) -> None:
        if self.is_single():
            raise self.run.refuse(
                "arithmetic is done with a random number of single precision, which rounds; "
                "leave dtype= out")

    def step(self, name: str, arg: Any = None) -> Any:
        self._no_single()
        arg = arg if arg is None or type(arg) is tuple else self.run.number(arg)
        if arg is not None and type(arg) is not tuple and not math.isfinite(arg):
            raise self.run.refuse("a random number that is not known yet meets %s" % arg)
        if self.run.tree.exact and name not in ("times", "plus") and (name, arg) != ("power", -1):
            raise self.run.refuse(
                "a probability would be no fraction, since of a uniform number %s is taken; "
                "leave exact=True out" % name)
        return Lazy(self.run, self.i, self.steps + ((name, arg),))

    def rises(self) -> bool:
        return rises(self.steps)

    def bounds(self) -> Tuple[Any, Any]:
        """The least and the largest value that it can have."""
        self.run.alive()
        low, high = (
            value_at(self.steps, end) for end in (self.run.low[self.i], self.run.high[self.i]))
        return (low, high) if self.rises() else (high, low)

    def place(self, value: Any) -> Place:
        """The uniform number at which this one has a value."""
        value = self.run.number(value)
        if type(value) is Column or any(type(arg) is Column for _, arg in self.steps):
            at = each(
                lambda v, *args: _place(
                    tuple(zip([name for name, _ in self.steps], args)), v, False), value,
                *(arg for _, arg in self.steps))
            return at[0], at[1]
        return _place(self.steps, value, self.run.tree.exact) if self.steps else (value, value - 1)

    def edge(self, value: Any, closed: bool) -> Place:
        """The uniform number below which this one, of single precision, is below a value, or the
        value itself where closed.
        """
        t = self.run.tree.number(min(max(value, -1), 2))
        k = below = _values_below(t, closed)
        if self.steps[0][1]:
            below = _values_below(float(numpy.float32(float(t))), closed)
        if below != k:
            raise self.run.refuse(
                "a random number in an array of float32 is compared with %r, which NumPy may "
                "round to float32 first; make that a float32, or leave dtype= out" % value)
        t = self.run.tree.one * k / SINGLE
        return t, t - 1

    # Comparisons

    def _less(self, other: Any, less: bool, same: bool) -> Any:
        run = self.run
        run.alive()
        if type(other) is Lazy:
            if self.is_same(other):
                return same
            if self.is_single() or other.is_single():
                raise run.refuse(
                    "two random numbers are compared of which one has single precision, so that "
                    "they may be equal; leave dtype= out")
            run.tell([self, other])
            if (
                self.i != other.i and self.steps == other.steps
                and not run.are_racing(self.i, other.i)
            ):
                return run.is_less(self.i, other.i) == (self.rises() == less)
            (a, b), (c, d) = self.bounds(), other.bounds()
            if b <= c or d <= a:
                return bool(b <= c) == less
            return (
                (self._below_itself(other) if self.i == other.i else run.race(self, other)) == less
            )
        if not is_real(other):
            return NotImplemented
        if self.is_single():
            return other == other and run.split(self.i, self.edge(other, less == same)) == less
        if self.steps and type(other) in (int, float) and abs(other) in (0, 1):
            self._refuse_rounding(other)
        return other == other and run.split(self.i, self.place(other)) == (self.rises() == less)

    def _refuse_rounding(self, value: float) -> None:
        """Refuses a comparison with 0, 1 or -1 if a float is often rounded to it."""
        low, high = self.run.low[self.i], self.run.high[self.i]
        ends = sorted(
            min(max(self.place(end), low), high)
            for end in (
                (-5e-324, 5e-324) if value == 0
                else (value * (1 - 2.0**-53), value * (1 + 2.0**-52))))
        often = float(width(*ends) / width(low, high))
        if often > 1e-12:
            raise self.run.refuse(
                "a random number is compared with %g, to which floats round it with a "
                "probability of about %.2g; compare its logarithm, or with a number beside that"
                % (value, often))

    def affine(self) -> Optional[Tuple[Any, Any]]:
        """a and b, where this number is a u + b."""
        a, b = self.run.tree.one, 0
        for name, arg in self.steps:
            if name not in ("times", "plus"):
                return None
            a, b = (a * arg, b * arg) if name == "times" else (a, b + arg)
        return a, b

    def _sum(self, other: Lazy) -> Any:
        """The sum of two numbers that are made of the same uniform number; None where it is not
        a u + b.
        """
        mine, its = self.affine(), other.affine()
        if mine is None or its is None:
            return None
        a, b = mine[0] + its[0], mine[1] + its[1]
        return b if abs(a) <= 1e-15 * abs(its[0]) else Lazy(self.run, self.i, ()) * a + b

    def _below_itself(self, other: Lazy) -> bool:
        """Whether this number is below another one that is made of the same uniform number."""
        mine, its = self.affine(), other.affine()
        if mine is None or its is None or mine[0] == its[0]:
            return bool(self - other < 0 if mine is None or its is None else mine[1] < its[1])
        t = (its[1] - mine[1]) / (mine[0] - its[0])
        return bool(self.run.split(self.i, (t, t - 1)) == (mine[0] > its[0]))

    def is_same(self, other: Any) -> bool:
        return bool(
            self is other
            or type(other) is Lazy and self.run is other.run and self.i == other.i
                and self.steps == other.steps)

    def __lt__(self, other: Any) -> Any:
        run = self.run
        # What most functions do, without detours
        if type(other) is float and run.plainly and not self.steps:
            return run.is_below(self.i, other)
        return self._less(other, True, False)

    def __gt__(self, other: Any) -> Any:
        run = self.run
        if type(other) is float and run.plainly and not self.steps and other == other:
            return not run.is_below(self.i, other)
        return self._less(other, False, False)

    def __le__(self, other: Any) -> Any:
        return self._less(other, True, True)

    def __ge__(self, other: Any) -> Any:
        return self._less(other, False, True)

    def __eq__(self, other: Any) -> Any:
        if type(other) is Lazy and self.i == other.i and not self.is_same(other):
            self._less(other, True, True)  # refuses where they may be equal
        if self.is_single() and is_real(other):
            return self <= other and self >= other
        return (
            NotImplemented if numpy is not None and isinstance(other, numpy.ndarray)
            else self.is_same(other)
        )

    def __ne__(self, other: Any) -> Any:
        equal = self == other
        return equal if equal is NotImplemented or not isinstance(equal, bool) else not equal

    def __bool__(self) -> bool:
        return bool(self != 0)

    # Steps

    def _with(
        self, other: Any, same: Callable[[], Any], plain: Callable[[], Any], name: str = "times",
    ) -> Any:
        """What becomes of this number and another one, which is the same one, is made of the
        same uniform number, or is known.
        """
        if type(other) is Lazy:
            self._no_single()
            other._no_single()
            if self.is_same(other):
                return same()
            if self.run is other.run and self.i == other.i:
                return self._both(other, name)
            raise self.run.refuse("two random numbers are combined by arithmetic" + NO_FORM)
        return plain() if is_real(other) else NotImplemented

    def _both(self, other: Lazy, name: str) -> Any:
        """The sum or the product of two numbers that are made of the same uniform number, in one
        of the intervals of it where that is monotone.
        """
        run, i, steps = self.run, self.i, self.steps + other.steps
        run.alive()
        if run.tree.exact or any(type(arg) is Column for _, arg in steps):
            raise run.refuse(
                "two numbers that are made of one random number are combined, which becomes no "
                "fraction, and is not followed for several log f at once; leave exact=True out")
        found = pieces(name, self.steps, other.steps, float(run.low[i][0]), float(run.high[i][0]))
        if found is None:
            raise run.refuse(
                "a random number is combined with itself in a way of which it is not found where "
                "it rises and where it falls" + NO_FORM)
        for piece in found:
            if piece is found[-1] or run.split(i, (piece.high, piece.high - 1)):
                break
        return Lazy(run, i, (("both", piece),))

    def __neg__(self) -> Any:
        return self.step("times", -1)

    def __abs__(self) -> Any:
        return -self if self < 0 else self

    def __add__(self, other: Any) -> Any:
        total = (
            self._sum(other) if type(other) is Lazy and self.run is other.run and self.i == other.i
            else None
        )
        return (
            total if total is not None
            else self._with(
                other, lambda: self * 2,
                lambda: self if other == 0 else self.step("plus", other) if math.isfinite(other)
                else other, "plus")
        )

    def __sub__(self, other: Any) -> Any:
        return (
            0.0 if self.is_same(other) and not self.is_single() else self + -other
            if type(other) is Lazy or is_real(other) else NotImplemented
        )

    def __rsub__(self, other: Any) -> Any:
        return -self + other if is_real(other) else NotImplemented

    def __mul__(self, other: Any) -> Any:
        return self._with(
            other, lambda: self**2,
            lambda: 0.0 if other == 0 else self if other == 1 else other * (-1 if self < 0 else 1)
            if math.isinf(other) else self.step("times", other))

    def __truediv__(self, other: Any) -> Any:
        if is_real(other) and other == 0:
            raise ZeroDivisionError("float division by zero")
        # One over it is infinite, and the quotient is not always
        if is_real(other) and type(other) is not Column and abs(other) < 1 / sys.float_info.max:
            raise self.run.refuse(
                "a random number is divided by %r, which often overflows; compare logarithms"
                % other)
        if type(other) is Lazy and self.i == other.i and not self.is_same(other):
            return self * other**-1
        return self._with(other, lambda: 1.0, lambda: self * (1 / self.run.number(other)))

    def __rtruediv__(self, other: Any) -> Any:
        return self._with(other, lambda: 1.0, lambda: self**-1 * other)

    def __pow__(self, a: Any) -> Any:
        if not is_real(a):
            return (
                self._with(a, float, float) if not self.is_same(a)
                else self._with(-self, float, float)
            )
        if a == 0 or a == 1:
            return self if a == 1 else 1.0
        if self._is_below(0):
            if a != int(a):
                raise self.run.refuse("a root is taken of a random number that may be negative")
            return (-self) ** a * (-1 if a % 2 else 1)
        if math.isinf(a) and self.bounds()[1] <= 1:
            return 0.0 if a > 0 else a * -1
        return self.step("power", a)

    def __rpow__(self, base: Any) -> Any:
        return self._with(base, float, lambda: 1.0 if base == 1 else (self * _log(base)).exp())

    __radd__, __rmul__ = __add__, __mul__

    def _is_below(self, t: int) -> bool:
        return bool(self.bounds()[0] < t and self < t)

    def log(self, name: str = "log", least: int = 0) -> Any:
        if self._is_below(least):
            raise self.run.refuse("the logarithm is taken of a random number that may be negative")
        return self.step(name)

    log1p, exp, expm1 = partialmethod(
        log, "log1p", -1), partialmethod(step, "exp"), partialmethod(step, "expm1")

    arctan, tanh = partialmethod(step, "atan"), partialmethod(step, "tanh")

    def tan(self) -> Any:
        turns = [round(float(end) / math.pi, 12) + 0.5 for end in self.bounds()]
        if math.floor(turns[0]) != math.ceil(turns[1]) - 1:
            raise self.run.refuse(
                "the tangent is taken of a random number that may lie on both sides of a pole of "
                "it")
        return (self - math.floor(turns[0]) * math.pi).step("tan")

    def ndtri(self) -> Any:
        if not 0 <= self.bounds()[0] <= self.bounds()[1] <= 1:
            raise self.run.refuse(
                "the normal quantile is taken of a random number that may be below 0 or above 1")
        return self.step("normal")

    def logit(self) -> Any:
        return -((self**-1 - 1).log())

    def expit(self) -> Any:
        return (1 + (-self).exp()) ** -1

    def log2(self) -> Any:
        return self.log() / _log(2)

    def log10(self) -> Any:
        return self.log() / _log(10)

    def sqrt(self) -> Any:
        return self**0.5

    # Whole numbers

    def __floor__(self) -> int:
        low, high = self.bounds()
        if math.isfinite(low) and math.isfinite(high):
            first, n, rises = math.floor(low), math.ceil(high) - 1 - math.floor(low), self.rises()
            if n >= MOST_VALUES:
                raise self.run.refuse(
                    "a uniform number becomes one of %d whole numbers; at most %d are told apart"
                    % (n + 1, MOST_VALUES))
            k = self.run.cell(
                self.i, lambda j: self.place(first + 1 + j if rises else first + n - j), n)
            return int(first + (k if rises else n - k))
        a, reach = (-1, 1) if self < 0 else (0, 1)
        while self < -reach if a < 0 else not self < reach:
            reach *= 2
        a, b = (-reach, -(reach // 2)) if a < 0 else (reach // 2, reach)
        while b - a > 1:
            a, b = (a, (a + b) // 2) if self < (a + b) // 2 else ((a + b) // 2, b)
        return a

    def __ceil__(self) -> int:
        return self.__floor__() + 1

    def __trunc__(self) -> int:
        whole = self.__floor__()
        return whole if whole >= 0 else whole + 1

    __int__ = __trunc__

    def floor(self) -> float:
        return float(self.__floor__())

    def ceil(self) -> float:
        return float(self.__ceil__())

    def trunc(self) -> float:
        return float(self.__trunc__())

    def __round__(self, digits: Optional[int] = None) -> Any:
        whole = (self * 10 ** (digits or 0) + Fraction(1, 2)).__floor__()
        return whole if digits is None else whole / 10**digits

    def rint(self) -> float:
        return float(round(self))

    def __divmod__(self, other: Any) -> Any:
        whole = (self / other).__floor__()
        return float(whole), self - other * whole

    def fmod(self, other: Any) -> Any:
        return self - other * (self / other).__trunc__()

    def modf(self) -> Tuple[Any, float]:
        whole = float(self.__trunc__())
        return self - whole, whole

    def __floordiv__(self, other: Any) -> Any:
        return self.__divmod__(other)[0] if is_real(other) else NotImplemented

    def __mod__(self, other: Any) -> Any:
        return self.__divmod__(other)[1] if is_real(other) else NotImplemented

    # NumPy, copies, and what is refused

    def item(self, *_: Any) -> Any:
        return self

    __copy__ = __deepcopy__ = __pos__ = item

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if ufunc in (numpy.isnan, numpy.isinf, numpy.isfinite):
            return ufunc is numpy.isfinite
        objects = []
        if (
            not self.is_single()
            and any(
                type(value) in SINGLES
                    or isinstance(value, numpy.ndarray) and value.dtype.type in LESS_THAN_DOUBLE
                for value in inputs)
        ):
            raise self.run.refuse(
                "a random number meets numbers of less than double precision, to whose digits "
                "NumPy may round it; make them float64 first, by astype(float)")
        for value in inputs:
            if type(value) is Lazy:
                value, cell = numpy.empty((), dtype=object), value
                value[()] = cell
            objects.append(
                value.astype(object)
                if isinstance(value, numpy.ndarray) and value.dtype.kind in "biuf"
                    and "out" not in options else value)
        return getattr(of_objects(ufunc, method), method)(*objects, **options)


def _quotient(x: Any, y: Any) -> Any:
    """As numbers in arrays are divided: by zero too."""
    if type(x) is Lazy and type(y) is not Lazy and y == 0:
        return float(numpy.divide(-1.0 if x < 0 else 1.0, y))
    return x / y if Lazy in (type(x), type(y)) else numpy.divide(x, y)


def of_objects(ufunc: Any, method: str) -> Any:
    """What does in arrays of objects what a function of NumPy does in arrays of floats."""
    name = ufunc.__name__
    # Also of SciPy, and where some of an array are floats
    if method == "__call__" and ufunc.nin == ufunc.nout == 1 and hasattr(Lazy, name):
        return numpy.frompyfunc(lambda x: getattr(x, name)() if type(x) is Lazy else ufunc(x), 1, 1)
    if method != "__call__" or ufunc not in (numpy.true_divide, numpy.modf):
        return ufunc
    return (
        numpy.frompyfunc(_quotient, 2, 1) if ufunc is numpy.true_divide
        else numpy.frompyfunc(lambda x: x.modf() if type(x) is Lazy else numpy.modf(x), 1, 2)
    )


def _refusing(why: str) -> Callable[..., Any]:
    def method(self: Lazy, *_: Any) -> Any:
        raise self.run.refuse(why)

    return method


for _names, _why in (
    (
        "__float__ __complex__",
        "float() is taken of a random number of which only an interval is known; compare it, or "
        "take int() or log() of it, as it is"), (
        "__hash__",
        "a random number of which only an interval is known is looked up in a dict or a set"),
    (
        "__repr__ __str__ __format__",
        "a random number of which only an interval is known becomes a text"),
    (
        "__reduce_ex__",
        "a random number of which only an interval is known is sent to a file or to another "
        "process")):
    for _name in _names.split():
        setattr(Lazy, _name, _refusing(_why))
