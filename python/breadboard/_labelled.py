"""What a user hands over, as one value: numbers, the names of their axes, the labels along them,
and what the numbers are.

The program matches labels. A target with labels is written as a table with a row for each
state, a kernel as a matrix with names of rows and columns.
"""
from __future__ import annotations

import itertools
import math
import re
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence

from ._arrays import floats, is_number
from ._tables import index_of

# Names of a Series or a DataArray that say that it is no log f
DENSITIES = "prob", "p", "density", "probability", "proportion", "count", "f"
# A label that a table shows as it is: no number, and nothing that is missing
WORD = re.compile(r"(?!(?:na|nan|inf|infinity)$)[^\W\d](?:.*\S)?", re.I)


class Labelled(NamedTuple):
    """Numbers with the names of their axes, or of the levels of the only axis, and the labels
    along each; None for labels that are 0, 1 and so on.
    """

    numbers: Any
    names: Sequence[Optional[str]]
    labels: Sequence[Optional[List[Any]]]
    kind: str = ""

    @property
    def is_named(self) -> bool:
        return (
            any(name is not None for name in self.names)
            or any(side is not None for side in self.labels)
        )


def labelled(value: Any) -> Labelled:
    """The labelled value of an object of pandas, polars or xarray, of a dict or of an array."""
    kind = (
        "prob"
        if str(getattr(value, "name", "")).lower() in DENSITIES or type(value).__name__ == "Counter"
        else "log_f"
    )
    if hasattr(value, "coords") and hasattr(value, "dims"):  # a DataArray
        sides = [
            value.coords[name].values.tolist() if name in value.coords else range(side)
            for name, side in zip(value.dims, value.shape)]
        return Labelled(value.values, list(map(str, value.dims)), list(map(_labels, sides)), kind)
    index = index_of(value)
    if hasattr(value, "columns"):
        numbers = value.values if hasattr(value, "values") else value.to_numpy()
        names = [getattr(index, "name", None), getattr(value.columns, "name", None)]
        return Labelled(
            numbers, names, [_labels(() if index is None else index), _labels(value.columns)], kind)
    if index is not None:
        return Labelled(list(value), list(getattr(index, "names", [None])), [_labels(index)], kind)
    if isinstance(value, Mapping):
        fields = getattr(next(iter(value), None), "_fields", [None])
        return Labelled(list(value.values()), fields, [_plain(list(value))], kind)
    return Labelled(value, [], [], kind)


def _labels(side: Iterable[Any]) -> Optional[List[Any]]:
    labels = _plain(list(side))
    return None if are_positions(labels) else labels


def _plain(labels: List[Any]) -> List[Any]:
    """Labels, of which truth values are 0 and 1."""
    return [int(x) if type(x).__name__ in ("bool", "bool_") else x for x in labels]


def are_positions(labels: Iterable[Any]) -> bool:
    """Whether labels are 0, 1 and so on, in this order, as those that nobody has given."""
    return all(is_number(label) and label == k for k, label in enumerate(labels))


def texts(labels: Iterable[Any]) -> List[Any]:
    """Labels of one axis as files have them: numbers alone, or texts that are no numbers and all
    different.
    """
    labels = list(labels)
    found = [_text(x, not all(map(is_number, labels))) for x in labels]
    if len(set(found)) < len(set(map(repr, labels))):  # such as None and "None"
        found = [repr(x) if isinstance(x, str) else text for x, text in zip(labels, found)]
    return found


def _text(label: Any, mixed: bool = False) -> Any:
    if isinstance(label, tuple):
        return ",".join(str(_text(part)) for part in label)
    if is_number(label):
        return (
            "%s(%r)" % (type(label).__name__, label) if mixed else int(label) if label == int(label)
            else label
        )
    return label if isinstance(label, str) and WORD.fullmatch(label) else repr(label)


def nested(values: Any) -> Any:
    """A list of lists for an array, and for a list or tuple of arrays, lists or tuples; anything
    else, and what has names, as it is.
    """
    if hasattr(values, "tolist"):
        return values if is_table(values) or labelled(values).is_named else values.tolist()
    return list(map(nested, values)) if isinstance(values, (list, tuple)) else values


