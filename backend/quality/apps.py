from __future__ import annotations

from django.apps import AppConfig


class QualityConfig(AppConfig):
    name = "backend.quality"
    label = "quality"

    def ready(self) -> None:
        from backend.projects.beginnings import register_beginning
        from backend.quality.services import activate_defaults

        register_beginning(activate_defaults)
