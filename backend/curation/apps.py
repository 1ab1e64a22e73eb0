from __future__ import annotations

from django.apps import AppConfig


class CurationConfig(AppConfig):
    name = "backend.curation"
    label = "curation"

    def ready(self) -> None:
        from backend.curation.selectors import consensus_rows, read_counters, read_model_votes
        from backend.projects.counters import register
        from backend.review.queue.registered import register_consensus, register_model_votes

        register(read_counters)
        register_consensus(consensus_rows)
        register_model_votes(read_model_votes)
