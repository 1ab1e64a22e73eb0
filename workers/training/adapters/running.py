"""From frozen vectors and data to a folder with an adapter, once: the same order again finds it done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backend.methods.benchmarks.data import BenchmarkData, DataError
from backend.methods.benchmarks.scores import unit_vectors
from backend.methods.benchmarks.vector_sets import Side
from workers.engines.embedding_files import read_embeddings
from workers.engines.whole_files import locked, write_text
from workers.training.adapters import results, splitting, training
from workers.training.adapters.heads import Kind
from workers.training.adapters.results import Row
from workers.training.adapters.training import Floats, Recipe

WHATS = ("image", "text")


@dataclass(frozen=True)
class Order:
    """What is wanted: the adapter and how it learns."""

    kind: Kind
    k: int = 4
    epochs: int = 20
    batch: int = 128
    rate: float = 1e-3
    held_out: float = 0.2
    seed: int = 0


@dataclass(frozen=True)
class Told:
    """What to say on the way: a line, and the epochs done with the last loss."""

    line: Callable[[str], object]
    epochs: Callable[[int, float], None]


def train(order: Order, data: BenchmarkData, embeddings: Path, folder: Path, told: Told) -> list[Row]:
    """Train an adapter into `folder`, or go on where an earlier call was killed; the figures on held-out images.

    A folder that has this very adapter is left alone. Raises DataError for vectors and data that do
    not fit, a folder with another adapter, and a folder where another process trains.
    """
    images, texts, digest = read_embeddings(embeddings)
    vectors = {
        "image": unit_vectors(images.vectors, images.ids, data.images, "image", embeddings.name),
        "text": unit_vectors(texts.vectors, texts.ids, data.texts, "text", embeddings.name),
    }
    of_images, of_texts = (vectors[each].shape[1] for each in WHATS)
    if of_images != of_texts:
        raise DataError(
            f"{embeddings.name}: vectors of images have {of_images} numbers, and those of texts {of_texts}."
        )
    k = 1 if order.kind == "pcme" else order.k
    recipe = Recipe(**{**vars(order), "k": k}, embeddings=digest, data=data.digest)
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder / "training", wait=False) as mine:
        if not mine:
            raise DataError(f"Another process trains an adapter in {folder.name}.")
        if results.is_done(folder, recipe):
            told.line(f"{folder.name} has this adapter already.")
            return results.read_rows(folder)
        if (folder / results.ABOUT).is_file() and not (folder / training.CHECKPOINT).is_file():
            raise DataError(f"{folder.name} has another adapter. Choose another folder.")
        return _teach(recipe, data, vectors, embeddings.name, folder, told)


def _teach(
    recipe: Recipe, data: BenchmarkData, vectors: dict[str, Floats], name: str, folder: Path, told: Told
) -> list[Row]:
    found = splitting.split(data, vectors["image"], vectors["text"], share=recipe.held_out, seed=recipe.seed)
    told.line(
        f"{data.name}: {len(found.image):,} pairs to learn from, {len(found.held_images):,} images held out, "
        f"{found.n_left_out:,} captions left out."
    )
    adapter, losses = training.teach(recipe, vectors["image"], vectors["text"], found, folder, on_progress=told.epochs)
    about: dict[str, Any] = {"kind": recipe.kind, "k": recipe.k, "dimensions": int(vectors["image"].shape[1])}
    results.save_adapter(folder, adapter, {**about, "recipe": recipe.as_json(), "losses": losses})
    rows: list[Row] = []
    if len(found.held_images):
        held = data.kept(found.held_images)
        plain = {"image": vectors["image"][found.held_images], "text": vectors["text"][found.held_texts]}
        named = {"image": (plain["image"], held.images), "text": (plain["text"], held.texts)}
        made = results.write_vectors(folder, adapter, recipe.kind, named)
        write_text(folder / results.HELD_OUT, "".join(f"{image}\n" for image in held.images))
        sides = {what: Side(each) for what, each in plain.items()}
        scorer = results.scorer_of(adapter, recipe.kind)
        rows = results.compare_held_out(held, sides, made, scorer, recipe.seed)
    results.write_rows(folder, rows)
    write_text(folder / results.CARD, results.card(recipe, data, name, found, losses, rows))
    (folder / training.CHECKPOINT).unlink(missing_ok=True)
    return rows


def apply(adapter: Path, embeddings: Path, folder: Path) -> None:
    """The vectors that a trained adapter makes of other frozen vectors, into a new folder. Raises DataError."""
    if folder.exists() and any(folder.iterdir()):
        raise DataError(f"{folder} is not empty. Choose a new folder.")
    head, about = results.load_adapter(adapter)
    sides = {}
    for what, side in zip(WHATS, read_embeddings(embeddings)[:2], strict=True):
        rows = side.ids if side.ids is not None else [str(row) for row in range(len(side.vectors))]
        vectors = unit_vectors(side.vectors, rows, rows, what, embeddings.name)
        if vectors.shape[1] != about["dimensions"]:
            raise DataError(
                f"{embeddings.name}: the {what} vectors have {vectors.shape[1]} numbers, and the adapter "
                f"{adapter.name} needs {about['dimensions']}."
            )
        sides[what] = (vectors, side.ids)
    folder.mkdir(parents=True, exist_ok=True)
    results.write_vectors(folder, head, about["kind"], sides)
