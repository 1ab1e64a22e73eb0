"""Ended sessions and old uploads go by themselves."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings as house
from django.contrib.sessions.models import Session
from django.utils import timezone
from django.utils.module_loading import import_string

from backend.catalogue.models import Upload
from backend.catalogue.selectors import upload_folder
from backend.erasure import retention
from backend.people.models import User
from backend.projects.models import Project
from backend.runs.models import Run


def upload(project: Project, user: User, *, days: int) -> Upload:
    made = Upload.objects.create(project=project, uploaded_by=user)
    Upload.objects.filter(pk=made.pk).update(created_at=timezone.now() - timedelta(days=days))
    upload_folder(made.pk).mkdir(parents=True)
    return made


def test_sessions_that_ended_are_deleted_and_the_others_stay(db: None) -> None:
    now = timezone.now()
    for name, ends in (("old", now - timedelta(seconds=1)), ("new", now + timedelta(days=1))):
        Session.objects.create(session_key=name, session_data="", expire_date=ends)
    retention.clean_up()
    assert [session.session_key for session in Session.objects.all()] == ["new"]


def test_old_uploads_go_unless_an_import_reads_them(
    project: Project, alice: User, settings: Any, tmp_path: Path
) -> None:
    settings.KEEP_UPLOADS_DAYS = 30
    _, busy, young = (upload(project, alice, days=days) for days in (31, 90, 29))
    Run.objects.create(project=project, stage="import_images", parameters={"upload": str(busy.pk)})
    lost = upload_folder("lost")
    lost.mkdir()
    os.utime(lost, (0, 0))
    assert retention.clean_up() == {"uploads": 1, "folders": 1}
    assert set(Upload.objects.values_list("pk", flat=True)) == {busy.pk, young.pk}
    settings.KEEP_UPLOADS_DAYS = 0
    Upload.objects.update(created_at="2020-01-01T00:00:00Z")
    assert retention.clean_up()["uploads"] == 0


def test_the_clock_starts_it_four_times_a_day() -> None:
    path, seconds = house.CHORES["erasure.clean_up"]
    assert import_string(path) is retention.clean_up
    assert seconds == 6 * 3600
