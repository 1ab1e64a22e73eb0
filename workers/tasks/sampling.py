"""Sample: embed the project's images, lay them out on a plane, pick k of them that cover it (IMP section 3).

Rows go by digest, so that ties and the layout do not hang on database ids. The layout is kept beside the vectors:
another k of the same images, or a retry, does not wait for UMAP again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from django.conf import settings
from numpy.typing import NDArray

from backend.catalogue import sampling
from backend.catalogue.models import Image, Layout
from backend.catalogue.sampling import Facts, Place
from backend.common.errors import ConnoteError
from backend.methods.principal_axes import principal_plane
from backend.methods.sampling import Sample, sample_farthest
from backend.runs.ledger import Ledger
from workers.engines import registry
from workers.engines.projection import (
    Projection,
    ProjectionRefusedError,
    Settings,
    project,
    read_projection,
    save_projection,
)
from workers.engines.protocols import Skipped
from workers.engines.rows import ArrayRows
from workers.engines.shards import Shards
from workers.tasks.stage import stage
from workers.tasks.targets import embed_images, images_folder, refusal_of

FEWEST = 15  # below it UMAP has no neighbourhoods to lay out (SCIENCE 2.8): the vectors themselves are sampled
SEEDS = 2**32  # UMAP takes no larger ones
EVERYTHING = "All {n:,} images are picked, because the project does not have more."
SHORT = "{n:,} of {k:,} images are picked. The others are copies of picked images."
FEW = "There are fewer than {n} images. They are sampled by their vectors and shown on principal axes, without UMAP."


@dataclass(frozen=True)
class Laid:
    """Images by digest with their places (n, 2) float64, and the `points` (n, d) that distances are taken between."""

    digests: list[str]
    places: NDArray[np.float64]
    points: NDArray[np.float64]
    layout: Layout
    versions: dict[str, str]


@stage("sample")
def sample(ledger: Ledger) -> None:
    """The cursor holds how many images are `embedded`, and, once it is kept, the `sample`."""
    if "sample" in ledger.cursor:
        return
    project_, encoder = ledger.run.project, registry.image_encoder(ledger.parameters["model"] or settings.VISION_MODEL)
    n_images = Image.objects.filter(project=project_).count()
    ledger.set_total(n_images, models_used={encoder.name: encoder.digest})
    vectors = embed_images(ledger, encoder, project_)
    wanted = layout_settings(ledger)
    laid = lay_out(*by_digest(vectors), wanted, images_folder(project_, encoder.digest) / "layout")
    picked = pick(laid, ledger.parameters["k"])
    facts = Facts(
        k=ledger.parameters["k"],
        n_left_out=len(vectors.skipped),
        is_everything=picked.is_everything,
        is_short=picked.is_short,
        cover_radius=picked.cover_radius,
        layout=laid.layout,
        settings=asdict(wanted),
        versions=laid.versions,
        model=encoder.name,
        model_digest=encoder.digest,
    )
    _keep(ledger, facts, list(_places(laid, picked)), vectors.skipped)


def layout_settings(ledger: Ledger) -> Settings:
    """UMAP's settings of a run; `min_dist` comes in hundredths."""
    return Settings(
        n_neighbors=ledger.parameters["n_neighbors"],
        min_dist=ledger.parameters["min_dist"] / 100,
        seed=ledger.seed % SEEDS,
    )


def by_digest(vectors: Shards) -> tuple[list[str], ArrayRows]:
    """The keys of all vectors in byte order, and the vectors in that order."""
    ids = np.arange(len(vectors), dtype=np.int64)
    keys = vectors.keys(ids)
    order = np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.int64)
    return [keys[place] for place in order], ArrayRows(vectors.rows(ids[order]))


def lay_out(digests: list[str], rows: ArrayRows, wanted: Settings, folder: Path) -> Laid:
    """The vectors on a plane, a digest for each. Raises EngineError where a vector has no direction."""
    if len(digests) < FEWEST:
        points = rows.rows(np.arange(len(rows), dtype=np.int64)).astype(np.float64)
        return Laid(digests, principal_plane(points), points, Layout.PRINCIPAL, {"numpy": np.__version__})
    laid = _projected(rows, wanted, folder)
    places = laid.coordinates.astype(np.float64)
    return Laid(digests, places, places, Layout.UMAP, laid.versions)


def _projected(rows: ArrayRows, wanted: Settings, folder: Path) -> Projection:
    """The layout that is kept in `folder` if it is this one, else a new one, kept from now on."""
    try:
        kept = read_projection(folder)
    except ProjectionRefusedError:
        kept = None
    if kept is not None and (kept.source, kept.settings) == (rows.digest, wanted):
        return kept
    made = project(rows, wanted)
    save_projection(made, folder)
    return made


def pick(laid: Laid, k: int) -> Sample:
    """k of the images, the farthest first. Raises ConnoteError where a coordinate is no number."""
    try:
        return sample_farthest(laid.points, k)
    except ValueError as error:
        raise ConnoteError(str(error), code="not_laid_out") from error


def _places(laid: Laid, picked: Sample) -> Iterator[Place]:
    told = {
        row: (position, distance)
        for position, (row, distance) in enumerate(zip(picked.order, picked.distances, strict=True), 1)
    }
    for row, (digest, (x, y)) in enumerate(zip(laid.digests, laid.places.tolist(), strict=True)):
        position, distance = told.get(row, (None, picked.nearest[row]))
        yield Place(digest, x, y, position, distance)


def _keep(ledger: Ledger, facts: Facts, places: list[Place], skipped: list[Skipped]) -> None:
    """One step: the sample, what was left out of it, and the note that it stands."""
    with ledger.step() as step:
        kept = sampling.keep_sample(run=ledger.run, facts=facts, places=places)
        step.refuse(ledger.run, [refusal_of(one) for one in skipped])
        step.counts.update({"in": kept.n_images + facts.n_left_out, "out": kept.n_picked})
        step.counts["left"] += kept.n_images - kept.n_picked
        step.log += _words(facts, kept.n_picked, len(places))
        step.cursor["sample"] = kept.pk


def _words(facts: Facts, n_picked: int, n: int) -> Iterator[str]:
    if facts.layout == Layout.PRINCIPAL:
        yield FEW.format(n=FEWEST)
    if facts.is_everything:
        yield EVERYTHING.format(n=n)
    if facts.is_short:
        yield SHORT.format(n=n_picked, k=facts.k)
