"""Nobody can tell a hidden control: hundreds of pages over the API, in both directions, and a classifier that tries.

Texts are drawn alike for controls and ordinary pairs, so that only how they are handed over could differ. One
classifier sees every byte of an item, its place and its addresses; another sees whole pages, how long they are, when
they came and what they have in common with the person's others. Both are tested on images and queries they never saw.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable
from math import sqrt

import pytest
from rest_framework.test import APIClient
from scipy.stats import chisquare

from backend.annotation.models import Control
from backend.methods.assignment import order_seed, shuffle_order
from backend.people.models import User
from hidden_pages import Page, features_of, features_of_page, leaves, shape_of, share_told
from hidden_world import N_SUBJECTS, PIXELS, RATE, work

pytest_plugins = ("hidden_fixtures",)
# By far the longest of their kind, and what is drawn does not hang on the database: they run on one of the two.
pytestmark = [
    pytest.mark.django_db,
    pytest.mark.postgres,
    pytest.mark.usefixtures("the_same_moment"),
    pytest.mark.nightly,
]
ORDINARY = {"position", "text", "image", "label", "edits", "lens", "comment", "is_generic"}
CHANCE = 0.1  # how far from a half a share may lie by luck, with so many pages

COLLECTED: dict[str, list[Page]] = {}  # plain values, the same for every test that only looks at them


@pytest.fixture(params=["of_images", "of_queries"])
def pages(request: pytest.FixtureRequest, client_of: Callable[..., APIClient]) -> list[Page]:
    """Nearly three hundred pages of one direction."""
    if request.param not in COLLECTED:
        people: list[User] = request.getfixturevalue(request.param)
        COLLECTED[request.param] = list(work(client_of, people))
        met = Counter(Control.objects.filter(meetings__isnull=False).values_list("pk", "meetings__annotator"))
        assert set(met.values()) == {1}, "somebody met a control twice"
    found = COLLECTED[request.param]
    assert len(found) == 4 * N_SUBJECTS
    assert sum(len(page.controls) for page in found) > 100
    return found


def test_no_classifier_tells_a_control_by_any_byte_of_it(pages: list[Page]) -> None:
    items = [(number, page, item) for number, page in enumerate(pages) if page.controls for item in page.items]
    is_control = [item["position"] in page.controls for _, page, item in items]
    where = [page.subject for _, page, _ in items], [number for number, *_ in items]
    rows = [features_of(page, item) for _, page, item in items]
    assert len({len(row) for row in rows}) == 1
    assert share_told(rows, is_control, *where) == pytest.approx(0.5, abs=CHANCE)
    # The same classifier finds one bit that leaks of half of the controls: what it does not find is not there.
    draw = random.Random(3)
    leaky = [[*row, float(control and draw.random() < 0.5)] for row, control in zip(rows, is_control, strict=True)]
    assert share_told(leaky, is_control, *where) > 0.5 + CHANCE


def test_controls_stand_at_every_place_equally_often(pages: list[Page]) -> None:
    seen = Counter(position for page in pages for position in page.controls)
    expected: defaultdict[int, float] = defaultdict(float)
    for page in pages:
        for item in page.items:
            expected[item["position"]] += len(page.controls) / len(page.items)
    often = [position for position in sorted(expected) if expected[position] >= 5]
    observed, wanted = [seen[position] for position in often], [expected[position] for position in often]
    rest = seen.total() - sum(observed), sum(expected.values()) - sum(wanted)
    assert chisquare([*observed, rest[0]], [*wanted, rest[1]] if rest[1] else [*wanted, 1e-9]).pvalue > 0.001


def test_pages_of_one_length_have_one_shape_with_and_without_controls(pages: list[Page]) -> None:
    shapes: defaultdict[tuple[int, bool], set[str]] = defaultdict(set)
    for page in pages:
        shapes[len(page.items), bool(page.controls)].add(json.dumps(shape_of(page.content)))
    both = [n for n, has_controls in shapes if has_controls and (n, False) in shapes]
    assert both
    for n in both:
        assert len(shapes[n, True]) == 1
        assert shapes[n, True] == shapes[n, False]


def test_a_body_is_as_long_as_its_texts_make_it(pages: list[Page]) -> None:
    """What is left of a page's bytes without its texts hangs on the number of its items alone."""
    rest: defaultdict[tuple[int, str], set[int]] = defaultdict(set)
    for page in pages:
        texts = [item["text"] for item in page.items if item["text"]] + [
            (page.content["query"] or {"text": ""})["text"]
        ]
        n_bytes = len(page.body) - sum(len(text.encode()) for text in texts)
        assert int(page.headers["content-length"]) == len(page.body)
        rest[len(page.items), str(len(page.content["expires_at"]))].add(n_bytes)
    assert all(len(lengths) == 1 for lengths in rest.values()), rest


