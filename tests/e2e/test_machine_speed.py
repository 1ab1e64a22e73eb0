"""HITs judged as fast as chromium takes keys: the server holds exactly what was typed, in order, none twice.

`CONNOTE_TEST_FAST_HITS` says how many; `make bench-workbench` asks for 500.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from uuid import uuid4

import psycopg
import pytest
from playwright.sync_api import Page, expect

from at_the_keys import LABELS, Typist
from live_stack import LiveStack
from many_hits import with_many_hits

N_HITS = int(os.environ.get("CONNOTE_TEST_FAST_HITS", "80"))
PER_HIT = 2
HELD = """
    SELECT i.large, array_agg(j.label ORDER BY j.position), array_agg(j.position ORDER BY j.position)
    FROM annotation_assignment a JOIN annotation_hit h ON h.id = a.hit_id JOIN catalogue_image i ON i.id = h.image_id
    JOIN projects_project p ON p.id = a.project_id JOIN annotation_judgment j ON j.assignment_id = a.id
    WHERE p.slug = %s AND a.status = 'submitted' GROUP BY a.id, i.large ORDER BY a.submitted_at"""
UNSENT = "SELECT count(*) FROM annotation_assignment a JOIN projects_project p ON p.id = a.project_id WHERE p.slug = %s"
SHOWN = "() => new URL(document.querySelector('main img').src).pathname"
Held = list[tuple[str, list[str], list[int]]]


@pytest.mark.nightly
def test_what_is_typed_at_machine_speed_is_what_the_server_holds(
    live_stack: LiveStack, open_page: Callable[..., Page]
) -> None:
    lab = with_many_hits(live_stack, N_HITS, slug=f"fast-{uuid4().hex[:6]}", per_hit=PER_HIT)
    page, draw = open_page(), random.Random(6)
    lab.annotators[0].let_in(page)
    page.goto(f"/projects/{lab.slug}/annotate")
    page.locator("main img").first.wait_for()
    typist, typed = Typist(page), []
    for _ in range(N_HITS):
        keys = "".join(draw.choices("gbu", k=PER_HIT))
        typed.append((str(page.evaluate(SHOWN)), [LABELS[key] for key in keys]))
        typist.judge_at_once(keys)
    expect(page.get_by_role("button", name="Check again")).to_be_visible()

    held = held_by(live_stack, lab.slug)
    assert [labels for _, labels, _ in held] == [labels for _, labels in typed]
    assert all(shown.endswith(image) for (image, _, _), (shown, _) in zip(held, typed, strict=True))
    assert all(places == [1, 2] for _, _, places in held)
    assert len({image for image, _, _ in held}) == N_HITS == assignments_of(live_stack, lab.slug)


def held_by(stack: LiveStack, slug: str) -> Held:
    """`(image, labels by position, positions)` of every HIT submitted, in the order the server has them."""
    with psycopg.connect(stack.place.database_url) as connection:
        return connection.execute(HELD, [slug]).fetchall()


def assignments_of(stack: LiveStack, slug: str) -> int:
    with psycopg.connect(stack.place.database_url) as connection:
        [[n]] = connection.execute(UNSENT, [slug]).fetchall()
    return int(n)
