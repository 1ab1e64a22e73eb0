from __future__ import annotations

from django.urls import path

from backend.agreement import api

urlpatterns = [
    path("projects/<slug:slug>/agreement", api.AgreementApi.as_view()),
    path("projects/<slug:slug>/agreement/headline", api.HeadlineApi.as_view()),
    path("projects/<slug:slug>/agreement/confusions", api.ConfusionListApi.as_view()),
    path("projects/<slug:slug>/agreement/annotators", api.AnnotatorAgreementApi.as_view()),
    path("projects/<slug:slug>/agreement/habits", api.HabitListApi.as_view()),
    path("projects/<slug:slug>/agreement/annotators/<int:user_id>", api.AnnotatorFiguresApi.as_view()),
    path("projects/<slug:slug>/agreement/pairs/<int:first>/<int:second>", api.TwoAnnotatorsApi.as_view()),
]
