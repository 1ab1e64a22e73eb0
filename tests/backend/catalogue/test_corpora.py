"""Registering corpora: by their corpus.json or by reading everything, once, from where they lie."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from backend.catalogue import corpora, corpora_manifest
from backend.catalogue.corpora_manifest import read_manifest
from backend.catalogue.corpora_reads import find_corpus
from backend.catalogue.models import Corpus, CorpusShard, Image
from backend.catalogue.sources import SourceUnreadable
from backend.common.errors import Conflict, InvalidInput, NotFound
from backend.projects.counters import read_counters
from backend.projects.models import Project
from corpora import LAYOUTS, imagefolder_corpus, picture, tar_corpus, url_corpus
from drawn import write_tar

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def data_dir(tmp_path: Path, settings: Any) -> Path:
    settings.DATA_DIR = tmp_path / "data"
    return tmp_path / "data"


def register(folder: Path, *arguments: str) -> str:
    out = io.StringIO()
    call_command("register_corpus", str(folder), "--project", "skies", *arguments, stdout=out, stderr=io.StringIO())
    return out.getvalue()


def manifest_of(folder: Path, **changes: Any) -> Path:
    """A corpus.json of the folder's tars, changed."""
    found = json.loads(corpora.scanned(folder).as_json()) | changes
    (folder / "corpus.json").write_text(json.dumps(found))
    return folder / "corpus.json"


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_folder_is_registered_by_its_layout_and_its_pairs_become_no_rows(
    layout: str, project: Project, tmp_path: Path
) -> None:
    folder = LAYOUTS[layout](tmp_path / "CC 3M")
    assert "Registered: cc-3m" in register(folder, "--licence", "various", "--notes", "a test")
    corpus = Corpus.objects.get()
    assert (corpus.name, corpus.layout, corpus.licence, corpus.notes) == ("cc-3m", layout, "various", "a test")
    assert (corpus.folder, corpus.n_shards) == (str(folder), CorpusShard.objects.count())
    assert corpus.n_pairs == {"webdataset": None, "parquet": 6, "imagefolder": 4, "coco": 4}[layout]
    counters = read_counters([project.pk])[project.pk]
    assert (counters["corpora"], counters["new_corpora"]) == (1, 1)
    assert not Image.objects.exists()


def test_what_was_found_is_written_outside_the_source_or_into_it_when_asked(
    project: Project, tmp_path: Path, data_dir: Path
) -> None:
    folder = tar_corpus(tmp_path / "tars")
    register(folder)
    (outside,) = (data_dir / "corpora").iterdir()
    assert not (folder / "corpus.json").exists()
    Corpus.objects.all().delete()
    register(folder, "--into-folder")
    assert (folder / "corpus.json").read_text() == outside.read_text()
    written = json.loads(outside.read_text())
    assert [shard["file"] for shard in written["shards"]] == ["00000.tar", "00001.tar"]
    assert all(shard["n_bytes"] == (folder / shard["file"]).stat().st_size for shard in written["shards"])


