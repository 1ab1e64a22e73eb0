"""What retrieval found, kept: an image's pool, the captions it lends, and the pictures that may be the image itself.

A run adds candidates and never takes one away: what people may have judged stays, and a run with other settings adds
to the pool. Which pictures stand behind an image now is said by the pool of the newest run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q

from backend.candidates.bulk import NewCandidate, insert_candidates
from backend.candidates.models import Neighbour, Pool, Suspect, SuspectDecision, Suspicion, candidate_key
from backend.catalogue.models import Corpus, Image
from backend.common.errors import Conflict, InvalidInput
from backend.methods.retrieval import Pool as Prefix
from backend.people.models import User
from backend.projects.models import Project
from backend.runs.ledger import Step
from backend.runs.models import Run

SOURCE = "corpus"
MOST_REF = 200
AT_ONCE = 500  # keys in one query: SQLite takes no list of many thousands
Place = tuple[int, int, str]  # a corpus' id, the shard's position, and the key of a picture in that


class Lender(NamedTuple):
    """A picture of a corpus, and where it lies."""

    corpus: Corpus
    key: str
    shard: int
    place: str
    captions: Sequence[str] = ()

    @property
    def at(self) -> Place:
        """What tells it apart: shards that number their pictures all begin at 0."""
        return self.corpus.pk, self.shard, self.key

    @property
    def ref(self) -> str:
        """What candidates call it: near:12:000000345, cut at 200 characters."""
        return f"{self.corpus.name}:{self.shard}:{self.key}"[:MOST_REF]


class Suspected(NamedTuple):
    """A picture that may be the image itself: what each rule saw, None where it saw nothing."""

    lender: Lender
    bits: int | None
    cosine: float | None


@dataclass(frozen=True)
class Retrieved:
    """What was found for one image: `lenders` are the pictures of `prefix`, `label` its cluster, None without any.

    `suspects` are the nearest; `n_not_listed` more are kept out as well.
    """

    image_id: int
    digest: str
    prefix: Prefix
    label: int | None
    radius: int
    lenders: Sequence[Lender]
    suspects: Sequence[Suspected]
    n_kept_out: int
    n_not_listed: int = 0


def list_allowed(*, project: Project) -> set[tuple[int, int, int, str]]:
    """(image id, corpus id, shard, key) of the suspects that may lend their captions, because a person said so."""
    allowed = Suspect.objects.filter(image__project=project, decision=Suspicion.ALLOWED)
    return set(allowed.values_list("image", "neighbour__corpus", "neighbour__shard", "neighbour__key"))


def keep_retrieved(*, step: Step, run: Run, found: Sequence[Retrieved]) -> None:
    """Write what was found for some images, and count it in the step. Candidates that are there already stay."""
    there = set(Image.objects.filter(pk__in=[one.image_id for one in found]).values_list("id", flat=True))
    kept = [one for one in found if one.image_id in there]  # an image may have gone since the run began
    places = _keep_neighbours(kept)
    rows = {one.image_id: list(_candidates(run, one)) for one in kept}
    n_new = insert_candidates(row for own in rows.values() for row in own)
    _keep_suspects(kept, places)
    Pool.objects.bulk_create([_pool(run, one, len(rows[one.image_id])) for one in kept], batch_size=1000)
    n_captions = sum(map(len, rows.values()))
    step.counts.update({"in": len(found), "out": n_new, "known": n_captions - n_new})
    step.counts["pictures"] += sum(len(one.lenders) for one in kept)
    step.counts["suspects"] += sum(len(one.suspects) + one.n_not_listed for one in kept)
    if n_not_listed := sum(one.n_not_listed for one in kept):
        step.counts["suspects_not_listed"] += n_not_listed
    step.counts["could_widen"] += sum(one.prefix.could_widen for one in kept)
    step.counts["noise"] += sum(one.prefix.is_noise for one in kept)
    step.counts.update(f"empty_{one.prefix.reason}" for one in kept if one.prefix.reason)


def _candidates(run: Run, one: Retrieved) -> Iterator[NewCandidate]:
    """One for each different caption, under the nearest picture that bears it; ranks are pictures', from 1."""
    seen: set[str] = set()
    near = zip(one.lenders, one.prefix.similarities, strict=True)
    for rank, (lender, similarity) in enumerate(near, start=1):
        for caption in lender.captions:
            if caption not in seen:
                seen.add(caption)
                key = candidate_key(digest=one.digest, source=SOURCE, raw_text=caption)
                at = (lender.ref, rank, similarity)
                yield NewCandidate(run.project_id, one.image_id, key, caption, SOURCE, *at)


