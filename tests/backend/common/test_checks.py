"""Settings that work against each other are named at the start of every command."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.checks import run_checks


def ids(**options: Any) -> set[str | None]:
    return {found.id for found in run_checks(**options) if str(found.id).startswith("connote.")}


@pytest.mark.parametrize(
    ("https", "proxies", "is_ours", "expected"),
    [(True, 1, True, {"connote.W001"}), (True, 2, True, set()), (True, 1, False, set()), (False, 1, True, set())],
)
def test_https_with_one_proxy_behind_ours_is_named(
    settings: Any, https: bool, proxies: int, is_ours: bool, expected: set[str]
) -> None:
    settings.HTTPS, settings.PROXIES, settings.ACCEL_REDIRECT = https, proxies, "/protected-media/" if is_ours else ""
    assert ids() == expected


def test_plain_http_is_named_where_somebody_asks_about_deployment(settings: Any) -> None:
    settings.HTTPS = False
    assert ids(include_deployment_checks=True) == {"connote.W002"}
    assert ids() == set()


def test_a_short_earlier_key_is_named(settings: Any) -> None:
    settings.SECRET_KEY_FALLBACKS = ["short"]
    assert ids() == {"connote.W003"}
