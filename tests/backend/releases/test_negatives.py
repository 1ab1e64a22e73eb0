"""The rejected caption of each image in a release."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable

import pytest

from backend.annotation.models import Judgment
from backend.candidates.models import Candidate
from backend.projects.models import Project
from backend.releases.models import Release
from backend.runs.models import Run
from world import World

pytestmark = pytest.mark.both_engines

RunStage = Callable[..., Run]
Contents = Callable[[Release], dict[str, bytes]]


def json_rows(content: bytes) -> list[dict]:
    return [json.loads(line) for line in content.decode().splitlines()]


def csv_rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


def test_one_rejected_caption_of_each_image_is_released_and_images_without_one_are_counted(
    project: Project, make_judged: Callable[..., Project], run_stage: RunStage, contents: Contents
) -> None:
    bad = {(0, 5), (0, 6), (1, 6)}
    make_judged(project, images=3, captions=7, opinion=lambda image, at, _: "bad" if (image, at) in bad else "good")
    for stage in ("consensus", "select", "release"):
        run_stage(project, stage)
    files = contents(Release.objects.get())
    rows = json_rows(files["negatives.jsonl"])
    rejected = {one.key: one.image.digest for one in Candidate.objects.filter(consensus__label="bad")}
    assert [rejected[row["key"]] for row in rows] == [row["image"] for row in rows] == sorted(set(rejected.values()))
    assert {(row["n_good"], row["n_bad"], row["decided_by"]) for row in rows} == {(0, 2, "majority")}
    assert [row["key"] for row in csv_rows(files["negatives.csv"])] == [row["key"] for row in rows]
    assert json.loads(files["manifest.json"])["counts"]["negatives"] == 2
    card = files["README.md"].decode()
    assert "one rejected caption for 2 images. Images without a rejected caption: 1." in card
    assert "k-means makes 5 clusters" in card
    for judgment in Judgment.objects.filter(candidate__key=rows[0]["key"]):
        World(project).change_mind(judgment, "good")
    run_stage(project, "consensus")
    assert run_stage(project, "release").error["code"] == "outdated"
