"""A panel of three tiny CLIPs, calibrated, made once for all processes of a test run in the folder of that run."""

from __future__ import annotations

import io
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from django.core.management import call_command

from encoder_models import save_tiny_clip
from isolated_environment import FOLDER_VARIABLE
from walker import COMMITTED_PHOTOGRAPHS

PANEL = Path(os.environ.get(FOLDER_VARIABLE, tempfile.gettempdir())) / "tiny-panel"
MEMBERS = ("tiny-1", "tiny-2", "tiny-3")
PANEL_SETTINGS = {"CONNOTE_DIFFICULTY_PANEL": ",".join(f"local-dir:{PANEL / name}" for name in MEMBERS)}


def make_panel() -> dict[str, str]:
    """The settings that make a site ask three tiny CLIPs, calibrated on the committed photographs."""
    if PANEL.exists():
        return PANEL_SETTINGS
    made = PANEL.with_name(f"{PANEL.name}-{uuid4().hex[:8]}")
    for number, name in enumerate(MEMBERS, start=1):
        save_and_calibrate(made / name, seed=number)
    with suppress(OSError):  # another process of this run was quicker
        made.rename(PANEL)
    return PANEL_SETTINGS


def save_and_calibrate(folder: Path, *, seed: int) -> None:
    save_tiny_clip(folder, seed=seed, width=16 * (seed + 1))
    how = {"pairs": str(COMMITTED_PHOTOGRAPHS), "batch_size": 16, "output": folder / "calibration.json"}
    call_command("calibrate", f"local-dir:{folder}", stdout=io.StringIO(), stderr=io.StringIO(), **how)
