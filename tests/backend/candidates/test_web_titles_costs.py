"""What looking pictures up costs is known and allowed before it is spent, to whoever may know."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from rest_framework.test import APIClient

from api_examples import Examples
from backend.candidates import web_titles as service
from backend.candidates.models import WebTitles
from backend.candidates.web_titles import estimate_web_titles
from backend.catalogue.models import Image
from backend.people.models import User
from backend.projects.models import Project
from backend.runs.models import Run, RunStatus
from backend.runs.services import retry_run
from judged_project import work_on
from vision_server import Reply, Vision, fault, found, page
from web_titles import sent, web_pool
from workers.engines.web_entities import ATTEMPTS
from world import World

RunStage = Callable[..., Run]
Clients = Callable[..., APIClient]
ESTIMATE = "/api/v1/projects/skies/web-titles/estimate"


@pytest.mark.nightly
def test_more_units_than_allowed_are_refused_with_both_numbers_before_anything_is_sent(
    project: Project, shown: list[Image], vision: Vision, run_stage: RunStage
) -> None:
    run = run_stage(project, "web_titles", most_units=19)
    assert (run.status, run.error["code"], vision.requests) == (RunStatus.FAILED, "too_many_units", [])
    assert run.error["message"].startswith(
        "20 images need a lookup, and this run allows 19. Set most_units to 20 (at most 0.07 USD)"
    )
    assert run_stage(project, "web_titles", most_units=20).status == RunStatus.SUCCEEDED


def test_a_retry_may_not_pay_for_more_than_the_run_was_allowed(
    project: Project, shown: list[Image], vision: Vision, run_stage: RunStage
) -> None:
    vision.script.extend([Reply(), *[fault(429, "Quota.")] * ATTEMPTS])
    run = run_stage(project, "web_titles", most_units=20)
    vision.requests.clear()
    more = World(project).image("new", digest="f" * 64)
    assert more.digest > shown[-1].digest
    again = work_on(retry_run(run=run, started_by=None))
    assert (again.error["code"], vision.requests) == ("too_many_units", [])
    assert again.error["message"].startswith("21 images need a lookup, and this run allows 20.")


@pytest.mark.nightly
def test_another_project_with_the_same_picture_learns_nothing_of_it(
    project: Project, shown: list[Image], vision: Vision, run_stage: RunStage, charlie: User
) -> None:
    run_stage(project, "web_titles")
    elsewhere = Project.objects.get(slug="elsewhere")
    World(elsewhere).image("mine", digest=shown[0].digest, large=shown[0].large)
    estimate = estimate_web_titles(project=elsewhere)
    assert (estimate.n_images, estimate.n_cached, estimate.n_to_ask) == (1, 0, 1)
    vision.requests.clear()
    vision.answers[sent(shown[0])] = deque([found(page("Told to Charlie"))])
    run_stage(elsewhere, "web_titles")
    assert vision.asked == [sent(shown[0])]
    assert [row[1] for row in web_pool(elsewhere)] == ["Told to Charlie"]
    assert len(web_pool(project)) == 20


def test_the_estimate_counts_what_would_be_asked_and_rounds_its_price_up(
    project: Project, shown: list[Image], settings: Any
) -> None:
    WebTitles.objects.create(project=project, provider="google_vision", digest=shown[0].digest)
    WebTitles.objects.create(project=project, provider="google_vision", digest="e" * 64)
    settings.GOOGLE_VISION_CENTS, settings.GOOGLE_VISION_FREE_UNITS = 350, 10
    found = estimate_web_titles(project=project)
    assert (found.n_images, found.n_cached, found.n_to_ask, found.units) == (20, 1, 19, 19)
    # 19 units at 0.35 cents are 6.65 cents; without the ten free ones 3.15.
    assert (found.cost, found.least_cost, found.currency) == (Decimal("0.07"), Decimal("0.04"), "USD")


@pytest.mark.parametrize(("units", "price"), [(0, "0.00"), (1, "0.01"), (1000, "3.50"), (5000, "17.50")])
def test_prices_are_exact(units: int, price: str) -> None:
    assert str(service.price_of(units)) == price


def test_the_estimate_is_for_reviewers_of_the_project_alone(
    client_of: Clients, alice: User, dora: User, bob: User, charlie: User, shown: list[Image]
) -> None:
    people: tuple[User | None, ...] = (alice, dora, bob, charlie, None)
    assert [client_of(one).get(ESTIMATE).status_code for one in people] == [200, 200, 403, 404, 401]
    assert client_of(alice).get(ESTIMATE).json() == {
        "n_images": 20, "n_cached": 0, "n_to_ask": 20, "units": 20,
        "least_cost": "0.00", "cost": "0.07", "currency": "USD", "has_key": True,
    }  # fmt: skip


def test_the_estimate_is_as_in_its_example(
    example: Examples, client_of: Clients, alice: User, shown: list[Image]
) -> None:
    example("projects_web_titles_estimate_retrieve", client_of(alice).get, "projects/skies/web-titles/estimate")
