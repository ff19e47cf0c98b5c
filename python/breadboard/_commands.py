"""Every command of the program as a function. The program itself supplies arguments, defaults
and texts.
"""
from __future__ import annotations

import functools
import inspect
import operator
import tempfile
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence

from ._help import WRITING, commands_below, help_of, meanings
from ._arrays import is_nested, listed, read_npz
from ._program.run import Path, run, run_bytes
from ._tables import Rows, read_figures, rows_of


def rows(
    *words: Any, binary: Optional[Path] = None, cwd: Optional[Path] = None,
    progress: Optional[bool] = None, **flags: Any,
) -> Rows:
    """Runs a command and returns the rows of its table, a list of dicts.

        rows("tightness", toy=["barrier", "random:2:7"], T=[10, 1000], check=True)

    runs `breadboard tightness --toy barrier,random:2:7 -T 10,1000 --check`, like
    tightness(toy=["barrier", "random:2:7"], ...). A flag of one letter has one dash, an
    underscore in a name is a dash, and a list is joined by commas. True is a flag without a
    value, and None and False omit the flag.

    A toy may be an array of log f, in nats and in the shape of the grid, from NumPy or pandas
    or as nested lists, a dict from states (any objects) to log f, or a Target. A kernel may
    be a transition matrix, or a function: move(x, rng) or move(log_f, x, rng) draws the next
    state, row(log_f, x) returns its probabilities, matrix(log_f) returns all rows, and is by
    far the fastest. x is the number of a state, or a key of the dict; followed has settings.
    Others are serve_kernel's and Moves. A path may start at an array of log f (initial), and
    a schedule may be a list of betas. A dict gives toys, kernels, paths, schedules and
    policies names, as in schedule={"own": [0, 0.1, 1]}. Evidence may be a dict. If a command
    takes a file of records, you may pass a dict of columns or a data frame.

    With figures=True the figures of the command are drawn, too, and a notebook shows them;
    with out they are in that folder. Infinite and undefined numbers are floats (inf, -inf,
    nan), and cells without a value are None. Floats are not rounded. See run for the errors
    and for the keywords binary, cwd and progress.
    """
    if several := _kernels(words, flags.get("kernel")):
        if flags.get("out") is not None:
            raise TypeError(
                "out= and several kernels are both given; give one kernel to each folder")
        settings: Dict[str, Any] = dict(flags, binary=binary, cwd=cwd, progress=progress)
        return functools.reduce(
            operator.add, (_of_kernel(words, kernel, settings) for kernel in several))
    described = functools.partial(meanings, *(word for word in words if isinstance(word, str)))
    if flags.get("out") is not None and flags.get("figures") is True:
        del flags["figures"]
    if flags.get("figures") is not True:
        stdout, messages = run(
            *words, format="json", binary=binary, cwd=cwd, progress=progress, **flags)
        return rows_of(stdout, messages, meanings=described)
    with tempfile.TemporaryDirectory(prefix="breadboard-") as folder:
        stdout, messages = run(
            *words, format="json", binary=binary, cwd=cwd, progress=progress,
            **dict(flags, out=folder, figures="svg"))
        figures = read_figures(folder)
    messages = "".join(line for line in messages.splitlines(True) if not line.startswith("wrote "))
    return rows_of(stdout, messages, figures, described)


def _kernels(words: Sequence[Any], kernel: Any) -> List[Any]:
    """Several kernels of a command that takes one at a time, each in a dict of its own if they
    have names; none if there is one, or the command takes several.
    """
    kernel = listed(kernel)
    named = isinstance(kernel, Mapping)
    if (
        named and len(kernel) == 1
        or not named and (not isinstance(kernel, (list, tuple)) or is_nested(kernel))
    ):
        return []
    flag = next(
        (
            flag for flag in help_of(tuple(word for word in words if isinstance(word, str))).own
            if flag.name == "kernel"), None)
    if flag is None or flag.several:
        return []
    return [{name: one} for name, one in kernel.items()] if named else list(kernel)


def _of_kernel(words: Sequence[Any], kernel: Any, settings: Dict[str, Any]) -> Rows:
    """The rows of one of several kernels."""
    return rows(*words, **{**settings, "kernel": kernel})


