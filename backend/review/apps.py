from __future__ import annotations

from django.apps import AppConfig


class ReviewConfig(AppConfig):
    name = "backend.review"
    label = "review"

    def ready(self) -> None:
        from backend.annotation.closing import register_asking, register_closing
        from backend.review.remark_reads import read_asked
        from backend.review.selectors import read_closed
        from backend.review.upkeep import keep_up
        from backend.runs.embedded import register_chore

        register_chore(keep_up)
        register_closing(read_closed)
        register_asking(read_asked)
