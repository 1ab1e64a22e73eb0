"""What an adapter leaves in its folder: weights, held-out vectors that `evaluate --embeddings` reads, and a card."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from backend.methods.benchmarks.comparing import Difference, paired
from backend.methods.benchmarks.data import BenchmarkData, DataError
from backend.methods.benchmarks.settings import Settings
from backend.methods.benchmarks.vector_sets import Side, score_sides
from backend.methods.ranking import measure, rank_both
from workers.engines.embedding_files import SCORER
from workers.engines.whole_files import hidden, publish, write_json, write_text
from workers.training.adapters.heads import KINDS, Adapter
from workers.training.adapters.losses import ALPHA
from workers.training.adapters.splitting import Split
from workers.training.adapters.training import Recipe, embed

WEIGHTS, ABOUT, CARD = "adapter.safetensors", "adapter.json", "card.md"
HELD_OUT, FIGURES = "held_out.txt", "figures.json"
FORMAT = "connote-adapter-1"
WAYS = ("image_to_text", "text_to_image")
TITLES = {
    "pvse": "PVSE (Song and Soleymani 2019): a PIE-Net makes {k} vectors; the largest cosine counts.",
    "pcme": "PCME (Chun et al. 2021): each item is a normal distribution; the matching probability of samples counts.",
    "dive": "DivE (Kim et al. 2023): slot attention makes {k} vectors; smooth-Chamfer compares them.",
}
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Row:
    """hit@1 of plain cosines and of the adapter on the held-out images, and their difference, for some captions."""

    direction: str
    captions: str
    plain: float
    adapter: float
    difference: Difference


def scorer_of(adapter: Adapter, kind: str) -> dict[str, Any]:
    """What scores the vectors of this adapter, as its folder declares it."""
    if kind == "pvse":
        return {"scorer": "pvse_max"}
    if kind == "dive":
        return {"scorer": "smooth_chamfer", "alpha": ALPHA}
    return {
        "scorer": "pcme_probability",
        "scale": float(adapter.scale.detach()),
        "shift": float(adapter.shift.detach()),
    }


def save_adapter(folder: Path, adapter: Adapter, about: Mapping[str, Any]) -> None:
    """The weights, and what they are."""
    path = folder / WEIGHTS
    save_file({name: each.contiguous() for name, each in adapter.state_dict().items()}, hidden(path))
    publish(path)
    write_json(folder / ABOUT, {"format": FORMAT, **about})


def load_adapter(folder: Path) -> tuple[Adapter, dict[str, Any]]:
    """An adapter that `save_adapter` wrote. Raises DataError where it is damaged or is none."""
    try:
        about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        kind, d, k = (about[name] for name in ("kind", "dimensions", "k"))
        if about["format"] != FORMAT or kind not in KINDS or not all(type(each) is int and each > 0 for each in (d, k)):
            raise KeyError("format")
        adapter = Adapter(kind, d, k)
        adapter.load_state_dict(load_file(folder / WEIGHTS))
    except FileNotFoundError as problem:
        raise DataError(f"{folder} has no adapter: {Path(problem.filename or WEIGHTS).name} is missing.") from problem
    except (KeyError, TypeError, ValueError, RuntimeError, SafetensorError) as problem:
        raise DataError(f"{folder.name} has no adapter that Connote can read: {problem}.") from problem
    return adapter.eval(), about


def write_vectors(
    folder: Path, adapter: Adapter, kind: str, sides: Mapping[str, tuple[Floats, Sequence[str] | None]]
) -> dict[str, Side]:
    """The adapter's vectors of images and of texts, with their ids, and the scorer that they need."""
    found = {}
    for what, (vectors, ids) in sides.items():
        made, spread = embed(adapter.images if what == "image" else adapter.texts, vectors)
        made = made[:, 0] if spread is not None else made
        _save(folder / f"{what}.npy", made)
        if spread is not None:
            _save(folder / f"{what}_log_variance.npy", spread)
        if ids is not None:
            write_text(folder / f"{what}_ids.json", json.dumps(list(ids), ensure_ascii=False) + "\n")
        found[what] = Side(made, None, spread)
    write_json(folder / SCORER, scorer_of(adapter, kind))
    return found


def _save(path: Path, array: Floats) -> None:
    with hidden(path).open("wb") as file:
        np.save(file, array)
    publish(path)


