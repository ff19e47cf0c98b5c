"""Kernels and samplers written in Python, as programs that speak the protocol of breadboard
(PROTOCOL.md).
"""
from __future__ import annotations

import contextlib
import json
import math
import operator
import random
import sys
import time
from collections import deque
from typing import (
    Any, BinaryIO, Callable, Deque, Dict, List, Mapping, Optional, Sequence, Tuple, Union,
)

from .._errors import Refused
from .._law.generators import bits_of, drawn_from
from .._law.state import State
from .._numpy import numpy
from .kernels import NUMBERS, kernel_of, no_number

Message = Dict[str, Any]


class Draws:
    """A chooser that draws random numbers, for running a kernel without breadboard.

    They come from a seed, or from a random.Random.

    >>> Draws(1).uniform(6) in range(6)
    True
    """

    def __init__(self, seed: Union[None, int, random.Random] = None) -> None:
        self.random = seed if isinstance(seed, random.Random) else random.Random(seed)

    def uniform(self, n: int) -> int:
        """A whole number from 0 to n - 1, each with equal probability."""
        return self.random.randrange(n)

    def flip(self, p: float) -> bool:
        """True with probability p, otherwise False."""
        return self.random.random() < p

    def choose(self, probabilities: Sequence[float]) -> int:
        """An index, with these probabilities."""
        return self.random.choices(range(len(probabilities)), weights=probabilities)[0]


class Abort(BaseException):
    """breadboard does not want to know how a move goes on. It is no Exception, so that a kernel
    does not catch it.
    """


class Ended(SystemExit):
    """breadboard has ended, and nobody asks any longer. A program ends in silence then."""


class Asker:
    """The chooser that asks breadboard for each choice, so that breadboard can walk through all
    of them.
    """

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe

    def uniform(self, n: int) -> int:
        return int(self._ask({"uniform": int(n)}))

    def flip(self, p: float) -> bool:
        return bool(self._ask({"flip": float(p)}) == 1)

    def choose(self, probabilities: Sequence[float]) -> int:
        return int(self._ask({"choose": [float(p) for p in probabilities]}))

    def _ask(self, question: Message) -> Any:
        self._pipe.say(question)
        answer = self._pipe.hear()
        if "abort" in answer:
            raise Abort
        return answer["outcome"]


class Apart(BaseException):
    """A move does what cannot be told ahead. It is no Exception, so that a kernel does not catch
    it.
    """


class Ahead:
    """Tells the trees of the choices of many moves in one message, under distributions to come
    (stages).
    """

    def __init__(self, move: Callable[..., int]) -> None:
        self._move, self._row_of = move, getattr(move, "row_of", None)
        self._stages: List[Any] = []
        self._shape: List[int] = []
        # Some stages and states, and their trees
        self._walked: Deque[Tuple[int, int, Any]] = deque(maxlen=AGAIN)
        self._any, self._count = random.Random(1), 0

    def expect(self, stages: Sequence[Sequence[Optional[float]]], shape: List[int]) -> None:
        """Takes the distributions to come."""
        kind: Any = _as_array if self._row_of is None else tuple
        self._stages, self._shape = [kind(_with_zeros(logf)) for logf in stages], shape
        self._walked.clear()

    def tell(self, stage: int, x: int) -> Message:
        """The trees from a state under one of the distributions on, as many as there is time
        for. One is left out where breadboard is to ask for the move.
        """
        until, size, told = time.monotonic() + PATIENCE, 0, 0
        found: Dict[Any, Message] = {}
        while stage < len(self._stages) and size < MOST_TOLD:
            if self._row_of is None:
                tree = self._tree(stage, x, until)
            else:
                tree = _tree_of_row(*self._row_of(self._stages, stage, self._shape, x))
            if tree is not None:
                lines, chances = tree
                size += len(lines) + len(chances)
                one = found.setdefault(
                    (x, lines), {
                        "from": x, "stages": [], "tree": [LINES[kind](n) for kind, n in lines],
                        "p": []})
                one["stages"].append(stage)
                one["p"].append(chances)
            told += 1
            stage, x = (stage, x + 1) if x + 1 < len(self._stages[stage]) else (stage + 1, 0)
            if time.monotonic() > until:
                break
        return {"trees": list(found.values()), "told": told}

    def _tree(self, stage: int, x: int, until: float) -> Any:
        """The tree from a state. It and an earlier one are walked again, and must be the same."""
        def walk(stage: int, x: int) -> Any:
            return Recorder().tree(self._move, self._stages[stage], self._shape, x, until)

        one = (stage, x, walk(stage, x))
        self._count += 1
        if len(self._walked) < AGAIN or self._count % AGAIN == 0:
            self._walked.append(one)
            for at, state, before in (one, self._any.choice(self._walked)):
                if before is not None and walk(at, state) not in (before, None):
                    return CHANGED
        return one[2]


