"""Captions whose signs other tools lost, imported and cleaned by the commands."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import call_command

from backend.candidates.models import Candidate
from backend.projects.models import Project

pytestmark = pytest.mark.django_db(transaction=True)

# What is broken or has a usual form changes. Every other caption of the file stays as it is.
REPAIRED = {
    "ｆｕｌｌ ｗｉｄｔｈ letters on a sign": "full width letters on a sign",
    "ＡＢＣ & <b>bold</b> sign": "ABC & bold sign",
}


def test_cleaning_changes_no_sign_that_a_caption_needs(project: Project, shared_cases: Path) -> None:
    folder = str(shared_cases / "29-signs-that-cleaning-changes" / "in")
    call_command("import_images", "--project", project.slug, folder)
    call_command("import_candidates", "--project", project.slug, folder)
    call_command("walk", "--project", project.slug, "--from", "clean", "--to", "clean")

    cleaned = dict(Candidate.objects.values_list("raw_text", "text"))
    assert {raw: text for raw, text in cleaned.items() if text != raw} == REPAIRED
    assert {"A field of 20² metres by the sea", "A box of Lego™ bricks on a rug"} <= cleaned.keys()
    assert len(cleaned) == 22
