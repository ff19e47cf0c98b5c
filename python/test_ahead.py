"""Tests of kernels that are asked about many states and distributions at once: `python3 -W error -m unittest test_ahead` in this folder."""
import array
import contextlib
import functools
import io
import itertools
import math
import random
import unittest
import unittest.mock

import breadboard
from breadboard._serve import protocol
from breadboard._law.lanes import Column, Lanes, Split, each
from breadboard._serve.kernels import kernel_of

np = breadboard._numpy.numpy
TARGET = [0.0, 1.5, -0.5, 3.0, 3.0, -2.0]
STAGES = [tuple(k / 20 * v for v in TARGET) for k in range(1, 21)]
SHAPE = [6]


def neighbour(x, rng):
    return (x + (1, -1)[int(rng.integers(2))]) % 6


def of_difference(log_f, x, rng):
    y = neighbour(x, rng)
    return y if rng.random() < math.exp(min(0, log_f[y] - log_f[x])) else x


def of_logarithm(log_f, x, rng):
    y = neighbour(x, rng)
    return y if np.log(rng.random()) < log_f[y] - log_f[x] else x


def of_logarithm_of_math(log_f, x, rng):
    y = neighbour(x, rng)
    return y if math.log(rng.uniform()) < (log_f[y] - log_f[x]) * 1.0 else x


def of_exponential(log_f, x, rng):
    y = neighbour(x, rng)
    return x if rng.exponential() < log_f[x] - log_f[y] else y


def of_numpy(log_f, x, rng):
    y = neighbour(x, rng)
    return y if np.exp(np.minimum(0.0, log_f[y] - log_f[x])) > rng.random() else x


def of_two(log_f, x, rng):
    return of_difference(log_f, of_numpy(log_f, x, rng), rng)


def barker(log_f, x, rng):
    y = neighbour(x, rng)
    return y if rng.random() < 1 / (1 + math.exp(log_f[x] - log_f[y])) else x


def heat_bath(log_f, x, rng):
    some = [(x - 1) % 6, x, (x + 1) % 6]
    w = np.exp(log_f[some] - np.max(log_f[some]))
    return some[rng.choice(3, p=w / w.sum())]


def other_at_the_end(log_f, x, rng):
    y = neighbour(x, rng) if log_f.max() > 1.5 else int(rng.integers(len(log_f)))
    return y if rng.random() < math.exp(min(0, log_f[y] - log_f[x])) else x


def steep(log_f, x, rng):
    y = neighbour(x, rng)
    return y if rng.random() < math.exp(min(0, 300 * (log_f[y] - log_f[x]))) else x


def of_list(log_f, x, rng):
    f = [math.exp(v) for v in log_f]
    y = neighbour(x, rng)
    return y if rng.random() < min(1, f[y] / f[x]) else x


AT_ONCE = [of_difference, of_logarithm, of_logarithm_of_math, of_exponential, of_numpy, of_two, barker, heat_bath, other_at_the_end, steep, of_list]


def of_array(log_f, x, rng):
    f = np.asarray(log_f)
    y = neighbour(x, rng)
    return y if rng.random() < math.exp(min(0, f[y] - f[x])) else x


def of_text(log_f, x, rng):
    y = neighbour(x, rng)
    return y if rng.random() < math.exp(min(0, float(log_f[y]) - float("%r" % float(log_f[x])))) else x


def on_grid(log_f, x, shape, rng):
    """A move to a neighbour on a grid, which closes up at its ends."""
    i, j = divmod(x, shape[1])
    up = int(rng.integers(2))
    step = (1, -1)[int(rng.integers(2))]
    y = (i + step) % shape[0] * shape[1] + j if up else i * shape[1] + (j + step) % shape[1]
    return y if rng.random() < math.exp(min(0, log_f[y] - log_f[x])) else x


def unpacks(chooser, logf, shape, x):
    i, j = x
    return i * shape[1] + j


def too_large_for_exp(log_f, x, rng):
    y = neighbour(x, rng)
    return y if rng.random() < min(1, math.exp(100 * (log_f[y] - log_f[x]))) else x


