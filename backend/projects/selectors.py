"""Which projects a person belongs to, and as what."""

from __future__ import annotations

from django.db.models import QuerySet

from backend.people.models import User
from backend.projects.models import Project


def projects_of(*, user: User) -> QuerySet[Project]:
    """The projects that `user` is a member of: the scope of every queryset in the house."""
    return Project.objects.filter(memberships__user_id=user.pk)
