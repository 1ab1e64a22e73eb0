"""Keyset pages `{next, previous, results}`: the millionth row costs what the first does."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import DataError
from rest_framework.exceptions import NotFound
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

    def get_paginated_response_schema(self, schema):  # type: ignore[no-untyped-def]
        page = super().get_paginated_response_schema(schema)
        return page | {"required": ["next", "previous", "results"]}

    def paginate_queryset(self, queryset, request, view=None):  # type: ignore[no-untyped-def]
        """One page. A cursor that decodes but names no possible position is the client's mistake, not ours."""
        try:
            return super().paginate_queryset(queryset, request, view)
        except (ValueError, ValidationError, DataError) as error:
            raise NotFound(self.invalid_cursor_message) from error
