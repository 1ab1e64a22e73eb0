"""Projects, who belongs to them, and the links that let people in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.common.errors import NotFound
from backend.common.files import csv_file
from backend.common.models import LARGEST_ID
from backend.people.authentication import SiteAuthentication, enter_site
from backend.people.models import RightsKind, RightsRecord
from backend.people.permissions import InPerson
from backend.people.resets import expiry
from backend.people.serializers import NewResetLinkOut, SessionOut, SignUpIn
from backend.projects import invitations, selectors, services
from backend.projects.counters import read_counters
from backend.projects.models import Invitation, InvitationBatch, Membership, Project
from backend.projects.serializers import (
    HISTORY_COLUMNS,
    HistoryEntryOut,
    HistoryIn,
    HistoryRowOut,
    InvitationAcceptedOut,
    InvitationAcceptIn,
    InvitationBatchIn,
    InvitationBatchOut,
    InvitationBatchRowOut,
    InvitationDoorOut,
    InvitationIn,
    InvitationListIn,
    InvitationOut,
    MemberIn,
    MemberOut,
    NewInvitationOut,
    ProjectChangeIn,
    ProjectIn,
    ProjectOut,
)


class ProjectListApi(ListAPIView):
    """The projects of which you are a member."""

    serializer_class = ProjectOut
    keyset = ("-id",)

    def get_queryset(self) -> QuerySet[Project]:
        return selectors.list_projects(user=self.request.user)

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The page's counts come from one read for all its projects."""
        return self.get_paginated_response(_rows(self.paginate_queryset(self.get_queryset())))

    @extend_schema(request=ProjectIn, responses={201: ProjectOut})
    def post(self, request: Request) -> Response:
        """Make a project. You become its curator."""
        sent = ProjectIn(data=request.data)
        sent.is_valid(raise_exception=True)
        project = services.create_project(created_by=request.user, **sent.validated_data)
        return Response(_row(request, project.slug), status=status.HTTP_201_CREATED)


class ProjectApi(APIView):
    @extend_schema(operation_id="projects_read", responses=ProjectOut)
    def get(self, request: Request, slug: str) -> Response:
        """One project with your role and its settings."""
        return Response(_row(request, slug))

    @extend_schema(request=ProjectChangeIn, responses=ProjectOut)
    def patch(self, request: Request, slug: str) -> Response:
        """Change the version that you read. If the project changed meanwhile: 409 `stale` with the current version."""
        project = selectors.curating(user=request.user, slug=slug)
        sent = ProjectChangeIn(data=request.data)
        sent.is_valid(raise_exception=True)
        changes = dict(sent.validated_data)
        services.update_project(project=project, version=changes.pop("version"), changes=changes, by=request.user)
        return Response(_row(request, slug))


class MemberListApi(ListAPIView):
    """The members of the project with their roles."""

    serializer_class = MemberOut
    keyset = ("id",)

    def get_queryset(self) -> QuerySet[Membership]:
        return selectors.list_members(project=selectors.reviewing(user=self.request.user, slug=self.kwargs["slug"]))


