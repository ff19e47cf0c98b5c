"""Tables of results: rows with columns, in full precision."""
from __future__ import annotations

import base64
import csv
import gc
import glob
import html
import importlib
import itertools
import json
import math
import os
import re
from typing import (
    TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Mapping, Optional, Protocol, Tuple,
    Union, overload,
)

from ._numpy import numpy

Row = Dict[str, Any]
# The unit and the meaning of columns, by name.
Meanings = Dict[str, Tuple[str, str]]


class Mask(Protocol):
    """An array of NumPy or a column of pandas."""

    def tolist(self) -> Any: ...


class Rows(List[Row]):
    """The rows of a table, a list of dicts, which also knows its columns.

    rows[0] is a row, rows[:3] are rows again, rows["J"] is a column, and rows[["T", "J"]] is the
    table with only these columns. rows[rows["T"] > 10] has the rows of a mask, an array or a list,
    and rows[lambda row: row["toy"] == "easy"] those of a condition. rows + others joins tables, and
    rows.copy() has rows of its own. messages is the standard error of the command, such as notes.
    figures are its figures as SVG, by name, if they were requested. A notebook shows the table and
    the figures, and the meanings of the columns.

    >>> rows = Rows([{"T": 10, "J": 0.5}, {"T": 100, "J": 0.25}])
    >>> list(rows["T"]), rows[-1]["J"], rows.names
    ([10, 100], 0.25, ['T', 'J'])
    """

    def __init__(
        self, rows: Iterable[Row] = (), messages: str = "",
        figures: Optional[Dict[str, str]] = None, meanings: Callable[[], Meanings] = dict,
    ) -> None:
        super().__init__(rows)
        self.messages, self.figures, self.meanings = messages, figures or {}, meanings
        self._names: List[str] = []  # of rows that were left out

    @property
    def names(self) -> List[str]:
        """The names of the columns, in the order of the table."""
        return list(dict.fromkeys([*self._names, *(name for row in self for name in row)]))

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            known = not name.startswith("_") and name in self.names
            raise AttributeError(
                "rows have no attribute %r" % name
                + known
                * '; the column is rows["{0}"], and in a row it is rows[0]["{0}"]'.format(name))

    def _part(self, rows: Iterable[Row], names: Optional[List[str]] = None) -> Rows:
        """Some rows, which know the columns of all, or those with these names."""
        part = Rows(rows, self.messages, self.figures, self.meanings)
        part._names = self.names if names is None else names
        return part

    @property
    def columns(self) -> Dict[str, Any]:
        """The columns by name: an array if all values are numbers and NumPy is installed, otherwise
        a list.

        None, a cell without a value, is nan in an array.
        """
        return {name: _column([row.get(name) for row in self]) for name in self.names}

    @overload  # type: ignore[override]
    def __getitem__(self, at: str) -> Any: ...
    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: Union[slice, List[Any], Mask, Callable[[Row], Any]]) -> Rows: ...
    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, bool):
            raise TypeError(
                "rows[%s]: a column of texts is a list, of which a comparison is one truth "
                "value; write rows[lambda row: row['toy'] == 'easy']" % at)
        if callable(at):
            at = [bool(at(row)) for row in self]
        at = at.tolist() if hasattr(at, "tolist") else at
        if isinstance(at, list) and at and not any(isinstance(v, str) for v in at):
            if all(isinstance(v, bool) for v in at) and len(at) != len(self):
                raise IndexError(
                    "the mask has %d values, and there are %d rows" % (len(at), len(self)))
            places = [k for k, keep in enumerate(at) if keep] if isinstance(at[0], bool) else at
            return self._part(list.__getitem__(self, k) for k in places)
        if isinstance(at, (str, list)):
            for name in [at] if isinstance(at, str) else at:
                if name not in self.names:
                    raise KeyError(
                        "there is no column %r; there are %s" % (name, ", ".join(self.names)))
        if isinstance(at, str):
            return _column([row.get(at) for row in self])
        if isinstance(at, list):
            return self._part(({name: row.get(name) for name in at} for row in self), at)
        if isinstance(at, slice):
            return self._part(super().__getitem__(at))
        return super().__getitem__(at)

    def __add__(self, other: List[Any]) -> Rows:  # type: ignore[override]
        messages = "".join(
            dict.fromkeys((self.messages + getattr(other, "messages", "")).splitlines(True)))
        return Rows(
            [*self, *other], messages, joined(self.figures, getattr(other, "figures", {})),
            self.meanings)

    def copy(self) -> Rows:
        """The same table, with rows of its own."""
        return self._part(map(dict, self))

    def _ipython_key_completions_(self) -> List[str]:
        return self.names

    def to_pandas(self) -> Any:
        """A data frame of pandas. attrs["units"] has the units of columns by name."""
        import pandas

        frame = pandas.DataFrame(list(self), columns=self.names)
        known = self.meanings().items()
        units = {name: unit for name, (unit, _) in known if unit and name in frame.columns}
        frame.attrs.update({"units": units} if units else {})
        return frame

    def __repr__(self) -> str:
        return table_of(self)

    def _repr_html_(self) -> str:
        return html_of(self)


