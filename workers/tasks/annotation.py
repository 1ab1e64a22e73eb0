"""Build HITs: the kept captions of each image in digest order, or the images of each query in the order these came."""

from __future__ import annotations

from backend.annotation.hits import build_hits, build_query_hits, images_to_judge, queries_to_judge
from backend.projects.models import Direction
from backend.runs.ledger import Ledger
from workers.tasks.stage import stage

BATCH = 200


@stage("build_hits")
def build(ledger: Ledger) -> None:
    if ledger.run.project.direction == Direction.IMAGES_OF_A_QUERY:
        _build_for_queries(ledger)
    else:
        _build_for_images(ledger)


def _build_for_images(ledger: Ledger) -> None:
    images = images_to_judge(project=ledger.run.project)
    ledger.set_total(images.count())
    while batch := list(images.filter(digest__gt=ledger.cursor.get("digest", ""))[:BATCH]):
        with ledger.step() as step:
            built = build_hits(project=ledger.run.project, run=ledger.run, images=batch)
            step.cursor["digest"], step.done = batch[-1].digest, len(batch)
            step.counts.update({"in": built.n_pairs, "out": built.n_pairs, "hits": built.n_hits})


def _build_for_queries(ledger: Ledger) -> None:
    queries = queries_to_judge(project=ledger.run.project)
    ledger.set_total(queries.count())
    while batch := list(queries.filter(pk__gt=ledger.cursor.get("query", 0))[:BATCH]):
        with ledger.step() as step:
            built = build_query_hits(project=ledger.run.project, run=ledger.run, queries=batch)
            step.cursor["query"], step.done = batch[-1].pk, len(batch)
            step.counts.update({"in": built.n_pairs, "out": built.n_pairs, "hits": built.n_hits})
