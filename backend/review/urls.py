from __future__ import annotations

from django.urls import path

from backend.review import api
from backend.review.queue import api as queue_api

urlpatterns = [
    path("projects/<slug:slug>/verdicts", api.VerdictListApi.as_view()),
    path("projects/<slug:slug>/review/settings", queue_api.ReviewSettingsApi.as_view()),
    path("projects/<slug:slug>/review/counts", queue_api.ReviewCountsApi.as_view()),
    path("projects/<slug:slug>/review/cases", queue_api.ReviewCaseListApi.as_view()),
    path("projects/<slug:slug>/review/next", queue_api.ReviewNextApi.as_view()),
    path("projects/<slug:slug>/review/cases/<int:case_id>", queue_api.ReviewCaseApi.as_view()),
    path("projects/<slug:slug>/review/cases/<int:case_id>/lease", queue_api.ReviewLeaseApi.as_view()),
    path("projects/<slug:slug>/review/cases/<int:case_id>/decisions", queue_api.ReviewDecisionApi.as_view()),
    path("projects/<slug:slug>/review/decisions", queue_api.ReviewDecisionsApi.as_view()),
    path("projects/<slug:slug>/review/undo", queue_api.ReviewUndoApi.as_view()),
    path("projects/<slug:slug>/review/disputes", queue_api.DisputeListApi.as_view()),
    path("projects/<slug:slug>/review/pages/summary", queue_api.PageSummaryApi.as_view()),
    path("projects/<slug:slug>/review/gate", queue_api.GateApi.as_view()),
    path("projects/<slug:slug>/review/gate/<int:user_id>/release", queue_api.GateReleaseApi.as_view()),
    path("projects/<slug:slug>/review/heads", queue_api.HeadsApi.as_view()),
]
