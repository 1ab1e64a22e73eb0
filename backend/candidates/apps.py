from __future__ import annotations

from django.apps import AppConfig


class CandidatesConfig(AppConfig):
    name = "backend.candidates"
    label = "candidates"

    def ready(self) -> None:
        from backend.candidates.selectors import candidate_counters, suggestion_counters
        from backend.projects import counters

        counters.register(candidate_counters)
        counters.register(suggestion_counters)
