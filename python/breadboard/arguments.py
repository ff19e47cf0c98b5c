"""What stands for a target, a kernel or a law in Python, as a selector that the program reads."""
from __future__ import annotations

import csv
import io
import json
import os
import re
import tempfile
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from .protocol import Pipe, answer_kernel, answer_moves, answer_sampler
from .served import Server
from .tables import numpy


class Target:
    """A target of your own, for the argument toy.

    values are log f in nats, up to a constant and with -inf for a zero of f; or with probabilities=True they are probabilities,
    which need not sum to one. They are an array in the shape of the grid, of NumPy or of pandas. With edges, pairs of labels, they
    are on that graph, and a Series of pandas or a dict says the value of each label. name is what tables call the target.

    >>> Target({"a": 0.0, "b": 1.0, "c": 0.5}, edges=[("a", "b"), ("b", "c")], name="line").name
    'line'
    """

    def __init__(self, values: Any, *, probabilities: bool = False, edges: Optional[Sequence[Tuple[Any, Any]]] = None, name: str = "array") -> None:
        if not re.fullmatch(r"[A-Za-z0-9_.][\w.-]{0,63}", name, re.ASCII):
            raise ValueError("name= %r; a name has at most 64 letters, digits, hyphens, underscores and points" % name)
        self.values, self.probabilities, self.edges, self.name = values, probabilities, edges, name

    def selector(self, folder: str, name: str) -> str:
        """The selector of the target, whose files are written to the folder."""
        path = os.path.join(folder, name)
        if self.edges is None:
            numpy.save(path + ".npy", _numbers(self.values))
            return "%s=%s:%s.npy" % (self.name, "prob" if self.probabilities else "file", path)
        values = dict(self.values.items())
        with open(path + "_edges.csv", "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(self.edges)
        with open(path + ".csv", "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows((label, repr(float(value))) for label, value in values.items())
        return "%s=graph:%s_edges.csv:%s%s.csv" % (self.name, path, "prob:" if self.probabilities else "", path)


class Moves:
    """A kernel that draws random numbers itself, for the argument kernel: move(rng, logf, shape, x), as serve_moves takes it."""

    def __init__(self, move: Callable[..., int]) -> None:
        self.move = move


class Coupled:
    """A coupling, for couple check and the argument coupling: couple(chooser, logf, shape, x, y), as serve_kernel takes it.

    move is a kernel of your own that the coupling is of; without it, that is a kernel of the library, which the argument kernel names.
    """

    def __init__(self, couple: Callable[..., Tuple[int, int]], move: Optional[Callable[..., int]] = None) -> None:
        self.couple, self.move = couple, move

    def answer(self, pipe: Pipe, move: Callable[..., Any], name: str) -> None:
        """Answers the program."""
        answer_kernel(pipe, self.move or _nowhere, name, self.couple)


def _nowhere(*_: Any) -> int:
    raise TypeError("one chain is to be moved, and no function does that: write Coupled(couple, move), or name a kernel of the library")


class Sampler:
    """An implementation of annealing, for conform run: forward(chains, seed) and reverse(chains, seed), as serve_sampler takes them."""

    def __init__(self, forward: Optional[Callable[..., Any]] = None, reverse: Optional[Callable[..., Any]] = None) -> None:
        self.forward, self.reverse = forward, reverse


class Given:
    """The words and flags of one command, with the files and the functions behind them until the command has ended."""

    def __init__(self) -> None:
        self._folder: Optional[tempfile.TemporaryDirectory[str]] = None
        self._server: Optional[Server] = None
        self._files = 0
        self._named: Dict[str, str] = {}  # what stands for what, as people should see it

    def __enter__(self) -> Given:
        return self

    def __exit__(self, *error: Any) -> None:
        if self._server is not None:
            self._server.close()
        if self._folder is not None:
            self._folder.cleanup()

    @property
    def raised(self) -> List[BaseException]:
        """What functions have raised that were asked."""
        return self._server.raised if self._server is not None else []

    def named(self, output: bytes) -> bytes:
        """An output with the names of functions and arrays in place of the files and programs that stand for them."""
        named = dict(self._named)
        if self._folder is not None:
            named[self._folder.name + os.sep] = ""
        for selector, name in named.items():
            for text in {selector, json.dumps(selector)[1:-1]}:
                output = output.replace(text.encode("utf-8"), name.encode("utf-8"))
        return output

    def words(self, values: Sequence[Any]) -> List[str]:
        """The words of the command line for what is no flag: the command, its arguments, such as a kernel, and a program."""
        said: List[str] = []
        for value in values:
            if isinstance(value, Sampler):
                program = self._served().words(lambda pipe, its=value: answer_sampler(pipe, its.forward, its.reverse))  # type: ignore[misc]
                self._named[" ".join(program)] = "sampler"
                said += ["--"] + program
            else:
                said.append(str(self._one("kernel", value, "")))
        return said

    def flags(self, flags: Dict[str, Any]) -> List[str]:
        """The words for flags that are given by keywords."""
        words: List[str] = []
        for name, value in flags.items():
            if value is None or value is False:
                continue
            flag = "-" + name if len(name) == 1 else "--" + name.replace("_", "-")
            value = self._value(name, value)
            # A value is joined to its flag, so that one that begins with a dash is no flag.
            words += [flag] if value is True else [flag + "=" + text(value)] if len(name) > 1 else [flag, text(value)]
        return words

    def _value(self, name: str, value: Any) -> Any:
        """The value of a flag, with selectors in place of arrays and functions."""
        if name not in ("toy", "kernel", "initial", "schedule", "start", "coupling"):
            return value
        if not isinstance(value, (list, tuple)):
            return self._one(name, value, "")
        if name == "schedule" and value and all(isinstance(v, (int, float)) for v in value):
            return self._one(name, numpy.asarray(value, dtype="f8"), "")
        if any(isinstance(v, (int, float)) for v in value):
            raise TypeError("%s= is a list of numbers; write numpy.array(...) for an array of log f" % name)
        if value and all(isinstance(v, (list, tuple)) for v in value):
            raise TypeError("%s= is a list of lists; write numpy.array(...) for an array of log f, or a list of selectors for several" % name)
        return [self._one(name, v, str(i)) for i, v in enumerate(value)]

    def _one(self, name: str, value: Any, number: str) -> Any:
        """A selector for a value, or the value itself where it is none of an array or a function."""
        if isinstance(value, Moves):
            return self._exec(value.move, answer_moves)
        if isinstance(value, Coupled):
            return self._exec(value.couple, value.answer)
        if name == "kernel" and callable(value):
            return self._exec(value, answer_kernel)
        if not isinstance(value, Target):
            if not is_array(value):
                return value
            value = Target(value, name="array" + number)
        self._files += 1
        if name == "kernel" and numpy.ndim(value.values) == 3:  # a matrix for each t = 2..T
            path = os.path.join(self.folder, "kernel%d.npz" % self._files)
            numpy.savez(path, **{"t%d" % t: matrix for t, matrix in enumerate(_numbers(value.values), 2)})
            self._named["matrix:%s#t{t}" % path] = value.name
            return "matrix:%s#t{t}" % path
        selector: str = value.selector(self.folder, "%s%d" % (name, self._files))
        if name == "toy":
            return selector
        shown, _, path = selector.partition("=")
        path = path.replace("file:", "matrix:", 1) if name == "kernel" else path
        self._named[path] = shown
        return path

    def _exec(self, move: Callable[..., Any], answer: Callable[..., None]) -> str:
        """The selector of a kernel that is a function."""
        name = getattr(move, "__name__", "kernel")
        command = self._served().command(lambda pipe: answer(pipe, move, name))
        self._named["exec:" + command] = name
        self._named[command] = name
        return "exec:" + command

    def _served(self) -> Server:
        if self._server is None:
            self._server = Server(self.folder)
        return self._server

    @property
    def folder(self) -> str:
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="breadboard-")
        return self._folder.name


def is_array(value: Any) -> bool:
    """Whether a value is an array of numbers, of NumPy or of pandas, and no single number or list of selectors."""
    if hasattr(value, "to_numpy"):
        value = value.to_numpy()
    return numpy is not None and isinstance(value, numpy.ndarray) and value.dtype.kind in "fiu" and value.ndim > 0


def _numbers(values: Any) -> Any:
    if numpy is None:
        raise TypeError("arrays need NumPy, which is not there; write a file and give its selector, as in toy='file:target.csv'")
    return numpy.ascontiguousarray(values.to_numpy() if hasattr(values, "to_numpy") else values, dtype="f8")


def text(value: Any) -> str:
    """The value of a flag as it is written on a command line. The parts of a list are quoted where they have a comma.

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
