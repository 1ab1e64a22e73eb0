from __future__ import annotations

from django.urls import path

from backend.reports import api, overview_api

REPORT = "projects/<slug:slug>/diversity/<uuid:run_id>"

urlpatterns = [
    path("projects/<slug:slug>/overview", overview_api.OverviewApi.as_view()),
    path("projects/<slug:slug>/diversity", api.DiversityListApi.as_view()),
    path("projects/<slug:slug>/diversity/datasets", api.ComparableListApi.as_view()),
    path(REPORT, api.DiversityApi.as_view()),
    path(f"{REPORT}/report.json", api.DiversityJsonApi.as_view(), name="diversity-json"),
    path(f"{REPORT}/report.csv", api.DiversityCsvApi.as_view(), name="diversity-csv"),
    path(f"{REPORT}/images.csv", api.DiversityImagesApi.as_view(), name="diversity-images"),
    path(f"{REPORT}/report.svg", api.DiversitySvgApi.as_view(), name="diversity-svg"),
]
