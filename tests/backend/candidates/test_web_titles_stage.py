"""Web titles become candidates; what was answered is never asked again, and what it costs is known before."""

from __future__ import annotations

import io
from collections import deque
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.utils import timezone
from rest_framework.test import APIClient

from backend.candidates import web_titles as service
from backend.candidates.models import Candidate, WebTitles
from backend.candidates.web_titles import estimate_web_titles
from backend.catalogue.models import Image
from backend.people.models import User
from backend.projects.models import Project
from backend.runs.models import Run, RunStatus
from backend.runs.services import cancel_run, retry_run
from judged_project import PulledPlug, make_images, work_on
from panels import store_pictures
from vision_server import KEY, Reply, Vision, fault, found, page, refused, serving
from workers.engines import web_entities
from workers.engines.web_entities import ATTEMPTS, WebEntities
from workers.tasks import web_titles as stage

RunStage = Callable[..., Run]
Clients = Callable[..., APIClient]
ESTIMATE = "/api/v1/projects/skies/web-titles/estimate"


@pytest.fixture
def vision(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Vision]:
    """Google Vision on this machine, a key for it, and nobody who really waits."""
    monkeypatch.setattr(stage, "WebEntities", partial(WebEntities, sleep=lambda seconds: None, read_seconds=0.5))
    settings.MEDIA_ROOT = tmp_path / "media"
    with serving() as server:
        settings.GOOGLE_VISION_KEY, settings.GOOGLE_VISION_ENDPOINT = KEY, server.url
        settings.GOOGLE_VISION_PER_MINUTE = 10**6
        yield server


@pytest.fixture
def images(project: Project, vision: Vision) -> list[Image]:
    """Twenty images by digest, each shown by one page whose title names its digest; thumbnails hold the digest."""
    made = sorted(make_images(project, 20), key=lambda image: image.digest)
    store_pictures(project)
    vision.answers = {sent(image): found(page(title_of(image))) for image in made}
    return made


def sent(image: Image) -> bytes:
    """What is sent about an image: the content of its large thumbnail."""
    return image.digest.encode()


def title_of(image: Image) -> str:
    return f"A <b>red</b> sky over {image.digest[:8]}"


def web_pool(project: Project) -> list[tuple[Any, ...]]:
    """Every web candidate, by image and rank."""
    rows = Candidate.objects.filter(project=project, source="web").order_by("image__digest", "rank")
    return list(rows.values_list("image__digest", "raw_text", "source_ref", "rank", "status", "key"))


def test_titles_become_candidates_with_their_domain_and_place(
    project: Project, images: list[Image], vision: Vision, run_stage: RunStage
) -> None:
    vision.answers[sent(images[0])] = found(
        page("First &amp; best"),
        page("Second", "https://b.example/x"),
        page(None),
        page("First &amp; best", "https://c.example/"),
    )
    run = run_stage(project, "web_titles")
    assert run.status == RunStatus.SUCCEEDED, run.error
    pool = web_pool(project)
    assert [row[:5] for row in pool[:2]] == [
        (images[0].digest, "First &amp; best", "blog.example.org", 1, "new"),
        (images[0].digest, "Second", "b.example", 2, "new"),
    ]
    assert [row[1] for row in pool[2:]] == [title_of(image) for image in images[1:]]
    assert run.counts == {
        "in": 20, "out": 21, "known": 0, "cached": 0, "units": 20, "skipped": 0, "without_titles": 0, "dropped": {},
    }  # fmt: skip
    assert (run.done, run.total) == (20, 20)
    assert run.log_tail == ["20 of 20 images are looked up: 20 units, at most 0.07 USD."]


def test_the_large_thumbnails_are_sent_by_sixteen(
    project: Project, images: list[Image], vision: Vision, run_stage: RunStage
) -> None:
    run_stage(project, "web_titles")
    assert vision.requests == [[sent(image) for image in images[:16]], [sent(image) for image in images[16:]]]


def test_nothing_of_an_answer_but_titles_and_domains_is_kept(
    project: Project, images: list[Image], run_stage: RunStage
) -> None:
    run_stage(project, "web_titles")
    kept = WebTitles.objects.filter(project=project).order_by("digest")
    assert list(kept.values_list("digest", "provider", "titles", "left_out")) == [
        (image.digest, "google_vision", [{"title": title_of(image), "domain": "blog.example.org"}], {})
        for image in images
    ]
    assert all(row.asked_at <= timezone.now() for row in kept)


