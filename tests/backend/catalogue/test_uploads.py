"""Files that people send: written under safe names, within limits, by curators alone."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.test import APIClient

from api_examples import Examples
from backend.catalogue import uploads
from backend.catalogue.models import Image, Upload
from backend.catalogue.selectors import upload_folder
from backend.catalogue.sources import archive_guards
from backend.common.errors import InvalidInput
from backend.people.models import User
from backend.projects.models import Project
from backend.runs import queue, services
from backend.runs.models import Run, RunStatus
from drawn import BY, draw, write_tar, write_zip
from workers.tasks import catalogue

pytestmark = pytest.mark.django_db(transaction=True)
ClientOf = Callable[..., APIClient]
UPLOADS = "/api/v1/projects/skies/uploads"


def send(client: APIClient, *files: tuple[str, bytes], to: str = UPLOADS) -> Any:
    return client.post(to, {"files": [SimpleUploadedFile(name, data) for name, data in files]}, format="multipart")


@pytest.mark.nightly
def test_a_curator_sends_pictures_with_a_table_and_imports_them(
    client_of: ClientOf, alice: User, project: Project
) -> None:
    client = client_of(alice)
    table = json.dumps({"file": "a.png", "license": BY}).encode()
    answer = send(client, ("a.png", draw(1)), ("rows.jsonl", table))
    assert answer.status_code == 201, answer.json()
    sent = answer.json()
    assert sent["detected_layout"] == "table"
    assert sent["files"] == [
        {"name": "a.png", "n_bytes": len(draw(1))},
        {"name": "rows.jsonl", "n_bytes": len(table)},
    ]
    body = {"stage": "import_images", "parameters": {"upload": sent["id"]}}
    run = client.post("/api/v1/projects/skies/runs", body, format="json").json()
    assert client.get(f"/api/v1/runs/{run['id']}").json()["counts"]["out"] == 1
    assert client.get(UPLOADS).json()[0]["id"] == sent["id"]


def test_a_zip_is_imported_as_what_it_holds(client_of: ClientOf, alice: User, project: Project, tmp_path: Path) -> None:
    packed = write_zip(tmp_path / "x.zip", {"one/a.png": draw(1), "one/b.png": draw(2)}).read_bytes()
    sent = send(client_of(alice), ("x.zip", packed)).json()
    assert sent["detected_layout"] == "files"


def test_no_request_opens_what_was_sent_and_a_worker_looks_once(
    client_of: ClientOf, alice: User, project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, asked = client_of(alice), []
    real_open = uploads.open_source
    with monkeypatch.context() as patch:
        patch.setattr(uploads.queue, "send_look", asked.append)
        patch.setattr(uploads, "open_source", lambda *args, **named: pytest.fail("opened in a request"))
        packed = write_zip(tmp_path / "x.zip", {"a.png": draw(1)}).read_bytes()
        sent = send(client, ("x.zip", packed)).json()
        assert client.get(UPLOADS).json()[0]["detected_layout"] == sent["detected_layout"] == ""
    assert asked == [sent["id"]]
    opened = []
    monkeypatch.setattr(
        uploads, "open_source", lambda *args, **named: opened.append(named) or real_open(*args, **named)
    )
    catalogue.look_at_upload(sent["id"])
    assert [client.get(UPLOADS).json()[0]["detected_layout"] for _ in range(2)] == ["files", "files"]
    assert opened == [{"limits": uploads.LOOK}]


def test_a_look_at_an_upload_takes_little_however_much_it_would_unpack(
    client_of: ClientOf, alice: User, project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "LOOK", replace(uploads.LOOK, max_inflated_bytes=2_000_000))
    write_tar(tmp_path / "x.tar.gz", {f"{n}.png": bytes(1_000_000) for n in range(30)}, "w:gz")
    written: list[int] = []
    add = archive_guards.Inflated.add
    monkeypatch.setattr(archive_guards.Inflated, "add", lambda one, n: written.append(n) or add(one, n))
    sent = send(client_of(alice), ("x.tar.gz", (tmp_path / "x.tar.gz").read_bytes())).json()
    assert sent["detected_layout"] == "files"
    assert sum(written) < 4_000_000


def test_an_upload_does_not_wait_for_a_broker_that_is_down(
    client_of: ClientOf, alice: User, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def send_nothing(*args: Any, **named: Any) -> None:
        raise queue.OperationalError("no route to the broker")

    monkeypatch.setattr(queue.app, "signature", send_nothing)
    answer = send(client_of(alice), ("a.png", draw(1)))
    assert (answer.status_code, answer.json()["detected_layout"]) == (201, "")


@pytest.mark.nightly
@pytest.mark.parametrize(("who", "status"), [("bob", 403), ("dora", 403), ("charlie", 404), (None, 401)])
def test_only_curators_send_list_and_delete(
    client_of: ClientOf, project: Project, alice: User, who: str | None, status: int, request: pytest.FixtureRequest
) -> None:
    upload = uploads.keep_upload(project=project, uploaded_by=alice, files=[SimpleUploadedFile("a.png", draw())])
    client = client_of(request.getfixturevalue(who) if who else None)
    assert send(client, ("a.png", draw(1))).status_code == status
    assert client.get(UPLOADS).status_code == status
    assert client.delete(f"{UPLOADS}/{upload.pk}").status_code == status
    assert Upload.objects.count() == 1


def test_an_upload_of_another_project_cannot_be_imported_or_deleted(
    client_of: ClientOf, project: Project, alice: User, charlie: User
) -> None:
    upload = uploads.keep_upload(project=project, uploaded_by=alice, files=[SimpleUploadedFile("a.png", draw())])
    client = client_of(charlie)
    assert client.delete(f"/api/v1/projects/elsewhere/uploads/{upload.pk}").status_code == 404
    body = {"stage": "import_images", "parameters": {"upload": str(upload.pk), "default_licence": "CC0-1.0"}}
    client.post("/api/v1/projects/elsewhere/runs", body, format="json")
    run = Run.objects.get()
    assert run.status == RunStatus.FAILED and run.error and run.error["code"] == "unknown_upload"
    assert not Image.objects.exists()


def test_names_lose_their_folders_and_their_odd_letters(client_of: ClientOf, alice: User, project: Project) -> None:
    sent = send(client_of(alice), ("..\\..\\evil\n<b>.png", draw(1)), ("Fotoğraf 1.png", draw(2))).json()
    assert [file["name"] for file in sent["files"]] == ["evil_b_.png", "Fotoğraf 1.png"]
    assert {path.name for path in upload_folder(sent["id"]).iterdir()} == {"evil_b_.png", "Fotoğraf 1.png"}


@given(st.text(max_size=300))
def test_a_kept_name_is_one_file_of_its_folder(name: str) -> None:
    try:
        kept = uploads.safe_file_name(name)
    except InvalidInput:
        return
    assert kept == Path(kept).name and kept not in ("", ".", "..") and not kept.startswith(".")
    assert len(kept.encode()) <= 4 * uploads.MAX_NAME


def test_two_files_of_one_name_are_refused_and_nothing_is_kept(
    client_of: ClientOf, alice: User, project: Project, settings: Any
) -> None:
    answer = send(client_of(alice), ("a.png", draw(1)), ("a.png", draw(2)))
    assert answer.status_code == 400 and "a.png" in answer.json()["message"]
    assert not Upload.objects.exists() and not (settings.DATA_DIR / "uploads").exists()


@pytest.mark.nightly
@pytest.mark.parametrize("files", [[], None])
def test_an_upload_without_files_is_refused(client_of: ClientOf, alice: User, project: Project, files: Any) -> None:
    answer = client_of(alice).post(UPLOADS, {"files": files or []}, format="multipart")
    assert answer.status_code == 400 and answer.json()["code"] == "invalid"
    assert client_of(alice).post(UPLOADS, {"files": "a.png"}, format="json").status_code == 415


def test_a_body_too_large_is_refused_before_it_is_read(
    client_of: ClientOf, alice: User, project: Project, settings: Any
) -> None:
    settings.MAX_UPLOAD_MB, settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1, 500_000
    answer = send(client_of(alice), ("a.bin", bytes(1_100_000)))
    assert answer.status_code == 413 and answer.json()["code"] == "too_many_mb"


def from_the_site(user: User) -> APIClient:
    """A client that is asked for its CSRF token, as a browser is: the check reads the body before the API does."""
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(user)
    client.get("/api/v1/session")
    client.credentials(HTTP_X_CSRFTOKEN=client.cookies["csrftoken"].value)
    return client


@pytest.mark.parametrize("who", ["the site", "a program"])
def test_too_many_files_at_once_are_refused(
    client_of: ClientOf, alice: User, project: Project, settings: Any, who: str
) -> None:
    settings.DATA_UPLOAD_MAX_NUMBER_FILES = 3
    client = from_the_site(alice) if who == "the site" else client_of(alice)
    answer = send(client, *((f"{n}.png", b"") for n in range(4)))
    assert answer.status_code == 400 and "zip" in answer.json()["message"]


def test_a_project_holds_a_limited_number_of_uploads_until_some_are_deleted(
    client_of: ClientOf, alice: User, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "MAX_UPLOADS", 1)
    client = client_of(alice)
    first = send(client, ("a.png", draw(1))).json()
    answer = send(client, ("b.png", draw(2)))
    assert answer.status_code == 409 and answer.json()["code"] == "quota_reached"
    assert client.delete(f"{UPLOADS}/{first['id']}").status_code == 204
    assert not upload_folder(first["id"]).exists()
    assert send(client, ("b.png", draw(2))).status_code == 201


def test_an_upload_stays_while_a_run_reads_it(client_of: ClientOf, alice: User, project: Project) -> None:
    upload = uploads.keep_upload(project=project, uploaded_by=alice, files=[SimpleUploadedFile("a.png", draw())])
    run = Run.objects.create(project=project, stage="import_images", parameters={"upload": str(upload.pk)})
    client, address = client_of(alice), f"{UPLOADS}/{upload.pk}"
    assert client.delete(address).json()["code"] == "upload_in_use"
    assert upload_folder(upload.pk).exists()
    services.cancel_run(run=run)
    assert client.delete(address).status_code == 204


def test_a_damaged_zip_is_kept_and_said_to_be_of_no_layout(
    client_of: ClientOf, alice: User, project: Project, tmp_path: Path
) -> None:
    packed = bytearray(write_zip(tmp_path / "a.zip", {"coco.json": b'{"images": []}'}).read_bytes())
    packed[0] ^= 1
    answer = send(client_of(alice), ("a.zip", bytes(packed)))
    assert (answer.status_code, answer.json()["detected_layout"]) == (201, "")


def test_a_disk_that_fills_up_leaves_no_half_upload(
    project: Project, alice: User, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    class Broken(SimpleUploadedFile):
        def chunks(self, chunk_size: int | None = None) -> Any:
            yield b"some"
            raise OSError("No space left on device")

    with pytest.raises(OSError, match="No space"):
        uploads.keep_upload(project=project, uploaded_by=alice, files=[Broken("a.png", b"some bytes")])
    assert not list((settings.DATA_DIR / "uploads").iterdir()) and not Upload.objects.exists()


def test_the_api_reads_only_folders_it_was_told_to(
    client_of: ClientOf, alice: User, project: Project, settings: Any, tmp_path: Path
) -> None:
    allowed, forbidden = tmp_path / "allowed", tmp_path / "forbidden"
    for folder in (allowed, forbidden):
        folder.mkdir()
        (folder / "a.png").write_bytes(draw(1))
    (allowed / "way out").symlink_to(forbidden)
    client = client_of(alice)

    def start(source: object) -> Any:
        body = {"stage": "import_images", "parameters": {"source": source, "default_licence": "CC0-1.0"}}
        return client.post("/api/v1/projects/skies/runs", body, format="json")

    assert start(str(allowed)).json()["code"] == "source_not_allowed"
    settings.IMPORT_ROOTS = [allowed]
    for source in (forbidden, allowed / "way out", allowed / ".." / "forbidden", tmp_path, "/", "allowed", "a" * 9000):
        answer = start(str(source))
        assert (answer.status_code, answer.json()["code"]) == (400, "source_not_allowed"), source
    assert start(str(allowed)).status_code == 201
    assert Image.objects.count() == 1


def test_the_schema_knows_the_upload_as_files(client_of: ClientOf) -> None:
    schema = json.load(io.BytesIO(client_of().get("/api/schema", {"format": "json"}).content))
    body = schema["paths"]["/api/v1/projects/{slug}/uploads"]["post"]["requestBody"]["content"]
    assert list(body) == ["multipart/form-data"]


def test_uploads_are_as_in_their_examples(
    example: Examples, client_of: ClientOf, alice: User, project: Project
) -> None:
    client, sent = client_of(alice), {"files": [SimpleUploadedFile("a.png", draw(1))]}
    made = example("projects_uploads_create", client.post, "projects/skies/uploads", sent, more={"format": "multipart"})
    example("projects_uploads_list", client.get, "projects/skies/uploads")
    example("projects_uploads_destroy", client.delete, f"projects/skies/uploads/{made['id']}")
