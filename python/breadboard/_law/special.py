"""Distribution functions of gamma, beta and Student's numbers, and their inverses, in double
precision.

The factor in front of series and continued fractions is that of Loader (2000), Fast and
accurate computation of binomial probabilities, which keeps its digits where parameters are
large. The continued fractions are 26.5.8 and 6.5.31 of Abramowitz and Stegun, by the method
of Lentz.
"""
from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import exp, inf, isfinite, lgamma, log, pi, sqrt
from typing import Any, Callable, Iterator, Tuple

Pair = Tuple[float, float]  # the probability below a number, and above


def _remainder(a: float) -> float:
    """log Gamma(a + 1) without the main terms of Stirling's formula."""
    if a < 16:
        return lgamma(a + 1) - (a + 0.5) * log(a) + a - 0.5 * log(2 * pi)
    b = a * a
    return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / b) / b) / b) / b) / a


def _bent(t: float, ratio: float) -> float:
    """log(1 + t) - t, where the ratio is 1 + t."""
    if abs(t) > 0.2:
        return log(ratio) - t if ratio > 0 else -inf
    r, total, k = t / (2 + t), 0.0, 3
    power = r * r * r
    while abs(power) > 1e-18 * r * r:
        total, power, k = total + power / k, power * r * r, k + 2
    return 2 * total - r * t


def gamma_factor(a: float, x: float) -> float:
    """x^a exp(-x) / Gamma(a), which is x times the density."""
    return (
        sqrt(a / (2 * pi)) * exp(a * _bent((x - a) / a, x / a) - _remainder(a)) if 0 < x < inf
        else 0.0
    )


def beta_factor(a: float, b: float, x: float, y: float) -> float:
    """x^a y^b / B(a, b), which is x y times the density; y is 1 - x."""
    if not (x > 0 and y > 0):
        return 0.0
    n, apart = a + b, x * b - y * a
    bent = a * _bent(apart / a, x * n / a) + b * _bent(-apart / b, y * n / b)
    return sqrt(a * b / (2 * pi * n)) * exp(bent + _remainder(n) - _remainder(a) - _remainder(b))


def _fraction(terms: Iterator[Pair]) -> float:
    """The value of a / (b + a / (b + ...))."""
    value = c = 1e-300
    d = 0.0
    for a, b in terms:
        d = 1 / (b + a * d or 1e-300)
        c = b + a / c or 1e-300
        value *= c * d
        if abs(c * d - 1) < 1e-16:
            break
    return value


def gamma_chances(a: float, x: float) -> Pair:
    factor = gamma_factor(a, x)
    if x < a + 1:
        total = term = 1 / a if x > 0 else 0.0
        n = a
        while term > 1e-17 * total:
            n += 1
            term *= x / n
            total += term
        return factor * total, 1 - factor * total
    above = (
        factor
        * _fraction((1.0 if k == 0 else -k * (k - a), x + 1 - a + 2 * k) for k in range(10**7))
        if x < inf else 0.0
    )
    return 1 - above, above


def beta_chances(a: float, b: float, x: float, y: float) -> Pair:
    if x * (a + b + 2) > a + 1:
        return beta_chances(b, a, y, x)[::-1] if y < 1 else (0.0, 1.0)

    def terms() -> Iterator[Pair]:
        yield 1.0, 1.0
        for k in range(10**7):
            yield -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1)), 1.0
            yield (k + 1) * (b - k - 1) * x / ((a + 2 * k + 1) * (a + 2 * k + 2)), 1.0

    below = beta_factor(a, b, x, y) / a * _fraction(terms()) if x > 0 else 0.0
    return below, 1 - below


def _solve(
    chances: Callable[[float], Pair], factor: Callable[[float], float], low: float, high: float,
    x: float, most: float,
) -> float:
    """The number with a probability low below it and high above, of which the smaller one
    counts, from a start. Newton's method for the logarithms, between ends that close in.
    """
    if low <= 0 or high <= 0:
        return 0.0 if low <= 0 else most
    a, b = 0.0, most
    for _ in range(300):
        below, above = chances(x)
        a, b = (a, x) if (below > low if low <= high else above < high) else (x, b)
        slope, new = factor(x), -1.0  # x times the density
        if slope > 0 and below > 0 and low <= high:
            new = x * exp(min(max(-log(below / low) * below / slope, -700), 700))
        elif slope > 0 and above > 0:
            new = x + x * log(above / high) * above / slope
        if not a < new < b:
            new = (
                sqrt(a) * sqrt(b) if 0 < a and b < inf and b > 4 * a else 2 * x if b == inf
                else (a + b) / 2 if a else b * 2.0**-8
            )
        if abs(new - x) <= 2e-16 * x or new == 0:
            return new
        x = new
    return x


def gamma_quantile(a: float, low: float, high: float) -> float:
    return _solve(lambda x: gamma_chances(a, x), lambda x: gamma_factor(a, x), low, high, a, inf)


def beta_quantile(a: float, b: float, low: float, high: float) -> Pair:
    """The number, and one minus it, where the smaller one is found."""
    turned = beta_chances(a, b, 0.5, 0.5)[0] < low
    if turned:
        a, b, low, high = b, a, high, low
    x = _solve(
        lambda x: beta_chances(a, b, x, 1 - x), lambda x: beta_factor(a, b, x, 1 - x) / (1 - x),
        low, high, min(0.5, a / (a + b)), 0.5 + 1e-15)
    return (1 - x, x) if turned else (x, 1 - x)


def student_chances(df: float, t: float) -> Pair:
    x, y = (df / (df + t * t), t * t / (df + t * t)) if isfinite(t * t) else (0.0, 1.0)
    tail = beta_chances(df / 2, 0.5, x, y)[0] / 2
    return (tail, 1 - tail) if t <= 0 else (1 - tail, tail)


def student_quantile(df: float, low: float, high: float) -> float:
    if low > high:
        return -student_quantile(df, high, low)
    x, y = beta_quantile(df / 2, 0.5, 2 * low, 1 - 2 * low)
    return -sqrt(df) * sqrt(y) / sqrt(x) if x > 0 else -inf


def _step(
    chances: Callable[..., Pair], quantile: Callable[..., Any],
) -> Tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]]:
    """The quantile and the distribution function as steps, which keep the digits of what is next
    to one.
    """

    @lru_cache(maxsize=4096)
    def value(u: Any, args: Any) -> Any:
        return quantile(*args, float(u), float(1 - u))

    def place(x: Any, args: Any) -> Any:
        below, above = chances(*args, x)
        return below if below <= 0.5 else 1 - Fraction(above)

    return value, place


def _next_to_one(x: float, y: float) -> Any:
    return x if x <= 0.5 else 1 - Fraction(y)


GAMMA = _step(lambda a, x: gamma_chances(a, max(float(x), 0.0)), gamma_quantile)
BETA = _step(
    lambda a, b, x: beta_chances(a, b, float(min(max(x, 0), 1)), float(min(max(1 - x, 0), 1))),
    lambda *given: _next_to_one(*beta_quantile(*given)))
STUDENT = _step(lambda df, t: student_chances(df, float(t)), student_quantile)
DENSITIES = {
    "gamma": lambda a, x: gamma_factor(a, x) / x if x > 0 else 0.0,
    "beta": lambda a, b, x: beta_factor(a, b, x, 1 - x) / (x * (1 - x)) if 0 < x < 1 else 0.0,
    "student": lambda df, t: beta_factor(0.5, df / 2, t * t / (df + t * t), df / (df + t * t))
    / abs(t) if t and isfinite(t * t) else 0.0}