def test_a_second_run_asks_nothing_and_changes_nothing(
    project: Project, images: list[Image], vision: Vision, run_stage: RunStage
) -> None:
    run_stage(project, "web_titles")
    before = web_pool(project)
    vision.requests.clear()
    run = run_stage(project, "web_titles", most_units=0)
    assert (run.status, vision.requests, web_pool(project)) == (RunStatus.SUCCEEDED, [], before)
    assert (run.counts["units"], run.counts["cached"], run.counts["known"], run.counts["out"]) == (0, 20, 20, 0)
    assert run.log_tail == ["Every image was looked up before: nothing is asked, and nothing is paid."]


def test_only_new_images_are_asked_about(
    project: Project, images: list[Image], vision: Vision, run_stage: RunStage
) -> None:
    WebTitles.objects.bulk_create(
        WebTitles(project=project, provider="google_vision", digest=image.digest) for image in images[:18]
    )
    run = run_stage(project, "web_titles", most_units=2)
    assert vision.asked == [sent(image) for image in images[18:]]
    assert (run.counts["cached"], run.counts["units"], run.counts["without_titles"]) == (18, 2, 18)


def test_odd_titles_are_kept_as_they_are_or_counted_out(
    project: Project, images: list[Image], vision: Vision, run_stage: RunStage
) -> None:
    kept = ["Tab\tand \x01 bell \x07", "空は赤い", "🌆🌆", "x" * 100_000, "<script>alert(1)</script>"]
    others = ["nul \x00", "half \ud83d", "x" * 100_001]
    vision.answers[sent(images[0])] = found(*(page(title) for title in kept + others))
    for _ in range(2):
        run = run_stage(project, "web_titles")
        assert run.status == RunStatus.SUCCEEDED, run.error
        assert run.counts["dropped"] == {"not_text": 2, "too_long": 1}
        assert [row[1] for row in web_pool(project)[:5]] == kept


def test_an_image_that_google_refuses_keeps_the_reason_and_the_others_go_on(
    project: Project, images: list[Image], vision: Vision, run_stage: RunStage
) -> None:
    vision.answers[sent(images[3])] = refused(3, "Bad image data.")
    default_storage.delete(images[5].large)
    run = run_stage(project, "web_titles")
    assert run.status == RunStatus.SUCCEEDED
    assert list(run.refusals.values_list("name", "code", "message")) == [
        (images[3].key, "not_taken", "Bad image data."),
        (images[5].key, "unreadable", "Its large thumbnail is gone from the storage: import the image again."),
    ]
    assert (run.counts["in"], run.counts["out"], run.counts["units"]) == (20, 18, 19)
    assert run.counts["dropped"] == {"not_taken": 1, "unreadable": 1}
    assert run.counts["without_titles"] == 0


def test_what_google_refused_is_not_sent_again_and_still_listed(
    project: Project, images: list[Image], vision: Vision, run_stage: RunStage
) -> None:
    vision.answers[sent(images[3])] = refused(3, "Bad image data.")
    default_storage.delete(images[5].large)
    first = run_stage(project, "web_titles")
    assert estimate_web_titles(project=project).n_to_ask == 1, "the thumbnail may come back"
    vision.requests.clear()
    again = run_stage(project, "web_titles", most_units=1)
    assert (vision.asked, again.counts["units"], again.counts["cached"]) == ([], 0, 19)
    told = [list(run.refusals.values_list("name", "code", "message")) for run in (first, again)]
    assert told[0] == told[1]
    assert again.counts["dropped"] == first.counts["dropped"]


def test_what_was_not_answered_is_paid_for_and_asked_again(
    project: Project, images: list[Image], vision: Vision, run_stage: RunStage
) -> None:
    vision.answers[sent(images[3])] = refused(14, "Unavailable.")
    run = run_stage(project, "web_titles")
    assert list(run.refusals.values_list("name", "code")) == [(images[3].key, "unanswered")]
    assert (run.counts["units"], run.counts["out"]) == (20, 19)
    vision.requests.clear()
    vision.answers[sent(images[3])] = found(page("A late answer"))
    run_stage(project, "web_titles")
    assert vision.asked == [sent(images[3])]
    assert "A late answer" in [row[1] for row in web_pool(project)]


