"""Where the demo's captions come from: the drawn corpus, and titles of web pages that nobody has to pay for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from backend.catalogue.corpora import register_corpus, scanned
from backend.methods.retrieval import N_REF
from backend.projects.models import Project
from workers.demo.world import World

CORPUS = "postcards"
OF_EACH_TARGET = 16
COPY = 99  # hundredths; Connote's own small encoder finds scenes alike at .95 that differ in who and what is there


def register(project: Project, world: World) -> None:
    """Register the drawn corpus where it lies; registered before, it is what it was."""
    folder = world.folder / "corpus"
    register_corpus(project=project, folder=folder, manifest=scanned(folder), name=CORPUS)


def retrieval(world: World) -> dict[str, Any]:
    """The parameters of `retrieve` that give each target about OF_EACH_TARGET pictures.

    Without clusters: so small a corpus has few, and the library that finds them compiles itself for a minute or more.
    """
    radius = OF_EACH_TARGET * N_REF // world.order.corpus
    return {"corpora": CORPUS, "mode": "knn", "radius": radius, "copy": COPY}


def titles(world: World) -> Path:
    """A table of page titles for `import_candidates`, as the web_titles stage would find them. Returns its path."""
    path = world.folder / "titles.jsonl"
    rows = (world.folder / "candidates.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(row for row in rows if json.loads(row)["source"] == "web"), encoding="utf-8")
    return path
