"""A map of many captions without waiting for UMAP or for annotators: rows made at once, places drawn by a seed."""

from __future__ import annotations

from embedded_site import EmbeddedSite
from live_stack import LiveStack

# Every image gets {per_image} captions. The first is hard, the second easy, the others are not selected.
MAP = """
import numpy as np
from backend.candidates.models import Candidate, candidate_key
from backend.catalogue.models import Image
from backend.curation.maps import MapFacts, record_map
from backend.curation.models import Consensus, Difficulty, Selection, SelectionItem
from backend.methods.map_points import MapPoints, Plane, check_of
from backend.projects.models import Project
from backend.runs.models import Run, RunStatus
project = Project.objects.get(slug={slug!r})
images = list(Image.objects.filter(project=project).order_by("pk"))

def caption(image, number, place):
    text = f"caption {{place}} about lantern {{number}} by the {{'sea' if place % 2 else 'hill'}}"
    source = "human" if place % 2 else "web"
    key = candidate_key(digest=image.digest, source=source, raw_text=text)
    return Candidate(project=project, image=image, key=key, raw_text=text, text=text, source=source, status="kept")

Candidate.objects.bulk_create(
    (caption(image, number, place) for number, image in enumerate(images) for place in range({per_image})),
    batch_size=2000,
)
captions = list(Candidate.objects.filter(project=project, status="kept").order_by("pk"))
votes = [(3, 0, "good"), (2, 1, "good"), (1, 2, "bad")]
Consensus.objects.bulk_create(
    (
        Consensus(candidate=one, label=votes[n % 3][2], n_good=votes[n % 3][0], n_bad=votes[n % 3][1],
                  entropy=0.0 if n % 3 == 0 else 0.918296)
        for n, one in enumerate(captions)
    ),
    batch_size=2000,
)
Selection.objects.bulk_create(
    (Selection(image=image, status="selected", method="all", mean_similarity=0.5, n_good=5) for image in images),
    batch_size=2000,
)
of_image = dict(Selection.objects.filter(image__project=project).values_list("image_id", "pk"))
seen = {{}}
items = []
for one in captions:
    seen[one.image_id] = seen.get(one.image_id, 0) + 1
    if seen[one.image_id] <= 2:
        items.append(SelectionItem(selection_id=of_image[one.image_id], candidate=one, position=seen[one.image_id]))
SelectionItem.objects.bulk_create(items, batch_size=2000)
kept = SelectionItem.objects.filter(selection__image__project=project)
Difficulty.objects.bulk_create(
    (
        Difficulty(item_id=pk, policy="unanimous", category="hard" if at == 1 else "easy", n_votes=0 if at == 1 else 7)
        for pk, at in kept.values_list("pk", "position")
    ),
    batch_size=2000,
)
draw = np.random.default_rng(7)

def plane(rows):
    n = len(rows)
    groups = draw.integers(0, 40, n)
    places = draw.uniform(-13, 22, (40, 2))[groups] + draw.normal(0, 0.9, (n, 2))
    return Plane(np.array([one.pk for one in rows]), places.astype("f4"), (groups - 1).astype("i4"))

run = Run.objects.create(project=project, stage="map_captions", status=RunStatus.SUCCEEDED)
settings = {{"n_neighbors": 15, "min_dist": 0.1, "metric": "cosine", "seed": 0, "fit_at_most": 50_000}}
facts = MapFacts(
    n_left_out=0, settings=settings, versions={{"umap-learn": "0.5.12"}}, image_model="drawn", text_model="drawn"
)
checks = np.array([check_of(one.text) for one in captions], dtype="u4")
record_map(run=run, facts=facts, points=MapPoints(plane(images), plane(captions), checks))
"""


def map_of(site: EmbeddedSite | LiveStack, *, slug: str, per_image: int) -> None:
    """Give every image of the project `per_image` captions with votes, and put all of them on a map."""
    site.manage("shell", "-c", MAP.format(slug=slug, per_image=per_image))
