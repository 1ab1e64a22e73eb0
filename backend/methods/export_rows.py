"""The rows of a release: the same content gives the same bytes, on every database, machine and day.

No row holds an id, a time or a name that only this installation knows. JSON has sorted keys, UTF-8 as it is and LF; CSV
quotes every cell and ends lines with LF. People appear under pseudonyms that follow from what they judged alone.

Spreadsheets run a cell that begins with `=`, `+`, `-` or `@` as a formula, and captions do begin so. `guard` puts one
apostrophe before such a cell and `unguard` takes it off again: every text comes back exactly, because a cell that
already begins with apostrophes before one of these signs gets one more. JSON lines are never guarded.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TextIO

from backend.methods.aggregation import readings_of
from backend.methods.consensus import LABELS, Votes

# The signs, their full-width forms, and the whitespace some spreadsheets strip before they look.
FORMULA = "=+\\-@＝＋－＠\t\r\n"
STARTS = frozenset("'=+-@＝＋－＠\t\r\n")  # looked at first: a set is faster than a pattern
NEEDS_GUARD = re.compile(f"'*[{FORMULA}]")
IS_GUARDED = re.compile(f"'+[{FORMULA}]")

CAPTION_COLUMNS = (
    "image",
    "split",
    "key",
    "position",
    "text",
    "raw_text",
    "source",
    "source_ref",
    "n_good",
    "n_bad",
    "n_unsure",
    "decided_by",
    "category",
    "category_by_majority",
    "category_missing",
    "category_middle",
    "entropy",
    "posterior_good",
    "posterior_bad",
    "posterior_unsure",
    "difficulty",
    "difficulty_votes",
    "cluster",
    "is_pinned",
)
NEGATIVE_COLUMNS = (
    "image",
    "split",
    "key",
    "text",
    "raw_text",
    "source",
    "source_ref",
    "n_good",
    "n_bad",
    "n_unsure",
    "decided_by",
)
DIFFICULTY_COLUMNS = ("image", "caption", "model", "threshold", "score", "vote")
JUDGMENT_COLUMNS = ("image", "caption", "annotator", "label")
ATTRIBUTION_COLUMNS = ("image", "key", "title", "author", "licence", "licence_url", "source_url", "attribution")


@dataclass(frozen=True)
class ModelVote:
    """What one model said of a caption: yes at a score of at least its threshold; None where it could not be asked.

    `record` is the SHA-256 of the calibration record that the threshold is from.
    """

    model: str
    digest: str
    threshold: float
    record: str
    score: float | None
    vote: bool | None


@dataclass(frozen=True)
class ReleasedDifficulty:
    """How hard a caption is for a panel of models, and every vote, so that any other cut is a second binning."""

    category: str
    n_votes: int | None
    policy: str
    panel: tuple[ModelVote, ...]


@dataclass(frozen=True)
class ReleasedConsensus:
    """What decided on a caption: majority, dawid_skene, mace or a verdict; ConQA's category by both readings of "most",
    the entropy of the votes in bits (None without votes), and the model's posterior, None under the majority."""

    decided_by: str = "majority"
    category: str = ""
    category_by_majority: str = ""
    entropy: float | None = None
    posterior: dict[str, float] | None = None


@dataclass(frozen=True)
class ReleasedCaption:
    """One chosen caption with its votes; `judgments` are (who, label), `who` any token of this installation.

    `difficulty` is None where no panel was asked.
    """

    key: str
    position: int
    text: str
    raw_text: str
    source: str
    source_ref: str
    n_good: int
    n_bad: int
    n_unsure: int
    judgments: tuple[tuple[str, str], ...] = ()
    consensus: ReleasedConsensus = ReleasedConsensus()
    difficulty: ReleasedDifficulty | None = None
    cluster: int | None = None
    is_pinned: bool = False


@dataclass(frozen=True)
class ReleasedNegative:
    """A caption of an image that people rejected, with its votes."""

    key: str
    text: str
    raw_text: str
    source: str
    source_ref: str
    n_good: int
    n_bad: int
    n_unsure: int
    decided_by: str


@dataclass(frozen=True)
class ReleasedImage:
    """One image with its chosen captions in their order, and one that people rejected, if there is one."""

    digest: str
    key: str
    width: int
    height: int
    format: str
    n_bytes: int
    perceptual_hash: str
    licence: str
    licence_url: str
    author: str
    title: str
    source_url: str
    attribution: str
    method: str
    mean_similarity: float
    captions: tuple[ReleasedCaption, ...]
    split: str = ""
    variant: str = "least_alike"
    n_clusters: int | None = None
    stability: float | None = None
    negative: ReleasedNegative | None = None


def image_row(image: ReleasedImage) -> dict[str, Any]:
    """An image as a line of images.jsonl, its captions inside."""
    rest = {name: value for name, value in vars(image).items() if name != "negative"}
    return {**rest, "captions": [_caption(caption) for caption in image.captions]}


def negative_row(image: ReleasedImage) -> dict[str, Any] | None:
    """The rejected caption of an image as a line of negatives.jsonl and of negatives.csv; None where it has none."""
    return {"image": image.digest, "split": image.split, **vars(image.negative)} if image.negative else None


def caption_rows(image: ReleasedImage) -> list[dict[str, Any]]:
    """The image's captions as lines of captions.jsonl; `image` is its digest."""
    return [{"image": image.digest, "split": image.split, **_caption(caption)} for caption in image.captions]


