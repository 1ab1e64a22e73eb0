"""Whatever files a curator sends, the API answers with a sentence, and each import tells the result of every row."""

from __future__ import annotations

import csv
import gzip
import io
import json
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Mapping

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rest_framework.test import APIClient

from backend.people.models import User
from backend.projects.models import Project
from backend.runs.models import Run
from drawn import BY, draw
from nightly import nightly

pytestmark = pytest.mark.django_db(transaction=True)
Rows = list[dict[str, str]]
TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc", "Cn"), include_characters="\n\"'\u2028\x85"), max_size=30)
rows = st.lists(TEXTS, min_size=1, max_size=4).map(
    lambda texts: [{"file": f"{n}.png", "license": BY, "caption": f"A dog {text}"} for n, text in enumerate(texts)]
)
damage = st.lists(st.tuples(st.integers(0, 3000), st.sampled_from("cdf"), st.binary(max_size=3)), max_size=3)


def pictures(rows: Rows) -> dict[str, bytes]:
    """The files that the rows name."""
    return {row["file"]: draw(n) for n, row in enumerate(rows)}


def as_csv(rows: Rows) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, tuple(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def as_nested(rows: Rows) -> bytes:
    return json.dumps({"data": {"items": rows}}).encode()


def as_zip(rows: Rows) -> bytes:
    with zipfile.ZipFile(packed := io.BytesIO(), "w") as archive:
        for name, data in {**pictures(rows), "rows.csv": as_csv(rows)}.items():
            archive.writestr(name, data)
    return packed.getvalue()


def as_tar(rows: Rows) -> bytes:
    members = pictures(rows)
    members |= {f"{n}.json": json.dumps(row).encode() for n, row in enumerate(rows)}
    with tarfile.open(fileobj=(packed := io.BytesIO()), mode="w") as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return packed.getvalue()


WAYS: Mapping[str, Callable[[Rows], bytes]] = {
    "rows.csv": as_csv, "rows.json": as_nested, "rows.csv.gz": lambda rows: gzip.compress(as_csv(rows)),
    "rows.jsonl": lambda rows: "\n".join(map(json.dumps, rows)).encode(), "all.zip": as_zip, "all.tar": as_tar,
}  # fmt: skip


def damaged(raw: bytes, harms: Iterable[tuple[int, str, bytes]]) -> bytes:
    """`raw` cut off at a place, with bytes dropped, or with others in their place."""
    for place, kind, part in harms:
        at = place % (len(raw) + 1)
        raw = raw[:at] + {"c": b"", "d": raw[at + 1 :], "f": part + raw[at + len(part) :]}[kind]
    return raw


@pytest.mark.parametrize("n_examples", [10, nightly(300)])
def test_every_file_is_answered_and_every_row_of_it_is_told(
    client_of: Callable[..., APIClient], alice: User, project: Project, n_examples: int
) -> None:
    client = client_of(alice)

    @settings(max_examples=n_examples, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(rows, st.sampled_from(sorted(WAYS)), damage)
    def send(rows: Rows, name: str, harm: list[tuple[int, str, bytes]]) -> None:
        files = {name: damaged(WAYS[name](rows), harm)} | ({} if name.startswith("all") else pictures(rows))
        sent = [SimpleUploadedFile(each, data) for each, data in files.items()]
        answer = client.post("/api/v1/projects/skies/uploads", {"files": sent}, format="multipart")
        assert answer.status_code in ((201,) if all(files.values()) else (201, 400)), answer.content
        if answer.status_code == 201:
            upload = answer.json()["id"]
            for stage in ("import_images", "import_candidates"):
                check(client, stage, upload, is_whole=not harm)
            assert client.delete(f"/api/v1/projects/skies/uploads/{upload}").status_code == 204

    send()


def check(client: APIClient, stage: str, upload: str, *, is_whole: bool) -> None:
    """The import ends with counts that add up, or in a sentence; of a whole file no row is refused."""
    body = {"stage": stage, "parameters": {"upload": upload}}
    answer = client.post("/api/v1/projects/skies/runs", body, format="json")
    assert answer.status_code in (201, 409), answer.content
    if answer.status_code == 409:  # captions before images
        assert answer.json()["message"] and not is_whole
        return
    run = client.get(f"/api/v1/runs/{answer.json()['id']}").json()
    assert run["status"] == "succeeded" or (run["status"] == "failed" and run["error"]["code"] != "broken"), run
    counts = run["counts"]
    if counts:
        taken = sum(counts.get(name, 0) for name in ("out", "known", "already_there"))
        ignored = sum(counts.get("ignored", {}).values())
        assert counts["in"] - taken - sum(counts["dropped"].values()) in (0, ignored), counts
        assert Run.objects.get(pk=run["id"]).refusals.count() == run["n_refused"] + ignored
    assert not is_whole or (run["status"], run["n_refused"]) == ("succeeded", 0), run
