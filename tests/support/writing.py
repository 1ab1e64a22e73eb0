"""Feedback through the API: addresses, what a person does with a remark, and what they see."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rest_framework.test import APIClient

Clients = Callable[..., APIClient]
PROJECT = "/api/v1/projects/skies"
REMARKS, INBOX, FEEDBACK = f"{PROJECT}/remarks", f"{PROJECT}/inbox", f"{PROJECT}/feedback"
TEXT = "Look at the second boat: it is no ferry."
LABELS = ("good", "bad", "unsure")


def opinion(image: int, caption: int, person: int) -> str:
    """bob says good, bad, unsure by turns; everybody else says bad."""
    return LABELS[caption % 3] if person == 0 else "bad"


def answer(client: APIClient, remark: dict[str, Any], said: str, text: str = "") -> Any:
    return client.post(f"/api/v1/remarks/{remark['id']}/answers", {"answer": said, "text": text}, "json")


def reply(client: APIClient, remark: dict[str, Any], text: str) -> Any:
    return client.post(f"/api/v1/remarks/{remark['id']}/replies", {"text": text}, "json")


def withdraw(client: APIClient, remark: dict[str, Any]) -> Any:
    return client.post(f"/api/v1/remarks/{remark['id']}/withdraw")


def see(client: APIClient, *remarks: dict[str, Any], n_replies: int = 0) -> Any:
    shown = [{"id": remark["id"], "n_replies": n_replies} for remark in remarks]
    return client.post(f"{INBOX}/seen", {"remarks": shown}, "json")


def unread(client: APIClient) -> int:
    n: int = client.get(f"{INBOX}/unread").json()["n_unread"]
    return n


def states(client: APIClient) -> dict[str, int]:
    """How many remarks of the project are in each state that has any, as the head annotator reads it."""
    counted: dict[str, int] = client.get(f"{FEEDBACK}/counts").json()["states"]
    return {state: n for state, n in counted.items() if n}


def codes(client_of: Clients, people: tuple[Any, ...], ask: Callable[[APIClient], Any]) -> list[int]:
    """The status that each of these people gets."""
    return [ask(client_of(user)).status_code for user in people]
