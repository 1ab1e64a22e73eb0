"""What every stage's task has around its work: claim, heartbeat, finish or fail."""

from __future__ import annotations

from collections.abc import Callable

import structlog
from celery import Task

from backend.common.disks import disk_error, sentence_for_run
from backend.common.errors import ConnoteError
from backend.runs import services
from backend.runs.ledger import Ledger, RunCancelled, RunLost
from backend.runs.queue import TASKS, app
from workers.engines.protocols import EngineError
from workers.tasks.heartbeat import beating

logger = structlog.get_logger(__name__)
Work = Callable[[Ledger], None]
BROKEN = (
    "The stage stopped because of an error in Connote ({kind}). The finished part stays. Retry continues from there."
)


def stage(name: str) -> Callable[[Work], Task[[str], None]]:
    """Make `work` the Celery task of the stage called `name`. It may be started again at its last step any time."""

    def register(work: Work) -> Task[[str], None]:
        @app.task(name=TASKS[name])
        def task(run_id: str) -> None:
            execute(run_id, work)

        return task

    return register


def execute(run_id: str, work: Work) -> None:
    """Run `work` for one run. A run that is over, or in another worker's hands, is left alone.

    What stops the work in words, a ConnoteError or an engine's own error, fails the run with its code and message.
    """
    run = services.claim_run(run_id=run_id)
    if run is None:
        return
    log = logger.bind(run=run_id, stage=run.stage, attempt=run.attempt)
    with beating(lambda: services.beat_run(run=run), lambda: services.stop_run(run=run), run=run_id):
        try:
            work(Ledger(run))
            services.finish_run(run=run)
        except RunLost:
            log.warning("run_lost")
        except RunCancelled:
            services.stop_run(run=run)
        except ConnoteError as error:
            services.fail_run(run=run, code=error.error_code, message=error.message, params=error.params)
        except EngineError as error:
            services.fail_run(run=run, code=error.code, message=str(error))
        except Exception as error:
            log.exception("run_broke")
            if disk := disk_error(error):
                services.fail_run(run=run, code=disk.code, message=sentence_for_run(error, disk))
            else:
                services.fail_run(run=run, code="broken", message=BROKEN.format(kind=type(error).__name__))
