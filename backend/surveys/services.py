"""Making, opening and closing a survey: for curators."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from backend.common.errors import Conflict, InvalidInput
from backend.people.models import User
from backend.people.services import digest_of
from backend.projects.models import Project
from backend.surveys.drawing import Drawn, draw, list_models
from backend.surveys.models import Survey, SurveyItem, SurveyLink, SurveyState, new_token
from backend.surveys.selectors import closed_by, most_of, state_of

LARGEST_SEED = 2**31 - 1
MOST_LINKS = 1000
# What participants agreed to and were asked does not change once the survey is open.
FIXED = {
    "title", "consent", "run_by", "model", "model_digest", "n_pairs", "pairs_each", "distractors_each",
    "distractors_from", "seed",
}  # fmt: skip


class NotADraft(Conflict):
    """The survey was opened, so its texts and pairs are fixed. Make a new survey to change them."""

    code = "survey_not_draft"


class NotOpen(Conflict):
    """The survey is not open. Open it first."""

    code = "survey_not_open"


class StillOpen(Conflict):
    """The survey is open. Close it before you delete it."""

    code = "survey_still_open"


class NoHardCaptions(InvalidInput):
    """This model scored no hard captions here. Run the stage “Difficulty” first, or choose another model."""

    code = "no_hard_captions"


class TooFewDistractors(InvalidInput):
    """There are only {n} distractors. Ask for fewer, or take them from another source."""

    code = "too_few_distractors"


def create_survey(*, project: Project, created_by: User, fields: Mapping[str, Any]) -> Survey:
    """A draft. Without a model, the one with the most hard captions; without a seed, a random one.

    Raises NoHardCaptions where the model scored none.
    """
    made = Survey(project=project, created_by=created_by, **{"seed": secrets.randbelow(LARGEST_SEED), **fields})
    _choose_model(made)
    made.save()
    return made


@transaction.atomic
def change_survey(*, survey: Survey, fields: Mapping[str, Any]) -> None:
    """Change a draft, or the limits and rules of a survey that was opened.

    Raises NotADraft for what is fixed once it was opened, and NoHardCaptions.
    """
    held = _hold(survey)
    changed = {name: value for name, value in fields.items() if getattr(held, name) != value}
    if held.opened_at is not None and FIXED.intersection(changed):
        raise NotADraft()
    for name, value in changed.items():
        setattr(held, name, value)
    if "model" in changed:
        held.model_digest = changed.get("model_digest", "")
    if {"model", "model_digest"}.intersection(changed):
        _choose_model(held)
    held.save()


def _choose_model(survey: Survey) -> None:
    """Fill in name and digest of the model, and check that it has scores."""
    found = list_models(project=survey.project)
    fitting = [
        each
        for each in found
        if survey.model in ("", each.name) and survey.model_digest in ("", each.digest)
    ]  # fmt: skip
    if not fitting:
        raise NoHardCaptions()
    best = max(fitting, key=lambda each: (each.n_hard, each.name))
    survey.model, survey.model_digest = best.name, best.digest


@transaction.atomic
def open_survey(*, survey: Survey) -> None:
    """Store the pairs as they are now and let participants in. Opening it twice changes nothing.

    Raises NoHardCaptions, TooFewDistractors, and NotOpen where its closing date has passed.
    """
    held = _hold(survey)
    if held.opened_at is not None:
        return
    if held.is_past:
        raise NotOpen("The closing date has passed. Choose a later one.", code="survey_date_passed")
    SurveyItem.objects.bulk_create(_check(held, draw(held)), batch_size=500)
    held.opened_at = timezone.now()
    held.save(update_fields=["opened_at"])


def _check(survey: Survey, drawn: Drawn) -> list[SurveyItem]:
    if not drawn.pairs:
        raise NoHardCaptions()
    if len(drawn.distractors) < survey.distractors_each:
        raise TooFewDistractors(params={"n": len(drawn.distractors)})
    return [*drawn.pairs, *drawn.distractors]


@transaction.atomic
def close_survey(*, survey: Survey) -> None:
    """Let nobody answer any more. Closing it twice changes nothing. Raises NotOpen for a draft."""
    held = _hold(survey)
    if held.opened_at is None:
        raise NotOpen()
    if held.closed_at is None:
        held.closed_at = timezone.now()
        held.save(update_fields=["closed_at"])


@transaction.atomic
def delete_survey(*, survey: Survey) -> None:
    """Delete a survey with all answers. Raises StillOpen."""
    held = _hold(survey)
    if state_of(held) == SurveyState.OPEN:
        raise StillOpen()
    held.delete()


def renew_link(*, survey: Survey) -> None:
    """A new link for all. The old one stops working; participants who began with it need the new one to go on."""
    Survey.objects.filter(pk=survey.pk).update(token=new_token())


@transaction.atomic
def make_links(*, survey: Survey, n: int) -> list[str]:
    """Tokens of `n` single-use links, which are kept nowhere. Raises NotOpen once the survey is closed, InvalidInput
    where there would be more links than participants."""
    held = _hold(survey)
    if closed_by(held):
        raise NotOpen()
    n_left = most_of(held) - held.links.count()
    if n > n_left:
        raise InvalidInput(
            "The survey has fewer places than links. Make at most {n} links.",
            code="too_many_links",
            params={"n": n_left},
            field="n",
        )
    tokens = [new_token() for _ in range(n)]
    SurveyLink.objects.bulk_create(SurveyLink(survey=held, digest=digest_of(token)) for token in tokens)
    return tokens


def _hold(survey: Survey) -> Survey:
    """The survey as it is now, locked."""
    return Survey.objects.select_for_update().get(pk=survey.pk)
