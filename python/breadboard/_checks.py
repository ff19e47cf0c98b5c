"""Checks of your own code as objects: the findings, the known bug that explains them, and what a
pass would have found.
"""
from __future__ import annotations

import glob
import html
import json
import math
import os
import warnings
from functools import partial
from typing import Any, Callable, Dict, Iterable, List, Mapping, NamedTuple, Optional, Union

from ._program.arguments import Given, Sampler, Target
from ._errors import Fault, Open, Refused
from ._labelled import nested
from ._law.laws import DEFAULT
from ._arrays import Floats, floats, is_nested, is_number, is_shape
from ._serve.posterior import Model
from ._law.tree import TRIES
from ._help import meanings
from ._program.run import Path, run
from ._tables import Row, Rows, html_of_figures, read, read_figures, rows_of

MOST_AXES = 26  # of a grid: an array with more columns has no coordinates in them

Chains = Union[Callable[..., Any], Mapping[str, Any], Path]


class Bug(NamedTuple):
    """A known bug. log10_odds compares it with the specification, given the chains of this
    direction.
    """

    name: str
    direction: str
    log10_odds: float
    posterior: float
    verdict: str


class Conformance:
    """The result of a check of annealing.

    fault is true if a fault was found; right code has a fault in at most one of a million checks.
    tests are the rows of all tests, and bugs the known bugs, the likeliest first. named are the
    bugs that explain the chains best; it is empty if the specification does. would_have_found lists
    the changes of probabilities that would have been a fault. unseen lists the known bugs that no
    number of chains shows on this task with these columns. figures show the distributions and the
    odds, as SVG. str() is the full report, and a notebook shows it with the figures.
    """

    def __init__(self, rows: Rows, would_have_found: Rows, fault: bool, hypotheses: Rows) -> None:
        self.fault, self.would_have_found, self.messages, self.figures = (
            fault, would_have_found, rows.messages, rows.figures
        )
        self.tests = Rows(
            (row for row in rows if row["kind"] == "test"), rows.messages,
            meanings=partial(meanings, "conform", "check"))
        self.unseen = list(
            dict.fromkeys(
                "%s (%s)" % (row["hypothesis"], row["direction"]) for row in hypotheses
                if row["chains_needed"] == math.inf))
        known = [
            Bug(
                *(
                    row[name]
                    for name in ("hypothesis", "direction", "log10_odds", "posterior", "verdict")))
            for row in rows if row["kind"] == "hypothesis"]
        self.bugs: List[Bug] = sorted(known, key=lambda bug: -(bug.posterior or 0))

    @property
    def named(self) -> List[Bug]:
        best = [
            bug for bug in self.bugs
            if bug.verdict in ("likeliest", "cannot be told from the likeliest")]
        return (
            best if self.fault and not any(bug.name == "the specification" for bug in best) else []
        )

    def __str__(self) -> str:
        return "\n".join(
            line for line in self.messages.splitlines()
            if not line.startswith(("wrote ", "-v ", "breadboard: ")))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return (
            "".join("<p>%s</p>" % html.escape(line) for line in str(self).splitlines())
            + html_of_figures(self.figures)
        )


