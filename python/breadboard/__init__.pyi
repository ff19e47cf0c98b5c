# python/stub.py makes this file from the help of the program.
import os
from typing import Any, Callable, Iterable, List, Literal, Mapping, Optional, Protocol, Sequence, SupportsFloat, Union

from .arguments import HMM as HMM, Moves as Moves, Policy as Policy, Sampler as Sampler, Target as Target
from .assertions import assert_law as assert_law, assert_unbiased as assert_unbiased
from .chains import chain as chain, transition as transition
from .checks import Bug as Bug, Conformance as Conformance, assert_annealing as assert_annealing, assert_chain as assert_chain, assert_estimates as assert_estimates, assert_invariant as assert_invariant, assert_posterior as assert_posterior, assert_samples as assert_samples, assert_vectors as assert_vectors, check_annealing as check_annealing
from .commands import Command as Command, arrays as arrays, kernel_matrix as kernel_matrix, rows as rows
from .draws import diagnose as diagnose
from .models import Energy as Energy
from .kernels import Verdict as Verdict, followed as followed, kernel_verdict as kernel_verdict
from .laws import Law as Law, law as law
from .errors import BreadboardError as BreadboardError, Open as Open, Refused as Refused
from .notebook import Bench as Bench, serve as serve
from .posterior import Model as Model
from .program import BadInput as BadInput, BreadboardWarning as BreadboardWarning, Fault as Fault, Interrupted as Interrupted, find as find, run as run
from .protocol import Draws as Draws, serve_kernel as serve_kernel, serve_moves as serve_moves, serve_sampler as serve_sampler
from .tables import Rows as Rows, columns as columns, read as read

class _Array(Protocol):  # of NumPy, pandas, polars, xarray and others
    def __array__(self) -> Any: ...

_Path = Union[str, os.PathLike[str]]
_Number = SupportsFloat
_Numbers = Union[_Number, str, Iterable[_Number]]
_Texts = Union[str, Iterable[str]]
_Values = Union[str, _Array, Sequence[Any]]
_Selector = Union[_Values, Mapping[Any, Any]]
_Toy = Union[Literal["easy", "hard", "barrier", "schools", "clu6", "clu8", "clu4", "bin4", "low", "gridclu", "hyper"], _Selector, Target, HMM, Energy, os.PathLike[str], Iterable[Any]]
_Kernel = Union[Literal["metropolis", "moore", "flip", "barker", "independence", "exact", "heatbath", "heatbath-scan", "heatbath-zigzag", "suwa-todo", "swendsen-wang", "wolff", "gradient", "delayed-rejection", "stay"], _Selector, Callable[..., Any], Moves, os.PathLike[str]]

__version__: str
__all__: List[str]


