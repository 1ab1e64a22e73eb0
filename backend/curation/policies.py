"""Other categories from the same votes: a project's rule is changed without asking a model again."""

from __future__ import annotations

from collections import Counter

import structlog
from django.db import transaction
from django.db.models import Case, F, QuerySet, Value, When
from django.db.models import Q as Where

from backend.common.errors import Conflict, InvalidInput
from backend.curation.models import Difficulty
from backend.curation.panel_reads import difficulties_of, policy_of
from backend.methods.difficulty import MAJORITY, POLICIES, cuts_of, least_models, suits
from backend.people.models import RightsAction, User
from backend.people.records import record_changes
from backend.projects.models import Project
from backend.runs.models import LIVE, Run

logger = structlog.get_logger(__name__)
CHUNK = 5000


class NothingRated(Conflict):
    """No caption has a difficulty yet. Run Difficulty first."""

    code = "nothing_rated"


class StillRating(Conflict):
    """A stage reads or changes difficulties now. Wait until it ends, then change the rule."""

    code = "still_rating"


class HalfRated(Conflict):
    """The last run of Difficulty did not finish. Run it again, then change the rule."""

    code = "half_rated"


@transaction.atomic
def change_policy(*, project: Project, policy: str, by: User) -> Counter[str]:
    """Give every rated caption the category that its stored votes make under `policy`, all or none of them.

    Unrated captions stay unrated. Returns how many captions are in each category. Raises InvalidInput on an unknown
    policy and on one that needs a larger panel; NothingRated, StillRating or HalfRated.
    """
    Project.objects.select_for_update().get(pk=project.pk)  # of two changes at once, one comes first
    _check(project, policy)
    before = policy_of(project=project)
    rows = difficulties_of(project=project)
    after = 0
    while ids := list(rows.filter(pk__gt=after).order_by("pk").values_list("pk", flat=True)[:CHUNK]):
        some = Difficulty.objects.filter(pk__gt=after, pk__lte=ids[-1], item__candidate__project=project)
        bin_votes(some, policy)
        after = ids[-1]
    record_changes(
        RightsAction.DIFFICULTY_RULE_CHANGED,
        by=by,
        project=project,
        before={"difficulty_rule": before},
        after={"difficulty_rule": policy},
    )
    logger.info("difficulty_policy_changed", project=project.slug, policy=policy, by=by.pk)
    return Counter(rows.values_list("category", flat=True))


def _check(project: Project, policy: str) -> None:
    if policy not in POLICIES:
        names = ", ".join(POLICIES)
        raise InvalidInput("Choose one of these rules: {names}.", code="unknown_policy", params={"names": names})
    if Run.objects.filter(project=project, stage__in=("difficulty", "release"), status__in=LIVE).exists():
        raise StillRating()
    rows = difficulties_of(project=project)
    if not rows.exists():
        raise NothingRated()
    if rows.filter(category="").exists():
        raise HalfRated()
    smallest = rows.order_by("n_models").values_list("n_models", flat=True).first() or 0
    if not suits(policy, smallest):
        raise InvalidInput(
            "This rule needs at least {least} models. The panel has {n}.",
            code="panel_too_small",
            params={"least": least_models(policy), "n": smallest},
        )


def bin_votes(rows: QuerySet[Difficulty], policy: str) -> None:
    """Give rated captions the category that their votes make under `policy`.

    One statement for each size of a panel; what a category needs stands in the row itself.
    """
    rows.filter(n_votes=None).update(policy=policy)
    sizes = rows.exclude(n_votes=None).order_by().values_list("n_models", flat=True).distinct()
    for n_models in filter(None, sizes):
        rows.filter(n_models=n_models).exclude(n_votes=None).update(policy=policy, category=_category(policy, n_models))


def _category(policy: str, n_models: int) -> Case:
    if policy == MAJORITY:
        is_easy = Where(n_votes__gt=n_models / 2) | Where(n_votes=n_models / 2, tie_breaker_vote=True)
        return Case(When(is_easy, then=Value("easy")), default=Value("hard"))
    held = {name: span for name, span in cuts_of(policy, n_models).items() if span}
    return Case(*(When(n_votes__range=span, then=Value(name)) for name, span in held.items()), default=F("category"))
