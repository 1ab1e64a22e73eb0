"""The real settings, told by the environment that this is a test.

PostgreSQL where tests/support/services.py gives one, SQLite otherwise; embedded, and a run ends before `start_run`
returns. Tests of the whole stack start real processes on the unchanged settings instead.
"""

from __future__ import annotations

import os
import tempfile

os.environ["CONNOTE_SECRET_KEY"] = "a-secret-for-tests-only-0123456789abcdef"
os.environ["CONNOTE_DATABASE_URL"] = os.environ.get("CONNOTE_TEST_DATABASE_URL", "")
os.environ["CONNOTE_REDIS_URL"] = ""
os.environ["CONNOTE_DATA_DIR"] = tempfile.mkdtemp(prefix="connote-test-")
os.environ["CONNOTE_LOG_LEVEL"] = "WARNING"

from backend.config.settings import *  # noqa: E402, F403
from backend.config.settings import DATABASES  # noqa: E402

EMBEDDED_WAITS = True
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
DATABASES["default"].get("OPTIONS", {}).pop("pool", None)  # a pool would hold the test database when it is dropped
