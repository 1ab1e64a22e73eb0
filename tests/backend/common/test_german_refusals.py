"""Whatever the server refuses an annotator has a German sentence in the front end's catalogue; English is its own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from backend.annotation.controls import keeping
from backend.annotation.forecast import serializers as forecast
from backend.annotation.qualification import qualifying
from backend.annotation.quality import deciding, kept_previews
from backend.common.exception_handler import SENTENCES
from backend.methods.agreement import REASONS as NO_FIGURE
from backend.methods.quality.policy import SENTENCES as REASONS
from backend.methods.quality.rules import COLLECTORS
from backend.projects import services as projects

IMPORTED = ("annotation/foreign", "methods/foreign", "curation/fitting.py")
ROW = re.compile(r'Why\(\s*"([a-z_]+)"')
UNTOLD = re.compile(r'why_not=[^,)]*"[A-Z]')
ROOT = Path(__file__).resolve().parents[3]
GERMAN = ROOT / "frontend" / "src" / "messages" / "de" / "refusals.ts"
DESK = GERMAN.with_name("desk-refusals.ts")
# Rooms whose answers an annotator meets; the rest is for those who run a project.
ROOMS = ("common", "config", "people", "projects", "annotation", "review/remarks.py", "catalogue/media.py")
OF_CURATORS = ("annotation/controls", "annotation/quality", "annotation/guidelines", "annotation/building.py")
OF_FILES = ("annotation/foreign", "annotation/management", "projects/management", "people/management")
# What pages of quality and settings say beside the codes: why a figure is missing, and refusals that share a code.
OF_QUALITY = (
    *NO_FIGURE.values(),
    *(words for terms in COLLECTORS.values() for words in (terms.label, terms.share_of, terms.counts)),
    *(forecast.TOO_FEW_TIMED, forecast.NO_PAY, *forecast.SKILL_FROM.values()),
    *(deciding.NO_REASON, deciding.NOBODY, deciding.ONLY_PAUSE, deciding.PAUSED_ALREADY, deciding.PAUSED_BELOW),
    *(deciding.NOT_ONESELF, deciding.NOT_ASKED, kept_previews.NOT_YET),
    *(keeping.RETIRED_BY_HAND, keeping.PUT_BACK, keeping.QUARANTINED_BY_HAND),
    projects.NO_MORE,
)
QUALITY_ROOMS = ("annotation/quality", "annotation/controls/keeping.py", "annotation/controls/pool.py")
SENTENCE = re.compile(r'raise \w+\(\s*"([^"]+)"')
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


@pytest.mark.parametrize("said", OF_QUALITY)
def test_every_sentence_of_the_page_of_quality_has_a_german_one(said: str) -> None:
    assert re.search(rf"""^  (['"]?){re.escape(said)}\1:""", DESK.read_text(), re.MULTILINE)


def test_every_refusal_of_the_page_of_quality_has_a_german_sentence() -> None:
    sources = [path.read_text() for room in QUALITY_ROOMS for path in _under(ROOT / "backend" / room)]
    said = {sentence for source in sources for sentence in SENTENCE.findall(source)}
    codes = {one or other for source in sources for one, other in CODE.findall(source)}
    assert "This version has no such replay." in said and {"moved", "already_met"} <= codes
    german = DESK.read_text()
    assert sorted(each for each in said if each not in german) == []
    # What names the fault itself, a rule's field or a word, is said as the server says it; so is a side of the project.
    assert sorted(each for each in codes if f"\n  {each}:" not in german) == [
        "invalid_rules", "unknown_label", "wrong_direction",
    ]  # fmt: skip


def test_every_reason_why_a_row_of_judgments_is_refused_has_a_german_sentence() -> None:
    """By a code, as the sentences name labels and numbers of the file."""
    sources = [path.read_text() for room in IMPORTED for path in _under(ROOT / "backend" / room)]
    rows = {code for source in sources for code in ROW.findall(source)}
    codes = rows | {one or other for source in sources for one, other in CODE.findall(source)}
    assert {"row_no_pair", "row_not_our_label", "row_other_reasons", "no_judgments", "nothing_shared"} <= codes
    german = DESK.read_text()
    assert sorted(each for each in codes if f"\n  {each}:" not in german) == []
    assert [found for source in sources for found in UNTOLD.findall(source)] == []
