"""Races of exponential numbers: what is known of their order, by rates.

Every number that is made of one uniform number is a function of an exponential one, E =
-log(u) or -log(1 - u). If of two numbers it is the same monotone function of E divided by a
rate, their order is that of a race, whose odds are the rates. What is known of the order is a
forest: a number lies beyond its parent by an exponential one of its own, because an
exponential number has no memory.
"""
from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from .lazy import _EXP, MOST_ORDERED, MOST_TIED, NO_FORM, Cells, Lazy, Order, Place, Steps, tied

FRESH: Place = (1.0, 0.0)
NEXT = {
    ("power", "log"): "log", ("log", "exp"): "power", ("power", "exp"): "exp",
    ("exp", "log"): "power"}
UNIFORM = (1, 0), (-1, 1)  # a and b of a u + b that is itself uniform

Rate = Tuple[Any, float]  # m and l of m exp(l)


class Form(NamedTuple):
    """A number as a function of T = E / rate, which numbers of equal shape have in common. E is
    -log(1 - u) where flip.
    """

    flip: bool
    rate: Rate
    shape: Tuple[Any, ...]


def _stretched(rate: Rate, k: Any, power: float) -> Rate:
    """The rate where T**power is multiplied by k."""
    m, l = rate
    if abs(power) == 1 and 1e-290 < (product := m / k if power == 1 else m * k) < 1e290:
        return product, l
    return m, l - math.log(k) / power


@lru_cache(maxsize=4096)
def form(steps: Tuple[Tuple[str, Any], ...]) -> Form:
    """Takes steps into the rate as long as the number is sign T^power, its exponential, or power
    log(T).
    """
    kind: str = "uniform"
    flip: bool = False
    sign: int = -1
    power: float = 1.0
    rate: Rate = (1.0, 0.0)
    at: int = 0
    a: Any = 1
    b: Any = 0
    uniform: Tuple[int, bool] = (0, False)
    for name, arg in steps:
        if kind == "uniform" and name in ("times", "plus"):
            a, b = (a * arg, b * arg) if name == "times" else (a, b + arg)
            uniform = (at + 1, a < 0) if (a, b) in UNIFORM else uniform
        elif (
            kind == "uniform"
            and (name == "log" and (a, b) in UNIFORM or name == "log1p" and (a, b + 1) in UNIFORM)
        ):
            kind, flip = "power", a < 0
        elif kind == "uniform" and name == "power" and (a, b) in UNIFORM:
            kind, flip, sign, rate = "exp", a < 0, -1 if arg > 0 else 1, _stretched(
                rate, abs(arg), 1)
        elif kind == "power" and name == "times" or kind == "exp" and name == "power":
            sign, rate = sign if arg > 0 else -sign, _stretched(rate, abs(arg), power)
        elif kind == "power" and name == "power" and sign > 0 or kind == "log" and name == "times":
            power *= arg
        elif kind == "log" and name == "plus":
            rate = rate[0], rate[1] - arg / power
        elif (kind, name) in NEXT and (name != "log" or sign > 0 or kind == "exp"):
            kind = NEXT[kind, name]
        else:
            break
        at += 1
    if kind == "uniform":
        kind, (at, flip) = "exp", uniform
    return Form(flip, rate, (kind, sign, power, *steps[at:]))


def _ratio(one: Rate, other: Rate) -> Any:
    quotient, by = one[0] / other[0], one[1] - other[1]
    return quotient * _EXP(by) if by else quotient


def _sum(rates: Sequence[Rate]) -> Tuple[Rate, List[Any]]:
    """The sum of some rates, and the share of each."""
    most = max(rates, key=lambda rate: math.log(rate[0]) + rate[1])
    parts = [_ratio(rate, most) for rate in rates]
    whole = sum(parts) if type(parts[0]) is not float else math.fsum(parts)
    return (most[0] * whole, most[1]), [part / whole for part in parts]


def _turned(place: Place) -> Place:
    return -place[1], -place[0]


def _log(place: Place) -> float:
    return (
        math.log1p(place[1]) if place[0] > 0.5 else math.log(place[0]) if place[0] > 0
        else -math.inf
    )


def _raised(place: Place, k: Any) -> Place:
    """A power of a place, which is again one."""
    if k == 1:
        return place
    log = _log(place) * k if place != FRESH else 0.0
    return math.exp(log), math.expm1(log)


def _is_close(x: float, y: float) -> bool:
    return math.isclose(x, y, rel_tol=1e-12)


class NoForm(Exception):
    """What is asked for has no closed form."""


class Clock:
    """An exponential number in the forest, with the sum of the rates of itself and of all that
    lies beyond it.
    """

    __slots__ = ("flip", "rate", "total", "parent", "steps")

    def __init__(self, flip: bool, rate: Rate, steps: Steps) -> None:
        self.flip: bool = flip
        self.rate: Rate = rate
        self.total: Rate = rate
        self.parent: Optional[int] = None
        self.steps: Steps = steps


