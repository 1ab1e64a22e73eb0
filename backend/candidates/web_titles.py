"""Titles of web pages that show a picture: what asking would cost, what was answered, and the candidates they make.

IMP, appendix C.2, source (2). The answers are kept by the image's digest, so that a second run asks and costs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from types import MappingProxyType
from typing import NamedTuple

from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet

from backend.candidates.bulk import NewCandidate, insert_candidates
from backend.candidates.models import WebTitles, candidate_key
from backend.catalogue.models import Image
from backend.catalogue.selectors import target_images
from backend.common.errors import Conflict
from backend.projects.models import Project
from backend.runs.ledger import Step

PROVIDER = "google_vision"
SOURCE = "web"
CURRENCY = "USD"
MOST_REF = 200
CENT = Decimal("0.01")


class TooManyUnits(Conflict):
    """{n_to_ask} images need a lookup, and this run allows {most}. Set most_units to {n_to_ask} (at most {cost}
    {currency}), or remove images."""

    code = "too_many_units"


@dataclass(frozen=True)
class Estimate:
    """What looking a project's images up would take. `cost` and `least_cost` in `currency`, rounded up to the cent.

    One image is one unit. The account's free units of the month may be used up already, by other projects or outside
    of Connote: `cost` is the price if they are all gone, `least_cost` if none is.
    """

    n_images: int
    n_cached: int
    n_to_ask: int
    units: int
    least_cost: Decimal
    cost: Decimal
    currency: str
    has_key: bool


class Answered(NamedTuple):
    """What the web knows of one picture: (title, domain) of each page, and how many titles were left out and why.

    `refused` is the code of a refusal that asking again would not change, `message` says it in words.
    """

    titles: Sequence[tuple[str, str]] = ()
    left_out: Mapping[str, int] = MappingProxyType({})
    refused: str = ""
    message: str = ""


def estimate_web_titles(*, project: Project) -> Estimate:
    """How many of the project's images would be looked up now, and what that costs at most; two queries."""
    n_images = target_images(project=project).count()
    n_to_ask = list_unasked(project=project).count()
    least = price_of(max(0, n_to_ask - settings.GOOGLE_VISION_FREE_UNITS))
    has_key = bool(settings.GOOGLE_VISION_KEY)
    return Estimate(n_images, n_images - n_to_ask, n_to_ask, n_to_ask, least, price_of(n_to_ask), CURRENCY, has_key)


def price_of(units: int) -> Decimal:
    """What so many units cost beyond the free ones, rounded up to the cent."""
    cents = Decimal(units) * settings.GOOGLE_VISION_CENTS / 1000
    return (cents / 100).quantize(CENT, rounding=ROUND_CEILING)


def list_unasked(*, project: Project) -> QuerySet[Image]:
    """The images that later stages work on and nobody was asked about yet, by digest."""
    asked = WebTitles.objects.filter(project=project, provider=PROVIDER, digest=OuterRef("digest"))
    return target_images(project=project).filter(~Exists(asked))


def check_units(*, n_to_ask: int, n_asked: int, most: int) -> None:
    """Raises TooManyUnits where the run, having asked about `n_asked`, would come to more than `most`."""
    total = n_to_ask + n_asked
    if total > most:
        raise TooManyUnits(params={"n_to_ask": total, "most": most, "cost": str(price_of(total)), "currency": CURRENCY})


def keep_answers(*, project: Project, answers: Mapping[str, Answered]) -> None:
    """Remember what was answered, by digest, at once: it is paid for, whatever becomes of the run."""
    WebTitles.objects.bulk_create(
        [
            WebTitles(
                project=project,
                digest=digest,
                provider=PROVIDER,
                titles=[{"title": title, "domain": domain} for title, domain in answered.titles],
                left_out=dict(answered.left_out),
                refused=answered.refused,
                message=answered.message,
            )
            for digest, answered in answers.items()
        ],
        ignore_conflicts=True,
    )


def list_refused(*, project: Project, digests: Sequence[str]) -> dict[str, tuple[str, str]]:
    """{digest: (code, message)} of those pictures that nobody asks about again, because they were refused."""
    known = WebTitles.objects.filter(project=project, provider=PROVIDER, digest__in=digests).exclude(refused="")
    return {digest: (code, message) for digest, code, message in known.values_list("digest", "refused", "message")}


def add_titles(*, step: Step, project: Project, digests: Sequence[str]) -> None:
    """Make candidates of what is known about these images, and count it in the step. Twice does what once does."""
    # An image may have gone since the run began; its answer stays, and waits for it.
    images = dict(Image.objects.filter(project=project, digest__in=digests).values_list("digest", "id"))
    known = WebTitles.objects.filter(project=project, provider=PROVIDER, digest__in=images, refused="")
    rows: list[NewCandidate] = []
    for answer in known.order_by("digest"):
        rows += _candidates(answer, project.pk, images[answer.digest])
        step.dropped.update(answer.left_out)
        step.counts["without_titles"] += not answer.titles
    n_new = insert_candidates(rows)
    step.counts.update({"out": n_new, "known": len(rows) - n_new})


def _candidates(answer: WebTitles, project_id: int, image_id: int) -> list[NewCandidate]:
    """One for each different title; its rank is the place, from 1, of the first page that bears it."""
    firsts: dict[str, tuple[int, str]] = {}
    for rank, page in enumerate(answer.titles, start=1):
        firsts.setdefault(page["title"], (rank, page["domain"][:MOST_REF]))
    return [
        NewCandidate(
            project_id,
            image_id,
            candidate_key(digest=answer.digest, source=SOURCE, raw_text=title),
            title,
            SOURCE,
            domain,
            rank,
        )
        for title, (rank, domain) in firsts.items()
    ]
