"""A worker's pen in a Run: work and the note of how far it got are written in one transaction.

That is what makes a stage survive `kill -9`: what is in the database is exactly what the cursor says, and a worker that
lost its run to another cannot write any more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import Manager
from django.utils import timezone

from backend.common.errors import ConnoteError
from backend.runs.models import Refusal, Run, RunStatus

LOG_LINES = 200
IGNORED_SHOWN = 100  # ignored files of a run that are listed for each reason; the others are only counted
PARTS = ("dropped", "ignored")  # of the counts: {reason: n}


class RunLost(ConnoteError):
    """Another worker continues this run. This worker stops and writes nothing."""

    code = "run_lost"


class RunCancelled(ConnoteError):
    """The run was cancelled."""

    code = "run_cancelled"


@dataclass
class Step:
    """One committed piece of a stage: fill it in while the work is written."""

    cursor: dict[str, Any]
    done: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    ignored: Counter[str] = field(default_factory=Counter)
    log: list[str] = field(default_factory=list)

    def start_over(self, run: Run) -> None:
        """Forget how far `run`, as its ledger holds it, has got, with what it counted and refused on the way."""
        counted = {name: n for name, n in run.counts.items() if name not in PARTS}
        self.cursor, self.done = {}, -run.done
        self.counts.subtract(counted)
        self.dropped.subtract(run.counts.get("dropped", {}))
        self.ignored.subtract(run.counts.get("ignored", {}))
        Refusal.objects.filter(run=run).delete()

    def refuse(self, run: Run, refusals: list[Refusal]) -> None:
        """Keep refused rows, and count them by reason. Of ignored ones, the first of each reason are kept."""
        before = Counter(run.counts.get("ignored", {}))
        kept = []
        for refusal in refusals:
            refusal.run = run
            (self.ignored if refusal.is_ignored else self.dropped)[refusal.code] += 1
            n_of_reason = before[refusal.code] + self.ignored[refusal.code]
            if not refusal.is_ignored or n_of_reason <= IGNORED_SHOWN:
                kept.append(refusal)
        Refusal.objects.bulk_create(kept, batch_size=1000)


class Ledger:
    """What a stage's work gets: the run, its parameters and cursor, and `step()` to write with."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.parameters: dict[str, Any] = run.parameters
        self.seed: int = run.seed

    @property
    def cursor(self) -> dict[str, Any]:
        """Where the last committed step ended; empty at the very start."""
        return dict(self.run.cursor)

    @contextmanager
    def step(self) -> Iterator[Step]:
        """One transaction: the caller's writes and the run's progress, or neither.

        Raises RunLost when another worker holds the run, RunCancelled when somebody asked to cancel it.
        """
        with transaction.atomic():
            held = self._hold()
            step = Step(cursor=dict(held.cursor))
            yield step
            self._write(held, step)
        self.run = held

    def set_total(self, total: int | None, *, models_used: dict[str, str] | None = None) -> None:
        """Say how much there is to do and which models do it."""
        with transaction.atomic():
            held = self._hold()
            held.total = total
            held.models_used = held.models_used | (models_used or {})
            held.save(update_fields=["total", "models_used"])
        self.run = held

    def take_over(self, rows: Manager[Any]) -> None:
        """A retry goes on behind what the run before it wrote: those rows are its own from now on."""
        if self.run.retry_of_id:
            rows.filter(run=self.run.retry_of_id).update(run=self.run)

    def _hold(self) -> Run:
        held = Run.objects.select_for_update().filter(pk=self.run.pk).first()
        if held is None or held.holder != self.run.holder or held.status != RunStatus.RUNNING:
            raise RunLost()
        if held.cancel_requested_at:
            raise RunCancelled()
        return held

    def _write(self, held: Run, step: Step) -> None:
        held.cursor = step.cursor
        held.done += step.done
        held.counts = add_counts(held.counts, step)
        held.log_tail = [*held.log_tail, *step.log][-LOG_LINES:]
        held.heartbeat_at = timezone.now()
        held.save(update_fields=["cursor", "done", "counts", "log_tail", "heartbeat_at"])


def add_counts(counts: dict[str, Any], step: Step) -> dict[str, Any]:
    """`counts` with what one step counted added to it, keys in order so that equal runs store equal JSON."""
    dropped = Counter(counts.get("dropped", {})) + step.dropped
    ignored = Counter(counts.get("ignored", {})) + step.ignored
    flat = Counter({name: n for name, n in counts.items() if name not in PARTS})
    flat.update(step.counts)
    more = {"ignored": dict(sorted(ignored.items()))} if ignored else {}
    return {**dict(sorted(flat.items())), "dropped": dict(sorted(dropped.items())), **more}
