"""Runs the stages of `make test` one after the other, and prints how long each took and which tests are slowest.

    python tests/support/stages.py checks unit browser

runs `make checks`, `make unit` and `make browser`, and ends at the first stage that fails. Each stage with tests writes
a JUnit file into tests/artefacts/times. The slowest tests come from these files.
"""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

TIMES = Path(__file__).resolve().parents[1] / "artefacts" / "times"
N_SLOWEST = 30


@dataclass(frozen=True)
class Timed:
    """One test with its seconds: set-up, test and clean-up together."""

    seconds: float
    stage: str
    name: str


def timed_tests(folder: Path) -> list[Timed]:
    """The tests of all JUnit files in the folder, slowest first."""
    found = [
        Timed(float(case.get("time", 0)), file.stem, f"{case.get('classname')} {case.get('name')}")
        for file in sorted(folder.glob("*.xml"))
        for case in ElementTree.parse(file).iter("testcase")  # noqa: S314 (our own file)
    ]
    return sorted(found, key=lambda each: -each.seconds)


def run(stages: list[str]) -> int:
    """Runs each stage by make, prints the times, and returns the exit status of the first that failed, or 0."""
    TIMES.mkdir(parents=True, exist_ok=True)
    for file in TIMES.glob("*.xml"):
        file.unlink()
    took: dict[str, float] = {}
    status = 0
    for stage in stages:
        started = time.monotonic()
        status = subprocess.run(["make", stage], check=False).returncode
        took[stage] = time.monotonic() - started
        if status:
            break
    report(took)
    return status


def report(took: dict[str, float]) -> None:
    """Prints the seconds and the number of tests of each stage, then the slowest tests."""
    tests = timed_tests(TIMES)
    print(f"\n{'stage':<20}{'seconds':>9}{'tests':>8}")
    for stage, seconds in took.items():
        print(f"{stage:<20}{seconds:>9.0f}{sum(test.stage == stage for test in tests) or '':>8}")
    print(f"{'all':<20}{sum(took.values()):>9.0f}{len(tests):>8}")
    print(f"\nThe {N_SLOWEST} slowest tests, in seconds:")
    for test in tests[:N_SLOWEST]:
        print(f"{test.seconds:>7.1f}  {test.stage:<11} {test.name}")


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