def _keep_neighbours(found: Sequence[Retrieved]) -> dict[Place, int]:
    """A row for each picture named; ids of those that are suspects."""
    named = {lender.at: lender for one in found for lender in one.lenders}
    suspects = {seen.lender.at: seen.lender for one in found for seen in one.suspects}
    rows = [Neighbour(corpus=o.corpus, key=o.key, shard=o.shard, place=o.place) for o in (named | suspects).values()]
    Neighbour.objects.bulk_create(rows, batch_size=1000, ignore_conflicts=True)
    return {at: neighbour_id for at, neighbour_id in _ids_of(sorted(suspects)) if at in suspects}


def _ids_of(places: Sequence[Place]) -> Iterator[tuple[Place, int]]:
    """Ids of the pictures at these places, in order of place, and of some others."""
    for start in range(0, len(places), AT_ONCE):
        corpora, shards, keys = map(set, zip(*places[start : start + AT_ONCE], strict=True))
        rows = Neighbour.objects.filter(corpus__in=corpora, shard__in=shards, key__in=keys)
        for corpus, shard, key, neighbour_id in rows.values_list("corpus", "shard", "key", "id"):
            yield (corpus, shard, key), neighbour_id


def _keep_suspects(found: Sequence[Retrieved], ids: Mapping[Place, int]) -> None:
    """What a person said of one before stands; what the rules see is written anew."""
    rows = [
        Suspect(image_id=one.image_id, neighbour_id=ids[seen.lender.at], bits=seen.bits, cosine=seen.cosine)
        for one in found
        for seen in one.suspects
    ]
    Suspect.objects.bulk_create(
        rows,
        batch_size=1000,
        update_conflicts=True,
        unique_fields=["image", "neighbour"],
        update_fields=["bits", "cosine"],
    )


def _pool(run: Run, one: Retrieved, n_captions: int) -> Pool:
    return Pool(
        run=run,
        image_id=one.image_id,
        n_pictures=len(one.lenders),
        n_captions=n_captions,
        n_kept_out=one.n_kept_out,
        mean_similarity=one.prefix.mean,
        label=one.label,
        could_widen=one.prefix.could_widen,
        radius=one.radius,
        ended_by=one.prefix.ended_by,
        reason=one.prefix.reason or "",
    )


def at_least(cosine: float) -> Q:
    """Suspects that look so much alike, and those that only the hash found: these have no cosine."""
    return Q(cosine__gte=cosine) | Q(cosine=None)


@transaction.atomic
def keep_all_out(*, project: Project, min_cosine: float, expected: int, decided_by: User) -> int:
    """Keep out every open suspect that looks at least so much alike, `expected` of them. Returns how many these are.

    Raises Conflict where there are more or fewer than the person saw.
    """
    open_ = Suspect.objects.select_for_update().filter(image__project=project, decision=Suspicion.OPEN)
    found = list(open_.filter(at_least(min_cosine)).order_by("pk").values_list("pk", flat=True))
    if len(found) != expected:
        raise Conflict(
            "The list has changed: there are now {n} possible copies. Look at them, then try again.",
            code="suspects_changed",
            params={"n": len(found)},
        )
    for start in range(0, len(found), AT_ONCE):
        part = found[start : start + AT_ONCE]
        Suspect.objects.filter(pk__in=part).update(decision=Suspicion.KEPT_OUT)
        SuspectDecision.objects.bulk_create(
            SuspectDecision(suspect_id=pk, decision=Suspicion.KEPT_OUT, decided_by=decided_by) for pk in part
        )
    return len(found)


@transaction.atomic
def decide_suspect(*, suspect: Suspect, decision: str, decided_by: User) -> Suspect:
    """Keep a suspect out for good, let it lend its captions from the next run on, or take that back: open.

    What it lent before stays where it is: drop those captions by hand. Raises InvalidInput.
    """
    if decision not in Suspicion.values:
        raise InvalidInput("Choose kept_out, allowed or open.", code="suspect_decision")
    held = Suspect.objects.select_for_update().get(pk=suspect.pk)
    if held.decision != decision:
        held.decision = Suspicion(decision)
        held.save(update_fields=["decision"])
        SuspectDecision.objects.create(suspect=held, decision=decision, decided_by=decided_by)
    return held
