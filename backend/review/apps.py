from __future__ import annotations

from django.apps import AppConfig


class ReviewConfig(AppConfig):
    name = "backend.review"
    label = "review"

    def ready(self) -> None:
        from backend.agreement.hooks import register_verdicts
        from backend.annotation import closings
        from backend.review.selectors import read_closed, read_verdicts

        closings.readers.append(read_closed)
        register_verdicts(read_verdicts)
