"""How much waits in the review queue."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.db.models import Count

from backend.feedback.models import Remark
from backend.people.models import User
from backend.projects.models import Project
from backend.review.models import ReviewReason
from backend.review.queue import cases, gate
from backend.review.queue.disputes import count_disputes
from backend.review.queue.leases import n_held

MOST_COUNTED = 10_000


def read_counts(*, project: Project, reader: User) -> dict[str, Any]:
    """The numbers of ReviewCountsOut. Second looks at the reader's own decisions are left out."""
    open_cases = cases.visible_cases(project=project, reader=reader).filter(closed_at=None).order_by()
    return {
        "open": open_cases.values("pk")[:MOST_COUNTED].count(),
        "mine": n_held(project=project, reader=reader),
        "by_reason": _count_reasons(project, reader),
        "disputes": count_disputes(project=project),
        "replies": Remark.objects.filter(project=project, awaits_reply=True).count(),
        "waiting_at_gate": gate.at_gate(project=project).count(),
    }


def _count_reasons(project: Project, reader: User) -> Counter[str]:
    """Cases by reason. Those withheld from the reader are subtracted: to exclude the few, every case would be read."""
    reasons = ReviewReason.objects.filter(project=project, closed_at=None).order_by()
    withheld = reasons.filter(case__is_second_look=True, case__withheld_from=reader)
    counted, hidden = (
        Counter(dict(rows.values_list("code").annotate(n=Count("case", distinct=True)))) for rows in (reasons, withheld)
    )
    return counted - hidden
