from __future__ import annotations

from django.urls import path

from backend.releases import api, public_api

PUBLIC = "public/releases/<str:token>"

urlpatterns = [
    path("projects/<slug:slug>/releases/checklist", api.ReleaseChecklistApi.as_view()),
    path("projects/<slug:slug>/map/releases", api.ReleasesOnMapApi.as_view()),
    path("projects/<slug:slug>/releases", api.ReleaseListApi.as_view()),
    path("releases/<uuid:release_id>", api.ReleaseApi.as_view()),
    path("projects/<slug:slug>/withdrawals", api.WithdrawalListApi.as_view()),
    path("releases/<uuid:release_id>/captions/<str:key>", api.CaptionProvenanceApi.as_view()),
    path("releases/<uuid:release_id>/changes", api.ReleaseChangesApi.as_view()),
    path("releases/<uuid:release_id>/files/<str:name>", api.ReleaseFileApi.as_view(), name="release-file"),
    path("releases/<uuid:release_id>/archive", api.ReleaseArchiveApi.as_view(), name="release-archive"),
    path("releases/<uuid:release_id>/figures", api.ReleaseFiguresApi.as_view()),
    path("releases/<uuid:release_id>/link", api.ReleaseLinkApi.as_view()),
    path("releases/<uuid:release_id>/entries", api.ReleaseEntryListApi.as_view()),
    path("releases/<uuid:release_id>/images/<str:digest>", api.ReleaseImageApi.as_view()),
    path(PUBLIC, public_api.PublicReleaseApi.as_view()),
    path(f"{PUBLIC}/figures", public_api.PublicReleaseFiguresApi.as_view()),
    path(f"{PUBLIC}/entries", public_api.PublicReleaseEntryListApi.as_view()),
    path(f"{PUBLIC}/files/<str:name>", public_api.PublicReleaseFileApi.as_view(), name="public-release-file"),
    path(f"{PUBLIC}/preview.jpg", public_api.PublicReleasePreviewApi.as_view(), name="public-release-preview"),
    path(f"{PUBLIC}/archive", public_api.PublicReleaseArchiveApi.as_view(), name="public-release-archive"),
]
