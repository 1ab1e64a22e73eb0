from __future__ import annotations

from django.urls import path

from backend.review import api

urlpatterns = [
    path("projects/<slug:slug>/verdicts", api.VerdictListApi.as_view()),
    path("projects/<slug:slug>/agreement", api.AgreementApi.as_view()),
    path("projects/<slug:slug>/agreement/annotators", api.AnnotatorAgreementApi.as_view()),
]
