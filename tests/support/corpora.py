"""Small corpora in every layout, and an image encoder that needs no torch."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from PIL import Image
from pyarrow import parquet

from backend.catalogue.models import Corpus, ShardWork
from backend.runs.models import Run
from drawn import saved, write_tar
from workers.engines.image_feed import rgb_of
from workers.engines.pictures import PictureRefused
from workers.engines.protocols import EncodedBlock, NotFiniteError, PictureSource, Skipped, Vectors
from workers.engines.shards import Shards
from workers.tasks.corpora_folders import open_embedded, recipe_by

ENCODER = "mean-colours"
BLOCK = 4


def picture(n: int, *, size: tuple[int, int] = (48, 32)) -> bytes:
    """A smooth JPEG like no other n's."""
    small = np.random.default_rng(n).integers(0, 256, (4, 6, 3), dtype=np.uint8)
    return saved(Image.fromarray(small).resize(size, Image.Resampling.BICUBIC), "JPEG", quality=90)


def caption(n: int) -> str:
    return f"What picture {n} may mean"


def key(n: int) -> str:
    return f"{n:09d}"


def samples(numbers: Iterable[int], **replaced: bytes) -> dict[str, bytes]:
    """The members of a tar as img2dataset writes it: three for each pair."""
    members: dict[str, bytes] = {}
    for n in numbers:
        facts = {"key": key(n), "caption": caption(n), "url": f"https://example.org/{n}.jpg", "status": "success"}
        members[f"{key(n)}.jpg"] = picture(n)
        members[f"{key(n)}.txt"] = caption(n).encode()
        members[f"{key(n)}.json"] = json.dumps(facts).encode()
    return members | replaced


def tar_corpus(folder: Path, *, shards: Sequence[int] = (3, 3), **replaced: bytes) -> Path:
    """Tars of so many pairs each; the pairs are numbered through. `replaced` goes into the last one."""
    folder.mkdir(parents=True, exist_ok=True)
    first = 0
    for number, n in enumerate(shards):
        more = replaced if number == len(shards) - 1 else {}
        write_tar(folder / f"{number:05d}.tar", samples(range(first, first + n), **more))
        first += n
    return folder


def parquet_corpus(folder: Path, *, shards: Sequence[int] = (3, 3), **columns: Any) -> Path:
    """Parquet as img2dataset writes it, pictures in `jpg`, in row groups of two."""
    folder.mkdir(parents=True, exist_ok=True)
    first = 0
    for number, n in enumerate(shards):
        numbers = range(first, first + n)
        rows = {"key": [key(i) for i in numbers], "caption": [caption(i) for i in numbers]}
        table = pa.table(rows | {"jpg": pa.array([picture(i) for i in numbers], pa.binary())} | columns)
        parquet.write_table(table, folder / f"{number:05d}.parquet", row_group_size=2)
        first += n
    return folder


def imagefolder_corpus(folder: Path, *, n: int = 4, rows: Sequence[Mapping[str, Any]] | None = None) -> Path:
    """Hugging Face's layout; by default each picture has two captions, in rows that follow each other."""
    folder.mkdir(parents=True, exist_ok=True)
    for i in range(n):
        (folder / f"{i}.jpg").write_bytes(picture(i))
    said = rows or [{"file_name": f"{i}.jpg", "text": f"{caption(i)}{end}"} for i in range(n) for end in ("", "!")]
    (folder / "metadata.jsonl").write_text("\n".join(json.dumps(row) for row in said))
    return folder


def coco_corpus(folder: Path, *, n: int = 4) -> Path:
    """A COCO captions file beside the folder of its pictures; every picture has two captions, out of order."""
    (folder / "images").mkdir(parents=True)
    for i in range(n):
        (folder / "images" / f"{i}.jpg").write_bytes(picture(i))
    images = [{"id": i, "file_name": f"{i}.jpg"} for i in range(n)]
    said = [{"id": 10 * i + j, "image_id": i, "caption": f"{caption(i)}{'!' * j}"} for j in (0, 1) for i in range(n)]
    (folder / "captions_val.json").write_text(json.dumps({"images": images, "annotations": said}))
    return folder


def url_corpus(folder: Path, lines: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "list.tsv").write_text(lines)
    return folder


LAYOUTS: dict[str, Callable[[Path], Path]] = {
    "webdataset": tar_corpus,
    "parquet": parquet_corpus,
    "imagefolder": imagefolder_corpus,
    "coco": coco_corpus,
}


@dataclass
class MeanColours:
    """An image encoder: the colours of twelve fields, scaled to length one. `seen` has every key it was shown."""

    name: str = ENCODER
    preprocessing: str = "4 x 3 fields"
    dimensions: int = 36
    spoilt: str = ""  # a key that gets NaN
    before_block: Callable[[], object] = lambda: None
    seen: list[str] = field(default_factory=list)

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.name.encode()).hexdigest()

    def encode(
        self, pictures: Iterable[tuple[str, PictureSource]], *, on_progress: Callable[[int], None] | None = None
    ) -> Iterator[EncodedBlock]:
        keys: list[str] = []
        vectors: list[Vectors] = []
        skipped: list[Skipped] = []
        for name, source in pictures:
            try:
                vectors.append(self.vector_of(source))
                keys.append(name)
            except PictureRefused as refused:
                skipped.append(Skipped(name, refused.message, refused.code))
            if len(keys) == BLOCK:
                yield self._block(keys, vectors, skipped)
                keys, vectors, skipped = [], [], []
        if keys or skipped:
            yield self._block(keys, vectors, skipped)

    def vector_of(self, source: PictureSource) -> Vectors:
        colours = np.asarray(rgb_of(source).resize((4, 3), Image.Resampling.BOX), dtype=np.float32).ravel() + 1
        return np.asarray(colours / np.linalg.norm(colours), dtype=np.float32)

    def _block(self, keys: list[str], vectors: list[Vectors], skipped: list[Skipped]) -> EncodedBlock:
        self.before_block()
        self.seen += keys
        if self.spoilt in keys:
            raise NotFiniteError(f"The model {self.name!r} gave NaN or infinity for the picture {self.spoilt!r}.")
        found = np.stack(vectors) if vectors else np.empty((0, self.dimensions), dtype=np.float32)
        return EncodedBlock(tuple(keys), found, tuple(skipped))


def turned(data: bytes, orientation: int) -> bytes:
    """The same JPEG with an EXIF orientation."""
    with Image.open(io.BytesIO(data)) as image:
        exif = Image.Exif()
        exif[0x0112] = orientation
        return saved(image, "JPEG", quality=95, exif=exif)


def opened(corpus: Corpus, encoder: MeanColours) -> Shards:
    """The corpus' vectors, every file checked."""
    return open_embedded(corpus, recipe_by(encoder), verify=True)


def states(run: Run) -> list[str]:
    """The result of each shard, in order."""
    return list(ShardWork.objects.filter(run=run).order_by("shard__position").values_list("state", flat=True))