def test_a_corpus_json_is_read_and_nothing_is_read_twice(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tar_corpus(tmp_path / "tars")
    manifest_of(folder, name="cc12m", licence="CC-BY-4.0", source="https://example.org/cc12m")
    monkeypatch.setattr(corpora_manifest, "digest_of", lambda *arguments: pytest.fail("It read a shard."))
    register(folder)
    corpus = Corpus.objects.get()
    assert (corpus.name, corpus.licence, corpus.source) == ("cc12m", "CC-BY-4.0", "https://example.org/cc12m")


def test_registering_the_same_folder_twice_changes_nothing(project: Project, tmp_path: Path) -> None:
    folder = tar_corpus(tmp_path / "tars")
    assert register(folder, "--name", "one").startswith("Wrote ")
    before = list(Corpus.objects.values()), list(CorpusShard.objects.values())
    assert "Already registered: one" in register(folder)
    assert "Already registered: one" in register(folder, "--name", "one")
    assert (list(Corpus.objects.values()), list(CorpusShard.objects.values())) == before


def test_one_name_means_one_corpus_and_one_corpus_has_one_name(project: Project, tmp_path: Path) -> None:
    register(tar_corpus(tmp_path / "tars"), "--name", "one")
    with pytest.raises(CommandError, match="already has this corpus as one"):
        register(tmp_path / "tars", "--name", "two")
    with pytest.raises(CommandError, match=r"Another corpus in this project has the name one"):
        register(tar_corpus(tmp_path / "others", shards=(2,)), "--name", "one")
    with pytest.raises(CommandError, match="from another folder"):
        register(shutil.copytree(tmp_path / "tars", tmp_path / "moved"))
    with pytest.raises(CommandError, match="at most 60 small letters"):
        register(tmp_path / "others", "--name", "../two")


def test_a_shard_of_another_size_is_refused_by_name_when_it_is_registered(project: Project, tmp_path: Path) -> None:
    folder = tar_corpus(tmp_path / "tars")
    manifest_of(folder)
    with (folder / "00001.tar").open("ab") as tar:
        tar.write(b"more")
    with pytest.raises(
        CommandError, match=r"00001\.tar has changed since its registration: it has [\d,]+ bytes instead of"
    ):
        register(folder)
    (folder / "00001.tar").unlink()
    with pytest.raises(CommandError, match=r"00001\.tar is not in its folder any more"):
        register(folder)


def test_a_checksum_that_differs_is_found_by_verifying(project: Project, tmp_path: Path) -> None:
    folder = tar_corpus(tmp_path / "tars")
    manifest_of(folder)
    data = bytearray((folder / "00001.tar").read_bytes())
    data[700] ^= 1
    (folder / "00001.tar").write_bytes(data)
    with pytest.raises(CommandError, match=r"00001\.tar has changed since its registration: its SHA-256 differs"):
        register(folder, "--verify")
    assert "Registered" in register(folder)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"shards": []}, "it has no shards"),
        ({"layout": "zoo"}, "its layout is not one of webdataset, parquet"),
        ({"shards": [{"file": "../x.tar", "n_bytes": 1, "sha256": "0" * 64}]}, "is outside the source"),
        ({"shards": [{"file": "x.tar", "n_bytes": -1, "sha256": "0" * 64}]}, "a number of 'x.tar' is not valid"),
        ({"shards": [{"file": "x.tar", "n_bytes": 1, "sha256": "0"}]}, "has no SHA-256"),
        ({"shards": [{"file": "x.tar", "n_bytes": 1, "sha256": 7}]}, "Connote cannot use corpus.json"),
        ({"shards": [{"file": 7, "n_bytes": 1, "sha256": "0" * 64}]}, "Connote cannot use corpus.json"),
        ({"shards": [{"file": "x.tar", "sha256": "0" * 64}]}, "no 'n_bytes'"),
        ({"shards": 7}, "Connote cannot use corpus.json"),
        (
            {"shards": [{"file": "x.tar", "n_bytes": 1, "sha256": "0" * 64, "first": 3, "n_pairs": 1}]},
            "'x.tar' is not a table, so it cannot have slices",
        ),
        (
            {"layout": "coco", "shards": [{"file": "x.json", "n_bytes": 1, "sha256": "0" * 64, "first": 3}]},
            "a slice of 'x.json' has no n_pairs",
        ),
    ],
)
def test_a_corpus_json_that_makes_no_sense_says_where(
    changes: dict[str, Any], sentence: str, project: Project, tmp_path: Path
) -> None:
    folder = tar_corpus(tmp_path / "tars")
    manifest_of(folder, **changes)
    with pytest.raises(SourceUnreadable, match=sentence):
        read_manifest(folder)
    for text in ("{", "[]", "null", "[" * 10_000):
        (folder / "corpus.json").write_text(text)
        with pytest.raises(SourceUnreadable, match=r"Connote cannot use corpus\.json"):
            read_manifest(folder)


