"""Typed readers of the environment.

Every variable is declared once, in settings.py, through one of these readers; `KNOWN` remembers them all, so that
`.env.example` and docker-compose.yml can be held against what the code really reads. Each complaint names the variable
and how to correct it.
"""

from __future__ import annotations

import ipaddress
import os
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlsplit, urlunsplit

from django.core.exceptions import ImproperlyConfigured

TRUE = {"1", "true", "yes", "on"}
FALSE = {"0", "false", "no", "off", ""}


@dataclass(frozen=True)
class Variable:
    """One environment variable as the settings read it."""

    name: str
    default: str
    help: str


KNOWN: dict[str, Variable] = {}


def env_str(name: str, default: str = "", *, help: str) -> str:
    """The variable as text, stripped; `default` where it is unset or empty."""
    KNOWN[name] = Variable(name, default, help)
    return os.environ.get(name, "").strip() or default


def env_bool(name: str, default: bool, *, help: str) -> bool:
    """The variable as a truth value. Raises ImproperlyConfigured on anything but yes or no."""
    value = env_str(name, str(default).lower(), help=help).lower()
    if value in TRUE | FALSE:
        return value in TRUE
    raise ImproperlyConfigured(f"{name} is {value!r}. Set it to true or false.")


def env_int(name: str, default: int, *, minimum: int = 0, help: str) -> int:
    """The variable as a whole number of at least `minimum`. Raises ImproperlyConfigured otherwise."""
    value = env_str(name, str(default), help=help)
    if re.fullmatch(r"-?[0-9]{1,18}", value) and int(value) >= minimum:
        return int(value)
    raise ImproperlyConfigured(f"{name} is {value!r}. Set it to a whole number of at least {minimum}.")


def env_list(name: str, default: str = "", *, help: str) -> list[str]:
    """The variable as a list, split at commas, empty parts left out."""
    return [part.strip() for part in env_str(name, default, help=help).split(",") if part.strip()]


def env_choice(name: str, default: str, *, choices: tuple[str, ...], help: str) -> str:
    """The variable as one of `choices`. Raises ImproperlyConfigured otherwise."""
    value = env_str(name, default, help=help)
    if value in choices:
        return value
    raise ImproperlyConfigured(f"{name} is {value!r}. Set it to one of: {', '.join(choices)}.")


def env_path(name: str, default: Path, *, help: str) -> Path:
    """The variable as an absolute path."""
    return Path(env_str(name, str(default), help=help)).expanduser().resolve()


def env_networks(name: str, *, help: str) -> tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]:
    """The variable as networks, split at commas. Raises ImproperlyConfigured where one is none."""
    try:
        return tuple(ipaddress.ip_network(part) for part in env_list(name, help=help))
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} is not valid: {error}. Write networks like 10.1.0.0/16.") from error


def with_password(url: str, password: str) -> str:
    """The URL with this password; one that has a password already stays as it is."""
    parts = urlsplit(url)
    if parts.password:
        return url
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{parts.username or ''}:{quote(password, safe='')}@{host}"))


def env_secret(name: str, *, debug: bool, debug_value: str, help: str) -> str:
    """A secret of at least 32 characters. Only DEBUG may go without; there `debug_value` stands in.

    Raises ImproperlyConfigured where the secret is missing, short, or the one everybody can read in this repository.
    """
    value = env_str(name, help=help)
    if debug:
        return value or debug_value
    if len(value) >= 32 and value != debug_value and "change-me" not in value:
        return value
    raise ImproperlyConfigured(
        f"{name} must be your own secret with at least 32 characters. Make one with "
        f"`python -c 'import secrets; print(secrets.token_urlsafe(50))'`. Set {name} to it."
    )
