"""The exact distribution of the return value of a Python function that takes a generator of
random numbers.
"""
from __future__ import annotations

import collections
import dataclasses
import html
import importlib
import inspect
import math
import random
import signal
import sys
import threading
import time
from fractions import Fraction
from functools import partial
from heapq import heappop
from typing import (
    Any, Callable, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Set,
    Tuple, cast,
)

from . import keys, tensors
from .lanes import Column, each, lead
from .counters import Count, Counter, Returns, Uncounted, counted, first as without_returns
from .._errors import Open, Refused
from .generators import (
    SYSTEM, bits_of, copied, drawn_from, functions_of_numbers, globals_of, is_library, kinds,
    of_processes, of_system, placed, seeding, stand_in,
)
from .lazy import Lazy
from .loops import LEAST, NO_LOOPS, Path, Watch, has_loops, loops_of, whiles_of
from .._arrays import is_number, listed
from .state import CLOCKS, PLAIN, State
from .._numpy import numpy
from .tree import KEPT, Kept, Node, Run, Stop, Tree, alike
from .wholes import NO_NUMBER, Again, Bytes, Graded, Int, Whole, settled

MOST_SEEN = 1000  # outcomes, the first branch of each of which is run again with plain numbers
# Branches that are run again with plain numbers, beside those with a new exception, and once more
# at the end
CHECKED = 50
AGAIN = 1000  # other questions that are asked again as if the function had not been called before
# Runs of each of these at the end, so that no state of so short a period shows the same at every
# call
IN_A_ROW = 5
DUST = 1e-12  # no exception of so small a probability is a finding
SIGNALS = [
    getattr(signal, name) for name in ("SIGINT", "SIGALRM", "SIGTERM") if hasattr(signal, name)]
SEARCH = (
    "The method edges.searchsorted(draws) compares the draws with each other too; "
    "np.searchsorted(edges, draws) has fewer branches. "
)
LOOP = (
    "If a loop draws again until it accepts, something outlives a try, or may (breadboard help "
    "laws): write one try, which returns None if it rejects; law(one_try).given(lambda y: y is "
    "not None) is then the distribution of the loop. ")
SMALLER = "a smaller cut= leaves less"
ALL = (
    SMALLER
    + ", and cut=0 only what underflows; tries that a while loop counts by n += 1 alone have a mean"
)
MOST = 1_000_000  # branches, if nothing else is asked for
MORE = "%d branches were explored: a larger most= leaves less"
NONE_ENDS = "no branch ended: take less, as fewer particles or data"
SOON = 100_000  # choices and branches that are left, after which a law that cannot end is refused
TAIL = 100_000  # choices at least for what was cut
PATIENCE = 5.0  # seconds of silence, after which a line says what is left
UNSEEN = 1e-10  # of a mean, that outcomes may have that were not explored
# So that a rare move is not lost, on which whether a chain is irreducible, or stays among what is
# possible, may hang
KERNEL_CUT = 1e-320
READS = frozenset(
    "time time_ns perf_counter perf_counter_ns monotonic monotonic_ns process_time "
    "process_time_ns thread_time thread_time_ns clock_gettime clock_gettime_ns localtime gmtime "
    "ctime strftime now utcnow today".split())
ROUNDING = 1e-14  # a remainder that is left by the rounding of probabilities


