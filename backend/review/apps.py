from __future__ import annotations

from django.apps import AppConfig


class ReviewConfig(AppConfig):
    name = "backend.review"
    label = "review"

    def ready(self) -> None:
        from backend.annotation.closings import register_closing
        from backend.review.selectors import read_closed

        register_closing(read_closed)
