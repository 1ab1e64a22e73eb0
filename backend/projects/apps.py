from __future__ import annotations

from django.apps import AppConfig


class ProjectsConfig(AppConfig):
    name = "backend.projects"
    label = "projects"