class Law(Mapping[Any, float]):
    """The distribution of the return value of a function: a mapping from outcomes to probabilities,
    the likeliest first.

    raised maps the text of each exception to its probability. remainder is the unexplored
    probability, and branches the number of paths explored. The probabilities of all three sum to
    one.

    >>> die = Law({1: 0.5, 2: 0.25, 6: 0.25})
    >>> die[6], die.mean(), die.var(), die.chance(lambda x: x > 1)
    (0.25, 2.5, 4.25, 0.5)
    >>> dict(die.of(lambda x: x % 2)), dict(die.given(lambda x: x > 1)), die.distance({1: 1.0})
    ({1: 0.5, 0: 0.5}, {2: 0.5, 6: 0.5}, 0.5)
    """

    def __init__(
        self, chances: Mapping[Any, Any], raised: Optional[Mapping[str, Any]] = None,
        remainder: Any = 0.0, branches: int = 0, dust: Any = 0.0,
    ) -> None:
        self._chances = dict(sorted(chances.items(), key=lambda pair: -float(lead(pair[1]))))
        self.raised, self.remainder, self.branches, self._dust = (
            dict(raised or {}), remainder, branches, dust
        )
        self._replay: Optional[Callable[[Any], Any]] = None
        self._most: Dict[Any, float] = {}
        self._most_of_others: float = 1.0
        # Of outcomes with numbers of tries: probabilities, means and variances, which know of all
        # values
        self._moments: List[Tuple[Any, Any, Any]] = []
        self._left = remainder  # what is not explored beside such values
        self._advice = SMALLER + ", or more most= or seconds="

    def __getitem__(self, outcome: Any) -> float:
        chance: float = self._chances[self._key(outcome)]
        return chance

    def _key(self, outcome: Any) -> Any:
        """The key of an outcome. Empty ones of several types have keys of their own."""
        key = hashable(outcome)
        return Empty(type(outcome)) if key == () and Empty(type(outcome)) in self._chances else key

    def _happens(self, event: Any) -> Callable[[Any], bool]:
        """Whether an outcome belongs to an event, which is a predicate or one outcome."""
        key = None if callable(event) else self._key(event)
        return (
            (lambda outcome: bool(event(outcome))) if callable(event)
            else lambda outcome: bool(outcome == key)
        )

    def __iter__(self) -> Iterator[Any]:
        return iter(self._chances)

    def __len__(self) -> int:
        return len(self._chances)

    def __reduce__(self) -> Any:
        return Law, (self._chances, self.raised, self.remainder, self.branches, self._dust)

    def _lines(self) -> List[Tuple[str, str]]:
        """The probabilities, as people see them, and of what they are."""
        lines = [("%.9g" % float(p), repr(outcome)) for outcome, p in list(self.items())[:20]]
        if len(self) > 20:
            lines.append(("", "and %d more outcomes" % (len(self) - 20)))
        lines += [("%.9g" % float(p), "raises " + text) for text, p in self.raised.items()]
        return lines + (
            [("%.3g" % float(self.remainder), "is not explored")] if self.remainder else [])

    def __repr__(self) -> str:
        return "\n".join("%-12s %s" % line if line[0] else line[1] for line in self._lines())

    def _repr_html_(self) -> str:
        cells = "".join(
            "<tr><td>%s</td><td style='text-align: left'>%s</td></tr>" % (p, html.escape(what))
            for p, what in self._lines())
        return (
            "<table><thead><tr><th>probability</th><th style='text-align: "
            "left'>outcome</th></tr></thead><tbody>%s</tbody></table>" % cells
        )

    def mean(self, g: Optional[Callable[[Any], Any]] = None) -> Any:
        """The mean of the outcomes, or of g of them. For tuples, the mean of each component. It
        is an error if outcomes were not explored, unless they are so unlikely that no float
        would change the mean.
        """
        law = self if g is None else self.of(g)
        return _means(
            [(p, x) for p, x, _ in law._moments] or [(p, x) for x, p in law.items()], law, "mean")

    def var(self, g: Optional[Callable[[Any], Any]] = None) -> Any:
        """The variance of the outcomes, or of g of them. For tuples, that of each component."""
        law = self if g is None else self.of(g)
        mean = law.mean()
        try:
            return _means(
                [(p, _squares(x, mean, v)) for p, x, v in law._moments]
                or [(p, _squares(x, mean)) for x, p in law.items()], law, "variance")
        except OverflowError:
            raise Open(
                "the variance is not known, because the square of an outcome is above the "
                "largest float; give var a function that makes outcomes smaller, as in lambda x: "
                "x / 1e200") from None

    def std(self, g: Optional[Callable[[Any], Any]] = None) -> Any:
        """The standard deviation of the outcomes, or of g of them. For tuples, that of each
        component.
        """
        return _roots(self.var(g))

    @property
    def support(self) -> Any:
        """The outcomes in increasing order, or else the likeliest first: an array if they are
        numbers, or tuples of as many, and NumPy is installed; otherwise a list.
        """
        outcomes = self._ordered()
        numbers = [v for x in outcomes for v in (x if isinstance(x, tuple) else (x,))]
        alike = len({len(x) if isinstance(x, tuple) else -1 for x in outcomes}) == 1
        return (
            outcomes if numpy is None or not alike or not all(map(is_number, numbers))
            else numpy.array(outcomes)
        )

    @property
    def probabilities(self) -> Any:
        """The probabilities of the outcomes, in the order of support."""
        values = [float(self._chances[x]) for x in self._ordered()]
        return values if numpy is None else numpy.array(values)

    def _ordered(self) -> List[Any]:
        try:
            return sorted(self)
        except TypeError:
            return list(self)

    def sample(self, n: int, rng: Any = None) -> Any:
        """n independent draws of the outcome, of the type of support. rng is a generator of NumPy
        or a random.Random, or a seed.
        """
        self._complete("sample()")
        support, weights = self.support, self.probabilities
        if numpy is None or isinstance(rng, random.Random):
            at = (
                rng if isinstance(rng, random.Random)
                else random.Random(rng)).choices(range(len(self)), weights, k=n)
        else:
            at = (
                rng if hasattr(rng, "choice")
                else numpy.random.default_rng(rng)).choice(len(self), n, p=weights).tolist()
        return [support[k] for k in at] if isinstance(support, list) else support[at]

    def to_pandas(self) -> Any:
        """A data frame of pandas with the columns outcome and p. attrs has raised and remainder."""
        import pandas

        frame = pandas.DataFrame(
            {
                "outcome": pandas.Series(list(self), dtype=None if self else object),
                "p": [float(p) for p in self.values()]})
        frame.attrs.update(raised=self.raised, remainder=self.remainder)
        return frame

    def to_scipy(self) -> Any:
        """The distribution as rv_discrete of SciPy. The outcomes must be numbers."""
        from scipy.stats import rv_discrete

        self._complete("to_scipy()")
        if not all(map(is_number, self)):
            raise TypeError(
                "to_scipy() needs outcomes that are numbers; law.of(g) has the distribution of a "
                "function g of them")
        return rv_discrete(values=(self.support, self.probabilities))

    def _complete(self, what: str) -> None:
        """Fails if a part of the probability has no outcome."""
        if total(self.raised.values()) + self.remainder > ROUNDING:
            raise Open(
                "%s needs the whole distribution, and with probability %.6g the function raises "
                "an exception, and %.3g was not explored; law.given(lambda outcome: True) leaves "
                "out exceptions, and %s"
                % (what, total(self.raised.values()), self.remainder, self._advice))

    def of(self, g: Callable[[Any], Any]) -> Law:
        """The distribution of a function of the outcome."""
        chances: Dict[Any, List[Any]] = {}
        for outcome, p in self.items():
            chances.setdefault(hashable(g(outcome)), []).append(p)
        return advised(
            Law(
                {outcome: total(ps) for outcome, ps in chances.items()}, self.raised,
                self.remainder, self.branches, self._dust), self._advice)

    def chance(self, event: Any) -> float:
        """The probability of an event. The event is a predicate on outcomes, or one outcome."""
        happens = self._happens(event)
        p = total([p for outcome, p in self.items() if happens(outcome)])
        if self.remainder > ROUNDING:
            raise Open(
                "the probability is from %.17g to %.17g, because %.3g was not explored; %s"
                % (p, p + self.remainder, self.remainder, self._advice))
        return p  # type: ignore[no-any-return]

    def given(self, event: Any) -> Law:
        """The conditional distribution given an event. Unexplored outcomes may belong to the
        event, so the remainder grows.
        """
        happens = self._happens(event)
        kept = {outcome: p for outcome, p in self.items() if happens(outcome)}
        most = total(kept.values()) + self.remainder
        if not kept:
            raise Open(
                "the event has the probability 0, or at most %.3g; %s"
                % (self.remainder, self._advice) if self.remainder else "the event never happens")
        return advised(
            Law(
                {outcome: p / most for outcome, p in kept.items()}, None, self.remainder / most,
                self.branches, self._dust / most), self._advice)

    def distance(self, other: Mapping[Any, Any]) -> float:
        """The total variation distance to another distribution or a dict. If there are
        remainders, its largest possible value.
        """
        mine, its = (
            {
                **chances_of(law),
                **{("raises", text): p for text, p in getattr(law, "raised", {}).items()}}
            for law in (self, other))
        its = {hashable(outcome): p for outcome, p in its.items()}
        apart = total(
            [abs(mine.get(outcome, 0) - its.get(outcome, 0)) for outcome in {**mine, **its}])
        return (  # type: ignore[no-any-return]
            (
                apart + self.remainder
                + max(0, 1 - total(its.values()), getattr(other, "remainder", 0))) / 2
        )

    def interval(self, outcome: Any) -> Tuple[float, float]:
        """The least and the largest probability that an outcome may have."""
        key = self._key(outcome)
        p = self._chances.get(key, 0.0)
        return p, min(p + self.remainder, self._most.get(key, self._most_of_others))

    def witness(self, outcome: Any) -> Any:
        """A generator whose draws lead f to an outcome, or to an exception given by its text.
        Its draws are in `draws`.
        """
        if self._replay is None:
            raise Open("only a distribution found by breadboard.law has witnesses")
        return self._replay(
            outcome if isinstance(outcome, str) and outcome in self.raised else self._key(outcome))

    def _unknown(self) -> Any:
        """The probability of what has no outcome, which must be next to nothing for a mean to be
        known.
        """
        raised = total(self.raised.values())
        if raised > 0:
            raise Open(
                "there is no mean: with probability %.6g the function raises %s"
                % (raised, next(iter(self.raised))))
        return self._left


