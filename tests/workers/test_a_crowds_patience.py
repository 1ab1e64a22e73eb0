"""What a crowd bears from its site, and that it goes home when told to."""

from __future__ import annotations

from threading import Event
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from workers.simulation import patience, rounds, work
from workers.simulation.client import ApiClient, ApiRefusedError, SiteAwayError
from workers.simulation.patience import Patience
from workers.simulation.work import STOPPED, Day, Said, Worker

REFUSED = httpx.Response(409, json={"code": "already_skipped", "message": "Left before."})
CROWDED = httpx.Response(409, json={"code": "crowded", "message": "Try again."})
FINE = httpx.Response(200, json={"next": None})
GONE = httpx.ReadError("Connection reset by peer")


def client_of(monkeypatch: pytest.MonkeyPatch, *answers: httpx.Response | Exception, **more: Any) -> ApiClient:
    """A client whose requests are answered by these in turn; `asked` collects what was sent."""
    left = list(answers)
    client = ApiClient("http://site", token="t", wait=lambda seconds: None, **more)
    client.asked = []  # type: ignore[attr-defined]

    def answer(method: str, address: str, **request: Any) -> httpx.Response:
        client.asked.append(request.get("headers"))  # type: ignore[attr-defined]
        if isinstance(given := left.pop(0), Exception):
            raise given
        given.request = httpx.Request(method, f"http://site{address}")
        return given

    monkeypatch.setattr(client._http, "request", answer)
    return client


@pytest.mark.parametrize("trouble", [GONE, httpx.ConnectError("refused"), httpx.Response(503), CROWDED])
def test_a_submit_is_sent_again_under_its_key_while_the_site_is_away(
    trouble: httpx.Response | Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = client_of(monkeypatch, trouble, trouble, FINE, patience=Patience(60))
    assert client.submit("a", []) is None
    first, second, third = client.asked  # type: ignore[attr-defined]
    assert first["Idempotency-Key"] == second["Idempotency-Key"] == third["Idempotency-Key"]


def test_without_patience_or_once_it_ends_the_site_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SiteAwayError, match="reset by peer"):
        client_of(monkeypatch, GONE).get("/x")
    stopped = client_of(monkeypatch, GONE, patience=Patience(60))
    stopped._wait = lambda seconds: True
    with pytest.raises(SiteAwayError, match="reset by peer"):
        stopped.get("/x")


def test_a_repeated_skip_whose_first_answer_was_lost_is_done_and_a_first_one_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert client_of(monkeypatch, GONE, REFUSED, patience=Patience(60)).post("/assignments/a/skip") == {}
    with pytest.raises(ApiRefusedError, match="Left before"):
        client_of(monkeypatch, REFUSED, patience=Patience(60)).post("/assignments/a/skip")


@pytest.mark.nightly
def test_who_alone_is_sent_away_goes_alone_and_who_finds_the_site_gone_takes_the_others_along(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(patience, "SHORTEST", 0.1)
    for trouble, is_lost in ((CROWDED, False), (httpx.Response(429), False), (GONE, True), (httpx.Response(503), True)):
        ours = Patience(0.05)
        with pytest.raises(SiteAwayError):
            client_of(monkeypatch, *[trouble] * 10**6, patience=ours).get("/x")
        assert ours.is_lost is is_lost


def test_a_request_may_take_as_long_as_is_left_of_the_crowds_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(patience, "time", SimpleNamespace(monotonic=lambda: now))
    ours = Patience(50)
    assert ours.asked() == 50
    now += 20
    assert ours.asked() == 30, "nobody has been answered since the first asked"
    now += 29
    assert ours.asked() == patience.SHORTEST
    ours.answered(by_the_site=True)
    assert ours.asked() == 50, "somebody was"
    for _ in range(3):
        ours.answered(by_the_site=True)
    now += 1000
    assert ours.asked() == 50 and not ours.ends(now), "while all of them think, nobody waits for the site"
    assert Patience().asked() == patience.LONGEST


class Desk:
    """A site that has one page after the other, of three captions each."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def get(self, address: str) -> dict[str, Any]:
        return {"is_qualified": True, "guidelines": {"is_asked": False}}

    def post(self, address: str, body: object = None) -> dict[str, Any]:
        self.asked.append(address.rpartition("/")[2])
        return {"assignment": page(), "reason": None}

    def submit(self, assignment_id: str, judgments: list[dict[str, Any]]) -> dict[str, Any]:
        self.asked.append("submit")
        return page()


def page() -> dict[str, Any]:
    picture = {"thumbnail": {"small": {"url": "/a.jpg"}}}
    items = [{"position": position, "text": "x"} for position in (1, 2, 3)]
    return {"id": "p", "query": None, "image": picture, "items": items}


class Stopping:
    """Says good, and rings the bell at the fifth pair."""

    def __init__(self, stop: Event, seconds: float = 0.0) -> None:
        self.stop, self.seconds, self.n = stop, seconds, 0

    def judge(self, picture: str, text: str) -> Said:
        self.n += 1
        if self.n == 5:
            self.stop.set()
        return Said(self.seconds, {"label": "good"})

    def skips(self) -> None:
        return None


def work_until_stopped(desk: Desk, *, speed: float = 0, seconds: float = 0.0) -> Day:
    mind = Stopping(stop := Event(), seconds)
    return Worker(desk, name="ann", project="p", mind=mind, speed=speed, stop=stop).work()  # type: ignore[arg-type]


def test_who_is_stopped_gives_back_the_page_and_tells_what_they_did() -> None:
    desk = Desk()
    day = work_until_stopped(desk)
    assert (desk.asked, day.ended, day.done["pairs"]) == (["next", "submit", "return"], STOPPED, 3)


def test_a_page_of_many_short_thoughts_has_its_sign_of_life(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "BEAT", 0.02)
    desk = Desk()
    day = work_until_stopped(desk, speed=1, seconds=0.015)  # none is as long as a beat, two are
    assert desk.asked[1:3] == ["heartbeat", "heartbeat"] and day.done["heartbeats"] == 2


def test_ctrl_c_ends_the_round_and_what_was_done_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(turns: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(rounds, "as_completed", interrupt)
    stop = Event()
    days = rounds.work_in_rounds(lambda number, n_done: until(stop), 2, at_once=2, stop=stop)
    assert [day.ended for day in days] == [STOPPED, STOPPED]


def test_one_who_breaks_down_sends_the_others_home() -> None:
    stop = Event()

    def turn(number: int, n_done: int) -> Day:
        return until(stop) if number else page()["none"]

    with pytest.raises(KeyError):
        rounds.work_in_rounds(turn, 2, at_once=2, stop=stop)
    assert stop.is_set()


def until(stop: Event) -> Day:
    return Day("ann", ended=STOPPED if stop.wait(30) else "worked on")
