"""Making the files of exports."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import structlog

from backend.common.disks import disk_error
from backend.common.errors import ConnoteError
from backend.exports import services
from backend.runs.queue import WRITE_EXPORT, app
from workers.tasks.heartbeat import beating

logger = structlog.get_logger(__name__)
BROKEN = "The export stopped because of an error in Connote ({kind}). Try again, or ask an administrator."


@app.task(name=WRITE_EXPORT)
def write(export_id: str) -> None:
    """Write the file of one export from the start. One that is over, or in another worker's hands, is left alone."""
    export = services.claim_export(export_id=export_id)
    if export is None:
        return
    log = logger.bind(export=export_id, attempt=export.attempt)
    with (
        beating(
            lambda: services.beat_export(export=export), lambda: services.stop_export(export=export), export=export_id
        ),
        TemporaryDirectory(prefix="connote-export-") as folder,
    ):
        try:
            services.make_file(export=export, folder=Path(folder))
        except services.ExportLost:
            log.warning("export_lost")
        except services.ExportCancelled:
            services.stop_export(export=export)
        except ConnoteError as error:
            services.fail_export(export=export, error=error.said)
        except Exception as error:
            log.exception("export_broke")
            kind = type(error).__name__
            broken = {"code": "export_broken", "message": BROKEN.format(kind=kind), "params": {"kind": kind}}
            disk = disk_error(error)
            services.fail_export(export=export, error=disk.said if disk else broken)