def chances_of(law: Any) -> Mapping[Any, Any]:
    """A distribution as a mapping; also of an rv_discrete, and of the probabilities of 0, 1...

    >>> chances_of([0.5, 0.5])
    {0: 0.5, 1: 0.5}
    """
    if hasattr(law, "to_dict"):  # a series of pandas
        law = law.to_dict()
    if isinstance(law, Mapping):
        return law
    if hasattr(law, "xk") and hasattr(law, "pk"):
        return dict(zip(hashable(law.xk), hashable(law.pk)))
    values = law.ravel().tolist() if hasattr(law, "ravel") else listed(law)
    if not isinstance(values, (list, tuple)) or not all(map(is_number, values)):
        what = ", and its values are no numbers" if isinstance(values, (list, tuple)) else ""
        raise TypeError(
            "law= is of type %s%s; give a dict from labels to probabilities, the probabilities "
            "of the states from 0, or a file" % (type(law).__name__, what))
    return dict(enumerate(values))


def advised(found: Law, advice: str) -> Law:
    """The distribution, with advice for the case that its remainder is too large."""
    found._advice = advice
    return found


def total(values: Iterable[Any]) -> Any:
    """The sum, rounded once; of fractions without rounding."""
    own = list(values)
    if any(type(v) is Column for v in own):
        return each(lambda *lane: math.fsum(lane), *own)
    return (
        sum(own, Fraction(0)) if own and all(isinstance(v, Fraction) for v in own)
        else math.fsum(own)
    )


def _means(pairs: List[Tuple[Any, Any]], law: Law, what: str) -> Any:
    if pairs and isinstance(pairs[0][1], tuple):
        if len({len(x) if isinstance(x, tuple) else -1 for _, x in pairs}) > 1:
            raise TypeError("outcomes have different lengths; give mean a function of the outcome")
        return tuple(
            _means([(p, x[k]) for p, x in pairs], law, what) for k in range(len(pairs[0][1])))
    odd = [x for _, x in pairs if not hasattr(x, "__abs__")]
    if odd:
        raise TypeError(
            "the outcome %.100r is no number; give mean a function of the outcome" % (odd[0],))
    unknown, dust = law._unknown(), law._dust
    mean = total([p * x for p, x in pairs])
    size, largest = total([p * abs(x) for p, x in pairs]), max(
        (abs(x) for _, x in pairs), default=0)
    if (
        unknown > ROUNDING or dust * largest > UNSEEN * size
        or (unknown - dust) * sys.float_info.max > UNSEEN * size
    ):
        advice = law._advice.replace(SMALLER, ALL)
        if not pairs:
            raise Open("the %s is not known, because no outcome was explored; %s" % (what, advice))
        ends = (
            mean + unknown * end for end in (min(x for _, x in pairs), max(x for _, x in pairs)))
        raise Open(
            "the %s is not known, because outcomes of probability %.3g were not explored. The %s "
            "of the explored outcomes is %.17g. The others may lie beyond these, as in a tail, "
            "and the %s may then be anything; if they lie between them, it is from %.17g to "
            "%.17g; %s" % (what, unknown, what, mean / (1 - unknown), what, *ends, advice))
    return mean


def _roots(x: Any) -> Any:
    return tuple(map(_roots, x)) if isinstance(x, tuple) else math.sqrt(x)


def _squares(x: Any, mean: Any, more: Any = 0) -> Any:
    return (
        tuple(map(_squares, x, mean, more or [0] * len(x))) if isinstance(x, tuple)
        else (x - mean) ** 2 + more
    )


