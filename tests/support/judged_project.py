"""A project that people have judged, made in the database at once, and its stages run in this process."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone

from backend.annotation.models import Assignment, AssignmentStatus, Hit, HitItem, Judgment, Slot
from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.people.models import User
from backend.projects.models import Project
from backend.runs import services
from backend.runs.models import Run
from backend.runs.queue import TASKS, app
from word_sentences import WordSentences
from workers.engines.registry import use_sentence_encoder

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
Opinion = Callable[[int, int, int], str | None]


def text_of(image: int, caption: int) -> str:
    """A caption unlike its neighbours; every fourth begins as a spreadsheet formula does."""
    who, where = NOUNS[(image + 5 * caption) % 12], NOUNS[(image * 7 + caption) % 12]
    words = f"the {who} {VERBS[(image * 3 + caption) % 7]} by the {where}"
    return f"{'=+-@'[caption % 4]}{words}" if caption % 4 == 3 else words.capitalize()


def all_good(image: int, caption: int, person: int) -> str | None:
    return "good"


def make_images(project: Project, n: int) -> list[Image]:
    """n images whose digests are in no order."""
    return Image.objects.bulk_create(
        Image(
            project=project, key=f"photo-{at}.jpg", digest=hashlib.sha256(f"{project.slug} {at}".encode()).hexdigest(),
            perceptual_hash="0" * 16, width=640, height=480, format="JPEG", n_bytes=1000 + at, original=f"o/{at}",
            small=f"s/{at}", large=f"l/{at}", licence="CC-BY-2.0", author="Ümit", title="-1 degrees",
            source_url=f"https://example.org/{at}", attribution=f"Photo {at} by Ümit, CC BY 2.0",
        )
        for at in range(n)
    )  # fmt: skip


def make_captions(project: Project, image: Image, at: int, n: int) -> list[Candidate]:
    """n kept captions of one image, in one HIT."""
    texts = [text_of(at, caption) for caption in range(n)]
    keys = [
        hashlib.sha256(f"{image.digest} {text} {caption}".encode()).hexdigest()[:32]
        for caption, text in enumerate(texts)
    ]
    made = Candidate.objects.bulk_create(
        Candidate(
            project=project, image=image, key=key, raw_text=f" {text}", text=text, source="human", status="kept"
        )
        for key, text in zip(keys, texts, strict=True)
    )  # fmt: skip
    hit = Hit.objects.create(project=project, image=image)
    HitItem.objects.bulk_create(HitItem(hit=hit, candidate=one, position=n) for n, one in enumerate(made, start=1))
    Slot.objects.bulk_create(Slot(project=project, hit=hit, number=n) for n in range(1, project.overlap + 1))
    return made


def judge(image: Image, captions: Sequence[Candidate], at: int, people: Sequence[User], opinion: Opinion) -> None:
    """Everybody says what `opinion(image, caption, person)` says; None is no judgment."""
    for number, person in enumerate(people):
        assignment = Assignment.objects.create(
            project=image.project, hit=image.hits.get(), annotator=person, status=AssignmentStatus.SUBMITTED, seed=0,
            shown=[], leased_at=timezone.now(), expires_at=timezone.now() + timedelta(hours=1),
            submitted_at=timezone.now(),
        )  # fmt: skip
        labels = [opinion(at, caption, number) for caption in range(len(captions))]
        Judgment.objects.bulk_create(
            Judgment(assignment=assignment, candidate=caption, annotator=person, label=label, position=position)
            for position, (caption, label) in enumerate(zip(captions, labels, strict=True), start=1)
            if label
        )


@pytest.fixture
def make_judged(bob: User, dora: User) -> Callable[..., Project]:
    """`make_judged(project, images=3, captions=6, opinion=...)`: bob and dora have judged it all."""

    def make(
        project: Project,
        *,
        images: int = 3,
        captions: int = 6,
        opinion: Opinion = all_good,
        people: Sequence[User] = (),
    ) -> Project:
        for at, image in enumerate(make_images(project, images)):
            judge(image, make_captions(project, image, at, captions), at, people or (bob, dora), opinion)
        return project

    return make


@pytest.fixture
def run_stage() -> Callable[..., Run]:
    """Run one stage to its end in this thread: `run_stage(project, "select", k=3)`; `select` knows words alone."""
    use_sentence_encoder("words", WordSentences())

    def run(project: Project, stage: str, *, started_by: User | None = None, **parameters: Any) -> Run:
        if stage == "select":
            parameters = {"model": "words"} | parameters
        started = services.start_run(project=project, stage=stage, parameters=parameters, seed=7, started_by=started_by)
        return work_on(started)

    return run


def work_on(run: Run) -> Run:
    """Let this thread be the worker that takes the run up."""
    app.loader.import_default_modules()
    app.tasks[TASKS[run.stage]](str(run.pk))
    run.refresh_from_db()
    return run


class PulledPlug(BaseException):
    """Ends a stage as kill -9 does: nothing catches it, and the run still says that it is running."""


def fall_silent(run: Run) -> None:
    """The run's worker was last heard of so long ago that another may take the run up."""
    long_ago = timezone.now() - timedelta(seconds=2 * settings.RUN_STALE_SECONDS)
    Run.objects.filter(pk=run.pk).update(heartbeat_at=long_ago)
