from __future__ import annotations

from django.urls import path

from backend.exports import api

urlpatterns = [
    path("projects/<slug:slug>/exports", api.ExportListApi.as_view()),
    path("exports/<uuid:export_id>", api.ExportApi.as_view()),
    path("exports/<uuid:export_id>/cancel", api.ExportCancelApi.as_view()),
    path("exports/<uuid:export_id>/file", api.ExportFileApi.as_view(), name="export-file"),
    path("projects/<slug:slug>/judgments", api.JudgmentListApi.as_view()),
    path("projects/<slug:slug>/judgments/annotators", api.AnnotatorRowListApi.as_view()),
]