def hashable(value: Any) -> Any:
    """An outcome as a key: arrays and lists become nested tuples, numbers of NumPy plain ones.

    >>> hashable([1, {"a": [2.0]}])
    (1, (('a', (2.0,)),))
    """
    kind = type(value)
    if kind is Column:
        return hashable(value.same())
    if kind in (int, str, bool, Empty) or value is None:
        return value
    if kind is float:
        return value if value == value else math.nan  # the one of the module, which is found again
    if kind is Counter:
        return Count(value.c, tuple(value.terms.items())) if value.terms else value.c
    if kind is Lazy:
        raise value.run.refuse(
            "the function returns a random number of which only an interval is known; return "
            "what depends on it, such as a comparison")
    if kind is Whole or kind is Bytes or kind is Graded:
        raise (value.run if kind is Whole else value.x.run).refuse(
            "the function returns a random number with many equally likely values; return what "
            "depends on it, such as a residue")
    if isinstance(value, (list, tuple, collections.deque)):
        return tuple(map(hashable, value))
    if isinstance(value, (set, frozenset)):
        return frozenset(map(hashable, value))
    if isinstance(value, dict):
        return tuple(sorted(((hashable(k), hashable(v)) for k, v in value.items()), key=repr))
    if hasattr(value, "tolist"):
        return hashable(value.tolist())
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return (
            kind.__name__,
            *(hashable(getattr(value, field.name)) for field in dataclasses.fields(value)))
    hash(value)  # raises TypeError
    return value


class Empty(Tuple[Any, ...]):
    """An empty list, tuple or dict as a key, beside that of another one of these."""

    def __new__(cls, kind: type) -> Empty:
        made = super().__new__(cls)
        made.kind = kind
        return made

    kind: type

    def __eq__(self, other: Any) -> bool:
        return type(other) is Empty and self.kind is other.kind

    def __hash__(self) -> int:
        return hash(self.kind)

    def __repr__(self) -> str:
        return repr(self.kind())

    def __reduce__(self) -> Any:
        return Empty, (self.kind,)


EMPTY = list, tuple, dict


class Patch:
    """For a time, what stands for functions and generators in all modules that hold them, and
    for methods of classes.
    """

    def __init__(self, pairs: List[Tuple[Any, Any]], methods: List[Tuple[Any, str, Any]]) -> None:
        # None where it is that of a class above
        self._methods = [(of, name, new, vars(of).get(name)) for of, name, new in methods]
        self._pairs = {id(old): (old, new) for old, new in pairs}
        self._old = {id(new): old for old, new in pairs}
        self.generators: List[Any] = []  # those that modules hold
        # What was in the variables of modules
        self._undo: List[Tuple[Dict[str, Any], str, Any]] = []
        self._handlers: Dict[int, Any] = {}  # of signals, which may raise an exception at any place
        self.thread: int = threading.get_ident()
        self.broken: Optional[BaseException] = None
        self.modules: List[Dict[str, Any]] = []  # in which Int stands for int

    def is_own(self, value: Any) -> bool:
        """Whether a value stands for a function or a generator."""
        return value is Int or id(value) in self._old

    def __enter__(self) -> None:
        if getattr(math.log, "__module__", None) == functions_of_numbers.__module__:
            raise Refused(
                "breadboard.law is called while another call runs, in the function itself or in "
                "another thread")
        try:
            for number in SIGNALS if threading.current_thread() is threading.main_thread() else ():
                handler = signal.getsignal(number)
                if callable(handler):
                    self._handlers[number] = handler
                    signal.signal(number, self._interrupt)
            for of, name, new, _ in self._methods:
                setattr(of, name, new)
            self._replace({key: new for key, (_, new) in self._pairs.items()})
            # Which was raised in a callback of the collector, that drops it
            if self.broken is not None:
                raise self.broken
            # For what takes it back if this thread is broken off
            math.log.patch = self  # type: ignore[attr-defined]
        except BaseException:
            self.restore()
            raise

    def exchange_int(self, plain: bool) -> None:
        """Takes Int out of the modules, or puts it in."""
        for held in self.modules:
            held.pop("int", None)
            if not plain and self.broken is None:
                held["int"] = Int

    def __exit__(self, *_: Any) -> None:
        self.restore()

    def _interrupt(self, number: int, frame: Any) -> None:
        """Handles a signal as before. An exception that it raises may come to any place, also in
        this class: all is put back before.
        """
        try:
            self._handlers[number](number, frame)
        except BaseException as error:
            self.broken = error
            self.restore()
            raise

    def restore(self) -> None:
        """Puts back all that was replaced. It may be called again."""
        for held, key, old in self._undo:
            held[key] = old
        self.exchange_int(True)
        try:
            for of, name, new, old in self._methods:
                if old is not None:
                    setattr(of, name, old)
                elif vars(of).get(name) is new:
                    delattr(of, name)
            self._replace(self._old)  # also in modules that were imported in the meantime
        finally:
            for number, handler in self._handlers.items():
                if signal.getsignal(number) == self._interrupt:
                    signal.signal(number, handler)

    def _replace(self, by: Dict[int, Any]) -> None:
        known, ids = set() if by is self._old else set(kinds()), set(by)
        without = self._without[0 if by is self._old else len(known)]
        own = __name__.partition(".")[0] + "."
        for name, module in list(sys.modules.items()):
            held = getattr(module, "__dict__", None) or {}
            if name.startswith(own) or without.get(name) == len(held):
                continue
            values = list(held.values())
            if ids.isdisjoint(map(id, values)) and known.isdisjoint(map(type, values)):
                if is_library(name):
                    without[name] = len(held)
                continue
            for key, value in [
                (key, value) for key, value in held.items()
                if id(value) in by or type(value) in known]:
                if id(value) not in by:
                    self.generators.append(value)
                    continue
                if by is not self._old:
                    self._undo.append((held, key, value))
                held[key] = by[id(value)]

    # How many variables the modules of libraries had in which there was nothing to replace, by the
    # number of kinds of generators that were looked for. Who puts something there later, in the
    # place of something else, is refused when it draws.
    _without: Dict[int, Dict[str, int]] = collections.defaultdict(dict)


class Default:
    """The class of generator where none is named, which help() shows."""

    def __repr__(self) -> str:
        return "numpy.random.Generator" if numpy is not None else "random.Random"


DEFAULT: Any = Default()


class Branch(NamedTuple):
    """A branch that may be run again: its choices, what was drawn from, what it returns or
    raises, and the function with its place.
    """

    node: Node
    asked: List[Any]
    answer: Tuple[Any, bool]
    call: Callable[[], Any]
    where: str

    def agrees(self, key: Any, failed: bool) -> bool:
        """Whether another run of it has given the same: of exceptions, the same kind."""
        return (
            failed == self.answer[1]
            and bool(
                key.split(":")[0] == self.answer[0].split(":")[0] if failed
                else alike(key, without_returns(self.answer[0])))
        )