def check_annealing(
    forward: Optional[Chains] = None, reverse: Optional[Chains] = None, *,
    task: Optional[Path] = None, T: Optional[int] = None, chains: Optional[int] = None,
    progress: Optional[bool] = None, binary: Optional[Path] = None, alpha: Optional[float] = None,
    **annealing: Any
) -> Conformance:
    """Tests an implementation of annealed importance sampling, or chains that it made, against the
    exact distributions.

    forward and reverse are functions, forward(chains, seed), that return a dict of columns: log_w,
    x_first, x_last, or more (see serve_sampler). They are called until a fault is certain, or for
    the given number of chains in each direction. Or they are chains: dicts of columns, or paths of
    files. One of the two may be omitted. The annealing is that of a task, a folder that conform
    spec wrote, or else it is given by toy, T, kernel, schedule and so on, like in tightness.
    """
    with Given() as given:
        folder, found = given.folder, os.path.join(given.folder, "found")
        if task is None:
            task = os.path.join(folder, "task")
            run("conform", "spec", out=task, T=T, binary=binary, given=given, **annealing)
        elif annealing:
            raise TypeError(
                "%s= and task= are both given; the task says what the annealing is"
                % next(iter(annealing)))
        asked: Dict[str, Any] = dict(
            most=chains, alpha=alpha, format="json", out=found, figures="svg", binary=binary,
            progress=progress, given=given)
        fault = False
        try:
            if callable(forward) or callable(reverse):
                if any(one is not None and not callable(one) for one in (forward, reverse)):
                    raise TypeError(
                        "of forward and reverse one is a function and the other is chains; give "
                        "two functions, or chains in both directions")
                makers = [one if callable(one) else None for one in (forward, reverse)]
                stdout, messages = run("conform", "run", task, Sampler(*makers), **asked)
            else:
                stdout, messages = run(
                    "conform", "check", task, **asked, forward=forward, reverse=reverse)
        except Fault as error:
            stdout, messages, fault = error.stdout, error.messages, True
            if not error.rows:
                raise
        guarantees, hypotheses = (
            next(map(read, glob.glob(os.path.join(found, "*_%s.json" % name))), Rows())
            for name in ("guarantees", "hypotheses"))
        return Conformance(
            rows_of(stdout, messages, read_figures(found)), guarantees, fault, hypotheses)


# What tests call. Each fails with what the check says.


def _failed(fault: Fault) -> AssertionError:
    """The failure of a test: what the check says, with its notes, but those about the command line.
    """
    said = str(fault)
    return AssertionError("\n  ".join([said, *(note for note in fault.notes if note not in said)]))


def assert_invariant(
    kernel: Any, space: Any = None, logf: Any = None, *, shape: Any = None, log_f: Any = None,
    irreducible: bool = False, reversible: bool = False, tolerance: float = 0.0, **options: Any,
) -> None:
    """Fails unless a kernel leaves a distribution invariant; with irreducible=True, also if it does
    not join all states, and with reversible=True, if it lacks detailed balance.

    kernel is a function, a transition matrix or a selector (see rows). space is the shape of
    the grid and logf the log f of its states, in nats, in that shape or in one dimension;
    both may be given as shape= and log_f=. Axes of length one are dropped: for (1, 5) the
    kernel gets (5,). Or space is log f itself, a dict from states to log f, or a toy, such as
    "barrier", and logf is omitted. tolerance is how large a number of a finding may be that
    is no fault, such as 1e-6 for code in single precision. Further keywords are those of
    kernel check, such as moves.
    """
    options.setdefault("beta", 1)
    if irreducible:
        options["strict"] = True
    _rounding(tolerance)
    try:
        stdout, messages = run(
            "kernel", "check", kernel, toy=_toy(space, logf, shape, log_f), format="json",
            **options)
        found = {row["finding"]: row for row in rows_of(stdout, messages)}
        if reversible:
            _check_balance(found.get("detailed_balance"), tolerance)
    except Fault as fault:
        if fault.unanswered:
            name = getattr(kernel, "__name__", "the kernel")
            raise Open(
                "%s has not answered within the limit for a reply, which is no verdict; "
                "breadboard.transition(%s, states) has no limit, and its matrix is a kernel too. "
                "If it does not end, %s" % (name, name, TRIES)) from None
        if not _within(fault, tolerance):
            raise _failed(fault) from None


def _check_balance(row: Optional[Row], tolerance: float) -> None:
    """Fails unless detailed balance holds up to a tolerance."""
    if row is None:
        raise Open("nothing is known of detailed balance: the kernel makes choices of its own")
    if row["value"] > max(tolerance, row["tolerance"]):
        raise AssertionError(
            "the kernel is not reversible: detailed_balance = %.6g: %s"
            % (row["value"], row["where"]))


def _rounding(tolerance: float) -> None:
    if not 0 <= tolerance <= 0.01:
        raise ValueError(
            "tolerance= is %r; it is for rounding, at most 0.01, such as 1e-6 for code in single "
            "precision" % tolerance)


def _within(fault: Fault, tolerance: float) -> bool:
    """Whether all that is wrong or open is so by the tolerance at most."""
    found = [row.get("value") for row in fault.rows if row.get("verdict") in ("fault", "open")]
    return bool(found) and all(value is not None and 0 <= value <= tolerance for value in found)


