"""Every command of the program as a function. The program itself supplies arguments, defaults
and texts.
"""
from __future__ import annotations

import functools
import inspect
import json
import keyword
import operator
import os
import re
import tempfile
import textwrap
from typing import TYPE_CHECKING, Any, Dict, FrozenSet, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from .arguments import SELECTORS
from .npy import is_nested, listed, read_npz
from .errors import in_python
from .program import Path, meanings, run, run_bytes
from .tables import Rows, read_figures, rows_of

# The headings of flags in help.
HEADINGS = ("What is computed", "How it is computed", "Output")
# Flags that say how a table is written for people. They are for text().
WRITING = ("format", "columns", "digits", "latex", "help")


def rows(*words: Any, binary: Optional[Path] = None, cwd: Optional[Path] = None, progress: Optional[bool] = None, **flags: Any) -> Rows:
    """Runs a command and returns the rows of its table, a list of dicts.

        rows("tightness", toy=["barrier", "random:2:7"], T=[10, 1000], check=True)

    runs `breadboard tightness --toy barrier,random:2:7 -T 10,1000 --check`, like
    tightness(toy=["barrier", "random:2:7"], ...). A flag of one letter has one dash, an underscore
    in a name is a dash, and a list is joined by commas. True is a flag without a value, and None
    and False omit the flag.

    A toy may be an array of log f, in nats and in the shape of the grid, from NumPy or pandas or as
    nested lists, a dict from states (any objects) to log f, or a Target. A kernel may be a transition
    matrix, or a function: move(x, rng) or move(log_f, x, rng) draws the next state, row(log_f, x)
    returns its probabilities, matrix(log_f) returns all rows, and is by far the fastest. x is the
    number of a state, or a key of the dict; followed has settings. Others are serve_kernel's and Moves. A path may start at an array of log f (initial), and a schedule may be a list
    of betas. A dict gives toys, kernels, paths, schedules and policies names, as in
    schedule={"own": [0, 0.1, 1]}. Evidence may be a dict. If a command takes a file of records, you may pass a dict of
    columns or a data frame.

    With figures=True the figures of the command are drawn, too, and a notebook shows them; with out
    they are in that folder. Infinite and undefined numbers are floats (inf, -inf, nan), and cells
    without a value are None. Floats are not rounded. See run for the errors and for the keywords
    binary, cwd and progress.
    """
    if several := _kernels(words, flags.get("kernel")):
        if flags.get("out") is not None:
            raise TypeError("out= and several kernels are both given; give one kernel to each folder")
        settings: Dict[str, Any] = dict(flags, binary=binary, cwd=cwd, progress=progress)
        return functools.reduce(operator.add, (_of_kernel(words, kernel, settings) for kernel in several))
    described = functools.partial(meanings, *(word for word in words if isinstance(word, str)))
    if flags.get("out") is not None and flags.get("figures") is True:
        del flags["figures"]
    if flags.get("figures") is not True:
        stdout, messages = run(*words, format="json", binary=binary, cwd=cwd, progress=progress, **flags)
        return rows_of(stdout, messages, meanings=described)
    with tempfile.TemporaryDirectory(prefix="breadboard-") as folder:
        stdout, messages = run(*words, format="json", binary=binary, cwd=cwd, progress=progress, **dict(flags, out=folder, figures="svg"))
        figures = read_figures(folder)
    messages = "".join(line for line in messages.splitlines(True) if not line.startswith("wrote "))
    return rows_of(stdout, messages, figures, described)


def _kernels(words: Sequence[Any], kernel: Any) -> List[Any]:
    """Several kernels of a command that takes one at a time, each in a dict of its own if they have names; none if there is one, or the command takes several."""
    kernel = listed(kernel)
    named = isinstance(kernel, Mapping)
    if named and len(kernel) == 1 or not named and (not isinstance(kernel, (list, tuple)) or is_nested(kernel)):
        return []
    flag = next((flag for flag in help_of(tuple(word for word in words if isinstance(word, str))).own if flag.name == "kernel"), None)
    if flag is None or flag.kind.endswith(",..."):
        return []
    return [{name: one} for name, one in kernel.items()] if named else list(kernel)