class MemberApi(APIView):
    @extend_schema(request=MemberIn, responses=MemberOut)
    def patch(self, request: Request, slug: str, member_id: int) -> Response:
        """Change the role of a member. For curators."""
        selectors.curating(user=request.user, slug=slug)
        membership = selectors.get_member(user=request.user, slug=slug, member_id=member_id)
        sent = MemberIn(data=request.data)
        sent.is_valid(raise_exception=True)
        role = sent.validated_data["role"]
        return Response(MemberOut(services.change_role(membership=membership, role=role, by=request.user)).data)

    @extend_schema(request=None, responses={204: None})
    def delete(self, request: Request, slug: str, member_id: int) -> Response:
        """Remove a member (curators), or leave the project (everybody)."""
        membership = selectors.get_member(user=request.user, slug=slug, member_id=member_id)
        services.remove_member(membership=membership, by=request.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class MemberResetLinkApi(APIView):
    """Make a link for a new password, valid once. You must be curator of all projects of the member."""

    permission_classes = [IsAuthenticated, InPerson]

    @extend_schema(request=None, responses={201: NewResetLinkOut})
    def post(self, request: Request, slug: str, member_id: int) -> Response:
        selectors.curating(user=request.user, slug=slug)
        membership = selectors.get_member(user=request.user, slug=slug, member_id=member_id)
        path = services.make_reset_link(membership=membership, by=request.user)
        made = {
            "url": request.build_absolute_uri(path),
            "username": membership.user.username,
            "expires_at": timezone.now() + expiry(),
        }
        return Response(NewResetLinkOut(made).data, status=status.HTTP_201_CREATED)


class HistoryApi(ListAPIView):
    """Who changed what in the project, newest first. Only curators read of passwords and tokens."""

    serializer_class = HistoryRowOut
    keyset = ("-id",)
    queryset = RightsRecord.objects.none()

    @extend_schema(parameters=[HistoryIn])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        """The history of settings: one page as JSON, or everything as CSV."""
        if self._asked()["format"] == "json":
            return super().get(request, *args, **kwargs)
        rows = selectors.iter_history_rows(self.get_queryset())
        return csv_file(f"{self.kwargs['slug']}-history.csv", HISTORY_COLUMNS, rows)

    def get_queryset(self) -> QuerySet[RightsRecord]:
        membership = selectors.reviewing_as(user=self.request.user, slug=self.kwargs["slug"])
        kind = self._asked().get("kind")
        return selectors.list_history(membership=membership, kind=kind and RightsKind(kind))

    def _asked(self) -> dict[str, Any]:
        asked = HistoryIn(data=self.request.query_params)
        asked.is_valid(raise_exception=True)
        return dict(asked.validated_data)


@method_decorator(never_cache, name="dispatch")
class HistoryEntryApi(APIView):
    @extend_schema(responses=HistoryEntryOut)
    def get(self, request: Request, slug: str, entry_id: int) -> Response:
        """One entry of the history with all of its texts."""
        membership = selectors.reviewing_as(user=request.user, slug=slug)
        return Response(HistoryEntryOut(selectors.get_history_entry(membership=membership, entry_id=entry_id)).data)


@method_decorator(never_cache, name="dispatch")
@extend_schema(parameters=[InvitationListIn])
class InvitationListApi(ListAPIView):
    """The invitations of the project, or those of one batch. For curators."""

    serializer_class = InvitationOut
    keyset = ("-id",)

    def get_queryset(self) -> QuerySet[Invitation]:
        project = selectors.curating(user=self.request.user, slug=self.kwargs["slug"])
        asked = InvitationListIn(data=self.request.query_params)
        asked.is_valid(raise_exception=True)
        return selectors.list_invitations(project=project, **asked.validated_data)

    @extend_schema(request=InvitationIn, responses={201: NewInvitationOut})
    def post(self, request: Request, slug: str) -> Response:
        """Make an invitation link for a role. For curators."""
        project = selectors.curating(user=request.user, slug=slug)
        sent = InvitationIn(data=request.data)
        sent.is_valid(raise_exception=True)
        made = invitations.create_invitation(project=project, created_by=request.user, **sent.validated_data)
        return Response(_with_link(request, *made), status=status.HTTP_201_CREATED)


def _with_link(request: Request, made: Invitation, token: str) -> dict[str, Any]:
    """The new invitation with its link, which only this answer holds."""
    link = {"url": request.build_absolute_uri(invitations.path_of(token)), "token": token}
    return {**InvitationOut(made).data, **link}


@method_decorator(never_cache, name="dispatch")
class InvitationBatchApi(ListAPIView):
    """The batches of links that were made at once, newest first. For curators."""

    serializer_class = InvitationBatchRowOut
    queryset = InvitationBatch.objects.none()
    keyset = ("-id",)

    def get_queryset(self) -> QuerySet[InvitationBatch]:
        project = selectors.curating(user=self.request.user, slug=self.kwargs["slug"])
        return selectors.list_invitation_batches(project=project)

    @extend_schema(request=InvitationBatchIn, responses={201: InvitationBatchOut})
    def post(self, request: Request, slug: str) -> Response:
        """Make several invitation links at once, each for one person. For curators."""
        project = selectors.curating(user=request.user, slug=slug)
        sent = InvitationBatchIn(data=request.data)
        sent.is_valid(raise_exception=True)
        made = invitations.create_invitations(project=project, created_by=request.user, **sent.validated_data)
        links = [_with_link(request, *each) for each in made]
        return Response({"invitations": links}, status=status.HTTP_201_CREATED)


class InvitationBatchLinksApi(APIView):
    @extend_schema(request=None, responses={204: None})
    def delete(self, request: Request, slug: str, batch_id: int) -> Response:
        """Revoke all open links of a batch. For curators."""
        project = selectors.curating(user=request.user, slug=slug)
        if batch_id > LARGEST_ID:
            raise NotFound()
        invitations.revoke_batch(project=project, batch_id=batch_id, by=request.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class InvitationApi(APIView):
    @extend_schema(request=None, responses={204: None})
    def delete(self, request: Request, slug: str, invitation_id: int) -> Response:
        """Revoke an invitation. For curators."""
        project = selectors.curating(user=request.user, slug=slug)
        invitations.revoke_invitation(project=project, invitation_id=invitation_id, by=request.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


@method_decorator(never_cache, name="dispatch")
class InvitationDoorApi(APIView):
    """Show what an invitation link is for. No sign-in is needed."""

    authentication_classes = [SiteAuthentication]
    permission_classes = [AllowAny]

    @extend_schema(responses=InvitationDoorOut)
    def get(self, request: Request, token: str) -> Response:
        invitation = invitations.get_invitation(token=token)
        door = {
            "project_name": invitation.project.name,
            "role": invitation.role,
            "expires_at": invitation.expires_at,
            "signed_in_as": request.user.username if request.user.is_authenticated else None,
        }
        return Response(InvitationDoorOut(door).data)


class InvitationAcceptApi(APIView):
    """Join the project with the signed-in account, or with a new one. It works also if sign-up is closed."""

    authentication_classes = [SiteAuthentication]
    permission_classes = [AllowAny]

    @extend_schema(request=InvitationAcceptIn, responses=InvitationAcceptedOut)
    def post(self, request: Request, token: str) -> Response:
        membership = _join(request, token)
        return Response({"project_slug": membership.project.slug, "session": SessionOut.of(membership.user)})


def _join(request: Request, token: str) -> Membership:
    if request.user.is_authenticated:
        return invitations.accept_invitation(token=token, user=request.user)
    invitations.get_invitation(token=token)
    sent = SignUpIn(data=request.data)
    sent.is_valid(raise_exception=True)
    membership = invitations.join_with_new_account(token=token, **sent.validated_data)
    enter_site(request, membership.user)
    return membership


def _row(request: Request, slug: str) -> Any:
    project = selectors.list_projects(user=request.user).filter(slug=slug).first()
    if project is None:
        raise NotFound()
    return _rows([project])[0]


def _rows(projects: Iterable[Project]) -> Any:
    page = list(projects)
    return ProjectOut(page, many=True, context={"counters": read_counters([project.pk for project in page])}).data
