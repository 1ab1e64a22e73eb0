"""Projects that retrieve from small corpora whose pictures' likeness a test settles."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from backend.catalogue.models import Corpus
from backend.projects.models import Project
from backend.runs import services
from backend.runs.models import Run, RunStatus
from protractor import Protractor, corpus_at, target_folder
from workers.engines import registry

MANY = 10**6  # a radius of COCO's that is more than any corpus here has
RunHere = Callable[..., Run]


@pytest.fixture
def protractor(settings: Any, tmp_path: Path) -> Protractor:
    settings.MEDIA_ROOT, settings.DATA_DIR = tmp_path / "media", tmp_path / "data"
    settings.EMBEDDINGS = tmp_path / "embeddings"
    made = Protractor()
    settings.VISION_MODEL = made.name
    registry.image_encoder.use(made.name, made)
    return made


@pytest.fixture
def run_here(project: Project, protractor: Protractor) -> RunHere:
    """Run a stage, and give back the run, over."""

    def run(stage: str, *, into: Project = project, seed: int = 0, **parameters: Any) -> Run:
        started = services.start_run(project=into, stage=stage, parameters=parameters, seed=seed)
        started.refresh_from_db()
        return started

    return run


@pytest.fixture
def retrieve(run_here: RunHere) -> RunHere:
    def run(**parameters: Any) -> Run:
        return run_here("retrieve", **({"mode": "knn", "radius": MANY} | parameters))

    return run


@pytest.fixture
def import_at(run_here: RunHere, tmp_path: Path) -> Callable[..., None]:
    """Images at these angles, called t0, t1 ..."""

    def make(*angles: int, **into: Project) -> None:
        run = run_here("import_images", source=str(target_folder(tmp_path / f"targets{len(into)}", angles)), **into)
        assert run.status == RunStatus.SUCCEEDED and run.counts["out"] == len(angles), run.counts

    return make


@pytest.fixture
def embed_at(project: Project, run_here: RunHere, tmp_path: Path) -> Callable[..., Corpus]:
    """An embedded corpus."""

    def make(pictures: Any, *, name: str = "near", into: Project = project, **more: Any) -> Corpus:
        corpus = corpus_at(into, tmp_path / f"{into.slug}-{name}", pictures, name=name, **more)
        run = run_here("embed_corpus", into=into, corpus=name)
        assert run.status == RunStatus.SUCCEEDED, run.error
        return corpus

    return make