def assert_samples(
    draws: Any, space: Any = None, logf: Any = None, *, law: Any = None, base: Optional[int] = None,
    seed: int = 1, n: int = 100_000, alpha: Optional[float] = None, column: Any = None,
) -> Rows:
    """Fails unless draws are independent draws from a distribution. Returns the rows of the tests.

    draws are states: their numbers, row-major, their labels, or a row of coordinates for
    each; or a dict of columns, a data frame or a file, with a column for each variable, or
    state, or state and count. Or they are a function draws(n, seed) that makes n of these.
    space and logf are those of assert_invariant; or law= is a dict from labels to
    probabilities, a data frame of both, or a list or an array of the probabilities of the
    states from 0. base=1 counts states from 1. A column weight, log_w, lw or logweight, or
    that of column="NAME=weight", has the weights of the draws. Draws of a Markov chain are
    not independent: see assert_chain. Too few draws for a verdict fail, too.
    """
    with Given() as given:
        return _verdict(
            "draws", given, draws, space, logf, n, seed, law=law, base=base, alpha=alpha,
            column=column)


def assert_chain(
    draws: Any, space: Any = None, logf: Any = None, kernel: Any = None, *,
    thin: Optional[int] = None, strict: Optional[bool] = None, base: Optional[int] = None,
    seed: int = 1, n: int = 100_000, alpha: Optional[float] = None,
) -> Rows:
    """Fails unless a Markov chain moves like its kernel; without a kernel, unless its draws
    represent the distribution. Returns the rows of the tests.

    draws, space and logf are those of assert_samples, in the order of the chain. Several chains are
    an array (chains, draws) of states or (chains, draws, axes), a list or a dict of columns of such
    chains, or have a column chain. An array whose rows have a number for each axis of the target is
    one chain. kernel is that of assert_invariant. thin is the number of moves
    between two draws. strict=True also fails if the moves are right and the chain has not mixed.
    """
    with Given() as given:
        return _verdict(
            "chain", given, draws, space, logf, n, seed, kernel=kernel, thin=thin, strict=strict,
            base=base, alpha=alpha)


def assert_posterior(
    prior: Callable[..., Any], simulate: Callable[..., Any],
    step: Optional[Callable[..., Any]] = None, *, posterior: Optional[Callable[..., Any]] = None,
    log_joint: Optional[Callable[..., Any]] = None, log_z: Optional[Callable[..., Any]] = None,
    rng: Any = DEFAULT, data: Optional[Iterable[Any]] = None, irreducible: bool = False,
    tolerance: float = 0.0, **options: Any,
) -> Rows:
    """Fails unless a sampler is right for its model, for all data that the model can have. No
    random number is drawn. Returns the rows of the findings.

    The functions are those of Model, unchanged code that draws with a generator: prior(rng),
    simulate(rng, theta), and step(rng, theta, y), posterior(rng, y), log_joint(theta, y) or
    log_z(rng, y). data is a list of the data that are tested, if not all; irreducible=True
    also fails if the step does not join all parameters. tolerance is that of
    assert_invariant. A failure says for which data and parameter the sampler is wrong, what
    it has instead of the posterior, and what SBC would have seen. Further keywords are those
    of conform posterior.

    >>> import random
    >>> def simulate(rng, theta):
    ...     return sum(rng.random() < theta for _ in range(3))
    >>> def posterior(rng, y):
    ...     return rng.choices([0.2, 0.6], [0.2**y * 0.8**(3 - y), 0.6**y * 0.4**(3 - y)])[0]
    >>> prior = lambda rng: rng.choice([0.2, 0.6])
    >>> rows = assert_posterior(prior, simulate, posterior=posterior, rng=random.Random)
    >>> [row["verdict"] for row in rows]
    ['pass']
    """
    if "table" in options:
        raise TypeError(
            'table: a failure has all findings; breadboard.conform.posterior(Model(...), '
            'table="tests") has the tests as rows')
    model = Model(
        prior, simulate, step, posterior=posterior, log_joint=log_joint, log_z=log_z, rng=rng)
    _rounding(tolerance)
    texts = None if data is None else [model.text(y) for y in data]
    with Given() as given:
        try:
            stdout, messages = run(
                "conform", "posterior", model, data=texts, strict=irreducible, format="json",
                given=given, **options)
        except Fault as fault:
            if not fault.stdout:  # no function has an answer, so that this is no verdict
                raise Refused(
                    model.late() if fault.unanswered and model.asking else str(fault)) from None
            if not _within(fault, tolerance):
                raise _failed(fault) from None
            stdout, messages = fault.stdout, fault.messages
        return rows_of(stdout, messages, meanings=partial(meanings, "conform", "posterior"))


