"""One family of errors: a code for programs, a sentence for people, details for both.

The docstring of a class is its default sentence, so that every error explains itself. Services raise these; the
exception handler turns them into `{code, message, details, request_id}`.
"""

from __future__ import annotations

from typing import Any, ClassVar


class ConnoteError(Exception):
    """Something went wrong that the caller can mend."""

    code: ClassVar[str] = "error"
    status: ClassVar[int] = 400

    def __init__(self, message: str = "", *, code: str = "", details: dict[str, Any] | None = None) -> None:
        self.message = message or " ".join((self.__doc__ or "").split())
        self.error_code = code or self.code
        self.details = details
        super().__init__(self.message)


class InvalidInput(ConnoteError):
    """Some of what was sent cannot be used."""

    code = "invalid"


class NotAllowed(ConnoteError):
    """Your role on this project does not allow this."""

    code = "not_allowed"
    status = 403


class NotFound(ConnoteError):
    """There is nothing here, or it is not yours to see."""

    code = "not_found"
    status = 404


class Conflict(ConnoteError):
    """Somebody or something was faster: reload and try again."""

    code = "conflict"
    status = 409


class Stale(Conflict):
    """This was changed since you opened it: reload to see the newer version, then make your change again."""

    code = "stale"


class Gone(ConnoteError):
    """This is no longer available."""

    code = "gone"
    status = 410
