"""From photographs to a release over the public API, with workers that are killed on the way where a test asks."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from embedded_site import EmbeddedSite
from live_stack import LiveStack
from walker import CREATE_CURATOR, Lab

STALE_SECONDS = "3"
# The order in which a person saw captions comes from the secret of the site.
LEFT_OUT = {"leave_out": "times,order"}
Finish = Callable[[Lab, dict[str, Any]], dict[str, Any]]


def walk(
    site: EmbeddedSite | LiveStack, photographs: Path, through: Mapping[str, Finish] | None = None
) -> tuple[dict[str, bytes], dict[str, Any]]:
    """Walk every stage; one that `through` names is finished by that function. Returns the release's files and what
    each stage counted."""
    site.manage("shell", "-c", CREATE_CURATOR)
    lab = Lab(site.url)
    upload = lab.upload(photographs)
    parameters: dict[str, dict[str, Any]] = {
        "import_images": {"upload": upload},
        "import_candidates": {"upload": upload, "borrow": 4},
        "release": LEFT_OUT,
    }
    counts: dict[str, Any] = {}

    def finish(stage: str) -> None:
        run = lab.start(stage, **parameters.get(stage, {}))
        finished = through[stage](lab, run) if through and stage in through else lab.wait(run)
        counts[stage] = finished["counts"]

    for stage in ("import_images", "import_candidates", "clean", "build_hits"):
        finish(stage)
    counts["judge"] = lab.judge_everything()
    for stage in ("consensus", "select", "difficulty", "release"):
        finish(stage)
    return lab.release_files(), counts


def until(lab: Lab, run: dict[str, Any], is_so: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The run as it is when `is_so`, or when it is over."""
    deadline = time.monotonic() + 120
    while not is_so(run) and run["status"] in ("queued", "running"):
        assert time.monotonic() < deadline, run
        time.sleep(0.02)
        run = lab.curator.get(f"/runs/{run['id']}")
    return run


def killed_after(stack: LiveStack, n: int, while_dead: Callable[[LiveStack], None] = lambda stack: None) -> Finish:
    """Kills the workers once `n` rows are committed, starts new ones, and waits for the end."""

    def finish(lab: Lab, run: dict[str, Any]) -> dict[str, Any]:
        caught = until(lab, run, lambda run: run["status"] == "running" and run["done"] >= n)
        stack.kill_workers()
        while_dead(stack)
        stack.start_workers()
        finished = lab.wait(caught)
        assert caught["status"] == "running", f"{run['stage']} was over before it could be killed"
        assert finished["attempt"] >= 2, finished
        return finished

    return finish
