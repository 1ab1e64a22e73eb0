"""Whatever the server refuses an annotator has a German sentence in the front end's catalogue; English is its own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from backend.annotation.qualification import qualifying
from backend.common.exception_handler import SENTENCES
from backend.methods.quality.policy import SENTENCES as REASONS

ROOT = Path(__file__).resolve().parents[3]
GERMAN = ROOT / "frontend" / "src" / "messages" / "de" / "refusals.ts"
# Rooms whose answers an annotator meets; the rest is for those who run a project.
ROOMS = ("common", "config", "people", "projects", "annotation", "review/remarks.py", "catalogue/media.py")
OF_CURATORS = ("annotation/controls", "annotation/quality", "annotation/guidelines", "annotation/building.py")
OF_FILES = ("annotation/foreign_importing.py", "annotation/management", "projects/management", "people/management")
CODE = re.compile(r'\b(?:code|default_code)(?:: ClassVar\[str\])? ?= ?"([a-z_]+)"|error_body\("([a-z_]+)"')


def _sources() -> list[Path]:
    found = [path for room in ROOMS for path in _under(ROOT / "backend" / room)]
    return [path for path in found if not any(name in path.as_posix() for name in (*OF_CURATORS, *OF_FILES))]


def _under(place: Path) -> list[Path]:
    return [place] if place.is_file() else sorted(place.rglob("*.py"))


def _codes() -> set[str]:
    found = {one or other for path in _sources() for one, other in CODE.findall(path.read_text())}
    return found | {code for code, _ in SENTENCES.values()}


def test_every_code_that_an_annotator_can_meet_has_a_german_sentence() -> None:
    german = set(re.findall(r"^  ([a-z_]+):", GERMAN.read_text(), re.MULTILINE))
    codes = _codes()
    assert {"lease_expired", "answer_final", "invitation_spent", "not_signed_in", "invalid"} <= codes
    assert sorted(codes - german) == []


@pytest.mark.parametrize(
    "said",
    [qualifying.READ_FIRST, qualifying.READ_AGAIN, qualifying.PASS_FIRST, qualifying.PASS_AGAIN, *REASONS.values()],
)
def test_every_sentence_about_a_person_has_a_german_one(said: str) -> None:
    assert said in GERMAN.read_text()
