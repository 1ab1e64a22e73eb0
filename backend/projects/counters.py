"""Counts that higher rooms keep about a project, read by lower ones without importing them.

A room registers a reader in its AppConfig.ready(): project ids in, `{project id: {name: count}}` out, in one or a few
queries however many projects are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

Reader = Callable[[Sequence[int]], dict[int, dict[str, int]]]
_readers: list[Reader] = []


def register(reader: Reader) -> None:
    """Let `reader` be asked from now on; registering twice changes nothing."""
    if reader not in _readers:
        _readers.append(reader)


def read_counters(project_ids: Sequence[int]) -> dict[int, dict[str, int]]:
    """Every registered count of each project."""
    totals: dict[int, dict[str, int]] = {project_id: {} for project_id in project_ids}
    for reader in _readers:
        for project_id, counts in reader(project_ids).items():
            totals[project_id].update(counts)
    return totals
