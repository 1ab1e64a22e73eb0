from __future__ import annotations

from django.urls import path

from backend.webhooks import api

WEBHOOK = "projects/<slug:slug>/webhooks/<int:webhook_id>"

urlpatterns = [
    path("projects/<slug:slug>/webhooks", api.WebhookListApi.as_view()),
    path(WEBHOOK, api.WebhookApi.as_view()),
    path(f"{WEBHOOK}/secret", api.WebhookSecretApi.as_view()),
    path(f"{WEBHOOK}/test", api.WebhookTestApi.as_view()),
    path(f"{WEBHOOK}/deliveries", api.DeliveryListApi.as_view()),
    path(f"{WEBHOOK}/deliveries/<int:delivery_id>", api.DeliveryApi.as_view()),
    path(f"{WEBHOOK}/deliveries/<int:delivery_id>/again", api.DeliveryAgainApi.as_view()),
]
