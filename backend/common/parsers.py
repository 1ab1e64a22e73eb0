"""Reads a JSON body, and refuses with a 4xx whatever would later break the server instead of the request."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any, Never

from django.conf import settings
from rest_framework import status
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import JSONParser


class BodyTooLarge(APIException):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "too_large"
    default_detail = "This request is too large. Send less at once. Upload files in the project."


class StrictJSONParser(JSONParser):
    """UTF-8 only, of a bounded size, nested to a bounded depth, without NaN and without text no database can hold."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        body = stream.read(settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
        if len(body) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise BodyTooLarge()
        try:
            data = json.loads(body.decode("utf-8"), parse_constant=_refuse_constant)
            _refuse_what_no_database_holds(data)
        except (ValueError, RecursionError) as error:
            raise ParseError() from error
        return data


def _refuse_what_no_database_holds(value: object) -> None:
    """Raises ValueError on a NUL or half a surrogate pair in any text of `value`, names of members included."""
    if isinstance(value, str):
        if "\x00" in value:
            raise ValueError("NUL")
        value.encode("utf-8")
    elif isinstance(value, dict):
        for member in (*value.keys(), *value.values()):
            _refuse_what_no_database_holds(member)
    elif isinstance(value, list):
        for item in value:
            _refuse_what_no_database_holds(item)


def _refuse_constant(name: str) -> Never:
    raise ValueError(f"{name} is no JSON.")
