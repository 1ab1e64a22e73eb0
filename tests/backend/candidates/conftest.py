"""Images without files, captions on them, and runs in a worker's hands."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import pytest

from backend.candidates.models import Candidate, candidate_key
from backend.catalogue.models import Image
from backend.projects.models import Project
from backend.runs import services
from backend.runs.ledger import Ledger
from backend.runs.models import Run
from backend.runs.walk import get_stage, read_parameters


def image_fields(project: Project, key: str) -> dict[str, Any]:
    digest = hashlib.sha256(key.encode()).hexdigest()
    names = {"original": f"{key}.jpg", "small": f"{key}-s.webp", "large": f"{key}-l.webp"}
    size = {"width": 640, "height": 480, "n_bytes": 1, "format": "JPEG", "perceptual_hash": "0" * 16}
    return {"project": project, "key": key, "digest": digest, "licence": "CC-BY-2.0", **names, **size}


@pytest.fixture
def make_images(project: Project) -> Callable[..., list[Image]]:
    """Images by their keys, in the order named."""

    def make(*keys: str, of: Project = project) -> list[Image]:
        return [Image.objects.create(**image_fields(of, key)) for key in keys]

    return make


@pytest.fixture
def add_caption() -> Callable[..., Candidate]:
    """A candidate as an import leaves it."""

    def add(image: Image, raw_text: str, *, source: str = "human", **fields: Any) -> Candidate:
        key = candidate_key(digest=image.digest, source=source, raw_text=raw_text)
        return Candidate.objects.create(
            project_id=image.project_id, image=image, key=key, raw_text=raw_text, source=source, **fields
        )

    return add


@pytest.fixture
def hold_run(project: Project) -> Callable[..., Ledger]:
    """The ledger of a new run that this test holds as its worker."""

    def hold(stage: str, *, seed: int = 0, **parameters: Any) -> Ledger:
        complete = read_parameters(get_stage(stage), parameters)
        run = Run.objects.create(project=project, stage=stage, parameters=complete, seed=seed)
        claimed = services.claim_run(run_id=str(run.pk))
        assert claimed is not None
        return Ledger(claimed)

    return hold
