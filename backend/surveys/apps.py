from __future__ import annotations

from django.apps import AppConfig


class SurveysConfig(AppConfig):
    name = "backend.surveys"
    label = "surveys"
