"""Embedding a corpus: every picture its vector, in shards that a kill, a retry or a second worker cannot spoil."""

from __future__ import annotations

import hashlib
import io
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from at_once import at_once
from backend.catalogue import corpora, corpora_work
from backend.catalogue.models import Corpus, CorpusShard, ShardState, ShardWork
from backend.projects.models import Project
from backend.runs import services
from backend.runs.models import Refusal, Run, RunStatus
from corpora import LAYOUTS, MeanColours, caption, imagefolder_corpus, key, picture, tar_corpus, turned, url_corpus
from drawn import write_tar
from workers.engines import registry
from workers.engines.pictures import read_picture
from workers.engines.protocols import OutOfMemoryError
from workers.engines.shards import Recipe, Shards
from workers.tasks import corpora as stage
from workers.tasks import corpora_hands
from workers.tasks.corpora_folders import NotEmbedded, folder_of, open_embedded, recipe_by

pytestmark = pytest.mark.django_db(transaction=True)
Register = Callable[..., Corpus]
Embed = Callable[..., Run]


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, settings: Any) -> None:
    settings.DATA_DIR = tmp_path / "data"
    settings.EMBEDDINGS = tmp_path / "embeddings"


@pytest.fixture
def encoder() -> MeanColours:
    return MeanColours()


@pytest.fixture
def register(project: Project) -> Register:
    def make(folder: Path, *, into: Project = project, name: str = "") -> Corpus:
        manifest = corpora.scanned(folder)
        return corpora.register_corpus(project=into, folder=folder, manifest=manifest, name=name)[0]

    return make


@pytest.fixture
def embed(project: Project, encoder: MeanColours, settings: Any) -> Embed:
    """Run the stage, and give back the run, over."""
    settings.VISION_MODEL = encoder.name
    registry.image_encoder.use(encoder.name, encoder)

    def make(corpus: str = "", *, into: Project = project, model: str = "") -> Run:
        run = services.start_run(project=into, stage="embed_corpus", parameters={"corpus": corpus, "model": model})
        run.refresh_from_db()
        return run

    return make


def opened(corpus: Corpus, encoder: MeanColours) -> Shards:
    return open_embedded(corpus, recipe_by(encoder), verify=True)


