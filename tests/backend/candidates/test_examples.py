"""The examples of operations about retrieved captions have the shape of real answers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from rest_framework.test import APIClient

from api_examples import Examples
from backend.candidates.models import Neighbour, Pool, Suspect
from backend.catalogue.models import Image
from backend.people.models import User
from backend.projects.models import Project
from backend.runs.models import Run
from protractor import corpus_at


def test_pools_and_suspects_are_as_in_their_examples(
    example: Examples, client_of: Callable[..., APIClient], project: Project, dora: User, tmp_path: Path, settings: Any,
    make_images: Callable[..., list[Image]],
) -> None:  # fmt: skip
    settings.MEDIA_ROOT, settings.DATA_DIR = tmp_path / "media", tmp_path / "data"
    [image], client, skies = make_images("sky"), client_of(dora), "projects/skies"
    run = Run.objects.create(project=project, stage="retrieve", status="succeeded")
    found = {"n_pictures": 2, "n_captions": 3, "n_kept_out": 1, "mean_similarity": 0.85, "label": -1}
    Pool.objects.create(run=run, image=image, radius=9, ended_by="mean", could_widen=True, **found)
    corpus = corpus_at(project, tmp_path / "near", [0, 10], name="near")
    rows = [Neighbour.objects.create(corpus=corpus, key=f"k{n}", shard=0, place="0+0") for n in range(2)]
    first, _ = (Suspect.objects.create(image=image, neighbour=row, bits=2, cosine=0.98) for row in rows)
    example("projects_pools_list", client.get, f"{skies}/pools")
    example("projects_images_pool_retrieve", client.get, f"{skies}/images/{image.pk}/pool")
    example("projects_suspects_list", client.get, f"{skies}/suspects")
    example("suspects_decisions_create", client.post, f"suspects/{first.pk}/decisions", {"decision": "allowed"})
    example("projects_suspects_counts_retrieve", client.get, f"{skies}/suspects/counts")
    sent = {"min_cosine": 0.9, "expected": 1}
    example("projects_suspects_keep_out_create", client.post, f"{skies}/suspects/keep-out", sent)
