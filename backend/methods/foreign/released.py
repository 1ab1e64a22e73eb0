"""Sets of judgments whose folders are known: which file of one holds the judgments, and how it is to be read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from backend.methods.foreign.published import PUBLISHED
from backend.methods.foreign.told import NotJudgmentsError

# By the name of the file, without what follows the first point: files that lie beside it.
BESIDE: dict[str, dict[str, str]] = {
    "mturk": {"queries": "seed.json", "curated": "vg_subset.txt"},
    "bluebirds_labels": {"gold": "bluebirds_gt.yaml"},
}
# What its columns are called, where those are none of the usual names.
_OF_CONTEXTS: dict[str, str | bool] = {"task": "context,img_id,description", "ordered": True}
_OF_SIGHTED = _OF_CONTEXTS | {"worker": "anon_worker_id", "label": "q_overall.postimg"}
CALLED = {
    "sighted_data_all": _OF_SIGHTED,
    "sighted_data_criticaltrials": _OF_SIGHTED,
    "blv_data_criticaltrials": _OF_CONTEXTS | {"worker": "participant", "label": "q_overall"},
}


def name_of(file: Path) -> str:
    """The name by which a set is known."""
    return file.name.partition(".")[0]


def known_files(folder: Path) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """The folder's files of judgments that are known, by name, each with how it is read: files beside it that are
    there, and what its columns are called. Raises NotJudgmentsError where there are none."""
    found = sorted(file for file in folder.iterdir() if name_of(file) in PUBLISHED)
    if not found:
        raise NotJudgmentsError(
            f"This folder holds none of the files that are known by name ({', '.join(sorted(PUBLISHED))}): name the "
            "files to be read."
        )
    for file in found:
        beside = {role: folder / name for role, name in BESIDE.get(name_of(file), {}).items()}
        yield file, {role: each for role, each in beside.items() if each.is_file()} | CALLED.get(name_of(file), {})
