"""One family of errors: a code for programs, a sentence for people, details for both.

The docstring of a class is its default sentence. Services raise these errors. The exception handler turns them into
`{code, message, details, request_id}`.

Every sentence has a code of its own, and a German translation by that code. A sentence with values is a template:
`InvalidInput("Use at most {most} images.", code="too_many_images", params={"most": 50})`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, TypeVar

from backend.methods.said import Said, Value, fill

Fields = Mapping[str, list[Said]]
Row = TypeVar("Row")


class ConnoteError(Exception):
    """The server could not do this. Try again."""

    code: ClassVar[str] = "error"
    status: ClassVar[int] = 400

    def __init__(
        self,
        template: str = "",
        *,
        code: str = "",
        params: Mapping[str, Value] | None = None,
        details: Mapping[str, Any] | None = None,
        field: str = "",
    ) -> None:
        """`params` fill the template and go into the details. `field` names the form field that the error is about."""
        template = template or " ".join((self.__doc__ or "").split())
        self.error_code = code or self.code
        self.params = dict(params or {})
        self.message = fill(template, self.params)
        self.fields: Fields = {field: [Said(self.error_code, template, self.params)]} if field else {}
        told = {field: [self.message]} if field else {}
        self.details: dict[str, Any] | None = {**self.params, **told, **(details or {})} or None
        super().__init__(self.message)

    @property
    def said(self) -> dict[str, Any]:
        """Code, sentence and values, for an answer that is no error."""
        return {"code": self.error_code, "message": self.message, "params": self.params}


class InvalidInput(ConnoteError):
    """The server cannot use a part of the request. Check it and send it again."""

    code = "invalid"


class InvalidFields(InvalidInput):
    """Some fields have a wrong value. Correct them and send the form again."""

    def __init__(self, fields: Fields, *, code: str = "") -> None:
        details = {name: [said.message for said in all_said] for name, all_said in fields.items()}
        first, [said, *_] = next(iter(fields.items()))
        message = said.message if first in NO_FIELD else f"{first}: {said.message}"
        super().__init__(message, code=code, details=details)
        self.fields = fields


NO_FIELD = ("non_field_errors", "detail", "__all__")  # the names under which an error is about the whole form


class NotAllowed(ConnoteError):
    """Your role in this project does not allow this."""

    code = "not_allowed"
    status = 403


class NotFound(ConnoteError):
    """This does not exist, or you may not see it."""

    code = "not_found"
    status = 404


def existing(row: Row | None, template: str = "", *, code: str = "") -> Row:
    """The row that a read found. Raises NotFound with this sentence if it found none."""
    if row is None:
        raise NotFound(template, code=code)
    return row


class Conflict(ConnoteError):
    """Another change came first. Reload the page and try again."""

    code = "conflict"
    status = 409


class Stale(Conflict):
    """This changed after you opened it. Reload the page, then make your change again."""

    code = "stale"


class Gone(ConnoteError):
    """This is no longer available."""

    code = "gone"
    status = 410
