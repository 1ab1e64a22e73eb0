"""A project as large as a house ever gets, without importing for an hour: few real thumbnails under many names."""

from __future__ import annotations

from embedded_site import EmbeddedSite
from live_stack import LiveStack
from walker import COMMITTED_PHOTOGRAPHS, CREATE_CURATOR, Lab

# Every row has a thumbnail address of its own, so that a browser fetches and decodes as many pictures as it shows.
COPY = """
import hashlib, os
from pathlib import Path
from django.conf import settings
from backend.catalogue.models import Image
rows = list(Image.objects.filter(project__slug={slug!r}).order_by("id"))
media = Path(settings.MEDIA_ROOT)

def another(name, digest, size):
    copy = f"thumbnails/{{digest[:2]}}/{{digest}}-{{size}}.webp"
    (media / copy).parent.mkdir(parents=True, exist_ok=True)
    os.link(media / name, media / copy)
    return copy

def copies():
    for n in range(len(rows), {n}):
        row = rows[n % len(rows)]
        digest = hashlib.sha256(f"{slug} {{n}}".encode()).hexdigest()
        facts = {{f.name: getattr(row, f.name) for f in Image._meta.concrete_fields if f.name != "id"}}
        facts |= {{"digest": digest, "key": f"copy-{{n:06}}", "title": f"Photograph {{n + 1}}"}}
        facts |= {{size: another(getattr(row, size), digest, size) for size in ("small", "large")}}
        yield Image(**facts)

Image.objects.bulk_create(copies(), batch_size=1000)
"""


def project_of(site: EmbeddedSite | LiveStack, n: int, *, slug: str) -> Lab:
    """A project of alice's with `n` images: the committed photographs, and copies of their rows."""
    site.manage("shell", "-c", CREATE_CURATOR)
    lab = Lab(site.url, slug=slug, overlap=1)
    lab.wait(lab.start("import_images", upload=lab.upload(COMMITTED_PHOTOGRAPHS)))
    site.manage("shell", "-c", COPY.format(slug=slug, n=n))
    return lab


# A layout as UMAP gives one, forty clusters and some stragglers, without waiting for UMAP.
SAMPLE = """
import numpy as np
from backend.catalogue.models import Image, Layout
from backend.catalogue.sampling import Facts, Place, keep_sample
from backend.methods.sampling import sample_farthest
from backend.projects.models import Project
from backend.runs.models import Run, RunStatus
project = Project.objects.get(slug={slug!r})
digests = list(Image.objects.filter(project=project).order_by("digest").values_list("digest", flat=True))
draw, n = np.random.default_rng(7), len(digests)
places = draw.uniform(-13, 22, (40, 2))[draw.integers(0, 40, n)] + draw.normal(0, 0.9, (n, 2))
places[: n // 250] = draw.uniform(-16, 26, (n // 250, 2))
picked = sample_farthest(places, {k})
order = {{row: (n, far) for n, (row, far) in enumerate(zip(picked.order, picked.distances), 1)}}
run = Run.objects.create(project=project, stage="sample", status=RunStatus.SUCCEEDED, parameters={{"k": {k}}})
facts = Facts(
    k={k}, n_left_out=0, is_everything=picked.is_everything, is_short=picked.is_short,
    cover_radius=picked.cover_radius, layout=Layout.UMAP, versions={{"umap-learn": "0.5.12"}},
    settings={{"n_neighbors": 15, "min_dist": 0.1, "metric": "cosine", "seed": 0, "fit_at_most": 500_000}},
    model="drawn", model_digest="0" * 64,
)
keep_sample(run=run, facts=facts, places=[
    Place(digest, float(places[row, 0]), float(places[row, 1]), *order.get(row, (None, picked.nearest[row])))
    for row, digest in enumerate(digests)
])
"""


def sample_of(site: EmbeddedSite | LiveStack, *, slug: str, k: int) -> None:
    """Give the project a sample of `k`, its images laid out at places drawn by a seed."""
    site.manage("shell", "-c", SAMPLE.format(slug=slug, k=k))
