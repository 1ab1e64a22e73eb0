"""The tests' PostgreSQL and Redis: those the environment names, or throw-away ones on free ports.

One set serves a whole `make test`:

    python tests/support/services.py run -- COMMAND...

runs COMMAND with CONNOTE_TEST_DATABASE_URL and CONNOTE_TEST_REDIS_URL, which the fixtures of tests/conftest.py reuse.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from deploy import throwaway

DATABASE_VARIABLE = "CONNOTE_TEST_DATABASE_URL"
REDIS_VARIABLE = "CONNOTE_TEST_REDIS_URL"
USAGE = "Usage: python tests/support/services.py run -- COMMAND..."


@contextmanager
def _named_or_own(names: Sequence[str], own: Callable[[], AbstractContextManager[str]]) -> Iterator[str]:
    """The URL in the first of the variables that is set, or that of a throw-away server."""
    for name in names:
        if os.environ.get(name):
            yield os.environ[name]
            return
    with own() as url:
        yield url


def postgres() -> AbstractContextManager[str]:
    """The URL of a PostgreSQL whose user may create databases. Raises MissingServiceError."""
    return _named_or_own([DATABASE_VARIABLE, "CONNOTE_DATABASE_URL"], throwaway.postgres)


def redis() -> AbstractContextManager[str]:
    """The URL of a Redis. Raises MissingServiceError."""
    return _named_or_own([REDIS_VARIABLE, "CONNOTE_REDIS_URL"], throwaway.redis)


def run_with_services(command: Sequence[str]) -> int:
    """Run the command with both services up; its exit status."""
    with ExitStack() as stack:
        environment = dict(os.environ)
        environment[DATABASE_VARIABLE] = stack.enter_context(postgres())
        environment[REDIS_VARIABLE] = stack.enter_context(redis())
        return _wait(subprocess.Popen(command, env=environment))


def _wait(child: subprocess.Popen[bytes]) -> int:
    """Wait for the child through any Ctrl-C: it got the same signal and decides itself when to end."""
    while True:
        try:
            return child.wait()
        except KeyboardInterrupt:
            continue
        except SystemExit:
            child.terminate()


def _end_in_order(signum: int, frame: object) -> None:
    raise SystemExit(128 + signum)


def main(arguments: Sequence[str]) -> int:
    if list(arguments[:2]) != ["run", "--"] or len(arguments) < 3:
        print(USAGE, file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, _end_in_order)
    try:
        return run_with_services(arguments[2:])
    except throwaway.MissingServiceError as missing:
        print(missing, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
