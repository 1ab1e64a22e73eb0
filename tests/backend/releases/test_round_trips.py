"""Files of a release with captions come back equal through our own import, whatever the captions are."""

from __future__ import annotations

import hashlib
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.catalogue.image_index import ImageIndex
from backend.catalogue.sources import CaptionRow, open_source
from backend.methods.export_rows import (
    CAPTION_COLUMNS,
    CsvTable,
    ReleasedCaption,
    ReleasedImage,
    caption_cells,
    caption_rows,
    json_line,
)
from backend.methods.exports.coco import write_coco
from backend.methods.exports.hub_parquet import write_hub_parquet
from backend.methods.exports.karpathy import write_karpathy
from backend.methods.exports.pictures import Picture
from backend.methods.exports.webdataset import write_webdataset
from backend.projects.models import Project
from nightly import examples
from world import World

ODD = ["=1+1", "'=x", "''@", "\u2028", '"', "🌩️", "\n", "-", "@", "é", "a", ",", ";", "\t", "{", "'", " b"]
SIGNS = st.one_of(st.sampled_from(ODD), st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")))
# An import takes blanks off the ends of a caption.
TEXTS = st.lists(SIGNS, min_size=1).map("".join).map(str.strip).filter(bool)
CAPTIONS = st.lists(TEXTS, min_size=1, max_size=5, unique=True)


def image_of(texts: list[str]) -> ReleasedImage:
    captions = tuple(
        ReleasedCaption(f"{n:032x}", n, text, text, "human", f"ref-{n}", 2, 0, 0)
        for n, text in enumerate(texts, start=1)
    )
    facts = {"width": 4, "height": 3, "format": "PNG", "n_bytes": 1, "perceptual_hash": "0" * 16}
    names = ("licence_url", "author", "title", "source_url", "attribution")
    terms = dict.fromkeys(names, "") | {"licence": "CC0-1.0"}
    digest = hashlib.sha256(b"picture").hexdigest()
    return ReleasedImage(
        digest, "photo-1", **facts, **terms, method="all", mean_similarity=0.1, captions=captions, split="test"
    )


def read(path: Path) -> list[tuple[str, str]]:
    rows = list(open_source(path).captions())
    assert all(isinstance(row, CaptionRow) or row.is_ignored for row in rows), rows
    return [(row.text, row.ref) for row in rows if isinstance(row, CaptionRow)]


@given(CAPTIONS)
@settings(deadline=None, max_examples=examples(25))
def test_captions_csv_and_jsonl_come_back_equal(texts: list[str]) -> None:
    image = image_of(texts)
    expected = [(text, f"ref-{n}") for n, text in enumerate(texts, start=1)]
    with TemporaryDirectory() as folder:
        lines, table = Path(folder) / "captions.jsonl", Path(folder) / "captions.csv"
        lines.write_text("".join(map(json_line, caption_rows(image))), encoding="utf-8", newline="")
        with table.open("w", encoding="utf-8", newline="") as file:
            cells = CsvTable(file, CAPTION_COLUMNS)
            for row in caption_rows(image):
                cells.write(caption_cells(row))
        assert read(lines) == expected
        assert read(table) == expected


@given(CAPTIONS)
@settings(deadline=None, max_examples=examples(25))
def test_the_formats_with_images_come_back_equal(texts: list[str]) -> None:
    image = image_of(texts)
    line = {**vars(image), "captions": [{**row, "consensus": None} for row in caption_rows(image)]}
    picture, terms = Picture(line, lambda: b"picture"), [("CC0-1.0", "")]
    with TemporaryDirectory() as folder:
        coco = write_coco(Path(folder) / "coco", iter([picture]), name="N", version="1", licences=terms)
        karpathy = write_karpathy(Path(folder) / "karpathy", iter([picture]), name="N")
        [tar] = write_webdataset(Path(folder) / "tars", iter([picture]))
        [table] = write_hub_parquet(Path(folder) / "hub", iter([picture]))
        for path in (coco, karpathy, tar, table):
            assert [text for text, _ in read(path)] == texts


@pytest.mark.django_db
def test_the_image_of_a_released_caption_is_known_by_its_digest(project: Project) -> None:
    one, other = World(project).images("one.jpg", "other.jpg")
    index = ImageIndex(project.pk)
    assert index.find([one.digest]).pk == one.pk
    assert index.find(["other.jpg", "unknown"]).pk == other.pk
