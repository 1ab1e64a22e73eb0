"""A limit on the memory that an import may take: a hostile file ends its own run and not the machine."""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from backend.common.errors import ConnoteError
from backend.runs.ledger import Ledger

MB = 1024 * 1024
STATUS = Path("/proc/self/status")
NEEDS_MORE = "The import needs more than {n:,} MB of memory. Split the source, or raise CONNOTE_IMPORT_MEMORY_MB."


class TooMuchMemory(ConnoteError):
    """The import needs more memory than the server gives it. Split the source."""

    code = "import_memory"


@contextmanager
def bounded_memory() -> Iterator[None]:
    """At most IMPORT_MEMORY_MB more than now. Raises TooMuchMemory, with what was in hand freed again.

    Embedded there is no limit: it would be the whole site's. Nor is there on systems without /proc.
    """
    if settings.EMBEDDED or not STATUS.exists():
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = _data_bytes() + settings.IMPORT_MEMORY_MB * MB
    resource.setrlimit(resource.RLIMIT_DATA, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    try:
        yield
    except MemoryError as error:
        raise TooMuchMemory(NEEDS_MORE.format(n=settings.IMPORT_MEMORY_MB)) from error
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def within_memory(work: Callable[[Ledger], None]) -> Callable[[Ledger], None]:
    """The same work under the limit."""

    def bounded(ledger: Ledger) -> None:
        with bounded_memory():
            work(ledger)

    return bounded


def _data_bytes() -> int:
    """What this process has of the memory that RLIMIT_DATA counts."""
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith("VmData:"))
    return int(line.split()[1]) * 1024
