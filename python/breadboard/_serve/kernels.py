"""Kernels of Markov chains written with a random number generator: the functions that commands
take as kernel=.
"""
from __future__ import annotations

import contextlib
import inspect
import math
import random
import re
import sys
import time
from functools import partial
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

from .._law.chains import law_of_move
from .._law.lanes import Column, Lanes, Split, of_lane
from .._law.generators import bits_of, drawn_from, kinds
from .._errors import Open, Refused
from .._labelled import in_order, labelled, nested
from .._law.laws import DEFAULT, KERNEL_CUT, MOST, ROUNDING, Walk, hashable
from .._arrays import Floats, floats, is_array, is_nested, is_sparse, listed
from .._law.state import State
from .._numpy import numpy
from .._law.tree import KEPT, TRIES, Kept


def followed(
    move: Callable[..., Any], *, states: Optional[Iterable[Any]] = None, rng: Any = DEFAULT,
    place: str = "last", cut: float = KERNEL_CUT, most: int = MOST, check: bool = True,
    labels: Optional[Sequence[Any]] = None,
) -> Callable[..., int]:
    """A kernel for the argument kernel= of commands, where a plain function needs other settings.

    For many log f, runs of the move that take the same path are shared, and the distribution for
    each log f and state is found once.

    Parameters
    ----------
    move : callable
        move(x, rng) or move(log_f, x, rng) draws the next state; row(x) or row(log_f, x) returns
        the probabilities of all states; matrix(log_f) returns all rows. x is the number of a state.
        An argument named logf or log_f gets log f of all states in one dimension, as an array if
        NumPy is installed, and one named shape the sides of the grid. They may stand anywhere, and
        their defaults are never used, but for a value that functools.partial gives. If no argument
        has the name of log f and two stand beside the generator and shape, the first is log f.
    states : iterable, optional
        The states, any objects: x is one of them, and log_f a dict from them.
    rng, place, cut, most, check
        Those of law.
    labels : sequence, optional
        The labels of the states, by which a data frame from matrix(log_f) is put in their order.

    Returns
    -------
    callable
        A kernel in the form of serve_kernel.

    Examples
    --------
    >>> import random
    >>> from breadboard import Draws
    >>> kernel = followed(lambda x, rng: rng.choice([0, 1]), rng=random.Random)
    >>> kernel(Draws(1), [0.0, 0.0], [2], 0) in (0, 1)
    True
    """
    laws: Dict[Any, Row] = {}
    known: List[Any] = []  # keys of laws that were asked for, in this order
    chance, state = random.Random(1), State().add(move)
    rng, place, matrix, fixed = _form(move, rng, place)
    # Log f by shape, of a move that takes no log f and so has the same rows under each
    first: Dict[Any, Sequence[float]] = {}
    own = None if states is None else list(states)
    places = {hashable(state): k for k, state in enumerate(own or ())}
    batch: Any = None
    spent: float = 0.0
    many: int = 0
    warned: bool = False

    def target(logf: Sequence[float]) -> Any:
        """Log f as a move is given it."""
        return (
            dict(zip(own, logf)) if own is not None else numpy.array(logf) if numpy is not None
            else list(logf)
        )

    def row(walk: Walk, values: Any, shape: Sequence[int], x: int) -> Row:
        try:
            found = law_of_move(
                walk, _with_target(move, walk, place, values, shape), x if own is None else own[x])
        except (Open, TypeError) as error:
            if walk.tree.is_spent():
                raise Open(
                    "from the state %d the distribution of the move %s is not complete after %d "
                    "choices, which is the limit here; breadboard.transition(%s, states) has "
                    "none, and its matrix is a kernel too. If it does not end, %s"
                    % (x, kernel.__name__, ROW_CHOICES, kernel.__name__, TRIES)) from None
            if (
                "TypeError" not in str(error) and not isinstance(error, TypeError)
                and not no_number(error)
            ):
                raise
            raise type(error)(
                "%s; it is called as move(x, rng) or move(log_f, x, rng), where log_f is that of "
                "the stage, with its beta in it, and an argument named shape gets the sides of "
                "the grid. %s" % (error, NUMBERS)) from None
        given, only = len(values), next(iter(found), None)
        if (
            len(found) == 1 and isinstance(only, tuple) and len(only) == given
            and (own is None or rng is None) and not isinstance(only[0], tuple)
            and only not in places and sum(only) > 0
        ):
            return _row(only)
        for y in found:
            if (
                y not in places if own is not None
                else not isinstance(y, (int, float)) or y not in range(given)
            ):
                raise Open(
                    "from the state %r the move of %s %s, which is none of the states%s"
                    % (
                        x if own is None else own[x], kernel.__name__,
                        "returns None" if y is None else "goes to %.100r" % (y,),
                        "" if own is not None
                        else ", 0 to %d; it is called as move(x, rng) or move(log_f, x, rng), and "
                        "returns the next state. %s" % (given - 1, NUMBERS)))
        numbers = {y: y if own is None else places[y] for y in found}
        outcomes = sorted(found, key=numbers.__getitem__)
        return [numbers[y] for y in outcomes], [found[y] for y in outcomes]

    def generator(values: Any, shape: Sequence[int], x: int) -> Any:
        """The first kind of generator that has all that the move calls."""
        for kind in kinds():
            try:
                with Walk(
                    kind, place, cut, most, None, False, False, reach=state,
                    choices=ROW_CHOICES) as walk:
                    found = walk.law(
                        _with_target(move, walk, place, values, shape),
                        (x if own is None else own[x],))
            except Exception:
                break  # which the walk for the row raises again
            if not any(text.startswith("AttributeError") for text in found.raised):
                return kind
        return DEFAULT

    def matrix_of(logf: Sequence[float], shape: Sequence[int]) -> Floats:
        bits = bits_of(state.generators)
        rows = move(*(target(logf) if name != "shape" else shape for name in _parameters(move)))
        if drawn_from(bits):
            raise Refused("%s: %s" % (kernel.__name__, drawn_from(bits)))
        names = labels or own or range(len(logf))
        rows = listed(
            rows.toarray() if is_sparse(rows) else in_order(rows, names, names)
            if labelled(rows).is_named else rows)
        rows = rows if is_array(rows) else nested(rows)
        if not is_array(rows) and not is_nested(rows) or floats(rows).shape != 2 * (len(logf),):
            raise TypeError(
                "%s returns no matrix with a row and a column for each of the %d states; return "
                "an array, nested lists or a data frame" % (kernel.__name__, len(logf)))
        return floats(rows)

    def row_of(stages: Sequence[Sequence[float]], at: int, shape: Sequence[int], x: int) -> Row:
        """The row under one of several distributions. Those under the next ones are found with it.
        """
        nonlocal rng, batch, spent, many, warned
        if fixed:
            stages, at = [first.setdefault(tuple(shape), stages[at])], 0
        key, busy = (tuple(stages[at]), tuple(shape), x), time.process_time()
        if key not in laws and matrix:
            if len(laws) > MOST_LAWS:
                laws.clear()
            rows = matrix_of(*key[:2])
            known.append(key)
            if (
                len(known) & len(known) - 1 == 0
                and any(
                    abs(p - q) > ROUNDING
                    for p, q in zip(*(each.flat() for each in (rows, matrix_of(*key[:2])))))
            ):
                raise Kept("%s: %s" % (kernel.__name__, KEPT))
            laws.update(((*key[:2], k), _row(each.flat())) for k, each in enumerate(rows.split()))
        if key not in laws and rng is DEFAULT:
            rng = generator(target(stages[at]), shape, x)
        if key not in laws:
            if len(laws) > MOST_LAWS:
                laws.clear()
                known.clear()
            with Walk(
                rng, place, cut, most, None, False, check, reach=state,
                choices=ROW_CHOICES) as walk:
                found = _rows_at_once(walk, row, [target(logf) for logf in stages[at:]], shape, x)
                laws.update(zip(((tuple(logf), tuple(shape), x) for logf in stages[at:]), found))
            batch, spent, many = (batch, spent, many) if stages is batch else (stages, 0.0, 0)
            took = time.process_time() - busy
            spent, many = spent + took, many + len(found)
            left = took / len(found) * (sum(map(len, stages)) - many)
            if spent > LONG / 5 and left > LONG and not warned:
                warned = True
                print(
                    "kernel %s: about %.0f s more of a core for its moves (states: %d, "
                    "distributions: %d); %s"
                    % (kernel.__name__, left, len(key[0]), len(stages), FASTER), file=sys.stderr,
                    flush=True)
            known.append(key)
            if (
                (1 < len(known) <= 8 or len(known) > 8 and len(known) & len(known) - 1 == 0)
                and walk.tree.choices < AGAIN_CHOICES
            ):
                again(*chance.choice(known))
                if state.has_changed():
                    with state.first(), contextlib.suppress(Open):
                        again(*key)
        return laws[key]

    def again(logf: Sequence[float], shape: Sequence[int], x: int) -> None:
        """Finds a row again, after others: it may not depend on the calls before."""
        with Walk(
            rng, place, cut, most, None, False, check, reach=state, choices=ROW_CHOICES) as walk:
            before, now = (
                dict(zip(*found))
                for found in (laws[logf, shape, x], row(walk, target(logf), shape, x)))
            # Paths that time, or the cut, has left
            unknown = max(0.0, 2 - sum(before.values()) - sum(now.values())) + ROUNDING
            if any(abs(before.get(y, 0.0) - now.get(y, 0.0)) > unknown for y in {*before, *now}):
                raise Kept("from the state %d the move of %s, %s" % (x, kernel.__name__, KEPT))

    def kernel(chooser: Any, logf: Sequence[float], shape: Sequence[int], x: int) -> int:
        outcomes, chances = row_of([logf], 0, shape, x)
        return int(outcomes[chooser.choose(chances) if len(outcomes) > 1 else 0])

    kernel.row_of, kernel.on = row_of, partial(  # type: ignore[attr-defined]
        followed, move, rng=rng, place=place, cut=cut, most=most, check=check)
    kernel.__name__ = getattr(move, "__name__", "kernel")
    return kernel


