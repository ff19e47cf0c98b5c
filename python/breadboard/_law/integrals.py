"""Which of some independent numbers of any distributions is the largest, by quadrature over
their common values.

The probability that number i is the largest one of all is the integral of its density times
the distribution functions of the others. What is known of a number already, as that it is
above another one, goes into its density. The values are cut into panels, until in each the
rule of Gauss gives the probability that the distribution function of each number says.
"""
from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, Dict, FrozenSet, List, Optional, Sequence, Set, Tuple

import numpy

from .lazy import STEPS, Place, Steps, rises, value_at, width
from .special import DENSITIES

_LEGENDRE: Any = numpy.polynomial.legendre
NODES, WEIGHTS = _LEGENDRE.leggauss(16)
LEVELS = [2.0**-k for k in (56, 40, 28, 20, 14, 10, 7, 5, 3, 2, 1)]
# Shares where a number ends: of 1/x the first one may round to an infinite one
FIRST = LEVELS[0], 2.0**-52
WIDE = 40  # numbers above which fewer places are tried at first
MOST_WRONG = 1e-13  # the largest difference of a probability from that on twice as many panels
# What a panel may be wrong by, times what others have in it: near a fold, as that of -u log(u),
# rounding is no matter
LOST = 1e-17
_UFUNC: Any = numpy.frompyfunc
_DENSITIES: Dict[str, Any] = {
    **{name: _UFUNC(f, 3 if name == "beta" else 2, 1) for name, f in DENSITIES.items()},
    "normal": lambda x: numpy.exp(-x * x / 2) / math.sqrt(2 * math.pi),
    "laplace": lambda x: numpy.exp(-abs(x)) / 2, "cauchy": lambda x: 1 / (math.pi * (1 + x * x))}
_INVERSES: Dict[str, Any] = {  # of a step, and its slope
    "times": lambda x, a: (x / a, 1 / a),
    "plus": lambda x, a: (x - a, 1.0),
    "log": lambda x, a: (numpy.exp(x), numpy.exp(x)),
    "log1p": lambda x, a: (numpy.expm1(x), numpy.exp(x)),
    "exp": lambda x, a: (numpy.log(x), 1 / x),
    "expm1": lambda x, a: (numpy.log1p(x), 1 / (1 + x)),
    "power": lambda x, a: (x ** (1 / a), x ** (1 / a) / (a * x)),
    "tan": lambda x, a: (numpy.arctan(x), 1 / (1 + x * x)),
    "atan": lambda x, a: (numpy.tan(x), 1 + numpy.tan(x) ** 2),
    "tanh": lambda x, a: (numpy.arctanh(x), 1 / (1 - x * x)),
}

Pair = Tuple[int, int]  # a number and a larger one
Cell = Tuple[Steps, Place, Place]


class Unknown(ArithmeticError):
    """A probability that is not known to so many digits."""


@lru_cache(maxsize=1)
def _cumulation() -> Any:
    """The matrix by which values at the nodes become integrals up to them."""
    integrals = [_LEGENDRE.legint([0] * k + [1], lbnd=-1) for k in range(16)]
    to_series = (_LEGENDRE.legvander(NODES, 15) * WEIGHTS[:, None] * (numpy.arange(16) + 0.5)).T
    return numpy.array([_LEGENDRE.legval(NODES, one) for one in integrals]).T @ to_series


