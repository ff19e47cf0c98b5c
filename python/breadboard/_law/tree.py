"""The tree of the random choices of a function, and one run of the function along a way through it.
"""
from __future__ import annotations

import copy
import math
import os
import random
import sys
import threading
import time
from fractions import Fraction
from heapq import heappush
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Set, Tuple

from .lanes import Column, each, lead
from .._errors import Refused
from .counters import Uncounted
from .lazy import MOST_VALUES, SINGLE, SINGLES, Lazy
from .fields import Fields
from .loops import NO_LOOPS, Entry, Path
from .._numpy import numpy
from .wholes import Again, Parts, Whole, many

LIBRARIES = (
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep, random.__file__,
    copy.__file__, "<frozen",
    *([os.path.dirname(numpy.__file__) + os.sep, "<__array_function__"] if numpy else []))
NO_USERS = sys.stdlib_module_names | {
    "numpy", "scipy", "pandas", "torch", "jax", __name__.partition(".")[0]}
THREAD = (
    "another thread draws; the order in which threads run is no choice that can be followed: "
    "draw in the thread of the call"
)
TRIES = (
    "a loop that draws until it accepts is followed try by try if it keeps something from one "
    "try to the next, or does what cannot be followed, as in a generator expression: draw once, "
    "from what it may accept"
)
KEPT = (
    "run again with the same random choices, the function does something else: it keeps a state "
    "between its calls, or depends on what is not in its arguments, as the time or a generator "
    "of its own"
)

TINY = math.ulp(0.0)  # of a probability above zero that is below all floats
SPENT = (
    "the draws of this witness are used up, or are other ones than the function asks for; a "
    "witness leads one call to its outcome: take a new one from witness() for each"
)


class Kept(Refused):
    """A function does something else when it is run again."""


class Stop(BaseException):
    """Ends a run of a function whose law is looked for. It is no Exception, so that the function
    does not catch it.
    """


def alike(a: Any, b: Any) -> bool:
    """Whether two outcomes, or two draws, are the same but for rounding."""
    if a is b:
        return True
    if isinstance(a, (float, Fraction)) or isinstance(b, (float, Fraction)):
        try:
            return a == b or math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)
        except TypeError:
            return False
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(alike, a, b))
    return bool(a == b)


# A choice: the one before it, which answer was given, and the probability of all answers until
# then.
Node = Optional[Tuple[Any, int, Any]]


class Tree:
    """What all runs of a function share: how far its tree is walked, and what is left of it."""

    def __init__(
        self, cut: float, exact: bool, seconds: Optional[float] = None, choices: float = math.inf,
    ) -> None:
        self.cut, self.exact, self.seconds, self.most_choices = cut, exact, seconds, choices
        self.deep = 0  # choices after which the cut begins
        self.one: Any = Fraction(1) if exact else 1.0
        self.equal: Dict[int, List[Any]] = {}
        self.integrals: Dict[Any, List[float]] = {}
        self.endless: Dict[Any, Tuple[List[Any], List[Any], Iterator[Any]]] = {}
        self.thread: int = threading.get_ident()
        self.refused: Optional[Exception] = None
        self.over: bool = False
        self.threads: Set[threading.Thread] = set(threading.enumerate())
        self.drawn: Set[int] = set()
        self.run = self.begin()

    def begin(self, draws: Optional[List[Any]] = None) -> Run:
        """Forgets the function before; the run that is returned has the draws of a witness, if any.
        """
        self.heap: List[Tuple[float, int, Node]] = [(-1.0, 0, None)]
        # The probabilities of what is not walked, as it is below the cut
        self.lost: List[Tuple[Any, Path]] = []
        self.late: List[Tuple[Any, Path]] = []  # and as the time was over
        # And as probabilities are only known to be in intervals, whose ends have this ratio at most
        self.raced: List[Any] = []
        self.loosest = 1.0
        # And of what is cut of a count, the least and the largest probability
        self.beyond: List[Tuple[float, float]] = []
        self.loops = NO_LOOPS
        # And of what comes back to where a loop begins
        self.backs: List[Tuple[Any, Path, Entry, Dict[str, int]]] = []
        self.nats = 0.0  # the entropy of the choices along the first run
        self.choices = 0  # of all runs
        self.pushed, self.until = (
            0, math.inf if self.seconds is None else time.monotonic() + self.seconds
        )
        self.run = Run(self, None, draws)
        return self.run

    def is_spent(self, more: int = 0) -> bool:
        """Whether the choices, or the time, are used up."""
        return (
            self.choices + more > self.most_choices
            or self.until < math.inf and time.monotonic() > self.until
        )

    def number(self, value: Any) -> Any:
        """A number of the function, as it is reckoned with here."""
        if type(value) is Column:
            return each(self.number, value)
        if self.exact and math.isfinite(value):
            return Fraction(
                value if isinstance(value, (int, Fraction)) else float(value)
                if isinstance(value, float) else value.item())
        return float(value)

    def uncount(self) -> BaseException:
        """Ends a law that takes a number of tries for a counter, and needs its value."""
        self.refused = self.refused or Uncounted()
        return Stop()

    def is_mine(self, old: Any) -> bool:
        """Whether a global function or generator is now that of the law. Other threads have the
        old one, and those that the function starts end the law.
        """
        if self.over or threading.get_ident() == self.thread:
            return not self.over
        if threading.current_thread() in self.threads:
            self.drawn.add(id(old))
        else:
            self.refuse(THREAD)
        return False

    def refuse(self, why: str) -> BaseException:
        """What is to be raised where the function does what cannot be followed; the place is
        that of the call, outside of this package and of NumPy.
        """
        frame = sys._getframe(1)
        while frame.f_back is not None and frame.f_code.co_filename.startswith(LIBRARIES):
            frame = frame.f_back
        said, above = "%s:%d: %s" % (frame.f_code.co_filename, frame.f_lineno, why), frame
        while (
            above.f_back is not None
            and not above.f_code.co_filename.startswith(("<frozen importlib", LIBRARIES[0]))
        ):
            above = above.f_back
        if above.f_code.co_filename.startswith("<frozen importlib"):
            said += (
                ", while a module is imported for the first time inside the function: import it "
                "before"
            )
        refused = (Kept if why is KEPT else Refused)(said)
        if self.over:
            return refused
        self.refused = self.refused or refused
        return Stop()


