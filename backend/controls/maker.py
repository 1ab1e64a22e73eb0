"""Controls whose answer is bad: words of an unlike image, or an unlike image for a query (ConQA's irrelevant ones).

Nothing here judges by meaning: the caption of an unlike picture can still fit. The audit then quarantines the control.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import isnan

from django.db.models import Count, QuerySet

from backend.annotation.hits import images_to_judge, queries_to_judge
from backend.candidates.models import OTHER_IMAGE, Candidate, CandidateStatus, candidate_key
from backend.candidates.queries import pair_of
from backend.candidates.selectors import KEPT, ORDINARY
from backend.catalogue.models import Image, Query
from backend.common.labels import Label
from backend.controls.pool import MADE, ControlWords
from backend.controls.services import write_controls
from backend.methods.borrowing import draw_places
from backend.methods.cleaning import comparison_form
from backend.methods.unlike import DRAWN, SHARE, farthest
from backend.people.models import RightsAction
from backend.people.records import record
from backend.projects.models import Project
from backend.projects.services import lock_project
from backend.qualification.models import Control, ControlOrigin, GuidelineExample
from backend.qualification.selectors import shown_pairs
from backend.runs.ledger import Ledger, Step

AT_ONCE = 100
TOO_FEW = "{n:,} controls could not be made: too few images are unlike, or all of their captions are controls already."
# How alike an image, by its digest, is to each of some others; NaN where nobody can tell.
Likeness = Callable[[str, Sequence[str]], Sequence[float]]


@dataclass
class Maker:
    """Makes up to `k` controls for each image or query of a run's project, fewer where some were made before."""

    ledger: Ledger
    k: int
    likeness: Likeness
    digests: list[str]  # of the images that lend, sorted
    words: ControlWords  # of all controls: the same words are said once in the project
    lent: Counter[str] = field(default_factory=Counter)  # how often an image is a query's control already

    @property
    def project(self) -> Project:
        return self.ledger.run.project

    def drawn(self, name: str) -> list[str]:
        """Digests drawn for an image or query, by the run's seed and its name."""
        places = draw_places(len(self.digests), DRAWN, seed=self.ledger.seed, digest=f"controls:{name}")
        return [self.digests[place] for place in places]

    def unlike(self, digests: Sequence[str], drawn: Sequence[str]) -> list[str]:
        """Those drawn that are least alike to the one of `digests` that they are most alike to."""
        rows = [self.likeness(digest, drawn) for digest in digests]
        nearest = [sum(values) if isnan(sum(values)) else max(values) for values in zip(*rows, strict=True)]
        return [drawn[place] for place in farthest(nearest, at_least=self.k)]


def make_controls_of_images(*, ledger: Ledger, k: int, likeness: Likeness) -> None:
    """Give each image to judge `k` captions of unlike images as controls. Repeated, it makes what is missing.

    `ledger.run.total` is what the caller has counted so far.
    """
    images = images_to_judge(project=ledger.run.project)
    judged = set(images.values_list("digest", flat=True))
    lending = _lending(ledger.run.project).order_by().values_list("image__digest", flat=True).distinct()
    lenders = apart(sorted(lending), judged, k * len(judged))
    maker = Maker(ledger, k, likeness, lenders, ControlWords(ledger.run.project))
    ledger.set_total((ledger.run.total or 0) + len(judged))
    while batch := list(images.filter(digest__gt=ledger.cursor.get("digest", ""))[:AT_ONCE]):
        with ledger.step() as step:
            lock_project(maker.project)
            maker.words.read()
            _give_captions(maker, batch, step)
            step.cursor["digest"], step.done = batch[-1].digest, len(batch)


def make_controls_of_queries(*, ledger: Ledger, k: int, likeness: Likeness) -> None:
    """Give each query `k` images that are unlike all of its own as controls. Repeated, it makes what is missing."""
    queries = queries_to_judge(project=ledger.run.project)
    digests = sorted(Image.objects.filter(project=ledger.run.project_id).values_list("digest", flat=True))
    asked = Candidate.objects.filter(query__in=queries, control=None).values_list("image__digest", flat=True)
    lenders = apart(digests, set(asked.iterator()), k * queries.count())
    maker = Maker(ledger, k, likeness, lenders, ControlWords(ledger.run.project))
    made = Control.objects.filter(project=maker.project, origin=ControlOrigin.OTHER_IMAGE)
    maker.lent = Counter(made.values_list("candidate__image__digest", flat=True).iterator())
    ledger.set_total((ledger.run.total or 0) + queries.count())
    while batch := list(queries.filter(pk__gt=ledger.cursor.get("query", 0))[:AT_ONCE]):
        with ledger.step() as step:
            lock_project(maker.project)
            _give_images(maker, batch, step)
            step.cursor["query"], step.done = batch[-1].pk, len(batch)


def record_made(ledger: Ledger) -> None:
    """Tell the history of the project how many controls the run made, once, also where the run is retried."""
    with ledger.step() as step:
        n_made = ledger.run.counts.get("out", 0)
        if n_made and not step.cursor.get("is_recorded"):
            run = ledger.run
            record(RightsAction.CONTROLS_MADE, by=run.started_by, project=run.project, after={"n": n_made})
            step.cursor["is_recorded"] = True


def _lending(project: Project) -> QuerySet[Candidate]:
    """The captions that people or pages gave to their own images."""
    return Candidate.objects.filter(KEPT & ORDINARY, project=project, query=None).exclude(source=OTHER_IMAGE)


