from __future__ import annotations

from django.urls import path

from backend.catalogue.media_api import media

urlpatterns = [path("<path:name>", media)]
