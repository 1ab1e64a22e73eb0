"""The crowd's keys end with the command, however it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management import call_command

from backend.people.models import ApiToken, User
from backend.projects.models import Membership, Project, Role
from workers.management.commands import simulate_annotators


@pytest.mark.parametrize("breaks", ["seen_by_clients", "Worker"])
def test_no_token_outlives_a_crowd_that_fails(
    breaks: str, project: Project, alice: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = tmp_path / "truth.jsonl"
    truth.write_text(json.dumps({"image_id": "one", "text": "A dog.", "accepted": ["good"]}))
    Membership.objects.update_or_create(project=project, user=alice, defaults={"role": Role.CURATOR})

    def fail(*given: object, **more: object) -> None:
        assert ApiToken.objects.filter(revoked_at=None).exists()
        raise RuntimeError("The site is gone.")

    monkeypatch.setattr(simulate_annotators, "seen_by_clients", lambda *given, **more: {})
    monkeypatch.setattr(simulate_annotators, "ThreadPoolExecutor", _InTurn)
    monkeypatch.setattr(simulate_annotators.ApiClient, "count_judgments", lambda self, slug: 0)
    monkeypatch.setattr(simulate_annotators, breaks, fail)
    with pytest.raises(RuntimeError, match="gone"):
        call_command("simulate_annotators", project.slug, "--truth", str(truth), "--site", "http://localhost:1")
    assert ApiToken.objects.exists() and not ApiToken.objects.filter(revoked_at=None).exists()


class _InTurn:
    """One after the other in this thread, which holds the test's transaction."""

    map = staticmethod(map)

    def __init__(self, **given: object) -> None: ...

    def __enter__(self) -> _InTurn:
        return self

    def __exit__(self, *error: object) -> None: ...
