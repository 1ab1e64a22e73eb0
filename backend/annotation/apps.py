from __future__ import annotations

from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    name = "backend.annotation"
    label = "annotation"
