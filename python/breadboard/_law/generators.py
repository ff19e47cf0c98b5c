"""Generators of random numbers that stand in for those of NumPy and of the module random while
the law of a function is found.

Each public method is written here by its law, or refuses: one that was left as it is would
draw in silence.
"""
from __future__ import annotations

import copy
import math
import operator
import os
import random
import re
import struct
import sys
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

from .lanes import Column, each, lead
from .drawn import Drawn
from .lazy import MOST_VALUES, Lazy, apply
from .._numpy import numpy
from .tree import Tree
from .wholes import Bytes, Whole

MOST_SHAPE = 1e7
MOST_COMB = 1000  # above this n, binomial coefficients exceed a float
# Before release 2, which makes floats of such integers
WIDENS = numpy is not None and numpy.result_type(numpy.uint64(1) % 2) != numpy.uint64
SMALL = 1e-290  # below it digits may be lost


def pick(tree: Tree, weights: Sequence[Any]) -> int:
    """A place, with probabilities that are proportional to weights."""
    own = [tree.number(w) for w in weights]
    total = sum(own) if tree.exact else each(lambda *lane: math.fsum(lane), *own)
    return tree.run.pick(own if total == 1 else [w / total for w in own])


def _chances(tree: Tree, p: Any) -> Tuple[Any, Any]:
    """The probabilities p and 1 - p of a parameter."""
    if type(p) is Lazy:
        raise tree.refuse("a probability is itself a random number that is not known yet")
    if not 0 <= p <= 1:
        raise ValueError("p < 0, p > 1 or p is NaN")
    return tree.number(p), 1 - tree.number(p)


def _at_least(least: float, value: Any, name: str) -> Any:
    if type(value) is not Lazy and not value >= least:
        raise ValueError("%s < %g" % (name, least))
    return value


def _endless(
    tree: Tree, first: int, key: Tuple[Any, ...], chances: Callable[[], Iterator[Any]],
    rational: bool = False,
) -> int:
    if tree.exact and not rational:
        raise tree.refuse("the probabilities of this draw are no fractions; leave exact=True out")
    return first + tree.run.endless(key, chances)


def _by_ratios(p: Any, ratio: Callable[[int], Any]) -> Iterator[Any]:
    k = 0
    while True:
        yield p
        k += 1
        p = p * ratio(k)


def _from_afar(log: Decimal, ratio: Callable[[int], Any]) -> Iterator[Any]:
    """What _by_ratios gives, for a first value that is given by its natural logarithm, since it
    may underflow.
    """
    log2 = log / Decimal(2).ln()
    exponent = math.floor(log2)
    p, k = 2.0 ** float(log2 - exponent), 0
    while True:
        yield math.ldexp(p, exponent)
        k += 1
        p, more = math.frexp(p * ratio(k))
        exponent += more


def _around(tree: Tree, first: int, mode: int, last: int, ratio: Callable[[int], Any]) -> int:
    """A draw of a whole number from the ratios of the probabilities of k + 1 and k, from the
    likeliest one on.
    """
    up, down = [1.0], [1.0]
    for k in range(mode, last):
        up.append(up[-1] * ratio(k) if up[-1] else 0.0)
    for k in range(mode - 1, first - 1, -1):
        down.append(down[-1] / ratio(k) if down[-1] else 0.0)
    return first + pick(tree, [*down[:0:-1], *up])


def binomial(tree: Tree, n: Any, p: Any) -> int:
    (p, q), n = _chances(tree, p), int(_at_least(0, n, "n"))
    if n > MOST_COMB and not tree.exact and type(p) is float:
        return (
            _around(tree, 0, min(n, int((n + 1) * p)), n, lambda k: (n - k) / (k + 1) * (p / q))
            if 0 < p < 1 else int(n * p)
        )
    return pick(tree, [math.comb(n, k) * p**k * q ** (n - k) for k in range(n + 1)])