Row = Tuple[List[Any], List[float]]  # where a move may go, and with which probabilities
ROW_CHOICES = 400_000  # for the row of a state, in all its branches
AGAIN_CHOICES = 100_000  # after a row that took more no other one is found again
MOST_LAWS = 1 << 18  # that are kept, more than breadboard asks for ahead
# Ways which a move may go under different distributions, before it is run for each by itself
MOST_PARTS = 40
LONG = 8.0  # seconds of a core that moves take more, of which a line says so after a fifth of them
FASTER = (
    "a function matrix(log_f), which returns the probabilities of all moves at once, is up to a "
    "hundred times faster"
)
# Seconds for moves under one distribution after another, before breadboard is answered
SLOWLY = 0.3


def _row(chances: Iterable[Any]) -> Row:
    """The row of a state from the probabilities of all states. Those of half or single precision
    are divided by their sum, as by NumPy's choice.
    """
    found = [(y, float(p)) for y, p in enumerate(chances) if p != 0]
    sums, bits = (
        math.fsum(p for _, p in found), next(
            (
                bits for bits in (11, 24)
                if all((math.frexp(p)[0] * 2**bits).is_integer() for _, p in found)), 99)
    )
    of = sums if abs(sums - 1) <= len(found) * 2.0**-bits else 1
    return [y for y, _ in found], [p / of for _, p in found]


