from __future__ import annotations

from django.urls import path

from backend.feedback import api

urlpatterns = [
    path("projects/<slug:slug>/annotators/<int:user_id>/judgments", api.JudgedListApi.as_view()),
    path("projects/<slug:slug>/remarks", api.RemarkListApi.as_view()),
    path("projects/<slug:slug>/inbox", api.InboxApi.as_view()),
    path("projects/<slug:slug>/inbox/unread", api.UnreadRemarksApi.as_view()),
    path("remarks/<int:remark_id>/answers", api.RemarkAnswerApi.as_view()),
    path("remarks/<int:remark_id>/replies", api.RemarkReplyApi.as_view()),
]
