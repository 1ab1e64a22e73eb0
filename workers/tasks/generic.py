"""Generic: on how many other pictures a panel of models says each kept caption fits (methods/generic.py).

The panel is that of the difficulty stage, each model with its own threshold. Most of it makes a match: 4 of 7 models,
and of n floor(n / 2) + 1, so that an even split is none. Hubs are counted by the last of the panel, its tie-breaker: a
mean over models would weigh each by the spread of its cosines.

One model is in memory at a time. Vectors of images and of different texts are kept in shards; a model whose vectors
are all there is not even loaded, so that a run that was killed, or a second one, begins where work is left. The votes
are then counted from the shards, without a model. A run that is killed while counting counts anew, and one that is
killed while writing goes on behind the last caption that it wrote.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.conf import settings

from backend.candidates import generic as service
from backend.candidates.generic import Scored
from backend.catalogue.models import Image
from backend.catalogue.selectors import target_images
from backend.methods.generic import Generic, Ints, scores_of
from backend.runs.ledger import Ledger
from backend.runs.walk import get_stage, read_parameters
from workers.engines import registry
from workers.engines.calibrations import Record
from workers.engines.matches import Captions, Seen, Voter, count_matches
from workers.engines.protocols import ImageEncoder
from workers.engines.shards import Shards, read_shards
from workers.tasks.caption_vectors import Texts, are_captions_embedded, captions_folder, embed_captions
from workers.tasks.corpora_folders import recipe_by
from workers.tasks.panel import find_records, read_names, told_apart
from workers.tasks.stage import stage
from workers.tasks.targets import are_images_embedded, embed_images, images_folder, refusal_of

WRITTEN_AT_ONCE = 5_000
PLAN = "{n_images:,} images, {n_captions:,} captions, {n_texts:,} different texts; {needed} of {n_models} make a match."


@dataclass(frozen=True)
class Pool:
    """What is scored, in the order of texts: ids (c,), the rows of their images and texts; and the images' digests."""

    ids: Ints
    captions: Captions
    texts: Texts
    digests: list[str]


@stage("generic")
def generic(ledger: Ledger) -> None:
    """The cursor holds the panel as it was at the start, how many images and texts the model in hand has, and the last
    caption that was `written`."""
    asked = read_parameters(get_stage("generic"), ledger.parameters)
    panel = ledger.cursor.get("panel") or read_names(str(asked["panel"] or settings.DIFFICULTY_PANEL))
    records = find_records(panel)  # before the first works for hours
    pool = read_pool(ledger)
    service.take_over_scores(run=ledger.run)
    if len(pool.ids):
        progress = _Progress(ledger, len(panel), pool)
        progress.begin(panel)
        likeness = _see(ledger, str(asked["model"] or settings.VISION_MODEL), pool)
        progress.reach(progress.n_all_images)
        for n_models, (name, record) in enumerate(zip(panel, records, strict=True), start=1):
            _embed(ledger, name, record, pool.texts)
            progress.reach(progress.after_model(n_models))
        voters = [_voter(ledger, record, pool) for record in records]
        found = _count(pool, voters, likeness, progress, int(asked["alike"]), int(asked["most"]))
        _write(ledger, pool, found)
    _end(ledger)


def read_pool(ledger: Ledger) -> Pool:
    """The kept captions of the target images as they stand; what comes or changes later waits for the next run."""
    images = list(target_images(project=ledger.run.project).values_list("id", "digest"))
    row_of = {image_id: row for row, (image_id, _) in enumerate(images)}
    texts, rows = Texts(), []
    for candidate_id, image_id, text in service.read_captions(project=ledger.run.project):
        if image_id in row_of:  # unless it came since the line before
            rows.append((texts.take(text), candidate_id, row_of[image_id]))
    sorted_rows = np.array(sorted(rows), dtype=np.int64).reshape(-1, 3)
    captions = Captions(sorted_rows[:, 2], sorted_rows[:, 0], len(texts.texts))
    return Pool(sorted_rows[:, 1], captions, texts, [digest for _, digest in images])


