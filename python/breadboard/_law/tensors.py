"""Draws of PyTorch that stand for those of its functions while a distribution is computed, in
the thread of it; what is not written here refuses.
"""
from __future__ import annotations

import math
import sys
from functools import partial
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

from .drawn import Drawn
from .generators import exponential, pick
from .._numpy import numpy
from .tree import Tree

ADVICE = "; use assert_samples, or conform draws"
TURNED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}
IN_PLACE = "uniform_ normal_ random_ cauchy_ geometric_ log_normal_".split()
DRAWS = "multinomial bernoulli randint randperm rand rand_like".split()
OTHERS = "randn normal randn_like randint_like poisson binomial".split()
SEEDING = "manual_seed seed set_rng_state".split()


class Package(NamedTuple):
    """What follows the draws of a package: which rng= ask for its generators, the one that the
    function gets, what to replace, and the state of what draws for itself.
    """

    kinds: Tuple[Any, ...]
    own: Any
    pairs: List[Tuple[Any, Any]]
    methods: List[Tuple[Any, str, Any]]
    state: Callable[[], Any]


class Uniforms:
    """An array of uniform numbers, multiples of 2^-digits, which may be compared with numbers."""

    __array_ufunc__ = None

    def __init__(
        self, tree: Tree, values: Any, digits: int, made: Callable[[Any], Any], rounds: bool = True,
        races: bool = False,
    ) -> None:
        self.tree, self.values, self.digits, self._made = tree, values, digits, made
        self._rounds = rounds  # a number that it meets to its own precision
        self._races = races  # whether its logarithms and the like may race
        self.shape, self.ndim = values.shape, values.ndim

    def _compare(self, other: Any, name: str) -> Any:
        if isinstance(other, Uniforms):
            raise self.refuse(
                "two random numbers are compared that may be equal, as they are of single "
                "precision")
        given = numpy.asarray(other.detach() if hasattr(other, "detach") else other)
        given = given.astype(
            numpy.float32 if self._rounds and given.ndim == 0 and self.digits <= 24
            else float).astype(float)
        below = (
            (
                numpy.floor(given * 2.0**self.digits) + 1 if name in ("le", "gt")
                else numpy.ceil(given * 2.0**self.digits)) / 2.0**self.digits
        )
        u, t = numpy.broadcast_arrays(self.values, below)
        answers = numpy.empty(u.shape, bool)
        for at in numpy.ndindex(u.shape):
            answers[at] = t[at] == t[at] and bool(u[at] < float(t[at])) == (name in ("lt", "le"))
        return self._made(answers)

    def refuse(self, why: str) -> BaseException:
        return self.tree.refuse(why + ADVICE)

    def __getitem__(self, at: Any) -> Uniforms:
        values = numpy.empty(numpy.shape(self.values[at]), object)
        values[...] = self.values[at]
        return Uniforms(self.tree, values, self.digits, self._made, self._rounds, self._races)

    def __len__(self) -> int:
        return len(self.values)

    def item(self) -> Uniforms:
        return Uniforms(self.tree, self.values.reshape(()), self.digits, bool, False)

    def __getattr__(self, name: str) -> Any:
        if name in TURNED:
            return partial(self._compare, name=name)
        if name in STEPS and self._races:
            return partial(racing(self).step, name)
        if (
            name.startswith("__")
            and name not in ("__float__", "__int__", "__jax_array__", "__array__")
        ):
            raise AttributeError(name)
        raise self.unknown(name)

    def unknown(self, name: str) -> BaseException:
        return self.refuse(
            "%s of a random number of which only an interval is known, where only its comparison "
            "with a number is followed" % name.strip("_"))

    @classmethod
    def __torch_function__(cls, function: Any, _: Any, args: Any = (), named: Any = None) -> Any:
        own, name = next(
            value for value in args if isinstance(value, Uniforms)), function.__name__.strip("_")
        if name in STEPS and not named:
            return racing(own).step(name, *(one for one in args if one is not own))
        if name not in TURNED or named:
            raise own.refuse(
                "torch.%s of a random number of which only an interval is known" % name)
        return (
            args[0]._compare(args[1], name) if args[0] is own
            else own._compare(args[0], TURNED[name])
        )


