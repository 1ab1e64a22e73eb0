"""`manage.py release`: the checklist first, then the release, then its version or why there is none."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command

from backend.catalogue.models import Image
from backend.projects.models import Project
from backend.releases.models import Release
from backend.runs.models import Run, RunStatus


@pytest.mark.django_db(transaction=True)
def test_the_command_waits_for_the_release_names_its_version_and_fails_if_the_stage_fails(
    chosen: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    Image.objects.filter(project=chosen).update(licence="who knows")
    call_command("release", "skies", notes="First.", shares="100,0,0", seed=3)
    said = capsys.readouterr()
    assert "Version 1.0.0: 3 images, 15 captions." in said.out
    assert "Check licences: 3" in said.err
    made = Release.objects.get(project=chosen)
    assert (made.changelog["notes"], made.manifest["choices"]["shares"]["train"]) == ("First.", 100)
    assert made.manifest["choices"]["seed"] == 3

    with pytest.raises(CommandError, match="did not succeed") as failed:
        call_command("release", "skies", notes="First.", shares="100,0,0", seed=3)
    assert failed.value.returncode == 1
    said = capsys.readouterr()
    run = Run.objects.filter(stage="release").latest("created_at")
    assert (run.status, run.error["code"]) == (RunStatus.FAILED, "nothing_changed")
    assert run.error["message"] in said.out and "3 images" not in said.out
    assert Release.objects.count() == 1


@pytest.mark.django_db
def test_the_command_refuses_a_project_that_does_not_exist() -> None:
    with pytest.raises(CommandError, match="'nowhere' does not exist"):
        call_command("release", "nowhere")
