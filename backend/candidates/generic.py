"""Generic captions: the score of every kept caption, kept beside it. A flag for people, never a drop.

The newest run's scores stand. A score belongs to a text, so one whose text changed since then is not shown, and comes
back with its text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from backend.candidates.models import Candidate, GenericScore, text_digest
from backend.candidates.selectors import KEPT, kept_captions
from backend.methods.generic import Generic
from backend.projects.models import Project
from backend.runs.ledger import Step
from backend.runs.models import Run

AT_ONCE = 10_000
FIELDS = ("run", "text_digest", "score", "n_matched", "n_judged", "n_undecided", "hubness", "reason")


class Scored(NamedTuple):
    """What the panel made of one caption: `digest` is that of the text that it read."""

    candidate_id: int
    digest: str
    found: Generic


def read_captions(*, project: Project) -> Iterator[tuple[int, int, str]]:
    """(candidate id, image id, cleaned text) of what is scored, by id, a row at a time: a pool has millions."""
    return (
        kept_captions(project=project).order_by("id").values_list("id", "image_id", "text").iterator(chunk_size=AT_ONCE)
    )


def forget_part(*, step: Step, run: Run) -> None:
    """Take back what the run wrote, listed and counted so far: it was about other captions or images."""
    GenericScore.objects.filter(run=run).delete()
    step.start_over(run)


def keep_scores(*, step: Step, run: Run, scored: Sequence[Scored]) -> None:
    """Write some captions' scores over those they have, and count them. Whose text has changed meanwhile gets none."""
    texts = Candidate.objects.filter(KEPT, pk__in=[one.candidate_id for one in scored]).values_list("id", "text")
    digests = {candidate_id: text_digest(text) for candidate_id, text in texts}
    standing = [one for one in scored if digests.get(one.candidate_id) == one.digest]
    GenericScore.objects.bulk_create(
        [_as_row(run, one) for one in standing],
        batch_size=1000,
        update_conflicts=True,
        unique_fields=["candidate"],
        update_fields=FIELDS,
    )
    n_scored = sum(one.found.score is not None for one in standing)
    step.counts.update({"in": len(scored), "out": n_scored, "no_decided_pair": len(standing) - n_scored})
    step.counts.update(f"flagged_{one.found.reason}" for one in standing if one.found.reason)
    if n_changed := len(scored) - len(standing):
        step.counts["changed_meanwhile"] += n_changed


def _as_row(run: Run, one: Scored) -> GenericScore:
    found = one.found
    return GenericScore(
        candidate_id=one.candidate_id,
        run=run,
        text_digest=one.digest,
        score=found.score,
        n_matched=found.n_matched,
        n_judged=found.n_judged,
        n_undecided=found.n_undecided,
        hubness=found.hubness or 0,
        reason=found.reason or "",
    )


def forget_older_scores(*, run: Run) -> None:
    """Take away what runs before this one left on captions that it did not score: their pictures were others."""
    GenericScore.objects.filter(candidate__project=run.project_id).exclude(run=run).delete()
