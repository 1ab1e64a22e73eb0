"""Simulated annotators on a running site: qualified by quiz, told apart by what they did."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path

import pytest

from annotation_projects import CONTROLS_FROM, right_label
from deploy.compose import ROOT
from deploy.processes import ProcessEndedError
from embedded_site import EmbeddedSite, embedded_site

pytestmark = [pytest.mark.stack, pytest.mark.nightly]
N_HITS = 12
SETUP = f"""
from annotation_projects import make_project
from backend.qualification.models import Control, Qualification
make_project("skies", n_hits={N_HITS}, n_captions=2, n_annotators=0)
quiz = Control.objects.order_by("pk")[:6].values_list("pk", flat=True)
Control.objects.filter(pk__in=list(quiz)).update(is_quiz=True)
Qualification.objects.update(n_questions=6, pass_mark=.75, max_attempts=2)
"""
PATIENCE = 3
LEFT = "from places_left import places_left; print(places_left('skies').count())"


def truth_rows() -> list[dict[str, object]]:
    text = "A dog crosses the wet street before the light has changed, number {}"
    numbers = [(n // 2, from_ + n) for from_ in (0, CONTROLS_FROM) for n in range(2 * N_HITS)]
    captions = [(f"image-{image}", text.format(number)) for image, number in numbers]
    return [{"image_id": key, "text": caption, "accepted": [right_label(caption)]} for key, caption in captions]


def file_of_truth(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    (truth := folder / "truth.jsonl").write_text("\n".join(map(json.dumps, truth_rows())))
    return truth


def test_a_crowd_works_a_project_off_and_the_table_tells_who_did_what(artefacts: Path) -> None:
    truth = file_of_truth(artefacts / "simulated")
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
    assert sum(int(row[4]) for row in rows.values()) >= 3 * N_HITS
    assert "did not qualify" in told, "who calls everything good does not pass the quiz"
    assert all(line.split()[4] == "0" for line in again.splitlines()[1:]), "nothing was left for a second time"


def test_a_crowd_whose_site_is_killed_at_work_tells_what_it_did_and_ends_with_an_error(artefacts: Path) -> None:
    truth = file_of_truth(artefacts / "simulated_gone")
    with embedded_site(truth.parent, PYTHONPATH=str(ROOT / "tests" / "support")) as site:
        site.manage("shell", "--no-imports", "-c", SETUP)
        killer = threading.Thread(target=kill_at_work, args=[site, n_submits(site), killed := []])
        killer.start()
        crowd = ["simulate_annotators", "skies", "--profiles", "careful", "--speed", "60", "--patience", str(PATIENCE)]
        with pytest.raises(ProcessEndedError) as ended:
            site.manage(*crowd, "--truth", str(truth), "--site", site.url)
        seconds = time.monotonic() - killed[0]
        killer.join()
    told = str(ended.value).splitlines()
    rows = [line.split() for line in told if line.startswith("simulated-")]
    n_hits = sum(int(row[4]) for row in rows)
    assert told[-1].endswith(
        f"{site.url} gave no answer for {PATIENCE} seconds. The command stopped after {n_hits} tasks."
    )
    assert len(rows) == 5 and n_hits >= 3 and PATIENCE <= seconds < PATIENCE + 20
    assert not any(line.startswith("{") for line in told), "no request is a line of the log"


def n_submits(site: EmbeddedSite) -> int:
    """As its log tells, which goes on where that of an earlier run ended."""
    return site.process.log.read_text().count("/submit")


def kill_at_work(site: EmbeddedSite, n_before: int, killed: list[float]) -> None:
    deadline = time.monotonic() + 60
    while n_submits(site) < n_before + 5 and time.monotonic() < deadline:
        time.sleep(0.1)
    killed.append(time.monotonic())
    site.process.kill()
