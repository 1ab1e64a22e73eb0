"""Controls audit themselves: one that good annotators fail is set aside, and all scores are counted again."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from backend.annotation.locks import lock_annotator_states
from backend.annotation.models import AnnotatorState, ControlOutcome, Judgment
from backend.methods.quality.control_audit import ControlAudit
from backend.methods.quality.control_audit import audit_controls as audit_answers
from backend.people.models import RightsAction
from backend.people.records import record
from backend.projects.models import Project
from backend.qualification.models import Control, ControlNews, ControlState

GRADED = (ControlOutcome.PASSED, ControlOutcome.FAILED)


@transaction.atomic
def audit_controls(project: Project) -> list[Control]:
    """Quarantine the controls that good annotators fail, and count everybody's controls without them.

    Who is good is judged without the quarantined, so the audit is repeated until it finds no more. A control that a
    person looked at and put back stays in use. Gives what was quarantined now; nothing, and no change, when repeated.
    """
    lock_annotator_states(project)
    found = list_accused(project)
    today = timezone.now().date().isoformat()
    quarantined = list(Control.objects.select_for_update(no_key=True).filter(pk__in=found).order_by("pk"))
    for control in quarantined:
        audit = found[control.pk]
        control.state, control.state_code = ControlState.QUARANTINED, ControlNews.FAILED_BY_GOOD
        control.state_params = {
            "failed": audit.n_failed,
            "good": audit.n_good,
            "p": f"{audit.p_value:.2g}",
            "on": today,
        }
    Control.objects.bulk_update(quarantined, ["state", "state_code", "state_params"], batch_size=500)
    if quarantined:
        record(RightsAction.CONTROLS_QUARANTINED, by=None, project=project, after={"n": len(quarantined)})
        recount_controls(project)
    return quarantined


def list_accused(project: Project) -> dict[int, ControlAudit]:
    """What the audit would quarantine now, by control id. Nothing is changed."""
    found: dict[int, ControlAudit] = {}
    while True:  # as long as the audit of what is left without those accused so far accuses more
        rows = graded_answers(project=project).exclude(control__in=list(found)).order_by("pk")
        answers = rows.values_list("control", "annotator", "outcome").iterator(chunk_size=10_000)
        audits = audit_answers(
            (str(control), str(annotator), outcome == ControlOutcome.PASSED) for control, annotator, outcome in answers
        )
        accused = {int(audit.control): audit for audit in audits if audit.is_quarantined}
        in_use = Control.objects.filter(pk__in=accused, state=ControlState.ACTIVE, state_code="", state_detail="")
        suspects = in_use.values_list("pk", flat=True)
        if not suspects:
            return found
        found |= {control: accused[control] for control in suspects}


@transaction.atomic
def recount_controls(project: Project) -> int:
    """Let every AnnotatorState of the project count the controls as they are now. Returns how many changed.

    It locks all of them while it counts, so that nobody's submit falls between the counting and the writing. HITs that
    the stop rule finished by the scores of before are settled again by the next run of the stage `settle`.
    """
    annotator_states = lock_annotator_states(project)
    counts = count_controls(project=project)
    changed = []
    for annotator_state in annotator_states:
        n_graded, n_failed = counts.get(annotator_state.user_id, (0, 0))
        if (annotator_state.n_graded, annotator_state.n_failed) != (n_graded, n_failed):
            annotator_state.n_graded, annotator_state.n_failed = n_graded, n_failed
            annotator_state.n_unsettled += project.confidence is not None
            changed.append(annotator_state)
    AnnotatorState.objects.bulk_update(changed, ["n_graded", "n_failed", "n_unsettled"], batch_size=500)
    return len(changed)


def count_controls(*, project: Project, without: Collection[int] = ()) -> dict[int, tuple[int, int]]:
    """Controls graded and failed by each person who had one graded, but for those in quarantine and those `without`."""
    is_failed = Q(outcome=ControlOutcome.FAILED)
    answers = graded_answers(project=project).exclude(control__in=list(without)).order_by().values_list("annotator")
    rows = answers.annotate(n=Count("pk"), n_failed=Count("pk", filter=is_failed))
    return {user: (n_graded, n_failed) for user, n_graded, n_failed in rows}


def list_quarantined(*, project: Project) -> list[int]:
    """The controls that are out, by id."""
    out = Control.objects.filter(project=project, state=ControlState.QUARANTINED).order_by("pk")
    return list(out.values_list("pk", flat=True))


def graded_answers(*, project: Project) -> QuerySet[Judgment]:
    """The first answers to controls that passed or failed, without controls in quarantine."""
    usable = Control.objects.filter(project=project).exclude(state=ControlState.QUARANTINED)
    # Without the second condition PostgreSQL reads the index of controls through all answers that have none.
    return Judgment.objects.filter(control__in=usable, control__isnull=False, outcome__in=GRADED)
