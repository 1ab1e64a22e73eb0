"""Making, reading and changing projects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from at_once import at_once
from backend.common.errors import InvalidInput, Stale
from backend.people.models import User
from backend.projects import services
from backend.projects.models import Membership, Project, Role

Clients = Callable[..., APIClient]
PROJECTS = "/api/v1/projects"
SKIES = "/api/v1/projects/skies"
NEW = {"name": "Harbour mornings", "direction": "captions_of_image"}


def test_a_project_as_its_annotator_sees_it(client_of: Clients, bob: User, project: Project) -> None:
    seen = client_of(bob).get(SKIES).json()
    assert seen.pop("created_at")
    assert seen == {
        "slug": "skies",
        "name": "Skies",
        "direction": "captions_of_image",
        "guidelines": "",
        "overlap": 2,
        "captions_per_hit": 3,
        "lease_minutes": 30,
        "control_rate": None,
        "confidence": None,
        "max_overlap": 5,
        "hits_per_annotator": None,
        "shuffles_options": False,
        "pay_per_hit": None,
        "pay_fee": 0.0,
        "role": "annotator",
        "version": 1,
        "counts": dict.fromkeys(
            ("images", "candidates", "kept", "hits", "judgments", "slots", "slots_open", "releases"), 0
        ),
    }


@pytest.mark.nightly
@pytest.mark.parametrize(("who", "role"), [("alice", "curator"), ("dora", "head_annotator"), ("bob", "annotator")])
def test_the_list_shows_each_member_their_own_role_once(
    request: pytest.FixtureRequest, client_of: Clients, project: Project, charlie: User, who: str, role: str
) -> None:
    listed = client_of(request.getfixturevalue(who)).get(PROJECTS).json()["results"]
    assert [(row["slug"], row["role"]) for row in listed] == [("skies", role)]


@pytest.mark.nightly
def test_projects_page_forwards_and_back(client_of: Clients, alice: User) -> None:
    for number in range(7):
        services.create_project(created_by=alice, name=f"P{number}")
    client = client_of(alice)
    pages = [client.get(f"{PROJECTS}?limit=3").json()]
    while pages[-1]["next"]:
        pages.append(client.get(pages[-1]["next"]).json())
    names = [[row["name"] for row in page["results"]] for page in pages]
    assert names == [["P6", "P5", "P4"], ["P3", "P2", "P1"], ["P0"]]
    back = [client.get(pages[2]["previous"]).json()]
    back.append(client.get(back[-1]["previous"]).json())
    assert [[row["name"] for row in page["results"]] for page in back] == [names[1], names[0]]
    assert (pages[0]["previous"], back[-1]["previous"]) == (None, None)


def test_a_project_made_meanwhile_moves_nothing_on_later_pages(client_of: Clients, alice: User) -> None:
    for number in range(4):
        services.create_project(created_by=alice, name=f"P{number}")
    client = client_of(alice)
    first = client.get(f"{PROJECTS}?limit=2").json()
    services.create_project(created_by=alice, name="newest")
    assert [row["name"] for row in client.get(first["next"]).json()["results"]] == ["P1", "P0"]


def test_who_makes_a_project_curates_it(client_of: Clients, alice: User) -> None:
    answer = client_of(alice).post(PROJECTS, NEW | {"guidelines": "# Good", "overlap": 5})
    assert answer.status_code == 201
    made = answer.json()
    assert (made["slug"], made["role"], made["overlap"], made["version"]) == ("harbour-mornings", "curator", 5, 1)
    assert Membership.objects.get().role == Role.CURATOR


def test_only_staff_make_projects_unless_a_setting_lets_everybody(
    client_of: Clients, bob: User, settings: object
) -> None:
    client = client_of(bob)
    answer = client.post(PROJECTS, NEW)
    assert (answer.status_code, answer.json()["code"]) == (403, "only_staff_create")
    assert not Project.objects.exists()
    settings.MEMBERS_CREATE_PROJECTS = True
    assert client.post(PROJECTS, NEW).status_code == 201


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Skies over Delft", "skies-over-delft"),
        ("Éléphants & co_2", "elephants-co-2"),
        ("海の朝", "project"),
        ("New", "new-2"),
        ("--", "project"),
        ("a" * 120, "a" * 50),
    ],
)
def test_a_slug_is_made_of_the_name(alice: User, name: str, slug: str) -> None:
    assert services.create_project(created_by=alice, name=name).slug == slug


def test_ten_projects_of_one_name_all_find_an_address(alice: User) -> None:
    slugs = [services.create_project(created_by=alice, name="Skies").slug for _ in range(10)]
    assert slugs[:5] == ["skies", "skies-2", "skies-3", "skies-4", "skies-5"]
    assert len(set(slugs)) == 10


@pytest.mark.django_db(transaction=True)
def test_two_projects_of_one_name_at_the_same_moment_both_come_to_be(make_user: Callable[..., User]) -> None:
    alice = make_user("alice", is_staff=True)
    made = at_once([lambda: services.create_project(created_by=alice, name="Skies").slug] * 2)
    assert sorted(map(str, made)) == ["skies", "skies-2"]


def test_an_address_that_is_taken_is_refused_and_makes_no_project(
    client_of: Clients, alice: User, project: Project
) -> None:
    answer = client_of(alice).post(PROJECTS, NEW | {"slug": "skies"})
    assert (answer.status_code, answer.json()["details"]) == (400, {"slug": ["This address is taken. Choose another."]})
    assert Project.objects.count() == 1


@pytest.mark.nightly
@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"name": "n" * 121},
        {"direction": "sideways"},
        {"direction": None},
        {"slug": "Skies"},
        {"slug": "../admin"},
        {"slug": "two words"},
        {"slug": "new"},
        {"slug": ""},
        {"overlap": 0},
        {"overlap": 51},
        {"overlap": "three"},
        {"captions_per_hit": 0},
        {"lease_minutes": 0},
        {"lease_minutes": 1441},
        {"guidelines": "g" * 20_001},
    ],
    ids=lambda wrong: str(wrong)[:30],
)
def test_a_project_that_makes_no_sense_is_refused_under_its_field(
    client_of: Clients, alice: User, wrong: dict[str, object]
) -> None:
    answer = client_of(alice).post(PROJECTS, NEW | wrong)
    assert (answer.status_code, list(answer.json()["details"])) == (400, list(wrong))
    assert not Project.objects.exists()


def test_the_service_checks_what_a_command_hands_it(alice: User) -> None:
    with pytest.raises(InvalidInput) as refused:
        services.create_project(created_by=alice, name="Skies", overlap=0, guidelines="g" * 20_001)
    assert set(refused.value.details or {}) == {"overlap", "guidelines"}


def test_a_curator_changes_what_they_have_read(client_of: Clients, alice: User, project: Project) -> None:
    answer = client_of(alice).patch(SKIES, {"version": 1, "name": "Wide skies", "guidelines": "# Good\n\nTrue."})
    assert answer.status_code == 200
    changed = answer.json()
    assert (changed["name"], changed["version"], changed["overlap"]) == ("Wide skies", 2, 2)


def test_a_stale_change_names_the_version_that_stands_and_changes_nothing(
    client_of: Clients, alice: User, project: Project
) -> None:
    client = client_of(alice)
    client.patch(SKIES, {"version": 1, "overlap": 4})
    answer = client.patch(SKIES, {"version": 1, "overlap": 9})
    assert (answer.status_code, answer.json()["code"]) == (409, "stale")
    assert answer.json()["details"] == {"version": 2}
    project.refresh_from_db()
    assert (project.overlap, project.version) == (4, 2)


@pytest.mark.nightly
@pytest.mark.parametrize(
    "change",
    [
        {"overlap": 6},
        {"overlap": 5},
        {"max_overlap": 2},
        {"max_overlap": 3},
        {"confidence": 0.8, "max_overlap": 1},
        {"confidence": 0.8, "overlap": 4, "max_overlap": 4},
    ],
)
def test_an_adaptive_overlap_that_could_ask_for_nothing_more_is_refused(
    client_of: Clients, alice: User, project: Project, change: dict[str, Any]
) -> None:
    Project.objects.filter(pk=project.pk).update(overlap=3, confidence=0.9)
    answer = client_of(alice).patch(SKIES, {"version": 1, **change}, format="json")
    assert (answer.status_code, list(answer.json()["details"])) == (400, ["max_overlap"])
    assert client_of(alice).patch(SKIES, {"version": 1, **change, "confidence": None}, format="json").status_code == 200


@pytest.mark.parametrize("most", [2, 3])
def test_no_project_begins_with_an_adaptive_overlap_that_asks_for_nothing_more(alice: User, most: int) -> None:
    with pytest.raises(InvalidInput):
        services.create_project(created_by=alice, name="Seas", overlap=3, confidence=0.9, max_overlap=most)


def test_what_was_stored_before_that_was_refused_keeps_its_other_settings_open(
    client_of: Clients, alice: User, project: Project
) -> None:
    Project.objects.filter(pk=project.pk).update(overlap=3, confidence=0.9, max_overlap=3)
    change = {"version": 1, "name": "Wide skies", "lease_minutes": 20}
    assert client_of(alice).patch(SKIES, change, format="json").status_code == 200
    assert client_of(alice).patch(SKIES, {"version": 2, "max_overlap": 4}, format="json").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_of_two_changes_at_the_same_moment_one_is_stale(project: Project) -> None:
    def change(overlap: int) -> object:
        own = Project.objects.get(pk=project.pk)
        return services.update_project(project=own, version=1, changes={"overlap": overlap})

    outcomes = at_once([lambda: change(5), lambda: change(7)])
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Project", "Stale"]
    assert next(o for o in outcomes if isinstance(o, Stale)).details == {"version": 2}
    project.refresh_from_db()
    assert project.version == 2


@pytest.mark.parametrize(
    "wrong",
    [
        {"version": None},
        {"version": 0},
        {"overlap": 0},
        {"guidelines": "g" * 20_001},
        {"slug": "other"},
        {"direction": "images_of_query"},
        {"name": ""},
    ],
    ids=lambda wrong: str(wrong)[:30],
)
def test_a_change_that_makes_no_sense_is_refused_under_its_field(
    client_of: Clients, alice: User, project: Project, wrong: dict[str, object]
) -> None:
    answer = client_of(alice).patch(SKIES, {"version": 1} | wrong)
    assert (answer.status_code, list(answer.json()["details"])) == (400, list(wrong))
    project.refresh_from_db()
    assert project.version == 1


def test_a_change_without_a_version_is_refused(client_of: Clients, alice: User, project: Project) -> None:
    assert list(client_of(alice).patch(SKIES, {"overlap": 3}).json()["details"]) == ["version"]


def test_guidelines_come_back_as_they_were_written(client_of: Clients, alice: User, project: Project) -> None:
    """They are Markdown and not HTML: the site renders them without letting any markup of theirs through."""
    written = "# Good\n\n<script>alert(1)</script> & [x](javascript:alert(1))\n\n    code  "
    answer = client_of(alice).patch(SKIES, {"version": 1, "guidelines": written})
    assert answer.json()["guidelines"] == written.strip()
