"""The import contracts hold, and each of them bites when somebody imports backwards."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LINT = Path(sys.executable).with_name("lint-imports")
BACKWARDS = {
    "Rooms import downwards only": ("backend/common/planted.py", "import backend.releases.models"),
    "Methods are pure: no Django, no Celery, no torch": ("backend/methods/planted.py", "import celery"),
    "Engines know neither Django nor the rooms": ("workers/engines/planted.py", "import django"),
    "Training and simulated readers know neither Django nor the rooms": (
        "workers/simulation/planted.py",
        "import django",
    ),
    "In the workers: commands, the demo, then tasks and training, then engines": (
        "workers/engines/planted.py",
        "import workers.training.postcards",
    ),
    "The backend imports neither workers nor torch": ("backend/catalogue/planted.py", "import torch"),
    "Inside a room: urls, api, services, selectors, models": (
        "backend/runs/models.py",
        "from backend.runs import selectors",
    ),
    "In the annotation engine: verbs, leases, allocation, their parts": (
        "backend/annotation/allocation.py",
        "import backend.annotation.submissions",
    ),
}


@pytest.fixture
def copy_of_the_house(tmp_path: Path) -> Path:
    for folder in ("backend", "workers"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([LINT, "--no-cache"], cwd=folder, capture_output=True, text=True)


def test_the_contracts_hold() -> None:
    done = lint_imports(ROOT)
    assert done.returncode == 0 and f"Contracts: {len(BACKWARDS)} kept, 0 broken." in done.stdout, done.stdout


@pytest.mark.nightly
@pytest.mark.parametrize("contract", BACKWARDS)
def test_a_backward_import_breaks_its_contract(copy_of_the_house: Path, contract: str) -> None:
    file, line = BACKWARDS[contract]
    with (copy_of_the_house / file).open("a") as source:
        source.write(f"\n{line}\n")
    done = lint_imports(copy_of_the_house)
    assert done.returncode == 1
    assert f"{contract} BROKEN" in done.stdout, done.stdout
    assert f"Contracts: {len(BACKWARDS) - 1} kept, 1 broken." in done.stdout


@pytest.mark.nightly
def test_a_circle_in_the_front_end_fails_the_lint(tmp_path: Path) -> None:
    frontend = tmp_path / "frontend"
    left_out = shutil.ignore_patterns("node_modules", "dist", "public")
    shutil.copytree(ROOT / "frontend", frontend, ignore=left_out)
    (frontend / "node_modules").symlink_to(ROOT / "frontend" / "node_modules")
    (frontend / "src/lib/first.ts").write_text("import { two } from './second'\n\nexport const one = () => two\n")
    (frontend / "src/lib/second.ts").write_text("import { one } from './first'\n\nexport const two = () => one\n")
    command = [frontend / "node_modules/.bin/eslint", "src/lib/first.ts", "src/lib/second.ts"]
    done = subprocess.run(command, cwd=frontend, capture_output=True, text=True)
    assert done.returncode == 1, done.stdout + done.stderr
    assert done.stdout.count("import-x/no-cycle") == 2, done.stdout
