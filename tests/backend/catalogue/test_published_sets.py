"""Published caption sets as they are downloaded: the general readers find their images and captions."""

from __future__ import annotations

import json
from pathlib import Path

from source_rows import A, B, as_lines, captions, images, keys, refused, texts


def test_region_descriptions_of_visual_genome(tmp_path: Path) -> None:
    regions = [{"region_id": n, "image_id": 1, "phrase": text} for n, text in enumerate(("a clock", "a green clock"))]
    (tmp_path / "region_descriptions.json").write_text(json.dumps([{"id": 1, "regions": regions}]))
    (tmp_path / "VG_100K").mkdir()
    (tmp_path / "VG_100K" / "1.jpg").write_bytes(A)
    assert keys(images(tmp_path)) == ["1"]
    assert texts(captions(tmp_path)) == [("1", "a clock"), ("1", "a green clock")]


def test_utterances_of_artemis(tmp_path: Path) -> None:
    (tmp_path / "artemis.csv").write_text(
        "art_style,painting,emotion,utterance\nBaroque,rubens_a,awe,So blue\nBaroque,rubens_a,fear,A dark sky\n"
    )
    (tmp_path / "wikiart" / "Baroque").mkdir(parents=True)
    (tmp_path / "wikiart" / "Baroque" / "rubens_a.jpg").write_bytes(A)
    assert set(keys(images(tmp_path))) == {"rubens_a"}
    assert texts(captions(tmp_path)) == [("rubens_a", "So blue"), ("rubens_a", "A dark sky")]


def test_captions_by_language_of_crossmodal(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    rows = []
    for key, picture in (("01", A), ("02", B)):
        (tmp_path / "images" / f"{key}.jpg").write_bytes(picture)
        said = {"de": ["Ein Hund"], "en": ["A dog", "It runs"]}
        spoken = {name: {"caption": told, "caption/tokenized": told} for name, told in said.items()}
        rows.append({"image/key": key, "image/locale": "de"} | spoken)
    (tmp_path / "captions.jsonl").write_text(as_lines(*rows))
    assert keys(images(tmp_path)) == ["01", "02"]
    rows_of = captions(tmp_path)
    assert texts(rows_of)[:3] == [("01", "Ein Hund"), ("01", "A dog"), ("01", "It runs")] and len(rows_of) == 6
    assert [getattr(row, "ref", "") for row in rows_of[:3]] == ["de#1", "en#1", "en#2"]
    assert refused(rows_of) == []


def test_two_inner_objects_with_the_same_names_are_not_read_as_one(tmp_path: Path) -> None:
    """The second one was lost, and nothing said so."""
    row = {"file": "1.jpg", "first": {"caption": "A dog"}, "second": {"caption": "A cat"}}
    (tmp_path / "rows.jsonl").write_text(as_lines(row, row))
    assert texts(captions(tmp_path)) == []
    assert [code for _, code in refused(captions(tmp_path))] == ["no_caption", "no_caption"]
