from __future__ import annotations

from django.urls import path

from backend.erasure import api

urlpatterns = [
    path("me/export", api.OwnDataApi.as_view()),
    path("me/erase", api.EraseMeApi.as_view()),
    path("projects/<slug:slug>/members/<int:member_id>/erase", api.EraseMemberApi.as_view()),
    path("projects/<slug:slug>/delete", api.DeleteProjectApi.as_view()),
]
