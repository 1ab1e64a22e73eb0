"""Names that people would take for another person's."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from backend.common.errors import InvalidInput
from backend.people.models import User
from backend.people.names import name_key
from backend.people.services import create_account, update_profile

Clients = Callable[..., APIClient]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Bоb", "username_mixed"),  # a Cyrillic o
        ("Bob", "username_alike"),
        ("B0B", "username_alike"),
        ("CharIie", "username_alike"),  # a capital i
        ("Μαρία_anna", "username_mixed"),
    ],
)
def test_a_user_name_like_anothers_is_refused(bob: User, charlie: User, name: str, code: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        create_account(username=name, password="a long walk at dawn")
    assert refused.value.error_code == code


def test_a_name_of_cyrillic_letters_alone_is_like_the_latin_one() -> None:
    assert name_key("соре") == name_key("Cope") != name_key("copy")


@pytest.mark.parametrize("name", ["müller", "Ольга", "Μαρία", "田中さん", "bob2", "bobby", "o-brien", "محمد"])
def test_names_of_any_one_alphabet_are_taken(bob: User, name: str) -> None:
    assert create_account(username=name, password="a long walk at dawn").username == name


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("\u202egnorts", "name_hidden"),
        ("A\u2066lice", "name_hidden"),
        ("zero\u200bwidth", "name_hidden"),
        ("line\u2028break", "name_hidden"),
        ("dora", "name_alike"),
        ("D o r a", "name_alike"),
        ("Dоra", "name_mixed"),
        ("Doctor Dee", "name_alike"),
        ("doctor dee", "name_alike"),
    ],
)
def test_a_display_name_that_misleads_is_refused(
    client_of: Clients, bob: User, dora: User, name: str, code: str
) -> None:
    update_profile(user=dora, changes={"display_name": "Doctor Dee"})
    refused = client_of(bob).patch("/api/v1/me", {"display_name": name})
    assert (refused.status_code, refused.json()["fields"]["display_name"][0]["code"]) == (400, code)


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["Bob B.", "bob", "", "نگار\u200cسادات", "Jean-Luc O’Neill", "東京 太郎"])
def test_every_honest_display_name_is_taken(client_of: Clients, bob: User, dora: User, name: str) -> None:
    answer = client_of(bob).patch("/api/v1/me", {"display_name": name})
    assert (answer.status_code, answer.json()["display_name"]) == (200, name)


def test_a_name_kept_from_before_does_not_stop_other_changes(client_of: Clients, bob: User, dora: User) -> None:
    User.objects.filter(pk=bob.pk).update(display_name="dora")
    client = client_of(bob)
    assert client.patch("/api/v1/me", {"display_name": "dora", "email": "new@example.org"}).status_code == 200


def test_keys_follow_the_names(bob: User) -> None:
    bob.display_name = "Rob"
    bob.save(update_fields=["display_name"])
    bob.refresh_from_db()
    assert (bob.username_key, bob.display_name_key) == (name_key("bob"), name_key("Rob"))
    assert len(name_key("ﷺ" * 150)) == 300
