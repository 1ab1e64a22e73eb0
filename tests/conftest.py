from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import settings

pytest_plugins = [
    "cast",
    "generic_fixtures",
    "judged_project",
    "retrieval_fixtures",
    "service_fixtures",
    "shared_data_fixtures",
    "stack_fixtures",
    "web_titles",
    "browser_fixtures",
]

# The same examples on every run, and no clock: a busy machine is no bug.
settings.register_profile("connote", deadline=None, derandomize=True)
settings.load_profile("connote")

HERE = Path(__file__).parent
# The folders that `make browser` and `make real-stack` read, by their tests' marker.
FOLDERS = {"browser": ("e2e",), "stack": ("architecture", "load", "walk")}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With `--no-loadscope-reorder` files of few tests come first: on the stack it is these that take minutes, and one
    that begins last leaves a core idle."""
    for item in items:
        _refuse_where_nobody_looks(item)
    if not config.getoption("loadscopereorder", default=True):
        n_tests = Counter(item.path for item in items)
        items.sort(key=lambda item: n_tests[item.path])


def _refuse_where_nobody_looks(item: pytest.Item) -> None:
    marker = next((name for name in FOLDERS if item.get_closest_marker(name)), None)
    if marker and item.path.relative_to(HERE).parts[0] not in FOLDERS[marker]:
        raise RuntimeError(f"{item.nodeid} is of the {marker}: it belongs in {' or '.join(FOLDERS[marker])}.")