def states_of(values: Any) -> Optional[List[Any]]:
    """The labels of states in the order of their numbers, in which a tuple has the value on each
    axis; None if states have no labels.
    """
    if (
        is_table(values)
        or isinstance(values, Mapping) and not (values and all(map(is_number, values.values())))
    ):
        return None
    of = labelled(values)
    if not of.is_named or len(of.labels) == 1 and of.labels[0] is None:
        return None
    if len(of.labels) == 1:
        return list(of.labels[0] or ())
    shape = floats(of.numbers).shape
    return list(
        itertools.product(
            *(range(side) if labels is None else labels for side, labels in zip(shape, of.labels))))


def axes_of(states: Sequence[Any]) -> Optional[List[List[Any]]]:
    """The values on each axis in the order of the program, numbers in their order and words as
    they first stand, if all states are tuples of one length.
    """
    if not states or not all(isinstance(x, tuple) and len(x) == len(states[0]) > 0 for x in states):
        return None
    sides = [list(dict.fromkeys(side)) for side in zip(*states)]
    return [
        sorted(side) if all(map(is_number, side)) else side[::-1]
            if [str(x).lower() for x in side] == ["true", "false"] else side for side in sides]


def in_program(states: Sequence[Any]) -> List[Any]:
    """States in the order that the program gives them: those of a grid row by row."""
    axes = axes_of(states)
    if axes is None or not is_grid(states):
        (side,) = axes_of([(x,) for x in states]) or [[]]
        return list(side)
    return list(itertools.product(*axes))


def is_grid(states: Sequence[Any]) -> bool:
    """Whether states are tuples, and all those of a grid."""
    return math.prod(map(len, axes_of(states) or [[]])) == len(set(states)) > 0


def columns_of_states(values: Any) -> Optional[Dict[str, Any]]:
    """A table with a row for each state: its axes, and the column log_f or prob, if anything has
    names; else None.
    """
    of, states = labelled(values), states_of(values)
    names: List[Any] = list(of.names)
    if states is None:
        if of.kind == "log_f" or len(of.labels) != 1:
            return None
        states = list(range(len(of.numbers)))
    numbers = floats(of.numbers).flat()
    if axes_of(states) is None:
        states, names = [(x,) for x in states], [
            names[0] if names[0] is not None else "x0" if all(map(is_number, states)) else "state"]
    width = len(states[0])
    names = [
        str(name) if name is not None else "x%d" % axis
        for axis, name in zip(range(width), [*names, *[None] * width])]
    column = of.kind
    while column in names:
        column += "_"
    sides = dict(zip(names, map(list, zip(*states))))
    # What is the same everywhere is no axis
    varied = [name for name, side in sides.items() if any(x != side[0] for x in side)] or names[:1]
    return {**{name: texts(sides[name]) for name in varied}, column: numbers}


def in_order(value: Any, *sides: Optional[Sequence[Any]]) -> Any:
    """The numbers of a value as nested lists, in which the labels along each axis, if it has
    any, have the given order.
    """
    of = labelled(value)
    numbers = of.numbers.tolist() if hasattr(of.numbers, "tolist") else of.numbers
    for axis, (labels, wanted) in enumerate(zip(of.labels, sides)):
        if labels is None or wanted is None:
            continue
        places = {x: k for k, x in enumerate(labels)}
        if {*labels} != {*wanted} or len(places) < len(labels):
            raise ValueError(
                "an axis has the labels %.99s, and %.99s are wanted; give both the same labels, "
                "or arrays without labels" % (labels, wanted))
        at = [places[x] for x in wanted]
        numbers = (
            [numbers[k] for k in at] if axis == 0 else [[row[k] for k in at] for row in numbers]
        )
    return numbers


def is_table(value: Any) -> bool:
    """Whether a value has a column for each axis: a structured array, a list of dicts, a dict of
    columns with lp or prob, or a data frame whose columns have names of their own and are no
    values of an axis.
    """
    if (
        getattr(getattr(value, "dtype", None), "names", None)
        or isinstance(value, list) and value and all(isinstance(row, dict) for row in value)
    ):
        return True
    if isinstance(value, Mapping) and not hasattr(value, "columns"):
        return (
            len(value) > 1 and not {"lp", "prob"}.isdisjoint(value)
            and not any(map(is_number, value.values()))
        )
    columns = getattr(value, "columns", None)
    return (
        columns is not None and getattr(columns, "name", None) is None
        and not all(map(is_number, columns))
    )
