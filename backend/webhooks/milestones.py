"""Tells webhooks of each tenth of the assignments that is submitted."""

from __future__ import annotations

from django.db import transaction

from backend.projects.counters import read_counters
from backend.webhooks.models import Webhook, WebhookEvent
from backend.webhooks.services import emit

EVENT = WebhookEvent.ASSIGNMENTS_MILESTONE


def tell_milestones() -> int:
    """Look at every project with a webhook that wants to hear of it. Returns how many messages were queued."""
    wanting = [hook for hook in Webhook.objects.filter(disabled_at=None).order_by("project") if EVENT in hook.events]
    projects = {hook.project_id for hook in wanting}
    counts = read_counters(sorted(projects)) if projects else {}
    return sum(_tell(project_id, counts[project_id]) for project_id in projects)


@transaction.atomic
def _tell(project_id: int, counts: dict[str, int]) -> int:
    n, n_open = counts.get("slots", 0), counts.get("slots_open", 0)
    reached = 10 * (n - n_open) // n if n else 0
    hooks = list(Webhook.objects.select_for_update(no_key=True).filter(project=project_id).select_related("project"))
    told = max((hook.milestone for hook in hooks), default=0)
    if not hooks or reached == told:
        return 0
    Webhook.objects.filter(pk__in=[hook.pk for hook in hooks]).update(milestone=reached)
    if reached < told:  # new tasks were built: the tenths come again
        return 0
    data = {"percent": 10 * reached, "submitted": n - n_open, "needed": n}
    return emit(project=hooks[0].project, event=EVENT, data=data)
