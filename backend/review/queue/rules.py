"""What comes into the review queue, and who changed it."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import transaction

from backend.methods.assignment import draw_share, order_seed
from backend.people.models import RightsAction, User
from backend.people.records import record_changes
from backend.projects.models import Project
from backend.review.models import QueueState, ReviewSettings

FIELDS = (
    "first_assignments", "sample_percent", "ties", "low_agreement", "failed_controls", "comments", "edits", "generic",
    "policy_requests", "replies", "second_look_percent",
)  # fmt: skip
ALL = (*FIELDS, "gate_after")


def get_settings(*, project: Project) -> ReviewSettings:
    """The project's settings; the defaults where nobody changed them."""
    return ReviewSettings.objects.filter(project=project).first() or ReviewSettings(project=project)


def read_settings(*, project: Project) -> dict[str, Any]:
    """All settings by their names, with the gate's number."""
    found = get_settings(project=project)
    return {name: getattr(found, name) for name in FIELDS} | {"gate_after": project.gate_after}


@transaction.atomic
def change_settings(*, project: Project, changes: dict[str, Any], by: User) -> dict[str, Any]:
    """Change some settings and write it into the project's record. The next filling looks at everything again."""
    held = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    before = read_settings(project=held)
    changed = {name: value for name, value in changes.items() if before[name] != value}
    if not changed:
        return before
    if "gate_after" in changed:
        held.gate_after = changed["gate_after"]
        held.save(update_fields=["gate_after"])
    found, _ = ReviewSettings.objects.get_or_create(project=held)
    for name in changed.keys() & set(FIELDS):
        setattr(found, name, changed[name])
    found.save()
    QueueState.objects.filter(project=held).update(submitted_at=None, assignment=None, filled_at=None)
    after = read_settings(project=held)
    record_changes(RightsAction.REVIEW_SETTINGS_CHANGED, by=by, project=held, before=before, after=after)
    return after


def is_drawn(project: Project, what: str, which: object, percent: int) -> bool:
    """Chance by the site's secret, so that the same row always has the same luck and nobody can work it out."""
    return draw_share(order_seed(settings.SECRET_KEY, project.slug, what, str(which))) < percent / 100
