"""Reads docker-compose.yml, so that `make stack` and the tests run what compose would run and nothing else."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "docker-compose.yml"
VARIABLE = re.compile(r"\$(?:\$|\{(?P<name>\w+)(?::(?P<kind>[-?])(?P<rest>[^}]*))?\})")


class MissingSettingError(RuntimeError):
    """The compose file requires a variable that is not set; the message is the compose file's own sentence."""


@dataclass(frozen=True)
class Service:
    """One service of the compose file, its variables filled in."""

    name: str
    command: tuple[str, ...]
    environment: dict[str, str]
    health: tuple[str, ...]
    depends_on: tuple[str, ...]
    raw: dict[str, Any]

    @property
    def is_one_shot(self) -> bool:
        return self.raw.get("restart") == "no"


def filled_in(text: str, environment: Mapping[str, str]) -> str:
    """The text with `${NAME}`, `${NAME:-default}`, `${NAME:?sentence}` and `$$` as compose reads them."""

    def value(match: re.Match[str]) -> str:
        if match["name"] is None:
            return "$"
        found = environment.get(match["name"], "")
        if not found and match["kind"] == "?":
            raise MissingSettingError(match["rest"])
        return found or (match["rest"] or "" if match["kind"] == "-" else "")

    return VARIABLE.sub(value, text)


def document(path: Path = FILE) -> dict[str, Any]:
    """The compose file as it is written, its anchors resolved."""
    return dict(yaml.safe_load(path.read_text()))


def services(environment: Mapping[str, str], path: Path = FILE) -> dict[str, Service]:
    """Every service by name, in an order in which each comes after what it depends on. Raises MissingSettingError."""
    raw = document(path)["services"]
    found = {name: _service(name, raw[name], environment) for name in raw}
    ordered: dict[str, Service] = {}
    for name in found:
        _add_after_dependencies(name, found, ordered)
    return ordered


def _add_after_dependencies(name: str, found: dict[str, Service], ordered: dict[str, Service]) -> None:
    for needed in found[name].depends_on:
        if needed not in ordered:
            _add_after_dependencies(needed, found, ordered)
    ordered[name] = found[name]


def _service(name: str, raw: dict[str, Any], environment: Mapping[str, str]) -> Service:
    return Service(
        name=name,
        command=tuple(shlex.split(filled_in(raw["command"], environment))),
        environment={key: filled_in(str(value), environment) for key, value in raw.get("environment", {}).items()},
        health=_health(raw, environment),
        depends_on=tuple(raw.get("depends_on", {})),
        raw=raw,
    )


def _health(raw: dict[str, Any], environment: Mapping[str, str]) -> tuple[str, ...]:
    """The health check as an argument list; empty for a one-shot service, whose exit status is its health."""
    kind, *words = raw.get("healthcheck", {}).get("test", ["CMD"])
    filled = tuple(filled_in(word, environment) for word in words)
    return ("sh", "-c", *filled) if kind == "CMD-SHELL" else filled
