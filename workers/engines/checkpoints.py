"""Weight files that are safe to open: safetensors, or what `torch.load(weights_only=True)` takes.

Every library here loads without unpickling when told so, but each has a way back to a plain `torch.load` for an odd
file. So a file is judged before a library sees it, and one that holds more than tensors is refused.
"""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path

from workers.engines.protocols import ModelNotFoundError, ModelRefusedError

PICKLES = (".pt", ".pth", ".bin", ".ckpt", ".pkl")
NO_FILE = "The checkpoint {file} of the model {name!r} does not exist. Choose another path."
OTHER_KIND = (
    "The checkpoint of the model {name!r} is a {suffix} file. Use a .safetensors file, or a .pt file with only tensors."
)
MORE_THAN_TENSORS = (
    "The checkpoint of the model {name!r} has more than tensors ({reason}), so it can run code. "
    "Connote did not open it. Convert it to safetensors, or use another model."
)
DAMAGED = "Connote cannot read the checkpoint of the model {name!r} ({reason}). Copy the original file again."


def check_checkpoint(file: Path, name: str) -> Path:
    """`file`, if opening it runs no code. Raises ModelNotFoundError or ModelRefusedError."""
    if not file.is_file():
        raise ModelNotFoundError(NO_FILE.format(name=name, file=file.name))
    if file.suffix == ".safetensors":
        _check_safetensors(file, name)
    elif file.suffix in PICKLES:
        _check_pickle(file, name)
    else:
        raise ModelRefusedError(OTHER_KIND.format(name=name, suffix=file.suffix or "nameless"))
    return file


def _check_safetensors(file: Path, name: str) -> None:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(file, framework="numpy"):
            pass
    except (SafetensorError, OSError) as error:
        raise ModelRefusedError(DAMAGED.format(name=name, reason=str(error)[:120])) from error


def _check_pickle(file: Path, name: str) -> None:
    """Read as tensors without content, so that only the pickle's program is judged and no memory is taken."""
    import torch

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what it says of an odd pickle is said below
            torch.load(file, map_location="meta", weights_only=True)
    except pickle.UnpicklingError as error:
        reason = next((line for line in str(error).splitlines() if "GLOBAL" in line), "an unknown object")
        raise ModelRefusedError(MORE_THAN_TENSORS.format(name=name, reason=reason.strip()[:160])) from error
    except RuntimeError as error:
        if "TorchScript" in str(error):
            raise ModelRefusedError(MORE_THAN_TENSORS.format(name=name, reason="TorchScript")) from error
        raise ModelRefusedError(DAMAGED.format(name=name, reason=str(error)[:120])) from error
    except (EOFError, OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise ModelRefusedError(DAMAGED.format(name=name, reason=type(error).__name__)) from error
