"""Tests of numbers of different distributions, and of functions of one uniform number: `python3 -W error -m unittest test_integrals` in this folder."""
import math
import random
import unittest
from fractions import Fraction
from statistics import NormalDist

import breadboard
from breadboard._law import laws, special
from test_law import GENERATOR, LONG, bound

np = breadboard._numpy.numpy
PHI = NormalDist().cdf
WEIBULL = math.sqrt(math.pi) / 2 * math.exp(0.25) * math.erfc(0.5)
LOGISTIC = 1 / (1 - math.exp(-1)) - math.exp(-1) / (1 - math.exp(-1)) ** 2  # of two, moved by 1
RUNS = 100_000 if LONG else 5_000


def beta_is_larger(a, b, c, d):
    """The probability that a beta number (c, d) is larger than one (a, b), for a whole c, as a fraction of factorials."""
    factorial = lambda n: math.factorial(n - 1)
    B = lambda x, y: Fraction(factorial(x) * factorial(y), factorial(x + y))
    return float(sum(B(a + i, b + d) / ((d + i) * B(1 + i, d) * B(a, b)) for i in range(c)))


def reference(shapes, n=2**20 if LONG else 2**17):
    """The probability of each number to be the largest, by the middle of n parts of its own probability."""
    u = (np.arange(n) + 0.5) / n
    answer = []
    for quantile, _ in shapes:
        x, p = quantile(u), np.ones(n)
        for other, chance in shapes:
            p *= 1.0 if other is quantile else chance(x)
        answer.append(p.mean())
    return answer


def shapes(chance):
    """A random distribution: how it is drawn, its quantile, and its distribution function."""
    m, s = chance.uniform(-1, 1), chance.uniform(0.3, 2)
    tail = lambda x: np.exp(-np.maximum(x, 0) / s)
    return chance.choice((
        (lambda rng: rng.logistic(m, s), lambda u: m + s * np.log(u / (1 - u)), lambda x: 1 / (1 + np.exp(np.minimum((m - x) / s, 700)))),
        (lambda rng: m + rng.exponential(s), lambda u: m - s * np.log1p(-u), lambda x: 1 - tail(x - m)),
        (lambda rng: rng.gumbel(m, s), lambda u: m - s * np.log(-np.log(u)), lambda x: np.exp(-np.exp(np.minimum((m - x) / s, 700)))),
        (lambda rng: rng.uniform(m, m + s), lambda u: m + s * u, lambda x: np.clip((x - m) / s, 0, 1)),
        (lambda rng: rng.laplace(m, s), lambda u: m + s * np.where(u < 0.5, np.log(2 * u), -np.log(2 * (1 - u))), lambda x: np.where(x < m, np.exp(-abs(x - m) / s) / 2, 1 - np.exp(-abs(x - m) / s) / 2)),
        (lambda rng: m + s * rng.standard_cauchy(), lambda u: m + s * np.tan(math.pi * (u - 0.5)), lambda x: 0.5 + np.arctan((x - m) / s) / math.pi),
    ))


