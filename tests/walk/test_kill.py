"""`kill -9` in the middle of a stage, then restart: the same release, and nothing done twice."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from embedded_site import embedded_site
from live_stack import LiveStack
from walker import CREATE_CURATOR, Lab
from whole_walk import STALE_SECONDS, killed_after, until, walk

pytestmark = pytest.mark.nightly
PHOTOGRAPHS = "coco_cc_photos/photos_dev.json"


@pytest.fixture(scope="module")
def undisturbed(shared_data: Path, artefacts: Path, tiny_panel: dict[str, str]) -> tuple[dict, dict]:
    with embedded_site(artefacts / "undisturbed", **tiny_panel) as site:
        return walk(site, shared_data / PHOTOGRAPHS)


@pytest.mark.stack
def test_workers_killed_between_two_batches_leave_the_same_release_and_the_same_counts(
    start_stack: Callable[..., LiveStack], shared_data: Path, undisturbed: tuple[dict, dict]
) -> None:
    stack = start_stack(CONNOTE_RUN_STALE_SECONDS=STALE_SECONDS)
    through = {"import_images": killed_after(stack, 1), "difficulty": killed_after(stack, 0)}
    assert walk(stack, shared_data / PHOTOGRAPHS, through) == undisturbed


def test_the_embedded_site_killed_while_it_imports_goes_on_where_it_was(shared_data: Path, artefacts: Path) -> None:
    photographs = shared_data / PHOTOGRAPHS
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