def _of_kernel(words: Sequence[Any], kernel: Any, settings: Dict[str, Any]) -> Rows:
    """The rows of one of several kernels."""
    found = rows(*words, **{**settings, "kernel": kernel})
    for data in getattr(found.figures, "data", {}).values():
        for row in data:
            if "series" in row:
                row["series"] = "%s, %s" % (found[0].get("kernel"), row["series"])
    return found


def arrays(*words: Any, **flags: Any) -> "Arrays":
    """Returns the exact arrays of one annealing by name, like `breadboard export`.

        arrays(toy="barrier", T=100, arrays=["p", "q"])

    `breadboard help reference arrays` lists the arrays with their shapes; g is another name for log_f. They
    are NumPy arrays. Without NumPy they are nested lists, or a plain number if an array has no
    dimensions. For toy, kernel and other arguments see help(breadboard.rows).
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
    found = arrays(toy=log_f, kernel=kernel, T=3, schedule=[0, beta, 1], initial="uniform", path="geometric", stages=2, arrays=["kernel_csr"], **options)
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
                raise TypeError("%s= is for %s.text(...); rows have all columns and digits" % (name, ".".join(("breadboard",) + self._words)))
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
            if name.startswith("_") or name.replace("_", "-") not in help_of(self._words).commands:
                raise AttributeError("breadboard %s has no command %s; it has %s" % (" ".join(self._words), name, ", ".join(help_of(self._words).commands) or "none"))
            return Command(*self._words, name.replace("_", "-"))

    def __dir__(self) -> List[str]:
        return sorted(set(object.__dir__(self)) | {name.replace("-", "_") for name in help_of(self._words).commands})

    def __repr__(self) -> str:
        return "<command breadboard %s>" % " ".join(self._words)

    def __get__(self, instance: Any, owner: Any = None) -> Command:
        return self  # with it help() takes a command for a function, and shows its text and not that of this class

    @property
    def __signature__(self) -> inspect.Signature:
        told = help_of(self._words)
        defaults = {**{f.name: f.default for f in told.own + told.common}, "binary": None, "cwd": None, "progress": None}
        named = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default) for name, default in defaults.items()]
        return inspect.Signature([inspect.Parameter("arguments", inspect.Parameter.VAR_POSITIONAL)] * told.positional + named, return_annotation="Rows")

    @property
    def __doc__(self) -> str:  # type: ignore[override]
        return help_of(self._words).text(True)


# What the units in help are in Python; others are texts.
KINDS = {"": "bool", **dict.fromkeys(("N", "T", "P", "L", "M", "S", "m", "0|1"), "int"), **dict.fromkeys(("X", "NATS"), "number"), **dict.fromkeys(("FILE", "DIR", "OUT"), "path")}


class Flag(NamedTuple):
    """An argument of a command, with the kind of its values and what it says."""

    name: str
    kind: str
    says: str

    @property
    def unit(self) -> str:
        return self.kind.rstrip(".").rstrip(",")

    @property
    def several(self) -> bool:
        return self.kind.endswith("...")

    @property
    def default(self) -> Any:
        """The default as Python has it. None if there is none, or if it depends on other arguments."""
        if not self.kind:
            return False
        found = re.search(r"\(default (.*)\)$", self.says)
        if not found or found[1] == "all" or " " in found[1] and found[1][0] != "[":
            return None
        values = [_value(v) for v in found[1].strip("[]").split(",")]
        return values if self.several else values[0]

    def told(self) -> str:
        """What numpydoc says of it."""
        kind = KINDS.get(self.unit, "str") + " or a list" * self.several
        default = "" if self.default is None else ", default %r" % (self.default,)
        says = in_python(re.sub(r" *\(default (\S+|\[.*\])\)$", "", self.says))
        says += "; " + SELECTORS[self.name] if self.name in SELECTORS else ""
        said = textwrap.fill(says, 79, initial_indent="    ", subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
        return "%s : %s%s\n%s" % (self.name, kind, default, said)


def _value(said: str) -> Any:
    """A value of help in Python: a number, or a text."""
    try:
        return json.loads(said)
    except ValueError:
        return said


class Help(NamedTuple):
    """What the program tells of a command."""

    commands: Tuple[str, ...]
    positional: bool  # whether there are arguments without names
    own: Tuple[Flag, ...]
    common: Tuple[Flag, ...]  # of all commands
    summary: str
    details: str
    examples: str

    def text(self, whole: bool) -> str:
        """The text in the form of numpydoc; without the arguments of all commands, details and examples if it is not whole."""
        parts = [self.summary]
        for title, flags in ("Parameters", self.own), ("Other Parameters", self.common if whole else ()):
            if flags:
                parts.append(_section(title, "\n".join(flag.told() for flag in flags)))
        if self.own or self.common:
            parts.append(_section("Returns", "Rows\n    The rows of the table. `breadboard help reference` says what its columns mean."))
        if whole and self.details:
            details = re.sub(r"(?m)(?:^ +\S.*\n*)+", lambda block: "\n::\n\n" + block[0] + "\n", self.details)  # which are tables and code
            parts.append(_section("Notes", re.sub(r"\n{3,}", "\n\n", details).strip()))
        if whole and self.examples:
            parts.append(_section("Examples", "On the command line::\n\n" + self.examples))
        return "\n\n".join(parts)


def _section(title: str, text: str) -> str:
    return "%s\n%s\n%s" % (title, "-" * len(title), text)


@functools.lru_cache(maxsize=None)
def command_names() -> FrozenSet[str]:
    """The commands as names in Python, from the types of this package, so that no program is started."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "__init__.pyi"), encoding="utf-8") as file:
        return frozenset(re.findall(r"^(\w+): _\1$", file.read(), re.MULTILINE))


