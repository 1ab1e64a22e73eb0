"""Folders of drawn pictures, and imports in a worker's hands."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from backend.catalogue import corpora
from backend.catalogue.models import Corpus
from backend.projects.models import Project
from backend.runs import services
from backend.runs.models import Run
from corpora import MeanColours
from drawn import BY, draw
from protractor import Protractor
from readings import Readings
from source_rows import A, B
from workers.engines import registry


@pytest.fixture
def picture_folder(tmp_path: Path) -> Callable[..., Path]:
    """A folder of `n` pictures with a table that describes them."""

    def make(n: int = 3, *, first: int = 0, **more: Any) -> Path:
        folder = tmp_path / f"pictures-{first}-{n}"
        folder.mkdir()
        rows = []
        for place in range(first, first + n):
            (folder / f"{place}.png").write_bytes(draw(place))
            rows.append({"file_name": f"{place}.png", "id": f"p{place}", "license": BY, **more})
        (folder / "pictures.jsonl").write_text("\n".join(map(json.dumps, rows)))
        return folder

    return make


@pytest.fixture
def import_from(project: Project) -> Callable[..., Run]:
    """Import from a path, or by other parameters, and give back the run, over."""

    def run_import(path: Path | str = "", *, into: Project = project, **parameters: Any) -> Run:
        if path:
            parameters["source"] = str(path)
        run = services.start_run(project=into, stage="import_images", parameters=parameters)
        run.refresh_from_db()
        return run

    return run_import


@pytest.fixture(autouse=True)
def media(tmp_path: Path, settings: Any) -> Path:
    """A media folder and a data folder of this test's own."""
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.DATA_DIR = tmp_path / "data"
    return tmp_path / "media"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "a.png").write_bytes(A)
    (tmp_path / "images" / "b.png").write_bytes(B)
    return tmp_path


@pytest.fixture
def table(folder: Path) -> Callable[..., Path]:
    def write(content: str | bytes, name: str = "rows.jsonl") -> Path:
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return folder / name

    return write


@pytest.fixture
def encoder(settings: Any, tmp_path: Path) -> MeanColours:
    """The image encoder of this test's site."""
    made = MeanColours()
    settings.VISION_MODEL, settings.EMBEDDINGS = made.name, tmp_path / "embeddings"
    registry.image_encoder.use(made.name, made)
    return made


@pytest.fixture
def register(project: Project) -> Callable[..., Corpus]:
    """Make a folder a corpus of a project."""

    def make(folder: Path, *, into: Project = project, name: str = "") -> Corpus:
        manifest = corpora.scanned(folder)
        return corpora.register_corpus(project=into, folder=folder, manifest=manifest, name=name)[0]

    return make


@pytest.fixture
def embed(project: Project, encoder: MeanColours) -> Callable[..., Run]:
    """Embed a corpus, the only one if it has no name, and give back the run, over."""

    def make(corpus: str = "", *, into: Project = project, model: str = "") -> Run:
        run = services.start_run(project=into, stage="embed_corpus", parameters={"corpus": corpus, "model": model})
        run.refresh_from_db()
        return run

    return make


@pytest.fixture
def clip(settings: Any, protractor: Protractor) -> Iterator[Readings]:
    """The CLIP of this test's site, the last of its panel: it sees widths as angles and reads them as numbers."""
    made = Readings()
    settings.DIFFICULTY_PANEL = f"somebody-else, {made.name}"
    registry.image_encoder.use(made.name, Protractor(made.name))
    registry.text_encoder.use(made.name, made)
    yield made
    registry.forget(made.name)


@pytest.fixture
def measure(run_here: Callable[..., Run], clip: Readings) -> Callable[..., Run]:
    def run(**parameters: Any) -> Run:
        return run_here("polysemy", **parameters)

    return run
