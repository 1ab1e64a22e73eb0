from __future__ import annotations

from django.urls import path

from backend.benchmarks import api

OF_RELEASE = "projects/<slug:slug>/releases/<uuid:release_id>/benchmarks"

urlpatterns = [
    path(OF_RELEASE, api.LeaderboardApi.as_view()),
    path(f"{OF_RELEASE}/export", api.LeaderboardFileApi.as_view()),
    path(f"{OF_RELEASE}/published", api.PublishedListApi.as_view()),
    path("benchmarks/compare", api.ComparisonApi.as_view()),
    path("benchmarks/published/<uuid:table_id>", api.PublishedApi.as_view()),
    path("benchmarks/<uuid:evaluation_id>", api.EvaluationApi.as_view()),
    path("benchmarks/<uuid:evaluation_id>/queries", api.QueryListApi.as_view()),
    path("benchmarks/<uuid:evaluation_id>/files/<str:name>", api.EvaluationFileApi.as_view(), name="benchmark-file"),
]
