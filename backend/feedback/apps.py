from __future__ import annotations

from django.apps import AppConfig


class FeedbackConfig(AppConfig):
    name = "backend.feedback"
    label = "feedback"

    def ready(self) -> None:
        from backend.annotation.closings import register_asking
        from backend.feedback.selectors import read_asked

        register_asking(read_asked)
