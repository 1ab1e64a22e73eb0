"""What the API takes has the type that its schema says; a guess would store what nobody meant."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework import serializers
from rest_framework.test import APIClient

from backend.people.models import User
from backend.projects.models import Project

Clients = Callable[..., APIClient]


@pytest.mark.parametrize("value", [0, 1.5, True, ["bob"], {"name": "bob"}])
def test_a_name_that_is_no_text_is_refused(client_of: Clients, bob: User, value: object) -> None:
    answer = client_of(bob).patch("/api/v1/me", {"display_name": value})
    assert answer.status_code == 400
    assert answer.json()["details"] == {"display_name": ["Enter a text."]}
    assert User.objects.get(pk=bob.pk).display_name == bob.display_name


@pytest.mark.parametrize("held", [False, 0, 7, None, "7"])
def test_an_assignment_in_hand_is_named_by_its_id(
    client_of: Clients, project: Project, bob: User, held: object
) -> None:
    answer = client_of(bob).post("/api/v1/projects/skies/assignments/next", {"holding": [held]})
    assert (answer.status_code, list(answer.json()["details"])) == (400, ["holding"])


@pytest.mark.parametrize("change", [{"overlap": True}, {"control_rate": False}, {"pay_per_hit": True}, {"name": 7}])
def test_a_number_is_neither_true_nor_false(
    client_of: Clients, project: Project, alice: User, change: dict[str, Any]
) -> None:
    answer = client_of(alice).patch("/api/v1/projects/skies", {"version": 1, **change})
    assert (answer.status_code, list(answer.json()["details"])) == (400, list(change))


def test_forms_and_addresses_still_send_numbers_as_text() -> None:
    assert serializers.IntegerField().run_validation("7") == 7
    assert serializers.FloatField().run_validation("0.5") == 0.5
    assert serializers.FloatField().run_validation(1) == 1.0
    assert serializers.CharField().run_validation("7") == "7"
