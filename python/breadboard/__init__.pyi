# python/stub.py makes this file from the help of the program.
import os
from typing import Any, Callable, Iterable, List, Literal, Mapping, Optional, Protocol, Sequence, SupportsFloat, Union

from .arguments import HMM as HMM, Coupled as Coupled, Moves as Moves, Policy as Policy, Sampler as Sampler, Target as Target
from .checks import Bug as Bug, Conformance as Conformance, assert_annealing as assert_annealing, assert_chain as assert_chain, assert_estimates as assert_estimates, assert_invariant as assert_invariant, assert_particles as assert_particles, assert_posterior as assert_posterior, assert_samples as assert_samples, assert_tempering as assert_tempering, assert_vectors as assert_vectors, check_annealing as check_annealing
from .commands import Command as Command, arrays as arrays, kernel_matrix as kernel_matrix, rows as rows
from .draws import diagnose as diagnose
from .kernels import Verdict as Verdict, assert_law as assert_law, assert_unbiased as assert_unbiased, chain as chain, followed as followed, kernel_verdict as kernel_verdict, transition as transition
from .laws import Law as Law, Open as Open, law as law
from .tree import Refused as Refused
from .notebook import Bench as Bench, serve as serve
from .posterior import Model as Model
from .program import BadInput as BadInput, BreadboardError as BreadboardError, BreadboardWarning as BreadboardWarning, Fault as Fault, Interrupted as Interrupted, find as find, run as run
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
_Toy = Union[Literal["easy", "hard", "barrier", "schools", "clu6", "clu8", "clu4", "bin4", "low", "gridclu", "hyper"], _Selector, Target, HMM, os.PathLike[str], Iterable[Any]]
_Kernel = Union[Literal["metropolis", "moore", "flip", "barker", "independence", "exact", "heatbath", "heatbath-scan", "heatbath-zigzag", "suwa-todo", "swendsen-wang", "wolff", "gradient", "delayed-rejection", "stay"], _Selector, Callable[..., Any], Moves, os.PathLike[str]]

__version__: str
__all__: List[str]


