from __future__ import annotations

from django.urls import path

from backend.feedback import api

urlpatterns = [
    path("projects/<slug:slug>/annotators/<int:user_id>/judgments", api.JudgedListApi.as_view()),
    path("projects/<slug:slug>/remarks", api.RemarkListApi.as_view()),
    path("projects/<slug:slug>/feedback/counts", api.RemarkCountsApi.as_view()),
    path("projects/<slug:slug>/feedback/batches", api.RemarkBatchApi.as_view()),
    path("projects/<slug:slug>/feedback/templates", api.FeedbackTemplateListApi.as_view()),
    path("projects/<slug:slug>/feedback/templates/<int:template_id>", api.FeedbackTemplateApi.as_view()),
    path("projects/<slug:slug>/feedback/effect", api.FeedbackEffectApi.as_view()),
    path("projects/<slug:slug>/inbox", api.InboxApi.as_view()),
    path("projects/<slug:slug>/inbox/unread", api.UnreadRemarksApi.as_view()),
    path("projects/<slug:slug>/inbox/seen", api.SeenRemarksApi.as_view()),
    path("remarks/<int:remark_id>/answers", api.RemarkAnswerApi.as_view()),
    path("remarks/<int:remark_id>/replies", api.RemarkReplyApi.as_view()),
    path("remarks/<int:remark_id>/withdraw", api.RemarkWithdrawalApi.as_view()),
]
