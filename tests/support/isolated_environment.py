"""Importing this gives the tests an environment of their own, before anything reads the settings.

Whatever CONNOTE_ variables the shell holds stay outside, except the servers they name. The default database is
PostgreSQL where `make test` (or the shell) provides one, else SQLite; CONNOTE_TEST_ENGINE=sqlite asks for SQLite.
"""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile

KEPT_PREFIX = "CONNOTE_TEST_"
KEPT = {"CONNOTE_REQUIRE_SHARED"}
FOLDER_VARIABLE = f"{KEPT_PREFIX}FOLDER"
SERVERS = {"CONNOTE_DATABASE_URL": "CONNOTE_TEST_DATABASE_URL", "CONNOTE_REDIS_URL": "CONNOTE_TEST_REDIS_URL"}


def _hand_over_servers() -> None:
    """Keep the servers the shell names under the tests' names; an xdist worker inherits what this already made."""
    for name, kept_as in SERVERS.items():
        value = os.environ.get(name, "")
        if value and not value.startswith("sqlite") and "PYTEST_XDIST_WORKER" not in os.environ:
            os.environ.setdefault(kept_as, value)


def _forget_the_shell() -> None:
    for name in [name for name in os.environ if name.startswith("CONNOTE_")]:
        if not name.startswith(KEPT_PREFIX) and name not in KEPT:
            del os.environ[name]


def _database_url() -> str:
    """The database of the unit tests; empty means the settings' own SQLite, in the tests' folder."""
    wants_sqlite = os.environ.get("CONNOTE_TEST_ENGINE") == "sqlite"
    return "" if wants_sqlite else os.environ.get("CONNOTE_TEST_DATABASE_URL", "")


def _own_folder() -> str:
    """A folder for SQLite and media; an xdist worker's lies in the session's, which goes in the end."""
    session = os.environ.get(FOLDER_VARIABLE)
    folder = tempfile.mkdtemp(prefix="connote-tests-", dir=session)
    if session is None:
        os.environ[FOLDER_VARIABLE] = folder
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


_hand_over_servers()
_forget_the_shell()
os.environ["CONNOTE_SECRET_KEY"] = "a key for the tests alone, long enough to be let through"
# mypy reads the settings too, and ends without a chance to tidy.
os.environ["CONNOTE_DATA_DIR"] = _own_folder() if "pytest" in sys.modules else tempfile.gettempdir()
os.environ["CONNOTE_DATABASE_URL"] = _database_url()
os.environ["CONNOTE_LOG_LEVEL"] = "WARNING"
