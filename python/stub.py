"""Writes breadboard/__init__.pyi: the types of all commands, from the help of the program, and those of the module's own functions.

    python3 stub.py             writes it
    python3 stub.py --check     fails if it would be another one
"""
import ast
import os
import re
import subprocess
import sys

from breadboard import __all__, find
from breadboard.arguments import RECORDS
from breadboard.commands import KINDS, help_of

MODULE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "breadboard", "__init__.py")

HEAD = '''# python/stub.py makes this file from the help of the program.
import os
from typing import Any, Callable, Iterable, List, Literal, Mapping, Optional, Protocol, Sequence, SupportsFloat, Union

%s

class _Array(Protocol):  # of NumPy, pandas, polars, xarray and others
    def __array__(self) -> Any: ...

_Path = Union[str, os.PathLike[str]]
_Number = SupportsFloat
_Numbers = Union[_Number, str, Iterable[_Number]]
_Texts = Union[str, Iterable[str]]
_Values = Union[str, _Array, Sequence[Any]]
_Selector = Union[_Values, Mapping[Any, Any]]
_Toy = Union[Literal[%s], _Selector, Target, HMM, Energy, os.PathLike[str], Iterable[Any]]
_Kernel = Union[Literal[%s], _Selector, Callable[..., Any], Moves, os.PathLike[str]]

__version__: str
__all__: List[str]
'''

# The arguments with a few choices, none of which has arguments of its own.
CLOSED = (
    "ancestors", "effort", "estimate", "figures", "label", "method", "objective", "paper", "proposal",
    "resample", "sampling", "scale", "scheme", "shape", "stdin", "style", "verdict",
)
TYPES = {
    "seed": "Any", "hmm": "Union[str, HMM, Mapping[str, Any]]", "toy": "_Toy", "kernel": "_Kernel", "initial": "_Selector", "start": "_Selector", "schedule": "_Selector", "path": "_Selector",
    "policy": "Union[str, Policy, Sequence[Union[str, Policy]], Mapping[str, Any]]",
    "evidence": "Union[str, Mapping[str, Any], Iterable[Any]]", "hide": "_Texts", "stages": "Union[str, Iterable[Union[str, _Number]]]", "law": "_Selector", **{name: "Any" for name in RECORDS + ("data",)}, "warmup": "Union[_Number, str]",
}
ONE = {"bool": "bool", "int": "_Number", "number": "_Number", "path": "_Path", "str": "str"}
SEVERAL = {"int": "_Numbers", "number": "_Numbers", "path": "Union[_Path, Iterable[_Path]]", "str": "_Texts"}


def walk(words=()):
    """The commands and what help says of them, each after those below it."""
    for name in help_of(words).commands:
        if words or name not in __all__:  # which are functions of the module, with help of their own
            yield from walk((*words, name))
            yield (*words, name), help_of((*words, name))


def refused(*words):
    """What the program says of words that are refused; empty if they are not."""
    done = subprocess.run([find(), *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=60, cwd="/")
    return done.stderr.decode("utf-8") if done.returncode == 2 else ""


def choices(words, flag):
    """The choices that the error for another value lists, without those that have arguments of their own."""
    name = "-" + flag.name if len(flag.name) == 1 else "--" + flag.name.rstrip("_").replace("_", "-")
    listed = re.search(r"(?:choices:|; give) (.*?)(?:; see |\n)", refused(*words, name, "no-such-choice"))
    found = [choice for choice in listed[1].split(", ") if not re.search(r"[:\[/A-Z]|--", choice) or choice in ("B", "J")] if listed else []
    if flag.name == "toy":
        found = [choice for choice in found if not refused("toys", "show", choice)]
    return ", ".join('"%s"' % choice for choice in found)


def kind_of(words, flag, known={}):
    """The type of an argument."""
    kind = TYPES.get(flag.name) or (SEVERAL if flag.several else ONE)[KINDS.get(flag.unit, "str")]
    if flag.name in CLOSED:
        if flag not in known:
            known[flag] = choices(words, flag)
        if known[flag]:
            kind = "Literal[%s]" % known[flag]
            kind = "Union[%s, Iterable[%s]%s]" % (kind, kind, ", bool" * (flag.name == "figures")) if flag.several else kind
    return kind if kind == "bool" else "Optional[%s]" % kind


def written(words, told):
    """The class of a command."""
    def named(flags):
        return ["%s: %s = %r" % (flag.name, kind_of(words, flag), flag.default) for flag in flags]

    lines = ["class _%s(Command):" % "_".join(words)]
    lines += ["    %s: _%s" % (name, "_".join((*words, name))) for name in told.commands]
    lines.append("    def __call__(\n        self, %s," % ("*arguments: Any" if told.positional else "*"))
    lines += ["        rng: Any = None,"] * any(flag.name == "seed" for flag in told.own)
    lines += ["        %s," % line for line in named(told.own) + [", ".join(named(told.common))]]
    lines.append("        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,\n    ) -> Rows:")
    text = told.text(False).replace("\\", "\\\\")
    lines.append('        """%s\n        """' % re.sub(r"(?m)^(?=.)", "        ", text).strip())
    return "\n".join(lines)


def text():
    """The whole file."""
    with open(MODULE, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    own = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.level == 1]
    imports = "\n".join("from .%s import %s" % (node.module, ", ".join("%s as %s" % (n.name, n.name) for n in node.names if n.name in __all__)) for node in own)
    tightness = {flag.name: flag for flag in help_of(("tightness",)).own}
    commands = list(walk())
    parts = [HEAD % (imports, *(choices(("tightness",), tightness[name]) for name in ("toy", "kernel")))] + [written(*command) for command in commands]
    parts.append("\n".join("%s: _%s" % (words[0], words[0]) for words, _ in commands if len(words) == 1))
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    stub, made = MODULE + "i", text()
    if "--check" in sys.argv[1:]:
        with open(stub, encoding="utf-8") as file:
            sys.exit(0 if file.read() == made else "%s is not that of the program; write it by python3 stub.py, or go test ./cmd/breadboard -run Stub -update -long" % stub)
    with open(stub, "w", encoding="utf-8") as file:
        file.write(made)
