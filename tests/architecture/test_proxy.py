"""nginx as it is configured, before a web service of ten lines."""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from email.utils import formatdate
from http.client import HTTPConnection, HTTPResponse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from deploy import compose, native, proxy
from deploy.throwaway import running, temporary_folder

SERVICE = compose.services(
    {"CONNOTE_SECRET_KEY": "k" * 40, "CONNOTE_DATABASE_PASSWORD": "p" * 20, "CONNOTE_REDIS_PASSWORD": "r" * 20}
)["proxy"]
RELEASE = b"".join(b'{"caption": %d}\n' % number for number in range(1000))
RELEASE_TAG = '"9f86d081"'
PICTURES = {"early": 9 * 86_400, "late": 60}  # by name, how many seconds ago it came in
PICTURE = b"RIFF picture" * 50
UPLOADS = "/api/v1/projects/skies/uploads"
SETTINGS = {"CONNOTE_MAX_UPLOAD_MB": "20", "CONNOTE_HTTPS": "false"}
with_https = pytest.mark.parametrize("site", [{"CONNOTE_HTTPS": "True"}], indirect=True, ids=["https"])

pytestmark = pytest.mark.stack


class Web(BaseHTTPRequestHandler):
    """Hands a release and pictures over to nginx, and echoes everything else as JSON."""

    def do_GET(self) -> None:
        if self.path.endswith("/hang-up"):
            self.close_connection = True
            return
        self.send_response(200)
        if self.path == "/api/v1/releases/1":
            self.send_header("X-Accel-Redirect", "/protected-media/releases/ab/abc")
            self.send_header("Content-Type", "application/x-ndjson")
            self.send_header("Content-Disposition", 'attachment; filename="release.jsonl"')
            self.send_header("ETag", RELEASE_TAG)
        if self.path.startswith("/media/"):
            self.send_header("X-Accel-Redirect", f"/protected-media/{self.path.removeprefix('/media/')}")
            self.send_header("Content-Type", "image/webp")
            self.send_header("Cache-Control", "private, max-age=43200, immutable")
        body = self.headers["X-Forwarded-Proto"].encode() * 1000
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        body = str(self.headers["Connection"]).encode()
        self.send_response(201)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        """Keep the tests' output to the tests."""


@pytest.fixture(scope="module")
def web() -> Iterator[int]:
    """The port of the web service."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Web) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


@pytest.fixture(scope="module", params=[{}], ids=[""])
def site(web: int, request: pytest.FixtureRequest) -> Iterator[native.Place]:
    """nginx in front of it, with a front end of one page and one script, and a release of a thousand lines.

    A parameter has settings of the proxy that differ.
    """
    with temporary_folder() as folder:
        place = native.Place(folder, "", "", web_port=web)
        _put(folder / "dist" / "index.html", b"<h1>Connote</h1>")
        _put(folder / "dist" / "assets" / "site-3f2a.js", b"'use strict';" * 200)
        _put(place.data / "media" / "releases" / "ab" / "abc", RELEASE)
        for name, age in PICTURES.items():
            _put(place.data / "media" / "thumbnails" / name, PICTURE)
            os.utime(place.data / "media" / "thumbnails" / name, (time.time() - age,) * 2)
        proxy.write_configuration(place, SETTINGS | request.param, folder / "dist")
        with running(native.process_of(SERVICE, place), ["bash", "-c", f": < /dev/tcp/127.0.0.1/{place.proxy_port}"]):
            yield place


def _put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def ask(
    site: native.Place, path: str, *, method: str = "GET", body: bytes | None = None, headers: Mapping[str, str] = {}
) -> tuple[HTTPResponse, bytes]:
    connection = HTTPConnection("127.0.0.1", site.proxy_port, timeout=10)
    try:
        connection.request(method, path, body=body, headers=dict(headers))
        response = connection.getresponse()
        return response, response.read()
    finally:
        connection.close()


def test_the_configuration_is_one_nginx_accepts(site: native.Place) -> None:
    command = [proxy.nginx() or "nginx", "-t", "-c", str(site.proxy_configuration)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0 and "[warn]" not in done.stderr, done.stderr


@pytest.mark.parametrize("address", ["/", "/projects/skies/gallery", "/sign-in"])
def test_every_page_is_the_front_end_and_is_asked_for_anew(site: native.Place, address: str) -> None:
    response, body = ask(site, address)
    assert (response.status, body) == (200, b"<h1>Connote</h1>")
    assert response.headers["Cache-Control"] == "no-cache"
    assert response.headers["X-Frame-Options"] == "DENY"
    assert "script-src 'self'" in response.headers["Content-Security-Policy"]


def test_built_files_are_kept_for_a_year_and_compressed(site: native.Place) -> None:
    response, _ = ask(site, "/assets/site-3f2a.js", headers={"Accept-Encoding": "gzip"})
    assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert response.headers["Content-Encoding"] == "gzip"


def test_a_built_file_that_is_gone_is_not_answered_with_the_page(site: native.Place) -> None:
    assert ask(site, "/assets/site-0000.js")[0].status == 404


@pytest.mark.parametrize("address", ["/metrics", "/health/ready", "/health/ready/", "/protected-media/releases/ab/abc"])
def test_what_is_for_the_inside_is_not_there(site: native.Place, address: str) -> None:
    assert ask(site, address)[0].status == 404


def test_a_release_is_sent_by_nginx_and_can_be_resumed(site: native.Place) -> None:
    headers = {"Range": "bytes=16-31", "Accept-Encoding": "gzip"}
    response, body = ask(site, "/api/v1/releases/1", headers=headers)
    assert (response.status, body) == (206, RELEASE[16:32])
    assert response.headers["Content-Type"] == "application/x-ndjson"
    assert response.headers["Content-Disposition"] == 'attachment; filename="release.jsonl"'
    assert ask(site, "/api/v1/releases/1")[1] == RELEASE


def test_a_release_keeps_the_tag_it_brings_and_resumes_by_it(site: native.Place) -> None:
    """Its checksum, not what nginx makes of the file's time and length."""
    assert ask(site, "/api/v1/releases/1")[0].headers.get_all("ETag") == [RELEASE_TAG]
    for tag, status in ((RELEASE_TAG, 206), ('"another"', 200)):
        response, _ = ask(site, "/api/v1/releases/1", headers={"Range": "bytes=16-31", "If-Range": tag})
        assert response.status == status, tag


