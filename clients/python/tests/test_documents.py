"""The examples of the documents run as they are written, and the package installs from its folder."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from backend.people.models import User
from backend.people.services import create_token
from backend.projects.models import Project
from backend.runs.models import Run
from connote_client import Client
from drawn import draw
from world import World

ROOT = Path(__file__).parents[3]
FENCE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def examples(page: str) -> list[str]:
    return FENCE.findall((ROOT / page).read_text(encoding="utf-8"))


def test_every_example_runs(
    released: Project, alice: User, live_server: Any, run_stage: Callable[..., Run], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    World(released).add_hits(2, 3)
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "new.png").write_bytes(draw(7))
    monkeypatch.chdir(tmp_path)
    _, secret = create_token(user=alice, name="documents")
    with Client(live_server.url, secret) as client:
        link = client.project("skies").release().publish(despite_work=True)
    real = {
        "https://connote.example.org/r/TOKEN": link,
        "https://connote.example.org": live_server.url,
        "connote_...": secret,
        "photographs": "skies",
    }
    for page in ("docs/client.md", "clients/python/README.md"):
        names: dict[str, Any] = {}
        for example in examples(page):
            for written, meant in real.items():
                example = example.replace(written, meant)
            exec(compile(example, page, "exec"), names)
        names["client"].close()
    printed = capsys.readouterr().out
    assert "1 images" in printed
    assert "annotator-001" in printed
    assert re.search(r"^\(1[67], 1[67]\) \['", printed, re.MULTILINE)
    assert "photo-2.jpg ['" in printed
    assert re.search(r"^exports/Skies .+\.csv \d\d$", printed, re.MULTILINE)


def test_the_folder_builds_a_typed_package_that_needs_no_extra_to_start(tmp_path: Path) -> None:
    """In a copy: setuptools writes beside the sources."""
    source = shutil.copytree(ROOT / "clients" / "python", tmp_path / "source", ignore=shutil.ignore_patterns("build"))
    build = "from setuptools.build_meta import build_wheel; build_wheel('.')"
    subprocess.run([sys.executable, "-W", "ignore", "-c", build], cwd=source, check=True, capture_output=True)
    [wheel] = source.glob("connote_client-*-py3-none-any.whl")
    modules = {path.name for path in (source / "connote_client").glob("*.py")}
    with zipfile.ZipFile(wheel) as files:
        assert {f"connote_client/{name}" for name in {*modules, "py.typed"}} <= set(files.namelist())
        metadata = files.read(next(name for name in files.namelist() if name.endswith("METADATA"))).decode()
    program = "import connote_client, sys; print(connote_client.__version__, {'torch', 'pandas'} & set(sys.modules))"
    said = subprocess.run(
        [sys.executable, "-c", program], env={"PYTHONPATH": str(wheel)}, capture_output=True, text=True
    )
    version = re.findall(r"^Version: (.+)$", metadata, re.MULTILINE)[0]
    assert said.stdout == f"{version} set()\n", said.stderr
