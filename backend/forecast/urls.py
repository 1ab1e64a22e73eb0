from __future__ import annotations

from django.urls import path

from backend.forecast import api

urlpatterns = [
    path("projects/<slug:slug>/forecast", api.ForecastApi.as_view()),
    path("projects/<slug:slug>/hits/checklist", api.BuildChecklistApi.as_view()),
]
