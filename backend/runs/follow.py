"""Watching a run from a terminal: a progress bar, Ctrl-C to cancel, and the report at the end."""

from __future__ import annotations

import time
from typing import Any, TextIO

from django.conf import settings
from django.core.management.base import OutputWrapper
from tqdm import tqdm

from backend.common.bars import command_bar
from backend.common.errors import Conflict
from backend.runs import services
from backend.runs.ledger import PARTS
from backend.runs.models import Run, RunStatus
from backend.runs.walk import get_stage

POLL_SECONDS = 0.2
REFUSALS_SHOWN = 50


def follow_run(*, run: Run, out: OutputWrapper) -> Run:
    """Show `run` until it is over, wherever it is worked on, and return it fresh. Ctrl-C asks it to stop."""
    with command_bar(out, what=get_stage(run.stage).label, unit="", mininterval=0.2) as bar:
        while True:
            try:
                return _watch(run, bar)
            except KeyboardInterrupt:
                _cancel(run, out)


def _watch(run: Run, bar: tqdm[Any]) -> Run:
    looked = time.monotonic()
    while True:
        run.refresh_from_db()
        bar.total = run.total
        bar.set_postfix_str("" if run.attempt else "no worker has taken it yet", refresh=False)
        bar.update(run.done - bar.n)
        if run.is_over:
            return run
        time.sleep(POLL_SECONDS)
        if settings.EMBEDDED and time.monotonic() - looked > settings.RUN_STALE_SECONDS / 2:
            # There may be no beat and no site beside this command, and nobody else would send a silent run again.
            services.recover_runs()
            looked = time.monotonic()


def _cancel(run: Run, out: OutputWrapper) -> None:
    out.write("\nStopping after the current step; what is done stays done.\n")
    try:
        services.cancel_run(run=run)
    except Conflict:
        return  # it ended in the meantime, and the next look says so


def write_report(*, run: Run, out: TextIO) -> None:
    """What went in and out, what was dropped by reason, what the stage says, and the first refused rows."""
    dropped = run.counts.get("dropped", {})
    ignored = run.counts.get("ignored", {})
    flat = ", ".join(f"{name} {n:,}" for name, n in sorted(run.counts.items()) if name not in PARTS)
    out.write(f"{get_stage(run.stage).label}: {_status(run)}. {flat or 'Nothing to do'}.\n")
    for reason, n in sorted(dropped.items()):
        out.write(f"  {n:>9,}  {reason}\n")
    for reason, n in sorted(ignored.items()):
        out.write(f"  {n:>9,}  {reason} (ignored)\n")
    for line in run.log_tail:
        out.write(f"  {line}\n")
    _write_refusals(run, out)
    if run.error:
        out.write(f"  {run.error['message']}\n")


def _status(run: Run) -> str:
    """The status in words; an import that took only a part of its rows says so."""
    status = str(RunStatus(run.status).label)
    n = run.refusals.filter(is_ignored=False).count()
    if n == 0 or run.status != RunStatus.SUCCEEDED:
        return status
    return f"{status}, but {n:,} {'row was' if n == 1 else 'rows were'} rejected"


def _write_refusals(run: Run, out: TextIO) -> None:
    refusals = run.refusals.order_by("is_ignored", "id")
    for refusal in refusals[:REFUSALS_SHOWN]:
        where = f"line {refusal.line}" if refusal.line is not None else "-"
        did = "ignored" if refusal.is_ignored else "refused"
        out.write(f"  {did} {where}, {refusal.name or 'no name'}: {refusal.message}\n")
    if (more := refusals.count() - REFUSALS_SHOWN) > 0:
        out.write(f"  ... and {more:,} more: GET /api/v1/runs/{run.pk}/refusals\n")
