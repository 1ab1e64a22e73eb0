"""Recomputes what the files of a release say: each checksum, and each number that follows from the rows.

A check reads the rows and compares. It names the file and the row at fault, so that one changed byte, one changed
judgment or one changed digest of a model is found where it is, also if somebody wrote new checksums over it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from backend.methods.file_digests import sha256_of_file
from backend.releases.bundle import IMAGES, SUMS
from backend.releases.models import Release
from backend.releases.store import copy_file
from backend.releases.verified_database import check_entries, check_filters, check_release
from backend.releases.verified_documents import check_datasheet
from backend.releases.verified_images import check_images, check_splits
from backend.releases.verified_rows import Facts, Fault, Row
from backend.releases.verified_tables import (
    check_all_judgments,
    check_annotators,
    check_attribution,
    check_candidates,
    check_caption_table,
    check_captions,
    check_difficulty_table,
    check_judgments,
    check_negatives,
)

MOST_FAULTS = 100  # of one check; then the number of the others


def verify_release(release: Release) -> list[Fault]:
    """The stored files against the database, and then against each other."""
    with TemporaryDirectory(prefix="connote-verify-") as name:
        folder, faults = Path(name), []
        for file in release.files.all():
            try:
                copy_file(file.stored_as, folder / file.name)
            except FileNotFoundError:
                faults.append(Fault(file.name, "", "The file is missing."))
                continue
            if sha256_of_file(folder / file.name) != file.sha256:
                faults.append(Fault(file.name, "", "The checksum is not the one of the release."))
        if (folder / SUMS).exists() and sha256_of_file(folder / SUMS) != release.digest:
            faults.append(Fault(SUMS, "", "The digest of the release is another one."))
        faults += _guarded("manifest.json", lambda: check_release(release, folder))
        if (folder / IMAGES).exists():
            faults += _guarded(IMAGES, lambda: check_entries(release, folder))
            faults += _guarded(IMAGES, lambda: check_filters(release, folder))
        return faults + verify_folder(folder)


def verify_folder(folder: Path) -> list[Fault]:
    """Every check on a folder with the files of a release. An empty list means that all is right."""
    faults = _guarded(SUMS, lambda: _sums(folder))
    needed = (IMAGES, "manifest.json", "captions.jsonl", "captions.csv", "judgments.csv", "difficulty.csv")
    missing = [name for name in needed if not (folder / name).is_file()]
    if missing:
        return faults + [Fault(name, "", "The file is missing.") for name in missing if not _is_told(faults, name)]
    facts, manifest = Facts(), dict[str, Any]()

    def read_manifest() -> Iterator[Fault]:
        manifest.update(json.loads((folder / "manifest.json").read_text(encoding="utf-8")))
        yield from ()

    checks: list[tuple[str, Callable[[], Iterator[Fault]]]] = [
        ("manifest.json", read_manifest),
        (IMAGES, lambda: check_images(folder, facts, manifest)),
        (IMAGES, lambda: check_splits(facts, manifest)),
        ("captions.jsonl", lambda: check_captions(folder, facts)),
        ("captions.csv", lambda: check_caption_table(folder)),
        ("difficulty.csv", lambda: check_difficulty_table(folder, facts)),
        ("judgments.csv", lambda: check_judgments(folder, facts)),
        ("candidates.parquet", lambda: check_candidates(folder, facts)),
        ("judgments.parquet", lambda: check_all_judgments(folder, facts)),
        ("annotators.csv", lambda: check_annotators(folder, facts)),
        ("negatives.jsonl", lambda: check_negatives(folder, facts)),
        ("ATTRIBUTION.csv", lambda: check_attribution(folder, facts)),
        ("datasheet.md", lambda: check_datasheet(folder)),
        ("manifest.json", lambda: _counts(facts, manifest)),
        ("croissant.json", lambda: _croissant(folder, manifest)),
    ]
    for file, check in checks:
        faults += _guarded(file, check)
    return faults


def _is_told(faults: list[Fault], name: str) -> bool:
    return any(fault.file == name for fault in faults)


def _guarded(file: str, check: Callable[[], Iterator[Fault]]) -> list[Fault]:
    """The faults of one check. A file that cannot be read is a fault too."""
    faults: list[Fault] = []
    n_more = 0
    try:
        for fault in check():
            if len(faults) < MOST_FAULTS:
                faults.append(fault)
            else:
                n_more += 1
    except (OSError, ValueError, KeyError, TypeError, AttributeError, LookupError) as error:
        faults.append(Fault(file, "", f"The file cannot be read ({type(error).__name__}: {error})."))
    if n_more:
        faults.append(Fault(file, "", f"There are {n_more:,} more faults of this kind."))
    return faults


def _sums(folder: Path) -> Iterator[Fault]:
    listed = {}
    for line in (folder / SUMS).read_text(encoding="utf-8").splitlines():
        sha256, _, name = line.partition("  ")
        listed[name] = sha256
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()} - {SUMS}
    for name in sorted(listed.keys() | there):
        if name not in there:
            yield Fault(name, "", "The file is missing.")
        elif name not in listed:
            yield Fault(name, "", "The file is not in SHA256SUMS.")
        elif sha256_of_file(folder / name) != listed[name]:
            yield Fault(name, "", "The checksum is not the one in SHA256SUMS.")


def _counts(facts: Facts, manifest: Row) -> Iterator[Fault]:
    """Every number of the manifest that can be counted."""
    for name, n in manifest["counts"].items():
        if name in facts.counts and facts.counts[name] != n:
            yield Fault("manifest.json", f"counts.{name}", f"It says {n:,}. The rows make it {facts.counts[name]:,}.")
    splits = Counter(facts.splits.values())
    told: list[tuple[str, Row, Row]] = [("licences", manifest["licences"], facts.licences)]
    if manifest.get("choices"):
        told.append(("choices.images", manifest["choices"]["images"], splits))
    if manifest.get("selection"):
        told.append(("selection.images", manifest["selection"]["images"], facts.variants))
    if manifest["difficulty"]:
        told.append(("difficulty.categories", manifest["difficulty"]["categories"], facts.categories))
    for place, said, counted in told:
        if +Counter(dict(said)) != +Counter(dict(counted)):
            yield Fault("manifest.json", place, "The numbers are not those of the rows.")


def _croissant(folder: Path, manifest: Row) -> Iterator[Fault]:
    """croissant.json names each file with its checksum, and the same stages and models as the manifest."""
    path = folder / "croissant.json"
    if not path.exists():
        return
    told = json.loads(path.read_text(encoding="utf-8"))
    for file in told["distribution"]:
        if not (folder / file["@id"]).exists() or sha256_of_file(folder / file["@id"]) != file["sha256"]:
            yield Fault("croissant.json", file["@id"], "The checksum is not the one of the file.")
    if told.get("version", manifest.get("version")) != manifest.get("version"):
        yield Fault("croissant.json", "version", "It is not the version in manifest.json.")
    counts = manifest["counts"]
    if told.get("rai:annotationsPerItem") != f"{counts['judgments'] / max(counts['captions'], 1):.2f}":
        yield Fault("croissant.json", "rai:annotationsPerItem", "The number is not the one of manifest.json.")
    for activity in told["prov:wasGeneratedBy"]:
        name = activity["prov:label"]
        agents = {each["prov:label"]: each["identifier"] for each in activity["prov:wasAssociatedWith"]}
        made = manifest["stages"].get(name, {"models": {}, "code_version": None})
        wanted = {"Connote": str(made["code_version"])} | {model: str(sha) for model, sha in made["models"].items()}
        if agents != wanted:
            yield Fault("croissant.json", name, "The models or the code are not those in manifest.json.")