def test_a_picture_too_large_to_send_costs_nothing_once_and_for_all(
    project: Project, images: list[Image], vision: Vision, run_stage: RunStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_entities, "MOST_REQUEST_BYTES", 400)
    default_storage.delete(images[3].large)
    default_storage.save(images[3].large, ContentFile(b"x" * 400))
    run = run_stage(project, "web_titles")
    assert (run.counts["units"], run.counts["dropped"]) == (19, {"too_large": 1})
    assert estimate_web_titles(project=project).n_to_ask == 0


def test_without_a_key_it_says_so_and_asks_nobody(
    project: Project, images: list[Image], vision: Vision, run_stage: RunStage, settings: Any
) -> None:
    settings.GOOGLE_VISION_KEY = ""
    run = run_stage(project, "web_titles")
    assert (run.status, vision.requests, web_pool(project)) == (RunStatus.SUCCEEDED, [], [])
    assert (run.counts["skipped"], run.counts["units"]) == (20, 0)
    assert run.log_tail == [
        "Skipped: 20 images were not looked up, because CONNOTE_GOOGLE_VISION_KEY is not set. The walk goes on without "
        "their web titles."
    ]


def test_without_a_key_what_is_known_still_becomes_candidates(
    project: Project, images: list[Image], vision: Vision, run_stage: RunStage, settings: Any
) -> None:
    run_stage(project, "web_titles")
    Candidate.objects.all().delete()
    WebTitles.objects.filter(digest=images[0].digest).delete()
    settings.GOOGLE_VISION_KEY = ""
    run = run_stage(project, "web_titles")
    assert (len(web_pool(project)), run.counts["skipped"], run.counts["cached"]) == (19, 1, 19)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("key", ["", "not taken"])
def test_the_walk_goes_on_without_web_titles(
    project: Project,
    images: list[Image],
    vision: Vision,
    add_caption: Callable[..., Candidate],
    settings: Any,
    key: str,
) -> None:
    add_caption(images[0], "A red sky over the old harbour")
    settings.GOOGLE_VISION_KEY = key
    out, err = io.StringIO(), io.StringIO()
    call_command("walk", "--project", "skies", "--from", "web_titles", "--to", "clean", stdout=out, stderr=err)
    assert "CONNOTE_GOOGLE_VISION_KEY" in out.getvalue() and "Clean: succeeded." in out.getvalue()
    assert ("Web titles is optional: the walk goes on without it." in err.getvalue()) == bool(key)
    assert vision.requests == []


def test_more_units_than_allowed_are_refused_with_both_numbers_before_anything_is_sent(
    project: Project, images: list[Image], vision: Vision, run_stage: RunStage
) -> None:
    run = run_stage(project, "web_titles", most_units=19)
    assert (run.status, run.error["code"], vision.requests) == (RunStatus.FAILED, "too_many_units", [])
    assert run.error["message"].startswith(
        "20 images would be looked up, and this run may look up 19. Start it with most_units of at least 20 (at most "
        "0.07 USD)"
    )
    assert run_stage(project, "web_titles", most_units=20).status == RunStatus.SUCCEEDED


def test_a_spent_quota_stops_the_run_and_its_retry_asks_only_the_rest(
    project: Project, images: list[Image], vision: Vision, run_stage: RunStage
) -> None:
    late = images[17]
    vision.answers[sent(late)] = refused(8, "Quota exceeded.")
    run = run_stage(project, "web_titles", most_units=20)
    assert (run.status, run.error["code"]) == (RunStatus.FAILED, "quota_spent")
    assert "Quota exceeded." in run.error["message"] and "retry this run later" in run.error["message"]
    assert (run.counts["units"], run.done, WebTitles.objects.count()) == (19, 16, 19)
    assert vision.asked.count(sent(late)) == ATTEMPTS

    vision.requests.clear()
    vision.answers[sent(late)] = found(page(title_of(late)))
    again = work_on(retry_run(run=run, started_by=None))
    assert again.status == RunStatus.SUCCEEDED, again.error
    assert vision.requests == [[sent(late)]]
    assert (again.counts["units"], again.counts["in"], again.counts["out"], again.done) == (20, 20, 20, 20)
    assert [row[1] for row in web_pool(project)] == [title_of(image) for image in images]