@unittest.skipUnless(np, "NumPy is not there")
class Followed(unittest.TestCase):
    def counted(self, move):
        """A move that counts its runs."""
        runs = []

        @functools.wraps(move)
        def counting(log_f, x, rng):
            runs.append(x)
            return move(log_f, x, rng)

        return counting, runs

    def test_rows_at_once_are_those_of_each_distribution(self):
        for move in AT_ONCE + [of_array, of_text]:
            counting, runs = self.counted(move)
            together, alone = breadboard.followed(counting), breadboard.followed(move)
            for x in (3,):
                got = [together.row_of(STAGES, at, SHAPE, x) for at in range(len(STAGES))]
                for at in (0, 1, 7, 19):
                    self.assertEqual(got[at], alone.row_of([STAGES[at]], 0, SHAPE, x), (move.__name__, x, at))
            branches = sum(len(breadboard.law(move, np.array(STAGES[0]), x).raised) + breadboard.law(move, np.array(STAGES[0]), x).branches for x in (3,))
            few = len(runs) < 40 * branches  # eight for each of the three distributions that are checked, and some for all at once; else 160
            self.assertEqual(few, move in AT_ONCE, (move.__name__, len(runs), branches))

    def test_the_cost_is_said_before_it_is_paid(self):
        for long in 0.0, 5.0:
            move, said = kernel_of(of_difference), io.StringIO()
            with unittest.mock.patch("breadboard._serve.kernels.LONG", long), contextlib.redirect_stderr(said):
                for x in range(3):
                    move.row_of(STAGES, 0, SHAPE, x)
            self.assertRegex(said.getvalue(), "^$" if long else r"^kernel of_difference: about \d+ s more of a core for its moves \(states: 6, distributions: 20\); a function matrix.*\n$")

    def test_an_exception_is_raised_where_its_distribution_comes(self):
        kernel = breadboard.followed(too_large_for_exp)
        for at, logf in enumerate(STAGES):
            if 100 * max(logf[1] - logf[0], logf[5] - logf[0]) < 709:
                kernel.row_of(STAGES, at, SHAPE, 0)
                continue
            with self.assertRaisesRegex(breadboard.Open, "OverflowError"):
                kernel.row_of(STAGES, at, SHAPE, 0)

    def test_a_move_that_keeps_what_it_was_given_is_noticed(self):
        kept = {}

        def keeps(log_f, x, rng):
            y = neighbour(x, rng)
            return y if rng.random() < kept.setdefault((x, y), math.exp(min(0, log_f[y] - log_f[x]))) else x

        row_of = breadboard.followed(keeps).row_of
        rows = [row_of(STAGES, at, SHAPE, 2) for at in range(len(STAGES))]
        self.assertTrue(all(row == rows[0] for row in rows))  # as each by itself: the values of the first one stay
        kept.clear()
        with self.assertRaisesRegex(breadboard.BreadboardError, "does not leave the distribution invariant"):
            breadboard.tightness(toy=TARGET, T=10, kernel=breadboard.followed(lambda log_f, x, rng: keeps(log_f, x, rng)))

    def test_values_are_kept_as_long_as_they_hold(self):
        kept = {}

        def own(log_f, x, rng):
            if kept.get("of") is not log_f:
                kept.update(of=log_f, f=[math.exp(v) for v in log_f])
            y = neighbour(x, rng)
            return y if rng.random() < min(1, kept["f"][y] / kept["f"][x]) else x

        mine, its = (breadboard.tightness(toy=TARGET, T=12, kernel=breadboard.followed(move))[0] for move in (own, of_list))
        self.assertEqual((mine["J"], mine["B"]), (its["J"], its["B"]))

    def test_columns(self):
        lanes = Lanes(3)
        a, b = Column(lanes, [1.0, 2.0, 3.0]), Column(lanes, [1, 1, 1])
        self.assertEqual([each(max, a, 2).values, (2 - a).values, (a < 2.5).values, (-a**2).values], [[2, 2.0, 3.0], [1.0, 0.0, -1.0], [True, True, False], [-1.0, -4.0, -9.0]])
        self.assertEqual((int(b), [7, 8][b], bool(a > 0), isinstance(a, float), int(math.floor(b))), (1, 8, True, True, 1))
        with self.assertRaises(Split) as found:
            bool(a < 2.5)
        self.assertEqual(found.exception.parts, [[0, 1], [2]])
        for refused in (float, hash, str, lambda v: [v][0].__array__(), lambda v: each(lambda x: 1 / (x - 2), v)):
            with self.assertRaises(Split) as found:
                refused(Column(Lanes(2), [1.0, 2.0]))
            self.assertIsNone(found.exception.parts)
        lanes.over = True
        with self.assertRaisesRegex(ValueError, "keeps a state"):
            a + 1


