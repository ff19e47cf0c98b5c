"""Models of other libraries as targets, by the methods that they have."""
import math
import os
import re
import tempfile
import unittest
import warnings

import breadboard

HERE = os.path.dirname(os.path.abspath(__file__))

try:
    import networkx
except ImportError:
    networkx = None


class Vartype:
    def __init__(self, name):
        self.name = name


class BQM:
    """A BinaryQuadraticModel, as dimod has it."""

    def __init__(self, linear, quadratic, offset, vartype):
        self.linear, self.quadratic, self.offset, self.vartype = linear, quadratic, offset, Vartype(vartype)


class Sparse:
    """A sparse matrix, as SciPy has it in coordinates."""

    class _List(list):
        def tolist(self):
            return list(self)

    shape = (3, 3)
    row, col, data = _List([0, 0, 1, 1]), _List([0, 1, 0, 1]), _List([-1.0, 1.0, 1.0, -1.0])

    def tocoo(self):
        return self


class CPD:
    """A table of pgmpy: a row for each state of the child, the last parent fastest."""

    def __init__(self, variables, states, values):
        self.variables, self.state_names, self.values = variables, dict(zip(variables, states)), values

    def get_values(self):
        return self.values


class Network:
    """A Bayesian network, as pgmpy has it."""

    nodes = ["grass", "rain", "sprinkler"]

    def get_cpds(self):
        yes, no = ["wet", "dry"], ["yes", "no"]
        return [CPD(["grass", "sprinkler", "rain"], [yes, ["on", "off"], no], [[0.99, 0.9, 0.8, 0.0], [0.01, 0.1, 0.2, 1.0]]),
                CPD(["rain"], [no], [[0.2], [0.8]]), CPD(["sprinkler", "rain"], [["on", "off"], no], [[0.01, 0.4], [0.99, 0.6]])]


def log_z(toy):
    return breadboard.network(toy)[0]["log_z"]


def enumerated(energy, values, n, beta=1.0):
    """log Z by enumeration."""
    states = [[]]
    for _ in range(n):
        states = [state + [value] for state in states for value in values]
    return math.log(sum(math.exp(-beta * energy(*state)) for state in states))


