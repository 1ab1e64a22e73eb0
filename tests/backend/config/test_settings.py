"""The settings start with a secret of one's own, or say what is missing: each test is a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
SECRET = "a secret of our own that is long enough"
READ = """
import json
from backend.config import settings as s
print(json.dumps({
    "debug": s.DEBUG, "embedded": s.EMBEDDED, "engine": s.DATABASES["default"]["ENGINE"],
    "options": s.DATABASES["default"]["OPTIONS"], "cache": s.CACHES["default"]["BACKEND"],
    "storage": s.STORAGES["default"]["BACKEND"], "storage_options": s.STORAGES["default"].get("OPTIONS", {}),
    "secure": [s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE],
    "hsts": s.SECURE_HSTS_SECONDS, "proxies": s.REST_FRAMEWORK["NUM_PROXIES"], "sign_up": s.SIGN_UP_OPEN,
    "eager": s.CELERY_TASK_ALWAYS_EAGER, "pool": s.DATABASES["default"]["OPTIONS"].get("pool"),
}))
"""


def start(tmp_path: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CONNOTE_")}
    environment = kept | {"CONNOTE_DATA_DIR": str(tmp_path)} | variables
    return subprocess.run(
        [sys.executable, "-c", READ], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False
    )


def read(tmp_path: Path, **variables: str) -> dict:
    import json

    done = start(tmp_path, CONNOTE_SECRET_KEY=SECRET, **variables)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


@pytest.mark.parametrize(
    "secret", ["", "too short", "connote-debug-key-that-everyone-can-read-change-me", "change-me" * 5]
)
def test_without_a_secret_of_its_own_the_site_does_not_start(tmp_path: Path, secret: str) -> None:
    done = start(tmp_path, CONNOTE_SECRET_KEY=secret)
    assert done.returncode != 0
    complaint = done.stderr.strip().splitlines()[-1]
    assert "CONNOTE_SECRET_KEY must be your own secret with at least 32 characters" in complaint
    assert "python -c 'import secrets; print(secrets.token_urlsafe(50))'" in complaint


def test_in_debug_it_starts_without_one(tmp_path: Path) -> None:
    assert start(tmp_path, CONNOTE_DEBUG="1").returncode == 0


@pytest.mark.parametrize(
    ("name", "value", "repair"),
    [
        ("CONNOTE_DEBUG", "perhaps", "Set it to true or false"),
        ("CONNOTE_PROXIES", "one", "Set it to a whole number of at least 0"),
        ("CONNOTE_MAX_UPLOAD_MB", "0", "Set it to a whole number of at least 1"),
        ("CONNOTE_LOG_FORMAT", "xml", "Set it to one of: json, console"),
    ],
)
def test_a_value_that_cannot_be_is_named_with_the_fix(tmp_path: Path, name: str, value: str, repair: str) -> None:
    done = start(tmp_path, CONNOTE_SECRET_KEY=SECRET, **{name: value})
    assert done.returncode != 0
    complaint = done.stderr.strip().splitlines()[-1]
    assert name in complaint
    assert repair in complaint


def test_with_nothing_named_the_house_is_embedded(tmp_path: Path) -> None:
    found = read(tmp_path)
    assert (found["embedded"], found["eager"], found["debug"], found["sign_up"]) == (True, True, False, False)
    assert found["engine"] == "django.db.backends.sqlite3"
    assert found["options"]["transaction_mode"] == "IMMEDIATE"
    assert "journal_mode=WAL" in found["options"]["init_command"]
    assert found["cache"].endswith("LocMemCache")
    assert found["storage"].endswith("FileSystemStorage")
    assert (found["secure"], found["hsts"], found["proxies"]) == ([False, False], 0, 0)


def test_with_servers_named_it_uses_them(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        CONNOTE_DATABASE_URL="postgresql://connote@db/connote",
        CONNOTE_REDIS_URL="redis://redis/0",
        CONNOTE_DB_POOL_MAX="3",
        CONNOTE_S3_BUCKET="pictures",
        CONNOTE_S3_ACCESS_KEY="connote",
        CONNOTE_S3_SECRET_KEY="of the store",
        CONNOTE_HTTPS="yes",
        CONNOTE_PROXIES="2",
    )
    assert (found["embedded"], found["eager"]) == (False, False)
    assert found["engine"].endswith("postgresql")
    assert found["pool"]["max_size"] == 3
    assert found["cache"].endswith("SharedCache")
    assert found["storage"].endswith("S3Storage")
    assert found["storage_options"].items() >= {"access_key": "connote", "secret_key": "of the store"}.items()
    assert (found["secure"], found["hsts"] > 0, found["proxies"]) == ([True, True], True, 2)


def test_the_demo_starts_on_this_machine(tmp_path: Path) -> None:
    assert start(tmp_path, CONNOTE_SECRET_KEY=SECRET, CONNOTE_DEMO="true").returncode == 0


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CONNOTE_REDIS_URL", "redis://127.0.0.1:6379/0"),
        ("CONNOTE_HTTPS", "true"),
        ("CONNOTE_PROXIES", "1"),
        ("CONNOTE_ALLOWED_HOSTS", "localhost,connote.example.org"),
        ("CONNOTE_ALLOWED_HOSTS", "*"),
    ],
)
def test_the_demo_refuses_to_start_where_others_can_reach_it(tmp_path: Path, name: str, value: str) -> None:
    done = start(tmp_path, CONNOTE_SECRET_KEY=SECRET, CONNOTE_DEMO="true", **{name: value})
    assert done.returncode != 0
    assert "CONNOTE_DEMO lets all people sign in" in done.stderr.strip().splitlines()[-1]
