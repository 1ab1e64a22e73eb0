"""Queries over HTTP, for the curator and the head annotator: annotators see them in their HITs alone."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.candidates import queries, query_reads
from backend.candidates.models import Candidate
from backend.candidates.query_serializers import QueryAddedOut, QueryIn, QueryListIn, QueryOut, QueryPairOut
from backend.catalogue.models import Query
from backend.projects.selectors import curating, reviewing


class QueryListApi(ListAPIView):
    """The project's queries, oldest first."""

    serializer_class = QueryOut
    queryset = Query.objects.none()
    keyset = ("id",)

    @extend_schema(parameters=[QueryListIn])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Queries with the number of their images. The request can filter them."""
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[Query]:
        project = reviewing(user=self.request.user, slug=self.kwargs["slug"])
        asked = QueryListIn(data=self.request.query_params)
        asked.is_valid(raise_exception=True)
        return query_reads.list_queries(project=project, **asked.validated_data)

    @extend_schema(request=QueryIn, responses={201: QueryAddedOut})
    def post(self, request: Request, slug: str) -> Response:
        """Add a query with images by their keys. An existing query gets the images that it did not have."""
        project = curating(user=request.user, slug=slug)
        sent = QueryIn(data=request.data)
        sent.is_valid(raise_exception=True)
        added = queries.add_query(project=project, **sent.validated_data)
        found = query_reads.get_query(project=project, query_id=added.query.pk)
        found.n_new, found.n_known = added.n_new, added.n_known  # type: ignore[attr-defined]  # QueryAddedOut reads them
        return Response(QueryAddedOut(found).data, status=status.HTTP_201_CREATED)


class QueryApi(APIView):
    @extend_schema(responses=QueryOut)
    def get(self, request: Request, slug: str, query_id: int) -> Response:
        """One query with the number of its images."""
        project = reviewing(user=request.user, slug=slug)
        return Response(QueryOut(query_reads.get_query(project=project, query_id=query_id)).data)


class QueryPairListApi(ListAPIView):
    """The images to judge against a query, oldest first."""

    serializer_class = QueryPairOut
    queryset = Candidate.objects.none()
    keyset = ("id",)

    def get_queryset(self) -> QuerySet[Candidate]:
        project = reviewing(user=self.request.user, slug=self.kwargs["slug"])
        return query_reads.list_pairs(project=project, query_id=self.kwargs["query_id"])
