"""Fixtures for pytest, which finds them if the package is installed: checks that fail with a
diagnosis.

Elsewhere, `pytest_plugins = ["breadboard_pytest"]` in conftest.py has the same effect. This module
is not in the package, which a run of pytest that uses no fixture need not load.
"""
import importlib
from typing import Any

import pytest

FIXTURES = (
    (
        (
            {
                "assert_invariant": "a kernel leaves a distribution invariant",
                "assert_samples": "draws are independent draws from a distribution",
                "assert_annealing": "an implementation of annealing is right",
                "assert_chain": "a Markov chain moves like its kernel",
                "assert_estimates": "a claim about estimates of log Z is true",
                "assert_law": "the return value of a function with a random number generator has "
                "exactly this distribution",
                "assert_unbiased": "the return value of a function with a random number "
                "generator has exactly this mean",
                "assert_posterior": "a sampler is right for its model, for all data",
                "assert_vectors": "plain functions give the exact answers of breadboard vectors"})))


def _fixture(name: str, holds: str) -> Any:
    """A fixture for the function of this name, which is imported when it is used."""

    def made() -> Any:
        return getattr(importlib.import_module("breadboard"), name)

    made.__doc__ = "breadboard.%s: %s." % (name, holds)
    return pytest.fixture(scope="session", name=name)(made)


for _name, _holds in FIXTURES.items():
    globals()[_name] = _fixture(_name, _holds)
