"""Random numbers as floats compute them: a uniform number is one of 2^24 or 2^53, and each
operation on it rounds as NumPy's does.

The operations of a function are recorded. Where it decides, all values of a uniform number
are put through them, and counted.
"""
from __future__ import annotations

import math
from functools import partial, partialmethod
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import numpy

from .drawn import written
from .generators import _shape
from .lazy import MOST_VALUES
from .vocabulary import FEWEST, MONOTONE, Draw, Many

# Values that are looked at for one decision; where there are more, intervals of them are
WORK = 2**28
PARTS = 2**13  # intervals from one power of two to the next, for a race
# Values of each of many numbers, which are all counted; where there are more, intervals of them are
MOST_COUNTED = 2**25
MOST_RACING = 2**10  # numbers of which intervals are compared with those of all others
FEW = 2**6  # and where they are halved until they are exact
BLOCK = 2**20
DIGITS = {"float32": 24, "float64": 53}  # of a uniform number
WAYS = (
    "argmax, argmin, comparisons, where, np.searchsorted(edges, u) but not "
    "edges.searchsorted(u), int() and the elementwise functions of NumPy are followed; for the "
    "rest use assert_samples, or conform draws. Without bits= the residues, quotients and bits "
    "of whole numbers are followed"
)


class State:
    """What is known of a uniform whole number below n: the ranges in which it is, in order, and
    what was counted of it.
    """

    def __init__(self, n: int, first: Any, last: Any) -> None:
        self.n, self.first, self.last = n, first, last
        self.counted: Dict[Any, Any] = {}

    def cells(self, parts: int) -> Tuple[Any, Any]:
        """The numbers themselves without parts, or else intervals that are finer towards either
        end.
        """
        if parts:
            edges = numpy.outer(
                2.0 ** numpy.arange(self.n.bit_length()),
                1 + numpy.arange(parts) / parts).astype(numpy.int64).ravel()
            edges = edges[edges <= self.n // 2]
            at = numpy.unique(
                numpy.concatenate([[0], edges, self.n - edges, self.first, self.last + 1]))
            owner = numpy.searchsorted(self.first, at, "right") - 1
            at = at[(owner >= 0) & (at <= self.last[owner])]
            ends = numpy.minimum(
                numpy.append(at[1:], self.n) - 1,
                self.last[numpy.searchsorted(self.first, at, "right") - 1])
            return at, ends
        sizes = self.last - self.first + 1
        k = numpy.arange(sizes.sum(), dtype=numpy.int32) + numpy.repeat(
            (self.first - numpy.append(0, numpy.cumsum(sizes)[:-1])).astype(numpy.int32), sizes)
        return k, k


class Source:
    """A uniform whole number below n, of which the values of some terms are known."""

    def __init__(self, home: Recorder, n: int) -> None:
        self.home, self.n = home, n
        self.state: State = home.once(
            ("state", n), lambda: State(n, numpy.zeros(1, int), numpy.array([n - 1])))
        self.spent: Optional[int] = None  # a value with which a race has gone as it went

    def check(self) -> None:
        self.home.tree.run.alive()
        if self.spent is not None:
            raise self.home.tree.refuse(
                "a random number is used again that was compared with another one, which cannot "
                "be followed in floats; " + WAYS)

    def too_many(self) -> Any:
        return self.home.tree.refuse(
            "a random number would become one of more than %d values; %s" % (MOST_VALUES, WAYS))

    def settle(self, term: Term, key: Any = None) -> Any:
        """The value of a term that has few, by a choice."""
        if self.spent is not None:
            self.check()
        counted = self.state.counted.get(key or term.key)
        if counted is None:
            counted = self.state.counted[key or term.key] = self._count(term)
        values, chances, states = counted
        at = self.home.tree.run.decide(chances) if len(chances) > 1 else 0
        self.state = states[at]
        return values[at]

    def _count(self, term: Term) -> Any:
        self.check()
        steps = _steps(term)
        if steps is None:
            first, last, values = _settled(
                term, *_refined(term, *self.state.cells(0 if self.n <= WORK // 16 else FEW)))
        else:
            first, last = self.state.first, self.state.last.copy()
            for step in steps:
                first, last, values = _settled(step, first, last)
                if len(first) * len(steps) > WORK:
                    raise self.home.tree.refuse(
                        "a random number is compared with more than %d numbers; write "
                        "np.searchsorted(edges, u), or leave bits= out" % math.isqrt(WORK))
            values = values if steps[-1] is term else term.at(first)
        first, last, values = _joined(first, last, values, numpy.zeros(len(first), bool))
        few, of = numpy.unique(values, return_inverse=True)
        if len(few) > MOST_VALUES:
            raise term.source.too_many()
        sizes, order = numpy.bincount(
            of, last - first + 1, len(few)), numpy.argsort(of, kind="stable")
        parts = numpy.split(order, numpy.searchsorted(of[order], numpy.arange(1, len(few))))
        return few, (sizes / sizes.sum()).tolist(), [
            State(self.n, first[part], last[part]) for part in parts]

    def example(self) -> int:
        return (
            int(self.state.first[0] + self.state.last[0]) // 2 if self.spent is None
            else int(self.spent)
        )


class Term:
    """What an operation makes of its parts, which are terms of one source, or numbers of NumPy;
    without parts, of the number of the source itself.
    """

    __slots__ = ("source", "name", "key", "parts", "_f", "_inputs", "_is_sure")
    key: int

    def __init__(self, source: Source, name: Any, f: Callable[..., Any], *inputs: Any) -> None:
        self.source: Source = source
        self.name: Any = name[0]
        self._f: Callable[..., Any] = f
        self._inputs: Any = inputs
        self._is_sure: Optional[bool] = None
        self.parts = [one for one in inputs if type(one) is Term]
        self.key = source.home.number(
            (
                name, *(
                    one.key if type(one) is Term else (one.dtype.char, one.tobytes())
                    for one in inputs)))

    def at(self, k: Any) -> Any:
        with numpy.errstate(all="ignore"):
            return self._at(k)

    def _at(self, k: Any) -> Any:
        one, later = self, []
        while len(one.parts) == 1:
            later.append(one)
            one = one.parts[0]
        value = (
            one._f(*(part._at(k) if type(part) is Term else part for part in one._inputs))
            if one._inputs else one._f(k)
        )
        for one in reversed(later):
            value = one._f(*(value if type(part) is Term else part for part in one._inputs))
        return value

    def test(self, name: Any) -> Term:
        return Term(self.source, (name, ""), name, *self._inputs)

    def is_sure(self) -> bool:
        """Whether it rises or falls with the number of its source for certain, so that bisection
        finds where it changes.
        """
        one, later = self, []
        while one._is_sure is None and len(one.parts) == 1 and one.name in ROUNDED:
            later.append(one)
            one = one.parts[0]
        sure, value = (
            not one.parts if one._is_sure is None else one._is_sure,
            one.at(numpy.zeros(1, int)) if later else None
        )
        for one in reversed(later):
            value = one._f(*(value if type(part) is Term else part for part in one._inputs))
            sure = one._is_sure = sure and (one.name == "searchsorted" or value.dtype.kind in "fb")
        return sure


def _settled(term: Term, first: Any, last: Any) -> Tuple[Any, Any, Any]:
    """Intervals on which a term has one value each, if it is monotone on those that are given,
    and the values.
    """
    if first is last:
        return first, last, term.at(first)
    starts = numpy.sort(first)
    while True:
        low, high = term.at(first), term.at(last)
        split = (low != high) & ((low == low) | (high == high)) & (first < last)
        if not split.any():
            break
        if len(first) > 2**22:
            raise term.source.too_many()
        # More at once where there are few, of which each look takes as long
        pieces = max(2, min(64, 2**12 // int(split.sum())))
        edges = first[split][:, None] + numpy.outer(
            (last - first)[split] // pieces + 1, numpy.arange(pieces + 1))
        edges = numpy.minimum(edges, last[split][:, None] + 1)
        some = edges[:, :-1] < edges[:, 1:]
        first, last = numpy.concatenate([first[~split], edges[:, :-1][some]]), numpy.concatenate(
            [last[~split], edges[:, 1:][some] - 1])
    order = numpy.argsort(first)
    return _joined(first[order], last[order], low[order], numpy.isin(first[order], starts))


def _joined(first: Any, last: Any, values: Any, apart: Any) -> Tuple[Any, Any, Any]:
    """Ranges in order, of which those that follow each other with one value are one, except
    where one is to begin.
    """
    new = (
        (values[1:] != values[:-1]) & ((values[1:] == values[1:]) | (values[:-1] == values[:-1]))
        | (first[1:] != last[:-1] + 1) | apart[1:]
    )
    starts = numpy.append(0, numpy.flatnonzero(new) + 1)
    return first[starts].astype(int), last[
        numpy.append(starts[1:], len(last)) - 1].astype(int), values[starts]


def _refined(term: Term, first: Any, last: Any) -> Tuple[Any, Any]:
    """Intervals on each of which all conditions in a term hold or do not. It is refused if it is
    not known to rise, or to fall, between their ends.
    """
    if first is last:
        return first, last
    for part in term.parts:
        first, last = _refined(part, first, last)
    if term.name in PAIRS and len(term.parts) == 1:
        for test in PAIRS[:2]:
            first, last, _ = _settled(term.test(test), first, last)
        return first, last
    if term.parts and all(part.at(first[:1]).dtype == bool for part in term.parts):
        return first, last
    steps = term.at(numpy.sort(first))
    steps = steps[steps == steps]
    if (
        term.parts and term.name not in RISING
        or not ((steps[1:] >= steps[:-1]).all() or (steps[1:] <= steps[:-1]).all())
    ):
        raise term.source.home.tree.refuse(
            "the operations on a random number with 2^%d values are not known to rise, or to "
            "fall; %s" % (term.source.n.bit_length() - 1, WAYS))
    return first, last


def _steps(term: Term) -> Optional[List[Term]]:
    """Terms that rise or fall with their number for certain, and that decide a term; None if
    there are no such.
    """
    if term.is_sure():
        return [term]
    return (
        term.parts
        if term.name in TOGETHER
            and all(part.name in PAIRS and part.is_sure() for part in term.parts) else None
    )


def _packed(*answers: Any) -> Any:
    """Several conditions as one text of bytes for each number."""
    bits = numpy.packbits(numpy.stack(answers), axis=0)
    return numpy.ascontiguousarray(bits.T).view("S%d" % len(bits)).ravel()


PAIRS: Tuple[Any, ...] = (
    numpy.less, numpy.less_equal, numpy.greater, numpy.greater_equal, numpy.equal, numpy.not_equal)
RISING = {  # or falling, one after the other, also where the second part changes the direction
    "where", "searchsorted", *MONOTONE, *(
        getattr(numpy, name)
        for name in "log log1p log2 log10 exp expm1 exp2 sqrt cbrt square power reciprocal floor "
        "ceil trunc rint floor_divide right_shift left_shift absolute float_power".split()),
}
TOGETHER = ("argmax", "answers")
ROUNDED = MONOTONE.union(["searchsorted"], PAIRS[:4])


class Spread:
    """The values of a term in order: of intervals, the least and the largest one, with the share
    of each and of those before it.
    """

    def __init__(self, term: Any, parts: int) -> None:
        first, last = (
            _refined(term, *term.source.state.cells(parts)) if type(term) is Term
            else (numpy.zeros(1, int),) * 2
        )
        low = term.at(first) if type(term) is Term else numpy.array([term])
        high = low if first is last else term.at(last)
        low, high = (
            (low, low) if first is last else (numpy.minimum(low, high), numpy.maximum(low, high))
        )
        order = (
            slice(None) if (low[1:] >= low[:-1]).all() else slice(None, None, -1)
            if (low[1:] <= low[:-1]).all() else numpy.argsort(low, kind="stable")
        )
        self.low, self.high, self.k = low[order], high[order], first[order]
        weights = None if first is last else (last - first + 1)[order].astype(float)
        self.share = 1 / len(low) if weights is None else weights / weights.sum()
        self.before = None if weights is None else numpy.append(0.0, numpy.cumsum(self.share))

    def below(self, values: Any, side: Any) -> Any:
        """The probability of values below others, or of those too with the side "right"."""
        at = numpy.searchsorted(self.high, values, side)
        return at / len(self.high) if self.before is None else self.before[at]


def race(home: Recorder, terms: Sequence[Any]) -> int:
    """The place of the largest of terms, as argmax gives it: the first of those that are equal,
    and the first NaN before all.
    """
    sources = [term.source for term in terms if type(term) is Term]
    for source in sources:
        source.check()
    if len(set(sources)) < len(sources):
        if len(set(sources)) > 1:
            raise home.tree.refuse(
                "several random numbers that are compared are made of the same uniform one; "
                + WAYS)
        same = lambda *values: numpy.argmax(numpy.broadcast_arrays(*values), axis=0)
        return int(sources[0].settle(Term(sources[0], ("argmax",), same, *terms)))
    keys = [
        (term.source.state, term.key) if type(term) is Term else (term.dtype.char, term.tobytes())
        for term in terms]
    chances, examples = home.once(
        ("race", *keys), lambda: _won(terms, keys, [source.n for source in sources]))
    rest = 1 - math.fsum(chances)
    i: int = (
        home.tree.run.decide([*chances, rest] if rest > 1e-14 * len(chances) else chances)
        if len(chances) > 1 else 0
    )
    if i == len(chances):
        home.tree.run.lose()
    for term, k in zip(terms, examples[i]):
        if type(term) is Term:
            term.source.spent = k
    return i


def _won(
    terms: Sequence[Any], keys: List[Any], sizes: List[int],
) -> Tuple[List[float], List[List[int]]]:
    """The probability with which each of terms is the first of the largest, at least, and values
    of their sources with which it is.
    """
    first = {key: i for i, key in reversed(list(enumerate(keys)))}
    work = len(keys) * len(first)
    parts = 0 if work * max(sizes, default=1) <= WORK else max(8, min(PARTS, WORK // (work * 128)))
    if parts and work > MOST_RACING**2:
        raise next(term for term in terms if type(term) is Term).source.home.tree.refuse(
            "%d random numbers with 2^%d values are compared, of which each has intervals; at "
            "most %d are. Numbers with at most 2^%d values are counted in any number: draw them "
            "by random(n, dtype=np.float32), give bits=\"float32\", or leave bits= out"
            % (len(keys), max(sizes).bit_length() - 1, MOST_RACING, MOST_COUNTED.bit_length() - 1))
    spreads = {key: Spread(terms[i], parts) for key, i in first.items()}
    chances: List[float] = [0.0] * len(keys)
    best: List[float] = [-1.0] * len(keys)
    examples: List[List[int]] = [[]] * len(keys)
    for key, own in spreads.items():
        for start in range(0, len(own.low), BLOCK):
            part = slice(start, start + BLOCK)
            seen: Dict[Any, Any] = {}
            for i in [i for i, other in enumerate(keys) if other == key]:
                p = (
                    numpy.full(len(own.low[part]), own.share) if own.before is None
                    else own.share[part].copy()
                )
                for other in spreads:
                    for side, n in (
                        ("left", keys[:i].count(other)), ("right", keys[i + 1 :].count(other))):
                        if n and (other, side) not in seen:
                            seen[other, side] = spreads[other].below(own.low[part], side)
                        p *= seen[other, side] ** n if n > 1 else seen[other, side] if n else 1.0
                total = float(p.sum())
                chances[i] += total
                if total > best[i]:
                    best[i], at = total, start + int(numpy.searchsorted(numpy.cumsum(p), total / 2))
                    examples[i] = [
                        int(
                            spread.k[
                                at if j == i
                                else int(
                                    numpy.searchsorted(
                                        spread.high, own.low[at], "left" if j < i else "right"))
                                // 2]) for j, spread in enumerate(spreads[other] for other in keys)]
    return chances, examples


class Floats(numpy.lib.mixins.NDArrayOperatorsMixin):
    """An array, or with whole a number that the function has for itself, of which the operations
    are recorded.
    """

    def __init__(
        self, home: Recorder, terms: Any, dtype: Any, kind: str = "array",
        many: Optional[Many] = None,
    ) -> None:
        self.home, self._terms, self.dtype, self.kind, self.many, self._is_part = (
            home, terms, numpy.dtype(dtype), kind, many, False
        )

    shape = property(lambda self: self.terms.shape if self.many is None else self.many.places.shape)
    ndim = property(lambda self: len(self.shape))
    size = property(lambda self: math.prod(self.shape))
    T = property(lambda self: self._part(lambda a: a.T))

    @property
    def terms(self) -> Any:
        """The terms, of which those of many numbers are only made if they are asked for one by one.
        """
        if self.many is not None:
            draw, places, operations = self.many.draw, self.many.places, self.many.operations
            sources, self.many = draw.made(partial(Source, self.home)), None
            self._terms = _objects(
                [Term(sources[place], draw.name, draw.value) for place in places.ravel().tolist()],
                places.shape)
            for one in operations:
                made = Floats(self.home, self._terms, self.dtype)
                self._terms = _recorded(
                    one.name, one.f, [made if c is None else c for c in one.constants],
                    one.kind).terms
        return self._terms

    def _like(self, terms: Any) -> Floats:
        """Some of the terms, as an array, or as a number if there is one that is none of an array.
        """
        if isinstance(terms, numpy.ndarray):
            return Floats(self.home, terms, self.dtype)
        return Floats(self.home, _objects([terms]), self.dtype, "number")

    def sample(self) -> Any:
        return (
            numpy.zeros(1, self.dtype) if self.kind == "array" else self.dtype.type(0)
            if self.kind == "number" else 0.0
        )

    def _part(self, f: Callable[[Any], Any], is_view: bool = True) -> Floats:
        """Some of the numbers, or all in another shape."""
        if self.many is None or not numpy.ndim(f(self.many.places)):
            return self._like(f(self.terms))
        made = Floats(self.home, None, self.dtype, "array", self.many.rearranged(f))
        made._is_part = is_view
        return made

    def __len__(self) -> int:
        return len(self.terms)

    def __iter__(self) -> Any:
        return map(self.__getitem__, range(self.shape[0]))

    def __getitem__(self, at: Any) -> Floats:
        chosen = numpy.asarray(at) if type(at) is Floats else at
        return self._part(lambda a: a[chosen], not isinstance(chosen, (numpy.ndarray, list)))

    def __setitem__(self, at: Any, value: Any) -> None:
        if self._is_part:
            raise self.home.tree.refuse(
                "a part of an array of random numbers is written to; write to the array itself")
        if type(at) is not Floats and (self.many is None or type(value) is Floats):
            self.terms[at] = (
                value.astype(self.dtype).terms if type(value) is Floats
                else _numbers(value, self.dtype)[()]
            )
            return
        if type(at) is not Floats:
            places, given = numpy.zeros(self.shape, bool), numpy.zeros(self.shape, self.dtype)
            places[at], given[at] = True, value
            at, value = places, given
        made: Any = numpy.where(at, value, self)
        chosen = made.astype(self.dtype)
        self._terms, self.many = chosen._terms, chosen.many

    def reshape(self, *shape: Any, **named: Any) -> Floats:
        return self._part(lambda a: a.reshape(*shape, **named))

    def ravel(self) -> Floats:
        return self._part(lambda a: a.reshape(-1))

    def copy(self) -> Floats:
        return self._part(lambda a: a.copy(), False) if self.kind == "array" else self

    flatten, __copy__ = ravel, copy

    def __deepcopy__(self, _: Any) -> Floats:
        return self.copy()

    def astype(self, dtype: Any, **_: Any) -> Floats:
        dtype = numpy.dtype(dtype)
        return _recorded(("astype", dtype.char), lambda v: v.astype(dtype), [self], self.dtype)

    def item(self, *at: Any) -> Floats:
        one = self.terms.item(*at)
        return Floats(
            self.home, _objects([one]), self.dtype,
            "float" if self.dtype == float
            else "number").astype(float if self.dtype.kind == "f" else self.dtype)

    # Decisions

    def _ordered(self, ufunc: Any, other: Any) -> Any:
        """The comparison of a number with another one that is known, which is decided at once."""
        kind = type(other)
        if (
            self.kind == "array" or kind is not float and not (isinstance(other, numpy.floating))
            or type(self.terms[()]) is not Term
        ):
            return ufunc(self, other)
        term = self.terms[()]
        key = ufunc, kind, other, term.key
        if key in term.source.state.counted:
            return term.source.settle(term, key)
        return term.source.settle(ufunc(self, other).terms[()], key)

    __lt__: Any = partialmethod(_ordered, numpy.less)
    __le__: Any = partialmethod(_ordered, numpy.less_equal)
    __gt__: Any = partialmethod(_ordered, numpy.greater)
    __ge__: Any = partialmethod(_ordered, numpy.greater_equal)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        values = numpy.empty(self.shape, self.dtype)
        own = [term for term in self.terms.ravel().tolist() if type(term) is Term]
        source: Any = own[0].source if own else None
        together = (
            Term(source, ("answers",), _packed, *own)
            if self.dtype == bool and len(own) > 1 and all(term.source is source for term in own)
            else None
        )
        if (
            together is not None
            and (together.key in source.state.counted or _steps(together) is not None)
        ):
            bits = iter(
                numpy.unpackbits(
                    numpy.frombuffer(
                        source.settle(together).ljust(-(-len(own) // 8), b"\0"),
                        numpy.uint8)).tolist())
            values.flat[:] = [
                next(bits) if type(term) is Term else term for term in self.terms.ravel().tolist()]
        else:
            values.flat[:] = [
                term.source.settle(term) if type(term) is Term else term
                for term in self.terms.ravel().tolist()]
        return values if dtype is None else values.astype(dtype)

    def tolist(self) -> Any:
        return numpy.asarray(self).tolist()

    def _one(self, kind: type) -> Any:
        return kind(numpy.asarray(self))

    def __bool__(self) -> bool:
        return bool(self._one(bool) if self.dtype == bool else (self != 0)._one(bool))

    def __int__(self) -> int:
        whole: Any = self if self.dtype.kind in "iub" else numpy.trunc(self)
        return int(whole._one(int))

    def __float__(self) -> float:
        return float(self._one(float))

    def __index__(self) -> int:
        if self.dtype.kind not in "iub":
            raise TypeError("only integers can be used as an index")
        return int(self._one(int))

    def __floor__(self) -> int:
        below: Any = numpy.floor(self)
        return int(below._one(int))

    def argmax(self, axis: Optional[int] = None) -> Any:
        won = None if self.many is None else self.many.argmax(self.home, axis)
        if won is not None:
            return won
        if axis is None or self.ndim == 1:
            if not self.size:
                raise ValueError("attempt to get argmax of an empty sequence")
            return numpy.int64(race(self.home, list(self.terms.ravel())))
        rows = numpy.moveaxis(self.terms, axis, -1)
        return numpy.array(
            [race(self.home, list(rows[at])) for at in numpy.ndindex(rows.shape[:-1])],
            numpy.int64).reshape(rows.shape[:-1])

    def argmin(self, axis: Optional[int] = None) -> Any:
        return (self.astype(numpy.int64) * -1 if self.dtype.kind in "iub" else -self).argmax(axis)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or not hasattr(numpy.ndarray, name):
            raise AttributeError("numpy.ndarray has no attribute %s" % name)
        # Of what has few values
        if name in ("sum", "any", "all", "nonzero", "mean", "cumsum", "prod", "max", "min"):
            return lambda *args, **named: getattr(numpy.asarray(self), name)(*args, **named)
        raise self.home.tree.refuse(".%s of random numbers is asked for; %s" % (name, WAYS))

    def __array_ufunc__(
        self, ufunc: Any, method: str, *inputs: Any, out: Any = None, **named: Any,
    ) -> Any:
        own = [value for value in inputs if type(value) is Floats]
        if (
            method != "__call__" or ufunc.nout > 1 or named
            or len(own) > 1 and all(value.dtype == bool for value in own)
        ):
            return getattr(ufunc, method)(*map(plain, inputs), **named)
        samples = [
            value.sample() if type(value) is Floats else value if numpy.ndim(value) == 0
                else numpy.zeros(1, numpy.asarray(value).dtype) for value in inputs]
        kind = numpy.result_type(*samples)
        if ufunc in PAIRS and len({type(value) for value in inputs}) == 1:
            return _compared(ufunc, *(value.astype(kind) for value in inputs))
        made = _recorded((ufunc, kind.char), ufunc, inputs, kind)
        if out is None:
            return made
        if type(out[0]) is Floats:
            made = made.astype(out[0].dtype)
            out[0]._terms, out[0].many = made._terms, made.many
            return out[0]
        return made.astype(written(self.home.tree.refuse, ufunc, samples, out[0], made.shape))

    def __array_function__(self, function: Any, _: Any, args: Any, named: Any) -> Any:
        if function in (numpy.argmax, numpy.argmin) and not set(named) - {"axis"}:
            return getattr(args[0], function.__name__)(*args[1:], **named)
        if function is numpy.where and len(args) == 3:
            kind = numpy.result_type(
                *(value.sample() if type(value) is Floats else value for value in args[1:]))
            chosen = lambda yes, *of: numpy.where(yes, *of)
            return _recorded(("where", kind.char), chosen, args, kind)
        if function is numpy.clip and len(args) == 3 and not named:
            return numpy.minimum(numpy.maximum(args[0], args[1]), args[2])
        if (
            function is numpy.searchsorted and type(args[1]) is Floats
            and type(args[0]) is not Floats
        ):
            edges, dtype = numpy.asarray(args[0]), args[1].dtype
            found = lambda values: numpy.searchsorted(edges, values, *args[2:], **named)
            return _recorded(
                ("searchsorted", edges.dtype.char, edges.tobytes(), str((args[2:], named))), found,
                [args[1]], dtype)
        if function in (numpy.shape, numpy.ndim, numpy.size):
            return function(args[0].terms, *args[1:], **named)
        return function(*map(plain, args), **{name: plain(value) for name, value in named.items()})


def plain(value: Any) -> Any:
    """A value with the floats in it decided, which must have few values."""
    if type(value) is dict:
        return {key: plain(one) for key, one in value.items()}
    return (
        numpy.asarray(value)[()] if type(value) is Floats else type(value)(map(plain, value))
        if type(value) in (list, tuple, set) else value
    )


def _objects(values: Sequence[Any], shape: Tuple[int, ...] = ()) -> Any:
    array = numpy.empty(len(values), object)
    array[:] = values
    return array.reshape(shape)


def _numbers(value: Any, kind: Any) -> Any:
    """An array of numbers of NumPy, each as it is: as objects they would be those of Python."""
    given = numpy.asarray(value).astype(kind)
    return _objects(list(given.ravel()), given.shape)


def _recorded(name: Any, f: Callable[..., Any], inputs: Sequence[Any], kind: Any) -> Floats:
    """What an elementwise operation, which is done in one kind of numbers, makes of arrays and
    numbers. A condition stays one.
    """
    home = next(value.home for value in inputs if type(value) is Floats)
    kinds = [
        numpy.dtype(bool) if name[0] == "where" and i == 0 else kind for i in range(len(inputs))]
    cast: Callable[..., Any] = (
        lambda *values: f(
            *(value if value.dtype == to else value.astype(to) for value, to in zip(values, kinds)))
    )
    dtype = numpy.asarray(cast(*(numpy.ones(1, to) for to in kinds))).dtype
    own = [value for value in inputs if type(value) is Floats]
    if len(own) == 1 and own[0].many is not None:
        constants = [
            None if value is own[0] else numpy.array(value).astype(to)
            for value, to in zip(inputs, kinds)]
        return Floats(home, None, dtype, "array", own[0].many.then(name, f, kind, cast, constants))
    arrays = [
        value.terms if type(value) is Floats else _numbers(value, to)
        for value, to in zip(inputs, kinds)]
    shape, made = numpy.broadcast_shapes(*map(numpy.shape, arrays)), []
    for parts in zip(*(numpy.broadcast_to(array, shape).ravel().tolist() for array in arrays)):
        sources = {part.source for part in parts if type(part) is Term}
        if len(sources) > 1:
            raise home.tree.refuse(
                "two random numbers are combined by arithmetic, of which the floats are not "
                "counted; " + WAYS)
        made.append(
            Term(sources.pop(), name, cast, *parts) if sources else dtype.type(cast(*parts)))
    whole = all(
        value.kind != "array" if type(value) is Floats else numpy.ndim(value) == 0
        for value in inputs)
    return Floats(home, _objects(made, shape), dtype, "number" if whole else "array")


def _compared(ufunc: Any, a: Floats, b: Floats) -> Any:
    """The comparison of random numbers with each other, which is decided at once where they have
    different sources.
    """
    pairs = list(numpy.broadcast(a.terms, b.terms))
    if all(not (type(x) is Term and type(y) is Term) or x.source is y.source for x, y in pairs):
        return _recorded((ufunc, a.dtype.char), ufunc, [a, b], a.dtype)
    if ufunc in PAIRS[4:]:
        raise a.home.tree.refuse("it is asked whether two random numbers are equal; " + WAYS)
    if (
        any(
            numpy.isnan(Spread(x, 1).high[-1])
            for x in {x.key: x for pair in pairs for x in pair if type(x) is Term}.values())
        and a.dtype.kind == "f"
    ):
        raise a.home.tree.refuse("two random numbers are compared that may be NaN; " + WAYS)
    less, strict = ufunc in PAIRS[:2], ufunc in (numpy.less, numpy.greater)
    # Whether the second is larger, and not only as large
    won = [race(a.home, [x, y] if less == strict else [y, x]) for x, y in pairs]
    answers = numpy.array(
        [bool(second) == strict for second in won]).reshape(numpy.broadcast(a.terms, b.terms).shape)
    return answers if "array" in (a.kind, b.kind) else answers[()]


class Recorder:
    """What a generator draws while the floats of a function are counted: takes the place of its
    methods that draw uniform numbers.
    """

    def __init__(self, generator: Any, bits: str) -> None:
        self.tree, self._default, self._whole = generator.tree, bits, generator.integers
        self._counted: Dict[Any, Any] = {}
        self._numbers: Dict[Any, int] = {}
        for name in (
            "random", "uniform", "gumbel", "standard_exponential", "exponential", "integers"):
            setattr(generator, name, getattr(self, name))

    def number(self, key: Any) -> int:
        """A number for a key, which may be long."""
        return self._numbers.setdefault(key, len(self._numbers))

    def once(self, key: Any, count: Callable[[], Any]) -> Any:
        if key not in self._counted:
            self._counted[key] = count()
        return self._counted[key]

    def draw(self, n: int, name: Any, value: Callable[[Any], Any], size: Any, kind: str) -> Any:
        """Uniform whole numbers below n, and the value of each."""
        run, shape = self.tree.run, () if size is None else _shape(size)
        dtype = value(numpy.zeros(1, numpy.int64)).dtype
        if FEWEST <= math.prod(shape) and n <= MOST_COUNTED:
            run.ask(("bits", n, *shape))
            if run.plain is not None:
                return value(run._next(numpy.ndarray)).reshape(shape)
            made = Draw(n, name, value, shape)
            run.draws.append(made.example)
            return Floats(
                self, None, dtype, "array",
                Many(made, (), numpy.arange(math.prod(shape)).reshape(shape)))
        for _ in range(math.prod(shape)):
            run.ask(("bits", n))
        if run.plain is not None:
            drawn = value(
                numpy.array(
                    [run._next(int) for _ in range(math.prod(shape))], numpy.int64)).reshape(shape)
            return drawn if size is not None else drawn.item() if kind == "float" else drawn[()]
        sources = [Source(self, n) for _ in range(math.prod(shape))]
        run.draws += [source.example for source in sources]
        return Floats(
            self, _objects([Term(source, name, value) for source in sources], shape), dtype,
            "array" if size is not None else kind)

    def random(self, size: Any = None, dtype: Any = None, out: Any = None) -> Any:
        bits = str(numpy.dtype(dtype or self._default))
        if bits not in DIGITS:
            raise TypeError("Unsupported dtype dtype('%s') for random" % bits)
        if out is not None:
            raise self.tree.refuse(
                "random numbers are written into an array of floats; leave out= out")
        scale = numpy.dtype(bits).type(2.0 ** -DIGITS[bits])
        return self.draw(
            2 ** DIGITS[bits], (bits, size is None),
            lambda k: k.astype(bits) * scale if size is not None
            else (k.astype(bits) * scale).astype(float), size, "float")

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        return low + (numpy.subtract(high, low)) * self.random(_sized(size, low, high))

    def gumbel(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        bits = self._default
        one = numpy.dtype(bits).type(1)  # NumPy draws again where 1 - u is 1
        u = self.draw(
            2 ** DIGITS[bits] - 1, ("1 - " + bits,),
            lambda k: one - (k + 1).astype(bits) * numpy.dtype(bits).type(2.0 ** -DIGITS[bits]),
            _sized(size, loc, scale), "number")
        return loc - scale * numpy.log(-numpy.log(u))

    def standard_exponential(
        self, size: Any = None, dtype: Any = None, method: str = "zig", out: Any = None,
    ) -> Any:
        if method != "inv":
            raise self.tree.refuse(
                "NumPy draws exponential numbers by the ziggurat method, of which the floats are "
                "not counted; write method=\"inv\", or -np.log1p(-rng.random(n)), or leave bits= "
                "out")
        return -numpy.log1p(-self.random(size, dtype, out))

    def exponential(self, scale: Any = 1.0, size: Any = None) -> Any:
        return self.standard_exponential(size)

    def integers(
        self, low: Any, high: Any = None, size: Any = None, dtype: Any = "int64",
        endpoint: bool = False,
    ) -> Any:
        a, b = (0, low) if high is None else (low, high)
        if numpy.ndim(a) or numpy.ndim(b) or not MOST_VALUES < int(b) - int(a) + endpoint <= 2**62:
            return self._whole(low, high, size, dtype, endpoint)
        kind = numpy.dtype(dtype)
        numpy.array([int(a), int(b) - (not endpoint)]).astype(kind, casting="unsafe")
        return self.draw(
            int(b) - int(a) + endpoint, ("integers", int(a), kind.char),
            lambda k: (k.astype(numpy.int64) + int(a)).astype(kind), size, "number")


def _sized(size: Any, *parameters: Any) -> Any:
    shape = numpy.broadcast_shapes(*map(numpy.shape, parameters))
    return size if size is not None or shape == () else shape
