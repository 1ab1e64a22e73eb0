"""Images without files, captions on them, and runs in a worker's hands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.projects.models import Project
from backend.runs import services
from backend.runs.ledger import Ledger
from backend.runs.models import Run
from backend.runs.walk import get_stage, read_parameters
from world import World


@pytest.fixture
def make_images(project: Project) -> Callable[..., list[Image]]:
    """Images by their keys, in the order named."""

    def make(*keys: str, of: Project = project) -> list[Image]:
        return World(of).images(*keys)

    return make


@pytest.fixture
def add_caption() -> Callable[..., Candidate]:
    """A candidate as an import leaves it."""

    def add(image: Image, raw_text: str, **fields: Any) -> Candidate:
        return World(image.project).caption(image, raw_text, **{"status": "new", "text": "", **fields})

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
