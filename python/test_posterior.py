"""Tests of assert_posterior: `python3 -W error -m unittest test_posterior` in this folder, with the program in the PATH or in $BREADBOARD."""
import array
import contextlib
import dataclasses
import math
import os
import random
import sys
import time
import unittest
import unittest.mock

import breadboard
from breadboard import assert_posterior
from breadboard._law import tree
from breadboard._law.laws import Law
from breadboard._serve.posterior import Model
from test_law import LONG

TOSSES = 4
BIASES = [k / 10 for k in range(1, 10)]
WEIGHTS = list(range(9, 0, -1))


def coin(fault=None):
    """A coin with a prior on a grid, and a Metropolis step."""
    def prior(rng):
        return rng.choices(BIASES, WEIGHTS)[0]

    def simulate(rng, theta):
        return sum(rng.random() < theta for _ in range(TOSSES))

    def log_joint(theta, y):
        log_f = y * math.log(theta) + (TOSSES - y) * math.log(1 - theta)
        return log_f * (2 if fault == "twice" else 1) + (0 if fault == "no prior" else math.log(WEIGHTS[round(10 * theta) - 1]))

    def step(rng, theta, y):
        k = round(10 * theta) - 1
        new = k + rng.choice([-1, 1])
        if fault == "turns back":
            new = new if 0 <= new <= 8 else 2 * k - new
        if not 0 <= new <= 8:
            return theta
        return BIASES[new] if rng.random() < math.exp(min(0, log_joint(BIASES[new], y) - log_joint(theta, y))) else theta
    return dict(prior=prior, simulate=simulate, step=step, log_joint=log_joint if fault != "twice" else None)


def mixture(fault=None):
    """Three points of two clusters, and a Gibbs scan of their labels."""
    emits, weights = [[0.6, 0.3, 0.1], [0.1, 0.3, 0.6]], [0.3, 0.7]

    def prior(rng):
        return [int(rng.random() < weights[1]) for _ in range(3)]

    def simulate(rng, z):
        return tuple(rng.choices(range(3), emits[k])[0] for k in z)

    def step(rng, z, y):
        for i in range(3):
            at = y[(i + 1) % 3] if fault == "index" else y[i]
            z[i] = rng.choices([0, 1], [(1 if fault == "no weights" else weights[k]) * emits[k][at] for k in range(2)])[0]
        return z
    return dict(prior=prior, simulate=simulate, step=step)


def change_point(fault=None):
    """The time at which a rate changes, and direct draws."""
    n = 6

    def rate(i, c):
        return 0.2 if (i <= c if fault == "off by one" else i < c) else 0.7

    def posterior(y, rng):
        return {"at": rng.choices(range(n), [math.prod(rate(i, c) if v else 1 - rate(i, c) for i, v in enumerate(y)) for c in range(n)])[0]}
    return dict(prior=lambda rng: {"at": rng.randrange(n)}, simulate=lambda rng, c: tuple(int(rng.random() < (0.2 if i < c["at"] else 0.7)) for i in range(n)), posterior=posterior)


def hmm(fault=None):
    """A hidden Markov model with four data: forward filter, backward draws, and log p(y)."""
    moves, emits, length = [[0.8, 0.2], [0.3, 0.7]], [[0.9, 0.1], [0.2, 0.8]], 4

    def prior(rng):
        x = [rng.randrange(2)]
        while len(x) < length:
            x.append(rng.choices([0, 1], moves[x[-1]])[0])
        return tuple(x)

    def filtered(y):
        f = [[0.5 * emits[s][y[0]] for s in range(2)]]
        for v in y[1:]:
            f.append([sum(f[-1][r] * moves[r][s] for r in range(2)) * emits[s][v] for s in range(2)])
        return f

    def posterior(rng, y):
        f = filtered(y)
        x = [rng.choices([0, 1], f[-1])[0]]
        for at in reversed(f[:-1]):
            back = [1, 1] if fault == "no smoothing" else [moves[x[0]][r] for r in range(2)] if fault == "transposed" else [moves[r][x[0]] for r in range(2)]
            x.insert(0, rng.choices([0, 1], [at[r] * back[r] for r in range(2)])[0])
        return tuple(x)

    def log_z(rng, y):
        return math.log(sum(filtered(y)[-1])) + (0.001 if fault == "biased" else 0)
    return dict(prior=prior, simulate=lambda rng, x: tuple(rng.choices([0, 1], emits[s])[0] for s in x), posterior=posterior, log_z=log_z)


