"""Doors out: one's own data, one's own account, a member's account, a project."""

from __future__ import annotations

from django.contrib.auth import logout
from django.http import StreamingHttpResponse
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.common.files import file_headers
from backend.erasure import services
from backend.erasure.own_data import write_own_data
from backend.erasure.serializers import DeleteProjectIn, ErasedOut, EraseMemberIn
from backend.people.permissions import InPerson
from backend.people.serializers import OwnPasswordIn
from backend.people.throttles import PasswordThrottle
from backend.projects import selectors

JSON_FILE = {(200, "application/json"): OpenApiTypes.OBJECT}


@method_decorator(never_cache, name="dispatch")
class OwnDataApi(APIView):
    """Everything that the site stores about you, as one JSON file."""

    permission_classes = [IsAuthenticated, InPerson]

    @extend_schema(operation_id="me_export", responses=JSON_FILE)
    def get(self, request: Request) -> StreamingHttpResponse:
        headers = file_headers("connote-my-data.json")
        return StreamingHttpResponse(write_own_data(request.user), content_type="application/json", headers=headers)


class EraseMeApi(APIView):
    """Replace your account by a pseudonym. Your answers stay. This cannot be undone."""

    permission_classes = [IsAuthenticated, InPerson]
    throttle_classes = [PasswordThrottle]

    @extend_schema(operation_id="me_erase", request=OwnPasswordIn, responses={204: None})
    def post(self, request: Request) -> Response:
        sent = OwnPasswordIn(data=request.data)
        sent.is_valid(raise_exception=True)
        services.erase_own_account(user=request.user, **sent.validated_data)
        logout(request._request)
        return Response(status=status.HTTP_204_NO_CONTENT)


class EraseMemberApi(APIView):
    """Replace a member's account by a pseudonym. You must be curator of all projects of the member."""

    permission_classes = [IsAuthenticated, InPerson]

    @extend_schema(operation_id="member_erase", request=EraseMemberIn, responses=ErasedOut)
    def post(self, request: Request, slug: str, member_id: int) -> Response:
        selectors.curating(user=request.user, slug=slug)
        membership = selectors.get_member(user=request.user, slug=slug, member_id=member_id)
        sent = EraseMemberIn(data=request.data)
        sent.is_valid(raise_exception=True)
        erased = services.erase_member(membership=membership, by=request.user, **sent.validated_data)
        return Response(ErasedOut({"pseudonym": erased.username}).data)


class DeleteProjectApi(APIView):
    """Delete the project. Members lose it at once; a worker deletes its rows and files."""

    permission_classes = [IsAuthenticated, InPerson]

    @extend_schema(operation_id="project_delete", request=DeleteProjectIn, responses={202: None})
    def post(self, request: Request, slug: str) -> Response:
        project = selectors.curating(user=request.user, slug=slug)
        sent = DeleteProjectIn(data=request.data)
        sent.is_valid(raise_exception=True)
        services.delete_project(project=project, confirmation=sent.validated_data["slug"], by=request.user)
        return Response(status=status.HTTP_202_ACCEPTED)