class Late(unittest.TestCase):
    def test_a_loop_in_a_generator_expression_is_named(self):
        tries = lambda x, rng: next(y for y in iter(lambda: rng.choice([0, 1]), None) if rng.random() < (y + 1) / 200)
        with unittest.mock.patch("breadboard._serve.kernels.ROW_CHOICES", 5000), self.assertRaisesRegex(breadboard.Open, "not complete after 5000 choices, .* generator expression"):
            breadboard.followed(tries, rng=random.Random).row_of([[0.0, 1.0]], 0, [2], 0)

    def test_a_move_that_takes_no_log_f_is_followed_once(self):
        calls = []
        row_of = breadboard.followed(lambda x, rng: calls.append(x) or rng.choice([0, 1]), rng=random.Random).row_of
        first = row_of([[0.0, 1.0]], 0, [2], 0)
        calls.clear()
        self.assertEqual((row_of([[0.0, 2.0]], 0, [2], 0), calls), (first, []))

    def test_paths_that_time_has_left_are_no_state(self):
        for off, raised in (2e-15, False), (1e-9, True):
            rows = iter([{0: 0.5, 1: 0.5 - 8e-15}, {0: 1.0}, {0: 0.5 - off, 1: 0.5 - 8e-15 + off}])
            kernel = breadboard.followed(lambda x, rng: x, rng=random.Random)
            with unittest.mock.patch("breadboard._serve.kernels.law_of_move", lambda *_: next(rows)), unittest.mock.patch("random.Random.choice", lambda _, known: known[0]):
                kernel.row_of([[0.0, 1.0]], 0, [2], 0)
                if raised:
                    self.assertRaisesRegex(breadboard.Refused, "keeps a state", kernel.row_of, [[0.0, 1.0]], 0, [2], 1)
                else:
                    kernel.row_of([[0.0, 1.0]], 0, [2], 1)


