"""A person pins a caption or bans it, and asks for more captions for the images that have too few."""

from __future__ import annotations

from django.db import transaction

from backend.candidates.models import Candidate, CandidateStatus
from backend.catalogue.models import Image
from backend.common.errors import Conflict
from backend.common.labels import Label
from backend.curation.models import CaptionChoice, ChoiceKind, Consensus, Selection, SelectionStatus
from backend.curation.selectors import standing_choices
from backend.people.models import User
from backend.projects.models import Project
from backend.runs.models import Run, RunStatus
from backend.runs.services import start_run
from backend.runs.walk import get_stage, read_parameters

K = 5  # captions that Select chooses where it has not run yet
STEP_DOWN = 5  # hundredths that the lowest mean similarity of retrieved images goes down


class TooManyPins(Conflict):
    """This image already has {n} pinned captions, and Select chooses {k}. Remove a pin first."""

    code = "too_many_pins"


class NotGood(Conflict):
    """Only a caption with the label good can be pinned."""

    code = "pin_not_good"


class NoShortPools(Conflict):
    """Every image has enough good captions."""

    code = "no_short_pools"


@transaction.atomic
def choose_caption(*, candidate: Candidate, kind: str, reason: str, made_by: User) -> CaptionChoice:
    """Pin or ban a caption; the next Select reads it. Raises NotGood and TooManyPins."""
    Image.objects.select_for_update().get(pk=candidate.image_id)  # two pins at once are counted one after the other
    if kind == ChoiceKind.PIN:
        _refuse_pin(candidate)
    return CaptionChoice.objects.create(candidate=candidate, kind=kind, reason=reason, made_by=made_by)


def _refuse_pin(candidate: Candidate) -> None:
    is_good = Consensus.objects.filter(candidate=candidate, label=Label.GOOD).exists()
    if not is_good or candidate.status != CandidateStatus.KEPT:
        raise NotGood()
    selection = Selection.objects.filter(image=candidate.image_id).defer("places").first()
    k = selection.n_wanted if selection else K
    standing = standing_choices(images=[candidate.image_id])
    n = sum(one.kind == ChoiceKind.PIN for pk, one in standing.items() if pk != candidate.pk)
    if n >= k:
        raise TooManyPins(params={"n": n, "k": k})


@transaction.atomic
def take_back_choice(*, candidate: Candidate, made_by: User) -> None:
    """End the pin or ban of a caption, if one stands."""
    Image.objects.select_for_update().get(pk=candidate.image_id)
    newest = candidate.choices.order_by("-id").first()
    if newest and newest.kind:
        CaptionChoice.objects.create(candidate=candidate, kind="", made_by=made_by)


def ask_for_more(*, project: Project, started_by: User) -> Run:
    """Start Find captions for the images with short pools: with the settings of its last run, but twice as many images
    to find, and less similar ones. Raises NoShortPools, and what `start_run` does."""
    if not Selection.objects.filter(image__project=project, status=SelectionStatus.SHORT_POOL).exists():
        raise NoShortPools()
    stage = get_stage("retrieve")
    done = Run.objects.filter(project=project, stage="retrieve", status=RunStatus.SUCCEEDED).order_by("-finished_at")
    last = done.first()
    known = {each.name for each in stage.parameters}
    settings = read_parameters(
        stage, {name: value for name, value in last.parameters.items() if name in known} if last else {}
    )
    if last:
        settings["radius"] = 2 * int(settings["radius"])
        settings["low"] = max(0, int(settings["low"]) - STEP_DOWN)
    settings["images"] = "short_pools"
    return start_run(
        project=project,
        stage="retrieve",
        parameters=settings,
        seed=last.seed if last else 0,
        started_by=started_by,
    )