def test_the_headers_of_all_pages_are_the_same(pages: list[Page]) -> None:
    assert len({tuple(page.headers) for page in pages}) == 1
    changing = {"content-length", "x-request-id", "set-cookie", "etag", "date"}
    for name in set(pages[0].headers) - changing:
        assert len({page.headers[name] for page in pages}) == 1, name


def test_an_item_holds_nothing_that_only_the_server_knows(pages: list[Page]) -> None:
    for page in pages:
        assert all(set(item) == ORDINARY for item in page.items)
        assert not re.search(rb"control|accepted|seed|candidate|source|origin|quiz", page.body)
        whole = [value for _, value in leaves(page.items) if isinstance(value, int) and not isinstance(value, bool)]
        assert set(whole) <= {*range(1, len(page.items) + 1), *PIXELS}, "a number that is neither a place nor a size"


def test_who_knows_the_code_cannot_work_out_the_order(pages: list[Page]) -> None:
    guessed = right = 0
    by_chance = 0.0
    for page in pages:
        order = shuffle_order(len(page.items), seed=order_seed(*page.known))
        n_ordinary = len(page.items) - len(page.controls)
        believed = {place for place, index in enumerate(order, start=1) if index >= n_ordinary}
        guessed, right = guessed + len(believed), right + len(believed & page.controls)
        by_chance += len(page.controls) ** 2 / len(page.items)
    assert right / guessed == pytest.approx(by_chance / guessed, abs=CHANCE)


def test_the_share_of_controls_is_the_set_rate_as_near_as_whole_ones_come(pages: list[Page]) -> None:
    shown, hidden = sum(len(page.items) for page in pages), sum(len(page.controls) for page in pages)
    assert hidden / shown == pytest.approx(RATE, abs=0.05)


def test_the_length_of_a_page_does_not_tell_how_many_controls_it_has(pages: list[Page]) -> None:
    """Of one length all have as many, or, on short ones, some have one in a pair's place as often as the rate says."""
    of_length: defaultdict[int, list[int]] = defaultdict(list)
    for page in pages:
        of_length[len(page.items)].append(len(page.controls))
    assert {n: set(counts) for n, counts in of_length.items()} == {
        1: {0, 1}, 2: {0, 1}, 4: {1}, 5: {1}, 6: {1}, 7: {1},
    }  # fmt: skip
    for n in (1, 2):
        assert sum(of_length[n]) / (n * len(of_length[n])) == pytest.approx(RATE, abs=CHANCE)


def test_no_classifier_tells_a_page_with_a_control_among_those_of_its_length(pages: list[Page]) -> None:
    mixed = [(number, page) for number, page in enumerate(pages) if len(page.items) < 3]
    has_control = [bool(page.controls) for _, page in mixed]
    assert 12 < sum(has_control) < len(mixed) - 12
    rows = [features_of_page(page, number, pages) for number, page in mixed]
    where = [page.subject for _, page in mixed], [len(page.items) for _, page in mixed]
    n_with, n_without = sum(has_control), len(mixed) - sum(has_control)
    by_luck = 3 * sqrt((len(mixed) + 1) / (12 * n_with * n_without))  # Mann and Whitney's error, of so few pages
    # Below a half is no telling: where controls are rarer in what it learns from, they are commoner in what is left.
    assert share_told(rows, has_control, *where) < 0.5 + by_luck
    leaky = [[*row, float(control)] for row, control in zip(rows, has_control, strict=True)]
    assert share_told(leaky, has_control, *where) > 0.5 + by_luck
