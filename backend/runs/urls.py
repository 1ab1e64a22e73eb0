from __future__ import annotations

from django.urls import path

from backend.runs import api

urlpatterns = [
    path("projects/<slug:slug>/walk", api.WalkApi.as_view()),
    path("projects/<slug:slug>/runs", api.RunListApi.as_view()),
    path("runs/<uuid:run_id>", api.RunApi.as_view()),
    path("runs/<uuid:run_id>/cancel", api.RunCancelApi.as_view()),
    path("runs/<uuid:run_id>/retry", api.RunRetryApi.as_view()),
    path("runs/<uuid:run_id>/refusals", api.RefusalListApi.as_view()),
]
