from __future__ import annotations

from django.apps import AppConfig


class ControlsConfig(AppConfig):
    name = "backend.controls"
    label = "controls"
