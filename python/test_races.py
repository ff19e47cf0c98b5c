"""Tests of races of exponential numbers, and of several uses of one uniform number: `python3 -W error -m unittest test_races` in this folder."""
import bisect
import heapq
import itertools
import math
import random
import unittest
import warnings

import breadboard
from breadboard._law import laws, races
from test_law import GENERATOR, LONG, RUNS, STATE, bound

np = breadboard._numpy.numpy
WEIGHTS = [1.0, 2.0, 3.5, 0.1]
CUMULATED = [0.5, 0.8, 0.95]
ALIAS = [0.8, 1.0, 0.6, 0.2], [1, 1, 0, 0]  # of the probabilities .5, .3, .15 and .05


def plackett_luce(weights, k):
    """The distribution of the first k of items that are drawn one by one, in proportion to weights."""
    found = {}
    for order in itertools.permutations(range(len(weights)), k):
        left, p = list(range(len(weights))), 1.0
        for i in order:
            p *= weights[i] / math.fsum(weights[j] for j in left)
            left.remove(i)
        if p > 0:
            found[order] = p
    return found


def first(weights):
    return {i: p for (i,), p in plackett_luce(weights, 1).items()}


def included(weights, k):
    """The distribution of the set of the first k, in order of their numbers."""
    found = {}
    for order, p in plackett_luce(weights, k).items():
        found[tuple(sorted(order))] = found.get(tuple(sorted(order)), 0) + p
    return found


def parted(weights):
    """The distribution of what argpartition makes of a race, by all its orders."""
    found = {}
    for order, p in plackett_luce(weights, len(weights)).items():
        key = tuple(np.argpartition(np.argsort(order), 0).tolist())
        found[key] = found.get(key, 0) + p
    return found


def reservoir(rng, weights, k):
    """Algorithm A-Res of Efraimidis and Spirakis."""
    heap = []
    for i, w in enumerate(weights):
        key = rng.random() ** (1 / w)
        if len(heap) < k:
            heapq.heappush(heap, (key, i))
        elif key > heap[0][0]:
            heapq.heapreplace(heap, (key, i))
    return tuple(sorted(i for _, i in heap))


def jumps(rng, weights, k):
    """Algorithm A-ExpJ, for two items of four."""
    heap = [(rng.random() ** (1 / w), i) for i, w in enumerate(weights[:k])]
    heapq.heapify(heap)
    return weights[k] >= math.log(rng.random()) / math.log(heap[0][0])


def top(rng, logits, k):
    keys, found = logits + rng.gumbel(size=len(logits)), []
    for _ in range(k):
        found.append(int(keys.argmax()))
        keys[found[-1]] = -np.inf
    return tuple(found)


def alias(x, i):
    return i if x - i < ALIAS[0][i] else ALIAS[1][i]


def systematic(rng, weights):
    """Systematic resampling by one uniform number, with two pointers."""
    n, total, i, out = len(weights), weights[0], 0, []
    u = rng.random()
    for k in range(n):
        while total < (u + k) / n:
            i += 1
            total += weights[i]
        out.append(i)
    return tuple(out)


