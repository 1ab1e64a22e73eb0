"""Examples of the API's answers about webhooks, for its reference."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiExample

WEBHOOK = {
    "id": 4,
    "name": "Nightly training",
    "url": "https://example.org/hooks/connote",
    "events": ["release.created", "run.failed"],
    "is_enabled": True,
    "disabled_at": None,
    "disabled_why": "",
    "succeeded_at": "2026-11-20T09:30:00Z",
    "old_secret_until": None,
    "created_at": "2026-11-02T08:00:00Z",
}
MESSAGE = {
    "type": "release.created",
    "timestamp": "2026-11-20T09:29:58.120Z",
    "data": {
        "project": "photographs",
        "release": "0b6f2c0e-3c5b-4a39-9d0b-5f4f6f1f7a10",
        "version": 3,
        "label": "1.2.0",
    },
}
DELIVERY = {
    "id": 91,
    "message_id": "msg_7f3ad0a9c4b24b0fb1f2ad6f4a1c9e55",
    "event": "release.created",
    "state": "delivered",
    "created_at": "2026-11-20T09:29:58Z",
    "next_at": None,
    "message": MESSAGE,
    "tries": [{"at": "2026-11-20T09:30:00Z", "ms": 184, "status": 204, "error": "", "answer": ""}],
}
CHOSEN = {name: WEBHOOK[name] for name in ("name", "url", "events")}

MAKE = OpenApiExample("Make a webhook", CHOSEN, request_only=True)
CHANGE = OpenApiExample("Disable a webhook", {"is_enabled": False}, request_only=True)
ONE = OpenApiExample("A webhook", WEBHOOK, response_only=True)
NEW = OpenApiExample(
    "A webhook with its secret",
    {**WEBHOOK, "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="},
    response_only=True,
    status_codes=["200", "201"],
)
ONE_DELIVERY = OpenApiExample("A delivery", DELIVERY, response_only=True, status_codes=["200", "202"])
