"""Sets of judgments whose folders are known: which file of one holds the judgments, and how it is to be read."""

from __future__ import annotations

from collections.abc import Iterable

from backend.methods.foreign.told import Line

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


# How large each set is as it was released, by the lines that say so. Another file of the same name is not that set, nor
# is a part of it: what is published of the whole says nothing of either.
_RTE_AND_BIRDS = ("judgments", "items", "annotators")
_OF_PEOPLE = ("judgments", "items", "annotators", "images")
_OF_VALSE = ("items", "votes")
SIZES: dict[str, dict[str, str]] = {
    "mturk": {
        "queries": "80", "images": "6,623", "pairs": "8,407",
        "votes: relevant, non-relevant, unsure": "15,657, 10,437, 3,556",
    },
    "rte_labels": dict(zip(_RTE_AND_BIRDS, ("8,000", "800", "164"), strict=True)),
    "bluebirds_labels": dict(zip(_RTE_AND_BIRDS, ("4,212", "108", "39"), strict=True)),
    "nlvr_dev": dict(zip(_RTE_AND_BIRDS, ("4,945", "989", "10"), strict=True)),
    "existence": dict(zip(_OF_VALSE, ("534", "1,440 caption, 122 foil, 40 other"), strict=True)),
    "counting-hard": dict(zip(_OF_VALSE, ("1,000", "2,422 caption, 392 foil, 186 other"), strict=True)),
    "counting-small-quant": dict(zip(_OF_VALSE, ("1,000", "2,508 caption, 365 foil, 127 other"), strict=True)),
    "counting-adversarial": dict(zip(_OF_VALSE, ("756", "1,955 caption, 123 foil, 190 other"), strict=True)),
    "actant-swap": dict(zip(_OF_VALSE, ("1,042", "2,710 caption, 175 foil, 241 other"), strict=True)),
    "coreference-hard": dict(zip(_OF_VALSE, ("141", "298 caption, 83 foil, 42 other"), strict=True)),
    "sighted_data_all": dict(zip(_OF_PEOPLE, ("1,102", "272", "58", "20"), strict=True)),
    "sighted_data_criticaltrials": dict(zip(_OF_PEOPLE, ("986", "270", "58", "18"), strict=True)),
    "blv_data_criticaltrials": dict(zip(_OF_PEOPLE, ("272", "68", "16", "18"), strict=True)),
    "human_annotations_with_scores": {"items": "800", "votes": '19 "1", 185 "2", 305 "3", 535 "4", 556 "5"'},
    "game_5_6_with_predictions": {"cues with associations": "2,714"},
    "swow_with_predictions": {"cues with associations": "1,000"},
    "winogavil_dataset": {"cues with associations": "3,563"},
}  # fmt: skip
# Files that lie in such folders and, as they were released, hold nobody's judgments; and what they hold.
WITHOUT_JUDGMENTS = {
    "gold_good_bad_dev": "true labels of captions",
    "cxc_sts_val": "mean ratings of two captions",
}


def has_sizes_of(name: str, lines: Iterable[Line]) -> bool:
    """Whether a report is of the set of this name, by its sizes."""
    ours = {line.figure: line.ours for line in lines}
    return name in SIZES and all(ours.get(figure) == size for figure, size in SIZES[name].items())
