"""A page judged over HTTP by a client: addresses, answers, and how they are sent."""

from __future__ import annotations

from typing import Any

from rest_framework.response import Response
from rest_framework.test import APIClient

NEXT = "/api/v1/projects/skies/assignments/next"
PROGRESS = "/api/v1/projects/skies/progress"
MY_STATE = "/api/v1/projects/skies/annotator-state"
ANSWERS = [
    {"position": 1, "label": "good", "ms": 1200},
    {"position": 2, "label": "bad"},
    {"position": 3, "label": "unsure"},
]


def send(client: APIClient, page: str, *, key: str | None = "one", **body: Any) -> Response:
    headers = {} if key is None else {"Idempotency-Key": key}
    return client.post(f"/api/v1/assignments/{page}/submit", {"judgments": ANSWERS} | body, headers=headers)
