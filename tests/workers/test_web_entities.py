"""The client of Google Vision against a server that answers in the documented form, and that goes wrong."""

from __future__ import annotations

import json
import logging
from collections import deque
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from vision_server import KEY, Reply, Vision, fault, found, page, refused, serving
from workers.engines import web_entities
from workers.engines.web_answers import Found, NotTaken, WebTitle, host_of, read_answers
from workers.engines.web_entities import ATTEMPTS, WebEntities, batches, check_endpoint
from workers.engines.web_faults import (
    KeyRefusedError,
    MalformedError,
    QuotaSpentError,
    UnreachableError,
    UnsafeEndpointError,
    WebSearchError,
    read_retry_after,
)

Ask = Callable[..., web_entities.Asked]
SKY = WebTitle("A <b>red</b> sky &amp; a tower", "blog.example.org")


@pytest.fixture
def vision() -> Iterator[Vision]:
    with serving() as server:
        yield server


@pytest.fixture
def waits() -> list[float]:
    """How long the client would have waited, in seconds."""
    return []


@pytest.fixture
def ask(vision: Vision, waits: list[float]) -> Iterator[Ask]:
    with WebEntities(key=KEY, endpoint=vision.url, per_minute=10**6, sleep=waits.append, read_seconds=0.3) as client:
        yield lambda *pictures: client.ask(pictures)


def test_titles_come_as_they_are_with_the_hosts_of_their_pages_and_nothing_else(vision: Vision, ask: Ask) -> None:
    vision.answers[b"sky"] = found(
        page(SKY.title),
        page("天空是红色的", "https://user:pass@Bilder.example:8443/a"),
        page("Tab\there \x01", "not an address"),
    )
    asked = ask(b"sky")
    assert asked.error is None
    assert asked.outcomes == (Found((SKY, WebTitle("天空是红色的", "bilder.example"), WebTitle("Tab\there \x01", ""))),)


def test_the_request_is_the_documented_one_and_the_key_is_in_its_header_alone(vision: Vision, ask: Ask) -> None:
    ask(b"\x00\xff picture")
    assert vision.raw == [
        {
            "requests": [
                {"image": {"content": "AP8gcGljdHVyZQ=="}, "features": [{"type": "WEB_DETECTION", "maxResults": 50}]}
            ]
        }
    ]
    assert vision.headers[0]["x-goog-api-key"] == KEY
    assert KEY not in vision.url + json.dumps(vision.raw)


def test_a_picture_that_no_page_shows_is_answered_without_titles(vision: Vision, ask: Ask) -> None:
    vision.answers = {b"b": found(), b"c": found(page(None), page(""), page(" \n"))}
    assert ask(b"a", b"b", b"c").outcomes == (Found(), Found(), Found())


def test_titles_that_no_database_can_hold_are_left_out_and_counted(vision: Vision, ask: Ask) -> None:
    pages = [page("x" * 100_001), page("ä" * 50_001), page("half \ud83d"), page("nul \x00"), page("x" * 100_000)]
    vision.answers[b"sky"] = found(*pages)
    (outcome,) = ask(b"sky").outcomes
    assert isinstance(outcome, Found)
    assert [len(title) for title, _ in outcome.titles] == [100_000]
    assert outcome.left_out == {"not_text": 2, "too_long": 2}


def test_sixteen_pictures_go_in_one_request_and_the_next_in_another(vision: Vision, ask: Ask) -> None:
    pictures = [bytes([n]) for n in range(35)]
    vision.answers = {picture: found(page(f"Title {picture[0]}")) for picture in pictures}
    outcomes = ask(*pictures).outcomes
    assert [len(request) for request in vision.requests] == [16, 16, 3]
    assert [outcome.titles[0].title for outcome in outcomes if isinstance(outcome, Found)] == [
        f"Title {n}" for n in range(35)
    ]


def test_a_request_stays_below_the_size_that_google_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_entities, "MOST_REQUEST_BYTES", 16)
    assert list(batches([b"123456", b"123456", b"1", b"x" * 13, b"2"])) == [
        {0: b"123456", 1: b"123456"}, {2: b"1", 4: b"2"},
    ]  # fmt: skip


def test_a_picture_too_large_for_any_request_is_refused_unsent(
    vision: Vision, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_entities, "MOST_REQUEST_BYTES", 16)
    large, small = ask(b"x" * 13, b"1").outcomes
    assert isinstance(large, NotTaken) and large.code == "too_large"
    assert small == Found()
    assert vision.asked == [b"1"]


