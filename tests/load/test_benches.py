"""The benchmarks of judgments at their smallest: that they run and agree with what they compare, not how fast."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import services
from live_stack import fresh_database

HERE = Path(__file__).resolve().parent

pytestmark = pytest.mark.stack


@pytest.mark.parametrize(
    ("name", "size", "in_the_end"),
    [
        ("agreement", "--judgments 3000 --rounds 1 --fresh 50", "page and counting anew say the same: True"),
        ("consensus", "--judgments 3000 --rounds 1", "1 rounds of mace"),
        ("forecast", "--judgments 22000 --rounds 1", "skill by controls"),
    ],
    ids=["agreement", "consensus", "forecast"],
)
def test_a_benchmark_runs_to_its_end(name: str, size: str, in_the_end: str) -> None:
    command = [sys.executable, str(HERE / f"bench_{name}.py"), *size.split()]
    # Of a server that the whole run shares, each takes a database of its own: one fills what another would count.
    with services.postgres() as server, fresh_database(server) as database:
        environment = os.environ | {services.DATABASE_VARIABLE: database}
        done = subprocess.run(command, capture_output=True, text=True, timeout=280, env=environment)
    # 1 says that a bound of time was not met: those are for the real size and a quiet machine.
    assert done.returncode in (0, 1), done.stdout + done.stderr
    assert in_the_end in done.stdout
    assert "Traceback" not in done.stderr, done.stderr
