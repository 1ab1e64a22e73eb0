from __future__ import annotations

from django.apps import AppConfig


class CurationConfig(AppConfig):
    name = "backend.curation"
    label = "curation"

    def ready(self) -> None:
        from backend.curation.selectors import read_counters
        from backend.projects.counters import register

        register(read_counters)
