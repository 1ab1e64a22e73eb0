"""Google Vision on this machine with twenty images it knows, and the result for its titles."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.projects.models import Project
from panels import store_pictures
from vision_server import KEY, Vision, found, page, serving
from workers.engines.web_entities import WebEntities
from workers.tasks import web_titles as stage
from world import World


@pytest.fixture
def vision(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Vision]:
    """Google Vision on this machine, a key for it, and nobody who really waits."""
    monkeypatch.setattr(stage, "WebEntities", partial(WebEntities, sleep=lambda seconds: None, read_seconds=0.5))
    settings.MEDIA_ROOT = tmp_path / "media"
    with serving() as server:
        settings.GOOGLE_VISION_KEY, settings.GOOGLE_VISION_ENDPOINT = KEY, server.url
        settings.GOOGLE_VISION_PER_MINUTE = 10**6
        yield server


@pytest.fixture
def shown(project: Project, vision: Vision) -> list[Image]:
    """Twenty images by digest, each shown by one page whose title names its digest; thumbnails hold the digest."""
    made = sorted(World(project).photos(20), key=lambda image: image.digest)
    store_pictures(project)
    vision.answers = {sent(image): found(page(title_of(image))) for image in made}
    return made


def sent(image: Image) -> bytes:
    """What is sent about an image: the content of its large thumbnail."""
    return image.digest.encode()


def title_of(image: Image) -> str:
    return f"A <b>red</b> sky over {image.digest[:8]}"


def web_pool(project: Project) -> list[tuple[Any, ...]]:
    """Every web candidate, by image and rank."""
    rows = Candidate.objects.filter(project=project, source="web").order_by("image__digest", "rank")
    return list(rows.values_list("image__digest", "raw_text", "source_ref", "rank", "status", "key"))
