"""Tests of distributions as floats compute them, and of what PyTorch and JAX draw: `python3 -W error -m unittest test_floats` in this folder."""
import itertools
import math
import sys
import types
import unittest
import unittest.mock

import breadboard
from test_law import LONG, bound

np = breadboard._numpy.numpy
try:
    import torch
except ImportError:
    torch = None
RUNS = 100_000 if LONG else 5_000


def gumbel(u):
    return -np.log(-np.log(u))


def flipped(u):
    return -np.log(-np.log1p(-u))


def noise(rng, digits, n, least=0.0):
    """Uniform float32 numbers of some digits."""
    u = rng.integers(2**digits, size=n, dtype=np.uint32).astype(np.float32) * np.float32(2.0**-digits)
    return np.maximum(u, np.float32(least))


def logits(*p):
    return np.log(np.array(p)).astype(np.float32)


@unittest.skipIf(np is None, "NumPy is not here")
class Floats(unittest.TestCase):
    def same(self, f, want, bits="float32", **options):
        law = breadboard.law(f, bits=bits, **options)
        self.assertEqual({k for k, p in want.items() if p}, set(law))
        for outcome, p in law.items():
            self.assertAlmostEqual(p, want[outcome], delta=1e-12)
        return law

    def test_races_of_two_are_those_of_small_tables(self):
        """All pairs of values are tried, which needs fewer digits."""
        k = np.arange(2**10)
        for place, (shift, form) in itertools.product((0, 1), ((-3.0, gumbel), (0.0, flipped), (-1.0, lambda u: np.floor(8 * u) / np.float32(8)), (-0.125, lambda u: u), (-np.inf, gumbel))):
            shifts = np.array([0, 0], np.float32)
            shifts[place] = shift
            with np.errstate(all="ignore"):
                values = form(k.astype(np.float32) * np.float32(2.0**-10)) + shifts[:, None]
            table = np.argmax(np.stack(np.meshgrid(*values, indexing="ij")), axis=0)
            want = {j: float((table == j).mean()) for j in (0, 1)}

            def f(rng):  # as many values, of more digits that are thrown away
                u = np.right_shift(rng.integers(2**18, size=2, dtype=np.uint32), 8).astype(np.float32) * np.float32(2.0**-10)
                with np.errstate(all="ignore"):
                    return np.argmax(form(u) + shifts)

            with self.subTest(place=place, shift=shift):
                self.same(f, want)

    def test_races_of_three_and_argmin(self):
        """Ties go to the first, of which few values make many."""
        few = lambda rng: np.floor(np.right_shift(rng.integers(2**18, size=3, dtype=np.int32), 14) / np.float32(3))
        values = np.floor(np.arange(16) / np.float32(3))
        for place in (np.argmax, np.argmin):
            want = {}
            for triple in itertools.product(values, repeat=3):
                want[int(place(triple))] = want.get(int(place(triple)), 0) + 1 / 16**3
            self.same(lambda rng: place(few(rng)), want)

    def test_table_of_small_probabilities(self):
        """The share that is drawn of a second token, by uniform numbers of 23 digits."""
        tiny = np.finfo(np.float32).tiny
        for x, low, high in ((16, 0.562162, 1.621459), (21, 0, 157.215)) if not LONG else ((12, 0.990340, 1.009731), (14, 0.930041, 1.073392), (16, 0.562162, 1.621459), (18, 0.0031314, 7.830399), (21, 0, 157.215)):
            p = math.exp(-x)
            for form, want in ((gumbel, low), (flipped, high)):
                law = breadboard.law(lambda rng: np.argmax(logits(1 - p, p) + form(noise(rng, 23, 2, tiny))), bits="float32")
                self.assertAlmostEqual(law.get(1, 0) / p, want, delta=2e-5 * max(1, want))

    def test_zero_is_an_infinite_number(self):
        """-log(-log u) of zero loses against all, so that the rarest token wins then; a masked token with an infinite number is NaN, which argmax takes."""
        p = math.exp(-21)
        with np.errstate(all="ignore"):
            law = breadboard.law(lambda rng: np.argmax(logits(1 - p, p) + gumbel(noise(rng, 23, 2))), bits="float32")
            self.assertAlmostEqual(law[1] * 2**23, 1, delta=1e-6)
            masked = np.array([0, -np.inf], np.float32)
            law = breadboard.law(lambda rng: np.argmax(masked + flipped(noise(rng, 23, 2))), bits="float32")
            self.assertAlmostEqual(law[1] * 2**23, 1, delta=1e-6)

    def test_decisions_on_one_number(self):
        n = 2**24
        below = math.ceil(0.3 * n) / n
        self.same(lambda rng: rng.random() < 0.3, {True: below, False: 1 - below})
        self.same(lambda rng: rng.random(2, dtype=np.float32) < np.float32(0.5), {pair: 0.25 for pair in itertools.product((False, True), repeat=2)}, "float64")
        self.same(lambda rng: (lambda u: (u < 0.3, u < 0.5, int(u * 4)))(rng.random()), {(True, True, 0): 0.25, (True, True, 1): 0.05, (False, True, 1): 0.2, (False, False, 2): 0.25, (False, False, 3): 0.25}, "float64")
        self.same(lambda rng: np.searchsorted(np.cumsum([0.1, 0.2, 0.7]), rng.random()), {0: 0.1, 1: 0.2, 2: 0.7}, "float64")
        self.same(lambda rng: np.argmax(np.cumsum([0.125, 0.25, 0.625]) > rng.random()), {0: 0.125, 1: 0.25, 2: 0.625}, "float64")
        self.same(lambda rng: (np.cumsum([0.25, 0.25]) < rng.random()).sum(), {0: 0.25, 1: 0.25, 2: 0.5}, "float64")
        self.same(lambda rng: (lambda u: bool((u > 0.25) & (u < 0.75)))(rng.random()), {True: 0.5, False: 0.5}, "float64")
        many = n if LONG else 2**20
        self.same(lambda rng: int(rng.integers(many) % 10), {k: (many // 10 + (k < many % 10)) / many for k in range(10)})
        self.same(lambda rng: int(rng.integers(2**40) >> 38), {k: 0.25 for k in range(4)})
        self.same(lambda rng: rng.random() < rng.random(), {True: (1 - 1 / n) / 2, False: (1 + 1 / n) / 2})
        small = 2**18  # with more digits the rest takes as many seconds
        self.same(lambda rng: rng.integers(small) <= rng.integers(small), {True: (1 + 1 / small) / 2, False: (1 - 1 / small) / 2})
        self.assertAlmostEqual(breadboard.law(lambda rng: rng.random() == 0.5, bits="float64", cut=0)[True] * 2**53, 1)
        self.assertAlmostEqual(breadboard.law(lambda rng: rng.random() == 0, bits="float64", cut=0)[True] * 2**53, 1)

        self.same(lambda rng: (noise(rng, 18, 1)[0] < 0.25) & (noise(rng, 18, 1)[0] < 0.5), {True: 1 / 8, False: 7 / 8})
        self.same(lambda rng: np.logical_or(*(noise(rng, 18, 2) < [0.25, 0.5])), {True: 5 / 8, False: 3 / 8})

        def replaced(rng):
            u = noise(rng, 18, 2, 1e-30).copy()
            u[0] = 0.25
            return np.argmax(u)

        self.same(replaced, {0: 0.25 + 1 / small, 1: 0.75 - 1 / small})

        def clamped(rng):
            u = noise(rng, 18, 3)
            u[u == 0] = 0.5
            return (u < 2.0**-17).any()

        self.assertAlmostEqual(breadboard.law(clamped, bits="float32")[True], 1 - (1 - 1 / small) ** 3, delta=1e-12)

    def test_double_precision(self):
        """Of 2^53 values intervals are looked at: what they leave open is the remainder, and it holds the exact value."""
        for n, weights in ((2, [1 - 1e-9, 1e-9]), (4, [0.5, 0.25, 0.125, 0.125]), (30, [1 / 30] * 30)):
            law = breadboard.law(lambda rng: np.argmax(np.log(weights) + rng.gumbel(size=n)), bits="float64", cut=0)
            self.assertLess(law.remainder, 1e-4)
            for k, p in enumerate(weights):
                self.assertTrue(-1e-15 < p - law[k] < 2e-4 * p, (n, k, law[k]))

    def test_laws_are_those_of_real_generators(self):
        coarse = lambda rng, n: np.floor(noise(rng, 18, n) * np.float32(8)) / np.float32(8)
        for f in (lambda rng: np.argmax(coarse(rng, 3)), lambda rng: np.argmin(coarse(rng, 2) / np.array([1, 2], np.float32)), lambda rng: np.argmax(logits(0.5, 0.3, 0.2) + gumbel(noise(rng, 18, 3, 1e-30))),
                  lambda rng: np.argmin(rng.standard_exponential(3, dtype=np.float32, method="inv") / np.array([1, 2, 3], np.float32)), lambda rng: np.argmax(coarse(rng, (2, 2)), axis=1)):
            law, rng, seen = breadboard.law(f, bits="float32"), np.random.default_rng(1), {}
            for _ in range(RUNS):
                outcome = breadboard._law.laws.hashable(f(rng))
                seen[outcome] = seen.get(outcome, 0) + 1
            for outcome, p in law.items():
                self.assertLessEqual(abs(seen.get(outcome, 0) - RUNS * p), bound(p) + RUNS * law.remainder, outcome)

    def test_vocabularies(self):
        """All values of all numbers in order, where few digits suffice for that: each takes its place as the first of the largest, one after the other."""
        k, shifts = np.arange(2**12), np.random.default_rng(3).normal(0, 2, 40 if LONG else 16)
        for form, tail, many in ((gumbel, np.add, shifts), (gumbel, np.add, 0 * shifts), (gumbel, np.add, np.round(shifts)), (gumbel, np.add, np.where(shifts < 0, -np.inf, shifts)), (gumbel, np.add, np.append(shifts, 1e4)),
                                 (lambda u: 1 / -np.log(u), np.multiply, np.exp(shifts)), (lambda u: np.log(u), np.divide, np.exp(shifts)), (flipped, np.add, shifts)):
            for kind in (np.float32, np.float64):
                many = many.astype(kind)
                u = lambda drawn: np.maximum(np.right_shift(drawn, 1).astype(np.float32) * np.float32(2.0**-12), np.float32(2.0**-20 if form is not flipped else 0))
                f = lambda rng: np.argmax(tail(form(u(rng.integers(2**13, size=len(many), dtype=np.int32))), many))
                with np.errstate(all="ignore"), unittest.mock.patch("breadboard._law.floats.MOST_VALUES", 2**10):
                    values = tail(form(u(2 * k)), many[:, None])
                    law = breadboard.law(f, bits="float32", cut=0.0)
                order = np.lexsort((-np.repeat(np.arange(len(many)), len(k)), values.ravel()))
                below, want = np.zeros(len(many)), np.zeros(len(many))
                for j in (order // len(k)).tolist():
                    below[j] += 1 / len(k)
                    want[j] += np.prod(below) / below[j] / len(k)
                for j, p in enumerate(want.tolist()):
                    low, high = law.interval(j)
                    self.assertTrue(low * (1 - 1e-10) <= p <= high * (1 + 1e-10) + 1e-300, (j, low, p, high))
                self.assertLess(law.remainder, 1e-9, (form, tail, kind))

    def test_filters_and_shapes_of_vocabularies(self):
        """What is left out before or after the noise, in whatever shape, leaves the probabilities of a row of all; rows are independent of each other."""
        shifts = np.random.default_rng(3).normal(0, 2, 12).astype(np.float32)
        u = lambda rng, shape: np.maximum(rng.integers(2**12, size=shape, dtype=np.int32).astype(np.float32) * np.float32(2.0**-12), np.float32(2.0**-20))
        kept, masked = np.argsort(shifts)[3:], np.where(shifts < np.sort(shifts)[3], np.float32(-np.inf), shifts)

        def in_place(rng):
            logits = masked.copy()
            logits += gumbel(u(rng, 12))
            return np.argmax(logits)

        def after(at, value):
            def f(rng):
                scores = shifts + gumbel(u(rng, 12))
                scores[at] = value
                return np.argmax(scores)

            return f

        with np.errstate(all="ignore"), unittest.mock.patch("breadboard._law.floats.MOST_VALUES", 2**10):
            law = lambda f: breadboard.law(f, bits="float32", cut=0.0)
            want = law(lambda rng: np.argmax(masked + gumbel(u(rng, 12))))
            self.assertEqual((len(want), want.remainder < 1e-9), (9, True))
            for f in (in_place, after(masked == -np.inf, -np.inf), after(np.argsort(shifts)[:3], np.float32(-1e9)), lambda rng: kept[np.argmax(shifts[kept] + gumbel(u(rng, 9)))], lambda rng: np.argmax(masked[None, :] + gumbel(u(rng, (1, 12))), axis=-1)[0],
                      lambda rng: (masked + gumbel(u(rng, 12))).reshape(3, 4).argmax(), lambda rng: np.argmax((masked + gumbel(u(rng, (12, 1))).T)[0]), lambda rng: np.argmax((masked[:, None] + gumbel(u(rng, (12, 1)))).ravel())):
                self.assertLess(law(f).distance(want), 1e-9)
            order = np.sort(kept)  # of equal numbers the first wins, which is another one in another order
            self.assertLess(law(lambda rng: order[np.argmax((shifts + gumbel(u(rng, 12)))[order])]).distance(want), 1e-9)
            pair = law(lambda rng: np.argmax(shifts[:10].reshape(2, 5) + gumbel(u(rng, (2, 5))), axis=1))
            rows = [law(lambda rng: np.argmax(row + gumbel(u(rng, 5)))) for row in shifts[:10].reshape(2, 5)]
            self.assertLess(pair.distance({(i, j): p * q for i, p in rows[0].items() for j, q in rows[1].items()}), 1e-9)
            for f in (lambda rng: np.argmax((shifts + gumbel(u(rng, 12)))[[0, *range(12)]]), lambda rng: np.argmax(np.zeros((2, 12), np.float32) + u(rng, 12), axis=1)):
                with self.assertRaisesRegex(breadboard.Refused, "same uniform one|used again"):
                    law(f)
            half = lambda cut: breadboard.law(lambda rng: np.argmax(masked + gumbel(u(rng, 12))) > 4, bits="float32", cut=cut)
            with unittest.mock.patch("breadboard._law.vocabulary.EVENTS", 2**12), unittest.mock.patch("breadboard._law.vocabulary.STEP", 0.1):
                whole, part = half(0.0), half(0.04)
            self.assertGreater(part.remainder, 0.005)
            for outcome, p in half(0.0).items():
                low, high = whole.interval(outcome)
                self.assertTrue(low <= p <= high < low * 1.001, (low, p, high))
                self.assertTrue(part.get(outcome, 0) <= p <= part.interval(outcome)[1], (outcome, p, part.interval(outcome)))
            with self.assertRaisesRegex(breadboard.Refused, "write to the array itself"):
                law(lambda rng: (scores := shifts + gumbel(u(rng, (1, 12))), scores[0].__setitem__(0, 9), np.argmax(scores))[2])
            with self.assertRaisesRegex(breadboard.Refused, "another kind or shape"):
                law(lambda rng: np.add(masked, u(rng, 12), out=np.zeros((2, 12))))

    def test_intervals_of_what_is_cut_and_of_what_there_is_no_time_for(self):
        shifts = np.append(np.random.default_rng(3).normal(0, 1, 20), [-40.0, -41.0]).astype(np.float32)
        f = lambda rng: np.argmax(np.where(np.arange(22) < 20, np.float32(0), shifts) + gumbel(noise(rng, 18, 22, 2.0**-20)))
        law = breadboard.law(f, bits="float32")
        self.assertEqual(set(law), set(range(20)))
        for j in range(20):
            low, high = law.interval(j)
            self.assertLess(high / low - 1, 1e-5)
        self.assertTrue(0 < law.interval(21)[1] < 1e-15 < law.remainder)
        ticks = itertools.count(0, 2e10)
        with unittest.mock.patch("breadboard._law.vocabulary.time", types.SimpleNamespace(monotonic=lambda: next(ticks))), unittest.mock.patch("breadboard._law.vocabulary.EVERY", math.inf):
            early = breadboard.law(f, bits="float32", seconds=1e12)
        self.assertTrue(0.01 < early.remainder < 0.99)
        for j in range(20):
            (low, high), p = early.interval(j), law[j]
            self.assertTrue(low < p < high, (low, p, high))
        with self.assertRaisesRegex(breadboard.Open, "more seconds= leave less"):
            early.mean()

    def test_cumulative_sums(self):
        p = np.random.default_rng(4).random(300 if LONG else 100).astype(np.float32)
        p /= p.sum()

        def loop(rng):
            u, acc = rng.random(), np.float32(0)
            for i, q in enumerate(p):
                acc += q
                if u < acc:
                    return i
            return len(p) - 1

        def taken_away(rng):  # more often than Python nests calls
            u = rng.random()
            for _ in range(1200):
                u -= np.float32(2.0**-12)
            return u < 0.5

        self.same(taken_away, {True: 0.5 + 1200 / 2**12, False: 0.5 - 1200 / 2**12})
        edges = np.append(np.cumsum(p)[:-1], np.float32(2))
        want = np.diff(np.ceil(np.minimum(edges.astype(float), 1) * 2**24), prepend=0) / 2**24
        for f in (loop, lambda rng: np.searchsorted(edges, rng.random(), side="right"), lambda rng: np.argmax(edges > rng.random()), lambda rng: (edges <= rng.random()).sum(), lambda rng: np.flatnonzero(edges > rng.random())[0]):
            self.same(f, dict(enumerate(want.tolist())))

    def test_refusals(self):
        for why, f in (("100000 values", lambda rng: rng.random()), ("by arithmetic", lambda rng: rng.random() + rng.random() < 1), ("100000 values", lambda rng: np.sort(rng.random(3))), ("ziggurat", lambda rng: rng.exponential()),
                       ("used again", lambda rng: (lambda u: (u[0] < u[1], u[0] < 0.5))(rng.random(2))), ("to rise, or to fall", lambda rng: int(rng.integers(2**40) % 2)), ("same uniform one", lambda rng: np.argmax(rng.random(2)[[0, 0, 1]])),
                       ("to rise, or to fall", lambda rng: np.abs(rng.random() - 0.5) < 1e-9), ("equal", lambda rng: rng.random() == rng.random()), ("assert_samples, or conform draws", lambda rng: rng.random(3).std())):
            with self.assertRaisesRegex(breadboard.Refused, why):
                breadboard.law(f, bits="float64")
        with unittest.mock.patch("breadboard._law.floats.MOST_RACING", 8), self.assertRaisesRegex(breadboard.Refused, "9 random numbers with 2.53 values .* at most 8"):
            breadboard.law(lambda rng: np.argmax(np.arange(9) + rng.random(9)), bits="float64")
        with unittest.mock.patch("breadboard._law.floats.WORK", 2**10), self.assertRaisesRegex(breadboard.Refused, "more than 32 numbers; write np.searchsorted"):
            breadboard.law(lambda rng: np.argmax(np.arange(40) / 40 > rng.random()), bits="float32")
        for options, why in ((dict(bits="float16"), "bits= is 'float16'"), (dict(bits="float32", exact=True), "leave one of them out"), (dict(bits="float32", rng=np.random.RandomState), "for a numpy.random.Generator")):
            with self.assertRaisesRegex(ValueError, why):
                breadboard.law(lambda rng: 0, **options)
        self.assertEqual(list(breadboard.law(lambda rng: np.argmax(rng.random(0)), bits="float32").raised), ["ValueError: attempt to get argmax of an empty sequence"])
        law = breadboard.law(lambda rng: int(rng.random() < 0.25), bits="float32")
        self.assertEqual([int(law.witness(k).random() < 0.25) for k in (0, 1)], [0, 1])


def counts(f, runs):
    seen = {}
    for _ in range(runs):
        outcome = breadboard._law.laws.hashable(f())
        seen[outcome] = seen.get(outcome, 0) + 1
    return seen


def in_order(weights, n):
    """The law of n draws without replacement."""
    law = {}
    for places in itertools.permutations(range(len(weights)), n):
        p, left = 1.0, sum(weights)
        for k in places:
            p, left = p * weights[k] / left if p else 0.0, left - weights[k]
        law[places] = p
    return {places: p for places, p in law.items() if p}


@unittest.skipIf(torch is None, "PyTorch is not here")
class Torch(unittest.TestCase):
    def cases(self):
        w = torch.tensor([1.0, 2.0, 0.0, 1.0])
        categorical = torch.distributions.Categorical
        return [
            (lambda: torch.multinomial(w, 1), {(0,): 0.25, (1,): 0.5, (3,): 0.25}), (lambda: w.double().multinomial(2), in_order([1, 2, 0, 1], 2)),
            (lambda: torch.multinomial(w, 2, True), {(a, b): w[a].item() * w[b].item() / 16 for a in (0, 1, 3) for b in (0, 1, 3)}), (lambda: torch.multinomial(torch.ones(1), 1), {(0,): 1}),
            (lambda: torch.multinomial(torch.stack([w, 1 - w.clamp(max=1)]), 1).reshape(-1), {(0, 2): 0.25, (1, 2): 0.5, (3, 2): 0.25}),
            (lambda: torch.bernoulli(torch.tensor([0.25, 1])), {(0, 1): 0.75, (1, 1): 0.25}), (lambda: torch.zeros(2).bernoulli(0.25).sum().item(), {0: 9 / 16, 1: 6 / 16, 2: 1 / 16}),
            (lambda: torch.tensor([0.25, 0.5]).gt(torch.rand(2)), {(a, b): (0.25 if a else 0.75) / 2 for a in (False, True) for b in (False, True)}),
            (lambda: 1 if torch.rand(1) <= 0.25 else 0, {1: 0.25 + 2.0**-24, 0: 0.75 - 2.0**-24}), (lambda: torch.rand(1).item() < 0.7, {True: math.ceil(0.7 * 2**24) / 2**24, False: 1 - math.ceil(0.7 * 2**24) / 2**24}),
            (lambda: (torch.rand(1) < 0.7).item(), {True: 11744051 / 2**24, False: 1 - 11744051 / 2**24}), (lambda: torch.rand(2, dtype=torch.float64)[0] >= 0.25, {True: 0.75, False: 0.25}),
            (lambda: torch.randint(2, 4, (2,)), {(a, b): 0.25 for a in (2, 3) for b in (2, 3)}), (lambda: torch.randint(3, size=(1,)), {(k,): 1 / 3 for k in range(3)}), (lambda: torch.randint(1, high=3, size=()), {1: 0.5, 2: 0.5}),
            (lambda: torch.randperm(3), {places: 1 / 6 for places in itertools.permutations(range(3))}), (lambda: torch.randperm(0), {(): 1}),
            (lambda: categorical(torch.tensor([0.25, 0.75])).sample(), {0: 0.25, 1: 0.75}), (lambda: categorical(torch.eye(2)).sample((2,)), {((0, 1), (0, 1)): 1}),
            (lambda: torch.distributions.Bernoulli(0.25).sample(), {0: 0.75, 1: 0.25}), (lambda: torch.arange(3)[torch.rand(3) < 0.5].sum(), {0: 1 / 4, 1: 1 / 4, 2: 1 / 4, 3: 1 / 4}),
        ]

    def test_races(self):
        """The lines by which code for inference draws tokens: as of real numbers, whose odds have single precision."""
        w = torch.tensor([1.0, 2.0, 0.0, 1.0])
        gumbel = torch.distributions.Gumbel
        for i, (f, want) in enumerate([
            (lambda: torch.argmax(w / torch.empty_like(w).exponential_(1)).item(), {0: 0.25, 1: 0.5, 3: 0.25}),
            (lambda: (w.log() - (-torch.rand_like(w).log()).log()).argmax(-1), {0: 0.25, 1: 0.5, 3: 0.25}),
            (lambda: torch.argmax(torch.log(w) - torch.log(-torch.log(torch.rand(4)))).item(), {0: 0.25, 1: 0.5, 3: 0.25}),
            (lambda: torch.argmax(w.reshape(2, 2) / torch.empty(2, 2).exponential_(), dim=1), {(0, 1): 1 / 3, (1, 1): 2 / 3}),
            (lambda: torch.distributions.Exponential(w[:2]).sample().argmin().item(), {0: 1 / 3, 1: 2 / 3}),
            (lambda: gumbel(w[:2].log(), torch.ones(2)).sample().argmax().item(), {0: 1 / 3, 1: 2 / 3}),
            (lambda: torch.argmax(w.log() + gumbel(0.0, 1.0).sample((4,))).item(), {0: 0.25, 1: 0.5, 3: 0.25}),
            (lambda: (2 - torch.rand(2, dtype=torch.float64)).argmin().item(), {0: 0.5, 1: 0.5}),
        ]):
            with self.subTest(i):
                law = breadboard.law(f, rng=None)
                self.assertEqual(set(law), set(want))
                for outcome, p in want.items():
                    self.assertAlmostEqual(law[outcome], p, delta=1e-6)
                torch.manual_seed(1)
                drawn = [breadboard._law.laws.hashable(f()) for _ in range(4000)]
                for outcome, p in want.items():
                    self.assertLess(abs(drawn.count(outcome) / 4000 - p), 0.05)  # 6 standard errors

    def test_laws(self):
        for i, (f, want) in enumerate(self.cases()):
            with self.subTest(i):
                law = breadboard.law(f, rng=None)
                self.assertEqual(set(law), set(want))
                for outcome, p in want.items():
                    self.assertAlmostEqual(law[outcome], p, delta=1e-15)
                torch.manual_seed(1)
                for outcome, n in counts(f, RUNS).items():
                    self.assertLessEqual(abs(n - RUNS * want[outcome]), bound(want[outcome]), outcome)
        self.assertEqual(breadboard.law(lambda g: torch.multinomial(torch.ones(2), 1, generator=g).item(), rng=torch.Generator), {0: 0.5, 1: 0.5})

    def test_errors_are_those_of_torch(self):
        w = torch.tensor([1.0, 2.0])
        for f in (lambda: torch.multinomial(-w, 1), lambda: torch.multinomial(w * math.nan, 1), lambda: torch.multinomial(w * 0, 1), lambda: torch.multinomial(w, 3), lambda: torch.multinomial(w.long(), 1), lambda: torch.bernoulli(w),
                  lambda: torch.multinomial(torch.zeros(0), 1), lambda: torch.randint(3, 3, (1,))):
            with self.assertRaises(RuntimeError) as real:
                f()
            self.assertEqual(list(breadboard.law(f, rng=None).raised), ["RuntimeError: %s" % real.exception])

    def test_refusals(self):
        w, mine = torch.tensor([1.0, 0.0]), torch.Generator()
        before = torch.get_rng_state()
        for why, f in (("rng=torch.Generator", lambda: torch.rand(1, generator=mine) < 0.5), ("manual_seed", lambda: torch.manual_seed(0)), ("draws into a tensor that has a name", lambda: (lambda q: (q.exponential_(), torch.argmax(w / q))[1])(torch.ones(2))), ("lt of", lambda: torch.ones(1).exponential_() < 1.0), ("torch.max", lambda: torch.max(torch.ones(2).exponential_())), ("randn", lambda: torch.randn(1) < 0),
                       ("fewer of them", lambda: torch.multinomial(w, 2)), ("tolist of", lambda: torch.rand(2) + 1), ("tolist of", lambda: torch.log(torch.rand(2))), ("equal", lambda: torch.rand(1) < torch.rand(1)),
                       ("less than single", lambda: torch.rand(1, dtype=torch.bfloat16) < 0.5), ("equally likely", lambda: torch.randint(2**40, (1,)))):
            with self.assertRaisesRegex(breadboard.Refused, why):
                breadboard.law(f, rng=None)
        self.assertTrue(torch.equal(before, torch.get_rng_state()))
        with self.assertRaises(breadboard.Refused):
            breadboard.law(lambda: torch.nn.functional.dropout(torch.ones(8)).sum().item(), rng=None)
        self.assertNotIn("multinomial", vars(torch.Tensor))


def jax_of_numpy():
    """A module with the documented functions of jax.random that are followed. A key is a pair of numbers of which NumPy makes a generator."""
    jax, own = types.ModuleType("jax"), types.ModuleType("jax.random")
    jax.random, jax.numpy = own, types.SimpleNamespace(asarray=lambda a: np.asarray(a, np.float32) if np.asarray(a).dtype == float else np.asarray(a))
    rng = lambda key: np.random.default_rng([int(k) for k in key])
    own.PRNGKey = lambda seed: np.array([0, seed])
    own.split = lambda key, num=2: rng(key).integers(2**32, size=(num, 2))
    own.fold_in = lambda key, data: np.random.default_rng([*map(int, key), data]).integers(2**32, size=2)
    own.uniform = lambda key, shape=(): np.floor(rng(key).random(shape) * 2.0**23) / 2.0**23
    own.bernoulli = lambda key, p=0.5, shape=None: rng(key).random(np.shape(p) if shape is None else shape) < p
    own.categorical = lambda key, logits, axis=-1, shape=None: np.argmax(np.moveaxis(np.asarray(logits, float), axis, -1) + rng(key).gumbel(size=(shape or np.delete(np.shape(logits), axis).tolist()) + [np.shape(logits)[axis]]), -1)
    own.choice = lambda key, a, shape=(), replace=True, p=None, axis=0: rng(key).choice(a, shape, replace, None if p is None else np.asarray(p) / np.sum(p), axis)
    own.permutation = lambda key, x, axis=0, independent=False: rng(key).permutation(x, axis)
    own.randint = lambda key, shape, minval, maxval: rng(key).integers(minval, np.maximum(maxval, minval + 1), shape)
    own.normal = lambda key, shape=(): rng(np.asarray(key.__jax_array__() if hasattr(key, "__jax_array__") else key)).normal(size=shape)
    return jax


@unittest.skipIf(np is None, "NumPy is not here")
class Jax(unittest.TestCase):
    def setUp(self):
        self.jax = jax_of_numpy()
        patch = unittest.mock.patch.dict(sys.modules, {"jax": self.jax, "jax.random": self.jax.random})
        patch.start()
        self.addCleanup(patch.stop)

    def law(self, f):
        return breadboard.law(f, rng=self.jax.random.PRNGKey)

    def test_laws(self):
        r, log = self.jax.random, np.log([0.25, 0.75])

        def chain(key):
            x = 0
            for _ in range(2):
                key, sub = r.split(key)
                x += int(r.bernoulli(sub, 0.25))
            return x

        cases = [
            (lambda key: r.categorical(key, log), {0: 0.25, 1: 0.75}), (lambda key: r.categorical(key, np.array([log, [0, -np.inf]])), {(0, 0): 0.25, (1, 0): 0.75}),
            (lambda key: r.categorical(key, np.array([log, log + 1]).T, axis=0), {(a, b): (0.25, 0.75)[a] * (0.25, 0.75)[b] for a in (0, 1) for b in (0, 1)}),
            (lambda key: r.bernoulli(key, np.array([0.0, 0.25, 1])), {(False, False, True): 0.75, (False, True, True): 0.25}), (lambda key: r.bernoulli(key), {True: 0.5, False: 0.5}),
            (lambda key: r.choice(key, 3, (2,), False), in_order([1, 1, 1], 2)), (lambda key: r.choice(key, np.array([5, 6]), p=np.array([0.25, 0.75])), {5: 0.25, 6: 0.75}),
            (lambda key: r.choice(key, 3, (2,), False, np.array([0.5, 0.25, 0.25])), in_order([2, 1, 1], 2)), (lambda key: r.permutation(key, 3), {places: 1 / 6 for places in itertools.permutations(range(3))}),
            (lambda key: r.randint(key, (2,), 0, 2), {(a, b): 0.25 for a in (0, 1) for b in (0, 1)}), (lambda key: r.randint(key, (), 3, 3), {3: 1}), (chain, {0: 9 / 16, 1: 6 / 16, 2: 1 / 16}),
            (lambda key: r.uniform(key, (2,)) < np.float32(0.25), {(a, b): (0.25 if a else 0.75) * (0.25 if b else 0.75) for a in (False, True) for b in (False, True)}),
            (lambda key: r.uniform(key) <= 0.25, {True: 0.25 + 2.0**-23, False: 0.75 - 2.0**-23}), (lambda key: bool(r.bernoulli(key) == r.bernoulli(key)), {True: 1}),
            (lambda key: tuple(bool(r.bernoulli(r.fold_in(key, i))) for i in (0, 1, 0)), {(a, b, a): 0.25 for a in (False, True) for b in (False, True)}),
            (lambda key: (lambda a, b: (bool(r.bernoulli(a[0])), bool(r.bernoulli(b[0]))))(r.split(key), r.split(key)), {(True, True): 0.5, (False, False): 0.5}),
        ]
        for i, (f, want) in enumerate(cases):
            with self.subTest(i):
                law = self.law(f)
                self.assertEqual(set(law), set(want))
                for outcome, p in want.items():
                    self.assertAlmostEqual(law[outcome], p, delta=1e-15)
                keys = iter(range(10**9))
                for outcome, n in counts(lambda: f(r.PRNGKey(next(keys))), RUNS // 5).items():
                    self.assertLessEqual(abs(n - RUNS // 5 * want[outcome]), bound(want[outcome]), outcome)
        self.assertEqual(self.law(lambda key: int(r.randint(r.PRNGKey(7), (), 0, 1000))), {int(r.randint(r.PRNGKey(7), (), 0, 1000)): 1})

    def test_refusals(self):
        r = self.jax.random
        for why, f in (("two things", lambda key: (r.bernoulli(key), r.split(key))), ("two things", lambda key: (r.bernoulli(key), r.bernoulli(key, 0.25))), ("two things", lambda key: (r.split(key), r.split(key, 3))),
                       ("otherwise than", lambda key: r.normal(key)), ("otherwise than", lambda key: np.asarray(key) + 1), ("taken apart", lambda key: key[0]), ("array of keys", lambda key: r.split(key, (2, 2))),
                       ("fewer of them", lambda key: r.choice(key, 2, (2,), False, np.array([1.0, 0]))), ("no numbers", lambda key: r.categorical(key, np.array([0, np.nan]))), ("independent", lambda key: r.permutation(key, np.eye(2), independent=True)),
                       ("only its comparison", lambda key: r.uniform(key) + 1)):
            with self.subTest(why), self.assertRaisesRegex(breadboard.Refused, why):
                self.law(f)
        with self.assertRaisesRegex(breadboard.Open, "no witnesses"):
            self.law(lambda key: r.bernoulli(key)).witness(True)


if __name__ == "__main__":
    unittest.main()
