from __future__ import annotations

from django.urls import path

from backend.surveys import api

SURVEY = "projects/<slug:slug>/surveys/<int:survey_id>"

urlpatterns = [
    path("s/<str:token>", api.SurveyDoorApi.as_view()),
    path("s/<str:token>/agree", api.SurveyAgreeApi.as_view()),
    path("s/<str:token>/answers/<int:number>", api.SurveyAnswerApi.as_view()),
    path("projects/<slug:slug>/surveys", api.SurveyListApi.as_view()),
    path("projects/<slug:slug>/surveys/models", api.SurveyModelListApi.as_view()),
    path(SURVEY, api.SurveyApi.as_view()),
    path(f"{SURVEY}/preview", api.SurveyPreviewApi.as_view()),
    path(f"{SURVEY}/open", api.SurveyOpenApi.as_view()),
    path(f"{SURVEY}/close", api.SurveyCloseApi.as_view()),
    path(f"{SURVEY}/link", api.SurveyLinkApi.as_view()),
    path(f"{SURVEY}/links", api.SurveyLinkListApi.as_view()),
    path(f"{SURVEY}/results", api.SurveyResultsApi.as_view()),
    path(f"{SURVEY}/participants", api.SurveyParticipantListApi.as_view()),
    path(f"{SURVEY}/pairs.csv", api.SurveyPairFileApi.as_view()),
    path(f"{SURVEY}/participants.csv", api.SurveyParticipantFileApi.as_view()),
    path(f"{SURVEY}/answers.csv", api.SurveyAnswerFileApi.as_view()),
    path(f"{SURVEY}/results.json", api.SurveyJsonApi.as_view()),
]
