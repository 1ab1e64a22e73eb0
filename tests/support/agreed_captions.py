"""A project whose annotators agreed on good captions, written straight into the database: nobody judges for it."""

from __future__ import annotations

from live_stack import LiveStack
from walker import COMMITTED_PHOTOGRAPHS, CREATE_CURATOR, Lab

AGREE = """
from backend.candidates.models import Candidate, candidate_key
from backend.catalogue.models import Image
from backend.curation.models import Consensus
told = ["A quiet morning", "Two people waiting", "Nothing left to say", "The last of the light"]
for image in Image.objects.filter(project__slug={slug!r}).order_by("id"):
    for text in told:
        text = f"{{text}} in {{image.key}}"
        key = candidate_key(digest=image.digest, source="human", raw_text=text)
        caption = Candidate.objects.create(
            project_id=image.project_id, image=image, text=text, raw_text=text, key=key, source="human", status="kept"
        )
        Consensus.objects.create(candidate=caption, label="good", n_good=3, entropy=0)
"""


def agreed_project(site: LiveStack, *, slug: str) -> Lab:
    """A project of alice's on the committed photographs, four good captions each."""
    site.manage("shell", "-c", CREATE_CURATOR)
    lab = Lab(site.url, slug=slug, overlap=1)
    lab.wait(lab.start("import_images", upload=lab.upload(COMMITTED_PHOTOGRAPHS)))
    site.manage("shell", "-c", AGREE.format(slug=slug))
    return lab
