"""Embedding a corpus: every picture its vector; what is broken is left out and listed, and a retry goes on."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from backend.catalogue import corpora, corpora_work
from backend.catalogue.models import Corpus, CorpusShard, ShardWork
from backend.catalogue.sources.rows import SourceUnreadable
from backend.projects.models import Project
from backend.runs import services
from backend.runs.models import Refusal, Run, RunStatus
from corpora import (
    LAYOUTS,
    MeanColours,
    caption,
    coco_corpus,
    imagefolder_corpus,
    key,
    opened,
    picture,
    states,
    tar_corpus,
    turned,
)
from drawn import write_tar
from workers.engines.pictures import read_picture
from workers.engines.protocols import OutOfMemoryError
from workers.tasks.corpora_folders import NotEmbedded, folder_of

pytestmark = pytest.mark.django_db(transaction=True)
Register = Callable[..., Corpus]
Embed = Callable[..., Run]


def bytes_in(folder: Path) -> dict[str, str]:
    """SHA-256 by name of everything a reader would look at."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.mark.nightly
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_picture_gets_its_vector_and_is_found_again(
    layout: str, register: Register, embed: Embed, encoder: MeanColours, tmp_path: Path
) -> None:
    corpus = register(LAYOUTS[layout](tmp_path / "corpus"))
    run = embed()
    assert run.status == RunStatus.SUCCEEDED, run.error
    vectors = opened(corpus, encoder)
    n = len(vectors)
    assert n == (6 if layout in ("webdataset", "parquet") else 4)
    assert run.counts == {"dropped": {}, "in": n, "out": n, "shards": corpus.n_shards, "shards_refused": 0}
    assert (run.done, run.total, run.models_used) == (n, n, {encoder.name: encoder.digest})
    ids = np.arange(n)
    assert [captions[0] for captions in vectors.column("captions", ids)] == [caption(i) for i in range(n)]
    shards = {shard.position: shard for shard in corpus.shards.all()}
    places = zip(vectors.column("shard", ids), vectors.column("place", ids), strict=True)
    assert [corpora.read_picture(corpus, shards[shard], place) for shard, place in places] == [
        picture(i) for i in range(n)
    ]
    np.testing.assert_array_equal(vectors.rows(ids), [encoder.vector_of(picture(i)) for i in range(n)])
    corpus.refresh_from_db()
    assert corpus.n_pairs == n


@pytest.mark.nightly
def test_size_and_phash_are_those_an_imported_image_has(
    register: Register, embed: Embed, encoder: MeanColours, tmp_path: Path
) -> None:
    replaced = turned(picture(2, size=(300, 200)), 6)
    corpus = register(tar_corpus(tmp_path / "corpus", shards=(3,), **{f"{key(2)}.jpg": replaced}))
    embed()
    vectors = opened(corpus, encoder)
    ids = np.arange(3)
    expected = [read_picture(data, max_pixels=10**6) for data in (picture(0), picture(1), replaced)]
    assert vectors.column("width", ids) == [48, 48, 200] == [one.width for one in expected]
    assert vectors.column("height", ids) == [one.height for one in expected]
    hashes = vectors.column("perceptual_hash", ids)
    apart = [(mine ^ int(one.perceptual_hash, 16)).bit_count() for mine, one in zip(hashes, expected, strict=True)]
    assert max(apart) <= 2
    np.testing.assert_array_equal(vectors.rows(ids[2:])[0], encoder.vector_of(replaced))


