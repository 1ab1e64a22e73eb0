"""The door for gunicorn: `gunicorn backend.config.wsgi -c deploy/gunicorn.conf.py`."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
application = get_wsgi_application()

from django.conf import settings  # noqa: E402  (the settings exist from here on)

if settings.EMBEDDED:
    from backend.runs.embedded import start_recovery

    start_recovery()
