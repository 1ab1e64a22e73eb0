"""A pool in the browser: narrowed, sorted and paged however many tie, and decided on by reviewers alone."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from urllib.parse import quote, urlencode

import pytest
from rest_framework.test import APIClient

from backend.candidates.models import Candidate, Decision
from backend.catalogue.models import Image
from backend.people.models import User
from world import World

Clients = Callable[..., APIClient]
Adder = Callable[..., Candidate]


@pytest.fixture
def images(make_images: Callable[..., list[Image]]) -> list[Image]:
    return make_images("skyline", "harbour", "field")


@pytest.fixture
def pool(images: list[Image], add_caption: Adder) -> list[Candidate]:
    """Of the harbour: three kept ones, a repeated one, a short one and one that is not cleaned yet."""
    harbour = images[1]
    kept = {"status": "kept"}
    first = add_caption(harbour, "The sea &amp; the sky", text="The sea & the sky", source="web", rank=2, **kept)
    return [
        first,
        add_caption(harbour, "Waiting for a ship", text="Waiting for a ship", source="corpus", similarity=0.7, **kept),
        add_caption(
            harbour, "Закат над морем", text="Закат над морем", similarity=0.79, flags=["non_english"],
            source="corpus", **kept,
        ),
        add_caption(
            harbour, "the sea & the sky!", status="dropped", drop_rule="duplicate", drop_detail=first.key, rank=1
        ),
        add_caption(harbour, "Sea", status="dropped", drop_rule="too_short", drop_detail="1 word, 3 needed"),
        add_caption(harbour, "Nobody has looked at this", similarity=0.7),
    ]  # fmt: skip


def address_of(pool: list[Candidate], more: str = "") -> str:
    return f"/api/v1/projects/skies/images/{pool[0].image_id}/candidates{more}"


def texts(client: APIClient, address: str) -> list[str]:
    """Every row's text, page after page."""
    found: list[str] = []
    while address:
        page = client.get(address).json()
        found += [row["raw_text"] for row in page["results"]]
        address = page["next"] or ""
    return found


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("source=corpus", {"Waiting for a ship", "Закат над морем"}),
        ("rule=too_short", {"Sea"}),
        ("flag=non_english", {"Закат над морем"}),
        ("flag=english", set()),
        ("text=SEA", {"The sea &amp; the sky", "the sea & the sky!", "Sea"}),
        ("text=sea %26 the sky", {"The sea &amp; the sky", "the sea & the sky!"}),
        ("status=kept&source=web", {"The sea &amp; the sky"}),
        ("text=%25", set()),
    ],
)
def test_a_pool_is_narrowed(
    client_of: Clients, alice: User, pool: list[Candidate], asked: str, found: set[str]
) -> None:
    assert set(texts(client_of(alice), address_of(pool, f"?{asked}"))) == found


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("sort", "places"),
    [
        ("oldest", [0, 1, 2, 3, 4, 5]),
        ("newest", [5, 4, 3, 2, 1, 0]),
        ("similarity", [2, 1, 5, 0, 3, 4]),
        ("rank", [3, 0, 1, 2, 4, 5]),
        ("source", [1, 2, 3, 4, 5, 0]),
    ],
)
def test_a_pool_is_sorted_and_paged_whatever_ties(
    client_of: Clients, alice: User, pool: list[Candidate], sort: str, places: list[int]
) -> None:
    client = client_of(alice)
    for limit in (1, 2, 4, 50):
        found = texts(client, address_of(pool, f"?sort={sort}&limit={limit}"))
        assert found == [pool[place].raw_text for place in places], limit


def test_pages_go_back_the_way_they_came(client_of: Clients, alice: User, pool: list[Candidate]) -> None:
    client = client_of(alice)
    first = client.get(address_of(pool, "?sort=similarity&limit=2")).json()
    second = client.get(first["next"]).json()
    third = client.get(second["next"]).json()
    assert (first["previous"], third["next"]) == (None, None)
    assert client.get(third["previous"]).json()["results"] == second["results"]
    again = client.get(client.get(third["previous"]).json()["previous"]).json()
    assert (again["results"], again["previous"]) == (first["results"], None)


@pytest.mark.nightly
def test_a_pool_of_thousands_that_all_tie_loses_nobody(
    client_of: Clients, alice: User, images: list[Image], add_caption: Adder
) -> None:
    World(images[0].project).captions(images[0], *map(str, range(2500)), status="new")
    address = f"/api/v1/projects/skies/images/{images[0].pk}/candidates?sort=similarity&limit=500"
    assert texts(client_of(alice), address) == [str(n) for n in range(2500)]


def test_an_unknown_sort_is_refused(client_of: Clients, alice: User, pool: list[Candidate]) -> None:
    answer = client_of(alice).get(address_of(pool, "?sort=beauty"))
    assert (answer.status_code, list(answer.json()["details"])) == (400, ["sort"])


def cursor(place: str) -> str:
    return quote(b64encode(urlencode({"p": place}).encode()))


