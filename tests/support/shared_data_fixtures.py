"""Tests on the photographs and captions in `../shared`, a folder that lies beside a checkout and not in it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SHARED = Path(os.environ.get("CONNOTE_TEST_SHARED", Path(__file__).resolve().parents[3] / "shared"))


def is_required() -> bool:
    """Whether these tests must run, as in CI."""
    return os.environ.get("CONNOTE_REQUIRE_SHARED") == "1"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder `../shared/data`."""
    if not SHARED.is_dir():
        pytest.fail("../shared is missing, and CONNOTE_REQUIRE_SHARED=1 wants it: put the folder beside this checkout.")
    return SHARED / "data"


@pytest.fixture(scope="session")
def shared_cases(shared_data: Path) -> Path:
    """The folder `../shared/cases`: inputs from reports about other tools, each with a README."""
    return shared_data.parent / "cases"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the tests that read `../shared`; leave them out where it is neither there nor required."""
    reading = [item for item in items if "shared_data" in item.fixturenames or item.get_closest_marker("shared_data")]
    for item in reading:
        item.add_marker("shared_data")
    if not SHARED.is_dir() and not is_required():
        items[:] = [item for item in items if item not in reading]
        config.hook.pytest_deselected(items=reading)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not SHARED.is_dir() and not is_required():
        terminalreporter.write_line("../shared is absent, so the tests that read it were left out.")