@pytest.mark.nightly
def test_broken_pictures_among_good_ones_are_left_out_and_listed(
    register: Register, embed: Embed, encoder: MeanColours, tmp_path: Path
) -> None:
    bad = {f"{key(1)}.jpg": b"", f"{key(3)}.jpg": b"<html>gone</html>", f"{key(4)}.jpg": picture(4)[:500]}
    corpus = register(tar_corpus(tmp_path / "corpus", shards=(6,), **bad))
    run = embed()
    assert run.status == RunStatus.SUCCEEDED, run.error
    assert run.counts["dropped"] == {"no_bytes": 1, "not_an_image": 1, "truncated": 1}
    assert (run.counts["in"], run.counts["out"], run.done) == (6, 3, 6)
    listed = Refusal.objects.filter(run=run).values_list("name", "code")
    assert list(listed) == [
        (f"00000.tar: {key(1)}", "no_bytes"),
        (f"00000.tar: {key(3)}", "not_an_image"),
        (f"00000.tar: {key(4)}", "truncated"),
    ]
    vectors = opened(corpus, encoder)
    assert vectors.keys(np.arange(3)) == [key(0), key(2), key(5)]
    assert [skipped.key for skipped in vectors.skipped] == [key(1), key(3), key(4)]


def test_many_broken_pictures_are_all_counted_and_the_first_hundred_listed(
    register: Register, embed: Embed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpora_work, "LISTED", 2)
    bad = {f"{key(n)}.jpg": b"" for n in range(4)}
    register(tar_corpus(tmp_path / "corpus", shards=(5,), **bad))
    run = embed()
    assert run.counts["dropped"] == {"no_bytes": 4}
    messages = list(Refusal.objects.filter(run=run).values_list("message", flat=True))
    assert len(messages) == 3 and messages[-1].startswith("More rows of this shard were left out: 2.")


@pytest.mark.parametrize("how", ["another byte", "cut off", "gone"])
def test_a_shard_that_changed_after_registering_is_refused_by_name_and_the_others_stay(
    how: str, register: Register, embed: Embed, encoder: MeanColours, tmp_path: Path
) -> None:
    folder = tar_corpus(tmp_path / "corpus", shards=(3, 3, 3))
    corpus = register(folder)
    spoil = folder / "00001.tar"
    whole = spoil.read_bytes()
    if how == "gone":
        spoil.unlink()
    else:
        spoil.write_bytes(whole[:-3000] if how == "cut off" else whole[:600] + bytes([whole[600] ^ 1]) + whole[601:])
    run = embed()
    assert run.status == RunStatus.FAILED
    assert run.error["code"] == "shards_refused"
    assert "1 of the 3 shards were refused" in run.error["message"] and "00001.tar" in run.error["message"]
    assert states(run) == ["done", "refused", "done"]
    assert (run.counts["out"], run.counts["shards"], run.counts["shards_refused"]) == (6, 2, 1)
    with pytest.raises(NotEmbedded, match="is not complete: 1 of its 3 shards"):
        opened(corpus, encoder)

    spoil.write_bytes(whole)
    seen = len(encoder.seen)
    again = services.retry_run(run=run, started_by=None)
    again.refresh_from_db()
    assert again.status == RunStatus.SUCCEEDED, again.error
    assert again.counts == {"dropped": {}, "in": 9, "out": 9, "shards": 3, "shards_refused": 0}
    assert (again.done, again.total, len(encoder.seen) - seen) == (9, 9, 3)
    assert not Refusal.objects.filter(run=again).exists()
    assert len(opened(corpus, encoder)) == 9


