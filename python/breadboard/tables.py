"""Tables of results: rows with columns, in full precision."""
from __future__ import annotations

import base64
import csv
import gc
import glob
import html
import importlib
import json
import math
import os
import re
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Tuple, Union, overload

try:
    import numpy as numpy
except ImportError:
    numpy = None  # type: ignore[assignment]

Row = Dict[str, Any]
# The type with the unit and the meaning of columns, by name.
Meanings = Dict[str, Tuple[str, str]]


class Rows(List[Row]):
    """The rows of a table, a list of dicts, which also knows its columns.

    rows[0] is a row, rows[:3] are rows again, rows["J"] is a column, and rows[["T", "J"]] is the
    table with only these columns. messages is the standard error of the command, such as notes.
    figures are its figures as SVG, by name, if they were requested. A notebook shows the table and
    the figures, and the meanings of the columns.

    >>> rows = Rows([{"T": 10, "J": 0.5}, {"T": 100, "J": 0.25}])
    >>> list(rows["T"]), rows[-1]["J"], rows.names
    ([10, 100], 0.25, ['T', 'J'])
    """

    def __init__(self, rows: Iterable[Row] = (), messages: str = "", figures: Optional[Dict[str, str]] = None, meanings: Callable[[], Meanings] = dict) -> None:
        super().__init__(rows)
        self.messages, self.figures, self.meanings = messages, figures or {}, meanings

    @property
    def names(self) -> List[str]:
        """The names of the columns, in the order of the table."""
        return list(dict.fromkeys(name for row in self for name in row))

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
    def __getitem__(self, at: Union[slice, List[str]]) -> Rows: ...
    def __getitem__(self, at: Union[int, slice, str, List[str]]) -> Any:
        if isinstance(at, (str, list)):
            for name in [at] if isinstance(at, str) else at:
                if name not in self.names:
                    raise KeyError("there is no column %r; there are %s" % (name, ", ".join(self.names)))
        if isinstance(at, str):
            return _column([row.get(at) for row in self])
        if isinstance(at, list):
            return Rows(({name: row.get(name) for name in at} for row in self), self.messages, self.figures, self.meanings)
        if isinstance(at, slice):
            return Rows(super().__getitem__(at), self.messages, self.figures, self.meanings)
        return super().__getitem__(at)

    def to_pandas(self) -> Any:
        """A data frame of pandas."""
        import pandas

        return pandas.DataFrame(list(self), columns=self.names)

    def to_polars(self) -> Any:
        """A data frame of polars."""
        import polars

        return polars.DataFrame(list(self), schema=self.names, infer_schema_length=None)

    def to_parquet(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the table to a Parquet file, by pandas or polars."""
        if _importable("pandas"):
            self.to_pandas().to_parquet(path, index=False)
        else:
            self.to_polars().write_parquet(path)

    def __repr__(self) -> str:
        return table_of(self)

    def _repr_html_(self) -> str:
        return html_of(self)


def _column(values: List[Any]) -> Any:
    """A column: an array where all values are numbers and NumPy is there, and else a list."""
    known = [v for v in values if v is not None]
    if numpy is None or not known or not all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in known):
        return values
    whole = len(known) == len(values) and all(isinstance(v, int) and abs(v) < 2**63 for v in values)
    return numpy.array([math.nan if v is None else v for v in values], dtype="i8" if whole else "f8")


def columns(table: Iterable[Row]) -> Dict[str, Any]:
    """Returns the columns of a table by name, like Rows.columns, for any list of dicts."""
    return Rows(table).columns


def read(path: Union[str, os.PathLike[str]]) -> Rows:
    """Returns the rows of a table in a JSON file that breadboard wrote, like rows(), or in a
    Parquet file.

    Such a JSON file comes from --format json, and every run with --out DIR writes one for each
    table. A file without such a table is a ValueError. A file whose name ends in .parquet is read
    by pandas or polars.
    """
    if is_parquet(path):
        return Rows(_parquet(path))
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        table = json.loads(text)
    except ValueError as error:
        raise ValueError("%s is not JSON: %s; --format json writes it" % (path, error)) from None
    if not isinstance(table, list) or not all(isinstance(row, dict) for row in table):
        raise ValueError("%s is JSON, but no table; a table is a list with an object for each row" % path)
    return Rows(_numbers(table, text))


def is_parquet(path: Any) -> bool:
    """Whether a value is the path of a file of Parquet, by its name."""
    return isinstance(path, (str, os.PathLike)) and str(os.fspath(path)).lower().endswith(".parquet")


def _importable(module: str) -> bool:
    try:
        importlib.import_module(module)
    except ImportError:
        return False
    return True


def _parquet(path: Union[str, os.PathLike[str]]) -> List[Row]:
    """The rows of a file of Parquet, in which None stands for a cell without a value."""
    if not _importable("pandas"):
        import polars

        found: List[Row] = polars.read_parquet(path).to_dicts()
        return found
    import pandas

    frame = pandas.read_parquet(path)
    cells = frame.astype(object).where(frame.notna(), None)
    return [dict(zip(map(str, frame.columns), row)) for row in cells.itertuples(index=False, name=None)]


def text_file(path: Union[str, os.PathLike[str]], folder: str) -> str:
    """The path of a file that breadboard reads: that of a file of Parquet is its copy as CSV in a folder."""
    if not is_parquet(path):
        return os.fspath(path)
    copy = os.path.join(folder, os.path.basename(path)[: -len(".parquet")] + ".csv")
    rows = Rows(_parquet(path))
    write_columns({name: [row[name] for row in rows] for name in rows.names}, copy)
    return copy


def rows_of(stdout: str, messages: str, figures: Optional[Dict[str, str]] = None, meanings: Callable[[], Meanings] = dict) -> Rows:
    """The rows of a table that is written as JSON; none where there is no table."""
    collects = gc.isenabled()
    gc.disable()  # it would look through all rows again and again while they are made, which takes as long as making them
    try:
        table = _numbers(json.loads(stdout), stdout) if stdout else []
    except ValueError:
        table = []
    finally:
        if collects:
            gc.enable()
    return Rows(table, messages, figures, meanings)


def _numbers(table: List[Row], text: str) -> List[Row]:
    """The rows of a table, of which text is the JSON, with floats for what JSON has no numbers for."""
    infinite = {"+Inf": math.inf, "-Inf": -math.inf, "NaN": math.nan}
    if any('"%s"' % word in text for word in infinite):
        for row in table:
            row.update([(name, infinite[value]) for name, value in row.items() if value.__class__ is str and value in infinite])
    return table


def columns_of(values: Any) -> Optional[Dict[str, Any]]:
    """The columns by name of a dict of them, of a data frame of pandas or polars, or of a list of dicts; None where a value is none of these."""
    if isinstance(values, list) and values and all(isinstance(row, dict) for row in values):
        values = Rows(values)
    if hasattr(values, "columns") and hasattr(values, "__getitem__"):
        return {str(name): values[name] for name in values.columns}
    return {str(name): column for name, column in values.items()} if isinstance(values, Mapping) else None


def write_columns(columns: Mapping[str, Any], path: str) -> None:
    """Writes columns to a file of CSV. They must be of one length."""
    lists = {}
    for name, values in columns.items():
        if not isinstance(values, Iterable) or isinstance(values, str):
            raise TypeError("the column %s is of type %s; give a list of values" % (name, type(values).__name__))
        lists[name] = values.tolist() if hasattr(values, "tolist") else list(values)
    if len({len(values) for values in lists.values()}) > 1:
        raise ValueError("the columns have different lengths: %s" % ", ".join("%s %d" % (name, len(values)) for name, values in lists.items()))
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerow(lists)
        csv.writer(file).writerows(zip(*lists.values()))


# How people see a table.

SHOWN = 50  # rows that are shown at most
COMMAND_LINE = re.compile(r"^wrote | breadboard |(?<!\w)--?[A-Za-z]")  # messages about files and flags


def _parts(rows: Rows) -> Tuple[List[str], str, str]:
    """The columns that are shown, what is the same in all rows, and how many rows are left out. Columns that are empty everywhere are too."""
    names = [name for name in rows.names if any(row.get(name) not in (None, "") for row in rows)]
    same = [name for name in names if len(rows) > 1 and all(row.get(name) == rows[0].get(name) for row in rows)]
    constant = ", ".join("%s = %s" % (name, text_of(rows[0].get(name))) for name in same)
    return [name for name in names if name not in same], constant, "and %d more rows" % (len(rows) - SHOWN) if len(rows) > SHOWN else ""


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
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(line, widths)) for line in [names] + cells]
    return "\n".join(filter(None, [constant] + lines + [more]))


def html_of(rows: Rows) -> str:
    """The table as HTML. Pointing at a heading says what it means."""
    names, constant, more = _parts(rows)
    described = rows.meanings()
    head = "".join("<th%s>%s</th>" % _heading(name, described) for name in names)
    body = "".join("<tr>%s</tr>" % "".join(_cell(row.get(name)) for name in names) for row in rows[:SHOWN])
    out = "<p>%s</p>" % html.escape(constant) if constant else ""
    out += '<div style="overflow-x: auto"><table><thead><tr>%s</tr></thead><tbody>%s</tbody></table></div>' % (head, body)
    notes = [line for line in rows.messages.splitlines() if not COMMAND_LINE.search(line)]
    out += "".join("<p>%s</p>" % html.escape(line) for line in filter(None, [more, *notes]))
    return out + html_of_figures(rows.figures)


def html_of_figures(figures: Dict[str, str]) -> str:
    """Figures as HTML that needs no other file."""
    encoded = {name: base64.b64encode(svg.encode("utf-8")).decode("ascii") for name, svg in figures.items()}
    return "".join('<p><img alt="%s" style="max-width: 100%%; height: auto" src="data:image/svg+xml;base64,%s"></p>' % (html.escape(name, True), data) for name, data in encoded.items())


def read_figures(folder: str) -> Dict[str, str]:
    """The figures in a folder as SVG, by the names of their files."""
    figures = {}
    for path in sorted(glob.glob(os.path.join(folder, "*.svg"))):
        with open(path, encoding="utf-8") as file:
            figures[os.path.basename(path)[: -len(".svg")]] = file.read()
    return figures


def _heading(name: str, described: Meanings) -> Tuple[str, str]:
    """The attributes and the text of a heading."""
    kind, meaning = described.get(name, ("", ""))
    unit = kind.partition(", ")[2]
    return ' title="%s"' % html.escape(meaning, True) if meaning else "", html.escape(name + (" (%s)" % unit if unit else ""))


def _cell(value: Any) -> str:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return '<td style="text-align: %s">%s</td>' % ("right" if number else "left", html.escape(text_of(value)))


def text_of(value: Any) -> str:
    """A value for people: six digits of a number."""
    return "" if value is None else "%.6g" % value if isinstance(value, float) else str(value)
