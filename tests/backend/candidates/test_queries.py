"""Queries: added by hand or out of a file, with the images to judge against each, and left alone by cleaning."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from rest_framework.test import APIClient

from api_examples import Examples
from backend.candidates.models import Candidate
from backend.catalogue.models import Image, Query
from backend.common.errors import InvalidInput
from backend.people.models import User
from backend.projects.models import Direction, Project
from backend.runs.ledger import Ledger
from backend.runs.models import Refusal, Run
from workers.tasks import candidates

ADDRESS = "/api/v1/projects/skies/queries"
Clients = Callable[..., APIClient]
CSV = "query,kind,image\nsolitude,conceptual,pier\nsolitude,,lamp\n,,pier\njoy,fun,pier\njoy,,moon\njoy,,owl\n"


@pytest.fixture
def asked(project: Project, make_images: Callable[..., list[Image]]) -> Project:
    """A project of queries, with three images."""
    Project.objects.filter(pk=project.pk).update(direction=Direction.IMAGES_OF_A_QUERY)
    project.refresh_from_db()
    make_images("pier", "lamp", "owl")
    return project


@pytest.fixture
def curator(client_of: Clients, alice: User) -> APIClient:
    return client_of(alice)


def pairs() -> set[tuple[str, str]]:
    return set(Candidate.objects.values_list("query__text", "image__key"))


def run_import(project: Project, path: Path, content: str) -> Run:
    path.write_text(content)
    run = Run.objects.create(project=project, stage="import_queries", parameters={"source": str(path), "upload": ""})
    candidates.import_queries(str(run.pk))
    run.refresh_from_db()
    return run


def refused(run: Run) -> list[tuple[int | None, str]]:
    return list(Refusal.objects.filter(run=run).values_list("line", "code"))


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("who", "reads", "writes"),
    [("alice", 200, 201), ("dora", 200, 403), ("bob", 403, 403), ("charlie", 404, 404), (None, 401, 401)],
)
def test_curators_write_reviewers_read_and_annotators_see_none(
    request: pytest.FixtureRequest, client_of: Clients, asked: Project, who: str | None, reads: int, writes: int
) -> None:
    client = client_of(request.getfixturevalue(who) if who else None)
    query = Query.objects.create(project=asked, text="joy")
    addresses = (ADDRESS, f"{ADDRESS}/{query.pk}", f"{ADDRESS}/{query.pk}/images")
    assert {client.get(address).status_code for address in addresses} == {reads}
    assert client.post(ADDRESS, {"text": "solitude", "images": ["pier"]}, format="json").status_code == writes


def test_a_project_of_ones_own_opens_no_other_ones_queries(client_of: Clients, charlie: User, asked: Project) -> None:
    query = Query.objects.create(project=asked, text="joy")
    client = client_of(charlie)
    for more in ("", "/images"):
        assert client.get(f"/api/v1/projects/elsewhere/queries/{query.pk}{more}").status_code == 404


def test_a_query_is_listed_with_its_images(curator: APIClient, asked: Project) -> None:
    sent = {"text": "  people   chopping vegetables ", "kind": "descriptive", "images": ["pier", "owl"]}
    made = curator.post(ADDRESS, sent, format="json").json()
    assert (made["text"], made["n_images"], made["n_new"], made["n_known"]) == ("people chopping vegetables", 2, 2, 0)
    row = curator.get(ADDRESS).json()["results"][0]
    assert (row["kind"], row["n_images"], row["n_in_hits"]) == ("descriptive", 2, 0)
    images = curator.get(f"{ADDRESS}/{row['id']}/images").json()["results"]
    assert [(pair["image"]["key"], pair["status"], pair["in_hit"]) for pair in images] == [
        ("owl", "kept", False), ("pier", "kept", False),
    ]  # fmt: skip


def test_a_query_asked_again_gets_the_images_it_did_not_have(curator: APIClient, asked: Project) -> None:
    curator.post(ADDRESS, {"text": "joy", "images": ["pier"]}, format="json")
    again = curator.post(ADDRESS, {"text": "joy", "images": ["pier", "owl"]}, format="json").json()
    assert (again["n_images"], again["n_new"], again["n_known"]) == (2, 1, 1)
    assert Query.objects.count() == 1


def test_images_that_are_not_there_are_named_and_nothing_is_written(curator: APIClient, asked: Project) -> None:
    answer = curator.post(ADDRESS, {"text": "joy", "images": ["pier", "moon"]}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "unknown_image")
    assert answer.json()["details"] == {"key": "moon", "images": ["moon"]}
    assert not Query.objects.exists()


def test_a_project_of_captions_takes_no_queries(curator: APIClient, project: Project) -> None:
    answer = curator.post(ADDRESS, {"text": "joy"}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "wrong_direction")


def test_a_table_has_a_row_for_each_pair_and_refused_rows_have_line_and_reason(asked: Project, tmp_path: Path) -> None:
    run = run_import(asked, tmp_path / "queries.csv", CSV)
    assert run.status == "succeeded", run.error
    assert pairs() == {("solitude", "pier"), ("solitude", "lamp"), ("joy", "owl")}
    assert refused(run) == [(4, "no_query"), (5, "unknown_kind"), (6, "unknown_image")]
    dropped = {"no_query": 1, "unknown_image": 1, "unknown_kind": 1}
    assert run.counts == {"dropped": dropped, "in": 6, "known": 0, "out": 3, "queries": 2}
    assert dict(Query.objects.values_list("text", "kind")) == {"solitude": "conceptual", "joy": ""}


def test_importing_a_file_again_changes_nothing(asked: Project, tmp_path: Path) -> None:
    run_import(asked, tmp_path / "queries.csv", CSV)
    before = list(Candidate.objects.values())
    again = run_import(asked, tmp_path / "queries.csv", CSV)
    assert (again.counts["out"], again.counts["known"], again.counts["queries"]) == (0, 3, 0)
    assert list(Candidate.objects.values()) == before


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("q.jsonl", '{"query": "joy", "images": ["pier", "owl"]}\n{"query": "solitude", "images": []}\n'),
        ("q.json", json.dumps({"joy": {"pier": [3, 0, 0], "owl": [1, 2, 0]}, "solitude": {}})),
        ("q.json", json.dumps({"0": {"Text": "joy", "Conceptual": True, "Seeds": ["pier", "owl"]}, "solitude": []})),
        ("q.json", json.dumps([{"query": "joy", "images": ["pier", "owl"]}, {"query": "solitude", "images": []}])),
    ],
)  # fmt: skip
def test_queries_come_in_lines_arrays_and_the_shapes_of_conqa(
    asked: Project, tmp_path: Path, name: str, content: str
) -> None:
    run = run_import(asked, tmp_path / name, content)
    assert (run.status, refused(run)) == ("succeeded", [])
    assert pairs() == {("joy", "pier"), ("joy", "owl")}
    assert set(Query.objects.values_list("text", flat=True)) == {"joy", "solitude"}


@pytest.mark.parametrize(
    ("name", "content", "codes"),
    [
        ("q.jsonl", '{"query": "joy", "images": 3}\n[1]\nnot json\n', ["no_key", "not_json_object", "not_json"]),
        ("q.json", '{"joy": {"pier": 1}, "half": {"ow', ["json_ends"]),
        ("q.json", json.dumps({"joy": 3, " ": {"pier": 1}, "x" * 501: {"pier": 1}}),
         ["no_key", "no_text", "query_too_long"]),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_row_by_row(
    asked: Project, tmp_path: Path, name: str, content: str, codes: list[str]
) -> None:
    run = run_import(asked, tmp_path / name, content)
    assert (run.status == "failed") == (run.counts["out"] == 0), run.error
    assert [code for _, code in refused(run)] == codes


def test_a_project_of_captions_fails_the_import_with_a_sentence(project: Project, tmp_path: Path) -> None:
    run = run_import(project, tmp_path / "queries.csv", CSV)
    assert run.status == "failed"
    assert "cannot use queries" in run.error["message"]


def test_the_command_runs_the_stage_and_prints_what_was_refused(
    asked: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str], transactional_db: None
) -> None:
    (tmp_path / "queries.csv").write_text(CSV)
    call_command("import_queries", str(tmp_path / "queries.csv"), project="skies")
    assert "unknown_image" in capsys.readouterr().out
    assert len(pairs()) == 3


def test_cleaning_leaves_queries_alone_and_keeps_no_caption_out_for_them(
    asked: Project, curator: APIClient, hold_run: Callable[..., Ledger], add_caption: Callable[..., Candidate]
) -> None:
    from backend.candidates.cleaning import clean_candidates, read_demands

    curator.post(ADDRESS, {"text": "joy", "images": ["pier"]}, format="json")
    caption = add_caption(Image.objects.get(key="pier"), "joy")
    ledger = hold_run("clean", min_words=1)
    clean_candidates(ledger=ledger, demands=read_demands({"min_words": 1}))
    caption.refresh_from_db()
    assert (caption.status, caption.text) == ("kept", "joy")
    assert Candidate.objects.get(query__isnull=False).status == "kept"
    assert ledger.run.counts["in"] == 1


@pytest.mark.parametrize("origin", ["query", "other_image"])
def test_captions_cannot_be_called_as_queries_are(origin: str) -> None:
    from backend.candidates.importing import check_origin

    with pytest.raises(InvalidInput):
        check_origin(origin)


def test_a_pair_dropped_by_hand_and_restored_has_the_querys_very_text(
    asked: Project, curator: APIClient, alice: User
) -> None:
    curator.post(ADDRESS, {"text": "&amp; joy", "images": ["pier"]}, format="json")
    pair: Any = Candidate.objects.get()
    for verb in ("drop", "restore"):
        assert curator.post(f"/api/v1/projects/skies/candidates/{pair.pk}/{verb}", {}, format="json").status_code == 200
    pair.refresh_from_db()
    assert (pair.status, pair.text) == ("kept", "&amp; joy")


def test_queries_are_as_in_their_examples(example: Examples, curator: APIClient, asked: Project) -> None:
    own, sent = "projects/skies/queries", {"text": "solitude", "kind": "conceptual", "images": ["pier", "owl"]}
    made = example("projects_queries_create", curator.post, own, sent)
    example("projects_queries_list", curator.get, own)
    example("projects_queries_retrieve", curator.get, f"{own}/{made['id']}")
    example("projects_queries_images_list", curator.get, f"{own}/{made['id']}/images")
