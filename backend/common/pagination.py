"""Keyset pages `{next, previous, results}`: the millionth row costs what the first does."""

from __future__ import annotations

from rest_framework.pagination import CursorPagination


class KeysetPagination(CursorPagination):
    """Pages along an indexed, unique ordering. A view names its own with `ordering`; the default is oldest first."""

    page_size = 50
    max_page_size = 500
    page_size_query_param = "limit"
    ordering: str | tuple[str, ...] = "id"

    def get_ordering(self, request, queryset, view):  # type: ignore[no-untyped-def]
        own = getattr(view, "keyset", None) or self.ordering
        return (own,) if isinstance(own, str) else tuple(own)