@dataclass
class _Progress:
    """Every image is seen by every model, every text read by each of the panel; then captions are counted, written."""

    ledger: Ledger
    n_models: int
    pool: Pool

    def __post_init__(self) -> None:
        self.n_all_images = Image.objects.filter(project=self.ledger.run.project).count()

    def after_model(self, n: int) -> int:
        return self.n_all_images * (n + 1) + len(self.pool.texts.texts) * n

    def begin(self, panel: Sequence[str]) -> None:
        self.ledger.set_total(self.after_model(self.n_models) + 2 * len(self.pool.ids))
        if "panel" not in self.ledger.cursor:
            numbers = {"n_images": len(self.pool.digests), "n_captions": len(self.pool.ids)}
            more = {"n_texts": len(self.pool.texts.texts), "n_models": len(panel), "needed": _needed(panel)}
            with self.ledger.step() as step:
                step.log.append(PLAN.format(**numbers, **more))
                step.cursor = {"panel": list(panel)}

    def reach(self, n_done: int) -> None:
        """Say that so much is done, also where it was there before; raises where somebody cancelled the run."""
        with self.ledger.step() as step:
            if n_done >= self.ledger.run.done:  # else this worker goes on at a later model
                step.done = n_done - self.ledger.run.done
                step.cursor |= {"embedded": 0, "read": 0}

    def counted(self, n_captions: int) -> None:
        self.reach(self.after_model(self.n_models) + n_captions)


def _needed(panel: Sequence[object]) -> int:
    return len(panel) // 2 + 1


def _see(ledger: Ledger, name: str, pool: Pool) -> Seen:
    """The pictures by the model that says which are alike; those that it cannot see are listed."""
    try:
        encoder = registry.image_encoder(name)
        ledger.set_total(ledger.run.total, models_used={encoder.name: encoder.digest})
        shards = _images_by(ledger, encoder)
    finally:
        registry.forget(name)
    if "listed" not in ledger.cursor:
        wanted = set(pool.digests)
        with ledger.step() as step:
            step.refuse(ledger.run, [refusal_of(one) for one in shards.skipped if one.key in wanted])
            step.cursor["listed"] = True
    return _seen(shards, pool)


def _images_by(ledger: Ledger, encoder: ImageEncoder) -> Shards:
    project = ledger.run.project
    if are_images_embedded(project, encoder.digest, preprocessing=encoder.preprocessing):
        return read_shards(images_folder(project, encoder.digest), verify=False)
    return embed_images(ledger, encoder, project)


def _seen(shards: Shards, pool: Pool) -> Seen:
    """The vectors of the images by digest, zeros for those that have none."""
    rows = shards.ids_of(pool.digests)
    vectors = np.zeros((len(rows), shards.dimension), dtype=np.float32)
    vectors[rows >= 0] = shards.rows(rows[rows >= 0])
    return Seen(vectors)


def _embed(ledger: Ledger, name: str, record: Record, texts: Texts) -> None:
    """See that a model of the panel has seen every image and read every text; it is loaded where it has not."""
    project = ledger.run.project
    used = {told_apart(record.model, record.digest, ledger.run.models_used): record.digest}
    ledger.set_total(ledger.run.total, models_used=used)
    of_images = are_images_embedded(project, record.digest, preprocessing=record.preprocessing)
    if of_images and are_captions_embedded(project, texts, record.digest, preprocessing=record.preprocessing):
        return
    try:
        images, reader = registry.towers(name)
        record.check(images, name=name)
        embed_images(ledger, images, project)
        embed_captions(ledger, reader, recipe_by(images), project, texts)
    finally:  # a worker that goes on to another run would hold a model that failed
        registry.forget(name)


def _voter(ledger: Ledger, record: Record, pool: Pool) -> Voter:
    """A model of the panel by what it left in shards."""
    project = ledger.run.project
    pictures = read_shards(images_folder(project, record.digest), verify=False)
    texts = read_shards(captions_folder(project, record.digest), verify=False)
    rows = texts.ids_of(pool.texts.digests)
    return Voter(_seen(pictures, pool), texts, rows, record.calibration.threshold)


def _count(
    pool: Pool, voters: Sequence[Voter], likeness: Seen, progress: _Progress, alike: int, most: int
) -> list[Generic]:
    """G of every caption of the pool; `alike` in hundredths, `most` in thousandths."""
    needed = _needed(voters)
    found = count_matches(pool.captions, voters, likeness, needed=needed, alike=alike / 100, on_block=progress.counted)
    return scores_of(found.counts, found.hubness, most=most / 1000)


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


def _end(ledger: Ledger) -> None:
    with ledger.step():
        service.forget_older_scores(run=ledger.run)
