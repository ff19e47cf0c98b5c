"""The exact law of what a Python function returns that takes a generator of random numbers, as the function stands."""
from __future__ import annotations

import dataclasses
import math
import random
import sys
from fractions import Fraction
from heapq import heappop
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple, Union

from .generators import Source, functions_of_numbers, globals_of, has_drawn, kinds, stand_in, takes
from .lazy import Lazy, Refused, Run, Stop, Tree
from .tables import numpy

CHECKED = 50  # branches that are run again with plain numbers, beside those with a new exception
DUST = 1e-12  # no exception of so small a probability is a finding
ROUNDING = 1e-14  # a remainder that is left by the rounding of probabilities


class Open(ValueError):
    """A mean that is not known, because a part of the law is not. The message has the interval."""


class Law(Mapping[Any, float]):
    """The law of what a function returns: a mapping from each outcome to its probability, the likeliest first.

    raised maps the text of each exception to its probability, remainder is the probability of what was not walked, and branches is how many ways through
    the function there were. The probabilities of all three sum to one.

    >>> die = Law({1: 0.5, 2: 0.25, 6: 0.25})
    >>> die[6], die.mean(), die.var(), die.chance(lambda x: x > 1)
    (0.25, 2.5, 4.25, 0.5)
    >>> dict(die.of(lambda x: x % 2)), dict(die.given(lambda x: x > 1)), die.distance({1: 1.0})
    ({1: 0.5, 0: 0.5}, {2: 0.5, 6: 0.5}, 0.5)
    """

    def __init__(self, chances: Mapping[Any, Any], raised: Optional[Mapping[str, Any]] = None, remainder: Any = 0.0, branches: int = 0) -> None:
        self._chances = dict(sorted(chances.items(), key=lambda pair: -pair[1]))
        self.raised, self.remainder, self.branches = dict(raised or {}), remainder, branches
        self._replay: Optional[Callable[[Any], Any]] = None

    def __getitem__(self, outcome: Any) -> float:
        chance: float = self._chances[hashable(outcome)]
        return chance

    def __iter__(self) -> Iterator[Any]:
        return iter(self._chances)

    def __len__(self) -> int:
        return len(self._chances)

    def __repr__(self) -> str:
        lines = ["%-12.9g %r" % (float(p), outcome) for outcome, p in list(self.items())[:20]]
        if len(self) > 20:
            lines.append("and %d more outcomes" % (len(self) - 20))
        lines += ["%-12.9g raises %s" % (float(p), text) for text, p in self.raised.items()]
        if self.remainder:
            lines.append("%-12.3g is not walked" % float(self.remainder))
        return "\n".join(lines)

    def mean(self, g: Optional[Callable[[Any], Any]] = None) -> Any:
        """The mean of the outcomes, or of g of them; of outcomes that are tuples, that of each place."""
        law = self if g is None else self.of(g)
        return _means([(p, x) for x, p in law.items()], law._unknown())

    def var(self, g: Optional[Callable[[Any], Any]] = None) -> Any:
        """The variance, as mean."""
        law = self if g is None else self.of(g)
        mean = law.mean()
        return _means([(p, _squares(x, mean)) for x, p in law.items()], 0)

    def of(self, g: Callable[[Any], Any]) -> Law:
        """The law of a function of the outcome."""
        chances: Dict[Any, List[Any]] = {}
        for outcome, p in self.items():
            chances.setdefault(hashable(g(outcome)), []).append(p)
        return Law({outcome: total(ps) for outcome, ps in chances.items()}, self.raised, self.remainder, self.branches)

    def chance(self, event: Any) -> float:
        """The probability of an event: a function that is true of its outcomes, or one outcome."""
        p = total([p for outcome, p in self.items() if _happens(event, outcome)])
        if self.remainder > ROUNDING:
            raise Open("the probability is from %.17g to %.17g, as %.3g was not walked" % (p, p + self.remainder, self.remainder))
        return p  # type: ignore[no-any-return]

    def given(self, event: Any) -> Law:
        """The law where an event happens. What is not walked may belong to the event, so that the remainder grows."""
        kept = {outcome: p for outcome, p in self.items() if _happens(event, outcome)}
        most = total(kept.values()) + self.remainder
        if not kept:
            raise Open("the event has the probability 0, or at most %.3g" % self.remainder)
        return Law({outcome: p / most for outcome, p in kept.items()}, None, self.remainder / most, self.branches)

    def distance(self, other: Mapping[Any, Any]) -> float:
        """The distance in total variation to another law, or to a dict; where there are remainders, the largest that it can be."""
        mine, its = ({**law, **{("raises", text): p for text, p in getattr(law, "raised", {}).items()}} for law in (self, other))
        its = {hashable(outcome): p for outcome, p in its.items()}
        apart = total([abs(mine.get(outcome, 0) - its.get(outcome, 0)) for outcome in {**mine, **its}])
        return (apart + self.remainder + getattr(other, "remainder", 0)) / 2  # type: ignore[no-any-return]

    def witness(self, outcome: Any) -> Any:
        """A generator whose draws lead to an outcome, or to an exception by its text: f returns it again where it is given. Its draws are in `draws`."""
        if self._replay is None:
            raise Open("only a law that breadboard.law has found has witnesses")
        return self._replay(outcome if isinstance(outcome, str) and outcome in self.raised else hashable(outcome))

    def _unknown(self) -> Any:
        """The probability of what has no outcome, which must be next to nothing for a mean to be known."""
        raised = total(self.raised.values())
        if raised > 0:
            raise Open("there is no mean: with probability %.6g the function raises %s" % (raised, next(iter(self.raised))))
        return self.remainder


