"""The floor of a benchmark: the SQL that the site sent, recorded in PostgreSQL's log and sent again by pgbench.

What each annotator sent while they worked alone goes again over one connection of their own, all of them side by side,
in its order, literally, with nothing between but the network: what is left is PostgreSQL's own work.
"""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psycopg

from deploy.throwaway import postgres_binaries

PREFIX = "@@ "
# PostgreSQL plans a prepared statement five times before it keeps a plan. On a site's connections that was long ago; in
# a short recording it would be much of the time, and the floor would look slow.
PLANNED_ONCE = {"PGOPTIONS": "-c plan_cache_mode=force_generic_plan"}
VALUES = "\x00"  # between a statement and the values it was executed with
ENTRY = re.compile(r"^@@ (.*?)(?=^@@|\Z)", re.MULTILINE | re.DOTALL)
STATEMENT = re.compile(r"LOG:  (?:statement|execute [^:]*): (.*)", re.DOTALL)
DETAIL = re.compile(r"DETAIL:  parameters: (.*)", re.DOTALL)
VALUE = re.compile(r"\$\d+ = (NULL|'(?:[^']|'')*')")


class Recorder:
    """Reads what PostgreSQL writes about statements. `url` must belong to a superuser, `log` be the server's log."""

    def __init__(self, url: str, log: Path) -> None:
        self.url, self.log = url, log

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Log every statement of every session meanwhile."""
        self._say(f"ALTER SYSTEM SET log_line_prefix = '{PREFIX}'", "ALTER SYSTEM SET log_statement = 'all'")
        try:
            yield
        finally:
            self._say("ALTER SYSTEM RESET log_statement", "ALTER SYSTEM RESET log_line_prefix")

    def _say(self, *statements: str) -> None:
        with psycopg.connect(self.url, autocommit=True) as connection:
            for statement in (*statements, "SELECT pg_reload_conf()"):
                connection.execute(statement)
        time.sleep(0.3)  # sessions read the new settings before their next statement

    def mark(self) -> int:
        """Where the log ends at this moment, in bytes."""
        return self.log.stat().st_size

    def statements(self, since: int) -> list[str]:
        """Every statement from that mark on, in order. Sound where one request was on its way at a time."""
        with self.log.open("rb") as log:
            log.seek(since)
            text = log.read().decode(errors="replace")
        found: list[str] = []
        for entry in ENTRY.finditer(text):
            line = entry[1].replace("\n\t", " ").strip()
            if statement := STATEMENT.match(line):
                found.append(statement[1])
            elif (detail := DETAIL.match(line)) and found:
                found[-1] = f"{found[-1]}{VALUES}{', '.join(VALUE.findall(detail[1]))}"
        return found


def _script(statements: Sequence[str]) -> str:
    """The statements for pgbench: what had parameters is prepared once and then executed, as the site does."""
    names: dict[str, str] = {}
    lines: list[str] = []
    for one in statements:
        text, _, values = one.partition(VALUES)
        if values and text not in names:
            names[text] = f"replayed_{len(names)}"
            lines.append(f"PREPARE {names[text]} AS {text};")
        lines.append(f"EXECUTE {names[text]}({values});" if values else f"{text};")
    return "\n".join(lines) + "\n"


def replay(streams: Sequence[Sequence[str]], url: str, folder: Path) -> float | None:
    """Seconds that pgbench takes for all streams side by side; None where pgbench is not installed."""
    pgbench = postgres_binaries() / "pgbench"
    if not pgbench.exists():
        return None
    files = [folder / f"stream-{number}.sql" for number, _ in enumerate(streams)]
    for file, statements in zip(files, streams, strict=True):
        file.write_text(_script(statements))
    start = time.perf_counter()
    runs = [
        subprocess.Popen(
            [str(pgbench), "-n", "-t", "1", "-f", str(file), url],
            env=os.environ | PLANNED_ONCE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        for file in files
    ]
    complaints = [run.communicate()[1].decode() for run in runs]
    if any(run.returncode for run in runs):
        raise RuntimeError("pgbench: " + " ".join(complaints)[-500:])
    return time.perf_counter() - start
