"""Votes and chosen captions over HTTP: for curators and head annotators, and for nobody else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.catalogue.models import Image
from backend.curation.models import Difficulty
from backend.people.models import User
from backend.projects.models import Project
from backend.runs.models import Run, RunStatus
from panels import StandIn, seat, store_pictures

Clients = Callable[..., APIClient]


@pytest.fixture
def image(project: Project, make_judged: Callable[..., Project], run_stage: Callable[..., Run]) -> Image:
    opinion = lambda image, caption, person: "bad" if (caption, person) in ((0, 0), (1, 0), (1, 1)) else "good"  # noqa: E731
    make_judged(project, images=1, captions=7, opinion=opinion)
    run_stage(project, "consensus")
    return Image.objects.get(project=project)


def address(image: Image, what: str) -> str:
    return f"/api/v1/projects/skies/images/{image.pk}/{what}"


def test_reviewers_see_the_votes_on_every_caption(client_of: Clients, dora: User, image: Image) -> None:
    rows = client_of(dora).get(address(image, "votes")).json()["results"]
    assert [(row["label"], row["n_good"], row["n_bad"]) for row in rows[:3]] == [
        (None, 1, 1),
        ("bad", 0, 2),
        ("good", 2, 0),
    ]
    assert set(rows[0]) == {
        "candidate", "key", "text", "label", "n_good", "n_bad", "n_unsure",
        "decided_by", "verdict_reason", "posterior", "entropy", "category", "category_by_majority", "readings",
        "choice",
    }  # fmt: skip
    told = [(row["decided_by"], row["entropy"], row["category"], row["posterior"]) for row in rows[:2]]
    assert told == [("majority", 1.0, "unsure", None), ("majority", 0.0, "fully_non_relevant", None)]


@pytest.mark.nightly
def test_the_summary_counts_pairs_by_label_by_what_decided_and_by_category_under_all_three_readings(
    client_of: Clients, dora: User, image: Image, project: Project, run_stage: Callable[..., Run]
) -> None:
    tied = image.candidates.order_by("pk").first()
    settled = {"candidate": tied.pk, "label": "good", "reason": "They show the same dog."}
    assert client_of(dora).post("/api/v1/projects/skies/verdicts", settled, "json").status_code == 201
    run_stage(project, "consensus")
    row = client_of(dora).get(address(image, "votes")).json()["results"][0]
    assert (row["label"], row["decided_by"], row["verdict_reason"]) == ("good", "verdict", "They show the same dog.")
    summary = client_of(dora).get("/api/v1/projects/skies/consensus").json()
    assert (summary["n_pairs"], summary["labels"]) == (7, {"good": 6, "bad": 1})
    assert summary["decided_by"] == {"majority": 6, "verdict": 1}
    categories = {"unsure": 1, "fully_non_relevant": 1, "fully_relevant": 5}
    assert summary["readings"] == [
        {"reading": reading, "categories": categories} for reading in ("value", "missing", "middle")
    ]


def test_only_reviewers_see_the_summary(
    client_of: Clients, project: Project, alice: User, dora: User, bob: User, charlie: User
) -> None:
    summary = "/api/v1/projects/skies/consensus"
    statuses = [client_of(user).get(summary).status_code for user in (alice, dora, bob, charlie, None)]
    assert statuses == [200, 200, 403, 404, 401]


def test_votes_come_in_pages(client_of: Clients, alice: User, image: Image) -> None:
    client = client_of(alice)
    page = client.get(address(image, "votes"), {"limit": 4}).json()
    more = client.get(page["next"]).json()
    assert (len(page["results"]), len(more["results"]), more["next"]) == (4, 3, None)


@pytest.mark.nightly
def test_the_selection_is_null_until_select_ran_and_then_has_its_captions(
    client_of: Clients, alice: User, image: Image, project: Project, run_stage: Callable[..., Run]
) -> None:
    before = client_of(alice).get(address(image, "selection")).json()
    assert (before["status"], before["variant"], before["method"], before["captions"]) == (None, None, "", [])
    run_stage(project, "select", k=3)
    after = client_of(alice).get(address(image, "selection")).json()
    assert (after["status"], after["method"], after["n_good"]) == ("selected", "kmeans", 5)
    assert [caption["position"] for caption in after["captions"]] == [1, 2, 3]
    assert set(after["captions"][0]) == {
        "position", "candidate", "key", "text", "cluster", "is_pinned", "difficulty",
    }  # fmt: skip
    assert [caption["difficulty"] for caption in after["captions"]] == [None] * 3


@pytest.fixture
def rated(image: Image, project: Project, run_stage: Callable[..., Run], settings: Any, tmp_path: Path) -> Image:
    """Five captions asked of three models, one of which says no."""
    settings.MEDIA_ROOT, settings.CALIBRATIONS = tmp_path / "media", tmp_path
    for name, score in (("first", 0.31), ("second", 0.2), ("third", 0.2811)):
        seat(StandIn(name, lambda text, score=score: score), folder=tmp_path)
    store_pictures(project)
    run_stage(project, "select")
    assert run_stage(project, "difficulty", panel="first,second,third").status == RunStatus.SUCCEEDED
    return image


@pytest.mark.nightly
def test_a_chosen_caption_shows_its_difficulty_and_every_models_vote(
    client_of: Clients, dora: User, rated: Image
) -> None:
    [caption, *_] = client_of(dora).get(address(rated, "selection")).json()["captions"]
    difficulty = caption["difficulty"]
    assert (difficulty["category"], difficulty["n_votes"], difficulty["policy"]) == ("medium", 2, "unanimous")
    assert [(one["model"], one["score"], one["threshold"], one["vote"]) for one in difficulty["votes"]] == [
        ("first", 0.31, 0.25, True), ("second", 0.2, 0.25, False), ("third", 0.2811, 0.25, True),
    ]  # fmt: skip
    assert all(len(one["digest"]) == 64 for one in difficulty["votes"])


@pytest.mark.nightly
def test_a_panel_that_is_still_voting_shows_nothing(client_of: Clients, dora: User, rated: Image) -> None:
    Difficulty.objects.update(category="", n_votes=None)
    captions = client_of(dora).get(address(rated, "selection")).json()["captions"]
    assert {caption["difficulty"] for caption in captions} == {None}


@pytest.mark.nightly
@pytest.mark.parametrize("what", ["votes", "selection"])
def test_only_reviewers_of_the_project_get_in(
    client_of: Clients, image: Image, alice: User, dora: User, bob: User, charlie: User, what: str
) -> None:
    statuses = [client_of(user).get(address(image, what)).status_code for user in (alice, dora, bob, charlie, None)]
    assert statuses == [200, 200, 403, 404, 401]


@pytest.mark.parametrize("what", ["votes", "selection"])
def test_an_image_of_another_project_is_not_found(client_of: Clients, image: Image, charlie: User, what: str) -> None:
    through_his_own = f"/api/v1/projects/elsewhere/images/{image.pk}/{what}"
    assert client_of(charlie).get(through_his_own).status_code == 404
