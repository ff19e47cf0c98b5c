"""Whole numbers that a loop only counts up: the number of tries of a loop that comes back to the
same state but for it.

A counter is c + sum a_e T_e. T_e is what all returns to where a loop e begins have added:
with the probability r_d of a return that adds d, and r their sum, E T = sum_d r_d d / (1 - r)
and E T^2 = (sum_d r_d d^2 + 2 E T sum_d r_d d) / (1 - r). More than n returns have the
probability r^n.
"""
from __future__ import annotations

import math
import operator
from fractions import Fraction
from typing import Any, Callable, Dict, List, NamedTuple, Tuple

MOST_COUNTED = 200_000  # additions, after which the other values are left out
BELOW = 1e-6  # of the cut: the probability of the values that are told apart, which cost no branch


class Uncounted(Exception):
    """The law is to be found again, with numbers of tries as they are."""


class Counter:
    """A counter, which can be moved by whole numbers. Whatever else is done with it needs its
    value.
    """

    __slots__ = ("tree", "c", "terms")
    __class__ = property(lambda self: int)  # type: ignore[assignment]  # for isinstance

    def __init__(self, tree: Any, c: int, terms: Dict[Any, int]) -> None:
        self.tree, self.c, self.terms = tree, c, {e: a for e, a in terms.items() if a}

    def __add__(self, other: Any) -> Any:
        if type(other) is Counter:
            return Counter(
                self.tree, self.c + other.c, {
                    e: self.terms.get(e, 0) + other.terms.get(e, 0)
                    for e in {**self.terms, **other.terms}})
        return (
            Counter(self.tree, self.c + other, self.terms) if type(other) in (int, bool)
            else self.__index__()
        )

    def __mul__(self, other: Any) -> Any:
        return (
            Counter(self.tree, self.c * other, {e: a * other for e, a in self.terms.items()})
            if type(other) in (int, bool) else self.__index__()
        )

    def __neg__(self) -> Any:
        return self * -1

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    __radd__, __rmul__ = __add__, __mul__

    def __copy__(self, *_: Any) -> Any:
        return self

    __deepcopy__ = __pos__ = __copy__

    def __index__(self, *_: Any) -> Any:
        raise self.tree.uncount()

    def __getattr__(self, name: str) -> Any:
        if hasattr(int, name):
            raise self.tree.uncount()
        raise AttributeError(name)


for _name in (
    "int float complex bool hash repr str format reduce_ex lt le gt ge eq ne abs invert floor "
    "ceil trunc round array "
    + " ".join(
        side + name for name in "truediv floordiv mod divmod pow and or xor lshift rshift".split()
        for side in ("", "r"))).split():
    setattr(Counter, "__%s__" % _name, Counter.__index__)


class Count(NamedTuple):
    """A counter in an outcome."""

    c: int
    terms: Tuple[Tuple[Any, int], ...]


def counted(key: Any) -> List[Count]:
    """The counters of an outcome."""
    return (
        [key] if type(key) is Count else [one for part in key for one in counted(part)]
        if type(key) is tuple else []
    )


def replaced(
    key: Any, by: Callable[[Count], Any], other: Callable[[Any], Any] = lambda x: x,
) -> Any:
    """An outcome with something in the place of its counters, and of all else."""
    return (
        by(key) if type(key) is Count else tuple(replaced(part, by, other) for part in key)
        if type(key) is tuple else other(key)
    )


def first(key: Any) -> Any:
    """The outcome without a return."""
    return replaced(key, lambda count: count.c)


class Returns:
    """What the returns to loops add to outcomes that have counters."""

    def __init__(
        self, keys: Any, backs: List[Any], weight: Callable[[Any], Any], cut: float, exact: bool,
    ) -> None:
        self.cut, self.exact, self.work = (cut * BELOW or 1e-320), exact, 0
        self.shares: Dict[Any, Dict[Tuple[Tuple[str, int], ...], Any]] = {
            entry: {} for key in keys for count in counted(key) for (entry, _), _ in count.terms}
        for p, path, entry, steps in backs:
            if entry in self.shares:
                step = tuple(steps.items())
                self.shares[entry][step] = (
                    self.shares[entry].get(step, 0)
                    + p * weight(path[path.index(entry) + 1 :]) / entry.p
                )
        self.leave = {entry: 1 / weight((entry,)) for entry in self.shares}

    def _steps(self, key: Any, entry: Any) -> List[Tuple[Tuple[int, ...], Any]]:
        """What a return adds to each counter of an outcome, and with which probability."""
        added: Dict[Tuple[int, ...], Any] = {}
        for step, r in self.shares[entry].items():
            by = dict(step)
            d = tuple(
                sum(a * by[name] for (of, name), a in count.terms if of is entry)
                for count in counted(key))
            added[d] = added.get(d, 0) + r
        return list(added.items())

    def _spread(self, key: Any, entry: Any, p: Any) -> Tuple[Dict[Tuple[int, ...], Any], Any]:
        """The probabilities of what all returns add to each counter, of all that have the
        probability p, and that of what is beyond.
        """
        steps: Any = self._steps(key, entry)
        level: Dict[Tuple[int, ...], Any] = {(0,) * len(counted(key)): p * self.leave[entry]}
        found: Dict[Tuple[int, ...], Any] = {}
        n: int = 0
        while level:
            after: Dict[Tuple[int, ...], Any] = {}
            for t, q in level.items():
                found[t] = found.get(t, 0) + q
                for d, r in steps:
                    to = tuple(map(operator.add, t, d))
                    after[to] = after.get(to, 0) + q * r
            self.work += len(after) * len(steps)
            n += 1
            level = (
                after if self.work < MOST_COUNTED and any(q > self.cut for q in after.values())
                else {}
            )
        return found, p * sum(r for _, r in steps) ** n

    def spread(self, key: Any, p: Any) -> Tuple[Dict[Any, Any], List[Any]]:
        """The outcomes that an outcome with counters stands for, with their probabilities, and
        those of what is beyond them.
        """
        law: Dict[Any, Any] = {key: p}
        lost: List[Any] = []
        for entry in {entry: 0 for count in counted(key) for (entry, _), _ in count.terms}:
            after: Dict[Any, List[Any]] = {}
            for one, q in law.items():
                found, rest = self._spread(one, entry, q)
                lost.append(rest)
                for t, share in found.items():
                    by = iter(t)
                    moved = replaced(
                        one, lambda count: Count(
                            count.c + next(by),
                            tuple(term for term in count.terms if term[0][0] is not entry)))
                    after.setdefault(moved, []).append(share)
            law = {one: sum(qs) if self.exact else math.fsum(qs) for one, qs in after.items()}
        return {first(one): q for one, q in law.items()}, lost

    def moments(self, key: Any) -> Tuple[Any, Any]:
        """The mean and the variance of each number of an outcome."""
        zero: Any = Fraction(0) if self.exact else 0.0

        def both(count: Count) -> Tuple[Any, Any]:
            mean, variance = count.c + zero, zero
            for entry in {entry for (entry, _), _ in count.terms}:
                steps, leave = self._steps(count, entry), self.leave[entry]
                one = sum(r * d for (d,), r in steps) / leave
                mean, variance = (
                    mean + one,
                    variance + (sum(r * d * d for (d,), r in steps) + 2 * one * one * leave) / leave
                    - one**2
                )
            return mean, variance

        return replaced(key, lambda count: both(count)[0]), replaced(
            key, lambda count: both(count)[1], lambda _: zero)
