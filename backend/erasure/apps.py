from __future__ import annotations

from django.apps import AppConfig


class ErasureConfig(AppConfig):
    name = "backend.erasure"
    label = "erasure"

    def ready(self) -> None:
        from backend.erasure.deleting import delete_projects
        from backend.erasure.retention import clean_up_daily
        from backend.runs.embedded import register_chore

        register_chore(delete_projects)
        register_chore(clean_up_daily)
