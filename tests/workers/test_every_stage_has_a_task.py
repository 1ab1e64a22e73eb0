"""What a worker has once it has started: a task for every stage that the site sends, and for every chore."""

from __future__ import annotations

import os
import subprocess
import sys

MISSING = """
import django
django.setup()
from django.conf import settings
from backend.runs.queue import HELPERS, TASKS, app
app.loader.import_default_modules()
asked = {*TASKS.values(), *HELPERS.values(), *settings.CHORES}
print(sorted(asked - set(app.tasks)))
"""
SETTINGS = {
    "DJANGO_SETTINGS_MODULE": "backend.config.settings",
    "CONNOTE_SECRET_KEY": "only-for-a-process-that-serves-nobody-0123456789",
    "CONNOTE_DATABASE_URL": "sqlite://:memory:",
}


def test_a_worker_knows_every_task_that_is_sent_to_it() -> None:
    """In a process of its own, for other tests import what no worker would. A stage that no worker knew was queued for
    ever, and with it, on an embedded site, every stage after it."""
    command = [sys.executable, "-c", MISSING]
    done = subprocess.run(command, env=os.environ | SETTINGS, capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr
