"""All work that the clock starts. Beat, the thread of the embedded site and the Celery tasks (workers/tasks/chores.py)
are made from this table."""

from __future__ import annotations


def chores(run_stale_seconds: int) -> dict[str, tuple[str, int]]:
    """By task name: the function, and seconds between two calls."""
    return {
        "runs.recover": ("backend.runs.services.recover_runs", max(1, run_stale_seconds // 2)),
        "annotation.settle_changed": ("backend.annotation.settle_stage.settle_changed", 30),
        "annotation.act_on_controls": ("backend.quality.chores.act_on_controls", 30),
        "annotation.reapply_policies": ("backend.quality.chores.reapply_policies", 600),
        "review.fill": ("backend.review.queue.filling.fill_projects", 30),
        "agreement.keep_up": ("backend.agreement.services.keep_up", 30),
        "forecast.keep_up": ("backend.forecast.services.keep_up", 60),
        "webhooks.deliver": ("workers.tasks.webhook_delivery.deliver", 5),
        "webhooks.milestones": ("backend.webhooks.milestones.tell_milestones", 300),
        "webhooks.clean_up": ("backend.webhooks.services.clean_up", 6 * 3600),
        "exports.tend": ("backend.exports.services.tend_exports", max(1, run_stale_seconds // 2)),
        "erasure.delete_projects": ("backend.erasure.deleting.delete_projects", 60),
        "erasure.clean_up": ("backend.erasure.retention.clean_up", 6 * 3600),
    }
