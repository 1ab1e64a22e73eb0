"""A run in a worker's hands: claimed once, resumed where it stopped, never written by two."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.db import OperationalError
from django.utils import timezone

from backend.common.errors import Conflict
from backend.projects.models import Project
from backend.runs import queue, services
from backend.runs.ledger import Ledger, RunCancelled, RunLost
from backend.runs.models import Refusal, Run, RunStatus
from workers.engines.protocols import ModelNotFoundError
from workers.tasks import heartbeat, stage
from workers.tasks.stage import execute

pytestmark = pytest.mark.both_engines

STALE = timedelta(seconds=settings.RUN_STALE_SECONDS)


@pytest.fixture
def run(project: Project) -> Run:
    return Run.objects.create(project=project, stage="clean", seed=7)


def claim(run: Run) -> Ledger:
    claimed = services.claim_run(run_id=str(run.pk))
    assert claimed is not None
    return Ledger(claimed)


def count_to(limit: int, *, break_at: int | None = None) -> Any:
    """Work in steps of one that remembers how far it is, and can break on the way."""

    def work(ledger: Ledger) -> None:
        for n in range(ledger.cursor.get("next", 0), limit):
            with ledger.step() as step:
                step.cursor["next"], step.done = n + 1, 1
                step.counts["in"] += 1
                step.dropped["odd"] += n % 2
                if n == break_at:
                    raise RuntimeError("pulled the plug")

    return work


def test_work_that_ends_leaves_a_succeeded_run_with_its_counts(run: Run) -> None:
    execute(str(run.pk), count_to(5))
    run.refresh_from_db()
    assert (run.status, run.done, run.attempt) == (RunStatus.SUCCEEDED, 5, 1)
    assert run.counts == {"in": 5, "dropped": {"odd": 2}}
    assert run.started_at <= run.finished_at


def test_a_broken_step_is_rolled_back_whole_and_the_run_says_so(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    execute(str(run.pk), count_to(5, break_at=3))
    run.refresh_from_db()
    assert (run.status, run.done, run.cursor) == (RunStatus.FAILED, 3, {"next": 3})
    assert run.error["code"] == "broken"
    assert "RuntimeError" in run.error["message"]
    assert "pulled the plug" not in run.error["message"]


def test_what_an_engine_cannot_do_fails_the_run_in_its_own_words(run: Run) -> None:
    def work(ledger: Ledger) -> None:
        raise ModelNotFoundError("There is no such model here.")

    execute(str(run.pk), work)
    run.refresh_from_db()
    assert run.status == RunStatus.FAILED
    assert run.error == {"code": "model_not_found", "message": "There is no such model here."}


def test_a_retry_goes_on_where_the_run_broke_and_does_nothing_twice(
    run: Run, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    execute(str(run.pk), count_to(5, break_at=3))
    run.refresh_from_db()
    again = services.retry_run(run=run, started_by=None)
    execute(str(again.pk), count_to(5))
    again.refresh_from_db()
    assert (again.status, again.done, again.counts["in"]) == (RunStatus.SUCCEEDED, 5, 5)
    assert again.retry_of_id == run.pk
    assert again.seed == run.seed


def test_a_succeeded_run_cannot_be_retried(run: Run) -> None:
    execute(str(run.pk), count_to(1))
    run.refresh_from_db()
    with pytest.raises(Conflict, match="only a failed or cancelled run"):
        services.retry_run(run=run, started_by=None)


def test_the_older_of_two_failed_runs_cannot_be_retried_and_names_the_newest(run: Run) -> None:
    runs = [run]
    for break_at in (2, 3):
        execute(str(runs[-1].pk), count_to(5, break_at=break_at))
        runs[-1].refresh_from_db()
        runs.append(services.retry_run(run=runs[-1], started_by=None))
    for older in runs[:2]:
        with pytest.raises(Conflict, match=f"Run {runs[2].pk} already retries this run and is queued") as refused:
            services.retry_run(run=older, started_by=None)
        assert refused.value.error_code == "already_retried"
    execute(str(runs[2].pk), count_to(5, break_at=4))
    with pytest.raises(Conflict, match=f"Run {runs[2].pk} already retries this run and is failed"):
        services.retry_run(run=run, started_by=None)
    runs[2].refresh_from_db()
    assert services.retry_run(run=runs[2], started_by=None).cursor == {"next": 4}


def test_only_one_of_two_claimants_wins(run: Run) -> None:
    assert services.claim_run(run_id=str(run.pk)) is not None
    assert services.claim_run(run_id=str(run.pk)) is None


def test_a_run_that_was_sent_twice_is_done_once(run: Run) -> None:
    execute(str(run.pk), count_to(3))
    execute(str(run.pk), count_to(3))
    run.refresh_from_db()
    assert (run.done, run.attempt) == (3, 1)


@pytest.mark.parametrize(
    ("silence", "is_taken"), [(STALE - timedelta(seconds=1), False), (STALE + timedelta(seconds=1), True)]
)
def test_a_silent_worker_loses_its_run_after_the_stale_time_and_not_before(
    run: Run, silence: timedelta, is_taken: bool
) -> None:
    claim(run)
    with time_machine.travel(timezone.now() + silence, tick=False):
        assert (services.claim_run(run_id=str(run.pk)) is not None) == is_taken


def test_a_worker_that_lost_its_run_cannot_write_any_more(run: Run) -> None:
    slow = claim(run)
    with time_machine.travel(timezone.now() + STALE * 2, tick=False):
        quick = claim(run)
    with quick.step() as step:
        step.cursor["next"] = 1
    with pytest.raises(RunLost), slow.step() as step:
        step.cursor["next"] = 99
    assert not services.finish_run(run=slow.run)
    run.refresh_from_db()
    assert (run.cursor, run.status) == ({"next": 1}, RunStatus.RUNNING)


def test_a_heartbeat_keeps_the_run(run: Run) -> None:
    ledger = claim(run)
    with time_machine.travel(timezone.now() + STALE * 2, tick=False):
        assert services.beat_run(run=ledger.run)
        assert services.claim_run(run_id=str(run.pk)) is None


def test_cancelling_a_queued_run_ends_it_at_once(run: Run) -> None:
    assert services.cancel_run(run=run).status == RunStatus.CANCELLED
    execute(str(run.pk), count_to(3))
    run.refresh_from_db()
    assert run.done == 0


def test_cancelling_a_running_run_stops_it_between_two_steps(run: Run) -> None:
    def work(ledger: Ledger) -> None:
        count_to(2)(ledger)
        services.cancel_run(run=ledger.run)
        count_to(9)(ledger)

    execute(str(run.pk), work)
    run.refresh_from_db()
    assert (run.status, run.done) == (RunStatus.CANCELLED, 2)


def test_a_cancelled_ledger_refuses_the_next_step(run: Run) -> None:
    ledger = claim(run)
    services.cancel_run(run=ledger.run)
    with pytest.raises(RunCancelled), ledger.step():
        pass


def test_a_run_that_is_over_cannot_be_cancelled(run: Run) -> None:
    execute(str(run.pk), count_to(1))
    with pytest.raises(Conflict, match="already over"):
        services.cancel_run(run=run)


def test_recovery_sends_only_runs_that_nobody_touched(
    run: Run, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    monkeypatch.setattr(services.queue, "send_run", lambda run_id, *, stage: sent.append(stage))
    Run.objects.create(project=project, stage="select", status=RunStatus.SUCCEEDED)
    assert services.recover_runs() == 0
    with time_machine.travel(timezone.now() + STALE * 2, tick=False):
        Run.objects.create(project=project, stage="release", status=RunStatus.RUNNING, heartbeat_at=timezone.now())
        assert services.recover_runs() == 1
    assert sent == ["clean"]


def test_a_run_that_killed_worker_after_worker_is_failed_and_can_be_retried(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services.queue, "send_run", lambda run_id, *, stage: None)
    for killed in range(1, services.MAX_ATTEMPTS + 1):
        with time_machine.travel(timezone.now() + STALE * 2 * killed, tick=False):
            assert services.recover_runs() == 1
            claim(run)
    with time_machine.travel(timezone.now() + STALE * 20, tick=False):
        assert services.recover_runs() == 0
    run.refresh_from_db()
    assert (run.status, run.error["code"]) == (RunStatus.FAILED, "worker_died")
    assert services.retry_run(run=run, started_by=None).attempt == 0


def test_a_retry_lists_the_rows_refused_before_it(run: Run) -> None:
    ledger = claim(run)
    with ledger.step() as step:
        step.refuse(run, [Refusal(line=4, name="a.jpg", code="truncated", message="The file ends too early.")])
    services.fail_run(run=ledger.run, code="broken", message="Broken.")
    run.refresh_from_db()
    again = services.retry_run(run=run, started_by=None)
    assert again.counts["dropped"] == {"truncated": 1}
    assert [(refusal.line, refusal.code) for refusal in again.refusals.all()] == [(4, "truncated")]
    assert run.refusals.count() == 1


def test_cancelling_a_run_whose_worker_died_ends_it_at_once(run: Run) -> None:
    dead = claim(run)
    with time_machine.travel(timezone.now() + STALE * 2, tick=False):
        assert services.cancel_run(run=run).status == RunStatus.CANCELLED
    with pytest.raises(RunLost), dead.step():
        pass


def test_a_cancelled_run_whose_worker_died_is_not_taken_up_again(run: Run) -> None:
    dead = claim(run)
    services.cancel_run(run=dead.run)
    with time_machine.travel(timezone.now() + STALE * 2, tick=False):
        assert services.claim_run(run_id=str(run.pk)) is None
    run.refresh_from_db()
    assert (run.status, run.attempt) == (RunStatus.CANCELLED, 1)
    assert run.finished_at


def test_recovery_ends_a_cancelled_run_whose_worker_died(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services.queue, "send_run", lambda run_id, *, stage: pytest.fail("sent again"))
    services.cancel_run(run=claim(run).run)
    with time_machine.travel(timezone.now() + STALE * 2, tick=False):
        assert services.recover_runs() == 0
    run.refresh_from_db()
    assert run.status == RunStatus.CANCELLED


@pytest.mark.parametrize("ahead", [timedelta(0), STALE / 2])
def test_a_heartbeat_a_little_ahead_of_the_clock_keeps_the_run(run: Run, ahead: timedelta) -> None:
    claim(run)
    Run.objects.update(heartbeat_at=timezone.now() + ahead)
    assert services.claim_run(run_id=str(run.pk)) is None


def test_a_heartbeat_far_ahead_of_a_clock_that_was_set_back_is_stale(
    run: Run, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    monkeypatch.setattr(services.queue, "send_run", lambda run_id, *, stage: sent.append(run_id))
    claim(run)
    other = Run.objects.create(project=project, stage="select", status=RunStatus.RUNNING)
    Run.objects.update(heartbeat_at=timezone.now() + timedelta(hours=1))
    assert services.recover_runs() == 2
    assert services.claim_run(run_id=str(run.pk)) is not None
    assert services.cancel_run(run=other).status == RunStatus.CANCELLED


def test_a_step_that_does_not_end_after_a_cancel_is_given_up(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ended = threading.Event()
    stopped: list[Run] = []
    monkeypatch.setattr(stage.services, "beat_run", lambda *, run: False)
    monkeypatch.setattr(stage.services, "stop_run", lambda *, run: stopped.append(run))
    monkeypatch.setattr(heartbeat, "end_stuck_step", ended.set)
    monkeypatch.setattr(heartbeat.settings, "RUN_STALE_SECONDS", 0.04)
    monkeypatch.setattr(heartbeat.settings, "RUN_CANCEL_SECONDS", 0.1)
    waited: list[bool] = []
    stage.execute(str(run.pk), lambda ledger: waited.append(ended.wait(5)))
    assert (waited, stopped) == ([True], [run])


def test_a_worker_process_whose_step_does_not_end_is_killed() -> None:
    script = (
        "import time, workers.celery; from django.conf import settings; from workers.tasks.heartbeat import beating\n"
        "settings.EMBEDDED, settings.RUN_STALE_SECONDS, settings.RUN_CANCEL_SECONDS = False, 0.04, 0.1\n"
        "with beating(lambda: False): time.sleep(60)"
    )
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "backend.config.settings"}
    ended = subprocess.run([sys.executable, "-c", script], env=environment, timeout=50, check=False)
    assert ended.returncode == -signal.SIGKILL


@pytest.mark.nightly
def test_an_import_that_takes_too_much_memory_ends_itself_alone() -> None:
    script = (
        "import workers.celery, resource; from django.conf import settings\n"
        "from workers.tasks.memory_limit import TooMuchMemory, bounded_memory\n"
        "settings.EMBEDDED, settings.IMPORT_MEMORY_MB, before = False, 300, resource.getrlimit(resource.RLIMIT_DATA)\n"
        "try:\n"
        "    with bounded_memory():\n"
        "        bytearray(100 * 2**20); print('enough')\n"
        "        bytearray(600 * 2**20); print('too much')\n"
        "except TooMuchMemory as error: print(error.error_code)\n"
        "print(len(bytearray(600 * 2**20)), resource.getrlimit(resource.RLIMIT_DATA) == before)"
    )
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "backend.config.settings"}
    ended = subprocess.run(
        [sys.executable, "-c", script], env=environment, timeout=50, check=True, capture_output=True, text=True
    )
    assert ended.stdout.splitlines() == ["enough", "import_memory", "629145600 True"]


def test_an_embedded_thread_that_is_stuck_holds_up_no_other_run(monkeypatch: pytest.MonkeyPatch) -> None:
    stuck = threading.Event()
    queue._in_process.submit(stuck.wait, 20)
    queue.replace_thread()
    assert queue._in_process.submit(lambda: "done").result(timeout=5) == "done"
    stuck.set()


def test_a_beat_says_whether_the_run_is_still_wanted(run: Run) -> None:
    ledger = claim(run)
    assert services.beat_run(run=ledger.run)
    services.cancel_run(run=ledger.run)
    assert not services.beat_run(run=ledger.run)


def test_a_heartbeat_that_the_database_missed_is_not_the_last(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    beats: list[int] = []
    enough = threading.Event()

    def beat(*, run: Run) -> bool:
        beats.append(len(beats))
        if len(beats) == 1:
            raise OperationalError("database is locked")
        enough.set()
        return True

    monkeypatch.setattr(stage.services, "beat_run", beat)
    monkeypatch.setattr(heartbeat.settings, "RUN_STALE_SECONDS", 0.04)
    waited: list[bool] = []
    stage.execute(str(run.pk), lambda ledger: waited.append(enough.wait(5)))
    assert waited == [True]


def test_a_broker_that_is_down_loses_no_run_and_is_logged(
    project: Project,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    django_capture_on_commit_callbacks: Any,
) -> None:
    def send(run_id: str, *, stage: str) -> None:
        raise queue.OperationalError("no route to the broker")

    monkeypatch.setattr(services.queue, "send_run", send)
    with django_capture_on_commit_callbacks(execute=True):
        started = services.start_run(project=project, stage="import_images")
    assert started.status == RunStatus.QUEUED
    assert "no route to the broker" in caplog.text


def test_what_breaks_before_a_stage_begins_is_logged_by_the_embedded_thread(
    run: Run, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(run_id: str, stage: str) -> None:
        raise ImportError("no module named torch")

    monkeypatch.setattr(queue, "_send", broken)
    queue._send_from_thread(str(run.pk), "clean")
    assert "no module named torch" in caplog.text
