from __future__ import annotations

from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    name = "backend.annotation"
    label = "annotation"

    def ready(self) -> None:
        from backend.annotation.selectors import read_counts
        from backend.projects.counters import register

        register(read_counts)
