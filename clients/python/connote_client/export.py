"""An export: a file that the site makes in the background."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from connote_client.errors import ExportFailed, NotFinished
from connote_client.files import download, safe_name
from connote_client.progress import OnProgress, Progress, ignore
from connote_client.run import pauses
from connote_client.site import Json, Site

READY = "ready"
OVER = (READY, "failed", "cancelled", "expired")


class Export:
    """`row` is the last answer of the site about it."""

    def __init__(self, site: Site, row: Json) -> None:
        self._site, self.row = site, row

    def __repr__(self) -> str:
        return f"<Export {self.what} as {self.format}: {self.state} {self.id}>"

    @property
    def id(self) -> str:
        return str(self.row["id"])

    @property
    def what(self) -> str:
        return str(self.row["what"])

    @property
    def format(self) -> str:
        return str(self.row["format"])

    @property
    def state(self) -> str:
        return str(self.row["state"])

    @property
    def n_rows(self) -> int | None:
        """Lines of a table, or images of a release; None until it is ready."""
        return None if self.row["n_rows"] is None else int(self.row["n_rows"])

    def refresh(self) -> Export:
        """Ask the site for the newest state."""
        self.row = self._site.get(f"/exports/{self.id}")
        return self

    def wait(self, *, timeout: float | None = None, progress: OnProgress | None = None) -> Export:
        """Wait until the file is ready. Raises ExportFailed, and NotFinished after `timeout` seconds."""
        tell, until = progress or ignore, None if timeout is None else time.monotonic() + timeout
        for pause in pauses(until):
            tell(Progress(self.what, int(self.row["done"]), self.row["total"], "rows"))
            if self.state in OVER:
                break
            if pause is None:
                raise NotFinished(f"The export is {self.state} after {timeout:g} seconds.", code="timeout")
            time.sleep(pause)
            self.refresh()
        if self.state != READY:
            error: dict[str, Any] = self.row.get("error") or {}
            raise ExportFailed(
                error.get("message") or f"The export is {self.state}.", code=error.get("code") or self.state
            )
        return self

    def download(self, to: str | Path = ".", *, progress: OnProgress | None = None) -> Path:
        """Wait, then save the file in the folder `to`, or as the file `to` where that is no folder. A broken download
        goes on where it stopped; the SHA-256 is checked. Raises ExportFailed, WrongChecksum, ApiError and NoAnswer."""
        self.wait(progress=progress)
        path = Path(to)
        if path.is_dir() or str(to).endswith(("/", "\\")):
            path = path / safe_name(str(self.row["file_name"]))
        return download(
            self._site, self._site.api(f"/exports/{self.id}/file"), path, sha256=str(self.row["sha256"]),
            n_bytes=int(self.row["n_bytes"]), progress=progress,
        )  # fmt: skip

    def cancel(self) -> Export:
        """Stop it before it is ready."""
        self.row = self._site.ask("POST", f"/exports/{self.id}/cancel", repeatable=True)
        return self

    def delete(self) -> None:
        """Delete it with its file."""
        self._site.ask("DELETE", f"/exports/{self.id}")
