from __future__ import annotations

from django.urls import path

from backend.annotation import api

urlpatterns = [
    path("projects/<slug:slug>/assignments/next", api.AssignmentNextApi.as_view()),
    path("projects/<slug:slug>/preview", api.HitPreviewApi.as_view()),
    path("projects/<slug:slug>/annotator-state", api.MyStateApi.as_view()),
    path("projects/<slug:slug>/progress", api.ProgressApi.as_view()),
    path("assignments/<uuid:assignment_id>", api.AssignmentApi.as_view()),
    path("assignments/<uuid:assignment_id>/submit", api.AssignmentSubmitApi.as_view()),
    path("assignments/<uuid:assignment_id>/draft", api.AssignmentDraftApi.as_view()),
    path("assignments/<uuid:assignment_id>/heartbeat", api.AssignmentHeartbeatApi.as_view()),
    path("assignments/<uuid:assignment_id>/return", api.AssignmentReturnApi.as_view()),
    path("assignments/<uuid:assignment_id>/skip", api.AssignmentSkipApi.as_view()),
    path("assignments/<uuid:assignment_id>/judgments/<int:position>", api.JudgmentRevisionApi.as_view()),
    path("projects/<slug:slug>/past-work", api.PastWorkApi.as_view()),
    path("projects/<slug:slug>/past-work/days", api.OwnDaysApi.as_view()),
    path("assignments/<uuid:assignment_id>/past", api.PastHitApi.as_view()),
    path("assignments/<uuid:assignment_id>/suggestions", api.AssignmentSuggestionsApi.as_view()),
]
