"""Releases over HTTP, for every member of their project, and for annotators once nothing is left to judge. There is no
way to change one."""

from __future__ import annotations

from functools import partial
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.projects.selectors import belonging, curating, reviewing
from backend.releases import entries, selectors, sharing
from backend.releases.archive import send_archive
from backend.releases.checklist import get_checklist
from backend.releases.download import KINDS, PLAIN, RANGE, send_file
from backend.releases.downloads import ARCHIVE, counted
from backend.releases.entry_serializers import CaptionProvenanceOut, EntryListIn, ReleaseEntryOut, ReleaseImageOut
from backend.releases.figures import get_figures
from backend.releases.models import Release, ReleaseEntry, ReleaseLink, Withdrawal
from backend.releases.on_map import list_on_map
from backend.releases.provenance import get_provenance
from backend.releases.serializers import (
    ChangesIn,
    ChangesOut,
    ChecklistOut,
    ReleaseDetailOut,
    ReleaseFiguresOut,
    ReleaseLinkIn,
    ReleaseLinkOut,
    ReleaseRowOut,
    ReleasesOnMapOut,
    WithdrawalIn,
    WithdrawalOut,
    present_link,
)
from backend.releases.withdrawing import withdraw_image

KINDS_OF_FILES = {kind.partition(";")[0] for kind in (*KINDS.values(), PLAIN)}
FILES: dict[Any, Any] = {
    (status, kind): OpenApiTypes.BINARY for kind in sorted(KINDS_OF_FILES) for status in (200, 206)
}
ZIP: dict[Any, Any] = {(status, "application/zip"): OpenApiTypes.BINARY for status in (200, 206)}


def page_url(request: Request, token: str) -> str:
    """The public page behind a link."""
    return request.build_absolute_uri(f"/r/{token}")


def read_filter(request: Request) -> entries.EntryFilter:
    """The filter of entries that a request asks for. Raises ValidationError."""
    sent = EntryListIn(data=request.query_params)
    sent.is_valid(raise_exception=True)
    return entries.EntryFilter(**sent.validated_data)


