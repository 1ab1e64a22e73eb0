"""`make test` installs what it may, and says plainly what it may not."""

from __future__ import annotations

import pytest

import machine
from machine import Need

REDIS = Need("redis-server", "redis-server", lambda: False, ", or set CONNOTE_REDIS_URL")


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The packages that apt was asked for, on a machine where nothing can be installed after all."""
    asked: list[str] = []
    monkeypatch.setattr(machine, "NEEDS", (REDIS,))
    monkeypatch.setattr(machine, "missing", lambda: [need for need in machine.NEEDS if not need.is_met()])
    monkeypatch.setattr(machine, "install", lambda needs: asked.extend(need.package for need in needs))
    return asked


def test_this_machine_has_all_it_needs() -> None:
    assert machine.missing() == []


def test_what_is_missing_is_installed_and_named_when_that_fails(
    installed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert machine.main() == 1
    assert installed == ["redis-server"]
    sentence = "redis-server is not installed: apt-get install redis-server, or set CONNOTE_REDIS_URL.\n"
    assert capsys.readouterr().err == sentence


def test_a_server_named_by_the_environment_need_not_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine.shutil, "which", lambda *args, **kwargs: None)
    monkeypatch.setenv("CONNOTE_REDIS_URL", "redis://elsewhere/0")
    assert "redis-server" not in {need.what for need in machine.missing()}


def test_without_apt_nothing_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine.shutil, "which", lambda *args, **kwargs: None)
    assert machine.apt_prefix() is None
