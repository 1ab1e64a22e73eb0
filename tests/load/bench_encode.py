"""How fast a folder of pictures is encoded into shards, held against a bare forward loop in the same run.

    python tests/load/bench_encode.py [--images 512] [--rounds 5] [--only ladder|vit]

The engine reads each JPEG from disk, decodes and cuts it, runs the model and writes the shard with its checksums, in
as many lanes as torch has threads. The bare loop runs the same model over tensors that lie in memory ready made,
channels last as the engine lays them, in the largest batches that the engine would take, all threads together on each,
and does nothing else. Both take turns for a few rounds; the ratio of
their rates by the clock is the median over the rounds.

* ladder: the largest of Connote's own models that is there, on Postcards as a corpus keeps them;
* vit: a randomly initialised open_clip ViT-B-32 at 224 pixels, on photographs of 640 pixels.

Ends with status 1 where a ratio is below its bound, where the models are not there, and where other programs took the
processor away from the bare loop, so that nothing was measured.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support"), str(ROOT / "tests" / "load")]

import numpy as np  # noqa: E402

from costs import Cost, cost  # noqa: E402
from workers.engines.image_encoder import TowerImages  # noqa: E402

AT_LEAST = 0.85
IDLE = 0.9  # of all threads' clock time that the bare loop must have had the processor
WARM_UP = 2  # batches
Tensors = list[Any]


def postcards(folder: Path, n: int) -> str:
    """`n` postcards as the corpus of a demo stores them; the few drawn are turned and shifted, so that all differ."""
    from PIL import Image, ImageChops

    from workers.training.postcards.drawing import draw
    from workers.training.postcards.exports import CORPUS_WIDTH
    from workers.training.postcards.world import DEMO, scene_of

    drawn = [draw(scene_of(DEMO + seed), CORPUS_WIDTH) for seed in range(min(n, 64))]
    for place in range(n):
        turn, card = divmod(place, len(drawn))
        picture = drawn[card].transpose(Image.Transpose.FLIP_LEFT_RIGHT) if turn % 2 else drawn[card]
        ImageChops.offset(picture, 3 * turn, 0).save(folder / f"{place:05}.jpg", "JPEG", quality=88)
    return f"{n:,} postcards of {drawn[0].width} x {drawn[0].height}"


def photographs(folder: Path, n: int) -> str:
    from bench_import import make_pictures

    make_pictures(folder / "photographs", n, shrink=(640, 480))
    return f"{n:,} photographs of 640 x 480"


def ladder() -> TowerImages | None:
    """The last rung that is there."""
    from workers.engines import carried, registry

    there = [name for name in carried.LADDER if (carried.MODELS / name / "open_clip_model.safetensors").is_file()]
    return registry.image_encoder(there[-1]) if there else None  # type: ignore[return-value]


def vit() -> TowerImages:
    """ViT-B-32 with seeded random weights: speed does not ask what they are."""
    from workers.engines.devices import make_steady
    from workers.engines.preprocessing import of_transform
    from workers.engines.torchvision_shim import patch_torchvision

    patch_torchvision()
    make_steady()
    import open_clip
    import torch

    torch.manual_seed(0)
    logging.getLogger().setLevel(logging.ERROR)  # open_clip warns that the weights are random, which is the point
    model, _, transform = open_clip.create_model_and_transforms("ViT-B-32", pretrained=None)
    model.eval()
    how = of_transform(transform, (224, 224), {"interpolation": "bicubic", "resize": "shortest"})
    return TowerImages("ViT-B-32 (random)", "0" * 64, 512, model.encode_image, how)


KINDS: dict[str, tuple[Callable[[], TowerImages | None], Callable[[Path, int], str]]] = {
    "ladder": (ladder, postcards),
    "vit": (vit, photographs),
}


def tensors_of(encoder: TowerImages, folder: Path) -> Tensors:
    """All pictures as the model takes them, float32 batches of the size that one forward pass is given."""
    import torch

    from workers.engines.batching import first_size
    from workers.engines.picture_folders import pictures_in

    size = first_size(encoder.how.input_bytes, encoder.device)
    pixels = [encoder._prepare(folder / key) for key in pictures_in(folder).keys]
    stacks = (np.stack(pixels[start : start + size]) for start in range(0, len(pixels), size))
    shown = (encoder.how.scaled(torch.from_numpy(stack).to(encoder.device)) for stack in stacks)
    return [batch.contiguous(memory_format=torch.channels_last) for batch in shown]


def bare_loop(encoder: TowerImages, batches: Tensors) -> None:
    import torch

    from workers.engines.devices import autocast

    with torch.inference_mode(), autocast(encoder.device):
        for batch in batches:
            encoder.forward(batch).float().cpu()


def engine(encoder: TowerImages, folder: Path, outs: Iterator[Path]) -> None:
    """The same as `manage.py encode`, into a new folder."""
    from workers.engines.picture_folders import encode_pictures, pictures_in

    encode_pictures(encoder, pictures_in(folder), next(outs))


def measure(name: str, n: int, n_rounds: int, scratch: Path) -> bool:
    """Print both rates and their ratio; whether they were measured and the bound is kept."""
    import torch

    load, make = KINDS[name]
    encoder = load()
    if encoder is None:
        print(f"{name}: not measured: none of the ladder's models is there; run make models")
        return False
    (folder := scratch / name).mkdir()
    pictures = make(folder, n)
    batches = tensors_of(encoder, folder)
    outs = (scratch / f"{name}-{turn}" for turn in range(n_rounds + 1))
    bare_loop(encoder, batches[:WARM_UP])
    rounds = [
        (cost(lambda: bare_loop(encoder, batches)), cost(lambda: engine(encoder, folder, outs)))
        for _ in range(n_rounds)
    ]
    print(f"{encoder.name}: {pictures}, batches of {len(batches[0])}, {torch.get_num_threads()} threads")
    return report(rounds, n, torch.get_num_threads())


def report(rounds: list[tuple[Cost, Cost]], n: int, n_threads: int) -> bool:
    rates = [median(n / one[place].clock for one in rounds) for place in (0, 1)]
    ratio = median(bare.clock / full.clock for bare, full in rounds)
    print(f"  images/s: bare forward {rates[0]:,.1f}   engine {rates[1]:,.1f}")
    if is_busy(rounds, n_threads):
        print(f"  not measured: the machine is busy (engine / bare would be {ratio:.2f}); run it again on an idle one")
        return False
    print(f"  engine / bare: {ratio:.2f}; at least {AT_LEAST}")
    return ratio >= AT_LEAST


def is_busy(rounds: list[tuple[Cost, Cost]], n_threads: int) -> bool:
    """Whether the bare loop, which never waits for anything, got less than IDLE of its threads' time."""
    had = median(bare.processor / bare.clock for bare, _ in rounds)
    return had < IDLE * min(n_threads, os.cpu_count() or 1)


def main() -> int:
    arguments = argparse.ArgumentParser(description="Encoding a folder against a bare forward loop.")
    arguments.add_argument("--images", type=int, default=512)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--only", choices=KINDS)
    asked: Any = arguments.parse_args()
    kept = []
    for name in [asked.only] if asked.only else KINDS:
        with tempfile.TemporaryDirectory(prefix="connote-bench-") as scratch:
            kept.append(measure(name, asked.images, asked.rounds, Path(scratch)))
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