class _tightness(Command):
    def __call__(
        self, *,
        T: Optional[_Numbers] = [10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000],
        initial: Optional[_Selector] = None,
        kernel: Optional[_Kernel] = 'metropolis',
        path: Optional[_Selector] = 'geometric',
        quotient: Optional[str] = None,
        schedule: Optional[_Selector] = 'linear',
        toy: Optional[_Toy] = ['easy', 'hard', 'barrier'],
        certify: bool = False,
        check: bool = False,
        most: Optional[_Number] = 1000000,
        until: Optional[str] = None,
        time: Optional[str] = '10m0s',
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """tightness computes the exact Jeffreys divergence J between the output of
        annealed importance sampling and its target, and the exact expectation B of the
        bound on J that bidirectional Monte Carlo reports.

        Parameters
        ----------
        T : int or a list, default [10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000]
            number of distributions, both ends included
        initial : str
            where the path starts (default the prior of a model, else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str, default 'metropolis'
            Markov kernel (breadboard kernel); a selector such as 'heatbath', a
            function move(x, rng), move(log_f, x, rng) or matrix(log_f), a transition
            matrix (also of scipy.sparse), or its Path; in a dict by name
        path : str, default 'geometric'
            the path of distributions, as in q:0.5; a selector such as 'geometric', log
            f of each state at each of T stages, (T, states) or (T, *shape), or log f
            of a distribution on the way; in a dict by name
        quotient : str
            solve classes of states that the kernel treats alike: auto, or auto:TOL up
            to TOL nats
        schedule : str, default 'linear'
            schedule (breadboard schedule); a selector such as 'sigmoid', or a list of
            betas from 0 to 1; in a dict by name
        toy : str or a list, default ['easy', 'hard', 'barrier']
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        certify : bool, default False
            count correct digits in 256 bits; exit code 1 if there are fewer than 12
        check : bool, default False
            check the results by another method; exit code 1 if they differ
        most : int, default 1000000
            the largest number that until= tries
        until : str
            find the smallest size that meets a condition: T, as in "J<0.01"
        time : str, default '10m0s'
            the time that may be taken, as in 90s or 2h
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _gap(Command):
    def __call__(
        self, *,
        T: Optional[_Numbers] = [100],
        initial: Optional[_Selector] = None,
        kernel: Optional[_Kernel] = 'metropolis',
        path: Optional[_Selector] = 'geometric',
        schedule: Optional[_Selector] = 'linear',
        toy: Optional[_Toy] = ['easy', 'hard', 'barrier'],
        time: Optional[str] = '10m0s',
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """gap shows how much each stage of the annealing adds to B - J, exactly.

        Parameters
        ----------
        T : int or a list, default [100]
            number of distributions, both ends included
        initial : str
            where the path starts (default the prior of a model, else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str, default 'metropolis'
            Markov kernel (breadboard kernel); a selector such as 'heatbath', a
            function move(x, rng), move(log_f, x, rng) or matrix(log_f), a transition
            matrix (also of scipy.sparse), or its Path; in a dict by name
        path : str, default 'geometric'
            the path of distributions, as in q:0.5; a selector such as 'geometric', log
            f of each state at each of T stages, (T, states) or (T, *shape), or log f
            of a distribution on the way; in a dict by name
        schedule : str, default 'linear'
            schedule (breadboard schedule); a selector such as 'sigmoid', or a list of
            betas from 0 to 1; in a dict by name
        toy : str or a list, default ['easy', 'hard', 'barrier']
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        time : str, default '10m0s'
            the time that may be taken, as in 90s or 2h
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _weights(Command):
    def __call__(
        self, *,
        T: Optional[_Numbers] = [100],
        initial: Optional[_Selector] = None,
        kernel: Optional[_Kernel] = 'metropolis',
        path: Optional[_Selector] = 'geometric',
        samples: Optional[_Numbers] = None,
        schedule: Optional[_Selector] = 'linear',
        toy: Optional[_Toy] = ['easy', 'hard', 'barrier'],
        frequencies: Optional[_Number] = None,
        quantiles: Optional[_Numbers] = None,
        tails: Optional[_Numbers] = None,
        time: Optional[str] = '10m0s',
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """weights computes the exact distribution of the log weight in both directions,
        and the bounds on log(Z_T/Z_1) that averages of weights give.

        Parameters
        ----------
        T : int or a list, default [100]
            number of distributions, both ends included
        initial : str
            where the path starts (default the prior of a model, else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str, default 'metropolis'
            Markov kernel (breadboard kernel); a selector such as 'heatbath', a
            function move(x, rng), move(log_f, x, rng) or matrix(log_f), a transition
            matrix (also of scipy.sparse), or its Path; in a dict by name
        path : str, default 'geometric'
            the path of distributions, as in q:0.5; a selector such as 'geometric', log
            f of each state at each of T stages, (T, states) or (T, *shape), or log f
            of a distribution on the way; in a dict by name
        samples : int or a list
            number of samples in each bound on log(Z_T/Z_1)
        schedule : str, default 'linear'
            schedule (breadboard schedule); a selector such as 'sigmoid', or a list of
            betas from 0 to 1; in a dict by name
        toy : str or a list, default ['easy', 'hard', 'barrier']
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        frequencies : int
            largest number of frequencies of a characteristic function; 0 takes a
            second or two
        quantiles : number or a list
            probabilities for which quantiles are given, each above 0 and below 1
        tails : number or a list
            distances b in nats, 0 or more, for which tails are given
        time : str, default '10m0s'
            the time that may be taken, as in 90s or 2h
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _schedule_optimize(Command):
    def __call__(
        self, *,
        T: Optional[_Numbers] = [100],
        initial: Optional[_Selector] = None,
        kernel: Optional[_Kernel] = ['metropolis'],
        objective: Optional[Literal["B", "J", "kl_q_p", "kl_p_q", "success", "tts"]] = 'B',
        path: Optional[_Selector] = 'geometric',
        toy: Optional[_Toy] = ['easy', 'hard', 'barrier'],
        time: Optional[str] = '10m0s',
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """optimize finds the schedule of T distributions for which B, J or a one-sided
        divergence is smallest, among all schedules that never decrease.

        Parameters
        ----------
        T : int or a list, default [100]
            number of distributions, both ends included
        initial : str
            where the path starts (default the prior of a model, else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str or a list, default ['metropolis']
            Markov kernel (breadboard kernel); a selector such as 'heatbath', a
            function move(x, rng), move(log_f, x, rng) or matrix(log_f), a transition
            matrix (also of scipy.sparse), or its Path; in a dict by name
        objective : str, default 'B'
            what is minimised: B, J, kl_q_p, kl_p_q, success, tts
        path : str, default 'geometric'
            the path of distributions, as in q:0.5; a selector such as 'geometric', log
            f of each state at each of T stages, (T, states) or (T, *shape), or log f
            of a distribution on the way; in a dict by name
        toy : str or a list, default ['easy', 'hard', 'barrier']
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        time : str, default '10m0s'
            the time that may be taken, as in 90s or 2h
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _schedule_compare(Command):
    def __call__(
        self, *,
        T: Optional[_Numbers] = [10, 20, 40],
        initial: Optional[_Selector] = None,
        kernel: Optional[_Kernel] = 'metropolis',
        path: Optional[_Selector] = 'geometric',
        schedule: Optional[_Selector] = ['linear', 'sigmoid:4', 'power:2', 'geometric:0.01', 'fisher', 'friction', 'acceptance', 'step-kl', 'cess', 'best:B', 'best:J'],
        toy: Optional[_Toy] = ['easy', 'hard', 'barrier'],
        most: Optional[_Number] = 1000000,
        until: Optional[str] = None,
        time: Optional[str] = '10m0s',
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """compare shows which schedule gives the smallest B and J, exactly, and how far
        each is from the best possible schedule.

        Parameters
        ----------
        T : int or a list, default [10, 20, 40]
            number of distributions, both ends included
        initial : str
            where the path starts (default the prior of a model, else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str, default 'metropolis'
            Markov kernel (breadboard kernel); a selector such as 'heatbath', a
            function move(x, rng), move(log_f, x, rng) or matrix(log_f), a transition
            matrix (also of scipy.sparse), or its Path; in a dict by name
        path : str, default 'geometric'
            the path of distributions, as in q:0.5; a selector such as 'geometric', log
            f of each state at each of T stages, (T, states) or (T, *shape), or log f
            of a distribution on the way; in a dict by name
        schedule : str or a list, default ['linear', 'sigmoid:4', 'power:2', 'geometric:0.01', 'fisher', 'friction', 'acceptance', 'step-kl', 'cess', 'best:B', 'best:J']
            schedule (breadboard schedule); a selector such as 'sigmoid', or a list of
            betas from 0 to 1; in a dict by name
        toy : str or a list, default ['easy', 'hard', 'barrier']
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        most : int, default 1000000
            the largest number that until= tries
        until : str
            find the smallest size that meets a condition: T, as in "J<0.1"
        time : str, default '10m0s'
            the time that may be taken, as in 90s or 2h
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _schedule(Command):
    optimize: _schedule_optimize
    compare: _schedule_compare
    def __call__(
        self, *,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """schedule lists, compares and optimises annealing schedules.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _subjective(Command):
    def __call__(
        self, *,
        T: Optional[_Numbers] = [10000],
        initial: Optional[_Selector] = None,
        kernel: Optional[_Kernel] = 'metropolis',
        path: Optional[_Selector] = 'geometric',
        reference: Optional[_Texts] = ['uniform', 'mode'],
        schedule: Optional[_Selector] = 'linear',
        toy: Optional[_Toy] = ['easy', 'hard', 'barrier'],
        moves: Optional[_Numbers] = [0, 1, 10, 100, 1000, 10000],
        time: Optional[str] = '10m0s',
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """subjective computes what bidirectional Monte Carlo reports, exactly, if its
        reverse chains start from a reference distribution instead of the target.

        Parameters
        ----------
        T : int or a list, default [10000]
            number of distributions, both ends included
        initial : str
            where the path starts (default the prior of a model, else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str, default 'metropolis'
            Markov kernel (breadboard kernel); a selector such as 'heatbath', a
            function move(x, rng), move(log_f, x, rng) or matrix(log_f), a transition
            matrix (also of scipy.sparse), or its Path; in a dict by name
        path : str, default 'geometric'
            the path of distributions, as in q:0.5; a selector such as 'geometric', log
            f of each state at each of T stages, (T, states) or (T, *shape), or log f
            of a distribution on the way; in a dict by name
        reference : str or a list, default ['uniform', 'mode']
            where reverse chains start: uniform, initial, target, mode, point:STATE,
            fitted:AXIS=VALUE, file:PATH
        schedule : str, default 'linear'
            schedule (breadboard schedule); a selector such as 'sigmoid', or a list of
            betas from 0 to 1; in a dict by name
        toy : str or a list, default ['easy', 'hard', 'barrier']
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        moves : int or a list, default [0, 1, 10, 100, 1000, 10000]
            number of moves under the target, from the reference to the start of the
            reverse chain
        time : str, default '10m0s'
            the time that may be taken, as in 90s or 2h
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _success(Command):
    def __call__(
        self, *,
        rng: Any = None,
        T: Optional[_Numbers] = [10, 100, 1000],
        initial: Optional[_Selector] = None,
        kernel: Optional[_Kernel] = None,
        path: Optional[_Selector] = 'geometric',
        schedule: Optional[_Selector] = ['linear'],
        start: Optional[_Selector] = None,
        toy: Optional[_Toy] = ['easy', 'hard', 'barrier'],
        chains: Optional[_Number] = None,
        memory: Optional[str] = '1GB',
        best: bool = False,
        levels: Optional[_Number] = 1,
        seed: Optional[Any] = 1,
        time: Optional[str] = '10m0s',
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """success gives the probability that annealing finds a best state of a QUBO, an
        Ising problem, a maximum cut or another target, and the time to solution (TTS).

        Parameters
        ----------
        T : int or a list, default [10, 100, 1000]
            number of distributions, both ends included
        initial : str
            where the path starts (default the prior of a model, else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str or a list
            Markov kernel (breadboard kernel) (default metropolis, heatbath-scan if
            states cannot be listed); a selector such as 'heatbath', a function move(x,
            rng), move(log_f, x, rng) or matrix(log_f), a transition matrix (also of
            scipy.sparse), or its Path; in a dict by name
        path : str, default 'geometric'
            the path of distributions, as in q:0.5; a selector such as 'geometric', log
            f of each state at each of T stages, (T, states) or (T, *shape), or log f
            of a distribution on the way; in a dict by name
        schedule : str or a list, default ['linear']
            schedule (breadboard schedule); a selector such as 'sigmoid', or a list of
            betas from 0 to 1; in a dict by name
        start : str
            where chains start, as point:0, mode or uniform (default the first
            distribution of the path); a selector such as 'mode', or log f of each
            state in the shape of the toy, on a graph as a dict by label
        toy : str or a list, default ['easy', 'hard', 'barrier']
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        chains : int
            number of chains or runs if the toy is a product of factors; 0 is 1000 if
            its states cannot be listed
        memory : str, default '1GB'
            memory limit, as in 500MB of elimination
        best : bool, default False
            add a best state
        levels : int, default 1
            number of the largest values of log f that have a row; 0 is all
        seed : int, default 1
            seed of all random numbers, 0 to 2^64-1
        time : str, default '10m0s'
            the time that may be taken, as in 90s or 2h
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _represent(Command):
    def __call__(
        self, *,
        T: Optional[_Numbers] = [10, 100, 1000],
        initial: Optional[_Selector] = None,
        kernel: Optional[_Kernel] = 'heatbath-scan',
        path: Optional[_Selector] = 'geometric',
        schedule: Optional[_Selector] = 'sigmoid:4',
        toy: Optional[_Toy] = ['low', 'gridclu'],
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """represent compares J, B and cost of annealing, exactly, among the
        representations of a model, which differ in the latent variables that are
        summed out (collapsed).

        Parameters
        ----------
        T : int or a list, default [10, 100, 1000]
            number of distributions, both ends included
        initial : str
            where the path starts (default the prior of a model, else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str, default 'heatbath-scan'
            Markov kernel (breadboard kernel); a selector such as 'heatbath', a
            function move(x, rng), move(log_f, x, rng) or matrix(log_f), a transition
            matrix (also of scipy.sparse), or its Path; in a dict by name
        path : str, default 'geometric'
            the path of distributions, as in q:0.5; a selector such as 'geometric', log
            f of each state at each of T stages, (T, states) or (T, *shape), or log f
            of a distribution on the way; in a dict by name
        schedule : str, default 'sigmoid:4'
            schedule (breadboard schedule); a selector such as 'sigmoid', or a list of
            betas from 0 to 1; in a dict by name
        toy : str or a list, default ['low', 'gridclu']
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _ais(Command):
    def __call__(
        self, *,
        rng: Any = None,
        T: Optional[_Numbers] = [1000],
        initial: Optional[_Selector] = None,
        kernel: Optional[_Kernel] = 'metropolis',
        path: Optional[_Selector] = 'geometric',
        schedule: Optional[_Selector] = 'linear',
        toy: Optional[_Toy] = ['easy', 'hard', 'barrier'],
        chains: Optional[_Number] = 10000,
        check: bool = False,
        most: Optional[_Number] = 100000000,
        until: Optional[str] = None,
        seed: Optional[Any] = 1,
        time: Optional[str] = '10m0s',
        verbose: bool = False,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """ais runs annealed importance sampling in both directions, and compares the
        estimates of bidirectional Monte Carlo with their exact expectations.

        Parameters
        ----------
        T : int or a list, default [1000]
            number of distributions, both ends included
        initial : str
            where the path starts (default the prior of a model, else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str, default 'metropolis'
            Markov kernel (breadboard kernel); a selector such as 'heatbath', a
            function move(x, rng), move(log_f, x, rng) or matrix(log_f), a transition
            matrix (also of scipy.sparse), or its Path; in a dict by name
        path : str, default 'geometric'
            the path of distributions, as in q:0.5; a selector such as 'geometric', log
            f of each state at each of T stages, (T, states) or (T, *shape), or log f
            of a distribution on the way; in a dict by name
        schedule : str, default 'linear'
            schedule (breadboard schedule); a selector such as 'sigmoid', or a list of
            betas from 0 to 1; in a dict by name
        toy : str or a list, default ['easy', 'hard', 'barrier']
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        chains : int, default 10000
            number of chains or runs in each direction
        check : bool, default False
            check the results by another method; exit code 1 if they differ, or if that
            is open
        most : int, default 100000000
            the largest number that until= tries
        until : str
            find the smallest size that meets a condition: number of chains, as in
            "B_se<0.05"
        seed : int, default 1
            seed of all random numbers, 0 to 2^64-1
        time : str, default '10m0s'
            the time that may be taken, as in 90s or 2h
        verbose : bool, default False
            show all findings of a check, also those that pass
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _smc_gibbs(Command):
    def __call__(
        self, *,
        ancestors: Optional[_Texts] = ['without', 'with'],
        hmm: Optional[Union[str, HMM, Mapping[str, Any]]] = 'weather',
        observations: Optional[_Numbers] = [8],
        particles: Optional[_Numbers] = [2, 4, 8, 16],
        resample: Optional[Union[Literal["multinomial", "stratified", "systematic", "residual"], Iterable[Literal["multinomial", "stratified", "systematic", "residual"]]]] = ['multinomial'],
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """gibbs shows exactly how many particles particle Gibbs needs: how fast it moves
        among the paths of a hidden Markov model given its observations.

        Parameters
        ----------
        ancestors : str or a list, default ['without', 'with']
            ancestor sampling: without, with
        hmm : str, default 'weather'
            a hidden Markov model: weather, wear, or a file
        observations : int or a list, default [8]
            number of observations to use, from the first
        particles : int or a list, default [2, 4, 8, 16]
            number of particles; the present path is one
        resample : str or a list, default ['multinomial']
            resampling schemes: multinomial, stratified, systematic, residual
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _smc(Command):
    gibbs: _smc_gibbs
    def __call__(
        self, *,
        rng: Any = None,
        adaptive: Optional[_Numbers] = None,
        T: Optional[_Numbers] = [100],
        initial: Optional[_Selector] = None,
        kernel: Optional[_Kernel] = 'metropolis',
        particles: Optional[_Numbers] = [1, 2],
        path: Optional[_Selector] = 'geometric',
        resample: Optional[Union[Literal["multinomial", "stratified", "systematic", "residual"], Iterable[Literal["multinomial", "stratified", "systematic", "residual"]]]] = ['multinomial'],
        schedule: Optional[_Selector] = 'linear',
        threshold: Optional[_Numbers] = [1],
        toy: Optional[_Toy] = ['easy', 'hard', 'barrier'],
        chains: Optional[_Number] = None,
        most: Optional[_Number] = 1000000,
        until: Optional[str] = None,
        seed: Optional[Any] = 1,
        time: Optional[str] = '10m0s',
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """smc shows exactly what more particles gain in sequential Monte Carlo: the
        divergence J of its output from the target, the mean of the estimate log Zhat
        of log(Z_T/Z_1), and the relative variance of Zhat.

        Parameters
        ----------
        adaptive : number or a list
            the particles place each beta so that the conditional ESS is X times their
            number, as in 0.9
        T : int or a list, default [100]
            number of distributions, both ends included
        initial : str
            where the path starts (default the prior of a model, else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str, default 'metropolis'
            Markov kernel (breadboard kernel); a selector such as 'heatbath', a
            function move(x, rng), move(log_f, x, rng) or matrix(log_f), a transition
            matrix (also of scipy.sparse), or its Path; in a dict by name
        particles : int or a list, default [1, 2]
            number of particles
        path : str, default 'geometric'
            the path of distributions, as in q:0.5; a selector such as 'geometric', log
            f of each state at each of T stages, (T, states) or (T, *shape), or log f
            of a distribution on the way; in a dict by name
        resample : str or a list, default ['multinomial']
            resampling schemes: multinomial, stratified, systematic, residual
        schedule : str, default 'linear'
            schedule (breadboard schedule); a selector such as 'sigmoid', or a list of
            betas from 0 to 1; in a dict by name
        threshold : number or a list, default [1]
            resample if the ESS is below X times the particles; 1 is always, 0 never
        toy : str or a list, default ['easy', 'hard', 'barrier']
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        chains : int
            number of chains or runs and as many conditional ones, for each row; 0 for
            none
        most : int, default 1000000
            the largest number that until= tries
        until : str
            find the smallest size that meets a condition: number of particles, as in
            "relative_variance<0.1"
        seed : int, default 1
            seed of all random numbers, 0 to 2^64-1
        time : str, default '10m0s'
            the time that may be taken, as in 90s or 2h
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _aide_check(Command):
    def __call__(
        self, *arguments: Any,
        T: Optional[_Numbers] = [3],
        initial: Optional[_Selector] = None,
        kernel: Optional[_Kernel] = 'metropolis',
        path: Optional[_Selector] = 'geometric',
        schedule: Optional[_Selector] = 'linear',
        toy: Optional[_Toy] = ['random:1:0:2', 'random:1:0:3'],
        junit: Optional[_Path] = None,
        verbose: bool = False,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """check runs an algorithm once for every outcome of its random choices, and its
        meta-inference for every output, and tests the identities on which AIDE
        depends.

        Parameters
        ----------
        T : int or a list, default [3]
            number of distributions, both ends included
        initial : str
            where the path starts (default the prior of a model, else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str, default 'metropolis'
            Markov kernel (breadboard kernel); a selector such as 'heatbath', a
            function move(x, rng), move(log_f, x, rng) or matrix(log_f), a transition
            matrix (also of scipy.sparse), or its Path; in a dict by name
        path : str, default 'geometric'
            the path of distributions, as in q:0.5; a selector such as 'geometric', log
            f of each state at each of T stages, (T, states) or (T, *shape), or log f
            of a distribution on the way; in a dict by name
        schedule : str, default 'linear'
            schedule (breadboard schedule); a selector such as 'sigmoid', or a list of
            betas from 0 to 1; in a dict by name
        toy : str or a list, default ['random:1:0:2', 'random:1:0:3']
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        junit : path
            also write the findings of a check to this FILE as JUnit XML
        verbose : bool, default False
            show all findings of a check, also those that pass

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _aide(Command):
    check: _aide_check
    def __call__(
        self, *,
        rng: Any = None,
        T: Optional[_Numbers] = [100],
        gold: Optional[str] = 'exact',
        initial: Optional[_Selector] = None,
        kernel: Optional[_Kernel] = 'metropolis',
        path: Optional[_Selector] = 'geometric',
        schedule: Optional[_Selector] = 'linear',
        target: Optional[str] = 'ais',
        toy: Optional[_Toy] = ['easy', 'hard', 'barrier'],
        chains: Optional[_Number] = None,
        gold_meta: Optional[_Numbers] = [1],
        meta: Optional[_Numbers] = [1, 10, 100],
        without_first_trace: bool = False,
        seed: Optional[Any] = 1,
        time: Optional[str] = '10m0s',
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """aide shows how close AIDE is to the divergence that it bounds: the symmetric
        Kullback-Leibler divergence J between the outputs of two inference algorithms.

        Parameters
        ----------
        T : int or a list, default [100]
            number of distributions, both ends included
        gold : str, default 'exact'
            the gold standard: exact, ais, smc:P[:SCHEME[:THRESHOLD]], mh:S, sir:P,
            meanfield
        initial : str
            where the path starts (default the prior of a model, else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str, default 'metropolis'
            Markov kernel (breadboard kernel); a selector such as 'heatbath', a
            function move(x, rng), move(log_f, x, rng) or matrix(log_f), a transition
            matrix (also of scipy.sparse), or its Path; in a dict by name
        path : str, default 'geometric'
            the path of distributions, as in q:0.5; a selector such as 'geometric', log
            f of each state at each of T stages, (T, states) or (T, *shape), or log f
            of a distribution on the way; in a dict by name
        schedule : str, default 'linear'
            schedule (breadboard schedule); a selector such as 'sigmoid', or a list of
            betas from 0 to 1; in a dict by name
        target : str, default 'ais'
            the algorithm to judge: exact, ais, smc:P[:SCHEME[:THRESHOLD]], mh:S,
            sir:P, meanfield
        toy : str or a list, default ['easy', 'hard', 'barrier']
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        chains : int
            number of chains or runs of the estimator; 0 for none
        gold_meta : int or a list, default [1]
            meta-inference runs of the gold standard, 1 to 1e9
        meta : int or a list, default [1, 10, 100]
            meta-inference runs of the algorithm, 1 to 1e9
        without_first_trace : bool, default False
            omit the trace of the run that made the output, which is wrong
        seed : int, default 1
            seed of all random numbers, 0 to 2^64-1
        time : str, default '10m0s'
            the time that may be taken, as in 90s or 2h
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _policy_best(Command):
    def __call__(
        self, *,
        lambda_: Optional[_Number] = 0.9,
        objective: Optional[Union[Literal["B", "J", "kl_q_p", "kl_p_q", "path_q_p", "path_p_q", "db", "subtb", "tb"], Iterable[Literal["B", "J", "kl_q_p", "kl_p_q", "path_q_p", "path_p_q", "db", "subtb", "tb"]]]] = ['B', 'J', 'kl_q_p', 'kl_p_q', 'subtb'],
        policy: Optional[Union[str, Policy, Sequence[Union[str, Policy]], Mapping[str, Any]]] = ['masked:local:c'],
        sampling: Optional[Literal["on-policy", "uniform"]] = 'on-policy',
        toy: Optional[_Toy] = ['ising:2x3:0.6'],
        vary: Optional[str] = 'c=0:2',
        time: Optional[str] = '10m0s',
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """best finds at which value of a parameter of the policy each objective is least,
        exactly, and J there.

        Parameters
        ----------
        lambda_ : number, default 0.9
            weight of a subtrajectory, per step
        objective : str or a list, default ['B', 'J', 'kl_q_p', 'kl_p_q', 'subtb']
            what is minimised: B, J, kl_q_p, kl_p_q, path_q_p, path_p_q, db, subtb, tb
        policy : str or a list, default ['masked:local:c']
            pairs of policies, as in masked:local:1 (breadboard help reference
            policies); a selector such as 'masked:local:1', or Policy(forward,
            backward); in a dict by name
        sampling : str, default 'on-policy'
            the paths of the losses: on-policy, uniform
        toy : str or a list, default ['ising:2x3:0.6']
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        vary : str, default 'c=0:2'
            the parameter and its range, as c=0:2
        time : str, default '10m0s'
            the time that may be taken, as in 90s or 2h
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _policy_twist(Command):
    def __call__(
        self, *,
        rng: Any = None,
        base_chain: Optional[_Texts] = ['markov:1:0'],
        particles: Optional[_Numbers] = [1, 2],
        proposal: Optional[Union[Literal["twist", "base"], Iterable[Literal["twist", "base"]]]] = ['twist'],
        resample: Optional[Union[Literal["multinomial", "stratified", "systematic", "residual"], Iterable[Literal["multinomial", "stratified", "systematic", "residual"]]]] = ['multinomial'],
        threshold: Optional[_Numbers] = [1],
        toy: Optional[_Toy] = ['random:2:0:3x3x3x3'],
        twist: Optional[_Texts] = ['none', 'lookahead:1', 'exact'],
        chains: Optional[_Number] = 10000,
        seed: Optional[Any] = 1,
        time: Optional[str] = '10m0s',
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """twist gives both bounds on log Z of twisted SMC on short sequences, exactly for
        few particles, and how far its output is from the target.

        Parameters
        ----------
        base_chain : str or a list, default ['markov:1:0']
            chains p_0 over the tokens, as in markov:1:0
        particles : int or a list, default [1, 2]
            number of particles
        proposal : str or a list, default ['twist']
            proposals: twist, base
        resample : str or a list, default ['multinomial']
            resampling schemes: multinomial, stratified, systematic, residual
        threshold : number or a list, default [1]
            resample if the ESS is below X times the particles; 1 is always, 0 never
        toy : str or a list, default ['random:2:0:3x3x3x3']
            target, as in easy (breadboard help toys): potentials phi on the sequences,
            as in random:2:0:3x3x3; a selector such as 'barrier', log f of each state
            as an array or nested lists, Target(values, edges=pairs), Energy(weights),
            a model of pgmpy, a Path, or several in a list, or in a dict by name
        twist : str or a list, default ['none', 'lookahead:1', 'exact']
            twists, as in lookahead:1
        chains : int, default 10000
            number of chains or runs and as many conditional ones, for each row that is
            not exact; 0 for none
        seed : int, default 1
            seed of all random numbers, 0 to 2^64-1
        time : str, default '10m0s'
            the time that may be taken, as in 90s or 2h
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _policy(Command):
    best: _policy_best
    twist: _policy_twist
    def __call__(
        self, *,
        policy: Optional[Union[str, Policy, Sequence[Union[str, Policy]], Mapping[str, Any]]] = ['masked:local:0.8', 'masked:local:1.2', 'masked:local:1.5', 'masked:exact'],
        N: Optional[_Numbers] = [1],
        toy: Optional[_Toy] = ['ising:3x3:0.6'],
        most: Optional[_Number] = 1000000,
        until: Optional[str] = None,
        time: Optional[str] = '10m0s',
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """policy gives J and B of a sampler that is trained, not annealed, exactly.

        Parameters
        ----------
        policy : str or a list, default ['masked:local:0.8', 'masked:local:1.2', 'masked:local:1.5', 'masked:exact']
            pairs of policies, as in masked:local:1 (breadboard help reference
            policies); a selector such as 'masked:local:1', or Policy(forward,
            backward); in a dict by name
        N : int or a list, default [1]
            number of samples (paths) in the bounds on log Z
        toy : str or a list, default ['ising:3x3:0.6']
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        most : int, default 1000000
            the largest number that until= tries
        until : str
            find the smallest size that meets a condition: N, as in "upper_bound<8.68"
        time : str, default '10m0s'
            the time that may be taken, as in 90s or 2h
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _evidence_check(Command):
    def __call__(
        self, *arguments: Any,
        initial: Optional[_Selector] = None,
        kernel: Optional[_Kernel] = None,
        path: Optional[_Selector] = 'geometric',
        schedule: Optional[_Selector] = 'sigmoid:4',
        toy: Optional[_Toy] = ['clu4', 'random:1:0:2x2'],
        work: Optional[_Numbers] = [12],
        junit: Optional[_Path] = None,
        verbose: bool = False,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """check runs estimators of Z once for every outcome of their random choices, at
        the two smallest settings, and compares the results with the distributions that
        breadboard evidence gives.

        Parameters
        ----------
        initial : str
            where the path starts (default the prior of a model, else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str
            Markov kernel (breadboard kernel) (default heatbath-scan on a grid, else
            metropolis); a selector such as 'heatbath', a function move(x, rng),
            move(log_f, x, rng) or matrix(log_f), a transition matrix (also of
            scipy.sparse), or its Path; in a dict by name
        path : str, default 'geometric'
            the path of distributions, as in q:0.5; a selector such as 'geometric', log
            f of each state at each of T stages, (T, states) or (T, *shape), or log f
            of a distribution on the way; in a dict by name
        schedule : str, default 'sigmoid:4'
            schedule (breadboard schedule); a selector such as 'sigmoid', or a list of
            betas from 0 to 1; in a dict by name
        toy : str or a list, default ['clu4', 'random:1:0:2x2']
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        work : number or a list, default [12]
            budgets, in evaluations of log f and exact draws, for an estimate
        junit : path
            also write the findings of a check to this FILE as JUnit XML
        verbose : bool, default False
            show all findings of a check, also those that pass
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _evidence(Command):
    check: _evidence_check
    def __call__(
        self, *,
        rng: Any = None,
        estimator: Optional[_Texts] = None,
        initial: Optional[_Selector] = None,
        kernel: Optional[_Kernel] = None,
        path: Optional[_Selector] = 'geometric',
        schedule: Optional[_Selector] = 'sigmoid:4',
        toy: Optional[_Toy] = ['clu8', 'easy'],
        work: Optional[_Numbers] = [5, 20, 100],
        chains: Optional[_Number] = None,
        trials: Optional[_Numbers] = [1],
        above: Optional[_Numbers] = None,
        seed: Optional[Any] = 1,
        time: Optional[str] = '10m0s',
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """evidence shows how wrong estimators of Z = Z_T/Z_1 are at equal work, exactly:
        the bias, standard deviation and root mean squared error of log Zhat, and how
        often it overestimates.

        Parameters
        ----------
        estimator : str or a list
            estimators, as ais, or cms:K=10 with its setting
        initial : str
            where the path starts (default the prior of a model, else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str
            Markov kernel (breadboard kernel) (default heatbath-scan on a grid, else
            metropolis); a selector such as 'heatbath', a function move(x, rng),
            move(log_f, x, rng) or matrix(log_f), a transition matrix (also of
            scipy.sparse), or its Path; in a dict by name
        path : str, default 'geometric'
            the path of distributions, as in q:0.5; a selector such as 'geometric', log
            f of each state at each of T stages, (T, states) or (T, *shape), or log f
            of a distribution on the way; in a dict by name
        schedule : str, default 'sigmoid:4'
            schedule (breadboard schedule); a selector such as 'sigmoid', or a list of
            betas from 0 to 1; in a dict by name
        toy : str or a list, default ['clu8', 'easy']
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        work : number or a list, default [5, 20, 100]
            budgets, in evaluations of log f and exact draws
        chains : int
            number of chains or runs of each estimator; 0 for none
        trials : int or a list, default [1]
            number of independent estimates to combine
        above : number or a list
            distances b in nats, for a table of P(log Zhat > log Z + b)
        seed : int, default 1
            seed of all random numbers, 0 to 2^64-1
        time : str, default '10m0s'
            the time that may be taken, as in 90s or 2h
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _sandwich_compare(Command):
    def __call__(
        self, *,
        rng: Any = None,
        data_columns: Optional[_Number] = 25,
        data_rows: Optional[_Number] = 50,
        datasets: Optional[_Number] = 1,
        estimator: Optional[_Texts] = None,
        model: Optional[_Texts] = ['clustering'],
        chains: Optional[_Number] = 25,
        time: Optional[str] = '200ms',
        seed: Optional[Any] = 1,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """compare shows how wrong each estimator of log p(y) is and how long it takes,
        against the ground truth of simulated data (Grosse, Ghahramani and Adams 2015,
        sections 4 to 6).

        Parameters
        ----------
        data_columns : int, default 25
            number of columns of the data
        data_rows : int, default 50
            number of rows of the data
        datasets : int, default 1
            number of data sets of each model
        estimator : str or a list
            estimators, as ais or ns:5; vb:truth starts from the state that made the
            data
        model : str or a list, default ['clustering']
            models of data: clustering[:K[:ST2:SN2]], lowrank[:K[:SU2:SV2:SN2]],
            binary[:K[:PI:SA2:SN2]]
        chains : int, default 25
            number of chains or runs at each setting
        time : str, default '200ms'
            the time that may be taken, as in 90s or 2h, for each estimator and data
            set
        seed : int, default 1
            seed of all random numbers, 0 to 2^64-1
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _sandwich_table(Command):
    def __call__(
        self, *,
        rng: Any = None,
        data_columns: Optional[_Number] = 25,
        data_rows: Optional[_Number] = 50,
        datasets: Optional[_Number] = 2,
        T: Optional[_Number] = 1000,
        model: Optional[_Texts] = ['clustering', 'lowrank', 'binary'],
        chains: Optional[_Number] = 2,
        seed: Optional[Any] = 1,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """table draws data from each model, fits every model to them, and shows whether
        marginal likelihoods identify the right one (Grosse, Ghahramani and Adams 2015,
        section 6.3 and Table 1).

        Parameters
        ----------
        data_columns : int, default 25
            number of columns of the data
        data_rows : int, default 50
            number of rows of the data
        datasets : int, default 2
            number of data sets of each model
        T : int, default 1000
            number of distributions, both ends included
        model : str or a list, default ['clustering', 'lowrank', 'binary']
            models of data: clustering[:K[:ST2:SN2]], lowrank[:K[:SU2:SV2:SN2]],
            binary[:K[:PI:SA2:SN2]]
        chains : int, default 2
            number of chains or runs per model and data set
        seed : int, default 1
            seed of all random numbers, 0 to 2^64-1
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _sandwich_represent(Command):
    def __call__(
        self, *,
        rng: Any = None,
        data_columns: Optional[_Number] = 25,
        data_rows: Optional[_Number] = 50,
        datasets: Optional[_Number] = 4,
        T: Optional[_Numbers] = [100, 300, 1000],
        model: Optional[str] = 'lowrank',
        chains: Optional[_Number] = 3,
        seed: Optional[Any] = 1,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """represent shows in which representation of a low rank model y = UV + noise
        annealing is best, by number of steps and by time (Grosse, Ancha and Roy 2016,
        section 5.2.1 and figure 2).

        Parameters
        ----------
        data_columns : int, default 25
            number of columns of the data
        data_rows : int, default 50
            number of rows of the data
        datasets : int, default 4
            number of data sets
        T : int or a list, default [100, 300, 1000]
            number of distributions, both ends included
        model : str, default 'lowrank'
            models of data: lowrank[:K[:SU2:SV2:SN2]]
        chains : int, default 3
            number of chains or runs per direction and data set
        seed : int, default 1
            seed of all random numbers, 0 to 2^64-1
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _sandwich_fit(Command):
    def __call__(
        self, *,
        rng: Any = None,
        data: Optional[Any] = None,
        datasets: Optional[_Number] = 8,
        T: Optional[_Numbers] = [10, 30, 100, 300, 1000],
        model: Optional[str] = 'clustering:2',
        scale: Optional[str] = 'none',
        S: Optional[_Numbers] = [10, 100, 1000],
        chains: Optional[_Number] = 20,
        moves: Optional[_Number] = 1000,
        starts: Optional[_Number] = 1,
        seed: Optional[Any] = 1,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """fit tests whether annealing behaves on your data as on data that are simulated
        from a fit to them (Grosse, Ancha and Roy 2016, sections 3.2 and 5.1).

        Parameters
        ----------
        data : path
            the data: FILE is a table in CSV
        datasets : int, default 8
            number of data sets
        T : int or a list, default [10, 30, 100, 300, 1000]
            number of distributions, both ends included
        model : str, default 'clustering:2'
            models of data: clustering[:K], lowrank[:K], binary[:K], linear, logistic,
            ar1
        scale : str, default 'none'
            how to scale the columns first: none, centre, standardize
        S : int or a list, default [10, 100, 1000]
            numbers of transitions before reverse chains
        chains : int, default 20
            number of chains or runs per data set and T, and in reverse per S
        moves : int, default 1000
            number of moves that infer the hyperparameters
        starts : int, default 1
            starts of reverse chains per S; must divide the number of chains
        seed : int, default 1
            seed of all random numbers, 0 to 2^64-1
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _sandwich(Command):
    compare: _sandwich_compare
    table: _sandwich_table
    represent: _sandwich_represent
    fit: _sandwich_fit
    def __call__(
        self, *,
        rng: Any = None,
        data: Optional[Any] = None,
        data_columns: Optional[_Number] = 25,
        data_rows: Optional[_Number] = 50,
        datasets: Optional[_Number] = 4,
        T: Optional[_Numbers] = [100, 1000],
        log_z: Optional[_Number] = None,
        model: Optional[_Texts] = ['clustering'],
        scans: Optional[_Numbers] = [1, 10],
        toy: Optional[_Toy] = None,
        chains: Optional[_Number] = 6,
        exact_starts: Optional[_Number] = None,
        forward: Optional[Any] = None,
        reverse: Optional[Any] = None,
        save_data: Optional[_Path] = None,
        seed: Optional[Any] = 1,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """sandwich estimates the marginal likelihood p(y) of data under a model of any
        size, between a lower and an upper bound (Grosse, Ghahramani and Adams 2015).

        Parameters
        ----------
        data : path
            the data: FILE is a folder of save_data=, or a table in CSV with model=
        data_columns : int, default 25
            number of columns of the data
        data_rows : int, default 50
            number of rows of the data
        datasets : int, default 4
            number of data sets of each model
        T : int or a list, default [100, 1000]
            number of distributions, both ends included
        log_z : number
            log Z in place of a toy, for forward=
        model : str or a list, default ['clustering']
            models of data: clustering[:K[:ST2:SN2]], lowrank[:K[:SU2:SV2:SN2]],
            binary[:K[:PI:SA2:SN2]]
        scans : int or a list, default [1, 10]
            number of scans after each datum, for sequential Monte Carlo
        toy : str or a list
            target, as in easy (breadboard help toys), for forward=; a selector such as
            'barrier', log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        chains : int, default 6
            number of chains or runs per direction and data set
        exact_starts : int
            number of data sets with a chain of each direction, in place of chains= and
            datasets=
        forward : path
            FILE of forward chains
        reverse : path
            FILE of reverse chains
        save_data : path
            save the data sets, their parameters and the model in this DIR
        seed : int, default 1
            seed of all random numbers, 0 to 2^64-1
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _samplers_errors(Command):
    def __call__(
        self, *,
        corpus: Optional[str] = None,
        estimate: Optional[Union[Literal["mean", "variance", "distribution"], Iterable[Literal["mean", "variance", "distribution"]]]] = None,
        function: Optional[_Texts] = ['x0'],
        kernel: Optional[_Kernel] = ['metropolis', 'heatbath'],
        N: Optional[_Numbers] = [1, 10, 100, 1000, 10000],
        start: Optional[_Selector] = ['uniform', 'target'],
        toy: Optional[_Toy] = ['easy', 'hard', 'barrier'],
        warmup: Optional[Union[_Number, str]] = None,
        method: Optional[Literal["auto", "recursion", "squaring", "lanczos"]] = 'auto',
        most: Optional[_Number] = 1000000,
        until: Optional[str] = None,
        time: Optional[str] = '10m0s',
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """errors gives the exact errors of estimates from N samples of a chain, and how
        many independent draws they are worth.

        Parameters
        ----------
        corpus : str
            targets in place of toy=: small, standard or FILE.toml
        estimate : str or a list
            what is estimated: mean, variance, distribution (default: all that can be
            computed); the mean always
        function : str or a list, default ['x0']
            functions of the state, as x0, sum, g or x0<=3
        kernel : str or a list, default ['metropolis', 'heatbath']
            Markov kernel (breadboard kernel); a selector such as 'heatbath', a
            function move(x, rng), move(log_f, x, rng) or matrix(log_f), a transition
            matrix (also of scipy.sparse), or its Path; in a dict by name
        N : int or a list, default [1, 10, 100, 1000, 10000]
            number of samples of a chain, with its start
        start : str or a list, default ['uniform', 'target']
            where chains start: uniform, initial, target, mode, point:STATE, file:PATH;
            a selector such as 'mode', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        toy : str or a list, default ['easy', 'hard', 'barrier']
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        warmup : int
            number of moves before the first sample
        method : str, default 'auto'
            how errors are computed: auto, recursion, squaring, lanczos
        most : int, default 1000000
            the largest number that until= tries
        until : str
            find the smallest size that meets a condition: N, as in "ress_mean>=100"
        time : str, default '10m0s'
            the time that may be taken, as in 90s or 2h
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _samplers_times(Command):
    def __call__(
        self, *,
        kernel: Optional[_Kernel] = ['metropolis', 'heatbath'],
        start: Optional[_Selector] = ['uniform'],
        toy: Optional[_Toy] = ['easy', 'hard', 'barrier'],
        tv: Optional[_Number] = 0.01,
        mi: Optional[_Number] = 0.01,
        time: Optional[str] = '10m0s',
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """times gives the exact mixing and burn-in times of a chain, as Turner and Neal
        (2017, section 4.4) define them.

        Parameters
        ----------
        kernel : str or a list, default ['metropolis', 'heatbath']
            Markov kernel (breadboard kernel); a selector such as 'heatbath', a
            function move(x, rng), move(log_f, x, rng) or matrix(log_f), a transition
            matrix (also of scipy.sparse), or its Path; in a dict by name
        start : str or a list, default ['uniform']
            where chains start: uniform, initial, target, mode, point:STATE, file:PATH;
            a selector such as 'mode', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        toy : str or a list, default ['easy', 'hard', 'barrier']
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        tv : number, default 0.01
            bound of the total variation distance
        mi : number, default 0.01
            bound of the mutual information, in nats
        time : str, default '10m0s'
            the time that may be taken, as in 90s or 2h
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _samplers_laws(Command):
    def __call__(
        self, *,
        corpus: Optional[str] = None,
        function: Optional[_Texts] = None,
        kernel: Optional[_Kernel] = ['metropolis', 'heatbath'],
        N: Optional[_Numbers] = [50],
        start: Optional[_Selector] = ['uniform'],
        toy: Optional[_Toy] = ['easy', 'hard', 'barrier'],
        warmup: Optional[Union[_Number, str]] = None,
        chains: Optional[_Number] = 8,
        time: Optional[str] = '10m0s',
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """laws gives the exact distribution of the mean of a chain, and how often several
        chains succeed or R-hat misses an error.

        Parameters
        ----------
        corpus : str
            targets in place of toy=: small, standard or FILE.toml
        function : str or a list
            functions of the state, as x0, sum, g or x0<=3 (default x0 and mode, or an
            indicator of x0)
        kernel : str or a list, default ['metropolis', 'heatbath']
            Markov kernel (breadboard kernel); a selector such as 'heatbath', a
            function move(x, rng), move(log_f, x, rng) or matrix(log_f), a transition
            matrix (also of scipy.sparse), or its Path; in a dict by name
        N : int or a list, default [50]
            number of samples of a chain, with its start
        start : str or a list, default ['uniform']
            where chains start: uniform, initial, target, mode, point:STATE, file:PATH;
            a selector such as 'mode', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        toy : str or a list, default ['easy', 'hard', 'barrier']
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        warmup : int
            number of moves before the first sample
        chains : int, default 8
            number of chains or runs
        time : str, default '10m0s'
            the time that may be taken, as in 90s or 2h
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _samplers_diagnose(Command):
    def __call__(
        self, *arguments: Any,
        rng: Any = None,
        corpus: Optional[str] = None,
        function: Optional[_Texts] = ['x0'],
        kernel: Optional[_Kernel] = ['metropolis', 'heatbath'],
        N: Optional[_Numbers] = [100, 300, 1000, 3000],
        start: Optional[_Selector] = ['uniform'],
        toy: Optional[_Toy] = ['easy', 'hard', 'barrier'],
        warmup: Optional[Union[_Number, str]] = None,
        base: Optional[_Number] = None,
        chains: Optional[_Number] = 8,
        column: Optional[_Texts] = None,
        map: Optional[_Path] = None,
        shape: Optional[Literal["chains,draws", "draws,chains", "draws"]] = None,
        seed: Optional[Any] = 1,
        time: Optional[str] = '10m0s',
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """diagnose compares convergence diagnostics of chains with the exact real
        effective sample size (RESS), for simulated chains or for your own draws.

        Parameters
        ----------
        corpus : str
            targets in place of toy=: small, standard or FILE.toml
        function : str or a list, default ['x0']
            functions of the state, as x0, sum, g or x0<=3
        kernel : str or a list, default ['metropolis', 'heatbath']
            Markov kernel (breadboard kernel); a selector such as 'heatbath', a
            function move(x, rng), move(log_f, x, rng) or matrix(log_f), a transition
            matrix (also of scipy.sparse), or its Path; in a dict by name
        N : int or a list, default [100, 300, 1000, 3000]
            number of samples of a chain, with its start
        start : str or a list, default ['uniform']
            where chains start: uniform, initial, target, mode, point:STATE, file:PATH;
            a selector such as 'mode', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        toy : str or a list, default ['easy', 'hard', 'barrier']
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        warmup : int
            number of moves before the first sample; of files also a share, as 10%
        base : int
            the number of the first state, and of the first coordinate
        chains : int, default 8
            number of chains or runs
        column : str or a list
            give the column NAME the role or name ROLE, as in NAME=ROLE run=chain; none
            omits it
        map : path
            FILE of your own names: rows name,state, as in V1,x0 or low,0
        shape : str
            the sides of NumPy's arrays: chains,draws (ArviZ), draws,chains (emcee) or
            draws
        seed : int, default 1
            seed of all random numbers, 0 to 2^64-1
        time : str, default '10m0s'
            the time that may be taken, as in 90s or 2h
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _samplers_calibrate(Command):
    def __call__(
        self, *,
        rng: Any = None,
        corpus: Optional[str] = 'small',
        function: Optional[_Texts] = ['x0', 'g'],
        kernel: Optional[_Kernel] = ['metropolis', 'heatbath'],
        N: Optional[_Numbers] = [1000],
        start: Optional[_Selector] = ['uniform'],
        toy: Optional[_Toy] = None,
        warmup: Optional[Union[_Number, str]] = None,
        chains: Optional[_Number] = 8,
        seed: Optional[Any] = 1,
        time: Optional[str] = '10m0s',
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """calibrate compares diagnostics of chains with the errors that they should
        predict, for every target, kernel, start, function and N.

        Parameters
        ----------
        corpus : str, default 'small'
            targets in place of toy=: small, standard or FILE.toml
        function : str or a list, default ['x0', 'g']
            functions of the state, as x0, sum, g or x0<=3
        kernel : str or a list, default ['metropolis', 'heatbath']
            Markov kernel (breadboard kernel); a selector such as 'heatbath', a
            function move(x, rng), move(log_f, x, rng) or matrix(log_f), a transition
            matrix (also of scipy.sparse), or its Path; in a dict by name
        N : int or a list, default [1000]
            number of samples of a chain, with its start
        start : str or a list, default ['uniform']
            where chains start: uniform, initial, target, mode, point:STATE, file:PATH;
            a selector such as 'mode', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        toy : str or a list
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        warmup : int
            number of moves before the first sample
        chains : int, default 8
            number of chains or runs
        seed : int, default 1
            seed of all random numbers, 0 to 2^64-1
        time : str, default '10m0s'
            the time that may be taken, as in 90s or 2h
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _samplers_meta(Command):
    def __call__(
        self, *,
        rng: Any = None,
        corpus: Optional[str] = 'standard',
        function: Optional[_Texts] = ['x0'],
        kernel: Optional[_Kernel] = ['metropolis', 'heatbath'],
        label: Optional[Literal["exact", "essd"]] = 'exact',
        N: Optional[_Numbers] = [300],
        start: Optional[_Selector] = ['uniform'],
        toy: Optional[_Toy] = None,
        warmup: Optional[Union[_Number, str]] = None,
        chains: Optional[_Number] = 8,
        splits: Optional[_Number] = 3,
        seed: Optional[Any] = 1,
        time: Optional[str] = '10m0s',
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """meta predicts the error of the mean of a chain from its diagnostics, and scores
        the predictions on held-out targets (Turner and Neal 2017, section 4.6 and
        Table 2).

        Parameters
        ----------
        corpus : str, default 'standard'
            targets in place of toy=: small, standard or FILE.toml
        function : str or a list, default ['x0']
            functions of the state, as x0, sum, g or x0<=3
        kernel : str or a list, default ['metropolis', 'heatbath']
            Markov kernel (breadboard kernel); a selector such as 'heatbath', a
            function move(x, rng), move(log_f, x, rng) or matrix(log_f), a transition
            matrix (also of scipy.sparse), or its Path; in a dict by name
        label : str, default 'exact'
            the label to predict: exact or essd
        N : int or a list, default [300]
            number of samples of a chain, with its start
        start : str or a list, default ['uniform']
            where chains start: uniform, initial, target, mode, point:STATE, file:PATH;
            a selector such as 'mode', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        toy : str or a list
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        warmup : int
            number of moves before the first sample
        chains : int, default 8
            number of chains or runs for the label essd
        splits : int, default 3
            number of splits of the targets
        seed : int, default 1
            seed of all random numbers, 0 to 2^64-1
        time : str, default '10m0s'
            the time that may be taken, as in 90s or 2h
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _samplers_corpus(Command):
    def __call__(
        self, *arguments: Any,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """corpus lists the targets over which corpus= NAME runs: small (10 targets),
        standard (100, the default) or FILE.toml.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _samplers(Command):
    errors: _samplers_errors
    times: _samplers_times
    laws: _samplers_laws
    diagnose: _samplers_diagnose
    calibrate: _samplers_calibrate
    meta: _samplers_meta
    corpus: _samplers_corpus
    def __call__(
        self, *,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """samplers scores samplers by the real effective sample size (RESS) of what they
        estimate, and diagnostics by how well they predict it (Turner and Neal 2017).

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _couple_best(Command):
    def __call__(
        self, *,
        coupling: Optional[_Texts] = ['rows', 'rows-comonotone', 'quantile', 'common', 'proposals', 'independent'],
        kernel: Optional[_Kernel] = ['metropolis', 'heatbath'],
        start: Optional[_Selector] = ['uniform'],
        toy: Optional[_Toy] = ['random:2:7:3x3', 'barrier:3x3'],
        time: Optional[str] = '10m0s',
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """best compares the mean meeting time of every coupling with that of the best
        Markovian coupling, at a lag of one.

        Parameters
        ----------
        coupling : str or a list, default ['rows', 'rows-comonotone', 'quantile', 'common', 'proposals', 'independent']
            couplings: rows, rows-comonotone, quantile, common, proposals, independent
        kernel : str or a list, default ['metropolis', 'heatbath']
            Markov kernel (breadboard kernel); a selector such as 'heatbath', a
            function move(x, rng), move(log_f, x, rng) or matrix(log_f), a transition
            matrix (also of scipy.sparse), or its Path; in a dict by name
        start : str or a list, default ['uniform']
            where chains start: uniform, initial, target, mode, point:STATE, file:PATH;
            a selector such as 'mode', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        toy : str or a list, default ['random:2:7:3x3', 'barrier:3x3']
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        time : str, default '10m0s'
            the time that may be taken, as in 90s or 2h
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _couple_unbiased(Command):
    def __call__(
        self, *,
        coupling: Optional[_Texts] = ['rows-comonotone'],
        function: Optional[_Texts] = ['g'],
        k: Optional[_Texts] = ['best', 'q99'],
        kernel: Optional[_Kernel] = ['metropolis', 'heatbath'],
        L: Optional[_Numbers] = [1, 10],
        m: Optional[_Numbers] = [100],
        start: Optional[_Selector] = ['uniform'],
        toy: Optional[_Toy] = ['random:2:7:3x3', 'barrier:3x3'],
        time: Optional[str] = '10m0s',
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """unbiased gives the exact variance and cost of the unbiased estimator of Jacob,
        O'Leary and Atchade (2020).

        Parameters
        ----------
        coupling : str or a list, default ['rows-comonotone']
            couplings: rows, rows-comonotone, quantile, common, proposals, independent,
            best
        function : str or a list, default ['g']
            functions of the state, as x0, sum, g or x0<=3
        k : str or a list, default ['best', 'q99']
            the first step of the average: a number, best or q99
        kernel : str or a list, default ['metropolis', 'heatbath']
            Markov kernel (breadboard kernel); a selector such as 'heatbath', a
            function move(x, rng), move(log_f, x, rng) or matrix(log_f), a transition
            matrix (also of scipy.sparse), or its Path; in a dict by name
        L : int or a list, default [1, 10]
            lags between the two chains, in moves
        m : int or a list, default [100]
            last steps of the average
        start : str or a list, default ['uniform']
            where chains start: uniform, initial, target, mode, point:STATE, file:PATH;
            a selector such as 'mode', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        toy : str or a list, default ['random:2:7:3x3', 'barrier:3x3']
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        time : str, default '10m0s'
            the time that may be taken, as in 90s or 2h
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _couple(Command):
    best: _couple_best
    unbiased: _couple_unbiased
    def __call__(
        self, *,
        coupling: Optional[_Texts] = ['rows', 'rows-comonotone', 'common'],
        kernel: Optional[_Kernel] = ['metropolis', 'heatbath'],
        L: Optional[_Numbers] = [1, 10],
        start: Optional[_Selector] = ['uniform'],
        toy: Optional[_Toy] = ['random:2:7:3x3'],
        tv: Optional[_Number] = 0.25,
        moves: Optional[_Numbers] = [10],
        time: Optional[str] = '10m0s',
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """couple gives the exact distribution of the time tau at which two coupled chains
        meet, and the bound on mixing that follows from it.

        Parameters
        ----------
        coupling : str or a list, default ['rows', 'rows-comonotone', 'common']
            couplings: rows, rows-comonotone, quantile, common, proposals, independent,
            best
        kernel : str or a list, default ['metropolis', 'heatbath']
            Markov kernel (breadboard kernel); a selector such as 'heatbath', a
            function move(x, rng), move(log_f, x, rng) or matrix(log_f), a transition
            matrix (also of scipy.sparse), or its Path; in a dict by name
        L : int or a list, default [1, 10]
            lags between the two chains, in moves
        start : str or a list, default ['uniform']
            where chains start: uniform, initial, target, mode, point:STATE, file:PATH;
            a selector such as 'mode', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        toy : str or a list, default ['random:2:7:3x3']
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        tv : number, default 0.25
            bound of the total variation distance for the mixing times
        moves : int or a list, default [10]
            number of moves at which the bound is given
        time : str, default '10m0s'
            the time that may be taken, as in 90s or 2h
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _temper_ladder(Command):
    def __call__(
        self, *,
        T: Optional[_Numbers] = [3],
        function: Optional[str] = 'g',
        initial: Optional[_Selector] = None,
        kernel: Optional[_Kernel] = 'metropolis',
        path: Optional[_Selector] = 'geometric',
        scheme: Optional[Literal["deo", "seo"]] = 'deo',
        toy: Optional[_Toy] = ['random:2:7:3x3', 'barrier:3x3'],
        time: Optional[str] = '10m0s',
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """ladder finds the best rungs of a ladder of parallel tempering by four criteria.

        Parameters
        ----------
        T : int or a list, default [3]
            number of distributions, both ends included
        function : str, default 'g'
            functions of the state of the cold chain, as x0, g, mode or x0<=3
        initial : str
            where the path starts (default the prior of a model, else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str, default 'metropolis'
            Markov kernel (breadboard kernel); a selector such as 'heatbath', a
            function move(x, rng), move(log_f, x, rng) or matrix(log_f), a transition
            matrix (also of scipy.sparse), or its Path; in a dict by name
        path : str, default 'geometric'
            the path of distributions, as in q:0.5; a selector such as 'geometric', log
            f of each state at each of T stages, (T, states) or (T, *shape), or log f
            of a distribution on the way; in a dict by name
        scheme : str, default 'deo'
            pairs that are offered swaps: deo, even and odd in turn, or seo, by a coin
        toy : str or a list, default ['random:2:7:3x3', 'barrier:3x3']
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        time : str, default '10m0s'
            the time that may be taken, as in 90s or 2h
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _temper_z(Command):
    def __call__(
        self, *,
        T: Optional[_Numbers] = [3],
        initial: Optional[_Selector] = None,
        kernel: Optional[_Kernel] = 'metropolis',
        path: Optional[_Selector] = 'geometric',
        R: Optional[_Numbers] = [1, 2, 4, 16],
        schedule: Optional[_Selector] = 'acceptance',
        scheme: Optional[Union[Literal["deo", "seo"], Iterable[Literal["deo", "seo"]]]] = ['deo'],
        start: Optional[_Selector] = ['uniform', 'stationary'],
        toy: Optional[_Toy] = ['random:2:7:3x3', 'barrier:3x3'],
        time: Optional[str] = '10m0s',
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """z gives the exact bias and variance of estimates of log Z from R recorded scans
        of parallel tempering.

        Parameters
        ----------
        T : int or a list, default [3]
            number of distributions, both ends included
        initial : str
            where the path starts (default the prior of a model, else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str, default 'metropolis'
            Markov kernel (breadboard kernel); a selector such as 'heatbath', a
            function move(x, rng), move(log_f, x, rng) or matrix(log_f), a transition
            matrix (also of scipy.sparse), or its Path; in a dict by name
        path : str, default 'geometric'
            the path of distributions, as in q:0.5; a selector such as 'geometric', log
            f of each state at each of T stages, (T, states) or (T, *shape), or log f
            of a distribution on the way; in a dict by name
        R : int or a list, default [1, 2, 4, 16]
            number of scans
        schedule : str, default 'acceptance'
            schedule (breadboard schedule); a selector such as 'sigmoid', or a list of
            betas from 0 to 1; in a dict by name
        scheme : str or a list, default ['deo']
            pairs that are offered swaps: deo, even and odd in turn, or seo, by a coin
        start : str or a list, default ['uniform', 'stationary']
            where chains start: uniform, stationary; a selector such as 'mode', or log
            f of each state in the shape of the toy, on a graph as a dict by label
        toy : str or a list, default ['random:2:7:3x3', 'barrier:3x3']
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        time : str, default '10m0s'
            the time that may be taken, as in 90s or 2h
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _temper_compare(Command):
    def __call__(
        self, *,
        T: Optional[_Numbers] = [3],
        initial: Optional[_Selector] = None,
        kernel: Optional[_Kernel] = 'metropolis',
        path: Optional[_Selector] = 'geometric',
        scans: Optional[_Numbers] = [1, 4, 16, 64, 256],
        schedule: Optional[_Selector] = 'acceptance',
        scheme: Optional[Union[Literal["deo", "seo"], Iterable[Literal["deo", "seo"]]]] = ['deo'],
        toy: Optional[_Toy] = ['random:2:7:3x3', 'barrier:3x3'],
        time: Optional[str] = '10m0s',
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """compare gives the distance from the target of tempering, annealing and a plain
        chain after equal numbers of moves.

        Parameters
        ----------
        T : int or a list, default [3]
            number of distributions, both ends included
        initial : str
            where the path starts (default the prior of a model, else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str, default 'metropolis'
            Markov kernel (breadboard kernel); a selector such as 'heatbath', a
            function move(x, rng), move(log_f, x, rng) or matrix(log_f), a transition
            matrix (also of scipy.sparse), or its Path; in a dict by name
        path : str, default 'geometric'
            the path of distributions, as in q:0.5; a selector such as 'geometric', log
            f of each state at each of T stages, (T, states) or (T, *shape), or log f
            of a distribution on the way; in a dict by name
        scans : int or a list, default [1, 4, 16, 64, 256]
            number of scans
        schedule : str, default 'acceptance'
            schedule (breadboard schedule); a selector such as 'sigmoid', or a list of
            betas from 0 to 1; in a dict by name
        scheme : str or a list, default ['deo']
            pairs that are offered swaps: deo, even and odd in turn, or seo, by a coin
        toy : str or a list, default ['random:2:7:3x3', 'barrier:3x3']
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        time : str, default '10m0s'
            the time that may be taken, as in 90s or 2h
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _temper(Command):
    ladder: _temper_ladder
    z: _temper_z
    compare: _temper_compare
    def __call__(
        self, *,
        rng: Any = None,
        T: Optional[_Numbers] = [3],
        function: Optional[_Texts] = ['g'],
        initial: Optional[_Selector] = None,
        kernel: Optional[_Kernel] = 'metropolis',
        path: Optional[_Selector] = 'geometric',
        R: Optional[_Number] = 1000,
        schedule: Optional[_Selector] = 'acceptance',
        scheme: Optional[Union[Literal["deo", "seo"], Iterable[Literal["deo", "seo"]]]] = ['deo'],
        toy: Optional[_Toy] = ['random:2:7:3x3', 'barrier:3x3'],
        chains: Optional[_Number] = None,
        seed: Optional[Any] = 1,
        time: Optional[str] = '10m0s',
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """temper gives the exact rate of round trips of a ladder of parallel tempering
        and the asymptotic variance of an average over the cold chain.

        Parameters
        ----------
        T : int or a list, default [3]
            number of distributions, both ends included
        function : str or a list, default ['g']
            functions of the state of the cold chain, as x0, g, mode or x0<=3
        initial : str
            where the path starts (default the prior of a model, else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str, default 'metropolis'
            Markov kernel (breadboard kernel); a selector such as 'heatbath', a
            function move(x, rng), move(log_f, x, rng) or matrix(log_f), a transition
            matrix (also of scipy.sparse), or its Path; in a dict by name
        path : str, default 'geometric'
            the path of distributions, as in q:0.5; a selector such as 'geometric', log
            f of each state at each of T stages, (T, states) or (T, *shape), or log f
            of a distribution on the way; in a dict by name
        R : int, default 1000
            number of scans of each run, after as many unrecorded ones
        schedule : str, default 'acceptance'
            schedule (breadboard schedule); a selector such as 'sigmoid', or a list of
            betas from 0 to 1; in a dict by name
        scheme : str or a list, default ['deo']
            pairs that are offered swaps: deo, even and odd in turn, or seo, by a coin
        toy : str or a list, default ['random:2:7:3x3', 'barrier:3x3']
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        chains : int
            number of chains or runs of all replicas; 0 is none
        seed : int, default 1
            seed of all random numbers, 0 to 2^64-1
        time : str, default '10m0s'
            the time that may be taken, as in 90s or 2h
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _network(Command):
    def __call__(
        self, *arguments: Any,
        rng: Any = None,
        evidence: Optional[Union[str, Mapping[str, Any], Iterable[Any]]] = None,
        hide: Optional[_Texts] = None,
        samples: Optional[_Number] = None,
        check: bool = False,
        memory: Optional[str] = '1GB',
        best: bool = False,
        observed: bool = False,
        pairs: bool = False,
        write: Optional[_Path] = None,
        seed: Optional[Any] = 1,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """network gives the exact probability of every value of every variable of a
        network or lattice, given evidence.

        Parameters
        ----------
        evidence : str or a list
            what has been observed: VARIABLE=VALUE+VARIABLE=VALUE, or a file
        hide : str or a list
            variables to sum out: VARIABLE+VARIABLE
        samples : int
            number of samples to draw in place of the table
        check : bool, default False
            check the results by another method; exit code 1 if they differ; for few
            enough states
        memory : str, default '1GB'
            memory limit, as in 500MB
        best : bool, default False
            add a best state and its log f
        observed : bool, default False
            add the observations of a hidden Markov model
        pairs : bool, default False
            add the distribution of each pair of variables that share a factor
        write : path
            write the network to OUT, in the format of its ending, and compute nothing
        seed : int, default 1
            seed of all random numbers, 0 to 2^64-1
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _conform_spec(Command):
    def __call__(
        self, *,
        T: Optional[_Numbers] = [12],
        initial: Optional[_Selector] = None,
        kernel: Optional[_Kernel] = 'metropolis',
        path: Optional[_Selector] = 'geometric',
        powerful: bool = False,
        schedule: Optional[_Selector] = 'linear',
        toy: Optional[_Toy] = ['easy'],
        alpha: Optional[_Number] = 1e-06,
        verbose: bool = False,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """spec writes the folder out=, which says how to implement one annealing.

        Parameters
        ----------
        T : int or a list, default [12]
            number of distributions, both ends included
        initial : str
            where the path starts (default the prior of a model, else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str, default 'metropolis'
            Markov kernel (breadboard kernel); a selector such as 'heatbath', a
            function move(x, rng), move(log_f, x, rng) or matrix(log_f), a transition
            matrix (also of scipy.sparse), or its Path; in a dict by name
        path : str, default 'geometric'
            the path of distributions, as in q:0.5; a selector such as 'geometric', log
            f of each state at each of T stages, (T, states) or (T, *shape), or log f
            of a distribution on the way; in a dict by name
        powerful : bool, default False
            choose the annealing at which every fault is found with the fewest chains
        schedule : str, default 'linear'
            schedule (breadboard schedule); a selector such as 'sigmoid', or a list of
            betas from 0 to 1; in a dict by name
        toy : str or a list, default ['easy']
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        alpha : number, default 1e-06
            largest probability of a false alarm in the run
        verbose : bool, default False
            show all findings of a check, also those that pass

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _conform_check(Command):
    def __call__(
        self, *arguments: Any,
        rng: Any = None,
        claim: Optional[str] = 'unbiased',
        log_z_included: bool = False,
        column: Optional[_Texts] = None,
        estimates: Optional[Any] = None,
        forward: Optional[Any] = None,
        largest: Optional[_Number] = None,
        most: Optional[_Number] = None,
        reverse: Optional[Any] = None,
        smallest: Optional[_Number] = None,
        stdin: Optional[str] = None,
        transitions: Optional[Any] = None,
        alpha: Optional[_Number] = 1e-06,
        junit: Optional[_Path] = None,
        seed: Optional[Any] = 1,
        verbose: bool = False,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """check reads chains that an implementation of a task has made, and tests every
        distribution that their columns allow.

        Parameters
        ----------
        claim : str, default 'unbiased'
            what is claimed of the estimates: unbiased, reciprocal-unbiased, lower,
            upper, lower-on-average, upper-on-average, within:NATS[:PROBABILITY],
            calibrated[:SLACK], law:ESTIMATOR
        log_z_included : bool, default False
            log weights and estimates hold log Z_1: estimates are of log Z_T
        column : str or a list
            give the column NAME the role or name ROLE, as in NAME=ROLE run=chain; none
            omits it
        estimates : path
            FILE of estimates in the column log_z
        forward : path
            FILE of forward chains
        largest : number
            the largest possible log_z, without which a mean that is too low is not
            found
        most : int
            the largest number of rows that are read of each source; 0 is all
        reverse : path
            FILE of reverse chains
        smallest : number
            the smallest possible log_z, which lower-on-average needs
        stdin : str
            WHAT standard input holds, as CSV or JSON Lines: forward, reverse,
            transitions, estimates
        transitions : path
            FILE of single moves of the kernel, with the columns beta, from and to
        alpha : number, default 1e-06
            largest probability of a false alarm in the run
        junit : path
            also write the findings of a check to this FILE as JUnit XML
        seed : int, default 1
            seed of all random numbers, 0 to 2^64-1
        verbose : bool, default False
            show all findings of a check, also those that pass
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _conform_run(Command):
    def __call__(
        self, *arguments: Any,
        rng: Any = None,
        log_z_included: bool = False,
        most: Optional[_Number] = 131072,
        alpha: Optional[_Number] = 1e-06,
        junit: Optional[_Path] = None,
        seed: Optional[Any] = 1,
        verbose: bool = False,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """run starts a program and asks it for batches of chains, each from its own seed,
        by JSON Lines on its standard input and output
        (experiments/programs/PROTOCOL.md, "A sampler of chains").

        Parameters
        ----------
        log_z_included : bool, default False
            log weights and estimates hold log Z_1: estimates are of log Z_T
        most : int, default 131072
            the largest number of chains that are asked for in each direction
        alpha : number, default 1e-06
            largest probability of a false alarm in the run
        junit : path
            also write the findings of a check to this FILE as JUnit XML
        seed : int, default 1
            seed of all random numbers, 0 to 2^64-1
        verbose : bool, default False
            show all findings of a check, also those that pass
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _conform_estimates(Command):
    def __call__(
        self, *arguments: Any,
        claim: Optional[str] = 'unbiased',
        T: Optional[_Numbers] = [12],
        initial: Optional[_Selector] = None,
        kernel: Optional[_Kernel] = 'metropolis',
        log_z: Optional[_Number] = None,
        log_z_included: bool = False,
        path: Optional[_Selector] = 'geometric',
        schedule: Optional[_Selector] = 'linear',
        toy: Optional[_Toy] = None,
        column: Optional[_Texts] = None,
        largest: Optional[_Number] = None,
        most: Optional[_Number] = None,
        smallest: Optional[_Number] = None,
        alpha: Optional[_Number] = 1e-06,
        junit: Optional[_Path] = None,
        verbose: bool = False,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """estimates reads estimates of log(Z_T/Z_1), one a row, and tests whether the
        claim of claim= about them is true.

        Parameters
        ----------
        claim : str, default 'unbiased'
            what is claimed of the estimates: unbiased, reciprocal-unbiased, lower,
            upper, lower-on-average, upper-on-average, within:NATS[:PROBABILITY],
            calibrated[:SLACK], law:ESTIMATOR
        T : int or a list, default [12]
            number of distributions, both ends included
        initial : str
            where the path starts (default the prior of a model, else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str, default 'metropolis'
            Markov kernel (breadboard kernel); a selector such as 'heatbath', a
            function move(x, rng), move(log_f, x, rng) or matrix(log_f), a transition
            matrix (also of scipy.sparse), or its Path; in a dict by name
        log_z : number
            log Z in place of a toy; with claim= reciprocal-unbiased log Z - log P(f_T
            > 0)
        log_z_included : bool, default False
            log weights and estimates hold log Z_1: estimates are of log Z_T
        path : str, default 'geometric'
            the path of distributions, as in q:0.5; a selector such as 'geometric', log
            f of each state at each of T stages, (T, states) or (T, *shape), or log f
            of a distribution on the way; in a dict by name
        schedule : str, default 'linear'
            schedule (breadboard schedule); a selector such as 'sigmoid', or a list of
            betas from 0 to 1; in a dict by name
        toy : str or a list
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        column : str or a list
            give the column NAME the role or name ROLE, as in NAME=ROLE run=chain; none
            omits it
        largest : number
            the largest possible log_z, without which a mean that is too low is not
            found
        most : int
            the largest number of estimates that are read; 0 is all
        smallest : number
            the smallest possible log_z, which lower-on-average needs
        alpha : number, default 1e-06
            largest probability of a false alarm in the run
        junit : path
            also write the findings of a check to this FILE as JUnit XML
        verbose : bool, default False
            show all findings of a check, also those that pass
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _conform_draws(Command):
    def __call__(
        self, *arguments: Any,
        law: Optional[_Selector] = None,
        toy: Optional[_Toy] = None,
        base: Optional[_Number] = None,
        column: Optional[_Texts] = None,
        map: Optional[_Path] = None,
        most: Optional[_Number] = None,
        shape: Optional[Literal["chains,draws", "draws,chains", "draws"]] = None,
        alpha: Optional[_Number] = 1e-06,
        junit: Optional[_Path] = None,
        verbose: bool = False,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """draws reads draws, one a row, and tests whether they are independent draws of
        the distribution of toy= or law=.

        Parameters
        ----------
        law : path
            FILE of any other distribution: a header label,probability and a row for
            each state
        toy : str
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        base : int
            the number of the first state, and of the first coordinate
        column : str or a list
            give the column NAME the role or name ROLE, as in NAME=ROLE run=chain; none
            omits it
        map : path
            FILE of your own names: rows name,state, as in V1,x0 or low,0
        most : int
            the largest number of draws that are read; 0 is all of a file, and 131072
            of a program
        shape : str
            the sides of NumPy's arrays: chains,draws (ArviZ), draws,chains (emcee) or
            draws
        alpha : number, default 1e-06
            largest probability of a false alarm in the run
        junit : path
            also write the findings of a check to this FILE as JUnit XML
        verbose : bool, default False
            show all findings of a check, also those that pass

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _conform_chain(Command):
    def __call__(
        self, *arguments: Any,
        function: Optional[_Texts] = None,
        kernel: Optional[_Kernel] = None,
        thin: Optional[_Number] = 1,
        toy: Optional[_Toy] = None,
        base: Optional[_Number] = None,
        column: Optional[_Texts] = None,
        map: Optional[_Path] = None,
        most: Optional[_Number] = None,
        shape: Optional[Literal["chains,draws", "draws,chains", "draws"]] = None,
        strict: bool = False,
        alpha: Optional[_Number] = 1e-06,
        junit: Optional[_Path] = None,
        verbose: bool = False,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """chain reads the draws of Markov chains, one a row in their order, and tests
        whether the sampler is right, and whether the draws represent the target.

        Parameters
        ----------
        function : str or a list
            functions of the state whose means are compared (default all variables and
            g)
        kernel : str
            Markov kernel (breadboard kernel) whose moves the chains are meant to make;
            a selector such as 'heatbath', a function move(x, rng), move(log_f, x, rng)
            or matrix(log_f), a transition matrix (also of scipy.sparse), or its Path;
            in a dict by name
        thin : int, default 1
            number of moves for each draw
        toy : str
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        base : int
            the number of the first state, and of the first coordinate
        column : str or a list
            give the column NAME the role or name ROLE, as in NAME=ROLE run=chain; none
            omits it
        map : path
            FILE of your own names: rows name,state, as in V1,x0 or low,0
        most : int
            the largest number of draws that are read; 0 is all of a file, and 131072
            of a program
        shape : str
            the sides of NumPy's arrays: chains,draws (ArviZ), draws,chains (emcee) or
            draws
        strict : bool, default False
            exit with code 1 also if the moves are right and the draws do not represent
            the target
        alpha : number, default 1e-06
            largest probability of a false alarm in the run
        junit : path
            also write the findings of a check to this FILE as JUnit XML
        verbose : bool, default False
            show all findings of a check, also those that pass

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _conform_ranks(Command):
    def __call__(
        self, *arguments: Any,
        draws: Optional[_Number] = None,
        alpha: Optional[_Number] = 1e-06,
        junit: Optional[_Path] = None,
        verbose: bool = False,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """ranks reads the ranks of simulation-based calibration (SBC), one row a run, and
        tests for each variable whether they are uniform on 0 to L.

        Parameters
        ----------
        draws : int
            number of draws among which a value is ranked; 0 is that of the column
            max_rank
        alpha : number, default 1e-06
            largest probability of a false alarm in the run
        junit : path
            also write the findings of a check to this FILE as JUnit XML
        verbose : bool, default False
            show all findings of a check, also those that pass

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _conform_joint(Command):
    def __call__(
        self, *arguments: Any,
        rng: Any = None,
        column: Optional[_Texts] = None,
        L: Optional[_Number] = 99,
        alpha: Optional[_Number] = 1e-06,
        junit: Optional[_Path] = None,
        seed: Optional[Any] = 1,
        verbose: bool = False,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """joint compares two files of draws of parameters and data.

        Parameters
        ----------
        column : str or a list
            give the column NAME the role or name ROLE, as in NAME=ROLE run=chain; none
            omits it
        L : int, default 99
            number of draws among which a value is ranked, at most
        alpha : number, default 1e-06
            largest probability of a false alarm in the run
        junit : path
            also write the findings of a check to this FILE as JUnit XML
        seed : int, default 1
            seed of all random numbers, 0 to 2^64-1
        verbose : bool, default False
            show all findings of a check, also those that pass

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _conform_vectors(Command):
    def __call__(
        self, *arguments: Any,
        junit: Optional[_Path] = None,
        verbose: bool = False,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """vectors reads what functions have answered to the cases of breadboard vectors,
        as JSON: {"rhat": {"four": 1.02, "odd": 0.98}}.

        Parameters
        ----------
        junit : path
            also write the findings of a check to this FILE as JUnit XML
        verbose : bool, default False
            show all findings of a check, also those that pass

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _conform_posterior(Command):
    def __call__(
        self, *arguments: Any,
        data: Optional[Any] = None,
        chains: Optional[_Number] = 1000,
        L: Optional[_Number] = 15,
        moves: Optional[_Number] = 100,
        strict: bool = False,
        alpha: Optional[_Number] = 1e-06,
        junit: Optional[_Path] = None,
        verbose: bool = False,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """posterior asks a program for the distributions of its model and of its sampler,
        and compares them exactly, for all data that the model can have.

        Parameters
        ----------
        data : str or a list
            the data for which the sampler is tested, as the program writes them
        chains : int, default 1000
            number of chains or runs of the tests whose power is computed
        L : int, default 15
            number of draws among which a value is ranked in SBC, and number of rounds
            of Geweke's test
        moves : int, default 100
            number of moves of a chain before its draw for SBC
        strict : bool, default False
            exit with code 1 also if a step does not join all parameters
        alpha : number, default 1e-06
            largest probability of a false alarm in the run
        junit : path
            also write the findings of a check to this FILE as JUnit XML
        verbose : bool, default False
            show all findings of a check, also those that pass

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _conform(Command):
    spec: _conform_spec
    check: _conform_check
    run: _conform_run
    estimates: _conform_estimates
    draws: _conform_draws
    chain: _conform_chain
    ranks: _conform_ranks
    joint: _conform_joint
    vectors: _conform_vectors
    posterior: _conform_posterior
    def __call__(
        self, *,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """conform tests code of yours, in any language, against exact distributions.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _kernel_check(Command):
    def __call__(
        self, *arguments: Any,
        rng: Any = None,
        beta: Optional[_Numbers] = [0, 0.25, 0.5, 0.75, 1],
        T: Optional[_Number] = 100,
        toy: Optional[_Toy] = ['easy', 'hard', 'barrier'],
        moves: Optional[_Number] = 65536,
        strict: bool = False,
        alpha: Optional[_Number] = 1e-06,
        junit: Optional[_Path] = None,
        seed: Optional[Any] = 1,
        time: Optional[str] = '10m0s',
        verbose: bool = False,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """check computes the exact transition matrix of a kernel and reports whether the
        kernel is correct and how fast it mixes.

        Parameters
        ----------
        beta : number or a list, default [0, 0.25, 0.5, 0.75, 1]
            inverse temperatures, from 0 to 1, at which a verdict is wanted
        T : int, default 100
            number of distributions, both ends included
        toy : str or a list, default ['easy', 'hard', 'barrier']
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        moves : int, default 65536
            number of moves of a program that makes its own choices, from 256 to
            1000000000
        strict : bool, default False
            exit with code 1 also if the kernel leaves the distributions invariant and
            does not join all states
        alpha : number, default 1e-06
            largest probability of a false alarm in the run
        junit : path
            also write the findings of a check to this FILE as JUnit XML
        seed : int, default 1
            seed of all random numbers, 0 to 2^64-1
        time : str, default '10m0s'
            the time that may be taken, as in 90s or 2h
        verbose : bool, default False
            show all findings of a check, also those that pass
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _kernel(Command):
    check: _kernel_check
    def __call__(
        self, *,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """List kernels, and check whether one is right and how good it is

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _sbc(Command):
    def __call__(
        self, *,
        rng: Any = None,
        data: Optional[Any] = 'simulated',
        datasets: Optional[_Number] = 100,
        sampler: Optional[_Texts] = ['iid', 'prior', 'power:0.9', 'power:0.5', 'metropolis'],
        start: Optional[_Selector] = 'initial',
        statistic: Optional[_Texts] = ['z', 'loglik'],
        thin: Optional[_Numbers] = [1],
        toy: Optional[_Toy] = ['clu4'],
        warmup: Optional[Union[_Number, str]] = None,
        L: Optional[_Number] = 15,
        alpha: Optional[_Number] = 1e-06,
        seed: Optional[Any] = 1,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """sbc gives the exact distribution of the ranks of simulation-based calibration
        (SBC), and how many nats a run gives to a test of them.

        Parameters
        ----------
        data : str, default 'simulated'
            the data: simulated, or given for those of the toy
        datasets : int, default 100
            number of data sets
        sampler : str or a list, default ['iid', 'prior', 'power:0.9', 'power:0.5', 'metropolis']
            the samplers: iid, prior, power:B, bug:NAME, or a kernel
        start : str, default 'initial'
            where chains start: initial, target, truth or another distribution; a
            selector such as 'mode', or log f of each state in the shape of the toy, on
            a graph as a dict by label
        statistic : str or a list, default ['z', 'loglik']
            statistics of the state: z, loglik, logp, or a function such as x0
        thin : int or a list, default [1]
            number of moves for each draw
        toy : str or a list, default ['clu4']
            target, as in easy (breadboard help toys): models of data, such as clu4; a
            selector such as 'barrier', log f of each state as an array or nested
            lists, Target(values, edges=pairs), Energy(weights), a model of pgmpy, a
            Path, or several in a list, or in a dict by name
        warmup : int
            number of moves before the first sample
        L : int, default 15
            number of draws among which a value is ranked
        alpha : number, default 1e-06
            largest probability of a false alarm in the run
        seed : int, default 1
            seed of all random numbers, 0 to 2^64-1
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _power(Command):
    def __call__(
        self, *,
        rng: Any = None,
        datasets: Optional[_Number] = 40,
        fault: Optional[_Texts] = ['prior', 'bug:redraw', 'bug:skewed'],
        right: Optional[str] = 'metropolis',
        start: Optional[_Selector] = 'initial',
        statistic: Optional[_Texts] = ['z', 'loglik'],
        thin: Optional[_Numbers] = [1, 20],
        toy: Optional[_Toy] = ['clu4'],
        warmup: Optional[Union[_Number, str]] = None,
        L: Optional[_Number] = 15,
        alpha: Optional[_Number] = 1e-06,
        seed: Optional[Any] = 1,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """power compares exactly what tests of samplers see of a fault, and after how
        many runs they find it.

        Parameters
        ----------
        datasets : int, default 40
            number of data sets
        fault : str or a list, default ['prior', 'bug:redraw', 'bug:skewed']
            the faults: prior, power:B, bug:NAME, or a wrong kernel
        right : str, default 'metropolis'
            the right kernel
        start : str, default 'initial'
            where chains start: initial, target, truth or another distribution; a
            selector such as 'mode', or log f of each state in the shape of the toy, on
            a graph as a dict by label
        statistic : str or a list, default ['z', 'loglik']
            statistics of the state: z, loglik, logp, or a function such as x0
        thin : int or a list, default [1, 20]
            number of moves for each draw
        toy : str or a list, default ['clu4']
            target, as in easy (breadboard help toys): models of data, such as clu4; a
            selector such as 'barrier', log f of each state as an array or nested
            lists, Target(values, edges=pairs), Energy(weights), a model of pgmpy, a
            Path, or several in a list, or in a dict by name
        warmup : int
            number of moves before the first sample
        L : int, default 15
            number of draws among which a value is ranked
        alpha : number, default 1e-06
            largest probability of a false alarm in the run
        seed : int, default 1
            seed of all random numbers, 0 to 2^64-1
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _vectors(Command):
    def __call__(
        self, *arguments: Any,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """vectors lists plain functions of Monte Carlo code: sums of log weights, R-hat,
        effective sample sizes, acceptance probabilities, recursions of hidden Markov
        models, resampling and others.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _sweep_plan(Command):
    def __call__(
        self, *arguments: Any,
        set: Optional[_Texts] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """plan checks a specification as run does, and estimates the time, memory and
        disk that run needs.

        Parameters
        ----------
        set : str or a list
            replace a list of the grid, as in T=10,100

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _sweep_run(Command):
    def __call__(
        self, *arguments: Any,
        set: Optional[_Texts] = None,
        extend: bool = False,
        shard: Optional[str] = 'auto',
        out: Optional[_Path] = None,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """run solves the cells of a specification and appends each result to a file in
        the folder DIR, one checksummed line of JSON.

        Parameters
        ----------
        set : str or a list
            replace a list of the grid, as in T=10,100
        extend : bool, default False
            continue with the results of another specification of the study in the
            folder
        shard : str, default 'auto'
            the part to solve: I/N, auto/N or auto
        out : path
            where results and figures are written: the folder DIR of the sweep
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _sweep_status(Command):
    def __call__(
        self, *arguments: Any,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """status reads the results in the folders of a sweep, which may be running, and
        says how far each shard has come.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _sweep_merge(Command):
    def __call__(
        self, *arguments: Any,
        partial: bool = False,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """merge reads the results of a sweep from one or more folders and writes one
        table: the same bytes for any number of shards, workers and restarts, except
        wall-clock times.

        Parameters
        ----------
        partial : bool, default False
            take what there is if cells are missing

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _sweep_submit(Command):
    def __call__(
        self, *arguments: Any,
        set: Optional[_Texts] = None,
        extend: bool = False,
        sbatch: Optional[_Texts] = None,
        shards: Optional[_Number] = None,
        submit: bool = False,
        out: Optional[_Path] = None,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """submit writes two scripts to the folder DIR and shows them: an array job that
        runs a shard of the sweep in each task, and a job that merges the results into
        DIR/merged.

        Parameters
        ----------
        set : str or a list
            replace a list of the grid, as in T=10,100
        extend : bool, default False
            continue with the results of another specification of the study in the
            folder
        sbatch : str or a list
            an OPTION for sbatch in both jobs, as in sbatch=partition=short
        shards : int
            tasks of the array (default 10, or as many as there are cells)
        submit : bool, default False
            hand the scripts to sbatch
        out : path
            where results and figures are written: the folder DIR of the sweep
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _sweep(Command):
    plan: _sweep_plan
    run: _sweep_run
    status: _sweep_status
    merge: _sweep_merge
    submit: _sweep_submit
    def __call__(
        self, *,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """sweep runs one study, such as tightness, on every annealing of a grid.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _toys_show(Command):
    def __call__(
        self, *arguments: Any,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """show prints the description of a target, what has been published about it, and
        a drawing of it: a heat map, or a bar for each state of a graph.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _toys_export(Command):
    def __call__(
        self, *arguments: Any,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """export prints g = log f of a target as CSV, one row of the grid a line, as
        toy= file:PATH reads it.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _toys(Command):
    show: _toys_show
    export: _toys_export
    def __call__(
        self, *,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """toys lists the targets of Grosse, Ancha and Roy (2016).

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _export(Command):
    def __call__(
        self, *,
        T: Optional[_Numbers] = [100],
        initial: Optional[_Selector] = None,
        kernel: Optional[_Kernel] = 'metropolis',
        path: Optional[_Selector] = 'geometric',
        schedule: Optional[_Selector] = 'linear',
        toy: Optional[_Toy] = ['easy', 'hard', 'barrier'],
        arrays: Optional[_Texts] = None,
        stages: Optional[Union[str, Iterable[Union[str, _Number]]]] = [0.1, 0.25, 0.5, 'last'],
        time: Optional[str] = '10m0s',
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """export writes the exact arrays of one annealing as numbers, to standard output,
        or with out= to files.

        Parameters
        ----------
        T : int or a list, default [100]
            number of distributions, both ends included
        initial : str
            where the path starts (default the prior of a model, else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str, default 'metropolis'
            Markov kernel (breadboard kernel); a selector such as 'heatbath', a
            function move(x, rng), move(log_f, x, rng) or matrix(log_f), a transition
            matrix (also of scipy.sparse), or its Path; in a dict by name
        path : str, default 'geometric'
            the path of distributions, as in q:0.5; a selector such as 'geometric', log
            f of each state at each of T stages, (T, states) or (T, *shape), or log f
            of a distribution on the way; in a dict by name
        schedule : str, default 'linear'
            schedule (breadboard schedule); a selector such as 'sigmoid', or a list of
            betas from 0 to 1; in a dict by name
        toy : str or a list, default ['easy', 'hard', 'barrier']
            target, as in easy (breadboard help toys); a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), Energy(weights), a model of pgmpy, a Path, or several in a
            list, or in a dict by name
        arrays : str or a list
            which arrays: standard, all or names
        stages : str or a list, default [0.1, 0.25, 0.5, 'last']
            at which stages marginals and kernels are given
        time : str, default '10m0s'
            the time that may be taken, as in 90s or 2h

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _report(Command):
    def __call__(
        self, *arguments: Any,
        out: Optional[_Path] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """report makes one HTML file of what other commands have written, which opens in
        any browser without a network.

        Parameters
        ----------
        out : path
            where results and figures are written: the page, a FILE

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _reproduce_aide(Command):
    def __call__(
        self, *arguments: Any,
        rng: Any = None,
        gold: Optional[_Texts] = ['exact'],
        hmm: Optional[Union[str, HMM, Mapping[str, Any]]] = None,
        particles: Optional[_Numbers] = None,
        points: Optional[_Path] = None,
        proposal: Optional[_Texts] = None,
        chains: Optional[_Number] = None,
        meta: Optional[_Numbers] = [1, 10, 100],
        seed: Optional[Any] = 1,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """aide compares algorithms with a gold standard on one kind of problem, exactly,
        after figures 2 to 5 of Cusumano-Towner and Mansinghka (2017).

        Parameters
        ----------
        gold : str or a list, default ['exact']
            the gold standard: exact, or an algorithm with its number of particles, as
            optimal:1000
        hmm : path
            a hidden Markov model: a FILE in TOML or JSON, in place of the study's own
        particles : int or a list
            number of particles, or of steps of a Markov chain, 1 to 1e6 (default those
            of the study)
        points : path
            a FILE with points in place of the study's own
        proposal : str or a list
            proposals of the study, as prior,optimal
        chains : int
            number of chains or runs of rows without an exact method; 0 omits these
            rows
        meta : int or a list, default [1, 10, 100]
            meta-inference runs of the algorithm, 1 to 1e9
        seed : int, default 1
            seed of all random numbers, 0 to 2^64-1
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _reproduce(Command):
    aide: _reproduce_aide
    def __call__(
        self, *,
        id: Optional[_Texts] = None,
        paper: Optional[Union[Literal["bread", "aide", "bdmc", "meta", "samplers"], Iterable[Literal["bread", "aide", "bdmc", "meta", "samplers"]]]] = None,
        verdict: Optional[Union[Literal["as printed", "same in kind", "printed wrongly", "fails under the paper's own conditions", "fails under our reading of what the paper leaves open", "not tried at the paper's budget", "cannot be recomputed here"], Iterable[Literal["as printed", "same in kind", "printed wrongly", "fails under the paper's own conditions", "fails under our reading of what the paper leaves open", "not tried at the paper's budget", "cannot be recomputed here"]]]] = None,
        effort: Optional[Literal["fast", "slow", "long"]] = 'fast',
        junit: Optional[_Path] = None,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, name: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """reproduce computes the claims of five papers anew and gives each a verdict.

        Parameters
        ----------
        id : str or a list
            the claims with these identifiers, such as bread-7
        paper : str or a list
            claims of these papers: bread, aide, bdmc, meta, samplers
        verdict : str or a list
            claims with this declared verdict, as "printed wrongly"
        effort : str, default 'fast'
            the largest effort of a claim: fast, slow, long
        junit : path
            also write the findings of a check to this FILE as JUnit XML
        workers : int
            number of computations at once; 0 is one for each core

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

tightness: _tightness
gap: _gap
weights: _weights
schedule: _schedule
subjective: _subjective
success: _success
represent: _represent
ais: _ais
smc: _smc
aide: _aide
policy: _policy
evidence: _evidence
sandwich: _sandwich
samplers: _samplers
couple: _couple
temper: _temper
network: _network
conform: _conform
kernel: _kernel
sbc: _sbc
power: _power
vectors: _vectors
sweep: _sweep
toys: _toys
export: _export
report: _report
reproduce: _reproduce
