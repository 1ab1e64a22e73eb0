"""Votes whose voters no file names, as ConQA releases them: a project counts them, and says of no person what is not
known."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import krippendorff
import numpy as np
import pytest
from django.core.management import call_command
from rest_framework.test import APIClient

from backend.agreement.rows import read_rows
from backend.annotation.hits import build_hits
from backend.annotation.models import AnnotatorState, Judgment
from backend.candidates.queries import add_query
from backend.catalogue.models import Image, Query
from backend.curation.models import Consensus
from backend.foreign.rows import OTHER_VOTES
from backend.foreign.services import ImportedJudgments, import_judgments
from backend.methods.foreign.reading import PairVotes, read_judgments, tell_judgments
from backend.methods.foreign.report import report_votes
from backend.methods.foreign.told import Told
from backend.methods.foreign.unnamed import TWICE
from backend.people.models import User
from backend.projects.models import Direction, Project
from backend.quality.models import QualityPolicy
from backend.quality.replay import evaluate
from backend.runs.models import Run, RunStatus
from world import World

Clients = Callable[..., APIClient]
Votes = dict[str, dict[str, list[int]]]
VOTES: Votes = {
    "solitude": {"photo-0.jpg": [3, 0, 0], "photo-1.jpg": [1, 2, 0], "photo-2.jpg": [1, 1, 1]},
    "rush hour": {"photo-0.jpg": [0, 4, 1], "photo-3.jpg": [2, 0, 1]},
}


def asked(project: Project, votes: Votes, images: dict[str, Image]) -> None:
    """Every query with its images in HITs; `images` are those of the project by the names in `votes`."""
    Project.objects.filter(pk=project.pk).update(direction=Direction.IMAGES_OF_A_QUERY)
    project.refresh_from_db()
    for text, of_images in votes.items():
        add_query(project=project, text=text, images=[images[name].key for name in of_images])
    run = Run.objects.create(project=project, stage="build_hits")
    build_hits(project=project, run=run, subjects=list(Query.objects.filter(project=project)))


@pytest.fixture
def pool(project: Project) -> Project:
    asked(project, VOTES, {image.key: image for image in World(project).photos(4)})
    return project


def take(project: Project, votes: Votes = VOTES) -> ImportedJudgments:
    return import_judgments(project=project, told=tell_judgments(json.dumps(votes)))


def figures(client: APIClient, project: Project) -> dict[str, dict[str, Any]]:
    [whole] = client.get(f"/api/v1/projects/{project.slug}/agreement").json()["slices"]
    return {f"{each['measure']}, unsure as {each['reading']}": each for each in whole["figures"]}


def test_the_votes_of_every_pair_are_those_of_the_file(pool: Project) -> None:
    found = take(pool)
    assert (found.n_new, found.n_people, found.refused) == (17, 0, [])
    names = ("candidate__query__text", "candidate__image__key")
    for query, of_images in VOTES.items():
        for image, votes in of_images.items():
            mine = Judgment.objects.filter(**dict(zip(names, (query, image), strict=True)))
            said = Counter(mine.values_list("label", flat=True))
            assert [said["good"], said["bad"], said["unsure"]] == votes
    assert not User.objects.filter(username__startswith="unnamed-", is_active=True).exists()


@pytest.mark.nightly
def test_the_same_file_again_adds_nothing_and_another_count_is_told(pool: Project) -> None:
    take(pool)
    again = take(pool)
    assert (again.n_new, again.n_there, again.refused) == (0, 17, [])
    for votes in ([3, 1, 0], [2, 0, 0], [2, 1, 0]):
        more = take(pool, {"solitude": {"photo-0.jpg": votes}, "rush hour": {"photo-3.jpg": [2, 0, 1]}})
        assert (more.n_new, more.n_there) == (0, 3)
        assert {each.reason for each in more.refused} == {OTHER_VOTES}
        assert len(more.refused) == sum(votes)
    assert Judgment.objects.count() == 17


def test_the_same_votes_are_there_whatever_the_file_calls_the_image(pool: Project) -> None:
    """They are dealt by the names in the file, so that other voters have said the same: it was told of more than half
    of them that they had been imported with another label."""
    take(pool)
    elsewhere = {query: {f"photos/{name}": votes for name, votes in each.items()} for query, each in VOTES.items()}
    again = take(pool, elsewhere)
    assert (again.n_new, again.n_there, again.refused) == (0, 17, [])
    elsewhere["solitude"]["photos/photo-2.jpg"] = [2, 1, 0]
    more = take(pool, elsewhere)
    assert (more.n_new, more.n_there, [each.reason for each in more.refused]) == (0, 14, [OTHER_VOTES] * 3)
    assert Judgment.objects.count() == 17


def test_of_two_names_of_an_image_in_one_file_the_first_has_the_votes(pool: Project) -> None:
    found = take(pool, {"solitude": {"photos/photo-0.jpg": [1, 0, 0], "photo-0.jpg": [0, 2, 1]}})
    assert (found.n_new, [each.reason for each in found.refused]) == (1, [TWICE] * 3)
    assert Judgment.objects.get().label == "good"


def test_nobody_decides_of_those_who_stand_for_nobody(client_of: Clients, alice: User, pool: Project) -> None:
    take(pool)
    voter = AnnotatorState.objects.filter(project=pool, is_unnamed=True)[0].user_id
    address = f"/api/v1/projects/{pool.slug}/annotators/{voter}/state"
    answer = client_of(alice).post(address, {"state": "excluded", "reason": "Who is this?"}, format="json")
    assert answer.status_code == 404
    assert AnnotatorState.objects.get(project=pool, user=voter).state == "active"


def test_words_may_stand_under_other_names_and_no_vote_is_lost_silently(pool: Project, tmp_path: Path) -> None:
    seeds = {"1": {"Text": "solitude", "Conceptual": True, "Seeds": []}}
    votes = {"1": {"photo-0.jpg": [3, 0, 0], "photo-1.jpg": [0, 0, 0], "photo-9.jpg": [0, 1, 0]}}
    votes["1"]["photo-2.jpg"] = [1001, 0, 0]
    for name, values in (("seed.json", seeds), ("mturk.json", votes)):
        (tmp_path / name).write_text(json.dumps(values))
    said = StringIO()
    call_command(
        "import_judgments", pool.slug, str(tmp_path / "mturk.json"), queries=tmp_path / "seed.json", stdout=said
    )
    assert "mturk.json: 3 answers are new, 0 existed, 3 are refused." in said.getvalue()
    assert "1: It has no answer. See query 1, image photo-1.jpg" in said.getvalue()
    assert "1: One pair has more than 1,000 votes here. See query 1, image photo-2.jpg" in said.getvalue()
    assert "See query 1, image photo-9.jpg, vote 1" in said.getvalue()


@pytest.mark.nightly
def test_agreement_over_items_is_that_of_the_files_report_and_people_have_none(
    client_of: Clients, pool: Project, alice: User
) -> None:
    take(pool)
    ours = figures(client_of(alice), pool)
    read = read_judgments(json.dumps(VOTES))
    assert isinstance(read, PairVotes)
    theirs = {line.figure: line.ours.split()[0] for line in report_votes(read)}
    shared = {name for name in ours if name in theirs}
    assert len(shared) >= 6
    for name in shared:
        value = ours[name]["value"]
        assert theirs[name] == ("-" if value is None else f"{value:.4f}")
    cohen = [each for name, each in ours.items() if name.startswith("cohen")]
    assert {(each["value"], each["reason_code"]) for each in cohen} == {(None, "no_names")}
    assert client_of(alice).get(f"/api/v1/projects/{pool.slug}/agreement/annotators").json()["annotators"] == []


def test_where_all_voters_without_names_are_unsure_the_mean_says_so(
    client_of: Clients, pool: Project, alice: User
) -> None:
    """It said that no item has two judgments, beside alpha's that the others are unsure."""
    take(pool, {query: {key: [0, 0, 2] for key in of_images} for query, of_images in VOTES.items()})
    ours = figures(client_of(alice), pool)
    assert [ours[f"{name}, unsure as missing"]["reason_code"] for name in ("cohen", "alpha_nominal")] == [
        "none_counted"
    ] * 2


