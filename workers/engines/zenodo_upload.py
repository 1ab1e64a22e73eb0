"""Sends a folder to Zenodo by its deposit API: a new deposit, its files, its metadata."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx

from workers.engines.hub_upload import UploadError

CHUNK = 1024 * 1024
TRIES = 3
SECONDS = httpx.Timeout(60, read=600)


def push_to_zenodo(folder: Path, *, metadata: Mapping[str, Any], token: str, endpoint: str, publishes: bool) -> str:
    """Make a deposit of the files in `folder`. Returns its page. Raises UploadError.

    It stays a draft, which its owner can look at and delete, unless it is published. A publication cannot be undone.
    """
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(headers=headers, timeout=SECONDS) as client:
        made = _ask(client, "POST", f"{endpoint}/api/deposit/depositions", json={})
        links = made["links"]
        for path in sorted(path for path in folder.iterdir() if path.is_file()):
            _ask(client, "PUT", f"{links['bucket']}/{quote(path.name)}", file=path)
        _ask(client, "PUT", links["self"], json={"metadata": dict(metadata)})
        if publishes:
            made = _ask(client, "POST", links["publish"])
    return str(made["links"].get("html") or links["self"])


def _ask(client: httpx.Client, method: str, url: str, *, json: Any = None, file: Path | None = None) -> dict[str, Any]:
    """One request. A file is sent again where the server broke off or was busy."""
    for number in range(1, TRIES + 1):
        try:
            answer = client.request(
                method, url, json=json, content=_read(file) if file else None, headers=_length(file)
            )
        except httpx.HTTPError as error:
            if file is None or number == TRIES:
                raise UploadError(f"{url}: {error}") from error
            continue
        if answer.status_code < 500 or file is None or number == TRIES:
            return _told(answer)
    raise AssertionError("unreachable")


def _length(file: Path | None) -> dict[str, str]:
    return {"Content-Length": str(file.stat().st_size)} if file else {}


def _read(file: Path) -> Iterator[bytes]:
    with file.open("rb") as content:
        while chunk := content.read(CHUNK):
            yield chunk


def _told(answer: httpx.Response) -> dict[str, Any]:
    if answer.is_error:
        raise UploadError(f"{answer.request.url}: {answer.status_code} {answer.text[:300]}")
    told: dict[str, Any] = answer.json()
    return told