class Number:
    """A number that is made of a uniform one between two places."""

    def __init__(self, steps: Steps, low: Place, high: Place) -> None:
        self.steps, self.ends, self.rises = steps, (low, high), rises(steps)
        self.width = width(low, high)
        self.low, self.high = sorted((self.value(0.0), self.value(1.0)))

    def value(self, q: float, above: bool = False) -> float:
        """The value at a share of the interval, from below or from above."""
        low, high = self.ends
        u, rest = (
            (low[0] + q * self.width, low[1] + q * self.width) if not above
            else (high[0] - q * self.width, high[1] - q * self.width)
        )
        return float(value_at(self.steps, (u, rest)))

    def chances(self, x: float) -> Tuple[float, float]:
        """The probabilities of what is below a value, and above."""
        low, high = self.ends
        if x <= self.low or x >= self.high:
            return (0.0, 1.0) if x <= self.low else (1.0, 0.0)
        value: Any = x
        for name, arg in reversed(self.steps):
            value = STEPS[name][1](value, arg)
        t = min(max((float(value), float(value - 1)), low), high)
        answer = width(low, t) / self.width, width(t, high) / self.width
        return answer if self.rises else answer[::-1]

    def density(self, x: Any) -> Any:
        inside: Any = (x > self.low) & (x < self.high)
        w: Any = 1.0 / self.width
        for k in range(len(self.steps) - 1, -1, -1):
            name, a = self.steps[k]
            if name in _INVERSES:
                x, slope = _INVERSES[name](x, a)
            elif name == "both":
                x, slope = a.inverse(x)
            else:  # a distribution, of which the function is needed only where steps come before
                slope = _DENSITIES[name](*(a or ()), x).astype(float)
                x = (
                    numpy.array(
                        [float(STEPS[name][1](v, a)) for v in x.ravel().tolist()]).reshape(x.shape)
                    if k else x
                )
            w = w * abs(slope)
        return numpy.where(inside & numpy.isfinite(w), w, 0.0)


class Grid:
    """Panels of values, with the densities of all numbers at the nodes of each."""

    def __init__(self, numbers: Sequence[Number], edges: Sequence[float]) -> None:
        self.numbers: Sequence[Number] = numbers
        self._known: Dict[float, Any] = {}
        self.left, self.right, self.f = numpy.empty(0), numpy.empty(0), numpy.empty(
            (len(numbers), 0, 16))
        self._add(numpy.array(edges[:-1]), numpy.array(edges[1:]))

    def _chances(self, xs: Any) -> Any:
        for x in xs.tolist():
            if x not in self._known:
                self._known[x] = numpy.array([number.chances(x) for number in self.numbers])
        # Numbers, panels, below and above
        return numpy.array([self._known[x] for x in xs.tolist()]).transpose(1, 0, 2)

    def _inside(self, left: Any, right: Any) -> Any:
        a, b = self._chances(left), self._chances(right)
        return numpy.where(a[:, :, 0] > 0.5, a[:, :, 1] - b[:, :, 1], b[:, :, 0] - a[:, :, 0])

    def _add(self, left: Any, right: Any) -> None:
        """Adds panels, halved until in each the densities give the probabilities."""
        # What distribution functions may be wrong by, which is more where panels do not help
        wrong = 1e-15
        while len(left):
            wrong *= 1.25
            x = (left + right)[:, None] / 2 + (right - left)[:, None] / 2 * NODES
            f = numpy.array([number.density(x) for number in self.numbers])
            inside, sums = self._inside(left, right), f @ WEIGHTS * (right - left) / 2
            rest = inside.sum(axis=0) - inside
            means = numpy.sqrt(abs(left)) * numpy.sqrt(abs(right))
            middle = numpy.where(
                (left > 0) & (right > 4 * left), means,
                numpy.where((right < 0) & (left < 4 * right), -means, (left + right) / 2))
            done, alone = (
                abs(sums - inside) <= 1e-13 * inside + wrong, abs(sums - inside) * rest <= LOST
            )
            whole, fine = (middle <= left) | (middle >= right), (done | alone).all(axis=0)
            if (whole & ~fine & ((inside * rest).max(axis=0) > 1e-14)).any():
                raise Unknown
            fine = fine | whole
            with numpy.errstate(all="ignore"):
                f = numpy.where(
                    (done | (inside == 0))[:, :, None], f, numpy.where(
                        (sums > 0)[:, :, None], f * (inside / sums)[:, :, None],
                        (inside / (right - left))[:, :, None]))
            self.left, self.right = numpy.append(self.left, left[fine]), numpy.append(
                self.right, right[fine])
            self.f = numpy.concatenate([self.f, f[:, fine]], axis=1)
            left, right = numpy.append(left[~fine], middle[~fine]), numpy.append(
                middle[~fine], right[~fine])
            if len(self.left) + len(left) > 20000:
                raise Unknown
        order = numpy.argsort(self.left)
        self.left, self.right, self.f = self.left[order], self.right[order], self.f[:, order]
        self.half = ((self.right - self.left) / 2)[:, None]

    def halve(self) -> None:
        middle = (self.left + self.right) / 2
        some = (middle > self.left) & (middle < self.right) & (self.f > 0).any(axis=(0, 2))
        left, middle, right = self.left[some], middle[some], self.right[some]
        self.left, self.right, self.f = self.left[~some], self.right[~some], self.f[:, ~some]
        self._add(numpy.append(left, middle), numpy.append(middle, right))

    def spread(self, k: Optional[int], g: Any) -> Tuple[Any, Any]:
        """At each node the integral of g below, and above. If g is the density of a number the
        ends are known.
        """
        inside, sums = self.half * (g @ _cumulation().T), self.half[:, 0] * (g @ WEIGHTS)
        if k is not None:
            below, above = self._chances(self.left)[k, :, 0], self._chances(self.right)[k, :, 1]
        else:
            below, above = numpy.cumsum(sums) - sums, numpy.cumsum(sums[::-1])[::-1] - sums
        return below[:, None] + inside, above[:, None] + (sums[:, None] - inside)


