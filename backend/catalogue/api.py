"""Images, uploads, samples and corpora over HTTP.

Reviewers look at images, samples and corpora; curators send files, put samples in force, register corpora and get at
originals. Annotators see their pages and nothing beside them: the ids and times of images tell which came in last, and
a picture that came in long after those beside it on a page may be there as a hidden control.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.catalogue import corpora, corpora_reads, sampling, selectors, uploads
from backend.catalogue.models import Corpus, CorpusShard, Image, SamplePoint, Upload
from backend.catalogue.serializers import (
    CorpusIn,
    CorpusOut,
    CorpusShardListIn,
    CorpusShardOut,
    ImageDetailOut,
    ImageOut,
    SampleOut,
    SamplePickOut,
    SamplePointsOut,
    UploadIn,
    UploadOut,
)
from backend.common.pagination import KeysetPagination
from backend.projects.models import Role
from backend.projects.selectors import curating, membership_of, reviewing
from backend.runs.models import Run

SAME_POINTS = OpenApiResponse(description="`If-None-Match` names these points: nothing is sent again.")
IF_NONE_MATCH = OpenApiParameter("If-None-Match", str, OpenApiParameter.HEADER, description="The ETag of points held.")


class ImagePages(KeysetPagination):
    page_size = 60
    max_page_size = 200


class ImageListApi(ListAPIView):
    """A project's images in the order they came."""

    serializer_class = ImageOut
    pagination_class = ImagePages
    queryset = Image.objects.none()
    keyset = ("id",)

    def get_queryset(self) -> QuerySet[Image]:
        return selectors.list_images(project=reviewing(user=self.request.user, slug=self.kwargs["slug"]))


class ImageApi(APIView):
    @extend_schema(responses=ImageDetailOut)
    def get(self, request: Request, slug: str, image_id: int) -> Response:
        """One image with its licence and source."""
        image = selectors.get_image(project=reviewing(user=request.user, slug=slug), image_id=image_id)
        may_curate = Role(membership_of(user=request.user, slug=slug).role).may_curate
        return Response(ImageDetailOut(image, context={"may_curate": may_curate}).data)


