"""What the program tells of its commands, as `breadboard help COMMAND --format json` has it."""
from __future__ import annotations

import functools
import json
import keyword
import re
import textwrap
from typing import Any, Dict, List, NamedTuple, Tuple

from ._names import COMMANDS
from ._program.arguments import SELECTORS
from ._program.run import run

# Flags that say how a table is written for people. They are for text().
WRITING = ("format", "columns", "digits", "latex")
# What the units of flags are in Python. Others are texts.
KINDS = {
    "": "bool",
    **dict.fromkeys(("N", "T", "P", "L", "M", "S", "m", "0|1"), "int"),
    **dict.fromkeys(("X", "NATS"), "number"),
    **dict.fromkeys(("FILE", "DIR", "OUT"), "path"),
}


class Flag(NamedTuple):
    """An argument of a command."""

    name: str
    unit: str
    several: bool
    means: str
    default: Any  # as Python has it; None if there is none

    @classmethod
    def of(cls, told: Dict[str, Any]) -> Flag:
        """The argument for a flag of the program."""
        name, unit = told["name"].replace("-", "_"), told.get("unit", "")
        several, default = told.get("several", False), told.get("default")
        if default is not None:
            values = list(map(_value, default.split(",")))
            default = values if several else values[0]
        elif not unit:
            default = False
        name += "_" * keyword.iskeyword(name)
        return cls(name, unit, several, told["means"], default)

    def doc(self) -> str:
        """Its entry in a docstring."""
        kind = KINDS.get(self.unit, "str") + " or a list" * self.several
        default = "" if self.default is None else ", default %r" % (self.default,)
        means = self.means + ("; " + SELECTORS[self.name] if self.name in SELECTORS else "")
        said = textwrap.fill(
            means, 79, initial_indent="    ", subsequent_indent="    ",
            break_long_words=False, break_on_hyphens=False,
        )
        return "%s : %s%s\n%s" % (self.name, kind, default, said)


def _value(said: str) -> Any:
    """A value of the command line in Python: a number, or a text."""
    try:
        return json.loads(said)
    except ValueError:
        return said


class Help(NamedTuple):
    """What the program tells of a command."""

    positional: bool  # whether there are arguments without names
    own: Tuple[Flag, ...]
    common: Tuple[Flag, ...]  # of all commands
    question: str
    details: str
    examples: str
    columns: Dict[str, Tuple[str, str]]  # the unit and the meaning of each

    def doc(self, whole: bool = True) -> str:
        """The docstring; without the common arguments, details and examples if it is not whole."""
        parts = [self.question]
        for title, flags in ("Parameters", self.own), ("Other Parameters", self.common):
            if flags and (whole or flags is self.own):
                parts.append(_section(title, "\n".join(flag.doc() for flag in flags)))
        if self.own or self.common:
            columns = "`breadboard help reference` says what its columns mean."
            parts.append(_section("Returns", "Rows\n    The rows of the table. " + columns))
        if whole and self.details:
            # What is indented is a table or code.
            indented = re.compile(r"(?m)(?:^ +\S.*\n*)+")
            details = indented.sub(lambda block: "\n::\n\n" + block[0] + "\n", self.details)
            parts.append(_section("Notes", re.sub(r"\n{3,}", "\n\n", details).strip()))
        if whole and self.examples:
            parts.append(_section("Examples", "On the command line::\n\n" + self.examples))
        return "\n\n".join(parts)


def _section(title: str, text: str) -> str:
    return "%s\n%s\n%s" % (title, "-" * len(title), text)


def commands_below(words: Tuple[str, ...]) -> Tuple[str, ...]:
    """The commands below a command, without starting the program."""
    return COMMANDS.get(" ".join(words), ())


def told(*words: str) -> List[Dict[str, Any]]:
    """What the program tells of a command, and without words of itself and all its commands."""
    found: List[Dict[str, Any]] = json.loads(run("help", *words, format="json")[0])
    return found


@functools.lru_cache(maxsize=None)
def help_of(words: Tuple[str, ...]) -> Help:
    """What the program tells of a command. It is asked once."""
    return parsed(told(*words)[0])


def parsed(command: Dict[str, Any]) -> Help:
    """The help of a command.

    >>> flag = {"name": "T", "unit": "T", "several": True, "means": "how often", "default": "3,5"}
    >>> parsed({"question": "It counts.", "arguments": False, "flags": [flag]}).own
    (Flag(name='T', unit='T', several=True, means='how often', default=[3, 5]),)
    """
    own, common = (
        tuple(flag for flag in map(Flag.of, command.get(name, ())) if flag.name not in WRITING)
        for name in ("flags", "common")
    )
    columns = {
        column["name"]: (column.get("unit", ""), column.get("meaning", ""))
        for column in reversed(command.get("columns", ()))
    }
    question, details, examples = (
        command.get(name, "") for name in ("question", "details", "examples"))
    return Help(command["arguments"], own, common, question, details, examples, columns)


def meanings(*words: Any) -> Dict[str, Tuple[str, str]]:
    """The unit and the meaning of each column of a command, whose words stand in front."""
    command: Tuple[str, ...] = ()
    for word in words:
        if word not in commands_below(command):
            break
        command += (word,)
    return help_of(command).columns if command else {}
