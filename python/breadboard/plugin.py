"""Fixtures for pytest, which finds them if the package is installed: checks that fail with a
diagnosis.

Elsewhere, `pytest_plugins = ["breadboard.plugin"]` in conftest.py has the same effect.
"""
from typing import Any

import pytest


@pytest.fixture
def assert_invariant() -> Any:
    """breadboard.assert_invariant(kernel, space, logf): a kernel leaves a distribution invariant."""
    from . import assert_invariant

    return assert_invariant


@pytest.fixture
def assert_samples() -> Any:
    """breadboard.assert_samples(draws, space, logf): draws are independent draws from a
    distribution.
    """
    from . import assert_samples

    return assert_samples


@pytest.fixture
def assert_annealing() -> Any:
    """breadboard.assert_annealing(forward, reverse, toy=..., T=...): an implementation of annealing is right."""
    from . import assert_annealing

    return assert_annealing


@pytest.fixture
def assert_chain() -> Any:
    """breadboard.assert_chain(draws, space, logf, kernel): a Markov chain moves like its kernel."""
    from . import assert_chain

    return assert_chain


@pytest.fixture
def assert_estimates() -> Any:
    """breadboard.assert_estimates(estimates, log_z): a claim about estimates of log Z is true."""
    from . import assert_estimates

    return assert_estimates


@pytest.fixture
def assert_law() -> Any:
    """breadboard.assert_law(f, expected): the return value of a function with a random number
    generator has exactly this distribution.
    """
    from . import assert_law

    return assert_law


@pytest.fixture
def assert_unbiased() -> Any:
    """breadboard.assert_unbiased(estimate, log_z=...): the return value of a function with a
    random number generator has exactly this mean.
    """
    from . import assert_unbiased

    return assert_unbiased


@pytest.fixture
def assert_particles() -> Any:
    """breadboard.assert_particles(runs, conditional, toy=..., T=...): sequential Monte Carlo with a few particles is right."""
    from . import assert_particles

    return assert_particles


@pytest.fixture
def assert_tempering() -> Any:
    """breadboard.assert_tempering(runs, trips, toy=..., ladder=...): parallel tempering is right."""
    from . import assert_tempering

    return assert_tempering


@pytest.fixture
def assert_vectors() -> Any:
    """breadboard.assert_vectors({"rhat": my_rhat}): plain functions give the exact answers of breadboard vectors."""
    from . import assert_vectors

    return assert_vectors
