"""A person's own profile and keys."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rest_framework.test import APIClient

from backend.common.errors import InvalidInput
from backend.people.models import User
from backend.people.preferences import NAMED_KEYS, VERBS, check_keys, effective_keys, read_preferences

Clients = Callable[..., APIClient]
ME = "/api/v1/me"


def test_bob_changes_his_profile(client_of: Clients, bob: User) -> None:
    client = client_of(bob)
    answer = client.patch(ME, {"display_name": "  Bob the annotator ", "email": "bob@lab.example.org"})
    assert (answer.status_code, answer.json()["display_name"]) == (200, "Bob the annotator")
    assert client.get(ME).json()["email"] == "bob@lab.example.org"


def test_what_is_not_sent_stays(client_of: Clients, bob: User) -> None:
    client = client_of(bob)
    client.patch(ME, {"preferences": {"theme": "dark", "keys": {"judge.good": "q"}}})
    client.patch(ME, {"preferences": {"theme": "light"}})
    client.patch(ME, {"display_name": "Bob"})
    assert client.get(ME).json()["preferences"] == {
        "theme": "light",
        "language": "system",
        "break_minutes": 50,
        "keys": {"judge.good": "q"},
    }
    assert client.get(ME).json()["email"] == "bob@example.org"


@pytest.mark.parametrize("minutes", [0, 25, 90])
def test_how_long_to_work_before_a_break_is_a_choice_of_few(client_of: Clients, bob: User, minutes: int) -> None:
    answer = client_of(bob).patch(ME, {"preferences": {"break_minutes": minutes}})
    assert answer.json()["preferences"]["break_minutes"] == minutes


def test_nobody_makes_themselves_staff_or_somebody_else(client_of: Clients, bob: User) -> None:
    answer = client_of(bob).patch(ME, {"is_staff": True, "is_superuser": True, "username": "alice", "id": 1})
    assert answer.status_code == 200
    bob.refresh_from_db()
    assert (bob.is_staff, bob.is_superuser, bob.username) == (False, False, "bob")


def test_an_address_that_is_none_is_refused_under_its_field(client_of: Clients, bob: User) -> None:
    answer = client_of(bob).patch(ME, {"email": "not an address", "display_name": "b" * 81})
    assert answer.status_code == 400
    assert set(answer.json()["details"]) == {"email", "display_name"}


KEYS_THAT_ARE_NONE = [
    "<img src=x onerror=alert(1)>",
    "ab",
    "",
    " ",
    "\t",
    "\u200b",
    "\u0301",
    "\u202e",
    "Escape",
    "Tab",
    "Mod+w",
    "Shift+",
    "Shift+1",
    "Shift+Enter",
    "shift+q",
    "F5",
    "enter",
    "İ",
    3,
    7,
    True,
    None,
    ["a"],
    {"a": "b"},
]


@pytest.mark.parametrize("key", KEYS_THAT_ARE_NONE, ids=ascii)
def test_what_is_no_key_is_never_stored(client_of: Clients, bob: User, key: object) -> None:
    answer = client_of(bob).patch(ME, {"preferences": {"keys": {"judge.good": key}}})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert "preferences" in answer.json()["details"]
    bob.refresh_from_db()
    assert bob.preferences == {}


@pytest.mark.parametrize(
    "preferences",
    [
        {"theme": "<script>"},
        {"theme": None},
        {"language": "tlh"},
        {"language": None},
        {"break_minutes": 3},
        {"break_minutes": None},
        {"break_minutes": "never"},
        {"language": ["de"]},
        {"keys": {"<b>judge.good</b>": "q"}},
        {"keys": {"session.gone": "q"}},
        {"keys": ["q"]},
        {"keys": "q"},
        {"style": "body { display: none }"},
        "dark",
        None,
        [],
    ],
    ids=str,
)
def test_preferences_that_do_not_exist_are_refused(client_of: Clients, bob: User, preferences: object) -> None:
    answer = client_of(bob).patch(ME, {"preferences": preferences})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    bob.refresh_from_db()
    assert bob.preferences == {}


@pytest.mark.nightly
@pytest.mark.parametrize(
    "keys",
    [
        {"judge.good": "2"},
        {"judge.good": "q", "judge.bad": "Q"},
        {"caption.next": "Enter"},
        {"judge.good": "?"},
        {"help.open": "g"},
        {"judge.bad": "Shift+Z"},
        {"judge.bad": "Shift+ArrowUp"},
        {"help.open": "q", "judge.good": "q"},
    ],
    ids=str,
)
def test_two_actions_cannot_share_a_key(client_of: Clients, bob: User, keys: dict[str, str]) -> None:
    answer = client_of(bob).patch(ME, {"preferences": {"keys": keys}})
    assert answer.status_code == 400
    assert "have the same key" in answer.json()["message"]


def test_two_actions_may_swap_their_keys(client_of: Clients, bob: User) -> None:
    keys = {"judge.good": "b", "judge.bad": "g", "photo.fit": "Enter", "hit.submit": "Space"}
    answer = client_of(bob).patch(ME, {"preferences": {"keys": keys}})
    assert answer.json()["preferences"]["keys"] == keys


def test_verbs_of_two_pages_may_share_a_key(client_of: Clients, bob: User) -> None:
    keys = {"judge.good": "q", "pool.add": "q", "pool.undo": "Shift+q"}
    answer = client_of(bob).patch(ME, {"preferences": {"keys": keys}})
    assert (answer.status_code, answer.json()["preferences"]["keys"]) == (200, keys)


def test_no_two_verbs_at_hand_together_have_one_key_to_begin_with() -> None:
    for action in VERBS:
        for key in effective_keys(action, {})[:1]:
            if not key.startswith("Mod+") and key not in ("Escape", "Home", "End"):  # these are nobody's to choose
                assert check_keys({action: key}) == {action: key}


def test_keys_are_kept_in_one_spelling_and_dropped_by_sending_none(client_of: Clients, bob: User) -> None:
    client = client_of(bob)
    client.patch(ME, {"preferences": {"keys": {"judge.good": "Q", "judge.bad": "ß"}}})
    assert client.get(ME).json()["preferences"]["keys"] == {"judge.good": "q", "judge.bad": "ß"}
    client.patch(ME, {"preferences": {"keys": {}}})
    assert client.get(ME).json()["preferences"]["keys"] == {}


@pytest.mark.parametrize(
    "stored",
    [
        {},
        None,
        [],
        "x",
        {"theme": "neon", "language": "tlh", "break_minutes": True, "keys": {"gone.action": "x"}},
        {"keys": {"judge.good": "<b>"}},
    ],
)
def test_preferences_from_before_an_upgrade_are_read_as_the_defaults(stored: object) -> None:
    assert read_preferences(stored) == {"theme": "system", "language": "system", "break_minutes": 50, "keys": {}}


ANNOTATE = [action for action, verb in VERBS.items() if verb["scope"] == "annotate"]


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from([*ANNOTATE, "other"]), st.text(max_size=3) | st.sampled_from(NAMED_KEYS)))
def test_whatever_passes_is_distinct_known_and_one_key_long(sent: dict[str, str]) -> None:
    try:
        kept = check_keys(sent)
    except InvalidInput:
        return
    effective = [key for action in ANNOTATE for key in effective_keys(action, kept)]
    assert len(set(effective)) == len(effective)
    assert all(key in NAMED_KEYS or (len(key) == 1 and key.isprintable() and key != " ") for key in kept.values())
    assert check_keys(kept) == kept
