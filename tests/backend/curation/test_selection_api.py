"""The selection over HTTP: counts, images, the plane of one image, pins and bans, and more captions for short pools."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rest_framework.test import APIClient

from api_examples import Examples
from backend.catalogue.models import Corpus
from backend.curation.models import CaptionChoice, Selection, SelectionItem
from backend.people.models import User
from backend.projects.models import Project
from backend.runs.models import Run, RunStatus
from cast import bob_and_dora
from judged_project import finish_stage, judge_all
from world import World

Clients = Callable[..., APIClient]
RunStage = Callable[..., Run]
HERE = "/api/v1/projects/skies"
WHY = "It names the mood."


def select(project: Project) -> None:
    """Three images of eight captions; people rejected half of the first one's, and one of the second's."""
    bad = {(0, 0), (0, 1), (0, 2), (0, 3), (1, 0)}
    opinion = lambda image, at, _: "bad" if (image, at) in bad else "good"  # noqa: E731
    judge_all(project, people=bob_and_dora(), images=3, captions=8, opinion=opinion)
    finish_stage(project, "consensus")
    finish_stage(project, "select")


KEPT_WORLD = select


@pytest.fixture
def selected(project: Project) -> Project:
    return project


@pytest.mark.nightly
def test_the_summary_counts_images_and_names_the_run(client_of: Clients, dora: User, selected: Project) -> None:
    told = client_of(dora).get(f"{HERE}/selection/summary").json()
    run = told.pop("run")
    assert 0 <= told.pop("mean_stability") <= 1
    assert told == {
        "n_images": 3, "n_selected": 2, "n_short": 1, "n_missing": 1, "n_with_negative": 1, "n_pinned": 0,
        "n_banned": 0, "n_waiting": 0,
    }  # fmt: skip
    assert (run["variant"], run["k"], run["seed"], list(run["models"])) == ("kmeans", 5, 7, ["words"])


def test_images_are_listed_by_status_and_in_every_order_page_by_page(
    client_of: Clients, dora: User, selected: Project
) -> None:
    client = client_of(dora)
    short = client.get(f"{HERE}/selection/images", {"status": "short_pool"}).json()["results"]
    assert [(row["n_good"], row["n_missing"], row["method"], row["captions"]) for row in short] == [(4, 1, "", [])]
    for order, key in (
        ("stability", "stability"),
        ("similarity", "mean_similarity"),
        ("n_good", "n_good"),
        ("image", ""),
    ):
        rows, page = [], client.get(f"{HERE}/selection/images", {"order": order, "limit": 1}).json()
        while page:
            rows += page["results"]
            page = page["next"] and client.get(page["next"]).json()
        values = [row[key] if key else row["image"]["id"] for row in rows]
        known = [value for value in values if value is not None]
        assert known == sorted(known, reverse=order == "similarity")
        assert values[len(known) :] == [None] * (3 - len(known))
    row = client.get(f"{HERE}/selection/images", {"status": "selected"}).json()["results"][0]
    assert set(row["image"]) == {"id", "key", "title", "thumbnail"}
    assert [caption["position"] for caption in row["captions"]] == [1, 2, 3, 4, 5]
    assert client.get(f"{HERE}/selection/images", {"order": "size"}).status_code == 400


def test_the_plane_has_every_good_caption_and_says_which_are_chosen_pinned_and_banned(
    client_of: Clients, dora: User, selected: Project
) -> None:
    client, image = client_of(dora), Selection.objects.filter(status="selected", n_good=8).get().image
    space = client.get(f"{HERE}/images/{image.pk}/caption_space").json()
    assert (space["status"], space["variant"], space["method"], len(space["points"])) == (
        "selected", "kmeans", "kmeans", 8,
    )  # fmt: skip
    chosen = {point["candidate"] for point in space["points"] if point["is_chosen"]}
    assert chosen == set(SelectionItem.objects.filter(selection__image=image).values_list("candidate", flat=True))
    first, second, *_ = space["points"]
    client.put(f"{HERE}/captions/{first['candidate']}/choice", {"kind": "pin", "reason": WHY}, "json")
    client.put(f"{HERE}/captions/{second['candidate']}/choice", {"kind": "ban", "reason": WHY}, "json")
    now = client.get(f"{HERE}/images/{image.pk}/caption_space").json()["points"]
    assert [(point["is_pinned"], point["is_banned"]) for point in now[:3]] == [
        (True, False), (False, True), (False, False),
    ]  # fmt: skip
    assert not any(point["is_truncated"] for point in now)


def test_a_short_pool_and_an_image_before_select_have_no_points(
    client_of: Clients, dora: User, selected: Project
) -> None:
    image = World(selected).image("new.jpg")
    before = client_of(dora).get(f"{HERE}/images/{image.pk}/caption_space").json()
    assert before == {"status": None, "variant": None, "method": "", "points": []}
    short = Selection.objects.get(status="short_pool").image
    after = client_of(dora).get(f"{HERE}/images/{short.pk}/caption_space").json()
    assert (after["status"], after["points"]) == ("short_pool", [])


@pytest.mark.nightly
def test_a_pin_waits_for_the_next_select_and_keeps_its_history(
    client_of: Clients, dora: User, alice: User, selected: Project, run_stage: RunStage
) -> None:
    selection = Selection.objects.filter(status="selected", n_good=8).get()
    chosen = set(selection.items.values_list("candidate", flat=True))
    left = next(row.pk for row in selection.image.candidates.order_by("pk") if row.pk not in chosen)
    address = f"{HERE}/captions/{left}/choice"
    made = client_of(dora).put(address, {"kind": "pin", "reason": WHY}, "json").json()
    assert (made["kind"], made["reason"], made["made_by"]) == ("pin", WHY, dora.shown_name)
    votes = client_of(dora).get(f"{HERE}/images/{selection.image_id}/votes").json()["results"]
    assert [row["choice"]["kind"] for row in votes if row["choice"]] == ["pin"]
    assert client_of(dora).get(f"{HERE}/selection/summary").json()["n_waiting"] == 1
    run_stage(project=selected, stage="select")
    told = client_of(dora).get(f"{HERE}/selection/summary").json()
    assert (told["n_waiting"], told["n_pinned"]) == (0, 1)
    captions = client_of(dora).get(f"{HERE}/images/{selection.image_id}/selection").json()["captions"]
    assert [caption["candidate"] for caption in captions if caption["is_pinned"]] == [left]
    client_of(alice).put(address, {"kind": "ban", "reason": "Too vague."}, "json")
    assert [client_of(alice).delete(address).status_code for _ in range(2)] == [204, 204]
    history = client_of(dora).get(address).json()
    assert [(row["kind"], row["reason"], row["made_by"]) for row in history] == [
        ("", "", alice.shown_name), ("ban", "Too vague.", alice.shown_name), ("pin", WHY, dora.shown_name),
    ]  # fmt: skip


def test_pins_are_refused_with_a_sentence_where_they_cannot_hold(
    client_of: Clients, dora: User, selected: Project
) -> None:
    client = client_of(dora)
    image = Selection.objects.filter(status="selected", n_good=8).get().image
    ids = list(image.candidates.order_by("pk").values_list("pk", flat=True))
    sent = {"kind": "pin", "reason": WHY}
    assert [client.put(f"{HERE}/captions/{pk}/choice", sent, "json").status_code for pk in ids[:5]] == [200] * 5
    sixth = client.put(f"{HERE}/captions/{ids[5]}/choice", sent, "json")
    assert (sixth.status_code, sixth.json()["code"]) == (409, "too_many_pins")
    assert "already has 5 pinned captions, and Select chooses 5" in sixth.json()["message"]
    assert client.put(f"{HERE}/captions/{ids[0]}/choice", sent, "json").status_code == 200
    bad = Selection.objects.get(status="short_pool").image.candidates.filter(consensus__label="bad").earliest("pk")
    refused = client.put(f"{HERE}/captions/{bad.pk}/choice", sent, "json")
    assert (refused.status_code, refused.json()["code"]) == (409, "pin_not_good")
    assert client.put(f"{HERE}/captions/{bad.pk}/choice", {"kind": "ban", "reason": WHY}, "json").status_code == 200
    for wrong in ({"kind": "pin"}, {"kind": "love", "reason": WHY}, {"kind": "pin", "reason": " "}):
        assert client.put(f"{HERE}/captions/{ids[6]}/choice", wrong, "json").status_code == 400
    assert client.put(f"{HERE}/captions/999999/choice", sent, "json").status_code == 404


def test_more_captions_are_searched_for_the_short_pools_alone_and_further_each_time(
    client_of: Clients, alice: User, dora: User, selected: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backend.runs.queue.send_run", lambda *_, **__: None)
    address = f"{HERE}/selection/short_pools/more"
    assert client_of(alice).post(address).json()["code"] == "not_startable"
    Corpus.objects.create(project=selected, name="near", folder="near", layout="table", digest="d", n_shards=1)
    first = client_of(alice).post(address)
    assert (first.status_code, first.json()["stage"]) == (201, "retrieve")
    asked = first.json()["parameters"]
    assert (asked["images"], asked["radius"], asked["low"]) == ("short_pools", 50, 70)
    assert client_of(alice).post(address).json()["code"] == "stage_running"
    Run.objects.filter(pk=first.json()["id"]).update(status=RunStatus.SUCCEEDED, finished_at="2026-01-01T00:00Z")
    again = client_of(alice).post(address).json()["parameters"]
    assert (again["images"], again["radius"], again["low"]) == ("short_pools", 100, 65)
    assert client_of(dora).post(address).status_code == 403
    Selection.objects.all().delete()
    assert client_of(alice).post(address).json()["code"] == "no_short_pools"


READS = ("selection/summary", "selection/images", "images/{image}/caption_space", "captions/{caption}/choice")


@pytest.mark.nightly
def test_only_reviewers_of_the_project_read_the_selection(
    client_of: Clients, selected: Project, alice: User, dora: User, bob: User, charlie: User
) -> None:
    item = SelectionItem.objects.select_related("selection").first()
    assert item is not None
    for what in READS:
        address = f"{HERE}/{what.format(image=item.selection.image_id, caption=item.candidate_id)}"
        statuses = [client_of(user).get(address).status_code for user in (alice, dora, bob, charlie, None)]
        assert statuses == [200, 200, 403, 404, 401], what


def test_only_reviewers_pin_and_only_curators_ask_for_more(
    client_of: Clients, selected: Project, bob: User, dora: User, charlie: User, alice: User
) -> None:
    caption = SelectionItem.objects.values_list("candidate", flat=True)[0]
    address, sent = f"{HERE}/captions/{caption}/choice", {"kind": "ban", "reason": WHY}

    def statuses(ask: Callable[[APIClient], Any]) -> list[int]:
        return [ask(client_of(user)).status_code for user in (bob, charlie, None)]

    assert statuses(lambda client: client.put(address, sent, "json")) == [403, 404, 401]
    assert statuses(lambda client: client.delete(address)) == [403, 404, 401]
    assert statuses(lambda client: client.post(f"{HERE}/selection/short_pools/more")) == [403, 404, 401]
    assert not CaptionChoice.objects.exists()


def test_the_selection_is_as_in_its_examples(
    example: Examples, client_of: Clients, dora: User, selected: Project, alice: User, tmp_path: Path
) -> None:
    client, skies = client_of(dora), "projects/skies"
    selection = Selection.objects.filter(status="selected", n_good=8).get()
    image, pair = f"{skies}/images/{selection.image_id}", selection.items.all()[0].candidate_id
    example("projects_selection_summary_retrieve", client.get, f"{skies}/selection/summary")
    example("projects_selection_images_list", client.get, f"{skies}/selection/images")
    choice = f"{skies}/captions/{pair}/choice"
    example("projects_captions_choice_update", client.put, choice, {"kind": "pin", "reason": WHY})
    example("projects_captions_choice_list", client.get, choice)
    example("projects_images_caption_space_retrieve", client.get, f"{image}/caption_space")
    example("projects_images_selection_retrieve", client.get, f"{image}/selection")
    example("projects_images_votes_list", client.get, f"{image}/votes")
    example("projects_consensus_retrieve", client.get, f"{skies}/consensus")
    example("projects_captions_choice_destroy", client.delete, choice)
    facts = {"folder": str(tmp_path), "layout": "webdataset", "n_shards": 1}
    Corpus.objects.create(project=selected, name="near", digest="0" * 64, **facts)
    example("projects_selection_short_pools_more_create", client_of(alice).post, f"{skies}/selection/short_pools/more")
