from __future__ import annotations

from django.apps import AppConfig


class ReviewConfig(AppConfig):
    name = "backend.review"
    label = "review"

    def ready(self) -> None:
        from backend.agreement.hooks import register_verdicts
        from backend.annotation.closings import register_closing
        from backend.review.selectors import read_closed, read_verdicts

        register_closing(read_closed)
        register_verdicts(read_verdicts)
