"""Processor time of a process and all its children, from /proc: it stays true on a machine that others use too."""

from __future__ import annotations

import os
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds(root: int) -> float:
    """User and system seconds of `root` and its descendants, those that have ended and were waited for included."""
    stats = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and (found := _stat(folder)):
            stats[int(folder.name)] = found
    family = {root}
    while grown := {pid for pid, (parent, _) in stats.items() if parent in family} - family:
        family |= grown
    return sum(stats[pid][1] for pid in family if pid in stats) / TICKS


def parent_of(pid: int) -> int:
    """The process that started `pid`. Raises ProcessLookupError where there is none of that number."""
    found = _stat(Path(f"/proc/{pid}"))
    if found is None:
        raise ProcessLookupError(f"There is no process {pid}.")
    return found[0]


def children_of(pid: int) -> list[int]:
    """The processes that `pid` started, the oldest first."""
    folders = [folder for folder in Path("/proc").iterdir() if folder.name.isdigit()]
    return sorted(int(folder.name) for folder in folders if (found := _stat(folder)) and found[0] == pid)


def _stat(folder: Path) -> tuple[int, int] | None:
    """(parent, ticks) of one process; None when it has just ended."""
    try:
        fields = (folder / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return int(fields[1]), sum(map(int, fields[11:15]))
