"""Which folders of the server a run may read when it is asked over HTTP. Commands on the server may read any."""

from __future__ import annotations

import re
from pathlib import Path

from django.conf import settings

from backend.common.errors import InvalidInput

NOT_ALLOWED = (
    "This site cannot import from {source}. Upload the files. Or ask the administrator to add the folder to "
    "CONNOTE_IMPORT_ROOTS."
)
NO_PATHS = "This site cannot load the model {model}. Name a model of the hub, or one under CONNOTE_IMPORT_ROOTS."
HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?", re.ASCII)


def allowed_model(model: str) -> str:
    """A hub's name as it is, a folder of this server under an import root as its real path. Raises InvalidInput."""
    if HUB_NAME.fullmatch(model) and not Path(model).exists():
        return model
    try:
        return allowed_source(model)
    except InvalidInput as error:
        raise InvalidInput(NO_PATHS, code="model_not_allowed", params={"model": model[:200]}) from error


def allowed_panel(panel: str) -> str:
    """Models by comma, each as `allowed_clip` has it. Raises InvalidInput."""
    return ",".join(allowed_clip(name.strip()) for name in panel.split(",") if name.strip())


def allowed_clip(name: str) -> str:
    """A CLIP as `allowed_model` has it; `hf-hub:` and `architecture/tag` are names too.

    Raises InvalidInput. What follows an architecture's name could be a checkpoint on this server's disk.
    """
    if name.startswith("local-dir:"):
        return f"local-dir:{allowed_model(name.removeprefix('local-dir:'))}"
    hub = name.removeprefix("hf-hub:")
    if name != hub and HUB_NAME.fullmatch(hub):
        return name
    if Path(name.rpartition("/")[2]).exists():
        raise InvalidInput(NO_PATHS, code="model_not_allowed", params={"model": name[:200]})
    return allowed_model(name)


def allowed_source(source: str) -> str:
    """The real path of `source`, links followed. Raises InvalidInput where it lies under no import root.

    The answer is the same whether or not there is anything, so that nobody can feel their way through the disk.
    """
    try:
        real = Path(source).resolve()
    except (OSError, RuntimeError, ValueError):
        real = Path()
    if "\x00" not in source and any(real.is_relative_to(root) for root in settings.IMPORT_ROOTS):
        return str(real)
    raise InvalidInput(NOT_ALLOWED, code="source_not_allowed", params={"source": source[:200]})


# What makes a worker read or load something, by the parameter's name, whichever stage it belongs to.
CHECKS = {
    "source": allowed_source,
    "model": allowed_model,
    "clip": allowed_clip,
    "panel": allowed_panel,
    "parser": allowed_model,
}
