from __future__ import annotations

from django.apps import AppConfig


class ReleasesConfig(AppConfig):
    name = "backend.releases"
    label = "releases"

    def ready(self) -> None:
        from backend.projects.gauges import register
        from backend.releases.selectors import read_gauges

        register(read_gauges)
