"""Agreement over HTTP: for curators and head annotators."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from django.http import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from backend.agreement import matrix, selectors, shared
from backend.agreement.hooks import read_feedback
from backend.agreement.matrix import Tables
from backend.agreement.models import Part, Scope
from backend.agreement.reads import flat, headline_of
from backend.agreement.serializers import (
    NOTHING,
    AgreementListIn,
    AgreementOut,
    AnnotatorAgreementIn,
    AnnotatorAgreementOut,
    AnnotatorFiguresOut,
    ConfusionListIn,
    ConfusionListOut,
    FormatIn,
    HabitListOut,
    HeadlineIn,
    HeadlineOut,
    SharedPairIn,
    TwoAnnotatorsOut,
    present_confusion,
    present_habits,
    present_shared,
)
from backend.agreement.services import look
from backend.common.files import csv_file
from backend.common.pagination import KeysetPagination
from backend.methods.consensus import LABELS
from backend.people.models import User
from backend.projects.models import Project
from backend.projects.selectors import reviewing

AT_ONCE = 500
MOST_PEOPLE = 200  # of a table that a page shows; they take about 1 kB each
FIGURE_COLUMNS = ("value", "low", "high", "reason", "n_items", "n_judgments")


def _asked(serializer: type[Serializer], request: Request) -> dict[str, Any]:
    asked = serializer(data=request.query_params)
    asked.is_valid(raise_exception=True)
    return dict(asked.validated_data)


class AgreementApi(APIView):
    """How far annotators agree beyond chance: Cohen, Fleiss, Krippendorff, under every reading of `unsure`."""

    @extend_schema(parameters=[AgreementListIn], responses=AgreementOut)
    def get(self, request: Request, slug: str) -> Response | HttpResponseBase:
        project = reviewing(user=request.user, slug=slug)
        asked = _asked(AgreementListIn, request)
        scope = Scope(asked["scope"])
        view = look(project=project, parts=selectors.list_slices(project=project, scope=scope, before=asked["before"]))
        slices = [{"value": value, **told} for (_, value), told in view.parts.items()]
        if asked["format"] == "csv":
            rows = (
                flat(figure) | {"slice": one["value"], "n_pairs": one["n_pairs"]}
                for one in slices
                for figure in one["figures"]
            )
            return csv_file(
                f"{slug}-agreement-{scope}.csv", ("slice", "n_pairs", "measure", "reading", *FIGURE_COLUMNS), rows
            )
        told = {"as_of": view.as_of, "is_stale": view.is_stale, "scope": scope, "slices": slices}
        return Response(AgreementOut(told).data)


class HeadlineApi(APIView):
    """One figure for the project: Krippendorff's alpha, in total and by day."""

    @extend_schema(parameters=[HeadlineIn], responses=HeadlineOut)
    def get(self, request: Request, slug: str) -> Response | HttpResponseBase:
        project = reviewing(user=request.user, slug=slug)
        asked = _asked(HeadlineIn, request)
        reading = asked["reading"]
        wanted = ((Part.OVERALL, ""), (Part.TREND, reading))
        view = look(project=project, parts=selectors.list_parts(*wanted, project=project))
        figure, trend = headline_of(view, reading)
        if asked["format"] == "csv":
            return csv_file(f"{slug}-agreement-by-day.csv", ("day", *FIGURE_COLUMNS), trend)
        told = {"as_of": view.as_of, "is_stale": view.is_stale, **figure, "measure": "alpha", "trend": trend}
        return Response(HeadlineOut(told | {"reading": reading}).data)


class AnnotatorAgreementApi(APIView):
    """Cohen's kappa of each two annotators, and the mean of each annotator."""

    @extend_schema(parameters=[AnnotatorAgreementIn], responses=AnnotatorAgreementOut)
    def get(self, request: Request, slug: str) -> Response | HttpResponseBase:
        project = reviewing(user=request.user, slug=slug)
        asked = _asked(AnnotatorAgreementIn, request)
        found = matrix.read_matrix(project=project, read=asked["reading"], annotator=asked["annotator"])
        if asked["format"] == "csv":
            names = {mean.id: mean.username for mean in found.annotators}
            rows = (
                flat(vars(pair)) | {"first": names[pair.first], "second": names[pair.second]} for pair in found.pairs
            )
            columns = ("first", "second", "value", "low", "high", "reason", "n_items")
            return csv_file(f"{slug}-kappas.csv", columns, rows)
        return Response(AnnotatorAgreementOut(found).data)


class ConfusionListApi(APIView):
    """Which two annotators differ most often, and in which answers."""

    @extend_schema(parameters=[ConfusionListIn], responses=ConfusionListOut)
    def get(self, request: Request, slug: str) -> Response | HttpResponseBase:
        project = reviewing(user=request.user, slug=slug)
        asked = _asked(ConfusionListIn, request)
        view, found = matrix.read_confusions(project=project, annotator=asked["annotator"])
        if asked["format"] == "csv":
            columns = ("first", "second", "first_label", "second_label", "k", "n", "share", "low", "high")
            return csv_file(f"{slug}-confusions.csv", columns, map(present_confusion, found))
        told = {"as_of": view.as_of, "is_stale": view.is_stale, "results": found}
        return Response(ConfusionListOut(told).data)


