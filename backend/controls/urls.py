from __future__ import annotations

from django.urls import path

from backend.controls import api

urlpatterns = [
    path("projects/<slug:slug>/controls", api.ControlListApi.as_view()),
    path("projects/<slug:slug>/controls/import", api.ControlImportApi.as_view()),
    path("projects/<slug:slug>/controls/supply", api.ControlSupplyApi.as_view()),
    path("projects/<slug:slug>/controls/<int:control_id>", api.ControlApi.as_view()),
]
