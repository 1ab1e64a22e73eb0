"""Tables that a browser keeps as a file."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.http import StreamingHttpResponse
from rest_framework.test import APIClient

from backend.common import files
from backend.people.models import User
from backend.projects.models import Project

FIGURES = "/api/v1/projects/skies/agreement/headline"


def test_a_client_with_the_newest_small_table_gets_no_second_copy(
    client_of: Callable[..., APIClient], project: Project, alice: User, bob: User
) -> None:
    def ask(tag: str, user: User = alice) -> object:
        answer = client_of(user).get(FIGURES, {"format": "csv"}, headers={"If-None-Match": tag})
        return answer.status_code, len(answer.getvalue()) > 0

    whole = client_of(alice).get(FIGURES, {"format": "csv"})
    assert (whole.status_code, whole["Cache-Control"]) == (200, "private, no-cache")
    assert [ask(whole["ETag"]), ask('"another"'), ask(whole["ETag"], bob)] == [(304, False), (200, True), (403, True)]
    assert "ETag" not in client_of(alice).get(FIGURES)


def test_a_large_table_is_sent_line_by_line_and_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "SMALL", 30)
    rows = [{"n": n} for n in range(20)]
    answer = files.csv_file("n.csv", ("n",), iter(rows))
    assert isinstance(answer, StreamingHttpResponse)
    assert answer.getvalue().decode().split() == ['"n"', *(f'"{n}"' for n in range(20))]
