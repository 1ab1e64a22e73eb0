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
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import islice
from math import sqrt
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient
from scipy.stats import chisquare

from backend.annotation.building import build_hits, build_query_hits
from backend.annotation.controls.keeping import Answer, make_control_of_query, make_control_of_text
from backend.annotation.models import Assignment, Control, HitItem, Slot, Standing
from backend.annotation.selectors import counted_judgments
from backend.candidates.models import Candidate, candidate_key
from backend.candidates.queries import add_query
from backend.catalogue.models import Query
from backend.methods.assignment import order_seed, shuffle_order
from backend.people.models import User
from backend.projects.models import Direction, Membership, Project, Role
from backend.review.models import Verdict
from backend.runs.models import Run
from hidden_pages import Page, caption, features_of, features_of_page, leaves, new_image, shape_of, share_told

pytestmark = pytest.mark.django_db
NEXT = "/api/v1/projects/skies/assignments/next"
RATE = 0.15
PIXELS = (640, 480, 320, 240, 1280, 960)
N_SUBJECTS = 70
N_CONTROLS = 4  # of each image or query
SIZES = (1, 2, 2, 3, 4, 5, 6, 6)  # pairs of an image or query: on pages of one or two a control takes a pair's place
LABELS = ("good", "bad", "unsure")
ORDINARY = {"position", "text", "image", "label", "edits", "lens", "comment", "is_generic"}
CHANCE = 0.1  # how far from a half a share may lie by luck, with so many pages


@pytest.fixture(autouse=True)
def the_same_moment() -> Iterator[None]:
    """Addresses of pictures carry a time and are signed: at one moment the classifier sees the same bytes every day."""
    with time_machine.travel(datetime(2026, 3, 5, 10, tzinfo=UTC), tick=False):
        yield


@pytest.fixture
def draw() -> random.Random:
    return random.Random(5)


@pytest.fixture
def crowd(project: Project, make_user: Callable[..., User]) -> list[User]:
    people = [make_user(f"annotator-{number}") for number in range(4)]
    Membership.objects.bulk_create(Membership(project=project, user=user, role=Role.ANNOTATOR) for user in people)
    Project.objects.filter(pk=project.pk).update(
        control_rate=RATE, overlap=4, captions_per_hit=8, shuffles_options=True
    )
    project.refresh_from_db()
    late = [make_user(f"late-{number}") for number in range(8)]
    Membership.objects.bulk_create(Membership(project=project, user=user, role=Role.ANNOTATOR) for user in late)
    Standing.objects.bulk_create(Standing(project=project, user=user, n_submitted=1) for user in late)
    return people


@pytest.fixture
def of_images(project: Project, crowd: list[User], draw: random.Random) -> list[User]:
    """Images with one to six captions and four controls each, in HITs."""
    images = [new_image(project, number) for number in range(N_SUBJECTS)]
    for image in images:
        texts = [caption(draw) for _ in range(draw.choice(SIZES))]
        for text in dict.fromkeys(texts):
            key = candidate_key(digest=image.digest, source="human", raw_text=text)
            Candidate.objects.create(project=project, image=image, key=key, raw_text=text, text=text, status="kept")
        for _ in range(N_CONTROLS):
            make_control_of_text(image=image, text=caption(draw), answer=Answer(("bad",)), made_by=None)
    run = Run.objects.create(project=project, stage="build_hits", seed=1, status="succeeded")
    build_hits(project=project, run=run, images=images)
    return crowd


@pytest.fixture
def of_queries(project: Project, crowd: list[User], draw: random.Random) -> list[User]:
    """Queries with one to six images and four controls each, in HITs; no image goes with two of them."""
    Project.objects.filter(pk=project.pk).update(direction=Direction.IMAGES_OF_A_QUERY)
    project.refresh_from_db()
    images = iter([new_image(project, number) for number in range((6 + N_CONTROLS) * N_SUBJECTS)])
    for number in range(N_SUBJECTS):
        chosen = draw.sample(list(islice(images, 6 + N_CONTROLS)), draw.choice(SIZES) + N_CONTROLS)
        query = add_query(
            project=project, text=f"query {number}", images=[one.key for one in chosen[N_CONTROLS:]]
        ).query
        for image in chosen[:N_CONTROLS]:
            make_control_of_query(image=image, query=query, answer=Answer(("bad",)), made_by=None)
    run = Run.objects.create(project=project, stage="build_hits", seed=1, status="succeeded")
    build_query_hits(project=project, run=run, queries=list(Query.objects.filter(project=project)))
    return crowd


@pytest.fixture(params=["of_images", "of_queries"])
def people(request: pytest.FixtureRequest) -> list[User]:
    found: list[User] = request.getfixturevalue(request.param)
    return found


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


def work(client_of: Callable[..., APIClient], people: list[User]) -> Iterator[Page]:
    """Every page that these people are handed, until none is left."""
    for person in people:
        client = client_of(person)
        while content := (answer := client.post(NEXT)).json()["assignment"]:
            yield kept_page(answer, content)
            assert submit(client, content, "once").status_code == 200


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
    # The same classifier finds one bit that leaks of a third of the controls: what it does not find is not there.
    draw = random.Random(3)
    leaky = [[*row, float(control and draw.random() < 0.34)] for row, control in zip(rows, is_control, strict=True)]
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


