"""What a shard says of itself: the model, the preprocessing, what it was made from, and the checksums of its files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from backend.methods.file_digests import sha256_of_file
from workers.engines.protocols import EngineError, Skipped

SCHEMA = 1
COLLECTION = "collection.json"
NOT_READABLE = "Connote cannot read the manifest {path} ({why}). Run the same encode again, or use another folder."
OTHER_SCHEMA = (
    "The manifest {path} has the schema {found!r}, but this version reads {ours}. Encode again into another folder."
)
OTHER_MODEL = "{path} is from {theirs}, not from {ours}. Connote never mixes vectors of two models. Use another folder."
DAMAGED = (
    "The file {file} has changed since Connote wrote it ({why}). Run the same encode again. It makes this shard again."
)


class ShardRefusedError(EngineError):
    """Embeddings that lie here are damaged, unfinished, or another model's."""

    code = "shard_refused"


class File(NamedTuple):
    """A file of a shard: its name in the folder, its size, its SHA-256 in hex."""

    name: str
    n_bytes: int
    sha256: str


@dataclass(frozen=True)
class Recipe:
    """What vectors are made with. Those of one recipe may be compared with each other, and with no others.

    The weights decide, not what they are called: the same ones under another name are the same recipe.
    """

    model: str = field(compare=False)
    model_digest: str
    preprocessing: str
    dimension: int

    def __str__(self) -> str:
        return f"{self.model!r} ({self.model_digest[:12]}, {self.dimension} numbers, {self.preprocessing})"


@dataclass(frozen=True)
class Manifest:
    """One finished shard. `files` has "vectors" and "ids"; `source` is the digest of what it was made from."""

    number: int
    recipe: Recipe
    source: str
    count: int
    files: Mapping[str, File]
    skipped: tuple[Skipped, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """What the manifest's file holds."""
        return {
            "schema": SCHEMA,
            "number": self.number,
            **asdict(self.recipe),
            "source": self.source,
            "count": self.count,
            "files": {what: file._asdict() for what, file in self.files.items()},
            "skipped": [skipped._asdict() for skipped in self.skipped],
        }


def stem_of(number: int) -> str:
    """The name that a shard's three files share."""
    return f"shard-{number:05d}"


def read_json(path: Path) -> Any:
    """What the file holds, None where there is none. Raises ShardRefusedError where it is no JSON."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise ShardRefusedError(NOT_READABLE.format(path=path, why=error)) from error


def recipe_of(value: Any, path: Path) -> Recipe:
    """The recipe that the JSON of `path` names. Raises ShardRefusedError."""
    try:
        schema = value["schema"]
        recipe = Recipe(
            str(value["model"]), str(value["model_digest"]), str(value["preprocessing"]), int(value["dimension"])
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ShardRefusedError(NOT_READABLE.format(path=path, why=f"no {error}")) from error
    if schema != SCHEMA:
        raise ShardRefusedError(OTHER_SCHEMA.format(path=path, found=schema, ours=SCHEMA))
    return recipe


def as_manifest(value: Any, path: Path) -> Manifest:
    """The manifest in the JSON of `path`. Raises ShardRefusedError."""
    recipe = recipe_of(value, path)
    try:
        files = {what: File(**value["files"][what]) for what in ("vectors", "ids")}
        skipped = tuple(Skipped(**one) for one in value["skipped"])
        manifest = Manifest(int(value["number"]), recipe, str(value["source"]), int(value["count"]), files, skipped)
    except (KeyError, TypeError, ValueError) as error:
        raise ShardRefusedError(NOT_READABLE.format(path=path, why=error)) from error
    if any("/" in file.name or file.name.startswith(".") for file in files.values()):
        raise ShardRefusedError(NOT_READABLE.format(path=path, why="it has file names of another folder"))
    return manifest


def refuse_another(path: Path, theirs: Recipe, ours: Recipe) -> None:
    """Raises ShardRefusedError where what lies at `path` is of another model or preprocessing."""
    if theirs != ours:
        raise ShardRefusedError(OTHER_MODEL.format(path=path, theirs=theirs, ours=ours))


def check_files(folder: Path, manifest: Manifest, *, by_content: bool) -> None:
    """Raises ShardRefusedError where a file of the shard is missing, cut, or (`by_content`) changed."""
    for file in manifest.files.values():
        path = folder / file.name
        if not path.is_file():
            raise ShardRefusedError(DAMAGED.format(file=path, why="it is missing"))
        n_bytes = path.stat().st_size
        if n_bytes != file.n_bytes:
            why = f"it has {n_bytes:,} bytes instead of {file.n_bytes:,}"
            raise ShardRefusedError(DAMAGED.format(file=path, why=why))
        if by_content and sha256_of_file(path) != file.sha256:
            raise ShardRefusedError(DAMAGED.format(file=path, why="its SHA-256 differs"))