def kernel_of(
    move: Callable[..., Any], states: Optional[Iterable[Any]] = None,
    labels: Optional[Sequence[Any]] = None,
) -> Callable[..., int]:
    """A function in any form as a kernel that is called as move(chooser, logf, shape, x)."""
    own = [
        name for name, p in _parameters(move).items()
        if p.default is p.empty and p.kind in POSITIONAL]
    chooses = not own or len(own) == 4 and not set(own) & set(GENERATORS)
    if states is None and (hasattr(move, "row_of") or chooses):
        return move
    return getattr(move, "on", partial(followed, move))(states=states, labels=labels)


def _form(move: Callable[..., Any], rng: Any, place: str) -> Tuple[Any, str, bool, bool]:
    """What draws in a move, where it stands among the parameters, and whether the function
    returns a matrix, or takes no log f.
    """
    parameters = _parameters(move)
    drawing = [name for name in parameters if name in GENERATORS]
    free = [
        name for name, p in parameters.items()
        if p.default is p.empty and p.kind in POSITIONAL and name not in TARGET]
    alone = rng is DEFAULT and place == "last" and not drawing and len(free) == 1
    if (
        place == "last" and drawing
        and (drawing[0] != [*parameters][-1] or parameters[drawing[0]].kind not in POSITIONAL)
    ):
        place = "first" if drawing[0] == [*parameters][0] else drawing[0]
    logf = bool({"logf", "log_f"} & set(parameters))
    return (
        None if alone else rng, place, not free and not drawing and logf,
        len({*free} - {*GENERATORS}) == 1 and not logf
    )


