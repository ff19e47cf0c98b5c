"""Exact results for Monte Carlo methods on small discrete spaces: the program breadboard, from
Python.

    import breadboard

    rows = breadboard.tightness(toy="barrier", T=[100, 1000])
    print(rows["J"], rows["B"])                   # in nats

    exact = breadboard.arrays(toy="barrier", T=100)
    print(exact["q"])                             # the distribution of the sampler's output, in
    the shape of the grid

Every command is a function: help(breadboard.tightness) shows what `breadboard tightness --help`
shows, and breadboard.samplers.errors is `breadboard samplers errors`. A kernel of your own draws
through `chooser`, as from a random number generator. breadboard then computes its exact J and B:

    def move(chooser, logf, shape, x):
        y = chooser.uniform(len(logf))            # a whole number below len(logf)
        accept = math.exp(min(0.0, logf[y] - logf[x]))
        return y if chooser.flip(accept) else x

    breadboard.tightness(toy="random:2:0:3x3", T=10, kernel=move)

The exact distribution of code that takes a NumPy generator or a random.Random, unchanged:

    breadboard.law(lambda rng: int(5 * rng.random()))          # 0.2 each

check_annealing, assert_invariant and others check code of your own, and diagnose checks
draws. NumPy, SciPy, pandas, polars, Matplotlib and tqdm are used if they are installed; none
is required. See `breadboard help python`.
"""
import sys
from typing import List

from ._checks import (
    Bug, Conformance, assert_annealing, assert_chain, assert_estimates, assert_invariant,
    assert_posterior, assert_samples, assert_vectors, check_annealing,
)
from ._commands import Command, arrays, kernel_matrix, rows
from ._draws import diagnose
from ._errors import (
    BadInput, BreadboardError, BreadboardWarning, Fault, Interrupted, Open, Refused,
)
from ._help import commands_below
from ._law.assertions import assert_law, assert_unbiased
from ._law.chains import chain, transition
from ._law.laws import Law, law
from ._program.arguments import HMM, Moves, Policy, Sampler, Target
from ._program.models import Energy
from ._program.run import find, run
from ._serve.kernels import followed
from ._serve.posterior import Model
from ._serve.protocol import Draws, serve_kernel, serve_moves, serve_sampler
from ._tables import Rows, columns, read
from ._version import __version__

__all__ = [
    "BadInput", "BreadboardError", "BreadboardWarning", "Bug", "Command", "Conformance", "Draws",
    "Energy", "Fault", "HMM", "Interrupted", "Law", "Model", "Moves", "Open", "Policy", "Refused",
    "Rows", "Sampler", "Target", "arrays", "assert_annealing", "assert_chain", "assert_estimates",
    "assert_invariant", "assert_law", "assert_posterior", "assert_samples", "assert_unbiased",
    "assert_vectors", "chain", "check_annealing", "columns", "diagnose", "find", "followed",
    "kernel_matrix", "law", "read", "rows", "run", "serve_kernel", "serve_moves", "serve_sampler",
    "transition",
]

for _name in __all__:  # people see the name that they may import
    globals()[_name].__module__ = __name__
for _name in [name for name in sys.modules if name.startswith(__name__)]:
    vars(sys.modules[_name])["__tracebackhide__"] = True  # pytest shows where the package is called


def __getattr__(name: str) -> Command:
    word = name.replace("_", "-")
    if word not in commands_below(()):
        raise AttributeError("breadboard has no command or function %s" % name)
    return Command(word)


def __dir__() -> List[str]:
    commands = (word.replace("-", "_") for word in commands_below(()))
    return sorted({*__all__, *commands, *(name for name in globals() if name.startswith("__"))})
