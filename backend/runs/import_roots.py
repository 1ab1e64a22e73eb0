"""Which folders of the server a run may read when it is asked over HTTP. Commands on the server may read any."""

from __future__ import annotations

import re
from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path

from django.conf import settings

from backend.common.errors import InvalidInput
from backend.people.models import User
from backend.projects.models import Project

NOT_ALLOWED = (
    "This site cannot import from {source}. Upload the files. Or ask the administrator to add the folder to "
    "CONNOTE_IMPORT_ROOTS."
)
NO_PATHS = "This site cannot load the model {model}. Name a model of the hub, or one under CONNOTE_IMPORT_ROOTS."
HUB_MODEL = "This site may not load the model {model}. Ask the administrator to add it to CONNOTE_HUB_MODELS."
HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?", re.ASCII)
OF_PROJECT = "{project}"  # in a root: the project's own folder, by its slug


def allowed_model(model: str, project: str) -> str:
    """A hub's name as it is, a folder of this server under an import root as its real path. Raises InvalidInput."""
    if HUB_NAME.fullmatch(model) and not Path(model).exists():
        return _allowed_name(model)
    try:
        return allowed_source(model, project)
    except InvalidInput as error:
        raise InvalidInput(NO_PATHS, code="model_not_allowed", params={"model": model[:200]}) from error


def allowed_panel(panel: str, project: str) -> str:
    """Models by comma, each as `allowed_clip` has it. Raises InvalidInput."""
    return ",".join(allowed_clip(name.strip(), project) for name in panel.split(",") if name.strip())


def allowed_clip(name: str, project: str) -> str:
    """A CLIP as `allowed_model` has it; `hf-hub:` and `architecture/tag` are names too.

    Raises InvalidInput. What follows an architecture's name could be a checkpoint on this server's disk.
    """
    if name.startswith("local-dir:"):
        return f"local-dir:{allowed_model(name.removeprefix('local-dir:'), project)}"
    hub = name.removeprefix("hf-hub:")
    if name != hub and HUB_NAME.fullmatch(hub):
        _allowed_name(hub)
        return name
    if Path(name.rpartition("/")[2]).exists():
        raise InvalidInput(NO_PATHS, code="model_not_allowed", params={"model": name[:200]})
    return allowed_model(name, project)


def _allowed_name(model: str) -> str:
    """A model that a worker may download. The site's own models always are. Raises InvalidInput."""
    own = (settings.VISION_MODEL, settings.SENTENCE_MODEL, *settings.DIFFICULTY_PANEL.split(","))
    if model in own or any(fnmatchcase(model, pattern) for pattern in settings.HUB_MODELS):
        return model
    raise InvalidInput(HUB_MODEL, code="hub_model_not_allowed", params={"model": model[:200]})


def allowed_source(source: str, project: str) -> str:
    """The real path of `source`, links followed. Raises InvalidInput where it lies under no root of the project.

    The answer is the same whether or not there is anything, so that nobody can feel their way through the disk.
    """
    try:
        real = Path(source).resolve()
    except (OSError, RuntimeError, ValueError):
        real = Path()
    if "\x00" not in source and any(real.is_relative_to(root) for root in _roots_of(project)):
        return str(real)
    raise InvalidInput(NOT_ALLOWED, code="source_not_allowed", params={"source": source[:200]})


def _roots_of(project: str) -> list[Path]:
    return [Path(str(root).replace(OF_PROJECT, project)).resolve() for root in settings.IMPORT_ROOTS]


# What makes a worker read or load something, by the parameter's name, whichever stage it belongs to.
CHECKS = {
    "source": allowed_source,
    "model": allowed_model,
    "clip": allowed_clip,
    "panel": allowed_panel,
    "models": allowed_panel,
    "pairs": allowed_source,
    "extra_models": allowed_panel,
    "parser": allowed_model,
    "text_model": allowed_model,
    "bertscore": allowed_model,
}
# The same where it hangs on the person who asks; rooms above this one add theirs.
CHECKS_BY_PERSON: dict[str, Callable[[str, Project, User], str]] = {}
