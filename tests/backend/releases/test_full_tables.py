"""judgments.parquet, candidates.parquet and annotators.csv: everything that was said, and only what may be told."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any

import pyarrow.parquet as pq
import pytest

from backend.annotation.models import AnnotatorState, Assignment, Judgment
from backend.candidates.models import Candidate
from backend.common.errors import InvalidInput
from backend.methods.exports.full_tables import CANDIDATES, JUDGMENTS
from backend.methods.quality.shares import share_of
from backend.people.models import User
from backend.projects.models import Project
from backend.releases.models import Release
from backend.runs.models import Run, RunStatus
from released_worlds import choose
from world import World

KEPT_WORLD = choose

pytestmark = pytest.mark.both_engines

RunStage = Callable[..., Run]
Contents = Callable[[Release], dict[str, bytes]]


@pytest.fixture
def cut(chosen: Project, run_stage: RunStage, contents: Contents) -> Callable[..., dict[str, bytes]]:
    """Make the next release, and give its files."""

    def make(**parameters: Any) -> dict[str, bytes]:
        run = run_stage(chosen, "release", **parameters)
        assert run.status == RunStatus.SUCCEEDED, run.error
        return contents(Release.objects.filter(project=chosen).order_by("version").last())

    return make


def rows_of(content: bytes) -> list[dict[str, Any]]:
    return pq.read_table(io.BytesIO(content)).to_pylist()


def cells_of(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


@pytest.mark.nightly
def test_the_rows_that_count_for_released_captions_are_those_of_the_csv_file(cut: Callable[..., Any]) -> None:
    files = cut()
    released = {row["key"] for row in cells_of(files["captions.csv"])}
    counted = sorted(
        (row["image"], row["caption"], row["annotator"], row["label"])
        for row in rows_of(files["judgments.parquet"])
        if row["is_counted"] and row["caption"] in released
    )
    assert counted == sorted(tuple(row.values()) for row in cells_of(files["judgments.csv"]))


def test_the_schemas_are_the_declared_ones_also_where_a_column_is_empty(cut: Callable[..., Any]) -> None:
    files = cut(leave_out="times,comments,seconds,lenses,edits,order")
    assert pq.read_schema(io.BytesIO(files["judgments.parquet"])).equals(JUDGMENTS)
    assert pq.read_schema(io.BytesIO(files["candidates.parquet"])).equals(CANDIDATES)


def test_a_change_of_mind_after_the_consensus_is_told_and_does_not_count(
    chosen: Project, cut: Callable[..., Any], bob: User
) -> None:
    old = Judgment.objects.filter(annotator=bob, label="good").earliest("pk")
    World(chosen).change_mind(old, "unsure", comment="=Too dark", ms=2500)
    mine = [row for row in rows_of(cut()["judgments.parquet"]) if row["caption"] == old.candidate.key]
    changed = next(row for row in mine if row["revision"] == 2)
    before = next(row for row in mine if row["revision"] == 1 and row["annotator"] == changed["annotator"])
    assert (before["label"], before["is_latest"], before["is_counted"]) == ("good", False, True)
    assert (changed["label"], changed["is_latest"], changed["is_counted"]) == ("unsure", True, False)
    assert (changed["comment"], changed["seconds"], changed["submitted_at"]) == ("=Too dark", 2.5, None)
    assert changed["options"] == ["good", "bad", "unsure"]


@pytest.mark.nightly
def test_late_answers_are_surplus_and_those_of_excluded_people_do_not_count(
    chosen: Project, cut: Callable[..., Any], make_user: Callable[..., User]
) -> None:
    world, rejected = World(chosen), Candidate.objects.filter(project=chosen).earliest("pk")
    hit = rejected.hit_items.get().hit
    late, excluded = make_user("late"), make_user("excluded")
    world.judge(late, hit, ["unsure"] * 7, status="late")
    world.judge(excluded, hit, ["unsure"] * 7)
    AnnotatorState.objects.update_or_create(project=chosen, user=excluded, defaults={"state": "excluded"})
    files = cut()
    unsure = [row for row in rows_of(files["judgments.parquet"]) if row["label"] == "unsure"]
    assert sorted(row["is_surplus"] for row in unsure) == [False] * 7 + [True] * 7
    assert not any(row["is_counted"] for row in unsure)
    assert [row["is_excluded"] for row in cells_of(files["annotators.csv"])].count("yes") == 1


def test_what_a_curator_leaves_out_is_in_no_file(chosen: Project, cut: Callable[..., Any], bob: User) -> None:
    Judgment.objects.filter(annotator=bob).update(comment="a secret", ms=1234)
    Judgment.objects.filter(annotator=bob, label="good").update(lens="emotional")
    said = rows_of(cut()["judgments.parquet"])
    assert {"a secret", "emotional", 1.234} <= {
        value for row in said for value in row.values() if not isinstance(value, list)
    }
    files = cut(leave_out="times,comments,seconds,lenses,edits,order,rejected")
    for row in rows_of(files["judgments.parquet"]):
        assert not any(row[name] for name in ("comment", "seconds", "lens", "edits", "position", "options"))
    assert {row["label"] for row in rows_of(files["candidates.parquet"])} == {"good"}
    assert {row["median_seconds"] for row in cells_of(files["annotators.csv"])} == {""}


def test_times_are_told_where_the_curator_wants_them(cut: Callable[..., Any]) -> None:
    told = rows_of(cut(leave_out="")["judgments.parquet"])
    known = {round(time.timestamp(), 3) for time in Assignment.objects.values_list("submitted_at", flat=True)}
    assert {round(row["submitted_at"].timestamp(), 3) for row in told} == known


def test_rejected_captions_come_with_their_reason_and_test_questions_never(
    chosen: Project, cut: Callable[..., Any], bob: User
) -> None:
    world, image = World(chosen), chosen.images.earliest("pk")
    world.caption(image, "IMG_0001", status="dropped", drop_rule="file_name", drop_detail="IMG_0001")
    asked = world.caption(image, "A question for everybody.")
    hit = world.hit(image, [asked], part=7)
    world.judge(bob, hit, ["bad"])
    world.control(asked)
    files = cut()
    rows = {row["raw_text"]: row for row in rows_of(files["candidates.parquet"])}
    assert (rows["IMG_0001"]["status"], rows["IMG_0001"]["drop_rule"]) == ("dropped", "file_name")
    assert "A question for everybody." not in rows
    assert asked.key not in {row["caption"] for row in rows_of(files["judgments.parquet"])}
    assert {row["split"] for row in rows.values()} == {"train"}


def test_annotators_come_with_their_reliability(chosen: Project, cut: Callable[..., Any], bob: User) -> None:
    AnnotatorState.objects.update_or_create(project=chosen, user=bob, defaults={"n_graded": 10, "n_failed": 2})
    files = cut()
    told = cells_of(files["annotators.csv"])
    graded = next(row for row in told if row["controls"] == "10")
    share = share_of(8, 10)
    assert share is not None
    assert [graded[name] for name in ("controls_passed", "controls_low", "controls_high")] == [
        "8", f"{share.low:.4f}", f"{share.high:.4f}",
    ]  # fmt: skip
    final = {row["key"]: row["label"] for row in rows_of(files["candidates.parquet"])}
    for row in told:
        mine = [each for each in rows_of(files["judgments.parquet"]) if each["annotator"] == row["annotator"]]
        decided = [each for each in mine if each["is_counted"] and final[each["caption"]]]
        agreed = [each for each in decided if each["label"] == final[each["caption"]]]
        assert [int(row[name]) for name in ("judgments", "decided", "agreed")] == [21, len(decided), len(agreed)]


def test_a_setting_that_is_none_is_refused(chosen: Project, run_stage: RunStage) -> None:
    for wrong in ({"shares": "80,10"}, {"leave_out": "names"}):
        with pytest.raises(InvalidInput):
            run_stage(chosen, "release", **wrong)
    assert not Release.objects.exists()
