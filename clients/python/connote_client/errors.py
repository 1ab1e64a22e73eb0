"""What can go wrong. Every exception of this package is a `ConnoteError`.

An answer of the site has one class for each kind, so that a program can catch the kind that it can handle:

    try:
        project.start("release")
    except Conflict as error:
        print(error.message, error.code)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class ConnoteError(Exception):
    """Any failure that this package reports. `message` is a sentence for people, `code` is for programs."""

    def __init__(self, message: str, *, code: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.code = code


class ApiError(ConnoteError):
    """The site refused a request. The message is the site's own sentence."""

    def __init__(
        self, message: str, *, code: str = "", status: int = 0, details: Any = None, request_id: str | None = None
    ) -> None:
        super().__init__(message, code=code)
        self.status = status
        self.details = details
        self.request_id = request_id  # the log of the server has the same id

    def __str__(self) -> str:
        named = f"{self.status}, {self.code}" if self.code else str(self.status)
        return f"{self.message} ({named})"


class Invalid(ApiError):
    """400: a value is wrong. `details` has the sentences of each field."""


class NotSignedIn(ApiError):
    """401: there is no token, or the token is unknown, expired or revoked."""


class NotAllowed(ApiError):
    """403: your role or your token does not allow this."""


class NotFound(ApiError):
    """404: this does not exist, or you are not a member."""


class Conflict(ApiError):
    """409: the state does not allow this now, for example because a stage runs already."""


class Gone(ApiError):
    """410: this was here and is not any more, for example a closed public link."""


class TooLarge(ApiError):
    """413: the body or a file is too large."""


class TooManyRequests(ApiError):
    """429: too many requests. Try again after `seconds`."""

    def __init__(self, message: str, *, seconds: float = 0, **rest: Any) -> None:
        super().__init__(message, **rest)
        self.seconds = seconds


class ServerError(ApiError):
    """500 and above: the site has a problem, and the tries are used up."""


class NoAnswer(ConnoteError):
    """The site did not answer in time, or cannot be reached."""


class NotConnote(ConnoteError):
    """The address answers, but not like a Connote site."""


class WrongChecksum(ConnoteError):
    """A downloaded file does not have the SHA-256 that the site promised. The file is deleted."""


class RunFailed(ConnoteError):
    """A run failed or was cancelled. `run` has its counts and its log."""

    def __init__(self, message: str, *, code: str = "", run: Any = None) -> None:
        super().__init__(message, code=code)
        self.run = run


class ExportFailed(ConnoteError):
    """An export failed, was cancelled or was deleted."""


class NotFinished(ConnoteError):
    """The time to wait is over. The run or the export still goes on."""


class NoSuchRelease(ConnoteError):
    """The project has no such release."""


class MissingPackage(ConnoteError, ImportError):
    """A method needs a package that is not installed."""


KINDS: Mapping[int, type[ApiError]] = {
    400: Invalid,
    401: NotSignedIn,
    403: NotAllowed,
    404: NotFound,
    409: Conflict,
    410: Gone,
    413: TooLarge,
    429: TooManyRequests,
}


def kind_of(status: int) -> type[ApiError]:
    """The class for an HTTP status."""
    return KINDS.get(status, ServerError if status >= 500 else ApiError)
