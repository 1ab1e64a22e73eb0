from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

pytest_plugins = [
    "api_examples",
    "cast",
    "generic_fixtures",
    "judged_project",
    "kept_worlds",
    "receiver",
    "retrieval_fixtures",
    "service_fixtures",
    "shared_data_fixtures",
    "stack_fixtures",
    "web_titles",
    "browser_fixtures",
    "empty_tables",
]

# The same examples on every run, and no clock: a busy machine is no bug. `make test-nightly` tries five times as many.
settings.register_profile("connote", deadline=None, derandomize=True, max_examples=20)
settings.register_profile("nightly", deadline=None, derandomize=True, max_examples=100)
settings.load_profile("connote")

HERE = Path(__file__).parent
FUZZED = HERE / "security" / "test_fuzz.py"
# The folders that `make running-site` reads, by their tests' marker.
FOLDERS = {"browser": ("e2e",), "stack": ("walk", "architecture")}


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """A million objects come to stay: a quarter of the time went into looking for those among them to throw away.
    The tests make many more, which go by themselves: to look for others is seldom worth its time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        gc.set_threshold(20_000, 20, 20)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Schemathesis reads the whole schema while its tests are collected. A run that leaves them out does not wait."""
    return True if collection_path == FUZZED and "and not nightly" in config.option.markexpr else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test of the stack or the browser elsewhere would never run."""
    for item in items:
        marker = next((name for name in FOLDERS if item.get_closest_marker(name)), None)
        if marker and item.path.relative_to(HERE).parts[0] not in FOLDERS[marker]:
            raise RuntimeError(f"{item.nodeid} is of the {marker}: it belongs in {' or '.join(FOLDERS[marker])}.")


@pytest.fixture(autouse=True, scope="session")
def no_wait_for_the_disk() -> Iterator[None]:
    """No file of a test must survive a power cut. A disk takes up to 20 ms to make one safe."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda file: None)
        yield


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes are no part of a test's name. An archive holds the time it was made at, and two workers that collect the
    tests in different seconds would disagree about the names."""
    return argname if isinstance(val, bytes) else None
