from __future__ import annotations

from django.apps import AppConfig


class CatalogueConfig(AppConfig):
    name = "backend.catalogue"
    label = "catalogue"

    def ready(self) -> None:
        from backend.catalogue.corpora_reads import count_corpora
        from backend.catalogue.selectors import count_images
        from backend.projects.counters import register

        register(count_images)
        register(count_corpora)
