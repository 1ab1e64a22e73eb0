"""Logs are one JSON object a line, and carry the id that the answer carries."""

from __future__ import annotations

import io
import json
import logging
import logging.config
from collections.abc import Iterator

import pytest
import structlog
from django.conf import settings as django_settings
from django.test import Client

from backend.config.logs import logging_config
from backend.people.models import User
from cast import PASSWORD


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """Whatever the configured formatter writes while the test runs."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    root, level = logging.getLogger(), logging.getLogger().level
    handler.setFormatter(_formatter())
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield written
    root.removeHandler(handler)
    root.setLevel(level)


def _formatter() -> logging.Formatter:
    described = logging_config(level="INFO", style="json")["formatters"]["line"]
    return structlog.stdlib.ProcessorFormatter(**{key: value for key, value in described.items() if key != "()"})


def parsed(lines: io.StringIO) -> list[dict]:
    return [json.loads(line) for line in lines.getvalue().splitlines()]


def test_a_line_of_a_request_carries_the_id_of_its_answer(client: Client, lines: io.StringIO, db: None) -> None:
    answer = client.get("/api/v1/session")
    finished = [line for line in parsed(lines) if line["event"] == "request_finished"]
    assert [line["request_id"] for line in finished] == [answer["X-Request-ID"]]
    assert finished[0]["request"] == "GET /api/v1/session"
    assert (finished[0]["code"], finished[0]["level"]) == (200, "info")


def test_a_line_names_the_user_of_its_request_alone(client: Client, lines: io.StringIO, bob: User) -> None:
    client.force_login(bob)
    client.get("/api/v1/me")
    client.logout()
    client.get("/api/v1/me")
    finished = [line for line in parsed(lines) if line["event"] == "request_finished"]
    assert [(line["code"], line.get("user_id"), line["level"]) for line in finished] == [
        (200, bob.pk, "info"),
        (401, None, "warning"),
    ]


def test_the_standard_librarys_lines_look_the_same(lines: io.StringIO) -> None:
    logging.getLogger("some.library").warning("%s is late", "the train")
    line = parsed(lines)[-1]
    assert (line["event"], line["level"], line["logger"]) == ("the train is late", "warning", "some.library")
    assert line["timestamp"].endswith("Z")


def test_an_exception_stays_on_its_line(lines: io.StringIO) -> None:
    try:
        raise ValueError("two\nlines")
    except ValueError:
        structlog.get_logger("house").exception("it_broke")
    (line,) = parsed(lines)
    assert "ValueError" in line["exception"]


def test_no_password_and_no_token_is_ever_logged(client: Client, lines: io.StringIO, bob: User) -> None:
    client.post("/api/v1/session", {"username": "bob", "password": PASSWORD}, content_type="application/json")
    client.get("/api/v1/me", headers={"Authorization": "Token connote_secret"})
    client.post("/api/v1/invitations/a-secret-link/accept")
    client.get("/invitations/a-secret-link?from=mail")
    client.get("/api/v1/me?token=connote_secret&page=2")
    assert PASSWORD not in lines.getvalue()
    assert "connote_secret" not in lines.getvalue()
    assert "a-secret-link" not in lines.getvalue()
    assert "POST /api/v1/invitations/.../accept" in lines.getvalue()


def test_no_link_to_a_picture_can_be_taken_from_the_logs(client: Client, lines: io.StringIO, db: None) -> None:
    client.get("/media/thumbnails/ab/cd.webp?expires=1&signature=a-secret-signature&download=x.webp")
    assert "a-secret-signature" not in lines.getvalue()
    assert "signature=...&download=x.webp" in lines.getvalue()


@pytest.mark.parametrize(("style", "last"), [("json", "JSONRenderer"), ("console", "ConsoleRenderer")])
def test_the_style_is_the_settings_choice(style: str, last: str) -> None:
    processors = logging_config(level="INFO", style=style)["formatters"]["line"]["processors"]
    assert type(processors[-1]).__name__ == last


def test_the_settings_log_to_one_place() -> None:
    assert django_settings.LOGGING["root"]["handlers"] == ["stderr"]
