from __future__ import annotations

from django.urls import path

from backend.qualification import api

urlpatterns = [
    path("projects/<slug:slug>/guidelines/examples", api.GuidelineExamplesApi.as_view()),
    path("projects/<slug:slug>/qualification", api.QualificationApi.as_view()),
    path("projects/<slug:slug>/qualification/mine", api.MyQualificationApi.as_view()),
    path("projects/<slug:slug>/qualification/guidelines-read", api.GuidelinesReadApi.as_view()),
    path("projects/<slug:slug>/qualification/quiz", api.QuizApi.as_view()),
    path("projects/<slug:slug>/qualification/quiz/<int:number>", api.QuizAttemptApi.as_view()),
    path("projects/<slug:slug>/qualification/quiz/<int:number>/answers", api.QuizAnswersApi.as_view()),
    path("projects/<slug:slug>/qualification/attempts", api.QuizAttemptListApi.as_view()),
]
