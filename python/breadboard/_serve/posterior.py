"""A model with its sampler, for the check of samplers of posteriors."""
from __future__ import annotations

import contextlib
import inspect
import json
import math
from functools import partial
from typing import Any, Callable, Dict, List, Optional, Sequence

from .._law.generators import bits_of, copied, drawn_from
from .._errors import Open, Refused
from .._law.laws import DEFAULT, KERNEL_CUT, Law, Walk, hashable
from .protocol import Abort, Ended, Message, Pipe
from .._law.tree import KEPT, TRIES, Kept, Stop

CHOICES = 300_000  # for one distribution, in all its branches
WAITED = 60.0  # breadboard ends a model that has not answered for so long
CONTINUOUS = (
    ". For a continuous model draw parameters from a grid and round the data, or test files of "
    "draws: breadboard.conform.joint(FORWARD, SUCCESSIVE)"
)
MOST = 1_000_000  # branches of one distribution
CUT = 1e-40  # branches below it of more choices than DEEP are omitted; together they may have 1e-12
DEEP = 12
# Arguments that go on to be used; a step may change theta, which it replaces
USED_AFTER = {"simulate": (0,), "step": (1,), "posterior": (0,), "log_z": (0,)}
CHANGES = (
    "it changes its argument %.60r, which its caller goes on to use; change a copy: "
    "copy.deepcopy(argument)"
)
CHECKED = 50  # calls of a function that are checked with plain numbers, beside every tenth


