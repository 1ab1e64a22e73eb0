"""Every address of the house. Rooms bring their own; what is nobody's is the front end's."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path, re_path

from backend.config import docs, health, site

# Addresses are tried one after the other, so what is asked for most comes first.
ROOMS = (
    "qualification",
    "annotation",
    "controls",
    "quality",
    "forecast",
    "foreign",
    "people",
    "projects",
    "webhooks",
    "runs",
    "catalogue",
    "candidates",
    "agreement",
    "feedback",
    "review",
    "curation",
    "surveys",
    "releases",
    "reports",
    "benchmarks",
    "exports",
    "erasure",
)

urlpatterns = [
    path("health/live", health.live),
    path("health/ready", health.ready),
    path("version", health.version),
    path("metrics", health.metrics),
    path("api/schema", site.schema, name="schema"),
    path("api/docs", docs.start, name="docs"),
    path("api/docs/<slug:name>", docs.room, name="docs-room"),
    re_path(r"^api/v1/$", site.index),
    *(path("api/v1/", include(f"backend.{room}.urls")) for room in ROOMS),
    re_path(r"^api/", site.no_such_address),
    path("media/", include("backend.catalogue.media_urls")),
    path("r/<str:token>", site.release_page),
    path("admin/", admin.site.urls),
    re_path(r"^(?!assets/|static/|media/).*$", site.front_end),
]
handler400 = site.bad_request
handler404 = site.not_found
handler500 = site.server_error