class Called(unittest.TestCase):
    def test_how_a_kernel_is_called_is_said(self):
        for move in (lambda x, rng: x[0],):
            with self.assertRaisesRegex(ValueError, r"it is called as move\(x, rng\) or move\(log_f, x, rng\)"):
                breadboard.tightness(toy=TARGET, T=3, kernel=breadboard.followed(move))

    def test_all_forms_are_one_kernel(self):
        """A function with a generator, of any kind and in any place, one that returns its row, one that returns the matrix, and a matrix."""
        states = ["a", ("b", 2), 3, frozenset({4})]
        log_f = dict(zip(states, [0.0, 1.5, -0.5, 0.7]))

        def drawn(y, x, log_f, rng):
            return y if rng.random() < math.exp(min(0.0, log_f[y] - log_f[x])) else x

        def row(log_f, x):
            p = {y: min(1.0, math.exp(log_f[y] - log_f[x])) / 4 for y in log_f if y != x}
            return [p.get(y, 1 - sum(p.values())) for y in log_f]

        moves = [
            lambda log_f, x, rng: drawn(states[int(rng.random() * 4)], x, log_f, rng), lambda rng, x, log_f: drawn(states[rng.randrange(4)], x, log_f, rng),
            lambda x, log_f, random_state, k=1: drawn(states[int(4 * random_state.random())], x, log_f, random_state), lambda log_f, x: drawn(random.choice(states), x, log_f, random),
            row, lambda x, log_f: tuple(row(log_f, x)), lambda log_f: [row(log_f, x) for x in log_f], [row(log_f, x) for x in states],
        ]
        for k, move in enumerate(moves):
            self.assertIsNone(breadboard.assert_invariant(move, log_f), k)
            if not callable(move):
                continue
            rows = breadboard.kernel_matrix(move, log_f)
            for x, got in zip(states, rows.toarray().tolist() if hasattr(rows, "toarray") else rows):
                for p, q in zip(got, row(log_f, x)):
                    self.assertAlmostEqual(p, q, 14, (k, x))

        def wrong(log_f, x, rng):
            y = states[(states.index(x) + rng.randrange(2)) % 4]
            return drawn(y, x, log_f, rng)

        with self.assertRaisesRegex(AssertionError, r"state frozenset\(\{4\}\) gets"):
            breadboard.assert_invariant(wrong, log_f)
        with self.assertRaisesRegex(ValueError, r"from the state 'a' the move of <lambda> goes to 'z', which is none of the states$"):
            breadboard.assert_invariant(lambda x, rng: "z", log_f)
        with self.assertRaisesRegex(TypeError, "returns no matrix with a row and a column for each of the 4 states"):
            breadboard.assert_invariant(lambda log_f: [1.0], log_f)
        with self.assertRaisesRegex(AssertionError, "probabilities that sum to 1.25"):
            breadboard.assert_invariant(lambda x: [0.5, 0.75, 0, 0], log_f)
        with self.assertRaisesRegex(ValueError, "goes to .*, which is none of the states$"):
            breadboard.assert_invariant(lambda log_f, x: dict(zip(states, row(log_f, x))), log_f)
        for outside in {(0, 0): 0.0, (1, 1): 1.0}, {(1, 0): 0.0, (1, 1): 1.0}:  # one outcome, of as many parts as there are states
            with self.assertRaisesRegex(ValueError, r"goes to \(0, 1\), which is none of the states$"):
                breadboard.assert_invariant(lambda x, rng: (0, 1), outside)
        words, generator = dict(zip("bca", log_f.values())), random.Random(1)
        chain = ["b"]
        while len(chain) < 3000:
            chain.append(drawn(generator.choice("abc"), chain[-1], words, generator))
        self.assertTrue(breadboard.assert_chain(chain, words, kernel=lambda x, rng: drawn("abc"[rng.randrange(3)], x, words, rng)))
        with self.assertRaisesRegex(AssertionError, "fault in the moves"):
            breadboard.assert_chain(chain, words, kernel=lambda x, rng: drawn("abc"[rng.randrange(3)], x, words, rng), thin=2)
        breadboard.kernel.check(moves[0], toy=log_f)

    def test_labels_that_a_table_would_read_otherwise(self):
        for states in ["2", "1", "10"], ["1", "", "nan", "NA", "#a", "a ", "a", "a\n", 'a"', "a,", 1], [None, "None", True], ["a"]:
            known = dict(zip(states, range(-5, 6)))

            def move(x, rng):
                y = states[rng.randrange(len(states))]
                return y if rng.random() < math.exp(min(0, known[y] - known[x])) else x

            with self.subTest(states):
                breadboard.assert_invariant(move, known)

    def test_rows_of_single_precision(self):
        log_f = [0.0, 0.3, -1.2]
        weights = [math.exp(v) for v in log_f]
        row = list(array.array("f", [w / sum(weights) for w in weights]))
        self.assertNotEqual(math.fsum(row), 1)
        for kernel in lambda x: row, lambda log_f: [row] * 3:
            breadboard.assert_invariant(kernel, 3, log_f, tolerance=1e-6)
            with self.assertRaisesRegex(AssertionError, "which is the rounding of single precision"):
                breadboard.assert_invariant(kernel, 3, log_f)
        with self.assertRaisesRegex(AssertionError, "probabilities that sum to 0.99999998"):
            breadboard.assert_invariant(lambda x: [p + 1e-9 for p in row], 3, log_f, tolerance=1e-6)
    def test_draws_are_the_states_of_a_dict(self):
        """Draws that are keys of the target, in any order and container, with a kernel on the keys or without one."""
        rng, log_f = random.Random(1), {(1, 0): 0.5, "b": 0.0, frozenset({3}): -0.5}
        p = [math.exp(v) for v in log_f.values()]
        draws = [rng.choices(list(log_f), p)[0] for _ in range(2000)]

        def exact(log_f, x, rng):
            return rng.choices(list(log_f), [math.exp(v) for v in log_f.values()])[0]

        for target in log_f, {"mine": log_f}:
            self.assertTrue(breadboard.assert_chain(draws, target, kernel=exact))
        self.assertTrue(breadboard.assert_samples([list(x) if isinstance(x, tuple) else x for x in draws], log_f))
        with self.assertRaisesRegex(AssertionError, "these are not independent draws"):
            breadboard.assert_samples([rng.choice(list(log_f)) for _ in range(2000)], log_f)
        with self.assertRaisesRegex(ValueError, "draw 2001 is 'c', which is none of the states"):
            breadboard.assert_samples([*draws, "c"], log_f)
        words = dict.fromkeys(["left", "right"], 0.0)
        columns = {"state": rng.choices(list(words), k=2000)}
        for made in (columns, *([np.array(columns["state"])] if np else [])):
            self.assertTrue(breadboard.assert_samples(made, words))
        alike = {1: 0.0, "1": math.log(3)}
        self.assertTrue(breadboard.assert_samples({"state": [1, "1"], "count": [500, 1500]}, alike))
        with self.assertRaisesRegex(AssertionError, "these are not independent draws"):
            breadboard.assert_samples({"state": ["1", 1], "count": [500, 1500]}, alike)

    def test_coordinates_in_place_of_the_number_of_a_state(self):
        hint = r"numpy\.unravel_index\(x, shape\) gives the coordinates of x"
        for kernel in (lambda c, logf, shape, x: x[0], lambda c, logf, shape, x: logf[x, 0], unpacks, lambda c, logf, shape, x: (0, x)):
            with self.assertRaisesRegex(TypeError, hint):
                breadboard.tightness(toy=[0.0, 2.0], T=3, kernel=kernel)
        for move in (lambda x, rng: x[0], lambda log_f, x, rng: log_f[x, 0], lambda x, rng: (0, x)):
            with self.assertRaisesRegex(ValueError, hint):
                breadboard.tightness(toy=[0.0, 2.0], T=3, kernel=breadboard.followed(move))
        with self.assertRaisesRegex(TypeError, r"^unsupported operand type\(s\) for \+: 'int' and 'NoneType'$"):
            breadboard.tightness(toy=TARGET, T=3, kernel=lambda c, logf, shape, x: x + None)

    @unittest.skipUnless(np, "NumPy is not there")
    def test_arguments_are_found_by_name(self):
        wrong = (1, 6)
        for place, moves in {
            "last": [
                lambda log_f, x, shape, rng: on_grid(log_f, x, shape, rng), lambda log_f, x, rng, shape: on_grid(log_f, x, shape, rng), lambda log_f, x, rng, *, shape: on_grid(log_f, x, shape, rng),
                lambda log_f, x, rng, shape=wrong: on_grid(log_f, x, shape, rng), lambda log_f, x, rng, *, shape=wrong: on_grid(log_f, x, shape, rng),
                lambda log_f, x, shape=wrong, rng=None: on_grid(log_f, x, shape, rng), lambda f, x, rng, shape: on_grid(f, x, shape, rng), lambda f, x, rng, k=1, shape=wrong: on_grid(f, x, shape, rng),
                lambda x, *, log_f, shape, rng: on_grid(log_f, x, shape, rng), functools.partial(lambda log_f, x, shape, rng: on_grid(log_f, x, shape, rng), rng=random),
                lambda x, rng, shape=wrong, *, logf=None: on_grid(logf, x, shape, rng), functools.partial(lambda log_f, x, rng, shape: on_grid(log_f, x, shape, rng), shape=(2, 3)),
            ],
            "first": [lambda rng, f, x, shape: on_grid(f, x, shape, rng), lambda rng, x, shape=wrong, log_f=None: on_grid(log_f, x, shape, rng)],
            "source": [lambda f, x, source, shape: on_grid(f, x, shape, source), lambda log_f, x, *, shape=wrong, source: on_grid(log_f, x, shape, source)],
        }.items():
            for k, move in enumerate(moves):
                states, chances = breadboard.followed(move, place=place).row_of(STAGES, 3, [2, 3], 1)
                self.assertEqual((states, len(chances)), ([0, 1, 2, 4], 4), (place, k))
        for order in itertools.permutations(["log_f", "x", "rng", "shape"]):  # none of which is taken for a kernel with a chooser
            move = eval("lambda %s: on_grid(log_f, x, shape, rng)" % ", ".join(order), {"on_grid": on_grid})
            self.assertEqual(kernel_of(move).row_of(STAGES, 3, [2, 3], 1)[0], [0, 1, 2, 4], order)
        bound = functools.partial(lambda log_f, x, rng, shape: on_grid(log_f, x, shape, rng), shape=wrong)
        self.assertEqual(breadboard.followed(bound).row_of(STAGES, 3, [2, 3], 0)[0], [0, 1, 5])


