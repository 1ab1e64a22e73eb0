"""Suggested edits where the worker is killed half-way and another one takes the run up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from backend.candidates import suggesting
from backend.candidates.models import Candidate, SuggestedEdit
from backend.catalogue.models import Image
from backend.projects.models import Project
from backend.runs.models import Run, RunStatus
from judged_project import PulledPlug, fall_silent, work_on

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("moment", ["before the step is committed", "between two slices of images"])
def test_a_killed_worker_is_resumed_without_a_row_lost_or_twice(
    make_images: Callable[..., list[Image]],
    add_caption: Callable[..., Candidate],
    project: Project,
    monkeypatch: pytest.MonkeyPatch,
    moment: str,
) -> None:
    for image in make_images(*"abcd"):
        for text in ("Two red cars and a blue van", "A green hill", "Nothing to see"):
            add_caption(image, text, text=text, status="kept")
    monkeypatch.setattr(suggesting, "IMAGES_AT_ONCE", 2)
    monkeypatch.setattr(suggesting, "CAPTIONS_AT_ONCE", 4)
    undisturbed = work_on(started(project))
    expected = rows()
    assert undisturbed.status == RunStatus.SUCCEEDED and len(expected) >= 12
    SuggestedEdit.objects.all().delete()

    run = started(project)
    with monkeypatch.context() as patch, pytest.raises(PulledPlug):
        pull_the_plug(patch, moment)
        work_on(run)
    assert 0 < SuggestedEdit.objects.count() < len(expected)
    fall_silent(run)
    run = work_on(run)
    assert (run.status, run.attempt, run.error) == (RunStatus.SUCCEEDED, 2, None)
    assert rows() == expected
    assert (run.counts, run.done, run.total) == (undisturbed.counts, undisturbed.done, undisturbed.total)


def started(project: Project) -> Run:
    return Run.objects.create(project=project, stage="suggest_edits", parameters={"parser": "connote-en"})


def rows() -> list[tuple[Any, ...]]:
    found = SuggestedEdit.objects.order_by("candidate__image__key", "candidate__text", "position")
    return list(found.values_list("candidate", "position", "kind", "start", "end", "before", "text_digest"))


def pull_the_plug(patch: pytest.MonkeyPatch, moment: str) -> None:
    """At the second call: after the rows are written and before they are committed, or before a slice begins."""
    name = "write_suggestions" if moment.startswith("before") else "_suggest_for_images"
    calm, calls = getattr(suggesting, name), []

    def work(*given: Any, **named: Any) -> Any:
        calls.append(given)
        if len(calls) < 2:
            return calm(*given, **named)
        if name == "write_suggestions":
            calm(*given, **named)
        raise PulledPlug

    patch.setattr(suggesting, name, work)
