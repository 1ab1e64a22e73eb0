"""The client's promises, against a live server."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import datasets
import httpx
import pytest
from torch.utils.data import DataLoader

from backend.annotation.models import Judgment
from backend.people.models import User
from backend.projects.models import Project
from connote_client import (
    Assignment,
    Client,
    Conflict,
    Gone,
    Invalid,
    NoSuchRelease,
    NotAllowed,
    NotFound,
    NotSignedIn,
    Progress,
    WrongChecksum,
)
from drawn import draw
from world import World

OpenSite = Callable[..., Client]


@pytest.mark.nightly
def test_a_folder_becomes_images_and_what_was_refused_has_a_reason(
    site_of: OpenSite, project: Project, alice: User, tmp_path: Path
) -> None:
    folder = tmp_path / "photos"
    (folder / "more").mkdir(parents=True)
    for n in range(3):
        (folder / f"Straße {n}.png").write_bytes(draw(size=(20 + n, 20 + n)))
    (folder / "more" / "broken.jpg").write_bytes(b"no picture")
    (folder / ".hidden.png").write_bytes(draw(size=(40, 40)))
    seen: list[Progress] = []
    skies = site_of(alice).project("skies")
    run = skies.import_images(folder, licence="CC0-1.0", seed=3, progress=seen.append)
    assert (run.status, run.counts["out"], run.n_refused) == ("succeeded", 3, 1)
    assert [(row["name"], bool(row["message"])) for row in run.refusals()] == [("more/broken.jpg", True)]
    assert {image["key"] for image in skies.images()} == {f"Straße {n}.png" for n in range(3)}
    uploaded = [at for at in seen if at.what == "upload"]
    assert uploaded[-1].done == uploaded[-1].total
    assert [each.stage for each in skies.runs()] == ["import_images"]
    assert skies.refresh().counts["images"] == 3


@pytest.mark.nightly
def test_lists_are_followed_over_all_their_pages(
    site_of: OpenSite, project: Project, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("connote_client.site.MOST_ROWS", 2)
    World(project).photos(5)
    client = site_of(alice)
    assert [image["key"] for image in client.project("skies").images()] == [f"photo-{n}.jpg" for n in range(5)]
    assert [each.slug for each in client.projects()] == ["skies"]


def test_an_annotator_submits_until_nothing_is_left_and_a_repeated_submit_stores_nothing_twice(
    site_of: OpenSite, project: Project, alice: User, bob: User
) -> None:
    World(project).add_hits(3, 2)
    skies = site_of(bob).project("skies")
    held = skies.next()
    assert isinstance(held, Assignment) and held.options == ["good", "bad", "unsure"]
    answers = {item["position"]: {"label": "good", "lens": "emotional"} for item in held.items}
    held.heartbeat()
    assert held.submit(answers)["is_late"] is False
    assert held.submit(answers)["is_late"] is False
    held = skies.next()
    assert isinstance(held, Assignment)
    with pytest.raises(ValueError, match="2 items"):
        held.submit(["good"])
    held.give_back()
    held.give_back()
    done = list(skies.annotate(lambda item, held: "bad" if item["text"] == "caption 0" else {"label": "good"}))
    assert len(done) == 2
    assert Judgment.objects.filter(annotator=bob, lens="emotional").count() == 2
    assert Judgment.objects.filter(annotator=bob).count() == 6
    assert [each["user"]["username"] for each in site_of(alice).project("skies").annotators()] == ["bob"]
    left = skies.next()
    assert not left and left.reason == "all_yours_done"


@pytest.mark.nightly
def test_an_assignment_whose_judge_fails_is_given_back(site_of: OpenSite, project: Project, bob: User) -> None:
    World(project).add_hits(1, 2)
    skies = site_of(bob).project("skies")
    with pytest.raises(ZeroDivisionError):
        list(skies.annotate(lambda item, held: str(1 / 0)))
    assert [len(held.items) for held in skies.annotate(lambda item, held: "good")] == [2]


@pytest.mark.nightly
def test_each_kind_of_refusal_has_its_class_and_the_sites_own_sentence(
    site_of: OpenSite, project: Project, alice: User, bob: User, charlie: User, live_server: Any
) -> None:
    curator, annotator = site_of(alice), site_of(bob)
    with pytest.raises(Invalid, match="name: ") as invalid:
        curator.create_project("")
    assert (invalid.value.status, "name" in invalid.value.details) == (400, True)
    skies = curator.project("skies")
    with pytest.raises(Conflict, match="Import images first") as conflict:
        skies.start("sample")
    assert conflict.value.status == 409
    with pytest.raises(NotFound):
        site_of(charlie).project("skies")
    with pytest.raises(NotAllowed) as refused:
        annotator.project("skies").start("sample")
    assert refused.value.code and refused.value.request_id
    with Client(live_server.url, "connote_wrong") as stranger, pytest.raises(NotSignedIn, match="token"):
        stranger.me()


def test_a_release_is_downloaded_whole_and_damaged_files_are_fetched_again(
    site_of: OpenSite, released: Project, alice: User, tmp_path: Path
) -> None:
    release = site_of(alice).project("skies").release()
    folder = tmp_path / "out"
    paths = release.download(folder)
    assert (
        {path.name for path in folder.iterdir()} == {path.name for path in paths} == set(sums(folder)) | {"SHA256SUMS"}
    )
    assert all(
        hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest for name, digest in sums(folder).items()
    )
    (folder / "captions.csv").write_bytes(b"changed")
    before = (folder / "manifest.json").stat().st_mtime_ns
    release.download(folder)
    assert hashlib.sha256((folder / "captions.csv").read_bytes()).hexdigest() == sums(folder)["captions.csv"]
    assert (folder / "manifest.json").stat().st_mtime_ns == before
    with pytest.raises(NotFound, match=r"no file nothing\.csv"):
        release.file("nothing.csv")


def sums(folder: Path) -> dict[str, str]:
    lines = (folder / "SHA256SUMS").read_text().splitlines()
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


class Flaky(httpx.HTTPTransport):
    """A line that breaks after some bytes of each file, and counts the ranges that were asked for."""

    def __init__(self, *, after: int) -> None:
        super().__init__()
        self.after, self.ranges = after, list[str]()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        answer = super().handle_request(request)
        if "/files/" in request.url.path:
            self.ranges.append(request.headers.get("Range", ""))
            answer.stream = Cut(answer.stream, self.after)  # type: ignore[arg-type]
        return answer


class Cut(httpx.SyncByteStream):
    def __init__(self, stream: httpx.SyncByteStream, after: int) -> None:
        self._stream, self._left = stream, after

    def __iter__(self) -> Any:
        for chunk in self._stream:
            yield chunk[: self._left]
            self._left -= len(chunk)
            if self._left < 0:
                raise httpx.ReadError("cut")

    def close(self) -> None:
        self._stream.close()


@pytest.mark.nightly
def test_a_broken_download_goes_on_where_it_stopped(
    site_of: OpenSite, released: Project, alice: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    line = Flaky(after=1500)
    release = site_of(alice, transport=line).project("skies").release()
    size = next(file["n_bytes"] for file in release.files if file["name"] == "captions.jsonl")
    [path] = release.download(tmp_path, names=["captions.jsonl"])
    assert path.stat().st_size == size
    assert line.ranges == ["", *(f"bytes={at}-" for at in range(1500, size, 1500))]
    killed = tmp_path / "killed"
    killed.mkdir()
    (killed / ".captions.jsonl.part").write_bytes(path.read_bytes()[: size - 100])
    line.ranges.clear()
    release.download(killed, names=["captions.jsonl"])
    assert ((killed / "captions.jsonl").read_bytes(), line.ranges) == (path.read_bytes(), [f"bytes={size - 100}-"])
    assert [each.name for each in killed.iterdir()] == ["captions.jsonl"]


@pytest.mark.nightly
def test_a_part_of_another_file_is_thrown_away_and_a_file_with_another_checksum_never_gets_its_name(
    site_of: OpenSite, released: Project, alice: User, tmp_path: Path
) -> None:
    release = site_of(alice).project("skies").release()
    (tmp_path / ".captions.csv.part").write_bytes(b"of another file")
    [path] = release.download(tmp_path, names=["captions.csv"])
    file = next(file for file in release.files if file["name"] == "captions.csv")
    assert hashlib.sha256(path.read_bytes()).hexdigest() == file["sha256"]
    file["sha256"] = "0" * 64
    with pytest.raises(WrongChecksum, match=r"captions\.csv"):
        release.download(tmp_path / "other", names=["captions.csv"])
    assert list((tmp_path / "other").iterdir()) == []


@pytest.mark.nightly
def test_a_release_is_a_table_of_pandas_with_exact_texts(site_of: OpenSite, released: Project, alice: User) -> None:
    release = site_of(alice).project("skies").release(1)
    lines = [json.loads(line) for line in release.file("captions.jsonl").read_text(encoding="utf-8").splitlines()]
    captions = release.to_pandas()
    assert captions["text"].tolist() == [line["text"] for line in lines]
    assert {"split", "source", "n_good", "difficulty"} <= set(captions)
    judgments = release.to_pandas("judgments")
    assert set(judgments["label"]) == {"good"} and len(judgments) == 36
    assert len(release.to_pandas("annotators")) == 2
    with pytest.raises(ValueError, match="captions, images"):
        release.to_pandas("secrets")


def test_a_release_is_a_dataset_with_and_without_pictures(site_of: OpenSite, released: Project, alice: User) -> None:
    release = site_of(alice).project("skies").release("latest")
    plain = release.to_datasets()
    rows = [row for part in plain.values() for row in part]
    assert isinstance(plain, datasets.DatasetDict) and len(plain) > 1
    assert {(name, row["digest"]) for name, part in plain.items() for row in part} == {
        (row["split"], row["digest"]) for row in release.rows()
    }
    assert all(len(row["captions"]) == 5 and row["captions"][0]["text"] for row in rows)
    shown = release.to_datasets(images="small")
    pictures = {row["key"]: row["image"] and row["image"].size[0] for part in shown.values() for row in part}
    assert pictures == {"photo-0.jpg": 16, "photo-1.jpg": 17, "photo-2.jpg": None}


@pytest.mark.nightly
def test_a_release_is_a_dataset_of_torch_whose_pictures_are_fetched_once(
    site_of: OpenSite, released: Project, alice: User, live_server: Any
) -> None:
    client = site_of(alice)
    release = client.project("skies").release()
    data = release.to_torch(transform=lambda image: image.size)
    assert len(data) == 2  # the third image has no picture
    client.close()
    batch = next(iter(DataLoader(data, batch_size=2, collate_fn=list)))
    assert [item["image"] for item in batch] == sorted(item["image"] for item in batch)
    assert all(len(item["captions"]) == len(item["difficulty"]) == 5 for item in batch)


@pytest.mark.nightly
def test_a_public_link_gives_a_stranger_everything_and_a_closed_one_nothing(
    site_of: OpenSite, released: Project, alice: User, tmp_path: Path
) -> None:
    release = site_of(alice).project("skies").release()
    with pytest.raises(Conflict, match="still have tasks"):
        release.publish()
    link = release.publish(despite_work=True)
    with Client.public(link) as public:
        assert (public.label, public.digest) == (release.label, release.digest)
        assert {path.name for path in public.download(tmp_path / "all")} == {file["name"] for file in release.files}
        assert public.to_pandas()["difficulty"].isna().all()
        assert sorted(part.num_rows for part in public.to_datasets(images="small").values()) == [1, 1, 1]
        assert len(public.to_torch()) == 2
        assert public.figures()
        with pytest.raises(NotAllowed, match="no original images"):
            public.pictures(size="original")
        release.unpublish()
        with pytest.raises(Gone, match="closed"):
            public.refresh()
    with pytest.raises(Gone, match="closed"):
        Client.public(link)


def test_answers_are_read_and_exported_by_pseudonym(
    site_of: OpenSite, released: Project, alice: User, bob: User, tmp_path: Path
) -> None:
    skies = site_of(alice).project("skies")
    rows = list(skies.judgments(label="good", counted=True, since=datetime(2020, 1, 1, tzinfo=timezone.utc)))
    assert len(rows) == 36 and {row["label"] for row in rows} == {"good"}
    people = {row["annotator"] for row in rows}
    assert len(people) == 2 and not people & {"bob", "dora"}
    assert {row["annotator"] for row in skies.annotators_by_pseudonym()} == people
    one = rows[0]["annotator"]
    made = skies.export("judgments", format="jsonl", filter={"annotator": one, "label": "good"}, leave_out=["comments"])
    path = made.download(tmp_path)
    exported = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert (len(exported), made.n_rows, {row["annotator"] for row in exported}) == (18, 18, {one})
    assert [each.id for each in skies.exports()] == [made.id]
    made.delete()
    assert list(skies.exports()) == []
    with pytest.raises(Invalid, match="format"):
        skies.export("judgments", format="docx")
    with pytest.raises(NotAllowed):
        next(site_of(bob).project("skies").judgments())


@pytest.mark.nightly
def test_original_images_come_from_an_export_and_are_what_their_digests_say(
    site_of: OpenSite, released: Project, alice: User
) -> None:
    client = site_of(alice)
    release = client.project("skies").release()
    paths = release.pictures(size="original")
    assert {digest: hashlib.sha256(path.read_bytes()).hexdigest() for digest, path in paths.items()} == {
        digest: digest for digest in paths
    }
    assert len(paths) == 2  # the bytes of the third image are not what its digest says
    assert list(client.project("skies").exports()) == []
    assert {item["image"].size for item in release.to_torch(size="original")} == {(40, 30), (41, 30)}


@pytest.mark.nightly
def test_a_caption_leads_to_its_source_and_a_withdrawn_image_has_no_picture(
    site_of: OpenSite, released: Project, alice: User
) -> None:
    skies = site_of(alice).project("skies")
    release = skies.release()
    row = next(release.rows("captions.jsonl"))
    assert release.caption(row["key"])["key"] == row["key"]
    [first, *_] = release.rows()
    skies.withdraw(first["digest"], "The person in it asked us.")
    assert [(each["digest"], each["created_by"]) for each in skies.withdrawals()] == [(first["digest"], "alice")]
    shown = {entry["image"]["digest"]: entry for entry in release.entries()}
    assert shown[first["digest"]]["withdrawn"]["reason"] == "The person in it asked us."
    assert first["digest"] not in release.pictures(size="small")


@pytest.mark.nightly
def test_entries_are_filtered_by_the_site(site_of: OpenSite, released: Project, alice: User) -> None:
    release = site_of(alice).project("skies").release()
    by_split = [
        entry["image"]["digest"] for split in ("train", "validation", "test") for entry in release.entries(split=split)
    ]
    assert sorted(by_split) == [entry["image"]["digest"] for entry in release.entries()]
    assert len(list(release.entries(min_agreement=1.0, source="human", difficulty="not_asked"))) == 3
    assert list(release.entries(lens="emotional")) == []
    with pytest.raises(Invalid):
        next(release.entries(split="other"))
    [first, *_] = by_split
    assert release.image(first)["row"]["digest"] == first


@pytest.mark.nightly
def test_a_new_release_is_made_and_compared_with_the_one_before(
    site_of: OpenSite, released: Project, alice: User
) -> None:
    skies = site_of(alice).project("skies")
    first = skies.release()
    skies.start("select", k=3, model="words").wait()
    skies.start("release", shares="34,33,33", notes="Fewer captions.").wait()
    second = skies.release()
    assert (first.label, second.label, second.version) == ("1.0.0", "2.0.0", 2)
    assert second.changes()["notes"] == "Fewer captions."
    assert second.changes(first) == second.changes(first.id)
    assert {item["code"] for item in skies.checklist()["items"]} >= {"agreement", "licences"}
    assert skies.release("1.0.0").id == skies.release(1).id == first.id
    with pytest.raises(NoSuchRelease, match=r"3\.0\.0"):
        skies.release("3.0.0")


@pytest.mark.nightly
def test_entries_and_agreement_are_rows(site_of: OpenSite, released: Project, alice: User) -> None:
    skies = site_of(alice).project("skies")
    release = skies.release()
    assert [entry["position"] for entry in release.entries()] == [1, 2, 3]
    assert release.manifest["policy"] == "majority/1"
    assert skies.agreement()["scope"] == "overall"
    assert [each.version for each in skies.releases()] == [1]
