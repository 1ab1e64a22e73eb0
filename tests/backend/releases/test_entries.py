"""The entries of a release, found by what one of their captions is like."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from backend.annotation.models import Judgment, Slot
from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.curation.models import SelectionItem
from backend.people.models import User
from backend.projects.models import Project
from backend.releases.models import Release, ReleaseCaption, ReleaseEntry, ReleaseFile
from backend.runs.models import Run, RunStatus
from released_worlds import choose

KEPT_WORLD = choose

pytestmark = pytest.mark.both_engines

Clients = Callable[..., APIClient]
Shown = Callable[..., list[tuple[int, list[str]]]]


@pytest.fixture
def release(chosen: Project, run_stage: Callable[..., Run]) -> Release:
    """Bob calls the first caption of the first image figurative, dora emotional; one of the third is from the web."""
    first, _, third = Image.objects.filter(project=chosen).order_by("digest")
    of_captions = SelectionItem.objects.values("candidate")
    told = Candidate.objects.filter(image=first, pk__in=of_captions).order_by("key")
    for judgment, lens in zip(
        Judgment.objects.filter(candidate=told[0], label="good"), ("figurative", "emotional"), strict=False
    ):
        Judgment.objects.filter(pk=judgment.pk).update(lens=lens)
    web = Candidate.objects.filter(image=third, pk__in=of_captions).order_by("key")[0]
    Candidate.objects.filter(pk=web.pk).update(source="web")
    run = run_stage(chosen, "release", shares="40,30,30")
    assert run.status == RunStatus.SUCCEEDED, run.error
    Slot.objects.filter(assignment=None).delete()
    return Release.objects.get(project=chosen)


@pytest.fixture
def shown(client_of: Clients, alice: User, release: Release) -> Shown:
    """(position, keys of the captions that fit) of each entry that the filter finds."""

    def ask(**asked: object) -> list[tuple[int, list[str]]]:
        answer = client_of(alice).get(f"/api/v1/releases/{release.pk}/entries", asked)
        assert answer.status_code == 200, answer.json()
        rows = answer.json()["results"]
        return [(row["position"], [each["key"] for each in row["captions"] if each["is_match"]]) for row in rows]

    return ask


def frozen(release: Release) -> list[tuple[int, dict[str, Any], dict[str, Any]]]:
    entries = ReleaseEntry.objects.filter(release=release).order_by("position")
    return [(entry.position, entry.body, caption) for entry in entries for caption in entry.body["captions"]]


def fitting(release: Release, fits: Callable[[dict[str, Any], dict[str, Any]], bool]) -> list[tuple[int, list[str]]]:
    found: dict[int, list[str]] = {}
    for position, body, caption in frozen(release):
        if fits(body, caption):
            found.setdefault(position, []).append(caption["key"])
    return list(found.items())


def share(caption: dict[str, Any]) -> float:
    return float(caption["n_good"] / (caption["n_good"] + caption["n_bad"] + caption["n_unsure"]))


@pytest.mark.nightly
def test_each_filter_finds_what_the_frozen_lines_say(shown: Shown, release: Release) -> None:
    everything = fitting(release, lambda body, caption: True)
    assert len(everything) == 3
    assert shown() == shown(difficulty="not_asked") == everything
    assert shown(difficulty="hard") == []
    assert shown(source="web") == fitting(release, lambda body, caption: caption["source"] == "web") != []
    for split in ("train", "validation", "test"):
        assert shown(split=split) == fitting(release, lambda body, _, split=split: body["split"] == split), split
    assert shown(min_agreement=0) == everything
    for least in (0.51, 1):
        assert shown(min_agreement=least) == fitting(
            release, lambda body, caption, least=least: share(caption) >= least
        ), least


def test_a_lens_is_found_whoever_of_its_annotators_chose_it(shown: Shown, release: Release) -> None:
    lenses = {(row.position, row.key): row.lenses for row in ReleaseCaption.objects.exclude(lenses="")}
    assert len(lenses) == 1
    (position, key), chosen = next(iter(lenses.items()))
    assert position == 1
    for lens in chosen.split():
        assert shown(lens=lens) == [(1, [key])]
    assert shown(lens="literal") == []


@pytest.mark.nightly
def test_one_caption_must_be_like_all_that_is_asked(shown: Shown, release: Release) -> None:
    """The web's caption and the figurative one are of two images."""
    lens = ReleaseCaption.objects.exclude(lenses="")[0].lenses.split()[0]
    assert shown(source="web") != [] != shown(lens=lens)
    assert shown(source="web", lens=lens) == []
    web = next(body["split"] for _, body, caption in frozen(release) if caption["source"] == "web")
    assert [position for position, _ in shown(source="web", split=web)] == [3]


@pytest.mark.nightly
def test_lenses_that_are_left_out_are_not_told(
    chosen: Project, run_stage: Callable[..., Run], release: Release
) -> None:
    assert run_stage(chosen, "release", leave_out="lenses").status == RunStatus.SUCCEEDED
    newest = Release.objects.filter(project=chosen).latest("version")
    assert newest != release
    assert set(newest.captions.values_list("lenses", flat=True)) == {""}


@pytest.mark.nightly
def test_a_filter_goes_on_over_pages_in_a_few_queries(client_of: Clients, alice: User, release: Release) -> None:
    client, address = client_of(alice), f"/api/v1/releases/{release.pk}/entries"
    with CaptureQueriesContext(
        connection,
    ) as queries:
        page = client.get(address, {"limit": 2, "difficulty": "not_asked"}).json()
    rest = client.get(page["next"]).json()
    assert [row["position"] for row in page["results"] + rest["results"]] == [1, 2, 3]
    assert rest["next"] is None
    assert len(queries) <= 12


IMPOSSIBLE = [
    ("difficulty", "severe"), ("lens", "x"), ("split", "dev"), ("min_agreement", "1.1"), ("min_agreement", "nan"),
    ("source", "a\0b"),
]  # fmt: skip


@pytest.mark.nightly
def test_a_filter_that_cannot_be_is_refused(client_of: Clients, alice: User, release: Release) -> None:
    for field, value in IMPOSSIBLE:
        answer = client_of(alice).get(f"/api/v1/releases/{release.pk}/entries", {field: value})
        assert answer.status_code == 400, (field, value)
        assert set(answer.json()["fields"]) == {field}, value


def test_one_image_is_read_by_its_digest_with_its_line(client_of: Clients, alice: User, release: Release) -> None:
    entry = ReleaseEntry.objects.filter(release=release).latest("position")
    client, own = client_of(alice), f"/api/v1/releases/{release.pk}"
    shown = client.get(f"{own}/images/{entry.digest}").json()
    assert shown.pop("row") == entry.body
    assert shown == client.get(f"{own}/entries").json()["results"][-1]
    for nothing in ("0" * 64, "x", entry.digest.upper()):
        answer = client.get(f"{own}/images/{nothing}")
        assert (answer.status_code, answer.json()["code"]) == (404, "no_such_image_in_release")


def test_older_releases_are_given_their_rows_from_their_frozen_lines(release: Release) -> None:
    columns = ("position", "key", "split", "source", "difficulty", "agreement")
    before = list(ReleaseCaption.objects.order_by("position", "key").values_list(*columns))
    assert len(before) == release.n_captions == 15
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM releases_releasecaption")
    importlib.import_module("backend.releases.migrations.0002_captions_to_filter_by").fill_in(apps, None)
    assert list(ReleaseCaption.objects.order_by("position", "key").values_list(*columns)) == before
    assert ReleaseFile.objects.filter(release=release).exists()