class Models(unittest.TestCase):
    def test_one_qubo_in_every_form(self):
        want = enumerated(lambda x, y, z: -x + 2 * x * y - y, (0, 1), 3)
        pairs = {(0, 0): -1, (0, 1): 2.0, (1, 1): -1, (2, 2): 0}
        for of in (pairs, {0: -1, 1: -1, 2: 0, (1, 0): 2}, {(0, 1): 1, (1, 0): 1, 0: -1, 1: -1, 2: 0}, [[-1, 1, 0], [1, -1, 0], [0, 0, 0]], Sparse()):
            self.assertAlmostEqual(log_z(breadboard.Energy(of, "qubo")), want, 12)
        self.assertAlmostEqual(log_z(BQM({0: -1, 1: -1, 2: 0}, {(0, 1): 2}, 0.0, "BINARY")), want, 12)

    def test_offset_and_names(self):
        spins = BQM({"a": 0.25, "b": 0}, {("a", "b"): 1.5}, -2.0, "SPIN")
        want = enumerated(lambda a, b: 0.25 * a + 1.5 * a * b - 2, (-1, 1), 2, 0.5)
        self.assertAlmostEqual(log_z(breadboard.Energy(spins, beta=0.5)), want, 12)
        ising = breadboard.Energy({"a": 0.25, ("a", "b"): 1.5}, "ising", beta=0.5, offset=-2)
        self.assertAlmostEqual(log_z(ising), want, 12)
        row = breadboard.tightness(toy={"mine": spins}, T=3)[0]
        self.assertEqual(row["toy"], "mine")

    def test_refused(self):
        for of, kind, want in (({}, "spin", "give 'qubo', 'ising' or 'cut'"), ([[1, 2]], "qubo", "not square"), ([[0, 1], [1, 0]], "cut", "give a dict"),
                               (BQM({}, {}, 0, "SPIN"), "qubo", "of the kind 'ising'")):
            with self.assertRaisesRegex((TypeError, ValueError), want):
                breadboard.Energy(of, kind)

    def test_network(self):
        rows = breadboard.network(Network(), evidence={"grass": "wet"})
        rain = next(row for row in rows if (row["variable"], row["label"]) == ("rain", "yes"))
        wet = {"yes": 0.2 * (0.01 * 0.99 + 0.99 * 0.8), "no": 0.8 * (0.4 * 0.9 + 0.6 * 0.0)}
        self.assertAlmostEqual(rain["posterior"], wet["yes"] / sum(wet.values()), 12)
        self.assertEqual(breadboard.tightness(toy={"lawn": Network()}, initial="uniform", T=3)[0]["toy"], "lawn")

    @unittest.skipIf(networkx is None, "no networkx")
    def test_graphs(self):
        graph = networkx.Graph([(0, 1), (1, 2), (2, 0), (2, 3, {"weight": 2})])
        want = math.log(sum(math.exp((a != b) + (b != c) + (c != a) + 2 * (c != d)) for a in (0, 1) for b in (0, 1) for c in (0, 1) for d in (0, 1)))
        self.assertAlmostEqual(log_z(breadboard.Energy(graph, "cut")), want, 12)
        line = networkx.path_graph(3)
        values = {0: 0.0, 1: 1.0, 2: 0.5}
        self.assertEqual(breadboard.tightness(toy=breadboard.Target(values, edges=line), T=3), breadboard.tightness(toy=breadboard.Target(values, edges=line.edges), T=3))

    def test_recipes_of_the_page(self):
        """The programs of `breadboard help files`, of which those are passed over whose library is not here."""
        with open(os.path.join(HERE, "..", "cmd", "breadboard", "topics", "files.md"), encoding="utf-8") as page:
            section = page.read().split("## Models in other formats")[1].split("\n## ")[0]
        recipes, before, ran = re.findall(r"^\| [^|]+ \| `(breadboard\.[^`]+)` \|$", section, re.M), os.getcwd(), 0
        self.assertEqual(len(recipes), 3)
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                for name, text in FILES.items():
                    with open(name, "w", encoding="utf-8") as file:
                        file.write(text)
                for recipe in recipes:
                    scope = {"breadboard": breadboard}
                    try:
                        with warnings.catch_warnings():
                            warnings.simplefilter("ignore", ResourceWarning)
                            for module in re.findall(r"\b(ast|json|dimod|pgmpy\.readwrite)\.", recipe):
                                exec("import " + module, scope)
                            rows = eval(recipe, scope)
                    except ImportError as error:
                        if error.name in ("pgmpy", "dimod"):
                            continue
                        raise
                    ran += 1
                    name = re.search(r'"(bqm.json|qubo.txt|net.xml)"', recipe)
                    self.assertAlmostEqual(rows[0]["log_z"], LOG_Z[name.group(1)], 12)
                self.assertGreaterEqual(ran, 1)
            finally:
                os.chdir(before)


XMLBIF = """<?xml version="1.0"?><BIF VERSION="0.3"><NETWORK><NAME>n</NAME>
<VARIABLE TYPE="nature"><NAME>rain</NAME><OUTCOME>yes</OUTCOME><OUTCOME>no</OUTCOME></VARIABLE>
<DEFINITION><FOR>rain</FOR><TABLE>0.25 0.75</TABLE></DEFINITION></NETWORK></BIF>"""
FILES = {
    "net.xml": XMLBIF,
    "bqm.json": '''{"type": "BinaryQuadraticModel", "version": {"bqm_schema": "3.0.0"}, "use_bytes": false, "index_type": "SizeT", "bias_type": "float32",
        "num_variables": 2, "num_interactions": 1, "variable_labels": ["a", "b"], "variable_type": "BINARY", "offset": 0.0, "info": {},
        "linear_biases": [-2.0, -1.0], "quadratic_biases": [3.0], "quadratic_head": [1], "quadratic_tail": [0]}''',
    "qubo.txt": "{(0, 0): -2.0, (1, 1): -1.0, (0, 1): 1.0, (1, 0): 2.0}",
}
TWO = math.log(1 + math.exp(2) + math.exp(1) + 1)
LOG_Z = {"bqm.json": TWO, "qubo.txt": TWO, "net.xml": math.log(0.25)}


if __name__ == "__main__":
    unittest.main()
