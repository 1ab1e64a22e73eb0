"""The funnel: every candidate is counted once, by its result, and each rule shows what it saw."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from api_examples import Examples
from backend.candidates.cleaning import Demands, clean_candidates
from backend.candidates.models import Candidate
from backend.candidates.services import restore_candidate
from backend.catalogue.models import Image
from backend.people.models import User
from backend.runs import services as runs
from backend.runs.ledger import Ledger

pytestmark = pytest.mark.both_engines

Clients = Callable[..., APIClient]
Adder = Callable[..., Candidate]
FUNNEL = "/api/v1/projects/skies/funnel"
TITLES = [
    "Red sky at night &amp; a sleeping harbour | The Prints",
    "An evening of gold and grey over the harbour #sunset #boats",
    "Sky  #a #b #c #d",
    "See https://prints.example/9 the boats come home at last",
]
CAPTIONS = ["A city under a red sky", "a city under a red sky!", "Sea", "Le soleil se couche derrière la vieille ville"]


@pytest.fixture
def cleaned(
    make_images: Callable[..., list[Image]], add_caption: Adder, hold_run: Callable[..., Ledger]
) -> list[Candidate]:
    """Titles and captions of one image after the clean stage."""
    image = make_images("skyline")[0]
    rows = [add_caption(image, text, source="web", source_ref="theprints.example") for text in TITLES]
    rows += [add_caption(image, text) for text in CAPTIONS]
    ledger = hold_run("clean")
    clean_candidates(ledger=ledger, demands=Demands(3), tags_of=lambda texts: [{"NOUN"} for _ in texts])
    runs.finish_run(run=ledger.run)
    return rows


def rules_of(funnel: dict[str, Any]) -> dict[str, tuple[int, int | None]]:
    return {row["rule"]: (row["n_dropped"], row["n_repaired"]) for row in funnel["rules"]}


def test_the_funnel_adds_up_and_follows_the_chain(client_of: Clients, alice: User, cleaned: list[Candidate]) -> None:
    client = client_of(alice)
    funnel = client.get(FUNNEL).json()
    assert (funnel["n_candidates"], funnel["n_new"]) == (8, 0)
    assert funnel["n_kept"] + funnel["n_dropped"] == 8
    assert sum(row["n_dropped"] for row in funnel["rules"]) == funnel["n_dropped"]
    rules = rules_of(funnel)
    chain = ["markup", "characters", "addresses", "site_name", "hashtags", "keyword_list", "too_short", "duplicate"]
    assert list(rules) == chain
    assert (rules["markup"], rules["keyword_list"], rules["too_short"]) == ((0, 1), (1, None), (1, None))
    human, web = funnel["sources"]
    assert (human["dropped"], web["dropped"]) == ({"too_short": 1, "duplicate": 1}, {"keyword_list": 1})
    assert human["flags"] == {"non_english": 1}
    assert funnel["cleaned_at"]


def test_images_are_counted_by_their_kept_captions(
    client_of: Clients, alice: User, make_images: Callable[..., list[Image]], add_caption: Adder
) -> None:
    first, second, third, _ = make_images("dawn", "noon", "dusk", "night")
    for image, n in ((first, 2), (second, 2), (third, 1)):
        for place in range(n):
            add_caption(image, f"caption {place}", status="kept")
    add_caption(third, "gone", status="dropped", drop_rule="too_short")
    told = client_of(alice).get(FUNNEL).json()["per_image"]
    assert [(row["n_captions"], row["n_images"]) for row in told] == [(0, 1), (1, 1), (2, 2)]


def test_what_a_person_kept_leaves_its_rule_and_is_counted_by_itself(
    client_of: Clients, alice: User, cleaned: list[Candidate]
) -> None:
    short = Candidate.objects.get(drop_rule="too_short")
    restore_candidate(candidate=short, decided_by=alice)
    funnel = client_of(alice).get(FUNNEL).json()
    assert "too_short" not in rules_of(funnel)
    assert funnel["n_kept_by_hand"] == 1
    assert [row["candidate"]["id"] for row in examples(client_of(alice), "kept_by_hand")] == [short.pk]


def test_a_project_without_candidates_has_an_empty_funnel(client_of: Clients, charlie: User) -> None:
    funnel = client_of(charlie).get("/api/v1/projects/elsewhere/funnel").json()
    assert (funnel["n_candidates"], funnel["rules"], funnel["cleaned_at"]) == (0, [], None)


def examples(client: APIClient, rule: str, more: str = "") -> list[dict[str, Any]]:
    return list(client.get(f"{FUNNEL}/{rule}{more}").json()["results"])


def test_a_dropped_caption_is_shown_with_what_its_rule_saw(
    client_of: Clients, alice: User, cleaned: list[Candidate]
) -> None:
    (row,) = examples(client_of(alice), "too_short")
    assert (row["candidate"]["raw_text"], row["seen"], row["candidate"]["drop_detail"]) == (
        "Sea",
        "Sea",
        "1 word, 3 needed",
    )
    assert row["image"]["id"] == cleaned[0].image_id
    assert row["image"]["thumbnail"]["small"]["url"]
    (listed,) = examples(client_of(alice), "keyword_list")
    assert listed["seen"] == "Sky #a #b #c #d"
    assert examples(client_of(alice), "keyword_list", "?source=human") == []


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("rule", "before", "after"),
    [
        ("markup", TITLES[0], "Red sky at night & a sleeping harbour"),
        ("site_name", TITLES[0], "Red sky at night & a sleeping harbour"),
        ("hashtags", TITLES[1], "An evening of gold and grey over the harbour"),
        ("addresses", TITLES[3], "See the boats come home at last"),
    ],
)
def test_a_repaired_caption_is_shown_before_and_after_under_each_rule_that_had_a_hand_in_it(
    client_of: Clients, alice: User, cleaned: list[Candidate], rule: str, before: str, after: str
) -> None:
    (row,) = examples(client_of(alice), rule)
    assert (row["candidate"]["raw_text"], row["seen"]) == (before, after)
    assert rule in row["repaired"]


def test_a_site_name_that_only_the_other_titles_gave_away_is_still_its_rules_doing(
    client_of: Clients, alice: User, make_images: Callable[..., list[Image]], add_caption: Adder
) -> None:
    add_caption(
        make_images("pier")[0], "The long pier in the fog - Daily Views", source="web", source_ref="other.example",
        status="kept", text="The long pier in the fog",
    )  # fmt: skip
    assert [row["repaired"] for row in examples(client_of(alice), "site_name")] == [["site_name"]]


def test_a_title_that_older_rules_repaired_otherwise_is_not_laid_to_its_site(
    client_of: Clients, alice: User, make_images: Callable[..., list[Image]], add_caption: Adder
) -> None:
    (pier,) = make_images("pier")
    for raw, text in (("Grey &amp; gold over the pier", "Grey and gold over the pier"), ("The pier", "A pier")):
        add_caption(pier, raw, source="web", source_ref="other.example", status="kept", text=text)
    assert examples(client_of(alice), "site_name") == []
    (repaired,) = examples(client_of(alice), "markup")
    assert repaired["repaired"] == ["markup"]


def test_flagged_and_repeated_captions_are_shown_too(client_of: Clients, alice: User, cleaned: list[Candidate]) -> None:
    assert [row["candidate"]["raw_text"] for row in examples(client_of(alice), "non_english")] == [CAPTIONS[3]]
    (twin,) = examples(client_of(alice), "duplicate")
    assert twin["candidate"]["repeats"]["text"].lower().startswith("a city under a red sky")


def test_a_flag_that_another_stage_sets_has_its_examples_and_so_has_a_rule_that_is_no_more(
    client_of: Clients, alice: User, make_images: Callable[..., list[Image]], add_caption: Adder
) -> None:
    (pier,) = make_images("pier")
    add_caption(pier, "A nice view", status="kept", text="A nice view", flags=["non_english", "generic"])
    add_caption(pier, "Too loud", status="dropped", drop_rule="shouting")
    assert [row["seen"] for row in examples(client_of(alice), "generic")] == ["A nice view"]
    assert [row["seen"] for row in examples(client_of(alice), "shouting")] == ["Too loud"]


def test_an_unknown_rule_has_no_examples(client_of: Clients, alice: User, cleaned: list[Candidate]) -> None:
    assert examples(client_of(alice), "beauty") == []


def test_examples_come_in_pages(
    client_of: Clients, alice: User, make_images: Callable[..., list[Image]], add_caption: Adder
) -> None:  # fmt: skip
    for image in make_images("one", "two", "three"):
        for n in range(3):
            add_caption(image, f"Sea {n}", status="dropped", drop_rule="too_short", drop_detail="2 words, 3 needed")
    client, seen, address = client_of(alice), [], f"{FUNNEL}/too_short?limit=4"
    while address:
        page = client.get(address).json()
        seen += [row["candidate"]["id"] for row in page["results"]]
        address = page["next"]
    assert seen == sorted(seen)
    assert len(set(seen)) == 9


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("who", "status"), [("alice", 200), ("dora", 200), ("bob", 403), ("charlie", 404), (None, 401)]
)
def test_reviewers_alone_see_the_funnel(
    request: pytest.FixtureRequest, client_of: Clients, cleaned: list[Candidate], who: str | None, status: int
) -> None:
    client = client_of(request.getfixturevalue(who) if who else None)
    assert {client.get(address).status_code for address in (FUNNEL, f"{FUNNEL}/too_short")} == {status}
    if who == "charlie":
        assert client.get(f"{FUNNEL.replace('skies', 'elsewhere')}/too_short").json()["results"] == []


def test_captions_and_the_funnel_are_as_in_their_examples(
    example: Examples, client_of: Clients, alice: User, cleaned: list[Candidate]
) -> None:
    client, skies, image = client_of(alice), "projects/skies", cleaned[0].image_id
    pool = f"{skies}/images/{image}/candidates"
    example("projects_funnel_retrieve", client.get, f"{skies}/funnel")
    example("projects_funnel_list", client.get, f"{skies}/funnel/markup")
    example("projects_images_counts_list", client.get, f"{skies}/images/counts?images={image}")
    example("projects_images_candidates_list", client.get, pool)
    example("projects_images_candidates_summary_retrieve", client.get, f"{pool}/summary")
    example("projects_images_candidates_create", client.post, pool, {"text": "The last boat comes home at dusk"})
    dropped, kept = (Candidate.objects.filter(status=status)[0].pk for status in ("dropped", "kept"))
    own = f"{skies}/candidates"
    example("projects_candidates_restore_create", client.post, f"{own}/{dropped}/restore", {"reason": "It is good."})
    example("projects_candidates_drop_create", client.post, f"{own}/{kept}/drop", {"reason": "It names a person."})
