"""Lets torchvision be imported beside a CPU-only torch.

PyPI's torchvision is built for CUDA. Beside a torch without CUDA its compiled half cannot be loaded, and its import
then fails on `operator torchvision::nms does not exist`, because it describes the shapes of two operators which that
half would have declared. Nothing here calls them (they belong to object detection), but open_clip, timm and
transformers all import torchvision for its transforms. So the two are declared, without a body, where exactly this
went wrong.
"""

from __future__ import annotations

import importlib
import sys
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch.library import Library

OPERATORS = (
    "nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    "qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
)
MISSING = "operator torchvision::nms does not exist"

_lock = threading.Lock()
_declared: list[Library] = []  # torch forgets a declaration when its Library object is collected


def patch_torchvision() -> None:
    """Make `import torchvision` work; call it before anything that imports it. Does nothing where it works already."""
    with _lock:
        if "torchvision" in sys.modules:
            return
        try:
            importlib.import_module("torchvision")
        except RuntimeError as error:
            if not _is_for_another_torch(error):
                raise
            _declare()
            importlib.import_module("torchvision")


def _is_for_another_torch(error: RuntimeError) -> bool:
    """Whether `error` is the one of a CUDA torchvision beside a torch without; any other one should be seen."""
    import torch

    return torch.version.cuda is None and MISSING in str(error)


def _declare() -> None:
    from torch.library import Library

    for name in [name for name in sys.modules if name.startswith("torchvision.")]:
        del sys.modules[name]  # halves of the failed import
    library = Library("torchvision", "FRAGMENT")
    for operator in OPERATORS:
        library.define(operator)
    _declared.append(library)
