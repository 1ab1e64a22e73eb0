"""A release in a folder as the Hugging Face Hub and Zenodo expect it. Nothing here needs a network."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from backend.releases import store
from backend.releases.bundle import CHANGELOG, SUMS, write_sums
from backend.releases.exporting import NotEmpty, export_release
from backend.releases.models import Release

TABLES = (
    "judgments.parquet", "candidates.parquet", "annotators.csv", "difficulty.csv", "negatives.jsonl", "datasheet.md",
    "datasheet.html",
)  # fmt: skip
ZENODO = ".zenodo.json"
DAY_ZERO = (1980, 1, 1, 0, 0, 0)  # of the files in a .zip: the same release gives the same bytes
SEVERAL = "other-at"  # what Zenodo calls a licence that asks for credit: the images have several


def write_layout(*, release: Release, layout: str, folder: Path) -> list[Path]:
    """Write the release into the new `folder`. Returns its files by name. Raises NotEmpty where the folder is there."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise NotEmpty(params={"folder": folder.name})
    with TemporaryDirectory(prefix=f".{folder.name}-", dir=_parent(folder)) as name:
        made = Path(name) / "made"
        LAYOUTS[layout](release, made)
        if folder.is_dir():
            folder.rmdir()
        made.replace(folder)
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _parent(folder: Path) -> Path:
    folder.parent.mkdir(parents=True, exist_ok=True)
    return folder.parent


def _hub(release: Release, folder: Path) -> None:
    """The Parquet files with images that the viewer shows, and the other tables beside them."""
    export_release(release=release, format="parquet", folder=folder)
    _copy(release, folder, (CHANGELOG,))
    (folder / "tables").mkdir()
    _copy(release, folder / "tables", TABLES)
    (folder / SUMS).unlink()
    write_sums(folder)


def _zenodo(release: Release, folder: Path) -> None:
    """Zenodo has no folders: the files of the release as one .zip, images as Parquet, and what readers see first."""
    folder.mkdir()
    name = f"{release.project.slug}-{release.label}"
    with TemporaryDirectory(prefix=".zenodo-", dir=folder.parent) as work:
        files, parquet = Path(work) / "files", Path(work) / "parquet"
        export_release(release=release, format="files", folder=files)
        export_release(release=release, format="parquet", folder=parquet)
        _zip(files, folder / f"{name}.zip", name)
        for path in sorted((parquet / "data").glob("*.parquet")):
            shutil.move(path, folder / f"{name}-{path.name}")
    _copy(release, folder, ("README.md", "CITATION.cff", CHANGELOG, "ATTRIBUTION.csv"))
    text = json.dumps(describe_deposit(release), ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    (folder / ZENODO).write_text(text, encoding="utf-8", newline="")
    write_sums(folder)


LAYOUTS: dict[str, Callable[[Release, Path], None]] = {"hub": _hub, "zenodo": _zenodo}


def _copy(release: Release, folder: Path, names: tuple[str, ...]) -> None:
    for file in release.files.filter(name__in=names):
        store.copy_file(file.stored_as, folder / file.name)


def _zip(files: Path, archive: Path, name: str) -> None:
    """Stored, not compressed: Parquet is compressed, and equal files give equal bytes everywhere."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as out:
        for path in sorted(files.iterdir()):
            entry = zipfile.ZipInfo(f"{name}/{path.name}", DAY_ZERO)
            entry.external_attr = 0o644 << 16
            with path.open("rb") as file, out.open(entry, "w", force_zip64=True) as part:
                shutil.copyfileobj(file, part, store.CHUNK)


def describe_deposit(release: Release) -> dict[str, Any]:
    """The metadata of a deposit, as Zenodo's API and its file `.zenodo.json` take them."""
    manifest: Mapping[str, Any] = release.manifest
    name = " ".join(str(manifest["project"]["name"]).split())
    counts, licences = manifest["counts"], sorted(manifest["licences"])
    about = (
        f"{counts['images']:,} images with {counts['captions']:,} captions that people judged. "
        f"Licences of the images: {', '.join(licences)}. ATTRIBUTION.csv has the credits."
    )
    single = licences[0].lower() if len(licences) == 1 and licences[0].startswith("CC") else SEVERAL
    return {
        "title": name,
        "upload_type": "dataset",
        "description": about,
        "version": release.label,
        "creators": [{"name": f"The project {name}"}],
        "access_right": "open",
        "license": single,
        "keywords": ["image captions", "annotator agreement"],
        "language": "eng",
    }
