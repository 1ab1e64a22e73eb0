"""Worlds of a project with judged, chosen and released captions, for modules that keep one: see kept_worlds.py."""

from __future__ import annotations

from backend.people.models import User
from backend.projects.models import Project
from backend.releases.models import Release
from backend.runs.models import RunStatus
from cast import bob_and_dora
from judged_project import Opinion, finish_stage, judge_all


def choose(project: Project) -> None:
    """Three images with five of seven captions chosen; bob finds a few of the others bad."""
    choose_by(project, lambda at, caption, person: "bad" if caption < person else "good")


def choose_by(project: Project, opinion: Opinion) -> None:
    """Three images of seven captions, judged by bob and dora; five of each are chosen."""
    judge_all(project, people=bob_and_dora(), images=3, captions=7, opinion=opinion)
    for stage, asked in (("consensus", {"min_votes": 1}), ("select", {})):
        run = finish_stage(project, stage, **asked)
        assert run.status == RunStatus.SUCCEEDED, run.error


def choose_and_release(project: Project) -> None:
    """`choose`, and alice releases it."""
    choose(project)
    release(project)


def reject_one_of_each_and_release(project: Project) -> None:
    """A release of three images, with a rejected caption each."""
    choose_by(project, lambda at, caption, person: "bad" if caption == 0 else "good")
    release(project)


def release(project: Project) -> Release:
    """The project's release, made by alice if there is none."""
    made = Release.objects.filter(project=project).first()
    if made is None:
        run = finish_stage(project, "release", started_by=User.objects.get(username="alice"))
        assert run.status == RunStatus.SUCCEEDED, run.error
        made = Release.objects.get(project=project)
    return made
