"""`make demo` on a world of a few images: the same command, in a data folder of its own."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from deploy.compose import ROOT
from deploy.processes import Process, ProcessEndedError, free_port
from migrated import create_on_sqlite
from walker import Person
from workers.demo.world import DEFAULT
from workers.training.postcards.exports import Order

TINY = Order(targets=6, corpus=150, seed=DEFAULT.seed)
PATIENCE = 900  # seconds for all stages on a machine that does something else besides
SERVES = "Connote is on http"
COMPLETE = "The demo is complete."


class DemoSite:
    """The command in its own session, as a terminal starts it; `said` is what it printed since it was started."""

    def __init__(self, folder: Path, order: Order = TINY, **variables: str) -> None:
        self.folder, self.order, self.port = folder, order, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("CONNOTE_", "DJANGO_"))}
        self.environment = inherited | {
            "CONNOTE_SECRET_KEY": uuid4().hex + uuid4().hex,
            "CONNOTE_DATA_DIR": str(folder / "data"),
            "CONNOTE_CODE_VERSION": "under-test",
            "CONNOTE_LOG_LEVEL": "WARNING",
            "CONNOTE_LOG_FORMAT": "console",
            "CONNOTE_DEMO": "true",
            **variables,
        }
        self._begins = 0
        self.process = self._command()

    def _command(self) -> Process:
        size = ["--targets", str(self.order.targets), "--corpus", str(self.order.corpus)]
        command = [sys.executable, "manage.py", "demo", "--port", str(self.port), *size]
        log = self.folder / "demo.log"
        return Process("demo", command, log=log, environment=self.environment, cwd=ROOT, stop_signal=signal.SIGINT)

    @property
    def said(self) -> str:
        return self.process.log.read_text(errors="replace")[self._begins :] if self.process.log.exists() else ""

    def start(self) -> None:
        """Start it, once more with the same data where it was stopped."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self._begins = 0
        self._begins = len(self.said)
        self.process = self._command()
        self.process.start()

    def wait_until_said(self, pattern: str, *, patience: float = PATIENCE) -> None:
        """Raises ProcessEndedError with the end of the log where the command ends or time is up before."""
        deadline = time.monotonic() + patience
        while not re.search(pattern, self.said):
            if not self.process.is_running or time.monotonic() > deadline:
                raise ProcessEndedError(f"The demo did not say {pattern!r}:\n{self.process.tail()}")
            time.sleep(0.2)

    def press_ctrl_c(self) -> int:
        """The exit status after Ctrl-C."""
        assert self.process.popen is not None
        self.process.popen.send_signal(signal.SIGINT)
        return self.process.popen.wait(PATIENCE)

    def person(self, role: str) -> Person:
        """Somebody who chose this account on the sign-in page."""
        person = Person(self.url)
        person.post("/session/demo", {"role": role})
        return person


@contextmanager
def demo_site(folder: Path, order: Order = TINY, *, is_migrated: bool = False, **variables: str) -> Iterator[DemoSite]:
    """The demo, serving; its log stays in `folder`, its data goes. With `is_migrated` it finds its tables there."""
    shutil.rmtree(folder / "data", ignore_errors=True)
    site = DemoSite(folder, order, **variables)

    def migrate() -> None:
        command = [sys.executable, "manage.py", "migrate", "--no-input", "--verbosity", "0"]
        subprocess.run(command, env=site.environment, cwd=ROOT, check=True)

    if is_migrated:
        create_on_sqlite(folder / "data" / "connote.sqlite3", migrate)
    try:
        site.start()
        site.wait_until_said(SERVES)
        yield site
    finally:
        site.process.stop(60)
        shutil.rmtree(folder / "data", ignore_errors=True)