def apart(digests: list[str], met: set[str], n_wanted: int) -> list[str]:
    """The images that annotators meet nowhere else, if there are enough; else all. So a control is not recognised."""
    found = [digest for digest in digests if digest not in met]
    return found if len(found) >= max(DRAWN, n_wanted / SHARE) else digests


def _give_captions(maker: Maker, images: Sequence[Image], step: Step) -> None:
    missing = _missing(maker, "image", [image.pk for image in images])
    chosen = {
        image: maker.unlike([image.digest], [each for each in maker.drawn(image.digest) if each != image.digest])
        for image in images
        if missing[image.pk]
    }
    lent = _captions_of(maker.project, {digest for digests in chosen.values() for digest in digests})
    own = _own_of([image.pk for image in images])
    made = list[Candidate]()
    for image, lenders in chosen.items():
        borrowed = (_borrow(maker, image, lent.get(lender, ()), own) for lender in lenders)
        made += islice((pair for pair in borrowed if pair), missing[image.pk])
    _write(maker, made, step, wanted=sum(missing.values()))


def _borrow(
    maker: Maker, image: Image, captions: Sequence[tuple[str, str]], own: set[tuple[int, str]]
) -> Candidate | None:
    """The first caption of another image that nobody has said of this one, and that is no control already."""
    for text, lender_key in captions:
        form = comparison_form(text)
        if not maker.words.has(form) and (image.pk, form) not in own:
            pair = Candidate(
                project_id=image.project_id, image=image, raw_text=text, text=text, source=OTHER_IMAGE,
                key=candidate_key(digest=image.digest, source=OTHER_IMAGE, raw_text=text),
                source_ref=lender_key[:200], status=CandidateStatus.KEPT,
            )  # fmt: skip
            maker.words.add(pair, is_quiz=False)
            return pair
    return None


def _captions_of(project: Project, digests: set[str]) -> dict[str, list[tuple[str, str]]]:
    """(text, key of its image) of what these images lend, in the order of the captions' keys; by digest.

    What fits many images is not lent.
    """
    rows = _lending(project).filter(image__digest__in=digests).exclude(generic__reason__gt="").order_by()
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for digest, _, *caption in sorted(rows.values_list("image__digest", "key", "text", "image__key")):
        found[digest].append((caption[0], caption[1]))
    return found


def _own_of(image_ids: Sequence[int]) -> set[tuple[int, str]]:
    """What has been said of these images already, kept or not, or told by the guidelines; folded."""
    rows = Candidate.objects.filter(image__in=image_ids).values_list("image", "text", "raw_text")
    return shown_pairs(image_ids) | {(image_id, comparison_form(text or raw)) for image_id, text, raw in rows}


def _give_images(maker: Maker, queries: Sequence[Query], step: Step) -> None:
    missing = _missing(maker, "query", [query.pk for query in queries])
    own: dict[int, list[str]] = {query.pk: [] for query in queries}
    rows = Candidate.objects.filter(query__in=queries).order_by("image__digest")
    for query_id, digest in rows.values_list("query", "image__digest"):
        own[query_id].append(digest)
    told = defaultdict[str, set[str]](set)  # by the words of a query: images whose answer the guidelines show
    for text, digest in GuidelineExample.objects.filter(project=maker.project).values_list("text", "image__digest"):
        told[comparison_form(text)].add(digest)
    chosen = {
        query.pk: _least_lent(maker, query, own[query.pk], told[comparison_form(query.text)], missing[query.pk])
        for query in queries
    }
    wanted = {digest for digests in chosen.values() for digest in digests}
    images = {image.digest: image for image in Image.objects.filter(project=maker.project, digest__in=wanted)}
    made = [pair_of(query, images[digest], source_ref=MADE) for query in queries for digest in chosen[query.pk]]
    _write(maker, made, step, wanted=sum(missing.values()))


def _least_lent(maker: Maker, query: Query, own: Sequence[str], told: set[str], n: int) -> list[str]:
    """Unlike images for a query, those first that are the fewest queries' controls: what comes again can be told.

    None that the guidelines have told the answer of.
    """
    drawn = [digest for digest in maker.drawn(query.text) if digest not in told.union(own)]
    found = maker.unlike(own, drawn) if own and n else []
    taken = sorted(found, key=lambda digest: maker.lent[digest])[:n]
    maker.lent.update(taken)
    return taken


def _missing(maker: Maker, side: str, ids: Sequence[int]) -> dict[int, int]:
    """How many controls each of these images or queries still wants of this kind; what the quiz asks is hidden in no
    page."""
    made = Control.objects.filter(project=maker.project, origin=ControlOrigin.OTHER_IMAGE, is_quiz=False).order_by()
    made = made.filter(**{f"candidate__{side}__in": ids})
    there: dict[int, int] = dict(made.values_list(f"candidate__{side}").annotate(n=Count("pk")))
    return {each: max(0, maker.k - there.get(each, 0)) for each in ids}


def _write(maker: Maker, made: Sequence[Candidate], step: Step, *, wanted: int) -> None:
    write_controls(
        [
            Control(project=maker.project, candidate=pair, accepted=[Label.BAD], origin=ControlOrigin.OTHER_IMAGE)
            for pair in made
        ]
    )
    step.counts.update({"in": wanted, "out": len(made), "missing": wanted - len(made)})
    if wanted > len(made):
        step.log.append(TOO_FEW.format(n=wanted - len(made)))
