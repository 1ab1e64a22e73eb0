from __future__ import annotations

from django.apps import AppConfig


class CurationConfig(AppConfig):
    name = "backend.curation"
    label = "curation"

    def ready(self) -> None:
        from backend.curation.calibration_reads import find_uncalibrated
        from backend.curation.panel_reads import warn_of_difficulty, warn_of_generic
        from backend.curation.selectors import consensus_rows, read_consensus_labels, read_counters, read_model_votes
        from backend.feedback import consensus
        from backend.projects.counters import register
        from backend.review.queue.registered import register_consensus, register_model_votes
        from backend.runs.obstacles import register_obstacle
        from backend.runs.warnings import register_warning

        register(read_counters)
        register_consensus(consensus_rows)
        register_model_votes(read_model_votes)
        consensus.register_consensus(read_consensus_labels)
        register_obstacle("difficulty", find_uncalibrated)
        register_obstacle("generic", find_uncalibrated)
        register_warning("difficulty", warn_of_difficulty)
        register_warning("generic", warn_of_generic)