class Told(unittest.TestCase):
    """What Ahead tells of moves that ask for their choices."""

    def told(self, move, stages=STAGES[:2], patience=1000):
        ahead = protocol.Ahead(move)
        ahead.expect(stages, SHAPE)
        with unittest.mock.patch.object(protocol, "PATIENCE", patience):
            return ahead.tell(0, 0)

    def test_trees(self):
        answer = self.told(lambda c, logf, shape, x: [x, 5][c.flip(1.0)] if c.uniform(2) else c.choose([0.5, 0.0, 0.5]), [[0.0, None], [0.0, 1.0]])
        self.assertEqual(answer["told"], 4)
        tree = [{"uniform": 2}, {"choose": 3}, {"state": 0}, None, {"state": 2}, {"flip": True}, None, {"state": 5}]
        self.assertEqual(answer["trees"], [{"from": x, "stages": [0, 1], "tree": tree, "p": [[0.5, 0.0, 0.5, 1.0]] * 2} for x in (0, 1)])

    def test_what_is_left_to_be_asked_for(self):
        def fails(chooser, logf, shape, x):
            return 1 // int(chooser.flip(0.5))

        def hides(chooser, logf, shape, x):
            try:
                return chooser.flip(math.nan)
            except BaseException:
                return 0

        for move in (fails, hides, lambda c, *_: c.flip(1.5), lambda c, *_: c.uniform(0), lambda *_: None, lambda c, *_: [0 for _ in iter(lambda: c.flip(0.5), 2)], lambda c, *_: c.choose([])):
            self.assertEqual(self.told(move), {"trees": [], "told": 12})

    def test_a_move_that_changes(self):
        runs = []

        def counts(chooser, logf, shape, x):
            runs.append(x)
            return chooser.uniform(3) + chooser.flip(0.5 if len(runs) != 40 else 0.25)

        changed = [tree for tree in self.told(counts)["trees"] if tree["tree"] == [{"changed": True}]]
        self.assertEqual([(tree["from"], tree["stages"]) for tree in changed], [(2, [0])])
        with self.assertRaisesRegex(breadboard.Fault, "made different choices when it was run again"):
            runs.clear()
            breadboard.tightness(toy=TARGET, T=5, kernel=counts)

    def test_a_message_is_not_long(self):
        with unittest.mock.patch.object(protocol, "MOST_TOLD", 200):
            self.assertEqual(self.told(lambda c, *_: c.choose([0.25] * 4), STAGES)["told"], 23)  # nine numbers each
        self.assertEqual(self.told(lambda c, *_: 0, STAGES, patience=0)["told"], 1)


if __name__ == "__main__":
    unittest.main()
