"""A project's webhooks and what was sent to them. For curators only: messages tell of the whole project."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.projects.selectors import curating
from backend.webhooks import selectors, services
from backend.webhooks.models import Delivery, DeliveryState, Webhook
from backend.webhooks.serializers import (
    DeliveryIn,
    DeliveryOut,
    NewWebhookOut,
    WebhookChangeIn,
    WebhookIn,
    WebhookOut,
)


class WebhookListApi(ListAPIView):
    serializer_class = WebhookOut
    queryset = Webhook.objects.none()
    keyset = ("-id",)

    def get_queryset(self) -> QuerySet[Webhook]:
        return selectors.list_webhooks(project=curating(user=self.request.user, slug=self.kwargs["slug"]))

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The webhooks of the project, without their secrets. For curators."""
        return super().get(request, *args, **kwargs)

    @method_decorator(never_cache)
    @extend_schema(request=WebhookIn, responses={201: NewWebhookOut})
    def post(self, request: Request, slug: str) -> Response:
        """Make a webhook. The answer shows its secret once."""
        project = curating(user=request.user, slug=slug)
        sent = WebhookIn(data=request.data)
        sent.is_valid(raise_exception=True)
        hook = services.create_webhook(project=project, by=request.user, **sent.validated_data)
        return Response(NewWebhookOut(hook).data, status=status.HTTP_201_CREATED)


class WebhookApi(APIView):
    @extend_schema(responses=WebhookOut)
    def get(self, request: Request, slug: str, webhook_id: int) -> Response:
        """One webhook of the project. For curators."""
        return Response(WebhookOut(_curated(request, slug, webhook_id)).data)

    @extend_schema(request=WebhookChangeIn, responses=WebhookOut)
    def patch(self, request: Request, slug: str, webhook_id: int) -> Response:
        """Change, enable or disable a webhook. For curators."""
        hook = _curated(request, slug, webhook_id)
        sent = WebhookChangeIn(data=request.data)
        sent.is_valid(raise_exception=True)
        return Response(
            WebhookOut(services.change_webhook(webhook=hook, changes=sent.validated_data, by=request.user)).data
        )

    @extend_schema(request=None, responses={204: None})
    def delete(self, request: Request, slug: str, webhook_id: int) -> Response:
        """Delete a webhook with its deliveries. For curators."""
        services.delete_webhook(webhook=_curated(request, slug, webhook_id), by=request.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class WebhookSecretApi(APIView):
    @method_decorator(never_cache)
    @extend_schema(request=None, responses=NewWebhookOut)
    def post(self, request: Request, slug: str, webhook_id: int) -> Response:
        """Give a webhook a new secret. The earlier secret signs too for 24 hours."""
        hook = services.renew_secret(webhook=_curated(request, slug, webhook_id), by=request.user)
        return Response(NewWebhookOut(hook).data)


class WebhookTestApi(APIView):
    @extend_schema(request=None, responses={202: DeliveryOut})
    def post(self, request: Request, slug: str, webhook_id: int) -> Response:
        """Send a test message to a webhook. It is tried once."""
        delivery = services.send_test(webhook=_curated(request, slug, webhook_id))
        return Response(DeliveryOut(delivery).data, status=status.HTTP_202_ACCEPTED)


class DeliveryListApi(ListAPIView):
    serializer_class = DeliveryOut
    queryset = Delivery.objects.none()
    keyset = ("-id",)

    def get_queryset(self) -> QuerySet[Delivery]:
        hook = _curated(self.request, self.kwargs["slug"], self.kwargs["webhook_id"])
        asked = DeliveryIn(data=self.request.query_params)
        asked.is_valid(raise_exception=True)
        state = asked.validated_data.get("state")
        return selectors.list_deliveries(webhook=hook, state=state and DeliveryState(state))

    @extend_schema(parameters=[DeliveryIn])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The messages to a webhook in the last 30 days, newest first, with every try."""
        return super().get(request, *args, **kwargs)


class DeliveryApi(APIView):
    @extend_schema(responses=DeliveryOut)
    def get(self, request: Request, slug: str, webhook_id: int, delivery_id: int) -> Response:
        """One message to a webhook, with every try."""
        hook = _curated(request, slug, webhook_id)
        return Response(DeliveryOut(selectors.get_delivery(webhook=hook, delivery_id=delivery_id)).data)


class DeliveryAgainApi(APIView):
    @extend_schema(request=None, responses={202: DeliveryOut})
    def post(self, request: Request, slug: str, webhook_id: int, delivery_id: int) -> Response:
        """Send a message again. It keeps its webhook-id."""
        hook = _curated(request, slug, webhook_id)
        delivery = services.send_again(delivery=selectors.get_delivery(webhook=hook, delivery_id=delivery_id))
        return Response(DeliveryOut(delivery).data, status=status.HTTP_202_ACCEPTED)


def _curated(request: Request, slug: str, webhook_id: int) -> Webhook:
    return selectors.get_webhook(project=curating(user=request.user, slug=slug), webhook_id=webhook_id)