# A name, the function, its generator, its arguments, and its law.
CASES = [
    ("expovariate", lambda rng: min(range(4), key=lambda i: rng.expovariate(WEIGHTS[i])), random.Random, first(WEIGHTS)),
    ("weibullvariate", lambda rng: min(range(4), key=lambda i: rng.weibullvariate(1 / WEIGHTS[i] ** 2, 0.5)), random.Random, first(WEIGHTS)),
    ("log over weight", lambda rng: max(range(4), key=lambda i: math.log(rng.random()) / WEIGHTS[i]), random.Random, first(WEIGHTS)),
    ("keys", lambda rng: tuple(sorted(range(4), key=lambda i: -(rng.random() ** (1 / WEIGHTS[i])))), random.Random, plackett_luce(WEIGHTS, 4)),
    ("log of a log", lambda rng: max(range(4), key=lambda i: math.log(WEIGHTS[i]) - math.log(-math.log(1 - rng.random()))), random.Random, first(WEIGHTS)),
    ("largest", lambda rng: tuple(heapq.nlargest(2, range(4), key=lambda i: rng.random() ** (1 / WEIGHTS[i]))), random.Random, plackett_luce(WEIGHTS, 2)),
    ("A-Res", lambda rng: reservoir(rng, WEIGHTS, 2), random.Random, included(WEIGHTS, 2)),
    ("one minus u", lambda rng: rng.random() ** 0.5 < 1 - rng.random(), random.Random, {True: 1 / 3, False: 2 / 3}),
    ("equal and other weights", lambda rng: tuple(sorted(range(4), key=lambda i: rng.expovariate((2, 1, 2, 1)[i]))), random.Random, plackett_luce((2, 1, 2, 1), 4)),
    ("race, then a time", lambda rng: (lambda t: (t[0] < t[1], min(t) < 0.5))([rng.expovariate(1.0), rng.expovariate(2.0)]), random.Random,
     {(a, b): p * q for a, p in ((True, 1 / 3), (False, 2 / 3)) for b, q in ((True, -math.expm1(-1.5)), (False, math.exp(-1.5)))}),
    ("time, then a race", lambda rng: (lambda s, t: (s < t) if s > 0.5 else None)(rng.expovariate(1.0), rng.expovariate(2.0)), random.Random,
     {True: math.exp(-1.5) / 3, False: math.exp(-0.5) - math.exp(-1.5) / 3, None: -math.expm1(-0.5)}),
    ("alias, int", lambda rng: (lambda x: alias(x, int(x)))(4 * rng.random()), random.Random, dict(enumerate((0.5, 0.3, 0.15, 0.05)))),
    ("alias, modf", lambda rng: (lambda part, i: alias(part + i, int(i)))(*math.modf(4 * rng.random())), random.Random, dict(enumerate((0.5, 0.3, 0.15, 0.05)))),
    ("two inversions by one number", lambda rng: (lambda u: (bisect.bisect(CUMULATED, u), bisect.bisect(CUMULATED, 1 - u)))(rng.random()), random.Random,
     {(0, 1): 0.3, (0, 2): 0.15, (0, 3): 0.05, (1, 0): 0.3, (2, 0): 0.15, (3, 0): 0.05}),
    ("antithetic", lambda rng: (lambda u: (min(u, 1 - u) < 0.2, u + (1 - u)))(rng.random()), random.Random, {(True, 1.0): 0.4, (False, 1.0): 0.6}),
    ("sum of its own", lambda rng: (lambda u: (u + u / 2 < 0.3, 3 * u - (u + 1) < 0))(rng.random()), random.Random, {(True, True): 0.2, (False, True): 0.3, (False, False): 0.5}),
    ("systematic", lambda rng: systematic(rng, (0.5, 0.3, 0.2)), random.Random, {(0, 0, 1): 0.4, (0, 0, 2): 0.1, (0, 1, 2): 0.5}),
]
if np:
    W = np.array(WEIGHTS)
    MANY = np.linspace(-3, 3, 60)
    CASES += [
        ("argmin", lambda rng: (rng.exponential(size=4) / W).argmin(), GENERATOR, first(WEIGHTS)),
        ("probabilities over exponentials", lambda rng: np.argmax(W / rng.standard_exponential(4)), GENERATOR, first(WEIGHTS)),
        ("scale", lambda rng: np.argmin(rng.exponential(1 / W)), STATE, first(WEIGHTS)),
        ("gumbel", lambda rng: np.argmax((np.log(W) + rng.gumbel(size=4)) / 0.7), GENERATOR, first(WEIGHTS)),
        ("location", lambda rng: np.argmax(rng.gumbel(np.log(W))), GENERATOR, first(WEIGHTS)),
        ("global", lambda: np.argmax(np.log(W) - np.log(-np.log(np.random.rand(4)))), None, first(WEIGHTS)),
        ("rows", lambda rng: (np.log(W[:3]) + rng.gumbel(size=(2, 3))).argmax(axis=1), GENERATOR, {(a, b): p * q for a, p in first(WEIGHTS[:3]).items() for b, q in first(WEIGHTS[:3]).items()}),
        ("argsort", lambda rng: np.argsort(-(np.log(W) + rng.gumbel(size=4)))[:2], GENERATOR, plackett_luce(WEIGHTS, 2)),
        ("argpartition", lambda rng: np.argpartition(rng.exponential(size=4) / W, 2)[:2], GENERATOR, plackett_luce(WEIGHTS, 2)),
        ("set by argpartition", lambda rng: np.sort(np.argpartition(np.log(W) + rng.gumbel(size=4), -2)[-2:]), GENERATOR, included(WEIGHTS, 2)),
        ("top", lambda rng: top(rng, np.log(W), 3), GENERATOR, plackett_luce(WEIGHTS, 3)),
        ("many", lambda rng: np.argmax(MANY + rng.gumbel(size=60)), GENERATOR, dict(enumerate(np.exp(MANY) / math.fsum(np.exp(MANY))))),
        ("many equal", lambda rng: np.argmax(rng.normal(size=60)), GENERATOR, {k: 1 / 60 for k in range(60)}),
        ("weights of zero", lambda rng: [np.argmin(rng.exponential(size=4) / (0, 1, 0, 3)), np.argmax(np.log((0, 1, 0, 3)) + rng.gumbel(size=4)), np.argmax(rng.random(4) ** (1 / np.array((0.0, 1, 0, 3))))],
         GENERATOR, {(a, b, c): p * q * r for (a, p), (b, q), (c, r) in itertools.product(((1, 0.25), (3, 0.75)), repeat=3)}),
        ("least value", lambda rng: (rng.exponential(size=4) / W).min() < 0.3, GENERATOR, {True: -math.expm1(-0.3 * sum(WEIGHTS)), False: math.exp(-0.3 * sum(WEIGHTS))}),
        ("least value, twice", lambda rng: (lambda t: (bool(t < 0.3), bool(t < 0.1)))((rng.exponential(size=4) / W).min()), GENERATOR,
         {(True, True): -math.expm1(-0.1 * sum(WEIGHTS)), (True, False): math.exp(-0.1 * sum(WEIGHTS)) - math.exp(-0.3 * sum(WEIGHTS)), (False, False): math.exp(-0.3 * sum(WEIGHTS))}),
        ("both parts of argpartition", lambda rng: np.argpartition(rng.exponential(size=4) / W, 0), GENERATOR, parted(WEIGHTS)),
        ("two races", lambda rng: (rng.exponential(size=3) / (1, 2, 3)).min() < (rng.exponential(size=2) / (4, 5)).min(), GENERATOR, {True: 0.4, False: 0.6}),
        ("stratified", lambda rng: np.searchsorted((0.5, 0.8, 1), (np.arange(3) + rng.random(3)) / 3), GENERATOR,
         {(0, a, b): p * q for a, p in ((0, 0.5), (1, 0.5)) for b, q in ((1, 0.4), (2, 0.6))}),
        ("alias, arrays", lambda rng: (lambda x, i: np.where(x - i < np.array(ALIAS[0])[i], i, np.array(ALIAS[1])[i]))(*(lambda x: (x, x.astype(int)))(4 * rng.random(1))), GENERATOR,
         {(k,): p for k, p in enumerate((0.5, 0.3, 0.15, 0.05))}),
    ]