def _by_chain(draws: Any, target: Any) -> Any:
    """Several chains as columns, one of which is the chain; all else as it is. Chains are an
    array (chains, draws) or (chains, draws, axes), or a list with one for each chain, or a
    dict of such; a row of coordinates, one for each axis of the target, or a key of it, is a
    state.
    """
    if isinstance(draws, Mapping):
        columns = {name: nested(values) for name, values in draws.items()}
        if (
            "chain" in columns or not columns
            or not all(
                values and all(isinstance(one, list) for one in values)
                for values in columns.values())
        ):
            return draws
        chains = [chain for chain, one in enumerate(next(iter(columns.values()))) for _ in one]
        return {
            "chain": chains,
            **{name: [x for one in values for x in one] for name, values in columns.items()}}
    rows = (
        []
        if isinstance(draws, (str, os.PathLike)) or hasattr(draws, "columns")
            or getattr(draws, "ndim", 0) == 1 else nested(draws)
    )
    axes = _axes_of(target)

    def is_state(x: Any) -> bool:
        if isinstance(target, Mapping):
            return (
                not isinstance(x, list)
                or not any(isinstance(v, list) for v in x) and tuple(x) in target
            )
        return (
            not isinstance(x, list) or not x
            or not isinstance(x[0], list) and (len(x) in axes if axes else len(x) <= MOST_AXES)
        )

    if (
        not isinstance(rows, list) or all(map(is_state, rows))
        or not all(isinstance(one, list) for one in rows)
    ):
        return draws
    states = [x for one in rows for x in one]
    chains = [chain for chain, one in enumerate(rows) for _ in one]
    if isinstance(target, Mapping) or not isinstance(states[0], list):
        return {"chain": chains, "state": [tuple(x) if isinstance(x, list) else x for x in states]}
    return {
        "chain": chains, **{"x%d" % axis: list(column) for axis, column in enumerate(zip(*states))}}


def _axes_of(target: Any) -> List[int]:
    """How many coordinates a state of a target may be given by; empty if the target is a
    selector, which the program knows.
    """
    values = target.values if isinstance(target, Target) else target
    shape: Any = (
        values.shape if hasattr(values, "shape") else floats(values)[0]
        if is_nested(values) or isinstance(values, Floats) else ()
    )
    return [len(shape), sum(side != 1 for side in shape)] if shape else []


def _verdict(
    command: str, given: Given, draws: Any, space: Any, logf: Any, n: int, seed: int,
    **options: Any
) -> Rows:
    made = draws(n, seed) if callable(draws) else draws
    target = _toy(space, logf)
    made = _by_chain(made, target) if command == "chain" else made
    try:
        stdout, messages = run(
            "conform", command, made, toy=target, format="json", given=given, **options)
    except Fault as fault:
        chains = (
            made["chain"] if command == "chain" and isinstance(made, dict) and "chain" in made
            else []
        )
        several = (
            "; if the rows of the array are draws, give its transpose, (chains, draws)"
            if len({*chains}) ** 2 > len(chains) else ""
        )
        raise AssertionError(str(fault) + several) from None
    return rows_of(stdout, messages, meanings=partial(meanings, "conform", command))


def assert_annealing(
    forward: Optional[Chains] = None, reverse: Optional[Chains] = None, **options: Any,
) -> Conformance:
    """Fails unless an implementation of annealing is right, and names the bug. Arguments and result
    are those of check_annealing.

    If it passes, unseen of the result lists the known bugs that this task cannot show with any
    number of chains; a schedule that is not linear, another toy or more columns may show them.
    """
    said = check_annealing(forward, reverse, **options)
    if said.fault:
        known = dict.fromkeys('known mistake "%s"' % bug.name for bug in said.named)
        raise AssertionError("\n".join([*known, str(said)]))
    return said


