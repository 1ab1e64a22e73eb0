"""A small `make stress`: the same misbehaviour, kills and audits, in under a minute."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[1] / "load" / "stress_annotation.py"

pytestmark = [pytest.mark.stack, pytest.mark.nightly]


@pytest.mark.parametrize(("engine", "clients", "assignments"), [("postgresql", 12, 600), ("sqlite", 8, 240)])
def test_nothing_is_lost_and_nothing_is_over_when_people_misbehave_and_machines_break(
    engine: str, clients: int, assignments: int
) -> None:
    command = [sys.executable, str(SCRIPT), "--engine", engine]
    command += ["--clients", str(clients), "--assignments", str(assignments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "nothing lost, nothing over, all finished" in done.stdout
