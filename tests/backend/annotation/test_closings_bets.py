"""What a review closes is no evidence of what a hidden control is: nobody gains by betting on it."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence

import pytest
from rest_framework.test import APIClient

from backend.annotation.closing import read_closings
from backend.annotation.models import Assignment, HitItem
from backend.people.models import User
from backend.review.models import Verdict
from hidden_pages import features_of, share_told
from hidden_reviews import judged_pages, past_pages, settle, single_pairs, whole_subjects
from hidden_world import N_SUBJECTS, work

pytest_plugins = ("hidden_fixtures",)
# By far the longest of their kind, and what is drawn does not hang on the database: they run on one of the two.
pytestmark = [
    pytest.mark.django_db,
    pytest.mark.postgres,
    pytest.mark.usefixtures("the_same_moment"),
    pytest.mark.nightly,
]
ORDINARY = {"position", "text", "image", "label", "edits", "lens", "comment", "is_generic"}
N_REVIEWS = 60
BY_LUCK = 0.03  # how far apart two shares may lie, over so many reviews
CHANCE = 0.1  # how far from a half a share may lie by luck, with so many pages


def test_who_bets_on_what_is_closed_or_open_finds_no_more_controls(
    client_of: Callable[..., APIClient], people: list[User], dora: User, draw: random.Random
) -> None:
    """Not on one page, where all places close by the same word; and of all places on pages of one length as many of the
    closed ones are controls as of the open ones.

    Reviews are many because short pages are few, and only of these some have a control and some have none.
    """
    pages = judged_pages(client_of, people)
    for review in (single_pairs, whole_subjects):
        is_control = places_of(pages, [review(draw) for _ in range(N_REVIEWS)], dora)
        for length in {length for length, _ in is_control}:
            shares = [sum(rows) / len(rows) for rows in (is_control[length, True], is_control[length, False])]
            assert shares[0] == pytest.approx(shares[1], abs=BY_LUCK), (review.__name__, length)


def places_of(
    pages: Sequence[Assignment], reviews: Sequence[Collection[int]], head: User
) -> dict[tuple[int, bool], list[bool]]:
    """Of every place, after each review, whether a control is there; by its page's length and whether that closed."""
    found: defaultdict[tuple[int, bool], list[bool]] = defaultdict(list)
    for settled in reviews:
        settle(settled, head)
        closed = read_closings(pages)
        for page in pages:
            told = [closed.get((page.pk, at)) for at in range(1, len(page.shown) + 1)]
            assert len(set(told)) == 1
            found[len(told), told[0] is not None] += [str(at + 1) in page.controls for at in range(len(told))]
    return found


def test_past_work_tells_no_control_whatever_the_review_has_closed(
    client_of: Callable[..., APIClient], people: list[User], dora: User, draw: random.Random
) -> None:
    list(work(client_of, people))
    pairs = list(HitItem.objects.values_list("candidate", flat=True))
    settled = draw.sample(pairs, len(pairs) // 7)  # one of them closes a page
    Verdict.objects.bulk_create(Verdict(candidate_id=pair, label="good", decided_by=dora) for pair in settled)
    pages = list(past_pages(client_of, people))
    assert len(pages) == 4 * N_SUBJECTS
    items = [(number, page, item) for number, page in enumerate(pages) if page.controls for item in page.items]
    is_control = [item["position"] in page.controls for _, page, item in items]
    where = [page.subject for _, page, _ in items], [number for number, *_ in items]
    told, bare = (
        share_told([features_of(page, kept(item)) for _, page, item in items], is_control, *where)
        for kept in (dict, lambda item: {name: value for name, value in item.items() if name != "closed"})
    )
    assert told < bare + CHANCE, "what is closed tells more than the items do, which tell nothing"
    closed = [item["closed"] != "null" for _, _, item in items]
    shares = [
        sum(one for one, control in zip(closed, is_control, strict=True) if control is kind) / is_control.count(kind)
        for kind in (True, False)
    ]
    assert shares[0] == pytest.approx(shares[1], abs=CHANCE)
    assert 0.3 < shares[1] < 0.7
    assert all(set(item) == ORDINARY | {"closed"} for _, _, item in items)
