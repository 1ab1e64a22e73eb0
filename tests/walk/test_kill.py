"""`kill -9` in the middle of a stage, then restart: the same release, and nothing done twice."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from embedded_site import embedded_site
from live_stack import LiveStack
from walker import CREATE_CURATOR, Lab

STALE_SECONDS = "3"


def until(lab: Lab, run: dict[str, Any], is_so: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The run as it is when `is_so`, or when it is over."""
    deadline = time.monotonic() + 120
    while not is_so(run) and run["status"] in ("queued", "running"):
        assert time.monotonic() < deadline, run
        time.sleep(0.02)
        run = lab.curator.get(f"/runs/{run['id']}")
    return run


def interrupted(stack: LiveStack, lab: Lab, run: dict[str, Any], *, after: int) -> dict[str, Any]:
    """Kill the workers once `after` rows are committed, start new ones, and wait for the end."""
    caught = until(lab, run, lambda run: run["status"] == "running" and run["done"] >= after)
    stack.kill_workers()
    stack.start_workers()
    finished = lab.wait(caught)
    assert caught["status"] == "running", f"{run['stage']} was over before it could be killed"
    assert finished["attempt"] >= 2, finished
    return finished


def smooth(lab: Lab, run: dict[str, Any]) -> dict[str, Any]:
    return lab.wait(run)


def walk(lab: Lab, photographs: Path, through: dict[str, Callable[..., dict[str, Any]]]) -> tuple[dict, dict]:
    """Walk to a release; a stage named in `through` is finished by that function. Returns files and counts."""
    upload = lab.upload(photographs)
    counts: dict[str, Any] = {}
    parameters: dict[str, dict[str, Any]] = {
        "import_images": {"upload": upload},
        "import_candidates": {"upload": upload, "borrow": 3},
        "release": {"leave_out": "times,order"},  # the order shown comes from the secret of the site
    }
    for stage in ("import_images", "import_candidates", "clean", "build_hits"):
        counts[stage] = through.get(stage, smooth)(lab, lab.start(stage, **parameters.get(stage, {})))["counts"]
    counts["judge"] = lab.judge_everything()
    for stage in ("consensus", "select", "difficulty", "release"):
        counts[stage] = through.get(stage, smooth)(lab, lab.start(stage, **parameters.get(stage, {})))["counts"]
    return lab.release_files(), counts


@pytest.fixture(scope="module")
def undisturbed(shared_data: Path, artefacts: Path, tiny_panel: dict[str, str]) -> tuple[dict, dict]:
    with embedded_site(artefacts / "undisturbed", **tiny_panel) as site:
        site.manage("shell", "-c", CREATE_CURATOR)
        return walk(Lab(site.url), shared_data / "coco_cc_photos" / "photos_dev.json", {})


@pytest.mark.stack
def test_killed_workers_leave_the_same_release_and_the_same_counts(
    start_stack: Callable[..., LiveStack], shared_data: Path, undisturbed: tuple[dict, dict]
) -> None:
    stack = start_stack(CONNOTE_RUN_STALE_SECONDS=STALE_SECONDS)
    stack.manage("shell", "-c", CREATE_CURATOR)

    def killed_after(n: int) -> Callable[[Lab, dict[str, Any]], dict[str, Any]]:
        return lambda lab, run: interrupted(stack, lab, run, after=n)

    through = {"import_images": killed_after(1), "difficulty": killed_after(0)}
    files, counts = walk(Lab(stack.url), shared_data / "coco_cc_photos" / "photos_dev.json", through)
    assert counts == undisturbed[1]
    assert files == undisturbed[0]


@pytest.mark.nightly
def test_the_embedded_site_killed_while_it_imports_goes_on_where_it_was(shared_data: Path, artefacts: Path) -> None:
    photographs = shared_data / "coco_cc_photos" / "photos_dev.json"
    with embedded_site(artefacts / "killed", CONNOTE_RUN_STALE_SECONDS=STALE_SECONDS) as site:
        site.manage("shell", "-c", CREATE_CURATOR)
        lab = Lab(site.url)
        run = lab.start("import_images", upload=lab.upload(photographs))
        caught = until(lab, run, lambda run: run["status"] == "running" and run["done"] >= 1)
        site.process.kill()
        site.start()
        finished = lab.wait(caught)
        images = lab.curator.rows(f"/projects/{lab.slug}/images")
    n = len(json.loads(photographs.read_text()))
    assert caught["status"] == "running" and caught["done"] < n, "The import was over before it could be killed."
    assert finished["attempt"] == 2
    assert (finished["counts"]["in"], finished["counts"]["out"], finished["n_refused"]) == (n, n, 0)
    assert len({image["digest"] for image in images}) == len(images) == n
