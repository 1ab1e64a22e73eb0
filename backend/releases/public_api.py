"""Releases with a public page, over HTTP, for anybody: no account, no cookie, and a rate limit of their own."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse, HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.people.throttles import WindowThrottle
from backend.releases import entries, sharing
from backend.releases.api import FILES, ZIP, page_url, read_filter
from backend.releases.archive import send_archive
from backend.releases.download import RANGE, send_file
from backend.releases.downloads import ARCHIVE, counted
from backend.releases.entry_serializers import EntryListIn, ReleaseEntryOut
from backend.releases.figures import get_figures
from backend.releases.models import ReleaseEntry, ReleaseLink
from backend.releases.preview import draw_preview
from backend.releases.serializers import PublicReleaseOut, ReleaseFiguresOut

KEPT = "public, max-age=3600"  # an image that is withdrawn may stay in previews of other sites so long


class VisitThrottle(WindowThrottle):
    """Reads of visitors at one address. A class at school shares one."""

    scope = "release_visit"

    def allow_request(self, request: Request, view: APIView) -> bool:
        self.counts = "HEAD" if request.method == "HEAD" else "GET"  # a HEAD costs what a GET does
        return super().allow_request(request, view)


class DownloadThrottle(VisitThrottle):
    """Downloads of single files; each continued download counts too."""

    scope = "release_download"


class ArchiveThrottle(VisitThrottle):
    """Downloads of everything."""

    scope = "release_archive"


class PublicView(APIView):
    """Follows the link before anything else. Raises NoSuchReleaseLink, ReleaseLinkClosed."""

    authentication_classes = []
    permission_classes = [AllowAny]
    throttle_classes = [VisitThrottle]
    link: ReleaseLink

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.link = sharing.follow(kwargs["token"])

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        sent = super().finalize_response(request, response, *args, **kwargs)
        link = getattr(self, "link", None)
        sent["X-Robots-Tag"] = "all" if link and link.is_indexable else "noindex, nofollow"
        return sent


class PublicReleaseApi(PublicView):
    @extend_schema(responses=PublicReleaseOut)
    def get(self, request: Request, token: str) -> Response:
        """A release with a public page. No account is needed."""
        told = {"token": token, "public_url": page_url(request, token)}
        return Response(PublicReleaseOut(self.link.release, context=told).data)


class PublicReleaseFiguresApi(PublicView):
    @extend_schema(responses=ReleaseFiguresOut)
    def get(self, request: Request, token: str) -> Response:
        """The figures of a release with a public page."""
        return Response(ReleaseFiguresOut(get_figures(release=self.link.release)).data)


@extend_schema(parameters=[EntryListIn])
class PublicReleaseEntryListApi(PublicView, ListAPIView):
    """The images of a release with a public page, with their captions. The filters are those of members."""

    serializer_class = ReleaseEntryOut
    queryset = ReleaseEntry.objects.none()
    keyset = ("position",)

    def get_queryset(self) -> QuerySet[ReleaseEntry]:
        self.asked = read_filter(self.request)
        return entries.list_entries(release=self.link.release, asked=self.asked)

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        page = list(super().paginate_queryset(queryset) or ())
        return entries.present_page(release=self.link.release, entries=page, asked=self.asked)


class PublicReleaseFileApi(PublicView):
    throttle_classes = [DownloadThrottle]

    @extend_schema(operation_id="public_release_file_download", parameters=[RANGE], responses=FILES)
    def get(self, request: Request, token: str, name: str) -> HttpResponseBase:
        """A file of a release with a public page. Its ETag is its SHA-256."""
        file = sharing.get_public_file(link=self.link, name=name)
        return counted(request, send_file(request, file), release=self.link.release, name=name)


class PublicReleaseArchiveApi(PublicView):
    throttle_classes = [ArchiveThrottle]

    @extend_schema(operation_id="public_release_archive_download", parameters=[RANGE], responses=ZIP)
    def get(self, request: Request, token: str) -> HttpResponseBase:
        """All files of a release with a public page, as one .zip. A broken download can continue with Range."""
        release = self.link.release
        return counted(request, send_archive(request, release), release=release, name=ARCHIVE)


class PublicReleasePreviewApi(PublicView):
    @extend_schema(operation_id="public_release_preview", responses={(200, "image/jpeg"): OpenApiTypes.BINARY})
    def get(self, request: Request, token: str) -> HttpResponseBase:
        """The picture that other sites show of the link to a public page."""
        return HttpResponse(draw_preview(self.link), content_type="image/jpeg", headers={"Cache-Control": KEPT})