def assert_estimates(
    estimates: Any, log_z: Optional[float] = None, *, n: int = 10_000, seed: int = 1,
    **options: Any
) -> Rows:
    """Fails unless a claim about estimates of log Z is true, and gives the reason. Returns the rows
    of its tests.

    estimates are numbers, as an array or a list; a dict of columns or a data frame with the
    column log_z, and se if the claim needs standard errors; a file; or a function
    estimates(n, seed) that makes n of them. log_z is the true value in nats; omit it if toy=
    gives Z. Further keywords are those of conform estimates, such as claim ("unbiased" by
    default, "lower", "upper", "within:0.05:0.9" ...), largest and alpha. Without a largest
    value, no test can show that the mean of unbiased estimates is too low; the messages of
    the result then say so. It fails, too, if it is open: if the estimates are off by five
    standard errors, and too few to find that.
    """
    made = estimates(n, seed) if callable(estimates) else estimates
    with Given() as given:
        try:
            stdout, messages = run(
                "conform", "estimates", made, log_z=log_z, format="json", given=given, **options)
        except Fault as fault:
            raise _failed(fault) from None
        return rows_of(stdout, messages, meanings=partial(meanings, "conform", "estimates"))


def assert_vectors(
    functions: Mapping[str, Callable[..., Any]], *, binary: Optional[Path] = None,
) -> Rows:
    """Fails unless plain functions give the exact answers of breadboard vectors, and names the
    cases that are wrong. Returns the rows of the check.

    functions is a dict from routines to functions, as {"rhat_rank": my_rhat}. A function gets the
    inputs of a case in their order, as numbers, lists and lists of lists (see rows("vectors")), and
    returns a number, a list or an array. An exception is right where the answer is undefined.
    """
    with Given() as given:
        folder, answers = os.path.join(given.folder, "vectors"), {}
        run("vectors", *functions, out=folder, binary=binary, given=given)
        for name, function in functions.items():
            with open(os.path.join(folder, name + ".json"), encoding="utf-8") as file:
                answers[name] = {
                    case["id"]: _answer(
                        function, [_number(value) for value in case["inputs"].values()])
                    for case in json.load(file)["cases"]}
        path = os.path.join(given.folder, "answers.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(answers, file)
        try:
            stdout, messages = run(
                "conform", "vectors", path, format="json", binary=binary, given=given)
        except Fault as fault:
            raise AssertionError(str(fault)) from None
        return rows_of(stdout, messages, meanings=partial(meanings, "conform", "vectors"))


def _number(value: Any) -> Any:
    """A value of JSON with numbers instead of "inf", "-inf" and "nan"."""
    return (
        [_number(one) for one in value] if isinstance(value, list) else float(value)
        if isinstance(value, str) else value
    )


def _answer(function: Callable[..., Any], inputs: List[Any]) -> Any:
    """What a function returns, as JSON has it. Its warnings about hostile inputs are not shown."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _plain(function(*inputs))
    except Exception as error:
        return "error: %s: %s" % (type(error).__name__, error)


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):
        value = value.tolist()
    return (
        value if value is None or isinstance(value, (int, float))
        else [_plain(one) for one in value] if isinstance(value, (list, tuple)) else float(value)
    )


def _toy(space: Any, logf: Any, shape: Any = None, log_f: Any = None) -> Any:
    """The toy of a space and log f on it, which has the shape of the space, or a number for each
    state in one line; None if neither is given.
    """
    if logf is not None and log_f is not None or space is not None and shape is not None:
        raise TypeError("log f, or the shape, is given twice: by position and by name")
    logf, shape = log_f if logf is None else logf, space if shape is None else shape
    if logf is None or shape is None:
        only = shape if logf is None else logf
        if is_shape(only) and logf is None:
            raise TypeError(
                "%r is the shape of a grid, and log f is missing; give log f of its states after "
                "it, or alone" % (only,))
        return only
    sides = (shape,) if is_number(shape) else tuple(shape)
    of, data = floats(logf)
    without_ones = [[side for side in each if side != 1] for each in (of, sides)]
    if len(of) > 1 and without_ones[0] != without_ones[1] or math.prod(of) != math.prod(sides):
        raise ValueError(
            "logf has the shape %s and the space %s; give logf in the shape of the space, or a "
            "number for each state in one line" % (of, sides))
    return Target(Floats(sides, data))
