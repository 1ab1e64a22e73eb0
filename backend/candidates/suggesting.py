"""The suggest_edits stage: the places of each kept caption that may need an edit, for people to take or leave.

It reads captions and writes suggestions; no caption changes. What an earlier run found stays where this one finds the
same, and gives way where the text or the parser is another.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from django.db.models import QuerySet

from backend.candidates.models import Candidate, CandidateStatus, SuggestedEdit, text_digest
from backend.candidates.selectors import UNREAD, shown_captions
from backend.catalogue.selectors import target_images
from backend.methods.edits import Name, Suggestion, Word, suggest_edits
from backend.projects.models import Project
from backend.runs.ledger import Ledger, Step
from backend.runs.models import Refusal

IMAGES_AT_ONCE = 32
CAPTIONS_AT_ONCE = 1_000  # the most that a kill can lose
MOST = 200  # of one caption, by their places: whoever has more to repair writes another caption
TOO_MANY = "Connote keeps the first {most} of {n:,} suggestions."


class Parsed(Protocol):
    """A text as a parser gives it back: `problem` is empty, or says why there are no tokens."""

    @property
    def tokens(self) -> Sequence[Word]: ...
    @property
    def entities(self) -> Sequence[Name]: ...
    @property
    def problem(self) -> str: ...


class Caption(NamedTuple):
    """A kept candidate as it is read; `text` is the cleaned one."""

    id: int
    key: str
    text: str


Parse = Callable[[Sequence[str]], Iterable[Parsed]]
Row = tuple[int, int, str, str, list[str], str]  # start, end, kind, before, options, digest of the text


def suggest_for_captions(
    *, ledger: Ledger, parse: Parse, models_used: Mapping[str, str], only_new: bool = False
) -> None:
    """Look for suggestions in every kept caption of the target images, or in those that were not read as they are.

    In slices of images by digest. The cursor holds a digest of the target images, the last one whose slice is done and,
    in the slice in hand, the image and the id of the last caption that was read. Where other images are targets by now,
    it starts again. It reads captions that were added during the run at its end: a page with one of them shows nothing.
    """
    project = ledger.run.project
    images = list(target_images(project=project).values_list("digest", "id"))
    _begin(ledger, [digest for digest, _ in images])
    is_late = only_new or "late" in ledger.cursor
    n_left = _unread(project).count() if is_late else shown_captions(project=project).count()
    ledger.set_total(n_left + (ledger.run.done if is_late else 0), models_used=dict(models_used))
    if not is_late:
        _suggest_in_slices(ledger, images, parse, only_new=False)
    _suggest_for_late_ones(ledger, images, parse)


def _suggest_for_late_ones(ledger: Ledger, images: Sequence[tuple[str, int]], parse: Parse) -> None:
    project = ledger.run.project
    if "late" not in ledger.cursor:
        with ledger.step() as step:
            step.cursor = {"targets": step.cursor["targets"], "late": True}
    unread = set(_unread(project).values_list("image", flat=True))
    if unread:
        ledger.set_total(ledger.run.done + _unread(project).count())
        _suggest_in_slices(ledger, [image for image in images if image[1] in unread], parse, only_new=True)


def _unread(project: Project) -> QuerySet[Candidate]:
    return shown_captions(project=project).filter(UNREAD)


def _suggest_in_slices(ledger: Ledger, images: Sequence[tuple[str, int]], parse: Parse, *, only_new: bool) -> None:
    first = bisect_right([digest for digest, _ in images], ledger.cursor.get("image", ""))
    for start in range(first, len(images), IMAGES_AT_ONCE):
        some = images[start : start + IMAGES_AT_ONCE]
        _suggest_for_images(ledger, [image_id for _, image_id in some], parse, only_new=only_new)
        with ledger.step() as step:
            step.cursor = {name: value for name, value in step.cursor.items() if name != "caption"}
            step.cursor["image"] = some[-1][0]


def _begin(ledger: Ledger, digests: Sequence[str]) -> None:
    targets = hashlib.sha256("\n".join(digests).encode()).hexdigest()
    if ledger.cursor.get("targets") != targets:
        with ledger.step() as step:
            step.start_over(ledger.run)
            step.cursor = {"targets": targets}


def _suggest_for_images(ledger: Ledger, image_ids: Sequence[int], parse: Parse, *, only_new: bool) -> None:
    last = tuple(ledger.cursor.get("caption", ("", 0)))
    rows = Candidate.objects.filter(image__in=image_ids, status=CandidateStatus.KEPT, query=None)
    rows = (rows.filter(UNREAD) if only_new else rows).order_by("image__digest", "id")
    places = [place for place in rows.values_list("image__digest", "id") if place > last]
    for start in range(0, len(places), CAPTIONS_AT_ONCE):
        some = places[start : start + CAPTIONS_AT_ONCE]
        _suggest_for_captions(ledger, _read([pk for _, pk in some]), parse, up_to=some[-1])


def _suggest_for_captions(ledger: Ledger, captions: Sequence[Caption], parse: Parse, up_to: tuple[str, int]) -> None:
    # Parsed outside the transaction: what is cleaned anew meanwhile is left out by the digest of its text.
    found = list(zip(captions, parse([one.text for one in captions]), strict=True))
    suggested = {caption.id: suggestions_of(caption.text, parsed) for caption, parsed in found}
    with ledger.step() as step:
        step.refuse(ledger.run, list(_refusals(found, suggested)))
        _count(step, suggested)
        write_suggestions({one.id: _rows(one.text, suggested[one.id]) for one in captions})
        _note_looked_at(captions)
        step.cursor["caption"], step.done = list(up_to), len(captions)


def _read(ids: Sequence[int]) -> list[Caption]:
    """Those of them that are kept still."""
    kept = Candidate.objects.filter(pk__in=ids, status=CandidateStatus.KEPT).order_by("id")
    return list(map(Caption._make, kept.values_list("id", "key", "text")))


def suggestions_of(text: str, parsed: Parsed) -> tuple[Suggestion, ...]:
    """What is suggested for a text; nothing for one that could not be parsed."""
    return () if parsed.problem else suggest_edits(text, words=parsed.tokens, names=parsed.entities)


def _refusals(
    found: Iterable[tuple[Caption, Parsed]], suggested: Mapping[int, Sequence[Suggestion]]
) -> Iterator[Refusal]:
    """One for each caption that could not be parsed, or whose suggestions are not all kept."""
    for caption, parsed in found:
        n = len(suggested[caption.id])
        if parsed.problem:
            yield Refusal(name=caption.key, code="not_parsed", message=parsed.problem)
        elif n > MOST:
            yield Refusal(name=caption.key, code="too_many", message=TOO_MANY.format(most=MOST, n=n))


def _count(step: Step, suggested: Mapping[int, Sequence[Suggestion]]) -> None:
    """In: captions. Out: those with a suggestion. And the suggestions by kind."""
    kinds = Counter(one.kind for found in suggested.values() for one in found[:MOST])
    step.counts.update({"in": len(suggested), "out": sum(map(bool, suggested.values()))} | kinds)


def _rows(text: str, suggestions: Sequence[Suggestion]) -> list[Row]:
    digest = text_digest(text)
    return [(one.start, one.end, one.kind, one.before, list(one.options), digest) for one in suggestions[:MOST]]


def _note_looked_at(captions: Sequence[Caption]) -> None:
    """That these texts were looked into, whatever was found; one that changed meanwhile keeps another digest."""
    rows = [Candidate(pk=one.id, suggested_digest=text_digest(one.text)) for one in captions]
    Candidate.objects.bulk_update(rows, ["suggested_digest"], batch_size=500)


COLUMNS = ("start", "end", "kind", "before", "options", "text_digest")


def write_suggestions(wanted: Mapping[int, Sequence[Row]]) -> None:
    """Let each of these candidates have exactly these suggestions; those that stand so already are not touched."""
    missing = {(owner, place): row for owner, rows in wanted.items() for place, row in enumerate(rows)}
    gone: list[int] = []
    standing = SuggestedEdit.objects.filter(candidate__in=wanted).order_by()
    for pk, owner, place, *row in standing.values_list("id", "candidate_id", "position", *COLUMNS):
        if missing.get((owner, place)) == tuple(row):
            del missing[owner, place]
        else:
            gone.append(pk)
    SuggestedEdit.objects.filter(pk__in=gone).delete()
    SuggestedEdit.objects.bulk_create(map(_as_suggested_edit, missing, missing.values()), batch_size=1_000)


def _as_suggested_edit(place: tuple[int, int], row: Row) -> SuggestedEdit:
    fields: dict[str, Any] = dict(zip(COLUMNS, row, strict=True))
    return SuggestedEdit(candidate_id=place[0], position=place[1], **fields)
