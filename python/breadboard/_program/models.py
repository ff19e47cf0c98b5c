"""Models of other libraries as files that the program reads: energies in dictionaries and of
dimod, cuts of graphs of networkx, networks of pgmpy.
"""
from __future__ import annotations

import csv
import os
from typing import Any, Dict, List, Mapping, Optional, Tuple

from .._labelled import labelled


class Energy:
    """A QUBO, an Ising model or a maximum cut, for the argument toy.

    of is a dict {(i, j): weight}, in which (i, i) or i alone is a variable by itself, or a
    BinaryQuadraticModel of dimod; for a QUBO also a square matrix Q, of NumPy or
    scipy.sparse, and for a cut a graph of networkx. kind is "qubo" (variables 0 and 1),
    "ising" (-1 and 1) or "cut"; a BinaryQuadraticModel has a kind of its own. Weights of (i,
    j) and (j, i) add up. Log f is -beta times the energy plus the offset, or beta times the
    cut. name is the name in tables.

    >>> Energy({(0, 0): -1, (0, 1): 2.0, (1, 0): 1}, "qubo").weights
    {(0, 0): -1.0, (0, 1): 3.0}
    """

    def __init__(
        self, of: Any, kind: Optional[str] = None, *, beta: float = 1.0, offset: float = 0.0,
        name: str = "energy",
    ) -> None:
        if is_bqm(of):
            own = "ising" if getattr(of.vartype, "name", str(of.vartype)) == "SPIN" else "qubo"
            if kind not in (None, own):
                raise ValueError("kind= %r, and the model is of the kind %r" % (kind, own))
            kind, offset = own, offset + float(of.offset)
        if kind not in ("qubo", "ising", "cut"):
            raise ValueError("kind= %r; give 'qubo', 'ising' or 'cut'" % (kind,))
        self.kind, self.beta, self.offset, self.name = kind, float(beta), float(offset), name
        self.weights: Dict[Tuple[Any, Any], float] = {}
        for i, j, weight in _entries(of, kind):
            pair = (j, i) if (j, i) in self.weights else (i, j)
            self.weights[pair] = self.weights.get(pair, 0.0) + float(weight)

    def selector(self, folder: str, name: str) -> str:
        """The selector of the target, whose file is written to the folder."""
        path = os.path.join(folder, name + ".csv")
        with open(path, "w", encoding="utf-8", newline="") as file:
            if self.kind != "cut":
                file.write(
                    "# vartype=%s\n# offset=%r\n"
                    % ("SPIN" if self.kind == "ising" else "BINARY", self.offset))
            rows = csv.writer(file)
            rows.writerow(["source", "target", "weight"])
            rows.writerows(
                (_label(i), _label(j), repr(weight)) for (i, j), weight in self.weights.items())
        if self.kind == "cut":
            return "%s=maxcut:%s:%r" % (self.name, path, self.beta)
        return "%s=ising-file:%s:%r" % (self.name, path, -self.beta)


def is_bqm(value: Any) -> bool:
    """Whether a value is a BinaryQuadraticModel of dimod."""
    return all(hasattr(value, name) for name in ("linear", "quadratic", "vartype", "offset"))


def _entries(of: Any, kind: str) -> List[Tuple[Any, Any, Any]]:
    """The pairs of variables with their weights, and a variable by itself as a pair with itself."""
    if is_bqm(of):
        return [(v, v, weight) for v, weight in of.linear.items()] + [
            (i, j, weight) for (i, j), weight in of.quadratic.items()]
    if isinstance(of, Mapping):
        pairs = [
            (key if isinstance(key, tuple) and len(key) == 2 else (key, key), weight)
            for key, weight in of.items()]
        return [(i, j, weight) for (i, j), weight in pairs]
    if kind == "cut" and hasattr(of, "edges"):
        return list(of.edges(data="weight", default=1))
    if kind == "qubo" and hasattr(of, "tocoo"):
        matrix = of.tocoo()
        entries = list(zip(matrix.row.tolist(), matrix.col.tolist(), matrix.data.tolist()))
        return [(i, i, 0.0) for i in range(matrix.shape[0])] + entries
    if kind == "qubo" and getattr(of, "ndim", 2) == 2 and hasattr(of, "__len__"):
        numbers = labelled(of).numbers
        rows = [list(row) for row in (numbers.tolist() if hasattr(numbers, "tolist") else numbers)]
        triples = (
            isinstance(of, (list, tuple))
            and all(
                len(row) == 3 and all(isinstance(i, int) and i >= 0 for i in row[:2])
                for row in rows)
        )
        if triples or any(len(row) != len(rows) for row in rows):
            raise ValueError(
                "%s; give a dict {(i, j): weight} of entries, or numpy.array(Q) of a square "
                "matrix"
                % (
                    "these may be entries (i, j, weight)" if triples
                    else "the matrix is not square"))
        names, columns = [
            list(range(len(rows))) if side is None else side
            for side in labelled(of).labels or [None, None]]
        return [
            (i, j, weight) for i, row in zip(names, rows) for j, weight in zip(columns, row)
            if weight or i == j]
    raise TypeError(
        "a %s is not made of type %s; give a dict {(i, j): weight}" % (kind, type(of).__name__))


def _label(label: Any) -> str:
    """The name of a variable in a file."""
    return "_".join(map(str, label)) if isinstance(label, tuple) else str(label)


class Network:
    """A Bayesian network of pgmpy, as a target. name is the name in tables."""

    def __init__(self, model: Any, name: str = "network") -> None:
        self.model, self.name = model, name

    def selector(self, folder: str, name: str) -> str:
        """The selector of the target, whose file in BIF, with all digits, is written to the folder.
        """
        def quoted(names: Any) -> str:
            return ", ".join('"%s"' % name for name in names)

        path = os.path.join(folder, name + ".bif")
        with open(path, "w", encoding="utf-8") as file:
            for cpd in self.model.get_cpds():
                child, parents = cpd.variables[0], list(cpd.variables[1:])
                states = cpd.state_names[child]
                file.write(
                    "variable %s { type discrete [ %d ] { %s }; }\n"
                    % (quoted([child]), len(states), quoted(states)))
                scope = quoted([child]) + (" | " + quoted(parents) if parents else "")
                # The child slowest, the last parent fastest
                table = ", ".join(repr(float(p)) for row in cpd.get_values() for p in row)
                file.write("probability ( %s ) { table %s; }\n" % (scope, table))
        return "%s=bif:%s" % (self.name, path)


def adopted(value: Any) -> Any:
    """A model of dimod or pgmpy as a target; other values as they are."""
    if is_bqm(value):
        return Energy(value)
    if hasattr(value, "get_cpds") and hasattr(value, "nodes"):
        return Network(value)
    return value
