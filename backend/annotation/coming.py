"""Who can still come for a page: a member of the project who can sign in, and whom nothing keeps from another HIT.

Imported workers have standings, and so have people who left: whoever counts on them waits for ever. Guidelines that
changed keep nobody away, as reading them again is a matter of minutes; a quiz is, since it may be failed.
"""

from __future__ import annotations

from typing import Any

from django.db.models import F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from backend.annotation.models import WORKING, Assignment, AssignmentStatus, Qualification, QuizAttempt, Standing
from backend.annotation.qualification.answered import list_excused_of
from backend.annotation.qualification.qualifying import LONG_AGO, good_after, terms_of
from backend.common.counting import count_of
from backend.projects.models import Membership, Project, Role


def list_able(*, project: Project) -> QuerySet[Standing]:
    """Standings of those who can still come; who never began anything has none."""
    return standings_of_able(project=project.pk, good_after=good_after(terms_of(project=project)))


def standings_of_able(*, project: Any, good_after: Any) -> QuerySet[Standing]:
    """The same for a statement that is compiled: a pass of the quiz holds where it is of after `good_after`.

    Memberships are joined, not asked for row by row: there may be few among the standings of thousands who were
    imported, and the database begins with whichever are fewer.
    """
    return _standings(project, _has_passed(good_after))


def list_able_to_pass(*, project: Project) -> QuerySet[Standing]:
    """The same, and those who can come as soon as they pass the quiz again: attempts are left to them. Everybody is
    such a one from the moment a curator has asked for the quiz anew until they have passed it."""
    terms = terms_of(project=project)
    may_try = Q(project__qualification__max_attempts__gt=_n_failed(terms)) if terms else Q()
    return _standings(project.pk, _has_passed(good_after(terms)) | may_try)


def list_new(*, project: Project) -> QuerySet[Membership]:
    """Annotators who have submitted nothing yet, and are counted on: not those who used up their attempts, or were
    paused or excluded, before their first page."""
    still = list_able_to_pass(project=project).filter(n_submitted=0)
    others = Standing.objects.filter(project=project).exclude(pk__in=still.values("pk")).order_by()
    return list_members(project=project).exclude(user__in=others.values("user"))


def list_members(*, project: Project) -> QuerySet[Membership]:
    """Annotators who can sign in, whatever keeps them from a page."""
    return Membership.objects.filter(project=project, role=Role.ANNOTATOR, user__is_active=True)


def _standings(project: Any, qualified: Q) -> QuerySet[Standing]:
    members = {"user__memberships__project": project, "user__is_active": True}
    standings = Standing.objects.filter(qualified, _has_turns_left(), project=project, state__in=WORKING, **members)
    return standings.order_by()


def _has_passed(good_after: Any) -> Q:
    terms = "project__qualification"
    return Q(**{terms: None}) | Q(**{f"{terms}__n_questions": 0}) | Q(quiz_passed_at__gt=good_after)


def _n_failed(terms: Qualification) -> Coalesce:
    """As `attempts_of`: a pass, or everybody being asked anew, gives all attempts back; a wrong key costs none."""
    failed = QuizAttempt.objects.filter(project=OuterRef("project"), user=OuterRef("user"), is_passed=False)
    failed = failed.exclude(pk__in=list_excused_of(project_id=terms.project_id))
    failed = failed.filter(
        ended_at__gt=Coalesce(OuterRef("quiz_passed_at"), LONG_AGO), created_at__gte=terms.passes_since or LONG_AGO
    )
    return count_of(failed, "user")


def _has_turns_left() -> Q:
    """As `standings.is_capped`: what they submitted and hold is less than one person may do."""
    held = Assignment.objects.filter(
        annotator=OuterRef("user"), project=OuterRef("project"), status=AssignmentStatus.LEASED
    )
    most = "project__hits_per_annotator"
    return Q(**{most: None}) | Q(**{f"{most}__gt": F("n_submitted") + count_of(held, "annotator")})