def test_one_picture_that_google_refuses_keeps_its_reason_and_the_others_their_titles(vision: Vision, ask: Ask) -> None:
    vision.answers = {b"bad": refused(3, "Bad\nimage data."), b"sky": found(page(SKY.title))}
    asked = ask(b"sky", b"bad", b"none")
    assert asked.outcomes == (Found((SKY,)), NotTaken("not_taken", "Bad image data."), Found())
    assert (asked.error, len(vision.requests)) == (None, 1)


def test_what_is_filled_in_beside_an_error_is_taken(vision: Vision, ask: Ask) -> None:
    vision.answers[b"sky"] = found(page(SKY.title)) | refused(13, "Something else failed.")
    assert ask(b"sky").outcomes == (Found((SKY,)),)


def test_a_picture_that_fails_for_the_moment_is_asked_again_alone(vision: Vision, ask: Ask, waits: list[float]) -> None:
    vision.answers = {b"late": deque([refused(14, "Busy."), found(page(SKY.title))])}
    assert ask(b"sky", b"late").outcomes == (Found(), Found((SKY,)))
    assert vision.requests == [[b"sky", b"late"], [b"late"]]
    assert len(waits) == 1


def test_a_picture_that_never_gets_an_answer_is_refused_with_the_last_reason(vision: Vision, ask: Ask) -> None:
    vision.answers = {b"never": refused(13, "Internal error.")}
    asked = ask(b"never", b"sky")
    assert asked.outcomes == (NotTaken("unanswered", "Internal error."), Found())
    assert (asked.error, len(vision.requests)) == (None, ATTEMPTS)


def test_throttling_waits_as_long_as_it_is_told(vision: Vision, ask: Ask, waits: list[float]) -> None:
    vision.script.extend([fault(429, "Slow down.", "RESOURCE_EXHAUSTED", Retry_After="30")])
    assert ask(b"sky").outcomes == (Found(),)
    assert len(waits) == 1 and 30 <= waits[0] <= 40


def test_waiting_grows_from_one_try_to_the_next(vision: Vision, ask: Ask, waits: list[float]) -> None:
    vision.script.extend([fault(503)] * 4)
    assert ask(b"sky").error is None
    assert [at <= wait <= 1.5 * at for at, wait in zip((1, 2, 4, 8), waits, strict=True)] == [True] * 4


def test_a_quota_that_stays_spent_stops_with_a_sentence(vision: Vision, ask: Ask) -> None:
    vision.script.extend([fault(429, "Quota exceeded for quota metric 'Requests'.", "RESOURCE_EXHAUSTED")] * 20)
    asked = ask(b"sky")
    assert isinstance(asked.error, QuotaSpentError)
    assert "Quota exceeded for quota metric" in str(asked.error) and "Retry this run later" in str(asked.error)
    assert (asked.outcomes, len(vision.requests)) == ((None,), ATTEMPTS)


def test_who_wants_to_be_left_alone_for_an_hour_is_not_asked_again(
    vision: Vision, ask: Ask, waits: list[float]
) -> None:
    vision.script.append(fault(429, "Enough.", Retry_After="3600"))
    assert "wait 3,600 seconds" in str(ask(b"sky").error)
    assert (waits, len(vision.requests)) == ([], 1)


def test_what_a_batch_answered_before_its_quota_was_spent_is_handed_out(vision: Vision, ask: Ask) -> None:
    vision.answers = {b"sky": found(page(SKY.title)), b"late": refused(8, "Quota.")}
    asked = ask(b"sky", b"late", *(bytes([n]) for n in range(20)))
    assert asked.outcomes[:2] == (Found((SKY,)), None)
    assert asked.outcomes[2:16] == (Found(),) * 14
    assert asked.outcomes[16:] == (None,) * 6
    assert isinstance(asked.error, QuotaSpentError)
    assert set(vision.asked[16:]) == {b"late"}


def test_a_server_that_fails_is_asked_again_and_then_given_up(vision: Vision, ask: Ask) -> None:
    vision.script.extend([fault(500), fault(502), Reply(503, b"<html>busy</html>")])
    assert ask(b"sky").outcomes == (Found(),)
    vision.script.extend([fault(500, "Internal.")] * 20)
    asked = ask(b"sky")
    assert isinstance(asked.error, UnreachableError)
    assert "it answered 500 Internal." in str(asked.error)


def test_a_server_that_does_not_answer_in_time_is_asked_again(vision: Vision, ask: Ask) -> None:
    vision.script.append(Reply(delay=1.0))
    assert ask(b"sky").outcomes == (Found(),)
    assert len(vision.requests) == 2


