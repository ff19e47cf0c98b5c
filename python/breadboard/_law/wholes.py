"""Whole numbers with too many equally likely values for a branch each, and what is made of them.

A number is c + sum a_i y_i. The y_i are independent, each uniform from 0 to n_i - 1. An
answer takes one part of the values of a y_i, an interval (y = k + y') or a residue class (y =
r + p y'), or makes two independent numbers of it (y = p q + s), so that all probabilities are
ratios of counts. A question costs the number of its answers.
"""
from __future__ import annotations

import math
import operator
from fractions import Fraction
from typing import Any, Callable, Dict, List, Optional, Tuple, cast

from .lazy import MOST_VALUES, is_real, of_objects
from .._numpy import numpy

Form = Tuple[int, Dict[int, int]]  # c, and a_i by i
MANY = (
    "a whole number of %d equally likely ones%s is used as it is; at most %d are told apart. Its "
    "residues, quotients, bits and comparisons are followed"
)
NO_NUMBER = (
    "a whole number with many equally likely values meets what is not followed: %s; its "
    "residues, quotients, bits and comparisons are followed"
)


def many(n: int) -> str:
    """Why a draw with many values is refused."""
    return MANY % (n, ", as a seed is," if n >= 2**31 - 1 else "", MOST_VALUES)


def is_whole(value: Any) -> bool:
    return (
        type(value) is not Whole
        and (isinstance(value, int) or numpy is not None and isinstance(value, numpy.integer))
    )


