"""Embeddings that other programs wrote: .npy with lists of ids, .pt, safetensors, and our own shards."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.methods.benchmarks.data import DataError
from backend.methods.benchmarks.files import parse_json, read_text
from backend.methods.benchmarks.scores import load_array
from backend.methods.benchmarks.vector_sets import Side
from backend.methods.file_digests import sha256_of_file
from workers.engines.shard_manifest import COLLECTION, ShardRefusedError

NAMES = {
    "image": ("image", "images", "image_features", "image_embeddings", "img"),
    "text": ("text", "texts", "text_features", "text_embeddings", "caption", "captions", "txt"),
}
VARIANCES = ("{name}_log_variance", "{name}_logvar")
SCORER = "scorer.json"  # what scores these vectors, where a folder says so
ENDINGS = (".npy", ".safetensors", ".pt")
NOTHING = (
    "{folder} has no vectors of {what}s. It needs {what}.npy, {what}.pt or {what}.safetensors, a folder {what} with "
    "shards, or one file with both."
)


def read_embeddings(folder: Path) -> tuple[Side, Side, str]:
    """Vectors of images and of texts, each with the ids of its rows and log-variances where there are some, and a
    digest of the files.

    Raises DataError for a folder without them, and for files that are damaged or hold more than tensors.
    """
    if not folder.is_dir():
        raise DataError(f"The folder {folder} does not exist.")
    files: list[Path] = []
    sides = {what: _side(folder, what, files) for what in NAMES}
    digests = "".join(f"{file.name} {sha256_of_file(file)}\n" for file in sorted(set(files)))
    return sides["image"], sides["text"], hashlib.sha256(digests.encode()).hexdigest()


def declared_scorer(folder: Path) -> dict[str, Any]:
    """The scorer that a folder declares, with its numbers; empty where it declares none. Raises DataError."""
    path = folder / SCORER
    if not path.is_file():
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, UnicodeDecodeError) as problem:
        raise DataError(f"{path.name} is not JSON: {problem}.") from problem
    if not isinstance(found, dict) or not isinstance(found.get("scorer"), str):
        raise DataError(f'{path.name} must be an object like {{"scorer": "smooth_chamfer", "alpha": 16}}.')
    return found


def _side(folder: Path, what: str, files: list[Path]) -> Side:
    for name in NAMES[what]:
        if (folder / name / COLLECTION).is_file():
            return _shards(folder / name, files)
    vectors = _found(folder, what, NAMES[what], files, is_alone=True)
    if vectors is None:
        raise DataError(NOTHING.format(folder=folder.name, what=what))
    of_variance = tuple(each.format(name=name) for name in NAMES[what] for each in VARIANCES)
    variance = _found(folder, what, of_variance, files, is_alone=False)
    return Side(vectors, _ids(folder, what, files), variance)


def _found(folder: Path, what: str, names: Sequence[str], files: list[Path], *, is_alone: bool) -> NDArray[Any] | None:
    """The array with one of these names: the only one of a file called so, or one of several in any file."""
    for name in names:
        for ending in ENDINGS:
            if (path := folder / f"{name}{ending}").is_file():
                files.append(path)
                return _only(_tensors(path), path, what, names, is_alone=is_alone)
    for path in sorted(each for each in folder.iterdir() if each.suffix in (".safetensors", ".pt")):
        tensors = _tensors(path)
        for name in names:
            if name in tensors:
                files.append(path)
                return tensors[name]
    return None


def _only(
    tensors: dict[str, NDArray[Any]], path: Path, what: str, names: Sequence[str], *, is_alone: bool
) -> NDArray[Any]:
    found = [tensors[name] for name in ("", *names) if name in tensors] or list(tensors.values())
    if len(found) != 1:
        wanted = what if is_alone else names[0]
        raise DataError(f"{path.name} has several tensors: {', '.join(sorted(tensors))}. Name one of them {wanted}.")
    return found[0]


def _shards(folder: Path, files: list[Path]) -> Side:
    from workers.engines.shards import read_shards

    try:
        shards = read_shards(folder)
    except ShardRefusedError as problem:
        raise DataError(str(problem)) from problem
    files.extend(sorted(folder.glob("*.npy")))
    everything = np.arange(len(shards), dtype=np.int64)
    return Side(shards.rows(everything), shards.keys(everything))


def _ids(folder: Path, what: str, files: list[Path]) -> list[str] | None:
    for path in (folder / f"{what}_ids.txt", folder / f"{what}_ids.json"):
        if path.is_file():
            files.append(path)
            text = read_text(path)
            if path.suffix == ".txt":
                return [line for line in text.replace("\r\n", "\n").split("\n") if line]
            if not isinstance(found := parse_json(path.name, text), list):
                raise DataError(f"{path.name} is not a list of ids.")
            return [str(each) for each in found]
    return None


def _tensors(path: Path) -> dict[str, NDArray[Any]]:
    """The tensors of a file by name; "" where it is one. Nothing in the file is run."""
    if path.suffix == ".npy":
        return {"": load_array(path)}
    import torch
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        found = load_file(path) if path.suffix == ".safetensors" else torch.load(path, "cpu", weights_only=True)
    except (SafetensorError, RuntimeError, ValueError, EOFError, OSError, KeyError) as problem:
        raise DataError(f"{path.name} is damaged: {problem}.") from problem
    except Exception as problem:  # pickle's own error: it lies in a module of C
        if type(problem).__name__ != "UnpicklingError":
            raise
        raise DataError(f"{path.name} has more than tensors, so Connote does not open it.") from problem
    tensors = {"": found} if isinstance(found, torch.Tensor) else found
    if not isinstance(tensors, dict) or not all(isinstance(each, torch.Tensor) for each in tensors.values()):
        raise DataError(f"{path.name} has more than tensors. Save a tensor, or a dictionary of them.")
    return {str(name): tensor.float().numpy() for name, tensor in tensors.items()}
