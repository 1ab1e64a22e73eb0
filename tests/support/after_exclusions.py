"""What must hold of a project whose people were excluded and let back in, and whose settings and policies changed,
while they worked.

Everything of `annotation_audits.py` except the maximum, which the earlier settings allowed. The annotator states, the
pairs, the policies and the agreement tables are also computed again from the rows.
"""

from __future__ import annotations

from annotation_audits import audit
from places_left import places_left

OF_OLD_SETTINGS = "pairs judged more often than the maximum"


def faults(slug: str) -> dict[str, int]:
    """How many rows break each rule. All must be 0 once the crowd found nothing left, where the overlap is fixed."""
    found = {rule: n for rule, n in audit(slug).items() if rule != OF_OLD_SETTINGS}
    found["places left to somebody"] = places_left(slug).count()
    return found | _of_states(slug) | _of_pairs(slug) | _of_replays(slug) | _of_agreement(slug)


def _of_states(slug: str) -> dict[str, int]:
    """Counters against rows, and states against what was decided by hand."""
    from backend.annotation.models import DONE, AnnotatorState, Assignment
    from backend.controls.audit import GRADED, graded_answers
    from backend.projects.models import Project
    from backend.quality.horizon import read_decisions

    project = Project.objects.get(slug=slug)
    decided = read_decisions(project=project).by_hand
    wrong = {"counters that are not the rows": 0, "annotator states that are not what was decided": 0}
    for annotator_state in AnnotatorState.objects.filter(project=project):
        theirs = graded_answers(project=project).filter(annotator=annotator_state.user_id)
        done = Assignment.objects.filter(project=project, annotator=annotator_state.user_id, status__in=DONE).count()
        rows = (done, theirs.count(), theirs.filter(outcome=GRADED[1]).count())
        wrong["counters that are not the rows"] += rows != (
            annotator_state.n_submitted,
            annotator_state.n_graded,
            annotator_state.n_failed,
        )
        decision = decided.get(annotator_state.user_id)
        wrong["annotator states that are not what was decided"] += bool(
            decision and decision.state != annotator_state.state
        )
    return wrong


def _of_pairs(slug: str) -> dict[str, int]:
    """A pair for which fewer judgments count than the overlap has a free slot in a HIT of its root."""
    from backend.annotation.models import Slot
    from backend.annotation.selectors import counted_judgments, pairs_in_hits
    from backend.projects.models import Project

    project = Project.objects.get(slug=slug)
    counted: dict[int, int] = {}
    for candidate in counted_judgments(project=project).values_list("candidate", flat=True):
        counted[candidate] = counted.get(candidate, 0) + 1
    free = set(Slot.objects.filter(project=project, assignment=None).values_list("root", flat=True))
    pairs = pairs_in_hits(project=project).filter(is_decided=False).values_list("hit", "candidate")
    is_due = [counted.get(candidate, 0) < project.overlap and root not in free for root, candidate in pairs]
    return {"pairs that need judgments and have no free slot": sum(is_due)}


def _of_replays(slug: str) -> dict[str, int]:
    """Every application of a policy, worked out again from what it stored of its moment."""
    from backend.quality.horizon import Horizon
    from backend.quality.models import PolicyReplay
    from backend.quality.replay import evaluate

    replays = PolicyReplay.objects.filter(policy__project__slug=slug).select_related("policy__project")
    again = [evaluate(policy=each.policy, horizon=Horizon(**each.horizon)).digest for each in replays]
    pairs = zip(replays, again, strict=True)
    return {"replays that give another view": sum(each.digest != digest for each, digest in pairs)}


def _of_agreement(slug: str) -> dict[str, int]:
    """A snapshot whose mark is that of now holds what counts now."""
    from backend.agreement.models import Snapshot
    from backend.agreement.selectors import read_mark
    from backend.agreement.services import renew
    from backend.annotation.selectors import counted_judgments
    from backend.projects.models import Project

    project = Project.objects.get(slug=slug)
    snapshot = Snapshot.objects.filter(project=project).first()
    if snapshot is None or snapshot.mark != read_mark(project=project).digest:
        renew(project=project)
    kept, counted = Snapshot.objects.get(project=project).n_judgments, counted_judgments(project=project).count()
    return {"judgments by which the snapshot is wrong": abs(kept - counted)}
