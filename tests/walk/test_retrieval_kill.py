"""Retrieval killed by `kill -9`, twice: the same pools and captions as in a project where nothing happened."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from corpora import picture, tar_corpus
from drawn import BY
from live_stack import LiveStack
from tiny_clips import PANEL, make_panel
from walker import CREATE_CURATOR, Lab

IMAGES, PICTURES = 300, 120  # more images than one step takes
ASKED = {"radius": 5000, "low": 0, "copy": 101, "min_cluster_size": 10}  # the model's weights are chance


@pytest.fixture
def images(tmp_path: Path) -> Path:
    folder = tmp_path / "images"
    folder.mkdir()
    rows = []
    for n in range(IMAGES):
        (folder / f"{n}.jpg").write_bytes(picture(10_000 + n))
        rows.append({"file_name": f"{n}.jpg", "id": f"i{n}", "license": BY})
    (folder / "pictures.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return folder


def until(lab: Lab, run: dict[str, Any], attempt: int) -> dict[str, Any]:
    """The run once that attempt has it in hand and some of it is done, or once it is over."""
    deadline = time.monotonic() + 180
    while run["status"] in ("queued", "running") and (run["attempt"] < attempt or not run["done"]):
        assert time.monotonic() < deadline, run
        time.sleep(0.02)
        run = lab.curator.get(f"/runs/{run['id']}")
    return run


def told(lab: Lab) -> list[Any]:
    """Pools by image, and the captions of some images, without the ids of this database."""
    pools = lab.curator.rows(f"/projects/{lab.slug}/pools?limit=200")
    ids = {pool["image_key"]: pool["image"] for pool in pools}
    captions = [
        [(row["raw_text"], row["source_ref"], row["rank"], row["similarity"]) for row in rows]
        for key in sorted(ids)[:20]
        for rows in [lab.curator.rows(f"/projects/{lab.slug}/images/{ids[key]}/candidates")]
    ]
    hidden = {"id", "run", "image"}
    facts = [{name: pool[name] for name in pool if name not in hidden} for pool in pools]
    return [sorted(facts, key=lambda pool: pool["image_key"]), captions]


@pytest.mark.nightly
@pytest.mark.stack
def test_killed_workers_leave_the_pools_of_a_run_that_nobody_disturbed(
    start_stack: Callable[..., LiveStack], images: Path, tmp_path: Path
) -> None:
    make_panel()
    model = f"local-dir:{PANEL / 'tiny-1'}"
    embeddings = str(tmp_path / "embeddings")
    stack = start_stack(CONNOTE_RUN_STALE_SECONDS="3", CONNOTE_VISION_MODEL=model, CONNOTE_EMBEDDINGS=embeddings)
    stack.manage("shell", "-c", CREATE_CURATOR)
    corpus = tar_corpus(tmp_path / "corpus", shards=(PICTURES // 2, PICTURES // 2))
    labs = {slug: Lab(stack.url, slug=slug) for slug in ("disturbed", "undisturbed")}
    for slug, lab in labs.items():
        stack.manage("import_images", str(images), "--project", slug)
        stack.manage("register_corpus", str(corpus), "--project", slug)
        lab.wait(lab.start("embed_corpus"))

    disturbed = labs["disturbed"]
    run = disturbed.start("retrieve", **ASKED)
    for attempt in (1, 2):  # the images are embedded; the map is being made, or searched
        caught = until(disturbed, run, attempt)
        assert caught["status"] == "running", f"The run was over before it could be killed: {caught}"
        stack.kill_workers()
        stack.start_workers()
    over = disturbed.wait(caught)
    smooth = labs["undisturbed"].wait(labs["undisturbed"].start("retrieve", **ASKED))

    assert over["attempt"] >= 3
    assert (over["done"], over["total"], over["counts"]["in"]) == (2 * IMAGES, 2 * IMAGES, IMAGES)
    assert over["counts"] == smooth["counts"] and over["models"] == smooth["models"]
    pools, captions = told(disturbed)
    assert [pools, captions] == told(labs["undisturbed"])
    assert len(pools) == IMAGES and any(captions)
    assert not list(Path(embeddings).rglob(".*.part"))
