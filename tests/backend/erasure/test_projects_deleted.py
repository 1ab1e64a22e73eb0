"""A deleted project leaves no row and no file; what lies beside it stays as it was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.db.models import Model
from django.utils import timezone
from rest_framework.test import APIClient

from backend.annotation.models import AnnotatorState, Judgment
from backend.catalogue.models import Image, Upload
from backend.catalogue.selectors import upload_folder
from backend.erasure import deleting
from backend.erasure.models import DoomedFile, ProjectDeletion
from backend.people.models import RightsRecord, User
from backend.people.services import create_token
from backend.projects.models import Project
from backend.releases import unused_files
from backend.releases.models import ReleaseFile
from backend.runs.models import Run, RunStatus
from world import World, new_image

Clients = Callable[..., APIClient]
SKIES = "/api/v1/projects/skies"
GO = {"slug": "skies"}
# What outlives a project: people, the record, and what Django keeps of itself.
STAYS = {"people.User", "people.RightsRecord", "erasure.ProjectDeletion", "projects.Project", "projects.Membership"}


def rows_left() -> dict[str, int]:
    ours = [model for model in apps.get_models() if model.__module__.startswith("backend.")]
    counts = {model._meta.label: model._base_manager.count() for model in ours}
    return {label: n for label, n in counts.items() if n and label not in STAYS}


def files_of(project: Project) -> list[str]:
    images = Image.objects.filter(project=project).values_list("original", "small", "large")
    released = ReleaseFile.objects.filter(release__project=project).values_list("stored_as", flat=True)
    return [*(name for row in images for name in row), *released]


def ask(client: APIClient) -> None:
    assert client.post(f"{SKIES}/delete", GO).status_code == 202


def test_a_deleted_project_leaves_no_row_and_no_file(
    client_of: Clients, full: Project, alice: User, bob: User, own_folders: Path
) -> None:
    create_token(user=bob, name="for this project", project="skies")
    upload = Upload.objects.create(project=full, uploaded_by=alice)
    upload_folder(upload.pk).mkdir(parents=True)
    vectors = own_folders / "embeddings" / "0123456789abcdef" / "captions" / "skies"
    vectors.mkdir(parents=True)
    Judgment.objects.create(**_later(Judgment.objects.filter(annotator=bob).first()))
    voter = User.objects.create(username="voter-1", display_name="A. Voter", is_active=False)
    voter.set_unusable_password()
    voter.save()
    AnnotatorState.objects.create(project=full, user=voter, is_foreign=True)
    names = files_of(full)
    assert len(names) > 9 and all(default_storage.exists(name) for name in names)
    ask(client_of(alice))
    assert deleting.delete_projects() == 1
    assert rows_left() == {}
    assert [name for name in names if default_storage.exists(name)] == []
    assert not upload_folder(upload.pk).exists() and not vectors.exists()
    assert not User.objects.filter(pk=voter.pk).exists()
    assert {user.username for user in User.objects.all()} == {"alice", "bob", "dora"}
    [entry] = RightsRecord.objects.filter(action="project_deleted")
    assert (entry.project, entry.project_slug, entry.actor) == (None, "skies", alice)


def _later(first: Judgment | None) -> dict[str, Any]:
    """A change of mind, which refers to the first word."""
    assert first is not None
    kept = ("assignment_id", "candidate_id", "annotator_id", "position")
    return {name: getattr(first, name) for name in kept} | {"label": "unsure", "supersedes": first}


def test_it_is_gone_for_everybody_at_once(client_of: Clients, full: Project, alice: User, bob: User) -> None:
    ask(client_of(alice))
    assert client_of(alice).get(SKIES).status_code == 404
    assert client_of(bob).get(SKIES).status_code == 404
    assert client_of(alice).get("/api/v1/projects").json()["results"] == []
    assert client_of(alice).post(f"{SKIES}/delete", GO).status_code == 404
    assert Judgment.objects.exists()


def test_a_project_beside_it_keeps_its_rows_and_the_files_they_share(
    client_of: Clients, full: Project, beside: Project, alice: User, keep_files: Callable[[Project], None]
) -> None:
    mine = Image.objects.filter(project=full).first()
    assert mine is not None
    Image.objects.bulk_create([new_image(beside, "same", digest=mine.digest), new_image(beside, "own")])
    keep_files(beside)
    ask(client_of(alice))
    deleting.delete_projects()
    assert Image.objects.filter(project=beside).count() == 2
    assert all(default_storage.exists(name) for name in files_of(beside))
    assert not list(Path(default_storage.location).rglob("*.deleted"))


@pytest.mark.nightly
def test_a_worker_killed_at_any_batch_loses_nothing(
    client_of: Clients, full: Project, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed before every single batch, one after the other, by the error that a kill is not: nothing is cleaned up."""
    monkeypatch.setattr(deleting, "BATCH", 5)
    monkeypatch.setattr(deleting, "FILES", 4)
    real, budget = deleting._hold, [0]

    def dies(deletion: ProjectDeletion) -> ProjectDeletion:
        budget[0] -= 1
        if budget[0] < 0:
            raise KeyboardInterrupt
        return real(deletion)

    monkeypatch.setattr(deleting, "_hold", dies)
    ask(client_of(alice))
    names, n_kills = files_of(full), 0
    while True:
        budget[0] = 7
        try:
            if deleting.delete_projects():
                break
        except KeyboardInterrupt:
            n_kills += 1
            ProjectDeletion.objects.update(heartbeat_at="2020-01-01T00:00:00Z")  # the dead worker is silent
    assert n_kills >= 5
    assert rows_left() == {} and not any(default_storage.exists(name) for name in names)


