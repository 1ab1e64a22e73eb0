"""The only file that knows task names: it sends work to the workers and asks whether they are there."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache

import structlog
from celery import Celery
from django.conf import settings
from django.core.cache import cache as shared_cache
from django.db import close_old_connections
from kombu.exceptions import OperationalError

from backend.runs.walk import get_stage

logger = structlog.get_logger(__name__)

app = Celery("connote")
app.config_from_object("django.conf:settings", namespace="CELERY")

TASKS = {
    "import_images": "catalogue.import_images",
    "sample": "catalogue.sample",
    "import_candidates": "candidates.import_candidates",
    "import_queries": "candidates.import_queries",
    "embed_corpus": "catalogue.embed_corpus",
    "retrieve": "candidates.retrieve",
    "polysemy": "catalogue.polysemy",
    "web_titles": "candidates.web_titles",
    "clean": "candidates.clean",
    "generic": "candidates.generic",
    "suggest_edits": "candidates.suggest_edits",
    "make_controls": "annotation.make_controls",
    "build_hits": "annotation.build_hits",
    "settle": "annotation.settle",
    "preview_policy": "annotation.preview_policy",
    "apply_policy": "annotation.apply_policy",
    "consensus": "curation.consensus",
    "select": "curation.select",
    "calibrate": "curation.calibrate",
    "difficulty": "curation.difficulty",
    "map_captions": "curation.map_captions",
    "diversity": "reports.diversity",
    "release": "releases.cut",
    "evaluate": "benchmarks.evaluate",
}
HELPERS = {"embed_corpus": "catalogue.embed_shards"}  # stages that several workers may do at once
LOOK_AT_UPLOAD = "catalogue.look_at_upload"
WRITE_EXPORT = "exports.write"
QUEUES = ("cpu", "gpu")
UNSERVED = "runs:unserved-queues"  # the key in the cache
ASKED_AGAIN_SECONDS = 15
NO_WORKER = "No worker answers on the {queue} queue. Start one: celery -A workers.celery worker -Q {queue}"
NO_BROKER = "The broker does not answer. Start Redis, or correct CONNOTE_REDIS_URL."


def _new_thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="embedded-worker")


# Embedded, one thread stands in for the workers, so that a long stage does not hold the request that started it.
_in_process = _new_thread()


def send_run(run_id: str, *, stage: str) -> None:
    """Hand a run to a worker of its stage's queue and return at once. Call it in `on_commit`."""
    if settings.EMBEDDED and not settings.EMBEDDED_WAITS:
        _in_process.submit(_send_from_thread, run_id, stage)
    else:
        _send(run_id, stage)


def send_look(upload_id: str) -> None:
    """Have a worker look at what somebody uploaded. Nothing depends on it. Call it in `on_commit`."""
    _hand_over(LOOK_AT_UPLOAD, upload_id)


def send_export(export_id: str) -> None:
    """Hand an export to a worker and return at once. The chore sends a lost one again. Call it in `on_commit`."""
    _hand_over(WRITE_EXPORT, export_id)


def _hand_over(task: str, key: str) -> None:
    if settings.EMBEDDED and not settings.EMBEDDED_WAITS:
        _in_process.submit(_send_key, task, key)
    else:
        _send_key(task, key)


@cache
def import_tasks() -> None:
    """Import the tasks into this process, once: Celery checks all models each time that it is asked to."""
    app.loader.import_default_modules()


def _send_key(task: str, key: str) -> None:
    try:
        if settings.EMBEDDED:
            import_tasks()
        app.signature(task, args=(key,)).apply_async(queue="cpu")
    except (OperationalError, OSError) as error:
        logger.warning("task_not_sent", task=task, key=key, error=str(error))
    finally:
        if settings.EMBEDDED and not settings.EMBEDDED_WAITS:
            close_old_connections()


def replace_thread() -> None:
    """Leave the embedded thread to a step that does not end, and do later runs in a new one.

    What waited for the old thread is sent again by recovery.
    """
    global _in_process
    stuck, _in_process = _in_process, _new_thread()
    stuck.shutdown(wait=False)


def _send_from_thread(run_id: str, stage: str) -> None:
    try:
        _send(run_id, stage)
    except Exception:  # nobody looks at what the thread's future holds; recovery sends the run again
        logger.exception("run_not_sent", run=run_id, stage=stage)
    finally:
        close_old_connections()


def _send(run_id: str, stage: str) -> None:
    if settings.EMBEDDED:
        import_tasks()
    # `signature` and not `send_task`, which ignores task_always_eager.
    app.signature(TASKS[stage], args=(run_id,)).apply_async(queue=get_stage(stage).queue)


def invite(run_id: str, *, stage: str, n: int) -> None:
    """Ask `n` more workers to lend a hand to a running run. Embedded there are none, and nobody waits for an answer."""
    if settings.EMBEDDED:
        return
    try:
        for _ in range(n):
            app.signature(HELPERS[stage], args=(run_id,)).apply_async(queue=get_stage(stage).queue)
    except (OperationalError, OSError) as error:
        logger.warning("helpers_not_invited", run=run_id, stage=stage, error=str(error))


def check() -> dict[str, str]:
    """What is missing behind the queue: `{part: sentence}`, an empty sentence where the part answers."""
    if settings.EMBEDDED:
        return {"broker": "", **{f"worker_{queue}": "" for queue in QUEUES}}
    try:
        served = _served_queues()
    except (OperationalError, OSError) as error:
        logger.warning("broker_does_not_answer", error=str(error))
        return {"broker": NO_BROKER, **{f"worker_{queue}": NO_WORKER.format(queue=queue) for queue in QUEUES}}
    missing = {queue: "" if queue in served else NO_WORKER.format(queue=queue) for queue in QUEUES}
    return {"broker": "", **{f"worker_{queue}": sentence for queue, sentence in missing.items()}}


def unserved_queues() -> frozenset[str]:
    """The queues from which no worker reads, asked at most every ASKED_AGAIN_SECONDS: each question takes seconds.

    All of them where the broker does not answer. Embedded there are none.
    """
    if settings.EMBEDDED:
        return frozenset()
    found: list[str] | None = shared_cache.get(UNSERVED)
    if found is None:
        missing = check()
        found = [queue for queue in QUEUES if missing[f"worker_{queue}"]]
        shared_cache.set(UNSERVED, found, ASKED_AGAIN_SECONDS)
    return frozenset(found)


def _served_queues() -> set[str]:
    """The queues that workers answering right now read from."""
    with app.connection_for_write() as connection:
        connection.ensure_connection(max_retries=1, timeout=settings.READY_TIMEOUT_SECONDS)
        answers = app.control.inspect(timeout=settings.READY_TIMEOUT_SECONDS, connection=connection).active_queues()
    return {queue["name"] for queues in (answers or {}).values() for queue in queues}
