"""Corpora over HTTP: who sees them and how far they are, who registers them, and from where."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rest_framework.test import APIClient

from api_examples import Examples
from backend.catalogue import corpora
from backend.catalogue.models import Corpus, ShardState, ShardWork
from backend.people.models import User
from backend.projects.counters import read_counters
from backend.projects.models import Project
from backend.runs.models import Run, RunStatus
from corpora import MeanColours, key, tar_corpus
from workers.engines import registry

pytestmark = pytest.mark.django_db(transaction=True)
ClientOf = Callable[..., APIClient]
CORPORA = "/api/v1/projects/skies/corpora"


@pytest.fixture(autouse=True)
def root(tmp_path: Path, settings: Any) -> Path:
    """The one folder this site imports from."""
    settings.IMPORT_ROOTS = [tmp_path / "root"]
    settings.DATA_DIR, settings.EMBEDDINGS = tmp_path / "data", tmp_path / "embeddings"
    return tmp_path / "root"


@pytest.fixture
def folder(root: Path) -> Path:
    """Three shards with a corpus.json; one picture of the last is broken."""
    made = tar_corpus(root / "tars", shards=(2, 2, 2), **{f"{key(5)}.jpg": b""})
    corpora.keep_manifest(made, corpora.scanned(made), inside=True)
    return made


@pytest.fixture
def corpus(project: Project, folder: Path) -> Corpus:
    return corpora.register_corpus(project=project, folder=folder, manifest=corpora.described(folder))[0]


@pytest.fixture
def embed(client_of: ClientOf, alice: User) -> Callable[[], Any]:
    """Start the stage over HTTP; it is over when the answer is there."""

    def start() -> Any:
        registry.image_encoder.use("mean-colours", MeanColours())
        body = {"stage": "embed_corpus", "parameters": {"model": "mean-colours"}}
        return client_of(alice).post("/api/v1/projects/skies/runs", body)

    return start


def test_a_curator_registers_a_folder_and_again_without_harm(
    folder: Path, project: Project, client_of: ClientOf, alice: User
) -> None:
    client = client_of(alice)
    answer = client.post(CORPORA, {"folder": str(folder), "licence": "various", "notes": "three tars"})
    assert answer.status_code == 201, answer.json()
    row = answer.json()
    assert (row["name"], row["layout"], row["n_shards"], row["n_pairs"]) == ("tars", "webdataset", 3, None)
    assert (row["folder"], row["licence"], row["notes"]) == (str(folder), "various", "three tars")
    assert row["progress"] is None
    again = client.post(CORPORA, {"folder": str(folder)})
    assert (again.status_code, again.json()) == (200, row)
    other = client.post(CORPORA, {"folder": str(folder), "name": "another"})
    assert (other.status_code, other.json()["code"]) == (409, "corpus_known")


def test_a_folder_outside_the_roots_is_refused_whether_or_not_it_is_there(
    project: Project, tmp_path: Path, root: Path, client_of: ClientOf, alice: User
) -> None:
    tar_corpus(tmp_path / "elsewhere")
    root.mkdir()
    (root / "link").symlink_to(tmp_path / "elsewhere")
    for place in (tmp_path / "elsewhere", tmp_path / "nowhere", root / "link", root / ".." / "elsewhere"):
        answer = client_of(alice).post(CORPORA, {"folder": str(place)})
        assert answer.status_code == 400
        assert "This site cannot import from" in answer.json()["message"]


def test_a_folder_without_a_manifest_is_left_to_the_command(
    project: Project, root: Path, client_of: ClientOf, alice: User
) -> None:
    for place in (tar_corpus(root / "bare"), root / "nothing"):
        answer = client_of(alice).post(CORPORA, {"folder": str(place)})
        assert (answer.status_code, answer.json()["code"]) == (400, "no_manifest")
        assert "manage.py register_corpus" in answer.json()["message"]


@pytest.mark.nightly
def test_only_curators_register_and_only_reviewers_see(
    corpus: Corpus, folder: Path, client_of: ClientOf, alice: User, dora: User, bob: User, charlie: User
) -> None:
    addresses = (CORPORA, f"/api/v1/corpora/{corpus.pk}", f"/api/v1/corpora/{corpus.pk}/shards")
    for user, code in ((alice, 200), (dora, 200), (bob, 403), (charlie, 404), (None, 401)):
        assert {client_of(user).get(address).status_code for address in addresses} == {code}
    for user, code in ((dora, 403), (bob, 403), (charlie, 404), (None, 401)):
        assert client_of(user).post(CORPORA, {"folder": str(folder)}).status_code == code
    assert client_of(dora).get(addresses[1]).json()["folder"] is None
    assert client_of(alice).get(addresses[1]).json()["folder"] == str(folder)  # alice is of the staff
    User.objects.filter(pk=alice.pk).update(is_staff=False)
    told = client_of(User.objects.get(pk=alice.pk)).get(CORPORA)
    assert told.json()[0]["folder"] == "tars"
    assert str(folder.parent) not in told.content.decode()


@pytest.mark.nightly
def test_progress_is_seen_by_shard(
    corpus: Corpus, embed: Callable[[], Any], client_of: ClientOf, dora: User, folder: Path
) -> None:
    data = (folder / "00001.tar").read_bytes()
    (folder / "00001.tar").write_bytes(data[:600] + b"?" + data[601:])
    run = embed().json()
    client = client_of(dora)
    (row,) = client.get(CORPORA).json()
    assert row == client.get(f"/api/v1/corpora/{corpus.pk}").json()
    assert read_counters([corpus.project_id])[corpus.project_id]["new_corpora"] == 0
    shown = row["progress"]
    assert (shown["run"], shown["status"], list(shown["models"])) == (run["id"], "failed", ["mean-colours"])
    assert [shown[state] for state in ("pending", "working", "done", "refused")] == [0, 0, 2, 1]
    shards = client.get(f"/api/v1/corpora/{corpus.pk}/shards").json()["results"]
    assert [(one["name"], one["state"], one["n_done"], one["n_skipped"]) for one in shards] == [
        ("00000.tar", "done", 2, 0),
        ("00001.tar", "refused", 0, 0),
        ("00002.tar", "done", 1, 1),
    ]
    assert shards[1]["error"]["code"] == "shard_changed"
    assert (shards[2]["dropped"], shards[2]["n_pairs"]) == ({"no_bytes": 1}, 2)
    refusals = client.get(f"/api/v1/runs/{run['id']}/refusals").json()["results"]
    assert [one["name"] for one in refusals] == ["00001.tar", f"00002.tar: {key(5)}"]


def test_each_model_that_embedded_a_corpus_says_how_far_it_is(
    corpus: Corpus, project: Project, client_of: ClientOf, dora: User
) -> None:
    def embedded(model: str, *states: ShardState, **facts: Any) -> Run:
        run = Run.objects.create(project=project, stage="embed_corpus", models_used={model: f"{model}-digest"}, **facts)
        for shard, state in zip(corpus.shards.all(), states, strict=True):
            error = {"code": "torn", "message": "It ends too early."} if state == ShardState.REFUSED else None
            ShardWork.objects.create(run=run, shard=shard, state=state, n_done=2, n_skipped=1, error=error)
        return run

    done, refused, working = ShardState.DONE, ShardState.REFUSED, ShardState.WORKING
    embedded("one", done, done, done, status=RunStatus.FAILED)
    counts = {"dropped": {"empty": 2, "no_caption": 0}}
    older = embedded("one", done, done, refused, status=RunStatus.SUCCEEDED, counts=counts)
    newer = embedded("two", done, working, working, status=RunStatus.RUNNING)
    (row,) = client_of(dora).get(CORPORA).json()
    two, one = row["embeddings"]
    assert (two["model"], two["model_digest"], two["run"]) == ("two", "two-digest", str(newer.pk))
    assert [two[state] for state in ("pending", "working", "done", "refused")] == [0, 2, 1, 0]
    assert (two["n_done"], two["n_skipped"], two["dropped"], two["error"]) == (6, 3, {}, "")
    assert (one["run"], one["refused"], one["dropped"]) == (str(older.pk), 1, {"empty": 2})
    assert row["progress"]["run"] == str(newer.pk)


def over(corpus: Corpus, *states: str, digest: str, n_done: int = 2, **facts: Any) -> Run:
    """A run over the corpus by a model called vit, which left its shards in these states."""
    run = Run.objects.create(project=corpus.project, stage="embed_corpus", models_used={"vit": digest}, **facts)
    for shard, state in zip(corpus.shards.all(), states, strict=True):
        ShardWork.objects.create(run=run, shard=shard, state=state, n_done=n_done if state == "done" else 0)
    return run


def test_models_of_one_name_are_told_apart_by_their_digest(corpus: Corpus, client_of: ClientOf, dora: User) -> None:
    for digest in ("a" * 64, "b" * 64):
        over(corpus, "done", "done", "done", digest=digest, status=RunStatus.SUCCEEDED)
    (row,) = client_of(dora).get(CORPORA).json()
    assert [one["model_digest"] for one in row["embeddings"]] == ["b" * 64, "a" * 64]


def test_vectors_of_a_run_before_are_counted_while_a_new_one_goes_through_the_shards_again(
    corpus: Corpus, client_of: ClientOf, dora: User
) -> None:
    over(corpus, "done", "done", "done", digest="a", status=RunStatus.SUCCEEDED)
    over(corpus, "done", "done", "done", digest="b", n_done=50, status=RunStatus.SUCCEEDED)
    over(corpus, "done", "pending", "pending", digest="a", n_done=3, status=RunStatus.CANCELLED)
    a, b = client_of(dora).get(CORPORA).json()[0]["embeddings"]
    assert (a["n_done"], a["done"], a["pending"]) == (3 + 2 + 2, 1, 2)
    assert b["n_done"] == 150


def test_shards_are_shown_as_one_run_left_them_and_only_those_of_one_state(
    corpus: Corpus, project: Project, client_of: ClientOf, dora: User
) -> None:
    runs = [Run.objects.create(project=project, stage="embed_corpus", status=RunStatus.CANCELLED) for _ in range(2)]
    states = [ShardState.DONE, ShardState.WORKING, ShardState.REFUSED]
    for shard, state in zip(corpus.shards.all(), states, strict=True):
        ShardWork.objects.create(run=runs[0], shard=shard, state=state)
        ShardWork.objects.create(run=runs[1], shard=shard, state=ShardState.DONE)
    address, client = f"/api/v1/corpora/{corpus.pk}/shards", client_of(dora)

    def seen(**asked: Any) -> list[tuple[int, str]]:
        return [(one["position"], one["state"]) for one in client.get(address, asked).json()["results"]]

    assert seen() == [(0, "done"), (1, "done"), (2, "done")]
    assert seen(run=runs[0].pk) == [(0, "done"), (1, "pending"), (2, "refused")]
    assert seen(run=runs[0].pk, state="refused") == [(2, "refused")]
    assert (seen(run=runs[0].pk, state="pending"), seen(run=runs[0].pk, state="working")) == ([(1, "pending")], [])
    foreign = Run.objects.create(project=project, stage="clean")
    assert client.get(address, {"run": foreign.pk}).status_code == 404
    assert client.get(address, {"state": "asleep"}).status_code == 400


@pytest.mark.nightly
def test_what_a_run_that_is_over_had_in_hand_waits_for_the_next(
    corpus: Corpus, project: Project, client_of: ClientOf, dora: User
) -> None:
    run = Run.objects.create(project=project, stage="embed_corpus", status=RunStatus.RUNNING)
    for shard in corpus.shards.all():
        ShardWork.objects.create(run=run, shard=shard, state=ShardState.WORKING)
    address = f"/api/v1/corpora/{corpus.pk}"
    for status, state in ((RunStatus.RUNNING, "working"), (RunStatus.CANCELLED, "pending")):
        Run.objects.update(status=status)
        assert client_of(dora).get(address).json()["progress"][state] == 3
        shards = client_of(dora).get(f"{address}/shards").json()["results"]
        assert [shard["state"] for shard in shards] == [state] * 3


def test_shards_come_in_pages(corpus: Corpus, client_of: ClientOf, dora: User) -> None:
    client = client_of(dora)
    page = client.get(f"/api/v1/corpora/{corpus.pk}/shards?limit=2").json()
    assert [shard["position"] for shard in page["results"]] == [0, 1]
    assert [shard["position"] for shard in client.get(page["next"]).json()["results"]] == [2]
    client.get(CORPORA)


def test_a_model_by_its_place_on_the_disk_is_not_loaded_for_strangers(
    corpus: Corpus, client_of: ClientOf, alice: User, tmp_path: Path
) -> None:
    body = {"stage": "embed_corpus", "parameters": {"model": str(tmp_path)}}
    answer = client_of(alice).post("/api/v1/projects/skies/runs", body)
    assert answer.status_code == 400


def test_without_a_corpus_the_stage_says_what_comes_first(project: Project, embed: Callable[[], Any]) -> None:
    answer = embed()
    assert (answer.status_code, answer.json()["message"]) == (409, "Register a corpus first.")


def test_corpora_are_as_in_their_examples(
    example: Examples, folder: Path, project: Project, client_of: ClientOf, alice: User, embed: Callable[[], Any]
) -> None:
    client, sent = client_of(alice), {"folder": str(folder), "licence": "various", "notes": "Three tars."}
    made = example("projects_corpora_create", client.post, "projects/skies/corpora", sent)
    embed()
    example("projects_corpora_list", client.get, "projects/skies/corpora")
    example("corpora_retrieve", client.get, f"corpora/{made['id']}")
    example("corpora_shards_list", client.get, f"corpora/{made['id']}/shards")
