"""Keyset pages `{next, previous, results}`: the millionth row costs what the first does."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import DataError
from django.db.models import Q
from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination

from backend.common.errors import InvalidInput


class KeysetPagination(CursorPagination):
    """Pages along an indexed, unique ordering. A view names its own with `ordering`; the default is oldest first."""

    page_size = 50
    max_page_size = 500
    page_size_query_param = "limit"
    ordering: str | tuple[str, ...] = "id"

    def get_page_size(self, request):  # type: ignore[no-untyped-def]
        """As many rows as `limit` asks for, at most `max_page_size`. Raises InvalidInput where it is no such number."""
        asked = request.query_params.get(self.page_size_query_param)
        if asked is None:
            return self.page_size
        if not (asked.isascii() and asked.isdigit() and asked.strip("0")):
            raise InvalidInput(
                "Set limit to a whole number from 1 to {most}.",
                code="unfit_limit",
                field=self.page_size_query_param,
                params={"most": self.max_page_size},
            )
        return self.max_page_size if len(asked.lstrip("0")) > 9 else min(int(asked), self.max_page_size)

    def get_ordering(self, request, queryset, view):  # type: ignore[no-untyped-def]
        own = getattr(view, "keyset", None) or self.ordering
        return (own,) if isinstance(own, str) else tuple(own)

    def get_paginated_response_schema(self, schema):  # type: ignore[no-untyped-def]
        page = super().get_paginated_response_schema(schema)
        for name in ("next", "previous"):  # `nullable` has no meaning in OpenAPI 3.1
            told = page["properties"][name]
            del told["nullable"], told["example"]  # the one of the framework is about accounts
            told["type"] = ["string", "null"]
        return page | {"required": ["next", "previous", "results"]}

    def paginate_queryset(self, queryset, request, view=None):  # type: ignore[no-untyped-def]
        """One page. A cursor that decodes but names no possible position is the client's mistake, not ours."""
        try:
            return super().paginate_queryset(queryset, request, view)
        except (ValueError, ValidationError, DataError) as error:
            raise NotFound() from error


class TiedKeysetPagination(KeysetPagination):
    """Pages along any ordering, however many rows are equal in its first key: a place is named by all of its keys.

    None of the keys may be null, and the last must be unique. The base counts equal rows instead, up to a thousand.
    """

    def paginate_queryset(self, queryset: Any, request: Any, view: Any = None) -> Any:
        asked = super().decode_cursor(request)
        place: Any = asked and asked.position
        if asked is None or place is None:
            return self._page(queryset, request, view)
        keys = self.get_ordering(request, queryset, view)  # type: ignore[no-untyped-call]
        try:
            page = self._page(queryset.filter(_beyond(keys, json.loads(place), asked.reverse)), request, view)
        except (ValueError, ValidationError, TypeError, OverflowError, RecursionError) as error:
            raise NotFound() from error
        if asked.reverse:
            self.has_next, self.next_position = True, place
        else:
            self.has_previous, self.previous_position = True, place
        return page

    def _page(self, queryset: Any, request: Any, view: Any) -> Any:
        return super().paginate_queryset(queryset, request, view)  # type: ignore[no-untyped-call]

    def decode_cursor(self, request: Any) -> Any:
        """The direction alone: the rows before the place are left out already."""
        cursor = super().decode_cursor(request)
        return cursor and cursor._replace(offset=0, position=None)

    def _get_position_from_instance(self, instance: Any, ordering: Any) -> str:
        return json.dumps([getattr(instance, key.lstrip("-")) for key in ordering], default=datetime.isoformat)


def _beyond(keys: Sequence[str], place: Sequence[object], backwards: bool) -> Q:
    """What comes after `place` along `keys`, or before it. Raises ValueError where it names not as many values."""
    beyond, same = Q(pk__in=[]), Q()
    for key, value in zip(keys, place, strict=True):
        name = key.lstrip("-")
        is_less = key.startswith("-") != backwards
        beyond |= same & Q(**{f"{name}__lt" if is_less else f"{name}__gt": value})
        same &= Q(**{name: value})
    return beyond
