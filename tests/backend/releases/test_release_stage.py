"""Cutting a release: exact files, equal bytes for equal content, and nothing that gives a person or a machine away."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import subprocess
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import time_machine
from django.conf import settings
from django.db import connection
from django.utils import timezone

from backend.annotation.models import AnnotatorState, Judgment
from backend.candidates.models import Candidate
from backend.curation.models import Selection, SelectionItem
from backend.methods.export_rows import unguard
from backend.people.models import User
from backend.projects.counters import read_counters
from backend.projects.models import Membership, Project, Role
from backend.quality.models import QualityPolicy
from backend.releases import services, store
from backend.releases.models import Release, ReleaseEntry
from backend.runs.models import Run, RunStatus
from judged_project import PulledPlug, work_on
from released_worlds import choose
from workers.tasks import releases
from world import World

KEPT_WORLD = choose

pytestmark = pytest.mark.both_engines

RunStage = Callable[..., Run]
Contents = Callable[[Release], dict[str, bytes]]
NAMES = [
    "ATTRIBUTION.csv", "CHANGELOG.md", "CITATION.cff", "README.md", "SHA256SUMS", "annotators.csv",
    "candidates.parquet", "captions.csv", "captions.jsonl", "croissant.json", "datasheet.html", "datasheet.md",
    "difficulty.csv", "images.jsonl", "judgments.csv", "judgments.parquet", "manifest.json",
    "negatives.csv", "negatives.jsonl",
]  # fmt: skip


def json_rows(content: bytes) -> list[dict]:
    return [json.loads(line) for line in content.decode().splitlines()]


def csv_rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


@pytest.mark.nightly
def test_a_release_has_its_files_with_checksums(release: Release, contents: Contents, tmp_path: Path) -> None:
    files = contents(release)
    assert sorted(files) == sorted(NAMES)
    for file in release.files.all():
        assert (file.n_bytes, file.sha256) == (len(files[file.name]), hashlib.sha256(files[file.name]).hexdigest())
        (tmp_path / file.name).write_bytes(files[file.name])
    assert subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=tmp_path).returncode == 0
    assert release.digest == hashlib.sha256(files["SHA256SUMS"]).hexdigest()


def test_the_files_hold_what_was_chosen_in_the_order_of_the_digests(release: Release, contents: Contents) -> None:
    files = contents(release)
    images, captions = json_rows(files["images.jsonl"]), json_rows(files["captions.jsonl"])
    assert [image["digest"] for image in images] == sorted(image["digest"] for image in images)
    assert [(caption["image"], caption["position"]) for caption in captions] == [
        (image["digest"], position) for image in images for position in range(1, 6)
    ]
    chosen = SelectionItem.objects.values_list("selection__image__digest", "position", "candidate__text")
    assert {(c["image"], c["position"], c["text"]) for c in captions} == set(chosen)
    with_image = [
        {"image": image["digest"], "split": image["split"], **caption}
        for image in images
        for caption in image["captions"]
    ]
    assert with_image == captions
    assert (release.n_images, release.n_captions, release.n_judgments) == (3, 15, 30)


def test_formula_like_captions_are_harmless_in_csv_and_exact_in_json(release: Release, contents: Contents) -> None:
    files = contents(release)
    exact = [caption["text"] for caption in json_rows(files["captions.jsonl"])]
    cells = [row["text"] for row in csv_rows(files["captions.csv"])]
    assert any(text.startswith("@") for text in exact)
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)
    assert [unguard(cell) for cell in cells] == exact
    assert {row["title"] for row in csv_rows(files["ATTRIBUTION.csv"])} == {"'-1 degrees"}


def test_the_rules_in_force_are_named_and_not_told(
    chosen: Project, run_stage: RunStage, contents: Contents, alice: User
) -> None:
    rules = [{"collector": "controls", "condition": {"max_failed": 0.37}, "action": "warn"}]
    QualityPolicy.objects.create(
        project=chosen, version=4, rules=rules, created_by=alice, in_force_since=timezone.now()
    )
    run_stage(chosen, "release", started_by=alice)
    files = contents(Release.objects.get(project=chosen))
    told = json.loads(files["manifest.json"])["quality_policy"]
    assert told["version"] == 4 and len(told["rules_sha256"]) == 64 and set(told) == {"version", "rules_sha256"}
    assert (
        "| rules on whose judgments count | version 4, its digest in `manifest.json` |" in files["README.md"].decode()
    )
    assert not any(word in content for word in (b"max_failed", b"0.37") for content in files.values())


def test_the_votes_are_those_of_the_judgments(release: Release, contents: Contents) -> None:
    files = contents(release)
    judged = csv_rows(files["judgments.csv"])
    for caption in json_rows(files["captions.jsonl"]):
        given = [row["label"] for row in judged if row["caption"] == caption["key"]]
        assert [caption[f"n_{label}"] for label in ("good", "bad")] == [given.count("good"), given.count("bad")]
    assert {row["annotator"] for row in judged} == {"annotator-001", "annotator-002"}


@pytest.mark.nightly
def test_a_vote_without_a_name_gets_none(chosen: Project, run_stage: RunStage, contents: Contents) -> None:
    unnamed = Judgment.objects.filter(candidate__project=chosen).earliest("pk").annotator
    AnnotatorState.objects.update_or_create(project=chosen, user=unnamed, defaults={"is_unnamed": True})
    run_stage(chosen, "release")
    files = contents(Release.objects.get())
    judged = csv_rows(files["judgments.csv"])
    named = [row["annotator"] for row in judged if row["annotator"]]
    assert set(named) == {"annotator-001"}
    assert 0 < len(named) < len(judged)
    assert json.loads(files["manifest.json"])["counts"]["annotators"] == 1


def test_no_person_time_or_id_of_this_installation_is_in_the_files(release: Release, contents: Contents) -> None:
    files = contents(release)
    tables = {name: pq.read_table(io.BytesIO(content)) for name, content in files.items() if name.endswith(".parquet")}
    texts = [content.decode() for name, content in files.items() if name not in tables]
    everything = "\n".join([*texts, *(json.dumps(table.to_pylist()) for table in tables.values())])
    assert release.run is not None
    for secret in ("alice", "bob", "dora", str(release.pk), str(release.run_id)):
        assert secret not in everything
    # Four digits alone also stand in some checksums.
    assert not re.search(rf"\b{timezone.now().year}-\d\d", everything)


def test_licences_attribution_and_card_are_there(release: Release, contents: Contents) -> None:
    files = contents(release)
    first = csv_rows(files["ATTRIBUTION.csv"])[0]
    assert (first["licence"], first["author"]) == ("CC-BY-2.0", "Ümit")
    assert first["licence_url"] == "https://creativecommons.org/licenses/by/2.0/"
    card = files["README.md"].decode()
    assert "| images | 3 |" in card
    assert "| CC-BY-2.0 | 3 |" in card


@pytest.mark.nightly
def test_the_manifest_says_how_it_was_made(release: Release, contents: Contents, project: Project) -> None:
    manifest = json.loads(contents(release)["manifest.json"])
    assert release.manifest == manifest
    assert manifest["policy"] == "majority/1"
    assert manifest["counts"] == {
        "annotators": 2, "captions": 15, "images": 3, "judgments": 30, "negatives": 0,
        "all_annotators": 2, "all_captions": 21, "all_judgments": 42,
    }  # fmt: skip
    assert manifest["choices"] == {
        "shares": {"train": 80, "validation": 10, "test": 10}, "seed": 7, "left_out": ["times"],
        "images": {"train": 3, "validation": 0, "test": 0},
    }  # fmt: skip
    assert manifest["project"]["guidelines_sha256"] == hashlib.sha256(project.guidelines.encode()).hexdigest()
    select = manifest["stages"]["select"]
    asked = {"k": 5, "model": "words", "stability_seeds": 2, "variant": "kmeans"}
    assert (select["parameters"], select["seed"], list(select["models"])) == (asked, 7, ["words"])
    assert manifest["selection"] == {
        "variant": "kmeans", "k": 5, "seed": 7, "models": select["models"], "images": {"kmeans": 3},
    }  # fmt: skip
    assert select["code_version"] == settings.CODE_VERSION


def test_the_entries_are_the_lines_of_the_images_file(release: Release, contents: Contents) -> None:
    bodies = ReleaseEntry.objects.filter(release=release).order_by("position").values_list("body", flat=True)
    assert list(bodies) == json_rows(contents(release)["images.jsonl"])


@pytest.mark.nightly
def test_equal_content_gives_equal_bytes_whoever_the_people_are(
    release: Release,
    contents: Contents,
    project: Project,
    run_stage: RunStage,
    alice: User,
    make_user: Callable[..., User],
) -> None:
    """The same photographs and judgments in another project of the same name, by other people in another order."""
    before = contents(release)
    again = copy_of(project, [make_user("zoe"), make_user("adam")])
    for stage, parameters in (("consensus", {"min_votes": 1}), ("select", {}), ("release", {})):
        run = run_stage(again, stage, **parameters)
        assert run.status == RunStatus.SUCCEEDED, run.error
    after = contents(Release.objects.get(project=again))
    assert after == before


def copy_of(project: Project, people: list[User]) -> Project:
    """The project under its own slug again (the first steps aside), its rows made in another order."""
    Project.objects.filter(pk=project.pk).update(slug="moved-away")
    copy = Project.objects.get(pk=project.pk)
    copy.pk, copy.slug = None, project.slug
    copy.save(force_insert=True)
    Membership.objects.create(project=copy, user=people[0], role=Role.CURATOR)
    for image in project.images.order_by("-pk"):
        old_hit = image.hits.get()
        captions = list(Candidate.objects.filter(image=image).order_by("-pk"))
        voters = [list(Judgment.objects.filter(candidate=caption).order_by("-pk")) for caption in captions]
        image.pk, image.project = None, copy
        image.save(force_insert=True)
        for caption in captions:
            caption.pk, caption.image, caption.project = None, image, copy
            caption.save(force_insert=True)
        hit = World(copy).hit(image, captions)
        held = {
            assignment.annotator_id: World(copy).turn(person, hit, status="submitted", options=assignment.options)
            for assignment, person in zip(old_hit.assignments.order_by("annotator_id"), people, strict=True)
        }
        for caption, judgments in zip(captions, voters, strict=True):
            for judgment in judgments:
                assignment = held[judgment.annotator_id]
                given = {"annotator": assignment.annotator, "label": judgment.label, "position": judgment.position}
                Judgment.objects.create(assignment=assignment, candidate=caption, **given)
        for assignment in held.values():
            World(copy).count(assignment)
    return copy


@pytest.mark.nightly
def test_releasing_the_same_again_makes_no_twin_and_names_the_version(
    release: Release, project: Project, run_stage: RunStage
) -> None:
    run = run_stage(project, "release")
    assert (run.status, run.error["code"]) == (RunStatus.FAILED, "nothing_changed")
    assert "Version 1.0.0" in run.error["message"]
    assert Release.objects.count() == 1


@pytest.mark.nightly
def test_a_change_makes_the_next_version_and_leaves_the_first_alone(
    release: Release, project: Project, run_stage: RunStage, contents: Contents
) -> None:
    before = contents(release)
    run_stage(project, "select", k=3)
    run = run_stage(project, "release")
    assert run.status == RunStatus.SUCCEEDED, run.error
    second = Release.objects.get(version=2)
    assert (second.n_captions, second.digest != release.digest) == (9, True)
    assert contents(release) == before
    assert read_counters([project.pk])[project.pk]["releases"] == 2


@pytest.mark.parametrize(
    ("room", "verb"),
    [(services, "add_images"), (services, "finish_draft"), (store, "keep_file"), (services, "publish_release")],
)
def test_a_killed_worker_is_resumed_and_nothing_is_there_twice(
    chosen: Project,
    run_stage: RunStage,
    contents: Contents,
    monkeypatch: pytest.MonkeyPatch,
    own_media: Path,
    room: object,
    verb: str,
) -> None:
    monkeypatch.setattr(releases, "IMAGES", 1)
    run = Run.objects.create(project=chosen, stage="release")
    work, calls = getattr(room, verb), []

    def break_the_second_time(*args: object, **given: object) -> object:
        calls.append(verb)
        if len(calls) == (1 if verb in ("finish_draft", "publish_release") else 2):
            raise PulledPlug
        return work(*args, **given)

    with monkeypatch.context() as patch, pytest.raises(PulledPlug):
        patch.setattr(room, verb, break_the_second_time)
        work_on(run)
    assert not Release.objects.exists()
    with time_machine.travel(timezone.now() + 2 * timedelta(seconds=settings.RUN_STALE_SECONDS), tick=False):
        run = work_on(run)
    assert (run.status, run.attempt, run.done, run.counts["out"]) == (RunStatus.SUCCEEDED, 2, 3, 3)
    assert len(contents(Release.objects.get())) == len(NAMES)
    assert len([path for path in own_media.rglob("*") if path.is_file()]) == len(NAMES)


def test_a_run_whose_release_is_there_is_not_done_again(release: Release) -> None:
    run = release.run
    assert run is not None
    Run.objects.filter(pk=run.pk).update(status=RunStatus.QUEUED)
    assert work_on(run).status == RunStatus.SUCCEEDED
    assert Release.objects.count() == 1


def test_half_a_file_that_a_killed_worker_left_is_written_anew(
    release: Release, contents: Contents, run_stage: RunStage, own_media: Path
) -> None:
    before = contents(release)
    for file in release.files.all():
        path = own_media / file.stored_as
        path.write_bytes(path.read_bytes()[:10])
    with connection.cursor() as cursor:
        for table in ("releasefigures", "releasecaption", "releaseentry", "releasefile", "release"):
            cursor.execute(f"DELETE FROM releases_{table}")
    run_stage(release.project, "release")
    assert contents(Release.objects.get()) == before
    assert len([path for path in own_media.rglob("*") if path.is_file()]) == len(NAMES)


def test_a_caption_that_is_good_no_longer_stops_the_release(
    chosen: Project, run_stage: RunStage, bob: User, dora: User
) -> None:
    candidate = SelectionItem.objects.earliest("pk").candidate
    for judgment in Judgment.objects.filter(candidate=candidate):
        World(chosen).change_mind(judgment, "bad")
    assert run_stage(chosen, "release").status == RunStatus.SUCCEEDED  # what Consensus counted still holds
    run_stage(chosen, "consensus", min_votes=1)
    run = run_stage(chosen, "release")
    assert (run.status, run.error["code"]) == (RunStatus.FAILED, "outdated")


def test_a_release_shows_the_judgments_that_the_consensus_counted(
    chosen: Project, run_stage: RunStage, contents: Contents
) -> None:
    candidate = SelectionItem.objects.earliest("pk").candidate
    judgment = Judgment.objects.filter(candidate=candidate).earliest("pk")
    World(chosen).change_mind(judgment, "unsure")
    run_stage(chosen, "release")
    assert "unsure" not in {row["label"] for row in csv_rows(contents(Release.objects.get())["judgments.csv"])}


def test_a_stage_at_work_on_the_content_stops_the_release(chosen: Project, run_stage: RunStage) -> None:
    Run.objects.create(project=chosen, stage="select", status=RunStatus.RUNNING)
    run = run_stage(chosen, "release")
    assert (run.status, run.error["code"]) == (RunStatus.FAILED, "still_forming")


def test_a_stage_that_ran_while_the_files_were_written_stops_the_release(
    chosen: Project, run_stage: RunStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish = services.finish_draft

    def meanwhile(**given: object) -> object:
        run_stage(chosen, "select")
        return finish(**given)

    monkeypatch.setattr(services, "finish_draft", meanwhile)
    run = run_stage(chosen, "release")
    assert (run.status, run.error["code"]) == (RunStatus.FAILED, "still_forming")
    assert not Release.objects.exists()


@pytest.mark.nightly
def test_images_without_a_selection_are_left_out(
    chosen: Project, run_stage: RunStage, contents: Contents, make_judged: Callable[..., Project]
) -> None:
    Selection.objects.filter(pk=Selection.objects.earliest("pk").pk).update(
        status="short_pool", method="", mean_similarity=None
    )
    run_stage(chosen, "release")
    assert len(json_rows(contents(Release.objects.get())["images.jsonl"])) == 2
