from __future__ import annotations

from django.urls import path

from backend.projects import api

urlpatterns = [
    path("projects", api.ProjectListApi.as_view()),
    path("projects/<slug:slug>", api.ProjectApi.as_view()),
    path("projects/<slug:slug>/members", api.MemberListApi.as_view()),
    path("projects/<slug:slug>/members/<int:member_id>", api.MemberApi.as_view()),
    path("projects/<slug:slug>/members/<int:member_id>/reset-link", api.MemberResetLinkApi.as_view()),
    path("projects/<slug:slug>/history", api.HistoryApi.as_view()),
    path("projects/<slug:slug>/history/<int:entry_id>", api.HistoryEntryApi.as_view()),
    path("projects/<slug:slug>/invitations", api.InvitationListApi.as_view()),
    path("projects/<slug:slug>/invitations/batch", api.InvitationBatchApi.as_view()),
    path("projects/<slug:slug>/invitations/batch/<int:batch_id>", api.InvitationBatchLinksApi.as_view()),
    path("projects/<slug:slug>/invitations/<int:invitation_id>", api.InvitationApi.as_view()),
    path("invitations/<str:token>", api.InvitationDoorApi.as_view()),
    path("invitations/<str:token>/accept", api.InvitationAcceptApi.as_view()),
]
