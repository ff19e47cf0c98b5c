"""What comes in memory at each door is read right or refused with what to hand over: `python3 -W error -m unittest test_doors` in this folder."""
import collections
import concurrent.futures
import math
import random
import re
import unittest
import warnings

import breadboard

try:
    import numpy as np
    import pandas as pd
    import scipy.sparse
except ImportError:
    np = pd = scipy = None

CURE = re.compile(r"; .*\b(give|write|name|rename|return|sort|divide|transpose|keep|make|delete|choices)\b|needs|should", re.S)
STATES, TURNED = ["a", "b", "c"], ["c", "a", "b"]
F = {"a": 5, "b": 3, "c": 2}
LOG_F = [math.log(F[x]) for x in STATES]
TARGET = dict(zip(STATES, LOG_F))


class Xarray:
    """A DataArray, as xarray has it."""

    def __init__(self, values, **coords):
        self.values, self.shape, self.dims, self.name = np.asarray(values), np.shape(values), tuple(coords), None
        self.coords = {name: type("Coordinate", (), {"values": np.array(side)}) for name, side in coords.items()}

    def transpose(self, *dims):
        order = [name for name in dims if name in self.dims]
        return Xarray(self.values.transpose([self.dims.index(name) for name in order]), **{name: self.coords[name].values for name in order})


def metropolis(log_f, x, rng):
    """Draws from the target, whatever the states are."""
    return rng.choices(list(log_f), [math.exp(v) for v in log_f.values()])[0]


def vectors():
    """Log f of three states in many forms."""
    table = pd.DataFrame({"state": TURNED, "lp": [TARGET[x] for x in TURNED]})
    series = pd.Series(TARGET)
    return {
        "list": LOG_F, "tuple": tuple(LOG_F), "array": np.array(LOG_F), "column": np.array(LOG_F)[:, None], "generator": (v for v in LOG_F),
        "dict": TARGET, "dict turned": {x: TARGET[x] for x in TURNED}, "Series": series, "Series turned": series[TURNED], "Series of numbers": pd.Series(LOG_F).sort_values(),
        "Series named prob": pd.Series(F, name="prob")[TURNED], "Counter": collections.Counter(F), "value_counts": pd.Series(list("aaaaabbbcc")).value_counts().rename("count"),
        "Float64": series.astype("Float64")[TURNED], "frame": table, "frame with an index": table.set_index("state"), "records": table.to_records(index=False),
        "structured": np.array(list(zip(TURNED, table["lp"])), [("state", "U1"), ("lp", "f8")]), "DataArray": Xarray(table["lp"], state=TURNED),
        "frame without log f": table.rename(columns={"lp": "loglike"}), "MultiIndex": pd.Series(table["lp"].values, pd.MultiIndex.from_tuples([("u", x) for x in TURNED])),
        "bools": [True, False, True], "dates": pd.Series(LOG_F, pd.date_range("2020-01-01", periods=3)),
    }


def matrices():
    """A transition matrix of draws from the target in many forms."""
    rows = np.tile(np.array([F[x] for x in STATES]) / 10, (3, 1))
    frame = pd.DataFrame(rows, STATES, STATES)
    return {
        "array": rows, "list": rows.tolist(), "tuple": tuple(map(tuple, rows.tolist())), "Fortran": np.asfortranarray(rows), "float32": rows.astype("f4"), "float16": rows.astype("f2"),
        "frame": frame, "turned": frame.loc[TURNED, TURNED], "rows turned": frame.loc[TURNED], "columns turned": frame[TURNED], "columns named": frame.reset_index(drop=True),
        "columns named, turned": frame[TURNED].reset_index(drop=True), "other names": frame.rename(index={"a": "z"}), "csr": scipy.sparse.csr_matrix(rows), "dok": scipy.sparse.dok_matrix(rows),
        "coo": scipy.sparse.coo_array(rows), "DataArray": Xarray(frame.loc[TURNED, TURNED], source=TURNED, to=TURNED), "Float64": frame.astype("Float64").loc[TURNED, TURNED],
        "percent": frame * 100, "long": frame.stack().rename("prob").reset_index(), "wide": rows[:, :2], "dict": {x: dict(frame.loc[x]) for x in STATES},
    }


