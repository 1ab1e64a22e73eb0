"""From photographs to a release, over the public API, on both ways to run and over kill -9: byte for byte the same."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from backend.config.health import KEPT_SECONDS
from embedded_site import EmbeddedSite, embedded_site
from live_stack import LiveStack
from tiny_clips import MEMBERS
from walker import COMMITTED_PHOTOGRAPHS
from whole_walk import STALE_SECONDS, killed_after, walk

pytestmark = pytest.mark.stack


@pytest.fixture(scope="module")
def embedded(artefacts: Path, tiny_panel: dict[str, str]) -> Iterator[EmbeddedSite]:
    with embedded_site(artefacts / "embedded", **tiny_panel) as site:
        yield site


@pytest.fixture(scope="module")
def embedded_walk(embedded: EmbeddedSite) -> tuple[dict[str, bytes], dict[str, Any]]:
    return walk(embedded, COMMITTED_PHOTOGRAPHS)


def test_the_embedded_walk_counts_every_photograph_and_caption(embedded_walk: tuple[dict, dict]) -> None:
    _, counts = embedded_walk
    photographs = json.loads(COMMITTED_PHOTOGRAPHS.read_text())
    n_captions = sum(len(photograph["captions"]) for photograph in photographs)
    assert counts["import_images"]["out"] == len(photographs)
    assert counts["import_candidates"]["out"] == n_captions
    assert counts["import_candidates"]["borrowed"] == 4 * len(photographs)
    kept = counts["clean"]["out"]
    assert kept + sum(counts["clean"]["dropped"].values()) == counts["clean"]["in"]
    assert counts["judge"] == 2 * kept


def test_the_release_holds_five_good_captions_of_each_image_and_its_checksums(embedded_walk: tuple[dict, dict]) -> None:
    files, _ = embedded_walk
    captions = [json.loads(line) for line in files["captions.jsonl"].decode().splitlines()]
    assert captions
    per_image: dict[str, int] = {}
    for caption in captions:
        per_image[caption["image"]] = per_image.get(caption["image"], 0) + 1
        assert caption["n_good"] == 2
    assert set(per_image.values()) == {5}
    assert len(list(csv.reader(io.StringIO(files["captions.csv"].decode())))) == len(captions) + 1
    sums = dict(line.split("  ")[::-1] for line in files["SHA256SUMS"].decode().splitlines())
    assert sums == {n: hashlib.sha256(data).hexdigest() for n, data in files.items() if n != "SHA256SUMS"}


def test_every_released_caption_carries_the_votes_of_the_whole_panel(embedded_walk: tuple[dict, dict]) -> None:
    files, counts = embedded_walk
    captions = [json.loads(line) for line in files["captions.jsonl"].decode().splitlines()]
    rated = [caption["difficulty"] for caption in captions]
    assert {tuple(said["model"] for said in one["panel"]) for one in rated} == {MEMBERS}
    assert all(said["vote"] == (said["score"] >= said["threshold"]) for one in rated for said in one["panel"])
    assert all(one["n_votes"] == sum(said["vote"] for said in one["panel"]) for one in rated)
    categories = [one["category"] for one in rated]
    assert len(set(categories)) > 1, "This panel is of one mind and tests little."
    assert counts["difficulty"] == {
        "in": len(captions), "out": len(captions), "dropped": {},
        **{name: categories.count(name) for name in ("easy", "medium", "hard")},
    }  # fmt: skip
    assert json.loads(files["manifest.json"])["difficulty"]["categories"]["not_asked"] == 0


@pytest.mark.nightly
def test_killed_workers_on_postgresql_make_the_same_bytes_and_counts_as_the_embedded_site(
    start_stack: Callable[..., LiveStack], embedded_walk: tuple[dict, dict]
) -> None:
    stack = start_stack(CONNOTE_RUN_STALE_SECONDS=STALE_SECONDS)
    through = {"import_images": killed_after(stack, 0, names_both_workers), "difficulty": killed_after(stack, 0)}
    assert walk(stack, COMMITTED_PHOTOGRAPHS, through) == embedded_walk
    assert stack.readiness()[0] == 200
    assert stack.manage("migrate", "--check") == ""


def names_both_workers(stack: LiveStack) -> None:
    """While they are dead, the site says which workers are missing."""
    time.sleep(KEPT_SECONDS)
    stack.readiness()  # while one request checks, others are told what was found before
    status, body = stack.readiness()
    assert (status, set(body["missing"])) == (503, {"worker_cpu", "worker_gpu"})


@pytest.mark.nightly
def test_workers_on_postgresql_that_nobody_kills_make_the_same_bytes_too(
    live_stack: LiveStack, embedded_walk: tuple[dict, dict]
) -> None:
    assert walk(live_stack, COMMITTED_PHOTOGRAPHS) == embedded_walk
