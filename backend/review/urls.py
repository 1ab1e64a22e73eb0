from __future__ import annotations

from django.urls import path

from backend.review import api, remarks_api

urlpatterns = [
    path("projects/<slug:slug>/verdicts", api.VerdictListApi.as_view()),
    path("projects/<slug:slug>/agreement", api.AgreementApi.as_view()),
    path("projects/<slug:slug>/agreement/annotators", api.AnnotatorAgreementApi.as_view()),
    path("projects/<slug:slug>/annotators/<int:user_id>/judgments", remarks_api.JudgedListApi.as_view()),
    path("projects/<slug:slug>/remarks", remarks_api.RemarkListApi.as_view()),
    path("projects/<slug:slug>/inbox", remarks_api.InboxApi.as_view()),
    path("projects/<slug:slug>/inbox/unread", remarks_api.UnreadRemarksApi.as_view()),
    path("remarks/<int:remark_id>/answers", remarks_api.RemarkAnswerApi.as_view()),
    path("remarks/<int:remark_id>/replies", remarks_api.RemarkReplyApi.as_view()),
]
