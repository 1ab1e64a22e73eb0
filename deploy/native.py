"""The services of docker-compose.yml as processes of this machine: same commands, same settings, same health checks.

Only addresses and folders differ; `Place` holds every one of those differences.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from deploy.compose import ROOT, Service
from deploy.processes import Process, ProcessEndedError, free_port

WEB_ADDRESS, PROXY_ADDRESS = "127.0.0.1:8000", "127.0.0.1:8080"
OF_THE_PROXY_IMAGE = ("curl", "--fail", "--silent")


@dataclass(frozen=True)
class Place:
    """Where a native stack keeps its things and listens."""

    folder: Path
    database_url: str
    redis_url: str
    web_port: int = field(default_factory=free_port)
    proxy_port: int = field(default_factory=free_port)

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def web_url(self) -> str:
        return f"http://127.0.0.1:{self.web_port}"

    @property
    def proxy_url(self) -> str:
        return f"http://127.0.0.1:{self.proxy_port}"

    @property
    def proxy_configuration(self) -> Path:
        return self.folder / "nginx.conf"

    def log(self, name: str) -> Path:
        """The log file of one service."""
        return self.folder / f"{name}.log"

    def settings(self) -> dict[str, str]:
        """The settings whose value in the compose file is an address or folder inside a container."""
        return {
            "CONNOTE_DATABASE_URL": self.database_url,
            "CONNOTE_DATABASE_PASSWORD": "",
            "CONNOTE_REDIS_URL": self.redis_url,
            "CONNOTE_REDIS_PASSWORD": "",
            "CONNOTE_DATA_DIR": str(self.data),
            "CONNOTE_ALLOWED_HOSTS": "127.0.0.1,localhost",
            "CONNOTE_TRUSTED_ORIGINS": f"{self.web_url},{self.proxy_url},http://localhost:{self.proxy_port}",
        }


def environment_of(service: Service, place: Place, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The process's variables: the compose file's, then the place's, then `extra`; no setting from the shell."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("CONNOTE_", "DJANGO_"))}
    inherited["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), inherited.get("PATH", ""), "/usr/sbin"])
    return {**inherited, **service.environment, **place.settings(), **(extra or {})}


def command_of(service: Service, place: Place) -> list[str]:
    """The compose file's command, with the place's address added where a server listens."""
    if service.name == "web":
        return [*service.command, "--bind", f"127.0.0.1:{place.web_port}"]
    if service.name == "proxy":
        return [*service.command, "-c", str(place.proxy_configuration)]
    return list(service.command)


def health_of(service: Service, place: Place) -> list[str]:
    """The compose file's health check, asked at the place's addresses."""
    words = list(service.health)
    if tuple(words[:3]) == OF_THE_PROXY_IMAGE:
        words[:3] = ["python", "deploy/probe.py"]
    moved = {WEB_ADDRESS: f"127.0.0.1:{place.web_port}", PROXY_ADDRESS: f"127.0.0.1:{place.proxy_port}"}
    for old, new in moved.items():
        words = [word.replace(old, new) for word in words]
    return words


def process_of(service: Service, place: Place, extra: Mapping[str, str] | None = None) -> Process:
    """The service as a process, not yet started."""
    return Process(
        service.name,
        command_of(service, place),
        log=place.log(service.name),
        environment=environment_of(service, place, extra),
        cwd=ROOT,
        stop_signal=signal.SIGTERM,
    )


def run_once(service: Service, place: Place, extra: Mapping[str, str] | None = None) -> None:
    """Run a one-shot service to its end. Raises ProcessEndedError with its output when it fails."""
    environment = environment_of(service, place, extra)
    with place.log(service.name).open("wb") as log:
        done = subprocess.run(service.command, env=environment, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT)
    if done.returncode:
        raise ProcessEndedError(f"{service.name} failed:\n{place.log(service.name).read_text(errors='replace')}")


def is_healthy(service: Service, process: Process, place: Place) -> bool:
    """Whether the service's health check passes at this moment."""
    command = health_of(service, place)
    return subprocess.run(command, env=process.environment, cwd=ROOT, capture_output=True).returncode == 0
