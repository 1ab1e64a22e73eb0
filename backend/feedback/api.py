"""Remarks over HTTP: a person's inbox and answers; the head annotator's list, words, and what to write them on."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.annotation.models import Judgment
from backend.common.labels import Label
from backend.common.pagination import KeysetPagination, TiedKeysetPagination
from backend.feedback import selectors, services
from backend.feedback.models import Remark, RemarkAnswer
from backend.feedback.serializers import (
    JudgedListIn,
    JudgedOut,
    RemarkAnswerIn,
    RemarkIn,
    RemarkListIn,
    RemarkOut,
    RemarkReplyIn,
    UnreadRemarksOut,
    present_judged,
    present_remark,
)
from backend.projects.selectors import belonging, reviewing
from backend.quality.annotators import get_annotator_state


class InboxApi(ListAPIView):
    """What was written to you, unread first, then the newest, each beside your own judgment."""

    serializer_class = RemarkOut
    pagination_class = TiedKeysetPagination
    keyset = ("-is_unread", "-id")
    queryset = Remark.objects.none()

    def get_queryset(self) -> QuerySet[Remark]:
        project = belonging(user=self.request.user, slug=self.kwargs["slug"])
        return selectors.list_inbox(project=project, user=self.request.user)

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.get_paginated_response(_out_many(self.paginate_queryset(self.get_queryset()) or []))


class UnreadRemarksApi(APIView):
    """How many remarks wait for you."""

    @extend_schema(responses=UnreadRemarksOut)
    def get(self, request: Request, slug: str) -> Response:
        project = belonging(user=request.user, slug=slug)
        n_unread = selectors.count_unread(project=project, user=request.user)
        return Response(UnreadRemarksOut({"n_unread": n_unread}).data)


class RemarkListApi(ListAPIView):
    """What was written on the project, newest first, and what became of it: for curators and head annotators."""

    serializer_class = RemarkOut
    pagination_class = KeysetPagination
    keyset = ("-id",)
    queryset = Remark.objects.none()

    def get_queryset(self) -> QuerySet[Remark]:
        project = reviewing(user=self.request.user, slug=self.kwargs["slug"])
        asked = RemarkListIn(data=self.request.query_params)
        asked.is_valid(raise_exception=True)
        said = asked.validated_data
        return selectors.list_remarks(project=project, annotator=said["annotator"], state=said["waiting"])

    @extend_schema(parameters=[RemarkListIn])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.get_paginated_response(_out_many(self.paginate_queryset(self.get_queryset()) or []))

    @extend_schema(request=RemarkIn, responses={201: RemarkOut})
    def post(self, request: Request, slug: str) -> Response:
        """Write to the person who made a judgment. A hidden control takes no remark: it would tell."""
        project = reviewing(user=request.user, slug=slug)
        sent = RemarkIn(data=request.data)
        sent.is_valid(raise_exception=True)
        said = sent.validated_data
        written = services.write_remark(
            project=project,
            judgment_id=said["judgment"],
            text=said["text"],
            label=Label(said["label"]) if said["label"] else None,
            written_by=request.user,
        )
        return Response(_out_for_reviewer(request, written), status=status.HTTP_201_CREATED)


class RemarkAnswerApi(APIView):
    """Your answer: seen, I agree, or let's talk, with what you want to say."""

    @extend_schema(request=RemarkAnswerIn, responses=RemarkOut)
    def post(self, request: Request, remark_id: int) -> Response:
        remark = selectors.get_own_remark(user=request.user, remark_id=remark_id)
        sent = RemarkAnswerIn(data=request.data)
        sent.is_valid(raise_exception=True)
        said = sent.validated_data
        services.answer_remark(remark=remark, answer=RemarkAnswer(said["answer"]), text=said["text"])
        return Response(_out(selectors.get_own_remark(user=request.user, remark_id=remark_id)))


class RemarkReplyApi(APIView):
    """A word back to the person: for curators and head annotators."""

    @extend_schema(request=RemarkReplyIn, responses={201: RemarkOut})
    def post(self, request: Request, remark_id: int) -> Response:
        remark = selectors.get_reviewed_remark(user=request.user, remark_id=remark_id)
        sent = RemarkReplyIn(data=request.data)
        sent.is_valid(raise_exception=True)
        services.reply_to_remark(remark=remark, text=sent.validated_data["text"], author=request.user)
        return Response(_out_for_reviewer(request, remark), status=status.HTTP_201_CREATED)


class JudgedListApi(ListAPIView):
    """What one person judged, newest first, beside what the others said: for curators and head annotators."""

    serializer_class = JudgedOut
    pagination_class = KeysetPagination
    keyset = ("-id",)
    queryset = Judgment.objects.none()

    def get_queryset(self) -> QuerySet[Judgment]:
        project = reviewing(user=self.request.user, slug=self.kwargs["slug"])
        user_id = get_annotator_state(project=project, user_id=self.kwargs["user_id"]).user_id
        asked = JudgedListIn(data=self.request.query_params)
        asked.is_valid(raise_exception=True)
        return selectors.list_judged(project=project, annotator=user_id, **asked.validated_data)

    @extend_schema(parameters=[JudgedListIn])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        rows = selectors.describe_judged(self.paginate_queryset(self.get_queryset()) or [])
        return self.get_paginated_response(JudgedOut([present_judged(row) for row in rows], many=True).data)


def _out_for_reviewer(request: Request, remark: Remark) -> Any:
    return _out(selectors.get_reviewed_remark(user=request.user, remark_id=remark.pk))


def _out(remark: Remark) -> Any:
    return RemarkOut(present_remark(selectors.show_remarks([remark])[0])).data


def _out_many(found: Any) -> Any:
    return RemarkOut([present_remark(shown) for shown in selectors.show_remarks(found)], many=True).data
