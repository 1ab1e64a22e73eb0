"""The record of rights: who changed rights, settings, rules, test questions or states of a project, and when."""

from __future__ import annotations

from typing import Any

from backend.people.models import RightsAction, RightsRecord, User


def record(
    action: RightsAction,
    *,
    by: User | None,
    subject: User | None = None,
    project: Any = None,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    """Add one row, in the transaction of the change itself. `project` is one of the room above, or None. `by` is None
    for a command of the server or an e-mail.

    `before` and `after` name no people: an erased account would keep its name there.
    """
    RightsRecord.objects.create(
        action=action,
        project=project,
        project_slug=project.slug if project else "",
        actor=by,
        subject=subject,
        before=before or {},
        after=after or {},
    )


def record_changes(
    action: RightsAction,
    *,
    by: User | None,
    project: Any,
    before: dict[str, Any],
    after: dict[str, Any],
    subject: User | None = None,
) -> None:
    """As `record`, with only the fields that differ; nothing where none does."""
    changed = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    if changed:
        was, now = ({name: side[name] for name in changed if name in side} for side in (before, after))
        record(action, by=by, subject=subject, project=project, before=was, after=now)
