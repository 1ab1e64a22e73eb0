"""The page of the API: Swagger UI in the look of the site, with a way back to it."""

from __future__ import annotations

import json
from typing import Any

from django.conf import settings
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.request import Request
from rest_framework.response import Response

from backend.people.preferences import read_preferences

ENTRY = "src/docs/docs.ts"


class DocsView(SpectacularSwaggerSplitView):
    url_name = "schema"
    template_name = "docs.html"

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        answer: Response = super().get(request, *args, **kwargs)  # type: ignore[no-untyped-call]
        if "script_url" in answer.data:
            look = {"theme": _theme_of(request.user), "schema_url": reverse("schema")}
            answer.data |= look | _built()
        return answer


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
