"""What the API takes and gives about webhooks."""

from __future__ import annotations

import json
from typing import Any

from rest_framework import serializers

from backend.webhooks.models import Delivery, DeliveryState, DeliveryTry, DisabledWhy, TryError, Webhook, WebhookEvent


class WebhookIn(serializers.Serializer):
    name = serializers.CharField(max_length=80)
    url = serializers.CharField(
        max_length=500, help_text="An https address on port 443 or 8443, for example https://example.org/hook."
    )
    events = serializers.ListField(child=serializers.ChoiceField(choices=WebhookEvent.choices), min_length=1)


class WebhookChangeIn(serializers.Serializer):
    """Only what changes. An enabled webhook gets new events, none of the time before."""

    name = serializers.CharField(max_length=80, required=False)
    url = serializers.CharField(max_length=500, required=False)
    events = serializers.ListField(
        child=serializers.ChoiceField(choices=WebhookEvent.choices), min_length=1, required=False
    )
    is_enabled = serializers.BooleanField(required=False)


class WebhookOut(serializers.ModelSerializer):
    events = serializers.ListField(child=serializers.ChoiceField(choices=WebhookEvent.choices), read_only=True)
    is_enabled = serializers.SerializerMethodField()
    disabled_why = serializers.ChoiceField(
        choices=[("", "it is enabled"), *DisabledWhy.choices], read_only=True, help_text="Empty: it is enabled."
    )
    old_secret_until = serializers.DateTimeField(
        read_only=True, allow_null=True, help_text="Until then the secret before signs too. Null: there was none."
    )
    succeeded_at = serializers.DateTimeField(
        read_only=True, allow_null=True, help_text="When the receiver last accepted a message. Null: never."
    )

    class Meta:
        model = Webhook
        fields = (
            "id", "name", "url", "events", "is_enabled", "disabled_at", "disabled_why", "succeeded_at",
            "old_secret_until", "created_at",
        )  # fmt: skip
        read_only_fields = fields

    def get_is_enabled(self, hook: Webhook) -> bool:
        return hook.disabled_at is None


class NewWebhookOut(WebhookOut):
    secret = serializers.CharField(read_only=True, help_text="The secret of the signatures. It is shown only once.")

    class Meta:
        model = Webhook
        fields = (*WebhookOut.Meta.fields, "secret")
        read_only_fields = fields


class DeliveryTryOut(serializers.ModelSerializer):
    error = serializers.ChoiceField(
        choices=[("", "it succeeded"), *TryError.choices], read_only=True, help_text="Empty: it succeeded."
    )

    class Meta:
        model = DeliveryTry
        fields = ("at", "ms", "status", "error", "answer")
        read_only_fields = fields


class DeliveryIn(serializers.Serializer):
    state = serializers.ChoiceField(choices=DeliveryState.choices, required=False, help_text="Only these deliveries.")


class DeliveryOut(serializers.ModelSerializer):
    message_id = serializers.CharField(read_only=True, help_text="The header webhook-id.")
    message = serializers.SerializerMethodField(help_text="The body, as JSON.")
    tries = DeliveryTryOut(many=True, read_only=True)

    class Meta:
        model = Delivery
        fields = ("id", "message_id", "event", "state", "created_at", "next_at", "message", "tries")
        read_only_fields = fields

    def get_message(self, delivery: Delivery) -> dict[str, Any]:
        return dict(json.loads(delivery.body))
