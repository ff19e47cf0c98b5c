"""Keys of JAX that stand for those that a function gets while a distribution is computed, and
what draws with them.

A key is its way from the one that the function gets. What a function draws with keys that it
makes of numbers is no random number, and stays as it is.
"""
from __future__ import annotations

import math
import sys
from typing import Any, Callable, Dict, Optional, Tuple

from .generators import pick
from .._numpy import numpy
from .tensors import ADVICE, Package, order, places, uniforms
from .tree import Tree


DRAWS = "categorical choice bernoulli permutation randint uniform split fold_in".split()


class Key:
    """A key that is followed."""

    def __init__(self, tree: Tree, way: Tuple[Any, ...] = ()) -> None:
        self._tree, self._way = tree, way

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name not in ("__jax_array__", "__array__"):
            raise AttributeError(name)
        raise self._tree.refuse(
            "a key of JAX is used otherwise than with categorical, choice, bernoulli, "
            "permutation, uniform, randint, split and fold_in, or inside jit or vmap" + ADVICE)

    def __iter__(self, *_: Any) -> Any:
        raise self._tree.refuse("a key of JAX is taken apart" + ADVICE)

    __getitem__ = __index__ = __len__ = __iter__


def package(tree: Tree) -> Optional[Package]:
    """The stand-ins for JAX, if it is imported."""
    jax: Any = sys.modules.get("jax")
    # As of a folder of this name
    if (
        numpy is None or not all(hasattr(getattr(jax, "random", None), name) for name in DRAWS)
        or not hasattr(jax, "numpy")
    ):
        return None
    made: Callable[[Any], Any] = jax.numpy.asarray
    uses: Dict[Any, Any] = {}

    def used(key: Key, what: Any, draw: Callable[[], Any]) -> Any:
        """The draw with a key, which is the same one where it is asked for again; another one
        with the same key depends on it.
        """
        if uses.get("run") is not tree.run:
            uses.clear()
            uses["run"] = tree.run
        if key._way not in uses:
            uses[key._way] = what, draw()
        if uses[key._way][0] != what:
            raise tree.refuse(
                "a key of JAX is used for two things, so that these depend on each other: split "
                "it first" + ADVICE)
        return uses[key._way][1]

    def split(key: Key, num: Any = 2) -> Any:
        if not isinstance(num, int):
            raise tree.refuse("split makes an array of keys" + ADVICE)
        return used(
            key, ("split", num), lambda: [Key(tree, key._way + ((num, i),)) for i in range(num)])

    def fold_in(key: Key, data: Any) -> Any:
        return used(key, "fold_in", dict).setdefault(int(data), Key(tree, key._way + (int(data),)))

    def categorical(
        logits: Any, axis: int = -1, shape: Any = None, replace: bool = True, mode: Any = None,
    ) -> Any:
        rows = numpy.moveaxis(numpy.asarray(logits, float), axis, -1)
        shape = rows.shape[:-1] if shape is None else tuple(shape)
        if (
            not replace or not numpy.isfinite(rows.max(-1)).all()
            or shape[len(shape) - rows.ndim + 1 :] != rows.shape[:-1]
        ):
            raise tree.refuse(
                "categorical has replace=False, logits that are no numbers, or a shape that does "
                "not end in theirs" + ADVICE)
        rows = numpy.broadcast_to(
            numpy.exp(rows - rows.max(-1, keepdims=True)),
            shape + rows.shape[-1:]).reshape(-1, rows.shape[-1])
        return made(
            numpy.array([pick(tree, row.tolist()) for row in rows], numpy.int32).reshape(shape))

    def bernoulli(p: Any = 0.5, shape: Any = None, mode: Any = None) -> Any:
        chances = numpy.broadcast_to(
            numpy.clip(numpy.nan_to_num(numpy.asarray(p, float)), 0, 1),
            numpy.shape(p) if shape is None else shape)
        return made(
            numpy.array(
                [pick(tree, [1 - c, c]) for c in chances.ravel().tolist()],
                bool).reshape(chances.shape))

    def choice(
        a: Any, shape: Any = (), replace: bool = True, p: Any = None, axis: int = 0,
        mode: Any = None,
    ) -> Any:
        a, n = numpy.asarray(a), math.prod(shape)
        size = int(a) if a.ndim == 0 else a.shape[axis]
        if (
            n and size < 1 or not replace and n > size
            or p is not None and numpy.shape(p) != (size,)
        ):
            raise ValueError(
                "a must be greater than 0, not smaller than a sample without replacement, and as "
                "long as p")
        at = numpy.array(
            places(
                tree, [1.0] * size if p is None else numpy.asarray(p, float).tolist(), n, replace),
            numpy.int32)
        return made(at.reshape(shape) if a.ndim == 0 else a.take(at.reshape(shape), axis))

    def permutation(x: Any, axis: int = 0, independent: bool = False) -> Any:
        x = numpy.arange(int(x)) if numpy.ndim(x) == 0 else numpy.asarray(x)
        if independent and x.ndim > 1:
            raise tree.refuse("permutation has independent=True" + ADVICE)
        return made(x.take(order(tree, x.shape[axis]), axis))

    def randint(shape: Any, minval: Any, maxval: Any, dtype: Any = int) -> Any:
        low, high = (
            numpy.broadcast_to(numpy.asarray(end), shape).ravel().tolist()
            for end in (minval, maxval))
        return made(
            numpy.array(
                [int(a) + tree.run.below(max(1, int(b) - int(a))) for a, b in zip(low, high)],
                int).reshape(shape).astype(dtype))

    def uniform(shape: Any = (), dtype: Any = float, minval: Any = 0.0, maxval: Any = 1.0) -> Any:
        single = made(numpy.zeros(1)).dtype != numpy.float64 or numpy.dtype(dtype) == numpy.float32
        if (
            numpy.ndim(minval) or numpy.ndim(maxval) or (minval, maxval) != (0, 1)
            or numpy.dtype(dtype).itemsize < 4
        ):
            raise tree.refuse(
                "uniform has minval=, maxval=, or less than single precision" + ADVICE)
        return uniforms(
            tree, shape, 23 if single else 52, lambda values: made(
                values if values.dtype == bool or not single else values.astype(numpy.float32)))

    def pair(name: str, draw: Callable[..., Any], splits: bool = False) -> Tuple[Any, Any]:
        old = getattr(jax.random, name)

        def call(key: Any, *args: Any, **named: Any) -> Any:
            if type(key) is not Key or not tree.is_mine(old):
                return old(key, *args, **named)
            what = (
                name, repr(
                    [
                        numpy.asarray(value).tolist() if not isinstance(value, type) else value
                        for value in args]), repr(sorted((k, str(v)) for k, v in named.items()))
            )
            return (
                draw(key, *args, **named) if splits
                else used(key, what, lambda: draw(*args, **named))
            )

        return old, call

    draws = [
        pair(f.__name__, f)  # type: ignore[arg-type]
        for f in (categorical, bernoulli, choice, permutation, randint, uniform)]
    kinds = tuple(
        getattr(jax.random, name) for name in ("PRNGKey", "key") if hasattr(jax.random, name))
    return Package(
        kinds, Key(tree), draws + [pair("split", split, True), pair("fold_in", fold_in, True)], [],
        int)