def total(values: Iterable[Any]) -> Any:
    """The sum, rounded once; of fractions without rounding."""
    own = list(values)
    return sum(own, Fraction(0)) if own and all(isinstance(v, Fraction) for v in own) else math.fsum(own)


def _happens(event: Any, outcome: Any) -> bool:
    return bool(event(outcome)) if callable(event) else outcome == hashable(event)


def _means(pairs: List[Tuple[Any, Any]], unknown: Any) -> Any:
    if pairs and isinstance(pairs[0][1], tuple):
        if len({len(x) if isinstance(x, tuple) else -1 for _, x in pairs}) > 1:
            raise TypeError("outcomes have different lengths; give mean a function of the outcome")
        return tuple(_means([(p, x[k]) for p, x in pairs], unknown) for k in range(len(pairs[0][1])))
    mean = total([p * x for p, x in pairs])
    if unknown > ROUNDING:
        ends = [mean + unknown * end for end in (min(x for _, x in pairs), max(x for _, x in pairs))] if pairs else [-math.inf, math.inf]
        raise Open("the mean is from %.17g to %.17g if what was not walked, of probability %.3g, lies between the outcomes seen; a smaller cut= leaves less" % (*ends, unknown))
    return mean


def _squares(x: Any, mean: Any) -> Any:
    return tuple(map(_squares, x, mean)) if isinstance(x, tuple) else (x - mean) ** 2


def hashable(value: Any) -> Any:
    """An outcome as a key: arrays and lists become nested tuples, numbers of NumPy plain ones.

    >>> hashable([1, {"a": [2.0]}])
    (1, (('a', (2.0,)),))
    """
    kind = type(value)
    if kind in (int, str, bool) or value is None:
        return value
    if kind is float:
        return value if value == value else math.nan  # the one of the module, which is found again
    if kind is Lazy:
        raise value.run.tree.refuse("the function returns a random number of which only an interval is known; return what depends on it, such as a comparison", "the function")
    if isinstance(value, (list, tuple)):
        return tuple(map(hashable, value))
    if isinstance(value, (set, frozenset)):
        return frozenset(map(hashable, value))
    if isinstance(value, dict):
        return tuple(sorted(((hashable(k), hashable(v)) for k, v in value.items()), key=repr))
    if hasattr(value, "tolist"):
        return hashable(value.tolist())
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return (kind.__name__, *(hashable(getattr(value, field.name)) for field in dataclasses.fields(value)))
    hash(value)
    return value


def alike(a: Any, b: Any) -> bool:
    """Whether two outcomes are the same but for rounding."""
    if isinstance(a, float) or isinstance(b, float):
        try:
            return a == b or a is b or math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)
        except TypeError:
            return False
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(alike, a, b))
    return bool(a == b)


class Patch:
    """For a time, what stands for functions and generators in all modules that hold them."""

    def __init__(self, pairs: List[Tuple[Any, Any]]) -> None:
        self._pairs, self._undo = {id(old): (old, new) for old, new in pairs}, []  # type: Dict[int, Tuple[Any, Any]], List[Tuple[Dict[str, Any], str, Any]]

    def __enter__(self) -> Patch:
        if getattr(math.log, "__module__", None) == __package__ + ".generators":
            raise Refused("a law is looked for while another one is, in the function itself or in another thread")
        try:
            for name, module in list(sys.modules.items()):
                if not name.startswith(__package__ + "."):
                    held = getattr(module, "__dict__", None) or {}
                    for key, value in list(held.items()):
                        if id(value) in self._pairs and not key.startswith("__"):
                            self._undo.append((held, key, value))
                            held[key] = self._pairs[id(value)][1]
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: Any) -> None:
        while self._undo:
            held, key, value = self._undo.pop()
            held[key] = value


