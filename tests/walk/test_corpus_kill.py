"""A corpus embedded by two real workers that are both killed in the middle: nothing is lost, nothing is done twice."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from corpora import caption, key, picture
from drawn import write_tar
from live_stack import LiveStack
from tiny_clips import PANEL, make_panel
from walker import CREATE_CURATOR, Lab
from workers.engines import registry
from workers.engines.shards import read_shards

SHARDS, PAIRS, KINDS = 12, 60, 8  # as many different pictures as KINDS, under ever new keys
SECOND = "worker-gpu-2"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Large enough that two workers are busy with it for seconds."""
    folder = tmp_path / "roots" / "tars"
    folder.mkdir(parents=True)
    pictures = [picture(n, size=(1200, 900)) for n in range(KINDS)]
    for shard in range(SHARDS):
        members: dict[str, bytes] = {}
        for n in range(shard * PAIRS, (shard + 1) * PAIRS):
            members |= {f"{key(n)}.jpg": pictures[n % KINDS], f"{key(n)}.txt": caption(n).encode()}
        write_tar(folder / f"{shard:05d}.tar", members)
    return folder


def start_second_worker(stack: LiveStack) -> None:
    """One more worker of the gpu queue, as on another machine."""
    first = stack.services["worker-gpu"]
    command = tuple(word.replace("gpu@", "gpu2@") for word in first.command)
    stack.services[SECOND] = replace(first, name=SECOND, command=command)
    stack.start_process(SECOND)


def until(lab: Lab, corpus_id: int, is_so: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The newest run's shards by state, once they are so or nothing is open."""
    deadline = time.monotonic() + 120
    while True:
        found: dict[str, Any] = lab.curator.get(f"/corpora/{corpus_id}")["progress"] or {}
        if found and (is_so(found) or found["status"] not in ("queued", "running")):
            return found
        assert time.monotonic() < deadline, found
        time.sleep(0.05)


def finished(folder: Path) -> dict[str, tuple[int, int]]:
    """Inode and time of change of every file of a shard that has its manifest."""
    stems = [path.stem for path in folder.rglob("shard-*.json")]
    files = [path for path in folder.rglob("shard-*") if path.stem in stems]
    return {path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in files}


@pytest.mark.nightly
@pytest.mark.stack
def test_two_killed_workers_lose_nothing_and_do_nothing_twice(
    start_stack: Callable[..., LiveStack], corpus: Path, tmp_path: Path
) -> None:
    make_panel()
    model, embeddings = f"local-dir:{PANEL / 'tiny-1'}", tmp_path / "embeddings"
    stack = start_stack(CONNOTE_RUN_STALE_SECONDS="3", CONNOTE_VISION_MODEL=model, CONNOTE_EMBEDDINGS=str(embeddings))
    start_second_worker(stack)
    stack.manage("shell", "-c", CREATE_CURATOR)
    lab = Lab(stack.url, slug="corpora")
    assert "shards: 12" in stack.manage("register_corpus", str(corpus), "--project", "corpora")
    (row,) = lab.curator.get("/projects/corpora/corpora")

    run = lab.start("embed_corpus")
    shared = until(lab, row["id"], lambda progress: progress["working"] >= 2)
    caught = until(lab, row["id"], lambda progress: progress["done"] >= 2)
    stack.processes.pop(SECOND).kill()
    stack.kill_workers()
    before = finished(embeddings)
    stack.start_workers()
    over = lab.wait(run)

    assert shared["working"] == 2, "The second worker never took a shard."
    assert caught["status"] == "running" and before, "The corpus was embedded before the workers could be killed."
    assert len(before) < 3 * SHARDS
    assert over["attempt"] >= 2
    n = SHARDS * PAIRS
    assert over["counts"] == {"dropped": {}, "in": n, "out": n, "shards": SHARDS, "shards_refused": 0}
    assert (over["done"], over["total"]) == (n, n)
    after = finished(embeddings)
    assert {name: after[name] for name in before} == before
    check(embeddings, model)


def check(embeddings: Path, model: str) -> None:
    """Every picture has its own vector, once, in order, and no killed worker left anything."""
    (folder,) = embeddings.glob("*/*")
    vectors = read_shards(folder)
    ids = np.arange(len(vectors))
    assert vectors.keys(ids) == [key(n) for n in range(SHARDS * PAIRS)]
    assert vectors.column("captions", ids) == [[caption(n)] for n in range(SHARDS * PAIRS)]
    encoder = registry.image_encoder(model)
    (block,) = encoder.encode([(str(n), picture(n, size=(1200, 900))) for n in range(KINDS)])
    expected = block.vectors[ids % KINDS]
    np.testing.assert_allclose(vectors.rows(ids), expected, atol=1e-5)
    assert not list(folder.glob(".*.part"))
