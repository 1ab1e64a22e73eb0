"""One long-running process: started with its own log and process group, stopped or killed without leaving children."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path


class ProcessEndedError(RuntimeError):
    """A process ended, or did not become healthy in time; the message ends with the last lines of its log."""


def free_port() -> int:
    """A TCP port of 127.0.0.1 that nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def tied_to_parent(command: Sequence[str]) -> list[str]:
    """The command, made to end when its parent is killed; unchanged where util-linux is missing."""
    if shutil.which("setpriv") is None:
        return list(command)
    return ["setpriv", "--pdeathsig", "INT", *command]


class Process:
    """A command with a name and a log file. Its own session keeps a Ctrl-C for the parent, which stops it in order."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        *,
        log: Path,
        environment: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        user: str | None = None,
        stop_signal: signal.Signals = signal.SIGTERM,
    ) -> None:
        self.name, self.command, self.log, self.cwd, self.user = name, list(command), log, cwd, user
        self.environment = dict(os.environ if environment is None else environment)
        self.stop_signal = stop_signal
        self.popen: subprocess.Popen[bytes] | None = None

    @property
    def is_running(self) -> bool:
        return self.popen is not None and self.popen.poll() is None

    @property
    def pid(self) -> int:
        """The process id. Raises ProcessEndedError when it was never started."""
        if self.popen is None:
            raise ProcessEndedError(f"{self.name} did not start.")
        return self.popen.pid

    def start(self) -> None:
        """Start it; the log is appended to, so that a restart keeps what came before the kill."""
        with self.log.open("ab") as log:
            self.popen = subprocess.Popen(
                tied_to_parent(self.command),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=self.environment,
                cwd=self.cwd,
                start_new_session=True,
                user=self.user,
                group=self.user,
                extra_groups=[] if self.user else None,
            )

    def stop(self, patience: float = 20) -> None:
        """Ask it to end, wait, then kill whatever is left of its group."""
        if self.is_running and self.popen is not None:
            self.popen.send_signal(self.stop_signal)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.popen.wait(patience)
        self.kill()

    def kill(self) -> None:
        """kill -9 the process and its children at once."""
        if self.popen is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.popen.pid, signal.SIGKILL)
        self.popen.wait()

    def tail(self, n_lines: int = 40) -> str:
        """The last lines of the log, for an error message."""
        lines = self.log.read_text(errors="replace").splitlines() if self.log.exists() else []
        return "\n".join(lines[-n_lines:])

    def wait_until(self, is_healthy: Callable[[], bool], *, timeout: float) -> None:
        """Wait for `is_healthy`. Raises ProcessEndedError with the log's end when the process ends or time is up."""
        deadline = time.monotonic() + timeout
        while not is_healthy():
            if not self.is_running:
                raise ProcessEndedError(f"{self.name} ended before it was healthy. The end of its log:\n{self.tail()}")
            if time.monotonic() > deadline:
                raise ProcessEndedError(
                    f"{self.name} was not healthy after {timeout:.0f} s. The end of its log:\n{self.tail()}"
                )
            time.sleep(0.1)
