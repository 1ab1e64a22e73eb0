"""Where a caption of a release comes from: its source, its cleaning, its judgments, its selection, its difficulty.

All of it is read from what was frozen: the entry, the manifest, and the tables of the release. So the answer stays the
same whatever happens to the project.
"""

from __future__ import annotations

from typing import Any

import pyarrow.parquet as pq
from django.core.files.storage import default_storage

from backend.common.errors import NotFound
from backend.releases.models import Release, ReleaseCaption, ReleaseEntry

OF_ORIGIN = ("source", "source_ref", "page_url", "rank", "similarity")
OF_CLEANING = ("status", "drop_rule", "drop_detail")
OF_SELECTION = ("variant", "method", "mean_similarity", "n_clusters", "stability")
OF_JUDGMENT = (
    "annotator", "label", "revision", "is_latest", "is_counted", "is_surplus", "is_generic", "lens", "comment",
    "seconds", "position", "submitted_at",
)  # fmt: skip
MADE_BY = ("import_candidates", "retrieve", "web_titles", "clean", "consensus", "select", "difficulty")


class NoSuchCaption(NotFound):
    """This release has no caption with this key."""

    code = "no_such_caption_in_release"


def get_provenance(*, release: Release, key: str) -> dict[str, Any]:
    """Everything that the release knows of one of its captions. Raises NoSuchCaption."""
    row = ReleaseCaption.objects.filter(release=release, key=key).first()
    if row is None:
        raise NoSuchCaption()
    image = ReleaseEntry.objects.get(release=release, position=row.position).body
    caption = next(each for each in image["captions"] if each["key"] == key)
    candidate = next(iter(_rows(release, "candidates.parquet", image["digest"], "key", key)), {})
    judgments = _rows(release, "judgments.parquet", image["digest"], "caption", key)
    stages = release.manifest["stages"]
    return {
        "key": key,
        "image": image["digest"],
        "split": image.get("split", ""),
        "text": caption["text"],
        "raw_text": caption["raw_text"],
        "origin": _origin(image, caption, candidate),
        "cleaning": {name: candidate.get(name) or "" for name in OF_CLEANING}
        | {"is_changed": caption["text"] != caption["raw_text"]},
        "judgments": [{name: each[name] for name in OF_JUDGMENT} for each in judgments],
        "consensus": {"policy": release.manifest["policy"], "quality_policy": release.manifest.get("quality_policy")}
        | {name: caption[name] for name in ("n_good", "n_bad", "n_unsure")}
        | (caption.get("consensus") or {}),
        "selection": {name: image.get(name) for name in OF_SELECTION}
        | {name: caption.get(name) for name in ("position", "cluster", "is_pinned")},
        "difficulty": caption.get("difficulty"),
        "stages": {name: stages[name] for name in MADE_BY if name in stages},
    }


def _origin(image: dict[str, Any], caption: dict[str, Any], candidate: dict[str, Any]) -> dict[str, Any]:
    """The source of the caption; of one from a corpus, also the corpus, its shard and the row in it."""
    found = {name: (caption | candidate).get(name) for name in OF_ORIGIN}
    corpus, _, rest = (found["source_ref"] or "").partition(":")
    shard, _, row = rest.partition(":")
    is_row = found["source"] == "corpus" and bool(row) and shard.isascii() and shard.isdecimal()
    place = {"corpus": corpus, "shard": int(shard), "row": row} if is_row else {}
    return {
        **{name: found[name] or "" for name in ("source", "source_ref", "page_url")},
        **{name: found[name] for name in ("rank", "similarity")},
        "corpus": place.get("corpus"),
        "shard": place.get("shard"),
        "row": place.get("row"),
        "image_url": image["source_url"],
    }


def _rows(release: Release, name: str, image: str, column: str, key: str) -> list[dict[str, Any]]:
    """The rows of a caption in a table of the release. The rows of an image lie together, so that few are read.

    Older releases do not have the tables.
    """
    file = release.files.filter(name=name).first()
    if file is None:
        return []
    with default_storage.open(file.stored_as) as stored:
        table = pq.read_table(stored, filters=[("image", "==", image), (column, "==", key)])
    rows: list[dict[str, Any]] = table.to_pylist()
    return rows
