"""A project with hundreds of HITs, each of a photograph of its own, without importing and cleaning for minutes."""

from __future__ import annotations

from live_stack import LiveStack
from many_images import project_of
from walker import Lab

CAPTIONS = """
from backend.candidates.models import Candidate
from backend.catalogue.models import Image

def captions():
    for n, image in enumerate(Image.objects.filter(project__slug={slug!r}).order_by("id")):
        for place in range({per_hit}):
            text = f"Somebody waits here for the {{n + 1}}. morning, and says so in {{place + 1}} of {per_hit} ways."
            where = {{"project_id": image.project_id, "image": image, "key": f"{{n:06}}-{{place}}"}}
            yield Candidate(text=text, raw_text=text, source="human", status="kept", **where)

Candidate.objects.bulk_create(captions(), batch_size=1000)
"""


def with_many_hits(stack: LiveStack, n: int, *, slug: str, per_hit: int = 5) -> Lab:
    """A project of `n` HITs, `per_hit` captions each, one annotator, nothing judged."""
    lab = project_of(stack, n, slug=slug)
    stack.manage("shell", "-c", CAPTIONS.format(slug=slug, per_hit=per_hit))
    project = lab.curator.get(f"/projects/{slug}")
    lab.curator.patch(f"/projects/{slug}", {"version": project["version"], "captions_per_hit": per_hit})
    lab.wait(lab.start("build_hits"))
    return lab
