"""Taking part in a survey without an account.

A participant is found by the id in their cookie, or by their single-use link. The lock on the survey's row makes sure
that no two people get the last place.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from backend.common.errors import Gone, NotFound
from backend.methods.surveys import deal, interleave
from backend.people.services import digest_of
from backend.surveys.models import HOLDS, ClosedBy, Participant, Survey, SurveyAnswer, SurveyLink
from backend.surveys.selectors import closed_by, most_of, next_number, places_taken, times_dealt

TOKEN = re.compile(r"[A-Za-z0-9_-]{16,64}")
MAY_CORRECT = timedelta(minutes=10)  # after the last answer
SURE = timedelta(minutes=1)  # so long before a place could be lost, nobody else can take it meanwhile


class NoSuchSurvey(NotFound):
    """This link leads to no survey. Check that you copied the whole link."""

    code = "no_such_survey"


class SurveyNotOpenYet(Gone):
    """This survey is not open yet. Try again later."""

    code = "survey_not_open_yet"


class SurveyClosed(Gone):
    """This survey is closed. Thank you for your interest."""

    code = "survey_closed"


class SurveyFull(Gone):
    """All places of this survey are taken. Thank you for your interest."""

    code = "survey_full"


class AlreadyFinished(Gone):
    """You finished this survey already. Thank you."""

    code = "survey_finished"


class NotTakingPart(NotFound):
    """You have not started this survey in this browser. Open your link again."""

    code = "not_taking_part"


@dataclass(frozen=True)
class Door:
    """What a link leads to; `link` where it is a single-use one."""

    survey: Survey
    link: SurveyLink | None

    def participant(self, participant_id: UUID | None) -> Participant | None:
        """Who holds this link or this cookie. With a single-use link the cookie counts for nothing."""
        if self.link is not None:
            return self.link.participant
        if participant_id is None:
            return None
        return Participant.objects.filter(survey=self.survey, pk=participant_id).first()


def find_door(token: str) -> Door:
    """Raises NoSuchSurvey."""
    if not TOKEN.fullmatch(token):
        raise NoSuchSurvey()
    survey = Survey.objects.filter(token=token, has_link=True).first()
    if survey is not None:
        return Door(survey, None)
    links = SurveyLink.objects.select_related("survey", "participant")
    if (link := links.filter(digest=digest_of(token)).first()) is not None:
        return Door(link.survey, link)
    raise NoSuchSurvey()


def check_open(survey: Survey) -> None:
    """Raises SurveyNotOpenYet, SurveyClosed, or SurveyFull where enough people finished."""
    if survey.opened_at is None:
        raise SurveyNotOpenYet()
    if (reason := closed_by(survey)) is not None:
        raise SurveyFull() if reason == ClosedBy.NUMBER else SurveyClosed()


def check_room(survey: Survey) -> None:
    """Raises SurveyFull where others hold all places."""
    if places_taken(survey).count() >= most_of(survey):
        raise SurveyFull()


@transaction.atomic
def join(*, token: str, start_key: UUID, participant_id: UUID | None) -> Participant:
    """Make a participant who agreed, and deal their pairs; the same one where they agreed before.

    Raises NoSuchSurvey, SurveyNotOpenYet, SurveyClosed or SurveyFull.
    """
    survey = Survey.objects.select_for_update().get(pk=find_door(token).survey.pk)
    door = find_door(token)  # again: another request may have used the link while this one waited
    known = door.participant(participant_id)
    if known is None and door.link is None:
        known = Participant.objects.filter(survey=survey, start_key=start_key).first()
    if known is not None:
        return known
    check_open(survey)
    check_room(survey)
    made = Participant.objects.create(
        survey=survey, number=next_number(survey), start_key=start_key, seen_at=timezone.now()
    )
    _deal(survey, made)
    if door.link is not None:
        SurveyLink.objects.filter(pk=door.link.pk).update(participant=made)
    return made


def _deal(survey: Survey, participant: Participant) -> None:
    generator = random.Random(f"{survey.seed}:survey:{participant.number}")
    places = _by_position(survey)
    pairs = deal(_dealt(survey, places, is_distractor=False), survey.pairs_each, generator)
    distractors = deal(_dealt(survey, places, is_distractor=True), survey.distractors_each, generator)
    series = [places[place] for place in interleave(pairs, distractors, generator)]
    SurveyAnswer.objects.bulk_create(
        SurveyAnswer(participant=participant, item_id=item, position=position)
        for position, item in enumerate(series, start=1)
    )


def _by_position(survey: Survey) -> dict[int, int]:
    """Item ids by a number that is the same on every database: pairs count up from 1, distractors down from -1."""
    rows = survey.items.values_list("is_distractor", "position", "pk")
    return {-position if is_distractor else position: pk for is_distractor, position, pk in rows}


def _dealt(survey: Survey, places: dict[int, int], *, is_distractor: bool) -> dict[int, int]:
    counts = times_dealt(survey=survey, is_distractor=is_distractor)
    return {place: counts[pk] for place, pk in places.items() if (place < 0) == is_distractor}


@transaction.atomic
def give_answer(*, participant: Participant, number: int, answer: str, ms: int | None) -> Participant:
    """Keep the answer to the participant's pair `number`; sent twice, it is kept once. The last one finishes.

    Raises NotFound, SurveyClosed, SurveyFull where the place was lost meanwhile, or AlreadyFinished.
    """
    survey = _survey_of(participant)
    mine = Participant.objects.select_for_update().get(pk=participant.pk)
    _check_may_answer(survey, mine)
    row = SurveyAnswer.objects.filter(participant=mine, position=number).first()
    if row is None:
        raise NotFound()
    now = timezone.now()
    SurveyAnswer.objects.filter(pk=row.pk).update(answer=answer, ms=ms, answered_at=now)
    if mine.finished_at is None:
        mine.seen_at = now
        if not SurveyAnswer.objects.filter(participant=mine, answer="").exists():
            mine.finished_at = now
        mine.save(update_fields=["seen_at", "finished_at"])
    return mine


def _survey_of(participant: Participant) -> Survey:
    """The participant's survey; locked where their place may go to another person."""
    surveys = Survey.objects.all()
    if participant.finished_at is None and participant.seen_at < timezone.now() - HOLDS + SURE:
        surveys = surveys.select_for_update()
    return surveys.get(pk=participant.survey_id)


def _check_may_answer(survey: Survey, mine: Participant) -> None:
    if mine.finished_at is not None:
        if mine.finished_at < timezone.now() - MAY_CORRECT or survey.closed_at or survey.is_past:
            raise AlreadyFinished()
        return
    check_open(survey)
    if not mine.holds_place:
        check_room(survey)
