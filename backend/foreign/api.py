"""Judgments made elsewhere, sent from the browser or by a program."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.common.serializers import validated
from backend.foreign.files import import_file
from backend.foreign.serializers import JudgmentImportIn, JudgmentImportOut
from backend.projects.selectors import curating


class JudgmentImportApi(APIView):
    parser_classes = [MultiPartParser]

    @extend_schema(request={"multipart/form-data": JudgmentImportIn}, responses=JudgmentImportOut)
    def post(self, request: Request, slug: str) -> Response:
        """Import judgments of pairs that are in HITs. They count like judgments made here. Sending a file again adds
        nothing."""
        project = curating(user=request.user, slug=slug)
        imported = import_file(project=project, **validated(JudgmentImportIn, request.data))
        return Response(JudgmentImportOut(imported).data)
