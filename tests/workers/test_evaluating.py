"""What is kept while models are measured: encodings and ranks, by any number of processes, one of them killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from backend.methods.benchmarks.reading import read_data
from backend.methods.benchmarks.settings import Settings
from backend.methods.ranking import DotProducts, Order, make_pairs, rank_both
from red_tower import NAME, RedTower, use
from workers.engines import registry
from workers.engines.evaluating import measure_model
from workers.engines.rank_blocks import SharedCounting

ROOT = Path(__file__).resolve().parents[2]
N = 300


def data_of(folder: Path, n: int) -> Path:
    """A picture of another colour for each number, with two captions that begin with the number."""
    folder.mkdir(exist_ok=True)
    for number in range(n):
        Image.new("RGB", (2, 2), (number % 256, number // 256, 0)).save(folder / f"i{number}.png")
    rows = [{"image": f"i{number}.png", "captions": [f"{number} a", f"{number} b"]} for number in range(n)]
    (folder / f"{n}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder / f"{n}.jsonl"


def process(data: Path, out: Path, work: Path, log: Path) -> subprocess.Popen[bytes]:
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests/support")])
    arguments = [str(each) for each in (data, out, work, log)]
    program = [sys.executable, str(ROOT / "tests/support/red_tower.py"), *arguments]
    return subprocess.Popen(program, cwd=ROOT, env={**os.environ, "PYTHONPATH": path})


@pytest.mark.nightly
def test_a_killed_process_and_two_after_it_have_the_bytes_of_one(tmp_path: Path) -> None:
    data = data_of(tmp_path / "data", N)
    killed, work = tmp_path / "killed.log", tmp_path / "work"
    first = process(data, tmp_path / "first", work, killed)
    while len(shards := list(work.glob("encodings/*/images/*/shard-*.json"))) < 2:
        assert first.poll() is None, "The process ended before it could be killed."
        time.sleep(0.01)
    first.kill()
    first.wait()
    assert len(shards) < N // 32 and not (tmp_path / "first").exists()

    logs = [tmp_path / f"{name}.log" for name in ("a", "b", "alone")]
    two = [process(data, tmp_path / log.stem, work, log) for log in logs[:2]]
    alone = process(data, tmp_path / "alone", tmp_path / "other", logs[2])
    assert [each.wait(120) for each in (*two, alone)] == [0, 0, 0]
    for name in ("result.json", "per_query.parquet"):
        assert len({(tmp_path / each / name).read_bytes() for each in ("a", "b", "alone")}) == 1, name
    body = json.loads((tmp_path / "a/result.json").read_text())
    assert body["metrics"]["text_to_image"]["hit@1"]["value"] == 1
    again = Counter(line for log in logs[:2] if log.exists() for line in log.read_text().splitlines())
    finished = set(killed.read_text().splitlines()[: 32 * len(shards)])
    assert again and set(again.values()) == {1} and not finished & again.keys()
    assert len(list(work.glob("ranks/*/block-*.npz"))) == 3


def test_another_set_takes_the_encodings_that_are_there_and_a_picture_that_comes_twice_is_encoded_once(
    tmp_path: Path,
) -> None:
    small, large = data_of(tmp_path / "data", 5), data_of(tmp_path / "data", 8)
    twice = {"image": "copy.png", "captions": ["3 a"]}
    (tmp_path / "data/copy.png").write_bytes((tmp_path / "data/i3.png").read_bytes())
    large.write_text(large.read_text() + json.dumps(twice) + "\n")
    log, heard = tmp_path / "log", Counter[str]()
    use(RedTower(log))
    try:
        for data in (small, large, large):
            heard.clear()
            found = measure_model(
                "retrieval", read_data(data), NAME, Settings(draws=20), work=tmp_path / "work", code="test",
                on_progress=lambda step, n: heard.update({step: n}),
            )  # fmt: skip
            assert found.outcome is not None
    finally:
        registry.forget(NAME)
    assert log.read_text().split() == [f"i{n}.png" for n in range(8)]
    assert heard == {"images": 9, "captions": 17, "ranks": 9}


class Dying(DotProducts):
    """Scores that can be had for so many blocks, and then no more."""

    left = 1

    def block(self, start: int, stop: int) -> Any:
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        return super().block(start, stop)


@pytest.mark.parametrize("is_ordered", [False, True])
def test_blocks_of_ranks_add_up_to_the_ranks_at_once_after_a_stop_and_a_damaged_file(
    is_ordered: bool, tmp_path: Path
) -> None:
    rng = np.random.default_rng(0)
    images, texts = (rng.integers(-2, 3, (n, 4)).astype(np.float32) for n in (500, 700))
    pairs = make_pairs(np.arange(700) % 500, np.arange(700), n_images=500, n_texts=700)
    order = Order(rng.permutation(500), rng.permutation(700)) if is_ordered else None
    counting = SharedCounting(tmp_path, "name", least=1)
    scores = Dying(images, texts)
    with pytest.raises(KeyboardInterrupt):
        rank_both(scores, pairs, order=order, with_wrong=True, counting=counting)
    scores.left = 3  # of four blocks
    found = rank_both(scores, pairs, order=order, with_wrong=True, counting=counting)
    next(iter(sorted(tmp_path.glob("*/*.npz")))).write_bytes(b"PK")
    scores.left = 1
    again = rank_both(scores, pairs, order=order, with_wrong=True, counting=counting)
    whole = rank_both(DotProducts(images, texts), pairs, order=order, with_wrong=True)
    for each in (found, again):
        for ours, theirs in zip(each, whole, strict=True):
            for name, values in vars(theirs).items():
                np.testing.assert_array_equal(getattr(ours, name), values, err_msg=name)
