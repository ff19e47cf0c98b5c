"""Tests of exact laws of functions that take a generator: `python3 -W error -m unittest test_law` in this folder."""
import bisect
import builtins
import collections
import concurrent.futures
import contextlib
import copy
import datetime
import doctest
import functools
import inspect
import io
import itertools
import math
import multiprocessing
import operator
import os
import queue
import random
import secrets
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time
import types
import unittest
import unittest.mock
import uuid
import weakref
from fractions import Fraction as F
from functools import partial
from os import urandom
from random import random as held_random

import breadboard
from breadboard._law import generators, laws, lazy, loops, tree
from breadboard._serve import kernels

np = breadboard._numpy.numpy
GENERATOR, STATE = (np.random.Generator, np.random.RandomState) if np else (None, None)
LONG = "BREADBOARD_LONG" in os.environ  # try all cases, and more runs
RUNS = 100_000 if LONG else 5_000
ALARM = 1e-9  # the probability of a false alarm of each outcome, by Bernstein's inequality


numbers_of_calls = {}


class Once:
    """A module at which an interrupt comes while what was replaced is put back."""

    times = 0

    def __getattribute__(self, name):
        if name == "__dict__":
            Once.times += 1
            if Once.times == 2:
                raise KeyboardInterrupt
            return {}
        raise AttributeError(name)


def drawn_of_one(*_):
    return random.random() < 0.01


def until_not_three(rng):
    while True:
        k = rng.integers(4)
        if k != 3:
            return k


def noted(tries):
    tries.append(1)


def stretch(rng, a=2.0):
    """The factor of emcee's stretch move."""
    return bool(((a - 1.0) * rng.random(size=1) + 1) ** 2.0 / a < 1)


def residual(weights, rng, forgotten):
    """Residual resampling of three particles; with forgotten the whole parts are those of the weights themselves."""
    n = len(weights)
    whole = [int(w * (1 if forgotten else n)) for w in weights]
    cumulated = np.cumsum(np.array([w * n - k for w, k in zip(weights, whole)]))
    kept = [i for i, k in enumerate(whole) for _ in range(k)]
    return np.bincount(kept + [int(np.searchsorted(cumulated / cumulated[-1], rng.random())) for _ in range(n - len(kept))], minlength=n)


def metropolis(log_f, x, rng):
    y = rng.integers(len(log_f))
    return int(y) if rng.random() < math.exp(min(0.0, log_f[y] - log_f[x])) else x


# A name, the function, its generator, the options, and its law.
CASES = [
    ("sample", lambda rng: rng.sample(range(4), 2), random.Random, {}, {(a, b): F(1, 12) for a in range(4) for b in range(4) if a != b}),
    ("choices", lambda rng: rng.choices("ab", [1, 3])[0], random.Random, {}, {"a": F(1, 4), "b": F(3, 4)}),
    ("choices, rare", lambda rng: rng.choices("abc", [1 - 2e-8, 1e-8, 1e-8])[0], random.Random, {}, {"a": F(1 - 2e-8), "b": F(1e-8), "c": F(1e-8)}),
    ("bisect, standard", lambda rng: bisect.bisect([0.25, 0.75], rng.random()), random.Random, {}, {0: F(1, 4), 1: F(1, 2), 2: F(1, 4)}),
    ("sorted", lambda rng: sorted("abc", key=lambda _: rng.random()), random.Random, {}, {tuple(s): F(1, 6) for s in ("abc", "acb", "bac", "bca", "cab", "cba")}),
    ("largest, then a number", lambda rng: (lambda u, v: (u < v, v < 0.5))(rng.random(), rng.random()), random.Random, {},
     {(True, True): F(1, 8), (False, True): F(3, 8), (True, False): F(3, 8), (False, False): F(1, 8)}),
    ("gauss", lambda rng: rng.gauss(1, 2) < 3, random.Random, {}, {True: statistics.NormalDist().cdf(1), False: statistics.NormalDist().cdf(-1)}),
    ("expovariate", lambda rng: int(rng.expovariate(1.0)) if rng.random() < 0.5 else -1, random.Random, dict(cut=1e-9),
     {-1: 0.5, **{k: math.exp(-k) * -math.expm1(-1) / 2 for k in range(20)}}),
]
if np:
    CASES += [
        ("bisect", lambda rng: bisect.bisect([0.25, 0.75], rng.random()), GENERATOR, {}, {0: F(1, 4), 1: F(1, 2), 2: F(1, 4)}),
        ("int", lambda rng: int(5 * rng.random()), GENERATOR, {}, {k: F(1, 5) for k in range(5)}),
        ("searchsorted", lambda rng: np.searchsorted([-2, -1], np.log(rng.random())), GENERATOR, {}, {0: math.exp(-2), 1: math.exp(-1) - math.exp(-2), 2: -math.expm1(-1)}),
        ("argsort", lambda rng: tuple(np.argsort(rng.random(3))), GENERATOR, {}, {p: F(1, 6) for p in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))}),
        ("geometric", lambda rng: rng.geometric(0.5), GENERATOR, dict(cut=1e-3), {k: F(1, 2**k) for k in range(1, 10)}),
        ("rejection", until_not_three, GENERATOR, {}, {k: F(1, 3) for k in range(3)}),
        ("stretch", stretch, GENERATOR, {}, {True: math.sqrt(2) - 1, False: 2 - math.sqrt(2)}),
        ("choice", lambda rng: tuple(rng.choice(3, 2, replace=False, p=[0.5, 0.25, 0.25])), GENERATOR, {},
         {(0, 1): F(1, 4), (0, 2): F(1, 4), (1, 0): F(1, 6), (2, 0): F(1, 6), (1, 2): F(1, 12), (2, 1): F(1, 12)}),
        ("legacy", lambda rng: rng.randint(2) + (rng.rand() < 0.25) + rng.binomial(1, 0.5), STATE, {}, {0: F(3, 16), 1: F(7, 16), 2: F(5, 16), 3: F(1, 16)}),
        ("multinomial", lambda rng: tuple(rng.multinomial(2, [0.5, 0.5])), GENERATOR, {}, {(0, 2): F(1, 4), (1, 1): F(1, 2), (2, 0): F(1, 4)}),
        ("gumbel", lambda rng: int(np.argmax(rng.gumbel(size=3))), GENERATOR, {}, {k: F(1, 3) for k in range(3)}),
        ("poisson", lambda rng: min(rng.poisson(1.5), 2), GENERATOR, {}, {0: math.exp(-1.5), 1: 1.5 * math.exp(-1.5), 2: 1 - 2.5 * math.exp(-1.5)}),
        ("no tail", lambda rng: (rng.poisson(0), rng.geometric(1), rng.negative_binomial(3, 1), rng.logseries(0)), GENERATOR, {}, {(0, 1, 0, 1): 1}),
        ("where", lambda rng: int(np.where(rng.random(2) < [0.5, 0.25], 1, 0).sum()), GENERATOR, {}, {0: F(3, 8), 1: F(1, 2), 2: F(1, 8)}),
        ("permutation", lambda rng: tuple(rng.permutation(3)), GENERATOR, {}, {p: F(1, 6) for p in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))}),
    ]


