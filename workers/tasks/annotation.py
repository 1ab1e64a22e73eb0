"""Build HITs: the kept captions of each image in digest order, or the images of each query in the order these came."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import QuerySet

from backend.annotation.hits import build_hits, images_to_judge, queries_to_judge
from backend.catalogue.models import Image, Query
from backend.projects.models import Direction
from backend.runs.ledger import Ledger
from workers.tasks.stage import stage

BATCH = 200


@stage("build_hits")
def build(ledger: Ledger) -> None:
    project = ledger.run.project
    subjects: QuerySet[Image] | QuerySet[Query]
    if project.direction == Direction.IMAGES_OF_A_QUERY:
        subjects, name, key = queries_to_judge(project=project), "query", "pk"
    else:
        subjects, name, key = images_to_judge(project=project), "digest", "digest"
    ledger.set_total(subjects.count())

    def waiting() -> Sequence[Image | Query]:
        begun = {f"{key}__gt": ledger.cursor[name]} if name in ledger.cursor else {}
        return list(subjects.filter(**begun)[:BATCH])

    while batch := waiting():
        with ledger.step() as step:
            built = build_hits(project=project, run=ledger.run, subjects=batch)
            step.cursor[name], step.done = getattr(batch[-1], key), len(batch)
            step.counts.update({"in": built.n_pairs, "out": built.n_pairs, "hits": built.n_hits})