NO_PARTS = Parts(None)


class Run(Fields):
    """One run of the function: the choices that it is to make first, and what it has drawn. A
    plain run is given draws, and makes no choice. Where the function has gone this way
    before, known is what it has drawn from, in order, which it must draw from again.
    """

    def __init__(
        self, tree: Tree, node: Node, plain: Optional[List[Any]] = None,
        known: Optional[List[Any]] = None,
    ) -> None:
        super().__init__(tree.one)
        self.tree, self.node, self.plain = tree, node, plain
        # The last is the ratio of the largest possible probability of this run to p
        self.p, self.over, self.is_back, self.loose = tree.one, False, False, 1.0
        # Whether a new number, and its comparison with a float, need no further care
        self.free, self.plainly = known is None and plain is None, not tree.exact
        self.draws: List[Any] = []  # a number for a discrete draw, None for a uniform number
        self.parts = NO_PARTS
        self.asked: List[Any] = []
        self.known: Optional[List[Any]] = known
        nodes = []
        while node is not None:
            nodes.append(node)
            node = node[0]
        nodes.reverse()
        self.nodes: List[Any] = nodes
        self.path: Path = ()
        # The known answers, and the probability after each
        self.prefix, self.masses = [k for _, k, _ in nodes], [mass for _, _, mass in nodes]

    def end(self) -> None:
        self.over, self.free, self.plainly = True, False, False

    def alive(self) -> None:
        if self.over:
            raise self.refuse(
                "a random number of an earlier call is used: the function keeps a state between "
                "its calls")

    def decide(self, chances: Sequence[Any]) -> int:
        """Which of several answers is given now. What has the other ones is walked later, the
        likeliest first.
        """
        if self.over:
            self.alive()
        tree, p = self.tree, self.p
        if self.at < len(self.prefix):
            k = self.prefix[self.at]
            if k >= len(chances):
                raise self.refuse(KEPT)
            self.again(chances[k])
            return k
        if threading.get_ident() != tree.thread:
            raise self.refuse(THREAD)
        best = (
            0 if len(chances) == 2 and lead(chances[0]) >= lead(chances[1])
            else max(range(len(chances)), key=[lead(chance) for chance in chances].__getitem__)
        )
        mass, cut = p * chances[best], tree.cut if self.at >= tree.deep else 0.0
        # A subnormal may round to itself
        if mass < cut or not mass > 0 or mass == p < 1e-300 and chances[best] < 1:
            self.lose()
        self.in_time()
        if not self.prefix:
            tree.nats -= sum(
                float(lead(chance)) * math.log(lead(chance)) for chance in chances
                if lead(chance) > 0)
        for k, chance in enumerate(chances):
            if k != best and chance > 0:
                other = p * chance
                if other >= cut and other > 0:
                    tree.pushed += 1
                    heappush(tree.heap, (-float(lead(other)), tree.pushed, (self.node, k, other)))
                else:
                    tree.lost.append((other if other > 0 else TINY, self.path))
        self.p, self.node, self.at = mass, (self.node, best, mass), self.at + 1
        return best

    def again(self, chance: Any) -> None:
        """Takes the answer that is known, whose probability must be bit for bit what it was."""
        self.p = self.p * chance
        if self.p != self.masses[self.at]:
            raise self.refuse(KEPT)
        self.at += 1

    def ask(self, of: Any) -> None:
        """Notes what is drawn from: how many equally likely numbers, some probabilities, a law
        with its parameters, or a kind of uniform number.
        """
        self.asked.append(of)
        if (
            self.known is not None
            and not (
                len(self.asked) <= len(self.known) and alike(of, self.known[len(self.asked) - 1]))
        ):
            raise self.refuse(KEPT)

    def seeded(self, seed: Any) -> Any:
        """Notes the seed of a generator that the function makes, which must be the same in each
        run.
        """
        if (
            not self.over
            and (
                isinstance(seed, (int, float, str, bytes, list, tuple))
                or type(seed).__module__ == "numpy")
        ):
            self.ask(("seed", repr(seed)))
        return seed

    def is_short(self) -> bool:
        """Whether the function has drawn less than the last time."""
        return (
            self.at < len(self.prefix)
            or self.known is not None and len(self.asked) < len(self.known)
        )

    def refuse(self, why: str) -> BaseException:
        refusal: BaseException = self.tree.refuse(why)
        return refusal

    def lose(self, is_late: bool = False) -> None:
        """Ends a run of which no more is walked."""
        (self.tree.late if is_late else self.tree.lost).append((self.p, self.path))
        raise Stop

    def here(self) -> Node:
        """The choice that was made last."""
        return (
            self.node if self.at >= len(self.prefix) else self.nodes[self.at - 1] if self.at
            else None
        )

    def count(self) -> Tuple[int, int]:
        """How many numbers were drawn of which an interval or parts are known."""
        return len(self.low), len(self.parts.forms)

    def known_of_numbers(self, count: int, parts: int) -> List[Any]:
        """All that is known of the numbers that were drawn first, as objects that are not
        changed; those of a race are told apart by nothing.
        """
        return [
            *self.low[:count], *self.high[:count],
            *([object()] if self.clocks else self.group[:count]), *self.parts.forms[:parts]]

    def run_again(self) -> None:
        """Ends a run, to be begun again and to go on from here."""
        self.tree.pushed += 1
        heappush(self.tree.heap, (-float(lead(self.p)), self.tree.pushed, self.here()))
        self.is_back = True
        raise Stop

    def come_back(self, entry: Entry, steps: Dict[str, int]) -> None:
        """Ends a run that begins a loop again, in the same state but for the steps of counters."""
        if entry.node is self.here():
            raise self.refuse("a loop ends with probability zero")
        self.tree.backs.append((self.p, self.path, entry, steps))
        self.is_back = True
        raise Stop

    def number(self, value: Any) -> Any:
        """A number that a random one meets, as it is reckoned with here."""
        if type(value) in SINGLES:
            raise self.refuse(
                "a random number meets a %s, to whose digits NumPy may round it; make that a "
                "float64 first, by float() or astype(float)" % type(value).__name__)
        return self.tree.number(value)

    def in_time(self) -> None:
        if self.known is None and self.tree.is_spent(self.at):
            self.tree.late.append(
                (self.masses[-1], self.tree.loops.path(self.nodes[-1]))
                if self.at < len(self.prefix) else (self.p, self.path))
            raise Stop

    def uniform(self, steps: Tuple[Any, ...] = ()) -> Any:
        """A uniform number from 0 to 1, of which nothing is known yet; in a plain run a float.
        Steps are there if it is one of single precision.
        """
        if self.free:
            self.asked.append(steps or "uniform")
        else:
            self.ask(steps or "uniform")
            if self.plain is not None:
                u = self._next(float)
                return math.floor(u * SINGLE) / SINGLE if steps else u
            self.alive()
        i = len(self.low)
        if i % 1000 == 999:
            self.in_time()
        self.low.append(self.ends[0])
        self.high.append(self.ends[1])
        self.group.append(None)
        self.draws.append(None)
        return Lazy(self, i, steps)

    def below(self, n: int) -> int:
        """A whole number below n, each with the same probability."""
        chances, at = self.tree.equal.get(n), self.at
        if chances is None:
            if n > MOST_VALUES:
                raise self.refuse(many(n))
            if n < 1:
                raise ValueError("no whole number is below %d" % n)
            chances = self.tree.equal[n] = [self.tree.one / n] * n
        if not (self.free and n > 1 and at < len(self.prefix) and self.prefix[at] < n):
            return self.pick(chances, n)
        # What pick does if the answer is known
        k, self.p, self.at = self.prefix[at], self.p * chances[0], at + 1
        if self.p != self.masses[at]:
            raise self.refuse(KEPT)
        self.asked.append(n)
        self.draws.append(k)
        return k

    def whole(self, n: int, kind: Any = None) -> Any:
        """The same of any n. A number with many values is made of what is known of it, in a
        plain run it is one.
        """
        return self.below(n) if n <= MOST_VALUES else self.large(n, kind)

    def large(self, n: int, kind: Any = None, draw: Callable[[int], int] = int) -> Any:
        self.ask(("whole", n))
        if self.plain is not None:
            return int(self._next(int))
        self.alive()
        self.parts = Parts(self) if self.parts is NO_PARTS else self.parts
        form = 0, {self.parts.add(n): 1}
        self.draws.append(lambda: draw(self.parts.example(form)))
        return Whole(self, form, kind)

    def again_with_int(self, why: str) -> BaseException:
        """Ends a law in which int() is taken of a number with many values: it is found again
        with what stands for int in the module that calls it.
        """
        frame = sys._getframe(2)
        held, name = frame.f_globals, str(frame.f_globals.get("__name__")).partition(".")[0]
        if "int" in held or name in NO_USERS:
            return self.refuse(why)
        self.alive()
        self.tree.refused = self.tree.refused or Again(held)
        return Stop()

    def pick(self, chances: Sequence[Any], n: int = 0) -> int:
        """The place of one of some probabilities, which sum to one, as 1/n each where n is given.
        """
        if self.free:
            self.asked.append(n or tuple(chances))
        else:
            self.ask(n or tuple(chances))
            if self.plain is not None:
                return int(self._next(int))
        k = self.decide(chances) if len(chances) > 1 else 0
        self.draws.append(k)
        return k

    def endless(self, key: Any, chances: Callable[[], Iterator[Any]]) -> int:
        """The place of one of infinitely many probabilities, of which those of a tail that are
        below the cut are not walked.
        """
        self.ask(key)
        if self.plain is not None:
            return int(self._next(int))
        tree, p, path = self.tree, self.p, self.path
        known, rests, more = tree.endless.setdefault(key, ([], [tree.one], chances()))
        if self.at < len(self.prefix) and self.prefix[self.at] < len(known):
            self.again(known[self.prefix[self.at]])
            self.draws.append(self.prefix[self.at - 1])
            return int(self.draws[-1])
        n, least = 0, (max(tree.cut, 1e-18) if tree.cut or tree.exact else 4e-321) / float(p) / 4
        while (
            n < MOST_VALUES
            and (
                n == 0
                or (rests[n] > least or not tree.exact and known[n - 1] > least)
                    and not (rests[n] < 1e-9 and known[n - 1] <= least))
        ):
            if n == len(known):
                known.append(next(more))
                rests.append(max(rests[n] - known[n], 0 * rests[n]))
            n += 1
        rest, last = rests[n], known[n - 1]
        # Rounding has left no digits of it; as of a geometric series
        if not tree.exact and rest < 1e-12 and n > 1:
            rest = last / max(known[n - 2] / last - 1, 1e-6) if last else last
        k = self.decide(known[:n])
        tree.lost += (
            [(p * rest if p * rest > 0 else TINY, path)] if rest > 0 or n > 1 and last > 0 else []
        )
        self.draws.append(k)
        return k

    def _next(self, kind: type) -> Any:
        assert self.plain is not None
        self.at += 1
        if self.at > len(self.plain) or not isinstance(self.plain[self.at - 1], kind):
            raise self.refuse(SPENT if self.tree.over else KEPT)
        return self.plain[self.at - 1]

    def witness(self) -> Optional[List[Any]]:
        """Draws that lead where this run went; None where an interval has no float inside."""
        values = self.inside()
        floats = iter(values or ())
        return (
            None if values is None
            else [next(floats) if k is None else k() if callable(k) else k for k in self.draws]
        )