def test_a_retry_may_not_pay_for_more_than_the_run_was_allowed(
    project: Project, images: list[Image], vision: Vision, run_stage: RunStage
) -> None:
    vision.script.extend([Reply(), *[fault(429, "Quota.")] * ATTEMPTS])
    run = run_stage(project, "web_titles", most_units=20)
    vision.requests.clear()
    more = Image.objects.create(**vars_of(images[0]), key="new", digest="f" * 64)
    assert more.digest > images[-1].digest
    again = work_on(retry_run(run=run, started_by=None))
    assert (again.error["code"], vision.requests) == ("too_many_units", [])
    assert again.error["message"].startswith("21 images would be looked up, and this run may look up 20.")


def vars_of(image: Image) -> dict[str, Any]:
    """An image's fields, for another one like it."""
    names = {
        "project",
        "perceptual_hash",
        "width",
        "height",
        "format",
        "n_bytes",
        "original",
        "small",
        "large",
        "licence",
    }
    return {name: getattr(image, name) for name in names}


@pytest.mark.parametrize(
    ("reply", "code", "sentence"),
    [
        (fault(403, "Denied."), "key_refused", "the key in CONNOTE_GOOGLE_VISION_KEY (403 Denied.)"),
        (fault(503, "Down."), "unreachable", "it answered 503 Down."),
        (Reply(body=b"<html>"), "malformed_answer", "not JSON in the documented form"),
        (Reply(307, b"", {"Location": "https://elsewhere.example/"}), "web_search", "sends us elsewhere (307)"),
    ],
)  # fmt: skip
def test_what_cannot_go_on_fails_the_run_with_a_sentence(
    project: Project, images: list[Image], vision: Vision, run_stage: RunStage, reply: Reply, code: str, sentence: str
) -> None:
    vision.script.extend([Reply(), *[reply] * 20])
    run = run_stage(project, "web_titles")
    assert (run.status, run.error["code"], run.done) == (RunStatus.FAILED, code, 16)
    assert sentence in run.error["message"]
    assert KEY not in f"{run.error} {run.log_tail} {run.parameters} {run.cursor}"
    assert len(web_pool(project)) == 16


def test_throttling_and_timeouts_are_waited_out(
    project: Project, images: list[Image], vision: Vision, run_stage: RunStage
) -> None:
    vision.script.extend([fault(429, "Slow down.", Retry_After="20"), fault(500), Reply(delay=1), Reply(body=b"[]")])
    run = run_stage(project, "web_titles")
    assert (run.status, run.counts["units"]) == (RunStatus.SUCCEEDED, 20)


def test_an_endpoint_that_is_not_https_is_refused_before_anything_is_sent(
    project: Project, images: list[Image], run_stage: RunStage, settings: Any
) -> None:
    settings.GOOGLE_VISION_ENDPOINT = "http://vision.example.org/v1/images:annotate"
    run = run_stage(project, "web_titles")
    assert (run.status, run.error["code"]) == (RunStatus.FAILED, "unsafe_endpoint")
    assert "CONNOTE_GOOGLE_VISION_ENDPOINT must be an https address" in run.error["message"]


def test_a_killed_worker_asks_nothing_again_and_leaves_what_an_undisturbed_one_does(
    project: Project, images: list[Image], vision: Vision, run_stage: RunStage, monkeypatch: pytest.MonkeyPatch,
    settings: Any,
) -> None:  # fmt: skip
    undisturbed = run_stage(project, "web_titles")
    expected = web_pool(project)
    Candidate.objects.all().delete()
    WebTitles.objects.all().delete()
    vision.requests.clear()

    def pull_the_plug(**given: Any) -> None:
        raise PulledPlug

    run = Run.objects.create(project=project, stage="web_titles", parameters=undisturbed.parameters)
    with monkeypatch.context() as patch, pytest.raises(PulledPlug):
        patch.setattr(service, "add_titles", pull_the_plug)
        work_on(run)
    assert (len(vision.asked), WebTitles.objects.count(), web_pool(project)) == (16, 16, [])
    settings.RUN_STALE_SECONDS = -1
    run = work_on(run)
    assert (run.status, run.attempt, run.done) == (RunStatus.SUCCEEDED, 2, 20)
    assert web_pool(project) == expected
    assert vision.asked == [sent(image) for image in images]


