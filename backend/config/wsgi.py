"""The door for gunicorn: `gunicorn backend.config.wsgi -c deploy/gunicorn.conf.py`."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
application = get_wsgi_application()
