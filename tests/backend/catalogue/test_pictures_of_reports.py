"""Picture files that other tools got wrong, imported by the command: upright, or refused by the name of their kind."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from PIL import Image as Drawing

from backend.catalogue.models import Image
from backend.projects.models import Project
from backend.runs.models import Refusal, Run
from drawn import saved

pytestmark = pytest.mark.django_db(transaction=True)


def imported(project: Project, folder: Path) -> Run:
    call_command("import_images", "--project", project.slug, str(folder), "--default-licence", "CC0")
    run = Run.objects.get()
    dropped = sum(run.counts["dropped"].values())
    assert run.counts["in"] == run.counts["out"] + dropped == len(list(folder.iterdir()))
    return run


def corner_of(image: Image, *, right: int, bottom: int) -> list[int]:
    """The colour near a corner of the large thumbnail."""
    with default_storage.open(image.large) as file:
        shown = np.asarray(Drawing.open(io.BytesIO(file.read())).convert("RGB")).astype(int)
    assert shown.shape[:2] == (image.height, image.width)
    return [int(value) for value in shown[-4 if bottom else 3, -4 if right else 3]]


def is_red(colour: list[int]) -> bool:
    return colour[0] > 150 and max(colour[1:]) < 100


def test_scans_with_an_orientation_tag_are_turned_once(project: Project, shared_cases: Path) -> None:
    imported(project, shared_cases / "01-tiff-turned" / "in")
    found = {image.key: image for image in Image.objects.all()}
    assert {key: (image.width, image.height) for key, image in found.items()} == {
        "phone.jpg": (64, 96),
        "scan.tif": (64, 96),
        "scan180.tif": (96, 64),
    }
    for key, bottom in (("phone.jpg", 0), ("scan.tif", 0), ("scan180.tif", 1)):
        assert is_red(corner_of(found[key], right=1, bottom=bottom)), key
        assert not is_red(corner_of(found[key], right=0, bottom=bottom)), key
    hashes = [int(found[key].perceptual_hash, 16) for key in ("scan.tif", "phone.jpg")]
    assert (hashes[0] ^ hashes[1]).bit_count() <= 4


def test_an_avif_whose_main_brand_is_mif1_is_taken(project: Project, shared_cases: Path) -> None:
    imported(project, shared_cases / "14-avif-whose-brand-is-mif1" / "in")
    assert set(Image.objects.values_list("key", "format")) == {("netflix.avif", "AVIF"), ("plain.avif", "AVIF")}


def test_raw_files_of_cameras_are_refused_and_named(project: Project, shared_cases: Path) -> None:
    with pytest.raises(CommandError):  # nothing is left to import
        imported(project, shared_cases / "27-raw-camera-file" / "in")
    assert Run.objects.get().counts["in"] == sum(Run.objects.get().counts["dropped"].values()) == 2
    assert not Image.objects.exists()
    refused = list(Refusal.objects.values_list("code", "message"))
    assert len(refused) == 2
    assert all(code == "raw_photo" and "raw file of a camera" in message for code, message in refused)


def plain_scene(width: int = 60, height: int = 40) -> Drawing.Image:
    x, y = np.meshgrid(np.linspace(0, 255, width), np.linspace(0, 255, height))
    return Drawing.fromarray(np.stack([x, y, 255 - x], axis=-1).astype(np.uint8))


def zipped(*names: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name in names:
            packed.writestr(name, "x")
    return out.getvalue()


def test_a_folder_of_every_kind_is_taken_right_or_refused_by_kind_and_nothing_is_lost(
    project: Project, tmp_path: Path
) -> None:
    scene = plain_scene()
    ramp = Drawing.fromarray(np.tile(np.linspace(0, 65535, 60).astype(np.uint16), (40, 1)))
    turned = scene.transpose(Drawing.Transpose.ROTATE_90)
    taken = {
        "cmyk.jpg": saved(scene.convert("CMYK"), "JPEG"),
        "deep.png": saved(ramp, "PNG"),
        "grey-alpha.png": saved(scene.convert("LA"), "PNG"),
        "palette.png": saved(scene.convert("P"), "PNG", transparency=0),
        "bits.png": saved(scene.convert("1"), "PNG"),
        "clear-white.png": saved(Drawing.new("RGBA", (60, 40), (255, 255, 255, 0)), "PNG"),
        "clear-black.png": saved(Drawing.new("RGBA", (60, 40), (0, 0, 0, 0)), "PNG"),
        "moving.gif": saved(scene, "GIF", save_all=True, append_images=[turned.resize(scene.size)]),
        "moving.webp": saved(scene, "WEBP", save_all=True, append_images=[turned.resize(scene.size)]),
        "scan.tif": saved(turned, "TIFF", exif=orientation(6), compression="tiff_lzw"),
    }
    refused = {
        "phone.heic": (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(60), "kind_not_read"),
        "new.jxl": (b"\xff\x0a" + bytes(60), "kind_not_read"),
        "layers.psd": (b"8BPS\0\1" + bytes(60), "kind_not_read"),
        "letter.jpg": (zipped("[Content_Types].xml", "word/document.xml"), "not_an_image"),
        "paper.jpg": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3", "not_an_image"),
        "shot.CR3": (b"\0\0\0\x18ftypcrx \0\0\0\1crx isom" + bytes(60), "raw_photo"),
        "shot.ARW": (saved(scene, "TIFF", tiffinfo={271: "SONY"}), "raw_photo"),
        "torn.jpg": (saved(scene, "JPEG")[:500], "truncated"),
        "torn.png": (saved(scene, "PNG")[:100], "truncated"),
        "hollow.jpg": (b"", "no_bytes"),
    }
    folder = tmp_path / "in"
    folder.mkdir()
    for name, data in (taken | {name: data for name, (data, _) in refused.items()}).items():
        (folder / name).write_bytes(data)
    imported(project, folder)
    assert set(Image.objects.values_list("key", flat=True)) == taken.keys()
    assert {(image.width, image.height) for image in Image.objects.all()} == {(60, 40)}
    assert dict(Refusal.objects.values_list("name", "code")) == {name: code for name, (_, code) in refused.items()}
    corners = {image.key: corner_of(image, right=0, bottom=1) for image in Image.objects.all()}
    assert corners["clear-white.png"] == corners["clear-black.png"] == [255, 255, 255]
    assert np.abs(np.array(corners["cmyk.jpg"]) - corners["scan.tif"]).max() < 40
    assert max(corner_of(Image.objects.get(key="deep.png"), right=0, bottom=0)) < 40


def orientation(value: int) -> Drawing.Exif:
    exif = Drawing.Exif()
    exif[0x0112] = value
    return exif