PLANTED = [
    (coin, "no prior", r"data [04]: .*prior\^0 times likelihood\^1, as if the prior were left out(?s:.*)SBC with 1000 runs .* 0.99 \(theta\), below 0.003 \(loglik\)"),
    (coin, "twice", r"prior\^1 times likelihood\^2, as if the likelihood were counted twice"),
    (coin, "turns back", r"a draw of the posterior is 0.[129] with probability 0.*none of the known mistakes"),
    (mixture, "no weights", r"invariance = .*data \[2, 2, 2\]: .*as if the prior were left out"),
    (mixture, "index", r"invariance = .*data \[0, 2, 2\]: .* wrong for 24 of 27 data sets"),
    (change_point, "off by one", r'distance = .*data \[1, 0, 1, 0, 0, 1\]: \{"at": 4\} is drawn with probability 0.40.* instead of 0.13'),
    (hmm, "transposed", r"wrong for 16 of 16 data sets(?s:.*)SBC with 1000 runs .* 0.00\d \(theta\[0\]\), below "),
    (hmm, "no smoothing", r"mean total variation of 0.226(?s:.*)probability below 0.003 \(theta\[0\]\)(?s:.*)below 0.003 \(theta\[3\]\)"),
    (hmm, "biased", r"log_z = .*data \[1, 0, 0, 0\]: the mean of exp\(log_z\) is 1.0010005 p\(y\)"),
]


@dataclasses.dataclass
class Box:
    k: int