@pytest.mark.nightly
def test_voters_without_names_stand_in_no_table_of_people(client_of: Clients, pool: Project, alice: User) -> None:
    take(pool)
    assert AnnotatorState.objects.filter(project=pool, is_unnamed=True).count() == 5
    rows = client_of(alice).get(f"/api/v1/projects/{pool.slug}/annotators").json()["results"]
    assert [row for row in rows if "voter" in row["user"]["display_name"]] == []
    policy = QualityPolicy(project=pool, version=1, rules=[{"collector": "disagreement", "action": "review"}])
    assert evaluate(policy=policy).people == ()


@pytest.mark.nightly
def test_people_beside_them_keep_their_figures(client_of: Clients, pool: Project, alice: User) -> None:
    """Two workers who are named, on the pairs that have votes without names."""
    pairs = [(query, image) for query, of_images in VOTES.items() for image in of_images]
    told = [
        Told(f"{worker} {n}", "", worker, label, image=image, text=query)
        for worker, labels in (("W1", "good good bad bad good"), ("W2", "good bad bad bad good"))
        for n, ((query, image), label) in enumerate(zip(pairs, labels.split(), strict=True))
    ]
    import_judgments(project=pool, told=told)
    alone = figures(client_of(alice), pool)
    take(pool)
    together = figures(client_of(alice), pool)
    for name in alone:
        if name.startswith("cohen"):
            assert together[name]["value"] == alone[name]["value"] is not None
            assert together[name]["interval"] == alone[name]["interval"]
            assert (together[name]["n_items"], together[name]["n_judgments"]) == (5, 10)
    assert together["alpha_nominal, unsure as value"]["value"] != alone["alpha_nominal, unsure as value"]["value"]
    assert read_rows(project=pool).is_named.sum() == 10


