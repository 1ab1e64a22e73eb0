"""Versions of a model's calibration: they are kept, become stale with a reason, and the newest that holds is used."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.db import transaction
from django.db.models import Max, Min, Q, QuerySet

from backend.candidates.models import Candidate, CandidateStatus
from backend.common.labels import Label
from backend.curation.models import CalibrationRecord, StaleReason
from backend.methods.calibration import Calibration, Point
from backend.methods.calibration_records import key_of
from backend.projects.models import Project
from backend.runs.models import Run


@dataclass(frozen=True)
class MadeFrom:
    """The pairs of a calibration: in words, where they lie (empty: the project's own), and their digest."""

    words: str
    source: str
    digest: str
    most: int = 0
    n_lost: int = 0


@dataclass(frozen=True)
class OwnPair:
    """An image of the project with the first of its good captions."""

    digest: str
    original: str
    text: str


def own_pairs(*, project: Project, most: int = 0) -> Iterator[OwnPair]:
    """Each image that has a good caption, with the first of them, in the order of the images' digests; streamed."""
    good = Candidate.objects.filter(project=project, status=CandidateStatus.KEPT, consensus__label=Label.GOOD)
    first = good.order_by().values("image").annotate(first=Min("pk")).values("first")
    rows = Candidate.objects.filter(pk__in=first).order_by("image__digest")
    told = rows.values_list("image__digest", "image__original", "text")
    for digest, original, text in (told[:most] if most else told).iterator(chunk_size=2000):
        yield OwnPair(digest, original, " ".join(text.split()))


def count_own_pairs(*, project: Project) -> int:
    """How many images have a good caption."""
    good = Candidate.objects.filter(project=project, status=CandidateStatus.KEPT, consensus__label=Label.GOOD)
    return good.order_by().values("image").distinct().count()


def digest_of_own_pairs(*, project: Project, most: int = 0) -> str:
    """SHA-256 of the project's own pairs."""
    found = hashlib.sha256()
    for pair in own_pairs(project=project, most=most):
        found.update(f"{pair.digest}\0{pair.text}\0".encode("utf-8", "replace"))
    return found.hexdigest()


def digest_of_files(source: Path) -> str:
    """SHA-256 of the names, sizes and times of a file, or of all files in a folder; it reads none of them.

    Raises OSError where it is gone.
    """
    found = hashlib.sha256()
    for file in sorted(source.rglob("*")) if source.is_dir() else [source]:
        if file.is_file():
            facts = file.stat()
            found.update(f"{file.relative_to(source)}\0{facts.st_size}\0{facts.st_mtime_ns}\0".encode())
    if not source.exists():
        raise FileNotFoundError(source)
    return found.hexdigest()


@transaction.atomic
def keep_record(
    *,
    project: Project | None,
    run: Run | None,
    asked: str,
    model: tuple[str, str, str],
    made_from: MadeFrom,
    calibration: Calibration,
    curve: Sequence[Point],
) -> CalibrationRecord:
    """The next version of a model's calibration; `model` is its name, its digest and its preprocessing."""
    if project is not None:
        Project.objects.select_for_update().get(pk=project.pk)
    key = key_of(asked)
    earlier = CalibrationRecord.objects.filter(project=project, key=key)
    last = earlier.aggregate(last=Max("version"))["last"] or 0
    name, digest, preprocessing = model
    return CalibrationRecord.objects.create(
        project=project,
        run=run,
        asked=asked,
        key=key,
        version=last + 1,
        model=name,
        digest=digest,
        preprocessing=preprocessing,
        pairs=made_from.words,
        pairs_source=made_from.source,
        pairs_digest=made_from.digest,
        most=made_from.most,
        n_lost=made_from.n_lost,
        calibration=calibration.to_json(),
        curve=[[point.threshold, point.precision, point.recall, point.f1] for point in curve],
    )


def records_of(*, project: Project, asked: str | None = None) -> QuerySet[CalibrationRecord]:
    """The records that a project may use, newest first: its own and the site's."""
    found = CalibrationRecord.objects.filter(Q(project=project) | Q(project=None)).order_by("-id")
    return found if asked is None else found.filter(key=key_of(asked))


class Staleness:
    """Why records of a project no longer hold, each of the project's own sets of pairs hashed once."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._own: dict[int, str] = {}

    def reasons(self, record: CalibrationRecord) -> list[str]:
        """In the order of `StaleReason`; empty where the record holds as far as anybody has seen."""
        found = set(record.stale_reasons)
        if not record.pairs_source and record.project_id == self.project.pk:
            if record.most not in self._own:
                self._own[record.most] = digest_of_own_pairs(project=self.project, most=record.most)
            found.discard(StaleReason.PAIRS)
            if self._own[record.most] != record.pairs_digest:
                found.add(StaleReason.PAIRS)
        return [reason for reason in StaleReason.values if reason in found]


def note_pairs(record: CalibrationRecord) -> None:
    """Note whether the files that a record was made from are others now. Files that are gone say nothing."""
    if not record.pairs_source:
        return
    try:
        is_other = digest_of_files(Path(record.pairs_source)) != record.pairs_digest
    except OSError:
        return
    _note(record, {StaleReason.PAIRS: is_other})


def note_model(record: CalibrationRecord, *, digest: str, preprocessing: str) -> None:
    """Note whether the model of a record has other weights or another preprocessing, now that it is loaded."""
    is_other = {
        StaleReason.WEIGHTS: record.digest != digest,
        StaleReason.PREPROCESSING: record.preprocessing != preprocessing,
    }
    _note(record, is_other)


def _note(record: CalibrationRecord, is_other: dict[StaleReason, bool]) -> None:
    found = {reason for reason in record.stale_reasons if reason not in is_other}
    found |= {reason.value for reason, holds in is_other.items() if holds}
    told = [reason for reason in StaleReason.values if reason in found]
    if told != record.stale_reasons:
        record.stale_reasons = told
        record.save(update_fields=["stale_reasons"])
