"""Data of a benchmark from a file or folder, told apart by content."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from backend.methods.benchmarks.data import BenchmarkData, DataError
from backend.methods.benchmarks.files import outline, read_json, read_text, rows_of
from backend.methods.benchmarks.formats import (
    UNKNOWN,
    captions_beside,
    read_conqa,
    read_json_file,
    read_maps,
    read_qrels,
    read_release,
    read_rows,
    with_positives,
)
from backend.methods.relevance import Rule

MAPS = ("image_to_caption", "caption_to_image")
MOST_JSON = 4 * 2**30
TABLES = (".csv", ".tsv", ".csv.gz", ".tsv.gz")
KINDS = {"array": "json", "parquet": "parquet", "delimited": "table"}  # the others are lines


def read_data(path: Path, *, split: str = "", rule: Rule = "unanimous", positives: Path | None = None) -> BenchmarkData:
    """The data at `path`. `split` keeps one split where there are some; `rule` is for votes; `positives` is a file of
    TREC qrels or a map of caption ids that says which pairs are right, instead of the data's own.

    Raises DataError with the file and the place.
    """
    if not path.exists():
        raise DataError(f"{path} does not exist.")
    try:
        data = _folder(path, split, rule) if path.is_dir() else _file(path, split)
        return data if positives is None else with_positives(data, positives)
    except OSError as problem:
        raise DataError(f"Connote cannot read {path.name}: {problem.strerror or problem}.") from problem
    except (UnicodeDecodeError, EOFError, zipfile.BadZipFile) as problem:
        raise DataError(f"{path.name} is damaged: {problem}.") from problem


def _folder(path: Path, split: str, rule: Rule) -> BenchmarkData:
    if (path / "images.jsonl").is_file():
        negatives = path / "negatives.jsonl"
        rejected = negatives.read_bytes() if negatives.is_file() else b""
        return read_release(path.name, (path / "images.jsonl").read_bytes(), rejected, split)
    votes = next((path / name for name in ("mturk.json", "votes.json") if (path / name).is_file()), None)
    if votes and (path / "seed.json").is_file():
        return read_conqa(path.name, read_json(votes), (path / "seed.json").read_bytes(), rule)
    for name in ("metadata.jsonl", "metadata.csv", "metadata.parquet"):
        if (path / name).is_file():
            return read_rows(path.name, name, list(rows_of(path / name)), folder=path, split=split, kind="imagefolder")
    if parquet := sorted(path.glob("*.parquet")) or sorted((path / "data").glob("*.parquet")):
        return _parquet(path.name, parquet, split)
    original = [path / f"original_{each}.json.gz" for each in MAPS]
    if all(each.is_file() for each in original):
        return read_maps(path.name, read_json(original[0]), read_json(original[1]), captions_beside(path))
    if len(files := [each for each in path.iterdir() if each.suffix in (".json", ".jsonl")]) == 1:
        return _file(files[0], split)
    raise DataError(UNKNOWN.format(name=path.name))


def _parquet(name: str, files: Sequence[Path], split: str) -> BenchmarkData:
    """Files of which each has the rows of one split, as the Hub keeps them."""
    chosen = [file for file in files if not split or file.name.startswith(split)]
    if not chosen:
        raise DataError(f"{name} has no Parquet file of the split {split!r}.")
    return read_rows(name, name, [row for file in chosen for row in rows_of(file)], kind="parquet")


def _file(path: Path, split: str) -> BenchmarkData:
    if zipfile.is_zipfile(path):
        return _zip(path, split)
    found = outline(path)
    if found is not None and found.kind == "object":
        return read_json_file(path.name, read_json(path), path.parent, split)
    if found is not None and (found.kind != "delimited" or path.name.lower().endswith(TABLES)):
        kind = KINDS.get(found.kind, "jsonl")
        return read_rows(path.name, path.name, list(rows_of(path)), folder=path.parent, split=split, kind=kind)
    text = read_text(path)
    if text.strip() and all(len(line.split()) == 4 for line in text.split("\n")[:20] if line.strip()):
        return read_qrels(path.name, text)
    raise DataError(UNKNOWN.format(name=path.name))


def _zip(path: Path, split: str) -> BenchmarkData:
    with zipfile.ZipFile(path) as archive:
        inside = {PurePosixPath(name).name: name for name in archive.namelist() if not name.endswith("/")}
        if "images.jsonl" not in inside:
            raise DataError(f"{path.name} is a zip without images.jsonl. Choose the zip of a release.")
        if (size := archive.getinfo(inside["images.jsonl"]).file_size) > MOST_JSON:
            raise DataError(f"{path.name}: images.jsonl has {size:,} bytes, which is too much. Unpack it first.")
        negatives = archive.read(inside["negatives.jsonl"]) if "negatives.jsonl" in inside else b""
        return read_release(path.stem, archive.read(inside["images.jsonl"]), negatives, split)
