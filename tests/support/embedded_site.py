"""The embedded site as `make demo` serves it: one gunicorn process on SQLite, Celery inside it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from deploy.compose import ROOT
from deploy.probe import answers
from deploy.processes import Process, ProcessEndedError, free_port
from migrated import create_on_sqlite

PATIENCE = 60


class EmbeddedSite:
    """A running embedded site with a folder of its own."""

    def __init__(self, folder: Path, **settings: str) -> None:
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("CONNOTE_", "DJANGO_"))}
        self.environment = inherited | {
            "CONNOTE_SECRET_KEY": uuid4().hex + uuid4().hex,
            "CONNOTE_DATA_DIR": str(folder / f"data-{port}"),
            "CONNOTE_CODE_VERSION": "under-test",
            "WEB_CONCURRENCY": "1",
            **settings,
        }
        gunicorn = [sys.executable, "-m", "gunicorn", "backend.config.wsgi", "-c", "deploy/gunicorn.conf.py"]
        command = [*gunicorn, "--bind", f"127.0.0.1:{port}"]
        self.process = Process("web", command, log=folder / "web.log", environment=self.environment, cwd=ROOT)

    def start(self) -> None:
        """Start the site and wait until it is ready. Raises ProcessEndedError with the end of its log."""
        self.process.start()
        deadline = time.monotonic() + PATIENCE
        while not answers(f"{self.url}/health/ready"):
            if not self.process.is_running or time.monotonic() > deadline:
                raise ProcessEndedError(f"The embedded site did not become ready:\n{self.process.tail()}")
            time.sleep(0.2)

    def manage(self, *arguments: str) -> str:
        """What `manage.py ARGUMENTS` prints. Raises ProcessEndedError when it fails."""
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(command, env=self.environment, cwd=ROOT, capture_output=True, text=True)
        if done.returncode:
            raise ProcessEndedError(f"manage.py {' '.join(arguments)} failed:\n{done.stdout}{done.stderr}")
        return done.stdout


@contextmanager
def embedded_site(folder: Path, **settings: str) -> Iterator[EmbeddedSite]:
    """A migrated, running site; its log stays in `folder`, its data goes."""
    folder.mkdir(parents=True, exist_ok=True)
    site = EmbeddedSite(folder, **settings)

    def migrate() -> None:
        site.manage("migrate", "--no-input", "--verbosity", "0")

    if "CONNOTE_DATABASE_URL" in settings:
        migrate()
    else:
        create_on_sqlite(Path(site.environment["CONNOTE_DATA_DIR"]) / "connote.sqlite3", migrate)
    try:
        site.start()
        yield site
    finally:
        site.process.kill()  # nobody reads its data again
        shutil.rmtree(site.environment["CONNOTE_DATA_DIR"], ignore_errors=True)
