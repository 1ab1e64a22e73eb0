"""`manage.py demo` twice on a fresh folder: a finished project, then only a new password."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import requests

from embedded_site import EmbeddedSite, embedded_site
from walker import Person

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
        first = site.manage("demo")
        project = project_as_curator(site, first)
        yield Demo(site, first, site.manage("demo"), project)


def test_the_demo_ends_with_a_released_project_and_hits_left_to_judge(demo: Demo) -> None:
    counts = demo.project_after_first["project"]["counts"]
    assert (counts["images"], counts["releases"]) == (16, 1)
    annotator = signed_in(demo.site, "annotator", accounts(demo.second)["annotator"])
    left = annotator.post(f"/projects/{demo.project_after_first['project']['slug']}/assignments/next")
    assert left["assignment"]["items"]


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
    assert person.get("/session")["user"]["username"] == username


@pytest.mark.stack  # it looks at the built front end, as the tests of the real stack do
def test_the_embedded_site_is_ready_by_itself_and_serves_the_front_end(demo: Demo) -> None:
    ready = requests.get(f"{demo.site.url}/health/ready", timeout=10)
    assert ready.status_code == 200, ready.text
    assert requests.get(f"{demo.site.url}/health/live", timeout=10).status_code == 200
    page = requests.get(f"{demo.site.url}/projects/photographs/images", timeout=10)
    assert page.headers["Content-Type"].startswith("text/html")
