"""Controls made, taken out, put back and deleted by people.

A control and an ordinary pair never are the same candidate: an ordinary item of a HIT cannot become a control. Making a
control and building HITs both lock the project, so neither misses what the other is about to write.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from backend.annotation.locks import lock_annotator_states, lock_hits
from backend.annotation.models import Assignment, Hit, HitItem, Slot
from backend.candidates.models import Candidate, CandidateStatus
from backend.candidates.services import InHit
from backend.catalogue.models import Image, Query
from backend.common.errors import Conflict, InvalidInput
from backend.common.labels import Label
from backend.controls.audit import recount_controls
from backend.controls.pool import MADE, ControlWords, PairPool
from backend.people.models import RightsAction, User
from backend.people.records import record
from backend.projects.models import Direction, Project
from backend.projects.services import lock_project
from backend.qualification.models import Control, ControlNews, ControlOrigin, ControlState, QuizAttempt
from backend.qualification.selectors import ShownPairs, shown_pairs
from backend.qualification.services import refuse_shown

OUT_BY_HAND: dict[str, str] = {
    ControlState.RETIRED: ControlNews.RETIRED,
    ControlState.QUARANTINED: ControlNews.WRONG,
}
MOST_ACCEPTED = 2
LONGEST_EXPLANATION = 500


class AlreadyControl(Conflict):
    """This pair is already a test question. Change it, or choose another pair."""

    code = "already_control"


class AlreadyMet(Conflict):
    """An annotator already saw this test question. Retire it instead."""

    code = "already_met"


class AlreadyDealt(Conflict):
    """A task with this test question is already in work. Retire the test question instead."""

    code = "already_dealt"


class OutAlready(Conflict):
    """This test question is in quarantine. Put it back in use before you retire it."""

    code = "out_already"


@dataclass(frozen=True)
class KnownAnswer:
    """What is right for a control, and why. Raises InvalidInput for answers that grade nobody."""

    accepted: tuple[str, ...]
    explanation: str = ""
    is_quiz: bool = False

    def __post_init__(self) -> None:
        if unknown := sorted(set(self.accepted) - set(Label.values)):
            raise InvalidInput(
                '"{label}" is not an answer. Choose from: {labels}.',
                code="unknown_label",
                params={"label": unknown[0], "labels": ", ".join(Label.values)},
            )
        if not 1 <= len(set(self.accepted)) <= MOST_ACCEPTED or set(self.accepted) == {Label.UNSURE}:
            raise InvalidInput(
                "Choose good or bad, alone or with one other answer. Unsure alone tests nobody.",
                code="accept_good_or_bad",
            )
        if len(self.explanation) > LONGEST_EXPLANATION:
            raise InvalidInput(
                "The explanation has more than {most} characters. Shorten it.",
                code="explanation_too_long",
                params={"most": LONGEST_EXPLANATION},
            )


def make_control(*, image: Image, of: Candidate | Query | str, answer: KnownAnswer, made_by: User | None) -> Control:
    """Take a pair out of the dataset and hide it among others: a pair `of` the image, or its pair with a query or text.

    The pair is made if it is missing. Raises InHit, AlreadyControl, ControlIsExample, SaidElsewhere, and InvalidInput
    if the text cannot be read, or the pair is not kept or of the other direction.
    """
    is_of_query = isinstance(of, Query) or (isinstance(of, Candidate) and of.query_id is not None)
    words = ControlWords(image.project)
    if not is_of_query:
        words.read()  # takes long with many controls, so most of it before the project is locked
    with transaction.atomic():
        project = lock_project(image.project)
        check_direction(project, is_of_query=is_of_query)
        if not is_of_query:
            words.read()
        if isinstance(of, Candidate):
            pair = Candidate.objects.select_related("control").get(pk=of.pk)
        elif isinstance(of, Query):
            pair = PairPool(project, [image], [of.text]).pair_of_query(image, of.text)
        else:
            pair = PairPool(project, [image]).pair_of_text(image, of)
        made = control_of(pair, shown=shown_pairs([image.pk]), words=words, answer=answer, made_by=made_by)
        write_controls([made])
        action = RightsAction.QUIZ_ITEM_MADE if made.is_quiz else RightsAction.CONTROL_MADE
        record(action, by=made_by, project=project, after=_name_of(made) | {"accepted": made.accepted})
    return made


def control_of(
    pair: Candidate, *, shown: ShownPairs, words: ControlWords, answer: KnownAnswer, made_by: User | None,
    origin: ControlOrigin = ControlOrigin.PERSON,
) -> Control:  # fmt: skip
    """The control that a pair becomes, neither stored yet. `pair` was read with its `control`.

    `shown` are the pairs of its image in the guidelines. Raises as `make_control`.
    """
    if pair.pk is not None and not hasattr(pair, "control") and pair.hit_items.all():
        raise InHit("This pair is in a task already, so it cannot become a test question.", code="pair_in_task")
    if (standing := standing_of(pair)) is not None:
        raise AlreadyControl(details={"control": standing.pk})
    if pair.status != CandidateStatus.KEPT:
        raise InvalidInput("Only a kept pair can become a test question. Restore the pair first.", code="pair_not_kept")
    refuse_shown(pair, shown)
    words.add(pair, is_quiz=answer.is_quiz)
    return Control(
        project_id=pair.project_id,
        candidate=pair,
        accepted=[label for label in Label.values if label in answer.accepted],
        is_quiz=answer.is_quiz,
        explanation=answer.explanation,
        origin=origin,
        created_by=made_by,
    )


def standing_of(pair: Candidate) -> Control | None:
    """The control that a pair is already, or is about to become."""
    return getattr(pair, "control", None)


def write_controls(controls: Sequence[Control]) -> None:
    """Store them, with those of their pairs and queries that are new: three statements at most for each thousand."""
    pairs = [control.candidate for control in controls if control.candidate.pk is None]
    queries = [pair.query for pair in pairs if pair.query is not None]
    new = {query.text: query for query in queries if query.pk is None}
    Query.objects.bulk_create(new.values(), batch_size=1000)
    Candidate.objects.bulk_create(pairs, batch_size=1000)
    Control.objects.bulk_create(controls, batch_size=1000)


@transaction.atomic
def change_control(
    *,
    control: Control,
    state: ControlState | None = None,
    reason: str = "",
    explanation: str | None = None,
    by: User | None = None,
) -> Control:
    """Retire a control, quarantine it, put it back in use, or say better why its answer is right.

    A retired control keeps its grades, and new HITs do not get it. One in quarantine counts for nobody, and all scores
    are counted again; the active policy may then let people back in. The audit does not quarantine again what a person
    put back. Raises OutAlready if one in quarantine would be retired: its grades would count again.
    """
    lock_annotator_states(control.project)
    held = Control.objects.select_for_update(of=("self",), no_key=True).select_related("project").get(pk=control.pk)
    was = held.state
    if (was, state) == (ControlState.QUARANTINED, ControlState.RETIRED):
        raise OutAlready()
    before = {"state": was, "reason": held.state_detail, "explanation": held.explanation}
    held.explanation = held.explanation if explanation is None else explanation
    if state and state != was:
        held.state, held.state_params = state, {}
        held.state_code = OUT_BY_HAND.get(state, ControlNews.PUT_BACK)
        held.state_detail = reason if state in OUT_BY_HAND else ""
    held.save(update_fields=["state", "state_code", "state_params", "state_detail", "explanation"])
    after = {"state": held.state, "reason": held.state_detail, "explanation": held.explanation}
    changed = [name for name in after if before[name] != after[name]]
    if changed:
        action = RightsAction.QUIZ_ITEM_CHANGED if held.is_quiz else RightsAction.CONTROL_CHANGED
        told = [_name_of(held) | {name: side[name] for name in changed} for side in (before, after)]
        record(action, by=by, project=held.project, before=told[0], after=told[1])
    if ControlState.QUARANTINED in (was, held.state) and was != held.state:
        recount_controls(held.project)
    return held


@transaction.atomic
def delete_control(*, control: Control, by: User | None = None) -> None:
    """Forget a control that nobody met. A pair written for it goes too; one of the pool becomes an ordinary pair again.

    It goes out of the HITs that nobody began. Raises AlreadyMet, and AlreadyDealt where somebody began one with it.
    """
    lock_project(control.project)
    hits = Hit.objects.filter(items__control=control)
    lock_hits(sorted({hit.first_id for hit in hits}))
    # Nobody begins one of them from here on.
    list(Slot.objects.filter(hit__in=hits).order_by("pk").select_for_update().values_list("pk"))
    asked = QuizAttempt.objects.filter(project=control.project_id).values_list("questions", flat=True)
    is_asked = control.is_quiz and any(control.candidate_id in questions for questions in asked.iterator())
    if is_asked or control.judgments.exists():
        raise AlreadyMet()
    if Assignment.objects.filter(hit__in=hits).exists():
        raise AlreadyDealt()
    candidate = control.candidate
    action = RightsAction.QUIZ_ITEM_DELETED if control.is_quiz else RightsAction.CONTROL_DELETED
    record(action, by=by, project=control.project, before=_name_of(control) | {"accepted": control.accepted})
    HitItem.objects.filter(control=control).delete()
    Hit.objects.filter(project=control.project_id, part=None, items=None).delete()
    is_made = candidate.source_ref == MADE or control.origin == ControlOrigin.OTHER_IMAGE
    control.delete()
    if is_made:
        candidate.delete()


def check_direction(project: Project, *, is_of_query: bool) -> None:
    """Raises InvalidInput if the project's HITs show the other side."""
    wants_query = project.direction == Direction.IMAGES_OF_A_QUERY
    if wants_query and not is_of_query:
        raise InvalidInput("The tasks of this project show images of a query. Choose a query.", code="wants_query")
    if is_of_query and not wants_query:
        raise InvalidInput(
            "The tasks of this project show captions of an image. Write a caption.", code="wants_caption"
        )


def _name_of(control: Control) -> dict[str, Any]:
    """How the history of the project names it, also after it is deleted."""
    return {"image": control.candidate.image.key, "text": control.candidate.text}
