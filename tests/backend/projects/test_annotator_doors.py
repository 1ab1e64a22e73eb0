"""What an annotator may read of a project, all of it: nothing that tells pictures apart by their ids or times, which
would tell hidden controls."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from rest_framework.test import APIClient

from backend.config import urls
from backend.people.models import User
from backend.projects.models import Project

RELEASE = "projects/skies/releases/11111111-1111-4111-8111-111111111111"
# 404 is for who may ask, of what is not there. Before another address stands here, look at what it says of a picture.
OPEN = {
    "projects/skies": 200,
    "projects/skies/guidelines/examples": 200,  # of the few that a curator chose to show
    "projects/skies/inbox": 200,
    "projects/skies/inbox/unread": 200,
    "projects/skies/past-work": 200,
    "projects/skies/past-work/days": 200,  # counts of own answers, with those to controls
    "projects/skies/progress": 200,
    "projects/skies/qualification/mine": 200,
    "projects/skies/qualification/quiz/1": 404,
    "projects/skies/releases": 200,  # their images only once nothing is left to judge
    "projects/skies/annotator-state": 200,
    # As the release itself: only once nothing is left to judge.
    f"{RELEASE}/benchmarks": 404,
    f"{RELEASE}/benchmarks/export": 404,
    f"{RELEASE}/benchmarks/published": 404,
}
PLACES = {"slug:slug": "skies", "slug": "duplicate", "uuid": "11111111-1111-4111-8111-111111111111", "int": "1"}
SHUT = {403, 405}


def test_an_annotator_reads_of_a_project_what_is_listed_here(
    client_of: Callable[..., APIClient], project: Project, bob: User
) -> None:
    client = client_of(bob)
    answers = {address: client.get(f"/api/v1/{address}").status_code for address in _addresses_of_a_project()}
    assert len(answers) > 50
    assert {address: status for address, status in answers.items() if status not in SHUT} == OPEN


def _addresses_of_a_project() -> Iterator[str]:
    """Every address under a project, with something plausible in each of its places."""
    for included in urls.urlpatterns:
        for pattern in included.url_patterns if str(included.pattern) == "api/v1/" else ():
            route = str(pattern.pattern)
            if route.startswith("projects/<"):
                yield re.sub(r"<((\w+):\w+)>", lambda place: PLACES.get(place[1]) or PLACES[place[2]], route)
