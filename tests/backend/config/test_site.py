"""The front end's page, and the headers that keep other people's scripts out of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

PAGE = "<!doctype html><title>Connote</title>"


@pytest.fixture
def built(settings: object, tmp_path: Path) -> None:
    settings.FRONTEND_DIST = tmp_path
    (tmp_path / "index.html").write_text(PAGE)


@pytest.mark.parametrize("address", ["/", "/sign-in", "/projects/skies/annotate", "/invitations/abc", "/apiary"])
def test_every_page_of_the_site_is_the_one_page(client: Client, built: None, address: str) -> None:
    answer = client.get(address)
    assert (answer.status_code, answer.content.decode()) == (200, PAGE)
    assert answer["Content-Type"].startswith("text/html")
    assert answer["Cache-Control"] == "no-cache"


def test_the_page_brings_the_csrf_cookie(client: Client, built: None) -> None:
    assert "csrftoken" in client.get("/").cookies


def test_before_the_front_end_is_built_the_page_says_how_to_build_it(
    client: Client, settings: object, tmp_path: Path
) -> None:
    settings.FRONTEND_DIST = tmp_path
    answer = client.get("/")
    assert answer.status_code == 503
    assert "make demo" in answer.content.decode()


@pytest.mark.parametrize("address", ["/assets/gone.js", "/api/v1/nothing", "/static/gone.css", "/media/gone.webp"])
def test_what_is_no_page_is_not_found_as_json(client: Client, built: None, db: None, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code in (403, 404)
    assert PAGE not in answer.content.decode()


def test_nothing_is_posted_to_a_page(built: None) -> None:
    assert Client().post("/").status_code == 405


POLICY = {
    "default-src": "'self'",
    "script-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'self'",
    "frame-ancestors": "'none'",
    "form-action": "'self'",
}


@pytest.mark.parametrize("address", ["/", "/api/v1/session", "/health/live", "/api/docs", "/admin/login/"])
def test_every_answer_carries_the_policy(client: Client, built: None, db: None, address: str) -> None:
    answer = client.get(address)
    sent = dict(part.strip().split(" ", 1) for part in answer["Content-Security-Policy"].split(";") if part.strip())
    assert {name: sent.get(name) for name in POLICY} == POLICY
    assert "unsafe-eval" not in answer["Content-Security-Policy"]
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Referrer-Policy"] == "same-origin"
    assert answer["Cross-Origin-Opener-Policy"] == "same-origin"


@pytest.mark.parametrize("address", ["/api/docs", "/api/docs/runs", "/", "/api/v1/session"])
def test_no_page_may_style_inline(client: Client, built: None, db: None, address: str) -> None:
    assert "'unsafe-inline'" not in client.get(address)["Content-Security-Policy"]


@pytest.mark.parametrize("address", ["/index.html", "/assets/site.js"])
def test_files_of_the_front_end_carry_the_policy_and_are_not_for_other_sites(
    settings: object, tmp_path: Path, address: str
) -> None:
    (tmp_path / "assets").mkdir()
    for name in ("index.html", "assets/site.js"):
        (tmp_path / name).write_text(PAGE)
    settings.WHITENOISE_ROOT = tmp_path
    answer = Client().get(address)
    assert b"".join(answer) == PAGE.encode()
    assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]
    assert answer["X-Frame-Options"] == "DENY"
    assert "Access-Control-Allow-Origin" not in answer


def test_the_index_leads_to_every_part_of_the_api(client: Client, db: None) -> None:
    index = client.get("/api/v1/").json()
    addresses = {value for value in index.values() if isinstance(value, str) and "://" in value}
    assert f"{index['schema']}".startswith("http://testserver/")
    assert {client.get(address).status_code for address in addresses} <= {200, 401}
