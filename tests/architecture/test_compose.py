"""What can be known of docker-compose.yml without an engine."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from backend.config import env
from deploy import compose, native, proxy
from deploy.compose import ROOT, Service

SECRETS = {"CONNOTE_SECRET_KEY": "k" * 40, "CONNOTE_DATABASE_PASSWORD": "p" * 20, "CONNOTE_REDIS_PASSWORD": "r" * 20}
OURS = ("migrate", "web", "worker-cpu", "worker-gpu", "beat", "proxy")
OF_THE_IMAGES = {"postgres": {"POSTGRES_USER", "POSTGRES_DB", "POSTGRES_PASSWORD"}, "redis": {"REDISCLI_AUTH"}}
STATE = {"web": "/data", "worker-cpu": "/data", "worker-gpu": "/data", "beat": "/data", "migrate": "/data"} | {
    "proxy": "/data/media",
    "postgres": "/var/lib/postgresql/data",
    "redis": "/data",
}
DOCUMENT = compose.document()
SERVICES = compose.services(SECRETS)
DOCKERFILE = (ROOT / "Dockerfile").read_text()
WRITE_IN_THEIR_IMAGE = ("web", "worker-cpu", "worker-gpu", "proxy")
every_service = pytest.mark.parametrize("service", SERVICES.values(), ids=SERVICES)


@pytest.fixture
def place(tmp_path: Path) -> native.Place:
    return native.Place(tmp_path, "postgresql://there/connote", "redis://there/0")


def test_all_the_services_of_the_design_are_there() -> None:
    assert set(SERVICES) == {*OURS, "postgres", "redis"}


@every_service
def test_every_service_is_built_here_or_from_a_pinned_image(service: Service) -> None:
    if "build" in service.raw:
        assert re.search(rf"^FROM .* AS {service.raw['build']['target']}$", DOCKERFILE, re.MULTILINE)
    else:
        assert re.fullmatch(r"[a-z]+:\d+\.\d+-[a-z]+", service.raw["image"]), service.raw["image"]


@every_service
def test_make_stack_runs_the_very_command(service: Service, place: native.Place) -> None:
    assert tuple(native.command_of(service, place)[: len(service.command)]) == service.command


@every_service
def test_every_service_has_a_health_check_or_ends_by_itself(service: Service) -> None:
    assert bool(service.health) != service.is_one_shot


def test_make_stack_asks_the_same_health_check_at_its_own_address(place: native.Place) -> None:
    asked = native.health_of(SERVICES["proxy"], place)
    assert asked == ["python", "deploy/probe.py", f"{place.proxy_url}/health/live"]
    assert native.health_of(SERVICES["worker-cpu"], place) == list(SERVICES["worker-cpu"].health)


@every_service
def test_every_variable_is_one_the_settings_know(service: Service) -> None:
    assert set(service.environment) <= OF_THE_IMAGES.get(service.name, set(env.KNOWN))


def test_every_variable_filled_in_is_one_the_settings_know() -> None:
    named = {match["name"] for match in compose.VARIABLE.finditer(compose.FILE.read_text()) if match["name"]}
    assert named <= set(env.KNOWN)


def test_every_setting_of_the_environment_file_reaches_the_containers() -> None:
    of_the_image = {"CONNOTE_CODE_VERSION", "CONNOTE_STATIC_ROOT", "CONNOTE_FRONTEND_DIST"}
    of_gunicorn = {"CONNOTE_DB_FAIL_FAST"}  # its configuration sets it
    never_in_production = {"CONNOTE_DEBUG", "CONNOTE_DEMO"}
    assert set(SERVICES["web"].environment) == set(env.KNOWN) - of_the_image - of_gunicorn - never_in_production


@every_service
def test_all_state_lies_in_a_named_volume(service: Service) -> None:
    mounts = dict(_mount(volume) for volume in service.raw["volumes"])
    assert STATE[service.name] in mounts
    assert set(mounts.values()) <= set(DOCUMENT["volumes"])


def _mount(volume: str | dict[str, str]) -> tuple[str, str]:
    """Where it stands in the container, and its name."""
    if isinstance(volume, dict):
        return volume["target"], volume["source"]
    name, target = volume.split(":")[:2]
    return target, name


@every_service
def test_every_service_is_confined(service: Service) -> None:
    raw = service.raw
    assert raw["security_opt"] == ["no-new-privileges:true"] and raw["cap_drop"] == ["ALL"]
    assert raw["mem_limit"] and raw["pids_limit"]
    assert raw["logging"]["options"] == {"max-size": "20m", "max-file": "5"}
    assert raw.get("read_only") is True or service.name in WRITE_IN_THEIR_IMAGE
    assert "privileged" not in raw and "docker.sock" not in str(raw)


def test_the_proxy_sees_the_media_and_nothing_else() -> None:
    [media] = SERVICES["proxy"].raw["volumes"]
    assert (media["read_only"], media["volume"]) == (True, {"subpath": "media"})


def test_only_this_machine_reaches_a_port() -> None:
    ports = [port for service in SERVICES.values() for port in service.raw.get("ports", [])]
    assert ports and all(port.startswith("127.0.0.1:") for port in ports)


def test_the_data_folder_of_the_settings_is_the_volume() -> None:
    assert {SERVICES[name].environment["CONNOTE_DATA_DIR"] for name in OURS if name != "proxy"} == {"/data"}


@pytest.mark.parametrize("secret", SECRETS)
def test_a_missing_secret_stops_compose_with_a_sentence_that_names_it(secret: str) -> None:
    others = {name: value for name, value in SECRETS.items() if name != secret}
    with pytest.raises(compose.MissingSettingError, match=rf"^Set {secret} in \.env to .*\.$"):
        compose.services(others)


def test_redis_lets_nobody_in_without_its_password() -> None:
    command = SERVICES["redis"].command
    assert command[command.index("--requirepass") + 1] == SECRETS["CONNOTE_REDIS_PASSWORD"]


def test_no_secret_is_written_down() -> None:
    written = compose.FILE.read_text()
    for line in written.splitlines():
        if re.search(r"(SECRET|PASSWORD)\w*:", line):
            assert re.search(r"[: ] ?\$\{CONNOTE_\w+:(\?[^}]+|-)\}$", line), line
    assert not re.search(r"://[^/@\s]+:[^/@\s]+@", written)


def test_compose_and_the_image_start_the_web_service_alike() -> None:
    words = ", ".join(f'"{word}"' for word in SERVICES["web"].command)
    assert f"CMD [{words}]" in DOCKERFILE


def test_no_image_runs_as_root_and_the_web_image_has_no_torch() -> None:
    stages = dict(zip(re.findall(r"^FROM .* AS ([\w-]+)$", DOCKERFILE, re.MULTILINE), _stages(), strict=True))
    assert all("USER connote" in stages[name] and "HEALTHCHECK" in stages[name] for name in ("web", "worker"))
    assert "unprivileged" in stages["proxy"] and "HEALTHCHECK" in stages["proxy"]
    assert "workers/requirements.lock" not in stages["packages"] + stages["web"]
    assert all("--require-hashes" in line for line in DOCKERFILE.splitlines() if "pip install" in line)


def _stages() -> list[str]:
    return re.split(r"^(?=FROM )", DOCKERFILE, flags=re.MULTILINE)[1:]


def test_the_proxy_is_told_every_variable_of_its_template(place: native.Place) -> None:
    named = set(proxy.PLACEHOLDER.findall(proxy.TEMPLATE.read_text()))
    set_by_the_image = set(re.findall(r"\b([A-Z_]+)=", DOCKERFILE[DOCKERFILE.index("ENV NGINX") :]))
    assert named <= set_by_the_image
    assert "${" not in proxy.site_configuration(place, SERVICES["proxy"].environment)


def test_nginx_and_django_send_one_content_security_policy() -> None:
    sent = re.search(r'set \$policy "(.*)";', proxy.TEMPLATE.read_text())
    assert sent is not None
    by_nginx = {words[0]: words[1:] for part in sent[1].split(";") if (words := part.split())}
    assert by_nginx == settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]


def test_the_example_environment_lists_exactly_what_the_settings_read() -> None:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("CONNOTE_")}
    script = "from deploy import env_example; print(env_example.rendered(), end='')"
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, env=clean | SECRETS, cwd=ROOT, capture_output=True, text=True, check=True)
    assert (ROOT / ".env.example").read_text() == done.stdout, "Run make env-example and commit .env.example."
