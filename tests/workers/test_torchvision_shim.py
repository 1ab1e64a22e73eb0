"""torchvision beside a torch without CUDA: its transforms work, and an unrelated failure is not papered over."""

from __future__ import annotations

import subprocess
import sys

import pytest

from workers.engines import torchvision_shim

USES_TRANSFORMS = """
import gc, warnings
from workers.engines.torchvision_shim import patch_torchvision
patch_torchvision(); patch_torchvision(); gc.collect()
import torch, torchvision
from torchvision.transforms.v2 import functional
assert functional.resize(torch.zeros(3, 8, 8), [4, 4]).shape == (3, 4, 4)
assert torch.ops.torchvision.nms is not None
import open_clip, timm
"""
# A fresh process in each: an import happens once, and this one's torchvision is repaired already.


@pytest.mark.nightly
def test_torchvision_and_what_stands_on_it_can_be_imported_once_repaired() -> None:
    ran = subprocess.run([sys.executable, "-c", USES_TRANSFORMS], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def test_importing_the_shim_imports_no_torch() -> None:
    code = "import sys, workers.engines.torchvision_shim; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_another_failure_of_torchvision_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str) -> None:
        raise RuntimeError("torchvision is too old")

    monkeypatch.delitem(sys.modules, "torchvision", raising=False)
    monkeypatch.setattr(torchvision_shim.importlib, "import_module", fail)
    with pytest.raises(RuntimeError, match="too old"):
        torchvision_shim.patch_torchvision()


def test_a_torch_built_for_cuda_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    missing = RuntimeError(torchvision_shim.MISSING)
    monkeypatch.setattr(torch.version, "cuda", "13.0")
    assert not torchvision_shim._is_for_another_torch(missing)
    monkeypatch.setattr(torch.version, "cuda", None)
    assert torchvision_shim._is_for_another_torch(missing)
    assert not torchvision_shim._is_for_another_torch(RuntimeError("something else"))
