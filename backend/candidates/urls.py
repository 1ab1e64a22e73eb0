from __future__ import annotations

from django.urls import path

from backend.candidates import api

urlpatterns = [
    path("projects/<slug:slug>/images/counts", api.ImageCountsApi.as_view()),
    path("projects/<slug:slug>/images/<int:image_id>/candidates", api.CandidateListApi.as_view()),
    path("projects/<slug:slug>/images/<int:image_id>/candidates/summary", api.PoolSummaryApi.as_view()),
    path("projects/<slug:slug>/candidates/<int:candidate_id>/restore", api.CandidateRestoreApi.as_view()),
    path("projects/<slug:slug>/candidates/<int:candidate_id>/drop", api.CandidateDropApi.as_view()),
    path("projects/<slug:slug>/funnel", api.FunnelApi.as_view()),
    path("projects/<slug:slug>/funnel/<slug:rule>", api.FunnelExamplesApi.as_view()),
    path("projects/<slug:slug>/web-titles/estimate", api.WebTitlesEstimateApi.as_view()),
]
