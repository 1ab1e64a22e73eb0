"""The stage `settle`: changed settings and changed judgments reach HITs that were built before.

A chore starts it. It goes through the HITs in batches and continues where it stopped.
"""

from __future__ import annotations

from contextlib import suppress

from django.db.models import Exists, OuterRef

from backend.annotation.allocation import settle
from backend.annotation.models import AnnotatorState, Assignment, AssignmentStatus, Hit
from backend.projects.models import Project
from backend.runs.ledger import Ledger
from backend.runs.models import Run, RunStatus
from backend.runs.services import NotStartable, StageRunning, start_run

STAGE = "settle"
BATCH = 200


def settle_changed() -> int:
    """Start a run of the stage for each project that needs one. How many."""
    n_started = 0
    for project in Project.objects.filter(hits__isnull=False).distinct():
        is_unsettled = AnnotatorState.objects.filter(project=project, n_unsettled__gt=0)
        if project.quota_version != _settled_version(project) or is_unsettled.exists():
            with suppress(NotStartable, StageRunning):
                start_run(project=project, stage=STAGE)
                n_started += 1
    return n_started


def settle_project(*, ledger: Ledger) -> None:
    """Settle the project's HITs: all where its settings changed, else those of annotators who are unsettled."""
    project = ledger.run.project
    if "quota" not in ledger.cursor:
        with ledger.step() as step:
            project.refresh_from_db()
            unsettled = AnnotatorState.objects.filter(project=project, n_unsettled__gt=0).order_by("user")
            users = [list(each) for each in unsettled.values_list("user", "n_unsettled")]
            is_whole = project.quota_version != _settled_version(project)
            step.cursor = {"quota": project.quota_version, "users": users, "is_whole": is_whole, "last": 0}
    users = ledger.cursor["users"]
    roots = Hit.objects.filter(project=project, root=None).order_by("pk")
    if not ledger.cursor["is_whole"]:
        theirs = Assignment.objects.filter(annotator__in=[user for user, _ in users], root=OuterRef("pk"))
        roots = roots.filter(Exists(theirs.filter(status=AssignmentStatus.SUBMITTED)))
    while batch := list(roots.filter(pk__gt=ledger.cursor["last"]).values_list("pk", flat=True)[:BATCH]):
        with ledger.step() as step:
            settle(project=project, roots=batch, anew=True)
            step.cursor["last"], step.done = batch[-1], len(batch)
            step.counts.update({"in": len(batch), "out": len(batch)})
    with ledger.step():
        for user, n in users:  # what changed again since is settled by the next run
            AnnotatorState.objects.filter(project=project, user=user, n_unsettled=n).update(n_unsettled=0)


def _settled_version(project: Project) -> int:
    """The version of the settings that all HITs were last settled by; HITs are built by the newest."""
    done = Run.objects.filter(project=project, stage=STAGE, status=RunStatus.SUCCEEDED).order_by("-created_at")
    last = done.first()
    return int(last.cursor["quota"]) if last else 1
