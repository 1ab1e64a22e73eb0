"""Who may begin: the guidelines read as they stand, and the quiz passed under the terms in force.

Guidelines are told by the digest of their text and their examples, so that a change of another setting asks nobody to
read them again, and a text that is put back counts as read by whoever read it.

A pass stays a pass when the terms change: a higher pass mark or other questions hold for attempts that begin later. A
curator who wants everybody to pass anew says so with the change (`passes_since`). How long a pass holds is what the
terms in force say, counted from when it was passed, for passes of the past too.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from backend.annotation.locks import lock_annotator_state, lock_terms
from backend.annotation.models import AnnotatorState, Qualification
from backend.common.errors import Conflict, Stale
from backend.methods.said import Said
from backend.people.models import RightsAction, User
from backend.people.records import record_changes
from backend.projects.models import Project

READ_FIRST = Said("read_first", "Read the guidelines before you start.")
READ_AGAIN = Said("read_again", "The guidelines changed. Read them again before you continue.")
PASS_FIRST = Said("pass_first", "Pass the quiz before you start.")
PASS_AGAIN = Said("pass_again", "Your quiz result is not valid any more. Pass the quiz again.")
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


class GuidelinesChanged(Conflict):
    """The guidelines changed while you read them. Read the new version."""

    code = "guidelines_changed"


def why_not_qualified(*, annotator_state: AnnotatorState, project: Project) -> Said | None:
    """What keeps this person from beginning, as a sentence for the person. None where nothing does.

    No query if `project`, or the project of the annotator state, was read with select_related("qualification").
    """
    terms = terms_of(project=_read_with_terms(annotator_state, project))
    if terms is None:
        return None
    return why_guidelines(annotator_state=annotator_state, project=project, terms=terms) or why_quiz(
        annotator_state=annotator_state, terms=terms
    )


def terms_of(*, project: Project) -> Qualification | None:
    """The project's terms; None where nobody set any. Read once for each object `project`."""
    try:
        return project.qualification
    except Qualification.DoesNotExist:
        return None


def why_guidelines(*, annotator_state: AnnotatorState, project: Project, terms: Qualification) -> Said | None:
    """Why the guidelines are to be read, or None. Where nothing is written, nothing needs reading."""
    if not terms.asks_guidelines or not has_guidelines(project):
        return None
    if annotator_state.guidelines_digest == guidelines_digest(project):
        return None
    return READ_AGAIN if annotator_state.guidelines_digest else READ_FIRST


def why_quiz(*, annotator_state: AnnotatorState, terms: Qualification) -> Said | None:
    """Why the quiz is to be passed, or None."""
    if not terms.n_questions or pass_holds(annotator_state=annotator_state, terms=terms):
        return None
    return PASS_AGAIN if annotator_state.quiz_passed_at else PASS_FIRST


def pass_holds(*, annotator_state: AnnotatorState, terms: Qualification) -> bool:
    """Whether this person's last pass of the quiz is good today."""
    passed = annotator_state.quiz_passed_at
    return passed is not None and passed > good_after(terms)


def good_after(terms: Qualification | None) -> datetime:
    """A pass of the quiz is good today if it is of after this moment."""
    found = [LONG_AGO]
    if terms and terms.passes_since:
        found.append(terms.passes_since - timedelta(microseconds=1))  # a pass of that very moment holds
    if terms and terms.valid_days is not None:
        found.append(timezone.now() - timedelta(days=terms.valid_days))
    return max(found)


def holds_until(*, annotator_state: AnnotatorState, terms: Qualification) -> datetime | None:
    """When the pass runs out; None for never, and where there is none."""
    if annotator_state.quiz_passed_at is None or terms.valid_days is None:
        return None
    return annotator_state.quiz_passed_at + timedelta(days=terms.valid_days)


def has_guidelines(project: Project) -> bool:
    """Whether there is anything to read: a text, or examples."""
    return bool(project.guidelines or project.examples_digest)


def guidelines_digest(project: Project) -> str:
    """SHA-256 of the guidelines' text, followed by the digest of its examples where there are any; hex."""
    return hashlib.sha256((project.guidelines + project.examples_digest).encode()).hexdigest()


def annotator_state_of(*, project: Project, user: User) -> AnnotatorState:
    """How the person stands, for reading; where they have not begun, a row that is not stored."""
    found = AnnotatorState.objects.filter(project=project, user=user).first()
    return found or AnnotatorState(project=project, user=user)


@transaction.atomic
def read_guidelines(*, project: Project, user: User, digest: str) -> AnnotatorState:
    """Note that the person read the guidelines whose digest this is. Raises GuidelinesChanged where others stand."""
    if digest != guidelines_digest(project):
        raise GuidelinesChanged(details={"guidelines_digest": guidelines_digest(project)})
    annotator_state = lock_annotator_state(project=project, annotator=user)
    annotator_state.guidelines_digest, annotator_state.guidelines_read = digest, project.version
    annotator_state.save(update_fields=["guidelines_digest", "guidelines_read"])
    return annotator_state


@transaction.atomic
def set_terms(
    *, project: Project, version: int, passes_anew: bool, changes: dict[str, Any], by: User | None = None
) -> Qualification:
    """Set the terms that were read at `version`, 0 where there were none; with `passes_anew` no earlier pass holds.

    Raises Stale where somebody was faster.
    """
    # First: who is at the quiz just now passes before the moment that is noted.
    was = lock_terms(project) or Qualification(asks_guidelines=False)
    before = {name: getattr(was, name) for name in changes}
    anew = {"passes_since": timezone.now()} if passes_anew else {}
    if version == 0:
        terms = _first_terms(project, {**changes, **anew})
    else:
        read = Qualification.objects.filter(project=project, version=version)
        if not read.update(version=F("version") + 1, **changes, **anew):
            raise _stale(project)
        terms = Qualification.objects.get(project=project)
    after = {name: getattr(terms, name) for name in changes} | ({"passes_anew": True} if passes_anew else {})
    record_changes(RightsAction.QUIZ_CHANGED, by=by, project=project, before=before, after=after)
    return terms


def _first_terms(project: Project, changes: dict[str, Any]) -> Qualification:
    try:
        with transaction.atomic():
            return Qualification.objects.create(project=project, **changes)
    except IntegrityError as error:
        raise _stale(project) from error


def _stale(project: Project) -> Stale:
    return Stale(details={"version": getattr(terms_of(project=Project.objects.get(pk=project.pk)), "version", 0)})


def _read_with_terms(annotator_state: AnnotatorState, project: Project) -> Project:
    """Whichever of the two objects has the terms at hand."""
    if not Project.qualification.is_cached(project) and AnnotatorState.project.is_cached(annotator_state):
        return annotator_state.project
    return project
