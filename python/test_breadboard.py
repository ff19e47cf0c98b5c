"""Tests of the module breadboard: `python3 -W error -m unittest` in this folder, with the program in the PATH or in $BREADBOARD."""
import ast
import doctest
import glob
import importlib
import inspect
import io
import itertools
import json
import math
import os
import pathlib
import pickle
import pydoc
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest
import unittest.mock
import urllib.request
import warnings
from fractions import Fraction

import breadboard
from breadboard._program import arguments
from breadboard._serve import protocol, server as served
from breadboard._program import run as program_module
from breadboard._help import help_of
from breadboard._names import COMMANDS

HERE = os.path.dirname(os.path.dirname(os.path.abspath(breadboard.__file__)))


def program(folder, name, text):
    """Writes a program that finds the module, and returns its command."""
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


def own_kernel(factor):
    """A kernel that proposes any state, and is right where the factor is one."""
    def move(chooser, logf, shape, x):
        y = chooser.uniform(len(logf))
        return y if chooser.flip(math.exp(min(0.0, factor * logf[y] - logf[x]))) else x

    return move


class Labelled:
    """An array with names of its dimensions, as xarray has them."""

    def __init__(self, values, dims, name):
        self.values, self.dims, self.name = values, dims, name

    def transpose(self, *dims):
        return Labelled(self.values.transpose([self.dims.index(d) for d in dims if d in self.dims]), dims, self.name)


class Frame:
    """A data frame, as pandas and polars have them."""

    def __init__(self, data):
        self.data, self.columns = data, list(data)

    def __getitem__(self, name):
        return self.data[name]


TYPED = """\
    from pathlib import Path
    import breadboard

    def move(chooser: breadboard.Draws, logf: object, shape: object, x: int) -> int:
        return x

    rows = breadboard.tightness(toy=["easy", [0.0, 1.0]], T=range(2, 4), kernel=move, check=True, out=Path("out"), figures=["svg"])
    print(rows["J"], rows[0]["J"], breadboard.tightness.text(toy="easy", T=1e2), breadboard.__version__)
    breadboard.kernel.check("lazy:0.5:barker", toy=breadboard.Target([[0.1, 0.2]]), beta=1)
    breadboard.export(toy={"mine": [0, 1]}, stages=[0.1, "last"], style="mono")
    breadboard.tigthness(toy="easy")  # wrong
    breadboard.samplers.erors(toy="easy")  # wrong
    breadboard.tightness(toys="easy")  # wrong
    breadboard.tightness("easy")  # wrong
    breadboard.tightness(toy="easy", style="monochrome")  # wrong
    breadboard.smc(toy="easy", resample="systemtic")  # wrong
    breadboard.tightness(toy=3)  # wrong
    """


