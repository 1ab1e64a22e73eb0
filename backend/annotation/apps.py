from __future__ import annotations

from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    name = "backend.annotation"
    label = "annotation"

    def ready(self) -> None:
        from backend.annotation.quality.reapplying import reapply_policies
        from backend.annotation.quality.unpoliced import audit_unpoliced
        from backend.annotation.resettling import settle_changed
        from backend.annotation.selectors import read_counts
        from backend.projects.gauges import register
        from backend.runs.embedded import register_chore

        register(read_counts)
        register_chore(reapply_policies)
        register_chore(audit_unpoliced)
        register_chore(settle_changed)
