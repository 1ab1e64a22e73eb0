"""Which layout a folder has, and which of its files are the shards."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from backend.catalogue.corpora_manifest import files_of
from backend.catalogue.sources.imagefolder import METADATA
from backend.catalogue.sources.pairs import LAYOUTS
from backend.catalogue.sources.rows import SourceUnreadable

NOTHING = (
    "This folder has no corpus. Use tars or Parquet of img2dataset, a COCO file with its images, an imagefolder with "
    "metadata.jsonl, or a .tsv of addresses and captions."
)
NOT_THIS = "This folder has no file in the layout {layout}. Its files look like: {found}."
UNKNOWN = "The layout {layout!r} does not exist. Use auto, {known}."


def find_shards(folder: Path, layout: str = "auto") -> tuple[str, list[str]]:
    """The layout and the files that are its shards, in the order of their names. Raises SourceUnreadable."""
    if layout not in ("auto", *LAYOUTS):
        raise SourceUnreadable(UNKNOWN.format(layout=layout, known=", ".join(LAYOUTS)))
    if not folder.is_dir():
        raise SourceUnreadable("This folder does not exist.", code="no_folder")
    found = {one: shards for one, shards in _by_layout(files_of(folder)).items() if shards}
    if not found:
        raise SourceUnreadable(NOTHING, code="empty_corpus")
    chosen = next(iter(found)) if layout == "auto" else layout
    if chosen not in found:
        raise SourceUnreadable(NOT_THIS.format(layout=layout, found=", ".join(found)))
    return chosen, found[chosen]


def _by_layout(files: list[str]) -> dict[str, list[str]]:
    """Shards by layout, the surest sign first: tars may have Parquet and JSON beside them, pictures never have tars."""
    return {
        "webdataset": [file for file in files if file.endswith(".tar")],
        "imagefolder": [file for file in files if PurePosixPath(file).name in METADATA],
        "parquet": [file for file in files if file.endswith(".parquet")],
        "url_table": [file for file in files if file.endswith(".tsv")],
        "coco": _coco(files),
    }


def _coco(files: list[str]) -> list[str]:
    """COCO's captions_train2017.json, not its instances; a lone .json may be called anything."""
    tables = [file for file in files if file.endswith(".json")]
    named = [file for file in tables if "caption" in PurePosixPath(file).name.lower()]
    return named or (tables if len(tables) == 1 else [])
