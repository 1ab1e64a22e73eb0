from __future__ import annotations

from django.apps import AppConfig


class PeopleConfig(AppConfig):
    name = "backend.people"
    label = "people"

    def ready(self) -> None:
        from backend.people import schema  # noqa: F401  (registers itself with drf-spectacular)
