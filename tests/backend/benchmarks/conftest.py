"""A release of three images, with a rejected caption each, and results of mock models on it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.people.models import User
from backend.projects.models import Project
from backend.releases.models import Release
from benchmark_uploads import mock_result
from kept_worlds import own_copy

Files = dict[str, Any]


@pytest.fixture(autouse=True)
def own_media(tmp_path: Path, settings: Any) -> Path:
    settings.MEDIA_ROOT = own_copy(tmp_path / "media")
    return tmp_path / "media"


@pytest.fixture
def release(project: Project) -> Release:
    return Release.objects.get(project=project)


@pytest.fixture
def measured(release: Release) -> Callable[..., Files]:
    """The files of a mock model's result: `measured("strong", strength=3)`."""
    return partial(mock_result, release)


@pytest.fixture
def board(release: Release) -> str:
    return f"/api/v1/projects/skies/releases/{release.pk}/benchmarks"


@pytest.fixture
def two(measured: Callable[..., Files], board: str, client_of: Callable[..., APIClient], alice: User) -> list[str]:
    """A weak and a strong model on the leaderboard, by their IDs."""
    client = client_of(alice)
    answers = [
        client.post(board, measured(name, strength=strength), "multipart")
        for name, strength in (("weak", 0.1), ("strong", 3.0))
    ]
    assert [answer.status_code for answer in answers] == [201, 201], [answer.json() for answer in answers]
    return [answer.json()["id"] for answer in answers]
