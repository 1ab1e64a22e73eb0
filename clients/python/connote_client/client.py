"""The way in: `Client(url, token)`, or `Client.public(link)` without an account."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx

from connote_client.export import Export
from connote_client.project import Project
from connote_client.release import Release
from connote_client.rows import Me
from connote_client.run import Run
from connote_client.site import Site

PUBLIC_LINK = re.compile(r"(?P<site>https?://[^?#]+?)/r/(?P<token>[A-Za-z0-9_-]+)/?(?:[?#].*)?")


class Client:
    """One person's access to one site. Close it, or use it in a `with`. It may be shared by threads.

    Without arguments, the address and the token come from CONNOTE_URL and CONNOTE_TOKEN. `timeout` is for one answer,
    in seconds. `retries` are for a site that is away or busy; a request that cannot be repeated safely is not.
    Downloads are kept in `cache`, or in CONNOTE_CACHE, or in ~/.cache/connote. Raises ValueError.
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        timeout: float = 60.0,
        retries: int = 4,
        cache: str | Path | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        address = url or os.environ.get("CONNOTE_URL", "")
        if not address:
            raise ValueError("Name the address of the site, or set CONNOTE_URL.")
        secret = os.environ.get("CONNOTE_TOKEN", "") if token is None else token
        self.site = Site(address, token=secret, timeout=timeout, retries=retries, cache=cache, transport=transport)

    @classmethod
    def public(
        cls, link: str, *, timeout: float = 60.0, retries: int = 4, cache: str | Path | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> Release:  # fmt: skip
        """The release behind a public link, https://SITE/r/TOKEN. It needs no account. Raises ValueError, NotFound, and
        Gone for a link that was closed."""
        parts = PUBLIC_LINK.fullmatch(link.strip())
        if not parts:
            raise ValueError(f"{link!r} is not a public link. It looks like https://connote.example.org/r/TOKEN.")
        site = Site(parts["site"], timeout=timeout, retries=retries, cache=cache, transport=transport)
        path = f"/public/releases/{parts['token']}"
        try:
            return Release(site, site.get(path), path=path)
        except BaseException:
            site.close()
            raise

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Client of {self.site.url}>"

    def close(self) -> None:
        self.site.close()

    def me(self) -> Me:
        """Your account. Raises NotSignedIn where the token is not valid."""
        found: Me = self.site.get("/me")
        return found

    def projects(self) -> Iterator[Project]:
        """The projects of which you are a member."""
        return (Project(self.site, row) for row in self.site.rows("/projects"))

    def project(self, slug: str) -> Project:
        """One project by its short name in the address. Raises NotFound."""
        return Project(self.site, self.site.get(f"/projects/{slug}"))

    def create_project(self, name: str, *, direction: str = "captions_of_image", **settings: Any) -> Project:
        """A new project with you as its curator. `settings` are as in the API, for example `overlap=3`."""
        body = {"name": name, "direction": direction, **settings}
        return Project(self.site, self.site.ask("POST", "/projects", json=body))

    def run(self, run_id: str) -> Run:
        return Run(self.site, self.site.get(f"/runs/{run_id}"))

    def export(self, export_id: str) -> Export:
        return Export(self.site, self.site.get(f"/exports/{export_id}"))

    def release(self, release_id: str) -> Release:
        return Release(self.site, self.site.get(f"/releases/{release_id}"))

    def request(self, method: str, path: str, **request: Any) -> Any:
        """Any operation of the API: `client.request("GET", "/projects/skies/forecast")`. `json` is the body and
        `params` is the query. Raises ApiError, NoAnswer and NotConnote."""
        return self.site.ask(method, path, **request)