def _parameters(move: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    """The parameters of a function; none of a function in C, of which nothing is known."""
    try:
        return inspect.signature(move).parameters
    except (TypeError, ValueError):
        return {}


def _rows_at_once(
    walk: Walk, row: Callable[..., Row], values: List[Any], shape: Sequence[int], x: int,
) -> List[Row]:
    """The rows of a state under several distributions, of all if the move can be run for all at
    once, and otherwise of the first ones.

    Rows under the first and the last of the distributions, and one between them, are found
    with plain numbers too, and must be the same bit for bit.
    """

    def plain(at: int) -> Row:
        found = row(walk, values[at], shape, x)
        walk.repeat_some()
        return found

    began = time.monotonic()
    rows: List[Row] = [plain(0)]
    until = time.monotonic() + SLOWLY
    try:
        if until - began > 1:
            return rows  # each of the others when it is asked for
        if len(values) > 1:
            at_once = _rows_of_columns(walk, row, values, shape, x)
            checked = {0, len(values) - 1, random.Random(x).randrange(len(values))}
            if (
                at_once is not None
                and all(at_once[at] == (plain(at) if at else rows[0]) for at in checked)
            ):
                return at_once
        while len(rows) < len(values) and time.monotonic() < until:
            rows.append(plain(len(rows)))
    except Exception:
        pass  # it is raised again where this distribution is the first one
    return rows


def _rows_of_columns(
    walk: Walk, row: Callable[..., Row], values: List[Any], shape: Sequence[int], x: int,
) -> Optional[List[Row]]:
    """The rows of a state under all distributions, by one run of the move for all that go the
    same way; None where it does not take part.
    """
    rows: Dict[int, Row] = {}
    parts, splits = [list(range(len(values)))], 0
    while parts:
        part = parts.pop()
        lanes, checks = Lanes(len(part)), walk.check
        try:
            walk.check = False
            outcomes, chances = row(walk, Column(lanes, [values[at] for at in part]), shape, x)
        except Split:
            pass
        except Exception:
            # As it does not know what a column is, or since it is wrong: plain numbers show which
            return None
        finally:
            lanes.over, walk.check, walk.tree.refused = True, checks, None
        if lanes.split is None:
            rows.update(
                (at, (outcomes, [float(of_lane(p, k)) for p in chances]))
                for k, at in enumerate(part))
            continue
        splits += 1
        if lanes.split.parts is None or splits > MOST_PARTS:
            return None
        parts += [[part[k] for k in own] for own in lanes.split.parts]
    return [rows[at] for at in range(len(values))]


def _with_target(
    move: Callable[..., Any], walk: Walk, place: str, values: Any, shape: Any,
) -> Callable[..., Any]:
    """The move as a function of the state and the generator alone."""
    parameters = _parameters(move)
    target = {"logf": values, "log_f": values, "shape": tuple(shape)}
    bound = getattr(move, "keywords", {})  # by functools.partial
    known = {
        name: target[name] for name, p in parameters.items()
        if name in target and name not in bound and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)}
    rest = [
        name for name, p in parameters.items()
        if p.default is p.empty and p.kind in POSITIONAL and name not in known and name != place]
    if walk.own is not None and place in ("last", "first"):
        rest = rest[:-1] if place == "last" else rest[1:]
    if len(rest) == 2 and not {"logf", "log_f"} & set(known):
        known[rest[0]] = values
    if not known:
        return move

    def of_state(*given: Any, **named: Any) -> Any:
        left, args, by_name, places = list(given), [], dict(named), True
        for name, p in parameters.items():
            places = (
                places and p.kind in POSITIONAL and name not in named
                and (name in known or bool(left))
            )
            if places:
                args.append(known[name] if name in known else left.pop(0))
            elif name in known:
                by_name[name] = known[name]
            elif left and name not in named and p.kind is p.POSITIONAL_OR_KEYWORD:
                by_name[name] = left.pop(0)
        return move(*args, *left, **by_name)

    of_state.of = move  # type: ignore[attr-defined]  # whose place is named
    return of_state


POSITIONAL = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
# The names of a parameter that is one
GENERATORS = "rng", "generator", "random", "random_state", "prng"
TARGET = "logf", "log_f", "shape"  # the names of parameters that say what the target is


NUMBERS = (
    "x and the next state are numbers of states, from 0 and row by row, and log f has one "
    "dimension: numpy.unravel_index(x, shape) gives the coordinates of x, and "
    "int(numpy.ravel_multi_index(coordinates, shape)) the number of a state")


def no_number(error: BaseException) -> bool:
    """Whether an error looks as if coordinates were taken for the number of a state."""
    return (
        re.search(
            "not subscriptable|cannot unpack non-iterable|not '?tuple|not '?list|too many indices",
            str(error)) is not None
    )