@functools.lru_cache(maxsize=None)
def help_of(words: Tuple[str, ...]) -> Help:
    """What the program tells of a command, and with no words of itself. It is asked once."""
    if not words:
        return parse(run("--help")[0])
    return parse(run("help", *words, "--all")[0], _common())


@functools.lru_cache(maxsize=None)
def _common() -> str:
    """The flags of all commands."""
    return run("help", "output")[0].partition("```text\n")[2].partition("```")[0]


def parse(page: str, common: str = "") -> Help:
    """Takes the help of a command apart; common has the flags of all commands.

    >>> page = "It counts.\\n\\nUsage:\\n  breadboard count [flags]\\n\\nHow it is computed:\\n  -T, --times T   how often to\\n                  count (default 3)\\n\\nbreadboard help output explains it.\\n"
    >>> told = parse(page)
    >>> told.own[0]
    Flag(name='T', kind='T', says='how often to count (default 3)')
    >>> told.own[0].default, told.positional
    (3, False)
    """
    page, _, details = page.partition("\nDetails:\n\n")
    page += "\n"
    parts = re.split(r"(?m)^(Usage|Examples|[A-Z][\w ]+):\n(?=  )", page)
    sections = dict(zip(parts[1::2], parts[2::2]))
    apart = ("Usage", "Examples")
    listed = [re.findall(r"(?m)^  ([a-z][\w-]*) +\S", text) for title, text in sections.items() if title not in apart and not title.endswith(("Flags", "topics"))]
    common, _, many = common.partition("\nOf many commands:\n")
    named = re.search(r"breadboard help output explains ([^.]*)", page)
    here = re.findall(r"--(\w+)", named[1] if named else "")
    own = tuple(_flags("".join(sections.get(title, "") for title in HEADINGS))) + tuple(flag for flag in _flags(many) if flag.name in here)
    names = [flag.name for flag in own]
    usage = sections.get("Usage", "").strip().split("\n")[0].replace("[flags]", "").partition("--out")[0]
    return Help(
        tuple(name for names in listed for name in names if name not in ("help", "completion")), bool(re.search(r"\[|[A-Z]{2}|\b[A-Z]\b", usage)), own,
        tuple(flag for flag in _flags(common) if flag.name not in names), in_python(parts[0].strip()), in_python(details.strip()),
        sections.get("Examples", "").strip("\n"))


def _flags(section: str) -> List[Flag]:
    """The flags in a section of help that are arguments in Python."""
    flags = []
    for entry in re.split(r"(?m)^(?= {2,6}-)", section):
        lines = entry.split("\n\n")[0].split("\n")
        found = re.match(r" +(?:-(\w), )?--([\w-]+)(?: (\S+))?(?: {2,}(.*))?$", lines[0])
        if not found:
            continue
        letter, name, kind, first = found.groups()
        name = letter if letter and letter.isupper() else name.replace("-", "_")
        if name not in WRITING:
            says = " ".join(filter(None, [first] + [line.strip() for line in lines[1:]]))
            flags.append(Flag(name + "_" * keyword.iskeyword(name), kind or "", says))
    return flags