def _operator(name: str) -> Callable[..., Any]:
    def method(self: Uniforms, other: Any = None) -> Any:
        return self._compare(other, name) if name in TURNED else getattr(self, name)

    return method


for _name in "lt gt le ge pow rpow abs bool float int eq ne".split():
    setattr(Uniforms, "__%s__" % _name, _operator(_name))


# What is done to random numbers that then race. In NumPy they have these names, too.
STEPS = "log neg negative add sub subtract mul multiply div divide true_divide".split()
NAMES = {"neg": "negative", "sub": "subtract", "mul": "multiply", "div": "divide"}
REFLECTED = {
    "__radd__": "add", "__rsub__": "sub", "__rmul__": "mul", "__rtruediv__": "div",
    "__add__": "add", "__sub__": "sub", "__mul__": "mul", "__truediv__": "div", "__neg__": "neg"}


class Racing:
    """Random numbers of which the place of the largest or of the least is asked for, as of real
    numbers: two of single precision are equal once in some ten million times.
    """

    __array_ufunc__ = None

    def __init__(self, tree: Tree, values: Any, made: Callable[[Any], Any]) -> None:
        self.tree, self.values, self._made = tree, values, made
        self.shape, self.ndim = values.shape, values.ndim

    def step(self, name: str, *others: Any, turned: bool = False) -> Racing:
        """The numbers after an operation, with the other side of it in front if it is turned."""
        sides = [self.values, *map(_numbers, others)]
        f = getattr(numpy, NAMES.get(name, name))
        return Racing(self.tree, f(*(sides[::-1] if turned else sides)), self._made)

    def __getitem__(self, at: Any) -> Racing:
        return Racing(self.tree, numpy.asarray(self.values[at], object).view(Drawn), self._made)

    def __len__(self) -> int:
        return len(self.values)

    def _place(self, name: str, dim: Optional[int] = None, keepdim: bool = False) -> Any:
        if keepdim:
            raise self.refuse("keepdim")
        return self._made(numpy.asarray(getattr(self.values, name)(dim)))

    def refuse(self, name: str) -> BaseException:
        return self.tree.refuse(
            "%s of random numbers of single precision, of which argmax and argmin are followed "
            "after log, +, -, * and /%s" % (name.strip("_"), ADVICE))

    def __getattr__(self, name: str) -> Any:
        if name in STEPS:
            return partial(self.step, name)
        if name in ("argmax", "argmin"):
            return partial(self._place, name)
        if (
            name.startswith("__")
            and name not in ("__float__", "__int__", "__jax_array__", "__array__")
        ):
            raise AttributeError(name)
        raise self.refuse(name)

    @classmethod
    def __torch_function__(cls, function: Any, _: Any, args: Any = (), named: Any = None) -> Any:
        own, name = next(
            value for value in args if isinstance(value, Racing)), function.__name__
        if name in REFLECTED and not named:
            turned = name.startswith("__r")
            return own.step(REFLECTED[name], *args[1:], turned=turned)
        plain = name.strip("_")
        if plain in ("argmax", "argmin"):
            return own._place(plain, *args[1:], **(named or {}))
        if plain not in STEPS or named:
            raise own.refuse("torch." + plain)
        if args[0] is own:
            return own.step(plain, *args[1:])
        return own.step(plain, args[0], turned=True)


def _numbers(value: Any) -> Any:
    """The other side of an operation, as NumPy takes it."""
    if isinstance(value, (Racing, Uniforms)):
        return value.values
    return numpy.asarray(value.detach() if hasattr(value, "detach") else value, float)


