"""Every pair tells its label and its category under all three readings of unsure, and the summary is their sum."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rest_framework.test import APIClient

from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.curation.models import Consensus
from backend.people.models import User
from backend.projects.models import Project
from backend.runs.models import Run
from nightly import examples
from world import make_world

Clients = Callable[..., APIClient]
Tally = tuple[int, int, int]
Row = dict[str, Any]
SUMMARY = "/api/v1/projects/skies/consensus"
RELEVANT, MOSTLY = "fully_relevant", "majority_relevant"
NOT_RELEVANT, MOSTLY_NOT = "fully_non_relevant", "majority_non_relevant"
HAND_MADE: list[tuple[Tally, list[tuple[str | None, str | None]]]] = [  # good, bad, unsure: value, missing, middle
    ((3, 0, 0), [("good", RELEVANT), ("good", RELEVANT), ("good", RELEVANT)]),
    ((2, 0, 1), [("good", MOSTLY), ("good", RELEVANT), ("good", MOSTLY)]),
    ((1, 0, 2), [("unsure", "unsure"), ("good", RELEVANT), ("unsure", "unsure")]),
    ((2, 1, 2), [(None, "unsure"), ("good", MOSTLY), ("unsure", "unsure")]),
    ((4, 3, 3), [("good", MOSTLY), ("good", MOSTLY), ("unsure", "unsure")]),
    ((1, 1, 1), [(None, "unsure"), (None, "unsure"), ("unsure", "unsure")]),
    ((1, 1, 0), [(None, "unsure"), (None, "unsure"), (None, "unsure")]),
    ((1, 3, 1), [("bad", MOSTLY_NOT), ("bad", MOSTLY_NOT), ("bad", MOSTLY_NOT)]),
    ((0, 1, 1), [(None, "unsure"), ("bad", NOT_RELEVANT), (None, "unsure")]),
    ((0, 0, 2), [("unsure", "unsure"), (None, None), ("unsure", "unsure")]),
    ((0, 0, 0), [(None, None), (None, None), (None, None)]),
]


@pytest.fixture
def pairs(project: Project) -> list[Candidate]:
    """The captions of one photograph, without a consensus yet."""
    return make_world(project, images=1, captions=len(HAND_MADE)).pairs


def store(pairs: Sequence[Candidate], tallies: Sequence[Tally]) -> None:
    Consensus.objects.bulk_create(
        Consensus(candidate=pair, n_good=good, n_bad=bad, n_unsure=unsure)
        for pair, (good, bad, unsure) in zip(pairs, tallies, strict=False)
    )


def rows_of(client: APIClient) -> list[Row]:
    found: list[Row] = client.get(f"/api/v1/projects/skies/images/{Image.objects.get().pk}/votes").json()["results"]
    return found


def summed(rows: Sequence[Row]) -> list[Row]:
    """The categories of the pairs, counted reading by reading as the summary of the project gives them."""
    counts = {reading: Counter[str]() for reading in ("value", "missing", "middle")}
    for row in rows:
        for told in row["readings"]:
            counts[told["reading"]][told["category"] or "no_votes"] += 1
    return [{"reading": reading, "categories": dict(categories)} for reading, categories in counts.items()]


def test_each_pair_has_its_label_and_its_category_under_each_reading(
    client_of: Clients, dora: User, pairs: list[Candidate]
) -> None:
    store(pairs, [tally for tally, _ in HAND_MADE])
    for row, (tally, expected) in zip(rows_of(client_of(dora)), HAND_MADE, strict=True):
        assert (row["n_good"], row["n_bad"], row["n_unsure"]) == tally
        assert row["readings"] == [
            {"reading": reading, "label": label, "category": category}
            for reading, (label, category) in zip(("value", "missing", "middle"), expected, strict=True)
        ], tally


@pytest.mark.nightly
@settings(max_examples=examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(*[st.integers(0, 4)] * 3), max_size=len(HAND_MADE)))
def test_the_summary_is_the_sum_of_the_pairs(
    client_of: Clients, dora: User, pairs: list[Candidate], tallies: list[Tally]
) -> None:
    client = client_of(dora)
    with transaction.atomic():
        store(pairs, tallies)
        assert client.get(SUMMARY).json()["readings"] == summed(rows_of(client))
        transaction.set_rollback(True)


OPINIONS = (("good", "good"), ("good", "unsure"), ("good", "bad"), ("unsure", "unsure"), ("bad", None), (None, None))


def test_after_a_run_value_is_what_is_stored_and_the_readings_heed_neither_verdict_nor_quorum(
    client_of: Clients,
    dora: User,
    project: Project,
    make_judged: Callable[..., Project],
    run_stage: Callable[..., Run],
) -> None:
    make_judged(project, images=1, captions=6, opinion=lambda _, caption, person: OPINIONS[caption][person])
    client, last = client_of(dora), Candidate.objects.order_by("pk").last()
    for pk in (Candidate.objects.order_by("pk")[2].pk, last.pk if last else 0):
        settled = {"candidate": pk, "label": "good", "reason": "They show the same dog."}
        assert client.post("/api/v1/projects/skies/verdicts", settled, "json").status_code == 201
    run_stage(project, "consensus", min_votes=2)
    rows = rows_of(client)
    assert [row["label"] for row in rows] == ["good", None, "good", "unsure", None, "good"]
    assert [row["readings"][0]["label"] for row in rows] == ["good", None, None, "unsure", "bad", None]
    assert [row["readings"][1]["label"] for row in rows] == ["good", "good", None, None, "bad", None]
    assert [row["readings"][0]["category"] or "" for row in rows] == [row["category"] for row in rows]
    assert client.get(SUMMARY).json()["readings"] == summed(rows)
