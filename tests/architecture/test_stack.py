"""`make stack` for real: every service of docker-compose.yml but as a process, reached through nginx, stopped clean."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from deploy import compose
from deploy.processes import free_port
from deploy.stack import without_password

SECRETS = {"CONNOTE_SECRET_KEY": "k" * 40, "CONNOTE_DATABASE_PASSWORD": "p" * 20, "CONNOTE_REDIS_PASSWORD": "r" * 20}
DIST = compose.ROOT / "frontend" / "dist" / "index.html"

pytestmark = pytest.mark.stack


@pytest.fixture
def stack(artefacts: Path) -> Iterator[tuple[subprocess.Popen[bytes], str, Path]]:
    """`deploy/stack.py` on servers of its own: the process, its address and what it prints."""
    port, said = free_port(), artefacts / "make-stack.log"
    clean = {name: value for name, value in os.environ.items() if not name.startswith("CONNOTE_")}
    command = [sys.executable, "-m", "deploy.stack", "--port", str(port)]
    with said.open("wb") as output:
        process = subprocess.Popen(command, cwd=compose.ROOT, env=clean, stdout=output, stderr=subprocess.STDOUT)
    yield process, f"http://127.0.0.1:{port}", said
    process.terminate()
    process.wait(60)


@pytest.mark.nightly
def test_make_stack_serves_the_site_and_leaves_nothing_behind(
    stack: tuple[subprocess.Popen[bytes], str, Path],
) -> None:
    process, url, said = stack
    _wait_for(lambda: f"Connote is on {url}." in said.read_text() or process.poll() is not None, timeout=180)
    assert f"Connote is on {url}." in said.read_text(), said.read_text()
    for name, service in compose.services(SECRETS).items():
        assert f"{name} is {'done' if service.is_one_shot else 'healthy'}." in said.read_text()
    _the_site_answers(url)
    _the_commands_of_compose_run(process.pid)
    _stops_clean(process, said)


def _the_site_answers(url: str) -> None:
    with urlopen(f"{url}/") as page:
        assert page.read() == DIST.read_bytes()
        assert page.headers["X-Content-Type-Options"] == "nosniff"
    with urlopen(f"{url}/health/live") as answer:
        assert json.load(answer) == {"status": "alive"}
    for inside in ("/metrics", "/health/ready", "/protected-media/secret.txt"):
        with pytest.raises(HTTPError, match="404"):
            urlopen(f"{url}{inside}")


def _the_commands_of_compose_run(stack_pid: int) -> None:
    running = [_command_line(pid) for pid in _descendants(stack_pid)]
    for service in compose.services(SECRETS).values():
        arguments = " ".join(without_password(service.command[1:]))
        assert service.is_one_shot or any(arguments in line for line in running), (service.name, running)


def _stops_clean(process: subprocess.Popen[bytes], said: Path) -> None:
    pids = _descendants(process.pid)
    folder = Path(said.read_text().split("Logs are in ")[1].split(". Stop")[0])
    assert folder.is_dir()
    process.send_signal(signal.SIGINT)
    assert process.wait(90) == 0
    _wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids), timeout=10)
    assert not folder.exists()
    assert said.read_text().endswith("Stopped.\n")


def _descendants(pid: int) -> list[int]:
    children = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return children + [grandchild for child in children for grandchild in _descendants(child)]


def _command_line(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()


def _wait_for(condition: Callable[[], bool], *, timeout: float) -> None:
    deadline = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < deadline, "The condition was not met in time."
        time.sleep(0.2)
