from __future__ import annotations

from django.apps import AppConfig


class CommonConfig(AppConfig):
    name = "backend.common"
    label = "common"

    def ready(self) -> None:
        from backend.common import checks  # noqa: F401  (it registers its checks)
        from backend.common.strict_fields import be_strict

        be_strict()
