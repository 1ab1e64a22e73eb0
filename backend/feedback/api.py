"""Feedback over HTTP: a person's inbox and answers; the list, words, templates and effect for the head annotator."""

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
from backend.feedback import effect, selectors, services, templates
from backend.feedback.models import Remark, RemarkAnswer, RemarkState
from backend.feedback.serializers import (
    FeedbackEffectIn,
    FeedbackEffectOut,
    FeedbackTemplateIn,
    FeedbackTemplateOut,
    InboxIn,
    JudgedListIn,
    JudgedOut,
    RemarkAnswerIn,
    RemarkBatchIn,
    RemarkCountsOut,
    RemarkIn,
    RemarkListIn,
    RemarkOut,
    RemarkReplyIn,
    RemarkSentOut,
    RemarksSeenIn,
    UnreadRemarksOut,
    present_counts,
    present_effect,
    present_judged,
    present_own_remark,
    present_remark,
    present_template,
)
from backend.projects.models import Project
from backend.projects.selectors import belonging, curating, reviewing
from backend.quality.annotators import get_annotator_state


class InboxApi(ListAPIView):
    """Feedback to you with your answers: unread first, then the newest."""

    serializer_class = RemarkOut
    pagination_class = TiedKeysetPagination
    keyset = ("-is_unread", "-id")
    queryset = Remark.objects.none()

    def get_queryset(self) -> QuerySet[Remark]:
        project = belonging(user=self.request.user, slug=self.kwargs["slug"])
        asked = InboxIn(data=self.request.query_params)
        asked.is_valid(raise_exception=True)
        return selectors.list_inbox(project=project, user=self.request.user, **asked.validated_data)

    @extend_schema(parameters=[InboxIn])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        found = selectors.show_remarks(self.paginate_queryset(self.get_queryset()) or [])
        return self.get_paginated_response(RemarkOut([present_own_remark(shown) for shown in found], many=True).data)


class UnreadRemarksApi(APIView):
    """The number of your unread messages."""

    @extend_schema(responses=UnreadRemarksOut)
    def get(self, request: Request, slug: str) -> Response:
        project = belonging(user=request.user, slug=slug)
        return Response(_unread(request, project))


class SeenRemarksApi(APIView):
    """Mark feedback as seen. The answer is the number of unread messages."""

    @extend_schema(request=RemarksSeenIn, responses=UnreadRemarksOut)
    def post(self, request: Request, slug: str) -> Response:
        project = belonging(user=request.user, slug=slug)
        sent = RemarksSeenIn(data=request.data)
        sent.is_valid(raise_exception=True)
        shown = [services.Shown(each["id"], each["n_replies"]) for each in sent.validated_data["remarks"]]
        services.mark_seen(project=project, user=request.user, shown=shown)
        return Response(_unread(request, project))


class RemarkListApi(ListAPIView):
    """All feedback of the project with its state, newest first. For curators and head annotators."""

    serializer_class = RemarkOut
    pagination_class = KeysetPagination
    keyset = ("-id",)
    queryset = Remark.objects.none()

    def get_queryset(self) -> QuerySet[Remark]:
        project = reviewing(user=self.request.user, slug=self.kwargs["slug"])
        asked = RemarkListIn(data=self.request.query_params)
        asked.is_valid(raise_exception=True)
        said = asked.validated_data
        state = RemarkState(said.pop("state")) if said["state"] else None
        return selectors.list_remarks(project=project, **said | {"state": state})

    @extend_schema(parameters=[RemarkListIn])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        found = selectors.show_remarks(self.paginate_queryset(self.get_queryset()) or [])
        return self.get_paginated_response(RemarkOut([present_remark(shown) for shown in found], many=True).data)

    @extend_schema(request=RemarkIn, responses={201: RemarkSentOut})
    def post(self, request: Request, slug: str) -> Response:
        """Write feedback to the annotator of a judgment. It is refused on a hidden control."""
        project = reviewing(user=request.user, slug=slug)
        sent = RemarkIn(data=request.data)
        sent.is_valid(raise_exception=True)
        said = sent.validated_data
        if said["is_example"]:
            curating(user=request.user, slug=slug)
        written = services.send_remark(
            project=project,
            judgment_id=said["judgment"],
            text=said["text"],
            label=Label(said["label"]) if said["label"] else None,
            template_id=said["template"],
            written_by=request.user,
            is_for_all=said["is_for_all"],
            is_example=said["is_example"],
        )
        return Response(_sent(request, written), status=status.HTTP_201_CREATED)


