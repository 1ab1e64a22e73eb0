from __future__ import annotations

from django.apps import AppConfig


class CandidatesConfig(AppConfig):
    name = "backend.candidates"
    label = "candidates"
