"""What a release says of its making: settings, parameters, seeds, models and code; nothing of the day or the place."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from backend.methods.consensus import POLICY
from backend.projects.models import Project
from backend.runs.models import Run
from backend.runs.walk import BY_NAME

FORMAT = "connote-release/1"
PLACES = ("source", "upload")  # where an import was read from: names of this server's folders and of one upload


def make_manifest(
    *, project: Project, makers: Mapping[str, Run], counts: Mapping[str, int], licences: Mapping[str, int]
) -> dict[str, Any]:
    """`makers` are the runs that the content came from, by stage."""
    return {
        "format": FORMAT,
        "policy": POLICY,
        "project": _project(project),
        "counts": dict(sorted(counts.items())),
        "licences": dict(sorted(licences.items())),
        "stages": {name: _stage(makers[name]) for name in BY_NAME if name in makers},
    }


def _project(project: Project) -> dict[str, Any]:
    settings = ("slug", "name", "direction", "overlap", "captions_per_hit")
    guidelines = hashlib.sha256(project.guidelines.encode()).hexdigest()
    return {name: getattr(project, name) for name in settings} | {"guidelines_sha256": guidelines}


def _stage(run: Run) -> dict[str, Any]:
    parameters = {name: value for name, value in sorted(run.parameters.items()) if name not in PLACES}
    if "model" in parameters:
        parameters["model"] = PurePath(parameters["model"]).name
    return {
        "parameters": parameters,
        "seed": run.seed,
        "code_version": run.code_version,
        "models": dict(sorted(run.models_used.items())),
    }
