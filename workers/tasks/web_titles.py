"""Web titles: each picture's pages looked up, 16 pictures at a time, and their titles made candidates.

Google is sent the large thumbnail and not the original: it is upright, at most 1,280 pixels wide, so that 16 fit into
a request, and carries nothing of the file's metadata, where a camera writes places and names.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from django.conf import settings

from backend.candidates import web_titles as service
from backend.candidates.web_titles import Answered
from backend.catalogue.models import Image
from backend.catalogue.selectors import target_images
from backend.catalogue.sources.names import printable
from backend.projects.models import Project
from backend.runs.ledger import Ledger
from backend.runs.models import Refusal
from workers.engines.protocols import EngineError
from workers.engines.web_answers import Found, NotTaken
from workers.engines.web_entities import MOST_PICTURES, NOT_SENT, WebEntities
from workers.tasks.stage import stage
from workers.tasks.stored_pictures import stored_pictures

NO_KEY = (
    "{n:,} images were not looked up, because CONNOTE_GOOGLE_VISION_KEY is not set. The pipeline "
    "continues without their web titles."
)
NOTHING = "All images were looked up before. Nothing is sent, and nothing is paid."
PLAN = "{n_to_ask:,} of {n_images:,} images are looked up: {n_to_ask:,} units, at most {cost} {currency}."
GONE = NotTaken("unreadable", "Its large thumbnail is missing from the storage. Import the image again.")


@dataclass
class Asked:
    """The results of some images, by digest; `error` says why some of them are in neither.

    `answers` are kept, and refusals that asking again would not change are among them; `refused` are asked about again.
    """

    answers: dict[str, Answered] = field(default_factory=dict)
    refused: dict[str, NotTaken] = field(default_factory=dict)
    n_sent: int = 0
    error: EngineError | None = None


@stage("web_titles")
def web_titles(ledger: Ledger) -> None:
    """The cursor holds the last image that is done with. Answers are kept as they come, beside the cursor."""
    project = ledger.run.project
    digests = list(target_images(project=project).values_list("digest", flat=True))
    ledger.set_total(len(digests))
    after = ledger.cursor.get("after", "")
    n_to_ask = service.list_unasked(project=project).filter(digest__gt=after).count()
    with open_client(n_to_ask) as client:
        _say_what_it_takes(ledger, n_to_ask, len(digests), can_ask=client is not None)
        for start in range(bisect_right(digests, after), len(digests), MOST_PICTURES):
            _look_up(ledger, client, digests[start : start + MOST_PICTURES])


@contextmanager
def open_client(n_to_ask: int) -> Iterator[WebEntities | None]:
    """Who is asked; None where nothing is, or there is no key. Raises EngineError on an unfit key or endpoint."""
    if not n_to_ask or not settings.GOOGLE_VISION_KEY:
        yield None
        return
    with WebEntities(
        key=settings.GOOGLE_VISION_KEY,
        endpoint=settings.GOOGLE_VISION_ENDPOINT,
        per_minute=settings.GOOGLE_VISION_PER_MINUTE,
    ) as client:
        yield client


def _say_what_it_takes(ledger: Ledger, n_to_ask: int, n_images: int, *, can_ask: bool) -> None:
    """One line in the run's log before anything is sent. Raises TooManyUnits where the run may not pay for it."""
    if not n_to_ask:
        line = NOTHING
    elif not can_ask:
        line = NO_KEY.format(n=n_to_ask)
    else:
        most, n_asked = ledger.parameters["most_units"], ledger.run.counts.get("units", 0)
        service.check_units(n_to_ask=n_to_ask, n_asked=n_asked, most=most)
        cost = service.price_of(n_to_ask)
        line = PLAN.format(n_to_ask=n_to_ask, n_images=n_images, cost=cost, currency=service.CURRENCY)
    with ledger.step() as step:
        step.log.append(line)


def _look_up(ledger: Ledger, client: WebEntities | None, shard: list[str]) -> None:
    """One step over a slice of the images. What an error stops is asked by the retry; what was answered is not."""
    project = ledger.run.project
    unasked = list(service.list_unasked(project=project).filter(digest__in=shard))
    asked = ask_about(client, unasked) if client else Asked()
    service.keep_answers(project=project, answers=asked.answers)
    with ledger.step() as step:
        step.counts["units"] += asked.n_sent
        if asked.error is None:
            service.add_titles(step=step, project=project, digests=shard)
            step.refuse(ledger.run, _refusals(project, shard, asked.refused))
            step.counts.update({"in": len(shard), "cached": len(shard) - len(unasked)})
            step.counts["skipped"] += 0 if client else len(unasked)
            step.cursor["after"], step.done = shard[-1], len(shard)
    if asked.error is not None:
        raise asked.error


def ask_about(client: WebEntities, images: Sequence[Image]) -> Asked:
    """Send the images' large thumbnails; one that is gone from the storage is refused."""
    pictures, asked = dict(stored_pictures((image.digest, image.large) for image in images)), Asked()
    asked.refused = {image.digest: GONE for image in images if image.digest not in pictures}
    told = client.ask(list(pictures.values()))
    asked.error = told.error
    for digest, outcome in zip(pictures, told.outcomes, strict=True):
        if outcome is not None:
            _take(asked, digest, outcome)
    return asked


def _take(asked: Asked, digest: str, outcome: Found | NotTaken) -> None:
    """What Google found or will refuse another time too is kept, what it did not answer is not."""
    if isinstance(outcome, Found):
        asked.answers[digest] = Answered(outcome.titles, outcome.left_out)
    elif outcome.is_final:
        asked.answers[digest] = Answered(refused=outcome.code, message=printable(outcome.message, 500))
    else:
        asked.refused[digest] = outcome
    asked.n_sent += not (isinstance(outcome, NotTaken) and outcome.code == NOT_SENT)


def _refusals(project: Project, shard: list[str], passing: dict[str, NotTaken]) -> list[Refusal]:
    """The refused images of a slice by digest, now and before."""
    known = service.list_refused(project=project, digests=shard)
    refused = known | {digest: (one.code, printable(one.message, 500)) for digest, one in passing.items()}
    images = Image.objects.filter(project=project, digest__in=refused).order_by("digest")
    told = ((image, *refused[image.digest]) for image in images)
    return [Refusal(name=printable(image.key), code=code, message=message) for image, code, message in told]
