"""A project whose captions a panel knows by heart, scored by the `generic` stage."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from backend.candidates.models import Candidate, GenericScore
from backend.catalogue.models import Image, Sample, SamplePoint
from backend.projects.models import Project
from backend.runs.models import Run
from knowing_panel import SEVEN, seat_likeness, seat_panel
from panels import store_pictures

RunStage = Callable[..., Run]
KNOBS = {"panel": ",".join(SEVEN), "model": "plane"}
WIDE, NARROW, CLOSE = "Something is here", "Two bears on a dry plain", "An animal on a plain"
RISING = "The sun over a hill"
VOTES = {WIDE: (7, 7, 4, 3, 7), NARROW: (7, 0, 0, 0, 0), CLOSE: (5, 4, 0, 0, 0), RISING: (1, 2, 3, 4, 0)}
DEGREES = (0, 10, 60, 110, 160)  # .8 is the cosine of 37
Pool = Callable[..., list[Image]]


@pytest.fixture
def pool(
    project: Project, make_images: Callable[..., list[Image]], add_caption: Callable[..., Candidate], settings: Any,
    tmp_path: Path,
) -> Pool:  # fmt: skip
    """Five images p0 to p4, the first two alike, with these captions by the number of the image."""

    def make(*captions: tuple[int, str], images: int = 5, degrees: Sequence[float] = DEGREES) -> list[Image]:
        settings.MEDIA_ROOT, settings.CALIBRATIONS = tmp_path / "media", tmp_path / "calibrations"
        settings.EMBEDDINGS = tmp_path / "embeddings"
        made = make_images(*(f"p{n}" for n in range(images)))
        for n, text in captions:
            add_caption(made[n], f" {text}", text=text, status="kept")
        store_pictures(project)
        seat_likeness(project, degrees)
        return made

    return make


@pytest.fixture
def score(project: Project, run_stage: RunStage, settings: Any) -> RunStage:
    """Run the stage with models that were never asked before."""

    def run(**knobs: Any) -> Run:
        seat_panel(project, VOTES, folder=settings.CALIBRATIONS)
        seat_likeness(project, DEGREES)
        return run_stage(project, "generic", **KNOBS | knobs)

    return run


def found() -> dict[tuple[str, str], tuple[Any, ...]]:
    """(image, text) -> score, matched, judged, undecided, hubness, reason."""
    rows = GenericScore.objects.order_by("candidate")
    fields = ("score", "n_matched", "n_judged", "n_undecided", "hubness", "reason")
    return {(row.candidate.image.key, row.candidate.text): tuple(getattr(row, name) for name in fields) for row in rows}


def put_sample_in_force(project: Project, images: Sequence[Image]) -> None:
    """From now on these images are the targets."""
    Sample.objects.filter(project=project).update(in_force_since=None)
    made_by = Run.objects.create(project=project, stage="sample", status="succeeded")
    facts = {
        "k": len(images), "n_images": len(images), "n_picked": len(images), "n_left_out": 0, "is_everything": False,
        "is_short": False, "cover_radius": 1.0, "layout": "umap", "settings": {}, "versions": {}, "model": "m",
        "model_digest": "d", "digest": "d",
    }  # fmt: skip
    sample = Sample.objects.create(run=made_by, project=project, in_force_since=timezone.now(), **facts)
    SamplePoint.objects.bulk_create(
        SamplePoint(sample=sample, image=image, x=0, y=0, position=n) for n, image in enumerate(images, start=1)
    )
