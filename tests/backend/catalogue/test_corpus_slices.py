"""Slices of tables: together they are the table, and nobody reads it from its start for each of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.catalogue.sources import SourceUnreadable
from backend.catalogue.sources.pairs import CorpusPair, ShardReader, Slice, open_shard, tables, url_table
from backend.catalogue.sources.pairs.url_table import UrlTable
from backend.catalogue.sources.rows import Limits
from corpora import coco_corpus, imagefolder_corpus, picture, url_corpus


def reader(folder: Path, layout: str, file: str, **slice_: Any) -> ShardReader:
    return open_shard(folder, Slice(file, **slice_), layout=layout)


def pairs(of: ShardReader) -> list[CorpusPair]:
    return [row for row in of.pairs() if isinstance(row, CorpusPair)]


@pytest.mark.parametrize(
    ("make", "layout", "file"),
    [(imagefolder_corpus, "imagefolder", "metadata.jsonl"), (coco_corpus, "coco", "captions_val.json")],
)
def test_slices_of_a_table_are_its_rows_each_once(
    make: Callable[..., Path], layout: str, file: str, tmp_path: Path
) -> None:
    folder = make(tmp_path / "corpus", n=5)
    cut = [pairs(reader(folder, layout, file, first=first, n=2)) for first in (0, 2, 4)]
    whole = pairs(reader(folder, layout, file))
    assert [len(part) for part in cut] == [2, 2, 1]
    assert [(pair.key, pair.captions) for part in cut for pair in part] == [(one.key, one.captions) for one in whole]


LINES = st.sampled_from(
    ["https://a.example/1.jpg\tA cat", "", "   ", "no address", "https://a.example/2.jpg\tUn café\r", "x" * 40]
)


@given(st.lists(LINES, max_size=12), st.booleans(), st.booleans(), st.permutations(range(4)))
def test_slices_of_a_list_are_its_lines_each_once_in_whatever_order_they_are_read(
    lines: list[str], has_mark: bool, has_header: bool, order: list[int]
) -> None:
    header = ["url\tcaption"] if has_header else ["https://a.example/0.jpg\tA dog"]
    content = "\ufeff" * has_mark + "\n".join([*header, *lines])
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as folder:
        patch.setattr(url_table, "Limits", lambda: Limits(max_line_bytes=32))
        url_corpus(Path(folder), content)
        whole = told(UrlTable(Path(folder), Slice("list.tsv")))
        parts = {at: told(UrlTable(Path(folder), Slice("list.tsv", 3 * at, 3))) for at in order}
        rest = told(UrlTable(Path(folder), Slice("list.tsv", 12)))
    assert [row for at in range(4) for row in parts[at]] + rest == whole


def told(table: UrlTable) -> list[tuple[Any, ...]]:
    rows = table.pairs()
    return [(r.key, r.captions, r.place) if isinstance(r, CorpusPair) else (r.line, r.name, r.code) for r in rows]


def test_slices_read_in_order_are_one_reading_of_the_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, read = url_corpus(tmp_path, "".join(f"https://a.example/{n}.jpg\tA cat\n" for n in range(100))), []
    monkeypatch.setattr(url_table, "_rest_of", lambda file, raw: read.append(raw))
    for first in range(0, 100, 10):
        assert len(pairs(reader(folder, "url_table", "list.tsv", first=first, n=10))) == 10
    assert len(read) == 100
    (folder / "list.tsv").write_text("https://b.example/1.jpg\tA dog\n" * 11)
    (found,) = pairs(reader(folder, "url_table", "list.tsv", first=10, n=10))
    assert found.captions == ("A dog",), "Another file knows nothing of the first one's lines."


def test_a_slice_of_a_table_is_parsed_once_for_its_state_and_its_pairs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = imagefolder_corpus(tmp_path / "corpus", n=4)
    parsed, parse = [], tables.read_records
    monkeypatch.setattr(tables, "read_records", lambda *given: parsed.append(given) or parse(*given))
    shard = reader(folder, "imagefolder", "metadata.jsonl", first=1, n=2)
    state = shard.state()
    assert [pair.read() for pair in pairs(shard)] == [picture(1), picture(2)]
    assert len(parsed) == 1
    assert reader(folder, "imagefolder", "metadata.jsonl", first=1, n=2).state() == state


def test_a_slice_without_captions_is_of_a_table_that_has_them_elsewhere(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [{"file_name": f"{n}.jpg"} for n in range(4)]
    folder = imagefolder_corpus(tmp_path / "sparse", n=5, rows=[*rows, {"file_name": "4.jpg", "text": "A cat"}])
    cut = [list(reader(folder, "imagefolder", "metadata.jsonl", first=at, n=2).pairs()) for at in (0, 2, 4)]
    assert [[getattr(row, "code", "pair") for row in part] for part in cut] == [["no_caption"] * 2] * 2 + [["pair"]]
    without = imagefolder_corpus(tmp_path / "without", rows=[*rows, {"file_name": "4.jpg", "lang": "en"}])
    with pytest.raises(SourceUnreadable, match=r"no column for captions\. .* Its columns are: file_name, lang"):
        pairs(reader(without, "imagefolder", "metadata.jsonl", first=0, n=2))


def test_a_slice_may_be_looked_for_while_another_thread_notes_where_one_begins(tmp_path: Path) -> None:
    url_corpus(tmp_path, "".join(f"https://a.example/{n}.jpg\tA cat\n" for n in range(9)))
    notes = {0: 0, 1: 0}

    class Interrupted(int):
        def __ge__(self, other: int) -> bool:
            notes[len(notes) + 100] = 0
            return int(self) >= other

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(url_table, "_known_starts", lambda *_: notes)
        next(UrlTable(tmp_path, Slice("list.tsv"))._lines(Slice("list.tsv", Interrupted(0), 2)))
    assert len(notes) > 2
