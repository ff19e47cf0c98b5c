"""Writes what is made of the help of the program: breadboard/__init__.pyi, the types of all
commands and of the module's own functions, and breadboard/_names.py, the names of the commands.

    python3 stub.py             writes both
    python3 stub.py FOLDER      writes the types to another folder
    python3 stub.py --check     fails if the names would be others
"""
import ast
import functools
import os
import re
import sys
import textwrap

from breadboard import BadInput, __all__, _help, run
from breadboard._program.arguments import RECORDS

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "breadboard")

HEAD = '''# python/stub.py makes this file from the help of the program.
import os
from typing import Any, Callable, Iterable, List, Literal, Mapping, Optional, Protocol, Sequence
from typing import SupportsFloat, Union

%s


class _Array(Protocol):  # of NumPy, pandas, polars, xarray and others
    def __array__(self) -> Any: ...


_Path = Union[str, os.PathLike[str]]
_Number = SupportsFloat
_Numbers = Union[_Number, str, Iterable[_Number]]
_Texts = Union[str, Iterable[str]]
_Values = Union[str, _Array, Sequence[Any]]
_Selector = Union[_Values, Mapping[Any, Any]]
_Own = Union[_Selector, Target, HMM, Energy, os.PathLike[str], Iterable[Any]]
_Toy = Union[Literal[%s], _Own]
_Moving = Union[_Selector, Callable[..., Any], Moves, os.PathLike[str]]
_Kernel = Union[Literal[%s], _Moving]

__version__: str
__all__: List[str]
'''

NAMES = '''"""The commands below each command, by its words. python/stub.py makes this file."""
from typing import Dict, Tuple

COMMANDS: Dict[str, Tuple[str, ...]] = {
%s}
'''

# The arguments with a few choices, none of which has arguments of its own.
CLOSED = (
    "ancestors", "effort", "estimate", "figures", "label", "method", "objective", "paper",
    "proposal", "resample", "sampling", "scale", "scheme", "shape", "stdin", "style", "verdict",
)
TYPES = {
    "seed": "Any", "toy": "_Toy", "kernel": "_Kernel",
    **dict.fromkeys(("initial", "start", "schedule", "path", "law"), "_Selector"),
    "hmm": "Union[str, HMM, Mapping[str, Any]]",
    "policy": "Union[str, Policy, Sequence[Union[str, Policy]], Mapping[str, Any]]",
    "evidence": "Union[str, Mapping[str, Any], Iterable[Any]]",
    "hide": "_Texts",
    "stages": "Union[str, Iterable[Union[str, _Number]]]",
    "warmup": "Union[_Number, str]",
    **dict.fromkeys((*RECORDS, "data"), "Any"),
}
ONE = {"bool": "bool", "int": "_Number", "number": "_Number", "path": "_Path", "str": "str"}
SEVERAL = {
    "int": "_Numbers", "number": "_Numbers", "path": "Union[_Path, Iterable[_Path]]",
    "str": "_Texts",
}


def refusal(*words, **flags):
    """What the program says of a command that it refuses; None if it does not."""
    try:
        run(*words, progress=False, **flags)
    except BadInput as error:
        return error
    return None


@functools.lru_cache(maxsize=None)
def choices(words, name, means):
    """The choices for an argument, without those that have arguments of their own."""
    error = refusal(*words, **{name: "no-such-choice"})
    known = [choice.partition("[")[0] for choice in getattr(error, "choices", ())]
    plain = [choice for choice in known if not re.search("[:/A-Z]|--|^$", choice) or choice in "BJ"]
    if name == "toy":
        plain = [choice for choice in plain if not refusal("toys", "show", choice)]
    return ", ".join('"%s"' % choice for choice in plain)


def kind_of(words, flag):
    """The type of an argument."""
    known = SEVERAL if flag.several else ONE
    kind = TYPES.get(flag.name) or known[_help.KINDS.get(flag.unit, "str")]
    given = choices(words, flag.name, flag.means) if flag.name in CLOSED else ""
    if given:
        kind = "Literal[%s]" % given
        if flag.several:
            kind = "Union[%s, Iterable[%s]%s]" % (kind, kind, ", bool" * (flag.name == "figures"))
    return kind if kind == "bool" else "Optional[%s]" % kind


def written(words, told, below):
    """The class of a command."""

    def named(flags):
        return ["%s: %s = %r" % (f.name, kind_of(words, f), f.default) for f in flags]

    lines = ["class _%s(Command):" % "_".join(words)]
    lines += ["    %s: _%s" % (name, "_".join((*words, name))) for name in below]
    lines.append(
        "    def __call__(\n        self, %s," % ("*arguments: Any" if told.positional else "*"))
    lines += ["        rng: Any = None,"] * any(flag.name == "seed" for flag in told.own)
    lines += ["        %s," % line for line in [*named(told.own), ", ".join(named(told.common))]]
    lines.append(
        "        binary: Optional[_Path] = None, cwd: Optional[_Path] = None,\n"
        "        progress: Optional[bool] = None,\n    ) -> Rows:"
    )
    text = told.doc(False).replace("\\", "\\\\")
    lines.append('        """%s\n        """' % re.sub(r"(?m)^(?=.)", "        ", text).strip())
    return "\n".join(lines)


def stub(commands):
    """The types."""
    with open(os.path.join(FOLDER, "__init__.py"), encoding="utf-8") as file:
        tree = ast.parse(file.read())
    own = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.level == 1]
    imports = [
        "from .%s import %s as %s" % (node.module, n.name, n.name)
        for node in own for n in node.names if n.name in __all__
    ]
    of = {flag.name: flag.means for flag in commands["tightness"].own}
    known = (choices(("tightness",), name, of[name]) for name in ("toy", "kernel"))
    parts = [HEAD % ("\n".join(imports), *known)]
    names = _help.COMMANDS
    for name in reversed(commands):  # each after those below it
        parts.append(written(tuple(name.split()), commands[name], names.get(name, ())))
    parts.append("\n".join("%s: _%s" % (name, name) for name in names[""]))
    return "\n\n\n".join(parts) + "\n"


def listed(name, names):
    """The entry of a command in the dict of names."""
    lines = textwrap.wrap(" ".join('"%s",' % one for one in names), 92)
    return '    "%s": (\n%s    ),\n' % (name, "".join("        %s\n" % line for line in lines))


def of_functions(command):
    """Whether a command is a function of the module with help of its own, or prints no table."""
    return command["command"] in (*__all__, "help", "serve")


if __name__ == "__main__":
    told = [command for command in _help.told() if not of_functions(command)]
    below = {c["command"]: tuple(c["commands"]) for c in told if c.get("commands")}
    known = {c["command"] for c in told}
    below[""] = tuple(name for name in below[""] if name in known)
    text = NAMES % "".join(map(listed, below, below.values()))
    path, out = os.path.join(FOLDER, "_names.py"), FOLDER
    if "--check" in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            if file.read() != text:
                sys.exit("%s: the program has other commands; run python3 stub.py" % path)
        sys.exit()
    if sys.argv[1:]:
        out = sys.argv[1]
    else:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    _help.COMMANDS = below
    commands = {c["command"]: _help.parsed(c) for c in told if c["command"]}
    with open(os.path.join(out, "__init__.pyi"), "w", encoding="utf-8") as file:
        file.write(stub(commands))
