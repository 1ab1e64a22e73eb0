"""`manage.py demo` twice on a fresh folder: a finished project, then only a new password."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import requests

from embedded_site import EmbeddedSite, embedded_site
from walker import Person
from workers.demo.accounts import READERS
from workers.demo.world import DEFAULT, World
from workers.engines.carried import LADDER
from workers.training.postcards.annotators import Profile
from workers.training.postcards.controls import truth
from workers.training.postcards.exports import Order

# They look at the built front end, as the tests of the real stack do, and share one demo, which takes minutes.
pytestmark = pytest.mark.stack
SMALLER = ("--targets", "12", "--corpus", "600")  # than what `make demo` walks, by the same steps
SIGN_IN = re.compile(r"Sign in as (?P<names>.+); the password of all three is (?P<password>\S+)")


@dataclass(frozen=True)
class Demo:
    site: EmbeddedSite
    first: str
    second: str
    project_after_first: dict[str, Any]


def accounts(printed: str) -> dict[str, str]:
    """Password by user name, as the command prints them."""
    found = SIGN_IN.search(printed)
    assert found, printed
    return dict.fromkeys(found["names"].split(", "), found["password"])


def signed_in(site: EmbeddedSite, username: str, password: str) -> Person:
    person = Person(site.url)
    person.post("/session", {"username": username, "password": password})
    return person


def project_as_curator(site: EmbeddedSite, printed: str) -> dict[str, Any]:
    """The project, its runs and its releases."""
    curator = signed_in(site, "curator", accounts(printed)["curator"])
    [project] = curator.rows("/projects")
    address = f"/projects/{project['slug']}"
    return {
        "project": project,
        "runs": curator.rows(f"{address}/runs"),
        "releases": curator.rows(f"{address}/releases"),
    }


@pytest.fixture(scope="module")
def demo(artefacts: Path) -> Iterator[Demo]:
    with embedded_site(artefacts / "demo") as site:
        first = site.manage("demo", *SMALLER)
        project = project_as_curator(site, first)
        yield Demo(site, first, site.manage("demo", *SMALLER), project)


def test_the_demo_ends_with_a_released_project_and_hits_left_to_judge(demo: Demo) -> None:
    counts = demo.project_after_first["project"]["counts"]
    assert (counts["images"], counts["releases"]) == (12, 1)
    annotator = signed_in(demo.site, "annotator", accounts(demo.second)["annotator"])
    left = annotator.post("/projects/postcards/assignments/next")
    assert left["assignment"]["items"]


def test_every_released_caption_says_how_hard_it_is_for_the_seven_models(demo: Demo) -> None:
    captions = released(demo, "captions.jsonl")
    assert captions
    for caption in captions:
        said = caption["difficulty"]
        assert [vote["model"] for vote in said["panel"]] == list(LADDER)
        assert said["n_votes"] == sum(vote["vote"] for vote in said["panel"])
    assert len({caption["difficulty"]["category"] for caption in captions}) > 1


def test_captions_stand_beside_what_may_need_an_edit_and_how_many_other_pictures_they_fit(demo: Demo) -> None:
    curator = signed_in(demo.site, "curator", accounts(demo.second)["curator"])
    project = "/projects/postcards"
    images = curator.rows(f"{project}/images")
    captions = [caption for image in images for caption in curator.rows(f"{project}/images/{image['id']}/candidates")]
    kept = [caption for caption in captions if caption["status"] == "kept"]
    assert all(caption["generic"]["n_judged"] > 0 for caption in kept)
    assert any(caption["suggestions"] for caption in kept)
    [report] = curator.get(f"{project}/polysemy")
    assert [corpus["corpus"] for corpus in report["corpora"]] == ["postcards"]


def test_what_the_readers_released_is_true_of_the_drawn_world(demo: Demo) -> None:
    """A majority of readers of whom one is hasty and one turns bad: nearly every chosen caption fits its picture."""
    world = World(Path(demo.site.environment["CONNOTE_DATA_DIR"]) / "postcards", Order(12, 600, DEFAULT.seed))
    captions = released(demo, "captions.jsonl")
    scenes = {row["digest"]: world.targets[row["key"]].scene for row in released(demo, "images.jsonl")}
    right = [
        truth(world.pairs[row["source_ref"].rpartition(":")[2]].caption, scenes[row["image"]]) != "bad"
        for row in captions
    ]
    assert sum(right) / len(right) > 0.9


def test_hidden_controls_say_that_the_careful_readers_look(demo: Demo) -> None:
    curator = signed_in(demo.site, "curator", accounts(demo.second)["curator"])
    found = {row["user"]["username"]: row for row in curator.rows("/projects/postcards/annotators")}
    assert all(found[reader]["graded"] > 8 for reader in READERS)
    careful = [found[reader] for reader, profile in READERS.items() if profile == Profile.CAREFUL]
    assert all(row["failed"] <= 0.2 * row["graded"] for row in careful)


def released(demo: Demo, name: str) -> list[dict[str, Any]]:
    """The rows of one file of the demo's release."""
    curator = signed_in(demo.site, "curator", accounts(demo.second)["curator"])
    [address] = [file["url"] for file in demo.project_after_first["releases"][0]["files"] if file["name"] == name]
    return [json.loads(line) for line in curator.download(address).decode().splitlines()]


def test_a_second_demo_changes_the_password_and_nothing_else(demo: Demo) -> None:
    before, after = accounts(demo.first), accounts(demo.second)
    assert set(before) == set(after) == {"curator", "head", "annotator"}
    assert before["curator"] != after["curator"]
    assert project_as_curator(demo.site, demo.second) == demo.project_after_first
    with pytest.raises(AssertionError, match="wrong_credentials"):
        signed_in(demo.site, "curator", before["curator"])


@pytest.mark.parametrize("username", ["curator", "head", "annotator"])
def test_each_printed_account_signs_in(demo: Demo, username: str) -> None:
    person = signed_in(demo.site, username, accounts(demo.second)[username])
    assert person.account()["username"] == username


def test_the_embedded_site_is_ready_by_itself_and_serves_the_front_end(demo: Demo) -> None:
    ready = requests.get(f"{demo.site.url}/health/ready", timeout=10)
    assert ready.status_code == 200, ready.text
    assert requests.get(f"{demo.site.url}/health/live", timeout=10).status_code == 200
    page = requests.get(f"{demo.site.url}/projects/postcards/images", timeout=10)
    assert page.headers["Content-Type"].startswith("text/html")
