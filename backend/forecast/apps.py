from __future__ import annotations

from django.apps import AppConfig


class ForecastConfig(AppConfig):
    name = "backend.forecast"
    label = "forecast"