class Laws(unittest.TestCase):
    def test_large_parameters(self):
        """Means, variances and one probability by the formulas of the distributions, where coefficients and first terms leave the range of floats."""
        if np is None:
            self.skipTest("NumPy")
        for name, args, mean, var in (
            ("binomial", (1030, 0.5), 515.0, 257.5), ("binomial", (5000, 0.013), 65.0, 64.155), ("hypergeometric", (3000, 2500, 1200), 7200 / 11, 654.5454545454545 * (5 / 11) * 4300 / 5499),
            ("negative_binomial", (400, 0.1557), 400 * 0.8443 / 0.1557, 400 * 0.8443 / 0.1557**2), ("negative_binomial", (320, 0.1), 2880.0, 28800.0), ("poisson", (1000.0,), 1000.0, 1000.0),
        ):
            with self.subTest(name=name, args=args):
                found = breadboard.law(lambda rng: int(getattr(rng, name)(*args)), check=False)
                self.assertLess(abs(math.fsum(found.values()) + found.remainder - 1), 1e-12)
                share = math.fsum(found.values())
                moment = math.fsum(p * v for v, p in found.items()) / share
                self.assertLess(abs(moment / mean - 1), 1e-8)
                self.assertLess(abs(math.fsum(p * (v - moment) ** 2 for v, p in found.items()) / share / var - 1), 1e-6)

    def test_laws_are_exact(self):
        for name, f, kind, options, want in CASES:
            with self.subTest(name):
                law = breadboard.law(f, rng=kind, **options)
                self.assertEqual(set(law), set(want))
                for outcome, p in want.items():
                    self.assertAlmostEqual(law[outcome], float(p), delta=2e-12 if name == "poisson" else 1e-15)
                self.assertAlmostEqual(law.remainder, 1 - float(sum(want.values())), delta=2e-12 if name == "poisson" else 1e-15)

    def test_a_tail_of_large_outcomes_leaves_no_mean(self):
        def doubled(rng):
            bet = 2.0
            while rng.random() < 0.5:
                bet *= 2
            return bet

        self.assertRaises(breadboard.Open, breadboard.law(doubled, rng=random.Random, cut=1e-18).mean)
        for chance, size, f in (
            (1e-15, 1e15, lambda rng: 1e15 * (rng.random() < 1e-15)), (2.0**-52, 2.0**52, lambda rng: 2.0**52 * (rng.random() >= 1 - 2.0**-52)),
            (1e-20, 1e20, lambda rng: 1e20 * (rng.random() < 1e-10 and rng.random() < 1e-10)),
        ):
            breadboard.assert_unbiased(f, value=1, rng=random.Random)
            self.assertRaisesRegex(AssertionError, "the mean is 1", breadboard.assert_unbiased, f, value=0, rng=random.Random)
        self.assertRaisesRegex(AssertionError, "1.5, and not .*, 1.6", breadboard.assert_unbiased, lambda rng: (1e15 * (k := 1 + rng.randrange(2)), k), value=(1.5e15, 1.6), rng=random.Random)
        self.assertRaisesRegex(AssertionError, "the mean is inf", breadboard.assert_unbiased, lambda rng: rng.choice([1.0, math.inf]), value=5, rng=random.Random)
        for tolerance in math.inf, math.nan, -1:
            self.assertRaisesRegex(ValueError, "tolerance= is", breadboard.assert_unbiased, lambda rng: 1, value=5, tolerance=tolerance, rng=random.Random)
            self.assertRaisesRegex(ValueError, "tolerance= is", breadboard.assert_law, lambda rng: 1, {5: 1}, tolerance=tolerance, rng=random.Random)
        self.assertRaises(breadboard.Open, breadboard.assert_unbiased, lambda rng: 1e15 * all(rng.random() < 0.1 for _ in range(15)), value=0, rng=random.Random)
        if np:
            breadboard.assert_unbiased(lambda rng: 3.0 * rng.poisson(1), log_z=math.exp(3) - 1, cut=1e-30)
            breadboard.assert_unbiased(lambda rng: rng.geometric(0.3), value=1 / 0.3, cut=0)
            self.assertRaisesRegex(AssertionError, "the mean is 0.754", breadboard.assert_unbiased, lambda rng: 1e20 * (rng.poisson(1) > 20), value=0, cut=1e-16)
            self.assertRaises(AssertionError, breadboard.assert_unbiased, lambda rng: 1.0 * rng.poisson(1) ** 2, log_z=0.0, cut=1e-30)

    @unittest.skipUnless(np, "NumPy is not there")
    def test_a_float_is_rounded_to_what_it_is_compared_with(self):
        for name, f in (
            ("gamma", lambda rng: rng.gamma(0.01) > 0), ("beta", lambda rng: rng.beta(0.5, 0.5) < 1), ("exp", lambda rng: np.exp(1000 * rng.normal()) > 0), ("tanh", lambda rng: np.tanh(20 * rng.normal()) < 1),
            ("power", lambda rng: rng.power(0.01) > 0), ("negative", lambda rng: -np.tanh(20 * rng.normal()) <= -1),
        ):
            with self.subTest(name), self.assertRaisesRegex(breadboard.Refused, "to which floats round it with a probability of about"):
                breadboard.law(f)
        for f, p in ((lambda rng: rng.gamma(2.0) > 0, 1.0), (lambda rng: 1e-300 * rng.normal() > 0, 0.5), (lambda rng: rng.standard_t(3) > 0, 0.5), (lambda rng: rng.uniform(-1, 1) > 0, 0.5), (lambda rng: rng.exponential() > 1, math.exp(-1))):
            self.assertAlmostEqual(breadboard.law(f)[True], p, delta=1e-12)

    def test_loops_that_keep_nothing_are_series(self):
        outer, grid = [0.1, 0.3, 0.5, 0.9], np.array([0.1, 0.2, 0.3, 0.4]) if np else [0.1, 0.2, 0.3, 0.4]
        accepts = lambda x, rng: rng.random() < (x + 1) / 5

        def table(rng):
            while True:
                x = rng.randrange(4)
                if rng.random() < outer[x]:
                    return x

        def inside(rng):
            total = 0
            for k in range(2):
                while True:
                    x = rng.randrange(3)
                    while rng.random() < 0.5:
                        pass
                    if rng.random() < 0.2 + 0.1 * x:
                        break
                total += x
            return total

        def lists(rng):
            while True:
                row, count = [], 0
                for _ in range(3):
                    row.append(rng.randrange(2))
                    count += row[-1]
                if count == 2:
                    return tuple(row)

        def first(rng):
            x = rng.randrange(4)
            while x < 2 or not accepts(x, rng):
                x = rng.randrange(4)
            return x

        def below(rng):
            level = rng.random() < 0.25
            while True:
                u = rng.random()
                if u < (0.5 if level else 1e-9):
                    return level, u < 0.5e-9

        def fails(rng):
            while True:
                x = rng.randrange(5)
                if x == 0:
                    raise KeyError("x")
                if grid[x % 4] > 0.25 and rng.random() < grid[x % 4]:
                    return x

        def narrows(rng):
            v = rng.random()
            while True:
                if v < 0.25 and rng.random() < 0.5:
                    return 1
                if rng.random() < 0.125:
                    return 0

        one = [F(x, 18) for x in (1, 3, 5, 9)]
        two = [F(2 + x, 9) for x in range(3)]
        for f, want in (
            (table, dict(enumerate(one))), (inside, {s: sum(two[a] * two[s - a] for a in range(3) if 0 <= s - a < 3) for s in range(5)}),
            (lists, {row: F(1, 3) for row in ((1, 1, 0), (1, 0, 1), (0, 1, 1))}), (first, {2: F(3, 7), 3: F(4, 7)}),
            (below, {(True, True): F(1, 4) / 10**9, (True, False): F(1, 4) - F(1, 4) / 10**9, (False, True): F(3, 8), (False, False): F(3, 8)}),
            (fails, {2: F(3, 17), 3: F(4, 17)}), (narrows, {1: F(2, 9), 0: F(7, 9)}),
        ):
            for exact in (False, f is lists):
                with self.subTest(f.__name__, exact=exact):
                    law = breadboard.law(f, rng=random.Random, exact=exact)
                    self.assertEqual((law.remainder, set(law)), (0, set(want)))
                    for outcome, p in want.items():
                        self.assertLessEqual(abs(law[outcome] / p - 1), 0 if exact else 2e-15)
        self.assertEqual({round(p, 15) for p in breadboard.law(fails, rng=random.Random).raised.values()}, {round(10 / 17, 15)})

        def never(rng):
            while True:
                if rng.random() < 0:
                    return

        self.assertRaisesRegex(breadboard.Refused, "ends with probability zero", breadboard.law, never, rng=random.Random)

        def sometimes(rng):
            while True:
                if rng.randrange(4) == 0:
                    while True:
                        if rng.randrange(2) > 1:
                            break
                if rng.randrange(2):
                    return 1

        law = breadboard.law(sometimes, rng=random.Random, exact=True)
        self.assertEqual((law[1], law.remainder), (F(3, 5), F(2, 5)))

    def test_a_trace_of_others_is_kept(self):
        """It sees the lines of plain runs, and loops are summed."""
        lines = set()

        def trace(frame, *_):
            if frame.f_code is until_two.__code__:
                lines.add(frame.f_lineno - frame.f_code.co_firstlineno)
            return trace

        def until_two(rng):
            while True:
                x = rng.randrange(3)
                if x < 2:
                    return x

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            law, kept = breadboard.law(until_two, rng=random.Random), sys.gettrace()
        finally:
            sys.settrace(before)
        self.assertIs(kept, trace)
        self.assertEqual((law.branches, law.remainder, law[0]), (2, 0.0, 0.5))
        self.assertLessEqual({1, 2, 3, 4}, lines)

    @unittest.skipUnless(hasattr(signal, "setitimer"), "the system has no such timer")
    def test_an_interrupt_puts_back_what_was_replaced(self):
        def now():
            return [random.random, math.log, os.urandom, random.Random.seed, random.SystemRandom.random, signal.getsignal(signal.SIGINT), *([np.random.rand] if np else [])]

        def catches(rng):
            try:
                signal.raise_signal(signal.SIGINT)
            except KeyboardInterrupt:
                return rng.randrange(2)

        def interrupts(*_):
            raise KeyboardInterrupt

        def interrupted(moment):
            signal.setitimer(signal.ITIMER_REAL, moment)
            breadboard.law(lambda rng: rng.random() < 0.3, rng=random.Random)
            time.sleep(moment)

        before, handler = now(), signal.signal(signal.SIGALRM, interrupts)
        try:
            self.assertRaises(KeyboardInterrupt, breadboard.law, catches, rng=random.Random)
            self.assertTrue(all(map(operator.is_, before, now())))
            for k in range(400 if LONG else 40):
                with contextlib.suppress(KeyboardInterrupt):
                    interrupted(1e-6 + k % 40 * 5e-4)
                self.assertTrue(all(map(operator.is_, before, now())))
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, handler)
        with unittest.mock.patch.dict(sys.modules, {"_once": Once()}):
            with contextlib.suppress(KeyboardInterrupt):
                breadboard.law(lambda rng: rng.random() < 0.3, rng=random.Random)
        self.assertTrue(all(map(operator.is_, before, now())))

        class Drops:  # the exception, as the collector does where it calls a weak reference back
            once = iter([signal.SIGINT])

            @property
            def __dict__(self):
                with contextlib.suppress(KeyboardInterrupt):
                    for number in Drops.once:
                        signal.raise_signal(number)
                return {}

        with unittest.mock.patch.dict(sys.modules, {"_drops": Drops()}):
            self.assertRaises(KeyboardInterrupt, breadboard.law, lambda rng: rng.random() < 0.3, rng=random.Random)
        self.assertTrue(all(map(operator.is_, before, now())))

    def test_what_a_loop_reaches_is_compared_only_if_it_begins_again(self):
        many, few = list(range(2000)), [0]

        def until_two(rng, data):
            while True:
                x = rng.randrange(3)
                if x < 2:
                    return data[0] + x

        def keeps(rng):  # a loop that begins again in another state
            data = [0] * 2000
            while True:
                if rng.randrange(2):
                    return data[0]
                data[0] = min(3, data[0] + 1)

        counts = []
        for data in (few, many):
            with unittest.mock.patch.object(loops, "seen", wraps=loops.seen) as seen:
                law = breadboard.law(lambda rng: tuple(until_two(rng, data) for _ in range(4)), rng=random.Random, exact=True)
            self.assertEqual((set(law.values()), len(law), law.remainder), ({F(1, 16)}, 16, 0))
            counts.append(seen.call_count)
        self.assertLess(counts[1], counts[0] + 2.5 * 15 * len(many))  # twice for each of the loops that are begun
        self.assertEqual([breadboard.law(keeps, rng=random.Random, exact=True)[k] for k in range(4)], [F(1, 2), F(1, 4), F(1, 8), F(1, 8)])

    def test_loops_that_keep_something_are_none(self):
        class Tries:
            n = 0

            def more(self):
                self.n += 1
                return self.n

        def by_name(rng):
            n = 0
            while True:
                n += 1
                if rng.random() < 0.5:
                    return n

        def by_list(rng):
            tries = []
            while True:
                tries.append(1)
                if rng.random() < 0.5:
                    return len(tries)

        def by_other_name(rng):
            tries = [0]
            while True:
                same = tries
                same += [1]
                if rng.random() < 0.5:
                    return len(tries) - 1

        def by_place(rng):
            tries = [0]
            while True:
                tries[0] = tries[0] + 1
                if rng.random() < 0.5:
                    return tries[0]

        def by_object(rng):
            tries = Tries()
            while True:
                n = tries.more()
                if rng.random() < 0.5:
                    return n

        def by_iterator(rng):
            tries = iter(range(1, 1000))
            while True:
                for n in tries:
                    break
                if rng.random() < 0.5:
                    return n

        def by_cell(rng):
            n = 0

            def more():
                nonlocal n
                n += 1

            while True:
                more()
                if rng.random() < 0.5:
                    return n

        def by_default(rng):
            def more(tries=[]):
                tries.append(1)
                return len(tries)

            while True:
                n = more()
                if rng.random() < 0.5:
                    return n

        def by_bound(rng, append=None):
            tries = []
            append = tries.append
            while True:
                append(1)
                if rng.random() < 0.5:
                    return len(tries)

        def by_generator(rng):
            tries = (n for n in range(1, 1000))
            while True:
                n = min(zip([0], tries))[1]
                if rng.random() < 0.5:
                    return n

        def by_the_last(rng):
            last = 1
            while True:
                if rng.random() < 0.5:
                    return last
                last = 2

        def by_helper(rng):
            tries = []
            while True:
                noted(tries)
                if rng.random() < 0.5:
                    return len(tries)

        def by_attribute(rng):
            more = lambda: 0
            more.values = []
            while True:
                more.values.append(1)
                if rng.random() < 0.5:
                    return len(more.values)

        def by_out(rng):
            tries = np.zeros(1) if np else [0]
            while True:
                np.add(tries, 1, tries) if np else noted(tries)
                if rng.random() < 0.5:
                    return int(tries[0]) if np else len(tries) - 1

        def by_record(rng):
            tries = Tries() if np is None else np.zeros(1, dtype=[("n", int)])[0]
            while True:
                if np is None:
                    tries.more()
                else:
                    tries["n"] += 1
                if rng.random() < 0.5:
                    return tries.n if np is None else int(tries["n"])

        for f in (by_helper, by_attribute, by_out, by_record, by_name, by_list, by_other_name, by_place, by_object, by_iterator, by_cell, by_default, by_bound, by_generator, by_the_last):
            with self.subTest(f.__name__):
                law = breadboard.law(f, rng=random.Random, cut=1e-4)
                self.assertEqual((law[1], law[2]), (0.5, 0.5 - 2**-13 if f is by_the_last else 0.25))

        def replaced(rng):
            held = [rng.random()]
            while True:
                if rng.random() < 0.5:
                    return held[0] < 0.5
                held[0] = None
                held[0] = rng.random()  # perhaps where the other one was, and another number
                if held[0] < 0.25:
                    return 2

        law = breadboard.law(replaced, rng=random.Random, cut=1e-6)
        for outcome, p in {True: F(7, 20), False: F(9, 20), 2: F(1, 5)}.items():
            self.assertLessEqual(abs(law[outcome] + law.remainder / 2 - p), law.remainder / 2 + 1e-15)

    def test_laws_are_those_of_real_generators(self):
        for name, f, kind, options, _ in CASES:
            with self.subTest(name):
                law = breadboard.law(f, rng=kind, **options)
                rng = np.random.default_rng(1) if kind is GENERATOR and np else kind(1)
                seen = {}
                for _ in range(RUNS):
                    outcome = laws.hashable(f(rng))
                    seen[outcome] = seen.get(outcome, 0) + 1
                self.assertLessEqual(sum(k for o, k in seen.items() if o not in law), RUNS * law.remainder + bound(law.remainder + 1e-12))
                for outcome, p in law.items():
                    self.assertLessEqual(abs(seen.get(outcome, 0) - RUNS * p), bound(p) + RUNS * law.remainder, outcome)

    def test_fractions(self):
        law = breadboard.law(lambda rng: (rng.randrange(6), rng.random() < 0.25, int(3 * rng.random())), rng=random.Random, exact=True)
        self.assertEqual(set(law.values()), {F(1, 72), F(3, 72)})
        self.assertEqual((sum(law.values()), law.remainder), (1, 0))
        with self.assertRaisesRegex(breadboard.Refused, "no fraction"):
            breadboard.law(lambda rng: rng.expovariate(1.0) < 1, rng=random.Random, exact=True)

        inverse = breadboard.law(lambda rng: (1 / rng.random() > 3, 1 - rng.random() < 0.1), rng=random.Random, exact=True)
        self.assertEqual((inverse[True, True], type(inverse[False, False])), (F(1, 3) * F(0.1), F))

    def test_tails_have_digits(self):
        """Both tails of what is made of a uniform number, against formulas that have their digits."""
        cases = [(lambda rng, t: -math.log(1 - rng.random()) > t, lambda t: math.exp(-t)), (lambda rng, t: math.log1p(-rng.random()) < -t, lambda t: math.exp(-t)),
                 (lambda rng, t: rng.expovariate(1.0) > t, lambda t: math.exp(-t)), (lambda rng, t: rng.gauss(0, 1) > t / 20, lambda t: math.erfc(t / 20 / math.sqrt(2)) / 2),
                 (lambda rng, t: math.sqrt(rng.random()) > 1 - math.exp(-t), lambda t: (lambda s: s * (2 - s))(1 - (1 - math.exp(-t)))),
                 (lambda rng, t: 2 * (1 - rng.random()) - 3 < -3 + 2 * math.exp(-t), lambda t: (3 + (-3 + 2 * math.exp(-t))) / 2)]
        if np:
            cases += [(lambda rng, t: np.random.exponential(2) > 2 * t, lambda t: math.exp(-t)), (lambda rng, t: np.random.gumbel() > t, lambda t: -math.expm1(-math.exp(-t))),
                      (lambda rng, t: np.random.logistic() > t, lambda t: math.exp(-t) / (1 + math.exp(-t))), (lambda rng, t: np.random.logistic() < -t, lambda t: math.exp(-t) / (1 + math.exp(-t))),
                      (lambda rng, t: np.random.laplace() > t, lambda t: math.exp(-t) / 2), (lambda rng, t: np.random.standard_cauchy() > t, lambda t: math.atan(1 / t) / math.pi),
                      (lambda rng, t: np.random.weibull(2) > math.sqrt(t), lambda t: math.exp(-math.sqrt(t) ** 2))]
        for k, (f, chance) in enumerate(cases):
            for t in (0.25, 5, 20, 30, 37, 700) if LONG else (0.25, 37, 700):
                with self.subTest(case=k, t=t):
                    p, want = breadboard.law(f, t, rng=random.Random, cut=0, place="first").get(True, 0.0), chance(t)
                    self.assertTrue(abs(p - want) <= 1e-13 * want, (p, want))

    @unittest.skipUnless(np, "NumPy is not there")
    def test_what_underflows_is_named(self):
        """With cut=0 the probability of what is below all floats is the remainder."""
        rare = breadboard.law(lambda rng: (rng.random() < 1e-200) + (rng.random() < 1e-200), cut=0, rng=random.Random)
        self.assertEqual(dict(rare), {0: 1.0, 1: 2e-200})
        far = breadboard.chain(lambda x, rng: x + (rng.random() < 1e-200), 0, 2, cut=0, rng=random.Random)
        self.assertEqual(dict(far), {0: 1.0, 1: 2e-200})
        for found in [rare, far] + ([breadboard.law(lambda rng: int(rng.poisson(1.0)), cut=0)] if np else []):
            self.assertTrue(0 < found.remainder < 1e-320, found.remainder)
        if np:
            self.assertLess(max(abs(p * math.e * math.factorial(k) - 1) for k, p in found.items() if k < 150), 1e-12)
            grown = breadboard.law(lambda rng: 8.0 ** int(rng.geometric(0.9)), cut=0)
            self.assertAlmostEqual(grown.mean(), 36, delta=1e-12)
            self.assertRaisesRegex(breadboard.Open, "not known", breadboard.law(lambda rng: 12.0 ** int(rng.geometric(0.9)), cut=0).mean)

    def test_kernels_on_steep_targets(self):
        """The usual ways to accept, against the matrix by its formula, where log f spans up to 700 nats."""
        ways = (lambda rng, d: -rng.exponential() < d, lambda rng, d: math.log(1 - rng.random()) < d, lambda rng, d: np.log1p(-rng.random()) < d,
                lambda rng, d: math.log(rng.random()) < d, lambda rng, d: rng.random() < math.exp(min(0.0, d)))
        for span in (0, 20, 37, 700) if LONG else (37, 700):
            log_f = np.array([0, -span, -0.3, -span / 2])
            want = [[math.exp(min(0, log_f[y] - log_f[x])) / 2 if (x - y) % 2 else 0.0 for y in range(4)] for x in range(4)]
            for k, accepts in enumerate(ways):
                def move(log_f, x, rng):
                    y = (x + rng.choice([-1, 1])) % 4
                    return y if accepts(rng, log_f[y] - log_f[x]) else x

                with self.subTest(span=span, way=k):
                    P = breadboard.transition(lambda x, rng: move(log_f, x, rng), range(4))
                    for x, row in enumerate(want):
                        row[x] = 0.0
                        self.assertAlmostEqual(P[x][x], 1 - sum(row), delta=4e-16)
                        self.assertTrue(all(abs(P[x][y] - q) <= 1e-15 * q for y, q in enumerate(row) if y != x))
            if LONG or span == 700:
                breadboard.kernel.check(move, toy=log_f, beta=1)
                breadboard.tightness(toy=log_f, T=10, kernel=move)

    def test_other_threads_draw_as_they_did(self):
        drawn, errors, inside, done = [], [], threading.Event(), threading.Event()

        def works():
            inside.wait()
            try:
                drawn.extend(f() for f in [random.random, lambda: held_random(), lambda: os.urandom(2), lambda: random.Random().random()])
                drawn.extend([np.random.rand(), np.random.default_rng().random()] if np else [])
            except BaseException as error:
                errors.append(error)
            done.set()

        def waits(rng):
            inside.set()
            done.wait()
            return rng.random() < 0.25, held_random() < 0.5

        worker = threading.Thread(target=works)
        worker.start()
        self.assertEqual(breadboard.law(waits, rng=random.Random)[True, True], 0.125)
        worker.join()
        self.assertEqual((errors, len(drawn)), ([], 6 if np else 4))

        def starts():
            found = []
            own = threading.Thread(target=lambda: found.append(random.random() < 0.5))
            own.start()
            own.join()
            return found[0]

        self.assertRaisesRegex(breadboard.Refused, "another thread", breadboard.law, starts, rng=None)

    def test_what_was_held_during_a_law_works_afterwards(self):
        held = {}

        def holds():
            held.update(draw=random.random, log=math.log, **({"rng": np.random.default_rng(), "rand": np.random.rand} if np else {}))
            return random.random() < 0.5

        breadboard.law(holds, rng=None)
        self.assertEqual((0 <= held["draw"]() < 1, held["log"](1.0)), (True, 0.0))
        if np:
            self.assertTrue(0 <= held["rng"].random() < 1 and 0 <= held["rand"]() < 1 and held["rng"].bit_generator.state)

    def test_an_import_that_draws(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "imported_by_a_law.py"), "w") as file:
                file.write("import random\nx = float(random.random())\n")
            sys.path.insert(0, folder)
            try:
                self.assertRaisesRegex(breadboard.Refused, "py:2: .*import it before", breadboard.law, lambda: __import__("imported_by_a_law").x < 0.5, rng=None)
            finally:
                sys.path.remove(folder)

    def test_senseless_limits(self):
        for wrong in (dict(cut=-1), dict(cut=math.nan), dict(most=0), dict(seconds=0), dict(seconds=-1.0)):
            self.assertRaisesRegex(ValueError, "at least one branch", breadboard.law, lambda rng: rng.randrange(2), rng=random.Random, **wrong)

    def test_a_state_between_the_states_of_a_kernel(self):
        kept = []

        def move(x, rng):
            kept.append(x)
            return (x + rng.randrange(2) + (max(kept) == 2)) % 3

        self.assertRaisesRegex(breadboard.Refused, "keeps a state", breadboard.transition, move, range(3), rng=random.Random)

    def test_a_state_that_takes_turns(self):
        """Functions that do something else at every m-th call, which the runs that check them must not meet in step."""
        turns = [lambda rng, k: rng.randrange(2 + k), lambda rng, k: rng.random() < 1 / (2 + k), lambda rng, k: rng.randrange(3) * (k == 0), lambda rng, k: (rng.random() if k else rng.gauss(0, 1)) < 0.3,
                 lambda rng, k: min((rng.randrange(2 + (k > 0)), rng.randrange(3 - (k > 0)))), lambda rng, k: (rng.random() < rng.random()) == (k > 0), lambda rng, k: rng.choices("ab", [1 + 1e-10 * k, 1])[0],
                 lambda rng, k: rng.randrange(32) == 31 and rng.random() < (0.5 if k else 0.25), lambda rng, k: 1 // (rng.randrange(2) + (k == 1)), lambda rng, k: [rng.randrange(2) for _ in range(2 + (k > 0))][0]]
        for (n, turn), (m, first) in itertools.product(enumerate(turns), ((2, 0), (2, 1), (3, 0), (5, 0), (5, 1), (5, 2), (5, 3), (5, 4)) if LONG else ((2, 0), (2, 1), (3, 0), (5, 2))):
            with self.subTest(turn=n, m=m, first=first):
                calls = itertools.count(first)
                self.assertRaises(breadboard.Refused, breadboard.law, lambda rng: turn(rng, next(calls) % m), rng=random.Random)
        spare = []
        self.assertRaises(breadboard.Refused, breadboard.law, lambda rng: spare.pop() if spare else (spare.append(rng.random() < 0.25), rng.random() < 0.25)[1], rng=random.Random)
        swaps = itertools.cycle((0, 1))

        def swap(x, rng):
            k = next(swaps)
            return x[:k] + (x[k + 1], x[k]) + x[k + 2 :] if rng.random() < 0.3 else x

        self.assertRaises(breadboard.Refused, breadboard.transition, swap, list(itertools.permutations(range(3))), rng=random.Random)
        calls = itertools.count()
        self.assertRaises(breadboard.Refused, breadboard.transition, lambda x, rng: rng.randrange(2 + next(calls) % 2 * (x == 150)), range(200), rng=random.Random)
        memory = {}
        self.assertEqual(breadboard.law(lambda rng: memory.setdefault(rng.randrange(4), len(memory)) < 4, rng=random.Random)[True], 1)

    def test_the_order_of_first_calls_shows_nothing(self):
        """Functions whose answers depend on the order in which values came first, and others that keep something and are right."""

        class Missing(dict):
            def __missing__(self, key):
                return self.setdefault(key, len(self))

        class Object:
            of_class = {}

            def __init__(self):
                self.seen, self.calls = {}, 0

            def __call__(self, k):
                self.calls += 1
                return self.seen.setdefault(k, len(self.seen))

            def by_class(self, k):
                return self.of_class.setdefault(k, len(self.of_class))

            @classmethod
            def by_rebinding(cls, k):
                cls.pairs = {k: len(cls.pairs), **cls.pairs}
                return cls.pairs[k]

        class Slots:
            __slots__ = ("__seen", "calls", "empty")

            def __init__(self):
                self.__seen, self.calls = (), 0

            def __call__(self, k):
                self.__seen += () if k in self.__seen else (k,)
                return self.__seen.index(k)

            def right(self, k):
                self.calls += 1
                return k

            def __setattr__(self, name, value):
                assert sys._getframe(1).f_code.co_filename == __file__, "only its own code sets it"
                super().__setattr__(name, value)

        Object.pairs = {}

        def listed(held):
            return lambda k: (k in held or held.append(k), held.index(k))[1]

        def counted(number=0):
            seen = {}

            def f(k):
                nonlocal number
                if k not in seen:
                    seen[k], number = number, number + 1
                return seen[k]
            return f

        def by_array(held):
            def f(k):
                held[k] = held.max() + 1 if held[k] < 0 else held[k]
                return int(held[k])
            return f

        def by_module(k):
            global numbers_of_calls
            numbers_of_calls = {**{k: len(numbers_of_calls)}, **numbers_of_calls}
            return numbers_of_calls[k]

        def of_itself(k):
            return of_itself.seen.setdefault(k, len(of_itself.seen))

        of_itself.seen, order, numbers, tables, pages = {}, [], itertools.count(), {}, iter([[0, 1, 4, 9]])
        space, once = types.SimpleNamespace(seen={}), []
        cached, limited, fill = functools.lru_cache(None)(lambda k: order.append(k) or len(order)), functools.lru_cache(8)(lambda k: order.append(k) or len(order)), functools.lru_cache(2)(lambda k: tables.update({k: -k}))
        wrong = [listed([]), listed(collections.deque()), counted(), by_module, of_itself, Missing().__getitem__, Object(), Object().by_class, lambda k, seen={}: seen.setdefault(k, len(seen)), cached, limited,
                 Object().by_rebinding, Slots(), collections.defaultdict(numbers.__next__).__getitem__, partial(lambda seen, k: seen.setdefault(k, len(seen)), collections.OrderedDict()), lambda k: space.seen.setdefault(k, len(space.seen))]
        right = [Slots().right, {k: k for k in range(4)}.__getitem__, Missing({k: k for k in range(4)}).__getitem__, functools.lru_cache(None)(lambda k: -k), lambda k, seen={}: seen.setdefault(k, -k), lambda k: (fill(k), tables[k])[1],
                 lambda k, seen=[]: (seen.append(k), seen[-1])[1], lambda k, calls=collections.Counter(): (calls.update([k]), k)[1], lambda k: (once or once.append(next(pages)), once[0][k])[1]]
        wrong += [by_array(np.full(4, -1))] if np else []
        for is_right, f in [(False, f) for f in wrong] + [(True, f) for f in right]:
            with self.subTest(f), contextlib.nullcontext() if is_right else self.assertRaisesRegex(tree.Kept, "keeps a state"):
                self.assertEqual(len(breadboard.law(lambda rng: f(rng.randrange(4)), rng=random.Random)), 4)
        self.assertEqual((len(once), sorted(tables)), (1, [0, 1, 2, 3]))
        seen = {}
        for question in (lambda: breadboard.chain(lambda x, rng: {}.get(x, listed_states((x + rng.randrange(2)) % 3)), 0, 3, rng=random.Random),
                         lambda: breadboard.transition(lambda x, rng: listed_states((x + rng.randrange(2)) % 3), range(3), rng=random.Random),
                         lambda: breadboard.assert_invariant(breadboard.followed(lambda x, rng: listed_states((x + rng.randrange(2)) % 3), rng=random.Random), [0.0] * 3),
                         lambda: breadboard.assert_invariant(lambda x, rng: (rng.random(), seen.setdefault(x, len(seen)))[1], [0.0] * 3)):
            listed_states = listed([])
            self.assertRaisesRegex(tree.Kept, "keeps a state", question)

    def test_a_long_law_says_what_is_left(self):
        for f, seconds, left in ((coin_until_heads, 1, 0.0625), (coin_until_heads, 0.01, None), (each_face, 1, 0.688)):
            clock, heard = itertools.count(), io.StringIO()
            with unittest.mock.patch("time.monotonic", lambda: seconds * next(clock)), unittest.mock.patch("sys.stderr", heard):
                breadboard.law(f, rng=random.Random, cut=1e-9)
            self.assertEqual(len(heard.getvalue().splitlines()), left is not None)
            self.assertEqual("test_law.py:%d: after 5 seconds and %d branches the probability %s is not explored" % (f.__code__.co_firstlineno, 4 + (f is each_face), left) in heard.getvalue(), left is not None)
            self.assertEqual("write one try" in heard.getvalue(), left == 0.0625)

    def test_a_long_law_says_how_many_branches_are_likely(self):
        for sides, said in ((6, "the entropy of 7.8e+03 equally likely branches"), (1, "")):
            clock, heard = itertools.count(), io.StringIO()
            with unittest.mock.patch("time.monotonic", lambda: next(clock)), unittest.mock.patch("sys.stderr", heard):
                breadboard.law(lambda rng: max(rng.randrange(sides) for _ in range(5)), rng=random.Random, most=9)
            self.assertIn(said, heard.getvalue())
            self.assertEqual("entropy" in heard.getvalue(), bool(said))
        clock = itertools.count()
        with unittest.mock.patch("time.monotonic", lambda: next(clock)), self.assertRaisesRegex(breadboard.Refused, "entropy of 1e.09 equally likely branches.*fewer"):
            breadboard.law(lambda rng: max(rng.randrange(1000) for _ in range(3)), rng=random.Random)
        with self.assertRaisesRegex(breadboard.Refused, "entropy of 1e.12 equally likely branches"):  # no branch is as likely as the cut
            breadboard.law(lambda rng: sum(rng.randrange(10) for _ in range(100)), rng=random.Random)
        found = breadboard.law(lambda rng: sum(rng.randrange(10) for _ in range(100)), rng=random.Random, most=10)
        self.assertRaisesRegex(breadboard.Open, "no branch ended: take less", found.mean)

    def test_a_branch_ends_where_its_probability_underflows(self):
        def tries(rng):
            for n in range(10**9):
                if rng.random() < 0.3:
                    return n

        found = breadboard.law(tries, rng=random.Random, cut=0, most=1)
        self.assertEqual((found.branches, found.remainder <= 1), (1, True))

    def test_a_mean_of_texts_is_refused(self):
        self.assertRaisesRegex(TypeError, "the outcome 'b?a?' is no number; give mean a function", breadboard.law(lambda rng: rng.choice("ab"), rng=random.Random).mean)

    def test_parts_of_whole_numbers_are_counted(self):
        """Expressions of numbers of which few values are told apart, against all values."""
        chance, refused, runs = random.Random(3), 0, 3000 if LONG else 150
        steps = [(lambda x, k: x % k), (lambda x, k: x // k), (lambda x, k: x * k), (lambda x, k: x + k), (lambda x, k: k - x), (lambda x, k: x & k), (lambda x, k: x | k), (lambda x, k: x ^ k),
                 (lambda x, k: x >> k % 5), (lambda x, k: x << k % 3), (lambda x, k: -x), (lambda x, k: ~x), (lambda x, k: x & -k), (lambda x, k: x % -k), (lambda x, k: x // -k), (lambda x, k: x - x % k)]
        ends = [(lambda x, k: x < k), (lambda x, k: x >= k), (lambda x, k: x == k), (lambda x, k: x), (lambda x, k: (x % k, x > k)), (lambda x, k: divmod(x, k)), (lambda x, k: (x // k, x & 3, x % 5)),
                (lambda x, k: x / 7 < k), (lambda x, k: int((x + 0.5) * k / 50)), (lambda x, k: -x * 0.37 >= -k), (lambda x, k: (x < k, x < 2 * k, x % 3)), (lambda x, k: x.bit_length() if x > 0 else 0)]
        for _ in range(runs):
            n, made = chance.choice([chance.randrange(4, 300), 2 ** chance.randrange(3, 8)]), [(chance.choice(steps), chance.randrange(1, 40)) for _ in range(chance.randrange(4))]
            end, k = chance.choice(ends), chance.randrange(1, 60)

            def f(x):
                for step, by in made:
                    x = step(x, by)
                return end(x, k)

            want = collections.Counter(f(x) for x in range(n))
            with unittest.mock.patch("breadboard._law.wholes.MOST_VALUES", few := chance.choice([4, 20, 400])), unittest.mock.patch("breadboard._law.tree.MOST_VALUES", 3):
                try:
                    law = breadboard.law(lambda rng: f(rng.randrange(n)), rng=random.Random, exact=True, cut=0)
                except breadboard.Refused:
                    self.assertLess(few, 400)
                    refused += 1
                    continue
            self.assertEqual(dict(law), {y: F(count, n) for y, count in want.items()})
        self.assertLess(refused, runs / 2)

    def test_residues_of_large_numbers(self):
        """32 random bits modulo n, by all that draws them."""
        n, draws = 2**32, {
            "getrandbits": lambda rng: rng.getrandbits(32), "randrange": lambda rng: rng.randrange(2**32), "from_bytes": lambda rng: int.from_bytes(os.urandom(4), "big"),
            "randbytes": lambda rng: int.from_bytes(rng.randbytes(4), "little"), "secrets": lambda rng: secrets.randbits(32), "below": lambda rng: secrets.randbelow(n),
            "system": lambda rng: random.SystemRandom().getrandbits(32), "struct": lambda rng: struct.unpack("<I", secrets.token_bytes(4))[0]}
        if np:
            draws.update(integers=lambda rng: np.random.default_rng().integers(n), int=lambda rng: int(np.random.default_rng().integers(n)), single=lambda rng: np.random.randint(n, dtype=np.int64),
                         bytes=lambda rng: int.from_bytes(np.random.bytes(4), "big"), array=lambda rng: np.random.default_rng().integers(n, size=1)[0])
        for name, draw in draws.items():
            with self.subTest(name):
                law = breadboard.law(lambda rng: draw(rng) % 24, rng=random.Random, exact=True)
                self.assertEqual(dict(law), {k: F(n // 24 + (k < n % 24), n) for k in range(24)})
                self.assertEqual(dict(breadboard.law(lambda rng: draw(rng) >> 31, rng=random.Random)), {0: 0.5, 1: 0.5})
                self.assertNotIn("int", globals())

        def rejects(rng):
            x = rng.getrandbits(32)
            while x >= n - n % 24:
                x = rng.getrandbits(32)
            return x % 24

        def multiplies(rng):
            m = rng.getrandbits(32) * 10
            while m % n < n % 10:
                m = rng.getrandbits(32) * 10
            return m >> 32

        breadboard.assert_law(rejects, [1 / 24] * 24, rng=random.Random)
        breadboard.assert_law(multiplies, [1 / 10] * 10, rng=random.Random)
        for f in (lambda rng: hash(rng.getrandbits(32)), lambda rng: random.Random(rng.getrandbits(32)).random() < 0.5, lambda rng: rng.getrandbits(32) < rng.getrandbits(32), lambda rng: b"x" + os.urandom(4),
                  lambda rng: type(int(secrets.randbits(32))) is int, lambda rng: os.urandom(4).hex(), lambda rng: rng.getrandbits(32) in (1, os.urandom(4))):
            self.assertRaises(breadboard.Refused, breadboard.law, f, rng=random.Random)

    def test_loops_that_draw_bytes_are_series(self):
        system, own = random.SystemRandom(), [lambda rng: rng.randbytes(1)[0], lambda rng: secrets.token_bytes(1)[0], lambda rng: urandom(1)[0], lambda rng: secrets.randbits(8),
                                              lambda rng: secrets.randbelow(256), lambda rng: secrets.choice(range(256)), lambda rng: system.randrange(256), lambda rng: rng.getrandbits(8)]
        own += [lambda rng: np.random.default_rng().bytes(1)[0], lambda rng: int(np.random.default_rng().integers(0, 256, dtype=np.uint8))] if np else []
        for draw in own:
            def loop(rng):
                while True:
                    b = draw(rng)
                    if b < 250:
                        return b % 10

            self.assertEqual(breadboard.assert_law(loop, [0.1] * 10, rng=random.Random).remainder, 0)

    def test_numbers_of_tries_are_counted(self):
        def attempts(rng):
            n = 0
            while True:
                n += 1
                if rng.random() < 0.25:
                    return n

        def coupons(rng):
            n, found = 0, []
            while len(found) < 3:
                n += 1
                x = rng.randrange(3)
                if x not in found:
                    found.append(x)
            return n

        def sixes(rng):
            n, ones, cost = 0, 0, 5
            while True:
                n, cost = n + 1, cost - 3
                x = rng.randrange(6)
                ones += x == 1
                if x > 4:
                    return n, ones, cost + 2 * n

        def sums(rng):
            n = 0
            while rng.random() < 0.5:
                n += rng.randrange(3)
            return n

        def two(rng):
            n = 0
            for p in (0.25, 0.5):
                while True:
                    n += 1
                    if rng.random() < p:
                        break
            return n

        for f, mean, var in ((attempts, 4, 12), (coupons, F(11, 2), F(27, 4)), (sixes, (6, 1, -1), (30, 2, 30)), (sums, 1, F(8, 3) - 1 + F(0)), (two, 6, 14)):
            with self.subTest(f.__name__):
                law = breadboard.law(f, rng=random.Random, exact=True)
                self.assertEqual(law.mean(), mean)
                self.assertEqual(sum(law.values()) + law.remainder, 1)
                slow = laws.Walk(random.Random, "last", 1e-4, 10**6, None, True, True)
                with slow:
                    slow.counting = False
                    tries = slow.law(f, ())
                for y, p in list(tries.items())[:9]:  # the likeliest ones are the same but for what is cut
                    self.assertLessEqual(abs(law[y] - p), tries.remainder)
                var = var if f is not sums else law.var()
                self.assertEqual(law.var(), var)
                self.assertAlmostEqual(float(sum(p * (y[0] if type(y) is tuple else y) ** 2 for y, p in law.items())) - float(law.mean()[0] if type(mean) is tuple else mean) ** 2, float(var[0] if type(var) is tuple else var), delta=1e-8)
                breadboard.assert_unbiased(f, value=mean, rng=random.Random)
        self.assertRaisesRegex(AssertionError, "biased", breadboard.assert_unbiased, attempts, value=1.3333, rng=random.Random)
        for f in (attempts, lambda rng: min(attempts(rng), 200), lambda rng: next(n for n in itertools.count(1) if rng.random() < 0.25)):
            breadboard.assert_law(f, {n: 0.25 * 0.75 ** (n - 1) for n in range(1, 200)}, rng=random.Random)
        self.assertRaisesRegex(AssertionError, "another distribution", breadboard.assert_law, attempts, {n: 0.5**n for n in range(1, 200)}, rng=random.Random)
        witness = breadboard.law(attempts, rng=random.Random).witness(5)
        self.assertEqual(attempts(witness), 5)

    def test_what_else_is_done_with_a_number_of_tries(self):
        """It is then followed try by try."""
        def tries(rng):
            n = 0
            while rng.random() < 0.5:
                n += 1
            return n

        for g in (lambda n: n % 3, lambda n: n > 2, str, lambda n: [n], lambda n: math.sqrt(n), lambda n: [0, 1, 2, 3, *range(4, 99)][n], lambda n: {n: 1}[n], lambda n: type(n) is int, lambda n: n * 0.5, lambda n: -n // 2, bool,
                  lambda n: b"x" * n, lambda n: n.bit_length(), lambda n: "%d" % n, lambda n: math.gcd(n, 4), lambda n: (n, {n}), lambda n: 5 - n, lambda n: 2 * n + n - 1, lambda n: n + 0 * n, lambda n: sum([n, n])):
            law, want = breadboard.law(lambda rng: g(tries(rng)), rng=random.Random), collections.Counter()
            for n in range(99):
                want[laws.hashable(g(n))] += 0.5 ** (n + 1)
            self.assertLess(law.distance(want), 1e-11)

        def ends(rng):
            n = 0
            while rng.random() < 0.5 and n < 4:
                n += 1
            return n

        self.assertEqual(dict(breadboard.law(ends, rng=random.Random)), {n: 0.5 ** (min(n, 3) + 1) for n in range(5)})

    def test_no_verdict_depends_on_the_clock(self):
        """Rows of kernels and what was cut are bounded by choices; time goes as on a machine that does nothing else for an hour."""
        def slow(x, rng):
            return sum(rng.randrange(2) for _ in range(12)) % 2 ^ x

        def remembers(rng):
            while True:
                u = rng.random()
                if u < 0.25:
                    seen = 1
                elif u < 0.5:
                    break
            return locals().get("seen", 0)

        def endless(rng):  # no branch of it ends
            return sum(rng.randrange(2) for _ in itertools.repeat(None))

        clock = itertools.count()
        with unittest.mock.patch("time.monotonic", lambda: 3600.0 * next(clock)), unittest.mock.patch("sys.stderr", io.StringIO()):
            row = kernels.followed(slow, rng=random.Random).row_of([[0.0, 0.0]], 0, [2], 0)
            rare = breadboard.law(lambda rng: rng.geometric(0.5) if np else 1, rng=GENERATOR or random.Random, cut=1e-15)
        self.assertEqual(row, ([0, 1], [0.5, 0.5]))
        self.assertAlmostEqual(rare.mean(), 2 if np else 1, delta=1e-12)
        self.assertRaisesRegex(breadboard.Refused, "entropy.*write one try", breadboard.law, remembers, rng=random.Random)
        self.assertRaisesRegex(breadboard.Refused, "entropy.*write one try", breadboard.law, endless, rng=random.Random)
        with unittest.mock.patch("breadboard._serve.kernels.ROW_CHOICES", 1000), self.assertRaisesRegex(breadboard.Open, "1000 choices, which is the limit here; breadboard.transition"):
            kernels.followed(slow, rng=random.Random).row_of([[0.0, 0.0]], 0, [2], 0)

    def test_a_redraw_that_ends_is_not_one_that_does_not(self):
        """No local shows how often the loop has drawn, so that it must not be taken for an endless one."""
        law = breadboard.law(lambda rng: next((y for y in (rng.randrange(4) for _ in itertools.repeat(None, 2)) if y), 0), rng=random.Random, exact=True)
        self.assertEqual(dict(law), {0: F(1, 16), **{k: F(5, 16) for k in (1, 2, 3)}})

    @unittest.skipUnless(np, "NumPy is not there")
    def test_many_searches_have_the_branches_of_one_after_another(self):
        edges, laws, runs = np.cumsum([0.1, 0.2, 0.3, 0.4]), [], []
        for search in (lambda rng: np.searchsorted(edges, rng.random(3)), lambda rng: [np.searchsorted(edges, rng.random()) for _ in range(3)]):
            runs.append(0)

            def counted(rng):
                runs[-1] += 1
                return tuple(map(int, search(rng)))
            laws.append(dict(breadboard.law(counted)))
        self.assertEqual(laws[0], laws[1])
        self.assertEqual(runs[0], runs[1])

    @unittest.skipUnless(np, "NumPy is not there")
    def test_a_search_by_the_method_has_the_same_law(self):
        """NumPy compares the draws with each other, as nothing here is asked first."""
        edges = np.cumsum([0.2, 0.3, 0.5])
        by_function, by_method = lambda rng: np.searchsorted(edges, rng.random(3)), lambda rng: edges.searchsorted(rng.random(3))
        laws = [breadboard.law(f) for f in (by_function, by_method)]
        self.assertLess(laws[0].distance(laws[1]), 1e-15)
        self.assertEqual([law.branches for law in laws], [27, 48])
        with unittest.mock.patch("breadboard._law.laws.PATIENCE", 0.0), unittest.mock.patch("sys.stderr", io.StringIO()) as heard:
            breadboard.law(by_method)
        self.assertIn("np.searchsorted(edges, draws) has fewer branches", heard.getvalue())

    def test_the_time_ends_in_a_long_run(self):
        """A run that is ended on its way to a known choice is a remainder, and no run that has gone another way."""
        clock = itertools.count()
        f = lambda rng: ([rng.random() for _ in range(1100)], rng.randrange(4))[1]
        for seconds in range(2, 25, 1 if LONG else 5):
            with unittest.mock.patch("time.monotonic", lambda: next(clock)), unittest.mock.patch("sys.stderr", io.StringIO()):
                law = breadboard.law(f, rng=random.Random, seconds=seconds)
            self.assertEqual(sum(law.values()) + law.remainder, 1)

    def test_what_is_refused_says_where(self):
        kept = []

        def keeps(rng):
            kept.append(rng.random())
            return kept[0] < 0.5

        def counts(rng):
            kept.append(0)
            return len(kept) % 3 == 0 and rng.random() < 0.5

        def thread(rng):
            found = []
            worker = threading.Thread(target=lambda: found.append(rng.random() < 0.5))
            hook, threading.excepthook = threading.excepthook, lambda _: None
            try:
                worker.start()
                worker.join()
            finally:
                threading.excepthook = hook
            return bool(found)

        for want, f in (
            ("by arithmetic", lambda rng: rng.random() + rng.random() < 1), ("float()", lambda rng: float(rng.random()) < 0.5), ("as a seed is", lambda rng: rng.randrange(2**31)),
            ("returns a random number", lambda rng: rng.random()), ("returns a random number", lambda rng: [1, rng.random()]), ("keeps a state", keeps), ("keeps a state", counts),
            ("in different ways", lambda rng: (lambda u, v: (u < 2 * v, 3 * u < v) if np else int("in different ways"))(rng.random(), rng.random())), ("dict or a set", lambda rng: {rng.random()}), ("becomes a text", lambda rng: str(rng.random())),
            ("seed of this", lambda rng: rng.seed(1)), ("__reduce__", lambda rng: copy.copy(rng)), ("another thread", thread), ("equally likely", lambda rng: os.urandom(3)),
            ("while another call runs", lambda rng: breadboard.law(lambda r: 1, rng=random.Random)), ("does not get as its argument", lambda rng: random.Random.random(rng) < 2), ("without a seed", lambda rng: random.Random().random() < 0.5),
        ):
            with self.subTest(want):
                with self.assertRaisesRegex(breadboard.Refused, want) as caught:
                    law = breadboard.law(f, rng=random.Random)
                    if law.raised:  # a law within a law raises in the function
                        raise breadboard.Refused("%s: %s" % (__file__, law.raised))
                self.assertIn(os.path.basename(__file__), str(caught.exception))
                self.assertIs(random.random, held_random)
        with self.assertRaisesRegex(breadboard.Refused, r"%s:\d+: .*by arithmetic" % os.path.basename(__file__)):
            breadboard.law(swallows, rng=random.Random)

    def test_a_generator_that_is_reached_is_none_that_is_given(self):
        """An event of 1 % is seen by luck alone, if its generator is not followed."""
        class Holder:
            kind = None

            def __init__(self, rng):
                self.rng = rng

            def rare(self):
                return rare(self.rng)

        class Mine(random.Random):
            pass

        def rare(rng):
            return bool(rng.random() < 0.01)

        def late(held=Holder(None)):
            held.rng = held.rng or random.Random(2)
            return held.rare()

        def of(rng):
            while True:
                yield rare(rng)

        kept, seeds = types.ModuleType("kept"), iter(range(10**6))
        for make in (partial(random.Random, 3), partial(Mine, 3), *([partial(np.random.default_rng, 3), partial(np.random.RandomState, 3)] if np else [])):
            kept.holder, things, draws = Holder(make()), {"a": [make()]}, of(make())
            for f in (
                Holder(make()).rare, partial(rare, make()), lambda: kept.holder.rare(), lambda: rare(things["a"][0]), lambda rng=make(): rare(rng), lambda: next(draws), lambda weak=weakref.ref(kept.holder): weak().rare(),
                lambda many=[0] * 5000 + [make()]: rare(many[-1]), lambda held=Holder(rare), rng=collections.deque([make()]): held.rng(rng[0]),
            ):
                with self.assertRaisesRegex(breadboard.Refused, "does not get as its argument"):
                    breadboard.law(f, rng=None)
            with self.assertRaisesRegex(breadboard.Refused, "does not get as its argument"):
                breadboard.law(lambda held, rng: held.rare() or rng.random() < 0.5, Holder(make()), rng=random.Random)
            own = Holder(make())
            for odd in (0, 1):  # what is reached may also not be used
                with self.assertRaisesRegex(breadboard.Refused, "does not get as its argument") if odd else contextlib.nullcontext():
                    breadboard.transition(lambda x, rng: 0 if odd and own.rng.random() < 0.002 else rng.randrange(2), range(2), rng=random.Random)
        for f in (late, lambda: rare(random.Random(next(seeds))), *([lambda: rare(np.random.default_rng(next(seeds)))] if np else [])):
            self.assertRaisesRegex(breadboard.Refused, "something else", breadboard.law, f, rng=None)
        for f in (lambda: time.time_ns() % 997 == 0, lambda: rare(random.Random(str(datetime.datetime.now()))), lambda: datetime.datetime.now().microsecond % 997 == 0, lambda clock=time.perf_counter: clock() < 0,
                  lambda: time.localtime().tm_sec == 61, lambda: uuid.uuid1().hex[0] == "a"):
            self.assertRaisesRegex(breadboard.Refused, "reads the clock", breadboard.law, f, rng=None)
        for draw in generators.SYSTEM:
            self.assertRaisesRegex(breadboard.Refused, "call it as os", breadboard.law, lambda draw=draw: draw(1)[0] == 7, rng=None)
            self.assertEqual(breadboard.law(lambda: getattr(os, draw.__name__)(1)[0] == 7, rng=None)[True], 1 / 256)
        self.assertEqual(breadboard.law(lambda rng: (time.sleep(0), rng.randrange(2))[1] + random.Random(1).randrange(1), rng=random.Random)[1], 0.5)

    @unittest.skipUnless(hasattr(os, "fork"), "the system has no fork")
    def test_processes_and_pools_are_refused(self):
        asked, answers = queue.SimpleQueue(), queue.SimpleQueue()

        def works():
            for _ in iter(asked.get, None):
                answers.put(random.random() < 0.01)

        fork = multiprocessing.get_context("fork")
        worker = threading.Thread(target=works, daemon=True)
        worker.start()
        with fork.Pool(1) as pool, concurrent.futures.ThreadPoolExecutor(1) as threads:
            pool.map(int, [1])
            threads.submit(int).result()

            def makes():
                with fork.Pool(1) as own:
                    return own.map(int, [1])

            for f in (makes, lambda: os.fork(), lambda: os.system("true"), lambda: subprocess.run(["true"]).returncode, lambda: pool.map(drawn_of_one, [1]), lambda: threads.submit(drawn_of_one).result(),
                      lambda: (asked.put(1), answers.get())[1]):
                self.assertRaisesRegex(breadboard.Refused, "another (process|thread)", breadboard.law, f, rng=None)
            self.assertEqual(breadboard.law(lambda rng: threads.submit(int).result() + rng.randrange(2), rng=random.Random)[1], 0.5)
        asked.put(None)
        worker.join()

    def test_empty_containers_are_outcomes_of_their_own(self):
        law = breadboard.law(lambda rng: rng.choice([{}, [], (), set(), frozenset()]), rng=random.Random, exact=True)
        self.assertEqual([law[{}], law[[]], law[()], law[set()], len(law)], [F(1, 5), F(1, 5), F(1, 5), F(2, 5), 4])
        self.assertEqual(dict(copy.deepcopy(law)), dict(law))
        kinds = [{}, {}, [], ()]
        mixed = breadboard.law(lambda rng: rng.choice(kinds), rng=random.Random)
        self.assertEqual([repr(key) for key in mixed], ["{}", "[]", "()"])
        for empty, p in (({}, 0.5), ([], 0.25), ((), 0.25)):
            self.assertEqual((mixed.chance(empty), mixed.interval(empty)[0], len(mixed.given(empty)), mixed.witness(empty).choice(kinds)), (p, p, 1, empty))
        breadboard.assert_law(lambda rng: rng.choice([[], [1]]), {(): 0.5, (1,): 0.5}, rng=random.Random)

    def test_modules_that_only_have_the_names_of_packages(self):
        for name in ("torch", "jax"):
            half = types.ModuleType(name)
            half.multinomial, half.random, half.numpy = len, types.SimpleNamespace(PRNGKey=int), np
            with unittest.mock.patch.dict(sys.modules, {name: half}):
                self.assertEqual(breadboard.law(lambda rng: rng.randrange(2), rng=random.Random)[1], 0.5)

    def test_errors_are_those_of_the_package(self):
        for kind in (breadboard.Refused, breadboard.Open):
            self.assertTrue(issubclass(kind, breadboard.BreadboardError) and issubclass(kind, ValueError))
            self.assertEqual(str(copy.copy(kind("--T= is a flag"))), "--T= is a flag")
        with unittest.mock.patch.dict(os.environ, {"BREADBOARD": "/none"}):  # no program is started
            self.assertTrue(hasattr(breadboard, "tightness") and not hasattr(breadboard, "tightnes"))
        try:
            breadboard.law(lambda rng: float(rng.random()), rng=random.Random)
        except breadboard.Refused as refused:
            at = refused.__traceback__.tb_next
            while at is not None:  # as pytest asks of each frame
                hidden = at.tb_frame.f_locals.get("__tracebackhide__", at.tb_frame.f_globals.get("__tracebackhide__", False))
                self.assertEqual(hidden, at.tb_frame.f_code.co_filename != __file__)
                at = at.tb_next

    def test_a_drift_of_probabilities_is_seen(self):
        kept = []
        with self.assertRaisesRegex(breadboard.Refused, "something else"):
            breadboard.law(lambda rng: (kept.append(0), rng.random() < 1 / len(kept), rng.random() < 0.5)[1:], rng=random.Random, check=False)

    @unittest.skipUnless(np, "NumPy is not there")
    def test_numpy_is_refused_where_it_draws_in_silence(self):
        for want, f in (
            ("as a seed is", lambda rng: rng.integers(2**31)), ("bit_generator", lambda rng: rng.bit_generator.random_raw() % 2), ("wald", lambda rng: rng.wald(1, 1) < 1),
            ("float()", lambda rng: np.zeros(2).__setitem__(0, rng.random())), ("does not get as its argument", lambda rng: np.random.Generator.random(rng) < 2), ("out=", lambda rng: rng.random(out=np.zeros(2))),
            ("spawn", lambda rng: np.random.mtrand._rand._bit_generator._seed_seq.spawn(1)), ("returns a random number.* equally likely ones", lambda rng: rng.integers(2**24)),
            *(("single precision.* leave dtype= out", f) for f in (
                lambda rng: int(5 * single(rng)), lambda rng: 1 - single(rng) < 0.5, lambda rng: np.log(single(rng)) < 0, lambda rng: single(rng) / 2 < 1, lambda rng: single(rng) < single(rng),
                lambda rng: single(rng) < rng.random(), lambda rng: rng.random() < single(rng), lambda rng: (lambda u: u / u)(single(rng)), lambda rng: rng.standard_normal(dtype="f4") < 0)),
            ("float32 is compared with 0.7", lambda rng: rng.random(1, dtype=np.float32)[0] < 0.7), ("astype", lambda rng: rng.random() < np.array([0.3], np.float32)),
        ):
            with self.subTest(want):
                self.assertRaisesRegex(breadboard.Refused, want, breadboard.law, f)
        mine = np.random.default_rng(1)
        self.assertRaisesRegex(breadboard.Refused, "does not get as its argument", breadboard.law, lambda rng: mine.random() < 2)
        for kind, stand_in in ((kind, generators.stand_in(kind, tree.Tree(0.0, False))) for kind in (GENERATOR, STATE)):
            self.assertIsInstance(stand_in, kind)
            for name in dir(kind):
                if not name.startswith("_"):
                    self.assertIn(name, vars(type(stand_in)))

    @unittest.skipUnless(np, "NumPy is not there")
    def test_single_precision(self):
        """A uniform number of single precision is one of 2^24, as many of which are counted here."""
        below = math.ceil(0.3 * 2**24)
        for f, want in (
            (lambda rng: np.searchsorted([0, 0.5, 0.5, 1], single(rng)), (1, 2**23, 0, 2**23 - 1)), (lambda rng: np.searchsorted([0, 0.5, 0.5, 1], single(rng), side="right"), (0, 2**23, 0, 2**23)),
            (lambda rng: bisect.bisect_left([0, 0.3], rng.random(dtype="f4")), (1, below - 1, 2**24 - below)), (lambda rng: int(rng.random(1, np.float32)[0] == 0.25), (2**24 - 1, 1)),
            (lambda rng: (lambda u: (u <= 0.25) + (0.5 >= u) + (u > 2))(single(rng)), (2**23 - 1, 2**22, 2**22 + 1)), (lambda rng: bool(single(rng)) + (single(rng) < 2), (0, 1, 2**24 - 1)),
            (lambda rng: np.searchsorted(np.array([0.25, 1], np.float32), rng.random(1, dtype=np.float32))[0], (2**22 + 1, 3 * 2**22 - 1)),
        ):
            with self.subTest(want):
                self.assertEqual(dict(breadboard.law(f, exact=True)), {k: F(n, 2**24) for k, n in enumerate(want) if n})
        for f in (lambda rng: rng.random() < np.float32(0.3), lambda rng: np.float32(0.3) > rng.random(), lambda rng: rng.random() * np.float16(2) < 1):
            with unittest.mock.patch.object(lazy, "SINGLES", lazy.LESS_THAN_DOUBLE), unittest.mock.patch.object(tree, "SINGLES", lazy.LESS_THAN_DOUBLE):  # as from release 2 of NumPy on
                self.assertRaisesRegex(breadboard.Refused, "float64 first", breadboard.law, f)
        weights = np.array([0.25, 0.7501], np.float32)  # NumPy takes such a sum of single precision
        self.assertAlmostEqual(breadboard.law(lambda rng: rng.choice(2, p=weights))[0], 0.25 / (0.25 + float(weights[1])), delta=1e-15)

    def test_global_functions(self):
        before = random.getstate()
        self.assertEqual(dict(breadboard.law(lambda: held_random() < 0.25, rng=None)), {False: 0.75, True: 0.25})
        self.assertEqual(dict(breadboard.law(lambda: random.choice("ab") + random.choice("ab"), rng=None)), {a + b: 0.25 for a in "ab" for b in "ab"})
        self.assertEqual(random.getstate(), before)
        if np:
            both = breadboard.law(lambda: (np.random.default_rng().integers(2), np.random.rand() < 0.5, np.random.seed is None), rng=None)
            self.assertEqual(set(both.values()), {0.25})
            if hasattr(np.random.mtrand._rand, "_bit_generator"):  # SciPy reads whether the global generator has a seed
                self.assertEqual(breadboard.law(lambda: np.random.mtrand._rand._bit_generator._seed_seq is None, rng=None)[False], 1)

    def test_what_is_patched_is_undone(self):
        held = math.log, random.random, random._inst, os.urandom
        for f in (lambda rng: 1 / 0, lambda rng: float(rng.random()), lambda rng: sys.exit(1)):
            try:
                breadboard.law(f, rng=random.Random)
            except breadboard.Refused:
                pass
            self.assertEqual((math.log, random.random, random._inst, os.urandom), held)
        with self.assertRaises(KeyboardInterrupt):
            breadboard.law(interrupted, rng=random.Random)
        self.assertEqual((math.log, random.random, random._inst, os.urandom), held)

    def test_exceptions_are_outcomes_and_dust_is_none(self):
        law = breadboard.law(lambda rng: 1 // rng.randrange(2), rng=random.Random)
        self.assertEqual((dict(law), law.raised), ({1: 0.5}, {"ZeroDivisionError: integer division or modulo by zero": 0.5}))
        self.assertRaisesRegex(breadboard.Open, "no mean", law.mean)
        cumulated = [0.1 * k for k in range(1, 10)] + [0.9999999999999999]
        for cut in (1e-12, 0.0):
            law = breadboard.law(lambda rng: next(k for k, c in enumerate(cumulated) if rng.random() < 2 and held < c) if (held := rng.random()) else 0, rng=random.Random, cut=cut)
            self.assertEqual((law.raised, len(law)), ({}, 10))
            self.assertAlmostEqual(law.mean(), 4.5, delta=1e-12)

    def test_means(self):
        law = breadboard.law(lambda rng: [rng.randrange(2), rng.randrange(3)], rng=random.Random)
        self.assertEqual(law.mean(), (0.5, 1.0))
        self.assertAlmostEqual(law.var()[1], 2 / 3, delta=1e-15)
        self.assertAlmostEqual(law.mean(sum), 1.5, delta=1e-15)
        self.assertRaisesRegex(breadboard.Open, "the square of an outcome is above the largest float", law.var, lambda x: 1e200 * x[1])
        dust = breadboard.Law({0: 0.5, 1: 0.5, 1e4: 1e-9}, remainder=1e-15, dust=1e-15)
        self.assertAlmostEqual(dust.mean(), 0.50001, delta=1e-15)
        self.assertRaisesRegex(breadboard.Open, "the variance is not known.*The variance of the explored", dust.var)
        self.assertAlmostEqual(law.chance(lambda x: x[0] == x[1]), 1 / 3, delta=1e-15)
        self.assertEqual(set(law.given(lambda x: x[0] == x[1])), {(0, 0), (1, 1)})
        tries = breadboard.law(coin_until_heads, rng=random.Random, cut=1e-3)
        self.assertRaisesRegex(breadboard.Open, "The mean of the explored outcomes is 1.98.* may lie beyond .* from 1.98.* to 1.99", tries.mean)
        self.assertRaisesRegex(breadboard.Open, "from 0.5 to 0.50", tries.chance, 1)
        self.assertGreater(tries.given(lambda k: k > 1).remainder, tries.remainder)
        self.assertGreater(breadboard.law(coin_until_heads, rng=random.Random, most=3).remainder, 0.1)
        self.assertEqual(sum(tries.values()) + tries.remainder, 1)

    def test_a_witness_leads_to_its_outcome(self):
        f = lambda rng: (rng.random() < rng.random(), rng.randrange(5))
        law = breadboard.law(f, rng=random.Random)
        for outcome in law:
            self.assertEqual(f(law.witness(outcome)), outcome)
        self.assertRaisesRegex(KeyError, "'no' is not an outcome of the distribution", law.witness, "no")

    def test_a_witness_is_looked_at(self):
        for kind in generators.kinds():
            with self.subTest(kind):
                f = lambda rng: rng.choice([1, 2, 3])
                witness = breadboard.law(f, rng=kind).witness(2)
                self.assertIn("witness of 1 draw>", "%s %r" % (witness, witness))
                self.assertTrue(witness == witness != breadboard.law(f, rng=kind).witness(2) and hash(witness))
                for name, value in inspect.getmembers(witness):
                    self.assertTrue(name and repr(value) and str(value))
                self.assertFalse(hasattr(witness, "bit_generator"))
                self.assertEqual(f(witness), 2)
                self.assertRaisesRegex(breadboard.Refused, "used up", f, witness)
                for used in (copy.copy, lambda rng: rng.seed(1), lambda rng: rng.gamma(2), lambda rng: rng.bit_generator):
                    self.assertRaises((ValueError, AttributeError), used, witness)
                self.assertEqual(len(breadboard.law(lambda rng: (f(rng), len(str(rng) + repr(rng))), rng=kind)), 3)

    def test_advice_is_of_what_made_the_remainder(self):
        bits = lambda rng, *_: sum(rng.randrange(2) for _ in range(30))
        for want, options in (("smaller cut=", dict(cut=0.01)), ("larger most=", dict(most=3)), ("more seconds=", dict(seconds=0.02, check=False))):
            with self.subTest(want):
                law = breadboard.law(bits, rng=random.Random, **options)
                for f in (law.mean, lambda: law.of(str).given(lambda _: True).mean(len), lambda: law.chance(1), lambda: breadboard.assert_law(bits, {k: math.comb(30, k) / 2**30 for k in range(31)}, rng=random.Random, **options),
                          lambda: breadboard.transition(lambda x, rng: bits(rng), range(31), rng=random.Random, **options)):
                    with self.assertRaises(breadboard.Open) as caught:
                        f()
                    text = str(caught.exception)
                    self.assertTrue([word for word in ("smaller cut=", "larger most=", "more seconds=") if word in text] == [want], text)
        self.assertRaisesRegex(breadboard.Open, "never happens", breadboard.law(lambda rng: 1, rng=random.Random).given, 2)
        law = breadboard.chain(lambda x, rng: x + bits(rng), 0, 2, rng=random.Random, cut=0.01)
        self.assertRaisesRegex(breadboard.Open, "smaller cut=", law.mean)

    def test_wrong_calls_have_advice(self):
        for f, kind in ((lambda: 1, random.Random), (lambda *, rng: 1, random.Random), (lambda x, rng: 1, random.Random), (lambda rng: 1, None)):
            self.assertRaisesRegex(TypeError, "rng=None .* place=", breadboard.law, f, rng=kind)
        self.assertRaisesRegex(TypeError, "'rng'; .* a lambda", breadboard.transition, lambda log_f, x, rng: x, [0, 1], rng=random.Random)
        self.assertIn("Random" if np is None else "rng: 'Any' = numpy.random.Generator", str(inspect.signature(breadboard.law)))
        if np:
            for name, want in (("randint", "give rng=random.Random"), ("randrange", "random.Random has it: give rng=random.Random"), ("rand", "give rng=numpy.random.RandomState"), ("nothing", "'nothing'$")):
                (text,) = breadboard.law(lambda rng: getattr(rng, name)).raised
                self.assertRegex(text, "'Generator' object has no attribute '%s'" % name)
                self.assertRegex(text, want)

    def test_verdicts_on_wrong_moves(self):
        log_f = [0.0, 1.0, -0.5, 2.0] if np is None else np.array([0, 1, -0.5, 2])
        for want, move in (("from the state 3 the move of <lambda> goes to 4", lambda x, rng: x + 1), ("state 0 .* goes to -1", lambda x, rng: x - 1), ("state 0 .* returns None", lambda x, rng: None),
                           (r"goes to \(.*move\(log_f, x, rng\)", lambda x, logp, rng: x), ("goes to 0.5", lambda x, rng: 0.5)):
            self.assertRaisesRegex(breadboard.Open, want, breadboard.kernel.check, move, toy=log_f, rng=random.Random)
        found = {row["finding"]: row for row in breadboard.kernel.check(lambda x, rng: x, toy=log_f, beta=1, rng=random.Random)}
        self.assertEqual(found["invariance"]["verdict"], "pass")
        self.assertIn("4 classes", found["irreducible"]["where"])
        p = [math.exp(v) for v in log_f]
        draws = lambda x, rng: rng.choices(range(4), p)[0]
        breadboard.kernel.check(draws, toy=log_f, beta=1, rng=random.Random)
        self.assertRaisesRegex(breadboard.BreadboardError, "stage t = 2", breadboard.tightness, toy=log_f, T=10, kernel=draws, rng=random.Random)
        self.assertRaisesRegex(breadboard.Fault, "invariance", breadboard.kernel.check, lambda x, rng: rng.randrange(4), toy=log_f, beta=1, rng=random.Random)

    def test_a_kernel_that_draws_until_it_accepts(self):
        def until(log_f, x, rng):
            while True:
                y = rng.randrange(4)
                if math.log(rng.random()) < log_f[y] - 2:
                    return y

        def counted(log_f, x, rng):
            tries = 0
            while True:
                y, tries = rng.randrange(4), tries + 1
                if math.log(rng.random()) < log_f[y] - 2 and tries > 0:
                    return y

        log_f = [0, 0.5, -0.5, 1]
        breadboard.kernel.check(until, toy=log_f, rng=random.Random)
        self.assertRaisesRegex(breadboard.Open, "keeps something", breadboard.kernel.check, counted, toy=log_f, rng=random.Random)

    def test_a_rejection_sampler_by_one_try(self):
        one_try = lambda rng: (lambda y: y if rng.random() < y / 4 else None)(rng.randrange(4))
        law = breadboard.law(one_try, rng=random.Random).given(lambda y: y is not None)
        self.assertEqual((law.remainder, law.mean()), (0, 7 / 3))

    def test_the_place_of_the_generator(self):
        self.assertEqual(breadboard.law(lambda rng, n: rng.randrange(n), 2, rng=random.Random, place="first")[1], 0.5)
        self.assertEqual(breadboard.law(lambda n, *, seed: seed.randrange(n), 2, rng=random.Random, place="seed")[1], 0.5)
        self.assertRaises(TypeError, breadboard.law, lambda: 1, rng=random.Random)
        given = [1, 2, 3]
        self.assertEqual(len(breadboard.law(lambda x, rng: (rng.shuffle(x), x)[1], given, rng=random.Random)), 6)
        self.assertEqual(given, [1, 2, 3])

    @unittest.skipUnless(np, "NumPy is not there")
    def test_kernels(self):
        log_f = np.array([0, 1, -0.5, 2])
        P = breadboard.transition(lambda x, rng: metropolis(log_f, x, rng), range(4))
        p = np.exp(log_f) / np.exp(log_f).sum()
        self.assertLess(abs(p @ P - p).max(), 1e-15)
        law = breadboard.chain(lambda x, rng: metropolis(log_f, x, rng), 0, 50)
        for x, q in enumerate(np.linalg.matrix_power(P, 50)[0]):
            self.assertAlmostEqual(law[x], q, delta=1e-14)

        def asked(chooser, logf, shape, x):
            y = chooser.uniform(len(logf))
            return y if chooser.flip(math.exp(min(0.0, logf[y] - logf[x]))) else x

        mine, its = (breadboard.tightness(toy=log_f, T=10, kernel=kernel)[0] for kernel in (breadboard.followed(metropolis), asked))
        self.assertEqual((mine["J"], mine["B"]), (its["J"], its["B"]))
        found = {row["finding"]: row["value"] for row in breadboard.kernel.check(metropolis, toy=log_f, beta=1)}
        self.assertAlmostEqual(found["spectral_gap"], 1 - sorted(np.linalg.eigvals(P).real)[-2], delta=1e-12)

    @unittest.skipUnless(np, "NumPy is not there")
    def test_a_resampler_with_a_bug(self):
        weights = (0.5, 0.25, 0.25)
        right = breadboard.assert_unbiased(lambda rng: residual(weights, rng, False), value=(1.5, 0.75, 0.75))
        self.assertEqual(right.mean(), (1.5, 0.75, 0.75))
        with self.assertRaisesRegex(AssertionError, "biased: the mean is 0.75"):
            breadboard.assert_unbiased(lambda rng: residual(weights, rng, False)[1:2] * 2 // 2, value=(1.0,))

    def test_assertions(self):
        breadboard.assert_law(lambda rng: rng.choice("ab"), {"a": 0.5, "b": 0.5}, rng=random.Random)
        with self.assertRaisesRegex(AssertionError, "'a': 0.5, and not 0.4"):
            breadboard.assert_law(lambda rng: rng.choice("ab"), {"a": 0.4, "b": 0.6}, rng=random.Random)
        with self.assertRaisesRegex(AssertionError, r"(?s)show\n  29: 0.0333333333333, and not 0\n  0: 0.0333333333333, and not 0.06\n.*\n  and 10 more$"):
            breadboard.assert_law(lambda rng: rng.randrange(30), [0.06, *[0.94 / 28] * 28], rng=random.Random)
        breadboard.assert_unbiased(lambda rng: math.log(1 + rng.randrange(3)), log_z=math.log(2), rng=random.Random)
        with self.assertRaisesRegex(AssertionError, r"E\[Z-hat\] / Z is 2"):
            breadboard.assert_unbiased(lambda rng: math.log(1 + rng.randrange(3)), log_z=0.0, rng=random.Random)

    def test_pytest_compares(self):
        try:
            import pytest
        except ImportError:
            self.skipTest("pytest is not there")
        self.assertTrue(breadboard.law(lambda rng: rng.randrange(3), rng=random.Random) == pytest.approx({k: 1 / 3 for k in range(3)}))

    def test_orders(self):
        """Orders of uniform numbers and numbers, against the ways to put all of them into a row."""
        rng = random.Random(3)
        for _ in range(20 if LONG else 10):
            pairs = [(rng.randrange(4), rng.choice([0, 1, 2, 3, 0.25, 0.5])) for _ in range(4)]
            law = breadboard.law(lambda r: compared([r.random() for _ in range(4)], pairs), rng=random.Random, exact=True)
            self.assertEqual(dict(law), slowly(pairs))


def compared(u, pairs):
    return tuple(u[i] < (c if isinstance(c, float) else u[c]) if i != c else None for i, c in pairs)


def slowly(pairs):
    """The law of compared, by the quarter in which each uniform number is and by the orders within the quarters."""
    import itertools

    found = {}
    for quarters in itertools.product(range(4), repeat=4):
        for order in itertools.permutations(range(4)):
            key = compared([q / 4 + (k + 1) / 40 for q, k in zip(quarters, order)], pairs)
            found[key] = found.get(key, 0) + 1
    return {key: F(n, 256 * 24) for key, n in found.items()}


def coin_until_heads(rng):
    k = 1
    while rng.random() < 0.5 and k < 1000:  # so that it is no counter
        k += 1
    return k


def each_face(rng):
    return sum([rng.randrange(4) for _ in range(2)])


def single(rng):
    return rng.random(dtype=np.float32)


def swallows(rng):
    try:
        return rng.random() + rng.random() < 1
    except BaseException:
        return None


def interrupted(rng):
    raise KeyboardInterrupt


def bound(p):
    """How far a count may be from its mean."""
    v, level = RUNS * p * (1 - p), math.log(2 / ALARM)
    return level / 3 + math.sqrt(level**2 / 9 + 2 * v * level)

class Readers(unittest.TestCase):
    def test_a_loop_whose_variables_are_read_unseen_is_no_series(self):
        """The second value of u that is set in a loop outlives an iteration only for what reads the variables by reflection."""
        def caller():
            return sys._getframe(1).f_locals
        for reads in ("locals()", "vars()", "eval('locals()')", "sys._getframe().f_locals", "caller()", "look.variables()", "builtins.locals()"):
            names = dict(sys=sys, builtins=builtins, caller=caller, look=Look())
            exec("def f(rng):\n while True:\n  u = rng.random()\n  if u < .25: seen = 1\n  elif u < .5: break\n return %s.get('seen', 0)" % reads, names)
            with self.subTest(reads):
                found = breadboard.law(names["f"], most=100, rng=random.Random)
                self.assertLessEqual(found[0], 0.5)
                self.assertGreater(found.remainder, 0)


class Look:
    def variables(self):
        return sys._getframe(1).f_locals

if __name__ == "__main__":
    unittest.main()
