"""The demo's readers know how many answers they gave, also where a killed demo goes on."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.test import Client

from backend.annotation.models import AnnotatorState
from backend.people.models import User
from backend.people.services import create_token
from backend.projects.models import Project
from workers.demo import readers
from workers.demo.readers import Reader
from workers.demo.world import World
from workers.training.postcards.annotators import Judged, Profile
from workers.training.postcards.kinds import Caption, Kind
from workers.training.postcards.world import scene_of


class Noting:
    """Says good to everything, and notes how many answers it is told that it gave before."""

    def __init__(self) -> None:
        self.told: list[int] = []

    def judge(self, caption: object, scene: object, done: int = 0) -> Judged:
        self.told.append(done)
        return Judged("good", 1.0)


def test_an_answer_is_given_knowing_how_many_came_before_it() -> None:
    annotator = Noting()
    known = {("pier", "A pier."): (Caption("A pier.", Kind.FIGURATIVE), scene_of(1))}
    reader = Reader(annotator, known)  # type: ignore[arg-type]
    assert reader("pier", "A pier.") == {"label": "good", "ms": 1000, "lens": "figurative"}
    assert reader("pier", "Somebody else's.")["label"] == "unsure"
    reader("pier", "A pier.")
    assert annotator.told == [0, 2]


def answer_here(request: httpx.Request) -> httpx.Response:
    """The site's own answer, given in this process and its transaction."""
    token = {"authorization": request.headers["authorization"]}
    answer = Client().generic(request.method, request.url.path, request.content, headers=token)
    return httpx.Response(answer.status_code, content=answer.content)


def token_of(name: str) -> str:
    """As the demo gives them, for the cast of the tests: alice is the curator."""
    user = User.objects.get(username={"curator": "alice"}.get(name, name))
    return create_token(user=user, name="demo")[1]


def test_a_reader_of_a_demo_that_was_killed_goes_on_counting(
    project: Project, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    AnnotatorState.objects.create(project=project, user=bob, n_judgments=6)
    begun: list[int] = []

    def note(client: object, *, project: str, opinion: Reader) -> Iterator[int]:
        begun.append(opinion.done)
        yield 0

    here: Any = partial(httpx.Client, transport=httpx.MockTransport(answer_here))
    monkeypatch.setattr(httpx, "Client", here)
    monkeypatch.setattr(readers, "READERS", {"bob": Profile.TURNS_BAD, "alice": Profile.CAREFUL})
    monkeypatch.setattr(readers, "token_of", token_of)
    monkeypatch.setattr(readers, "_known", lambda *_: iter(()))
    monkeypatch.setattr(readers, "read_project", note)
    list(readers.read_everything(site="http://testserver", project=project.slug, world=World(Path("nowhere")), seed=0))
    assert begun == [6, 0]
