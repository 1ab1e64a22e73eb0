from __future__ import annotations

from django.urls import path

from backend.curation import api

urlpatterns = [
    path("projects/<slug:slug>/consensus", api.ConsensusSummaryApi.as_view()),
    path("projects/<slug:slug>/images/<int:image_id>/selection", api.SelectionApi.as_view()),
    path("projects/<slug:slug>/images/<int:image_id>/votes", api.VotesListApi.as_view()),
]
