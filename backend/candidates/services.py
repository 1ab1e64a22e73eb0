"""What a person does to a pool against the rules: keep what they dropped, drop what they kept, add a caption.

Each leaves a Decision, and cleaning leaves the candidate alone from then on. What stands in a HIT stays as people saw
it: its text and whether it is kept can no longer be changed.
"""

from __future__ import annotations

from django.db import transaction

from backend.candidates.cleaning import demands_of, last_cleaning
from backend.candidates.importing import MAX_BYTES, NO_TEXT
from backend.candidates.models import HUMAN, Candidate, CandidateStatus, Decision, Verdict, candidate_key
from backend.catalogue.models import Image
from backend.common.errors import Conflict, InvalidInput
from backend.methods.cleaning import (
    Dropped,
    comparison_form,
    flags_of,
    readable_text,
    repair_text,
)
from backend.people.models import User
from backend.projects.models import Project

BY_HAND = "by_hand"
LONGEST_REASON = 300


class InHit(Conflict):
    """This caption is in a task already, so you cannot change it."""

    code = "in_hit"


class IsControl(Conflict):
    """This pair is a hidden test question. Retire or delete it on the page of test questions."""

    code = "is_control"


class NotCleaned(Conflict):
    """This caption is not cleaned yet. Run Clean first."""

    code = "not_cleaned"


class AlreadyThere(Conflict):
    """This image already has this caption."""

    code = "already_there"


@transaction.atomic
def restore_candidate(*, candidate: Candidate, decided_by: User, reason: str = "") -> Candidate:
    """Keep a dropped candidate, repaired as the last cleaning repairs its source; one that is kept stays as it is.

    Raises InHit, NotCleaned, and InvalidInput where nothing is left to read or the reason is too long.
    """
    held = _hold(candidate)
    if held.status == CandidateStatus.KEPT:
        return held
    text = held.raw_text if held.query_id else _repaired(held)
    if not text:
        raise InvalidInput(
            "This caption has no text after cleaning. Write a new caption instead.",
            code="caption_cleaned_away",
        )
    held.status, held.text, held.drop_rule, held.drop_detail = CandidateStatus.KEPT, text, "", ""
    held.flags = [] if held.query_id else list(flags_of(text))
    return _decide(held, Verdict.KEEP, decided_by, reason)


@transaction.atomic
def drop_candidate(*, candidate: Candidate, decided_by: User, reason: str = "") -> Candidate:
    """Drop a candidate by hand, also one that a rule dropped, so that it stays dropped whatever the rules become.

    Raises InHit, NotCleaned, and InvalidInput where the reason is too long.
    """
    held = _hold(candidate)
    if held.drop_rule == BY_HAND:
        return held
    held.status, held.text, held.drop_rule, held.drop_detail = CandidateStatus.DROPPED, "", BY_HAND, reason
    held.flags = []
    return _decide(held, Verdict.DROP, decided_by, reason)


@transaction.atomic
def add_candidate(*, image: Image, text: str, added_by: User) -> Candidate:
    """A caption that a person wrote for this image, kept however short it is.

    Raises InvalidInput where it cannot be read or stored, AlreadyThere where the pool has one that says the same.
    """
    repaired = read_by_hand(text)
    Project.objects.select_for_update(no_key=True).get(pk=image.project_id)
    _check_new(image, text)
    key = candidate_key(digest=image.digest, source=HUMAN, raw_text=text)
    added = Candidate(project_id=image.project_id, image=image, key=key, raw_text=text, source=HUMAN)
    added.source_ref, added.text, added.status = BY_HAND, repaired, CandidateStatus.KEPT
    added.flags = list(flags_of(repaired))
    added.save(force_insert=True)
    Decision.objects.create(candidate=added, verdict=Verdict.KEEP, decided_by=added_by)
    return added


def read_by_hand(text: str) -> str:
    """A caption that a person wrote, repaired. Raises InvalidInput where it cannot be read or stored."""
    _check_storable(text)
    repaired = repair_text(text)
    if isinstance(repaired, Dropped) or not repaired:
        raise InvalidInput("This caption has no text. Write a sentence.", code="caption_empty")
    return repaired


def _hold(candidate: Candidate) -> Candidate:
    """The candidate as it stands, while neither cleaning nor the building of HITs can change it."""
    Project.objects.select_for_update(no_key=True).get(pk=candidate.project_id)
    held = Candidate.objects.select_for_update().get(pk=candidate.pk)
    if Candidate.objects.filter(pk=held.pk, control__isnull=False).exists():
        raise IsControl()
    if Candidate.objects.filter(pk=held.pk, hit_items__isnull=False).exists():
        raise InHit()
    if held.status == CandidateStatus.NEW:
        raise NotCleaned()
    return held


def _repaired(held: Candidate) -> str:
    return readable_text(demands_of(last_cleaning(held.project_id)).raw_of(held))


def _decide(held: Candidate, verdict: Verdict, decided_by: User, reason: str) -> Candidate:
    if len(reason) > LONGEST_REASON:
        raise InvalidInput(
            "The reason has more than {most} characters. Shorten it.",
            code="reason_too_long",
            params={"most": LONGEST_REASON},
        )
    held.save(update_fields=["status", "text", "drop_rule", "drop_detail", "flags"])
    Decision.objects.create(candidate=held, verdict=verdict, decided_by=decided_by, reason=reason)
    return held


def _check_storable(text: str) -> None:
    if len(text.encode("utf-8", "replace")) > MAX_BYTES:
        raise InvalidInput(
            "The caption has more than {most} bytes. Shorten it.",
            code="caption_too_long",
            params={"most": MAX_BYTES},
        )
    if NO_TEXT.search(text):
        raise InvalidInput("The caption has a character that is not valid. Type it again.", code="caption_not_text")


def _check_new(image: Image, text: str) -> None:
    """Equal to a kept caption, or the very same text from a person before. Other dropped ones may be said again."""
    form = comparison_form(text)
    same = candidate_key(digest=image.digest, source=HUMAN, raw_text=text)
    for key, status, kept in Candidate.objects.filter(image=image).values_list("key", "status", "text"):
        if status == CandidateStatus.KEPT and comparison_form(kept) == form:
            raise AlreadyThere()
        if key == same:
            raise AlreadyThere(
                "This image already has this caption, but it is dropped. Restore it instead.",
                code="caption_dropped",
            )
