"""Diagnostics of your own draws, beside exact values."""
from __future__ import annotations

import contextlib
import os
import zipfile
from functools import partial
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from ._program.arguments import Given
from ._commands import rows
from ._labelled import is_table, labelled
from ._arrays import check_mask, is_sparse, listed
from ._help import meanings
from ._numpy import numpy
from ._tables import Rows, columns_of_draws, index_of, write_columns


def diagnose(
    draws: Any, target: Any = None, function: Union[None, str, Sequence[str]] = None, *,
    name: str = "x0", **options: Any,
) -> Rows:
    """Returns the diagnostics of draws of Markov chains, a row for each variable, beside exact
    values if a target is given.

    draws are InferenceData of ArviZ or an object with its posterior; a Dataset or DataArray of
    xarray with the dimensions chain and draw; a dict from variable names to arrays of shape
    (chains, draws) or (chains, draws, ...); a single such array, or a list with an array for each
    chain, of the variable with the given name; a data frame with a column for each variable, and a
    column chain if there are several chains; or files of CmdStan, JAGS and other programs.

    target is a toy, like in other commands. Variables are matched by the names of its axes, x0, x1
    and so on, and of its functions, such as g or sum; state is the number of a state. function adds
    functions of the states. The column mean_error (error/MCSE) is the error of the mean, in units
    of the standard error estimated from the draws.
    """
    with Given() as given:
        files, written = _files(draws, name, given.folder)
        if written:
            options.setdefault("shape", "chains,draws")
        found = rows(
            "samplers", "diagnose", *files, toy=target, function=function, given=given, **options)
    return Rows(found, found.messages, meanings=partial(meanings, "samplers", "diagnose"))


def _files(draws: Any, name: str, folder: str) -> Tuple[List[str], bool]:
    """The files that draws are in, and whether they are arrays that were written here."""
    if isinstance(draws, (str, os.PathLike)):
        return [os.fspath(draws)], False
    if (
        isinstance(draws, (list, tuple)) and draws
        and all(isinstance(one, (str, os.PathLike)) for one in draws)
    ):
        return list(map(os.fspath, draws)), False
    draws = listed(draws)
    if fields := getattr(getattr(draws, "dtype", None), "names", None):
        draws = {key: draws[key] for key in fields}
    if isinstance(draws, Mapping) and not hasattr(draws, "columns") and not hasattr(draws, "dims"):
        draws = {key: listed(side) for key, side in draws.items()}
    table = table_of_draws(draws, name)
    if table is not None:
        write_columns(table, os.path.join(folder, "draws.csv"))
        return [os.path.join(folder, "draws.csv")], False
    if numpy is None:
        raise TypeError("draws= needs NumPy for arrays, which is not there; give the files")
    path = os.path.join(folder, "draws.npz")
    with zipfile.ZipFile(path, "w") as archive:
        for variable, array in variables(draws, name).items():
            _write(archive, variable, array)
    return [path], True


def table_of_draws(draws: Any, name: str) -> Optional[Dict[str, Any]]:
    """The columns of a table with a row for each draw: a data frame, a structured array, a
    Series, or a list of tables, one for each chain; None for arrays of chains.
    """
    if hasattr(draws, "posterior") or hasattr(draws, "dims"):
        return None
    tables = (
        [None if hasattr(one, "dims") else columns_of_draws(one, name) for one in draws]
        if isinstance(draws, (list, tuple)) else []
    )
    if tables and all(one and all(map(_is_line, one.values())) for one in tables):
        chains: List[Dict[str, List[Any]]] = [
            {key: list(side) for key, side in (one or {}).items()} for one in tables]
        if len({tuple(one) for one in chains}) > 1:
            raise ValueError(
                "the chains have different variables: %s"
                % "; ".join(", ".join(one) for one in chains))
        rows = [(k, len(next(iter(one.values()), []))) for k, one in enumerate(chains)]
        columns = {key: [x for one in chains for x in one[key]] for key in chains[0]}
        return {
            **(
                {} if "chain" in columns
                else {"chain": [k for k, many in rows for _ in range(many)]}), **columns}
    if (
        isinstance(draws, Mapping) and not hasattr(draws, "columns")
        and not (draws and all(map(_is_line, draws.values())))
    ):
        return None
    return columns_of_draws(draws, name)


def _is_line(values: Any) -> bool:
    """Whether values are numbers, or words, one for each draw."""
    return (
        getattr(values, "ndim", None) == 1
        or isinstance(values, (list, tuple)) and len(values) > 0
            and not any(isinstance(x, (list, tuple)) or getattr(x, "ndim", None) for x in values)
    )


def _write(archive: zipfile.ZipFile, variable: str, array: Any) -> None:
    """Writes the draws of a variable to an archive, where its name is no path."""
    with contextlib.suppress(TypeError, ValueError):
        array = array.astype(float) if array.dtype.kind == "O" else array
    if array.dtype.kind not in "biuf":
        raise TypeError(
            "draws= of %s are no array of numbers, as of chains of different lengths; give "
            "chains of one length, or a data frame with a column chain" % variable)
    if array.ndim != 2 or array.shape[1] == 1 < array.shape[0]:
        raise TypeError(
            "draws= of %s have the shape %s, one row a chain; give (chains, draws), or the draws "
            "of one chain in one line" % (variable, array.shape))
    with archive.open(variable + ".npy", "w", force_zip64=True) as member:
        write: Any = numpy.lib.format.write_array
        write(member, numpy.asarray(array), allow_pickle=False)


def variables(draws: Any, name: str) -> Dict[str, Any]:
    """The draws of each variable, as arrays of shape (chains, draws)."""
    if hasattr(draws, "posterior"):
        draws = draws.posterior
    if hasattr(draws, "data_vars"):
        draws = {str(key): draws[key] for key in draws.data_vars}
    elif hasattr(draws, "dims"):
        draws = {str(draws.name or name): draws}
    elif not isinstance(draws, Mapping):
        draws = {name: draws}
    out: Dict[str, Any] = {}
    for key, values in draws.items():
        variable: str = str(key)
        sides: Any = []
        if hasattr(values, "dims"):
            if not {"chain", "draw"} <= {*values.dims}:
                raise ValueError(
                    "draws= of %s have the dimensions %s; name them chain and draw, as by "
                    ".rename or .expand_dims('chain')"
                    % (variable, ", ".join(map(str, values.dims))))
            values = values.transpose("chain", "draw", ...)
            sides = labelled(values).labels
            values = values.values
            for axis, side in enumerate(sides[:2]):
                values = (
                    values if side is None
                    else numpy.take(values, numpy.argsort(side, kind="stable"), axis)
                )
        elif (
            {"chain"} & {*getattr(getattr(values, "columns", None), "names", ())}
            or {"draw"} & {*getattr(index_of(values), "names", ())}
        ):
            values = values.T
        if is_table(values):
            raise TypeError(
                "draws= of %s are a table; give a list with the table of each chain" % variable)
        values = (
            list(map(listed, values)) if isinstance(values, list) else values.toarray()
            if is_sparse(values) else values
        )
        check_mask(values)
        try:
            array = numpy.atleast_2d(numpy.asarray(values))
        except (TypeError, ValueError):
            array = numpy.empty((1, 1), object)
        if array.ndim == 2:
            out[variable] = array
            continue
        for at in numpy.ndindex(array.shape[2:]):
            names = [
                k if side is None else side[k]
                for k, side in zip(at, sides[2:] or [None] * len(at))]
            out["%s[%s]" % (variable, ",".join(map(str, names)))] = numpy.ascontiguousarray(
                array[(slice(None), slice(None)) + at])
    return out
