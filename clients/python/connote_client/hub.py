"""A release as a `datasets.DatasetDict`, with the columns of its export in Parquet."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from connote_client.extras import need
from connote_client.progress import OnProgress

if TYPE_CHECKING:
    import datasets

    from connote_client.release import Release

TEXTS = ("digest", "key", "split", "licence", "licence_url", "author", "title", "source_url", "attribution")
WHOLE = ("width", "height")
CAPTION_TEXTS = ("key", "text", "raw_text", "source", "source_ref")
CAPTION_WHOLE = ("position", "n_good", "n_bad", "n_unsure")


def read_splits(release: Release, *, images: str | None, progress: OnProgress | None) -> datasets.DatasetDict:
    """Every split that has images. The rows go through files of the cache, not through memory."""
    hub = need("datasets", extra="datasets")
    pictures = None
    if images is not None:
        pictures = {digest: str(path) for digest, path in release.pictures(size=images, progress=progress).items()}
    found: datasets.DatasetDict = hub.DatasetDict()
    for split in dict.fromkeys(row["split"] for row in release.rows()):
        found[split or "train"] = hub.Dataset.from_generator(
            read_rows,
            features=features(hub, with_image=pictures is not None),
            cache_dir=str(release.cache / "datasets"),
            split=hub.NamedSplit(split or "train"),
            gen_kwargs={"file": str(release.file("images.jsonl")), "split": split, "pictures": pictures},
        )
    return found


def features(hub: Any, *, with_image: bool) -> Any:
    """The same types in every split, also where a column is empty in all of its rows."""
    text, whole, real = hub.Value("string"), hub.Value("int32"), hub.Value("float64")
    caption = {
        **dict.fromkeys(CAPTION_TEXTS, text),
        **dict.fromkeys(CAPTION_WHOLE, whole),
        **{"decided_by": text, "category": text, "entropy": real, "difficulty": text, "difficulty_votes": whole},
    }
    columns = {**dict.fromkeys(TEXTS, text), **dict.fromkeys(WHOLE, whole), "captions": [caption]}
    return hub.Features({"image": hub.Image(), **columns} if with_image else columns)


def read_rows(file: str, split: str, pictures: Mapping[str, str] | None) -> Iterator[dict[str, Any]]:
    """The lines of images.jsonl that are in the split."""
    with open(file, encoding="utf-8") as lines:  # noqa: PTH123 (a path that `datasets` can hash)
        for line in lines:
            row = json.loads(line)
            if row["split"] == split:
                made = {name: row.get(name) for name in (*TEXTS, *WHOLE)}
                made["captions"] = [flat_caption(caption) for caption in row["captions"]]
                yield made if pictures is None else {"image": pictures.get(row["digest"]), **made}


def flat_caption(caption: Mapping[str, Any]) -> dict[str, Any]:
    """A caption of images.jsonl without the parts that are lists. Parts that old releases do not have are None."""
    consensus, difficulty = caption.get("consensus") or {}, caption.get("difficulty") or {}
    return {
        **{name: caption.get(name) for name in (*CAPTION_TEXTS, *CAPTION_WHOLE)},
        **{name: consensus.get(name) for name in ("decided_by", "category", "entropy")},
        "difficulty": difficulty.get("category"),
        "difficulty_votes": difficulty.get("n_votes"),
    }
