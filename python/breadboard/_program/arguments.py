"""What stands for a target, a kernel or a law in Python, as a selector that the program reads."""
from __future__ import annotations

import copy
import csv
import importlib
import io
import json
import math
import os
import re
import shutil
import tempfile
import zipfile
from functools import partial
from typing import (
    TYPE_CHECKING, Any, Callable, Dict, Hashable, Iterable, List, Mapping, Optional, Sequence,
    Tuple,
)

from .._labelled import (
    are_positions, axes_of, columns_of_states, in_order, in_program, is_grid, is_table,
    labelled, nested, states_of, texts,
)
from .._law.laws import chances_of, hashable
from .functions import Values, functions, points_in, points_of
from .models import Energy, Network, adopted
from .._arrays import floats, is_array, is_nested, is_number, is_shape, is_sparse, listed, SAFE
from .._serve.kernels import kernel_of
from .._serve.posterior import Model
from .._serve.protocol import answer_kernel, answer_moves, answer_sampler
from .._numpy import numpy
from .._tables import columns_of, columns_of_draws, index_of, write_columns


if TYPE_CHECKING:
    from .._serve.server import Server

# What may stand for the arguments that are selectors on the command line.
SELECTORS = {
    "toy": "a selector such as 'barrier', log f of each state as an array or nested lists, "
    "Target(values, edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a list, "
    "or in a dict by name",
    "kernel": "a selector such as 'heatbath', a function move(x, rng), move(log_f, x, rng) or "
    "matrix(log_f), a transition matrix (also of scipy.sparse), or its Path; in a dict by name",
    "path": "a selector such as 'geometric', log f of each state at each of T stages, (T, states) "
    "or (T, *shape), or log f of a distribution on the way; in a dict by name",
    "initial": "a selector such as 'uniform', or log f of each state in the shape of the toy, on a "
    "graph as a dict by label",
    "start": "a selector such as 'mode', or log f of each state in the shape of the toy, on a "
    "graph as a dict by label",
    "schedule": "a selector such as 'sigmoid', or a list of betas from 0 to 1; in a dict by name",
    "policy": "a selector such as 'masked:local:1', or Policy(forward, backward); in a dict by "
    "name",
}

# How the files at paths are read; a toy also by its ending.
FORMS = {
    "kernel": "matrix", "path": "via",
    **dict.fromkeys(("toy", "initial", "start", "schedule", "policy"), "file")}
MODELS = ("bif", "uai")
MOST_PATH = 80  # characters of a folder; the path of a socket has about a hundred

# The arguments that are files of records on the command line, and the commands of which a file of
# records is the first word.
RECORDS = ("forward", "reverse", "transitions", "estimates")
# The arguments that take one value each time they stand on the command line, which may have commas
# of its own: a list repeats them.
REPEATED = ("column", "data", "sbatch", "set")
OF_RECORDS = (
    ("conform", "estimates"), ("conform", "draws"), ("conform", "ranks"), ("conform", "chain"))