class Model:
    """A model and what samples its posterior, for `conform posterior` and assert_posterior.

    prior(rng) returns parameters theta, and simulate(rng, theta) returns data y. Of the
    others at least one is needed: step(rng, theta, y) returns the next theta of a Markov
    chain, posterior(rng, y) a draw of theta, log_joint(theta, y) the log of p(theta, y) up to
    a constant, and log_z(rng, y) the log of an estimate of p(y). The generator comes first,
    or wherever an argument is named rng. theta and y are numbers, texts, tuples, lists,
    dicts, arrays or dataclasses of these, and equal if their values are.

    >>> import random
    >>> prior, simulate = lambda rng: rng.randrange(2), lambda rng, theta: theta
    >>> Model(prior, simulate, posterior=lambda rng, y: y, rng=random.Random).__name__
    'posterior'
    """

    def __init__(
        self, prior: Callable[..., Any], simulate: Callable[..., Any],
        step: Optional[Callable[..., Any]] = None, *,
        posterior: Optional[Callable[..., Any]] = None,
        log_joint: Optional[Callable[..., Any]] = None, log_z: Optional[Callable[..., Any]] = None,
        rng: Any = DEFAULT, name: Optional[str] = None,
    ) -> None:
        named = dict(
            prior=prior, simulate=simulate, step=step, posterior=posterior, log_joint=log_joint,
            log_z=log_z)
        self.functions: Dict[str, Callable[..., Any]] = {
            key: f for key, f in named.items() if f is not None}
        if len(self.functions) < 3:
            raise TypeError(
                "there is nothing to test: give step, posterior=, log_joint= or log_z=, beside "
                "prior and simulate")
        for key, f in self.functions.items():
            if not callable(f):
                raise TypeError("%s is of type %s; give a function" % (key, type(f).__name__))
        tested = next(key for key in self.functions if key not in ("prior", "simulate"))
        of = getattr(self.functions[tested], "__name__", tested)
        self.rng, self.__name__ = rng, name or (of if of.isidentifier() else tested)
        self._texts: Dict[Any, str] = {}  # of values, by their keys
        self._values: Dict[str, Any] = {}
        self.asking = ""  # the question that is answered now
        # Questions about log_joint that may be asked again
        self._densities: List[Callable[[], None]] = []
        self._asked: Dict[str, int] = dict.fromkeys(self.functions, 0)

    def text(self, value: Any) -> str:
        """The text of a value, the same for all values that are equal."""
        key = hashable(value)
        if key not in self._texts:
            try:
                text = json.dumps(_plain(value))
            except (TypeError, ValueError):
                text = repr(value)
            if len(text.encode()) > 900:
                text = "%s... %d" % (text[:60], len(self._texts))
            while text in self._values:
                text += "'"
            self._texts[key], self._values[text] = text, value
        return self._texts[key]

    def answer(self, pipe: Pipe, *_: Any) -> None:
        """Answers breadboard until it has no more questions."""
        pipe.say(
            {
                "program": self.__name__, "mode": "choose", "answers": list(self.functions),
                "bounded": True})
        walk = Walk(self.rng, "first", CUT, MOST, None, False, True, choices=CHOICES)
        walk.tree.deep = DEEP
        walk.talks = math.inf  # breadboard shows how far it is
        for f in self.functions.values():
            walk.state.add(f)
        with walk:
            with contextlib.suppress(Ended):
                while True:
                    request = pipe.hear()
                    pipe.say(dict(self._reply(walk, request), id=request["id"]))
            walk.kept = ()
            walk.repeat_from_first(self._densities)
            walk.repeated = []

    def late(self) -> str:
        """The reason for a question without an answer: what such a function does."""
        return "%s: its distribution was not found within %g s; %s" % (self.asking, WAITED, TRIES)

    def _reply(self, walk: Walk, request: Message) -> Message:
        asked = next(key for key in self.functions if key in request)
        # The arguments are those of the request, in this order.
        args = [
            self._values[request[key]] for key in (asked, "data")
            if isinstance(request.get(key), str)]
        f, what = self.functions[asked], "%s(%s)" % (asked, ", ".join("%.60r" % (v,) for v in args))
        reply, self.asking = None, what
        try:
            reply = self._distribution(walk, asked, f, args, what, request)
        except Refused as refused:
            raise type(refused)(
                "%s: %s%s"
                % (
                    what, refused,
                    CONTINUOUS if "only an interval is known" in str(refused) else "")) from None
        except Abort:
            pass
        if reply is None:
            raise Abort
        return reply

    def _distribution(
        self, walk: Walk, asked: str, f: Callable[..., Any], args: Sequence[Any], what: str,
        request: Message,
    ) -> Message:
        self._asked[asked] += 1
        walk.check = self._asked[asked] <= CHECKED or self._asked[asked] % 10 == 0
        if asked == "log_joint":
            try:
                return {
                    "results": [self._density(walk, f, args, what, "impossible" in request)],
                    "p": [1.0]}
            except Stop:
                raise Refused(
                    "it draws random numbers; it is the log of a density, always the same for "
                    "the same parameters and data") from None
        # What is impossible must not occur, however rarely
        walk.tree.cut = KERNEL_CUT if asked in ("step", "posterior") else CUT
        walk.place = _place(f, len(args))
        walk.kept, walk.changed = USED_AFTER.get(asked, ()), set()
        found = walk.whole(f, tuple(args)) if asked == "log_z" else walk.law(f, tuple(args))
        if walk.changed:
            raise Refused(CHANGES % (args[min(walk.changed)],))
        self._known(found, what)
        if asked == "log_z" and found.remainder > 0:
            self._known_mean(found, what)
        return {
            "results": [
                self._number(v, what) if asked == "log_z" else self.text(walk.values.get(v, v))
                for v in found], "p": list(found.values()), "left": float(found.remainder)}

    def _density(
        self, walk: Walk, f: Callable[..., Any], args: Sequence[Any], what: str, impossible: bool,
    ) -> str:
        """The value of log_joint, asked twice with arguments of its own. An exception for the
        log of 0 is -inf if the pair is impossible.
        """
        texts, bits = [], bits_of(walk.reach.generators)
        for mine in walk.copies(f, args) if walk.check else [*map(copied, args)], [
            *map(copied, args)]:
            try:
                texts.append(self._number(f(*mine), what))
            except (ArithmeticError, ValueError, LookupError) as error:
                if not impossible or isinstance(error, Refused):
                    raise
                texts.append("-inf")
            for arg, own in zip(args, mine):
                if hashable(own) != hashable(arg):
                    raise Refused(CHANGES % (arg,))
        if drawn_from(bits):
            raise Refused(drawn_from(bits))
        if texts[0] != texts[1]:
            raise Refused(
                "it returns %s, and %s when it is called again; it keeps something from call to "
                "call, which a density may not" % (texts[0], texts[1]))
        if len(self._densities) < CHECKED:
            self._densities.append(partial(self._ask_again, f, args, what, texts[0]))
        return texts[0]

    def _ask_again(self, f: Callable[..., Any], args: Sequence[Any], what: str, text: str) -> None:
        again = text
        with contextlib.suppress(Exception):
            again = self._number(f(*map(copied, args)), what)
        if again != text:
            raise Kept("%s: %s" % (what, KEPT))

    def _known_mean(self, found: Law, what: str) -> None:
        """Fails if what was not explored may change the mean of exp(log_z)."""
        most = max(map(float, found))
        try:
            found.mean(lambda v: math.exp(float(v) - most))
        except Open:
            raise Open(
                "%s: the mean of exp(log_z) is not known, because estimates of probability %.3g "
                "were not explored" % (what, found.remainder)) from None

    def _number(self, value: Any, what: str) -> str:
        try:
            return repr(float(value))
        except (TypeError, ValueError, OverflowError):
            raise Refused(
                "it returns %.60r; return the logarithm of a density as a float"
                % (value,)) from None

    def _known(self, found: Law, what: str) -> None:
        """Fails for a distribution that is not known as a whole."""
        if found.raised:
            raise Open(
                "%s raises %s, with probability %.6g" % (what, *next(iter(found.raised.items()))))
        if found.remainder > 1e-12:
            raise Open(
                "%s: the probability %.3g was not explored in %d choices, which is the limit; "
                "draw from fewer values: a coarser grid of parameters, or fewer data"
                % (what, found.remainder, CHOICES))


def _place(f: Callable[..., Any], args: int) -> str:
    """Where a function takes its generator."""
    try:
        parameters = inspect.signature(f).parameters
    except (TypeError, ValueError):
        return "first"
    at = list(parameters).index("rng") if "rng" in parameters else 0
    by_name = "rng" in parameters and parameters["rng"].kind is inspect.Parameter.KEYWORD_ONLY
    return "rng" if by_name else {0: "first", args: "last"}.get(at, "rng")


def _plain(value: Any) -> Any:
    """A value as JSON has it."""
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, dict):
        return {str(key): _plain(v) for key, v in value.items()}
    if isinstance(value, (list, tuple)):
        parts: List[Any] = [_plain(v) for v in value]
        return parts
    if isinstance(value, (str, int, float, bool)) or value is None:
        return value
    raise TypeError
