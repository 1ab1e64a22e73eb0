"""Controls sent as a file, over HTTP."""

from __future__ import annotations

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

CONTROLS = "/api/v1/projects/skies/controls"


def send_file(client: APIClient, content: str, name: str = "controls.csv") -> Any:
    sent = {"file": SimpleUploadedFile(name, content.encode())}
    return client.post(f"{CONTROLS}/import", sent, format="multipart")
