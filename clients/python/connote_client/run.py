"""A run: one start of a stage."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from connote_client.errors import NotFinished, RunFailed
from connote_client.progress import OnProgress, Progress, ignore
from connote_client.rows import RefusedRow
from connote_client.site import Json, Site

OVER = ("succeeded", "failed", "cancelled")
FIRST_PAUSE, LONGEST_PAUSE = 0.25, 5.0  # seconds between two looks


class Run:
    """`row` is the last answer of the site about it."""

    def __init__(self, site: Site, row: Json) -> None:
        self._site, self.row = site, row

    def __repr__(self) -> str:
        return f"<Run {self.stage} {self.status} {self.done}/{self.total} {self.id}>"

    @property
    def id(self) -> str:
        return str(self.row["id"])

    @property
    def stage(self) -> str:
        return str(self.row["stage"])

    @property
    def status(self) -> str:
        """queued, running, succeeded, failed or cancelled."""
        return str(self.row["status"])

    @property
    def is_over(self) -> bool:
        return self.status in OVER

    @property
    def done(self) -> int:
        return int(self.row["done"])

    @property
    def total(self) -> int | None:
        return None if self.row["total"] is None else int(self.row["total"])

    @property
    def counts(self) -> dict[str, Any]:
        """`in`, `out`, and what was dropped or ignored for which reason."""
        return dict(self.row["counts"])

    @property
    def n_refused(self) -> int:
        return int(self.row["n_refused"])

    @property
    def error(self) -> dict[str, Any] | None:
        """`code` and `message` of a failed run."""
        return self.row["error"] and dict(self.row["error"])

    def refresh(self) -> Run:
        """Ask the site for the newest state."""
        self.row = self._site.get(f"/runs/{self.id}")
        return self

    def wait(self, *, timeout: float | None = None, progress: OnProgress | None = None) -> Run:
        """Wait until the run is over. Raises RunFailed if it did not succeed, NotFinished after `timeout` seconds."""
        tell, until = progress or ignore, None if timeout is None else time.monotonic() + timeout
        for pause in pauses(until):
            tell(Progress(self.stage, self.done, self.total, "rows"))
            if self.is_over:
                break
            if pause is None:
                raise NotFinished(
                    f"The run of {self.stage} is {self.status} after {timeout:g} seconds.", code="timeout"
                )
            time.sleep(pause)
            self.refresh()
        if self.status != "succeeded":
            error = self.error or {}
            message = error.get("message") or f"The run of {self.stage} is {self.status}."
            raise RunFailed(message, code=str(error.get("code") or self.status), run=self)
        return self

    def cancel(self) -> Run:
        """Stop it after its current step. For curators."""
        self.row = self._site.ask("POST", f"/runs/{self.id}/cancel", repeatable=True)
        return self

    def retry(self) -> Run:
        """A new run that goes on where this failed or cancelled one stopped. For curators."""
        return Run(self._site, self._site.ask("POST", f"/runs/{self.id}/retry"))

    def refusals(self) -> Iterator[RefusedRow]:
        """The refused rows of an import, each with the reason."""
        return self._site.rows(f"/runs/{self.id}/refusals")


def pauses(until: float | None) -> Iterator[float | None]:
    """Seconds to wait between two looks, longer each time; None once the time is over."""
    pause = FIRST_PAUSE
    while True:
        left = None if until is None else until - time.monotonic()
        if left is not None and left <= 0:
            yield None
        else:
            yield pause if left is None else min(pause, left)
        pause = min(LONGEST_PAUSE, pause * 1.5)
