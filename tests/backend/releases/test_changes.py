"""What changed between releases, and the version that follows from it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.test import APIClient

from backend.annotation.models import Slot
from backend.catalogue.models import Image
from backend.curation.models import Selection
from backend.methods.exports.changes import (
    LISTED,
    Side,
    compare_releases,
    larger_step,
    next_label,
    read_notes,
    step_of,
    write_changelog,
)
from backend.people.models import User
from backend.projects.models import Project
from backend.releases.models import Release
from backend.runs.models import Run

RunStage = Callable[..., Run]
Contents = Callable[[Release], dict[str, bytes]]


def line(digest: str, *captions: tuple[str, str], **facts: Any) -> dict[str, Any]:
    """A line of images.jsonl; captions are (key, category)."""
    told = [{"key": key, "difficulty": {"category": category}} for key, category in captions]
    return {"digest": digest, **facts, "captions": told}


def side(*lines: dict[str, Any], **manifest: Any) -> Side:
    return Side("1.0.0", "d" * 64, {"format": "f/1", **manifest}, lines)


@given(st.sets(st.text("abc", min_size=1, max_size=3)), st.sets(st.text("abc", min_size=1, max_size=3)))
def test_the_sides_are_compared_as_sets_of_digests(before: set[str], after: set[str]) -> None:
    changes = compare_releases(
        side(*(line(digest, (digest, "easy")) for digest in sorted(before))),
        side(*(line(digest, (digest, "easy")) for digest in sorted(after))),
    )
    for moves in (changes["images"], changes["captions"]):
        assert moves["added"]["first"] == sorted(after - before)[:LISTED]
        assert moves["left"]["first"] == sorted(before - after)[:LISTED]
        assert moves["changed"]["n"] == 0
    assert changes["difficulty"]["easy"]["easy"] == len(before & after)
    wanted = "major" if before - after else "minor" if after - before else "patch"
    assert step_of(changes) == wanted


def test_a_label_a_difficulty_and_a_setting_that_moved_are_a_patch() -> None:
    changes = compare_releases(
        side(line("a", ("k1", "easy"), ("k2", "hard"), author="x"), policy="one", counts={"judgments": 3}),
        side(line("a", ("k1", "hard"), ("k2", "hard"), author="y"), policy="two", counts={"judgments": 4}),
    )
    assert (changes["captions"]["changed"]["first"], changes["images"]["changed"]["first"]) == (["k1"], ["a"])
    assert changes["difficulty"]["easy"] == {"easy": 0, "medium": 0, "hard": 1}
    assert changes["difficulty"]["hard"]["hard"] == 1
    assert changes["settings"] == [{"name": "policy", "before": "one", "after": "two"}]
    assert changes["judgments"] == {"before": 3, "after": 4}
    assert step_of(changes) == "patch"


def test_another_format_of_the_files_is_a_major_step() -> None:
    changes = compare_releases(side(), Side("", "", {"format": "f/2"}, ()))
    assert (changes["is_new_format"], step_of(changes)) == (True, "major")


def test_long_lists_are_counted_and_cut() -> None:
    changes = compare_releases(None, side(*(line(f"{n:064}") for n in range(LISTED + 5))))
    added = changes["images"]["added"]
    assert (added["n"], len(added["first"])) == (LISTED + 5, LISTED)


def test_a_curator_can_make_the_step_larger_and_never_smaller() -> None:
    assert [larger_step("minor", chosen) for chosen in ("auto", "patch", "minor", "major")] == [
        "minor", "minor", "minor", "major",
    ]  # fmt: skip
    assert [next_label("1.9.9", step) for step in ("patch", "minor", "major")] == ["1.9.10", "1.10.0", "2.0.0"]


@pytest.mark.parametrize("notes", ["a\x00b", "x" * 4001])
def test_notes_are_text_of_a_decent_length(notes: str) -> None:
    with pytest.raises(ValueError, match="characters"):
        read_notes(notes)


def test_notes_of_people_stay_text_in_the_changelog() -> None:
    changes = compare_releases(None, side()) | {"step": "first", "notes": "<script>x</script>\n# Head | cell"}
    written = write_changelog([("1.0.0", changes)])
    assert "> &lt;script>x&lt;/script>\n> # Head \\| cell\n" in written
    assert "<script" not in written


@pytest.mark.nightly
@pytest.mark.both_engines
def test_the_version_follows_from_what_changed(
    release: Release, project: Project, run_stage: RunStage, contents: Contents
) -> None:
    assert (release.label, release.changelog["step"]) == ("1.0.0", "first")
    assert (release.changelog["against"], release.changelog["images"]["added"]["n"]) == (None, 3)
    Image.objects.filter(project=project).update(author="Somebody else")
    run_stage(project, "release", notes="Credits corrected.")
    second = Release.objects.get(label="1.0.1")
    assert second.changelog["against"] == {"label": "1.0.0", "digest": release.digest}
    assert (second.changelog["images"]["changed"]["n"], second.changelog["captions"]["changed"]["n"]) == (3, 0)
    gone = Selection.objects.earliest("image__digest")
    Selection.objects.filter(pk=gone.pk).update(status="short_pool", method="", mean_similarity=None)
    run_stage(project, "release", bump="patch")
    third = Release.objects.get(label="2.0.0")
    assert third.changelog["images"]["left"] == {"n": 1, "first": [gone.image.digest]}
    assert third.changelog["captions"]["left"]["n"] == 5
    assert third.changelog["judgments"] == {"before": 30, "after": 20}
    files = contents(third)
    assert json.loads(files["manifest.json"])["version"] == "2.0.0"
    assert '"version": "2.0.0"' in files["croissant.json"].decode()
    assert 'version: "2.0.0"' in files["CITATION.cff"].decode()
    changelog = files["CHANGELOG.md"].decode()
    assert [part.split()[0] for part in changelog.split("\n## ")[1:]] == ["2.0.0", "1.0.1", "1.0.0"]
    assert "> Credits corrected." in changelog
    assert f"- `{gone.image.digest}`" in changelog


def test_any_two_releases_are_compared_and_others_see_nothing(
    release: Release,
    project: Project,
    run_stage: RunStage,
    client_of: Callable[..., APIClient],
    make_user: Callable[..., User],
    bob: User,
) -> None:
    Slot.objects.filter(assignment=None).delete()
    run_stage(project, "select", k=3)
    run_stage(project, "release")
    second = Release.objects.get(version=2)
    client = client_of(bob)
    place = f"/api/v1/releases/{second.pk}/changes"
    stored = client.get(place).json()
    assert stored == second.changelog
    assert client.get(place, {"against": str(release.pk)}).json() == stored | {"notes": ""}
    back = client.get(f"/api/v1/releases/{release.pk}/changes", {"against": str(second.pk)}).json()
    assert back["captions"]["added"]["n"] == stored["captions"]["left"]["n"] == 6
    assert (back["step"], back["settings"][0].keys()) == ("minor", {"name", "before", "after"})
    assert client.get(place, {"against": "x"}).status_code == 400
    assert client.get(place, {"against": "0" * 32}).json()["code"] == "no_release_here"
    assert client_of(make_user("stranger")).get(place).status_code == 404
    assert APIClient().get(place).status_code in (401, 403)
