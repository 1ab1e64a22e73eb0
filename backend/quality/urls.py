from __future__ import annotations

from django.urls import path

from backend.quality import api

urlpatterns = [
    path("projects/<slug:slug>/policies", api.PolicyListApi.as_view()),
    path("projects/<slug:slug>/policies/defaults", api.PolicyDefaultsApi.as_view()),
    path("projects/<slug:slug>/policies/<int:version>", api.PolicyApi.as_view()),
    path("projects/<slug:slug>/policies/<int:version>/preview", api.PolicyPreviewApi.as_view()),
    path("projects/<slug:slug>/policies/<int:version>/apply", api.PolicyApplyApi.as_view()),
    path("projects/<slug:slug>/annotators", api.AnnotatorListApi.as_view()),
    path("projects/<slug:slug>/annotators/<int:user_id>", api.AnnotatorApi.as_view()),
    path("projects/<slug:slug>/annotators/<int:user_id>/state", api.AnnotatorStateApi.as_view()),
]
