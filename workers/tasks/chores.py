"""The tasks of settings.CHORES, which beat calls. Nobody waits for them."""

from __future__ import annotations

from django.conf import settings
from django.utils.module_loading import import_string

from backend.runs.queue import app


def _task_of(name: str, path: str) -> None:
    @app.task(name=name)
    def do() -> object:
        return import_string(path)()


for _name, (_path, _) in settings.CHORES.items():
    _task_of(_name, _path)
