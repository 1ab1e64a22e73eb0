"""What is in an export: the rows of the project or of a release, in every format, and never a test question."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from django.core.files.storage import default_storage
from django.db.models import QuerySet
from rest_framework.test import APIClient

from backend.annotation.models import Assignment, Judgment
from backend.annotation.selectors import counted_judgments
from backend.candidates.models import Candidate
from backend.exports import services
from backend.exports.filters import FORMATS
from backend.exports.models import Export
from backend.exports.rows import BLOCK
from backend.methods.export_rows import unguard
from backend.methods.exports.flat import SCHEMAS
from backend.people.models import User
from backend.projects.models import Project
from backend.releases.models import Release, ReleaseEntry, Withdrawal
from backend.runs.queue import WRITE_EXPORT, app
from exported_world import judge
from world import World

KEPT_WORLD = judge

pytestmark = pytest.mark.both_engines

Make = Callable[..., dict[str, Any]]
Content = Callable[[dict[str, Any]], bytes]
NAMES = (b"bob", b"dora", b"alice")
SECRET = b"Nobody may learn of this test question"


def lines(content: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in content.splitlines()]


def cells(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


def unpacked(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.parametrize("what", FORMATS)
def test_every_format_is_made_whole_and_has_no_test_question(
    make: Make, content: Content, release: Release, what: str
) -> None:
    secret = Candidate.objects.get(text=SECRET.decode())
    for name in FORMATS[what]:
        export = make(what, name, **({"release": str(release.pk)} if what == "release" else {}))
        made = content(export)
        assert (len(made), hashlib.sha256(made).hexdigest()) == (export["n_bytes"], export["sha256"]), name
        assert export["total"] in (None, export["done"]), name
        assert export["n_rows"] == (release.n_images if name == "files" else export["done"]) > 0, name
        is_archive = export["file_name"].endswith(".zip")
        parts = unpacked(made) if is_archive else {"": made}
        for part, told in ((part, readable(told)) for part, told in parts.items()):
            assert not any(word in told for word in (*NAMES, SECRET, secret.key.encode())), (name, part)
        if is_archive:
            sums = [line.split("  ") for line in parts["SHA256SUMS"].decode().splitlines()]
            assert len(sums) == len(parts) - 1
            assert all(hashlib.sha256(parts[part]).hexdigest() == sha256 for sha256, part in sums), name


def readable(content: bytes) -> bytes:
    """The content, of a Parquet file its rows."""
    if not content.startswith(b"PAR1"):
        return content
    return json.dumps(pq.read_table(io.BytesIO(content)).to_pylist(), default=str).encode()


@pytest.mark.nightly
def test_the_three_tables_have_the_same_answers(make: Make, content: Content, judged: Project) -> None:
    told = lines(content(make("judgments", "jsonl", leave_out=[])))
    table = pq.read_table(io.BytesIO(content(make("judgments", "parquet", leave_out=[]))))
    assert table.schema.equals(SCHEMAS["judgments"])
    typed = table.to_pylist()
    flat = cells(content(make("judgments", "csv", leave_out=[])))
    assert [row["id"] for row in told] == [row["id"] for row in typed] == [int(row["id"]) for row in flat]
    ours = Judgment.objects.filter(control=None, candidate__control=None)
    assert len(told) == ours.count() == 64
    assert {row["id"] for row in told if row["is_counted"]} == set(
        counted_judgments(project=judged).values_list("pk", flat=True)
    )
    changed = next(row for row in told if row["supersedes"])
    assert (changed["comment"], changed["seconds"], changed["is_latest"]) == ("=Too dark", 2.5, True)
    before = next(row for row in told if row["id"] == changed["supersedes"])
    assert (before["is_latest"], before["is_counted"], before["annotator"]) == (False, False, changed["annotator"])
    cell = next(row for row in flat if row["supersedes"])
    assert (cell["comment"], unguard(cell["comment"])) == ("'=Too dark", "=Too dark")
    assert json.loads(cell["edits"]) == changed["edits"] == next(row for row in typed if row["supersedes"])["edits"]
    assert (cell["is_latest"], cell["is_generic"]) == ("yes", "no")


@pytest.mark.nightly
@pytest.mark.parametrize("comment", ['"a\\b"', "two\r\nlines", "\n", '""', "'=1", "\x01\x1f", "\u2028 é 😀", ",;\t|"])
def test_a_comment_comes_back_as_it_was_written(make: Make, content: Content, judged: Project, comment: str) -> None:
    first = Judgment.objects.filter(superseded_by=None).earliest("pk")
    World(judged).change_mind(first, "bad", comment=comment)
    told = [next(row["comment"] for row in lines(content(make("judgments", "jsonl"))) if row["supersedes"] == first.pk)]
    table = pq.read_table(io.BytesIO(content(make("judgments", "parquet"))))
    told += [row["comment"] for row in table.to_pylist() if row["supersedes"] == first.pk]
    flat = cells(content(make("judgments", "csv")))
    told += [unguard(row["comment"]) for row in flat if row["supersedes"] == str(first.pk)]
    assert told == [comment] * 3


def test_an_answer_may_be_longer_than_what_is_read_at_once(make: Make, content: Content, judged: Project) -> None:
    first = Judgment.objects.filter(superseded_by=None).earliest("pk")
    edit = {"start": 0, "end": 3, "kind": "replace", "before": "The", "after": 'A "'.ljust(BLOCK * 3, '"')}
    World(judged).change_mind(first, "bad", edits=[edit])
    rows = lines(content(make("judgments", "jsonl")))
    assert [row["edits"] for row in rows if row["supersedes"] == first.pk] == [[edit]]
    assert len(rows) == Judgment.objects.filter(control=None, candidate__control=None).count()


def test_times_are_left_out_unless_asked_for_and_columns_stay(make: Make, content: Content, judged: Project) -> None:
    assert {row["submitted_at"] for row in lines(content(make("judgments", "jsonl")))} == {None}
    export = make("judgments", "csv", leave_out=["comments", "edits", "order", "seconds", "lenses"])
    rows = cells(content(export))
    assert set(rows[0]) == set(SCHEMAS["judgments"].names)
    assert {row[name] for row in rows for name in ("comment", "edits", "position", "options", "seconds")} == {""}
    assert all(row["submitted_at"] for row in rows if not row["supersedes"])
    good = set(Candidate.objects.filter(consensus__label="good").values_list("key", flat=True))
    kept = lines(content(make("judgments", "jsonl", leave_out=["rejected"])))
    assert {row["caption"] for row in kept} == good != {row["caption"] for row in rows}


def test_a_filter_takes_the_answers_that_the_list_takes(
    make: Make, content: Content, judged: Project, client_of: Callable[..., APIClient], alice: User
) -> None:
    client, address = client_of(alice), f"/api/v1/projects/{judged.slug}/judgments"
    everything = client.get(address, {"limit": 500}).json()["results"]
    someone = everything[0]["annotator"]
    moment = Assignment.objects.order_by("submitted_at")[1].submitted_at.isoformat()
    for asked in (
        {"annotator": someone}, {"label": "bad"}, {"image": everything[-1]["image"]}, {"since": moment},
        {"until": moment}, {"counted": True}, {"counted": False}, {"annotator": "nobody"},
    ):  # fmt: skip
        listed = [row["id"] for row in client.get(address, {"limit": 500, **asked}).json()["results"]]
        exported = [row["id"] for row in lines(content(make("judgments", "jsonl", filter=asked)))]
        assert listed == exported, asked
        assert len(listed) < len(everything), asked
        if asked != {"annotator": "nobody"}:
            assert listed, asked


@pytest.mark.nightly
def test_pseudonyms_stay_while_answers_come_and_are_those_of_votes_for_tools(
    make: Make, content: Content, judged: Project, bob: User
) -> None:
    before = {row["id"]: row["annotator"] for row in lines(content(make("judgments", "jsonl")))}
    assert len(set(before.values())) == 3
    World(judged).change_mind(Judgment.objects.filter(annotator=bob).latest("pk"), "bad")
    after = {row["id"]: row["annotator"] for row in lines(content(make("judgments", "jsonl")))}
    assert (len(after), after | before) == (len(before) + 1, after)
    votes = cells(unpacked(content(make("judgments", "crowd-kit")))["judgments.csv"])
    assert {row["worker"] for row in votes} == set(before.values())


@pytest.mark.nightly
def test_captions_are_found_by_label_and_status(make: Make, content: Content, judged: Project) -> None:
    rows = lines(content(make("captions", "jsonl", filter={"label": "bad"})))
    bad = Candidate.objects.filter(consensus__label="bad", control=None)
    assert {row["key"] for row in rows} == set(bad.values_list("key", flat=True)) != set()
    assert [(row["image"], row["key"]) for row in rows] == sorted((row["image"], row["key"]) for row in rows)
    assert content(make("captions", "csv", filter={"status": "dropped"})).count(b"\n") == 1
    texts = {unguard(row["text"]) for row in cells(content(make("captions", "csv")))}
    assert texts == set(Candidate.objects.filter(control=None).values_list("text", flat=True))


def test_a_filtered_release_has_only_the_captions_that_fit(make: Make, content: Content, release: Release) -> None:
    entry = release.entries.all()[0]
    asked = {"split": entry.body["split"], "min_agreement": 0.75}
    wanted = {
        (each.body["digest"], caption["key"])
        for each in release.entries.all() if each.body["split"] == asked["split"]
        for caption in each.body["captions"]
        if caption["n_good"] >= 0.75 * (caption["n_good"] + caption["n_bad"] + caption["n_unsure"])
    }  # fmt: skip
    assert 0 < len(wanted) < release.n_captions
    own = {"release": str(release.pk), "filter": asked}
    assert {(row["image"], row["key"]) for row in lines(content(make("release", "jsonl", **own)))} == wanted
    assert {(row["image"], row["key"]) for row in cells(content(make("release", "csv", **own)))} == wanted
    coco = json.loads(unpacked(content(make("release", "coco", **own)))["captions.json"])
    assert len(coco["annotations"]) == len(wanted)


def without(row: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in names}


@pytest.mark.nightly
def test_a_release_older_than_a_column_leaves_it_empty_in_csv(make: Make, content: Content, release: Release) -> None:
    whole = cells(content(make("release", "csv", release=str(release.pk))))
    for entry in release.entries.all():
        first, *others = entry.body["captions"]
        captions = [
            without(first, "consensus", "cluster", "is_pinned"),
            *({**other, "consensus": without(other["consensus"], "readings")} for other in others),
        ]
        QuerySet(ReleaseEntry).filter(pk=entry.pk).update(body={**entry.body, "captions": captions})
    rows = cells(content(make("release", "csv", release=str(release.pk))))
    assert {row["category_missing"] for row in whole} != {""} == {row["category_missing"] for row in rows}
    same = ("image", "key", "position", "text", "n_good", "difficulty")
    assert [[row[name] for name in same] for row in rows] == [[row[name] for name in same] for row in whole]
    assert [row["category"] for row in rows if row["position"] != "1"] == [
        row["category"] for row in whole if row["position"] != "1"
    ]


def test_an_export_without_rows_is_an_empty_table(make: Make, content: Content, judged: Project) -> None:
    Judgment.objects.exclude(supersedes=None).delete()
    Judgment.objects.all().delete()
    assert content(make("judgments", "jsonl")) == b""
    assert cells(content(make("judgments", "csv"))) == []
    assert pq.read_table(io.BytesIO(content(make("judgments", "parquet")))).num_rows == 0


def test_equal_exports_of_a_release_have_the_same_bytes(make: Make, release: Release) -> None:
    own = {"release": str(release.pk)}
    assert make("release", "coco", **own)["sha256"] == make("release", "coco", **own)["sha256"]


def work_on(export: Export) -> Export:
    app.tasks[WRITE_EXPORT](str(export.pk))
    export.refresh_from_db()
    return export


class PulledPlug(BaseException):
    """Ends the worker as kill -9 does."""


def test_a_killed_worker_s_export_is_made_by_the_next_and_leaves_no_part(
    waiting: Export, monkeypatch: pytest.MonkeyPatch, own_media: Path, settings: Any
) -> None:
    def pull(*_: object, **__: object) -> None:
        default_storage.save(waiting.stored_as or Export.objects.get().stored_as, io.BytesIO(b"half"))  # type: ignore[arg-type]
        raise PulledPlug()

    with monkeypatch.context() as patch:
        patch.setattr(services, "write_export", pull)
        with pytest.raises(PulledPlug):
            work_on(waiting)
    waiting.refresh_from_db()
    assert waiting.state == "running"
    assert services.claim_export(export_id=str(waiting.pk)) is None, "its worker was heard of just now"
    long_ago = waiting.heartbeat_at - timedelta(seconds=2 * settings.RUN_STALE_SECONDS)
    Export.objects.update(heartbeat_at=long_ago, created_at=long_ago)
    assert services.tend_exports()["sent"] == 1
    waiting.refresh_from_db()
    assert (waiting.state, waiting.attempt, waiting.n_rows) == ("ready", 2, 64)
    assert [path.name for path in (own_media / "exports").rglob("*") if path.is_file()] == [
        Path(waiting.stored_as).name
    ]


def test_an_export_that_kills_each_worker_fails_in_words(waiting: Export, settings: Any) -> None:
    long_ago = waiting.created_at - timedelta(seconds=2 * settings.RUN_STALE_SECONDS)
    Export.objects.update(heartbeat_at=long_ago, created_at=long_ago, state="running", attempt=services.MAX_ATTEMPTS)
    services.tend_exports()
    waiting.refresh_from_db()
    assert (waiting.state, waiting.error["code"]) == ("failed", "export_worker_died")


def test_a_worker_whose_export_was_cancelled_or_deleted_stops_and_leaves_no_file(
    waiting: Export, monkeypatch: pytest.MonkeyPatch, own_media: Path
) -> None:
    monkeypatch.setattr(services, "LOOK_SECONDS", -1.0)
    write = services.write_export

    def cancel_first(**asked: Any) -> Path:
        services.cancel_export(export=Export.objects.get())
        return write(**asked)

    monkeypatch.setattr(services, "write_export", cancel_first)
    assert work_on(waiting).state == "cancelled"
    other = Export.objects.create(project=waiting.project, what="captions", format="csv")

    def delete_first(**asked: Any) -> Path:
        services.delete_export(export=Export.objects.get(pk=other.pk))
        return write(**asked)

    monkeypatch.setattr(services, "write_export", delete_first)
    app.tasks[WRITE_EXPORT](str(other.pk))
    assert not Export.objects.filter(pk=other.pk).exists()
    assert [path for path in (own_media / "exports").rglob("*") if path.is_file()] == []


def test_what_breaks_is_told_in_one_sentence(waiting: Export, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(services, "write_export", full)
    assert work_on(waiting).error["code"] == "disk_full"
    Export.objects.update(state="queued")

    def wrong(**_: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr(services, "write_export", wrong)
    assert work_on(waiting).error["params"] == {"kind": "KeyError"}


def test_files_are_kept_for_some_days_only(
    make: Make, judged: Project, own_media: Path, client_of: Callable[..., APIClient], alice: User
) -> None:
    export = make("captions", "jsonl")
    assert services.tend_exports()["expired"] == 0
    row = Export.objects.get()
    Export.objects.update(expires_at=row.finished_at - timedelta(seconds=1))
    assert services.tend_exports()["expired"] == 1
    assert not list((own_media / "exports").rglob("*/*"))
    client = client_of(alice)
    answer = client.get(export["url"])
    assert (answer.status_code, answer.json()["code"]) == (410, "export_expired")
    assert client.get(f"/api/v1/exports/{export['id']}").json()["state"] == "expired"


def test_a_file_with_an_image_that_was_withdrawn_is_not_given_any_more(
    make: Make, release: Release, own_media: Path, client_of: Callable[..., APIClient], alice: User
) -> None:
    own = {"release": str(release.pk)}
    with_it, answers = make("release", "coco", **own), make("judgments", "csv")
    entry = release.entries.all()[0]
    Withdrawal.objects.create(project=release.project, digest=entry.digest, key="photo-0.jpg", reason="Asked to")
    client = client_of(alice)
    answer = client.get(with_it["url"])
    assert (answer.status_code, answer.json()["code"]) == (410, "export_withdrawn")
    assert client.get(answers["url"]).status_code == 200
    assert services.tend_exports()["expired"] == 1
    assert client.get(f"/api/v1/exports/{with_it['id']}").json()["state"] == "expired"
    assert client.get(make("release", "coco", **own)["url"]).status_code == 200