class Parts:
    """The independent uniform numbers of one run: of each its number of values, and what it has
    become, if anything is known of it.
    """

    def __init__(self, run: Any) -> None:
        self.run: Any = run
        self.sizes: List[int] = []
        self.forms: List[Optional[Form]] = []

    def add(self, n: int) -> int:
        self.sizes.append(n)
        self.forms.append(None)
        return len(self.sizes) - 1

    def resolve(self, form: Form) -> Form:
        """The same number of what is not known, with positive factors."""
        c: int = form[0]
        left: List[Tuple[int, int]] = list(form[1].items())
        found: Dict[int, int] = {}
        while left:
            i, a = left.pop()
            of = self.forms[i] or ((0, {}) if self.sizes[i] == 1 else None)
            if of is None:
                found[i] = found.get(i, 0) + a
            else:
                c += a * of[0]
                left += [(j, a * b) for j, b in of[1].items()]
        for i in [i for i, a in found.items() if a <= 0]:
            a, n = found.pop(i), self.sizes[i]
            if a:
                found[self.become(i, n - 1, -1, n)] = -a
                c += a * (n - 1)
        return c, found

    def become(self, i: int, offset: int, step: int, n: int) -> int:
        j = self.add(n)
        self.forms[i] = offset, {j: step}
        return j

    def choose(self, i: int, pieces: int, piece: Callable[[int], Tuple[int, int, int]]) -> int:
        """Which piece of its values a number is in: each has a number of values, the first of
        them, and their distance.
        """
        run, n = self.run, self.sizes[i]
        share: Callable[[int], Any] = (
            lambda count: Fraction(count, n) if run.tree.exact else count / n
        )
        k = run.prefix[run.at] if run.at < len(run.prefix) else pieces
        if k < pieces:  # the answer is known, and no other one is asked for
            run.again(share(piece(k)[0]))
        else:
            k = run.decide([share(piece(k)[0]) for k in range(pieces)])
        count, first, step = piece(k)
        return self.become(i, first, step, count)

    def divide(self, i: int, p: int) -> None:
        """Makes p q + s of a number with a multiple of p values."""
        self.forms[i] = 0, {self.add(self.sizes[i] // p): p, self.add(p): 1}

    def example(self, form: Form) -> int:
        """A value of a number as far as it is known."""
        c, terms = self.resolve(form)
        return c + sum(a * (self.sizes[i] // 2) for i, a in terms.items())


class Whole:
    """A number c + sum a_i y_i; kind is that of NumPy, if any."""

    __slots__ = ("run", "form", "kind")
    # For isinstance
    __class__ = property(lambda self: self.kind or int)  # type: ignore[assignment]

    def __init__(self, run: Any, form: Form, kind: Any = None) -> None:
        self.run, self.form, self.kind = run, form, kind

    def _made(self, form: Form) -> Any:
        """A number of the same run; a plain one if it is known."""
        c, terms = form = self.run.parts.resolve(form)
        if self.kind is not None:
            of, high = numpy.iinfo(self.kind), self._highest(form)
            if not of.min <= c <= high <= of.max:
                raise self.run.refuse(
                    "%s may overflow in arithmetic with a random number; make that an int()"
                    % self.kind.__name__)
        return (
            Whole(self.run, form, self.kind) if terms else c if self.kind is None else self.kind(c)
        )

    def _bare(self) -> Whole:
        return Whole(self.run, self.form)

    def _typed(self, value: Any) -> Any:
        return self._made(value.form if type(value) is Whole else (value, {}))

    def _highest(self, form: Form) -> int:
        return int(form[0] + sum(a * (self.run.parts.sizes[i] - 1) for i, a in form[1].items()))

    def _known(self) -> Form:
        self.run.alive()
        form: Form = self.run.parts.resolve(self.form)
        return form

    def _is_below(self, t: int) -> bool:
        """Decides by the number with the largest factor, and if its value does not by the next."""
        parts = self.run.parts
        while True:
            c, terms = form = self._known()
            high = self._highest(form)
            if high < t or c >= t:
                return high < t
            i = max(terms, key=lambda k: int(terms[k] * (parts.sizes[k] - 1)))
            a, n = terms[i], parts.sizes[i]
            rest = high - c - a * (n - 1)
            # Values with which the answer is yes, and with which it may be
            below, above = (min(max(-(-(t - c - of) // a), 0), n) for of in (rest, 0))
            if above - below > MOST_VALUES:
                raise self.run.refuse(NO_NUMBER % "a comparison with another one")
            parts.choose(
                i, above - below + 2,
                lambda k: ((below, 0, 1), (n - above, above, 1))[k] if k < 2
                else (1, below + k - 2, 1))

    def _compare(self, other: Any, strict: bool, turned: bool) -> Any:
        """Whether self < other, or <=; turned, whether it is not."""
        if type(other) is Whole:
            return (
                (self - other)._compare(0, strict, turned) if type(self - other) is Whole
                else ((self - other) < 0 if strict else (self - other) <= 0) != turned
            )
        if not is_real(other):
            return NotImplemented
        if not math.isfinite(other):
            return other == other and (other > 0) != turned
        return self._is_below(math.ceil(other) if strict else math.floor(other) + 1) != turned

    def __lt__(self, other: Any) -> Any:
        return self._compare(other, True, False)

    def __le__(self, other: Any) -> Any:
        return self._compare(other, False, False)

    def __gt__(self, other: Any) -> Any:
        return self._compare(other, False, True)

    def __ge__(self, other: Any) -> Any:
        return self._compare(other, True, True)

    def __eq__(self, other: Any) -> Any:
        if type(other) is Whole and self._known() == other._known():
            return True
        return (
            (self <= other and self >= other) if type(other) is Whole or is_real(other)
            else NotImplemented
        )

    def __ne__(self, other: Any) -> Any:
        equal = self == other
        return equal if equal is NotImplemented else not equal

    def __bool__(self) -> bool:
        return bool(self != 0)

    # Arithmetic

    def __add__(self, other: Any) -> Any:
        if type(other) is Whole:
            (c, mine), (d, its) = self._known(), other._known()
            return self._made((c + d, {i: mine.get(i, 0) + its.get(i, 0) for i in {**mine, **its}}))
        return (
            self._made((self.form[0] + int(other), self.form[1])) if is_whole(other)
            else self._graded(operator.add, other, True)
        )

    def __mul__(self, other: Any) -> Any:
        if is_whole(other):
            return self._made(
                (self.form[0] * int(other), {i: a * int(other) for i, a in self.form[1].items()}))
        return (
            self._graded(operator.mul, other, other > 0) if is_real(other) else self._refused(other)
        )

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Any:
        return self * -1

    def __sub__(self, other: Any) -> Any:
        return self + other * -1

    def __rsub__(self, other: Any) -> Any:
        return self * -1 + other

    def __truediv__(self, other: Any) -> Any:
        return (
            self._graded(operator.truediv, other, other > 0) if is_real(other)
            else self._refused(other)
        )

    def _refused(self, other: Any) -> Any:
        if type(other) is Whole or type(other) is Graded:
            raise self.run.refuse(NO_NUMBER % "two of them are combined")
        return NotImplemented

    def _graded(self, f: Callable[[Any, Any], Any], other: Any, rises: bool) -> Any:
        if not is_real(other):
            return self._refused(other)
        if not math.isfinite(other) or other == 0:
            raise self.run.refuse(NO_NUMBER % other)
        return Graded(self, lambda v: f(v, other), rises)

    def _of_whole(self, other: Any, name: str) -> int:
        """The other number, if it is known."""
        if not is_whole(other):
            raise self.run.refuse(NO_NUMBER % ("%s with a %s" % (name, type(other).__name__)))
        return int(other)

    def __floordiv__(self, other: Any) -> Any:
        d, parts = self._of_whole(other, "//"), self.run.parts
        if d <= 0:
            return self._typed(self._bare() * -1 // -d) if d else operator.floordiv(1, d)
        while True:
            c, terms = self._known()
            left = [(i, a) for i, a in terms.items() if a % d]
            out = {i: a // d for i, a in terms.items() if a % d == 0}
            least, most = c // d, self._highest((c, dict(left))) // d
            if least == most:
                return self._made((least, out))
            i, a = min(left, key=lambda term: int(parts.sizes[term[0]]))
            n = parts.sizes[i]
            if len(left) > 1 or d % a:
                edge: Callable[[int], Any] = (
                    lambda k: min(max(-(-((least + k) * d - c) // a), 0), n)
                )
                if len(left) == 1 and most - least < MOST_VALUES:
                    parts.choose(i, most - least + 1, lambda k: (edge(k + 1) - edge(k), edge(k), 1))
                elif n <= MOST_VALUES:
                    parts.choose(i, n, lambda k: (1, k, 1))
                else:
                    raise self.run.refuse(NO_NUMBER % ("// %d" % d))
                continue
            p = d // a  # blocks of p values, of which the first one and the last one may be shorter
            first = -(c // a) % p
            blocks = (n - first) // p * p
            ends = (blocks, first, 1), (first, 0, 1), (n - first - blocks, first + blocks, 1)
            j = i if blocks == n else parts.choose(i, 3, lambda k: ends[k])
            if parts.sizes[j] == blocks:
                parts.divide(j, p)

    def __mod__(self, other: Any) -> Any:
        m, parts = self._of_whole(other, "%"), self.run.parts
        if m <= 0:
            return self._typed((self._bare() * -1) % -m * -1) if m else operator.mod(1, m)
        for i, a in list(self._known()[1].items()):
            n, p = parts.sizes[i], m // math.gcd(a, m)
            if 1 < p < n and n % p and p <= MOST_VALUES:
                parts.choose(i, p, lambda r: ((n - r + p - 1) // p, r, p))
            if p == 1 or p >= n or n % p and p <= MOST_VALUES:
                continue
            j = (
                i if n % p == 0
                else parts.choose(i, 2, lambda k: ((n - n % p, 0, 1), (n % p, n - n % p, 1))[k])
            )
            if parts.sizes[j] == n - n % p:
                parts.divide(j, p)
        c, terms = self._known()
        rest = Whole(self.run, (c % m, {i: a % m for i, a in terms.items() if a % m}))
        return self._typed(rest if self._highest(rest.form) < m else rest - rest // m * m)

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rshift__(self, other: Any) -> Any:
        return self // (1 << self._of_whole(other, ">>"))

    def __lshift__(self, other: Any) -> Any:
        return self * (1 << self._of_whole(other, "<<"))

    def __and__(self, other: Any) -> Any:
        mask: int = self._of_whole(other, "&")
        bare: Whole = self._bare()
        at: int = 0
        found: Any = 0
        if mask < 0:
            return self._typed(bare - (bare & ~mask))
        while mask >> at:
            run = 0
            while mask >> at + run & 1:
                run += 1
            found = (bare >> at) % (1 << run) * (1 << at) + found if run else found
            at += run or 1
        return self._typed(found)

    def __or__(self, other: Any) -> Any:
        return self._typed(self._bare() + int(other) - (self._bare() & other))

    def __xor__(self, other: Any) -> Any:
        return self._typed(self._bare() + int(other) - (self._bare() & other) * 2)

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def __invert__(self) -> Any:
        return self * -1 - 1

    def __pow__(self, other: Any, modulus: Any = None) -> Any:
        return pow(operator.index(self if modulus is None else self % modulus), other, modulus)

    def __abs__(self) -> Any:
        return -self if self < 0 else self

    def bit_length(self) -> int:
        k = self._highest(self._known()).bit_length()
        while k and self < 1 << k - 1:
            k -= 1
        return k

    def __round__(self, *_: Any) -> Any:
        return self

    __copy__ = __deepcopy__ = __floor__ = __ceil__ = __trunc__ = __pos__ = item = conjugate = (
        __round__
    )

    # Each value by itself

    def values(self) -> int:
        """How many it may have."""
        return int(math.prod(self.run.parts.sizes[i] for i in self._known()[1]))

    def __index__(self) -> int:
        parts, values = self.run.parts, self.values()
        if values > MOST_VALUES:
            raise self.run.refuse(many(values))
        for i in self._known()[1]:
            parts.choose(i, parts.sizes[i], lambda k: (1, k, 1))
        return int(self._known()[0])

    def __int__(self) -> int:
        if self.values() > MOST_VALUES:
            raise self.run.again_with_int(many(self.values()))
        return self.__index__()

    def __hash__(self) -> int:
        return hash(self.__index__())

    def __repr__(self) -> str:
        return repr(self.__index__())

    def __format__(self, how: str) -> str:
        return format(self.__index__(), how)

    def __reduce_ex__(self, _: Any) -> Any:
        raise self.run.refuse(NO_NUMBER % "it is copied to a file or to another process")

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("__") and hasattr(self.kind or int, name):
            raise self.run.refuse(NO_NUMBER % name)
        raise AttributeError(name)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        objects = []
        for value in inputs:
            if type(value) is Whole:
                value, one = numpy.empty((), object), value
                value[()] = one
            objects.append(
                value.astype(object)
                if isinstance(value, numpy.ndarray) and value.dtype.kind in "biu"
                    and "out" not in options else value)
        return getattr(of_objects(ufunc, method), method)(*objects, **options)


def _by_other(name: str) -> Callable[..., Any]:
    def method(self: Whole, other: Any, *_: Any) -> Any:
        if not is_real(other):
            return NotImplemented
        return getattr(operator, name)(other, self.__index__())

    return method


for _name in "mod floordiv truediv pow lshift rshift".split():
    setattr(Whole, "__r%s__" % _name, _by_other(_name))


class Graded:
    """A float that rises or falls with a whole number: compared by the least whole number of
    which the answer is another one.
    """

    __slots__ = ("x", "f", "rises")
    __class__ = property(lambda self: float)  # type: ignore[assignment]

    def __init__(self, x: Whole, f: Callable[[Any], Any], rises: bool) -> None:
        self.x, self.f, self.rises = x, f, rises

    def _holds(self, holds: Callable[[Any], bool]) -> bool:
        """Whether something holds that holds for all values up to one, or from it on."""
        form = self.x._known()
        low, high = form[0], self.x._highest(form)
        first = holds(self.f(low))
        if first == holds(self.f(high)):
            return first
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if holds(self.f(middle)) == first else (low, middle)
        return self.x._is_below(high) == first

    def _with(self, f: Callable[[Any, Any], Any], other: Any, turns: bool = False) -> Any:
        if not is_real(other):
            raise self.x.run.refuse(NO_NUMBER % "arithmetic with a %s" % type(other).__name__)
        return Graded(self.x, lambda v: f(self.f(v), other), self.rises != turns)

    def __neg__(self) -> Any:
        return self * -1

    def __sub__(self, other: Any) -> Any:
        return self._with(operator.sub, other)

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __add__(self, other: Any) -> Any:
        return self._with(operator.add, other)

    def __mul__(self, other: Any) -> Any:
        return self._with(operator.mul, other, is_real(other) and other < 0)

    def __truediv__(self, other: Any) -> Any:
        return self._with(operator.truediv, other, is_real(other) and other < 0)

    __radd__, __rmul__ = __add__, __mul__

    def __floor__(self) -> int:
        form = self.x._known()
        low, high = sorted(int(math.floor(self.f(v))) for v in (form[0], self.x._highest(form)))
        if high - low >= MOST_VALUES:
            raise self.x.run.refuse(many(high - low + 1))
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if cast(Any, self) >= middle else (low, middle - 1)
        return low

    def __trunc__(self) -> int:
        return -int((-self).__floor__()) if cast(Any, self) < 0 else self.__floor__()

    def __ceil__(self) -> int:
        return -int((-self).__floor__())

    __int__ = __trunc__

    def floor(self) -> float:
        return float(self.__floor__())

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("__") and hasattr(float, name):
            raise self.x.run.refuse(NO_NUMBER % name)
        raise AttributeError(name)

    def __float__(self) -> float:
        raise self.x.run.refuse(NO_NUMBER % "float()")

    def __hash__(self) -> int:
        raise self.x.run.refuse(NO_NUMBER % "a dict or a set")

    def __repr__(self) -> str:
        raise self.x.run.refuse(NO_NUMBER % "it becomes a text")

    __array_ufunc__ = None


for _name in "lt le gt ge eq".split():
    setattr(
        Graded, "__%s__" % _name,
        lambda self, other, _of=getattr(operator, _name): self._holds(lambda v: _of(v, other))
        if is_real(other) and _of is not operator.eq else (self <= other and self >= other)
        if is_real(other) else NotImplemented)


class Bytes:
    """Bytes that are drawn at once, too many for a branch each: those of a whole number, of
    which the first use says the order.
    """

    __slots__ = ("x", "n", "order")
    __class__ = property(lambda self: bytes)  # type: ignore[assignment]

    def __init__(self, run: Any, n: int) -> None:
        self.n, self.order = n, ""
        self.x = run.large(
            256**n, None, lambda v: int.from_bytes(v.to_bytes(n, self.order or "little"), "little"))

    def number(self, order: str, signed: bool = False) -> Any:
        self.order = self.order or order
        if self.order != order:
            raise self.x.run.refuse(NO_NUMBER % "its bytes are read in two orders")
        return self.x if not signed else self.x - (self.x >> 8 * self.n - 1 << 8 * self.n)

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            raise self.x.run.refuse(NO_NUMBER % "a part of its bytes")
        k = range(self.n)[at]
        return (
            (
                self.number(self.order or "little") >> 8
                * (k if self.order != "big" else self.n - 1 - k)) & 255
        )

    def __bytes__(self) -> bytes:
        raise self.x.run.again_with_int(many(256**self.n))

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("__") and hasattr(bytes, name):
            raise self.x.run.refuse(many(256**self.n))
        raise AttributeError(name)

    def __eq__(self, other: Any) -> Any:
        raise self.x.run.refuse(many(256**self.n))

    def __hash__(self) -> int:
        raise self.x.run.refuse(many(256**self.n))

    def __repr__(self) -> str:
        raise self.x.run.refuse(many(256**self.n))


class _Kind(type):
    """The class of what stands for int in a module: for all but calls it is int."""

    def __instancecheck__(self, one: Any) -> bool:
        return isinstance(one, int)

    def __subclasscheck__(self, kind: Any) -> bool:
        return issubclass(kind, int)

    def __eq__(self, other: Any) -> bool:
        return other is int or other is Int

    def __hash__(self) -> int:
        return hash(int)


class Int(int, metaclass=_Kind):
    """Stands for int in a module whose functions take int() of a number that has too many values
    for a branch each.
    """

    if numpy is not None:
        dtype = numpy.dtype(int)

    def __new__(cls, x: Any = 0, *base: Any) -> Any:
        return Whole(x.run, x.form) if type(x) is Whole else int(x, *base)

    @staticmethod
    def from_bytes(of: Any, byteorder: Any = "big", *, signed: bool = False) -> Any:
        return (
            of.number(byteorder, signed) if type(of) is Bytes
            else int.from_bytes(of, byteorder, signed=signed)
        )


class Again(Exception):
    """The law is to be found again, with Int for int in a module."""

    def __init__(self, held: Dict[str, Any]) -> None:
        super().__init__()
        self.held = held


def settled(value: Any) -> Any:
    """What a function returns, with each number of few values decided."""
    kind = type(value)
    if kind is Whole and value.values() > MOST_VALUES:
        raise value.run.refuse("the function returns a random number: " + many(value.values()))
    if kind is Whole:
        return value._typed(value.__index__())
    if kind in (list, tuple, set):
        return kind(map(settled, value))
    if kind is dict:
        return {settled(k): settled(v) for k, v in value.items()}
    return (
        numpy.array(settled(value.tolist()))
        if numpy is not None and isinstance(value, numpy.ndarray) and value.dtype == object
        else value
    )