# What a line of a tree is: a choice with its number of outcomes, the state where a move ends, an
# outcome that is impossible, or a move that made other choices
# when it was run again.
LINES: Dict[str, Callable[[int], Optional[Message]]] = {
    "uniform": lambda n: {"uniform": n}, "flip": lambda _: {"flip": True},
    "choose": lambda n: {"choose": n}, "state": lambda y: {"state": y}, "never": lambda _: None,
    "changed": lambda _: {"changed": True}}
AGAIN = 50  # trees that are walked again, beside every fiftieth
PATIENCE = 0.5  # seconds for one message, in which breadboard waits
MOST_TOLD = 300_000  # numbers of one message
MOST_LINES = 10_000  # of one tree


Lines = Tuple[Tuple[str, int], ...]
CHANGED: Tuple[Lines, List[float]] = (("changed", 0),), []


def _tree_of_row(states: Sequence[float], chances: List[float]) -> Tuple[Lines, List[float]]:
    """The tree of one choice among states."""
    if len(states) == 1:
        return (("state", int(states[0])),), []
    return (
        (
            ("choose", len(states)),
            *(("state", int(y)) if p else ("never", 0) for y, p in zip(states, chances))), chances
    )


class Recorder:
    """The chooser that notes the tree of all choices of one move, by running the move once for
    each way in which it can come out.
    """

    def __init__(self) -> None:
        # On the way of this run: the kind of each choice, what is asked, the number of outcomes and
        # the outcome
        self._made: List[List[Any]] = []
        self._at, self._apart, self._changed = 0, False, False
        self._lines: List[Tuple[str, int]] = []
        self._chances: List[float] = []

    def tree(
        self, move: Callable[..., int], logf: List[float], shape: List[int], x: int, until: float,
    ) -> Optional[Tuple[Lines, List[float]]]:
        """The lines of the tree, with the probabilities of its choices; None where it cannot be
        told ahead.
        """
        try:
            while True:
                self._at = 0
                y = state_number(move(self, logf, shape, x))
                if self._changed or self._at < len(self._made):
                    return CHANGED
                if (
                    self._apart or len(self._lines) > MOST_LINES
                    or time.monotonic() > until + PATIENCE
                ):
                    return None
                self._lines.append(("state", y))
                while self._made and not self._next(self._made[-1]):
                    self._made.pop()
                if not self._made:
                    return tuple(self._lines), self._chances
        except (Exception, SystemExit, Apart):
            # Breadboard asks for the move, and hears what is wrong
            return CHANGED if self._changed else None

    def _next(self, choice: List[Any]) -> bool:
        """Moves a choice to its next possible outcome, and returns whether there is one."""
        kind, of = choice[:2]
        n, k = int(choice[2]), int(choice[3]) + 1
        while (
            k < n
            and (kind == "flip" and (of if k else 1 - of) == 0 or kind == "choose" and of[k] == 0)
        ):
            self._lines.append(("never", 0))
            k += 1
        choice[3] = k
        return k < n

    def _choice(self, kind: str, of: Any, n: int, chances: List[float]) -> int:
        """The outcome of a choice in this run."""
        if self._at == len(self._made):
            if (
                self._apart or not 0 < n <= MOST_LINES or not all(0 <= p <= 1 for p in chances)
                or len(self._lines) > MOST_LINES
            ):
                self._apart = True
                raise Apart
            self._lines.append((kind, n))
            self._chances += chances
            self._made.append([kind, of, n, -1])
            if not self._next(self._made[-1]):
                raise Apart
        choice = self._made[self._at]
        if self._apart or choice[0] != kind or choice[1] != of:
            self._changed = not self._apart
            raise Apart
        self._at += 1
        return int(choice[3])

    def uniform(self, n: int) -> int:
        return self._choice("uniform", int(n), int(n), [])

    def flip(self, p: float) -> bool:
        p = float(p)
        return self._choice("flip", p, 2, [p]) == 1

    def choose(self, probabilities: Sequence[float]) -> int:
        given = [float(p) for p in probabilities]
        return self._choice("choose", given, len(given), given)


