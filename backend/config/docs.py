"""The pages of the API: how to begin, and the operations of each room with runnable examples, made from the schema."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from backend.config.api_reference import ROOMS, Operation, read_operations
from backend.config.site import written_schema
from backend.people.preferences import read_preferences

ENTRY = "src/docs/docs.ts"


@csrf_exempt  # it takes no POST, and says so
@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """How to sign in, read lists and understand errors, and the list of all operations."""
    return _page(request, "docs_start.html", {"rooms": _rooms()})


@csrf_exempt  # it takes no POST, and says so
@require_safe
def room(request: HttpRequest, name: str) -> HttpResponse:
    """The operations of one room. Raises Http404."""
    found = next((each for each in _rooms() if each["name"] == name), None)
    if found is None:
        raise Http404()
    return _page(request, "docs_room.html", {"rooms": _rooms(), "room": found})


def _page(request: HttpRequest, template: str, said: dict[str, Any]) -> HttpResponse:
    site = request.build_absolute_uri("/").rstrip("/")
    look = {"theme": _theme_of(request.user), "schema_url": reverse("schema"), "site": site}
    answer = render(request, template, said | look | _built())
    answer["Cache-Control"] = "no-cache"
    return answer


@cache
def _rooms() -> list[dict[str, Any]]:
    """Every room that has operations, in the order of the work."""
    operations: dict[str, list[Operation]] = {}
    for operation in read_operations(json.loads(written_schema())):
        operations.setdefault(operation.room, []).append(operation)
    return [
        {"name": name, "title": title, "lead": lead, "operations": operations[name]}
        for name, (title, lead) in ROOMS.items()
        if name in operations
    ]


def _theme_of(user: Any) -> str:
    """The theme that the person chose; empty where the browser decides."""
    theme = read_preferences(getattr(user, "preferences", None))["theme"]
    return "" if theme == "system" else str(theme)


def _built() -> dict[str, Any]:
    """The addresses of the page's own style and script, which the build of the front end names by their content."""
    manifest = settings.FRONTEND_DIST / ".vite" / "manifest.json"
    if not manifest.is_file():
        return {}
    entry = json.loads(manifest.read_text(encoding="utf-8")).get(ENTRY, {})
    return {"script": f"/{entry['file']}", "styles": [f"/{name}" for name in entry.get("css", [])]} if entry else {}
