"""Retrieve: the captions of the corpus pictures that lie near each image become its candidates (IMP sections 3, 4.1).

The images are embedded by the corpora's model, the corpora indexed and mapped; all three are kept, so that a second
run, a retry or a run with another radius begins with the search. The cursor holds the last image that is done with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.conf import settings
from django.db.models import QuerySet

from backend.candidates import retrieval as service
from backend.candidates.bulk import refresh_statistics
from backend.candidates.models import Pool
from backend.catalogue.models import Image
from backend.catalogue.selectors import target_images
from backend.common.errors import InvalidInput
from backend.curation.selectors import list_short_pools
from backend.methods.leakage import read_hashes
from backend.methods.retrieval import scaled_radius
from backend.runs.ledger import Ledger
from backend.runs.walk import get_stage, read_parameters
from workers.engines import registry
from workers.engines.cluster_map import ClusterMap, MapSettings, map_clusters
from workers.engines.protocols import Skipped
from workers.engines.shards import Shards
from workers.tasks.corpora_folders import recipe_by
from workers.tasks.retrieval_gallery import LEFT_ASIDE, Gallery, kept_in, open_gallery
from workers.tasks.retrieval_search import Demands, Search, Target
from workers.tasks.stage import stage
from workers.tasks.targets import embed_images, refusal_of

CLUSTERING = "clustering"
SHORT_POOLS = "short_pools"
NO_IMAGES = "This project has no images. Import images first."
BAD_BAND = "low is {low}, but high is {high}. Make high at least as large as low."
PLAN = "{n_images:,} images, {n_pictures:,} corpus images of {names}: at most {radius:,} for each image."
CLUSTERS = "{n_clusters:,} clusters; {n_noise:,} corpus images and {n_alone:,} images are in none."


@dataclass(frozen=True)
class Images:
    """The images that captions are retrieved for, by id, with their pHashes; and those that have no vector.

    `vectors` are of all images of the project, whether a sample picked them or not.
    """

    vectors: Shards
    targets: Sequence[Target]
    hashes: Sequence[str]
    skipped: Sequence[Skipped]


@stage("retrieve")
def retrieve(ledger: Ledger) -> None:
    """Embeds the images, opens the corpora, and searches image after image, a batch a step."""
    asked = read_parameters(get_stage("retrieve"), ledger.parameters)
    _check(ledger, asked)
    encoder = registry.image_encoder(str(asked["model"] or settings.VISION_MODEL))
    gallery = open_gallery(ledger.run.project, str(asked["corpora"]), recipe_by(encoder))
    ledger.set_total(_n_to_do(ledger, asked), models_used={encoder.name: encoder.digest})
    ledger.take_over(Pool.objects)
    images = _images_of(ledger, asked, embed_images(ledger, encoder, ledger.run.project))
    search = _search(ledger, asked, gallery, images)
    _go_through(ledger, search, images.targets)
    refresh_statistics()


def _check(ledger: Ledger, asked: dict[str, Any]) -> None:
    """Before anything is loaded. Raises InvalidInput."""
    if asked["low"] > asked["high"]:
        raise InvalidInput(BAD_BAND.format(**asked))
    if not Image.objects.filter(project=ledger.run.project).exists():
        raise InvalidInput(NO_IMAGES, code="no_images")


def _n_to_do(ledger: Ledger, asked: dict[str, Any]) -> int:
    """Every image is embedded, and those that are asked for are searched for."""
    return Image.objects.filter(project=ledger.run.project).count() + _wanted(ledger, asked).count()


def _wanted(ledger: Ledger, asked: dict[str, Any]) -> QuerySet[Image]:
    """The images that a sample in force picked; of these the ones with short pools, where only they are asked for."""
    images = target_images(project=ledger.run.project)
    if asked["images"] == SHORT_POOLS:
        images = images.filter(pk__in=list_short_pools(project=ledger.run.project).values("image"))
    return images


def _images_of(ledger: Ledger, asked: dict[str, Any], vectors: Shards) -> Images:
    """Who is searched for, in the order of ids: images that come while the run lasts wait for the next."""
    rows = {key: row for row, key in enumerate(vectors.keys(np.arange(len(vectors))))}
    own = _wanted(ledger, asked).order_by("id").values_list("id", "digest", "perceptual_hash")
    there = [one for one in own if one[1] in rows]
    targets = [Target(image_id, digest, rows[digest], n) for n, (image_id, digest, _) in enumerate(there)]
    wanted = {digest for _, digest, _ in own}
    skipped = [one for one in vectors.skipped if one.key in wanted]
    return Images(vectors, targets, [phash for _, _, phash in there], skipped)


def _search(ledger: Ledger, asked: dict[str, Any], gallery: Gallery, images: Images) -> Search:
    radius = scaled_radius(len(gallery.rows), r_ref=asked["radius"])
    _begin(ledger, gallery, images, radius)
    index = gallery.index()
    clusters = _clusters(ledger, asked, gallery, images) if asked["mode"] == CLUSTERING else None
    band = (asked["low"] / 100, asked["high"] / 100)
    return Search(
        gallery,
        index,
        images.vectors.rows(np.arange(len(images.vectors))),
        Demands(radius, band, asked["copy"] / 100),
        clusters=clusters,
        near=gallery.near_hashes(read_hashes(images.hashes)),
        allowed=service.list_allowed(project=ledger.run.project),
    )


def _begin(ledger: Ledger, gallery: Gallery, images: Images, radius: int) -> None:
    """Once in a run, before the corpora are indexed and mapped, which can take hours: what it takes, and who cannot."""
    if ledger.cursor.get("begun"):
        return
    with ledger.step() as step:
        names = ", ".join(corpus.name for corpus in gallery.corpora)
        told = {"n_images": len(images.targets), "n_pictures": len(gallery.rows), "names": names, "radius": radius}
        step.log.append(PLAN.format(**told))
        step.log += [LEFT_ASIDE.format(name=corpus.name) for corpus in gallery.aside]
        step.refuse(ledger.run, [refusal_of(one) for one in images.skipped])
        step.done = len(images.skipped)
        step.cursor["begun"] = True


def _clusters(ledger: Ledger, asked: dict[str, Any], gallery: Gallery, images: Images) -> ClusterMap:
    wanted = MapSettings(asked["min_cluster_size"], asked["epsilon"] / 100, asked["umap_sample"], ledger.seed)
    found = map_clusters(gallery.rows, images.vectors, wanted, kept_in(gallery.rows.recipe))
    ledger.set_total(ledger.run.total, models_used=found.made_by)
    if not ledger.cursor.get("mapped"):
        with ledger.step() as step:
            step.log.append(_told(found))
            step.cursor["mapped"] = True
    return found


def _told(clusters: ClusterMap) -> str:
    n_clusters = int(clusters.pictures.max(initial=-1)) + 1
    n_noise, n_alone = int((clusters.pictures < 0).sum()), int((clusters.images < 0).sum())
    return CLUSTERS.format(n_clusters=n_clusters, n_noise=n_noise, n_alone=n_alone)


def _go_through(ledger: Ledger, search: Search, targets: Sequence[Target]) -> None:
    left = [target for target in targets if target.image_id > ledger.cursor.get("after", 0)]
    for start in range(0, len(left), search.n_at_once):
        batch = left[start : start + search.n_at_once]
        found = search.of(batch)
        with ledger.step() as step:
            service.keep_retrieved(step=step, run=ledger.run, found=found)
            step.cursor["after"], step.done = batch[-1].image_id, len(batch)
