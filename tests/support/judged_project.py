"""A project that people have judged, made in the database at once, and its stages run in this process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone

from backend.people.models import User
from backend.projects.models import Project
from backend.runs import services
from backend.runs.models import Run
from backend.runs.queue import TASKS, app, import_tasks
from word_sentences import WordSentences
from workers.engines.registry import use_sentence_encoder
from world import World

NOUNS = (
    "dog",
    "harbour",
    "bicycle",
    "kitchen",
    "storm",
    "wedding",
    "tram",
    "orchard",
    "violin",
    "market",
    "river",
    "attic",
)
VERBS = ("waits", "sings", "falls", "glows", "turns", "rests", "burns")
CREDITS = {"licence": "CC-BY-2.0", "author": "Ümit", "title": "-1 degrees", "attribution": "Photo by Ümit, CC BY 2.0"}
Opinion = Callable[[int, int, int], str | None]


def text_of(image: int, caption: int) -> str:
    """A caption unlike its neighbours; every fourth begins as a spreadsheet formula does."""
    who, where = NOUNS[(image + 5 * caption) % 12], NOUNS[(image * 7 + caption) % 12]
    words = f"the {who} {VERBS[(image * 3 + caption) % 7]} by the {where}"
    return f"{'=+-@'[caption % 4]}{words}" if caption % 4 == 3 else words.capitalize()


def all_good(image: int, caption: int, person: int) -> str | None:
    return "good"


def judge_all(
    project: Project,
    *,
    people: Sequence[User],
    images: int = 3,
    captions: int = 6,
    opinion: Opinion = all_good,
) -> Project:
    """Images with captions, and these people have judged it all."""
    world, places = World(project), range(captions)
    for at, image in enumerate(world.photos(images, **CREDITS)):
        hit = world.hit(image, world.captions(image, *(text_of(at, place) for place in places)))
        for number, person in enumerate(people):
            world.count(world.judge(person, hit, [opinion(at, place, number) for place in places]))
    return project


@pytest.fixture
def make_judged(bob: User, dora: User) -> Callable[..., Project]:
    """`make_judged(project, images=3, captions=6, opinion=...)`: bob and dora have judged it all."""

    def make(project: Project, *, people: Sequence[User] = (), **more: Any) -> Project:
        return judge_all(project, people=people or (bob, dora), **more)

    return make


def finish_stage(project: Project, stage: str, *, started_by: User | None = None, **parameters: Any) -> Run:
    """Run one stage to its end in this thread.

    `select` knows words alone, and measures the stability with two seeds: ten take half of the time of a release."""
    use_sentence_encoder("words", WordSentences())
    if stage == "select":
        parameters = {"model": "words", "stability_seeds": 2} | parameters
    return work_on(
        services.start_run(project=project, stage=stage, parameters=parameters, seed=7, started_by=started_by)
    )


@pytest.fixture
def run_stage() -> Callable[..., Run]:
    """`run_stage(project, "select", k=3)`: `finish_stage`, with the encoder of `select` known from here on."""
    use_sentence_encoder("words", WordSentences())
    return finish_stage


def work_on(run: Run) -> Run:
    """Let this thread be the worker that takes the run up."""
    import_tasks()
    app.tasks[TASKS[run.stage]](str(run.pk))
    run.refresh_from_db()
    return run


class PulledPlug(BaseException):
    """Ends a stage as kill -9 does: nothing catches it, and the run still says that it is running."""


def fall_silent(run: Run) -> None:
    """The run's worker was last heard of so long ago that another may take the run up."""
    long_ago = timezone.now() - timedelta(seconds=2 * settings.RUN_STALE_SECONDS)
    Run.objects.filter(pk=run.pk).update(heartbeat_at=long_ago)
