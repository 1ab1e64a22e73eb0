"""What `manage.py check` and every start of a command say about settings that work against each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.apps.config import AppConfig
from django.conf import settings
from django.core import checks

TOO_FEW_PROXIES = checks.Warning(
    "CONNOTE_HTTPS is true and CONNOTE_PROXIES is less than 2. If a proxy with TLS stands in front of Connote's own "
    "proxy, all people count as one address: a few wrong passwords of one person lock out all.",
    hint="Set CONNOTE_PROXIES=2.",
    id="connote.W001",
)
PLAIN_HTTP = checks.Warning(
    "CONNOTE_HTTPS is false, so passwords and sessions go over plain http.",
    hint="Put a proxy with TLS in front of the site, then set CONNOTE_HTTPS=true. See docs/deployment.md.",
    id="connote.W002",
)
OLD_KEYS = checks.Warning(
    "CONNOTE_SECRET_KEY_FALLBACKS has a key that is shorter than 32 characters.",
    hint="Remove it. A short key can be guessed, and a person with the key can sign in as anybody.",
    id="connote.W003",
)


@checks.register(checks.Tags.security)
def check_proxies(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[checks.CheckMessage]:
    """The proxy of Connote sends files by X-Accel-Redirect; with https there is one more in front of it."""
    found: list[checks.CheckMessage] = []
    if settings.HTTPS and settings.ACCEL_REDIRECT and settings.PROXIES < 2:
        found.append(TOO_FEW_PROXIES)
    if any(len(key) < 32 for key in settings.SECRET_KEY_FALLBACKS):
        found.append(OLD_KEYS)
    return found


@checks.register(checks.Tags.security, deploy=True)
def check_https(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[checks.CheckMessage]:
    """Only `check --deploy` asks this: a site on one's own machine needs no TLS."""
    return [] if settings.HTTPS else [PLAIN_HTTP]
