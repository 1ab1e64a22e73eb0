"""Pictures whose likeness a test settles: their width is an angle, and their encoder reads it.

Two pictures at 20 and 50 degrees have the cosine of 30. Their drawings are like no other's, so that no hash suspects
them; a height of more than TALL lies in another plane, at right angles to everything else.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from backend.catalogue import corpora
from backend.catalogue.models import Corpus
from backend.projects.models import Project
from corpora import caption, key, picture
from drawn import BY, write_tar
from workers.engines.image_feed import rgb_of
from workers.engines.protocols import EncodedBlock, PictureSource, Skipped, Vectors

FIRST = 100  # pixels of an angle of 0
TALL = 64


def at(angle: int, *, n: int = 0, tall: bool = False) -> bytes:
    """A picture at so many degrees, 0 to 90; another `n` is drawn otherwise."""
    return picture(1000 * (n + 1) + angle, size=(FIRST + angle, 80 if tall else 48))


@dataclass
class Protractor:
    """An image encoder. `seen` has every key it was shown; `refused` are keys it cannot read."""

    name: str = "protractor"
    preprocessing: str = "its width in pixels"
    dimensions: int = 4
    seen: list[str] = field(default_factory=list)
    refused: set[str] = field(default_factory=set)

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.name.encode()).hexdigest()

    def encode(
        self, pictures: Iterable[tuple[str, PictureSource]], *, on_progress: Callable[[int], None] | None = None
    ) -> Iterator[EncodedBlock]:
        given = list(pictures)
        self.seen += [name for name, _ in given]
        read = [(name, source) for name, source in given if name not in self.refused]
        skipped = tuple(Skipped(name, "It is not a picture.") for name, _ in given if name in self.refused)
        vectors = [self.vector_of(source) for _, source in read]
        found = np.stack(vectors) if vectors else np.empty((0, self.dimensions), dtype=np.float32)
        yield EncodedBlock(tuple(name for name, _ in read), found, skipped)

    def vector_of(self, source: PictureSource) -> Vectors:
        image = rgb_of(source)
        turn = np.radians(image.width - FIRST)
        plane = [0.0, 0.0, np.cos(turn), np.sin(turn)] if image.height > TALL else [np.cos(turn), np.sin(turn), 0, 0]
        return np.array(plane, dtype=np.float32)


def target_folder(folder: Path, angles: Sequence[int]) -> Path:
    """Images as `import_images` reads them, one at each angle; called `t0`, `t1` ..."""
    folder.mkdir(parents=True)
    rows = []
    for n, angle in enumerate(angles):
        (folder / f"{n}.jpg").write_bytes(at(angle, n=500 + n))
        rows.append({"file_name": f"{n}.jpg", "id": f"t{n}", "license": BY})
    (folder / "pictures.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return folder


def corpus_at(
    project: Project,
    folder: Path,
    pictures: Sequence[int] | Mapping[str, bytes],
    *,
    name: str = "",
    captions: Mapping[int, str] | None = None,
) -> Corpus:
    """A registered corpus of one tar: pictures at these angles, or these very bytes by key. `captions` by place."""
    drawn = pictures if isinstance(pictures, Mapping) else {key(n): at(angle, n=n) for n, angle in enumerate(pictures)}
    members: dict[str, bytes] = {}
    for n, (stem, data) in enumerate(drawn.items()):
        members |= {f"{stem}.jpg": data, f"{stem}.txt": (captions or {}).get(n, caption(n)).encode()}
    folder.mkdir(parents=True)
    write_tar(folder / "00000.tar", members)
    return corpora.register_corpus(project=project, folder=folder, manifest=corpora.scanned(folder), name=name)[0]
