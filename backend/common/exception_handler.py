"""The one place where an exception becomes an answer: `{code, message, details, request_id}`."""

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
from rest_framework.serializers import as_serializer_error
from rest_framework.views import set_rollback

from backend.common.errors import ConnoteError
from backend.common.parsers import BodyTooLarge

SENTENCES = {
    "authentication_failed": (
        "not_signed_in",
        "This token is unknown, expired or revoked. Make a new one on your profile.",
    ),
    "not_authenticated": ("not_signed_in", "Sign in first, or send an API token."),
    "permission_denied": ("not_allowed", "Your role does not allow this."),
    "not_found": ("not_found", "There is nothing here, or it is not yours to see."),
    "parse_error": ("unreadable", "The body could not be read as JSON."),
    "method_not_allowed": ("method_not_allowed", "This address does not answer to that method."),
}
NO_DATABASE = "The database does not answer right now: try again in a moment. The same key is stored once."
RETRY_AFTER = 2  # seconds
TOO_MANY_FILES = "These are too many files at once: pack them into one zip."


logger = structlog.get_logger(__name__)


def request_id() -> str | None:
    """The id django-structlog bound to this request, or None outside one."""
    value = structlog.contextvars.get_contextvars().get("request_id")
    return str(value) if value else None


def error_body(code: str, message: str, details: object = None) -> dict[str, object]:
    """The shape of every error the API answers with."""
    return {"code": code, "message": message, "details": details, "request_id": request_id()}


def handle_exception(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's hook. Returns None for what is not the client's doing, so that it is logged and answered as a 500."""
    if isinstance(error, ConnoteError):
        set_rollback()
        return Response(error_body(error.error_code, error.message, error.details), status=error.status)
    if isinstance(error, (OperationalError, InterfaceError)):
        return _without_database(error)
    known = _as_api_exception(error)
    if known is None:
        return None
    set_rollback()
    return Response(_body(known), status=known.status_code, headers=_headers(known))


def _without_database(error: Exception) -> Response:
    """Restarted, out of connections, locked for too long: whoever asks again finds it back, most of the time."""
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
            return exceptions.ValidationError({"files": [TOO_MANY_FILES]})
        case PermissionDenied():
            return exceptions.PermissionDenied()
        case ModelValidationError():
            return exceptions.ValidationError(as_serializer_error(error))
        case exceptions.APIException():
            return error
    return None


def _body(error: exceptions.APIException) -> dict[str, object]:
    if isinstance(error, exceptions.ValidationError):
        return error_body("invalid", _first_sentence(error.detail), error.detail)
    if isinstance(error, exceptions.Throttled):
        return error_body("too_many_requests", f"Too many tries. Wait {_wait(error)} seconds, then try again.")
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


def _first_sentence(detail: object) -> str:
    """One readable line out of DRF's nested validation errors, with the field it is about."""
    if isinstance(detail, dict):
        field, inner = next(iter(detail.items()))
        sentence = _first_sentence(inner)
        return sentence if field in ("non_field_errors", "detail", "__all__") else f"{field}: {sentence}"
    if isinstance(detail, list):
        return _first_sentence(next((item for item in detail if item), "Not valid."))
    return str(detail) if str(detail).endswith((".", "?", "!")) else f"{detail}."
