"""Make controls: captions of unlike images, or unlike images of a query. A model or a hash says what is alike."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from django.conf import settings

from backend.candidates.suggesting_again import suggest_for_new_captions
from backend.catalogue.models import Image
from backend.controls.maker import Likeness, make_controls_of_images, make_controls_of_queries, record_made
from backend.methods.unlike import bits_apart
from backend.projects.models import Direction
from backend.runs.ledger import Ledger
from backend.runs.walk import get_stage, read_parameters
from workers.engines import registry
from workers.engines.shards import Shards
from workers.tasks.stage import stage
from workers.tasks.targets import embed_images


@stage("make_controls")
def make_controls(ledger: Ledger) -> None:
    asked = read_parameters(get_stage("make_controls"), ledger.parameters)
    likeness = _by_hash(ledger) if asked["by"] == "hash" else _by_model(ledger, str(asked["model"]))
    of_queries = ledger.run.project.direction == Direction.IMAGES_OF_A_QUERY
    make = make_controls_of_queries if of_queries else make_controls_of_images
    make(ledger=ledger, k=int(asked["k"]), likeness=likeness)
    record_made(ledger)
    suggest_for_new_captions(project=ledger.run.project, started_by=ledger.run.started_by)


def _by_model(ledger: Ledger, name: str) -> Likeness:
    """Cosines of the vision model; its vectors are kept, and computed only where they are not there yet."""
    encoder = registry.image_encoder(name or settings.VISION_MODEL)
    n_images = Image.objects.filter(project=ledger.run.project_id).count()
    ledger.set_total(n_images, models_used={encoder.name: encoder.digest})
    return by_vectors(embed_images(ledger, encoder, ledger.run.project))


def by_vectors(shards: Shards) -> Likeness:
    """Cosines; NaN for an image that has no vector."""

    def likeness(digest: str, others: Sequence[str]) -> list[float]:
        rows = shards.ids_of([digest, *others])
        found = np.full(len(others), np.nan)
        if rows[0] >= 0:
            seen = rows[1:] >= 0
            found[seen] = shards.rows(rows[1:][seen]) @ shards.rows(rows[:1])[0]
        return [float(value) for value in found]

    return likeness


def _by_hash(ledger: Ledger) -> Likeness:
    """Bits that perceptual hashes share: a poor man's likeness, for machines without a model."""
    ledger.set_total(0)
    project = ledger.run.project
    hashes = dict(Image.objects.filter(project=project).values_list("digest", "perceptual_hash"))

    def likeness(digest: str, others: Sequence[str]) -> list[float]:
        return [-float(bits_apart(hashes[digest], hashes[other])) for other in others]

    return likeness
