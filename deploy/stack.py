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
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from deploy import compose, native, proxy, throwaway
from deploy.compose import Service
from deploy.native import Place
from deploy.processes import Process, ProcessEndedError

WITHOUT_PROXY = {"CONNOTE_ACCEL_REDIRECT": ""}
NO_NGINX = "nginx is not installed, so the site comes straight from the web service: apt-get install nginx-light."
HOW_TO_MANAGE = (
    "For manage.py on this stack: set -a; . {file}; set +a; .venv/bin/python manage.py createsuperuser\n"
    "Logs are in {folder}. Stop everything with Ctrl-C."
)


def with_secrets(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment; a secret that is not set gets one of this run's own, as nothing here outlives the run."""
    return {
        "CONNOTE_SECRET_KEY": secrets.token_urlsafe(50),
        "CONNOTE_DATABASE_PASSWORD": secrets.token_urlsafe(24),
        **{name: value for name, value in environment.items() if value},
    }


@contextmanager
def data_services(services: Mapping[str, Service], folder: Path) -> Iterator[tuple[str, str]]:
    """The URLs of PostgreSQL and Redis: named by the environment, or started here with the compose file's own flags."""
    with ExitStack() as stack:
        urls = [os.environ.get("CONNOTE_DATABASE_URL", ""), os.environ.get("CONNOTE_REDIS_URL", "")]
        for number, (name, start) in enumerate((("postgres", throwaway.postgres), ("redis", throwaway.redis))):
            if not urls[number]:
                urls[number] = stack.enter_context(start(services[name].command[1:], log=open_log(folder, name)))
            say(f"{name} is healthy.")
        yield urls[0], urls[1]


def open_log(folder: Path, name: str) -> Path:
    """A log file that a server of another user may append to."""
    log = folder / f"{name}.log"
    log.touch()
    return log


@contextmanager
def running_services(services: Mapping[str, Service], place: Place) -> Iterator[list[Process]]:
    """Everything but PostgreSQL and Redis, each started when those before it are healthy, stopped in reverse."""
    with_proxy = proxy.nginx() is not None
    with ExitStack() as stack:
        processes = []
        for service in services.values():
            if service.name in ("postgres", "redis") or (service.name == "proxy" and not with_proxy):
                continue
            if service.is_one_shot:
                native.run_once(service, place)
                say(f"{service.name} is done.")
                continue
            process = native.process_of(service, place, None if with_proxy else WITHOUT_PROXY)
            stack.callback(process.stop)
            start(service, process, place)
            processes.append(process)
        yield processes


def start(service: Service, process: Process, place: Place) -> None:
    """Start one service and wait for its health check. Raises ProcessEndedError."""
    if service.name == "proxy":
        proxy.write_configuration(place, upload_mb=service.environment["CONNOTE_MAX_UPLOAD_MB"])
    process.start()
    process.wait_until(lambda: native.is_healthy(service, process, place), timeout=120)
    say(f"{service.name} is healthy.")


def write_environment(service: Service, place: Place) -> Path:
    """A file for the shell with the settings of the web service, readable by its owner alone."""
    file = place.folder / "stack.env"
    file.touch(mode=0o600)
    settings = {**service.environment, **place.settings()}
    file.write_text("".join(f"{name}={shlex.quote(value)}\n" for name, value in settings.items()))
    return file


def watch(processes: Sequence[Process]) -> None:
    """Return never, but by Ctrl-C. Raises ProcessEndedError when one of the processes ends by itself."""
    while True:
        for process in processes:
            if not process.is_running:
                raise ProcessEndedError(f"{process.name} ended by itself. Its log ends:\n{process.tail()}")
        time.sleep(0.5)


def run(folder: Path, port: int) -> None:
    """Start everything, say where the site is, and watch over it."""
    services = compose.services(with_secrets(os.environ))
    with data_services(services, folder) as (database_url, redis_url):
        place = Place(folder, database_url, redis_url, proxy_port=port)
        place.data.mkdir(exist_ok=True)
        with running_services(services, place) as processes:
            say(f"Connote is on {place.proxy_url}." if proxy.nginx() else f"{NO_NGINX}\nConnote is on {place.web_url}.")
            say(HOW_TO_MANAGE.format(file=write_environment(services["web"], place), folder=folder))
            watch(processes)


def say(line: str) -> None:
    print(line, flush=True)


def _interrupt(signum: int, frame: object) -> None:
    raise KeyboardInterrupt


def main() -> int:
    parser = argparse.ArgumentParser(description="The services of docker-compose.yml, natively.")
    parser.add_argument("--folder", type=Path, help="keep data and logs here; a temporary folder without")
    parser.add_argument("--port", type=int, default=8080, help="where the proxy listens (8080)")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, _interrupt)
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