def bytes_in(folder: Path) -> dict[str, str]:
    """SHA-256 by name of everything a reader would look at."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def states(run: Run) -> list[str]:
    return list(ShardWork.objects.filter(run=run).order_by("shard__position").values_list("state", flat=True))


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


def test_broken_pictures_among_good_ones_are_left_out_and_listed(
    register: Register, embed: Embed, encoder: MeanColours, tmp_path: Path
) -> None:
    bad = {f"{key(1)}.jpg": b"", f"{key(3)}.jpg": b"<html>gone</html>", f"{key(4)}.jpg": picture(4)[:500]}
    corpus = register(tar_corpus(tmp_path / "corpus", shards=(6,), **bad))
    run = embed()
    assert run.status == RunStatus.SUCCEEDED, run.error
    assert run.counts["dropped"] == {"empty": 1, "not_an_image": 1, "truncated": 1}
    assert (run.counts["in"], run.counts["out"], run.done) == (6, 3, 6)
    listed = Refusal.objects.filter(run=run).values_list("name", "code")
    assert list(listed) == [
        (f"00000.tar: {key(1)}", "empty"),
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
    assert run.counts["dropped"] == {"empty": 4}
    messages = list(Refusal.objects.filter(run=run).values_list("message", flat=True))
    assert len(messages) == 3 and messages[-1].startswith("2 more of this shard were left out")


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
    with pytest.raises(NotEmbedded, match="embedded by halves: 1 of its 3 shards"):
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


def test_a_shard_that_was_cut_off_before_registering_is_refused_too(
    register: Register, embed: Embed, tmp_path: Path
) -> None:
    tar = tar_corpus(tmp_path / "corpus", shards=(4,)) / "00000.tar"
    tar.write_bytes(tar.read_bytes()[: tar.stat().st_size // 2])
    register(tmp_path / "corpus")
    run = embed()
    assert run.status == RunStatus.FAILED
    assert "The shard 00000.tar cannot be read" in run.error["message"]
    assert ShardWork.objects.get().error["code"] == "cut_off"


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


def test_a_corpus_with_one_image_is_a_corpus(
    register: Register, embed: Embed, encoder: MeanColours, tmp_path: Path
) -> None:
    corpus = register(tar_corpus(tmp_path / "corpus", shards=(1,)))
    assert embed().status == RunStatus.SUCCEEDED
    assert opened(corpus, encoder).rows(np.array([0])).shape == (1, encoder.dimensions)


def test_a_corpus_without_a_picture_says_so(register: Register, embed: Embed, tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    write_tar(tmp_path / "corpus" / "00000.tar", {})
    register(tmp_path / "corpus")
    run = embed()
    assert (run.status, run.error["code"]) == (RunStatus.FAILED, "empty_corpus")
    assert "holds no picture with a caption" in run.error["message"]


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


def test_a_list_of_addresses_is_not_embedded_unless_this_site_may_fetch(
    register: Register, embed: Embed, tmp_path: Path
) -> None:
    register(url_corpus(tmp_path / "corpus", "https://a.example/1.jpg\tA cat\n"))
    run = embed()
    assert (run.status, run.error["code"]) == (RunStatus.FAILED, "not_fetched")
    assert "Fetch them with img2dataset" in run.error["message"]


def test_a_list_of_addresses_is_fetched_where_the_site_may(
    register: Register, embed: Embed, encoder: MeanColours, tmp_path: Path, settings: Any, monkeypatch: Any
) -> None:
    def fetch(url: str) -> bytes:
        return picture(int(url.rpartition("/")[2]))

    settings.FETCH_CORPORA = True
    monkeypatch.setattr("workers.tasks.corpora_fetching.Fetcher", lambda: fetch)
    corpus = register(url_corpus(tmp_path / "corpus", "https://a.example/7\tA cat\nhttps://a.example/8\tA dog\n"))
    assert embed().status == RunStatus.SUCCEEDED
    np.testing.assert_array_equal(opened(corpus, encoder).rows(np.array([1]))[0], encoder.vector_of(picture(8)))


def test_a_run_that_is_cancelled_in_the_middle_stops_and_goes_on_later(
    register: Register, embed: Embed, encoder: MeanColours, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cancel() -> None:
        if len(encoder.seen) >= 3:
            services.cancel_run(run=Run.objects.get())

    monkeypatch.setattr(corpora_hands, "PULSE", 0.0)
    corpus = register(tar_corpus(tmp_path / "corpus", shards=(3, 3, 3)))
    encoder.before_block = cancel
    run = embed()
    assert (run.status, states(run)) == (RunStatus.CANCELLED, ["done", "pending", "pending"])
    encoder.before_block = lambda: None
    again = services.retry_run(run=run, started_by=None)
    again.refresh_from_db()
    assert (again.status, again.done, again.counts["out"]) == (RunStatus.SUCCEEDED, 9, 9)
    assert len(opened(corpus, encoder)) == 9
    assert encoder.seen.count(key(0)) == 1


def test_a_corpus_of_another_model_is_refused_naming_both(
    register: Register, embed: Embed, encoder: MeanColours, tmp_path: Path
) -> None:
    corpus = register(tar_corpus(tmp_path / "corpus"))
    other = Recipe("dinov2", "d" * 64, "224", 384)
    with pytest.raises(NotEmbedded, match=r"no vectors yet\. Run embed_corpus with the model 'dinov2'"):
        open_embedded(corpus, other)
    embed()
    with pytest.raises(NotEmbedded, match="is embedded by 'mean-colours', not by 'dinov2'"):
        open_embedded(corpus, other)
    same_name = Recipe(encoder.name, "e" * 64, encoder.preprocessing, encoder.dimensions)
    with pytest.raises(NotEmbedded, match=rf"by 'mean-colours' \({encoder.digest[:12]}.*, not by .*\(eeeeeeeeeeee"):
        open_embedded(corpus, same_name)
    shown_otherwise = Recipe(encoder.name, encoder.digest, "5 x 5 fields", encoder.dimensions)
    with pytest.raises(NotEmbedded, match=r"4 x 3 fields.*5 x 5 fields"):
        open_embedded(corpus, shown_otherwise)


def test_vectors_that_were_damaged_are_refused_and_made_anew(
    register: Register, embed: Embed, encoder: MeanColours, tmp_path: Path
) -> None:
    corpus = register(tar_corpus(tmp_path / "corpus"))
    embed()
    npy = folder_of(corpus, encoder.digest) / "shard-00001.npy"
    npy.write_bytes(npy.read_bytes()[:-4])
    with pytest.raises(NotEmbedded, match=r"cannot be used .* Run embed_corpus again"):
        opened(corpus, encoder)
    embed()
    assert len(opened(corpus, encoder)) == 6


def test_the_model_must_be_there_and_the_corpus_too(register: Register, embed: Embed, tmp_path: Path) -> None:
    register(tar_corpus(tmp_path / "corpus"))
    assert embed("nothing").error["code"] == "no_such_corpus"
    run = embed(model=str(tmp_path / "no-model"))
    assert (run.status, run.error["code"]) == (RunStatus.FAILED, "model_not_found")


def test_two_projects_embed_the_same_corpus_at_once_and_share_its_vectors(
    register: Register, embed: Embed, encoder: MeanColours, project: Project, tmp_path: Path
) -> None:
    other = Project.objects.create(slug="seas", name="Seas", created_by=project.created_by)
    folder = tar_corpus(tmp_path / "corpus", shards=(4, 4, 4))
    corpus = register(folder)
    register(folder, into=other)
    runs = at_once(lambda: embed(), lambda: embed(into=other))
    assert [getattr(run, "status", run) for run in runs] == [RunStatus.SUCCEEDED] * 2
    assert [run.counts["out"] for run in runs if isinstance(run, Run)] == [12, 12]
    assert sorted(encoder.seen) == [key(n) for n in range(12)]
    assert len(opened(corpus, encoder)) == 12


def test_helpers_share_the_shards_and_none_is_computed_twice(
    register: Register, embed: Embed, encoder: MeanColours, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run's own worker is held in its first shard until two helpers have done the rest."""
    corpus = register(tar_corpus(tmp_path / "corpus", shards=(2,) * 6))
    invited: list[tuple[str, int]] = []
    monkeypatch.setattr(stage.queue, "invite", lambda run_id, *, stage, n: invited.append((run_id, n)))
    monkeypatch.setattr(stage, "WAIT", 0.01)
    mine: list[int] = []

    def help_first() -> None:
        if threading.current_thread() is owner and not mine:
            mine.append(1)
            at_once(*[lambda: stage.embed_shards(invited[0][0])] * 2)

    owner = threading.current_thread()
    encoder.before_block = help_first
    run = embed()
    assert run.status == RunStatus.SUCCEEDED, run.error
    assert invited == [(str(run.pk), 5)]
    assert sorted(encoder.seen) == [key(n) for n in range(12)]
    assert ShardWork.objects.values("claimed_by").distinct().count() >= 2
    assert ShardWork.objects.filter(attempt=1, state=ShardState.DONE).count() == 6
    assert len(opened(corpus, encoder)) == 12


