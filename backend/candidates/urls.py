from __future__ import annotations

from django.urls import path

from backend.candidates import api, queries_api, retrieval_api

urlpatterns = [
    path("projects/<slug:slug>/images/counts", api.ImageCountsApi.as_view()),
    path("projects/<slug:slug>/images/<int:image_id>/candidates", api.CandidateListApi.as_view()),
    path("projects/<slug:slug>/images/<int:image_id>/candidates/summary", api.PoolSummaryApi.as_view()),
    path("projects/<slug:slug>/candidates/<int:candidate_id>/restore", api.CandidateRestoreApi.as_view()),
    path("projects/<slug:slug>/candidates/<int:candidate_id>/drop", api.CandidateDropApi.as_view()),
    path("projects/<slug:slug>/funnel", api.FunnelApi.as_view()),
    path("projects/<slug:slug>/funnel/<slug:rule>", api.FunnelExamplesApi.as_view()),
    path("projects/<slug:slug>/web-titles/estimate", api.WebTitlesEstimateApi.as_view()),
    path("projects/<slug:slug>/queries", queries_api.QueryListApi.as_view()),
    path("projects/<slug:slug>/queries/<int:query_id>", queries_api.QueryApi.as_view()),
    path("projects/<slug:slug>/queries/<int:query_id>/images", queries_api.QueryPairListApi.as_view()),
    path("projects/<slug:slug>/pools", retrieval_api.PoolListApi.as_view()),
    path("projects/<slug:slug>/images/<int:image_id>/pool", retrieval_api.PoolApi.as_view()),
    path("projects/<slug:slug>/candidates/<int:candidate_id>/neighbour", retrieval_api.NeighbourPictureApi.as_view()),
    path("projects/<slug:slug>/suspects", retrieval_api.SuspectListApi.as_view()),
    path("projects/<slug:slug>/suspects/counts", retrieval_api.SuspectCountsApi.as_view()),
    path("projects/<slug:slug>/suspects/keep-out", retrieval_api.SuspectsKeepOutApi.as_view()),
    path("projects/<slug:slug>/suspects.csv", retrieval_api.SuspectCsvApi.as_view()),
    path("suspects/<int:suspect_id>/decisions", retrieval_api.SuspectDecisionApi.as_view()),
    path("suspects/<int:suspect_id>/picture", retrieval_api.SuspectPictureApi.as_view()),
]