def winners(
    cells: Sequence[Cell], pairs: FrozenSet[Pair], tops: Sequence[int], largest: bool,
) -> List[float]:
    """The probability, for each of some numbers of different trees, that what is known of the
    trees holds and this number is the largest of the tops, or the least.
    """
    numbers = [Number(*cell) for cell in cells]
    few: List[float] = LEVELS if len(numbers) <= WIDE else []
    ends: Set[float] = set()
    for number in numbers:
        ends |= {
            number.value(q, above) for q in few
            for above in (False, True)} | {x for x in (number.low, number.high) if math.isfinite(x)}
    ends_of = [
        sorted(
            next(filter(math.isfinite, (n.value(q, above) for q in FIRST)), math.nan)
            for above in (False, True)) for n in numbers]
    edges, first, last = sorted(filter(math.isfinite, ends)), [low for low, _ in ends_of], [
        high for _, high in ends_of]
    if not all(map(math.isfinite, first + last)):
        raise Unknown
    # What is below all that the largest one may be, or above the least one, is left out
    if not pairs:
        a, b = (max(first), max(last)) if largest else (min(first), min(last))
        edges = sorted({*numpy.linspace(a, b, 9).tolist(), *(x for x in edges if a <= x <= b)})
    else:
        edges = sorted({min(first), max(last), *edges})
    beside: Dict[int, List[Tuple[int, bool]]] = {k: [] for k in range(len(cells))}
    for a, b in pairs:
        beside[b].append((a, True))
        beside[a].append((b, False))

    def branch(grid: Grid, k: int, parent: int) -> Any:
        """The density of a number, times the probability of what is known of those beyond it."""
        g = grid.f[k]
        for child, below in beside[k]:
            if child != parent:
                g = g * spread(grid, child, k)[0 if below else 1]
        return g

    def spread(grid: Grid, k: int, parent: int) -> Any:
        return grid.spread(k if len(beside[k]) == (parent >= 0) else None, branch(grid, k, parent))

    def answer(grid: Grid) -> Any:
        side = 0 if largest else 1
        sides = (
            [spread(grid, top, -1)[side] for top in tops] if len(tops) > 1
            else [numpy.ones(grid.f.shape[1:])]
        )
        before, after = [numpy.ones_like(sides[0])], [numpy.ones_like(sides[0])]
        for one, other in zip(sides[:-1], sides[:0:-1]):
            before.append(before[-1] * one)
            after.append(after[-1] * other)
        return numpy.array(
            [
                math.fsum(
                    (
                        branch(grid, top, -1) * before[i] * after[-1 - i] @ WEIGHTS
                        * grid.half[:, 0]).tolist()) for i, top in enumerate(tops)])

    with numpy.errstate(all="ignore"):
        grid = Grid(numbers, edges)
        found = answer(grid)
        for _ in range(5):
            grid.halve()
            last_found, found = found, answer(grid)
            if (
                abs(found - last_found).sum() <= MOST_WRONG
                and (pairs or abs(found.sum() - 1) <= MOST_WRONG * len(numbers))
            ):
                return [float(p) for p in found]
    raise Unknown
