"""What a release says of difficulty: every vote, the panel it came from, and nothing where nobody was asked."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from backend.curation.models import Difficulty, ModelScore, Rater
from backend.curation.rating import get_rater
from backend.projects.models import Project
from backend.releases.bundle import SUMS, write_sums
from backend.releases.models import Release
from backend.releases.verifying import verify_folder, verify_release
from backend.runs.models import Run, RunStatus
from panels import PREPROCESSING, StandIn, seat, store_pictures
from released_worlds import choose
from workers.engines import registry
from workers.engines.calibrations import own_place

KEPT_WORLD = choose

RunStage = Callable[..., Run]
Contents = Callable[[Release], dict[str, bytes]]
PANEL = ("postcards-1-rn", "middling", "last")


@pytest.fixture
def asked(chosen: Project, run_stage: RunStage, settings: Any, tmp_path: Path) -> Project:
    """Three models were asked: the first says yes to all, the last to captions with a `the` inside."""
    settings.CALIBRATIONS = tmp_path / "calibrations"
    seat_everyone(settings.CALIBRATIONS)
    store_pictures(chosen)
    run = run_stage(chosen, "difficulty", panel=",".join(PANEL))
    assert run.status == RunStatus.SUCCEEDED, run.error
    return chosen


def seat_everyone(folder: Path) -> None:
    leans = (lambda text: 0.4, lambda text: 0.3 if len(text) > 30 else 0.2, lambda text: 0.2)
    for name, cosine, threshold in zip(PANEL, leans, (0.25, 0.25, 0.1999), strict=True):
        seat(StandIn(name, cosine), folder=folder, threshold=threshold)


def release_of(project: Project, run_stage: RunStage) -> Release:
    run = run_stage(project, "release")
    assert run.status == RunStatus.SUCCEEDED, run.error
    return Release.objects.get(project=project)


def json_rows(content: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in content.decode().splitlines()]


def csv_rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


@pytest.mark.nightly
def test_each_caption_carries_its_category_and_every_vote(
    asked: Project, run_stage: RunStage, contents: Contents
) -> None:
    files = contents(release_of(asked, run_stage))
    captions = json_rows(files["captions.jsonl"])
    for caption in captions:
        difficulty = caption["difficulty"]
        votes = [True, len(caption["text"]) > 30, True]
        assert [said["vote"] for said in difficulty["panel"]] == votes
        assert (difficulty["category"], difficulty["n_votes"]) == ("easy" if all(votes) else "medium", sum(votes))
        assert [said["model"] for said in difficulty["panel"]] == list(PANEL)
        assert [said["threshold"] for said in difficulty["panel"]] == [0.25, 0.25, 0.1999]
        assert all(len(said["digest"]) == 64 for said in difficulty["panel"])
    inside = [caption for image in json_rows(files["images.jsonl"]) for caption in image["captions"]]
    assert [caption["difficulty"] for caption in inside] == [caption["difficulty"] for caption in captions]


@pytest.mark.nightly
def test_the_tables_say_the_same_as_the_json(asked: Project, run_stage: RunStage, contents: Contents) -> None:
    files = contents(release_of(asked, run_stage))
    captions, cells = json_rows(files["captions.jsonl"]), csv_rows(files["captions.csv"])
    assert [(row["difficulty"], row["difficulty_votes"]) for row in cells] == [
        (caption["difficulty"]["category"], str(caption["difficulty"]["n_votes"])) for caption in captions
    ]
    said = [
        (caption["image"], caption["key"], one["model"], str(one["score"]), {True: "yes", False: "no"}[one["vote"]])
        for caption in captions
        for one in caption["difficulty"]["panel"]
    ]
    lines = csv_rows(files["difficulty.csv"])
    assert [tuple(row[name] for name in ("image", "caption", "model", "score", "vote")) for row in lines] == said


@pytest.mark.nightly
def test_manifest_and_card_name_the_panel_and_count_the_categories(
    asked: Project, run_stage: RunStage, contents: Contents
) -> None:
    release = release_of(asked, run_stage)
    files = contents(release)
    made, card = json.loads(files["manifest.json"])["difficulty"], files["README.md"].decode()
    categories = [caption["difficulty"]["category"] for caption in json_rows(files["captions.jsonl"])]
    assert made["categories"] == {
        "easy": categories.count("easy"), "medium": categories.count("medium"), "hard": 0, "unrated": 0, "not_asked": 0,
    }  # fmt: skip
    assert [one["model"] for one in made["panel"]] == list(PANEL)
    assert made["panel"][0]["calibration"]["batch_size"] == 256
    assert f"| easy | {categories.count('easy')} |" in card
    assert "| middling | 0.2500 | 0.800 | made up, in batches of 256 |" in card
    assert "are not the models of the paper" in " ".join(card.split())
    assert set(release.manifest["stages"]) == {"consensus", "select", "difficulty"}  # PostgreSQL orders them its way


def test_verify_release_names_the_model_of_the_panel_whose_digest_was_altered(
    asked: Project, run_stage: RunStage, contents: Contents, tmp_path: Path
) -> None:
    release = release_of(asked, run_stage)
    assert verify_release(release) == []
    files = contents(release)
    digest = json.loads(files["manifest.json"])["difficulty"]["panel"][1]["digest"].encode()
    for altered in ("images.jsonl", "manifest.json"):
        folder = tmp_path / altered
        folder.mkdir()
        assert digest in files[altered]
        for name, content in files.items():
            (folder / name).write_bytes(content.replace(digest, b"0" * 64) if name == altered else content)
        (folder / SUMS).unlink()
        write_sums(folder)  # somebody who changes a file can write checksums over it
        faults = [fault for fault in verify_folder(folder) if fault.file == "images.jsonl"]
        assert faults[0].row.startswith("line 1, caption ")
        assert {fault.message for fault in faults} == {
            "The model middling with this digest is not in the panel of manifest.json."
        }


@pytest.mark.nightly
def test_a_panel_without_carried_models_is_not_excused(
    asked: Project, run_stage: RunStage, contents: Contents, settings: Any
) -> None:
    seat_everyone(settings.CALIBRATIONS)
    run_stage(asked, "difficulty", panel="middling,last")
    card = contents(release_of(asked, run_stage))["README.md"].decode()
    assert "not the models of the paper" not in " ".join(card.split())


@pytest.mark.nightly
def test_folders_of_this_server_stay_out_of_the_files(
    chosen: Project, run_stage: RunStage, contents: Contents, settings: Any, tmp_path: Path
) -> None:
    settings.CALIBRATIONS = tmp_path / "calibrations"
    path = f"local-dir:{tmp_path}/weights/secretly"
    seat(StandIn("secretly", lambda text: 0.4), folder=settings.CALIBRATIONS)
    (settings.CALIBRATIONS / "secretly.json").rename(own_place(path, settings.CALIBRATIONS))
    registry.use_image_encoder(path, registry.image_encoder("secretly"))
    registry.use_text_encoder(path, registry.text_encoder("secretly"))
    store_pictures(chosen)
    assert run_stage(chosen, "difficulty", panel=path).status == RunStatus.SUCCEEDED
    files = contents(release_of(chosen, run_stage))
    assert json.loads(files["manifest.json"])["stages"]["difficulty"]["parameters"]["panel"] == "secretly"
    assert str(tmp_path).encode() not in b"".join(files.values())


def test_a_release_without_difficulties_says_null_and_not_asked(
    chosen: Project, run_stage: RunStage, contents: Contents
) -> None:
    files = contents(release_of(chosen, run_stage))
    assert {caption["difficulty"] for caption in json_rows(files["captions.jsonl"])} == {None}
    assert json.loads(files["manifest.json"])["difficulty"] is None
    assert csv_rows(files["difficulty.csv"]) == []
    assert "No panel of models was asked" in files["README.md"].decode()


@pytest.mark.nightly
def test_a_selection_made_anew_releases_without_the_difficulty_of_the_old_one(
    asked: Project, run_stage: RunStage, contents: Contents
) -> None:
    run_stage(asked, "select", k=3)
    manifest = json.loads(contents(release_of(asked, run_stage))["manifest.json"])
    assert manifest["difficulty"] is None
    assert "difficulty" not in manifest["stages"]


@pytest.mark.nightly
def test_a_panel_that_was_stopped_half_way_is_null(asked: Project, run_stage: RunStage, contents: Contents) -> None:
    Difficulty.objects.update(category="", n_votes=None)
    assert json.loads(contents(release_of(asked, run_stage))["manifest.json"])["difficulty"] is None


@pytest.mark.nightly
def test_two_panels_in_one_release_are_refused_with_what_to_do(asked: Project, run_stage: RunStage) -> None:
    ModelScore.objects.filter(difficulty=Difficulty.objects.earliest("pk"), position=3).delete()
    run = run_stage(asked, "release")
    assert (run.status, run.error["code"]) == (RunStatus.FAILED, "mixed_panels")
    assert "Run Difficulty again" in run.error["message"]


@pytest.mark.nightly
def test_a_model_calibrated_anew_into_the_same_bin_is_released_with_what_it_was_calibrated_on(
    asked: Project, run_stage: RunStage, contents: Contents, settings: Any
) -> None:
    seat(StandIn("last", lambda text: 0.2), folder=settings.CALIBRATIONS, threshold=0.25, pairs="64 pairs of old.csv")
    run_stage(asked, "difficulty", panel="last")
    seat(StandIn("last", lambda text: 0.2), folder=settings.CALIBRATIONS, threshold=0.25, pairs="99 pairs of new.csv")
    run_stage(asked, "difficulty", panel="last")
    files = contents(release_of(asked, run_stage))
    [member] = json.loads(files["manifest.json"])["difficulty"]["panel"]
    assert member["calibration"]["pairs"] == "99 pairs of new.csv"
    assert member["calibration"]["preprocessing"] == PREPROCESSING
    assert f"| 99 pairs of new.csv, in batches of 256 | `{member['digest']}` |" in files["README.md"].decode()
    votes = [caption["difficulty"]["panel"] for caption in json_rows(files["captions.jsonl"])]
    assert {said["record"] for [said] in votes} == {member["record"]}


@pytest.mark.nightly
def test_votes_by_two_calibrations_of_one_threshold_are_two_panels(asked: Project, run_stage: RunStage) -> None:
    said = ModelScore.objects.filter(position=3).earliest("pk")
    old = Rater.objects.get(name="last")
    other = get_rater(name="last", digest=old.digest, record=old.calibration | {"pairs": "other pairs"})
    assert (other.threshold, other.pk == old.pk) == (old.threshold, False)
    ModelScore.objects.filter(pk=said.pk).update(rater=other)
    assert run_stage(asked, "release").error["code"] == "mixed_panels"


def leave_unrated(caption: Difficulty, *, votes: int) -> None:
    """As a caption that was chosen when the panel was half-way: only its last models were asked."""
    caption.scores.filter(position__lte=len(PANEL) - votes).delete()
    Difficulty.objects.filter(pk=caption.pk).update(category="unrated", n_votes=None)


@pytest.mark.nightly
def test_a_caption_chosen_while_the_panel_voted_is_released_as_unrated(
    asked: Project, run_stage: RunStage, contents: Contents
) -> None:
    leave_unrated(Difficulty.objects.earliest("pk"), votes=1)
    files = contents(release_of(asked, run_stage))
    made = json.loads(files["manifest.json"])["difficulty"]
    assert made["categories"]["unrated"] == 1
    assert [one["model"] for one in made["panel"]] == list(PANEL)
    told = [caption["difficulty"] for caption in json_rows(files["captions.jsonl"])]
    assert [len(one["panel"]) for one in told if one["category"] == "unrated"] == [1]


@pytest.mark.nightly
def test_where_no_caption_is_rated_the_release_still_names_whom_it_asked(
    asked: Project, run_stage: RunStage, contents: Contents
) -> None:
    for place, caption in enumerate(Difficulty.objects.order_by("pk")):
        leave_unrated(caption, votes=1 + place % 2)
    made = json.loads(contents(release_of(asked, run_stage))["manifest.json"])["difficulty"]
    assert [one["model"] for one in made["panel"]] == list(PANEL[1:])


def test_an_unrated_caption_of_another_panel_is_refused(asked: Project, run_stage: RunStage) -> None:
    caption = Difficulty.objects.earliest("pk")
    leave_unrated(caption, votes=1)
    stranger = get_rater(name="stranger", digest="0" * 64, record={"threshold": 0.3})
    caption.scores.update(rater=stranger)
    assert run_stage(asked, "release").error["code"] == "mixed_panels"


def test_a_panel_at_work_stops_the_release(asked: Project, run_stage: RunStage) -> None:
    Run.objects.create(project=asked, stage="difficulty", status=RunStatus.RUNNING)
    assert run_stage(asked, "release").error["code"] == "still_forming"


@pytest.mark.nightly
def test_asking_the_same_panel_again_changes_no_byte(asked: Project, run_stage: RunStage, settings: Any) -> None:
    release_of(asked, run_stage)
    seat_everyone(settings.CALIBRATIONS)
    run_stage(asked, "difficulty", panel=",".join(PANEL))
    assert run_stage(asked, "release").error["code"] == "nothing_changed"
