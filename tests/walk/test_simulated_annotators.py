"""Simulated annotators on a running site: qualified by quiz, told apart by what they did."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from annotation_projects import CONTROLS_FROM, right_label
from deploy.compose import ROOT
from embedded_site import embedded_site

pytestmark = pytest.mark.stack
N_HITS = 12
SETUP = f"""
from annotation_projects import make_project
from backend.annotation.models import Control, Qualification
make_project("skies", n_hits={N_HITS}, n_captions=2, n_annotators=0)
quiz = Control.objects.order_by("pk")[:6].values_list("pk", flat=True)
Control.objects.filter(pk__in=list(quiz)).update(is_quiz=True)
Qualification.objects.update(n_questions=6, pass_mark=.75, max_attempts=2)
"""
LEFT = "from places_left import places_left; print(places_left('skies').count())"


def truth_rows() -> list[dict[str, object]]:
    text = "A dog crosses the wet street before the light has changed, number {}"
    numbers = [(n // 2, n) for n in range(2 * N_HITS)] + [(n, CONTROLS_FROM + n) for n in range(N_HITS)]
    captions = [(f"image-{image}", text.format(number)) for image, number in numbers]
    return [{"image_id": key, "text": caption, "accepted": [right_label(caption)]} for key, caption in captions]


def test_a_crowd_works_a_project_off_and_the_table_tells_who_did_what(artefacts: Path) -> None:
    truth = artefacts / "simulated" / "truth.jsonl"
    truth.parent.mkdir(exist_ok=True)
    truth.write_text("\n".join(map(json.dumps, truth_rows())))
    support = str(ROOT / "tests" / "support")
    with embedded_site(truth.parent, PYTHONPATH=support) as site:
        site.manage("shell", "--no-imports", "-c", SETUP)
        profiles = ",".join(["careful"] * 7 + ["hasty", "always_good"])
        crowd = ["simulate_annotators", "skies", "--annotators", "9", "--profiles", profiles, "--seed", "4"]
        told = site.manage(*crowd, "--truth", str(truth), "--site", site.url)
        again = site.manage(*crowd, "--truth", str(truth), "--site", site.url)
        left = site.manage("shell", "--no-imports", "-c", LEFT)
        tokens = site.manage("shell", "--no-imports", "-c", "from backend.people.models import ApiToken\n"
                             "print(ApiToken.objects.filter(revoked_at=None).count())")  # fmt: skip
    assert tokens.strip() == "0", "no key to the project is left lying about"
    rows = {line.split()[0]: line.split() for line in told.splitlines()[1:]}
    assert len(rows) == 9 and left.strip() == "0"
    assert sum(int(row[2]) for row in rows.values()) >= 3 * N_HITS
    assert "did not qualify" in told, "who calls everything good does not pass the quiz"
    assert all(line.split()[2] == "0" for line in again.splitlines()[1:]), "nothing was left for a second time"
