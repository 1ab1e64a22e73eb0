"""The one place where an exception becomes an answer: `{code, message, details, request_id}`.

An error about fields also has `fields`: the same sentences as `details`, each with its code and values.
"""

from __future__ import annotations

from math import ceil
from typing import Any

import structlog
from django.core.exceptions import PermissionDenied, RequestDataTooBig, TooManyFilesSent
from django.core.exceptions import ValidationError as ModelValidationError
from django.db import InterfaceError, OperationalError
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from backend.common.disks import disk_error
from backend.common.errors import NO_FIELD, ConnoteError, Fields, InvalidFields
from backend.common.field_sentences import fields_of, flatten, reworded
from backend.common.parsers import BodyTooLarge
from backend.methods.said import Said, fill

SENTENCES = {
    "authentication_failed": (
        "token_not_valid",
        "This token is not valid any more. Make a new one on your profile.",
    ),
    "not_authenticated": ("not_signed_in", "Sign in first, or send an API token."),
    "permission_denied": ("not_allowed", "Your role does not allow this."),
    "not_found": ("not_found", "This does not exist, or you may not see it."),
    "parse_error": ("unreadable", "The server could not read the request as JSON."),
    "method_not_allowed": ("method_not_allowed", "This address does not accept this method."),
    "unsupported_media_type": ("unsupported_media_type", "The server does not accept this format. Send JSON."),
}
NO_DATABASE = "The database does not answer. Try again in a moment. The server stores the same request only once."
RETRY_AFTER = 2  # seconds
TOO_MANY_FILES = "These are too many files. Put them into one zip file and send it."
TOO_MANY_REQUESTS = "You sent too many requests. Wait {seconds} seconds, then try again."


logger = structlog.get_logger(__name__)


def request_id() -> str | None:
    """The id that the middleware gave to this request, or None outside one."""
    value = structlog.contextvars.get_contextvars().get("request_id")
    return str(value) if value else None


def error_body(code: str, message: str, details: object = None, fields: Fields | None = None) -> dict[str, object]:
    """The shape of every error the API answers with."""
    body = {"code": code, "message": message, "details": details, "request_id": request_id()}
    if fields:
        body["fields"] = {name: [said.as_json() for said in all_said] for name, all_said in fields.items()}
    return body


def handle_exception(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's hook. Returns None for what is not the client's doing, so that it is logged and answered as a 500."""
    if isinstance(error, ModelValidationError):
        error = InvalidFields(fields_of(error))
    if isinstance(error, ConnoteError):
        set_rollback()
        return Response(error_body(error.error_code, error.message, error.details, error.fields), status=error.status)
    known = _as_api_exception(error)
    if known is not None:
        set_rollback()
        return Response(_body(known), status=known.status_code, headers=_headers(known))
    if disk := disk_error(error):
        logger.exception("disk_refuses", exc_info=error)
        set_rollback()
        return Response(error_body(disk.error_code, disk.message), status=disk.status)
    if isinstance(error, (OperationalError, InterfaceError)):
        return _without_database(error)
    return None


def _without_database(error: Exception) -> Response:
    """The database restarts, has no free connection, or held a lock for too long. A second try mostly works."""
    logger.exception("database_unavailable", exc_info=error)
    set_rollback()
    return Response(
        error_body("database_unavailable", NO_DATABASE), status=503, headers={"Retry-After": str(RETRY_AFTER)}
    )


def _as_api_exception(error: Exception) -> exceptions.APIException | None:
    match error:
        case Http404():
            return exceptions.NotFound()
        case RequestDataTooBig():
            return BodyTooLarge()
        case TooManyFilesSent():  # raised wherever the body is first read, which may be the CSRF check
            return exceptions.ValidationError({"files": [TOO_MANY_FILES]}, code="too_many_files")
        case PermissionDenied():
            return exceptions.PermissionDenied()
        case exceptions.APIException():
            return error
    return None


def _body(error: exceptions.APIException) -> dict[str, object]:
    if isinstance(error, exceptions.ValidationError):
        return _of_fields(error.detail)
    if isinstance(error, exceptions.Throttled):
        seconds = _wait(error)
        return error_body("too_many_requests", fill(TOO_MANY_REQUESTS, {"seconds": seconds}), {"seconds": seconds})
    codes = error.get_codes()
    code, sentence = SENTENCES.get(str(codes), (str(codes), str(error.detail)))
    return error_body(code, sentence)


def _headers(error: exceptions.APIException) -> dict[str, str]:
    if isinstance(error, exceptions.Throttled):
        return {"Retry-After": str(_wait(error))}
    challenge = getattr(error, "auth_header", None)  # set by DRF on a 401
    return {"WWW-Authenticate": challenge} if challenge else {}


def _wait(error: exceptions.Throttled) -> int:
    """Whole seconds until the next try, at least one."""
    return max(1, ceil(getattr(error, "wait", None) or 1))


def _of_fields(detail: object) -> dict[str, object]:
    """One readable line out of DRF's nested validation errors, then all of them, with codes and values."""
    told = reworded(detail)
    if not isinstance(told, dict):  # the body is no object: `null`, for example
        told = {NO_FIELD[0]: told}
    found = InvalidFields(flatten(detail) or {NO_FIELD[0]: [Said(InvalidFields.code, "Something here is not valid.")]})
    return error_body(found.error_code, found.message, told, found.fields)
