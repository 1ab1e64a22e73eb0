"""Fetching a corpus' pictures: from the open web, within bounds, and never from this server's own network."""

from __future__ import annotations

import gzip
import ipaddress
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpcore
import pytest

from backend.catalogue.sources import MemberRefused
from backend.catalogue.sources.pairs.url_table import MOST_FETCHED
from backend.methods.public_addresses import is_public
from workers.engines.public_web import Deadline, Policy
from workers.tasks.corpora_fetching import Fetcher

ASKED: list[str] = []


class Pages(BaseHTTPRequestHandler):
    """A web server's ways to answer."""

    def do_GET(self) -> None:
        ASKED.append(f"{self.headers['Host'].split(':')[0]}{self.path}")
        getattr(self, f"answer_{self.path.strip('/').split('?')[0].split('/')[0]}")()

    def answer_picture(self) -> None:
        self.send(b"jpeg" * 10)

    def answer_gone(self) -> None:
        self.send_error(404)

    def answer_to(self) -> None:
        self.send_response(302)
        self.send_header("Location", self.path.partition("?")[2])
        self.end_headers()

    def answer_endless(self) -> None:
        self.send_response(200)
        self.end_headers()
        try:
            while True:
                self.wfile.write(b"x" * 65536)
        except OSError:
            pass

    def answer_slow(self) -> None:
        self.send_response(200)
        self.end_headers()
        try:
            for _ in range(100):
                self.wfile.write(b"x")
                self.wfile.flush()
                time.sleep(0.05)
        except OSError:
            pass

    def answer_trickle(self) -> None:
        """Headers that never end."""
        try:
            for n in range(200):
                self.wfile.write(f"HTTP/1.1 200 OK\r\nX-{n}: 1\r\n".encode() if not n else f"X-{n}: 1\r\n".encode())
                self.wfile.flush()
                time.sleep(0.05)
        except OSError:
            pass

    def answer_packed(self) -> None:
        """Ten megabytes of nothing in ten kilobytes, twice over."""
        content = gzip.compress(gzip.compress(bytes(10_000_000)))
        self.send_response(200)
        self.send_header("Content-Encoding", "gzip, gzip")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def send(self, content: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *arguments: Any) -> None:
        """Nothing to the terminal."""


@pytest.fixture
def port() -> Iterator[int]:
    ASKED.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Pages) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


@pytest.fixture
def near(port: int) -> Policy:
    """What the stage allows, and this test's server as well."""
    return Policy(ports=frozenset({80, 443, port}), also=(ipaddress.IPv4Network("127.0.0.1/32"),), seconds=5)


def why_not(fetcher: Fetcher, url: str) -> str:
    with pytest.raises(MemberRefused) as refused:
        fetcher(url)
    assert refused.value.code == "not_fetched"
    return refused.value.message


def names_mean(monkeypatch: pytest.MonkeyPatch, answers: dict[str, list[list[str]]]) -> list[str]:
    """Let names resolve to these addresses, another list each time they are asked. Returns what was asked."""
    asked: list[str] = []
    real = socket.getaddrinfo

    def resolve(host: Any, port: Any, *more: Any, **named: Any) -> Any:
        if host not in answers:
            return real(host, port, *more, **named)
        asked.append(host)
        found = answers[host][min(asked.count(host), len(answers[host])) - 1]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in found]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    return asked


def test_a_picture_is_fetched(near: Policy, port: int) -> None:
    assert Fetcher(near)(f"http://127.0.0.1:{port}/picture") == b"jpeg" * 10


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1/", "http://localhost/", "http://10.0.0.1/", "http://192.168.1.1/", "http://172.16.0.1/",
        "http://169.254.169.254/latest/meta-data", "http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://0.0.0.0/",
        "http://[fe80::1]/", "http://[fd00::1]/", "http://100.64.0.1/", "http://2130706433/", "http://0x7f.1/",
        "http://192.88.99.1/", "http://[::7f00:1]/", "http://[fec0::1]/", "http://[64:ff9b::7f00:1]/",
        "http://224.0.0.1/", "http://255.255.255.255/", "http://[ff02::1]/", "http://[2002:7f00:1::]/",
        "http://user:word@127.0.0.1/", "http://127.1/", "http://[::ffff:10.0.0.1]/", "http://[2001:db8::1]/",
    ],
)  # fmt: skip
def test_no_address_of_this_servers_own_network_is_asked(address: str) -> None:
    assert "only from public addresses" in why_not(Fetcher(), address)


@pytest.mark.parametrize(
    "address", ["file:///etc/passwd", "ftp://example.org/1.jpg", "http://", "no address", "http://["]
)
def test_only_addresses_of_the_web_are_asked(address: str) -> None:
    why_not(Fetcher(), address)


@pytest.mark.parametrize(
    "network",
    [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4", "::/96", "::ffff:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64",
        "2001::/32", "2001:20::/28", "2001:db8::/32", "2002::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8",
    ],
)  # fmt: skip
def test_the_first_and_the_last_address_of_each_special_network_are_not_public(network: str) -> None:
    inside = ipaddress.ip_network(network)
    assert not is_public(str(inside[0])) and not is_public(str(inside[-1]))


