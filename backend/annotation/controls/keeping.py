"""Controls made, taken out, put back and deleted by people.

A control and an ordinary pair never are the same candidate: what stands in a HIT cannot become a control, and HITs are
built without controls. Both look while holding the project, so that neither misses what the other is about to write.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction

from backend.annotation.controls.auditing import hold_standings, recount_controls
from backend.annotation.models import Control, ControlOrigin, ControlState, Label, QuizAttempt
from backend.candidates.models import QUERY, Candidate, CandidateStatus, candidate_key
from backend.candidates.queries import pair_of
from backend.candidates.services import HUMAN, InHit, read_by_hand
from backend.catalogue.models import Image, Query
from backend.common.errors import Conflict, InvalidInput
from backend.methods.cleaning import comparison_form
from backend.people.models import User
from backend.projects.models import Direction, Project

MADE = "control"  # the `source_ref` of pairs that were written to be controls
PUT_BACK = "Looked at by a person and put back in use."
RETIRED_BY_HAND = "Retired by hand."
MOST_ACCEPTED = 2
LONGEST_EXPLANATION = 500


class AlreadyControl(Conflict):
    """This pair is a control already: change that one, or name another pair."""

    code = "already_control"


class AlreadyMet(Conflict):
    """Somebody has met this control, so its answers must stay readable: retire it instead."""

    code = "already_met"


@dataclass(frozen=True)
class Answer:
    """What is right for a control, and why. Raises InvalidInput for answers that grade nobody."""

    accepted: tuple[str, ...]
    explanation: str = ""
    is_quiz: bool = False

    def __post_init__(self) -> None:
        if unknown := sorted(set(self.accepted) - set(Label.values)):
            raise InvalidInput(f"{unknown[0]!r} is no label: accept {', '.join(Label.values)}.", code="unknown_label")
        if not 1 <= len(set(self.accepted)) <= MOST_ACCEPTED or set(self.accepted) == {Label.UNSURE}:
            raise InvalidInput("Accept good or bad, alone or with one more label; unsure alone grades nobody.")
        if len(self.explanation) > LONGEST_EXPLANATION:
            raise InvalidInput(f"The explanation is longer than {LONGEST_EXPLANATION} characters: shorten it.")


def hold_project(project: Project) -> None:
    """Until this transaction ends no HIT is built in the project, nothing cleaned, and no other control made."""
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)


@transaction.atomic
def make_control(
    *, candidate: Candidate, answer: Answer, made_by: User | None, origin: ControlOrigin = ControlOrigin.PERSON
) -> Control:
    """Take a kept pair that is in no HIT out of the dataset, and hide it among others from now on.

    Raises InHit, AlreadyControl, and InvalidInput where the pair is not kept or of the other direction.
    """
    hold_project(candidate.project)
    held = Candidate.objects.select_related("project").get(pk=candidate.pk)
    if Candidate.objects.filter(pk=held.pk, hit_item__isnull=False).exists():
        raise InHit("This pair stands in a HIT, where people may have judged it: it cannot become a control any more.")
    if (standing := Control.objects.filter(candidate=held).first()) is not None:
        raise AlreadyControl(details={"control": standing.pk})
    if held.status != CandidateStatus.KEPT:
        raise InvalidInput("Only a kept pair can become a control: restore it first, or write its text anew.")
    _check_direction(held.project, is_of_query=held.query_id is not None)
    return _write(held, answer, made_by, origin)


@transaction.atomic
def make_control_of_text(
    *, image: Image, text: str, answer: Answer, made_by: User | None, origin: ControlOrigin = ControlOrigin.PERSON
) -> Control:
    """A control out of words that were written for it. A kept caption of the image that says the same becomes it.

    Raises InvalidInput where the text cannot be read or stored, else as `make_control`.
    """
    mended = read_by_hand(text)
    hold_project(image.project)
    _check_direction(image.project, is_of_query=False)
    key = candidate_key(digest=image.digest, source=HUMAN, raw_text=text)
    if (standing := _says_the_same(image, mended, key)) is not None:
        return make_control(candidate=standing, answer=answer, made_by=made_by, origin=origin)
    made = Candidate(project=image.project, image=image, key=key, raw_text=text, text=mended, source=HUMAN)
    made.source_ref, made.status = MADE, CandidateStatus.KEPT
    made.save(force_insert=True)
    return _write(made, answer, made_by, origin)


@transaction.atomic
def make_control_of_query(
    *, image: Image, query: Query, answer: Answer, made_by: User | None, origin: ControlOrigin = ControlOrigin.PERSON
) -> Control:
    """A control for a query's HITs: an image of which it is known whether it fits. Raises as `make_control`."""
    hold_project(image.project)
    _check_direction(image.project, is_of_query=True)
    key = candidate_key(digest=image.digest, source=QUERY, raw_text=query.text)
    standing = Candidate.objects.filter(image=image, key=key).select_related("project").first()
    if standing is not None:
        return make_control(candidate=standing, answer=answer, made_by=made_by, origin=origin)
    made = pair_of(query, image, source_ref=MADE)
    made.save(force_insert=True)
    return _write(made, answer, made_by, origin)


