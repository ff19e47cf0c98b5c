"""Generators of random numbers that stand in for those of NumPy and of the module random while the law of a function is found.

Each public method is written here by its law, or refuses: one that was left as it is would draw in silence.
"""
from __future__ import annotations

import inspect
import math
import random
from fractions import Fraction
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

from .lazy import Lazy, Tree, apply
from .tables import numpy


class Source:
    """The random numbers that all stand-ins of one law draw, by their laws."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree

    def uniform(self) -> Any:
        return self.tree.run.uniform()

    def below(self, n: int) -> int:
        if n <= 0:
            raise ValueError("empty range for a random whole number")
        return self.tree.run.below(n)

    def pick(self, weights: Sequence[Any]) -> int:
        """A place, with probabilities that are proportional to weights."""
        if self.tree.run.plain is not None:
            return self.tree.run.pick(weights)
        own = [self.tree.number(w) for w in weights]
        total = sum(own) if self.tree.exact else math.fsum(own)
        return self.tree.run.pick(own if total == 1 else [w / total for w in own])

    def chances(self, p: Any) -> Tuple[Any, Any]:
        """The probabilities p and 1 - p of a parameter."""
        if type(p) is Lazy:
            raise self.tree.refuse("a probability is itself a random number that is not known yet")
        if not 0 <= p <= 1:
            raise ValueError("p < 0, p > 1 or p is NaN")
        p = self.tree.number(p)
        return p, 1 - p

    def shuffled(self, n: int) -> List[int]:
        """An order of n places, as shuffle makes one."""
        places = list(range(n))
        for i in range(n - 1, 0, -1):
            j = self.below(i + 1)
            places[i], places[j] = places[j], places[i]
        return places

    def without_replacement(self, n: int, size: int) -> List[int]:
        places = list(range(n))
        return [places.pop(self.below(len(places))) for _ in range(size)]

    # Discrete laws

    def binomial(self, n: Any, p: Any) -> int:
        n = int(n)
        p, q = self.chances(p)
        return self.pick([math.comb(n, k) * p**k * q ** (n - k) for k in range(n + 1)])

    def hypergeometric(self, good: Any, bad: Any, n: Any) -> int:
        good, bad, n = int(good), int(bad), int(n)
        if min(good, bad, n) < 0 or n > good + bad:
            raise ValueError("ngood + nbad < nsample")
        one, ways = self.tree.one, math.comb(good + bad, n)
        first = max(0, n - bad)
        return first + self.pick([one * (math.comb(good, k) * math.comb(bad, n - k)) / ways for k in range(first, min(good, n) + 1)])

    def multinomial(self, n: Any, weights: Any) -> List[int]:
        own, left, counts = [float(w) for w in weights], int(n), []
        if any(not 0 <= w <= 1 for w in own) or math.fsum(own[:-1]) > 1 + 1e-12:
            raise ValueError("sum(pvals[:-1]) > 1.0 or pvals < 0, pvals > 1 or pvals contains NaNs")
        rest = self.tree.one
        for w in map(self.tree.number, own[:-1]):
            counts.append(self.binomial(left, min(w / rest, self.tree.one)) if left and rest > 0 else 0)
            left, rest = left - counts[-1], rest - w
        return counts + [left]

    def endless(self, first: int, chances: Callable[[], Iterator[Any]], rational: bool = True) -> int:
        if self.tree.exact and not rational:
            raise self.tree.refuse("the probabilities of this draw are no fractions; leave exact=True out")
        return first + self.tree.run.endless(chances)

    def geometric(self, p: Any) -> int:
        p, q = self.chances(p)
        if p == 0:
            raise ValueError("p <= 0, p > 1 or p contains NaNs")
        return self.endless(1, lambda: _by_ratios(p, lambda k: q))

    def negative_binomial(self, n: Any, p: Any) -> int:
        p, q = self.chances(p)
        n = self.tree.number(n)
        return self.endless(0, lambda: _by_ratios(p**n, lambda k: (n + k - 1) / k * q), n == int(n))

    def poisson(self, mean: Any) -> int:
        mean = float(mean)
        if not mean >= 0:
            raise ValueError("lam < 0 or lam is NaN")
        return self.endless(0, lambda: (math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) if mean else float(k == 0) for k in range(10**9)), False)

    def logseries(self, p: Any) -> int:
        p = float(self.chances(p)[0])
        return self.endless(1, lambda: (-(p**k) / k / math.log1p(-p) for k in range(1, 10**9)), False)

    def zipf(self, a: Any) -> int:
        a, most = float(a), 1000
        if not a > 1:
            raise ValueError("a <= 1 or a is NaN")
        head = math.fsum(k**-a for k in range(1, most))  # and the rest by Euler and Maclaurin
        total = head + most ** (1 - a) / (a - 1) + most**-a / 2 + a * most ** (-a - 1) / 12 - a * (a + 1) * (a + 2) * most ** (-a - 3) / 720
        return self.endless(1, lambda: (k**-a / total for k in range(1, 10**9)), False)

    # Continuous laws, by their inverse

    def normal(self, mean: Any = 0.0, sd: Any = 1.0) -> Any:
        return mean + sd * apply("normal", self.uniform())

    def exponential(self, scale: Any = 1.0) -> Any:
        return scale * -apply("log1p", -self.uniform())

    def gumbel(self, mode: Any = 0.0, scale: Any = 1.0) -> Any:
        return mode - scale * apply("log", -apply("log", self.uniform()))

    def logistic(self, mean: Any = 0.0, scale: Any = 1.0) -> Any:
        return mean - scale * apply("log", apply("power", self.uniform(), -1) - 1)

    def laplace(self, mean: Any = 0.0, scale: Any = 1.0) -> Any:
        return mean + scale * apply("laplace", self.uniform())

    def cauchy(self) -> Any:
        return apply("cauchy", self.uniform())

    def weibull(self, a: Any) -> Any:
        return apply("power", self.exponential(), 1 / a)

    def triangular(self, low: Any, mode: Any, high: Any) -> Any:
        u, c = self.uniform(), (mode - low) / (high - low)
        if u < c:
            return low + apply("power", u * ((high - low) * (mode - low)), 0.5)
        return high - apply("power", (1 - u) * ((high - low) * (high - mode)), 0.5)

    def rayleigh(self, scale: Any = 1.0) -> Any:
        return scale * apply("power", 2 * self.exponential(), 0.5)


def _by_ratios(p: Any, ratio: Callable[[int], Any]) -> Iterator[Any]:
    k = 0
    while True:
        yield p
        k += 1
        p = p * ratio(k)


class Standard:
    """What stands for a random.Random: the methods below, and what the standard library makes of them."""

    source: Source
    _gauss_next = None

    def random(self) -> Any:
        return self.source.uniform()

    def _randbelow(self, n: int) -> int:
        return self.source.below(n)

    def getrandbits(self, k: int) -> int:
        return self.source.below(1 << k)

    def gauss(self, mu: float = 0.0, sigma: float = 1.0) -> Any:
        return self.source.normal(mu, sigma)

    normalvariate = gauss

    def binomialvariate(self, n: int = 1, p: float = 0.5) -> int:
        return self.source.binomial(n, p)

    def __reduce__(self) -> Any:
        raise self.source.tree.refuse("the generator is copied or sent to another process")

    __deepcopy__ = lambda self, memo: self  # noqa: E731
    __copy__ = lambda self: self  # noqa: E731


class Common:
    """What the stand-ins for Generator and for RandomState of NumPy have in common."""

    source: Source
    whole: Any = None  # the type of a whole number

    def _each(self, kind: Any, size: Any, draw: Callable[..., Any], *parameters: Any) -> Any:
        """Draws for each element of the parameters, in the shape of size."""
        if size is None and not any(isinstance(p, (numpy.ndarray, list, tuple)) for p in parameters):
            return draw(*parameters)
        arrays = [p if isinstance(p, numpy.ndarray) else _array(p) for p in parameters]
        shape = numpy.broadcast_shapes(*(a.shape for a in arrays))
        if size is not None:
            size = (int(size),) if numpy.ndim(size) == 0 else tuple(int(n) for n in size)
            if numpy.broadcast_shapes(shape, size) != size:
                raise ValueError("Output size %s is not compatible with broadcast dimensions of inputs %s." % (size, shape))
            shape = size
        rows = zip(*(numpy.broadcast_to(a, shape).ravel().tolist() for a in arrays)) if arrays else ((),) * math.prod(shape)
        return _of([draw(*row) for row in rows], shape, float if kind is None and self.source.tree.run.plain is not None else kind or object)

    # Whole numbers and choices

    def _integers(self, low: Any, high: Any, size: Any, dtype: Any, closed: bool) -> Any:
        if high is None:
            low, high = 0, low
        kind = None if dtype is int and self.whole is int else numpy.dtype(dtype)

        def draw(a: Any, b: Any) -> Any:
            a, b = math.ceil(a), math.floor(b) + closed if closed else math.ceil(b)
            if a >= b:
                raise ValueError("low > high" if closed else "low >= high")
            value = a + self.source.below(b - a)
            return value if kind is None else kind.type(value)

        return self._each(kind or int, size, draw, low, high)

    def choice(self, a: Any, size: Any = None, replace: bool = True, p: Any = None, axis: int = 0, shuffle: bool = True) -> Any:
        given = numpy.asarray(a)
        n = int(given) if given.ndim == 0 else given.shape[axis]
        shape = () if size is None else (int(size),) if numpy.ndim(size) == 0 else tuple(map(int, size))
        count = math.prod(shape)
        weights = None if p is None else numpy.asarray(p).ravel().tolist()
        if n <= 0 and count:
            raise ValueError("a must be a positive integer unless no samples are taken" if given.ndim == 0 else "a cannot be empty unless no samples are taken")
        if weights is not None:
            if len(weights) != n:
                raise ValueError("a and p must have same size")
            if any(w != w for w in weights):
                raise ValueError("probabilities contain NaN" if self.whole is not int else "probabilities contain NaN")
            if any(w < 0 for w in weights):
                raise ValueError("probabilities are not non-negative")
            if abs(math.fsum(weights) - 1) > 2e-8:
                raise ValueError("probabilities do not sum to 1")
        if replace or size is None:
            places = [self.source.below(n) if weights is None else self.source.pick(weights) for _ in range(count)]
        else:
            if count > n:
                raise ValueError("Cannot take a larger sample than population when replace is False")
            if not shuffle and count > 1:
                raise self.source.tree.refuse("choice with shuffle=False has an order that NumPy does not specify; leave it out")
            if weights is None:
                places = self.source.without_replacement(n, count)
            else:
                if sum(w > 0 for w in weights) < count:
                    raise ValueError("Fewer non-zero entries in p than size")
                places = []
                for _ in range(count):
                    places.append(self.source.pick(weights))
                    weights[places[-1]] = 0.0
        if size is None:
            (k,) = places
            return (k if self.whole is int else numpy.int64(k)) if given.ndim == 0 else given.take(k, axis) if given.ndim > 1 else given[k]
        taken = numpy.array(places, dtype=numpy.int64).reshape(shape)
        return taken if given.ndim == 0 else given.take(taken, axis)

    def permutation(self, x: Any, axis: int = 0) -> Any:
        if numpy.ndim(x) == 0:
            x = numpy.arange(int(x))
        x = numpy.asarray(x)
        return x.take(self.source.shuffled(x.shape[axis]), axis)

    def shuffle(self, x: Any, axis: int = 0) -> None:
        if isinstance(x, numpy.ndarray):
            x[...] = x.take(self.source.shuffled(x.shape[axis]), axis)
        else:
            x[:] = [x[k] for k in self.source.shuffled(len(x))]

    def permuted(self, x: Any, *, axis: Optional[int] = None, out: Any = None) -> Any:
        if numpy.ndim(x) == 0:
            x = numpy.arange(int(x))
        old = numpy.asarray(x)
        new = numpy.array(old)
        if axis is None:
            new = old.ravel()[self.source.shuffled(old.size)].reshape(old.shape)
        else:
            rows = numpy.moveaxis(new, axis, -1)
            for at in numpy.ndindex(rows.shape[:-1]):
                rows[at] = rows[at][self.source.shuffled(rows.shape[-1])]
        if out is None:
            return new
        out[...] = new
        return out

    def multinomial(self, n: Any, pvals: Any, size: Any = None) -> Any:
        pvals = numpy.asarray(pvals)
        if numpy.ndim(n) or pvals.ndim != 1:
            raise self.source.tree.refuse("multinomial draws with several n or several pvals at once are not written; draw them one by one")
        shape = () if size is None else (int(size),) if numpy.ndim(size) == 0 else tuple(map(int, size))
        return numpy.array([self.source.multinomial(n, pvals) for _ in range(math.prod(shape))], dtype=numpy.int64).reshape(shape + pvals.shape)

    def binomial(self, n: Any, p: Any, size: Any = None) -> Any:
        return self._whole(size, self.source.binomial, n, p)

    def geometric(self, p: Any, size: Any = None) -> Any:
        return self._whole(size, self.source.geometric, p)

    def negative_binomial(self, n: Any, p: Any, size: Any = None) -> Any:
        return self._whole(size, self.source.negative_binomial, n, p)

    def hypergeometric(self, ngood: Any, nbad: Any, nsample: Any, size: Any = None) -> Any:
        return self._whole(size, self.source.hypergeometric, ngood, nbad, nsample)

    def poisson(self, lam: Any = 1.0, size: Any = None) -> Any:
        return self._whole(size, self.source.poisson, lam)

    def logseries(self, p: Any, size: Any = None) -> Any:
        return self._whole(size, self.source.logseries, p)

    def zipf(self, a: Any, size: Any = None) -> Any:
        return self._whole(size, self.source.zipf, a)

    def _whole(self, size: Any, draw: Callable[..., int], *parameters: Any) -> Any:
        return self._each(numpy.int64, size, draw, *parameters)

    # Continuous numbers

    def _filled(self, out: Any, size: Any, draw: Callable[..., Any], *parameters: Any) -> Any:
        if out is not None:
            raise self.source.tree.refuse("random numbers are written into an array of floats; leave out= out")
        return self._each(None, size, draw, *parameters)

    def random(self, size: Any = None, dtype: Any = None, out: Any = None) -> Any:
        return self.source.uniform() if size is None and out is None else self._filled(out, size, self.source.uniform)

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        return self._each(None, size, lambda a, b: a + (b - a) * self.source.uniform(), low, high)

    def standard_normal(self, size: Any = None, dtype: Any = None, out: Any = None) -> Any:
        return self._filled(out, size, self.source.normal)

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        return self._each(None, size, self.source.normal, loc, scale)

    def lognormal(self, mean: Any = 0.0, sigma: Any = 1.0, size: Any = None) -> Any:
        return self._each(None, size, lambda m, s: apply("exp", self.source.normal(m, s)), mean, sigma)

    def standard_exponential(self, size: Any = None, dtype: Any = None, method: str = "zig", out: Any = None) -> Any:
        return self._filled(out, size, self.source.exponential)

    def exponential(self, scale: Any = 1.0, size: Any = None) -> Any:
        return self._each(None, size, self.source.exponential, scale)

    def gumbel(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        return self._each(None, size, self.source.gumbel, loc, scale)

    def logistic(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        return self._each(None, size, self.source.logistic, loc, scale)

    def laplace(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        return self._each(None, size, self.source.laplace, loc, scale)

    def standard_cauchy(self, size: Any = None) -> Any:
        return self._each(None, size, self.source.cauchy)

    def rayleigh(self, scale: Any = 1.0, size: Any = None) -> Any:
        return self._each(None, size, self.source.rayleigh, scale)

    def weibull(self, a: Any, size: Any = None) -> Any:
        return self._each(None, size, self.source.weibull, a)

    def pareto(self, a: Any, size: Any = None) -> Any:
        return self._each(None, size, lambda a: apply("expm1", self.source.exponential(1 / a)), a)

    def power(self, a: Any, size: Any = None) -> Any:
        return self._each(None, size, lambda a: apply("power", self.source.uniform(), 1 / a), a)

    def triangular(self, left: Any, mode: Any, right: Any, size: Any = None) -> Any:
        return self._each(None, size, self.source.triangular, left, mode, right)

    def __reduce__(self) -> Any:
        raise self.source.tree.refuse("the generator is copied or sent to another process")

    def __deepcopy__(self, memo: Any) -> Any:
        return self

    def __copy__(self) -> Any:
        return self


class Modern(Common):
    """What a Generator of NumPy has alone."""

    def integers(self, low: Any, high: Any = None, size: Any = None, dtype: Any = "int64", endpoint: bool = False) -> Any:
        return self._integers(low, high, size, dtype, endpoint)

    def spawn(self, n_children: int) -> List[Any]:
        return [self] * n_children

    def permutation(self, x: Any, axis: int = 0) -> Any:
        return Common.permutation(self, x, axis)


class Legacy(Common):
    """What a RandomState of NumPy has alone."""

    whole = int

    def randint(self, low: Any, high: Any = None, size: Any = None, dtype: Any = int) -> Any:
        return self._integers(low, high, size, dtype, False)

    def random_integers(self, low: Any, high: Any = None, size: Any = None) -> Any:
        return self._integers(*((1, low) if high is None else (low, high)), size, int, True)

    def random_sample(self, size: Any = None) -> Any:
        return self.random(size)

    def rand(self, *sides: int) -> Any:
        return self.random(sides or None)

    def randn(self, *sides: int) -> Any:
        return self.standard_normal(sides or None)


def _array(value: Any) -> Any:
    """An array of a parameter, which may be a lazy number or have some."""
    if type(value) is Lazy or isinstance(value, (list, tuple)) and any(type(v) is Lazy for v in value):
        return _of([value] if type(value) is Lazy else list(value), () if type(value) is Lazy else (len(value),), object)
    return numpy.asarray(value)


def _of(values: Sequence[Any], shape: Tuple[int, ...], kind: Any) -> Any:
    array = numpy.empty(len(values), dtype=kind)
    for k, value in enumerate(values):
        array[k] = value
    return array.reshape(shape)


def _refusing(name: str) -> Callable[..., Any]:
    def method(self: Any, *_: Any, **__: Any) -> Any:
        raise self.source.tree.refuse("%s() of this generator is not written by its law, so that it would draw what is not followed" % name)

    method.__name__ = name
    return method


def _stand_in(own: type, kind: type) -> type:
    """The class that stands for a class of generators: what is not written refuses."""
    written = {name for base in own.__mro__[:-1] for name in vars(base)} | {"bit_generator"}
    if kind is random.Random:  # what is made of random() and of whole numbers stays as it is
        names = ["seed", "getstate", "setstate", "gammavariate", "betavariate", "vonmisesvariate", "randbytes"]
    else:
        names = [name for name in dir(kind) if not name.startswith("_")]
    members: Dict[str, Any] = {name: _refusing(name) for name in names if name not in written}
    if kind is random.Random:
        members.update({name: vars(own)[name] for name in ("random", "getrandbits", "_randbelow")})
    return type(kind.__name__, (own, kind), members)


def kinds() -> List[type]:
    """The classes of generators that have a stand-in."""
    return [random.Random] if numpy is None else [numpy.random.Generator, numpy.random.RandomState, random.Random]


def stand_in(kind: type, source: Source) -> Any:
    """A generator of a kind that draws from the source."""
    if kind is random.Random:
        made = _stand_in(Standard, kind).__new__(_stand_in(Standard, kind), 0)
    else:
        made = _stand_in(Modern if kind is numpy.random.Generator else Legacy, kind)(numpy.random.PCG64(0))
    made.source = source
    return made


def has_drawn(generator: Any) -> Optional[Callable[[], bool]]:
    """A function that says whether C code has drawn from the bits of the stand-in since then; None where it has no such bits."""
    if numpy is None or not isinstance(generator, Common):
        return None
    bits: Any = generator.bit_generator if hasattr(generator, "bit_generator") else generator._bit_generator  # type: ignore[attr-defined]
    before = bits.state
    return lambda: bool(bits.state != before)


def globals_of(make: Callable[[type], Any], tree: Tree) -> List[Tuple[Any, Any]]:
    """What stands for the global functions, the global generators and default_rng: pairs of an object and of what stands for it."""

    def refused(what: str) -> Callable[..., Any]:
        def call(*_: Any, **__: Any) -> Any:
            raise tree.refuse(what)

        return call

    import os

    pairs: List[Tuple[Any, Any]] = [(os.urandom, refused("os.urandom draws what cannot be followed"))]
    for module, kind in ((random, random.Random), *(((numpy.random, numpy.random.RandomState),) if numpy is not None else ())):
        own: Any = module._inst if kind is random.Random else numpy.random.mtrand._rand  # type: ignore[attr-defined]
        standing = make(kind)
        pairs.append((own, standing))
        for name, value in list(vars(module).items()):
            if getattr(value, "__self__", None) is own:
                pairs.append((value, getattr(standing, "random_sample" if name in ("ranf", "sample") and kind is not random.Random else name)))
    if numpy is not None:
        default = numpy.random.default_rng
        generator = make(numpy.random.Generator)
        pairs.append((default, lambda seed=None: generator if seed is None else default(seed)))
        pairs += [(getattr(numpy.random, name), refused("the global generator is seeded")) for name in ("seed", "set_state")]
        pairs += [(getattr(numpy.random, name), _alias(pairs, "random_sample")) for name in ("ranf", "sample")]
    seen: Dict[int, Tuple[Any, Any]] = {}
    for pair in pairs:
        seen[id(pair[0])] = pair
    return list(seen.values())


def _alias(pairs: List[Tuple[Any, Any]], name: str) -> Any:
    return next(new for old, new in pairs if getattr(new, "__name__", "") == name)


def functions_of_numbers() -> List[Tuple[Any, Any]]:
    """What stands for functions of the module math that would take float() of a lazy number."""

    def follow(name: str, old: Callable[..., Any]) -> Callable[..., Any]:
        def new(x: Any, *rest: Any) -> Any:
            if type(x) is not Lazy:
                return old(x, *rest)
            if name == "log" and rest:
                return x.log() / old(*rest)
            return FOLLOWED[name](x, *rest)

        return new

    return [(getattr(math, name), follow(name, getattr(math, name))) for name in FOLLOWED]


FOLLOWED: Dict[str, Callable[..., Any]] = {
    **{name: (lambda method: lambda x: method(x))(getattr(Lazy, name)) for name in ("log", "log1p", "log2", "log10", "exp", "expm1", "sqrt")},
    "fabs": abs,
    "pow": lambda x, y: x**y,
    "isnan": lambda x: False,
    "isinf": lambda x: False,
    "isfinite": lambda x: True,
}


def takes(f: Callable[..., Any], count: int, keyword: Optional[str]) -> None:
    """Raises TypeError where a function does not take so many arguments."""
    try:
        signature = inspect.signature(f)
    except (TypeError, ValueError):
        return
    signature.bind(*[None] * count, **({keyword: None} if keyword else {}))


__all__ = ["Common", "Fraction", "Source", "functions_of_numbers", "globals_of", "has_drawn", "kinds", "stand_in", "takes"]
