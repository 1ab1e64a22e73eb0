from __future__ import annotations

from django.urls import path

from backend.foreign import api

urlpatterns = [
    path("projects/<slug:slug>/judgments/import", api.JudgmentImportApi.as_view()),
]
