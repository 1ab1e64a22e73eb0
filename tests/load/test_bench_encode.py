"""The benchmark of encoding favours neither side, and says so where it measured nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from tests.load import bench_encode
from tests.load.bench_encode import Cost
from workers.engines.image_encoder import TowerImages
from workers.engines.preprocessing import Preprocessing


class Watching:
    """A tower that notes how what it is shown lies in memory."""

    def __init__(self) -> None:
        self.layouts: list[bool] = []

    def __call__(self, batch: torch.Tensor) -> torch.Tensor:
        self.layouts.append(batch.is_contiguous(memory_format=torch.channels_last))
        return batch.mean(dim=(2, 3)) + 1.0


def test_both_sides_show_the_model_the_same_layout(tmp_path: Path) -> None:
    (folder := tmp_path / "pictures").mkdir()
    for n in range(3):
        noise = np.random.default_rng(n).integers(0, 255, (32, 48, 3), dtype=np.uint8)
        Image.fromarray(noise).save(folder / f"{n}.jpg")
    tower = Watching()
    how = Preprocessing(lambda picture: picture, (32, 48), (0.5,) * 3, (0.25,) * 3, "as it is")
    encoder = TowerImages("watching", "0" * 64, 3, tower, how, torch.device("cpu"))
    bench_encode.bare_loop(encoder, bench_encode.tensors_of(encoder, folder))
    bench_encode.engine(encoder, folder, iter([tmp_path / "shards"]))
    assert tower.layouts == [True, True]


def test_the_clock_decides(capsys: pytest.CaptureFixture[str]) -> None:
    slow, quick = Cost(2.0, 2.0), Cost(1.0, 1.0)
    assert bench_encode.report([(quick, quick)], 8, 1)
    assert not bench_encode.report([(quick, slow)], 8, 1)
    assert "engine / bare: 0.50" in capsys.readouterr().out


def test_a_busy_machine_measures_nothing_and_fails(capsys: pytest.CaptureFixture[str]) -> None:
    starved, engine = Cost(2.0, 1.0), Cost(1.0, 1.0)
    assert not bench_encode.report([(starved, engine)], 8, 1)
    assert "not measured: the machine is busy" in capsys.readouterr().out


def test_a_missing_model_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workers.engines.carried.MODELS", tmp_path)
    assert not bench_encode.measure("ladder", 1, 1, tmp_path)
