"""Parameters of a test that run in `make test-nightly` alone."""

from __future__ import annotations

import pytest
from _pytest.mark.structures import ParameterSet


def nightly(*values: object) -> ParameterSet:
    """One set of parameters that `make test` leaves out."""
    return pytest.param(*values, marks=pytest.mark.nightly)
