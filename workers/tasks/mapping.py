"""The map: all images and all captions of a project on two planes, near ones alike (IMP Figure 11 for every caption).

Images lie by what they show, captions by what they say. A text that several captions share is laid out once, since
UMAP ignores its seed where rows repeat. Vectors are kept by the digest of their text, so that a map of a few captions
more is soon made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import numpy as np
from django.conf import settings
from numpy.typing import NDArray

from backend.catalogue.models import Image
from backend.common.errors import Conflict
from backend.curation import maps
from backend.curation.maps import MapFacts
from backend.methods.map_points import NO_CLUSTER, MapPoints, Plane, check_of
from backend.runs.ledger import Ledger
from workers.engines import registry
from workers.engines.clusters import find_clusters
from workers.engines.projection import Settings
from workers.engines.protocols import ImageEncoder, SentenceEncoder, Skipped
from workers.engines.rows import ArrayRows
from workers.engines.shard_manifest import Recipe
from workers.tasks.caption_vectors import Texts, caption_vectors, embed_captions
from workers.tasks.sampling import SEEDS, Laid, by_digest, lay_out
from workers.tasks.stage import stage
from workers.tasks.targets import embed_images, images_folder, refusal_of

PREPROCESSING = "sentences/1"  # with another one every vector is made again
GROUPS_AT_MOST = 200
SMALLEST_GROUP = 5
NO_CAPTIONS = "No caption is left after cleaning, so there is nothing to put on the map."
CaptionRows = Sequence[tuple[int, int, str]]


@stage("map_captions")
def map_captions(ledger: Ledger) -> None:
    """The cursor holds how many images are `embedded` and texts are `read`, and, at the end, that the map is `kept`."""
    if "kept" in ledger.cursor:
        return
    project = ledger.run.project
    images = registry.image_encoder(ledger.parameters["model"] or settings.VISION_MODEL)
    sentences = registry.sentence_encoder(ledger.parameters["text_model"] or settings.SENTENCE_MODEL)
    rows = maps.list_map_captions(project=project)
    if not rows:
        raise Conflict(NO_CAPTIONS, code="nothing_to_map")
    texts = Texts()
    text_of = [texts.take(text) for _, _, text in rows]
    n_images = Image.objects.filter(project=project).count()
    ledger.set_total(
        n_images + len(texts.texts),
        models_used={images.name: images.digest, sentences.name: sentences.digest},
    )
    wanted = map_settings(ledger)
    image_plane, image_versions, skipped = _lay_out_images(ledger, images, wanted)
    caption_plane, caption_versions = _lay_out_captions(ledger, sentences, wanted, rows, texts, text_of)
    check = {pk: check_of(text) for pk, _, text in rows}
    checks = np.array([check[pk] for pk in caption_plane.ids.tolist()], dtype=np.uint32)
    n_in = n_images + len(rows)
    facts = MapFacts(
        n_left_out=n_in - len(image_plane) - len(caption_plane),
        settings=asdict(wanted),
        versions=image_versions | caption_versions,
        image_model=images.name,
        text_model=sentences.name,
    )
    with ledger.step() as step:
        maps.record_map(run=ledger.run, facts=facts, points=MapPoints(image_plane, caption_plane, checks))
        step.refuse(ledger.run, [refusal_of(one) for one in skipped])
        step.counts.update({"in": n_in, "out": n_in - facts.n_left_out})
        step.cursor["kept"] = True


def map_settings(ledger: Ledger) -> Settings:
    """UMAP's settings of a run; `min_dist` comes in hundredths."""
    return Settings(
        n_neighbors=ledger.parameters["n_neighbors"],
        min_dist=ledger.parameters["min_dist"] / 100,
        seed=ledger.seed % SEEDS,
        fit_at_most=ledger.parameters["learn_from"],
    )


def _lay_out_images(
    ledger: Ledger, encoder: ImageEncoder, wanted: Settings
) -> tuple[Plane, dict[str, str], list[Skipped]]:
    project = ledger.run.project
    vectors = embed_images(ledger, encoder, project)
    laid = lay_out(*by_digest(vectors), wanted, images_folder(project, encoder.digest) / "map")
    place_of = {digest: place for place, digest in enumerate(laid.digests)}
    ids = Image.objects.filter(project=project).order_by("pk").values_list("pk", "digest")
    found = [(pk, place_of[digest]) for pk, digest in ids if digest in place_of]
    return _plane(laid, found), dict(laid.versions), vectors.skipped


def _lay_out_captions(
    ledger: Ledger, encoder: SentenceEncoder, wanted: Settings, rows: CaptionRows, texts: Texts, text_of: Sequence[int]
) -> tuple[Plane, dict[str, str]]:
    project = ledger.run.project
    dimensions = int(encoder.encode(texts.texts[:1]).shape[1])
    recipe = Recipe(encoder.name, encoder.digest, PREPROCESSING, dimensions)
    embed_captions(ledger, encoder, recipe, project, texts)
    kept = caption_vectors(project, encoder.digest, preprocessing=PREPROCESSING)
    vectors = kept.open()
    digests = sorted(texts.digests)
    laid = lay_out(digests, ArrayRows(vectors.rows(vectors.ids_of(digests))), wanted, kept.folder / "map")
    place_of = {digest: place for place, digest in enumerate(laid.digests)}
    place_of_text = [place_of[digest] for digest in texts.digests]
    found = [(pk, place_of_text[text]) for (pk, _, _), text in zip(rows, text_of, strict=True)]
    return _plane(laid, found), dict(laid.versions)


def _plane(laid: Laid, found: list[tuple[int, int]]) -> Plane:
    """The points (id, row of the layout), by id, without those that UMAP could place nowhere."""
    places = laid.places.astype(np.float32)
    clusters = find_groups(laid.places)
    is_placed = set(np.flatnonzero(np.isfinite(places).all(axis=1)).tolist())
    found = [(pk, row) for pk, row in found if row in is_placed]
    rows = np.array([row for _, row in found], dtype=np.int64)
    ids = np.array([pk for pk, _ in found], dtype=np.int64)
    return Plane(ids, places[rows], clusters[rows])


def find_groups(places: NDArray[np.float64]) -> NDArray[np.int32]:
    """The dense groups on the plane, the largest first, at most about GROUPS_AT_MOST of them; -1 for the others."""
    groups = np.full(len(places), NO_CLUSTER, dtype=np.int32)
    is_placed = np.flatnonzero(np.isfinite(places).all(axis=1))
    found = find_clusters(places[is_placed], min_cluster_size=max(SMALLEST_GROUP, len(places) // GROUPS_AT_MOST))
    order = sorted(range(len(found.sizes)), key=lambda label: (-found.sizes[label], label))
    rank = {label: place for place, label in enumerate(order)} | {NO_CLUSTER: NO_CLUSTER}
    groups[is_placed] = [rank[label] for label in found.labels.tolist()]
    return groups
