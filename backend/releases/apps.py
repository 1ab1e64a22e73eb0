from __future__ import annotations

from django.apps import AppConfig


class ReleasesConfig(AppConfig):
    name = "backend.releases"
    label = "releases"

    def ready(self) -> None:
        from backend.projects.counters import register
        from backend.releases.selectors import read_counters

        register(read_counters)