class _tightness(Command):
    def __call__(
        self, *,
        certify: bool = False,
        check: bool = False,
        T: Optional[_Numbers] = [10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000],
        initial: Optional[_Selector] = None,
        kernel: Optional[_Kernel] = 'metropolis',
        most: Optional[_Number] = 1000000,
        path: Optional[str] = 'geometric',
        quotient: Optional[str] = 'none',
        schedule: Optional[_Values] = 'linear',
        toy: Optional[_Toy] = ['easy', 'hard', 'barrier'],
        until: Optional[str] = None,
        within: Optional[str] = '10m0s',
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """tightness computes the exact Jeffreys divergence J between the output of
        annealed importance sampling and its target, and the exact expectation B of the
        bound on J that bidirectional Monte Carlo reports.

        Parameters
        ----------
        certify : bool, default False
            count correct digits with 256-bit arithmetic; exit code 1 if J, B or a
            divergence has fewer than 12
        check : bool, default False
            check everything by independent methods; exit code 1 if they differ
        T : number or list of numbers, default [10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000]
            numbers of distributions, both ends included; or a list of these
        initial : str
            where the path starts: uniform, prior, tempered:BETA, smoothed:PASSES,
            file:PATH, prob:PATH (default the prior of a model, and else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str, default 'metropolis'
            the Markov kernel (breadboard kernel list); a selector such as 'heatbath',
            a function move(chooser, logf, shape, x), Moves(move), a transition matrix
            (also of scipy.sparse), or its Path
        most : int, default 1000000
            the largest T that until= tries
        path : str, default 'geometric'
            the path of distributions: geometric, arithmetic, q:Q, via:[BETA:]PATH,
            tempered
        quotient : str, default 'none'
            group states into classes: auto groups those that the kernel treats alike,
            auto:TOL also those whose log f differs by TOL nats, none keeps all states
        schedule : str, default 'linear'
            the schedule (breadboard help schedules); a selector such as 'sigmoid', or
            a list of betas from 0 to 1
        toy : str or list of str, default ['easy', 'hard', 'barrier']
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        until : GOAL
            find the smallest T that meets a condition, as in "J<0.01"
        within : duration, default '10m0s'
            how long until= searches on a target, as in 90s or 10m
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

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
        path: Optional[str] = 'geometric',
        quotient: Optional[str] = 'none',
        schedule: Optional[_Values] = 'linear',
        toy: Optional[_Toy] = ['easy', 'hard', 'barrier'],
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """gap shows how much each stage of the annealing adds to B - J, exactly.

        Parameters
        ----------
        T : number or list of numbers, default [100]
            numbers of distributions, both ends included; or a list of these
        initial : str
            where the path starts: uniform, prior, tempered:BETA, smoothed:PASSES,
            file:PATH, prob:PATH (default the prior of a model, and else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str, default 'metropolis'
            the Markov kernel (breadboard kernel list); a selector such as 'heatbath',
            a function move(chooser, logf, shape, x), Moves(move), a transition matrix
            (also of scipy.sparse), or its Path
        path : str, default 'geometric'
            the path of distributions: geometric, arithmetic, q:Q, via:[BETA:]PATH,
            tempered
        quotient : str, default 'none'
            group states into classes: auto groups those that the kernel treats alike,
            auto:TOL also those whose log f differs by TOL nats, none keeps all states
        schedule : str, default 'linear'
            the schedule (breadboard help schedules); a selector such as 'sigmoid', or
            a list of betas from 0 to 1
        toy : str or list of str, default ['easy', 'hard', 'barrier']
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _weights(Command):
    def __call__(
        self, *,
        T: Optional[_Numbers] = [100],
        frequencies: Optional[_Number] = None,
        initial: Optional[_Selector] = None,
        kernel: Optional[_Kernel] = 'metropolis',
        path: Optional[str] = 'geometric',
        quantiles: Optional[_Numbers] = None,
        quotient: Optional[str] = 'none',
        samples: Optional[_Numbers] = None,
        schedule: Optional[_Values] = 'linear',
        tails: Optional[_Numbers] = None,
        toy: Optional[_Toy] = ['easy', 'hard', 'barrier'],
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """weights computes the exact distribution of the log weight in both directions,
        and the bounds on log(Z_T/Z_1) that averages of weights give.

        Parameters
        ----------
        T : number or list of numbers, default [100]
            numbers of distributions, both ends included; or a list of these
        frequencies : int
            largest number of frequencies of a characteristic function; 0 for as many
            as a second or two allow, apart from the sweeps over T
        initial : str
            where the path starts: uniform, prior, tempered:BETA, smoothed:PASSES,
            file:PATH, prob:PATH (default the prior of a model, and else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str, default 'metropolis'
            the Markov kernel (breadboard kernel list); a selector such as 'heatbath',
            a function move(chooser, logf, shape, x), Moves(move), a transition matrix
            (also of scipy.sparse), or its Path
        path : str, default 'geometric'
            the path of distributions: geometric, arithmetic, q:Q, via:[BETA:]PATH,
            tempered
        quantiles : number or list of numbers
            probabilities for which quantiles are given, each above 0 and below 1; or a
            list of these
        quotient : str, default 'none'
            group states into classes: auto groups those that the kernel treats alike,
            auto:TOL also those whose log f differs by TOL nats, none keeps all states
        samples : number or list of numbers
            numbers K of weights, for bounds on log(Z_T/Z_1); or a list of these
        schedule : str, default 'linear'
            the schedule (breadboard help schedules); a selector such as 'sigmoid', or
            a list of betas from 0 to 1
        tails : number or list of numbers
            distances b in nats, 0 or more, for which tails are given; or a list of
            these
        toy : str or list of str, default ['easy', 'hard', 'barrier']
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _schedule_compare(Command):
    def __call__(
        self, *,
        T: Optional[_Numbers] = [10, 20, 40],
        for_: Optional[Literal["success"]] = None,
        initial: Optional[_Selector] = None,
        iterations: Optional[_Number] = 5000,
        kernel: Optional[_Kernel] = 'metropolis',
        most: Optional[_Number] = 1000000,
        path: Optional[str] = 'geometric',
        quotient: Optional[str] = 'none',
        schedule: Optional[_Values] = ['linear', 'sigmoid:4', 'power:2', 'geometric:0.01', 'fisher', 'friction', 'acceptance', 'step-kl', 'cess', 'optimal:B', 'optimal:J'],
        toy: Optional[_Toy] = ['easy', 'hard', 'barrier'],
        until: Optional[str] = None,
        within: Optional[str] = '10m0s',
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """compare shows which schedule gives the smallest B and J, exactly, and how far
        each is from the best possible schedule.

        Parameters
        ----------
        T : number or list of numbers, default [10, 20, 40]
            numbers of distributions, both ends included; or a list of these
        for_ : str
            sort by success: the probability to reach a best state; without it, rows
            are in the order in which the schedules are given
        initial : str
            where the path starts: uniform, prior, tempered:BETA, smoothed:PASSES,
            file:PATH, prob:PATH (default the prior of a model, and else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        iterations : int, default 5000
            largest number of quasi-Newton steps
        kernel : str, default 'metropolis'
            the Markov kernel (breadboard kernel list); a selector such as 'heatbath',
            a function move(chooser, logf, shape, x), Moves(move), a transition matrix
            (also of scipy.sparse), or its Path
        most : int, default 1000000
            the largest T that until= tries
        path : str, default 'geometric'
            the path of distributions: geometric, arithmetic, q:Q, via:[BETA:]PATH,
            tempered
        quotient : str, default 'none'
            group states into classes: auto groups those that the kernel treats alike,
            auto:TOL also those whose log f differs by TOL nats, none keeps all states
        schedule : str or list of str, default ['linear', 'sigmoid:4', 'power:2', 'geometric:0.01', 'fisher', 'friction', 'acceptance', 'step-kl', 'cess', 'optimal:B', 'optimal:J']
            schedules: linear, sigmoid[:DELTA], power:P, geometric[:FIRST],
            curve:B:B..., fisher, friction, acceptance, step-kl, cess[:RHO], file:PATH;
            or searched for the best: optimal:B, optimal:J, optimal:kl_q_p,
            optimal:kl_p_q, optimal:success, optimal:tts; or a list of these; a
            selector such as 'sigmoid', or a list of betas from 0 to 1
        toy : str or list of str, default ['easy', 'hard', 'barrier']
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        until : GOAL
            find the smallest T that meets a condition, as in "J<0.1"
        within : duration, default '10m0s'
            how long until= searches on a target, as in 90s or 10m
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _schedule_list(Command):
    def __call__(
        self, *,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """List the schedules that schedule= takes, with formula and source

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _schedule_optimize(Command):
    def __call__(
        self, *,
        beta: Optional[_Numbers] = None,
        T: Optional[_Numbers] = [100],
        initial: Optional[_Selector] = None,
        iterations: Optional[_Number] = 5000,
        kernel: Optional[_Kernel] = 'metropolis',
        objective: Optional[Literal["B", "J", "kl_q_p", "kl_p_q", "success", "tts"]] = 'B',
        path: Optional[str] = 'geometric',
        quotient: Optional[str] = 'none',
        toy: Optional[_Toy] = ['easy', 'hard', 'barrier'],
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """optimize finds the schedule of T distributions for which B, J or a one-sided
        divergence is smallest, among all schedules that never decrease.

        Parameters
        ----------
        beta : number or list of numbers
            final inverse temperatures: the BETA of toys that are files, as in toy=
            qubo:FILE beta= 1,2,4; or a list of these
        T : number or list of numbers, default [100]
            numbers of distributions, both ends included; or a list of these
        initial : str
            where the path starts: uniform, prior, tempered:BETA, smoothed:PASSES,
            file:PATH, prob:PATH (default the prior of a model, and else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        iterations : int, default 5000
            largest number of quasi-Newton steps
        kernel : str or list of str, default 'metropolis'
            Markov kernels, as in flip,heatbath-scan (breadboard kernel list); or a
            list of these; a selector such as 'heatbath', a function move(chooser,
            logf, shape, x), Moves(move), a transition matrix (also of scipy.sparse),
            or its Path
        objective : OBJECTIVE, default 'B'
            what is minimised: B, J, kl_q_p, kl_p_q, success, tts
        path : str, default 'geometric'
            the path of distributions: geometric, arithmetic, q:Q, via:[BETA:]PATH,
            tempered
        quotient : str, default 'none'
            group states into classes: auto groups those that the kernel treats alike,
            auto:TOL also those whose log f differs by TOL nats, none keeps all states
        toy : str or list of str, default ['easy', 'hard', 'barrier']
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _schedule(Command):
    compare: _schedule_compare
    list: _schedule_list
    optimize: _schedule_optimize
    def __call__(
        self, *,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
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
        moves: Optional[Any] = [0, 1, 10, 100, 1000, 10000],
        path: Optional[str] = 'geometric',
        quotient: Optional[str] = 'none',
        reference: Optional[_Texts] = ['uniform', 'mode'],
        schedule: Optional[_Values] = 'linear',
        toy: Optional[_Toy] = ['easy', 'hard', 'barrier'],
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """subjective computes what bidirectional Monte Carlo reports, exactly, if its
        reverse chains start from a reference distribution instead of the target.

        Parameters
        ----------
        T : number or list of numbers, default [10000]
            numbers of distributions, both ends included; or a list of these
        initial : str
            where the path starts: uniform, prior, tempered:BETA, smoothed:PASSES,
            file:PATH, prob:PATH (default the prior of a model, and else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str, default 'metropolis'
            the Markov kernel (breadboard kernel list); a selector such as 'heatbath',
            a function move(chooser, logf, shape, x), Moves(move), a transition matrix
            (also of scipy.sparse), or its Path
        moves : number or list of numbers, default [0, 1, 10, 100, 1000, 10000]
            numbers S of kernel steps under the target, from the reference to the start
            of the reverse chain; or a list of these
        path : str, default 'geometric'
            the path of distributions: geometric, arithmetic, q:Q, via:[BETA:]PATH,
            tempered
        quotient : str, default 'none'
            group states into classes: auto groups those that the kernel treats alike,
            auto:TOL also those whose log f differs by TOL nats, none keeps all states
        reference : str or list of str, default ['uniform', 'mode']
            where reverse chains start: uniform, initial, target, mode, point:STATE,
            fitted:AXIS=VALUE, file:PATH; or a list of these
        schedule : str, default 'linear'
            the schedule (breadboard help schedules); a selector such as 'sigmoid', or
            a list of betas from 0 to 1
        toy : str or list of str, default ['easy', 'hard', 'barrier']
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _scaling(Command):
    def __call__(
        self, *,
        rng: Any = None,
        chains: Optional[_Number] = None,
        T: Optional[_Numbers] = [100],
        initial: Optional[_Selector] = None,
        kernel: Optional[_Kernel] = 'flip',
        limit: Optional[_Number] = 1,
        most_T: Optional[_Number] = 4096,
        path: Optional[str] = 'geometric',
        per_size: bool = False,
        quotient: Optional[str] = 'none',
        schedule: Optional[_Values] = 'linear',
        seed: Optional[Any] = 1,
        toy: Optional[_Toy] = ['curie-weiss:50:1', 'curie-weiss:100:1', 'curie-weiss:200:1'],
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """scaling shows how J, B and the number of distributions that they need grow with
        the size of a model: it solves models of several sizes exactly and fits powers
        of the size.

        Parameters
        ----------
        chains : int
            chains in each direction, if there are too many states to list; 0 for 400
        T : number or list of numbers, default [100]
            numbers of distributions, both ends included; or a list of these
        initial : str
            where the path starts: uniform, prior, tempered:BETA, smoothed:PASSES,
            file:PATH, prob:PATH (default the prior of a model, and else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str, default 'flip'
            the Markov kernel (breadboard kernel list); a selector such as 'heatbath',
            a function move(chooser, logf, shape, x), Moves(move), a transition matrix
            (also of scipy.sparse), or its Path
        limit : float, default 1
            the limit for J and B, in nats
        most_T : int, default 4096
            the largest T of the search for the limit; 0 does not search
        path : str, default 'geometric'
            the path of distributions: geometric, arithmetic, q:Q, via:[BETA:]PATH,
            tempered
        per_size : bool, default False
            use T times the size as number of distributions
        quotient : str, default 'none'
            group states into classes: auto groups those that the kernel treats alike,
            auto:TOL also those whose log f differs by TOL nats, none keeps all states
        schedule : str, default 'linear'
            the schedule (breadboard help schedules); a selector such as 'sigmoid', or
            a list of betas from 0 to 1
        seed : int, default 1
            seed of these chains, 0 to 2^64-1
        toy : str or list of str, default ['curie-weiss:50:1', 'curie-weiss:100:1', 'curie-weiss:200:1']
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _success(Command):
    def __call__(
        self, *,
        rng: Any = None,
        best: bool = False,
        beta: Optional[_Numbers] = None,
        chains: Optional[_Number] = None,
        T: Optional[_Numbers] = [10, 100, 1000],
        initial: Optional[_Selector] = None,
        kernel: Optional[_Kernel] = None,
        levels: Optional[_Number] = 1,
        memory: Optional[str] = '1GB',
        path: Optional[str] = 'geometric',
        quotient: Optional[str] = 'none',
        schedule: Optional[_Values] = ['linear'],
        seed: Optional[Any] = 1,
        start: Optional[_Selector] = None,
        toy: Optional[_Toy] = ['easy', 'hard', 'barrier'],
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """success answers: how likely does annealing find a best state of a QUBO, an Ising
        problem, a maximum cut or another target, and how soon? It prints the best
        energy, the number of states that have it, the probability that a run finds one,
        and the time to solution (TTS).

        Parameters
        ----------
        best : bool, default False
            name a best state too
        beta : number or list of numbers
            final inverse temperatures: the BETA of toys that are files, as in toy=
            qubo:FILE beta= 1,2,4; or a list of these
        chains : int
            number of simulated chains, of products of factors, also if their states
            can be listed; 0 is 1000 if they cannot
        T : number or list of numbers, default [10, 100, 1000]
            numbers of distributions, both ends included; or a list of these
        initial : str
            where the path starts: uniform, prior, tempered:BETA, smoothed:PASSES,
            file:PATH, prob:PATH (default the prior of a model, and else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str or list of str
            Markov kernels, as in flip,heatbath-scan (breadboard kernel list); or a
            list of these (default metropolis, and heatbath-scan where states are too
            many to be listed); a selector such as 'heatbath', a function move(chooser,
            logf, shape, x), Moves(move), a transition matrix (also of scipy.sparse),
            or its Path
        levels : int, default 1
            number of the largest values of log f that have a row; 0 is all
        memory : BYTES, default '1GB'
            memory of elimination: it finds the best of states that are not listed, as
            in 9GB
        path : str, default 'geometric'
            the path of distributions: geometric, arithmetic, q:Q, via:[BETA:]PATH,
            tempered
        quotient : str, default 'none'
            group states into classes: auto groups those that the kernel treats alike,
            auto:TOL also those whose log f differs by TOL nats, none keeps all states
        schedule : str or list of str, default ['linear']
            schedules, as in linear,power:0.5 (breadboard help schedules); or a list of
            these; a selector such as 'sigmoid', or a list of betas from 0 to 1
        seed : int, default 1
            seed of simulated chains
        start : str
            where chains begin, as point:0, mode or uniform, in place of the first
            distribution of the path; a selector such as 'mode', or log f of each state
            in the shape of the toy, on a graph as a dict by label
        toy : str or list of str, default ['easy', 'hard', 'barrier']
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _frontier(Command):
    def __call__(
        self, *,
        best: Optional[_Number] = 5,
        budget: Optional[_Numbers] = [1000, 10000],
        initial: Optional[_Selector] = None,
        kernel: Optional[_Kernel] = ['metropolis', 'barker', 'heatbath'],
        objective: Optional[Literal["B", "J", "kl_q_p", "kl_p_q"]] = 'J',
        path: Optional[str] = 'geometric',
        quotient: Optional[str] = 'none',
        repeats: Optional[_Numbers] = [1, 2, 5],
        schedule: Optional[_Values] = ['linear', 'sigmoid', 'acceptance'],
        toy: Optional[_Toy] = ['easy', 'hard', 'barrier'],
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """frontier shows which combination of kernel, steps per stage and schedule gives
        the smallest J, or the smallest objective=, within a budget of work.

        Parameters
        ----------
        best : int, default 5
            rows to show for each toy and budget; 0 shows all
        budget : number or list of numbers, default [1000, 10000]
            budgets, in evaluations of log f per run; or a list of these
        initial : str
            where the path starts: uniform, prior, tempered:BETA, smoothed:PASSES,
            file:PATH, prob:PATH (default the prior of a model, and else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str or list of str, default ['metropolis', 'barker', 'heatbath']
            the Markov kernels, as tightness takes one (breadboard kernel list); or a
            list of these; a selector such as 'heatbath', a function move(chooser,
            logf, shape, x), Moves(move), a transition matrix (also of scipy.sparse),
            or its Path
        objective : OBJECTIVE, default 'J'
            what is minimised: B, J, kl_q_p, kl_p_q
        path : str, default 'geometric'
            the path of distributions: geometric, arithmetic, q:Q, via:[BETA:]PATH,
            tempered
        quotient : str, default 'none'
            group states into classes: auto groups those that the kernel treats alike,
            auto:TOL also those whose log f differs by TOL nats, none keeps all states
        repeats : number or list of numbers, default [1, 2, 5]
            numbers of kernel steps per stage; or a list of these
        schedule : str or list of str, default ['linear', 'sigmoid', 'acceptance']
            the schedules: linear, sigmoid[:DELTA], power:P, geometric[:FIRST],
            curve:B:B..., fisher, friction, acceptance, step-kl, cess[:RHO], file:PATH;
            or optimize, which searches for the best one; or a list of these; a
            selector such as 'sigmoid', or a list of betas from 0 to 1
        toy : str or list of str, default ['easy', 'hard', 'barrier']
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

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
        path: Optional[str] = 'geometric',
        quotient: Optional[str] = 'none',
        schedule: Optional[_Values] = 'sigmoid:4',
        toy: Optional[_Toy] = ['low', 'gridclu'],
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """represent compares J, B and cost of annealing, exactly, among the
        representations of a model: the ways to write it that differ in the latent
        variables that are summed out (collapsed).

        Parameters
        ----------
        T : number or list of numbers, default [10, 100, 1000]
            numbers of distributions, both ends included; or a list of these
        initial : str
            where the path starts: uniform, prior, tempered:BETA, smoothed:PASSES,
            file:PATH, prob:PATH (default the prior of a model, and else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str, default 'heatbath-scan'
            the Markov kernel (breadboard kernel list); a selector such as 'heatbath',
            a function move(chooser, logf, shape, x), Moves(move), a transition matrix
            (also of scipy.sparse), or its Path
        path : str, default 'geometric'
            the path of distributions: geometric, arithmetic, q:Q, via:[BETA:]PATH,
            tempered
        quotient : str, default 'none'
            group states into classes: auto groups those that the kernel treats alike,
            auto:TOL also those whose log f differs by TOL nats, none keeps all states
        schedule : str, default 'sigmoid:4'
            the schedule (breadboard help schedules); a selector such as 'sigmoid', or
            a list of betas from 0 to 1
        toy : str or list of str, default ['low', 'gridclu']
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _ais(Command):
    def __call__(
        self, *,
        rng: Any = None,
        chains: Optional[_Number] = 10000,
        check: bool = False,
        T: Optional[_Numbers] = [1000],
        initial: Optional[_Selector] = None,
        kernel: Optional[_Kernel] = 'metropolis',
        most: Optional[_Number] = 100000000,
        path: Optional[str] = 'geometric',
        quotient: Optional[str] = 'none',
        schedule: Optional[_Values] = 'linear',
        seed: Optional[Any] = 1,
        toy: Optional[_Toy] = ['easy', 'hard', 'barrier'],
        until: Optional[str] = None,
        verbose: bool = False,
        within: Optional[str] = '10m0s',
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """ais shows how the estimates of bidirectional Monte Carlo compare with their
        exact expectations: it runs annealed importance sampling chains in both
        directions, as you would without an exact answer.

        Parameters
        ----------
        chains : int, default 10000
            number of chains in each direction
        check : bool, default False
            test the chains that are drawn against their exact distributions, with the
            tests of breadboard conform; exit code 1 if there is a fault, or if nothing
            is decided
        T : number or list of numbers, default [1000]
            numbers of distributions, both ends included; or a list of these
        initial : str
            where the path starts: uniform, prior, tempered:BETA, smoothed:PASSES,
            file:PATH, prob:PATH (default the prior of a model, and else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str, default 'metropolis'
            the Markov kernel (breadboard kernel list); a selector such as 'heatbath',
            a function move(chooser, logf, shape, x), Moves(move), a transition matrix
            (also of scipy.sparse), or its Path
        most : int, default 100000000
            the largest number of chains that until= tries
        path : str, default 'geometric'
            the path of distributions: geometric, arithmetic, q:Q, via:[BETA:]PATH,
            tempered
        quotient : str, default 'none'
            group states into classes: auto groups those that the kernel treats alike,
            auto:TOL also those whose log f differs by TOL nats, none keeps all states
        schedule : str, default 'linear'
            the schedule (breadboard help schedules); a selector such as 'sigmoid', or
            a list of betas from 0 to 1
        seed : int, default 1
            seed of all random numbers, 0 to 2^64-1
        toy : str or list of str, default ['easy', 'hard', 'barrier']
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        until : GOAL
            find the smallest number of chains that meets a condition, as in
            "B_se<0.05"
        verbose : bool, default False
            show all findings of check=, and not only those that say fault or open
        within : duration, default '10m0s'
            how long until= searches on a target, as in 90s or 10m
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _smc_gibbs(Command):
    def __call__(
        self, *,
        ancestors: Optional[Union[Literal["without", "with"], Iterable[Literal["without", "with"]]]] = ['without', 'with'],
        hmm: Optional[Union[str, HMM, Mapping[str, Any]]] = 'weather',
        observations: Optional[_Numbers] = [8],
        particles: Optional[_Numbers] = [2, 4, 8, 16],
        resample: Optional[Union[Literal["multinomial", "stratified", "systematic", "residual"], Iterable[Literal["multinomial", "stratified", "systematic", "residual"]]]] = ['multinomial'],
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """gibbs shows how many particles particle Gibbs needs, exactly: how fast it moves
        among the paths of a hidden Markov model given its observations.

        Parameters
        ----------
        ancestors : str or list of str, default ['without', 'with']
            ancestor sampling: without, with; or a list of these
        hmm : str, default 'weather'
            the hidden Markov model: weather, wear, or a file
        observations : number or list of numbers, default [8]
            numbers of observations to use, from the first; or a list of these
        particles : number or list of numbers, default [2, 4, 8, 16]
            numbers of particles; the present path is one; or a list of these
        resample : str or list of str, default ['multinomial']
            resampling schemes: multinomial, stratified, systematic, residual; or a
            list of these
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

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
        chains: Optional[_Number] = None,
        check: bool = False,
        T: Optional[_Numbers] = [100],
        initial: Optional[_Selector] = None,
        kernel: Optional[_Kernel] = 'metropolis',
        most: Optional[_Number] = 1000000,
        particles: Optional[_Numbers] = [1, 2],
        path: Optional[str] = 'geometric',
        quotient: Optional[str] = 'none',
        resample: Optional[Union[Literal["multinomial", "stratified", "systematic", "residual"], Iterable[Literal["multinomial", "stratified", "systematic", "residual"]]]] = ['multinomial'],
        schedule: Optional[_Values] = 'linear',
        seed: Optional[Any] = 1,
        threshold: Optional[_Numbers] = [1],
        toy: Optional[_Toy] = ['easy', 'hard', 'barrier'],
        until: Optional[str] = None,
        verbose: bool = False,
        within: Optional[str] = '10m0s',
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """smc shows what more particles gain in sequential Monte Carlo, exactly: the
        divergence J of its output from the target, the mean of the estimate log Zhat of
        log(Z_T/Z_1) and the relative variance of Zhat.

        Parameters
        ----------
        adaptive : number or list of numbers
            let the particles place each beta: RHO, as in 0.9, is the conditional
            effective sample size divided by their number; or a list of these
        chains : int
            number of simulated runs, and of conditional runs, for each row; 0 for none
        check : bool, default False
            test the chains that are drawn against their exact distributions, with the
            tests of breadboard conform; exit code 1 if there is a fault, or if nothing
            is decided
        T : number or list of numbers, default [100]
            numbers of distributions, both ends included; or a list of these
        initial : str
            where the path starts: uniform, prior, tempered:BETA, smoothed:PASSES,
            file:PATH, prob:PATH (default the prior of a model, and else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str, default 'metropolis'
            the Markov kernel (breadboard kernel list); a selector such as 'heatbath',
            a function move(chooser, logf, shape, x), Moves(move), a transition matrix
            (also of scipy.sparse), or its Path
        most : int, default 1000000
            the largest number of particles that until= tries
        particles : number or list of numbers, default [1, 2]
            numbers of particles; or a list of these
        path : str, default 'geometric'
            the path of distributions: geometric, arithmetic, q:Q, via:[BETA:]PATH,
            tempered
        quotient : str, default 'none'
            group states into classes: auto groups those that the kernel treats alike,
            auto:TOL also those whose log f differs by TOL nats, none keeps all states
        resample : str or list of str, default ['multinomial']
            resampling schemes: multinomial, stratified, systematic, residual; or a
            list of these
        schedule : str, default 'linear'
            the schedule (breadboard help schedules); a selector such as 'sigmoid', or
            a list of betas from 0 to 1
        seed : int, default 1
            seed of all random numbers, 0 to 2^64-1
        threshold : number or list of numbers, default [1]
            when particles are resampled: 1 at every stage, 0 never, C if the effective
            sample size is below C times their number; or a list of these
        toy : str or list of str, default ['easy', 'hard', 'barrier']
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        until : GOAL
            find the smallest number of particles that meets a condition, as in
            "relative_variance<0.1"
        verbose : bool, default False
            show all findings of check=, and not only those that say fault or open
        within : duration, default '10m0s'
            how long until= searches on a target, as in 90s or 10m
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output. Use
            "breadboard smc [command] help=" for more information about a command.

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
        junit: Optional[_Path] = None,
        kernel: Optional[_Kernel] = 'metropolis',
        path: Optional[str] = 'geometric',
        quotient: Optional[str] = 'none',
        schedule: Optional[_Values] = 'linear',
        toy: Optional[_Toy] = ['random:1:0:2', 'random:1:0:3'],
        verbose: bool = False,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """It runs an algorithm once for every way in which its random choices can come
        out, and its meta-inference so for every output.

        Parameters
        ----------
        T : number or list of numbers, default [3]
            numbers of distributions, both ends included; or a list of these
        initial : str
            where the path starts: uniform, prior, tempered:BETA, smoothed:PASSES,
            file:PATH, prob:PATH (default the prior of a model, and else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        junit : FILE
            also write each finding to this FILE as JUnit XML, which continuous
            integration shows; if the run ends without results the file says why
        kernel : str, default 'metropolis'
            the Markov kernel (breadboard kernel list); a selector such as 'heatbath',
            a function move(chooser, logf, shape, x), Moves(move), a transition matrix
            (also of scipy.sparse), or its Path
        path : str, default 'geometric'
            the path of distributions: geometric, arithmetic, q:Q, via:[BETA:]PATH,
            tempered
        quotient : str, default 'none'
            group states into classes: auto groups those that the kernel treats alike,
            auto:TOL also those whose log f differs by TOL nats, none keeps all states
        schedule : str, default 'linear'
            the schedule (breadboard help schedules); a selector such as 'sigmoid', or
            a list of betas from 0 to 1
        toy : str or list of str, default ['random:1:0:2', 'random:1:0:3']
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        verbose : bool, default False
            show all rows, and not only those that say fault, differs, open or untested
            Flags of all commands, such as format=, columns= and out=: breadboard help
            output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _aide_study(Command):
    def __call__(
        self, *arguments: Any,
        rng: Any = None,
        chains: Optional[_Number] = None,
        gold: Optional[_Texts] = 'exact',
        hmm: Optional[Union[str, HMM, Mapping[str, Any]]] = None,
        meta: Optional[_Numbers] = [1, 10, 100],
        particles: Optional[_Numbers] = None,
        points: Optional[_Path] = None,
        proposal: Optional[_Texts] = None,
        seed: Optional[Any] = 1,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """study shows how algorithms compare with a gold standard on one kind of problem,
        exactly, after figures 2 to 5 of Cusumano-Towner and Mansinghka (2017).

        Parameters
        ----------
        chains : int
            number of runs of rows without an exact method; 0 omits these rows
        gold : str or list of str, default 'exact'
            gold standards: exact, or an algorithm of the study with its number of
            particles, as optimal:1000; or a list of these
        hmm : FILE
            a FILE with a hidden Markov model in TOML or JSON, in place of the study's
            own
        meta : number or list of numbers, default [1, 10, 100]
            meta-inference runs of the algorithm, 1 to 1e9; or a list of these
        particles : number or list of numbers
            numbers of particles, or of steps of a Markov chain, 1 to 1e6; or a list of
            these (default those of the study)
        points : FILE
            a FILE with points, in place of the study's own
        proposal : str or list of str
            algorithms by their names, as prior,optimal; or a list of these (default
            all of the study)
        seed : int, default 1
            seed of the runs, 0 to 2^64-1
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _aide(Command):
    check: _aide_check
    study: _aide_study
    def __call__(
        self, *,
        rng: Any = None,
        T: Optional[_Numbers] = [100],
        gold: Optional[str] = 'exact',
        gold_meta: Optional[_Numbers] = [1],
        initial: Optional[_Selector] = None,
        kernel: Optional[_Kernel] = 'metropolis',
        meta: Optional[_Numbers] = [1, 10, 100],
        path: Optional[str] = 'geometric',
        quotient: Optional[str] = 'none',
        runs: Optional[Any] = None,
        schedule: Optional[_Values] = 'linear',
        seed: Optional[Any] = 1,
        target: Optional[str] = 'ais',
        toy: Optional[_Toy] = ['easy', 'hard', 'barrier'],
        without_first_trace: bool = False,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """aide shows how close AIDE is to the divergence that it bounds: the symmetric
        Kullback-Leibler divergence J between the outputs of two inference algorithms.

        Parameters
        ----------
        T : number or list of numbers, default [100]
            numbers of distributions, both ends included; or a list of these
        gold : str, default 'exact'
            the gold standard: exact, ais, smc:P[:SCHEME[:THRESHOLD]], mh:S, sir:P,
            meanfield
        gold_meta : number or list of numbers, default [1]
            meta-inference runs of the gold standard, 1 to 1e9; or a list of these
        initial : str
            where the path starts: uniform, prior, tempered:BETA, smoothed:PASSES,
            file:PATH, prob:PATH (default the prior of a model, and else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str, default 'metropolis'
            the Markov kernel (breadboard kernel list); a selector such as 'heatbath',
            a function move(chooser, logf, shape, x), Moves(move), a transition matrix
            (also of scipy.sparse), or its Path
        meta : number or list of numbers, default [1, 10, 100]
            meta-inference runs of the target, 1 to 1e9; or a list of these
        path : str, default 'geometric'
            the path of distributions: geometric, arithmetic, q:Q, via:[BETA:]PATH,
            tempered
        quotient : str, default 'none'
            group states into classes: auto groups those that the kernel treats alike,
            auto:TOL also those whose log f differs by TOL nats, none keeps all states
        runs : int
            number of runs of the estimator; 0 for none
        schedule : str, default 'linear'
            the schedule (breadboard help schedules); a selector such as 'sigmoid', or
            a list of betas from 0 to 1
        seed : int, default 1
            seed of the runs, 0 to 2^64-1
        target : str, default 'ais'
            the algorithm to judge: exact, ais, smc:P[:SCHEME[:THRESHOLD]], mh:S,
            sir:P, meanfield
        toy : str or list of str, default ['easy', 'hard', 'barrier']
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        without_first_trace : bool, default False
            omit the trace of the run that made the output; this is wrong and bounds
            nothing
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output. Use
            "breadboard aide [command] help=" for more information about a command.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _policy_best(Command):
    def __call__(
        self, *,
        by: Optional[_Texts] = ['B', 'J', 'kl_q_p', 'kl_p_q', 'subtb'],
        lambda_: Optional[_Number] = 0.9,
        over: Optional[str] = 'c=0:2',
        policy: Optional[Union[str, Policy, Sequence[Union[str, Policy]]]] = ['masked:local:c'],
        sampling: Optional[Literal["on-policy", "uniform"]] = 'on-policy',
        toy: Optional[_Toy] = ['ising:2x3:0.6'],
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """best finds the optimum of each objective over a parameter of the policy,
        exactly, and J there.

        Parameters
        ----------
        by : str or list of str, default ['B', 'J', 'kl_q_p', 'kl_p_q', 'subtb']
            objectives: B, J, kl_q_p, kl_p_q, path_q_p, path_p_q, db, subtb, tb; or a
            list of these
        lambda_ : float, default 0.9
            weight of a subtrajectory, per step
        over : str, default 'c=0:2'
            parameter and its range, as c=0:2
        policy : str or list of str, default ['masked:local:c']
            masked:local:1 or other pairs of policies; or a list of these; a selector
            such as 'masked:local:1', or Policy(forward, backward)
        sampling : str, default 'on-policy'
            the paths of the losses: on-policy, uniform
        toy : str or list of str, default ['ising:2x3:0.6']
            ising:3x3:0.6 or other targets (breadboard help toys); or a list of these;
            a selector such as 'barrier', log f of each state as an array or nested
            lists, Target(values, edges=pairs), a Path, or several of these in a list,
            or in a dict by name
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _policy_twist(Command):
    def __call__(
        self, *,
        rng: Any = None,
        base: Optional[_Texts] = ['markov:1:0'],
        chains: Optional[_Number] = 10000,
        particles: Optional[_Numbers] = [1, 2],
        proposal: Optional[Union[Literal["twist", "base"], Iterable[Literal["twist", "base"]]]] = ['twist'],
        resample: Optional[Union[Literal["multinomial", "stratified", "systematic", "residual"], Iterable[Literal["multinomial", "stratified", "systematic", "residual"]]]] = ['multinomial'],
        seed: Optional[Any] = 1,
        threshold: Optional[_Numbers] = [1],
        toy: Optional[_Toy] = ['random:2:0:3x3x3x3'],
        twist: Optional[_Texts] = ['none', 'lookahead:1', 'exact'],
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """twist gives both bounds on log Z of twisted SMC on short sequences, exactly for
        few particles, and how far its output is from the target.

        Parameters
        ----------
        base : str or list of str, default ['markov:1:0']
            chains p_0 over the tokens, as in markov:1:0; or a list of these
        chains : int, default 10000
            number of simulated runs, and of conditional runs, for each row that is not
            exact; 0 for none
        particles : number or list of numbers, default [1, 2]
            numbers of particles; or a list of these
        proposal : str or list of str, default ['twist']
            proposals: twist, base; or a list of these
        resample : str or list of str, default ['multinomial']
            resampling schemes: multinomial, stratified, systematic, residual; or a
            list of these
        seed : int, default 1
            seed of all random numbers, 0 to 2^64-1
        threshold : number or list of numbers, default [1]
            when particles are resampled: 1 at every stage, 0 never, C if the effective
            sample size is below C times their number; or a list of these
        toy : str or list of str, default ['random:2:0:3x3x3x3']
            potentials phi on the sequences, as in random:2:0:3x3x3 (breadboard help
            toys); or a list of these; a selector such as 'barrier', log f of each
            state as an array or nested lists, Target(values, edges=pairs), a Path, or
            several of these in a list, or in a dict by name
        twist : str or list of str, default ['none', 'lookahead:1', 'exact']
            twists, as in lookahead:1; or a list of these
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

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
        most: Optional[_Number] = 1000000,
        policy: Optional[Union[str, Policy, Sequence[Union[str, Policy]]]] = ['masked:local:0.8', 'masked:local:1.2', 'masked:local:1.5', 'masked:exact'],
        N: Optional[_Numbers] = [1],
        toy: Optional[_Toy] = ['ising:3x3:0.6'],
        until: Optional[str] = None,
        within: Optional[str] = '10m0s',
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """policy gives J and B of a sampler that is trained, not annealed, exactly.

        Parameters
        ----------
        most : int, default 1000000
            the largest N that until= tries
        policy : str or list of str, default ['masked:local:0.8', 'masked:local:1.2', 'masked:local:1.5', 'masked:exact']
            masked:local:1 or other pairs of policies; or a list of these; a selector
            such as 'masked:local:1', or Policy(forward, backward)
        N : number or list of numbers, default [1]
            numbers of paths in the bounds on log Z; or a list of these
        toy : str or list of str, default ['ising:3x3:0.6']
            ising:3x3:0.6 or other targets (breadboard help toys); or a list of these;
            a selector such as 'barrier', log f of each state as an array or nested
            lists, Target(values, edges=pairs), a Path, or several of these in a list,
            or in a dict by name
        until : GOAL
            find the smallest N that meets a condition, as in "upper_bound<8.68"
        within : duration, default '10m0s'
            how long until= searches on a target, as in 90s or 10m
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output. Use
            "breadboard policy [command] help=" for more information about a command.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _evidence_check(Command):
    def __call__(
        self, *arguments: Any,
        budget: Optional[_Numbers] = [12],
        initial: Optional[_Selector] = None,
        junit: Optional[_Path] = None,
        kernel: Optional[_Kernel] = None,
        path: Optional[str] = 'geometric',
        quotient: Optional[str] = 'none',
        schedule: Optional[_Values] = 'sigmoid:4',
        toy: Optional[_Toy] = ['clu4', 'random:1:0:2x2'],
        verbose: bool = False,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """It runs estimators of Z once for every way in which their random choices can
        come out, at the two smallest settings, and compares what is found with the
        distributions that breadboard evidence gives for them: all that a toy can take,
        or the named ones.

        Parameters
        ----------
        budget : number or list of numbers, default [12]
            what an estimate may cost, in evaluations of log f and exact draws; or a
            list of these
        initial : str
            where the path starts: uniform, prior, tempered:BETA, smoothed:PASSES,
            file:PATH, prob:PATH (default the prior of a model, and else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        junit : FILE
            also write each finding to this FILE as JUnit XML, which continuous
            integration shows; if the run ends without results the file says why
        kernel : str
            the Markov kernel (breadboard kernel list) (default heatbath-scan on a
            grid, and else metropolis); a selector such as 'heatbath', a function
            move(chooser, logf, shape, x), Moves(move), a transition matrix (also of
            scipy.sparse), or its Path
        path : str, default 'geometric'
            the path of distributions: geometric, arithmetic, q:Q, via:[BETA:]PATH,
            tempered
        quotient : str, default 'none'
            group states into classes: auto groups those that the kernel treats alike,
            auto:TOL also those whose log f differs by TOL nats, none keeps all states
        schedule : str, default 'sigmoid:4'
            the schedule (breadboard help schedules); a selector such as 'sigmoid', or
            a list of betas from 0 to 1
        toy : str or list of str, default ['clu4', 'random:1:0:2x2']
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        verbose : bool, default False
            show all rows, and not only those that say fault, differs, open or untested
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _evidence_list(Command):
    def __call__(
        self, *,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """List the estimators that estimator= takes

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _evidence(Command):
    check: _evidence_check
    list: _evidence_list
    def __call__(
        self, *,
        rng: Any = None,
        above: Optional[_Numbers] = None,
        budget: Optional[_Numbers] = [5, 20, 100],
        chains: Optional[_Number] = None,
        estimator: Optional[_Texts] = ['all'],
        initial: Optional[_Selector] = None,
        kernel: Optional[_Kernel] = None,
        path: Optional[str] = 'geometric',
        quotient: Optional[str] = 'none',
        schedule: Optional[_Values] = 'sigmoid:4',
        seed: Optional[Any] = 1,
        sort: Optional[str] = None,
        toy: Optional[_Toy] = ['clu8', 'easy'],
        trials: Optional[_Numbers] = [1],
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """evidence shows how wrong estimators of Z = Z_T/Z_1 are at equal work, exactly:
        the bias, standard deviation and root mean squared error of log Zhat, and how
        often it overestimates.

        Parameters
        ----------
        above : number or list of numbers
            distances b in nats, for a table of P(log Zhat > log Z + b); or a list of
            these
        budget : number or list of numbers, default [5, 20, 100]
            budgets, in evaluations of log f and exact draws; or a list of these
        chains : int
            number of runs of each estimator; 0 for none
        estimator : str or list of str, default ['all']
            estimators: all, lw, hme[:chain|prior], ais, rais,
            smc[:prior|posterior[:SCANS]], shme[:prior|posterior[:SCANS]],
            pf[:P][:optimal][:SCHEME[:sorted]][:THRESHOLD], chib[:chain],
            cms[:first|uniform],
            ns[:K[:label|strict|together[:paper|unbiased|exp|lower[:last]]]], mf[:sym],
            vb[:sym], bic; also with a setting, as cms:K=10; or a list of these
        initial : str
            where the path starts: uniform, prior, tempered:BETA, smoothed:PASSES,
            file:PATH, prob:PATH (default the prior of a model, and else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str
            the Markov kernel (breadboard kernel list) (default heatbath-scan on a
            grid, and else metropolis); a selector such as 'heatbath', a function
            move(chooser, logf, shape, x), Moves(move), a transition matrix (also of
            scipy.sparse), or its Path
        path : str, default 'geometric'
            the path of distributions: geometric, arithmetic, q:Q, via:[BETA:]PATH,
            tempered
        quotient : str, default 'none'
            group states into classes: auto groups those that the kernel treats alike,
            auto:TOL also those whose log f differs by TOL nats, none keeps all states
        schedule : str, default 'sigmoid:4'
            the schedule (breadboard help schedules); a selector such as 'sigmoid', or
            a list of betas from 0 to 1
        seed : int, default 1
            seed of the runs, 0 to 2^64-1
        sort : str
            sort the rows of each toy by rmse; without it, rows are in the order of the
            estimators
        toy : str or list of str, default ['clu8', 'easy']
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        trials : number or list of numbers, default [1]
            numbers of independent estimates to combine; or a list of these
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output. Use
            "breadboard evidence [command] help=" for more information about a command.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _sandwich_compare(Command):
    def __call__(
        self, *,
        rng: Any = None,
        budget: Optional[str] = '200ms',
        data_columns: Optional[_Number] = 25,
        data_rows: Optional[_Number] = 50,
        datasets: Optional[_Number] = 1,
        estimator: Optional[_Texts] = None,
        model: Optional[_Texts] = ['clustering'],
        seed: Optional[Any] = 1,
        trials: Optional[_Number] = 25,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """compare shows how wrong each estimator of log p(y) is and how long it takes,
        against the ground truth of simulated data (Grosse, Ghahramani and Adams 2015,
        sections 4 to 6).

        Parameters
        ----------
        budget : duration, default '200ms'
            time per estimator and data set, as 60s or 5m
        data_columns : int, default 25
            number D of columns of the data
        data_rows : int, default 50
            number N of rows of the data
        datasets : int, default 1
            number of data sets of each model
        estimator : str or list of str
            estimators, separated by commas (default all); ns:K is nested sampling with
            K particles, and vb:truth is variational Bayes of clusterings from the
            state that made the data; or a list of these
        model : str or list of str, default ['clustering']
            models, separated by commas: clustering[:K[:ST2:SN2]],
            lowrank[:K[:SU2:SV2:SN2]], binary[:K[:PI:SA2:SN2]]; or a list of these
        seed : int, default 1
            seed of data and trials
        trials : int, default 25
            independent trials at each setting
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _sandwich_fit(Command):
    def __call__(
        self, *,
        rng: Any = None,
        S: Optional[_Numbers] = [10, 100, 1000],
        chains: Optional[_Number] = 20,
        data: Optional[Any] = None,
        datasets: Optional[_Number] = 8,
        T: Optional[_Numbers] = [10, 30, 100, 300, 1000],
        model: Optional[str] = 'clustering:2',
        moves: Optional[Any] = 1000,
        scale: Optional[Literal["none", "centre", "standardize"]] = 'none',
        seed: Optional[Any] = 1,
        starts: Optional[_Number] = 1,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """fit tests whether annealing behaves on your data as on data that are simulated
        from a fit to them (Grosse, Ancha and Roy 2016, sections 3.2 and 5.1).

        Parameters
        ----------
        S : number or list of numbers, default [10, 100, 1000]
            transitions S before reverse chains, separated by commas; or a list of
            these
        chains : int, default 20
            chains per data set and T, and in reverse per S
        data : FILE
            FILE of the data in CSV
        datasets : int, default 8
            number of simulated data sets
        T : number or list of numbers, default [10, 30, 100, 300, 1000]
            numbers of distributions of annealing, both ends included, separated by
            commas; or a list of these
        model : str, default 'clustering:2'
            the model: clustering[:K], lowrank[:K], binary[:K], linear, logistic, ar1
        moves : int, default 1000
            transitions that infer the hyperparameters
        scale : str, default 'none'
            how to scale the columns first: none, centre, standardize
        seed : int, default 1
            seed of all random numbers
        starts : int, default 1
            starts of reverse chains per S; must divide the number of chains
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _sandwich_represent(Command):
    def __call__(
        self, *,
        rng: Any = None,
        chains: Optional[_Number] = 3,
        data_columns: Optional[_Number] = 25,
        data_rows: Optional[_Number] = 50,
        datasets: Optional[_Number] = 4,
        T: Optional[_Numbers] = [100, 300, 1000],
        model: Optional[str] = 'lowrank',
        seed: Optional[Any] = 1,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """represent shows in which representation of a low rank model y = UV + noise
        annealing is best, by number of steps and by time (Grosse, Ancha and Roy 2016,
        section 5.2.1 and figure 2).

        Parameters
        ----------
        chains : int, default 3
            chains per direction and data set
        data_columns : int, default 25
            number D of columns of the data
        data_rows : int, default 50
            number N of rows of the data
        datasets : int, default 4
            number of data sets
        T : number or list of numbers, default [100, 300, 1000]
            numbers of distributions of annealing, both ends included, separated by
            commas; or a list of these
        model : str, default 'lowrank'
            the model: lowrank[:K[:SU2:SV2:SN2]]
        seed : int, default 1
            seed of data and chains, 0 to 2^64-1
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _sandwich_table(Command):
    def __call__(
        self, *,
        rng: Any = None,
        chains: Optional[_Number] = 2,
        data_columns: Optional[_Number] = 25,
        data_rows: Optional[_Number] = 50,
        datasets: Optional[_Number] = 2,
        T: Optional[_Number] = 1000,
        model: Optional[_Texts] = ['clustering', 'lowrank', 'binary'],
        seed: Optional[Any] = 1,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """table shows whether marginal likelihoods identify the model that made the data:
        it draws data from each model and fits every model to them (Grosse, Ghahramani
        and Adams 2015, section 6.3 and Table 1).

        Parameters
        ----------
        chains : int, default 2
            chains per model and data set
        data_columns : int, default 25
            number D of columns of the data
        data_rows : int, default 50
            number N of rows of the data
        datasets : int, default 2
            number of data sets of each model
        T : int, default 1000
            number of distributions of annealing, both ends included
        model : str or list of str, default ['clustering', 'lowrank', 'binary']
            models, separated by commas: clustering[:K[:ST2:SN2]],
            lowrank[:K[:SU2:SV2:SN2]], binary[:K[:PI:SA2:SN2]]; or a list of these
        seed : int, default 1
            seed of data and chains, 0 to 2^64-1
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _sandwich(Command):
    compare: _sandwich_compare
    fit: _sandwich_fit
    represent: _sandwich_represent
    table: _sandwich_table
    def __call__(
        self, *,
        rng: Any = None,
        chains: Optional[_Number] = 6,
        data: Optional[Any] = None,
        data_columns: Optional[_Number] = 25,
        data_rows: Optional[_Number] = 50,
        datasets: Optional[_Number] = 4,
        T: Optional[_Numbers] = [100, 1000],
        exact_starts: Optional[_Number] = None,
        model: Optional[_Texts] = ['clustering'],
        save_data: Optional[_Path] = None,
        scans: Optional[_Numbers] = [1, 10],
        seed: Optional[Any] = 1,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """sandwich estimates the marginal likelihood p(y) of data under a model of any
        size, between a lower and an upper end (Grosse, Ghahramani and Adams 2015).

        Parameters
        ----------
        chains : int, default 6
            chains per direction and data set
        data : FILE
            take the data from FILE: a folder of save_data=, or a table in CSV with
            model=
        data_columns : int, default 25
            number D of columns of the data
        data_rows : int, default 50
            number N of rows of the data
        datasets : int, default 4
            number of data sets of each model
        T : number or list of numbers, default [100, 1000]
            numbers of distributions of annealing, both ends included, separated by
            commas; or a list of these
        exact_starts : int
            number of data sets with one chain of each direction each, in place of
            chains= and datasets=
        model : str or list of str, default ['clustering']
            models, separated by commas: clustering[:K[:ST2:SN2]],
            lowrank[:K[:SU2:SV2:SN2]], binary[:K[:PI:SA2:SN2]]; or a list of these
        save_data : DIR
            save the data sets, what they were simulated with and the model in this DIR
        scans : number or list of numbers, default [1, 10]
            numbers M of scans after each datum, separated by commas, for sequential
            Monte Carlo; or a list of these
        seed : int, default 1
            seed of data and chains, 0 to 2^64-1
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output. Use
            "breadboard sandwich [command] help=" for more information about a command.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _samplers_calibrate(Command):
    def __call__(
        self, *,
        rng: Any = None,
        chains: Optional[_Number] = 8,
        corpus: Optional[str] = 'small',
        function: Optional[_Texts] = ['x0', 'g'],
        kernel: Optional[_Kernel] = ['metropolis', 'heatbath'],
        quotient: Optional[str] = 'none',
        N: Optional[_Numbers] = [1000],
        seed: Optional[Any] = 1,
        start: Optional[_Selector] = ['uniform'],
        toy: Optional[_Toy] = None,
        warmup: Optional[_Number] = None,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """calibrate compares diagnostics of chains with the errors that they should
        predict, for every target, kernel, start, function and N.

        Parameters
        ----------
        chains : int, default 8
            number of simulated chains
        corpus : str, default 'small'
            in place of toy=, the targets of a corpus: small, standard or FILE.toml
        function : str or list of str, default ['x0', 'g']
            functions of the state: x0, x1, ..., AXIS, sum, g, mode, x0<=3, AXIS=VALUE,
            AXIS*log(AXIS), all; or a list of these
        kernel : str or list of str, default ['metropolis', 'heatbath']
            Markov kernels (breadboard kernel list); or a list of these; a selector
            such as 'heatbath', a function move(chooser, logf, shape, x), Moves(move),
            a transition matrix (also of scipy.sparse), or its Path
        quotient : str, default 'none'
            group states into classes: auto groups those that the kernel treats alike,
            auto:TOL also those whose log f differs by TOL nats, none keeps all states
        N : number or list of numbers, default [1000]
            numbers of samples of a chain, including the first state; or a list of
            these
        seed : int, default 1
            seed of the simulated chains
        start : str or list of str, default ['uniform']
            distributions of the first sample: uniform, initial, target, mode,
            point:STATE, file:PATH; or a list of these; a selector such as 'mode', or
            log f of each state in the shape of the toy, on a graph as a dict by label
        toy : str or list of str
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        warmup : int
            number of moves that are made before the first sample
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _samplers_corpus(Command):
    def __call__(
        self, *arguments: Any,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """corpus lists the targets over which corpus= NAME runs: small (10 targets),
        standard (100, the default) or FILE.toml.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _samplers_diagnose(Command):
    def __call__(
        self, *arguments: Any,
        rng: Any = None,
        base: Optional[_Number] = None,
        chains: Optional[_Number] = 8,
        column: Optional[_Texts] = None,
        corpus: Optional[str] = None,
        decimal: Optional[Literal["point", "comma"]] = 'point',
        draws: Optional[Any] = None,
        function: Optional[_Texts] = ['x0'],
        header: Optional[Literal["yes", "no"]] = None,
        kernel: Optional[_Kernel] = ['metropolis', 'heatbath'],
        map: Optional[_Path] = None,
        quotient: Optional[str] = 'none',
        N: Optional[_Numbers] = [100, 300, 1000, 3000],
        seed: Optional[Any] = 1,
        shape: Optional[Literal["chains,draws", "draws,chains", "draws"]] = None,
        start: Optional[_Selector] = ['uniform'],
        toy: Optional[_Toy] = ['easy', 'hard', 'barrier'],
        warmup: Optional[Union[_Number, str]] = None,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """diagnose compares convergence diagnostics of chains with the exact real
        effective sample size (RESS), for simulated chains or for your own draws.

        Parameters
        ----------
        base : int
            0 or 1, the number of the first state; also of the first coordinate
        chains : int, default 8
            number of chains that are simulated
        column : NAME=ROLE
            NAME=ROLE of a column whose name does not say what it is for: run=chain, or
            lp=none; roles are variable, chain, iteration, draw, warmup, weight,
            log-weight, log-density, density, name, index, value, none; or a list of
            these
        corpus : str
            in place of toy=, the targets of a corpus: small, standard or FILE.toml
        decimal : point|comma, default 'point'
            the mark before the decimals of numbers
        draws : str or list of str
            in place of simulations, a file of draws of one quantity, with a column for
            each chain (.npy, .csv, .tsv, .txt); or a list of these
        function : str or list of str, default ['x0']
            functions of the state: x0, x1, ..., AXIS, sum, g, mode, x0<=3, AXIS=VALUE,
            AXIS*log(AXIS), all; or a list of these
        header : yes|no
            whether the first line of text names the columns (default: as its cells
            show)
        kernel : str or list of str, default ['metropolis', 'heatbath']
            Markov kernels (breadboard kernel list); or a list of these; a selector
            such as 'heatbath', a function move(chooser, logf, shape, x), Moves(move),
            a transition matrix (also of scipy.sparse), or its Path
        map : FILE
            FILE that explains your own names: a header name,state and a row for each,
            as in V1,x0 for a column or low,0 for a state
        quotient : str, default 'none'
            group states into classes: auto groups those that the kernel treats alike,
            auto:TOL also those whose log f differs by TOL nats, none keeps all states
        N : number or list of numbers, default [100, 300, 1000, 3000]
            numbers of samples, including the start; or a list of these
        seed : int, default 1
            seed of all random numbers, 0 to 2^64-1
        shape : chains,draws|draws,chains|draws
            what the sides of NumPy's arrays of draws are: ArviZ has chains,draws,
            emcee draws,chains, and one joined chain draws; further sides are elements
            (default: chains,draws, unless there are more chains than draws)
        start : str or list of str, default ['uniform']
            distributions of the first sample: uniform, initial, target, mode,
            point:STATE, file:PATH; or a list of these; a selector such as 'mode', or
            log f of each state in the shape of the toy, on a graph as a dict by label
        toy : str or list of str, default ['easy', 'hard', 'barrier']
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        warmup : N|N%
            number of moves that are made before the first sample; of files how many
            draws of each chain are left out, or a share of them, as 10%
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

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
        method: Optional[Literal["auto", "recursion", "squaring", "lanczos"]] = 'auto',
        most: Optional[_Number] = 1000000,
        quotient: Optional[str] = 'none',
        N: Optional[_Numbers] = [1, 10, 100, 1000, 10000],
        start: Optional[_Selector] = ['uniform', 'target'],
        toy: Optional[_Toy] = ['easy', 'hard', 'barrier'],
        until: Optional[str] = None,
        warmup: Optional[_Number] = None,
        within: Optional[str] = '10m0s',
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """errors gives the exact errors of estimates from N samples of a chain, and how
        many independent draws they are worth.

        Parameters
        ----------
        corpus : str
            in place of toy=, the targets of a corpus: small, standard or FILE.toml
        estimate : str or list of str
            what is estimated: mean, variance, distribution (default: all that can be
            computed); the mean always; or a list of these
        function : str or list of str, default ['x0']
            functions of the state: x0, x1, ..., AXIS, sum, g, mode, x0<=3, AXIS=VALUE,
            AXIS*log(AXIS), all; or a list of these
        kernel : str or list of str, default ['metropolis', 'heatbath']
            Markov kernels (breadboard kernel list); or a list of these; a selector
            such as 'heatbath', a function move(chooser, logf, shape, x), Moves(move),
            a transition matrix (also of scipy.sparse), or its Path
        method : str, default 'auto'
            how errors are computed: auto, recursion, squaring, lanczos
        most : int, default 1000000
            the largest N that until= tries
        quotient : str, default 'none'
            group states into classes: auto groups those that the kernel treats alike,
            auto:TOL also those whose log f differs by TOL nats, none keeps all states
        N : number or list of numbers, default [1, 10, 100, 1000, 10000]
            numbers of samples, including the start; or a list of these
        start : str or list of str, default ['uniform', 'target']
            distributions of the first sample: uniform, initial, target, mode,
            point:STATE, file:PATH; or a list of these; a selector such as 'mode', or
            log f of each state in the shape of the toy, on a graph as a dict by label
        toy : str or list of str, default ['easy', 'hard', 'barrier']
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        until : GOAL
            find the smallest N that meets a condition, as in "ress_mean>=100"
        warmup : int
            number of moves that are made before the first sample
        within : duration, default '10m0s'
            how long until= searches on a target, as in 90s or 10m
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _samplers_laws(Command):
    def __call__(
        self, *,
        chains: Optional[_Number] = 8,
        corpus: Optional[str] = None,
        function: Optional[_Texts] = None,
        kernel: Optional[_Kernel] = ['metropolis', 'heatbath'],
        quotient: Optional[str] = 'none',
        N: Optional[_Numbers] = [50],
        start: Optional[_Selector] = ['uniform'],
        toy: Optional[_Toy] = ['easy', 'hard', 'barrier'],
        warmup: Optional[_Number] = None,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """laws gives the exact distribution of the mean of a chain, and how often several
        chains succeed or R-hat misses an error.

        Parameters
        ----------
        chains : int, default 8
            number of independent chains
        corpus : str
            in place of toy=, the targets of a corpus: small, standard or FILE.toml
        function : str or list of str
            functions of the state: x0, x1, ..., AXIS, sum, g, mode, x0<=3, AXIS=VALUE,
            AXIS*log(AXIS), all; or a list of these (default x0 and mode, or an
            indicator of x0)
        kernel : str or list of str, default ['metropolis', 'heatbath']
            Markov kernels (breadboard kernel list); or a list of these; a selector
            such as 'heatbath', a function move(chooser, logf, shape, x), Moves(move),
            a transition matrix (also of scipy.sparse), or its Path
        quotient : str, default 'none'
            group states into classes: auto groups those that the kernel treats alike,
            auto:TOL also those whose log f differs by TOL nats, none keeps all states
        N : number or list of numbers, default [50]
            numbers of samples of a chain, including the first state; or a list of
            these
        start : str or list of str, default ['uniform']
            distributions of the first sample: uniform, initial, target, mode,
            point:STATE, file:PATH; or a list of these; a selector such as 'mode', or
            log f of each state in the shape of the toy, on a graph as a dict by label
        toy : str or list of str, default ['easy', 'hard', 'barrier']
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        warmup : int
            number of moves that are made before the first sample
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _samplers_meta(Command):
    def __call__(
        self, *,
        rng: Any = None,
        chains: Optional[_Number] = 8,
        corpus: Optional[str] = 'standard',
        function: Optional[_Texts] = ['x0'],
        kernel: Optional[_Kernel] = ['metropolis', 'heatbath'],
        label: Optional[Literal["exact", "essd"]] = 'exact',
        quotient: Optional[str] = 'none',
        repeats: Optional[_Number] = 3,
        N: Optional[_Numbers] = [300],
        seed: Optional[Any] = 1,
        start: Optional[_Selector] = ['uniform'],
        toy: Optional[_Toy] = None,
        warmup: Optional[_Number] = None,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """meta predicts the error of the mean of a chain from its diagnostics, and scores
        the predictions on held-out targets (Turner and Neal 2017, section 4.6 and Table
        2).

        Parameters
        ----------
        chains : int, default 8
            number of simulated chains, for the label essd
        corpus : str, default 'standard'
            in place of toy=, the targets of a corpus: small, standard or FILE.toml
        function : str or list of str, default ['x0']
            functions of the state: x0, x1, ..., AXIS, sum, g, mode, x0<=3, AXIS=VALUE,
            AXIS*log(AXIS), all; or a list of these
        kernel : str or list of str, default ['metropolis', 'heatbath']
            Markov kernels (breadboard kernel list); or a list of these; a selector
            such as 'heatbath', a function move(chooser, logf, shape, x), Moves(move),
            a transition matrix (also of scipy.sparse), or its Path
        label : str, default 'exact'
            label to predict: exact or essd
        quotient : str, default 'none'
            group states into classes: auto groups those that the kernel treats alike,
            auto:TOL also those whose log f differs by TOL nats, none keeps all states
        repeats : int, default 3
            number of splits of the targets
        N : number or list of numbers, default [300]
            numbers of samples of a chain, including the first state; or a list of
            these
        seed : int, default 1
            seed of the splits and of the simulated chains
        start : str or list of str, default ['uniform']
            distributions of the first sample: uniform, initial, target, mode,
            point:STATE, file:PATH; or a list of these; a selector such as 'mode', or
            log f of each state in the shape of the toy, on a graph as a dict by label
        toy : str or list of str
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        warmup : int
            number of moves that are made before the first sample
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _samplers_rank(Command):
    def __call__(
        self, *,
        budget: Optional[_Number] = 10000,
        chains: Optional[_Number] = 8,
        corpus: Optional[str] = 'small',
        drop: Optional[_Numbers] = [0.1, 0.5],
        function: Optional[_Texts] = None,
        kernel: Optional[_Kernel] = ['metropolis', 'barker', 'moore', 'jump:0.1', 'heatbath', 'heatbath-scan', 'suwa-todo'],
        quotient: Optional[str] = 'none',
        start: Optional[_Selector] = ['uniform'],
        toy: Optional[_Toy] = None,
        warmup: Optional[_Number] = None,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """rank compares kernels on a corpus of targets at equal work, with exact scores.

        Parameters
        ----------
        budget : float, default 10000
            largest number of evaluations of log f of a chain
        chains : int, default 8
            number of independent chains for P(success)
        corpus : str, default 'small'
            in place of toy=, the targets of a corpus: small, standard or FILE.toml
        drop : number or list of numbers, default [0.1, 0.5]
            shares of the samples to try to drop as warm-up, from 0 to below 1; or a
            list of these
        function : str or list of str
            functions of the state: x0, x1, ..., AXIS, sum, g, mode, x0<=3, AXIS=VALUE,
            AXIS*log(AXIS), all; or a list of these (default x0, and g on a graph)
        kernel : str or list of str, default ['metropolis', 'barker', 'moore', 'jump:0.1', 'heatbath', 'heatbath-scan', 'suwa-todo']
            Markov kernels (breadboard kernel list); or a list of these; a selector
            such as 'heatbath', a function move(chooser, logf, shape, x), Moves(move),
            a transition matrix (also of scipy.sparse), or its Path
        quotient : str, default 'none'
            group states into classes: auto groups those that the kernel treats alike,
            auto:TOL also those whose log f differs by TOL nats, none keeps all states
        start : str or list of str, default ['uniform']
            distributions of the first sample: uniform, initial, target, mode,
            point:STATE, file:PATH; or a list of these; a selector such as 'mode', or
            log f of each state in the shape of the toy, on a graph as a dict by label
        toy : str or list of str
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        warmup : int
            number of moves that are made before the first sample
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _samplers_times(Command):
    def __call__(
        self, *,
        corpus: Optional[str] = None,
        kernel: Optional[_Kernel] = ['metropolis', 'heatbath'],
        mi: Optional[_Number] = 0.01,
        quotient: Optional[str] = 'none',
        start: Optional[_Selector] = ['uniform'],
        toy: Optional[_Toy] = ['easy', 'hard', 'barrier'],
        tv: Optional[_Number] = 0.01,
        warmup: Optional[_Number] = None,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """times gives the exact mixing and burn-in times of a chain, as Turner and Neal
        (2017, section 4.4) define them.

        Parameters
        ----------
        corpus : str
            in place of toy=, the targets of a corpus: small, standard or FILE.toml
        kernel : str or list of str, default ['metropolis', 'heatbath']
            Markov kernels (breadboard kernel list); or a list of these; a selector
            such as 'heatbath', a function move(chooser, logf, shape, x), Moves(move),
            a transition matrix (also of scipy.sparse), or its Path
        mi : float, default 0.01
            bound of the mutual information, in nats
        quotient : str, default 'none'
            group states into classes: auto groups those that the kernel treats alike,
            auto:TOL also those whose log f differs by TOL nats, none keeps all states
        start : str or list of str, default ['uniform']
            distributions of the first sample: uniform, initial, target, mode,
            point:STATE, file:PATH; or a list of these; a selector such as 'mode', or
            log f of each state in the shape of the toy, on a graph as a dict by label
        toy : str or list of str, default ['easy', 'hard', 'barrier']
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        tv : float, default 0.01
            bound of the total variation distance
        warmup : int
            number of moves that are made before the first sample
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _samplers(Command):
    calibrate: _samplers_calibrate
    corpus: _samplers_corpus
    diagnose: _samplers_diagnose
    errors: _samplers_errors
    laws: _samplers_laws
    meta: _samplers_meta
    rank: _samplers_rank
    times: _samplers_times
    def __call__(
        self, *,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
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
        corpus: Optional[str] = None,
        coupling: Optional[Union[str, Coupled, Sequence[Union[str, Coupled]]]] = ['rows', 'rows-comonotone', 'quantile', 'common', 'proposals', 'independent'],
        kernel: Optional[_Kernel] = ['metropolis', 'heatbath'],
        quotient: Optional[str] = 'none',
        start: Optional[_Selector] = ['uniform'],
        toy: Optional[_Toy] = ['random:2:7:3x3', 'barrier:3x3'],
        warmup: Optional[_Number] = None,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """best compares the mean meeting time of every coupling with that of the best
        Markovian coupling, at a lag of one.

        Parameters
        ----------
        corpus : str
            in place of toy=, the targets of a corpus: small, standard or FILE.toml
        coupling : str or list of str, default ['rows', 'rows-comonotone', 'quantile', 'common', 'proposals', 'independent']
            couplings: rows, rows-comonotone, quantile, common, proposals, independent;
            or a list of these; a selector such as 'common', or Coupled(couple)
        kernel : str or list of str, default ['metropolis', 'heatbath']
            Markov kernels (breadboard kernel list); or a list of these; a selector
            such as 'heatbath', a function move(chooser, logf, shape, x), Moves(move),
            a transition matrix (also of scipy.sparse), or its Path
        quotient : str, default 'none'
            group states into classes: auto groups those that the kernel treats alike,
            auto:TOL also those whose log f differs by TOL nats, none keeps all states
        start : str or list of str, default ['uniform']
            distributions of the first sample: uniform, initial, target, mode,
            point:STATE, file:PATH; or a list of these; a selector such as 'mode', or
            log f of each state in the shape of the toy, on a graph as a dict by label
        toy : str or list of str, default ['random:2:7:3x3', 'barrier:3x3']
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        warmup : int
            number of moves that are made before the first sample
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _couple_check(Command):
    def __call__(
        self, *arguments: Any,
        rng: Any = None,
        alpha: Optional[_Number] = 1e-06,
        beta: Optional[_Numbers] = [0.5, 1],
        junit: Optional[_Path] = None,
        kernel: Optional[_Kernel] = 'metropolis',
        moves: Optional[Any] = 1024,
        seed: Optional[Any] = 1,
        toy: Optional[_Toy] = ['random:2:7:3x3', 'barrier:3x3'],
        verbose: bool = False,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """check looks at what a coupling does at every pair of states, at every inverse
        temperature beta.

        Parameters
        ----------
        alpha : float, default 1e-06
            largest probability of a false alarm among those tests
        beta : number or list of numbers, default [0.5, 1]
            inverse temperatures, from 0 to 1, in the order in which the coupling gets
            them; or a list of these
        junit : FILE
            also write each finding to this FILE as JUnit XML, which continuous
            integration shows; if the run ends without results the file says why
        kernel : str, default 'metropolis'
            the Markov kernel by which each chain alone should move: metropolis,
            barker, heatbath, ... (breadboard kernel list); a selector such as
            'heatbath', a function move(chooser, logf, shape, x), Moves(move), a
            transition matrix (also of scipy.sparse), or its Path
        moves : int, default 1024
            number of moves from each pair of a coupling that makes its own choices,
            from 64 to 32768
        seed : int, default 1
            seed of the tests of couplings that make their own choices
        toy : str or list of str, default ['random:2:7:3x3', 'barrier:3x3']
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        verbose : bool, default False
            show all rows, and not only those that say fault, differs, open or untested
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _couple_unbiased(Command):
    def __call__(
        self, *,
        corpus: Optional[str] = None,
        coupling: Optional[Union[str, Coupled, Sequence[Union[str, Coupled]]]] = ['rows-comonotone'],
        function: Optional[_Texts] = ['g'],
        k: Optional[_Texts] = ['best', 'q99'],
        kernel: Optional[_Kernel] = ['metropolis', 'heatbath'],
        L: Optional[_Numbers] = [1, 10],
        m: Optional[_Numbers] = [100],
        quotient: Optional[str] = 'none',
        start: Optional[_Selector] = ['uniform'],
        toy: Optional[_Toy] = ['random:2:7:3x3', 'barrier:3x3'],
        warmup: Optional[_Number] = None,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """unbiased gives the exact variance and cost of the unbiased estimator of Jacob,
        O'Leary and Atchade (2020).

        Parameters
        ----------
        corpus : str
            in place of toy=, the targets of a corpus: small, standard or FILE.toml
        coupling : str or list of str, default ['rows-comonotone']
            couplings: rows, rows-comonotone, quantile, common, proposals, independent,
            best; or a list of these; a selector such as 'common', or Coupled(couple)
        function : str or list of str, default ['g']
            functions of the state: x0, x1, ..., AXIS, sum, g, mode, x0<=3, AXIS=VALUE,
            AXIS*log(AXIS), all; or a list of these
        k : str or list of str, default ['best', 'q99']
            the first step of the average: a number, best or q99; or a list of these
        kernel : str or list of str, default ['metropolis', 'heatbath']
            Markov kernels (breadboard kernel list); or a list of these; a selector
            such as 'heatbath', a function move(chooser, logf, shape, x), Moves(move),
            a transition matrix (also of scipy.sparse), or its Path
        L : number or list of numbers, default [1, 10]
            lags between the two chains, in moves; or a list of these
        m : number or list of numbers, default [100]
            last steps of the average; or a list of these
        quotient : str, default 'none'
            group states into classes: auto groups those that the kernel treats alike,
            auto:TOL also those whose log f differs by TOL nats, none keeps all states
        start : str or list of str, default ['uniform']
            distributions of the first sample: uniform, initial, target, mode,
            point:STATE, file:PATH; or a list of these; a selector such as 'mode', or
            log f of each state in the shape of the toy, on a graph as a dict by label
        toy : str or list of str, default ['random:2:7:3x3', 'barrier:3x3']
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        warmup : int
            number of moves that are made before the first sample
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _couple(Command):
    best: _couple_best
    check: _couple_check
    unbiased: _couple_unbiased
    def __call__(
        self, *,
        corpus: Optional[str] = None,
        coupling: Optional[Union[str, Coupled, Sequence[Union[str, Coupled]]]] = ['rows', 'rows-comonotone', 'common'],
        kernel: Optional[_Kernel] = ['metropolis', 'heatbath'],
        L: Optional[_Numbers] = [1, 10],
        moves: Optional[Any] = [10],
        quotient: Optional[str] = 'none',
        start: Optional[_Selector] = ['uniform'],
        toy: Optional[_Toy] = ['random:2:7:3x3'],
        tv: Optional[_Number] = 0.25,
        warmup: Optional[_Number] = None,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """couple gives the exact distribution of the time tau at which two coupled chains
        meet, and the bound on mixing that follows from it.

        Parameters
        ----------
        corpus : str
            in place of toy=, the targets of a corpus: small, standard or FILE.toml
        coupling : str or list of str, default ['rows', 'rows-comonotone', 'common']
            couplings: rows, rows-comonotone, quantile, common, proposals, independent,
            best; or a list of these; a selector such as 'common', or Coupled(couple)
        kernel : str or list of str, default ['metropolis', 'heatbath']
            Markov kernels (breadboard kernel list); or a list of these; a selector
            such as 'heatbath', a function move(chooser, logf, shape, x), Moves(move),
            a transition matrix (also of scipy.sparse), or its Path
        L : number or list of numbers, default [1, 10]
            lags between the two chains, in moves; or a list of these
        moves : number or list of numbers, default [10]
            numbers of moves at which the bound is given; or a list of these
        quotient : str, default 'none'
            group states into classes: auto groups those that the kernel treats alike,
            auto:TOL also those whose log f differs by TOL nats, none keeps all states
        start : str or list of str, default ['uniform']
            distributions of the first sample: uniform, initial, target, mode,
            point:STATE, file:PATH; or a list of these; a selector such as 'mode', or
            log f of each state in the shape of the toy, on a graph as a dict by label
        toy : str or list of str, default ['random:2:7:3x3']
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        tv : float, default 0.25
            limit on the total variation distance for the mixing times
        warmup : int
            number of moves that are made before the first sample
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output. Use
            "breadboard couple [command] help=" for more information about a command.

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
        path: Optional[str] = 'geometric',
        quotient: Optional[str] = 'none',
        scans: Optional[_Numbers] = [1, 4, 16, 64, 256],
        schedule: Optional[_Values] = 'acceptance',
        scheme: Optional[Union[Literal["deo", "seo"], Iterable[Literal["deo", "seo"]]]] = ['deo'],
        toy: Optional[_Toy] = ['random:2:7:3x3', 'barrier:3x3'],
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """compare gives the distance from the target of tempering, annealing and a plain
        chain after equal numbers of moves.

        Parameters
        ----------
        T : number or list of numbers, default [3]
            numbers of distributions, both ends included; or a list of these
        initial : str
            where the path starts: uniform, prior, tempered:BETA, smoothed:PASSES,
            file:PATH, prob:PATH (default the prior of a model, and else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str, default 'metropolis'
            the Markov kernel (breadboard kernel list); a selector such as 'heatbath',
            a function move(chooser, logf, shape, x), Moves(move), a transition matrix
            (also of scipy.sparse), or its Path
        path : str, default 'geometric'
            the path of distributions: geometric, arithmetic, q:Q, via:[BETA:]PATH,
            tempered
        quotient : str, default 'none'
            group states into classes: auto groups those that the kernel treats alike,
            auto:TOL also those whose log f differs by TOL nats, none keeps all states
        scans : number or list of numbers, default [1, 4, 16, 64, 256]
            numbers of scans; or a list of these
        schedule : str, default 'acceptance'
            the schedule (breadboard help schedules); a selector such as 'sigmoid', or
            a list of betas from 0 to 1
        scheme : str or list of str, default ['deo']
            which pairs are offered swaps: deo, seo; or a list of these
        toy : str or list of str, default ['random:2:7:3x3', 'barrier:3x3']
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

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
        path: Optional[str] = 'geometric',
        quotient: Optional[str] = 'none',
        rungs: Optional[_Number] = None,
        scheme: Optional[Literal["deo", "seo"]] = 'deo',
        toy: Optional[_Toy] = ['random:2:7:3x3', 'barrier:3x3'],
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """ladder finds the best rungs of a ladder of parallel tempering by four criteria.

        Parameters
        ----------
        T : number or list of numbers, default [3]
            numbers of distributions, both ends included; or a list of these
        function : str, default 'g'
            the function of the cold chain's state, as x0, g, mode or x0<=3
        initial : str
            where the path starts: uniform, prior, tempered:BETA, smoothed:PASSES,
            file:PATH, prob:PATH (default the prior of a model, and else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str, default 'metropolis'
            the Markov kernel (breadboard kernel list); a selector such as 'heatbath',
            a function move(chooser, logf, shape, x), Moves(move), a transition matrix
            (also of scipy.sparse), or its Path
        path : str, default 'geometric'
            the path of distributions: geometric, arithmetic, q:Q, via:[BETA:]PATH,
            tempered
        quotient : str, default 'none'
            group states into classes: auto groups those that the kernel treats alike,
            auto:TOL also those whose log f differs by TOL nats, none keeps all states
        rungs : int
            number of rungs; 0 means T, the number of distributions
        scheme : str, default 'deo'
            which pairs are offered swaps: deo or seo
        toy : str or list of str, default ['random:2:7:3x3', 'barrier:3x3']
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

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
        path: Optional[str] = 'geometric',
        quotient: Optional[str] = 'none',
        R: Optional[_Numbers] = [1, 2, 4, 16],
        schedule: Optional[_Values] = 'acceptance',
        scheme: Optional[Union[Literal["deo", "seo"], Iterable[Literal["deo", "seo"]]]] = ['deo'],
        start: Optional[_Selector] = ['uniform', 'stationary'],
        toy: Optional[_Toy] = ['random:2:7:3x3', 'barrier:3x3'],
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """z gives the exact bias and variance of estimates of log Z from R recorded scans
        of parallel tempering.

        Parameters
        ----------
        T : number or list of numbers, default [3]
            numbers of distributions, both ends included; or a list of these
        initial : str
            where the path starts: uniform, prior, tempered:BETA, smoothed:PASSES,
            file:PATH, prob:PATH (default the prior of a model, and else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str, default 'metropolis'
            the Markov kernel (breadboard kernel list); a selector such as 'heatbath',
            a function move(chooser, logf, shape, x), Moves(move), a transition matrix
            (also of scipy.sparse), or its Path
        path : str, default 'geometric'
            the path of distributions: geometric, arithmetic, q:Q, via:[BETA:]PATH,
            tempered
        quotient : str, default 'none'
            group states into classes: auto groups those that the kernel treats alike,
            auto:TOL also those whose log f differs by TOL nats, none keeps all states
        R : number or list of numbers, default [1, 2, 4, 16]
            numbers of recorded scans; or a list of these
        schedule : str, default 'acceptance'
            the schedule (breadboard help schedules); a selector such as 'sigmoid', or
            a list of betas from 0 to 1
        scheme : str or list of str, default ['deo']
            which pairs are offered swaps: deo, seo; or a list of these
        start : str or list of str, default ['uniform', 'stationary']
            where replicas start: uniform, stationary; or a list of these; a selector
            such as 'mode', or log f of each state in the shape of the toy, on a graph
            as a dict by label
        toy : str or list of str, default ['random:2:7:3x3', 'barrier:3x3']
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _temper(Command):
    compare: _temper_compare
    ladder: _temper_ladder
    z: _temper_z
    def __call__(
        self, *,
        rng: Any = None,
        chains: Optional[_Number] = None,
        check: bool = False,
        T: Optional[_Numbers] = [3],
        function: Optional[_Texts] = ['g'],
        initial: Optional[_Selector] = None,
        kernel: Optional[_Kernel] = 'metropolis',
        path: Optional[str] = 'geometric',
        quotient: Optional[str] = 'none',
        R: Optional[_Number] = 1000,
        schedule: Optional[_Values] = 'acceptance',
        scheme: Optional[Union[Literal["deo", "seo"], Iterable[Literal["deo", "seo"]]]] = ['deo'],
        seed: Optional[Any] = 1,
        toy: Optional[_Toy] = ['random:2:7:3x3', 'barrier:3x3'],
        verbose: bool = False,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """temper gives the exact rate of round trips of a ladder of parallel tempering and
        the asymptotic variance of an average over the cold chain.

        Parameters
        ----------
        chains : int
            number of simulated runs of all replicas; 0 means none
        check : bool, default False
            test the chains that are drawn against their exact distributions, with the
            tests of breadboard conform; exit code 1 if there is a fault, or if nothing
            is decided
        T : number or list of numbers, default [3]
            numbers of distributions, both ends included; or a list of these
        function : str or list of str, default ['g']
            functions of the cold chain's state, as x0, g, mode or x0<=3; or a list of
            these
        initial : str
            where the path starts: uniform, prior, tempered:BETA, smoothed:PASSES,
            file:PATH, prob:PATH (default the prior of a model, and else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str, default 'metropolis'
            the Markov kernel (breadboard kernel list); a selector such as 'heatbath',
            a function move(chooser, logf, shape, x), Moves(move), a transition matrix
            (also of scipy.sparse), or its Path
        path : str, default 'geometric'
            the path of distributions: geometric, arithmetic, q:Q, via:[BETA:]PATH,
            tempered
        quotient : str, default 'none'
            group states into classes: auto groups those that the kernel treats alike,
            auto:TOL also those whose log f differs by TOL nats, none keeps all states
        R : R, default 1000
            recorded scans of each run, after as many unrecorded ones
        schedule : str, default 'acceptance'
            the schedule (breadboard help schedules); a selector such as 'sigmoid', or
            a list of betas from 0 to 1
        scheme : str or list of str, default ['deo']
            which pairs are offered swaps: deo, seo; or a list of these
        seed : int, default 1
            seed of the runs
        toy : str or list of str, default ['random:2:7:3x3', 'barrier:3x3']
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        verbose : bool, default False
            show all findings of check=, and not only those that say fault or open
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output. Use
            "breadboard temper [command] help=" for more information about a command.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _network(Command):
    def __call__(
        self, *arguments: Any,
        rng: Any = None,
        best: bool = False,
        check: bool = False,
        evidence: Optional[Union[str, Mapping[str, Any], Iterable[Any]]] = None,
        hide: Optional[_Texts] = None,
        memory: Optional[str] = '1GB',
        observed: bool = False,
        pairs: bool = False,
        samples: Optional[_Number] = None,
        seed: Optional[Any] = 1,
        toy: Optional[_Toy] = None,
        workers: Optional[_Number] = None,
        write: Optional[_Path] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """network gives the exact probability of every value of every variable of a
        network or lattice, given evidence.

        Parameters
        ----------
        best : bool, default False
            add a most probable state and its log f
        check : bool, default False
            compare with enumeration, if there are few enough states
        evidence : VARIABLE=VALUE+...
            what has been observed: VARIABLE=VALUE+VARIABLE=VALUE or a file, as in the
            selector of the toy; or a list of these
        hide : VARIABLE+...
            variables to sum out: VARIABLE+VARIABLE; or a list of these
        memory : BYTES, default '1GB'
            memory limit of the program, such as 500MB
        observed : bool, default False
            add the observations of a hidden Markov model, in rows and panels
        pairs : bool, default False
            add the distribution of each pair of variables that share a factor
        samples : int
            draw N states instead of the table
        seed : int, default 1
            seed of the samples, 0 to 2^64-1
        toy : str
            the network, in place of the argument FILE; a selector such as 'barrier',
            log f of each state as an array or nested lists, Target(values,
            edges=pairs), a Path, or several of these in a list, or in a dict by name
        workers : int
            number of computations at once; 0 is one for each core
        write : OUT
            write the network to OUT, in the format of its ending, instead of computing
            anything Flags of all commands, such as format=, columns= and out=:
            breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _conform_chain(Command):
    def __call__(
        self, *arguments: Any,
        alpha: Optional[_Number] = 1e-06,
        base: Optional[_Number] = None,
        column: Optional[_Texts] = None,
        decimal: Optional[Literal["point", "comma"]] = 'point',
        function: Optional[_Texts] = None,
        header: Optional[Literal["yes", "no"]] = None,
        junit: Optional[_Path] = None,
        kernel: Optional[_Kernel] = None,
        map: Optional[_Path] = None,
        most: Optional[_Number] = None,
        shape: Optional[Literal["chains,draws", "draws,chains", "draws"]] = None,
        strict: bool = False,
        thin: Optional[_Number] = 1,
        toy: Optional[_Toy] = None,
        verbose: bool = False,
        weights: Optional[str] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """chain reads the draws of Markov chains, one a row in their order, and answers
        two questions: is the sampler wrong, and do its draws represent the target?
        Files are those that conform draws reads (breadboard conform draws help=).

        Parameters
        ----------
        alpha : float, default 1e-06
            largest probability of a false alarm in a run
        base : int
            0 or 1, the number of the first state; also of the first coordinate
        column : NAME=ROLE
            NAME=ROLE of a column whose name does not say what it is for: run=chain, or
            lp=none; roles are variable, chain, iteration, draw, warmup, weight,
            log-weight, log-density, density, name, index, value, none; or a list of
            these
        decimal : point|comma, default 'point'
            the mark before the decimals of numbers
        function : str or list of str
            functions whose means are compared, by default all variables and g: x0, x1,
            ..., AXIS, sum, g, mode, x0<=3, AXIS=VALUE, AXIS*log(AXIS), all; or a list
            of these
        header : yes|no
            whether the first line of text names the columns (default: as its cells
            show)
        junit : FILE
            also write each finding to this FILE as JUnit XML, which continuous
            integration shows; if the run ends without results the file says why
        kernel : str
            the kernel whose moves the chains are meant to make: metropolis,
            matrix:kernel.npy, exec:COMMAND, ... (breadboard kernel list); a selector
            such as 'heatbath', a function move(chooser, logf, shape, x), Moves(move),
            a transition matrix (also of scipy.sparse), or its Path
        map : FILE
            FILE that explains your own names: a header name,state and a row for each,
            as in V1,x0 for a column or low,0 for a state
        most : int
            largest number of draws that are read; 0 is all of a file, and 131072 of a
            program
        shape : chains,draws|draws,chains|draws
            what the sides of NumPy's arrays of draws are: ArviZ has chains,draws,
            emcee draws,chains, and one joined chain draws; further sides are elements
            (default: chains,draws, unless there are more chains than draws)
        strict : bool, default False
            exit with code 1 also if the moves are right and the draws do not represent
            the target
        thin : int, default 1
            number of moves of the kernel between two draws
        toy : str
            the target: barrier, random:2:7:3x3, file:target.npy, ... (breadboard
            toys); a selector such as 'barrier', log f of each state as an array or
            nested lists, Target(values, edges=pairs), a Path, or several of these in a
            list, or in a dict by name
        verbose : bool, default False
            show all rows, and not only those that say fault, differs, open or untested
        weights : NAME
            NAME of the column with the weights of the draws, or none; the weights are
            natural logarithms if the name is lw, log_w or log_weight (default a column
            with such a name, or weight or w) Flags of all commands, such as format=,
            columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _conform_check(Command):
    def __call__(
        self, *arguments: Any,
        rng: Any = None,
        alpha: Optional[_Number] = 1e-06,
        chains: Optional[_Number] = None,
        claim: Optional[str] = 'unbiased',
        estimates: Optional[Any] = None,
        forward: Optional[Any] = None,
        input_columns: Optional[Union[Literal["log_w", "x_first", "x_last", "beta", "from", "to", "log_z", "se"], Iterable[Literal["log_w", "x_first", "x_last", "beta", "from", "to", "log_z", "se"]]]] = None,
        junit: Optional[_Path] = None,
        largest: Optional[_Number] = None,
        log_z_included: bool = False,
        moves: Optional[Any] = None,
        reverse: Optional[Any] = None,
        seed: Optional[Any] = 1,
        smallest: Optional[_Number] = None,
        stdin: Optional[Literal["forward", "reverse", "moves", "estimates"]] = None,
        verbose: bool = False,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """check reads chains that an implementation of a task has made, and tests every
        distribution that their columns allow.

        Parameters
        ----------
        alpha : float, default 1e-06
            largest probability of a false alarm in a run
        chains : int
            largest number of rows that are read of each source; 0 is all
        claim : str, default 'unbiased'
            what is claimed of the estimates: unbiased, reciprocal-unbiased, lower,
            upper, lower-on-average, upper-on-average, within:NATS[:PROBABILITY],
            calibrated[:SLACK], law:ESTIMATOR
        estimates : FILE
            FILE of estimates of log(Z_T/Z_1), or of log Z_T with log_z_included=, in
            the column log_z; or a list of these
        forward : FILE
            FILE of forward chains; or a list of these
        input_columns : NAMES
            NAMES of the columns in their order, for files that do not name them; or a
            list of these
        junit : FILE
            also write each finding to this FILE as JUnit XML, which continuous
            integration shows; if the run ends without results the file says why
        largest : NATS
            the largest possible log_z, without which nothing can be said of estimates
            that are too low on average; for the claim unbiased it is by default that
            of averages of products of the task's own increments, and upper-on-average
            needs one
        log_z_included : bool, default False
            log weights and estimates hold log Z_1 as well, so that the mean of w is
            Z_T and not Z_T/Z_1
        moves : FILE
            FILE of single moves of the kernel, with the columns beta, from and to; or
            a list of these
        reverse : FILE
            FILE of reverse chains; or a list of these
        seed : int, default 1
            seed of the noise with which log weights are put into bins, and of the
            batches of a program
        smallest : NATS
            the smallest possible log_z, which the claim lower-on-average needs; for
            the claim reciprocal-unbiased it is by default that of one over averages of
            products of the task's own inverse increments
        stdin : WHAT
            WHAT standard input holds, as CSV or JSON Lines: forward, reverse, moves,
            estimates
        verbose : bool, default False
            show all rows, and not only those that say fault, differs, open or untested
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _conform_draws(Command):
    def __call__(
        self, *arguments: Any,
        alpha: Optional[_Number] = 1e-06,
        base: Optional[_Number] = None,
        column: Optional[_Texts] = None,
        decimal: Optional[Literal["point", "comma"]] = 'point',
        header: Optional[Literal["yes", "no"]] = None,
        junit: Optional[_Path] = None,
        law: Optional[_Selector] = None,
        map: Optional[_Path] = None,
        most: Optional[_Number] = None,
        shape: Optional[Literal["chains,draws", "draws,chains", "draws"]] = None,
        toy: Optional[_Toy] = None,
        verbose: bool = False,
        weights: Optional[str] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """draws reads draws, one a row, and tests whether they are independent draws of
        the distribution of toy= or law=.

        Parameters
        ----------
        alpha : float, default 1e-06
            largest probability of a false alarm in a run
        base : int
            0 or 1, the number of the first state; also of the first coordinate
        column : NAME=ROLE
            NAME=ROLE of a column whose name does not say what it is for: run=chain, or
            lp=none; roles are variable, chain, iteration, draw, warmup, weight,
            log-weight, log-density, density, name, index, value, none; or a list of
            these
        decimal : point|comma, default 'point'
            the mark before the decimals of numbers
        header : yes|no
            whether the first line of text names the columns (default: as its cells
            show)
        junit : FILE
            also write each finding to this FILE as JUnit XML, which continuous
            integration shows; if the run ends without results the file says why
        law : FILE
            FILE of any other distribution: a header label,probability and a row for
            each state
        map : FILE
            FILE that explains your own names: a header name,state and a row for each,
            as in V1,x0 for a column or low,0 for a state
        most : int
            largest number of draws that are read; 0 is all of a file, and 131072 of a
            program
        shape : chains,draws|draws,chains|draws
            what the sides of NumPy's arrays of draws are: ArviZ has chains,draws,
            emcee draws,chains, and one joined chain draws; further sides are elements
            (default: chains,draws, unless there are more chains than draws)
        toy : str
            the target: barrier, random:2:7:3x3, file:target.npy, ... (breadboard
            toys); a selector such as 'barrier', log f of each state as an array or
            nested lists, Target(values, edges=pairs), a Path, or several of these in a
            list, or in a dict by name
        verbose : bool, default False
            show all rows, and not only those that say fault, differs, open or untested
        weights : NAME
            NAME of the column with the weights of the draws, or none; the weights are
            natural logarithms if the name is lw, log_w or log_weight (default a column
            with such a name, or weight or w) Flags of all commands, such as format=,
            columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _conform_estimates(Command):
    def __call__(
        self, *arguments: Any,
        alpha: Optional[_Number] = 1e-06,
        chains: Optional[_Number] = None,
        claim: Optional[str] = 'unbiased',
        T: Optional[_Numbers] = [12],
        initial: Optional[_Selector] = None,
        input_columns: Optional[Union[Literal["log_w", "x_first", "x_last", "beta", "from", "to", "log_z", "se"], Iterable[Literal["log_w", "x_first", "x_last", "beta", "from", "to", "log_z", "se"]]]] = None,
        junit: Optional[_Path] = None,
        kernel: Optional[_Kernel] = 'metropolis',
        largest: Optional[_Number] = None,
        log_z: Optional[_Number] = None,
        log_z_included: bool = False,
        path: Optional[str] = 'geometric',
        quotient: Optional[str] = 'none',
        schedule: Optional[_Values] = 'linear',
        smallest: Optional[_Number] = None,
        toy: Optional[_Toy] = None,
        verbose: bool = False,
        workers: Optional[_Number] = None,
        z: Optional[Any] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """estimates reads estimates of log(Z_T/Z_1), one a row, and tests whether the
        claim of claim= about them is true.

        Parameters
        ----------
        alpha : float, default 1e-06
            largest probability of a false alarm in a run
        chains : int
            largest number of estimates that are read; 0 is all
        claim : str, default 'unbiased'
            what is claimed of the estimates: unbiased, reciprocal-unbiased, lower,
            upper, lower-on-average, upper-on-average, within:NATS[:PROBABILITY],
            calibrated[:SLACK], law:ESTIMATOR
        T : number or list of numbers, default [12]
            numbers of distributions, both ends included; or a list of these
        initial : str
            where the path starts: uniform, prior, tempered:BETA, smoothed:PASSES,
            file:PATH, prob:PATH (default the prior of a model, and else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        input_columns : NAMES
            NAMES of the columns in their order, for files that do not name them; or a
            list of these
        junit : FILE
            also write each finding to this FILE as JUnit XML, which continuous
            integration shows; if the run ends without results the file says why
        kernel : str, default 'metropolis'
            the Markov kernel (breadboard kernel list); a selector such as 'heatbath',
            a function move(chooser, logf, shape, x), Moves(move), a transition matrix
            (also of scipy.sparse), or its Path
        largest : NATS
            the largest possible log_z, without which nothing can be said of estimates
            that are too low on average; for the claim unbiased it is by default that
            of averages of products of the task's own increments, and upper-on-average
            needs one
        log_z : NATS
            log Z in nats, in place of a toy; with claim= reciprocal-unbiased log Z -
            log P(f_T > 0)
        log_z_included : bool, default False
            estimates include log Z_1: they are of log Z_T, the logarithm of the sum of
            f_T over all states
        path : str, default 'geometric'
            the path of distributions: geometric, arithmetic, q:Q, via:[BETA:]PATH,
            tempered
        quotient : str, default 'none'
            group states into classes: auto groups those that the kernel treats alike,
            auto:TOL also those whose log f differs by TOL nats, none keeps all states
        schedule : str, default 'linear'
            the schedule (breadboard help schedules); a selector such as 'sigmoid', or
            a list of betas from 0 to 1
        smallest : NATS
            the smallest possible log_z, which the claim lower-on-average needs; for
            the claim reciprocal-unbiased it is by default that of one over averages of
            products of the task's own inverse increments
        toy : str or list of str
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        verbose : bool, default False
            show all rows, and not only those that say fault, differs, open or untested
        workers : int
            number of computations at once; 0 is one for each core
        z : Z
            Z, in place of a toy Flags of all commands, such as format=, columns= and
            out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _conform_joint(Command):
    def __call__(
        self, *arguments: Any,
        rng: Any = None,
        alpha: Optional[_Number] = 1e-06,
        L: Optional[_Number] = 99,
        junit: Optional[_Path] = None,
        seed: Optional[Any] = 1,
        verbose: bool = False,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """joint compares two files of draws of parameters and data.

        Parameters
        ----------
        alpha : float, default 1e-06
            largest probability of a false alarm in a run
        L : L, default 99
            largest number of forward draws that a chain is ranked among
        junit : FILE
            also write each finding to this FILE as JUnit XML, which continuous
            integration shows; if the run ends without results the file says why
        seed : int, default 1
            seed of how ties are broken
        verbose : bool, default False
            show all rows, and not only those that say fault, differs, open or untested
            Flags of all commands, such as format=, columns= and out=: breadboard help
            output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _conform_particles_check(Command):
    def __call__(
        self, *arguments: Any,
        alpha: Optional[_Number] = 1e-06,
        conditional: Optional[Any] = None,
        junit: Optional[_Path] = None,
        most_runs: Optional[_Number] = None,
        runs: Optional[Any] = None,
        stdin: Optional[Literal["runs", "conditional"]] = None,
        strict: bool = False,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """check reads runs that an implementation of a task has made: CSV with a row a
        run, whose columns stand in the README of the task.

        Parameters
        ----------
        alpha : float, default 1e-06
            largest probability of a false alarm in a run
        conditional : FILE
            FILE of conditional; or a list of these
        junit : FILE
            also write each finding to this FILE as JUnit XML, which continuous
            integration shows; if the run ends without results the file says why
        most_runs : int
            largest number of runs that are read of each source; 0 is all
        runs : FILE
            FILE of runs; or a list of these
        stdin : WHAT
            WHAT standard input holds: runs, conditional
        strict : bool, default False
            exit with code 1 also if some tests are open Flags of all commands, such as
            format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _conform_particles_spec(Command):
    def __call__(
        self, *,
        alpha: Optional[_Number] = 1e-06,
        T: Optional[_Numbers] = [3],
        hmm: Optional[Union[str, HMM, Mapping[str, Any]]] = None,
        initial: Optional[_Selector] = None,
        kernel: Optional[_Kernel] = 'metropolis',
        observations: Optional[_Number] = 3,
        particles: Optional[_Number] = 2,
        path: Optional[str] = 'geometric',
        quotient: Optional[str] = 'none',
        resample: Optional[Literal["multinomial", "stratified", "systematic", "residual"]] = 'systematic',
        schedule: Optional[_Values] = 'linear',
        threshold: Optional[_Number] = 1,
        toy: Optional[_Toy] = ['random:2:0:3'],
        unordered: bool = False,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """spec writes the folder out=: README.md says what to do, and task.json has every
        number.

        Parameters
        ----------
        alpha : float, default 1e-06
            largest probability of a false alarm in a run
        T : number or list of numbers, default [3]
            numbers of distributions, both ends included; or a list of these
        hmm : str
            a hidden Markov model instead of an annealing: weather, wear, or a file of
            TOML or JSON with pi, A, E and y
        initial : str
            where the path starts: uniform, prior, tempered:BETA, smoothed:PASSES,
            file:PATH, prob:PATH (default the prior of a model, and else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str, default 'metropolis'
            the Markov kernel (breadboard kernel list); a selector such as 'heatbath',
            a function move(chooser, logf, shape, x), Moves(move), a transition matrix
            (also of scipy.sparse), or its Path
        observations : int, default 3
            number of observations of that model, from the first
        particles : int, default 2
            number of particles, 2 to 4, or more if unordered
        path : str, default 'geometric'
            the path of distributions: geometric, arithmetic, q:Q, via:[BETA:]PATH,
            tempered
        quotient : str, default 'none'
            group states into classes: auto groups those that the kernel treats alike,
            auto:TOL also those whose log f differs by TOL nats, none keeps all states
        resample : str, default 'systematic'
            resampling scheme: multinomial, stratified, systematic, residual
        schedule : str, default 'linear'
            the schedule (breadboard help schedules); a selector such as 'sigmoid', or
            a list of betas from 0 to 1
        threshold : float, default 1
            when to resample: 1 at every stage, 0 never, C if the effective sample size
            is below C times the number of particles
        toy : str or list of str, default ['random:2:0:3']
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        unordered : bool, default False
            the order of slots has no meaning: runs list the states of all stages, in
            any order, and no parents Flags of all commands, such as format=, columns=
            and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _conform_particles(Command):
    check: _conform_particles_check
    spec: _conform_particles_spec
    def __call__(
        self, *,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """particles tests your implementation of sequential Monte Carlo with resampling,
        in any language. spec writes a folder that says what to implement on a small
        target; check reads the runs that the implementation has made.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _conform_policy(Command):
    def __call__(
        self, *arguments: Any,
        alpha: Optional[_Number] = 1e-06,
        base: Optional[_Number] = None,
        column: Optional[_Texts] = None,
        decimal: Optional[Literal["point", "comma"]] = 'point',
        header: Optional[Literal["yes", "no"]] = None,
        junit: Optional[_Path] = None,
        map: Optional[_Path] = None,
        most: Optional[_Number] = None,
        policy: Optional[Union[str, Policy, Sequence[Union[str, Policy]]]] = None,
        shape: Optional[Literal["chains,draws", "draws,chains", "draws"]] = None,
        toy: Optional[_Toy] = None,
        verbose: bool = False,
        weights: Optional[str] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """policy reads the draws of a learned sampler, one a row, with their log weights,
        and tests whether both have the exact joint distribution that forward paths of
        policy= have on the target toy= (breadboard help policies).

        Parameters
        ----------
        alpha : float, default 1e-06
            largest probability of a false alarm in a run
        base : int
            0 or 1, the number of the first state; also of the first coordinate
        column : NAME=ROLE
            NAME=ROLE of a column whose name does not say what it is for: run=chain, or
            lp=none; roles are variable, chain, iteration, draw, warmup, weight,
            log-weight, log-density, density, name, index, value, none; or a list of
            these
        decimal : point|comma, default 'point'
            the mark before the decimals of numbers
        header : yes|no
            whether the first line of text names the columns (default: as its cells
            show)
        junit : FILE
            also write each finding to this FILE as JUnit XML, which continuous
            integration shows; if the run ends without results the file says why
        map : FILE
            FILE that explains your own names: a header name,state and a row for each,
            as in V1,x0 for a column or low,0 for a state
        most : int
            largest number of draws that are read; 0 is all of a file, and 131072 of a
            program
        policy : str
            the pair of policies: masked:local:1, file:layers.npz, ... (breadboard
            policy help=); a selector such as 'masked:local:1', or Policy(forward,
            backward)
        shape : chains,draws|draws,chains|draws
            what the sides of NumPy's arrays of draws are: ArviZ has chains,draws,
            emcee draws,chains, and one joined chain draws; further sides are elements
            (default: chains,draws, unless there are more chains than draws)
        toy : str
            the target: barrier, random:2:7:3x3, file:target.npy, ... (breadboard
            toys); a selector such as 'barrier', log f of each state as an array or
            nested lists, Target(values, edges=pairs), a Path, or several of these in a
            list, or in a dict by name
        verbose : bool, default False
            show all rows, and not only those that say fault, differs, open or untested
        weights : NAME
            NAME of the column with the weights of the draws, or none; the weights are
            natural logarithms if the name is lw, log_w or log_weight (default a column
            with such a name, or weight or w) Flags of all commands, such as format=,
            columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _conform_posterior(Command):
    def __call__(
        self, *arguments: Any,
        alpha: Optional[_Number] = 1e-06,
        data: Optional[Any] = None,
        L: Optional[_Number] = 15,
        junit: Optional[_Path] = None,
        moves: Optional[Any] = 100,
        runs: Optional[Any] = 1000,
        strict: bool = False,
        verbose: bool = False,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """posterior asks a program for the distributions of its model and of its sampler,
        and compares them exactly, for all data that the model can have.

        Parameters
        ----------
        alpha : float, default 1e-06
            largest probability of a false alarm in a run
        data : str or list of str
            data for which the sampler is tested, as the program writes them; or a list
            of these; all data if left out
        L : L, default 15
            number of draws that a rank of SBC is among, and of rounds of Geweke's test
        junit : FILE
            also write each finding to this FILE as JUnit XML, which continuous
            integration shows; if the run ends without results the file says why
        moves : int, default 100
            number of steps of a chain before its draw for SBC
        runs : int, default 1000
            number of runs of the tests whose power is computed
        strict : bool, default False
            a step that does not join all parameters is a fault, too
        verbose : bool, default False
            show all rows, and not only those that say fault, differs, open or untested
            Flags of all commands, such as format=, columns= and out=: breadboard help
            output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _conform_ranks(Command):
    def __call__(
        self, *arguments: Any,
        alpha: Optional[_Number] = 1e-06,
        draws: Optional[Any] = None,
        junit: Optional[_Path] = None,
        verbose: bool = False,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """ranks reads the ranks of simulation-based calibration (SBC), one row a run, and
        tests for each variable whether they are uniform on 0 to L.

        Parameters
        ----------
        alpha : float, default 1e-06
            largest probability of a false alarm in a run
        draws : L
            number of draws that each rank is among; 0 takes it from the column
            max_rank
        junit : FILE
            also write each finding to this FILE as JUnit XML, which continuous
            integration shows; if the run ends without results the file says why
        verbose : bool, default False
            show all rows, and not only those that say fault, differs, open or untested
            Flags of all commands, such as format=, columns= and out=: breadboard help
            output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _conform_run(Command):
    def __call__(
        self, *arguments: Any,
        rng: Any = None,
        alpha: Optional[_Number] = 1e-06,
        chains: Optional[_Number] = 131072,
        junit: Optional[_Path] = None,
        log_z_included: bool = False,
        seed: Optional[Any] = 1,
        verbose: bool = False,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """run starts a program and asks it for batches of chains, each from a seed of its
        own, by JSON Lines on its standard input and output
        (experiments/programs/PROTOCOL.md, "A sampler of chains").

        Parameters
        ----------
        alpha : float, default 1e-06
            largest probability of a false alarm in a run
        chains : int, default 131072
            largest number of chains that are asked for in each direction
        junit : FILE
            also write each finding to this FILE as JUnit XML, which continuous
            integration shows; if the run ends without results the file says why
        log_z_included : bool, default False
            log weights and estimates hold log Z_1 as well, so that the mean of w is
            Z_T and not Z_T/Z_1
        seed : int, default 1
            seed of the noise with which log weights are put into bins, and of the
            batches of a program
        verbose : bool, default False
            show all rows, and not only those that say fault, differs, open or untested
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _conform_spec(Command):
    def __call__(
        self, *,
        alpha: Optional[_Number] = 1e-06,
        T: Optional[_Numbers] = [12],
        initial: Optional[_Selector] = None,
        kernel: Optional[_Kernel] = 'metropolis',
        path: Optional[str] = 'geometric',
        powerful: bool = False,
        quotient: Optional[str] = 'none',
        schedule: Optional[_Values] = 'linear',
        toy: Optional[_Toy] = ['easy'],
        verbose: bool = False,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """spec writes the folder out= for one annealing.

        Parameters
        ----------
        alpha : float, default 1e-06
            largest probability of a false alarm in a run
        T : number or list of numbers, default [12]
            numbers of distributions, both ends included; or a list of these
        initial : str
            where the path starts: uniform, prior, tempered:BETA, smoothed:PASSES,
            file:PATH, prob:PATH (default the prior of a model, and else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str, default 'metropolis'
            the Markov kernel (breadboard kernel list); a selector such as 'heatbath',
            a function move(chooser, logf, shape, x), Moves(move), a transition matrix
            (also of scipy.sparse), or its Path
        path : str, default 'geometric'
            the path of distributions: geometric, arithmetic, q:Q, via:[BETA:]PATH,
            tempered
        powerful : bool, default False
            choose the toy, T and schedule at which every way to get it wrong is found
            and named with the fewest chains
        quotient : str, default 'none'
            group states into classes: auto groups those that the kernel treats alike,
            auto:TOL also those whose log f differs by TOL nats, none keeps all states
        schedule : str, default 'linear'
            the schedule (breadboard help schedules); a selector such as 'sigmoid', or
            a list of betas from 0 to 1
        toy : str or list of str, default ['easy']
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        verbose : bool, default False
            show the whole table of needs, which the folder has as well Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _conform_tempering_check(Command):
    def __call__(
        self, *arguments: Any,
        alpha: Optional[_Number] = 1e-06,
        junit: Optional[_Path] = None,
        most_runs: Optional[_Number] = None,
        runs: Optional[Any] = None,
        stdin: Optional[Literal["runs", "trips"]] = None,
        strict: bool = False,
        trips: Optional[Any] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """check reads runs that an implementation of a task has made: CSV with a row a
        run, whose columns stand in the README of the task.

        Parameters
        ----------
        alpha : float, default 1e-06
            largest probability of a false alarm in a run
        junit : FILE
            also write each finding to this FILE as JUnit XML, which continuous
            integration shows; if the run ends without results the file says why
        most_runs : int
            largest number of runs that are read of each source; 0 is all
        runs : FILE
            FILE of runs; or a list of these
        stdin : WHAT
            WHAT standard input holds: runs, trips
        strict : bool, default False
            exit with code 1 also if some tests are open
        trips : FILE
            FILE of trips; or a list of these Flags of all commands, such as format=,
            columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _conform_tempering_spec(Command):
    def __call__(
        self, *,
        alpha: Optional[_Number] = 1e-06,
        initial: Optional[_Selector] = 'tempered:0.3',
        ladder: Optional[_Numbers] = [0, 0.3, 1],
        long_scans: Optional[_Number] = 5,
        scans: Optional[_Number] = 3,
        scheme: Optional[Literal["deo", "seo"]] = 'deo',
        toy: Optional[_Toy] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """spec writes the folder out=: README.md says what to do, and task.json has every
        number.

        Parameters
        ----------
        alpha : float, default 1e-06
            largest probability of a false alarm in a run
        initial : str, default 'tempered:0.3'
            where the path starts: uniform, prior, tempered:BETA, smoothed:PASSES,
            file:PATH, prob:PATH; a selector such as 'uniform', or log f of each state
            in the shape of the toy, on a graph as a dict by label
        ladder : number or list of numbers, default [0, 0.3, 1]
            the betas of the rungs, from 0 to 1; or a list of these
        long_scans : int, default 5
            number of scans of a run in which round trips are counted
        scans : int, default 3
            number of scans of a run, 2 to 3
        scheme : str, default 'deo'
            which pairs are offered swaps: deo, the even and the odd ones in turn, or
            seo, by the flip of a coin
        toy : str
            the target, as in easy (breadboard help toys) (default "random:2:0:3")
            Flags of all commands, such as format=, columns= and out=: breadboard help
            output.; a selector such as 'barrier', log f of each state as an array or
            nested lists, Target(values, edges=pairs), a Path, or several of these in a
            list, or in a dict by name

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _conform_tempering(Command):
    check: _conform_tempering_check
    spec: _conform_tempering_spec
    def __call__(
        self, *,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """tempering tests your implementation of parallel tempering (replica exchange), in
        any language. spec writes a folder that says what to implement on a small
        target; check reads the runs that the implementation has made.

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
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """vectors reads what functions have answered to the cases of breadboard vectors,
        as JSON: {"rhat": {"four": 1.02, "odd": 0.98}}.

        Parameters
        ----------
        junit : FILE
            also write each finding to this FILE as JUnit XML, which continuous
            integration shows; if the run ends without results the file says why
        verbose : bool, default False
            show all rows, and not only those that say fault, differs, open or untested
            Flags of all commands, such as format=, columns= and out=: breadboard help
            output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _conform(Command):
    chain: _conform_chain
    check: _conform_check
    draws: _conform_draws
    estimates: _conform_estimates
    joint: _conform_joint
    particles: _conform_particles
    policy: _conform_policy
    posterior: _conform_posterior
    ranks: _conform_ranks
    run: _conform_run
    spec: _conform_spec
    tempering: _conform_tempering
    vectors: _conform_vectors
    def __call__(
        self, *,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
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
        alpha: Optional[_Number] = 1e-06,
        beta: Optional[_Numbers] = [0, 0.25, 0.5, 0.75, 1],
        T: Optional[_Number] = 100,
        junit: Optional[_Path] = None,
        moves: Optional[Any] = 65536,
        seed: Optional[Any] = 1,
        strict: bool = False,
        toy: Optional[_Toy] = ['easy', 'hard', 'barrier'],
        verbose: bool = False,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """check computes the exact transition matrix of a kernel and reports whether the
        kernel is correct and how fast it mixes.

        Parameters
        ----------
        alpha : float, default 1e-06
            largest probability of a false alarm among those tests
        beta : number or list of numbers, default [0, 0.25, 0.5, 0.75, 1]
            inverse temperatures, from 0 to 1, at which a verdict is wanted; or a list
            of these
        T : int, default 100
            number of distributions of the annealing
        junit : FILE
            also write each finding to this FILE as JUnit XML, which continuous
            integration shows; if the run ends without results the file says why
        moves : int, default 65536
            number of moves under each distribution of a program that makes its own
            choices, from 256 to 1000000000
        seed : int, default 1
            seed of the tests of programs that make their own choices
        strict : bool, default False
            exit with code 1 also if the kernel leaves the distributions invariant and
            does not join all states
        toy : str or list of str, default ['easy', 'hard', 'barrier']
            targets, as in easy (breadboard help toys); or a list of these; a selector
            such as 'barrier', log f of each state as an array or nested lists,
            Target(values, edges=pairs), a Path, or several of these in a list, or in a
            dict by name
        verbose : bool, default False
            show all rows, and not only those that say fault, differs, open or untested
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _kernel_list(Command):
    def __call__(
        self, *,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """List the kernels that kernel= takes

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _kernel(Command):
    check: _kernel_check
    list: _kernel_list
    def __call__(
        self, *,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """List kernels, and check whether one is right and how good it is

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _geweke(Command):
    def __call__(
        self, *,
        rng: Any = None,
        alpha: Optional[_Number] = 1e-06,
        data_columns: Optional[_Number] = 25,
        data_rows: Optional[_Number] = 50,
        draws: Optional[Any] = 2048,
        junit: Optional[_Path] = None,
        kernel: Optional[_Kernel] = 'heatbath-scan',
        model: Optional[_Texts] = None,
        rounds: Optional[_Number] = 10,
        seed: Optional[Any] = 1,
        toy: Optional[_Toy] = ['clu6'],
        verbose: bool = False,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """geweke tests whether a model, its simulator and a kernel agree with one another
        (the joint distribution test of Geweke 2004).

        Parameters
        ----------
        alpha : float, default 1e-06
            largest probability of a false alarm in the run
        data_columns : int, default 25
            number D of columns of the data
        data_rows : int, default 50
            number N of rows of the data
        draws : int, default 2048
            largest number of chains, 256 to 1000000
        junit : FILE
            also write each finding to this FILE as JUnit XML, which continuous
            integration shows; if the run ends without results the file says why
        kernel : str, default 'heatbath-scan'
            the kernel that moves z: metropolis, moore, flip, barker, jump:EPS,
            independence, exact, heatbath, heatbath-axis:AXIS, heatbath-scan,
            heatbath-zigzag, block:HxW[:ROW:COLUMN], suwa-todo, suwa-todo-axis:AXIS,
            swendsen-wang, wolff, balanced:RULE[:flip], gradient, tabu:STEPS[:RULE],
            delayed-rejection, stay, lazy:P[:KERNEL], repeat:N[:KERNEL],
            compose:K1+K2..., palindrome:K1+K2..., mixture:W1*K1+W2*K2..., matrix:PATH,
            exec:COMMAND; a selector such as 'heatbath', a function move(chooser, logf,
            shape, x), Moves(move), a transition matrix (also of scipy.sparse), or its
            Path
        model : str or list of str
            models of any size, in place of the standard toy:
            clustering[:inferred][:K], lowrank[:inferred][:K], collapsed[:K],
            binary[:inferred][:K]; or a list of these
        rounds : int, default 10
            number of times that a chain moves z and draws y anew, 1 to 10000
        seed : int, default 1
            seed of all random numbers, 0 to 2^64-1
        toy : str or list of str, default ['clu6']
            models of data, such as clu6, bin4 or model:PATH; or a list of these; a
            selector such as 'barrier', log f of each state as an array or nested
            lists, Target(values, edges=pairs), a Path, or several of these in a list,
            or in a dict by name
        verbose : bool, default False
            show all rows, and not only those that say fault, differs, open or untested
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _sbc(Command):
    def __call__(
        self, *,
        rng: Any = None,
        alpha: Optional[_Number] = 1e-06,
        data: Optional[Any] = 'simulated',
        datasets: Optional[_Number] = 100,
        L: Optional[_Number] = 15,
        sampler: Optional[_Texts] = ['iid', 'prior', 'power:0.9', 'power:0.5', 'metropolis'],
        seed: Optional[Any] = 1,
        start: Optional[_Selector] = 'initial',
        statistic: Optional[_Texts] = ['z', 'loglik'],
        thin: Optional[_Numbers] = [1],
        toy: Optional[_Toy] = ['clu4'],
        warmup: Optional[_Number] = None,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """sbc gives the exact distribution of the ranks of simulation-based calibration
        (SBC), and what a run tells a test of them.

        Parameters
        ----------
        alpha : float, default 1e-06
            largest probability of a false alarm, for the column runs
        data : str, default 'simulated'
            simulated, or given: the data of the toy
        datasets : int, default 100
            number of data sets that are simulated
        L : L, default 15
            number of draws that the true state is ranked among
        sampler : str or list of str, default ['iid', 'prior', 'power:0.9', 'power:0.5', 'metropolis']
            samplers: iid, prior, power:B, bug:NAME, or a kernel; or a list of these
        seed : int, default 1
            seed of the simulated data
        start : str, default 'initial'
            where chains start: initial, target, truth or another distribution; a
            selector such as 'mode', or log f of each state in the shape of the toy, on
            a graph as a dict by label
        statistic : str or list of str, default ['z', 'loglik']
            statistics of the state: z, loglik, logp, or a function such as x0; or a
            list of these
        thin : number or list of numbers, default [1]
            numbers of moves of a chain for each draw; or a list of these
        toy : str or list of str, default ['clu4']
            models of data, such as clu4 (breadboard help toys); or a list of these; a
            selector such as 'barrier', log f of each state as an array or nested
            lists, Target(values, edges=pairs), a Path, or several of these in a list,
            or in a dict by name
        warmup : int
            number of moves before those
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _power(Command):
    def __call__(
        self, *,
        rng: Any = None,
        alpha: Optional[_Number] = 1e-06,
        datasets: Optional[_Number] = 40,
        L: Optional[_Number] = 15,
        fault: Optional[_Texts] = ['prior', 'bug:redraw', 'bug:skewed'],
        right: Optional[str] = 'metropolis',
        seed: Optional[Any] = 1,
        start: Optional[_Selector] = 'initial',
        statistic: Optional[_Texts] = ['z', 'loglik'],
        thin: Optional[_Numbers] = [1, 20],
        toy: Optional[_Toy] = ['clu4'],
        warmup: Optional[_Number] = None,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """power compares tests of samplers by what they can see of a fault, exactly.
        nats_per_run is the KL divergence of what the test looks at, given the fault,
        from what it expects.

        Parameters
        ----------
        alpha : float, default 1e-06
            largest probability of a false alarm, for the column runs
        datasets : int, default 40
            number of data sets that are simulated
        L : L, default 15
            number of draws that the true state is ranked among
        fault : str or list of str, default ['prior', 'bug:redraw', 'bug:skewed']
            faults: prior, power:B, bug:NAME, or a wrong kernel; or a list of these
        right : str, default 'metropolis'
            the right kernel
        seed : int, default 1
            seed of the simulated data
        start : str, default 'initial'
            where chains start: initial, target, truth or another distribution; a
            selector such as 'mode', or log f of each state in the shape of the toy, on
            a graph as a dict by label
        statistic : str or list of str, default ['z', 'loglik']
            statistics of the state: z, loglik, logp, or a function such as x0; or a
            list of these
        thin : number or list of numbers, default [1, 20]
            numbers of moves of a chain for each draw; or a list of these
        toy : str or list of str, default ['clu4']
            models of data, such as clu4 (breadboard help toys); or a list of these; a
            selector such as 'barrier', log f of each state as an array or nested
            lists, Target(values, edges=pairs), a Path, or several of these in a list,
            or in a dict by name
        warmup : int
            number of moves before those
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _vectors(Command):
    def __call__(
        self, *arguments: Any,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """vectors lists plain functions that code for Monte Carlo methods has: sums of log
        weights, R-hat, effective sample sizes, acceptance probabilities, recursions of
        hidden Markov models, resampling and others.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _sweep_merge(Command):
    def __call__(
        self, *arguments: Any,
        partial: bool = False,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """merge reads the results of a sweep from one or more folders and writes one
        table, in the order of the cells: the same bytes for any number of shards,
        workers, interruptions and restarts, but for times on the clock.

        Parameters
        ----------
        partial : bool, default False
            take what there is where cells are missing Flags of all commands, such as
            format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _sweep_plan(Command):
    def __call__(
        self, *arguments: Any,
        cells: bool = False,
        program_hash: Optional[_Path] = None,
        set: Optional[_Texts] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """plan checks a specification as run does, and estimates the time, memory and disk
        that run will need, from the number of steps, the states and what each method
        takes for a kernel.

        Parameters
        ----------
        cells : bool, default False
            list the cells instead, in the order of every merge
        program_hash : FILE
            a FILE that kernels in other programs (exec:) are made of, whose contents
            are then part of their cells; or a list of these
        set : T=10,100
            replace a list of the grid, as in T=10,100; or a list of these Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _sweep_plot(Command):
    def __call__(
        self, *arguments: Any,
        facet: Optional[str] = None,
        over: Optional[str] = None,
        partial: bool = False,
        series: Optional[_Texts] = None,
        stat: Optional[_Texts] = 'median',
        where: Optional[_Texts] = None,
        x: Optional[str] = None,
        y: Optional[str] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """plot draws a measure against a parameter: a line for each combination of the
        other parameters that vary, or of those of series=, and a panel for each value
        of facet=.

        Parameters
        ----------
        facet : str
            the parameter with a panel for each value
        over : str
            the parameter that is summed up at every point, as toy where the toys
            differ in their seeds
        partial : bool, default False
            take what there is where cells are missing
        series : str or list of str
            parameters told apart by lines; or a list of these (default all that vary)
        stat : str or list of str, default 'median'
            with over=, what is drawn: mean, sd, min, max, median, qNN; or a list of
            these
        where : toy=easy
            draw only cells with this value, as in toy=easy; or a list of these
        x : str
            the parameter along the horizontal axis (default T where it varies, or the
            last that does)
        y : str
            the measure along the vertical axis (default the one that answers the
            study's question, as J) Flags of all commands, such as format=, columns=
            and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _sweep_run(Command):
    def __call__(
        self, *arguments: Any,
        extend: bool = False,
        out: Optional[_Path] = None,
        program_hash: Optional[_Path] = None,
        set: Optional[_Texts] = None,
        shard: Optional[str] = 'auto',
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """run solves the cells of a specification and appends each result to a file in the
        folder DIR, one checksummed line of JSON.

        Parameters
        ----------
        extend : bool, default False
            where the folder holds a sweep of another specification of the same study,
            go on with the results that it has
        out : DIR
            the folder DIR of the sweep, made where it is not there
        program_hash : FILE
            a FILE that kernels in other programs (exec:) are made of, whose contents
            are then part of their cells; or a list of these
        set : T=10,100
            replace a list of the grid, as in T=10,100; or a list of these
        shard : str, default 'auto'
            the part to solve: I/N, auto/N or auto
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _sweep_status(Command):
    def __call__(
        self, *arguments: Any,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """status reads the results in the folders of a sweep, which may be running, and
        says how far each shard has come.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _sweep_submit(Command):
    def __call__(
        self, *arguments: Any,
        extend: bool = False,
        out: Optional[_Path] = None,
        program_hash: Optional[_Path] = None,
        sbatch: Optional[_Texts] = None,
        set: Optional[_Texts] = None,
        shards: Optional[_Number] = None,
        slurm: bool = False,
        submit: bool = False,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """submit writes two scripts to the folder DIR and shows them: an array job that
        runs a shard of the sweep in each task, and a job that merges the results into
        DIR/merged.

        Parameters
        ----------
        extend : bool, default False
            where the folder holds a sweep of another specification of the same study,
            go on with the results that it has
        out : DIR
            the folder DIR of the sweep, made where it is not there
        program_hash : FILE
            a FILE that kernels in other programs (exec:) are made of, whose contents
            are then part of their cells; or a list of these
        sbatch : OPTION
            an OPTION for sbatch in both jobs, as in sbatch=partition=short; or a list
            of these
        set : T=10,100
            replace a list of the grid, as in T=10,100; or a list of these
        shards : int
            tasks of the array (default 10, or as many as there are cells)
        slurm : bool, default False
            for Slurm, the one scheduler that this is known for
        submit : bool, default False
            hand the scripts to sbatch
        workers : int
            cells solved at once in a task, and cores that it asks for (default 1)
            Flags of all commands, such as format=, columns= and out=: breadboard help
            output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _sweep(Command):
    merge: _sweep_merge
    plan: _sweep_plan
    plot: _sweep_plot
    run: _sweep_run
    status: _sweep_status
    submit: _sweep_submit
    def __call__(
        self, *,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """sweep runs one study, such as tightness, on every annealing of a grid.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _compare(Command):
    def __call__(
        self, *arguments: Any,
        absolute: Optional[_Number] = None,
        by: Optional[_Texts] = None,
        tolerance: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """compare reads two tables that this program has written as json or csv, and
        prints each cell in which they differ, with the absolute and the relative
        difference, and each row and column that one of them has alone.

        Parameters
        ----------
        absolute : float
            largest absolute difference of two numbers that counts as none
        by : str or list of str
            columns by which rows are matched, separated by commas; or a list of these
            (default the parameters that both tables have)
        tolerance : float
            largest relative difference of two numbers that counts as none (default
            1e-12) Flags of all commands, such as format=, columns= and out=:
            breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _toys_export(Command):
    def __call__(
        self, *arguments: Any,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """export prints g = log f of a target as CSV, one row of the grid a line, as toy=
        file:PATH reads it.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _toys_list(Command):
    def __call__(
        self, *,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """List the targets of Grosse et al. (2016)

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _toys_show(Command):
    def __call__(
        self, *arguments: Any,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """show prints the description of a target, what has been published about it, and a
        drawing of it: a heat map, or a bar for each state of a graph.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _toys(Command):
    export: _toys_export
    list: _toys_list
    show: _toys_show
    def __call__(
        self, *,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """toys lists the targets of Grosse, Ancha and Roy (2016). toys show and toys
        export take any target that toy= takes.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _export(Command):
    def __call__(
        self, *,
        arrays: Optional[_Texts] = None,
        T: Optional[_Numbers] = [100],
        initial: Optional[_Selector] = None,
        kernel: Optional[_Kernel] = 'metropolis',
        path: Optional[str] = 'geometric',
        quotient: Optional[str] = 'none',
        schedule: Optional[_Values] = 'linear',
        stages: Optional[Union[str, Iterable[Union[str, _Number]]]] = [0.1, 0.25, 0.5, 'last'],
        toy: Optional[_Toy] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """export writes the exact arrays of one annealing as numbers, to standard output,
        or with out= to files: one for each toy and T, arrays_TOY_TT.npz, whose name
        also has the path, the initial distribution, the schedule and the kernel where
        they are not the usual ones, as in arrays_hard_T100_kernel-barker.npz.

        Parameters
        ----------
        arrays : NAME,...
            which arrays, of those above; standard for those that are not marked, all
            for every one; or a list of these
        T : number or list of numbers, default [100]
            numbers of distributions, both ends included; or a list of these
        initial : str
            where the path starts: uniform, prior, tempered:BETA, smoothed:PASSES,
            file:PATH, prob:PATH (default the prior of a model, and else uniform); a
            selector such as 'uniform', or log f of each state in the shape of the toy,
            on a graph as a dict by label
        kernel : str, default 'metropolis'
            the Markov kernel (breadboard kernel list); a selector such as 'heatbath',
            a function move(chooser, logf, shape, x), Moves(move), a transition matrix
            (also of scipy.sparse), or its Path
        path : str, default 'geometric'
            the path of distributions: geometric, arithmetic, q:Q, via:[BETA:]PATH,
            tempered
        quotient : str, default 'none'
            group states into classes: auto groups those that the kernel treats alike,
            auto:TOL also those whose log f differs by TOL nats, none keeps all states
        schedule : str, default 'linear'
            the schedule (breadboard help schedules); a selector such as 'sigmoid', or
            a list of betas from 0 to 1
        stages : STAGE,..., default [0.1, 0.25, 0.5, 'last']
            at which stages marginals and kernels are given; or a list of these
        toy : str or list of str
            targets, as in easy (breadboard help toys); or a list of these (default
            [easy,hard,barrier]) Flags of all commands, such as format=, columns= and
            out=: breadboard help output.; a selector such as 'barrier', log f of each
            state as an array or nested lists, Target(values, edges=pairs), a Path, or
            several of these in a list, or in a dict by name

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _report(Command):
    def __call__(
        self, *arguments: Any,
        out: Optional[_Path] = None,
        title: Optional[str] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """report reads what other commands have written and makes one HTML file of it,
        which opens in any browser, also without a network, and can be sent to others.

        Parameters
        ----------
        out : FILE
            write the page to this FILE, whole or not at all
        title : str
            the title of the page (default "breadboard report") Flags of all commands,
            such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _reproduce(Command):
    def __call__(
        self, *,
        claim: Optional[_Texts] = None,
        effort: Optional[Literal["fast", "slow", "long"]] = 'fast',
        junit: Optional[_Path] = None,
        paper: Optional[Union[Literal["bread", "aide", "bdmc", "meta", "samplers"], Iterable[Literal["bread", "aide", "bdmc", "meta", "samplers"]]]] = None,
        verdict: Optional[Union[Literal["as printed", "same in kind", "printed wrongly", "fails under the paper's own conditions", "fails under our reading of what the paper leaves open", "not tried at the paper's budget", "cannot be recomputed here"], Iterable[Literal["as printed", "same in kind", "printed wrongly", "fails under the paper's own conditions", "fails under our reading of what the paper leaves open", "not tried at the paper's budget", "cannot be recomputed here"]]]] = None,
        workers: Optional[_Number] = None,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """reproduce computes the claims of five papers anew and gives each a verdict.

        Parameters
        ----------
        claim : str or list of str
            claims by their identifiers, such as bread-7; or a list of these
        effort : EFFORT, default 'fast'
            the largest effort of a claim: fast, slow, long
        junit : FILE
            also write each finding to this FILE as JUnit XML, which continuous
            integration shows; if the run ends without results the file says why
        paper : str or list of str
            claims of these papers: bread, aide, bdmc, meta, samplers; or a list of
            these
        verdict : str or list of str
            claims with this declared verdict: as printed, same in kind, printed
            wrongly, fails under the paper's own conditions, fails under our reading of
            what the paper leaves open, not tried at the paper's budget, cannot be
            recomputed here; or a list of these
        workers : int
            number of computations at once; 0 is one for each core Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

        Returns
        -------
        Rows
            The rows of the table. `breadboard help reference` says what its columns mean.
        """

class _version(Command):
    def __call__(
        self, *,
        licences: bool = False,
        check_that: Optional[_Texts] = None, figures: Optional[Union[Literal["svg", "png", "pdf"], Iterable[Literal["svg", "png", "pdf"]], bool]] = None, font_size: Optional[str] = None, out: Optional[_Path] = None, plot: Optional[_Texts] = None, style: Optional[Literal["screen", "print", "mono"]] = 'screen', table: Optional[str] = None, width: Optional[str] = None,
        binary: Optional[_Path] = None, cwd: Optional[_Path] = None, progress: Optional[bool] = None,
    ) -> Rows:
        """version prints the version, the version of Go that built it, the system, and
        with which vectors it computes: AVX-512 or AVX2 on a processor of amd64 that has
        them.

        Parameters
        ----------
        licences : bool, default False
            print the licences of all that the program is made of Flags of all
            commands, such as format=, columns= and out=: breadboard help output.

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
scaling: _scaling
success: _success
frontier: _frontier
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
geweke: _geweke
sbc: _sbc
power: _power
vectors: _vectors
sweep: _sweep
compare: _compare
toys: _toys
export: _export
report: _report
reproduce: _reproduce
version: _version