@pytest.mark.parametrize(
    "address", ["1.1.1.1", "9.255.255.255", "11.0.0.0", "172.32.0.1", "192.88.98.255", "2606:4700::1111", "2a00::1"]
)
def test_addresses_beside_the_special_networks_are_public(address: str) -> None:
    assert is_public(address)


def test_a_name_that_means_only_private_addresses_is_refused_without_naming_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names_mean(monkeypatch, {"inside.example": [["10.1.2.3"]]})
    assert "10.1.2.3" not in why_not(Fetcher(), "http://inside.example/1.jpg")


def test_only_the_ports_of_the_web_are_asked(port: int) -> None:
    assert "only from public addresses" in why_not(Fetcher(), "http://93.184.216.34:6379/")
    assert ASKED == []


def test_a_name_that_means_a_private_address_among_public_ones_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    names_mean(monkeypatch, {"mixed.example": [["93.184.216.34", "10.0.0.7"]]})
    why = why_not(Fetcher(), "http://mixed.example/1.jpg")
    assert "only from public addresses" in why and "10.0.0.7" not in why


def test_a_name_is_asked_once_so_that_it_cannot_change_its_mind(
    near: Policy, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = names_mean(monkeypatch, {"rebound.example": [["127.0.0.1"], ["10.0.0.7"]]})
    assert Fetcher(near)(f"http://rebound.example:{port}/picture") == b"jpeg" * 10
    assert asked == ["rebound.example"]
    assert ASKED == ["rebound.example/picture"]


@pytest.mark.parametrize("target", ["http://10.0.0.7/", "http://169.254.169.254/", "file:///etc/passwd", "//[::1]/"])
def test_a_redirect_into_the_own_network_is_not_followed(target: str, near: Policy, port: int) -> None:
    why_not(Fetcher(near), f"http://127.0.0.1:{port}/to?{target}")
    assert len(ASKED) == 1


def test_a_redirect_on_the_web_is_followed_and_a_circle_is_not(near: Policy, port: int) -> None:
    site = f"http://127.0.0.1:{port}"
    assert Fetcher(near)(f"{site}/to?{site}/picture") == b"jpeg" * 10
    ASKED.clear()
    why_not(Fetcher(near), f"{site}/to?{site}/to?/to?/to")
    assert len(ASKED) <= near.redirects + 1


def test_an_answer_that_is_no_picture_says_so(near: Policy, port: int) -> None:
    assert why_not(Fetcher(near), f"http://127.0.0.1:{port}/gone") == "The server answered 404 instead of an image."


def test_what_never_ends_is_cut(near: Policy, port: int) -> None:
    fetcher = Fetcher(near, most_bytes=1_000_000)
    assert why_not(fetcher, f"http://127.0.0.1:{port}/endless") == "The image has more than 1,000,000 bytes."


def test_what_trickles_is_cut(near: Policy, port: int) -> None:
    began = time.monotonic()
    fetcher = Fetcher(near, most_seconds=0.3)
    assert "took more than" in why_not(fetcher, f"http://127.0.0.1:{port}/slow")
    assert time.monotonic() - began < 3


def test_headers_that_trickle_are_cut_and_leave_no_thread_behind(near: Policy, port: int) -> None:
    began, threads = time.monotonic(), threading.active_count()
    fetcher = Fetcher(near, most_seconds=0.3)
    assert "took more than" in why_not(fetcher, f"http://127.0.0.1:{port}/trickle")
    assert time.monotonic() - began < 3
    until = time.monotonic() + 5
    while threading.active_count() > threads and time.monotonic() < until:
        time.sleep(0.05)
    assert threading.active_count() <= threads
    assert fetcher(f"http://127.0.0.1:{port}/picture") == b"jpeg" * 10


def test_a_redirect_that_connects_when_time_is_up_is_cut_too(near: Policy, port: int) -> None:
    site = f"http://127.0.0.1:{port}"
    with Deadline(60) as deadline:
        fetcher = Fetcher(near)
        deadline._end()
        with pytest.raises((MemberRefused, httpcore.NetworkError, httpcore.ProtocolError)):
            fetcher._get(f"{site}/to?{site}/trickle", deadline)


def test_a_packed_answer_is_refused_before_it_is_unpacked(near: Policy, port: int) -> None:
    fetcher = Fetcher(near, most_bytes=20_000_000)
    assert "compressed (gzip, gzip)" in why_not(fetcher, f"http://127.0.0.1:{port}/packed")


def test_a_server_that_does_not_answer_says_so(near: Policy) -> None:
    assert "could not download" in why_not(Fetcher(near), "http://127.0.0.1:443/1.jpg")


def test_the_policy_of_the_stage_is_the_strict_one() -> None:
    policy = Fetcher().policy
    assert (policy.ports, policy.also) == ({80, 443}, ()) and MOST_FETCHED <= 50_000_000