def test_a_second_worker_takes_over_and_the_first_one_stops(
    client_of: Clients, full: Project, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(client_of(alice))
    [first] = ProjectDeletion.objects.all()
    claimed = deleting._claim(first)
    assert claimed is not None and deleting._claim(first) is None
    ProjectDeletion.objects.update(heartbeat_at="2020-01-01T00:00:00Z")
    assert deleting._claim(first) is not None
    n_before = Judgment.objects.count()
    assert deleting._go_on(claimed) is False
    assert Judgment.objects.count() == n_before


def test_it_waits_until_the_last_stage_has_stopped(client_of: Clients, full: Project, alice: User) -> None:
    running = Run.objects.create(
        project=full, stage="clean", status=RunStatus.RUNNING, holder="x", heartbeat_at=timezone.now()
    )
    ask(client_of(alice))
    assert deleting.delete_projects() == 0
    [waiting] = ProjectDeletion.objects.all()
    assert waiting.waits_for and Judgment.objects.exists()
    running.refresh_from_db()
    assert running.cancel_requested_at
    Run.objects.filter(pk=running.pk).update(heartbeat_at="2020-01-01T00:00:00Z")
    assert deleting.delete_projects() == 1


def test_files_wait_for_an_import_elsewhere_that_may_count_on_them(
    client_of: Clients, full: Project, beside: Project, alice: User
) -> None:
    busy = Run.objects.create(
        project=beside, stage="import_images", status=RunStatus.RUNNING, holder="x", heartbeat_at=timezone.now()
    )
    names = files_of(full)
    ask(client_of(alice))
    assert deleting.delete_projects() == 0
    assert all(default_storage.exists(name) for name in names) and DoomedFile.objects.count() == len(set(names))
    busy.delete()
    assert deleting.delete_projects() == 1
    assert not any(default_storage.exists(name) for name in names)


def test_a_file_that_an_import_takes_up_meanwhile_is_put_back(
    full: Project, beside: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    image = Image.objects.filter(project=full).first()
    assert image is not None
    names, facts = [image.original], {"digest": image.digest, "original": image.original}
    Image.objects.filter(project=full).update(original="elsewhere", small="elsewhere", large="elsewhere")
    real = unused_files._used

    def meanwhile(asked: object) -> set[str]:
        found = real(asked)
        if not Image.objects.filter(project=beside).exists():
            new_image(beside, "late", **facts).save()
        return found

    monkeypatch.setattr(unused_files, "_used", meanwhile)
    assert unused_files.remove_unused(names) == 0
    assert default_storage.exists(image.original)


@pytest.mark.parametrize(
    ("who", "status"), [("alice", 202), ("dora", 403), ("bob", 403), ("charlie", 404), (None, 401)]
)
def test_only_a_curator_deletes_a_project(
    request: pytest.FixtureRequest, client_of: Clients, project: Project, charlie: User, who: str | None, status: int
) -> None:
    client = client_of(request.getfixturevalue(who) if who else None)
    assert client.post(f"{SKIES}/delete", GO).status_code == status
    assert ProjectDeletion.objects.exists() == (status == 202)


@pytest.mark.parametrize("typed", ["", "Skies", "elsewhere"])
def test_another_name_than_the_projects_deletes_nothing(
    client_of: Clients, project: Project, alice: User, typed: str
) -> None:
    refused = client_of(alice).post(f"{SKIES}/delete", {"slug": typed})
    assert refused.status_code == 400
    assert not ProjectDeletion.objects.exists()


def test_the_command_deletes_without_a_browser(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    World(project).photos(2)
    monkeypatch.setattr("builtins.input", lambda _: "no")
    with pytest.raises(CommandError, match="Type skies"):
        call_command("delete_project", "skies")
    call_command("delete_project", "skies", "--yes")
    with pytest.raises(CommandError, match="already"):
        call_command("delete_project", "skies", "--yes")
    assert deleting.delete_projects() == 1
    assert not Project.objects.filter(slug="skies").exists()


def test_every_table_is_listed_after_those_that_refer_to_it() -> None:
    """Rows go without a look at their dependants, so the order alone keeps the foreign keys whole."""
    position = {label: number for number, (label, _) in enumerate(deleting.TABLES)}
    wrong = [
        (model._meta.label, field.name)
        for model in (apps.get_model(label) for label in position)
        for field in model._meta.concrete_fields
        if _is_before(position, model, field.related_model)
    ]
    assert wrong == []


def _is_before(position: dict[str, int], model: type[Model], target: type[Model] | None) -> bool:
    if target is None or target is model or target._meta.label not in position:
        return False
    return position[target._meta.label] < position[model._meta.label]


def test_a_table_that_refers_to_a_listed_one_is_listed_too() -> None:
    """Else its rows would be left without what they refer to."""
    listed = {label for label, _ in deleting.TABLES}
    missing = {
        model._meta.label
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if field.related_model is not None and field.related_model._meta.label in listed
    }
    assert missing - listed == set()
