"""A plugin that one test module names is loaded for all of them, and so are its fixtures."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

SUPPORT = Path(__file__).resolve().parents[1] / "support"


def fixtures_of(file: Path) -> set[str]:
    functions = [node for node in ast.parse(file.read_text()).body if isinstance(node, ast.FunctionDef)]
    return {one.name for one in functions if any("fixture" in ast.unparse(mark) for mark in one.decorator_list)}


def test_no_two_plugins_have_a_fixture_of_one_name() -> None:
    """Pytest takes the one that was loaded last: whose tests run depends on which other modules run with them."""
    homes: defaultdict[str, list[str]] = defaultdict(list)
    for file in sorted(SUPPORT.glob("*.py")):
        for name in fixtures_of(file):
            homes[name].append(file.stem)
    assert len(homes) > 20
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}
