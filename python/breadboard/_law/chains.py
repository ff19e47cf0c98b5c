"""The exact matrix of a kernel written with a random number generator, and the distribution of the
state after its moves.
"""
from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Sequence

from .._errors import Open
from .laws import DEFAULT, KERNEL_CUT, MOST, ROUNDING, Law, Walk, advised, hashable, total
from .._numpy import numpy
from .tree import TINY


def law_of_move(walk: Walk, move: Callable[..., Any], *args: Any) -> Law:
    """The law of one move, all of which must be known."""
    found = walk.law(move, args)
    if found.raised:
        raise Open(
            "from the state %r the move raises %s, with probability %.6g"
            % (args[-1], *next(iter(found.raised.items()))))
    if found.remainder > ROUNDING:
        raise Open(
            "from the state %r the probability %.3g was not explored; %s"
            % (args[-1], found.remainder, found._advice))
    return found


def transition(
    move: Callable[..., Any], states: Sequence[Any], *, rng: Any = DEFAULT, place: str = "last",
    cut: float = KERNEL_CUT, most: int = MOST, seconds: Optional[float] = None, exact: bool = False,
    check: bool = True,
) -> Any:
    """The matrix of a kernel move(x, rng) that returns the next state.

    It is a NumPy array; without NumPy, or for fractions, it is a list of rows. The keywords are
    those of law.

    >>> import random
    >>> walk = lambda x, rng: (x + rng.choice([-1, 1])) % 3
    >>> transition(walk, range(3), rng=random.Random, exact=True)[0]
    [Fraction(0, 1), Fraction(1, 2), Fraction(1, 2)]
    """
    places = {hashable(x): k for k, x in enumerate(states)}
    if len(places) < len(states):
        raise ValueError("a state is given twice")
    matrix: List[List[Any]] = []
    with Walk(rng, place, cut, most, seconds, exact, check) as walk:
        for x in states:
            matrix.append([walk.tree.one * 0] * len(places))
            for y, p in law_of_move(walk, move, x).items():
                if y not in places:
                    raise Open(
                        "from the state %r the move goes to %r, which is none of the states"
                        % (x, y))
                matrix[-1][places[y]] = p
    return matrix if exact or numpy is None else numpy.array(matrix)


def chain(
    move: Callable[..., Any], x: Any, T: int, *, rng: Any = DEFAULT, place: str = "last",
    cut: float = KERNEL_CUT, most: int = MOST, seconds: Optional[float] = None, exact: bool = False,
    check: bool = True,
) -> Law:
    """The distribution of the state after T moves from x. The keywords are those of law.

    >>> import random
    >>> chain(lambda x, rng: x + rng.choice([0, 1]), 0, 10, rng=random.Random).mean()
    5.0
    """
    if T < 0:
        raise ValueError("T= %d is too small; give 0 or more" % T)
    moves: Dict[Any, Law] = {}
    with Walk(rng, place, cut, most, seconds, exact, check) as walk:
        now: Dict[Any, Any] = {hashable(x): walk.tree.one}
        walk.values[hashable(x)] = x
        branches: int = 0
        lost: List[Any] = [walk.tree.one * 0]
        raised: Dict[str, List[Any]] = {}
        advice: str = ""
        for _ in range(T):
            after: Dict[Any, List[Any]] = {}
            for state, p in now.items():
                if state not in moves:
                    moves[state] = walk.law(move, (walk.values.setdefault(state, state),))
                    branches += moves[state].branches
                lost.append(p * moves[state].remainder)
                advice = moves[state]._advice if moves[state].remainder > 0 else advice
                for text, q in moves[state].raised.items():
                    raised.setdefault(text, []).append(p * q)
                for y, q in moves[state].items():
                    (after.setdefault(y, []) if p * q > 0 else lost).append(p * q or TINY)
            now = {y: total(ps) for y, ps in after.items()}
    return advised(
        Law(now, {text: total(ps) for text, ps in raised.items()}, total(lost), branches),
        advice or "more most= or seconds= leave less")
