from __future__ import annotations

from django.urls import path

from backend.annotation import api

urlpatterns = [
    path("projects/<slug:slug>/assignments/next", api.AssignmentNextApi.as_view()),
    path("projects/<slug:slug>/progress", api.ProgressApi.as_view()),
    path("assignments/<uuid:assignment_id>", api.AssignmentApi.as_view()),
    path("assignments/<uuid:assignment_id>/submit", api.AssignmentSubmitApi.as_view()),
    path("assignments/<uuid:assignment_id>/return", api.AssignmentReturnApi.as_view()),
    path("assignments/<uuid:assignment_id>/judgments/<int:position>", api.JudgmentRevisionApi.as_view()),
]
