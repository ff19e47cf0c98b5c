"""Diagnostics of your own draws, beside exact values."""
from __future__ import annotations

import os
import zipfile
from functools import partial
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from .arguments import Given
from .commands import rows
from .npy import check_mask
from .program import meanings
from .tables import Rows, numpy, text_file


def diagnose(draws: Any, target: Any = None, function: Union[None, str, Sequence[str]] = None, *, name: str = "x0", **options: Any) -> Rows:
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
        found = rows("samplers", "diagnose", *files, toy=target, function=function, given=given, **options)
    return Rows(found, found.messages, meanings=partial(meanings, "samplers", "diagnose"))


def _files(draws: Any, name: str, folder: str) -> Tuple[List[str], bool]:
    """The files that draws are in, and whether they were written here because there were none."""
    if isinstance(draws, (str, os.PathLike)):
        return [text_file(draws, folder)], False
    if isinstance(draws, (list, tuple)) and draws and all(isinstance(one, (str, os.PathLike)) for one in draws):
        return [text_file(one, folder) for one in draws], False
    if numpy is None:
        raise TypeError("draws= needs NumPy for arrays, which is not there; give the files")
    path = os.path.join(folder, "draws.npz")
    with zipfile.ZipFile(path, "w") as archive:
        for variable, array in variables(draws, name).items():
            _write(archive, variable, array)
    return [path], True


def _write(archive: zipfile.ZipFile, variable: str, array: Any) -> None:
    """Writes the draws of a variable to an archive, where its name is no path."""
    if array.ndim != 2 or array.shape[1] == 1 < array.shape[0]:
        raise TypeError("draws= of %s have the shape %s, one row a chain; give (chains, draws), or the draws of one chain in one line" % (variable, array.shape))
    with archive.open(variable + ".npy", "w", force_zip64=True) as member:
        numpy.lib.format.write_array(member, numpy.asarray(array), allow_pickle=False)  # type: ignore[no-untyped-call]


def variables(draws: Any, name: str) -> Dict[str, Any]:
    """The draws of each variable, as arrays of shape (chains, draws)."""
    if hasattr(draws, "posterior"):
        draws = draws.posterior
    if hasattr(draws, "data_vars"):
        draws = {str(key): draws[key] for key in draws.data_vars}
    elif hasattr(draws, "dims") and hasattr(draws, "values") and not callable(draws.values):
        draws = {str(draws.name or name): draws}
    elif hasattr(draws, "columns") and hasattr(draws, "__getitem__"):
        draws = _of_frame(draws)
    elif not isinstance(draws, Mapping):
        draws = {name: draws}
    out: Dict[str, Any] = {}
    for variable, values in draws.items():
        if hasattr(values, "dims"):
            values = values.transpose("chain", "draw", ...).values
        check_mask(values)
        array = numpy.atleast_2d(numpy.asarray(values))
        if array.ndim == 2:
            out[variable] = array
            continue
        for at in numpy.ndindex(array.shape[2:]):
            out["%s[%s]" % (variable, ",".join(map(str, at)))] = numpy.ascontiguousarray(array[(slice(None), slice(None)) + at])
    return out


def _of_frame(frame: Any) -> Dict[str, Any]:
    """The draws of each column of a data frame. A column chain says of which chain they are; the number of a draw, and of an iteration, are no draws."""
    columns = {str(name).lstrip("."): numpy.asarray(frame[name]) for name in frame.columns}
    chain = columns.pop("chain", None)
    for name in ("draw", "iteration"):
        columns.pop(name, None)
    if chain is None:
        return columns
    names, lengths = numpy.unique(chain, return_counts=True)
    if len(set(lengths)) > 1:
        raise ValueError("the chains of the data frame have different lengths: %s" % ", ".join("%s %d" % pair for pair in zip(names, lengths)))
    return {name: numpy.stack([values[chain == one] for one in names]) for name, values in columns.items()}
