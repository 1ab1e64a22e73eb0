"""Sets of judgments whose folders are known: which file of one holds the judgments, and how it is to be read."""

from __future__ import annotations

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


def name_of(file: str) -> str:
    """The name by which a set is known, of that of its file."""
    return file.partition(".")[0]
