"""Do the engines compute on this machine's GPU what they compute on its processor, and how fast?

    make gpu-check                                   # prepares a Python with CUDA, then runs this
    python tests/gpu/check.py [--only NAME] [--device cuda:1] [--seconds 420]

It needs no database, no Redis and no network. Each check is a function that yields rows of the table: write one into a
file of this folder, and add it to CHECKS. A check is left out, with the reason, where a package that it needs is
missing or the time is up. The table is printed and, unless --only is given, written into docs/gpu.md.

Ends with status 0 where every bound is kept, 1 where one is not or a check broke, 2 where something was not checked,
3 where there is no CUDA device.
"""

from __future__ import annotations

import argparse
import datetime
import faulthandler
import os
import platform
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "gpu")]

import encoder_checks  # noqa: E402
import memory_checks  # noqa: E402
import neighbour_checks  # noqa: E402
import panel_checks  # noqa: E402
import rank_checks  # noqa: E402
from measuring import Row, Setup  # noqa: E402

GOOD, BAD, PARTLY, NO_CARD = range(4)
DISTRIBUTIONS = (
    "torch",
    "torchvision",
    "open_clip_torch",
    "timm",
    "sentence-transformers",
    "transformers",
    "faiss-cpu",
)
DOCUMENT = ROOT / "docs" / "gpu.md"
BEGIN, END = "<!-- measured: written by make gpu-check -->\n", "<!-- end of measured -->\n"
NOT_CHECKED, LACKS = "not checked", "the package {name} is missing"
GRACE = 60  # seconds that a check which began in time may take longer than --seconds


@dataclass(frozen=True)
class Check:
    """`work` yields rows; `needs` are the modules without which it cannot run."""

    name: str
    work: Callable[[Setup], Iterator[Row]]
    needs: tuple[str, ...] = ()


CHECKS = (
    Check("neighbours", neighbour_checks.neighbours),
    Check("ranks", rank_checks.ranks),
    Check("vision", encoder_checks.vision, ("PIL", "torchvision", "timm")),
    Check("sentences", encoder_checks.sentence, ("sentence_transformers", "transformers", "torchvision")),
    Check("memory", memory_checks.memory, ("PIL", "torchvision", "open_clip")),
    Check("clip", encoder_checks.clip, ("PIL", "torchvision", "open_clip")),
    Check("panel", panel_checks.panel, ("PIL", "torchvision", "open_clip", "transformers")),
)


def run(checks: Iterable[Check], setup: Setup, *, until: float, say: Callable[[str], object] = print) -> list[Row]:
    """The rows of all checks. One that breaks, lacks a package or comes too late is a row that says so."""
    rows: list[Row] = []
    for check in checks:
        for row in _rows(check, setup, until):
            rows.append(row)
            say(line(row))
    return rows


def _rows(check: Check, setup: Setup, until: float) -> Iterator[Row]:
    missing = [name for name in check.needs if find_spec(name) is None]
    if missing or time.monotonic() > until:
        yield Row(check.name, NOT_CHECKED, LACKS.format(name=missing[0]) if missing else "the time is up")
        return
    try:
        yield from check.work(setup)
    except ModuleNotFoundError as error:
        yield Row(check.name, NOT_CHECKED, LACKS.format(name=error.name))
    except Exception as error:  # the other checks have something to say, too
        traceback.print_exc()
        said = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
        yield Row(check.name, "broke", said, "", False)


def status_of(rows: list[Row]) -> int:
    """GOOD, BAD or PARTLY."""
    if any(row.passed is False for row in rows):
        return BAD
    return PARTLY if any(row.what == NOT_CHECKED for row in rows) else GOOD


def verdict(row: Row) -> str:
    return {True: "passed", False: "FAILED", None: ""}[row.passed]


def line(row: Row) -> str:
    bound = f" ({row.bound})" if row.bound else ""
    return f"{verdict(row) or '-':7} {row.subject}: {row.what}: {row.found}{bound}"


def table(rows: list[Row], facts: dict[str, str]) -> str:
    """What is measured, as Markdown."""
    head = [f"* {name}: {value}" for name, value in facts.items()]
    cells = [(row.subject, row.what, row.found, row.bound, verdict(row)) for row in rows]
    body = ["| " + " | ".join(cell.replace("|", "/") for cell in row) + " |" for row in cells]
    titles = ["| What | Check | Found | Bound | |", "|---|---|---|---|---|"]
    return "\n".join([*head, "", *titles, *body]) + "\n"


def rewritten(document: str, measured: str) -> str:
    """The document with what was measured in the place of what stood there before. Raises ValueError without one."""
    before, rest = document.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n{measured.strip()}\n\n{END}{after}"


def facts_of(device: Any) -> dict[str, str]:
    """The card and the versions that the figures hold for."""
    import torch

    known = torch.cuda.get_device_properties(device)
    return {
        "Card": f"{known.name}, {known.total_memory / 2**30:.0f} GiB",
        "Driver": driver(),
        "Date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "Versions": ", ".join([f"Python {platform.python_version()}", f"CUDA {torch.version.cuda}", *versions()]),
        "Processor": f"{os.cpu_count()} cores",
    }


def driver() -> str:
    asked = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    try:
        return subprocess.run(asked, capture_output=True, text=True, timeout=20, check=True).stdout.split()[0]
    except (OSError, subprocess.SubprocessError, IndexError):
        return "unknown"


def versions() -> Iterator[str]:
    for name in DISTRIBUTIONS:
        try:
            yield f"{name} {metadata.version(name)}"
        except metadata.PackageNotFoundError:
            continue


def no_card() -> str:
    """Why there is no CUDA device, empty where there is one."""
    if find_spec("torch") is None:
        return "this Python has no torch"
    import torch

    if torch.version.cuda is None:
        return f"torch {torch.__version__} was built without CUDA"
    return "" if torch.cuda.is_available() else "torch finds no GPU, or no driver for it"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Compare the engines on a GPU with the same engines on the processor.")
    parser.add_argument("--only", choices=[check.name for check in CHECKS], action="append")
    parser.add_argument("--device", default="cuda", help="A GPU, such as cuda:1.")
    parser.add_argument("--seconds", type=float, default=360, help="No check starts after this time.")
    asked: Any = parser.parse_args(arguments)
    reason = no_card()
    if reason:
        print(f"No CUDA device: {reason}. Nothing was measured or written.")
        return NO_CARD
    import torch

    warnings.simplefilter("ignore")  # libraries deprecate their own corners
    faulthandler.dump_traceback_later(asked.seconds + GRACE, exit=True)
    device = torch.device(asked.device)
    facts = facts_of(device)
    print(*(f"{name}: {value}" for name, value in facts.items()), sep="\n")
    checks = [check for check in CHECKS if not asked.only or check.name in asked.only]
    until = time.monotonic() + asked.seconds
    with tempfile.TemporaryDirectory(prefix="connote-gpu-") as scratch:
        rows = run(checks, Setup(device, Path(scratch), n=1024), until=until)
    faulthandler.cancel_dump_traceback_later()
    if not asked.only:
        DOCUMENT.write_text(rewritten(DOCUMENT.read_text("utf-8"), table(rows, facts)), "utf-8")
        print(f"Written to {DOCUMENT.relative_to(ROOT)}.")
    return status_of(rows)


if __name__ == "__main__":
    sys.exit(main())
