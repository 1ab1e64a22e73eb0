"""What the client makes of answers that a live site gives rarely: full, away, slow, odd or hostile."""

from __future__ import annotations

import hashlib
import json
import threading
import types
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints, is_typeddict

import httpx
import pytest

from connote_client import (
    Client,
    ConnoteError,
    ExportFailed,
    Gone,
    NoAnswer,
    NotConnote,
    NotFinished,
    Progress,
    RunFailed,
    ServerError,
    TooManyRequests,
    rows,
)

SITE = "https://connote.example.org"
SCHEMA = Path(__file__).parents[3] / "frontend" / "schema.json"
Answers = Callable[[httpx.Request], "httpx.Response | Exception"]


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    seconds: list[float] = []
    monkeypatch.setattr("time.sleep", seconds.append)
    return seconds


def client(*answers: Any, seen: list[httpx.Request] | None = None, **words: Any) -> Client:
    """A client of a site that gives these answers one after the other, and the last one from then on."""
    waiting = list(answers)

    def answer(request: httpx.Request) -> httpx.Response:
        request.read()
        (seen if seen is not None else []).append(request)
        said = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        if isinstance(said, Exception):
            raise said
        return said if isinstance(said, httpx.Response) else httpx.Response(200, json=said)

    return Client(words.pop("url", SITE), "connote_secret", transport=httpx.MockTransport(answer), **words)


def error(status: int, code: str = "some_code", **headers: str) -> httpx.Response:
    body = {"code": code, "message": "A sentence.", "details": None, "request_id": "r1"}
    return httpx.Response(status, json=body, headers=headers)


def run(status: str, done: int = 0, total: int | None = None, **more: Any) -> dict[str, Any]:
    return {"id": "r", "stage": "clean", "status": status, "done": done, "total": total, "error": None, **more}


PROJECT = {"slug": "skies", "name": "Skies", "role": "curator", "version": 1}


@pytest.mark.parametrize("status", [429, 503])
def test_a_full_site_is_asked_again_after_the_seconds_that_it_names(status: int, slept: list[float]) -> None:
    full = {"Retry-After": "7"}
    skies = client(PROJECT, error(status, **full), error(status, **full), run("queued")).project("skies")
    assert skies.start("clean").status == "queued"
    assert slept == [7, 7]


def test_a_site_that_names_too_long_a_time_is_not_waited_for(slept: list[float]) -> None:
    with pytest.raises(TooManyRequests, match="A sentence") as full:
        client(error(429, **{"Retry-After": "3600"})).me()
    assert (full.value.seconds, full.value.code, slept) == (3600, "some_code", [])


def test_tries_end_and_the_last_answer_is_the_error(slept: list[float]) -> None:
    seen: list[httpx.Request] = []
    with pytest.raises(ServerError) as away:
        client(httpx.Response(502, text="<html>nginx"), seen=seen, retries=3).me()
    assert (away.value.status, len(seen), len(slept)) == (502, 4, 3)


@pytest.mark.parametrize("problem", [httpx.ReadTimeout("slow"), httpx.RemoteProtocolError("cut")])
def test_what_would_happen_twice_is_sent_once_and_what_is_safe_is_sent_again(
    problem: Exception, slept: list[float]
) -> None:
    seen: list[httpx.Request] = []
    skies = client(PROJECT, problem, run("queued"), seen=seen).project("skies")
    with pytest.raises(NoAnswer):
        skies.start("release")
    assert len(seen) == 2
    held = {"id": "a", "items": [{"position": 1, "text": "a"}], "image": None, "query": None}
    skies = client(PROJECT, {"assignment": held, "reason": None}, problem, {"is_late": False}, seen=seen).project(
        "skies"
    )
    taken = skies.next()
    assert taken and taken.submit(["good"]) == {"is_late": False}
    assert len({request.headers["Idempotency-Key"] for request in seen if "submit" in request.url.path}) == 1
    assert len([request for request in seen if "submit" in request.url.path]) == 2


def test_a_request_that_never_left_is_always_sent_again(slept: list[float]) -> None:
    skies = client(PROJECT, httpx.ConnectError("refused"), run("queued")).project("skies")
    assert skies.start("release").status == "queued"


def test_the_token_goes_to_the_site_alone(slept: list[float], tmp_path: Path) -> None:
    seen: list[httpx.Request] = []
    moved = httpx.Response(302, headers={"Location": "https://storage.example.net/picture"})
    picture = httpx.Response(200, content=b"picture")
    here = client(moved, picture, seen=seen)
    assert here.site.read("/media/picture?signature=x") == b"picture"
    assert here.site.read("https://elsewhere.example.net/picture") == b"picture"
    tokens = {request.url.host: request.headers.get("Authorization") for request in seen}
    assert tokens == {
        "connote.example.org": "Token connote_secret", "storage.example.net": None, "elsewhere.example.net": None,
    }  # fmt: skip
    assert "secret" not in repr(here) + repr(here.site)