class RemarkBatchApi(APIView):
    """One message about several answers of one person: for curators and head annotators."""

    @extend_schema(request=RemarkBatchIn, responses={201: RemarkSentOut})
    def post(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        sent = RemarkBatchIn(data=request.data)
        sent.is_valid(raise_exception=True)
        said = sent.validated_data
        written = services.write_batch(
            project=project,
            annotator_id=said["annotator"],
            text=said["text"],
            judgment_ids=said["judgments"],
            last=said["last"],
            template_id=said["template"],
            written_by=request.user,
        )
        return Response(_sent(request, [written]), status=status.HTTP_201_CREATED)


class RemarkCountsApi(APIView):
    """Remarks by state, and the people in the list. For curators and head annotators."""

    @extend_schema(responses=RemarkCountsOut)
    def get(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        annotators, authors = selectors.list_people(project=project)
        counts = present_counts(selectors.count_remarks(project=project), annotators, authors)
        return Response(RemarkCountsOut(counts).data)


class RemarkAnswerApi(APIView):
    """Answer feedback: got it, I agree, or let's talk, with a text."""

    @extend_schema(request=RemarkAnswerIn, responses=RemarkOut)
    def post(self, request: Request, remark_id: int) -> Response:
        remark = selectors.get_own_remark(user=request.user, remark_id=remark_id)
        sent = RemarkAnswerIn(data=request.data)
        sent.is_valid(raise_exception=True)
        said = sent.validated_data
        services.answer_remark(remark=remark, answer=RemarkAnswer(said["answer"]), text=said["text"])
        shown = selectors.show_remarks([selectors.get_own_remark(user=request.user, remark_id=remark_id)])
        return Response(RemarkOut(present_own_remark(shown[0])).data)


class RemarkReplyApi(APIView):
    """A reply to the person: for curators and head annotators."""

    @extend_schema(request=RemarkReplyIn, responses={201: RemarkOut})
    def post(self, request: Request, remark_id: int) -> Response:
        remark = selectors.get_reviewed_remark(user=request.user, remark_id=remark_id)
        sent = RemarkReplyIn(data=request.data)
        sent.is_valid(raise_exception=True)
        services.reply_to_remark(remark=remark, text=sent.validated_data["text"], author=request.user)
        return Response(RemarkOut(_reviewed(request, remark_id)).data, status=status.HTTP_201_CREATED)


class RemarkWithdrawalApi(APIView):
    """Withdraw feedback. The annotator does not see its text any more. For curators and head annotators."""

    @extend_schema(request=None, responses=RemarkOut)
    def post(self, request: Request, remark_id: int) -> Response:
        remark = selectors.get_reviewed_remark(user=request.user, remark_id=remark_id)
        services.withdraw_remark(remark=remark)
        return Response(RemarkOut(_reviewed(request, remark_id)).data)


class FeedbackTemplateListApi(APIView):
    """Templates: kinds of feedback with a prepared text. For curators and head annotators."""

    @extend_schema(responses=FeedbackTemplateOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        found = [present_template(each) for each in templates.list_templates(project=project)]
        return Response(FeedbackTemplateOut(found, many=True).data)

    @extend_schema(request=FeedbackTemplateIn, responses={201: FeedbackTemplateOut})
    def post(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        sent = FeedbackTemplateIn(data=request.data)
        sent.is_valid(raise_exception=True)
        made = templates.add_template(project=project, **sent.validated_data)
        return Response(FeedbackTemplateOut(present_template(made)).data, status=status.HTTP_201_CREATED)


class FeedbackTemplateApi(APIView):
    """Change or delete a template. Sent feedback keeps its text and its kind."""

    @extend_schema(request=FeedbackTemplateIn, responses=FeedbackTemplateOut)
    def patch(self, request: Request, slug: str, template_id: int) -> Response:
        project = reviewing(user=request.user, slug=slug)
        template = templates.get_template(project=project, template_id=template_id)
        sent = FeedbackTemplateIn(data=request.data, partial=True)
        sent.is_valid(raise_exception=True)
        said = sent.validated_data
        changed = templates.change_template(template=template, name=said.get("name"), text=said.get("text"))
        return Response(FeedbackTemplateOut(present_template(changed)).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, slug: str, template_id: int) -> Response:
        project = reviewing(user=request.user, slug=slug)
        templates.archive_template(template=templates.get_template(project=project, template_id=template_id))
        return Response(status=status.HTTP_204_NO_CONTENT)


class EffectPagination(KeysetPagination):
    page_size = 20
    max_page_size = 50


@extend_schema(parameters=[FeedbackEffectIn])
class FeedbackEffectApi(ListAPIView):
    """Agreement of each annotator before and after each kind of feedback. For curators and heads."""

    serializer_class = FeedbackEffectOut
    pagination_class = EffectPagination
    keyset = ("-id",)
    queryset = Remark.objects.none()

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        project = reviewing(user=request.user, slug=self.kwargs["slug"])
        asked = FeedbackEffectIn(data=request.query_params)
        asked.is_valid(raise_exception=True)
        said = asked.validated_data
        firsts = self.paginate_queryset(effect.list_firsts(project=project, annotator=said["annotator"])) or []
        found = effect.describe_effects(project=project, firsts=firsts, n=said["n"])
        return self.get_paginated_response(FeedbackEffectOut([present_effect(each) for each in found], many=True).data)


class JudgedListApi(ListAPIView):
    """The answers of one annotator, newest first, with the answers of others. For curators and head annotators."""

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


def _unread(request: Request, project: Project) -> Any:
    return UnreadRemarksOut({"n_unread": selectors.count_unread(project=project, user=request.user)}).data


def _reviewed(request: Request, remark_id: int) -> dict[str, Any]:
    remark = selectors.get_reviewed_remark(user=request.user, remark_id=remark_id)
    return present_remark(selectors.show_remarks([remark])[0])


def _sent(request: Request, written: list[Remark]) -> Any:
    return RemarkSentOut(_reviewed(request, written[0].pk) | {"n_sent": len(written)}).data
