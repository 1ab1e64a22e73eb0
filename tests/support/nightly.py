"""What `make test` leaves to `make test-nightly`."""

from __future__ import annotations

import pytest
from _pytest.mark.structures import ParameterSet
from hypothesis import settings


def nightly(*values: object) -> ParameterSet:
    """One set of parameters that `make test` leaves out."""
    return pytest.param(*values, marks=pytest.mark.nightly)


def examples(n: int) -> int:
    """The number of examples of a property: n in `make test-nightly`, a fifth in `make test`."""
    return max(5, n * settings.default.max_examples // 100)
