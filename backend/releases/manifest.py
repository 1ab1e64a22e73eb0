"""What a release says of its making: settings, parameters, seeds, models and code; nothing of the day or the place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from backend.methods.consensus import POLICY
from backend.methods.difficulty import is_carried
from backend.projects.models import Project
from backend.qualification.selectors import guidelines_digest
from backend.releases.bundle import Member
from backend.runs.models import Run
from backend.runs.walk import BY_NAME

FORMAT = "connote-release/1"
CATEGORIES = ("easy", "medium", "hard", "unrated", "not_asked")
# Where a stage read its data from: names of this server's folders and of uploads.
PLACES = ("source", "upload", "pairs", "first", "second")


def make_manifest(
    *,
    project: Project,
    makers: Mapping[str, Run],
    counts: Mapping[str, int],
    licences: Mapping[str, int],
    difficulty: Mapping[str, Any] | None,
    quality_policy: Mapping[str, Any] | None = None,
    choices: Mapping[str, Any] | None = None,
    variants: Mapping[str, int] | None = None,
) -> dict[str, Any]:
    """`makers` are the runs that the content came from, by stage; `difficulty` is None where no panel was asked,
    `quality_policy` where no rules were in force; `choices` are those of the curator, with the images of each split;
    `variants` counts the images by the variant of Select that chose their captions."""
    return {
        "format": FORMAT,
        "policy": _consensus_policy(makers),
        "quality_policy": quality_policy,
        "choices": choices,
        "project": _project(project),
        "counts": dict(sorted(counts.items())),
        "licences": dict(sorted(licences.items())),
        "difficulty": difficulty,
        "selection": _selection(makers, variants or {}),
        "stages": {name: _stage(makers[name]) for name in BY_NAME if name in makers} | _rated(makers, difficulty),
    }


def _rated(makers: Mapping[str, Run], difficulty: Mapping[str, Any] | None) -> dict[str, Any]:
    """The Difficulty stage with the policy in force: it may have been changed since, from the same votes."""
    if difficulty is None or "difficulty" not in makers:
        return {}
    made = _stage(makers["difficulty"])
    return {"difficulty": made | {"parameters": made["parameters"] | {"policy": difficulty["policy"]}}}


def _selection(makers: Mapping[str, Run], variants: Mapping[str, int]) -> dict[str, Any] | None:
    """How the captions were chosen, by the last run of Select, and how many images each variant chose."""
    if "select" not in makers:
        return None
    made = _stage(makers["select"])
    return {
        "variant": made["parameters"].get("variant", "least_alike"),
        "k": made["parameters"].get("k"),
        "seed": made["seed"],
        "models": made["models"],
        "images": dict(sorted(variants.items())),
    }


def _consensus_policy(makers: Mapping[str, Run]) -> str:
    """The method by which votes made labels, and its version."""
    method = makers["consensus"].parameters.get("method", "majority") if "consensus" in makers else "majority"
    return POLICY if method == "majority" else f"{method}/1"


def describe_difficulty(
    *,
    policy: str,
    panel: Sequence[Member],
    calibrations: Sequence[Mapping[str, Any]],
    categories: Mapping[str, int],
    n_images: int,
    n_drawn: int,
) -> dict[str, Any]:
    """How many captions came out how hard, by which policy and which models; the last model breaks ties.

    Where models of the panel were trained on drawings, `trained_on_drawings` says which, and how many of the images are
    such drawings.
    """
    members = [
        {"model": one.name, "digest": one.digest, "threshold": one.threshold, "record": one.record}
        | {"calibration": dict(calibration)}
        for one, calibration in zip(panel, calibrations, strict=True)
    ]
    told = {"policy": policy, "categories": {name: categories.get(name, 0) for name in CATEGORIES}, "panel": members}
    carried = [one.name for one in panel if is_carried(one.name)]
    honest = {"models": carried, "n_images": n_images, "n_drawings": n_drawn}
    return told | ({"trained_on_drawings": honest} if carried else {})


def _project(project: Project) -> dict[str, Any]:
    settings = ("slug", "name", "direction", "overlap", "captions_per_hit")
    return {name: getattr(project, name) for name in settings} | {"guidelines_sha256": guidelines_digest(project)}


def _stage(run: Run) -> dict[str, Any]:
    parameters = {name: value for name, value in sorted(run.parameters.items()) if name not in PLACES}
    if "model" in parameters:
        parameters["model"] = PurePath(parameters["model"]).name
    for listed in ("panel", "extra_models", "models"):
        if listed in parameters:
            parameters[listed] = ",".join(PurePath(name.strip()).name for name in parameters[listed].split(","))
    return {
        "parameters": parameters,
        "seed": run.seed,
        "code_version": run.code_version,
        "models": dict(sorted(run.models_used.items())),
    }