class Walk:
    """Walks the trees of functions with one generator, while the patch holds."""

    def __init__(
        self, rng: Any, place: str, cut: float, most: int, seconds: Optional[float], exact: bool, check: bool,
    ) -> None:
        if rng is DEFAULT:
            rng = kinds()[0]
        if rng is not None and not isinstance(rng, type):
            rng = type(rng)
        self.kind = next((kind for kind in kinds() if rng is not None and issubclass(rng, kind)), None)
        if rng is not None and self.kind is None:
            raise TypeError("rng= is %r; give numpy.random.Generator, numpy.random.RandomState, random.Random or None" % rng)
        self.place, self.cut, self.most, self.seconds, self.exact, self.check = place, cut, most, seconds, exact, check
        self.tree = Tree(cut, exact, seconds)
        self.made: List[Any] = []
        self.own = self._make(self.kind) if self.kind else None
        self._untouched: List[Callable[[], bool]] = []
        self.patch = Patch(functions_of_numbers() + globals_of(self._make, self.tree))
        self.sources: List[Source]

    def _make(self, kind: type) -> Any:
        self.made.append(stand_in(kind, Source(self.tree)))
        return self.made[-1]

    def __enter__(self) -> Walk:
        self.patch.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self.patch.__exit__()

    def law(self, f: Callable[..., Any], args: Tuple[Any, ...]) -> Law:
        """The law of f(*args), with the generator in its place."""
        takes(f, len(args) + (self.own is not None and self.place in ("last", "first")), None if self.own is None or self.place in ("last", "first") else self.place)
        tree = self.tree = Tree(self.cut, self.exact, self.seconds)
        for made in self.made:
            made.source.tree = tree
        drawn = [found for found in map(has_drawn, self.made) if found]
        call = self._call(f, args)
        where = _place_of(f)
        tree.heap.append((-1.0, 0, None))
        found: Dict[Any, List[Any]] = {}
        raised: Dict[str, List[Any]] = {}
        seen: Dict[Any, Tuple[Run, Any]] = {}
        first: Optional[Tuple[Run, Any]] = None
        branches = runs = 0
        while tree.heap and branches < self.most and runs < 2 * self.most:
            run = Run(tree, heappop(tree.heap)[2])
            runs += 1
            answer = self._one(run, call, where)
            if answer is None:
                continue
            branches += 1
            key, failed = answer
            self_checked = self.check and (branches <= CHECKED or failed and key not in raised)
            if self_checked:
                key = self._checked(run, call, where, key, failed)
                if any(test() for test in drawn):
                    raise Refused("%s: C code draws from the bits of the generator, which cannot be followed" % where)
            (raised if failed else found).setdefault(key, []).append(run.p)
            if (failed, key) not in seen:
                seen[failed, key] = run, None
            first = first or (run, answer)
        if first is not None and self.check:
            again = Run(tree, first[0].node)
            answer = self._one(again, call, where)
            if answer is None or not (alike(answer[0], first[1][0]) and again.p == first[0].p):
                raise Refused(self._kept(where))
        if any(test() for test in drawn):
            raise Refused("%s: C code draws from the bits of the generator, which cannot be followed" % where)
        lost = tree.lost + [node[2] if node else tree.one for _, _, node in tree.heap]
        sums = {key: total(ps) for key, ps in raised.items()}
        for key in [key for key, p in sums.items() if p < DUST]:
            lost.append(sums.pop(key))
        law = Law({key: total(ps) for key, ps in found.items()}, sums, total(lost) if lost else tree.one * 0, branches)
        law._replay = lambda outcome: self._witness(seen, outcome)
        return law

    def _call(self, f: Callable[..., Any], args: Tuple[Any, ...]) -> Callable[[Any], Any]:
        fixed = all(_is_fixed(a) for a in args)

        def call(generator: Any) -> Any:
            own = args if fixed else tuple(map(_copy, args))
            if generator is None:
                return f(*own)
            if self.place == "last":
                return f(*own, generator)
            if self.place == "first":
                return f(generator, *own)
            return f(*own, **{self.place: generator})

        return call

    def _one(self, run: Run, call: Callable[[Any], Any], where: str) -> Optional[Tuple[Any, bool]]:
        """What a run returns, or the text of what it raises; None where it was ended because nothing of it is to be walked."""
        self.tree.run = run
        try:
            answer: Optional[Tuple[Any, bool]] = (hashable(call(self.own)), False)
        except Stop:
            answer = None
        except (Exception, SystemExit) as error:
            answer = ("%s: %s" % (type(error).__name__, error) if str(error) else type(error).__name__, True)
        finally:
            run.over = True
        if self.tree.refused is not None:
            raise Refused(self.tree.refused.replace("the function: ", where + ": ", 1))
        if run.plain is None and run.at < len(run.prefix):
            raise Refused(self._kept(where))
        return answer

    def _checked(self, run: Run, call: Callable[[Any], Any], where: str, key: Any, failed: bool) -> Any:
        """Runs a branch again with plain numbers, which must give the same; the text of an exception is that of the plain run."""
        draws = run.witness()
        if draws is None:
            return key
        plain = Run(self.tree, None, draws)
        answer = self._one(plain, call, where)
        if answer is None or answer[1] != failed or not (alike(answer[0], key) or failed and answer[0].split(":")[0] == key.split(":")[0]):
            said = "%s %s" % ("raises" if failed else "returns", key if failed else repr(key))
            plainly = "nothing" if answer is None else "%s %s" % ("raises" if answer[1] else "returns", answer[0] if answer[1] else repr(answer[0]))
            raise Refused(
                "%s: with random numbers of which intervals are known the function %s, and with floats inside of them it %s; it does what "
                "cannot be followed, keeps a state between its calls, or returns what is not equal to its like" % (where, said[:200], plainly[:200]))
        return answer[0] if failed else key

    def _kept(self, where: str) -> str:
        return "%s: run again with the same random choices, the function does something else: it keeps a state between its calls, or depends on what is not in its arguments" % where

    def _witness(self, seen: Dict[Any, Tuple[Run, Any]], outcome: Any) -> Any:
        found = seen.get((False, outcome)) or seen.get((True, outcome))
        if found is None:
            raise KeyError(outcome)
        draws = found[0].witness()
        tree = Tree(0.0, False, None)
        tree.run = Run(tree, None, draws)
        generator = stand_in(self.kind or random.Random, Source(tree))
        generator.draws = draws
        return generator


