"""What a model says of the data: a matrix of scores, embeddings, or a run that names some items for each query."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.methods.benchmarks.data import BenchmarkData, DataError, some
from backend.methods.benchmarks.files import read_text
from backend.methods.file_digests import sha256_of_file
from backend.methods.ranking import Counting, DotProducts, ScoreMatrix, ScoreSource

BLOCK = 16_384
Run = dict[str, dict[str, float]]
ROWS = ("images", "texts")


@dataclass(frozen=True)
class ModelScores:
    """The scores of one model: of all images and texts (`source`), or a run in one direction."""

    name: str
    record: Mapping[str, Any]  # what stands of the model in the result
    source: ScoreSource | None = None
    run: Run = field(default_factory=dict)
    direction: str = ""  # of a run
    counting: Counting | None = None  # of the ranks, where processes share them


def read_scores(path: Path, data: BenchmarkData, *, rows: str = "") -> ModelScores:
    """A matrix in a .npy file, mapped and not loaded. `rows` says what a row is where the shape does not.

    Raises DataError for a shape that is not that of the data.
    """
    matrix = load_array(path)
    n, m = len(data.images), len(data.texts)
    if matrix.ndim != 2 or matrix.shape not in ((n, m), (m, n)):
        raise DataError(
            f"{path.name} has the shape {matrix.shape}. The data need ({n}, {m}) or ({m}, {n}): {n:,} images and "
            f"{m:,} texts."
        )
    if n == m and rows not in ROWS:
        raise DataError(f"{path.name} is square. Say what a row is: --set rows=images or --set rows=texts.")
    by_text = rows == "texts" if rows else matrix.shape != (n, m)
    if matrix.shape != ((m, n) if by_text else (n, m)):
        raise DataError(f"{path.name} has the shape {matrix.shape}, so a row is not one of the {rows}.")
    record = {
        "kind": "scores", "digest": sha256_of_file(path), "dtype": str(matrix.dtype), "rows": ROWS[by_text],
    }  # fmt: skip
    return ModelScores(path.stem, record, ScoreMatrix(matrix, transposed=by_text))


def load_array(path: Path) -> NDArray[Any]:
    """A .npy file of numbers, mapped. Raises DataError."""
    try:
        array: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    except FileNotFoundError as problem:
        raise DataError(f"{path} does not exist.") from problem
    except (OSError, ValueError, EOFError) as problem:
        raise DataError(f"{path.name} is not a complete .npy file with numbers: {problem}.") from problem
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "fiub":
        raise DataError(f"{path.name} does not have numbers.")
    return array


def of_embeddings(
    name: str,
    data: BenchmarkData,
    images: tuple[NDArray[Any], Sequence[str] | None],
    texts: tuple[NDArray[Any], Sequence[str] | None],
    record: Mapping[str, Any],
) -> ModelScores:
    """Cosines of embeddings, each with the ids of its rows, or in the order of the data. More rows than the data need
    are left alone. Raises DataError for missing ids, shapes that do not fit, NaN, infinity and vectors of zeros."""
    found = [
        unit_vectors(array, ids, of, what, name)
        for (array, ids), of, what in ((images, data.images, "image"), (texts, data.texts, "text"))
    ]
    if found[0].shape[1] != found[1].shape[1]:
        raise DataError(
            f"{name}: vectors of images have {found[0].shape[1]} numbers, and those of texts {found[1].shape[1]}."
        )
    return ModelScores(name, {**record, "dimensions": int(found[0].shape[1])}, DotProducts(found[0], found[1]))


def unit_vectors(
    array: NDArray[Any], ids: Sequence[str] | None, wanted: Sequence[str], what: str, name: str
) -> NDArray[np.float32]:
    """The vectors (n, d) of `wanted`, in this order, each of length 1. Raises DataError by name and place."""
    if array.ndim != 2:
        raise DataError(f"{name}: the {what} vectors have the shape {array.shape}. Give one vector for each {what}.")
    return _unit(in_order(array, ids, wanted, what, name), wanted, what, name)


def in_order(
    array: NDArray[Any], ids: Sequence[str] | None, wanted: Sequence[str], what: str, name: str
) -> NDArray[Any]:
    """The rows of `wanted`, in this order. Raises DataError for ids that are missing or come twice."""
    if ids is None:
        if len(array) != len(wanted):
            raise DataError(
                f"{name} has {len(array):,} {what} vectors, and the data have {len(wanted):,}. "
                f"Add the file {what}_ids.txt with the id of each row."
            )
        return array
    if len(ids) != len(array):
        raise DataError(f"{name} has {len(array):,} {what} vectors, but {len(ids):,} ids of them.")
    place = {each: at for at, each in enumerate(ids)}
    if len(place) < len(ids):
        twice = [each for each, n in Counter(ids).items() if n > 1]
        raise DataError(f"{name}: ids of {what} vectors come twice: {some(twice)}.")
    if missing := [each for each in wanted if each not in place]:
        raise DataError(f"{name} has no vector of {len(missing):,} {what}s: {some(missing)}.")
    return array[np.array([place[each] for each in wanted], np.int64)]


def _unit(array: NDArray[Any], ids: Sequence[str], what: str, name: str) -> NDArray[np.float32]:
    unit = np.empty(array.shape, np.float32)
    for start in range(0, len(array), BLOCK):
        exact = np.asarray(array[start : start + BLOCK], np.float64)
        lengths = np.linalg.norm(exact, axis=1)
        bad = ~np.isfinite(lengths) | (lengths == 0)
        if bad.any():
            at = int(bad.argmax())
            why = "only zeros" if lengths[at] == 0 else "NaN or infinity"
            raise DataError(f"{name}: the vector of the {what} {ids[start + at]!r} (row {start + at}) has {why}.")
        unit[start : start + BLOCK] = exact / lengths[:, None]
    return unit


def read_run(path: Path, data: BenchmarkData) -> ModelScores:
    """A run of TREC: query, Q0, item, rank, score, name. The rank is not used. Raises DataError with the line."""
    run = _run_of(path)
    images, texts = data.image_numbers, data.text_numbers
    of_texts = sum(query in texts for query in run) >= sum(query in images for query in run)
    direction = "text_to_image" if of_texts else "image_to_text"
    queries, items = (texts, images) if of_texts else (images, texts)
    if unknown := [query for query in run if query not in queries]:
        raise DataError(f"{path.name} has queries that the data lack: {some(unknown)}.")
    named = dict.fromkeys(item for found in run.values() for item in found)
    # Qrels name judged items only, so a run may well have others.
    if data.kind != "qrels" and (unknown := [item for item in named if item not in items]):
        raise DataError(f"{path.name} has items that the data lack: {some(unknown)}.")
    record = {"kind": "run", "digest": sha256_of_file(path), "queries": len(run)}
    return ModelScores(path.stem, record, run=run, direction=direction)


def _run_of(path: Path) -> Run:
    try:
        lines = read_text(path).split("\n")
    except OSError as problem:
        raise DataError(f"Connote cannot read {path.name}: {problem}.") from problem
    run: Run = {}
    for at, line in enumerate(lines, 1):
        if not line.strip():
            continue
        parts = line.split()
        if len(parts) != 6:
            raise DataError(f"{path.name}, line {at}: write query, Q0, item, rank, score and name.")
        query, item, score = parts[0], parts[2], _number(parts[4], path.name, at)
        if item in run.setdefault(query, {}):
            raise DataError(f"{path.name}, line {at}: {item!r} comes twice for the query {query!r}.")
        run[query][item] = score
    if not run:
        raise DataError(f"{path.name} has no line.")
    return run


def _number(text: str, name: str, at: int) -> float:
    try:
        value = float(text)
    except ValueError as problem:
        raise DataError(f"{name}, line {at}: the score {text!r} is not a number.") from problem
    if not np.isfinite(value):
        raise DataError(f"{name}, line {at}: the score is {value}. Scores must be finite numbers.")
    return value


def mock_scores(data: BenchmarkData, *, strength: float = 1.0, seed: int = 0, dimensions: int = 64) -> ModelScores:
    """A model of no use but tests: a vector from the hash of each id, and texts near the vectors of their images."""
    images = np.stack([_hashed("image", each, seed, dimensions) for each in data.images])
    texts = np.stack([_hashed("text", each, seed, dimensions) for each in data.texts])
    np.add.at(texts, data.pairs.text, strength * images[data.pairs.image] / 2)
    record = {"kind": "mock", "digest": f"mock-{seed}-{strength:g}-{dimensions}", "preprocessing": "none"}
    return of_embeddings("mock", data, (images, None), (texts, None), record)


def _hashed(kind: str, key: str, seed: int, dimensions: int) -> NDArray[np.float64]:
    digest = hashlib.sha256(f"{kind}\0{seed}\0{key}".encode("utf-8", "surrogatepass")).digest()
    return np.random.default_rng(int.from_bytes(digest[:8])).standard_normal(dimensions)