def compare_held_out(
    data: BenchmarkData, plain: Mapping[str, Side], made: Mapping[str, Side], scorer: Mapping[str, Any], seed: int
) -> list[Row]:
    """hit@1 of plain cosines and of the adapter, for all captions and for each category, by a paired bootstrap that
    draws images."""
    settings = Settings(seed=seed)
    hits = []
    for name, sides, declared in (("plain", plain, {}), ("adapter", made, scorer)):
        source = score_sides(name, data, sides["image"], sides["text"], {}, settings, declared).source
        if source is None:
            raise RuntimeError("Embeddings always have scores of all pairs.")
        hits.append(rank_both(source, data.pairs)[:2])
    rows = []
    for way, one, other in zip(WAYS, *hits, strict=True):
        of_text = data.masks(np.arange(len(data.texts)))
        for captions, mask in {"all": np.ones(len(data.texts), bool), **of_text}.items():
            kept = [each.keep(mask[each.item if way == WAYS[0] else each.query]) for each in (one, other)]
            first, second = (measure(each, ks=(1,)) for each in kept)
            if len(first.queries):
                cluster = first.queries if way == WAYS[0] else data.owner[first.queries]
                values = [each.values["hit@1"] for each in (first, second)]
                change = paired(values[0], values[1], cluster, seed=seed)
                rows.append(Row(way, captions, float(values[0].mean()), float(values[1].mean()), change))
    return rows


def card(
    recipe: Recipe, data: BenchmarkData, name: str, found: Split, losses: Sequence[float], rows: Sequence[Row]
) -> str:
    """The adapter as a page for people."""
    lines = [
        f"# Adapter {recipe.kind} on {name}",
        "",
        TITLES[recipe.kind].format(k=recipe.k),
        "The vectors under it are frozen. A frozen vector has no local features, so the head makes 8 from it.",
        "",
        f"* Data: {data.name}",
        f"* Learned from {len(np.unique(found.image)):,} images and {len(np.unique(found.text)):,} captions",
        f"* Held out: {len(found.held_images):,} images, {len(found.held_texts):,} captions ({HELD_OUT})",
        f"* Captions left out because they read like a held-out one: {found.n_left_out:,}",
        "* No image, caption, text or vector is on both sides. This was checked.",
        f"* Epochs {recipe.epochs}, batches of {recipe.batch}, rate {recipe.rate:g}, seed {recipe.seed}",
        f"* Mean loss of the first epoch {losses[0]:.4f}, of the last {losses[-1]:.4f}",
        f"* SHA-256 of the vectors {recipe.embeddings}",
        f"* SHA-256 of the data {recipe.data}",
        f"* Python {platform.python_version()}, torch {metadata.version('torch')}",
    ]
    if rows:
        lines += [
            "",
            "## On the held-out images",
            "",
            "hit@1 of plain cosines and of the adapter, among the held-out items alone. Intervals are 95%, of a paired",
            "bootstrap that draws images. Nothing was chosen on these images.",
            "",
            "| direction | captions | n | plain cosine | adapter | difference |",
            "|---|---|---|---|---|---|",
        ]
        for row in rows:
            cells = [row.direction.replace("_", " "), row.captions.replace("|", "/"), f"{row.difference.n:,}"]
            cells += [f"{row.plain:.4f}", f"{row.adapter:.4f}", shown(row.difference)]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def shown(change: Difference) -> str:
    """A difference with its interval, as text."""
    span = "" if change.low is None else f" [{change.low:+.4f}, {change.high:+.4f}]"
    return f"{change.value:+.4f}{span}"


def write_rows(folder: Path, rows: Sequence[Row]) -> None:
    """The figures of the card as JSON."""
    write_json(folder / FIGURES, [asdict(row) for row in rows])


def read_rows(folder: Path) -> list[Row]:
    """What `write_rows` wrote. Raises DataError where it is damaged."""
    try:
        rows = json.loads((folder / FIGURES).read_text(encoding="utf-8"))
        return [Row(**{**row, "difference": Difference(**row["difference"])}) for row in rows]
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise DataError(f"{folder.name}/{FIGURES} is damaged: {problem}.") from problem


def line_of(row: Row) -> str:
    """A row as a command prints it."""
    return (
        f"  {row.direction.replace('_', ' '):<14} hit@1, {row.captions:<24} plain {row.plain:.4f}  adapter "
        f"{row.adapter:.4f}  {shown(row.difference)}"
    )


def is_done(folder: Path, recipe: Recipe) -> bool:
    """Whether the folder has all of this very training: the card is written last."""
    if not (folder / CARD).is_file() or not (folder / ABOUT).is_file():
        return False
    try:
        about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        return bool(about["recipe"] == recipe.as_json())
    except (ValueError, KeyError, TypeError) as problem:
        raise DataError(f"{folder.name}/{ABOUT} is damaged: {problem}.") from problem