def racing(numbers: Uniforms) -> Racing:
    """Uniform numbers as real ones."""
    return Racing(numbers.tree, numbers.values.view(Drawn), numbers._made)


def _step(name: str) -> Callable[..., Any]:
    def method(self: Any, *others: Any) -> Any:
        if isinstance(self, Uniforms) and not self._races:
            raise self.unknown(name)
        own = racing(self) if isinstance(self, Uniforms) else self
        return own.step(REFLECTED[name], *others, turned=name.startswith("__r"))

    return method


for _name in ("lt", "gt", "le", "ge"):
    setattr(Racing, "__%s__" % _name, lambda self, _, name=_name: getattr(self, name))
for _name in REFLECTED:
    setattr(Racing, _name, _step(_name))
    setattr(Uniforms, _name, _step(_name))


def uniforms(
    tree: Tree, shape: Sequence[int], digits: int, made: Callable[[Any], Any], races: bool = False,
) -> Any:
    """Uniform numbers of a shape; in a plain run those of the package, made of an array."""
    drawn = [tree.run.uniform() for _ in range(math.prod(shape))]
    if tree.run.plain is not None:
        return made(
            numpy.array([math.floor(u * 2.0**digits) / 2.0**digits for u in drawn]).reshape(shape))
    values = numpy.empty(len(drawn), object)
    values[:] = drawn
    return Uniforms(tree, values.reshape(shape), digits, made, races=races)


def places(tree: Tree, weights: Sequence[float], n: int, replace: bool) -> List[int]:
    """The places of n draws with probabilities proportional to weights; without replacement
    those of the ones that are left.
    """
    left: List[float] = list(weights)
    drawn: List[int] = []
    for _ in range(n):
        if not math.fsum(left) > 0 or min(left) < 0 or math.isinf(math.fsum(left)):
            raise tree.refuse(
                "weights are not positive numbers, or fewer of them than numbers are drawn"
                + ADVICE)
        drawn.append(pick(tree, left))
        if not replace:
            left[drawn[-1]] = 0.0
    return drawn


def order(tree: Tree, n: int) -> List[int]:
    left = list(range(n))
    return [left.pop(tree.run.below(len(left))) for _ in range(n)]


class _Counted:
    """Says how many references there are to what is in no variable, while its method runs."""

    def count(self) -> int:
        return sys.getrefcount(self)


