"""What a curator looks at before a release is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from backend.annotation.models import AnnotatorState
from backend.catalogue.models import Image
from backend.curation.models import Difficulty, ModelScore, Rater, Selection, SelectionItem
from backend.methods.difficulty import CARRIED, DRAWN_BY
from backend.people.models import User
from backend.projects.models import Project
from backend.releases.checklist import CODES, get_checklist
from backend.review.models import ReasonCode, ReviewCase, ReviewReason

PLACE = "/api/v1/projects/skies/releases/checklist"


def told(project: Project) -> dict[str, Any]:
    return {item.code: item for item in get_checklist(project=project)}


@pytest.mark.nightly
@pytest.mark.both_engines
def test_each_line_counts_what_a_curator_must_know(chosen: Project, bob: User, dora: User) -> None:
    items = told(chosen)
    assert tuple(items) == CODES
    quiet = ("annotators_below_line", "open_disputes", "unread_comments", "images_left_out", "licences")
    assert {items[code].n for code in quiet} == {0}
    assert items["agreement"].params["band"] in ("chance", "weak", "moderate", "strong")
    assert items["agreement"].n == 21
    candidate = Image.objects.earliest("pk").candidates.earliest("pk")
    case = ReviewCase.objects.create(project=chosen, candidate=candidate, opened_at=timezone.now())
    for code in (ReasonCode.TIE, ReasonCode.DISPUTED, ReasonCode.COMMENT):
        ReviewReason.objects.create(project=chosen, case=case, code=code)
    ReviewReason.objects.create(project=chosen, case=case, code=ReasonCode.REPLY, closed_at=timezone.now())
    for person in (bob, dora):
        AnnotatorState.objects.update_or_create(
            project=chosen, user=person, defaults={"state": "paused", "n_judgments": 3}
        )
    first, second, third = Selection.objects.order_by("pk")
    Selection.objects.filter(pk=first.pk).update(status="short_pool", method="", mean_similarity=None)
    Image.objects.filter(pk=second.image_id).update(licence="LicenseRef-press")
    Image.objects.filter(pk=third.image_id).update(licence="who knows")
    items = told(chosen)
    assert (items["open_disputes"].n, items["unread_comments"].n) == (1, 1)
    assert items["annotators_below_line"].n == 2
    assert items["images_left_out"].params == {
        "short_pool": 1, "not_selected": 0, "not_in_sample": 0, "withdrawn": 0,
    }  # fmt: skip
    assert (items["licences"].params, items["licences"].state) == ({"unknown": 1, "no_copies": 1}, "warning")


@pytest.mark.nightly
def test_models_that_learned_from_drawings_are_a_warning_for_other_images(chosen: Project) -> None:
    carried = f"{CARRIED}small"
    rater = Rater.objects.create(name=carried, digest="d" * 64, threshold=0.5, calibration={}, record="r" * 64)
    for item in SelectionItem.objects.filter(candidate__project=chosen):
        rated = Difficulty.objects.create(item=item, policy="bands", category="hard", n_votes=0, n_models=1)
        ModelScore.objects.create(difficulty=rated, rater=rater, position=1, score=0.1, vote=False)
    Image.objects.filter(pk=Image.objects.earliest("pk").pk).update(author=DRAWN_BY)
    line = told(chosen)["panel_not_for_photographs"]
    assert (line.state, line.n, line.params) == ("warning", 2, {"models": carried})
    assert line.link == "/projects/skies/difficulty"
    Image.objects.update(author=DRAWN_BY)
    assert told(chosen)["panel_not_for_photographs"].state == "ok"


def test_an_empty_project_has_a_checklist(project: Project) -> None:
    items = told(project)
    assert (items["agreement"].state, items["agreement"].params["band"]) == ("info", "unknown")
    assert not [item for item in items.values() if item.state == "warning"]


def test_reviewers_see_it_and_nobody_else(
    project: Project,
    client_of: Callable[..., APIClient],
    alice: User,
    bob: User,
    charlie: User,
    dora: User,
) -> None:
    shown = client_of(alice).get(PLACE).json()
    assert (len(shown["items"]), shown["is_clear"]) == (len(CODES), True)
    assert shown["items"][0]["link"] == "/projects/skies/quality"
    assert client_of(dora).get(PLACE).status_code == 200
    assert client_of(bob).get(PLACE).status_code == 403
    assert client_of(charlie).get(PLACE).status_code == 404
    assert APIClient().get(PLACE).status_code in (401, 403)
