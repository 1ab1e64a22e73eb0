"""The world of the tests of exports, which their modules keep: see kept_worlds.py."""

from __future__ import annotations

from backend.annotation.models import AnnotatorState, Judgment
from backend.people.models import User
from backend.projects.models import Project
from backend.runs.models import RunStatus
from judged_project import finish_stage, judge_all
from world import World


def judge(project: Project) -> None:
    """Three people judged three images with seven captions: the first is bad, one finds the second bad. Bob changed one
    answer. One more pair is a test question."""
    people = [User.objects.get(username=name) for name in ("bob", "dora", "alice")]
    judge_all(
        project, images=3, captions=7, people=people,
        opinion=lambda at, caption, person: "bad" if caption == 0 or (caption == 1 and person == 2) else "good",
    )  # fmt: skip
    world = World(project)
    for person in people:
        AnnotatorState.objects.get_or_create(project=project, user=person)
    first = Judgment.objects.filter(annotator=people[0]).earliest("pk")
    world.change_mind(first, "unsure", comment="=Too dark", ms=2500, edits=[
        {"start": 0, "end": 3, "kind": "replace", "before": "The", "after": "A"},
    ])  # fmt: skip
    pair = world.caption(first.candidate.image, "Nobody may learn of this test question")
    world.judge(people[1], world.hit(first.candidate.image, [pair], part=9), ["bad"])
    world.control(pair, "bad")
    assert finish_stage(project, "consensus", min_votes=1).status == RunStatus.SUCCEEDED
