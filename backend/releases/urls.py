from __future__ import annotations

from django.urls import path

from backend.releases import api

urlpatterns = [
    path("projects/<slug:slug>/releases", api.ReleaseListApi.as_view()),
    path("releases/<uuid:release_id>", api.ReleaseApi.as_view()),
    path("releases/<uuid:release_id>/files/<str:name>", api.ReleaseFileApi.as_view(), name="release-file"),
    path("releases/<uuid:release_id>/entries", api.ReleaseEntryListApi.as_view()),
    path("releases/<uuid:release_id>/images/<str:digest>", api.ReleaseImageApi.as_view()),
]
