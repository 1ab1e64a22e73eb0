"""People who work through pages with hidden controls over HTTP, and what they see."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.db import connection
from rest_framework.test import APIClient

from backend.annotation.models import Assignment
from backend.people.models import User
from hidden_pages import Page

NEXT = "/api/v1/projects/skies/assignments/next"
RATE = 0.15
PIXELS = (640, 480, 320, 240, 1280, 960)
N_SUBJECTS = 100  # everybody gets the same controls with a page: it is these that a classifier has to learn from
FEWER = 50  # for what must hold of every page, where nothing is left to chance
N_CONTROLS = 4  # of each image or query
SIZES = (1, 2, 2, 3, 4, 5, 6, 6)  # pairs of an image or query: on pages of one or two a control takes a pair's place
LABELS = ("good", "bad", "unsure")


def answers(page: dict[str, Any], *, change: int = 0) -> list[dict[str, Any]]:
    """One answer for each position, by the position alone."""
    return [{"position": item["position"], "label": LABELS[(item["position"] + change) % 3]} for item in page["items"]]


def submit(client: APIClient, page: dict[str, Any], key: str) -> Any:
    body = {"judgments": answers(page)}
    return client.post(f"/api/v1/assignments/{page['id']}/submit", body, headers={"Idempotency-Key": key})


def kept_page(answer: Any, content: dict[str, Any]) -> Page:
    assignment = Assignment.objects.select_related("hit__image", "hit__query", "annotator").get(pk=content["id"])
    known = ("skies", assignment.hit.subject, assignment.hit.part, assignment.annotator.username)
    headers = {name.lower(): value for name, value in answer.headers.items()}
    controls = frozenset(int(position) for position in assignment.controls)
    return Page(answer.content, headers, content, controls, assignment.hit_id, known)


def count_rows() -> None:
    """Nobody else does within a transaction that is never committed: PostgreSQL takes the tables for empty then, and
    reads all of them for each page."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def work(client_of: Callable[..., APIClient], people: list[User]) -> Iterator[Page]:
    """Every page that these people are handed, until none is left."""
    for person in people:
        count_rows()
        client = client_of(person)
        while content := (answer := client.post(NEXT)).json()["assignment"]:
            yield kept_page(answer, content)
            assert submit(client, content, "once").status_code == 200