def arrays(*words: Any, **flags: Any) -> "Arrays":
    """Returns the exact arrays of one annealing by name, like `breadboard export`.

        arrays(toy="barrier", T=100, arrays=["p", "q"])

    `breadboard help reference arrays` lists the arrays with their shapes; g is another name
    for log_f. They are NumPy arrays. Without NumPy they are nested lists, or a plain number
    if an array has no dimensions. For toy, kernel and other arguments see
    help(breadboard.rows).
    """
    return Arrays(read_npz(run_bytes("export", *words, format="npz", **flags)[0]))


class Arrays(Dict[str, Any]):
    """Arrays by name. g is another name for log_f."""

    def __missing__(self, name: str) -> Any:
        if name == "g" and "log_f" in self:
            return self["log_f"]
        raise KeyError("there is no array %r; there are %s" % (name, ", ".join(self)))

    def __contains__(self, name: Any) -> bool:
        return super().__contains__("log_f" if name == "g" else name)

    def get(self, name: str, default: Any = None) -> Any:
        return self[name] if name in self else default

    def _ipython_key_completions_(self) -> List[str]:
        return list(self)


def kernel_matrix(kernel: Any, log_f: Any, beta: float = 1.0, **options: Any) -> Any:
    """The transition matrix of a kernel on a target at the inverse temperature beta: row x has the
    probabilities of moves from x. It is a csr_array of SciPy, and without SciPy a list of rows.

    kernel and log_f are like the arguments kernel and toy of commands.
    """
    if not 0 <= beta <= 1:
        raise ValueError("beta= %r; give a number from 0 to 1" % beta)
    found = arrays(
        toy=log_f, kernel=kernel, T=3, schedule=[0, beta, 1], initial="uniform", path="geometric",
        stages=2, arrays=["kernel_csr"], **options)
    values, to, starts = (found["kernel_2_" + name] for name in ("data", "indices", "indptr"))
    states = len(starts) - 1
    try:
        from scipy.sparse import csr_array
    except ImportError:
        matrix = [[0.0] * states for _ in range(states)]
        for x in range(states):
            for k in range(starts[x], starts[x + 1]):
                matrix[x][to[k]] = values[k]
        return matrix
    return csr_array((values, to, starts), shape=(states, states))


class Command:
    """A command of the program. Calling it returns the rows of its table; text() returns the
    table as text.
    """

    def __init__(self, *words: str) -> None:
        self._words = words
        self.__name__ = self.__qualname__ = words[-1].replace("-", "_")
        self.__module__ = "breadboard"

    def __call__(self, *arguments: Any, **options: Any) -> Rows:
        for name in WRITING:
            if name in options:
                raise TypeError(
                    "%s= is for %s.text(...); rows have all columns and digits"
                    % (name, ".".join(("breadboard",) + self._words)))
        found = rows(*self._words, *arguments, **options)
        found.meanings = functools.partial(meanings, *self._words)
        return found

    def text(self, *arguments: Any, **options: Any) -> str:
        """Runs the command and returns its output: the table as text, or in the format markdown,
        latex, csv and others.
        """
        return run(*self._words, *arguments, **options)[0]

    def __reduce__(self) -> Any:
        return Command, self._words

    if not TYPE_CHECKING:  # the stub has the commands below this one

        def __getattr__(self, name: str) -> Command:
            word, below = name.replace("_", "-"), commands_below(self._words)
            if word not in below:
                words, known = " ".join(self._words), ", ".join(below) or "none"
                raise AttributeError(
                    "breadboard %s has no command %s; it has %s" % (words, name, known))
            return Command(*self._words, word)

    def __dir__(self) -> List[str]:
        below = (name.replace("-", "_") for name in commands_below(self._words))
        return sorted({*object.__dir__(self), *below})

    def __repr__(self) -> str:
        return "<command breadboard %s>" % " ".join(self._words)

    def __get__(self, instance: Any, owner: Any = None) -> Command:
        # With it help() takes a command for a function, and shows its text and not that of this
        # class
        return self

    @property
    def __signature__(self) -> inspect.Signature:
        told = help_of(self._words)
        defaults = {
            **{f.name: f.default for f in told.own + told.common}, "binary": None, "cwd": None,
            "progress": None}
        named = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
            for name, default in defaults.items()]
        return inspect.Signature(
            [inspect.Parameter("arguments", inspect.Parameter.VAR_POSITIONAL)] * told.positional
            + named, return_annotation="Rows")

    @property
    def __doc__(self) -> str:  # type: ignore[override]
        return help_of(self._words).doc()