class Target:
    """A target of your own, for the argument toy.

    values are log f in nats, up to a constant and with -inf for a zero of f. With
    probabilities=True they are probabilities, which need not sum to one. They are an array in
    the shape of the grid, from NumPy or pandas, or nested lists; axes of length one are
    dropped. Axes have names and values if values are a DataArray of xarray, a Series of
    pandas whose index has names, or a data frame with a row for each state: its column lp, or
    prob, has the values. With edges, pairs of labels or a graph of networkx, the target is on
    that graph, and a pandas Series or a dict gives the value of each label. name is the name
    in tables.

    >>> Target({"a": 0.0, "b": 1.0, "c": 0.5}, edges=[("a", "b"), ("b", "c")], name="line").name
    'line'
    """

    def __init__(
        self, values: Any, *, probabilities: bool = False, edges: Optional[Iterable[Any]] = None,
        name: str = "array",
    ) -> None:
        values = listed(values)
        states = (
            labelled(values).labels[0]
            if edges is None and isinstance(values, Mapping) and not is_table(values) else None
        )
        if states and not all(map(is_number, states)) and axes_of(states) is None:
            if any(isinstance(key, tuple) for key in states):
                raise ValueError(
                    "the keys of a dict of log f have different lengths; give each state as many "
                    "coordinates")
            raise TypeError(
                "values are a dict, which does not say which of the states are neighbours; give "
                "edges=, pairs of labels")
        self.values, self.probabilities, self.edges, self.name = (
            values, probabilities, edges, _name(name)
        )

    def selector(self, folder: str, name: str) -> str:
        """The selector of the target, whose files are written to the folder."""
        path = os.path.join(folder, name)
        form = "prob" if self.probabilities else "file"
        if self.edges is None and is_table(self.values):
            columns = columns_of(self.values) or {}
            form = "prob" if "prob" in columns and "lp" not in columns else form
            write_columns(columns, path + ".csv")
            return "%s=%s:%s.csv" % (self.name, form, path)
        table = None if self.edges is not None else columns_of_states(self.values)
        if table is not None:
            write_columns(table, path + ".csv")
            column = [*table][-1]
            return "%s=%s:%s.csv:lp=%s" % (
                self.name, "prob" if column.startswith("prob") else form, path, column)
        if self.edges is None:
            with open(path + ".npy", "wb") as array:
                array.write(floats(self.values).npy())
            return "%s=%s:%s.npy" % (self.name, form, path)
        with open(path + "_edges.csv", "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(getattr(self.edges, "edges", self.edges))
        _write_by_label(path + ".csv", self.values)
        return "%s=graph:%s_edges.csv:%s%s.csv" % (
            self.name, path, "prob:" if self.probabilities else "", path)


class States(Target):
    """Log f of states that have labels and no neighbours but those before and after them."""

    def __init__(self, values: Mapping[Any, Any]) -> None:
        self.values = dict(zip(texts(list(values)), values.values()))
        self.probabilities, self.edges, self.name = labelled(values).kind == "prob", None, "states"


def _name(name: str) -> str:
    """A name for tables, checked."""
    if not re.fullmatch(r"[A-Za-z0-9_.][\w.-]{0,63}", name, re.ASCII):
        raise ValueError(
            "name= %r; a name has at most 64 letters, digits, hyphens, underscores and points"
            % name)
    return name


def _write_by_label(path: str, values: Any) -> None:
    """Writes a number for each label."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows((label, repr(float(value))) for label, value in values.items())


class HMM:
    """A hidden Markov model, for the arguments toy and hmm: the probabilities of the first
    state, those of the next state (a row for each), those of the symbols (a row for each
    state), and the observed symbols, from 0. They are arrays or lists. name is the name in
    tables.

    >>> HMM([0.6, 0.4], [[0.7, 0.3], [0.4, 0.6]], [[0.9, 0.1], [0.2, 0.8]], [0, 1, 0]).name
    'HMM'
    """

    def __init__(
        self, initial: Any, transition: Any, emission: Any, observations: Any, *, name: str = "HMM",
    ) -> None:
        self.name = _name(name)
        initial, transition, emission = (
            part.toarray() if is_sparse(part) else listed(part)
            for part in (initial, transition, emission))
        states = next(
            (
                side for part in (initial, transition, emission)
                for side in labelled(part).labels[:1] if side is not None), None)
        symbols = (labelled(emission).labels or [None])[-1]
        rows = {
            "initial": in_order(initial, states),
            "transition": in_order(transition, states, states),
            "emission": in_order(emission, states, symbols)}
        self.keys = {
            key: _single(part)
                if re.search(
                    "float(16|32)", str(getattr(given, "dtypes", getattr(given, "dtype", ""))))
                else part
            for (key, part), given in zip(rows.items(), (initial, transition, emission))}
        seen = observations.tolist() if hasattr(observations, "tolist") else list(observations)
        self.keys["observations"] = (
            seen if symbols is None else [_place(symbol, symbols) for symbol in seen]
        )

    def write(self, path: str) -> str:
        """Writes the model to a file, and returns its path."""
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.keys, file)
        return path


def _single(rows: Any) -> Any:
    """Probabilities of half or single precision, divided by their sums."""
    return (
        list(map(_single, rows)) if isinstance(rows[0], list)
        else [p / math.fsum(rows) for p in rows]
    )


def _place(symbol: Any, symbols: List[Any]) -> int:
    if symbol not in symbols:
        raise ValueError("the symbol %r is none of %s" % (symbol, ", ".join(map(str, symbols))))
    return symbols.index(symbol)


class Moves:
    """A kernel that draws random numbers itself, for the argument kernel: move(rng, logf, shape,
    x), like in serve_moves.
    """

    def __init__(self, move: Callable[..., int]) -> None:
        self.move = move


class Sampler:
    """An implementation of annealing, for conform run: forward(chains, seed) and reverse(chains,
    seed), like in serve_sampler.
    """

    def __init__(
        self, forward: Optional[Callable[..., Any]] = None,
        reverse: Optional[Callable[..., Any]] = None,
    ) -> None:
        self.forward, self.reverse = forward, reverse


class Policy:
    """A learned sampler, for the argument policy: a forward and a backward policy over layers of
    states, of which the last are the states of the toy in their order.

    Without layers, forward and backward are lists of arrays, from a trained model for
    example: forward[i] has a row for each state of layer i and a column for each state of the
    next, and backward[i] the reverse. With layers, a list of the states of each layer, they
    are functions that return a dict from states to probabilities: forward(x) of the next
    layer, and backward(y) of the layer before. initial has the probabilities of the first
    layer, if it has several states. Rows must sum to one within 1e-5. name is the name in
    tables.

    >>> layers = [[()], [(0,), (1,)]]
    >>> Policy(lambda x: {x + (0,): 0.4, x + (1,): 0.6}, lambda y: {y[:-1]: 1}, layers).forward
    [[[0.4, 0.6]]]
    """

    def __init__(
        self, forward: Any, backward: Any, layers: Optional[Sequence[Sequence[Any]]] = None, *,
        initial: Any = None, name: str = "policy",
    ) -> None:
        if layers is not None:
            pairs = list(zip(layers, layers[1:]))
            forward = [_table(forward, before, after, "forward") for before, after in pairs]
            backward = [_table(backward, after, before, "backward") for before, after in pairs]
        if (
            callable(forward) or callable(backward) or len(forward) != len(backward)
            or len(forward) == 0
        ):
            raise TypeError(
                "a policy needs as many arrays forward as backward, at least one of each; of "
                "functions give layers=, the states of each layer")
        self.forward, self.backward, self.initial, self.name = forward, backward, initial, name

    def write(self, path: str) -> None:
        """Writes the arrays to a file."""
        with zipfile.ZipFile(path, "w") as archive:
            for i, (forward, backward) in enumerate(zip(self.forward, self.backward), 1):
                archive.writestr("forward_%d.npy" % i, floats(forward).npy())
                archive.writestr("backward_%d.npy" % i, floats(backward).npy())
            if self.initial is not None:
                archive.writestr("initial.npy", floats(self.initial).npy())


def _table(
    policy: Callable[[Any], Mapping[Any, float]], states: Sequence[Any], others: Sequence[Any],
    name: str,
) -> List[List[float]]:
    """The probabilities of a policy that is a function, a row for each state."""
    place = {state: i for i, state in enumerate(others)}
    rows = []
    for state in states:
        row = [0.0] * len(others)
        for other, p in policy(state).items():
            if other not in place:
                raise ValueError(
                    "%s(%r) goes to %r, which is not in the layer of %r"
                    % (name, state, other, others[0]))
            row[place[other]] += float(p)
        rows.append(row)
    return rows


def _probabilities(law: Any) -> Dict[str, List[Any]]:
    """The columns of a distribution: a mapping from labels, or the probabilities of the states
    from 0, row by row.
    """
    law = law.to_series() if hasattr(law, "dims") and hasattr(law, "to_series") else law
    if hasattr(law, "columns") or is_table(law):
        return columns_of(law) or {}
    law = chances_of(law)
    return {
        "label": [
            ";".join(map(str, label)) if isinstance(label, tuple) else label for label in law],
        "probability": list(map(_decimal, law.values()))}


def _decimal(p: Any) -> Any:
    """A probability as it is written to a file, where a fraction has no place."""
    return float(p) if is_number(p) and 0 <= p <= 1 else p


class Given:
    """The words and flags of one command, with the files and the functions behind them until the
    command has ended.
    """

    def __init__(self) -> None:
        self._folders: List[tempfile.TemporaryDirectory[str]] = []
        self._server: Optional[Server] = None
        self._files = 0
        self._named: Dict[str, str] = {}  # what stands for what, as people should see it
        self.hurried = False  # whether somebody has broken off the command

    def __enter__(self) -> Given:
        return self

    def __exit__(self, *error: Any) -> None:
        if self._server is not None:
            self._server.close(self.hurried)
        for folder in self._folders[::-1]:
            folder.cleanup()

    @property
    def raised(self) -> List[BaseException]:
        """What functions have raised that were asked. It is called when the command has ended."""
        if self._server is None:
            return []
        self._server.wait()
        return self._server.raised

    @property
    def unanswered(self) -> bool:
        """Whether a function goes on, though the command has ended and what was raised was
        looked for.
        """
        return self._server is not None and self._server.is_busy()

    def named(self, output: bytes) -> bytes:
        """An output with the names of functions and arrays in place of the files and programs
        that stand for them.
        """
        for selector, name in self._named.items():
            for text in {selector, json.dumps(selector)[1:-1]}:
                output = output.replace(text.encode("utf-8"), name.encode("utf-8"))
        for form, column in ((b"file", b"lp"), (b"prob", b"prob")) if self._folders else ():
            output = re.sub(
                rb"as in %s:PATH:lp=(\w+)" % form,
                rb"as by frame.rename(columns={'\1': '%s'})" % column, output)
        for text in {
            self.folder + os.sep, json.dumps(self.folder + os.sep)[1:-1]} if self._folders else ():
            output = re.sub(
                re.escape(text.encode("utf-8")) + rb"(?:([a-z_]+)\d*\.(?:npy|npz|csv|json)\b)?",
                rb"\1", output)
        return re.sub(rb"\b(\w+) file \1\b", rb"\1", output) if self._folders else output

    def words(self, values: Sequence[Any]) -> List[str]:
        """The words of the command line for what is no flag: the command, its arguments, such as
        a kernel, and a program.
        """
        said: List[str] = []
        for value in map(adopted, map(listed, values)):
            if tuple(values[:2]) in OF_RECORDS and len(said) >= 2:
                value = self._records(value, values[1])
            if isinstance(value, Sampler):
                answer = partial(answer_sampler, forward=value.forward, reverse=value.reverse)
                program = self._served().words(answer)
                self._named[" ".join(program)] = "sampler"
                said += ["--"] + program
            elif isinstance(value, (Target, HMM, Energy, Network)):
                said.append(self._one("toy", value, ""))
            elif isinstance(value, Model):
                said.append(self._exec(value, value.answer))
            elif (
                isinstance(value, (str, int, float))
                or isinstance(value, os.PathLike) and said[:1] != ["kernel"]
            ):
                said.append(str(value))
            elif said[0] == "kernel":
                given = self._value("kernel", value)
                said += given if isinstance(given, list) else [given]
            else:
                raise TypeError(
                    "what is of type %s is given by name, as in toy=array" % type(value).__name__)
        return said

    def flags(self, flags: Dict[str, Any]) -> List[str]:
        """The words for flags that are given by keywords."""
        words: List[str] = []
        if flags.get("rng") is not None and flags.get("seed") is not None:
            raise TypeError("rng= and seed= are both given; give one of them")
        if (
            isinstance(flags.get("hmm"), (Mapping, HMM))
            and not str(flags.get("out") or self.folder).startswith(self.folder)
        ):
            raise TypeError(
                "a task refers to the file of its model; write it, as in "
                "HMM(...).write('model.json'), and give hmm='model.json'")
        for name, value in flags.items():
            value = (
                value.item() if type(value).__name__ in ("bool_", "bool") and hasattr(value, "item")
                else value
            )
            if value is None or value is False:
                continue
            # Lambda_, which Python has for itself
            name = "seed" if name == "rng" else name.rstrip("_")
            flag = "-" + name if len(name) == 1 else "--" + name.replace("_", "-")
            value = (
                self._stages(value) if name == "path" and is_stages(value, flags.get("T"))
                else self._value(name, value)
            )
            # A value is joined to its flag, so that one that begins with a dash is no flag. One
            # that takes a file or the like is repeated.
            for one in value if name in REPEATED and isinstance(value, (list, tuple)) else [value]:
                words += (
                    [flag] if one is True else [flag + "=" + text(one)] if len(name) > 1
                    else [flag, text(one)]
                )
        return words

    def _stages(self, value: Any) -> str:
        """The selector of a path with log f at each stage."""
        path = os.path.join(self.folder, "path.npy")
        with open(path, "wb") as file:
            file.write(floats(nested(listed(value))).npy())
        self._named["file:" + path] = "array"
        return "file:" + path

    def _function(self, value: Any) -> Any:
        """The selector of a function of states."""
        if not isinstance(value, Values):
            return value
        self._files += 1
        path = os.path.join(self.folder, "function%d.npy" % self._files)
        with open(path, "wb") as file:
            file.write(floats(value.numbers).npy())
        self._named["file:" + path] = value.name
        return "file:" + path

    def _value(self, name: str, value: Any) -> Any:
        """The value of a flag, with selectors in place of arrays and functions, and files in
        place of columns.
        """
        value = listed(value)
        if name == "seed":
            return seed_of(value)
        if name == "T":
            return whole(value)
        if name == "hmm" and isinstance(value, (Mapping, HMM)):
            return (
                value if isinstance(value, HMM)
                else HMM(**value)).write(os.path.join(self.folder, "hmm.json"))
        if name in ("evidence", "hide"):
            # A Series, as a row of a data frame
            value = (
                value.to_dict() if hasattr(value, "to_dict") and hasattr(value, "index") else value
            )
            if isinstance(value, Mapping):
                value = list(value.items())
            return (
                value if isinstance(value, str)
                else "+".join(v if isinstance(v, str) else "=".join(map(text, v)) for v in value)
            )
        if name == "function" and not isinstance(value, str):
            several = (
                value if isinstance(value, (list, tuple)) and not isinstance(value, Values)
                else [value]
            )
            return [self._function(one) for one in several]
        if name in RECORDS:
            return self._records(value, name)
        if name == "law" and not isinstance(value, (str, os.PathLike)):
            return self.file_of(_probabilities(value), name)
        if name not in SELECTORS:
            return value
        if name == "kernel" and str(getattr(value, "dtype", "")) == "bool":
            value = value.astype(float)
        if (
            name == "kernel" and isinstance(value, (list, tuple))
            and all(getattr(row, "ndim", 0) == 1 for row in value)
        ):
            value = nested(value)
        # An array of selectors
        if (
            hasattr(value, "tolist")
            and not (is_array(value) or is_table(value) or labelled(value).is_named)
        ):
            value = value.tolist()
        if name in ("toy", "initial", "start") and is_table(value):
            return self._one(name, value, "")
        if name == "toy" and is_shape(value):
            raise TypeError(
                "toy= %r is the shape of a grid, and says nothing of log f; give log f of each "
                "state in this shape, or a list" % (value,))
        if name == "toy" and isinstance(value, Mapping):
            if value and all(map(is_number, value.values())):
                return self._one(name, Target(value), "")  # or the error that says what is missing
            if not all(isinstance(key, str) for key in value):
                raise TypeError(
                    "toy= is a dict of values by %.99s, which is no name of a target; give a "
                    "dict {(x0, x1): log f} with a key for each state" % ([*value],))
            return [self._named_toy(key, v) for key, v in value.items()]
        if isinstance(value, Mapping) and name not in ("initial", "start"):
            named = [self._by_name(name, str(key), v) for key, v in value.items()]
            return named[0] if len(named) == 1 else named
        if not isinstance(value, (list, tuple)) or is_nested(value):
            return self._one(name, value, "")
        return [self._one(name, v, str(i)) for i, v in enumerate(value)]

    def _by_name(self, name: str, key: str, value: Any) -> str:
        """The selector of a kernel, a path, a schedule or a policy under a name."""
        return (
            key if isinstance(value, str) and value == key
            else "%s=%s" % (key, self._one(name, listed(value), ""))
        )

    def _named_toy(self, name: str, value: Any) -> str:
        """The selector of a target under a name."""
        if isinstance(value, str):
            return "%s=%s" % (name, value)
        if isinstance(value, HMM):
            return str(self._one("toy", HMM(**value.keys, name=name), ""))
        if isinstance(value, Target):
            return str(
                self._one(
                    "toy", Target(
                        value.values, probabilities=value.probabilities, edges=value.edges,
                        name=name), ""))
        value = adopted(value)
        if isinstance(value, (Energy, Network)):
            value = copy.copy(value)
            value.name = name
        return str(
            self._one(
                "toy", Target(value, name=name) if is_array(value) or is_nested(value) else value,
                ""))

    def _records(self, values: Any, name: str) -> Any:
        """The file of records: columns are written to one, and estimates are one column."""
        columns = columns_of(values := listed(values))
        if (
            columns is None and name in ("estimates", "forward", "reverse")
            and (is_array(values) or is_nested(values))
        ):
            columns = {"log_z" if name == "estimates" else "log_w": values}
        if columns is None and name == "ranks" and (is_array(values) or is_nested(values)):
            rows = values.tolist() if hasattr(values, "tolist") else values  # a row for each run
            columns = {
                "rank_%d" % i: column
                for i, column in enumerate(
                    zip(*(r if isinstance(r, (list, tuple)) else [r] for r in rows)))}
        if (
            columns is None and name in ("draws", "chain")
            and not isinstance(values, (str, os.PathLike)) and isinstance(values, Iterable)
        ):
            # States, or the coordinates of each
            rows = values.tolist() if hasattr(values, "tolist") else list(values)
            columns = {
                "state": [
                    ";".join(map(str, row)) if isinstance(row, (list, tuple)) else row
                    for row in rows]}
        if columns is None:
            if callable(values):
                raise TypeError(
                    "%s= is of type %s; give what it returns: a dict of columns, a data frame, "
                    "or a file" % (name, type(values).__name__))
            return values  # a file, or a number where a command takes one
        return self.file_of(columns, name)

    def file_of(self, columns: Mapping[str, Any], name: str) -> str:
        """A file of columns."""
        self._files += 1
        path = os.path.join(self.folder, "%s%d.csv" % (name, self._files))
        write_columns(columns, path)
        return path

    def _one(self, name: str, value: Any, number: str) -> str:
        """A selector for a value."""
        if isinstance(value, Moves):
            return self._exec(value.move, answer_moves)
        if name == "kernel" and callable(value):
            return self._exec(value, answer_kernel)
        if isinstance(value, str):
            return value
        self._files += 1
        if isinstance(value, os.PathLike) and name in FORMS:
            return self._path(name, value)
        if name == "kernel" and is_sparse(value):
            path = os.path.join(self.folder, "kernel%d.npz" % self._files)
            importlib.import_module("scipy.sparse").save_npz(path, value.tocsr())
            return self._matrix(path, number)
        if (
            name == "kernel" and (of := labelled(value)).is_named
            and not isinstance(value, (Target, Mapping))
        ):
            path = os.path.join(self.folder, "kernel%d.csv" % self._files)
            numbers = floats(of.numbers)
            if len(numbers.shape) != 2 or len(of.labels) != 2:
                raise TypeError(
                    "kernel= has labels on one axis; give a matrix with names of rows and "
                    "columns, as by .unstack() of a Series of pairs")
            rows, columns = (
                texts(range(side) if labels is None else labels)
                for labels, side in zip(of.labels, numbers.shape))
            # All digits, and the labels, by which rows and columns are taken
            with open(path, "w", encoding="utf-8", newline="") as file:
                csv.writer(file).writerows(
                    [
                        ["", *columns], *(
                            [x, *map("%.16e".__mod__, row.flat())]
                            for x, row in zip(rows, numbers.split()))])
            return self._matrix(path, number)
        if isinstance(value, HMM):
            return "%s=hmm:%s" % (
                value.name,
                value.write(os.path.join(self.folder, "%s%d.json" % (name, self._files))))
        value = adopted(value)
        if isinstance(value, (Energy, Network)):
            return value.selector(self.folder, "%s%d" % (name, self._files))
        if isinstance(value, Policy):
            path = os.path.join(self.folder, "policy%d.npz" % self._files)
            value.write(path)
            self._named["file:" + path] = value.name
            return "file:" + path
        if name == "policy":
            raise TypeError(
                "%s= is of type %s; give %s" % (name, type(value).__name__, SELECTORS[name]))
        if name in ("initial", "start") and isinstance(value, Mapping):
            path = os.path.join(self.folder, "%s%d.csv" % (name, self._files))
            _write_by_label(path, value)
            self._named["file:" + path] = "dict"
            return "file:" + path
        if (
            is_array(value) or is_nested(value)
            or name != "kernel" and (is_table(value) or labelled(value).is_named)
        ):
            value = Target(value, name="array" + number)
        if not isinstance(value, Target):
            values = (
                "; of a function f give its values, as in [f(x) for x in points]" if callable(value)
                else ""
            )
            raise TypeError(
                "%s= is of type %s; give %s%s"
                % (name, type(value).__name__, SELECTORS[name], values))
        if name == "kernel" and len(floats(value.values).shape) == 3:  # a matrix for each t = 2..T
            path = os.path.join(self.folder, "kernel%d.npz" % self._files)
            with zipfile.ZipFile(path, "w") as archive:
                for t, matrix in enumerate(floats(value.values).split(), 2):
                    archive.writestr("t%d.npy" % t, matrix.npy())
            self._named["matrix:%s#t{t}" % path] = value.name
            return "matrix:%s#t{t}" % path
        selector: str = value.selector(self.folder, "%s%d" % (name, self._files))
        if name == "toy":
            return selector
        if "=prob:" in selector:
            raise ValueError("%s= are probabilities; give log f, as by numpy.log" % name)
        shown, _, path = selector.partition("=")
        path = path.replace("file:", FORMS[name] + ":", 1)
        self._named[path] = shown
        return path

    def _matrix(self, path: str, number: str) -> str:
        """The selector of a kernel that was written to a file."""
        self._named["matrix:" + path] = "array" + number
        return "matrix:" + path

    def _path(self, name: str, path: "os.PathLike[str]") -> str:
        """The selector of a file. A path that would mean something else in it is copied."""
        given = read = os.fspath(path)
        if not SAFE.fullmatch(given) and os.path.exists(given):
            read = shutil.copyfile(
                given, os.path.join(
                    self.folder, "%s%d%s" % (name, self._files, os.path.splitext(given)[1])))
            self._named[read] = given
        ending = os.path.splitext(given)[1][1:].lower()
        return "%s:%s" % (ending if name == "toy" and ending in MODELS else FORMS[name], read)

    def _exec(self, move: Any, answer: Callable[..., None]) -> str:
        """The selector of a kernel that is a function."""
        name = getattr(move, "__name__", "kernel")
        command = self._served().command(lambda pipe: answer(pipe, move, name))
        self._named["exec:" + command] = name
        self._named[command] = name
        return "exec:" + command

    def _served(self) -> Server:
        if self._server is None:
            from .._serve.server import Server  # whose sockets take a tenth of the start

            self._server = Server(self.folder)
        return self._server

    @property
    def folder(self) -> str:
        """A folder for files, whose path is safe in selectors: a link where that of TMPDIR is not.
        """
        if not self._folders:
            self._folders.append(tempfile.TemporaryDirectory(prefix="breadboard-"))
            name = self._folders[0].name
            if os.name != "nt" and (len(name) > MOST_PATH or not SAFE.fullmatch(name)):
                self._folders.append(tempfile.TemporaryDirectory(prefix="breadboard-", dir="/tmp"))
                os.symlink(name, os.path.join(self._folders[1].name, "files"))
        return (
            self._folders[0].name if len(self._folders) == 1
            else os.path.join(self._folders[1].name, "files")
        )


def _without_name(target: Any) -> Any:
    """The dict from states to log f to which another one gives a name; anything else as it is."""
    inner = [*target.values()][0] if isinstance(target, Mapping) and len(target) == 1 else None
    return inner if isinstance(inner, Mapping) else target


def is_stages(path: Any, T: Any) -> bool:
    """Whether a path is log f at each of T stages: an array of three sides or more, or of T rows.
    """
    path = nested(listed(path))
    shape = floats(path).shape if is_array(path) or is_nested(path) else ()
    return len(shape) > 2 or len(shape) == 2 and shape[0] == T


def in_one_order(
    words: Sequence[Any], flags: Dict[str, Any], show: Callable[[Any], List[Dict[str, Any]]],
) -> List[Any]:
    """The words. Draws among them, functions and matrices without names get the states of the
    target as the program has them; show returns what toys show prints of a target.
    """
    found = list(words)
    if found[:2] in (["conform", "draws"], ["conform", "chain"]):
        found[2:] = map(_draws, found[2:])
    if len(found) > 2 and "law" in flags:
        found[2], flags["law"] = by_type(found[2], flags["law"])
    toy: Any = flags.get("toy")
    target = _without_name(toy)
    states = (
        None if isinstance(target, str) or getattr(target, "edges", None) is not None
        else states_of(target.values if isinstance(target, Target) else target)
    )
    if states is None:
        if flags.get("function") is not None:
            flags["toy"] = toy = listed(toy)
            flags["function"] = functions(flags["function"], lambda: _points(toy, show), [])
        return found
    matrices = found[2:] if found[:1] == ["kernel"] else [flags.get("kernel")]
    matrices = [
        kernel for given in matrices
        for kernel in (
            given.values() if isinstance(given, Mapping) else given
            if isinstance(given, (list, tuple)) and not is_nested(given) else [given])]
    served = any(
        kernel is not None and not isinstance(kernel, (str, os.PathLike)) for kernel in matrices)
    is_dict = isinstance(target, Mapping)
    numeric = all(map(is_number, states))
    if (
        is_dict and not numeric and not is_grid(states)
        and (served or found[:1] == ["conform"] and axes_of(states) is None)
    ):
        if axes_of(states) is not None and re.search(r"\bx\d", str(flags.get("function", ""))):
            raise ValueError(
                "function= is of the coordinates of states, and the states are not all of a "
                "grid; give log f of the others too, -inf for a zero of f")
        flags["toy"] = States(target) if len(states) > 1 else list(target.values())
        if target is not toy and len(states) > 1:
            flags["toy"].name = _name(str(next(iter(toy))))
        ordered = states
    else:
        ordered = in_program(states)
    for name in "initial", "start":
        given = flags.get(name)
        if isinstance(given, Mapping) and not hasattr(given, "dims") and not is_table(given):
            flags[name] = (
                States
                if isinstance(flags["toy"], States) or not numeric and axes_of(states) is None
                else Target)(given)
    given_order = ordered if numeric and (is_dict or are_positions(ordered)) else states
    places = {x: k for k, x in enumerate(given_order)}
    order = [] if given_order == ordered else [places[x] for x in ordered if x in places]

    flags["function"] = functions(flags.get("function"), lambda: ordered, order)

    def matched(kernel: Any) -> Any:
        kernel = listed(kernel)
        if isinstance(kernel, Mapping):
            return {name: matched(one) for name, one in kernel.items()}
        if callable(kernel):
            return kernel_of(kernel, ordered if is_dict else None, ordered)
        if isinstance(kernel, (list, tuple)) and not is_nested(kernel):
            return list(map(matched, kernel))
        return (
            _in_places(kernel, order)
            if order and not isinstance(kernel, (str, os.PathLike, Target))
                and not labelled(kernel).is_named else kernel
        )

    if found[:1] == ["kernel"]:
        found[2:] = list(map(matched, found[2:]))
    elif found[:1] == ["conform"]:
        found[2:] = [by_number(word, ordered) for word in found[2:]]
    if flags.get("kernel") is not None:
        flags["kernel"] = matched(flags["kernel"])
    return found


def _points(toy: Any, show: Callable[[Any], List[Dict[str, Any]]]) -> List[Any]:
    """The states of a target, of which functions are asked for their values."""
    values = toy.values if isinstance(toy, Target) else toy
    is_plain = getattr(toy, "edges", None) is None and (is_array(values) or is_nested(values))
    return points_of(floats(values).shape) if is_plain else points_in(show(toy), values)


def _in_places(matrix: Any, order: List[int]) -> Any:
    """A matrix, or several, without labels in another order of the states."""
    if is_sparse(matrix):
        return matrix.tocsr()[order][:, order]
    if is_array(matrix):
        return numpy.asarray(matrix)[..., order, :][..., order]
    if isinstance(matrix[0][0], (list, tuple)):  # one for each stage
        return [_in_places(one, order) for one in matrix]
    return [[row[k] for k in order] for row in map(matrix.__getitem__, order)]


def _draws(values: Any) -> Any:
    """Draws of states as columns if they are counts of labels, or have an index or a table;
    anything else as it is.
    """
    values = listed(values)
    index = None if hasattr(values, "columns") else index_of(values)
    if isinstance(values, Mapping) and values and all(map(is_number, values.values())):
        return {"state": list(values), "count": list(values.values())}
    if (
        index is not None
        and (
            labelled(values).kind == "prob"
            or index.names == [None] and any(isinstance(x, str) for x in index[:1]))
    ):
        return {"state": list(index), "count": list(values)}
    if hasattr(values, "dims"):
        return (
            values.transpose("chain", "draw") if {"chain", "draw"} == {*values.dims}
            else values).values
    columns = (
        None if isinstance(values, (str, os.PathLike))
        else columns_of_draws(values if index is None else values.rename(None), "state")
    )
    return values if columns is None else columns


def by_number(draws: Any, states: List[Any]) -> Any:
    """Draws of labels of states as the numbers of these; anything else as it is."""
    columns = None if isinstance(draws, (str, os.PathLike)) else columns_of(draws)
    if columns is not None:
        return (
            draws if "state" not in columns
            else {**columns, "state": by_number(list(columns["state"]), states)}
        )
    listed_draws = draws.tolist() if hasattr(draws, "tolist") else draws
    if not isinstance(listed_draws, (list, tuple)) or are_positions(states):
        return draws
    number = {x: k for k, x in enumerate(states)}
    keys = [tuple(x) if isinstance(x, list) else x for x in listed_draws]
    if not keys or not isinstance(keys[0], Hashable) or keys[0] not in number:
        return draws
    for k, x in enumerate(keys, 1):
        if x not in number:
            raise ValueError("draw %d is %r, which is none of the states" % (k, x))
    return [number[x] for x in keys]


def by_type(draws: Any, law: Any) -> Tuple[Any, Any]:
    """Draws and a distribution, whose labels are written as Python does if some would else be
    the same text, as 1 and "1"; anything else as it is.
    """
    if (
        not isinstance(law, Mapping) or hasattr(law, "columns")
        or len(set(map(str, _probabilities(law)["label"]))) == len(law)
    ):
        return draws, law
    names = {hashable(label): repr(hashable(label)) for label in law}

    def named(states: Any) -> List[str]:
        return [names.get(state, repr(state)) for state in map(hashable, states)]

    columns = columns_of(draws)
    if columns is not None and "state" in columns:
        draws = {**columns, "state": named(columns["state"])}
    elif (
        columns is None and not isinstance(draws, (str, os.PathLike))
        and isinstance(draws, Iterable)
    ):
        draws = named(draws)
    return draws, dict(zip(named(law), law.values()))


def seed_of(value: Any) -> Any:
    """A seed as a whole number. A generator draws it, and goes on from there; a SeedSequence
    gives always the same one.

    >>> import random
    >>> seed_of(7), seed_of(random.Random(1)) == random.Random(1).getrandbits(63)
    (7, True)
    """
    if hasattr(value, "getrandbits"):  # a random.Random
        return value.getrandbits(63)
    if hasattr(value, "generate_state"):  # a SeedSequence
        return int(value.generate_state(1, "uint64")[0])
    if hasattr(value, "random_raw"):  # a BitGenerator
        return value.random_raw(1).item() >> 1
    for name in ("integers", "randint"):  # a Generator, a RandomState
        if hasattr(value, name):
            return int(getattr(value, name)(2**63, dtype="uint64"))
    return value


def whole(value: Any) -> Any:
    """Numbers, of which those that are whole but for rounding, as numpy.geomspace makes them,
    are whole.

    >>> whole([10, 26.99999999999999, 31.6])
    [10, 27, 31.6]
    """
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, (list, tuple)):
        return [whole(v) for v in value]
    return (
        round(value)
        if isinstance(value, float) and math.isfinite(value)
            and abs(value - round(value)) <= 1e-12 * value else value
    )


def text(value: Any) -> str:
    """The value of a flag as it is written on a command line. The parts of a list are quoted
    where they have a comma.

    >>> text([10, 1e5, "file:a,b.csv"])
    '10,100000,"file:a,b.csv"'
    """
    if hasattr(value, "tolist"):  # an array, or a number of NumPy
        value = value.tolist()
    if isinstance(value, (list, tuple, set, range)):
        line = io.StringIO()
        csv.writer(line, lineterminator="").writerow([text(v) for v in value])
        return line.getvalue()
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))  # a flag that takes a whole number takes 100.0 too
    return str(value)
