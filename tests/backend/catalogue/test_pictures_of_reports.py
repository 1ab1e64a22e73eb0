"""Picture files that other tools got wrong, imported by the command: upright, or refused by the name of their kind."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from PIL import Image as Drawing

from backend.catalogue.models import Image
from backend.projects.models import Project
from backend.runs.models import Refusal, Run

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
