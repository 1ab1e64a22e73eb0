"""The counts the walk and the project pages read about this room."""

from __future__ import annotations

from datetime import timedelta

import time_machine
from django.utils import timezone

from backend.annotation.answers import Judged
from backend.annotation.leases import lease_next
from backend.annotation.models import Hit
from backend.annotation.selectors import read_counts
from backend.annotation.submissions import revise_judgment
from backend.common.labels import Label
from backend.people.models import User
from backend.projects.counters import read_counters
from backend.projects.models import Project
from pages_in_hand import submit, take


def test_a_project_without_hits_counts_nothing(project: Project) -> None:
    assert read_counts([project.pk])[project.pk] == {"hits": 0, "judgments": 0, "slots": 0, "slots_open": 0}


def test_a_place_is_open_until_it_is_submitted(project: Project, bob: User, hit: Hit) -> None:
    counts = {"hits": 1, "judgments": 0, "slots": 2, "slots_open": 2}
    assert read_counts([project.pk])[project.pk] == counts
    page = take(project, bob)
    assert read_counts([project.pk])[project.pk] == counts
    submit(page)
    assert read_counts([project.pk])[project.pk] == counts | {"judgments": 3, "slots_open": 1}


def test_a_change_of_mind_counts_once(project: Project, bob: User, hit: Hit) -> None:
    page = take(project, bob)
    submit(page)
    revise_judgment(assignment=page, judged=Judged(1, Label.BAD))
    assert read_counts([project.pk])[project.pk]["judgments"] == 3


def test_the_walk_reads_them_with_everybody_elses(project: Project, hit: Hit) -> None:
    assert read_counters([project.pk])[project.pk].items() >= {"hits": 1, "slots": 2, "slots_open": 2}.items()


def test_a_lease_that_ran_out_is_still_open(project: Project, bob: User, dora: User, hit: Hit) -> None:
    lease_next(project=project, annotator=bob)
    with time_machine.travel(timezone.now() + timedelta(hours=1), tick=False):
        lease_next(project=project, annotator=dora)
    assert read_counts([project.pk])[project.pk]["slots_open"] == 2