def test_pictures_do_not_tell_when_they_came_in(site: native.Place) -> None:
    """A picture that came in long after those beside it on a page may be there as a hidden control."""
    early, late = ({**ask(site, f"/media/thumbnails/{name}")[0].headers, "Date": ""} for name in PICTURES)
    assert early == late
    assert not {"Last-Modified", "ETag"} & late.keys()
    assert ask(site, "/media/thumbnails/late", headers={"Range": "bytes=5-11"})[1] == b"picture"


@pytest.mark.parametrize("asked", ["If-Modified-Since", "If-Unmodified-Since", "If-Range", "If-Match", "If-None-Match"])
def test_pictures_cannot_be_asked_when_they_came_in(site: native.Place, asked: str) -> None:
    """No condition holds of one picture and not of another: halving the time between would find the second."""
    files = [site.data / "media" / "thumbnails" / name for name in PICTURES]
    came = [int(file.stat().st_mtime) for file in files]
    dates = [formatdate(at + apart, usegmt=True) for at in came for apart in (-5, 0, 5)]
    values = [f'"{at:x}-{len(PICTURE):x}"' for at in came] if asked.endswith("Match") else dates
    partly = {"Range": "bytes=5-11"} if asked == "If-Range" else {}
    asking = [(f"/media/thumbnails/{name}", partly | {asked: value}) for name in PICTURES for value in values]
    assert len({ask(site, path, headers=headers)[0].status for path, headers in asking}) == 1


def test_a_site_without_https_does_not_believe_a_client_that_claims_it(site: native.Place) -> None:
    for headers in ({}, {"X-Forwarded-Proto": "https"}, {"X-Forwarded-Proto": "gopher"}):
        assert ask(site, "/version", headers=headers)[1].startswith(b"httphttp"), headers
    assert "Strict-Transport-Security" not in ask(site, "/")[0].headers


@with_https
def test_a_site_with_https_hands_the_scheme_on_and_asks_for_https_in_future(site: native.Place) -> None:
    assert ask(site, "/version", headers={"X-Forwarded-Proto": "https"})[1].startswith(b"https")
    assert ask(site, "/version")[1].startswith(b"httphttp")
    for address in ("/", "/assets/site-3f2a.js", "/media/thumbnails/late"):
        assert ask(site, address)[0].headers["Strict-Transport-Security"] == "max-age=31536000", address


@pytest.mark.parametrize("method", ["TRACE", "PROPFIND", "FROBNICATE", "GETGET"])
def test_a_made_up_method_does_not_reach_the_web_service(site: native.Place, method: str) -> None:
    response, body = ask(site, "/version", method=method)
    assert response.status == 405
    assert method == "TRACE" or json.loads(body)["code"] == "method_not_allowed"


@pytest.mark.parametrize(
    ("address", "mb", "code"),
    [
        (UPLOADS, 21, "files_too_large"),
        ("/api/v1/session", 11, "too_large"),
        ("/api/v1/projects/skies/runs/uploads", 11, "too_large"),
        ("/admin/x/uploads", 11, "too_large"),
    ],
)
def test_a_body_too_large_for_its_address_is_refused_unread_as_json(
    site: native.Place, address: str, mb: int, code: str
) -> None:
    response, body = ask(site, address, method="POST", body=b"", headers={"Content-Length": str(mb * 1024 * 1024)})
    refused = json.loads(body)
    assert (response.status, refused["code"]) == (413, code)
    assert set(refused) == {"code", "message", "details", "request_id"}


def test_an_upload_is_let_through_and_its_connection_used_once(site: native.Place) -> None:
    response, body = ask(site, UPLOADS, method="POST", body=b"x" * 11 * 1024 * 1024)
    assert (response.status, body) == (201, b"close")
    assert ask(site, "/api/v1/session", method="POST", body=b"x")[1] == b"None"


def test_an_address_that_is_too_long_is_refused_as_json(site: native.Place) -> None:
    response, body = ask(site, "/api/v1/" + "x" * 9000)
    assert (response.status, json.loads(body)["code"]) == (414, "bad_request")


def test_the_logs_of_nginx_keep_no_address_that_would_be_a_key(site: native.Place) -> None:
    """The web service breaks off: nginx's line about it would have the address and the referrer."""
    key = "q7Zk0invitation"
    address = f"/api/v1/invitations/{key}/hang-up"
    assert ask(site, address, headers={"Referer": f"http://{address}"})[0].status == 502
    assert key not in site.log("proxy").read_text()
