"""Generic: on how many other pictures a panel of models says each kept caption fits (methods/generic.py).

The panel is that of the difficulty stage, each model with its own threshold. Most of it makes a match: 4 of 7 models,
and of n floor(n / 2) + 1, so that an even split is none. Hubs are counted by the last of the panel, its tie-breaker: a
mean over models would weigh each by the spread of its cosines.

One model is in memory at a time. Vectors of images and of different texts are kept in shards; a model of the panel
whose vectors are all there is not even loaded, so that a run that was killed, or a second one, begins where work is
left. The votes are then counted from the shards, without a model, and what is counted is kept after each block. A run
that is killed goes on at the first block that was not counted, or behind the last caption that it wrote; it starts over
with other scores where captions, images or models are others by then.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from django.conf import settings

from backend.candidates import generic as service
from backend.candidates.generic import Scored
from backend.candidates.models import GenericScore
from backend.methods.generic import Generic, scores_of
from backend.projects.models import Project
from backend.runs.ledger import Ledger
from backend.runs.walk import get_stage, read_parameters
from workers.engines import registry
from workers.engines.calibrations import Record
from workers.engines.matches import Seen, Voter, count_matches
from workers.engines.protocols import ImageEncoder
from workers.engines.shards import Shards, read_shards
from workers.engines.tallies import Tally, find_tally, keep_tally
from workers.tasks.caption_vectors import caption_vectors, embed_captions
from workers.tasks.corpora_folders import recipe_by
from workers.tasks.generic_pool import Pool, read_pool
from workers.tasks.generic_progress import Demands, Progress
from workers.tasks.panel import find_records, read_names, told_apart
from workers.tasks.panel_vectors import embed_targets, target_vectors
from workers.tasks.stage import stage
from workers.tasks.targets import are_images_embedded, embed_images, images_folder, refusal_of

WRITTEN_AT_ONCE = 5_000


@stage("generic")
def generic(ledger: Ledger) -> None:
    """The cursor holds the panel as it was at the start, the digest of what is scored, how many images and texts the
    model in hand has, and the last caption that was `written`."""
    demands = read_demands(ledger)
    pool = read_pool(ledger.run.project)
    ledger.take_over(GenericScore.objects)
    progress = Progress(ledger, demands, pool)
    progress.begin()
    if len(pool.ids):
        _write(ledger, pool, _score(progress))
    with ledger.step():
        service.forget_older_scores(run=ledger.run)
    tally_path(ledger.run.project).unlink(missing_ok=True)


def tally_path(project: Project) -> Path:
    """Where a run keeps what it has counted, until it ends."""
    return Path(settings.EMBEDDINGS) / "generic" / f"{project.slug}.npz"


def read_demands(ledger: Ledger) -> Demands:
    """What the run asks; its panel has its records before the first model works for hours. Raises as they do."""
    asked = read_parameters(get_stage("generic"), ledger.parameters)
    panel = ledger.cursor.get("panel") or read_names(str(asked["panel"] or settings.DIFFICULTY_PANEL))
    model = str(asked["model"] or settings.VISION_MODEL)
    records = find_records(panel, ledger.run.project)
    return Demands(panel, records, model, int(asked["alike"]) / 100, int(asked["most"]) / 1000)


def _score(progress: Progress) -> list[Generic]:
    """G of every caption of the pool: all that models have to say, and then the count."""
    ledger, demands, pool = progress.ledger, progress.demands, progress.pool
    shards = _see(ledger, demands.model, pool)
    progress.reach(progress.n_all_images)
    for n_models, (name, record) in enumerate(zip(demands.panel, demands.records, strict=True), start=1):
        _embed(ledger, name, record, pool)
        progress.reach(progress.after_model(n_models))
    voters = [_voter(ledger, record, pool) for record in demands.records]
    return _count(progress, voters, pool.seen(shards))


def _see(ledger: Ledger, name: str, pool: Pool) -> Shards:
    """The pictures by the model that says which are alike; those that it cannot see are listed.

    It sees all images of the project, as it does for a sample and for retrieval.
    """
    try:
        encoder = registry.image_encoder(name)
        ledger.set_total(ledger.run.total, models_used={encoder.name: encoder.digest})
        shards = _images_by(ledger, encoder)
    finally:
        registry.forget(name)
    if "listed" not in ledger.cursor:
        wanted = dict(pool.images)
        with ledger.step() as step:
            step.refuse(ledger.run, [refusal_of(one) for one in shards.skipped if one.key in wanted])
            step.cursor["listed"] = True
    return shards


def _images_by(ledger: Ledger, encoder: ImageEncoder) -> Shards:
    project = ledger.run.project
    if are_images_embedded(project, encoder.digest, preprocessing=encoder.preprocessing):
        return read_shards(images_folder(project, encoder.digest), verify=False)
    return embed_images(ledger, encoder, project)


def _embed(ledger: Ledger, name: str, record: Record, pool: Pool) -> None:
    """See that a model of the panel has seen every target and read every text; it is loaded where it has not."""
    project = ledger.run.project
    used = {told_apart(record.model, record.digest, ledger.run.models_used): record.digest}
    ledger.set_total(ledger.run.total, models_used=used)
    targets = target_vectors(project, record.digest, pool.images, preprocessing=record.preprocessing)
    captions = caption_vectors(project, record.digest, preprocessing=record.preprocessing)
    if not targets.missing([digest for digest, _ in pool.images]) and not captions.missing(pool.texts.digests):
        return
    try:
        images, reader = registry.towers(name)
        record.check(images, name=name)
        embed_targets(ledger, images, project, pool.images)
        embed_captions(ledger, reader, recipe_by(images), project, pool.texts)
    finally:  # a worker that goes on to another run would hold a model that failed
        registry.forget(name)


def _voter(ledger: Ledger, record: Record, pool: Pool) -> Voter:
    """A model of the panel by what it left in shards."""
    project = ledger.run.project
    pictures = target_vectors(project, record.digest, pool.images, preprocessing=record.preprocessing).open()
    texts = caption_vectors(project, record.digest, preprocessing=record.preprocessing).open()
    return Voter(pool.seen(pictures), texts, texts.ids_of(pool.texts.digests), record.calibration.threshold)


def _count(progress: Progress, voters: Sequence[Voter], likeness: Seen) -> list[Generic]:
    """G of every caption of the pool, from the last block on that a killed worker counted."""
    demands, path = progress.demands, tally_path(progress.ledger.run.project)
    of = progress.digest_with([likeness.vectors.tobytes(), *(voter.pictures.lost.tobytes() for voter in voters)])

    def on_block(tally: Tally) -> None:
        keep_tally(path, tally, of=of)
        progress.counted(tally.n_counted)

    found = count_matches(
        progress.pool.captions,
        voters,
        likeness,
        needed=demands.needed,
        alike=demands.alike,
        tally=find_tally(path, of=of),
        on_block=on_block,
    )
    return scores_of(found.counts, found.hubness, most=demands.most)


def _write(ledger: Ledger, pool: Pool, found: Sequence[Generic]) -> None:
    """The scores by the captions' ids, a slice a step."""
    digests, order = pool.texts.digests, np.argsort(pool.ids)
    left = order[pool.ids[order] > ledger.cursor.get("written", 0)]
    for start in range(0, len(left), WRITTEN_AT_ONCE):
        some = left[start : start + WRITTEN_AT_ONCE].tolist()
        scored = [Scored(int(pool.ids[n]), digests[pool.captions.texts[n]], found[n]) for n in some]
        with ledger.step() as step:
            service.keep_scores(step=step, run=ledger.run, scored=scored)
            step.cursor["written"], step.done = scored[-1].candidate_id, len(scored)
