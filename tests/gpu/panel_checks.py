"""The panel of the difficulty and the generic score: the same scores and the same votes, and how fast it scores."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import numpy as np
from encoder_checks import bare_passes, image_batches, text_batches
from measuring import Row, Setup, encoded, in_each_precision, throughput

from workers.engines.carried import LADDER, MODELS
from workers.engines.protocols import Vectors

# A score by a card against a processor's. Votes may differ where a score is as near to the threshold.
TOLERANCES = {"float32": 1e-4, "bfloat16": 2e-2}


def postcards(n: int) -> tuple[list[tuple[str, bytes]], list[str]]:
    """`n` drawn pictures as PNG, and the captions of all of them."""
    from workers.training.postcards.captions import captions_of
    from workers.training.postcards.drawing import draw
    from workers.training.postcards.world import DEMO, scene_of

    pictures, texts = [], []
    for seed in range(n):
        scene, out = scene_of(DEMO + seed), io.BytesIO()
        draw(scene, 256).save(out, "PNG")
        pictures.append((str(seed), out.getvalue()))
        texts += [caption.text for caption in captions_of(scene, seed)]
    return pictures, texts


def panel(setup: Setup) -> Iterator[Row]:
    """Every model of the ladder scores every drawn picture with every caption. Raises whatever an engine raises."""
    import torch

    from workers.engines.calibrations import find_record
    from workers.engines.clip_encoder import load_towers

    names = LADDER[-1:] if setup.is_small else LADDER
    pictures, texts = postcards(max(2, setup.n // 16))
    records = [find_record(name, MODELS / "nowhere") for name in names]
    ours = [load_towers(name, setup.device) for name in names]
    wanted = [scores(load_towers(name, torch.device("cpu")), pictures, texts) for name in names]
    thresholds = [record.calibration.threshold for record in records]
    for precision in in_each_precision(setup.device):
        found = [scores(towers, pictures, texts) for towers in ours]
        yield same_votes(f"panel, {len(names)} models", precision, np.stack(found), np.stack(wanted), thresholds)
    n = len(names) * (len(pictures) + len(texts))
    passes = [(towers[0].forward, image_batches(towers[0], pictures)) for towers in ours]
    passes += [(towers[1].forward, text_batches(towers[1], texts)) for towers in ours]
    bare = [bare_passes(forward, batches, setup.device) for forward, batches in passes]
    for precision in in_each_precision(setup.device):
        bare_rate = setup.rate(lambda: [work() for work in bare], n)
        engine = setup.rate(lambda: [scores(towers, pictures, texts) for towers in ours], n)
        yield throughput(f"panel, {len(names)} models", precision, "images and texts", bare_rate, engine)


def scores(towers: tuple[Any, Any], pictures: list[tuple[str, bytes]], texts: list[str]) -> Vectors:
    """Cosines (pictures, texts), as workers/engines/matches.py computes them: on the processor."""
    return encoded(towers[0], pictures) @ towers[1].encode(texts).T


def same_votes(subject: str, precision: str, ours: Vectors, theirs: Vectors, thresholds: list[float]) -> Row:
    """Whether scores (models, pictures, texts) are the processor's, and which votes on them differ."""
    tolerance, cut = TOLERANCES[precision], np.array(thresholds)[:, None, None]
    difference = float(np.abs(ours - theirs).max())
    differ = (ours >= cut) != (theirs >= cut)
    return Row(
        subject,
        f"same {ours.size:,} scores and votes as the processor, {precision}",
        f"difference {difference:.1e}, {int(differ.sum())} votes differ",
        f"difference <= {tolerance:.0e}",
        difference <= tolerance,
    )