class UploadListApi(APIView):
    """Files for an import: send them, then start a run with `parameters: {upload: id}`."""

    parser_classes = [MultiPartParser]
    takes_uploads = True  # a body of CONNOTE_MAX_UPLOAD_MB

    @extend_schema(responses=UploadOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The uploads of the project, newest first."""
        found = Upload.objects.filter(project=curating(user=request.user, slug=slug))
        return Response(UploadOut(found, many=True).data)

    @extend_schema(request={"multipart/form-data": UploadIn}, responses={201: UploadOut})
    def post(self, request: Request, slug: str) -> Response:
        project = curating(user=request.user, slug=slug)
        sent = UploadIn(data={"files": request.FILES.getlist("files")})
        sent.is_valid(raise_exception=True)
        upload = uploads.keep_upload(project=project, uploaded_by=request.user, files=sent.validated_data["files"])
        return Response(UploadOut(upload).data, status=status.HTTP_201_CREATED)


class UploadApi(APIView):
    @extend_schema(responses={204: None})
    def delete(self, request: Request, slug: str, upload_id: UUID) -> Response:
        """Delete an upload and its files. Imported rows stay."""
        project = curating(user=request.user, slug=slug)
        uploads.delete_upload(upload=selectors.get_upload(project=project, upload_id=upload_id))
        return Response(status=status.HTTP_204_NO_CONTENT)


class SampleListApi(APIView):
    @extend_schema(responses=SampleOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The samples of the project, newest first."""
        found = sampling.list_samples(project=reviewing(user=request.user, slug=slug))
        return Response(SampleOut(found, many=True).data)


class SampleApi(APIView):
    @extend_schema(responses=SampleOut)
    def get(self, request: Request, sample_id: int) -> Response:
        """One sample without its points."""
        return Response(SampleOut(sampling.get_sample(user=request.user, sample_id=sample_id)).data)


class SamplePointsApi(APIView):
    @extend_schema(parameters=[IF_NONE_MATCH], responses={200: SamplePointsOut, 304: SAME_POINTS})
    def get(self, request: Request, sample_id: int) -> Response:
        """The coordinates of all images of a sample. They never change, so a browser can cache them."""
        sample = sampling.get_sample(user=request.user, sample_id=sample_id)
        tag = f'"{sample.pk}-{sample.digest}"'
        headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
        if tag in request.headers.get("If-None-Match", ""):
            return Response(status=status.HTTP_304_NOT_MODIFIED, headers=headers)
        return Response(asdict(sampling.read_points(sample=sample)), headers=headers)


class SamplePickPages(KeysetPagination):
    page_size = 50
    max_page_size = 500


class SamplePickListApi(ListAPIView):
    """The picked images in their order, each with its distance to the images before it."""

    serializer_class = SamplePickOut
    pagination_class = SamplePickPages
    queryset = SamplePoint.objects.none()
    keyset = ("position",)

    def get_queryset(self) -> QuerySet[SamplePoint]:
        sample = sampling.get_sample(user=self.request.user, sample_id=self.kwargs["sample_id"])
        return sampling.list_picks(sample=sample)


class SampleForceApi(APIView):
    @extend_schema(request=None, responses=SampleOut)
    def post(self, request: Request, sample_id: int) -> Response:
        """Activate the sample. Later stages use only the picked images. Images in HITs stay there."""
        sample = sampling.get_sample(user=request.user, sample_id=sample_id, may_change=True)
        return Response(SampleOut(sampling.put_in_force(sample=sample)).data)


class SampleLiftApi(APIView):
    @extend_schema(request=None, responses=SampleOut)
    def post(self, request: Request, sample_id: int) -> Response:
        """Deactivate the sample. Later stages use all images again."""
        sample = sampling.get_sample(user=request.user, sample_id=sample_id, may_change=True)
        return Response(SampleOut(sampling.lift(sample=sample)).data)


class CorpusListApi(APIView):
    """The corpora a project retrieves from. They lie on the server; their pairs are never copied."""

    @extend_schema(responses=CorpusOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """All corpora, oldest first, each with the progress of its vectors."""
        project = reviewing(user=request.user, slug=slug)
        found = list(corpora_reads.list_corpora(project=project))
        return Response(_corpora_out(request, found))

    @extend_schema(request=CorpusIn, responses={200: CorpusOut, 201: CorpusOut})
    def post(self, request: Request, slug: str) -> Response:
        """Register a folder that has a corpus.json. If the name is registered already, the answer is 200."""
        project = curating(user=request.user, slug=slug)
        sent = CorpusIn(data=request.data, context={"project": project})
        sent.is_valid(raise_exception=True)
        words = dict(sent.validated_data)
        folder = Path(words.pop("folder"))
        manifest = corpora.described(folder)
        corpus, is_new = corpora.register_corpus(project=project, folder=folder, manifest=manifest, **words)
        status_code = status.HTTP_201_CREATED if is_new else status.HTTP_200_OK
        return Response(_corpora_out(request, [corpus])[0], status=status_code)


class CorpusApi(APIView):
    @extend_schema(responses=CorpusOut)
    def get(self, request: Request, corpus_id: int) -> Response:
        """One corpus with its vectors."""
        return Response(_corpora_out(request, [corpora_reads.get_corpus(user=request.user, corpus_id=corpus_id)])[0])


class CorpusShardListApi(ListAPIView):
    """The shards of a corpus in order, each with its part in a run, by default the newest."""

    serializer_class = CorpusShardOut
    queryset = CorpusShard.objects.none()
    keyset = ("position",)

    @extend_schema(parameters=[CorpusShardListIn])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[CorpusShard]:
        corpus = corpora_reads.get_corpus(user=self.request.user, corpus_id=self.kwargs["corpus_id"])
        asked = CorpusShardListIn(data=self.request.query_params)
        asked.is_valid(raise_exception=True)
        self.run = corpora_reads.get_run_over(corpus=corpus, run_id=asked.validated_data["run"])
        return corpora_reads.list_shards(corpus=corpus, run=self.run, state=asked.validated_data["state"])

    def get_serializer_context(self) -> dict[str, Any]:
        run: Run | None = getattr(self, "run", None)
        return {**super().get_serializer_context(), "run_is_over": run is not None and run.is_over}


def _corpora_out(request: Request, found: Sequence[Corpus]) -> list[dict[str, Any]]:
    """Corpora of one project as its caller may see them."""
    progress = corpora_reads.get_progress(corpora=found) if found else {}
    may_curate = bool(found) and membership_of(user=request.user, slug=found[0].project.slug).role == Role.CURATOR
    context = {"progress": progress, "may_curate": may_curate, "is_staff": request.user.is_staff}
    return [dict(row) for row in CorpusOut(found, many=True, context=context).data]
