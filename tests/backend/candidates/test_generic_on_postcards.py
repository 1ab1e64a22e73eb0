"""Generic captions by the models that come with Connote, on drawn postcards: nothing is stood in for."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from backend.candidates.models import Candidate, GenericScore
from backend.catalogue.models import Image
from backend.projects.models import Project
from backend.runs.models import Run, RunStatus
from workers.engines.calibrations import find_record, own_place, write_record
from workers.engines.carried import LADDER, VISION
from workers.training.postcards.corpus import targets
from workers.training.postcards.drawing import draw
from workers.training.postcards.literal import literal
from workers.training.postcards.moods import generic

pytestmark = pytest.mark.nightly

POSTCARDS, SEED = 40, 5
LENIENT = 0.2


@pytest.fixture
def postcards(
    project: Project,
    make_images: Callable[..., list[Image]],
    add_caption: Callable[..., Candidate],
    settings: Any,
    tmp_path: Path,
) -> Project:
    """Drawn pictures with a literal caption each, and with the drawn world's own kind of caption that claims nothing:
    "Wish you were here in this great sight"."""
    settings.MEDIA_ROOT, settings.EMBEDDINGS, settings.CALIBRATIONS = tmp_path / "m", tmp_path / "e", tmp_path / "c"
    drawn = targets(POSTCARDS, SEED)
    for target, image in zip(drawn, make_images(*(target.id for target in drawn)), strict=True):
        data = io.BytesIO()
        draw(target.scene, 224).save(data, "JPEG", quality=88)
        default_storage.save(image.original, ContentFile(data.getvalue()))
        for kind, made in (("literal", literal), ("generic", generic)):
            text = made(target.scene, 1).text
            add_caption(image, text, text=text, source=kind, status="kept")
    return project


def means(of: str) -> tuple[float, float]:
    """Of the literal captions, and of the generic ones."""
    rows = GenericScore.objects.values_list("candidate__source", of)
    literal_ones, generic_ones = ([n for kind, n in rows if kind == wanted] for wanted in ("literal", "generic"))
    return mean(literal_ones), mean(generic_ones)


def test_a_caption_that_would_do_for_any_picture_is_near_more_of_them_than_a_literal_one(
    postcards: Project, run_stage: Callable[..., Run], settings: Any
) -> None:
    """By their own thresholds these models say yes to hardly any other picture, whatever the caption: only hubness
    tells the kinds apart. A panel that says yes more readily tells them apart by the share as well."""
    run = run_stage(postcards, "generic")
    assert run.status == RunStatus.SUCCEEDED, run.error
    assert set(run.models_used) == {*LADDER, VISION}
    of_literal, of_generic = means("hubness")
    print("hubs", of_literal, of_generic)
    assert of_generic > 1.5 * of_literal
    for name in LADDER:
        record = find_record(name, settings.CALIBRATIONS)
        lenient = replace(record.calibration, threshold=LENIENT)
        write_record(own_place(name, settings.CALIBRATIONS), replace(record, calibration=lenient))
    run = run_stage(postcards, "generic")
    of_literal, of_generic = means("score")
    print("G", of_literal, of_generic)
    assert of_generic > 1.5 * of_literal > 0
    assert run.counts["dropped"] == {} and not Candidate.objects.exclude(status="kept").exists()
