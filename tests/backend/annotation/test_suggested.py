"""Suggested edits of a page: whose they are, at which position, and that no control can be told by them."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.annotation.building import build_hits, build_query_hits
from backend.annotation.controls.keeping import Answer, make_control_of_text
from backend.annotation.models import Assignment
from backend.candidates.models import Candidate, SuggestedEdit, text_digest
from backend.candidates.queries import add_query
from backend.candidates.suggesting import suggest_for_captions
from backend.catalogue.models import Image
from backend.people.models import User
from backend.projects.models import Direction, Project
from backend.runs import services
from backend.runs.ledger import Ledger
from backend.runs.models import Run
from hidden_pages import Page, caption, features_of, leaves, make_controls, new_images, shape_of, share_told
from suggestions import colours
from world import World

pytestmark = pytest.mark.django_db
NEXT = "/api/v1/projects/skies/assignments/next"
CHANCE = 0.1


def suggest(project: Project) -> None:
    run = Run.objects.create(project=project, stage="suggest_edits", parameters={"parser": "colours"}, seed=0)
    claimed = services.claim_run(run_id=str(run.pk))
    assert claimed is not None
    ledger = Ledger(claimed)
    suggest_for_captions(ledger=ledger, parse=colours, models_used={"colours": "0"})
    Run.objects.filter(pk=run.pk).update(status="succeeded")


def keep(image: Image, text: str) -> Candidate:
    return World(image.project).caption(image, text)


def build(project: Project, *images: Image) -> None:
    run = Run.objects.create(project=project, stage="build_hits", seed=1, status="succeeded")
    build_hits(project=project, run=run, images=list(images))


def asked(client: APIClient) -> tuple[dict[str, Any], Any]:
    """The page that this person is handed, and its suggestions."""
    page = client.post(NEXT).json()["assignment"]
    return page, client.get(f"/api/v1/assignments/{page['id']}/suggestions")


@pytest.fixture
def pier(project: Project, bob: User) -> Image:
    (image,) = new_images(project, 1)
    keep(image, "A red sky over the hill")
    keep(image, "Nothing to mend here")
    build(project, image)
    return image


def test_suggestions_come_by_position_in_code_points_of_the_text(
    client_of: Callable[..., APIClient], bob: User, pier: Image, project: Project
) -> None:
    suggest(project)
    page, answer = asked(client_of(bob))
    assert answer.status_code == 200
    assert [item["position"] for item in answer.json()["items"]] == [item["position"] for item in page["items"]]
    by_text = {
        item["text"]: said["suggestions"] for item, said in zip(page["items"], answer.json()["items"], strict=True)
    }
    assert by_text["Nothing to mend here"] == []
    (red,) = by_text["A red sky over the hill"]
    assert {name: red[name] for name in ("kind", "start", "end", "before")} == {
        "kind": "color", "start": 0, "end": 5, "before": "A red",
    }  # fmt: skip
    assert len(red["options"]) == 10 and "A red" not in red["options"]


def test_only_who_holds_the_page_is_told(
    client_of: Callable[..., APIClient], bob: User, alice: User, charlie: User, pier: Image, project: Project
) -> None:
    suggest(project)
    page, _ = asked(client_of(bob))
    address = f"/api/v1/assignments/{page['id']}/suggestions"
    assert [client_of(who).get(address).status_code for who in (bob, alice, charlie)] == [200, 404, 404]
    assert APIClient().get(address).status_code == 401


def test_a_caption_that_nobody_looked_into_leaves_the_whole_page_without(
    client_of: Callable[..., APIClient], bob: User, pier: Image, project: Project
) -> None:
    suggest(project)
    late = make_control_of_text(image=pier, text="A green dog", answer=Answer(("bad",)), made_by=None)
    _, answer = asked(client_of(bob))
    assert [item["suggestions"] for item in answer.json()["items"]] == [[]] * len(answer.json()["items"])
    suggest(project)
    assert SuggestedEdit.objects.filter(candidate=late.candidate).count() == 1
    _, answer = asked(client_of(bob))
    assert any(item["suggestions"] for item in answer.json()["items"])


def test_a_text_that_was_mended_since_has_none_and_takes_those_of_its_neighbours(
    client_of: Callable[..., APIClient], bob: User, pier: Image, project: Project
) -> None:
    suggest(project)
    Candidate.objects.filter(text="Nothing to mend here").update(text="Nothing to mend there")
    _, answer = asked(client_of(bob))
    assert [item["suggestions"] for item in answer.json()["items"]] == [[], []]


def test_a_run_notes_what_it_looked_into_even_where_it_found_nothing(pier: Image, project: Project) -> None:
    suggest(project)
    assert all(one.suggested_digest == text_digest(one.text) for one in Candidate.objects.all())


def test_pictures_of_a_query_have_none(client_of: Callable[..., APIClient], bob: User, project: Project) -> None:
    Project.objects.filter(pk=project.pk).update(direction=Direction.IMAGES_OF_A_QUERY)
    project.refresh_from_db()
    images = new_images(project, 2)
    query = add_query(project=project, text="A red sky", images=[image.key for image in images]).query
    run = Run.objects.create(project=project, stage="build_hits", seed=1, status="succeeded")
    build_query_hits(project=project, run=run, queries=[query])
    _, answer = asked(client_of(bob))
    assert answer.json() == {"items": [{"position": at, "suggestions": []} for at in (1, 2)]}


COLLECTED: dict[str, list[Page]] = {}  # plain values, the same for every test that only looks at them


@pytest.fixture(params=["all looked into", "some controls came later"])
def pages(request: pytest.FixtureRequest, project: Project) -> list[Page]:
    if request.param not in COLLECTED:
        images: list[Image] = request.getfixturevalue("hidden_in")
        draw = random.Random(7)
        later = images[::2] if request.param == "some controls came later" else []
        make_controls(project, [{"image_id": image.key, "text": caption(draw)} for image in later])
        people: list[User] = request.getfixturevalue("two_people")
        client_of = request.getfixturevalue("client_of")
        COLLECTED[request.param] = [page for person in people for page in _collected(client_of(person))]
    return COLLECTED[request.param]


@pytest.fixture
def two_people(project: Project) -> list[User]:
    return World(project).people("annotator-0", "annotator-1")


@pytest.fixture
def hidden_in(project: Project) -> list[Image]:
    """Sixty images with three to six captions and three controls each, all looked into."""
    Project.objects.filter(pk=project.pk).update(control_rate=0.2, overlap=2, captions_per_hit=8)
    project.refresh_from_db()
    draw = random.Random(5)
    images, controls = new_images(project, 60), list[dict[str, str]]()
    for image in images:
        for text in dict.fromkeys(caption(draw) for _ in range(draw.randint(3, 6))):
            keep(image, text)
        controls += [{"image_id": image.key, "text": caption(draw)} for _ in range(3)]
    make_controls(project, controls)
    build(project, *images)
    suggest(project)
    return images


def _collected(client: APIClient) -> Iterator[Page]:
    """Every page that a person is handed, each item with its suggestions as the client lays them together."""
    while (found := client.post(NEXT).json()["assignment"]) is not None:
        answer = client.get(f"/api/v1/assignments/{found['id']}/suggestions")
        items = [item | said for item, said in zip(found["items"], answer.json()["items"], strict=True)]
        assignment = Assignment.objects.get(pk=found["id"])
        controls = frozenset(int(position) for position in assignment.controls)
        headers = {name.lower(): value for name, value in answer.headers.items()}
        yield Page(answer.content, headers, found | {"items": items}, controls, assignment.hit_id, ("", "", 0, ""))
        said = [{"position": item["position"], "label": "bad"} for item in items]
        address = f"/api/v1/assignments/{found['id']}/submit"
        assert client.post(address, {"judgments": said}, headers={"Idempotency-Key": "once"}).status_code == 200


def counted(item: dict[str, Any]) -> list[float]:
    """What the suggestions of an item say, as numbers of one length."""
    spans = [(one["start"], one["end"], len(one["options"])) for one in item["suggestions"][:2]]
    flat = [float(value) for span in spans for value in span]
    # Against its own words: a text with more colours has more to mend.
    words = re.findall(r"\w+", item["text"].lower())
    missing = sum(word in ("red", "two") for word in words) - len(item["suggestions"])
    return [len(item["suggestions"]), missing, len(json.dumps(item["suggestions"])), *flat, *[-1.0] * (6 - len(flat))]


@pytest.mark.nightly
def test_no_classifier_tells_a_control_by_its_suggestions(pages: list[Page]) -> None:
    items = [(number, page, item) for number, page in enumerate(pages) if page.controls for item in page.items]
    is_control = [item["position"] in page.controls for _, page, item in items]
    where = [page.subject for _, page, _ in items], [number for number, *_ in items]
    bare = [{name: value for name, value in item.items() if name != "suggestions"} for *_, item in items]
    rows = [[*features_of(page, one)[:5], *counted(item)] for (_, page, item), one in zip(items, bare, strict=True)]
    assert sum(is_control) > 50 and any(item["suggestions"] for *_, item in items)
    assert share_told(rows, is_control, *where) == pytest.approx(0.5, abs=CHANCE)
    # Were suggestions left out of controls alone, it would be told.
    leaky = [
        row if not control else [*row[:5], 0.0, 2.0, *row[7:]] for row, control in zip(rows, is_control, strict=True)
    ]
    assert share_told(leaky, is_control, *where) > 0.5 + CHANCE


def test_every_item_of_a_page_has_one_shape_and_no_word_of_a_control(pages: list[Page]) -> None:
    known = r"\.items\.\d+\.(position|suggestions\.\d+\.(kind|start|end|before|options\.\d+))"
    for page in pages:
        assert not re.search(rb"control|accepted|seed|candidate|source|digest", page.body)
        assert len({json.dumps(shape_of({**item, "suggestions": []})) for item in page.items}) == 1
        assert all(re.fullmatch(known, name) for name, _ in leaves(json.loads(page.body)))
    assert len({tuple(page.headers) for page in pages}) == 1