def test_a_folder_without_shards_or_no_folder_is_no_corpus(project: Project, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(CommandError, match="This folder has no corpus"):
        register(tmp_path / "empty")
    with pytest.raises(CommandError, match="This folder does not exist"):
        register(tmp_path / "nowhere")
    with pytest.raises(CommandError, match=r"no file in the layout parquet.* look like: webdataset"):
        register(tar_corpus(tmp_path / "tars"), "--layout", "parquet")


def test_a_list_of_addresses_can_be_registered_and_a_column_that_lacks_is_named(
    project: Project, tmp_path: Path
) -> None:
    register(url_corpus(tmp_path / "list", "https://a.example/1.jpg\tA cat\nhttps://a.example/2.jpg\tA dog\n"))
    assert (Corpus.objects.get().layout, Corpus.objects.get().n_pairs) == ("url_table", 2)
    with pytest.raises(CommandError, match=r"list\.tsv has no column for captions\. .* Its columns are: url, id"):
        register(url_corpus(tmp_path / "other", "url\tid\nhttps://a.example/1.jpg\t7\n"))


def test_a_long_table_becomes_several_shards(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpora_manifest, "SLICE", 2)
    register(imagefolder_corpus(tmp_path / "pictures", n=5))
    shards = CorpusShard.objects.values_list("name", "first", "n_pairs")
    assert list(shards) == [("metadata.jsonl", 0, 2), ("metadata.jsonl", 2, 2), ("metadata.jsonl", 4, 1)]
    assert Corpus.objects.get().n_pairs == 5


def test_a_table_is_checked_once_for_all_its_slices_until_somebody_touches_it(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpora_manifest, "SLICE", 2)
    folder = imagefolder_corpus(tmp_path / "pictures", n=5)
    register(folder)
    really, read = corpora_manifest.digest_of, []
    monkeypatch.setattr(corpora_manifest, "digest_of", lambda path, *more: read.append(path) or really(path, *more))
    corpus = Corpus.objects.get()
    for shard in corpus.shards.all():
        corpora.check_shard(corpus, shard)
    assert len(read) == 1
    table = folder / "metadata.jsonl"
    table.write_text(table.read_text().replace("mean", "seem"))
    for shard in corpus.shards.all():
        with pytest.raises(SourceUnreadable, match="its SHA-256 differs"):
            corpora.check_shard(corpus, shard)


def test_what_img2dataset_counted_is_believed(project: Project, tmp_path: Path) -> None:
    folder = tar_corpus(tmp_path / "tars")
    for number in range(2):
        (folder / f"0000{number}_stats.json").write_text(json.dumps({"count": 5, "successes": 3}))
    register(folder)
    assert Corpus.objects.get().n_pairs == 6


def test_a_picture_is_read_again_by_its_place(project: Project, tmp_path: Path) -> None:
    folder = imagefolder_corpus(tmp_path / "pictures")
    register(folder)
    corpus = Corpus.objects.get()
    shard = corpus.shards.get()
    assert corpora.read_picture(corpus, shard, "2.jpg") == picture(2)
    for place in ("9.jpg", "../pictures/2.jpg", "/etc/passwd", "metadata.jsonl/.."):
        with pytest.raises(NotFound):
            corpora.read_picture(corpus, shard, place)
    shutil.rmtree(folder)
    with pytest.raises(NotFound, match=r"no file 2\.jpg"):
        corpora.read_picture(corpus, shard, "2.jpg")


def test_two_projects_may_register_the_same_folder(
    project: Project, tmp_path: Path, make_user: Callable[..., Any]
) -> None:
    folder = tar_corpus(tmp_path / "tars")
    other = Project.objects.create(slug="seas", name="Seas", created_by=project.created_by)
    manifest = corpora.scanned(folder)
    first, _ = corpora.register_corpus(project=project, folder=folder, manifest=manifest)
    second, is_new = corpora.register_corpus(project=other, folder=folder, manifest=manifest)
    assert is_new and first.pk != second.pk and first.digest == second.digest


def test_a_corpus_is_found_by_name_or_as_the_only_one(project: Project, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="It has: none"):
        find_corpus(project=project)
    register(tar_corpus(tmp_path / "one"))
    assert find_corpus(project=project).name == find_corpus(project=project, name="one").name == "one"
    with pytest.raises(InvalidInput, match=r"no corpus two\. It has: one"):
        find_corpus(project=project, name="two")
    write_tar(tmp_path / "one" / "00002.tar", {})
    with pytest.raises(Conflict):
        corpora.register_corpus(project=project, folder=tmp_path / "one", manifest=corpora.scanned(tmp_path / "one"))
    register(tmp_path / "one", "--name", "two")
    with pytest.raises(InvalidInput, match=r"several corpora.*one, two"):
        find_corpus(project=project)