class Pipe:
    """The two pipes to breadboard."""

    def __init__(self, reader: BinaryIO, writer: BinaryIO) -> None:
        self._in, self._out = reader, writer

    @classmethod
    def of_program(cls) -> Pipe:
        """The pipes of a program that breadboard has started. What the program prints else goes
        to standard error.
        """
        out, sys.stdout = sys.stdout, sys.stderr
        return cls(sys.stdin.buffer, out.buffer)

    def say(self, message: Message) -> None:
        line = json.dumps(message).encode("utf-8") + b"\n"
        try:
            self._out.write(line)
            self._out.flush()
        except OSError:
            raise Ended from None

    def hear(self) -> Message:
        try:
            line = self._in.readline()
        except OSError:
            raise Ended from None
        if not line:
            raise Ended
        message: Message = json.loads(line)
        return message

    def __enter__(self) -> Pipe:
        return self

    def __exit__(self, *error: Any) -> None:
        self._in.close()
        try:
            self._out.close()
        except OSError:
            pass  # nobody reads it any longer


def serve_kernel(move: Callable[..., int], name: Optional[str] = None, **hello: Any) -> None:
    """Serves a kernel, whose transition matrix is then known exactly, and so are J and B.

    move is a function in any form of the argument kernel (see rows), such as move(log_f, x,
    rng). Or it is move(chooser, logf, shape, x), which asks for every choice by
    chooser.uniform(n), chooser.flip(p) and chooser.choose(probabilities), and draws nothing.
    It returns the next state of the chain at state x. States are whole numbers from 0,
    row-major. logf has log f of all states, in nats and up to a constant; -inf is a zero of
    f. It is an array of NumPy, and without NumPy a list. shape is the list of the sides of
    the grid; for a graph it contains the number of states. The result may depend on nothing
    but these. Further keywords are sent with the name, for fields of the first line of the
    protocol.

    It returns when breadboard has no more questions: make it the last line of a program. Within
    Python, pass the function itself as the argument kernel.
    """
    answer_kernel(Pipe.of_program(), move, name, **hello)


def serve_moves(move: Callable[..., int], name: Optional[str] = None, **hello: Any) -> None:
    """Serves a kernel that draws random numbers itself. Its moves are tested; there are no exact
    results.

    move(rng, logf, shape, x) returns the next state of the chain at x. rng is a random.Random,
    seeded again for each request. Use no other random numbers, so that findings can be reproduced.
    See serve_kernel for the rest.
    """
    answer_moves(Pipe.of_program(), move, name, **hello)


def serve_sampler(
    forward: Optional[Callable[..., Any]] = None, reverse: Optional[Callable[..., Any]] = None,
    name: str = "a sampler in Python",
) -> None:
    """Serves an implementation of annealing to `breadboard conform run`, which tests it.

    forward(chains, seed) draws that many forward chains with random numbers that start from the
    seed. It returns a dict of columns, each with a value for each chain: log_w, x_first, x_last,
    path or increments, as lists or as NumPy arrays. reverse does the same for reverse chains; one
    of the two may be omitted. path has a row for each t = 1..T and increments a row for each t =
    2..T.
    """
    answer_sampler(Pipe.of_program(), forward, reverse, name)


def serve_law(f: Callable[..., Any], name: Optional[str] = None) -> None:
    """Serves a function that asks for its random choices to `breadboard law`, which prints the
    exact distribution of its result.

    f(chooser) asks for every choice by chooser.uniform(n), chooser.flip(p) and
    chooser.choose(probabilities). The str of its result is one line. It must return the same result
    whenever the choices have the same outcomes. Make this the last line of a program.
    """
    answer_law(Pipe.of_program(), f, name)


def answer_law(pipe: Pipe, f: Callable[..., Any], name: Optional[str] = None) -> None:
    """Does what serve_law does, on given pipes."""
    chooser = Asker(pipe)
    pipe.say({"program": name or getattr(f, "__name__", "a program in Python"), "mode": "choose"})
    while True:
        request = pipe.hear()
        try:
            reply: Message = {"result": str(f(chooser))}
        except Abort:
            reply = {"aborted": True}
        pipe.say(dict(reply, id=request["id"]))


