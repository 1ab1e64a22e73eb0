"""PostgreSQL finds the next HIT in a new, large project without reading the others."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection

from backend.annotation.models import Hit, HitItem, Slot
from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.people.models import User
from backend.projects.models import Project
from multiplied import multiply
from pages_in_hand import submit, take

N = 3000
READ = """
    SELECT sum(seq_tup_read + idx_tup_fetch) FROM pg_stat_xact_user_tables
    WHERE relname IN ('annotation_slot', 'annotation_hit', 'annotation_hititem')
"""


def n_rows_read() -> int:
    """Of slots and HITs, by this transaction."""
    with connection.cursor() as cursor:
        cursor.execute(READ)
        return int(cursor.fetchone()[0])


@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite counts no rows that it reads.")
def test_next_reads_few_slots_and_hits_of_a_new_project(
    project: Project, bob: User, add_image: Callable[..., Image], build: Callable[..., list[Hit]]
) -> None:
    image = add_image("pier", 3)
    build()
    hits = multiply(Hit.objects.create(project=project, image=image, part=N), N, part=f"{N} + g")
    slot = Slot.objects.create(project=project, hit_id=hits, root_id=hits, number=1)
    multiply(slot, N, hit_id=f"{hits} + g", root_id=f"{hits} + g")
    caption = Candidate.objects.create(project=project, image=image, key="template", status="kept")
    captions = multiply(caption, N, key="md5('caption ' || g)")
    item = HitItem.objects.create(hit_id=hits, candidate_id=captions, position=0)
    multiply(item, N, hit_id=f"{hits} + g", candidate_id=f"{captions} + g")
    with connection.cursor() as cursor:
        # With the captions: if an earlier test made PostgreSQL believe that there are none, it reads all of them.
        cursor.execute("ANALYZE annotation_slot, annotation_hit, annotation_hititem, candidates_candidate")
        cursor.execute("SET LOCAL plan_cache_mode = force_generic_plan")  # as after a few requests
    Slot.objects.filter(hit__in=range(hits, hits + N - 100)).update(priority=-1)  # a HIT with many before it by its id
    held = take(project, bob)
    for _ in range(3):
        submit(held)
        before = n_rows_read()
        held = take(project, bob)
        assert n_rows_read() - before < 100
    assert held.hit_id > hits + N - 100
