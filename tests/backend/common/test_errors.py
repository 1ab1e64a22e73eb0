"""Every refusal has one shape, whatever was wrong, and carries the id under which it is logged."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from django.conf import settings as django_settings
from django.db import OperationalError
from django.test import Client
from rest_framework.exceptions import ValidationError
from rest_framework.test import APIClient

from backend.common.errors import Conflict, ConnoteError, Gone, InvalidInput, NotAllowed, NotFound, Stale
from backend.common.exception_handler import handle_exception
from backend.config import urls
from backend.people.models import User
from backend.people.throttles import WindowThrottle
from backend.projects.models import Project
from nightly import nightly

Clients = Callable[..., APIClient]
SESSION, PROJECTS, SKIES = "/api/v1/session", "/api/v1/projects", "/api/v1/projects/skies"


@pytest.fixture(autouse=True)
def one_try(monkeypatch: pytest.MonkeyPatch) -> None:
    rates = dict.fromkeys(WindowThrottle.THROTTLE_RATES, "2/hour")
    monkeypatch.setattr(WindowThrottle, "THROTTLE_RATES", rates)


def send(client: APIClient, method: str, address: str, data: object = None, **options: object) -> object:
    return getattr(client, method)(address, data, **options)


RAW = {"content_type": "application/json"}
REFUSALS = [
    ("alice", "post", PROJECTS, {"name": ""}, {}, 400, "invalid"),
    ("alice", "post", PROJECTS, "{", RAW, 400, "unreadable"),
    ("alice", "post", PROJECTS, "", RAW, 400, "invalid"),
    ("alice", "post", PROJECTS, b"\xff\xfe", RAW, 400, "unreadable"),
    ("alice", "post", PROJECTS, '{"name": NaN}', RAW, 400, "unreadable"),
    ("alice", "post", PROJECTS, "[" * 100_000, RAW, 400, "unreadable"),
    ("alice", "post", PROJECTS, "1" * 10_000, RAW, 400, "unreadable"),
    ("alice", "post", PROJECTS, r'{"name": "\ud800"}', RAW, 400, "unreadable"),
    ("alice", "post", PROJECTS, r'{"name": "a\u0000b"}', RAW, 400, "unreadable"),
    ("alice", "post", PROJECTS, r'{"na\u0000me": "b"}', RAW, 400, "unreadable"),
    ("alice", "post", PROJECTS, "[]", RAW, 400, "invalid"),
    ("alice", "post", PROJECTS, "null", RAW, 400, "invalid"),
    (None, "get", PROJECTS, None, {}, 401, "not_signed_in"),
    (None, "post", PROJECTS, "{", RAW, 401, "not_signed_in"),
    ("bob", "patch", SKIES, {"version": 1}, {}, 403, "only_curators"),
    ("bob", "get", "/api/v1/projects/nowhere", None, {}, 404, "not_found"),
    ("bob", "get", "/api/v1/nothing", None, {}, 404, "not_found"),
    ("bob", "patch", "/api/v1/me", "null", RAW, 400, "invalid"),
    ("bob", "patch", "/api/v1/me", "[1]", RAW, 400, "invalid"),
    ("bob", "get", "/api/v2/projects", None, {}, 404, "not_found"),
    (None, "post", "/api/", None, {}, 404, "not_found"),
    ("bob", "put", PROJECTS, {}, {}, 405, "method_not_allowed"),
    ("alice", "delete", SKIES, None, {}, 405, "method_not_allowed"),
    ("alice", "patch", SKIES, {"version": 9}, {}, 409, "stale"),
    ("alice", "post", PROJECTS, "name=Skies", {"content_type": "application/x-www-form-urlencoded"}, 415, None),
    ("alice", "post", PROJECTS, "<project/>", {"content_type": "text/xml"}, 415, None),
]


@pytest.mark.parametrize(("who", "method", "address", "data", "options", "status", "code"), REFUSALS)
def test_every_refusal_has_the_one_shape(
    request: pytest.FixtureRequest,
    client_of: Clients,
    project: Project,
    who: str | None,
    method: str,
    address: str,
    data: object,
    options: dict,
    status: int,
    code: str | None,
) -> None:
    client = client_of(request.getfixturevalue(who) if who else None)
    answer = send(client, method, address, data, **options)
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/json"
    body = answer.json()
    assert set(body) - {"fields"} == {"code", "message", "details", "request_id"}
    assert body["code"] == (code or "unsupported_media_type")
    assert body["message"].strip().endswith((".", "?"))
    assert body["details"] is None or isinstance(body["details"], dict)
    assert body["request_id"]
    assert body["request_id"] == answer["X-Request-ID"]


def test_too_many_tries_have_it_too(client_of: Clients, bob: User) -> None:
    guess = {"username": "bob", "password": "guess"}
    answers = [client_of().post(SESSION, guess) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [400, 400, 429]
    assert set(answers[2].json()) == {"code", "message", "details", "request_id"}
    assert int(answers[2]["Retry-After"]) >= 1
    assert answers[2].json()["code"] == "too_many_requests"


@pytest.mark.parametrize("address", [SESSION, "/admin/login/", f"{SKIES}/uploads"])
def test_a_body_announced_too_large_is_refused_to_anybody_before_the_csrf_check_reads_it(
    client: Client, db: None, address: str
) -> None:
    form = "multipart/form-data; boundary=b"
    answer = client.post(address, b"--b--", content_type=form, headers={"Content-Length": str(10**13)})
    assert (answer.status_code, answer.json()["code"]) == (413, "too_many_mb")
    assert "MB" in answer.json()["message"]


def test_a_body_too_large_is_refused_before_it_is_read(client_of: Clients, alice: User, settings: object) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    answer = client_of(alice).post(PROJECTS, {"name": "n" * 1001})
    assert (answer.status_code, answer.json()["code"]) == (413, "too_many_mb")


def test_text_that_only_looks_like_a_null_is_let_through(client_of: Clients, alice: User) -> None:
    body = json.dumps({"name": "back\\u0000slash", "direction": "captions_of_image"})
    answer = client_of(alice).post(PROJECTS, body, content_type="application/json")
    assert (answer.status_code, answer.json()["name"]) == (201, "back\\u0000slash")


def test_field_errors_name_their_field_in_the_sentence_and_in_the_details(client_of: Clients, alice: User) -> None:
    body = client_of(alice).post(PROJECTS, {"name": "", "direction": "sideways"}).json()
    assert body["details"] == {
        "name": ["Fill in this field."],
        "direction": ['"sideways" is not one of the choices.'],
    }
    assert body["message"] == "name: Fill in this field."


def test_an_id_the_caller_made_up_does_not_enter_our_logs(client_of: Clients, db: None) -> None:
    answer = client_of().get(PROJECTS, headers={"X-Request-ID": "abc-123"})
    assert answer.json()["request_id"] == answer["X-Request-ID"] != "abc-123"


def test_two_requests_have_two_ids(client_of: Clients, db: None) -> None:
    assert client_of().get(PROJECTS)["X-Request-ID"] != client_of().get(PROJECTS)["X-Request-ID"]


def test_what_breaks_on_our_side_says_so_in_the_same_shape(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(**_: object) -> None:
        raise RuntimeError("the secret path of a file")

    monkeypatch.setattr("backend.projects.selectors.list_projects", broken)
    client = APIClient(raise_request_exception=False)
    client.force_login(alice)
    answer = client.get(PROJECTS)
    assert (answer.status_code, answer.json()["code"]) == (500, "server_error")
    assert "secret" not in answer.content.decode()
    assert answer.json()["request_id"] == answer["X-Request-ID"]


def test_a_database_that_is_away_is_told_as_such_and_when_to_try_again(
    client_of: Clients, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(**_: object) -> None:
        raise OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr("backend.projects.selectors.list_projects", away)
    answer = client_of(alice).get(PROJECTS)
    assert (answer.status_code, answer["Retry-After"]) == (503, "2")
    assert answer.json()["code"] == "database_unavailable"
    assert "server closed" not in answer.json()["message"]


def test_a_host_we_do_not_serve_is_refused_in_the_same_shape(settings: object) -> None:
    settings.ALLOWED_HOSTS = ["connote.example.org"]
    answer = Client(raise_request_exception=False).get("/api/v1/session", headers={"Host": "evil.example.org"})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")


@pytest.mark.parametrize("error", [ConnoteError, InvalidInput, NotAllowed, NotFound, Conflict, Stale, Gone])
def test_an_error_without_a_message_says_its_docstring(error: type[ConnoteError]) -> None:
    raised = error(details={"a": 1})
    assert raised.message == " ".join((error.__doc__ or "").split())
    assert (raised.error_code, raised.details) == (error.code, {"a": 1})


@pytest.mark.parametrize("who", [nightly("alice"), nightly("bob"), nightly("charlie"), None])
def test_options_and_head_are_answered_everywhere(
    request: pytest.FixtureRequest, client_of: Clients, project: Project, who: str | None
) -> None:
    client = client_of(request.getfixturevalue(who) if who else None)
    for route in _api_routes():
        for method in ("options", "head"):
            assert getattr(client, method)(f"/api/v1/{route}").status_code < 500, (method, route)


def _api_routes() -> list[str]:
    """Every address under /api/v1/ with something plausible in each of its places."""
    fill = {"slug:slug": "skies", "int": "1", "uuid": "11111111-1111-4111-8111-111111111111", "str": "x"}
    routes = [
        str(pattern.pattern)
        for included in urls.urlpatterns
        if str(included.pattern) == "api/v1/"
        for pattern in included.url_patterns
    ]
    return [re.sub(r"<(slug:slug|\w+):?\w*>", lambda place: fill.get(place[1], "x"), route) for route in routes]


def test_no_setting_lets_the_browsable_api_or_a_form_in() -> None:
    rest = django_settings.REST_FRAMEWORK
    assert rest["DEFAULT_RENDERER_CLASSES"] == ["rest_framework.renderers.JSONRenderer"]
    assert rest["DEFAULT_PARSER_CLASSES"] == ["backend.common.parsers.StrictJSONParser"]


def test_an_error_about_no_field_has_its_sentences_by_a_name_too() -> None:
    """Some views refuse a body of `null` with a list."""
    answer = handle_exception(ValidationError(["No data provided"]), {})
    assert answer is not None and list(answer.data["details"]) == ["non_field_errors"]


def test_field_errors_carry_a_code_and_their_values_beside_the_sentence(client_of: Clients, alice: User) -> None:
    body = client_of(alice).post(PROJECTS, {"name": "n" * 300, "overlap": 51, "direction": "sideways"}).json()
    (long,), (high,), (choice,) = (body["fields"][name] for name in ("name", "overlap", "direction"))
    assert (long["code"], set(long["params"])) == ("too_long", {"most"})
    assert high == {"code": "too_high", "message": "Enter 50 or less.", "params": {"most": 50}}
    assert choice["params"] == {"value": "sideways"}
    assert body["details"]["overlap"] == [high["message"]]


@pytest.mark.parametrize("address", ["/api/v1/session", f"{SKIES}/runs", "/api/v1/nothing/uploads", "/admin/x/uploads"])
def test_only_the_address_of_uploads_takes_the_body_of_an_upload(client: Client, db: None, address: str) -> None:
    form, announced = "multipart/form-data; boundary=b", {"Content-Length": str(11 * 1024 * 1024)}
    assert client.post(address, b"--b--", content_type=form, headers=announced).status_code == 413
    assert client.post(f"{SKIES}/uploads", b"--b--", content_type=form, headers=announced).status_code == 401


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
@pytest.mark.parametrize("address", ["/api/v1/nothing", "/api/v1/projects/skies/runs/first", "/api/"])
def test_an_unknown_address_of_the_api_is_told_as_json_to_strangers_too(db: None, method: str, address: str) -> None:
    answer = getattr(Client(enforce_csrf_checks=True), method)(address, b"x", content_type="text/plain")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_a_page_that_takes_no_post_says_so_to_strangers_too() -> None:
    assert Client(enforce_csrf_checks=True).post("/sign-in").status_code == 405


def test_the_csrf_check_refuses_in_the_same_shape_outside_the_api() -> None:
    answer = Client(enforce_csrf_checks=True).put("/health/live")
    assert (answer.status_code, answer.json()["code"]) == (403, "csrf_failed")


@pytest.mark.parametrize("method", ["FROBNICATE", "CONNECT", "X" * 5000])
def test_a_made_up_method_is_refused_and_counted_nowhere(client: Client, db: None, method: str) -> None:
    answer = client.generic(method, "/health/live")
    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
    assert "GET" in answer["Allow"]
    assert f'method="{method}"' not in client.get("/metrics").content.decode()


@pytest.mark.nightly
@pytest.mark.parametrize("address", [PROJECTS, SKIES, f"{SKIES}/images", "/api/v1/me", "/api/v1/nothing"])
def test_no_cache_keeps_an_answer_of_the_api_or_gives_it_to_another_person(
    client_of: Clients, project: Project, alice: User, address: str
) -> None:
    answer = client_of(alice).get(address)
    assert {"private", "no-store"} <= {word.strip() for word in answer["Cache-Control"].split(",")}
    assert {"Authorization", "Cookie"} <= {word.strip() for word in answer["Vary"].split(",")}
