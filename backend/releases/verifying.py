"""Recomputes what the files of a release say: each checksum, and each number that follows from the rows.

A check reads the rows and compares. It names the file and the row at fault, so that one changed byte, one changed
judgment or one changed digest of a model is found where it is, also if somebody wrote new checksums over it.
"""

from __future__ import annotations

import csv
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow.parquet as pq

from backend.methods.aggregation import readings_of
from backend.methods.consensus import LABELS, Votes
from backend.methods.difficulty import category_of, vote
from backend.methods.export_rows import caption_cells, unguard
from backend.methods.exports.choices import SPLITS, Shares
from backend.methods.exports.full_tables import Record, annotator_row
from backend.methods.exports.splits import draw_splits
from backend.methods.file_digests import sha256_of_file
from backend.releases.bundle import IMAGES, SUMS
from backend.releases.models import Release
from backend.releases.store import copy_file

MOST_FAULTS = 100  # of one check: a file of which each row is wrong is told once more by its number of faults
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong: the file, the row ("" for the whole file), and a sentence."""

    file: str
    row: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}{f', {self.row}' if self.row else ''}: {self.message}"


@dataclass
class Facts:
    """What the rows of images.jsonl come to."""

    captions: dict[str, Row] = field(default_factory=dict)  # by key: what the other tables are compared with
    counts: Counter[str] = field(default_factory=Counter)
    licences: Counter[str] = field(default_factory=Counter)
    splits: dict[str, str] = field(default_factory=dict)
    hashes: dict[str, str] = field(default_factory=dict)
    variants: Counter[str] = field(default_factory=Counter)
    categories: Counter[str] = field(default_factory=Counter)
    votes: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    labels: dict[str, str] = field(default_factory=dict)  # of all captions, "" without one
    numbers: dict[str, tuple[int, int, int]] = field(default_factory=dict)  # their votes, where they have a label
    records: dict[str, Record] = field(default_factory=lambda: defaultdict(Record))


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
        if (folder / IMAGES).exists():
            faults += _guarded(IMAGES, lambda: _entries(release, folder))
        return faults + verify_folder(folder)


def _entries(release: Release, folder: Path) -> Iterator[Fault]:
    """The entries in the database are the lines of images.jsonl."""
    bodies = release.entries.order_by("position").values_list("body", flat=True).iterator(chunk_size=200)
    for number, (body, line) in enumerate(zip_longest(bodies, _lines(folder / IMAGES)), start=1):
        if body != line:
            yield Fault(IMAGES, f"line {number}", "The line is not the entry in the database.")


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
        (IMAGES, lambda: _images(folder, facts, manifest)),
        (IMAGES, lambda: _splits(facts, manifest)),
        ("captions.jsonl", lambda: _captions(folder, facts)),
        ("captions.csv", lambda: _caption_table(folder)),
        ("difficulty.csv", lambda: _difficulty_table(folder, facts)),
        ("judgments.csv", lambda: _judgments(folder, facts)),
        ("candidates.parquet", lambda: _candidates(folder, facts)),
        ("judgments.parquet", lambda: _all_judgments(folder, facts)),
        ("annotators.csv", lambda: _annotators(folder, facts)),
        ("negatives.jsonl", lambda: _negatives(folder, facts)),
        ("ATTRIBUTION.csv", lambda: _attribution(folder, facts)),
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


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _table(path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """The rows of a CSV with their numbers, cells without guards."""
    with path.open(encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.DictReader(file), start=2):
            yield f"row {number}", {name: unguard(cell or "") for name, cell in row.items()}


def _images(folder: Path, facts: Facts, manifest: Row) -> Iterator[Fault]:
    panel = {
        (one["model"], one["digest"], one["threshold"], one["record"])
        for one in (manifest.get("difficulty") or {}).get("panel", ())
    }
    before = ""
    for number, image in enumerate(_lines(folder / IMAGES), start=1):
        row, digest = f"line {number}", image["digest"]
        if digest <= before:
            yield Fault(IMAGES, row, "The images are not in the order of their digests, or one is there twice.")
        before = digest
        facts.counts["images"] += 1
        facts.licences[image["licence"]] += 1
        facts.splits[digest] = image["split"]
        facts.hashes[digest] = image["perceptual_hash"]
        facts.variants[image["variant"]] += 1
        for caption in image["captions"]:
            place = f"{row}, caption {caption['key']}"
            facts.counts["captions"] += 1
            facts.categories[(caption["difficulty"] or {"category": "not_asked"})["category"]] += 1
            if caption["key"] in facts.captions:
                yield Fault(IMAGES, place, "The caption is there twice.")
            facts.captions[caption["key"]] = {"image": digest, "split": image["split"], **caption}
            yield from (Fault(IMAGES, place, message) for message in _consensus_faults(caption))
            yield from (Fault(IMAGES, place, message) for message in _difficulty_faults(caption, panel))


def _consensus_faults(caption: Row) -> Iterator[str]:
    votes = Votes(caption["n_good"], caption["n_bad"], caption["n_unsure"])
    made = {each.reading: (each.label, each.category) for each in readings_of(votes)}
    told = caption["consensus"]
    readings = {each["reading"]: (each["label"], each["category"]) for each in told.get("readings", ())}
    if "readings" in told and readings != made:  # an older release has none
        yield "The readings do not follow from the votes."
    if votes.total and told["category"] != (made["value"][1] or ""):
        yield f"The category is {told['category']}. The votes make it {made['value'][1]}."
    if told["decided_by"] == "majority" and made["value"][0] != "good":
        yield "The caption is selected, but most votes are not good."


def _difficulty_faults(caption: Row, panel: set[tuple[Any, ...]]) -> Iterator[str]:
    difficulty = caption["difficulty"]
    if difficulty is None:
        return
    said = difficulty["panel"]
    for one in said:
        if (one["model"], one["digest"], one["threshold"], one["record"]) not in panel:
            yield f"The model {one['model']} with this digest is not in the panel of manifest.json."
        if vote(one["score"], one["threshold"]) != one["vote"]:
            yield f"The vote of {one['model']} does not follow from its score."
    votes = [one["vote"] for one in said]
    if difficulty["n_votes"] is None:
        return
    yes = sum(bool(each) for each in votes)
    if yes != difficulty["n_votes"]:
        yield f"The models have {yes} yes votes, not {difficulty['n_votes']}."
    elif (made := category_of(yes, len(votes), bool(votes[-1]), difficulty["policy"])) != difficulty["category"]:
        yield f"The difficulty is {difficulty['category']}. The votes make it {made}."


def _splits(facts: Facts, manifest: Row) -> Iterator[Fault]:
    """The splits are drawn again: each image has one, and images that look nearly the same are together."""
    choices = manifest.get("choices")
    if choices is None:
        return
    digests = list(facts.splits)
    shares = Shares(*(choices["shares"][name] for name in SPLITS))
    drawn = draw_splits(digests, [facts.hashes[digest] for digest in digests], shares, seed=choices["seed"])
    for number, digest in enumerate(digests, start=1):
        if facts.splits[digest] != drawn[digest]:
            yield Fault(
                IMAGES, f"line {number}", f"The split is {facts.splits[digest]}. Its seed draws {drawn[digest]}."
            )


def _captions(folder: Path, facts: Facts) -> Iterator[Fault]:
    seen = set()
    for number, row in enumerate(_lines(folder / "captions.jsonl"), start=1):
        seen.add(row["key"])
        if facts.captions.get(row["key"]) != row:
            yield Fault("captions.jsonl", f"line {number}", "The caption is not the same as in images.jsonl.")
    yield from (Fault("captions.jsonl", "", f"The caption {key} is missing.") for key in facts.captions.keys() - seen)


def _caption_table(folder: Path) -> Iterator[Fault]:
    lines = _lines(folder / "captions.jsonl")
    for line, numbered in zip_longest(lines, _table(folder / "captions.csv")):
        number, row = numbered or ("the end", {})
        if line is None or not row:
            yield Fault("captions.csv", number, "It does not have as many rows as captions.jsonl.")
            return
        cells = caption_cells(line)
        if any(_cell(cells[name]) != cell for name, cell in row.items()):
            yield Fault("captions.csv", number, "The row is not the same as in captions.jsonl.")


def _cell(value: Any) -> str:
    return "" if value is None else str(value)


def _difficulty_table(folder: Path, facts: Facts) -> Iterator[Fault]:
    words = {True: "yes", False: "no", None: ""}
    said = {
        (key, one["model"]): (_cell(one["threshold"]), _cell(one["score"]), words[one["vote"]])
        for key, caption in facts.captions.items()
        for one in (caption["difficulty"] or {"panel": ()})["panel"]
    }
    for number, row in _table(folder / "difficulty.csv"):
        if said.pop((row["caption"], row["model"]), None) != (row["threshold"], row["score"], row["vote"]):
            yield Fault("difficulty.csv", number, "The vote is not the same as in images.jsonl.")
    yield from (Fault("difficulty.csv", "", f"The vote of {model} on {key} is missing.") for key, model in said)


def _judgments(folder: Path, facts: Facts) -> Iterator[Fault]:
    people = set()
    for number, row in _table(folder / "judgments.csv"):
        caption = facts.captions.get(row["caption"])
        if caption is None or caption["image"] != row["image"]:
            yield Fault("judgments.csv", number, "The caption is not in images.jsonl.")
            continue
        facts.counts["judgments"] += 1
        facts.votes[row["caption"]][row["label"]] += 1
        people.update({row["annotator"]} - {""})
    facts.counts["annotators"] = len(people)
    for key, caption in facts.captions.items():
        given = facts.votes[key]
        for label in LABELS:
            if given[label] != caption[f"n_{label}"]:
                message = f"The caption {key} has {given[label]} votes {label}, not {caption[f'n_{label}']}."
                yield Fault("judgments.csv", "", message)


def _candidates(folder: Path, facts: Facts) -> Iterator[Fault]:
    if not (folder / "candidates.parquet").exists():
        return
    for row in _parquet(folder / "candidates.parquet"):
        facts.counts["all_captions"] += 1
        facts.labels[row["key"]] = row["label"] or ""
        if row["label"] is not None:
            facts.numbers[row["key"]] = (row["n_good"], row["n_bad"], row["n_unsure"])
    for key in sorted(facts.captions.keys() - facts.labels.keys()):
        yield Fault("candidates.parquet", "", f"The caption {key} is missing.")


def _all_judgments(folder: Path, facts: Facts) -> Iterator[Fault]:
    if not (folder / "judgments.parquet").exists():
        return
    counted: dict[str, Counter[str]] = defaultdict(Counter)
    for number, row in enumerate(_parquet(folder / "judgments.parquet"), start=1):
        facts.counts["all_judgments"] += 1
        if row["caption"] not in facts.labels:
            yield Fault("judgments.parquet", f"row {number}", "The caption is not in candidates.parquet.")
            continue
        if row["is_counted"]:
            counted[row["caption"]][row["label"]] += 1
        if row["annotator"]:
            facts.records[row["annotator"]].see(row, facts.labels[row["caption"]])
    facts.counts["all_annotators"] = len(facts.records)
    yield from _counted_faults(facts, counted)


def _counted_faults(facts: Facts, counted: Mapping[str, Counter[str]]) -> Iterator[Fault]:
    """The judgments that count against the votes in candidates.parquet and in judgments.csv."""
    for key, numbers in facts.numbers.items():
        votes = tuple(counted[key][label] for label in LABELS)
        if votes != numbers:
            message = f"The caption {key} has the votes {votes}. candidates.parquet says {numbers}."
            yield Fault("judgments.parquet", "", message)
    for key, given in facts.votes.items():
        if counted[key] != +given:
            yield Fault("judgments.parquet", "", f"The caption {key} has other votes in judgments.csv.")


def _parquet(path: Path) -> Iterator[dict[str, Any]]:
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=5000):
            yield from batch.to_pylist()


def _annotators(folder: Path, facts: Facts) -> Iterator[Fault]:
    if not (folder / "annotators.csv").exists():
        return
    records, seen = facts.records, set()
    for number, row in _table(folder / "annotators.csv"):
        name = row["annotator"]
        seen.add(name)
        if name not in records:
            yield Fault("annotators.csv", number, f"{name} has no judgments.")
            continue
        controls = int(row["controls_passed"]), int(row["controls"])
        made = annotator_row(name, records[name], is_excluded=row["is_excluded"] == "yes", controls=controls)
        wrong = [column for column, cell in row.items() if _cell(made[column]) != cell]
        if wrong:
            yield Fault("annotators.csv", number, f"{wrong[0]} is {row[wrong[0]]}, not {_cell(made[wrong[0]])}.")
    yield from (Fault("annotators.csv", "", f"{name} is missing.") for name in sorted(records.keys() - seen))


def _negatives(folder: Path, facts: Facts) -> Iterator[Fault]:
    if not (folder / "negatives.jsonl").exists():
        return
    lines = list(_lines(folder / "negatives.jsonl"))
    facts.counts["negatives"] = len(lines)
    for number, row in enumerate(lines, start=1):
        if row["image"] not in facts.splits or facts.splits[row["image"]] != row["split"]:
            yield Fault("negatives.jsonl", f"line {number}", "The image is not in images.jsonl, or in another split.")
        if row["key"] in facts.captions:
            yield Fault("negatives.jsonl", f"line {number}", "The caption is selected.")
    for line, numbered in zip_longest(lines, _table(folder / "negatives.csv")):
        place, row = numbered or ("the end", {})
        if line is None or not row or any(_cell(line[name]) != cell for name, cell in row.items()):
            yield Fault("negatives.csv", place, "The row is not the same as in negatives.jsonl.")


def _attribution(folder: Path, facts: Facts) -> Iterator[Fault]:
    images = _lines(folder / IMAGES)
    for image, numbered in zip_longest(images, _table(folder / "ATTRIBUTION.csv")):
        number, row = numbered or ("the end", {})
        if image is None or not row:
            yield Fault("ATTRIBUTION.csv", number, "It does not have as many rows as images.jsonl.")
            return
        told = {name: _cell(image["digest" if name == "image" else name]) for name in row}
        if told != row:
            yield Fault("ATTRIBUTION.csv", number, "The row is not the same as in images.jsonl.")


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
    for activity in told["prov:wasGeneratedBy"]:
        name = activity["prov:label"]
        agents = {each["prov:label"]: each["identifier"] for each in activity["prov:wasAssociatedWith"]}
        made = manifest["stages"].get(name, {"models": {}, "code_version": None})
        wanted = {"Connote": str(made["code_version"])} | {model: str(sha) for model, sha in made["models"].items()}
        if agents != wanted:
            yield Fault("croissant.json", name, "The models or the code are not those in manifest.json.")