def caption_cells(row: Mapping[str, Any]) -> dict[str, Any]:
    """A line of captions.jsonl as one of captions.csv: the category and the yes votes stand for the whole panel.

    A line of an older release may lack columns.
    """
    difficulty = row.get("difficulty") or {"category": "", "n_votes": None}
    panel = {"difficulty": difficulty["category"], "difficulty_votes": difficulty["n_votes"]}
    rest = {name: value for name, value in row.items() if name != "consensus"}
    return {**rest, **_consensus_cells(row.get("consensus") or {}), **panel}


def _consensus_cells(consensus: Mapping[str, Any]) -> dict[str, Any]:
    posterior = consensus.get("posterior") or {}
    shares = {f"posterior_{label}": posterior.get(label) for label in LABELS}
    plain = {name: value for name, value in consensus.items() if name not in ("posterior", "readings")}
    others = consensus.get("readings", [])[1:]  # `category` is that of the first
    return {**plain, **shares, **{f"category_{each['reading']}": each["category"] for each in others}}


def difficulty_rows(image: str, caption: ReleasedCaption) -> list[dict[str, Any]]:
    """What each model said of one caption as lines of difficulty.csv, in the panel's order; the vote is yes or no."""
    panel = caption.difficulty.panel if caption.difficulty else ()
    words = {True: "yes", False: "no", None: ""}
    return [{"image": image, "caption": caption.key, **vars(said), "vote": words[said.vote]} for said in panel]


def _caption(caption: ReleasedCaption) -> dict[str, Any]:
    row = {name: value for name, value in vars(caption).items() if name != "judgments"}
    difficulty = asdict(caption.difficulty) if caption.difficulty else None
    readings = readings_of(Votes(caption.n_good, caption.n_bad, caption.n_unsure))
    consensus = asdict(caption.consensus) | {"readings": [asdict(each) for each in readings]}
    return row | {"consensus": consensus, "difficulty": difficulty}


def attribution_row(image: ReleasedImage) -> dict[str, Any]:
    """The credit line of an image and its licence."""
    return {"image": image.digest, **{name: getattr(image, name) for name in ATTRIBUTION_COLUMNS[1:]}}


def json_line(row: Mapping[str, Any]) -> str:
    """Sorted keys, UTF-8 as it is, no spare spaces, LF. Raises ValueError on NaN."""
    return json.dumps(row, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n"


def guard(text: str) -> str:
    """`text` as a cell that no spreadsheet takes for a formula.

    >>> guard("=1+1"), guard("'=1"), guard("a dog")
    ("'=1+1", "''=1", 'a dog')
    """
    return f"'{text}" if text[:1] in STARTS and NEEDS_GUARD.match(text) else text


def unguard(cell: str) -> str:
    """The text that `guard` was given."""
    return cell[1:] if IS_GUARDED.match(cell) else cell


class CsvTable:
    """A CSV of fixed columns: every cell quoted, text guarded, LF."""

    def __init__(self, file: TextIO, columns: Sequence[str]) -> None:
        self._columns = columns
        self._writer = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL)
        self._writer.writerow(columns)

    def write(self, row: Mapping[str, Any]) -> None:
        cells = (row[column] for column in self._columns)
        self._writer.writerow([guard(cell) if isinstance(cell, str) else cell for cell in cells])


def csv_lines(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> Iterator[str]:
    """The header and the rows of a CsvTable one by one, for a table that is sent as it is read.

    >>> list(csv_lines([{"n": 1, "text": "a"}], ("n", "text")))
    ['"n","text"\\n', '"1","a"\\n']
    """
    file = io.StringIO()
    table = CsvTable(file, columns)
    yield file.getvalue()
    for row in rows:
        file.seek(file.truncate(0))
        table.write(row)
        yield file.getvalue()


class Pseudonyms:
    """Names for annotators that follow from their judgments alone.

    Feed every judgment once, images and captions in the release's order. Each person's judgments make a digest, and the
    digests' order makes the numbers. Two people with one digest judged exactly alike: whoever gets which of their two
    numbers, the rows come out the same. A judgment by "" is nobody's, and has no name.
    """

    def __init__(self) -> None:
        self._digests: dict[str, Any] = {}

    def see(self, image: str, caption: str, judgments: Iterable[tuple[str, str]]) -> None:
        """The judgments (who, label) of one caption."""
        for who, label in sorted(judgments, key=lambda judgment: judgment[1]):
            if who:
                digest = self._digests.setdefault(who, hashlib.sha256())
                digest.update(f"{image} {caption} {label}\n".encode())

    def see_row(self, who: str, row: str) -> None:
        """One more row of a person's, in the same order everywhere, so that equal numbers mean equal rows."""
        self._digests.setdefault(who, hashlib.sha256()).update(row.encode())

    def __len__(self) -> int:
        return len(self._digests)

    def names(self) -> dict[str, str]:
        """Who -> `annotator-001` and so on."""
        order = sorted(self._digests, key=lambda who: self._digests[who].digest())
        return {who: f"annotator-{number:03d}" for number, who in enumerate(order, start=1)}


def judgment_rows(
    image: str, caption: str, judgments: Iterable[tuple[str, str]], names: Mapping[str, str]
) -> list[dict[str, str]]:
    """The judgments of one caption as lines of judgments.csv, by pseudonym."""
    named = sorted((names[who] if who else "", label) for who, label in judgments)
    return [{"image": image, "caption": caption, "annotator": name, "label": label} for name, label in named]