def _column(values: List[Any]) -> Any:
    """A column: an array where all values are numbers and NumPy is there, and else a list."""
    known = [v for v in values if v is not None]
    if (
        numpy is None or not known
        or not all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in known)
    ):
        return values
    whole = len(known) == len(values) and all(isinstance(v, int) and abs(v) < 2**63 for v in values)
    return numpy.array(
        [math.nan if v is None else v for v in values], dtype="i8" if whole else "f8")


def columns(table: Iterable[Row]) -> Dict[str, Any]:
    """Returns the columns of a table by name, like Rows.columns, for any list of dicts."""
    return Rows(table).columns


def read(path: Union[str, os.PathLike[str]]) -> Rows:
    """Returns the rows of a table in a JSON file that breadboard wrote, like rows().

    Such a JSON file comes from --format json, and every run with --out DIR writes one for each
    table. A file without such a table is a ValueError.
    """
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        table = json.loads(text)
    except ValueError as error:
        raise ValueError("%s is not JSON: %s; --format json writes it" % (path, error)) from None
    if not isinstance(table, list) or not all(isinstance(row, dict) for row in table):
        raise ValueError(
            "%s is JSON, but no table; a table is a list with an object for each row" % path)
    return Rows(_numbers(table, text))


def rows_of(
    stdout: str, messages: str, figures: Optional[Dict[str, str]] = None,
    meanings: Callable[[], Meanings] = dict,
) -> Rows:
    """The rows of a table that is written as JSON; none where there is no table."""
    collects = gc.isenabled()
    # It would look through all rows again and again while they are made, which takes as long as
    # making them
    gc.disable()
    try:
        table = _numbers(json.loads(stdout), stdout) if stdout else []
    except ValueError:
        table = []
    finally:
        if collects:
            gc.enable()
    return Rows(table, messages, figures, meanings)


def _numbers(table: List[Row], text: str) -> List[Row]:
    """The rows of a table, of which text is the JSON, with floats for what JSON has no numbers for.
    """
    infinite = {"+Inf": math.inf, "-Inf": -math.inf, "NaN": math.nan}
    if any('"%s"' % word in text for word in infinite):
        for row in table:
            row.update(
                [
                    (name, infinite[value]) for name, value in row.items()
                    if value.__class__ is str and value in infinite])
    return table


def index_of(values: Any) -> Any:
    """The index of an object of pandas; None for anything else, such as a list, of which it is a
    method.
    """
    index = getattr(values, "index", None)
    return index if hasattr(index, "nlevels") else None


def columns_of(values: Any) -> Optional[Dict[str, Any]]:
    """The columns by name of a dict of them, of a data frame of pandas or polars with the named
    levels of its index, of a structured array, or of a list of dicts; None where a value is
    none of these.
    """
    if fields := getattr(getattr(values, "dtype", None), "names", None):
        return {name: values[name] for name in fields}
    if isinstance(values, list) and values and all(isinstance(row, dict) for row in values):
        values = Rows(values)
    if hasattr(values, "columns") and hasattr(values, "__getitem__"):
        index = index_of(values)
        levels = list(getattr(index, "names", ()))
        if None in levels and len(index) and (len(levels) > 1 or isinstance(index[0], str)):
            raise ValueError(
                "the index of a data frame has labels, and no names of its levels; name them, as "
                "in frame.rename_axis(['chain', 'draw'])")
        if len(values.columns) and getattr(values.columns, "nlevels", 1) > 1:
            raise ValueError(
                "the columns of a data frame have several levels; give one, as in frame.stack(0)")
        named = {
            str(name): index.get_level_values(name) for name in levels
            if name is not None and name not in values.columns}
        return {**named, **{str(name): values[name] for name in values.columns}}
    return (
        {str(name): column for name, column in values.items()} if isinstance(values, Mapping)
        else None
    )


def columns_of_draws(draws: Any, name: str) -> Optional[Dict[str, Any]]:
    """The columns of a table of draws, as of columns_of; also of a Series, which has this name
    if it has none, and of a dict of Series. The columns of a data frame may be chains or
    draws. An index without a name that does not rise has the numbers of the draws.
    """
    if (
        isinstance(draws, Mapping) and draws
        and all(
            index_of(side) is not None and not hasattr(side, "columns") for side in draws.values())
    ):
        draws = importlib.import_module("pandas").DataFrame(draws)
    for level in {"chain", "draw"}.intersection(
        getattr(getattr(draws, "columns", None), "names", ())):
        draws = draws.stack(level)
    index = index_of(draws)
    is_sorted = index is None or index.names != [None] or index.is_monotonic_increasing
    if index is not None and not hasattr(draws, "columns"):
        if draws.name is None and index.names == [None] and is_sorted:
            return None
        draws = draws.to_frame(name if draws.name is None else draws.name)
    columns = columns_of(draws)
    if (
        columns and not is_sorted
        and not any(re.match("draw|iter|step", one.lower()) for one in columns)
    ):
        return {"draw": index, **columns}
    return columns


