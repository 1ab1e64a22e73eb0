from __future__ import annotations

from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "backend.webhooks"
    label = "webhooks"
