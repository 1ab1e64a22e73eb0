"""The Python client of Connote.

from connote_client import Client

with Client("https://connote.example.org", token="connote_...") as client:
    data = client.project("photographs").release().to_datasets()
"""

from __future__ import annotations

from connote_client.assignment import Assignment, NothingLeft
from connote_client.client import Client
from connote_client.errors import (
    ApiError,
    Conflict,
    ConnoteError,
    ExportFailed,
    Gone,
    Invalid,
    MissingPackage,
    NoAnswer,
    NoSuchRelease,
    NotAllowed,
    NotConnote,
    NotFinished,
    NotFound,
    NotSignedIn,
    RunFailed,
    ServerError,
    TooLarge,
    TooManyRequests,
    WrongChecksum,
)
from connote_client.export import Export
from connote_client.progress import Progress, show_progress
from connote_client.project import Project
from connote_client.release import Release
from connote_client.run import Run
from connote_client.site import VERSION

__version__ = VERSION
__all__ = [
    "ApiError",
    "Assignment",
    "Client",
    "Conflict",
    "ConnoteError",
    "Export",
    "ExportFailed",
    "Gone",
    "Invalid",
    "MissingPackage",
    "NoAnswer",
    "NoSuchRelease",
    "NotAllowed",
    "NotConnote",
    "NotFinished",
    "NotFound",
    "NotSignedIn",
    "NothingLeft",
    "Progress",
    "Project",
    "Release",
    "Run",
    "RunFailed",
    "ServerError",
    "TooLarge",
    "TooManyRequests",
    "WrongChecksum",
    "show_progress",
]
