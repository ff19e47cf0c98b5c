"""Tests of breadboard.py: `python3 -m unittest` in this folder, with the program in the PATH or in $BREADBOARD."""
import ast
import json
import math
import os
import random
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
import unittest.mock

import breadboard

HERE = os.path.dirname(os.path.abspath(breadboard.__file__))


def program(folder, name, text):
    """Writes a program that finds breadboard.py, and returns its command."""
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write("import sys\nsys.path.insert(0, %r)\n%s" % (HERE, textwrap.dedent(text)))
    return "%s %s" % (sys.executable, path)


METROPOLIS = """
    import math
    import breadboard

    def move(chooser, logf, shape, x):
        row, col = divmod(x, shape[1])
        down, right = [(-1, 0), (1, 0), (0, -1), (0, 1)][chooser.uniform(4)]
        if not (0 <= row + down < shape[0] and 0 <= col + right < shape[1]):
            return x
        y = x + down * shape[1] + right
        print("what a kernel prints is no answer")
        return y if chooser.flip(math.exp(min(0.0, logf[y] - logf[x]))) else x

    breadboard.serve_kernel(move)
"""


class Commands(unittest.TestCase):
    def test_rows_are_those_of_the_command(self):
        plain = subprocess.run([breadboard.find(), "tightness", "--toy", "barrier,easy", "-T", "10,100", "--format", "json"],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
        rows = breadboard.rows("tightness", toy=["barrier", "easy"], T=(10.0, 100))
        self.assertEqual([row["J"] for row in rows], [row["J"] for row in json.loads(plain)])
        self.assertEqual([(row["toy"], row["T"]) for row in rows], [(t, n) for t in ("barrier", "easy") for n in (10, 100)])
        self.assertIsNone(rows[0]["J_printed"])
        self.assertIn("dominant mode", rows.messages)
        self.assertEqual(rows, breadboard.rows("tightness", "--toy", "barrier,easy", "-T", "10,100"))

    @unittest.skipUnless(breadboard.numpy, "NumPy is not there")
    def test_arrays_are_toys(self):
        logf = breadboard.numpy.array([[0.0, -1.0, -2.5], [0.3, -0.7, 1e-9]])
        exact = breadboard.arrays(toy=logf, T=5, arrays=["log_f", "J"])
        self.assertTrue((exact["log_f"] == logf).all())
        rows = breadboard.rows("tightness", toy=[logf, "easy", logf[:, :2]], T=5)
        self.assertEqual([row["toy"] for row in rows], ["array0", "easy", "array2"])
        self.assertEqual(rows[0]["J"], exact["J"])
        self.assertEqual(breadboard.rows("tightness", toy=breadboard.numpy.array(["easy", "hard"]), T=5)[1]["toy"], "hard")

    def test_lists_are_no_toys(self):
        for toy in ([0, 1, 2], [[0, 1], [2, 3]]):
            with self.assertRaisesRegex(TypeError, r"numpy\.array"):
                breadboard.rows("tightness", toy=toy, T=5)

    def test_infinities_are_floats(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "a,b.csv"), "w", encoding="utf-8") as file:
                file.write("0,-inf\n0,0\n")
            rows = breadboard.rows("tightness", toy=["file:a,b.csv"], T=[2], kernel="stay", check=False, cwd=folder)
        self.assertEqual(rows[0]["J"], math.inf)
        self.assertEqual(breadboard.columns(rows)["J"][0], math.inf)

    def test_files_are_read_as_rows_are(self):
        with tempfile.TemporaryDirectory() as folder:
            flags = dict(toy="random:2:0:3x3", T=[2, 5], kernel="stay")
            breadboard.run("gap", out="here", cwd=folder, **flags)
            (name,) = [name for name in os.listdir(os.path.join(folder, "here")) if name.startswith("gap") and name.endswith(".json")]
            self.assertEqual(breadboard.read(os.path.join(folder, "here", name)), breadboard.rows("gap", **flags))
            path = os.path.join(folder, "other.json")
            for text, wrong in ('[{"J": "-Inf"}]', None), ("T,J\n", "is not JSON"), ('{"J": 1}', "no table"), ("[1]", "no table"):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                if wrong is None:
                    self.assertEqual(breadboard.read(path)[0]["J"], -math.inf)
                    continue
                with self.assertRaisesRegex(ValueError, wrong):
                    breadboard.read(path)

    def test_columns(self):
        table = [{"a": 1, "b": None, "c": "x"}, {"a": 2, "b": 0.5, "c": "y"}]
        columns = breadboard.columns(table)
        self.assertEqual(list(columns["a"]), [1, 2])
        self.assertEqual(columns["c"], ["x", "y"])
        if breadboard.numpy is None:
            self.assertEqual(columns["b"], [None, 0.5])
        else:
            self.assertEqual(columns["a"].dtype, "i8")
            self.assertTrue(math.isnan(columns["b"][0]) and columns["b"][1] == 0.5)

    def test_arrays_are_exact(self):
        exact = breadboard.arrays(toy="random:2:7:3x4", T=10, stages=["2", "last"])
        row = breadboard.rows("tightness", toy="random:2:7:3x4", T=10)[0]
        flat = lambda law: [float(v) for line in law for v in line]
        p, q = flat(exact["p"]), flat(exact["q"])
        self.assertEqual((len(exact["p"]), len(exact["p"][0]), len(exact["q_t"])), (3, 4, 2))
        self.assertTrue(all(math.isclose(a, b, rel_tol=1e-13) for a, b in zip(flat(exact["q_t"][1]), q)))
        self.assertEqual(float(exact["J"]), row["J"])
        self.assertEqual(str(exact["toy"]), "random:2:7:3x4")
        self.assertEqual([int(t) for t in exact["stages"]], [2, 10])
        J = sum((b - a) * math.log(b / a) for a, b in zip(p, q))
        self.assertTrue(math.isclose(J, row["J"], rel_tol=1e-12))
        self.assertEqual(type(exact["q"]).__module__, "builtins" if breadboard.numpy is None else "numpy")

    def test_bad_input_is_an_error_with_the_message(self):
        with self.assertRaises(breadboard.BadInput) as caught:
            breadboard.rows("tightness", toy="nosuch")
        self.assertIn('unknown toy "nosuch"; choices: easy', str(caught.exception))
        self.assertEqual(caught.exception.code, 2)
        with self.assertRaises(breadboard.BadInput) as caught:
            breadboard.rows("tightness", no_such_flag=1)
        self.assertIn("--no-such-flag", str(caught.exception))

    def test_a_missing_program_says_how_to_make_one(self):
        with self.assertRaisesRegex(FileNotFoundError, "go build ./cmd/breadboard"):
            breadboard.run("version", binary="/nowhere/breadboard")

    def test_flags(self):
        self.assertEqual(
            breadboard._flags({"T": [1, 1e5], "check": True, "certify": False, "out": None, "no_plot": "x", "beta": -0.5}),
            ["-T", "1,100000", "--check", "--no-plot=x", "--beta=-0.5"])
        self.assertEqual(breadboard._text(["file:a,b.csv", 'c"d', 0.1]), '"file:a,b.csv","c""d",0.1')
        self.assertEqual([breadboard._text(v) for v in (1e23, math.inf, 3.0, 0)], ["1e+23", "inf", "3", "0"])

    @unittest.skipIf(os.name == "nt", "signals are others there")
    def test_ctrl_c_ends_the_command(self):
        # It comes when the command is at work: from its kernel, which never answers.
        kernel = "import os, signal, time\nos.kill(%d, signal.SIGINT)\ntime.sleep(1e6)\n" % os.getpid()
        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # it is ignored where the tests run in the background
        try:
            with tempfile.TemporaryDirectory() as folder, self.assertRaises(breadboard.Interrupted) as caught:
                breadboard.rows("tightness", toy="easy", T=10, kernel="exec:" + program(folder, "kernel.py", kernel))
        finally:
            signal.signal(signal.SIGINT, before)
        self.assertIn("interrupted", caught.exception.messages)
        self.assertIsInstance(caught.exception, KeyboardInterrupt)
        self.assertIsInstance(caught.exception.rows, list)

    @unittest.skipIf(os.name == "nt", "signals are others there")
    def test_ctrl_c_while_the_command_starts_ends_it_too(self):
        commands = []

        class Slow(subprocess.Popen):
            def __init__(self, *words, **options):
                os.kill(os.getpid(), signal.SIGINT)
                time.sleep(0.3)  # the main thread has it meanwhile
                super().__init__(*words, **options)
                commands.append(self)

        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            with tempfile.TemporaryDirectory() as folder, self.assertRaises(breadboard.Interrupted), \
                    unittest.mock.patch.object(subprocess, "Popen", Slow):
                breadboard.rows("tightness", toy="easy", kernel="exec:" + program(folder, "kernel.py", "import time\ntime.sleep(1e6)\n"))
        finally:
            signal.signal(signal.SIGINT, before)
        self.assertIsNotNone(commands[0].poll())

    def test_old_pythons_can_read_it(self):
        with open(breadboard.__file__, encoding="utf-8") as file:
            ast.parse(file.read(), feature_version=(3, 8))


