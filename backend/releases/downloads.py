"""How often each file of a release was sent. Only a count is kept: no address, no name and no time."""

from __future__ import annotations

from django.db.models import F
from django.http import HttpRequest, HttpResponseBase

from backend.releases.models import Release, ReleaseDownloads

ARCHIVE = ".zip"  # all files in one
SENT = (200, 206)


def counted(request: HttpRequest, sent: HttpResponseBase, *, release: Release, name: str) -> HttpResponseBase:
    """The answer, after it is counted. A HEAD and the continuation of a broken download are no downloads."""
    is_start = request.headers.get("Range", "bytes=0-").startswith("bytes=0-")
    if request.method == "GET" and is_start and sent.status_code in SENT:
        row, _ = ReleaseDownloads.objects.get_or_create(release=release, name=name)
        ReleaseDownloads.objects.filter(pk=row.pk).update(n=F("n") + 1)
    return sent
