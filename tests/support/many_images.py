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
