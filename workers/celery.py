"""The workers' Celery app: `celery -A workers.celery worker -Q cpu`, `-Q gpu`, `celery -A workers.celery beat`."""

from __future__ import annotations

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
django.setup()

from backend.runs.queue import app  # noqa: E402  (needs the settings above)

__all__ = ["app"]
