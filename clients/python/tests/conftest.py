"""The client against a live Django server, with people and rows of tests/support."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from backend.catalogue.models import Image
from backend.people.models import User
from backend.people.services import create_token
from backend.projects.models import Project
from backend.runs.models import Run
from connote_client import Client
from drawn import draw

pytest_plugins = ["cast", "judged_project"]
OpenSite = Callable[..., Client]


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"
    monkeypatch.setenv("CONNOTE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))


@pytest.fixture
def site_of(live_server: Any) -> Iterator[OpenSite]:
    """`site_of(alice)`: a client with a token of hers."""
    with ExitStack() as opened:

        def make(user: User, **words: Any) -> Client:
            _, secret = create_token(user=user, name="client", **words.pop("token", {}))
            return opened.enter_context(Client(live_server.url, secret, **words))

        yield make


@pytest.fixture
def released(
    project: Project,
    make_judged: Callable[..., Project],
    run_stage: Callable[..., Run],
    alice: User,
    bob: User,
    dora: User,
) -> Project:
    """Three images with five selected captions each, in a release. The third image has no good files."""
    make_judged(project, images=3, captions=6)
    for n, image in enumerate(Image.objects.order_by("id")):
        image.small, image.large = f"thumbnails/{n}-s.webp", f"thumbnails/{n}-l.webp"
        image.perceptual_hash = f"{n:x}" * 16  # else they are near-duplicates, and all in one split
        original = draw(n, size=(40 + n, 30))
        image.digest, image.original = hashlib.sha256(original).hexdigest(), f"originals/{n}.png"
        image.save()
        default_storage.save(image.original, ContentFile(b"damaged" if n == 2 else original))
        for name in (image.small, image.large):
            if n != 2:
                default_storage.save(name, ContentFile(draw(size=(16 + n, 16 + n))))
    for stage, settings in (("consensus", {"min_votes": 1}), ("select", {}), ("release", {"shares": "34,33,33"})):
        run = run_stage(project, stage, started_by=alice, **settings)
        assert run.status == "succeeded", run.error
    return project
