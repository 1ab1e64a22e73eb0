"""The examples of operations about accounts have the shape of real answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from api_examples import Examples
from backend.people import resets
from backend.people.models import User
from backend.projects.models import Project
from cast import PASSWORD

NEW = "a long walk at dawn"


def test_accounts_are_as_in_their_examples(
    example: Examples, client_of: Callable[..., APIClient], project: Project, bob: User, settings: Any
) -> None:
    settings.SIGN_UP_OPEN = True
    client, visitor = client_of(bob), client_of()
    example("session_read", client.get, "session")
    example("me_retrieve", client.get, "me")
    changed = {
        "display_name": "Annotator",
        "preferences": {"theme": "dark", "break_minutes": 50, "keys": {"judge.good": "q"}},
    }
    example("me_partial_update", client.patch, "me", changed)
    made = example(
        "me_tokens_create", client.post, "me/tokens", {"name": "Training", "is_read_only": True, "project": "skies"}
    )
    example("me_tokens_list", client.get, "me/tokens")
    example("me_tokens_destroy", client.delete, f"me/tokens/{made['id']}")
    example("session_sign_in", visitor.post, "session", {"username": "bob", "password": PASSWORD})
    example("session_sign_out", visitor.delete, "session")
    example("me_password_create", client.post, "me/password", {"current": PASSWORD, "new": NEW, "revoke_tokens": True})
    example("sign_up_create", client_of().post, "sign-up", {"username": "annotator-2", "password": NEW})


def test_a_new_password_by_mail_is_as_in_its_examples(
    example: Examples, client_of: Callable[..., APIClient], bob: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.EMAIL_HOST = "mail.example.org"
    monkeypatch.setattr(resets._mailer, "submit", lambda *given: None)
    client = client_of()
    example("password_reset_create", client.post, "password-reset", {"email": "nobody@example.org"})
    uid, token = resets.path_of(bob).rpartition("#")[2].split(".")
    example("password_reset_check_create", client.post, "password-reset/check", {"uid": uid, "token": token})
    sent = {"uid": uid, "token": token, "password": NEW}
    example("password_reset_confirm_create", client.post, "password-reset/confirm", sent)


def test_the_accounts_of_the_demo_are_as_in_their_example(
    example: Examples, client_of: Callable[..., APIClient], make_user: Callable[..., User], settings: Any
) -> None:
    settings.DEMO = True
    head = make_user("head")
    head.set_unusable_password()
    head.save()
    example("session_sign_in_demo", client_of().post, "session/demo", {"role": "head_annotator"})
