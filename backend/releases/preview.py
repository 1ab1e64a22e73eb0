"""What other sites show of the link to a public page: a title, a sentence, and a picture."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import reduce
from html import escape

from django.core.files.storage import default_storage
from PIL import Image as Picture
from PIL import ImageOps

from backend.common.errors import NotFound
from backend.methods.licences import may_be_passed_on
from backend.releases import selectors
from backend.releases.models import ReleaseLink, Withdrawal

WIDTH, HEIGHT, GAP = 1200, 630, 6  # what the sites that draw previews ask for
LOOKED_AT = 60  # images, until enough may be shown
SHOWN = 3
MAT = "#1e1d1b"
PLACES = ("<title>Connote</title>", '<meta name="description" content="Captions for photographs, judged by people." />')


class NoPreview(NotFound):
    """No image of this release may be shown on other sites."""

    code = "no_preview"


@dataclass(frozen=True)
class Head:
    """What the head of the page says."""

    title: str
    description: str
    url: str
    picture: str
    is_indexable: bool

    def put_into(self, page: str) -> str:
        """The page of the front end with this head. Whatever people wrote is escaped."""
        named = {
            "og:type": "website", "og:site_name": "Connote", "og:title": self.title, "og:url": self.url,
            "og:description": self.description, "og:image": self.picture,
            "og:image:width": str(WIDTH), "og:image:height": str(HEIGHT),
        }  # fmt: skip
        told = {"description": self.description, "twitter:card": "summary_large_image"}
        told |= {} if self.is_indexable else {"robots": "noindex, nofollow"}
        lines = [f"<title>{escape(self.title)}</title>"]
        lines += [f'<meta name="{name}" content="{escape(text)}" />' for name, text in told.items()]
        lines += [f'<meta property="{name}" content="{escape(text)}" />' for name, text in named.items()]
        without = reduce(lambda text, place: text.replace(place, "", 1), PLACES, page)
        return without.replace("</head>", "\n".join([*lines, "</head>"]), 1)


def describe(link: ReleaseLink, *, url: str, picture: str) -> Head:
    """The head of a public page."""
    release = link.release
    return Head(
        title=f"{' '.join(release.project.name.split())}, version {release.label}",
        description=f"{release.n_images:,} images with {release.n_captions:,} captions that people judged.",
        url=url,
        picture=picture,
        is_indexable=link.is_indexable,
    )


def draw_preview(link: ReleaseLink) -> bytes:
    """A few images of the release beside each other, as JPEG: only those whose licence lets others show them.

    Raises NoPreview.
    """
    release = link.release
    entries = list(selectors.list_entries(release=release)[:LOOKED_AT])
    withdrawn = set(Withdrawal.objects.filter(project=release.project_id).values_list("digest", flat=True))
    may_show = (entry for entry in entries if may_be_passed_on(entry.body["licence"]))
    digests = [entry.digest for entry in may_show if entry.digest not in withdrawn]
    there = selectors.get_images_by_digest(project_id=release.project_id, digests=digests)
    pictures: list[Picture.Image] = []
    for digest in digests:
        if len(pictures) < SHOWN and digest in there and (found := _open(there[digest].large)):
            pictures.append(found)
    if not pictures:
        raise NoPreview()
    width = (WIDTH - GAP * (len(pictures) - 1)) // len(pictures)
    page = Picture.new("RGB", (WIDTH, HEIGHT), MAT)
    for place, picture in enumerate(pictures):
        whole = ImageOps.pad(picture, (width, HEIGHT), color=MAT)  # some licences allow no part of an image
        page.paste(whole, (place * (width + GAP), 0))
    drawn = io.BytesIO()
    page.save(drawn, "JPEG", quality=85)
    return drawn.getvalue()


def _open(name: str) -> Picture.Image | None:
    """A thumbnail, which the site made itself; None where it is gone."""
    try:
        with default_storage.open(name) as file:
            return Picture.open(file).convert("RGB")
    except OSError:
        return None