def test_nobody_at_the_address_is_said_so(waits: list[float]) -> None:
    with WebEntities(key=KEY, endpoint="http://127.0.0.1:9/v1", sleep=waits.append) as client:
        error = client.ask([b"sky"]).error
    assert isinstance(error, UnreachableError) and "the connection failed" in str(error)
    assert len(waits) == ATTEMPTS - 1


@pytest.mark.parametrize(
    ("body", "what"),
    [
        (b"<html>log in</html>", "not JSON"),
        (b"[" * 200_000, "not JSON"),
        (b"[]", "not JSON"),
        (b'{"responses": {}}', "not a list of objects"),
        (b'{"responses": [null, {}]}', "not a list of objects"),
        (b'{"responses": [{}]}', "1 responses for 2 images"),
        (b'{"responses": [{}, {}, {}]}', "3 responses for 2 images"),
        (b'{"responses": [{}, {', "not JSON"),
    ],
)
def test_of_an_answer_in_another_form_nothing_is_taken(vision: Vision, ask: Ask, body: bytes, what: str) -> None:
    vision.script.append(Reply(body=body))
    assert ask(b"a", b"b").outcomes == (Found(), Found()), "asked again, it was in the documented form"
    vision.script.extend([Reply(body=body)] * 20)
    asked = ask(b"a", b"b")
    assert asked.outcomes == (None, None)
    assert isinstance(asked.error, MalformedError) and what in str(asked.error)


@pytest.mark.parametrize(
    "response",
    [
        {"webDetection": None}, {"webDetection": []}, {"error": {}}, {"webDetection": {"pagesWithMatchingImages": "x"}},
        {"webDetection": {"pagesWithMatchingImages": [None, 3, {"pageTitle": 3}, {"pageTitle": None}]}},
    ],
)  # fmt: skip
def test_an_odd_corner_of_an_answer_is_no_title(response: dict[str, Any]) -> None:
    assert read_answers(json.dumps({"responses": [response]}).encode(), n=1) == [Found()]


def test_more_pages_than_were_asked_for_are_not_kept() -> None:
    body = json.dumps({"responses": [found(*(page(f"Title {n}") for n in range(80)))]}).encode()
    (answer,) = read_answers(body, n=1)
    assert isinstance(answer, Found) and len(answer.titles) == 50


def test_a_redirect_is_not_followed_with_the_key(vision: Vision, ask: Ask) -> None:
    with serving() as elsewhere:
        vision.script.append(Reply(302, b"", {"Location": elsewhere.url}))
        asked = ask(b"sky")
        assert elsewhere.requests == []
    assert "redirects to another address (302)" in str(asked.error) and "CONNOTE_GOOGLE_VISION_ENDPOINT" in str(
        asked.error
    )
    assert len(vision.requests) == 1


def test_an_answer_without_end_is_not_read_and_the_pictures_are_asked_one_by_one(
    vision: Vision, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_entities, "MOST_ANSWER_BYTES", 5_000)
    vision.answers = {b"sky": found(page(SKY.title)), b"huge": found(page("x" * 20_000))}
    sky, huge = ask(b"sky", b"huge").outcomes
    assert sky == Found((SKY,))
    assert isinstance(huge, NotTaken) and "more than 5,000 bytes" in huge.message
    assert vision.requests == [[b"sky", b"huge"], [b"sky"], [b"huge"]]


def test_a_packed_answer_is_not_unpacked(vision: Vision, ask: Ask) -> None:
    vision.script.extend([Reply(body=b"\x1f\x8b\x08", headers={"Content-Encoding": "gzip"})] * 20)
    assert isinstance(ask(b"sky").error, MalformedError)
    assert vision.headers[0]["accept-encoding"] == "identity"


def test_a_request_that_google_refuses_is_taken_apart_to_find_the_picture(vision: Vision, ask: Ask) -> None:
    no = fault(400, "Request payload is odd.", "INVALID_ARGUMENT")
    vision.script.extend([no, Reply(), no, Reply()])
    asked = ask(b"a", b"b", b"c")
    assert asked.outcomes[::2] == (Found(), Found())
    assert isinstance(asked.outcomes[1], NotTaken) and "Request payload is odd." in asked.outcomes[1].message
    assert asked.error is None