class Commands(unittest.TestCase):
    def test_rows_are_those_of_the_command(self):
        plain = subprocess.run([breadboard.find(), "tightness", "--toy", "barrier,easy", "-T", "10,100", "--format", "json"],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
        rows = breadboard.rows("tightness", toy=["barrier", "easy"], T=(10.0, 100))
        self.assertEqual([row["J"] for row in rows], [row["J"] for row in json.loads(plain)])
        self.assertEqual([(row["toy"], row["T"]) for row in rows], [(t, n) for t in ("barrier", "easy") for n in (10, 100)])
        self.assertIsNone(rows[0]["J_printed"])
        self.assertEqual(rows, breadboard.rows("tightness", "--toy", "barrier,easy", "-T", "10,100"))

    @unittest.skipUnless(breadboard._numpy.numpy, "NumPy is not there")
    def test_arrays_are_toys(self):
        logf = breadboard._numpy.numpy.array([[0.0, -1.0, -2.5], [0.3, -0.7, 1e-9]])
        exact = breadboard.arrays(toy=logf, T=5, arrays=["log_f", "J"])
        self.assertTrue((exact["log_f"] == logf).all())
        rows = breadboard.rows("tightness", toy=[logf, "easy", logf[:, :2]], T=5)
        self.assertEqual([row["toy"] for row in rows], ["array0", "easy", "array2"])
        self.assertEqual(rows[0]["J"], exact["J"])
        self.assertEqual(breadboard.rows("tightness", toy=breadboard._numpy.numpy.array(["easy", "hard"]), T=5)[1]["toy"], "hard")

    def test_lists_of_numbers_are_arrays(self):
        line, plane = [0, 1, -2.5, 3], [[0, 1], [-2.5, 3]]
        rows = breadboard.tightness(toy=["cells:0:1:-2.5:3", line, "cells:0:1/-2.5:3", plane], T=5)
        self.assertEqual([row["toy"] for row in rows][1::2], ["array1", "array3"])
        self.assertEqual([row["J"] for row in rows][::2], [row["J"] for row in rows][1::2])
        self.assertEqual(breadboard.tightness(toy=plane, T=5)[0]["J"], rows[3]["J"])
        self.assertEqual(breadboard.tightness(toy="cells:0:1/-2.5:3", initial=[[0, 0], [0, 0]], T=5)[0]["J"], rows[3]["J"])
        matrix = [[0.25, 0.75], [0.25, 0.75]]
        self.assertEqual(breadboard.kernel.check(matrix, toy=[0, math.log(3)], beta=1)[1]["verdict"], "pass")
        self.assertEqual(breadboard.tightness(toy=[0, math.log(3)], T=2, kernel=[matrix])[0]["kernel"], "array")
        named = breadboard.tightness(toy={"mine": line, "old": "easy", "p": breadboard.Target([0.5, 0.25], probabilities=True)}, T=3)
        self.assertEqual([row["toy"] for row in named], ["mine", "old", "p"])
        breadboard.assert_invariant("heatbath", (2, 2), line)
        with self.assertRaisesRegex(ValueError, r"logf has the shape \(4, 1, 2\) and the space \(2, 4\)"):
            breadboard.assert_invariant("heatbath", (2, 4), [[[0, 1]], [[0, 1]], [[0, 1]], [[0, 1]]])
        with self.assertRaisesRegex(ValueError, "rows of a list of numbers have different lengths"):
            breadboard.tightness(toy=[[0, 1], [2]], T=5)

    def test_axes_of_length_one_are_dropped(self):
        with self.assertWarnsRegex(breadboard.BreadboardWarning, "^toy has the shape 3x1") as caught:
            column = breadboard.tightness(toy=[[0], [1], [-2.5]], T=5)
        self.assertEqual(caught.filename, __file__)  # and not a file of the module
        self.assertIn("<p>toy has the shape 3x1", column._repr_html_())
        self.assertEqual(column[0]["J"], breadboard.tightness(toy=[0, 1, -2.5], T=5)[0]["J"])
        self.assertRegex(column.messages, r"^toy has the shape 3x1 and is taken as a line of 3, since axes of length one are dropped\n$")
        with self.assertWarnsRegex(breadboard.BreadboardWarning, "has the shape 2x2x1 and is taken as 2x2"):
            exact = breadboard.arrays(toy=[[[0], [1]], [[2], [3]]], T=3, arrays="p")
        self.assertEqual((len(exact["p"]), len(exact["p"][0])), (2, 2))
        with self.assertRaisesRegex(breadboard.BadInput, "has the shape 4 and the toy array is on 2x2"):
            breadboard.tightness(toy=[[0, 1], [2, 3]], initial=[0, 0, 0, 0], T=5)

    def test_what_cannot_be_a_selector_is_refused_shortly(self):
        def f(x):
            return 0.0

        for name, value, want in (
            ("toy", f, r"toy= is of type function; .*of a function f give its values"), ("toy", 3, "toy= is of type int; give a selector such as 'barrier'"),
            ("toy", {"a": 0.0, "b": 1.0}, "which of the states are neighbours; give edges="), ("toy", [True, False], "toy= is of type bool"), ("toy", [["easy"]], "type list"),
            ("toy", ["easy", None], "NoneType"), ("initial", f, "initial= is of type function"), ("schedule", f, "or a list of betas"),
            ("kernel", {"a": 1}, "kernel= is of type int; .* a transition matrix"),
        ):
            with self.assertRaisesRegex(TypeError, want) as caught:
                breadboard.rows("tightness", **{"T": 5, name: value})
            self.assertLess(len(str(caught.exception)), 290)
        with self.assertRaisesRegex(TypeError, "of type dict is given by name, as in toy=array"):
            breadboard.tightness({"a": 1})

    def test_evidence_may_be_a_dict(self):
        asia = os.path.join(HERE, "..", "toys", "networks", "testdata", "asia.bif")
        want = breadboard.network(asia, evidence="dysp=yes+xray=yes", hide="tub+lung")
        for evidence in ({"dysp": "yes", "xray": "yes"}, ["dysp=yes", "xray=yes"], [("dysp", "yes"), ("xray", "yes")]):
            self.assertEqual(breadboard.network(asia, evidence=evidence, hide=["tub", "lung"]), want)

    def test_labels_say_where_a_path_starts(self):
        pair = breadboard.Target({"a": 0.0, "b": 2.0}, edges=[("a", "b")])
        row = breadboard.tightness(toy=pair, initial={"b": 2, "a": 0}, T=3)[0]
        self.assertEqual((row["J"], row["initial"]), (0, "dict"))

    def test_records_are_columns(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "z.csv")
            log_z = [0.1, 1 / 3, 5.0]
            with open(path, "w", encoding="utf-8") as file:
                file.write("log_z\n" + "\n".join(map(repr, log_z)))
            want = breadboard.conform.estimates(path, toy="easy")
            frame = unittest.mock.Mock(spec=["columns", "__getitem__"], columns=["log_z"], __getitem__=lambda self, name: log_z)
            for given in (log_z, {"log_z": log_z}, [{"log_z": v} for v in log_z], frame):
                self.assertEqual(breadboard.conform.estimates(given, toy="easy"), want)
            breadboard.run("conform", "spec", toy="random:2:0:3", T=3, out=os.path.join(folder, "task"))
            checked = [breadboard.conform.check(os.path.join(folder, "task"), estimates=given) for given in (path, log_z)]
            self.assertEqual(*checked)
        for wrong, error, said in (({"log_z": [1, 2], "se": [1]}, ValueError, "different lengths: log_z 2, se 1"), ({"log_z": 1.0}, TypeError, "the column log_z is of type float"),
                                   (len, TypeError, "give what it returns")):
            with self.assertRaisesRegex(error, said):
                breadboard.conform.estimates(wrong, toy="easy")

    def test_infinities_are_floats(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "a,b.csv"), "w", encoding="utf-8") as file:
                file.write("0,-inf\n0,0\n")
            rows = breadboard.rows("tightness", toy=["file:a,b.csv"], T=[2], kernel="stay", check=False, cwd=folder)
        self.assertEqual(rows[0]["J"], math.inf)
        self.assertEqual(breadboard.columns(rows)["J"][0], math.inf)

    def test_a_list_of_paths_repeats_its_flag(self):
        with breadboard._program.arguments.Given() as given:
            for name in breadboard._program.arguments.REPEATED:
                flag = "--" + name.replace("_", "-") + "="
                self.assertEqual(given.flags({name: ["a.csv", "b,c.csv"]}), [flag + "a.csv", flag + "b,c.csv"])
                self.assertEqual(given.flags({name: ("a.csv",)}), [flag + "a.csv"])

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
        if breadboard._numpy.numpy is None:
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
        self.assertEqual(type(exact["q"]).__module__, "builtins" if breadboard._numpy.numpy is None else "numpy")

    def test_hostile_words_are_bad_input(self):
        for toy in ("\ud800", "a\0b", "x" * 10**7, [[0, 1], [2]], [10**400]):
            with self.assertRaises(breadboard.BadInput):
                breadboard.rows("tightness", toy=toy, T=5)

    @unittest.skipIf(sys.platform == "win32", "there is no program true")
    def test_another_program_gives_no_result(self):
        for program in ("true", "echo"):
            with self.assertRaisesRegex(breadboard.BreadboardError, "is it breadboard?"):
                breadboard.rows("tightness", binary=program)
            with unittest.mock.patch.dict(os.environ, BREADBOARD=program), self.assertRaisesRegex(breadboard.BreadboardError, "is it breadboard?"):
                breadboard.assert_invariant("flip", (2,), [0, 1])

    def test_bad_input_is_an_error_with_the_message(self):
        with self.assertRaises(breadboard.BadInput) as caught:
            breadboard.rows("tightness", toy="nosuch")
        self.assertIn('unknown toy "nosuch"; choices: easy', str(caught.exception))
        self.assertEqual(caught.exception.code, 2)
        self.assertRegex(pickle.loads(pickle.dumps(caught.exception)).hint, "^choices: easy")
        with self.assertRaises(breadboard.BadInput) as caught:
            breadboard.rows("tightness", no_such_flag=1)
        self.assertIn('unknown argument "no_such_flag="', str(caught.exception))
        self.assertIn("no_such_flag=", caught.exception.messages)
        with self.assertRaisesRegex(breadboard.BadInput, 'unknown argument "Ts="; did you mean T=?'):
            breadboard.tightness(Ts=10)
        with self.assertRaisesRegex(TypeError, "tightness.text"):
            breadboard.tightness(format="latex")

    def test_a_missing_program_says_how_to_make_one(self):
        with self.assertRaisesRegex(FileNotFoundError, "go build ./cmd/breadboard"):
            breadboard.run("toys", binary="/nowhere/breadboard")

    def test_flags(self):
        self.assertEqual(
            arguments.Given().flags({"T": [1, 1e5], "check": True, "certify": False, "out": None, "no_plot": "x", "beta": -0.5}),
            ["-T", "1,100000", "--check", "--no-plot=x", "--beta=-0.5"])
        self.assertEqual(arguments.Given().flags({"column": ["a,b=chain", "c=draw"]}), ["--column=a,b=chain", "--column=c=draw"])
        self.assertEqual(arguments.text(["file:a,b.csv", 'c"d', 0.1]), '"file:a,b.csv","c""d",0.1')
        self.assertEqual([arguments.text(v) for v in (1e23, math.inf, 3.0, 0)], ["1e+23", "inf", "3", "0"])

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

    def test_another_version_is_a_warning(self):
        with tempfile.TemporaryDirectory() as folder:
            newer = os.path.join(folder, "newer")
            with open(newer, "w", encoding="utf-8") as file:
                file.write("""#!/bin/sh\n[ "$1" != --version ] || exec echo 'breadboard 9.9.9, go'\nexec '%s' "$@"\n""" % breadboard.find())
            os.chmod(newer, 0o755)
            with self.assertWarnsRegex(breadboard.BreadboardWarning, r"newer is breadboard 9\.9\.9, and the Python module is %s; install" % breadboard.__version__):
                breadboard.tightness(toy="easy", T=2, binary=newer)
            with warnings.catch_warnings():
                warnings.simplefilter("error")  # which it says once
                breadboard.tightness(toy="easy", T=2, binary=newer)

    def test_the_program_of_an_installed_module_is_found(self):
        for module, scripts in (("", "bin"), ("lib/python3.9/site-packages", "bin"), ("lib/python3/dist-packages", "bin"), ("Lib/site-packages", "Scripts")):
            with tempfile.TemporaryDirectory() as folder:
                folder = os.path.realpath(folder)
                installed = os.path.join(folder, module)
                shutil.copytree(os.path.join(HERE, "breadboard"), os.path.join(installed, "breadboard"))
                os.mkdir(os.path.join(folder, scripts))
                os.symlink(breadboard.find(), os.path.join(folder, scripts, "breadboard"))
                without = {name: value for name, value in os.environ.items() if name != "BREADBOARD"}

                def said(*words, **more):
                    run = subprocess.run([sys.executable, "-B", *words], cwd=installed, env={**without, **more}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                    return run.returncode, run.stdout.decode("utf-8").strip()

                where = "import breadboard; print(breadboard.find())"
                self.assertNotEqual(said("-c", where, PATH="")[1], os.path.join(folder, scripts, "breadboard"))  # of a copy that is not installed
                os.mkdir(os.path.join(installed, "breadboard_exact-0.dist-info"))
                self.assertEqual(said("-c", where), (0, os.path.join(folder, scripts, "breadboard")))
        self.assertEqual(subprocess.call([sys.executable, "-B", "-m", "breadboard", "nosuch"], cwd=HERE, stderr=subprocess.DEVNULL), 2)

    @unittest.skipUnless(shutil.which("mypy"), "mypy is not there")
    def test_typos_are_found_by_mypy(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "user.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(textwrap.dedent(TYPED))
            module = os.path.join(folder, "site", "breadboard")
            shutil.copytree(os.path.join(HERE, "breadboard"), module)
            subprocess.run([sys.executable, "-B", os.path.join(HERE, "stub.py"), module], check=True)
            out = subprocess.run(["mypy", "--strict", "--follow-imports=silent", "--cache-dir", folder, path], stdout=subprocess.PIPE,
                                 env={**os.environ, "MYPYPATH": os.path.dirname(module)}).stdout.decode("utf-8")
        wrong = [number for number, line in enumerate(textwrap.dedent(TYPED).splitlines(), 1) if "# wrong" in line]
        self.assertEqual(sorted({int(number) for number in re.findall(r"(?m)^\S*user\.py:(\d+): error", out)}), wrong, out)

    def test_old_pythons_can_read_it(self):
        for path in glob.glob(os.path.join(HERE, "breadboard", "**", "*.py"), recursive=True):
            with open(path, encoding="utf-8") as file:
                ast.parse(file.read(), feature_version=(3, 9))

    def test_examples_in_texts(self):
        modules = [module for name, module in sorted(sys.modules.items()) if name.split(".")[0] == "breadboard"]
        tried = {module.__name__: doctest.testmod(module) for module in modules}
        self.assertEqual([name for name, found in tried.items() if found.failed], [])
        self.assertTrue(tried["breadboard"].attempted > 30 and tried["breadboard._help"].attempted, tried)

    def test_commands_are_functions(self):
        self.assertEqual(breadboard.tightness(toy="easy", T=10), breadboard.rows("tightness", toy="easy", T=10))
        self.assertIn("metropolis", breadboard.kernel()["kernel"])
        self.assertIn("diagnose", dir(breadboard.samplers))
        self.assertIn("samplers", dir(breadboard))
        named = inspect.signature(breadboard.tightness).parameters
        self.assertTrue({"figures", "out", "plot", "check_that"} <= set(named), named)
        self.assertTrue({"reproduce", "tightness"} <= set(dir(breadboard)))
        self.assertEqual((named["T"].default[:2], named["kernel"].default), ([10, 30], "metropolis"))
        self.assertNotIn("arguments", named)  # as tightness has none without a name
        self.assertEqual(inspect.signature(breadboard.policy.best).parameters["lambda_"].default, 0.9)
        self.assertEqual({name for name in dir(breadboard) if not name.startswith("__")}, {*breadboard.__all__, *COMMANDS[""]})
        said = pydoc.plain(pydoc.render_doc(breadboard.tightness))
        self.assertRegex(said, r"(?s)Parameters\n *-{10}\n *T : .*\n *certify : bool, default False\n")
        self.assertRegex(said, r"most : int, default 1000000\n *the largest number that until= tries\n")
        self.assertIn("T & J", breadboard.tightness.text(toy="easy", T=10, format="latex"))
        for wrong in (lambda: breadboard.nosuch, lambda: breadboard.kernel.nosuch):
            with self.assertRaisesRegex(AttributeError, "nosuch"):
                wrong()

    def test_a_table_in_a_notebook(self):
        rows = breadboard.tightness(toy="random:2:7:2x3", T=[3, 4], figures=True)
        page = rows._repr_html_()
        self.assertIn('<th title="the bound on J', page)
        self.assertIn('<div style="overflow-x: auto"><table>', page)  # a wide table scrolls, and the page does not
        self.assertIn("toy = random:2:7:2x3", page)  # which is the same in all rows
        self.assertEqual(page.count("<img "), len(rows.figures))
        self.assertEqual((rows[["T", "J"]].names, rows[1:].names), (["T", "J"], rows.names))
        self.assertEqual(repr(rows[["toy", "T"]]).split("\n")[0], "toy = random:2:7:2x3")
        with self.assertRaisesRegex(KeyError, "there is no column 'Q'; there are toy, T"):
            rows["Q"]
        self.assertTrue(rows.figures and all("<svg" in svg for svg in rows.figures.values()))
        self.assertNotIn("wrote", rows.messages)
        self.assertIn('<th title="the quantity that is checked">', breadboard.kernel.check("barker", toy="random:2:7:2x3", beta=1)._repr_html_())
        with tempfile.TemporaryDirectory() as folder:
            breadboard.tightness(toy="random:2:7:2x3", T=3, figures=True, out=folder)
            self.assertTrue(glob.glob(os.path.join(folder, "*.pdf")))
        self.assertIn("&lt;b&gt;", breadboard.Rows([{"x": "<b>"}])._repr_html_())
        self.assertIn("and 10 more rows", breadboard.Rows([{"x": i} for i in range(60)])._repr_html_())

    def test_data_frames(self):
        none = breadboard.Rows([{"T": 1, "J": 0.5}])[lambda row: row["T"] > 5]
        self.assertEqual((len(none), none.names, list(none["J"]), none[:0].names), (0, ["T", "J"], [], ["T", "J"]))
        self.assertEqual((none.copy().names, none[["J"]].names), (["T", "J"], ["J"]))
        rows = breadboard.Rows([{"T": 1, "J": None}, {"T": 2, "J": 0.5}])
        library = unittest.mock.Mock()  # pandas takes longer to load than all other tests
        with unittest.mock.patch.dict(sys.modules, {"pandas": library}):
            self.assertIs(rows.to_pandas(), library.DataFrame.return_value)
        (table,), named = library.DataFrame.call_args
        self.assertEqual((table, type(table), named["columns"]), (list(rows), list, ["T", "J"]))

    def test_progress_is_a_bar_or_lines(self):
        bars = []
        make = unittest.mock.Mock(side_effect=lambda total, desc: bars.append(unittest.mock.Mock(total=total, said=desc)) or bars[-1])
        with unittest.mock.patch.dict(sys.modules, {"tqdm": unittest.mock.Mock(), "tqdm.auto": unittest.mock.Mock(tqdm=make)}), program_module._Progress(True) as show:
            show("setting up: 100% of 3 steps\n")
            show("annealings: 25% of 8 steps, 3s left\n")
            show("annealings: 50% of 8 steps, 2s left\n")
            show("a note\n")
            self.assertEqual([(bar.said, bar.n) for bar in bars], [("setting up", 3), ("annealings", 4)])
        self.assertEqual([(bar.n, bar.close.call_count) for bar in bars], [(3, 1), (8, 1)])
        with unittest.mock.patch.dict(sys.modules, {"tqdm": None, "tqdm.auto": None}), unittest.mock.patch.object(sys, "stderr", io.StringIO()) as out, program_module._Progress(True) as show:
            show("a note\n")
            show("annealings: 25% of 8 steps, 3s left\n")
        self.assertEqual(out.getvalue(), "a note\nannealings: 25% of 8 steps, 3s left\n")

    def test_progress_is_shown_to_whoever_watches(self):
        for watched in (False, True):
            terminal = io.StringIO()
            terminal.isatty = lambda: watched
            with unittest.mock.patch.dict(sys.modules, {"tqdm": None, "tqdm.auto": None}), unittest.mock.patch.object(sys, "stderr", terminal), program_module._Progress(None) as show:
                for line in ("a note\n", "annealings: 25% of 8 steps, 3s left\n", "annealings: 50% of 8 steps\n") if watched else ():
                    show(line)
            self.assertEqual(show is not None, watched)
            self.assertEqual(terminal.getvalue(), "\rannealings: 25% of 8 steps, 3s left\rannealings: 50% of 8 steps         \r" + " " * 26 + "\r" if watched else "")

    @unittest.skipIf(os.name == "nt", "there is no sh")
    def test_progress_is_no_message(self):
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.dict(sys.modules, {"tqdm": None, "tqdm.auto": None}), unittest.mock.patch.object(sys, "stderr", io.StringIO()) as out:
            program = os.path.join(folder, "slow")
            with open(program, "w") as file:
                file.write("#!/bin/sh\necho 'annealings: 25% of 8 steps, 3s left' >&2\necho 'note: a note' >&2\n")
            os.chmod(program, 0o755)
            for progress in (None, False, True):
                self.assertEqual(breadboard.run("x", binary=program, progress=progress), ("", "note: a note\n"))
        self.assertIn("25% of 8", out.getvalue())

def importable(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


@unittest.skipUnless(breadboard._numpy.numpy, "NumPy is not there")
class AtHome(unittest.TestCase):
    """What people give, and what they get."""

    LOG_F = [0.0, 1.0, -0.5, 0.3]

    def setUp(self):
        self.np = breadboard._numpy.numpy
        self.p = self.np.exp(self.LOG_F) / self.np.exp(self.LOG_F).sum()

    def J(self, **given):
        return breadboard.tightness(**{"toy": self.LOG_F, "T": 3, **given})["J"].tolist()

    def test_targets_in_other_forms(self):
        want, plane = self.J(), self.J(toy=[[0.0, 1.0], [-0.5, 0.3]])
        self.assertNotEqual(want, plane)
        for toy in ((v for v in self.LOG_F), map(float, self.LOG_F), breadboard.Target(v for v in self.LOG_F), dict(enumerate(self.LOG_F))):
            self.assertEqual(self.J(toy=toy), want)
        self.assertEqual(self.J(toy={(0, 0): 0.0, (1, 1): 0.3, (0, 1): 1.0, (1, 0): -0.5}), plane)
        with self.assertRaisesRegex(ValueError, "give each state as many coordinates"):
            self.J(toy={(0, 0): 0.0, 1: 1.0})
        with self.assertRaisesRegex(TypeError, "give edges="):
            breadboard.Target({"a": 0.0, "b": 1.0})
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "a,b{1..2} c.npy")
            self.np.save(path, self.LOG_F)
            self.assertEqual(self.J(toy=path), want)
            self.assertEqual(self.J(toy=[path, "easy"]), [*want, *self.J(toy="easy")])
            self.assertEqual(self.J(initial=path), [0])
            self.np.save(path, self.np.tile(self.p, (4, 1)))
            breadboard.assert_invariant(path, self.LOG_F)

    def test_numbers_in_other_forms(self):
        T = [3, 9, 27, 81, 243]
        for given in (self.np.geomspace(3, 243, 5), (t for t in T), dict.fromkeys(T).keys(), map(float, T)):
            self.assertEqual(breadboard.tightness(toy="easy", T=given)["T"].tolist(), T)
        with self.assertRaisesRegex(breadboard.BadInput, "31.62277660168379. is not a whole number"):
            breadboard.tightness(toy="easy", T=self.np.logspace(1, 2, 3))
        with self.assertRaisesRegex(breadboard.BadInput, "10.00001 is not a whole number"):
            breadboard.tightness(toy="easy", T=10.00001)
        for given in (True, self.np.True_):
            with self.assertRaisesRegex(breadboard.BadInput, "needs an argument"):
                breadboard.tightness(toy="easy", T=given)
        self.assertEqual(self.J(schedule=(k / 2 for k in range(3))), self.J())
        with self.assertRaises(breadboard.BadInput) as caught:
            breadboard.tightness(toy="nope", T=3)
        self.assertLess(len(str(caught.exception)), 400)

    def test_seeds_and_generators(self):
        def seed(**given):
            return breadboard.ais(toy="easy", T=3, chains=2, **given)[0]["seed"]

        random_ = self.np.random
        self.assertEqual([seed(), seed(seed=7), seed(rng=7), seed(rng=self.np.int64(7))], [1, 7, 7, 7])
        for make in (random_.default_rng, random_.RandomState, random.Random, random_.PCG64):
            rng = make(3)
            first = seed(rng=rng)
            self.assertNotEqual(first, seed(seed=rng))
            self.assertEqual(first, seed(seed=make(3)))
        sequence = random_.SeedSequence(3)
        self.assertEqual(seed(rng=sequence), seed(rng=sequence))
        self.assertNotEqual(seed(rng=sequence), seed(rng=sequence.spawn(1)[0]))
        with self.assertRaisesRegex(TypeError, "rng= and seed= are both given"):
            seed(rng=1, seed=1)

    def test_kernels_in_other_forms(self):
        def gibbs(chooser, logf, shape, x):
            w = self.np.exp(logf.reshape(shape) - logf.max())
            return chooser.choose((w / w.sum()).ravel())

        def changes(chooser, logf, shape, x):
            logf -= 1
            return x

        breadboard.assert_invariant(gibbs, self.np.reshape(self.LOG_F, (2, 2)))
        breadboard.assert_invariant(own_kernel(1), [0.0, -math.inf, 1.0, -math.inf])  # without a warning about -inf - -inf
        with self.assertRaisesRegex(ValueError, "read-only"):
            breadboard.assert_invariant(changes, self.LOG_F)
        rows = breadboard.tightness(toy=self.LOG_F, T=[3, 5], kernel=["metropolis", own_kernel(1)])
        alone = [breadboard.tightness(toy=self.LOG_F, T=[3, 5], kernel=kernel) for kernel in ("metropolis", own_kernel(1))]
        self.assertEqual(rows, [*alone[0], *alone[1]])
        named = breadboard.tightness(toy=self.LOG_F, T=3, kernel={"mine": own_kernel(1), "barker": "barker"})
        self.assertEqual([row["kernel"] for row in named], ["mine", "barker"])
        with self.assertRaisesRegex(TypeError, "out= and several kernels"):
            breadboard.tightness(toy="easy", T=3, kernel=["metropolis", "barker"], out="there")
        by_name = breadboard.success(toy=self.LOG_F, T=3, kernel={"mine": own_kernel(1), "b": "barker"}, schedule={"own": [0, 0.5, 1], "line": "linear"}, path={"way": "geometric"})
        self.assertEqual([(row["schedule"], row["kernel"], row["path"]) for row in by_name], [("own", "mine", "way"), ("own", "b", "way"), ("line", "mine", "way"), ("line", "b", "way")])
        (row,) = breadboard.tightness(toy=self.LOG_F, T=3, path={"mid": self.np.array(self.LOG_F) / 3})
        self.assertEqual(row["path"], "mid")
        self.assertEqual(len(breadboard.samplers.times(toy="easy", kernel=["metropolis", "barker"]).names), len(breadboard.samplers.times(toy="easy").names))

    @unittest.skipUnless(importable("pandas"), "pandas is not there")
    def test_frames_as_kernels_have_labels(self):
        chances = {"sun": 0.7, "rain": 0.2, "snow": 0.1}
        weather = breadboard.Target({key: math.log(p) for key, p in chances.items()}, edges=[("sun", "rain"), ("rain", "snow")])
        other = ["snow", "sun", "rain"]
        right = importable("pandas").DataFrame([list(chances.values())] * 3, index=list(chances), columns=list(chances))
        for kernel in (right, right.loc[other, other], right.loc[:, other], right.loc[other]):
            breadboard.kernel.check(kernel, toy=weather, beta=1)
        with self.assertRaises(breadboard.Fault):
            breadboard.kernel.check(right.rename(columns={"sun": "rain", "rain": "sun"}), toy=weather, beta=1)
        numbered = right.set_axis([1, 2, 0], axis=0).set_axis([1, 2, 0], axis=1)
        for space in ((3,), 3):  # arrays have the states 0, 1 and 2
            breadboard.assert_invariant(numbered, space, self.np.log([0.1, 0.7, 0.2]))
            with self.assertRaisesRegex(AssertionError, "the kernel is wrong"):
                breadboard.assert_invariant(numbered, space, self.np.log([0.7, 0.2, 0.1]))
        with self.assertRaisesRegex(breadboard.BadInput, "named 30, 10, 20 .* give both the order of its states"):
            breadboard.assert_invariant(right.set_axis([30, 10, 20], axis=0).set_axis([30, 10, 20], axis=1), self.np.log([0.7, 0.2, 0.1]))
        halves = importable("pandas").DataFrame([[0.5, 0.5]] * 2, index=[(0, 1), (0, 0)], columns=[(0, 1), (0, 0)])
        with self.assertRaisesRegex(AssertionError, "the kernel is wrong"):  # and not right as far as one decimal shows
            breadboard.assert_invariant(halves, [0.0, 0.01])

    @unittest.skipUnless(importable("pandas"), "pandas is not there")
    def test_series_of_log_f_have_labels(self):
        series = importable("pandas").Series
        draws = self.np.random.default_rng(1).choice(4, 3000, p=self.p)
        for labels in ["d", "a", "c", "b"], [3, 0, 2, 1], [10, 30, 20, 40]:
            named = self.np.array(labels)[draws]
            breadboard.assert_samples(named, series(self.LOG_F, index=labels))
            breadboard.assert_samples(named, series(self.LOG_F, index=labels)[[labels[k] for k in (2, 0, 3, 1)]])
            with self.assertRaises(AssertionError):
                breadboard.assert_samples(named, series(self.LOG_F, index=labels[1:] + labels[:1]))
        frame = importable("pandas").DataFrame([[0.0, 1.0], [-0.5, 0.3]])
        breadboard.assert_samples(draws, frame)
        for other in frame[[1, 0]], frame[::-1]:
            breadboard.assert_samples(draws, other)
            with self.assertRaises(AssertionError):
                breadboard.assert_samples(draws, other.values)
        with self.assertRaisesRegex(ValueError, "the state x0=7 has a row in line 3 already"):
            breadboard.assert_samples(draws, series(self.LOG_F, index=[0, 7, 2, 7]))

    @unittest.skipUnless(importable("scipy"), "SciPy is not there")
    def test_sparse_matrices(self):
        sparse = importable("scipy.sparse")
        right = self.np.tile(self.p, (4, 1))
        for form in (sparse.csr_matrix, sparse.coo_matrix, sparse.csc_matrix, sparse.csr_array):
            breadboard.assert_invariant(form(right), self.LOG_F)
            with self.assertRaises(AssertionError):
                breadboard.assert_invariant(form(self.np.eye(4)[[1, 2, 3, 0]]), self.LOG_F)
        for beta in (0, 0.3, 1):
            matrix = breadboard.kernel_matrix("metropolis", self.LOG_F, beta)
            f = self.np.exp(beta * self.np.array(self.LOG_F))
            want = [[0.5 * min(1, f[y] / f[x]) if abs(x - y) == 1 else 0 for y in range(4)] for x in range(4)]
            want = self.np.array(want) + self.np.diag(1 - self.np.sum(want, axis=1))
            self.np.testing.assert_allclose(matrix.toarray(), want, rtol=0, atol=1e-15)
        with unittest.mock.patch.dict(sys.modules, {"scipy.sparse": None}):
            self.np.testing.assert_allclose(breadboard.kernel_matrix("metropolis", self.LOG_F), matrix.toarray())
        with self.assertRaisesRegex(ValueError, "beta= 2; give a number from 0 to 1"):
            breadboard.kernel_matrix("metropolis", self.LOG_F, 2)

    def test_hidden_markov_models(self):
        pi, A, E, y = [0.6, 0.4], self.np.array([[0.7, 0.3], [0.4, 0.6]]), [[0.9, 0.1], [0.2, 0.8]], self.np.array([0, 1, 0])
        z = 0.0
        for path in itertools.product(range(2), repeat=3):
            p = pi[path[0]] * E[path[0]][y[0]]
            for before, now, seen in zip(path, path[1:], y[1:]):
                p *= A[before, now] * E[now][seen]
            z += p
        model = breadboard.HMM(pi, A, E, y)
        self.assertAlmostEqual(breadboard.tightness(toy=model, T=3)[0]["log_z_ratio"], math.log(z), 12)
        self.assertEqual(breadboard.tightness(toy={"mine": model, "two": [0.0, 2.0]}, T=3)["toy"], ["mine", "two"])
        self.assertEqual(len(breadboard.network(model)), 6)

    def test_vectors_of_probabilities(self):
        draws = self.np.random.default_rng(1).choice(4, 3000, p=self.p)

        def dice(rng):
            return int(rng.integers(4))

        law = breadboard.law(dice)
        series = unittest.mock.Mock(spec=["to_dict"], to_dict=lambda: dict(enumerate([0.25] * 4)))
        for want in ([0.25] * 4, self.np.full(4, 0.25), (0.25 for _ in range(4)), series):
            breadboard.assert_law(dice, want)
        self.assertEqual(law.distance([0.25, 0.25, 0.5]), 0.25)
        with self.assertRaisesRegex(AssertionError, "0: 0.25, and not 0.5"):
            breadboard.assert_law(dice, [0.5, 0.5, 0, 0])
        for given in (self.p, iter(self.p), tuple(self.p), breadboard.Law(dict(enumerate(self.p)))):
            self.assertEqual(breadboard.assert_samples(draws, law=given)[0]["verdict"], "pass")
        with self.assertRaisesRegex(TypeError, "law= is of type list, and its values are no numbers"):
            breadboard.assert_law(dice, ["a"])

    def test_distributions_as_others_have_them(self):
        law = breadboard.law(lambda rng: int(rng.integers(1, 7)) + int(rng.integers(1, 7)))
        self.assertEqual(law.support.tolist(), list(range(2, 13)))
        self.np.testing.assert_allclose(36 * law.probabilities, [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1])
        self.assertAlmostEqual(law.std(), math.sqrt(35 / 6), 12)
        self.assertEqual(breadboard.Law({(0, 1): 0.5, (2, 1): 0.5}).std(), (1, 0))
        self.assertIn("<td>0.166666667</td>", law._repr_html_())
        self.assertIn("raises &lt;E&gt;", breadboard.Law({"<a>": 0.5}, {"<E>": 0.5})._repr_html_())
        for rng in (3, self.np.random.default_rng(3), self.np.random.SeedSequence(3)):
            self.assertEqual(law.sample(5, rng).tolist(), law.sample(5, 3).tolist())
        for rng in (self.np.random.default_rng(1), random.Random(1), self.np.random.RandomState(1)):
            breadboard.assert_samples(law.sample(20_000, rng), law=law)
        self.assertEqual(breadboard.Law({"a": 1.0}).sample(2, 1), ["a", "a"])
        self.assertEqual(breadboard.Law({"a": 0.5, 1: 0.5}).support, ["a", 1])
        with self.assertRaisesRegex(breadboard.Open, r"sample\(\) needs the whole distribution, and with probability 0.25 .* 0.125 was not explored"):
            breadboard.Law({1: 0.625}, {"E": 0.25}, 0.125).sample(1)
        if stats := importable("scipy.stats"):
            scipy = law.to_scipy()
            self.assertIsInstance(scipy, stats.rv_discrete)
            self.np.testing.assert_allclose([scipy.mean(), scipy.std(), scipy.pmf(7), scipy.cdf(3)], [7, law.std(), 1 / 6, 1 / 12])
            self.assertLess(law.distance(breadboard._law.laws.chances_of(scipy)), 1e-15)
            with self.assertRaisesRegex(TypeError, "needs outcomes that are numbers"):
                breadboard.Law({"a": 1.0}).to_scipy()
        if importable("pandas"):
            frame = law.to_pandas()
            self.assertEqual(dict(zip(frame["outcome"], frame["p"])), dict(law))
            self.assertEqual(frame.attrs, {"raised": {}, "remainder": law.remainder})

    def test_tables_as_others_have_them(self):
        rows = breadboard.tightness(toy=["easy", "barrier"], T=[10, 100])
        self.assertEqual(rows[rows["T"] > 10], [rows[1], rows[3]])
        self.assertEqual(rows[[True, False, False, True]], [rows[0], rows[3]])
        self.assertEqual(rows[lambda row: row["toy"] == "easy"], rows[:2])
        self.assertEqual(rows[self.np.array([3, 0])], [rows[3], rows[0]])
        self.assertEqual(rows[self.np.int64(1)], rows[1])
        self.assertEqual(rows[rows["T"] > 1000], [])
        with self.assertRaisesRegex(TypeError, "write rows.lambda"):
            rows[rows["toy"] == "easy"]
        with self.assertRaisesRegex(IndexError, "the mask has 1 values, and there are 4 rows"):
            rows[[True]]
        gap = breadboard.gap(toy="easy", T=10)
        both = rows + gap
        self.assertIsInstance(both, breadboard.Rows)
        self.assertGreater(len(both), 4)
        self.assertEqual(both[:4], rows)
        self.assertEqual((gap + gap).messages, gap.messages)
        self.assertNotEqual(gap.messages, "")
        copied = rows.copy()
        copied[0]["T"] = 0
        self.assertEqual((rows[0]["T"], type(copied)), (10, breadboard.Rows))
        self.assertEqual(rows._ipython_key_completions_(), rows.names)
        exact = breadboard.arrays(toy="easy", T=3)
        self.assertTrue("g" in exact and exact.get("g") is exact["log_f"] and exact.get("h") is None and "h" not in exact and exact.get("h", 3) == 3)
        if importable("pandas"):
            self.assertEqual({rows.to_pandas().attrs["units"][name] for name in ("J", "B", "log_z")}, {"nats"})
            self.assertEqual(breadboard.Rows([{"a": 1}]).to_pandas().attrs, {})

    def test_any_temporary_folder(self):
        for name in ("a b", "a,b", "a:b", "a{1..2}", 'a"b', "x" * 100):
            with tempfile.TemporaryDirectory() as folder:
                os.mkdir(os.path.join(folder, name))
                with unittest.mock.patch.object(tempfile, "tempdir", os.path.join(folder, name)):
                    self.assertEqual(self.J(kernel=own_kernel(1)), self.J(kernel=own_kernel(1)))
                    graph = breadboard.Target({"a": 0.0, "b": 2.0}, edges=[("a", "b")])
                    self.assertEqual(breadboard.tightness(toy={"mine": graph}, T=3)["toy"], ["mine"])
                    with self.assertRaises(breadboard.BadInput) as caught:
                        breadboard.tightness(toy=[[0, 1], [2, 3]], initial=[0, 0, 0, 0], T=5)
                    self.assertNotIn("/", str(caught.exception))
                self.assertEqual(os.listdir(os.path.join(folder, name)), [])

    def test_checks_of_numbers_have_no_annealing(self):
        row = breadboard.conform.estimates([0.0, 0.1, 0.2] * 200, log_z=0.1)[0]
        self.assertEqual({row[name] for name in ("toy", "T", "path", "initial", "schedule", "kernel")}, {None})
        self.assertEqual(breadboard.conform.estimates([0.0] * 200, toy="easy", claim="lower")[0]["toy"], "easy")
        with self.assertRaisesRegex(AssertionError, r"\n  independent draws of the distribution = inf: state 2 has probability zero"):
            breadboard.assert_samples([0, 1, 2, 1] * 100, law=[0.5, 0.5, 0, 0])


@unittest.skipUnless(breadboard._numpy.numpy, "NumPy is not there")
class Checking(unittest.TestCase):
    def setUp(self):
        self.np = breadboard._numpy.numpy
        self.rng = self.np.random.default_rng(1)
        self.logf = self.rng.normal(size=9)
        self.p = self.np.exp(self.logf) / self.np.exp(self.logf).sum()

    def test_policies_of_your_own(self):
        layers = [[()], [(0,), (1,)], [(0, 0), (0, 1), (1, 0), (1, 1)]]

        def forward(x):
            same = 1 / (1 + math.exp(-2 * 0.5)) if x else 0.5
            return {x + (v,): same if x[-1:] in ((), (v,)) else 1 - same for v in (0, 1)}

        def backward(y):
            return {y[:-1]: 1}

        mine = breadboard.Policy(forward, backward, layers, name="mine")
        same = breadboard.Policy(mine.forward, mine.backward, initial=[1])
        rows = breadboard.policy(toy="ising:1x2:0.5", policy=[mine, same, "order:local:1"])
        self.assertEqual([row["policy"] for row in rows], ["mine", "policy", "order:local:1"])
        self.assertEqual([row["J"] for row in rows], [0, 0, 0])
        ranks = self.rng.integers(0, 10, (300, 2))
        for given in (ranks, ranks.tolist(), {"a": ranks[:, 0], "b": ranks[:, 1]}):
            self.assertEqual([row["verdict"] for row in breadboard.conform.ranks(given, draws=9)], ["pass", "pass"])
        self.assertEqual(len(breadboard.conform.ranks(ranks[:, 0], draws=9)), 1)
        wrong = breadboard.Policy(lambda x: {x + (0,): 0.4, x + (1,): 0.6}, backward, layers)
        q, f = self.np.array([0.16, 0.24, 0.24, 0.36]), self.np.exp([0.0, 1, 1, 0])
        kl = (q * self.np.log(q / f * f.sum())).sum()
        self.assertAlmostEqual(breadboard.policy(toy=[[0.0, 1], [1, 0]], policy=wrong)[0]["kl_q_p"], kl, 12)
        for wrong, says in ((3, "Policy"), (forward, "Policy")):
            with self.assertRaisesRegex(TypeError, says):
                breadboard.policy(toy="ising:1x2:0.5", policy=wrong)
        with self.assertRaisesRegex(TypeError, "layers="):
            breadboard.Policy(forward, backward)
        with self.assertRaisesRegex(ValueError, "not in the layer"):
            breadboard.Policy(lambda x: {3: 1}, backward, layers)
        with self.assertRaisesRegex(breadboard.BadInput, "16 states|4 states"):
            breadboard.policy(toy="ising:2x2:0.5", policy=mine)

    def test_targets_of_your_own(self):
        probabilities = breadboard.arrays(toy=breadboard.Target(self.p.reshape(3, 3), probabilities=True), T=3, arrays="p")["p"]
        self.assertTrue(self.np.allclose(probabilities.ravel(), self.p, rtol=1e-14, atol=0))
        exact = breadboard.arrays(toy=breadboard.Target({"b": math.log(3), "a": 0.0}, edges=[("a", "b")], name="pair"), T=3)
        self.assertEqual(dict(zip(exact["labels"], exact["p"].round(12))), {"a": 0.25, "b": 0.75})
        row = breadboard.tightness(toy=self.logf.reshape(3, 3), T=3, initial=self.np.zeros((3, 3)), schedule=[0, 0.3, 1])
        self.assertEqual((row[0]["toy"], row[0]["initial"], row[0]["schedule"]), ("array",) * 3)

    def test_invariant_and_reversible(self):
        turn = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
        breadboard.assert_invariant(turn, [0.0, 0.0, 0.0])
        with self.assertRaisesRegex(AssertionError, "^the kernel is not reversible: detailed_balance = 0.333"):
            breadboard.assert_invariant(turn, [0.0, 0.0, 0.0], reversible=True)
        breadboard.assert_invariant("metropolis", [0.0, 1.0, 0.5], reversible=True)
        breadboard.assert_invariant(lambda log_f, x, rng: int(rng.random() < 0.5), [0.0, 0.0], reversible=True)

    def test_functions_of_states(self):
        def means(toy, *given):
            rows = [breadboard.samplers.errors(toy=toy, kernel="metropolis", start="uniform", N=5, function=f) for f in given]
            return [row["bias_mean"] for table in rows for row in table]

        grid = [[0.0, 1.0, 2.0], [3.0, 1.0, 0.0]]
        self.assertEqual(len(set(means(grid, "x1", lambda x: x[1], [0, 1, 2, 0, 1, 2], [[0, 1, 2]] * 2, {"a": lambda x: x[1]}, ["x1", [0, 1, 2] * 2]))), 1)
        self.assertEqual(len(set(means("easy", "x0", lambda x: x[0]))), 1)
        self.assertEqual(means((v for v in [0.0, 1.0, 2.0]), lambda x: x), means([0.0, 1.0, 2.0], "x0"))
        states = {(1, "b"): 0.0, (0, "b"): 1.0, (1, "a"): 2.0, (0, "a"): 0.5}
        self.assertEqual(len(set(means(states, "x0", lambda x: x[0], [1, 0, 1, 0], {x: x[0] for x in sorted(states)}))), 1)
        line = breadboard.Target({1: 0.0, 2: 1.0, 3: 0.5}, edges=[(1, 2), (2, 3)])
        self.assertEqual(len(set(means(line, lambda x: x, {"y": lambda x: x}, [1, 2, 3]))), 1)
        self.assertEqual(len(set(means({3: 0.0, 1: 0.5, 2: 1.0}, lambda x: x, [1, 2, 3], {2: 2, 3: 3, 1: 1}))), 1)
        for wrong, toy, f in (("shape", grid, [1, 2]), ("NaN", grid, lambda x: math.nan), ("float", grid, lambda x: x), ("is wanted|are wanted", states, {(0, "a"): 1})):
            with self.assertRaisesRegex((TypeError, ValueError), wrong):
                means(toy, f)

    def test_targets_whose_axes_have_names(self):
        logf, alpha, beta = self.np.array([[-2, -1], [0, -3.0]]), self.np.array([0.5, 1.5]), self.np.array([1, 2])

        class Index(list):
            names, nlevels = ["beta", "alpha"], 2

        labelled = unittest.mock.Mock(spec=["coords", "dims", "shape", "values"], dims=("alpha", "beta"), shape=(2, 2), values=logf,
                                      coords={name: unittest.mock.Mock(values=values) for name, values in (("alpha", alpha), ("beta", beta))})
        series = unittest.mock.MagicMock(spec=["index", "__iter__"], index=Index([(2, 1.5), (1, 1.5), (2, 0.5), (1, 0.5)]))
        series.__iter__.side_effect = lambda: iter([-3.0, 0.0, -1.0, -2.0])
        columns = {"alpha": [0.5, 0.5, 1.5, 1.5], "beta": [1, 2, 1, 2], "prob": self.np.exp(logf).ravel()}
        frame = unittest.mock.MagicMock(spec=["columns", "__getitem__"], columns=list(columns))
        frame.__getitem__.side_effect = columns.__getitem__
        for target in labelled, series, frame:
            row = breadboard.samplers.errors(toy=target, kernel="metropolis", start="target", function="alpha*beta", N=10)[0]
            self.assertAlmostEqual(row["mean"], 1.34250217713, 10)

    def test_a_kernel_is_a_function(self):
        metropolis = own_kernel(1.0)
        matrices = self.np.stack([self.np.minimum(1, self.np.exp(beta * (self.logf - self.logf[:, None]))) / 9 for beta in (0.5, 1)])
        for matrix in matrices:
            matrix[self.np.diag_indices(9)] += 1 - matrix.sum(axis=1)
        both = [breadboard.tightness(toy=self.logf.reshape(3, 3), T=3, kernel=kernel)[0] for kernel in (metropolis, matrices)]
        self.assertEqual([row["kernel"] for row in both], ["move", "array"])
        self.assertTrue(math.isclose(both[0]["J"], both[1]["J"], rel_tol=1e-12))
        self.assertEqual(breadboard.kernel.check(matrices[1], toy=self.logf.reshape(3, 3), beta=1)[1]["verdict"], "pass")
        breadboard.assert_invariant(metropolis, (3, 3), self.logf)
        breadboard.assert_invariant(lambda x, rng: rng.randrange(3), [0.0, 0.0, 0.0], rng=random.Random)
        breadboard.assert_invariant("heatbath", "barrier:3x3", irreducible=True)
        breadboard.assert_invariant("stay", "barrier:3x3")
        with self.assertRaisesRegex(AssertionError, "does not join all states"):
            breadboard.assert_invariant("stay", "barrier:3x3", irreducible=True)
        with self.assertRaisesRegex(TypeError, "toy=array"):
            breadboard.tightness(self.logf)
        with self.assertRaisesRegex(breadboard.BadInput, r"^toy: index \[0\]: NaN"):
            breadboard.tightness(toy=self.np.array([math.nan, 1]))
        with self.assertRaisesRegex(breadboard.Fault, r"the kernel is wrong\n  rows: kernel <lambda> at state 8: Move went to state 9, outside 0..8"):
            breadboard.kernel.check(lambda chooser, logf, shape, x: x + 1, toy=self.logf.reshape(3, 3), beta=1)
        with self.assertRaisesRegex(ValueError, "name= 'a b'"):
            breadboard.Target(self.logf, name="a b")
        with self.assertRaisesRegex(AssertionError, r"invariance = .* state \d \[\d \d\] gets"):
            breadboard.assert_invariant(own_kernel(1.1), (3, 3), self.logf)
        with self.assertRaisesRegex(AssertionError, r"(?s)^the kernel is wrong: what it leaves invariant is f\(x\)\^2,.*\n  invariance = "):
            breadboard.assert_invariant(lambda chooser, logf, shape, x: metropolis(chooser, 2 * logf, shape, x), (3, 3), self.logf)
        moves = breadboard.Moves(lambda rng, *rest: metropolis(breadboard.Draws(rng), *rest))
        breadboard.assert_invariant(moves, (3, 3), self.logf, moves=10000)

    def test_what_a_function_raises_is_raised(self):
        def kernel(chooser, logf, shape, x):
            raise ZeroDivisionError("its own")

        with self.assertRaisesRegex(ZeroDivisionError, "its own") as caught:
            breadboard.tightness(toy="barrier:3x3", T=5, kernel=kernel)
        self.assertIn("kernel kernel", str(caught.exception.__cause__))
        self.assertNotIn("bridge", str(caught.exception.__cause__))

    def test_what_a_function_raises_comes_before_what_the_program_says_of_it(self):
        """breadboard has ended before the thread that answers goes on: its pipe closes, and it waits until the server is closed."""
        ends, close, closed = protocol.Pipe.__exit__, served.Server.close, threading.Event()

        def ends_and_waits(pipe, *error):
            ends(pipe, *error)
            closed.wait()

        def close_and_tell(server, hurried=False):
            closed.set()
            close(server, hurried)

        def kernel(chooser, logf, shape, x):
            raise kind("its own")

        def sample(chains, seed):
            raise kind("its own")

        target = dict(toy="barrier:3x3", T=5)
        for kind in (ZeroDivisionError, KeyError, FileNotFoundError, SystemExit):
            for call in (lambda: breadboard.tightness(kernel=kernel, **target), lambda: breadboard.kernel.check(breadboard.Moves(kernel), toy="barrier:3x3", beta=1),
                         lambda: breadboard.kernel.check(kernel, toy="barrier:3x3", beta=1), lambda: breadboard.check_annealing(sample, sample, **target)):
                closed.clear()
                with unittest.mock.patch.object(protocol.Pipe, "__exit__", ends_and_waits), unittest.mock.patch.object(served.Server, "close", close_and_tell):
                    with self.assertRaisesRegex(kind, "its own"):
                        call()

    def test_what_is_said_can_be_passed_on(self):
        with tempfile.TemporaryDirectory() as folder:
            server = served.Server(folder, hands_over=False)
            try:
                selector = "exec:" + server.command(lambda pipe: protocol.answer_kernel(pipe, own_kernel(1.0), "own"))
                self.assertEqual(breadboard.kernel.check(selector, toy="barrier:3x3", beta=1)[0]["verdict"], "pass")
            finally:
                server.close()

    def test_draws_are_tested(self):
        breadboard.assert_samples(lambda n, seed: self.np.random.default_rng(seed).choice(9, size=n, p=self.p), (3, 3), self.logf, n=1000)
        with self.assertRaisesRegex(AssertionError, r"state \d: \d+ of 1000 draws, [\d.]+ expected"):
            breadboard.assert_samples(self.rng.choice(9, size=1000), (3, 3), self.logf)
        law = {"a": 0.5, "b": 0.3, "c": 0.2}
        labels = self.rng.choice(list(law), size=5000, p=list(law.values()))
        self.assertEqual(breadboard.assert_samples(labels, law=law)[0]["verdict"], "pass")
        breadboard.assert_samples({"state": list(labels)}, law=law)
        mixed = random.Random(1).choices([1, "1", (0, 1), "0;1"], [0.4, 0.3, 0.2, 0.1], k=2000)
        for typed, made in ({1: 0.4, "1": 0.3, (0, 1): 0.2, "0;1": 0.1}, lambda n, seed: mixed), ({1.0: 0.4, "1": 0.3, (0, 1): 0.2, "0;1": 0.1}, {"state": mixed}):
            breadboard.assert_samples(made, law=typed)
            with self.assertRaises(AssertionError):
                breadboard.assert_samples(made, law={**typed, 1: 0.3, "1": 0.4})
        frame = type("Frame", (dict,), {"columns": ["label", "probability"]})
        breadboard.assert_samples(labels, law=frame(label=list(law), probability=list(law.values())))
        for vector in ([0.25] * 4, self.np.full((2, 2), 0.25), {0: 0.25, 1: 0.25, 2: 0.25, 3: 0.25}):
            breadboard.assert_samples(self.rng.integers(4, size=1000), law=vector)
        bits = self.rng.integers(2, size=(1000, 2))
        breadboard.assert_samples(bits, law={(i, j): Fraction(1, 4) for i in (0, 1) for j in (0, 1)})
        for bad in ([0.5, "a"], 1.0, lambda: 0, dict):
            with self.assertRaisesRegex(TypeError, "give a dict from labels to probabilities"):
                breadboard.assert_samples(labels, law=bad)
        with self.assertRaisesRegex(AssertionError, "sorted") as caught:
            breadboard.assert_samples(sorted(labels), law=law)
        self.assertNotIn("x_T", str(caught.exception))
        states = self.rng.choice(9, size=5000, p=self.p)
        breadboard.assert_samples(self.np.stack(divmod(states, 3), axis=1), (3, 3), self.logf)
        breadboard.assert_samples(states + 1, (3, 3), self.logf, base=1)

    def test_a_chain_moves_as_its_kernel(self):
        states = [0]
        for u, v in self.rng.random((20_000, 2)):
            y = int(9 * u)
            states.append(y if v < self.p[y] / self.p[states[-1]] else states[-1])
        rows = breadboard.assert_chain(self.np.array(states), (3, 3), self.logf, "independence")
        self.assertEqual({row["verdict"] for row in rows if row["about"] == "moves"}, {"pass", "note"})
        breadboard.assert_chain(states, (3, 3), self.logf)
        by_chain = self.np.array(states)[: len(states) // 4 * 4].reshape(4, -1)
        pairs = self.np.stack([by_chain // 3, by_chain % 3], axis=2)
        target = {(x, y): float(self.logf.reshape(3, 3)[x, y]) for x in range(3) for y in range(3)}
        keys = [[tuple(x) for x in one] for one in pairs.tolist()]
        few = by_chain[0, :600]  # more chains than draws in each, and few draws in each
        one_axis = {"x0": few.reshape(2, 300)}
        for several, space, of in (
            (by_chain, (3, 3), self.logf), (pairs, (3, 3), self.logf), (list(by_chain), (3, 3), self.logf), (by_chain.tolist(), (3, 3), self.logf),
            ([by_chain[0], by_chain[1, :99]], (3, 3), self.logf), (few.reshape(200, 3), None, self.logf.ravel()), (few.reshape(60, 10), (3, 3), self.logf),
            (keys[0], target, None), (keys, target, None), (pairs, target, None), (one_axis, None, self.logf.ravel()),
        ):
            breadboard.assert_chain(several, space, of, "independence")
        with self.assertRaises(AssertionError):
            breadboard.assert_chain(by_chain, (3, 3), 1.25 * self.logf, "independence")
        breadboard.assert_chain(states[::2], (3, 3), self.logf, "independence", thin=2)
        with self.assertRaisesRegex(AssertionError, "fault in the moves: it is as if .* inverse temperature 0\\.[78]"):
            breadboard.assert_chain(states, (3, 3), 1.25 * self.logf, "independence")
        with self.assertRaisesRegex(AssertionError, "cannot be told whether the sampler is wrong"):
            breadboard.assert_chain(states, (3, 3), 2 * self.logf)

    def test_a_path_of_stages(self):
        g = self.np.asarray(breadboard.arrays(toy="easy", T=3, arrays=["log_f"])["log_f"]).reshape(7, 7)
        stages = self.np.linspace(0, 1, 6)[:, None, None] * g
        want = breadboard.tightness(toy="easy", T=6)[0]["J"]
        for path in stages, stages.tolist(), list(stages), stages.reshape(6, 49):
            self.assertAlmostEqual(breadboard.tightness(toy="easy", T=6, path=path)[0]["J"], want, 12)
        self.assertEqual(breadboard.tightness(toy="easy", T=6, path=g)[0]["path"], "via:0.5:path")
        with self.assertRaisesRegex(breadboard.BadInput, "its last stage differs from the target"):
            breadboard.tightness(toy="easy", T=5, path=stages[:5])

    def test_log_weights_of_both_directions(self):
        rng = self.np.random.default_rng(1)
        forward, reverse = rng.normal(-0.5, 1, 800), rng.normal(0.5, 1, 700)  # normal log weights with R = 1
        for f, r in ((forward, reverse), (list(forward), reverse.astype("f4")), ({"log_w": forward}, {"log_w": reverse})):
            row = breadboard.sandwich(forward=f, reverse=r, log_z=0)[0]
            self.assertEqual((row["forward"], row["reverse"], row["verdict"]), (800, 700, "pass"))
            self.assertAlmostEqual(row["lower"], forward.mean())
            self.assertLess(abs(row["bar"]), 5 * row["bar_se"])
        with self.assertRaisesRegex(breadboard.Fault, "have the other sign"):
            breadboard.sandwich(forward=forward, reverse=-reverse)

    def test_estimates_are_tested(self):
        def estimates(n, seed):  # their mean is one
            return self.np.log(self.np.random.default_rng(seed).uniform(0.5, 1.5, n))

        rows = breadboard.assert_estimates(estimates, 0.0, largest=0.41, n=2000)
        self.assertEqual([row["verdict"] for row in rows], ["pass"])
        self.assertIn("is not tested for being too low", breadboard.assert_estimates(list(estimates(500, 2)), 0.0).messages)
        for wrong, options in ((-0.5, {}), (0.5, {"largest": 0.7}), (0.0, {"claim": "within:0.1"})):
            with self.assertRaisesRegex(AssertionError, "estimates of Z are"):
                breadboard.assert_estimates(estimates, wrong, **options)
        self.assertEqual(breadboard.assert_estimates({"log_z": estimates(500, 1), "se": self.np.ones(500)}, log_z=0.0, claim="within:0.9")[0]["draws"], 500)

    def test_plain_functions_are_tested(self):
        np = self.np

        def log_sum_exp(logs):
            return np.logaddexp.reduce(logs)

        def naive(logs):
            return math.log(sum(map(math.exp, logs)))

        def weights(logs):
            if max(logs) == -math.inf:
                raise ValueError("all weights are zero")
            w = np.exp(np.array(logs) - max(logs))
            return w / w.sum()

        rows = breadboard.assert_vectors({"log_sum_exp": log_sum_exp, "normalised_weights": weights})
        self.assertEqual([row["verdict"] for row in rows], ["pass", "pass"])
        with self.assertRaisesRegex(AssertionError, "log_sum_exp = inf: .* answers are wrong: .*all-zero"):
            breadboard.assert_vectors({"log_sum_exp": naive})
        breadboard.assert_vectors({"hmm_filter": self.filtered})
        with self.assertRaisesRegex(ValueError, "did you mean rhat"):
            breadboard.assert_vectors({"rhats": naive})

    @staticmethod
    def filtered(initial, transition, likelihood):
        rows, p = [], initial
        for t, seen in enumerate(likelihood):
            if t:
                p = [sum(p[i] * transition[i][j] for i in range(len(p))) for j in range(len(p))]
            p = [a * b for a, b in zip(p, seen)]
            p = [v / sum(p) for v in p]
            rows.append(tuple(p))
        return rows

    def test_an_annealing_is_tested(self):
        def forward(chains, seed, off=0.0):  # one distribution after the uniform one, and a perfect move
            first = self.np.random.default_rng(seed).choice(9, size=chains)
            return {"log_w": self.logf[first] + off, "x_first": first, "x_last": self.np.random.default_rng([seed, 1]).choice(9, size=chains, p=self.p)}

        setting = dict(toy=self.logf.reshape(3, 3), T=2, kernel=self.np.outer(self.np.ones(9), self.p)[None], chains=1024)
        said = breadboard.assert_annealing(forward, **setting)
        self.assertEqual((said.fault, said.named), (False, []))
        self.assertLess(next(bug for bug in said.bugs if bug.name == "chains never move").log10_odds, -6)
        self.assertTrue(said.would_have_found[0]["found_below"] < said.would_have_found[0]["right"])
        self.assertTrue("no fault was found" in said._repr_html_() and "<svg" in next(iter(said.figures.values())))
        with self.assertRaisesRegex(AssertionError, "a fault was found by"):
            breadboard.assert_annealing(forward(1024, 1, 1.0), **setting)
        with self.assertRaisesRegex(TypeError, "one is a function and the other is chains"):
            breadboard.assert_annealing(forward, forward(8, 1), **setting)

    def test_a_shape_is_no_target(self):
        log_f = [[0.1, 0.2], [0.3, 1.4]]
        for call in (lambda: breadboard.assert_invariant("metropolis", (2, 2)), lambda: breadboard.assert_samples([0] * 9, (2, 2)),
                     lambda: breadboard.kernel.check("metropolis", toy=(7, 7))):
            with self.assertRaisesRegex(TypeError, r"is the shape of a grid"):
                call()
        breadboard.assert_invariant("metropolis", log_f)
        breadboard.assert_invariant("metropolis", shape=(2, 2), log_f=log_f)
        with self.assertRaisesRegex(TypeError, "given twice"):
            breadboard.assert_invariant("metropolis", (2, 2), log_f, log_f=log_f)

    def test_errors_and_commands_are_pickled(self):
        for error in (breadboard.BadInput("no --toy", 2, ["breadboard"], "", "x"), breadboard.Fault("wrong", 1, [], "[]", "m"), breadboard.Interrupted("[]", "m")):
            again = pickle.loads(pickle.dumps(error))
            self.assertEqual((type(again), str(again), vars(again)), (type(error), str(error), vars(error)))
        self.assertEqual(pickle.loads(pickle.dumps(breadboard.kernel.check))._words, ("kernel", "check"))
        self.assertTrue(issubclass(breadboard.Fault, AssertionError) and issubclass(breadboard.BadInput, ValueError))

    def test_names_of_variables_are_no_paths(self):
        if self.np is None:
            self.skipTest("NumPy")
        draws = self.np.arange(100.0).reshape(2, 50)
        self.assertEqual(breadboard.diagnose({"../esc": draws, "a/b": draws})["variable"], ["../esc", "a/b"])
        for call in (lambda: breadboard.diagnose({"a": self.np.ma.masked_array(draws, draws > 9)}), lambda: breadboard.tightness(toy=self.np.ma.masked_array(draws, draws > 9), T=3)):
            with self.assertRaisesRegex(TypeError, "masked values"):
                call()

    def test_rounding_of_single_precision_is_no_known_mistake(self):
        if self.np is None:
            self.skipTest("NumPy")
        log_f = self.np.array([0.0, 1.0, -0.5, 2.0, 0.3, -1.0])

        def move(log_f, x, rng):
            w = self.np.exp(log_f.astype("float32"))
            p = (w / w.sum()).astype(float)
            return int(rng.choice(6, p=p / p.sum()))
        breadboard.assert_invariant(breadboard.followed(move), (6,), log_f, tolerance=1e-6)
        with self.assertRaisesRegex(AssertionError, "^the kernel is wrong\n.*the rounding of single precision"):
            breadboard.assert_invariant(breadboard.followed(move), (6,), log_f, tolerance=1e-9)
        with self.assertRaisesRegex(AssertionError, r"state 2 \[2\] gets -2.52e-07\n"):  # which it never enters
            breadboard.assert_invariant([[0.5, 0.5, 0], [0.5, 0.5, 0], [0.5, 0.5, 0]], (3,), [0, 0, -14.5])

    def test_a_matrix_of_single_precision_whose_rows_sum_to_one(self):
        if self.np is None:
            self.skipTest("NumPy")
        log_f = self.np.array([0.0, 0.1])
        exact = self.np.exp(log_f) / self.np.exp(log_f).sum()
        kernel = self.np.array([exact, exact], "float32")
        self.assertEqual(kernel[0].sum(dtype=float), 1)
        for given in kernel, kernel.astype(float), kernel.tolist():
            breadboard.assert_invariant(given, (2,), log_f)
            with self.assertRaisesRegex(AssertionError, "the kernel is wrong"):
                breadboard.assert_invariant(self.np.array(given) + [[1e-6, -1e-6], [0, 0]], (2,), log_f)
        found = breadboard.rows("kernel", "check", kernel, toy=log_f, beta=1)
        self.assertRegex(str(found["where"]), "within what its 24 bits of single precision explain")
        with self.assertRaisesRegex(AssertionError, "the kernel is wrong"):
            breadboard.assert_invariant([[0.5, 0.5], [0.5, 0.5]], (2,), [0.0, 1e-8])

    def test_a_kernel_that_keeps_a_state_is_refused(self):
        kept = {}

        def move(log_f, x, rng):
            if x == 0:
                kept["log_f"] = list(log_f)
            return rng.choices(range(4), [math.exp(v) for v in kept["log_f"]])[0]
        with self.assertRaisesRegex(breadboard.Refused, "keeps a state between its calls"):
            breadboard.assert_invariant(breadboard.followed(move, rng=random.Random), (4,), [0.0, 1.0, 2.0, -1.0], beta=[0, 0.5, 1])
        heats = iter([1, 2])
        with self.assertRaisesRegex(breadboard.Refused, "matrix: .*keeps a state between its calls"):
            def matrix(log_f):
                beta = next(heats)
                f = [math.exp(beta * v) for v in log_f]
                return [[v / sum(f) for v in f] for _ in f]
            breadboard.assert_invariant(matrix, [0.0, 1.0, 2.0, -1.0])

    def test_fixtures_of_pytest_are_the_checks(self):
        fixture = unittest.mock.Mock(fixture=lambda **_: lambda function: function)
        with unittest.mock.patch.dict(sys.modules, {"pytest": fixture}):
            plugin = importlib.import_module("breadboard_pytest")
        checks = [name for name in breadboard.__all__ if name.startswith("assert_")]
        self.assertEqual(len(checks), 9)
        for name in checks:
            self.assertIs(getattr(plugin, name)(), getattr(breadboard, name))
        loads = "import sys, types; sys.modules['pytest'] = types.SimpleNamespace(fixture=lambda **_: lambda f: f); import breadboard_pytest; print('breadboard' in sys.modules)"
        self.assertEqual(subprocess.check_output([sys.executable, "-B", "-c", loads], cwd=HERE).strip(), b"False")

    def test_an_annealing_says_what_it_cannot_show(self):
        def law(beta):
            p = self.np.exp(beta * self.logf)
            return p / p.sum()

        def wrong(chains, seed):  # the increment of the stage before, but at the first one; moves are perfect
            rng = self.np.random.default_rng(seed)
            x = [rng.choice(9, size=chains, p=law(beta)) for beta in betas]
            steps = self.np.diff(betas)
            return {"log_w": steps[0] * self.logf[x[0]] + steps[0] * self.logf[x[1]], "x_first": x[0], "x_last": x[2]}

        def check():  # without T, which the schedule says
            kernel = self.np.stack([self.np.outer(self.np.ones(9), law(beta)) for beta in betas[1:]])
            return breadboard.assert_annealing(wrong, toy=self.logf.reshape(3, 3), kernel=kernel, schedule=betas, chains=1024)

        betas = [0, 0.5, 1]
        said = check()
        self.assertTrue("increment one stage early (forward)" in said.unseen and said.tests[0]["T"] == 3)
        betas = [0, 0.25, 1]
        with self.assertRaisesRegex(AssertionError, '^known mistake "increment one stage early"\n'):
            check()

    def test_the_test_of_the_page_on_ci(self):
        with open(os.path.join(HERE, "..", "cmd", "breadboard", "topics", "ci.md"), encoding="utf-8") as page:
            program = page.read().split("```python\n", 1)[1].split("```", 1)[0]
        still = unittest.mock.Mock(forward=lambda chains, seed: dict(log_w=[0.0] * chains, x_first=[0] * chains, x_last=[0] * chains), reverse=None)
        found = {}
        with unittest.mock.patch.dict(sys.modules, {"my_ais": still}):
            exec(program, found)
        with self.assertRaisesRegex(AssertionError, "a fault was found by"):
            found["test_annealing"](breadboard.assert_annealing)

    def test_draws_are_diagnosed(self):
        target = self.logf.reshape(3, 3)
        x = self.rng.choice(9, size=(2, 4, 300), p=self.p)[0]
        array = Labelled((x // 3).T, ("draw", "chain"), "x0")
        posterior = unittest.mock.Mock(spec=["data_vars"], data_vars=["x0"])
        with self.assertWarnsRegex(breadboard.BreadboardWarning, r"more chains \(300\) than draws in each \(4\); transpose"):
            breadboard.diagnose({"x0": (x // 3).T})
        posterior = type("Dataset", (dict,), {"data_vars": property(lambda self: self)})(x0=array)
        ways = [{"x0": x // 3}, x // 3, list(x // 3), array, posterior, type("InferenceData", (), {"posterior": posterior})()]
        rows = [breadboard.diagnose(draws, target) for draws in ways]
        self.assertTrue(all(row == rows[0] for row in rows))
        self.assertTrue(math.isclose(rows[0][0]["exact_mean"], float(self.np.dot(self.np.arange(9) // 3, self.p)), rel_tol=1e-12))
        self.assertLess(abs(rows[0][0]["mean_error"]), 5)
        folder = os.path.join(HERE, "..", "cmd", "breadboard", "testdata")
        stan = breadboard.diagnose([os.path.join(folder, "schools_%d.csv" % i) for i in (1, 2, 3, 4)], target="schools")
        self.assertEqual(list(stan["variable"]), ["lp__", "mu", "tau"])
        self.assertTrue(math.isclose(stan[1]["exact_mean"], 4.395, rel_tol=1e-3))
        frame = {"x0": x[0] // 3, "x1": x[0] % 3}
        one = breadboard.diagnose(frame, target)
        for columns in (frame, dict(frame, draw=self.np.arange(300))):
            self.assertEqual(breadboard.diagnose(Frame(columns), target), one)
        self.assertEqual((one[0]["chains"], one[0]["N"], [row["variable"] for row in one]), (1, 300, ["x0", "x1"]))
        chain = self.np.repeat([2, 1, 3, 4], 300)
        order = self.rng.permutation(4)  # of whole chains
        several = Frame({"x0": (x // 3)[order].ravel(), ".chain": chain.reshape(4, 300)[order].ravel(), ".iteration": self.np.arange(1200) % 300})
        self.assertEqual(breadboard.diagnose(several, target)[0]["rhat_rank"], rows[0][0]["rhat_rank"])
        with self.assertRaisesRegex(breadboard.BadInput, "chain 1: found 1 draw in a chain; give at least 4"):
            breadboard.diagnose(Frame({"x0": [1, 2, 1], "chain": [1, 2, 2]}), target)
        with self.assertRaisesRegex(TypeError, r"the shape \(300, 1\), one row a chain"):
            breadboard.diagnose({"x0": x[0][:, None]}, target)
        theta = self.rng.normal(size=(4, 300, 2))
        many = {row["variable"]: row["mean"] for row in breadboard.diagnose({"state": x, "theta": theta}, target, function="g")}
        self.assertEqual(sorted(many), ["g", "theta[0]", "theta[1]"])
        self.assertTrue(math.isclose(many["theta[1]"], theta[:, :, 1].mean(), rel_tol=1e-9))


class Modules(unittest.TestCase):
    def test_imports_run_one_way(self):
        folder = os.path.dirname(breadboard.__file__)
        imports = {}
        for path in glob.glob(os.path.join(folder, "*.py")):
            with open(path, encoding="utf-8") as file:
                tree = ast.parse(file.read())
            imports[os.path.basename(path)[:-3]] = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level == 1}
        while imports:
            free = [name for name, needs in imports.items() if not needs & set(imports)]
            self.assertTrue(free, "these modules import one another: %s" % sorted(imports))
            for name in free:
                del imports[name]


class Serving(unittest.TestCase):
    def test_ends_are_quiet(self):
        """A server may be closed at any moment of the threads that answer, and none of them says so."""
        raised, hook, interval = [], threading.excepthook, sys.getswitchinterval()
        threading.excepthook = lambda what: raised.append(what.exc_type)
        sys.setswitchinterval(1e-6)
        try:
            for _ in range(60):
                with tempfile.TemporaryDirectory() as folder:
                    server = served.Server(folder, hands_over=False)
                    address, key = server.words(lambda pipe: None)[-2:]
                    for _ in range(3):
                        with socket.create_connection(("127.0.0.1", int(address))) as there:
                            there.sendall(key.encode())
                    while not server._threads:
                        pass
                    server.close()
        finally:
            threading.excepthook = hook
            sys.setswitchinterval(interval)
        self.assertEqual(raised, [])

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

    def test_no_state_is_rounded(self):
        for wrong in (lambda c, l, s, x: x + 0.7, lambda c, l, s, x: x / 2, lambda c, l, s, x: str(x)):
            for kernel in (wrong, breadboard.Moves(lambda rng, l, s, x, its=wrong: its(rng, l, s, x))):
                with self.assertRaisesRegex(Exception, "a state is a whole number"):
                    breadboard.rows("kernel", "check", kernel, toy="random:2:0:3", beta=1)

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
            """ % (os.path.join(HERE, "..", "experiments", "checks", "conform", "examples"), task))
            with open(sampler.split()[1], encoding="utf-8") as file:
                text = file.read()
            for off, fault in (("0.0", False), ("0.5", True), ("math.inf", True)):
                with open(sampler.split()[1], "w", encoding="utf-8") as file:
                    file.write(text.replace("OFF", off))
                words = ["conform", "run", task, "--most", "1024", "--", *sampler.split()]
                if fault:
                    with self.assertRaises(breadboard.Fault):
                        breadboard.run(*words)
                else:
                    self.assertIn("pass: ", breadboard.run(*words)[0])

    def test_a_kernel_can_be_run_in_python(self):
        self.assertEqual(breadboard.Draws(random.Random(7)).uniform(10**9), breadboard.Draws(7).uniform(10**9))
        draws = breadboard.Draws(1)
        n = 4000
        self.assertLess(abs(sum(draws.flip(0.25) for _ in range(n)) / n - 0.25), 0.05)
        self.assertEqual({draws.uniform(3) for _ in range(100)}, {0, 1, 2})
        self.assertEqual({draws.choose([0, 1, 0]) for _ in range(10)}, {1})


if __name__ == "__main__":
    unittest.main()