def package(tree: Tree) -> Optional[Package]:
    """The stand-ins for PyTorch, if it is imported."""
    torch: Any = sys.modules.get("torch")
    # As of a folder of this name
    if (
        numpy is None
        or not all(
            hasattr(torch, name)
            for name in ("Tensor", "Generator", "default_generator", *DRAWS, *OTHERS, *SEEDING))
    ):
        return None
    own, scratch, default = torch.Generator(), torch.Generator(), torch.default_generator
    rand_like = torch.rand_like

    def stand_in(old: Any, values: Callable[..., Any]) -> Callable[..., Any]:
        """What stands for a function: the function itself gives errors, the shape and the kind,
        with a generator of ours, and values the numbers.
        """
        def call(*args: Any, generator: Any = None, out: Any = None, **named: Any) -> Any:
            if not tree.is_mine(old):
                return old(
                    *args, **named, **{
                        key: value for key, value in (("generator", generator), ("out", out))
                        if value is not None})
            if (
                generator is not None and generator is not own and generator is not default
                or out is not None
            ):
                raise tree.refuse(
                    "a draw of PyTorch has out=, or a generator that the function does not get "
                    "as its argument: give rng=torch.Generator" + ADVICE)
            if old is rand_like:
                like = torch.empty_like(*args, **named)
            else:
                like = old(*args, generator=scratch, **named)
            drawn = values(like, *args, **named)
            return (
                drawn if isinstance(drawn, (Uniforms, torch.Tensor))
                else torch.tensor(drawn, dtype=like.dtype, device=like.device).reshape(like.shape)
            )

        return call

    def multinomial(like: Any, input: Any, num_samples: int, replacement: bool = False) -> Any:
        rows = input.detach().reshape(-1, input.shape[-1]).tolist()
        return [k for row in rows for k in places(tree, row, num_samples, replacement)]

    def bernoulli(like: Any, input: Any, p: Any = None) -> Any:
        chances = (
            [p] * like.numel() if p is not None and not isinstance(p, torch.Tensor)
            else torch.broadcast_to(
                input if p is None else p, like.shape).detach().reshape(-1).tolist()
        )
        return [pick(tree, [1 - chance, chance]) for chance in chances]

    def randint(like: Any, *args: Any, **named: Any) -> Any:
        low, high = (
            args[:2] if len(args) > 1 and isinstance(args[1], int)
            else (named.get("low", 0), named["high"] if "high" in named else args[0]))
        if len(args) == 1 and "high" in named:
            low = args[0]
        return [low + tree.run.below(high - low) for _ in range(like.numel())]

    def rand(like: Any, *_: Any, **__: Any) -> Any:
        digits = {torch.float32: 24, torch.float64: 53}.get(like.dtype)
        if digits is None or like.requires_grad:
            raise tree.refuse(
                "torch.rand draws numbers of less than single precision, or of which a gradient "
                "is asked for" + ADVICE)
        kinds = {"b": torch.bool, "i": torch.int64}
        return uniforms(
            tree, like.shape, digits,
            lambda values: torch.tensor(values, dtype=kinds.get(values.dtype.kind, like.dtype)),
            races=True)

    draws: Dict[str, Callable[..., Any]] = {
        "multinomial": multinomial, "bernoulli": bernoulli, "randint": randint,
        "randperm": lambda like, n, **_: order(tree, n), "rand": rand, "rand_like": rand}

    def refusing(old: Any, name: str) -> Callable[..., Any]:
        def call(*args: Any, **named: Any) -> Any:
            if not tree.is_mine(old):
                return old(*args, **named)
            raise tree.refuse(
                "%s of PyTorch is called, which cannot be followed%s" % (name, ADVICE))

        return call

    def exponential_(self: Any, lambd: float = 1.0, *, generator: Any = None) -> Any:
        if not tree.is_mine(torch.rand):
            return drawing(self, lambd, generator=generator)
        if generator is not None and generator is not own and generator is not default:
            raise tree.refuse(
                "exponential_ gets a generator that the function does not get" + ADVICE)
        if sys.getrefcount(self) > alone:
            raise tree.refuse(
                "exponential_ draws into a tensor that has a name; write it in one expression, as "
                "torch.empty_like(p).exponential_()" + ADVICE)
        drawing(self, lambd, generator=scratch)  # which raises what PyTorch raises
        drawn = [exponential(tree, 1 / lambd) for _ in range(self.numel())]
        if tree.run.plain is not None:
            return torch.tensor(drawn, dtype=self.dtype).reshape(self.shape)
        values = numpy.empty(len(drawn), object)
        values[:] = drawn
        return Racing(tree, values.reshape(tuple(self.shape)).view(Drawn), torch.tensor)

    drawing, alone = torch.Tensor.exponential_, _Counted().count()
    tensor = torch.Tensor
    kept = {name: stand_in(getattr(torch, name), values) for name, values in draws.items()}
    pairs = [(getattr(torch, name), call) for name, call in kept.items()] + [
        (getattr(torch, name), refusing(getattr(torch, name), name)) for name in OTHERS + SEEDING]
    methods = [(tensor, name, kept[name]) for name in ("multinomial", "bernoulli")] + [
        (tensor, "exponential_", exponential_)] + [
        (tensor, name, refusing(getattr(tensor, name), name)) for name in IN_PLACE + ["bernoulli_"]]
    return Package(
        (torch.Generator,), own, pairs, methods,
        lambda: [one.get_state().numpy().tobytes() for one in (default, own)])
