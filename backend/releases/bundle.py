"""Writes a release's files into a folder, image by image, and keeps nothing of them in memory."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from backend.methods.difficulty import DRAWN_BY
from backend.methods.export_rows import (
    ATTRIBUTION_COLUMNS,
    CAPTION_COLUMNS,
    DIFFICULTY_COLUMNS,
    JUDGMENT_COLUMNS,
    NEGATIVE_COLUMNS,
    CsvTable,
    Pseudonyms,
    ReleasedCaption,
    ReleasedImage,
    attribution_row,
    caption_cells,
    caption_rows,
    difficulty_rows,
    image_row,
    json_line,
    judgment_rows,
    negative_row,
)
from backend.methods.exports.choices import SPLITS, Choices
from backend.methods.exports.citation import write_citation
from backend.methods.exports.croissant import describe_release
from backend.methods.exports.datasheet import Figures, write_html, write_markdown
from backend.methods.file_digests import sha256_of_file
from backend.releases.card import write_card
from backend.releases.full_tables import FullCaption, Standing, write_full_tables

IMAGES = "images.jsonl"
CHANGELOG = "CHANGELOG.md"
SUMS = "SHA256SUMS"
SPOOL = "judgments.spool"  # with the people's own ids, so it never leaves the folder


@dataclass(frozen=True)
class MadeFile:
    """One finished file of a release."""

    name: str
    path: Path
    n_bytes: int
    sha256: str


@dataclass(frozen=True)
class Draft:
    """A release that lies ready in a folder. `digest` is that of SHA256SUMS, and so of everything."""

    files: tuple[MadeFile, ...]
    manifest: dict[str, Any]
    counts: Counter[str]
    content: str  # SHA-256 over the data and the settings, without the version

    @property
    def digest(self) -> str:
        return next(file.sha256 for file in self.files if file.name == SUMS)

    @property
    def images(self) -> Path:
        """images.jsonl, whose lines become the release's entries."""
        return next(file.path for file in self.files if file.name == IMAGES)

    @property
    def judgments(self) -> Path:
        """judgments.parquet, which has the lenses of the captions."""
        return next(file.path for file in self.files if file.name == "judgments.parquet")


class Member(NamedTuple):
    """A model of a panel; `record` is the SHA-256 of its calibration record."""

    name: str
    digest: str
    threshold: float
    record: str


Panel = tuple[str, tuple[Member, ...]]  # a policy, and the models that voted


@dataclass
class Difficulties:
    """How many captions came out how hard, and every panel that said so. A caption that was chosen while a panel was
    at work came out unrated with a part of the votes: those panels are apart."""

    categories: Counter[str] = field(default_factory=Counter)
    panels: set[Panel] = field(default_factory=set)
    of_unrated: set[Panel] = field(default_factory=set)

    def see(self, caption: ReleasedCaption) -> None:
        """Count one caption; one that no panel was asked about is counted as `not_asked`."""
        said = caption.difficulty
        self.categories[said.category if said else "not_asked"] += 1
        if said:
            members = tuple(Member(one.model, one.digest, one.threshold, one.record) for one in said.panel)
            (self.panels if said.n_votes is not None else self.of_unrated).add((said.policy, members))


