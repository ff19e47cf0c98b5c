"""Exact results for Monte Carlo methods on small discrete spaces: the program breadboard, from Python.

    import breadboard

    rows = breadboard.tightness(toy="barrier", T=[100, 1000])
    print(rows["J"], rows["B"])                   # in nats

    exact = breadboard.arrays(toy="barrier", T=100)
    print(exact["q"])                             # the distribution of the sampler's output, in the shape of the grid

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

check_annealing, assert_invariant and others check code of your own, and diagnose checks draws.
NumPy, SciPy, pandas, polars, Matplotlib and tqdm are used if they are installed; none is required.
See `breadboard help python`.
"""
import sys
from typing import List

from .arguments import HMM, Moves, Policy, Sampler, Target
from .assertions import assert_law, assert_unbiased
from .chains import chain, transition
from .checks import Bug, Conformance, assert_annealing, assert_chain, assert_estimates, assert_invariant, assert_posterior, assert_samples, assert_vectors, check_annealing
from .commands import Command, arrays, command_names, kernel_matrix, rows
from .draws import diagnose
from .models import Energy
from .kernels import Verdict, followed, kernel_verdict
from .laws import Law, law
from .errors import BreadboardError, Open, Refused
from .notebook import Bench, serve
from .posterior import Model
from .program import BadInput, BreadboardWarning, Fault, Interrupted, find, run
from .protocol import Draws, serve_kernel, serve_moves, serve_sampler
from .tables import Rows, columns, numpy, read

__version__ = "0.1.0"

__all__ = [
    "BadInput", "Bench", "BreadboardError", "BreadboardWarning", "Bug", "Command", "Conformance", "Draws", "Energy", "Fault", "HMM", "Interrupted", "Law", "Model", "Moves", "Open", "Policy",
    "Refused", "Rows", "Sampler", "Target", "Verdict", "arrays", "assert_annealing", "assert_chain", "assert_estimates", "assert_invariant", "assert_law",
    "assert_posterior", "assert_samples", "assert_unbiased", "assert_vectors", "chain", "check_annealing", "columns", "diagnose", "find", "followed", "kernel_matrix", "kernel_verdict",
    "law", "read", "rows", "run", "serve", "serve_kernel", "serve_moves", "serve_sampler", "transition",
]


for _name in [name for name in sys.modules if name.startswith(__name__)]:  # a failure in pytest is shown where the package is called
    vars(sys.modules[_name])["__tracebackhide__"] = True


def __getattr__(name: str) -> Command:
    if not name.startswith("_"):
        if name in command_names():
            return Command(name.replace("_", "-"))
    raise AttributeError("breadboard has no command or function %s" % name)


def __dir__() -> List[str]:
    return sorted({*__all__, *command_names(), *(name for name in globals() if name.startswith("__"))})
