"""The web service of docker-compose.yml as a process, on a PostgreSQL and Redis of its own with the file's flags; or
the embedded site on SQLite. For what measures it or maltreats it: its database restarts, its workers are killed.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from deploy import compose, native, throwaway
from deploy.probe import answers
from deploy.processes import Process
from embedded_site import embedded_site
from processor_time import children_of, processor_seconds

SECRETS = {
    "CONNOTE_SECRET_KEY": uuid4().hex + uuid4().hex,
    "CONNOTE_DATABASE_PASSWORD": "in its URL",
    "CONNOTE_REDIS_PASSWORD": "in its URL",
}
EXTRA = {"CONNOTE_ACCEL_REDIRECT": "", "CONNOTE_CODE_VERSION": "under-load"}


@dataclass
class Site:
    """A running server. `database` is None where it is SQLite."""

    url: str
    web: Process
    database: Process | None = None
    database_url: str = ""

    def spent(self) -> tuple[float, float]:
        """Processor seconds so far of gunicorn and of PostgreSQL."""
        return processor_seconds(self.web.pid), processor_seconds(self.database.pid) if self.database else 0.0

    def kill_a_worker(self) -> None:
        """kill -9 one of gunicorn's worker processes; its master starts another."""
        os.kill(children_of(self.web.pid)[0], signal.SIGKILL)

    def restart_database(self) -> None:
        """Stop PostgreSQL in the middle of whatever it does, and start it again on the same files and port."""
        if self.database is None:
            return
        self.database.stop()
        self.database.start()
        ready = [str(throwaway.postgres_binaries() / "pg_isready"), "-q", "-d", self.database_url]
        self.database.wait_until(lambda: subprocess.run(ready).returncode == 0, timeout=60)


@contextmanager
def production_site(folder: Path) -> Iterator[Site]:
    """gunicorn with the compose file's command, settings and database flags; Django is set up on the same database."""
    services = compose.services(SECRETS)
    flags = services["postgres"].command[1:]
    with (
        throwaway.postgres_server(flags, log=folder / "postgres.log") as (url, database),
        throwaway.redis() as broker,
    ):
        place = native.Place(folder, url, broker)
        place.data.mkdir()
        native.run_once(services["migrate"], place, EXTRA)
        set_up_django(native.environment_of(services["web"], place, EXTRA))
        web = native.process_of(services["web"], place, EXTRA)
        web.start()
        try:
            web.wait_until(lambda: answers(f"{place.web_url}/health/live", timeout=5), timeout=60)
            yield Site(place.web_url, web, database, url)
        finally:
            close_django()
            web.stop()


@contextmanager
def sqlite_site(folder: Path) -> Iterator[Site]:
    """The embedded site, one gunicorn process with threads; Django is set up on the same file."""
    with embedded_site(folder) as site:
        set_up_django(site.environment)
        try:
            yield Site(site.url, site.process)
        finally:
            close_django()


def set_up_django(environment: Mapping[str, str]) -> None:
    """Let this process work on the site's own database."""
    for name in [name for name in os.environ if name.startswith("CONNOTE_")]:
        del os.environ[name]  # what the caller's own servers are called is not for this site
    os.environ |= {name: value for name, value in environment.items() if name.startswith("CONNOTE_")}
    os.environ |= {"CONNOTE_LOG_LEVEL": "WARNING", "DJANGO_SETTINGS_MODULE": "backend.config.settings"}
    import django

    django.setup()


def close_django() -> None:
    from django.db import connection

    connection.close()
    if connection.vendor == "postgresql":
        connection.close_pool()