@unittest.skipUnless(np, "NumPy is not there")
class Races(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore", RuntimeWarning)  # of weights of zero

    def test_laws_are_exact(self):
        for name, f, kind, want in CASES:
            with self.subTest(name):
                law = breadboard.law(f, rng=kind)
                self.assertEqual(set(law), set(want))
                for outcome, p in want.items():
                    self.assertAlmostEqual(law[outcome], p, delta=2e-15)
                self.assertLess(law.remainder, 1e-15)

    def test_laws_are_those_of_real_generators(self):
        for name, f, kind, want in CASES:
            with self.subTest(name):
                rng, seen = np.random.default_rng(5) if kind is GENERATOR else (kind or np.random.seed)(5), {}
                for _ in range(RUNS):
                    outcome = laws.hashable(f() if kind is None else f(rng))
                    seen[outcome] = seen.get(outcome, 0) + 1
                self.assertLessEqual(set(seen), set(want))
                for outcome, p in want.items():
                    self.assertLessEqual(abs(seen.get(outcome, 0) - RUNS * p), bound(p), outcome)

    def test_branches(self):
        """The first of n numbers has n answers, as has systematic resampling of n particles."""
        n = 100 if LONG else 40
        weights = [k % 7 + 1 for k in range(n)]
        weights = [w / sum(weights) for w in weights]
        for f, want in ((lambda rng: np.argmax(MANY + rng.gumbel(size=60)), 60), (lambda rng: systematic(rng, weights), n),
                        (lambda rng: np.searchsorted(np.cumsum(weights), (rng.random() + np.arange(n)) / n), n),
                        (lambda rng: (MANY + rng.gumbel(size=60) + np.where(MANY < 0, -np.inf, 0)).argmax(), 30)):
            self.assertLessEqual(breadboard.law(f, most=200).branches, want)

    def test_hostile_rates(self):
        for rates in ((1e-300, 1e300, 1e299, 1e-10), (1e-160, 3e-160), (1e-300, 1e-300), (1e300, 3e300), (5.0,), (1.0, 1e-13)):
            for f in (lambda rng: np.argmin(rng.exponential(size=len(rates)) / rates), lambda rng: np.argmax(np.log(rates) + rng.gumbel(size=len(rates))),
                      lambda rng: min(range(len(rates)), key=lambda i: -math.log(rng.random()) / rates[i]), lambda rng: np.argsort(rng.exponential(1 / np.array(rates)))[0]):
                law = breadboard.law(f, cut=0.0)
                for k, p in first(rates).items():
                    self.assertLessEqual(abs(law.get(k, 0.0) - p), 4e-13 * p)  # of a logarithm of 690
        for shift in (0.0, 37.0, 1e4, -1e4):
            law = breadboard.law(lambda rng: np.argmax(rng.gumbel(size=3) + shift + np.array([0, 1, -1e4])))
            self.assertAlmostEqual(law[0], 1 / (1 + math.e), delta=1e-15)
        self.assertEqual(dict(breadboard.law(lambda rng: np.argsort(rng.exponential(size=0)))), {(): 1.0})
        self.assertIn("empty sequence", next(iter(breadboard.law(lambda rng: np.argmin(rng.exponential(size=0))).raised)))

    def test_a_race_without_a_closed_form_is_refused(self):
        two = lambda rng: rng.exponential(size=2) / (1, 2)
        for f in (lambda rng: rng.exponential() + rng.exponential() < 1, lambda rng: np.searchsorted(np.cumsum(two(rng)), 1),
                  lambda rng: (lambda s, t: (s < t, 3 * s < t))(*two(rng)), lambda rng: two(rng).mean() < 1, lambda rng: jumps(rng, WEIGHTS, 2),
                  lambda rng: (lambda u, v: (u**0.5 < v, (1 - u) ** 0.5 < v))(rng.random(), rng.random())):
            self.assertRaisesRegex(breadboard.Refused, "test_races.py:.*assert_samples.*conform draws", breadboard.law, f)
        self.assertRaises(breadboard.Refused, breadboard.law, lambda rng: np.argmax(rng.gumbel(size=3) + (1e17, 1e17 + 1, 0)))  # which floats round away

    def test_orders_by_chance(self):
        """Any comparisons of numbers with each other and with numbers, against draws of the real generator."""
        chance = random.Random(11)
        for case in range(60 if LONG else 12):
            weights, asked = np.array([chance.choice((1, 1, 2, 0.3)) for _ in range(4)]), [chance.choice(("pair", "pair", "time", "least")) for _ in range(3)]
            at = [chance.sample(range(4), 2) for _ in asked]

            def answers(rng):
                t = rng.exponential(size=4) / weights if case % 2 else -np.log(rng.random(4) ** (1 / weights))
                return [bool(t[i] < t[j]) if what == "pair" else bool(t[i] < 0.4) if what == "time" else int(t.argmin()) for what, (i, j) in zip(asked, at)]

            try:
                law = breadboard.law(answers)
            except breadboard.Refused as error:
                self.assertIn("closed form", str(error))
                continue
            rng, seen = np.random.default_rng(case), {}
            for _ in range(RUNS):
                outcome = tuple(answers(rng))
                seen[outcome] = seen.get(outcome, 0) + 1
            self.assertLessEqual(set(seen), set(law))
            for outcome, p in law.items():
                self.assertLessEqual(abs(seen.get(outcome, 0) - RUNS * p), bound(p), (case, outcome))

    def test_kernels_with_races(self):
        """Gibbs sampling by the Gumbel trick is an exact draw."""
        log_f = np.array([0.0, 1.0, -0.5, 2.0])
        P = breadboard.transition(lambda x, rng: np.argmax(log_f + rng.gumbel(size=4)), range(4))
        self.assertLess(abs(P - np.exp(log_f) / np.exp(log_f).sum()).max(), 1e-15)
        found = breadboard.kernel.check(lambda log_f, x, rng: int(np.argmax(log_f + rng.gumbel(size=4))), toy=log_f, beta=1)
        self.assertAlmostEqual({row["finding"]: row["value"] for row in found}["spectral_gap"], 1, delta=1e-12)
        wrong = lambda log_f, x, rng: int(np.argmax(log_f - rng.gumbel(size=4)))
        self.assertRaisesRegex(breadboard.Fault, "invariance", breadboard.kernel.check, wrong, toy=log_f, beta=1)

    def test_a_type_in_a_late_branch(self):
        self.assertRaisesRegex(breadboard.Refused, "floats inside", breadboard.law, lambda rng: (lambda k, u: k == 777 and (1 if type(u) is float else 2))(rng.integers(1000), rng.random()))

    def test_floats_that_are_equal(self):
        """What underflows, overflows or is rounded is refused where that may decide, and followed where another number decides."""
        keys = lambda w: lambda rng: max(range(len(w)), key=lambda i: rng.random() ** (1 / w[i]))
        arrays = lambda w: lambda rng: int(np.argmax(rng.random(len(w)) ** (1 / np.array(w))))
        shifted = lambda c: lambda rng: int(np.argmax(np.array([c, c + 1]) + rng.gumbel(size=2)))
        soonest = lambda w: lambda rng: int(np.argmin(rng.exponential(size=2) / np.array(w)))
        ratios = lambda w: lambda rng: int(np.argmax(np.array(w) / rng.exponential(size=2)))
        for f in (keys([5e-4, 1e-3]), keys([2e-3, 4e-3]), keys([1e15] * 2), arrays([1e-3, 1e-3, 2e-3]), shifted(1e15), soonest([4e-309, 1e-308]), ratios([1e308] * 2), ratios([5e-324] * 2)):
            self.assertRaisesRegex(breadboard.Refused, "compare logarithms", breadboard.law, f)
        for f, want in ((keys([0.02, 0.04]), 1 / 3), (arrays([5e-4, 5e-4, 0.9]), 5e-4 / 0.901), (arrays([1e5, 3e5]), 0.25), (shifted(1e6), 1 / (1 + math.e)), (soonest([1e-300, 3e-300]), 0.25), (ratios([1e300, 1e300]), 0.5)):
            self.assertAlmostEqual(breadboard.law(f)[0], want, delta=1e-12)

    def test_forms(self):
        """Steps of equal shape and other rates, whatever their way."""
        log, power, plus, times = ("log", None), lambda a: ("power", a), lambda a: ("plus", a), lambda a: ("times", a)
        for steps, want in (((power(0.5),), (False, 2.0)), ((log, times(-2.0)), (False, 0.5)), ((times(-1), plus(1), log, times(-0.25)), (True, 4.0)),
                            ((log, times(-1), log, plus(1.0)), (False, math.exp(-1))), ((log, times(-1), power(-1), times(3.0)), (False, 3.0))):
            found = races.form(steps)
            self.assertEqual(found.flip, want[0])
            self.assertAlmostEqual(found.rate[0] * math.exp(found.rate[1]), want[1], delta=1e-15)


if __name__ == "__main__":
    unittest.main()
