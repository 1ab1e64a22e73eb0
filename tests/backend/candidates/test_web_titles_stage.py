"""Web titles become candidates, each picture is asked about once, and without a key the walk goes on."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from backend.candidates.models import Candidate, WebTitles
from backend.catalogue.models import Image
from backend.projects.models import Project
from backend.runs.models import Run, RunStatus
from backend.runs.stage_command import StageFailedError
from vision_server import Vision, found, page
from web_titles import sent, title_of, web_pool

RunStage = Callable[..., Run]


def test_titles_become_candidates_with_their_domain_and_place(
    project: Project, shown: list[Image], vision: Vision, run_stage: RunStage
) -> None:
    vision.answers[sent(shown[0])] = found(
        page("First &amp; best"),
        page("Second", "https://b.example/x"),
        page(None),
        page("First &amp; best", "https://c.example/"),
    )
    run = run_stage(project, "web_titles")
    assert run.status == RunStatus.SUCCEEDED, run.error
    pool = web_pool(project)
    assert [row[:5] for row in pool[:2]] == [
        (shown[0].digest, "First &amp; best", "blog.example.org", 1, "new"),
        (shown[0].digest, "Second", "b.example", 2, "new"),
    ]
    assert [row[1] for row in pool[2:]] == [title_of(image) for image in shown[1:]]
    assert run.counts == {
        "in": 20, "out": 21, "known": 0, "cached": 0, "units": 20, "skipped": 0, "without_titles": 0, "dropped": {},
    }  # fmt: skip
    assert (run.done, run.total) == (20, 20)
    assert run.log_tail == ["20 of 20 images are looked up: 20 units, at most 0.07 USD."]


def test_the_large_thumbnails_are_sent_by_sixteen(
    project: Project, shown: list[Image], vision: Vision, run_stage: RunStage
) -> None:
    run_stage(project, "web_titles")
    assert vision.requests == [[sent(image) for image in shown[:16]], [sent(image) for image in shown[16:]]]


def test_nothing_of_an_answer_but_titles_and_domains_is_kept(
    project: Project, shown: list[Image], run_stage: RunStage
) -> None:
    run_stage(project, "web_titles")
    kept = WebTitles.objects.filter(project=project).order_by("digest")
    assert list(kept.values_list("digest", "provider", "titles", "left_out")) == [
        (image.digest, "google_vision", [{"title": title_of(image), "domain": "blog.example.org"}], {})
        for image in shown
    ]
    assert all(row.asked_at <= timezone.now() for row in kept)


def test_a_second_run_asks_nothing_and_changes_nothing(
    project: Project, shown: list[Image], vision: Vision, run_stage: RunStage
) -> None:
    run_stage(project, "web_titles")
    before = web_pool(project)
    vision.requests.clear()
    run = run_stage(project, "web_titles", most_units=0)
    assert (run.status, vision.requests, web_pool(project)) == (RunStatus.SUCCEEDED, [], before)
    assert (run.counts["units"], run.counts["cached"], run.counts["known"], run.counts["out"]) == (0, 20, 20, 0)
    assert run.log_tail == ["All images were looked up before. Nothing is sent, and nothing is paid."]


def test_only_new_images_are_asked_about(
    project: Project, shown: list[Image], vision: Vision, run_stage: RunStage
) -> None:
    WebTitles.objects.bulk_create(
        WebTitles(project=project, provider="google_vision", digest=image.digest) for image in shown[:18]
    )
    run = run_stage(project, "web_titles", most_units=2)
    assert vision.asked == [sent(image) for image in shown[18:]]
    assert (run.counts["cached"], run.counts["units"], run.counts["without_titles"]) == (18, 2, 18)


@pytest.mark.nightly
def test_odd_titles_are_kept_as_they_are_or_counted_out(
    project: Project, shown: list[Image], vision: Vision, run_stage: RunStage
) -> None:
    kept = ["Tab\tand \x01 bell \x07", "空は赤い", "🌆🌆", "x" * 100_000, "<script>alert(1)</script>"]
    others = ["nul \x00", "half \ud83d", "x" * 100_001]
    vision.answers[sent(shown[0])] = found(*(page(title) for title in kept + others))
    for _ in range(2):
        run = run_stage(project, "web_titles")
        assert run.status == RunStatus.SUCCEEDED, run.error
        assert run.counts["dropped"] == {"not_text": 2, "too_long": 1}
        assert [row[1] for row in web_pool(project)[:5]] == kept


def test_without_a_key_it_says_so_and_asks_nobody(
    project: Project, shown: list[Image], vision: Vision, run_stage: RunStage, settings: Any
) -> None:
    settings.GOOGLE_VISION_KEY = ""
    run = run_stage(project, "web_titles")
    assert (run.status, vision.requests, web_pool(project)) == (RunStatus.SUCCEEDED, [], [])
    assert (run.counts["skipped"], run.counts["units"]) == (20, 0)
    assert run.log_tail == [
        "20 images were not looked up, because CONNOTE_GOOGLE_VISION_KEY is not set. The pipeline continues without "
        "their web titles."
    ]


@pytest.mark.nightly
def test_without_a_key_what_is_known_still_becomes_candidates(
    project: Project, shown: list[Image], vision: Vision, run_stage: RunStage, settings: Any
) -> None:
    run_stage(project, "web_titles")
    Candidate.objects.all().delete()
    WebTitles.objects.filter(digest=shown[0].digest).delete()
    settings.GOOGLE_VISION_KEY = ""
    run = run_stage(project, "web_titles")
    assert (len(web_pool(project)), run.counts["skipped"], run.counts["cached"]) == (19, 1, 19)


@pytest.mark.nightly
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("key", ["", "not taken"])
def test_the_walk_goes_on_without_web_titles_and_says_at_its_end_that_they_failed(
    project: Project,
    shown: list[Image],
    vision: Vision,
    add_caption: Callable[..., Candidate],
    settings: Any,
    key: str,
) -> None:
    add_caption(shown[0], "A red sky over the old harbour")
    settings.GOOGLE_VISION_KEY = key
    out, err = io.StringIO(), io.StringIO()
    ends: Any = pytest.raises(StageFailedError, match="Web titles") if key else nullcontext()
    with ends:
        call_command("walk", "--project", "skies", "--from", "web_titles", "--to", "clean", stdout=out, stderr=err)
    assert "CONNOTE_GOOGLE_VISION_KEY" in out.getvalue() and "Clean captions: succeeded." in out.getvalue()
    assert ("is optional. The pipeline goes on without it." in err.getvalue()) == bool(key)
    assert vision.requests == []