def test_a_cancelled_run_keeps_what_was_paid_for(
    project: Project, images: list[Image], vision: Vision, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Run.objects.create(project=project, stage="web_titles", parameters={"most_units": 100})
    ask = stage.ask_about

    def ask_and_cancel(*given: Any) -> stage.Asked:
        cancel_run(run=Run.objects.get(pk=run.pk))
        return ask(*given)

    with monkeypatch.context() as patch:
        patch.setattr(stage, "ask_about", ask_and_cancel)
        run = work_on(run)
    assert (run.status, WebTitles.objects.count(), web_pool(project)) == (RunStatus.CANCELLED, 16, [])
    again = work_on(retry_run(run=run, started_by=None))
    assert (again.status, len(web_pool(project))) == (RunStatus.SUCCEEDED, 20)
    assert len(vision.asked) == 20


def test_an_image_that_goes_while_it_is_looked_up_is_no_fault(
    project: Project, images: list[Image], run_stage: RunStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = stage.ask_about

    def ask_and_delete(*given: Any) -> stage.Asked:
        Image.objects.filter(digest=images[2].digest).delete()
        return ask(*given)

    monkeypatch.setattr(stage, "ask_about", ask_and_delete)
    run = run_stage(project, "web_titles")
    assert (run.status, len(web_pool(project))) == (RunStatus.SUCCEEDED, 19)


def test_another_project_with_the_same_picture_learns_nothing_of_it(
    project: Project, images: list[Image], vision: Vision, run_stage: RunStage, charlie: User
) -> None:
    run_stage(project, "web_titles")
    elsewhere = Project.objects.get(slug="elsewhere")
    Image.objects.create(**vars_of(images[0]) | {"project": elsewhere}, key="mine", digest=images[0].digest)
    estimate = estimate_web_titles(project=elsewhere)
    assert (estimate.n_images, estimate.n_cached, estimate.n_to_ask) == (1, 0, 1)
    vision.requests.clear()
    vision.answers[sent(images[0])] = deque([found(page("Told to Charlie"))])
    run_stage(elsewhere, "web_titles")
    assert vision.asked == [sent(images[0])]
    assert [row[1] for row in web_pool(elsewhere)] == ["Told to Charlie"]
    assert len(web_pool(project)) == 20


def test_the_estimate_counts_what_would_be_asked_and_rounds_its_price_up(
    project: Project, images: list[Image], settings: Any, django_assert_num_queries: Any
) -> None:
    WebTitles.objects.create(project=project, provider="google_vision", digest=images[0].digest)
    WebTitles.objects.create(project=project, provider="google_vision", digest="e" * 64)
    settings.GOOGLE_VISION_CENTS, settings.GOOGLE_VISION_FREE_UNITS = 350, 10
    with django_assert_num_queries(2):
        found = estimate_web_titles(project=project)
    assert (found.n_images, found.n_cached, found.n_to_ask, found.units) == (20, 1, 19, 19)
    # 19 units at 0.35 cents are 6.65 cents; without the ten free ones 3.15.
    assert (found.cost, found.least_cost, found.currency) == (Decimal("0.07"), Decimal("0.04"), "USD")


@pytest.mark.parametrize(("units", "price"), [(0, "0.00"), (1, "0.01"), (1000, "3.50"), (5000, "17.50")])
def test_prices_are_exact(units: int, price: str) -> None:
    assert str(service.price_of(units)) == price


def test_the_estimate_is_for_reviewers_of_the_project_alone(
    client_of: Clients, alice: User, dora: User, bob: User, charlie: User, images: list[Image]
) -> None:
    people: tuple[User | None, ...] = (alice, dora, bob, charlie, None)
    assert [client_of(one).get(ESTIMATE).status_code for one in people] == [200, 200, 403, 404, 401]
    assert client_of(alice).get(ESTIMATE).json() == {
        "n_images": 20, "n_cached": 0, "n_to_ask": 20, "units": 20,
        "least_cost": "0.00", "cost": "0.07", "currency": "USD", "has_key": True,
    }  # fmt: skip


def test_the_number_of_queries_does_not_grow_with_the_images_of_a_slice(
    project: Project, images: list[Image], run_stage: RunStage, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(60):
        run_stage(project, "web_titles")
