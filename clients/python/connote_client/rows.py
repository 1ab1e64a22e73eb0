"""The rows that the API answers with, as typed dicts. A newer site may send more keys; they are kept."""

from __future__ import annotations

from typing import Any, TypedDict


class Person(TypedDict):
    id: int
    username: str
    display_name: str


class Me(Person):
    email: str
    is_staff: bool


class Counts(TypedDict):
    """How many rows a project has."""

    images: int
    candidates: int
    kept: int
    hits: int
    judgments: int
    releases: int


class Thumbnail(TypedDict):
    """The link is signed and good for 12 to 24 hours."""

    url: str
    width: int
    height: int


class Thumbnails(TypedDict):
    small: Thumbnail
    large: Thumbnail


class Licence(TypedDict):
    code: str
    name: str
    url: str


class Image(TypedDict):
    id: int
    key: str
    digest: str
    width: int
    height: int
    format: str
    licence: Licence
    author: str
    title: str
    source_url: str
    attribution: str
    thumbnail: Thumbnails
    created_at: str


class UploadedFile(TypedDict):
    name: str
    n_bytes: int


class Upload(TypedDict):
    id: str
    files: list[UploadedFile]
    detected_layout: str
    created_at: str


class RefusedRow(TypedDict):
    """A row of an import that was not taken, with the reason."""

    line: int | None
    name: str
    code: str
    message: str
    params: dict[str, Any]
    is_ignored: bool


class TaskImage(TypedDict):
    alt: str
    thumbnail: Thumbnails


class Item(TypedDict):
    """One item of an assignment: a caption or an image to judge."""

    position: int
    text: str | None
    image: TaskImage | None


class Edit(TypedDict):
    """A change to a caption, in code points of its text: `after` replaces `before`."""

    start: int
    end: int
    kind: str
    before: str
    after: str


class Answer(TypedDict, total=False):
    """The answer to one item. Only `label` is needed."""

    label: str
    lens: str
    comment: str
    is_generic: bool
    edits: list[Edit]
    ms: int


class Judgment(TypedDict):
    """One answer to one pair, by pseudonym. A changed answer is a new row that `supersedes` the one before."""

    id: int
    image: str
    caption: str
    annotator: str | None
    label: str
    lens: str | None
    is_generic: bool
    edits: list[Edit]
    comment: str | None
    seconds: float | None
    position: int
    submitted_at: str | None
    is_latest: bool
    is_counted: bool
    is_surplus: bool
    supersedes: int | None


class AnnotatorByPseudonym(TypedDict):
    """What one annotator did. Exports have the same pseudonyms; releases have others."""

    annotator: str
    judgments: int
    counted: int
    changed: int
    is_excluded: bool
    controls: int
    controls_passed: int
    decided: int
    agreed: int
    agreement: float | None
    agreement_low: float | None
    agreement_high: float | None
    median_seconds: float | None


class Figure(TypedDict):
    """One measure of agreement, with its interval; `value` is null where it cannot be computed."""

    measure: str
    reading: str
    value: float | None
    reason: str
    interval: dict[str, Any] | None
    n_items: int
    n_judgments: int
    prevalence: dict[str, float]


class AgreementSlice(TypedDict):
    value: str
    n_judgments: int
    n_pairs: int
    figures: list[Figure]


class Agreement(TypedDict):
    as_of: str | None
    is_stale: bool
    scope: str
    slices: list[AgreementSlice]


class Share(TypedDict):
    k: int
    n: int
    share: float
    low: float
    high: float


class Annotator(TypedDict):
    """One annotator of a project with the state and the figures of the head annotator's page."""

    user: Person
    state: str
    hits: int
    late: int
    skips: int
    agreement: Share | None
    seconds: float | None
    last_active_at: str | None


class ReleaseFile(TypedDict):
    name: str
    n_bytes: int
    sha256: str
    url: str


class EntryImage(TypedDict):
    digest: str
    key: str
    width: int
    height: int
    licence: Licence
    attribution: str
    thumbnail: Thumbnails | None


class EntryCaption(TypedDict):
    """`agreement` is the share of its votes that are good. `is_match`: it fits the filter that you asked for."""

    key: str
    text: str
    n_good: int
    n_bad: int
    n_unsure: int
    source: str
    difficulty: str
    agreement: float | None
    lenses: list[str]
    is_match: bool


class Withdrawal(TypedDict):
    """An image that was withdrawn, and why."""

    id: int
    digest: str
    key: str
    reason: str
    created_at: str
    created_by: str | None


class WithdrawnMark(TypedDict):
    created_at: str
    reason: str


class Entry(TypedDict):
    """One image of a release with its captions. An image that was withdrawn has no thumbnail."""

    position: int
    split: str
    image: EntryImage
    captions: list[EntryCaption]
    method: str
    withdrawn: WithdrawnMark | None
