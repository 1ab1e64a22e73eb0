"""Databases with all tables: migrated once, then copied. To migrate from nothing takes 10 seconds of a core."""

from __future__ import annotations

import fcntl
import hashlib
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg

from deploy.compose import ROOT

KEPT = ROOT / "tests" / "artefacts" / "migrated"
PREFIX = "connote_migrated_"
LOCK = 7_203_411_902  # of PostgreSQL, for processes that make such databases at once


def _state() -> str:
    """Other migrations or other packages have another one."""
    digest = hashlib.sha256((ROOT / "backend" / "requirements.txt").read_bytes())
    for file in sorted(ROOT.glob("backend/*/migrations/*.py")):
        digest.update(file.relative_to(ROOT).as_posix().encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def create_on_postgres(connection: psycopg.Connection, name: str, migrate: Callable[[str], None]) -> None:
    """Create the database `name` as a copy of one that stays on the server. `migrate` gets the name of that one."""
    template, unfinished = PREFIX + _state(), f"{PREFIX}unfinished"
    connection.execute("SELECT pg_advisory_lock(%s)", [LOCK])
    try:
        like = PREFIX.replace("_", r"\_") + "%"
        found = [row[0] for row in connection.execute("SELECT datname FROM pg_database WHERE datname LIKE %s", [like])]
        if template not in found:
            for old in found:
                connection.execute(f"DROP DATABASE {old} WITH (FORCE)")
            connection.execute(f"CREATE DATABASE {unfinished}")
            migrate(unfinished)
            connection.execute(f"ALTER DATABASE {unfinished} RENAME TO {template}")
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    finally:
        connection.execute("SELECT pg_advisory_unlock(%s)", [LOCK])


def create_on_sqlite(path: Path, migrate: Callable[[], None]) -> None:
    """Create the database at `path` as a copy. `migrate` makes it there where there is nothing to copy."""
    KEPT.mkdir(parents=True, exist_ok=True)
    kept = KEPT / f"{_state()}.sqlite3"
    with (KEPT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if kept.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(kept, path)
            return
        migrate()
        for old in KEPT.glob("*.sqlite3"):
            old.unlink()
        unfinished = KEPT / "unfinished"
        unfinished.unlink(missing_ok=True)
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(unfinished)) as copy:
            source.backup(copy)
        unfinished.rename(kept)
