"""What there is to compute on: a GPU or the processor, how many threads, how much memory."""

from __future__ import annotations

import os
import threading
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

MOST_THREADS = 8
PLENTY = 8 << 30  # bytes, assumed where nobody says how much there is
_counting = threading.Lock()


def best_device() -> torch.device:
    """The GPU where there is one, else the processor."""
    import torch

    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def steady_threads() -> None:
    """The same number of threads however the worker was started: a sum's last bit hangs on how it is shared out.

    Texts and sentences are computed on all of them together. Pictures are, on a processor, computed in as many lanes
    of one thread each: their vectors do not hang on the number, and one that was computed on all threads together may
    differ from them in its last bits.
    """
    import torch

    torch.set_num_threads(min(MOST_THREADS, os.cpu_count() or 1))


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
    """Half precision where it is quicker, on a GPU; nothing on a processor."""
    import torch

    return torch.autocast("cuda", dtype=torch.float16) if device.type == "cuda" else nullcontext()


def free_bytes(device: torch.device) -> int:
    """Memory that is free on `device`, in bytes."""
    import torch

    if device.type == "cuda":
        return int(torch.cuda.mem_get_info(device)[0])
    return _available()


def _available() -> int:
    """MemAvailable of Linux: what can be taken without swapping. Page cache counts, unlike in `sysconf`."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration, ValueError):
        return PLENTY