def chains():
    """Three chains of forty numbers in many forms."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(3, 40)).cumsum(1)
    long = pd.DataFrame({"chain": np.repeat(range(3), 40), "draw": np.tile(range(40), 3), "mu": X.ravel()})
    indexed = long.set_index(["chain", "draw"])
    return {
        "dict": {"mu": X}, "list of arrays": {"mu": list(X)}, "lists": {"mu": X.tolist()}, "generator": {"mu": (x for x in X)}, "frame": long, "shuffled": long.sample(frac=1, random_state=2),
        "interleaved": long.sort_values(["draw", "chain"]), "index": indexed, "index interleaved": indexed.sort_index(level="draw"), "index without names": indexed.rename_axis([None, None]),
        "Series": indexed["mu"], "records": long.to_records(index=False), "Float64": long.astype({"mu": "Float64"}), "melted": long.melt(["chain", "draw"]),
        "list of frames": [one[["mu"]] for _, one in long.groupby("chain")], "list of dicts": [{"mu": x} for x in X], "list of rows": long.to_dict("records"),
        "dict of columns": long.to_dict("list"), "DataArray": {"mu": Xarray(X.T, draw=range(40), chain=range(3))}, "no dimension chain": {"mu": Xarray(X, walker=range(3), draw=range(40))},
        "ragged": {"mu": [X[0], X[1][:30]]}, "words": {"mu": np.array([["a"] * 9] * 2)}, "None": {"mu": [None] * 9},
        **{name: long.rename(columns={"chain": name}) for name in ("Chain", "run", "walker", "chain_id")},
    }


def log_z(toy):
    return breadboard.tightness(toy=toy, T=2)[0]["log_z_ratio"] + math.log(3)


def verdict(kernel, toy):
    return breadboard.kernel.check(kernel, toy=toy, beta=1)[0]["verdict"] != "fault"


# doors by the objects that they take: what is asked, and the right answer by another way
DOORS = {
    "vector": (vectors, {
        "toy": (log_z, math.log(10)), "Target": (lambda x: log_z(breadboard.Target(x)), math.log(10)), "toy by name": (lambda x: log_z({"mine": x}), math.log(10)),
        "toy beside a named kernel": (lambda x: verdict(matrices()["frame"], x), True), "toy beside a function": (lambda x: verdict(lambda log_f: rows_of(log_f), x), True),
        "law": (lambda x: breadboard.assert_samples(random.Random(1).choices("abc", [5, 3, 2], k=2000), x)[0]["verdict"], "pass"),
    }),
    "matrix": (matrices, {
        "kernel": (lambda x: verdict(x, TARGET), True), "kernel beside a Series": (lambda x: verdict(x, pd.Series(TARGET)), True),
        "kernel=": (lambda x: breadboard.kernel_matrix(x, TARGET).toarray().round(6).tolist(), [[0.5, 0.3, 0.2]] * 3),
        "function": (lambda x: verdict(lambda log_f: x, TARGET), True),
        "HMM": (lambda x: log_z_of_hmm(x), math.log(0.5 * 0.9 + 0.3 * 0.2 + 0.2 * 0.4)),
    }),
    "chains": (chains, {
        "diagnose": (lambda x: [(row["chains"], row["N"], round(row["mean"], 4)) for row in breadboard.diagnose(x) if row["variable"] == "mu"], [(3, 40, -1.012)]),
    }),
}


def rows_of(log_f):
    p = np.exp(list(log_f.values()) if isinstance(log_f, dict) else log_f)
    return np.tile(p / p.sum(), (len(p), 1))


def log_z_of_hmm(transition):
    emission = pd.DataFrame([[0.9, 0.1], [0.2, 0.8], [0.4, 0.6]], STATES, ["wet", "dry"])
    return breadboard.network(breadboard.HMM(pd.Series([0.2, 0.5, 0.3], TURNED), transition, emission, ["wet"]))[0]["log_z"]


@unittest.skipUnless(pd and scipy, "pandas and SciPy are not there")
class Doors(unittest.TestCase):
    def test_each_object_at_each_door_is_read_right_or_refused(self):
        cells = [(kind, door, name) for kind, (objects, doors) in DOORS.items() for door in doors for name in objects()]

        def cell(at):
            kind, door, name = at
            ask, right = DOORS[kind][1][door]
            try:
                found = ask(DOORS[kind][0]()[name])
            except (breadboard.BreadboardError, TypeError, ValueError, AssertionError) as error:
                return None if CURE.search(str(error)) or name in ("percent", "float16", "float32") else "refused without a way on: %r" % error
            except Exception as error:
                return "crash: %r" % error
            same = math.isclose(found, right, rel_tol=1e-6) if isinstance(right, float) else found == right
            return "read" if same else "misread: %r for %r" % (found, right)

        warnings.simplefilter("ignore")
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            found = dict(zip(cells, pool.map(cell, cells)))
        wrong = ["%s: %s" % (", ".join(at), said) for at, said in found.items() if said not in (None, "read")]
        self.assertEqual(wrong, [], "\n".join(wrong))
        read = collections.Counter(at[:2] for at, said in found.items() if said == "read")
        self.assertGreater(min(read.values()), 11, read)

    def test_states_keep_their_shape(self):
        log_f = {(x, v): -x * v / 3 for v in (2, 1) for x in (3, 1, 2)}
        weights = [math.exp(v) for v in log_f.values()]
        mean = sum(w * x for w, (x, _) in zip(weights, log_f)) / sum(weights)
        matrix = [[w / sum(weights) for w in weights]] * 6  # in the order of the dict
        for kernel in "metropolis", metropolis, matrix, np.array(matrix), scipy.sparse.csr_matrix(matrix), pd.DataFrame(matrix, list(log_f), list(log_f)):
            (row,) = breadboard.samplers.errors(toy=log_f, function="x0", kernel=kernel, start="target", N=10)
            self.assertAlmostEqual(row["mean"], mean, 12)
        with self.assertRaisesRegex(ValueError, "give log f of the others too"):
            breadboard.samplers.errors(toy={(0, 1): 0.0, (1, 0): 0.0}, function="x0", kernel=metropolis, N=10)

    def test_a_matrix_that_may_be_entries_is_refused(self):
        entries = [(0, 1, 1.0), (1, 2, 1.0), (0, 2, 2.0)]
        with self.assertRaisesRegex(ValueError, r"give a dict \{\(i, j\): weight\}"):
            breadboard.Energy(entries, "qubo")
        energy = breadboard.Energy({(i, j): weight for i, j, weight in entries}, "qubo")
        self.assertAlmostEqual(breadboard.network(energy)[0]["log_z"], 1.587072, 6)

    def test_chains_of_states_are_several(self):
        rng = random.Random(1)
        chains = [rng.choices(STATES, [5, 3, 2], k=600) for _ in range(3)]
        long = pd.DataFrame({"chain": np.repeat(range(3), 600), "iteration": np.tile(range(600), 3), "state": np.ravel(chains)})
        turned = long.sort_values(["iteration", "chain"])
        for draws in chains, list(map(np.array, chains)), long, turned, turned.set_index(["chain", "iteration"]), turned.to_records(index=False):
            breadboard.assert_chain(draws, TARGET, None, matrices()["turned"])
        with self.assertRaisesRegex(AssertionError, "give its transpose"):
            breadboard.assert_chain(np.sort([[STATES.index(x) for x in one] for one in chains]).T, None, LOG_F, matrices()["array"])


if __name__ == "__main__":
    unittest.main()