def test_a_helper_leaves_a_run_alone_that_is_over_or_of_other_weights(
    register: Register, embed: Embed, encoder: MeanColours, tmp_path: Path
) -> None:
    register(tar_corpus(tmp_path / "corpus"))
    run = embed()
    seen = len(encoder.seen)
    stage.embed_shards(str(run.pk))
    Run.objects.filter(pk=run.pk).update(status=RunStatus.RUNNING, models_used={encoder.name: "0" * 64})
    ShardWork.objects.update(state=ShardState.PENDING)
    stage.embed_shards(str(run.pk))
    stage.embed_shards("00000000-0000-0000-0000-000000000000")
    assert len(encoder.seen) == seen
    assert set(states(run)) == {"pending"}


def test_shards_know_their_pairs_once_they_were_read(register: Register, embed: Embed, tmp_path: Path) -> None:
    corpus = register(tar_corpus(tmp_path / "corpus", shards=(2, 5)))
    assert corpus.n_pairs is None
    embed()
    assert list(CorpusShard.objects.values_list("n_pairs", flat=True)) == [2, 5]


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
    assert "00000.tar cannot be read (Permission denied)" in message and "/srv" not in message


def test_the_walk_leaves_it_out_where_there_is_no_corpus(project: Project) -> None:
    said = io.StringIO()
    with pytest.raises(CommandError, match="Import captions first"):
        walk = {"project": "skies", "first": "embed_corpus", "last": "clean"}
        call_command("walk", **walk, stdout=io.StringIO(), stderr=said)
    assert "Embed corpus is left out, as it may be. Register a corpus first." in said.getvalue()
    assert not Run.objects.filter(stage="embed_corpus").exists()
