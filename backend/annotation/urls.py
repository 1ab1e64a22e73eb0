from __future__ import annotations

from django.urls import path

from backend.annotation import api
from backend.annotation.drafts import api as draft_api
from backend.annotation.past_work import api as past_work_api
from backend.annotation.suggested import api as suggested_api

urlpatterns = [
    path("projects/<slug:slug>/assignments/next", api.AssignmentNextApi.as_view()),
    path("projects/<slug:slug>/preview", api.HitPreviewApi.as_view()),
    path("projects/<slug:slug>/annotator-state", api.MyStateApi.as_view()),
    path("projects/<slug:slug>/progress", api.ProgressApi.as_view()),
    path("assignments/<uuid:assignment_id>", api.AssignmentApi.as_view()),
    path("assignments/<uuid:assignment_id>/submit", api.AssignmentSubmitApi.as_view()),
    path("assignments/<uuid:assignment_id>/draft", draft_api.AssignmentDraftApi.as_view()),
    path("assignments/<uuid:assignment_id>/heartbeat", api.AssignmentHeartbeatApi.as_view()),
    path("assignments/<uuid:assignment_id>/return", api.AssignmentReturnApi.as_view()),
    path("assignments/<uuid:assignment_id>/skip", api.AssignmentSkipApi.as_view()),
    path("assignments/<uuid:assignment_id>/judgments/<int:position>", api.JudgmentRevisionApi.as_view()),
    path("projects/<slug:slug>/past-work", past_work_api.PastWorkApi.as_view()),
    path("assignments/<uuid:assignment_id>/past", past_work_api.PastHitApi.as_view()),
    path("assignments/<uuid:assignment_id>/suggestions", suggested_api.AssignmentSuggestionsApi.as_view()),
]