DEFAULT: Any = object()


def _place_of(f: Any) -> str:
    code = getattr(getattr(f, "__func__", getattr(f, "func", f)), "__code__", None) or getattr(type(f).__call__, "__code__", None)
    return "%s:%d" % (code.co_filename, code.co_firstlineno) if code is not None else repr(f)


def _is_fixed(value: Any) -> bool:
    return not isinstance(value, (list, dict, set, bytearray)) and not (numpy is not None and isinstance(value, numpy.ndarray)) and not (isinstance(value, tuple) and not all(map(_is_fixed, value)))


def _copy(value: Any) -> Any:
    """An argument as it was given, also where the function has changed the one of the run before."""
    if isinstance(value, (list, tuple, set)) and type(value) in (list, tuple, set):
        return type(value)(map(_copy, value))
    if type(value) is dict:
        return {k: _copy(v) for k, v in value.items()}
    return value if _is_fixed(value) or not hasattr(value, "copy") else value.copy()


def law(
    f: Callable[..., Any], *args: Any, rng: Any = DEFAULT, place: str = "last", cut: float = 1e-12, most: int = 1_000_000,
    seconds: Optional[float] = None, exact: bool = False, check: bool = True,
) -> Law:
    """The exact law of what f(*args, rng) returns, as the function stands.

    rng is the class of its generator: numpy.random.Generator, numpy.random.RandomState, random.Random, or None for a function that is given none and calls
    the global functions or default_rng(). place says where the generator stands: "last", "first", or the name of a keyword. A branch of a probability
    below cut is not walked, nor what is left after so many branches (most) or seconds: that is the law's remainder. With exact=True probabilities are
    fractions. check=False leaves out the runs with plain numbers that hold the law to the function.

    >>> import random
    >>> dict(law(lambda rng: rng.choice("abc") + rng.choice("ab"), rng=random.Random, exact=True))["ca"]
    Fraction(1, 6)
    >>> law(lambda rng: int(4 * rng.random()) // 3, rng=random.Random).mean()
    0.25
    """
    with Walk(rng, place, cut, most, seconds, exact, check) as walk:
        return walk.law(f, args)
