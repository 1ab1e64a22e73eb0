"""What Google refuses, throttles or never answers, and runs that are killed, cancelled or out of quota."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from backend.candidates import web_titles as service
from backend.candidates.models import Candidate, WebTitles
from backend.candidates.web_titles import estimate_web_titles
from backend.catalogue.models import Image
from backend.projects.models import Project
from backend.runs.models import Run, RunStatus
from backend.runs.services import cancel_run, retry_run
from judged_project import PulledPlug, fall_silent, work_on
from vision_server import KEY, Reply, Vision, fault, found, page, refused
from web_titles import sent, title_of, web_pool
from workers.engines import web_entities
from workers.engines.web_entities import ATTEMPTS
from workers.tasks import web_titles as stage

RunStage = Callable[..., Run]


@pytest.mark.nightly
def test_an_image_that_google_refuses_keeps_the_reason_and_the_others_go_on(
    project: Project, shown: list[Image], vision: Vision, run_stage: RunStage
) -> None:
    vision.answers[sent(shown[3])] = refused(3, "Bad image data.")
    default_storage.delete(shown[5].large)
    run = run_stage(project, "web_titles")
    assert run.status == RunStatus.SUCCEEDED
    assert list(run.refusals.values_list("name", "code", "message")) == [
        (shown[3].key, "not_taken", "Bad image data."),
        (shown[5].key, "unreadable", "Its large thumbnail is missing from the storage. Import the image again."),
    ]
    assert (run.counts["in"], run.counts["out"], run.counts["units"]) == (20, 18, 19)
    assert run.counts["dropped"] == {"not_taken": 1, "unreadable": 1}
    assert run.counts["without_titles"] == 0


@pytest.mark.nightly
def test_what_google_refused_is_not_sent_again_and_still_listed(
    project: Project, shown: list[Image], vision: Vision, run_stage: RunStage
) -> None:
    vision.answers[sent(shown[3])] = refused(3, "Bad image data.")
    default_storage.delete(shown[5].large)
    first = run_stage(project, "web_titles")
    assert estimate_web_titles(project=project).n_to_ask == 1, "the thumbnail may come back"
    vision.requests.clear()
    again = run_stage(project, "web_titles", most_units=1)
    assert (vision.asked, again.counts["units"], again.counts["cached"]) == ([], 0, 19)
    told = [list(run.refusals.values_list("name", "code", "message")) for run in (first, again)]
    assert told[0] == told[1]
    assert again.counts["dropped"] == first.counts["dropped"]


def test_what_was_not_answered_is_paid_for_and_asked_again(
    project: Project, shown: list[Image], vision: Vision, run_stage: RunStage
) -> None:
    vision.answers[sent(shown[3])] = refused(14, "Unavailable.")
    run = run_stage(project, "web_titles")
    assert list(run.refusals.values_list("name", "code")) == [(shown[3].key, "unanswered")]
    assert (run.counts["units"], run.counts["out"]) == (20, 19)
    vision.requests.clear()
    vision.answers[sent(shown[3])] = found(page("A late answer"))
    run_stage(project, "web_titles")
    assert vision.asked == [sent(shown[3])]
    assert "A late answer" in [row[1] for row in web_pool(project)]


def test_a_picture_too_large_to_send_costs_nothing_once_and_for_all(
    project: Project, shown: list[Image], vision: Vision, run_stage: RunStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_entities, "MOST_REQUEST_BYTES", 400)
    default_storage.delete(shown[3].large)
    default_storage.save(shown[3].large, ContentFile(b"x" * 400))
    run = run_stage(project, "web_titles")
    assert (run.counts["units"], run.counts["dropped"]) == (19, {"too_large": 1})
    assert estimate_web_titles(project=project).n_to_ask == 0


@pytest.mark.nightly
def test_a_spent_quota_stops_the_run_and_its_retry_asks_only_the_rest(
    project: Project, shown: list[Image], vision: Vision, run_stage: RunStage
) -> None:
    late = shown[17]
    vision.answers[sent(late)] = refused(8, "Quota exceeded.")
    run = run_stage(project, "web_titles", most_units=20)
    assert (run.status, run.error["code"]) == (RunStatus.FAILED, "quota_spent")
    assert "Quota exceeded." in run.error["message"] and "Retry this run later" in run.error["message"]
    assert (run.counts["units"], run.done, WebTitles.objects.count()) == (19, 16, 19)
    assert vision.asked.count(sent(late)) == ATTEMPTS

    vision.requests.clear()
    vision.answers[sent(late)] = found(page(title_of(late)))
    again = work_on(retry_run(run=run, started_by=None))
    assert again.status == RunStatus.SUCCEEDED, again.error
    assert vision.requests == [[sent(late)]]
    assert (again.counts["units"], again.counts["in"], again.counts["out"], again.done) == (20, 20, 20, 20)
    assert [row[1] for row in web_pool(project)] == [title_of(image) for image in shown]


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("reply", "code", "sentence"),
    [
        (fault(403, "Denied."), "key_refused", "the key in CONNOTE_GOOGLE_VISION_KEY (403 Denied.)"),
        (fault(503, "Down."), "unreachable", "it answered 503 Down."),
        (Reply(body=b"<html>"), "malformed_answer", "not JSON in the documented form"),
        (Reply(307, b"", {"Location": "https://elsewhere.example/"}), "web_search", "redirects to another address"),
    ],
)  # fmt: skip
def test_what_cannot_go_on_fails_the_run_with_a_sentence(
    project: Project, shown: list[Image], vision: Vision, run_stage: RunStage, reply: Reply, code: str, sentence: str
) -> None:
    vision.script.extend([Reply(), *[reply] * 20])
    run = run_stage(project, "web_titles")
    assert (run.status, run.error["code"], run.done) == (RunStatus.FAILED, code, 16)
    assert sentence in run.error["message"]
    assert KEY not in f"{run.error} {run.log_tail} {run.parameters} {run.cursor}"
    assert len(web_pool(project)) == 16


@pytest.mark.nightly
def test_throttling_and_timeouts_are_waited_out(
    project: Project, shown: list[Image], vision: Vision, run_stage: RunStage
) -> None:
    vision.script.extend([fault(429, "Slow down.", Retry_After="20"), fault(500), Reply(delay=1), Reply(body=b"[]")])
    run = run_stage(project, "web_titles")
    assert (run.status, run.counts["units"]) == (RunStatus.SUCCEEDED, 20)


def test_an_endpoint_that_is_not_https_is_refused_before_anything_is_sent(
    project: Project, shown: list[Image], run_stage: RunStage, settings: Any
) -> None:
    settings.GOOGLE_VISION_ENDPOINT = "http://vision.example.org/v1/images:annotate"
    run = run_stage(project, "web_titles")
    assert (run.status, run.error["code"]) == (RunStatus.FAILED, "unsafe_endpoint")
    assert "CONNOTE_GOOGLE_VISION_ENDPOINT must be an https address" in run.error["message"]


def test_a_killed_worker_asks_nothing_again_and_leaves_what_an_undisturbed_one_does(
    project: Project, shown: list[Image], vision: Vision, run_stage: RunStage, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    fall_silent(run)
    run = work_on(run)
    assert (run.status, run.attempt, run.done) == (RunStatus.SUCCEEDED, 2, 20)
    assert web_pool(project) == expected
    assert vision.asked == [sent(image) for image in shown]


def test_a_cancelled_run_keeps_what_was_paid_for(
    project: Project, shown: list[Image], vision: Vision, monkeypatch: pytest.MonkeyPatch
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
    project: Project, shown: list[Image], run_stage: RunStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = stage.ask_about

    def ask_and_delete(*given: Any) -> stage.Asked:
        Image.objects.filter(digest=shown[2].digest).delete()
        return ask(*given)

    monkeypatch.setattr(stage, "ask_about", ask_and_delete)
    run = run_stage(project, "web_titles")
    assert (run.status, len(web_pool(project))) == (RunStatus.SUCCEEDED, 19)
