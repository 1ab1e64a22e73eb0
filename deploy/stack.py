"""`make stack`: the services of docker-compose.yml as processes of this machine, until Ctrl-C.

PostgreSQL and Redis are those that CONNOTE_DATABASE_URL and CONNOTE_REDIS_URL name, else throw-away ones; data and logs
lie in --folder, else in a temporary folder that goes with the stack. A process that ends by itself ends the stack with
the last lines of its log: nothing is restarted in silence.
"""

from __future__ import annotations

import argparse
import os
import secrets
import shlex
import signal
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from deploy import compose, native, proxy, throwaway
from deploy.compose import Service
from deploy.native import Place
from deploy.processes import Process, ProcessEndedError

WITHOUT_PROXY = {"CONNOTE_ACCEL_REDIRECT": ""}
NO_NGINX = "nginx is not installed, so the web service serves the site. To change this: apt-get install nginx-light."
HOW_TO_MANAGE = (
    "For manage.py on this stack: set -a; . {file}; set +a; .venv/bin/python manage.py createsuperuser\n"
    "Logs are in {folder}. Stop everything with Ctrl-C."
)


def with_secrets(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment; a secret that is not set gets one of this run's own, as nothing here outlives the run."""
    return {
        "CONNOTE_SECRET_KEY": secrets.token_urlsafe(50),
        "CONNOTE_DATABASE_PASSWORD": secrets.token_urlsafe(24),
        "CONNOTE_REDIS_PASSWORD": secrets.token_urlsafe(24),
        **{name: value for name, value in environment.items() if value},
    }


@contextmanager
def data_services(services: Mapping[str, Service], folder: Path) -> Iterator[tuple[str, str]]:
    """The URLs of PostgreSQL and Redis: named by the environment, or started here with the compose file's own flags."""
    with ExitStack() as stack:
        urls = [os.environ.get("CONNOTE_DATABASE_URL", ""), os.environ.get("CONNOTE_REDIS_URL", "")]
        for number, (name, start) in enumerate((("postgres", throwaway.postgres), ("redis", throwaway.redis))):
            if not urls[number]:
                arguments = without_password(services[name].command[1:])
                urls[number] = stack.enter_context(start(arguments, log=folder / f"{name}.log"))
            say(f"{name} is healthy.")
        yield urls[0], urls[1]


def without_password(arguments: Sequence[str]) -> list[str]:
    """Redis of one's own listens to this machine alone and gets no password; PostgreSQL is told its own elsewhere."""
    return [word for at, word in enumerate(arguments) if "--requirepass" not in (word, arguments[at - 1])]


class Launch:
    """Everything but PostgreSQL and Redis. As under compose, a service starts when what it depends on is healthy."""

    def __init__(self, services: Mapping[str, Service], place: Place) -> None:
        self.services, self.place = services, place
        self.left_out = {"postgres", "redis"} | (set() if proxy.nginx() else {"proxy"})
        self.extra = {} if proxy.nginx() else WITHOUT_PROXY
        self.processes: dict[str, Process] = {}
        self.healthy: set[str] = set()

    def start(self) -> None:
        """Start all and wait until all are healthy. Raises ProcessEndedError."""
        for service in self.services.values():
            if service.name not in self.left_out:
                self._wait_for(service.depends_on)
                self._start(service)
        self._wait_for(self.processes)

    def _start(self, service: Service) -> None:
        if service.is_one_shot:
            native.run_once(service, self.place, self.extra)
            say(f"{service.name} is done.")
            return
        if service.name == "proxy":
            proxy.write_configuration(self.place, service.environment)
        self.processes[service.name] = native.process_of(service, self.place, self.extra)
        self.processes[service.name].start()

    def _wait_for(self, names: Iterable[str]) -> None:
        for name in [name for name in names if name in self.processes and name not in self.healthy]:
            service, process = self.services[name], self.processes[name]
            process.wait_until(partial(native.is_healthy, service, process, self.place), timeout=120)
            self.healthy.add(name)
            say(f"{name} is healthy.")

    def watch(self) -> None:
        """Return never, but by Ctrl-C. Raises ProcessEndedError when a process ends by itself."""
        while True:
            for process in self.processes.values():
                if not process.is_running:
                    raise ProcessEndedError(f"{process.name} ended alone. The end of its log:\n{process.tail()}")
            time.sleep(0.5)

    def stop(self) -> None:
        """Stop what runs, the last started first."""
        for process in reversed(self.processes.values()):
            process.stop()


def write_environment(service: Service, place: Place) -> Path:
    """A file for the shell with the settings of the web service, readable by its owner alone."""
    file = place.folder / "stack.env"
    file.touch(mode=0o600)
    settings = {**service.environment, **place.settings()}
    file.write_text("".join(f"{name}={shlex.quote(value)}\n" for name, value in settings.items()))
    return file


def run(folder: Path, port: int) -> None:
    """Start everything, say where the site is, and watch over it."""
    services = compose.services(with_secrets(os.environ))
    with data_services(services, folder) as (database_url, redis_url):
        place = Place(folder, database_url, redis_url, proxy_port=port)
        place.data.mkdir(exist_ok=True)
        launch = Launch(services, place)
        try:
            launch.start()
            say(f"Connote is on {place.proxy_url}." if proxy.nginx() else f"{NO_NGINX}\nConnote is on {place.web_url}.")
            say(HOW_TO_MANAGE.format(file=write_environment(services["web"], place), folder=folder))
            launch.watch()
        finally:
            launch.stop()


def say(line: str) -> None:
    print(line, flush=True)


def _interrupt(signum: int, frame: object) -> None:
    raise KeyboardInterrupt


def main() -> int:
    parser = argparse.ArgumentParser(description="Run the services of docker-compose.yml without Docker.")
    parser.add_argument("--folder", type=Path, help="the folder for data and logs; a temporary one by default")
    parser.add_argument("--port", type=int, default=8080, help="the port of the proxy (8080)")
    arguments = parser.parse_args()
    for stop in (signal.SIGINT, signal.SIGTERM):  # a shell leaves what it starts in the background deaf to SIGINT
        signal.signal(stop, _interrupt)
    try:
        with throwaway.temporary_folder() as temporary:
            folder = (arguments.folder or temporary).resolve()
            folder.mkdir(parents=True, exist_ok=True)
            run(folder, arguments.port)
    except KeyboardInterrupt:
        say("Stopped.")
    except (compose.MissingSettingError, throwaway.MissingServiceError, ProcessEndedError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