class Serving(unittest.TestCase):
    def test_a_kernel_has_exact_answers(self):
        with tempfile.TemporaryDirectory() as folder:
            command = program(folder, "kernel.py", METROPOLIS)
            own = breadboard.rows("tightness", toy="barrier:3x3", T=[5], kernel="exec:" + command)
        ours = breadboard.rows("tightness", toy="barrier:3x3", T=[5])
        self.assertTrue(math.isclose(own[0]["J"], ours[0]["J"], rel_tol=1e-12))
        self.assertTrue(math.isclose(own[0]["B"], ours[0]["B"], rel_tol=1e-12))

    def test_a_wrong_kernel_is_a_fault(self):
        with tempfile.TemporaryDirectory() as folder:
            wrong = program(folder, "wrong.py", METROPOLIS.replace("min(0.0, logf", "min(0.0, 1.1 * logf"))
            with self.assertRaises(breadboard.Fault) as caught:
                breadboard.rows("kernel", "check", "exec:" + wrong, toy="barrier:3x3", beta=1)
        self.assertEqual(caught.exception.code, 1)
        self.assertTrue(caught.exception.rows)

    def test_a_long_move_is_given_up(self):
        with tempfile.TemporaryDirectory() as folder:
            endless = program(folder, "endless.py", """
                import breadboard

                def move(chooser, logf, shape, x):
                    while True:
                        try:
                            if chooser.flip(0.5):
                                return chooser.choose([0.5, 0.5] + [0.0] * (len(logf) - 2))
                        except Exception:
                            pass

                breadboard.serve_kernel(move)
            """)
            with self.assertRaises(breadboard.Fault) as caught:  # it is no Metropolis kernel, but it is walked through
                breadboard.rows("kernel", "check", "exec:" + endless, toy="random:2:0:3x1", beta=1)
        self.assertTrue(caught.exception.rows)

    def test_moves_are_tested(self):
        with tempfile.TemporaryDirectory() as folder:
            text = METROPOLIS.replace("serve_kernel", "serve_moves").replace("chooser.uniform(4)", "chooser.randrange(4)")
            right = text.replace("chooser.flip(", "chooser.random() < (")
            command = program(folder, "moves.py", right)
            self.assertTrue(breadboard.rows("kernel", "check", "exec:" + command, toy="random:2:7:3x3", beta=1))
            wrong = program(folder, "wrong.py", right.replace("min(0.0, logf", "min(0.0, 0.3 * logf").replace("* logf[y] - logf[x]", "* (logf[y] - logf[x])"))
            with self.assertRaises(breadboard.Fault):
                breadboard.rows("kernel", "check", "exec:" + wrong, toy="random:2:7:3x3", beta=1)

    def test_couplings_are_checked(self):
        couple = """
    def couple(chooser, logf, shape, x, y):
        same = move(chooser, logf, shape, x)
        return same, same if x == y else move(chooser, logf, shape, y)

    """
        right = METROPOLIS.replace("    breadboard.serve_kernel(move)", couple + "breadboard.serve_kernel(move, couple=couple)")
        moves = right.replace("serve_kernel", "serve_moves").replace("chooser.uniform(4)", "chooser.randrange(4)").replace("chooser.flip(", "chooser.random() < (")
        with tempfile.TemporaryDirectory() as folder:
            for name, text in ("right", right), ("moves", moves):
                command = "exec:" + program(folder, name + ".py", text)
                self.assertTrue(breadboard.rows("couple", "check", command, toy="random:2:7:2x2", beta=1))
                wrong = "exec:" + program(folder, "wrong.py", text.replace("if x == y else move(chooser, logf, shape, y)", "if x == y else y"))
                with self.assertRaises(breadboard.Fault):
                    breadboard.rows("couple", "check", wrong, toy="random:2:7:2x2", beta=1)

    def test_a_sampler_is_tested(self):
        with tempfile.TemporaryDirectory() as folder:
            task = os.path.join(folder, "task")
            breadboard.run("conform", "spec", toy="random:2:0:3x3", T=3, out=task)
            sampler = program(folder, "sampler.py", """
                import math
                sys.path.insert(0, %r)
                import ais
                import breadboard

                annealing = ais.Annealing(%r)

                def draw(direction, chains, seed):
                    log_w, first, last = zip(*annealing.run(direction, chains, seed))
                    return {"log_w": [w + OFF for w in log_w], "x_first": list(first), "x_last": list(last)}

                breadboard.serve_sampler(lambda n, seed: draw("forward", n, seed), name="ais")
            """ % (os.path.join(HERE, "..", "experiments", "conform", "examples"), task))
            with open(sampler.split()[1], encoding="utf-8") as file:
                text = file.read()
            for off, fault in (("0.0", False), ("0.5", True), ("math.inf", True)):
                with open(sampler.split()[1], "w", encoding="utf-8") as file:
                    file.write(text.replace("OFF", off))
                words = ["conform", "run", task, "--chains", "1024", "--", *sampler.split()]
                if fault:
                    with self.assertRaises(breadboard.Fault):
                        breadboard.run(*words)
                else:
                    self.assertIn("no fault was found", breadboard.run(*words)[1])

    def test_a_kernel_can_be_run_in_python(self):
        self.assertEqual(breadboard.Draws(random.Random(7)).uniform(10**9), breadboard.Draws(7).uniform(10**9))
        draws = breadboard.Draws(1)
        n = 4000
        self.assertLess(abs(sum(draws.flip(0.25) for _ in range(n)) / n - 0.25), 0.05)
        self.assertEqual({draws.uniform(3) for _ in range(100)}, {0, 1, 2})
        self.assertEqual({draws.choose([0, 1, 0]) for _ in range(10)}, {1})


if __name__ == "__main__":
    unittest.main()