class Posteriors(unittest.TestCase):
    def verdict(self, functions, says=None):
        """Checks that functions pass, or fail with a text."""
        with self.subTest(says), self.assertRaisesRegex(AssertionError, says) if says else contextlib.nullcontext():
            self.check(functions)

    def check(self, functions, **options):
        return assert_posterior(functions.pop("prior"), functions.pop("simulate"), rng=random.Random, **functions, **options)

    def test_planted_faults_are_found_and_right_twins_pass(self):
        for model in coin, mixture, change_point, hmm:
            with self.subTest(model.__name__):
                found = self.check(model())
                self.assertEqual({row["verdict"] for row in found if row["finding"] != "log_joint"}, {"pass"})
        for model, fault, says in PLANTED if LONG else PLANTED[::2]:
            with self.subTest(fault), self.assertRaisesRegex(AssertionError, says):
                self.check(model(fault))

    def test_every_pair_is_asked(self):
        prior, simulate = (lambda rng: rng.randrange(1, 4)), (lambda rng, theta: rng.randrange(theta + 1))
        for log_joint, says in (
            (lambda theta, y: -math.log(theta + 1) if y <= theta else -math.inf, None),
            (lambda theta, y: math.log((y <= theta) / (theta + 1)), None),  # the log of 0 is an exception in Python
            (lambda theta, y: -math.log(theta + 1), r"support = 3: data 2: log_joint at 1 must be -inf, and it is -0.693.*wrong for 3 pairs"),
            (lambda theta, y: -math.log(theta + 1) if y < theta else -math.inf, r"log_joint at 1 is -inf, and by prior and simulator it is -1.79"),
        ):
            self.verdict(dict(prior=prior, simulate=simulate, log_joint=log_joint), says)

    def test_what_is_impossible_is_found_however_rare(self):
        prior, simulate = (lambda rng: rng.randrange(3)), (lambda rng, theta: theta == 2)
        for part, draw in (("step", lambda rng, theta, y: 2 if y or rng.random() < 1e-300 else rng.randrange(2)),
                           ("posterior", lambda y, rng: 2 if y or rng.random() < 1e-300 else rng.randrange(2))):
            self.verdict({"prior": prior, "simulate": simulate, part: draw}, "with probability 1e-300")

    def test_arguments_are_copies_and_stay_as_they_are(self):
        def data(rng, theta):
            return [int(rng.random() < (0.2, 0.7)[theta.k]) for _ in range(2)]

        def gibbs(rng, theta, y):
            theta.k = rng.choices([0, 1], [p ** sum(y) * (1 - p) ** (2 - sum(y)) for p in (0.2, 0.7)])[0]
            return theta

        def spoils(rng, theta, y):
            gibbs(rng, theta, y)
            y.pop()
            return theta
        model = dict(prior=lambda rng: Box(rng.randrange(2)), simulate=data)
        self.verdict(dict(model, step=gibbs))
        for changed in dict(step=spoils), dict(log_joint=lambda theta, y: sum(math.log((0.2, 0.7)[theta.k] if y.pop() else 1 - (0.2, 0.7)[theta.k]) for _ in range(2))):
            with self.assertRaisesRegex(breadboard.Refused, r"it changes its argument \[0, 0\]"):
                self.check(dict(model, **changed))

    def test_the_order_of_questions_shows_nothing(self):
        first = array.array("i", [0])

        def kept(theta, y):
            first[0] = y if theta == 0 else first[0]  # right if the questions about one y come in a row
            return math.log((0.2, 0.7)[theta] if first[0] else 1 - (0.2, 0.7)[theta])
        self.verdict(dict(prior=lambda rng: rng.randrange(2), simulate=lambda rng, theta: int(rng.random() < (0.2, 0.7)[theta]), log_joint=kept), "order = 1: log_joint at ")

        def numbered(seen, y):
            return seen.setdefault(y, len(seen))  # right if the first questions come in this order
        for asked in (lambda seen: dict(posterior=lambda rng, y: numbered(seen, y)), lambda seen: dict(log_joint=lambda theta, y: 0.0 if numbered(seen, y) == theta else -math.inf)):
            with self.subTest(asked({})), self.assertRaisesRegex(tree.Kept, "keeps a state"):
                self.check(dict(prior=lambda rng: rng.randrange(3), simulate=lambda rng, theta: theta, **asked({})))

    def test_what_is_kept_by_the_address_of_an_argument_is_found(self):
        def functions(made, count, key):
            known = {}

            def weight(theta, y):
                known.setdefault(key(y), (count(y), *(y for _ in range(key is not id))))
                return theta ** known[key(y)][0] * (1 - theta) ** (2 - known[key(y)][0])

            def step(rng, theta, y):
                other = rng.choice([0.2, 0.7])
                return other if rng.random() * weight(theta, y) < weight(other, y) else theta
            model = dict(prior=lambda rng: rng.choice([0.2, 0.7]), simulate=lambda rng, theta: made([int(rng.random() < theta) for _ in range(2)]))
            return [dict(model, **part) for part in (
                dict(posterior=lambda rng, y: rng.choices([0.2, 0.7], [weight(0.2, y), weight(0.7, y)])[0]), dict(step=step),
                dict(log_joint=lambda theta, y: math.log(weight(theta, y))), dict(log_z=lambda rng, y: math.log(weight(rng.choice([0.2, 0.7]), y))))]
        for made, count in ((tuple, sum), (lambda v: v[0] + 2 * v[1] + 0.25, lambda y: (0, 1, 1, 2)[int(y)]), (lambda v: " ".join(map(str, v)), lambda y: y.count("1")), (lambda v: 1000 + v[0] + 2 * v[1], lambda y: (0, 1, 1, 2)[y - 1000])):
            for model in functions(made, count, lambda y: y):
                self.verdict(model)
            for k in range(4) if sys.implementation.name == "cpython" else ():
                with self.subTest(made([0, 1]), asked=[*functions(made, count, id)[k]][2]), self.assertRaisesRegex(breadboard.Refused, "keeps (a state|something)"):
                    for _ in range(10):  # an address is given again nearly always
                        self.check(functions(made, count, id)[k])

    def test_products_do_not_underflow_to_a_pass(self):
        def rare(rng, theta=0):
            return 0 if rng.random() < 1e-200 else 1
        pair = dict(prior=rare, simulate=rare)
        self.verdict(dict(pair, step=lambda rng, theta, y: theta))
        self.verdict(dict(pair, step=lambda rng, theta, y: 0), "a draw of the posterior is 1 with probability 1, and after a step with 0")
        self.verdict(dict(pair, log_joint=lambda theta, y: -200 * math.log(10) * ((theta == 0) + (y == 0)) - (theta == y == 0)), "log_joint")
        self.verdict(dict(pair, log_joint=lambda theta, y: -200 * math.log(10) * ((theta == 0) + (y == 0))))

    def test_a_tail_that_was_cut_is_no_impossibility(self):
        def prior(rng):
            n = 0
            while rng.random() < 0.5:
                n += 1
            return n

        def log_joint(theta, y):
            return -theta * math.log(2) + (math.log(1 / (theta + 1) if y else theta / (theta + 1)) if y or theta else -math.inf)

        def step(rng, theta, y):
            other = theta + rng.choice([-1, 1])
            return other if other >= 0 and rng.random() < math.exp(min(0, log_joint(other, y) - log_joint(theta, y))) else theta
        found = assert_posterior(prior, lambda rng, theta: int(rng.random() < 1 / (theta + 1)), step, log_joint=log_joint, rng=random.Random)
        self.assertEqual([row["verdict"] for row in found], ["note", "pass", "pass", "pass"])

    def test_open_is_no_pass(self):
        def step(rng, theta, y):
            return int(rng.random() < 1e-16) if theta == 0 else int(rng.random() >= 0.999)
        self.verdict(dict(prior=lambda rng: int(rng.random() < 1e-17), simulate=lambda rng, theta: 0, step=step), "^open: ")

        estimate = Model(lambda rng: 0, lambda rng, theta: 0, log_z=lambda rng, y: 0.0)
        estimate._known_mean(Law({0.0: 0.5, 40.0: 0.5}, None, 1e-320), "log_z(0)")
        for remainder in 1e-11, 1e-13, 1e-30:
            with self.assertRaisesRegex(breadboard.Open, "the mean of exp.log_z. is not known, because estimates of probability 1e-[13]"):
                estimate._known_mean(Law({0.0: 0.5, 40.0: 0.5}, None, remainder), "log_z(0)")

    def test_what_takes_too_long_or_changes_is_named(self):
        def step(rng, theta, y):
            return theta

        calls = []
        model = Model(lambda rng: 0, lambda rng, theta: 0, log_z=lambda rng, y: 0.0)
        model.asking = "step(1, 2)"
        fault = breadboard.Fault("x", 1, [], "", "")
        fault.unanswered = True
        with unittest.mock.patch("breadboard._checks.run", side_effect=fault), self.assertRaisesRegex(breadboard.Open, "step has not answered within .*breadboard.transition.* a loop that draws"):
            breadboard.assert_invariant(step, [0.0, 0.0])
        with unittest.mock.patch("breadboard._checks.run", side_effect=fault), self.assertRaisesRegex(breadboard.Refused, "^x$"):
            breadboard.assert_posterior(lambda rng: 0, lambda rng, theta: 0, step, rng=random.Random)
        self.assertRaises(tree.Kept, breadboard.law, lambda rng: rng.randrange(2 + len(calls.append(1) or calls)), rng=random.Random)
        self.assertRegex(model.late(), r"^step\(1, 2\): its distribution was not found within 60 s; .* generator expression")

    def test_a_step_that_joins_too_little(self):
        stays = dict(coin(), step=lambda rng, theta, y: theta, log_joint=None)
        self.assertEqual([row["verdict"] for row in self.check(dict(stays))], ["pass", "note"])
        with self.assertRaisesRegex(AssertionError, "reaches all = 9: data 0: the parameters are in 9 sets"):
            self.check(dict(stays), irreducible=True)

    def test_data_that_are_given(self):
        self.assertEqual(len(self.check(coin(), data=[2])), 3)
        with self.assertRaisesRegex(AssertionError, "data 2: .*wrong for 1 of 1 data set"):
            self.check(coin("no prior"), data=[2])
        with self.assertRaisesRegex(breadboard.BadInput, "never makes these data; they are among"):
            self.check(coin(), data=[7])

    def test_what_cannot_be_tested_is_refused(self):
        with self.assertRaisesRegex(TypeError, "nothing to test"):
            assert_posterior(lambda rng: 1, lambda rng, theta: 1)
        with self.assertRaisesRegex(TypeError, "step is of type int"):
            assert_posterior(lambda rng: 1, lambda rng, theta: 1, 3)
        with self.assertRaisesRegex(breadboard.Open, "simulate.*raises ValueError: mine"):
            self.check(dict(coin(), simulate=fails))
        with self.assertRaisesRegex(breadboard.Refused, "random number of which only an interval is known"):
            self.check(dict(coin(), simulate=lambda rng, theta: rng.gauss(theta, 1)))
        with self.assertRaisesRegex(breadboard.Refused, r"^prior\(\): .*draw parameters from a grid and round the data"):
            self.check(dict(coin(), prior=lambda rng: rng.random()))
        with self.assertRaisesRegex(breadboard.Refused, r"^log_joint\(.*it returns 1000"):
            self.check(dict(coin(), log_joint=lambda theta, y: 10**400))
        with self.assertRaisesRegex(TypeError, "table: a failure has all findings"):
            self.check(coin(), table="tests")

    def test_slow_is_no_verdict(self):
        def slow(rng, theta, y):
            return sum(rng.random() < 0.5 for _ in range(12)) and theta

        with unittest.mock.patch("breadboard._serve.posterior.CHOICES", 1000), self.assertRaisesRegex(breadboard.Open, "1000 choices, which is the limit"):
            self.check(dict(coin(), step=slow))

    @unittest.skipUnless("BREADBOARD_LONG" in os.environ, "it takes a minute")
    def test_silence_is_no_verdict(self):
        with self.assertRaisesRegex(breadboard.Refused, "60 s|1m0s"):
            self.check(dict(coin(), step=lambda rng, theta, y: time.sleep(70)))


