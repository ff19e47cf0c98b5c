"""What is raised where a result is not known."""
from __future__ import annotations

import re
from typing import Any, Optional, Sequence

from .tables import Rows, rows_of


class BreadboardError(Exception):
    """A command has failed. str() is its message, with flags written as arguments.

    code is the exit code; None where no command has run. command is the list of words, messages the standard error, and stdout the
    standard output. hint is the end of the message that says what to do; empty if that is not known. unanswered is true if a function
    of yours was not done when the command ended.
    """

    unanswered = False

    def __init__(self, message: str = "", code: Optional[int] = None, command: Sequence[str] = (), stdout: str = "", messages: str = "") -> None:
        super().__init__(message if code is None else in_python(message))
        self.code, self.command, self.stdout, self.messages, self.hint = code, list(command), stdout, messages, ""

    def __reduce__(self) -> Any:
        return type(self), (self.args[0], self.code, self.command, self.stdout, self.messages), {"hint": self.hint}

    @property
    def rows(self) -> Rows:
        """The rows that the command had printed as JSON before it failed; empty if there are
        none.
        """
        return rows_of(self.stdout, self.messages)


class Refused(BreadboardError, ValueError):
    """The exact distribution of a function cannot be computed. The message gives the reason, the
    file and the line.
    """


class Open(BreadboardError, ValueError):
    """A result is not known, because a part of the distribution is not explored. The message says
    what decides, and for a mean the possible interval.
    """


def in_python(message: str) -> str:
    """A message in which flags are written as the arguments that they are in Python.

    >>> in_python("--check-that: J is no column; -T 0 is too small, unknown flag --toys")
    'check_that=: J is no column; T= 0 is too small, unknown argument toys='
    >>> in_python("an identity does not hold; see the table above")
    'an identity does not hold'
    """
    message = re.sub(r"; see (?:above|the (?:findings?|rows|variables|routines|table|notes)\b[^;\n]*)$", "", message, flags=re.MULTILINE)
    message = re.sub(r"see breadboard ([a-z ]+) --help", lambda found: "see help(breadboard.%s)" % found[1].replace(" ", "."), message)
    message = re.sub(r"write \S*prob:\S+", "give Target(values, probabilities=True)", message)
    message = re.sub(r"\b(\w+) file \1\b", r"\1", message)  # an array that was passed as a file
    message = re.sub(r"(?<![\w-])(?:--([A-Za-z][\w-]*)|-([A-Zv])\b)=?", lambda found: (found[1] or found[2]).replace("-", "_") + "=", message)
    return re.sub(r"\bflag(s?)\b", r"argument\1", message)
