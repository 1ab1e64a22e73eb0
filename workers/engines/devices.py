"""What there is to compute on: a GPU or the processor, how many threads, how much memory.

Two variables of the environment choose, for every engine of the process:

* CONNOTE_DEVICE: `auto` (a GPU where there is one), `cpu`, `cuda`, or one of several cards, `cuda:1`;
* CONNOTE_PRECISION: `float32` (on a GPU the numbers of a processor), or `bfloat16` (on a GPU quicker, and coarser).
"""

from __future__ import annotations

import os
import re
import sys
import threading
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from workers.engines.protocols import DeviceError

if TYPE_CHECKING:
    import torch

MOST_THREADS = 8
PLENTY = 8 << 30  # bytes, assumed where nobody says how much there is
DEVICE, PRECISION = "CONNOTE_DEVICE", "CONNOTE_PRECISION"
PRECISIONS = ("float32", "bfloat16")
OF_A_CARD = (Path("/dev/nvidiactl"), Path("/dev/dxg"))  # on Linux, and on Windows' own Linux
NO_SUCH_DEVICE = "{variable} is {value!r}. Set it to auto, cpu, cuda or the number of a GPU, for example cuda:1."
NO_SUCH_PRECISION = "{variable} is {value!r}. Set it to one of: {choices}."
NO_CUDA = "{variable} is {value!r}, but torch finds no CUDA device. Set it to auto or cpu, or give the worker a GPU."
NO_SUCH_CARD = "{variable} is {value!r}, but torch finds {n} CUDA devices, numbered from 0. Set another number."
_counting = threading.Lock()


def best_device() -> torch.device:
    """The device that CONNOTE_DEVICE names; by default the GPU where there is one. Raises DeviceError."""
    import torch

    value = _wanted()
    if value == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    device = torch.device(value)
    if device.type == "cuda" and not torch.cuda.is_available():
        raise DeviceError(NO_CUDA.format(variable=DEVICE, value=value))
    if device.index is not None and device.index >= torch.cuda.device_count():
        raise DeviceError(NO_SUCH_CARD.format(variable=DEVICE, value=value, n=torch.cuda.device_count()))
    return device


def card() -> torch.device | None:
    """The GPU to compute on, None where there is none. Where the system shows no card, torch is not imported.

    Raises DeviceError.
    """
    value = _wanted()
    if value == "cpu" or (value == "auto" and not any(path.exists() for path in OF_A_CARD)):
        return None
    device = best_device()
    return device if device.type == "cuda" else None


def _wanted() -> str:
    value = os.environ.get(DEVICE, "").strip().lower() or "auto"
    if not re.fullmatch(r"auto|cpu|cuda(:[0-9]{1,3})?", value):
        raise DeviceError(NO_SUCH_DEVICE.format(variable=DEVICE, value=value))
    return value


def precision() -> str:
    """What CONNOTE_PRECISION says a forward pass on a GPU computes in. Raises DeviceError."""
    value = os.environ.get(PRECISION, "").strip().lower() or PRECISIONS[0]
    if value not in PRECISIONS:
        raise DeviceError(NO_SUCH_PRECISION.format(variable=PRECISION, value=value, choices=", ".join(PRECISIONS)))
    return value


def make_steady() -> None:
    """Let sums come out the same in every run, as far as that can be had.

    A GPU: torch lets convolutions round their input to TF32, 10 bits, and take sums in any order. Neither is wanted.

    A processor: the same number of threads however the worker was started, as a sum's last bit hangs on how it is
    shared out. Texts and sentences are computed on all of them together. Pictures are computed in as many lanes of one
    thread each: their vectors do not hang on the number, and one that was computed on all threads together may differ
    from them in its last bits.
    """
    import torch

    torch.set_num_threads(min(MOST_THREADS, os.cpu_count() or 1))
    torch.backends.cudnn.deterministic = True
    # Not by the newer `fp32_precision`: after it, torch's own `cudnn.flags` fails.
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cuda.matmul.allow_tf32 = False


def n_lanes(device: torch.device) -> int:
    """How many batches to read and to compute at once, one thread for each; 0 on a GPU, which computes one by one."""
    import torch

    return min(MOST_THREADS, torch.get_num_threads()) if device.type == "cpu" else 0


def compute_alone() -> None:
    """From here on the calling thread computes without help from others. No other thread notices.

    torch keeps the number for this thread, and as the one that threads begin with: a passing thread puts that back.
    """
    import torch

    with _counting:
        before = torch.get_num_threads()
        if before > 1:
            torch.set_num_threads(1)
            passing = threading.Thread(target=torch.set_num_threads, args=(before,))
            passing.start()
            passing.join()


def autocast(device: torch.device) -> AbstractContextManager[object]:
    """What a forward pass on a GPU is run in, by `precision`; nothing on a processor.

    Never float16: some models have numbers past its 65,504, and then give NaN. What comes out may be bfloat16, which
    numpy does not know: a caller makes it float32.
    """
    import torch

    if device.type == "cuda" and precision() == "bfloat16":
        return torch.autocast("cuda", dtype=torch.bfloat16)
    return nullcontext()


def free_bytes(device: torch.device) -> int:
    """Memory that is free on `device`, in bytes. What torch keeps of a GPU's for its next tensors is free, too."""
    import torch

    if device.type == "cuda":
        kept = torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)
        return int(torch.cuda.mem_get_info(device)[0]) + kept
    return _available()


def give_back_memory() -> None:
    """Let other processes have what torch keeps of a GPU's memory for its next tensors. Does not import torch."""
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_initialized():
        torch.cuda.empty_cache()


def _available() -> int:
    """MemAvailable of Linux: what can be taken without swapping. Page cache counts, unlike in `sysconf`."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration, ValueError):
        return PLENTY