# A name, the function, and its law.
CASES = [] if not np else [
    ("normal numbers", lambda rng: rng.normal(0, 1) < rng.normal(1, 2), {True: PHI(1 / math.sqrt(5)), False: PHI(-1 / math.sqrt(5))}),
    ("beta numbers", lambda rng: np.argmax(rng.beta([3, 5], [4, 2])), {1: beta_is_larger(3, 4, 5, 2), 0: beta_is_larger(5, 2, 3, 4)}),
    ("large parameters", lambda rng: np.argmax(rng.beta([30, 400], [40, 500])), {1: beta_is_larger(30, 40, 400, 500), 0: beta_is_larger(400, 500, 30, 40)}),
    ("gamma numbers", lambda rng: rng.gamma(2) < rng.gamma(3, 0.5), {True: 11 / 27, False: 16 / 27}),
    ("Gumbel with small numbers", lambda rng: np.argmax(np.arange(3) - np.log(-np.log(rng.random(3) + 1e-20) + 1e-20)), {k: math.exp(k) / (1 + math.e + math.e**2) for k in range(3)}),
    ("far apart", lambda rng: np.argmax(rng.normal([0, 1e6, 1e6 + 1])), {2: PHI(math.sqrt(0.5)), 1: PHI(-math.sqrt(0.5))}),
    ("peaked", lambda rng: np.argmin(rng.normal([0.7, 0], [1e-7, 1])), {0: 1 - PHI(0.7 / math.sqrt(1 + 1e-14)), 1: PHI(0.7 / math.sqrt(1 + 1e-14))}),
    ("t and Cauchy", lambda rng: rng.standard_t(1) < 1, {True: 0.75, False: 0.25}),
    ("F", lambda rng: rng.f(2, 4) < 2, {True: 0.75, False: 0.25}),
    ("F far out", lambda rng: rng.f(2, 0.1) < 1e20, {True: 1 - (1 + 2e21) ** -0.05, False: (1 + 2e21) ** -0.05}),
    ("largest of exponentials", lambda rng: (rng.exponential(size=2) / (1, 2)).max() < 1, {True: (1 - math.exp(-1)) * (1 - math.exp(-2)), False: 1 - (1 - math.exp(-1)) * (1 - math.exp(-2))}),
    ("a loser and a number", lambda rng: (lambda t: (t.argmin(), t[1] < 0.5))(rng.exponential(size=2) / (1, 2)),
     {(0, True): 1 / 3 - math.exp(-1) + 2 / 3 * math.exp(-1.5), (0, False): math.exp(-1) - 2 / 3 * math.exp(-1.5), (1, True): 2 / 3 - 2 / 3 * math.exp(-1.5), (1, False): 2 / 3 * math.exp(-1.5)}),
    ("Weibull", lambda rng: rng.exponential() < rng.weibull(2), {True: WEIBULL, False: 1 - WEIBULL}),
    ("log odds", lambda rng: (lambda u: math.log(u) - math.log(1 - u) < 1)(rng.random()), {True: 1 / (1 + math.exp(-1)), False: 1 / (1 + math.e)}),
    ("odds", lambda rng: (lambda u: (u / (1 - u) >= 1) + (u / (1 - u) >= 2))(rng.random()), {0: 0.5, 1: 1 / 6, 2: 1 / 3}),
    ("square", lambda rng: (lambda u: 2 * u - u * u < 0.3)(rng.random()), {True: 1 - math.sqrt(0.7), False: math.sqrt(0.7)}),
    ("up and down", lambda rng: (lambda u: u * (1 - u) < 0.09)(rng.random()), {True: 0.2, False: 0.8}),
    ("a fold in a race", lambda rng: (lambda u: u * u - u < -rng.beta(1, 3))(rng.random()), {True: 57 / 140, False: 83 / 140}),
    ("one over a number", lambda rng: 1 / (rng.random() - 0.5) < 4 * rng.random(), {True: 0.5 + (1 - math.log(2)) / 4, False: 0.5 - (1 - math.log(2)) / 4}),
    ("tangent", lambda rng: np.tan(np.pi * (rng.random() - 0.5)) < 1, {True: 0.75, False: 0.25}),
    ("parts", lambda rng: (lambda u: np.where(u < 0.5, np.log(2 * u), -np.log(2 - 2 * u)) < np.log(3))(rng.random(1)), {(True,): 5 / 6, (False,): 1 / 6}),
    ("logistic numbers by hand", lambda rng: (lambda u: np.argmax([0, 1] + np.log(u) - np.log(1 - u)))(rng.random(2)), {1: LOGISTIC, 0: 1 - LOGISTIC}),
]


