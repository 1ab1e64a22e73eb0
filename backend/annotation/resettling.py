"""A changed overlap, confidence or most votes, or the end of hidden controls, reaches HITs that were built before.

So does a control that is put out, or back in use: the stop rule believes people by their controls, and pairs were
finished, or kept open, on the word of scores that were wrong. So does a verdict on somebody with more HITs than are
settled along with it (quality/policies.py): that what they said counts, or does not, is true from its commit on.

A chore looks for projects that ask for something else than their HITs were settled by, or asked for it meanwhile, and
goes through these, a batch in a transaction, from where it stopped: a killed worker costs one batch. A change in the
middle starts over.
"""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction
from django.db.models import Exists, OuterRef

from backend.annotation.holding import hold_project
from backend.annotation.models import Assignment, AssignmentStatus, Hit, SettledAs
from backend.annotation.settling import BATCH, settle_hits
from backend.projects.models import Project

RULES = ("overlap", "max_overlap", "confidence", "has_controls", "quota_version")
MOST_BATCHES = 60  # in one look, so that the thread that also recovers runs comes back


def settle_changed() -> int:
    """Settle what changed settings ask for. How many batches it took; at MOST_BATCHES the next look goes on."""
    n_batches = 0
    for project in Project.objects.select_related("settled_as").order_by("pk").iterator():
        while n_batches < MOST_BATCHES and _settle_some(project):
            n_batches += 1
    return n_batches


def settle_again(*, project: Project) -> None:
    """Have all HITs gone through once more, from the first, where the stop rule asks how likely people are right.

    Call it in the transaction that has just written other scores. A batch that read those of before is over by then,
    and the next one waits for these.
    """
    settled = _held(project)
    if Project.objects.filter(pk=project.pk, confidence__isnull=False).exists():
        settled.last_hit, settled.of_users = 0, None
        settled.save(update_fields=["last_hit", "of_users"])


def settle_of(*, project: Project, users: Collection[int]) -> None:
    """Have all HITs that these people submitted gone through once more, whatever the settings: other judgments count on
    them. The others are left alone: the stop rule would look at what it has finished there by today's scores.

    Call it in the transaction that changes what counts, as its last lock: batches wait for it.
    """
    settled = _held(project)
    if settled.last_hit is None:
        settled.of_users = sorted(users)
    elif settled.of_users is not None:
        settled.of_users = sorted({*settled.of_users, *users})
    settled.last_hit = 0
    settled.save(update_fields=["last_hit", "of_users"])


def _settle_some(project: Project) -> bool:
    """One batch; False where nothing is left to do."""
    if not _is_due(getattr(project, "settled_as", None), project):
        return False
    with transaction.atomic():
        settled = _begun(project)
        if settled.last_hit is None:  # another worker has come to the end since
            return False
        batch = _next_hits(settled)
        settle_hits(project=project, hits=batch)
        settled.last_hit = batch[-1] if len(batch) == BATCH else None
        settled.save()
    project.settled_as = settled
    return True


def _next_hits(settled: SettledAs) -> list[int]:
    hits = Hit.objects.filter(project=settled.project_id, pk__gt=settled.last_hit)
    if settled.of_users is not None:
        done = Assignment.objects.filter(annotator__in=settled.of_users, status=AssignmentStatus.SUBMITTED)
        hits = hits.filter(Exists(done.filter(hit=OuterRef("pk"))))
    return list(hits.order_by("pk").values_list("pk", flat=True)[:BATCH])


def _is_due(settled: SettledAs | None, project: Project) -> bool:
    return settled is None or settled.last_hit is not None or _rules(settled) != list(_wanted(project).values())


def _rules(settled: SettledAs) -> list[float | None]:
    return [getattr(settled, name) for name in RULES]


def _wanted(project: Project) -> dict[str, float | None]:
    """Its version too: in between, pages that were submitted or given back have settled their HITs by other settings
    than those that stand again."""
    return dict(zip(RULES, (*project.quota, project.quota_version), strict=True))


def _begun(project: Project) -> SettledAs:
    """The project's row, locked, told to begin with the first HIT where the settings are others than it says.

    HITs are built, and settings changed, by who holds the project: none is built by old settings once these are noted.
    """
    now = hold_project(project)
    settled, wanted = _held(now), _wanted(now)
    if _rules(settled) != list(wanted.values()):
        settled.last_hit, settled.of_users = 0, None
    for name, value in wanted.items():
        setattr(settled, name, value)
    for name in ("overlap", "max_overlap", "confidence", "control_rate", "quota_version"):
        setattr(project, name, getattr(now, name))
    return settled


def _held(project: Project) -> SettledAs:
    """The project's row, locked; a new one begins with the first HIT."""
    SettledAs.objects.get_or_create(project=project, defaults={**_wanted(project), "last_hit": 0})
    return SettledAs.objects.select_for_update(no_key=True).get(project=project)