@pytest.mark.nightly
@pytest.mark.shared_data
@pytest.mark.parametrize("method", ["majority", "dawid_skene"])
def test_conqas_votes_get_the_reports_of_a_project(
    shared_data: Path, client_of: Clients, project: Project, alice: User, run_stage: Callable[..., Run], method: str
) -> None:
    votes: Votes = dict(list(json.loads((shared_data / "conqa" / "mturk.json").read_text()).items())[:5])
    words = {
        name: query["Text"] for name, query in json.loads((shared_data / "conqa" / "seed.json").read_text()).items()
    }
    names = sorted({image for of_images in votes.values() for image in of_images})
    images = dict(zip(names, World(project).photos(len(names)), strict=True))
    asked(project, {words[name]: of_images for name, of_images in votes.items()}, images)
    told = tell_judgments(json.dumps(votes), queries=words)
    found = import_judgments(project=project, told=[each._replace(image=images[each.image].key) for each in told])
    counts = np.array([row for of_images in votes.values() for row in of_images.values()])
    assert (found.n_new, found.refused) == (counts.sum(), [])
    alpha = krippendorff.alpha(value_counts=counts, level_of_measurement="nominal")
    assert figures(client_of(alice), project)["alpha_nominal, unsure as value"]["value"] == pytest.approx(alpha)
    run = run_stage(project, "consensus", method=method)
    assert run.status == RunStatus.SUCCEEDED, run.error
    theirs = {(words[name], images[image].key): row for name, of in votes.items() for image, row in of.items()}
    for each in Consensus.objects.select_related("candidate__query", "candidate__image"):
        good, bad, unsure = theirs[each.candidate.query.text, each.candidate.image.key]
        assert (each.n_good, each.n_bad, each.n_unsure) == (good, bad, unsure)
        if not bad and not unsure:
            assert (each.label, each.category) == ("good", "fully_relevant")