@transaction.atomic
def change_control(
    *, control: Control, state: ControlState | None = None, reason: str = "", explanation: str | None = None
) -> Control:
    """Retire a control, put it back in use, or say better why its answer is right.

    One that a person puts back is not quarantined again. Raises InvalidInput where quarantine is asked for.
    """
    if state is ControlState.QUARANTINED:
        raise InvalidInput("Controls are quarantined by their own audit: retire this one instead.")
    hold_standings(control.project)
    held = Control.objects.select_for_update(of=("self",), no_key=True).select_related("project").get(pk=control.pk)
    held.explanation = held.explanation if explanation is None else explanation
    was, held.state = held.state, state or held.state
    if held.state != was:
        held.state_detail = (reason or RETIRED_BY_HAND) if held.state == ControlState.RETIRED else PUT_BACK
    held.save(update_fields=["state", "state_detail", "explanation"])
    if ControlState.QUARANTINED in (was, held.state) and was != held.state:
        recount_controls(held.project)
    return held


@transaction.atomic
def delete_control(*, control: Control) -> None:
    """Forget a control that nobody met. A pair written for it goes too; one of the pool becomes an ordinary pair again.

    Raises AlreadyMet.
    """
    hold_project(control.project)
    hold_standings(control.project)
    list(
        Control.objects.select_for_update(of=("self",)).filter(pk=control.pk)
    )  # who is met first today has no standing
    if control.meetings.exists() or (control.is_quiz and _was_asked(control)):
        raise AlreadyMet()
    candidate = control.candidate
    is_made = candidate.source_ref == MADE or control.origin == ControlOrigin.OTHER_IMAGE
    control.delete()
    if is_made:
        candidate.delete()


def _check_direction(project: Project, *, is_of_query: bool) -> None:
    wants_query = project.direction == Direction.IMAGES_OF_A_QUERY
    if is_of_query != wants_query:
        wanted = "images of a query: name a query" if wants_query else "captions of an image: write a caption"
        raise InvalidInput(f"The HITs of this project show {wanted}.", code="wrong_direction")


def _says_the_same(image: Image, text: str, key: str) -> Candidate | None:
    """The kept caption of the image that says `text` already. Raises InvalidInput where it is there, and not kept."""
    form = comparison_form(text)
    for standing in Candidate.objects.filter(image=image, query=None).select_related("project"):
        if standing.status == CandidateStatus.KEPT and comparison_form(standing.text) == form:
            return standing
        if standing.key == key:
            raise InvalidInput("This image has this caption already, but not kept: restore it first.")
    return None


def _was_asked(control: Control) -> bool:
    """Whether a quiz has asked it. Few attempts hold few questions each, so they are read."""
    asked = QuizAttempt.objects.filter(project=control.project_id).values_list("questions", flat=True)
    return any(control.candidate_id in questions for questions in asked.iterator())


def _write(candidate: Candidate, answer: Answer, made_by: User | None, origin: ControlOrigin) -> Control:
    return Control.objects.create(
        project_id=candidate.project_id,
        candidate=candidate,
        accepted=[label for label in Label.values if label in answer.accepted],
        is_quiz=answer.is_quiz,
        explanation=answer.explanation,
        origin=origin,
        created_by=made_by,
    )
