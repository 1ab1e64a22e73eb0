"""A crowd outlasts a restart and no more: it gives up together, says what was done, and ends with an error."""

from __future__ import annotations

import json
import logging
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError

from backend.people.models import ApiToken, User
from backend.projects.models import Membership, Project, Role
from workers.management.commands import simulate_annotators
from workers.simulation import patience

pytestmark = pytest.mark.nightly

PICTURE = {"thumbnail": {"small": {"url": "/a.jpg"}}}
PAGE = {"id": "p", "query": None, "image": PICTURE, "items": [{"position": 1, "text": "A dog."}]}
PEOPLE = 80  # more than work at once
ANSWERS = {
    "images": {"results": [{"key": "one", **PICTURE}], "next": None},
    "progress": {"mine": {"judgments_total": 0}},
    "mine": {"is_qualified": True, "guidelines": {"is_asked": False}},
    "next": {"assignment": PAGE, "reason": None},
    "submit": {"next": PAGE},
    "skip": {}, "return": {}, "heartbeat": {},
}  # fmt: skip


class _Site(ThreadingHTTPServer):
    """Answers like the API, but is gone after `n_submits`: it then says 503, or nothing for `hangs` seconds, until it
    `is_back`."""

    daemon_threads, request_queue_size = True, 128

    def __init__(self, *, n_submits: int, hangs: float = 0.0) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.n_left, self.hangs, self.is_back = n_submits, hangs, threading.Event()


class _Answer(BaseHTTPRequestHandler):
    server: _Site
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        name = self.path.rpartition("/")[2].partition("?")[0]
        self.server.n_left -= name == "submit"
        if is_gone := self.server.n_left < 0 and not self.server.is_back.is_set():
            self.server.is_back.wait(self.server.hangs)
        body = json.dumps({} if is_gone else ANSWERS[name]).encode()
        self.send_response(503 if is_gone else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET  # noqa: N815  # the library's name

    def log_message(self, format: str, *args: Any) -> None: ...

    def handle(self) -> None:
        with suppress(OSError):  # who asked has left
            super().handle()


@contextmanager
def going_site(*, back_after: float = 60.0, **given: Any) -> Iterator[str]:
    with _Site(**given) as server:
        timer = threading.Timer(back_after, server.is_back.set)
        timer.start()
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.is_back.set()
        timer.cancel()
        server.shutdown()
        thread.join()


@pytest.fixture
def truth(tmp_path: Path, project: Project, alice: User) -> str:
    Membership.objects.update_or_create(project=project, user=alice, defaults={"role": Role.CURATOR})
    file = tmp_path / "truth.jsonl"
    file.write_text(json.dumps({"image_id": "one", "text": "A dog.", "accepted": ["good"]}))
    return str(file)


@pytest.mark.parametrize(("hangs", "speed"), [(0, 0), (0, 0.5), (60, 0)])
def test_all_give_up_at_once_and_the_command_says_what_was_done(
    hangs: float, speed: float, project: Project, truth: str, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Those who have not come yet stay away, and those deep in thought hear of it: a careful page takes 18 s here."""
    monkeypatch.setattr(patience, "SHORTEST", 3.0)  # far above what a late answer takes on a busy machine
    crowd = [project.slug, f"--annotators={PEOPLE}", "--profiles=always_good,careful", f"--speed={speed}"]
    started, n_submits = time.monotonic(), 0 if speed else 200
    with going_site(n_submits=n_submits, hangs=hangs) as site, pytest.raises(CommandError) as gone:
        call_command("simulate_annotators", *crowd, "--truth", truth, "--site", site, "--patience", "1.5")
    assert time.monotonic() - started < 20
    rows = [re.split(r"  +", line) for line in capsys.readouterr().out.splitlines()]
    n_hits = sum(int(row[4]) for row in rows[1:])
    assert [row[-1] for row in rows].count("stopped") == (0 if speed else PEOPLE - 64), "nobody waits all over again"
    assert str(gone.value) == f"{site} gave no answer for 1.5 seconds. The command stopped after {n_hits} tasks."
    assert (gone.value.returncode, len(rows)) == (1, PEOPLE + 1) and n_submits - PEOPLE <= n_hits <= n_submits
    assert not ApiToken.objects.filter(revoked_at=None).exists()


@pytest.mark.parametrize("hangs", [0, 60])
def test_a_site_that_comes_back_in_time_keeps_everybody(
    hangs: float, project: Project, truth: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with going_site(n_submits=4, hangs=hangs, back_after=0.7) as site:
        call_command("simulate_annotators", project.slug, "--truth", truth, "--site", site, "--hits", "2")
    assert capsys.readouterr().out.count("had enough") == 5


def test_what_was_done_is_told_even_where_the_database_went_with_the_site(
    project: Project, truth: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr(simulate_annotators, "timezone", SimpleNamespace(now=fail))  # asked for a revocation only
    with going_site(n_submits=4) as site, pytest.raises(CommandError, match="gave no answer"):
        call_command("simulate_annotators", project.slug, "--truth", truth, "--site", site, "--patience", "1")
    told = capsys.readouterr()
    assert told.out.count("simulated-") == 5 and "They end within a day" in told.err


def test_no_request_is_a_line_of_the_log(
    project: Project, truth: str, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.INFO)
    with going_site(n_submits=10**6) as site:
        call_command("simulate_annotators", project.slug, "--truth", truth, "--site", site, "--hits", "2")
        assert (caplog.messages, capsys.readouterr().err) == ([], "")
    assert logging.getLogger("httpx").level == logging.NOTSET, "others may log again"


def test_one_seed_is_one_crowd_and_the_table_tells_who_has_which_skill_and_speed(
    project: Project, truth: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def crowd(*options: str) -> list[list[str]]:
        asked = [project.slug, "--truth", truth, "--site", site, "--hits", "0", "--annotators", "8", *options]
        call_command("simulate_annotators", *asked)
        return [re.split(r"  +", line)[1:4] for line in capsys.readouterr().out.splitlines()]

    with going_site(n_submits=0) as site:
        first, again, other = crowd("--seed", "1"), crowd("--seed", "1"), crowd("--seed", "2")
        never, always = crowd("--skill", "0", "0"), crowd("--skill", "1", "1")
    assert first == again and first[0] == ["profile", "skill", "seconds"] == other[0]
    assert not {tuple(row) for row in first[1:]} & {tuple(row) for row in other[1:]}
    assert {row[1] for row in never[1:]} == {"0.000", "-"} and {row[1] for row in always[1:]} == {"1.000", "-"}