class Races(Cells):
    """The uniform numbers of one run, and the forest of those that race. Of others Cells knows
    the order.
    """

    def __init__(self, one: Any) -> None:
        super().__init__(one)
        self.clocks: Dict[int, Clock] = {}

    def tell(self, numbers: Sequence[Lazy]) -> None:
        """Refuses numbers of which floats may make the same, as real numbers then are no account
        of the function.
        """
        lost = 1.0
        for x in numbers:
            lost *= tied(x.steps) if x.steps and lost else 0.0
        if lost > MOST_TIED:
            raise self.refuse(
                "random numbers are compared that floats do not always tell apart, because they "
                "underflow, overflow or are rounded; compare logarithms, such as log(u) / w"
                + NO_FORM)

    def race(self, one: Lazy, other: Lazy) -> Optional[bool]:
        """Whether one number is below the other; None if they are no race."""
        forms = self._forms([one, other])
        if forms is None:
            return None
        self._enter([one, other], forms)
        return self._is_sooner(one.i, other.i) == (one.rises() == forms[0].flip)

    def extreme(self, numbers: Sequence[Lazy], largest: bool) -> Optional[int]:
        """Which of some numbers is the least one, or the largest one; None if that cannot be
        said in one step.
        """
        self.tell(numbers)
        ids, alike = [x.i for x in numbers], len({x.steps for x in numbers}) == 1
        fresh = all(
            self.low[i][0] == 0 == self.high[i][1] and self.group[i] is None
                and i not in self.clocks for i in ids)
        if (
            len(set(ids)) < len(ids) or any(x.is_single() or x.run is not self for x in numbers)
            or any(type(self.group[i]) is Order for i in ids)
        ):
            return None
        upward = numbers[0].rises() == largest  # towards u = 1
        if alike and fresh and len(ids) <= MOST_ORDERED:
            best = self.decide([self.one / len(ids)] * len(ids))
            rest = (1 << len(ids)) - 1 & ~(1 << best)
            order = Order(
                ids, [
                    rest * (k == best) if upward else (1 << best) * (k != best)
                    for k in range(len(ids))])
            for i in ids:
                self.group[i] = order
            return best
        forms = (
            [Form(not upward, (self.one, 0.0), ())] * len(ids) if alike and fresh
            else self._forms(numbers)
        )
        parents = {self.clocks[i].parent if i in self.clocks else None for i in ids}
        if (
            forms is None or forms[0].flip == upward or len(parents) > 1
            or parents == {None} and not all(self.low[i][0] == 0 == self.high[i][1] for i in ids)
        ):
            return None
        self._enter(numbers, forms)
        return ids.index(self._settle(ids))

    def _forms(self, numbers: Sequence[Lazy]) -> Optional[List[Form]]:
        forms = [form(x.steps) for x in numbers]
        if any(x.steps != numbers[0].steps for x in numbers):
            return forms if all(one.shape == forms[0].shape for one in forms) else None
        flip = next((self.clocks[x.i].flip for x in numbers if x.i in self.clocks), forms[0].flip)
        # For equal numbers any function of u will do
        return forms if flip == forms[0].flip else [Form(flip, (1.0, 0.0), ())] * len(numbers)

    def _enter(self, numbers: Sequence[Lazy], forms: Sequence[Form]) -> None:
        """Brings numbers into the forest, in which their rates must have the same ratios as before.
        """
        factors = []
        for x, (flip, rate, _) in zip(numbers, forms):
            i = x.i
            rate = (self.one, 0.0) if rate == (1.0, 0.0) else rate
            if i not in self.clocks:
                self.clocks[i] = Clock(flip, rate, x.steps)
                # Of numbers below a number the order has no memory to forget
                if self._span(i)[0][0] == 0:
                    self._plant(i)
            clock = self.clocks[i]
            factors.append(math.log(clock.rate[0] / rate[0]) + clock.rate[1] - rate[1])
            if clock.flip != flip or abs(factors[0] - factors[-1]) > 1e-12 * (1 + abs(rate[1])):
                raise self.refuse(
                    "the order of random numbers is asked for again after they were changed in "
                    "different ways" + NO_FORM)

    def _plant(self, i: int) -> None:
        """Makes a tree of the order of a number and others of the same interval. What is not a
        tree is decided.
        """
        clock = self.clocks[i]
        while type(order := self.group[i]) is Order:
            before = {
                k: [
                    j for j in order.members
                    if (order.knows(j, k) if clock.flip else order.knows(k, j))]
                for k in order.members}
            pairs = [
                (j, k) for row in before.values() for j in row for k in row
                if j != k and j not in before[k] and k not in before[j]]
            if pairs:
                self.is_less(*pairs[0])
                continue
            for k, row in before.items():
                self.clocks[k] = self.group[k] = Clock(clock.flip, clock.rate, clock.steps)
                self.clocks[k].parent = max(row, key=lambda j: len(before[j])) if row else None
                self.clocks[k].total = clock.rate[0] * (
                    1 + sum(k in other for other in before.values())), clock.rate[1]

    def _line(self, i: int) -> List[int]:
        """A number and all that are known to be sooner, the first one first."""
        parent = self.clocks[i].parent
        return [*([] if parent is None else self._line(parent)), i]

    def _is_sooner(self, i: int, j: int) -> bool:
        while True:
            a, b = self._line(i), self._line(j)
            if i in b or j in a:
                return i in b
            n = next(k for k in range(len(a)) if a[k] != b[k])
            first = None if n else self._apart(a[0], b[0])
            if first is None:
                self._settle([a[n], b[n]])
            elif first in (i, j):
                return first == i
            else:
                raise NoForm

    def _settle(self, ids: Sequence[int]) -> int:
        """Which of some numbers is first, of which no more is known than that they lie beyond
        the same number. The others then lie beyond it.
        """
        clocks = [self.clocks[i] for i in ids]
        total, shares = _sum([clock.total for clock in clocks])
        first = ids[self.decide(shares)]
        for i, clock in zip(ids, clocks):
            clock.parent, self.group[i] = clock.parent if i == first else first, clock
        self.clocks[first].total = total
        return first

    def _span(self, i: int) -> Tuple[Place, Place]:
        """The interval of exp(-E) of a number."""
        low, high = self.low[i], self.high[i]
        return (_turned(high), _turned(low)) if self.clocks[i].flip else (low, high)

    def _is_later(self, i: int, place: Place) -> bool:
        """Whether exp(-E) is below a place."""
        flip = self.clocks[i].flip
        return self.split(i, _turned(place) if flip else place) != flip

    def _apart(self, i: int, j: int) -> Optional[int]:
        """Which of two numbers without parents is known to be sooner by their intervals; None if
        both can be anything beyond the same time.
        """
        if type(self.group[i]) is Order and self.group[i] is self.group[j]:
            raise NoForm
        for one, other in ((i, j), (j, i)):
            k = _ratio(self.clocks[one].rate, self.clocks[other].rate)
            low, high = map(_log, self._span(one))
            ends = [_raised(end, k) for end in self._span(other)]
            for end, x in zip(ends, map(_log, ends)):
                if low < x < high and not _is_close(x, low) and not _is_close(x, high):
                    self._is_later(one, end)
                    return self._apart(i, j)
        below, above = map(_log, ends)  # the interval of i, as low and high are that of j
        if low == below == -math.inf and _is_close(high, above):
            return None
        if not (high <= below or above <= low or _is_close(high, below) or _is_close(above, low)):
            raise NoForm
        return i if low < below else j

    def are_racing(self, *ids: int) -> bool:
        return any(type(self.group[i]) is Clock for i in ids)

    def split_tied(self, i: int, t: Place) -> bool:
        clock = self.group[i]
        if type(clock) is not Clock:
            return super().split_tied(i, t)
        place = _turned(t) if clock.flip else t
        if clock.parent is not None:
            if not self._is_later(
                clock.parent, _raised(place, _ratio(self.clocks[clock.parent].rate, clock.rate))):
                raise NoForm
            return not clock.flip
        k, (start, end) = _ratio(clock.total, clock.rate), self._span(i)
        if type(self.one) is Fraction:
            below, s, above = (p[0] ** int(k) for p in (start, place, end))
            chances = (s - below) / (above - below), (above - s) / (above - below)
        else:
            a, b = k * (_log(place) - _log(end)), k * (_log(start) - _log(end))
            chances = math.exp(a) * math.expm1(
                b - a if a > -math.inf else b) / math.expm1(b), math.expm1(a) / math.expm1(b)
        later = self.decide(chances) == 0
        (self.low if later == clock.flip else self.high)[i] = t
        return later != clock.flip

    def inside(self) -> Optional[List[float]]:
        values: Optional[List[float]] = super().inside()
        at: Dict[int, float] = {}
        for i in sorted(
            (i for i, clock in enumerate(self.group) if type(clock) is Clock),
            key=lambda i: len(self._line(i))) if values else ():
            clock, (low, high) = self.clocks[i], self._span(i)
            gap = (0.5 + 0.3 * (i * 0.6180339887498949 % 1)) * _ratio(clock.rate, clock.total)
            if clock.parent is not None:
                at[i] = at[clock.parent] * _ratio(clock.rate, self.clocks[clock.parent].rate) + gap
            else:
                at[i] = -_log(high) + min(gap, (_log(high) - _log(low)) / 2)
            if not max(1e-12, 1e-9 * at[i]) < gap < 700 > at[i]:
                return None
            assert values is not None
            values[i] = -math.expm1(-at[i]) if clock.flip else math.exp(-at[i])
        return values
