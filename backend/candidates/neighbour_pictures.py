"""The corpus picture beside a caption, made small: read out of its shard once, then kept among the thumbnails.

The picture was decoded before, when its corpus was embedded, but by another process and perhaps another day: it is
judged here as if it came from nobody knows where. What is served is a JPEG that was drawn here, whatever lay there.
"""

from __future__ import annotations

import hashlib
import io

from django.conf import settings
from django.core.files.storage import default_storage
from PIL import Image as Pictures

from backend.candidates.models import Neighbour
from backend.catalogue.corpora import read_picture, state_of_picture
from backend.catalogue.models import CorpusShard
from backend.catalogue.sources.rows import SourceUnreadable
from backend.catalogue.storage import keep_file
from backend.common.errors import NotFound
from backend.methods.open_pictures import PictureRefused, read_rgb
from backend.methods.thumbnails import SMALL, fit_within

QUALITY = 82
GONE = "The file of this image is missing, so Connote cannot show it."
UNREADABLE = "Connote cannot read this image. Its format or size is not known."


def read_small(neighbour: Neighbour) -> bytes:
    """A JPEG of at most 320 pixels a side. Raises NotFound where the shard or the picture is gone."""
    shard = CorpusShard.objects.filter(corpus=neighbour.corpus_id, position=neighbour.shard).first()
    if shard is None:
        raise NotFound(GONE, code="shard_gone")
    name = _name_of(neighbour, shard)
    try:
        with default_storage.open(name) as file:
            kept: bytes = file.read()
            return kept
    except FileNotFoundError:
        small = _drawn(_read(neighbour, shard))
    keep_file(name, small)
    return small


def _name_of(neighbour: Neighbour, shard: CorpusShard) -> str:
    """By content: another project that registered the same shard finds the same file, and a new picture a new one.

    Raises NotFound where a picture that lies beside its table is gone.
    """
    try:
        state = state_of_picture(neighbour.corpus, neighbour.place)
    except (SourceUnreadable, OSError) as error:
        raise NotFound(GONE, code="shard_gone") from error
    told = "\0".join((shard.sha256, shard.name, neighbour.place, state))
    digest = hashlib.sha256(told.encode()).hexdigest()
    return f"neighbours/{digest[:2]}/{digest}.jpg"


def _read(neighbour: Neighbour, shard: CorpusShard) -> bytes:
    try:
        return read_picture(neighbour.corpus, shard, neighbour.place)
    except (SourceUnreadable, OSError) as error:
        raise NotFound(GONE, code="shard_gone") from error


def _drawn(data: bytes) -> bytes:
    try:
        return _small_jpeg(data)
    except PictureRefused as error:
        raise NotFound(UNREADABLE, code="image_not_shown") from error


def _small_jpeg(data: bytes) -> bytes:
    upright = read_rgb(data, max_pixels=settings.MAX_IMAGE_PIXELS, at_least=2 * SMALL)
    small = upright.resize(fit_within(*upright.size, SMALL), Pictures.Resampling.LANCZOS)
    out = io.BytesIO()
    small.save(out, "JPEG", quality=QUALITY)
    return out.getvalue()
