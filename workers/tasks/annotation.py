"""Build HITs: the kept captions of each image, image by image in digest order."""

from __future__ import annotations

from backend.annotation.building import build_hits, images_to_judge
from backend.runs.ledger import Ledger
from workers.tasks.stage import stage

BATCH = 200


@stage("build_hits")
def build(ledger: Ledger) -> None:
    images = images_to_judge(project=ledger.run.project)
    ledger.set_total(images.count())
    while batch := list(images.filter(digest__gt=ledger.cursor.get("digest", ""))[:BATCH]):
        with ledger.step() as step:
            built = build_hits(project=ledger.run.project, run=ledger.run, images=batch)
            step.cursor["digest"], step.done = batch[-1].digest, len(batch)
            step.counts.update({"in": built.n_captions, "out": built.n_captions, "hits": built.n_hits})
