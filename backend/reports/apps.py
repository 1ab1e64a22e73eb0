from __future__ import annotations

from django.apps import AppConfig


class ReportsConfig(AppConfig):
    name = "backend.reports"
    label = "reports"

    def ready(self) -> None:
        from backend.reports.dataset_names import allowed_dataset
        from backend.runs.import_roots import CHECKS_BY_PERSON

        CHECKS_BY_PERSON.update(first=allowed_dataset, second=allowed_dataset)
