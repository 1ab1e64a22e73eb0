"""The shards of a corpus: pictures with their captions, streamed, and any single picture again by its place.

Imports take all of a source into the database; a corpus of ten million pairs stays where it lies. `open_shard` gives
the reader of one shard in one of `LAYOUTS`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from backend.catalogue.sources.pairs.parquet import ParquetShard
from backend.catalogue.sources.pairs.rows import CorpusPair, ShardReader, Slice
from backend.catalogue.sources.pairs.tables import CocoShard, ImageFolderShard
from backend.catalogue.sources.pairs.tars import TarShard
from backend.catalogue.sources.pairs.url_table import Fetch, UrlTable

__all__ = ["BESIDE", "LAYOUTS", "TABLES", "URL_TABLE", "CorpusPair", "Fetch", "ShardReader", "Slice", "open_shard"]

URL_TABLE = "url_table"
LAYOUTS = ("webdataset", "parquet", "coco", "imagefolder", URL_TABLE)
TABLES = ("coco", "imagefolder", URL_TABLE)  # one file may hold millions of rows, and is cut into slices
BESIDE = ("coco", "imagefolder")  # tables whose pictures lie beside them, which no checksum of the corpus covers

READERS: dict[str, Callable[[Path, Slice], ShardReader]] = {
    "webdataset": TarShard,
    "parquet": ParquetShard,
    "coco": CocoShard,
    "imagefolder": ImageFolderShard,
}


def open_shard(folder: Path, part: Slice, *, layout: str, fetch: Fetch | None = None) -> ShardReader:
    """The reader of `part` of a corpus that lies in `folder`. Nothing is read yet; `fetch` gets pictures of addresses.

    Raises SourceUnreadable, then or when it is read, where the file is gone, cut off or no shard of that layout.
    """
    return UrlTable(folder, part, fetch) if layout == URL_TABLE else READERS[layout](folder, part)