def test_who_returns_a_page_of_a_control_alone_gets_it_back_like_any_other(
    client_of: Callable[..., APIClient], of_images: list[User]
) -> None:
    client, returned = client_of(of_images[0]), list[str]()
    while content := client.post(NEXT).json()["assignment"]:
        if content["id"] in returned:
            break
        page = Assignment.objects.get(pk=content["id"])
        if len(page.controls) < len(page.shown):
            assert submit(client, content, "once").status_code == 200
        else:
            returned.append(content["id"])
            assert client.post(f"/api/v1/assignments/{content['id']}/return").status_code == 204
    assert content is not None and content["id"] in returned


def test_where_too_few_people_could_judge_what_gives_way_short_pages_hold_no_control(
    client_of: Callable[..., APIClient], of_images: list[User]
) -> None:
    Standing.objects.update(state="paused")
    pages = list(work(client_of, of_images))
    assert not [page for page in pages if len(page.items) < 3 and page.controls]
    assert not Slot.objects.exclude(assignment__status="submitted").exists()


def test_what_gave_way_to_controls_is_judged_as_often_as_asked(
    client_of: Callable[..., APIClient], people: list[User], project: Project
) -> None:
    late = list(User.objects.filter(username__startswith="late").order_by("username"))
    first, follow_up = list(work(client_of, people)), list(work(client_of, late))
    assert not Slot.objects.exclude(assignment__status="submitted").exists()
    assert not HitItem.objects.filter(is_open=True).exists()
    votes = Counter(counted_judgments(project=project).values_list("candidate", flat=True))
    assert set(votes.values()) == {4}
    assert set(votes) == set(HitItem.objects.values_list("candidate", flat=True))
    assert 0 < len(follow_up) < len(first) / 4


def test_a_control_costs_the_statements_of_its_neighbours(
    client_of: Callable[..., APIClient], people: list[User]
) -> None:
    """Only whole pages differ, by drawing and grading, and a page's controls can be counted on it anyway."""
    client = client_of(people[0])
    costs: set[int] = set()
    for _ in range(12):
        page = kept_page(answer := client.post(NEXT), answer.json()["assignment"])
        submit(client, page.content, "once")
        if not page.controls:
            continue
        for answered in answers(page.content, change=1):
            position = answered.pop("position")
            with CaptureQueriesContext(connection) as seen:
                changed = client.post(f"/api/v1/assignments/{page.content['id']}/judgments/{position}", answered)
            assert changed.status_code == 201, changed.content
            costs.add(len(seen))
    assert len(costs) == 1


def test_reading_a_page_again_costs_and_tells_the_same(client_of: Callable[..., APIClient], people: list[User]) -> None:
    client = client_of(people[0])
    costs: set[int] = set()
    kinds: set[bool] = set()
    for _ in range(12):
        page = kept_page(answer := client.post(NEXT), answer.json()["assignment"])
        address = f"/api/v1/assignments/{page.content['id']}"
        with CaptureQueriesContext(connection) as seen:
            again = client.get(address)
        assert again.json() == page.content
        costs.add(len(seen))
        kinds.add(bool(page.controls))
        submit(client, page.content, "once")
        past = client.get(address).json()
        said = {answered["position"]: answered["label"] for answered in answers(page.content)}
        assert {item["position"]: item["label"] for item in past["items"]} == said
        assert shape_of(past["items"][0]) == shape_of(past["items"][-1])
    assert kinds == {True, False}
    assert len(costs) == 1


def test_progress_repeats_and_errors_count_controls_as_any_item(
    client_of: Callable[..., APIClient], people: list[User]
) -> None:
    client, n_items = client_of(people[0]), 0
    for _ in range(8):
        page = kept_page(answer := client.post(NEXT), answer.json()["assignment"])
        short = {"judgments": answers(page.content)[1:]}
        refused = client.post(
            f"/api/v1/assignments/{page.content['id']}/submit", short, headers={"Idempotency-Key": "a"}
        )
        assert refused.json()["details"] == {"missing": [1], "unknown": [], "twice": []}
        first, again = (submit(client, page.content, "once") for _ in range(2))
        assert first.json() == again.json()
        assert set(first.json()) == {"submitted_at", "is_late", "next", "reason"}
        n_items += len(page.items)
        mine = client.get("/api/v1/projects/skies/progress").json()["mine"]
        assert mine["judgments_total"] == n_items


def test_a_returned_page_comes_back_with_the_same_controls_at_the_same_places(
    client_of: Callable[..., APIClient], people: list[User]
) -> None:
    client = client_of(people[0])
    before: dict[str, Any] = {}
    while content := client.post(NEXT).json()["assignment"]:
        if content["id"] in before:
            break
        before[content["id"]] = [(item["position"], item["text"], item["image"]) for item in content["items"]]
        assert client.post(f"/api/v1/assignments/{content['id']}/return").status_code == 204
    assert [(item["position"], item["text"], item["image"]) for item in content["items"]] == before[content["id"]]


def past_pages(client_of: Callable[..., APIClient], people: list[User]) -> Iterator[Page]:
    """Everybody's past work as the list hands it over, closings as one value each."""
    for person in people:
        client, address = client_of(person), "/api/v1/projects/skies/past-work?limit=100"
        answer = client.get(address)
        for content in answer.json()["results"]:
            assert client.get(f"/api/v1/assignments/{content['id']}/past").json() == content
            flat = [item | {"closed": json.dumps(item["closed"])} for item in content["items"]]
            yield kept_page(answer, content | {"items": flat})


def test_past_work_tells_no_control_whatever_the_review_has_closed(
    client_of: Callable[..., APIClient], people: list[User], dora: User, draw: random.Random
) -> None:
    list(work(client_of, people))
    pairs = list(HitItem.objects.values_list("candidate", flat=True))
    settled = draw.sample(pairs, len(pairs) // 2)
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
