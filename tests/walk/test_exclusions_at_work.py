"""A crowd at work, and a curator who excludes, lets back in, changes the overlap and puts policies in force."""

from __future__ import annotations

import json
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from annotation_projects import CONTROLS_FROM, right_label
from deploy.compose import ROOT
from live_stack import LiveStack

SLUG, N_HITS, PEOPLE, STEPS = "unruly", 120, 14, 32
LONGEST = 60.0  # seconds for a run of a policy
SETUP = f"""
from annotation_projects import make_project
from backend.qualification.models import Qualification
from backend.people.models import User
from backend.people.services import create_token
make_project({SLUG!r}, n_hits={N_HITS}, n_captions=2, n_annotators=0)
Qualification.objects.update(n_questions=0)
print(create_token(user=User.objects.get(username="boss"), name="curator", expires_in_days=1)[1])
"""
CHORES = """
import time
from backend.agreement.services import keep_up
from backend.annotation.settle_stage import settle_changed
from backend.runs.models import LIVE, Run
while settle_changed() or Run.objects.filter(stage="settle", status__in=LIVE).exists():
    time.sleep(0.2)
keep_up()
"""
FAULTS = f"import json\nfrom after_exclusions import faults\nprint(json.dumps(faults({SLUG!r})))"
PROFILES = ("careful", "hasty", "careful", "careful", "random", "careful", "always_good")
RULES: tuple[list[dict[str, Any]], ...] = (
    [{"collector": "control_failures", "condition": {"threshold": 0.5, "min_n": 2}, "action": "exclude"}],
    [{"collector": "skips", "condition": {"threshold": 0.05, "min_n": 10}, "action": "exclude"},
     {"collector": "disagreement", "condition": {"min_n": 20, "threshold": 0.3, "p_value": 0.05}, "action": "pause"}],
    [{"collector": "too_fast", "condition": {"threshold": 0.06, "min_n": 20, "p_value": 0.05}, "action": "exclude"}],
    [],
)  # fmt: skip


class Curator:
    """Somebody who cannot leave a project alone."""

    def __init__(self, site: str, token: str) -> None:
        headers = {"Authorization": f"Token {token}"}
        self.http = httpx.Client(base_url=f"{site}/api/v1", headers=headers, timeout=60, trust_env=False)
        self.address, self.dice, self.did = f"/projects/{SLUG}", random.Random(9), Counter[str]()

    def __enter__(self) -> Curator:
        return self

    def __exit__(self, *broken: object) -> None:
        self.http.close()

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """The answer; {} where a run of the stage is under way already."""
        answer = self.http.request(method, path if path.startswith("/runs/") else self.address + path, json=body)
        assert answer.is_success or answer.status_code == 409, f"{path} answered {answer.status_code}: {answer.text}"
        self.did[f"{method} {path.rpartition('/')[2] or 'project'}"] += answer.is_success
        return answer.json() if answer.is_success else {}

    def await_people(self) -> None:
        """Until somebody has come: on a busy machine a crowd takes as long to start as all steps take."""
        deadline = time.monotonic() + LONGEST
        while not self.ask("GET", "/annotators")["results"]:
            assert time.monotonic() < deadline, "nobody came"
            time.sleep(0.2)

    def step(self) -> None:
        {"decide": self.decide, "overlap": self.change, "rules": self.apply}[
            self.dice.choices(["decide", "overlap", "rules"], [6, 2, 2])[0]
        ]()

    def decide(self) -> None:
        people = self.ask("GET", "/annotators")["results"]
        if people:
            self.set_state(self.dice.choice(people), self.dice.choice(["excluded", "excluded", "active", "policy"]))

    def set_state(self, person: dict[str, Any], state: str) -> None:
        self.ask("POST", f"/annotators/{person['user']['id']}/state", {"state": state, "reason": "They are unruly."})

    def change(self, **to: Any) -> None:
        overlap = self.dice.choice([1, 2, 3, 4])
        drawn = {"overlap": overlap, "max_overlap": overlap + 2, "confidence": self.dice.choice([None, 0.9])}
        self.ask("PATCH", "", {"version": self.ask("GET", "")["version"], **(to or drawn)})

    def apply(self) -> None:
        made = self.ask("POST", "/policies", {"rules": self.dice.choice(RULES), "note": "Another one."})
        self.ask("POST", f"/policies/{made['version']}/apply")

    def apply_newest(self) -> dict[str, Any]:
        """The policy's newest version in force, by a run that came to its end; what it counted."""
        newest = self.ask("GET", "/policies")["results"][0]["version"]
        deadline = time.monotonic() + LONGEST
        while not (started := self.ask("POST", f"/policies/{newest}/apply")) and time.monotonic() < deadline:
            time.sleep(0.5)  # one of before is under way
        run: dict[str, Any] = {"status": "queued"}
        while run["status"] in ("queued", "running") and time.monotonic() < deadline:
            time.sleep(0.3)
            run = self.ask("GET", f"/runs/{started['run']}")
        assert run["status"] == "succeeded", run
        counts: dict[str, Any] = run["counts"]
        return counts


