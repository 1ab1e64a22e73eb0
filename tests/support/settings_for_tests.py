"""The real settings, told by the environment that this is a test.

Embedded, and a run ends before `start_run` returns. Tests of the whole stack start real processes on the unchanged
settings instead.
"""

from __future__ import annotations

import isolated_environment  # noqa: F401  (before the settings, which read the environment)
from backend.config.settings import *  # noqa: F403
from backend.config.settings import DATA_DIR, DATABASES

EMBEDDED_WAITS = True
TOKEN_CALLS_PER_MINUTE = SESSION_CALLS_PER_MINUTE = 0  # the tests of the limits set their own
RUN_STALE_SECONDS = 600  # else on a busy machine a run's first beat waits 20 s for SQLite, which the test itself holds
WHITENOISE_AUTOREFRESH = True  # else every test client reads all static files when it is made: 60 ms
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
DATABASES["default"].get("OPTIONS", {}).pop("pool", None)  # a pool would hold the test database when it is dropped
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A file, as in production: threads that share SQLite's memory get "table is locked" where a file lets them wait.
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "test.sqlite3")}