def fails(rng, theta):
    raise ValueError("mine")


class Labels(unittest.TestCase):
    def test_what_has_no_meaning_is_refused(self):
        for tolerance in 5, 0.5, -1, math.nan:
            with self.assertRaisesRegex(ValueError, "it is for rounding, at most 0.01"):
                breadboard.assert_invariant([[1.0]], [0.0], tolerance=tolerance)

    def test_a_matched_kernel_is_checked(self):
        log_f, labels = [0.0, 1.0, -2.0, 3.0], [1, 2, 3, 4]
        matrix = [[min(1, math.exp(b - a)) / 3 for b in log_f] for a in log_f]
        for k, row in enumerate(matrix):
            row[k] += 1 - sum(row)
        target, turn = Labelled(index=labels, values=log_f), [2, 0, 3, 1]
        right = Labelled(index=[labels[k] for k in turn], columns=[labels[k] for k in turn], values=[[matrix[j][k] for k in turn] for j in turn])
        breadboard.assert_invariant(right, target)
        with self.assertRaisesRegex(AssertionError, "the kernel is wrong"):
            breadboard.assert_invariant(Labelled(index=labels[1:] + labels[:1], columns=labels[1:] + labels[:1], values=matrix), target)


class Index(list):
    """What an index has."""

    names, nlevels = [None], 1


class Labelled:
    """What a data frame or a series has."""

    def __init__(self, index, **fields):
        vars(self).update(fields, index=Index(index))

    def __iter__(self):
        return iter(self.values)


if __name__ == "__main__":
    unittest.main()
