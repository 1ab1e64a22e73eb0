from __future__ import annotations

from django.urls import path

from backend.catalogue import api, polysemy_api

urlpatterns = [
    path("projects/<slug:slug>/images", api.ImageListApi.as_view()),
    path("projects/<slug:slug>/images/<int:image_id>", api.ImageApi.as_view()),
    path("projects/<slug:slug>/corpora", api.CorpusListApi.as_view()),
    path("corpora/<int:corpus_id>", api.CorpusApi.as_view()),
    path("corpora/<int:corpus_id>/shards", api.CorpusShardListApi.as_view()),
    path("projects/<slug:slug>/samples", api.SampleListApi.as_view()),
    path("samples/<int:sample_id>", api.SampleApi.as_view()),
    path("samples/<int:sample_id>/points", api.SamplePointsApi.as_view()),
    path("samples/<int:sample_id>/picks", api.SamplePickListApi.as_view()),
    path("samples/<int:sample_id>/put-in-force", api.SampleForceApi.as_view()),
    path("samples/<int:sample_id>/lift", api.SampleLiftApi.as_view()),
    path("projects/<slug:slug>/polysemy", polysemy_api.PolysemyListApi.as_view()),
    path("projects/<slug:slug>/polysemy/<uuid:run_id>", polysemy_api.PolysemyApi.as_view()),
    path(
        "projects/<slug:slug>/polysemy/<uuid:run_id>/report.json",
        polysemy_api.PolysemyJsonApi.as_view(),
        name="polysemy-json",
    ),
    path(
        "projects/<slug:slug>/polysemy/<uuid:run_id>/report.csv",
        polysemy_api.PolysemyCsvApi.as_view(),
        name="polysemy-csv",
    ),
    path("projects/<slug:slug>/uploads", api.UploadListApi.as_view()),
    path("projects/<slug:slug>/uploads/<uuid:upload_id>", api.UploadApi.as_view()),
]
