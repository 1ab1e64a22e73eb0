from __future__ import annotations

from django.apps import AppConfig


class FeedbackConfig(AppConfig):
    name = "backend.feedback"
    label = "feedback"

    def ready(self) -> None:
        from backend.agreement.hooks import register_feedback
        from backend.annotation import closings
        from backend.feedback.selectors import list_asked, read_days

        closings.askers.append(list_asked)
        register_feedback(read_days)