class Walk:
    """Walks the trees of functions with one generator, while the patch holds."""

    def __init__(
        self, rng: Any, place: str, cut: float, most: int, seconds: Optional[float], exact: bool,
        check: bool, bits: Optional[str] = None, reach: Optional[State] = None,
        choices: float = math.inf,
    ) -> None:
        kind = (
            kinds()[0] if rng is DEFAULT else rng if rng is None or isinstance(rng, type)
            else type(rng)
        )
        self.kind = next((k for k in kinds() if kind is not None and issubclass(kind, k)), None)
        tree = Tree(cut, exact, seconds, choices)
        self.packages = [
            made for made in (tensors.package(tree), keys.package(tree)) if made is not None]
        self.foreign = [made.own for made in self.packages if any(rng is one for one in made.kinds)]
        self._absent = [name for name in ("torch", "jax") if name not in sys.modules]
        if not self.foreign and kind is not self.kind:
            raise TypeError(
                "rng= is %r; give numpy.random.Generator, numpy.random.RandomState, "
                "random.Random or None" % rng)
        if not 0 <= cut <= 1 or not most >= 1 or seconds is not None and not seconds > 0:
            raise ValueError(
                "cut= %r, most= %r, seconds= %r; give a cut from 0 to 1, at least one branch, "
                "and more than 0 seconds" % (cut, most, seconds))
        if bits is not None and exact:
            raise ValueError(
                "bits= counts what floats make of a draw, and exact=True takes fractions; leave "
                "one of them out")
        if (
            bits is not None
            and (
                bits not in ("float32", "float64") or numpy is None
                or self.kind not in (None, numpy.random.Generator))
        ):
            raise ValueError(
                'bits= is %r and rng= %s; give "float32" or "float64", for a '
                'numpy.random.Generator' % (bits, getattr(kind, "__name__", kind)))
        # Which needs NumPy
        self._bits, self._floats = bits, None if bits is None else importlib.import_module(
            ".floats", __package__)
        self.place, self.most, self.check, self.tree = place, most, check, tree
        self._given = rng, place, cut, most, seconds, exact, check
        self.talks = time.monotonic() + PATIENCE if bits is None else math.inf
        self.repeated: List[Branch] = []
        self.kept: Tuple[int, ...] = ()  # arguments that the caller of a function keeps
        self.changed: Set[int] = set()  # those of them that the function has changed
        self.state: State = State()
        self.before: Dict[int, List[Any]] = {}
        self.reach = reach or self.state  # what the functions reach
        # Whether a run may end with an exception that it did not end with before
        self.may_raise = False
        # Branches that might be repeated, and what chooses among them
        self.seen, self.chance = 0, random.Random(1)
        self.made: List[Any] = []
        self.counting = bits is None  # whether numbers of tries are counters
        self.values: Dict[Any, Any] = {}  # of each outcome, what was returned
        self.own = (
            self.foreign[0] if self.foreign else None if self.kind is None
            else self._make(self.kind)
        )
        pairs = [pair for made in self.packages for pair in made.pairs]
        self.patch = Patch(
            functions_of_numbers() + globals_of(self._make) + pairs, [
                seeding(self.tree), *of_system(self.tree), *of_processes(self.tree),
                *(method for made in self.packages for method in made.methods)])
        own: Any = random
        self.watched = self.made + [own._inst] + (
            [] if numpy is None else [numpy.random.mtrand._rand])

    def _make(self, kind: type, old: Any = None) -> Any:
        self.made.append(self._stand_in(kind, self.tree, old))
        return self.made[-1]

    def _stand_in(self, kind: type, tree: Tree, old: Any = None) -> Any:
        made = stand_in(kind, tree, old)
        if self._floats and issubclass(kind, numpy.random.Generator):
            self._floats.Recorder(made, self._bits)
        return made

    def __enter__(self) -> Walk:
        self.patch.__enter__()
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        try:
            if kind is None:
                self.repeat_some()
        finally:
            self.patch.__exit__()
            self.tree.over = True

    def watch(self, others: Sequence[Any] = ()) -> None:
        """Notes the bits of all generators that functions reach, and of others."""
        threads, reached = State(), self.reach.generators
        if self.reach.has_threads:
            self.tree.threads = {threading.current_thread()}
            for ident, begin in sys._current_frames().items():
                frame: Any = begin
                while frame is not None and ident != self.tree.thread:
                    threads.add([*frame.f_locals.values()])
                    frame = frame.f_back
        self.bits = bits_of(
            [*self.watched, *self.patch.generators, *reached, *threads.generators, *others])

    def copies(
        self, f: Callable[..., Any], args: Sequence[Any], kept: Sequence[Any] = (),
    ) -> List[Any]:
        """Copies of arguments for one call, if possible where those for the last such call of
        the function were.
        """
        before = self.before.pop(id(f), [])
        self.before[id(f)] = [placed(arg, before, kept) for arg in args]
        return [*self.before[id(f)]]

    def law(self, f: Callable[..., Any], args: Tuple[Any, ...]) -> Law:
        """The law of f(*args), with the generator in its place."""
        while True:
            try:
                return self._law(f, args)
            except Uncounted:
                self.counting = False
            except Again as again:
                self.patch.modules.append(again.held)
                self.patch.exchange_int(False)

    def _law(self, f: Callable[..., Any], args: Tuple[Any, ...]) -> Law:
        by_name = (
            {self.place: self.own} if self.own is not None and self.place not in ("last", "first")
            else {}
        )
        before, after = (
            (self.own,) if self.own is not None and self.place == where else ()
            for where in ("first", "last"))
        if not callable(f):
            raise TypeError("%r is no function" % (f,))
        try:
            inspect.signature(f).bind(*before, *args, *after, **by_name)
        except ValueError:
            pass  # a function in C, of which nothing is known
        except TypeError as error:
            by_place = {"last": "which comes last", "first": "which comes first"}.get(
                self.place, "by the keyword %s" % self.place)
            raise TypeError(
                "%s: %s; it is called with %s%s. Give rng=None where it takes no generator, "
                "place=\"NAME\" where NAME is a keyword for it, and a lambda where it takes more "
                "or less"
                % (
                    getattr(f, "__name__", "the function"), error,
                    "1 argument" if len(args) == 1 else "%d arguments" % len(args),
                    " and no generator" if self.own is None
                    else " and a generator, " + by_place)) from None

        self.state.add(f)
        held = State().add([arg for arg in args if type(arg) not in PLAIN]).generators
        ahead: List[List[Any]] = []

        def call() -> Any:
            mine = ahead.pop() if ahead else [copied(arg, held) for arg in args]
            returned = f(*before, *mine, *after, **by_name)
            if self.kept:
                self.changed.update(k for k in self.kept if hashable(mine[k]) != hashable(args[k]))
            return (
                self._floats.plain(returned) if self._floats else settled(returned)
                if tree.run.parts.sizes else returned
            )

        own = getattr(f, "of", f)
        code = (
            getattr(getattr(own, "__func__", getattr(own, "func", own)), "__code__", None)
            or getattr(type(own).__call__, "__code__", None)
        )
        where = "%s:%d" % (code.co_filename, code.co_firstlineno) if code is not None else repr(f)
        tree = self.tree
        tree.begin()
        found: Dict[Any, List[Tuple[Any, Path]]] = {}
        raised: Dict[str, List[Tuple[Any, Path]]] = {}
        seen: Dict[Any, Run] = {}
        excess: Dict[Any, float] = {}
        first: Optional[Branch] = None
        loops = self._floats is None and has_loops(f, partial(loops_of, counting=self.counting))
        # As of a debugger, which sees plain runs alone
        tree.loops, trace = Watch(self.counting) if loops else NO_LOOPS, sys.gettrace()
        self.watch(held)
        states = [made.state() for made in self.packages]
        branches, runs, first_left, asked = 0, 0, 0, False

        def drawn() -> str:
            for name in self._absent:
                if name in sys.modules:
                    raise Refused(
                        "%s: %s is imported for the first time inside the function: import it "
                        "before" % (where, name))
            return (
                "C code draws from the bits of the generator, which cannot be followed"
                if states != [made.state() for made in self.packages]
                else drawn_from(self.bits, tree.drawn)
            )

        while tree.heap and branches < self.most and runs < 10 * self.most and not tree.is_spent():
            if not asked and tree.choices + tree.pushed > SOON:
                asked = True
                self._refuse_endless(where, branches, first_left)
            if time.monotonic() > self.talks:
                self._say(f, where, branches, "searchsorted" in getattr(code, "co_names", ()))
            run, runs = Run(tree, heappop(tree.heap)[2]), runs + 1
            if loops:
                tree.loops.begin(
                    run,
                    lambda value: type(value) in (Lazy, Whole, Counter)
                    or any(value is one for one in self.made) or self.patch.is_own(value))
            try:
                if loops or trace is not None:
                    sys.settrace(tree.loops.call if loops else None)
                answer = self._answer(run, call, where)
            finally:
                if loops or trace is not None:
                    sys.settrace(trace)
            tree.choices += run.at
            first_left = first_left or len(tree.heap)
            if answer is not None:
                branches, (key, failed), branch = branches + 1, answer, Branch(
                    run.node, run.asked, answer, call, where)
                is_new = (
                    key not in (raised if failed else found) and (failed or len(found) < MOST_SEEN)
                )
                if self.check and (branches <= CHECKED or branches % 10 == 0 or is_new):
                    key = self._checked(run, branch)
                    if branches == 1 and drawn():
                        break
                    if branches == 1 and self.reach.has_changed():
                        self.watch([*held, *State().add(getattr(f, "of", f)).generators])
                    self._note(branch)
                first, run.asked = first or branch, []
                (raised if failed else found).setdefault(key, []).append((run.p, run.path))
                if run.loose > 1 and not failed:
                    excess[key] = excess.get(key, 0.0) + run.p * (run.loose - 1)
                seen.setdefault((failed, key if failed else without_returns(key)), run)
        if first is not None and self.check and not drawn():
            ahead.append(self.copies(f, args, held))
            self._repeat(first)
        if drawn():
            raise Refused("%s: %s" % (where, drawn()))
        left = [
            (tree.one if node is None else node[2], tree.loops.path(node))
            for _, _, node in tree.heap]
        weight, endless = tree.loops.weights(
            [
                *tree.lost, *tree.late, *left,
                *(end for ends in [*found.values(), *raised.values()] for end in ends)], tree.backs,
            total)
        tree.lost += endless

        def mass(ends: List[Tuple[Any, Path]]) -> Any:
            return total(p * weight(path) if path else p for p, path in ends)

        faults = {key: mass(ends) for key, ends in raised.items()}
        dust: List[Tuple[Any, Path]] = [
            (faults.pop(key), ()) for key in [key for key, p in faults.items() if p < DUST]]
        late = tree.late + (left if tree.is_spent() else [])
        reasons = (
            (tree.lost, SMALLER), (late, "the time limit was reached: more seconds= leave less"),
            (
                [] if len(late) > len(tree.late) else left,
                MORE % branches if branches or tree.backs else NONE_ENDS),
            (dust, "it is the probability of exceptions that are attributed to rounding"))
        plain = Empty(type(self.values.get(())))
        # The first of several
        if plain.kind in EMPTY and () in found and any(type(key) is Empty for key in found):
            found, excess = [
                {plain if key == () else key: of for key, of in one.items()}
                for one in cast(Any, (found, excess))]
            seen.update({(False, plain): seen[False, ()]})
        chances: Dict[Any, Any] = {key: mass(ends) for key, ends in found.items()}
        tails: List[Any] = []
        numbers = [key for key in chances if counted(key)]
        moments: List[Tuple[Any, Any, Any]] = []
        spread: Dict[Any, List[Any]] = {}
        if numbers:
            returns = Returns(numbers, tree.backs, weight, tree.cut, tree.exact)
            moments = [(p, *returns.moments(key)) for key, p in chances.items()]
            for key, p in chances.items():
                values, lost = returns.spread(key, p)
                tails += lost
                for value, q in values.items():
                    spread.setdefault(value, []).append(q)
            chances = {key: total(ps) for key, ps in spread.items()}
        rest = (
            mass(tree.lost + tree.late + left + dust) if tree.lost or tree.late or left or dust
            else tree.one * 0
        )
        law = Law(
            chances, faults, total([rest, *tails]), branches,
            total(p for p, _ in dust) if dust else 0.0)
        law._moments, law._left = moments, rest
        if tree.raced or excess:
            other = (
                max(
                    0.0,
                    law.remainder - total(tree.raced) - total(least for least, _ in tree.beyond))
                * tree.loosest + total(most for _, most in tree.beyond)
            )
            law._most, law._most_of_others = {
                key: min(1.0, p + excess.get(key, 0.0) + other)
                for key, p in law.items()}, min(1.0, other)
        law._replay = (
            lambda outcome: self._witness(seen, outcome)
            if (False, outcome) in seen or outcome not in spread
            else self._with_tries(f, args)._replay(outcome)
        )
        return advised(law, max(reasons, key=lambda reason: float(lead(mass(reason[0]))))[1])

    def whole(self, f: Callable[..., Any], args: Tuple[Any, ...]) -> Law:
        """The law, found again without a cut if what was cut looks like rounding: a mean may
        hang on it.
        """
        tree = self.tree
        found = self.law(f, args)
        if 0 < found._left - found._dust <= ROUNDING and self._floats is None:
            before = tree.cut, tree.most_choices
            tree.cut, tree.most_choices = 0.0, min(tree.most_choices, TAIL + 2 * tree.choices)
            again = self.law(f, args)
            tree.cut, tree.most_choices = before
            found = again if again._left - again._dust < LEAST else found
        return found

    def _likely(self) -> float:
        return math.exp(min(self.tree.nats, 700.0))

    def _left(self) -> float:
        return float(
            total(-mass for mass, _, _ in self.tree.heap)
            + float(total(p for p, _ in self.tree.lost)))

    def _refuse_endless(self, where: str, branches: int, first_left: int) -> None:
        """Refuses a law that does not end: no one asks for a remainder, and too much is left, or
        more and more branches.
        """
        tree, likely = self.tree, self._likely()
        if (
            (branches or not tree.backs) and self.most == MOST and likely > 100 * MOST
            and tree.until == tree.most_choices == math.inf
            and (self._left() > 0.5 or tree.cut <= DUST and len(tree.heap) > 100 + 2 * first_left)
        ):
            raise Refused(
                "%s: the choices of its first branch have the entropy of %.2g equally likely "
                "branches, and at most %d are explored; take less, as fewer particles or data, "
                "or give most= or seconds=, which leave a remainder. %s"
                % (where, likely, MOST, LOOP if self._left() <= 0.5 or not branches else ""))

    def _say(self, f: Callable[..., Any], where: str, branches: int, searches: bool) -> None:
        """Says once what is left where a law takes long."""
        self.talks = math.inf
        left, likely = self._left(), self._likely()
        tries = has_loops(f, whiles_of)
        about = (
            (
                "" if not branches or left <= 0.5 or likely <= 2 * branches
                else "The choices of its first branch have the entropy of %.2g equally likely "
                "branches, which take about %.2g minutes. "
                % (likely, likely / branches * PATIENCE / 60))
        )
        print(
            "breadboard.law: %s: after %g seconds and %d branches the probability %.3g is not "
            "explored yet. %sTo end sooner, take less, as fewer particles or data, or a larger "
            "cut=, or seconds=, which leaves a remainder. %s%s"
            % (
                where, PATIENCE, branches, left, about, SEARCH if searches else "",
                LOOP if tries else ""), file=sys.stderr, flush=True)

    def _note(self, branch: Branch) -> None:
        """Keeps a branch to be run again at the end: the first ones, and others by chance, each
        as likely.
        """
        self.seen += 1
        k = self.seen - 1 if self.seen <= CHECKED else self.chance.randrange(self.seen)
        if k < CHECKED and (self.seen <= CHECKED or k >= CHECKED // 2):
            self.repeated[k : k + 1] = [branch]

    def _repeat(self, branch: Branch) -> None:
        """Runs a branch again, which must give the same."""
        answer = self._answer(
            Run(self.tree, branch.node, None, branch.asked), branch.call, branch.where)
        if answer is None or not branch.agrees(*answer) and not (self.may_raise and answer[1]):
            raise Kept("%s: %s" % (branch.where, KEPT))

    def repeat_some(self) -> None:
        """Runs branches again, each some times in a row, and then in an order by chance, as long
        as there is time, and forgets them.
        """
        again = [branch for branch in self.repeated for _ in range(IN_A_ROW)]
        for branch in again + self.chance.sample(self.repeated, len(self.repeated)):
            if not self.tree.is_spent():
                self._repeat(branch)
        self.repeat_from_first()
        self.repeated, self.seen = [], 0

    def repeat_from_first(self, others: Sequence[Callable[[], None]] = ()) -> None:
        """Runs branches and other questions again, the last ones first, as if no function had
        been called before, if they keep anything.
        """
        if self.state.has_changed():
            self.may_raise = True
            with self.state.first():
                for branch in self.repeated[::-1]:
                    self._repeat(branch)
                for ask in others[: -AGAIN - 1 : -1]:
                    ask()
            self.may_raise = False

    def _answer(self, run: Run, call: Callable[[], Any], where: str) -> Optional[Tuple[Any, bool]]:
        """What a run returns, or the text of what it raises; None where it was ended because
        nothing of it is to be walked.
        """
        self.tree.run = run
        if run.plain is not None:
            self.patch.exchange_int(True)
        answer: Optional[Tuple[Any, bool]] = None
        result: Any = ()
        profile = sys.getprofile()
        try:
            if self.reach.has_clock:
                sys.setprofile(self._clock)
            result = (call(),)
        except Stop:
            pass
        except Refused as error:  # of another law, inside
            raise type(error)("%s: %s" % (where, error)) from None
        except (Exception, SystemExit) as error:
            if any(entry.counts for entry in run.path):  # C code takes no counter
                raise Uncounted from None
            answer = (
                "%s: %s" % (type(error).__name__, error) if str(error) else type(error).__name__,
                True)
            # As C code takes no number that is not known
            if (
                run.parts.sizes
                and isinstance(error, (TypeError, ValueError, AttributeError, ImportError))
            ):
                raise Refused("%s: %s" % (where, NO_NUMBER % answer[0])) from None
        finally:
            if self.reach.has_clock:
                sys.setprofile(profile)
            run.end()
            self.patch.exchange_int(False)
        if self.patch.broken is not None:  # which the function has caught
            raise self.patch.broken
        if result and self.tree.refused is None:
            try:
                answer = hashable(result[0]), False
                if (
                    answer[0] == ()
                    and type(self.values.get((), result[0])) is not type(result[0]) in EMPTY
                ):
                    answer = Empty(type(result[0])), False
                # As the values of others are not known
                if counted(answer[0]) and type(result[0]) not in (Counter, tuple):
                    raise Uncounted
                self.values[answer[0]] = result[0]
            except Stop:
                pass
            except TypeError:
                raise Refused(
                    "%s: the function returns %.100r, which is no outcome that can be compared "
                    "with others" % (where, result[0])) from None
        if self.tree.refused is not None:
            refused, self.tree.refused = self.tree.refused, None
            if type(refused) in (Again, Uncounted):
                raise refused
            said = str(refused)
            raise type(refused)(
                where + said[said.index(": the function returns"):]
                if ": the function returns a random" in said else said)
        if run.is_back:
            return None
        if answer is not None and run.is_short() and not (self.may_raise and answer[1]):
            raise Kept("%s: %s" % (where, KEPT))
        return answer

    def _clock(self, frame: Any, event: str, of: Any) -> None:
        """Refuses that a function reads a clock, or holds a function of the system that draws."""
        if event == "c_call" and any(of is one for one in SYSTEM):
            raise self.tree.refuse(
                "os.%s is called under another name than those of modules, so that its draws "
                "cannot be followed: call it as os.%s" % (of.__name__, of.__name__))
        if (
            event == "c_call" and of.__name__ in READS
            and not is_library(frame.f_globals.get("__name__"))
        ):
            clock = of.__self__
            if (
                any(clock is one for one in CLOCKS)
                or isinstance(clock, type)
                    and any(clock.__module__ == "datetime" for clock in clock.__mro__)
            ):
                raise self.tree.refuse(
                    "%s() reads the clock, so that no run can be repeated: give the function the "
                    "time as an argument" % of.__name__)

    def _checked(self, run: Run, branch: Branch) -> Any:
        """Runs a branch again with plain numbers, which must give the same; the text of an
        exception is that of the plain run.
        """
        key, failed = branch.answer
        draws = run.witness()
        if draws is None:
            return key
        plain, plainly = (
            self._answer(Run(self.tree, None, draws, run.asked), branch.call, branch.where)
            or ("nothing", True)
        )
        if not branch.agrees(plain, plainly):
            if any(entry.counts for entry in run.path):
                raise Uncounted
            drawn = drawn_from(self.bits, self.tree.drawn)
            raise Refused("%s: %s" % (branch.where, drawn)) if drawn else Refused(
                "%s: the function %s %.200r with random numbers of which intervals are known, "
                "and %s %.200r with floats inside of them: it does what cannot be followed, "
                "keeps a state between its calls, or returns what is not equal to its like"
                % (
                    branch.where, *(
                        word for f, k in ((failed, key), (plainly, plain))
                        for word in ("raises" if f else "returns", k))))
        return plain if failed else key

    def _with_tries(self, f: Callable[..., Any], args: Tuple[Any, ...]) -> Any:
        """The law whose branches are all tries."""
        with Walk(*self._given) as walk:
            walk.counting = False
            return walk.law(f, args)

    def _witness(self, seen: Dict[Any, Run], outcome: Any) -> Any:
        run = seen.get((False, outcome)) or seen.get((True, outcome))
        if run is None:
            raise KeyError("%.100r is not an outcome of the distribution" % (outcome,))
        if self.foreign:
            raise Open("a distribution of what PyTorch or JAX draws has no witnesses")
        tree, draws = Tree(0.0, False), run.witness()
        if draws is None:
            raise Open(
                "%.100r has no witness, as an interval of a random number has no float inside"
                % (outcome,))
        generator = self._stand_in(self.kind or random.Random, tree)
        generator.draws = draws
        tree.begin(draws)
        tree.over = True  # what it refuses is an ordinary exception
        return generator


def law(
    f: Callable[..., Any], *args: Any, rng: Any = DEFAULT, place: str = "last", cut: float = 1e-12,
    most: int = MOST, seconds: Optional[float] = None, exact: bool = False, check: bool = True,
    bits: Optional[str] = None,
) -> Law:
    """The exact distribution of the return value of f(*args, rng). The function is not changed.

    rng is the class of the generator: numpy.random.Generator, numpy.random.RandomState,
    random.Random, or None for a function that calls global functions or default_rng(). place
    is the position of the generator: "last", "first", or the name of a keyword. Branches with
    a probability below cut are not explored, and the search stops after most branches or
    after seconds; the unexplored probability is the remainder. With cut=0 only what
    underflows is cut. With exact=True probabilities are fractions. check=False omits the runs
    with plain numbers that check the result. bits="float32" or "float64" returns the
    probabilities as floats compute them: every value of a uniform number of this precision is
    put through the operations of f (breadboard help floats).

    >>> import random
    >>> law(lambda rng: rng.choice("abc") + rng.choice("ab"), rng=random.Random, exact=True)["ca"]
    Fraction(1, 6)
    >>> law(lambda rng: int(4 * rng.random()) // 3, rng=random.Random).mean()
    0.25
    """
    with Walk(rng, place, cut, most, seconds, exact, check, bits) as walk:
        return walk.whole(f, args)