def answer_kernel(
    pipe: Pipe, move: Callable[..., int], name: Optional[str] = None, **hello: Any,
) -> None:
    """Does what serve_kernel does, on given pipes."""
    move = kernel_of(move)
    chooser, ahead, bits = Asker(pipe), Ahead(move), bits_of(State().add(move).generators)

    def answer(logf: Any, shape: List[int], request: Message) -> Message:
        reply = reply_to(logf, shape, request)
        if drawn_from(bits):
            raise Refused("%s: %s" % (getattr(move, "__name__", "the kernel"), drawn_from(bits)))
        return reply

    def reply_to(logf: Any, shape: List[int], request: Message) -> Message:
        if "stages" in request:
            ahead.expect(request["stages"], request["shape"])
            return {"ready": True}
        if "tell" in request:
            return ahead.tell(*request["tell"])
        try:
            return {"state": state_number(move(chooser, logf, shape, request["move"]))}
        except Abort:
            return {"aborted": True}

    if hasattr(move, "row_of"):
        hello["bounded"] = True  # by choices
    _answer(pipe, move, name, "choose", hello, answer, {"ready": True, "trees": True})


def answer_moves(
    pipe: Pipe, move: Callable[..., int], name: Optional[str] = None, **hello: Any,
) -> None:
    """Does what serve_moves does, on given pipes."""

    def answer(logf: Any, shape: List[int], request: Message) -> Message:
        rng = random.Random(request["seed"])
        counts: Dict[int, int] = {}
        for _ in range(request["moves"]):
            y = state_number(move(rng, logf, shape, request["sample"]))
            counts[y] = counts.get(y, 0) + 1
        return {"counts": counts}

    _answer(pipe, move, name, "sample", hello, answer)


def state_number(y: Any) -> int:
    """The number of a state, as a kernel has returned it: nothing is rounded."""
    try:
        return operator.index(y)
    except TypeError:
        raise TypeError(
            "a state is a whole number, not '%s': the kernel returned %r; int() or round() in "
            "the kernel says which one is meant" % (type(y).__name__, y)) from None


def _with_zeros(logf: Sequence[Optional[float]]) -> List[float]:
    return [-math.inf if v is None else v for v in logf]


def _as_array(logf: List[float]) -> Any:
    """Log f as a function gets it: an array that cannot be changed, and without NumPy a list."""
    if numpy is None:
        return logf
    array = numpy.array(logf, float)
    array.flags.writeable = False
    return array


def _answer(
    pipe: Pipe, move: Callable[..., int], name: Optional[str], mode: str, fields: Mapping[str, Any],
    answer: Callable[..., Message], ready: Mapping[str, Any] = {"ready": True},
) -> None:
    """Says the first line, and answers requests for moves until the input ends. A distribution
    holds until the next one is told.
    """
    pipe.say(
        dict(
            {"kernel": name or getattr(move, "__name__", "a kernel in Python"), "mode": mode},
            **fields))
    logf: Any = []
    shape: List[int] = []
    while True:
        request = pipe.hear()
        if "logf" in request:
            logf, shape = _as_array(_with_zeros(request["logf"])), request["shape"]
            reply: Message = dict(ready if request.get("trees") else {"ready": True})
        else:
            try:
                # -inf - -inf is nan, as it is of floats
                with numpy.errstate(
                    invalid="ignore") if numpy is not None else contextlib.nullcontext():
                    reply = answer(logf, shape, request)
            except (TypeError, IndexError) as error:
                if no_number(error):
                    raise TypeError("%s. %s" % (error, NUMBERS)) from error
                raise
        pipe.say(dict(reply, id=request["id"]))


def answer_sampler(
    pipe: Pipe, forward: Optional[Callable[..., Any]], reverse: Optional[Callable[..., Any]],
    name: str = "a sampler in Python",
) -> None:
    """Does what serve_sampler does, on given pipes."""
    pipe.say({"sampler": name})
    makers = {"forward": forward, "reverse": reverse}
    while True:
        request = pipe.hear()
        make = makers[request["direction"]]
        reply: Message = {"unsupported": True}
        if make is not None:
            reply = {k: _column(v) for k, v in make(request["chains"], request["seed"]).items()}
        pipe.say(dict(reply, id=request["id"]))


def _column(value: Any) -> Any:
    """A column as JSON can say it: lists, whole numbers as such, and infinities as strings."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [_column(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if value != value else "+Inf" if value > 0 else "-Inf"
    return value
