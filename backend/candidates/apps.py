from __future__ import annotations

from django.apps import AppConfig


class CandidatesConfig(AppConfig):
    name = "backend.candidates"
    label = "candidates"

    def ready(self) -> None:
        from backend.candidates.selectors import candidate_gauges, suggestion_gauges
        from backend.projects import gauges

        gauges.register(candidate_gauges)
        gauges.register(suggestion_gauges)
