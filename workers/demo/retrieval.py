"""The demo's candidates: for each target, the captions of the corpus pictures that look most like it.

Connote's own small vision encoder looks at both; captions are never compared with anything.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from workers.demo.world import World
from workers.engines import registry
from workers.engines.carried import VISION
from workers.engines.index import Found, build_index
from workers.engines.picture_folders import encode_pictures, pictures_in
from workers.engines.shards import Shards, read_shards

OF_EACH_TARGET = 24


def look(world: World, *, on_progress: Callable[[int], object]) -> None:
    """Encode the targets and the corpus; what is encoded already is kept. `on_progress` hears of n more pictures."""
    encoder = registry.image_encoder(VISION)
    for part, folder in world.pictures.items():
        encode_pictures(encoder, pictures_in(folder), _embeddings(world, part), on_progress=on_progress)


def retrieve(world: World) -> Path:
    """Write the table that `import_candidates` reads: one line a candidate, nearest first. Returns its path."""
    targets, corpus = (read_shards(_embeddings(world, part)) for part in ("targets", "corpus"))
    index = build_index(world.folder / "index", corpus)
    ids = np.arange(len(targets))
    found = index.search(targets.rows(ids), OF_EACH_TARGET)
    path = world.folder / "retrieved.jsonl"
    rows = _rows(world, targets.keys(ids), corpus, found)
    path.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), encoding="utf-8")
    return path


def _embeddings(world: World, part: str) -> Path:
    return world.folder / "embeddings" / part


def _rows(world: World, targets: list[str], corpus: Shards, found: Found) -> Iterator[dict[str, Any]]:
    for target, similarities, ids in zip(targets, *found, strict=True):
        near = zip(corpus.keys(ids), similarities, strict=True)
        for rank, (key, similarity) in enumerate(near, start=1):
            pair = world.pairs[Path(key).stem]
            source = "web" if pair.kind == "title" else "corpus"
            placed = {"image_id": Path(target).stem, "rank": rank, "similarity": round(float(similarity), 4)}
            yield placed | {"caption_id": pair.id, "text": pair.caption.text, "source": source}
