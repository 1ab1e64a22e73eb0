"""`make models` trains everything anew, `make models-missing` what is not there."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LADDER, VISION, ENGLISH = (f"-m workers.training.{name}" for name in ("ladder", "vision", "english"))


def commands_of(target: str) -> str:
    """What make would run for `target`; -n runs nothing, since no line of these targets calls make."""
    printed = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return printed.replace("\\\n", " ")


def test_make_models_trains_everything_anew_and_says_how_long_it_took() -> None:
    commands = commands_of("models")
    assert f"{LADDER} --anew" in commands
    assert f"{VISION} --anew" in commands
    assert f"{{  .venv/bin/python {ENGLISH}; }}" in commands
    assert "minutes in all" in commands


def test_make_models_missing_leaves_what_is_there() -> None:
    commands = commands_of("models-missing")
    assert LADDER in commands and VISION in commands
    assert "--anew" not in commands
    assert f"test -f workers/models/connote-en/meta.json || .venv/bin/python {ENGLISH}" in commands
