"""`manage.py train_adapter`: three adapters on frozen vectors, the same bytes after a kill, and nothing learned that is
measured."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from django.core.management import CommandError, call_command

from backend.methods.benchmarks.data import BenchmarkData, DataError
from backend.methods.benchmarks.reading import read_data
from backend.methods.ranking.scorers import SCORERS, items_of
from workers.training.adapters import losses, training
from workers.training.adapters.heads import KINDS, Adapter
from workers.training.adapters.splitting import Split, check, split

N, D = 40, 12


@pytest.fixture
def frozen(tmp_path: Path) -> tuple[Path, Path]:
    """Forty images with three captions each, of which every third is a turned one, which a cosine does not find."""
    rng = np.random.default_rng(0)
    images = rng.standard_normal((N, D))
    texts = images[np.arange(3 * N) // 3] + 0.2 * rng.standard_normal((3 * N, D))
    texts[2::3] = np.roll(texts[2::3], 1, axis=1)
    folder = tmp_path / "frozen"
    folder.mkdir()
    np.save(folder / "image.npy", images)
    np.save(folder / "text.npy", texts)
    data = tmp_path / "set.jsonl"
    rows = [
        {
            "image": f"i{n}", "captions": [f"{n} plain", f"{n} again", "the same" if n < 2 else f"{n} turned"],
            "categories": [{"polysemous": each} for each in ("no", "no", "yes")],
        }
        for n in range(N)
    ]  # fmt: skip
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder, data


def train(kind: str, frozen: tuple[Path, Path], out: Path, *options: str) -> str:
    said = StringIO()
    folder, data = (str(each) for each in frozen)
    small = ("--epochs", "3", "--batch", "16", "--k", "2")
    call_command(
        "train_adapter", kind, "--embeddings", folder, "--data", data, "--out", str(out), *small, *options,
        stdout=said, stderr=StringIO(),
    )  # fmt: skip
    return said.getvalue()


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in sorted(folder.iterdir())}


@pytest.mark.parametrize("kind", KINDS)
def test_a_killed_training_goes_on_to_the_same_bytes_and_evaluate_reads_them(
    kind: str, frozen: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = train(kind, frozen, tmp_path / "whole")
    assert "text to image  hit@1, polysemous=yes" in said
    keep = training._keep

    def keep_and_die(recipe: Any, adapter: Any, optimizer: Any, told: list[float], folder: Path) -> None:
        keep(recipe, adapter, optimizer, told, folder)
        if len(told) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(training, "_keep", keep_and_die)
    with pytest.raises(CommandError, match="Run the same command again"):
        train(kind, frozen, tmp_path / "killed")
    monkeypatch.setattr(training, "_keep", keep)
    with pytest.raises(CommandError, match="a training with other settings"):
        train(kind, frozen, tmp_path / "killed", "--seed", "1")
    train(kind, frozen, tmp_path / "killed")
    assert bytes_of(tmp_path / "killed") == bytes_of(tmp_path / "whole")
    assert "has this adapter already" in train_again(kind, frozen, tmp_path / "whole")
    with pytest.raises(CommandError, match="has another adapter"):
        train(kind, frozen, tmp_path / "whole", "--rate", "0.1")
    call_command(
        "evaluate", "retrieval", "--data", str(frozen[1]), "--embeddings", str(tmp_path / "whole"), "--out",
        str(tmp_path / "out"), "--set", f"only={tmp_path}/whole/held_out.txt", "--set", "draws=50",
        stdout=StringIO(), stderr=StringIO(),
    )  # fmt: skip
    body = json.loads((tmp_path / "out/result.json").read_text())
    expected = {"pvse": "pvse_max", "pcme": "pcme_probability", "dive": "smooth_chamfer"}[kind]
    assert body["model"]["scorer"] == expected and body["data"]["images"] == 8
    card = (tmp_path / "whole/card.md").read_text()
    assert "| text to image | all | 24 | " in card and "Held out: 8 images, 24 captions" in card
    shown = f"{body['metrics']['text_to_image']['hit@1']['value']:.4f}"
    assert next(line for line in card.splitlines() if "text to image | all" in line).split(" | ")[4] == shown


def train_again(kind: str, frozen: tuple[Path, Path], out: Path) -> str:
    told = StringIO()
    folder, data = (str(each) for each in frozen)
    call_command(
        "train_adapter", kind, "--embeddings", folder, "--data", data, "--out", str(out), "--epochs", "3", "--batch",
        "16", "--k", "2", stdout=StringIO(), stderr=told,
    )  # fmt: skip
    return told.getvalue()


def test_an_adapter_learns_captions_that_a_cosine_does_not_find_and_is_applied_to_other_vectors(
    frozen: tuple[Path, Path], tmp_path: Path
) -> None:
    train("dive", frozen, tmp_path / "dive", "--epochs", "15", "--held-out", "0")
    told = json.loads((tmp_path / "dive/adapter.json").read_text())["losses"]
    assert told[-1] < 0.9 * told[0]
    assert not (tmp_path / "dive/image.npy").exists()
    arguments = ("--embeddings", str(frozen[0]), "--out", str(tmp_path / "applied"))
    call_command("apply_adapter", str(tmp_path / "dive"), *arguments, stdout=StringIO())
    assert np.load(tmp_path / "applied/text.npy").shape == (3 * N, 2, D)
    with pytest.raises(CommandError, match="is not empty"):
        call_command("apply_adapter", str(tmp_path / "dive"), *arguments, stdout=StringIO())
    np.save(frozen[0] / "image.npy", np.ones((N, D + 1)))
    with pytest.raises(CommandError, match="have 13 numbers, and the adapter dive needs 12"):
        call_command(
            "apply_adapter", str(tmp_path / "dive"), *arguments[:-1], str(tmp_path / "other"), stdout=StringIO()
        )
    (tmp_path / "dive/adapter.safetensors").write_bytes(b"x" * 20)
    with pytest.raises(CommandError, match="has no adapter that Connote can read"):
        call_command("apply_adapter", str(tmp_path / "dive"), *arguments[:-1], str(tmp_path / "n"), stdout=StringIO())


def vectors_of(frozen: tuple[Path, Path]) -> tuple[BenchmarkData, np.ndarray, np.ndarray]:
    images, texts = (np.load(frozen[0] / f"{what}.npy").astype(np.float32) for what in ("image", "text"))
    return read_data(frozen[1]), images, texts


def test_what_is_held_out_shares_nothing_with_what_is_learned(frozen: tuple[Path, Path]) -> None:
    data, images, texts = vectors_of(frozen)
    images[5] = images[6]
    sides = []
    for seed in range(12):
        found = split(data, images, texts, share=0.25, seed=seed)
        held = set(found.held_images.tolist())
        assert len(held) <= 10 and not held & set(found.image.tolist())
        assert (5 in held) == (6 in held)
        assert found.n_left_out == (1 if (0 in held) != (1 in held) else 0)
        sides.append(held)
    assert len({tuple(sorted(each)) for each in sides}) > 1
    leaking = Split(data.pairs.image, data.pairs.text, np.array([3]), np.array([9]), 0, N)
    with pytest.raises(DataError, match="the same image is on both sides"):
        check(data, images, texts, leaking)
    with pytest.raises(DataError, match="no pair is held out"):
        split(data, np.ones_like(images), texts, share=0.25, seed=0)


def test_losses_use_the_scores_that_rank(frozen: tuple[Path, Path]) -> None:
    torch.manual_seed(0)
    images, texts = (torch.nn.functional.normalize(torch.randn(4, 3, 5), dim=-1) for _ in range(2))
    one, other = items_of(images.numpy()), items_of(texts.numpy())
    products = torch.einsum("ikd,jld->ijkl", images, texts)
    expected = SCORERS["smooth_chamfer"](losses.ALPHA).score_block(one, other)
    assert losses.smooth_chamfer(products).numpy() == pytest.approx(expected, abs=1e-5)
    right = torch.eye(3, dtype=torch.bool)
    right[0, 1] = True  # is no negative, though it scores most
    scores = torch.tensor([[0.5, 0.9, 0.4], [0.1, 0.6, 0.2], [0.3, 0.55, 0.5]])
    by_row, by_column = (0.1 + 0 + 0.25) / 3, (0.0 + 0.15 + 0.1) / 3
    assert float(losses.hardest_triplets(scores, right)) == pytest.approx(by_row + by_column, abs=1e-6)
    same = torch.ones(2, 2, 4)
    assert float(losses.overlap(same)) == pytest.approx(np.sqrt(2) / 4)
    assert float(losses.nearness(same)) == pytest.approx(1)
    assert float(losses.domain_gap(images, images)) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_an_adapter_begins_near_the_frozen_vectors(kind: Any) -> None:
    torch.manual_seed(0)
    frozen = torch.nn.functional.normalize(torch.randn(20, 64), dim=-1)
    made = Adapter(kind, 64, 1 if kind == "pcme" else 3).images(frozen)
    assert float((made.vectors.detach() * frozen[:, None]).sum(-1).mean()) > 0.9


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--k", "0"), "--k is a whole number of at least 1"),
        (("--held-out", "1"), "--held-out is a share"),
        (("--rate", "0"), "--rate is a number"),
        (("--split", "test"), "has no image with a caption"),
    ],
)
def test_a_training_that_cannot_begin_says_why(
    frozen: tuple[Path, Path], tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    rows = [json.loads(line) for line in frozen[1].read_text().splitlines()]
    frozen[1].write_text("".join(json.dumps(row | {"split": "train"}) + "\n" for row in rows))
    with pytest.raises(CommandError, match=said):
        train("pvse", frozen, tmp_path / "out", *options)