@pytest.mark.parametrize(
    "reply",
    [
        fault(401, "No credentials.", "UNAUTHENTICATED"),
        fault(403, "Cloud Vision API has not been used in this project.", "PERMISSION_DENIED"),
        fault(400, "API key not valid. Please pass a valid API key.", "INVALID_ARGUMENT", reason="API_KEY_INVALID"),
    ],
)
def test_a_key_that_is_refused_names_its_variable_and_is_not_tried_again(
    vision: Vision, ask: Ask, reply: Reply
) -> None:
    vision.script.append(reply)
    asked = ask(b"sky", b"sea")
    assert isinstance(asked.error, KeyRefusedError)
    assert "CONNOTE_GOOGLE_VISION_KEY" in str(asked.error)
    assert json.loads(reply.body or b"")["error"]["message"] in str(asked.error)
    assert len(vision.requests) == 1


def test_an_address_where_no_google_is_names_its_variable(vision: Vision, ask: Ask) -> None:
    vision.script.append(Reply(404, b"nothing here"))
    asked = ask(b"sky")
    assert type(asked.error) is WebSearchError and "CONNOTE_GOOGLE_VISION_ENDPOINT" in str(asked.error)


def test_the_key_is_in_no_log_and_in_no_error_even_where_the_server_sends_it_back(
    vision: Vision, ask: Ask, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    vision.answers = {b"bad": refused(3, f"Bad image under {KEY}.")}
    (outcome,) = ask(b"bad").outcomes
    vision.script.append(fault(403, f"The key {KEY} is not for you.", "PERMISSION_DENIED"))
    error = ask(b"sky").error
    assert "The key ... is not for you." in str(error)
    said = f"{outcome} {error!r} {caplog.text} {[record.__dict__ for record in caplog.records]}"
    assert "images:annotate" in said and KEY not in said


@pytest.mark.parametrize("key", ["two words", "täst", "line\nbreak", ""])
def test_a_key_that_cannot_be_one_is_refused_before_anything_is_sent(vision: Vision, key: str) -> None:
    with pytest.raises(KeyRefusedError, match="CONNOTE_GOOGLE_VISION_KEY"):
        WebEntities(key=key, endpoint=vision.url)


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://vision.googleapis.com/v1/images:annotate", "ftp://127.0.0.1/", "vision.googleapis.com", "", "https://",
        "http://127.0.0.1.example.org/", "http://[::1", "https://example.org:port/", "file:///etc/passwd",
    ],
)  # fmt: skip
def test_an_endpoint_that_would_get_the_key_unencrypted_is_refused(endpoint: str) -> None:
    with pytest.raises(UnsafeEndpointError, match="CONNOTE_GOOGLE_VISION_ENDPOINT must be an https address"):
        WebEntities(key=KEY, endpoint=endpoint)


def test_https_and_this_very_machine_are_allowed() -> None:
    assert not check_endpoint("https://vision.googleapis.com/v1/images:annotate")
    assert check_endpoint("http://localhost:8080/v1") and check_endpoint("http://[::1]:8080/v1")


def test_no_more_pictures_are_sent_in_a_minute_than_allowed(vision: Vision, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [1000.0]
    monkeypatch.setattr("kombu.utils.limits.monotonic", lambda: clock[0])

    def sleep(seconds: float) -> None:
        clock[0] += seconds + 1e-6

    with WebEntities(key=KEY, endpoint=vision.url, per_minute=60, sleep=sleep) as client:
        client.ask([bytes([n]) for n in range(100)])
    # 16 may go at once, the other 84 one a second.
    assert clock[0] - 1000 == pytest.approx(84, abs=0.1)


@pytest.mark.parametrize(
    ("value", "seconds"), [("7", 7), (" 0 ", 0), ("", 0), ("soon", 0), ("-3", 0), ("1e9", 0), ("９", 0)]
)
def test_retry_after_in_seconds(value: str, seconds: float) -> None:
    assert read_retry_after(value) == seconds


def test_retry_after_as_a_date() -> None:
    until = datetime.now(UTC) + timedelta(seconds=90)
    assert read_retry_after(format_datetime(until, usegmt=True)) == pytest.approx(90, abs=5)
    assert read_retry_after("Wed, 21 Oct 2015 07:28:00 GMT") == 0


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://Example.ORG/a", "example.org"), ("https://example.org:99999999/", "example.org"),
        ("https://münchen.example/", "münchen.example"), ("https://[::1]/", ""), ("https://[", ""), ("/a/b", ""),
        ("https://a b/", ""), ("https://a\x00b/", ""), ("javascript:alert(1)", ""), (None, ""), (7, ""),
        (f"https://{'a' * 254}/", ""),
    ],
)  # fmt: skip
def test_of_an_address_only_the_host_is_read(url: object, host: str) -> None:
    assert host_of(url) == host
