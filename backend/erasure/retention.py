"""What is kept for a time only: sessions that ended, and uploads."""

from __future__ import annotations

import shutil
import time
from datetime import timedelta
from importlib import import_module
from pathlib import Path

import structlog
from django.conf import settings
from django.utils import timezone

from backend.catalogue.models import Upload
from backend.catalogue.uploads import UploadInUse, delete_upload
from backend.releases.withdrawing import remove_pictures

logger = structlog.get_logger(__name__)
DAY = 24 * 3600


def clean_up() -> dict[str, int]:
    """Delete sessions that ended, pictures of withdrawn images, and old uploads (CONNOTE_KEEP_UPLOADS_DAYS).

    Returns how many uploads are gone.
    """
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
    remove_pictures()
    done = {"uploads": _delete_old_uploads(), "folders": _delete_lost_folders()}
    logger.info("cleaned_up", **done)
    return done


def _delete_old_uploads() -> int:
    if not settings.KEEP_UPLOADS_DAYS:
        return 0
    limit, n = timezone.now() - timedelta(days=settings.KEEP_UPLOADS_DAYS), 0
    for upload in Upload.objects.filter(created_at__lt=limit):
        try:
            delete_upload(upload=upload)
            n += 1
        except UploadInUse:
            continue
    return n


def _delete_lost_folders() -> int:
    """Folders of uploads whose row was never written, because the process was killed in between."""
    root, n = Path(settings.DATA_DIR) / "uploads", 0
    known = {str(key) for key in Upload.objects.values_list("pk", flat=True)}
    for folder in root.iterdir() if root.is_dir() else ():
        if folder.name not in known and time.time() - folder.stat().st_mtime > DAY:
            shutil.rmtree(folder, ignore_errors=True)
            n += 1
    return n
