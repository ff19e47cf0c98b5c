"""What is raised where a result is not known."""
from __future__ import annotations

from typing import Any, List, Optional, Sequence

from ._tables import Rows, rows_of, text_of


class BreadboardError(Exception):
    """A command has failed. str() is its message.

    Attributes
    ----------
    what, hint : str
        What is wrong, and what to do; empty if that is not known.
    choices : list of str
        What could have been given in place of a name that is unknown.
    code : int or None
        The exit code; None where no command has run.
    command : list of str
        The words of the command line.
    stdout, messages : str
        The standard output, and the standard error.
    unanswered : bool
        Whether a function of yours was not done when the command ended.
    """

    def __init__(
        self, message: str = "", code: Optional[int] = None, command: Sequence[str] = (),
        stdout: str = "", messages: str = "",
    ) -> None:
        super().__init__(message)
        self.what, self.hint, self.choices = message, "", list[str]()
        self.code, self.command, self.stdout, self.messages = code, list(command), stdout, messages
        self.unanswered = False

    def __reduce__(self) -> Any:
        return type(self), self.args, vars(self)

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


class BreadboardWarning(UserWarning):
    """An input was read in a way that you may not mean, or the program has another version than the
    module.
    """


class Fault(BreadboardError, AssertionError):
    """A check has found a fault: exit code 1. rows has the table of the check, and str()
    includes the faults.
    """

    @property
    def notes(self) -> List[str]:
        """The notes of the check, without those about the command line."""
        about_output = ("further tables:", "wrote ", "v= ")
        return [
            line for line in self.messages.splitlines()[:-1] if not line.startswith(about_output)]

    def __str__(self) -> str:
        said = [
            [row for row in self.rows if row.get("verdict") == verdict]
            for verdict in ("fault", "open")]
        faults = said[0] or said[1]
        found = [
            (
                row.get("finding") or row.get("test") or "", row.get("value"),
                row.get("where") or row.get("statistic") or "") for row in faults]
        listed = [
            "%s: %s" % (name if value is None else "%s = %s" % (name, text_of(value)), where)
            for name, value, where in found]
        return "\n  ".join([super().__str__(), *(listed or self.notes)])


class BadInput(BreadboardError, ValueError):
    """The input was invalid: exit code 2. The message says what is wrong, where, and what to do.
    If one entry of a list was invalid, rows has those of the others.
    """


class Interrupted(KeyboardInterrupt):
    """The command was ended by Ctrl-C. rows has the rows printed until then, if any."""

    def __init__(self, stdout: str = "", messages: str = "") -> None:
        super().__init__("breadboard was interrupted")
        self.stdout, self.messages = stdout, messages

    def __reduce__(self) -> Any:
        return type(self), (self.stdout, self.messages)

    @property
    def rows(self) -> Rows:
        return rows_of(self.stdout, self.messages)