def write_columns(columns: Mapping[str, Any], path: str) -> None:
    """Writes columns to a file of CSV. They must be of one length."""
    lists = {}
    for name, values in columns.items():
        if not isinstance(values, Iterable) or isinstance(values, str):
            raise TypeError(
                "the column %s is of type %s; give a list of values"
                % (name, type(values).__name__))
        lists[name] = values.tolist() if hasattr(values, "tolist") else list(values)
    if len({len(values) for values in lists.values()}) > 1:
        raise ValueError(
            "the columns have different lengths: %s"
            % ", ".join("%s %d" % (name, len(values)) for name, values in lists.items()))
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerow(lists)
        csv.writer(file).writerows(zip(*lists.values()))


# How people see a table.

SHOWN = 50  # rows that are shown at most
# Messages about files and flags
COMMAND_LINE = re.compile(r"^wrote |\bbreadboard [a-z]|(?<!\w)(--?[A-Za-z]|\w+= )")


def _parts(rows: Rows) -> Tuple[List[str], str, str]:
    """The columns that are shown, what is the same in all rows, and how many rows are left out.
    Columns that are empty everywhere are too.
    """
    names = [name for name in rows.names if any(row.get(name) not in (None, "") for row in rows)]
    same = [
        name for name in names
        if len(rows) > 1 and all(row.get(name) == rows[0].get(name) for row in rows)]
    constant = ", ".join("%s = %s" % (name, text_of(rows[0].get(name))) for name in same)
    return (
        [name for name in names if name not in same], constant,
        "and %d more rows" % (len(rows) - SHOWN) if len(rows) > SHOWN else ""
    )


def table_of(rows: Rows) -> str:
    """The table as text.

    >>> Rows([{"toy": "easy", "T": 10, "J": 0.9045283}, {"toy": "easy", "T": 100, "J": 0.5}])
    toy = easy
      T         J
     10  0.904528
    100       0.5
    """
    names, constant, more = _parts(rows)
    cells = [[text_of(row.get(name)) for name in names] for row in rows[:SHOWN]]
    widths = [max(map(len, column)) for column in zip(names, *cells)]
    lines = [
        "  ".join(cell.rjust(width) for cell, width in zip(line, widths))
        for line in [names] + cells]
    return "\n".join(filter(None, [constant] + lines + [more]))


def html_of(rows: Rows) -> str:
    """The table as HTML. Pointing at a heading says what it means."""
    names, constant, more = _parts(rows)
    described = rows.meanings()
    head = "".join("<th%s>%s</th>" % _heading(name, described) for name in names)
    body = "".join(
        "<tr>%s</tr>" % "".join(_cell(row.get(name)) for name in names) for row in rows[:SHOWN])
    out = "<p>%s</p>" % html.escape(constant) if constant else ""
    out += (
        '<div style="overflow-x: auto"><table><thead><tr>%s</tr></thead><tbody>%s</tbody></table>'
        '</div>' % (head, body)
    )
    notes = [line for line in rows.messages.splitlines() if not COMMAND_LINE.search(line)]
    out += "".join("<p>%s</p>" % html.escape(line) for line in filter(None, [more, *notes]))
    return out + html_of_figures(rows.figures)


def html_of_figures(figures: Dict[str, str]) -> str:
    """Figures as HTML that needs no other file."""
    encoded = {
        name: base64.b64encode(svg.encode("utf-8")).decode("ascii")
        for name, svg in figures.items()}
    return "".join(
        '<p><img alt="%s" style="max-width: 100%%; height: auto" '
        'src="data:image/svg+xml;base64,%s"></p>' % (html.escape(name, True), data)
        for name, data in encoded.items())


def joined(first: Mapping[str, str], more: Mapping[str, str]) -> Dict[str, str]:
    """The figures of two tables. A name that both have gets a number, as tightness_bounds-2."""
    out = dict(first)
    for name, svg in more.items():
        numbered = itertools.chain([name], map((name + "-%d").__mod__, itertools.count(2)))
        out[next(one for one in numbered if one not in out)] = svg
    return out


def read_figures(folder: str) -> Dict[str, str]:
    """The figures in a folder as SVG, by the names of their files."""
    figures = {}
    for path in sorted(glob.glob(os.path.join(folder, "*.svg"))):
        with open(path, encoding="utf-8") as file:
            figures[os.path.basename(path)[: -len(".svg")]] = file.read()
    return figures


def _heading(name: str, described: Meanings) -> Tuple[str, str]:
    """The attributes and the text of a heading."""
    unit, meaning = described.get(name, ("", ""))
    return ' title="%s"' % html.escape(meaning, True) if meaning else "", html.escape(
        name + (" (%s)" % unit if unit else ""))


def _cell(value: Any) -> str:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return '<td style="text-align: %s">%s</td>' % (
        "right" if number else "left", html.escape(text_of(value)))


def text_of(value: Any) -> str:
    """A value for people: six digits of a number."""
    return "" if value is None else "%.6g" % value if isinstance(value, float) else str(value)