@unittest.skipUnless(np, "NumPy is not there")
class Integrals(unittest.TestCase):
    def test_laws_are_exact(self):
        for name, f, want in CASES:
            with self.subTest(name), np.errstate(all="ignore"):
                law = breadboard.law(f)
                for outcome, p in want.items():
                    self.assertAlmostEqual(law.get(outcome, 0.0), p, delta=1e-13)
                self.assertLess(law.remainder, 2e-12)

    def test_races_of_all_shapes(self):
        """Against the rule of the middle, whose error falls by the square of its parts, on two numbers of them."""
        chance = random.Random(3)
        for case in range(100 if LONG else 3):
            some = [shapes(chance) for _ in range(chance.randint(2, 5))]
            law = breadboard.law(lambda rng: np.argmax(np.array([draw(rng) for draw, _, _ in some])))
            self.assertAlmostEqual(sum(law.values()) + law.remainder, 1, delta=1e-12)
            for k, p in enumerate(reference([one[1:] for one in some])):
                self.assertLess(abs(law.get(k, 0.0) - p), 2e-6 if LONG else 2e-5, case)

    def test_any_questions_are_answered_as_by_draws(self):
        chance = random.Random(7)
        for case in range(60 if LONG else 3):
            some = [shapes(chance)[0] for _ in range(4)]
            asked = [chance.choice(("pair", "pair", "number", "first", "order")) for _ in range(3)]
            at = [chance.sample(range(4), 2) for _ in asked]

            def answers(rng):
                x = np.array([draw(rng) for draw in some])
                return [bool(x[i] < x[j]) if what == "pair" else bool(x[i] < 0.4) if what == "number" else int(x.argmin()) if what == "first" else np.argsort(x)[:2].tolist() for what, (i, j) in zip(asked, at)]

            law, rng, seen = breadboard.law(answers), np.random.default_rng(case), {}
            for _ in range(RUNS):
                outcome = laws.hashable(answers(rng))
                seen[outcome] = seen.get(outcome, 0) + 1
            self.assertLessEqual(set(seen), set(law))
            for outcome, p in law.items():
                self.assertLessEqual(abs(seen.get(outcome, 0) - RUNS * p), bound(p), (case, outcome))

    def test_questions_agree_with_each_other(self):
        """The order by sorting, by an array and by the least has one law, whatever is asked first."""
        draws = lambda rng: [rng.normal(), rng.exponential(), rng.beta(2, 0.5) if LONG else rng.normal(1, 2), rng.standard_t(3) if LONG else rng.logistic()]
        by_order = breadboard.law(lambda rng: tuple(sorted(range(4), key=draws(rng).__getitem__)))
        by_array = breadboard.law(lambda rng: tuple(np.argsort(np.array(draws(rng)))))
        first = breadboard.law(lambda rng: np.argmin(np.array(draws(rng))))
        self.assertLess(by_order.distance(by_array), 1e-11)
        self.assertLess(by_order.of(lambda order: order[0]).distance(first), 1e-11)

    def test_what_is_refused(self):
        for want, f in (("by arithmetic", lambda rng: rng.normal() + rng.exponential() < 1), ("in different ways", lambda rng: (lambda x: (x.argmax(), 2 * x[0] < x[1]))(rng.normal([0, 1], [1, 2]))),
                        ("poles?", lambda rng: np.tan(4 * rng.random()) < 1), ("is a random number", lambda rng: rng.gamma(rng.random()) < 1), ("at most 1e\\+07", lambda rng: rng.beta(1e9, 2) < 1),
                        ("below 0 or above 1", lambda rng: (2 * rng.random()).ndtri() < 1)):
            self.assertRaisesRegex(breadboard.Refused, want, breadboard.law, f)
        self.assertRaisesRegex(breadboard.Refused, "no fraction", breadboard.law, lambda rng: rng.random() < 2 * rng.random(), exact=True)
        for f, name in ((lambda rng: rng.beta(0, 1), "a"), (lambda rng: rng.gamma(-1), "shape"), (lambda rng: rng.standard_t(0), "df")):
            self.assertRegex(next(iter(breadboard.law(f).raised)), "ValueError: %s <" % name)


class Special(unittest.TestCase):
    def test_whole_parameters(self):
        """Sums of fractions, and of the terms of a Poisson distribution."""
        for a, b, x in ((3, 5, 0.25), (50, 70, 0.4375), (400, 300, 0.59375), (1000, 1, 0.9990234375), (1, 7, 2.0**-40)):
            n, t = a + b - 1, Fraction(x)
            below = sum(math.comb(n, k) * t**k * (1 - t) ** (n - k) for k in range(a, n + 1))
            for found, want in zip(special.beta_chances(a, b, x, 1 - x), (below, 1 - below)):
                self.assertLess(abs(found - want), 1e-15 + 4e-14 * want * (found < 0.5))
        for a, x in ((1, 0.5), (4, 9.0), (30, 20.0), (200, 260.0)):
            above = sum(Fraction(x) ** k / math.factorial(k) for k in range(a))
            self.assertLess(abs(special.gamma_chances(a, x)[1] / (float(above / Fraction(10) ** 60) * 1e60 * math.exp(-x)) - 1), 1e-13)
        for t in (-1e9, -3.0, -0.1, 0.0, 2.5):
            self.assertAlmostEqual(special.student_chances(2.0, t)[0], 0.5 + t / (2 * math.sqrt(2 + t * t)) if t > -1e3 else 1 / (2 * t * t), delta=1e-15)

    def test_quantiles(self):
        """The distribution function of a quantile, in both tails and for shapes of all sizes."""
        chance = random.Random(5)
        for _ in range(2000 if LONG else 200):
            a, b, u = 10 ** chance.uniform(-1, 4), 10 ** chance.uniform(-1, 4), chance.choice((chance.random(), 10 ** -chance.uniform(0, 12)))
            for quantile, chances in ((lambda p, q: special.gamma_quantile(a, p, q), lambda x: special.gamma_chances(a, x)), (lambda p, q: special.beta_quantile(a, b, p, q), lambda x: special.beta_chances(a, b, *x))):
                for p, q in ((u, 1 - u), (1 - u, u)):
                    below, above = chances(quantile(p, q))
                    self.assertLess(abs(below - p if p < q else above - q), 2e-12 * u)


if __name__ == "__main__":
    unittest.main()