def test_the_next_page_is_asked_of_the_same_site_whatever_host_the_answer_names() -> None:
    seen: list[httpx.Request] = []
    first = {
        "results": [PROJECT],
        "next": "http://10.0.0.7:8000/api/v1/projects?cursor=abc&limit=500",
        "previous": None,
    }
    last = {"results": [PROJECT], "next": None, "previous": None}
    found = list(client(first, last, seen=seen, url=f"{SITE}/below/").projects())
    assert [each.slug for each in found] == ["skies", "skies"]
    assert str(seen[1].url) == f"{SITE}/below/api/v1/projects?cursor=abc&limit=500"


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(200, text="<html>a page"),
        httpx.Response(404, text="nothing here"),
        httpx.Response(301, headers={"Location": f"{SITE}/api/v1/me"}),
    ],
)
def test_another_kind_of_site_is_named_as_such(answer: httpx.Response) -> None:
    with pytest.raises(NotConnote):
        client(answer).me()


@pytest.mark.parametrize("url", ["", "connote.example.org", "ftp://connote.example.org", f"{SITE}/?a=1"])
def test_an_address_that_is_none_is_refused_before_anything_is_sent(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CONNOTE_URL", raising=False)
    with pytest.raises(ValueError, match=r"address"):
        Client(url, "token")


def test_a_run_is_waited_for_with_its_progress(slept: list[float]) -> None:
    seen: list[Progress] = []
    states = [run("queued"), run("running", 5, 20), run("running", 10, 20), run("succeeded", 20, 20)]
    ended = client(*states).run("r").wait(progress=seen.append)
    assert (ended.status, [(at.done, at.total) for at in seen]) == (
        "succeeded", [(0, None), (5, 20), (10, 20), (20, 20)],
    )  # fmt: skip
    assert slept == sorted(slept) and len(slept) == 3


def test_a_run_that_fails_is_an_exception_with_its_sentence(slept: list[float]) -> None:
    said = {"code": "no_captions", "message": "There are no captions."}
    with pytest.raises(RunFailed, match="no captions") as failed:
        client(run("running"), run("failed", error=said)).run("r").wait()
    assert (failed.value.code, failed.value.run.status) == ("no_captions", "failed")
    with pytest.raises(RunFailed, match="cancelled"):
        client(run("cancelled")).run("r").wait()


def test_the_time_to_wait_ends() -> None:
    with pytest.raises(NotFinished, match=r"running after 0\.05 seconds"):
        client(run("running")).run("r").wait(timeout=0.05)


def export(state: str, content: bytes = b"", **more: Any) -> dict[str, Any]:
    row = {"id": "e", "what": "judgments", "format": "csv", "state": state, "done": 3, "total": 9, "error": None}
    ready = {"file_name": "Straße.csv", "n_bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    return row | (ready if state == "ready" else {}) | more


def test_an_export_is_started_waited_for_and_saved_under_its_name(slept: list[float], tmp_path: Path) -> None:
    content, seen = b"label\n" * 9, list[httpx.Request]()
    file = httpx.Response(200, content=content)
    states = [export("queued"), export("running"), export("ready", content), file]
    here = client(PROJECT, *states, seen=seen, cache=tmp_path / "cache")
    made = here.project("skies").export("judgments", format="csv", filter={"label": "good"}, leave_out=["comments"])
    path = made.download(tmp_path)
    assert (path.name, path.read_bytes()) == ("Straße.csv", content)
    asked = {"what": "judgments", "format": "csv", "filter": {"label": "good"}, "leave_out": ["comments"]}
    assert json.loads(seen[1].content) == asked


def test_an_export_that_fails_is_an_exception_with_its_sentence(slept: list[float], tmp_path: Path) -> None:
    said = {"code": "disk_full", "message": "The disk is full."}
    with pytest.raises(ExportFailed, match="disk is full"):
        client(export("running"), export("failed", error=said)).export("e").download(tmp_path)


@pytest.mark.parametrize("name", ["../evil.csv", "/etc/passwd", "a/b", "..", "", "a\\b", "C:evil", "a\x00b"])
def test_a_file_name_that_leads_out_of_the_folder_is_refused(name: str, slept: list[float], tmp_path: Path) -> None:
    ready = export("ready", b"evil", file_name=name)
    with pytest.raises(ConnoteError, match="no plain file name"):
        client(ready, httpx.Response(200, content=b"evil")).export("e").download(tmp_path)
    release = {
        "id": "1",
        "version": 1,
        "digest": name,
        "files": [{"name": name, "sha256": "0", "n_bytes": 1, "url": ""}],
    }
    with pytest.raises(ConnoteError, match="no plain file name"):
        client(release).release("1").download(tmp_path / "out")
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_public_link_opens_a_release_without_a_token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONNOTE_TOKEN", "connote_mine")
    seen: list[httpx.Request] = []
    content = b'{"split":"train"}\n'
    digest = hashlib.sha256(content).hexdigest()
    file = {"name": "images.jsonl", "sha256": digest, "n_bytes": len(content), "url": ""}
    row = {"version": 2, "label": "1.1.0", "digest": digest, "n_images": 1, "n_captions": 5, "files": [file]}

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        is_file = request.url.path.endswith("images.jsonl")
        return httpx.Response(200, content=content) if is_file else httpx.Response(200, json=row)

    link = f"{SITE}/below/r/abc_DEF-1?from=mail"
    with Client.public(link, cache=tmp_path, transport=httpx.MockTransport(answer)) as release:
        assert (release.label, list(release.rows())) == ("1.1.0", [{"split": "train"}])
    assert [request.url.path for request in seen] == [
        "/below/api/v1/public/releases/abc_DEF-1", "/below/api/v1/public/releases/abc_DEF-1/files/images.jsonl",
    ]  # fmt: skip
    assert [request.headers.get("Authorization") for request in seen] == [None, None]
    closed = httpx.MockTransport(lambda request: error(410, "release_link_closed"))
    with pytest.raises(Gone, match="A sentence"):
        Client.public(f"{SITE}/r/abc", transport=closed)
    for wrong in (SITE, f"{SITE}/r/", f"{SITE}/projects/skies", "r/abc"):
        with pytest.raises(ValueError, match=r"no.* public link"):
            Client.public(wrong)


def test_two_downloads_of_one_file_at_once_take_turns(tmp_path: Path) -> None:
    content, at_once, most = bytes(range(256)) * 4096, [0], [0]
    file = {"name": "images.jsonl", "sha256": hashlib.sha256(content).hexdigest(), "n_bytes": len(content), "url": ""}
    row = {"id": "1", "version": 1, "digest": "d", "files": [file]}

    class Slow(httpx.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            at_once[0] += 1
            most[0] = max(most[0], at_once[0])
            for start in range(0, len(content), 65536):
                threading.Event().wait(0.002)
                yield content[start : start + 65536]
            at_once[0] -= 1

    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, stream=Slow()) if "/files/" in request.url.path else httpx.Response(200, json=row)

    release = Client(SITE, "t", cache=tmp_path, transport=httpx.MockTransport(answer)).release("1")
    both = [threading.Thread(target=release.file, args=("images.jsonl",)) for _ in range(2)]
    for each in both:
        each.start()
    for each in both:
        each.join()
    assert (release.file("images.jsonl").read_bytes() == content, most[0]) == (True, 1)


# The typed dicts against the schema of the API. TaskImage and the like have other names there.
COMPONENTS = {
    "Person": "PersonOut", "Me": "MeOut", "Counts": "ProjectCountsOut", "Thumbnail": "ThumbnailOut",
    "Thumbnails": "ThumbnailsOut", "Licence": "LicenceOut", "Image": "ImageOut", "UploadedFile": "UploadFileOut",
    "Upload": "UploadOut", "RefusedRow": "RefusalOut", "TaskImage": "AssignmentImageOut", "Item": "AssignmentItemOut",
    "Edit": "EditRequest", "Answer": "JudgmentInRequest", "Figure": "AgreementFigureOut",
    "Judgment": "JudgmentRowOut", "AnnotatorByPseudonym": "AnnotatorRowOut",
    "AgreementSlice": "AgreementSliceOut", "Agreement": "AgreementOut", "Share": "ShareOut",
    "Annotator": "AnnotatorOut", "ReleaseFile": "ReleaseFileOut", "EntryImage": "ReleaseEntryImageOut",
    "EntryCaption": "ReleaseEntryCaptionOut", "Entry": "ReleaseEntryOut", "Withdrawal": "WithdrawalOut",
    "WithdrawnMark": "WithdrawnOut",
}  # fmt: skip
WORDS = {"string": {str}, "integer": {int}, "number": {float}, "boolean": {bool}, "null": {type(None)}, "array": {list},
         "object": {dict}}  # fmt: skip


def test_every_typed_row_has_the_keys_and_types_of_the_schema() -> None:
    components = json.loads(SCHEMA.read_text(encoding="utf-8"))["components"]["schemas"]
    typed = {name: kind for name, kind in vars(rows).items() if is_typeddict(kind)}
    assert set(typed) == set(COMPONENTS)
    for name, kind in typed.items():
        described = components[COMPONENTS[name]]["properties"]
        for key, hint in get_type_hints(kind).items():
            wanted, given = kinds_of_hint(hint), kinds_of_schema(described[key], components)
            assert wanted == given if name != "Answer" else wanted <= given, f"{name}.{key}"


def kinds_of_hint(hint: Any) -> set[type]:
    if isinstance(hint, types.UnionType):
        return set().union(*(kinds_of_hint(each) for each in get_args(hint)))
    plain = get_origin(hint) or hint
    return {dict} if is_typeddict(plain) else {plain}


def kinds_of_schema(schema: Mapping[str, Any], components: Mapping[str, Any]) -> set[type]:
    if "$ref" in schema:
        return kinds_of_schema(components[schema["$ref"].rpartition("/")[2]], components)
    for word in ("oneOf", "allOf", "anyOf"):
        if word in schema:
            return set().union(*(kinds_of_schema(each, components) for each in schema[word]))
    if "type" not in schema:  # an enum of null alone
        return {type(value) for value in schema["enum"]}
    named = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return set().union(*(WORDS[each] for each in named))
