"""Every command of the program as a function. The program itself supplies arguments, defaults
and texts.
"""
from __future__ import annotations

import functools
import inspect
import re
import tempfile
import textwrap
import warnings
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from .npy import read_npz
from .program import Path, in_python, meanings, run, run_bytes
from .tables import Rows, read_figures, rows_of

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
    nested lists, or a Target. A kernel may be a function like in serve_kernel, or Moves, or a
    transition matrix. A path may start at an array of log f (initial), and a schedule may be a list
    of betas. Evidence may be a dict. If a command takes a file of records, you may pass a dict of
    columns or a data frame.

    With figures=True the figures of the command are drawn, too, and a notebook shows them; with out
    they are in that folder. Infinite and undefined numbers are floats (inf, -inf, nan), and cells
    without a value are None. Floats are not rounded. See run for the errors and for the keywords
    binary, cwd and progress.
    """
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


def arrays(*words: Any, **flags: Any) -> "Arrays":
    """Returns the exact arrays of one annealing by name, like `breadboard export`.

        arrays(toy="barrier", T=100, arrays=["p", "q"])

    help(breadboard.export) lists the arrays with their shapes; g is another name for log_f. They
    are NumPy arrays. Without NumPy they are nested lists, or a plain number if an array has no
    dimensions. For toy, kernel and other arguments see help(breadboard.rows). A note of the
    command, for example that the target was read in another shape, becomes a warning.
    """
    data, messages = run_bytes("export", *words, format="npz", **flags)
    if messages.strip():
        warnings.warn(messages.strip(), stacklevel=2)
    return Arrays(read_npz(data))


class Arrays(Dict[str, Any]):
    """Arrays by name. g is another name for log_f."""

    def __missing__(self, name: str) -> Any:
        if name == "g" and "log_f" in self:
            return self["log_f"]
        raise KeyError("there is no array %r; there are %s" % (name, ", ".join(self)))


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
        named = [inspect.Parameter(f.name, inspect.Parameter.KEYWORD_ONLY, default=f.default) for f in help_of(self._words).flags if f.name not in WRITING]
        return inspect.Signature([inspect.Parameter("arguments", inspect.Parameter.VAR_POSITIONAL)] + named, return_annotation="Rows")

    @property
    def __doc__(self) -> str:  # type: ignore[override]
        return help_of(self._words).text


class Default:
    """The default of an argument, as help says it."""

    def __init__(self, said: Optional[str]) -> None:
        self.said = said

    def __repr__(self) -> str:
        return self.said or "None"


class Flag(NamedTuple):
    """An argument of a command, with the kind of its values and what it says."""

    name: str
    kind: str
    says: str

    @property
    def default(self) -> Default:
        found = re.search(r"\(default (.*)\)$", self.says)
        return Default(found[1] if found else None)


class Help(NamedTuple):
    """What the program tells of a command."""

    commands: Tuple[str, ...]
    flags: Tuple[Flag, ...]
    text: str


@functools.lru_cache(maxsize=None)
def help_of(words: Tuple[str, ...]) -> Help:
    """What the program tells of a command, and with no words of itself. It is asked once."""
    if not words:
        return parse(run("help", "all")[0])
    return parse(run(*words, "--help")[0], run("help", "output")[0].partition("```text\n")[2].partition("```")[0])


def parse(page: str, common: str = "") -> Help:
    """Takes the help of a command apart; common has the flags of all commands.

    >>> page = "It counts.\\n\\nUsage:\\n  breadboard count [flags]\\n\\nFlags:\\n  -T, --times T   how often to\\n                  count (default 3)\\n"
    >>> told = parse(page)
    >>> told.flags[0]
    Flag(name='T', kind='T', says='how often to count (default 3)')
    >>> told.flags[0].default
    3
    """
    page, _, more = page.partition("\nDetails:\n\n")
    details, *rest = re.split(r"(?m)^(?=More examples:$)", more)
    page += "\n" + "".join(rest)
    parts = re.split(r"(?m)^(Usage|Examples|[A-Z][\w ]+):\n(?=  )", page)
    sections = dict(zip(parts[1::2], parts[2::2]))
    apart = ("Usage", "Examples", "More examples")
    listed = [re.findall(r"(?m)^  ([a-z][\w-]*) +\S", text) for title, text in sections.items() if title not in apart and not title.endswith(("Flags", "topics"))]
    flags = tuple(_flags(sections.get("Flags", "")) + _flags(common))
    told = [in_python(parts[0].strip())]
    if flags:
        told.append("Arguments:\n" + "\n".join(_told(flag) for flag in flags if flag.name not in WRITING))
    if details.strip():
        told.append(in_python(details.strip()))
    if "Examples" in sections:
        told.append("On the command line:\n" + (sections["Examples"].rstrip("\n") + "\n" + sections.get("More examples", "")).rstrip("\n"))
    return Help(tuple(name for names in listed for name in names if name not in ("help", "completion")), flags, "\n\n".join(told))


def _flags(section: str) -> List[Flag]:
    """The flags in a section of help."""
    flags = []
    for entry in re.split(r"(?m)^(?= {2,6}-)", section):
        lines = entry.rstrip("\n").split("\n")
        found = re.match(r" +(?:-(\w), )?--([\w-]+)(?: (\S+))?(?: {2,}(.*))?$", lines[0])
        if not found:
            continue
        letter, name, kind, first = found.groups()
        says = " ".join(filter(None, [first] + [line.strip() for line in lines[1:]]))
        flags.append(Flag(letter if letter and letter.isupper() else name.replace("-", "_"), kind or "", says))
    return flags


def _told(flag: Flag) -> str:
    """What is said of an argument."""
    head = "  %s%s: " % (flag.name, " (%s)" % flag.kind if flag.kind else "")
    return textwrap.fill(in_python(flag.says), 79, initial_indent=head, subsequent_indent="      ", break_long_words=False, break_on_hyphens=False)