class ReleasesOnMapApi(APIView):
    @extend_schema(operation_id="map_releases", responses=ReleasesOnMapOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The newest five releases with the ids of their images and captions, for the map."""
        project = reviewing(user=request.user, slug=slug)
        return Response(ReleasesOnMapOut(list_on_map(project=project), many=True).data)


class ReleaseListApi(ListAPIView):
    """A project's releases, newest first."""

    serializer_class = ReleaseRowOut
    queryset = Release.objects.none()
    keyset = ("-version",)

    def get_queryset(self) -> QuerySet[Release]:
        self.project = belonging(user=self.request.user, slug=self.kwargs["slug"])
        return selectors.list_releases(project=self.project)

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The withdrawn images of the page's releases come from one read."""
        page = self.paginate_queryset(self.get_queryset())
        withdrawn = selectors.count_withdrawn(project=self.project, releases=page)
        context = {"withdrawn": withdrawn, "url_of": partial(page_url, request)}
        return self.get_paginated_response(ReleaseRowOut(page, many=True, context=context).data)


class ReleaseApi(APIView):
    @extend_schema(responses=ReleaseDetailOut)
    def get(self, request: Request, release_id: UUID) -> Response:
        """One release with its manifest and files."""
        release = selectors.get_release(user=request.user, release_id=release_id)
        link = sharing.get_open_link(release=release)
        told = {"public_url": page_url(request, link.token)} if link else {}
        return Response(ReleaseDetailOut(release, context=told).data)


class ReleaseFiguresApi(APIView):
    @extend_schema(responses=ReleaseFiguresOut)
    def get(self, request: Request, release_id: UUID) -> Response:
        """The figures of a release: votes, sources, difficulty, agreement, licences, splits."""
        release = selectors.get_release(user=request.user, release_id=release_id)
        return Response(ReleaseFiguresOut(get_figures(release=release)).data)


class ReleaseArchiveApi(APIView):
    @extend_schema(operation_id="release_archive_download", parameters=[RANGE], responses=ZIP)
    def get(self, request: Request, release_id: UUID) -> HttpResponseBase:
        """All files of a release as one .zip. A broken download can continue with Range."""
        release = selectors.get_release(user=request.user, release_id=release_id)
        return counted(request, send_archive(request, release), release=release, name=ARCHIVE)


class ReleaseLinkApi(APIView):
    @extend_schema(responses=ReleaseLinkOut)
    def get(self, request: Request, release_id: UUID) -> Response:
        """The public page of a release, for curators."""
        release = sharing.get_curated_release(user=request.user, release_id=release_id)
        return self._answer(request, sharing.get_open_link(release=release))

    @extend_schema(request=ReleaseLinkIn, responses=ReleaseLinkOut)
    def post(self, request: Request, release_id: UUID) -> Response:
        """Open the public page, or change its choices. Its address stays the same while it is open."""
        release = sharing.get_curated_release(user=request.user, release_id=release_id)
        sent = ReleaseLinkIn(data=request.data)
        sent.is_valid(raise_exception=True)
        return self._answer(request, sharing.open_link(release=release, by=request.user, **sent.validated_data))

    @extend_schema(responses={204: None})
    def delete(self, request: Request, release_id: UUID) -> Response:
        """Close the public page for ever. A page that is opened later has another address."""
        sharing.close_link(release=sharing.get_curated_release(user=request.user, release_id=release_id))
        return Response(status=status.HTTP_204_NO_CONTENT)

    def _answer(self, request: Request, link: ReleaseLink | None) -> Response:
        url = page_url(request, link.token) if link else ""
        return Response(ReleaseLinkOut(present_link(link, url=url)).data)


class ReleaseChecklistApi(APIView):
    @extend_schema(operation_id="release_checklist", responses=ChecklistOut)
    def get(self, request: Request, slug: str) -> Response:
        """What to look at before a release is made, each line with its page."""
        items = get_checklist(project=reviewing(user=request.user, slug=slug))
        is_clear = not any(item.state == "warning" for item in items)
        return Response(ChecklistOut({"items": items, "is_clear": is_clear}).data)


class CaptionProvenanceApi(APIView):
    @extend_schema(operation_id="release_caption", responses=CaptionProvenanceOut)
    def get(self, request: Request, release_id: UUID, key: str) -> Response:
        """Where a caption of a release is from, what was done to it, and each answer on it."""
        release = selectors.get_release(user=request.user, release_id=release_id)
        return Response(CaptionProvenanceOut(get_provenance(release=release, key=key)).data)


class WithdrawalListApi(ListAPIView):
    """The withdrawn images of a project, newest first."""

    serializer_class = WithdrawalOut
    queryset = Withdrawal.objects.none()
    keyset = ("-id",)

    def get_queryset(self) -> QuerySet[Withdrawal]:
        return selectors.list_withdrawals(project=reviewing(user=self.request.user, slug=self.kwargs["slug"]))

    @extend_schema(request=WithdrawalIn, responses={201: WithdrawalOut})
    def post(self, request: Request, slug: str) -> Response:
        """Withdraw an image. Its picture goes, and the next release leaves it out."""
        project = curating(user=request.user, slug=slug)
        asked = WithdrawalIn(data=request.data)
        asked.is_valid(raise_exception=True)
        told = asked.validated_data
        made = withdraw_image(project=project, digest=told["image"], reason=told["reason"], by=request.user)
        return Response(WithdrawalOut(made).data, status=201)


class ReleaseChangesApi(APIView):
    @extend_schema(operation_id="release_changes", parameters=[ChangesIn], responses=ChangesOut)
    def get(self, request: Request, release_id: UUID) -> Response:
        """What changed from another release of the project to this one."""
        asked = ChangesIn(data=request.query_params)
        asked.is_valid(raise_exception=True)
        against = asked.validated_data.get("against")
        changes = selectors.get_changes(user=request.user, release_id=release_id, against=against)
        return Response(ChangesOut(changes).data)


class ReleaseFileApi(APIView):
    """A file of a release. Its ETag is its SHA-256. A broken download can continue with Range."""

    @extend_schema(
        operation_id="release_file_download",
        parameters=[RANGE],
        responses=FILES,
    )
    def get(self, request: Request, release_id: UUID, name: str) -> HttpResponseBase:
        file = selectors.get_release_file(user=request.user, release_id=release_id, name=name)
        return counted(request, send_file(request, file), release=file.release, name=file.name)


@extend_schema(parameters=[EntryListIn])
class ReleaseEntryListApi(ListAPIView):
    """The images of a release with their captions. A filter finds images with at least one caption that fits."""

    serializer_class = ReleaseEntryOut
    queryset = ReleaseEntry.objects.none()
    keyset = ("position",)

    def get_queryset(self) -> QuerySet[ReleaseEntry]:
        self.release = selectors.get_release(user=self.request.user, release_id=self.kwargs["release_id"])
        self.asked = read_filter(self.request)
        return entries.list_entries(release=self.release, asked=self.asked)

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        page = list(super().paginate_queryset(queryset) or ())
        return entries.present_page(release=self.release, entries=page, asked=self.asked)


class ReleaseImageApi(APIView):
    @extend_schema(responses=ReleaseImageOut)
    def get(self, request: Request, release_id: UUID, digest: str) -> Response:
        """One image of a release, by its digest, with its captions."""
        release = selectors.get_release(user=request.user, release_id=release_id)
        entry = entries.get_entry(release=release, digest=digest)
        [shown] = entries.present_page(release=release, entries=[entry])
        return Response(ReleaseImageOut(shown | {"row": entry.body}).data)
