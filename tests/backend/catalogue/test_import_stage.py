"""Importing images: what comes in, what is refused in which words, and what a kill or a second try leaves."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage
from PIL import Image as Drawing

from at_once import at_once
from backend.catalogue import selectors
from backend.catalogue.models import Image
from backend.projects.counters import read_counters
from backend.projects.models import Project
from backend.runs import services
from backend.runs.models import Refusal, Run, RunStatus
from drawn import BY, draw, write_zip
from workers.tasks import catalogue

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_engines]
Import = Callable[..., Run]
Folder = Callable[..., Path]


def stored(name: str) -> bytes:
    with default_storage.open(name) as file:
        return file.read()


def refusals(run: Run) -> dict[str, str]:
    """Code by name."""
    return dict(Refusal.objects.filter(run=run).values_list("name", "code"))


def test_pictures_come_in_with_their_credits_and_two_thumbnails(import_from: Import, picture_folder: Folder) -> None:
    folder = picture_folder(
        1, author="Ada", title="A dot", source_url="https://example.org/1", attribution="Ada, CC BY"
    )
    run = import_from(folder)
    assert run.status == RunStatus.SUCCEEDED, run.error
    assert run.counts == {"already_there": 0, "in": 1, "out": 1, "dropped": {}}
    image = Image.objects.get()
    assert (image.key, image.width, image.height, image.format) == ("p0", 40, 30, "PNG")
    assert (image.author, image.title, image.attribution) == ("Ada", "A dot", "Ada, CC BY")
    assert (image.licence, image.source_url) == ("CC-BY-4.0", "https://example.org/1")
    assert stored(image.original) == (folder / "0.png").read_bytes()
    for name in (image.small, image.large):
        assert Drawing.open(io.BytesIO(stored(name))).format == "WEBP"


def test_every_bad_row_is_refused_by_itself_and_the_good_ones_come_in(import_from: Import, tmp_path: Path) -> None:
    files = {
        "good.png": draw(1),
        "torn.jpg": draw(2, size=(400, 400), format="JPEG")[:3000],
        "drawing.jpg": b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        "empty.png": b"",
        "words.jpg": b"not a picture at all",
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    rows = [{"file_name": name, "license": BY} for name in files]
    rows += [{"file_name": "good.png", "id": "mine", "license": "all mine"}, {"file_name": "gone.png", "license": BY}]
    rows += [{"file_name": "../../etc/passwd", "license": BY}, {"file_name": "good.png", "id": "nobody's"}]
    (tmp_path / "rows.json").write_text(json.dumps(rows))
    run = import_from(tmp_path / "rows.json")
    assert run.status == RunStatus.SUCCEEDED, run.error
    assert list(Image.objects.values_list("key", flat=True)) == ["good.png"]
    assert refusals(run) == {
        "torn.jpg": "truncated",
        "drawing.jpg": "svg",
        "empty.png": "no_bytes",
        "words.jpg": "not_an_image",
        "gone.png": "missing_file",
        "../../etc/passwd": "climbs_out",
        "good.png": "no_licence",
    } | {"good.png": refusals(run)["good.png"]}
    assert run.counts["dropped"]["unknown_licence"] == run.counts["dropped"]["no_licence"] == 1
    assert run.counts["in"] == run.done == run.total == len(rows)
    assert all(refusal.line and refusal.message.endswith(".") for refusal in Refusal.objects.filter(run=run))


def test_importing_again_changes_nothing_and_decodes_nothing(
    import_from: Import, picture_folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = picture_folder(5)
    import_from(folder)
    before = list(Image.objects.values())
    monkeypatch.setattr(catalogue, "read_picture", lambda *args, **kwargs: pytest.fail("decoded again"))
    run = import_from(folder)
    assert run.counts == {"already_there": 5, "in": 5, "out": 0, "dropped": {}}
    assert list(Image.objects.values()) == before


def test_an_id_that_stands_for_another_picture_is_refused(import_from: Import, tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(draw(1))
    (tmp_path / "b.png").write_bytes(draw(2))
    rows = [{"file_name": name, "id": "same", "license": BY} for name in ("a.png", "b.png")]
    (tmp_path / "rows.json").write_text(json.dumps(rows))
    run = import_from(tmp_path / "rows.json")
    assert run.counts["out"] == 1 and refusals(run) == {"b.png": "duplicate_id"}
    again = import_from(tmp_path / "rows.json")
    assert again.counts["already_there"] == 1 and refusals(again) == {"b.png": "duplicate_id"}


def test_one_picture_under_two_ids_is_kept_once_and_the_report_names_the_first(
    import_from: Import, tmp_path: Path
) -> None:
    (tmp_path / "a.png").write_bytes(draw(1))
    rows = [{"file_name": "a.png", "image_id": key, "license": BY} for key in ("first", "second")]
    (tmp_path / "rows.json").write_text(json.dumps(rows))
    run = import_from(tmp_path / "rows.json")
    assert list(Image.objects.values_list("key", flat=True)) == ["first"]
    refusal = Refusal.objects.get(run=run)
    assert (refusal.code, refusal.line, refusal.is_ignored) == ("same_picture", 2, True) and "first" in refusal.message
    assert Image.objects.get().names == ["a.png", "second"]


@pytest.mark.nightly
def test_images_that_are_all_there_under_other_ids_are_no_failure(import_from: Import, tmp_path: Path) -> None:
    for n, name in enumerate(("one", "two")):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{n}.png").write_bytes(draw(1))
        run = import_from(tmp_path / name, default_licence="CC0")
    assert (run.status, run.counts["out"], run.counts["ignored"]) == (RunStatus.SUCCEEDED, 0, {"same_picture": 1})


@pytest.mark.nightly
def test_another_project_shares_the_stored_files(
    import_from: Import, picture_folder: Folder, charlie: Any, media: Path
) -> None:
    folder = picture_folder(2)
    import_from(folder)
    before = sorted(path for path in media.rglob("*") if path.is_file())
    import_from(folder, into=Project.objects.get(slug="elsewhere"))
    assert Image.objects.count() == 4
    assert sorted(path for path in media.rglob("*") if path.is_file()) == before


def test_a_default_licence_covers_rows_that_name_none_and_no_others(import_from: Import, tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(draw(1))
    (tmp_path / "b.png").write_bytes(draw(2))
    rows = [{"file_name": "a.png"}, {"file_name": "b.png", "license": "mystery"}]
    (tmp_path / "rows.json").write_text(json.dumps(rows))
    run = import_from(tmp_path / "rows.json", default_licence="CC0-1.0")
    assert list(Image.objects.values_list("key", "licence")) == [("a.png", "CC0-1.0")]
    assert refusals(run) == {"b.png": "unknown_licence"}


@pytest.mark.parametrize(
    ("parameters", "code"),
    [
        ({}, "source_or_upload"),
        ({"source": "somewhere", "upload": "something"}, "source_or_upload"),
        ({"upload": "4d6b8b2e-8f7a-4a0e-9c39-0d8a8c0a9b11"}, "unknown_upload"),
        ({"upload": "../../etc"}, "unknown_upload"),
        ({"source": "nowhere at all"}, "no_such_source"),
        ({"source": "/", "default_licence": "mystery"}, "unknown_licence"),
    ],
)
def test_a_source_that_cannot_be_opened_fails_the_run_with_a_sentence(
    import_from: Import, parameters: dict[str, str], code: str, settings: Any
) -> None:
    if parameters.get("source") == "/":
        parameters = parameters | {"source": str(settings.BASE_DIR / "tests" / "data" / "photographs")}
    run = import_from(**parameters)
    assert run.status == RunStatus.FAILED and run.error is not None
    assert run.error["code"] == code and run.error["message"].endswith(".")


class Killed(BaseException):
    """What `kill -9` is to a test: no handler of ours catches it."""


def test_a_killed_import_goes_on_after_its_last_step_and_does_nothing_twice(
    project: Project, picture_folder: Folder, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    folder = picture_folder(23)
    monkeypatch.setattr(catalogue, "BATCH", 5)
    written = []

    def write_down(ledger: Any, batch: list[Any]) -> None:
        if len(written) == 2:
            raise Killed
        written.append(batch)
        real_write_down(ledger, batch)

    real_write_down = catalogue.write_down
    monkeypatch.setattr(catalogue, "write_down", write_down)
    run = Run.objects.create(
        project=project, stage="import_images", parameters={"source": str(folder), "default_licence": ""}
    )
    with pytest.raises(Killed):
        catalogue.import_images(str(run.pk))
    run.refresh_from_db()
    assert (run.status, run.cursor, Image.objects.count()) == (RunStatus.RUNNING, {"rows": 10}, 10)

    monkeypatch.setattr(catalogue, "write_down", real_write_down)
    decoded = []
    real_read = catalogue.read_picture
    monkeypatch.setattr(catalogue, "read_picture", lambda data, **how: decoded.append(1) or real_read(data, **how))
    Run.objects.filter(pk=run.pk).update(heartbeat_at="2000-01-01T00:00Z")
    catalogue.import_images(str(run.pk))
    run.refresh_from_db()
    assert run.status == RunStatus.SUCCEEDED
    assert run.counts == {"already_there": 0, "in": 23, "out": 23, "dropped": {}}
    assert len(decoded) == 13 and Image.objects.count() == 23 and run.done == 23


@pytest.mark.nightly
def test_a_step_that_breaks_half_way_leaves_nothing_of_itself(
    project: Project, picture_folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "BATCH", 4)
    real_add = catalogue.add_images
    calls = []

    def add_images(**batch: Any) -> Any:
        added = real_add(**batch)
        calls.append(added)
        if len(calls) == 2:
            raise RuntimeError("the disk of the database is full")
        return added

    monkeypatch.setattr(catalogue, "add_images", add_images)
    run = services.start_run(project=project, stage="import_images", parameters={"source": str(picture_folder(10))})
    run.refresh_from_db()
    assert (run.status, run.cursor, Image.objects.count()) == (RunStatus.FAILED, {"rows": 4}, 4)
    monkeypatch.setattr(catalogue, "add_images", real_add)
    again = services.retry_run(run=run, started_by=None)
    again.refresh_from_db()
    assert again.status == RunStatus.SUCCEEDED and again.counts["out"] == again.done == 10
    assert Image.objects.count() == 10


def test_a_full_disk_refuses_no_picture_and_leaves_no_piece_of_a_file(
    import_from: Import, picture_folder: Folder, media: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, data: bytes) -> int:
        with path.open("wb") as file:
            file.write(data[:10])
        raise OSError(28, "No space left on device")

    folder = picture_folder(3)
    monkeypatch.setattr(Path, "write_bytes", full)
    run = import_from(folder)
    assert (run.status, run.refusals.count()) == (RunStatus.FAILED, 0)
    assert not [path for path in media.rglob("*") if path.is_file()]


def test_two_imports_racing_into_one_project_add_each_picture_once(project: Project, picture_folder: Folder) -> None:
    one, other = picture_folder(30), picture_folder(30, first=15)
    runs = [
        # The rule of one live run a stage is about runs of one name; the pictures must survive without it.
        Run.objects.create(project=project, stage=stage, parameters={"source": str(path), "default_licence": ""})
        for stage, path in (("import_images", one), ("import_images again", other))
    ]
    outcomes = at_once([lambda run=run: catalogue.import_images(str(run.pk)) for run in runs])
    assert outcomes == [None, None]
    for run in runs:
        run.refresh_from_db()
        assert run.status == RunStatus.SUCCEEDED, run.error
    assert Image.objects.count() == 45
    assert sum(run.counts["out"] for run in runs) == 45 and sum(run.counts["already_there"] for run in runs) == 15


def test_cancelling_stops_between_steps_and_keeps_what_is_done(
    project: Project, picture_folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "BATCH", 3)
    real_write_down = catalogue.write_down

    def write_down(ledger: Any, batch: list[Any]) -> None:
        real_write_down(ledger, batch)
        Run.objects.filter(pk=ledger.run.pk, cancel_requested_at=None).update(cancel_requested_at="2026-01-01T00:00Z")

    monkeypatch.setattr(catalogue, "write_down", write_down)
    run = services.start_run(project=project, stage="import_images", parameters={"source": str(picture_folder(9))})
    run.refresh_from_db()
    assert (run.status, Image.objects.count()) == (RunStatus.CANCELLED, 3)


def test_a_wrong_extension_is_noted_and_the_content_decides(import_from: Import, tmp_path: Path) -> None:
    write_zip(tmp_path / "sent.zip", {"photo.jpg": draw(1, format="PNG")})
    import_from(tmp_path / "sent.zip", default_licence="CC0-1.0")
    image = Image.objects.get()
    assert image.format == "PNG" and image.original.endswith(".png")
    assert image.notes == ["The name of the file ends in .jpg, but its format is PNG."]


def test_the_counter_counts_the_images_of_each_project(import_from: Import, picture_folder: Folder) -> None:
    run = import_from(picture_folder(4))
    assert read_counters([run.project_id])[run.project_id]["images"] == 4


def test_stored_thumbnails_hold_no_metadata(import_from: Import, tmp_path: Path) -> None:
    exif = Drawing.Exif()
    exif[0x8825] = {1: "N", 2: (52.0, 31.0, 12.0)}
    exif[0x010F] = "Camera"
    (tmp_path / "a.jpg").write_bytes(draw(1, format="JPEG", exif=exif))
    import_from(tmp_path, layout="files", default_licence="CC0-1.0")
    image = Image.objects.get()
    assert b"Camera" in stored(image.original)
    for name in (image.small, image.large):
        content = stored(name)
        assert b"Camera" not in content and b"EXIF" not in content
        assert not dict(Drawing.open(io.BytesIO(content)).getexif())


@pytest.mark.nightly
@pytest.mark.shared_data
def test_public_photographs_import_with_the_licences_their_tables_name(import_from: Import, shared_data: Path) -> None:
    run = import_from(shared_data / "openimages_cc_photos" / "credits.csv")
    assert run.counts == {"already_there": 0, "in": 18, "out": 18, "dropped": {}}
    image = selectors.list_images(project=run.project)[0]
    assert (image.key, image.author, image.licence) == ("0006400c1c224e19", "sneakerdog", "CC-BY-2.0")
    assert image.source_url == "https://www.flickr.com/photos/sneakerdog/946782888"
