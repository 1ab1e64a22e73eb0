"""The review queue over HTTP: for curators and head annotators of the project."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.common.files import csv_file
from backend.common.pagination import TiedKeysetPagination
from backend.projects.selectors import reviewing
from backend.review.models import PairTally, ReviewCase
from backend.review.queue import cases, counts, disputes, figures, gate, leases, rules
from backend.review.queue.decisions import decide, decide_many, undo
from backend.review.queue.filling import fill_if_old
from backend.review.queue.serializers import (
    CaseDecisionIn,
    CaseDecisionOut,
    CaseDecisionsIn,
    CaseDecisionsOut,
    DisputeListIn,
    DisputeOut,
    GateOut,
    GateReleaseIn,
    HeadsOut,
    PagesOfPersonOut,
    ReviewCaseDetailOut,
    ReviewCaseListIn,
    ReviewCaseOut,
    ReviewCountsOut,
    ReviewNextIn,
    ReviewSettingsOut,
    UndoIn,
    present_case,
    present_detail,
    present_dispute,
)


class ReviewSettingsApi(APIView):
    """What comes into the review queue, and after how many assignments new annotators wait for a review."""

    @extend_schema(responses=ReviewSettingsOut)
    def get(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        return Response(ReviewSettingsOut(rules.read_settings(project=project)).data)

    @extend_schema(request=ReviewSettingsOut, responses=ReviewSettingsOut)
    def patch(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        sent = ReviewSettingsOut(data=request.data, partial=True)
        sent.is_valid(raise_exception=True)
        found = rules.change_settings(project=project, changes=dict(sent.validated_data), by=request.user)
        return Response(ReviewSettingsOut(found).data)


class ReviewCountsApi(APIView):
    """The number of open cases. The queue is filled first if that was more than ten seconds ago."""

    @extend_schema(responses=ReviewCountsOut)
    def get(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        fill_if_old(project=project)
        return Response(ReviewCountsOut(counts.read_counts(project=project, reader=request.user)).data)


class CasePages(TiedKeysetPagination):
    """Each case has two addresses of thumbnails, so that 200 are 200 kB."""

    max_page_size = 200


class ReviewCaseListApi(ListAPIView):
    """The cases of the queue."""

    serializer_class = ReviewCaseOut
    pagination_class = CasePages
    queryset = ReviewCase.objects.none()

    @property
    def keyset(self) -> tuple[str, ...]:
        asked = self._asked()
        return cases.keyset_of(asked["state"], asked["order"])

    def get_queryset(self) -> QuerySet[ReviewCase]:
        self.project = reviewing(user=self.request.user, slug=self.kwargs["slug"])
        return cases.list_cases(project=self.project, reader=self.request.user, **self._asked())

    def _asked(self) -> dict[str, Any]:
        asked = ReviewCaseListIn(data=self.request.query_params)
        asked.is_valid(raise_exception=True)
        return dict(asked.validated_data)

    @extend_schema(parameters=[ReviewCaseListIn])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        found = self.get_queryset()
        fill_if_old(project=self.project)
        page = self.paginate_queryset(found) or []
        rows = cases.describe(project=self.project, cases=page)
        return self.get_paginated_response(ReviewCaseOut([present_case(row) for row in rows], many=True).data)


class ReviewNextApi(APIView):
    """Get the next case, leased to you for ten minutes. 204 if there is none."""

    @extend_schema(request=ReviewNextIn, responses={200: ReviewCaseDetailOut, 204: None})
    def post(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        sent = ReviewNextIn(data=request.data)
        sent.is_valid(raise_exception=True)
        fill_if_old(project=project)
        found = leases.lease_next(project=project, reader=request.user, **sent.validated_data)
        if found is None:
            return Response(status=status.HTTP_204_NO_CONTENT)
        return _detail(request, slug, found.pk)


class ReviewCaseApi(APIView):
    @extend_schema(responses=ReviewCaseDetailOut)
    def get(self, request: Request, slug: str, case_id: int) -> Response:
        """One case with its evidence."""
        return _detail(request, slug, case_id)


class ReviewLeaseApi(APIView):
    """Take a case for ten minutes, or give it back."""

    @extend_schema(request=None, responses=ReviewCaseDetailOut)
    def post(self, request: Request, slug: str, case_id: int) -> Response:
        project = reviewing(user=request.user, slug=slug)
        case = cases.get_case(project=project, case_id=case_id, reader=request.user)
        leases.lease_case(case=case, reader=request.user)
        return _detail(request, slug, case_id)

    @extend_schema(request=None, responses={204: None})
    def delete(self, request: Request, slug: str, case_id: int) -> Response:
        project = reviewing(user=request.user, slug=slug)
        case = cases.get_case(project=project, case_id=case_id, reader=request.user)
        leases.release_case(project=project, case_id=case.pk, reader=request.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class ReviewDecisionApi(APIView):
    """Settle, accept, return, ask for more judgments, or take the case out of the queue."""

    @extend_schema(request=CaseDecisionIn, responses=CaseDecisionOut)
    def post(self, request: Request, slug: str, case_id: int) -> Response:
        project = reviewing(user=request.user, slug=slug)
        sent = CaseDecisionIn(data=request.data)
        sent.is_valid(raise_exception=True)
        case = cases.get_case(project=project, case_id=case_id, reader=request.user)
        done = decide(project=project, case=case, decided_by=request.user, **sent.validated_data)
        told = {"case": _case(request, project, case_id), "undo": {"token": done.token, "until": done.until}}
        return Response(CaseDecisionOut(told).data)


class ReviewDecisionsApi(APIView):
    """Settle many cases of pairs at once, or ask for more judgments of them. The others stay as they were."""

    @extend_schema(request=CaseDecisionsIn, responses=CaseDecisionsOut)
    def post(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        sent = CaseDecisionsIn(data=request.data)
        sent.is_valid(raise_exception=True)
        done = decide_many(project=project, decided_by=request.user, **sent.validated_data)
        return Response(CaseDecisionsOut(done).data)


class ReviewUndoApi(APIView):
    """Undo your last decision on a case within ten minutes. The case is open again."""

    @extend_schema(request=UndoIn, responses=ReviewCaseOut)
    def post(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        sent = UndoIn(data=request.data)
        sent.is_valid(raise_exception=True)
        case = undo(project=project, token=sent.validated_data["token"], by=request.user)
        return Response(ReviewCaseOut(_case(request, project, case.pk)).data)


class DisputeListApi(ListAPIView):
    """Pairs on which annotators, the consensus and head annotators differ."""

    serializer_class = DisputeOut
    pagination_class = CasePages
    queryset = PairTally.objects.none()

    @extend_schema(parameters=[DisputeListIn])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        project = reviewing(user=request.user, slug=self.kwargs["slug"])
        asked = DisputeListIn(data=request.query_params)
        asked.is_valid(raise_exception=True)
        wanted = {name: asked.validated_data[name] for name in ("kind", "order")}
        self.keyset = disputes.KEYSETS[wanted["order"]]
        fill_if_old(project=project)
        if asked.validated_data["format"] == "csv":
            lines = disputes.dispute_lines(project=project, **wanted)
            return csv_file(f"{project.slug}-disputes.csv", disputes.COLUMNS, lines)
        page = self.paginate_queryset(disputes.list_disputes(project=project, **wanted)) or []
        rows = disputes.describe_disputes(page)
        return self.get_paginated_response(DisputeOut([present_dispute(row) for row in rows], many=True).data)


class PageSummaryApi(APIView):
    """The reviewed assignments of each annotator. The first decision on an assignment counts."""

    @extend_schema(responses=PagesOfPersonOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        return Response(PagesOfPersonOut(figures.summarise_pages(project=project), many=True).data)


class GateApi(APIView):
    """Which new annotators wait for a review of their first assignments."""

    @extend_schema(responses=GateOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        fill_if_old(project=project)
        return Response(GateOut(gate.list_waiting(project=project), many=True).data)


class GateReleaseApi(APIView):
    """Let an annotator go on."""

    @extend_schema(request=GateReleaseIn, responses={204: None})
    def post(self, request: Request, slug: str, user_id: int) -> Response:
        project = reviewing(user=request.user, slug=slug)
        sent = GateReleaseIn(data=request.data)
        sent.is_valid(raise_exception=True)
        gate.release(project=project, user_id=user_id, text=sent.validated_data["text"], by=request.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class HeadsApi(APIView):
    """How far head annotators agree with each other, from second looks."""

    @extend_schema(responses=HeadsOut)
    def get(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        return Response(HeadsOut(figures.compare_heads(project=project)).data)


def _detail(request: Request, slug: str, case_id: int) -> Response:
    project = reviewing(user=request.user, slug=slug)
    case = cases.get_case(project=project, case_id=case_id, reader=request.user)
    return Response(ReviewCaseDetailOut(present_detail(cases.read_detail(project=project, case=case))).data)


def _case(request: Request, project: Any, case_id: int) -> dict[str, Any]:
    case = cases.get_case(project=project, case_id=case_id, reader=request.user)
    return present_case(cases.describe(project=project, cases=[case])[0])
