"""Two images whose captions a test knows by heart, and models that need no weights."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from backend.projects.models import Project
from backend.runs.models import Run, RunStatus
from panels import StandIn, Tower, seat, store_pictures
from workers.engines.registry import use_sentence_encoder
from world import World

CAPTIONS = {"pier": ("a grey pier", "a pier at dusk", "the end of the day"), "market": ("red apples", "a red market")}
COSINES = {"a grey pier": 0.8, "a pier at dusk": 0.6, "the end of the day": 0.0, "red apples": 0.8, "a red market": 0.6}
SAYINGS = {"a grey pier": 1.0, "a pier at dusk": 0.6, "the end of the day": 0.0, "red apples": 1.0, "a red market": 0.6}
MODELS = {"model": "sayings", "clip": "stand-in"}


@pytest.fixture(autouse=True)
def models(settings: Any, tmp_path: Path) -> StandIn:
    """The CLIP gives each caption the cosine of COSINES with any picture, SBERT that of SAYINGS with one direction."""
    settings.MEDIA_ROOT = tmp_path / "media"
    words = StandIn("sayings", lambda text: SAYINGS.get(text, 0.28))
    tower: Any = Tower(words, words.encode_texts)
    use_sentence_encoder("sayings", tower)
    return seat(StandIn("stand-in", lambda text: COSINES.get(text, 0.28)), folder=tmp_path, threshold=None)


@pytest.fixture
def chosen(project: Project, bob: Any, dora: Any) -> Project:
    """Every caption is good, and all of them are chosen."""
    from backend.curation.models import Selection, SelectionItem

    world = World(project)
    for image, texts in zip(world.photos(len(CAPTIONS)), CAPTIONS.values(), strict=True):
        captions = world.captions(image, *texts)
        found = Selection.objects.create(image=image, status="selected", method="all", n_good=len(texts))
        for position, caption in enumerate(captions, start=1):
            SelectionItem.objects.create(selection=found, candidate=caption, position=position)
    store_pictures(project)
    return project


@pytest.fixture
def reported(chosen: Project, run_stage: Callable[..., Run]) -> Callable[..., Run]:
    """Run the stage: `reported(second="file:...")`."""

    def run(**parameters: Any) -> Run:
        found = run_stage(chosen, "diversity", **(MODELS | parameters))
        assert found.status == RunStatus.SUCCEEDED, found.error
        return found

    return run