@pytest.mark.nightly
@pytest.mark.parametrize(
    "place",
    ["[" * 2_000, '{"a":' * 2_000, "[1]", "[1,2,3]", "[[1],[2]]", "null", "7", "{}", "[NaN,1e999]", '["a",null]'],
)
def test_a_place_that_somebody_made_up_is_never_our_failure(
    client_of: Clients, alice: User, pool: list[Candidate], place: str
) -> None:
    answer = client_of(alice).get(address_of(pool, f"?sort=similarity&cursor={cursor(place)}"))
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_a_repeated_caption_names_the_one_that_is_kept(client_of: Clients, alice: User, pool: list[Candidate]) -> None:
    rows = client_of(alice).get(address_of(pool)).json()["results"]
    assert rows[3]["repeats"] == {"id": pool[0].pk, "text": "The sea & the sky"}
    assert [row["repeats"] for row in rows if row["id"] != pool[3].pk] == [None] * 5
    assert rows[2]["flags"] == ["non_english"]


def test_the_summary_counts_by_source_rule_and_flag_and_knows_the_neighbours(
    client_of: Clients, alice: User, images: list[Image], pool: list[Candidate]
) -> None:
    client = client_of(alice)
    summary = client.get(address_of(pool, "/summary")).json()
    assert (summary["previous"], summary["image"], summary["next"]) == tuple(image.pk for image in images)
    corpus, human, web = summary["sources"]
    assert (corpus["source"], corpus["n_kept"], corpus["flags"]) == ("corpus", 2, {"non_english": 1})
    assert (human["n_candidates"], human["n_dropped"], human["n_new"]) == (3, 2, 1)
    assert (human["dropped"], web["n_kept"]) == ({"duplicate": 1, "too_short": 1}, 1)
    ends = [client.get(address_of(pool, "/summary").replace(f"/{images[1].pk}/", f"/{i.pk}/")).json() for i in images]
    assert (ends[0]["previous"], ends[2]["next"]) == (None, None)


def test_restoring_and_dropping_answer_with_the_candidate_and_who_decided(
    client_of: Clients, dora: User, pool: list[Candidate]
) -> None:
    client, address = client_of(dora), f"/api/v1/projects/skies/candidates/{pool[4].pk}"
    kept = client.post(f"{address}/restore", {"reason": "says it all"}, format="json").json()
    assert (kept["status"], kept["text"], kept["drop_rule"]) == ("kept", "Sea", "")
    assert (kept["decision"]["verdict"], kept["decision"]["reason"]) == ("keep", "says it all")
    dropped = client.post(f"{address}/drop", {}, format="json").json()
    assert (dropped["status"], dropped["drop_rule"], dropped["decision"]["verdict"]) == ("dropped", "by_hand", "drop")
    assert dropped["decision"]["decided_by"] == dora.shown_name


def test_a_caption_is_added_by_hand(client_of: Clients, alice: User, pool: list[Candidate]) -> None:
    answer = client_of(alice).post(address_of(pool), {"text": "  A ship, at last "}, format="json")
    assert answer.status_code == 201
    added = answer.json()
    assert (added["text"], added["source"], added["status"]) == ("A ship, at last", "human", "kept")
    again = client_of(alice).post(address_of(pool), {"text": "a ship at last"}, format="json")
    assert (again.status_code, again.json()["code"]) == (409, "already_there")


def test_what_stands_in_a_hit_is_refused_in_a_sentence(client_of: Clients, alice: User, pool: list[Candidate]) -> None:
    World(pool[1].project).hit(pool[1].image, [pool[1]])
    answer = client_of(alice).post(f"/api/v1/projects/skies/candidates/{pool[1].pk}/drop", {}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (409, "in_hit")
    assert "in a task already" in answer.json()["message"]


def test_a_reason_that_is_too_long_is_refused(client_of: Clients, alice: User, pool: list[Candidate]) -> None:
    address = f"/api/v1/projects/skies/candidates/{pool[1].pk}/drop"
    answer = client_of(alice).post(address, {"reason": "x" * 301}, format="json")
    assert (answer.status_code, list(answer.json()["details"])) == (400, ["reason"])


@pytest.fixture
def calls(pool: list[Candidate]) -> list[tuple[str, str, dict[str, str] | None]]:
    one = f"/api/v1/projects/skies/candidates/{pool[4].pk}"
    return [
        ("get", address_of(pool, "/summary"), None),
        ("post", address_of(pool), {"text": "A ship"}),
        ("post", f"{one}/restore", {}),
        ("post", f"{one}/drop", {}),
    ]


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("who", "statuses"),
    [("alice", {200, 201}), ("dora", {200, 201}), ("bob", {403}), ("charlie", {404}), (None, {401})],
)
def test_reviewers_alone_decide(
    request: pytest.FixtureRequest,
    client_of: Clients,
    calls: list[tuple[str, str, dict[str, str] | None]],
    who: str | None,
    statuses: set[int],
) -> None:
    client = client_of(request.getfixturevalue(who) if who else None)
    answers = [getattr(client, method)(address, body, format="json") for method, address, body in calls]
    assert {answer.status_code for answer in answers} == statuses
    if statuses.isdisjoint({200, 201}):
        assert not Decision.objects.exists()


def test_nothing_of_another_project_is_reached_through_ones_own(
    client_of: Clients, charlie: User, calls: list[tuple[str, str, dict[str, str] | None]]
) -> None:
    client = client_of(charlie)
    mine = [(method, address.replace("skies", "elsewhere"), body) for method, address, body in calls]
    assert {getattr(client, method)(address, body, format="json").status_code for method, address, body in mine} == {
        404
    }
