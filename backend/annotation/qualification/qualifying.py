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

from backend.annotation.locks import lock_standing, lock_terms
from backend.annotation.models import Qualification, Standing
from backend.common.errors import Conflict, Stale
from backend.methods.said import Said
from backend.people.models import User
from backend.projects.models import Project

READ_FIRST = Said("read_first", "Read the guidelines before you start.")
READ_AGAIN = Said("read_again", "The guidelines changed. Read them again before you continue.")
PASS_FIRST = Said("pass_first", "Pass the quiz before you start.")
PASS_AGAIN = Said("pass_again", "Your quiz result is not valid any more. Pass the quiz again.")
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


class GuidelinesChanged(Conflict):
    """The guidelines changed while you read them. Read the new version."""

    code = "guidelines_changed"


def why_not_qualified(*, standing: Standing, project: Project) -> Said | None:
    """What keeps this person from beginning, as a sentence for the person. None where nothing does.

    Asks the database nothing where `project`, or the standing's own, was read with select_related("qualification").
    """
    terms = terms_of(project=_read_with_terms(standing, project))
    if terms is None:
        return None
    return why_guidelines(standing=standing, project=project, terms=terms) or why_quiz(standing=standing, terms=terms)


def terms_of(*, project: Project) -> Qualification | None:
    """The project's terms; None where nobody set any. Read once for each object `project`."""
    try:
        return project.qualification
    except Qualification.DoesNotExist:
        return None


def why_guidelines(*, standing: Standing, project: Project, terms: Qualification) -> Said | None:
    """Why the guidelines are to be read, or None. Where nothing is written, nothing needs reading."""
    if not terms.asks_guidelines or not has_guidelines(project):
        return None
    if standing.guidelines_digest == guidelines_digest(project):
        return None
    return READ_AGAIN if standing.guidelines_digest else READ_FIRST


def why_quiz(*, standing: Standing, terms: Qualification) -> Said | None:
    """Why the quiz is to be passed, or None."""
    if not terms.n_questions or pass_holds(standing=standing, terms=terms):
        return None
    return PASS_AGAIN if standing.quiz_passed_at else PASS_FIRST


def pass_holds(*, standing: Standing, terms: Qualification) -> bool:
    """Whether this person's last pass of the quiz is good today."""
    passed = standing.quiz_passed_at
    return passed is not None and passed > good_after(terms)


def good_after(terms: Qualification | None) -> datetime:
    """A pass of the quiz is good today if it is of after this moment."""
    found = [LONG_AGO]
    if terms and terms.passes_since:
        found.append(terms.passes_since - timedelta(microseconds=1))  # a pass of that very moment holds
    if terms and terms.valid_days is not None:
        found.append(timezone.now() - timedelta(days=terms.valid_days))
    return max(found)


def holds_until(*, standing: Standing, terms: Qualification) -> datetime | None:
    """When the pass runs out; None for never, and where there is none."""
    if standing.quiz_passed_at is None or terms.valid_days is None:
        return None
    return standing.quiz_passed_at + timedelta(days=terms.valid_days)


def has_guidelines(project: Project) -> bool:
    """Whether there is anything to read: a text, or examples."""
    return bool(project.guidelines or project.examples_digest)


def guidelines_digest(project: Project) -> str:
    """SHA-256 of the guidelines' text, followed by the digest of its examples where there are any; hex."""
    return hashlib.sha256((project.guidelines + project.examples_digest).encode()).hexdigest()


def standing_of(*, project: Project, user: User) -> Standing:
    """How the person stands, for reading; where they have not begun, a row that is not stored."""
    found = Standing.objects.filter(project=project, user=user).first()
    return found or Standing(project=project, user=user)


@transaction.atomic
def read_guidelines(*, project: Project, user: User, digest: str) -> Standing:
    """Note that the person read the guidelines whose digest this is. Raises GuidelinesChanged where others stand."""
    if digest != guidelines_digest(project):
        raise GuidelinesChanged(details={"guidelines_digest": guidelines_digest(project)})
    standing = lock_standing(project=project, annotator=user)
    standing.guidelines_digest, standing.guidelines_read = digest, project.version
    standing.save(update_fields=["guidelines_digest", "guidelines_read"])
    return standing


@transaction.atomic
def set_terms(*, project: Project, version: int, passes_anew: bool, changes: dict[str, Any]) -> Qualification:
    """Set the terms that were read at `version`, 0 where there were none; with `passes_anew` no earlier pass holds.

    Raises Stale where somebody was faster.
    """
    lock_terms(project)  # first: who is at the quiz just now passes before the moment that is noted
    if passes_anew:
        changes = {**changes, "passes_since": timezone.now()}
    if version == 0:
        return _first_terms(project, changes)
    read = Qualification.objects.filter(project=project, version=version)
    if not read.update(version=F("version") + 1, **changes):
        raise _stale(project)
    return Qualification.objects.get(project=project)


def _first_terms(project: Project, changes: dict[str, Any]) -> Qualification:
    try:
        with transaction.atomic():
            return Qualification.objects.create(project=project, **changes)
    except IntegrityError as error:
        raise _stale(project) from error


def _stale(project: Project) -> Stale:
    return Stale(details={"version": getattr(terms_of(project=Project.objects.get(pk=project.pk)), "version", 0)})


def _read_with_terms(standing: Standing, project: Project) -> Project:
    """Whichever of the two objects has the terms at hand."""
    if not Project.qualification.is_cached(project) and Standing.project.is_cached(standing):
        return standing.project
    return project