class SharedPagination(KeysetPagination):
    ordering = "candidate_id"


class TwoAnnotatorsApi(APIView):
    """The answers of two annotators to the same pairs."""

    @extend_schema(parameters=[SharedPairIn], responses=TwoAnnotatorsOut)
    def get(self, request: Request, slug: str, first: int, second: int) -> Response | HttpResponseBase:
        project = reviewing(user=request.user, slug=slug)
        asked = _asked(SharedPairIn, request)
        one, other = shared.get_two(project=project, first=first, second=second)
        labels = {name: asked[name] for name in ("first_label", "second_label")}
        begun = shared.list_shared(project=project, first=one, second=other, **labels)
        if asked["format"] == "csv":
            columns = ("key", "text", "first_label", "second_label", "verdict")
            return csv_file(f"{slug}-{first}-{second}.csv", columns, _shared_rows(project, one, other, begun))
        wanted = ((Part.TABLES, ""), (Part.KAPPAS, asked["reading"]))
        view = look(project=project, parts=selectors.list_parts(*wanted, project=project))
        tables = Tables(view, asked["reading"])
        kappa = tables.kappa(first, second)
        pages = SharedPagination()
        page = pages.paginate_queryset(begun, request, view=self) or []  # type: ignore[no-untyped-call]
        items = shared.describe_shared(project=project, first=one, second=other, begun=page)
        told = {
            "as_of": view.as_of, "is_stale": view.is_stale, "first": one, "second": other, "kappa": kappa.value,
            "reason_code": kappa.reason, "interval": kappa.interval, "n_items": kappa.n_items, "labels": LABELS,
            "confusion": tables.confusion(first, second),
            "items": {
                "next": pages.get_next_link(), "previous": pages.get_previous_link(),
                "results": [present_shared(each) for each in items],
            },
        }  # fmt: skip
        return Response(TwoAnnotatorsOut(told).data)


def _shared_rows(project: Project, one: User, other: User, begun: Any) -> Iterator[dict[str, Any]]:
    rows = begun.iterator(chunk_size=AT_ONCE)
    while part := list(islice(rows, AT_ONCE)):
        for each in shared.describe_shared(project=project, first=one, second=other, begun=part):
            yield present_shared(each)


class AnnotatorFiguresApi(APIView):
    """One annotator: agreement with the consensus of the others, habits, and figures by day."""

    @extend_schema(operation_id="annotator_figures", parameters=[FormatIn], responses=AnnotatorFiguresOut)
    def get(self, request: Request, slug: str, user_id: int) -> Response | HttpResponseBase:
        project = reviewing(user=request.user, slug=slug)
        asked = _asked(FormatIn, request)
        person = shared.get_one(project=project, user_id=user_id)
        parts = selectors.list_annotators(project=project, users=[person.pk], parts=(Part.ANNOTATOR, Part.DAYS))
        view = look(project=project, parts=parts)
        told = view.get(Part.ANNOTATOR, str(person.pk)) or NOTHING
        days = view.get(Part.DAYS, str(person.pk)) or []
        if asked["format"] == "csv":
            columns = ("day", "n", "active_seconds", "seconds_median", *SHARES)
            return csv_file(f"{slug}-{person.pk}.csv", columns, map(_day_row, days))
        beside = {"annotator": person, "labels": LABELS, "days": days, "feedback_at": read_feedback(project, person.pk)}
        answer = {"as_of": view.as_of, "is_stale": view.is_stale, **told, **beside}
        return Response(AnnotatorFiguresOut(answer).data)


class HabitListApi(APIView):
    """How each annotator works: agreement with the others, its trend, and what each kind of rule measures."""

    @extend_schema(operation_id="annotator_habits", responses=HabitListOut)
    def get(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        people = shared.list_people(project=project, most=MOST_PEOPLE)
        users = [each.pk for each in people]
        parts = selectors.list_annotators(project=project, users=users, parts=(Part.ANNOTATOR,))
        view = look(project=project, parts=parts)
        skips = shared.read_skips(project=project, users=users)
        told = ((each, view.get(Part.ANNOTATOR, str(each.pk)), skips.get(each.pk)) for each in people)
        rows = [present_habits(each, figures, skipped) for each, figures, skipped in told if figures or skipped]
        return Response(HabitListOut({"as_of": view.as_of, "is_stale": view.is_stale, "results": rows}).data)


SHARES = ("controls_k", "controls_n", "with_consensus_k", "with_consensus_n")


def _day_row(day: dict[str, Any]) -> dict[str, Any]:
    shares = {f"{name}_{end}": (day[name] or {}).get(end, 0) for name in ("controls", "with_consensus") for end in "kn"}
    return day | shares
