"""Tests that fail unless the exact distribution of a function is right, or its mean is."""
from __future__ import annotations

import math
from typing import Any, Callable, List, Optional

from .._errors import Open
from .laws import ROUNDING, Law, chances_of, hashable, law


LITTLE = 1e-9  # a remainder above it is not that of a tail


def assert_law(
    f: Callable[..., Any], want: Any, *args: Any, tolerance: float = 1e-12, **options: Any,
) -> Law:
    """Fails unless f(*args, rng) has the given distribution: a dict from outcomes to
    probabilities, or the probabilities of 0, 1 and so on. Returns the distribution. The
    keywords are those of law. tolerance is absolute, for each probability, and also for
    outcomes that are none of want.

    >>> import random
    >>> coin = lambda rng: "heads" if rng.random() < 0.5 else "tails"
    >>> assert_law(coin, {"heads": 1/2, "tails": 1/2}, rng=random.Random).branches
    2
    """
    _below_one(tolerance)
    found = law(f, *args, **options)
    # What the usual cut leaves of a number of tries
    if tolerance < found.remainder < LITTLE and "cut" not in options:
        found = law(f, *args, cut=1e-3 * tolerance, **options)
    its = {hashable(outcome): p for outcome, p in chances_of(want).items()}
    wrong = [
        (outcome, found.get(outcome, 0.0), its.get(outcome, 0.0)) for outcome in {**its, **found}]
    wrong = [
        line for line in wrong
        if not -tolerance <= line[2] - line[1] <= tolerance + found.remainder]
    # What is impossible, then the largest differences
    wrong.sort(key=lambda line: (line[2] != 0, -abs(line[1] - line[2])))
    lines = ["  %r: %.12g, and not %.12g" % line for line in wrong]
    lines += ["  it raises %s with probability %.6g" % line for line in found.raised.items()]
    if lines:
        raise AssertionError(
            "\n".join(
                [
                    "%s has another distribution, %s"
                    % (getattr(f, "__name__", "the function"), _shown(found)), *lines[:20],
                    *(["  and %d more" % (len(lines) - 20)] if len(lines) > 20 else [])]))
    if found.remainder > max(tolerance, ROUNDING):
        raise Open(
            "the probability %.3g was not explored, so the distribution is not known; %s"
            % (found.remainder, found._advice))
    return found


def assert_unbiased(
    estimate: Callable[..., Any], *args: Any, log_z: Optional[float] = None, value: Any = None,
    tolerance: float = 1e-10, **options: Any,
) -> Law:
    """Fails unless an estimate is unbiased: with log_z=, the mean of exp(estimate) is exp(log_z);
    with value=, the mean of the estimate is value.

    The estimate is the return value of estimate(*args, rng). log_z is in nats, and value may be a
    sequence of numbers. Returns the distribution. Further keywords are those of law. tolerance is
    relative to exp(log_z), or to the mean size of the estimate, each number by itself.

    >>> import random
    >>> assert_unbiased(lambda rng: 3 * rng.randrange(2), value=1.5, rng=random.Random).mean()
    1.5
    """
    if (log_z is None) == (value is None):
        raise TypeError(
            "give log_z=, where the function returns the logarithm of the estimate, or value=")
    _below_one(tolerance)
    found = law(estimate, *args, **options)
    if log_z is None:
        means, wants = _flat(hashable(found.mean())), _flat(hashable(value))
        sizes = (
            [] if found._moments else _flat(found.mean(lambda x: tuple(abs(v) for v in _flat(x))))
        )
        scales = [
            max(1e-300, abs(w), size)
            for w, size in zip(wants, sizes or [abs(mean) for mean in means])]
    else:
        shift, scales = log_z, [1.0]
        means, wants = [
            found.mean(lambda x: math.exp(x - shift) if x - shift < 709 else math.inf)], [1.0]
    if len(means) != len(wants):
        raise TypeError("the estimate has %d numbers and value= has %d" % (len(means), len(wants)))
    if any(
        not abs(m - w) <= tolerance * scale < math.inf
        for m, w, scale in zip(means, wants, scales)):
        what = "E[Z-hat] / Z" if log_z is not None else "the mean"
        raise AssertionError(
            "the estimate is biased: %s is %s, and not %s, %s"
            % (what, _said(means), _said(wants), _shown(found)))
    return found


def _below_one(tolerance: float) -> None:
    if not 0 <= tolerance < 1:
        raise ValueError("tolerance= is %r; give a number from 0 to below 1" % (tolerance,))


def _flat(value: Any) -> List[float]:
    return [v for part in value for v in _flat(part)] if isinstance(value, tuple) else [value]


def _shown(found: Law) -> str:
    return "as one branch shows" if found.branches == 1 else "as %d branches show" % found.branches


def _said(values: List[float]) -> str:
    return ", ".join("%.12g" % v for v in values)
