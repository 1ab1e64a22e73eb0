from __future__ import annotations

from django.apps import AppConfig


class AgreementConfig(AppConfig):
    name = "backend.agreement"
    label = "agreement"

    def ready(self) -> None:
        from backend.agreement.reads import read_habits
        from backend.quality.habits import register_habits

        register_habits(read_habits)