def hypergeometric(tree: Tree, good: Any, bad: Any, n: Any) -> int:
    good, bad, n = (
        int(_at_least(0, v, name)) for v, name in ((good, "ngood"), (bad, "nbad"), (n, "nsample")))
    if n > good + bad:
        raise ValueError("ngood + nbad < nsample")
    first, last = max(0, n - bad), min(good, n)
    if good + bad > MOST_COMB and not tree.exact:
        mode = max(first, min(last, (n + 1) * (good + 1) // (good + bad + 2)))
        return _around(
            tree, int(first), int(mode), int(last),
            lambda k: (good - k) / (k + 1) * ((n - k) / (bad - n + k + 1)))
    return (
        int(first)
        + pick(
            tree, [
                tree.one * (math.comb(good, k) * math.comb(bad, n - k)) / math.comb(good + bad, n)
                for k in range(first, last + 1)])
    )


def multinomial(tree: Tree, n: Any, weights: Any) -> List[int]:
    own: List[float] = [float(w) for w in weights]
    left: int = int(n)
    rest: Any = tree.one
    counts: List[int] = []
    if any(not 0 <= w <= 1 for w in own) or math.fsum(own[:-1]) > 1 + 1e-12:
        raise ValueError("sum(pvals[:-1]) > 1.0 or pvals < 0, pvals > 1 or pvals contains NaNs")
    for w in map(tree.number, own[:-1]):
        counts.append(binomial(tree, left, min(w / rest, tree.one)) if left and rest > 0 else 0)
        left, rest = left - counts[-1], rest - w
    return counts + [left]


def geometric(tree: Tree, p: Any) -> int:
    if p == 0:
        raise ValueError("p <= 0, p > 1 or p contains NaNs")
    p, q = _chances(tree, p)
    return _endless(tree, 1, ("geometric", p), lambda: _by_ratios(p, lambda k: q), True)


def negative_binomial(tree: Tree, n: Any, p: Any) -> int:
    (p, q), n = _chances(tree, p), tree.number(n)
    if type(p) is float and 0 < p < 1 and not tree.exact and p**n < SMALL:
        return _endless(
            tree, 0, ("negative", n, p),
            lambda: _from_afar(Decimal(p).ln() * Decimal(float(n)), lambda k: (n + k - 1) / k * q))
    return _endless(
        tree, 0, ("negative", n, p), lambda: _by_ratios(p**n, lambda k: (n + k - 1) / k * q),
        n == int(n))


def poisson(tree: Tree, mean: Any) -> int:
    m = float(_at_least(0, mean, "lam"))
    if m > 100:
        return _endless(tree, 0, ("poisson", m), lambda: _from_afar(-Decimal(m), lambda k: m / k))
    return _endless(
        tree, 0, ("poisson", m), lambda: (
            math.exp(k * math.log(m) - m - math.lgamma(k + 1)) if m else float(k == 0)
            for k in range(10**9)))


def logseries(tree: Tree, p: Any) -> int:
    p = float(_chances(tree, p)[0])
    return _endless(
        tree, 1, ("logseries", p),
        lambda: (-(p**k) / k / math.log1p(-p) if p else float(k == 1) for k in range(1, 10**9)))


def zipf(tree: Tree, a: Any) -> int:
    if not a > 1:
        raise ValueError("a <= 1 or a is NaN")
    a, n = float(a), 1000  # so many terms are summed, and the rest by Euler and Maclaurin
    tail = (
        n ** (1 - a) / (a - 1) + n**-a / 2 + a * n ** (-a - 1) / 12
        - a * (a + 1) * (a + 2) * n ** (-a - 3) / 720
    )
    total = math.fsum(k**-a for k in range(1, n)) + tail
    return _endless(tree, 1, ("zipf", a), lambda: (k**-a / total for k in range(1, 10**9)))


def normal(tree: Tree, mean: Any = 0.0, sd: Any = 1.0) -> Any:
    return mean + _at_least(0, sd, "scale") * apply("normal", tree.run.uniform())


def exponential(tree: Tree, scale: Any = 1.0) -> Any:
    return _at_least(0, scale, "scale") * -apply("log1p", -tree.run.uniform())


def _above(least: float, value: Any, name: str) -> Any:
    if type(value) is not Lazy and not value > least:
        raise ValueError("%s <= %g" % (name, least))
    return value


def _shapes(tree: Tree, *shapes: Any) -> Tuple[float, ...]:
    """The parameters of a distribution that is not that of a number of one shape, moved and
    stretched.
    """
    if any(type(a) is Lazy or type(a) is Column for a in shapes):
        raise tree.refuse(
            "the shape of a distribution is a random number, or one for each of several log f")
    if max(shapes) > MOST_SHAPE:
        raise tree.refuse(
            "a gamma, beta or t distribution has the parameter %g; at most %g is followed"
            % (max(shapes), MOST_SHAPE))
    return tuple(map(float, shapes))


def gamma(tree: Tree, shape: Any, scale: Any = 1.0) -> Any:
    (a,) = _shapes(tree, _at_least(0, shape, "shape"))
    return _at_least(0, scale, "scale") * apply("gamma", tree.run.uniform(), (a,)) if a else 0.0


def beta(tree: Tree, a: Any, b: Any) -> Any:
    return apply("beta", tree.run.uniform(), _shapes(tree, _above(0, a, "a"), _above(0, b, "b")))


def triangular(tree: Tree, low: Any, mode: Any, high: Any) -> Any:
    u = tree.run.uniform()
    if not low <= mode <= high or low == high:
        raise ValueError("left > mode, mode > right or left == right")
    if u < (mode - low) / (high - low):
        return low + apply("power", u * ((high - low) * (mode - low)), 0.5)
    return high - apply("power", (1 - u) * ((high - low) * (high - mode)), 0.5)


def _plainly(draw: Callable[..., Any]) -> Callable[..., Any]:
    """A draw that is a float in a plain run, even if it is so near to one that it was a fraction
    on the way.
    """
    def drawn(tree: Tree, *parameters: Any) -> Any:
        value = draw(tree, *parameters)
        return float(value) if type(value) is Fraction else value

    return drawn


# The methods of NumPy that draw one number from parameters, with these and what they are where they
# are not given.
WHOLE: Dict[str, Tuple[str, Callable[..., Any]]] = {
    "binomial": ("n p", binomial), "geometric": ("p", geometric),
    "negative_binomial": ("n p", negative_binomial), "logseries": ("p", logseries),
    "zipf": ("a", zipf), "hypergeometric": ("ngood nbad nsample", hypergeometric),
    "poisson": ("lam=1", poisson)}
DENSITIES: Tuple[Tuple[str, str, Callable[..., Any]], ...] = (
    ("random", "", lambda tree: tree.run.uniform()),
    ("random_sample", "", lambda tree: tree.run.uniform()),
    ("uniform", "low=0 high=1", lambda tree, a, b: a + (b - a) * tree.run.uniform()),
    ("standard_normal", "", normal), ("normal", "loc=0 scale=1", normal),
    ("lognormal", "mean=0 sigma=1", lambda tree, mean, sd: apply("exp", normal(tree, mean, sd))),
    ("standard_exponential", "", exponential), ("exponential", "scale=1", exponential),
    (
        "gumbel", "loc=0 scale=1",
        lambda tree, mode, scale: mode
        - _at_least(0, scale, "scale") * apply("log", -apply("log", tree.run.uniform()))),
    (
        "logistic", "loc=0 scale=1",
        lambda tree, mean, scale: mean
        - _at_least(0, scale, "scale") * apply("log", apply("power", tree.run.uniform(), -1) - 1)),
    (
        "laplace", "loc=0 scale=1",
        lambda tree, mean, scale: mean
        + _at_least(0, scale, "scale") * apply("laplace", tree.run.uniform())),
    ("standard_cauchy", "", lambda tree: apply("cauchy", tree.run.uniform())),
    (
        "rayleigh", "scale=1",
        lambda tree, scale: _at_least(0, scale, "scale")
        * apply("power", 2 * exponential(tree), 0.5)),
    ("weibull", "a", lambda tree, a: apply("power", exponential(tree), 1 / a)),
    ("pareto", "a", lambda tree, a: apply("expm1", exponential(tree, 1 / a))),
    ("power", "a", lambda tree, a: apply("power", tree.run.uniform(), 1 / a)),
    ("triangular", "left mode right", triangular), ("standard_gamma", "shape", gamma),
    ("gamma", "shape scale=1", gamma),
    ("chisquare", "df", lambda tree, df: 2 * gamma(tree, _above(0, df, "df") / 2)),
    ("beta", "a b", beta), (
        "standard_t", "df",
        lambda tree, df: apply("student", tree.run.uniform(), _shapes(tree, _above(0, df, "df")))),
    (
        "f", "dfnum dfden",
        lambda tree, m, n: n / m
        * apply(
            "power",
            apply("power", beta(tree, _above(0, m, "dfnum") / 2, _above(0, n, "dfden") / 2), -1)
            - 1, -1)))
CONTINUOUS = {name: (spec, _plainly(draw)) for name, spec, draw in DENSITIES}


def _method(name: str, spec: str, draw: Callable[..., Any], whole: bool) -> Callable[..., Any]:
    words = [word.partition("=") for word in spec.split()]
    names, defaults = [word[0] for word in words], {
        word[0]: float(word[2]) for word in words if word[2]}

    def method(self: Any, *args: Any, **named: Any) -> Any:
        if not (names or args or named):
            return draw(self.tree)
        given: Dict[str, Any] = {
            **defaults, **dict(zip((*names, "size", "dtype", "out"), args)), **named}
        size, out, dtype, _ = (given.pop(key, None) for key in ("size", "out", "dtype", "method"))
        kind: Any = numpy.int64 if whole else None
        drawn = draw
        if dtype is not None and numpy.dtype(dtype) != numpy.float64:
            if numpy.dtype(dtype) != numpy.float32:
                raise TypeError("Unsupported dtype %r for %s" % (numpy.dtype(dtype), name))
            if name != "random":
                raise self.tree.refuse(
                    "%s in single precision is not supported; leave dtype= out" % name)
            kind = None if self.tree.run.plain is None else numpy.float32
            drawn = lambda tree: tree.run.uniform((("single", size is not None),))
        if out is not None:
            raise self.tree.refuse(
                "random numbers are written into an array of floats; leave out= out")
        if sorted(given) != sorted(names):
            raise TypeError("%s() takes %s and size" % (name, ", ".join(names)))
        if (
            name == "uniform" and not self.legacy
            and numpy.any(numpy.less(given["high"], given["low"]))
        ):
            raise ValueError("high - low < 0")
        return self.each(
            kind, size, lambda *values: drawn(self.tree, *values), *(given[key] for key in names))

    method.__name__ = name
    return method


def drawn_bytes(tree: Tree, n: int) -> Any:
    """Random bytes, in a plain run as they are."""
    if tree.run.plain is not None or 256**n <= MOST_VALUES:
        return tree.run.whole(256**n).to_bytes(n, "little")
    return Bytes(tree.run, n)


class Common:
    """What the stand-ins for generators of NumPy have in common: choices and orders."""

    tree: Tree
    legacy = False
    usual: Any = "int64"  # the dtype of whole numbers

    def each(self, kind: Any, size: Any, draw: Callable[..., Any], *parameters: Any) -> Any:
        """Draws for each element of the parameters, in the shape of size."""
        if (
            size is None
            and not any(isinstance(p, (numpy.ndarray, list, tuple)) for p in parameters)
        ):
            return draw(*parameters)
        arrays = [
            _array([p], object).reshape(()) if type(p) is Lazy else numpy.asarray(p)
            for p in parameters]
        shape = numpy.broadcast_shapes(*(a.shape for a in arrays))
        if size is not None:
            size = _shape(size)
            if numpy.broadcast_shapes(shape, size) != size:
                raise ValueError(
                    "Output size %s is not compatible with broadcast dimensions of inputs %s."
                    % (size, shape))
            shape = size
        rows: Any = (
            zip(*(numpy.broadcast_to(a, shape).ravel().tolist() for a in arrays)) if arrays
            else ((),) * math.prod(shape)
        )
        values = [draw(*row) for row in rows]
        drawn = _array(
            values,
            object if any(type(value) is Whole for value in values)
            else kind or (object if self.tree.run.plain is None else float)).reshape(shape)
        return drawn.view(Drawn) if drawn.dtype == object else drawn

    def _integers(self, low: Any, high: Any, size: Any, dtype: Any, closed: bool) -> Any:
        low, high = (0, low) if high is None else (low, high)
        # As most are
        if (
            size is None and type(low) is type(high) is int and dtype is self.usual
            and -(2**63) <= low < high + closed <= 2**63
        ):
            value = low + self.tree.run.whole(
                high + closed - low, None if self.legacy else numpy.int64)
            return value if self.legacy or type(value) is Whole else numpy.int64(value)
        kind = None if self.legacy and dtype is int else numpy.dtype(dtype)
        limits = None if kind is None or kind.kind not in "iu" else numpy.iinfo(kind)

        def draw(a: Any, b: Any) -> Any:
            a, b = int(a), int(b) + closed
            if a >= b:
                raise ValueError("low > high" if closed else "low >= high")
            if limits is not None and not limits.min <= a < b <= limits.max + 1:
                raise ValueError(
                    "%s is out of bounds for %s" % ("low" if a < limits.min else "high", kind))
            below: Any = (
                self.tree.run.below if kind == numpy.uint64 and WIDENS
                else partial(self.tree.run.whole, kind=kind and kind.type)
            )
            value = a + below(b - a)
            return value if kind is None or type(value) is Whole else kind.type(value)

        return self.each(kind or int, size, draw, low, high)

    def choice(
        self, a: Any, size: Any = None, replace: bool = True, p: Any = None, axis: int = 0,
        shuffle: bool = True,
    ) -> Any:
        given, weights = numpy.asarray(a), None if p is None else [
            each(float, w) for w in p] if type(p) is Column else numpy.asarray(p).ravel().tolist()
        try:
            n = operator.index(a if given.ndim == 0 else given.shape[axis])
        except TypeError:
            raise ValueError("a must be a sequence or an integer, not %s" % type(a)) from None
        shape = () if size is None else _shape(size)
        count = math.prod(shape)
        if self.legacy and given.ndim > 1:
            raise ValueError("a must be 1-dimensional")
        if n <= 0 and count:
            raise ValueError(
                "a must be a positive integer unless no samples are taken" if given.ndim == 0
                else "a cannot be empty unless no samples are taken")
        wrong: Any = (
            weights is not None
            and (
                "a and p must have same size" if len(weights) != n
                else each(partial(_no_weights, _spacing(lead(p))), *weights))
        )
        if (
            not wrong and not (replace or size is None)
            and count > (n if weights is None else sum(w > 0 for w in weights))
        ):
            wrong = (
                "Cannot take a larger sample than population when replace is False" if count > n
                else "Fewer non-zero entries in p than size"
            )
        if wrong:
            raise ValueError(wrong)
        if not (replace or size is None or shuffle or count < 2):
            raise self.tree.refuse(
                "choice with shuffle=False has an order that NumPy does not specify; leave it out")
        left, places = list(range(n)), []
        for _ in range(count):
            k = self.tree.run.below(len(left)) if weights is None else pick(self.tree, weights)
            places.append(left[k])
            if not (replace or size is None):
                del left[k]
                if weights is not None:
                    del weights[k]
        taken: Any = numpy.array(places, dtype=numpy.int64).reshape(shape)
        if size is None:
            taken = places[0] if self.legacy and given.ndim == 0 else taken[()]
        return (
            taken if given.ndim == 0 else given[taken] if given.ndim == 1
            else given.take(taken, axis)
        )

    def _order(self, n: int) -> List[int]:
        """An order of n places, as shuffle makes one."""
        places = list(range(n))
        for i in range(n - 1, 0, -1):
            j = self.tree.run.below(i + 1)
            places[i], places[j] = places[j], places[i]
        return places

    def permutation(self, x: Any, axis: int = 0) -> Any:
        x = numpy.arange(operator.index(x)) if numpy.ndim(x) == 0 else numpy.asarray(x)
        return x.take(self._order(x.shape[axis]), axis)

    def shuffle(self, x: Any, axis: int = 0) -> None:
        if isinstance(x, numpy.ndarray):
            x[...] = x.take(self._order(x.shape[axis]), axis)
        else:
            for k, value in enumerate([x[k] for k in self._order(len(x))]):
                x[k] = value

    def permuted(self, x: Any, *, axis: Optional[int] = None, out: Any = None) -> Any:
        old = numpy.arange(operator.index(x)) if numpy.ndim(x) == 0 else numpy.asarray(x)
        new = numpy.array(old)
        rows = new.reshape(1, -1) if axis is None else numpy.moveaxis(new, axis, -1)
        for at in numpy.ndindex(rows.shape[:-1]):
            rows[at] = rows[at][self._order(rows.shape[-1])]
        if out is None:
            return new
        out[...] = new
        return out

    def multinomial(self, n: Any, pvals: Any, size: Any = None) -> Any:
        pvals, shape = numpy.asarray(pvals), () if size is None else _shape(size)
        if numpy.ndim(n) or pvals.ndim != 1:
            raise self.tree.refuse(
                "multinomial draws with several n or several pvals at once are not written; draw "
                "them one by one")
        return numpy.array(
            [multinomial(self.tree, n, pvals) for _ in range(math.prod(shape))],
            dtype=numpy.int64).reshape(shape + pvals.shape)

    def bytes(self, length: Any) -> Any:
        return drawn_bytes(self.tree, operator.index(length))


class Modern(Common):
    """What a Generator of NumPy has alone."""

    def integers(
        self, low: Any, high: Any = None, size: Any = None, dtype: Any = "int64",
        endpoint: bool = False,
    ) -> Any:
        return self._integers(low, high, size, dtype, endpoint)


class Legacy(Common):
    """What a RandomState of NumPy has alone."""

    legacy, usual = True, int

    def randint(self, low: Any, high: Any = None, size: Any = None, dtype: Any = int) -> Any:
        return self._integers(low, high, size, dtype, False)

    def rand(self, *sides: int) -> Any:
        return self.random(size=sides or None)  # type: ignore[attr-defined]

    def randn(self, *sides: int) -> Any:
        return self.standard_normal(size=sides or None)  # type: ignore[attr-defined]


for _name, (_spec, _draw) in [*WHOLE.items(), *CONTINUOUS.items()]:
    setattr(Common, _name, _method(_name, _spec, _draw, _name in WHOLE))


class Standard:
    """What stands for a random.Random; the rest of the standard library follows from these."""

    tree: Tree

    def random(self) -> Any:
        return self.tree.run.uniform()

    def _randbelow(self, n: int) -> int:
        return self.tree.run.whole(n)  # type: ignore[no-any-return]

    def getrandbits(self, k: int) -> int:
        return self.tree.run.whole(1 << k)  # type: ignore[no-any-return]

    def randbytes(self, n: int) -> Any:
        return drawn_bytes(self.tree, n)

    def choices(
        self, population: Any, weights: Any = None, *, cum_weights: Any = None, k: int = 1,
    ) -> Any:
        """By the weights themselves, of whose small ones the sums of the library lose digits."""
        weights = None if weights is None else list(weights)
        own = weights is not None and cum_weights is None and all(w >= 0 for w in weights)
        choices: Any = random.Random.choices
        drawn = choices(self, population, weights, cum_weights=cum_weights, k=0 if own else k)
        return [population[pick(self.tree, weights)] for _ in range(k)] if own else drawn

    def gauss(self, mu: float = 0.0, sigma: float = 1.0) -> Any:
        return mu + sigma * normal(self.tree)

    normalvariate = gauss

    def gammavariate(self, alpha: float, beta: float) -> Any:
        if alpha <= 0 or beta <= 0:
            raise ValueError("gammavariate: alpha and beta must be > 0.0")
        return gamma(self.tree, alpha, beta)

    def betavariate(self, alpha: float, beta: float) -> Any:
        return CONTINUOUS["beta"][1](self.tree, alpha, beta)

    def binomialvariate(self, n: int = 1, p: float = 0.5) -> int:
        return binomial(self.tree, n, p)


def _no_weights(spacing: float, *weights: float) -> str:
    """Why numbers are no probabilities; empty where they are."""
    if any(w != w for w in weights):
        return "probabilities contain NaN"
    return (
        "probabilities are not non-negative" if min(weights) < 0
        else "probabilities do not sum to 1" if abs(math.fsum(weights) - 1) > math.sqrt(spacing)
        else ""
    )


def _spacing(p: Any) -> float:
    """The distance from 1 to the next number, in the precision of an array; of anything else in
    that of a float.
    """
    return float(
        numpy.finfo(p.dtype if isinstance(p, numpy.ndarray) and p.dtype.kind == "f" else float).eps)


def _shape(size: Any) -> Tuple[int, ...]:
    return (operator.index(size),) if numpy.ndim(size) == 0 else tuple(map(operator.index, size))


def _array(values: Sequence[Any], kind: Any) -> Any:
    array = numpy.empty(len(values), dtype=kind)
    for k, value in enumerate(values):
        array[k] = value
    return array


def kinds() -> List[type]:
    """The classes of generators that have a stand-in."""
    return (
        [random.Random] if numpy is None
        else [numpy.random.Generator, numpy.random.RandomState, random.Random]
    )


class Bits:
    """What stands for the private bit generator of a global generator: of it, it may be read
    whether there is a seed, as SciPy does.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def __getattr__(self, name: str) -> Any:
        if name == "_seed_seq":
            return self
        if self._tree.over:
            raise AttributeError("%s is not there: what a witness draws is in its draws" % name)
        raise self._tree.refuse(
            "%s of the bit generator is read, which draws what is not followed" % name)


def stand_in(kind: type, tree: Tree, old: Any = None) -> Any:
    """A generator of a kind whose draws are choices of a tree. In other threads, and after the
    law, it is the old one, if any.
    """
    def refusing(name: str) -> Callable[..., Any]:
        def method(self: Any, *_: Any, **__: Any) -> Any:
            raise self.tree.refuse(
                "%s of this generator cannot be followed, because its distribution is not "
                "implemented" % name)

        return method

    def bits(self: Any) -> Any:
        if tree.over:  # so that a debugger takes it for an attribute that is not there
            raise AttributeError
        return refusing("bit_generator")(self)

    def missing(self: Any, name: str) -> Any:
        why = "'%s' object has no attribute '%s'" % (kind.__name__, name)
        if tree.over and hasattr(kind, name):
            raise AttributeError("%s: what a witness draws is in its draws" % why)
        others = [
            other.__module__.split(".")[0] + (".random." if other is not random.Random else ".")
            + other.__name__ for other in kinds() if hasattr(other, name)]
        raise AttributeError(
            why
            + (
                "; %s has it: give rng=%s" % (" or ".join(others), others[-1])
                if others and name[0] != "_" else ""))

    def said(self: Any) -> str:
        draws = getattr(self, "draws", None)
        return (
            "<%s of breadboard.law%s>"
            % (
                kind.__name__,
                "" if draws is None
                else ", a witness of %d draw%s" % (len(draws), "s" * (len(draws) != 1)))
        )

    standard = kind is random.Random
    own: Any = Standard if standard else Modern if kind is numpy.random.Generator else Legacy
    known = {
        name: value for base in reversed(own.__mro__[:-1]) for name, value in vars(base).items()
        if standard or not name.startswith("__")}
    names = (
        "seed getstate setstate vonmisesvariate".split() if standard
        else [n for n in dir(kind) if not n.startswith("_")]
    )
    members: Dict[str, Any] = {
        name: refusing(name) for name in (*names, "__reduce__") if name not in known}
    if not standard:
        members.update(
            {
                name: property(bits if name[0] != "_" else lambda self: Bits(self.tree))
                for name in ("bit_generator", "_bit_generator") if name in vars(kind)})
    members.update(__getattr__=missing, __repr__=said, __str__=said)
    if old is not None:
        members["__getattribute__"] = (
            lambda self, name: object.__getattribute__(self, name)
            if name == "tree" or tree.is_mine(old) else getattr(old, name)
        )
    known = {
        name: value for name, value in known.items()
        if hasattr(kind, name) and name not in ("__dict__", "__weakref__")
            or name in ("each", "_integers", "_order", "legacy", "usual")}
    made: Any = type(kind.__name__, (kind,), {**known, **members})
    made = made.__new__(made, 0) if standard else made(numpy.random.PCG64(0))
    made.tree = tree
    return made


GENERATORS: Tuple[Any, ...] = (
    (random.Random,) if numpy is None
    else (
        random.Random, numpy.random.Generator, numpy.random.RandomState, numpy.random.BitGenerator,
        numpy.random.SeedSequence)
)
LIBRARIES = sys.stdlib_module_names | {
    "numpy", "scipy", "pandas", "torch", "jax", __name__.partition(".")[0]}


def is_library(x: Any) -> bool:
    """Whether a class, a function, a module or the name of one is that of a library, which keeps
    nothing of the function.
    """
    return (
        (
            x if isinstance(x, str)
            else getattr(x, "__module__", None) or getattr(x, "__name__", None)
                or "").partition(".")[0] in LIBRARIES
    )


def bits_of(generators: Sequence[Any]) -> List[Tuple[Any, Callable[[], Any], Any]]:
    """Generators from which something may draw that is not followed, each with a function that
    reads its bits, and what these are now.
    """
    reads: List[Tuple[Any, Callable[[], Any]]] = []
    for one in generators:
        if isinstance(one, random.Random):
            native: Any = random.Random.__mro__[1]
            reads.append((one, partial(native.getstate, one)))
        else:
            kind: Any = next((kind for kind in kinds() if isinstance(one, kind)), None)
            bits = (
                one if kind is None
                else vars(kind)[
                    "_bit_generator" if "_bit_generator" in vars(kind)
                    else "bit_generator"].__get__(one)
            )
            reads.append(
                (
                    one, lambda bits=bits: repr(  # type: ignore[misc]
                        [v.tolist() if hasattr(v, "tolist") else v for v in _leaves(bits.state)])))
    return [(one, read, read()) for one, read in reads]


def drawn_from(bits: List[Tuple[Any, Callable[[], Any], Any]], but: Any = ()) -> str:
    """What to say of a generator whose bits have changed; nothing if all are what they were."""
    kind = next(
        (type(one).__name__ for one, read, was in bits if read() != was and id(one) not in but), "")
    return (
        (
            (
                kind
                and "it draws from a generator (a %s) that it does not get as its argument, which "
                "cannot be followed: give it the generator, as by rng=, or draw by functions of "
                "modules, with rng=None" % kind))
    )


def _leaves(state: Any) -> List[Any]:
    return (
        [leaf for value in state.values() for leaf in _leaves(value)] if isinstance(state, dict)
        else [state]
    )


def globals_of(make: Callable[..., Any]) -> List[Tuple[Any, Any]]:
    """Pairs of a global function or generator and of what stands for it, in the thread of the
    law and as long as it is looked for.
    """
    std: Any = random
    standard = make(random.Random, std._inst)
    tree, pairs = standard.tree, [(std._inst, standard)]

    def call_of(old: Callable[..., Any], new: Callable[..., Any]) -> Tuple[Any, Any]:
        def call(*args: Any, **named: Any) -> Any:
            return (new if tree.is_mine(getattr(old, "__self__", None)) else old)(*args, **named)

        return old, call

    def refusing(old: Any, what: str) -> Tuple[Any, Any]:
        def refuse(*_: Any, **__: Any) -> Any:
            raise tree.refuse(what)

        return call_of(old, refuse)

    if numpy is not None:
        default, names = numpy.random.default_rng, {
            "ranf": "random_sample", "sample": "random_sample"}
        pairs += [(one, make(type(one), one)) for one in (numpy.random.mtrand._rand, default())]
        legacy, modern = pairs[1][1], pairs[2][1]
        pairs.append(
            call_of(
                default,
                lambda seed=None: modern if seed is None else default(tree.run.seeded(seed))))
        pairs += [
            call_of(f, getattr(legacy, names.get(name, name)))
            for name, f in vars(numpy.random).items()
            if getattr(f, "__self__", None) is pairs[1][0] or name in names]
        pairs += [
            refusing(
                f,
                "the global generator is given a state: draw from the generator that the "
                "function gets") for f in (numpy.random.seed, numpy.random.set_state)]
    pairs += [
        call_of(f, getattr(standard, name)) for name, f in vars(random).items()
        if getattr(f, "__self__", None) is std._inst]
    starts = [
        (of, name) for of in (os, sys.modules.get("_posixsubprocess"), sys.modules.get("_winapi"))
        for name in (
            "fork", "forkpty", "posix_spawn", "posix_spawnp", "system", "fork_exec",
            "CreateProcess")]
    pairs += [refusing(getattr(of, name), PROCESS) for of, name in starts if hasattr(of, name)]
    secrets = sys.modules.get("secrets")
    clocks = [
        name for name in ("uuid1", "uuid6", "uuid7") if hasattr(sys.modules.get("uuid"), name)]
    pairs += [
        refusing(
            getattr(sys.modules["uuid"], name),
            name + "() reads the clock, so that no run can be repeated") for name in clocks]
    # A method, bound before its class is changed
    return pairs + [
        *(call_of(draw, lambda n, flags=0: standard.randbytes(n)) for draw in SYSTEM),
        unpacked()] + ([call_of(secrets.randbits, standard.getrandbits)] if secrets else [])


def unpacked() -> Tuple[Any, Any]:
    """struct.unpack, and what follows it for a whole number of bytes that are not known."""
    old = struct.unpack

    def unpack(form: Any, data: Any) -> Any:
        one = re.fullmatch("([<>=!@]?)([bhilqBHILQ])", form) if type(data) is Bytes else None
        if one is None or struct.calcsize(form) != len(data):
            return old(form, data)
        return (
            data.number(
                {"<": "little", ">": "big", "!": "big"}.get(one[1], sys.byteorder),
                one[2].islower()),)

    return old, unpack


PROCESS = (
    "another process is started or asked, whose draws cannot be followed: call in this process "
    "what it computes"
)


def of_processes(tree: Tree) -> List[Tuple[Any, str, Any]]:
    """What stands for the methods by which the processes of a pool are asked."""
    def method(of: Any, name: str) -> Tuple[Any, str, Any]:
        old: Callable[..., Any] = getattr(of, name)

        def ask(self: Any, *args: Any, **named: Any) -> Any:
            if tree.is_mine(self):
                raise tree.refuse(PROCESS)
            return old(self, *args, **named)

        return of, name, ask

    asking = ("multiprocessing.pool", "Pool", "_check_running"), (
        "multiprocessing.connection", "_ConnectionBase",
        "_check_readable"), ("concurrent.futures.process", "ProcessPoolExecutor", "submit")
    return [
        method(getattr(sys.modules[module], kind), name) for module, kind, name in asking
        if module in sys.modules]


def of_system(tree: Tree) -> List[Tuple[Any, str, Any]]:
    """What stands for methods of the generator of the system, by which those of the module
    secrets draw too.
    """
    def method(name: str, draw: Callable[..., Any]) -> Tuple[Any, str, Any]:
        old: Callable[..., Any] = getattr(random.SystemRandom, name)
        return (
            random.SystemRandom, name,
            lambda self, *args: draw(*args) if tree.is_mine(self) else old(self, *args)
        )

    return [
        method("random", lambda: tree.run.uniform()),
        method("getrandbits", lambda k: tree.run.whole(1 << k)),
        method("_randbelow", lambda n: tree.run.whole(n))]


def seeding(tree: Tree) -> Tuple[Any, str, Any]:
    """What stands for the method that seeds a random.Random, which would seed one from the
    system that is given no seed.
    """
    old = random.Random.seed

    def seed(self: Any, a: Any = None, version: int = 2) -> None:
        if a is None and tree.is_mine(self):
            raise tree.refuse(
                "a random.Random is made without a seed, so that it draws what cannot be "
                "followed: draw from the generator that the function gets")
        if tree.is_mine(self):
            tree.run.seeded(a)
        old(self, a, version)

    return random.Random, "seed", seed


def functions_of_numbers() -> List[Tuple[Any, Any]]:
    """Functions of the module math that take float() of a number, and what follows a lazy one."""

    def follow(old: Callable[..., Any], lazily: Callable[..., Any]) -> Callable[..., Any]:
        def followed(x: Any, *rest: Any) -> Any:
            return (
                lazily(x, *rest) if type(x) is Lazy else each(old, x, *rest)
                if type(x) is Column or rest else old(x, *rest)
            )

        return followed

    of_lazy: Dict[str, Callable[..., Any]] = {
        "log": lambda x, *base: x.log() / math.log(*base) if base else x.log(), "pow": operator.pow,
        "fabs": abs, "fmod": lambda x, y: x.fmod(y), "isnan": lambda x: False,
        "isinf": lambda x: False, "isfinite": lambda x: True, **{
            name: operator.methodcaller(name)
            for name in ("log1p", "log2", "log10", "exp", "expm1", "sqrt", "modf", "tan", "tanh")},
        "atan": lambda x: x.arctan()}
    return [
        (getattr(math, name), follow(getattr(math, name), lazily))
        for name, lazily in of_lazy.items()]


def copied(value: Any, kept: Sequence[Any] = ()) -> Any:
    """A deep copy of an argument, which the function may change, but for some generators that
    are kept. What cannot be copied is returned itself.
    """
    if value is None or type(value) in UNCHANGED or callable(value):
        return value
    if type(value) in (list, tuple, set):
        return type(value)(copied(v, kept) for v in value)
    if type(value) is dict:
        return {k: copied(v, kept) for k, v in value.items()}
    try:
        return copy.deepcopy(value, {id(one): one for one in kept})
    except Exception:  # as of what holds a lock or a file
        return value


def placed(value: Any, before: List[Any], kept: Sequence[Any] = ()) -> Any:
    """A copy of a value, if possible where the first of some objects was, which is given up:
    what a function keeps by id() is then that of another value.
    """
    old = before.pop(0) if before else value
    address: int = id(old)
    made: List[Any] = [_anew(value, kept)]
    if hasattr(sys, "getrefcount") and sys.getrefcount(old) == 2 and not callable(value):
        del old
        while id(made[-1]) != address and len(made) < PLACES:
            made.append(_anew(value, kept))
    return made[-1]


def _anew(value: Any, kept: Sequence[Any]) -> Any:
    """A copy of a value that is an object of its own, if it is no constant."""
    kind = type(value)
    if kind is float:
        return value * 1.0
    if kind is int:
        return value | 0
    if kind is str and not value.isidentifier():
        return "".join(list(value))
    if kind is bytes:
        return bytes(bytearray(value))
    if numpy is not None and isinstance(value, numpy.generic):
        return copy.copy(value)
    return tuple([_anew(part, kept) for part in value]) if kind is tuple else copied(value, kept)


SYSTEM: List[Any] = [getattr(os, name) for name in ("urandom", "getrandom") if hasattr(os, name)]
PLACES = 500  # copies that are made until one is where another object was
UNCHANGED = frozenset((bool, int, float, complex, str, bytes, range))
