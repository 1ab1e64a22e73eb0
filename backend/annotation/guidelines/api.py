"""The worked examples of the guidelines: read by every member, set by curators."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.annotation.guidelines.examples import Example, list_examples, set_examples
from backend.annotation.guidelines.serializers import GuidelineExamplesIn, GuidelineExamplesOut, present_examples
from backend.projects.models import Project, Role
from backend.projects.selectors import curating, membership_of


class GuidelineExamplesApi(APIView):
    """Pictures with words, and how they are rightly judged, as they stand beside the work."""

    @extend_schema(responses=GuidelineExamplesOut)
    def get(self, request: Request, slug: str) -> Response:
        """To those who only annotate without the numbers of the pictures."""
        membership = membership_of(user=request.user, slug=slug)
        return Response(_out(membership.project, is_numbered=Role(membership.role).may_review))

    @extend_schema(request=GuidelineExamplesIn, responses=GuidelineExamplesOut)
    def put(self, request: Request, slug: str) -> Response:
        """Set them all, in this order; 409 `stale` where the project changed, `example_is_control` names which."""
        project = curating(user=request.user, slug=slug)
        sent = GuidelineExamplesIn(data=request.data)
        sent.is_valid(raise_exception=True)
        examples = [Example(**each) for each in sent.validated_data["examples"]]
        version = sent.validated_data["version"]
        changed = set_examples(project=project, version=version, examples=examples, by=request.user)
        return Response(_out(changed, is_numbered=True))


def _out(project: Project, *, is_numbered: bool) -> dict[str, object]:
    examples = present_examples(list_examples(project=project), is_numbered=is_numbered)
    return GuidelineExamplesOut({"version": project.version, "examples": examples}).data
