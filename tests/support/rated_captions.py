"""A project whose captions nine models have rated, written straight into the database: no model runs for it."""

from __future__ import annotations

from embedded_site import EmbeddedSite
from live_stack import LiveStack
from walker import COMMITTED_PHOTOGRAPHS, CREATE_CURATOR, Lab

RATE = """
import random
from backend.candidates.models import Candidate, candidate_key
from backend.catalogue.models import Image
from backend.curation.models import Consensus, Difficulty, ModelScore, Rater, Selection, SelectionItem
from backend.methods.difficulty import rate
names = ["postcards-1-rn", "RN50", "RN101", "ViT-B-32", "ViT-B-16", "ViT-L-14", "ViT-g-14", "extra-1", "extra-2"]
made = {{"f1": 0.81, "batch_size": 256, "pairs": "1,024 pairs of pairs.csv"}}
raters = [
    Rater.objects.get_or_create(
        name=name, digest=f"{{n}}" * 64, record=f"{{n}}" * 64,
        defaults={{"threshold": 0.25, "calibration": made | {{"threshold": 0.25}}}},
    )[0]
    for n, name in enumerate(names)
]
draw = random.Random(5)
for image in Image.objects.filter(project__slug={slug!r}).order_by("id"):
    selection = Selection.objects.create(image=image, status="selected", method="exact", n_good=5)
    for place in range(5):
        text = f"Caption {{place + 1}} of the image {{image.key}}"
        key = candidate_key(digest=image.digest, source="human", raw_text=text)
        caption = Candidate.objects.create(
            project_id=image.project_id, image=image, text=text, raw_text=text, key=key, source="human", status="kept"
        )
        ease = draw.random()
        n_bad = int(ease < 0.4)
        Consensus.objects.create(candidate=caption, label="good", n_good=3, n_bad=n_bad, entropy=0.811 * n_bad)
        item = SelectionItem.objects.create(selection=selection, candidate=caption, position=place + 1)
        votes = [draw.random() < ease * 1.3 - 0.1 for _ in names]
        rating = rate(votes[:7])
        row = Difficulty.objects.create(
            item=item, policy="unanimous", category=rating.category, n_votes=rating.n_votes, n_models=7,
            tie_breaker_vote=votes[6],
        )
        ModelScore.objects.bulk_create(
            ModelScore(
                difficulty=row, rater=rater, position=n + 1, is_in_panel=n < 7, vote=votes[n],
                score=0.3 if votes[n] else 0.2,
            )
            for n, rater in enumerate(raters)
        )
"""


def rated_project(site: EmbeddedSite | LiveStack, *, slug: str) -> Lab:
    """A project of alice's on the committed photographs, five rated captions each."""
    site.manage("shell", "-c", CREATE_CURATOR)
    lab = Lab(site.url, slug=slug, overlap=1)
    lab.wait(lab.start("import_images", upload=lab.upload(COMMITTED_PHOTOGRAPHS)))
    site.manage("shell", "-c", RATE.format(slug=slug))
    return lab
