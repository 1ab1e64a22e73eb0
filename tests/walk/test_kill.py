"""`kill -9` in the middle of a stage, then restart: the same release, and nothing done twice."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from embedded_site import embedded_site
from live_stack import LiveStack
from walker import COMMITTED_PHOTOGRAPHS, CREATE_CURATOR, Lab
from whole_walk import STALE_SECONDS, killed_after, until, walk

PHOTOGRAPHS = "coco_cc_photos/photos_dev.json"


@pytest.fixture(scope="module")
def undisturbed(shared_data: Path, artefacts: Path, tiny_panel: dict[str, str]) -> tuple[dict, dict]:
    with embedded_site(artefacts / "undisturbed", **tiny_panel) as site:
        return walk(site, shared_data / PHOTOGRAPHS)


SILENCE = """
from datetime import timedelta
from django.utils import timezone
from backend.runs.models import Run
from backend.runs.services import recover_runs
Run.objects.filter(pk="{run}").update(heartbeat_at=timezone.now() - timedelta(days=1))
recover_runs()
"""


@pytest.mark.nightly
@pytest.mark.stack
def test_an_import_whose_workers_are_killed_is_finished_by_others(live_stack: LiveStack, site: str) -> None:
    lab = Lab(site, slug="killed-import", overlap=1)
    upload = lab.upload(COMMITTED_PHOTOGRAPHS)
    with psycopg.connect(live_stack.place.database_url) as connection:
        connection.execute("LOCK TABLE catalogue_image IN SHARE ROW EXCLUSIVE MODE")  # it stores none until it is dead
        run = lab.start("import_images", upload=upload)
        caught = until(lab, run, lambda run: run["status"] == "running")
        live_stack.kill_workers()
    live_stack.manage("shell", "-v", "0", "-c", SILENCE.format(run=run["id"]))  # not to wait for a minute
    live_stack.start_workers()
    finished = lab.wait(run)
    n = len(json.loads(COMMITTED_PHOTOGRAPHS.read_text()))
    assert caught["status"] == "running", caught
    assert (finished["attempt"], finished["counts"]["out"], finished["n_refused"]) == (2, n, 0)
    assert len({image["digest"] for image in lab.curator.rows(f"/projects/{lab.slug}/images")}) == n


@pytest.mark.nightly
@pytest.mark.stack
def test_workers_killed_between_two_batches_leave_the_same_release_and_the_same_counts(
    start_stack: Callable[..., LiveStack], shared_data: Path, undisturbed: tuple[dict, dict]
) -> None:
    stack = start_stack(CONNOTE_RUN_STALE_SECONDS=STALE_SECONDS)
    through = {"import_images": killed_after(stack, 1), "difficulty": killed_after(stack, 0)}
    assert walk(stack, shared_data / PHOTOGRAPHS, through) == undisturbed


@pytest.mark.nightly
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