def truth_file(folder: Path) -> Path:
    text = "A dog crosses the wet street before the light has changed, number {}"
    numbers = [(n // 2, n) for n in range(2 * N_HITS)] + [(n, CONTROLS_FROM + n) for n in range(N_HITS)]
    rows = [(f"image-{image}", text.format(number)) for image, number in numbers]
    told = [{"image_id": key, "text": caption, "accepted": [right_label(caption)]} for key, caption in rows]
    folder.mkdir(exist_ok=True)
    (folder / "truth.jsonl").write_text("\n".join(map(json.dumps, told)))
    return folder / "truth.jsonl"


@contextmanager
def coming_again(crowd: Callable[..., str]) -> Iterator[None]:
    """A crowd at work, and another as soon as it went home: who was let back in is in it."""
    at_work = threading.Event()
    at_work.set()

    def crowds() -> None:
        while at_work.is_set():
            crowd("--hits", "12")

    thread = threading.Thread(target=crowds)
    thread.start()
    try:
        yield
    finally:
        at_work.clear()
        thread.join()


def be_unruly(curator: Curator) -> None:
    curator.await_people()
    for _ in range(STEPS):
        curator.step()
        time.sleep(curator.dice.uniform(0, 0.5))
    for what, n in {"POST state": 10, "PATCH project": 2, "POST apply": 2}.items():
        assert curator.did[what] > n, curator.did


def let_all_in(curator: Curator) -> None:
    for person in curator.ask("GET", "/annotators")["results"]:
        curator.set_state(person, "active")
    curator.change(overlap=4, max_overlap=4, confidence=None)


def exclude_a_third(curator: Curator) -> None:
    """And no rule finds anything else any more."""
    for person in curator.ask("GET", "/annotators")["results"][1::3]:
        curator.set_state(person, "excluded")
    curator.apply_newest()
    assert "changed" not in curator.apply_newest(), "a second time there is nothing to find"


@pytest.mark.nightly
def test_nothing_is_over_or_left_undone_whoever_is_excluded_meanwhile(
    start_stack: Callable[..., LiveStack], artefacts: Path
) -> None:
    """No pair beyond its places or twice by one person, all finished, counters and replays as worked out anew."""
    stack = start_stack(PYTHONPATH=str(ROOT / "tests" / "support"))
    shell, truth = partial(stack.manage, "shell", "--no-imports", "-c"), truth_file(artefacts / "unruly")
    crowd = partial(stack.manage, "simulate_annotators", SLUG, "--annotators", str(PEOPLE),
                    "--profiles", ",".join(PROFILES), "--truth", str(truth), "--site", stack.url)  # fmt: skip
    with Curator(stack.url, shell(SETUP).split()[-1]) as curator:
        with coming_again(crowd):
            be_unruly(curator)
        let_all_in(curator)
        shell(CHORES)  # from here on nothing goes through all HITs: an exclusion must reach its own
        crowd()
        shell(CHORES)
        exclude_a_third(curator)
    assert "none_left" in crowd()
    found = json.loads(shell(FAULTS))
    assert not {rule: n for rule, n in found.items() if n}, found
