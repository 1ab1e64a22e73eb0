from __future__ import annotations

from django.urls import path

from backend.catalogue import api

urlpatterns = [
    path("projects/<slug:slug>/images", api.ImageListApi.as_view()),
    path("projects/<slug:slug>/images/<int:image_id>", api.ImageApi.as_view()),
    path("projects/<slug:slug>/corpora", api.CorpusListApi.as_view()),
    path("corpora/<int:corpus_id>", api.CorpusApi.as_view()),
    path("corpora/<int:corpus_id>/shards", api.CorpusShardListApi.as_view()),
    path("projects/<slug:slug>/uploads", api.UploadListApi.as_view()),
    path("projects/<slug:slug>/uploads/<uuid:upload_id>", api.UploadApi.as_view()),
]