@dataclass
class Bundle:
    """The open files of a release in the making. Use it in `with`, `add` every image in order, then `finish`."""

    folder: Path
    choices: Choices | None = None
    counts: Counter[str] = field(default_factory=Counter)
    licences: Counter[str] = field(default_factory=Counter)
    difficulties: Difficulties = field(default_factory=Difficulties)
    people: Pseudonyms = field(default_factory=Pseudonyms)
    splits: Counter[str] = field(default_factory=Counter)
    variants: Counter[str] = field(default_factory=Counter)
    n_drawn: int = 0  # images of the drawn set that the models of Connote learned from
    figures: Figures = field(default_factory=Figures)

    def __enter__(self) -> Bundle:
        self._open = ExitStack()
        self._images = self._file(IMAGES)
        self._captions = self._file("captions.jsonl")
        self._spool = self._file(SPOOL)
        self._caption_table = CsvTable(self._file("captions.csv"), CAPTION_COLUMNS)
        self._difficulty_table = CsvTable(self._file("difficulty.csv"), DIFFICULTY_COLUMNS)
        self._negatives = self._file("negatives.jsonl")
        self._negative_table = CsvTable(self._file("negatives.csv"), NEGATIVE_COLUMNS)
        self._attribution = CsvTable(self._file("ATTRIBUTION.csv"), ATTRIBUTION_COLUMNS)
        return self

    def __exit__(self, *problem: object) -> None:
        self._open.close()

    def _file(self, name: str) -> TextIO:
        return self._open.enter_context((self.folder / name).open("w", encoding="utf-8", newline=""))

    def add(self, image: ReleasedImage) -> None:
        """Write one image with its captions, and put its judgments by until everybody's pseudonym is known."""
        line = image_row(image)
        self._images.write(json_line(line))
        self.figures.see(line)
        self._attribution.write(attribution_row(image))
        for row in caption_rows(image):
            self._captions.write(json_line(row))
            self._caption_table.write(caption_cells(row))
        for caption in image.captions:
            self.difficulties.see(caption)
            for cells in difficulty_rows(image.digest, caption):
                self._difficulty_table.write(cells)
            self.people.see(image.digest, caption.key, caption.judgments)
            self._spool.write(json.dumps([image.digest, caption.key, caption.judgments]) + "\n")
            self.counts["judgments"] += len(caption.judgments)
        if negative := negative_row(image):
            self._negatives.write(json_line(negative))
            self._negative_table.write(negative)
        self.counts.update({"images": 1, "captions": len(image.captions), "negatives": int(image.negative is not None)})
        self.variants[image.variant] += 1
        self.licences[image.licence] += 1
        self.splits[image.split] += 1
        self.n_drawn += image.author == DRAWN_BY

    def describe_choices(self) -> dict[str, Any] | None:
        """What the curator chose, and how many images each split has."""
        if self.choices is None:
            return None
        return self.choices.describe() | {"images": {name: self.splits[name] for name in SPLITS}}

    def add_everything(self, *, captions: Iterable[FullCaption], standings: Mapping[str, Standing]) -> None:
        """Write the tables of all judgments and all captions, after the last image."""
        self.counts["annotators"] = len(self.people)
        left_out = self.choices.left_out if self.choices else frozenset[str]()
        self.counts.update(
            write_full_tables(
                folder=self.folder, captions=captions, people=self.people, standings=standings, left_out=left_out
            )
        )

    def finish(
        self,
        describe: Callable[[Counter[str], Counter[str]], dict[str, Any]],
        name_version: Callable[[str, dict[str, Any], Path], tuple[str, str]],
    ) -> Draft:
        """Close the files, write judgments, manifest, card and checksums.

        `describe` makes the manifest of the counts and of the number of images under each licence. `name_version` gets
        the digest of the content, the manifest and images.jsonl. It gives the version and CHANGELOG.md.
        """
        self._open.close()
        self._write_judgments()
        self.counts.setdefault("annotators", len(self.people))
        manifest = describe(self.counts, self.licences)
        content = self._digest_content(manifest)
        manifest["version"], changelog = name_version(content, manifest, self.folder / IMAGES)
        text = json.dumps(manifest, sort_keys=True, ensure_ascii=False, indent=2, allow_nan=False)
        (self.folder / "manifest.json").write_text(text + "\n", encoding="utf-8", newline="")
        described = {
            CHANGELOG: changelog,
            "README.md": write_card(manifest),
            "CITATION.cff": write_citation(manifest),
            "datasheet.md": write_markdown(manifest, self.figures),
            "datasheet.html": write_html(manifest, self.figures),
        }
        for name, told in described.items():
            (self.folder / name).write_text(told, encoding="utf-8", newline="")
        self._write_croissant(manifest)
        return Draft(_measure(self.folder), manifest, self.counts, content)

    def _digest_content(self, manifest: Mapping[str, Any]) -> str:
        """SHA-256 over the files of data that lie in the folder now, and the manifest."""
        sums = _sums(_made(path) for path in sorted(self.folder.iterdir()))
        return hashlib.sha256((sums + json_line(manifest)).encode()).hexdigest()

    def _write_croissant(self, manifest: Mapping[str, Any]) -> None:
        files = [_made(path) for path in sorted(self.folder.iterdir())]
        told = describe_release(manifest, [(file.name, file.n_bytes, file.sha256) for file in files])
        text = json.dumps(told, ensure_ascii=False, indent=2) + "\n"
        (self.folder / "croissant.json").write_text(text, encoding="utf-8", newline="")

    def _write_judgments(self) -> None:
        names = self.people.names()
        spool = self.folder / SPOOL
        with (
            spool.open(encoding="utf-8") as lines,
            (self.folder / "judgments.csv").open("w", encoding="utf-8", newline="") as file,
        ):
            table = CsvTable(file, JUDGMENT_COLUMNS)
            for image, caption, judgments in map(json.loads, lines):
                for row in judgment_rows(image, caption, judgments, names):
                    table.write(row)
        spool.unlink()


def _measure(folder: Path) -> tuple[MadeFile, ...]:
    """Every file with its checksum, and SHA256SUMS over them, as `sha256sum -c` reads it."""
    made = write_sums(folder)
    return (*made, _made(folder / SUMS))


def write_sums(folder: Path) -> list[MadeFile]:
    """Write SHA256SUMS over every file of the folder, by relative name. Returns these files."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    made = [_made(path, path.relative_to(folder).as_posix()) for path in paths]
    (folder / SUMS).write_text(_sums(made), encoding="utf-8", newline="")
    return made


def _made(path: Path, name: str = "") -> MadeFile:
    return MadeFile(name or path.name, path, path.stat().st_size, sha256_of_file(path))


def _sums(made: Iterable[MadeFile]) -> str:
    return "".join(f"{file.sha256}  {file.name}\n" for file in made)
