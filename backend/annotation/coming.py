"""Who can still come for a page: a member of the project who can sign in, and whom nothing keeps from another HIT.

Imported workers have standings, and so have people who left: whoever counts on them waits for ever. Guidelines that
changed keep nobody away, as reading them again is a matter of minutes; a quiz is, since it may be failed.
"""

from __future__ import annotations

from typing import Any

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from backend.annotation.models import WORKING, Assignment, AssignmentStatus, Standing
from backend.annotation.qualification.qualifying import good_after, terms_of
from backend.projects.models import Project


def list_able(*, project: Project) -> QuerySet[Standing]:
    """Standings of those who can still come; who never began anything has none."""
    return standings_of_able(project=project.pk, good_after=good_after(terms_of(project=project)))


def standings_of_able(*, project: Any, good_after: Any) -> QuerySet[Standing]:
    """The same for a statement that is compiled: a pass of the quiz holds where it is of after `good_after`.

    Memberships are joined, not asked for row by row: there may be few among the standings of thousands who were
    imported, and the database begins with whichever are fewer.
    """
    terms = "project__qualification"
    passed = Q(**{terms: None}) | Q(**{f"{terms}__n_questions": 0}) | Q(quiz_passed_at__gt=good_after)
    members = {"user__memberships__project": project, "user__is_active": True}
    standings = Standing.objects.filter(passed, _has_turns_left(), project=project, state__in=WORKING, **members)
    return standings.order_by()


def _has_turns_left() -> Q:
    """As `standings.is_capped`: what they submitted and hold is less than one person may do."""
    held = Assignment.objects.filter(
        annotator=OuterRef("user"), project=OuterRef("project"), status=AssignmentStatus.LEASED
    )
    n_held = Coalesce(Subquery(held.order_by().values("annotator").annotate(n=Count("pk")).values("n")), 0)
    most = "project__hits_per_annotator"
    return Q(**{most: None}) | Q(**{f"{most}__gt": F("n_submitted") + n_held})
