"""Reads over queries and their pairs, for curators and head annotators."""

from __future__ import annotations

from django.db.models import Count, Q, QuerySet

from backend.candidates.models import Candidate
from backend.candidates.selectors import ORDINARY
from backend.catalogue.models import Query
from backend.common.errors import NotFound
from backend.projects.models import Project


def list_queries(*, project: Project, kind: str = "", text: str = "") -> QuerySet[Query]:
    """The project's queries, oldest first, with `n_images` and how many of these are in HITs; controls are out."""
    found = Query.objects.filter(project=project)
    found = found.filter(kind=kind) if kind else found
    found = found.filter(text__icontains=text) if text else found
    ordinary = Q(candidates__isnull=False, candidates__control=None)
    in_hits = ordinary & Q(candidates__hit_items__isnull=False)
    counts = {"n_images": Count("candidates", filter=ordinary, distinct=True)}
    counts["n_in_hits"] = Count("candidates", filter=in_hits, distinct=True)
    return found.annotate(**counts).order_by("id")


def get_query(*, project: Project, query_id: int) -> Query:
    """One query of the project as the list shows it. Raises NotFound for ids that are not in it."""
    found = list_queries(project=project).filter(pk=query_id).first()
    if found is None:
        raise NotFound()
    return found


def list_pairs(*, project: Project, query_id: int) -> QuerySet[Candidate]:
    """A query's pairs with their images, oldest first, hidden controls left out. Raises NotFound."""
    query = get_query(project=project, query_id=query_id)
    found = Candidate.objects.filter(ORDINARY, query=query).select_related("image").prefetch_related("hit_items")
    return found.order_by("id")
