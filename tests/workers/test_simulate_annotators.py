"""The crowd's keys end with the command, however it ends."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from backend.people.models import ApiToken, User
from backend.projects.models import Membership, Project, Role
from workers.management.commands import simulate_annotators
from workers.simulation import rounds


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
    monkeypatch.setattr(rounds, "ThreadPoolExecutor", _InTurn)
    monkeypatch.setattr(simulate_annotators.ApiClient, "count_judgments", lambda self, slug: 0)
    monkeypatch.setattr(simulate_annotators, breaks, fail)
    with pytest.raises(RuntimeError, match="gone"):
        call_command("simulate_annotators", project.slug, "--truth", str(truth), "--site", "http://localhost:1")
    assert ApiToken.objects.exists() and not ApiToken.objects.filter(revoked_at=None).exists()


@pytest.fixture
def truth(tmp_path: Path) -> str:
    file = tmp_path / "truth.jsonl"
    file.write_text(json.dumps({"image_id": "one", "text": "A dog.", "accepted": ["good"]}) + "\n\n")
    return str(file)


@pytest.mark.parametrize(
    ("option", "value", "says"),
    [
        ("--annotators", "0", "at least 1"), ("--speed", "-1", "to 0 or more"), ("--speed", "nan", "to 0 or more"),
        ("--speed", "inf", "to 0 or more"), ("--hits", "-3", "to 0 or more"), ("--profiles", "", "There are: careful"),
        ("--patience", "-1", "to 0 seconds"), ("--patience", "inf", "to 0 seconds"),
        ("--site", "http://127.0.0.1:1", "did not answer"), ("--site", "garbage", "did not answer"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_told_in_a_sentence(
    option: str, value: str, says: str, project: Project, alice: User, truth: str
) -> None:
    Membership.objects.update_or_create(project=project, user=alice, defaults={"role": Role.CURATOR})
    with pytest.raises(CommandError, match=says):
        call_command("simulate_annotators", project.slug, "--truth", truth, f"{option}={value}")
    assert not ApiToken.objects.filter(revoked_at=None).exists()


@pytest.mark.parametrize("skill", [("-0.1", "1"), ("0", "1.01"), ("0.9", "0.8"), ("nan", "1"), ("0", "nan")])
def test_skills_that_are_none_are_told_in_a_sentence(skill: tuple[str, str], project: Project) -> None:
    with pytest.raises(CommandError, match="from 0 to 1, the lower one first"):
        call_command("simulate_annotators", project.slug, "--skill", *skill)


@pytest.mark.parametrize("line", ["[1]", "{", '{"image_id": 1}', '{"image_id": 1, "text": "A dog.", "truth": "fine"}'])
def test_a_line_of_truth_that_is_none_is_named(line: str, project: Project, tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text(f"\n{line}\n")
    with pytest.raises(CommandError, match=r"bad\.jsonl, line 2"):
        call_command("simulate_annotators", project.slug, "--truth", str(tmp_path / "bad.jsonl"))


class _InTurn:
    """One after the other in this thread, which holds the test's transaction."""

    def __init__(self, **given: object) -> None: ...

    def submit(self, turn: Callable[..., object], *given: object) -> Future[object]:
        done: Future[object] = Future()
        try:
            done.set_result(turn(*given))
        except RuntimeError as error:
            done.set_exception(error)
        return done

    def __enter__(self) -> _InTurn:
        return self

    def __exit__(self, *error: object) -> None: ...