def test_a_corpus_whose_only_shard_was_cut_off_is_not_registered(register: Register, tmp_path: Path) -> None:
    tar = tar_corpus(tmp_path / "corpus", shards=(4,)) / "00000.tar"
    tar.write_bytes(tar.read_bytes()[: tar.stat().st_size // 2])
    with pytest.raises(SourceUnreadable, match=r"cannot read the shard 00000\.tar") as caught:
        register(tmp_path / "corpus")
    assert caught.value.error_code == "cut_off"


@pytest.mark.nightly
def test_a_finished_shard_is_not_read_again_even_when_its_file_is_gone(
    register: Register, embed: Embed, encoder: MeanColours, tmp_path: Path
) -> None:
    folder = tar_corpus(tmp_path / "corpus")
    corpus = register(folder)
    embed()
    before, seen = bytes_in(folder_of(corpus, encoder.digest)), len(encoder.seen)
    (folder / "00000.tar").unlink()
    again = embed()
    assert again.status == RunStatus.SUCCEEDED, again.error
    assert again.counts["out"] == 6
    assert len(encoder.seen) == seen
    assert bytes_in(folder_of(corpus, encoder.digest)) == before


def test_the_stage_twice_gives_the_same_bytes(
    register: Register, embed: Embed, encoder: MeanColours, tmp_path: Path, settings: Any
) -> None:
    bad = {f"{key(4)}.jpg": b""}
    corpus = register(tar_corpus(tmp_path / "corpus", **bad))
    embed()
    first = bytes_in(folder_of(corpus, encoder.digest))
    settings.EMBEDDINGS = tmp_path / "anew"
    embed()
    assert first == bytes_in(folder_of(corpus, encoder.digest))
    assert len(first) == 7


def test_pictures_added_beside_a_table_make_its_shard_anew(
    register: Register, embed: Embed, encoder: MeanColours, tmp_path: Path
) -> None:
    folder = imagefolder_corpus(tmp_path / "corpus")
    (folder / "3.jpg").unlink()
    corpus = register(folder)
    assert embed().counts["dropped"] == {"missing_file": 1}
    (folder / "3.jpg").write_bytes(picture(3))
    assert embed().counts == {"dropped": {}, "in": 4, "out": 4, "shards": 1, "shards_refused": 0}
    assert len(opened(corpus, encoder)) == 4


@pytest.mark.nightly
@pytest.mark.parametrize("make", [imagefolder_corpus, coco_corpus])
def test_two_folders_with_the_same_table_and_other_pictures_do_not_share_vectors(
    make: Callable[..., Path],
    register: Register,
    embed: Embed,
    encoder: MeanColours,
    project: Project,
    tmp_path: Path,
) -> None:
    other = Project.objects.create(slug="seas", name="Seas", created_by=project.created_by)
    first, second = make(tmp_path / "first"), make(tmp_path / "second")
    for place, path in enumerate(sorted(second.rglob("*.jpg"))):
        path.write_bytes(picture(100 + place))
    corpora_of = [register(first), register(second, into=other)]
    assert corpora_of[0].digest == corpora_of[1].digest
    assert [embed().status, embed(into=other).status] == [RunStatus.SUCCEEDED] * 2
    for corpus, start in zip(corpora_of, (0, 100), strict=True):
        expected = [encoder.vector_of(picture(start + n)) for n in range(4)]
        np.testing.assert_array_equal(opened(corpus, encoder).rows(np.arange(4)), expected)


def test_a_corpus_with_one_image_is_a_corpus(
    register: Register, embed: Embed, encoder: MeanColours, tmp_path: Path
) -> None:
    corpus = register(tar_corpus(tmp_path / "corpus", shards=(1,)))
    assert embed().status == RunStatus.SUCCEEDED
    assert opened(corpus, encoder).rows(np.array([0])).shape == (1, encoder.dimensions)


@pytest.mark.parametrize("layout", ["empty", "webdataset", "coco"])
def test_a_corpus_without_a_pair_is_not_registered(layout: str, register: Register, tmp_path: Path) -> None:
    """It has no picture, or pictures without captions."""
    folder = tmp_path / "corpus"
    if layout == "coco":
        coco_corpus(folder)
        (folder / "captions_val.json").write_text(json.dumps({"images": [{"id": 1, "file_name": "1.jpg"}]}))
    else:
        folder.mkdir()
        write_tar(folder / "00000.tar", {f"{key(0)}.jpg": picture(0)} if layout == "webdataset" else {})
    with pytest.raises(SourceUnreadable, match="has no image with a caption") as caught:
        register(folder)
    assert caught.value.error_code == "corpus_without_pairs"


def test_a_table_without_a_column_of_captions_names_those_it_has(register: Register, tmp_path: Path) -> None:
    rows = [{"file_name": "0.jpg", "beschreibung": "Ein Hund"}, {"file_name": "1.jpg", "lang": "de"}]
    folder = imagefolder_corpus(tmp_path / "corpus", rows=rows)
    said = r"metadata\.jsonl has no column for captions\. Use one of the names: captions, .*beschreibung, file_name"
    with pytest.raises(SourceUnreadable, match=said):
        register(folder)


@pytest.mark.nightly
def test_a_model_that_gives_no_numbers_is_named_with_the_picture(
    register: Register, embed: Embed, encoder: MeanColours, tmp_path: Path
) -> None:
    corpus = register(tar_corpus(tmp_path / "corpus"))
    encoder.spoilt = key(4)
    run = embed()
    assert run.status == RunStatus.FAILED
    assert f"The model 'mean-colours' gave NaN or infinity for the picture '{key(4)}'" in run.error["message"]
    assert list(ShardWork.objects.values_list("state", "error__code")) == [
        ("done", None),
        ("refused", "model_not_finite"),
    ]
    assert not (folder_of(corpus, encoder.digest) / "shard-00001.json").exists()


def test_a_vector_of_zeros_is_refused_with_its_key(
    register: Register, embed: Embed, encoder: MeanColours, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoder, "vector_of", lambda source: np.zeros(36, dtype=np.float32))
    register(tar_corpus(tmp_path / "corpus", shards=(2,)))
    run = embed()
    assert f"gave a vector of zeros for '{key(0)}'" in run.error["message"]


def test_a_model_that_needs_too_much_memory_fails_the_run_and_gives_the_shard_back(
    register: Register, embed: Embed, encoder: MeanColours, tmp_path: Path
) -> None:
    def short_of_memory() -> None:
        raise OutOfMemoryError("The model does not fit.")

    register(tar_corpus(tmp_path / "corpus"))
    encoder.before_block = short_of_memory
    run = embed()
    assert (run.status, run.error) == (
        RunStatus.FAILED,
        {"code": "out_of_memory", "message": "The model does not fit."},
    )
    assert states(run) == ["pending", "pending"]
    encoder.before_block = lambda: None
    again = services.retry_run(run=run, started_by=None)
    again.refresh_from_db()
    assert (again.status, again.counts["out"]) == (RunStatus.SUCCEEDED, 6)


@pytest.mark.nightly
def test_shards_know_their_pairs_once_they_were_read(register: Register, embed: Embed, tmp_path: Path) -> None:
    corpus = register(tar_corpus(tmp_path / "corpus", shards=(2, 5)))
    assert corpus.n_pairs is None
    embed()
    assert list(CorpusShard.objects.values_list("n_pairs", flat=True)) == [2, 5]


@pytest.mark.nightly
def test_the_manifest_says_what_each_shard_was_made_from(
    register: Register, embed: Embed, encoder: MeanColours, tmp_path: Path
) -> None:
    corpus = register(tar_corpus(tmp_path / "corpus"))
    embed()
    folder = folder_of(corpus, encoder.digest)
    assert folder.relative_to(tmp_path / "embeddings").parts == (encoder.digest[:16], corpus.digest[:16])
    sources = {json.loads((folder / f"shard-0000{n}.json").read_text())["source"] for n in range(2)}
    assert len(sources) == 2


def test_a_shard_that_may_not_be_read_is_refused_by_name(
    register: Register, embed: Embed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: object) -> str:
        raise PermissionError(13, "Permission denied", "/srv/secret/00000.tar")

    register(tar_corpus(tmp_path / "corpus", shards=(1,)))
    monkeypatch.setattr("backend.catalogue.corpora_manifest.digest_of", refuse)
    message = embed().error["message"]
    assert "00000.tar: Permission denied." in message and "/srv" not in message


def test_the_walk_leaves_it_out_where_there_is_no_corpus(project: Project) -> None:
    said = io.StringIO()
    with pytest.raises(CommandError, match="Import captions first"):
        walk = {"project": "skies", "first": "embed_corpus", "last": "clean"}
        call_command("walk", **walk, stdout=io.StringIO(), stderr=said)
    assert "Prepare corpora is optional and is left out. Register a corpus first." in said.getvalue()
    assert not Run.objects.filter(stage="embed_corpus").exists()
